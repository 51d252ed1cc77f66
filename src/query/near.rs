//! Who is near whom, list by list.
//!
//! Comes in: rows that are near a row, in any order. Goes out: for a strip of rows in cell order, lists of what has to be told of those, each in
//! the caller's order. Lists are made in cell
//! order, where all that is near is at hand, and hold four bytes a neighbour; records are made in the caller's order ([`super::records`]): what is
//! long is written once. This room does not know how bodies are found.

use super::records::Record;
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
    /// List by list, what is kept of each row that was found; of the list that has not ended, the rows. [`ROOM`] and more behind the last.
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

    /// The list ends here: its rows, in the order in which they were found.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.ends.push(self.len);
    }

    /// The list ends here: what such records keep, in the caller's order.
    #[inline(always)]
    pub(super) fn end_in_order<K: Kernels, T: Record>(&mut self, order: &[u32]) {
        let count = self.len - self.len();
        if count > 0 {
            sort::<K, T>(&mut self.found[self.len - count..], count, order);
        }
        self.end();
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

/// What is kept of the first `count` rows, all different, by what they are called, in their place; there is [`ROOM`] behind them.
#[inline(always)]
fn sort<K: Kernels, T: Record>(rows: &mut [u32], count: usize, order: &[u32]) {
    if count <= 8 {
        sort_few::<K, T, 8>(rows, count, order);
    } else if count <= 16 {
        sort_few::<K, T, 16>(rows, count, order);
    } else {
        sort_many::<T>(&mut rows[..count], order);
    }
}

#[inline(never)]
fn sort_many<T: Record>(rows: &mut [u32], order: &[u32]) {
    rows.sort_unstable_by_key(|&row| order[row as usize]);
    for row in rows {
        *row = T::kept(*row, order[*row as usize]);
    }
}

/// By how many are before each: without a branch that depends on them, or on how many there are.
#[inline(always)]
fn sort_few<K: Kernels, T: Record, const FEW: usize>(rows: &mut [u32], count: usize, order: &[u32]) {
    let to = &mut rows[..=FEW];
    let (first, mut rows, mut names) = (to[0], [0; FEW], [0; FEW]);
    rows.copy_from_slice(&to[..FEW]);
    for (k, (name, &row)) in names.iter_mut().zip(&rows).enumerate() {
        // What is behind the last is anything.
        let called = order[if k < count { row } else { first } as usize];
        *name = if k < count { called } else { NONE };
    }
    // All of what is behind goes to one place there.
    for (&row, &name) in rows.iter().zip(&names) {
        to[rank::<K>(&names, name)] = T::kept(row, name);
    }
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
    use crate::query::Target;

    struct End<'a>(&'a mut Near, &'a [u32]);

    impl Operation for End<'_> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            self.0.end_in_order::<K, Target>(self.1);
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
        let mut near = Near::default();
        let mut expected = vec![];
        for count in 0..40u32 {
            // 17 and 41 have no common divisor: all different.
            let mut names: Vec<u32> = (0..count).map(|k| k * 17 % 41 * 7 % 64).collect();
            for k in 0..count {
                near.emit([k * 17 % 41; LANES], 1);
            }
            let behind = near.len;
            if let Some(behind) = near.found.get_mut(behind..) {
                behind.fill(u32::MAX);
            }
            dispatch(backend, set, End(&mut near, &order));
            names.sort_unstable();
            expected.push(names);
            assert_eq!((near.count(count as usize), near.len), (count as usize, near.len()));
        }
        assert!(near.iter().eq(expected.iter().map(|names| &names[..])));
        assert_eq!(near.len(), 39 * 40 / 2);
    }
}
