//! What pairs at rest bore at the last step, and which circles did not fall at its end, kept for the next.
//!
//! Comes in: pairs of bodies, by the slots of their handles, and what they bear; circles. Goes out: what a pair bore, 0 if it did not; all of it
//! as lists, and back. Slots stay when rows change, so steps and edits need not be traced; whoever removes a body or sets it by
//! hand says so. This room does not know rows.
//!
//! Kept is how fast the pair would approach in a second if nothing was borne: an acceleration, so that the next step may
//! be of another length; and how long substeps were lately, the longer ones. Pairs lie by their first slot; a slot with many pairs is sorted and searched by halves, so that no scene
//! makes a question dear.

use std::ops::Range;

/// Slots with more pairs than this are sorted.
const SHORT: usize = 8;
/// Times the length of a long step: so long others remember it. A stack is pressed pair by pair, and comes out again as slowly; with one all of thirty
/// discs were shot out by short steps.
const PATIENCE: f64 = 8.0;
/// So many are looked at together.
const FEW: usize = 4;

/// A pair's slots, and what it bears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    slots: [u32; 2],
    value: f32,
}

/// Pairs of one kind.
#[derive(Debug, Default)]
struct Kept {
    /// Where the pairs of each first slot start; one more than slots.
    start: Vec<u32>,
    entries: Vec<Entry>,
    /// As they were added.
    added: Vec<Entry>,
}

impl Kept {
    #[inline]
    fn of(&self, slots: [u32; 2]) -> f64 {
        let first = slots[0] as usize;
        let Some(&[from, to]) = self.start.get(first..).and_then(<[u32]>::first_chunk) else { return 0.0 };
        let (from, to) = (from as usize, to as usize);
        // Nearly always one of a few: no branch depends on which. Those behind them are of other slots.
        if let (true, Some(few)) = (to - from <= FEW, self.entries[from..].first_chunk::<FEW>()) {
            let one = |sum: u32, entry: &Entry| sum | if entry.slots == slots { entry.value.to_bits() } else { 0 };
            return f64::from(f32::from_bits(few.iter().fold(0, one)));
        }
        self.of_many(slots, from..to)
    }

    /// All pairs of a first slot.
    fn run(&self, first: u32) -> &[Entry] {
        let run = self.start.get(first as usize..).and_then(<[u32]>::first_chunk);
        run.map_or(&[], |&[from, to]| &self.entries[from as usize..to as usize])
    }

    #[inline(never)]
    fn of_many(&self, slots: [u32; 2], run: Range<usize>) -> f64 {
        let run = &self.entries[run];
        let found = if run.len() <= SHORT {
            run.iter().find(|entry| entry.slots[1] == slots[1])
        } else {
            run.binary_search_by_key(&slots[1], |entry| entry.slots[1]).ok().map(|at| &run[at])
        };
        found.map_or(0.0, |entry| f64::from(entry.value))
    }

    fn add(&mut self, slots: [u32; 2], value: f64) {
        let value = value as f32;
        // What is too large for the columns starts from nothing.
        if value > 0.0 && value.is_finite() {
            self.added.push(Entry { slots, value });
        }
    }

    /// What was added becomes what is kept.
    fn turn(&mut self) {
        let slots =
            self.added.iter().fold(0, |most, entry| if entry.slots[0] >= most { entry.slots[0] + 1 } else { most });
        self.start.clear();
        self.start.resize(slots as usize + 1, 0);
        for entry in &self.added {
            self.start[entry.slots[0] as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            let count = *start;
            *start = sum;
            sum += count;
        }
        self.entries.clear();
        self.entries.resize(self.added.len(), Entry::default());
        for &entry in &self.added {
            let place = &mut self.start[entry.slots[0] as usize];
            self.entries[*place as usize] = entry;
            *place += 1;
        }
        // Each start has become the next one's: shift them back.
        self.start.rotate_right(1);
        self.start[0] = 0;
        self.keep_one_each();
        self.added.clear();
    }

    /// A pair is kept once, as it is saved, though it were added twice; of long runs the slots ascend.
    fn keep_one_each(&mut self) {
        let Kept { start, entries, .. } = self;
        let (mut from, mut kept) = (0usize, 0usize);
        for slot in 0..start.len() - 1 {
            let (first, to) = (kept, start[slot + 1] as usize);
            let is_long = to - from > SHORT;
            if is_long {
                entries[from..to].sort_unstable_by_key(|entry| (entry.slots[1], entry.value.to_bits()));
            }
            for at in from..to {
                let entry = entries[at];
                let same = |other: &Entry| other.slots == entry.slots;
                let before = if is_long { &entries[kept.saturating_sub(1)..kept] } else { &entries[first..kept] };
                if !before.iter().any(same) {
                    entries[kept] = entry;
                    kept += 1;
                }
            }
            start[slot] = first as u32;
            from = to;
        }
        if let Some(end) = start.last_mut() {
            *end = kept as u32;
        }
        entries.truncate(kept);
    }

    fn clear(&mut self) {
        self.start.clear();
        self.entries.clear();
        self.added.clear();
    }
}

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Warmth {
    circles: Kept,
    walls: Kept,
    /// Seconds of a long substep among the last.
    slow: f64,
    /// Slots of circles and of segments whose pairs bear nothing any more; with repetitions.
    forgotten: [Vec<u32>; 2],
    /// Bits of circles' slots: who bore, or was borne, when the step ended, with whomever; up to the last of them.
    held: Vec<u32>,
}

impl Warmth {
    /// Reads something of each line of its fields, as a world does where many are stepped.
    pub(crate) fn read_ahead(&self) -> usize {
        let [circles, walls] = [&self.circles, &self.walls].map(|kept| kept.start.len() ^ kept.added.len());
        circles ^ walls ^ self.forgotten[0].len() ^ self.forgotten[1].len()
    }

    /// What two circles bore, in any order.
    pub(crate) fn of_circles(&self, a: u32, b: u32) -> f64 {
        self.circles.of(ascending(a, b))
    }

    /// What a circle and a segment bore.
    pub(crate) fn of_wall(&self, circle: u32, segment: u32) -> f64 {
        self.walls.of([circle, segment])
    }

    /// The segments with which a circle bore something, and what.
    pub(crate) fn walls_of(&self, circle: u32) -> impl Iterator<Item = (u32, f64)> {
        self.walls.run(circle).iter().map(|entry| (entry.slots[1], f64::from(entry.value)))
    }

    /// What two circles bear now.
    pub(crate) fn add_circles(&mut self, a: u32, b: u32, value: f64) {
        self.circles.add(ascending(a, b), value);
    }

    /// What a circle and a segment bear now.
    pub(crate) fn add_wall(&mut self, circle: u32, segment: u32, value: f64) {
        self.walls.add([circle, segment], value);
    }

    /// The circle of this slot bears something now, or is borne.
    pub(crate) fn hold(&mut self, slot: u32) {
        let word = (slot / u32::BITS) as usize;
        if word >= self.held.len() {
            self.held.resize(word + 1, 0);
        }
        self.held[word] |= 1 << (slot % u32::BITS);
    }

    /// The circle of this slot bore something, or was borne, whatever has been done to what it touched since.
    pub(crate) fn is_held(&self, slot: u32) -> bool {
        self.held.get((slot / u32::BITS) as usize).is_some_and(|word| word >> (slot % u32::BITS) & 1 == 1)
    }

    /// Who was held, 32 slots a word, up to the last.
    pub(crate) fn held(&self) -> &[u32] {
        &self.held
    }

    /// What was added is what is kept from here on, after substeps as long as that.
    pub(crate) fn turn(&mut self, slow: f64) {
        self.slow = slow;
        self.circles.turn();
        self.walls.turn();
        self.forgotten.iter_mut().for_each(Vec::clear);
    }

    /// Nothing is kept, as at first.
    pub(crate) fn clear(&mut self) {
        self.circles.clear();
        self.walls.clear();
        self.slow = 0.0;
        self.held.clear();
        self.forgotten.iter_mut().for_each(Vec::clear);
    }

    /// Seconds of a long substep among the last ones and this one: who was pressed by long ones has [`PATIENCE`] times as much as a step of them to come
    /// out.
    pub(crate) fn slow_after(&self, substep: f64) -> f64 {
        let rest = self.slow - substep / PATIENCE;
        if rest > substep { rest } else { substep }
    }

    /// The same of what has been saved.
    pub(crate) fn slow(&self) -> f64 {
        self.slow
    }

    /// For how many seconds a pair bears in such a substep what it bore: no longer than twice a substep among the last. What stopped somebody in a short
    /// one would shoot him out in a long one.
    pub(crate) fn worth(&self, substep: f64) -> f64 {
        let most = 2.0 * self.slow;
        if substep > most { most } else { substep }
    }

    /// The circle of this slot is gone.
    pub(crate) fn forget_circle(&mut self, slot: u32) {
        self.forget_pairs_of(slot);
        if let Some(word) = self.held.get_mut((slot / u32::BITS) as usize) {
            *word &= !(1 << (slot % u32::BITS));
            let used = self.held.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
            self.held.truncate(used);
        }
    }

    /// The circle of this slot is somewhere else, or another one; whether it fell is known still, since its velocity is of that.
    pub(crate) fn forget_pairs_of(&mut self, slot: u32) {
        self.forget(0, slot);
    }

    /// The segment of this slot is gone, or somewhere else.
    pub(crate) fn forget_segment(&mut self, slot: u32) {
        self.forget(1, slot);
    }

    fn forget(&mut self, kind: usize, slot: u32) {
        let kept = self.circles.entries.len() + self.walls.entries.len();
        if kept > 0 {
            self.forgotten[kind].push(slot);
            // A caller that sets bodies for ever and never steps must not fill the memory.
            if self.forgotten[kind].len() > kept + 64 {
                self.purge();
            }
        }
    }

    /// Lets the forgotten go: to be called before anything is asked for.
    pub(crate) fn purge(&mut self) {
        let Warmth { circles, walls, forgotten, .. } = self;
        if forgotten.iter().all(Vec::is_empty) {
            return;
        }
        forgotten.iter_mut().for_each(|slots| slots.sort_unstable());
        let is_gone = |kind: usize, slot: u32| forgotten[kind].binary_search(&slot).is_ok();
        circles.entries.retain(|entry| !(is_gone(0, entry.slots[0]) || is_gone(0, entry.slots[1])));
        walls.entries.retain(|entry| !(is_gone(0, entry.slots[0]) || is_gone(1, entry.slots[1])));
        for kept in [circles, walls] {
            std::mem::swap(&mut kept.entries, &mut kept.added);
            kept.turn();
        }
        self.forgotten.iter_mut().for_each(Vec::clear);
    }

    /// Pairs of circles, then of circles and segments: slots and values, ascending. What is forgotten is left out.
    pub(crate) fn lists(&self) -> [(Vec<[u32; 2]>, Vec<f32>); 2] {
        let mut forgotten = self.forgotten.clone();
        forgotten.iter_mut().for_each(|slots| slots.sort_unstable());
        let is_kept = |kind: usize, slot: u32| forgotten[kind].binary_search(&slot).is_err();
        [(&self.circles, 0), (&self.walls, 1)].map(|(kept, second)| {
            let stays = |entry: &&Entry| is_kept(0, entry.slots[0]) && is_kept(second, entry.slots[1]);
            let mut entries: Vec<Entry> = kept.entries.iter().filter(stays).copied().collect();
            entries.sort_unstable_by_key(|entry| entry.slots);
            (entries.iter().map(|entry| entry.slots).collect(), entries.iter().map(|entry| entry.value).collect())
        })
    }

    /// Takes over what [`Self::slow`], [`Self::lists`] and [`Self::held`] gave. False unless slots are ascending and below `slots`, and values above
    /// zero.
    pub(crate) fn set(
        &mut self,
        slow: f64,
        lists: [(&[[u32; 2]], &[f32]); 2],
        held: &[u32],
        slots: [usize; 2],
    ) -> bool {
        self.clear();
        self.slow = slow;
        self.held.extend_from_slice(held);
        let end = held.last().map_or(0, |last| held.len() * 32 - last.leading_zeros() as usize);
        let right = slow.is_finite()
            && held.last() != Some(&0)
            && end <= slots[0]
            && slow >= 0.0
            && lists.iter().zip(slots).all(|((pairs, values), below)| {
                pairs.len() == values.len()
                    && pairs.is_sorted_by(|a, b| a < b)
                    && pairs.iter().all(|p| (p[0] as usize) < slots[0] && (p[1] as usize) < below)
                    && values.iter().all(|&value| value > 0.0 && value.is_finite())
            });
        if right {
            for (kept, (pairs, values)) in [&mut self.circles, &mut self.walls].into_iter().zip(lists) {
                kept.added.extend(pairs.iter().zip(values).map(|(&slots, &value)| Entry { slots, value }));
                kept.turn();
            }
        }
        right
    }
}

fn ascending(a: u32, b: u32) -> [u32; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_slots_in_any_order_until_forgotten() {
        let mut w = Warmth::default();
        w.add_circles(7, 2, 1.5);
        w.add_circles(2, 3, 2.5);
        w.add_wall(7, 2, 3.5);
        w.turn(0.5);
        assert_eq!(
            [w.of_circles(2, 7), w.of_circles(3, 2), w.of_circles(3, 7), w.of_circles(9, 1)],
            [1.5, 2.5, 0.0, 0.0]
        );
        assert_eq!([w.of_wall(7, 2), w.of_wall(2, 7)], [3.5, 0.0]);
        w.forget_segment(2);
        w.forget_circle(3);
        let lists = w.lists();
        assert_eq!(lists[0], (vec![[2, 7]], vec![1.5]));
        assert_eq!(lists[1].0.len(), 0);
        w.purge();
        assert_eq!([w.of_circles(2, 7), w.of_circles(3, 2), w.of_wall(7, 2)], [1.5, 0.0, 0.0]);
        let mut other = Warmth::default();
        assert!(other.set(w.slow(), [(&lists[0].0, &lists[0].1), (&lists[1].0, &lists[1].1)], &[], [8, 0]));
        assert_eq!(other.lists(), w.lists());
        w.turn(0.5);
        assert_eq!(w.of_circles(2, 7), 0.0);
    }

    #[test]
    fn slots_with_none_few_and_many_pairs_are_found_whole() {
        // Slot s has s pairs, in a scattered order (7k mod 20 takes every value once), between those of other slots.
        let mut w = Warmth::default();
        let pairs = || (0..20u32).flat_map(|k| (k + 1..=20).map(move |slot| (slot, 100 + 7 * k % 20)));
        for (k, (slot, other)) in pairs().enumerate() {
            w.add_circles(slot, other, (k + 1) as f64);
        }
        w.turn(0.5);
        for (k, (slot, other)) in pairs().enumerate() {
            assert_eq!(w.of_circles(other, slot), (k + 1) as f64);
        }
        // And nothing else is.
        let every = (0..22).flat_map(|slot| (99..121).map(move |other| (slot, other)));
        let every = every.map(|(a, b)| w.of_circles(a, b)).sum::<f64>();
        assert_eq!(every, f64::from(210 * 211 / 2));
    }

    #[test]
    fn wrong_lists_are_refused() {
        let mut w = Warmth::default();
        let none: (&[[u32; 2]], &[f32]) = (&[], &[]);
        for (pairs, values) in [
            (&[[0, 4]][..], &[1.0][..]),
            (&[[0, 1]], &[0.0]),
            (&[[0, 1]], &[f32::NAN]),
            (&[[0, 1]], &[f32::INFINITY]),
            (&[[0, 1]], &[]),
            (&[[0, 2], [0, 1]], &[1.0, 1.0]),
            (&[[0, 1], [0, 1]], &[1.0, 1.0]),
        ] {
            assert!(!w.set(0.5, [(pairs, values), none], &[], [4, 0]), "{pairs:?} {values:?}");
        }
        assert!(w.set(0.5, [(&[[0, 3]], &[1.0]), none], &[0b1001], [4, 0]));
        assert!([-1.0, f64::NAN, f64::INFINITY].iter().all(|&slow| !w.set(slow, [none, none], &[], [4, 0])));
        assert!([&[0b10000][..], &[0], &[1, 0], &[0, 1]].iter().all(|held| !w.set(0.5, [none, none], held, [4, 0])));
    }

    #[test]
    fn who_was_held_is_known_until_the_circle_is_gone() {
        let mut w = Warmth::default();
        [3, 70, 40].into_iter().for_each(|slot| w.hold(slot));
        w.add_circles(3, 40, 1.0);
        w.turn(0.5);
        let held = |w: &Warmth| (0..200).filter(|&slot| w.is_held(slot)).collect::<Vec<u32>>();
        assert_eq!((held(&w), w.held()), (vec![3, 40, 70], &[8, 1 << 8, 1 << 6][..]));
        w.forget_pairs_of(3);
        w.forget_segment(3);
        w.purge();
        assert_eq!((held(&w), w.of_circles(3, 40)), (vec![3, 40, 70], 0.0));
        w.forget_circle(70);
        w.forget_circle(40);
        w.forget_circle(1000);
        assert_eq!((held(&w), w.held()), (vec![3], &[8][..]));
        w.clear();
        assert!(held(&w).is_empty());
    }

    #[test]
    fn endless_editing_takes_no_memory() {
        let mut w = Warmth::default();
        w.add_circles(0, 1, 1.0);
        w.add_circles(2, 3, 1.0);
        w.turn(0.5);
        (0..10_000).for_each(|_| w.forget_circle(1));
        assert!(w.forgotten[0].len() <= 70);
        w.purge();
        assert_eq!([w.of_circles(0, 1), w.of_circles(2, 3)], [0.0, 1.0]);
    }
}
