//! Who is called like what a front kept, and the record of it.
//!
//! Comes in: names, where they were given. Goes out: shapes with the caller's rows, records. This room does not know how anybody was found.

use super::{Ground, bunches};
use crate::broad_phase::Bunch;
use crate::geometry::{Circle, Segment};
use crate::kernels::foremost::Foremost;
use crate::query::Hit;
use crate::query::abreast::{self, Rays};
use crate::query::flight::Flight;
use crate::query::met::Met;
use crate::query::search::NAMES;

/// A body, and the caller's row of it.
pub(super) enum Shape {
    Circle(Circle, u32),
    Segment(Segment, u32),
}

impl Ground<'_> {
    /// Hands on what is surely met; false if there is doubt.
    #[inline(always)]
    pub(super) fn meets(&self, rays: &Rays, found: Foremost, bunch: Bunch, met: &mut Met, k: usize) -> bool {
        let flight = abreast::flight(rays, k);
        match found {
            Foremost::Doubt => return false,
            Foremost::Nothing => {}
            Foremost::Clear { name, lane } => match self.named(name, lane, bunch).filter(|shape| self.sees(shape)) {
                Some(Shape::Circle(circle, row)) => met.circle(&flight, circle, row, k as u32),
                Some(Shape::Segment(segment, row)) => met.segment(&flight, segment, row, k as u32),
                None => return false,
            },
        }
        true
    }

    /// It is seen.
    #[inline(always)]
    fn sees(&self, shape: &Shape) -> bool {
        !self.asks
            || match *shape {
                Shape::Circle(_, row) => self.scene.sees_circle(self.look, row),
                Shape::Segment(_, row) => self.scene.sees_segment(self.look, row),
            }
    }

    /// It is clear who is met first, and that body is seen.
    #[inline(never)]
    pub(super) fn is_seen(&self, found: Foremost, bunch: Bunch) -> bool {
        let Foremost::Clear { name, lane } = found else { return false };
        self.named(name, lane, bunch).is_some_and(|shape| self.sees(&shape))
    }

    /// Who is called like this, of whom some are known in the cell that a ray came to last.
    #[inline(always)]
    fn named(&self, name: u32, lane: usize, bunch: Bunch) -> Option<Shape> {
        if bunches::is_bunched(name) {
            return self.bunched(self.together?, bunch, name, lane);
        }
        if name < NAMES {
            let row = name + lane as u32;
            return Some(Shape::Circle(self.scene.circle(row), self.scene.name(row)));
        }
        let (segment, row) = self.lists.get((name / NAMES) as usize)?.as_ref()?.named(name, lane)?;
        Some(Shape::Segment(segment, row))
    }

    /// The record, one by one; none if there is doubt.
    #[inline(never)]
    pub(super) fn hit(&self, flight: &Flight, found: Foremost, bunch: Bunch) -> Option<Hit> {
        match found {
            Foremost::Doubt => None,
            Foremost::Nothing => Some(Hit::NOTHING),
            Foremost::Clear { name, lane } => match self.named(name, lane, bunch)? {
                Shape::Circle(circle, row) => flight.hit_circle(flight.meet_circle(circle), circle, row),
                Shape::Segment(segment, row) => flight.hit_segment(flight.meet_segment(segment), segment, row),
            },
        }
    }
}
