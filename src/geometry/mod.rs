//! Shapes, and the pairwise functions one calls by hand.
//!
//! Shapes go in by value, points and vectors as anything that converts into [`Vec2`]. Sets are closed: touching counts. Every
//! decision is that of exact arithmetic on the `f32` given, every value the `f32` nearest to the exact one (+0 for zero, saturated to
//! ±`f32::MAX`; only a [`Line`] through two points may have a direction that is too long, and then it is no line), so symmetries of the input
//! (mirror, quarter turn, swap, scale by a power of two) are symmetries of the output, but where a convention chooses among equals.
//! Shapes with a negative or non-finite number touch nothing, and nothing here panics or hands out NaN.
//!
//! Comes in: one pair. Goes out: how it lies. This room knows no world, no columns and no step. Decisions live in `exact`.

mod aabb;
mod arrow;
mod capsule;
mod circle;
mod circle_circle;
mod circle_segment;
mod columns;
mod contact;
mod image_segments;
mod images;
mod line;
mod line_circle;
mod line_line;
mod near;
mod periods;
mod point_line;
mod ray;
mod reflect;
mod segment;
mod segment_segment;
mod sweep;
mod vec2;

pub(crate) use crate::exact::Shift;
pub use aabb::{Aabb, circle_touches_aabb, segment_touches_aabb};
pub(crate) use capsule::beside;
pub use capsule::capsule_capsule;
pub use circle::Circle;
pub use circle_circle::{circle_circle, circles_touch, circles_within};
pub use circle_segment::{circle_segment, circle_touches_segment, push_out};
pub(crate) use columns::Capsules;
pub use columns::{Circles, Segments};
pub use contact::{Contact, Feature};
pub(crate) use image_segments::{ImageTouch, segment_segment_image};
pub(crate) use images::{circle_circle_image, circle_image_touches_aabb, circle_segment_image, circle_within_image};
pub use line::Line;
pub use line_circle::{LineCircle, LineCrossing, OutlinePoint, SegmentCircle, line_circle, segment_circle};
pub use line_line::{LineLine, line_line};
pub use near::{
    Gap, NearestPoint, circle_circle_gap, circle_segment_gap, circle_segment_within, nearest_on_capsule,
    nearest_on_circle,
};
pub(crate) use near::{distance_to, distance_to_disc};
pub(crate) use periods::Periods;
pub use point_line::{
    NearestOnLine, NearestOnSegment, SignedDistance, nearest_on_line, nearest_on_segment, point_in_circle,
    points_in_circles, signed_distance,
};
pub use ray::{Ray, RayHit, ray_circle, ray_segment};
pub use reflect::{bounce, reflect};
pub use segment::Segment;
pub(crate) use segment_segment::share_of;
pub use segment_segment::{SegmentRelation, segment_segment, segments_touch};
pub use sweep::{Sweep, sweep_circle_circle, sweep_circle_segment};
pub use vec2::Vec2;
