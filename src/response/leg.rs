//! Whether a straight leg of a centre's path meets a wall.
//!
//! Comes in: a wall's spine, from which side it is solid, both ends of a leg. Goes out: yes or no, as real arithmetic says it. This
//! room does not know radii, nor who flies.
//!
//! A wall blocks a leg if it acts at its start and the closed leg meets the closed wall. A wall that is solid from both sides acts
//! everywhere but on itself; one that is solid from its right acts where the centre is not to its left, and not on itself either: a
//! centre on it counts as behind, and may go on or back, and from the front none can come to lie on it. On its *extension* it acts, or
//! what slides along there would come to lie on the wall and step through. A shared end needs no rule: both walls block it.
//!
//! Cost: boxes first (exact by nature), then the signs of [`orient`]: 2 ns where boxes are apart, 10 where they are not.

use crate::exact::{P, orient};
use crate::geometry::Segment;
use crate::kernels::{TINY, U};
use std::cmp::Ordering;

/// The spine of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spine {
    pub(super) start: P,
    pub(super) end: P,
    pub(super) one_sided: bool,
}

/// Twice the area of a triangle, above zero where `p` is to the left from `a` to `b`; and a bound within which the sign is not sure: that of
/// [`crate::kernels::segment_segment`], which has it that what overflows compares as not sure.
#[inline(always)]
pub(super) fn side(a: P, b: P, p: P) -> (f32, f32) {
    let (left, right) = ((b[0] - a[0]) * (p[1] - a[1]), (b[1] - a[1]) * (p[0] - a[0]));
    (left - right, (left.abs() + right.abs()) * (8.0 * U) + TINY)
}

/// `v` is between `a` and `b`, both included.
fn is_between(v: f32, a: f32, b: f32) -> bool {
    if a < b { a <= v && v <= b } else { b <= v && v <= a }
}

/// The closed intervals a–b and c–d share a point.
fn overlap(a: f32, b: f32, c: f32, d: f32) -> bool {
    let ((a, b), (c, d)) = (if a < b { (a, b) } else { (b, a) }, if c < d { (c, d) } else { (d, c) });
    a <= d && c <= b
}

impl Spine {
    /// The size of the coordinate that is furthest from 0, or `most`, if that is further.
    #[inline(always)]
    pub(super) fn furthest(&self, most: f32) -> f32 {
        let all = [self.start[0], self.start[1], self.end[0], self.end[1]];
        all.into_iter().fold(most, |most, v| if v.abs() > most { v.abs() } else { most })
    }

    /// From end to end.
    pub(super) fn segment(&self) -> Segment {
        Segment::new(self.start, self.end)
    }

    /// On which side a point is, if it is not on the closed wall itself.
    pub(super) fn side(&self, p: P) -> Option<Ordering> {
        let in_box = is_between(p[0], self.start[0], self.end[0]) && is_between(p[1], self.start[1], self.end[1]);
        let side = orient(self.start, self.end, p);
        if in_box && side == Ordering::Equal { None } else { Some(side) }
    }

    /// It can stop a centre at `p`.
    pub(super) fn acts(&self, p: P) -> bool {
        self.side(p).is_some_and(|side| !self.one_sided || side != Ordering::Greater)
    }

    /// The closed leg and the closed wall share a point.
    pub(super) fn meets(&self, from: P, to: P) -> bool {
        let Spine { start, end, .. } = *self;
        if !(overlap(from[0], to[0], start[0], end[0]) && overlap(from[1], to[1], start[1], end[1])) {
            return false;
        }
        // Where the boxes meet, two segments are apart if and only if one lies strictly on one side of the other's line; all on one
        // line, they share what their boxes share.
        let apart = |a: Ordering, b: Ordering| a == b && a != Ordering::Equal;
        !apart(orient(start, end, from), orient(start, end, to))
            && !apart(orient(from, to, start), orient(from, to, end))
    }

    /// A centre must not go straight from `from` to `to`. What stays where it is may always.
    pub(super) fn blocks(&self, from: P, to: P) -> bool {
        from != to && self.meets(from, to) && self.acts(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sure_side_is_the_exact_one() {
        let numbers =
            [0.0f32, 1.0, -1.0, 3.0, 0.999_999_94, 1.000_000_1, 1e-45, -1e-30, 6.4e6, 6_400_000.5, 1e19, -3e38];
        let point = |k: usize| [numbers[k % 12], numbers[k / 12]];
        let mut sure = 0;
        for k in 0..144 * 144 * 144 / 7 {
            let k = k * 7;
            let (a, b, p) = (point(k % 144), point(k / 144 % 144), point(k / 20_736));
            let (value, bound) = side(a, b, p);
            if value.abs() > bound {
                sure += 1;
                assert_eq!(value.partial_cmp(&0.0), Some(orient(a, b, p)), "{a:?} {b:?} {p:?}");
            }
        }
        assert!(sure > 50_000, "{sure}");
    }

    const TWO: Spine = Spine { start: [0.0, 0.0], end: [4.0, 0.0], one_sided: false };
    /// Solid from below, which is the right of start to end.
    const ONE: Spine = Spine { one_sided: true, ..TWO };

    #[test]
    fn both_sides_block_and_the_right_alone() {
        for (from, to, two, one) in [
            ([1.0, -1.0], [1.0, 1.0], true, true),
            ([1.0, 1.0], [1.0, -1.0], true, false),
            // Landing on the wall, and on its ends.
            ([1.0, -1.0], [2.0, 0.0], true, true),
            ([1.0, 1.0], [2.0, 0.0], true, false),
            ([-1.0, -1.0], [0.0, 0.0], true, true),
            // Past the end by the least that is.
            ([0.0, -1.0], [-f32::from_bits(1), 1.0], false, false),
            ([5.0, -1.0], [5.0, 1.0], false, false),
            ([1.0, -1.0], [3.0, -f32::from_bits(1)], false, false),
            // Along the extension onto the wall: in front.
            ([-1.0, 0.0], [0.0, 0.0], true, true),
            ([-1.0, 0.0], [9.0, 0.0], true, true),
            ([-2.0, 0.0], [-1.0, 0.0], false, false),
            // From the wall, anywhere.
            ([2.0, 0.0], [2.0, 1.0], false, false),
            ([2.0, 0.0], [2.0, -1.0], false, false),
            ([0.0, 0.0], [4.0, 0.0], false, false),
        ] {
            assert_eq!((TWO.blocks(from, to), ONE.blocks(from, to)), (two, one), "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_point_blocks_what_goes_through_it() {
        let point = Spine { start: [1.0, 1.0], end: [1.0, 1.0], one_sided: false };
        assert!(point.blocks([0.0, 0.0], [3.0, 3.0]) && point.blocks([0.0, 0.0], [1.0, 1.0]));
        assert!(!point.blocks([0.0, 0.0], [3.0, 3.0f32.next_up()]) && !point.blocks([1.0, 1.0], [3.0, 3.0]));
    }

    #[test]
    fn rest_is_no_motion() {
        assert!(!TWO.blocks([1.0, 0.0], [1.0, 0.0]) && !TWO.blocks([1.0, 1.0], [1.0, 1.0]));
    }
}
