//! Pairs that come again in nearly the order in which they came.
//!
//! Comes in: pairs of rows, most of which stay from report to report. Goes out: what a [`PairSet`] of them says. Nearly all are met in their
//! places, or a few places off; what is left over is sorted, and where too much is, the set is asked. This room does not know bodies.
//!
//! Cost: about a nanosecond a pair, while few change.

use super::bytes::{Reader, Writer};
use super::pairs::{Comparison, PairSet};
use super::sorted_pairs::{MORE, word};
use crate::error::Error;
use crate::parallel::Split;
use crate::storage::make_room;

/// So many places off a pair is met.
const AHEAD: usize = 8;
/// The set is asked where more than these are left over, and one in so many.
const FEW: usize = 64;
const SHARE: usize = 16;

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Recurring {
    set: PairSet,
    /// Those of the set in the order in which they came; empty where that is not known.
    came: Vec<u64>,
}

/// What is of use within one report alone.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// Pairs have been followed; else the set was asked.
    is_of_use: bool,
    /// Those that come, and those that were there and come, as far as is known, no more; places of those that were not there.
    came: Vec<u64>,
    left: Vec<u64>,
    more: Vec<u32>,
    /// Of those left, which have come in another place.
    moved: Vec<bool>,
}

impl Recurring {
    /// As of [`PairSet::compare`]. `stay`: all rows are what they were at the last report.
    pub(super) fn compare<C: Sync>(
        &self,
        touching: &[C],
        rows: impl Fn(&C) -> [[u32; 2]; 2] + Sync,
        stay: bool,
        (to, followed): (&mut Comparison, &mut Followed),
    ) {
        followed.is_of_use = stay && !self.came.is_empty() && {
            followed.came.clear();
            make_room(&mut followed.came, touching.len() + MORE);
            followed.came.extend(touching.iter().map(|pair| word(rows(pair)[1])));
            followed.follow(&self.came)
        };
        if followed.is_of_use {
            followed.tell(to);
        } else {
            self.set.compare(touching, rows, Split::SERIAL, to);
        }
    }

    /// As of [`PairSet::turn`].
    pub(super) fn turn(&mut self, now: &mut Comparison, followed: &mut Followed) {
        if followed.is_of_use {
            std::mem::swap(&mut self.came, &mut followed.came);
            let Followed { more, left, .. } = followed;
            // Nobody needs what is left over any more.
            left.clear();
            left.extend(more.iter().map(|&at| self.came[at as usize]));
            left.sort_unstable();
            self.set.exchange(now, left);
        } else {
            self.came.clear();
            make_room(&mut self.came, now.came().count() + MORE);
            self.came.extend(now.came());
            self.set.turn(now, Split::SERIAL, |_| ());
        }
    }

    /// As of [`PairSet::turn_and_share`].
    pub(super) fn turn_and_share(&mut self, now: &Comparison, other: &mut PairSet, first: usize) {
        self.came.clear();
        self.came.extend(now.came().skip(first));
        self.set.turn_and_share(now, other, first);
    }

    /// As of [`PairSet::absorb`].
    pub(super) fn absorb(&mut self, other: &PairSet, buffers: &mut Comparison) {
        self.came.clear();
        self.set.absorb(other, buffers);
    }

    /// As of [`PairSet::read_ahead`].
    pub(super) fn read_ahead(&self) -> usize {
        self.came.iter().step_by(8).fold(self.set.read_ahead(), |all, &pair| all ^ pair as usize)
    }

    /// As of [`PairSet::save`].
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        self.set.save(to);
    }

    /// As of [`PairSet::restore`].
    pub(super) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        most: [usize; 2],
        pairs: &mut Vec<u64>,
    ) -> Result<(), Error> {
        self.came.clear();
        self.set.restore(from, most, pairs)
    }
}

impl Followed {
    /// Goes through those that came and those that come, side by side; what is not met goes to those left and those more. False if that is too much.
    fn follow(&mut self, before: &[u64]) -> bool {
        let Followed { came, left, more, moved, .. } = self;
        left.clear();
        more.clear();
        moved.clear();
        let (mut old, mut new, most) = (0, 0, FEW + before.len() / SHARE);
        make_room(left, most);
        make_room(more, most);
        make_room(moved, most);
        loop {
            let same = before[old..].iter().zip(&came[new..]).take_while(|(before, now)| before == now).count();
            (old, new) = (old + same, new + same);
            let (Some(&was), Some(&is)) = (before.get(old), came.get(new)) else { break };
            if let Some(k) = (1..=AHEAD).find(|k| before.get(old + k) == Some(&is)) {
                left.extend_from_slice(&before[old..old + k]);
                old += k;
            } else if let Some(k) = (1..=AHEAD).find(|k| came.get(new + k) == Some(&was)) {
                more.extend(new as u32..(new + k) as u32);
                new += k;
            } else {
                left.push(was);
                more.push(new as u32);
                (old, new) = (old + 1, new + 1);
            }
            if left.len() + more.len() + AHEAD > most {
                return false;
            }
        }
        if left.len() + more.len() + (before.len() - old) + (came.len() - new) > most {
            return false;
        }
        left.extend_from_slice(&before[old..]);
        more.extend(new as u32..came.len() as u32);
        // Who is among both has only changed places.
        left.sort_unstable();
        moved.resize(left.len(), false);
        more.retain(|&at| match left.binary_search(&came[at as usize]) {
            Ok(place) => {
                moved[place] = true;
                false
            }
            Err(_) => true,
        });
        true
    }

    /// Those that are new, by their places, and those that have ended.
    fn tell(&self, to: &mut Comparison) {
        let Followed { left, more, moved, .. } = self;
        let ended = left.iter().zip(moved).filter(|(_, moved)| !**moved).map(|(&pair, _)| pair);
        to.set_changes(more.iter().copied(), ended);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sorted_pairs::rows_of;
    use super::*;
    use std::collections::BTreeSet;

    /// Begun and ended, when these pairs come, which take the place of those that were there; whether they were followed.
    fn report(
        (recurring, to, followed): &mut (Recurring, Comparison, Followed),
        now: &[[u32; 2]],
        stay: bool,
    ) -> (Vec<u32>, Vec<[u32; 2]>, bool) {
        recurring.compare(now, |&pair| [pair; 2], stay, (to, followed));
        let [begun, ended] = to.changes();
        let (mut begun, mut ended) = (vec![0; begun], vec![0; ended]);
        let changes = to.known();
        changes.each_begun(&mut begun, Split::SERIAL, &|some, to| to.copy_from_slice(some));
        changes.each_ended(&mut ended, Split::SERIAL, &|some, to| to.copy_from_slice(some));
        recurring.turn(to, followed);
        assert!(recurring.came.iter().copied().eq(now.iter().map(|&pair| word(pair))));
        (begun, ended.into_iter().map(rows_of).collect(), followed.is_of_use)
    }

    #[test]
    fn what_began_and_ended_is_what_a_set_says() {
        let mut state = 5u64;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut all, mut before, mut counts) = (<(Recurring, Comparison, Followed)>::default(), vec![], [0; 2]);
        for round in 0..3_000 {
            let mut now: Vec<[u32; 2]> = before.clone();
            let changes = [0, 1, 5, 40, 300][round % 5];
            for _ in 0..changes {
                let (at, to) = (draw(now.len() + 1), draw(now.len() + 1));
                match draw(5) {
                    // New ones, at the end too; others go; some change places, or many at once.
                    0 | 1 => now.insert(at, [draw(50) as u32, draw(1_000_000) as u32]),
                    2 if at < now.len() => _ = now.remove(at),
                    3 if at < now.len() && to < now.len() => now.swap(at, to),
                    4 if draw(40) == 0 => now.rotate_left(at),
                    _ => {}
                }
            }
            let mut seen = BTreeSet::new();
            now.retain(|&pair| seen.insert(pair));
            if round % 700 == 699 {
                now.reverse();
            }
            let past: BTreeSet<_> = before.iter().copied().collect();
            let begun: Vec<u32> = (0..now.len() as u32).filter(|&at| !past.contains(&now[at as usize])).collect();
            let ended: Vec<_> = past.difference(&seen).copied().collect();
            let (found_begun, found_ended, is_followed) = report(&mut all, &now, round % 11 > 0);
            assert_eq!((found_begun, found_ended), (begun, ended), "{round}");
            counts[usize::from(is_followed)] += 1;
            if now.len() > 2_000 {
                now.truncate(draw(2_000));
                report(&mut all, &now, true);
            }
            before = now;
        }
        assert!(counts[0] > 500 && counts[1] > 1_500, "{counts:?}");
    }

    #[test]
    fn pairs_that_stand_are_told_apart_again() {
        let (mut all, mut still) = (<(Recurring, Comparison, Followed)>::default(), PairSet::default());
        let pairs = [[7, 8], [0, 1], [2, 3]];
        assert_eq!(report(&mut all, &pairs, true), (vec![0, 1, 2], vec![], false));
        all.0.compare(&pairs, |&pair| [pair; 2], false, (&mut all.1, &mut all.2));
        all.0.turn_and_share(&all.1, &mut still, 1);
        // The first is among those that stand.
        assert_eq!(report(&mut all, &pairs[1..], true), (vec![], vec![], true));
        all.0.absorb(&still, &mut all.1);
        assert_eq!(report(&mut all, &pairs[..2], true), (vec![], vec![[2, 3]], false));
        assert_eq!(report(&mut all, &[], true), (vec![], vec![[0, 1], [7, 8]], true));
        assert_eq!(report(&mut all, &[], true), (vec![], vec![], false));
    }
}
