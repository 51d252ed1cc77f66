//! The later tiers: an exact number of fixed size.
//!
//! Comes in: finite `f32` and `f64`. Goes out: sums and products without any rounding, their sign, and an `f64` within 2^-52 of
//! them. Allocates nothing.
//!
//! Method: sign and magnitude over 64-bit limbs, with the place of the lowest limb kept beside them, so that numbers of ordinary
//! size use one to four limbs. Two sizes: [`Few`] holds what nearly all input needs and says so when it does not, [`Many`] holds
//! every formula of this room. A finite `f32` (or the middle of two neighbours) is a multiple of 2^-150 below 2^128, so a
//! polynomial of degree k with m monomials is a multiple of 2^-150k below m 2^128k. The highest degree is 10, a square of degree 5
//! with fewer than 2^9 monomials and another product of degree 10: m < 2^20 in all, 2800 bits, which touch 45 limbs at most. A product is
//! written before its zero limbs are cut, one more at either end: 47 of 48.

use super::number::Number;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// 512 bits: a polynomial of degree 10 in numbers of one scale, or of degree 4 where scales differ by 2^40.
pub(crate) type Few = Big<8>;
/// Enough for every formula and all finite input.
pub(crate) type Many = Big<48>;

/// `±Σ limbs[i] 2^(64 (place + i))`, i below `len`; zero has no limbs. The lowest and the highest limb are not zero, those above are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Big<const LIMBS: usize> {
    limbs: [u64; LIMBS],
    place: i32,
    len: u32,
    negative: bool,
    /// A number on the way did not fit: nothing is known of this one.
    lost: bool,
}

/// `mantissa 2^exponent`, the mantissa 0 or with 1 <= |mantissa| <= 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) mantissa: f64,
    pub(crate) exponent: i32,
}

impl<const LIMBS: usize> Big<LIMBS> {
    const ZERO: Big<LIMBS> = Big { negative: false, place: 0, len: 0, limbs: [0; LIMBS], lost: false };
    const LOST: Big<LIMBS> = Big { lost: true, ..Big::ZERO };

    /// A finite number, exactly.
    #[inline(never)]
    pub(crate) fn new(x: f64) -> Big<LIMBS> {
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormals lack the hidden bit and share the lowest exponent.
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        if mantissa == 0 {
            return Big::ZERO;
        }
        // Without the zeros below, most numbers are one limb.
        let (mantissa, exponent) = (mantissa >> mantissa.trailing_zeros(), exponent + mantissa.trailing_zeros() as i32);
        let wide = u128::from(mantissa) << exponent.rem_euclid(64);
        let mut out = Big { negative: x < 0.0, place: exponent.div_euclid(64), len: 1, ..Big::ZERO };
        let (low, high) = (wide as u64, (wide >> 64) as u64);
        if high == 0 {
            out.limbs[0] = low;
        } else if low == 0 {
            (out.limbs[0], out.place) = (high, out.place + 1);
        } else {
            (out.limbs[0], out.limbs[1], out.len) = (low, high, 2);
        }
        out
    }

    /// The sign against zero, where it is known.
    #[inline]
    pub(crate) fn sign(&self) -> Option<Ordering> {
        match (self.len, self.negative) {
            _ if self.lost => None,
            (0, _) => Some(Ordering::Equal),
            (_, true) => Some(Ordering::Less),
            (_, false) => Some(Ordering::Greater),
        }
    }

    /// The number to within 2^-52 of itself, of one that is known.
    pub(crate) fn scaled(&self) -> Scaled {
        if self.len == 0 {
            return Scaled { mantissa: 0.0, exponent: 0 };
        }
        let top = self.len as usize - 1;
        let (high, low) = (self.limbs[top], if top > 0 { self.limbs[top - 1] } else { 0 });
        let zeros = high.leading_zeros();
        // What is cut off here is below 2^-63 of the number; the rounding to 53 bits is 2^-53 of it.
        let bits = ((u128::from(high) << 64 | u128::from(low)) << zeros >> 64) as u64;
        let mantissa = bits as f64 / 9_223_372_036_854_775_808.0;
        let exponent = (self.place + top as i32) * 64 + 63 - zeros as i32;
        Scaled { mantissa: if self.negative { -mantissa } else { mantissa }, exponent }
    }

    /// Without zero limbs at either end; `len` covers all others.
    fn trimmed(mut self) -> Big<LIMBS> {
        let mut len = self.len as usize;
        while len > 0 && self.limbs[len - 1] == 0 {
            len -= 1;
        }
        if len == 0 {
            return Big::ZERO;
        }
        if self.limbs[0] == 0 {
            let low = self.limbs.iter().take_while(|&&limb| limb == 0).count();
            self.limbs.copy_within(low..len, 0);
            self.limbs[len - low..len].fill(0);
            len -= low;
            self.place += low as i32;
        }
        self.len = len as u32;
        self
    }

    /// The limb of weight 2^(64 place).
    #[inline(always)]
    fn limb(&self, place: i32) -> u64 {
        let i = place - self.place;
        if i >= 0 && (i as usize) < LIMBS { self.limbs[i as usize] } else { 0 }
    }

    #[inline(always)]
    fn top(&self) -> i32 {
        self.place + self.len as i32
    }

    fn compare_magnitude(&self, other: &Big<LIMBS>) -> Ordering {
        let by_top = self.top().cmp(&other.top());
        if by_top != Ordering::Equal {
            return by_top;
        }
        let low = if self.place < other.place { self.place } else { other.place };
        for place in (low..self.top()).rev() {
            let by_limb = self.limb(place).cmp(&other.limb(place));
            if by_limb != Ordering::Equal {
                return by_limb;
            }
        }
        Ordering::Equal
    }

    /// |a| moved into the limbs that a sum of a and b needs, with the sign of a; lost where there are not enough.
    #[inline(always)]
    fn placed(a: &Big<LIMBS>, b: &Big<LIMBS>) -> Big<LIMBS> {
        let place = if a.place < b.place { a.place } else { b.place };
        let top = if a.top() > b.top() { a.top() } else { b.top() };
        let (len, up) = ((top - place) as usize, (a.place - place) as usize);
        if len > LIMBS {
            return Big::LOST;
        }
        if up == 0 {
            return Big { len: len as u32, ..*a };
        }
        let mut out = Big { negative: a.negative, place, len: len as u32, ..Big::ZERO };
        out.limbs[up..up + a.len as usize].copy_from_slice(&a.limbs[..a.len as usize]);
        out
    }

    /// |a| + |b|, with the sign of a.
    #[inline]
    fn add_magnitudes(a: &Big<LIMBS>, b: &Big<LIMBS>) -> Big<LIMBS> {
        let mut out = Big::placed(a, b);
        if out.lost {
            return out;
        }
        let (up, len) = ((b.place - out.place) as usize, out.len as usize);
        let mut carry = false;
        for (i, limb) in out.limbs[up..len].iter_mut().enumerate() {
            if i >= b.len as usize && !carry {
                break;
            }
            let (once, first) = limb.overflowing_add(if i < LIMBS { b.limbs[i] } else { 0 });
            let (twice, second) = once.overflowing_add(u64::from(carry));
            *limb = twice;
            carry = first || second;
        }
        if carry {
            if len == LIMBS {
                return Big::LOST;
            }
            out.limbs[len] = 1;
            out.len += 1;
        }
        out.trimmed()
    }

    /// |a| - |b| for |a| > |b|, with the sign of a.
    #[inline]
    fn subtract_magnitudes(a: &Big<LIMBS>, b: &Big<LIMBS>) -> Big<LIMBS> {
        let mut out = Big::placed(a, b);
        if out.lost {
            return out;
        }
        let (up, len) = ((b.place - out.place) as usize, out.len as usize);
        let mut borrow = false;
        for (i, limb) in out.limbs[up..len].iter_mut().enumerate() {
            if i >= b.len as usize && !borrow {
                break;
            }
            let (once, first) = limb.overflowing_sub(if i < LIMBS { b.limbs[i] } else { 0 });
            let (twice, second) = once.overflowing_sub(u64::from(borrow));
            *limb = twice;
            borrow = first || second;
        }
        out.trimmed()
    }
}

impl<const LIMBS: usize> Number for Big<LIMBS> {}

impl<const LIMBS: usize> From<f32> for Big<LIMBS> {
    #[inline(never)]
    fn from(x: f32) -> Big<LIMBS> {
        Big::new(f64::from(x))
    }
}

impl<const LIMBS: usize> Add for Big<LIMBS> {
    type Output = Big<LIMBS>;
    #[inline(never)]
    fn add(self, other: Big<LIMBS>) -> Big<LIMBS> {
        if self.lost || other.len == 0 && !other.lost {
            return self;
        }
        if other.lost || self.len == 0 {
            return other;
        }
        if self.negative == other.negative {
            return Big::add_magnitudes(&self, &other);
        }
        match self.compare_magnitude(&other) {
            Ordering::Equal => Big::ZERO,
            Ordering::Greater => Big::subtract_magnitudes(&self, &other),
            Ordering::Less => Big::subtract_magnitudes(&other, &self),
        }
    }
}

impl<const LIMBS: usize> Neg for Big<LIMBS> {
    type Output = Big<LIMBS>;
    #[inline]
    fn neg(self) -> Big<LIMBS> {
        Big { negative: self.len > 0 && !self.negative, ..self }
    }
}

impl<const LIMBS: usize> Sub for Big<LIMBS> {
    type Output = Big<LIMBS>;
    #[inline(never)]
    fn sub(self, other: Big<LIMBS>) -> Big<LIMBS> {
        self + -other
    }
}

impl<const LIMBS: usize> Mul for Big<LIMBS> {
    type Output = Big<LIMBS>;
    #[inline(never)]
    fn mul(self, other: Big<LIMBS>) -> Big<LIMBS> {
        if self.lost || other.lost {
            return Big::LOST;
        }
        let (n, m) = (self.len as usize, other.len as usize);
        if n == 0 || m == 0 {
            return Big::ZERO;
        }
        if n + m > LIMBS {
            return Big::LOST;
        }
        let mut out = Big {
            negative: self.negative != other.negative,
            place: self.place + other.place,
            len: (n + m) as u32,
            ..Big::ZERO
        };
        for i in 0..n {
            let mut carry = 0u64;
            for j in 0..m {
                let step = u128::from(self.limbs[i]) * u128::from(other.limbs[j])
                    + u128::from(out.limbs[i + j])
                    + u128::from(carry);
                out.limbs[i + j] = step as u64;
                carry = (step >> 64) as u64;
            }
            out.limbs[i + m] = carry;
        }
        out.trimmed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(x: f32, k: u32) -> Many {
        (1..k).fold(Many::from(x), |product, _| product * Many::from(x))
    }

    fn sign<const LIMBS: usize>(x: Big<LIMBS>) -> Ordering {
        x.sign().expect("known")
    }

    #[test]
    fn nothing_is_lost_at_either_end_of_the_range() {
        // (M^5 + m^5)^2 - M^10 - m^10 - 2 M^5 m^5 = 0, M the largest and m the smallest f32: all 2790 bits at once.
        let (high, low) = (power(f32::MAX, 5), power(f32::from_bits(1), 5));
        let sum = high + low;
        let two = Many::from(2.0);
        let rest = sum * sum - high * high - low * low - two * high * low;
        assert_eq!(sign(rest), Ordering::Equal);
        assert_eq!(sign(sum * sum - high * high), Ordering::Greater);
        assert_eq!(sign(high * high - sum * sum), Ordering::Less);
    }

    #[test]
    fn sums_of_mixed_signs_come_out_exactly() {
        // (2^64 + 1) - 2^64 = 1, and 1 - 2^-149 < 1.
        let two64 = Few::from(18_446_744_073_709_551_616.0);
        let one = Few::from(1.0);
        assert_eq!(sign((two64 + one) - two64 - one), Ordering::Equal);
        assert_eq!(sign(two64 - (two64 + one)), Ordering::Less);
        assert_eq!(sign(one - Few::from(f32::from_bits(1)) - one), Ordering::Less);
        // -3 * -5 - 15 = 0
        assert_eq!(sign(Few::from(-3.0) * Few::from(-5.0) - Few::from(15.0)), Ordering::Equal);
        // Carries and borrows across limbs: (2^128 - 1) + 1 = 2^128, (2^128 - 1) = (2^64 - 1)(2^64 + 1).
        let (low, high) = (two64 - one, two64 + one);
        assert_eq!(sign(low * high + one - two64 * two64), Ordering::Equal);
        assert_eq!(sign(one + low * high - two64 * two64), Ordering::Equal);
        assert_eq!(sign(two64 * two64 - one - low * high), Ordering::Equal);
    }

    #[test]
    fn every_binary_place_is_read_exactly() {
        // 2^k - 2^(k-1) - 2^(k-1) = 0 for every k of f32, subnormal ones too.
        for k in -148..128 {
            let half = Many::new((2.0f64).powi(k - 1));
            assert_eq!(sign(Many::new((2.0f64).powi(k)) - half - half), Ordering::Equal, "2^{k}");
        }
        assert_eq!(sign(Many::new(-0.0)), Ordering::Equal);
        // The smallest f64 of all, 2^-1074 = (2^-149)^7 2^-31.
        let least = power(f32::from_bits(1), 7) * Many::new((2.0f64).powi(-31));
        assert_eq!(sign(Many::new(f64::from_bits(1)) - least), Ordering::Equal);
    }

    #[test]
    fn what_does_not_fit_is_known_to_be_lost() {
        // 2^127 + 2^-149 needs 277 bits, 5 limbs; its cube up to 14 of 8, and nothing brings it back.
        let wide = Few::from(f32::MAX) + Few::from(f32::from_bits(1));
        assert_eq!(wide.sign(), Some(Ordering::Greater));
        let cube = wide * wide * wide;
        assert_eq!(cube.sign(), None);
        assert_eq!(((cube - cube) * Few::from(0.0) + Few::from(1.0)).sign(), None);
        // A sum of 2^384 and 2^-149: 9 limbs.
        let high = Few::from(f32::MAX) * Few::from(f32::MAX) * Few::from(f32::MAX);
        assert_eq!((high + Few::from(f32::from_bits(1))).sign(), None);
        // A carry out of the highest limb: 2^512 - 1 + 1, put together from its limbs.
        let limb = Few::new(18_446_744_073_709_551_616.0);
        let ones = (0..8).fold(Few::ZERO, |sum, _| sum * limb + (limb - Few::new(1.0)));
        assert_eq!(ones.sign(), Some(Ordering::Greater));
        assert_eq!((ones + Few::new(1.0)).sign(), None);
    }

    #[test]
    fn an_f64_close_by_is_given() {
        // 3 * 2^-149 = 1.5 * 2^-148; -(2^64 + 2^11 + 1) = -(1 + 2^-53 + 2^-64) 2^64: cut to 64 bits it is a tie, which goes to the even one.
        let small = Few::from(f32::from_bits(3)).scaled();
        assert_eq!((small.mantissa, small.exponent), (1.5, -148));
        let large = -(Few::new(18_446_744_073_709_551_616.0) + Few::new(2049.0));
        let Scaled { mantissa, exponent } = large.scaled();
        assert_eq!((mantissa, exponent), (-1.0, 64));
        assert_eq!(Few::ZERO.scaled().mantissa, 0.0);
    }
}
