//! One step of the world, in five calls.
//!
//! Comes in: dt. Goes out: the next state, its contacts and events, or an error and the state as it was: everything is
//! written beside the present state and swapped in at the end. Only moving segments are moved in place, and moved back
//! when a later call refuses.

use super::events::Scene;
use super::stats::{Clock, StepStats};
use super::{Response, World};
use crate::error::{Error, Kind};
use crate::geometry::Circles;
use crate::narrow_phase::Segments;
use crate::response::{self, Law};
use crate::storage::{SegmentColumns, gather_four};

impl World {
    /// Moves all bodies by `dt` seconds, finds what touches then, answers it, and tells what began and ended to touch.
    /// With dt = 0 nothing moves and nothing is answered, but contacts and events are those of the present positions.
    ///
    /// # Errors
    /// [`Error::TimeStep`] unless dt is finite and not negative; [`Error::OutOfRange`] if a position or velocity would
    /// overflow, naming the first such circle by row, else segment; [`Error::TooManyContacts`]. The world, its contacts
    /// and its events are then as before the call.
    pub fn step(&mut self, dt: f32) -> Result<StepStats, Error> {
        self.step_by(dt, Clock::start())
    }

    /// The same on the calling thread alone and without a look at the clock: for one of many small worlds.
    pub(super) fn step_alone(&mut self, dt: f32) -> Result<StepStats, Error> {
        self.detection.set_alone(true);
        let result = self.step_by(dt, Clock::stopped());
        self.detection.set_alone(false);
        result
    }

    fn step_by(&mut self, dt: f32, mut clock: Clock) -> Result<StepStats, Error> {
        check_dt(dt)?;
        let mut stats = StepStats::default();
        self.move_bodies(dt)?;
        stats.move_ns = clock.lap();
        self.bin();
        stats.bin_ns = clock.lap();
        self.detect_contacts()?;
        stats.detect_ns = clock.lap();
        self.resolve(dt)?;
        stats.resolve_ns = clock.lap();
        (stats.begins, stats.ends) = self.report();
        self.swap_in();
        stats.report_ns = clock.lap();
        Ok(self.finish(stats))
    }

    /// Finds what touches at the present positions: no motion, no response, no events. Rows of circles change.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; the world and its contacts are then as before the call.
    pub fn detect(&mut self) -> Result<StepStats, Error> {
        let mut clock = Clock::start();
        let mut stats = StepStats::default();
        self.move_bodies(0.0)?;
        self.bin();
        stats.bin_ns = clock.lap();
        self.detect_contacts()?;
        self.reporter.circles_reordered(self.detection.order());
        self.swap_in();
        stats.detect_ns = clock.lap();
        Ok(self.finish(stats))
    }

    /// **move**: circles fly beside their columns, moving segments in theirs.
    fn move_bodies(&mut self, dt: f32) -> Result<(), Error> {
        let (limits, periods) = (self.config.bounds.limits(), self.config.bounds.periods());
        let gravity = self.config.gravity;
        response::integrate_circles(&self.circles, gravity, limits, dt, &mut self.next.flight).map_err(
            |(row, field)| Error::OutOfRange { kind: Kind::Circle, bits: self.circles.handle[row].to_bits(), field },
        )?;
        response::integrate_segments(&mut self.segments, limits, dt, &mut self.next.saved).map_err(
            |(row, field)| {
                let bits = self.segments.handle[row].to_bits();
                self.refuse(Error::OutOfRange { kind: Kind::Segment, bits, field })
            },
        )?;
        self.bring_back_moved(&periods, dt);
        Ok(())
    }

    /// **bin**: the circles' columns in cell order.
    fn bin(&mut self) {
        let (flight, to) = (&self.next.flight, &mut self.next.circles);
        let columns = Circles { x: &flight.x, y: &flight.y, radius: &self.circles.radius };
        self.detection.bin(columns, view(&self.segments));
        let order = self.detection.order();
        gather_four(
            (&flight.velocity_x, &flight.velocity_y, &self.circles.inverse_mass, &self.circles.handle),
            order,
            (&mut to.velocity_x, &mut to.velocity_y, &mut to.inverse_mass, &mut to.handle),
        );
        self.circles.labels.gather(order, &mut to.labels);
    }

    /// **detect**: the contacts of the moved bodies.
    fn detect_contacts(&mut self) -> Result<(), Error> {
        let (filters, to) = (self.next.circles.labels.filters(), &mut self.next.contacts);
        let found = self.detection.detect(view(&self.segments), filters, false, to);
        found.map_err(|error| self.refuse(error))?;
        let to = &mut self.next.circles;
        self.detection.take_circles(&mut to.x, &mut to.y, &mut to.radius);
        self.detect_across(|world| view(&world.segments))
    }

    /// **resolve**: velocities and positions after all contacts, but for those of sensors.
    fn resolve(&mut self, dt: f32) -> Result<(), Error> {
        if dt == 0.0 || self.config.response == Response::None {
            return Ok(());
        }
        let gravity = [self.config.gravity.x, self.config.gravity.y].map(f64::from);
        let law = Law::new(self.config.restitution, gravity, dt);
        let (c, contacts) = (&mut self.next.circles, &self.next.contacts);
        let circles = response::Circles::new(
            &mut c.x,
            &mut c.y,
            &mut c.velocity_x,
            &mut c.velocity_y,
            &c.radius,
            &c.inverse_mass,
        )
        .with_periods(self.config.bounds.periods());
        let (cc, cs) = self.next.solid.of(contacts, &c.labels, &self.segments.labels);
        if response::resolve(circles, &self.segments, law, cc, cs, &mut self.next.deep) {
            self.bring_back_resolved();
            return Ok(());
        }
        let columns = [c.x.as_slice(), &c.y, &c.velocity_x, &c.velocity_y];
        match response::first_not_finite(columns, response::FLIGHT_FIELDS) {
            Err((row, field)) => {
                let bits = c.handle[row].to_bits();
                Err(self.refuse(Error::OutOfRange { kind: Kind::Circle, bits, field }))
            }
            Ok(()) => {
                self.bring_back_resolved();
                Ok(())
            }
        }
    }

    /// **report**: the events of what is about to be swapped in.
    fn report(&mut self) -> (usize, usize) {
        self.reporter.report(&Scene {
            order: self.detection.order(),
            circles_before: &self.circles.handle,
            circles: &self.next.circles.handle,
            circle_filters: self.circles.labels.filters(),
            segments: &self.segments,
            contacts: &self.next.contacts,
        })
    }

    /// What was written beside the state becomes the state.
    fn swap_in(&mut self) {
        self.circles.swap(&mut self.next.circles);
        std::mem::swap(&mut self.contacts, &mut self.next.contacts);
        self.circle_slots.reordered();
        self.index.circles_changed();
        if !self.segments.moving_rows.is_empty() {
            self.index.segments_moved();
        }
    }

    /// Puts moving segments back where they were.
    pub(super) fn refuse(&mut self, error: Error) -> Error {
        response::restore(&mut self.segments, &self.next.saved);
        error
    }

    /// Fills in what is counted, and keeps it.
    fn finish(&mut self, stats: StepStats) -> StepStats {
        self.stats = StepStats {
            circles: self.circles.len(),
            segments: self.segments.len(),
            circle_circle: self.contacts.circle_circle().len(),
            circle_segment: self.contacts.circle_segment().len(),
            segment_segment: self.contacts.segment_segment().len(),
            threads: self.detection.threads(self.circles.len() + self.segments.len()),
            ..stats
        };
        self.stats
    }
}

/// Finite, zero or more.
pub(super) fn check_dt(dt: f32) -> Result<(), Error> {
    if dt.is_finite() && dt >= 0.0 { Ok(()) } else { Err(Error::TimeStep { dt }) }
}

/// The segments as detection sees them.
fn view(segments: &SegmentColumns) -> Segments<'_> {
    Segments {
        x0: &segments.x0,
        y0: &segments.y0,
        x1: &segments.x1,
        y1: &segments.y1,
        radius: &segments.radius,
        moving: &segments.moving_rows,
        version: segments.version,
        filters: segments.labels.filters(),
        filter_version: segments.filter_version,
    }
}
