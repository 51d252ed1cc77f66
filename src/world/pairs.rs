//! The touching pairs of one report, kept to be compared with those of the next.
//!
//! Comes in: pairs of rows, in the order of the contacts. Goes out: which of them were not there, and which of those that were
//! there have not come again; all of them as bytes. This room does not know bodies or events.
//!
//! Kept in ascending order, with a table of where those of every few rows begin: a pair is there or not, what has not come again stands in
//! order, and so does what is new. Bodies that keep their neighbours mostly keep the order of their pairs, so the first guess is the
//! pair behind the last one that was found. Some ten nanoseconds a pair, kept or not, and no scene makes a question dear.

use super::bytes::{Reader, Writer};
use crate::error::Error;

/// So many pairs are looked at together.
const FOUR: usize = 4;
/// Among so many pairs one is looked for from the front on.
const FEW: usize = 16;

/// Both rows in one word, ordered by the first, then the second.
fn word([first, second]: [u32; 2]) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

pub(super) fn rows_of(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// The place of a pair, if it is there.
#[inline(always)]
fn find(pairs: &[u64], table: &[u32], shift: u32, pair: u64) -> Option<usize> {
    let block = (rows_of(pair)[0] >> shift) as usize;
    let [from, end] = [table.get(block)?, table.get(block + 1)?].map(|&at| at as usize);
    // Four questions cost less than a guess where the block ends.
    if end - from <= FOUR
        && let Some(near) = pairs.get(from..from + FOUR)
    {
        let mut at = FOUR;
        for (k, &other) in near.iter().enumerate() {
            at = if other == pair { k } else { at };
        }
        return (at < FOUR).then_some(from + at);
    }
    let near = &pairs[from..end];
    let before = if near.len() <= FEW {
        near.iter().position(|&other| other >= pair)?
    } else {
        near.partition_point(|&other| other < pair)
    };
    (near.get(before) == Some(&pair)).then_some(from + before)
}

/// Pairs of the last report, and what became of them.
#[derive(Debug, Default)]
pub(super) struct PairSet {
    /// Ascending.
    pairs: Vec<u64>,
    /// Where the pairs of each block of first rows begin, and behind the last block.
    table: Vec<u32>,
    /// Rows to a block, as a shift.
    shift: u32,
    /// Those of [`Self::pairs`] that have come again.
    met: Vec<bool>,
    /// The pairs of the coming report, in the order they came: as they were, and as they are.
    came: Vec<[u64; 2]>,
    begun: Vec<u32>,
    ended: Vec<u64>,
}

impl PairSet {
    /// Holds the pairs that touch now against those that touched at the last report. Each comes as its rows at the last report
    /// and its rows now, both ascending, no pair twice.
    pub(super) fn compare(&mut self, touching: impl ExactSizeIterator<Item = [[u32; 2]; 2]>) {
        // First all of them, so that no wrong guess waits for a row that is far away.
        self.came.clear();
        self.came.extend(touching.map(|pair| pair.map(word)));
        self.met.clear();
        self.met.resize(self.pairs.len(), false);
        self.begun.clear();
        let mut cursor = 0;
        for (at, &[past, _]) in self.came.iter().enumerate() {
            let found = match self.pairs.get(cursor) {
                Some(&pair) if pair == past => Some(cursor),
                _ => find(&self.pairs, &self.table, self.shift, past),
            };
            match found {
                Some(found) => {
                    self.met[found] = true;
                    cursor = found + 1;
                }
                None => self.begun.push(at as u32),
            }
        }
        self.ended.clear();
        for (pairs, met) in self.pairs.chunks(FEW).zip(self.met.chunks(FEW)) {
            // All of them, nearly always.
            if met.contains(&false) {
                self.ended.extend(pairs.iter().zip(met).filter(|(_, met)| !**met).map(|(&pair, _)| pair));
            }
        }
    }

    /// Reads something of each of its lists.
    pub(super) fn read_ahead(&self) -> usize {
        let first = |list: &[u64]| list.first().map_or(0, |&word| word as usize);
        let came = self.came.first().map_or(0, |came| came[0] as usize);
        first(&self.pairs) ^ came ^ usize::from(self.met.first() == Some(&true)) ^ self.ended.len()
    }

    /// The places, among the pairs that came, of those that had not been there; ascending.
    pub(super) fn begun(&self) -> &[u32] {
        &self.begun
    }

    /// The rows at the last report of the pairs that have not come again, by first row, then second; see [`rows_of`].
    pub(super) fn ended(&self) -> &[u64] {
        &self.ended
    }

    /// A pair, by its rows at the last report, touched then and has not come again.
    pub(super) fn has_ended(&self, past: [u32; 2]) -> bool {
        self.ended.binary_search(&word(past)).is_ok()
    }

    /// The first so many of the pairs that came take the place of those of `other`, the rest of those that were here.
    pub(super) fn turn_and_share(&mut self, other: &mut PairSet, first: usize) {
        other.came.clear();
        other.came.extend(self.came.drain(..first));
        other.turn();
        self.turn();
    }

    /// Takes in the pairs of another set.
    pub(super) fn absorb(&mut self, other: &PairSet) {
        self.came.clear();
        self.came.extend(self.pairs.iter().chain(&other.pairs).map(|&pair| [pair; 2]));
        self.turn();
    }

    /// The pairs that came take the place of those that were there: sorted to their blocks, then within each.
    pub(super) fn turn(&mut self) {
        let PairSet { pairs, table, shift, came, .. } = self;
        let last = came.iter().fold(0, |last, came| std::cmp::max(last, rows_of(came[1])[0]));
        // No more blocks than pairs, or one.
        *shift = 0;
        while (last >> *shift) as usize > came.len() {
            *shift += 1;
        }
        let block = |pair: u64| (rows_of(pair)[0] >> *shift) as usize;
        // Circles of one level come in their order, and then there is nothing to sort.
        let sorted = came.is_sorted_by_key(|came| came[1]);
        // Counts stand a place further, so that sums are ends; or two, so that advancing them while placing leaves those.
        let ahead = if sorted { 1 } else { 2 };
        table.clear();
        table.resize((last >> *shift) as usize + 3, 0);
        for &[_, pair] in &*came {
            table[block(pair) + ahead] += 1;
        }
        let mut sum = 0;
        for count in table.iter_mut() {
            sum += *count;
            *count = sum;
        }
        table.pop();
        pairs.clear();
        if sorted {
            pairs.extend(came.iter().map(|came| came[1]));
            return;
        }
        pairs.resize(came.len(), 0);
        for &[_, pair] in &*came {
            let place = &mut table[block(pair) + 1];
            pairs[*place as usize] = pair;
            *place += 1;
        }
        let mut from = 0;
        for &end in &table[1..] {
            pairs[from..end as usize].sort_unstable();
            from = end as usize;
        }
    }

    /// The pairs as bytes, in the order they are kept in.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.list(&self.pairs);
    }

    /// Takes the pairs over from bytes, with first and second rows below `most`.
    pub(super) fn restore(&mut self, from: &mut Reader<'_>, most: [usize; 2]) -> Result<(), Error> {
        from.list(&mut self.pairs)?;
        let below = |&pair: &u64| {
            let [first, second] = rows_of(pair);
            (first as usize) < most[0] && (second as usize) < most[1]
        };
        from.ensure(self.pairs.iter().all(below), "rows of touching pairs below the number of rows")?;
        self.came.clear();
        self.came.extend(self.pairs.iter().map(|&pair| [pair; 2]));
        self.turn();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::NONE;

    fn set(pairs: &[[u32; 2]]) -> PairSet {
        let mut set = PairSet::default();
        set.compare(pairs.iter().map(|&pair| [pair; 2]));
        set.turn();
        set
    }

    /// Begun and ended, when these pairs come.
    fn compared(set: &mut PairSet, now: &[[u32; 2]]) -> (Vec<u32>, Vec<[u32; 2]>) {
        set.compare(now.iter().map(|&pair| [pair; 2]));
        (set.begun().to_vec(), set.ended().iter().map(|&pair| rows_of(pair)).collect())
    }

    #[test]
    fn begun_in_the_order_they_came_and_ended_by_rows() {
        for pairs in [[[0, 1], [0, 3], [2, 3]], [[2, 3], [0, 3], [0, 1]]] {
            let mut s = set(&pairs);
            let now = [[7, 9], [u32::MAX, 0], [0, 3], [1, 3], [0, 2]];
            assert_eq!(compared(&mut s, &now), (vec![0, 1, 3, 4], vec![[0, 1], [2, 3]]));
            // Asked once more: nothing has been forgotten.
            assert_eq!(compared(&mut s, &pairs), (vec![], vec![]));
            assert_eq!(compared(&mut s, &[]), (vec![], vec![[0, 1], [0, 3], [2, 3]]));
        }
    }

    #[test]
    fn crowded_row_in_any_order_is_found_whole() {
        // Row 1 has 100 pairs, in a scattered order (37k mod 100 takes every value once); more than are looked at.
        let pairs: Vec<_> = (0..100).map(|k| [1, 100 + 37 * k % 100]).chain([[0, 5]]).collect();
        let mut s = set(&pairs);
        let backwards: Vec<_> = pairs.iter().rev().copied().collect();
        assert_eq!(compared(&mut s, &backwards), (vec![], vec![]));
        let others: Vec<_> = backwards.iter().map(|&[a, b]| [a, b + 1]).collect();
        // 101 to 200 and 6 against 100 to 199 and 5: 200 and [0, 6] are new, 100 and [0, 5] gone.
        let (begun, ended) = compared(&mut s, &others);
        let begun: Vec<_> = begun.iter().map(|&at| others[at as usize]).collect();
        assert_eq!((begun.len(), begun.contains(&[1, 200]), begun.contains(&[0, 6])), (2, true, true));
        assert_eq!(ended, [[0, 5], [1, 100]]);
    }

    #[test]
    fn rows_that_have_changed_are_followed() {
        let mut s = set(&[[0, 1], [2, 3]]);
        // The pair of rows 0 and 1 is now in rows 5 and 6; the other has gone.
        s.compare([[[0, 1], [5, 6]]].into_iter());
        assert_eq!(
            (s.begun(), s.ended().iter().map(|&pair| rows_of(pair)).collect::<Vec<_>>()),
            (&[][..], vec![[2, 3]])
        );
        s.turn();
        assert_eq!(compared(&mut s, &[[5, 6]]), (vec![], vec![]));
        s.turn();
        assert_eq!(compared(&mut s, &[[0, 1]]), (vec![0], vec![[5, 6]]));
    }

    #[test]
    fn what_began_and_ended_is_what_a_set_says() {
        use std::collections::BTreeSet;
        let mut state = 5u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32 % below
        };
        let (mut s, mut before) = (PairSet::default(), BTreeSet::new());
        for round in 0..400 {
            // All in one row, in few, in many, and as far apart as rows can be.
            let rows = [1, 7, 300, NONE][round % 4];
            let pairs: BTreeSet<[u32; 2]> = (0..draw(400)).map(|_| [draw(rows), draw(60)]).collect();
            // Some of them stay, in another order.
            let mut now: Vec<_> = before.iter().copied().filter(|_| draw(3) > 0).chain(pairs).collect();
            now.sort_unstable();
            now.dedup();
            if round % 3 > 0 {
                now.sort_by_key(|&[a, b]| (a ^ b).wrapping_mul(2_654_435_769));
            }
            let begun: Vec<u32> = (0..now.len() as u32).filter(|&at| !before.contains(&now[at as usize])).collect();
            let after = now.iter().copied().collect();
            let ended: Vec<_> = before.difference(&after).copied().collect();
            assert_eq!(compared(&mut s, &now), (begun, ended), "{round}");
            s.turn();
            before = after;
        }
    }

    #[test]
    fn sets_are_joined_and_parted() {
        let (mut one, mut other) = (set(&[[4, 5]]), set(&[[0, 1], [2, 3]]));
        one.absorb(&other);
        assert_eq!(compared(&mut one, &[[2, 3], [0, 2], [4, 5]]), (vec![1], vec![[0, 1]]));
        one.turn_and_share(&mut other, 2);
        assert_eq!(compared(&mut other, &[]), (vec![], vec![[0, 2], [2, 3]]));
        assert_eq!(compared(&mut one, &[]), (vec![], vec![[4, 5]]));
    }
}
