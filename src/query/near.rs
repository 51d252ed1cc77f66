//! Who is near whom, list by list.
//!
//! Comes in: what is near a row, in any order. Goes out: for a strip of rows in cell order, a list of each. Lists are made in cell order, where
//! all that is near is at hand, and hold four bytes a neighbour; records are made in the caller's order ([`super::records`]): what is
//! long is written once. This room does not know how bodies are found.

use super::window::MOST;
use crate::kernels::{Kernels, LANES, few};
use std::cmp::{max, min};
use std::ops::Range;

/// Rows in a strip.
pub(super) const STRIP: usize = 2048;
/// What is read or written too much behind a list.
const ROOM: usize = 2 * LANES;

/// Lists of what is near some rows.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// List by list; [`ROOM`] and more behind the last.
    found: Vec<u32>,
    /// Where the last of them ends.
    len: usize,
    /// Where each list ends.
    ends: Vec<usize>,
    /// The least and the largest row, once somebody has looked; anything else before.
    span: [u32; 2],
}

impl Near {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * self.found.capacity() + size_of::<usize>() * self.ends.capacity()
    }

    /// Forgets the lists, keeps the room.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.ends.clear();
    }

    /// How much there is in all lists.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.ends.last().map_or(0, |&end| end)
    }

    /// Where the list in a place stands; nowhere where there are no lists.
    #[inline(always)]
    pub(super) fn range(&self, place: usize) -> Range<usize> {
        if self.ends.is_empty() { 0..0 } else { of_row(&self.ends, place) }
    }

    /// How long the list in a place is; 0 where there are no lists.
    #[inline(always)]
    pub(super) fn count(&self, place: usize) -> usize {
        self.range(place).len()
    }

    /// Eight of what is kept, from a place on; what is behind the last of a list is anything. None where there is nothing at all.
    #[inline(always)]
    pub(super) fn eight(&self, from: usize) -> Option<&[u32; LANES]> {
        self.found.get(from..).and_then(<[u32]>::first_chunk)
    }

    /// All rows, of whichever list.
    pub(super) fn all(&self) -> &[u32] {
        &self.found[..self.len()]
    }

    /// Looks at all rows once, for [`Self::has`].
    pub(super) fn look(&mut self) {
        let span = self.all().iter().fold([u32::MAX, 0], |[least, most], &row| [min(least, row), max(most, row)]);
        self.span = span;
    }

    /// Some of the rows may be among `count` from `low` on.
    pub(super) fn has(&self, low: u32, count: usize) -> bool {
        let [least, most] = self.span;
        most >= low && (least as usize) < low as usize + count
    }

    /// The lists, one by one.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| &self.found[std::mem::replace(&mut from, end)..end])
    }

    /// The first `count` of eight rows are of the list that has not ended; no branch depends on `count`.
    #[inline(always)]
    pub(super) fn emit(&mut self, rows: [u32; LANES], count: u32) {
        if self.len + ROOM + LANES > self.found.len() {
            grow(&mut self.found);
        }
        self.found[self.len..self.len + LANES].copy_from_slice(&rows);
        self.len += count as usize;
    }

    /// A list, in the caller's order; it may be known to be in that.
    #[inline(always)]
    pub(super) fn list<K: Kernels>(&mut self, found: &Found, in_order: bool) {
        if self.len + MOST + ROOM > self.found.len() {
            grow(&mut self.found);
        }
        let to = &mut self.found[self.len..];
        if !in_order {
            few::sort::<K>(&found.names, found.len, to);
        } else if found.len <= ROOM {
            to[..ROOM].copy_from_slice(&found.names[..ROOM]);
        } else {
            to[..found.len].copy_from_slice(&found.names[..found.len]);
        }
        self.len += found.len;
        self.end();
    }

    /// The list ends here: its rows, in the order in which they were found.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.ends.push(self.len);
    }

    /// The list ends here: what its rows are called, in the caller's order.
    #[inline(never)]
    pub(super) fn end_in_order(&mut self, order: &[u32]) {
        let from = self.len();
        let list = &mut self.found[from..self.len];
        list.iter_mut().for_each(|row| *row = order[*row as usize]);
        list.sort_unstable();
        self.end();
    }
}

/// What those of one list are called, in any order.
#[derive(Debug)]
pub(super) struct Found {
    names: [u32; MOST + ROOM],
    len: usize,
}

impl Found {
    /// Nobody.
    pub(super) const EMPTY: Found = Found { names: [0; MOST + ROOM], len: 0 };

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// The first `count` of eight; no branch depends on how many.
    #[inline(always)]
    pub(super) fn put(&mut self, names: [u32; LANES], count: u32) {
        let at = self.len;
        self.names[at..at + LANES].copy_from_slice(&names);
        self.len = at + count as usize;
    }
}

#[cold]
#[inline(never)]
fn grow(column: &mut Vec<u32>) {
    let len = column.len();
    column.resize(if len < 1024 { 1024 } else { len + len / 2 }, 0);
}

/// What belongs to a row, of what stands row by row.
#[inline(always)]
pub(super) fn of_row(ends: &[usize], row: usize) -> Range<usize> {
    (if row == 0 { 0 } else { ends[row - 1] })..ends[row]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Backend, InstructionSet, Operation, dispatch};

    struct List<'a>(&'a mut Near, &'a Found, bool);

    impl Operation for List<'_> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            self.0.list::<K>(self.1, self.2);
        }
    }

    #[test]
    fn lists_by_names_and_by_rows_are_the_same() {
        // What rows are called: 7 has no divisor in common with 64.
        let order: Vec<u32> = (0..64).map(|row| row * 7 % 64).collect();
        let (mut near, mut found, mut expected) = (Near::default(), Found::EMPTY, vec![]);
        for count in 0..40u32 {
            // 17 and 41 have no common divisor: all different.
            let rows = || (0..count).map(|k| k * 17 % 41);
            let mut names: Vec<u32> = rows().map(|row| order[row as usize]).collect();
            found.clear();
            names.iter().for_each(|&name| found.put([name, 0, 3, 0, name, 1, 63, 2], 1));
            dispatch(Backend::Wide, InstructionSet::best(), List(&mut near, &found, false));
            rows().for_each(|row| near.emit([row; LANES], 1));
            near.end_in_order(&order);
            names.sort_unstable();
            found.clear();
            names.iter().for_each(|&name| found.put([name, 0, 3, 0, name, 1, 63, 2], 1));
            dispatch(Backend::Wide, InstructionSet::best(), List(&mut near, &found, true));
            (0..3).for_each(|_| expected.push(names.clone()));
            assert_eq!((near.count(3 * count as usize), near.len), (count as usize, near.len()));
        }
        assert!(near.iter().eq(expected.iter().map(|names| &names[..])));
        assert_eq!(near.len(), 3 * 39 * 40 / 2);
    }
}
