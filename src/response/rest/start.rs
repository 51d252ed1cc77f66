//! From contacts to bonds: who takes part, from where, and how pairs stand.
//!
//! Comes in: columns after the flight and before it, contacts, what pairs bore. Goes out: the bodies and bonds of a step, and the
//! contacts that have nothing to do with rest. This room does not know substeps' order of things.

use super::super::impulse::{Pair, dot};
use super::super::push_out::half_plane;
use super::super::resolve;
use super::super::strips::{STRIPS, Strips};
use super::super::taken::{Circles, between};
use super::super::warmth::Warmth;
use super::bond::{Bond, DEEP, PUSH_SPEED};
use super::manner::Manner;
use super::motion::Motion;
use super::strip::{Found, Pairs, Strip};
use super::touching::Touching;
use super::{Body, LONGEST, Law, Rest};
use crate::geometry::Periods;
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact};
use crate::parallel::Split;
use crate::storage::{CircleHandle, SegmentColumns, is_set};
use std::iter::repeat;

/// Rows without a body, and rows to which one is about to be given: of who may rest on something, and of who only bounces off one.
pub(super) const NOBODY: u32 = u32::MAX;
const RESTS: u32 = u32::MAX - 1;
const GUEST: u32 = u32::MAX - 2;

/// A wall pushes against others if its normal times the sum of all, its own among them, is less: of two, if these are more than 120 degrees apart.
/// In a corner of a right angle, or on a floor that is cut into pieces, none does.
const AGAINST: f64 = 0.5;

/// Circles before their flight.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    /// For each row now the row then.
    pub(crate) order: &'a [u32],
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
    pub(crate) velocity_x: &'a [f32],
    pub(crate) velocity_y: &'a [f32],
    /// By the row then: it has flown already, from wall to wall; empty: nobody has.
    pub(crate) flown: &'a [bool],
    /// Who is in each row now.
    pub(crate) handle: &'a [CircleHandle],
}

/// Contacts of restitution 1.
#[derive(Debug, Default)]
pub(crate) struct Elastic {
    /// Of bodies that rest on nothing.
    pub(crate) circle_circle: Vec<CircleCircleContact>,
    pub(crate) circle_segment: Vec<CircleSegmentContact>,
    /// One of the two rests on a third.
    pub(crate) mixed: Vec<CircleCircleContact>,
    pub(crate) mixed_walls: Vec<CircleSegmentContact>,
}

impl Elastic {
    fn clear(&mut self) {
        self.circle_circle.clear();
        self.circle_segment.clear();
        self.mixed.clear();
        self.mixed_walls.clear();
    }
}

impl Rest {
    /// Finds out who takes part: who touches something, and who is near one of those. What touches but does not rest is sorted out. False
    /// if nobody takes part.
    pub(in super::super) fn choose(
        &mut self,
        circles: &Circles<'_>,
        law: &Law<'_>,
        [touching, near]: [Touching<'_>; 2],
        elastic: &mut Elastic,
    ) -> bool {
        let place = &mut self.place;
        place.clear();
        place.resize(circles.len(), NOBODY);
        elastic.clear();
        let rows = |c: &CircleCircleContact| [c.a as usize, c.b as usize];
        let mut some = false;
        for c in touching.circle_circle {
            let [a, b] = rows(c);
            if law.of_circles(a, b) < 1.0 {
                (place[a], place[b], some) = (RESTS, RESTS, true);
            }
        }
        for c in touching.circle_segment {
            if law.of_wall(c.a as usize, c.b as usize) < 1.0 {
                (place[c.a as usize], some) = (RESTS, true);
            }
        }
        if !some {
            return false;
        }
        // Whoever may be held up by one who is. There and back, so that it comes as far as it can along most heaps.
        let there = near.circle_circle.iter();
        for c in there.clone().chain(there.rev()) {
            let [a, b] = rows(c);
            if (place[a] == RESTS) != (place[b] == RESTS) && law.of_circles(a, b) < 1.0 {
                (place[a], place[b]) = (RESTS, RESTS);
            }
        }
        if law.restitution < 1.0 && law.is_one() {
            return true;
        }
        for c in touching.circle_circle {
            let [a, b] = rows(c);
            if law.of_circles(a, b) >= 1.0 {
                let rests = [place[a] == RESTS, place[b] == RESTS];
                if rests == [false; 2] {
                    elastic.circle_circle.push(*c);
                    continue;
                }
                elastic.mixed.push(*c);
                for (row, rests) in [a, b].into_iter().zip(rests) {
                    place[row] = if rests { RESTS } else { GUEST };
                }
            }
        }
        for c in touching.circle_segment {
            if law.of_wall(c.a as usize, c.b as usize) >= 1.0 {
                let rests = place[c.a as usize] == RESTS;
                if rests { &mut elastic.mixed_walls } else { &mut elastic.circle_segment }.push(*c);
            }
        }
        true
    }

    /// Makes the bodies and bonds of those who were chosen.
    pub(super) fn gather(
        &mut self,
        circles: &Circles<'_>,
        law: &Law<'_>,
        before: Before<'_>,
        [near, mixed]: [Touching<'_>; 2],
        last: &Warmth,
        split: Split,
    ) {
        self.place(circles, law, before, near.circle_segment.iter().chain(mixed.circle_segment));
        self.find(law, near.circle_circle, mixed.circle_circle);
        self.share_out(circles.periods, law, last, split);
        let rests = |c: &&CircleSegmentContact| law.of_wall(c.a as usize, c.b as usize) < 1.0;
        let walls = || near.circle_segment.iter().filter(rests).chain(mixed.circle_segment);
        self.find_deep(walls());
        let images = near.circle_segment.iter().filter(rests).map(|_| &near.across).chain(repeat(&mixed.across));
        for (c, across) in walls().zip(images) {
            if let Some((at, bond, manner)) = self.wall(circles, law, (near.segments, across), c) {
                let wall = near.segments.handle[c.b as usize].index();
                let bore = near.borne(last, before.handle[c.a as usize].index(), wall, c.b);
                // Of walls that squeeze somebody the sides on which they bear may be others now.
                let bearing = if bond.squeezes { 0.0 } else { bore * last.worth(law.substep()) };
                self.strips[at].touched.push((wall, bore));
                self.strips[at].walls.push((bond.bearing(bearing, law), manner));
            }
        }
    }

    /// Finds out who is deep in a wall, and who of those is between walls that push against each other. The sum of their normals stands meanwhile where
    /// later stands what they bear.
    fn find_deep<'a>(&mut self, walls: impl Iterator<Item = &'a CircleSegmentContact> + Clone) {
        let Rest { place, bodies, motions, .. } = self;
        let at = |c: &CircleSegmentContact| place[c.a as usize] as usize;
        let is_deep = |c: &CircleSegmentContact, body: &Body| f64::from(c.separation) < -DEEP * body.radius;
        let mut some = false;
        for c in walls.clone() {
            if let Some(body) = bodies.get_mut(at(c)).filter(|body| is_deep(c, body)) {
                (body.walls, some) = (body.walls.saturating_add(1), true);
            }
        }
        if !some {
            return;
        }
        let normal = |c: &CircleSegmentContact| [c.normal.x, c.normal.y].map(f64::from);
        for c in walls.clone() {
            if let Some(body) = bodies.get_mut(at(c)).filter(|body| body.walls > 0) {
                body.walls = body.walls.saturating_add(u16::from(!is_deep(c, body)));
                let (sum, [x, y]) = (&mut motions[at(c)].borne, normal(c));
                *sum = [sum[0] + x, sum[1] + y];
            }
        }
        for c in walls {
            if let Some(body) = bodies.get_mut(at(c)).filter(|body| body.walls > 0) {
                body.squeezed |= dot(motions[at(c)].borne, normal(c)) < AGAINST;
            }
        }
        motions.iter_mut().for_each(|motion| motion.borne = [0.0; 2]);
    }

    /// Makes bodies of those who were chosen, strip by strip; behind those of each strip there is room for the walls that they touch.
    fn place<'a>(
        &mut self,
        circles: &Circles<'_>,
        law: &Law<'_>,
        before: Before<'_>,
        walls: impl Iterator<Item = &'a CircleSegmentContact>,
    ) {
        let Rest { place, bodies, motions, strips, count, across, .. } = self;
        let by = Strips::of(place.iter().filter(|&&place| place != NOBODY).count());
        *count = by.count();
        if strips.len() < *count {
            strips.resize_with(*count, Strip::default);
        }
        strips.iter_mut().chain([across]).for_each(|strip| strip.clear(circles.kernels(), law.substep()));
        // Where each strip's rows end.
        let (mut rank, mut ends) = (0, [place.len() as u32; STRIPS]);
        let taken = place.iter().enumerate().filter(|(_, place)| **place != NOBODY);
        for (row, _) in taken.take(if *count > 1 { place.len() } else { 0 }) {
            ends[by.at(rank)] = row as u32 + 1;
            rank += 1;
        }
        ends[*count - 1] = place.len() as u32;
        let mut touched = [0; STRIPS];
        for c in walls.filter(|c| place[c.a as usize] != NOBODY) {
            touched[ends[..*count - 1].partition_point(|&end| end <= c.a)] += 1;
        }
        bodies.clear();
        motions.clear();
        let mut from = 0;
        for (at, strip) in strips[..*count].iter_mut().enumerate() {
            strip.from = bodies.len();
            for (row, place) in (from..).zip(&mut place[from..ends[at] as usize]) {
                if *place != NOBODY {
                    let (body, motion) = start(circles, law, before, row, *place == RESTS);
                    *place = bodies.len() as u32;
                    bodies.push(Body { strip: at as u16, ..body });
                    motions.push(motion);
                }
            }
            from = ends[at] as usize;
            strip.walls_from = bodies.len();
            let behind = bodies.len() + touched[at];
            bodies.resize(behind, Body::default());
            motions.resize(behind, Motion::default());
        }
    }

    /// Lists the pairs of circles of which one can be pushed.
    fn find(&mut self, law: &Law<'_>, near: &[CircleCircleContact], mixed: &[CircleCircleContact]) {
        let Rest { place, bodies, found, .. } = self;
        let rests = |c: &&CircleCircleContact| law.of_circles(c.a as usize, c.b as usize) < 1.0;
        let warm = near.iter().filter(rests).map(|c| (c, true));
        found.clear();
        for (c, is_warm) in warm.chain(mixed.iter().map(|c| (c, false))) {
            let pair = [c.a, c.b].map(|row| place[row as usize]);
            if pair.contains(&NOBODY) {
                continue;
            }
            let [a, b] = pair.map(|at| &bodies[at as usize]);
            if (a.rests || b.rests) && a.inverse_mass + b.inverse_mass != 0.0 {
                found.push(Found { bodies: pair, is_warm });
            }
        }
    }

    /// Gives each strip its pairs, each made where it will stand.
    fn share_out(&mut self, periods: Periods, law: &Law<'_>, last: &Warmth, split: Split) {
        let Rest { bodies, strips, count, across, found, sorted, .. } = self;
        let strip_of = |at: u32| bodies[at as usize].strip as usize;
        sorted.sort(*count, found, |found| found.bodies.map(strip_of), split);
        let pairs = Near { bodies, found, periods, law, last, worth: last.worth(law.substep()) };
        split.each(&mut strips[..*count], |at, strip| strip.take(&pairs, sorted.of(at)));
        across.walls_from = bodies.len();
        across.take(&pairs, sorted.across());
    }

    /// A circle that can be pushed and a wall, which becomes a body here; in which strip.
    fn wall(
        &mut self,
        circles: &Circles<'_>,
        law: &Law<'_>,
        (segments, across): (&SegmentColumns, &Across<'_>),
        contact: &CircleSegmentContact,
    ) -> Option<(usize, Bond, Manner)> {
        let (row, segment) = (contact.a as usize, contact.b as usize);
        let body = circles.take(row);
        let a = self.place[row];
        if a == NOBODY || !self.bodies[a as usize].rests || body.inverse_mass == 0.0 {
            return None;
        }
        let circle = self.bodies[a as usize];
        let velocity = resolve::wall_velocity(segments, across, contact);
        // Walls have flown: for a circle that starts from before, so do they.
        let back = if circle.flown { [0.0; 2] } else { velocity.map(|v| v * law.dt) };
        let from = |d: Pair| [d[0] - back[0], d[1] - back[1]];
        let to_end = |position| resolve::to_end((segments, across), contact, position);
        let bond = match to_end(circle.start) {
            Some(start) if to_end(body.position) != Some([0.0; 2]) => {
                let reach = body.radius + f64::from(segments.radius[segment]);
                Bond { start: from(start), normal: [0.0, 1.0], reach, ..Bond::default() }
            }
            // The flank; and a centre on an end: only the contact knows a normal then.
            _ => {
                let (normal, _) = half_plane(contact, &body);
                let point = [contact.point.x, contact.point.y].map(f64::from);
                Bond {
                    start: from(between(circle.start, point)),
                    normal,
                    reach: body.radius,
                    flat: true,
                    ..Bond::default()
                }
            }
        };
        let at = circle.strip as usize;
        let strip = &self.strips[at];
        let b = strip.walls_from + strip.walls.bonds.len();
        let spent = if circle.flown { velocity } else { [0.0; 2] };
        self.bodies[b] = Body { row: contact.b, flown: true, spent, ..Body::default() };
        self.motions[b] = Motion { velocity, ..Motion::default() };
        let [a, b] = [a as usize, b].map(|at| (at - strip.from) as u32);
        let watched = bond.may_be_apart(
            [0, 1].map(|axis| bond.start[axis] + back[axis] - (circle.end[axis] - circle.start[axis])),
            [contact.point.x, contact.point.y],
        );
        let bond = Bond { a, b, shares: [1.0, 0.0], mass: 1.0 / body.inverse_mass, watched, ..bond };
        let manner = Manner {
            restitution: law.of_wall(row, segment),
            speed: law.speed_of_wall(row, segment),
            since: if circle.flown { law.dt } else { law.substep() },
            flown: circle.flown,
        };
        let squeezes = circle.squeezed;
        let size = if squeezes { circle.radius / f64::from(circle.walls) } else { circle.radius };
        Some((at, Bond { squeezes, ..bond.with_radius(size, size) }, manner))
    }
}

/// Pairs of circles of which one can be pushed, and all that makes bonds of them.
struct Near<'a> {
    bodies: &'a [Body],
    found: &'a [Found],
    periods: Periods,
    law: &'a Law<'a>,
    last: &'a Warmth,
    /// Of what a pair bore, in a substep.
    worth: f64,
}

impl Pairs for Near<'_> {
    #[inline(always)]
    fn bodies(&self, place: u32) -> [u32; 2] {
        self.found[place as usize].bodies
    }

    #[inline(always)]
    fn bond(&self, place: u32, from: usize) -> (Bond, Manner) {
        let Found { bodies, is_warm } = self.found[place as usize];
        let ([a, b], law) = (bodies.map(|at| &self.bodies[at as usize]), self.law);
        let weight = a.inverse_mass + b.inverse_mass;
        let flown = a.flown || b.flown;
        // Where contacts were looked for, if nobody has pushed them since.
        let (apart, reach) = (self.periods.fold(between(a.end, b.end)), a.radius + b.radius);
        let [local_a, local_b] = bodies.map(|at| at - from as u32);
        let bond = Bond {
            a: local_a,
            b: local_b,
            start: self.periods.fold(between(a.start, b.start)),
            // Coincident centres.
            normal: [0.0, 1.0],
            reach,
            mass: 1.0 / weight,
            watched: is_warm && !((a.rests & b.rests) && dot(apart, apart) < SURELY * (reach * reach)),
            ..Bond::default()
        };
        let rows = [a.row as usize, b.row as usize];
        let manner = Manner {
            restitution: law.of_circles(rows[0], rows[1]),
            speed: law.speed_of_circles(rows[0], rows[1]),
            since: if flown { law.dt } else { law.substep() },
            flown,
        };
        let bearing = if is_warm { self.last.of_circles(a.slot, b.slot) * self.worth } else { 0.0 };
        let bond = bond.with_shares([a.inverse_mass / weight, b.inverse_mass / weight]);
        (bond.with_radius(a.radius, b.radius).bearing(bearing, law), manner)
    }
}

/// Two circles touch where their distance is so much less than the sum of their radii, squared both: far more than rounding can change.
const SURELY: f64 = 1.0 - 1e-12;
/// A circle and a wall do where the overlap is more than this share of the radius, and than this one of where they are: as much as some ulp of a contact's
/// point.
const CLEARLY: [f64; 2] = [1e-3, 1e-6];

/// Of the fastest push, and beside what gravity gives: what a pair may bear anew in each substep.
const ANEW: f64 = 0.1;

impl Bond {
    /// Of a circle and a wall so far from it where the flight ended, which it touches there: they need not touch.
    fn may_be_apart(&self, d: Pair, point: [f32; 2]) -> bool {
        let gap = if self.flat { dot(d, self.normal) } else { dot(d, d).sqrt() } - self.reach;
        let far = f64::from(point[0]).abs() + f64::from(point[1]).abs();
        gap >= -(CLEARLY[0] * self.reach + CLEARLY[1] * far)
    }

    /// With what it has borne and has been lent.
    #[inline(always)]
    fn bearing(self, bearing: f64, law: &Law<'_>) -> Bond {
        let anew = dot(law.gravity, law.gravity).sqrt() * law.substep() + ANEW * PUSH_SPEED * self.radius;
        Bond { bearing, lent: bearing, anew, ..self }
    }
}

/// Where and how a circle starts: where its flight began, if it rests on something and is slow; else where its flight ended.
fn start(circles: &Circles<'_>, law: &Law<'_>, before: Before<'_>, row: usize, rests: bool) -> (Body, Motion) {
    let now = circles.take(row);
    let velocity = now.velocity;
    let slow = LONGEST * now.radius;
    let flight2 = (velocity[0] * velocity[0] + velocity[1] * velocity[1]) * (law.dt * law.dt);
    let (radius, inverse_mass) = (now.radius, now.inverse_mass);
    let (row_now, slot, end) = (row as u32, before.handle[row].index(), now.position);
    let body = Body { row: row_now, slot, rests, end, radius, inverse_mass, ..Body::default() };
    let was = before.order[row] as usize;
    if !rests || flight2 > slow * slow || is_set(before.flown, was) {
        let body = Body { flown: true, spent: velocity, start: end, ..body };
        return (body, Motion { velocity, ..Motion::default() });
    }
    let start = circles.periods.nearest_to(now.position, [before.x[was], before.y[was]].map(f64::from));
    let velocity = [before.velocity_x[was], before.velocity_y[was]].map(f64::from);
    let pull = if now.inverse_mass > 0.0 { law.gravity.map(|g| g * law.substep()) } else { [0.0; 2] };
    (Body { start, ..body }, Motion { velocity, pull, ..Motion::default() })
}
