//! From candidate runs to contacts, block by block.
//!
//! Comes in: circles in cell order, walls registered in their grid. Goes out: contacts in one contiguous buffer, in the
//! order of the blocks. A block is a fixed stretch of rows or of intervals: its size depends on the scene alone, so the
//! order does not depend on the threads. Two passes: every block lists its pairs; once all are counted, every block
//! writes its contacts straight to their final place. This room does not know who asked.

use crate::broad_phase::{BLOCK, Blocks, Grid, Level, Runs, Walls};
use crate::geometry::{self, Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Names, Operation, Pairs, Probe, Wall, dispatch};
use crate::parallel::Split;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows in a block of the finest level; those of coarser levels have more to do each.
const ROWS: u32 = 2048;
const COARSE_ROWS: u32 = 128;
/// Intervals, and long walls, in a block.
const INTERVALS: u32 = 2048;
const LONG: u32 = 8;
/// Room for pairs that is seen to at once.
const STRIP: usize = 1024;
/// So many pairs are listed before they are counted against the limit.
const UNCOUNTED: usize = 1 << 16;

/// What a block looks at.
#[derive(Clone, Debug)]
enum Task {
    /// Rows of one level, against their own and all finer levels.
    Circles { level: u32, rows: Range<u32> },
    /// Intervals of `Scene::walls[set]`.
    Intervals { set: usize, range: Range<u32> },
    /// Long walls of `Scene::walls[set]`.
    Long { set: usize, range: Range<u32> },
}

/// A task and the pairs it has found.
#[derive(Debug)]
pub(crate) struct Block {
    task: Task,
    pairs: Pairs,
    /// Pairs up to here have been counted against the limit.
    counted: usize,
    written: usize,
    /// Blocks of circles near a long wall.
    near: Vec<u32>,
}

/// What all blocks look at.
pub(crate) struct Scene<'a> {
    pub(crate) backend: Backend,
    pub(crate) set: InstructionSet,
    pub(crate) grid: &'a Grid,
    pub(crate) circles: Circles<'a>,
    pub(crate) capsules: Capsules<'a>,
    /// Static walls, then moving ones; the kernel's form of each beside them.
    pub(crate) walls: [(&'a Walls, &'a [Wall]); 2],
    /// Boxes of the circles of each level, where there are long walls.
    pub(crate) boxes: &'a [Blocks],
    pub(crate) limit: &'a Limit,
}

/// How many pairs may be found.
#[derive(Debug)]
pub(crate) struct Limit {
    most: usize,
    found: AtomicUsize,
}

impl Limit {
    /// No more than so many.
    pub(crate) fn new(most: usize) -> Limit {
        Limit { most, found: AtomicUsize::new(0) }
    }

    fn add(&self, found: usize) {
        self.found.fetch_add(found, Ordering::Relaxed);
    }

    /// More were found. Whether it comes to that does not depend on the order in which blocks are worked on.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.found.load(Ordering::Relaxed) > self.most
    }
}

/// A list of blocks whose memory is kept.
#[derive(Debug, Default)]
pub(crate) struct BlockList {
    blocks: Vec<Block>,
    used: usize,
}

impl BlockList {
    /// Forgets the tasks.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| size_of::<Block>() + block.pairs.bytes()).sum()
    }

    fn push(&mut self, task: Task) {
        if self.used == self.blocks.len() {
            self.blocks.push(Block { task, pairs: Pairs::default(), counted: 0, written: 0, near: Vec::new() });
        } else {
            self.blocks[self.used].task = task;
        }
        self.used += 1;
    }

    fn push_range(&mut self, range: Range<u32>, size: u32, task: impl Fn(Range<u32>) -> Task) {
        let mut at = range.start;
        while at < range.end {
            let end = if range.end - at > size { at + size } else { range.end };
            self.push(task(at..end));
            at = end;
        }
    }

    /// All circles of a grid.
    pub(crate) fn push_circles(&mut self, grid: &Grid) {
        for (index, level) in grid.levels().iter().enumerate() {
            let size = if index == 0 { ROWS } else { COARSE_ROWS };
            self.push_range(level.rows.clone(), size, |rows| Task::Circles { level: index as u32, rows });
        }
    }

    /// One of the sets of walls.
    pub(crate) fn push_walls(&mut self, set: usize, walls: &Walls) {
        self.push_range(0..walls.intervals().len() as u32, INTERVALS, |range| Task::Intervals { set, range });
        self.push_range(0..walls.long().len() as u32, LONG, |range| Task::Long { set, range });
    }

    /// Every block lists its pairs.
    pub(crate) fn find(&mut self, scene: &Scene<'_>, split: Split) {
        split.each(&mut self.blocks[..self.used], |_, block| dispatch(scene.backend, scene.set, Find { block, scene }));
    }

    /// How many pairs are listed.
    pub(crate) fn pairs(&self) -> usize {
        pairs_of(&self.blocks[..self.used])
    }

    /// Drops the pairs that do not touch after all.
    pub(crate) fn confirm(&mut self, scene: &Scene<'_>, split: Split) {
        split.each(&mut self.blocks[..self.used], |_, block| {
            block.count(scene);
        });
    }

    /// Every block writes its contacts to their final place in `out`: `write(pairs, place)` tells how many of the pairs
    /// touch.
    pub(crate) fn write<T: Copy + Default + Send>(
        &mut self,
        out: &mut Vec<T>,
        split: Split,
        write: impl Fn(&Pairs, &mut [T]) -> usize + Sync,
    ) {
        let blocks = &mut self.blocks[..self.used];
        let total = pairs_of(blocks);
        out.resize(total, T::default());
        write_halves(blocks, out, split, &write);
        let mut at = 0;
        let mut end = 0;
        for block in blocks {
            // Nearly always nothing moves: a pair that does not touch after all is one in thousands.
            if at != end {
                out.copy_within(at..at + block.written, end);
            }
            at += block.pairs.len();
            end += block.written;
        }
        out.truncate(end);
    }
}

fn pairs_of(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.pairs.len()).sum()
}

fn write_halves<T: Send>(
    blocks: &mut [Block],
    out: &mut [T],
    split: Split,
    write: &(impl Fn(&Pairs, &mut [T]) -> usize + Sync),
) {
    if let [block] = blocks {
        block.written = write(&block.pairs, out);
    } else if !blocks.is_empty() {
        let (low, high) = blocks.split_at_mut(blocks.len() / 2);
        let (out_low, out_high) = out.split_at_mut(pairs_of(low));
        split.join(|| write_halves(low, out_low, split, write), || write_halves(high, out_high, split, write));
    }
}

/// One block lists its pairs.
struct Find<'a, 'b> {
    block: &'a mut Block,
    scene: &'a Scene<'b>,
}

impl Operation for Find<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Find { block, scene } = self;
        block.pairs.clear();
        block.counted = 0;
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
    }
}

/// Writes the contacts of circles.
pub(crate) struct WriteCircles<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) names: Names<'a>,
    pub(crate) pairs: &'a Pairs,
    pub(crate) place: &'a mut [CircleCircleContact],
}

impl Operation for WriteCircles<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_circle(self.scene.circles, self.names, self.pairs, self.place)
    }
}

/// Writes the contacts of circles and segments.
pub(crate) struct WriteSegments<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) names: Names<'a>,
    pub(crate) pairs: &'a Pairs,
    pub(crate) place: &'a mut [CircleSegmentContact],
}

impl Operation for WriteSegments<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_segment(self.scene.circles, self.scene.capsules, self.names, self.pairs, self.place)
    }
}

impl Block {
    #[inline(always)]
    fn circles<K: Kernels, const TORUS: bool>(&mut self, scene: &Scene<'_>, index: usize, rows: Range<u32>) {
        let (grid, circles) = (scene.grid, scene.circles.even());
        let level = &grid.levels()[index];
        let cells = grid.cells(level);
        let grow = Probe::grow(level.size);
        let mut out = self.pairs.writer(STRIP);
        for row in rows {
            let i = row as usize;
            let (x, y, radius) = (circles.x[i], circles.y[i], circles.radius[i]);
            let probe = Probe { x, y, reach: radius + grow };
            let runs = cells.runs::<TORUS>(row);
            if !out.has_room(2 * LANES) {
                let written = out.len();
                self.pairs.keep(written);
                if self.is_full(scene) {
                    return;
                }
                out = self.pairs.writer(STRIP);
            }
            K::circle_few(circles, probe, row, runs.own.clone(), &mut out);
            K::circle_few(circles, probe, row, runs.above.clone(), &mut out);
            if runs.are_long() || index > 0 {
                let written = out.len();
                self.pairs.keep(written);
                self.more_circles::<K>(scene, index, row, runs);
                if self.is_full(scene) {
                    return;
                }
                out = self.pairs.writer(STRIP);
            }
        }
        let written = out.len();
        self.pairs.keep(written);
    }

    /// What is behind the first eight of a run, where a torus closes, and in finer levels.
    #[inline(always)]
    fn more_circles<K: Kernels>(&mut self, scene: &Scene<'_>, index: usize, row: u32, runs: Runs) {
        let (grid, circles) = (scene.grid, scene.circles);
        let i = row as usize;
        let (x, y, radius) = (circles.x[i], circles.y[i], circles.radius[i]);
        let behind = |run: Range<u32>| run.start + LANES as u32..run.end;
        let grow = Probe::grow(grid.levels()[index].size);
        let probe = Probe { x, y, reach: radius + grow };
        for run in [behind(runs.own), behind(runs.above), runs.rest] {
            self.circle_run::<K>(scene, probe, row, run);
        }
        for finer in &grid.levels()[..index] {
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
        let (walls, lanes) = scene.walls[set];
        let starts = scene.grid.starts();
        let levels = scene.grid.levels();
        let mut out = self.pairs.writer(STRIP);
        for interval in &walls.intervals()[range.start as usize..range.end as usize] {
            let run = starts[interval.first as usize]..starts[interval.last as usize];
            let wall = &lanes[interval.wall as usize];
            let reach = wall.reach(levels[interval.level as usize].size);
            let row = walls.rows()[interval.wall as usize];
            if !out.has_room((run.end - run.start) as usize) {
                let written = out.len();
                self.pairs.keep(written);
                self.wall_run::<K>(scene, wall, reach, row, run);
                if self.is_full(scene) {
                    return;
                }
                out = self.pairs.writer(STRIP);
            } else {
                K::wall_run(scene.circles, wall, reach, row, run, &mut out);
            }
        }
        let written = out.len();
        self.pairs.keep(written);
    }

    #[inline(always)]
    fn long<K: Kernels>(&mut self, scene: &Scene<'_>, set: usize, range: Range<u32>) {
        let (walls, lanes) = scene.walls[set];
        for long in &walls.long()[range.start as usize..range.end as usize] {
            let level = &scene.grid.levels()[long.level as usize];
            let wall = &lanes[long.wall as usize];
            let reach = wall.reach(level.size);
            let row = walls.rows()[long.wall as usize];
            let (ends, radius) = (scene.capsules.ends(row as usize), scene.capsules.radius[row as usize]);
            scene.boxes[long.level as usize].near(ends, radius, &mut self.near);
            for near in 0..self.near.len() {
                let start = level.rows.start + self.near[near] * BLOCK as u32;
                let end = if level.rows.end - start > BLOCK as u32 { start + BLOCK as u32 } else { level.rows.end };
                self.wall_run::<K>(scene, wall, reach, row, start..end);
            }
            if self.is_full(scene) {
                return;
            }
        }
    }

    /// A run of any length, in pieces between which pairs are counted.
    #[inline(always)]
    fn wall_run<K: Kernels>(&mut self, scene: &Scene<'_>, wall: &Wall, reach: f32, row: u32, mut run: Range<u32>) {
        while run.start < run.end {
            let end = piece_end(&run);
            let mut out = self.pairs.writer((end - run.start) as usize);
            K::wall_run(scene.circles, wall, reach, row, run.start..end, &mut out);
            let written = out.len();
            self.pairs.keep(written);
            if self.is_full(scene) {
                return;
            }
            run.start = end;
        }
    }

    /// Counts pairs against the limit, so that memory stays bounded by it; true if there is no point in going on.
    #[inline(always)]
    fn is_full(&mut self, scene: &Scene<'_>) -> bool {
        self.pairs.len() - self.counted >= UNCOUNTED && self.count(scene)
    }

    #[cold]
    fn count(&mut self, scene: &Scene<'_>) -> bool {
        let from = self.counted;
        match self.task {
            Task::Circles { .. } => self.pairs.retain_from(from, |a, b| {
                geometry::circle_circle(circle(scene.circles, a), circle(scene.circles, b)).is_some()
            }),
            _ => self.pairs.retain_from(from, |a, b| {
                geometry::circle_segment(circle(scene.circles, a), capsule(scene.capsules, b)).is_some()
            }),
        }
        scene.limit.add(self.pairs.len() - from);
        self.counted = self.pairs.len();
        scene.limit.is_exceeded()
    }
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
