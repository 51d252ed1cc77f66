//! One step of the world, in five calls.
//!
//! Comes in: dt. Goes out: the next state, its contacts and events, or an error and the state as it was: everything is
//! written beside the present state and swapped in at the end. Only moving segments are moved in place, and moved back
//! when a later call refuses.

use super::hook::{Encounter, Hook, Verdict};
use super::report::Scene;
use super::stats::{Clock, StepStats};
use super::{Response, World};
use crate::broad_phase::{copy_all, gather_all};
use crate::error::{Error, Kind};
use crate::geometry::Circles;
use crate::narrow_phase::{Across, Segments};
use crate::parallel::Split;
use crate::response::{self, Given};
use crate::storage::SegmentColumns;

/// What a step tells as it goes.
type Told<'a> = (&'a mut Clock, &'a mut StepStats);

impl World {
    /// Moves all bodies by `dt` seconds, finds what touches then, answers it, and tells what began and ended to touch.
    /// With dt = 0 nothing moves and nothing is answered, but contacts and events are those of the present positions. A velocity is that of the middle of a
    /// step, so each change of dt shifts the energy of what falls by gravity times velocity times half the difference: to and fro, it adds up at random.
    ///
    /// Unless the response is [`Response::None`](super::Response::None), contacts and events are those that are answered: a one-sided segment touches nothing but
    /// from its right, and with [`WorldConfig::joints`](super::WorldConfig::joints) joined static segments are one outline. No circle has
    /// two contacts with one of its vertices, nor one with an end that is hidden by the flank of another segment; an end within 2 units in
    /// the last place of the middle of a segment is hidden too. Segments that continue each other straight to within 3 have one contact,
    /// with the point, normal and separation of the uncut one. Units are those of the largest coordinate of the segments that meet, since what cuts
    /// them in `f32` is off by as much: beside a floor that goes on to 10^7 an end 2 above it is hidden, so such floors are better cut. A centre exactly on a
    /// vertex where two straight lines cross has a contact with each of them. [`World::detect`] tells all that touch.
    ///
    /// # Errors
    /// [`Error::TimeStep`] unless dt is finite and not negative; [`Error::OutOfRange`] if a position or velocity would
    /// overflow, naming the first such circle by row, else segment; [`Error::TooManyContacts`]; [`Error::BeyondPeriod`] in periodic bounds. The world, its contacts
    /// and its events are then as before the call.
    pub fn step(&mut self, dt: f32) -> Result<StepStats, Error> {
        let clock = self.clock();
        self.step_by(dt, clock, None)
    }

    /// [`World::step`], and asks before each contact acts: the hook sees every contact that would be answered (of two circles, then
    /// of a circle and a segment, each kind in the order of [`World::contacts`]; none with a sensor, none where dt is 0 or
    /// [`Response::None`](super::Response::None) is set) and says whether it is. One that is not is reported like all others, in contacts and
    /// events, but nobody is pushed by it in this step, and the segment of it lets the circle through until the next step has asked again
    /// (one that flies farther than half its radius in a step is held before anybody is asked). For platforms that are solid from above, doors for some, and the like.
    ///
    /// Where joined segments are one outline (see [`World::step`]), one that lets a circle through is not there for it, so what it alone hid is asked about as
    /// well, and acts or passes by its own verdict: platforms of many pieces let through at their seams, and beside a door that lets through the ends of
    /// the wall are there. This comes behind all other contacts, circle by circle, the nearest first and then by the rows of the segments, and
    /// again as long as one of them that is let through has hidden others; nobody is asked about twice. Contacts and events tell the outline, as ever.
    ///
    /// What does not touch yet is never asked about, and so does not act: without a hook, bodies that may rest know also who comes to touch before the step
    /// is over. So where restitution is below 1, a step whose hook has everything act is not, to the bit, [`World::step`].
    ///
    /// Or it has the contact act otherwise ([`Verdict::With`]): with another restitution, or so that the two part at some speed. What flies
    /// farther than half its radius in a step bounces off walls on its flight, before anybody is asked, as the bodies say.
    ///
    /// It is called on the calling thread, in an order that depends on the input alone, so what it does is as reproducible as
    /// the world. Without a hook nothing is spent on it.
    ///
    /// ```
    /// use gridlane::{Circle, Segment, Verdict, World, WorldConfig};
    ///
    /// // A platform that lets through whatever comes from below.
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0]))?;
    /// let [rising, falling] = [-1.0f32, 1.0].map(|y| Circle::new([3.0 * y, 2.0 * y], 0.5).with_velocity([0.0, -4.0 * y]));
    /// let [rising, falling] = [world.add_circle(rising)?, world.add_circle(falling)?];
    /// for _ in 0..60 {
    ///     world.step_with(1.0 / 60.0, |met| if met.velocities[0].y < 0.0 { Verdict::Act } else { Verdict::Pass })?;
    /// }
    /// let y = |circle| world.circle(circle).map(|body| body.shape.center.y);
    /// assert!(y(rising) > Some(1.0) && y(falling) > Some(1.0));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As of [`World::step`]; [`Error::Verdict`] if a [`Change`](super::Change) is out of its range, and nobody is asked after that.
    ///
    /// # Panics
    /// Only where the hook does; the world is then as before the call.
    pub fn step_with(&mut self, dt: f32, mut hook: impl FnMut(&Encounter) -> Verdict) -> Result<StepStats, Error> {
        let clock = self.clock();
        self.step_by(dt, clock, Some(&mut hook))
    }

    /// The same on the calling thread alone and without a look at the clock: for one of many small worlds.
    pub(super) fn step_alone(&mut self, dt: f32) -> Result<StepStats, Error> {
        self.timing.forget();
        self.detection.set_alone(true);
        let result = self.step_by(dt, Clock::stopped(), None);
        self.detection.set_alone(false);
        result
    }

    fn clock(&mut self) -> Clock {
        self.timing.clock(self.circles.len() + self.segments.len(), &self.stats)
    }

    fn step_by(&mut self, dt: f32, mut clock: Clock, hook: Option<&mut Hook<'_>>) -> Result<StepStats, Error> {
        check_dt(dt)?;
        let mut stats = StepStats::default();
        let (pool, rows, clock) = (self.detection.pool().clone(), self.circles.len(), &mut clock);
        let told = (clock, &mut stats);
        // Into the pool once for all of it; a hook stays on the calling thread.
        if hook.is_none() {
            pool.run(rows, |split| {
                self.move_and_detect(dt, told, split).and_then(|told| self.respond(dt, None, told))
            })?;
        } else {
            let told = pool.run(rows, |split| self.move_and_detect(dt, told, split))?;
            self.respond(dt, hook, told)?;
        }
        Ok(self.finish(stats))
    }

    /// The first three calls.
    fn move_and_detect<'a>(&mut self, dt: f32, told: Told<'a>, split: Split) -> Result<Told<'a>, Error> {
        let (clock, stats) = told;
        self.move_bodies(dt, split)?;
        stats.move_ns = clock.lap();
        self.bin();
        stats.bin_ns = clock.lap();
        let found = self.detect_contacts(self.config.response != Response::None);
        self.guard(found, dt, split).map_err(|error| self.refuse(error))?;
        stats.detect_ns = clock.lap();
        Ok((clock, stats))
    }

    /// The last two, and the next state becomes the present one.
    fn respond(&mut self, dt: f32, hook: Option<&mut Hook<'_>>, (clock, stats): Told<'_>) -> Result<(), Error> {
        let (pool, rows) = (self.detection.pool().clone(), self.circles.len());
        let asks = hook.is_some();
        pool.run(rows, |split| {
            self.join(asks, split);
            self.remember(dt, split);
        });
        Given { virial: stats.virial, to_walls: stats.wall_impulse } = self.resolve(dt, hook)?;
        stats.resolve_ns = clock.lap();
        (stats.begins, stats.ends) = self.report();
        std::mem::swap(&mut self.squeezed, &mut self.next.squeezed);
        stats.squeezed = self.squeezed.len();
        std::mem::swap(&mut self.impacts, &mut self.next.impacts);
        std::mem::swap(&mut self.circle_impacts, &mut self.next.shots.told);
        if self.next.answered {
            std::mem::swap(&mut self.passing, &mut self.next.solid.passed);
        }
        self.swap_in();
        stats.report_ns = clock.lap();
        Ok(())
    }

    /// Finds what touches at the present positions: no motion, no response, no events. Rows of circles change, and with them the order in which later steps
    /// answer contacts of equal standing: worlds that are to stay equal to the bit are asked alike, a step of no time included.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`], [`Error::BeyondPeriod`]; the world and its contacts are then as before the call.
    pub fn detect(&mut self) -> Result<StepStats, Error> {
        let mut clock = Clock::start();
        self.timing.forget();
        let mut stats = StepStats::default();
        self.move_bodies(0.0, Split::SERIAL)?;
        self.bin();
        stats.bin_ns = clock.lap();
        self.detect_contacts(false).map_err(|error| self.refuse(error))?;
        self.reporter.circles_reordered(self.detection.order());
        self.swap_in();
        stats.detect_ns = clock.lap();
        Ok(self.finish(stats))
    }

    /// **move**: circles fly beside their columns, moving segments in theirs.
    fn move_bodies(&mut self, dt: f32, split: Split) -> Result<(), Error> {
        self.refuse_beyond()?;
        self.next.answered = false;
        self.next.solid.passed.clear();
        let limits = self.config.bounds.limits();
        let gravity = self.config.gravity;
        response::integrate_circles(&self.circles, gravity, limits, dt, (&mut self.next.flight, split)).map_err(
            |(row, field)| Error::OutOfRange { kind: Kind::Circle, bits: self.circles.handle[row].to_bits(), field },
        )?;
        self.fly(dt, split)?;
        self.fly_bullets(dt)?;
        response::integrate_segments(&mut self.segments, limits, dt, &mut self.next.saved).map_err(
            |(row, field)| {
                let bits = self.segments.handle[row].to_bits();
                self.refuse(Error::OutOfRange { kind: Kind::Segment, bits, field })
            },
        )?;
        self.hold_early(dt, split);
        self.bring_back_moved(dt);
        Ok(())
    }

    /// **bin**: the circles' columns in cell order.
    pub(super) fn bin(&mut self) {
        let (now, flight, to) = (&self.circles, &self.next.flight, &mut self.next.circles);
        let columns = Circles { x: &flight.x, y: &flight.y, radius: &now.radius };
        self.detection.bin(columns, view(&self.segments));
        let order = self.detection.order();
        let from = (&flight.velocity_x[..], &flight.velocity_y[..], &now.inverse_mass[..], &now.handle[..]);
        let places = (&mut to.velocity_x, &mut to.velocity_y, &mut to.inverse_mass, &mut to.handle);
        if self.detection.grid().holds_few() {
            copy_all(from, places); // as they came
        } else {
            self.detection.pool().run(order.len(), |split| gather_all(from, order, places, split));
        }
        now.labels.gather(order, &mut to.labels);
    }

    /// **detect**: the contacts of the moved bodies; of images those come first that act, if they are to be answered. Segments are where they are,
    /// also where they are too many.
    pub(super) fn detect_contacts(&mut self, answered: bool) -> Result<(), Error> {
        let (filters, to) = (self.next.circles.labels.filters(), &mut self.next.contacts);
        self.detection.detect(view(&self.segments), filters, false, to)?;
        let to = &mut self.next.circles;
        self.detection.take_circles(&mut to.x, &mut to.y, &mut to.radius);
        self.detect_across(answered)
    }

    /// **report**: the events of what is about to be swapped in.
    fn report(&mut self) -> (usize, usize) {
        let (pool, rows) = (self.detection.pool().clone(), self.circles.len());
        let scene = &Scene {
            order: self.detection.order(),
            circles: &self.circles,
            flight: &self.next.flight,
            segments: &self.segments,
            contacts: &self.next.contacts,
            met: self.next.flyers.met(),
            circles_met: self.next.shots.bullets.met(),
            met_within: if self.next.answered { self.next.response.met() } else { [&[]; 2] },
            across: self.wrap.as_ref().map_or(Across::default(), |wrap| wrap.across()),
        };
        pool.run(rows, |split| self.reporter.report(scene, split))
    }

    /// What was written beside the state becomes the state.
    fn swap_in(&mut self) {
        self.circles.swap(&mut self.next.circles);
        std::mem::swap(&mut self.contacts, &mut self.next.contacts);
        if std::mem::take(&mut self.next.answered) {
            std::mem::swap(&mut self.warmth, &mut self.next.response.warmth);
        }
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
            threads: self.detection.threads(self.circles.len()),
            impacts: self.next.flyers.met().len(),
            held: self.next.held.held,
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
pub(super) fn view(segments: &SegmentColumns) -> Segments<'_> {
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
        edited: &segments.edited,
    }
}
