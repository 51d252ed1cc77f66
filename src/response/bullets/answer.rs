//! What two circles do that meet in flight.
//!
//! Comes in: the next meeting of the queue. Goes out: what was met; other paths of both, and their later meetings. This room does not know how
//! meetings are found.
//!
//! The impulse is along the line of centres, of the size that restores the restitution's part of the approach speed; none if they do not approach, as
//! those that graze. Who has been turned as often as can be stays where it is until the step ends, and so does who would go on through it.

use super::path::{Leg, MEETINGS, Room, Turn, straight_leg};
use super::queue::Meeting;
use super::{Bullets, CirclesMet, Find, Partner, Stage, Start, offer};
use crate::response::flyer::Flyer;
use crate::response::impulse::{Pair, dot};

/// A vector of length 1, if it has a direction.
fn direction(v: Pair) -> Option<Pair> {
    let length = dot(v, v).sqrt();
    (length > 0.0).then(|| [v[0] / length, v[1] / length])
}

impl Bullets {
    /// Answers one meeting.
    pub(super) fn meet(&mut self, stage: &Stage<'_>, meeting: &Meeting, find: &mut impl Find) {
        let Meeting { time, rows, apart, .. } = *meeting;
        let air = stage.air;
        // Who has no path yet goes straight on.
        let place = |k: usize| self.place[rows[k] as usize] as usize;
        let flyer = |k: usize| match place(k) {
            0 => Flyer::new(stage.now, stage.flight, rows[k]),
            at => self.paths[at - 1].flyer,
        };
        let flyers = [flyer(0), flyer(1)];
        let leg = |k: usize| match place(k) {
            0 => straight_leg(&flyers[k], air),
            at => self.paths[at - 1].legs[meeting.legs[k] as usize],
        };
        let legs = [leg(0), leg(1)];
        let is_done = |k: usize| flyers[k].inverse_mass <= 0.0 || place(k) > 0 && self.paths[place(k) - 1].is_done();
        let done = [is_done(0), is_done(1)];
        let ([ux, uy], [vx, vy]) = (legs[0].velocity, legs[1].velocity);
        let relative = [ux - vx, uy - vy];
        let distance = dot(apart, apart).sqrt();
        let normal = direction(apart).or_else(|| direction(relative)).unwrap_or([0.0, 1.0]);
        let approach = dot(relative, normal);
        let (from, radius) = (legs[0].at(time), f64::from(flyers[0].radius));
        let point = [0, 1].map(|axis| from[axis] + normal[axis] * radius);
        self.met.push(CirclesMet {
            circles: rows,
            point,
            normal,
            approach: told(&legs, normal, approach),
            fraction: time,
        });
        let weights = flyers.map(|flyer| f64::from(flyer.inverse_mass));
        let mut velocities = legs.map(|leg| leg.velocity);
        let turned = approach > 0.0 && !(done[0] && done[1]);
        if turned {
            let impulse = approach * (1.0 + air.bounce.back_of_circles(rows, approach)) / (weights[0] + weights[1]);
            self.virial += impulse * distance;
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                let change = sign * impulse * weights[k];
                velocities[k] = [0, 1].map(|axis| velocities[k][axis] + normal[axis] * change);
            }
        }
        // Who stays where it is until the step ends, whatever its velocity, is not flown through: who would goes no farther either.
        let stands =
            |k: usize| if turned && weights[k] > 0.0 { self.stays(rows[k], &legs[k]) } else { legs[k].stands() };
        let still = [stands(0), stands(1)];
        let ahead = [dot(velocities[0], normal), -dot(velocities[1], normal)];
        let is_blocked = |k: usize| weights[k] > 0.0 && still[1 - k] && !still[k] && ahead[k] > 0.0;
        let blocked = [is_blocked(0), is_blocked(1)];
        let is_moved = |k: usize| turned && weights[k] > 0.0 || blocked[k];
        let moved = [is_moved(0), is_moved(1)];
        let mut next = meeting.legs.map(|leg| leg as usize);
        let stays = [0, 1].map(|k| place(k) > 0 && self.paths[place(k) - 1].stays_on(next[k]));
        let goes_on = [moved[0] && !stays[0], moved[1] && !stays[1]];
        for k in [0, 1] {
            let turn = Turn { leg: next[k], time, velocity: velocities[k], counts: turned, stays: blocked[k] };
            if goes_on[k] {
                next[k] = self.turn(stage, rows[k], turn);
            } else if moved[k] {
                let at = self.place[rows[k] as usize] as usize;
                self.paths[at - 1].turn_where_it_stays(turn, air);
            }
        }
        // Of those whose path is another all meetings that follow; those of the pair itself once.
        let mut counts = true;
        for k in [0, 1] {
            let at = self.place[rows[k] as usize] as usize;
            let partner = Some(Partner { row: rows[1 - k], leg: next[1 - k], counts });
            if goes_on[k] {
                self.search(stage, Start { at: at - 1, time, leg: next[k], partner }, find);
                counts = false;
            } else if goes_on == [false; 2] && counts && at > 0 {
                self.offer_again(
                    stage,
                    Start { at: at - 1, time, leg: next[k], partner },
                    (rows[1 - k], flyers[1 - k]),
                );
                counts = false;
            }
        }
    }

    /// Once turned on this leg it stays where it is.
    fn stays(&self, row: u32, leg: &Leg) -> bool {
        let meetings = match self.place[row as usize] {
            0 => 0,
            at => self.paths[at as usize - 1].meetings,
        };
        meetings + 1 >= MEETINGS || leg.is_last()
    }

    /// The next meeting of two that have met and were not turned.
    fn offer_again(&mut self, stage: &Stage<'_>, start: Start, (row, flyer): (u32, Flyer)) {
        let Bullets { paths, place, queue, .. } = self;
        let path = &paths[start.at];
        match place[row as usize] {
            0 => offer(queue, stage, (path, start), (&flyer, &[straight_leg(&flyer, stage.air)], 0)),
            at => {
                let other = &paths[at as usize - 1];
                offer(queue, stage, (path, start), (&other.flyer, &other.legs, other.generation));
            }
        }
    }

    /// Gives a circle another velocity; the first leg that it flies with it.
    fn turn(&mut self, stage: &Stage<'_>, row: u32, turn: Turn) -> usize {
        let at = match self.place[row as usize] {
            0 => self.begin(stage, row, false),
            at => at as usize - 1,
        };
        let Bullets { paths, used, near, scratch, trail, .. } = self;
        let path = &mut paths[at];
        let room = &mut Room { walls: stage.walls, air: stage.air, scratch, trail };
        let next = path.turn(turn, room);
        near.add(at as u32, &path.legs[next..], path.flyer.radius);
        if near.is_long() {
            near.clear();
            for (at, path) in paths[..*used].iter().enumerate() {
                near.add(at as u32, &path.legs, path.flyer.radius);
            }
            near.build();
        }
        next
    }
}

/// How fast two come near each other, by their velocities; where those part, one of them stands whatever it would do: as they go in fact. Nothing where they
/// graze.
fn told(legs: &[Leg; 2], normal: Pair, approach: f64) -> f64 {
    if approach >= 0.0 {
        return approach;
    }
    let [u, v] = [0, 1].map(|k: usize| if legs[k].stands() { [0.0; 2] } else { legs[k].velocity });
    let seen = dot([u[0] - v[0], u[1] - v[1]], normal);
    if seen > 0.0 { seen } else { 0.0 }
}
