//! Which of few circles have boxes that a box meets, by bands across each axis.
//!
//! Comes in: circles, boxes. Goes out: a word for each box, with a bit for each circle whose box it meets, and for some more, which end in a
//! band in which it begins. A box begins in the band of its lower end, and bands do not go down where numbers go up, nor does rounding; so
//! whose ends are apart in bands is apart. This room does not know what a box is of.
//!
//! Cost: 80 instructions a wall, its box and what is around included, counted where hardly any meets a circle (AVX2: 200 walls less 100).

use crate::broad_phase::FEW;
use crate::geometry::Circles;
use crate::kernels::Kernels;

/// Bands across an axis.
const BANDS: usize = 32;

/// See the head of the module.
pub(super) struct Bands {
    x: Axis,
    y: Axis,
}

/// Bands from the lowest centre to the highest; what is outside is in the first or the last.
struct Axis {
    low: f32,
    per: f32,
    /// Who begins in this band or a lower one.
    begun: [u64; BANDS],
    /// Who ends in this band or a higher one.
    open: [u64; BANDS],
}

impl Bands {
    /// Of the first so many circles.
    #[inline(always)]
    pub(super) fn of<K: Kernels>(circles: Circles<'_>, count: usize) -> Bands {
        let radius = &circles.radius[..count];
        Bands { x: Axis::of::<K>(&circles.x[..count], radius), y: Axis::of::<K>(&circles.y[..count], radius) }
    }

    /// Who may meet each of these boxes: low x, high x, low y, high y.
    #[inline(always)]
    pub(super) fn meeting(&self, [low_x, high_x, low_y, high_y]: &[[f32; FEW]; 4], words: &mut [u64; FEW]) {
        words.fill(u64::MAX);
        self.x.meeting(low_x, high_x, words);
        self.y.meeting(low_y, high_y, words);
    }
}

impl Axis {
    #[inline(always)]
    fn of<K: Kernels>(at: &[f32], radius: &[f32]) -> Axis {
        let spread = K::spread(at, None);
        let per = (BANDS - 1) as f32 / (spread.largest - spread.least);
        let mut axis = Axis { low: spread.least, per, begun: [0; BANDS], open: [0; BANDS] };
        for (k, (&v, &r)) in at.iter().zip(radius).enumerate() {
            axis.begun[axis.band(v - r) as usize % BANDS] |= 1 << k;
            axis.open[axis.band(v + r) as usize % BANDS] |= 1 << k;
        }
        for k in 1..BANDS {
            axis.begun[k] |= axis.begun[k - 1];
            axis.open[BANDS - 1 - k] |= axis.open[BANDS - k];
        }
        axis
    }

    /// Never less for what is more. Where all centres are at one place, or further apart than numbers go, there is the first band alone, or with
    /// the last.
    #[inline(always)]
    fn band(&self, v: f32) -> u32 {
        // 1.5 · 2^23: what is added to it is rounded to a whole number, in the lowest bits.
        const SHIFT: f32 = 12_582_912.0;
        let s = (v - self.low) * self.per;
        // In this order what is not a number becomes 0.
        let s = if s > 0.0 { s } else { 0.0 };
        let s = if s < (BANDS - 1) as f32 { s } else { (BANDS - 1) as f32 };
        (s + SHIFT).to_bits() % BANDS as u32
    }

    #[inline(always)]
    fn meeting(&self, low: &[f32; FEW], high: &[f32; FEW], words: &mut [u64; FEW]) {
        // Bands first, many side by side.
        let (mut first, mut last) = ([0; FEW], [0; FEW]);
        for ((first, last), (&low, &high)) in first.iter_mut().zip(&mut last).zip(low.iter().zip(high)) {
            (*first, *last) = (self.band(low), self.band(high));
        }
        for ((&first, &last), word) in first.iter().zip(&last).zip(words) {
            *word &= self.open[first as usize % BANDS] & self.begun[last as usize % BANDS];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::scalar::Scalar;

    fn range(state: &mut u64, a: f64, b: f64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a + (b - a) * ((*state >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Every circle whose box meets is told, by bounds in double precision, which are exact where what is rounded only comes nearer.
    #[test]
    fn whose_boxes_meet_is_told_and_most_others_are_not() {
        let (mut met, mut told, mut all) = (0, 0, 0);
        for seed in 0..2000 {
            let g = &mut (seed * 7919 + 1);
            let scale = [1.0, 1e-38, 1e-44, 1e30, 3e38, 1e6][seed as usize % 6];
            let count = range(g, 1.0, FEW as f64 + 1.0) as usize;
            // All at one place now and then, or on a line.
            let spread =
                [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]][if seed % 5 == 0 { seed as usize / 5 % 4 } else { 0 }];
            let mut column = |spread: f64| -> Vec<f32> {
                (0..count).map(|_| (range(g, -1.0, 1.0) * spread * scale) as f32).collect()
            };
            let (x, y) = (column(spread[0]), column(spread[1]));
            let large = [0.02, 0.5][seed as usize / 6 % 2];
            let radius: Vec<f32> = (0..count).map(|_| (range(g, 0.0, large) * scale) as f32).collect();
            let bands = Bands::of::<Scalar>(Circles { x: &x, y: &y, radius: &radius }, count);
            let mut boxes = [[0.0; FEW]; 4];
            let [low_x, high_x, low_y, high_y] = &mut boxes;
            for (lows, highs, at) in [(low_x, high_x, &x), (low_y, high_y, &y)] {
                for (k, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
                    // Some begin just where a circle ends.
                    let i = k % count;
                    *low = if k % 4 == 0 { at[i] + radius[i] } else { (range(g, -1.1, 1.1) * scale) as f32 };
                    *high = *low + (range(g, 0.0, 0.1) * scale) as f32;
                }
            }
            let mut words = [0; FEW];
            bands.meeting(&boxes, &mut words);
            for (k, word) in words.into_iter().enumerate() {
                for i in 0..count {
                    let meets = (0..2).all(|axis| {
                        let (v, r) = ([&x, &y][axis][i], radius[i]);
                        v - r <= boxes[2 * axis + 1][k] && v + r >= boxes[2 * axis][k]
                    });
                    let is_told = word >> i & 1 == 1;
                    assert!(is_told || !meets, "{seed}: {i} and box {k}");
                    // Where numbers end there are fewer bands or one, and of what is large most meet.
                    if (1.0..1e31).contains(&scale) && large < 0.1 && seed % 5 != 0 {
                        (met, told, all) = (met + u64::from(meets), told + u64::from(is_told), all + 1);
                    }
                }
                assert!(count == FEW || word >> count == 0, "{seed}: nobody else");
            }
        }
        assert!(met > 5_000 && told < 3 * met && told < all / 50, "{met} meet, {told} told of {all}");
    }
}
