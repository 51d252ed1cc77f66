//! Who is near whom, list by list.
//!
//! Comes in: what is near a row, in any order. Goes out: for a strip of rows in cell order, a list of each. Lists are made in cell order, where
//! all that is near is at hand, and hold four bytes a neighbour; records are made in the caller's order ([`super::records`]): what is
//! long is written once. This room does not know how bodies are found.

use super::window::MOST;
use crate::kernels::{Kernels, LANES};
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

    /// A list, in the caller's order.
    #[inline(always)]
    pub(super) fn list<K: Kernels>(&mut self, found: &Found) {
        if self.len + MOST + ROOM > self.found.len() {
            grow(&mut self.found);
        }
        let to = &mut self.found[self.len..];
        if found.len <= 8 {
            sort_few::<K, 8>(found, to);
        } else if found.len <= 16 {
            sort_few::<K, 16>(found, to);
        } else {
            sort_many(found, to);
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

/// All bits of [`NONE`], from as many places on as there are not any in [`ROOM`].
const BEHIND: [u32; 2 * ROOM] = {
    let (mut behind, mut at) = ([0; 2 * ROOM], ROOM);
    while at < 2 * ROOM {
        behind[at] = NONE;
        at += 1;
    }
    behind
};

/// By how many are before each: without a branch that depends on them, or on how many there are.
///
/// What is behind the last is anything: it is put where it comes to first, and what matters is written over it. It must not be cleared in
/// the column: lanes that are read right after some of them were written have to be waited for.
#[inline(always)]
fn sort_few<K: Kernels, const FEW: usize>(found: &Found, to: &mut [u32]) {
    let (names, to, mut called) = (&found.names[..FEW], &mut to[..=FEW], [0; FEW]);
    for ((called, &name), &behind) in called.iter_mut().zip(names).zip(&BEHIND[ROOM - found.len..][..FEW]) {
        *called = name | behind;
    }
    for &name in names.iter().rev() {
        to[rank::<K>(&called, name)] = name;
    }
}

#[inline(never)]
fn sort_many(found: &Found, to: &mut [u32]) {
    let to = &mut to[..found.len];
    to.copy_from_slice(&found.names[..found.len]);
    to.sort_unstable();
}

/// More than any row.
pub(super) const NONE: u32 = u32::MAX >> 1;

/// How many of some rows, a multiple of [`LANES`] of them, come before one.
#[inline(always)]
pub(super) fn rank<K: Kernels>(rows: &[u32], row: u32) -> usize {
    let (mut rank, (eights, _)) = (0, rows.as_chunks());
    for eight in eights {
        rank += K::less(eight, row).count_ones();
    }
    rank as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Backend, InstructionSet, Operation, dispatch};

    struct Sort<'a>(&'a mut Near, &'a Found);

    impl Operation for Sort<'_> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            self.0.list::<K>(self.1);
        }
    }

    #[test]
    fn few_and_many_are_sorted_alike_whatever_is_behind_them() {
        let (portable, best) = (InstructionSet::Portable, InstructionSet::best());
        for (backend, set) in [(Backend::Wide, portable), (Backend::Wide, best), (Backend::Scalar, portable)] {
            few_and_many_are_sorted(backend, set);
        }
    }

    fn few_and_many_are_sorted(backend: Backend, set: InstructionSet) {
        // What rows are called: 7 has no divisor in common with 64.
        let order: Vec<u32> = (0..64).map(|row| row * 7 % 64).collect();
        let (mut near, mut found, mut expected) = (Near::default(), Found::EMPTY, vec![]);
        for count in 0..40u32 {
            // 17 and 41 have no common divisor: all different.
            let rows = || (0..count).map(|k| k * 17 % 41);
            let mut names: Vec<u32> = rows().map(|row| row * 7 % 64).collect();
            // By what they are called, before anything; and by rows.
            for behind in [0, 5, NONE - 1] {
                found.names.fill(behind);
                found.clear();
                names.iter().for_each(|&name| found.put([name, behind, 3, 0, behind, 1, 63, 2], 1));
                dispatch(backend, set, Sort(&mut near, &found));
            }
            rows().for_each(|row| near.emit([row; LANES], 1));
            near.end_in_order(&order);
            names.sort_unstable();
            (0..4).for_each(|_| expected.push(names.clone()));
            assert_eq!((near.count(4 * count as usize), near.len), (count as usize, near.len()));
        }
        assert!(near.iter().eq(expected.iter().map(|names| &names[..])));
        assert_eq!(near.len(), 4 * 39 * 40 / 2);
    }
}
