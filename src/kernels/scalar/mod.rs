//! The reference texts.
pub(crate) mod segment_segment;
