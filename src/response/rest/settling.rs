//! Impacts that go through many: more passes where velocities change by more than weight changes them.
//!
//! Comes in: the bodies and bonds of a strip within a substep, after its flight. Goes out: who is quick, and what pairs bear once those have been solved
//! further. This room does not know other strips, nor what comes before and after.
//!
//! One pass there and one back bring support a few bodies far, and an impact through a row takes several substeps. Behind its front each pair is lent
//! what it bore, and pushed for the overlap that it came to; at the end of the row nobody is left to bear that, and to take it back takes as long again:
//! what should stop is thrown back, as an elastic rod is. Each further pass without springs takes energy away and gives none, whatever was lent,
//! over-relaxed ones too, so that a few more where somebody is quick stop the row. Who rests is never quick: there it costs a look at each body.

use super::super::impulse::Pair;
use super::Body;
use super::bond::Bond;
use super::motion::Motion;
use super::strip::Strip;
use crate::kernels::bonds::Bonds;

/// So many times there and back.
pub(super) const TIMES: usize = 2;
/// Farther than to where a pair stops: what is between 1 and 2 takes energy away, and support comes farther.
const OVER: f64 = 1.5;
/// Quick is whose velocity has changed since the step began by more than this many radii a second, beside twice what gravity gives.
const QUICK: f64 = 0.2;

/// Remembers how fast all are.
pub(super) fn begin(bodies: &mut [Body], motions: &[Motion]) {
    for (body, motion) in bodies.iter_mut().zip(motions) {
        (body.began, body.quick) = (motion.velocity, false);
    }
}

/// Finds out who is quick, where gravity gives so much in a step; whether somebody is.
pub(super) fn find(bodies: &mut [Body], motions: &[Motion], gives: f64) -> bool {
    let mut some = false;
    for (body, motion) in bodies.iter_mut().zip(motions) {
        let least = 2.0 * gives + QUICK * body.radius;
        let by: Pair = [0, 1].map(|axis| motion.velocity[axis] - body.began[axis]);
        body.quick = by[0] * by[0] + by[1] * by[1] > least * least;
        some |= body.quick;
    }
    some
}

impl Strip {
    /// Solves the pairs of who is quick further; on the way `back` in the opposite order.
    pub(super) fn settle_pairs(&mut self, bodies: &[Body], motions: &mut [Motion], back: bool) {
        let lane = |four: &mut Bonds, k: usize, motions: &mut [Motion]| {
            if is_quick([four.a[k], four.b[k]], bodies) {
                let mut bond = Bond::of(four, k);
                bond.settle(motions, OVER);
                bond.keep(four, k);
            }
        };
        let bond = |bond: &mut Bond, motions: &mut [Motion]| {
            if is_quick([bond.a, bond.b], bodies) {
                bond.settle(motions, OVER);
            }
        };
        let Strip { pairs, fours, .. } = self;
        if back {
            for four in fours.bonds.iter_mut().rev() {
                (0..four.count as usize).rev().for_each(|k| lane(four, k, motions));
            }
            pairs.bonds.iter_mut().rev().for_each(|one| bond(one, motions));
        } else {
            for four in &mut fours.bonds {
                (0..four.count as usize).for_each(|k| lane(four, k, motions));
            }
            pairs.bonds.iter_mut().for_each(|one| bond(one, motions));
        }
    }

    /// The same of walls.
    pub(super) fn settle_walls(&mut self, bodies: &[Body], motions: &mut [Motion], back: bool) {
        let settle = |bond: &mut Bond| {
            if is_quick([bond.a, bond.b], bodies) {
                bond.settle(motions, OVER);
            }
        };
        if back {
            self.walls.bonds.iter_mut().rev().for_each(settle);
        } else {
            self.walls.bonds.iter_mut().for_each(settle);
        }
    }
}

#[inline(always)]
fn is_quick(pair: [u32; 2], bodies: &[Body]) -> bool {
    pair.into_iter().any(|at| bodies[at as usize].quick)
}
