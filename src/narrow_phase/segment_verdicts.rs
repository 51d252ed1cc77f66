//! What the kernels say of candidates, and which of these are looked at further.
//!
//! Comes in: ends of segments, pairs of rows. Goes out: the places, in order, of the pairs that are not apart, with verdict and crossing. Every
//! other pair of a town crosses, and which nobody can guess: they are told apart without a branch. This room does not know contacts.

use crate::kernels::packing::Packing;
use crate::kernels::segment_segment::{Crossing, Ends, Verdict};
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, Pairs, bits_of, dispatch};

/// Buffers, reused; as long as the longest list so far.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    verdicts: Vec<Verdict>,
    crossings: Vec<Crossing>,
    places: Vec<u32>,
    count: usize,
}

impl Verdicts {
    /// Judges pairs of these and of those segments. With `all`, also pairs that are apart are looked at further.
    pub(super) fn judge(
        &mut self,
        ends: [&[Ends]; 2],
        pairs: &Pairs,
        all: bool,
        (backend, set): (Backend, InstructionSet),
    ) {
        if self.verdicts.len() < pairs.len() {
            self.verdicts.resize(pairs.len() + pairs.len() / 2, Verdict::OPEN);
            self.crossings.resize(self.verdicts.len(), Crossing::default());
            // Eight are written at a time.
            self.places.resize(self.verdicts.len() + LANES, 0);
        }
        let Verdicts { verdicts, crossings, places, .. } = self;
        self.count = dispatch(backend, set, Judge { ends, pairs, all, verdicts, crossings, places });
    }

    /// The place among the pairs, the verdict, and where that is [`Verdict::CROSS`] the crossing.
    pub(super) fn left(&self) -> impl Iterator<Item = (usize, Verdict, &Crossing)> {
        self.places[..self.count].iter().map(|&place| {
            let place = place as usize;
            (place, self.verdicts[place], &self.crossings[place])
        })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.verdicts.capacity() + size_of::<Crossing>() * self.crossings.capacity() + 4 * self.places.capacity()
    }
}

struct Judge<'a> {
    ends: [&'a [Ends]; 2],
    pairs: &'a Pairs,
    all: bool,
    verdicts: &'a mut [Verdict],
    crossings: &'a mut [Crossing],
    places: &'a mut [u32],
}

impl Operation for Judge<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let Judge { ends: [a, b], pairs, all, verdicts, crossings, places } = self;
        K::verdicts(a, b, pairs, verdicts, crossings);
        let (mut count, mut at) = (0, 0);
        for eight in verdicts[..pairs.len()].chunks(LANES) {
            let mask = if all { (1 << eight.len()) - 1 } else { found(eight) };
            places[count..count + LANES].copy_from_slice(&K::Packing::pack(mask, at));
            count += mask.count_ones() as usize;
            at += LANES as u32;
        }
        count
    }
}

/// Which of no more than eight verdicts are not [`Verdict::APART`], as bits.
#[inline(always)]
fn found(verdicts: &[Verdict]) -> u32 {
    let mut bytes = [0; 8];
    for (byte, verdict) in bytes.iter_mut().zip(verdicts) {
        *byte = verdict.byte();
    }
    let bits = u64::from_le_bytes(bytes);
    // A verdict is below eight: its bits into the lowest one.
    bits_of((bits | bits >> 1 | bits >> 2) & 0x0101_0101_0101_0101) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_apart_is_not_found_in_any_place() {
        let all = [0, 1, 2, 4, 5, 6, 7].map(Verdict::from_byte);
        for length in 0..=8 {
            for seed in 0..2000u32 {
                let at = |k: usize| all[(seed.wrapping_mul(2_654_435_761).rotate_left(4 * k as u32) >> 8) as usize % 7];
                let verdicts: Vec<Verdict> = (0..length).map(at).collect();
                let expected = (0..length).filter(|&k| verdicts[k] != Verdict::APART).fold(0, |mask, k| mask | 1 << k);
                assert_eq!(found(&verdicts), expected, "{verdicts:?}");
            }
        }
    }
}
