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
use super::segment_search::Budget;
use super::segment_set::SegmentSet;
use super::segment_workers::{Ask, Task, Workers};
use super::still::Still;
use super::{Contacts, SegmentSegmentContact};
use crate::error::Error;
use crate::kernels::Backend;
use crate::parallel::Split;
use crate::storage::trim;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that are searched as one piece of work, and rows of chains and blocks of them.
const PIECE: u32 = 1024;
const LINKS: u32 = 16 * PIECE;
const BLOCKS: u32 = 2 * PIECE;

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

impl SegmentPairs {
    /// Of the rows that a call works through those that several threads can share. Of those that
    /// stay there are none to be worked through where what was found of them `stands` with the caller, or is held here.
    pub(super) fn rows_to_share(&mut self, segments: Segments<'_>, stands: impl Fn((u64, usize)) -> bool) -> usize {
        if shared(segments.x0.len()) == 0 {
            return 0;
        }
        self.look_at_edits(segments);
        let is_found = self.version == Some((segments.version, segments.filter_version));
        let rows =
            if is_found && (self.is_held || stands(self.place())) { segments.moving.len() } else { segments.x0.len() };
        shared(rows)
    }

    /// The same of [`Self::find_between`].
    pub(super) fn rows_to_bin(&self, segments: Segments<'_>) -> usize {
        let rows = if self.binned == Some(segments.version) { segments.moving.len() } else { segments.x0.len() };
        shared(rows)
    }

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
            out.fixed = None;
            self.find_static(segments, backend, split, limit, Some(&mut out.segment_segment))?;
            out.fixed = Some(self.place());
        } else if out.fixed != Some(self.place()) {
            self.hold(segments, backend, split);
            out.segment_segment.clear();
            out.segment_segment.extend_from_slice(&self.fixed);
            out.fixed = Some(self.place());
        }
        // The caller is told the limit it set, not what the static pairs have left of it.
        self.detect_moving(segments, backend, split, limit - self.count, (&mut out.segment_segment, self.count))
            .map_err(|_| Error::TooManyContacts { limit })
    }

    /// Reads something of each line that a step reads where no segment moves.
    pub(super) fn read_ahead(&self) -> usize {
        let is_made = [self.binned.is_some(), self.version.is_some(), self.is_held];
        is_made.into_iter().fold(self.count, |all, is_made| all ^ usize::from(is_made))
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
        let found = self.detect_moving(segments, backend, split, limit - self.count, (&mut moving, 0));
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
        let budget = Budget::new(options.contact_limit);
        let ask = Ask { filters: segments.filters, backend: options.backend, split, budget: &budget };
        let across = [across(&self.moving_set, &self.fixed_set)];
        self.workers.find(&across, ask, 0, &mut self.moving);
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
        self.count = 0;
        self.is_held = outside.is_none();
        let budget = Budget::new(limit);
        // With those that move behind them there will be more.
        let all = segments.moving.is_empty();
        let mut fixed = std::mem::take(&mut self.fixed);
        if outside.is_some() {
            fixed.clear();
        }
        let out = outside.unwrap_or(&mut fixed);
        self.search_static(segments, backend, split, &budget, out);
        if budget.is_spent() {
            *out = Vec::new();
            return Err(Error::TooManyContacts { limit });
        }
        if all {
            trim(out);
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

    /// All touching pairs of segments that do not move, in place of what is in `out`.
    fn search_static(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        budget: &Budget,
        out: &mut Vec<SegmentSegmentContact>,
    ) {
        let all = segments.moving.is_empty();
        let ask = Ask { filters: segments.filters, backend, split, budget };
        let staying = if all {
            segments
        } else {
            self.still.fill(segments);
            self.still.view()
        };
        if self.chains.lay(staying, split) {
            let chains = &*self.chains;
            let (set, loose) = (chains.rows(), chains.loose());
            let links = Task { rows: set.len(), piece: LINKS, dear: u32::MAX, ..within(set) };
            let tasks = [
                Task { search: &|search, rows| search.along(staying, rows), ..links },
                Task { search: &|search, rows| search.ahead(rows), ..links },
                Task {
                    rows: chains.count(),
                    piece: BLOCKS,
                    search: &|search, rows| search.blocks(chains, rows),
                    ..links
                },
                Task { apart: NEAR, ..within(loose) },
                Task { to: set, apart: NEAR, search: &|search, rows| search.loose(chains, rows), ..within(loose) },
            ];
            self.workers.find(&tasks, Ask { filters: staying.filters, ..ask }, 0, out);
            if !all {
                self.still.name(out);
            }
            return;
        }
        self.bin_static(segments, split);
        self.workers.find(&[within(&self.fixed_set)], ask, 0, out);
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

    /// The touching pairs of which at least one moves, each once: first those of two that move, then those of one that moves and one that
    /// stays; to `out` from a place on, in place of all that stands there.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`] if that would be more than `limit`; there is nothing from that place on then.
    pub(crate) fn detect_moving(
        &mut self,
        segments: Segments<'_>,
        backend: Backend,
        split: Split,
        limit: usize,
        (out, from): (&mut Vec<SegmentSegmentContact>, usize),
    ) -> Result<(), Error> {
        if segments.moving.is_empty() {
            out.truncate(from);
            return Ok(());
        }
        self.bin_static(segments, split);
        self.moving_set.bin(segments, true, split);
        let budget = Budget::new(limit);
        let ask = Ask { filters: segments.filters, backend, split, budget: &budget };
        let tasks = [within(&self.moving_set), across(&self.moving_set, &self.fixed_set)];
        self.workers.find(&tasks, ask, from, out);
        if budget.is_spent() {
            out.truncate(from);
            return Err(Error::TooManyContacts { limit });
        }
        Ok(())
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.fixed.capacity() + self.moving.capacity();
        self.fixed_set.bytes()
            + self.moving_set.bytes()
            + self.chains.bytes()
            + self.still.bytes()
            + size_of::<SegmentSegmentContact>() * lists
            + self.workers.bytes()
    }
}

/// Of so many rows those that are shared: none where all of them are one piece of work.
fn shared(rows: usize) -> usize {
    if rows > PIECE as usize { rows } else { 0 }
}

/// All pairs within one set.
fn within(set: &SegmentSet) -> Task<'_> {
    let (rows, dear) = (set.len(), set.grid().levels().first().map_or(0, |finest| finest.rows.end));
    Task { from: set, to: set, apart: 0, rows, piece: PIECE, dear, search: &|search, rows| search.within(rows) }
}

/// All pairs of two sets.
fn across<'a>(from: &'a SegmentSet, to: &'a SegmentSet) -> Task<'a> {
    Task { to, dear: u32::MAX, search: &|search, rows| search.across(rows), ..within(from) }
}

#[cfg(test)]
mod tests {
    use super::super::PairKinds;
    use super::*;
    use crate::broad_phase::CellSize;
    use crate::parallel::Threads;
    use crate::storage::{Filters, NOT_EDITED};

    /// Crosses in a row, each apart from the next; where all has been found there is nothing to be shared among threads.
    #[test]
    fn nothing_is_shared_once_all_has_been_found() {
        let rows = 2 * PIECE + 100;
        let column = |at: fn(u32) -> f32| -> Vec<f32> { (0..rows).map(at).collect() };
        let [x0, x1] = [column(|k| (k / 2 * 4) as f32), column(|k| (k / 2 * 4 + 2) as f32)];
        let [y0, y1] = [column(|k| (k % 2 * 2) as f32), column(|k| (2 - k % 2 * 2) as f32)];
        let (radius, filters, edited) = (vec![0.0; rows as usize], Filters::default(), &NOT_EDITED);
        let all = |moving, version| {
            let [x0, y0, x1, y1] = [&x0, &y0, &x1, &y1].map(Vec::as_slice);
            Segments { x0, y0, x1, y1, radius: &radius, moving, version, filters, filter_version: 0, edited }
        };
        let options = Options {
            backend: Backend::Wide,
            threads: Threads::Fixed(1),
            cell_size: CellSize::Auto,
            pair_kinds: PairKinds::default(),
            contact_limit: 1 << 20,
        };
        let (mut pairs, mut out) = (SegmentPairs::default(), Contacts::default());
        assert_eq!(pairs.rows_to_share(all(&[], 1), |_| false), rows as usize);
        pairs.detect(all(&[], 1), &options, Split::SERIAL, &mut out).expect("few");
        assert_eq!(out.segment_segment.len(), rows as usize / 2);
        // With the caller; not with another one, until they are held here.
        let stands = |place| out.fixed == Some(place);
        assert_eq!(pairs.rows_to_share(all(&[], 1), stands), 0);
        assert_eq!(pairs.rows_to_share(all(&[], 1), |_| false), rows as usize);
        pairs.find(all(&[], 1), &options, Split::SERIAL).expect("few");
        assert_eq!(pairs.rows_to_share(all(&[], 1), |_| false), 0);
        // Of those that move a piece of work is not shared, and more is.
        let moving: Vec<u32> = (0..rows).collect();
        for (count, shared) in [(1, 0), (PIECE, 0), (PIECE + 1, PIECE as usize + 1)] {
            assert_eq!(pairs.rows_to_share(all(&moving[..count as usize], 1), |_| false), shared);
        }
    }
}
