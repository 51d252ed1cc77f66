//! Shapes and the pairwise functions one calls by hand.
mod circle;
mod circle_circle;
mod circle_segment;
mod columns;
mod contact;
mod segment;
mod segment_segment;
mod vec2;

pub use circle::Circle;
pub use circle_circle::{circle_circle, circles_touch};
pub use circle_segment::{circle_segment, circle_touches_segment, push_out};
pub(crate) use columns::Capsules;
pub use columns::{Circles, Segments};
pub use contact::{Contact, Feature};
pub use segment::Segment;
pub use segment_segment::{SegmentRelation, segment_segment, segments_touch};
pub use vec2::Vec2;
