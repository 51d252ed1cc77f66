//! From candidate runs to contacts, block by block.
//!
//! Comes in: circles in cell order, walls registered in their grid. Goes out: contacts in one contiguous buffer, in the
//! order of the blocks. A block is a fixed stretch of rows or of intervals: its size depends on the scene alone, so the
//! order does not depend on the threads. Two passes: every block lists its pairs; once all are counted, every block
//! writes its contacts straight to their final place. Pairs that filters refuse are dropped before anything is counted or
//! decided. This room does not know who asked.

use super::search::Find;
use crate::broad_phase::{Blocks, Grid, Walls};
use crate::geometry::{Capsules, Circles};
use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::{Backend, InstructionSet, Kernels, Names, Operation, Pairs, Wall, dispatch};
use crate::parallel::Split;
use crate::storage::Filters;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows in a block of the finest level; those of coarser levels have more to do each.
const ROWS: u32 = 2048;
const COARSE_ROWS: u32 = 128;
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

/// A task and the pairs it has found.
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
    written: usize,
    /// Blocks of circles near a long wall.
    pub(super) near: Vec<u32>,
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
    /// Whom circles meet, in cell order, and segments.
    pub(crate) filters: [Filters<'a>; 2],
    pub(crate) limit: Limit,
    /// The radii of `circles` are larger than the true ones, which are here, where pairs within this of touching are looked for.
    pub(crate) near: Option<(&'a [f32], f32)>,
}

impl<'a> Scene<'a> {
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
        self.blocks.iter().map(|block| size_of::<Block>() + block.pairs.bytes()).sum()
    }

    fn push(&mut self, task: Task) {
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
        out.resize(self.pairs(), T::default());
        let end = self.write_slice(out, split, write);
        out.truncate(end);
    }

    /// The same into a slice with room for all pairs; tells how many are written.
    pub(crate) fn write_slice<T: Copy + Send>(
        &mut self,
        out: &mut [T],
        split: Split,
        write: impl Fn(&Pairs, &mut [T]) -> usize + Sync,
    ) -> usize {
        let blocks = &mut self.blocks[..self.used];
        let total = pairs_of(blocks);
        if !split.is_parallel() {
            // One after the other, each behind what the one before has left: nothing has to be moved.
            let mut end = 0;
            for block in blocks {
                end += write(&block.pairs, &mut out[end..total]);
            }
            return end;
        }
        write_halves(blocks, &mut out[..total], split, &write);
        let mut at = 0;
        let mut end = 0;
        for block in blocks {
            // Behind the first pair that does not touch after all, one in tens of thousands, everything moves.
            if at != end {
                out.copy_within(at..at + block.written, end);
            }
            at += block.pairs.len();
            end += block.written;
        }
        end
    }

    /// The same block by block: `place` has room for the contacts of one, which `each` then sees one by one.
    pub(crate) fn visit<T: Copy + Default>(
        &mut self,
        place: &mut Vec<T>,
        write: impl Fn(&Pairs, &mut [T]) -> usize,
        mut each: impl FnMut(T),
    ) {
        for block in &self.blocks[..self.used] {
            if place.len() < block.pairs.len() {
                place.resize(block.pairs.len(), T::default());
            }
            let written = write(&block.pairs, place);
            place[..written].iter().copied().for_each(&mut each);
        }
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

/// Writes the rows of circles that touch, or are near enough.
pub(crate) struct WriteCirclePairs<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) names: Names<'a>,
    pub(crate) pairs: &'a Pairs,
    pub(crate) place: &'a mut [[u32; 2]],
}

impl Operation for WriteCirclePairs<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let (circles, margin) = self.scene.exact();
        K::circle_circle_pairs(circles, margin, self.names, self.pairs, self.place)
    }
}

/// Writes the rows of circles and segments that touch.
pub(crate) struct WriteSegmentPairs<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) names: Names<'a>,
    pub(crate) pairs: &'a Pairs,
    pub(crate) place: &'a mut [[u32; 2]],
}

impl Operation for WriteSegmentPairs<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_segment_pairs(self.scene.circles, self.scene.capsules, self.names, self.pairs, self.place)
    }
}
