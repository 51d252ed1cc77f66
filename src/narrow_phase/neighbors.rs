//! Neighbour lists: for each circle all others that are near it, in compressed rows.
//!
//! Comes in: pairs of rows, each once, in any order. Goes out: for each row the rows of its pairs, ascending. This room does not
//! know what near means.
//!
//! Cost: two passes over the pairs, and a sort of each list by itself.

use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch, few};
use crate::parallel::Split;

/// For each circle the rows of all that are near it, ascending: those of row `i` are
/// `rows()[offsets()[i] as usize..offsets()[i + 1] as usize]`, or [`Neighbors::of`]. Each pair is there twice, seen from either side.
/// Give the same one back to have its memory used again.
#[derive(Clone, Debug)]
pub struct Neighbors {
    offsets: Vec<u32>,
    rows: Vec<u32>,
}

impl Default for Neighbors {
    fn default() -> Neighbors {
        Neighbors { offsets: vec![0], rows: Vec::new() }
    }
}

impl Neighbors {
    /// Of no circles.
    #[must_use]
    pub fn new() -> Neighbors {
        Neighbors::default()
    }

    /// Where the list of each row starts; one more at the end.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// All lists, one behind the other.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The list of one row; empty for rows that there are not.
    #[must_use]
    pub fn of(&self, row: usize) -> &[u32] {
        match self.offsets.get(row..).and_then(|rest| rest.first_chunk::<2>()) {
            Some(&[start, end]) => &self.rows[start as usize..end as usize],
            None => &[],
        }
    }

    /// The number of circles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// There are no circles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.capacity() + self.rows.capacity())
    }

    /// No lists.
    pub(crate) fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.rows.clear();
    }

    /// The lists of `count` rows from pairs, at most 2^31 of them. `found` is for the lists before they are sorted.
    pub(crate) fn fill(&mut self, count: usize, pairs: &[[u32; 2]], found: &mut Vec<u32>, by: By, split: Split) {
        let Neighbors { offsets, rows } = self;
        // As in the grid: counts stand two places further than their row, and advancing the sums leaves the finished table.
        offsets.clear();
        offsets.resize(count + 2, 0);
        from_both_sides(pairs, |of, _| offsets[of as usize + 2] += 1);
        let mut sum = 0;
        for offset in &mut *offsets {
            sum += *offset;
            *offset = sum;
        }
        found.resize(2 * pairs.len(), 0);
        from_both_sides(pairs, |of, other| {
            let place = &mut offsets[of as usize + 1];
            found[*place as usize] = other;
            *place += 1;
        });
        offsets.truncate(count + 1);
        rows.resize(found.len(), 0);
        sort_lists(Lists { offsets, found, rows }, by, split);
    }
}

/// Each pair from either side. Pairs of one row follow each other, and what is counted there would be waited for: two halves in turns.
#[inline(always)]
fn from_both_sides(pairs: &[[u32; 2]], mut each: impl FnMut(u32, u32)) {
    let (low, high) = pairs.split_at(pairs.len() / 2);
    for (&[a, b], &[c, d]) in low.iter().zip(high) {
        each(a, b);
        each(c, d);
        each(b, a);
        each(d, c);
    }
    for &[a, b] in &high[low.len()..] {
        each(a, b);
        each(b, a);
    }
}

/// Whose lanes sort.
pub(crate) type By = (Backend, InstructionSet);

/// Some lists, as they were found and as they will be; offsets are counted from where the first one begins.
struct Lists<'a> {
    offsets: &'a [u32],
    found: &'a [u32],
    rows: &'a mut [u32],
}

/// Each list by itself; halves of the rows side by side where possible.
fn sort_lists(lists: Lists<'_>, by: By, split: Split) {
    /// Rows that are sorted as one piece of work.
    const PIECE: usize = 4096;
    let Lists { offsets, found, rows } = lists;
    let count = offsets.len() - 1;
    if count <= PIECE || !split.is_parallel() {
        dispatch(by.0, by.1, Lists { offsets, found, rows });
        return;
    }
    let middle = count / 2;
    let first = (offsets[middle] - offsets[0]) as usize;
    let ((low, high), (found_low, found_high)) = (rows.split_at_mut(first), found.split_at(first));
    split.join(
        || sort_lists(Lists { offsets: &offsets[..=middle], found: found_low, rows: low }, by, split),
        || sort_lists(Lists { offsets: &offsets[middle..], found: found_high, rows: high }, by, split),
    );
}

impl Operation for Lists<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let first = self.offsets[0];
        for ends in self.offsets.windows(2) {
            let (from, count) = ((ends[0] - first) as usize, (ends[1] - ends[0]) as usize);
            few::sort::<K>(&self.found[from..], count, &mut self.rows[from..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_seen_from_both_sides_and_ascend() {
        let mut neighbors = Neighbors::new();
        let (mut found, by) = (Vec::new(), (Backend::Wide, InstructionSet::best()));
        neighbors.fill(5, &[[3, 1], [0, 3], [3, 4], [1, 0]], &mut found, by, Split::SERIAL);
        assert_eq!(neighbors.offsets(), [0, 2, 4, 4, 7, 8]);
        let lists: [&[u32]; 6] = [&[1, 3], &[0, 3], &[], &[0, 1, 4], &[3], &[]];
        assert_eq!(std::array::from_fn::<_, 6, _>(|row| neighbors.of(row)), lists);
        assert_eq!((neighbors.len(), neighbors.of(usize::MAX).len()), (5, 0));
        neighbors.fill(0, &[], &mut found, by, Split::SERIAL);
        assert_eq!((neighbors.offsets(), neighbors.len()), (&[0][..], 0));
        neighbors.clear();
        assert!(neighbors.is_empty());
    }
}
