//! The segments that stay, as if there were no others.
//!
//! Comes in: columns of which some rows move. Goes out: columns of those that do not, in the same order, and what their rows are called by the
//! caller. So what is found among them, and in which order, does not depend on who moves besides. This room does not know what is found.

use super::SegmentSegmentContact;
use super::columns::Segments;
use crate::storage::{Filters, gather};

/// See the head of the module. Buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Still {
    /// The caller's rows, ascending.
    rows: Vec<u32>,
    columns: [Vec<f32>; 5],
    filters: [Vec<u32>; 2],
}

impl Still {
    /// Takes those of all segments that do not move.
    pub(super) fn fill(&mut self, segments: Segments<'_>) {
        let Still { rows, columns, filters } = self;
        rows.clear();
        rows.extend(segments.fixed_rows());
        let Segments { x0, y0, x1, y1, radius, .. } = segments;
        for (to, from) in columns.iter_mut().zip([x0, y0, x1, y1, radius]) {
            gather(from, rows, to);
        }
        for (to, from) in filters.iter_mut().zip([segments.filters.category, segments.filters.mask]) {
            to.clear();
            if !from.is_empty() {
                gather(from, rows, to);
            }
        }
    }

    /// They, by rows of their own.
    pub(super) fn view(&self) -> Segments<'_> {
        let [category, mask] = &self.filters;
        Segments::passing(self.columns.each_ref().map(|column| &column[..]), &[], Filters { category, mask })
    }

    /// Calls those in contacts as the caller does.
    pub(super) fn name(&self, contacts: &mut [SegmentSegmentContact]) {
        for contact in contacts {
            (contact.a, contact.b) = (self.rows[contact.a as usize], self.rows[contact.b as usize]);
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let floats = self.columns.iter().map(Vec::capacity).sum::<usize>();
        4 * (self.rows.capacity() + floats + self.filters.iter().map(Vec::capacity).sum::<usize>())
    }
}
