//! Exact, reproducible, SIMD 2D collision detection and response for circles and line segments.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod exact;
pub mod geometry;
mod narrow_phase;
mod storage;
mod world;

pub use error::{Error, Kind};
pub use geometry::{Circle, Contact, Feature, Line, Ray, Segment, Vec2};
pub use narrow_phase::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};
pub use storage::{CircleBody, CircleHandle, SegmentBody, SegmentHandle};
pub use world::{
    Backend, Bounds, CellSize, DEFAULT_CONTACT_LIMIT, DetectorConfig, PairKinds, Response, Threads, WorldConfig,
};
pub use world::{
    CircleBodies, CircleView, Contacts, EndReason, Event, EventKind, EventPair, SegmentBodies, SegmentView, StepStats,
    World, instruction_set,
};
