//! Points that have been moved by whole periods: images.
//!
//! Comes in: plain `f32` coordinates, and a [`Shift`]. Goes out: the moved point in each arithmetic, unrounded, and the decisions that
//! circles and segments ask for. This room does not know which image of a body is meant.
//!
//! Method: as in `predicates`, with `p + k (high - low)` for the moved coordinate: k is a small whole number, so this is a polynomial of
//! the first degree with few more bits than `p`. Asked only where plain `f64` leaves a decision open, so it starts with the tiers.

use super::number::{Number, P, V, cross, diff, dot, lift, norm2};
use super::predicates::{Part, reach};
use super::value::Value;
use super::{Rough, decide, measure};
use std::cmp::Ordering;

/// So many periods along each axis; a period is `high - low`, which is exact in `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shift {
    /// At most [`MOST`], either way.
    pub(crate) count: [i32; 2],
    pub(crate) low: P,
    pub(crate) high: P,
}

/// A count of periods that is an `f32`.
pub(crate) const MOST: i32 = 1 << 24;

impl Shift {
    /// How far along one axis, where that loses nothing in `f64`.
    pub(crate) fn by(&self, axis: usize) -> Option<f64> {
        let (count, period) = (self.count[axis], f64::from(self.high[axis]) - f64::from(self.low[axis]));
        let mantissa = (1 << 52) | (period.to_bits() & ((1 << 52) - 1));
        let product = u128::from(mantissa) * u128::from(count.unsigned_abs());
        let bits = 128 - product.leading_zeros() - if product == 0 { 0 } else { product.trailing_zeros() };
        (bits <= 53).then_some(f64::from(count) * period)
    }
}

/// The image of a point.
#[inline(always)]
pub(crate) fn image<N: Number>(p: P, by: &Shift) -> V<N> {
    let coordinate = |axis: usize| {
        let period = || N::from(by.high[axis]) - N::from(by.low[axis]);
        match by.count[axis] {
            0 => N::from(p[axis]),
            count => N::from(p[axis]) + N::from(count as f32) * period(),
        }
    };
    [coordinate(0), coordinate(1)]
}

/// From a point to the image of another.
#[inline(always)]
pub(crate) fn to_image<N: Number>(from: P, to: P, by: &Shift) -> V<N> {
    let ([fx, fy], [tx, ty]) = (lift::<N>(from), image::<N>(to, by));
    [tx - fx, ty - fy]
}

#[inline(always)]
fn beyond_half<N: Number>(from: f32, to: f32, low: f32, high: f32) -> N {
    let d = N::from(to) - N::from(from);
    d + d - (N::from(high) - N::from(low))
}

/// By how many periods, -1, 0 or 1, `to` has to be moved to be as near to `from` as can be; 0 where two of them are equally near. Both
/// are within one period of each other.
pub(crate) fn shortest(from: f32, to: f32, low: f32, high: f32) -> i8 {
    if decide!(beyond_half(from, to, low, high)).is_gt() {
        -1
    } else if decide!(beyond_half(to, from, low, high)).is_gt() {
        1
    } else {
        0
    }
}

#[inline(always)]
fn beyond_image<N: Number>(p: P, q: P, by: &Shift, r: f32, s: f32) -> N {
    let reach = reach::<N>(r, s);
    norm2(to_image::<N>(p, q, by)) - reach * reach
}

/// The distance from `p` to the image of `q` against `r + s`.
pub(crate) fn compare_to_image(p: P, q: P, by: &Shift, r: f32, s: f32) -> Ordering {
    decide!(beyond_image(p, q, by, r, s))
}

#[inline(always)]
fn distance2<N: Number>(p: P, q: P, by: &Shift) -> N {
    norm2(to_image::<N>(p, q, by))
}

/// The image of `q` is `p`.
pub(crate) fn is_image(p: P, q: P, by: &Shift) -> bool {
    decide!(distance2(p, q, by)).is_eq()
}

#[inline(always)]
fn before<N: Number>(p: P, end: P, a: P, b: P, by: &Shift) -> N {
    dot(to_image::<N>(p, end, by), diff(b, a))
}

/// Where the foot of `p` on the image of the segment from `a` to `b` is; a foot exactly on an end is that end.
pub(crate) fn nearest_part_of_image(p: P, a: P, b: P, by: &Shift) -> Part {
    if a == b || decide!(before(p, a, a, b, by)).is_ge() {
        Part::Start
    } else if decide!(before(p, b, a, b, by)).is_le() {
        Part::End
    } else {
        Part::Interior
    }
}

#[inline(always)]
fn height<N: Number>(p: P, a: P, b: P, by: &Shift) -> N {
    cross(to_image::<N>(p, a, by), diff(b, a))
}

/// `Greater` where `p` is to the left of the image of the line from `a` to `b`.
pub(crate) fn side_of_image(p: P, a: P, b: P, by: &Shift) -> Ordering {
    decide!(height(p, a, b, by))
}

#[inline(always)]
fn beyond_line_image<N: Number>(p: P, a: P, b: P, by: &Shift, r: f32, s: f32) -> N {
    let (height, reach) = (height::<N>(p, a, b, by), reach::<N>(r, s));
    height * height - reach * reach * norm2(diff(b, a))
}

/// The distance from `p` to the image of the line through `a` and `b`, `a != b`, against `r + s`.
pub(crate) fn compare_to_line_image(p: P, a: P, b: P, by: &Shift, r: f32, s: f32) -> Ordering {
    decide!(beyond_line_image(p, a, b, by, r, s))
}

#[inline(always)]
fn beyond_image_by_three<N: Number>(p: P, q: P, by: &Shift, [r, s, t]: [f32; 3]) -> N {
    let reach = N::from(r) + N::from(s) + N::from(t);
    norm2(to_image::<N>(p, q, by)) - reach * reach
}

#[inline(always)]
fn beyond_line_image_by_three<N: Number>(p: P, a: P, b: P, by: &Shift, [r, s, t]: [f32; 3]) -> N {
    let (height, reach) = (height::<N>(p, a, b, by), N::from(r) + N::from(s) + N::from(t));
    height * height - reach * reach * norm2(diff(b, a))
}

/// Whether `p` is at most the sum of three lengths from the image of the segment.
pub(crate) fn is_within_image(p: P, a: P, b: P, by: &Shift, lengths: [f32; 3]) -> bool {
    let ordering = match nearest_part_of_image(p, a, b, by) {
        Part::Interior => decide!(beyond_line_image_by_three(p, a, b, by, lengths)),
        Part::Start => decide!(beyond_image_by_three(p, a, by, lengths)),
        Part::End => decide!(beyond_image_by_three(p, b, by, lengths)),
    };
    ordering.is_le()
}

/// The coordinates of the image, where `f64` has them exactly.
pub(crate) fn exact_image(p: P, by: &Shift) -> Option<[f64; 2]> {
    let coordinate = |axis: usize| super::exact_sum([f64::from(p[axis]), by.by(axis)?]);
    Some([coordinate(0)?, coordinate(1)?])
}

#[inline(always)]
fn moved<N: Number>(x: f32, count: i32, low: f32, high: f32) -> N {
    N::from(x) + N::from(count as f32) * (N::from(high) - N::from(low))
}

#[inline(always)]
fn beyond_low<N: Number>(x: f32, count: i32, low: f32, high: f32) -> N {
    moved::<N>(x, count, low, high) - N::from(low)
}

#[inline(always)]
fn moved_value<N: Number>(x: f32, count: i32, low: f32, high: f32) -> Value<N> {
    Value::ratio(moved(x, count, low, high), N::from(1.0))
}

/// The coordinate moved by whole periods to where `low <= x < high`, rounded once; none where that is too far for it to be known.
pub(crate) fn wrapped(x: f32, low: f32, high: f32) -> Option<f32> {
    let beyond = ((f64::from(x) - f64::from(low)) / (f64::from(high) - f64::from(low))).floor();
    if beyond.abs() > f64::from(MOST - 1) {
        return None;
    }
    // The quotient is rounded: it may be one off.
    let mut count = -(beyond as i32);
    if decide!(beyond_low(x, count, low, high)).is_lt() {
        count += 1;
    } else if decide!(beyond_low(x, count - 1, low, high)).is_ge() {
        count -= 1;
    }
    Some(measure!(moved_value(x, count, low, high)))
}

/// `high - low` loses nothing in `f64`.
pub(crate) fn is_exact_period(low: f32, high: f32) -> bool {
    let period = Rough::<false>::from(high) - Rough::from(low);
    let (least, most) = period.interval();
    least == most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(count: [i32; 2]) -> Shift {
        Shift { count, low: [0.0, -5.0], high: [10.0, 5.0] }
    }

    #[test]
    fn the_shortest_image_and_its_ties() {
        // Half of 10 is 5: at 5 nothing is moved, beyond it is.
        assert_eq!(shortest(1.0, 6.0, 0.0, 10.0), 0);
        assert_eq!(shortest(1.0, 6.0f32.next_up(), 0.0, 10.0), -1);
        assert_eq!(shortest(6.0, 1.0, 0.0, 10.0), 0);
        assert_eq!(shortest(6.0f32.next_up(), 1.0, 0.0, 10.0), 1);
        // A distance that no float has: 5 and 2^-60.
        let tiny = (2.0f32).powi(-60);
        assert_eq!(shortest(-tiny, 5.0, -10.0, 0.0), -1);
        assert_eq!(shortest(tiny, 5.0, 0.0, 10.0), 0);
    }

    #[test]
    fn images_touch_across_the_border() {
        // 9 and 1 - 0: two apart across 10. Radii 1 and 1 touch, a float less does not.
        let by = shift([1, 0]);
        assert_eq!(compare_to_image([9.0, 0.0], [1.0, 0.0], &by, 1.0, 1.0), Ordering::Equal);
        assert_eq!(compare_to_image([9.0, 0.0], [1.0, 0.0], &by, 1.0, 1.0f32.next_down()), Ordering::Greater);
        // At a corner: (9, 4) and (2, -2) + (10, 10) = (12, 8): 3-4-5.
        let by = shift([1, 1]);
        assert_eq!(compare_to_image([9.0, 4.0], [2.0, -2.0], &by, 2.0, 3.0), Ordering::Equal);
        assert_eq!(compare_to_image([2.0, -2.0], [9.0, 4.0], &shift([-1, -1]), 2.0, 3.0), Ordering::Equal);
    }

    #[test]
    fn three_lengths_to_an_image() {
        // The wall from (1, 0) to (3, 0), moved to (11, 0)..(13, 0): 2 from (9, 0), 1 from (12, 1), 5 from (16, 4) by 3-4-5. A float less of any
        // length is too little.
        let (a, b, by) = ([1.0, 0.0], [3.0, 0.0], shift([1, 0]));
        for (p, lengths) in [
            ([9.0, 0.0], [0.25, 0.5, 1.25]),
            ([12.0, 1.0], [0.125, 0.25, 0.625]),
            ([12.0, -1.0], [0.125, 0.25, 0.625]),
            ([16.0, 4.0], [0.75, 1.75, 2.5]),
        ] {
            assert!(is_within_image(p, a, b, &by, lengths));
            for k in 0..3 {
                let mut less = lengths;
                less[k] = less[k].next_down();
                assert!(!is_within_image(p, a, b, &by, less));
            }
        }
    }

    #[test]
    fn walls_have_images() {
        // The wall from (1, 0) to (3, 0), moved to (11, 0)..(13, 0).
        let (a, b, by) = ([1.0, 0.0], [3.0, 0.0], shift([1, 0]));
        let part = |x: f32| nearest_part_of_image([x, 1.0], a, b, &by);
        assert_eq!([9.0, 11.0, 12.0, 13.0].map(part), [Part::Start, Part::Start, Part::Interior, Part::End]);
        assert_eq!(side_of_image([9.0, 1.0], a, b, &by), Ordering::Greater);
        assert_eq!(side_of_image([9.0, 0.0], a, b, &by), Ordering::Equal);
        assert_eq!(compare_to_line_image([12.0, 1.0], a, b, &by, 0.5, 0.5), Ordering::Equal);
        assert!(is_image([11.0, 0.0], a, &by) && !is_image([11.0, 0.0f32.next_up()], a, &by));
        assert_eq!(exact_image(a, &by), Some([11.0, 0.0]));
        assert_eq!(exact_image([1e-30, 0.0], &by), None);
        // Along the axis whose stretch is -5 to 5: a period is 10, not 0.
        assert_eq!(exact_image([1.0, 2.0], &shift([0, -1])), Some([1.0, -8.0]));
        assert!(is_exact_period(-0.1, 7.3) && !is_exact_period(1e-30, 1.0));
        // 2^30 - 2^-23 has 53 bits, 2^30 + 2^-23 has 54.
        let (high, least) = ((2.0f32).powi(30), f32::EPSILON);
        assert!(is_exact_period(least, high) && !is_exact_period(-least, high));
    }
}
