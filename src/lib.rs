//! Exact, reproducible, SIMD 2D collision detection and response for circles and line segments.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod broad_phase;
mod detector;
mod error;
mod exact;
pub mod geometry;
#[doc(hidden)]
pub mod internals;
mod kernels;
mod narrow_phase;
mod parallel;
mod response;
mod storage;
mod world;

pub use broad_phase::CellSize;
pub use detector::{DEFAULT_CONTACT_LIMIT, Detector, DetectorConfig};
pub use error::{Error, Kind};
pub use geometry::{Circle, Circles, Contact, Feature, Line, Ray, Segment, Segments, Vec2};
pub use kernels::{Backend, instruction_set};
pub use narrow_phase::{
    CircleCircleContact, CircleSegmentContact, Contacts, PairKinds, SegmentClass, SegmentSegmentContact,
};
pub use parallel::Threads;
pub use storage::{CircleBodies, CircleBody, CircleHandle, SegmentBodies, SegmentBody, SegmentHandle};
pub use world::{Bounds, Response, WorldConfig};
pub use world::{CircleView, EndReason, Event, EventKind, EventPair, SegmentView, StepStats, World};
