//! Walls that hold: where the rooms of `response` that know of them are called from.
//!
//! Comes in: a step on its way. Goes out: the same step, in which no centre has gone through a solid wall that does not move. This room
//! decides who is held, not how.
//!
//! Who is held: circles that are no sensors, while something is answered at all and circles are held against segments. By what: segments
//! that do not move, are no sensors, and whose filter meets the circle's. Where there are none, nothing of this costs anything.

use super::query::Index;
use super::{Bounds, Response, World, WorldConfig};
use crate::error::{Error, Kind};
use crate::response::{Air, Bounce, FLIGHT_FIELDS, Trail, Walls, first_not_finite};
use crate::storage::{CircleHandle, SegmentColumns};

/// Legs of the last step, with whose they are, where somebody asked for them.
#[derive(Debug, Default)]
pub(super) struct Trace {
    legs: Vec<TracedLeg>,
}

/// Whose it is, from where and to where.
pub(crate) type TracedLeg = (CircleHandle, [f32; 2], [f32; 2]);

/// What the guards did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) impacts: usize,
    pub(super) held: usize,
}

/// The solid walls that do not move.
fn walls<'a>(index: &'a Index, segments: &'a SegmentColumns, config: &WorldConfig) -> Walls<'a> {
    let bounds = match config.bounds {
        Bounds::Reflect { min, max } => [min.x, min.y, max.x, max.y],
        _ => [0.0; 4],
    };
    let most = bounds.iter().fold(0.0, |most, v| if v.abs() > most { v.abs() } else { most });
    Walls::new(index.fixed(segments), segments, f64::from(most))
}

impl World {
    /// Something may hold somebody in a step of this length.
    fn holds(&self, dt: f32) -> bool {
        dt > 0.0
            && self.config.response != Response::None
            && self.config.pair_kinds.circle_segment
            && self.segments.len() > self.segments.moving_rows.len()
    }

    /// Belongs to **move**: circles that are fast fly from wall to wall instead of straight on.
    pub(super) fn fly(&mut self, dt: f32) -> Result<(), Error> {
        let holds = self.holds(dt);
        let (on, limits) = (self.trace.is_some(), self.limits());
        let World { config, circles, segments, detection, index, next, trace, .. } = self;
        trace.iter_mut().for_each(|trace| trace.legs.clear());
        next.trail.start(on);
        next.held = Held::default();
        next.guard.none();
        next.flyers.none();
        if !(holds && next.flyers.find(circles, &next.flight)) {
            return Ok(());
        }
        let walls = walls(index, segments, config);
        let bounce = Bounce::new(config.restitution, config.gravity, dt);
        let air = Air { bounce, gravity: config.gravity, limits, dt };
        let (flyers, flight, trail) = (&mut next.flyers, &mut next.flight, &mut next.trail);
        next.held.impacts = detection.pool().run(circles.len(), |split| flyers.fly(&walls, air, split, flight, trail));
        if next.held.impacts == 0 {
            return Ok(());
        }
        let columns = [flight.x.as_slice(), &flight.y, &flight.velocity_x, &flight.velocity_y];
        first_not_finite(columns, FLIGHT_FIELDS).map_err(|(row, field)| {
            let bits = self.circles.handle[row].to_bits();
            self.refuse(Error::OutOfRange { kind: Kind::Circle, bits, field })
        })
    }

    /// Belongs to **detect**: circles that have left their side of a wall they touch are put where the door lets them, and all contacts are
    /// found again, as those of where the circles are.
    pub(super) fn guard(&mut self, dt: f32) -> Result<(), Error> {
        if !self.holds(dt) {
            return Ok(());
        }
        let World { config, circles, segments, detection, index, next, .. } = self;
        let (before, after) = ((circles.x.as_slice(), circles.y.as_slice()), &next.circles);
        let blocked = next.guard.find(
            next.contacts.circle_segment(),
            detection.order(),
            (before, (&after.x, &after.y)),
            next.flyers.flown(),
            (&after.labels, segments),
        );
        next.held.held = blocked.len();
        if blocked.is_empty() {
            self.trace_motion();
            return Ok(());
        }
        let walls = walls(index, segments, config);
        let flight = (next.flight.x.as_mut_slice(), next.flight.y.as_mut_slice());
        next.guard.put_right(&walls, circles.labels.filters(), before, flight, &mut next.trail);
        self.trace_motion();
        self.bin();
        self.detect_contacts()?;
        // The contacts are others now; whose way was blocked is known to be free.
        let World { circles, segments, detection, next, .. } = self;
        let after = &next.circles;
        next.guard.find(
            next.contacts.circle_segment(),
            detection.order(),
            ((&circles.x, &circles.y), (&after.x, &after.y)),
            next.flyers.flown(),
            (&after.labels, segments),
        );
        Ok(())
    }

    /// Belongs to **resolve**, before it: remembers where circles are.
    pub(super) fn remember(&mut self, dt: f32) {
        if self.holds(dt) {
            self.next.guard.remember((&self.next.circles.x, &self.next.circles.y));
        }
    }

    /// Belongs to **resolve**, after it: no circle has been pushed through a wall, nor further than half its radius.
    pub(super) fn guard_answers(&mut self, dt: f32) {
        if !self.holds(dt) {
            return;
        }
        let on = self.trace.is_some();
        let World { config, segments, index, next, .. } = self;
        let c = &mut next.circles;
        next.trail.start(on);
        if next.guard.find_answered(&c.radius, (&mut c.x, &mut c.y), segments) {
            let walls = walls(index, segments, config);
            next.guard.put_back(&walls, c.labels.filters(), (&mut c.x, &mut c.y), &mut next.trail);
        }
        self.trace_answers();
    }
}

/// The legs of the last step, for tests.
impl World {
    /// From here on the legs of each step are kept, or no longer.
    pub(crate) fn set_trace(&mut self, on: bool) {
        self.trace = on.then(Box::default);
    }

    /// All legs of the last step, of circles that something may hold: circle by circle in no order that says anything, but those of one
    /// circle in theirs.
    pub(crate) fn traced(&self) -> &[TracedLeg] {
        self.trace.as_ref().map_or(&[], |trace| trace.legs.as_slice())
    }

    /// The motion of all circles: from where they were to where they are about to be binned.
    fn trace_motion(&mut self) {
        let (next, c) = (&self.next, &self.circles);
        let Some(trace) = &mut self.trace else { return };
        let was = (c.x.as_slice(), c.y.as_slice());
        let is = (next.flight.x.as_slice(), next.flight.y.as_slice());
        let (_, blocked) = next.guard.remembered();
        let special = |row: u32| {
            next.flyers.flown().get(row as usize).copied().unwrap_or(false) || blocked.binary_search(&row).is_ok()
        };
        trace.add(&c.handle, c.labels.sensors(), &next.trail, (was, is), special);
    }

    /// What the answer moved.
    fn trace_answers(&mut self) {
        let (next, c) = (&self.next, &self.next.circles);
        let Some(trace) = &mut self.trace else { return };
        let (was, blocked) = next.guard.remembered();
        let special = |row: u32| blocked.binary_search(&row).is_ok();
        trace.add(&c.handle, c.labels.sensors(), &next.trail, (was, (&c.x, &c.y)), special);
    }
}

impl Trace {
    /// The legs of a trail, and the straight ones of all others.
    fn add(
        &mut self,
        handles: &[CircleHandle],
        sensors: &[bool],
        trail: &Trail,
        (was, is): ((&[f32], &[f32]), (&[f32], &[f32])),
        special: impl Fn(u32) -> bool,
    ) {
        for leg in &trail.legs {
            self.legs.push((handles[leg.row as usize], leg.from, leg.to));
        }
        for (row, &handle) in handles.iter().enumerate() {
            let (from, to) = ([was.0[row], was.1[row]], [is.0[row], is.1[row]]);
            if from != to && !special(row as u32) && !sensors.get(row).copied().unwrap_or(false) {
                self.legs.push((handle, from, to));
            }
        }
    }
}
