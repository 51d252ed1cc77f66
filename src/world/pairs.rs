//! The touching pairs of one report, kept to be compared with those of the next.
//!
//! Comes in: pairs of rows, in the order of the contacts. Goes out: which of them were not there, and which of those that were
//! there have not come again; all of them as bytes. This room does not know bodies or events.
//!
//! Kept in ascending order: a pair is there or not, what has not come again stands in order, and so does what is new. Some five nanoseconds a
//! pair, kept or not, and no scene makes a question dear. Pieces of either list are held against the other side by side.

use super::bytes::{Reader, Writer};
use super::sorted_pairs::{List, MORE, Sorted, rows_of, word};
use crate::error::Error;
use crate::parallel::Split;
use crate::storage::make_room;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many pairs are brought together before they are looked for: no wrong guess then waits for a row that is far away.
const AT_ONCE: usize = 64;
/// Pairs that one thread holds against others.
const PIECE: usize = 16 * AT_ONCE;
/// Pairs that have all come again, nearly always.
const SOME: usize = 16;

/// Some of the pairs of the coming report, in the order they came.
#[derive(Debug, Default)]
struct Piece {
    /// By their rows now.
    came: List,
    /// The places among all that came of those that had not been there.
    begun: Vec<u32>,
}

/// Pairs of the last report.
#[derive(Debug, Default)]
pub(super) struct PairSet {
    last: Sorted,
}

/// What became of them, and what came: of use within one report alone, so that many worlds can share one.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Those of the last report that have come again; one more for those that were not there.
    met: Vec<AtomicBool>,
    pieces: Vec<Piece>,
    /// By pieces of the last ones.
    ended: Vec<Vec<u64>>,
    spare: Sorted,
}

/// What has changed from one report to the next, piece by piece.
#[derive(Clone, Copy)]
pub(super) struct Changes<'a> {
    begun: &'a [Piece],
    ended: &'a [Vec<u64>],
}

impl Changes<'_> {
    /// `write` for all that have begun, some at a time, with as many of `slots`: their places among the pairs that came, ascending.
    pub(super) fn each_begun<T: Send>(self, slots: &mut [T], split: Split, write: &(impl Fn(&[u32], &mut [T]) + Sync)) {
        halves(self.begun, |piece| &piece.begun, slots, split, write);
    }

    /// The same for all that have not come again, by their rows at the last report: by the first, then the second; see [`rows_of`].
    pub(super) fn each_ended<T: Send>(self, slots: &mut [T], split: Split, write: &(impl Fn(&[u64], &mut [T]) + Sync)) {
        halves(self.ended, |piece| piece, slots, split, write);
    }
}

/// `write` for the list of each piece, with as many slots, in their order.
fn halves<P: Sync, L: Sync, T: Send>(
    pieces: &[P],
    list: impl Fn(&P) -> &Vec<L> + Copy + Send + Sync,
    slots: &mut [T],
    split: Split,
    write: &(impl Fn(&[L], &mut [T]) + Sync),
) {
    match pieces {
        [piece] if !slots.is_empty() => write(list(piece), slots),
        [] | [_] => {}
        _ => {
            let (low, high) = pieces.split_at(pieces.len() / 2);
            let (of_low, of_high) = slots.split_at_mut(low.iter().map(|piece| list(piece).len()).sum());
            split.join(|| halves(low, list, of_low, split, write), || halves(high, list, of_high, split, write));
        }
    }
}

impl PairSet {
    /// Holds the pairs that touch now against those that touched at the last report. `rows` of each are its rows at the last report
    /// and its rows now, both ascending, no pair twice.
    pub(super) fn compare<C: Sync>(
        &self,
        touching: &[C],
        rows: impl Fn(&C) -> [[u32; 2]; 2] + Sync,
        split: Split,
        to: &mut Comparison,
    ) {
        let PairSet { last } = self;
        let Comparison { met, pieces, ended, .. } = to;
        met.clear();
        met.resize_with(last.pairs.len() + 1, AtomicBool::default);
        let count = touching.len().div_ceil(PIECE);
        pieces.iter_mut().skip(count).for_each(Piece::clear);
        if pieces.len() < count {
            pieces.resize_with(count, Piece::default);
        }
        split.each(&mut pieces[..count], |k, piece| {
            piece.clear();
            let mut past = [0; AT_ONCE];
            let (first, of_piece) = (k * PIECE, &touching[k * PIECE..]);
            for (k, some) in of_piece.chunks(AT_ONCE).take(PIECE / AT_ONCE).enumerate() {
                piece.came.pairs.extend(some.iter().zip(&mut past).map(|(pair, past)| {
                    let [then, now] = rows(pair).map(word);
                    *past = then;
                    now
                }));
                let (mut begun, mut count) = ([0; AT_ONCE], 0);
                for (at, &past) in past[..some.len()].iter().enumerate() {
                    // Without a branch on what was found.
                    let found = last.place(past);
                    met[found].store(true, Ordering::Relaxed);
                    begun[count] = (first + k * AT_ONCE + at) as u32;
                    count += usize::from(found == last.pairs.len());
                }
                piece.begun.extend_from_slice(&begun[..count]);
            }
            piece.came.look();
        });
        let count = last.pairs.len().div_ceil(PIECE);
        ended.iter_mut().skip(count).for_each(Vec::clear);
        if ended.len() < count {
            ended.resize_with(count, Vec::new);
        }
        split.each(&mut ended[..count], |k, ended| {
            ended.clear();
            let end = std::cmp::min((k + 1) * PIECE, last.pairs.len());
            let (pairs, met) = (&last.pairs[k * PIECE..end], &met[k * PIECE..end]);
            for (pairs, met) in pairs.chunks(SOME).zip(met.chunks(SOME)) {
                let has_come = |met: &AtomicBool| met.load(Ordering::Relaxed);
                if !met.iter().all(has_come) {
                    ended.extend(pairs.iter().zip(met).filter(|(_, met)| !has_come(met)).map(|(&pair, _)| pair));
                }
            }
        });
    }

    /// Reads something of each line of what it has kept.
    pub(super) fn read_ahead(&self) -> usize {
        self.last.read_ahead()
    }

    /// A pair, by its rows at the last report, touched then and has not come again.
    pub(super) fn has_ended(&self, past: [u32; 2], now: &Comparison) -> bool {
        let at = self.last.place(word(past));
        at < self.last.pairs.len() && !now.met[at].load(Ordering::Relaxed)
    }

    /// The pairs that came take the place of those that were there; beside that, `work` is told what has changed.
    pub(super) fn turn(&mut self, now: &mut Comparison, split: Split, work: impl FnOnce(Changes<'_>) + Send) {
        let Comparison { pieces, ended, spare, .. } = now;
        let changes = Changes { begun: pieces, ended };
        split.join(|| spare.take_lists(changes.begun, |piece| &piece.came, split), || work(changes));
        std::mem::swap(&mut self.last, spare);
    }

    /// The same where most stay: `begun` come in, ascending, and those that ended go.
    pub(super) fn exchange(&mut self, now: &mut Comparison, begun: &[u64]) {
        let Comparison { ended, spare, .. } = now;
        let mut ended = ended.first().map_or(&[][..], |ended| ended);
        if begun.is_empty() && ended.is_empty() {
            return;
        }
        let mut rest = &self.last.pairs[..];
        // Takes over those below an end, but for those that ended.
        let mut take_below = |end: u64, to: &mut Vec<u64>| {
            let (mut stay, behind) = rest.split_at(rest.partition_point(|&pair| pair < end));
            while let Some((&gone, others)) = ended.split_first()
                && gone < end
            {
                let at = stay.partition_point(|&pair| pair < gone);
                to.extend_from_slice(&stay[..at]);
                (stay, ended) = (&stay[at + 1..], others);
            }
            to.extend_from_slice(stay);
            rest = behind;
        };
        spare.write(self.last.pairs.len() + begun.len(), |pairs| {
            for &pair in begun {
                take_below(pair, pairs);
                pairs.push(pair);
            }
            take_below(u64::MAX, pairs);
        });
        std::mem::swap(&mut self.last, spare);
    }

    /// The first so many of the pairs that came take the place of those of `other`, the rest of those that were here.
    pub(super) fn turn_and_share(&mut self, now: &Comparison, other: &mut PairSet, first: usize) {
        other.last.take(now.came().take(first));
        self.last.take(now.came().skip(first));
    }

    /// Takes in the pairs of another set.
    pub(super) fn absorb(&mut self, other: &PairSet, buffers: &mut Comparison) {
        let (last, spare) = (&mut self.last, &mut buffers.spare);
        spare.take(last.pairs.iter().chain(&other.last.pairs).copied());
        std::mem::swap(last, spare);
    }

    /// The pairs as bytes, in the order they are kept in.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.list(&self.last.pairs);
    }

    /// Takes the pairs over from bytes, with first and second rows below `most`, by way of a buffer.
    pub(super) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        most: [usize; 2],
        pairs: &mut Vec<u64>,
    ) -> Result<(), Error> {
        from.list(pairs)?;
        let below = |&pair: &u64| {
            let [first, second] = rows_of(pair);
            (first as usize) < most[0] && (second as usize) < most[1]
        };
        from.ensure(pairs.iter().all(below), "rows of touching pairs below the number of rows")?;
        from.ensure(pairs.is_sorted_by(|a, b| a < b), "touching pairs in ascending order")?;
        self.last.take(pairs.iter().copied());
        Ok(())
    }
}

impl Comparison {
    /// How many have begun and how many ended.
    pub(super) fn changes(&self) -> [usize; 2] {
        let begun = self.pieces.iter().map(|piece| piece.begun.len()).sum();
        [begun, self.ended.iter().map(Vec::len).sum()]
    }

    /// Known otherwise: places of those that have begun, ascending, and those that have ended, by rows at the last report, ascending.
    pub(super) fn set_changes(&mut self, begun: impl Iterator<Item = u32>, ended: impl Iterator<Item = u64>) {
        self.pieces.iter_mut().for_each(Piece::clear);
        self.ended.iter_mut().for_each(Vec::clear);
        let (to, went) = (&mut first(&mut self.pieces).begun, first(&mut self.ended));
        make_room(to, MORE);
        make_room(went, MORE);
        to.extend(begun);
        went.extend(ended);
    }

    /// All pairs that came, in their order.
    pub(super) fn came(&self) -> impl Iterator<Item = u64> + Clone {
        self.pieces.iter().flat_map(|piece| piece.came.pairs.iter().copied())
    }

    /// What has changed.
    pub(super) fn known(&self) -> Changes<'_> {
        Changes { begun: &self.pieces, ended: &self.ended }
    }
}

impl Piece {
    fn clear(&mut self) {
        self.came.clear();
        self.begun.clear();
    }
}

/// The first of a list that has one from now on.
fn first<T: Default>(list: &mut Vec<T>) -> &mut T {
    if list.is_empty() {
        list.push(T::default());
    }
    &mut list[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::NONE;

    fn set(pairs: &[[u32; 2]]) -> (PairSet, Comparison) {
        let mut set = <(PairSet, Comparison)>::default();
        compare(&mut set, pairs, Split::SERIAL);
        turn(&mut set);
        set
    }

    fn compare((set, now): &mut (PairSet, Comparison), pairs: &[[u32; 2]], split: Split) {
        set.compare(pairs, |&pair| [pair; 2], split, now);
    }

    /// Begun and ended, when these pairs come.
    fn compared(set: &mut (PairSet, Comparison), now: &[[u32; 2]]) -> (Vec<u32>, Vec<[u32; 2]>) {
        compare(set, now, Split::SERIAL);
        changed(&set.1)
    }

    fn changed(now: &Comparison) -> (Vec<u32>, Vec<[u32; 2]>) {
        let [begun, ended] = now.changes();
        let (mut begun, mut ended) = (vec![0; begun], vec![0; ended]);
        let changes = now.known();
        changes.each_begun(&mut begun, Split::SERIAL, &|some, to| to.copy_from_slice(some));
        changes.each_ended(&mut ended, Split::SERIAL, &|some, to| to.copy_from_slice(some));
        (begun, ended.into_iter().map(rows_of).collect())
    }

    fn turn((set, now): &mut (PairSet, Comparison)) {
        set.turn(now, Split::SERIAL, |_| ());
    }

    #[test]
    fn begun_in_the_order_they_came_and_ended_by_rows() {
        for pairs in [[[0, 1], [0, 3], [2, 3]], [[2, 3], [0, 3], [0, 1]]] {
            let mut s = set(&pairs);
            let now = [[7, 9], [u32::MAX, 0], [0, 3], [1, 3], [0, 2]];
            assert_eq!(compared(&mut s, &now), (vec![0, 1, 3, 4], vec![[0, 1], [2, 3]]));
            // Asked once more: nothing has been forgotten.
            assert_eq!(compared(&mut s, &pairs), (vec![], vec![]));
            assert_eq!(compared(&mut s, &[]), (vec![], vec![[0, 1], [0, 3], [2, 3]]));
        }
    }

    #[test]
    fn crowded_row_in_any_order_is_found_whole() {
        // Row 1 has 100 pairs, in a scattered order (37k mod 100 takes every value once); more than are looked at.
        let pairs: Vec<_> = (0..100).map(|k| [1, 100 + 37 * k % 100]).chain([[0, 5]]).collect();
        let mut s = set(&pairs);
        let backwards: Vec<_> = pairs.iter().rev().copied().collect();
        assert_eq!(compared(&mut s, &backwards), (vec![], vec![]));
        let others: Vec<_> = backwards.iter().map(|&[a, b]| [a, b + 1]).collect();
        // 101 to 200 and 6 against 100 to 199 and 5: 200 and [0, 6] are new, 100 and [0, 5] gone.
        let (begun, ended) = compared(&mut s, &others);
        let begun: Vec<_> = begun.iter().map(|&at| others[at as usize]).collect();
        assert_eq!((begun.len(), begun.contains(&[1, 200]), begun.contains(&[0, 6])), (2, true, true));
        assert_eq!(ended, [[0, 5], [1, 100]]);
    }

    #[test]
    fn rows_that_have_changed_are_followed() {
        let mut s = set(&[[0, 1], [2, 3]]);
        // The pair of rows 0 and 1 is now in rows 5 and 6; the other has gone.
        s.0.compare(&[[[0, 1], [5, 6]]], |&rows| rows, Split::SERIAL, &mut s.1);
        assert_eq!(changed(&s.1), (vec![], vec![[2, 3]]));
        turn(&mut s);
        assert_eq!(compared(&mut s, &[[5, 6]]), (vec![], vec![]));
        turn(&mut s);
        assert_eq!(compared(&mut s, &[[0, 1]]), (vec![0], vec![[5, 6]]));
    }

    #[test]
    fn what_began_and_ended_is_what_a_set_says() {
        use std::collections::BTreeSet;
        let mut state = 5u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32 % below
        };
        let (mut s, mut before) = (set(&[]), BTreeSet::new());
        for round in 0..400 {
            // All in one row, in few, in many, and as far apart as rows can be.
            let rows = [1, 7, 300, NONE][round % 4];
            let pairs: BTreeSet<[u32; 2]> = (0..draw(400)).map(|_| [draw(rows), draw(60)]).collect();
            // Some of them stay, in another order.
            let mut now: Vec<_> = before.iter().copied().filter(|_| draw(3) > 0).chain(pairs).collect();
            now.sort_unstable();
            now.dedup();
            if round % 3 > 0 {
                now.sort_by_key(|&[a, b]| (a ^ b).wrapping_mul(2_654_435_769));
            }
            let begun: Vec<u32> = (0..now.len() as u32).filter(|&at| !before.contains(&now[at as usize])).collect();
            let after = now.iter().copied().collect();
            let ended: Vec<_> = before.difference(&after).copied().collect();
            assert_eq!(compared(&mut s, &now), (begun, ended), "{round}");
            turn(&mut s);
            before = after;
        }
    }

    #[test]
    fn several_pieces_and_threads_say_what_one_says() {
        use crate::parallel::{Pool, Threads};
        let count = 3 * PIECE as u32 + 5;
        // Every third of those before goes, and those between them come; backwards, so that all are sorted anew.
        let before: Vec<[u32; 2]> = (0..count).map(|k| [k, k + 1]).collect();
        let now: Vec<[u32; 2]> = (0..count).rev().map(|k| [k, if k % 3 == 0 { k + 2 } else { k + 1 }]).collect();
        let ended: Vec<u64> = (0..count).step_by(3).map(|k| word([k, k + 1])).collect();
        let begun: Vec<u32> = (0..count).filter(|at| (count - 1 - at).is_multiple_of(3)).collect();
        for threads in [1, 3] {
            Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                let mut s = set(&before);
                compare(&mut s, &now, split);
                let (s, compared) = &mut s;
                assert_eq!(compared.changes(), [begun.len(), ended.len()]);
                let (mut came, mut went) = (vec![0; begun.len()], vec![0; ended.len()]);
                s.turn(compared, split, |changes| {
                    changes.each_begun(&mut came, split, &|some, to| to.copy_from_slice(some));
                    changes.each_ended(&mut went, split, &|some, to| to.copy_from_slice(some));
                });
                assert!(came == begun && went == ended);
                assert!(s.last.pairs.iter().copied().eq(now.iter().rev().map(|&pair| word(pair))));
            });
        }
    }

    #[test]
    fn only_what_could_have_been_saved_is_read() {
        for (pairs, sound) in [
            (vec![[0, 1], [0, 2], [1, 3]], true),
            (vec![[0, 2], [0, 1]], false),
            (vec![[0, 1], [0, 1]], false),
            (vec![[0, 1], [2, 4]], false),
        ] {
            let mut bytes = Vec::new();
            let words: Vec<u64> = pairs.iter().copied().map(word).collect();
            (Writer { out: &mut bytes }).list(&words);
            let (mut read, mut buffer) = (PairSet::default(), Vec::new());
            let result = read.restore(&mut Reader::new(&bytes), [3, 4], &mut buffer);
            assert_eq!(result.is_ok(), sound, "{pairs:?}");
            assert_eq!(read.last.pairs, if sound { words } else { Vec::new() });
        }
    }

    #[test]
    fn sets_are_joined_and_parted() {
        let (mut one, mut other) = (set(&[[4, 5]]), set(&[[0, 1], [2, 3]]));
        one.0.absorb(&other.0, &mut one.1);
        assert_eq!(compared(&mut one, &[[2, 3], [0, 2], [4, 5]]), (vec![1], vec![[0, 1]]));
        one.0.turn_and_share(&one.1, &mut other.0, 2);
        assert_eq!(compared(&mut other, &[]), (vec![], vec![[0, 2], [2, 3]]));
        assert_eq!(compared(&mut one, &[]), (vec![], vec![[4, 5]]));
    }
}
