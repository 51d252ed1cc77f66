//! Numbers held against each other, one against eight.

use super::{Lanes, load};
use crate::kernels::LANES;

/// In row k, all bits in the lanes behind it.
const BEHIND: [[u32; LANES]; LANES] = {
    let (mut behind, mut at) = ([[0; LANES]; LANES], 0);
    while at < LANES * LANES {
        behind[at / LANES][at % LANES] = if at / LANES < at % LANES { u32::MAX } else { 0 };
        at += 1;
    }
    behind
};

/// How many numbers are before each, and the largest of those before which there are fewer than `k`.
#[inline(always)]
pub(crate) fn ranks<L: Lanes>(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
    let (zero, one, k) = (L::splat(0.0), L::splat(1.0), L::splat(k as f32));
    let mut within = zero;
    for at in (0..numbers.len()).step_by(LANES) {
        let (eight, mut before) = (load::<L>(numbers, at), zero);
        for &other in &numbers[..at] {
            before = before + (L::splat(other).le(eight) & one);
        }
        for (&other, behind) in numbers[at..at + LANES].iter().zip(&BEHIND) {
            let (other, behind) = (L::splat(other), L::load(bytemuck::cast_ref(behind)));
            before = before + ((other.lt(eight) | (other.eq(eight) & behind)) & one);
        }
        for &other in &numbers[at + LANES..] {
            before = before + (L::splat(other).lt(eight) & one);
        }
        ranks[at..at + LANES].copy_from_slice(&before.store());
        let first = before.lt(k).select(eight, zero);
        within = first.at_least(within);
    }
    within.store().into_iter().fold(0.0, |most, one| if one > most { one } else { most })
}

/// Those in the lanes of a mask, packed to the front.
#[inline(always)]
pub(crate) fn front<L: Lanes, const N: usize>(lanes: [u32; LANES], mut eights: [[f32; LANES]; N]) -> [[f32; LANES]; N] {
    for eight in &mut eights {
        *eight = L::load(eight).pick(lanes).store();
    }
    eights
}
