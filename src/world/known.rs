//! What events are made of.
//!
//! Comes in: rows of bodies, of now and of the last report. Goes out: what is known of them, and the reason of an end. This room does not know
//! which pairs began or ended.

use super::events::{EndReason, Event, EventKind, EventPair};
use super::past::{Fate, Past};
use crate::geometry::Vec2;
use crate::response::Flight;
use crate::storage::{CircleColumns, CircleHandle, Filter, Handle, Label, Labels};

/// What events are made of, brought together from rows that are far apart in memory: in loops so short that many are on their way
/// at once. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Near {
    pub(super) rows: Vec<[usize; 2]>,
    pub(super) handles: Vec<[CircleHandle; 2]>,
    velocities: Vec<[Vec2; 2]>,
    pub(super) thens: Vec<[Then<CircleHandle>; 2]>,
}

impl Near {
    /// Handles and velocities of circles, two at a time.
    pub(super) fn gather(&mut self, rows: impl Iterator<Item = [usize; 2]>, circles: &CircleColumns, flight: &Flight) {
        let (vx, vy) = (&flight.velocity_x, &flight.velocity_y);
        self.rows.clear();
        self.rows.extend(rows);
        self.handles.clear();
        self.handles.extend(self.rows.iter().map(|&[a, b]| [circles.handle[a], circles.handle[b]]));
        self.velocities.clear();
        self.velocities.extend(self.rows.iter().map(|&[a, b]| [Vec2::new(vx[a], vy[a]), Vec2::new(vx[b], vy[b])]));
    }

    /// What has been gathered.
    pub(super) fn bodies(&self) -> impl Iterator<Item = ([usize; 2], [CircleHandle; 2], [Vec2; 2])> {
        let rest = self.handles.iter().zip(&self.velocities);
        self.rows.iter().zip(rest).map(|(&rows, (&handles, &velocities))| (rows, handles, velocities))
    }

    /// What is known of circles by their past rows, two at a time.
    pub(super) fn recall(
        &mut self,
        rows: impl Iterator<Item = [u32; 2]>,
        past: &Past<CircleHandle>,
        now: &CircleColumns,
    ) {
        self.thens.clear();
        self.thens.extend(
            rows.map(|[a, b]| [past.then(a, &now.handle, &now.labels), past.then(b, &now.handle, &now.labels)]),
        );
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
    let [a, b] = handles.map(|handle| u64::from(handle.slot()) << 32 | u64::from(handle.generation()));
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
