//! What is near each circle.
//!
//! Comes in: a distance and a filter. Goes out: for each circle, by row, the circles and then the segments that are at most so far from it,
//! outline from outline, each kind by row, with the nearest point and the separation. Decisions are those of
//! `geometry::circles_within` and `circle_segment_within`, values those of `circle_circle_gap` and `circle_segment_gap`.
//!
//! Each pair of circles is found once, strip by strip in cell order, and told to both ([`super::strips`]); segments look for circles, since
//! circles are more, and are sorted to them by counting. Then places are known, and strips write their records side by side, in cell
//! order: straight to their places where that is the caller's order, else to parts that are then brought there.

use super::lists::{CHUNK, Lists};
use super::pairs::{NearCircles, NearSegments, SEGMENTS};
use super::records::Record;
use super::shape_door::check_distance;
use super::strips::{Fill, STRIP, Strip, deliver, of_row};
use super::{Look, Queries, QueryFilter, Target};
use crate::error::Error;
use crate::geometry::{Feature, Vec2};
use crate::kernels::dispatch;
use crate::parallel::Split;
use crate::query::lists::Part;
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
    strips: Vec<Strip>,
    segments: Vec<Vec<[u32; 2]>>,
    /// Per circle in cell order, where its segments end.
    ends: Vec<usize>,
    /// Segments by circle.
    rows: Vec<u32>,
    /// By the caller's rows: the row in cell order.
    place: Vec<u32>,
    /// By rows in cell order, whether a circle is seen; empty where all are.
    seen: Vec<bool>,
}

impl Scratch {
    pub(super) const EMPTY: Scratch = Scratch {
        strips: Vec::new(),
        segments: Vec::new(),
        ends: Vec::new(),
        rows: Vec::new(),
        place: Vec::new(),
        seen: Vec::new(),
    };

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.strips.iter().map(Strip::bytes).sum::<usize>()
            + self.segments.iter().map(|list| 8 * list.capacity()).sum::<usize>()
            + size_of::<usize>() * self.ends.capacity()
            + 4 * (self.rows.capacity() + self.place.capacity())
            + self.seen.capacity()
    }

    /// How many neighbours there are of a row in cell order.
    #[inline(always)]
    fn count_of(&self, row: usize) -> usize {
        self.strips[row / STRIP].counts[row % STRIP] as usize + of_row(&self.ends, row).len()
    }
}

impl Queries<'_> {
    /// For each circle, by row, all bodies that are at most `distance` from it, outline from outline: circles by row, then segments by row,
    /// written over `lists`. None is its own neighbour. The filter says which bodies are seen by all of them, and is asked about
    /// every circle once; neighbours are told of each, seen or not.
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
            let limit = lists.limit();
            let fits = self.find(distance, &filter, &mut scratch, limit, split)
                && self.count(&mut scratch, limit, split)
                && self.write(&mut scratch, lists, split);
            lists.scratch = scratch;
            if fits {
                return Ok(());
            }
            lists.clear();
            Err(Error::TooManyResults { limit })
        })
    }

    /// All pairs, unless there are more of them than may be.
    fn find(&self, distance: f32, filter: &QueryFilter<'_>, scratch: &mut Scratch, limit: usize, split: Split) -> bool {
        let (look, scene, count) = (&self.look(filter), &self.scene, self.scene.count() as usize);
        let Scratch { strips, segments, seen, .. } = scratch;
        self.see(look, seen, split);
        let (seen, found) = (&*seen, AtomicUsize::new(0));
        // Records of a pair of circles, at least.
        let each = if seen.is_empty() { 2 } else { 1 };
        strips.resize_with(count.div_ceil(STRIP), Strip::default);
        split.each(strips, |strip, Strip { pairs, leaving, counts, .. }| {
            let rows = range(strip, STRIP, count);
            pairs.clear();
            leaving.clear();
            counts.clear();
            counts.resize(rows.len(), 0);
            if look.circles() && found.load(Ordering::Relaxed) <= limit {
                let limit = limit / each;
                let near = NearCircles { scene, seen, distance, rows, pairs: &mut *pairs, leaving, counts, limit };
                dispatch(scene.backend, scene.set, near);
                found.fetch_add(each * pairs.len(), Ordering::Relaxed);
            }
        });
        let count = if look.segments() { scene.capsules.x0.len() } else { 0 };
        segments.resize_with(count.div_ceil(SEGMENTS), Vec::new);
        split.each(segments, |chunk, list| {
            list.clear();
            if found.load(Ordering::Relaxed) <= limit {
                let rows = range(chunk, SEGMENTS, count);
                let near = NearSegments { scene, look, distance, rows, found: &mut *list, limit };
                dispatch(scene.backend, scene.set, near);
                found.fetch_add(list.len(), Ordering::Relaxed);
            }
        });
        found.into_inner() <= limit
    }

    /// Asks about each circle once, where not all are seen.
    fn see(&self, look: &Look<'_>, seen: &mut Vec<bool>, split: Split) {
        let (scene, order) = (&self.scene, self.scene.grid.order());
        seen.clear();
        if look.circles() && !look.all_circles() {
            seen.resize(order.len(), false);
            split.chunks(seen, STRIP, |first, seen| {
                for (seen, &name) in seen.iter_mut().zip(&order[first..]) {
                    *seen = scene.sees_circle(look, name);
                }
            });
        }
    }

    /// How many neighbours each circle has; false if they are too many.
    fn count(&self, scratch: &mut Scratch, limit: usize, split: Split) -> bool {
        let (scene, count) = (&self.scene, self.scene.count() as usize);
        let Scratch { strips, segments, ends, rows, place, seen } = scratch;
        deliver(strips);
        split.each(strips, |strip, into| into.count((strip * STRIP) as u32, seen));
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
        for (row, &name) in scene.grid.order().iter().enumerate() {
            place[name as usize] = row as u32;
        }
        let circles = strips.iter().flat_map(|strip| &strip.counts).map(|&count| count as usize).sum::<usize>();
        circles + sum <= limit
    }

    /// From pairs to lists of records; true.
    fn write<T: Record>(&self, scratch: &mut Scratch, lists: &mut Lists<T>, split: Split) -> bool {
        let (scene, scratch, count) = (&self.scene, &*scratch, self.scene.count() as usize);
        let Lists { offsets, items, parts, .. } = lists;
        offsets.reserve(count + 1);
        offsets.push(0);
        let mut end = 0;
        for &row in &scratch.place {
            end += scratch.count_of(row as usize);
            offsets.push(end);
        }
        items.resize(end, T::default());
        let strips = scratch.strips.len();
        if parts.len() < strips {
            parts.resize_with(strips, Part::default);
        }
        let parts = &mut parts[..strips];
        let unsorted = !scene.grid.order().is_sorted();
        let fill = |strip: usize, next: &mut Vec<usize>, items: &mut [T]| {
            let (first, ends, segments) = ((strip * STRIP) as u32, &scratch.ends[..], &scratch.rows[..]);
            let (strip, seen) = (&scratch.strips[strip], &scratch.seen[..]);
            if seen.is_empty() {
                let fill = Fill::<T, true> { scene, strip, first, ends, segments, seen, unsorted, next, items };
                dispatch(scene.backend, scene.set, fill);
            } else {
                let fill = Fill::<T, false> { scene, strip, first, ends, segments, seen, unsorted, next, items };
                dispatch(scene.backend, scene.set, fill);
            }
        };
        if !unsorted {
            by_strips(parts, 0, offsets, items, split, &fill);
            return true;
        }
        // Where neighbours are far apart in the caller's columns, records are made in cell order and brought home list by list: made
        // in the caller's order, each would wait for memory on its own.
        split.each(parts, |strip, Part { ends, items }| {
            let many = range(strip, STRIP, count).map(|row| scratch.count_of(row as usize)).sum();
            items.resize(many, T::default());
            fill(strip, ends, items);
        });
        let parts = &*parts;
        let bring = |rows: Range<usize>, mut items: &mut [T]| {
            for &row in &scratch.place[rows] {
                let part = &parts[row as usize / STRIP];
                let list = &part.items[of_row(&part.ends, row as usize % STRIP)];
                let (to, rest) = items.split_at_mut(list.len());
                to.copy_from_slice(list);
                items = rest;
            }
        };
        by_chunks(0..count, offsets, items, split, &bring);
        true
    }
}

/// `write(strip, where its lists end, its records)` for each, with the part that it has for the former.
fn by_strips<T: Send>(
    parts: &mut [Part<T>],
    first: usize,
    offsets: &[usize],
    items: &mut [T],
    split: Split,
    write: &(impl Fn(usize, &mut Vec<usize>, &mut [T]) + Sync),
) {
    if parts.len() > 1 {
        let middle = parts.len() / 2;
        let (low_parts, high_parts) = parts.split_at_mut(middle);
        let (low, high) = items.split_at_mut(offsets[(first + middle) * STRIP] - offsets[first * STRIP]);
        split.join(
            || by_strips(low_parts, first, offsets, low, split, write),
            || by_strips(high_parts, first + middle, offsets, high, split, write),
        );
    } else if let Some(part) = parts.first_mut() {
        write(first, &mut part.ends, items);
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

/// The rows of a chunk, or of a strip.
fn range(chunk: usize, size: usize, count: usize) -> Range<u32> {
    let end = (chunk + 1) * size;
    (chunk * size) as u32..(if end < count { end } else { count }) as u32
}
