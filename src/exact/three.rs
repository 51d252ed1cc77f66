//! Distances against a sum of three lengths: two radii and how far apart they may be.
//!
//! Comes in: finite coordinates, lengths that are not negative. Goes out: orderings. Knows no shape and no value.
//!
//! Method: as in `predicates`, with one summand more; asked only where a rounded distance leaves the decision open, so there is no tier in
//! integers between plain `f64` and the exact numbers.

use super::decide;
use super::number::{Number, P, cross, diff, norm2};
use super::predicates::{compare_to_point, vector};
use super::quick::U;
use std::cmp::Ordering;

#[inline(always)]
fn reach<N: Number>([r, s, t]: [f32; 3]) -> N {
    N::from(r) + N::from(s) + N::from(t)
}

#[inline(always)]
fn beyond_point<N: Number>(p: P, q: P, lengths: [f32; 3]) -> N {
    let reach = reach::<N>(lengths);
    norm2(diff::<N>(p, q)) - reach * reach
}

/// The distance from `p` to `q` against the sum.
pub(crate) fn compare_to_point_by_three(p: P, q: P, lengths: [f32; 3]) -> Ordering {
    if lengths[2] == 0.0 {
        return compare_to_point(p, q, lengths[0], lengths[1]);
    }
    let d = vector(p, q);
    let (gap, reach) = (d[0] * d[0] + d[1] * d[1], lengths.map(f64::from));
    let reach = reach[0] + reach[1] + reach[2];
    let reach = reach * reach;
    // The squares are right to within 4u (difference, square, sum) and 5u (two sums of positive terms, 2u, and a square), their
    // difference to one more: 6u, here 16u.
    let (value, bound) = (gap - reach, (gap + reach) * (16.0 * U));
    if value.abs() > bound {
        return if value > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    decide!(beyond_point(p, q, lengths))
}

#[inline(always)]
fn beyond_line<N: Number>(p: P, a: P, b: P, lengths: [f32; 3]) -> N {
    let (e, reach) = (diff::<N>(b, a), reach::<N>(lengths));
    let height = cross(e, diff(p, a));
    height * height - reach * reach * norm2(e)
}

/// The distance from `p` to the line through `a` and `b`, `a != b`, against the sum.
pub(crate) fn compare_to_line_by_three(p: P, a: P, b: P, lengths: [f32; 3]) -> Ordering {
    decide!(beyond_line(p, a, b, lengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_by_three_lengths() {
        // 3-4-5 with 5 = 1 + 1.5 + 2.5; one float less of any of them is too little.
        for scale in [-100, -20, 0, 20, 100].map(|k| (2.0f32).powi(k)) {
            let (p, zero, lengths) = ([3.0 * scale, 4.0 * scale], [0.0, 0.0], [scale, 1.5 * scale, 2.5 * scale]);
            assert_eq!(compare_to_point_by_three(p, zero, lengths), Ordering::Equal);
            // The line along (4, 3) is 25 / 5 = 5 from (1, 7).
            let (p, b) = ([scale, 7.0 * scale], [4.0 * scale, 3.0 * scale]);
            assert_eq!(compare_to_line_by_three(p, zero, b, lengths), Ordering::Equal);
            for k in 0..3 {
                let mut less = lengths;
                less[k] = less[k].next_down();
                assert_eq!(compare_to_point_by_three([3.0 * scale, 4.0 * scale], zero, less), Ordering::Greater);
                assert_eq!(compare_to_line_by_three(p, zero, b, less), Ordering::Greater);
            }
        }
        // Three lengths of very different size: only an unrounded sum sees the last.
        let tiny = f32::from_bits(1);
        assert_eq!(compare_to_point_by_three([1e30, 0.0], [0.0, 0.0], [1e30, tiny, 0.0]), Ordering::Less);
        assert_eq!(compare_to_point_by_three([1e30, tiny], [0.0, 0.0], [1e30, 0.0, 0.0]), Ordering::Greater);
        assert_eq!(compare_to_line_by_three([5.0, 1e30], [0.0, 0.0], [1.0, 0.0], [1e30, 0.0, tiny]), Ordering::Less);
    }

    #[test]
    fn what_double_precision_rounds_away_is_left_to_exact_numbers() {
        // In units of 2^-37: distances of 61 bits a coordinate, whose squares are off by some 2^-52 of themselves, against three lengths whose
        // sum is the whole part of the distance, or one more.
        let mut state = 5u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 41 | 1 << 22
        };
        let mut wrong = 0;
        for case in 0..3000 {
            // At two scales: a bound of the wrong degree is too small where numbers are.
            let scale = [1.0, (2.0f32).powi(-40)][case % 2];
            let unit = (2.0f32).powi(-37) * scale;
            let (x, y, a, b) = (draw() << 1, draw() << 1, draw(), draw());
            let (p, q) = ([x as f32 * scale, y as f32 * scale], [a as f32 * -unit, b as f32 * -unit]);
            let (dx, dy) = (u128::from(x << 37 | a), u128::from(y << 37 | b));
            let whole = (dx * dx + dy * dy).isqrt();
            for reach in [whole, whole + 1] {
                let parts = [reach >> 39 << 39, reach >> 16 << 16 & ((1 << 39) - 1), reach & 0xffff];
                let lengths = parts.map(|part| part as f32 * unit);
                let order = if reach > whole { Ordering::Less } else { Ordering::Greater };
                assert_eq!(compare_to_point_by_three(p, q, lengths), order);
                let (d, r) =
                    ([0, 1].map(|i| f64::from(p[i]) - f64::from(q[i])), lengths.map(f64::from).iter().sum::<f64>());
                wrong += usize::from((d[0] * d[0] + d[1] * d[1]).partial_cmp(&(r * r)) == Some(order.reverse()));
            }
        }
        assert!(wrong > 500, "{wrong}");
    }

    #[test]
    fn margins_are_a_third_radius() {
        for scale in [-100, -20, 0, 20, 100].map(|k| (2.0f32).powi(k)) {
            let p = [3.0 * scale, 4.0 * scale];
            let compare = |r: f32, margin: f32| compare_to_point_by_three(p, [0.0, 0.0], [r, 2.0 * scale, margin]);
            assert_eq!(compare(scale, 2.0 * scale), Ordering::Equal);
            assert_eq!(compare(scale, (2.0 * scale).next_down()), Ordering::Greater);
            assert_eq!(compare(scale.next_up(), 2.0 * scale), Ordering::Less);
            assert_eq!(compare(3.0 * scale, 0.0), Ordering::Equal);
        }
        // 1 + 2 + 2^-140 is no f64: only exact numbers see what is beyond 3, and that a gap of 3 + 2^-22 is more.
        let tiny = (2.0f32).powi(-140);
        assert_eq!(compare_to_point_by_three([3.0, 0.0], [0.0, 0.0], [1.0, 2.0, tiny]), Ordering::Less);
        assert_eq!(compare_to_point_by_three([3.0f32.next_up(), 0.0], [0.0, 0.0], [1.0, 2.0, tiny]), Ordering::Greater);
        // The ends of the range: 2 √2 is 2.83, within three times the largest number, beyond two of them.
        let far = f32::MAX;
        assert_eq!(compare_to_point_by_three([far, far], [-far, -far], [far, far, far]), Ordering::Less);
        assert_eq!(
            compare_to_point_by_three([far, far], [-far, -far], [far, far * 0.5, far * 0.25]),
            Ordering::Greater
        );
    }
}
