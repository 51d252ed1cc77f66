//! What a grid is told of those that it sorts.
//!
//! Comes in: nothing. Goes out: how sizes become cells, for circles and for segments. This room does not know positions.

use super::few::FEW;

/// How sizes become reach and levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Two of size `s` can only touch if their positions are within `s` times this on each axis.
    pub(crate) reach_per_size: f32,
    /// A cell is at least the reach times this.
    pub(crate) slack: f32,
    /// The first level ends at this quantile of the sizes times `first`, each later one `factor` further up.
    pub(crate) quantile: f32,
    pub(crate) first: f32,
    pub(crate) factor: f32,
    /// That end is rounded up to a power of two: a sample that differs a little then gives the same levels, and what is
    /// kept for them stands.
    pub(crate) rounded: bool,
    /// What stands among them, from low to high: cells cover it too, if they are not too many for that. Then they stay where they are, and what
    /// is kept for them stands, while bodies come and go at the rim.
    pub(crate) around: Option<[[f32; 2]; 2]>,
    /// So many others in a body's own cell are fewer trouble than a torus, if a box of cells twice as wide avoids it.
    pub(crate) fuller: f32,
    /// So many bodies at most share one cell; see [`super::few`].
    pub(crate) few: usize,
}

impl Policy {
    /// Positions are centres, sizes radii.
    pub(crate) const CIRCLES: Policy = Policy {
        reach_per_size: 2.0,
        slack: 1.25,
        quantile: 0.05,
        first: 4.0,
        factor: 6.0,
        rounded: true,
        around: None,
        fuller: 0.0,
        few: FEW,
    };
    /// Positions are lower box corners, sizes the longer side of the box.
    pub(crate) const SEGMENTS: Policy = Policy {
        reach_per_size: 1.0,
        slack: 0.535,
        quantile: 0.88,
        first: 1.2,
        factor: 4.0,
        rounded: false,
        around: None,
        fuller: 2.0,
        few: 0,
    };
}
