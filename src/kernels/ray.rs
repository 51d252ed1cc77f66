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
    /// Added to all bounds.
    pub(crate) floor: f32,
    /// A length of the direction in units of p, and of d.
    unit: f64,
    length: f64,
}

/// 2^-60.
const SHORT: f64 = 1.0 / (1u64 << 60) as f64;
/// 1 + 2^-18.
const UP: f64 = 1.0 + 1.0 / 262_144.0;

impl Beam {
    /// From a point along a direction of any length, both finite.
    #[inline(always)]
    pub(crate) fn new([x, y]: [f32; 2], direction: [f32; 2], radius: f32) -> Beam {
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
        Beam {
            x,
            y,
            dx: dx as f32,
            dy: dy as f32,
            radius,
            side: (square.sqrt() * UP) as f32,
            far: f32::INFINITY,
            last: f32::INFINITY,
            floor: if blind { f32::INFINITY } else { super::TINY },
            unit: square * power * UP,
            length: power * UP,
        }
    }

    /// Nothing behind this many lengths of the direction, zero or more, matters.
    #[inline(always)]
    pub(crate) fn set_limit(&mut self, lengths: f64) {
        // t v · d = t |d|² / scale; what underflows is far below floor.
        self.far = (lengths * self.unit) as f32;
        // Nothing is lost if it is taken for longer than it is; where it is very short, its own rounding would show.
        let last = lengths * self.length;
        self.last = if last > SHORT { last as f32 } else { SHORT as f32 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{self, Capsules, Circle, Circles, Ray, Segment};
    use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, dispatch};

    /// Coordinates that collide, cancel, and leave the range.
    const POOL: [f32; 20] = [
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
            let texts = [
                (Backend::Scalar, InstructionSet::Portable),
                (Backend::Wide, InstructionSet::Portable),
                (Backend::Wide, InstructionSet::best()),
            ];
            let ray = Ray::new(o, d).with_max(max);
            let all = texts.map(|(backend, set)| dispatch(backend, set, Masks(masks.0, masks.1, masks.2)));
            assert!(all[0] == all[1] && all[0] == all[2], "{all:?}");
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
                    assert!(
                        !hits[which] || all[0][which] >> k & 1 == 1,
                        "{which}: {ray:?} {plain:?} {s} {}",
                        radius[i]
                    );
                    met[which] += usize::from(hits[which]);
                    out += usize::from(all[0][which] >> k & 1 == 0);
                }
            }
            assert_eq!(all[0].map(|mask| mask >> 7), [0; 3], "rows behind the count");
        }
        // Both happen often enough to mean something.
        assert!(met.iter().all(|&n| n > 10_000) && out > 200_000, "{met:?} {out}");
    }
}
