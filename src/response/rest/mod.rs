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
//! order of `order`, so that a pair need not wait for the one before it. Cost: 17 ns a pair and substep where nobody bounces.
//!
//! Source: E. Catto, "Solver2D" (2024): soft steps with relaxation.

mod bond;
mod order;
mod start;

use super::impulse::{Meeting, Pair, dot};
use super::integrate::Limits;
use super::law::Law;
use super::resolve::Given;
use super::taken::Circles;
use super::warmth::Warmth;
use bond::{Bond, Manner, Motion, Pace};
use order::Order;

pub(crate) use start::{Before, Elastic, Touching};

/// How far beyond its flight a circle may be moved, and how far the flight of a slow one is, as a share of its radius.
const LONGEST: f64 = 0.5;

/// A circle that takes part, or a wall where it is touched.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    /// The circle's row; of a wall, none.
    row: u32,
    /// Has flown already.
    flown: bool,
    /// Touches something with restitution below 1, or is near one that does.
    rests: bool,
    /// Can be pushed, and was.
    pushed: bool,
    /// Of its velocity, what does not move it: it is behind it already.
    spent: Pair,
    /// Where it starts.
    start: Pair,
    /// A circle's.
    radius: f64,
}

/// Buffers, reused.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// By row of circle: which body, if it is one.
    place: Vec<u32>,
    bodies: Vec<Body>,
    motions: Vec<Motion>,
    /// Pairs of circles, as they are solved.
    pairs: Bonds,
    /// The same, as their contacts come.
    found: Vec<(Bond, Manner)>,
    order: Order,
    /// Circles and walls.
    walls: Bonds,
    /// The slot of the segment of each of them.
    touched: Vec<u32>,
}

/// Bonds, and how each of them meets.
#[derive(Debug, Default)]
struct Bonds {
    bonds: Vec<Bond>,
    manners: Vec<Manner>,
}

impl Bonds {
    fn clear(&mut self) {
        self.bonds.clear();
        self.manners.clear();
    }

    fn push(&mut self, (bond, manner): (Bond, Manner)) {
        self.bonds.push(bond);
        self.manners.push(manner);
    }

    /// Some pair may hit each other and give something back.
    fn may_hit(&self) -> bool {
        self.manners.iter().any(Manner::may_hit)
    }
}

impl Rest {
    /// Solves the contacts of those who were [chosen](Self::choose): changes velocities and positions, tells what was given to whom, and
    /// adds what is borne to `next`.
    pub(super) fn solve(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        before: Before<'_>,
        near: Touching<'_>,
        elastic: &Elastic,
        (last, next): (&Warmth, &mut Warmth),
    ) -> Given {
        self.gather(circles, law, before, near, elastic, last);
        let mut given = Given::default();
        if self.pairs.may_hit() || self.walls.may_hit() {
            for _ in 0..law.substeps {
                self.lively(law, &mut given);
            }
        } else {
            self.quiet(law, &mut given);
        }
        self.write(circles);
        self.keep(law, before, next);
        given
    }

    /// All substeps, where nobody bounces. Nothing looks at velocities between the last pass of one and the first of the next, so each
    /// bond is looked at once for both.
    fn quiet(&mut self, law: &Law<'_>, given: &mut Given) {
        let Rest { bodies, motions, pairs, walls, .. } = self;
        let (pairs, walls) = (&mut pairs.bonds, &mut walls.bonds);
        let pace = Pace::new(law.dt, law.substep());
        let limits = (law.limits != Limits::NONE || bodies.iter().any(|b| b.spent != [0.0; 2])).then_some(law.limits);
        for bonds in [&mut *pairs, walls] {
            for bond in bonds {
                bond.look(motions);
                bond.lend(motions);
            }
        }
        for left in (0..law.substeps).rev() {
            motions.iter_mut().for_each(Motion::start);
            for bonds in [&mut *pairs, walls] {
                bonds.iter_mut().for_each(|bond| bond.bear(motions, pace));
            }
            match limits {
                Some(limits) => fly(bodies, motions, limits, pace.h),
                None => motions.iter_mut().for_each(|motion| motion.coast(pace.h)),
            }
            let again = left > 0;
            for bond in walls.iter_mut().rev() {
                bond.relax(motions);
                given.to_walls += bond.bearing * bond.mass;
                if again {
                    bond.look(motions);
                    bond.lend(motions);
                }
            }
            for bond in pairs.iter_mut().rev() {
                bond.relax(motions);
                given.virial += bond.bearing * bond.mass * (bond.gap + bond.reach);
                if again {
                    bond.look(motions);
                    bond.lend(motions);
                }
            }
        }
    }

    /// One substep, where some may bounce.
    fn lively(&mut self, law: &Law<'_>, given: &mut Given) {
        let Rest { bodies, motions, pairs, walls, .. } = self;
        let (pace, calm) = (Pace::new(law.dt, law.substep()), law.calm());
        motions.iter_mut().for_each(Motion::start);
        for (bond, manner) in pairs.bonds.iter_mut().zip(&pairs.manners) {
            bond.look(motions);
            if let Some(met) = bond.hits(manner, motions, calm) {
                given.virial += strike((bond, manner), &met, bodies, motions) * met.distance;
            }
        }
        for (bond, manner) in walls.bonds.iter_mut().zip(&walls.manners) {
            bond.look(motions);
            if let Some(met) = bond.hits(manner, motions, calm) {
                given.to_walls += strike((bond, manner), &met, bodies, motions);
            }
        }
        let (pairs, walls) = (&mut pairs.bonds, &mut walls.bonds);
        for bonds in [&mut *pairs, walls] {
            bonds.iter_mut().for_each(|bond| bond.resume(motions));
        }
        for bonds in [&mut *pairs, walls] {
            bonds.iter_mut().for_each(|bond| bond.bear(motions, pace));
        }
        fly(bodies, motions, law.limits, pace.h);
        for bond in walls.iter_mut().rev() {
            bond.relax(motions);
            given.to_walls += bond.bearing * bond.mass;
        }
        for bond in pairs.iter_mut().rev() {
            bond.relax(motions);
            given.virial += bond.bearing * bond.mass * (bond.gap + bond.reach);
        }
    }

    /// Back into the columns. Who was not pushed has had the flight that it had, bit for bit.
    fn write(&mut self, circles: &mut Circles<'_>) {
        for bond in self.pairs.bonds.iter().chain(&self.walls.bonds).filter(|bond| bond.acted) {
            for (at, share) in [bond.a, bond.b].into_iter().zip(bond.shares) {
                self.bodies[at as usize].pushed |= share > 0.0;
            }
        }
        for (body, motion) in self.bodies.iter().zip(&self.motions) {
            if body.pushed {
                let row = body.row as usize;
                let flown = circles.take(row).position;
                circles.put(row, within(body, flown, motion.way), motion.velocity);
            }
        }
    }

    /// What is borne now, for the next step.
    fn keep(&self, law: &Law<'_>, before: Before<'_>, next: &mut Warmth) {
        let slot = |body: u32| before.handle[self.bodies[body as usize].row as usize].index();
        for bond in self.pairs.bonds.iter().filter(|bond| bond.bearing > 0.0) {
            next.add_circles(slot(bond.a), slot(bond.b), bond.bearing / law.substep());
        }
        for (bond, wall) in self.walls.bonds.iter().zip(&self.touched).filter(|(bond, _)| bond.bearing > 0.0) {
            next.add_wall(slot(bond.a), *wall, bond.bearing / law.substep());
        }
        next.turn();
    }
}

/// The impulse of a pair that has met; how large it is.
#[cold]
fn strike((bond, manner): (&mut Bond, &Manner), met: &Meeting, bodies: &mut [Body], motions: &mut [Motion]) -> f64 {
    // By Newton, or what is asked for; shared by inverse mass.
    let change = met.change(manner.restitution, manner.speed);
    for (at, by) in [(bond.a, -change * bond.shares[0]), (bond.b, change * bond.shares[1])] {
        let (body, motion) = (&mut bodies[at as usize], &mut motions[at as usize]);
        for axis in 0..2 {
            let kick = met.normal[axis] * by;
            motion.velocity[axis] += kick;
            // What it was worth since the meeting, and no more if it has flown the whole step already.
            motion.way[axis] += kick * met.since;
            body.spent[axis] += if body.flown { kick } else { 0.0 };
        }
    }
    bond.acted = true;
    bond.look(motions);
    change * bond.mass
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
            let (x, v) = (body.start[axis] + motion.way[axis], &mut motion.velocity[axis]);
            let (below, above) = (x - body.radius < f64::from(low), x + body.radius > f64::from(high));
            if (below && *v < 0.0) || (above && *v > 0.0) {
                *v = -*v;
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(strike((&mut bond, &manner), &met, &mut bodies, &mut motions), 3.0);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [0.0, 3.0]);
        fly(&bodies, &mut motions, Limits::NONE, 0.5);
        assert_eq!(motions.map(|motion| motion.way[0]), [-0.375, 0.375 + 1.5]);
    }
}
