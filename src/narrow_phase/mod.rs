//! Candidate runs through the kernels to contacts.
mod columns;
mod contact;
mod segment_contacts;
mod segment_pairs;
mod segment_search;
mod segment_set;
#[cfg(test)]
mod segment_tests;

pub use contact::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};

/// Which kinds of pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
