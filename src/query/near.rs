//! Who is near whom, list by list, from rows to records.
//!
//! Comes in: rows that are near a row, in any order. Goes out: for a strip of rows in cell order, lists of what has to be told of those, each in
//! the caller's order; and the records of some of the caller's rows, list by list, each circles before segments. Lists are made in cell
//! order, where all that is near is at hand, and hold four bytes a neighbour; records are made in the caller's order: what is long is written
//! once. This room does not know how bodies are found.

use super::Scene;
use super::lists::CHUNK;
use super::records::Record;
use crate::kernels::{Kernels, LANES, Operation};
use std::ops::Range;

/// Rows in a strip.
pub(super) const STRIP: usize = 8192;
/// What is read or written too much behind a list.
const ROOM: usize = 2 * LANES;

/// Lists of what is near some rows.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// The rows of the list that has not ended, with [`ROOM`] behind the last.
    rows: Vec<u32>,
    len: usize,
    /// List by list, what is kept of each row that was found, with as much room behind the last.
    found: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Near {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.rows.capacity() + self.found.capacity()) + size_of::<usize>() * self.ends.capacity()
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
    fn range(&self, place: usize) -> Range<usize> {
        if self.ends.is_empty() { 0..0 } else { of_row(&self.ends, place) }
    }

    /// How long the list in a place is; 0 where there are no lists.
    #[inline(always)]
    pub(super) fn count(&self, place: usize) -> usize {
        self.range(place).len()
    }

    /// The lists, one by one.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| &self.found[std::mem::replace(&mut from, end)..end])
    }

    /// A place for at least `room` more rows of the list that has not ended, and what is written too much behind them.
    #[inline(always)]
    pub(super) fn writer(&mut self, room: usize) -> Writer<'_> {
        let need = self.len + room + ROOM;
        if need > self.rows.len() {
            grow(&mut self.rows, need);
        }
        Writer { rows: &mut self.rows[self.len..], len: 0 }
    }

    /// What a writer has written.
    #[inline(always)]
    pub(super) fn keep(&mut self, written: usize) {
        self.len += written;
    }

    /// The list ends here: room for so much in it, and where that is.
    #[inline(always)]
    fn close(&mut self) -> (usize, usize) {
        let (from, count) = (self.len(), std::mem::take(&mut self.len));
        if from + count + ROOM > self.found.len() {
            grow(&mut self.found, from + count + ROOM);
        }
        self.ends.push(from + count);
        (from, count)
    }

    /// The list ends here: its rows, in the order in which they were found.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        let (from, count) = self.close();
        if count > 0 {
            // What is behind the last is anything.
            self.found[from..from + ROOM].copy_from_slice(&self.rows[..ROOM]);
        }
        if count > ROOM {
            self.found[from + ROOM..from + count].copy_from_slice(&self.rows[ROOM..count]);
        }
    }

    /// The list ends here: what such records keep, in the caller's order.
    #[inline(always)]
    pub(super) fn end_in_order<T: Record>(&mut self, order: &[u32]) {
        let (from, count) = self.close();
        if count > 0 {
            sort::<T>(&mut self.rows, count, order, &mut self.found[from..]);
        }
    }
}

#[cold]
#[inline(never)]
fn grow(column: &mut Vec<u32>, need: usize) {
    column.resize(if need < 1024 { 1024 } else { need + need / 2 }, 0);
}

/// Where rows are written, their room seen to beforehand.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    rows: &'a mut [u32],
    /// Of 32 bits, so that eight more cannot overflow an index.
    len: u32,
}

impl Writer<'_> {
    /// How many rows have been written.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The first `count` of eight; no branch depends on `count`.
    #[inline(always)]
    pub(super) fn emit(&mut self, rows: [u32; LANES], count: u32) {
        let n = self.len as usize;
        self.rows[n..n + LANES].copy_from_slice(&rows);
        self.len += count;
    }
}

/// What belongs to a row, of what stands row by row.
#[inline(always)]
pub(super) fn of_row(ends: &[usize], row: usize) -> Range<usize> {
    (if row == 0 { 0 } else { ends[row - 1] })..ends[row]
}

/// What is kept of the first `count` rows, all different, by what they are called; there is [`ROOM`] behind both.
#[inline(always)]
fn sort<T: Record>(rows: &mut [u32], count: usize, order: &[u32], to: &mut [u32]) {
    if count <= 8 {
        sort_few::<T, 8>(rows, count, order, to);
    } else if count <= 16 {
        sort_few::<T, 16>(rows, count, order, to);
    } else {
        sort_many::<T>(&mut rows[..count], order, to);
    }
}

#[inline(never)]
fn sort_many<T: Record>(rows: &mut [u32], order: &[u32], to: &mut [u32]) {
    rows.sort_unstable_by_key(|&row| order[row as usize]);
    for (to, &row) in to.iter_mut().zip(&*rows) {
        *to = T::kept(row, order[row as usize]);
    }
}

/// By how many are before each: without a branch that depends on them, or on how many there are.
#[inline(always)]
fn sort_few<T: Record, const FEW: usize>(rows: &[u32], count: usize, order: &[u32], to: &mut [u32]) {
    let (rows, to) = (&rows[..FEW], &mut to[..=FEW]);
    let (first, mut names, mut ranks) = (rows[0], [0; FEW], [0u32; FEW]);
    for (k, (name, &row)) in names.iter_mut().zip(rows).enumerate() {
        // What is behind the last is anything.
        let called = order[if k < count { row } else { first } as usize];
        *name = if k < count { called } else { u32::MAX };
    }
    for other in names {
        for (rank, &name) in ranks.iter_mut().zip(&names) {
            *rank += u32::from(other < name);
        }
    }
    // All of what is behind goes to one place there.
    for ((&row, name), rank) in rows.iter().zip(names).zip(ranks) {
        to[rank as usize] = T::kept(row, name);
    }
}

/// A circle with what it is called, as bits, in its last number.
pub(super) type Named = [f32; 4];

/// Pairs that are turned into records at a time: enough of them for their loads not to wait for one another.
const FLAT: usize = 256;

/// Pairs, and the places of their records.
struct Flat<A, B> {
    a: [A; FLAT],
    b: [B; FLAT],
    to: [usize; FLAT],
    len: usize,
}

/// Eight of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight<'a, A, B> {
    pub(super) a: &'a [A; LANES],
    pub(super) b: &'a [B; LANES],
    pub(super) to: &'a [usize; LANES],
}

impl<A: Copy, B: Copy> Flat<A, B> {
    fn new(a: A, b: B) -> Flat<A, B> {
        Flat { a: [a; FLAT], b: [b; FLAT], to: [0; FLAT], len: 0 }
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len > FLAT - LANES
    }

    #[inline(always)]
    fn eight(&self, k: usize) -> Eight<'_, A, B> {
        Eight { a: &self.a.as_chunks().0[k], b: &self.b.as_chunks().0[k], to: &self.to.as_chunks().0[k] }
    }

    /// All full eights have been taken: what is left, to the front.
    #[inline(always)]
    fn keep_rest(&mut self) {
        let from = self.len / LANES * LANES;
        self.a.copy_within(from..self.len, 0);
        self.b.copy_within(from..self.len, 0);
        self.to.copy_within(from..self.len, 0);
        self.len -= from;
    }
}

/// The records of some rows, list by list.
pub(super) struct Fill<'a, T> {
    pub(super) scene: &'a Scene<'a>,
    /// The rows, in cell order, in the caller's order; no more than [`CHUNK`].
    pub(super) rows: &'a [u32],
    /// By strips, who is near each row.
    pub(super) strips: &'a [Near],
    /// All circles, by rows.
    pub(super) named: &'a [Named],
    /// By rows, where their segments end; the segments of each.
    pub(super) ends: &'a [usize],
    pub(super) segments: &'a [u32],
    /// As long as the lists are in all.
    pub(super) items: &'a mut [T],
}

impl<T: Record> Operation for Fill<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Fill { scene, rows, strips, named, ends, segments, items } = self;
        let Some(nobody) = named.first() else { return };
        // All lists are fetched before one is needed: they are far apart, and each would be waited for.
        let mut lists = [const { (0..0, [0; LANES], 0..0) }; CHUNK];
        for (list, &row) in lists.iter_mut().zip(rows) {
            (list.0, list.2) = (strips[row as usize / STRIP].range(row as usize % STRIP), of_row(ends, row as usize));
        }
        for (list, &row) in lists.iter_mut().zip(rows) {
            if let Some(first) = strips[row as usize / STRIP].found[list.0.start..].first_chunk() {
                list.1 = *first;
            }
        }
        let (mut circles, mut walls) = (Flat::new(T::own(nobody), T::other(named, 0)), Flat::new(0, 0));
        let mut to = 0;
        for ((near, first, of_walls), &row) in lists.iter().zip(rows) {
            let (own, mut from, mut eight) = (T::own(&named[row as usize]), near.start, *first);
            while from < near.end {
                let count = if near.end - from < LANES { near.end - from } else { LANES };
                let at = circles.len;
                let (a, b) = (&mut circles.a[at..at + LANES], &mut circles.b[at..at + LANES]);
                for (k, (a, b)) in a.iter_mut().zip(b).enumerate() {
                    // What is behind the last is anything.
                    (*a, *b) = (own, T::other(named, if k < count { eight[k] } else { eight[0] }));
                }
                for (k, place) in circles.to[at..at + LANES].iter_mut().enumerate() {
                    *place = to + k;
                }
                circles.len += count;
                (to, from) = (to + count, from + LANES);
                if circles.is_full() {
                    for k in 0..circles.len / LANES {
                        T::circles::<K>(circles.eight(k), LANES, items);
                    }
                    circles.keep_rest();
                }
                if from < near.end {
                    eight.copy_from_slice(&strips[row as usize / STRIP].found[from..from + LANES]);
                }
            }
            for &segment in &segments[of_walls.clone()] {
                (walls.a[walls.len], walls.b[walls.len], walls.to[walls.len]) = (row, segment, to);
                walls.len += 1;
                to += 1;
                if walls.is_full() {
                    for k in 0..walls.len / LANES {
                        T::segments::<K>(scene, walls.eight(k), LANES, items);
                    }
                    walls.keep_rest();
                }
            }
        }
        // Lanes behind the last are whatever was there: some pair, or one of nobody.
        for k in 0..circles.len.div_ceil(LANES) {
            let left = circles.len - k * LANES;
            T::circles::<K>(circles.eight(k), if left < LANES { left } else { LANES }, items);
        }
        for k in 0..walls.len.div_ceil(LANES) {
            let left = walls.len - k * LANES;
            T::segments::<K>(scene, walls.eight(k), if left < LANES { left } else { LANES }, items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Target;

    #[test]
    fn few_and_many_are_sorted_alike_whatever_is_behind_them() {
        // What rows are called: 7 has no divisor in common with 64.
        let order: Vec<u32> = (0..64).map(|row| row * 7 % 64).collect();
        let mut near = Near::default();
        let mut expected = vec![];
        for count in 0..40u32 {
            // 17 and 41 have no common divisor: all different.
            let mut names: Vec<u32> = (0..count).map(|k| k * 17 % 41 * 7 % 64).collect();
            for k in 0..count {
                near.writer(1).emit([k * 17 % 41; LANES], 1);
                near.keep(1);
            }
            near.rows[count as usize..].fill(u32::MAX);
            near.end_in_order::<Target>(&order);
            names.sort_unstable();
            expected.push(names);
            assert_eq!((near.count(count as usize), near.len), (count as usize, 0));
        }
        assert!(near.iter().eq(expected.iter().map(|names| &names[..])));
        assert_eq!(near.len(), 39 * 40 / 2);
    }
}
