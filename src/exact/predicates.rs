//! Decisions about points, segments and sums of radii.
//!
//! Comes in: finite coordinates, radii that are not negative. Goes out: orderings. Knows no contact and no value.
//!
//! Method: comparison of squares, with every difference and every sum of radii unrounded. A segment of equal ends is its start.

use super::number::{Number, P, cross, diff, dot, lift, norm2};
use super::quick::U;
use super::relation::{Relation, relate};
use super::{aligned, decide, orient};
use std::cmp::Ordering;

/// The part of a segment nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Strictly between the ends.
    Interior,
    /// The first end.
    Start,
    /// The second end.
    End,
}

/// `r + s`, unrounded.
#[inline(always)]
pub(crate) fn reach<N: Number>(r: f32, s: f32) -> N {
    N::from(r) + N::from(s)
}

#[inline(always)]
fn along<N: Number>(p: P, end: P, a: P, b: P) -> N {
    dot(diff::<N>(p, end), diff(b, a))
}

// The three decisions that detection asks for most stand here once more in plain f64, with their bounds worked out beforehand
// (u = 2^-53). Nothing under- or overflows: the terms are of degree 4 at most.

/// The sign of `value`, where `bound` cannot change it.
#[inline(always)]
fn sure(value: f64, bound: f64) -> Option<Ordering> {
    if value > bound {
        Some(Ordering::Greater)
    } else if value < -bound {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// `a - b`, each component off by at most u of itself.
#[inline(always)]
pub(crate) fn vector(a: P, b: P) -> [f64; 2] {
    [f64::from(a[0]) - f64::from(b[0]), f64::from(a[1]) - f64::from(b[1])]
}

/// Whether `p` is behind `q` in the direction from `a` to `b`: `Greater` if it is, `Equal` if they are beside each other.
#[inline]
pub(crate) fn side_along(p: P, q: P, a: P, b: P) -> Ordering {
    let (w, e) = (vector(p, q), vector(b, a));
    let (x, y) = (w[0] * e[0], w[1] * e[1]);
    // Each term is right to within 3u (two differences, one product), the sum to one more: 4u of both terms, here 8u.
    sure(x + y, (x.abs() + y.abs()) * (8.0 * U))
        .or_else(|| aligned::sign_along(p, q, a, b))
        .unwrap_or_else(|| decide!(along(p, q, a, b)))
}

/// Whether `p` is for sure behind `q` and before `r` in the direction from `a` to `b`. False says nothing.
#[inline]
pub(crate) fn is_surely_between(p: P, q: P, r: P, a: P, b: P) -> bool {
    let e = vector(b, a);
    let behind = |end: P| {
        let w = vector(p, end);
        let (x, y) = (w[0] * e[0], w[1] * e[1]);
        // As above.
        (x + y, (x.abs() + y.abs()) * (8.0 * U))
    };
    let ((s, doubt), (t, other)) = (behind(q), behind(r));
    (s > doubt) & (t < -other)
}

/// Whether the foot of `p` is for sure between `a` and `b`, and no farther from it than `r + s`. False says nothing.
#[inline]
pub(crate) fn is_surely_over(p: P, a: P, b: P, r: f32, s: f32) -> bool {
    let (e, w, reach) = (vector(b, a), vector(p, a), f64::from(r) + f64::from(s));
    let (left, right) = (e[0] * w[1], e[1] * w[0]);
    // Height times length: off by 4u of the terms. Squares, their sum and the products of both sides take 8u more, here 32u.
    let height = (left - right).abs() + (left.abs() + right.abs()) * (8.0 * U);
    height * height <= reach * reach * (e[0] * e[0] + e[1] * e[1]) * (1.0 - 32.0 * U)
        && is_surely_between(p, a, b, a, b)
}

/// Where the foot of `p` on the segment from `a` to `b` is; a foot exactly on an end is that end.
#[inline]
pub(crate) fn nearest_part(p: P, a: P, b: P) -> Part {
    let sign = |end: P| side_along(p, end, a, b);
    if a == b || sign(a) != Ordering::Greater {
        Part::Start
    } else if sign(b) != Ordering::Less {
        Part::End
    } else {
        Part::Interior
    }
}

#[inline(always)]
fn beyond_point<N: Number>(p: P, q: P, r: f32, s: f32) -> N {
    let reach = reach::<N>(r, s);
    norm2(diff::<N>(p, q)) - reach * reach
}

/// The distance from `p` to `q` against `r + s`.
#[inline]
pub(crate) fn compare_to_point(p: P, q: P, r: f32, s: f32) -> Ordering {
    let d = vector(p, q);
    let (gap, reach) = (d[0] * d[0] + d[1] * d[1], f64::from(r) + f64::from(s));
    let reach = reach * reach;
    // The squares are right to within 4u (difference, square, sum: 2 · 1 + 1 + 1) and 3u, their difference to one more: 5u, here 8u.
    sure(gap - reach, (gap + reach) * (8.0 * U))
        .or_else(|| aligned::excess_over_point(p, q, r, s).and_then(|excess| excess.partial_cmp(&0.0)))
        .unwrap_or_else(|| decide!(beyond_point(p, q, r, s)))
}

#[inline(always)]
fn farther<N: Number>(p: P, q: P, r: P) -> N {
    norm2(diff::<N>(p, q)) - norm2(diff::<N>(p, r))
}

/// The distance from `p` to `q` against that to `r`.
pub(crate) fn compare_distances(p: P, q: P, r: P) -> Ordering {
    decide!(farther(p, q, r))
}

#[inline(always)]
fn beyond_line<N: Number>(p: P, a: P, b: P, r: f32, s: f32) -> N {
    let (e, reach) = (diff::<N>(b, a), reach::<N>(r, s));
    let height = cross(e, diff(p, a));
    height * height - reach * reach * norm2(e)
}

/// The distance from `p` to the line through `a` and `b`, `a != b`, against `r + s`.
#[inline]
pub(crate) fn compare_to_line(p: P, a: P, b: P, r: f32, s: f32) -> Ordering {
    let (e, w, reach) = (vector(b, a), vector(p, a), f64::from(r) + f64::from(s));
    let (left, right) = (e[0] * w[1], e[1] * w[0]);
    let height = left - right;
    // Off by at most 4u of the terms, taken as 6u; its square h² by 2 |h| of that and its square, and by u of itself; R² |e|² by
    // 3u + 4u + u of itself; their difference by u of both: 9u, here 16u.
    let off = (left.abs() + right.abs()) * (6.0 * U);
    let (height2, reach2) = (height * height, reach * reach * (e[0] * e[0] + e[1] * e[1]));
    let bound = (height2 + reach2) * (16.0 * U) + (2.0 * height.abs() + off) * off;
    sure(height2 - reach2, bound)
        .or_else(|| aligned::excess_over_line(p, a, b, r, s).and_then(|excess| excess.partial_cmp(&0.0)))
        .unwrap_or_else(|| decide!(beyond_line(p, a, b, r, s)))
}

/// Whether `p` is at most `r + s` from the segment.
pub(crate) fn is_within(p: P, a: P, b: P, r: f32, s: f32) -> bool {
    Ordering::Greater
        != match nearest_part(p, a, b) {
            Part::Interior => compare_to_line(p, a, b, r, s),
            Part::Start => compare_to_point(p, a, r, s),
            Part::End => compare_to_point(p, b, r, s),
        }
}

/// Whether two segments come within `r + s` of each other.
///
/// Segments that do not meet are nearest to each other at an end of one of them (Ericson, Real-Time Collision Detection, 5.1.9).
pub(crate) fn segments_within(a: [P; 2], b: [P; 2], r: f32, s: f32) -> bool {
    relate(a, b) != Relation::Disjoint
        || ((r > 0.0 || s > 0.0)
            && (is_within(a[0], b[0], b[1], r, s)
                || is_within(a[1], b[0], b[1], r, s)
                || is_within(b[0], a[0], a[1], r, s)
                || is_within(b[1], a[0], a[1], r, s)))
}

#[inline(always)]
fn vector_cross<N: Number>(base: P, v: P, p: P) -> N {
    cross(lift::<N>(v), diff(p, base))
}

/// The side of `p` on the line through `base` along `v`: `Greater` on the left.
#[inline]
pub(crate) fn side_of_vector(base: P, v: P, p: P) -> Ordering {
    decide!(vector_cross(base, v, p))
}

/// Whether `p` is a point of the segment.
pub(crate) fn on_segment(p: P, a: P, b: P) -> bool {
    let between = |i: usize| (a[i] <= p[i] && p[i] <= b[i]) || (b[i] <= p[i] && p[i] <= a[i]);
    between(0) && between(1) && orient(a, b, p) == Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sure_is_so_and_what_is_near_is_not_sure() {
        let (a, b) = ([0.0, 0.0], [10.0, 0.0]);
        // Between, exactly on an end, and a hair inside of it.
        for (x, sure) in [(5.0, true), (0.0, false), (10.0, false), (-1.0, false), (f32::from_bits(1), true)] {
            assert_eq!(is_surely_between([x, 3.0], a, b, a, b), sure, "{x}");
            assert_eq!(is_surely_over([x, 3.0], a, b, 2.0, 2.0), sure, "{x}");
        }
        // Tangent is not sure, a hair more is; 3.5 + 0.5 = 4.
        assert!(!is_surely_over([5.0, 4.0], a, b, 3.5, 0.5) && !is_surely_over([5.0, 4.5], a, b, 3.5, 0.5));
        assert!(is_surely_over([5.0, 4.0f32.next_down()], a, b, 3.5, 0.5));
        // Slanted: the foot of (1 + k, k) on the line x = y is between, its height k-free: 1 / sqrt(2).
        let (c, d) = ([-1e6, -1e6], [1e6, 1e6]);
        assert!(is_surely_over([4.0, 3.0], c, d, 0.708, 0.0) && !is_surely_over([4.0, 3.0], c, d, 0.707, 0.0));
        // A point has nothing between its ends.
        assert!(!is_surely_over([4.0, 3.0], a, a, 9.0, 0.0));
    }

    /// In all eight positions of the axes, at three scales, both ways round.
    fn check_sure(p: P, a: P, b: P, r: f32, s: f32) {
        for (turn, scale) in (0..8).flat_map(|turn| [-40, 0, 40].map(|k| (turn, (2.0f32).powi(k)))) {
            let [p, a, b] = [p, a, b].map(|[x, y]| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                [if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }].map(|v| v * scale)
            });
            for (a, b) in [(a, b), (b, a)] {
                let interior = nearest_part(p, a, b) == Part::Interior;
                assert!(interior || !is_surely_between(p, a, b, a, b), "{p:?} {a:?} {b:?}");
                let (r, s) = (r * scale, s * scale);
                let over = interior && compare_to_line(p, a, b, r, s).is_le();
                assert!(over || !is_surely_over(p, a, b, r, s), "{p:?} {a:?} {b:?} {r} {s}");
            }
        }
    }

    #[test]
    fn what_double_precision_gets_wrong_is_not_sure() {
        let mut state = 29u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32
        };
        for _ in 0..2_000 {
            // Integers less numbers of about 2^-29, so that differences are rounded: square to the segment at its start, but for those.
            let (x, y) = ((draw() / 4.0).floor() + 3.0, (draw() / 4.0).floor() + 3.0);
            let a = [draw(), draw()].map(|v| (v - 8_388_608.0) * (2.0f32).powi(-52));
            let b = [2.0 * x, 2.0 * y];
            check_sure([-y, x], a, b, 1.0, 1.0);
            // Near it, and as far as double precision says and a part in 2^40: its height is what products of its length leave.
            let p = [x + 0.5 + draw() * (2.0f32).powi(-23), y + 0.75 + draw() * (2.0f32).powi(-23)];
            let (e, w) = (vector(b, a), vector(p, a));
            let height = (e[0] * w[1] - e[1] * w[0]).abs() / (e[0] * e[0] + e[1] * e[1]).sqrt() * (1.0 + 1e-12);
            let r = 0.75 * height as f32;
            check_sure(p, a, b, r, (height - f64::from(r)) as f32);
        }
        // Square to the end of a slanted one, exactly.
        check_sure([7.0, 24.0], [0.0, 0.0], [16.0, 12.0], 9.0, 9.0);
    }

    #[test]
    fn a_foot_on_an_end_is_that_end() {
        let (a, b) = ([0.0, 0.0], [10.0, 0.0]);
        assert_eq!(nearest_part([0.0, 3.0], a, b), Part::Start);
        assert_eq!(nearest_part([10.0, 3.0], a, b), Part::End);
        assert_eq!(nearest_part([f32::from_bits(1), 3.0], a, b), Part::Interior);
        assert_eq!(nearest_part([10.0f32.next_down(), 3.0], a, b), Part::Interior);
        assert_eq!(nearest_part([4.0, 4.0], a, a), Part::Start);
    }

    #[test]
    fn tangents_of_pythagoras() {
        // 3-4-5 at every scale, down to where the squares leave f32.
        for scale in [-100, -20, 0, 20, 100].map(|k| (2.0f32).powi(k)) {
            let p = [3.0 * scale, 4.0 * scale];
            assert_eq!(compare_to_point(p, [0.0, 0.0], 2.0 * scale, 3.0 * scale), Ordering::Equal);
            let less = (3.0 * scale).next_down();
            assert_eq!(compare_to_point(p, [0.0, 0.0], 2.0 * scale, less), Ordering::Greater);
        }
        // The line along (4, 3) through the origin is 25 / 5 = 5 from (-3, 4) and from (1, 7): |4*7 - 3*1| / 5 = 5.
        assert_eq!(compare_to_line([1.0, 7.0], [0.0, 0.0], [4.0, 3.0], 5.0, 0.0), Ordering::Equal);
        assert_eq!(compare_to_line([1.0, 7.0], [0.0, 0.0], [4.0, 3.0], 5.0f32.next_down(), 0.0), Ordering::Greater);
        assert_eq!(compare_to_line([1.0, 7.0], [0.0, 0.0], [4.0, 3.0], 5.0, f32::from_bits(1)), Ordering::Less);
    }

    #[test]
    fn points_on_segments() {
        assert!(on_segment([3.0, 1.0], [0.0, 0.0], [9.0, 3.0]));
        assert!(!on_segment([12.0, 4.0], [0.0, 0.0], [9.0, 3.0]));
        assert!(!on_segment([3.0, 1.0f32.next_up()], [0.0, 0.0], [9.0, 3.0]));
        // Closed at both ends, whichever comes first on an axis.
        for (a, b) in [([0.0, 0.0], [9.0, 3.0]), ([0.0, 3.0], [9.0, 0.0])] {
            assert!([a, b].iter().all(|&end| on_segment(end, a, b) && on_segment(end, b, a)));
        }
        // On the line, and within the segment's range on the axis on which it has none.
        assert!(!on_segment([12.0, 1.0], [0.0, 1.0], [9.0, 1.0]) && !on_segment([1.0, -2.0], [1.0, 9.0], [1.0, 0.0]));
    }
}
