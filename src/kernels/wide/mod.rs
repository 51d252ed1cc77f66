//! The eight-lane texts.
pub(crate) mod segment_segment;
