//! Copies of segments, entry by entry, as cells and lists hold them.
//!
//! Comes in: rows of segments, in the order in which they are to be listed. Goes out: columns that lanes can load, and, where no segment has a
//! radius, the same eight by eight: a walk from cell to cell reads a few entries here and a few there, and finds all four coordinates
//! of eight entries in two lines of memory instead of one or two of each column. This room does not know cells.

use super::cells::{Cells, around, extent};
use super::grid::PAD;
use crate::geometry::{Capsules, Segment, Vec2};
use crate::storage::is_set;
use std::ops::Range;

/// Segments of which cells, or lists, hold copies.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) x0: Vec<f32>,
    pub(crate) y0: Vec<f32>,
    pub(crate) x1: Vec<f32>,
    pub(crate) y1: Vec<f32>,
    /// Empty where all are zero.
    pub(crate) radius: Vec<f32>,
    /// Whose they are: rows of the columns that came in.
    pub(crate) rows: Vec<u32>,
    /// Empty where there are radii.
    eights: Vec<Eight>,
}

/// x0, y0, x1, y1 of eight entries, with NaN behind the last.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Eight([[f32; 8]; 4]);

/// What [`Entries`] hold.
#[derive(Clone, Copy)]
pub(crate) struct EntryView<'a> {
    pub(crate) columns: Capsules<'a>,
    pub(crate) rows: &'a [u32],
    /// Entry `8 k + i` in place `i` of the k-th; empty where there are radii.
    pub(crate) eights: &'a [Eight],
}

impl Eight {
    /// As columns of eight.
    #[inline(always)]
    pub(crate) fn columns(&self) -> Capsules<'_> {
        let [x0, y0, x1, y1] = &self.0;
        Capsules { x0, y0, x1, y1, radius: &[] }
    }

    /// The one in this place, modulo eight.
    #[inline(always)]
    pub(crate) fn segment(&self, place: u32) -> Segment {
        let (place, [x0, y0, x1, y1]) = (place as usize % 8, &self.0);
        Segment { start: Vec2 { x: x0[place], y: y0[place] }, end: Vec2 { x: x1[place], y: y1[place] }, radius: 0.0 }
    }
}

impl Entries {
    #[inline(always)]
    pub(crate) fn view(&self) -> EntryView<'_> {
        let Entries { x0, y0, x1, y1, radius, rows, eights } = self;
        EntryView { columns: Capsules { x0, y0, x1, y1, radius }, rows, eights }
    }

    /// One of them.
    #[inline(always)]
    pub(crate) fn segment(&self, entry: usize) -> Segment {
        Segment {
            start: Vec2 { x: self.x0[entry], y: self.y0[entry] },
            end: Vec2 { x: self.x1[entry], y: self.y1[entry] },
            radius: if self.radius.is_empty() { 0.0 } else { self.radius[entry] },
        }
    }

    pub(super) fn clear(&mut self) {
        for column in [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1, &mut self.radius] {
            column.clear();
        }
        self.rows.clear();
        self.eights.clear();
    }

    /// From [`Self::rows`], with NaN behind the end.
    pub(super) fn fill(&mut self, segments: Capsules<'_>, round: bool) {
        let rows = &self.rows;
        let columns = [
            (&mut self.x0, segments.x0),
            (&mut self.y0, segments.y0),
            (&mut self.x1, segments.x1),
            (&mut self.y1, segments.y1),
            (&mut self.radius, if round { segments.radius } else { &[] }),
        ];
        for (to, from) in columns {
            if !from.is_empty() {
                to.extend(rows.iter().map(|&row| from[row as usize]).chain([f32::NAN; PAD]));
            }
        }
        if !round {
            // The columns have room for eight behind the last entry.
            let Entries { x0, y0, x1, y1, eights, .. } = self;
            let eight = |at: usize| Eight([eight_at(x0, at), eight_at(y0, at), eight_at(x1, at), eight_at(y1, at)]);
            eights.extend((0..rows.len()).step_by(8).map(eight));
        }
    }

    /// Entries of marked rows are nobody's, and not a number.
    pub(super) fn forget(&mut self, marks: &[bool]) {
        for entry in 0..self.rows.len() {
            if !is_set(marks, self.rows[entry] as usize) {
                continue;
            }
            self.rows[entry] = Cells::GONE;
            for column in [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1] {
                column[entry] = f32::NAN;
            }
            if let Some(eight) = self.eights.get_mut(entry / 8) {
                eight.0.iter_mut().for_each(|column| column[entry % 8] = f32::NAN);
            }
        }
    }

    /// Around those of some entries that are somebody's, as levels have it; none if none is.
    pub(super) fn around(&self, entries: Range<u32>) -> Option<([f64; 2], [f64; 2])> {
        let live = || (entries.start as usize..entries.end as usize).filter(|&entry| self.rows[entry] != Cells::GONE);
        live().next()?;
        Some(around(live().map(|entry| {
            let segment = self.segment(entry);
            ([segment.start.into(), segment.end.into()], segment.radius)
        })))
    }

    /// How far those go that are somebody's.
    pub(super) fn extents(&self) -> impl Iterator<Item = f32> {
        let live = (0..self.rows.len()).filter(|&entry| self.rows[entry] != Cells::GONE);
        live.map(|entry| {
            let segment = self.segment(entry);
            extent([segment.start.into(), segment.end.into()], segment.radius)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let floats = [&self.x0, &self.y0, &self.x1, &self.y1, &self.radius];
        let columns = 4 * (floats.into_iter().map(Vec::capacity).sum::<usize>() + self.rows.capacity());
        columns + size_of::<Eight>() * self.eights.capacity()
    }
}

/// Eight of a column that has them.
fn eight_at(column: &[f32], at: usize) -> [f32; 8] {
    let mut eight = [f32::NAN; 8];
    eight.copy_from_slice(&column[at..at + 8]);
    eight
}
