//! Bringing a question back into the stretch that stands for all, in a plane that repeats, and on to its images.
//!
//! Comes in: the point by which a question is brought back. Goes out: where that is then, and the ways from the question to its images, by which all of
//! its points are moved, and what is found is moved back. This room does not know bodies.
//!
//! Whole periods are taken away as one product where double precision has it; where it has not, so far out that it does not, or where periods have too many
//! digits, the point is brought back by a remainder, which is exact, and moved on from there.

use crate::geometry::{Periods, Vec2};

/// A point, and where it is in the stretch.
#[derive(Clone, Copy)]
pub(super) struct Back {
    point: [f64; 2],
    periods: Periods,
    /// The periods taken away, where they can be counted.
    count: [f64; 2],
    place: [f64; 2],
}

/// How far something is moved along each axis: by two summands, the second added to what the first leaves, so that nothing is lost where that is nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move([[f64; 2]; 2]);

impl Move {
    /// In one, along each axis.
    pub(super) fn by(by: [f64; 2]) -> Move {
        Move(by.map(|by| [by, 0.0]))
    }

    /// Each coordinate rounded once; where it is beyond all numbers to the largest, as `geometry` has it.
    pub(super) fn moved(&self, p: Vec2) -> Vec2 {
        let one = |v: f32, [first, second]: [f64; 2]| {
            let v = (f64::from(v) + first + second) as f32;
            if v < -f32::MAX {
                -f32::MAX
            } else if v > f32::MAX {
                f32::MAX
            } else {
                v
            }
        };
        if self.0 == [[0.0; 2]; 2] { p } else { Vec2::new(one(p.x, self.0[0]), one(p.y, self.0[1])) }
    }

    /// The same way in the other direction, for what is found at an image.
    pub(super) fn reverse(&self) -> Move {
        Move::by(self.0.map(|[first, second]| 0.0 - (first + second)))
    }
}

impl Back {
    pub(super) fn new(periods: Periods, point: Vec2) -> Back {
        let point = [point.x, point.y];
        let (mut count, mut place) = ([0.0; 2], point.map(f64::from));
        for (axis, x) in point.into_iter().enumerate() {
            let beyond = periods.beyond(axis, f64::from(x));
            if let Some(by) = periods.exactly(axis, beyond) {
                (count[axis], place[axis]) = (beyond, f64::from(x) - by);
            } else {
                place[axis] = periods.folded(axis, x);
                // The quotient above may have been one off.
                count[axis] = ((f64::from(x) - place[axis]) / periods.length(axis)).round();
            }
        }
        Back { point: point.map(f64::from), periods, count, place }
    }

    /// Where it is in the stretch, not rounded to `f32`.
    pub(super) fn place(&self) -> [f64; 2] {
        self.place
    }

    /// How many periods it was beyond the stretch, along each axis; none if they are more than can be decided on.
    pub(super) fn count(&self) -> Option<[i32; 2]> {
        let is_near = |count: f64| count.abs() <= f64::from(Periods::MOST_COUNT);
        self.count.into_iter().all(is_near).then(|| self.count.map(|count| count as i32))
    }

    /// From the question to its image that is so many periods below where it has been brought back to. Both at once, so that what ends near the
    /// question is rounded once, and what ends at it not at all.
    pub(super) fn way(&self, count: [i64; 2]) -> Move {
        Move([0, 1].map(|axis| match self.periods.exactly(axis, self.count[axis] + count[axis] as f64) {
            Some(by) => [0.0 - by, 0.0],
            None => {
                let on = count[axis] as f64 * self.periods.length(axis);
                [0.0 - self.point[axis], self.place[axis] - on]
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_far_out() {
        // In units of 2^-27: the stretch is 13421773 to 979789440 (0.1 and 7.3 as f32 are), and 2^60 is 2^87. By the remainder of integers.
        let (low, high) = (0.1f32, 7.3f32);
        let units = |v: f32| (f64::from(v) * 134_217_728.0) as i128;
        let periods = Periods::new([Some([low, high]), None]);
        for exponent in 20..90 {
            for x in [1.0f32, 1.25, -1.7, 1.9] {
                let x = x * (2.0f32).powi(exponent);
                let rest = (units(x) - units(low)).rem_euclid(units(high) - units(low)) + units(low);
                let exact = rest as f64 / 134_217_728.0;
                let back = Back::new(periods, Vec2::new(x, 5.0));
                assert_eq!(back.place(), [exact, 5.0], "{x}");
                let at = back.way([0, 0]).moved(Vec2::new(x, 5.0));
                assert_eq!((at.x, at.y), (exact as f32, 5.0), "{x}");
                // One period further down, and back again.
                let below = back.way([1, 0]);
                assert_eq!(below.moved(Vec2::new(x, 5.0)).x, (exact - periods.length(0)) as f32, "{x}");
                assert_eq!(below.reverse().moved(below.moved(Vec2::new(x, 5.0))).x, x);
                let periods_beyond = (units(x) - units(low)).div_euclid(units(high) - units(low));
                assert_eq!(back.count().is_some(), periods_beyond.abs() <= (1 << 24) - 1024, "{x}");
            }
        }
    }

    #[test]
    fn what_is_not_moved_is_itself() {
        // -1e-9 is 10 once it has been brought back and rounded.
        let (periods, p) = (Periods::new([Some([0.0, 10.0]), None]), Vec2::new(-1e-9, 3.0));
        let back = Back::new(periods, p);
        assert_eq!((back.count(), back.way([0, 0]).moved(p).x), (Some([-1, 0]), 10.0));
        assert_eq!(back.way([1, 0]).moved(p), p);
    }

    #[test]
    fn periods_of_many_digits() {
        // 3 - 3·2^-51 has 53 digits, and three times it two more.
        let tiny = 3.0 * (2.0f32).powi(-51);
        let periods = Periods::new([Some([tiny, 3.0]), None]);
        // 9 = 3 (3 - tiny) + 3 tiny: which is in the stretch.
        let back = Back::new(periods, Vec2::new(9.0, 0.0));
        assert_eq!((back.count(), back.way([0, 0]).moved(Vec2::new(9.0, 0.0)).x), (Some([3, 0]), 3.0 * tiny));
    }
}
