//! Impacts that go through many: more passes where velocities change by more than weight changes them.
//!
//! Comes in: the bodies and bonds of a strip within a substep, after its flight. Goes out: who is quick, and what pairs bear once those have been solved
//! further. This room does not know other strips, nor what comes before and after.
//!
//! One pass there and one back bring support a few bodies far, and an impact through a row takes several substeps. Behind its front each pair is lent
//! what it bore, and pushed for the overlap that it came to; at the end of the row nobody is left to bear that, and to take it back takes as long again:
//! what should stop is thrown back, as an elastic rod is. Each further pass without springs takes energy away and gives none, whatever was lent,
//! over-relaxed ones too, so that a few more where somebody is quick stop the row. Who rests is never quick: there it costs a look at each body.

use super::super::impulse::dot;
use super::super::law::Law;
use super::bond::{Bond, push_speed};
use super::motion::Motion;
use super::strip::Strip;
use super::{Body, each};
use crate::kernels::bonds::Bonds;
use crate::parallel::Split;

/// So many times there and back.
const TIMES: usize = 2;
/// Farther than to where a pair stops: what is between 1 and 2 takes energy away, and support comes farther.
const OVER: f64 = 1.5;
/// Quick is whose velocity has changed since the step began by more than twice what gravity gives, and this share of what overlap is pushed out with.
const QUICK: f64 = 1.0 / 32.0;

/// Remembers how fast all are.
pub(super) fn begin(bodies: &mut [Body], motions: &[Motion], law: &Law<'_>) {
    let (gives, push) = (dot(law.gravity, law.gravity).sqrt() * law.dt, push_speed(law.dt));
    for (body, motion) in bodies.iter_mut().zip(motions) {
        let least = 2.0 * gives + QUICK * push * body.radius;
        (body.began, body.least2, body.quick) = (motion.velocity, least * least, false);
    }
}

/// Finds out who is quick; whether somebody is.
pub(super) fn find(bodies: &mut [Body], motions: &[Motion]) -> bool {
    let mut some = false;
    for (body, motion) in bodies.iter_mut().zip(motions) {
        let by = [motion.velocity[0] - body.began[0], motion.velocity[1] - body.began[1]];
        body.quick = by[0] * by[0] + by[1] * by[1] > body.least2;
        some |= body.quick;
    }
    some
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
    for _ in 0..TIMES {
        each(strips, bodies, motions, split, &|strip, bodies, motions| strip.settle_pairs(bodies, motions, false));
        across.settle_pairs(bodies, motions, false);
        each(strips, bodies, motions, split, &|strip, bodies, motions| strip.settle_walls(bodies, motions));
        across.settle_pairs(bodies, motions, true);
        each(strips, bodies, motions, split, &|strip, bodies, motions| strip.settle_pairs(bodies, motions, true));
    }
    each(strips, bodies, motions, split, &|strip, _, motions| {
        if strip.quick {
            strip.relax_walls(motions, again);
        }
    });
}

impl Strip {
    /// Solves the pairs of who is quick further; on the way `back` in the opposite order.
    fn settle_pairs(&mut self, bodies: &[Body], motions: &mut [Motion], back: bool) {
        let (ones, fours) = (&mut self.pairs.bonds, &mut self.fours.bonds);
        if back {
            ones.iter_mut().rev().for_each(|bond| settle(bond, bodies, motions));
            fours.iter_mut().rev().for_each(|four| settle_four(four, bodies, motions));
        } else {
            ones.iter_mut().for_each(|bond| settle(bond, bodies, motions));
            fours.iter_mut().for_each(|four| settle_four(four, bodies, motions));
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

/// Its pairs share no body, so that it does not matter which comes first.
fn settle_four(four: &mut Bonds, bodies: &[Body], motions: &mut [Motion]) {
    for k in 0..four.count as usize {
        if bodies[four.a[k] as usize].quick || bodies[four.b[k] as usize].quick {
            let mut bond = Bond::of(four, k);
            bond.settle(motions, OVER);
            bond.keep(four, k);
        }
    }
}
