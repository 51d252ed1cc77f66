//! A plane that repeats: along an axis with a period, whatever is at x is at x + (max - min) too.
//!
//! Comes in: coordinates, differences, pairs. Goes out: the same brought back into the stretch that stands for all, or into the shortest
//! of their images. This room does not know bodies.
//!
//! Numbers that are decided on are never rounded (`exact::Shift`); positions are, once, when they are brought back.

use crate::exact::{self, Shift, exact_sum, is_exact_period, wrapped};

/// Which axes repeat, and over which stretch: `low` belongs to it, `high` does not, being `low` again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Periods {
    low: [f32; 2],
    high: [f32; 2],
    /// In `f64`, exactly; 0 where nothing repeats.
    length: [f64; 2],
}

impl Periods {
    /// So many periods are counted exactly, with some to spare.
    pub(crate) const MOST_COUNT: i32 = exact::MOST - 1024;

    /// The largest coordinate of a stretch: images several periods away are finite then.
    pub(crate) const MOST: f32 = 1e37;

    /// From the stretch of each axis that repeats.
    pub(crate) fn new(stretches: [Option<[f32; 2]>; 2]) -> Periods {
        let mut periods = Periods::default();
        for (axis, stretch) in stretches.into_iter().enumerate() {
            if let Some([low, high]) = stretch {
                (periods.low[axis], periods.high[axis]) = (low, high);
                periods.length[axis] = f64::from(high) - f64::from(low);
            }
        }
        periods
    }

    /// A stretch that can be kept: not empty, its length exact in double precision, within [`Self::MOST`].
    pub(crate) fn can_be(low: f32, high: f32) -> bool {
        low < high && -Self::MOST <= low && high <= Self::MOST && is_exact_period(low, high)
    }

    /// Nothing repeats.
    pub(crate) fn is_none(&self) -> bool {
        self.length == [0.0; 2]
    }

    /// The length of the period; 0 where there is none.
    pub(crate) fn length(&self, axis: usize) -> f64 {
        self.length[axis]
    }

    /// Both ends of the stretch.
    pub(crate) fn stretch(&self, axis: usize) -> [f32; 2] {
        [self.low[axis], self.high[axis]]
    }

    /// A shift by so many periods.
    pub(crate) fn shift(&self, count: [i8; 2]) -> Shift {
        self.far_shift(count.map(i32::from))
    }

    /// The same by many: no more than [`exact::MOST`].
    pub(crate) fn far_shift(&self, count: [i32; 2]) -> Shift {
        Shift { count, low: self.low, high: self.high }
    }

    /// The coordinate brought back into the stretch, `low <= x < high`: itself where it is there, else moved by whole periods and rounded
    /// once, to `low` where the nearest `f32` would be `high`.
    pub(crate) fn wrap(&self, axis: usize, x: f32) -> f32 {
        let (low, high, length) = (self.low[axis], self.high[axis], self.length[axis]);
        if length == 0.0 || (low <= x && x < high) {
            return x;
        }
        // The remainder of doubles is exact; the sums before and after it are, unless x and low are 2^29 of each other apart.
        let rest = |apart: f64| apart % length;
        let sum = |rest: f64| exact_sum([rest, if rest < 0.0 { length } else { 0.0 }, f64::from(low)]);
        let back = match exact_sum([f64::from(x), -f64::from(low)]).map(rest).and_then(sum) {
            Some(back) => back as f32,
            None => wrapped(x, low, high).unwrap_or_else(|| {
                let rest = rest(f64::from(x) - f64::from(low));
                (f64::from(low) + if rest < 0.0 { rest + length } else { rest }) as f32
            }),
        };
        if low <= back && back < high { back } else { low }
    }

    /// The coordinate is within the stretch, or nothing repeats.
    #[inline(always)]
    pub(crate) fn keeps(&self, axis: usize, x: f32) -> bool {
        self.length[axis] == 0.0 || (self.low[axis] <= x && x < self.high[axis])
    }

    /// From one place to the other it is half a period or more: whoever was there has been brought back in between.
    pub(crate) fn is_carried(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        (0..2).any(|axis| {
            let way = (f64::from(to[axis]) - f64::from(from[axis])).abs();
            self.length[axis] > 0.0 && way + way >= self.length[axis]
        })
    }

    /// Whoever goes less far than this on an axis, in single precision, is not carried there: a little less than half a period, or infinite.
    /// What is rounded takes 2^-24 of a way, and half of the least number, which is rounded down here then.
    pub(crate) fn nearly_half(&self) -> [f32; 2] {
        self.length.map(|length| if length > 0.0 { (length * 0.499) as f32 } else { f32::INFINITY })
    }

    /// Both ends are no farther than one period beyond the stretch: so little of a segment leaves its own image alone.
    pub(crate) fn can_keep(&self, ends: [[f32; 2]; 2]) -> bool {
        self.are_within(1.0, ends)
    }

    /// Both ends are no farther than so many periods beyond the stretch.
    pub(crate) fn are_within(&self, periods: f64, ends: [[f32; 2]; 2]) -> bool {
        (0..2).all(|axis| {
            let ([low, high], most) = (self.stretch(axis).map(f64::from), self.length(axis) * periods);
            let is_near = |end: [f32; 2]| low - f64::from(end[axis]) <= most && f64::from(end[axis]) - high <= most;
            most == 0.0 || ends.into_iter().all(is_near)
        })
    }

    /// How far off a place images have to be looked for, however large they are: there is one of each point within half a period on each axis, and
    /// what that does not reach no other does. Half as much again has room for what is rounded.
    pub(crate) fn farthest(&self, axis: usize) -> f64 {
        if self.length(axis) > 0.0 { 0.75 * self.length(axis) } else { f64::INFINITY }
    }

    /// What rounding to `f32` moves a coordinate by within 18 periods of the stretch: half a unit in its last place is 2^-24 of it at most, or
    /// nothing where it is less than the least normal number. As much again is to spare.
    pub(crate) fn rounding(&self, axis: usize) -> f64 {
        let [low, high] = self.stretch(axis).map(|x| f64::from(x).abs());
        let far = if low > high { low } else { high };
        (far + 18.0 * self.length(axis)) * (1.0 / 8_388_608.0)
    }

    /// By how many periods a coordinate is beyond the stretch, as a number to be taken away.
    pub(crate) fn beyond(&self, axis: usize, x: f64) -> f64 {
        if self.length[axis] == 0.0 { 0.0 } else { ((x - f64::from(self.low[axis])) / self.length[axis]).floor() }
    }

    /// So many periods, where they are counted and double precision has the product.
    pub(crate) fn exactly(&self, axis: usize, count: f64) -> Option<f64> {
        let mut counts = [0; 2];
        counts[axis] = count as i32;
        if count.abs() <= f64::from(exact::MOST) { self.far_shift(counts).by(axis) } else { None }
    }

    /// Where a coordinate is once it has been brought back, in double precision: the remainder is exact, however far out the coordinate is, and of one
    /// that is more than 2^24 periods away, so is what is added to it, but for the last digit of stretches of the longest lengths.
    pub(crate) fn folded(&self, axis: usize, x: f32) -> f64 {
        if self.length[axis] == 0.0 {
            return f64::from(x);
        }
        let rest = f64::from(x) % self.length[axis];
        // As many as an end of the stretch is from zero, less than 2^24 and a few; none or one where the length has more digits than an f32.
        rest - self.beyond(axis, rest) * self.length[axis]
    }

    /// By how much a segment with these ends is brought back: whole periods, of its middle.
    pub(crate) fn back(&self, axis: usize, [a, b]: [f32; 2]) -> f64 {
        self.beyond(axis, (f64::from(a) + f64::from(b)) * 0.5) * self.length(axis)
    }

    /// The shortest of the images of a difference; the one given where two are equally short.
    #[inline(always)]
    pub(crate) fn fold(&self, d: [f64; 2]) -> [f64; 2] {
        let one = |axis: usize| {
            let (d, length) = (d[axis], self.length[axis]);
            if d + d > length || d + d < -length { fold_far(d, length) } else { d }
        };
        if self.is_none() { d } else { [one(0), one(1)] }
    }

    /// The image of `to` that is nearest to `from`; itself where nothing repeats.
    pub(crate) fn nearest_to(&self, from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
        if self.is_none() {
            return to;
        }
        let d = self.fold([to[0] - from[0], to[1] - from[1]]);
        [from[0] + d[0], from[1] + d[1]]
    }

    /// By how many periods `to` has to be moved to be as near to `from` as can be, exactly: no more than one along each axis if both are in
    /// the stretch, and none where two images are equally near.
    pub(crate) fn shortest(&self, from: [f32; 2], to: [f32; 2]) -> [i8; 2] {
        let one = |axis: usize| {
            if self.length[axis] == 0.0 {
                return 0;
            }
            let d = f64::from(to[axis]) - f64::from(from[axis]);
            let (twice, bound) = (d.abs() * 2.0, (d.abs() * 2.0 + self.length[axis]) * (4.0 * exact::U));
            if twice < self.length[axis] - bound {
                0
            } else if twice > self.length[axis] + bound {
                if d > 0.0 { -1 } else { 1 }
            } else {
                exact::shortest(from[axis], to[axis], self.low[axis], self.high[axis])
            }
        };
        [one(0), one(1)]
    }
}

/// Without a period nothing is far.
#[inline(never)]
fn fold_far(d: f64, length: f64) -> f64 {
    if length == 0.0 {
        return d;
    }
    let rest = d % length;
    if rest + rest > length {
        rest - length
    } else if rest + rest < -length {
        rest + length
    } else {
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods() -> Periods {
        Periods::new([Some([-2.0, 8.0]), None])
    }

    #[test]
    fn stretches_and_shifts_are_those_given() {
        let by = periods().shift([1, 0]);
        assert_eq!((periods().stretch(0), by.count, by.low[0], by.high[0]), ([-2.0, 8.0], [1, 0], -2.0, 8.0));
    }

    #[test]
    fn coordinates_come_back_into_the_stretch() {
        let wrap = |x: f32| periods().wrap(0, x);
        assert_eq!(
            [-2.0, 7.5, 8.0, 8.5, -2.5, 28.0, -42.0, 133.0].map(wrap),
            [-2.0, 7.5, -2.0, -1.5, 7.5, -2.0, -2.0, 3.0]
        );
        // A hair below the low end would be rounded to the high one, which is the low one.
        // -2 - 2^-22 is 8 - 2^-22 moved: midway between 8 - 2^-21 and 8, which is the even one.
        assert_eq!(wrap((-2.0f32).next_down()), -2.0);
        assert_eq!(periods().wrap(1, 1e30), 1e30);
        // What is there is left as it is: 2 + 10^-45 would be 2.
        assert_eq!(wrap(1e-45), 1e-45);
        for x in [f32::MAX, f32::MIN, 1e-45, -1e-45, -0.0] {
            let back = wrap(x);
            assert!((-2.0..8.0).contains(&back), "{x} to {back}");
        }
    }

    #[test]
    fn what_is_brought_back_is_rounded_once() {
        // 5 - 5 (1 - low) = 5 low, of which an f64 has lost the end.
        let low = 2.5e-9f32;
        let five = Periods::new([Some([low, 1.0]), None]).wrap(0, 5.0);
        assert_eq!(five, 5.0 * low);
        let (low, high, x) = (1.280_252_4e-6f32, 2.263_333_1e-4f32, 2_155.278f32);
        let (back, exact) = (Periods::new([Some([low, high]), None]).wrap(0, x), |v: f32| {
            // In units of 2^-60 all of them are integers.
            (f64::from(v) * (1u64 << 60) as f64) as i128
        });
        let rest = (exact(x) - exact(low)).rem_euclid(exact(high) - exact(low)) + exact(low);
        let off = |v: f32| (exact(v) - rest).abs();
        assert!(off(back) <= off(back.next_up()) && off(back) <= off(back.next_down()), "{back}");
        // A quotient that rounds to a whole number, on either side of it.
        let p = Periods::new([Some([-1e-9, 0.7]), None]);
        for k in 1..2000 {
            let x = k as f32 * 0.7;
            for x in [x, x.next_up(), x.next_down(), -x, (-x).next_up(), (-x).next_down()] {
                let back = p.wrap(0, x);
                assert!((-1e-9..0.7).contains(&back), "{x} {back}");
                let n = (f64::from(x) - f64::from(back)) / (f64::from(0.7f32) - f64::from(-1e-9f32));
                assert!((n - n.round()).abs() < 1e-6, "{x} {back}");
            }
        }
    }

    #[test]
    fn differences_are_folded() {
        let fold = |d: f64| periods().fold([d, 100.0]);
        assert_eq!([5.0, -5.0, 6.0, -6.0, 24.0, -3.0].map(|d| fold(d)[0]), [5.0, -5.0, -4.0, 4.0, 4.0, -3.0]);
        // Half a period and whole ones; more than that, beyond half of it.
        assert_eq!([15.0, -15.0, 25.0, 16.0, -16.0, 30.0].map(|d| fold(d)[0]), [5.0, -5.0, 5.0, -4.0, 4.0, 0.0]);
        let short = Periods::new([None, Some([0.0, 0.5])]);
        assert_eq!([0.375, -0.375, 0.25].map(|d| short.fold([7.0, d])), [[7.0, -0.125], [7.0, 0.125], [7.0, 0.25]]);
        assert_eq!(fold(6.0)[1], 100.0);
        assert_eq!(Periods::default().fold([1e300, -7.0]), [1e300, -7.0]);
    }

    #[test]
    fn where_a_coordinate_is() {
        let p = periods();
        assert_eq!(
            [-2.0, 8.0f32.next_down(), 8.0, (-2.0f32).next_down()].map(|x| p.keeps(0, x)),
            [true, true, false, false]
        );
        assert!(p.keeps(1, 1e30) && !p.is_none() && Periods::default().is_none());
        assert_eq!(
            [-2.0, 7.5, 8.0, 28.0, -2.5, -12.0, -12.5].map(|x| p.beyond(0, x)),
            [0.0, 0.0, 1.0, 3.0, -1.0, -1.0, -2.0]
        );
        assert_eq!((p.beyond(1, 100.0), p.length(0), p.length(1)), (0.0, 10.0, 0.0));
        // Half a period, 5, is carried; less is not.
        let carried = |x: f32| p.is_carried([1.0, 0.0], [x, 1e9]);
        assert!(carried(7.5) && carried(-9.0));
        assert_eq!([6.0, -4.0, 6.0f32.next_down(), (-4.0f32).next_up()].map(carried), [true, true, false, false]);
        // From 7 the nearest image of -1 is 9, from -1 that of 7 is -3.
        assert_eq!(p.nearest_to([7.0, 3.0], [-1.0, 50.0]), [9.0, 50.0]);
        assert_eq!(p.nearest_to([-1.0, 3.0], [7.0, 50.0]), [-3.0, 50.0]);
        assert_eq!(Periods::default().nearest_to([7.0, 3.0], [-1.0, 50.0]), [-1.0, 50.0]);
    }

    #[test]
    fn stretches_that_cannot_be_kept() {
        assert!(Periods::can_be(-1.0, 1.0) && Periods::can_be(0.1, 7.3) && Periods::can_be(1e30, 1e30f32.next_up()));
        let most = Periods::MOST;
        assert!(Periods::can_be(-most, most) && most == 1e37);
        assert!(!Periods::can_be(0.0, most.next_up()) && !Periods::can_be(-most.next_up(), 0.0));
        for [low, high] in [[1.0, 1.0], [2.0, 1.0], [f32::NAN, 1.0], [0.0, f32::NAN], [0.0, 1e38], [1e-30, 1.0]] {
            assert!(!Periods::can_be(low, high), "{low} {high}");
        }
    }

    #[test]
    fn the_shortest_image_is_the_exact_one() {
        let shortest = |from: f32, to: f32| periods().shortest([from, 0.0], [to, 1e9]);
        assert_eq!(shortest(-2.0, 3.0), [0, 0]);
        assert_eq!(shortest(-2.0, 3.0f32.next_up()), [-1, 0]);
        assert_eq!(shortest(7.0, -1.0), [1, 0]);
        // 5 + 2^-50 is a double, and more than half of 10; 5 - 2^-50 is less.
        let least = (2.0f32).powi(-50);
        assert_eq!([shortest(-least, 5.0), shortest(5.0, -least)], [[-1, 0], [1, 0]]);
        assert_eq!([shortest(least, 5.0), shortest(5.0, least)], [[0, 0], [0, 0]]);
    }
}
