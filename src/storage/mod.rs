//! The columns: handles, bodies, and where they live.
mod body;
mod handle;

pub use body::{CircleBody, SegmentBody};
pub use handle::{CircleHandle, SegmentHandle};
