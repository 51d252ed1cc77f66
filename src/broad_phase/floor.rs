//! Numbers of cells, rounded down.
//!
//! Comes in: a place, in cells. Goes out: the cell's index. To the nearest integer by adding one and a half times the power of two above which there are
//! no fractions, which leaves it in the low bits, then one less where that was rounded up: a conversion would have to look at the ends of the
//! range of integers. This room does not know maps.

/// Rounded down, for sizes below 2^31; beyond, any number.
#[inline(always)]
pub(crate) fn floor(v: f64) -> i32 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let shifted = v + SHIFT;
    (shifted.to_bits() as i32).wrapping_sub(i32::from(shifted - SHIFT > v))
}

/// Into `0..=last`, which is an i32, and rounded down; 0 for what is no number.
#[inline(always)]
pub(crate) fn floor_to(v: f64, last: f64) -> i32 {
    let v = if v > 0.0 { v } else { 0.0 };
    floor(if v < last { v } else { last })
}

/// Clamped to what is below 2^18, then rounded down.
#[inline(always)]
pub(super) fn near_floor(s: f32, low: f32, high: f32) -> i32 {
    const SHIFT: f32 = 12_582_912.0;
    // In this order what is not a number becomes `low`: only where cells are infinitely wide, and there is but one.
    let s = if s > low { s } else { low };
    let s = if s < high { s } else { high };
    let shifted = s + SHIFT;
    (shifted.to_bits() as i32).wrapping_sub(SHIFT.to_bits() as i32) - i32::from(shifted - SHIFT > s)
}

#[cfg(test)]
mod tests {
    use super::super::LINEAR;
    use super::*;

    #[test]
    fn floors() {
        for (v, i) in [(0.0, 0), (-0.0, 0), (0.5, 0), (-0.5, -1), (1.5, 1), (2.5, 2), (-1.5, -2), (7.0, 7), (-7.0, -7)]
        {
            assert_eq!(floor(v), i, "{v}");
        }
        // The double before an integer, and 2^17 cells out.
        assert_eq!((floor(3.0f64.next_down()), floor((-3.0f64).next_down())), (2, -4));
        assert_eq!((floor(131_071.999_999), floor(-131_071.000_001)), (131_071, -131_072));
        assert_eq!((floor(-1e-300), floor(1e-300)), (-1, 0));
        for (v, i) in [(-1e300, 0), (-0.5, 0), (0.5, 0), (6.5, 6), (7.0, 7), (7.5, 7), (1e300, 7), (f64::NAN, 0)] {
            assert_eq!(floor_to(v, 7.0), i, "{v}");
        }
    }

    #[test]
    fn what_is_near_is_rounded_down_and_the_rest_clamped() {
        for k in -(LINEAR as i32)..=LINEAR as i32 {
            let s = k as f32;
            for s in [s, s.next_up(), s.next_down(), s + 0.5, (s + 0.5).next_up(), (s + 0.5).next_down(), s * 1e-3] {
                let clamped = f64::from(s).clamp(-131_072.0, 131_072.0);
                assert_eq!(f64::from(near_floor(s, -LINEAR, LINEAR)), clamped.floor(), "{s}");
                assert_eq!(f64::from(near_floor(s, 0.0, 99.0)), clamped.clamp(0.0, 99.0).floor(), "{s}");
            }
        }
        for (s, whole, boxed) in [
            (f32::MIN, -131_072, 0),
            (f32::MAX, 131_072, 7),
            (-f32::INFINITY, -131_072, 0),
            (f32::INFINITY, 131_072, 7),
            (-0.0, 0, 0),
            (-f32::from_bits(1), -1, 0),
            (f32::from_bits(1), 0, 0),
        ] {
            assert_eq!((near_floor(s, -LINEAR, LINEAR), near_floor(s, 0.0, 7.0)), (whole, boxed), "{s}");
        }
        // What is infinitely many cells of no width away.
        assert_eq!(near_floor(f32::INFINITY * 0.0, 0.0, 0.0), 0);
        assert_eq!(near_floor(f32::NAN, 3.0, 7.0), 3);
    }
}
