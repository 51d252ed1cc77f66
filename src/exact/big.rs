//! The last tier: an exact number of fixed size.
//!
//! Comes in: finite `f32` and `f64`. Goes out: sums and products without any rounding, and their sign. Allocates nothing.
//!
//! Method: sign and magnitude over 64-bit limbs, with the place of the lowest limb kept beside them, so that numbers of ordinary
//! size use one to four limbs. A finite `f32` (or the middle of two neighbours) is a multiple of 2^-150 below 2^128, so a
//! polynomial of degree k with fewer than 2^k terms is a multiple of 2^-150k below 2^129k: for degree 10 that is 2790 bits, 44
//! places and a little; a product is written before its zero limbs are cut, one limb more at either end. 48 limbs hold every formula of
//! this room.

use super::number::Number;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

const LIMBS: usize = 48;

/// `±Σ limbs[i] 2^(64 (place + i))`, i below `len`; zero has no limbs. The lowest and the highest limb are not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Big {
    negative: bool,
    place: i32,
    len: usize,
    limbs: [u64; LIMBS],
}

impl Big {
    const ZERO: Big = Big { negative: false, place: 0, len: 0, limbs: [0; LIMBS] };

    /// A finite number, exactly.
    pub(crate) fn new(x: f64) -> Big {
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormals lack the hidden bit and share the lowest exponent.
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let wide = u128::from(mantissa) << exponent.rem_euclid(64);
        let mut out = Big { negative: x < 0.0, place: exponent.div_euclid(64), len: 2, ..Big::ZERO };
        out.limbs[0] = wide as u64;
        out.limbs[1] = (wide >> 64) as u64;
        out.trimmed()
    }

    /// The sign against zero.
    pub(crate) fn sign(&self) -> Ordering {
        match (self.len, self.negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    fn trimmed(mut self) -> Big {
        while self.len > 0 && self.limbs[self.len - 1] == 0 {
            self.len -= 1;
        }
        if self.len == 0 {
            return Big::ZERO;
        }
        let low = self.limbs.iter().take_while(|&&limb| limb == 0).count();
        if low > 0 {
            self.limbs.copy_within(low..self.len, 0);
            self.limbs[self.len - low..self.len].fill(0);
            self.len -= low;
            self.place += low as i32;
        }
        self
    }

    /// The limb of weight 2^(64 place).
    #[inline(always)]
    fn limb(&self, place: i32) -> u64 {
        let i = place - self.place;
        if i >= 0 && (i as usize) < self.len { self.limbs[i as usize] } else { 0 }
    }

    fn top(&self) -> i32 {
        self.place + self.len as i32
    }

    fn compare_magnitude(&self, other: &Big) -> Ordering {
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

    /// |a| + |b|, with the sign of a.
    fn add_magnitudes(a: &Big, b: &Big) -> Big {
        let place = if a.place < b.place { a.place } else { b.place };
        let top = if a.top() > b.top() { a.top() } else { b.top() };
        let mut out = Big { negative: a.negative, place, len: (top - place) as usize + 1, ..Big::ZERO };
        let mut carry = 0u64;
        for i in 0..out.len {
            let at = place + i as i32;
            let sum = u128::from(a.limb(at)) + u128::from(b.limb(at)) + u128::from(carry);
            out.limbs[i] = sum as u64;
            carry = (sum >> 64) as u64;
        }
        out.trimmed()
    }

    /// |a| - |b| for |a| > |b|, with the sign of a.
    fn subtract_magnitudes(a: &Big, b: &Big) -> Big {
        let place = if a.place < b.place { a.place } else { b.place };
        let mut out = Big { negative: a.negative, place, len: (a.top() - place) as usize, ..Big::ZERO };
        let mut borrow = false;
        for i in 0..out.len {
            let at = place + i as i32;
            let (once, first) = a.limb(at).overflowing_sub(b.limb(at));
            let (twice, second) = once.overflowing_sub(u64::from(borrow));
            out.limbs[i] = twice;
            borrow = first || second;
        }
        out.trimmed()
    }
}

impl Number for Big {}

impl From<f32> for Big {
    fn from(x: f32) -> Big {
        Big::new(f64::from(x))
    }
}

impl Add for Big {
    type Output = Big;
    fn add(self, other: Big) -> Big {
        if self.len == 0 {
            return other;
        }
        if other.len == 0 {
            return self;
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

impl Neg for Big {
    type Output = Big;
    fn neg(self) -> Big {
        Big { negative: self.len > 0 && !self.negative, ..self }
    }
}

impl Sub for Big {
    type Output = Big;
    fn sub(self, other: Big) -> Big {
        self + -other
    }
}

impl Mul for Big {
    type Output = Big;
    fn mul(self, other: Big) -> Big {
        if self.len == 0 || other.len == 0 {
            return Big::ZERO;
        }
        let mut out = Big {
            negative: self.negative != other.negative,
            place: self.place + other.place,
            len: self.len + other.len,
            ..Big::ZERO
        };
        for i in 0..self.len {
            let mut carry = 0u64;
            for j in 0..other.len {
                let step = u128::from(self.limbs[i]) * u128::from(other.limbs[j])
                    + u128::from(out.limbs[i + j])
                    + u128::from(carry);
                out.limbs[i + j] = step as u64;
                carry = (step >> 64) as u64;
            }
            out.limbs[i + other.len] = carry;
        }
        out.trimmed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(x: f32, k: u32) -> Big {
        (1..k).fold(Big::from(x), |product, _| product * Big::from(x))
    }

    #[test]
    fn nothing_is_lost_at_either_end_of_the_range() {
        // (M^5 + m^5)^2 - M^10 - m^10 - 2 M^5 m^5 = 0, M the largest and m the smallest f32: all 2790 bits at once.
        let (high, low) = (power(f32::MAX, 5), power(f32::from_bits(1), 5));
        let sum = high + low;
        let two = Big::from(2.0);
        let rest = sum * sum - high * high - low * low - two * high * low;
        assert_eq!(rest.sign(), Ordering::Equal);
        assert_eq!((sum * sum - high * high).sign(), Ordering::Greater);
        assert_eq!((high * high - sum * sum).sign(), Ordering::Less);
    }

    #[test]
    fn sums_of_mixed_signs_come_out_exactly() {
        // (2^64 + 1) - 2^64 = 1, and 1 - 2^-149 < 1.
        let two64 = Big::from(18_446_744_073_709_551_616.0);
        let one = Big::from(1.0);
        assert_eq!(((two64 + one) - two64 - one).sign(), Ordering::Equal);
        assert_eq!((two64 - (two64 + one)).sign(), Ordering::Less);
        assert_eq!((one - Big::from(f32::from_bits(1)) - one).sign(), Ordering::Less);
        // -3 * -5 - 15 = 0
        assert_eq!((Big::from(-3.0) * Big::from(-5.0) - Big::from(15.0)).sign(), Ordering::Equal);
    }

    #[test]
    fn every_binary_place_is_read_exactly() {
        // 2^k - 2^(k-1) - 2^(k-1) = 0 for every k of f32, subnormal ones too.
        for k in -148..128 {
            let half = Big::new((2.0f64).powi(k - 1));
            assert_eq!((Big::new((2.0f64).powi(k)) - half - half).sign(), Ordering::Equal, "2^{k}");
        }
        assert_eq!(Big::new(-0.0).sign(), Ordering::Equal);
    }
}
