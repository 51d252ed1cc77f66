//! What a plane that repeats adds to a step.
//!
//! Comes in: the state between two calls of a step. Goes out: positions within the stretch that stands for all, and contacts across its
//! border. Does nothing where nothing repeats. This room decides when; `geometry` and `narrow_phase` know how.

use super::{World, options};
use crate::error::{Error, Kind};
use crate::geometry::{Circles, Periods};
use crate::narrow_phase::{Bodies, Refusal, Segments, Wrap};

impl World {
    /// Circles that have flown, and those segments that have moved, are brought back.
    pub(super) fn bring_back_moved(&mut self, periods: &Periods, dt: f32) {
        if periods.is_none() {
            return;
        }
        bring_back(periods, &mut self.next.flight.x, &mut self.next.flight.y);
        let s = &mut self.segments;
        for &row in s.moving_rows.iter().take(if dt > 0.0 { usize::MAX } else { 0 }) {
            let row = row as usize;
            for (axis, [a, b]) in
                [[&mut s.x0[row], &mut s.x1[row]], [&mut s.y0[row], &mut s.y1[row]]].into_iter().enumerate()
            {
                let middle = (f64::from(*a) + f64::from(*b)) * 0.5;
                let by = periods.beyond(axis, middle) * periods.length(axis);
                if by != 0.0 {
                    (*a, *b) = ((f64::from(*a) - by) as f32, (f64::from(*b) - by) as f32);
                }
            }
        }
    }

    /// Circles that were placed by hand are brought back, from this row on.
    pub(super) fn bring_back_placed(&mut self, first: usize) {
        let periods = self.config.bounds.periods();
        if !periods.is_none() {
            bring_back(&periods, &mut self.circles.x[first..], &mut self.circles.y[first..]);
        }
    }

    /// Circles that a response has moved are brought back.
    pub(super) fn bring_back_resolved(&mut self) {
        let periods = self.config.bounds.periods();
        if !periods.is_none() {
            bring_back(&periods, &mut self.next.circles.x, &mut self.next.circles.y);
        }
    }

    /// Contacts across the border, behind the others of their kind.
    pub(super) fn detect_across(&mut self, segments: fn(&World) -> Segments<'_>) -> Result<(), Error> {
        let periods = self.config.bounds.periods();
        if periods.is_none() {
            return Ok(());
        }
        let mut wrap = self.wrap.take().unwrap_or_else(|| Box::new(Wrap::new(periods, options(&self.config))));
        let mut contacts = std::mem::take(&mut self.next.contacts);
        let circles = &self.next.circles;
        let bodies = Bodies {
            circles: Circles { x: &circles.x, y: &circles.y, radius: &circles.radius },
            filters: circles.labels.filters(),
            segments: segments(self),
        };
        let found = wrap.add(bodies, &mut contacts);
        (self.wrap, self.next.contacts) = (Some(wrap), contacts);
        found.map_err(|refusal| {
            self.refuse(match refusal {
                Refusal::Segment(row) => {
                    Error::BeyondPeriod { kind: Kind::Segment, bits: self.segments.handle[row].to_bits() }
                }
                Refusal::TooMany => Error::TooManyContacts { limit: self.config.contact_limit },
            })
        })
    }
}

fn bring_back(periods: &Periods, x: &mut [f32], y: &mut [f32]) {
    for (axis, column) in [x, y].into_iter().enumerate() {
        if periods.length(axis) > 0.0 {
            column.iter_mut().for_each(|x| *x = periods.wrap(axis, *x));
        }
    }
}
