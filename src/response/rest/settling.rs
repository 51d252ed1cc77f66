//! Impacts that go through many: more passes where velocities change by more than weight changes them.
//!
//! Comes in: the bodies and bonds of a strip within a substep, after its flight. Goes out: who is quick, and what pairs bear once those have been solved
//! further. This room does not know other strips, nor what comes before and after.
//!
//! One pass there and one back bring support a few bodies far, and an impact through a row takes several substeps. Behind its front each pair is lent
//! what it bore, and pushed for the overlap that it came to; at the end of the row nobody is left to bear that, and to take it back takes as long again:
//! what should stop is thrown back, as an elastic rod is. Each further pass without springs takes energy away and gives none, whatever was lent,
//! over-relaxed ones too, so that a few more where somebody is quick stop the row. Who rests is never quick: there it costs a look at each body.

use super::super::impulse::{Pair, dot};
use super::super::law::Law;
use super::bond::{Bond, push_speed};
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

/// How fast a circle was when the step began, and by how much more than gravity changes that it is quick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Began {
    velocity: Pair,
    least: f64,
}

/// Remembers how fast all are.
pub(super) fn begin(strips: &mut [Strip], bodies: &[Body], motions: &[Motion], law: &Law<'_>) {
    let push = QUICK * push_speed(law.dt);
    for strip in strips {
        let circles = strip.from..strip.walls_from;
        let both = bodies[circles.clone()].iter().zip(&motions[circles]);
        let began = |(body, motion): (&Body, &Motion)| Began {
            velocity: motion.velocity,
            least: law.calm() + push * body.radius,
        };
        strip.began.extend(both.map(began));
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
    /// Finds out who is quick, where weight may have changed velocities by so much; whether somebody is.
    pub(super) fn find_quick(&mut self, bodies: &mut [Body], motions: &[Motion], may_change: f64) -> bool {
        let is_quick = |began: &Began, motion: &Motion| {
            let by = [motion.velocity[0] - began.velocity[0], motion.velocity[1] - began.velocity[1]];
            let least = began.least + may_change;
            dot(by, by) > least * least
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
    if bodies[bond.a as usize].quick || bodies[bond.b as usize].quick {
        bond.settle(motions, OVER);
    }
}
