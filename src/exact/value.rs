//! Values that are rounded once: the `f32` nearest to `(p + q √l) / d`, ties to even.
//!
//! Comes in: the four numbers, in each arithmetic. Goes out: a sign or an `f32`. Every separation, normal, point and fraction of
//! the pairwise functions has this form; this room does not know which is which.
//!
//! Method: Ziv's strategy. If both ends of the interval that surely holds the value round to one `f32`, it is that one. Otherwise exact
//! numbers give zero where it is zero, and else an estimate that nothing has been lost in: where `p` and `q √l` cancel,
//! `p + q √l = (p² - q² l) / (p - q √l)`, with the numerator exact. What that leaves open is on which side of the middle of two
//! neighbours the value lies, or whether it is that middle: one exact sign, again by squaring.
//!
//! The estimate, with e = 2^-53: numbers are read within 2e (see [`Big::scaled`]). A root of one is right to 1.5e + e, `q √l` to 2e more
//! and e for the product: 6e. A sum without cancellation (equal signs, or one term at least twice the other: the error grows by 3 at
//! most) is right to 3 · 6e + e; the quotient of the conjugate to 2e + 7e + e; the division by `d` adds 2e + e. Below 24e, taken as 64e.

use super::aligned::power;
use super::big::{Big, Few, Many, Scaled};
use super::number::Number;
use super::quick::{U, finite};
use super::rough::Rough;
use std::cmp::Ordering;

/// `p + q √l`, l not negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surd<N> {
    /// The rational part.
    pub(crate) p: N,
    /// The factor of the root.
    pub(crate) q: N,
    /// Under the root.
    pub(crate) l: N,
}

impl<const TIES: bool> Surd<Rough<TIES>> {
    #[inline(always)]
    fn estimate(self) -> Rough<TIES> {
        self.p + self.q * self.l.sqrt()
    }

    /// The sign, unless the error bound leaves it open.
    #[inline(always)]
    pub(crate) fn sign(self) -> Option<Ordering> {
        self.estimate().sign()
    }
}

impl<const LIMBS: usize> Surd<Big<LIMBS>> {
    /// The sign, where it is known.
    pub(crate) fn sign(&self) -> Option<Ordering> {
        let root = if self.l.sign()? == Ordering::Greater { self.q.sign()? } else { Ordering::Equal };
        Some(match (self.p.sign()?, root) {
            (rational, Ordering::Equal) => rational,
            (Ordering::Equal, root) => root,
            (rational, root) if rational == root => root,
            // Opposite signs: the larger square wins.
            (rational, root) => match (self.p * self.p - self.q * self.q * self.l).sign()? {
                Ordering::Greater => rational,
                Ordering::Less => root,
                Ordering::Equal => Ordering::Equal,
            },
        })
    }

    /// The number to within 20e of itself, zero exactly; where it is known.
    fn scaled(&self) -> Option<Scaled> {
        let root = self.l.sign()? == Ordering::Greater && self.q.sign()? != Ordering::Equal;
        self.p.sign()?;
        let p = self.p.scaled();
        if !root {
            return Some(p);
        }
        let r = self.q.scaled().times(self.l.scaled().sqrt());
        if p.mantissa == 0.0 || (p.mantissa > 0.0) == (r.mantissa > 0.0) || p.far_from(r) {
            return Some(p.plus(r));
        }
        let square = self.p * self.p - self.q * self.q * self.l;
        square.sign()?;
        Some(square.scaled().over(p.plus(r.negated())))
    }
}

/// `(p + q √l) / d`, d not zero; without a root `p / d`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<N> {
    p: N,
    root: Option<[N; 2]>,
    d: N,
}

impl<N: Number> Value<N> {
    /// `p / d`.
    #[inline(always)]
    pub(crate) fn ratio(p: N, d: N) -> Value<N> {
        Value { p, root: None, d }
    }

    /// `(p + q √l) / d`.
    #[inline(always)]
    pub(crate) fn surd(p: N, q: N, l: N, d: N) -> Value<N> {
        Value { p, root: Some([q, l]), d }
    }
}

impl Value<Rough> {
    #[inline(always)]
    fn estimate(self) -> Rough {
        match self.root {
            Some([q, l]) => Surd { p: self.p, q, l }.estimate().over(self.d),
            None => self.p.over(self.d),
        }
    }
}

impl<const LIMBS: usize> Value<Big<LIMBS>> {
    fn surd_of(&self, p: Big<LIMBS>) -> Surd<Big<LIMBS>> {
        let [q, l] = self.root.unwrap_or([Big::from(0.0); 2]);
        Surd { p, q, l }
    }

    /// The sign of the value less `x`, where it is known.
    fn compare(&self, x: f64) -> Option<Ordering> {
        let sign = self.surd_of(self.p - Big::new(x) * self.d).sign()?;
        Some(if self.d.sign()? == Ordering::Less { sign.reverse() } else { sign })
    }

    /// The nearest `f32`, where it is known.
    fn nearest(&self) -> Option<f32> {
        self.d.sign()?;
        let value = self.surd_of(self.p).scaled()?.over(self.d.scaled());
        if value.mantissa == 0.0 || value.exponent < -153 {
            // Below half of the smallest subnormal.
            return Some(0.0);
        }
        let value = value.saturated();
        let slack = value.abs() * (64.0 * U);
        let (low, high) = (finite((value - slack) as f32), finite((value + slack) as f32));
        if low == high {
            return Some(low);
        }
        // Neighbours of 24 bits: their sum and half of it are exact in f64.
        Some(match self.compare((f64::from(low) + f64::from(high)) / 2.0)? {
            Ordering::Greater => high,
            Ordering::Less => low,
            // The one with an even mantissa; zero is even.
            Ordering::Equal if low.to_bits() % 2 == 0 => low,
            Ordering::Equal => high,
        })
    }
}

/// The `f32` nearest to the value; +0 for zero, ±`f32::MAX` beyond the range. `few` is asked only where `rough` leaves a choice, and
/// `many` where `few` is too small.
#[inline(always)]
pub(crate) fn settle(rough: Value<Rough>, few: impl FnOnce() -> Value<Few>, many: impl FnOnce() -> Value<Many>) -> f32 {
    let (low, high) = rough.estimate().interval();
    let (low, high) = (low as f32, high as f32);
    if low == high {
        return finite(low);
    }
    // A number that does not fit `Many` cannot be, by its size; there is no panic even so.
    super::cold(|| few().nearest()).or_else(|| super::cold(|| many().nearest())).unwrap_or(0.0)
}

impl Scaled {
    /// The mantissa brought back to 1..=2.
    #[inline]
    fn normal(self) -> Scaled {
        let bits = self.mantissa.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
        if self.mantissa == 0.0 {
            return Scaled { mantissa: 0.0, exponent: 0 };
        }
        Scaled { mantissa: self.mantissa / power(exponent), exponent: self.exponent + exponent }
    }

    fn times(self, other: Scaled) -> Scaled {
        Scaled { mantissa: self.mantissa * other.mantissa, exponent: self.exponent + other.exponent }.normal()
    }

    fn over(self, other: Scaled) -> Scaled {
        Scaled { mantissa: self.mantissa / other.mantissa, exponent: self.exponent - other.exponent }.normal()
    }

    fn negated(self) -> Scaled {
        Scaled { mantissa: -self.mantissa, ..self }
    }

    fn sqrt(self) -> Scaled {
        let odd = self.exponent.rem_euclid(2);
        let mantissa = if odd == 1 { self.mantissa * 2.0 } else { self.mantissa };
        Scaled { mantissa: mantissa.sqrt(), exponent: (self.exponent - odd) / 2 }.normal()
    }

    fn plus(self, other: Scaled) -> Scaled {
        if self.mantissa == 0.0 {
            return other;
        }
        let (high, low) = if self.exponent < other.exponent { (other, self) } else { (self, other) };
        let down = high.exponent - low.exponent;
        // What is 2^-100 of the other is far below the rounding.
        let part = if down > 100 { 0.0 } else { low.mantissa * power(-down) };
        Scaled { mantissa: high.mantissa + part, exponent: high.exponent }.normal()
    }

    /// One is at least twice the other, as far as exponents tell: 2^k to 2^(k+1) against 2^(k+2) and more.
    fn far_from(self, other: Scaled) -> bool {
        (self.exponent - other.exponent).abs() >= 2
    }

    /// As one `f64`; beyond the range of `f32` just somewhere beyond.
    fn saturated(self) -> f64 {
        let exponent = if self.exponent > 200 { 200 } else { self.exponent };
        self.mantissa * power(exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio<N: Number>(p: f32, q: f32, d: f32) -> Value<N> {
        // (p + q - p) / d: the cancellation hides the value from the first tier when q is far below p.
        let p = N::from(p);
        Value::ratio(p + N::from(q) * N::from(q) - p, N::from(d))
    }

    fn surd<N: Number>(p: f32, q: f32, l: f32, d: f32) -> Value<N> {
        Value::surd(N::from(p), N::from(q), N::from(l), N::from(d))
    }

    /// A formula in all of its arithmetics.
    macro_rules! settled {
        ($formula:ident($($argument:expr),*)) => {{
            let few = $formula::<Few>($($argument),*);
            let settled = settle($formula($($argument),*), || few, || $formula($($argument),*));
            // Every tier that knows an answer has the same.
            let all = [few.nearest(), $formula::<Many>($($argument),*).nearest()];
            assert!(all.iter().flatten().all(|x| x.to_bits() == settled.to_bits()) && all[1].is_some(), "{all:?}");
            settled
        }};
    }

    #[test]
    fn quotients_are_rounded_once() {
        // 1/3 to the nearest f32; 4/2 exactly.
        assert_eq!(settled!(surd(1.0, 0.0, 0.0, 3.0)), 1.0 / 3.0);
        assert_eq!(settled!(surd(1.0, 3.0, 1.0, -2.0)), -2.0);
        // √2 to the nearest f32: 2^0.5 = 1.41421356..., f32 spacing 1.2e-7.
        assert_eq!(settled!(surd(0.0, 1.0, 2.0, 1.0)), std::f32::consts::SQRT_2);
    }

    #[test]
    fn a_value_lost_in_cancellation_is_found() {
        // 1e30 + (2^-20)^2 - 1e30 = 2^-40; over 4: 2^-42.
        let q = (2.0f32).powi(-20);
        assert_eq!(settled!(ratio(1e30, q, 4.0)), (2.0f32).powi(-42));
        // The same with nothing left: exactly +0.
        let zero = settled!(ratio(1e30, 0.0, -4.0));
        assert_eq!(zero.to_bits(), 0);
    }

    #[test]
    fn a_sum_of_like_signs_is_no_cancellation() {
        // 1 + √1 = 2, 3 + √9 = 6: the squares are equal, the sum is not zero. √1 - 1 is.
        assert_eq!(settled!(surd(1.0, 1.0, 1.0, 1.0)), 2.0);
        assert_eq!(settled!(surd(-3.0, -1.0, 9.0, 1.0)), -6.0);
        assert_eq!(settled!(surd(-1.0, 1.0, 1.0, 3.0)).to_bits(), 0);
        for (p, q, l, sign) in [(3.0, 1.0, 9.0, Ordering::Greater), (-3.0, -1.0, 9.0, Ordering::Less)] {
            assert_eq!(Surd { p: Few::from(p), q: Few::from(q), l: Few::from(l) }.sign(), Some(sign));
        }
        assert_eq!(settled!(surd(3.0, -1.0, 2.0, 1.0)), 1.585_786_437_626_905_f64 as f32);
        assert_eq!(settled!(surd(4.0, -1.0, 15.5, 1.0)), 0.062_996_062_994_094_f64 as f32);
        // A root that takes no part: 2^-140, and √2 0.
        assert_eq!(settled!(surd(f32::from_bits(1 << 9), 0.0, 2.0, 1.0)), f32::from_bits(1 << 9));
        assert_eq!(settled!(surd(0.0, 0.0, 2.0, 1.0)).to_bits(), 0);
    }

    #[test]
    fn sizes_that_no_double_holds() {
        // x to the power of 8 or 9, with M = 2^127 and m = 2^-149.
        fn high<N: Number>(x: f32, times: usize) -> N {
            (0..times).fold(N::from(1.0), |product, _| product * N::from(x))
        }
        fn alone<N: Number>(x: f32, times: usize, d: f32) -> Value<N> {
            Value::ratio(high(x, times), N::from(d))
        }
        fn beside<N: Number>(x: f32, y: f32, times: usize) -> [Value<N>; 2] {
            let (large, small, one) = (high::<N>(x, times), N::from(y), N::from(1.0));
            [Value::surd(large, small, one, large), Value::surd(small, large, one, large)]
        }
        fn first<N: Number>(x: f32, y: f32, times: usize) -> Value<N> {
            beside(x, y, times)[0]
        }
        fn second<N: Number>(x: f32, y: f32, times: usize) -> Value<N> {
            beside(x, y, times)[1]
        }
        let (most, least) = ((2.0f32).powi(127), f32::from_bits(1));
        // m^8 = 2^-1192, nothing beside the smallest f32; M^9 = 2^1143, beyond the largest.
        assert_eq!(settled!(alone(least, 8, 1.0)).to_bits(), 0);
        assert_eq!(settled!(alone(most, 9, 1.0)), f32::MAX);
        assert_eq!(settled!(alone(most, 9, -1.0)), f32::MIN);
        // (M^8 + m √1) / M^8 and (m + M^8 √1) / M^8: one term is 2^1165 times the other.
        assert_eq!(settled!(first(most, least, 8)), 1.0);
        assert_eq!(settled!(second(most, least, 8)), 1.0);
    }

    #[test]
    fn ties_go_to_even_and_the_range_is_kept() {
        // 1 + 2^-24 lies midway between 1 and its successor: even is 1. (1 + 2^-23) + 2^-24: even is 1 + 2^-22.
        let half = (2.0f32).powi(-24);
        let one = |p: f32| settled!(surd(p, half, 1.0, 1.0));
        assert_eq!(one(1.0), 1.0);
        assert_eq!(one(1.0 + f32::EPSILON), 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(settled!(surd(f32::MAX, 1.0, 4.0, 1e-3)), f32::MAX);
        assert_eq!(settled!(surd(f32::MAX, 1.0, 4.0, -1e-3)), f32::MIN);
        // Half of the smallest subnormal ties to zero, and zero is +0.
        let least = f32::from_bits(1);
        let x = settled!(surd(-least, 0.0, 0.0, 2.0));
        assert_eq!(x.to_bits(), 0);
    }
}
