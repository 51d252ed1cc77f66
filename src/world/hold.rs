//! Walls that hold: where the rooms of `response` that know of them are called from.
//!
//! Comes in: a step on its way. Goes out: the same step, in which no centre has gone through a solid wall, nor such a wall over a centre but where there
//! is no room. This room decides who is held, not how.
//!
//! Who is held: circles that are no sensors, while something is answered at all and circles are held against segments. By what: segments
//! that are no sensors, and whose filter meets the circle's; those that move by where they stand when the step ends. Where there are none, nothing of this costs anything.

use super::impacts::name_impacts;
use super::{Next, Response, World, WorldConfig};
use crate::error::{Error, Kind};
use crate::parallel::Split;
use crate::response::{Air, Bounce, Ends, Found, Law, Moved, Passes, Positions, Trail, Walls, shorten};
use crate::storage::{CircleColumns, CircleHandle, SegmentColumns, SegmentHandle, is_set};
use bytemuck::{Pod, Zeroable};

/// Legs of the last step, with whose they are, where somebody asked for them.
#[derive(Debug, Default)]
pub(super) struct Trace {
    legs: Vec<TracedLeg>,
}

/// Whose it is, from where and to where, and whether walls had moved before.
pub(crate) type TracedLeg = (CircleHandle, [f32; 2], [f32; 2], bool);

/// What the guards did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Of impulses given to walls in flight, the sum.
    pub(super) to_walls: f64,
    /// Of impulses between circles in flight, each times the distance of the centres, the sum.
    pub(super) virial: f64,
    pub(super) held: usize,
}

/// A circle between walls that left no room: the moving segment passed over its centre, or may have.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Squeezed {
    /// The circle.
    pub circle: CircleHandle,
    /// The segment, which moves.
    pub segment: SegmentHandle,
}

/// The largest coordinate of the bounds.
pub(super) fn size_of_bounds(config: &WorldConfig) -> f64 {
    let (limits, periods) = (config.bounds.limits(), config.bounds.periods());
    let axes = [limits.x, limits.y, periods.stretch(0), periods.stretch(1)];
    let finite = axes.iter().flatten().filter(|v| v.is_finite());
    f64::from(finite.fold(0.0f32, |most, v| if v.abs() > most { v.abs() } else { most }))
}

/// What a step is for those that fly.
pub(super) fn air<'a>(
    config: &WorldConfig,
    circles: &'a CircleColumns,
    segments: &'a SegmentColumns,
    dt: f32,
) -> Air<'a> {
    let own = [circles.labels.restitutions(), segments.labels.restitutions()];
    let law = Law::new(dt).with_gravity(config.gravity.into()).with_restitution(config.restitution, own);
    let (limits, periods) = (config.bounds.limits(), config.bounds.periods());
    Air { bounce: Bounce::new(law), gravity: config.gravity, limits, periods, dt }
}

/// What moving segments were, told from where they are now.
fn seen<'a>(saved: &'a [Ends], near: &'a [Ends]) -> &'a [Ends] {
    if near.is_empty() { saved } else { near }
}

/// Whom a hook let through in the last step.
pub(super) fn passes<'a>(
    pairs: &'a [[u64; 2]],
    circles: &'a CircleColumns,
    segments: &'a SegmentColumns,
) -> Passes<'a> {
    Passes { pairs, circles: &circles.handle, segments: &segments.handle }
}

impl World {
    /// Something may hold somebody in a step of this length.
    pub(super) fn holds(&self, dt: f32) -> bool {
        dt > 0.0
            && self.config.response != Response::None
            && self.config.pair_kinds.circle_segment
            && self.segments.len() > 0
    }

    /// Belongs to **move**: circles that are fast fly from wall to wall instead of straight on. Segments have not moved yet.
    pub(super) fn fly(&mut self, dt: f32, split: Split) -> Result<(), Error> {
        let holds = self.holds(dt);
        let on = self.trace.is_some();
        let World { config, circles, segments, detection, index, next, trace, .. } = self;
        trace.iter_mut().for_each(|trace| trace.legs.clear());
        next.trail.start(on);
        next.held = Held::default();
        next.squeezed.clear();
        next.guard.none();
        next.flyers.none();
        next.impacts.clear();
        let periods = config.bounds.periods();
        if holds && !periods.is_none() {
            shorten(&periods, circles, &mut next.flight);
        }
        if !(holds && next.flyers.find(circles, &next.flight, split)) {
            return Ok(());
        }
        next.guard.look_ahead(segments, dt);
        let Next { guard, flyers, flight, trail, .. } = &mut **next;
        let (cells, size) = index.all(segments, &periods, guard.standing());
        let walls = Walls::standing(cells.place(segments, size_of_bounds(config)), size);
        let walls = walls.with_lanes(detection.backend(), detection.set());
        let air = air(config, circles, segments, dt);
        let circles = &*circles;
        let flown = flyers.fly(&walls, air, split, (circles, flight), trail);
        next.held.to_walls = flown.map_err(|(row, field)| {
            let bits = circles.handle[row].to_bits();
            Error::OutOfRange { kind: Kind::Circle, bits, field }
        })?;
        name_impacts(next.flyers.met(), circles, segments, &mut next.impacts);
        Ok(())
    }

    /// Belongs to **move**: circles that would leave their side of a wall they touched in the last step go by the door at once, and those that
    /// it comes upon give way. Segments have moved. Nearly all that are to be held are, so that contacts are found once.
    pub(super) fn hold_early(&mut self, dt: f32, split: Split) {
        if !self.holds(dt) {
            return;
        }
        let World { config, circles, segments, index, next, passing, .. } = self;
        let moved = Moved::new(segments, &next.saved);
        let found = Found {
            contacts: &[],
            order: &[],
            before: (&circles.x, &circles.y),
            after: (&next.flight.x, &next.flight.y),
            radius: &[],
            flown: next.flyers.flown(),
            labels: &circles.labels,
            passes: passes(passing, circles, segments),
            periods: config.bounds.periods(),
        };
        let some = next.guard.find_early(found, segments, moved, split);
        let leave = moved.some_leave(&found.periods);
        if !(some || leave) {
            return;
        }
        let still = index.still(segments, &found.periods);
        let place = still.place(segments, size_of_bounds(config));
        if leave && !next.guard.find_leaving(found, place, moved) {
            return;
        }
        next.guard.put_early(
            place,
            moved,
            (circles.labels.filters(), next.flyers.flown(), &passes(passing, circles, segments)),
            (&circles.x, &circles.y),
            (&mut next.flight.x, &mut next.flight.y),
            (&mut next.trail, split),
        );
        next.guard.blocked().iter().for_each(|&row| next.flyers.mark(row, circles.len()));
    }

    /// Belongs to **detect**: circles that have left their side of a wall they touch, or that a wall comes upon, are put where the door lets them,
    /// and all contacts are found again, as those of where the circles are. `found`: how they were found. More than the limit of them do not
    /// matter if they are fewer then: whom somebody has touched before is no part of the state, and neither is who was held early.
    pub(super) fn guard(&mut self, found: Result<(), Error>, dt: f32, split: Split) -> Result<(), Error> {
        if !self.holds(dt) {
            return found;
        }
        let late = match found {
            Ok(()) => self.find_blocked(split),
            Err(Error::TooManyContacts { .. }) if self.find_unlisted() => true,
            error => return error,
        };
        self.next.held.held = self.next.guard.held();
        if late {
            let World { config, circles, segments, index, next, passing, .. } = self;
            let moved = Moved::new(segments, seen(&next.saved, &next.saved_near));
            let to = (next.flight.x.as_mut_slice(), next.flight.y.as_mut_slice());
            next.guard.put_right(
                index.still(segments, &config.bounds.periods()).place(segments, size_of_bounds(config)),
                moved,
                (circles.labels.filters(), next.flyers.flown(), &passes(passing, circles, segments)),
                (&circles.x, &circles.y),
                to,
                (&mut next.trail, split),
            );
            // As those who were held early: their flight is over.
            next.guard.blocked().iter().for_each(|&row| next.flyers.mark(row, circles.len()));
        }
        self.trace_motion();
        self.name_squeezed();
        if late {
            self.bring_back_held();
            self.bin();
            self.detect_contacts(true)?;
            // The contacts are others now; whose way was blocked is known to be free.
            self.find_blocked(split);
        }
        Ok(())
    }

    /// Whether a circle is to be put right.
    fn find_blocked(&mut self, split: Split) -> bool {
        let World { config, circles, segments, detection, next, passing, .. } = self;
        let after = (next.flight.x.as_slice(), next.flight.y.as_slice());
        let moved = Moved::new(segments, seen(&next.saved, &next.saved_near));
        let found = Found {
            contacts: next.contacts.circle_segment(),
            order: detection.order(),
            before: (&circles.x, &circles.y),
            after,
            radius: &circles.radius,
            flown: next.flyers.flown(),
            labels: &circles.labels,
            passes: passes(passing, circles, segments),
            periods: config.bounds.periods(),
        };
        next.guard.find(found, (detection.grid(), detection.occupancy()), segments, moved, split)
    }

    /// The same where contacts are too many.
    #[cold]
    fn find_unlisted(&mut self) -> bool {
        let World { config, circles, segments, index, next, passing, .. } = self;
        let periods = config.bounds.periods();
        let found = Found {
            contacts: &[],
            order: &[],
            before: (&circles.x, &circles.y),
            after: (&next.flight.x, &next.flight.y),
            radius: &[],
            flown: next.flyers.flown(),
            labels: &circles.labels,
            passes: passes(passing, circles, segments),
            periods,
        };
        let cells = index.still(segments, &periods);
        let moved = Moved::new(segments, seen(&next.saved, &next.saved_near));
        next.guard.find_unlisted(found, cells.place(segments, size_of_bounds(config)), moved)
    }

    /// Circles for which there was no room, by their handles.
    fn name_squeezed(&mut self) {
        let World { circles, segments, next, .. } = self;
        // By rows, whoever was found early.
        next.guard.squeezed.sort_unstable();
        let names = next.guard.squeezed.iter();
        next.squeezed.clear();
        next.squeezed.extend(names.map(|&[circle, segment]| Squeezed {
            circle: circles.handle[circle as usize],
            segment: segments.handle[segment as usize],
        }));
    }

    /// Belongs to **resolve**, before it: remembers where circles are.
    pub(super) fn remember(&mut self, dt: f32, split: Split) {
        if self.holds(dt) {
            self.next.guard.remember((&self.next.circles.x, &self.next.circles.y), split);
        }
    }

    /// Belongs to **resolve**, after it: no circle has been pushed through a wall, nor further than half its radius.
    pub(super) fn guard_answers(&mut self, dt: f32, split: Split) {
        if !self.holds(dt) {
            return;
        }
        let on = self.trace.is_some();
        let World { config, segments, index, next, .. } = self;
        let c = &mut next.circles;
        next.trail.start(on);
        // As the hook of this step has it.
        let passes = &Passes { pairs: &next.solid.passed, circles: &c.handle, segments: &segments.handle };
        if next.guard.find_answered(
            &c.radius,
            (&mut c.x, &mut c.y),
            segments,
            (&config.bounds.periods(), c.labels.sensors(), passes),
            split,
        ) {
            next.guard.put_back(
                index.still(segments, &config.bounds.periods()).place(segments, size_of_bounds(config)),
                Moved::new(segments, seen(&next.saved, &next.saved_near)),
                (c.labels.filters(), passes),
                (&mut c.x, &mut c.y),
                (&mut next.trail, split),
            );
        }
        self.trace_answers();
    }

    /// The circles over which walls passed in the last step, because there was no room for them. Everybody else is where no wall has been.
    #[must_use]
    pub fn squeezed(&self) -> &[Squeezed] {
        &self.squeezed
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
    pub(super) fn trace_motion(&mut self) {
        let (next, c) = (&self.next, &self.circles);
        let Some(trace) = &mut self.trace else { return };
        let was = (c.x.as_slice(), c.y.as_slice());
        let is = (next.flight.x.as_slice(), next.flight.y.as_slice());
        let flown = |row: u32| is_set(next.flyers.flown(), row as usize);
        let periods = self.config.bounds.periods();
        // Legs of who has been brought back are those by which they came to the border.
        let carried = |k: usize| !periods.is_none() && periods.is_carried([was.0[k], was.1[k]], [is.0[k], is.1[k]]);
        let special =
            |row: u32| flown(row) || next.guard.is_put(row) || next.guard.is_early(row) || carried(row as usize);
        trace.add((&c.handle, c.labels.sensors()), &next.trail, (was, is), false, special);
    }

    /// What the answer moved.
    fn trace_answers(&mut self) {
        let (next, c) = (&self.next, &self.next.circles);
        let Some(trace) = &mut self.trace else { return };
        let (was, special) = (next.guard.remembered(), |row: u32| next.guard.is_put(row));
        trace.add((&c.handle, c.labels.sensors()), &next.trail, (was, (&c.x, &c.y)), true, special);
    }
}

impl Trace {
    /// The legs of a trail, and the straight ones of all others.
    fn add(
        &mut self,
        (handles, sensors): (&[CircleHandle], &[bool]),
        trail: &Trail,
        (was, is): (Positions<'_>, Positions<'_>),
        answer: bool,
        special: impl Fn(u32) -> bool,
    ) {
        for leg in &trail.legs {
            self.legs.push((handles[leg.row as usize], leg.from, leg.to, answer));
        }
        for (row, &handle) in handles.iter().enumerate() {
            let (from, to) = ([was.0[row], was.1[row]], [is.0[row], is.1[row]]);
            if from != to && !special(row as u32) && !is_set(sensors, row) {
                self.legs.push((handle, from, to, answer));
            }
        }
    }
}
