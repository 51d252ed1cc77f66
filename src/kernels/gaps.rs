//! How far outlines are from a circle: what both texts compute.
//!
//! Comes in: eight pairs of circles, or of a circle and a segment with a radius. Goes out: the nearest point of the second one's outline, the
//! separation, the feature,
//! where double precision is sure that each is the `f32` nearest to the exact one: then it is what `geometry::circle_circle_gap` and
//! `circle_segment_gap` say, and those say the rest. The scalar text is sure of nothing: its values are those of `geometry`, the reference.
//!
//! A value v that is off by at most o is sure where v - o and v + o round to the same finite `f32`. e = 2^-53; nothing under- or overflows,
//! and every bound leaves e |v| of room for the rounding of v - o and v + o themselves.
//!
//! **Circles**: d = B - A; l = |d|; separation = l - (ra + rb), off by 3e l, e of the sum of radii, e of the difference: o = 5.5e (l + ra + rb).
//! point = B - d (1/l) rb: the product is off by 7e of itself (d by 1, l by 3, one more each for 1/l and two products), the difference by e:
//! o = 10e (|B| + |d (1/l) rb|). Equal centres make it NaN, which is never sure.
//!
//! **Segments**: feature, D, g and n as for contacts in the head of [`super`], T = r + R, S = (|dx wy| + |dy wx|) / |g| on the flank and 0 at
//! an end. D is off by 4.01e S + 5e D, so separation = D - T by that and 2e (D + T): o = 16e (S + D + T). The point of the outline is at an end
//! Q - n R: n is off by 6e of itself, o = 16e (|Q| + R); on the flank p + n (D - R), where D - R is off by 4.01e S + 6e (D + R), n by
//! 6e: o = 24e (|p| + S + D + R). The feature is sure as it is for contacts, the side of the flank if |c| exceeds its bound.

use super::LANES;

/// Eight circles: centres by axes, radii.
pub(crate) type Eight = [[f32; LANES]; 3];

/// What is known of eight pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gaps {
    /// Point, separation, the bits of the feature, the word that was given, what the second one is called, and two words of zeros.
    pub(crate) records: [[f32; 8]; LANES],
    /// Bits of the lanes of which all is sure.
    pub(crate) sure: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Capsules, Circle, Gap, Segment, Vec2, circle_circle_gap, circle_segment_gap};
    use crate::kernels::{InstructionSet, Kernels, Operation, dispatch};

    struct OfCircles([[f32; 4]; 2]);

    impl Operation for OfCircles {
        const AVX512: bool = true;
        type Output = Gaps;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Gaps {
            let [x, y, radius, _] = self.0[0];
            K::circle_gaps(&[[x; LANES], [y; LANES], [radius; LANES]], &[self.0[1]; LANES], 7)
        }
    }

    struct OfSegments<'a>(Circle, Capsules<'a>);

    impl Operation for OfSegments<'_> {
        const AVX512: bool = true;
        type Output = Gaps;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Gaps {
            let Circle { center: Vec2 { x, y }, radius } = self.0;
            K::segment_gaps(&[[x; LANES], [y; LANES], [radius; LANES]], self.1, &[0; LANES], 7)
        }
    }

    /// What a lane says that is sure.
    fn record(Gap { point, separation, feature }: Gap, called: u32) -> [u32; 8] {
        let [x, y, gap] = [point.x, point.y, separation].map(f32::to_bits);
        [x, y, gap, bytemuck::cast(feature), 7, called, 0, 0]
    }

    /// The same pair in all lanes, from either side: all are sure, or none. How many texts are, of those in lanes, from the first one.
    fn check_circles(a: Circle, b: Circle) -> usize {
        let mut sure = [0; 2];
        for (own, other, from) in [(a, b, 0), (b, a, 1)] {
            let words = [own, other].map(|circle| [circle.center.x, circle.center.y, circle.radius, f32::NAN]);
            let expected = circle_circle_gap(own, other).unwrap();
            for (backend, set) in InstructionSet::texts() {
                let gaps = dispatch(backend, set, OfCircles(words));
                for k in (0..LANES).filter(|k| gaps.sure >> k & 1 == 1) {
                    let (found, expected) =
                        (gaps.records[k].map(f32::to_bits), record(expected, words[1][3].to_bits()));
                    assert_eq!(found, expected, "{own:?} {other:?}");
                }
                assert!([0, 255].contains(&gaps.sure), "{:b}", gaps.sure);
                sure[from] += usize::from(gaps.sure != 0);
            }
        }
        sure[0]
    }

    fn check_segment(circle: Circle, wall: Segment) -> usize {
        let (start, end) = (wall.start, wall.end);
        let segments = Capsules { x0: &[start.x], y0: &[start.y], x1: &[end.x], y1: &[end.y], radius: &[wall.radius] };
        let expected = circle_segment_gap(circle, wall).unwrap();
        let mut sure = 0;
        for (backend, set) in InstructionSet::texts() {
            let gaps = dispatch(backend, set, OfSegments(circle, segments));
            for k in (0..LANES).filter(|k| gaps.sure >> k & 1 == 1) {
                assert_eq!(gaps.records[k].map(f32::to_bits), record(expected, 0), "{circle:?} {wall:?}");
            }
            assert!([0, 255].contains(&gaps.sure), "{:b}", gaps.sure);
            sure += usize::from(gaps.sure != 0);
        }
        sure
    }

    #[test]
    fn what_is_sure_is_what_the_pairwise_functions_say() {
        let mut state = 3u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / 16_777_216.0
        };
        let mut sure = [[0; 5]; 2];
        for case in 0..20_000 {
            // One scale; or numbers of very different size, so that differences are rounded; or a lattice with -0; or what overflows.
            let mut number = || match case % 5 {
                0 => draw() - 0.5,
                1 => (draw() - 0.5) * (2.0f32).powi((draw() * 60.0) as i32 - 40),
                2 => -((draw() * 7.0).floor() - 3.0),
                3 => (draw() - 0.5) * (2.0f32).powi(-30 * i32::from(draw() < 0.5)),
                _ => (2.0 * draw() - 1.0) * 3e38,
            };
            let [p, q, a, b] = [0; 4].map(|_| [number(), number()]);
            let [r, s, t] = [number().abs(), number().abs(), if case % 10 < 5 { 0.0 } else { number().abs() }];
            sure[0][case % 5] += check_circles(Circle::new(p, r), Circle::new(q, s));
            sure[1][case % 5] += check_segment(Circle::new(p, r), Segment::new(a, b).with_radius(t));
            // Radii that leave next to nothing of a coordinate of a point.
            let d = [0, 1].map(|axis| f64::from(q[axis]) - f64::from(p[axis]));
            let back = d[case / 5 % 2] / (d[0] * d[0] + d[1] * d[1]).sqrt();
            let radius = |p: [f32; 2]| (f64::from(p[case / 5 % 2]) / back).abs() as f32;
            if radius(p).is_finite() && radius(q).is_finite() {
                check_circles(Circle::new(p, radius(p)), Circle::new(q, radius(q)));
            }
            // Radii that leave next to nothing of the separation.
            let (length, part) = ((d[0] * d[0] + d[1] * d[1]).sqrt(), f64::from(draw()));
            if length < 1e30 {
                let rest = ((1.0 - part) * length) as f32;
                check_circles(Circle::new(p, (part * length) as f32), Circle::new(q, rest));
            }
        }
        let many = 500 * (InstructionSet::texts().len() - 1);
        assert!(sure.iter().all(|sure| sure[..4].iter().all(|&n| n > many)), "{sure:?}");
    }

    #[test]
    fn separations_at_their_worst() {
        // Two centres and two radii: see `tests/worst_roundings.rs`.
        for case in [
            [0x0000_0000, 0x2d12_cc88, 0x3c00_000a, 0x3f80_003f, 0x350f_d3ee, 0x2d3f_9f44],
            [0x0000_0000, 0x2d21_c278, 0x3d00_001b, 0x3f80_00e9, 0x3586_9b9b, 0x2d40_7ec0],
            [0x0000_0000, 0x2d21_c278, 0x3d00_001b, 0x3f80_00e9, 0x3633_4dce, 0x2d3e_7ed1],
        ] {
            let [px, py, qx, qy, r, s] = case.map(f32::from_bits);
            check_circles(Circle::new([px, py], r), Circle::new([qx, qy], s));
            check_circles(Circle::new([qy, qx], s), Circle::new([py, px], r));
        }
    }

    #[test]
    fn points_at_their_worst() {
        // Two centres and the radius of the second, found as those are: roundings of six 2^-53 one way, beside a middle.
        for case in [
            [0xbf82_72d0, 0xb212_70d4, 0x2fa0_803c, 0x4200_12c2, 0x4228_d0b8],
            [0xbf81_794a, 0x32f3_7b86, 0xafc6_84c4, 0x4200_3d3a, 0x423a_3173],
        ] {
            let [px, py, qx, qy, s] = case.map(f32::from_bits);
            for [p, q] in [[[px, py], [qx, qy]], [[py, px], [qy, qx]], [[-px, py], [-qx, qy]]] {
                check_circles(Circle::new(p, 0.5), Circle::new(q, s));
                check_circles(Circle::new(q, s), Circle::new(p, 0.5));
            }
        }
    }

    /// In all eight positions of the axes and both directions of the wall, at three scales: how many texts are sure, of 48 for each in lanes.
    fn check_everywhere(p: [f32; 2], r: f32, a: [f32; 2], b: [f32; 2], radius: f32) -> usize {
        let mut sure = 0;
        for (turn, scale) in (0..8).flat_map(|turn| [-40, 0, 40].map(|k| (turn, (2.0f32).powi(k)))) {
            let place = |[x, y]: [f32; 2]| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                [if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }].map(|v| v * scale)
            };
            for (a, b) in [(a, b), (b, a)] {
                let wall = Segment::new(place(a), place(b)).with_radius(radius * scale);
                sure += check_segment(Circle::new(place(p), r * scale), wall);
            }
        }
        sure
    }

    #[test]
    fn both_sides_and_both_ends_are_sure() {
        // All but the scalar one.
        let all = 48 * (InstructionSet::texts().len() - 1);
        for p in [[4.0, 3.0], [4.0, -3.0], [-3.0, 4.0], [12.0, 3.0]] {
            assert_eq!(check_everywhere(p, 0.5, [0.0, 0.0], [8.0, 0.0], 0.25), all, "{p:?}");
            // The same beside a slanted one: 4 and -1, 9 and 8 along it.
            assert_eq!(check_everywhere(p, 0.5, [0.0, 0.0], [8.0, 1.0], 0.25), all, "{p:?}");
        }
    }

    #[test]
    fn feet_and_sides_that_double_precision_gets_wrong() {
        let mut state = 7u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32
        };
        for _ in 0..2_000 {
            // Integers less numbers of about 2^-29, so that differences are rounded: square to the wall, or in line with it, but for those.
            let (x, y) = ((draw() / 4.0).floor() + 3.0, (draw() / 4.0).floor() + 3.0);
            let a = [draw(), draw()].map(|v| (v - 8_388_608.0) * (2.0f32).powi(-52));
            check_everywhere([-y, x], 1.0, a, [2.0 * x, 2.0 * y], x);
            check_everywhere([x, y], 1.0, a, [2.0 * x, 2.0 * y], x);
            // Near the wall, so that the height is what products of its length leave.
            let p = [0.5, 0.75].map(|v| (draw() * (2.0f32).powi(-23)) + v);
            check_everywhere([x + p[0], y + p[1]], 0.5 * p[0], a, [2.0 * x, 2.0 * y], 0.5 * p[1]);
        }
    }

    #[test]
    fn radii_that_leave_next_to_nothing_of_a_point() {
        // An end that is a radius from the origin on an axis, seen through it from a little beside that axis.
        for k in 1..1_000 {
            let radius = 1.0 + k as f32 / 4096.0;
            for beside in [20, 24].map(|places| k as f32 * (2.0f32).powi(-places)) {
                check_everywhere([radius - 3.0, beside], 0.5, [radius, 0.0], [2.0 * radius, 0.0], radius);
            }
        }
    }

    #[test]
    fn middles_that_roundings_leave() {
        // Walls along an axis: the height is right to within a few roundings of `f64`, and each case has a value exactly in the middle of two
        // neighbours, or off it by less than those. What the bound is a part of is there in all but one place.
        let (half, beside) = ((2.0f32).powi(-24), 0.3125);
        for length in 1..400 {
            let (left, right) = (-0.5 - length as f32, 0.5 + length as f32 * half);
            let check = |[height, r]: [f32; 2], [level, radius]: [f32; 2]| {
                check_everywhere([beside, level + height], r, [left, level], [right, level], radius)
            };
            for k in 0..4 {
                // 1, and the next three numbers.
                let one = 1.0 + k as f32 * f32::EPSILON;
                // The sum of the radii is a middle, and next to nothing is taken from it.
                check([(2.0f32).powi(-60), one], [0.0, half]);
                // A height of `one`, and radii of twice that and half a place, so that `one` and a half is left, below zero.
                check([one, 2.0 * one - 0.125], [-0.5, 0.125 + half]);
                // Only half a place is taken from the height.
                check([one, 0.0], [-0.5, half]);
                // Half a place from a wall that is `one` away, seen from an axis.
                check([one, 0.25], [-one, half]);
                // A wall that is 1 less an odd number of halves away, twice 1 from it: as far on the other side of the axis, and a middle.
                let less = 1.0 - (2 * k + 1) as f32 * half;
                check([less, 0.25], [-less, 2.0]);
            }
        }
    }
}
