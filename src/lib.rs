//! Exact, reproducible, SIMD 2D collision detection and response for thousands to millions of circles and line segments.
//!
//! Three doors, by how much is to be kept for you:
//!
//! - [`World`] owns bodies, moves them, answers what touches, and tells what began and ended;
//! - [`Detector`] finds all touching pairs among your own columns, wherever they lie ([`Column`]): rows in, rows out, as contacts, as rows
//!   alone, one by one, or as neighbour lists; and all pairs among the segments of a map;
//! - [`geometry`] has the pairwise functions that one calls by hand.
//!
//! The first two answer [`Queries`] about what stands where: rays, overlaps, what is nearest. [`Worlds`] steps many worlds side by side.
//!
//! ```
//! use gridlane::{Circle, Segment, World, WorldConfig, geometry};
//!
//! let (circle, floor) = (Circle::new([3.0, 0.25], 0.5), Segment::new([-10.0, 0.0], [10.0, 0.0]));
//! let pair = geometry::circle_segment(circle, floor).expect("0.25 apart, radius 0.5");
//! assert_eq!((pair.separation, pair.normal.y), (-0.25, -1.0)); // from the circle to the segment
//!
//! let mut world = World::new(WorldConfig::default())?;
//! world.add_circle(circle)?;
//! world.add_segment(floor)?;
//! world.detect()?;
//! let found = world.contacts().circle_segment()[0];
//! assert_eq!((found.separation, found.normal, found.feature), (pair.separation, pair.normal, pair.feature));
//! # Ok::<(), gridlane::Error>(())
//! ```
//!
//! # Conventions
//!
//! - **Sets are closed**: touching counts, with separation 0. Whether two shapes touch, and how, is decided as real arithmetic
//!   would decide it on the `f32` given.
//! - **A and B**: the lower kind is A, circle before segment; of one kind the lower row.
//! - **Normal**: unit, from A to B. Coincident centres: (0, 1). Centre on a segment: the segment's left normal.
//! - **Separation**: the gap along the normal, negative when penetrating.
//! - **[`Feature`]**: which part of a segment is touched; a foot exactly on an end belongs to that end.
//! - **Rows** are dense positions in columns. Those of a world's circles change at every step, since its columns are kept in cell
//!   order; **handles** are stable and never come to mean another body.
//! - **[`Filter`]s** are asked before any geometry: what they refuse is no contact and costs no more than a look. **Sensors** report
//!   what they touch and neither push nor are pushed. **Disabled** bodies keep their place, stand still, meet nothing and are not seen.
//! - **Units** are the caller's; `dt` is in seconds.
//! - **Order**: contacts and events come in an order that depends on the input alone.
//!
//! # Promises
//!
//! The same input gives the same bytes, for any number of [`Threads`], either [`Backend`], any instruction set. Nothing panics on
//! data and no NaN is handed out: numbers that are not finite are an [`Error`] at the door, and an error changes nothing.
//!
//! What is not there: circles are tested against circles where a step leaves them alone, so fast ones may pass through each other unless
//! they are marked as bullets ([`CircleBody::bullet`]); see the README for the whole list.
//!
//! # Map of the house
//!
//! `geometry` (shapes, pairs) and `exact` (predicates) below; `storage` (columns, handles) and `kernels` (the contract, in a scalar
//! and a wide text) on them; `broad_phase` (cells), `narrow_phase` (candidates to contacts), `query` (questions), `response` (motion,
//! impulses) above; `world` and `detector` on top. Beside them `error` (all errors), `parallel` (threads), `interop` (types of other crates) and
//! `internals` (what our own benches and tests look into).
//!
//! # Features
//!
//! - `parallel` (default): spread a step over rayon's threads;
//! - `mint`, `glam`: [`Vec2`] from and into their vectors;
//! - `serde`: shapes, bodies, records, handles, events, questions' answers, configurations, and worlds as their snapshots;
//! - `cli`: the command `gridlane`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod broad_phase;
mod detector;
mod error;
mod exact;
pub mod geometry;
#[doc(hidden)]
pub mod internals;
mod interop;
mod kernels;
mod narrow_phase;
mod parallel;
mod query;
mod response;
mod storage;
mod world;

pub use broad_phase::CellSize;
pub use detector::{
    CircleColumns, Column, DEFAULT_CONTACT_LIMIT, Detector, DetectorConfig, Frame, Points, SegmentColumns,
};
pub use error::{Error, Kind};
pub use geometry::{Aabb, Circle, Circles, Contact, Feature, Line, Ray, Segment, Segments, Vec2};
pub use kernels::{Backend, instruction_set};
pub use narrow_phase::{
    AnyContact, CircleCircleContact, CircleSegmentContact, ContactCounts, ContactSlices, Contacts, Neighbors,
    PairKinds, PairLists, SegmentClass, SegmentSegmentContact,
};
pub use parallel::Threads;
pub use query::{
    Fan, Hit, HitLists, Lists, MovingCircles, Nearest, NearestLists, Neighbor, NeighborLists, Queries, QueryFilter,
    QueryPoints, Rays, Scan, Scans, Target, TargetKind, TargetLists,
};
pub use storage::{CircleBodies, CircleBody, CircleHandle, Filter, Filters, SegmentBodies, SegmentBody, SegmentHandle};
pub use world::{AxisBounds, Bounds, Change, Encounter, Response, Verdict, WorldConfig};
pub use world::{
    CircleImpact, CircleView, EndReason, Event, EventKind, EventPair, Impact, SegmentView, Squeezed, StepStats, Touch,
    World, Worlds, step_many,
};

/// The examples of the README, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
