//! Where one level of sizes ends and the next begins.
//!
//! Comes in: sizes. Goes out: the upper ends of all levels but the last. A level's cells fit its largest size, so its smallest must
//! not be many in one cell: points, and worlds whose sizes are of no one scale, ask for levels of their own. This room does not know
//! positions. Cost: some hundred samples; one pass over the sizes where there are many limits or nearly all are points.

use super::policy::Policy;

/// Enough for the whole range, 2^277, by the least factor, 4.
pub(super) const MAX_LEVELS: usize = 144;
/// Where the size at the quantile is so many times that of the least tenth, sizes are of no one scale, and a first level up to
/// the quantile would crowd all the smaller ones into few cells: it then ends at the tenth.
const WIDE_SPREAD: f32 = 1024.0;
pub(super) const LOW_SHARE: f32 = 0.1;
/// Where the first level ends at more than so many times the size of the least tenth, its cells may be crowded by those.
const SPREAD: f32 = 8.0;
/// With more limits than this, those without a size between them are looked for and dropped.
const FEW_LIMITS: usize = 7;

/// The upper ends of all levels but the last. Empty: one level.
pub(super) fn level_limits(
    limits: &mut Vec<f32>,
    sample: &mut Vec<f32>,
    size: &[f32],
    [smallest, largest]: [f32; 2],
    policy: Policy,
) {
    const SAMPLES: usize = 512;
    limits.clear();
    sample.clear();
    // Also where it is not needed now, so that a step which needs it does not ask for memory.
    sample.reserve(std::cmp::min(size.len(), SAMPLES));
    // As below, without a sample: nobody is a point, and all are of one scale.
    if smallest > 0.0 && largest < 1e30 && limit_above(smallest, policy) >= largest {
        return;
    }
    if size.len() <= SAMPLES {
        sample.extend_from_slice(size);
    } else {
        sample.extend((0..SAMPLES).map(|k| size[sampled_row(k, size.len())]));
    }
    let sampled = sample.len();
    sample.retain(|&s| s > 0.0);
    if sample.is_empty() && largest > 0.0 {
        // All but some are points: the least of those will do.
        sample.push(size.iter().fold(largest, |least, &s| if s > 0.0 && s < least { s } else { least }));
    }
    if sample.is_empty() {
        return;
    }
    // Any number of points may lie in a cell that the sizes of others ask for, so where there are many they have a level.
    if sampled - sample.len() > sampled / 8 {
        limits.push(0.0);
    }
    // No quantile is below the least: if its limit holds them all, so does that of any.
    let least = sample.iter().fold(f32::MAX, |least, &s| if s < least { s } else { least });
    if limit_above(least, policy) >= largest {
        return;
    }
    let quantile = |sample: &mut Vec<f32>, share: f32| {
        let at = (sample.len() as f32 * share) as usize;
        *sample.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let (mut first, low) = (quantile(sample, policy.quantile), quantile(sample, LOW_SHARE));
    if first > low * WIDE_SPREAD {
        first = low;
    }
    let mut limit = limit_above(first, policy);
    while limit < largest && limits.len() + 1 < MAX_LEVELS {
        limits.push(limit);
        limit *= policy.factor;
    }
    if limits.len() > FEW_LIMITS {
        drop_empty(limits, size);
    }
}

/// Where the first level ends, if that is much above the size of the least tenth of this sample; nothing where none was needed.
pub(super) fn wide_first(limits: &[f32], sample: &mut [f32], largest: f32) -> Option<f32> {
    if sample.is_empty() {
        return None;
    }
    let first = limits.iter().copied().find(|&limit| limit > 0.0).unwrap_or(largest);
    let at = (sample.len() as f32 * LOW_SHARE) as usize;
    let low = *sample.select_nth_unstable_by(at, f32::total_cmp).1;
    (first > low * SPREAD).then_some(first)
}

/// The end of a first level that is to hold this size; not less for a larger size (but at the very end of the range, where nothing
/// depends on it).
fn limit_above(size: f32, policy: Policy) -> f32 {
    const MANTISSA: u32 = (1 << 23) - 1;
    let limit = size * policy.first;
    if policy.rounded && limit.is_normal() && limit < f32::MAX / 2.0 {
        return f32::from_bits((limit.to_bits() + MANTISSA) & !MANTISSA);
    }
    limit
}

/// Drops limits below which, down to the one before, there is no size: one huge body then costs one level, not one for each
/// factor on the way to it. Sizes are known by their binary exponent, so a limit may stay for one that is not needed.
fn drop_empty(limits: &mut Vec<f32>, size: &[f32]) {
    let mut seen = [false; 256];
    for size in size {
        seen[(size.to_bits() >> 23 & 0xff) as usize] = true;
    }
    let exponent = |v: f32| (v.to_bits() >> 23 & 0xff) as usize;
    let mut from = 0;
    // The first stays: it is the end of the finest level.
    let mut at = 0;
    limits.retain(|&limit| {
        let kept = at == 0 || seen[from..=exponent(limit)].contains(&true);
        from = exponent(limit);
        at += 1;
        kept
    });
}

/// The row that is the k-th of a sample of so many rows. By multiples of the golden ratio: a fixed stride would see every period of the caller's order, or
/// none of it.
#[inline]
pub(crate) fn sampled_row(k: usize, rows: usize) -> usize {
    let at = (k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((at * rows as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_size_costs_one_level_and_a_full_range_all_of_them() {
        let limits = |sizes: &[f32]| {
            let (mut limits, mut sample) = (Vec::new(), Vec::new());
            let largest = sizes.iter().fold(0.0, |most, &s| if s > most { s } else { most });
            let smallest = sizes.iter().fold(f32::MAX, |least, &s| if s < least { s } else { least });
            level_limits(&mut limits, &mut sample, sizes, [smallest, largest], Policy::CIRCLES);
            limits
        };
        // 5 % of the sizes below 1: the first level ends at 4, later ones at 6 times that.
        assert_eq!(limits(&[[1.0; 40].as_slice(), &[1e30]].concat()), [4.0]);
        assert_eq!(limits(&[[1.0; 40].as_slice(), &[10.0, 1e30]].concat()), [4.0, 24.0]);
        // Points have a level where they are more than some.
        assert_eq!(limits(&[[0.0; 7].as_slice(), &[1.0; 33]].concat()), [0.0]);
        assert_eq!(limits(&[[0.0; 5].as_slice(), &[1.0; 35]].concat()), [0.0; 0]);
        assert_eq!(limits(&[[0.0; 900].as_slice(), &[1.0, 9.0]].concat()), [0.0, 4.0]);
        // Few limits are left as they are.
        assert_eq!(limits(&[[1.0; 40].as_slice(), &[500.0]].concat()), [4.0, 24.0, 144.0]);
        // One size for each factor of 4 from 1 on: none of the limits below the largest, 4^40, is between two of the same exponent.
        let powers: Vec<f32> = (0..41).map(|k| f32::from_bits((127 + 2 * k) << 23)).collect();
        // The quantile is the third of 41, 4^2, so the first level ends at 4^3; 4^37 / 6^28 = 1.16.
        assert_eq!(limits(&powers).len(), 29);
    }
}
