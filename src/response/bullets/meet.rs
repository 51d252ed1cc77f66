//! When two discs that fly straight for the same stretch of time touch first.
//!
//! Comes in: where their centres are at the start and at the end of the stretch, the sum of radii. Goes out: the fraction of the stretch, in `f64`
//! and to within its rounding; whether there is one at all is decided exactly where both ends are the circles' own. This room does not
//! know who they are. And when two paths, legs of known times, do.
//!
//! Method: as in `geometry::sweep`. Of the relative motion u from d, |d + τu| = R has the first root (|d|² - R²) / (√(u²R² - (d × u)²) - d·u);
//! the root's argument in this form loses nothing where both are far apart. What touches at the start is met there if it approaches, else
//! never: the distance is convex. Nothing over- or underflows: terms are of degree 4 in `f32`.

use super::near::whole;
use super::path::Leg;
use crate::exact::{Number, P, compare_to_point, cross, decide, diff, norm2, reach};
use crate::geometry::Periods;
use crate::response::impulse::{Pair, dot};
use crate::response::units::larger;

/// Far more than the few operations of either side lose, of their terms.
const DOUBT: f64 = 16.0 * f64::EPSILON;

/// Both ends of two straight flights, if they are known as `f32`: of A, then of B.
pub(super) type Ends = [[P; 2]; 2];

/// The difference of both motions.
fn relative<N: Number>([[a0, a1], [b0, b1]]: Ends) -> [N; 2] {
    let (d0, d1) = (diff::<N>(b0, a0), diff::<N>(b1, a1));
    [d1[0] - d0[0], d1[1] - d0[1]]
}

/// Below zero where the lines of flight pass each other.
fn clearance<N: Number>(ends: Ends, [r, s]: [f32; 2]) -> N {
    let (u, reach) = (relative::<N>(ends), reach::<N>(r, s));
    let side = cross(diff::<N>(ends[1][0], ends[0][0]), u);
    norm2(u) * (reach * reach) - side * side
}

/// See the head of the module. `d` and `to`: from A to B, at the start and at the end.
pub(super) fn first_touch([d, to]: [Pair; 2], radii: [f32; 2], ends: Option<Ends>) -> Option<f64> {
    let u = [to[0] - d[0], to[1] - d[1]];
    let reach = f64::from(radii[0]) + f64::from(radii[1]);
    let (gap, b, u2) = (dot(d, d) - reach * reach, dot(d, u), dot(u, u));
    let touches = |k: usize, d: Pair| match ends {
        Some(ends) => compare_to_point(ends[0][k], ends[1][k], radii[0], radii[1]).is_le(),
        None => dot(d, d) <= reach * reach,
    };
    if b >= 0.0 {
        return None;
    }
    if touches(0, d) {
        return Some(0.0);
    }
    let (left, right) = (d[0] * u[1], d[1] * u[0]);
    let (side, terms) = (left - right, left.abs() + right.abs());
    let root = u2 * reach * reach - side * side;
    let doubtful = root.abs() <= DOUBT * (u2 * reach * reach + terms * terms);
    let passes = match ends {
        Some(ends) if doubtful => decide!(clearance(ends, radii)).is_lt(),
        _ => root < 0.0,
    };
    if passes {
        return None;
    }
    let root = if root > 0.0 { root.sqrt() } else { 0.0 };
    let gap = if gap > 0.0 { gap } else { 0.0 };
    let fraction = gap / (root - b);
    // What is nearest before the end has been met; else the end itself says.
    if fraction < 1.0 - DOUBT {
        Some(fraction)
    } else if -b <= u2 || touches(1, to) {
        Some(if fraction < 1.0 { fraction } else { 1.0 })
    } else {
        None
    }
}

/// Where two paths meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    /// Fraction of the step.
    pub(super) time: f64,
    /// The legs on which they are then.
    pub(super) legs: [usize; 2],
    /// From A to B.
    pub(super) apart: Pair,
}

/// The first touch of two paths from a fraction of the step on, at which they are on these legs. `met`: they have met there already, and what
/// follows on these two legs is no meeting.
pub(super) fn first_meeting(
    [a, b]: [&[Leg]; 2],
    radii: [f32; 2],
    periods: &Periods,
    (time, [mut i, mut j], met): (f64, [usize; 2], bool),
) -> Option<Touch> {
    let start = [i, j];
    while let (Some(one), Some(two)) = (a.get(i), b.get(j)) {
        let begin = larger(larger(one.begin, two.begin), time);
        let end = if one.end < two.end { one.end } else { two.end };
        if begin < end && !(met && [i, j] == start) {
            let whole = begin == one.begin && begin == two.begin && end == one.end && end == two.end;
            let ends = [[one.from, one.to], [two.from, two.to]];
            let between = |time: f64| {
                let (a, b) = (one.at(time), two.at(time));
                [b[0] - a[0], b[1] - a[1]]
            };
            let way = [between(begin), between(end)];
            if let Some((part, apart)) = nearest_image(way, radii, periods, whole.then_some(ends)) {
                return Some(Touch { time: begin + (end - begin) * part, legs: [i, j], apart });
            }
        }
        // Both go on where both end.
        let next = [one.end <= two.end, two.end <= one.end];
        i += usize::from(next[0]);
        j += usize::from(next[1]);
    }
    None
}

/// The first touch with an image, and how far apart they are then.
fn nearest_image([d, to]: [Pair; 2], radii: [f32; 2], periods: &Periods, ends: Option<Ends>) -> Option<(f64, Pair)> {
    let touch = |by: Pair| {
        let (d, to) = ([d[0] + by[0], d[1] + by[1]], [to[0] + by[0], to[1] + by[1]]);
        let part = first_touch([d, to], radii, ends.filter(|_| by == [0.0; 2]))?;
        Some((part, [d[0] + (to[0] - d[0]) * part, d[1] + (to[1] - d[1]) * part]))
    };
    if periods.is_none() {
        return touch([0.0; 2]);
    }
    let reach = f64::from(radii[0]) + f64::from(radii[1]);
    let of = |axis: usize| {
        let length = periods.length(axis);
        let (low, high) = if d[axis] < to[axis] { (d[axis], to[axis]) } else { (to[axis], d[axis]) };
        if length > 0.0 {
            [whole((-reach - high) / length - 1e-6), -whole((low - reach) / length - 1e-6)]
        } else {
            [0, 0]
        }
    };
    let counts = [of(0), of(1)];
    let mut first: Option<(f64, Pair)> = None;
    for x in counts[0][0]..=counts[0][1] {
        for y in counts[1][0]..=counts[1][1] {
            let found = touch([f64::from(x) * periods.length(0), f64::from(y) * periods.length(1)]);
            if let Some(found) = found
                && first.is_none_or(|first| found.0 < first.0)
            {
                first = Some(found);
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flies from the origin to `to`, B rests: decided exactly, and as far as double precision goes.
    fn both(to: P, b: P, radii: [f32; 2]) -> [Option<f64>; 2] {
        let wide = |p: P| p.map(f64::from);
        let ends = [[[0.0; 2], to], [b, b]];
        let d = [[0.0; 2], to].map(|a| [wide(b)[0] - wide(a)[0], wide(b)[1] - wide(a)[1]]);
        [Some(ends), None].map(|ends| first_touch(d, radii, ends))
    }

    /// Where there is no doubt.
    fn at_rest(to: P, b: P, radii: [f32; 2]) -> Option<f64> {
        let [exact, rough] = both(to, b, radii);
        assert_eq!(exact, rough);
        exact
    }

    /// By a hair: what double precision says is its own affair.
    fn exactly(to: P, b: P, radii: [f32; 2]) -> Option<f64> {
        both(to, b, radii)[0]
    }

    #[test]
    fn head_on_and_aside() {
        // Reach 2, 10 apart: 8 of 16.
        assert_eq!(at_rest([16.0, 0.0], [10.0, 0.0], [1.0, 1.0]), Some(0.5));
        // 3-4-5: 3 aside at reach 5, met 4 before: 16 of 32.
        assert_eq!(at_rest([32.0, 0.0], [20.0, 3.0], [2.0, 3.0]), Some(0.5));
        // Short of it; away from it.
        assert_eq!(at_rest([7.0, 0.0], [10.0, 0.0], [1.0, 1.0]), None);
        assert_eq!(at_rest([-16.0, 0.0], [10.0, 0.0], [1.0, 1.0]), None);
        // Two points.
        assert_eq!(at_rest([16.0, 0.0], [4.0, 0.0], [0.0, 0.0]), Some(0.25));
    }

    #[test]
    fn sets_are_closed_at_the_side_and_at_the_end() {
        // Tangent: 2 aside at reach 2; by the least that is, not.
        assert_eq!(exactly([16.0, 0.0], [8.0, 2.0], [1.0, 1.0]), Some(0.5));
        assert_eq!(exactly([16.0, 0.0], [8.0, 2.0f32.next_up()], [1.0, 1.0]), None);
        // At a slant of 3-4-5 over thousands of diameters: 5 aside.
        assert_eq!(exactly([3e5, 4e5], [3e4 - 4.0, 4e4 + 3.0], [2.0, 3.0]), Some(0.1));
        assert_eq!(exactly([3e5, 4e5], [3e4 - 4.0, (4e4f32 + 3.0).next_up()], [2.0, 3.0]), None);
        // The end of the way: touching there, and not quite.
        assert_eq!(exactly([8.0, 0.0], [10.0, 0.0], [1.0, 1.0]), Some(1.0));
        assert_eq!(exactly([8.0f32.next_down(), 0.0], [10.0, 0.0], [1.0, 1.0]), None);
        assert_eq!(exactly([8.0, 0.0], [8.0, 2.0], [1.0, 1.0]), Some(1.0));
    }

    #[test]
    fn overlap_is_met_at_once_or_never() {
        assert_eq!(at_rest([16.0, 0.0], [1.0, 0.0], [1.0, 1.0]), Some(0.0));
        assert_eq!(at_rest([16.0, 0.0], [2.0, 0.0], [1.0, 1.0]), Some(0.0));
        assert_eq!(at_rest([16.0, 0.0], [0.0, 1.0], [1.0, 1.0]), None);
        assert_eq!(at_rest([16.0, 0.0], [-1.0, 0.0], [1.0, 1.0]), None);
        assert_eq!(at_rest([0.0, 0.0], [1.0, 0.0], [1.0, 1.0]), None);
    }
}
