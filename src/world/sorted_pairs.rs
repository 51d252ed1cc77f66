//! Pairs of rows in ascending order, and where each of them is.
//!
//! Comes in: pairs in any order. Goes out: the place of one, if it is there. This room does not know what pairs are of. A table says where those
//! of every few first rows begin. It is made in parts, side by side where several threads may work: each part counts, sums and places the pairs
//! of its blocks, and looks only through the lists that have some.

use crate::parallel::Split;
use crate::storage::make_room;
use std::cmp::{max, min};

/// So many pairs are looked at together.
const FOUR: usize = 4;
/// Among so many pairs one is looked for from the front on.
const FEW: usize = 16;

/// Room for so many pairs that have not been seen so far.
pub(super) const MORE: usize = 64;

/// Parts of the table at most, and pairs of each at least.
const PARTS: usize = 16;
const LEAST: usize = 1024;
/// One pair in so many says where parts begin.
const EVERY: usize = 64;

/// Both rows in one word, ordered by the first, then the second.
pub(super) fn word([first, second]: [u32; 2]) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

pub(super) fn rows_of(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// Pairs in ascending order.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) pairs: Vec<u64>,
    /// Where the pairs of each block of first rows begin, and behind the last block.
    table: Vec<u32>,
    /// Rows to a block, as a shift.
    shift: u32,
    /// First rows of some of the pairs that came.
    samples: Vec<u32>,
}

/// Some pairs in the order they came, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) pairs: Vec<u64>,
    about: About,
}

/// What is known of some pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct About {
    count: usize,
    least: u64,
    most: u64,
    is_sorted: bool,
}

/// A part of the table from the block `low` on, and the pairs that come to it.
struct Part<'a> {
    low: u32,
    shift: u32,
    /// Where the pairs of each block end.
    ends: &'a mut [u32],
    pairs: &'a mut [u64],
    /// How many pairs come to the parts before; while they are counted, to this one.
    before: u32,
}

impl Sorted {
    /// The place of a pair, or how many there are if it is not there: where nobody can guess whether it is, nobody has to.
    #[inline(always)]
    pub(super) fn place(&self, pair: u64) -> usize {
        let Sorted { pairs, table, shift, .. } = self;
        let block = (rows_of(pair)[0] >> shift) as usize;
        let [Some(&from), Some(&end)] = [table.get(block), table.get(block + 1)] else { return pairs.len() };
        let [from, end] = [from, end].map(|at| at as usize);
        // Four questions cost less than a guess where the block ends.
        if end - from <= FOUR
            && let Some(near) = pairs.get(from..from + FOUR)
        {
            return near
                .iter()
                .enumerate()
                .fold(pairs.len(), |at, (k, &other)| if other == pair { from + k } else { at });
        }
        let near = &pairs[from..end];
        let before = if near.len() <= FEW {
            near.iter().position(|&other| other >= pair).unwrap_or(near.len())
        } else {
            near.partition_point(|&other| other < pair)
        };
        if near.get(before) == Some(&pair) { from + before } else { pairs.len() }
    }

    /// Reads something of each line.
    pub(super) fn read_ahead(&self) -> usize {
        let pairs = self.pairs.iter().step_by(8).map(|&pair| pair as usize);
        pairs.chain(self.table.iter().step_by(16).map(|&at| at as usize)).fold(0, |all, value| all ^ value)
    }

    /// These, instead of those that were there: sorted to their blocks, then within each.
    pub(super) fn take(&mut self, came: impl Iterator<Item = u64> + Clone) {
        let mut about = About::default();
        came.clone().for_each(|pair| about.see(pair));
        self.take_known(came, about);
    }

    fn take_known(&mut self, came: impl Iterator<Item = u64> + Clone, about: About) {
        self.make_room(about);
        let Sorted { pairs, table, shift, .. } = self;
        let mut all = Part { low: 0, shift: *shift, ends: &mut table[1..], pairs, before: 0 };
        all.count(came.clone());
        all.before = 0;
        all.place(came, about.is_sorted);
    }

    /// Those that are written, ascending, no more than `most`, instead of those that were there.
    pub(super) fn write(&mut self, most: usize, write: impl FnOnce(&mut Vec<u64>)) {
        self.pairs.clear();
        make_room(&mut self.pairs, most + MORE);
        write(&mut self.pairs);
        let (count, last) = (self.pairs.len(), self.pairs.last().copied().unwrap_or(0));
        self.make_room(About { count, most: last, ..About::default() });
        let Sorted { pairs, table, shift, .. } = self;
        let mut all = Part { low: 0, shift: *shift, ends: &mut table[1..], pairs: &mut [], before: 0 };
        all.count(pairs.iter().copied());
        all.before = 0;
        all.sum();
    }

    /// The same of lists, one behind the other; `of` each there is one.
    pub(super) fn take_lists<L: Sync>(&mut self, lists: &[L], of: impl Fn(&L) -> &List + Copy + Sync, split: Split) {
        let about = lists.iter().map(of).fold(About::default(), |all, list| all.and(list.about));
        let count = min(min(split.threads(), PARTS), about.count / LEAST);
        if count < 2 {
            return self.take_known(lists.iter().flat_map(|list| of(list).pairs.iter().copied()), about);
        }
        self.make_room(about);
        let cuts = self.cut(lists.iter().map(of), count);
        let Sorted { pairs, table, shift, .. } = self;
        let came = |first: usize, count: usize, shift: u32| {
            let block = move |pair: u64| (rows_of(pair)[0] >> shift) as usize;
            let has_some =
                move |list: &&List| block(list.about.least) < first + count && block(list.about.most) >= first;
            lists.iter().map(of).filter(has_some).flat_map(|list| list.pairs.iter().copied())
        };
        let of_part = |part: &Part<'_>| came(part.low as usize, part.ends.len(), part.shift);
        let mut before = [0; PARTS + 1];
        let mut counted = divide(&cuts, &before, &mut table[1..], &mut [], *shift);
        split.each(&mut counted[..count], |_, part| part.count(of_part(part)));
        for (k, part) in counted.iter().enumerate() {
            before[k + 1] = before[k] + part.before;
        }
        let mut placed = divide(&cuts, &before, &mut table[1..], pairs, *shift);
        split.each(&mut placed[..count], |_, part| part.place(of_part(part), about.is_sorted));
    }

    /// Room for so many pairs, and blocks for their rows: no more than pairs, or one.
    fn make_room(&mut self, about: About) {
        let Sorted { pairs, table, shift, .. } = self;
        let [last, _] = rows_of(about.most);
        *shift = 0;
        while (last >> *shift) as usize > about.count {
            *shift += 1;
        }
        make_room(table, (about.count + MORE).saturating_sub(table.len()));
        table.resize((last >> *shift) as usize + 2, 0);
        table[0] = 0;
        make_room(pairs, (about.count + MORE).saturating_sub(pairs.len()));
        pairs.resize(about.count, 0);
    }

    /// The first block of each of so many parts with about as many pairs each, and behind the last, repeated.
    fn cut<'a>(&mut self, lists: impl Iterator<Item = &'a List>, count: usize) -> [u32; PARTS + 1] {
        let Sorted { table, shift, samples, .. } = self;
        samples.clear();
        samples.extend(lists.flat_map(|list| list.pairs.iter().step_by(EVERY)).map(|&pair| rows_of(pair)[0]));
        samples.sort_unstable();
        std::array::from_fn(|k| match k {
            0 => 0,
            _ if k < count => samples[samples.len() * k / count] >> *shift,
            _ => table.len() as u32 - 1,
        })
    }
}

/// The table and the pairs, cut into parts.
fn divide<'a>(
    cuts: &[u32; PARTS + 1],
    before: &[u32; PARTS + 1],
    mut ends: &'a mut [u32],
    mut pairs: &'a mut [u64],
    shift: u32,
) -> [Part<'a>; PARTS] {
    std::array::from_fn(|k| {
        let (mine, rest) = std::mem::take(&mut ends).split_at_mut((cuts[k + 1] - cuts[k]) as usize);
        ends = rest;
        let (own, others) = std::mem::take(&mut pairs).split_at_mut((before[k + 1] - before[k]) as usize);
        pairs = others;
        Part { low: cuts[k], shift, ends: mine, pairs: own, before: before[k] }
    })
}

impl Part<'_> {
    /// The number of a pair's block among those of this part.
    #[inline(always)]
    fn block(&self, pair: u64) -> usize {
        (rows_of(pair)[0] >> self.shift).wrapping_sub(self.low) as usize
    }

    /// How many pairs come to each block, and to all.
    fn count(&mut self, came: impl Iterator<Item = u64>) {
        self.ends.fill(0);
        self.before = 0;
        came.for_each(|pair| {
            let block = self.block(pair);
            if let Some(end) = self.ends.get_mut(block) {
                *end += 1;
                self.before += 1;
            }
        });
    }

    /// Makes ends of counts.
    fn sum(&mut self) {
        let mut sum = self.before;
        for end in &mut *self.ends {
            sum += *end;
            *end = sum;
        }
    }

    /// Puts the pairs to their places; ends are counts at first.
    fn place(&mut self, came: impl Iterator<Item = u64>, is_sorted: bool) {
        if is_sorted {
            let mut places = self.pairs.iter_mut();
            let (low, shift, blocks) = (self.low, self.shift, self.ends.len());
            let is_here = |pair: &u64| ((rows_of(*pair)[0] >> shift).wrapping_sub(low) as usize) < blocks;
            came.filter(is_here).for_each(|pair| _ = places.next().map(|place| *place = pair));
            return self.sum();
        }
        let mut sum = 0;
        for end in &mut *self.ends {
            (*end, sum) = (sum, sum + *end);
        }
        // Advancing the beginnings while pairs are placed leaves the ends.
        came.for_each(|pair| {
            let block = self.block(pair);
            if let Some(end) = self.ends.get_mut(block) {
                self.pairs[*end as usize] = pair;
                *end += 1;
            }
        });
        let mut from = 0;
        for end in &mut *self.ends {
            self.pairs[from..*end as usize].sort_unstable();
            from = *end as usize;
            *end += self.before;
        }
    }
}

impl Default for About {
    fn default() -> About {
        About { count: 0, least: u64::MAX, most: 0, is_sorted: true }
    }
}

impl About {
    #[inline(always)]
    fn see(&mut self, pair: u64) {
        // Of pairs that are sorted so far the last is the largest.
        self.is_sorted &= self.most <= pair;
        (self.count, self.least, self.most) = (self.count + 1, min(self.least, pair), max(self.most, pair));
    }

    /// Of these, and those behind them.
    fn and(self, behind: About) -> About {
        let is_sorted = self.is_sorted && behind.is_sorted && (behind.count == 0 || self.most <= behind.least);
        let (least, most) = (min(self.least, behind.least), max(self.most, behind.most));
        About { count: self.count + behind.count, least, most, is_sorted }
    }
}

impl List {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.about = About::default();
    }

    /// Looks at the pairs once they are all there.
    pub(super) fn look(&mut self) {
        let mut about = About::default();
        self.pairs.iter().for_each(|&pair| about.see(pair));
        self.about = about;
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    #[test]
    fn lists_by_any_number_of_threads_are_what_all_of_them_together_are() {
        let mut seed = 3u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        // In order, strewn over many rows, in a few, in one, and with rows as far apart as they can be.
        for (case, rows) in [(0, 4_000), (1, 50_000), (2, 7), (3, 1), (4, 1 << 31)] {
            let mut pairs: Vec<u64> = (0..6 * LEAST as u64).map(|k| word([draw(rows) as u32, k as u32])).collect();
            if case == 0 {
                pairs.sort_unstable();
            }
            let mut lists: Vec<List> = Vec::new();
            let mut from = 0;
            while from < pairs.len() {
                // Some of them empty.
                let end = min(from + draw(900) as usize, pairs.len());
                lists.push(List { pairs: pairs[from..end].to_vec(), about: About::default() });
                from = end;
            }
            lists.push(List::default());
            lists.iter_mut().for_each(List::look);
            pairs.sort_unstable();
            for threads in [1, 2, 3, 40] {
                Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                    let mut sorted = Sorted::default();
                    // Over what was there before.
                    for lists in [&lists[..2], &lists[..]] {
                        sorted.take_lists(lists, |list| list, split);
                    }
                    assert!(sorted.pairs == pairs, "{case}, {threads}");
                    assert!(pairs.iter().enumerate().all(|(at, &pair)| sorted.place(pair) == at), "{case}, {threads}");
                    assert_eq!(sorted.place(word([rows as u32, 9])), pairs.len());
                });
            }
        }
    }
}
