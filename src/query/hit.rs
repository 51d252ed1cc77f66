//! What a cast finds.
//!
//! Comes in: what a pair function says of one shape. Goes out: records, single or as lists of lists. This room does not search.

use super::Target;
use crate::geometry::{Feature, RayHit, Sweep, Vec2};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;

/// Where a ray, or a circle on its way, first meets a body. All zeros where nothing is met.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// How far along: for a ray in lengths of its direction, 0 to `max`; for a circle the part of its motion, 0 to 1. 0 where
    /// it starts on or in the body.
    pub fraction: f32,
    /// For a ray the point hit; for a circle where it touches: the point of the contact that `geometry` tells.
    pub point: Vec2,
    /// Unit, out of the body, against what flies: as in [`RayHit`](crate::geometry::RayHit::normal).
    pub normal: Vec2,
    /// The part of the segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
    /// The body.
    pub target: Target,
}

impl Hit {
    /// Nothing was met.
    pub const NOTHING: Hit = Hit {
        fraction: 0.0,
        point: Vec2::ZERO,
        normal: Vec2::ZERO,
        feature: Feature::Interior,
        target: Target::NOTHING,
    };

    /// Something was met.
    #[must_use]
    pub const fn is_hit(self) -> bool {
        self.target.is_something()
    }

    /// The hit, if it is one.
    #[must_use]
    pub const fn found(self) -> Option<Hit> {
        if self.is_hit() { Some(self) } else { None }
    }

    /// The order of lists: by fraction, circles first, by row.
    pub(super) fn order(&self, other: &Hit) -> Ordering {
        self.fraction.total_cmp(&other.fraction).then(self.target.cmp(&other.target))
    }

    pub(super) fn of_ray(hit: RayHit, target: Target) -> Hit {
        Hit { fraction: hit.t, point: hit.point, normal: hit.normal, feature: hit.feature, target }
    }

    /// The contact's normal points into the body.
    pub(super) fn of_sweep(sweep: Sweep, target: Target) -> Hit {
        let contact = sweep.contact;
        let normal = Vec2::new(0.0 - contact.normal.x, 0.0 - contact.normal.y);
        Hit { fraction: sweep.fraction, point: contact.point, normal, feature: contact.feature, target }
    }
}

/// Lists of hits, one a question, in one array. Reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct HitLists {
    pub(super) offsets: Vec<usize>,
    pub(super) hits: Vec<Hit>,
    /// What each chunk of questions found, before they are joined.
    pub(super) parts: Vec<Part>,
}

/// The lists of one chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) ends: Vec<usize>,
    pub(super) hits: Vec<Hit>,
}

impl HitLists {
    /// No lists.
    #[must_use]
    pub fn new() -> HitLists {
        HitLists::default()
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// There are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of a question, by fraction, circles before segments, by row. Past the end: empty.
    #[must_use]
    pub fn list(&self, question: usize) -> &[Hit] {
        let ends = self.offsets.get(question).zip(self.offsets.get(question + 1));
        ends.map_or(&[], |(&from, &to)| &self.hits[from..to])
    }

    /// Where each list begins in [`Self::hits`], and the end of the last one. Empty before the first use.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// All lists, one behind the other.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }
}
