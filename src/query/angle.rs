//! Sine and cosine with the same bits on every machine, which those of the standard library have not.
//!
//! Comes in: an angle in radians. Goes out: both, off by less than 2^-50 for angles up to 2^20, as far as such an angle is known;
//! beyond, where an angle of single precision is hardly one any more, by 2^-52 of the angle, and always a pair on the unit circle to
//! 2^-50. Nothing here knows rays.
//!
//! Method: the nearest multiple of π/2 is taken away in two parts (Cody and Waite, Software Manual for the Elementary Functions, 1980): the
//! first has 33 bits, so that its products with numbers of up to 20 bits are exact. On what is left, at most π/4 and a little, the series
//! about zero: the first term left out is x^17 / 17! < 2^-54 for the sine, x^18 / 18! < 2^-58 for the cosine. Only `+ - *`: the quotients are constants.

/// π/2: its upper 33 bits, and the rest to 2^-86.
const HALF_PI: [f64; 2] = [f64::from_bits(0x3FF9_21FB_5440_0000), f64::from_bits(0x3DD0_B461_1A62_6331)];
/// More than this is first brought below one turn, by the remainder, which is exact.
pub(super) const FAR: f64 = (1u64 << 20) as f64;

/// `[sine, cosine]`; of what is not finite `[0, 1]`.
#[inline(always)]
pub(super) fn sine_and_cosine(angle: f64) -> [f64; 2] {
    if !angle.is_finite() {
        return [0.0, 1.0];
    }
    near(if angle.abs() > FAR { angle % std::f64::consts::TAU } else { angle })
}

/// The same of what is at most [`FAR`], in a form that the compiler turns into vector code where many are asked for.
#[inline(always)]
pub(super) fn near(angle: f64) -> [f64; 2] {
    /// 2^52: added to what is less, it leaves the nearest integer in the low bits.
    const SHIFT: f64 = (1u64 << 52) as f64;
    let turns = angle * std::f64::consts::FRAC_2_PI;
    let (size, negative) = (turns.abs() + 0.5, turns < 0.0);
    let shifted = size + SHIFT;
    // Rounded down: one less where that was rounded up.
    let above = shifted - SHIFT > size;
    let whole = shifted - SHIFT - if above { 1.0 } else { 0.0 };
    let bits = shifted.to_bits().wrapping_sub(u64::from(above));
    let quarters = if negative { bits.wrapping_neg() } else { bits };
    let count = if negative { 0.0 - whole } else { whole };
    let x = (angle - count * HALF_PI[0]) - count * HALF_PI[1];
    let (sine, cosine) = (sine(x), cosine(x));
    // Which quarter is anyone's guess: no branch.
    let (one, other) = if quarters & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    let sign = |bits: u64, v: f64| if bits & 2 == 0 { v } else { 0.0 - v };
    [sign(quarters, one), sign(quarters.wrapping_add(1), other)]
}

/// One over the products of consecutive numbers that the terms of a series differ by, the last term first.
const fn steps<const N: usize>(last: f64) -> [f64; N] {
    let (mut steps, mut k, mut i) = ([0.0; N], last, 0);
    while i < N {
        steps[i] = 1.0 / ((k - 1.0) * k);
        k -= 2.0;
        i += 1;
    }
    steps
}

const SINE: [f64; 7] = steps(15.0);
const COSINE: [f64; 8] = steps(16.0);

/// 1 - a (1 - b (1 - …)), each factor times the square.
#[inline(always)]
fn series<const N: usize>(square: f64, steps: &[f64; N]) -> f64 {
    let mut sum = 1.0;
    for step in steps {
        sum = 1.0 - square * step * sum;
    }
    sum
}

/// x - x³/3! + … - x^15/15!, |x| below 0.8.
#[inline(always)]
fn sine(x: f64) -> f64 {
    x * series(x * x, &SINE)
}

/// 1 - x²/2! + … + x^16/16!.
#[inline(always)]
fn cosine(x: f64) -> f64 {
    series(x * x, &COSINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_has_them_to_a_few_units() {
        // Those of std are right to 2^-52 or so; the rest is what this page promises.
        let mut angle = -1000.0;
        while angle < 1000.0 {
            let [s, c] = sine_and_cosine(angle);
            assert!((s - angle.sin()).abs() < 1e-15 && (c - angle.cos()).abs() < 1e-15, "{angle}: {s} {c}");
            assert!((s * s + c * c - 1.0).abs() < 1e-15);
            angle += 0.001_234_567;
        }
    }

    #[test]
    fn far_and_not_finite() {
        for angle in [1e6, -1e9, 1e30, f64::MAX, f64::from(f32::MAX), 5e-324, -0.0, 0.0] {
            let [s, c] = sine_and_cosine(angle);
            assert!((s * s + c * c - 1.0).abs() < 1e-15, "{angle}: {s} {c}");
        }
        assert_eq!(sine_and_cosine(f64::NAN), [0.0, 1.0]);
        assert_eq!(sine_and_cosine(0.0), [0.0, 1.0]);
        // 2^19 + 1 quarters of a turn: the two parts of π/2 are exact in their products.
        let quarters = f64::from((1 << 19) + 1);
        let [s, c] = sine_and_cosine(quarters * std::f64::consts::FRAC_PI_2);
        let angle = quarters * std::f64::consts::FRAC_PI_2;
        assert!((s - angle.sin()).abs() < 1e-15 && (c - angle.cos()).abs() < 1e-15, "{s} {c}");
    }

    #[test]
    fn many_at_once_are_the_same() {
        // Of all quarters, at and beside their ends and their middles.
        let mut angles = vec![0.0, -0.0, 5e-324, FAR, -FAR];
        for k in -40_000..40_000 {
            let angle = f64::from(k) * std::f64::consts::FRAC_PI_4 * if k % 3 == 0 { 13.0 } else { 1.0 };
            angles.extend([angle, angle.next_up(), angle.next_down(), angle * 0.77]);
        }
        for angle in angles {
            // The nearest number of quarters, halves away from zero, by another way.
            let turns = angle * std::f64::consts::FRAC_2_PI;
            let count = (turns + 0.5f64.copysign(turns)).trunc() + 0.0;
            let x = (angle - count * HALF_PI[0]) - count * HALF_PI[1];
            let expected = match count.rem_euclid(4.0) as u8 {
                0 => [sine(x), cosine(x)],
                1 => [cosine(x), 0.0 - sine(x)],
                2 => [0.0 - sine(x), 0.0 - cosine(x)],
                _ => [0.0 - cosine(x), sine(x)],
            };
            assert_eq!(sine_and_cosine(angle).map(f64::to_bits), expected.map(f64::to_bits), "{angle}");
        }
    }

    #[test]
    fn the_bits_are_these() {
        // The doubles nearest to sin 1 = 0.841470984807896506652… and cos 1 = 0.540302305868139717400…, from which the series are 2^-59 and 2^-54 off
        // before they are rounded.
        let bits = [0x3FEA_ED54_8F09_0CEE, 0x3FE1_4A28_0FB5_068C];
        assert_eq!(sine_and_cosine(1.0).map(f64::to_bits), bits);
    }
}
