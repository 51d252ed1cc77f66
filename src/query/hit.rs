//! What a cast finds.
//!
//! Comes in: what a pair function says of one shape. Goes out: records, single or as lists of lists. This room does not search.

use super::lists::{Joined, Part};
use super::{Lists, Target};
use crate::error::Error;
use crate::geometry::{Feature, RayHit, Sweep, Vec2};
use crate::parallel::Split;
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
///
/// There are never more hits than [`Self::limit`], so that no input takes all memory: a question that has more of them is an
/// [`Error::TooManyResults`](crate::Error::TooManyResults), and the lists are then empty.
#[derive(Clone, Debug)]
pub struct HitLists {
    pub(super) offsets: Vec<usize>,
    pub(super) hits: Vec<Hit>,
    limit: usize,
    /// What each chunk of questions found, before they are joined.
    parts: Vec<Part<Hit>>,
}

impl Default for HitLists {
    fn default() -> HitLists {
        HitLists { offsets: Vec::new(), hits: Vec::new(), limit: HitLists::DEFAULT_LIMIT, parts: Vec::new() }
    }
}

impl HitLists {
    /// The hits that there may be, unless told otherwise: 2^26.
    pub const DEFAULT_LIMIT: usize = Lists::<Hit>::DEFAULT_LIMIT;

    /// No lists.
    #[must_use]
    pub fn new() -> HitLists {
        HitLists::default()
    }

    /// With another limit of hits for the questions to come.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> HitLists {
        HitLists { limit, ..self }
    }

    /// How many hits there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
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

    /// As of [`Lists::fill`].
    pub(super) fn fill(
        &mut self,
        questions: usize,
        split: Split,
        answer: impl Fn(usize, usize, &mut Part<Hit>) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let HitLists { offsets, hits, limit, parts } = self;
        Joined { offsets, items: hits, parts }.fill(*limit, questions, split, answer)
    }

    /// All lists one after the other, by one thread: `answer(limit, hits, ends)` may stop early once there are more hits than the limit.
    pub(super) fn fill_straight(
        &mut self,
        answer: impl FnOnce(usize, &mut Vec<Hit>, &mut Vec<usize>),
    ) -> Result<(), Error> {
        let HitLists { offsets, hits, limit, .. } = self;
        offsets.clear();
        offsets.push(0);
        hits.clear();
        answer(*limit, hits, offsets);
        if hits.len() > *limit {
            offsets.clear();
            hits.clear();
            return Err(Error::TooManyResults { limit: *limit });
        }
        Ok(())
    }
}
