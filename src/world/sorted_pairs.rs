//! Pairs of rows in ascending order, and where each of them is.
//!
//! Comes in: pairs in any order. Goes out: the place of one, if it is there. This room does not know what pairs are of. A table says where those
//! of every few first rows begin.

use crate::storage::make_room;

/// So many pairs are looked at together.
const FOUR: usize = 4;
/// Among so many pairs one is looked for from the front on.
const FEW: usize = 16;

/// Room for so many pairs that have not been seen so far.
const MORE: usize = 64;

/// Both rows in one word, ordered by the first, then the second.
pub(super) fn word([first, second]: [u32; 2]) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

pub(super) fn rows_of(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// Pairs in ascending order.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) pairs: Vec<u64>,
    /// Where the pairs of each block of first rows begin, and behind the last block.
    table: Vec<u32>,
    /// Rows to a block, as a shift.
    shift: u32,
}

impl Sorted {
    /// The place of a pair, or how many there are if it is not there: where nobody can guess whether it is, nobody has to.
    #[inline(always)]
    pub(super) fn place(&self, pair: u64) -> usize {
        let Sorted { pairs, table, shift } = self;
        let block = (rows_of(pair)[0] >> shift) as usize;
        let [Some(&from), Some(&end)] = [table.get(block), table.get(block + 1)] else { return pairs.len() };
        let [from, end] = [from, end].map(|at| at as usize);
        // Four questions cost less than a guess where the block ends.
        if end - from <= FOUR
            && let Some(near) = pairs.get(from..from + FOUR)
        {
            return near
                .iter()
                .enumerate()
                .fold(pairs.len(), |at, (k, &other)| if other == pair { from + k } else { at });
        }
        let near = &pairs[from..end];
        let before = if near.len() <= FEW {
            near.iter().position(|&other| other >= pair).unwrap_or(near.len())
        } else {
            near.partition_point(|&other| other < pair)
        };
        if near.get(before) == Some(&pair) { from + before } else { pairs.len() }
    }

    /// Reads something of each line.
    pub(super) fn read_ahead(&self) -> usize {
        let pairs = self.pairs.iter().step_by(8).map(|&pair| pair as usize);
        pairs.chain(self.table.iter().step_by(16).map(|&at| at as usize)).fold(0, |all, value| all ^ value)
    }

    /// These, instead of those that were there: sorted to their blocks, then within each.
    pub(super) fn take(&mut self, came: impl Iterator<Item = u64> + Clone) {
        let Sorted { pairs, table, shift } = self;
        // Circles of one level come in their order, and then there is nothing to sort.
        let (mut count, mut last, mut before, mut sorted) = (0, 0, 0, true);
        came.clone().for_each(|pair| {
            (count, last, sorted) = (count + 1, std::cmp::max(last, rows_of(pair)[0]), sorted & (before <= pair));
            before = pair;
        });
        // No more blocks than pairs, or one.
        *shift = 0;
        while (last >> *shift) as usize > count {
            *shift += 1;
        }
        let block = |pair: u64| (rows_of(pair)[0] >> *shift) as usize;
        // Counts stand a place further, so that sums are ends; or two, so that advancing them while placing leaves those.
        let ahead = if sorted { 1 } else { 2 };
        table.clear();
        make_room(table, count + MORE);
        table.resize((last >> *shift) as usize + 3, 0);
        came.clone().for_each(|pair| table[block(pair) + ahead] += 1);
        let mut sum = 0;
        for count in table.iter_mut() {
            sum += *count;
            *count = sum;
        }
        table.pop();
        make_room(pairs, (count + MORE).saturating_sub(pairs.len()));
        if sorted {
            pairs.clear();
            pairs.extend(came);
            return;
        }
        pairs.resize(count, 0);
        came.for_each(|pair| {
            let place = &mut table[block(pair) + 1];
            pairs[*place as usize] = pair;
            *place += 1;
        });
        let mut from = 0;
        for &end in &table[1..] {
            pairs[from..end as usize].sort_unstable();
            from = end as usize;
        }
    }
}
