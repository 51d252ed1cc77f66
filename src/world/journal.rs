//! The events of one report, in their places before they are written.
//!
//! Comes in: how many there will be of each sort. Goes out: room for them in the order in which they are told. This room does not know
//! contacts. What was told before is written over, so that nothing has to be cleared for threads that write side by side.

use super::events::{EndReason, Event, EventKind, EventPair};
use crate::storage::{CircleHandle, Handle as _, make_room};

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// The first of these are told.
    events: Vec<Event>,
    told: usize,
}

/// Room for the events of one kind of pair.
pub(super) struct Room<'a> {
    pub(super) begun: &'a mut [Event],
    pub(super) ended: &'a mut [Event],
    /// Begin and end of each pair that touches neither before nor after.
    pub(super) between: std::iter::Zip<std::slice::IterMut<'a, Event>, std::slice::IterMut<'a, Event>>,
}

impl Journal {
    pub(super) fn clear(&mut self) {
        self.told = 0;
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events[..self.told]
    }

    /// Reads something of each line that the next report writes to, if it tells of a few more than this one.
    pub(super) fn read_ahead(&self) -> usize {
        const MORE: usize = 4;
        self.events.iter().take(self.told + MORE).fold(self.told, |all, event| all ^ event.user_data[0] as usize)
    }

    /// Room for so many that have begun and ended, and so many pairs that did both. All of it is to be written.
    pub(super) fn room(&mut self, [begun, ended]: [usize; 2], between: usize) -> Room<'_> {
        let Journal { events, told } = self;
        let (from, end) = (*told, *told + begun + ended + 2 * between);
        if events.len() < end {
            make_room(events, end - events.len());
            let nobody = CircleHandle::from_parts(0, 0);
            let pair = EventPair::CircleCircle(nobody, nobody);
            let nothing = Event { kind: EventKind::End(EndReason::Apart), pair, user_data: [0; 2], touch: None };
            events.resize(end, nothing);
        }
        *told = end;
        let (begun, rest) = events[from..end].split_at_mut(begun);
        let (first, rest) = rest.split_at_mut(between);
        let (ended, last) = rest.split_at_mut(ended);
        Room { begun, ended, between: first.iter_mut().zip(last) }
    }
}
