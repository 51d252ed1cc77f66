//! Pairs of restitution 1: an impulse each, and what overlap is left is taken back bit by bit.
//!
//! Comes in: circles, their contacts. Goes out: the circles, moved and turned; what was given. This room does not know who rests.
//!
//! One backtracked impulse each, one contact after the other, each on what those before it left, so that every pair conserves momentum and
//! energy, whatever the order. Walls come last and so have the last word. Then a few passes take back overlap. Cost: about 32 ns a
//! contact and 16 a push where circles lie close, a chain of roots and quotients in f64; threads work side by side on [strips](Strips).

use super::impulse::{self, Meeting, Pair, dot};
use super::law::Law;
use super::push_out;
use super::resolve::{Given, end_of, wall_velocity};
use super::rest::Touching;
use super::strips::{Places, Sorted, Strips};
use super::taken::{Body, Circles, First, difference};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};
use crate::parallel::Split;
use crate::storage::SegmentColumns;

/// Push-out passes, and the share of the overlap that each takes back.
const PUSHES: (usize, f64) = (2, 0.2);

/// How many steps ago two discs may have met. Whom an impulse has turned towards a third one meets it in this very step, is found at the
/// end of the next, and flew on for up to two. With one step for the longest, a gas at packing 0.5 whose discs fly a twentieth of their
/// diameter a step had 1.6 % too little pressure, with two it has 0.3 (equation of state and measurement agree to that).
const LATE: f64 = 2.0;

/// What bounces, strip by strip.
#[derive(Debug, Default)]
pub(super) struct Bouncing {
    pairs: Sorted,
    walls: Sorted,
    strips: Vec<Strip>,
    across: Strip,
}

/// What a strip has given, and the contacts that impulses have not parted.
#[derive(Debug, Default)]
struct Strip {
    given: f64,
    deep: Vec<u32>,
}

impl Bouncing {
    /// One impulse each.
    pub(super) fn bounce(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        touching: Touching<'_>,
        split: Split,
    ) -> Given {
        let Touching { segments, circle_circle, circle_segment, .. } = touching;
        let Bouncing { pairs, walls, strips, across } = self;
        let by = Strips::of(circles.len());
        pairs.sort(by.count(), circle_circle.iter().map(|c| [by.at(c.a), by.at(c.b)]));
        walls.sort(by.count(), circle_segment.iter().map(|c| [by.at(c.a); 2]));
        if strips.len() < by.count() {
            strips.resize_with(by.count(), Strip::default);
        }
        let strips = &mut strips[..by.count()];
        by.each(circles, strips, split, &|circles, at, strip| strip.bounce(circles, law, circle_circle, pairs.of(at)));
        across.bounce(circles, law, circle_circle, pairs.across());
        let all = |strips: &[Strip]| strips.iter().fold(0.0, |sum, strip| sum + strip.given);
        let virial = all(strips) + across.given;
        by.each(circles, strips, split, &|circles, at, strip| {
            strip.given = 0.0;
            for at in walls.of(at).iter() {
                strip.given += resolve_wall(circles, segments, law, &circle_segment[at as usize]);
            }
        });
        Given { virial, to_walls: all(strips) }
    }

    /// Takes back some of the overlap that is left; last that of pairs and walls that did not bounce.
    pub(super) fn part(
        &mut self,
        circles: &mut Circles<'_>,
        touching: Touching<'_>,
        (mixed, mixed_walls): (&[CircleCircleContact], &[CircleSegmentContact]),
        split: Split,
    ) {
        let Touching { circle_circle, circle_segment, .. } = touching;
        let Bouncing { walls, strips, across, .. } = self;
        let by = Strips::of(circles.len());
        let (passes, factor) = PUSHES;
        for _ in 0..passes {
            by.each(circles, strips, split, &|circles, _, strip| push(circles, strip.deep(circle_circle), factor));
            push(circles, across.deep(circle_circle).chain(mixed), factor);
            by.each(circles, strips, split, &|circles, at, _| {
                for at in walls.of(at).iter() {
                    push_out::circle_segment(circles, &circle_segment[at as usize], factor);
                }
            });
            mixed_walls.iter().for_each(|contact| push_out::circle_segment(circles, contact, factor));
        }
    }
}

/// Takes back so much of the overlap of each pair.
fn push<'a>(circles: &mut Circles<'_>, contacts: impl Iterator<Item = &'a CircleCircleContact>, factor: f64) {
    let mut first = First::default();
    for contact in contacts {
        push_out::circle_circle(circles, contact, first.of(circles, contact.a), factor);
    }
}

impl Strip {
    /// One impulse each; remembers the pairs that still overlap then. Most have flown apart.
    fn bounce(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        contacts: &[CircleCircleContact],
        places: Places<'_>,
    ) {
        self.given = 0.0;
        self.deep.clear();
        let mut first = First::default();
        for at in places.iter() {
            let contact = &contacts[at as usize];
            let (virial, overlap) = resolve_pair(circles, law, contact, first.of(circles, contact.a));
            self.given += virial;
            if overlap {
                self.deep.push(at);
            }
        }
    }

    /// Those that it remembers.
    fn deep<'a>(&'a self, contacts: &'a [CircleCircleContact]) -> impl Iterator<Item = &'a CircleCircleContact> {
        self.deep.iter().map(|&at| &contacts[at as usize])
    }
}

/// The impulse of two circles, if they approach and one of them can be moved: its share of the virial, and whether they still
/// overlap then.
#[inline(always)]
fn resolve_pair(
    circles: &mut Circles<'_>,
    law: &Law<'_>,
    contact: &CircleCircleContact,
    one: &mut Body,
) -> (f64, bool) {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut two = circles.take(b);
    let weight = one.inverse_mass + two.inverse_mass;
    if weight == 0.0 {
        return (0.0, false);
    }
    let (d, u) = (circles.between(one.position, two.position), difference(one.velocity, two.velocity));
    let mut virial = 0.0;
    let met = impulse::discs(d, u, one.radius + two.radius, LATE * law.dt);
    let speed = law.speed_of_circles(a, b);
    if let Some(met) = if speed > 0.0 { met.or_else(|| thrown(d, u, one.radius + two.radius, speed)) } else { met } {
        // Of restitution 1; shared by inverse mass.
        let change = met.change(1.0, speed);
        let (by_one, by_two) = (change * (one.inverse_mass / weight), change * (two.inverse_mass / weight));
        circles.kick(a, one, met.normal, -by_one, met.since);
        circles.kick(b, &mut two, met.normal, by_two, met.since);
        virial = change / weight * met.distance;
    }
    (virial, push_out::is_deep(circles, one, &two))
}

/// Two circles that touch, do not approach, and are to part at some speed.
#[cold]
fn thrown(d: Pair, u: Pair, reach: f64, speed: f64) -> Option<Meeting> {
    let distance = dot(d, d).sqrt();
    // A pair before this one may have parted them.
    if distance > reach {
        return None;
    }
    let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [0.0, 1.0] };
    impulse::standing(normal, distance, u, speed)
}

/// The impulse of a circle on a segment, which has infinite mass: mirrored in the wall as it moves. How large it is.
fn resolve_wall(
    circles: &mut Circles<'_>,
    segments: &SegmentColumns,
    law: &Law<'_>,
    contact: &CircleSegmentContact,
) -> f64 {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut body = circles.take(a);
    if body.inverse_mass > 0.0 {
        let u = difference(body.velocity, wall_velocity(&circles.periods, segments, b, contact));
        if let Some(met) = meet_wall(circles, &body, segments, law, contact, u) {
            let change = met.change(1.0, law.speed_of_wall(a, b));
            circles.kick(a, &mut body, met.normal, -change, met.since);
            return change / body.inverse_mass;
        }
    }
    0.0
}

/// A flank is a half plane; an end is a disc of the segment's radius.
fn meet_wall(
    circles: &Circles<'_>,
    body: &Body,
    segments: &SegmentColumns,
    law: &Law<'_>,
    contact: &CircleSegmentContact,
    u: Pair,
) -> Option<Meeting> {
    let b = contact.b as usize;
    let speed = law.speed_of_wall(contact.a as usize, b);
    let d = end_of(segments, b, contact).map_or([0.0, 0.0], |end| circles.between(body.position, end));
    if d == [0.0, 0.0] {
        // Also where the centre is on an end: only the contact knows a normal then.
        let (normal, penetration) = push_out::half_plane(contact, body);
        let met = impulse::flank(normal, penetration, u, law.dt);
        let still = speed > 0.0 && penetration >= 0.0 && met.is_none();
        return if still { impulse::standing(normal, 0.0, u, speed) } else { met };
    }
    let reach = body.radius + f64::from(segments.radius[b]);
    let met = impulse::discs(d, u, reach, LATE * law.dt);
    if speed > 0.0 { met.or_else(|| thrown(d, u, reach, speed)) } else { met }
}
