//! Plain `f64` with an error that was worked out beforehand.
//!
//! Comes in: a value and what it may be off by, or terms whose sum may be exact. Goes out: the `f32` nearest to the exact
//! value, where there is no doubt about it. Does not know where the bound comes from.

/// Unit roundoff of `f64`: what one operation may be off by, relative to its result.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// Without infinities and without -0.
#[inline(always)]
pub(crate) fn finite(x: f32) -> f32 {
    if x > f32::MAX {
        f32::MAX
    } else if x < f32::MIN {
        f32::MIN
    } else {
        x + 0.0
    }
}

/// The `f32` nearest to whatever lies within `off` of `value`, if that is one. The caller's `off` has room for the rounding of
/// `value ± off`, `U (|value| + off)`.
#[inline(always)]
pub(crate) fn nearest(value: f64, off: f64) -> Option<f32> {
    let (low, high) = ((value - off) as f32, (value + off) as f32);
    if low == high { Some(finite(low)) } else { None }
}

/// The sum, if no partial sum is rounded (Knuth's two-sum: its tail is the exact error).
#[inline(always)]
pub(crate) fn exact_sum<const N: usize>(terms: [f64; N]) -> Option<f64> {
    let (mut sum, mut whole) = (0.0, true);
    for b in terms {
        let next = sum + b;
        let round = next - sum;
        whole &= (sum - (next - round)) + (b - round) == 0.0;
        sum = next;
    }
    if whole { Some(sum) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_is_seen() {
        // f32 neighbours of 1 are 1 - 2^-24 and 1 + 2^-23: the middle above is 1 + 2^-24.
        let middle = 1.0 + 0.5 * f64::from(f32::EPSILON);
        assert_eq!(nearest(middle - 1e-12, 1e-13), Some(1.0));
        assert_eq!(nearest(middle, 1e-13), None);
        assert_eq!(nearest(middle + 1e-12, 1e-13), Some(1.0 + f32::EPSILON));
        assert_eq!(nearest(-1e-60, 1e-70).map(f32::to_bits), Some(0));
        assert_eq!(nearest(1e39, 1e30), Some(f32::MAX));
        assert_eq!(nearest(f64::NAN, 0.0), None);
    }

    #[test]
    fn sums_that_round_are_refused() {
        assert_eq!(exact_sum([0.1, -0.1, 3.0]), Some(3.0));
        assert_eq!(exact_sum([1.0, 1e-30]), None);
        // Rounded on the way, even though the whole sum fits.
        assert_eq!(exact_sum([1.0, 1e-30, -1.0]), None);
    }
}
