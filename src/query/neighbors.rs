//! What is near each circle.
//!
//! Comes in: a distance and a filter. Goes out: for each circle, by row, the circles and then the segments that are at most so far from it,
//! outline from outline, each kind by row, with the nearest point and the separation. Decisions are those of
//! `geometry::circles_within` and `circle_segment_within`, values those of `circle_circle_gap` and `circle_segment_gap`.
//!
//! Circles are looked for from both sides, chunk by chunk in cell order; segments from the side of the segments, since circles are
//! more, and then sorted to the circles by counting. Then places are known, and chunks of rows write their records side by side, in cell
//! order: straight to their places where that is the caller's order, else to parts that are then brought there.

use super::lists::{CHUNK, Lists, Part};
use super::pairs::{FEW, NearCircles, NearSegments, SEGMENTS};
use super::shape_door::check_distance;
use super::{Queries, QueryFilter, Scene, Target};
use crate::error::Error;
use crate::geometry::{self, Circle, Feature, Gap, Segment, Vec2};
use crate::kernels::{Kernels, LANES, Operation, dispatch};
use crate::parallel::Split;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A body near a circle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Neighbor {
    /// The point of the body's outline that is nearest to the circle's centre.
    pub point: Vec2,
    /// From outline to outline: 0 where they just touch, negative where they overlap.
    pub separation: f32,
    /// The part of a segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
    /// Which body.
    pub target: Target,
}

/// What is near each circle.
pub type NeighborLists = Lists<Neighbor>;

/// What is kept from call to call for its memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    circles: Vec<Part<u64>>,
    segments: Vec<Vec<[u32; 2]>>,
    /// Per circle in cell order, where its segments end.
    ends: Vec<usize>,
    /// Segments by circle.
    rows: Vec<u32>,
    /// By the caller's rows: the row in cell order.
    place: Vec<u32>,
}

impl Scratch {
    pub(super) const EMPTY: Scratch =
        Scratch { circles: Vec::new(), segments: Vec::new(), ends: Vec::new(), rows: Vec::new(), place: Vec::new() };

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let part = |part: &Part<u64>| size_of::<usize>() * part.ends.capacity() + 8 * part.items.capacity();
        self.circles.iter().map(part).sum::<usize>()
            + self.segments.iter().map(|list| 8 * list.capacity()).sum::<usize>()
            + size_of::<usize>() * self.ends.capacity()
            + 4 * (self.rows.capacity() + self.place.capacity())
    }

    /// The circles near one in cell order: names, with rows in the lower half.
    #[inline(always)]
    fn circles_of(&self, row: u32) -> &[u64] {
        let (part, at) = (&self.circles[row as usize / CHUNK], row as usize % CHUNK);
        &part.items[if at == 0 { 0 } else { part.ends[at - 1] }..part.ends[at]]
    }

    /// The segments near one in cell order.
    #[inline(always)]
    fn segments_of(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.rows[if row == 0 { 0 } else { self.ends[row - 1] }..self.ends[row]]
    }
}

/// What is written of a neighbour.
trait Record: Copy + Default + Send + Sync {
    /// Of one that is known.
    fn of(neighbor: Neighbor) -> Self;
    /// Of a circle, in cell order, and others: names, with rows in the lower half.
    fn of_circles<K: Kernels>(scene: &Scene<'_>, row: u32, others: &[u64], items: &mut [Self]);
    /// Of a circle, in cell order, and segments.
    fn of_segments<K: Kernels>(scene: &Scene<'_>, row: u32, segments: &[u32], items: &mut [Self]);
}

impl Record for Target {
    fn of(neighbor: Neighbor) -> Target {
        neighbor.target
    }

    #[inline(always)]
    fn of_circles<K: Kernels>(_: &Scene<'_>, _: u32, others: &[u64], items: &mut [Target]) {
        for (item, &other) in items.iter_mut().zip(others) {
            *item = Target::circle((other >> 32) as u32);
        }
    }

    #[inline(always)]
    fn of_segments<K: Kernels>(_: &Scene<'_>, _: u32, segments: &[u32], items: &mut [Target]) {
        for (item, &segment) in items.iter_mut().zip(segments) {
            *item = Target::segment(segment);
        }
    }
}

impl Record for Neighbor {
    fn of(neighbor: Neighbor) -> Neighbor {
        neighbor
    }

    #[inline(always)]
    fn of_circles<K: Kernels>(scene: &Scene<'_>, row: u32, others: &[u64], items: &mut [Neighbor]) {
        let (own, circles) = (scene.circle(row), scene.circles().even());
        let own_row = [own.center.x, own.center.y, own.radius];
        for (others, items) in others.chunks(LANES).zip(items.chunks_mut(LANES)) {
            let mut columns = [[0.0; LANES]; 3];
            for (k, &other) in others.iter().enumerate() {
                let other = other as u32 as usize;
                (columns[0][k], columns[1][k]) = (circles.x[other], circles.y[other]);
                columns[2][k] = circles.radius[other];
            }
            let gaps = K::circle_gaps(own_row, &columns);
            for (k, (item, &other)) in items.iter_mut().zip(others).enumerate() {
                let target = Target::circle((other >> 32) as u32);
                *item = if gaps.sure >> k & 1 == 1 {
                    let point = Vec2 { x: gaps.x[k], y: gaps.y[k] };
                    Neighbor { point, separation: gaps.separation[k], feature: Feature::Interior, target }
                } else {
                    of_circle(own, scene.circle(other as u32), target)
                };
            }
        }
    }

    #[inline(always)]
    fn of_segments<K: Kernels>(scene: &Scene<'_>, row: u32, segments: &[u32], items: &mut [Neighbor]) {
        let (own, capsules) = (scene.circle(row), scene.capsules);
        let own_row = [own.center.x, own.center.y, own.radius];
        for (segments, items) in segments.chunks(LANES).zip(items.chunks_mut(LANES)) {
            let mut columns = [[0.0; LANES]; 5];
            for (k, &segment) in segments.iter().enumerate() {
                let i = segment as usize;
                (columns[0][k], columns[1][k]) = (capsules.x0[i], capsules.y0[i]);
                (columns[2][k], columns[3][k]) = (capsules.x1[i], capsules.y1[i]);
                columns[4][k] = capsules.radius[i];
            }
            let gaps = K::segment_gaps(own_row, &columns);
            for (k, (item, &segment)) in items.iter_mut().zip(segments).enumerate() {
                let target = Target::segment(segment);
                *item = if gaps.sure >> k & 1 == 1 {
                    let feature = match (gaps.inside >> k & 1, gaps.start >> k & 1) {
                        (1, _) => Feature::Interior,
                        (_, 1) => Feature::Start,
                        _ => Feature::End,
                    };
                    let point = Vec2 { x: gaps.x[k], y: gaps.y[k] };
                    Neighbor { point, separation: gaps.separation[k], feature, target }
                } else {
                    of_segment(own, scene.segment(segment), target)
                };
            }
        }
    }
}

/// By the function that is right for all.
#[inline(never)]
fn of_circle(own: Circle, other: Circle, target: Target) -> Neighbor {
    Neighbor::new(geometry::circle_circle_gap(own, other).unwrap_or_default(), target)
}

/// By the function that is right for all.
#[inline(never)]
fn of_segment(own: Circle, segment: Segment, target: Target) -> Neighbor {
    Neighbor::new(geometry::circle_segment_gap(own, segment).unwrap_or_default(), target)
}

impl Neighbor {
    fn new(Gap { point, separation, feature }: Gap, target: Target) -> Neighbor {
        Neighbor { point, separation, feature, target }
    }
}

impl Queries<'_> {
    /// For each circle, by row, all bodies that are at most `distance` from it, outline from outline: circles by row, then segments by row,
    /// written over `lists`. None is its own neighbour. The filter says which bodies are seen by all of them; each is asked for its
    /// neighbours, seen or not.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], `lists` is left alone then; [`Error::TooManyResults`], after which they are empty.
    pub fn neighbors(&self, distance: f32, filter: QueryFilter<'_>, lists: &mut NeighborLists) -> Result<(), Error> {
        self.near_each(distance, filter, lists)
    }

    /// The same without points and separations.
    ///
    /// # Errors
    /// As [`Self::neighbors`].
    pub fn neighbor_rows(
        &self,
        distance: f32,
        filter: QueryFilter<'_>,
        lists: &mut Lists<Target>,
    ) -> Result<(), Error> {
        self.near_each(distance, filter, lists)
    }

    fn near_each<T: Record>(&self, distance: f32, filter: QueryFilter<'_>, lists: &mut Lists<T>) -> Result<(), Error> {
        check_distance("distance", distance)?;
        if !self.is_plain() {
            lists.clear();
            lists.offsets.clear();
            lists.offsets.push(0);
            let (limit, Lists { offsets, items, .. }) = (lists.limit(), &mut *lists);
            let told = self.near_images(distance, &filter, limit, |found| {
                items.extend(found.iter().map(|&neighbor| T::of(neighbor)));
                offsets.push(items.len());
            });
            return told.inspect_err(|_| lists.clear());
        }
        // Records are written over; only those that are more than last time have to be there first.
        lists.offsets.clear();
        let count = self.scene.count() as usize;
        self.pool.run(count, |split| {
            let mut scratch = std::mem::take(&mut lists.scratch);
            let found = self.find(distance, &filter, &mut scratch, lists.limit(), split);
            if found <= lists.limit() {
                self.write(&mut scratch, lists, split);
            }
            lists.scratch = scratch;
            if found <= lists.limit() {
                return Ok(());
            }
            lists.clear();
            Err(Error::TooManyResults { limit: lists.limit() })
        })
    }

    /// All pairs, and how many; once there are more than `limit`, not all.
    fn find(
        &self,
        distance: f32,
        filter: &QueryFilter<'_>,
        scratch: &mut Scratch,
        limit: usize,
        split: Split,
    ) -> usize {
        let (look, scene, count) = (self.look(filter), &self.scene, self.scene.count() as usize);
        let (look, found) = (&look, AtomicUsize::new(0));
        scratch.circles.resize_with(count.div_ceil(CHUNK), Part::default);
        split.each(&mut scratch.circles, |chunk, part| {
            part.ends.clear();
            part.items.clear();
            if found.load(Ordering::Relaxed) <= limit {
                let rows = range(chunk, CHUNK, count);
                let near =
                    NearCircles { scene, look, distance, rows, part: &mut *part, limit, few: [0; FEW], few_len: 0 };
                dispatch(scene.backend, scene.set, near);
                found.fetch_add(part.items.len(), Ordering::Relaxed);
            }
        });
        let count = if look.segments() { scene.capsules.x0.len() } else { 0 };
        scratch.segments.resize_with(count.div_ceil(SEGMENTS), Vec::new);
        split.each(&mut scratch.segments, |chunk, list| {
            list.clear();
            if found.load(Ordering::Relaxed) <= limit {
                let rows = range(chunk, SEGMENTS, count);
                let near = NearSegments { scene, look, distance, rows, found: &mut *list, limit };
                dispatch(scene.backend, scene.set, near);
                found.fetch_add(list.len(), Ordering::Relaxed);
            }
        });
        found.into_inner()
    }

    /// From pairs to lists of records.
    fn write<T: Record>(&self, scratch: &mut Scratch, lists: &mut Lists<T>, split: Split) {
        let (scene, count) = (&self.scene, self.scene.count() as usize);
        let Scratch { segments, ends, rows, place, .. } = scratch;
        // Counts stand one place further, so that advancing the sums while placing leaves the ends.
        ends.clear();
        ends.resize(count + 1, 0);
        for &[circle, _] in segments.iter().flatten() {
            ends[circle as usize + 1] += 1;
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += *end;
            *end = sum;
        }
        rows.clear();
        rows.resize(sum, 0);
        for &[circle, row] in segments.iter().flatten() {
            rows[ends[circle as usize]] = row;
            ends[circle as usize] += 1;
        }
        place.resize(count, 0);
        let mut in_order = true;
        for (row, &name) in scene.grid.order().iter().enumerate() {
            place[name as usize] = row as u32;
            in_order &= name == row as u32;
        }
        let scratch = &*scratch;
        let Lists { offsets, items, parts, .. } = lists;
        offsets.reserve(count + 1);
        offsets.push(0);
        let mut end = 0;
        for &row in &scratch.place {
            end += scratch.circles_of(row).len() + scratch.segments_of(row).len();
            offsets.push(end);
        }
        items.resize(end, T::default());
        if in_order {
            let fill = |rows: Range<usize>, items: &mut [T]| {
                dispatch(scene.backend, scene.set, Fill { scene, scratch, first: rows.start as u32, items });
            };
            by_chunks(0..count, offsets, items, split, &fill);
            return;
        }
        // Where neighbours are far apart in the caller's columns, records are made in cell order and brought home list by list: made
        // in the caller's order, each would wait for memory on its own.
        let chunks = count.div_ceil(CHUNK);
        if parts.len() < chunks {
            parts.resize_with(chunks, Part::default);
        }
        split.each(&mut parts[..chunks], |chunk, part| {
            let (rows, mut end) = (range(chunk, CHUNK, count), 0);
            part.ends.clear();
            part.ends.extend(rows.clone().map(|row| {
                end += scratch.circles_of(row).len() + scratch.segments_of(row).len();
                end
            }));
            part.items.resize(end, T::default());
            dispatch(scene.backend, scene.set, Fill { scene, scratch, first: rows.start, items: &mut part.items });
        });
        let parts = &*parts;
        let bring = |rows: Range<usize>, mut items: &mut [T]| {
            for &row in &scratch.place[rows] {
                let (part, at) = (&parts[row as usize / CHUNK], row as usize % CHUNK);
                let list = &part.items[if at == 0 { 0 } else { part.ends[at - 1] }..part.ends[at]];
                let (to, rest) = items.split_at_mut(list.len());
                to.copy_from_slice(list);
                items = rest;
            }
        };
        by_chunks(0..count, offsets, items, split, &bring);
    }
}

/// `write(rows, their records)` for chunks of rows, split in halves down to one.
fn by_chunks<T: Send>(
    rows: Range<usize>,
    offsets: &[usize],
    items: &mut [T],
    split: Split,
    write: &(impl Fn(Range<usize>, &mut [T]) + Sync),
) {
    if rows.len() > CHUNK {
        let middle = rows.start + rows.len().div_ceil(CHUNK) / 2 * CHUNK;
        let (low, high) = items.split_at_mut(offsets[middle] - offsets[rows.start]);
        split.join(
            || by_chunks(rows.start..middle, offsets, low, split, write),
            || by_chunks(middle..rows.end, offsets, high, split, write),
        );
        return;
    }
    write(rows, items);
}

/// The records of rows in cell order, from the first on as far as there is room for them.
struct Fill<'a, T> {
    scene: &'a Scene<'a>,
    scratch: &'a Scratch,
    first: u32,
    items: &'a mut [T],
}

impl<T: Record> Operation for Fill<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Fill { scene, scratch, first: mut row, mut items } = self;
        while !items.is_empty() {
            let (circles, segments) = (scratch.circles_of(row), scratch.segments_of(row));
            let (of_circles, rest) = items.split_at_mut(circles.len());
            T::of_circles::<K>(scene, row, circles, of_circles);
            let (of_segments, rest) = rest.split_at_mut(segments.len());
            if !segments.is_empty() {
                T::of_segments::<K>(scene, row, segments, of_segments);
            }
            items = rest;
            row += 1;
        }
    }
}

/// The rows of a chunk.
fn range(chunk: usize, size: usize, count: usize) -> Range<u32> {
    let end = (chunk + 1) * size;
    (chunk * size) as u32..(if end < count { end } else { count }) as u32
}
