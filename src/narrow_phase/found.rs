//! What the rows of a strip find among the first eight of their two runs, before it is written as pairs.
//!
//! Comes in: masks, row by row. Goes out: which rows have found anybody. This room does not know what the rows are, nor who is looked at.

use crate::broad_phase::STRIP;
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Writer, bits_of};

/// Of each row of a strip where the run above it starts, and which of the first eight of its two runs it may meet: of its own run in bits 0 to 7.
pub(super) struct Found {
    pub(super) starts: [u32; STRIP],
    pub(super) masks: [u32; STRIP],
}

impl Found {
    /// Nobody.
    pub(super) const NONE: Found = Found { starts: [0; STRIP], masks: [0; STRIP] };

    /// Bits of the rows that have found somebody.
    #[inline(always)]
    pub(super) fn some(&self) -> u64 {
        let (mut flags, mut bits) = ([0; STRIP], 0);
        for (flag, &masks) in flags.iter_mut().zip(&self.masks) {
            *flag = u8::from(masks != 0);
        }
        for (k, &eight) in flags.as_chunks::<8>().0.iter().enumerate() {
            bits |= bits_of(u64::from_le_bytes(eight)) << (8 * k);
        }
        bits
    }

    /// What the row in a place has found, as pairs, if there is room for two times eight.
    #[inline(always)]
    pub(super) fn emit<K: Kernels>(&self, place: usize, row: u32, out: &mut Writer<'_>) {
        let (start, masks) = (self.starts[place % STRIP], self.masks[place % STRIP]);
        K::Packing::emit_both(out, row, [row + 1, start], [masks & 0xFF, masks >> LANES]);
    }
}

/// The places of the bits that are set, lowest first.
pub(super) struct Places(pub(super) u64);

impl Iterator for Places {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let (place, is_any) = (self.0.trailing_zeros() as usize, self.0 != 0);
        self.0 &= self.0.wrapping_sub(1);
        is_any.then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_have_found_somebody_are_told_from_others() {
        for bits in [0, 1, 1 << 63, u64::MAX, 0x8000_0001_0180_FF00, 0x0123_4567_89AB_CDEF] {
            for some in [1, 0x80, 0x100, 0x8000, 0xFFFF] {
                let mut found = Found { starts: [7; STRIP], ..Found::NONE };
                (0..STRIP).filter(|k| bits >> k & 1 == 1).for_each(|k| found.masks[k] = some);
                assert_eq!(found.some(), bits);
                assert!(Places(bits).eq((0..STRIP).filter(|k| bits >> k & 1 == 1)));
            }
        }
    }
}
