//! What bodies that meet do, in numbers.
//!
//! Comes in: what a world was told, and how bouncy its bodies are. Goes out: the restitution of a pair, and the constants of
//! one step. This room does not know positions.

use super::impulse::{Pair, dot};
use super::integrate::Limits;

/// The law of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law<'a> {
    pub(super) gravity: Pair,
    pub(super) dt: f64,
    pub(super) substeps: u32,
    /// Of bodies that have none of their own.
    pub(super) restitution: f64,
    /// Those of circles and of segments by row, below zero where a body has none of its own; empty if nobody has.
    pub(super) own: [&'a [f32]; 2],
    /// The end of the world.
    pub(super) limits: Limits,
}

impl<'a> Law<'a> {
    /// Elastic bodies, neither pulled nor held: change what is to be different.
    pub(crate) fn new(dt: f32) -> Law<'a> {
        Law { gravity: [0.0; 2], dt: f64::from(dt), substeps: 8, restitution: 1.0, own: [&[]; 2], limits: Limits::NONE }
    }

    /// Length units per second squared.
    pub(crate) fn with_gravity(self, gravity: [f32; 2]) -> Law<'a> {
        Law { gravity: gravity.map(f64::from), ..self }
    }

    /// See [`Law::restitution`] and [`Law::own`].
    pub(crate) fn with_restitution(self, restitution: f32, own: [&'a [f32]; 2]) -> Law<'a> {
        Law { restitution: f64::from(restitution), own, ..self }
    }

    /// One or more.
    pub(crate) fn with_substeps(self, substeps: u32) -> Law<'a> {
        Law { substeps, ..self }
    }

    pub(crate) fn with_limits(self, limits: Limits) -> Law<'a> {
        Law { limits, ..self }
    }

    /// No two bodies can ever rest on each other.
    pub(super) fn is_elastic(&self) -> bool {
        // A pair's restitution is the larger of two, so where the world's is 1 it takes two bodies of their own.
        self.restitution >= 1.0 && self.own.iter().all(|own| own.is_empty())
    }

    /// Of two circles: the larger of both.
    pub(super) fn of_circles(&self, a: usize, b: usize) -> f64 {
        larger(self.of(0, a), self.of(0, b))
    }

    /// Of a circle and a segment: the larger of both.
    pub(super) fn of_wall(&self, a: usize, b: usize) -> f64 {
        larger(self.of(0, a), self.of(1, b))
    }

    fn of(&self, kind: usize, row: usize) -> f64 {
        match self.own[kind].get(row) {
            Some(&own) if own >= 0.0 => f64::from(own),
            _ => self.restitution,
        }
    }

    /// The length of a substep.
    pub(super) fn substep(&self) -> f64 {
        self.dt / f64::from(self.substeps)
    }

    /// Nothing comes back from an approach slower than 4·|gravity|·h, h the substep: what gravity gives in a few substeps is no
    /// impact, and a body that bounces on it would never come to rest. Scale-free, and zero without gravity. A pair of
    /// restitution 1 always gives everything back, or energy would leak.
    pub(super) fn calm(&self) -> f64 {
        4.0 * dot(self.gravity, self.gravity).sqrt() * self.substep()
    }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_restitution_of_two_counts() {
        let (circles, segments) = ([0.25f32, -1.0, 0.75], [-1.0f32, 0.5]);
        let law = Law::new(1.0).with_restitution(0.375, [&circles, &segments]);
        assert_eq!([law.of_circles(0, 1), law.of_circles(0, 2), law.of_circles(1, 1)], [0.375, 0.75, 0.375]);
        assert_eq!([law.of_wall(0, 0), law.of_wall(0, 1), law.of_wall(2, 1)], [0.375, 0.5, 0.75]);
    }

    #[test]
    fn only_a_world_of_restitution_one_without_exceptions_is_elastic() {
        assert!(Law::new(1.0).is_elastic());
        assert!(!Law::new(1.0).with_restitution(0.5, [&[]; 2]).is_elastic());
        assert!(!Law::new(1.0).with_restitution(1.0, [&[0.5], &[]]).is_elastic());
    }

    #[test]
    fn calm_is_what_gravity_gives_in_four_substeps() {
        // |(-3, 4)| = 5, h = 0.5 / 4: 4·5·0.125.
        assert_eq!(Law::new(0.5).with_gravity([-3.0, 4.0]).with_substeps(4).calm(), 2.5);
        assert_eq!(Law::new(0.5).calm(), 0.0);
    }
}
