//! What events are made of.
//!
//! Comes in: rows of bodies, of now and of the last report. Goes out: what is known of them, and the reason of an end. This room does not know
//! which pairs began or ended.

use super::events::{EndReason, Event, EventKind, EventPair};
use super::past::{Fate, Past};
use crate::geometry::Vec2;
use crate::response::Flight;
use crate::storage::{CircleColumns, CircleHandle, Filter, Handle, Label, Labels};

/// So many events are made at a time: what they are made of stays in the nearest cache.
pub(super) const AT_ONCE: usize = 16;

/// What events are made of, brought together from rows that are far apart in memory: in loops so short that many are on their way
/// at once.
pub(super) struct Near {
    rows: [[u32; 2]; AT_ONCE],
    handles: [[CircleHandle; 2]; AT_ONCE],
    velocities: [[Vec2; 2]; AT_ONCE],
}

impl Near {
    pub(super) fn new() -> Near {
        let nobody = CircleHandle::from_parts(0, 0);
        Near { rows: [[0; 2]; AT_ONCE], handles: [[nobody; 2]; AT_ONCE], velocities: [[Vec2::ZERO; 2]; AT_ONCE] }
    }

    /// Handles of circles, two at a time: of as many as are given, of the first [`AT_ONCE`].
    pub(super) fn name(
        &mut self,
        rows: impl ExactSizeIterator<Item = [u32; 2]>,
        circles: &CircleColumns,
    ) -> (&[[u32; 2]], &[[CircleHandle; 2]]) {
        let count = std::cmp::min(rows.len(), AT_ONCE);
        self.rows.iter_mut().zip(rows).for_each(|(to, rows)| *to = rows);
        let rows = &self.rows[..count];
        for (handles, &rows) in self.handles.iter_mut().zip(rows) {
            *handles = rows.map(|row| circles.handle[row as usize]);
        }
        (rows, &self.handles[..count])
    }

    /// Handles and velocities likewise.
    pub(super) fn gather(
        &mut self,
        rows: impl ExactSizeIterator<Item = [u32; 2]>,
        circles: &CircleColumns,
        flight: &Flight,
    ) -> impl Iterator<Item = ([u32; 2], [CircleHandle; 2], [Vec2; 2])> {
        let count = self.name(rows, circles).0.len();
        let (vx, vy) = (&flight.velocity_x, &flight.velocity_y);
        let Near { rows, handles, velocities } = self;
        for (velocities, rows) in velocities.iter_mut().zip(&rows[..count]) {
            *velocities = rows.map(|row| Vec2::new(vx[row as usize], vy[row as usize]));
        }
        let both = handles.iter().zip(&*velocities);
        rows[..count].iter().zip(both).map(|(&rows, (&handles, &velocities))| (rows, handles, velocities))
    }
}

/// What is known of a body that touched another at the last report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Then<H> {
    pub(super) handle: H,
    user_data: u64,
    gone: bool,
    enabled: bool,
    edited: bool,
    filter: Filter,
}

impl<H: Handle> Past<H> {
    /// All bodies are where they were at the last report and as they were, and nobody has a label: who has parted has moved apart.
    pub(super) fn is_plain(&self, labels: &Labels) -> bool {
        self.is_unchanged() && !labels.are_set()
    }

    /// The body that was in this row. `handles` and `labels` are the present columns.
    pub(super) fn then(&self, row: u32, handles: &[H], labels: &Labels) -> Then<H> {
        let edited = self.was_edited(row);
        match self.fate(row) {
            Fate::Here(now) => {
                let Label { filter, user_data, enabled, .. } = labels.of(now as usize);
                Then { handle: handles[now as usize], user_data, gone: false, enabled, edited, filter }
            }
            Fate::Gone(handle, user_data) => {
                Then { handle, user_data, gone: true, enabled: true, edited, filter: Filter::DEFAULT }
            }
        }
    }
}

/// 1 if the second of two bodies comes first in an event, else 0. To be used as an index: nobody can guess it, and a wrong guess
/// would wait for handles that are far away.
pub(super) fn second_first<H: Handle>(handles: [H; 2]) -> usize {
    let [a, b] = handles.map(Handle::order);
    usize::from(a > b)
}

/// What was reported did meet: if it does not now, a filter has been changed.
pub(super) fn end<A, B>(pair: EventPair, a: &Then<A>, b: &Then<B>) -> Event {
    let reason = if a.gone | b.gone {
        EndReason::Removed
    } else if !(a.enabled & b.enabled) {
        EndReason::Disabled
    } else if !a.filter.meets(b.filter) {
        EndReason::FilterChanged
    } else if a.edited | b.edited {
        EndReason::Edited
    } else {
        EndReason::Apart
    };
    Event { kind: EventKind::End(reason), pair, user_data: [a.user_data, b.user_data], touch: None }
}
