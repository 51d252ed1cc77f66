//! A ray, or a circle on its way, against shapes: what both texts compute, and on what.
//!
//! Comes in: a [`Beam`], columns of segments or circles. Goes out: eight bits, each set unless the shape is *surely* missed. This room does
//! not know fractions: whoever asks evaluates the few that are left.
//!
//! The beam is o + p d / |d|², p >= 0, with d the direction times a power of two that brings its longer component into 1..2; so products
//! with it are of the size of the positions. With A the vector from o to a shape's end or centre, `c = d × A` is |d| times the distance
//! from the line, `p = d · A` how far along. The tests, each taken only where it is sure:
//!
//! 1. A plain segment from A to B: c(A) and c(B) of the same sign: apart from the whole line. Of opposite signs, the line is
//!    met at `t = A × e / d × e`, e = B - A, `d × e = c(B) - c(A)`: behind the start where `A × e` has the sign against that.
//!    Beyond the end, at `last`, if `|A × e|` is above `last (|c(A)| + |c(B)|)`.
//! 2. With R the sum of both radii: c(A) and c(B) both above, or both below, R |d|: apart from the strip. p(A) and p(B) both below -R |d|:
//!    behind; both above `far + R |d|`: beyond. The set of points within R of a segment is convex, so what holds for
//!    both discs about the ends holds for all of it. Circles are the same with A = B.
//!
//! **Sure**, u = 2^-24: as worked out in [`super::segment_segment`], `x = l - r` (or `l + r`) of two products, of which one
//! factor is now exact and the other a difference, or both are differences, is off by less than `4.01 u (|l| + |r|) + 2^-148`, and
//! `e = fl(8u fl(|l| + |r|) + floor)`, floor = 2^-100, is above that. To it `m = fl(fl(r1 + r2) · side)` is added, where
//! `side >= |d| (1 + 2^-18)`: three roundings take 3u of it, far less. Overflow makes e infinite or x not a number, and the comparison false:
//! not sure. `far` and
//! `last` are rounded up by 2^-18 of themselves too, which covers the three roundings of `last (|c(A)| + |c(B)|)`, the bounds of both c
//! added, and what underflows there is below floor.
//!
//! The shorter component of d is a `f32` unless it falls below 2^-126; where it is below 2^-60, and not zero, floor is infinite
//! and nothing is sure. A direction of zero makes all c and p zero: nothing is sure either.

/// See the head of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
    /// The radius of what flies.
    pub(crate) radius: f32,
    /// |d|, rounded up by more than what is lost on the way.
    pub(crate) side: f32,
    /// `p` at the end, rounded up likewise.
    pub(crate) far: f32,
    /// The last t, counted in d and rounded up likewise.
    pub(crate) last: f32,
    /// The last t rounded down; negative where it is so short that its own rounding would show.
    pub(crate) surely: f32,
    /// Added to all bounds.
    pub(crate) floor: f32,
    /// |d|², and bounds of one over it.
    pub(crate) square: f32,
    pub(crate) inverse: [f32; 2],
    /// A length of the direction in units of p, and of d.
    unit: f64,
    length: f64,
    /// The power of two that d was divided by.
    power: f64,
    /// One over it; infinite where the direction is zero.
    per: f64,
}

/// 2^-60.
const SHORT: f64 = 1.0 / (1u64 << 60) as f64;
/// 2^60.
const PLAIN: f64 = (1u64 << 60) as f64;
/// 1 + 2^-18.
const UP: f64 = 1.0 + 1.0 / 262_144.0;
const DOWN: f64 = 1.0 / UP;

impl Beam {
    /// From a point along a direction of any length, both finite.
    #[inline(always)]
    pub(crate) fn new(origin: [f32; 2], direction: [f32; 2], radius: f32) -> Beam {
        let (beam, square) = Beam::thin_and_square(origin, direction);
        Beam { radius, side: (square.sqrt() * UP) as f32, ..beam }
    }

    /// Without a radius, for [`super::foremost`] alone: where |d| matters, nothing is sure.
    #[inline(always)]
    pub(crate) fn thin(origin: [f32; 2], direction: [f32; 2]) -> Beam {
        Beam::thin_and_square(origin, direction).0
    }

    #[inline(always)]
    fn thin_and_square([x, y]: [f32; 2], direction: [f32; 2]) -> (Beam, f64) {
        let [vx, vy] = direction.map(f64::from);
        let (long, short) = if vx.abs() < vy.abs() { (vy.abs(), vx.abs()) } else { (vx.abs(), vy.abs()) };
        // 2^-k for 2^k <= long < 2^(k+1); as f64 even the least f32 has an exponent of its own.
        let exponent = long.to_bits() >> 52;
        let (scale, power) = if long > 0.0 {
            (f64::from_bits((2046 - exponent) << 52), f64::from_bits(exponent << 52))
        } else {
            (0.0, 0.0)
        };
        let (dx, dy) = (vx * scale, vy * scale);
        let blind = short > 0.0 && short * scale < SHORT;
        let square = dx * dx + dy * dy;
        let inverse = 1.0 / square;
        let beam = Beam {
            x,
            y,
            dx: dx as f32,
            dy: dy as f32,
            radius: 0.0,
            side: f32::INFINITY,
            far: f32::INFINITY,
            last: f32::INFINITY,
            surely: f32::INFINITY,
            floor: if blind { f32::INFINITY } else { super::TINY },
            square: square as f32,
            inverse: [(inverse * DOWN) as f32, (inverse * UP) as f32],
            unit: square * power * UP,
            length: power * UP,
            power,
            per: if long > 0.0 { scale } else { f64::INFINITY },
        };
        (beam, square)
    }

    /// A [`thin`](Self::thin) one as numbers.
    #[inline(always)]
    pub(crate) fn thin_parts(self) -> ([f32; 10], [f64; 3], [u32; 0]) {
        let Beam { x, y, dx, dy, floor, square, inverse, last, surely, .. } = self;
        ([x, y, dx, dy, floor, square, inverse[0], inverse[1], last, surely], [self.length, self.power, self.per], [])
    }

    /// The same back.
    #[inline(always)]
    pub(crate) fn of_thin_parts((floats, doubles, []): ([f32; 10], [f64; 3], [u32; 0])) -> Beam {
        let [x, y, dx, dy, floor, square, low, high, last, surely] = floats;
        let ([length, power, per], none, inverse) = (doubles, f32::INFINITY, [low, high]);
        let (radius, side, far, unit) = (0.0, none, none, 0.0);
        Beam { x, y, dx, dy, radius, side, far, last, surely, floor, square, inverse, unit, length, power, per }
    }

    /// So many lengths of the direction, counted in d and rounded up.
    #[inline(always)]
    pub(crate) fn count(&self, lengths: f64) -> f32 {
        let count = lengths * self.length;
        // Where it is very short, its own rounding would show.
        if count > SHORT { count as f32 } else { SHORT as f32 }
    }

    /// A little more than so many d, not negative, as lengths of the direction: what is met from there on is rounded to more than what is met
    /// before, if the beam [`is plain`](Self::is_plain).
    #[inline(always)]
    pub(crate) fn behind(&self, count: f32) -> f64 {
        (f64::from(count) * (1.0 + 1.0 / (1u64 << 22) as f64) + f64::from(super::foremost::CLOSE)) * self.per
    }

    /// So many lengths of the direction, counted in d and rounded down: what lies [`behind`](Self::behind) less than that many d is no longer
    /// than those lengths. With U = lengths · power, a count c below `fl(U (1 - 2^-18.1) - 2^-59)` has `c (1 + 2^-22) + 2^-60 < U (1 - 2^-19)`, which
    /// leaves far more than the roundings of either.
    #[inline(always)]
    pub(crate) fn less(&self, lengths: f64) -> f32 {
        (lengths * (self.power * DOWN) - 2.0 * SHORT) as f32
    }

    /// The direction is neither zero nor of a size at which fractions could leave the normal numbers.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        1.0 / PLAIN <= self.power && self.power <= PLAIN
    }

    /// Nothing behind this many lengths of the direction, zero or more, matters.
    #[inline(always)]
    pub(crate) fn set_limit(&mut self, lengths: f64) {
        // t v · d = t |d|² / scale; what underflows is far below floor.
        self.far = (lengths * self.unit) as f32;
        // Nothing is lost if it is taken for longer than it is.
        self.last = self.count(lengths);
        let surely = lengths * (self.power * DOWN);
        self.surely = if surely > SHORT { surely as f32 } else { -1.0 };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::{self, Capsules, Circle, Circles, Ray, Segment};
    use crate::kernels::{InstructionSet, Kernels, LANES, Operation, dispatch};

    /// Coordinates that collide, cancel, and leave the range.
    pub(in crate::kernels) const POOL: [f32; 20] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        3.0,
        1.000_000_1,
        0.999_999_94,
        -2.5,
        1e-45,
        -1e-40,
        1e-30,
        2.5e-19,
        1e-7,
        6.4e6,
        6_400_001.0,
        1e19,
        -1e30,
        3e38,
        -3.4e38,
    ];

    struct Masks<'a>(Capsules<'a>, Circles<'a>, Beam);

    impl Operation for Masks<'_> {
        type Output = [u32; 3];
        #[inline(always)]
        fn run<K: Kernels>(self) -> [u32; 3] {
            let Masks(segments, circles, beam) = self;
            let plain = if beam.radius == 0.0 { K::ray_mask(segments, &beam, 1, 7) } else { 0 };
            [plain, K::sweep_mask(segments, &beam, 1, 7), K::beam_mask(circles, &beam, 1, 7)]
        }
    }

    /// What every text says.
    fn of_all_texts<'a>(masks: impl Fn() -> Masks<'a>) -> [u32; 3] {
        let all: Vec<_> =
            InstructionSet::texts().iter().map(|&(backend, set)| dispatch(backend, set, masks())).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
        all[0]
    }

    #[test]
    fn nothing_that_is_met_is_sorted_out() {
        let mut g = 3u64;
        let mut bits = || {
            g = g.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (g >> 33) as usize
        };
        let (mut met, mut out) = ([0; 3], 0);
        for case in 0..30_000 {
            // The whole pool, local numbers, or a lattice.
            let mut number = || match case % 3 {
                0 => POOL[bits() % POOL.len()],
                1 => (bits() % 2048) as f32 / 100.0 - 10.0,
                _ => (bits() % 7) as f32 - 3.0,
            };
            // Eight rows and eight NaN, of which the first is not asked for.
            let mut columns: [Vec<f32>; 4] = [0; 4].map(|_| (0..LANES).map(|_| number()).collect());
            let (o, d, max) = ([number(), number()], [number(), number()], number().abs());
            let size = if case % 2 == 0 { 0.0 } else { number().abs() };
            let mut radius: Vec<f32> = columns[3].iter().map(|v| (v * size).abs()).collect();
            radius.iter_mut().filter(|r| !r.is_finite()).for_each(|r| *r = 1.0);
            columns.iter_mut().chain([&mut radius]).for_each(|column| column.extend([f32::NAN; LANES]));
            let [x0, y0, x1, y1] = &columns;
            let none: &[f32] = &[];
            let segments = Capsules { x0, y0, x1, y1, radius: if size > 0.0 { &radius } else { none } };
            let mut beam = Beam::new(o, d, 0.0);
            beam.set_limit(f64::from(max));
            let masks = Masks(segments, Circles { x: x0, y: y0, radius: &radius }, beam);
            let ray = Ray::new(o, d).with_max(max);
            let all = of_all_texts(|| Masks(masks.0, masks.1, masks.2));
            for k in 0..7 {
                let i = k + 1;
                let plain = Segment::new([x0[i], y0[i]], [x1[i], y1[i]]);
                let s = if size > 0.0 { radius[i] } else { 0.0 };
                let hits = [
                    geometry::ray_segment(ray, plain).is_some(),
                    geometry::ray_segment(ray, plain.with_radius(s)).is_some(),
                    geometry::ray_circle(ray, Circle::new([x0[i], y0[i]], radius[i])).is_some(),
                ];
                for which in 0..3 {
                    assert!(!hits[which] || all[which] >> k & 1 == 1, "{which}: {ray:?} {plain:?} {s} {}", radius[i]);
                    met[which] += usize::from(hits[which]);
                    out += usize::from(all[which] >> k & 1 == 0);
                }
            }
            assert_eq!(all.map(|mask| mask >> 7), [0; 3], "rows behind the count");
        }
        // Both happen often enough to mean something.
        assert!(met.iter().all(|&n| n > 10_000) && out > 200_000, "{met:?} {out}");
    }

    /// What all texts say of a segment, plain and with a radius, and of a circle about its first end: whether each is left.
    fn left(beam: Beam, [a, b]: [[f32; 2]; 2], radius: f32) -> [bool; 3] {
        let [x0, y0, x1, y1, radius] = [a[0], a[1], b[0], b[1], radius].map(|v| [v; LANES + 1]);
        let segments = Capsules { x0: &x0, y0: &y0, x1: &x1, y1: &y1, radius: &radius };
        let circles = Circles { x: &x0, y: &y0, radius: &radius };
        let all = of_all_texts(|| Masks(segments, circles, beam));
        assert!(all.iter().all(|mask| [0, 127].contains(mask)), "{all:?}");
        all.map(|mask| mask != 0)
    }

    #[test]
    fn what_just_touches_is_left_and_what_is_clearly_missed_is_not() {
        for (turn, exponent) in (0..8).flat_map(|turn| [-120, -40, 0, 3, 40, 120].map(|k| (turn, k))) {
            // The direction (4, 3), of length 5, and one across, in all eight positions of the axes; of any size, which changes nothing.
            let place = |along: f32, across: f32| {
                let (x, y) = (4.0 * along - 3.0 * across, 3.0 * along + 4.0 * across);
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                [if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }]
            };
            let direction = place(1.0, 0.0).map(|v| v * (2.0f32).powi(exponent));
            // From one length behind the origin to two before it.
            let from = place(-1.0, 0.0);
            let mut beam = Beam::new(from, direction, 0.0);
            beam.set_limit(3.0 * (2.0f64).powi(-exponent));
            // Across the way: a hair behind its start, on it, on its end, a hair beyond.
            for (along, met) in [(-1.0 - 1.0 / 1024.0, false), (-1.0, true), (2.0, true), (2.0 + 1.0 / 512.0, false)] {
                for [a, b] in [[1.0, -1.0], [-1.0, 1.0], [1.0, -0.125], [-0.125, 1.0], [0.0, 1.0]] {
                    // With an end on the line nothing is sure.
                    let expected = met || a * b == 0.0;
                    assert_eq!(left(beam, [place(along, a), place(along, b)], 0.0)[0], expected, "{turn} {along} {a}");
                }
            }
            // Beside the way.
            for across in [1.0 / 512.0, -1.0 / 512.0] {
                assert!(!left(beam, [place(0.0, across), place(1.0, 4.0 * across)], 0.0)[0]);
            }
            // Ends one unit, 5, beside the way, behind it and beyond it, and others farther off the same way.
            for (at, other) in [
                ([0.0, 1.0], [1.0, 2.0]),
                ([0.0, -1.0], [1.0, -2.0]),
                ([-2.0, 0.0], [-3.0, 1.0]),
                ([3.0, 0.0], [4.0, -1.0]),
            ] {
                let ends = [place(at[0], at[1]), place(other[0], other[1])];
                for flown in [0.0, 3.0] {
                    let mut beam = Beam::new(from, direction, flown);
                    beam.set_limit(3.0 * (2.0f64).powi(-exponent));
                    assert_eq!(left(beam, ends, 5.0 - flown)[1..], [true; 2], "{turn} {exponent} {at:?}");
                    // 2^-9 of 5 less.
                    let less = 5.0 - flown - 5.0 / 512.0;
                    assert_eq!(left(beam, ends, less)[1..], [false; 2], "{turn} {exponent} {at:?}");
                    assert_eq!(left(beam, [ends[1], ends[0]], less)[1..], [false; 2], "{turn} {exponent} {at:?}");
                }
            }
            // Without a limit nothing is beyond.
            let beam = Beam::new(from, direction, 0.0);
            assert_eq!(left(beam, [place(90.0, 1.0), place(90.0, -1.0)], 5.0), [true; 3]);
        }
    }

    #[test]
    fn directions_that_single_precision_cannot_hold() {
        // Times 2^-127 the shorter component is 2^-137 and a little, of which single precision keeps 12 bits: the way would miss its own
        // end by 2^-13 of that component, to either side, where roundings are allowed 2^-20.
        for (tail, far) in [(31.0, 2.0), (33.0, 0.5)] {
            let end = [(2.0f32).powi(127), (2.0f32).powi(-10) * (1.0 + tail / 262_144.0)];
            let ends = [end, [end[0], end[1] * far]];
            for (swap, sign) in [(false, 1.0), (false, -1.0), (true, 1.0), (true, -1.0)] {
                let [a, b] = ends.map(|[x, y]| if swap { [sign * y, x] } else { [x, sign * y] });
                assert!(geometry::ray_segment(Ray::new([0.0; 2], a), Segment::new(a, b)).is_some());
                assert_eq!(left(Beam::new([0.0; 2], a, 0.0), [a, b], 0.0), [true; 3]);
            }
        }
    }

    #[test]
    fn along_an_axis_what_is_beside_is_sorted_out() {
        for direction in [[4.0, 0.0], [-4.0, 0.0], [0.0, 4.0], [0.0, -4.0]] {
            // From two lengths before the origin to two behind it; one and two lengths beside, radii of just less than one, 4.
            let [x, y] = direction;
            let mut beam = Beam::new([-2.0 * x, -2.0 * y], direction, 0.0);
            beam.set_limit(4.0);
            for side in [1.0, -1.0] {
                let ends = [1.0, 2.0].map(|lengths| [-y * side * lengths, x * side * lengths]);
                assert_eq!(left(beam, ends, 4.0), [false, true, true], "{direction:?}");
                assert_eq!(left(beam, ends, 3.99), [false; 3], "{direction:?}");
            }
        }
    }

    #[test]
    fn the_least_numbers() {
        // Products of these are rounded to whole ones of them.
        let (least, mut met) = (f32::from_bits(1), 0);
        for (d, k) in
            [[5.0, 3.0], [3.0, -5.0], [-7.0, 6.0], [-2.0, -7.0]].iter().flat_map(|d| (0..4096).map(move |k| (*d, k)))
        {
            let number = |shift: u32| (k >> shift & 15) as f32;
            let (center, radius) = ([number(0) - 8.0, number(4) - 8.0].map(|v| v * least), number(8) * least);
            let mut beam = Beam::new([0.0; 2], d, 0.0);
            beam.set_limit(f64::from(4.0 * least));
            let ray = Ray::new([0.0; 2], d).with_max(4.0 * least);
            if geometry::ray_circle(ray, Circle::new(center, radius)).is_some() {
                assert_eq!(left(beam, [center; 2], radius)[1..], [true; 2], "{d:?} {center:?} {radius:e}");
                met += 1;
            }
        }
        assert!(met > 1000, "{met}");
    }

    #[test]
    fn ends_on_the_line_whose_differences_are_rounded() {
        let mut state = 17u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 24) % below) as i64
        };
        let mut rounded = 0;
        for _ in 0..200_000 {
            // The end is k times the direction from the start, all of them integers: it may be a `f32` where the difference is not.
            let (d, o, k) = ([draw(15) - 7, draw(15) - 7], [draw(64), draw(64)], (1 << 22) + draw(12 << 20));
            let [a, across] = [[o[0] + k * d[0], o[1] + k * d[1]], [-d[1] * k, d[0] * k]];
            if d == [0, 0] || a.iter().any(|&v| v as f32 as i64 != v) {
                continue;
            }
            rounded += usize::from((0..2).any(|axis| (k * d[axis]) as f32 as i64 != k * d[axis]));
            let [o, d, a, across] = [o, d, a, across].map(|v| v.map(|v| v as f32));
            for b in [[a[0] + across[0], a[1] + across[1]], [a[0] - across[0], a[1] - across[1]]] {
                assert_eq!(left(Beam::new(o, d, 0.0), [a, b], 0.0), [true; 3], "{o:?} {d:?} {a:?} {b:?}");
                assert_eq!(left(Beam::new(o, d, 0.0), [b, a], 0.0)[..2], [true; 2], "{o:?} {d:?} {a:?} {b:?}");
            }
        }
        assert!(rounded > 500, "{rounded}");
    }

    #[test]
    fn walls_at_the_limit_whose_ends_are_rounded() {
        let mut state = 19u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / 16_777_216.0
        };
        for _ in 0..20_000 {
            // From (0, y) along (1, 1): a wall that is x away is met at t = x. Its ends are 12 to 24 places above and below that, just enough
            // for their sides to be sure, and less y they are rounded by up to half of one.
            let (y, x) = (draw(), (1024.0 + 1024.0 * draw()).floor());
            let place = (2.0f32).powi(-13);
            let (high, low) = (x + y + (12.0 + 12.0 * draw()) * place, x + y - (12.0 + 12.0 * draw()) * place);
            for swap in [false, true] {
                let to = |x: f32, y: f32| if swap { [y, x] } else { [x, y] };
                let mut beam = Beam::new(to(0.0, y), [1.0, 1.0], 0.0);
                beam.set_limit(f64::from(x));
                assert!(left(beam, [to(x, high), to(x, low)], 0.0)[0], "{x} {y} {high} {low}");
                assert!(left(beam, [to(x, low), to(x, high)], 0.0)[0], "{x} {y} {high} {low}");
            }
        }
    }

    #[test]
    fn limits_that_single_precision_cannot_hold() {
        // 11 of the least numbers times 1.5 / 8 are 2.06 of them: a wall at 2 of them is met. Times 1 / 8, as d is scaled, 1.375 of them
        // would be rounded to 1, and 1.5 d to less than the wall. It is long, or all would be below what is allowed for underflow.
        let least = f32::from_bits(1);
        let (direction, max, wall) = ([1.5 / 8.0, 0.0], 11.0 * least, [[2.0 * least, -1e30], [2.0 * least, 1e30]]);
        let ray = Ray::new([0.0; 2], direction).with_max(max);
        assert!(geometry::ray_segment(ray, Segment::new(wall[0], wall[1])).is_some());
        let mut beam = Beam::new([0.0; 2], direction, 0.0);
        beam.set_limit(f64::from(max));
        assert!(left(beam, wall, 0.0)[0]);
    }
}
