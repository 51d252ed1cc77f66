//! STUB of the public surface; replaced by the real world.
#![allow(unused_variables, missing_docs, clippy::all)]
use super::*;
use crate::*;

/// Circles as columns of equal length, in the caller's order.
#[derive(Clone, Copy, Debug, Default)]
pub struct CircleBodies<'a> {
    pub x: &'a [f32],
    pub y: &'a [f32],
    pub radius: &'a [f32],
    /// Empty: at rest.
    pub velocity_x: &'a [f32],
    pub velocity_y: &'a [f32],
    /// Empty: 1.
    pub inverse_mass: &'a [f32],
}
/// Segments as columns of equal length, in the caller's order.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentBodies<'a> {
    pub x0: &'a [f32],
    pub y0: &'a [f32],
    pub x1: &'a [f32],
    pub y1: &'a [f32],
    /// Empty: 0.
    pub radius: &'a [f32],
    /// All four empty: static. Given: moving, where any of the four is not zero; static otherwise.
    pub velocity_x0: &'a [f32],
    pub velocity_y0: &'a [f32],
    pub velocity_x1: &'a [f32],
    pub velocity_y1: &'a [f32],
}
/// Read-only columns of the circles, row by row (rows change at every step).
#[derive(Clone, Copy, Debug)]
pub struct CircleView<'a>(std::marker::PhantomData<&'a ()>);
impl<'a> CircleView<'a> {
    pub fn len(&self) -> usize { unimplemented!() }
    pub fn is_empty(&self) -> bool { unimplemented!() }
    pub fn x(&self) -> &'a [f32] { unimplemented!() }
    pub fn y(&self) -> &'a [f32] { unimplemented!() }
    pub fn radius(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_x(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_y(&self) -> &'a [f32] { unimplemented!() }
    pub fn inverse_mass(&self) -> &'a [f32] { unimplemented!() }
    pub fn handles(&self) -> &'a [CircleHandle] { unimplemented!() }
}
/// Read-only columns of the segments (rows stay put unless a segment is removed).
#[derive(Clone, Copy, Debug)]
pub struct SegmentView<'a>(std::marker::PhantomData<&'a ()>);
impl<'a> SegmentView<'a> {
    pub fn len(&self) -> usize { unimplemented!() }
    pub fn is_empty(&self) -> bool { unimplemented!() }
    pub fn x0(&self) -> &'a [f32] { unimplemented!() }
    pub fn y0(&self) -> &'a [f32] { unimplemented!() }
    pub fn x1(&self) -> &'a [f32] { unimplemented!() }
    pub fn y1(&self) -> &'a [f32] { unimplemented!() }
    pub fn radius(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_x0(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_y0(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_x1(&self) -> &'a [f32] { unimplemented!() }
    pub fn velocity_y1(&self) -> &'a [f32] { unimplemented!() }
    pub fn handles(&self) -> &'a [SegmentHandle] { unimplemented!() }
}
/// The contacts of the last step, in cell order; `a` and `b` are rows of `World::circles()` and `World::segments()`.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a>(std::marker::PhantomData<&'a ()>);
impl<'a> Contacts<'a> {
    pub fn circle_circle(&self) -> &'a [CircleCircleContact] { unimplemented!() }
    pub fn circle_segment(&self) -> &'a [CircleSegmentContact] { unimplemented!() }
    pub fn segment_segment(&self) -> &'a [SegmentSegmentContact] { unimplemented!() }
    /// All kinds together.
    pub fn len(&self) -> usize { unimplemented!() }
    pub fn is_empty(&self) -> bool { unimplemented!() }
}
/// Which two bodies an event is about, lower kind first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventPair {
    CircleCircle(CircleHandle, CircleHandle),
    CircleSegment(CircleHandle, SegmentHandle),
    SegmentSegment(SegmentHandle, SegmentHandle),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndReason { Apart, Removed, Edited }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind { Begin, End(EndReason) }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Event { pub kind: EventKind, pub pair: EventPair }

/// What a step did, in the words of its five calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepStats {
    pub circles: usize,
    pub segments: usize,
    pub circle_circle: usize,
    pub circle_segment: usize,
    pub segment_segment: usize,
    pub begins: usize,
    pub ends: usize,
    pub threads: usize,
    /// Nanoseconds of each of the five calls.
    pub move_ns: u64,
    pub bin_ns: u64,
    pub detect_ns: u64,
    pub resolve_ns: u64,
    pub report_ns: u64,
}
#[derive(Debug)]
pub struct World;
impl World {
    pub fn new(config: WorldConfig) -> Result<World, Error> { unimplemented!() }
    pub fn config(&self) -> &WorldConfig { unimplemented!() }
    pub fn add_circle(&mut self, circle: impl Into<CircleBody>) -> Result<CircleHandle, Error> { unimplemented!() }
    pub fn add_segment(&mut self, segment: impl Into<SegmentBody>) -> Result<SegmentHandle, Error> { unimplemented!() }
    /// All or none; handles in the order of the rows.
    pub fn add_circles(&mut self, circles: CircleBodies<'_>) -> Result<Vec<CircleHandle>, Error> { unimplemented!() }
    pub fn add_segments(&mut self, segments: SegmentBodies<'_>) -> Result<Vec<SegmentHandle>, Error> { unimplemented!() }
    pub fn remove_circle(&mut self, circle: CircleHandle) -> Result<CircleBody, Error> { unimplemented!() }
    pub fn remove_segment(&mut self, segment: SegmentHandle) -> Result<SegmentBody, Error> { unimplemented!() }
    pub fn circle(&self, circle: CircleHandle) -> Option<CircleBody> { unimplemented!() }
    pub fn segment(&self, segment: SegmentHandle) -> Option<SegmentBody> { unimplemented!() }
    pub fn set_circle(&mut self, circle: CircleHandle, body: impl Into<CircleBody>) -> Result<(), Error> { unimplemented!() }
    pub fn set_segment(&mut self, segment: SegmentHandle, body: impl Into<SegmentBody>) -> Result<(), Error> { unimplemented!() }
    pub fn set_circle_velocity(&mut self, circle: CircleHandle, velocity: impl Into<Vec2>) -> Result<(), Error> { unimplemented!() }
    /// Adds to the velocity.
    pub fn push_circle(&mut self, circle: CircleHandle, impulse: impl Into<Vec2>) -> Result<(), Error> { unimplemented!() }
    pub fn circle_row(&self, circle: CircleHandle) -> Option<usize> { unimplemented!() }
    pub fn segment_row(&self, segment: SegmentHandle) -> Option<usize> { unimplemented!() }
    pub fn set_gravity(&mut self, gravity: impl Into<Vec2>) -> Result<(), Error> { unimplemented!() }
    pub fn step(&mut self, dt: f32) -> Result<StepStats, Error> { unimplemented!() }
    /// Contacts of the present positions, without motion, response or events: what `step(0.0)` of a world with `Response::None` finds.
    pub fn detect(&mut self) -> Result<StepStats, Error> { unimplemented!() }
    pub fn circles(&self) -> CircleView<'_> { unimplemented!() }
    pub fn segments(&self) -> SegmentView<'_> { unimplemented!() }
    pub fn contacts(&self) -> Contacts<'_> { unimplemented!() }
    pub fn events(&self) -> &[Event] { unimplemented!() }
    pub fn stats(&self) -> StepStats { unimplemented!() }
    pub fn state_hash(&self) -> u64 { unimplemented!() }
    /// Sum of m v² / 2 over circles that can be pushed.
    pub fn kinetic_energy(&self) -> f64 { unimplemented!() }
}
/// "wide" lanes' instruction set, e.g. "avx2".
pub fn instruction_set() -> &'static str { unimplemented!() }
