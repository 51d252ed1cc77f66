//! Numbers held against each other, one against one.

use crate::kernels::LANES;

/// How many numbers are before each, and the largest of those before which there are fewer than `k`.
pub(crate) fn ranks(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
    let mut within = 0.0;
    for (at, (&one, rank)) in numbers.iter().zip(ranks).enumerate() {
        let is_before = |&(place, &other): &(usize, &f32)| other < one || other == one && place < at;
        let before = numbers.iter().enumerate().filter(is_before).count();
        *rank = before as f32;
        if before < k && one > within {
            within = one;
        }
    }
    within
}

/// Those in the lanes of a mask, packed to the front.
pub(crate) fn front<const N: usize>(mask: u32, eights: [[f32; LANES]; N]) -> [[f32; LANES]; N] {
    let mut packed = [[0.0; LANES]; N];
    for (packed, eight) in packed.iter_mut().zip(eights) {
        let lanes = (0..LANES).filter(|k| mask >> k & 1 == 1);
        packed.iter_mut().zip(lanes).for_each(|(to, k)| *to = eight[k]);
    }
    packed
}
