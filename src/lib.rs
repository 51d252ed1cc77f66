//! Exact, reproducible, SIMD 2D collision detection and response for circles and line segments.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
pub mod geometry;
mod narrow_phase;
mod response;
mod storage;
mod world;

pub use error::{Error, Kind};
pub use geometry::{Circle, Contact, Feature, Segment, Vec2};
pub use narrow_phase::{
    CircleCircleContact, CircleSegmentContact, Contacts, SegmentClass, SegmentSegmentContact, instruction_set,
};
pub use storage::{CircleBodies, CircleBody, CircleHandle, SegmentBodies, SegmentBody, SegmentHandle};
pub use world::{
    Backend, Bounds, CellSize, DEFAULT_CONTACT_LIMIT, DetectorConfig, PairKinds, Response, Threads, WorldConfig,
};
pub use world::{CircleView, EndReason, Event, EventKind, EventPair, SegmentView, StepStats, World};
