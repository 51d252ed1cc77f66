//! Which rows were edited, and when.
//!
//! Comes in: rows, with the count of edits at that time. Goes out: the rows edited since a count, or that this is not known any more. So who
//! keeps something about rows can mend it at a price that goes with the edits. This room does not know what an edit was.
//!
//! Cost: O(1) an edit; no more memory than rows, and some.

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Edited {
    /// Count and row, counts ascending.
    rows: Vec<(u64, u32)>,
    /// Everything after this count is listed.
    since: u64,
}

/// Of whom nothing is kept.
pub(crate) static NOT_EDITED: Edited = Edited { rows: Vec::new(), since: 0 };

/// More are forgotten, beyond as many as there are rows.
const FEW: usize = 64;

impl Edited {
    /// This row is not what it was before the edit of this count. `len`: how many rows there are.
    pub(crate) fn note(&mut self, count: u64, row: usize, len: usize) {
        self.rows.push((count, row as u32));
        if self.rows.len() > 2 * (len + FEW) {
            // Those of one count stay or go together.
            let last = self.rows[len + FEW].0;
            let from = self.rows.partition_point(|&(at, _)| at <= last);
            self.rows.drain(..from);
            self.since = last;
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<(u64, u32)>() * self.rows.capacity()
    }

    /// Nothing is known of what was before this count.
    pub(crate) fn forget(&mut self, count: u64) {
        self.rows.clear();
        self.since = count;
    }

    /// Nothing was edited since; false also where that is not known.
    pub(crate) fn none_since(&self, count: u64) -> bool {
        count >= self.since && self.rows.last().is_none_or(|&(at, _)| at <= count)
    }

    /// The rows edited since, ascending, each once, into `out`; they may be gone by now. False if that is not known.
    pub(crate) fn since(&self, count: u64, out: &mut Vec<u32>) -> bool {
        out.clear();
        let from = self.rows.partition_point(|&(at, _)| at <= count);
        out.extend(self.rows[from..].iter().map(|&(_, row)| row));
        out.sort_unstable();
        out.dedup();
        count >= self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(edited: &Edited, count: u64) -> Option<Vec<u32>> {
        let mut out = Vec::new();
        edited.since(count, &mut out).then_some(out)
    }

    #[test]
    fn what_came_after_a_count_is_told_once() {
        let mut edited = Edited::default();
        for (count, row) in [(1, 7), (2, 3), (2, 9), (4, 3)] {
            edited.note(count, row, 10);
        }
        assert_eq!(since(&edited, 0), Some(vec![3, 7, 9]));
        assert_eq!(since(&edited, 1), Some(vec![3, 9]));
        assert_eq!(since(&edited, 2), Some(vec![3]));
        assert_eq!(since(&edited, 4), Some(vec![]));
        assert!(edited.none_since(4) && !edited.none_since(3));
        edited.forget(5);
        assert_eq!((since(&edited, 4), since(&edited, 5)), (None, Some(vec![])));
        assert!(edited.none_since(5) && !edited.none_since(4));
    }

    #[test]
    fn endless_editing_takes_no_memory_and_the_latest_is_known() {
        let mut edited = Edited::default();
        for count in 1..=10_000u64 {
            for row in [1, 2, 3] {
                edited.note(count, row, 4);
            }
            assert!(edited.rows.len() <= 2 * (4 + FEW));
            assert_eq!(since(&edited, count - 1), Some(vec![1, 2, 3]));
        }
        assert_eq!(since(&edited, 0), None);
    }
}
