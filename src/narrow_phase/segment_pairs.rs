//! All touching pairs of segments: those that stay, found when they change, and those that move, found each step.
//!
//! Comes in: columns, and which rows move. Goes out: contacts, `a < b` by the caller's rows, each pair once. The order is that of
//! the cells: by block of rows of the set that looks (see [`super::segment_search`]); it depends on the columns alone, not on the backend
//! and not on threads. This room does not know circles or events.
//!
//! Cost: what stays is binned once, and with nothing moving a call does nothing. What moves is binned each time, held
//! against itself, and each of its segments walks through the cells of what stays.

use super::columns::Segments;
use super::detection::Options;
use super::segment_search::{Budget, Buffers, Search};
use super::segment_set::SegmentSet;
use super::{Contacts, SegmentSegmentContact};
use crate::error::Error;
use crate::kernels::{Backend, InstructionSet};
use crate::parallel::Split;
use crate::storage::Filters;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that are searched as one piece of work.
const PIECE: u32 = 1024;

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct SegmentPairs {
    fixed_set: SegmentSet,
    moving_set: SegmentSet,
    /// Pairs of static segments, if they are held here and not only where they were asked for.
    fixed: Vec<SegmentSegmentContact>,
    is_held: bool,
    /// How many they are.
    count: usize,
    /// What [`SegmentPairs::find`] found of those that move.
    moving: Vec<SegmentSegmentContact>,
    workers: Box<Workers>,
    /// What `fixed_set` was made of.
    binned: Option<u64>,
    /// What pairs of static segments were found among: shapes and filters.
    pub(super) version: Option<(u64, u64)>,
    /// Names them among those of all detections of the process.
    stamp: u64,
}

/// Buffers: one set for a single thread, one a piece for several.
#[derive(Debug, Default)]
struct Workers {
    set: InstructionSet,
    single: Buffers,
    pieces: Vec<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    buffers: Buffers,
    out: Vec<SegmentSegmentContact>,
}

impl SegmentPairs {
    /// Exchanges what is of use within one call alone.
    pub(super) fn swap_buffers(&mut self, other: &mut SegmentPairs) {
        std::mem::swap(&mut self.workers, &mut other.workers);
    }

    /// All touching pairs into `out`: those of static segments stay in place there for as long as they stand.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`].
    pub(crate) fn detect(
        &mut self,
        segments: Segments<'_>,
        options: &Options,
        split: Split,
        out: &mut Contacts,
    ) -> Result<(), Error> {
        let (backend, limit) = (options.backend, options.contact_limit);
        self.look_at_edits(segments);
        if self.version != Some((segments.version, segments.filter_version)) {
            // Straight to where they are wanted: most callers have one place for them, and there they stay.
            self.bin_static(segments, split);
            out.segment_segment.clear();
            out.fixed = None;
            self.find_static(segments, backend, split, limit, Some(&mut out.segment_segment))?;
            out.fixed = Some(self.place());
        } else if out.fixed == Some(self.place()) {
            out.segment_segment.truncate(self.count);
        } else {
            self.hold(segments, backend, split);
            out.segment_segment.clear();
            out.segment_segment.extend_from_slice(&self.fixed);
            out.fixed = Some(self.place());
        }
        // The caller is told the limit it set, not what the static pairs have left of it.
        self.detect_moving(segments, backend, split, limit - self.count, &mut out.segment_segment)
            .map_err(|_| Error::TooManyContacts { limit })
    }

    /// All touching pairs into buffers of this room: [`Self::fixed`], then [`Self::moving`].
    ///
    /// # Errors
    /// [`Error::TooManyContacts`].
    pub(crate) fn find(&mut self, segments: Segments<'_>, options: &Options, split: Split) -> Result<(), Error> {
        let (backend, limit) = (options.backend, options.contact_limit);
        self.look_at_edits(segments);
        if self.version != Some((segments.version, segments.filter_version)) {
            self.bin_static(segments, split);
            self.find_static(segments, backend, split, limit, None)?;
        }
        self.hold(segments, backend, split);
        let mut moving = std::mem::take(&mut self.moving);
        moving.clear();
        let found = self.detect_moving(segments, backend, split, limit - self.count, &mut moving);
        self.moving = moving;
        found.map_err(|_| Error::TooManyContacts { limit })
    }

    /// The touching pairs of one segment that moves and one that stays, and no others, into [`Self::moving`]. Pairs of those that stay
    /// are not looked for.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`].
    pub(crate) fn find_between(
        &mut self,
        segments: Segments<'_>,
        options: &Options,
        split: Split,
    ) -> Result<(), Error> {
        self.bin_static(segments, split);
        self.moving_set.bin(segments, true, split);
        self.moving.clear();
        let budget = Budget::new(options.contact_limit);
        let sets = [&self.moving_set, &self.fixed_set];
        self.workers.find(sets, segments.filters, options.backend, split, &budget, &mut self.moving);
        if budget.is_spent() {
            self.moving = Vec::new();
            return Err(Error::TooManyContacts { limit: options.contact_limit });
        }
        Ok(())
    }

    /// Bins the segments that do not move and finds all touching pairs among them, into buffers of this room.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; then no pairs are kept, and they have to be asked for again.
    #[cfg(test)]
    pub(crate) fn set_static(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        limit: usize,
    ) -> Result<(), Error> {
        self.binned = None;
        self.bin_static(segments, split);
        self.find_static(segments, backend, split, limit, None)
    }

    /// Where nothing but moving segments has been edited, all that is kept stands.
    fn look_at_edits(&mut self, segments: Segments<'_>) {
        if let Some((version, filter_version)) = self.version
            && segments.edited.none_since(version + filter_version)
        {
            self.version = Some((segments.version, segments.filter_version));
            self.binned = Some(segments.version);
        }
    }

    /// Bins the segments that do not move, if they have changed.
    fn bin_static(&mut self, segments: Segments<'_>, split: Split) {
        if self.binned != Some(segments.version) {
            self.fixed_set.bin(segments, false, split);
            self.binned = Some(segments.version);
            self.version = None;
        }
    }

    /// Finds all touching pairs among the segments that were binned, for a place outside or for this room to hold.
    fn find_static(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        limit: usize,
        outside: Option<&mut Vec<SegmentSegmentContact>>,
    ) -> Result<(), Error> {
        /// Never part of a result: only tells one list from another.
        static STAMPS: AtomicU64 = AtomicU64::new(0);
        self.version = None;
        self.fixed.clear();
        self.count = 0;
        self.is_held = outside.is_none();
        let budget = Budget::new(limit);
        let set = &self.fixed_set;
        let out = outside.unwrap_or(&mut self.fixed);
        self.workers.find([set, set], segments.filters, backend, split, &budget, out);
        if budget.is_spent() {
            *out = Vec::new();
            return Err(Error::TooManyContacts { limit });
        }
        self.count = out.len();
        self.version = Some((segments.version, segments.filter_version));
        self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Finds the pairs of static segments once more if they are not held here: once for each version of the segments at most.
    fn hold(&mut self, segments: Segments<'_>, backend: Backend, split: Split) {
        if !self.is_held {
            let set = &self.fixed_set;
            let budget = Budget::new(self.count);
            self.workers.find([set, set], segments.filters, backend, split, &budget, &mut self.fixed);
            self.is_held = true;
        }
    }

    /// The touching pairs of which one moves, as of the last [`Self::find`].
    pub(crate) fn moving(&self) -> &[SegmentSegmentContact] {
        &self.moving
    }

    /// Names the present pairs of static segments among those of all detections of the process, with their number.
    pub(crate) fn place(&self) -> (u64, usize) {
        (self.stamp, self.count)
    }

    /// The touching pairs of which neither moves, after [`Self::find`].
    pub(crate) fn fixed(&self) -> &[SegmentSegmentContact] {
        &self.fixed
    }

    /// Appends to `out` the touching pairs of which at least one moves, each once: first those of two that move, then those of one
    /// that moves and one that stays.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`] if that would be more than `limit`; `out` is then as it was.
    pub(crate) fn detect_moving(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        limit: usize,
        out: &mut Vec<SegmentSegmentContact>,
    ) -> Result<(), Error> {
        if segments.moving.is_empty() {
            return Ok(());
        }
        let start = out.len();
        self.moving_set.bin(segments, true, split);
        let budget = Budget::new(limit);
        let (moving, fixed) = (&self.moving_set, &self.fixed_set);
        let filters = segments.filters;
        self.workers.find([moving, moving], filters, backend, split, &budget, out);
        self.workers.find([moving, fixed], filters, backend, split, &budget, out);
        if budget.is_spent() {
            out.truncate(start);
            return Err(Error::TooManyContacts { limit });
        }
        Ok(())
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let contact = size_of::<SegmentSegmentContact>();
        let pieces = &self.workers.pieces;
        self.fixed_set.bytes()
            + self.moving_set.bytes()
            + contact * (self.fixed.capacity() + self.moving.capacity())
            + self.workers.single.bytes()
            + pieces.iter().map(|p| p.buffers.bytes() + contact * p.out.capacity()).sum::<usize>()
    }
}

impl Workers {
    fn find(
        &mut self,
        [from, to]: [&SegmentSet; 2],
        filters: Filters<'_>,
        backend: Backend,
        split: Split,
        budget: &Budget,
        out: &mut Vec<SegmentSegmentContact>,
    ) {
        let rows = from.len();
        let set = self.set;
        let search = |rows: Range<u32>, buffers: &mut Buffers, out: &mut Vec<SegmentSegmentContact>| {
            let mut search = Search { from, to, backend, set, filters, budget, buffers, out, done: false };
            if std::ptr::eq(from, to) { search.within(rows) } else { search.across(rows) }
        };
        if !split.is_parallel() || rows <= PIECE {
            search(0..rows, &mut self.single, out);
            return;
        }
        let count = rows.div_ceil(PIECE) as usize;
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        split.each(&mut self.pieces[..count], |index, piece| {
            piece.out.clear();
            let start = index as u32 * PIECE;
            let end = if rows - start < PIECE { rows } else { start + PIECE };
            search(start..end, &mut piece.buffers, &mut piece.out);
        });
        if budget.is_spent() {
            for piece in &mut self.pieces {
                piece.out = Vec::new();
            }
            return;
        }
        for piece in &self.pieces[..count] {
            out.extend_from_slice(&piece.out);
        }
    }
}
