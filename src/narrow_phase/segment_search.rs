//! One block of rows: their candidates, held against each other, as contacts.
//!
//! Comes in: a set of segments that look, a set that is looked at (the same one, or that of the segments that stay). Goes
//! out: contacts in the order of the rows that look; for each first those of its own level, then those of the others, finest level
//! first, in cell order. This room does not know threads, nor who asked.
//!
//! Candidates are kept in a list of fixed size that is settled whenever it is full, so memory is bounded by the contacts.

use super::SegmentSegmentContact;
use super::segment_contacts::{Capsule, contact};
use super::segment_set::SegmentSet;
use crate::broad_phase::{walk, walk_folded};
use crate::kernels::Pairs;
use crate::kernels::segment_segment::{Bounds, SegmentKernels, Verdict};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Candidates that are settled together.
const SETTLE: usize = 4096;
/// The longest run that a kernel is given at once.
const RUN: u32 = 4096;

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
    fn spend(&self, count: usize) {
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
    pairs: Pairs,
    blocks: Pairs,
    verdicts: Vec<Verdict>,
    /// Row of cells, first and last column.
    cells: Vec<(i32, i32, i32)>,
}

impl Buffers {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.pairs.bytes() + self.blocks.bytes() + self.verdicts.capacity() + 12 * self.cells.capacity()
    }
}

/// See the head of the module.
pub(crate) struct Search<'a, K> {
    from: &'a SegmentSet,
    to: &'a SegmentSet,
    budget: &'a Budget,
    buffers: &'a mut Buffers,
    out: &'a mut Vec<SegmentSegmentContact>,
    /// The budget is spent: what is found from here on is of no use.
    done: bool,
    text: PhantomData<K>,
}

impl<'a, K: SegmentKernels> Search<'a, K> {
    pub(crate) fn new(
        from: &'a SegmentSet,
        to: &'a SegmentSet,
        budget: &'a Budget,
        buffers: &'a mut Buffers,
        out: &'a mut Vec<SegmentSegmentContact>,
    ) -> Search<'a, K> {
        buffers.pairs.clear();
        Search { from, to, budget, buffers, out, done: false, text: PhantomData }
    }

    /// All pairs within one set of which one of these rows is the coarser or, in one level, the earlier.
    pub(crate) fn within(mut self, rows: Range<u32>) {
        let set = self.from;
        for (index, level) in set.grid().levels().iter().enumerate() {
            let start = if level.rows.start > rows.start { level.rows.start } else { rows.start };
            let end = if level.rows.end < rows.end { level.rows.end } else { rows.end };
            for row in start..end {
                if self.done {
                    return;
                }
                let query = set.boxes().row(row);
                let runs = set.grid().runs(level, row);
                self.hold(query, row, runs.own);
                self.hold(query, row, runs.above);
                if !runs.rest.is_empty() {
                    self.hold(query, row, runs.rest);
                }
                for finer in 0..index {
                    self.cross_level(query, row, finer);
                }
                self.settle_if_full();
            }
        }
        self.settle();
    }

    /// All pairs of one of these rows and the other set.
    pub(crate) fn across(mut self, rows: Range<u32>) {
        for row in rows {
            if self.done {
                return;
            }
            let query = self.from.boxes().row(row);
            for level in 0..self.to.grid().levels().len() {
                self.cross_level(query, row, level);
            }
            self.settle_if_full();
        }
        self.settle();
    }

    /// One box against a run of rows, in pieces that keep the list of candidates short.
    #[inline(always)]
    fn hold(&mut self, query: Bounds, row: u32, run: Range<u32>) {
        if run.end.saturating_sub(run.start) <= RUN {
            K::boxes(self.to.boxes().view(), query, run, row, &mut self.buffers.pairs);
        } else {
            self.hold_long(query, row, run);
        }
    }

    #[cold]
    #[inline(never)]
    fn hold_long(&mut self, query: Bounds, row: u32, run: Range<u32>) {
        for start in run.clone().step_by(RUN as usize) {
            let end = if run.end - start < RUN { run.end } else { start + RUN };
            K::boxes(self.to.boxes().view(), query, start..end, row, &mut self.buffers.pairs);
            self.settle_if_full();
            if self.done {
                return;
            }
        }
    }

    /// One row against a level of the other set: by the cells that it goes through.
    #[inline(never)]
    fn cross_level(&mut self, query: Bounds, row: u32, index: usize) {
        if !meet(query, self.to.level_box(index)) || self.done {
            return;
        }
        let level = &self.to.grid().levels()[index];
        let radius = self.from.radius(row);
        let [x0, y0, x1, y1] = self.from.ends()[row as usize];
        let ends = [[x0, y0], [x1, y1]];
        // A position is at most its own size and our radius before one of our points, and at most our radius behind it. The
        // sum is rounded by less than the walk's own margin, a share of a cell, where the radius is not beyond all cells;
        // and there next_up covers it.
        let before = if radius > 0.0 { (level.size + radius).next_up() } else { level.size };
        let before = if before > f32::MAX { f32::MAX } else { before };
        // A walk of more rows than this costs more than a look at all blocks.
        let most_rows = 64 + (level.rows.end - level.rows.start) / 32;
        let mut cells = std::mem::take(&mut self.buffers.cells);
        cells.clear();
        if walk(&level.map, ends, before, radius, most_rows, |cy, first, last| cells.push((cy, first, last))) {
            for &(cy, first, last) in &cells {
                let [run, rest] = self.to.grid().interval(level, cy, first, last);
                self.hold(query, row, run);
                if !rest.is_empty() {
                    self.hold(query, row, rest);
                }
            }
        } else {
            cells.clear();
            let keep = |cy, first, last| cells.push((cy, first, last));
            if walk_folded(&level.map, ends, before, radius, most_rows, keep) {
                self.folded(query, row, index, &cells);
            } else {
                self.by_blocks(query, row, index);
            }
        }
        self.buffers.cells = cells;
    }

    /// Cells of a walk that is longer than the torus: what is found under a key but lies in another cell is dropped; its own
    /// cell is told of once, if at all.
    #[cold]
    #[inline(never)]
    fn folded(&mut self, query: Bounds, row: u32, index: usize, cells: &[(i32, i32, i32)]) {
        let to = self.to;
        let level = &to.grid().levels()[index];
        self.settle();
        for &(cy, first, last) in cells {
            for run in to.grid().interval(level, cy, first, last) {
                for start in run.clone().step_by(RUN as usize) {
                    let end = if run.end - start < RUN { run.end } else { start + RUN };
                    K::boxes(to.boxes().view(), query, start..end, row, &mut self.buffers.pairs);
                    self.buffers.pairs.retain(|_, other| to.lies_in(level, other, cy, first, last));
                    self.settle();
                }
            }
        }
    }

    /// All rows of a level, by the boxes of blocks and then by those of rows.
    #[cold]
    #[inline(never)]
    fn by_blocks(&mut self, query: Bounds, row: u32, index: usize) {
        let to = self.to;
        let mut blocks = std::mem::take(&mut self.buffers.blocks);
        blocks.clear();
        K::boxes(to.blocks().view(), query, to.blocks_of(index), row, &mut blocks);
        let line = Line::new(self.from.ends()[row as usize], self.from.radius(row));
        for &block in blocks.rows().1 {
            if line.may_meet(to.blocks().row(block)) {
                self.hold(query, row, to.rows_of_block(index, block));
                self.settle_if_full();
            }
        }
        self.buffers.blocks = blocks;
    }

    #[inline(always)]
    fn settle_if_full(&mut self) {
        if self.buffers.pairs.len() >= SETTLE {
            self.settle();
        }
    }

    /// Candidates to contacts, in their order.
    #[inline(never)]
    fn settle(&mut self) {
        let Buffers { pairs, verdicts, .. } = &mut *self.buffers;
        self.done |= self.budget.is_spent();
        if self.done {
            pairs.clear();
            return;
        }
        let at = self.out.len();
        K::confirm(self.from.ends(), self.to.ends(), pairs, verdicts);
        let (first, second) = pairs.rows();
        for ((&i, &j), &verdict) in first.iter().zip(second).zip(&*verdicts) {
            let a = Capsule { ends: self.from.ends()[i as usize], radius: self.from.radius(i) };
            let b = Capsule { ends: self.to.ends()[j as usize], radius: self.to.radius(j) };
            let (row_a, row_b) = (self.from.rows()[i as usize], self.to.rows()[j as usize]);
            let found = if row_a < row_b {
                contact(a, b, verdict).map(|c| SegmentSegmentContact { a: row_a, b: row_b, ..c })
            } else {
                contact(b, a, verdict.swapped()).map(|c| SegmentSegmentContact { a: row_b, b: row_a, ..c })
            };
            self.out.extend(found);
        }
        pairs.clear();
        self.budget.spend(self.out.len() - at);
    }
}

fn meet(a: Bounds, b: Bounds) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The line of a segment, to tell boxes that it passes by.
struct Line {
    x: f64,
    y: f64,
    dx: f64,
    dy: f64,
    radius: f64,
}

impl Line {
    fn new(ends: [f32; 4], radius: f32) -> Line {
        let [x0, y0, x1, y1] = ends.map(f64::from);
        Line { x: x0, y: y0, dx: x1 - x0, dy: y1 - y0, radius: f64::from(radius) }
    }

    /// False: no point of the box is within the radius of the line. The box is on one side of it if its middle is further off than
    /// its half extent reaches; rounding, some 2^-50 of the terms, is covered by a share of 2^-40.
    fn may_meet(&self, [low_x, low_y, high_x, high_y]: Bounds) -> bool {
        let (low_x, low_y, high_x, high_y) = (low_x as f64, low_y as f64, high_x as f64, high_y as f64);
        let (mx, my) = ((low_x + high_x) * 0.5 - self.x, (low_y + high_y) * 0.5 - self.y);
        let (hx, hy) = ((high_x - low_x) * 0.5 + self.radius, (high_y - low_y) * 0.5 + self.radius);
        let (left, right) = (self.dx * my, self.dy * mx);
        let reach = self.dx.abs() * hy + self.dy.abs() * hx;
        let size = left.abs() + right.abs() + reach;
        (left - right).abs() <= reach + size * (1.0 / (1u64 << 40) as f64)
    }
}
