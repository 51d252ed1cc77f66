//! Candidate runs through the kernels to contacts.
mod contact;
mod detection;

pub use contact::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};
pub(crate) use detection::{Circles, Detection, Options, Segments};
pub use detection::{Contacts, instruction_set};
