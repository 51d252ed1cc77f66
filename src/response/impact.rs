//! When a disc that flies straight runs into a wall.
//!
//! Comes in: a wall's spine, how near its centre may come, where it is and how far it goes. Goes out: the fraction of the way and the
//! normal there, in `f64` and to within its rounding: nothing is decided here that must not be wrong. This room does not know who flies.
//!
//! Method: as in `geometry::sweep` (van den Bergen, Collision Detection in Interactive 3D Environments, 3.4): the flank of the strip about the
//! line, else the discs about the ends. What overlaps at the start is met there if it approaches, else never: from a convex body what
//! does not approach goes away. Nothing over- or underflows: terms are of degree 4 in `f32`.

use super::impulse::{Pair, dot};
use super::leg::Spine;
use super::units::wide;
use crate::exact::{P, orient};
use crate::geometry::{Feature, nearest_on_segment};
use std::cmp::Ordering;

/// The first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impact {
    /// 0 to 1 of the way.
    pub(super) fraction: f64,
    /// Unit, from the disc into the wall.
    pub(super) normal: Pair,
    /// Which end was touched: 0 or 1; none: the flank.
    pub(super) end: Option<usize>,
}

/// A wall that a circle met on its way, and was turned by unless it flees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Met {
    /// The row of the circle before the step.
    pub(crate) circle: u32,
    pub(crate) segment: u32,
    /// Where the wall was touched.
    pub(crate) point: Pair,
    /// Unit, into the wall.
    pub(crate) normal: Pair,
    /// How fast they came near each other before it was turned, along the normal.
    pub(crate) approach: f64,
    /// Of the step, how much had passed.
    pub(crate) fraction: f64,
}

fn minus(a: Pair, b: Pair) -> Pair {
    [a[0] - b[0], a[1] - b[1]]
}

/// Of a disc (or point) of radius `reach` from `at` on its way of `motion` with the segment between `ends`.
pub(super) fn impact(ends: [Pair; 2], reach: f64, at: Pair, motion: Pair) -> Option<Impact> {
    let (e, w) = (minus(ends[1], ends[0]), minus(at, ends[0]));
    let length2 = dot(e, e);
    if length2 > 0.0 {
        let length = length2.sqrt();
        let cross = |v: Pair| (e[0] * v[1] - e[1] * v[0]) / length;
        let (height, rate) = (cross(w), cross(motion));
        let left = if height == 0.0 { rate < 0.0 } else { height > 0.0 };
        let is_flank = |fraction: f64| {
            let foot = dot(w, e) + fraction * dot(motion, e);
            foot > 0.0 && foot < length2
        };
        if let Some(found) = at_flank((e, length), (height.abs() - reach, left, rate), is_flank) {
            return found;
        }
    }
    at_ends((ends, e), reach, at, motion)
}

/// What the flank of a wall along `e`, so long, says to a disc so far from it, to its left or not, that goes to its left so fast; `is_flank`: whether
/// its foot is on the wall at a fraction of the way. None: that is for the ends to say.
#[inline(always)]
fn at_flank(
    (e, length): (Pair, f64),
    (gap, left, rate): (f64, bool, f64),
    is_flank: impl Fn(f64) -> bool,
) -> Option<Option<Impact>> {
    let approach = if left { -rate } else { rate };
    if gap <= 0.0 && is_flank(0.0) && approach <= 0.0 {
        return Some(None);
    }
    if approach > 0.0 {
        let fraction = if gap > 0.0 { gap / approach } else { 0.0 };
        if fraction <= 1.0 && is_flank(fraction) {
            let away = if left { [-e[1], e[0]] } else { [e[1], -e[0]] };
            return Some(Some(Impact { fraction, normal: [-away[0] / length, -away[1] / length], end: None }));
        }
    }
    None
}

/// The same where no flank is met.
#[inline(always)]
fn at_ends((ends, e): ([Pair; 2], Pair), reach: f64, at: Pair, motion: Pair) -> Option<Impact> {
    let mut first: Option<Impact> = None;
    for (k, &end) in ends.iter().enumerate() {
        let m = minus(at, end);
        let (b, c) = (dot(m, motion), dot(m, m) - reach * reach);
        let (mut fraction, mut to_end) = (0.0, [-m[0], -m[1]]);
        if c <= 0.0 {
            // Of two ends in reach only the nearer counts: the one beyond which the centre is.
            let beyond = if k == 0 { dot(m, e) <= 0.0 } else { dot(m, e) >= 0.0 };
            if !beyond {
                continue;
            }
            if b >= 0.0 {
                return None;
            }
        } else {
            // The root of b² - ac is that of a·reach² - (m x motion)², which says of a point that flies onto the end exactly that it does.
            let (a, side) = (dot(motion, motion), m[0] * motion[1] - m[1] * motion[0]);
            let root = a * reach * reach - side * side;
            if b >= 0.0 || root < 0.0 || a == 0.0 {
                continue;
            }
            let root = root.sqrt();
            fraction = c / (root - b);
            // From where it then is, times a.
            to_end = [root * motion[0] - side * motion[1], root * motion[1] + side * motion[0]];
        }
        if fraction <= 1.0 && first.is_none_or(|first| fraction < first.fraction) {
            let distance = dot(to_end, to_end).sqrt();
            // Of two points that meet, the direction of the motion.
            let (v, size) = if distance > 0.0 { (to_end, distance) } else { (motion, dot(motion, motion).sqrt()) };
            first = Some(Impact { fraction, normal: [v[0] / size, v[1] / size], end: Some(k) });
        }
    }
    first
}

/// [`impact`] with a wall that goes too far for differences from an end of it to tell where it is: how near the start is, and on which side, comes
/// from exact arithmetic; an end that is near is what is counted from, and where a far end is does not matter.
#[cold]
#[inline(never)]
pub(super) fn far_impact(wall: &Spine, reach: f64, from: P, motion: Pair) -> Option<Impact> {
    let (at, ends) = (wide(from), [wall.start, wall.end].map(wide));
    let (e, nearest) = (minus(ends[1], ends[0]), nearest_on_segment(from, wall.segment()));
    let (w, length) = (ends.map(|end| minus(at, end)), dot(e, e).sqrt());
    // Of a point this is not a number, and no comparison below holds.
    let cross = |v: Pair| (e[0] * v[1] - e[1] * v[0]) / length;
    let height = match nearest.feature {
        Feature::Interior => f64::from(nearest.distance),
        Feature::Start => cross(w[0]).abs(),
        _ => cross(w[1]).abs(),
    };
    let (gap, rate) = (height - reach, cross(motion));
    let left = match orient(wall.start, wall.end, from) {
        Ordering::Equal => rate < 0.0,
        side => side == Ordering::Greater,
    };
    let is_flank = |fraction: f64| {
        let gone = fraction * dot(motion, e);
        dot(w[0], e) + gone > 0.0 && dot(w[1], e) + gone < 0.0
    };
    let found = at_flank((e, length), (gap, left, rate), is_flank);
    found.unwrap_or_else(|| at_ends((ends, e), reach, at, motion))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: [Pair; 2] = [[0.0, 0.0], [4.0, 0.0]];

    #[test]
    fn flank_is_met_at_the_gap_over_the_speed() {
        // Height 5, reach 1, falling 8: gap 4 after half of the way; from below likewise.
        let falling = Impact { fraction: 0.5, normal: [0.0, -1.0], end: None };
        assert_eq!(impact(WALL, 1.0, [1.0, 5.0], [0.0, -8.0]), Some(falling));
        let rising = Impact { fraction: 0.5, normal: [0.0, 1.0], end: None };
        assert_eq!(impact(WALL, 1.0, [1.0, -5.0], [0.0, 8.0]), Some(rising));
        assert_eq!(impact(WALL, 1.0, [1.0, 5.0], [0.0, -3.0]), None);
    }

    #[test]
    fn ends_are_discs() {
        // Along the line from -5: distance 1 at -1, 4 of 8.
        let at_start = Impact { fraction: 0.5, normal: [1.0, 0.0], end: Some(0) };
        assert_eq!(impact(WALL, 1.0, [-5.0, 0.0], [8.0, 0.0]), Some(at_start));
        // 3-4-5: straight down beside the end at x = 4 + 3, reach 5: height 4, 6 of 12.
        let at_end = impact(WALL, 5.0, [7.0, 10.0], [0.0, -12.0]).unwrap();
        assert_eq!((at_end.fraction, at_end.end), (0.5, Some(1)));
        assert!((at_end.normal[0] + 0.6).abs() < 1e-15 && (at_end.normal[1] + 0.8).abs() < 1e-15);
        // A point-wall is an end.
        assert_eq!(impact([[0.0; 2]; 2], 1.0, [-5.0, 0.0], [8.0, 0.0]), Some(at_start));
    }

    #[test]
    fn points_meet_ends_they_fly_onto() {
        // From a thousandth of d before the end for d further: all of these numbers are exact, and so is what they say.
        for (x, y) in [(1.0, 0.0), (3.0, 7.0), (-1234567.0, 7654321.0), (1e-7, 3e5), (-11.0, -1e-30)] {
            let (start, d) = ([-x, -y].map(|v: f64| v * 0.0009765625), [x, y]);
            let met = impact([[0.0; 2], [-y, x]], 0.0, start, d).expect("flies onto it");
            assert!((met.fraction - 0.0009765625).abs() < 1e-18 && met.end == Some(0), "{met:?}");
            let length = dot(d, d).sqrt();
            assert!((met.normal[0] - x / length).abs() < 1e-15 && (met.normal[1] - y / length).abs() < 1e-15);
        }
        // A hair about it is met half a right angle off: the way passes beside it at 1 / √2 of the reach.
        let (reach, off) = (1e-9, 1e-9 * std::f64::consts::FRAC_1_SQRT_2);
        let met = impact([[0.0; 2], [0.0, -1.0]], reach, [-1000.0, off], [2000.0, 0.0]).expect("on its way");
        assert!((met.normal[0] + met.normal[1]).abs() < 1e-12, "{met:?}");
    }

    #[test]
    fn overlap_is_met_at_once_or_never() {
        let at_once = Impact { fraction: 0.0, normal: [0.0, -1.0], end: None };
        assert_eq!(impact(WALL, 1.0, [1.0, 0.5], [9.0, -0.25]), Some(at_once));
        assert_eq!(impact(WALL, 1.0, [1.0, 0.5], [9.0, 0.0]), None);
        assert_eq!(impact(WALL, 1.0, [1.0, 0.5], [9.0, 0.25]), None);
        // About an end: towards it, and away from it though along the wall's direction.
        assert_eq!(impact(WALL, 1.0, [-0.5, 0.0], [0.25, 0.0]).map(|i| (i.fraction, i.end)), Some((0.0, Some(0))));
        assert_eq!(impact(WALL, 1.0, [-0.5, 0.0], [-0.25, 0.0]), None);
    }

    /// A wall of any length through (0, 0), and one that ends there.
    #[test]
    fn far_ends_change_nothing_nearby() {
        let spine = |start: P, end: P| Spine { start, end, one_sided: false };
        // From (0, 4) to (0, -4), 45 degrees to the line of x = y: height 4 / √2, so the way to reach 1 is (4 - √2) / 8 of it.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for far in [1e3f32, 1e8, 1e20, 3e38] {
            let diagonal = spine([-far, -far], [far, far]);
            let found = far_impact(&diagonal, 1.0, [0.0, 4.0], [0.0, -8.0]).expect("on its way");
            assert!(
                (found.fraction - (4.0 - 2.0 * half) / 8.0).abs() < 1e-7 && found.end.is_none(),
                "{far}: {found:?}"
            );
            assert!((found.normal[0] - half).abs() < 1e-7 && (found.normal[1] + half).abs() < 1e-7, "{far}: {found:?}");
            // Beside it, away from it, and from within reach away from it and towards it.
            assert_eq!(far_impact(&diagonal, 1.0, [0.0, 4.0], [8.0, 8.0]), None);
            assert_eq!(far_impact(&diagonal, 1.0, [4.0, 0.0], [8.0, 0.0]), None);
            assert_eq!(far_impact(&diagonal, 1.0, [5.0, 5.5], [-1.0, 1.0]), None);
            let at_once = far_impact(&diagonal, 1.0, [5.0, 5.5], [1.0, -1.0]).expect("towards it");
            assert_eq!((at_once.fraction, at_once.end), (0.0, None));
            // From beyond an end that is near: height 3 / √2.
            for slope in [spine([0.0, 0.0], [far, far]), spine([far, far], [0.0, 0.0])] {
                let found = far_impact(&slope, 0.5, [-2.0, 1.0], [8.0, 0.0]).expect("on its way");
                assert!(
                    (found.fraction - (3.0 * half - 0.5) / (8.0 * half)).abs() < 1e-7 && found.end.is_none(),
                    "{far}"
                );
            }
            // 3-4-5 about an end that is near: reach 5, height 4, 6 of 12; and beyond it.
            for beam in [spine([0.0, 0.0], [far, 0.0]), spine([far, 0.0], [0.0, 0.0])] {
                let found = far_impact(&beam, 5.0, [-3.0, 10.0], [0.0, -12.0]).expect("an end");
                assert_eq!((found.fraction, found.end), (0.5, Some(usize::from(beam.start[0] > 0.0))));
                assert_eq!(far_impact(&beam, 5.0, [-6.0, 10.0], [0.0, -12.0]), None);
                let flank = far_impact(&beam, 1.0, [0.5, 5.0], [0.0, -8.0]);
                assert_eq!(flank, Some(Impact { fraction: 0.5, normal: [0.0, -1.0], end: None }));
            }
        }
        // Differences from its ends know nothing of that.
        let naive = impact([[-1e30, -1e30], [1e30, 1e30]], 1.0, [0.0, 4.0], [0.0, -8.0]);
        assert!(naive.is_none_or(|found| found.fraction == 0.0), "{naive:?}");
    }

    #[test]
    fn of_ordinary_walls_both_tell_the_same() {
        let spine = Spine { start: [0.0, 0.0], end: [4.0, 0.0], one_sided: false };
        for (reach, at, motion) in [
            (1.0, [1.0, 5.0], [0.0, -8.0]),
            (1.0, [1.0, -5.0], [0.0, 8.0]),
            (1.0, [-5.0, 0.0], [8.0, 0.0]),
            (5.0, [7.0, 10.0], [0.0, -12.0]),
            (1.0, [1.0, 0.5], [9.0, -0.25]),
            (1.0, [1.0, 0.5], [9.0, 0.0]),
            (1.0, [-0.5, 0.0], [0.25, 0.0]),
            (1.0, [-0.5, 0.0], [-0.25, 0.0]),
        ] {
            assert_eq!(far_impact(&spine, reach, at, motion), impact(WALL, reach, wide(at), motion), "{at:?}");
        }
        let point = Spine { start: [0.0; 2], end: [0.0; 2], one_sided: false };
        let found = far_impact(&point, 1.0, [-5.0, 0.0], [8.0, 0.0]);
        assert_eq!(found, impact([[0.0; 2]; 2], 1.0, [-5.0, 0.0], [8.0, 0.0]));
    }
}
