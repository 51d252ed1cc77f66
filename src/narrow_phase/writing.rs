//! Contacts of blocks, in one contiguous buffer, in the order of the blocks.
//!
//! Comes in: blocks that have listed their pairs. Goes out: their contacts, each block's behind those of the one before. One thread writes
//! them so at once. Several write each block to where it stands if all pairs touch, side by side, and close the gaps then: one pair in tens
//! of thousands does not touch after all. This room does not know how pairs are found.

use super::blocks::{Block, BlockList, Scene, SceneWalls, halves, pairs_of};
use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::{Kernels, Names, Operation, Pairs};
use crate::parallel::Split;
use std::cmp::{max, min};

/// So many contacts more than an eighth are made room for where they have become more; for as many again where they are fewer.
const FEW: usize = 128;
/// And for no less than these.
const LEAST: usize = 4;

/// Writes the contacts of one block's pairs, and tells how many of them touch.
pub(crate) trait Write<T>: Fn(&Block, &mut [T]) -> usize + Sync {}

impl<T, F: Fn(&Block, &mut [T]) -> usize + Sync> Write<T> for F {}

/// Every block of two lists writes its contacts to their final place.
pub(crate) fn write<T: Copy + Default + Send, U: Copy + Default + Send>(
    lists: [&mut BlockList; 2],
    (a, b): (&mut Vec<T>, &mut Vec<U>),
    split: Split,
    writers: (impl Write<T>, impl Write<U>),
) {
    fit(a, lists[0].pairs());
    fit(b, lists[1].pairs());
    let [end, other_end] = write_slices(lists, (a, b), split, writers);
    a.truncate(end);
    b.truncate(other_end);
}

/// So many places, of whatever value. If they are more than there is room for, the old ones go before the new ones come. Where there were some
/// before, an eighth more and a few come with them: doubling would hold twice what is needed, three times while it copies what nobody will read.
fn fit<T: Copy + Default>(list: &mut Vec<T>, len: usize) {
    let room = list.capacity();
    if len > room {
        *list = Vec::new();
        list.reserve_exact(max(len, LEAST) + if room > 0 { min(len, len / 8 + FEW) } else { 0 });
    }
    list.resize(len, T::default());
}

/// The same into slices with room for all pairs; tells how many of each kind are written.
pub(crate) fn write_slices<T: Copy + Default + Send, U: Copy + Default + Send>(
    lists: [&mut BlockList; 2],
    (a, b): (&mut [T], &mut [U]),
    split: Split,
    (write_a, write_b): (impl Write<T>, impl Write<U>),
) -> [usize; 2] {
    let [of_a, of_b] = lists.map(BlockList::used);
    if !split.is_parallel() {
        return [one_by_one(of_a, a, write_a), one_by_one(of_b, b, write_b)];
    }
    write_halves([of_a, of_b], (a, b), split, (&write_a, &write_b));
    let (end, other_end) = split.join(|| close_gaps(of_a, a, split), || close_gaps(of_b, b, split));
    [end, other_end]
}

/// One after the other, each behind what the one before has left: nothing has to be moved.
fn one_by_one<T>(blocks: &[Block], out: &mut [T], write: impl Write<T>) -> usize {
    blocks.iter().fold(0, |end, block| end + write(block, &mut out[end..]))
}

fn write_halves<T: Send, U: Send>(
    lists: [&mut [Block]; 2],
    (a, b): (&mut [T], &mut [U]),
    split: Split,
    writers: (&impl Write<T>, &impl Write<U>),
) {
    let [of_a, of_b] = lists;
    if of_a.len() <= 1 && of_b.len() <= 1 {
        for block in of_a {
            block.written = writers.0(block, a);
        }
        for block in of_b {
            block.written = writers.1(block, b);
        }
        return;
    }
    let [(of_a, of_a2), (of_b, of_b2)] = halves([of_a, of_b]);
    let ((a, a2), (b, b2)) = (a.split_at_mut(pairs_of(of_a)), b.split_at_mut(pairs_of(of_b)));
    split.join(
        || write_halves([of_a, of_b], (a, b), split, writers),
        || write_halves([of_a2, of_b2], (a2, b2), split, writers),
    );
}

/// So many contacts at the most are kept aside while gaps are closed from two ends.
const ASIDE: usize = 256;

/// Behind the first pair that does not touch after all, one in tens of thousands, everything moves. Each block has written to the front of its
/// place, `pairs` long; tells how many there are in all.
///
/// The second half moves beside the first: but for its first few contacts, as many as the first half lacks, whose places hold what the first
/// half has not moved yet. Those wait aside.
fn close_gaps<T: Copy + Default + Send>(blocks: &[Block], out: &mut [T], split: Split) -> usize {
    let gap = |blocks: &[Block]| -> usize { blocks.iter().map(|block| block.pairs.len() - block.written).sum() };
    let (low, high) = blocks.split_at(blocks.len() / 2);
    let (start, lacking) = (pairs_of(low), gap(low));
    let written = pairs_of(high) - gap(high);
    if lacking == 0 || lacking > ASIDE || written < ASIDE || !split.is_parallel() {
        return move_down(blocks, out, &mut []);
    }
    let mut aside = [T::default(); ASIDE];
    let aside = &mut aside[..lacking];
    let (to_low, to_high) = out.split_at_mut(start);
    split.join(|| move_down(low, to_low, &mut []), || move_down(high, to_high, aside));
    out[start - lacking..start].copy_from_slice(aside);
    start - lacking + written
}

/// Moves the contacts of blocks down, one behind the other: the first of them to `aside`, until that is full, then to the front of `out`.
/// Tells how many there are.
fn move_down<T: Copy>(blocks: &[Block], out: &mut [T], aside: &mut [T]) -> usize {
    let (mut at, mut count) = (0, 0);
    for block in blocks {
        let waits = min(aside.len().saturating_sub(count), block.written);
        if waits > 0 {
            aside[count..count + waits].copy_from_slice(&out[at..at + waits]);
        }
        if waits < block.written {
            let to = count + waits - aside.len();
            if to != at + waits {
                out.copy_within(at + waits..at + block.written, to);
            }
        }
        at += block.pairs.len();
        count += block.written;
    }
    count
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
    pub(crate) block: &'a Block,
    pub(crate) place: &'a mut [CircleSegmentContact],
}

impl Operation for WriteSegments<'_> {
    const AVX512: bool = true;
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let Self { scene, names, block, place } = self;
        let SceneWalls { walls, shapes, .. } = scene.walls_of(&block.task);
        K::circle_segment(scene.circles, shapes, [names, Names::Order(walls.rows())], &block.pairs, place)
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
    pub(crate) block: &'a Block,
    pub(crate) place: &'a mut [[u32; 2]],
}

impl Operation for WriteSegmentPairs<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let Self { scene, names, block, place } = self;
        let SceneWalls { walls, shapes, .. } = scene.walls_of(&block.task);
        K::circle_segment_pairs(scene.circles, shapes, [names, Names::Order(walls.rows())], &block.pairs, place)
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use crate::narrow_phase::blocks::Task;
    use crate::parallel::{Pool, Threads};

    /// Blocks with room for so many, of which so many touch.
    fn list(sizes: &[[usize; 2]]) -> BlockList {
        let mut list = BlockList::default();
        for &[pairs, written] in sizes {
            list.push(Task::Intervals { set: 0, range: 0..0 });
            let block = list.used().last_mut().expect("just pushed");
            let mut writer = block.pairs.writer(pairs);
            (0..pairs as u32).for_each(|k| writer.push(k, written as u32));
            let listed = writer.len();
            block.pairs.keep(listed);
        }
        list
    }

    #[test]
    fn lists_that_grow_have_an_eighth_to_spare_and_no_more() {
        let mut list: Vec<u8> = vec![];
        let (mut made, mut room) = (0, 0);
        for len in [0, 1, 4, 5, 1_000, 900, 1_001, 3_000].into_iter().chain(3_000..9_000) {
            fit(&mut list, len);
            assert_eq!(list.len(), len);
            assert!(list.capacity() <= max(room, len + len / 8 + FEW), "{len}: {}", list.capacity());
            made += usize::from(list.capacity() != room);
            room = list.capacity();
        }
        // Four, then 5, 1 000, 3 000 and their eighths; a little more than that nine times an eighth from 3 000 on.
        assert!(made < 16, "{made}");
    }

    #[test]
    fn gaps_are_closed_from_both_ends_as_from_one() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as usize
        };
        let mut waited = 0;
        for case in 0..300 {
            // Hardly any gap, some, more than may wait; empty blocks among them.
            let lacks = [2, 60, 2000][case % 3];
            let sizes: Vec<[usize; 2]> = (0..next(40))
                .map(|_| {
                    let pairs = next(200) * next(2);
                    let written = pairs - if next(3) == 0 { min(next(lacks), pairs) } else { 0 };
                    [pairs, written]
                })
                .collect();
            let (mut a, mut b) = (list(&sizes), list(&sizes[..sizes.len() / 2]));
            // Each contact is told by its block's first pair, which all of them count on from.
            let write = |block: &Block, out: &mut [[u32; 2]]| {
                let pairs = &block.pairs;
                let written = pairs.rows().1.first().map_or(0, |&written| written as usize);
                for (k, out) in out[..written].iter_mut().enumerate() {
                    *out = [pairs.len() as u32, k as u32];
                }
                written
            };
            let expected = |sizes: &[[usize; 2]]| -> Vec<[u32; 2]> {
                let of = |&[pairs, written]: &[usize; 2]| (0..written as u32).map(move |k| [pairs as u32, k]);
                sizes.iter().flat_map(of).collect()
            };
            for threads in [1, 2, 3] {
                let (mut one, mut two) = (vec![[7; 2]; 5], vec![]);
                Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                    super::write([&mut a, &mut b], (&mut one, &mut two), split, (write, write));
                });
                assert!(one == expected(&sizes) && two == expected(&sizes[..sizes.len() / 2]), "{case}: {threads}");
            }
            let (low, high) = sizes.split_at(sizes.len() / 2);
            let lacking: usize = low.iter().map(|[pairs, written]| pairs - written).sum();
            let behind: usize = high.iter().map(|[_, written]| written).sum();
            waited += usize::from((1..=ASIDE).contains(&lacking) && behind >= ASIDE);
        }
        assert!(waited > 50, "{waited}");
    }
}
