//! What bodies that meet do, in numbers.
//!
//! Comes in: what a world was told, and how bouncy its bodies are. Goes out: the restitution of a pair, and the constants of
//! one step. This room does not know positions.

use super::impulse::{Meeting, Pair, dot};
use super::integrate::Limits;
use super::units::larger;
use crate::kernels::bounce::LONGEST;

/// What one pair does that others do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Changed {
    /// Of two circles, or of a circle and a segment; as the contact has them.
    pub(crate) rows: [u32; 2],
    /// From 0 to 1; the bodies' own if there is none.
    pub(crate) restitution: Option<f32>,
    /// How fast they part at least, once they have touched; 0 or more.
    pub(crate) speed: f32,
}

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
    /// Pairs of circles, and of circles and segments, that are not as their bodies are: ascending by rows.
    pub(super) changed: [&'a [Changed]; 2],
    /// The end of the world.
    pub(super) limits: Limits,
}

impl<'a> Law<'a> {
    /// Elastic bodies, neither pulled nor held: change what is to be different.
    pub(crate) fn new(dt: f32) -> Law<'a> {
        Law {
            gravity: [0.0; 2],
            dt: f64::from(dt),
            substeps: 8,
            restitution: 1.0,
            own: [&[]; 2],
            changed: [&[]; 2],
            limits: Limits::NONE,
        }
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

    /// See [`Law::changed`].
    pub(crate) fn with_changed(self, changed: [&'a [Changed]; 2]) -> Law<'a> {
        Law { changed, ..self }
    }

    pub(crate) fn with_limits(self, limits: Limits) -> Law<'a> {
        Law { limits, ..self }
    }

    /// No two bodies can ever rest on each other.
    pub(super) fn is_elastic(&self) -> bool {
        // A pair's restitution is the larger of two, so where the world's is 1 it takes two bodies of their own.
        self.restitution >= 1.0 && self.is_one()
    }

    /// All pairs have the restitution of the world.
    pub(super) fn is_one(&self) -> bool {
        self.own.iter().all(|own| own.is_empty()) && self.changed.iter().all(|changed| changed.is_empty())
    }

    /// Of two circles: the larger of both.
    #[inline]
    pub(super) fn of_circles(&self, a: usize, b: usize) -> f64 {
        let changed = self.changed(0, [a, b]).and_then(|changed| changed.restitution);
        changed.map_or_else(|| larger(self.of(0, a), self.of(0, b)), f64::from)
    }

    /// Of a circle and a segment: the larger of both.
    #[inline]
    pub(super) fn of_wall(&self, a: usize, b: usize) -> f64 {
        let changed = self.changed(1, [a, b]).and_then(|changed| changed.restitution);
        changed.map_or_else(|| larger(self.of(0, a), self.of(1, b)), f64::from)
    }

    /// How fast two circles part at least, once they have touched.
    #[inline]
    pub(super) fn speed_of_circles(&self, a: usize, b: usize) -> f64 {
        self.changed(0, [a, b]).map_or(0.0, |changed| f64::from(changed.speed))
    }

    /// How fast a circle and a segment part at least.
    #[inline]
    pub(super) fn speed_of_wall(&self, a: usize, b: usize) -> f64 {
        self.changed(1, [a, b]).map_or(0.0, |changed| f64::from(changed.speed))
    }

    /// Of no two circles something has been said.
    pub(super) fn all_circles_alike(&self) -> bool {
        self.changed[0].is_empty()
    }

    /// The same of a circle and a segment.
    pub(super) fn all_walls_alike(&self) -> bool {
        self.changed[1].is_empty()
    }

    #[inline(always)]
    fn changed(&self, kind: usize, rows: [usize; 2]) -> Option<&'a Changed> {
        let of = self.changed[kind];
        if of.is_empty() { None } else { find(of, rows) }
    }

    fn of(&self, kind: usize, row: usize) -> f64 {
        match self.own[kind].get(row) {
            Some(&own) if own >= 0.0 => f64::from(own),
            _ => self.restitution,
        }
    }

    /// The approach of a circle to a wall, whose normal points there, when they met, `since` before the end of the step. Velocities are those of the
    /// middle of a step on the parabola that goes through the places: before its middle it was slower, by gravity for so long. On the way back
    /// gravity takes as much again, so restitution of this approach keeps v²/2 - g·x - g·v·dt/2 if it is 1, which free flight keeps: what
    /// restitution of the velocity gives to those that others have pushed deep into a wall heats a gas.
    #[inline(always)]
    pub(super) fn at_touch(&self, approach: f64, normal: Pair, since: f64) -> f64 {
        approach + dot(self.gravity, normal) * (self.dt / 2.0 - since)
    }

    /// The same of two circles with such inverse masses, whose normal points from the first to the second: gravity pulls those that can be moved, and two
    /// of them alike, so that their approach is as it was. One alone is moved back no farther than a share of its radius. How long ago that was, too.
    #[inline(always)]
    pub(super) fn at_touch_of(&self, met: &Meeting, inverse_mass: Pair, radius: Pair) -> (f64, f64) {
        let [a, b] = inverse_mass.map(|w| f64::from(w > 0.0));
        if a == b || !self.pulls() {
            return (met.approach, met.since);
        }
        let since = met.since_within(LONGEST * if a > b { radius[0] } else { radius[1] });
        (self.at_touch(met.approach, met.normal.map(|n| n * (a - b)), since), since)
    }

    /// Something pulls.
    pub(super) fn pulls(&self) -> bool {
        self.gravity != [0.0; 2]
    }

    /// The length of a substep.
    pub(super) fn substep(&self) -> f64 {
        self.dt / f64::from(self.substeps)
    }

    /// Nothing comes back from an approach slower than 4·|gravity|·h, h the substep: what gravity gives in a few substeps is no
    /// impact, and a body that bounces on it would never come to rest. Scale-free, and zero without gravity. A pair of
    /// restitution 1 always gives everything back, or energy would leak.
    pub(super) fn calm(&self) -> f64 {
        4.0 * self.weight()
    }

    /// What gravity gives in a substep.
    pub(super) fn weight(&self) -> f64 {
        dot(self.gravity, self.gravity).sqrt() * self.substep()
    }
}

#[cold]
fn find(changed: &[Changed], rows: [usize; 2]) -> Option<&Changed> {
    let at = changed.binary_search_by_key(&rows, |changed| changed.rows.map(|row| row as usize)).ok()?;
    changed.get(at)
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
    fn a_pair_that_was_changed_is_what_it_was_changed_to() {
        let changed = |rows, restitution, speed| Changed { rows, restitution, speed };
        let circles = [changed([0, 2], Some(0.25), 0.0), changed([1, 2], None, 3.0)];
        let walls = [changed([2, 0], Some(1.0), 0.5)];
        let law = Law::new(1.0).with_restitution(0.5, [&[-1.0, 0.75], &[]]).with_changed([&circles, &walls]);
        assert_eq!([law.of_circles(0, 1), law.of_circles(0, 2), law.of_circles(1, 2)], [0.75, 0.25, 0.75]);
        assert_eq!([law.of_wall(2, 0), law.of_wall(2, 1)], [1.0, 0.5]);
        assert_eq!([law.speed_of_circles(0, 2), law.speed_of_circles(1, 2)], [0.0, 3.0]);
        assert_eq!([law.speed_of_wall(2, 0), law.speed_of_wall(0, 2)], [0.5, 0.0]);
        let elastic = Law::new(1.0).with_changed([&[], &walls]);
        assert!(!elastic.is_elastic() && !elastic.is_one());
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
        assert_eq!(Law::new(0.5).with_gravity([-3.0, 4.0]).with_substeps(4).weight(), 0.625);
    }
}
