//! What a touching pair is told about.

use super::Vec2;
use bytemuck::{Pod, Zeroable};

/// Which part of a segment is touched. A foot exactly on an end belongs to that end. `Pod`: `0`, `1` or `2`.
#[repr(transparent)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
pub struct Feature(u32);

#[allow(non_upper_case_globals, reason = "reads and matches like the variants of an enum, which cannot be Pod")]
impl Feature {
    /// Strictly between the ends.
    pub const Interior: Feature = Feature(0);
    /// The first end, also of a segment whose ends are equal.
    pub const Start: Feature = Feature(1);
    /// The second end.
    pub const End: Feature = Feature(2);

    /// `"interior"`, `"start"` or `"end"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            0 => "interior",
            1 => "start",
            _ => "end",
        }
    }
}

impl std::fmt::Debug for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Where and how two shapes touch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Circle–circle: on the line of centres, midway between the two outlines. Circle–segment: the point of the
    /// segment (of the capsule's outline) nearest to the centre.
    pub point: Vec2,
    /// Unit, from A to B. Coincident centres: (0, 1). Centre on the segment: the segment's left normal, or (0, 1)
    /// where its ends are equal.
    pub normal: Vec2,
    /// Gap along the normal: 0 when just touching, negative when penetrating. Never positive in a contact.
    pub separation: f32,
    /// The part of the segment that is nearest; `Interior` where no segment takes part.
    pub feature: Feature,
}
