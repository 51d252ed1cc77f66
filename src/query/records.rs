//! What is written of neighbours.
//!
//! Comes in: who is near some of the caller's rows, list by list. Goes out: their records, in one column, each list circles before segments. This
//! room does not know how bodies are found.
//!
//! Records are computed eight at a time, whichever lists they belong to, and come as rows of lanes, to be put where they belong.

use super::lists::CHUNK;
use super::near::{Near, STRIP, of_row};
use super::neighbors::Neighbor;
use super::{Scene, Target, TargetKind};
use crate::geometry::{self, Circle, Gap, Vec2};
use crate::kernels::gaps::{Eight, Gaps};
use crate::kernels::{Kernels, LANES, Operation};
use std::ops::Range;

/// A circle with what it is called, as bits, in its last number.
pub(super) type Named = [f32; 4];

/// What is written of a neighbour.
pub(super) trait Record: Copy + Default + Send + Sync {
    /// Of one that is known.
    fn of(neighbor: Neighbor) -> Self;
    /// The records of some rows.
    fn write<K: Kernels>(fill: Fill<'_, Self>);
}

/// The records of some rows, list by list.
pub(super) struct Fill<'a, T> {
    pub(super) scene: &'a Scene<'a>,
    /// The first of them, as the caller has them, and the rows of all in cell order; no more than [`CHUNK`].
    pub(super) first: u32,
    pub(super) rows: &'a [u32],
    /// They are the same.
    pub(super) in_order: bool,
    /// By strips, who is near each row.
    pub(super) strips: &'a [Near],
    /// All circles, as the caller has them.
    pub(super) named: &'a [Named],
    /// By rows, where their segments end; the segments of each, with [`LANES`] more behind the last.
    pub(super) ends: &'a [usize],
    pub(super) segments: &'a [u32],
    /// As long as the lists are in all.
    pub(super) items: &'a mut [T],
}

impl<T: Record> Operation for Fill<'_, T> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        T::write::<K>(self);
    }
}

/// Who is near one row.
struct List {
    /// Where its circles stand in their strip, and the first eight of them; where its segments stand.
    circles: Range<usize>,
    first: [u32; LANES],
    segments: Range<usize>,
}

impl List {
    const NONE: List = List { circles: 0..0, first: [0; LANES], segments: 0..0 };
}

impl<T> Fill<'_, T> {
    /// The list of a row.
    #[inline(always)]
    fn list(&self, row: u32) -> List {
        let circles = self.near(row).range(row as usize % STRIP);
        let first = *self.circles(row, circles.start);
        List { circles, first, segments: of_row(self.ends, row as usize) }
    }

    /// All lists are fetched before one is needed: they are far apart, and each would be waited for. Not where they stand one behind the other.
    #[inline(always)]
    fn lists(&self, lists: &mut [List; CHUNK]) {
        if self.in_order {
            return;
        }
        for (list, &row) in lists.iter_mut().zip(self.rows) {
            list.circles = self.near(row).range(row as usize % STRIP);
            list.segments = of_row(self.ends, row as usize);
        }
        for (list, &row) in lists.iter_mut().zip(self.rows) {
            list.first = *self.circles(row, list.circles.start);
        }
    }

    #[inline(always)]
    fn near(&self, row: u32) -> &Near {
        &self.strips[row as usize / STRIP]
    }

    /// Eight of the circles of a row, from a place on; what is behind the last is anything.
    #[inline(always)]
    fn circles(&self, row: u32, from: usize) -> &[u32; LANES] {
        self.near(row).eight(from).unwrap_or(&[0; LANES])
    }

    /// Eight segments, from a place on; what is behind the last is anything.
    #[inline(always)]
    fn eight_segments(&self, from: usize) -> &[u32; LANES] {
        self.segments[from..].first_chunk().expect("room behind the last")
    }
}

impl Record for Target {
    fn of(neighbor: Neighbor) -> Target {
        neighbor.target
    }

    #[inline(always)]
    fn write<K: Kernels>(mut fill: Fill<'_, Target>) {
        let (mut lists, items, mut to) = ([const { List::NONE }; CHUNK], std::mem::take(&mut fill.items), 0);
        fill.lists(&mut lists);
        for (list, &row) in lists.iter().zip(fill.rows) {
            let at_hand;
            let List { circles, first, segments } = if fill.in_order {
                at_hand = fill.list(row);
                &at_hand
            } else {
                list
            };
            let (mut from, mut eight) = (circles.start, first);
            while circles.end - from > LANES {
                put(&mut items[to..], eight.map(Target::circle), LANES);
                (to, from) = (to + LANES, from + LANES);
                eight = fill.circles(row, from);
            }
            put(&mut items[to..], eight.map(Target::circle), circles.end - from);
            to += circles.end - from;
            let (mut from, mut eight) = (segments.start, fill.eight_segments(segments.start));
            while segments.end - from > LANES {
                put(&mut items[to..], eight.map(Target::segment), LANES);
                (to, from) = (to + LANES, from + LANES);
                eight = fill.eight_segments(from);
            }
            put(&mut items[to..], eight.map(Target::segment), segments.end - from);
            to += segments.end - from;
        }
    }
}

/// Eight, of which the first `left` matter: the others are written over.
#[inline(always)]
fn put(items: &mut [Target], eight: [Target; LANES], left: usize) {
    if let Some(items) = items.first_chunk_mut() {
        *items = eight;
    } else {
        for (item, target) in items.iter_mut().zip(eight).take(left) {
            *item = target;
        }
    }
}

impl Record for Neighbor {
    fn of(neighbor: Neighbor) -> Neighbor {
        neighbor
    }

    #[inline(always)]
    fn write<K: Kernels>(mut fill: Fill<'_, Neighbor>) {
        let (items, mut lists) = (std::mem::take(&mut fill.items), [const { List::NONE }; CHUNK]);
        fill.lists(&mut lists);
        let (mut discs, mut walls, mut to) = (Pairs::NONE, Pairs::NONE, 0);
        let named = lists.iter().zip(fill.rows).zip(&fill.named[fill.first as usize..]);
        for ((list, &row), own) in named {
            let at_hand;
            let List { circles, first, segments } = if fill.in_order {
                at_hand = fill.list(row);
                &at_hand
            } else {
                list
            };
            let (mut from, mut eight) = (circles.start, first);
            // Nearly always one turn, whether there are any or not.
            loop {
                let count = if circles.end - from < LANES { circles.end - from } else { LANES };
                discs.eight(own, eight, to, count);
                (to, from) = (to + count, from + LANES);
                if discs.is_full() {
                    write_circles::<K>(&mut discs, fill.named, items);
                }
                if from >= circles.end {
                    break;
                }
                eight = fill.circles(row, from);
            }
            let (mut from, mut eight) = (segments.start, fill.eight_segments(segments.start));
            loop {
                let count = if segments.end - from < LANES { segments.end - from } else { LANES };
                walls.eight(own, eight, to, count);
                (to, from) = (to + count, from + LANES);
                if walls.is_full() {
                    write_segments::<K>(&mut walls, fill.scene, items);
                }
                if from >= segments.end {
                    break;
                }
                eight = fill.eight_segments(from);
            }
        }
        write_circles::<K>(&mut discs, fill.named, items);
        write_segments::<K>(&mut walls, fill.scene, items);
    }
}

/// Pairs that are turned into records at a time.
const FLAT: usize = 256;

/// Circles by columns, whom each is paired with, and where the records stand, lowest first.
struct Pairs {
    own: [[f32; FLAT]; 3],
    other: [u32; FLAT],
    to: [usize; FLAT],
    len: usize,
}

impl Pairs {
    const NONE: Pairs = Pairs { own: [[0.0; FLAT]; 3], other: [0; FLAT], to: [0; FLAT], len: 0 };

    /// There may be no room for eight more.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len > FLAT - LANES
    }

    /// The first `count` of eight that one is told of, from a place on; what is behind them is written over.
    #[inline(always)]
    fn eight(&mut self, &[x, y, radius, _]: &Named, eight: &[u32; LANES], to: usize, count: usize) {
        let at = self.len..self.len + LANES;
        for (own, number) in self.own.iter_mut().zip([x, y, radius]) {
            own[at.clone()].copy_from_slice(&[number; LANES]);
        }
        self.other[at.clone()].copy_from_slice(eight);
        for (place, to) in self.to[at].iter_mut().zip(to..) {
            *place = to;
        }
        self.len += count;
    }

    /// What is behind the last is anything: so that it is rows.
    #[inline(always)]
    fn fill_up(&mut self) {
        for other in &mut self.other[self.len..self.len.next_multiple_of(LANES)] {
            *other = 0;
        }
    }

    #[inline(always)]
    fn own(&self, k: usize) -> Eight {
        let [x, y, radius] = &self.own;
        [x.as_chunks().0[k], y.as_chunks().0[k], radius.as_chunks().0[k]]
    }

    #[inline(always)]
    fn others(&self, k: usize) -> &[u32; LANES] {
        &self.other.as_chunks().0[k]
    }

    /// The places of an eight that matter.
    #[inline(always)]
    fn places(&self, k: usize) -> &[usize] {
        let (from, left) = (k * LANES, self.len - k * LANES);
        &self.to[from..from + if left < LANES { left } else { LANES }]
    }
}

/// The records of pairs of circles. Those that are named are fetched before one is needed, as lists are.
#[inline(always)]
fn write_circles<K: Kernels>(pairs: &mut Pairs, named: &[Named], items: &mut [Neighbor]) {
    pairs.fill_up();
    let (count, mut others) = (pairs.len.next_multiple_of(LANES), [[0.0; 4]; FLAT]);
    for (to, &other) in others[..count].iter_mut().zip(&pairs.other) {
        *to = named[other as usize];
    }
    for (k, others) in others[..count].as_chunks().0.iter().enumerate() {
        let own = pairs.own(k);
        let gaps = K::circle_gaps(&own, others, bytemuck::cast(TargetKind::Circle));
        if !put_sure(&gaps, pairs.places(k), items) {
            for (k, &to) in pairs.places(k).iter().enumerate() {
                items[to] = sure(&gaps, k).unwrap_or_else(|| of_circles(circle(&own, k), others[k]));
            }
        }
    }
    pairs.len = 0;
}

/// The records of circles and segments.
#[inline(always)]
fn write_segments<K: Kernels>(pairs: &mut Pairs, scene: &Scene<'_>, items: &mut [Neighbor]) {
    pairs.fill_up();
    for k in 0..pairs.len.div_ceil(LANES) {
        let (own, others) = (pairs.own(k), pairs.others(k));
        let gaps = K::segment_gaps(&own, scene.capsules, others, bytemuck::cast(TargetKind::Segment));
        if !put_sure(&gaps, pairs.places(k), items) {
            for (k, &to) in pairs.places(k).iter().enumerate() {
                items[to] = sure(&gaps, k).unwrap_or_else(|| of_segment(scene, circle(&own, k), others[k]));
            }
        }
    }
    pairs.len = 0;
}

/// One of eight.
fn circle([x, y, radius]: &Eight, k: usize) -> Circle {
    Circle { center: Vec2 { x: x[k], y: y[k] }, radius: radius[k] }
}

/// Numbers of a record.
const WORDS: usize = size_of::<Neighbor>() / 4;

/// Puts eight records in their places, if there are eight and all are sure.
#[inline(always)]
fn put_sure(gaps: &Gaps, to: &[usize], items: &mut [Neighbor]) -> bool {
    let Ok(to): Result<&[usize; LANES], _> = to.try_into() else { return false };
    if gaps.sure != u32::from(u8::MAX) {
        return false;
    }
    let items: &mut [[f32; WORDS]] = bytemuck::cast_slice_mut(items);
    for (record, &to) in gaps.records.iter().zip(to) {
        items[to].copy_from_slice(&record[..WORDS]);
    }
    true
}

/// The record of a lane, if it is sure.
#[inline(always)]
fn sure(gaps: &Gaps, k: usize) -> Option<Neighbor> {
    let [x, y, separation, feature, kind, name, ..] = gaps.records[k];
    (gaps.sure >> k & 1 == 1).then(|| bytemuck::cast([x, y, separation, feature, kind, name]))
}

/// By the function that is right for all.
#[cold]
#[inline(never)]
fn of_circles(own: Circle, [x, y, radius, name]: Named) -> Neighbor {
    let other = Circle { center: Vec2 { x, y }, radius };
    Neighbor::new(geometry::circle_circle_gap(own, other).unwrap_or_default(), Target::circle(name.to_bits()))
}

/// By the function that is right for all.
#[cold]
#[inline(never)]
fn of_segment(scene: &Scene<'_>, own: Circle, segment: u32) -> Neighbor {
    let gap = geometry::circle_segment_gap(own, scene.segment(segment));
    Neighbor::new(gap.unwrap_or_default(), Target::segment(segment))
}

impl Neighbor {
    fn new(Gap { point, separation, feature }: Gap, target: Target) -> Neighbor {
        Neighbor { point, separation, feature, target }
    }
}
