//! From candidate runs to lists of pairs, block by block.
//!
//! Comes in: circles in cell order, walls registered in their grid. Goes out: the pairs of each block. A block is a fixed stretch of rows or of
//! intervals: its size depends on the scene alone, so the order does not depend on the threads. Two passes: every block lists its pairs;
//! once all are counted, every block writes its contacts to their place ([`super::writing`]). Pairs that filters refuse are dropped
//! before anything is counted or decided. This room does not know who asked.

use super::few::FindFew;
use super::search::Find;
use crate::broad_phase::{Blocks, Grid, Occupancy, STRIP, Walls};
use crate::geometry::{Capsules, Circles};
use crate::kernels::{Backend, InstructionSet, Pairs, Wall, dispatch};
use crate::parallel::Split;
use crate::storage::Filters;
use std::cmp::min;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows in a block of the finest level, of the next one and of all others: each of these has more to do, and who comes last is waited for. Whole
/// strips: what comes behind the first eight of a run is listed at the end of a strip.
const ROWS: [u32; 3] = [2048, 128, STRIP as u32];
/// Intervals, and long walls, in a block.
const INTERVALS: u32 = 2048;
const LONG: u32 = 8;

/// What a block looks at.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Rows of one level, against their own and all finer levels.
    Circles { level: u32, rows: Range<u32> },
    /// Intervals of `Scene::walls[set]`.
    Intervals { set: usize, range: Range<u32> },
    /// Long walls of `Scene::walls[set]`.
    Long { set: usize, range: Range<u32> },
}

/// A task and the pairs it has found: rows of circles, and rows of circles or places of walls.
#[derive(Debug)]
pub(crate) struct Block {
    pub(super) task: Task,
    pub(super) pairs: Pairs,
    /// Pairs up to here have been asked whether they meet.
    pub(super) filtered: usize,
    /// Pairs up to here have been counted against the limit.
    pub(super) counted: usize,
    /// The limit is exceeded: there is no point in going on.
    pub(super) full: bool,
    pub(super) written: usize,
    /// Runs of circles near a long wall.
    pub(super) near: Vec<Range<u32>>,
}

/// Some walls, in the order in which blocks come to them: what is near is near in memory.
#[derive(Clone, Copy)]
pub(crate) struct SceneWalls<'a> {
    pub(crate) walls: &'a Walls,
    /// The kernel's form of each.
    pub(crate) lanes: &'a [Wall],
    /// What they are.
    pub(crate) shapes: Capsules<'a>,
}

/// What all blocks look at.
pub(crate) struct Scene<'a> {
    pub(crate) backend: Backend,
    pub(crate) set: InstructionSet,
    pub(crate) grid: &'a Grid,
    pub(crate) circles: Circles<'a>,
    /// Static walls, then moving ones.
    pub(crate) walls: [SceneWalls<'a>; 2],
    /// Boxes of the circles of each level, where there are long walls.
    pub(crate) boxes: &'a [Blocks],
    /// By level, where circles are, if those of coarser levels are to ask; there may be fewer.
    pub(crate) finer: &'a [Occupancy],
    /// Whom circles meet, in cell order, and segments.
    pub(crate) filters: [Filters<'a>; 2],
    pub(crate) limit: Limit,
    /// The radii of `circles` are larger than the true ones, which are here, where pairs within this of touching are looked for.
    pub(crate) near: Option<(&'a [f32], f32)>,
}

impl<'a> Scene<'a> {
    /// The walls that a block looks at.
    pub(super) fn walls_of(&self, task: &Task) -> SceneWalls<'a> {
        match *task {
            Task::Circles { .. } => self.walls[0],
            Task::Intervals { set, .. } | Task::Long { set, .. } => self.walls[set],
        }
    }

    /// The circles as they are, and how far apart they may be.
    pub(crate) fn exact(&self) -> (Circles<'a>, f32) {
        match self.near {
            Some((radius, margin)) => (Circles { radius, ..self.circles }, margin),
            None => (self.circles, 0.0),
        }
    }
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

    pub(super) fn add(&self, found: usize) {
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
        let near = |block: &Block| size_of::<Range<u32>>() * block.near.capacity();
        self.blocks.iter().map(|block| size_of::<Block>() + block.pairs.bytes() + near(block)).sum()
    }

    pub(super) fn push(&mut self, task: Task) {
        if self.used == self.blocks.len() {
            self.blocks.push(Block {
                task,
                pairs: Pairs::default(),
                filtered: 0,
                counted: 0,
                full: false,
                written: 0,
                near: Vec::new(),
            });
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
            let size = ROWS[min(index, ROWS.len() - 1)];
            self.push_range(level.rows.clone(), size, |rows| Task::Circles { level: index as u32, rows });
        }
    }

    /// One of the sets of walls.
    pub(crate) fn push_walls(&mut self, set: usize, walls: &Walls) {
        self.push_range(0..walls.intervals().len() as u32, INTERVALS, |range| Task::Intervals { set, range });
        self.push_range(0..walls.long().len() as u32, LONG, |range| Task::Long { set, range });
    }

    pub(super) fn used(&mut self) -> &mut [Block] {
        &mut self.blocks[..self.used]
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

    /// Contacts block by block: `place` has room for those of one, which `each` then sees one by one.
    pub(crate) fn visit<T: Copy + Default>(
        &mut self,
        place: &mut Vec<T>,
        write: impl Fn(&Block, &mut [T]) -> usize,
        mut each: impl FnMut(T),
    ) {
        for block in &self.blocks[..self.used] {
            if place.len() < block.pairs.len() {
                place.resize(block.pairs.len(), T::default());
            }
            let written = write(block, place);
            place[..written].iter().copied().for_each(&mut each);
        }
    }
}

pub(super) fn pairs_of(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.pairs.len()).sum()
}

/// Every block of both lists lists its pairs. Halves of both lists go side by side, down to single blocks: what stands at like places of
/// them is near each other in the world, and so stays with the thread that has it in its caches.
pub(crate) fn find(lists: [&mut BlockList; 2], scene: &Scene<'_>, split: Split) {
    find_halves(lists.map(BlockList::used), scene, split);
}

fn find_halves(lists: [&mut [Block]; 2], scene: &Scene<'_>, split: Split) {
    if !split.is_parallel() || lists.iter().all(|blocks| blocks.len() <= 1) {
        for block in lists.into_iter().flatten() {
            if scene.grid.holds_few() {
                dispatch(scene.backend, scene.set, FindFew { block, scene });
            } else {
                dispatch(scene.backend, scene.set, Find { block, scene });
            }
        }
        return;
    }
    let [(a, a2), (b, b2)] = halves(lists);
    split.join(|| find_halves([a, b], scene, split), || find_halves([a2, b2], scene, split));
}

/// Where both are one block or none, one half has that of the first list, the other that of the second.
pub(super) fn halves([a, b]: [&mut [Block]; 2]) -> [(&mut [Block], &mut [Block]); 2] {
    let (middle, other) = (a.len().div_ceil(2), b.len() / 2);
    [a.split_at_mut(middle), b.split_at_mut(other)]
}
