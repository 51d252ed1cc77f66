//! What one shape touches, of one kind: by row, each once.
//!
//! Comes in: lists of rows, and which of eight of them are found. Goes out: bodies. A few are kept beside, and sorted by how many are before
//! each, without a branch that depends on them; where there are more, all are sorted behind what there is. This room does not know what touches.

use super::Target;
use crate::kernels::few::{NONE, rank};
use crate::kernels::{Kernels, LANES};
use std::cmp::max;

/// So many are kept beside; more may be written behind them.
const MOST: usize = 48;
/// So many that were found last are looked through before a segment is asked about again: nearly always it is under the cells beside this one that it
/// has been found before.
const LATELY: usize = 16;
/// More than these are sorted by a bit for each row, where that takes no more words than they are.
const MANY: usize = 256;
const WORD: usize = u32::BITS as usize;

/// What has been found so far: segments, or circles, which are found once.
pub(super) struct Found<'a, const SEGMENTS: bool> {
    out: &'a mut Vec<Target>,
    /// Where those of this shape begin.
    from: usize,
    rows: [u32; MOST + LANES],
    len: usize,
}

impl<'a, const SEGMENTS: bool> Found<'a, SEGMENTS> {
    /// Nothing, behind what there is.
    #[inline(always)]
    pub(super) fn new(out: &'a mut Vec<Target>) -> Found<'a, SEGMENTS> {
        Found { from: out.len(), out, rows: [0; MOST + LANES], len: 0 }
    }

    /// Of eight rows from a place in a list on those in the lanes of a mask. No branch depends on their number, but for one that is seldom taken.
    #[inline(always)]
    pub(super) fn push<K: Kernels>(&mut self, mask: u32, list: &[u32], at: u32) {
        let behind = &list[at as usize..];
        let eight = if let Some(eight) = behind.first_chunk() { *eight } else { last(behind) };
        let [packed] = K::front(mask, [bytemuck::cast(eight)]);
        self.rows[self.len..self.len + LANES].copy_from_slice(&bytemuck::cast::<_, [u32; LANES]>(packed));
        self.len += mask.count_ones() as usize;
        if self.len > MOST {
            self.spill();
        }
    }

    /// This row is among those that were found last.
    #[inline(always)]
    pub(super) fn has(&self, row: u32) -> bool {
        let lately = &self.rows[self.len.saturating_sub(LATELY)..self.len];
        lately.contains(&row)
    }

    #[inline(always)]
    fn target(row: u32) -> Target {
        if SEGMENTS { Target::segment(row) } else { Target::circle(row) }
    }

    #[cold]
    #[inline(never)]
    fn spill(&mut self) {
        self.out.extend(self.rows[..self.len].iter().map(|&row| Self::target(row)));
        self.len = 0;
    }

    /// All of them.
    #[inline(always)]
    pub(super) fn end<K: Kernels>(mut self) {
        let (rows, len) = (&self.rows, self.len);
        match if self.out.len() == self.from { len } else { usize::MAX } {
            0 => {}
            1..=8 => in_order::<K, SEGMENTS, 8>(rows, len, self.out),
            9..=16 => in_order::<K, SEGMENTS, 16>(rows, len, self.out),
            17..=32 => in_order::<K, SEGMENTS, 32>(rows, len, self.out),
            _ => {
                self.spill();
                self.sort();
            }
        }
    }

    #[inline(never)]
    fn sort(&mut self) {
        let most = self.out[self.from..].iter().fold(0, |most, target| max(most, target.row)) as usize;
        if self.out.len() - self.from > max(MANY, most / WORD) {
            return self.sort_by_bits(most);
        }
        self.out[self.from..].sort_unstable_by_key(|target| target.row);
        let mut kept = self.from;
        for at in self.from..self.out.len() {
            if kept == self.from || self.out[at] != self.out[kept - 1] {
                self.out[kept] = self.out[at];
                kept += 1;
            }
        }
        self.out.truncate(kept);
    }

    /// A bit for each row there may be, behind what was found: no more words than that, so that the list is no longer than twice as long meanwhile.
    fn sort_by_bits(&mut self, most: usize) {
        let Found { out, from, .. } = self;
        let bits = out.len();
        out.resize(bits + most / WORD + 1, Target::NOTHING);
        let (found, words) = out[*from..].split_at_mut(bits - *from);
        for target in &*found {
            words[target.row as usize / WORD].row |= 1 << (target.row as usize % WORD);
        }
        let mut kept = 0;
        for (k, word) in words.iter().enumerate() {
            let mut left = word.row;
            while left != 0 {
                found[kept] = Self::target((WORD * k) as u32 + left.trailing_zeros());
                kept += 1;
                left &= left - 1;
            }
        }
        out.truncate(*from + kept);
    }
}

/// The last of a list, and anything behind them.
#[cold]
#[inline(never)]
fn last(behind: &[u32]) -> [u32; LANES] {
    let mut eight = [0; LANES];
    eight[..behind.len()].copy_from_slice(behind);
    eight
}

/// The first `count` rows, at most `FEW`, in order and each once.
#[inline(always)]
fn in_order<K: Kernels, const SEGMENTS: bool, const FEW: usize>(rows: &[u32], count: usize, out: &mut Vec<Target>) {
    let mut names = [NONE; FEW];
    for (k, (name, &row)) in names.iter_mut().zip(rows).enumerate() {
        *name = if k < count { row } else { NONE };
    }
    // Of a length that is known, then cut: no call, and no branch. Nothing is read as eight that was written one by one.
    let from = out.len();
    out.extend_from_slice(&[Target::NOTHING; FEW]);
    let (to, mut kept) = (&mut out[from..from + FEW], 0);
    if SEGMENTS {
        // Equal ones go to one place, and leave the next ones empty.
        let mut sorted = [NONE; FEW];
        for &name in &names {
            sorted[rank::<K>(&names, name) % FEW] = name;
        }
        for row in sorted {
            to[kept % FEW] = Target::segment(row);
            kept += usize::from(row != NONE);
        }
    } else {
        for &name in &names {
            to[rank::<K>(&names, name) % FEW] = Target::circle(name);
        }
        kept = count;
    }
    out.truncate(from + kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Backend, InstructionSet, Operation, dispatch};

    /// Places in a list, some at a time.
    struct All<'a, const SEGMENTS: bool>(&'a [(u32, u32)], &'a [u32], Found<'a, SEGMENTS>);

    impl<const SEGMENTS: bool> Operation for All<'_, SEGMENTS> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            let All(masks, list, mut found) = self;
            for &(mask, at) in masks {
                found.push::<K>(mask, list, at);
                assert!(found.len == 0 || mask == 0 || found.has(list[(at + mask.trailing_zeros()) as usize]));
            }
            found.end::<K>();
        }
    }

    fn found<const SEGMENTS: bool>(masks: &[(u32, u32)], list: &[u32]) -> Vec<Target> {
        let mut all = vec![];
        let (portable, best) = (InstructionSet::Portable, InstructionSet::best());
        for (backend, set) in [(Backend::Wide, portable), (Backend::Wide, best), (Backend::Scalar, portable)] {
            // What there was stays.
            let mut out = vec![Target::circle(7)];
            dispatch(backend, set, All(masks, list, Found::<SEGMENTS>::new(&mut out)));
            assert_eq!(out[0], Target::circle(7));
            all.push(out.split_off(1));
        }
        assert!(all[0] == all[1] && all[0] == all[2]);
        all.swap_remove(0)
    }

    /// So many that a bit for each row is fewer words, and one fewer; with rows far apart, of which each comes twice but for circles.
    #[test]
    fn very_many_come_by_row_and_each_once() {
        for (count, apart) in
            [(256u32, 1), (264, 1), (264, 31), (264, 32), (264, 33), (264, 40), (5000, 7), (5000, 100_000)]
        {
            // 4999 is prime and has no common divisor with either.
            let list: Vec<u32> = (0..count).map(|place| (place * 4999 % count) * apart).collect();
            let masks: Vec<(u32, u32)> = (0..count / 8).map(|k| (0b1111_1111, 8 * k)).collect();
            let twice: Vec<(u32, u32)> = masks.iter().flat_map(|&eight| [eight; 2]).collect();
            let rows = || (0..count).map(|k| k * apart);
            assert!(found::<false>(&masks, &list).into_iter().eq(rows().map(Target::circle)), "{count} {apart}");
            assert!(found::<true>(&twice, &list).into_iter().eq(rows().map(Target::segment)), "{count} {apart}");
        }
    }

    #[test]
    fn few_and_many_come_by_row_and_each_once() {
        // 29 and 211 have no common divisor: all different.
        let list: Vec<u32> = (0..211).map(|place| place * 29 % 211).collect();
        for count in 0..=27u32 {
            for pattern in [0b1, 0b1000_0000, 0b1011_0010, 0b1111_1111] {
                // The last eight are not all there.
                let eights = (0..count).map(|k| k * 8);
                let masks: Vec<(u32, u32)> =
                    eights.map(|at| (if at == 208 { pattern & 0b111 } else { pattern }, at)).collect();
                let places = masks
                    .iter()
                    .flat_map(|&(mask, at)| (0..8).filter(move |k| mask >> k & 1 == 1).map(move |k| at + k));
                let mut expected: Vec<u32> = places.map(|place| list[place as usize]).collect();
                expected.sort_unstable();
                let targets = |kind: fn(u32) -> Target| expected.iter().map(|&row| kind(row)).collect::<Vec<_>>();
                assert_eq!(found::<false>(&masks, &list), targets(Target::circle));
                assert_eq!(found::<true>(&masks, &list), targets(Target::segment));
                // Every third eight twice, every sixth one three times.
                let again = masks.iter().step_by(3).chain(masks.iter().step_by(6));
                let twice: Vec<(u32, u32)> = again.chain(&masks).copied().collect();
                assert_eq!(found::<true>(&twice, &list), targets(Target::segment));
            }
        }
    }
}
