//! A counting sort of keys, side by side where several threads may work.
//!
//! Comes in: a key a row, a table with a place for each key. Goes out: where the rows of each key start, and the rows by key, those
//! of one key in their order. This room does not know what a key is.
//!
//! Method: parts of the table, not of the rows. Each part counts, sums and places the rows whose keys lie in it, so parts
//! write ranges that share nothing, and nobody has to be merged. Which chunks of rows a part looks at is told by the least and the largest key
//! of each chunk: rows that are kept in cell order lie near their places from step to step. Where they do not, every part first lists its own of
//! all rows ([`super::listed`]), eight at a time; of very many rows, for one thread too, which then writes to one part of the table at a time, a
//! part that its caches hold. Fewer rows are sorted as they come, by one thread. The result is the same.

use super::limits::sampled_row;
use super::listed::Listed;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use std::cmp::{max, min};

/// Rows whose least and largest key are known together.
const CHUNK: usize = 4096;
/// Keys that are counted from the first of a part together.
const SOME: usize = 256;
/// Parts at most.
const PARTS: usize = 16;
/// Of rows in any order so many a thread, at least, are listed by parts.
const LISTED: usize = 4 * CHUNK;
/// As many a part of very many.
const LARGE: usize = 1 << 18;
/// Keys a part that are looked at to tell where parts of as many rows begin.
const SAMPLES: usize = 64;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Sort {
    /// The least and the largest key of each chunk.
    spans: Vec<[u32; 2]>,
    /// By parts, their rows, where these are in any order.
    lists: Vec<Listed>,
}

/// A part of the table, from the key `low` on, and the rows that come to it.
struct Part<'a> {
    low: u32,
    table: &'a mut [u32],
    rows: &'a mut [u32],
    /// How many rows come to the parts before; while they are counted, to this one.
    before: u32,
}

/// Chunks whose spans one thread tells.
const SPANS: usize = 64;

impl Sort {
    /// Sorts the rows of `keys` into `order`. The table is as long as there are keys, and two more; whatever is in it,
    /// `table[key]..table[key + 1]` are the places of a key then.
    pub(super) fn sort(
        &mut self,
        keys: &[u32],
        table: &mut [u32],
        order: &mut [u32],
        (set, split): (InstructionSet, Split),
    ) {
        let (end, threads) = (table.len() as u32 - 2, min(min(split.threads(), PARTS), keys.len()));
        let Sort { spans, lists } = self;
        let near = if threads > 1 { cut(spans, keys, end, threads, set, split) } else { None };
        let (parts, cuts) = match (near, parts_of_any_order(keys, threads)) {
            (Some(cuts), _) => (threads, cuts),
            (None, 0..=1) => return alone(keys, table, order),
            (None, parts) => {
                let (cuts, needed) = (shares(keys, end, parts), if threads > 1 { parts } else { 1 });
                lists.resize_with(max(needed, lists.len()), Listed::default);
                if threads <= 1 {
                    return one_by_one(keys, &cuts[..=parts], (table, order), &mut lists[0], set);
                }
                split.each(&mut lists[..parts], |k, list| list.take(keys, cuts[k]..cuts[k + 1], set));
                (parts, cuts)
            }
        };
        let own = |k: usize| if near.is_some() { Own::Near(keys, spans) } else { Own::Listed(&lists[k]) };
        // Counts stand two places behind their key, so that sums stand one behind, and advancing them while rows are placed leaves
        // exactly the finished table, up to the rows of the parts before.
        table[..2].fill(0);
        let mut counted = divide(&cuts, &[0; PARTS + 1], &mut table[2..], &mut []);
        split.each(&mut counted[..parts], |k, part| part.count(own(k)));
        let mut before = [0; PARTS + 1];
        for (k, part) in counted.iter().enumerate() {
            before[k + 1] = before[k] + part.before;
        }
        let mut placed = divide(&cuts, &before, &mut table[1..], order);
        split.each(&mut placed[..parts], |k, part| part.place(own(k)));
        table[table.len() - 1] = keys.len() as u32;
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of::<[u32; 2]>() * self.spans.capacity() + self.lists.iter().map(Listed::bytes).sum::<usize>()
    }
}

/// The first key of each part, and the end of the last, repeated; none if parts would have to look at too much.
fn cut(
    spans: &mut Vec<[u32; 2]>,
    keys: &[u32],
    end: u32,
    parts: usize,
    set: InstructionSet,
    split: Split,
) -> Option<[u32; PARTS + 1]> {
    let mut cuts = [end; PARTS + 1];
    cuts[0] = 0;
    for k in 1..parts {
        cuts[k] = keys[keys.len() / parts * k];
    }
    if !cuts.is_sorted() {
        return None;
    }
    spans.resize(keys.len().div_ceil(CHUNK), [0; 2]);
    split.chunks(spans, SPANS, |at, spans| {
        for (span, keys) in spans.iter_mut().zip(keys[at * CHUNK..].chunks(CHUNK)) {
            *span = dispatch(Backend::Wide, set, Span(keys));
        }
    });
    let looks = |part: &[u32]| spans.iter().filter(|span| meets(span, part[0], part[1] - part[0])).count();
    let all: usize = cuts[..=parts].windows(2).map(looks).sum();
    // Of rows in any order each part looks at all, and who is its own nobody can guess: a row takes several times what it takes by one thread.
    let is_near = 2 * all <= 3 * spans.len() + 8 * parts;
    (is_near && 4 * all <= 3 * spans.len() * parts).then_some(cuts)
}

/// How many parts pay where rows do not lie near their places.
fn parts_of_any_order(keys: &[u32], threads: usize) -> usize {
    let large = min(keys.len() / LARGE, PARTS);
    // One thread has not asked where they lie. In order they are only if some of each sixteenth are, too.
    let step = keys.len() / PARTS;
    let is_in_order = || (0..PARTS).is_sorted_by_key(|k| keys[k * step + sampled_row(k, step)]);
    match threads {
        0..=1 if large > 1 && is_in_order() => 1,
        0..=1 => large,
        _ if keys.len() < threads * LISTED => 1,
        _ => max(threads, large),
    }
}

/// The first key of each of so many parts, likewise, about as many rows in each, by a sample.
fn shares(keys: &[u32], end: u32, parts: usize) -> [u32; PARTS + 1] {
    let (mut sample, mut cuts) = ([0; SAMPLES * PARTS], [end; PARTS + 1]);
    let sample = &mut sample[..SAMPLES * parts];
    for (k, sample) in sample.iter_mut().enumerate() {
        *sample = keys[sampled_row(k, keys.len())];
    }
    sample.sort_unstable();
    cuts[0] = 0;
    for k in 1..parts {
        cuts[k] = sample[SAMPLES * k];
    }
    cuts
}

/// The least and the largest of some keys, compiled for the instruction set of the machine.
struct Span<'a>(&'a [u32]);

impl Operation for Span<'_> {
    const AVX512: bool = true;
    type Output = [u32; 2];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [u32; 2] {
        let (mut least, mut most) = (u32::MAX, 0);
        for &key in self.0 {
            (least, most) = (min(least, key), max(most, key));
        }
        [least, most]
    }
}

/// Some key from `low` on, of so many, may be in the chunk.
fn meets(&[least, most]: &[u32; 2], low: u32, keys: u32) -> bool {
    keys > 0 && most >= low && least <= low + (keys - 1)
}

/// The table, and the rows, cut into parts.
fn divide<'a>(
    cuts: &[u32; PARTS + 1],
    before: &[u32; PARTS + 1],
    mut table: &'a mut [u32],
    mut rows: &'a mut [u32],
) -> [Part<'a>; PARTS] {
    std::array::from_fn(|k| {
        let (mine, rest) = std::mem::take(&mut table).split_at_mut((cuts[k + 1] - cuts[k]) as usize);
        table = rest;
        let (own, others) = std::mem::take(&mut rows).split_at_mut((before[k + 1] - before[k]) as usize);
        rows = others;
        Part { low: cuts[k], table: mine, rows: own, before: before[k] }
    })
}

/// Where a part finds its rows.
#[derive(Clone, Copy)]
enum Own<'a> {
    /// Among all keys, of which the chunks that it may be in are told by their spans.
    Near(&'a [u32], &'a [[u32; 2]]),
    Listed(&'a Listed),
}

impl Part<'_> {
    /// Calls for each row whose key is here, with its entry.
    #[inline(always)]
    fn each(low: u32, table: &mut [u32], own: Own<'_>, mut see: impl FnMut(usize, &mut u32)) {
        match own {
            Own::Near(keys, spans) => Part::each_near(low, table, keys, spans, see),
            Own::Listed(list) => {
                for (&key, &row) in list.keys().iter().zip(list.rows()) {
                    see(row as usize, &mut table[key as usize]);
                }
            }
        }
    }

    /// Keys are counted from `low` beforehand: one subtraction between the load of a key and
    /// that of its entry makes placing rows take two thirds longer.
    #[inline(always)]
    fn each_near(low: u32, table: &mut [u32], keys: &[u32], spans: &[[u32; 2]], mut see: impl FnMut(usize, &mut u32)) {
        let mut own = [0; SOME];
        for (k, (keys, span)) in keys.chunks(CHUNK).zip(spans).enumerate() {
            if !meets(span, low, table.len() as u32) {
                continue;
            }
            for (some, keys) in keys.chunks(SOME).enumerate() {
                for (own, key) in own.iter_mut().zip(keys) {
                    *own = key.wrapping_sub(low);
                }
                for (row, &key) in (k * CHUNK + some * SOME..).zip(&own[..keys.len()]) {
                    if let Some(entry) = table.get_mut(key as usize) {
                        see(row, entry);
                    }
                }
            }
        }
    }

    /// Leaves sums, counted from the first row of this part on.
    fn count(&mut self, own: Own<'_>) {
        self.table.fill(0);
        Part::each(self.low, self.table, own, |_, entry| *entry += 1);
        let mut sum = 0;
        for entry in &mut *self.table {
            sum += *entry;
            *entry = sum;
        }
        self.before = sum;
    }

    fn place(&mut self, own: Own<'_>) {
        let Part { low, table, rows, before } = self;
        // The sum of the part before.
        table.iter_mut().take(1).for_each(|first| *first = 0);
        Part::each(*low, table, own, |row, entry| {
            rows[*entry as usize] = row as u32;
            *entry += 1;
        });
        table.iter_mut().for_each(|entry| *entry += *before);
    }
}

/// Rows in any order by one thread, part by part: a list is read while caches hold it, and no other is kept.
fn one_by_one(
    keys: &[u32],
    cuts: &[u32],
    (table, order): (&mut [u32], &mut [u32]),
    list: &mut Listed,
    set: InstructionSet,
) {
    let mut before = 0;
    table[..2].fill(0);
    for cut in cuts.windows(2) {
        let (low, entries) = (cut[0], cut[0] as usize..cut[1] as usize);
        list.take(keys, cut[0]..cut[1], set);
        let mut part = Part { low, table: &mut table[2..][entries.clone()], rows: &mut [], before };
        part.count(Own::Listed(list));
        let end = before + part.before;
        let rows = &mut order[before as usize..end as usize];
        Part { low, table: &mut table[1..][entries], rows, before }.place(Own::Listed(list));
        before = end;
    }
    table[table.len() - 1] = before;
}

/// Rows in any order by one thread, all at once.
fn alone(keys: &[u32], table: &mut [u32], order: &mut [u32]) {
    table.fill(0);
    for &key in keys {
        table[key as usize + 2] += 1;
    }
    let mut sum = 0;
    for start in &mut *table {
        sum += *start;
        *start = sum;
    }
    for (row, &key) in keys.iter().enumerate() {
        let place = &mut table[key as usize + 1];
        order[*place as usize] = row as u32;
        *place += 1;
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    /// Table and order by that many threads, and whether parts were made.
    fn sorted(keys: &[u32], end: u32, threads: usize) -> (Vec<u32>, Vec<u32>, bool) {
        let (mut table, mut order) = (vec![0; end as usize + 2], vec![0; keys.len()]);
        let (mut sort, set) = (Sort::default(), InstructionSet::best());
        let cut = Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
            sort.sort(keys, &mut table, &mut order, (set, split));
            threads > 1
                && keys.len() > threads
                && cut(&mut vec![], keys, end, min(threads, PARTS), set, split).is_some()
        });
        (table, order, cut)
    }

    /// Against a stable sort by key, and counts of smaller keys.
    fn check(keys: &[u32], end: u32, cut: bool) {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_by_key(|&row| keys[row as usize]);
        let mut table = vec![0; end as usize + 2];
        for &key in keys {
            table[key as usize + 1] += 1;
        }
        for k in 1..table.len() {
            table[k] += table[k - 1];
        }
        for threads in [1, 2, 3, 8, 40] {
            let (found, rows, parts) = sorted(keys, end, threads);
            assert!(found == table && rows == order, "{threads} threads");
            assert_eq!(parts, cut && threads > 1, "{threads} threads");
        }
    }

    #[test]
    fn rows_near_their_places_are_sorted_by_parts() {
        // Twenty chunks; keys go up, and wander by a hundred.
        let keys: Vec<u32> = (0..80_000u32).map(|row| row / 2 + row.wrapping_mul(2_654_435_761) % 100).collect();
        check(&keys, 40_100, true);
        // One row far from its place: each part looks at its chunk.
        let mut keys = keys;
        (keys[17], keys[79_000]) = (40_099, 0);
        check(&keys, 40_100, true);
    }

    #[test]
    fn rows_in_any_order_are_sorted_by_listed_parts() {
        let keys: Vec<u32> = (0..80_000u32).map(|row| row.wrapping_mul(2_654_435_761) % 1000).collect();
        // Not by so many threads that little is left for each.
        assert_eq!([1, 2, 3, 8].map(|threads| parts_of_any_order(&keys, threads)), [0, 2, 3, 1]);
        check(&keys, 1000, false);
    }

    #[test]
    fn very_many_rows_in_any_order_are_so_by_one_thread_too() {
        // A third of them in one cell; in much of the table, or between any two, nobody.
        for spread in [70_001, 1_000_003] {
            let keys: Vec<u32> = (0..540_000u32)
                .map(|row| (row.wrapping_mul(2_654_435_761) >> 7).wrapping_mul(2_246_822_519) % spread)
                .map(|key| if key % 3 == 0 { spread / 2 } else { key })
                .collect();
            assert_eq!([1, 2, 3].map(|threads| parts_of_any_order(&keys, threads)), [2, 2, 3]);
            check(&keys, 1_000_003, false);
        }
        let keys: Vec<u32> = (0..540_000).collect();
        assert_eq!(parts_of_any_order(&keys, 1), 1);
    }

    #[test]
    fn few_rows_in_any_order_are_sorted_by_one_thread_too() {
        for rows in [2, 3, 5].map(|chunks| chunks * CHUNK as u32) {
            let keys: Vec<u32> = (0..rows).map(|row| row.wrapping_mul(2_654_435_761) % 1000).collect();
            check(&keys, 1000, false);
            let keys: Vec<u32> = (0..rows).map(|row| row / 8).collect();
            let (.., by_parts) = sorted(&keys, rows / 8 + 1, 2);
            assert!(by_parts, "{rows}");
        }
    }

    #[test]
    fn cells_may_be_empty_or_hold_everybody() {
        check(&[7; 40_000], 9, true);
        check(&[0; 40_000], 1, true);
        let keys: Vec<u32> = (0..40_000).map(|row| if row < 20_000 { 0 } else { 999 }).collect();
        check(&keys, 1000, true);
        // Nobody, or fewer than there are parts.
        for rows in 0..3 {
            let (keys, starts) = (&[0, 2][..rows], [vec![0, 0, 0, 0, 0], vec![0, 1, 1, 1, 1], vec![0, 1, 1, 2, 2]]);
            let (table, order, _) = sorted(keys, 3, 8);
            assert_eq!((table, order), (starts[rows].clone(), (0..rows as u32).collect()));
        }
    }
}
