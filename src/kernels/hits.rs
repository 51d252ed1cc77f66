//! Where rays meet the shapes that they surely meet: what both texts compute.
//!
//! Comes in: eight rays and, for each, the segment or circle that it meets first. Goes out: fraction, point and normal, where double
//! precision is sure that each is the `f32` nearest to the exact one: then it is what `geometry::ray_segment` and `ray_circle` say of a ray
//! that is long enough, and those say the rest. The scalar text is sure of nothing. This room does not know how far a ray goes.
//!
//! Formulas and bounds are those at the head of `query::flight`, with radius 0 of what flies: E = 2^-53, K = 8E; a value v that is off by at
//! most o is sure where v - o and v + o round to the same finite `f32`, and every bound leaves room for the rounding of these two.
//!
//! **Segment** a, b, without a radius, from o in direction v: e = b - a, A = a - o. `t = n / d`, n = A × e, d = v × e, each off by K of the sum
//! of its products' sizes; where v × A and v × B are surely of opposite signs and d is off by less than a quarter of itself, t is off by
//! `2.02 (off n + |t| off d) / |d| + 4E |t|`. The point is `o + t v`, off by `off t |v| + 4E (|o| + |t v|)`; where e has no extent on an axis it is
//! that of a, and where v has none that of o. The normal is e turned by a right angle, to the side of o, off by K of itself.
//!
//! **Circle** c, r: w = o - c, b = w · v, k = v × w, D = r² v² - k², off by `16E r² v² + (2.01 |k| + off k) off k + 4E k²`; only where D is 2^20 times
//! that, w² - r² surely above and b surely below 0. `t = (-b - √D) / v²`, off by `1.01 (off b + off √D + 2E (|b| + √D)) / v² + 8E |t|`. The
//! normal is `(w + t v) / r`, off by `1.01 (off t |v| + 4E (|w| + |t v|)) / r + 4E` of itself; the point is c + r n.
//!
//! All of it only where t is surely above 0.

use super::LANES;

/// Records of eight hits: fraction, point, normal, and three words of zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hits {
    pub(crate) records: [[f32; 8]; LANES],
    /// Bits of the lanes of which all is sure.
    pub(crate) sure: u32,
}

/// Eight rays: where they start, their direction.
pub(crate) type Rays = [[f32; 4]; LANES];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{self, Circle, Ray, Segment};
    use crate::kernels::foremost::tests::Numbers;
    use crate::kernels::{InstructionSet, Kernels, Operation, dispatch};

    /// Segments, or circles.
    struct Met<'a>(&'a Rays, &'a [[f32; 4]; LANES], bool);

    impl Operation for Met<'_> {
        const AVX512: bool = true;
        type Output = Hits;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Hits {
            if self.2 { K::ray_segments(self.0, self.1) } else { K::ray_circles(self.0, self.1) }
        }
    }

    fn expected([x, y, dx, dy]: [f32; 4], [a, b, c, d]: [f32; 4], segments: bool) -> Option<[f32; 5]> {
        let ray = Ray::new([x, y], [dx, dy]).with_max(f32::MAX);
        let hit = if segments {
            geometry::ray_segment(ray, Segment::new([a, b], [c, d]))
        } else {
            geometry::ray_circle(ray, Circle::new([a, b], c))
        };
        hit.map(|hit| [hit.t, hit.point.x, hit.point.y, hit.normal.x, hit.normal.y])
    }

    #[test]
    fn what_is_sure_is_what_the_pairwise_functions_say() {
        let (mut numbers, mut sure, mut met) = (Numbers(17), [0; 2], [0; 2]);
        for case in 0..12_000 {
            let segments = case % 2 == 1;
            let rays: Rays = [(); LANES].map(|()| {
                let mut ray = [(); 4].map(|()| numbers.number(case / 2));
                // Along an axis now and then.
                let axis = numbers.bits() % 12;
                if axis < 2 {
                    ray[2 + axis] = 0.0;
                }
                ray
            });
            let shapes = [(); LANES].map(|()| {
                let mut shape = [(); 4].map(|()| numbers.number(case / 2));
                if segments && numbers.bits() % 6 == 0 {
                    shape[2] = shape[0];
                }
                if !segments {
                    shape[2] = shape[2].abs();
                }
                shape
            });
            let texts = InstructionSet::texts();
            let found: Vec<Hits> =
                texts.iter().map(|&(backend, set)| dispatch(backend, set, Met(&rays, &shapes, segments))).collect();
            // The scalar one is sure of nothing.
            let [scalar, found @ ..] = &found[..] else { panic!("no text") };
            assert!(scalar.sure == 0 && found.iter().all(|text| text.sure == found[0].sure));
            for k in 0..LANES {
                let truth = expected(rays[k], shapes[k], segments);
                met[usize::from(segments)] += usize::from(truth.is_some_and(|of| of[0] > 0.0));
                if found[0].sure >> k & 1 == 0 {
                    continue;
                }
                sure[usize::from(segments)] += 1;
                let [a, b, c, d, e] = truth.expect("surely met");
                let truth = [a, b, c, d, e, 0.0, 0.0, 0.0].map(f32::to_bits);
                for found in found {
                    assert_eq!(found.records[k].map(f32::to_bits), truth, "{:?} {:?}", rays[k], shapes[k]);
                }
            }
        }
        // Nearly all of what is met past the start, but for what touches or leaves the range.
        assert!(sure.iter().zip(met).all(|(&sure, met)| sure > 3000 && 10 * sure > 7 * met), "{sure:?} {met:?}");
    }
}
