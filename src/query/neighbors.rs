//! What is near each circle.
//!
//! Comes in: a distance and a filter. Goes out: for each circle, by row, the circles and then the segments that are at most so far from it,
//! outline from outline, each kind by row, with the nearest point and the separation. Decisions are those of
//! `geometry::circles_within` and `circle_segment_within`, values those of `circle_circle_gap` and `circle_segment_gap`.
//!
//! Circles look for circles, strip by strip in cell order; segments look for circles too, since circles are more, and are sorted to them
//! ([`super::by_circle`]). Then places are known, and records are written there, in the caller's order ([`super::records`]).

use super::by_circle::ByCircle;
use super::door::check_number;
use super::lists::{CHUNK, Lists};
use super::near::{Near, STRIP, of_row};
use super::pairs::{NearCircles, NearSegments, Rows, SEGMENTS};
use super::records::{Fill, Named, Record};
use super::sought::Sought;
use super::{Look, Queries, QueryFilter, Target};
use crate::broad_phase::Occupancy;
use crate::error::{Error, Kind};
use crate::geometry::{Circles, Feature, Vec2};
use crate::kernels::dispatch;
use crate::parallel::Split;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows whose neighbours one thread counts.
const PIECE: usize = 2048;

/// A body near a circle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// By strips of circles, the circles near each.
    strips: Vec<Near>,
    /// By chunks of segments, the circles near each.
    chunks: Vec<Near>,
    /// The circles, by the caller's rows.
    named: Vec<Named>,
    /// Segments by circle, in cell order.
    walls: ByCircle,
    /// By the caller's rows: the row in cell order, and whether each is the same.
    place: Vec<u32>,
    in_order: bool,
    /// By the caller's rows, whether a circle is seen; empty where all are.
    seen: Vec<bool>,
    /// By level, where anybody is; empty where that does not pay.
    occupancy: Vec<Occupancy>,
    /// Where circles are few, the segments near any.
    sought: Sought,
}

impl Scratch {
    pub(super) const EMPTY: Scratch = Scratch {
        strips: Vec::new(),
        chunks: Vec::new(),
        named: Vec::new(),
        walls: ByCircle::EMPTY,
        place: Vec::new(),
        in_order: false,
        seen: Vec::new(),
        occupancy: Vec::new(),
        sought: Sought::EMPTY,
    };

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.strips.iter().chain(&self.chunks).map(Near::bytes).sum::<usize>()
            + size_of::<Named>() * self.named.capacity()
            + self.walls.bytes()
            + 4 * self.place.capacity()
            + self.seen.capacity()
            + self.occupancy.iter().map(Occupancy::bytes).sum::<usize>()
            + self.sought.bytes()
    }
}

impl Queries<'_> {
    /// For each circle, by row, all bodies that are at most `distance` from it, outline from outline: circles by row, then segments by row,
    /// written over `lists`. None is its own neighbour. The filter says which bodies are seen by all of them, and is asked about
    /// every circle once (in periodic bounds, as often as it is near somebody); neighbours are told of each, seen or not.
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
        check_number(Kind::Query, 0, "distance", distance, true)?;
        if !self.is_plain() {
            let (count, limit) = (self.scene.count() as usize, lists.limit());
            return self.pool.run(count, |split| {
                lists.fill(count, split, |from, to, part| {
                    self.near_images(from..to, distance, &filter, |found| {
                        part.items.extend(found.iter().map(|&neighbor| T::of(neighbor)));
                        part.ends.push(part.items.len());
                        part.items.len() <= limit
                    })
                })
            });
        }
        // Records are written over; only those that are more than last time have to be there first.
        lists.offsets.clear();
        let count = self.scene.count() as usize;
        self.pool.run(count, |split| {
            let mut scratch = std::mem::take(&mut lists.scratch);
            let limit = lists.limit();
            let fits = self.find(distance, &filter, &mut scratch, limit, split);
            if fits {
                scratch.walls.take((&scratch.chunks, SEGMENTS), scratch.sought.rows(), count, split);
                self.write(&scratch, lists, split);
            }
            lists.scratch = scratch;
            if fits {
                return Ok(());
            }
            lists.clear();
            Err(Error::TooManyResults { limit })
        })
    }

    /// All pairs, unless there are more of them than may be; what circles are called, and where they are, meanwhile.
    fn find(&self, distance: f32, filter: &QueryFilter<'_>, scratch: &mut Scratch, limit: usize, split: Split) -> bool {
        let (look, scene, count) = (&self.look(filter), &self.scene, self.scene.count() as usize);
        let Scratch { strips, chunks, named, place, in_order, seen, occupancy, sought, .. } = scratch;
        self.see(look, seen, split);
        *in_order = (0..).zip(scene.grid.order()).all(|(row, &name)| row == name);
        let (seen, in_order, found) = (&*seen, *in_order, AtomicUsize::new(0));
        let sought = if look.segments() { sought.find(scene, distance, split) } else { sought.nobody() };
        let segment_count = sought.map_or(scene.capsules.x0.len(), <[u32]>::len);
        scene.look_where_all_are(if sought.is_some() { 0 } else { segment_count }, occupancy);
        let occupancy = &*occupancy;
        strips.resize_with(count.div_ceil(STRIP), Near::default);
        let circles = |strip: usize, lists: &mut Near| {
            let rows = range(strip, STRIP, count);
            lists.clear();
            if look.circles() && found.load(Ordering::Relaxed) <= limit {
                let (lists, circles) = (&mut *lists, scene.circles().even());
                let near = NearCircles { scene, circles, seen, in_order, distance, rows, lists, limit, occupancy };
                dispatch(scene.backend, scene.set, near);
                found.fetch_add(lists.len(), Ordering::Relaxed);
            }
        };
        chunks.resize_with(segment_count.div_ceil(SEGMENTS), Near::default);
        let segments = |chunk: usize, lists: &mut Near| {
            lists.clear();
            if found.load(Ordering::Relaxed) <= limit {
                let Range { start, end } = range(chunk, SEGMENTS, segment_count);
                let (start, end) = (start as usize, end as usize);
                let rows = sought.map_or(Rows::Run(start as u32, end - start), |rows| Rows::These(&rows[start..end]));
                let near = NearSegments { scene, look, distance, rows, lists: &mut *lists, limit, occupancy };
                dispatch(scene.backend, scene.set, near);
                lists.look();
                found.fetch_add(lists.len(), Ordering::Relaxed);
            }
        };
        split.join(
            || split.join(|| split.each(strips, circles), || split.each(chunks, segments)),
            || self.name(named, place),
        );
        found.into_inner() <= limit
    }

    /// Circles with what they are called, and where they are by that.
    fn name(&self, named: &mut Vec<Named>, place: &mut Vec<u32>) {
        let (Circles { x, y, radius }, order) = (self.scene.circles(), self.scene.grid.order());
        place.resize(order.len(), 0);
        named.resize(order.len(), [0.0; 4]);
        for (row, (((&name, &x), &y), &radius)) in order.iter().zip(x).zip(y).zip(radius).enumerate() {
            place[name as usize] = row as u32;
            named[name as usize] = [x, y, radius, f32::from_bits(name)];
        }
    }

    /// Asks about each circle once, where not all are seen.
    fn see(&self, look: &Look<'_>, seen: &mut Vec<bool>, split: Split) {
        let scene = &self.scene;
        seen.clear();
        if look.circles() && !look.all_circles() {
            seen.resize(scene.count() as usize, false);
            split.chunks(seen, STRIP, |first, seen| {
                for (seen, name) in seen.iter_mut().zip(first as u32..) {
                    *seen = scene.sees_circle(look, name);
                }
            });
        }
    }

    /// The lists of records.
    fn write<T: Record>(&self, scratch: &Scratch, lists: &mut Lists<T>, split: Split) {
        let Scratch { strips, named, walls: ByCircle { ends, rows: segments }, place, .. } = scratch;
        let in_order = scratch.in_order;
        let (scene, Lists { offsets, items, .. }) = (&self.scene, lists);
        offsets.resize(place.len() + 1, 0);
        split.chunks(&mut offsets[1..], PIECE, |first, counts| {
            for (count, &row) in counts.iter_mut().zip(&place[first..]) {
                let near = &strips[row as usize / STRIP];
                *count = near.count(row as usize % STRIP) + of_row(ends, row as usize).len();
            }
        });
        let mut end = 0;
        for offset in &mut *offsets {
            end += *offset;
            *offset = end;
        }
        items.resize(end, T::default());
        let fill = |rows: Range<usize>, items: &mut [T]| {
            let (first, rows) = (rows.start as u32, &place[rows]);
            let fill = Fill { scene, first, rows, in_order, strips, named, ends, segments, items };
            dispatch(scene.backend, scene.set, fill);
        };
        by_chunks(0..place.len(), offsets, items, split, &fill);
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
