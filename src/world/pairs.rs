//! The touching pairs of one report, kept to be compared with those of the next.
//!
//! Comes in: pairs of rows. Goes out: whether a pair was there, and which were not asked for; all of them as bytes. This room does not know
//! bodies or events. Pairs lie row by row of their first body, so that neighbours in space are neighbours here; a row
//! with many pairs is sorted and searched by halves, so that no scene makes a question dear.

use super::bytes::{Reader, Writer};
use crate::error::Error;

/// Rows with more pairs than this are sorted.
const SHORT: usize = 8;

/// Pairs by first row.
#[derive(Debug, Default)]
pub(super) struct PairSet {
    /// Where the pairs of each first row start; one more entry than rows.
    start: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    met: Vec<bool>,
    /// One past the pair met last: bodies that keep their neighbours are asked for in the order they are kept in.
    cursor: usize,
    /// The pairs of the coming report, in the order they were added.
    next: Vec<[u32; 2]>,
}

impl PairSet {
    /// Whether the pair was there; marks it.
    pub(super) fn meet(&mut self, first: u32, second: u32) -> bool {
        if self.pairs.get(self.cursor) != Some(&[first, second]) {
            match self.find(first, second) {
                Some(at) => self.cursor = at,
                None => return false,
            }
        }
        self.met[self.cursor] = true;
        self.cursor += 1;
        true
    }

    /// Where the pair is kept.
    fn find(&self, first: u32, second: u32) -> Option<usize> {
        let first = first as usize;
        // Written so that no row is too large for it, where a word has 32 bits.
        if first >= self.start.len().saturating_sub(1) {
            return None;
        }
        let (from, to) = (self.start[first] as usize, self.start[first + 1] as usize);
        let run = &self.pairs[from..to];
        let at = if run.len() <= SHORT {
            run.iter().position(|pair| pair[1] == second)
        } else {
            run.binary_search_by_key(&second, |pair| pair[1]).ok()
        };
        at.map(|at| from + at)
    }

    /// The pairs that nobody asked for, by first row.
    pub(super) fn unmet(&self) -> impl Iterator<Item = [u32; 2]> {
        self.pairs.iter().zip(&self.met).filter(|&(_, &met)| !met).map(|(&pair, _)| pair)
    }

    /// A pair of the coming report.
    pub(super) fn add(&mut self, first: u32, second: u32) {
        self.next.push([first, second]);
    }

    /// The pairs as bytes, in the order they are kept in.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.list(&self.pairs);
    }

    /// Takes the pairs over from bytes; unmarked, with first and second rows below `rows`.
    pub(super) fn restore(&mut self, from: &mut Reader<'_>, rows: [usize; 2]) -> Result<(), Error> {
        from.list(&mut self.next)?;
        let below = |pair: &[u32; 2]| (pair[0] as usize) < rows[0] && (pair[1] as usize) < rows[1];
        from.ensure(self.next.iter().all(below), "rows of touching pairs below the number of rows")?;
        from.ensure(self.next.is_sorted_by_key(|pair| pair[0]), "touching pairs by first row")?;
        self.turn(rows[0]);
        Ok(())
    }

    /// The added pairs become the pairs, unmarked. First rows are below `rows`.
    pub(super) fn turn(&mut self, rows: usize) {
        self.start.clear();
        self.start.resize(rows + 1, 0);
        // Counting sort; contacts usually come sorted by first row, and then nothing has to be moved.
        let (mut sorted, mut last) = (true, 0);
        for pair in &self.next {
            self.start[pair[0] as usize] += 1;
            sorted &= last <= pair[0];
            last = pair[0];
        }
        let mut sum = 0;
        let mut longest = 0;
        for start in &mut self.start {
            let count = *start;
            longest = if count > longest { count } else { longest };
            *start = sum;
            sum += count;
        }
        if sorted {
            std::mem::swap(&mut self.pairs, &mut self.next);
        } else {
            self.scatter();
        }
        if longest as usize > SHORT {
            self.sort_long_runs();
        }
        self.next.clear();
        self.cursor = 0;
        self.met.clear();
        self.met.resize(self.pairs.len(), false);
    }

    /// Brings the added pairs to their first rows, in the order they have there.
    fn scatter(&mut self) {
        self.pairs.clear();
        self.pairs.resize(self.next.len(), [0; 2]);
        for &pair in &self.next {
            let place = &mut self.start[pair[0] as usize];
            self.pairs[*place as usize] = pair;
            *place += 1;
        }
        // Each start has become the next one's: shift them back.
        self.start.rotate_right(1);
        self.start[0] = 0;
    }

    fn sort_long_runs(&mut self) {
        for bounds in self.start.windows(2) {
            let run = &mut self.pairs[bounds[0] as usize..bounds[1] as usize];
            if run.len() > SHORT && !run.is_sorted_by_key(|pair| pair[1]) {
                run.sort_unstable_by_key(|pair| pair[1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pairs: &[[u32; 2]], rows: usize) -> PairSet {
        let mut set = PairSet::default();
        pairs.iter().for_each(|p| set.add(p[0], p[1]));
        set.turn(rows);
        set
    }

    #[test]
    fn sorted_and_unsorted_input_answer_alike() {
        for pairs in [[[0, 1], [0, 3], [2, 3]], [[2, 3], [0, 3], [0, 1]]] {
            let mut s = set(&pairs, 4);
            assert!(s.meet(0, 3) && s.meet(2, 3));
            assert!(!s.meet(1, 3) && !s.meet(0, 2) && !s.meet(3, 4) && !s.meet(u32::MAX, 0));
            assert_eq!(s.unmet().collect::<Vec<_>>(), [[0, 1]]);
        }
    }

    #[test]
    fn crowded_row_is_found_whole() {
        // Row 1 has 20 pairs, added in a scattered order (7k mod 20 takes every value once).
        let pairs: Vec<_> = (0..20).map(|k| [1, 100 + 7 * k % 20]).chain([[0, 5]]).collect();
        let mut s = set(&pairs, 2);
        // Asked for backwards, so that no answer lies where the last one ended.
        assert!(pairs.iter().rev().all(|p| s.meet(p[0], p[1])));
        assert!(!s.meet(1, 99) && !s.meet(1, 120));
        assert_eq!(s.unmet().count(), 0);
    }

    #[test]
    fn each_turn_forgets_the_last() {
        let mut s = set(&[[0, 1]], 2);
        s.add(1, 2);
        s.turn(3);
        assert!(!s.meet(0, 1) && s.meet(1, 2));
        s.turn(0);
        assert!(!s.meet(1, 2));
    }
}
