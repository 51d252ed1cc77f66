//! What may be asked about: a disc (a point is one of radius 0), a box, a segment with a radius.
//!
//! Comes in: one shape, valid. Goes out: its box, candidates eight at a time, exact answers about one body. This room does not know
//! cells.

use super::area::Bounds;
use super::pairs;
use crate::geometry::{self, Aabb, Capsules, Circle, Circles, Segment};
use crate::kernels::{Kernels, LANES, Near, Wall};

/// See the head of the module. Bits of masks beyond the first `count` are 0.
pub(super) trait Shape: Copy {
    /// Around it, or a little more.
    fn bounds(&self) -> Bounds;
    /// Both ends and the radius where it is long: then cells along it are looked at instead of its box.
    fn core(&self) -> Option<([[f32; 2]; 2], f32)> {
        None
    }
    /// Circles that may touch it, none above `largest`, and those of them that surely do.
    fn circle_masks<K: Kernels>(&self, circles: Circles<'_>, largest: f32, start: u32, count: u32) -> [u32; 2];
    /// The same of segments.
    fn segment_masks<K: Kernels>(&self, segments: Capsules<'_>, start: u32, count: u32) -> [u32; 2];
    /// Exact.
    fn touches_circle(&self, circle: Circle) -> bool;
    /// Exact.
    fn touches_segment(&self, segment: Segment) -> bool;
}

/// 2^-48, 32 times the rounding unit of double precision: relative margin of what is sure.
const BOUND: f64 = 1.0 / (1u64 << 48) as f64;

/// The discs surely have a point in common. Double precision neither over- nor underflows here; the left side is off by 4e of itself, the
/// right side by 5e.
#[inline(always)]
fn surely_meet(a: Circle, b: Circle) -> bool {
    let [ax, ay, ra] = [a.center.x, a.center.y, a.radius].map(f64::from);
    let [bx, by, rb] = [b.center.x, b.center.y, b.radius].map(f64::from);
    let (dx, dy, total) = (bx - ax, by - ay, ra + rb);
    dx * dx + dy * dy <= total * total * (1.0 - BOUND)
}

/// All of `other` is surely on one side of the line through `segment`, and further from it than both radii reach. The heights of its ends,
/// times |d|, are off by 4.1e of the sums of absolute values, the radii times |d| are less than T (|dx| + |dy|). Nothing over- or underflows.
#[inline(always)]
fn surely_beside(segment: Segment, other: Segment) -> bool {
    let [x, y, x1, y1, r] =
        [segment.start.x, segment.start.y, segment.end.x, segment.end.y, segment.radius].map(f64::from);
    let (dx, dy) = (x1 - x, y1 - y);
    let reach = (r + f64::from(other.radius)) * (dx.abs() + dy.abs()) * (1.0 + BOUND);
    let [a, b] = [other.start, other.end].map(|end| {
        let (left, right) = (dx * (f64::from(end.y) - y), dy * (f64::from(end.x) - x));
        (left - right, reach + BOUND * (left.abs() + right.abs()))
    });
    (a.0 > a.1 && b.0 > b.1) || (a.0 < -a.1 && b.0 < -b.1)
}

/// A point of the segment is surely within reach of the disc. In double precision, e = 2^-53: t, whatever its error, lies in 0..=1, so
/// `a + t d` is a point of the segment, and q is off from what leads there by e (2.1 |w| + 3.1 |d|). h leaves 31e (|w| + |d| + T) of room
/// for that and for the rounding of T, the factor of h h for the rounding of both squares. Nothing overflows; where q q underflows, h h
/// is far above (h is a multiple of 2^-201 at least).
#[inline(always)]
fn surely_touch(circle: Circle, segment: Segment) -> bool {
    let [x, y, r] = [circle.center.x, circle.center.y, circle.radius].map(f64::from);
    let [ax, ay, bx, by] = [segment.start.x, segment.start.y, segment.end.x, segment.end.y].map(f64::from);
    let (dx, dy, wx, wy, total) = (bx - ax, by - ay, x - ax, y - ay, r + f64::from(segment.radius));
    let t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    // Not a number where the segment is a point: its start.
    let t = if t > 0.0 { if t < 1.0 { t } else { 1.0 } } else { 0.0 };
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let h = total - BOUND * (dx.abs() + dy.abs() + wx.abs() + wy.abs() + total);
    h > 0.0 && qx * qx + qy * qy <= h * h * (1.0 - BOUND)
}

/// All lanes up to `count`, none of them surely.
#[inline(always)]
fn all(count: u32) -> [u32; 2] {
    let count = if count < LANES as u32 { count } else { LANES as u32 };
    [(1 << count) - 1, 0]
}

impl Shape for Circle {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        let [x, y, r] = [self.center.x, self.center.y, self.radius].map(f64::from);
        // Off by 2^-53 of themselves: less than the margin of whoever asks.
        [x - r, y - r, x + r, y + r]
    }

    #[inline(always)]
    fn circle_masks<K: Kernels>(&self, circles: Circles<'_>, largest: f32, start: u32, count: u32) -> [u32; 2] {
        let [may, surely] = pairs::probes(self.center, [self.radius; 2], largest);
        [K::circle_mask(circles, may, start, count), K::circle_mask(circles, surely, start, count)]
    }

    #[inline(always)]
    fn segment_masks<K: Kernels>(&self, segments: Capsules<'_>, start: u32, count: u32) -> [u32; 2] {
        K::near_masks(segments, &Near::new(self.center.into(), self.radius), start, count)
    }

    #[inline(always)]
    fn touches_circle(&self, circle: Circle) -> bool {
        surely_meet(*self, circle) || geometry::circles_touch(*self, circle)
    }

    #[inline(always)]
    fn touches_segment(&self, segment: Segment) -> bool {
        surely_touch(*self, segment) || geometry::circle_touches_segment(*self, segment)
    }
}

impl Shape for Aabb {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        [self.min.x, self.min.y, self.max.x, self.max.y].map(f64::from)
    }

    #[inline(always)]
    fn circle_masks<K: Kernels>(&self, _: Circles<'_>, _: f32, _: u32, count: u32) -> [u32; 2] {
        all(count)
    }

    #[inline(always)]
    fn segment_masks<K: Kernels>(&self, _: Capsules<'_>, _: u32, count: u32) -> [u32; 2] {
        all(count)
    }

    #[inline(always)]
    fn touches_circle(&self, circle: Circle) -> bool {
        geometry::circle_touches_aabb(circle, *self)
    }

    #[inline(always)]
    fn touches_segment(&self, segment: Segment) -> bool {
        geometry::segment_touches_aabb(segment, *self)
    }
}

/// A segment and the kernels' form of it.
#[derive(Clone, Copy)]
pub(super) struct Thick {
    segment: Segment,
    wall: Wall,
}

impl Thick {
    pub(super) fn segment(&self) -> Segment {
        self.segment
    }

    pub(super) fn new(segment: Segment) -> Thick {
        Thick { segment, wall: Wall::new(segment.start.into(), segment.end.into(), segment.radius) }
    }
}

impl Shape for Thick {
    fn bounds(&self) -> Bounds {
        let Segment { start, end, radius } = self.segment;
        let [x0, y0, x1, y1, r] = [start.x, start.y, end.x, end.y, radius].map(f64::from);
        let (left, right) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
        let (low, high) = if y0 < y1 { (y0, y1) } else { (y1, y0) };
        [left - r, low - r, right + r, high + r]
    }

    #[inline(always)]
    fn core(&self) -> Option<([[f32; 2]; 2], f32)> {
        Some(([self.segment.start.into(), self.segment.end.into()], self.segment.radius))
    }

    #[inline(always)]
    fn circle_masks<K: Kernels>(&self, circles: Circles<'_>, largest: f32, start: u32, count: u32) -> [u32; 2] {
        let (wall, radius) = (&self.wall, self.segment.radius);
        let [may, surely] = [wall.reach(largest), pairs::surely(wall, radius, largest)];
        [K::wall_mask(circles, wall, may, start, count), K::wall_mask(circles, wall, surely, start, count)]
    }

    #[inline(always)]
    fn segment_masks<K: Kernels>(&self, _: Capsules<'_>, _: u32, count: u32) -> [u32; 2] {
        all(count)
    }

    #[inline(always)]
    fn touches_circle(&self, circle: Circle) -> bool {
        surely_touch(circle, self.segment) || geometry::circle_touches_segment(circle, self.segment)
    }

    #[inline(always)]
    fn touches_segment(&self, segment: Segment) -> bool {
        let apart = surely_beside(self.segment, segment) || surely_beside(segment, self.segment);
        !apart && geometry::segments_touch(segment, self.segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// On a small grid, so that much touches exactly, a few units in the last place off, at some scale.
    fn number(state: &mut u64, scale: f32) -> f32 {
        let (whole, off) = ((next(state) % 9) as f32 - 4.0, next(state) % 7);
        let v = whole * scale;
        match off {
            0 => v.next_up(),
            1 => v.next_down(),
            _ => v,
        }
    }

    #[test]
    fn what_is_sure_is_so_and_most_is_sure() {
        let (mut g, mut sure, mut decided) = (11, [0; 3], [0; 3]);
        for k in 0..200_000 {
            let scale = [1.0, 1e-3, 1e-30, 1e-42, 1e30, 3e37][k % 6];
            let mut point = || [number(&mut g, scale), number(&mut g, scale)];
            let points = [point(), point(), point(), point()];
            let radius = [0.0, 1.0, 2.0, 0.37][next(&mut g) as usize % 4] * scale;
            let circle = Circle::new(points[0], radius);
            let other = Circle::new(points[1], number(&mut g, scale).abs());
            let segment = Segment { radius: other.radius, ..Segment::new(points[1], points[2]) };
            let long = Segment { radius, ..Segment::new(points[0], points[3]) };
            let meets = [
                (surely_meet(circle, other), geometry::circles_touch(circle, other)),
                (surely_touch(circle, segment), geometry::circle_touches_segment(circle, segment)),
                (
                    surely_beside(long, segment) || surely_beside(segment, long),
                    !geometry::segments_touch(segment, long),
                ),
            ];
            for (kind, (is_sure, is_so)) in meets.into_iter().enumerate() {
                assert!(!is_sure || is_so, "{kind}: {circle:?} {other:?} {segment:?} {long:?}");
                sure[kind] += usize::from(is_sure);
                decided[kind] += usize::from(is_so);
            }
        }
        for kind in 0..3 {
            assert!(2 * sure[kind] > decided[kind] && sure[kind] < decided[kind], "{kind}: {sure:?} {decided:?}");
        }
    }
}
