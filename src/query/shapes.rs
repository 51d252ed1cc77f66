//! What may be asked about: a disc (a point is one of radius 0), a box, a segment with a radius.
//!
//! Comes in: one shape, valid. Goes out: its box, candidates eight at a time, exact answers about one body. This room does not know
//! cells.

use super::area::Bounds;
use super::pairs;
use crate::geometry::{self, Aabb, Capsules, Circle, Circles, Segment};
use crate::kernels::{Kernels, Near, Wall};

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
    fn circle_masks<K: Kernels>(&self, circles: Circles<'_>, _: f32, start: u32, count: u32) -> [u32; 2] {
        K::circle_frame_masks(circles, self, start, count)
    }

    #[inline(always)]
    fn segment_masks<K: Kernels>(&self, segments: Capsules<'_>, start: u32, count: u32) -> [u32; 2] {
        K::segment_frame_masks(segments, self, start, count)
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
    /// Around it.
    frame: Aabb,
}

impl Thick {
    pub(super) fn segment(&self) -> Segment {
        self.segment
    }

    pub(super) fn new(segment: Segment) -> Thick {
        // Sums are rounded once in double precision and once more, by less than an ulp.
        let [left, low, right, high] = around(segment);
        let [min, max] = [[left, low].map(|v| (v as f32).next_down()), [right, high].map(|v| (v as f32).next_up())];
        let wall = Wall::new(segment.start.into(), segment.end.into(), segment.radius);
        Thick { segment, wall, frame: Aabb::new(min, max) }
    }
}

/// The box around a segment with its radius.
fn around(segment: Segment) -> Bounds {
    let Segment { start, end, radius } = segment;
    let [x0, y0, x1, y1, r] = [start.x, start.y, end.x, end.y, radius].map(f64::from);
    let (left, right) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
    let (low, high) = if y0 < y1 { (y0, y1) } else { (y1, y0) };
    [left - r, low - r, right + r, high + r]
}

impl Shape for Thick {
    fn bounds(&self) -> Bounds {
        around(self.segment)
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
    fn segment_masks<K: Kernels>(&self, segments: Capsules<'_>, start: u32, count: u32) -> [u32; 2] {
        [K::segment_frame_masks(segments, &self.frame, start, count)[0], 0]
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
    use crate::kernels::{Backend, InstructionSet, LANES, Operation, dispatch};

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

    /// What a shape's masks tell of eight circles and eight segments.
    struct Masks<'a, S>(S, Circles<'a>, Capsules<'a>, u32);

    impl<S: Shape> Operation for Masks<'_, S> {
        type Output = [[u32; 2]; 2];
        #[inline(always)]
        fn run<K: Kernels>(self) -> [[u32; 2]; 2] {
            let Masks(shape, circles, segments, count) = self;
            let largest = circles.radius[..LANES].iter().fold(0.0, |most, &r| if r > most { r } else { most });
            [shape.circle_masks::<K>(circles, largest, 0, count), shape.segment_masks::<K>(segments, 0, count)]
        }
    }

    /// Of all that touches none is missed, and what surely touches does; either text says the same, and nothing of lanes beyond the last.
    #[test]
    fn masks_of_boxes_and_of_long_shapes_lose_nothing() {
        let (mut g, mut seen, texts) = (5, [[0; 3]; 3], [Backend::Scalar, Backend::Wide]);
        for round in 0..30_000 {
            let scale = [1.0, 1e-3, 1e-30, 1e-42, 1e30, 3e37][round % 6];
            let mut columns = [[f32::NAN; LANES]; 8];
            for column in &mut columns {
                *column = [0; LANES].map(|_| number(&mut g, scale));
            }
            columns[2] = columns[2].map(f32::abs);
            columns[7] = columns[7].map(|r| if round % 3 == 0 { 0.0 } else { r.abs() });
            let [x, y, radius, x0, y0, x1, y1, around] = &columns;
            let around: &[f32] = if round % 6 == 0 { &[] } else { around };
            let (circles, segments) = (Circles { x, y, radius }, Capsules { x0, y0, x1, y1, radius: around });
            let [a, b] = [0; 2].map(|_| [number(&mut g, scale), number(&mut g, scale)]);
            let corner = |pick: fn(f32, f32) -> f32| [pick(a[0], b[0]), pick(a[1], b[1])];
            let frame = Aabb::new(corner(|a, b| if a < b { a } else { b }), corner(|a, b| if a < b { b } else { a }));
            let thick = Segment::new(a, b).with_radius([0.0, 0.37, 1.0][round % 3] * scale);
            let count = 1 + round as u32 % LANES as u32;
            let there: Vec<(Circle, Segment)> = (0..count as usize)
                .map(|k| {
                    let radius = around.get(k).copied().unwrap_or(0.0);
                    let segment = Segment::new([x0[k], y0[k]], [x1[k], y1[k]]).with_radius(radius);
                    (Circle::new([x[k], y[k]], columns[2][k]), segment)
                })
                .collect();
            let set = InstructionSet::best();
            let of_frame = texts.map(|text| dispatch(text, set, Masks(frame, circles, segments, count)));
            let of_thick = texts.map(|text| dispatch(text, set, Masks(Thick::new(thick), circles, segments, count)));
            assert_eq!((of_frame[0], of_thick[0][1]), (of_frame[1], of_thick[1][1]), "{frame:?} {thick:?} {columns:?}");
            let mut check = |kind: usize, [may, surely]: [u32; 2], touches: &dyn Fn(usize) -> bool| {
                assert!(may < 1 << count && surely & !may == 0, "{kind}");
                for (k, of) in there.iter().enumerate() {
                    let (may, surely, touches) = (may >> k & 1 == 1, surely >> k & 1 == 1, touches(k));
                    assert!(!touches || may, "{kind}: {of:?} of {frame:?}, {thick:?} is lost");
                    assert!(touches || !surely, "{kind}: {of:?} of {frame:?}, {thick:?} is apart");
                    seen[kind] = [0, 1, 2].map(|n| seen[kind][n] + usize::from([may, touches, surely][n]));
                }
            };
            check(0, of_frame[0][0], &|k| geometry::circle_touches_aabb(there[k].0, frame));
            check(1, of_frame[0][1], &|k| geometry::segment_touches_aabb(there[k].1, frame));
            check(2, of_thick[0][1], &|k| geometry::segments_touch(there[k].1, thick));
        }
        // Boxes leave few to be asked about: what may touch and does not, and what touches and is not sure.
        for [may, touches, surely] in [seen[0], seen[1]] {
            assert!(touches > 50_000 && may - touches < touches / 4 && 2 * surely > touches, "{seen:?}");
        }
        // A long one asks all whose boxes meet its own: of 135 000 these.
        assert!(seen[2][1] > 30_000 && seen[2][0] < 110_000, "{seen:?}");
    }
}
