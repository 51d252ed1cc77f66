//! Candidate runs through the kernels to contacts.
mod contact;

pub use contact::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};
