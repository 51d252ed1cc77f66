//! From a handle to its row.
//!
//! Comes in: handles given out and taken back, and the handle column after rows have changed. Goes out: the row of a
//! live handle. This room does not know what a row holds. A slot is one index that handles are made of; it carries the
//! generation of the body that has it. Rows change at every step but are asked for rarely, so a step only marks them
//! stale (no cost) and the first question afterwards writes them anew (about a nanosecond a body).

use super::handle::Handle;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// No row, no slot.
pub(crate) const NONE: u32 = u32::MAX;

/// The slots of one kind of body.
///
/// The rows are atomics so that two readers may both write them anew: they write the same numbers.
#[derive(Debug)]
pub(crate) struct Slots {
    row: Vec<AtomicU32>,
    fresh: AtomicBool,
    generation: Vec<u32>,
    free: Vec<u32>,
}

impl Slots {
    pub(crate) fn new() -> Slots {
        Slots { row: Vec::new(), fresh: AtomicBool::new(true), generation: Vec::new(), free: Vec::new() }
    }

    /// How many slots there are, in use or not: every live index is below it.
    pub(crate) fn len(&self) -> usize {
        self.row.len()
    }

    /// How many slots are new when `count` bodies come in.
    pub(crate) fn new_slots(&self, count: usize) -> usize {
        count.saturating_sub(self.free.len())
    }

    /// A handle for the body that now stands in `row`: of the slot freed last, or of a new one.
    pub(crate) fn insert<H: Handle>(&mut self, row: usize) -> H {
        match self.free.pop() {
            Some(slot) => {
                *self.row[slot as usize].get_mut() = row as u32;
                H::from_parts(slot, self.generation[slot as usize])
            }
            None => {
                let slot = self.row.len() as u32;
                self.row.push(AtomicU32::new(row as u32));
                self.generation.push(0);
                H::from_parts(slot, 0)
            }
        }
    }

    /// Takes the handle back. A slot whose generations are used up is never given out again.
    pub(crate) fn remove<H: Handle>(&mut self, handle: H) {
        let slot = handle.slot() as usize;
        *self.row[slot].get_mut() = NONE;
        if self.generation[slot] < u32::MAX {
            self.generation[slot] += 1;
            self.free.push(slot as u32);
        }
    }

    /// The slots that new bodies get, the first one last, with the generation that each gets.
    pub(crate) fn free(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.free.iter().map(|&slot| (slot, self.generation[slot as usize]))
    }

    /// Slots that no body has and none will have, of so many bodies: nearly always none.
    pub(crate) fn retired(&self, bodies: usize) -> Vec<u32> {
        if bodies + self.free.len() == self.row.len() {
            return Vec::new();
        }
        let mut free = self.free.clone();
        free.sort_unstable();
        let dead = (0..self.row.len()).filter(|&slot| self.row[slot].load(Ordering::Relaxed) == NONE);
        dead.map(|slot| slot as u32).filter(|slot| free.binary_search(slot).is_err()).collect()
    }

    /// Makes the slots anew: those of these handles, row by row, the free ones with their generations, and the retired ones. False
    /// if they are not the numbers from 0 on, each once; the slots are then of no use.
    pub(crate) fn set<H: Handle>(&mut self, handles: &[H], free: &[[u32; 2]], retired: &[u32]) -> bool {
        /// No row has this number either.
        const TAKEN: u32 = NONE - 1;
        let count = handles.len() + free.len() + retired.len();
        self.row.clear();
        self.row.resize_with(count, || AtomicU32::new(NONE));
        self.generation.clear();
        self.generation.resize(count, u32::MAX);
        self.free.clear();
        *self.fresh.get_mut() = true;
        let mut fits = true;
        let mut take =
            |slot: u32, row: u32, generation: u32| match self.row.get_mut(slot as usize).map(AtomicU32::get_mut) {
                Some(place) if *place == NONE => {
                    *place = row;
                    self.generation[slot as usize] = generation;
                }
                _ => fits = false,
            };
        for (row, handle) in handles.iter().enumerate() {
            take(handle.slot(), row as u32, handle.generation());
        }
        for &[slot, generation] in free {
            take(slot, TAKEN, generation);
            self.free.push(slot);
        }
        for &slot in retired {
            take(slot, TAKEN, u32::MAX);
        }
        for slot in free.iter().map(|free| free[0]).chain(retired.iter().copied()) {
            if let Some(place) = self.row.get_mut(slot as usize) {
                *place.get_mut() = NONE;
            }
        }
        fits
    }

    /// The body of this handle now stands in `row`.
    pub(crate) fn place<H: Handle>(&mut self, handle: H, row: usize) {
        *self.row[handle.slot() as usize].get_mut() = row as u32;
    }

    /// Rows have changed: `handles`, as given to [`Self::row`], has a new order.
    pub(crate) fn reordered(&mut self) {
        *self.fresh.get_mut() = false;
    }

    /// The row of a live handle. `handles` is the handle column, row by row.
    pub(crate) fn row<H: Handle>(&self, handle: H, handles: &[H]) -> Option<usize> {
        let slot = handle.slot() as usize;
        if *self.generation.get(slot)? != handle.generation() {
            return None;
        }
        self.row_of_slot(slot, handles)
    }

    /// The row of the body that has this slot, if one has it.
    pub(crate) fn row_of_slot<H: Handle>(&self, slot: usize, handles: &[H]) -> Option<usize> {
        self.refresh(handles);
        let row = self.row.get(slot)?.load(Ordering::Relaxed);
        (row != NONE).then_some(row as usize)
    }

    /// Writes the rows anew if they are stale; `place` and `remove` need that done before.
    pub(crate) fn refresh<H: Handle>(&self, handles: &[H]) {
        if !self.fresh.load(Ordering::Acquire) {
            for (row, handle) in handles.iter().enumerate() {
                self.row[handle.slot() as usize].store(row as u32, Ordering::Relaxed);
            }
            self.fresh.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::CircleHandle;

    #[test]
    fn index_is_used_again_with_the_next_generation() {
        let mut slots = Slots::new();
        let a: CircleHandle = slots.insert(0);
        let b: CircleHandle = slots.insert(1);
        assert_eq!((a.index(), b.index(), a.generation()), (0, 1, 0));
        slots.remove(a);
        let c: CircleHandle = slots.insert(5);
        assert_eq!((c.index(), c.generation()), (0, 1));
        assert_eq!(slots.row(a, &[a, b]), None);
        assert_eq!(slots.row(c, &[a, b]), Some(5));
    }

    #[test]
    fn stale_rows_follow_the_handle_column() {
        let mut slots = Slots::new();
        let a: CircleHandle = slots.insert(0);
        let b: CircleHandle = slots.insert(1);
        slots.reordered();
        assert_eq!(slots.row(a, &[b, a]), Some(1));
        assert_eq!(slots.row(b, &[b, a]), Some(0));
    }

    #[test]
    fn last_generation_retires_the_slot() {
        let mut slots = Slots::new();
        let first: CircleHandle = slots.insert(0);
        slots.generation[0] = u32::MAX;
        let last = CircleHandle::new(0, u32::MAX);
        assert_eq!(slots.row(first, &[last]), None);
        assert_eq!(slots.row(last, &[last]), Some(0));
        slots.remove(last);
        assert_eq!(slots.row::<CircleHandle>(last, &[]), None);
        // The next body must get index 1: another body under (0, u32::MAX) or (0, 0) would alias.
        assert_eq!(slots.insert::<CircleHandle>(0).index(), 1);
    }

    #[test]
    fn slots_are_made_anew_from_what_they_tell() {
        let mut slots = Slots::new();
        let [a, b, c, d]: [CircleHandle; 4] = std::array::from_fn(|row| slots.insert(row));
        slots.remove(b);
        slots.generation[2] = u32::MAX;
        slots.remove(CircleHandle::new(2, u32::MAX));
        slots.remove(a);
        let (free, retired) =
            (slots.free().map(|(slot, generation)| [slot, generation]).collect::<Vec<_>>(), slots.retired(1));
        assert_eq!((free.as_slice(), retired.as_slice()), (&[[1, 1], [0, 1]][..], &[2][..]));
        let mut again = Slots::new();
        assert!(again.set(&[d], &free, &retired));
        assert_eq!([a, b, c, d].map(|handle| again.row(handle, &[d])), [None, None, None, Some(0)]);
        assert_eq!(again.retired(1), [2]);
        // Indices 0, then 1, then a new one: 2 is retired.
        let next: [CircleHandle; 3] = std::array::from_fn(|k| again.insert(1 + k));
        assert_eq!(next, [CircleHandle::new(0, 1), CircleHandle::new(1, 1), CircleHandle::new(4, 0)]);
        // A slot twice, and one that is not there.
        assert!(!again.set(&[d], &[[3, 1]], &[0, 1]) && !again.set(&[a, d], &[], &[]));
    }

    #[test]
    fn foreign_index_is_none() {
        assert_eq!(Slots::new().row::<CircleHandle>(CircleHandle::new(7, 0), &[]), None);
    }
}
