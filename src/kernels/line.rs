//! The line of a segment, to tell boxes that it passes by.
//!
//! Comes in: ends, a radius, and a box around all boxes that are asked about. Goes out: numbers for [`super::Kernels::line_mask`]. This room does
//! not know which boxes these are.
//!
//! A box with its middle at m from a point of the line, half as wide as hx and half as high as hy, is on one side of the line, with room for the
//! radius r, if `|dx my - dy mx| > |dx| (hy + r) + |dy| (hx + r)`, d = (dx, dy) the direction: the right side is the most by which the cross product of
//! d and a point of the box, grown by r, differs from that of d and m.
//!
//! **Sure**, u = 2^-24, M the largest of all coordinates and r: m is within 3u M of its exact value, |m| <= 2M; hx + r within 3u M, and below 2M; d within
//! u |d| of its own. So each product of the left side is off by at most 8u M |d|, their difference by another 2u M (|dx| + |dy|), each of the right
//! by 7u M |d|, their sum by 2u M (|dx| + |dy|), and each by 2^-150 where it underflows: less than 20u M (|dx| + |dy|) + 2^-147 in all. The slack is
//! `32u M (|dx| + |dy|) + 2^-126`, which leaves room for its own rounding and that of adding it. Where M exceeds 1e18 the slack is infinite, and
//! everything is let through, as it is where a side is not a number.

use super::Near;
use super::segment_segment::{Bounds, Ends};

/// See the head of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
    pub(crate) radius: f32,
    pub(crate) slack: f32,
}

impl Line {
    /// The line of a segment, for boxes within `around`.
    pub(crate) fn new([x0, y0, x1, y1]: Ends, radius: f32, around: Bounds) -> Line {
        let numbers = [x0, y0, x1, y1, radius].into_iter().chain(around);
        let most = numbers.fold(0.0f32, |most, v| if v.abs() > most { v.abs() } else { most });
        let (dx, dy) = (x1 - x0, y1 - y0);
        let slack = (dx.abs() + dy.abs()) * most * (1.0 / (1 << 19) as f32) + f32::MIN_POSITIVE;
        Line { x: x0, y: y0, dx, dy, radius, slack: if most < Near::LARGE { slack } else { f32::INFINITY } }
    }
}

#[cfg(test)]
mod tests {
    use super::Line;
    use crate::kernels::segment_segment::{Bounds, Boxes, Ends};
    use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, dispatch};

    struct Mask<'a>(Boxes<'a>, Bounds, &'a Line, u32);

    impl Operation for Mask<'_> {
        type Output = u32;
        #[inline(always)]
        fn run<K: Kernels>(self) -> u32 {
            K::line_mask(self.0, self.1, self.2, 0, self.3)
        }
    }

    const ALL: Bounds = [-f32::MAX, -f32::MAX, f32::MAX, f32::MAX];

    /// Which of up to eight boxes may meet the segment, as every text says.
    fn mask(ends: Ends, radius: f32, query: Bounds, boxes: &[Bounds]) -> u32 {
        let column =
            |k: usize| -> Vec<f32> { boxes.iter().map(|b| b[k]).chain(std::iter::repeat_n(f32::NAN, LANES)).collect() };
        let [low_x, low_y, high_x, high_y] = std::array::from_fn(column);
        let columns = Boxes { low_x: &low_x, low_y: &low_y, high_x: &high_x, high_y: &high_y };
        let union = |a: Bounds, b: &Bounds| -> Bounds {
            std::array::from_fn(|k| if (b[k] < a[k]) == (k < 2) { b[k] } else { a[k] })
        };
        let around = boxes.iter().fold([f32::MAX, f32::MAX, -f32::MAX, -f32::MAX], union);
        let line = Line::new(ends, radius, around);
        let count = boxes.len() as u32;
        let one = dispatch(Backend::Scalar, InstructionSet::Portable, Mask(columns, query, &line, count));
        for (backend, set) in InstructionSet::texts() {
            assert_eq!(dispatch(backend, set, Mask(columns, query, &line, count)), one, "{set:?} {ends:?}");
        }
        one
    }

    #[test]
    fn a_line_passes_by_what_is_wholly_on_one_side() {
        // x + y = 10: the unit box at (4, 5) reaches 4 + 5 = 9 to 11; that at (4, 4) reaches 10 with its corner; that at
        // (4, 3) reaches 9, which is 1 / sqrt 2 off: within a radius of 1. With one of 0.6 the two sides of the question are 20
        // and 22, with one of its two radii left out 20 and 16, as they are with one of 0.3.
        let boxes = [[4.0, 5.0, 5.0, 6.0], [4.0, 4.0, 5.0, 5.0], [4.0, 3.0, 5.0, 4.0]];
        assert_eq!(mask([0.0, 10.0, 10.0, 0.0], 0.0, ALL, &boxes), 0b011);
        assert_eq!(mask([0.0, 10.0, 10.0, 0.0], 1.0, ALL, &boxes), 0b111);
        assert_eq!(mask([0.0, 10.0, 10.0, 0.0], 0.6, ALL, &boxes), 0b111);
        assert_eq!(mask([0.0, 10.0, 10.0, 0.0], 0.3, ALL, &boxes), 0b011);
        // The other way round, and not within the query.
        assert_eq!(mask([10.0, 0.0, 0.0, 10.0], 0.0, ALL, &boxes), 0b011);
        assert_eq!(mask([0.0, 10.0, 10.0, 0.0], 0.0, [4.0, 5.5, 5.0, 7.0], &boxes), 0b001);
        // A point is on every line.
        assert_eq!(mask([1.0; 4], 0.0, ALL, &boxes), 0b111);
    }

    #[test]
    fn what_meets_is_never_passed_by() {
        // Integers up to 2^10, scaled by a power of two, so that exact arithmetic is that of integers: the box is on one side if the cross products of
        // its corners all have one sign.
        let mut state = 7u64;
        let mut next = |most: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % (2 * most + 1) - most
        };
        let (mut met, mut passed) = (0, 0);
        for case in 0..20_000 {
            // From where squares underflow to where they overflow, and far from the origin, where differences are rounded.
            let scale = [2f32.powi(-140), 2f32.powi(-70), 1.0, 2f32.powi(40), 2f32.powi(100)][case % 5];
            let far = [0, 1 << 20, 1 << 23][case % 3];
            let ends: [i64; 4] = std::array::from_fn(|_| next(1 << 10) + far);
            let boxes: [[i64; 4]; LANES] = std::array::from_fn(|_| {
                let (x, y, w, h) = (next(1 << 10) + far, next(1 << 10) + far, next(400).abs(), next(400).abs());
                [x, y, x + w, y + h]
            });
            let scaled = |v: i64| v as f32 * scale;
            let found = mask(ends.map(scaled), 0.0, ALL, &boxes.map(|b| b.map(scaled)));
            for (k, [low_x, low_y, high_x, high_y]) in boxes.into_iter().enumerate() {
                let side = |x: i64, y: i64| {
                    ((ends[2] - ends[0]) * (y - ends[1]) - (ends[3] - ends[1]) * (x - ends[0])).signum()
                };
                let sides = [side(low_x, low_y), side(low_x, high_y), side(high_x, low_y), side(high_x, high_y)];
                let apart = sides.iter().all(|&s| s == 1) || sides.iter().all(|&s| s == -1);
                assert!(apart || found >> k & 1 == 1, "case {case}, box {k}");
                met += usize::from(!apart);
                passed += usize::from(found >> k & 1 == 0);
            }
        }
        assert!(met > 10_000 && passed > 40_000, "{met} {passed}");
    }
}
