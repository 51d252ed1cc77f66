//! Values that are rounded once: the `f32` nearest to `(p + q √l) / d`, ties to even.
//!
//! Comes in: the four numbers, in both arithmetics. Goes out: a sign or an `f32`. Every separation, normal, point and fraction of
//! the pairwise functions has this form; this room does not know which is which.
//!
//! Method: Ziv's strategy. If both ends of the interval that surely holds the value round to one `f32`, it is that one. Otherwise bisection over
//! the `f32` between them, each step an exact sign: `p - x d + q √l` against 0 is decided by squaring.

use super::big::Big;
use super::number::Number;
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

impl Surd<Big> {
    /// The sign.
    pub(crate) fn sign(&self) -> Ordering {
        let root = if self.l.sign() == Ordering::Greater { self.q.sign() } else { Ordering::Equal };
        match (self.p.sign(), root) {
            (rational, Ordering::Equal) => rational,
            (Ordering::Equal, root) => root,
            (rational, root) if rational == root => root,
            // Opposite signs: the larger square wins.
            (rational, root) => match (self.p * self.p - self.q * self.q * self.l).sign() {
                Ordering::Greater => rational,
                Ordering::Less => root,
                Ordering::Equal => Ordering::Equal,
            },
        }
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

impl Value<Big> {
    /// The sign of the value less `x`.
    fn compare(&self, x: f64) -> Ordering {
        let p = self.p - Big::new(x) * self.d;
        let sign = match self.root {
            Some([q, l]) => Surd { p, q, l }.sign(),
            None => p.sign(),
        };
        if self.d.sign() == Ordering::Less { sign.reverse() } else { sign }
    }
}

/// The `f32` nearest to the value; +0 for zero, ±`f32::MAX` beyond the range. `exact` is asked only where `rough` leaves a choice.
#[inline(always)]
pub(crate) fn settle(rough: Value<Rough>, exact: impl FnOnce() -> Value<Big>) -> f32 {
    let (low, high) = rough.estimate().interval();
    let (low, high) = (low as f32, high as f32);
    if low == high { finite(low) } else { super::cold(|| bisect(low, high, &exact())) }
}

/// Without infinities and without -0.
#[inline(always)]
fn finite(x: f32) -> f32 {
    if x > f32::MAX {
        f32::MAX
    } else if x < f32::MIN {
        f32::MIN
    } else {
        x + 0.0
    }
}

/// The nearest `f32`, given that it lies between `low` and `high` (NaN: anywhere).
fn bisect(low: f32, high: f32, value: &Value<Big>) -> f32 {
    let mut low = key(if low >= f32::MIN { finite(low) } else { f32::MIN });
    let mut high = key(if high <= f32::MAX { finite(high) } else { f32::MAX });
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match value.compare(f64::from(from_key(middle))) {
            Ordering::Equal => return from_key(middle),
            Ordering::Greater => low = middle,
            Ordering::Less => high = middle,
        }
    }
    if low >= high {
        return from_key(low);
    }
    // Neighbours of 24 bits: their sum and half of it are exact in f64.
    let middle = (f64::from(from_key(low)) + f64::from(from_key(high))) / 2.0;
    match value.compare(middle) {
        Ordering::Greater => from_key(high),
        Ordering::Less => from_key(low),
        Ordering::Equal => from_key(if low % 2 == 0 { low } else { high }),
    }
}

/// Numbers the finite `f32` in their order, ±0 both 0. Even numbers have even mantissas.
fn key(x: f32) -> i64 {
    let magnitude = i64::from(x.to_bits() & 0x7fff_ffff);
    if x < 0.0 { -magnitude } else { magnitude }
}

fn from_key(key: i64) -> f32 {
    let magnitude = f32::from_bits(key.unsigned_abs() as u32);
    if key < 0 { -magnitude } else { magnitude }
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

    fn settled(rough: Value<Rough>, exact: Value<Big>) -> f32 {
        settle(rough, || exact)
    }

    #[test]
    fn quotients_are_rounded_once() {
        // 1/3 to the nearest f32; 4/2 exactly.
        assert_eq!(settled(surd(1.0, 0.0, 0.0, 3.0), surd(1.0, 0.0, 0.0, 3.0)), 1.0 / 3.0);
        assert_eq!(settled(surd(1.0, 3.0, 1.0, -2.0), surd(1.0, 3.0, 1.0, -2.0)), -2.0);
        // √2 to the nearest f32: 2^0.5 = 1.41421356..., f32 spacing 1.2e-7.
        assert_eq!(settled(surd(0.0, 1.0, 2.0, 1.0), surd(0.0, 1.0, 2.0, 1.0)), std::f32::consts::SQRT_2);
    }

    #[test]
    fn a_value_lost_in_cancellation_is_found() {
        // 1e30 + (2^-20)^2 - 1e30 = 2^-40; over 4: 2^-42.
        let q = (2.0f32).powi(-20);
        assert_eq!(settled(ratio(1e30, q, 4.0), ratio(1e30, q, 4.0)), (2.0f32).powi(-42));
        // The same with nothing left: exactly +0.
        let zero = settled(ratio(1e30, 0.0, -4.0), ratio(1e30, 0.0, -4.0));
        assert_eq!(zero.to_bits(), 0);
    }

    #[test]
    fn ties_go_to_even_and_the_range_is_kept() {
        // 1 + 2^-24 lies midway between 1 and its successor: even is 1. (1 + 2^-23) + 2^-24: even is 1 + 2^-22.
        let half = (2.0f32).powi(-24);
        let one = |p: f32| settled(surd(p, half, 1.0, 1.0), surd(p, half, 1.0, 1.0));
        assert_eq!(one(1.0), 1.0);
        assert_eq!(one(1.0 + f32::EPSILON), 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(settled(surd(f32::MAX, 1.0, 4.0, 1e-3), surd(f32::MAX, 1.0, 4.0, 1e-3)), f32::MAX);
        assert_eq!(settled(surd(f32::MAX, 1.0, 4.0, -1e-3), surd(f32::MAX, 1.0, 4.0, -1e-3)), f32::MIN);
        // Half of the smallest subnormal ties to zero, and zero is +0.
        let least = f32::from_bits(1);
        let x = settled(surd(-least, 0.0, 0.0, 2.0), surd(-least, 0.0, 0.0, 2.0));
        assert_eq!(x.to_bits(), 0);
    }
}
