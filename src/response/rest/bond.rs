//! One touching pair within a substep: how it stands, what it does on impact, what it bears at rest.
//!
//! Comes in: a pair and the motions of its two bodies. Goes out: their new velocities. This room does not know columns, nor
//! in which order pairs come. Walls are bodies that nothing can push, so there is one text for both.
//!
//! Method of the bearing: a soft constraint (a damped spring of a frequency ω and a damping ratio ζ, integrated implicitly) in
//! impulses that are summed up and kept from substep to substep, never below zero; after the positions have moved, a pass
//! without the spring takes back the velocity that it gave. In velocities of the pair instead of impulses no mass is needed:
//! with a1 = 2ζ + hω, a2 = hω·a1, a3 = 1 / (1 + a2), the sum λ becomes λ - a2·a3·(v + bias) - a3·λ. Of what was kept only that is given again
//! which grows no faster than weight: an impact given again throws back whoever it has stopped, and where many lie in one place all of them.

use super::super::impulse::{self, Meeting, Pair, dot};
use super::super::taken::difference;
use super::manner::Manner;
use super::motion::Motion;
use super::settling::Little;
use crate::kernels::bonds::{GROWTH, Pace, SLOP};

/// Overlap is taken back by no more than this many (smaller) radii a second: in steps without end in number there must be an end to
/// the speeds that it gives.
pub(super) const PUSH_SPEED: f64 = 6.0;
/// Nor by more than this share of the (smaller) radius in one step.
const PUSH: f64 = 0.1;
/// Masses are unlike where the lighter one is less than this share of both: from 11 to 9.
const LIKE: f64 = 0.45;
/// Who overlaps another by more than this share of its radius is deep in it: about where it is pushed as fast as may be.
pub(super) const DEEP: f64 = 0.2;

/// The pace of such substeps, after some as long as `slow`.
pub(super) fn pace(dt: f64, substep: f64, slow: f64) -> Pace {
    Pace::new(substep, slow, push_speed(dt))
}

/// How fast overlap is taken back in such steps, in radii a second.
pub(super) fn push_speed(dt: f64) -> f64 {
    if PUSH / dt < PUSH_SPEED { PUSH / dt } else { PUSH_SPEED }
}

/// A touching pair of circles, or of a circle and a wall: what every pass looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bond {
    /// Which motions.
    pub(super) a: u32,
    pub(super) b: u32,
    /// From A to B where they started.
    pub(super) start: Pair,
    /// Unit, from A to B.
    pub(super) normal: Pair,
    /// The distance at which they touch.
    pub(super) reach: f64,
    /// Separation, negative when they penetrate.
    pub(super) gap: f64,
    /// The sum of the substep's impulses, as a change of their relative velocity.
    pub(super) bearing: f64,
    /// What was lent of it when the substep began, and by how much more may be lent next time.
    pub(super) lent: f64,
    pub(super) anew: f64,
    /// How much of such a change is A's and B's: both together 1.
    pub(super) shares: Pair,
    /// Both can be pushed, and their masses are unlike.
    pub(super) unlike: bool,
    /// What slop and push are measured in: the smaller radius, but that a point can be pushed, too, and less for the walls of who is squeezed.
    pub(super) radius: f64,
    /// One over the sum of inverse masses.
    pub(super) mass: f64,
    /// The flank of a wall: the normal stays.
    pub(super) flat: bool,
    /// Approaching to an impact: nothing is borne before.
    pub(super) free: bool,
    /// Has changed a velocity in this step.
    pub(super) acted: bool,
    /// Apart where the flight ended: to be told of if they meet before.
    pub(super) watched: bool,
    /// A wall of somebody between walls that push against each other.
    pub(super) squeezes: bool,
}

impl Bond {
    /// For a pair of these radii.
    pub(super) fn with_radius(self, one: f64, two: f64) -> Bond {
        let (small, large) = if one < two { (one, two) } else { (two, one) };
        Bond { radius: if small > 0.0 { small } else { large }, ..self }
    }

    /// Of which so much of a change is A's and B's.
    #[inline(always)]
    pub(super) fn with_shares(self, shares: Pair) -> Bond {
        let heavier = if shares[0] < shares[1] { shares[0] } else { shares[1] };
        Bond { shares, unlike: heavier > 0.0 && heavier < LIKE, ..self }
    }

    /// Separation and normal where they are now.
    #[inline(always)]
    pub(super) fn look(&mut self, motions: &[Motion]) {
        let d = self.way(motions);
        if self.flat {
            self.gap = dot(d, self.normal) - self.reach;
            return;
        }
        let distance = dot(d, d).sqrt();
        self.gap = distance - self.reach;
        // Coincident: the normal stays what it was.
        if distance > 0.0 {
            let inverse = 1.0 / distance;
            self.normal = [d[0] * inverse, d[1] * inverse];
        }
    }

    /// From A to B.
    #[inline(always)]
    pub(super) fn way(&self, motions: &[Motion]) -> Pair {
        let moved = difference(motions[self.a as usize].way, motions[self.b as usize].way);
        [self.start[0] + moved[0], self.start[1] + moved[1]]
    }

    /// How fast they part along the normal.
    #[inline(always)]
    fn parting(&self, motions: &[Motion]) -> f64 {
        dot(difference(motions[self.a as usize].velocity, motions[self.b as usize].velocity), self.normal)
    }

    /// What of a change of how fast they part is A's and B's.
    #[inline(always)]
    fn parts(&self, by: f64) -> [Pair; 2] {
        let [a, b] = [by * self.shares[0], by * self.shares[1]];
        [[-self.normal[0] * a, -self.normal[1] * a], [self.normal[0] * b, self.normal[1] * b]]
    }

    /// Changes how fast they part.
    #[inline(always)]
    fn change(&mut self, motions: &mut [Motion], by: f64) {
        let [a, b] = self.parts(by);
        add(&mut motions[self.a as usize].velocity, a);
        add(&mut motions[self.b as usize].velocity, b);
    }

    /// How they met, if they hit each other: faster than `calm` (a pair of restitution 1: at all), and something comes back or one of
    /// them would go through. Who is to part at some speed is hit until he does.
    #[inline(always)]
    pub(super) fn hits(&mut self, manner: &Manner, motions: &[Motion], calm: f64) -> Option<Meeting> {
        let elastic = manner.restitution >= 1.0;
        self.free = elastic;
        if manner.speed > 0.0 {
            return self.is_thrown(manner, motions);
        }
        // What bears is at rest, and goes on to bear: in a pile that is shaken, bounces would let the weight through.
        if self.bearing > 0.0 || !manner.may_hit() {
            return None;
        }
        let approach = -self.parting(motions);
        if approach <= if elastic { 0.0 } else { calm } {
            return None;
        }
        if self.gap >= 0.0 {
            self.free = true;
            return None;
        }
        self.meeting(manner, motions)
    }

    #[cold]
    fn is_thrown(&mut self, manner: &Manner, motions: &[Motion]) -> Option<Meeting> {
        self.free = true;
        if self.gap > 0.0 {
            return None;
        }
        // Whatever it bore has no part in it.
        self.bearing = 0.0;
        if self.parting(motions) < 0.0 {
            return self.meeting(manner, motions);
        }
        let u = difference(motions[self.a as usize].velocity, motions[self.b as usize].velocity);
        impulse::standing(self.normal, self.gap + self.reach, u, manner.speed)
    }

    #[cold]
    fn meeting(&self, manner: &Manner, motions: &[Motion]) -> Option<Meeting> {
        let u = difference(motions[self.a as usize].velocity, motions[self.b as usize].velocity);
        if self.flat {
            impulse::flank(self.normal, -self.gap, u, manner.since)
        } else {
            impulse::discs(self.way(motions), u, self.reach, manner.since)
        }
    }

    /// What of the bearing lasts for the next substep: what grows faster than weight is an impact, which given once more would throw them back.
    #[inline(always)]
    pub(super) fn lasting(&self) -> f64 {
        let most = self.lent * GROWTH + self.anew;
        if self.bearing > most { most } else { self.bearing }
    }

    #[inline(always)]
    fn last(&mut self) {
        self.bearing = self.lasting();
        self.lent = self.bearing;
    }

    /// Gives them what they bore at the end of the last substep.
    #[inline(always)]
    pub(super) fn resume(&mut self, motions: &mut [Motion]) {
        self.last();
        if self.bearing > 0.0 {
            self.change(motions, self.bearing);
        }
    }

    /// The same, at the start of the next substep.
    #[inline(always)]
    pub(super) fn lend(&mut self, motions: &mut [Motion]) {
        self.last();
        let [a, b] = self.parts(self.bearing);
        add(&mut motions[self.a as usize].borne, a);
        add(&mut motions[self.b as usize].borne, b);
    }

    /// Lets them bear what they must, and takes back some of the overlap.
    #[inline(always)]
    pub(super) fn bear(&mut self, motions: &mut [Motion], pace: Pace) {
        if self.free {
            return;
        }
        let parting = self.parting(motions);
        // Branches, since most bonds go the same way in every substep: what comes next need not wait for the outcome.
        let sum = if self.gap > 0.0 {
            // What they may approach by before they touch.
            self.bearing - (parting + self.gap * pace.rate)
        } else {
            let spring = if self.unlike { pace.unlike } else { pace.like };
            let (bias, push) = ((self.gap + SLOP * self.radius) * spring.back, pace.push * self.radius);
            let bias = if bias > -push { bias } else { -push };
            self.bearing - spring.hard * (parting + bias) - spring.soft * self.bearing
        };
        let sum = if sum > 0.0 { sum } else { 0.0 };
        let by = sum - self.bearing;
        if by != 0.0 {
            self.set(motions, sum, by);
        }
    }

    /// The same of a wall. One that squeezes stops whom it has to stop, but for its push it bears no more than that: walls with somebody between
    /// them would bear ever more against each other, and shoot him out once one of them lets go.
    #[inline(always)]
    pub(super) fn bear_wall(&mut self, motions: &mut [Motion], pace: Pace) {
        let (stopped, push) = (self.bearing - self.parting(motions), pace.push * self.radius);
        self.bear(motions, pace);
        let most = if stopped > push { stopped } else { push };
        if self.squeezes && self.bearing > most {
            self.set(motions, most, most - self.bearing);
        }
    }

    /// Takes back what velocity overlap gave.
    #[inline(always)]
    pub(super) fn relax(&mut self, motions: &mut [Motion]) {
        if self.free {
            return;
        }
        let sum = self.bearing - self.parting(motions);
        let idle = (self.gap > 0.0) & (self.bearing == 0.0);
        let sum = if (sum > 0.0) & !idle { sum } else { 0.0 };
        self.set(motions, sum, sum - self.bearing);
    }

    /// The same, so many times as far as to where they stop; whether that was more than a little.
    pub(super) fn settles(&mut self, motions: &mut [Motion], over: f64, little: Little) -> bool {
        if self.free || (self.gap > 0.0) & (self.bearing == 0.0) {
            return false;
        }
        let sum = self.bearing - over * self.parting(motions);
        let sum = if sum > 0.0 { sum } else { 0.0 };
        let by = sum - self.bearing;
        self.set(motions, sum, by);
        by.abs() > little.of(self.radius)
    }

    #[inline(always)]
    fn set(&mut self, motions: &mut [Motion], sum: f64, by: f64) {
        self.bearing = sum;
        self.acted |= by != 0.0;
        self.change(motions, by);
    }
}

#[inline(always)]
fn add(to: &mut Pair, by: Pair) {
    *to = [to[0] + by[0], to[1] + by[1]];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bonds::Spring;

    /// A at the origin, B `gap` beyond touching it on the x axis, both of radius 1; A moves at `speed`, B is at rest.
    fn scene(gap: f64, speed: f64) -> (Bond, [Motion; 2]) {
        let bond = Bond { b: 1, start: [2.0 + gap, 0.0], reach: 2.0, shares: [0.25, 0.75], ..Bond::default() };
        let mut bond = bond.with_radius(1.0, 1.0);
        let motions = [Motion { velocity: [speed, 0.0], ..Motion::default() }, Motion::default()];
        bond.look(&motions);
        (bond, motions)
    }

    fn velocities(motions: &[Motion; 2]) -> Pair {
        motions.map(|motion| motion.velocity[0])
    }

    #[test]
    fn who_is_apart_may_approach_until_they_touch() {
        // Gap 0.5, so 0.5 in one substep of 1; of the other 1.5 A loses a quarter and B gains three.
        let (mut bond, mut motions) = scene(0.5, 2.0);
        bond.bear(&mut motions, pace(1.0, 1.0, 1.0));
        assert_eq!((bond.bearing, velocities(&motions)), (1.5, [1.625, 1.125]));
        let (mut bond, mut motions) = scene(0.5, 0.25);
        bond.bear(&mut motions, pace(1.0, 1.0, 1.0));
        assert_eq!((bond.bearing, velocities(&motions)), (0.0, [0.25, 0.0]));
    }

    #[test]
    fn relaxing_takes_back_what_overlap_gave_and_no_more() {
        let (mut bond, mut motions) = scene(-0.5, 0.0);
        bond.bear(&mut motions, pace(1.0, 1.0, 1.0));
        // They are let apart, by no more than a tenth of the radius in a step of 1.
        let apart = motions[1].velocity[0] - motions[0].velocity[0];
        assert!(apart > 0.0 && apart < 0.1, "{apart}");
        bond.relax(&mut motions);
        assert!(bond.bearing.abs() < 1e-15 && velocities(&motions).iter().all(|v| v.abs() < 1e-15));
        // Who flies apart on its own is not held.
        let (mut bond, mut motions) = scene(-0.5, -3.0);
        bond.bear(&mut motions, pace(1.0, 1.0, 1.0));
        bond.relax(&mut motions);
        assert_eq!((bond.bearing, velocities(&motions)), (0.0, [-3.0, 0.0]));
    }

    #[test]
    fn unlike_masses_are_pushed_apart_by_a_softer_spring() {
        let unlike = |shares: Pair| Bond::default().with_shares(shares).unlike;
        assert_eq!([[0.5, 0.5], [0.46, 0.54], [0.44, 0.56], [0.9, 0.1]].map(unlike), [false, false, true, true]);
        // What nothing can push has no mass to be like.
        assert_eq!([[1.0, 0.0], [0.0, 1.0]].map(unlike), [false, false]);
        // At rest, of little overlap: with x = ωh and a1 = 20 + x, a2·a3·back·overlap, back = x / a1 a substep.
        let parts_at = |shares: Pair| {
            let (bond, mut motions) = scene(-SLOP - 0.001, 0.0);
            bond.with_shares(shares).bear(&mut motions, pace(1.0, 1.0, 1.0));
            motions[1].velocity[0] - motions[0].velocity[0]
        };
        let expected = |x: f64| x * (20.0 + x) / (1.0 + x * (20.0 + x)) * (x / (20.0 + x)) * 0.001;
        for (shares, x) in [([0.5, 0.5], std::f64::consts::FRAC_PI_2), ([0.75, 0.25], std::f64::consts::FRAC_PI_4)] {
            let found = parts_at(shares);
            assert!((found - expected(x)).abs() < 1e-12, "{shares:?}: {found}");
        }
    }

    #[test]
    fn what_is_borne_is_handed_on() {
        // It bears 1, and 1 comes anew in each substep: there is nothing left to do.
        let (mut bond, mut motions) = scene(-SLOP, 1.0);
        (bond.bearing, bond.lent) = (1.0, 1.0);
        bond.resume(&mut motions);
        assert_eq!(velocities(&motions), [0.75, 0.75]);
        bond.relax(&mut motions);
        assert_eq!((bond.bearing, velocities(&motions)), (1.0, [0.75, 0.75]));
    }

    #[test]
    fn what_grows_faster_than_weight_is_no_weight() {
        // Of an impact of 3 as much lasts as was lent, and a share of that, and what comes anew.
        let (mut bond, _) = scene(-SLOP, 0.0);
        let mut most = 0.0;
        (bond.lent, bond.anew) = (0.0, 0.125);
        for _ in 0..5 {
            bond.bearing = 3.0;
            bond.last();
            most = most * GROWTH + 0.125;
            assert_eq!((bond.bearing, bond.lent), (most, most));
        }
        bond.bearing = 0.25;
        assert_eq!(bond.lasting(), 0.25);
    }

    #[test]
    fn who_is_squeezed_is_stopped_and_pushed_but_nothing_adds_up() {
        let squeezed = |bearing: f64, speed: f64, squeezes: bool| {
            let (mut bond, mut motions) = scene(-0.5, speed);
            (bond.bearing, bond.squeezes) = (bearing, squeezes);
            bond.bear_wall(&mut motions, pace(1.0, 1.0, 1.0));
            bond.bearing
        };
        // What the spring bears in the end against something that does not give way; its push is a tenth of the radius in a step of 1.
        let Spring { hard, soft, back } = pace(1.0, 1.0, 1.0).like;
        let held = hard / soft * back * (0.5 - SLOP);
        assert!(held > 1.0 && (squeezed(held, 0.0, false) - held).abs() < 1e-12);
        // Once it bears its push, it bears more only for what comes, and as much as any wall does then.
        assert!(squeezed(0.1, 0.0, false) > 0.1 && squeezed(0.1, 0.0, true) == 0.1);
        assert!(squeezed(0.0, 5.0, true) > 4.0 && squeezed(0.0, 5.0, true) == squeezed(0.0, 5.0, false));
        // What nothing needs any more is let go.
        assert!(squeezed(1.0, -0.9, false) > 0.1 && squeezed(1.0, -0.9, true) == 0.1);
    }

    #[test]
    fn impacts_are_those_that_are_fast_and_give_back() {
        let hits = |gap: f64, speed: f64, restitution: f64, flown: bool| {
            let (bond, motions) = scene(gap, speed);
            let (mut bond, manner) = (bond, Manner { restitution, flown, since: 1.0, speed: 0.0 });
            let met = bond.hits(&manner, &motions, 1.0);
            (met.map(|met| (met.approach, met.since)), bond.free)
        };
        // Overlap 0.5 at speed 2: met 0.25 ago.
        assert_eq!(hits(-0.5, 2.0, 0.5, false), (Some((2.0, 0.25)), false));
        // Too slow; too far as yet; nothing comes back, unless it would go through.
        assert_eq!(hits(-0.5, 0.5, 0.5, false), (None, false));
        assert_eq!(hits(0.5, 2.0, 0.5, false), (None, true));
        assert_eq!(hits(-0.5, 2.0, 0.0, false), (None, false));
        assert_eq!(hits(-0.5, 2.0, 0.0, true), (Some((2.0, 0.25)), false));
        // Restitution 1 knows no calm, and never bears.
        assert_eq!(hits(-0.5, 0.5, 1.0, false), (Some((0.5, 1.0)), true));
        assert_eq!(hits(-0.5, -0.5, 1.0, false), (None, true));
    }

    #[test]
    fn coincident_circles_keep_the_normal_they_have() {
        let mut bond = Bond { b: 1, normal: [0.0, 1.0], reach: 2.0, ..Bond::default() };
        bond.look(&[Motion::default(); 2]);
        assert_eq!((bond.normal, bond.gap), ([0.0, 1.0], -2.0));
    }
}
