//! The segments of a detector: its own, and behind them those of one call.
//!
//! Comes in: columns that have been looked at, or are here. Goes out: one view of all. What is found among its own stands for as long
//! as their version does; those of a call come and go without one. This room does not know circles.

use super::checks::{check_segments, rows_of, segment_columns};
use super::columns::SegmentColumns;
use crate::broad_phase::{Cells, OnDemand, RayCells};
use crate::error::{Error, Kind};
use crate::kernels::InstructionSet;
use crate::narrow_phase;
use crate::parallel::Split;
use crate::storage::{Edited, Filter, Filters, Lazy, MAX_ROWS};
use std::ops::Range;

/// The category and the mask of who has none.
const DEFAULTS: [u32; 2] = [Filter::DEFAULT.category, Filter::DEFAULT.mask];

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// `x0, y0, x1, y1, radius`: its own, then what one call has brought.
    columns: [Vec<f32>; 5],
    /// How many are its own.
    count: usize,
    /// The rows that one call has brought.
    moving: Vec<u32>,
    version: u64,
    /// Category and mask of its own; empty: the default.
    filters: [Vec<u32>; 2],
    /// Of all rows, where a call has brought some.
    joined: [Vec<u32>; 2],
    filter_version: u64,
    edited: Edited,
    /// For questions: its own, and what a call has brought, under the cells they cross.
    fixed: Lazy<Cells>,
    brought: Lazy<Cells>,
    /// Likewise: all, and the circles of a call.
    rays: OnDemand<RayCells>,
    /// Of nobody.
    none: Cells,
}

impl Kept {
    /// Others in place of all; they meet everything.
    pub(super) fn set(&mut self, segments: [&[f32]; 5], split: Split) {
        split.each(&mut self.columns, |index, to| {
            to.clear();
            to.extend_from_slice(segments[index]);
        });
        self.count = segments[0].len();
        self.moving.clear();
        self.filters.iter_mut().for_each(Vec::clear);
        self.version += 1;
        self.edited.forget(self.version + self.filter_version);
        self.fixed.forget();
        self.brought.forget();
        self.rays.forget();
    }

    /// Others in place of these rows, which are there and as many.
    pub(super) fn replace(&mut self, rows: Range<usize>, segments: [&[f32]; 5]) {
        for (to, from) in self.columns.iter_mut().zip(segments) {
            to[rows.clone()].copy_from_slice(from);
        }
        self.version += 1;
        let edits = self.version + self.filter_version;
        rows.for_each(|row| self.edited.note(edits, row, self.count));
        self.fixed.forget();
        self.brought.forget();
        self.rays.forget();
    }

    /// Whom its own meet: each column as long as there are segments, or empty.
    pub(super) fn set_filters(&mut self, filters: Filters<'_>) {
        let (count, all) = (self.count, self.count + self.moving.len());
        for (k, from) in [filters.category, filters.mask].into_iter().enumerate() {
            let (own, joined) = (&mut self.filters[k], &mut self.joined[k]);
            own.clear();
            own.extend_from_slice(from);
            // Those of the last call keep theirs.
            if count < all && !(own.is_empty() && joined.is_empty()) {
                joined.resize(all, DEFAULTS[k]);
                let own = joined[..count].iter_mut().enumerate();
                own.for_each(|(row, to)| *to = from.get(row).copied().unwrap_or(DEFAULTS[k]));
            }
        }
        self.filter_version += 1;
        self.edited.forget(self.version + self.filter_version);
    }

    /// Those of one call, in place of those of the last one.
    ///
    /// # Errors
    /// Of columns; there are none of a call then.
    pub(super) fn bring(
        &mut self,
        moving: SegmentColumns<'_>,
        filters: Filters<'_>,
        set: InstructionSet,
    ) -> Result<(), Error> {
        self.moving.clear();
        self.brought.forget();
        self.rays.forget();
        let columns = segment_columns(moving);
        let rows = rows_of(Kind::Segment, &columns)?;
        let all = self.count + rows;
        if all > MAX_ROWS {
            return Err(Error::TooManyBodies { kind: Kind::Segment, count: all });
        }
        filters.check(Kind::Segment, rows)?;
        for (to, (_, from)) in self.columns.iter_mut().zip(columns) {
            to.truncate(self.count);
            from.append_to(rows, to);
        }
        check_segments(self.columns.each_ref().map(|column| &column[self.count..]), set, Split::SERIAL)?;
        self.moving.extend(self.count as u32..all as u32);
        self.join(rows, filters);
        Ok(())
    }

    /// Filters of all rows; nothing where nobody has one.
    fn join(&mut self, rows: usize, filters: Filters<'_>) {
        let parts = self.filters.iter().zip([filters.category, filters.mask]).zip(DEFAULTS);
        for (to, ((own, brought), default)) in self.joined.iter_mut().zip(parts) {
            to.clear();
            if rows > 0 && !(own.is_empty() && brought.is_empty()) {
                to.extend_from_slice(own);
                to.resize(self.count, default);
                to.extend_from_slice(brought);
                to.resize(self.count + rows, default);
            }
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> narrow_phase::Segments<'_> {
        let rows = self.count + self.moving.len();
        let [x0, y0, x1, y1, radius] = self.columns.each_ref().map(|column| &column[..rows]);
        let [category, mask] = if self.moving.is_empty() { &self.filters } else { &self.joined };
        narrow_phase::Segments {
            x0,
            y0,
            x1,
            y1,
            radius,
            moving: &self.moving,
            version: self.version,
            filters: Filters { category, mask },
            filter_version: self.filter_version,
            edited: &self.edited,
        }
    }

    /// Under the cells they cross: its own, and those of a call.
    pub(super) fn cells(&self) -> [&Cells; 3] {
        let capsules = self.all().capsules();
        let fixed = self.fixed.get(|cells| cells.build(capsules, 0..self.count as u32));
        let brought = self.brought.get(|cells| cells.build(capsules, self.moving.iter().copied()));
        [fixed, &self.none, brought]
    }

    /// Of all of them, and of the circles of the call.
    pub(super) fn ray_cells(&self) -> &OnDemand<RayCells> {
        &self.rays
    }

    /// How many are its own.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let labels = self.filters.iter().chain(&self.joined).map(Vec::capacity).sum::<usize>();
        let cells = [&self.fixed, &self.brought].map(|cells| cells.bytes(Cells::bytes));
        4 * (self.columns.iter().map(Vec::capacity).sum::<usize>() + labels + self.moving.capacity())
            + cells[0]
            + cells[1]
            + self.none.bytes()
            + self.edited.bytes()
            + self.rays.bytes(RayCells::bytes)
    }
}
