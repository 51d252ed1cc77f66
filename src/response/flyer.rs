//! One circle in flight: from impact to impact.
//!
//! Comes in: where it is in the midst of a step, how fast, the solid walls, what is left of the step. Goes out: where it is at the end of the step
//! and how fast, and its legs. This room does not know other circles.
//!
//! A disc flies until it meets a wall, stops an ulp and a half before it, is reflected as an impulse would do, and spends the rest of its time
//! on what follows, up to [`IMPACTS`] times; what is left then is dropped. Walls stand meanwhile: who follows one that flees glides along it ([`super::course`]).
//! It does not stop at an end of a wall while it is on the flank of another one that ends there. Each leg, as it is rounded, is tested exactly, and where it is blocked the door finds another.
//! What begins in overlap meets only what it approaches. Circles of inverse mass 0 are not turned: they go by the door as far as they can.

use super::course::Course;
use super::door::{Scratch, pass, rounded, short_of};
use super::impact::Met;
use super::impulse::{Pair, dot};
use super::integrate::{Flight, Limits};
use super::law::Law;
use super::leaving::{leaves, turned};
use super::trail::Trail;
use super::walls::{But, Hit, Shape, Walls, is_free, wide};
use crate::exact::P;
use crate::geometry::{Periods, Vec2};
use crate::storage::{CircleColumns, Filter};

/// So many walls are met in one step.
pub(super) const IMPACTS: u32 = 8;
/// How far before an impact it stops, in ulp.
const BACK: f64 = 1.5;
/// What comes back of any approach: without it, what is to slide would, by rounding, meet the same wall again and again.
pub(super) const LEAST: f64 = 1.0 / (1u64 << 40) as f64;
/// So many ends in the way may belong to flanks that are passed already.
const HIDDEN: usize = 4;

/// What a wall gives back: as of impulses, nothing from an approach slower than 4 |gravity| dt where restitution is below 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce<'a> {
    law: Law<'a>,
    calm: f64,
}

impl<'a> Bounce<'a> {
    /// By this law; its restitutions of circles are by the rows of those that fly.
    pub(crate) fn new(law: Law<'a>) -> Bounce<'a> {
        Bounce { law, calm: 4.0 * dot(law.gravity, law.gravity).sqrt() * law.dt }
    }

    /// How much of an approach comes back.
    fn back(&self, restitution: f64, approach: f64) -> f64 {
        let calm = restitution < 1.0 && approach < self.calm;
        if calm || restitution < LEAST { LEAST } else { restitution }
    }

    /// The same of two circles.
    pub(super) fn back_of_circles(&self, [a, b]: [u32; 2], approach: f64) -> f64 {
        self.back(self.law.of_circles(a as usize, b as usize), approach)
    }

    /// The velocity of a circle after an impact on a wall with this normal, into the wall, here and so long before the end of the step, and by how
    /// much it has changed along it; all as seen from the wall.
    fn turn(&self, [circle, wall]: [u32; 2], (at, left): (P, f64), velocity: Pair, normal: Pair) -> (Pair, f64) {
        let approach = dot(velocity, normal);
        let restitution = self.law.of_wall(circle as usize, wall as usize);
        let (share, at_touch) = (1.0 + self.back(restitution, approach), self.law.at_touch(approach, normal, left));
        let (back, plain) = (at_touch * share, approach * share);
        if approach <= 0.0 {
            return (velocity, 0.0);
        }
        let least = approach * (1.0 + LEAST);
        let after = |change: f64| [velocity[0] - normal[0] * change, velocity[1] - normal[1] * change];
        let change = if back > least { back } else { least };
        // Too fast, or too far, for the columns: as without gravity.
        let fits =
            |v: f64, x: f32| v.abs() <= f64::from(f32::MAX) && (f64::from(x) + v * left).abs() <= f64::from(f32::MAX);
        let [x, y] = after(change);
        let change = if fits(x, at[0]) && fits(y, at[1]) { change } else { plain };
        (after(change), change)
    }
}

/// What a step is for those that fly.
#[derive(Clone, Copy)]
pub(crate) struct Air<'a> {
    pub(crate) bounce: Bounce<'a>,
    pub(crate) gravity: Vec2,
    pub(crate) limits: Limits,
    /// What repeats: nobody flies farther than a period.
    pub(crate) periods: Periods,
    pub(crate) dt: f32,
}

/// One circle in flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flyer {
    pub(super) row: u32,
    pub(super) radius: f32,
    pub(super) filter: Filter,
    /// Above zero where it is turned by what it meets.
    pub(super) inverse_mass: f32,
    pub(super) from: P,
    /// Where it is to be at the end if it meets nothing; later, where it is.
    pub(super) to: P,
    /// After gravity; later, at the end.
    pub(super) velocity: P,
    pub(super) impacts: u32,
    /// The impulses that it gave to walls.
    pub(super) given: f64,
    /// Its way was not straight to `to`.
    pub(super) other: bool,
}

/// Where a circle is in the midst of its step, how fast, and how much time is left, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) at: P,
    pub(super) velocity: Pair,
    pub(super) left: f64,
}

/// Who wants to know when a circle was where.
pub(super) trait Record {
    /// Until this fraction of the step it flew the legs that the trail has got since it was asked last, at this velocity; or stood.
    fn flew(&mut self, until: f64, velocity: Pair, trail: &Trail);
    /// It has met one wall more, and given so much to walls in all.
    fn met(&mut self, given: f64);
}

/// Nobody does.
impl Record for () {
    #[inline(always)]
    fn flew(&mut self, _: f64, _: Pair, _: &Trail) {}
    #[inline(always)]
    fn met(&mut self, _: f64) {}
}

/// A way, or as much of it as leads no farther from `from` than a period, and how much that is.
pub(super) fn cut(periods: &Periods, from: P, at: P, way: Pair) -> (Pair, f64) {
    let mut part = 1.0;
    for axis in 0..2 {
        let (length, gone) = (periods.length(axis), f64::from(at[axis]) - f64::from(from[axis]));
        let ahead = if way[axis] < 0.0 { length + gone } else { length - gone };
        let ahead = if ahead > 0.0 { ahead } else { 0.0 };
        if length > 0.0 && way[axis].abs() * part > ahead {
            part = ahead / way[axis].abs();
        }
    }
    (if part == 1.0 { way } else { way.map(|way| way * part) }, part)
}

impl Flyer {
    #[inline(always)]
    pub(super) fn new(now: &CircleColumns, flight: &Flight, row: u32) -> Flyer {
        let k = row as usize;
        Flyer {
            row,
            radius: now.radius[k],
            filter: now.labels.filters().of(row),
            inverse_mass: now.inverse_mass[k],
            from: [now.x[k], now.y[k]],
            to: [flight.x[k], flight.y[k]],
            velocity: [now.velocity_x[k], now.velocity_y[k]],
            ..Flyer::default()
        }
    }

    /// From where it is to where it is to be.
    fn way(&self) -> Pair {
        [0, 1].map(|k| f64::from(self.to[k]) - f64::from(self.from[k]))
    }

    /// The whole of its step. What meets nothing is where it would be without this. `gathered`: the walls about the first leg are known.
    pub(super) fn fly(
        &mut self,
        walls: &Walls<'_>,
        air: Air<'_>,
        (scratch, gathered): (&mut Scratch, bool),
        (trail, met): (&mut Trail, &mut Vec<Met>),
    ) {
        if self.inverse_mass <= 0.0 {
            return self.go_on(walls, air, scratch, trail);
        }
        let velocity = wide(self.own_velocity(air));
        let pose = Pose { at: self.from, velocity, left: f64::from(air.dt) };
        self.go(walls, air, (pose, Some(self.to)), (scratch, gathered), (trail, met, &mut ()));
    }

    /// As it was at the start of the step, after gravity.
    pub(super) fn own_velocity(&self, air: Air<'_>) -> P {
        let Air { gravity, dt, .. } = air;
        if self.inverse_mass > 0.0 {
            [self.velocity[0] + gravity.x * dt, self.velocity[1] + gravity.y * dt]
        } else {
            self.velocity
        }
    }

    /// The whole of the step of what nothing turns: by the door.
    pub(super) fn go_on(&mut self, walls: &Walls<'_>, air: Air<'_>, scratch: &mut Scratch, trail: &mut Trail) {
        let to = pass(walls, (self.row, self.filter), self.from, self.to, scratch, trail);
        self.other = to != self.to;
        self.to = to;
        // As it was written by the integration: its end is another, so whether it leaves is asked again.
        self.confine(air, wide(self.velocity));
    }

    /// From a place in the midst of the step to its end; `goal`: where it comes to if it meets nothing, at the start of the step.
    pub(super) fn go(
        &mut self,
        walls: &Walls<'_>,
        air: Air<'_>,
        (pose, goal): (Pose, Option<P>),
        (scratch, gathered): (&mut Scratch, bool),
        (trail, met, record): (&mut Trail, &mut Vec<Met>, &mut impl Record),
    ) {
        let Air { bounce, periods, dt, .. } = air;
        let (Pose { mut at, mut velocity, mut left }, mut goal) = (pose, goal);
        let (mut course, mut short, mut passed) = (Course::new(velocity), [0.0; 2], 0.0);
        if !gathered {
            scratch.cover = None;
        }
        loop {
            let fresh = goal.take();
            let way = if fresh.is_some() { self.way() } else { [0, 1].map(|k| course.onward[k] * left + short[k]) };
            let (way, part) = cut(&periods, self.from, at, way);
            short = [0.0; 2];
            let hit = self.next(walls, (at, way), (scratch, gathered && fresh.is_some()), course.past());
            let start = wide(at);
            let end = [start[0] + way[0], start[1] + way[1]];
            let goal = match (hit, fresh) {
                (None, Some(to)) if part == 1.0 => to,
                (None, _) => rounded(end),
                (Some(hit), _) => short_of(at, way, hit.impact.fraction, BACK * walls.unit_at(start, end)),
            };
            if !(goal[0].is_finite() && goal[1].is_finite()) {
                at = goal;
                break;
            }
            if is_free(&scratch.near, at, goal) {
                trail.leg(self.row, at, goal);
                at = goal;
            } else {
                at = pass(walls, (self.row, self.filter), at, goal, scratch, trail);
            }
            let gone = hit.map_or(part, |hit| hit.impact.fraction * part);
            let now = 1.0 - left * (1.0 - gone) / f64::from(dt);
            passed = if now > passed { now } else { passed };
            record.flew(passed, velocity, trail);
            let Some(hit) = hit else { break };
            // As seen from the wall, where it is touched.
            let normal = hit.impact.normal;
            let place = [0, 1].map(|k| f64::from(at[k]) + normal[k] * f64::from(self.radius));
            let of_wall = walls.velocity(hit.row, place);
            let relative = [velocity[0] - of_wall[0], velocity[1] - of_wall[1]];
            let approach = dot(relative, normal);
            let from_wall = [0, 1].map(|k| start[k] + way[k] * hit.impact.fraction - f64::from(at[k]));
            let early = left * part * dot(from_wall, way) / dot(way, way);
            // Of a way that is shorter than the coordinates tell, no more than it took.
            let early = if early > left * gone { left * gone } else { early };
            left *= 1.0 - gone;
            if !course.meets(hit.row, approach, dot(velocity, normal)) {
                if course.lead(hit.row, normal, velocity) {
                    continue;
                }
                break;
            }
            met.push(Met {
                circle: self.row,
                segment: hit.row,
                point: walls.outline(&hit, [0, 1].map(|k| start[k] + way[k] * hit.impact.fraction)),
                normal,
                approach,
                fraction: passed,
            });
            let mut turn = bounce.turn([self.row, hit.row], (at, left), relative, normal);
            // It goes to where it would from the wall itself; what did not lead off the wall is turned where it stopped, with the time that it has
            // there. It would else be too high by what it stopped before, at each bounce.
            if at == goal {
                let off = dot(turn.0, normal) + dot(of_wall, normal);
                if dot(from_wall, normal) + off * left <= 0.0 {
                    short = from_wall;
                } else if early > 0.0 {
                    left += early;
                    turn = bounce.turn([self.row, hit.row], (at, left), relative, normal);
                }
            }
            let (turned, change) = turn;
            velocity = [turned[0] + of_wall[0], turned[1] + of_wall[1]];
            course.meet(hit.row, normal, (velocity, change > 0.0));
            self.given += change / f64::from(self.inverse_mass);
            record.met(self.given);
            self.impacts += 1;
            if self.impacts == IMPACTS {
                break;
            }
        }
        self.end(at, air, velocity);
        record.flew(1.0, velocity, trail);
    }

    /// It has come to the end of its step.
    pub(super) fn end(&mut self, at: P, air: Air<'_>, velocity: Pair) {
        self.other = self.impacts > 0 || at != self.to;
        self.to = at;
        self.confine(air, velocity);
    }

    /// Bounds turn what leaves, as of every other circle; they move nothing.
    fn confine(&mut self, air: Air<'_>, velocity: Pair) {
        let Air { gravity, limits, dt, .. } = air;
        let v = rounded(velocity);
        let axis = |k: usize, limits: [f32; 2], gravity: f32| {
            if !leaves(self.to[k], v[k], self.radius, limits) {
                return v[k];
            }
            let kick = if self.inverse_mass > 0.0 { gravity * dt } else { 0.0 };
            turned([self.to[k], v[k], self.radius].map(f64::from), limits.map(f64::from), [kick, dt].map(f64::from))
                as f32
        };
        self.velocity = [axis(0, limits.x, gravity.x), axis(1, limits.y, gravity.y)];
    }

    /// The first wall in its way; of those of the rows in `past`, their spines.
    fn next(
        &self,
        walls: &Walls<'_>,
        way: (P, Pair),
        (scratch, gathered): (&mut Scratch, bool),
        past: &[u32],
    ) -> Option<Hit> {
        let hit = self.first(walls, way, (&mut *scratch, gathered), past);
        if past.is_empty() {
            return hit;
        }
        // What is met before a hit is known as well.
        let spine = walls.pick_spine(way, past, &scratch.near);
        match (hit, spine) {
            (Some(hit), Some(spine)) if hit.impact.fraction <= spine.impact.fraction => Some(hit),
            (_, Some(spine)) => Some(spine),
            _ => hit,
        }
    }

    /// The first wall that turns it, but for those of the rows in `past`.
    fn first(
        &self,
        walls: &Walls<'_>,
        (at, way): (P, Pair),
        (scratch, gathered): (&mut Scratch, bool),
        past: &[u32],
    ) -> Option<Hit> {
        let (mut hidden, mut count) = ([u32::MAX; HIDDEN], 0);
        let shape = Shape::Disc(self.radius);
        let gathered = gathered
            || walls.covers(scratch.cover, (at, way), shape)
            || walls.gather((at, way), shape, self.filter, scratch);
        loop {
            let but = But { ends: &hidden[..count], all: past };
            let hit = if gathered {
                walls.pick((at, way), shape, but, &scratch.near)?
            } else {
                walls.walk((at, way), shape, self.filter, but, &mut scratch.near)?
            };
            let Some(end) = hit.impact.end else { return Some(hit) };
            let fraction = hit.impact.fraction;
            let place = [f64::from(at[0]) + way[0] * fraction, f64::from(at[1]) + way[1] * fraction];
            let vertex = if end == 0 { hit.spine.start } else { hit.spine.end };
            // One that is as thick is in reach of it as well, so all of those are known.
            let radius = walls.segments().radius[hit.row as usize];
            let is_hidden = scratch.near.iter().any(|wall| {
                let far = match (wall.spine.start == vertex, wall.spine.end == vertex) {
                    (true, false) => wide(wall.spine.end),
                    (false, true) => wide(wall.spine.start),
                    _ => return false,
                };
                let v = wide(vertex);
                let along = [far[0] - v[0], far[1] - v[1]];
                wall.row != hit.row
                    && wall.radius >= radius
                    && wall.spine.acts(at)
                    && dot([place[0] - v[0], place[1] - v[1]], along) > 0.0
            });
            if !is_hidden || count == HIDDEN {
                return Some(hit);
            }
            hidden[count] = hit.row;
            count += 1;
        }
    }
}
