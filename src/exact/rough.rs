//! The first tier: `f64` that carries a bound on its own error.
//!
//! Comes in: `f32`, exactly. Goes out: a value, and a number that the error does not exceed. Does not know the second tier.
//!
//! Method: running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3), with the exact error of each
//! sum (Knuth's two-sum) instead of a bound for it, so that differences of neighbouring `f32`, which are exact, stay free of error.
//! With u = 2^-53: |fl(x y) - x y| <= u |fl(x y)| + 2^-1074, and the same for a quotient. A product of a ± d and b ± e is off by
//! |a| e + |b| d + d e more, a quotient a / b by (d + |a / b| e) / (|b| - e), a root of a by d / √a, since √x - √a = (x - a) / (√x + √a).
//! The bounds themselves are computed with a relative error below 8 u an operation; formulas are less than 100 operations deep, and
//! quotients are only taken where e <= |b| / 2 and roots where d < a / 2, which double it at most, so the factor [`SAFETY`] covers it. What
//! underflows in a bound or in a product is below [`TINY`], which every product and quotient adds. What overflows (degree 8 and
//! more in the largest numbers) is infinite with an infinite bound, or NaN, and every comparison with that says "not known".

use super::number::Number;
use super::quick::U;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// Covers the rounding of the bounds themselves: (1 + 8u)^100 is below 1 + 2^-43.
const SAFETY: f64 = 1.0001;
/// Covers underflow, of which an operation loses 2^-1074 at most.
const TINY: f64 = f64::MIN_POSITIVE;
/// The bits of a mantissa below the upper 26.
const LOW_BITS: u64 = (1 << 27) - 1;

/// A value and a bound on its error, or NaN anywhere: nothing known. With `TIES` it looks for products that are exact, which settles
/// exact touches of local data here, for a few more operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rough<const TIES: bool = false> {
    value: f64,
    error: f64,
}

impl<const TIES: bool> Rough<TIES> {
    /// Nothing known.
    const UNKNOWN: Rough<TIES> = Rough { value: 0.0, error: f64::INFINITY };

    /// The sign, unless the error bound leaves it open.
    #[inline(always)]
    pub(crate) fn sign(self) -> Option<Ordering> {
        if self.value.abs() > self.error * SAFETY {
            Some(if self.value > 0.0 { Ordering::Greater } else { Ordering::Less })
        } else if self.value == 0.0 && self.error == 0.0 {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// The closed interval that surely holds the exact value; NaN where nothing is known.
    #[inline(always)]
    pub(crate) fn interval(self) -> (f64, f64) {
        // The second term covers the rounding of the two sums; an exact value stays a point.
        let slack = if self.error == 0.0 { 0.0 } else { self.error * SAFETY + 2.0 * U * self.value.abs() };
        (self.value - slack, self.value + slack)
    }

    /// Quotient; nothing is known where the divisor may be zero.
    #[inline(always)]
    pub(crate) fn over(self, divisor: Rough<TIES>) -> Rough<TIES> {
        let size = divisor.value.abs();
        if divisor.error <= 0.5 * size && size > 0.0 {
            let value = self.value / divisor.value;
            let error = (self.error + value.abs() * divisor.error) / (size - divisor.error) + U * value.abs() + TINY;
            Rough { value, error }
        } else {
            Rough::UNKNOWN
        }
    }

    /// Square root of a number known not to be negative.
    #[inline(always)]
    pub(crate) fn sqrt(self) -> Rough<TIES> {
        if self.value > 2.0 * self.error {
            // |√x - √v| = |x - v| / (√x + √v) <= e / √v
            let value = self.value.sqrt();
            Rough { value, error: self.error / value + U * value }
        } else {
            // Both roots lie in [0, √(|v| + e)].
            let error = (self.value.abs() + self.error).sqrt();
            Rough { value: 0.0, error: error + 2.0 * U * error }
        }
    }
}

impl<const TIES: bool> Number for Rough<TIES> {}

impl<const TIES: bool> From<f32> for Rough<TIES> {
    #[inline(always)]
    fn from(x: f32) -> Rough<TIES> {
        Rough { value: f64::from(x), error: 0.0 }
    }
}

impl<const TIES: bool> Add for Rough<TIES> {
    type Output = Rough<TIES>;
    #[inline(always)]
    fn add(self, other: Rough<TIES>) -> Rough<TIES> {
        let (a, b) = (self.value, other.value);
        let value = a + b;
        let round = value - a;
        let tail = (a - (value - round)) + (b - round);
        Rough { value, error: self.error + other.error + tail.abs() }
    }
}

impl<const TIES: bool> Neg for Rough<TIES> {
    type Output = Rough<TIES>;
    #[inline(always)]
    fn neg(self) -> Rough<TIES> {
        Rough { value: -self.value, error: self.error }
    }
}

impl<const TIES: bool> Sub for Rough<TIES> {
    type Output = Rough<TIES>;
    #[inline(always)]
    fn sub(self, other: Rough<TIES>) -> Rough<TIES> {
        self + -other
    }
}

impl<const TIES: bool> Mul for Rough<TIES> {
    type Output = Rough<TIES>;
    #[inline(always)]
    fn mul(self, other: Rough<TIES>) -> Rough<TIES> {
        let (a, b) = (self.value, other.value);
        let value = a * b;
        let error = a.abs() * other.error + b.abs() * self.error + self.error * other.error + U * value.abs() + TINY;
        // Exact factors of 26 bits (local and grid-snapped data) have an exact product, so exact touches stay in this
        // tier; and a factor that is exactly zero gives exactly zero, so walls along an axis do.
        let exact = TIES && self.error == 0.0 && other.error == 0.0;
        let short = (a.to_bits() | b.to_bits()) & LOW_BITS == 0 && value.abs() > TINY && value.abs() < f64::INFINITY;
        let zero = (a == 0.0 && self.error == 0.0) || (b == 0.0 && other.error == 0.0);
        Rough { value, error: if (exact && short) || zero { 0.0 } else { error } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tie = Rough<true>;

    #[test]
    fn differences_of_neighbours_are_free_of_error() {
        // 2^24 - 1 minus 1 fits 24 bits; 2^100 - 1 does not fit 53, and its tail is exactly 1.
        let close = Tie::from(16_777_215.0) - Tie::from(1.0);
        assert_eq!((close.value, close.error), (16_777_214.0, 0.0));
        let far = Tie::from((2.0f32).powi(100)) - Tie::from(1.0);
        assert_eq!(far.error, 1.0);
    }

    #[test]
    fn a_cancelled_product_has_no_sign() {
        // Products of three factors do not fit 53 bits: the difference is zero and no bound can tell.
        let (x, y) = (Tie::from(0.1), Tie::from(0.7));
        assert_eq!((x * x * y - y * x * x).sign(), None);
        // 24 bits times 24 bits fit: this one is seen to be zero.
        assert_eq!((x * y - y * x).sign(), Some(Ordering::Equal));
        assert_eq!((x * Tie::from(0.0)).sign(), Some(Ordering::Equal));
        assert_eq!((x * y).sign(), Some(Ordering::Greater));
    }

    #[test]
    fn a_bound_that_is_used_up_leaves_no_sign() {
        // 2^53 + 1 ties to 2^53, twice: two are lost, and the bound is two. Less 2^53 and 2 the value is -2, the truth 0.
        let (large, one, two) = (Tie::from(9_007_199_254_740_992.0), Tie::from(1.0), Tie::from(2.0));
        let nothing = large + one + one - large - two;
        assert_eq!((nothing.value, nothing.error, nothing.sign()), (-2.0, 2.0, None));
    }

    #[test]
    fn a_product_of_27_bits_by_27_is_not_exact() {
        // (2^27 - 1)² = 2^54 - 2^28 + 1 has 54 bits. Less all but the last it is 1, in 53 bits nothing is left.
        let (power, one) = (Tie::from(134_217_728.0), Tie::from(1.0));
        let odd = power - one;
        let left = odd * odd - power * power + (power + power);
        assert_eq!((odd.error, left.value, left.sign()), (0.0, 0.0, None));
        // 26 bits by 26 is: (2^26 - 1)² - 2^52 + 2^27 = 1.
        let half = Tie::from(67_108_864.0);
        let left = (half - one) * (half - one) - half * half + (half + half);
        assert_eq!((left.value, left.sign()), (1.0, Some(Ordering::Greater)));
    }

    #[test]
    fn what_overflows_is_not_known() {
        // (2^127)^9 is beyond f64; so is its difference to itself, its product with zero, and what is left of it in a bound.
        let high = (0..9).fold(Tie::from(1.0), |product, _| product * Tie::from((2.0f32).powi(127)));
        for lost in [high, high - high, high * Tie::from(0.0), high * high, high - Tie::from(1.0)] {
            assert_eq!(lost.sign(), None, "{lost:?}");
            let (low, upper) = lost.interval();
            assert!(!(low as f32 == upper as f32 && (low as f32).is_finite()), "{lost:?}");
        }
        // Underflow: (2^-149)^8 = 2^-1192 is lost to zero, and the bound says so.
        let low = (0..8).fold(Tie::from(1.0), |product, _| product * Tie::from(f32::from_bits(1)));
        assert_eq!(low.sign(), None);
    }

    #[test]
    fn nothing_is_known_of_a_quotient_by_almost_nothing() {
        let (x, y) = (Tie::from(0.1), Tie::from(0.7));
        let (low, high) = Tie::from(1.0).over(x * x * y - y * x * x).interval();
        assert!(!(low > f64::MIN && high < f64::MAX));
        // √(9 ± 0) / 2 = 1.5
        let (low, high) = Tie::from(9.0).sqrt().over(Tie::from(2.0)).interval();
        assert!(low <= 1.5 && 1.5 <= high && high - low < 1e-14);
    }
}
