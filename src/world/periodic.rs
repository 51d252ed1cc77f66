//! What a plane that repeats adds to a step.
//!
//! Comes in: the state between two calls of a step. Goes out: positions within the stretch that stands for all, and contacts across its
//! border. Does nothing where nothing repeats. This room decides when; `geometry` and `narrow_phase` know how.

use super::hold::{passes, size_of_bounds};
use super::step::view;
use super::{World, options};
use crate::error::{Error, Kind};
use crate::geometry::{Circles, Periods};
use crate::narrow_phase::{Bodies, Contacts, Refusal, Wrap};
use crate::response::{Moved, Positions, image_acts};
use crate::storage::{BLOCK, Labels, SegmentColumns, is_set};
use std::ops::Range;

impl World {
    /// Circles that have flown, and those segments that have moved, are brought back.
    pub(super) fn bring_back_moved(&mut self, dt: f32) {
        let periods = &self.config.bounds.periods();
        self.next.saved_near.clear();
        if periods.is_none() {
            return;
        }
        if self.holds(dt) {
            let World { config, circles: c, segments, index, next, passing, .. } = self;
            let to = (next.flight.x.as_mut_slice(), next.flight.y.as_mut_slice());
            next.guard.carry(
                index.still(segments, periods).place(segments, size_of_bounds(config)),
                Moved::new(segments, &next.saved),
                (&c.labels, periods, &passes(passing, c, segments)),
                (&c.x, &c.y),
                to,
                (&mut next.flyers, &mut next.trail),
            );
        }
        // Those that nothing holds.
        bring_back(periods, &mut self.next.flight.x, &mut self.next.flight.y);
        self.next.guard.walls_brought_back();
        let s = &mut self.segments;
        self.next.saved_near.extend_from_slice(&self.next.saved);
        for (at, &row) in s.moving_rows.iter().enumerate().take(if dt > 0.0 { usize::MAX } else { 0 }) {
            let row = row as usize;
            for (axis, [a, b]) in
                [[&mut s.x0[row], &mut s.x1[row]], [&mut s.y0[row], &mut s.y1[row]]].into_iter().enumerate()
            {
                let by = periods.back(axis, [*a, *b]);
                if by != 0.0 {
                    let back = |x: f32| (f64::from(x) - by) as f32;
                    (*a, *b) = (back(*a), back(*b));
                    // Where it was is told from there as well.
                    if let Some(was) = self.next.saved_near.get_mut(at) {
                        (was[axis], was[axis + 2]) = (back(was[axis]), back(was[axis + 2]));
                    }
                }
            }
        }
    }

    /// The same of circles that a guard has put right.
    pub(super) fn bring_back_held(&mut self) {
        let periods = &self.config.bounds.periods();
        if periods.is_none() {
            return;
        }
        let World { config, circles: c, segments, index, next, .. } = self;
        next.guard.carry_back(
            index.still(segments, periods).place(segments, size_of_bounds(config)),
            (&c.labels, periods),
            Some((&c.x, &c.y)),
            (&mut next.flight.x, &mut next.flight.y),
        );
        bring_back(periods, &mut self.next.flight.x, &mut self.next.flight.y);
    }

    /// Circles that were placed by hand are brought back.
    pub(super) fn bring_back_placed(&mut self, rows: Range<usize>) {
        let periods = self.config.bounds.periods();
        if !periods.is_none() {
            bring_back(&periods, &mut self.circles.x[rows.clone()], &mut self.circles.y[rows]);
        }
    }

    /// Circles that a response has moved are brought back.
    pub(super) fn bring_back_resolved(&mut self, dt: f32) {
        let periods = &self.config.bounds.periods();
        if periods.is_none() {
            return;
        }
        if self.holds(dt) {
            let World { config, segments, index, next, .. } = self;
            let c = &mut next.circles;
            next.guard.carry_back(
                index.still(segments, periods).place(segments, size_of_bounds(config)),
                (&c.labels, periods),
                None,
                (&mut c.x, &mut c.y),
            );
        }
        bring_back(periods, &mut self.next.circles.x, &mut self.next.circles.y);
    }

    /// Of contacts across the border with one-sided segments only those from the solid side are left. `contacts`: all others; they come
    /// behind those.
    pub(super) fn join_across(&mut self) {
        let World { wrap, next, .. } = self;
        if let Some(wrap) = wrap {
            add_solid(wrap, &mut next.contacts);
        }
    }

    /// How many of the contacts of a circle and a segment are across the border: the last ones.
    pub(super) fn across(&self) -> usize {
        self.wrap.as_ref().map_or(0, |wrap| wrap.across().met.len())
    }

    /// Contacts across the border, behind the others of their kind. Of contacts that are to be answered the images come first that act.
    pub(super) fn detect_across(&mut self, answered: bool) -> Result<(), Error> {
        let periods = self.config.bounds.periods();
        if periods.is_none() {
            return Ok(());
        }
        let mut wrap = self.take_wrap(periods);
        let mut contacts = std::mem::take(&mut self.next.contacts);
        let circles = &self.next.circles;
        let bodies = Bodies {
            circles: Circles { x: &circles.x, y: &circles.y, radius: &circles.radius },
            filters: circles.labels.filters(),
            segments: view(&self.segments),
        };
        let places = (circles.x.as_slice(), circles.y.as_slice());
        let acts = |rows, count| !answered || acts((places, &circles.labels), &self.segments, (&periods, count), rows);
        let found = wrap.add(bodies, &acts, &mut contacts);
        (self.wrap, self.next.contacts) = (Some(wrap), contacts);
        found.map_err(|refusal| self.refusal(refusal))
    }

    /// Segments that do not move and are too far beyond the border are refused before anybody flies among their images.
    pub(super) fn refuse_beyond(&mut self) -> Result<(), Error> {
        let periods = self.config.bounds.periods();
        if periods.is_none() {
            return Ok(());
        }
        let mut wrap = self.take_wrap(periods);
        let kept = wrap.check_fixed(&view(&self.segments));
        self.wrap = Some(wrap);
        kept.map_err(|refusal| self.refusal(refusal))
    }

    fn take_wrap(&mut self, periods: Periods) -> Box<Wrap> {
        self.wrap.take().unwrap_or_else(|| Box::new(Wrap::new(periods, options(&self.config))))
    }

    fn refusal(&self, refusal: Refusal) -> Error {
        match refusal {
            Refusal::Segment(row) => {
                Error::BeyondPeriod { kind: Kind::Segment, bits: self.segments.handle[row].to_bits() }
            }
            Refusal::TooMany => Error::TooManyContacts { limit: self.config.contact_limit },
        }
    }
}

/// Contacts across the border behind all others, but for those on the open sides of segments.
pub(super) fn add_solid(wrap: &Wrap, contacts: &mut Contacts) {
    let solid = wrap.across().met.iter().filter(|met| met.acts);
    contacts.circle_segment.extend(solid.map(|met| met.contact));
}

/// A segment, moved by so many periods, acts on a circle, or one of the two is a sensor, which tells of both sides.
pub(super) fn acts(
    ((x, y), labels): (Positions<'_>, &Labels),
    segments: &SegmentColumns,
    by: (&Periods, [i8; 2]),
    [circle, wall]: [u32; 2],
) -> bool {
    !segments.one_sided[wall as usize]
        || is_set(labels.sensors(), circle as usize)
        || is_set(segments.labels.sensors(), wall as usize)
        || image_acts(segments, wall, by, [x[circle as usize], y[circle as usize]])
}

fn bring_back(periods: &Periods, x: &mut [f32], y: &mut [f32]) {
    for (axis, column) in [x, y].into_iter().enumerate() {
        if periods.length(axis) > 0.0 {
            // In lanes; mostly nobody is beyond.
            for block in column.chunks_mut(BLOCK) {
                if !block.iter().fold(true, |all, &x| all & periods.keeps(axis, x)) {
                    block.iter_mut().for_each(|x| *x = periods.wrap(axis, *x));
                }
            }
        }
    }
}
