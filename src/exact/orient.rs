//! Which side of a line a point is on.
//!
//! Comes in: three points. Goes out: the sign of (b - a) × (c - a). Knows no shape.
//!
//! Method: Shewchuk, Adaptive Precision Floating-Point Arithmetic (1997), by way of the crate `robust`, behind two cheaper tests.
//! Asked for most pairs of segments, so written by hand instead of through [`super::Number`]. Cost: 2 ns, 50 ns for `robust`.

use super::number::P;
use std::cmp::Ordering;

/// `Greater` where `c` is to the left of the line from `a` to `b`, `Less` to the right, `Equal` on it or where `a == b`.
#[inline]
pub(crate) fn orient(a: P, b: P, c: P) -> Ordering {
    let sub = |p: f32, q: f32| f64::from(p) - f64::from(q);
    let (ux, uy) = (sub(b[0], a[0]), sub(b[1], a[1]));
    let (vx, vy) = (sub(c[0], a[0]), sub(c[1], a[1]));
    let (left, right) = (ux * vy, uy * vx);
    let determinant = left - right;
    // Each product is right to within 3u, their difference to within one more: 4u, here 8u. Nothing underflows.
    if determinant.abs() > (left.abs() + right.abs()) * (8.0 * f64::EPSILON / 2.0) {
        return if determinant > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    // Exact differences of 24 bits (all local data) have exact products, and those compare exactly.
    let short = |d: f64, p: f32, q: f32| f64::from(d as f32) == d && is_exact(d, f64::from(p), f64::from(q));
    // A difference that comes out zero is exact, so two zero products are exact as well.
    if (left == 0.0 && right == 0.0)
        || (short(ux, b[0], a[0]) && short(uy, b[1], a[1]) && short(vx, c[0], a[0]) && short(vy, c[1], a[1]))
    {
        return left.partial_cmp(&right).unwrap_or(Ordering::Equal);
    }
    super::cold(|| {
        let point = |p: P| robust::Coord { x: f64::from(p[0]), y: f64::from(p[1]) };
        let determinant = robust::orient2d(point(a), point(b), point(c));
        determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    })
}

/// Whether `d = fl(p - q)` lost nothing (Knuth's two-sum: the tail is the exact error).
fn is_exact(d: f64, p: f64, q: f64) -> bool {
    let round = d - p;
    (p - (d - round)) + (-q - round) == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_signs() {
        assert_eq!(orient([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Ordering::Greater);
        assert_eq!(orient([0.0, 0.0], [1.0, 0.0], [0.0, -1.0]), Ordering::Less);
        assert_eq!(orient([1.0, 1.0], [1.0, 1.0], [5.0, -1.0]), Ordering::Equal);
        assert_eq!(orient([0.0, 0.0], [3.0, 1.0], [9.0, 3.0]), Ordering::Equal);
    }

    #[test]
    fn one_ulp_off_the_line_is_seen() {
        // 3 * y against 1 * 1: f32(1/3) = 11184811 / 2^25 = 0.33333334 > 1/3, its predecessor is below.
        let third = 1.0f32 / 3.0;
        assert_eq!(orient([0.0, 0.0], [3.0, 1.0], [1.0, third]), Ordering::Greater);
        assert_eq!(orient([0.0, 0.0], [3.0, 1.0], [1.0, third.next_down()]), Ordering::Less);
    }

    #[test]
    fn what_a_difference_loses_is_seen() {
        let far = (2.0f64).powi(60);
        for (p, q) in [(3.0, 1.0), (1.0, 3.0), (0.0, 5.0), (5.0, 0.0), (1.0, -1_073_741_824.0), (0.625, 0.75)] {
            assert!(is_exact(p - q, p, q), "{p} {q}");
        }
        // 53 bits do not hold 2^60 and 1.
        for (p, q) in [(1.0, 1.0 / far), (1.0 / far, 1.0), (-1.0, -far), (1.0, -far), (1.0, far), (-1.0, far)] {
            assert!(!is_exact(p - q, p, q) && !is_exact(q - p, q, p), "{p} {q}");
        }
    }

    #[test]
    fn a_hair_beside_a_line_across_the_whole_range() {
        // From (-M, -M) to (M, M) the line is x = y; (0, least) is to its left, (least, 0) to its right.
        let (m, least) = (f32::MAX, f32::from_bits(1));
        assert_eq!(orient([-m, -m], [m, m], [0.0, least]), Ordering::Greater);
        assert_eq!(orient([-m, -m], [m, m], [least, 0.0]), Ordering::Less);
        assert_eq!(orient([-m, -m], [m, m], [least, least]), Ordering::Equal);
    }
}
