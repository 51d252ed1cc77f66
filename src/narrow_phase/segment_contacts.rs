//! From a verdict to the contact of two segments.
//!
//! Comes in: two segments in the order of the caller's rows, what the kernels found. Goes out: the contact, with the values
//! that [`geometry::segment_segment`] gives, bit for bit: those are exact results rounded once, so any way to them will do.
//! This room does not know where the pair came from.
//!
//! Crossings are the bulk (47 000 of a city), so their values are first computed in plain `f64` with a bound, in
//! [`quick_crossing`]; only where the bound leaves two `f32` to choose from is the exact function asked.

use super::{SegmentClass, SegmentSegmentContact};
use crate::geometry::{self, Segment, SegmentRelation, Vec2};
use crate::kernels::segment_segment::{Crossing, Ends, Verdict};

/// The ends and the radius of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capsule<'a> {
    pub(crate) ends: &'a Ends,
    pub(crate) radius: f32,
}

impl Capsule<'_> {
    fn segment(self) -> Segment {
        let [x0, y0, x1, y1] = *self.ends;
        Segment::new([x0, y0], [x1, y1]).with_radius(self.radius)
    }
}

/// Appends the contact of `a` and `b` (rows `names`, the lower first) if they touch. `verdict` is about their cores.
#[inline(always)]
pub(crate) fn push_contact(
    out: &mut Vec<SegmentSegmentContact>,
    names: [u32; 2],
    a: Capsule<'_>,
    b: Capsule<'_>,
    verdict: Verdict,
) {
    if let Some(common) = verdict.ends() {
        out.push(touch(names, a.ends, common, false));
    } else if let Some(Found { class, point, t, u, to }) = doubtful(a, b, verdict) {
        out.push(SegmentSegmentContact { a: names[0], b: names[1], class, point, t, u, to });
    }
}

/// The contact of two that have one end in common, this end of the first (false: its start) and that of the second, and nothing else; the second
/// has the lower row if they are `swapped`.
#[inline(always)]
pub(crate) fn touch(
    [a, b]: [u32; 2],
    &[x0, y0, x1, y1]: &Ends,
    (end_of_first, end_of_second): (bool, bool),
    swapped: bool,
) -> SegmentSegmentContact {
    let (x, y) = if end_of_first { (x1, y1) } else { (x0, y0) };
    let point = Vec2 { x: x + 0.0, y: y + 0.0 }; // never -0, as in `geometry`
    let at = |end: bool| f32::from(u8::from(end));
    let (t, u) = if swapped { (end_of_second, end_of_first) } else { (end_of_first, end_of_second) };
    SegmentSegmentContact { a, b, class: SegmentClass::Touch, point, t: at(t), u: at(u), to: point }
}

/// The contact of two that surely cross so, or so in the other order if `swapped`.
#[inline(always)]
pub(crate) fn cross(names: [u32; 2], &Crossing { x, y, t, u, .. }: &Crossing, swapped: bool) -> SegmentSegmentContact {
    let (t, u) = if swapped { (u, t) } else { (t, u) };
    let point = Vec2 { x, y };
    SegmentSegmentContact { a: names[0], b: names[1], class: SegmentClass::Cross, point, t, u, to: point }
}

/// A contact without its rows.
#[derive(Clone, Copy, Debug)]
struct Found {
    class: SegmentClass,
    point: Vec2,
    t: f32,
    u: f32,
    to: Vec2,
}

/// All that the kernels and plain `f64` leave open.
#[cold]
#[inline(never)]
fn doubtful(a: Capsule<'_>, b: Capsule<'_>, verdict: Verdict) -> Option<Found> {
    let cores = match verdict {
        Verdict::APART => None,
        Verdict::CROSS => quick_crossing(a.ends, b.ends).or_else(|| exact(a, b)),
        _ => exact(a, b),
    };
    if cores.is_none() && a.radius + b.radius > 0.0 { near(a, b) } else { cores }
}

/// What `geometry` says of the cores.
fn exact(a: Capsule<'_>, b: Capsule<'_>) -> Option<Found> {
    let (class, point, t, u, to) = match geometry::segment_segment(a.segment(), b.segment()) {
        SegmentRelation::Disjoint => return None,
        SegmentRelation::Cross { point, t, u } => (SegmentClass::Cross, point, t, u, point),
        SegmentRelation::Touch { point, t, u } => (SegmentClass::Touch, point, t, u, point),
        SegmentRelation::Overlap { from, to } => {
            (SegmentClass::Overlap, from, place(from, a.ends), place(from, b.ends), to)
        }
    };
    Some(Found { class, point, t, u, to })
}

/// Where on a segment one of its points is that is an end of it or of another one on the same line.
fn place(p: Vec2, &[x0, y0, x1, y1]: &Ends) -> f32 {
    geometry::share_of(p.into(), [[x0, y0], [x1, y1]])
}

/// 2^-53, the rounding unit of `f64`.
const E: f64 = f64::EPSILON / 2.0;

/// What the kernels do, for what they were not sure of: the same bounds (see [`crate::kernels::segment_segment`]), narrowed to both boxes, and
/// a coordinate that may be zero is held against zero exactly.
fn quick_crossing(a: &Ends, b: &Ends) -> Option<Found> {
    const K: f64 = 8.0 * E;
    let ([ax0, ay0, ax1, ay1], [bx0, by0, bx1, by1]) = (a.map(f64::from), b.map(f64::from));
    let (rx, ry, sx, sy) = (ax1 - ax0, ay1 - ay0, bx1 - bx0, by1 - by0);
    let (wx, wy) = (bx0 - ax0, by0 - ay0);
    let cross = |px: f64, py: f64, qx: f64, qy: f64| {
        let (left, right) = (px * qy, py * qx);
        (left - right, left.abs() + right.abs())
    };
    let (d, sum_d) = cross(rx, ry, sx, sy);
    let (n_t, sum_t) = cross(wx, wy, sx, sy);
    let (n_u, sum_u) = cross(wx, wy, rx, ry);
    if K * sum_d > d.abs() * 0.25 {
        return None;
    }
    let inverse = 1.0 / d;
    let (t, u) = (n_t * inverse, n_u * inverse);
    let scale = 2.0 * K * inverse.abs();
    let off = |value: f64, sum: f64| (sum + value.abs() * sum_d) * scale + 4.0 * E * value.abs();
    let (off_t, off_u) = (off(t, sum_t), off(u, sum_u));
    let coordinate = |axis: usize, a0: f64, a1: f64, r: f64, b0: f64, b1: f64| {
        let step = t * r;
        let value = a0 + step;
        let off = off_t * r.abs() * 1.01 + 4.0 * E * (step.abs() + value.abs());
        let ((a_low, a_high), (b_low, b_high)) = (ordered(a0, a1), ordered(b0, b1));
        let (low, high) = (value - off, value + off);
        let low = if low < a_low { a_low } else { low };
        let low = if low < b_low { b_low } else { low };
        let high = if high > a_high { a_high } else { high };
        let high = if high > b_high { b_high } else { high };
        // Around zero `f32` are so dense that no bound tells which: walls through the origin need another way.
        if low < 0.0 && high > 0.0 && is_zero(a, b, axis) { (0.0, true) } else { round(low, high) }
    };
    let (x, sure_x) = coordinate(0, ax0, ax1, rx, bx0, bx1);
    let (y, sure_y) = coordinate(1, ay0, ay1, ry, by0, by1);
    let (t, sure_t) = round(t - off_t, t + off_t);
    let (u, sure_u) = round(u - off_u, u + off_u);
    if !(sure_x & sure_y & sure_t & sure_u) {
        return None;
    }
    let point = Vec2::new(x, y);
    Some(Found { class: SegmentClass::Cross, point, t, u, to: point })
}

/// Whether a coordinate of the crossing is surely zero: a₀ (r × s) + r (w × s) = 0, in integers, if a power of two makes all
/// coordinates integers below 2^39. Then differences are below 2^40, their cross products below 2^81, and the sum below 2^122.
#[cold]
#[inline(never)]
fn is_zero(a: &Ends, b: &Ends, axis: usize) -> bool {
    let largest = a.iter().chain(b).fold(0.0f32, |m, v| if v.abs() > m { v.abs() } else { m });
    // 2^e <= largest < 2^(e + 1); scaled by 2^(38 - e) it is below 2^39.
    let exponent = (f64::from(largest).to_bits() >> 52) as i32 - 1023;
    let scale = f64::from_bits(((1023 + 38 - exponent) as u64) << 52);
    let mut whole = true;
    let mut scaled = |v: &f32| {
        let v = f64::from(*v) * scale;
        whole &= (v as i64) as f64 == v;
        i128::from(v as i64)
    };
    let [a0, a1] = [[scaled(&a[0]), scaled(&a[1])], [scaled(&a[2]), scaled(&a[3])]];
    let [b0, b1] = [[scaled(&b[0]), scaled(&b[1])], [scaled(&b[2]), scaled(&b[3])]];
    let (r, s, w) = ([a1[0] - a0[0], a1[1] - a0[1]], [b1[0] - b0[0], b1[1] - b0[1]], [b0[0] - a0[0], b0[1] - a0[1]]);
    let cross = |p: [i128; 2], q: [i128; 2]| p[0] * q[1] - p[1] * q[0];
    whole && a0[axis] * cross(r, s) + r[axis] * cross(w, s) == 0
}

#[inline(always)]
fn ordered(p: f64, q: f64) -> (f64, f64) {
    if p < q { (p, q) } else { (q, p) }
}

/// The nearest `f32`, and whether it is that of the whole interval.
#[inline(always)]
fn round(low: f64, high: f64) -> (f32, bool) {
    let (low, high) = (low as f32, high as f32);
    (low + 0.0, low == high)
}

/// Two capsules whose cores do not meet: a contact if their distance is at most the sum of the radii. `point` is midway between the
/// outlines on the line of the two closest points, `t` and `u` are where those are on the cores.
fn near(a: Capsule<'_>, b: Capsule<'_>) -> Option<Found> {
    if surely_apart(a, b) {
        return None;
    }
    let (contact, [t, u]) = geometry::beside(a.segment(), b.segment())?;
    let point = contact.point;
    Some(Found { class: SegmentClass::Near, point, t, u, to: point })
}

/// Whether all ends are farther from the other core than both radii, by more than plain `f64` can be wrong: differences of `f32` are off by [`E`] of
/// themselves, and so a distance by less than 16·E of the way from an end of the core, which `slack` holds eight times. On the wrong side of a foot
/// at an end it is off by as little.
fn surely_apart(a: Capsule<'_>, b: Capsule<'_>) -> bool {
    const SLACK: f64 = 128.0 * E;
    let reach = f64::from(a.radius) + f64::from(b.radius);
    let is_far = |[x, y]: [f64; 2], [x0, y0, x1, y1]: [f64; 4]| {
        let (ex, ey, wx, wy) = (x1 - x0, y1 - y0, x - x0, y - y0);
        let (along, length2) = (wx * ex + wy * ey, ex * ex + ey * ey);
        let limit = (reach + SLACK * (ex.abs() + ey.abs() + wx.abs() + wy.abs())) * (1.0 + SLACK);
        let (distance2, unit2) = if along <= 0.0 {
            (wx * wx + wy * wy, 1.0)
        } else if along >= length2 {
            ((x - x1) * (x - x1) + (y - y1) * (y - y1), 1.0)
        } else {
            let cross = ex * wy - ey * wx;
            (cross * cross, length2)
        };
        distance2 > limit * limit * unit2
    };
    let [p, q] = [a.ends, b.ends].map(|ends| ends.map(f64::from));
    let both = |[x0, y0, x1, y1]: [f64; 4], other: [f64; 4]| is_far([x0, y0], other) && is_far([x1, y1], other);
    both(p, q) && both(q, p)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(a: Ends, ra: f32, b: Ends, rb: f32, verdict: Verdict) -> Option<SegmentSegmentContact> {
        let mut out = Vec::new();
        let (a, b) = (Capsule { ends: &a, radius: ra }, Capsule { ends: &b, radius: rb });
        push_contact(&mut out, [3, 8], a, b, verdict);
        assert!(out.len() <= 1);
        out.pop()
    }

    #[test]
    fn a_crossing_by_hand() {
        // (5,5) + t (10,6) = (5,10) + u (10,-4): t = u from x, 5 + 6t = 10 - 4t, t = 1/2, point (10, 8).
        let quick = quick_crossing(&[5.0, 5.0, 15.0, 11.0], &[5.0, 10.0, 15.0, 6.0]).expect("easy");
        assert_eq!((quick.point, quick.t, quick.u, quick.to), (Vec2::new(10.0, 8.0), 0.5, 0.5, quick.point));
        let contact = one([5.0, 5.0, 15.0, 11.0], 0.0, [5.0, 10.0, 15.0, 6.0], 0.0, Verdict::CROSS);
        let contact = contact.expect("a crossing");
        assert_eq!((contact.a, contact.b, contact.class, contact.point), (3, 8, SegmentClass::Cross, quick.point));
    }

    #[test]
    fn a_crossing_at_the_origin_is_told_quickly() {
        // Through (0, 0), each at its middle: t = u = 1/2. The bound around zero decides nothing, the integers do.
        let (a, b) = ([-0.1f32, -0.7, 0.1, 0.7], [-0.3, 0.9, 0.3, -0.9]);
        let quick = quick_crossing(&a, &b).expect("integers");
        assert_eq!((quick.point, quick.t, quick.u), (Vec2::ZERO, 0.5, 0.5));
        assert_eq!((quick.point.x.to_bits(), quick.point.y.to_bits()), (0, 0));
        assert!(is_zero(&a, &b, 0) && is_zero(&a, &b, 1));
        // Moved along by one ulp of one end it is not at x = 0 any more.
        let b = [-0.3f32.next_up(), 0.9, 0.3, -0.9];
        assert!(!is_zero(&a, &b, 0));
        // The ends of the range do not fit into integers: nothing is claimed.
        assert!(!is_zero(&[-1e30, -1e-30, 1e30, 1e-30], &[0.5, -1e20, -0.5, 1e20], 0));
    }

    #[test]
    fn quick_values_are_those_of_the_pair_function() {
        let mut g = 1u64;
        let mut random = || {
            g = g.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (g >> 40) as f32 / (1 << 24) as f32
        };
        let (mut quick, mut all) = (0, 0);
        for case in 0..250_000 {
            let scale = [1.0, 1e-30, 1e30, 100.0, 1.0][case % 5];
            let offset = [0.0, 0.0, 0.0, 6.4e6, 0.0][case % 5];
            let [a, b] = [0; 2].map(|_| {
                [0; 4].map(|_| {
                    // The last kind has differences that `f64` has to round, and much cancellation.
                    let spread = if case % 5 == 4 { (2.0f32).powf(60.0 * random() - 30.0) } else { 1.0 };
                    (random() - if case % 5 == 4 { 0.5 } else { 0.0 }) * spread * scale + offset
                })
            });
            let [p, q] = [Capsule { ends: &a, radius: 0.0 }, Capsule { ends: &b, radius: 0.0 }];
            let SegmentRelation::Cross { point, t, u } = geometry::segment_segment(p.segment(), q.segment()) else {
                continue;
            };
            all += 1;
            if let Some(found) = quick_crossing(&a, &b) {
                quick += 1;
                let bits = |p: Vec2, t: f32, u: f32| [p.x, p.y, t, u].map(f32::to_bits);
                assert_eq!(bits(found.point, found.t, found.u), bits(point, t, u), "{a:?} {b:?}");
            }
        }
        // Far from the origin, with coordinates of 24 bits, crossings midway between two f32 are common.
        assert!(all > 20_000 && quick > all * 9 / 10, "{quick} of {all}");
    }

    #[test]
    fn capsules_beside_each_other() {
        // 5 above the wall, over 3..10 of it: radii 2 + 3 reach, and the outlines meet at y = 2.
        let (a, b) = ([0.0, 0.0, 10.0, 0.0], [3.0, 5.0, 20.0, 5.0]);
        let contact = one(a, 2.0, b, 3.0, Verdict::APART).expect("near");
        assert_eq!(contact.class, SegmentClass::Near);
        // End of a at (10, 0) comes first: (10, 5) is 7 of 17 along b.
        assert_eq!((contact.point, contact.t, contact.u), (Vec2::new(10.0, 2.0), 1.0, 7.0 / 17.0));
        assert_eq!(one(a, 2.0, b, 3.0f32.next_down(), Verdict::APART), None);
        assert_eq!(one(a, 0.0, b, 0.0, Verdict::APART), None);
        // Cores that meet have the class of the cores, whatever the radii.
        let cross = one(a, 2.0, [5.0, -5.0, 5.0, 5.0], 3.0, Verdict::CROSS).expect("cross");
        assert_eq!((cross.class, cross.point, cross.t, cross.u), (SegmentClass::Cross, Vec2::new(5.0, 0.0), 0.5, 0.5));
    }

    #[test]
    fn near_values_are_those_of_the_pair_functions() {
        let mut g = 7u64;
        let mut random = || {
            g = g.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // On a lattice now and then: parallel cores, feet on ends.
            if g >> 62 == 0 {
                (g >> 40) as f32 / (1 << 21) as f32
            } else {
                ((g >> 40) as f32 / (1 << 22) as f32).floor()
            }
        };
        let mut near = 0;
        for _ in 0..20_000 {
            let [a, b] = [0; 2].map(|_| [0; 4].map(|_| random()));
            let (p, q) = (Capsule { ends: &a, radius: random() * 0.2 }, Capsule { ends: &b, radius: 0.5 });
            let (s, r) = (p.segment(), q.segment());
            if geometry::segment_segment(s, r) != SegmentRelation::Disjoint {
                continue;
            }
            let contact = one(a, p.radius, b, q.radius, Verdict::APART);
            let expected = geometry::capsule_capsule(s, r);
            assert_eq!(contact.map(|c| c.point), expected.map(|c| c.point), "{s:?} {r:?}");
            let Some(contact) = contact else { continue };
            near += 1;
            // One of the two is an end, the other the point of the other core nearest to it, at the separation told.
            let from_a = |t: f32| (t == contact.t).then(|| nearest(if t == 0.0 { s.start } else { s.end }, r));
            let from_b = |u: f32| (u == contact.u).then(|| nearest(if u == 0.0 { r.start } else { r.end }, s));
            let nearest_to_a = [0.0, 1.0].map(from_a).into_iter().flatten().filter(|n| n.t == contact.u);
            let nearest_to_b = [0.0, 1.0].map(from_b).into_iter().flatten().filter(|n| n.t == contact.t);
            let distance = |n: geometry::NearestOnSegment| n.distance - (p.radius + q.radius);
            let separation = expected.expect("a contact").separation;
            let close = |n| (distance(n) - separation).abs() <= 1e-6;
            assert!(nearest_to_a.chain(nearest_to_b).any(close), "{s:?} {r:?} {contact:?}");
        }
        assert!(near > 500, "{near}");
    }

    #[test]
    fn touching_by_an_ulp_is_touching_and_beyond_it_is_not() {
        // The end (0, 0) of one and the line through (4, 3)·s across, which is 5·s from it, or an end there; images of both.
        let far = 1.0e3f32;
        let (mut apart, mut touching) = (0, 0);
        for power in [-140, -60, -3, 0, 5, 60, 110] {
            let s = 2.0f32.powi(power / 2) * 2.0f32.powi(power - power / 2);
            for (line, end) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
                let across = if line {
                    [4.0 * s - 3.0 * s, 3.0 * s + 4.0 * s, 7.0 * s, -s]
                } else {
                    [4.0 * s, 3.0 * s, far * s, 8.0 * s]
                };
                let across = if end == 0 { across } else { [across[2], across[3], across[0], across[1]] };
                let stem = [0.0, 0.0, -far * s, -2.0 * s];
                for (r, expected) in
                    [((3.0 * s).next_down(), false), (3.0 * s, true), ((3.0 * s).next_up(), true), (2.5 * s, false)]
                {
                    for (a, b) in [(stem, across), (across, stem)] {
                        let found = one(a, r, b, 2.0 * s, Verdict::APART);
                        assert_eq!(found.is_some(), expected, "{power} {line} {end} {r}");
                        (apart, touching) = (apart + u32::from(!expected), touching + u32::from(expected));
                    }
                    let [p, q] = [stem, across].map(|ends| ends.map(|v| v / s));
                    let (p, q) = (Capsule { ends: &p, radius: r / s }, Capsule { ends: &q, radius: 2.0 });
                    // Single precision is coarse enough for double precision to know.
                    assert_eq!(surely_apart(p, q), !expected);
                }
            }
        }
        assert_eq!((apart, touching), (112, 112));
    }

    fn nearest(p: Vec2, s: Segment) -> geometry::NearestOnSegment {
        geometry::nearest_on_segment(p, s)
    }

    #[test]
    fn where_an_overlap_begins_is_rounded_once() {
        // (1 + 2^-23 + 2^-24) / (2^100 + 2^-24) is below (1 + 2^-23 + 2^-24) / 2^100, which is midway between two f32; an f64 cannot tell.
        let two = |power: i32| (2.0f32).powi(power);
        let contact =
            one([-two(-24), 0.0, two(100), 0.0], 0.0, [1.0 + two(-23), 0.0, two(99), 0.0], 0.0, Verdict::OPEN);
        assert_eq!(contact.expect("overlap").t.to_bits(), ((1.0 + two(-23)) * two(-100)).to_bits());
    }

    #[test]
    fn an_overlap_begins_at_its_first_end() {
        // In the direction of a, from 9 to 3: the overlap runs from (7, 7) to (3, 3); 7 is 2 of 6 along a, and the end of b.
        let contact = one([9.0, 9.0, 3.0, 3.0], 0.0, [1.0, 1.0, 7.0, 7.0], 0.0, Verdict::OPEN).expect("overlap");
        assert_eq!(contact.class, SegmentClass::Overlap);
        assert_eq!((contact.point, contact.to), (Vec2::new(7.0, 7.0), Vec2::new(3.0, 3.0)));
        assert_eq!((contact.t, contact.u), (1.0 / 3.0, 1.0));
    }
}
