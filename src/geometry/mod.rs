//! Shapes and the pairwise functions one calls by hand.
mod circle;
mod columns;
mod contact;
mod segment;
mod vec2;

pub use circle::Circle;
pub(crate) use columns::Capsules;
pub use columns::{Circles, Segments};
pub use contact::{Contact, Feature};
pub use segment::Segment;
pub use vec2::Vec2;
