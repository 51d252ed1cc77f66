//! Circles that bounce off each other or off walls, or are pushed apart: what both texts compute.
//!
//! Comes in: eight pairs of circles, or of a circle and a wall, of which no two share a circle, as they stand and move. Goes out: how they
//! stand and move then, in the bits of `response::bouncing`, `response::mirrored` and `response::push_out`, where the formulas are:
//! operation by operation the same, in double precision, columns rounded where those round. The scalar text does none of them: it is
//! those three.

use super::LANES;

/// Tolerated penetration, as a share of the (smaller) radius.
pub(crate) use super::bonds::SLOP;
/// No push is longer than this share of the pushed circle's radius.
pub(crate) const LONGEST: f64 = 0.5;

/// Eight circles, by columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bodies {
    pub(crate) position: [[f32; LANES]; 2],
    pub(crate) velocity: [[f32; LANES]; 2],
    pub(crate) radius: [f32; LANES],
    pub(crate) inverse_mass: [f32; LANES],
}

/// What eight impulses did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounced {
    /// The shares of the virial; 0 of pairs that did not meet.
    pub(crate) virial: [f64; LANES],
    /// Bits of the pairs that still overlap, beyond the slop.
    pub(crate) deep: u32,
    /// All numbers are finite.
    pub(crate) finite: bool,
}

/// Eight walls where circles touch them, by columns: what their contacts say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tangents {
    pub(crate) point: [[f32; LANES]; 2],
    /// From the circle to the wall.
    pub(crate) normal: [[f32; LANES]; 2],
}

/// The ends that eight circles touch; where a circle's own centre is, it touches a flank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tips {
    pub(crate) end: [[f32; LANES]; 2],
    /// Of the wall.
    pub(crate) radius: [f32; LANES],
}

/// How fast eight walls move where circles touch them, by axes.
pub(crate) type Speeds = [[f64; LANES]; 2];

/// What gravity does within a step: see `response::law`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    pub(crate) gravity: [f64; 2],
    /// Half of the step.
    pub(crate) half: f64,
}

/// What eight impulses of walls did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mirrored {
    /// How large they were; 0 of those that did not meet.
    pub(crate) given: [f64; LANES],
    /// Of the walls.
    pub(crate) tangents: Tangents,
    /// All numbers are finite.
    pub(crate) finite: bool,
}
