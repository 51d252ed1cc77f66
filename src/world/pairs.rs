//! The touching pairs of one report, kept to be compared with those of the next.
//!
//! Comes in: pairs of rows, in the order of the contacts. Goes out: which of them were not there, and which of those that were
//! there have not come again; all of them as bytes. This room does not know bodies or events.
//!
//! Bodies that keep their neighbours keep the order of their contacts: most pairs are found where the pair before them was,
//! plus one. Where that fails, a table says where the pairs of every 32 rows begin, and a few from there on are looked at.
//! Neither has to be right: what is left on both sides is sorted and compared, so that no scene makes a question dear. One
//! or two nanoseconds a pair that stays, ten to thirty for one that does not.

use super::bytes::{Reader, Writer};
use crate::error::Error;
use crate::storage::NONE;

/// Rows to an entry of the table, as a shift.
const BLOCK: u32 = 5;
/// So many pairs are looked at from where the table points to, and from where the pair before was.
const NEAR: usize = 48;
const NEXT: usize = 4;

/// Both rows in one word, ordered by the first, then the second.
fn word([first, second]: [u32; 2]) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn rows(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// Where a pair probably is, which is not where the cursor is.
#[inline(never)]
fn find(pairs: &[u64], table: &[u32], pair: u64, cursor: usize) -> Option<usize> {
    let among = |from: usize, count: usize| {
        let near = pairs.get(from..)?;
        let near = &near[..std::cmp::min(count, near.len())];
        // Eight questions cost less than a guess for each.
        let any = |eight: &[u64]| eight.iter().fold(false, |any, &other| any | (other == pair));
        let eight = near.chunks(8).position(any)? * 8;
        near[eight..].iter().position(|&other| other == pair).map(|at| from + eight + at)
    };
    among(cursor, NEXT).or_else(|| among(*table.get((rows(pair)[0] >> BLOCK) as usize)? as usize, NEAR))
}

/// Pairs of the last report, and what became of them.
#[derive(Debug, Default)]
pub(super) struct PairSet {
    /// In the order of the contacts of then.
    pairs: Vec<u64>,
    /// Where a pair of each block of first rows is: the first that there is, or [`NONE`].
    table: Vec<u32>,
    /// Those of [`Self::pairs`] that have come again.
    met: Vec<bool>,
    /// The pairs of the coming report, in the order they came: as they were, and as they are.
    came: Vec<[u64; 2]>,
    /// Of those that have not been found yet what they were, and their places.
    missed: Vec<(u64, u32)>,
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
        self.missed.clear();
        self.met.clear();
        self.met.resize(self.pairs.len(), false);
        let mut cursor = 0;
        for (at, &[past, _]) in self.came.iter().enumerate() {
            let found = match self.pairs.get(cursor) {
                Some(&pair) if pair == past => Some(cursor),
                _ => find(&self.pairs, &self.table, past, cursor),
            };
            match found {
                Some(found) => {
                    self.met[found] = true;
                    cursor = found + 1;
                }
                None => self.missed.push((past, at as u32)),
            }
        }
        self.part();
    }

    /// What has been missed is either among what has not been met, or new.
    fn part(&mut self) {
        self.ended.clear();
        for (pairs, met) in self.pairs.chunks(16).zip(self.met.chunks(16)) {
            // All of them, nearly always.
            if met.contains(&false) {
                self.ended.extend(pairs.iter().zip(met).filter(|(_, met)| !**met).map(|(&pair, _)| pair));
            }
        }
        self.ended.sort_unstable();
        let (missed, mut kept) = (&mut self.missed, 0);
        self.begun.clear();
        if self.ended.is_empty() {
            self.begun.extend(missed.iter().map(|&(_, at)| at));
            return;
        }
        missed.sort_unstable();
        let mut rest = self.missed.iter().peekable();
        for at in 0..self.ended.len() {
            let pair = self.ended[at];
            while let Some(&(_, place)) = rest.next_if(|missed| missed.0 < pair) {
                self.begun.push(place);
            }
            if rest.next_if(|missed| missed.0 == pair).is_none() {
                self.ended[kept] = pair;
                kept += 1;
            }
        }
        self.begun.extend(rest.map(|&(_, place)| place));
        self.begun.sort_unstable();
        self.ended.truncate(kept);
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

    /// The rows at the last report of the pairs that have not come again, by first row, then second.
    pub(super) fn ended(&self) -> impl Iterator<Item = [u32; 2]> {
        self.ended.iter().copied().map(rows)
    }

    /// A pair, by its rows at the last report, touched then and has not come again.
    pub(super) fn has_ended(&self, past: [u32; 2]) -> bool {
        self.ended.binary_search(&word(past)).is_ok()
    }

    /// The pairs that came take the place of those that were there.
    pub(super) fn turn(&mut self) {
        self.pairs.clear();
        self.pairs.extend(self.came.iter().map(|came| came[1]));
        self.tabulate();
    }

    /// The first so many of the pairs that came take the place of those of `other`, the rest of those that were here.
    pub(super) fn turn_and_share(&mut self, other: &mut PairSet, first: usize) {
        other.pairs.clear();
        other.pairs.extend(self.came.drain(..first).map(|came| came[1]));
        self.turn();
    }

    /// Takes in the pairs of another set.
    pub(super) fn absorb(&mut self, other: &PairSet) {
        self.pairs.extend_from_slice(&other.pairs);
        self.tabulate();
    }

    /// Sets the table anew.
    fn tabulate(&mut self) {
        self.table.clear();
        let mut last = NONE;
        for (at, &pair) in self.pairs.iter().enumerate() {
            let block = rows(pair)[0] >> BLOCK;
            if block != last {
                last = block;
                let block = block as usize;
                if block >= self.table.len() {
                    self.table.resize(block + 1, NONE);
                }
                if self.table[block] == NONE {
                    self.table[block] = at as u32;
                }
            }
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
            let [first, second] = rows(pair);
            (first as usize) < most[0] && (second as usize) < most[1]
        };
        from.ensure(self.pairs.iter().all(below), "rows of touching pairs below the number of rows")?;
        self.tabulate();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pairs: &[[u32; 2]]) -> PairSet {
        let mut set = PairSet::default();
        set.compare(pairs.iter().map(|&pair| [pair; 2]));
        set.turn();
        set
    }

    /// Begun and ended, when these pairs come.
    fn compared(set: &mut PairSet, now: &[[u32; 2]]) -> (Vec<u32>, Vec<[u32; 2]>) {
        set.compare(now.iter().map(|&pair| [pair; 2]));
        (set.begun().to_vec(), set.ended().collect())
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
        assert_eq!((s.begun(), s.ended().collect::<Vec<_>>()), (&[][..], vec![[2, 3]]));
        s.turn();
        assert_eq!(compared(&mut s, &[[5, 6]]), (vec![], vec![]));
        s.turn();
        assert_eq!(compared(&mut s, &[[0, 1]]), (vec![0], vec![[5, 6]]));
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
