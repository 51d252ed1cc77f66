//! How one block finds its pairs.
//!
//! Comes in: a block's task, the scene. Goes out: the block's list of candidate pairs that may meet, counted against the limit on
//! the way so that memory stays bounded by it. This room does not know of other blocks. Everything that reaches a kernel is
//! inlined into one function for each instruction set.

use super::blocks::{Block, Scene, SceneWalls, Task};
use super::found::{Found, Places};
use crate::broad_phase::{Level, LevelCells, Runs, STRIP};
use crate::geometry::{self, Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Operation, Probe, Wall};
use crate::storage::{Filter, Filters};
use std::ops::{Range, RangeInclusive};

/// So many pairs are listed before they are counted against the limit.
const UNCOUNTED: usize = 1 << 16;

/// Where more rows of a strip than these have candidates, all are written, one after the other: for others that is no pair.
const MANY_ROWS: u32 = 44;

/// Masks of eight circles each, by the segment's row and the first circle's.
struct FoundByWalls {
    masks: [(u32, u32, u32); STRIP],
    len: usize,
}

impl Default for FoundByWalls {
    fn default() -> FoundByWalls {
        FoundByWalls { masks: [(0, 0, 0); STRIP], len: 0 }
    }
}

/// What some rows have to look at behind the first eight of a run, and where a torus closes: row, start and end.
struct Behind {
    runs: [(u32, u32, u32); MOST_BEHIND],
    len: usize,
}

const MOST_BEHIND: usize = 2 * STRIP;

impl Default for Behind {
    fn default() -> Behind {
        Behind { runs: [(0, 0, 0); MOST_BEHIND], len: 0 }
    }
}

impl Behind {
    /// For another row.
    #[inline(always)]
    fn has_no_room(&self) -> bool {
        self.len + 3 > MOST_BEHIND
    }

    /// Which of its runs has any cannot be told before: they are kept without a branch.
    #[inline(always)]
    fn take(&mut self, row: u32, Runs { own, above, rest }: Runs) {
        for (start, end) in
            [(own.start + LANES as u32, own.end), (above.start + LANES as u32, above.end), (rest.start, rest.end)]
        {
            self.runs[self.len % MOST_BEHIND] = (row, start, end);
            self.len += usize::from(start < end);
        }
    }
}

/// One block lists its pairs.
pub(super) struct Find<'a, 'b> {
    pub(super) block: &'a mut Block,
    pub(super) scene: &'a Scene<'b>,
}

impl Operation for Find<'_, '_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Find { block, scene } = self;
        if !block.begin(scene) {
            return;
        }
        match block.task.clone() {
            Task::Circles { level, rows } => {
                if scene.grid.levels()[level as usize].map.is_torus() {
                    block.circles::<K, true>(scene, level as usize, rows);
                } else {
                    block.circles::<K, false>(scene, level as usize, rows);
                }
            }
            Task::Intervals { set, range } => block.intervals::<K>(scene, set, range),
            Task::Long { set, range } => block.long::<K>(scene, set, range),
        }
        block.filter(scene);
    }
}

impl Block {
    /// Forgets what it has found; false if there is no point in looking.
    #[inline(always)]
    pub(super) fn begin(&mut self, scene: &Scene<'_>) -> bool {
        self.pairs.clear();
        (self.filtered, self.counted) = (0, 0);
        self.full = scene.limit.is_exceeded();
        !self.full
    }

    #[inline(always)]
    fn circles<K: Kernels, const TORUS: bool>(&mut self, scene: &Scene<'_>, index: usize, rows: Range<u32>) {
        let (grid, circles) = (scene.grid, scene.circles.even());
        let level = &grid.levels()[index];
        let cells = grid.cells(level);
        let grow = Probe::grow(level.size);
        // Made once: what a strip does not write over is not read.
        let (mut found, mut behind) = (Found::NONE, Behind::default());
        let mut at = rows.start;
        while at < rows.end {
            let end = if rows.end - at > STRIP as u32 { at + STRIP as u32 } else { rows.end };
            // Two loops: masks first, then pairs. Together they would be one chain of waits a row, from table to columns to
            // mask to packed rows, of which the machine can hold only two or three in flight.
            let long = if TORUS && cells.close_by(end - 1) {
                found_by::<K, true>(&cells, circles, grow, at..end, &mut found)
            } else {
                found_by::<K, false>(&cells, circles, grow, at..end, &mut found)
            };
            // The first row is the lowest bit.
            let spare = STRIP as u32 - (end - at);
            let there = present(scene.filters[0], at..end);
            let long = if index > 0 { u64::MAX } else { long.reverse_bits() } >> spare & there;
            let mut out = self.pairs.writer(2 * LANES * STRIP);
            let mut some = found.some() & u64::MAX >> spare & there;
            if some.count_ones() > MANY_ROWS {
                for ((row, start), masks) in (at..end).zip(found.starts).zip(found.masks) {
                    K::Packing::emit_both(&mut out, row, [row + 1, start], [masks & 0xFF, masks >> LANES]);
                }
            } else {
                while some != 0 {
                    let k = some.trailing_zeros();
                    let (row, start) = (at + k, found.starts[k as usize % STRIP]);
                    let masks = found.masks[k as usize % STRIP];
                    K::Packing::emit_both(&mut out, row, [row + 1, start], [masks & 0xFF, masks >> LANES]);
                    some &= some - 1;
                }
            }
            let written = out.len();
            self.pairs.keep(written);
            for k in Places(long) {
                let row = at + k as u32;
                behind.take(row, cells.runs::<TORUS>(row));
                if index > 0 || behind.has_no_room() {
                    self.runs_behind::<K>(scene, grow, &mut behind);
                    self.finer_circles::<K>(scene, index, row);
                }
            }
            self.runs_behind::<K>(scene, grow, &mut behind);
            if self.is_full(scene) {
                return;
            }
            at = end;
        }
    }

    /// Runs that rows of a strip have besides.
    #[inline(always)]
    fn runs_behind<K: Kernels>(&mut self, scene: &Scene<'_>, grow: f32, behind: &mut Behind) {
        let Circles { x, y, radius } = scene.circles;
        for &(row, start, end) in &behind.runs[..behind.len] {
            let i = row as usize;
            let probe = Probe { x: x[i], y: y[i], reach: radius[i] + grow };
            self.circle_run::<K>(scene, probe, row, start..end);
        }
        behind.len = 0;
    }

    /// One row, and what it may meet in finer levels.
    #[inline(always)]
    fn finer_circles<K: Kernels>(&mut self, scene: &Scene<'_>, index: usize, row: u32) {
        let (grid, circles) = (scene.grid, scene.circles);
        let i = row as usize;
        let (x, y, radius) = (circles.x[i], circles.y[i], circles.radius[i]);
        let probe = Probe { x, y, reach: radius + Probe::grow(grid.levels()[index].size) };
        for (k, finer) in grid.levels()[..index].iter().enumerate() {
            if !finer.may_touch([x, y], radius) {
                continue;
            }
            let reach = (radius + finer.size).next_up();
            if scene.finer.get(k).is_some_and(|level| level.is_empty_about([[x, y]; 2], reach)) {
                continue;
            }
            let area = Area::around(finer, [x, y], radius);
            for cells in area.rows {
                for run in grid.interval(finer, cells, area.first, area.last) {
                    self.circle_run::<K>(scene, probe, row, run);
                }
            }
            if area.everywhere {
                self.circle_run::<K>(scene, probe, row, finer.rows.clone());
            }
        }
    }

    /// A run of any length, in pieces between which pairs are counted.
    #[inline(always)]
    fn circle_run<K: Kernels>(&mut self, scene: &Scene<'_>, probe: Probe, row: u32, mut run: Range<u32>) {
        while run.start < run.end {
            let end = piece_end(&run);
            let mut out = self.pairs.writer((end - run.start) as usize);
            K::circle_run(scene.circles, probe, row, run.start..end, &mut out);
            let written = out.len();
            self.pairs.keep(written);
            if self.is_full(scene) {
                return;
            }
            run.start = end;
        }
    }

    #[inline(always)]
    fn intervals<K: Kernels>(&mut self, scene: &Scene<'_>, set: usize, range: Range<u32>) {
        let SceneWalls { walls, lanes, .. } = scene.walls[set];
        let (circles, starts) = (scene.circles.even(), scene.grid.starts());
        let levels = scene.grid.levels();
        let mut found = FoundByWalls::default();
        for interval in &walls.intervals()[range.start as usize..range.end as usize] {
            let run = starts[interval.first as usize]..starts[interval.last as usize];
            let wall = &lanes[interval.wall as usize];
            let reach = wall.reach(levels[interval.level as usize].size);
            self.wall_run::<K>(scene, circles, (wall, reach, interval.wall), run, &mut found);
            if self.full {
                return;
            }
        }
        self.write_found::<K>(scene, &mut found);
    }

    #[inline(always)]
    pub(super) fn long<K: Kernels>(&mut self, scene: &Scene<'_>, set: usize, range: Range<u32>) {
        let SceneWalls { walls, lanes, shapes } = scene.walls[set];
        let circles = scene.circles.even();
        let mut found = FoundByWalls::default();
        for long in &walls.long()[range.start as usize..range.end as usize] {
            let level = &scene.grid.levels()[long.level as usize];
            let wall = &lanes[long.wall as usize];
            let reach = wall.reach(level.size);
            let (ends, radius) = (shapes.ends(long.wall as usize), shapes.radius[long.wall as usize]);
            scene.boxes[long.level as usize].near((scene.grid, level), ends, radius, &mut self.near);
            for near in 0..self.near.len() {
                let run = self.near[near].clone();
                self.wall_run::<K>(scene, circles, (wall, reach, long.wall), run, &mut found);
            }
            if self.full {
                return;
            }
        }
        self.write_found::<K>(scene, &mut found);
    }

    /// Eight circles of a run at a time: masks, and the pairs of many of them at once.
    #[inline(always)]
    fn wall_run<K: Kernels>(
        &mut self,
        scene: &Scene<'_>,
        circles: Circles<'_>,
        (wall, reach, place): (&Wall, f32, u32),
        run: Range<u32>,
        found: &mut FoundByWalls,
    ) {
        let mut at = run.start;
        while at < run.end {
            let mask = K::wall_mask(circles, wall, reach, at, run.end - at);
            // Most have no candidate, and which do cannot be told before: they are left out without a branch.
            found.masks[found.len % STRIP] = (place, at, mask);
            found.len += usize::from(mask != 0);
            if found.len == STRIP {
                self.write_found::<K>(scene, found);
                if self.full {
                    return;
                }
            }
            at += LANES as u32;
        }
    }

    /// The pairs of the masks found so far.
    #[inline(always)]
    fn write_found<K: Kernels>(&mut self, scene: &Scene<'_>, found: &mut FoundByWalls) {
        // Of long walls most have none, and a list that had room once keeps it.
        if found.len == 0 {
            return;
        }
        let mut out = self.pairs.writer(LANES * STRIP);
        for &(place, at, mask) in &found.masks[..found.len] {
            out.emit(K::Packing::pack(mask, at), [place; LANES], mask.count_ones());
        }
        let written = out.len();
        self.pairs.keep(written);
        found.len = 0;
        self.is_full(scene);
    }

    /// Counts pairs against the limit, so that memory stays bounded by it; true if there is no point in going on.
    #[inline(always)]
    pub(super) fn is_full(&mut self, scene: &Scene<'_>) -> bool {
        self.full || (self.pairs.len() - self.counted >= UNCOUNTED && self.count(scene))
    }

    /// Drops the pairs that filters refuse; nothing where nobody has one.
    pub(super) fn filter(&mut self, scene: &Scene<'_>) {
        let [circles, segments] = scene.filters;
        let of_circles = matches!(self.task, Task::Circles { .. });
        if circles.are_left_out() && (of_circles || segments.are_left_out()) {
            return;
        }
        if of_circles {
            self.pairs.retain_from(self.filtered, |a, b| circles.of(a).meets(circles.of(b)));
        } else {
            let rows = scene.walls_of(&self.task).walls.rows();
            self.pairs.retain_from(self.filtered, |a, b| circles.of(a).meets(segments.of(rows[b as usize])));
        }
        self.filtered = self.pairs.len();
    }

    #[cold]
    pub(super) fn count(&mut self, scene: &Scene<'_>) -> bool {
        self.filter(scene);
        let from = self.counted;
        match self.task {
            Task::Circles { .. } => {
                let (circles, margin) = scene.exact();
                self.pairs
                    .retain_from(from, |a, b| geometry::circles_within(circle(circles, a), circle(circles, b), margin));
            }
            _ => {
                let shapes = scene.walls_of(&self.task).shapes;
                self.pairs.retain_from(from, |a, b| {
                    geometry::circle_touches_segment(circle(scene.circles, a), capsule(shapes, b))
                });
            }
        }
        scene.limit.add(self.pairs.len() - from);
        (self.filtered, self.counted) = (self.pairs.len(), self.pairs.len());
        self.full = scene.limit.is_exceeded();
        self.full
    }
}

/// Bits of the rows of a strip that may meet anybody, the first row lowest: who takes no part may be parked with many others in one place.
#[inline(always)]
fn present(filters: Filters<'_>, rows: Range<u32>) -> u64 {
    if filters.are_left_out() { u64::MAX } else { present_by(filters, rows) }
}

#[inline(never)]
fn present_by(filters: Filters<'_>, rows: Range<u32>) -> u64 {
    let mut bits = 0;
    for (k, row) in rows.enumerate() {
        let Filter { category, mask } = filters.of(row);
        bits |= u64::from(category != 0 && mask != 0) << k;
    }
    bits
}

/// The masks of the rows of a strip, and bits of those that have more to look at, the last row lowest. A torus may close within their runs or not.
#[inline(always)]
fn found_by<K: Kernels, const CLOSES: bool>(
    cells: &LevelCells<'_>,
    circles: Circles<'_>,
    grow: f32,
    rows: Range<u32>,
    found: &mut Found,
) -> u64 {
    let mut long = 0u64;
    let of_rows = rows.clone().zip(cells.keys(rows)).zip(&mut found.starts).zip(&mut found.masks);
    for (((row, &key), start), masks) in of_rows {
        let runs = cells.runs_of::<CLOSES>(row, key);
        let counts = runs.counts();
        *start = runs.above.start;
        *masks = K::circle_masks(circles, grow, row, runs.above.start, counts);
        long = long << 1 | u64::from(runs.are_long());
    }
    long
}

/// A run is worked on in pieces of this many rows at most.
fn piece_end(run: &Range<u32>) -> u32 {
    if run.end - run.start > UNCOUNTED as u32 { run.start + UNCOUNTED as u32 } else { run.end }
}

/// The cells of a finer level that a circle may reach.
struct Area {
    rows: RangeInclusive<i32>,
    first: i32,
    last: i32,
    /// No rows: they would meet themselves on the torus.
    everywhere: bool,
}

impl Area {
    #[inline(always)]
    fn around(finer: &Level, [x, y]: [f32; 2], radius: f32) -> Area {
        let map = &finer.map;
        let length = map.scale_length(radius + finer.size);
        let (first, last) = map.span(map.scale(x, 0), length, 0);
        let (row0, row1) = map.span(map.scale(y, 1), length, 1);
        let (columns, rows) = ((last - first) as u64 + 1, (row1 - row0) as u64 + 1);
        let stride = u64::from(map.stride());
        let everywhere = map.is_torus() && (columns >= stride || (rows + 1) * stride > u64::from(map.cells()));
        #[allow(clippy::reversed_empty_ranges, reason = "it is meant to be empty")]
        Area { rows: if everywhere { 1..=0 } else { row0..=row1 }, first, last, everywhere }
    }
}

fn circle(circles: Circles<'_>, row: u32) -> Circle {
    let i = row as usize;
    Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] }
}

fn capsule(capsules: Capsules<'_>, row: u32) -> Segment {
    let [start, end] = capsules.ends(row as usize);
    Segment { start: start.into(), end: end.into(), radius: capsules.radius[row as usize] }
}
