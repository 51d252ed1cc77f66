//! What a step answers: contacts, and the segments that they are with.
//!
//! Comes in: what a world has found. Goes out: the same, and what a circle and a wall bore at the last step, though walls may have been cut or joined
//! since. This room does not know what is done about it.

use super::super::warmth::Warmth;
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact, Joints};
use crate::storage::{SegmentColumns, Slots};

/// What touches, and the segments.
#[derive(Clone, Copy)]
pub(crate) struct Touching<'a> {
    pub(crate) segments: &'a SegmentColumns,
    /// Which of them has which slot.
    pub(crate) slots: &'a Slots,
    /// Which segments are one.
    pub(crate) joints: &'a Joints,
    /// By which images.
    pub(crate) across: Across<'a>,
    pub(crate) circle_circle: &'a [CircleCircleContact],
    pub(crate) circle_segment: &'a [CircleSegmentContact],
}

impl Touching<'_> {
    /// What a circle and a wall bore, by their slots; where the wall is a piece of a line, with whichever piece that was: nothing is lost where one ends
    /// and the next begins.
    pub(super) fn borne(&self, last: &Warmth, circle: u32, wall: u32, row: u32) -> f64 {
        let (bore, line) = (last.of_wall(circle, wall), self.joints.line(row));
        if bore > 0.0 || line.is_none() {
            return bore;
        }
        let is_of_line = |slot: u32| {
            let row = self.slots.row_of_slot(slot as usize, &self.segments.handle);
            row.is_some_and(|row| self.joints.line(row as u32) == line)
        };
        let bore = last.walls_of(circle).filter(|&(slot, _)| is_of_line(slot));
        bore.min_by_key(|&(slot, _)| slot).map_or(0.0, |(_, bore)| bore)
    }
}
