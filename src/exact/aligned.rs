//! Decisions in integers of one scale.
//!
//! Comes in: a handful of finite `f32`. Goes out: exact signs, with the number itself rounded once, and one exact quotient; or nothing,
//! where one number is 2^37 times another and more. Allocates nothing.
//!
//! Between the plain `f64` tests and the exact numbers of any size: `f32` of one neighbourhood (a lattice, a grid, local data of any
//! kind, whatever its scale) are 61-bit integers times one power of two, 24 bits and 37 more at most; so are their differences, with one
//! bit more. Cost: 5 to 15 ns.

use super::number::P;
use super::quick::finite;
use std::cmp::Ordering;

/// `values[i] 2^scale`, each below 2^bits, bits at most 61.
#[derive(Clone, Copy, Debug)]
struct Aligned<const N: usize> {
    values: [i64; N],
    scale: i32,
    bits: u32,
}

/// 2^exponent, for -1022..=1023.
#[inline(always)]
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The numbers in units of the largest power of two that divides them all.
#[inline(always)]
fn align<const N: usize>(x: [f32; N]) -> Option<Aligned<N>> {
    // A finite f32 is mantissa 2^(field - 150), with a hidden bit where the field is not 0, and 1 for its exponent where it is.
    let field = |x: f32| std::cmp::max(x.to_bits() >> 23 & 0xff, 1);
    let (mut lowest, mut highest) = (255, 1);
    for x in x {
        lowest = std::cmp::min(lowest, if x == 0.0 { 255 } else { field(x) });
        highest = std::cmp::max(highest, field(x));
    }
    if highest > lowest + 37 {
        return None;
    }
    let (mut all, mut values) = (0, [0; N]);
    for (to, x) in values.iter_mut().zip(x) {
        let bits = x.to_bits();
        let hidden = if bits >> 23 & 0xff == 0 { 0 } else { 1 << 23 };
        // The shift of a zero may come out as anything.
        let value = i64::from(bits & 0x7f_ffff | hidden) << (field(x).wrapping_sub(lowest) & 63);
        all |= value;
        *to = if bits >> 31 == 1 { -value } else { value };
    }
    if all == 0 {
        return Some(Aligned { values: [0; N], scale: 0, bits: 0 });
    }
    let down = all.trailing_zeros();
    values.iter_mut().for_each(|value| *value >>= down);
    Some(Aligned { values, scale: (lowest + down) as i32 - 150, bits: 24 + highest - lowest - down })
}

#[inline(always)]
fn product(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// The sign of `(p - end) · (b - a)`: factors below 2^62, the sum below 2^125.
#[cold]
#[inline(never)]
pub(super) fn sign_along(p: P, end: P, a: P, b: P) -> Option<Ordering> {
    let Aligned { values: [px, py, ex, ey, ax, ay, bx, by], .. } =
        align([p[0], p[1], end[0], end[1], a[0], a[1], b[0], b[1]])?;
    Some((product(px - ex, bx - ax) + product(py - ey, by - ay)).cmp(&0))
}

/// `|p - q|² - (r + s)²` to within 2^-53 of itself, zero exactly: every square below 2^124.
#[inline(never)]
pub(crate) fn excess_over_point(p: P, q: P, r: f32, s: f32) -> Option<f64> {
    let Aligned { values: [px, py, qx, qy, r, s], scale, .. } = align([p[0], p[1], q[0], q[1], r, s])?;
    let (dx, dy, reach) = (px - qx, py - qy, r + s);
    let excess = product(dx, dx) + product(dy, dy) - product(reach, reach);
    Some(if excess == 0 { 0.0 } else { excess as f64 * power(2 * scale) })
}

/// `(e × w)² - (r + s)² |e|²`, e = b - a, w = p - a, to within 2^-52 of itself, zero exactly.
#[inline(never)]
pub(crate) fn excess_over_line(p: P, a: P, b: P, r: f32, s: f32) -> Option<f64> {
    let Aligned { values: [px, py, ax, ay, bx, by, r, s], scale, bits } =
        align([p[0], p[1], a[0], a[1], b[0], b[1], r, s])?;
    let (ex, ey, wx, wy, reach) = (bx - ax, by - ay, px - ax, py - ay, r + s);
    let height = product(ex, wy) - product(ey, wx);
    let (length2, reach2) = (product(ex, ex) + product(ey, ey), product(reach, reach));
    let unit = power(4 * scale);
    if bits <= 30 {
        // Differences below 2^31, the height and squares below 2^63, both products below 2^126.
        let excess = product(height as i64, height as i64) - product(reach2 as i64, length2 as i64);
        return Some(if excess == 0 { 0.0 } else { excess as f64 * unit });
    }
    // Heights and squares below 2^125: products of 250 bits.
    let (one, other) =
        (product_256(height.unsigned_abs(), height.unsigned_abs()), product_256(reach2 as u128, length2 as u128));
    Some(match one.cmp(&other) {
        Ordering::Equal => 0.0,
        Ordering::Greater => difference(one, other) * unit,
        Ordering::Less => -difference(other, one) * unit,
    })
}

/// The `f32` nearest to the coordinate of the foot of `p` on the line through `a` and `b`, `a != b`: `a + e (w · e) / |e|²`.
#[cold]
#[inline(never)]
pub(crate) fn foot(p: P, a: P, b: P, axis: usize) -> Option<f32> {
    let Aligned { values: [px, py, ax, ay, bx, by], scale, bits } = align([p[0], p[1], a[0], a[1], b[0], b[1]])?;
    if bits > 40 {
        return None;
    }
    // Differences below 2^41, products of two below 2^83, of three and their sum below 2^125.
    let (ex, ey, wx, wy) = (bx - ax, by - ay, px - ax, py - ay);
    let length2 = product(ex, ex) + product(ey, ey);
    let along = product(wx, ex) + product(wy, ey);
    let (base, e) = if axis == 0 { (ax, ex) } else { (ay, ey) };
    Some(nearest_quotient(i128::from(base) * length2 + along * i128::from(e), length2 as u128, scale))
}

/// The high and low half of a product.
fn product_256(a: u128, b: u128) -> [u128; 2] {
    const LOW: u128 = u64::MAX as u128;
    let ([a1, a0], [b1, b0]) = ([a >> 64, a & LOW], [b >> 64, b & LOW]);
    let (low, middle) = (a0 * b0, a1 * b0);
    // (2^64 - 1)² + 2 (2^64 - 1) = 2^128 - 1: no sum overflows.
    let middle = middle + (low >> 64);
    let other = a0 * b1 + (middle & LOW);
    [a1 * b1 + (middle >> 64) + (other >> 64), other << 64 | (low & LOW)]
}

/// `a - b` for a > b, to within 2^-52 of itself.
fn difference(a: [u128; 2], b: [u128; 2]) -> f64 {
    let (low, borrow) = a[1].overflowing_sub(b[1]);
    let high = a[0] - b[0] - u128::from(borrow);
    // Two roundings of positive terms and one of their sum, where both are there.
    high as f64 * power(128) + low as f64
}

/// The `f32` nearest to `n / d 2^scale`, ties to even; d above 0 and below 2^100.
fn nearest_quotient(n: i128, d: u128, scale: i32) -> f32 {
    let (size, length) = (n.unsigned_abs(), |x: u128| 128 - x.leading_zeros() as i32);
    // 26 bits or more and a last one that says whether anything was left: enough to round right to 24, or to fewer.
    let up = std::cmp::max(27 + length(d) - length(size), 0);
    let (mut quotient, rest) = ((size << up) / d, (size << up) % d);
    let mut left = rest != 0;
    let excess = std::cmp::max(length(quotient) - 52, 0);
    left |= quotient & ((1 << excess) - 1) != 0;
    quotient >>= excess;
    let mantissa = ((quotient << 1) as u64 | u64::from(left)) as f64;
    let value = mantissa * power(excess - up - 1 + scale);
    finite((if n < 0 { -value } else { value }) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_integer_of_61_bits_is_left_alone() {
        let Aligned { values, scale, bits } = align([12.0, -0.75, 0.0]).unwrap();
        // In quarters: 48, -3, 0. 2^3 <= 12 < 2^4, so 4 + 2 bits.
        assert_eq!((values, scale, bits), ([48, -3, 0], -2, 6));
        // 2^37 (2^24 - 1) needs 61 bits above 1, whose lowest place is 2^-23: one more is too many.
        let (high, one) = (16_777_215.0 * (2.0f32).powi(37), 8_388_609.0);
        let Aligned { values, scale, bits } = align([high, one]).unwrap();
        assert_eq!((values, scale, bits), ([16_777_215 << 37, 8_388_609], 0, 61));
        assert!(align([high * 2.0, one]).is_none());
        assert_eq!(align([f32::from_bits(3), f32::from_bits(5)]).unwrap().values, [3, 5]);
        // The lowest normal number is 2^23 of the lowest subnormal ones.
        assert_eq!(align([f32::MIN_POSITIVE, -f32::from_bits(1)]).unwrap().values, [1 << 23, -1]);
        assert_eq!(align([f32::MAX, f32::MIN]).unwrap().values, [(1 << 24) - 1, 1 - (1 << 24)]);
        assert_eq!(align([0.0, -0.0]).unwrap().values, [0, 0]);
        assert_eq!(align([0.0, f32::MAX, -0.0]).unwrap().scale, 104);
    }

    #[test]
    fn products_of_256_bits() {
        let all = u128::MAX;
        // (2^128 - 1)² = 2^256 - 2^129 + 1.
        assert_eq!(product_256(all, all), [all - 1, 1]);
        assert_eq!(product_256(1 << 100, 3 << 60), [3 << 32, 0]);
        assert_eq!(product_256(u128::from(u64::MAX), 1 << 64), [0, u128::from(u64::MAX) << 64]);
        // 2^128 + 0 less 1, and the same above another high half.
        assert_eq!(difference([1, 0], [0, 1]), 340_282_366_920_938_463_463_374_607_431_768_211_455.0);
        assert_eq!(difference([5, 7], [5, 3]), 4.0);
    }

    #[test]
    fn excesses_have_the_sign_and_the_size() {
        // 3-4-5: 25 - 25 = 0; with r = 4: 25 - 16 = 9, at scales of f32 from end to end.
        for scale in [-140, -60, 0, 60, 120].map(|k| (2.0f32).powi(k)) {
            let (p, zero) = ([3.0 * scale, 4.0 * scale], [0.0, 0.0]);
            assert_eq!(excess_over_point(p, zero, 2.0 * scale, 3.0 * scale), Some(0.0));
            let unit = f64::from(scale) * f64::from(scale);
            assert_eq!(excess_over_point(p, zero, 4.0 * scale, 0.0), Some(9.0 * unit));
            // (4, 3) × (1, 7) = 25, |e|² = 25: 625 - R² 25, which is 0 for R = 5 and 225 for R = 4.
            let (e, w) = ([4.0 * scale, 3.0 * scale], [scale, 7.0 * scale]);
            assert_eq!(excess_over_line(w, zero, e, 5.0 * scale, 0.0), Some(0.0));
            assert_eq!(excess_over_line(w, zero, e, 4.0 * scale, 0.0), Some(225.0 * unit * unit));
            assert_eq!(excess_over_line(w, zero, e, 4.0 * scale, 2.0 * scale), Some(-275.0 * unit * unit));
        }
        // Beyond 30 bits, R = 5 + 2^-35: 625 - 25 (5 + d)² = -25 (10 d + d²), which 2^-70 does not reach in 53 bits.
        let d = (2.0f32).powi(-35);
        let excess = excess_over_line([1.0, 7.0], [0.0, 0.0], [4.0, 3.0], 5.0, d).unwrap();
        assert!((excess / (-250.0 * f64::from(d)) - 1.0).abs() < 1e-11);
        assert_eq!(excess_over_line([1.0, 7.0], [0.0, 0.0], [4.0, 3.0], 5.0 - 0.5, 0.5), Some(0.0));
    }

    #[test]
    fn quotients_are_rounded_once() {
        assert_eq!(nearest_quotient(1, 3, 0), 1.0 / 3.0);
        assert_eq!(nearest_quotient(-2, 3, 3), -16.0 / 3.0);
        assert_eq!(nearest_quotient(0, 3, 0).to_bits(), 0);
        // 2^24 + 1 ties to 2^24, 2^24 + 3 to 2^24 + 4; a hair above the tie goes up.
        assert_eq!(nearest_quotient((1 << 24) + 1, 1, 0), 16_777_216.0);
        assert_eq!(nearest_quotient((1 << 24) + 3, 1, 0), 16_777_220.0);
        assert_eq!(nearest_quotient(((1 << 24) + 1) * (1 << 90) + 1, 1 << 90, 0), 16_777_218.0);
        // The same ties with divisors that are no powers of two, and in quotients of more bits than are looked at: 65 and 66. What is
        // below those counts, and tells a tie from a hair above it.
        assert_eq!(nearest_quotient(((1 << 24) + 5) * 7, 7, 0), 16_777_220.0);
        assert_eq!(nearest_quotient(((1 << 24) + 5) * 7 + 1, 7, 0), 16_777_222.0);
        for bits in [40, 41] {
            assert_eq!(nearest_quotient(((1 << 24) + 1) << bits, 1, -bits), 16_777_216.0);
            assert_eq!(nearest_quotient((((1 << 24) + 1) << bits) + 1, 1, -bits), 16_777_218.0);
            assert_eq!(nearest_quotient(((1 << 24) + 1) << bits | 1 << 12, 1, -bits), 16_777_218.0);
            // A third of what is one more than three times that: a rest, and a bit below those that are looked at.
            let third = (((1 << 24) + 1) << bits) + 1;
            assert_eq!(nearest_quotient(3 * third + 1, 3, -bits), 16_777_218.0);
        }
        // Half of the smallest subnormal ties to zero, three halves to two; what is too large is cut.
        assert_eq!(nearest_quotient(1, 2, -149).to_bits(), 0);
        assert_eq!(nearest_quotient(3, 2, -149), f32::from_bits(2));
        assert_eq!(nearest_quotient(-1, 1, 128), f32::MIN);
    }

    #[test]
    fn feet_on_slanted_lines() {
        // The foot of (0, 5) on the line through (-3, -1) along (4, 2): w = (3, 6), w · e = 24, |e|² = 20: t = 1.2.
        let (p, a, b) = ([0.0, 5.0], [-3.0, -1.0], [1.0, 1.0]);
        assert_eq!([foot(p, a, b, 0), foot(p, a, b, 1)], [Some(1.8), Some(1.4)]);
        // Exactly on both axes: (1, -2) · (2, 1) = 0.
        assert_eq!(foot([1.0, -2.0], [-2.0, -1.0], [2.0, 1.0], 0).unwrap().to_bits(), 0);
    }
}
