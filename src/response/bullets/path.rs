//! The path of one circle in one step, and what time it is where.
//!
//! Comes in: a flight and its legs as they are flown. Goes out: where the circle is at any fraction of the step; the path cut short at one, and
//! another way from there. This room does not know other circles.
//!
//! *Why nothing leaks.* Every leg is one that the flight or the door let pass, or the beginning of one; the end of that is rounded, so it is
//! asked again whether it is free, and if it is not the door says where else it ends.

use crate::exact::P;
use crate::response::door::{Scratch, pass, rounded};
use crate::response::flyer::{Air, Flyer, IMPACTS, Pose, Record};
use crate::response::impact::Met;
use crate::response::impulse::{Pair, dot};
use crate::response::integrate::Flight;
use crate::response::trail::Trail;
use crate::response::walls::{Shape, Walls, is_free, wide};
use crate::storage::{CircleColumns, is_set};

/// So many circles are met in one step.
pub(super) const MEETINGS: u32 = IMPACTS;

/// A straight stretch of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    /// Fractions of the step.
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) from: P,
    pub(super) to: P,
    pub(super) velocity: Pair,
    /// How many walls had been met before, and what had been given to them.
    mets: u32,
    given: f64,
}

impl Leg {
    /// It goes nowhere, whatever its velocity.
    pub(super) fn stands(&self) -> bool {
        self.from == self.to
    }

    /// As many walls have been met before as can be.
    pub(super) fn is_last(&self) -> bool {
        self.mets >= IMPACTS
    }

    /// Where it is at a fraction of the step that is within the leg.
    pub(super) fn at(&self, time: f64) -> Pair {
        let (from, to) = (wide(self.from), wide(self.to));
        if time <= self.begin {
            from
        } else if time >= self.end {
            to
        } else {
            let part = (time - self.begin) / (self.end - self.begin);
            [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]
        }
    }
}

/// One circle that flies, or has been hit by one.
#[derive(Debug, Default)]
pub(super) struct Path {
    pub(super) flyer: Flyer,
    pub(super) legs: Vec<Leg>,
    pub(super) met: Vec<Met>,
    pub(super) bullet: bool,
    /// It is not where it would be without other circles.
    pub(super) changed: bool,
    /// How many circles have turned it.
    pub(super) meetings: u32,
    /// How often its path has changed.
    pub(super) generation: u32,
    /// What it would have given to walls.
    pub(super) given_alone: f64,
}

/// How a circle flies on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The leg that it is on, at this fraction of the step.
    pub(super) leg: usize,
    pub(super) time: f64,
    pub(super) velocity: Pair,
    /// It was another circle that turned it; else it is only stopped.
    pub(super) counts: bool,
    /// It stays where it is until the step ends.
    pub(super) stays: bool,
}

/// Writes legs down while they are flown.
struct Recorder<'a> {
    legs: &'a mut Vec<Leg>,
    /// The legs of the trail that have been written down.
    seen: usize,
    now: f64,
    at: P,
    mets: u32,
    given: f64,
}

impl<'a> Recorder<'a> {
    /// From a fraction of the step and a place on.
    fn new((legs, met, flyer): (&'a mut Vec<Leg>, &[Met], &Flyer), now: f64, at: P) -> Recorder<'a> {
        Recorder { legs, seen: 0, now, at, mets: met.len() as u32, given: flyer.given }
    }

    fn push(&mut self, end: f64, to: P, velocity: Pair) {
        let (begin, from) = (self.now, self.at);
        (self.now, self.at) = (end, to);
        self.legs.push(Leg { begin, end, from, to, velocity, mets: self.mets, given: self.given });
    }
}

fn length(from: P, to: P) -> f64 {
    let (from, to) = (wide(from), wide(to));
    let way = [to[0] - from[0], to[1] - from[1]];
    dot(way, way).sqrt()
}

impl Record for Recorder<'_> {
    fn flew(&mut self, until: f64, velocity: Pair, trail: &Trail) {
        let legs = &trail.legs[self.seen..];
        self.seen = trail.legs.len();
        let begin = self.now;
        let whole: f64 = legs.iter().map(|leg| length(leg.from, leg.to)).sum();
        let mut gone = 0.0;
        for (k, leg) in legs.iter().enumerate() {
            gone += length(leg.from, leg.to);
            let end = if k + 1 == legs.len() { until } else { begin + (until - begin) * (gone / whole) };
            self.push(end, leg.to, velocity);
        }
        if self.now < until {
            self.push(until, self.at, velocity);
        }
    }

    fn met(&mut self, given: f64) {
        self.mets += 1;
        self.given = given;
    }
}

/// What paths are flown through, and with.
pub(super) struct Room<'a> {
    pub(super) walls: &'a Walls<'a>,
    pub(super) air: Air<'a>,
    pub(super) scratch: &'a mut Scratch,
    pub(super) trail: &'a mut Trail,
}

impl Path {
    /// Forgets all but its memory. `row`: of a circle that has not moved yet.
    fn begin(&mut self, now: &CircleColumns, flight: &Flight, row: u32) {
        let Path { legs, met, .. } = std::mem::take(self);
        let flyer = Flyer::new(now, flight, row);
        let bullet = is_set(now.labels.bullets(), row as usize);
        *self = Path { flyer, legs, met, bullet, ..Path::default() };
        self.legs.clear();
        self.met.clear();
    }

    /// Of what is slow: straight to where it comes to.
    pub(super) fn straight(&mut self, now: &CircleColumns, flight: &Flight, row: u32, air: Air<'_>) {
        self.begin(now, flight, row);
        self.legs.push(straight_leg(&self.flyer, air));
    }

    /// Of what is fast: as it flies from wall to wall, towards `goal`.
    pub(super) fn fly(&mut self, now: &CircleColumns, flight: &Flight, (row, goal): (u32, P), room: &mut Room<'_>) {
        self.begin(now, flight, row);
        self.flyer.to = goal;
        let from = self.flyer.from;
        let velocity = wide(self.flyer.own_velocity(room.air));
        if self.flyer.inverse_mass > 0.0 {
            let pose = Pose { at: from, velocity, left: f64::from(room.air.dt) };
            self.go((pose, Some(goal)), 0.0, room);
        } else {
            room.trail.start(true);
            self.flyer.go_on(room.walls, room.air, room.scratch, room.trail);
            // It goes as far as it can, as fast as it is, and stands there.
            let legs = room.trail.legs.iter().map(|leg| length(leg.from, leg.to)).sum::<f64>();
            let whole = length(from, goal);
            let part = if legs < whole { legs / whole } else { 1.0 };
            let mut recorder = self.recorder(0.0, from);
            recorder.flew(part, velocity, room.trail);
            recorder.flew(1.0, [0.0; 2], room.trail);
        }
        self.given_alone = self.flyer.given;
    }

    fn recorder(&mut self, now: f64, at: P) -> Recorder<'_> {
        Recorder::new((&mut self.legs, &self.met, &self.flyer), now, at)
    }

    fn go(&mut self, (pose, goal): (Pose, Option<P>), now: f64, room: &mut Room<'_>) {
        let Path { flyer, legs, met, .. } = self;
        let mut recorder = Recorder::new((legs, met, flyer), now, pose.at);
        room.trail.start(true);
        let to = (&mut *room.trail, met, &mut recorder);
        flyer.go(room.walls, room.air, (pose, goal), (room.scratch, false), to);
    }

    /// It is turned no more.
    pub(super) fn is_done(&self) -> bool {
        self.flyer.inverse_mass <= 0.0 || self.meetings >= MEETINGS
    }

    /// On this leg it stays where it is until the step ends, whoever turns it.
    pub(super) fn stays_on(&self, leg: usize) -> bool {
        let is_done = self.meetings >= MEETINGS || self.flyer.impacts >= IMPACTS;
        is_done && leg + 1 == self.legs.len() && self.legs[leg].stands() && self.legs[leg].end >= 1.0
    }

    /// It is turned there: its path is what it was, so nobody's meetings with it change.
    pub(super) fn turn_where_it_stays(&mut self, turn: Turn, air: Air<'_>) {
        let leg = &mut self.legs[turn.leg];
        leg.velocity = turn.velocity;
        self.flyer.end(leg.to, air, turn.velocity);
        self.changed = true;
        self.meetings += u32::from(turn.counts);
    }

    /// It flies on otherwise. The first leg that it flies then.
    pub(super) fn turn(&mut self, turn: Turn, room: &mut Room<'_>) -> usize {
        let Turn { leg, time, velocity, counts, stays } = turn;
        let at = self.cut(leg, time, room);
        let next = self.legs.len();
        self.changed = true;
        self.meetings += u32::from(counts);
        self.generation += 1;
        let left = (1.0 - time) * f64::from(room.air.dt);
        if stays || self.meetings >= MEETINGS || self.flyer.impacts >= IMPACTS || left <= 0.0 {
            // What is left of the step is dropped.
            room.trail.start(true);
            self.flyer.end(at, room.air, velocity);
            self.recorder(time, at).flew(1.0, velocity, room.trail);
        } else {
            self.go((Pose { at, velocity, left }, None), time, room);
        }
        next
    }

    /// Ends the path at a fraction of the step, and forgets what comes after it. Where that is.
    fn cut(&mut self, at: usize, time: f64, room: &mut Room<'_>) -> P {
        let leg = self.legs[at];
        self.legs.truncate(at);
        self.met.truncate(leg.mets as usize);
        (self.flyer.given, self.flyer.impacts) = (leg.given, leg.mets);
        let place = if time >= leg.end { leg.to } else { rounded(leg.at(time)) };
        let (from, to) = (wide(leg.from), wide(place));
        room.trail.start(true);
        let motion = [to[0] - from[0], to[1] - from[1]];
        room.walls.first((leg.from, motion), Shape::Point, self.flyer.filter, room.scratch);
        let mut end = place;
        if is_free(&room.scratch.near, leg.from, place) {
            room.trail.leg(self.flyer.row, leg.from, place);
        } else {
            end = pass(room.walls, (self.flyer.row, self.flyer.filter), leg.from, place, room.scratch, room.trail);
        }
        self.recorder(leg.begin, leg.from).flew(time, leg.velocity, room.trail);
        end
    }
}

/// The whole step of what flies straight.
pub(super) fn straight_leg(flyer: &Flyer, air: Air<'_>) -> Leg {
    let velocity = wide(flyer.own_velocity(air));
    Leg { begin: 0.0, end: 1.0, from: flyer.from, to: flyer.to, velocity, mets: 0, given: 0.0 }
}
