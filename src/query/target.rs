//! What a question finds: names of bodies.

use bytemuck::{Pod, Zeroable};

/// Whether a circle or a segment was found, or nothing. `Pod`: `1`, `2` or `0`.
#[repr(transparent)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
pub struct TargetKind(u32);

#[allow(non_upper_case_globals, reason = "reads and matches like the variants of an enum, which cannot be Pod")]
impl TargetKind {
    /// Nothing was found.
    pub const Nothing: TargetKind = TargetKind(0);
    /// A circle.
    pub const Circle: TargetKind = TargetKind(1);
    /// A segment.
    pub const Segment: TargetKind = TargetKind(2);

    /// `"nothing"`, `"circle"` or `"segment"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            0 => "nothing",
            1 => "circle",
            _ => "segment",
        }
    }
}

impl std::fmt::Debug for TargetKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A body that a query has found, by its row at the time of the query: in a world that of [`World::circles`](crate::World::circles)
/// or [`World::segments`](crate::World::segments), beside which `handles()` runs; in a detector the caller's own. Ordered circles
/// first, then by row.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Target {
    /// Circle or segment.
    pub kind: TargetKind,
    /// Its row; 0 for nothing.
    pub row: u32,
}

impl Target {
    /// Nothing was found.
    pub const NOTHING: Target = Target { kind: TargetKind::Nothing, row: 0 };

    /// The circle in `row`.
    #[must_use]
    pub const fn circle(row: u32) -> Target {
        Target { kind: TargetKind::Circle, row }
    }

    /// The segment in `row`.
    #[must_use]
    pub const fn segment(row: u32) -> Target {
        Target { kind: TargetKind::Segment, row }
    }

    /// Something was found.
    #[must_use]
    pub const fn is_something(self) -> bool {
        self.kind.0 != 0
    }
}
