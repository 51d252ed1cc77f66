//! Candidate runs through the kernels to contacts.
//!
//! Comes in: circles and segments as columns, and their filters. Goes out: all pairs that touch, as contacts or as rows, in an order that depends on
//! the input alone. This room does not know handles, nor how anything moves.
mod bands;
mod blocks;
mod columns;
mod contacts;
mod detection;
mod drift;
mod few;
mod found;
mod joints;
mod neighbors;
mod output;
mod passes;
mod rows;
mod search;
mod segment_boxes;
mod segment_chain_search;
mod segment_chains;
mod segment_contacts;
mod segment_line;
mod segment_looks;
mod segment_pairs;
mod segment_search;
mod segment_set;
#[cfg(test)]
mod segment_tests;
mod segment_verdicts;
mod segment_workers;
mod sparing;
mod still;
mod wall_set;
mod wrap;
mod wrap_images;
mod wrap_segments;
mod writing;

pub use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};
pub(crate) use columns::Segments;
pub use contacts::Contacts;
pub(crate) use detection::{Detection, Options};
pub(crate) use joints::{Joined, Joints};
pub use neighbors::Neighbors;
pub use rows::{AnyContact, ContactCounts, ContactSlices, PairLists};
pub(crate) use wrap::{Across, Bodies, Refusal, Wrap};

/// Which kinds of pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairKinds {
    /// Circles against circles.
    pub circle_circle: bool,
    /// Circles against segments.
    pub circle_segment: bool,
    /// Segments against segments.
    pub segment_segment: bool,
}

impl PairKinds {
    /// All three.
    pub const ALL: PairKinds = PairKinds { circle_circle: true, circle_segment: true, segment_segment: true };
}

impl Default for PairKinds {
    fn default() -> PairKinds {
        PairKinds::ALL
    }
}
