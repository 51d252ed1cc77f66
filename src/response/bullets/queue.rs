//! Meetings to come, in the order in which they are answered.
//!
//! Comes in: when, who, of what age. Goes out: the first; of equal times that of the lowest handles. This room does not know places.

use crate::response::impulse::Pair;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Two circles that will touch, unless the path of one is another by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Fraction of the step.
    pub(super) time: f64,
    /// Both handles, as numbers of their order, ascending; the rest is in that order.
    pub(super) handles: [u64; 2],
    pub(super) rows: [u32; 2],
    /// On which legs of their paths they are then.
    pub(super) legs: [u32; 2],
    pub(super) generations: [u32; 2],
    /// From the first to the second, by the image that is met.
    pub(super) apart: Pair,
}

impl Meeting {
    /// The same, told from the other.
    pub(super) fn turned_round(self) -> Meeting {
        let (handles, rows, apart) = (self.handles, self.rows, self.apart);
        Meeting {
            handles: [handles[1], handles[0]],
            rows: [rows[1], rows[0]],
            legs: [self.legs[1], self.legs[0]],
            generations: [self.generations[1], self.generations[0]],
            apart: [-apart[0], -apart[1]],
            ..self
        }
    }

    /// The later comes first: a heap hands out its greatest. Nobody is written twice with one age, so legs and ages settle what is left.
    fn key(&self, other: &Meeting) -> Ordering {
        let rest = |m: &Meeting| (m.handles, m.generations, m.legs);
        other.time.total_cmp(&self.time).then_with(|| rest(other).cmp(&rest(self)))
    }
}

impl PartialEq for Meeting {
    fn eq(&self, other: &Meeting) -> bool {
        self.key(other).is_eq()
    }
}

impl Eq for Meeting {}

impl PartialOrd for Meeting {
    fn partial_cmp(&self, other: &Meeting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Meeting {
    fn cmp(&self, other: &Meeting) -> Ordering {
        self.key(other)
    }
}

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Meeting>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(super) fn push(&mut self, meeting: Meeting) {
        self.heap.push(meeting);
    }

    pub(super) fn pop(&mut self) -> Option<Meeting> {
        self.heap.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_time_then_by_handles() {
        let mut queue = Queue::default();
        for (time, handles) in [(0.5, [3, 4]), (0.25, [7, 9]), (0.5, [1, 9]), (0.0, [8, 9]), (0.5, [3, 2])] {
            let meeting = Meeting { time, handles, rows: [0; 2], legs: [0; 2], generations: [0; 2], apart: [0.0; 2] };
            queue.push(meeting);
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|m| (m.time, m.handles)).collect();
        assert_eq!(order, [(0.0, [8, 9]), (0.25, [7, 9]), (0.5, [1, 9]), (0.5, [3, 2]), (0.5, [3, 4])]);
    }
}
