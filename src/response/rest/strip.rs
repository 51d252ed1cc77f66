//! The bonds of one strip, and the passes over them.
//!
//! Comes in: bonds, the bodies and motions of the strip. Goes out: motions, changed; what was given. This room does not know other strips, but for
//! the bonds from one to another, which have all bodies for theirs.

use super::super::impulse::{Meeting, Pair};
use super::super::integrate::Limits;
use super::super::order::Order;
use super::super::resolve::Given;
use super::super::strips::Places;
use super::bond::Bond;
use super::falling::Falling;
use super::fours::{Fours, Pass, What};
use super::manner::Manner;
use super::motion::Motion;
use super::seen::Seen;
use super::settling::{Began, Settling};
use super::{Body, fly};
use crate::kernels::bonds::Pace;
use crate::kernels::{Backend, InstructionSet, dispatch};

/// Two circles that have a bond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Their places among all bodies.
    pub(super) bodies: [u32; 2],
    /// They may have borne something at the last step.
    pub(super) is_warm: bool,
}

/// Pairs of circles by their places in a list, and how they become bonds.
pub(super) trait Pairs {
    /// Their places among all bodies.
    fn bodies(&self, place: u32) -> [u32; 2];
    /// The bond, of bodies that are counted from one of them on.
    fn bond(&self, place: u32, from: usize) -> (Bond, Manner);
}

/// Bonds, and how each of them meets.
#[derive(Debug, Default)]
pub(super) struct Bonds {
    pub(super) bonds: Vec<Bond>,
    pub(super) manners: Vec<Manner>,
}

impl Bonds {
    pub(super) fn clear(&mut self) {
        self.bonds.clear();
        self.manners.clear();
    }

    /// Makes room for so many; for how many there is.
    fn reserve(&mut self, count: usize) -> usize {
        self.bonds.reserve(count);
        self.manners.reserve(self.bonds.capacity());
        self.bonds.capacity()
    }

    pub(super) fn push(&mut self, (bond, manner): (Bond, Manner)) {
        self.bonds.push(bond);
        self.manners.push(manner);
    }

    /// Some pair may hit each other and give something back.
    fn may_hit(&self) -> bool {
        self.manners.iter().any(Manner::may_hit)
    }
}

/// Circles that lie side by side, the walls that they touch, and the bonds of both.
#[derive(Debug, Default)]
pub(super) struct Strip {
    /// The first of its bodies, and the first of them that is a wall: bonds count from the first.
    pub(super) from: usize,
    pub(super) walls_from: usize,
    /// Pairs of circles, as they are solved: one by one or four at a time.
    pub(super) pairs: Bonds,
    pub(super) fours: Fours,
    pub(super) order: Order,
    /// Circles and walls.
    pub(super) walls: Bonds,
    /// The slot of the segment of each of them, and what both bore as it was kept.
    pub(super) touched: Vec<(u32, f64)>,
    pub(super) given: Given,
    /// How fast its circles were when the step began, and whether one is [quick](super::settling).
    pub(super) began: Vec<Began>,
    pub(super) quick: bool,
    pub(super) settling: Settling,
    /// Who met on the way.
    pub(super) seen: Seen,
    /// Who computes four pairs at a time.
    pub(super) kernels: (Backend, InstructionSet),
}

impl Strip {
    /// Starts anew, without bodies, for substeps of so many seconds.
    pub(super) fn clear(&mut self, kernels: (Backend, InstructionSet), h: f64) {
        self.kernels = kernels;
        self.seen.start(h);
        self.pairs.clear();
        self.fours.clear();
        self.walls.clear();
        self.touched.clear();
        self.given = Given::default();
        self.began.clear();
        self.quick = false;
        (self.from, self.walls_from) = (0, 0);
    }

    /// These of the pairs, in an order of its own.
    pub(super) fn take(&mut self, all: &impl Pairs, places: Places<'_>) {
        let Strip { pairs, fours, order, from, walls_from, kernels, seen, .. } = self;
        let rows = places.iter().map(|place| all.bodies(place).map(|at| at - *from as u32));
        order.of(rows, *walls_from - *from);
        // Of both there is room: fronts may be wide at one step and narrow at the next.
        fours.reserve(pairs.reserve(places.len()));
        seen.reserve(places.len());
        if kernels.0 == Backend::Scalar || !Fours::gain(order) {
            order.sorted().iter().for_each(|&at| pairs.push(all.bond(places.get(at), *from)));
        } else {
            fours.fill(order, |at| all.bond(places.get(at), *from));
        }
    }

    /// Some pair may hit each other and give something back.
    pub(super) fn may_hit(&self) -> bool {
        self.pairs.may_hit() || self.fours.may_hit() || self.walls.may_hit()
    }

    /// Where all stand, and what they bear for the start of the next substep.
    pub(super) fn look(&mut self, motions: &mut [Motion]) {
        self.each_four(motions, What::Look);
        for bond in self.pairs.bonds.iter_mut().chain(&mut self.walls.bonds) {
            bond.look(motions);
            bond.lend(motions);
        }
    }

    /// What pairs of circles bear.
    pub(super) fn bear_pairs(&mut self, motions: &mut [Motion], pace: Pace) {
        self.each_four(motions, What::Bear(pace));
        self.pairs.bonds.iter_mut().for_each(|bond| bond.bear(motions, pace));
    }

    pub(super) fn each_four(&mut self, motions: &mut [Motion], what: What<'_>) {
        pass(self.kernels, (&mut self.fours, &mut self.seen), motions, what);
    }

    /// What walls bear, the flight, and what walls take back, unless somebody is quick; `again` looks at them for the next substep, too.
    pub(super) fn fly(
        &mut self,
        (bodies, motions): (&mut [Body], &mut [Motion]),
        limits: Option<Limits>,
        pace: Pace,
        again: bool,
    ) {
        self.walls.bonds.iter_mut().for_each(|bond| bond.bear_wall(motions, pace));
        match limits {
            Some(limits) => fly(bodies, motions, limits, pace.h),
            None => motions.iter_mut().for_each(|motion| motion.coast(pace.h)),
        }
        if !self.find_quick(bodies, motions) {
            self.relax_walls(motions, again);
        }
    }

    /// What walls take back; `again` looks at them for the next substep, too.
    pub(super) fn relax_walls(&mut self, motions: &mut [Motion], again: bool) {
        for bond in self.walls.bonds.iter_mut().rev() {
            bond.relax(motions);
            self.given.to_walls += bond.bearing * bond.mass;
            if again {
                self.seen.look(bond, motions);
                bond.look(motions);
                bond.lend(motions);
            }
        }
    }

    /// What pairs take back.
    pub(super) fn relax_pairs(&mut self, motions: &mut [Motion], again: bool) {
        let Strip { pairs, fours, given, kernels, seen, .. } = self;
        pass(*kernels, (fours, seen), motions, What::Relax { again, virial: &mut given.virial });
        for bond in pairs.bonds.iter_mut().rev() {
            bond.relax(motions);
            given.virial += bond.bearing * bond.mass * (bond.gap + bond.reach);
            if again {
                seen.look(bond, motions);
                bond.look(motions);
                bond.lend(motions);
            }
        }
    }

    /// Impacts of pairs.
    pub(super) fn hit_pairs(&mut self, (bodies, motions): (&mut [Body], &mut [Motion]), falling: Falling) {
        let Strip { pairs, fours, given, kernels, seen, .. } = self;
        for (bond, manner) in pairs.bonds.iter_mut().zip(&pairs.manners) {
            seen.look(bond, motions);
            bond.look(motions);
            if let Some(met) = bond.hits(manner, motions, falling.calm) {
                seen.hit(bond, &met, motions);
                given.virial += strike((bond, manner), (&met, falling), bodies, motions) * met.distance;
            }
        }
        pass(*kernels, (fours, seen), motions, What::Hit { bodies, falling, virial: &mut given.virial });
    }

    /// Impacts on walls.
    pub(super) fn hit_walls(&mut self, (bodies, motions): (&mut [Body], &mut [Motion]), falling: Falling) {
        for (bond, manner) in self.walls.bonds.iter_mut().zip(&self.walls.manners) {
            self.seen.look(bond, motions);
            bond.look(motions);
            if let Some(met) = bond.hits(manner, motions, falling.calm) {
                self.seen.hit(bond, &met, motions);
                self.given.to_walls += strike((bond, manner), (&met, falling), bodies, motions);
            }
        }
    }

    /// The last substep is over.
    pub(super) fn look_back(&mut self, motions: &[Motion]) {
        let Strip { pairs, fours, walls, seen, .. } = self;
        pairs.bonds.iter_mut().chain(&mut walls.bonds).for_each(|bond| seen.look(bond, motions));
        fours.bonds.iter_mut().for_each(|four| seen.look_at_four(four, motions));
    }

    /// All bear what they bore.
    pub(super) fn resume(&mut self, motions: &mut [Motion]) {
        self.each_four(motions, What::Resume);
        self.pairs.bonds.iter_mut().chain(&mut self.walls.bonds).for_each(|bond| bond.resume(motions));
    }

    /// `tell(bodies, bearing)` of each pair of circles that bears something, as they are solved.
    #[inline(always)]
    pub(super) fn each_bearing(&self, mut tell: impl FnMut([u32; 2], f64)) {
        for bond in &self.pairs.bonds {
            tell([bond.a, bond.b], bond.lasting());
        }
        self.fours.each_bearing(tell);
    }

    /// Tells whom a bond has pushed.
    pub(super) fn mark(&self, bodies: &mut [Body]) {
        let mut push = |pair: [u32; 2], shares: Pair| {
            for (at, share) in pair.into_iter().zip(shares) {
                let body = &mut bodies[at as usize];
                body.pushed |= share > 0.0;
                body.thrown_back |= share > 0.0 && shares.contains(&0.0);
            }
        };
        for bond in self.pairs.bonds.iter().chain(&self.walls.bonds).filter(|bond| bond.acted) {
            push([bond.a, bond.b], bond.shares);
        }
        self.fours.each_acted(push);
    }
}

pub(super) fn pass(
    kernels: (Backend, InstructionSet),
    (fours, seen): (&mut Fours, &mut Seen),
    motions: &mut [Motion],
    what: What<'_>,
) {
    if !fours.bonds.is_empty() {
        dispatch(kernels.0, kernels.1, Pass { fours, seen, motions, what });
    }
}

/// The impulse of a pair that has met; how large it is.
#[cold]
pub(super) fn strike(
    (bond, manner): (&mut Bond, &Manner),
    (met, falling): (&Meeting, Falling),
    bodies: &mut [Body],
    motions: &mut [Motion],
) -> f64 {
    // By Newton, or what is asked for; shared by inverse mass.
    let change = met.change_of(falling.approach(bond, manner, met), manner.restitution, manner.speed);
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
