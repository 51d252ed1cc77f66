//! All touching pairs of segments: those that stay, found when they change, and those that move, found each step.
//!
//! Comes in: columns, and which rows move. Goes out: contacts, `a < b` by the caller's rows, each pair once. The order is that of
//! the cells, by block of rows of the set that looks (see [`super::segment_search`]), or of the rows where they come in chains (see
//! [`super::segment_chains`]); it depends on the columns alone, not on the backend and not on threads; that of pairs of what stays on what
//! stays, not on who moves besides. This room does not know circles or events.
//!
//! Cost: pairs of what stays are found once, and with nothing moving a call does nothing. What moves is binned each time, held
//! against itself, and each of its segments walks through the cells of what stays, which is binned once.

use super::columns::Segments;
use super::detection::Options;
use super::segment_chains::{Chains, NEAR};
use super::segment_search::{Budget, Buffers, Search};
use super::segment_set::SegmentSet;
use super::still::Still;
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
    chains: Box<Chains>,
    still: Box<Still>,
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
        std::mem::swap(&mut self.chains, &mut other.chains);
        std::mem::swap(&mut self.still, &mut other.still);
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

    /// Reads something of each line that a step reads where no segment moves.
    pub(super) fn read_ahead(&self) -> usize {
        self.count ^ self.moving.len() ^ usize::from(self.version.is_some())
    }

    /// All touching pairs into buffers of this room: [`Self::fixed`], then [`Self::moving`].
    ///
    /// # Errors
    /// [`Error::TooManyContacts`].
    pub(crate) fn find(&mut self, segments: Segments<'_>, options: &Options, split: Split) -> Result<(), Error> {
        let (backend, limit) = (options.backend, options.contact_limit);
        self.look_at_edits(segments);
        if self.version != Some((segments.version, segments.filter_version)) {
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
        self.workers.find(sets, 0, segments.filters, options.backend, split, &budget, &mut self.moving);
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
        self.find_static(segments, backend, split, limit, None)
    }

    /// Where nothing but moving segments has been edited, all that is kept stands.
    fn look_at_edits(&mut self, segments: Segments<'_>) {
        if let Some((version, filter_version)) = self.version
            && segments.edited.none_since(version + filter_version)
        {
            if self.binned == Some(version) {
                self.binned = Some(segments.version);
            }
            self.version = Some((segments.version, segments.filter_version));
        }
    }

    /// Bins the segments that do not move, if they have changed.
    fn bin_static(&mut self, segments: Segments<'_>, split: Split) {
        if self.binned != Some(segments.version) {
            self.fixed_set.bin(segments, false, split);
            self.binned = Some(segments.version);
        }
    }

    /// Finds all touching pairs among the segments that do not move, for a place outside or for this room to hold.
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
        let mut fixed = std::mem::take(&mut self.fixed);
        let out = outside.unwrap_or(&mut fixed);
        self.search_static(segments, backend, split, &budget, out);
        if budget.is_spent() {
            *out = Vec::new();
            return Err(Error::TooManyContacts { limit });
        }
        self.count = out.len();
        self.fixed = fixed;
        self.version = Some((segments.version, segments.filter_version));
        self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Finds the pairs of static segments once more if they are not held here: once for each version of the segments at most.
    fn hold(&mut self, segments: Segments<'_>, backend: Backend, split: Split) {
        if !self.is_held {
            let budget = Budget::new(self.count);
            let mut fixed = std::mem::take(&mut self.fixed);
            self.search_static(segments, backend, split, &budget, &mut fixed);
            self.fixed = fixed;
            self.is_held = true;
        }
    }

    /// Appends all touching pairs of segments that do not move.
    fn search_static(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        budget: &Budget,
        out: &mut Vec<SegmentSegmentContact>,
    ) {
        let (all, from) = (segments.moving.is_empty(), out.len());
        let staying = if all {
            segments
        } else {
            self.still.fill(segments);
            self.still.view()
        };
        if self.chains.lay(staying, split) {
            self.workers.find_in_chains(&self.chains, staying, backend, split, budget, out);
            if !all {
                self.still.name(&mut out[from..]);
            }
            return;
        }
        self.bin_static(segments, split);
        let set = &self.fixed_set;
        self.workers.find([set, set], 0, segments.filters, backend, split, budget, out);
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
        self.bin_static(segments, split);
        self.moving_set.bin(segments, true, split);
        let budget = Budget::new(limit);
        let (moving, fixed) = (&self.moving_set, &self.fixed_set);
        let filters = segments.filters;
        self.workers.find([moving, moving], 0, filters, backend, split, &budget, out);
        self.workers.find([moving, fixed], 0, filters, backend, split, &budget, out);
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
            + self.chains.bytes()
            + self.still.bytes()
            + contact * (self.fixed.capacity() + self.moving.capacity())
            + self.workers.single.bytes()
            + pieces.iter().map(|p| p.buffers.bytes() + contact * p.out.capacity()).sum::<usize>()
    }
}

impl Workers {
    /// All pairs of two sets, or within one, of which the caller's rows are at least so far apart.
    #[allow(clippy::too_many_arguments, reason = "two sets, and all that a search is given")]
    fn find(
        &mut self,
        [from, to]: [&SegmentSet; 2],
        apart: u32,
        filters: Filters<'_>,
        backend: Backend,
        split: Split,
        budget: &Budget,
        out: &mut Vec<SegmentSegmentContact>,
    ) {
        let ask = Ask { from, to, apart, filters, backend, split, budget };
        self.each(from.len(), PIECE, ask, out, |search, rows| {
            if std::ptr::eq(from, to) { search.within(rows) } else { search.across(rows) }
        });
    }

    /// All pairs of what lies in chains.
    fn find_in_chains(
        &mut self,
        chains: &Chains,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        budget: &Budget,
        out: &mut Vec<SegmentSegmentContact>,
    ) {
        let (set, loose, filters) = (chains.rows(), chains.loose(), segments.filters);
        let ask = Ask { from: set, to: set, apart: 0, filters, backend, split, budget };
        self.each(set.len(), 8 * PIECE, ask, out, |search, rows| search.along(segments, rows));
        self.each(set.len(), 8 * PIECE, ask, out, |search, rows| search.ahead(rows));
        self.each(chains.count(), PIECE, ask, out, |search, blocks| search.blocks(chains, blocks));
        self.find([loose, loose], NEAR, filters, backend, split, budget, out);
        self.each(loose.len(), PIECE, Ask { from: loose, apart: NEAR, ..ask }, out, |search, rows| {
            search.loose(chains, rows)
        });
    }

    /// Appends what a search finds for so many rows, piece by piece.
    fn each(
        &mut self,
        rows: u32,
        piece: u32,
        ask: Ask<'_>,
        out: &mut Vec<SegmentSegmentContact>,
        search: impl Fn(&mut Search<'_>, Range<u32>) + Sync,
    ) {
        let set = self.set;
        let Ask { from, to, apart, filters, backend, split, budget } = ask;
        let work = |rows: Range<u32>, buffers: &mut Buffers, out: &mut Vec<SegmentSegmentContact>| {
            search(&mut Search { from, to, backend, set, filters, budget, buffers, out, apart, done: false }, rows);
        };
        if !split.is_parallel() || rows <= piece {
            work(0..rows, &mut self.single, out);
            return;
        }
        let count = rows.div_ceil(piece) as usize;
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        split.each(&mut self.pieces[..count], |index, Piece { buffers, out }| {
            out.clear();
            let start = index as u32 * piece;
            let end = if rows - start < piece { rows } else { start + piece };
            work(start..end, buffers, out);
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

/// Who looks, at whom, and how.
#[derive(Clone, Copy)]
struct Ask<'a> {
    from: &'a SegmentSet,
    to: &'a SegmentSet,
    /// See [`Search::apart`].
    apart: u32,
    filters: Filters<'a>,
    backend: Backend,
    split: Split,
    budget: &'a Budget,
}
