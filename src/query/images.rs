//! Questions in a plane that repeats: the same question, asked from each of its images, and the answers merged.
//!
//! Comes in: a question, brought back into the stretch that stands for all. Goes out: answers, each body once. This room does not know how bodies
//! are found; every other room asks as if nothing repeated.
//!
//! What touches is decided exactly: images of a question, rounded and grown by what that may have moved them, find candidates, which are then
//! held against the question as it stands, with the period unrounded. What is nearest to a point is told from where that is beside each body, rounded
//! once, and from the point itself where it is not moved. What overlaps a question some 2^24 periods away is told from where that is once it has been
//! moved into the stretch, rounded once ([`super::back`]).
//!
//! Bodies are in the stretch, or, segments, within one period of it, or a few if they move; so what covers them tells which images can matter.

use super::back::{Back, Move};
use super::shapes::{Shape, Thick};
use super::{Nearest, Queries, QueryFilter, Target, TargetKind};
use crate::error::{Error, Kind};
use crate::geometry::{self, Aabb, Circle, Periods, Segment, Shift, Vec2};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The longest question, and how far a segment that moves may be beyond the stretch, in periods along one axis.
pub(crate) const MOST_PERIODS: f64 = 16.0;

/// Questions of a batch that are asked one after the other.
const CHUNK: usize = 64;

/// A box, one axis each.
pub(super) type Cover = [[f64; 2]; 2];

/// A shape that can be moved, and held against bodies that are.
pub(super) trait Imaged: Shape {
    /// The point that is brought back into the stretch.
    fn anchor(&self) -> Vec2;
    /// It holds no point at all.
    fn is_empty(&self) -> bool {
        false
    }
    /// Moved, each coordinate rounded once.
    fn moved(&self, way: &Move) -> Self;
    /// Grown by more than what rounding moves it.
    fn grown(&self) -> Self;
    /// Exact.
    fn touches_circle_image(&self, circle: Circle, by: &Shift) -> bool;
    /// Exact.
    fn touches_segment_image(&self, segment: Segment, by: &Shift) -> bool;
}

/// 2^-22 of the coordinates: four times what rounding them moves.
fn room(points: &[Vec2]) -> f32 {
    let size = points.iter().fold(0.0, |sum, p| sum + p.x.abs() + p.y.abs());
    (size * (1.0 / 4_194_304.0)).next_up()
}

/// The smaller, of numbers.
pub(super) fn lower(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Rounded up, but a number.
fn sum_up(a: f32, b: f32) -> f32 {
    let sum = (a + b).next_up();
    if sum < f32::MAX { sum } else { f32::MAX }
}

/// Likewise, down.
fn less_down(a: f32, b: f32) -> f32 {
    -sum_up(-a, b)
}

/// A circle that is wider by so much, rounded up.
pub(super) fn widened(circle: Circle, by: f32) -> Circle {
    Circle { radius: sum_up(circle.radius, by), ..circle }
}

impl Imaged for Circle {
    fn anchor(&self) -> Vec2 {
        self.center
    }

    fn moved(&self, way: &Move) -> Circle {
        Circle { center: way.moved(self.center), ..*self }
    }

    fn grown(&self) -> Circle {
        Circle { radius: sum_up(self.radius, room(&[self.center])), ..*self }
    }

    fn touches_circle_image(&self, circle: Circle, by: &Shift) -> bool {
        geometry::circle_circle_image(*self, circle, by).is_some()
    }

    fn touches_segment_image(&self, segment: Segment, by: &Shift) -> bool {
        geometry::circle_segment_image(*self, segment, by).is_some()
    }
}

impl Imaged for Thick {
    fn anchor(&self) -> Vec2 {
        self.segment().start
    }

    fn moved(&self, way: &Move) -> Thick {
        let Segment { start, end, radius } = self.segment();
        Thick::new(Segment { start: way.moved(start), end: way.moved(end), radius })
    }

    fn grown(&self) -> Thick {
        let segment = self.segment();
        let radius = sum_up(segment.radius, room(&[segment.start, segment.end]));
        Thick::new(Segment { radius, ..segment })
    }

    fn touches_circle_image(&self, circle: Circle, by: &Shift) -> bool {
        // Seen from the circle it is the segment that is moved, the other way.
        let back = Shift { count: by.count.map(|count| -count), ..*by };
        geometry::circle_segment_image(circle, self.segment(), &back).is_some()
    }

    fn touches_segment_image(&self, segment: Segment, by: &Shift) -> bool {
        geometry::segment_segment_image(self.segment(), segment, by).is_some()
    }
}

impl Imaged for Aabb {
    fn anchor(&self) -> Vec2 {
        self.min
    }

    fn is_empty(&self) -> bool {
        !self.is_valid()
    }

    fn moved(&self, way: &Move) -> Aabb {
        Aabb { min: way.moved(self.min), max: way.moved(self.max) }
    }

    fn grown(&self) -> Aabb {
        let room = room(&[self.min, self.max]);
        Aabb {
            min: Vec2::new(less_down(self.min.x, room), less_down(self.min.y, room)),
            max: Vec2::new(sum_up(self.max.x, room), sum_up(self.max.y, room)),
        }
    }

    fn touches_circle_image(&self, circle: Circle, by: &Shift) -> bool {
        geometry::circle_image_touches_aabb(circle, *self, by)
    }

    fn touches_segment_image(&self, segment: Segment, by: &Shift) -> bool {
        let Aabb { min, max } = *self;
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        let side = |k: usize| Segment { start: corners[k], end: corners[(k + 1) % 4], radius: 0.0 };
        // All of it inside, or some side met.
        let end = Circle { center: segment.start, radius: segment.radius };
        geometry::circle_image_touches_aabb(end, *self, by)
            || (0..4).any(|k| geometry::segment_segment_image(side(k), segment, by).is_some())
    }
}

impl Queries<'_> {
    /// Nothing repeats: questions are asked as they are.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.plane.is_none()
    }

    pub(super) fn periods(&self) -> Periods {
        self.plane.unwrap_or_default().periods
    }

    /// What covers all bodies, of what is larger than is worth looking for so much.
    pub(super) fn cover(&self) -> Cover {
        let mut cover = self.plane.unwrap_or_default().walls;
        for level in self.scene.grid.levels() {
            let extent = level.extent();
            for (axis, cover) in cover.iter_mut().enumerate() {
                let size = lower(f64::from(level.size), self.periods().farthest(axis));
                let (low, high) = (f64::from(extent[0][axis]) - size, f64::from(extent[1][axis]) + size);
                if low < cover[0] {
                    cover[0] = low;
                }
                if high > cover[1] {
                    cover[1] = high;
                }
            }
        }
        cover
    }

    /// A point, brought back into the stretch.
    pub(super) fn back(&self, p: Vec2) -> Back {
        Back::new(self.periods(), p)
    }

    /// No segment is too far beyond the stretch.
    pub(super) fn keeps_all(&self) -> Result<(), Error> {
        let beyond = self.plane.unwrap_or_default().beyond;
        beyond.map_or(Ok(()), |bits| Err(Error::BeyondPeriod { kind: Kind::Segment, bits }))
    }

    /// The least and the most periods, along each axis, by which what covers bodies has to be moved to be where a box is.
    fn ranges(&self, of: Cover, cover: Cover) -> [[i8; 2]; 2] {
        [0, 1].map(|axis| {
            let length = self.periods().length(axis);
            if length == 0.0 {
                return [0, 0];
            }
            // A little more, for what the quotients are rounded by.
            let low = ((of[axis][0] - cover[axis][1]) / length - 1e-9).ceil();
            let high = ((of[axis][1] - cover[axis][0]) / length + 1e-9).floor();
            let within = |count: f64| if count > -100.0 { if count < 100.0 { count as i8 } else { 100 } } else { -100 };
            [within(low), within(high)]
        })
    }

    /// By how many periods bodies have to be moved to be where a box is, those that are not moved first.
    pub(super) fn counts(&self, of: Cover, cover: Cover, kind: Kind, row: usize) -> Result<Vec<[i8; 2]>, Error> {
        self.keeps_all()?;
        for (axis, of) in of.iter().enumerate() {
            let length = self.periods().length(axis);
            if length > 0.0 && of[1] - of[0] > MOST_PERIODS * length {
                return Err(Error::TooManyPeriods { kind, row, limit: MOST_PERIODS as u32 });
            }
        }
        let ranges = self.ranges(of, cover);
        let mut counts = Vec::new();
        for x in ranges[0][0]..=ranges[0][1] {
            counts.extend((ranges[1][0]..=ranges[1][1]).map(|y| [x, y]));
        }
        counts.sort_unstable_by_key(|&[x, y]| (i32::from(x).abs() + i32::from(y).abs(), x, y));
        Ok(counts)
    }

    /// Where the nearest images of all bodies within this distance of a point are met: within half a period along each axis, and what rounding
    /// moves the point by beside them. They are within 17 periods of the stretch, with their radii, and the point within one of them.
    pub(super) fn around(&self, p: [f64; 2], distance: f64) -> Cover {
        let reach = |axis: usize| {
            let most = self.periods().length(axis) * 0.75;
            lower(distance * 1.001 + most * 1e-6, most) + self.periods().rounding(axis)
        };
        [0, 1].map(|axis| [p[axis] - reach(axis), p[axis] + reach(axis)])
    }

    /// How far bodies are moved.
    pub(super) fn way(&self, count: [i8; 2]) -> [f64; 2] {
        [f64::from(count[0]) * self.periods().length(0), f64::from(count[1]) * self.periods().length(1)]
    }

    /// What touches a shape or, of bodies, any of their images.
    pub(super) fn overlap_images(
        &self,
        asked: impl Imaged,
        row: usize,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Target>,
    ) -> Result<(), Error> {
        if asked.is_empty() {
            found.clear();
            return Ok(());
        }
        let back = self.back(asked.anchor());
        let shape = asked.moved(&back.way([0, 0]));
        // Held against bodies as it stands, unless that is too far.
        let (asked, beyond) = match back.count() {
            Some(beyond) => (asked, beyond),
            None => (shape, [0, 0]),
        };
        let [x0, y0, x1, y1] = shape.bounds();
        let (mut cover, mut near) = (self.cover(), shape);
        if beyond != [0, 0] {
            // Once for having been moved here.
            near = shape.grown();
            let [x2, y2, x3, y3] = near.bounds();
            for (cover, [low, high]) in cover.iter_mut().zip([[x0 - x2, x3 - x1], [y0 - y2, y3 - y1]]) {
                *cover = [cover[0] - high, cover[1] + low];
            }
        }
        let mut all = Vec::new();
        let counts = self.counts([[x0, x1], [y0, y1]], cover, Kind::Query, row)?;
        found.clear();
        for count in counts {
            let total = [0, 1].map(|axis| i32::from(count[axis]) + beyond[axis]);
            if total == [0, 0] && beyond == [0, 0] {
                self.overlap_plainly(shape, filter, found);
            } else {
                let (way, by) = (self.way(count), self.periods().far_shift(total));
                self.overlap_plainly(near.moved(&Move::by(way).reverse()).grown(), filter, found);
                found.retain(|target| match target.kind {
                    TargetKind::Circle => asked.touches_circle_image(self.circle_by_name(target.row), &by),
                    _ => asked.touches_segment_image(self.scene.segment(target.row), &by),
                });
            }
            all.append(found);
        }
        all.sort_unstable();
        all.dedup();
        *found = all;
        Ok(())
    }

    /// What is asked of each of many, chunks of them side by side, in their order; `out` is left alone where one has a fault, which is that of the
    /// first who has.
    pub(super) fn each_image<T: Clone + Default + Send>(
        &self,
        count: usize,
        out: &mut Vec<T>,
        ask: impl Fn(usize) -> Result<T, Error> + Sync,
    ) -> Result<(), Error> {
        let (before, fault) = (out.len(), AtomicUsize::new(count));
        out.resize(before + count, T::default());
        self.pool.run(count, |split| {
            split.chunks(&mut out[before..], CHUNK, |first, out| {
                for (row, out) in (first..).zip(out) {
                    let Ok(found) = ask(row) else {
                        fault.fetch_min(row, Ordering::Relaxed);
                        return;
                    };
                    *out = found;
                }
            });
        });
        let fault = fault.into_inner();
        if fault < count {
            out.truncate(before);
            return ask(fault).map(|_| ());
        }
        out.drain(..before);
        Ok(())
    }

    /// A circle, by the caller's row.
    pub(super) fn circle_by_name(&self, row: u32) -> Circle {
        let (circles, row) = (self.plane.unwrap_or_default().circles, row as usize);
        Circle { center: Vec2::new(circles.x[row], circles.y[row]), radius: circles.radius[row] }
    }

    /// The nearest `k` bodies by their images: those first asked whose bodies are nearest to the point, so that others matter less, or not at all.
    pub(super) fn nearest_images(
        &self,
        point: Vec2,
        row: usize,
        k: usize,
        max: f32,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Nearest>,
    ) -> Result<(), Error> {
        let back = self.back(point);
        let folded = back.place();
        let (cover, mut limit) = (self.cover(), max);
        let counts = self.counts(self.around(folded, f64::from(max)), cover, Kind::Query, row)?;
        let mut images: Vec<_> = counts.into_iter().enumerate().collect();
        images.sort_by(|one, two| self.off(folded, one.1, cover).total_cmp(&self.off(folded, two.1, cover)));
        let (mut all, mut some): (Vec<(Nearest, usize)>, Vec<Nearest>) = (Vec::new(), Vec::new());
        for (turn, count) in images {
            let ranges = self.ranges(self.around(folded, f64::from(limit)), cover);
            if (0..2).any(|axis| count[axis] < ranges[axis][0] || count[axis] > ranges[axis][1]) {
                continue;
            }
            let way = back.way(count.map(i64::from));
            self.nearest_plainly(way.moved(point), k, limit, filter, &mut some);
            all.extend(some.drain(..).map(|record| {
                let point = way.reverse().moved(record.point);
                (Nearest { point, ..record }, turn)
            }));
            if all.len() >= k {
                first_of_each(&mut all, k);
            }
            // Who is as near as the last of so many may still come before it.
            if let Some((last, _)) = all.get(k.wrapping_sub(1)) {
                limit = last.distance;
            }
        }
        first_of_each(&mut all, k);
        found.clear();
        found.extend(all.into_iter().map(|(record, _)| record));
        Ok(())
    }

    /// The square of how far a point is from what covers all bodies, moved by so many periods.
    fn off(&self, p: [f64; 2], count: [i8; 2], cover: Cover) -> f64 {
        let way = self.way(count);
        let off = [0, 1].map(|axis| {
            let (below, above) = (cover[axis][0] + way[axis] - p[axis], p[axis] - cover[axis][1] - way[axis]);
            if below > 0.0 {
                below
            } else if above > 0.0 {
                above
            } else {
                0.0
            }
        });
        off[0] * off[0] + off[1] * off[1]
    }
}

/// The first `k` in the order of distance, kind, row, each body once: of images at one distance that whose turn is the first.
fn first_of_each(all: &mut Vec<(Nearest, usize)>, k: usize) {
    let distance = |(one, _): &(Nearest, usize), (two, _): &(Nearest, usize)| one.distance.total_cmp(&two.distance);
    all.sort_by(|one, two| {
        one.0.target.cmp(&two.0.target).then_with(|| distance(one, two)).then_with(|| one.1.cmp(&two.1))
    });
    all.dedup_by_key(|(record, _)| record.target);
    all.sort_by(|one, two| distance(one, two).then_with(|| one.0.target.cmp(&two.0.target)));
    all.truncate(k);
}
