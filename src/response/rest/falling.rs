//! How fast those who fall onto something really meet.
//!
//! Comes in: a pair that has met within a substep. Goes out: the speed at which it did so. This room does not know who they are, nor that there are
//! others.
//!
//! Method: who falls by v' = v + g·h, x' = x + v'·h is where the parabola is whose velocity there is v + g·h/2: between v and v'. An impact is told
//! after gravity has changed v for the way on, τ after the touch: at the touch the approach was less by g·(h/2 + τ), and that is what restitution
//! is of. On the way back gravity takes as much again before all is as if they had met at the end of a substep; both together are one
//! approach that is less. Without it each bounce gains 2·g·h about, and what has a restitution above a half hops for ever.

use super::super::impulse::{Meeting, Pair, dot};
use super::super::law::Law;
use super::bond::Bond;
use super::manner::Manner;

/// What is the same for all pairs in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Falling {
    /// Slower ones do not bounce.
    pub(super) calm: f64,
    pub(super) gravity: Pair,
    /// The length of a substep, and of the step.
    pub(super) h: f64,
    pub(super) dt: f64,
}

impl Falling {
    pub(super) fn new(law: &Law<'_>) -> Falling {
        Falling { calm: law.calm(), gravity: law.gravity, h: law.substep(), dt: law.dt }
    }

    /// The approach when they met. Two that fall alike met as they are.
    pub(super) fn approach(&self, bond: &Bond, manner: &Manner, met: &Meeting) -> f64 {
        let [a, b] = bond.shares.map(|share| f64::from(share > 0.0));
        let pull = dot(self.gravity, met.normal) * (a - b);
        if pull == 0.0 {
            return met.approach;
        }
        // Who has flown has all of the step behind it.
        met.approach - pull * if manner.flown { met.since - self.dt / 2.0 } else { met.since + self.h / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of radius 1 on a floor, gravity 2, by substeps of a quarter second: from a place where the parabola is known.
    #[test]
    fn who_falls_comes_back_on_the_parabola_that_restitution_asks_for() {
        let (h, g) = (0.25, 2.0);
        for restitution in [0.25, 0.5, 0.75] {
            for height in [0.5, 1.0, 2.25, 5.0] {
                let (mut x, mut v) = (height, 0.0f64);
                // Of a node: the height of the top of its parabola.
                let top = |x: f64, v: f64| x + (v - g * h / 2.0).powi(2) / (2.0 * g);
                let first = top(x, v);
                while x >= 0.0 {
                    v -= g * h;
                    x += v * h;
                }
                // Gravity for the way on, then the impact; far, so that substeps are all there is.
                v -= g * h;
                let falling = Falling { calm: 0.0, gravity: [0.0, -g], h, dt: h };
                let bond = Bond { shares: [1.0, 0.0], radius: 1e9, ..Bond::default() };
                let met = Meeting { normal: [0.0, -1.0], approach: -v, since: x / v, distance: 0.0 };
                let manner = Manner { restitution, ..Manner::default() };
                let approach = falling.approach(&bond, &manner, &met);
                let kick = met.change_of(approach, restitution, 0.0);
                (x, v) = (x + kick * met.since, v + kick + g * h);
                // e² of the height; the touch is told to within the fall since then.
                let (second, slack) = (top(x, v), g * h * met.since);
                assert!(
                    second <= restitution * restitution * first + 1e-12
                        && second >= restitution * restitution * first - slack,
                    "{restitution} {height}: {first} {second}"
                );
            }
        }
    }

    #[test]
    fn who_falls_alike_or_has_flown_meets_as_told() {
        let falling = Falling { calm: 0.0, gravity: [0.0, -2.0], h: 0.25, dt: 1.0 };
        let met = Meeting { normal: [0.0, -1.0], approach: 3.0, since: 0.125, distance: 1.0 };
        let of = |shares: Pair, flown: bool, restitution: f64, normal: Pair| {
            let manner = Manner { restitution, flown, ..Manner::default() };
            falling.approach(&Bond { shares, radius: 100.0, ..Bond::default() }, &manner, &Meeting { normal, ..met })
        };
        assert_eq!(of([0.5, 0.5], false, 0.5, [0.0, -1.0]), 3.0);
        // Who has flown is as fast as in the middle of the step of 1, 0.375 before they met: 2·0.375 slower than then.
        assert_eq!(of([1.0, 0.0], true, 0.5, [0.0, -1.0]), 3.75);
        // Beside it.
        assert_eq!(of([1.0, 0.0], false, 0.5, [1.0, 0.0]), 3.0);
        // Onto it, from either side, and up to it: 2·(0.125 + 0.125).
        assert_eq!(of([1.0, 0.0], false, 0.5, [0.0, -1.0]), 2.5);
        assert_eq!(of([0.0, 1.0], false, 0.5, [0.0, 1.0]), 2.5);
        assert_eq!(of([1.0, 0.0], false, 0.5, [0.0, 1.0]), 3.5);
    }
}
