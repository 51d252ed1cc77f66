//! Bodies that rest on each other: all contacts of a step solved together, in substeps.
//!
//! Comes in: circles after their flight, where they were before it, contacts, what pairs bore at the last step. Goes out: new
//! velocities and positions, and what pairs bear now. This room does not know how contacts are found, nor pairs of restitution 1
//! but where one of their bodies may rest on a third.
//!
//! Who touches something and is slow (its flight no longer than half its radius) is taken back to where the flight began, and
//! flies again in substeps: gravity, impacts, bearing, motion, and a pass that takes back what overlap gave. Who is fast has
//! flown, and is only moved by what changes of its velocity are worth. The contacts are those of the whole flight; their normals and
//! separations are told anew from the positions in every substep, those of a wall's flank along its normal. So a substep costs a few
//! passes over contacts instead of a detection, and substeps bring far more than passes: a pile of 110 layers stands on 12.
//!
//! One pair after the other, each on what those before it left, so that support travels through a pile within one pass. They come in the
//! order of `order`, so that a pair need not wait for the one before it, and four at a time where so many wait for nobody. Cost: 9 ns a pair
//! and substep in a pile of ten thousand (Zen 4), and some 90 ns a pair and step for making bonds and what comes of them. Threads work
//! side by side on strips of bodies; in every pass the pairs from one strip to another come after, or on the way back before, all those.
//!
//! Source: E. Catto, "Solver2D" (2024): soft steps with relaxation.

mod bond;
mod falling;
mod fours;
mod manner;
mod motion;
mod one_of_four;
mod seen;
mod settling;
mod start;
mod strip;
mod touching;

use super::impulse::{Pair, dot};
use super::integrate::Limits;
use super::law::Law;
use super::leaving::turned;
use super::resolve::Given;
use super::strips::Sorted;
use super::taken::{Circles, difference};
use super::warmth::Warmth;
use crate::parallel::Split;
use bond::pace;
use falling::Falling;
use motion::Motion;
use strip::{Found, Strip};

pub(crate) use seen::{MetWithin, Told};
pub(crate) use start::{Before, Elastic};
pub(crate) use touching::Touching;

/// How far beyond its flight a circle may be moved, and how far the flight of a slow one is, as a share of its radius.
const LONGEST: f64 = 0.5;

/// Who bears less than this share of a weight is not held up.
const LEAST: f64 = 0.25;

/// A circle that takes part, or a wall where it is touched.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Body {
    /// The circle's row, and the slot of its handle; of a wall its row alone.
    row: u32,
    slot: u32,
    /// That of the circle.
    strip: u16,
    /// Of one that is deep in a wall, how many it is near; and whether one of them pushes against the others.
    walls: u16,
    squeezed: bool,
    /// Has flown already.
    flown: bool,
    /// Touches something with restitution below 1, or is near one that does.
    rests: bool,
    /// Can be pushed, and was; and that by what cannot be.
    pushed: bool,
    thrown_back: bool,
    /// Of its velocity, what does not move it: it is behind it already.
    spent: Pair,
    /// Its velocity has changed much since the step began.
    quick: bool,
    /// Where it starts, and where its flight ended.
    start: Pair,
    end: Pair,
    /// A circle's.
    radius: f64,
    inverse_mass: f64,
}

/// Buffers, reused.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// By row of circle: which body, if it is one.
    place: Vec<u32>,
    /// Strip by strip: circles, then walls.
    bodies: Vec<Body>,
    motions: Vec<Motion>,
    /// So many of these are used.
    count: usize,
    strips: Vec<Strip>,
    /// Pairs from one strip to another.
    across: Strip,
    /// Pairs of circles as their contacts come, and by strip.
    found: Vec<Found>,
    sorted: Sorted,
    /// By body, where there is gravity: it bears something, or is borne.
    bears: Vec<bool>,
    /// The length of the substeps that springs are as stiff for.
    slow: f64,
}

impl Rest {
    /// Solves the contacts of those who were [chosen](Self::choose): changes velocities and positions, tells what was given to whom, and
    /// adds what is borne to `next`.
    pub(super) fn solve(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        before: Before<'_>,
        [near, mixed]: [Touching<'_>; 2],
        (last, next, told): (&Warmth, &mut Warmth, &mut Told),
        split: Split,
    ) -> Given {
        self.gather(circles, law, before, [near, mixed], last, split);
        self.slow = last.slow_after(law.substep());
        self.remember(law, last);
        self.change_steps(law, 0.5);
        settling::begin((&mut self.strips[..self.count], &mut self.across), &self.bodies, &self.motions, law);
        if self.strips().iter().chain([&self.across]).any(Strip::may_hit) {
            self.lively(law, split);
        } else {
            self.quiet(law, split);
        }
        self.look_who_bears(law);
        self.change_steps(law, -0.5);
        self.write(circles, law);
        self.keep(law, last, next);
        self.tell(before, told);
        self.strips().iter().fold(Given::default(), |sum, strip| sum.and(strip.given)).and(self.across.given)
    }

    fn strips(&self) -> &[Strip] {
        &self.strips[..self.count]
    }

    /// Who bore something, or was borne, when the last step ended: by whatever that was, and not by what is touched now, or what was taken from a velocity
    /// then would not be given back.
    fn remember(&mut self, law: &Law<'_>, last: &Warmth) {
        self.bears.clear();
        if law.pulls() {
            self.bears.extend(self.bodies.iter().map(|body| last.is_held(body.slot)));
        }
    }

    /// Who bears something now, or is borne.
    fn look_who_bears(&mut self, law: &Law<'_>) {
        if !law.pulls() {
            return;
        }
        let Rest { strips, count, across, bears, .. } = self;
        let least = LEAST * law.weight();
        bears.fill(false);
        for strip in strips[..*count].iter().chain([&*across]) {
            let mut mark = |pair: [u32; 2], bearing: f64| {
                if bearing > least {
                    pair.into_iter().for_each(|at| bears[strip.from + at as usize] = true);
                }
            };
            strip.each_bearing(&mut mark);
            strip.walls.bonds.iter().for_each(|bond| mark([bond.a, bond.b], bond.lasting()));
        }
    }

    /// Between a step and its substeps: a velocity is that of the middle of a step on the parabola that goes through the places, so from one length to
    /// another it changes by what gravity gives in half of the difference, and who falls freely comes to the same place by either. Who bears
    /// something, or is borne, does not fall.
    fn change_steps(&mut self, law: &Law<'_>, share: f64) {
        let Rest { motions, bears, .. } = self;
        // Who has flown, and walls, are pulled no more.
        let times = share * f64::from(law.substeps - 1);
        for (motion, _) in motions.iter_mut().zip(&*bears).filter(|(_, bears)| !**bears) {
            motion.velocity = [0, 1].map(|axis| motion.velocity[axis] + motion.pull[axis] * times);
        }
    }

    /// All substeps, where nobody bounces. Nothing looks at velocities between the last pass of one and the first of the next, so each
    /// bond is looked at once for both.
    fn quiet(&mut self, law: &Law<'_>, split: Split) {
        let Rest { bodies, motions, strips, count, across, slow, .. } = self;
        let (strips, pace) = (&mut strips[..*count], pace(law.dt, law.substep(), *slow));
        let limits = (law.limits != Limits::NONE || bodies.iter().any(|b| b.spent != [0.0; 2])).then_some(law.limits);
        each(strips, bodies, motions, split, &|strip, _, motions| strip.look(motions));
        across.look(motions);
        for left in (0..law.substeps).rev() {
            let first = left + 1 == law.substeps;
            each(strips, bodies, motions, split, &|strip, _, motions| {
                if !first {
                    strip.relax_pairs(motions, true);
                }
                motions.iter_mut().for_each(Motion::start);
                strip.bear_pairs(motions, pace);
            });
            across.bear_pairs(motions, pace);
            each(strips, bodies, motions, split, &|strip, bodies, motions| {
                strip.fly((bodies, motions), limits, pace, left > 0);
            });
            settling::solve((strips, across), (bodies, motions), split, left > 0);
            across.relax_pairs(motions, left > 0);
        }
        each(strips, bodies, motions, split, &|strip, _, motions| strip.relax_pairs(motions, false));
    }

    /// All substeps, where some may bounce.
    fn lively(&mut self, law: &Law<'_>, split: Split) {
        let Rest { bodies, motions, strips, count, across, slow, .. } = self;
        let (strips, pace, falling) = (&mut strips[..*count], pace(law.dt, law.substep(), *slow), Falling::new(law));
        for left in (0..law.substeps).rev() {
            let first = left + 1 == law.substeps;
            each(strips, bodies, motions, split, &|strip, bodies, motions| {
                if !first {
                    strip.relax_pairs(motions, false);
                }
                motions.iter_mut().for_each(Motion::start);
                strip.hit_pairs((bodies, motions), falling);
            });
            across.hit_pairs((bodies, motions), falling);
            each(strips, bodies, motions, split, &|strip, bodies, motions| {
                strip.hit_walls((bodies, motions), falling);
                strip.resume(motions);
            });
            across.resume(motions);
            each(strips, bodies, motions, split, &|strip, _, motions| strip.bear_pairs(motions, pace));
            across.bear_pairs(motions, pace);
            each(strips, bodies, motions, split, &|strip, bodies, motions| {
                strip.fly((bodies, motions), Some(law.limits), pace, false);
            });
            settling::solve((strips, across), (bodies, motions), split, false);
            across.relax_pairs(motions, false);
        }
        each(strips, bodies, motions, split, &|strip, _, motions| strip.relax_pairs(motions, false));
    }

    /// Back into the columns. Who was not pushed has had the flight that it had, bit for bit.
    fn write(&mut self, circles: &mut Circles<'_>, law: &Law<'_>) {
        let Rest { bodies, motions, strips, count, across, bears, .. } = self;
        each(&mut strips[..*count], bodies, motions, Split::SERIAL, &|strip, bodies, _| strip.mark(bodies));
        across.mark(bodies);
        for (at, (body, motion)) in bodies.iter().zip(motions).enumerate() {
            if body.pushed {
                let row = body.row as usize;
                let flown = circles.take(row).position;
                let goal = within(body, flown, motion.way);
                let end = short_of(flown, goal, LONGEST * body.radius);
                // Two that can be pushed keep their momentum, wherever they are cut.
                let falls = bears.get(at) == Some(&false);
                let velocity = if falls && body.thrown_back {
                    faster(motion.velocity, dot(law.gravity, difference(goal, end)))
                } else {
                    motion.velocity
                };
                circles.put(row, end, velocity);
            }
        }
    }

    /// Who met on the way.
    fn tell(&mut self, before: Before<'_>, told: &mut Told) {
        let Rest { bodies, motions, strips, count, across, .. } = self;
        for strip in strips[..*count].iter_mut().chain([across]) {
            strip.look_back(&motions[strip.from..]);
            told.add(&strip.seen, &bodies[strip.from..], strip.walls_from - strip.from, before);
        }
        told.sort();
    }

    /// What is borne now, for the next step.
    fn keep(&self, law: &Law<'_>, last: &Warmth, next: &mut Warmth) {
        let (h, slow) = (law.substep(), self.slow);
        for strip in self.strips().iter().chain([&self.across]) {
            let slot = |body: u32| self.bodies[strip.from + body as usize].slot;
            strip.each_bearing(|[a, b], bearing| {
                let [a, b] = [slot(a), slot(b)];
                if h < slow {
                    next.add_circles(a, b, mean(last.of_circles(a, b), bearing / h, h / slow));
                } else if bearing > 0.0 {
                    next.add_circles(a, b, bearing / h);
                }
            });
            for (bond, &(wall, bore)) in strip.walls.bonds.iter().zip(&strip.touched) {
                let circle = slot(bond.a);
                if h < slow {
                    next.add_wall(circle, wall, mean(bore, bond.lasting() / h, h / slow));
                } else if bond.lasting() > 0.0 {
                    next.add_wall(circle, wall, bond.lasting() / h);
                }
            }
        }
        // Who is not pulled has the velocity of whole steps.
        for ((body, motion), _) in self.bodies.iter().zip(&self.motions).zip(&self.bears).filter(|(_, bears)| **bears) {
            if motion.pull != [0.0; 2] {
                next.hold(body.slot);
            }
        }
        next.turn(slow);
    }
}

/// Of what was borne for long and what is borne in a substep that is such a share of a long one: an impact in a short substep is no weight.
fn mean(before: f64, now: f64, share: f64) -> f64 {
    before * (1.0 - share) + now * share
}

/// `work` for each strip with its bodies and motions, side by side.
fn each(
    strips: &mut [Strip],
    bodies: &mut [Body],
    motions: &mut [Motion],
    split: Split,
    work: &(impl Fn(&mut Strip, &mut [Body], &mut [Motion]) + Sync),
) {
    if let [strip] = strips {
        return work(strip, bodies, motions);
    }
    let from = strips[0].from;
    let (low, high) = strips.split_at_mut(strips.len() / 2);
    let at = high[0].from - from;
    let (bodies, motions) = (bodies.split_at_mut(at), motions.split_at_mut(at));
    split.join(|| each(low, bodies.0, motions.0, split, work), || each(high, bodies.1, motions.1, split, work));
}

/// Everybody moves on; bounds turn what leaves, of those that have not flown yet.
fn fly(bodies: &[Body], motions: &mut [Motion], limits: Limits, h: f64) {
    let open = limits == Limits::NONE;
    for (body, motion) in bodies.iter().zip(motions) {
        for axis in 0..2 {
            motion.way[axis] += (motion.velocity[axis] - body.spent[axis]) * h;
        }
        if open || body.flown {
            continue;
        }
        for (axis, [low, high]) in [limits.x, limits.y].into_iter().enumerate() {
            let (x, v) = (body.start[axis] + motion.way[axis], motion.velocity[axis]);
            let [low, high] = [low, high].map(f64::from);
            if (x - body.radius < low && v < 0.0) || (x + body.radius > high && v > 0.0) {
                motion.velocity[axis] = turned([x, v, body.radius], [low, high], [motion.pull[axis], h]);
            }
        }
    }
}

/// Where a circle ends: anywhere on the straight flight from its start to `flown`, and half its radius farther.
fn within(body: &Body, flown: Pair, way: Pair) -> Pair {
    let longest = LONGEST * body.radius;
    let mut way = way;
    if dot(way, way) > longest * longest {
        let flight = [flown[0] - body.start[0], flown[1] - body.start[1]];
        let (along, length2) = (dot(way, flight), dot(flight, flight));
        let share = if along <= 0.0 {
            0.0
        } else if along >= length2 {
            1.0
        } else {
            along / length2
        };
        let nearest = flight.map(|f| f * share);
        let off = [way[0] - nearest[0], way[1] - nearest[1]];
        let distance = dot(off, off).sqrt();
        if distance > longest {
            way = [nearest[0] + off[0] / distance * longest, nearest[1] + off[1] / distance * longest];
        }
    }
    [body.start[0] + way[0], body.start[1] + way[1]]
}

/// On the way from one place to another, no farther than this: where a circle would be cut to later, when what it lost by that is no longer known.
fn short_of(from: Pair, to: Pair, longest: f64) -> Pair {
    let way = difference(from, to);
    let distance = dot(way, way).sqrt();
    if distance > longest { [0, 1].map(|axis| from[axis] + way[axis] * (longest / distance)) } else { to }
}

/// A velocity, and what a fall by so much (times gravity) gives; who comes back from a wall and may not go as far as it would is as fast as where it is
/// then, or each such bounce would lose height.
fn faster(velocity: Pair, fall: f64) -> Pair {
    let square = dot(velocity, velocity);
    if fall > 0.0 && square > 0.0 { velocity.map(|v| v * (1.0 + 2.0 * fall / square).sqrt()) } else { velocity }
}

#[cfg(test)]
mod tests {
    use super::bond::Bond;
    use super::manner::Manner;
    use super::strip::strike;
    use super::*;
    use crate::response::impulse::Meeting;

    #[test]
    fn nobody_is_moved_farther_than_half_a_radius_beyond_its_flight() {
        let body = Body { start: [1.0, 0.0], radius: 1.0, ..Body::default() };
        let end = |way: Pair| within(&body, [1.5, 0.0], way);
        // Within the radius of the start, along the flight and beside it.
        assert_eq!([end([0.25, 0.25]), end([-0.5, 0.0])], [[1.25, 0.25], [0.5, 0.0]]);
        // 0.8 above the middle of the flight; 3 and 4 beyond its end: half of 0.6 and 0.8.
        assert_eq!(end([0.25, 0.8]), [1.25, 0.5]);
        let found = end([3.5, 4.0]);
        assert!((found[0] - 1.8).abs() < 1e-15 && (found[1] - 0.4).abs() < 1e-15, "{found:?}");
        assert_eq!(end([-2.0, 0.0]), [0.5, 0.0]);
    }

    #[test]
    fn who_is_cut_short_is_as_fast_as_there() {
        assert_eq!(short_of([1.0, 1.0], [4.0, 5.0], 2.5), [2.5, 3.0]);
        assert_eq!(short_of([1.0, 1.0], [4.0, 5.0], 5.0), [4.0, 5.0]);
        // 3² + 4² and twice 12 are 7².
        let found = faster([3.0, -4.0], 12.0);
        assert!((found[0] - 4.2).abs() < 1e-15 && (found[1] + 5.6).abs() < 1e-15, "{found:?}");
        assert_eq!([faster([3.0, -4.0], -12.0), faster([0.0; 2], 12.0)], [[3.0, -4.0], [0.0; 2]]);
    }

    #[test]
    fn bounds_turn_what_leaves_and_has_not_flown() {
        let bodies = [false, true].map(|flown| Body { flown, radius: 1.0, ..Body::default() });
        let mut motions = [Motion { velocity: [2.0, -2.0], ..Motion::default() }; 2];
        fly(&bodies, &mut motions, Limits { x: [-2.0, 2.0], y: [-9.0, 9.0] }, 1.0);
        assert_eq!(motions.map(|motion| motion.velocity), [[-2.0, -2.0], [2.0, -2.0]]);
        assert_eq!(motions[0].way, [2.0, -2.0]);
    }

    #[test]
    fn who_has_flown_is_moved_by_changes_alone() {
        let mut bodies = [Body { flown: true, spent: [3.0, 0.0], ..Body::default() }, Body::default()];
        let mut motions = [Motion { velocity: [3.0, 0.0], ..Motion::default() }, Motion::default()];
        fly(&bodies, &mut motions, Limits::NONE, 0.5);
        assert_eq!(motions[0].way, [0.0, 0.0]);
        // Equal masses, e = 1: B gets 3. They met 0.125 ago: A is 3·0.125 back, B as much ahead, and only B goes on.
        let mut bond = Bond { b: 1, shares: [0.5, 0.5], mass: 0.5, ..Bond::default() };
        let manner = Manner { restitution: 1.0, ..Manner::default() };
        let met = Meeting { normal: [1.0, 0.0], approach: 3.0, since: 0.125, distance: 2.0 };
        let falling = Falling::default();
        assert_eq!(strike((&mut bond, &manner), (&met, falling), &mut bodies, &mut motions), 3.0);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [0.0, 3.0]);
        fly(&bodies, &mut motions, Limits::NONE, 0.5);
        assert_eq!(motions.map(|motion| motion.way[0]), [-0.375, 0.375 + 1.5]);
    }
}
