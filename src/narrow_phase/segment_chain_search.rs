//! The search among segments that come in chains: along the order, by blocks, and for loose ones.
//!
//! Comes in: chains (see [`super::segment_chains`]), rows or blocks of them. Goes out: contacts, in the order of the rows or blocks that
//! look. This room does not know threads, nor how blocks came to be.

use super::columns::Segments;
use super::found::{Found, Places};
use super::segment_chains::{Chains, NEAR};
use super::segment_contacts::{Capsule, push_contact};
use super::segment_line::meet;
use super::segment_looks::{Looked, looks};
use super::segment_search::Search;
use super::segment_set::is_short;
use super::{SegmentClass, SegmentSegmentContact};
use crate::broad_phase::{Level, STRIP, Strip, walk};
use crate::geometry::Vec2;
use crate::kernels::line::Line;
use crate::kernels::segment_segment::{Bounds, Boxes, Verdict};
use crate::kernels::{Kernels, LANES, Operation, Outlined, dispatch, pack};
use std::marker::PhantomData;
use std::ops::Range;

/// So many contacts, or pairs of blocks, are made before it is asked whether they are too many.
const FULL: usize = 1024;

impl Search<'_> {
    /// Each of these rows and the next one.
    pub(super) fn along(&mut self, segments: Segments<'_>, rows: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        dispatch(backend, set, Along { search: self, segments, rows });
    }

    /// Each of these rows and those from two to seven behind it.
    pub(super) fn ahead(&mut self, rows: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        self.buffers.pairs.clear();
        dispatch(backend, set, Ahead { search: self, rows });
        self.settle();
    }

    /// The rows of these blocks and of those that come after them in cell order.
    pub(super) fn blocks(&mut self, chains: &Chains, blocks: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        self.buffers.pairs.clear();
        self.buffers.blocks.clear();
        let Some(level) = chains.grid().1 else { return };
        dispatch(backend, set, Blocks { search: self, chains, level, blocks });
        self.settle();
    }

    /// These loose rows, and those of all blocks.
    pub(super) fn loose(&mut self, chains: &Chains, rows: Range<u32>) {
        let (backend, set) = (self.backend, self.set);
        self.buffers.pairs.clear();
        let Some(level) = chains.grid().1 else { return };
        dispatch(backend, set, Loose { search: self, chains, level, rows });
        self.settle();
    }

    /// Up to eight rows from `row` on, each with the next one.
    #[inline(always)]
    fn links(&mut self, row: u32, verdicts: &[Verdict]) {
        const JOINT: Verdict = Verdict::touch(true, false);
        let capsules = self.from.has_radii();
        let plain = !capsules && self.filters.are_left_out();
        if plain && *verdicts == [JOINT; LANES] {
            // As it is all along a chain: the end of one is the start of the next.
            let ends: &[[f32; 4]; LANES] = self.from.ends()[row as usize..][..LANES].try_into().expect("eight");
            let mut eight = [SegmentSegmentContact::default(); LANES];
            for (a, (contact, &[_, _, x, y])) in (row..).zip(eight.iter_mut().zip(ends)) {
                let point = Vec2 { x: x + 0.0, y: y + 0.0 }; // never -0
                let class = SegmentClass::Touch;
                *contact = SegmentSegmentContact { a, b: a + 1, class, point, t: 1.0, u: 0.0, to: point };
            }
            self.out.extend_from_slice(&eight);
            return;
        }
        for (a, &verdict) in (row..).zip(verdicts) {
            let b = a + 1;
            if (verdict == Verdict::APART && !capsules) || !self.filters.of(a).meets(self.filters.of(b)) {
                continue;
            }
            let boxes = self.from.boxes().view();
            if verdict.ends().is_none() && !meet(boxes.row(a), boxes.row(b)) {
                continue;
            }
            let capsule = |row: u32| Capsule { ends: &self.from.ends()[row as usize], radius: self.from.radius(row) };
            let (first, second) = (capsule(a), capsule(b));
            push_contact(self.out, [a, b], first, second, verdict);
        }
    }

    /// Pairs of rows of pairs of blocks.
    #[inline(always)]
    fn look_into<K: Kernels>(&mut self, chains: &Chains) {
        /// Pairs of blocks between two looks at how many pairs of rows have come of them.
        const FEW: usize = 16;
        let (rows, blocks, boxes) = (self.from.boxes().view().even(), chains.blocks(), chains.boxes().even());
        let (mut at, count) = (0, self.buffers.blocks.len());
        while at < count && !self.done {
            let end = if count - at > FEW { at + FEW } else { count };
            let buffers = &mut *self.buffers;
            let (first, second) = buffers.blocks.rows();
            let mut out = buffers.pairs.writer(FEW * LANES * LANES);
            for (&a, &b) in first[at..end].iter().zip(&second[at..end]) {
                let ([start, count], [other, others]) = (blocks[a as usize], blocks[b as usize]);
                // Of either those that meet the box around the other; the fewer look.
                let of_a = K::box_mask(rows, boxes.row(b), start, count);
                let of_b = K::box_mask(rows, boxes.row(a), other, others);
                let (mut left, first, met, other) = if of_b.count_ones() < of_a.count_ones() {
                    (of_b, other, of_a, start)
                } else {
                    (of_a, start, of_b, other)
                };
                while left != 0 {
                    let row = first + left.trailing_zeros();
                    left &= left - 1;
                    let mask = met & K::box_mask(rows, rows.row(row), other, LANES as u32) & far(row, other);
                    out.emit([row; LANES], pack(mask, other), mask.count_ones());
                }
            }
            let written = out.len();
            buffers.pairs.keep(written);
            self.settle_if_full();
            at = end;
        }
        self.buffers.blocks.clear();
    }

    /// The same once they are many.
    #[inline(always)]
    fn look_into_if_full<K: Kernels>(&mut self, chains: &Chains) {
        if self.buffers.blocks.len() >= FULL {
            K::outline(LookInto(self, chains, PhantomData::<K>));
        }
    }

    /// Of a run of boxes around blocks those that meet the box of a row, and that its line may meet.
    #[inline(always)]
    pub(super) fn pass_blocks<K: Kernels>(
        &mut self,
        boxes: Boxes<'_>,
        query: Bounds,
        line: &Line,
        row: u32,
        run: Range<u32>,
    ) {
        let mut out = self.buffers.blocks.writer((run.end - run.start) as usize);
        let mut at = run.start;
        while at < run.end {
            let mask = K::line_mask(boxes, query, line, at, run.end - at);
            out.emit([row; LANES], pack(mask, at), mask.count_ones());
            at += LANES as u32;
        }
        let written = out.len();
        self.buffers.blocks.keep(written);
    }

    /// Which runs of blocks a loose row has to be held against.
    #[inline(never)]
    fn runs_of(&mut self, chains: &Chains, level: &Level, row: u32) {
        let runs = &mut self.buffers.runs;
        runs.clear();
        if !meet(self.from.boxes().view().row(row), chains.around()) {
            return;
        }
        if is_short(level) {
            runs.push(level.rows.clone());
            return;
        }
        let radius = self.from.radius(row);
        let [x0, y0, x1, y1] = self.from.ends()[row as usize];
        // The corner of a block is at most its size and our radius before one of our points, and at most our radius behind it.
        let before = if radius > 0.0 { (level.size + radius).next_up() } else { level.size };
        let before = if before > f32::MAX { f32::MAX } else { before };
        let most_rows = 16 + chains.count() / 64;
        let found = walk(&level.map, [[x0, y0], [x1, y1]], before, radius, most_rows, |cy, first, last| {
            for run in chains.grid().0.interval(level, cy, first, last) {
                if run.start < run.end {
                    runs.push(run);
                }
            }
        });
        if !found {
            // Too long for the grid: all of them, a look at eight each.
            runs.clear();
            runs.push(0..chains.count());
        }
    }
}

/// Bit k: row `start + k` is [`NEAR`] rows or more from `row`, which is none of those.
#[inline(always)]
fn far(row: u32, start: u32) -> u32 {
    // Bit k of this, counted from where `start` is: that it lies so far from `row`, which is at bit 16.
    const FAR: u64 = !(((1 << (2 * NEAR - 1)) - 1) << (16 + 1 - NEAR));
    let at = start.wrapping_sub(row).wrapping_add(16);
    (FAR >> if at < 32 { at } else { 32 }) as u32
}

struct Along<'s, 'b, 'a> {
    search: &'s mut Search<'b>,
    segments: Segments<'a>,
    rows: Range<u32>,
}

impl Operation for Along<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Along { search, segments: Segments { x0, y0, x1, y1, .. }, rows } = self;
        let n = search.from.len();
        let (mut row, mut from) = (rows.start, search.out.len());
        while row < rows.end && row + 1 < n {
            let at = row as usize;
            let links = if n - 1 - row < NEAR { n - 1 - row } else { NEAR };
            let links = if rows.end - row < links { rows.end - row } else { links };
            let verdicts = if at + LANES < x0.len() {
                let end = at + LANES + 1;
                let [x0, y0, x1, y1] = [&x0[at..end], &y0[at..end], &x1[at..end], &y1[at..end]];
                K::chain_verdicts([x0, y0, x1, y1].map(|column| column.try_into().expect("nine")))
            } else {
                let mut rest = [[0.0; LANES + 1]; 4];
                for (rest, column) in rest.iter_mut().zip([x0, y0, x1, y1]) {
                    rest[..column.len() - at].copy_from_slice(&column[at..]);
                }
                K::chain_verdicts(rest.each_ref())
            };
            search.links(row, &verdicts[..links as usize]);
            row += links;
            if search.out.len() - from >= FULL {
                search.budget.spend(search.out.len() - from);
                from = search.out.len();
                if search.budget.is_spent() {
                    return;
                }
            }
        }
        search.budget.spend(search.out.len() - from);
    }
}

struct Ahead<'s, 'b> {
    search: &'s mut Search<'b>,
    rows: Range<u32>,
}

impl Operation for Ahead<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Ahead { search, rows } = self;
        let boxes = search.from.boxes().view().even();
        let mut at = rows.start;
        while at < rows.end && !search.done {
            let here = if rows.end - at < NEAR { rows.end - at } else { NEAR };
            let mut left = K::ahead_mask(boxes, at) & ((1 << here) - 1);
            while left != 0 {
                let row = at + left.trailing_zeros();
                left &= left - 1;
                let mask = K::box_mask(boxes, boxes.row(row), row + 2, NEAR - 2);
                let mut out = search.buffers.pairs.writer(LANES);
                out.emit([row; LANES], pack(mask, row + 2), mask.count_ones());
                let written = out.len();
                search.buffers.pairs.keep(written);
            }
            search.settle_if_full();
            at += here;
        }
    }
}

struct Blocks<'s, 'b, 'a> {
    search: &'s mut Search<'b>,
    chains: &'a Chains,
    level: &'a Level,
    blocks: Range<u32>,
}

impl Operation for Blocks<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Blocks { search, chains, level, blocks } = self;
        let (windows, boxes) = (chains.grid().0.windows(level), chains.boxes().even());
        let (mut strip, mut found, mut at) = (Strip::EMPTY, Found::NONE, blocks.start);
        while at < blocks.end {
            let end = if blocks.end - at > STRIP as u32 { at + STRIP as u32 } else { blocks.end };
            let here = at as usize..end as usize;
            windows.strip::<true>(at, &boxes.high_x[here.clone()], &boxes.high_y[here], &mut strip);
            let Looked { meet, long } = looks::<K>(&windows, &strip, boxes, at..end, &mut found);
            let mut out = search.buffers.blocks.writer(2 * LANES * STRIP);
            for k in Places(meet | long) {
                let block = at + k as u32;
                found.emit::<K>(k, block, &mut out);
                if long >> k & 1 == 0 {
                    continue;
                }
                let written = out.len();
                search.buffers.blocks.keep(written);
                let (query, window) = (boxes.row(block), windows.of(&strip, k, block));
                for step in 0..=window.rows_above() {
                    for mut run in windows.runs(window, step) {
                        // The first eight in its own row of cells and the next have been looked at, but where a torus closes.
                        if step < 2 && !windows.wraps(&strip, k) {
                            run.start += LANES as u32;
                        }
                        if run.start < run.end {
                            search.hold_blocks::<K>(boxes, query, block, run);
                        }
                    }
                }
                search.look_into_if_full::<K>(chains);
                out = search.buffers.blocks.writer(2 * LANES * STRIP);
            }
            let written = out.len();
            search.buffers.blocks.keep(written);
            search.look_into_if_full::<K>(chains);
            if search.done {
                return;
            }
            at = end;
        }
        K::outline(LookInto(search, chains, PhantomData::<K>));
    }
}

/// Pairs of rows of pairs of blocks, from several places.
struct LookInto<'s, 'b, 'a, K>(&'s mut Search<'b>, &'a Chains, PhantomData<K>);

impl<K: Kernels> Outlined for LookInto<'_, '_, '_, K> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.look_into::<K>(self.1);
    }
}

struct Loose<'s, 'b, 'a> {
    search: &'s mut Search<'b>,
    chains: &'a Chains,
    level: &'a Level,
    rows: Range<u32>,
}

impl Operation for Loose<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Loose { search, chains, level, rows } = self;
        let (boxes, blocks) = (search.to.boxes().view().even(), chains.boxes().even());
        for row in rows {
            let query = search.from.boxes().view().row(row);
            search.runs_of(chains, level, row);
            let (ends, radius) = (search.from.ends()[row as usize], search.from.radius(row));
            let line = Line::new(ends, radius, chains.around());
            for at in 0..search.buffers.runs.len() {
                let run = search.buffers.runs[at].clone();
                search.buffers.blocks.clear();
                search.pass_blocks::<K>(blocks, query, &line, row, run);
                for k in 0..search.buffers.blocks.len() {
                    let [start, count] = chains.blocks()[search.buffers.blocks.rows().1[k] as usize];
                    let mask = K::line_mask(boxes, query, &line, start, count);
                    let mut out = search.buffers.pairs.writer(LANES);
                    out.emit([row; LANES], pack(mask, start), mask.count_ones());
                    let written = out.len();
                    search.buffers.pairs.keep(written);
                    search.settle_if_full();
                }
            }
            search.buffers.blocks.clear();
            if search.done {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_rows_that_are_far_enough() {
        for start in 0..64 {
            for row in (0..64u32).filter(|row| !(start..start + LANES as u32).contains(row)) {
                for k in 0..LANES as u32 {
                    assert_eq!(far(row, start) >> k & 1 == 1, row.abs_diff(start + k) >= NEAR, "{row} {start} {k}");
                }
            }
        }
        assert_eq!((far(1 << 31, 0) & 0xFF, far(0, 1 << 31) & 0xFF), (0xFF, 0xFF));
    }
}
