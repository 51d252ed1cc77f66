//! How far shapes are from a point, roughly: what both texts compute.
//!
//! Comes in: a point, eight circles or eight segments with a radius. Goes out: numbers between which each distance lies, as `geometry`
//! rounds it, 0 inside a shape; nothing is known of a lane with 0 and infinity. The scalar text knows the distances themselves.
//!
//! Rounding to `f32` keeps the order, so what bounds the exact distance bounds the rounded one. `u = 2^-24`.
//!
//! **Circles**: the square is off by 4u of itself and 2^-148, so its root l by 3.1u l + 2^-74, and l - r by u (l + r) more. On either side
//! 8u (l + r) + 2^-72 are allowed for that, which leaves as much again for the sums with the allowance.
//!
//! **Segments**, as point–segment in the head of [`super`], but for any |w|: the foot's t |d| is off by 8.2u |w|, components of `q = w - t d` by
//! u (2.1 |w| + 3.2 |d|), so |q| differs from the distance to the core by u (10.3 |w| + 3.2 |d|) at most, its root by 3.1u of at most
//! |w| + |d|. On either side `E = 32u (|wx| + |wy| + |dx| + |dy| + R) + 1e-21`; underflow takes less than 2^-73. A lane shorter than
//! 2^-60 has `d` made 0 and 2|d| added to `E`.
//!
//! Where a length is above 1e18 nothing is known. A segment of which the numbers are none is not there, and within no limit.

use super::LANES;

/// Eight distances, roughly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distances {
    /// None is less.
    pub(crate) least: [f32; LANES],
    /// None is more.
    pub(crate) most: [f32; LANES],
    /// Bits of the lanes, of those asked for, that may be within the limit.
    pub(crate) mask: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Capsules, Circle, Circles, Segment, nearest_on_capsule, nearest_on_circle};
    use crate::kernels::{InstructionSet, Kernels, Operation, dispatch};

    struct OfCircles<'a>(Circles<'a>, [f32; 2], f32, u32);

    impl Operation for OfCircles<'_> {
        type Output = Distances;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Distances {
            K::circle_distances(self.0, self.1, self.2, 0, self.3)
        }
    }

    struct OfSegments<'a>(Capsules<'a>, [f32; 2], f32, u32);

    impl Operation for OfSegments<'_> {
        type Output = Distances;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Distances {
            K::segment_distances(self.0, self.1, self.2, 0, self.3)
        }
    }

    /// Each true distance lies between, and the mask tells whether the lower number is within the limit. How many numbers are
    /// within a thousandth of each other, or a millionth of the size of what went in.
    fn check(found: Distances, exact: &[f32], limit: f32, size: f32, what: &str) -> usize {
        let mut close = 0;
        for (k, &distance) in exact.iter().enumerate() {
            let (least, most) = (found.least[k], found.most[k]);
            assert!(least <= distance && distance <= most, "{what}, lane {k}: {distance} of {least}..={most}");
            assert_eq!(found.mask >> k & 1 == 1, least <= limit, "{what}, lane {k}");
            close += usize::from(most - least <= most * 1e-3 || most - least <= size * 1e-5);
        }
        assert!(found.mask >> exact.len() == 0, "{what}: {:b}", found.mask);
        close
    }

    #[test]
    fn every_distance_is_between() {
        let mut state = 11u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / 16_777_216.0
        };
        let mut close = [[0; 5]; 2];
        for case in 0..10_000 {
            // One scale; numbers of very different size; a lattice with -0; the smallest; what overflows.
            let mut number = || match case % 5 {
                0 => draw() - 0.5,
                1 => (draw() - 0.5) * (2.0f32).powi((draw() * 60.0) as i32 - 40),
                2 => -((draw() * 7.0).floor() - 3.0),
                3 => (draw() - 0.5) * (2.0f32).powi(-126 - (draw() * 20.0) as i32),
                _ => (2.0 * draw() - 1.0) * 3e38,
            };
            let p = [number(), number()];
            let mut columns = [[f32::NAN; 2 * LANES]; 6];
            let count = 1 + case % LANES;
            for k in 0..count {
                for column in &mut columns[..4] {
                    column[k] = number();
                }
                columns[4][k] = number().abs();
                // Some as short as can be, or points.
                if case / 5 % 3 == 0 {
                    (columns[2][k], columns[3][k]) = (columns[0][k].next_up(), columns[1][k]);
                }
                columns[5][k] = if case / 5 % 2 == 0 { 0.0 } else { number().abs() };
            }
            let [x0, y0, x1, y1, r, s] = &columns;
            let limit = number().abs();
            let size = columns
                .iter()
                .flat_map(|column| &column[..count])
                .chain(&p)
                .fold(0.0f32, |most, v| if v.abs() > most { v.abs() } else { most });
            let circle = |k: usize| Circle::new([x0[k], y0[k]], r[k]);
            let wall = |k: usize| Segment::new([x0[k], y0[k]], [x1[k], y1[k]]).with_radius(s[k]);
            let of_circles: Vec<f32> =
                (0..count).map(|k| nearest_on_circle(p, circle(k)).expect("finite").distance).collect();
            let of_walls: Vec<f32> =
                (0..count).map(|k| nearest_on_capsule(p, wall(k)).expect("finite").distance).collect();
            let circles = Circles { x: x0, y: y0, radius: r };
            let none = s[..count].iter().all(|&s| s == 0.0);
            let radius = if none { &[][..] } else { s };
            let walls = Capsules { x0, y0, x1, y1, radius };
            for (backend, set) in InstructionSet::texts() {
                let what = format!("case {case}, {backend:?}, {set:?}");
                let found = dispatch(backend, set, OfCircles(circles, p, limit, count as u32));
                let near = check(found, &of_circles, limit, size, &what);
                close[0][case % 5] += near;
                let found = dispatch(backend, set, OfSegments(walls, p, limit, count as u32));
                close[1][case % 5] += check(found, &of_walls, limit, size, &what);
                // Who is gone is within no limit; the others are all within the last one.
                let (gone, nothing) = (case % count, f32::NAN);
                let column = |of: &[f32]| std::array::from_fn(|k| if k == gone { nothing } else { of[k] });
                let [x0, y0, x1, y1]: [[f32; LANES]; 4] = [column(x0), column(y0), column(x1), column(y1)];
                let walls = Capsules { x0: &x0, y0: &y0, x1: &x1, y1: &y1, radius };
                let found = dispatch(backend, set, OfSegments(walls, p, f32::INFINITY, count as u32));
                assert_eq!(found.mask, ((1 << count) - 1) & !(1 << gone), "{what}");
            }
        }
        // Some nine thousand of each kind and text, three texts; of what overflows the scalar text alone knows anything.
        assert!(close.iter().all(|close| close[..3].iter().all(|&n| n > 25_000)), "{close:?}");
    }
}
