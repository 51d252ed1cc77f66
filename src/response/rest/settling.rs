//! Impacts that go through many: more passes where velocities change by more than weight changes them.
//!
//! Comes in: the bodies and bonds of a strip within a substep, after its flight. Goes out: who is quick, and what pairs bear once those have been solved
//! further. This room does not know other strips, nor what comes before and after.
//!
//! One pass there and one back bring support a few bodies far, and an impact through a row takes several substeps. Behind its front each pair is lent
//! what it bore, and pushed for the overlap that it came to; at the end of the row nobody is left to bear that, and to take it back takes as long again:
//! what should stop is thrown back, as an elastic rod is. Each further pass without springs takes energy away and gives none, whatever was lent,
//! over-relaxed ones too, so that one more there and back where somebody is quick all but stops the row. Who rests is never quick: there it costs a
//! look at each body.

use super::super::impulse::{Pair, dot};
use super::super::law::Law;
use super::bond::{Bond, DEEP, push_speed};
use super::fours::What;
use super::motion::Motion;
use super::strip::Strip;
use super::{Body, each};
use crate::parallel::Split;

/// Farther than to where a pair stops: what is between 1 and 2 takes energy away, and support comes farther.
const OVER: f64 = 1.75;
/// Quick is whose velocity has changed since the step began by more than gravity gives in it, and [calm](Law::calm), and this share of the speed that
/// overlap is pushed out with.
const QUICK: f64 = 1.0 / 32.0;

/// How fast a circle was when the step began, and by how much that (squared) has changed where it is quick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Began {
    velocity: Pair,
    least2: f64,
}

/// Remembers how fast all are.
pub(super) fn begin(strips: &mut [Strip], bodies: &[Body], motions: &[Motion], law: &Law<'_>) {
    let (weight, push) = (law.weight() * f64::from(law.substeps) + law.calm(), QUICK * push_speed(law.dt));
    for strip in strips {
        let circles = strip.from..strip.walls_from;
        for (body, motion) in bodies[circles.clone()].iter().zip(&motions[circles]) {
            let least = weight + push * body.radius;
            strip.began.push(Began { velocity: motion.velocity, least2: least * least });
        }
    }
}

/// Solves further in strips where somebody is quick, and lets the walls there take back what they must.
pub(super) fn solve(
    (strips, across): (&mut [Strip], &mut Strip),
    (bodies, motions): (&mut [Body], &mut [Motion]),
    split: Split,
    again: bool,
) {
    if !strips.iter().any(|strip| strip.quick) {
        return;
    }
    each(strips, bodies, motions, split, &|strip, bodies, motions| {
        if strip.quick {
            strip.settle_pairs(bodies, motions, false);
        }
    });
    across.settle_pairs(bodies, motions, false);
    each(strips, bodies, motions, split, &|strip, bodies, motions| strip.settle_walls(bodies, motions));
    across.settle_pairs(bodies, motions, true);
    each(strips, bodies, motions, split, &|strip, bodies, motions| {
        if strip.quick {
            strip.settle_pairs(bodies, motions, true);
            strip.relax_walls(motions, again);
        }
    });
}

impl Strip {
    /// Finds out who is quick; whether somebody is.
    pub(super) fn find_quick(&mut self, bodies: &mut [Body], motions: &[Motion]) -> bool {
        let is_quick = |began: &Began, motion: &Motion| {
            let by = [motion.velocity[0] - began.velocity[0], motion.velocity[1] - began.velocity[1]];
            dot(by, by) > began.least2
        };
        let was = self.quick;
        self.quick = self.began.iter().zip(motions).fold(false, |some, (began, motion)| some | is_quick(began, motion));
        if was || self.quick {
            for ((body, began), motion) in bodies.iter_mut().zip(&self.began).zip(motions) {
                body.quick = is_quick(began, motion);
            }
        }
        self.quick
    }

    /// Solves the pairs of who is quick further; on the way `back` in the opposite order.
    pub(super) fn settle_pairs(&mut self, bodies: &[Body], motions: &mut [Motion], back: bool) {
        self.each_four(motions, What::Settle { bodies, over: OVER, back });
        let ones = self.pairs.bonds.iter_mut();
        if back {
            ones.rev().for_each(|bond| settle(bond, bodies, motions));
        } else {
            ones.for_each(|bond| settle(bond, bodies, motions));
        }
    }

    /// The same of walls, there and back.
    fn settle_walls(&mut self, bodies: &[Body], motions: &mut [Motion]) {
        self.walls.bonds.iter_mut().for_each(|bond| settle(bond, bodies, motions));
        self.walls.bonds.iter_mut().rev().for_each(|bond| settle(bond, bodies, motions));
    }
}

fn settle(bond: &mut Bond, bodies: &[Body], motions: &mut [Motion]) {
    if is_settled([bond.a, bond.b], [bond.gap, bond.radius], bodies) {
        bond.settle(motions, OVER);
    }
}

/// Whether a pair of such a separation is solved further. Who is deep in another has to come out, and what speed that has given is not taken from him.
#[inline(always)]
pub(super) fn is_settled([a, b]: [u32; 2], [gap, radius]: Pair, bodies: &[Body]) -> bool {
    (bodies[a as usize].quick || bodies[b as usize].quick) && gap >= -DEEP * radius
}

#[cfg(test)]
mod tests {
    use super::super::manner::Manner;
    use super::*;

    #[test]
    fn who_is_stopped_is_quick_and_who_falls_or_rests_is_not() {
        // In a step of 1/2 gravity gives 1, in a substep 1/8; calm is 1/2. Overlap goes at 1/5 of the radius a second, of which a 32nd is far below.
        let law = Law::new(0.5).with_gravity([0.0, -2.0]).with_substeps(8);
        let mut bodies = vec![Body { radius: 1.0, ..Body::default() }; 4];
        let mut motions = vec![Motion { velocity: [0.0, -3.0], ..Motion::default() }; 4];
        let mut strips = [Strip { walls_from: 3, ..Strip::default() }];
        begin(&mut strips, &bodies, &motions, &law);
        let [strip] = &mut strips;
        assert!(!strip.find_quick(&mut bodies, &motions));
        // One falls on, one is stopped, one is pushed a little aside; walls are never quick.
        (motions[0].velocity, motions[1].velocity) = ([0.0, -4.0], [0.0, 0.0]);
        (motions[2].velocity, motions[3].velocity) = ([1.0, -2.0], [0.0, 0.0]);
        assert!(strip.find_quick(&mut bodies, &motions));
        assert_eq!(bodies.iter().map(|body| body.quick).collect::<Vec<_>>(), [false, true, false, false]);
        motions[1].velocity = [0.0, -3.0];
        assert!(!strip.find_quick(&mut bodies, &motions) && bodies.iter().all(|body| !body.quick));
    }

    #[test]
    fn a_pass_gives_no_energy_and_takes_no_momentum() {
        let mut state = 5u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let (mut took, mut stopped) = (0, 0);
        for _ in 0..1000 {
            // A row of six, of which each pair may have been lent something.
            let mut strip = Strip::default();
            for a in 0..5 {
                let (gap, bearing) = (draw() - 0.5, if draw() < 0.5 { 0.0 } else { draw() });
                let bond = Bond {
                    a,
                    b: a + 1,
                    normal: [0.6, 0.8],
                    shares: [0.5; 2],
                    mass: 0.5,
                    gap,
                    bearing,
                    radius: 4.0,
                    ..Bond::default()
                };
                strip.pairs.push((bond, Manner::default()));
            }
            let bodies = vec![Body { quick: true, ..Body::default() }; 6];
            let mut motions = vec![Motion::default(); 6];
            motions.iter_mut().for_each(|motion| motion.velocity = [draw() - 0.5, draw() - 0.5]);
            let energy =
                |motions: &[Motion]| motions.iter().map(|motion| dot(motion.velocity, motion.velocity)).sum::<f64>();
            let momentum =
                |motions: &[Motion], axis: usize| motions.iter().map(|motion| motion.velocity[axis]).sum::<f64>();
            let before = motions.clone();
            for back in [false, true] {
                let was = energy(&motions);
                strip.settle_pairs(&bodies, &mut motions, back);
                assert!(energy(&motions) <= was + 1e-12);
                took += usize::from(energy(&motions) < was - 1e-3);
            }
            for axis in 0..2 {
                assert!((momentum(&motions, axis) - momentum(&before, axis)).abs() < 1e-12);
            }
            assert!(strip.pairs.bonds.iter().all(|bond| bond.bearing >= 0.0));
            stopped += strip.pairs.bonds.iter().filter(|bond| bond.acted).count();
        }
        assert!(took > 1000 && stopped > 3000, "{took} {stopped}");
    }

    #[test]
    fn who_is_not_quick_is_left_alone() {
        let mut strip = Strip::default();
        let bond = Bond { b: 1, normal: [1.0, 0.0], shares: [0.5; 2], mass: 0.5, radius: 1.0, ..Bond::default() };
        strip.pairs.push((bond, Manner::default()));
        let mut bodies = [Body::default(); 2];
        let mut motions = [1.0, -1.0].map(|x| Motion { velocity: [x, 0.0], ..Motion::default() });
        strip.settle_pairs(&bodies, &mut motions, false);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [1.0, -1.0]);
        // They approach by 2: 7/4 of that parts them by 3/2, and 7/4 of this brings them as near as what they bear allows: 3.5 - 2.625.
        bodies[1].quick = true;
        strip.settle_pairs(&bodies, &mut motions, false);
        assert_eq!((motions.map(|motion| motion.velocity[0]), strip.pairs.bonds[0].bearing), ([-0.75, 0.75], 3.5));
        strip.settle_pairs(&bodies, &mut motions, true);
        assert_eq!(
            (motions.map(|motion| motion.velocity[0]), strip.pairs.bonds[0].bearing),
            ([0.5625, -0.5625], 0.875)
        );
        // Deeper than a fifth of the radius.
        strip.pairs.bonds[0].gap = -0.25;
        strip.settle_pairs(&bodies, &mut motions, false);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [0.5625, -0.5625]);
    }
}
