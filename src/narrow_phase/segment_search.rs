//! One block of rows: their candidates, held against each other, as contacts.
//!
//! Comes in: a set of segments that look, a set that is looked at (the same one, or that of the segments that stay). Goes
//! out: contacts in the order of the rows that look; for each first those of its own level, then those of the others, finest level
//! first, in cell order. Pairs that filters refuse are dropped before they are looked at. This room does not know threads, nor
//! who asked.
//!
//! Candidates are kept in a list of fixed size that is settled whenever it is full, so memory is bounded by the contacts.

use super::SegmentSegmentContact;
use super::found::{Found, Places};
use super::segment_contacts::{Capsule, cross, push_contact, touch};
use super::segment_line::{clipped, meet};
use super::segment_looks::{Looked, looks};
use super::segment_set::{SegmentSet, is_short};
use super::segment_verdicts::Verdicts;
use crate::broad_phase::{STRIP, Strip, Window, Windows, walk, walk_folded};
use crate::kernels::line::Line;
use crate::kernels::segment_segment::{Bounds, Boxes, Verdict};
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, Pairs, dispatch};
use crate::storage::Filters;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many candidates, or a run's worth more, are settled together; small enough to stay in the nearest cache.
const SETTLE: usize = 1024;
/// The longest run that a kernel is given at once.
const RUN: u32 = 1024;

/// How many contacts there may be in one call, all blocks together.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// Room for so many.
    pub(crate) fn new(limit: usize) -> Budget {
        Budget { limit, used: AtomicUsize::new(0) }
    }

    /// Spends; whether that was too much is then known to all. In which order blocks spend does not matter: the sum alone
    /// decides, and a call that spends too much fails as a whole.
    pub(super) fn spend(&self, count: usize) {
        self.used.fetch_add(count, Ordering::Relaxed);
    }

    /// More was spent than there is.
    pub(crate) fn is_spent(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.limit
    }
}

/// Buffers of one search, reused.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(super) pairs: Pairs,
    pub(super) blocks: Pairs,
    verdicts: Verdicts,
    /// Row of cells, first and last column.
    cells: Vec<(i32, i32, i32)>,
    pub(super) runs: Vec<Range<u32>>,
}

impl Buffers {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.pairs.bytes() + self.blocks.bytes() + self.verdicts.bytes();
        lists + size_of::<(i32, i32, i32)>() * self.cells.capacity() + size_of::<Range<u32>>() * self.runs.capacity()
    }
}

/// Who looks, at whom, and what has been found.
pub(crate) struct Search<'a> {
    pub(crate) from: &'a SegmentSet,
    pub(crate) to: &'a SegmentSet,
    pub(crate) backend: Backend,
    pub(crate) set: InstructionSet,
    /// By the caller's rows.
    pub(crate) filters: Filters<'a>,
    pub(crate) budget: &'a Budget,
    pub(crate) buffers: &'a mut Buffers,
    pub(crate) out: &'a mut Vec<SegmentSegmentContact>,
    /// Pairs of which the caller's rows are less than this apart are not wanted.
    pub(crate) apart: u32,
    /// The budget is spent: what is found from here on is of no use.
    pub(crate) done: bool,
}

/// How a row and a level of the other set are to be held together.
enum Way {
    /// Not at all: their boxes are apart.
    Apart,
    /// All rows of the level.
    Level,
    /// By the runs in the buffer.
    Runs,
    /// By the cells in the buffer, which share keys.
    Folded,
    /// By the boxes of blocks.
    Blocks,
}

impl<'a> Search<'a> {
    /// All pairs within one set of which one of these rows is the coarser or, in one level, the earlier.
    pub(crate) fn within(&mut self, rows: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        self.buffers.pairs.clear();
        let levels = self.from.grid().levels();
        for (index, level) in levels.iter().enumerate() {
            let start = if level.rows.start > rows.start { level.rows.start } else { rows.start };
            let end = if level.rows.end < rows.end { level.rows.end } else { rows.end };
            if start < end {
                dispatch(backend, set, Within { search: self, index, rows: start..end });
            }
        }
        self.settle();
    }

    /// All pairs of one of these rows and the other set.
    pub(crate) fn across(&mut self, rows: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        self.buffers.pairs.clear();
        dispatch(backend, set, Across { search: self, rows });
        self.settle();
    }

    /// Rows of one level, against that level and all finer ones.
    #[inline(always)]
    fn level<K: Kernels, const TORUS: bool>(&mut self, index: usize, rows: Range<u32>) {
        let set: &'a SegmentSet = self.from;
        let boxes = set.boxes().view().even();
        let windows = set.grid().windows(&set.grid().levels()[index]);
        let (mut strip, mut found) = (Strip::EMPTY, Found::NONE);
        let mut at = rows.start;
        while at < rows.end && !self.done {
            let end = if rows.end - at > STRIP as u32 { at + STRIP as u32 } else { rows.end };
            let here = at as usize..end as usize;
            windows.strip::<TORUS>(at, &boxes.high_x[here.clone()], &boxes.high_y[here], &mut strip);
            let Looked { meet, mut long } = looks::<K>(&windows, &strip, boxes, at..end, &mut found);
            if index > 0 {
                long = u64::MAX >> (STRIP as u32 - (end - at));
            }
            let mut out = self.buffers.pairs.writer(2 * LANES * STRIP);
            for k in Places(meet | long) {
                let row = at + k as u32;
                found.emit::<K>(k, row, &mut out);
                if long >> k & 1 == 1 {
                    let written = out.len();
                    self.buffers.pairs.keep(written);
                    let wrapped = TORUS && windows.wraps(&strip, k);
                    self.more::<K>(boxes.row(row), windows.of(&strip, k, row), wrapped, index, &windows);
                    out = self.buffers.pairs.writer(2 * LANES * STRIP);
                }
            }
            let written = out.len();
            self.buffers.pairs.keep(written);
            self.settle_if_full();
            at = end;
        }
    }

    /// What is behind the first eight of a run, higher up, where a torus closes, and in finer levels.
    #[inline(always)]
    fn more<K: Kernels>(&mut self, query: Bounds, window: Window, wrapped: bool, index: usize, windows: &Windows<'_>) {
        let row = window.row();
        for step in 0..=window.rows_above() {
            let [mut run, rest] = windows.runs(window, step);
            // The first eight in its own row of cells and the next have been looked at, but where a torus closes.
            if step < 2 && !wrapped {
                run.start += LANES as u32;
            }
            self.hold::<K>(query, row, run);
            self.hold::<K>(query, row, rest);
        }
        for finer in 0..index {
            self.cross::<K>(query, row, finer);
        }
    }

    /// One box against a run of rows, in pieces that keep the list of candidates short.
    #[inline(always)]
    fn hold<K: Kernels>(&mut self, query: Bounds, row: u32, mut run: Range<u32>) {
        while run.start < run.end && !self.done {
            let end = if run.end - run.start > RUN { run.start + RUN } else { run.end };
            let mut out = self.buffers.pairs.writer((end - run.start) as usize);
            K::box_run(self.to.boxes().view().even(), query, row, run.start..end, &mut out);
            let written = out.len();
            self.buffers.pairs.keep(written);
            self.settle_if_full();
            run.start = end;
        }
    }

    /// One row against a level of the other set.
    #[inline(always)]
    fn cross<K: Kernels>(&mut self, query: Bounds, row: u32, index: usize) {
        let level = &self.to.grid().levels()[index];
        match if is_short(level) { Way::Level } else { self.way(query, row, index) } {
            Way::Apart => {}
            Way::Level => self.hold::<K>(query, row, level.rows.clone()),
            Way::Runs => {
                for at in 0..self.buffers.runs.len() {
                    let run = self.buffers.runs[at].clone();
                    self.hold::<K>(query, row, run);
                }
            }
            Way::Folded => {
                self.settle();
                for at in 0..self.buffers.cells.len() {
                    let (cy, first, last) = self.buffers.cells[at];
                    let [run, rest] = self.to.grid().interval(&self.to.grid().levels()[index], cy, first, last);
                    self.folded::<K>(query, row, index, (cy, first, last), run);
                    self.folded::<K>(query, row, index, (cy, first, last), rest);
                }
            }
            Way::Blocks => {
                let blocks = self.to.blocks_of(index);
                self.buffers.blocks.clear();
                let (ends, radius) = (self.from.ends()[row as usize], self.from.radius(row));
                let line = Line::new(ends, radius, self.to.level_box(index));
                self.pass_blocks::<K>(self.to.blocks().even(), query, &line, row, blocks);
                for at in 0..self.buffers.blocks.len() {
                    let block = self.buffers.blocks.rows().1[at];
                    self.hold::<K>(query, row, self.to.rows_of_block(index, block));
                }
            }
        }
    }

    /// One box against a run of those around blocks.
    #[inline(always)]
    pub(super) fn hold_blocks<K: Kernels>(&mut self, boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>) {
        let mut out = self.buffers.blocks.writer((run.end - run.start) as usize);
        K::box_run(boxes, query, row, run, &mut out);
        let written = out.len();
        self.buffers.blocks.keep(written);
    }

    /// A run of cells that share keys with others: what is found under a key but lies in another cell is dropped; its own cell is
    /// asked once, if at all.
    #[inline(always)]
    fn folded<K: Kernels>(
        &mut self,
        query: Bounds,
        row: u32,
        index: usize,
        cells: (i32, i32, i32),
        mut run: Range<u32>,
    ) {
        while run.start < run.end && !self.done {
            let end = if run.end - run.start > RUN { run.start + RUN } else { run.end };
            let mut out = self.buffers.pairs.writer((end - run.start) as usize);
            K::box_run(self.to.boxes().view().even(), query, row, run.start..end, &mut out);
            let written = out.len();
            let from = self.buffers.pairs.len();
            self.buffers.pairs.keep(written);
            if written > 0 {
                self.drop_strangers(from, index, cells);
                self.settle_if_full();
            }
            run.start = end;
        }
    }

    fn drop_strangers(&mut self, from: usize, index: usize, (cy, first, last): (i32, i32, i32)) {
        let to = self.to;
        let level = &to.grid().levels()[index];
        self.buffers.pairs.retain_from(from, |_, other| to.lies_in(level, other, cy, first, last));
    }

    /// How to hold a row against a level; fills the buffers that it takes.
    #[inline(never)]
    fn way(&mut self, query: Bounds, row: u32, index: usize) -> Way {
        if self.done || !meet(query, self.to.level_box(index)) {
            return Way::Apart;
        }
        let grid = self.to.grid();
        let level = &grid.levels()[index];
        let radius = self.from.radius(row);
        let [x0, y0, x1, y1] = self.from.ends()[row as usize];
        let ends = [[x0, y0], [x1, y1]];
        // A position is at most its own size and our radius before one of our points, and at most our radius behind it.
        let before = if radius > 0.0 { (level.size + radius).next_up() } else { level.size };
        let before = if before > f32::MAX { f32::MAX } else { before };
        // A walk of more rows of cells than this (some 40 ns each) costs more than a look at all boxes (some 5 ns each).
        let most_rows = 64 + (level.rows.end - level.rows.start) / 8;
        let Buffers { cells, runs, .. } = &mut *self.buffers;
        runs.clear();
        let by_runs = walk(&level.map, ends, before, radius, most_rows, |cy, first, last| {
            for run in grid.interval(level, cy, first, last) {
                if run.start < run.end {
                    runs.push(run);
                }
            }
        });
        if by_runs {
            return Way::Runs;
        }
        // Too long. What of it lies beyond the level's box does not matter.
        let Some((ends, error)) = clipped(ends, self.to.level_box(index), radius) else {
            return Way::Apart;
        };
        cells.clear();
        let keep = |cy, first, last| cells.push((cy, first, last));
        let (before, after) = (before + error, radius + error);
        if after.is_finite() && walk_folded(&level.map, ends, before.next_up(), after.next_up(), most_rows, keep) {
            Way::Folded
        } else {
            Way::Blocks
        }
    }

    #[inline(always)]
    pub(super) fn settle_if_full(&mut self) {
        if self.buffers.pairs.len() >= SETTLE {
            self.settle();
        }
    }

    /// Candidates to contacts, in their order.
    #[inline(never)]
    pub(super) fn settle(&mut self) {
        let Buffers { pairs, verdicts, .. } = &mut *self.buffers;
        self.done |= self.budget.is_spent();
        if self.done {
            pairs.clear();
            return;
        }
        let (from, to) = (self.from, self.to);
        let at = self.out.len();
        let filters = self.filters;
        if self.apart > 0 {
            let row = |set: &SegmentSet, row: u32| set.rows()[row as usize];
            pairs.retain_from(0, |i, j| row(from, i).abs_diff(row(to, j)) >= self.apart);
        }
        if !filters.are_left_out() {
            let of = |set: &SegmentSet, row: u32| filters.of(set.rows()[row as usize]);
            pairs.retain_from(0, |i, j| of(from, i).meets(of(to, j)));
        }
        let (a, b) = (from.ends(), to.ends());
        verdicts.judge([a, b], pairs, from.has_radii() || to.has_radii(), (self.backend, self.set));
        let (first, second) = pairs.rows();
        for (place, verdict, crossing) in verdicts.left() {
            let (i, j) = (first[place], second[place]);
            // Which of the two has the lower row is as good as random: chosen without a branch.
            let rows = [from.rows()[i as usize], to.rows()[j as usize]];
            let swap = usize::from(rows[0] > rows[1]);
            let names = [rows[swap], rows[1 - swap]];
            if verdict == Verdict::CROSS && crossing.sure {
                self.out.push(cross(names, crossing, swap == 1));
                continue;
            }
            let ends = [&a[i as usize], &b[j as usize]];
            if let Some(common) = verdict.ends() {
                self.out.push(touch(names, ends[0], common, swap == 1));
                continue;
            }
            let verdict = if swap == 1 { verdict.swapped() } else { verdict };
            let radii = [from.radius(i), to.radius(j)];
            let a = Capsule { ends: ends[swap], radius: radii[swap] };
            let b = Capsule { ends: ends[1 - swap], radius: radii[1 - swap] };
            push_contact(self.out, names, a, b, verdict);
        }
        pairs.clear();
        self.budget.spend(self.out.len() - at);
    }
}

struct Within<'s, 'a> {
    search: &'s mut Search<'a>,
    index: usize,
    rows: Range<u32>,
}

impl Operation for Within<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        if self.search.from.grid().levels()[self.index].map.is_torus() {
            self.search.level::<K, true>(self.index, self.rows);
        } else {
            self.search.level::<K, false>(self.index, self.rows);
        }
    }
}

struct Across<'s, 'a> {
    search: &'s mut Search<'a>,
    rows: Range<u32>,
}

impl Operation for Across<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Across { search, rows } = self;
        for row in rows {
            let query = search.from.boxes().view().row(row);
            for level in 0..search.to.grid().levels().len() {
                search.cross::<K>(query, row, level);
            }
            if search.done {
                return;
            }
        }
    }
}
