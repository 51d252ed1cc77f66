//! Strips of rows: pairs of near bodies, from who is near whom to lists of records.
//!
//! Comes in: pairs, each from its lower row. Goes out: the records of a strip, list by list, each circles before segments; both in the order of
//! the rows in cell order, since pairs come in that order of their first rows, and then of their second: those a row is the
//! second of come before those it is the first of. A strip writes its own lists alone, so strips may be written side by side; pairs
//! that lead out of one are told to the other as well. This room does not know how bodies are found.

use super::Scene;
use super::records::{Places, Record};
use crate::kernels::{Kernels, LANES, Operation, Pairs};
use std::ops::Range;

/// Rows in a strip: few pairs lead out of it, and what is written at a time stays at hand.
pub(super) const STRIP: usize = 8192;

/// The circles of a strip.
#[derive(Debug, Default)]
pub(super) struct Strip {
    /// Pairs that begin here.
    pub(super) pairs: Pairs,
    /// Those of them that end in another strip.
    pub(super) leaving: Pairs,
    /// Those that begin in strips before and end here.
    pub(super) arriving: Pairs,
    /// How many circles each row is told.
    pub(super) counts: Vec<u32>,
}

impl Strip {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.bytes() + self.leaving.bytes() + self.arriving.bytes() + 4 * self.counts.capacity()
    }

    /// From how many pairs begin with each row to how many circles it is told. `seen`: by rows; empty: all are.
    pub(super) fn count(&mut self, first: u32, seen: &[bool]) {
        let Strip { pairs, arriving, counts, .. } = self;
        let (a, b) = pairs.rows();
        if seen.is_empty() {
            for &row in b.iter().chain(arriving.rows().1) {
                if let Some(count) = counts.get_mut(row.wrapping_sub(first) as usize) {
                    *count += 1;
                }
            }
            return;
        }
        counts.fill(0);
        let sees = |row: u32| u32::from(seen[row as usize]);
        for (&a, &b) in a.iter().zip(b) {
            counts[(a - first) as usize] += sees(b);
            if let Some(count) = counts.get_mut(b.wrapping_sub(first) as usize) {
                *count += sees(a);
            }
        }
        let (a, b) = arriving.rows();
        for (&a, &b) in a.iter().zip(b) {
            counts[(b - first) as usize] += sees(a);
        }
    }
}

/// Tells each strip what leads to it from those before, in their order.
pub(super) fn deliver(strips: &mut [Strip]) {
    for strip in strips.iter_mut() {
        strip.arriving.clear();
    }
    for from in 0..strips.len() {
        let (before, behind) = strips.split_at_mut(from + 1);
        let (a, b) = before[from].leaving.rows();
        for (&a, &b) in a.iter().zip(b) {
            let to = &mut behind[b as usize / STRIP - from - 1].arriving;
            let mut out = to.writer(1);
            out.push(a, b);
            to.keep(1);
        }
    }
}

/// The records of a strip, list by list.
pub(super) struct Fill<'a, T, const ALL: bool> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) strip: &'a Strip,
    /// The first row.
    pub(super) first: u32,
    /// By rows, where their segments end.
    pub(super) ends: &'a [usize],
    /// Segments by circle.
    pub(super) segments: &'a [u32],
    /// By rows, whether a circle is seen; empty where `ALL` are.
    pub(super) seen: &'a [bool],
    /// Rows in cell order are not in the caller's order: circles have to be sorted.
    pub(super) unsorted: bool,
    /// Where each list ends is left here.
    pub(super) next: &'a mut Vec<usize>,
    /// As long as the lists are in all.
    pub(super) items: &'a mut [T],
}

/// The segments of a row.
#[inline(always)]
pub(super) fn of_row(ends: &[usize], row: usize) -> Range<usize> {
    (if row == 0 { 0 } else { ends[row - 1] })..ends[row]
}

impl<T: Record, const ALL: bool> Operation for Fill<'_, T, ALL> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Fill { scene, strip, first, ends, segments, seen, unsorted, next, items } = self;
        let mut at = 0;
        next.clear();
        for (k, &count) in strip.counts.iter().enumerate() {
            next.push(at);
            at += count as usize + of_row(ends, first as usize + k).len();
        }
        let (mut places, mut sorted) = (Places::<T, ALL> { first, next, items, seen }, 0);
        for pairs in [&strip.arriving, &strip.pairs] {
            let (a, b) = pairs.rows();
            let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
            for (a, b) in a.iter().zip(b) {
                T::circles::<K, ALL>(scene, &mut places, [a, b], LANES);
                // All pairs of the rows before have been written, not long ago.
                while unsorted && first + (sorted as u32) < a[0] {
                    sort(places.circles(sorted, strip.counts[sorted]));
                    sorted += 1;
                }
            }
            if let Some(last) = a_rest.len().checked_sub(1) {
                let (mut a, mut b) = ([a_rest[last]; LANES], [b_rest[last]; LANES]);
                a[..=last].copy_from_slice(a_rest);
                b[..=last].copy_from_slice(b_rest);
                T::circles::<K, ALL>(scene, &mut places, [&a, &b], last + 1);
            }
        }
        while unsorted && sorted < strip.counts.len() {
            sort(places.circles(sorted, strip.counts[sorted]));
            sorted += 1;
        }
        // Eight at a time, whosever they are.
        let (mut a, mut b, mut few) = ([0; LANES], [0; LANES], 0);
        for row in first..first + strip.counts.len() as u32 {
            for &segment in &segments[of_row(ends, row as usize)] {
                (a[few], b[few]) = (row, segment);
                few += 1;
                if few == LANES {
                    T::segments::<K, ALL>(scene, &mut places, [&a, &b], LANES);
                    few = 0;
                }
            }
        }
        if few > 0 {
            T::segments::<K, ALL>(scene, &mut places, [&a, &b], few);
        }
    }
}

/// Circles by their rows, all different.
#[inline(always)]
fn sort<T: Record>(list: &mut [T]) {
    if list.len() <= 8 {
        sort_few::<T, 8>(list);
    } else if list.len() <= 16 {
        sort_few::<T, 16>(list);
    } else {
        list.sort_unstable_by_key(Record::target);
    }
}

/// By how many are before each: without a branch that depends on them.
#[inline(always)]
fn sort_few<T: Record, const FEW: usize>(list: &mut [T]) {
    let (mut rows, mut ranks, mut records) = ([u32::MAX; FEW], [0u32; FEW], [T::default(); FEW]);
    for ((row, record), &from) in rows.iter_mut().zip(&mut records).zip(&*list) {
        (*row, *record) = (from.target().row, from);
    }
    for other in rows {
        for (rank, &row) in ranks.iter_mut().zip(&rows) {
            *rank += u32::from(other < row);
        }
    }
    for (record, rank) in records.iter().zip(ranks).take(list.len()) {
        list[rank as usize] = *record;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Target;

    #[test]
    fn few_and_many_are_sorted_alike() {
        for count in 0..40u32 {
            // 17 and 41 have no common divisor: all different.
            let from: Vec<Target> = (0..count).map(|k| Target::circle(k * 17 % 41)).collect();
            let mut to = from.clone();
            sort(&mut to);
            assert!(to.is_sorted() && from.iter().all(|target| to.contains(target)), "{to:?}");
        }
    }

    #[test]
    fn pairs_that_leave_arrive_once() {
        let mut strips: Vec<Strip> = (0..3).map(|_| Strip::default()).collect();
        let one = STRIP as u32;
        for (strip, [a, b]) in [(0, [5, one + 1]), (0, [6, 2 * one]), (0, [7, one + 1]), (1, [one + 1, 2 * one])] {
            let mut out = strips[strip].leaving.writer(1);
            out.push(a, b);
            strips[strip].leaving.keep(1);
        }
        deliver(&mut strips);
        let arrived: Vec<_> = strips.iter().map(|strip| strip.arriving.rows()).collect();
        assert_eq!(arrived[0].0, [0u32; 0]);
        assert_eq!(arrived[1], (&[5, 7][..], &[one + 1, one + 1][..]));
        assert_eq!(arrived[2], (&[6, one + 1][..], &[2 * one, 2 * one][..]));
    }
}
