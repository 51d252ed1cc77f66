//! The world: owns bodies, moves them, tells what touched.
//!
//! Comes in: bodies and time. Goes out: columns, contacts, events, all by way of the rooms below. This room decides
//! what happens in which order and what an error leaves behind; it does no geometry itself.
mod answer;
mod bullets;
mod bytes;
mod config;
mod edit;
mod edit_labels;
mod edit_many;
mod events;
mod hash;
mod hidden;
mod hold;
mod hook;
mod impacts;
mod in_flight;
mod joints;
mod journal;
mod known;
mod label_bytes;
mod many;
mod near;
mod pairs;
mod past;
mod periodic;
mod query;
mod recurring;
mod report;
mod snapshot;
mod solid;
mod sorted_pairs;
mod standing;
mod stats;
mod step;
mod touch;
mod view;

pub use bullets::CircleImpact;
pub use config::{AxisBounds, Bounds, Response, WorldConfig};
pub use events::{EndReason, Event, EventKind, EventPair, Touch};
pub use hold::Squeezed;
pub use hook::{Change, Encounter, Verdict};
pub use impacts::Impact;
pub use many::{Worlds, step_many};
pub use stats::StepStats;
pub use view::{CircleView, SegmentView};

use crate::error::Error;
use crate::geometry::Vec2;
use crate::narrow_phase::{Contacts, Detection, Joints, Options, Wrap};
use crate::response::{Buffers, Ends, Flight, Flyers, Guard, Trail, Warmth};
use crate::storage::{CircleColumns, SegmentColumns, Slots};
use bullets::Shots;
use hold::{Held, Trace};
use near::Near;
use report::Reporter;
use snapshot::Spare;
use solid::Solid;
use stats::Timing;

pub(crate) use snapshot::seal;

/// Owns circles and segments, moves them, finds what touches, answers it, and tells what began and ended.
///
/// ```
/// use gridlane::{Circle, EventKind, Segment, World, WorldConfig};
///
/// # fn main() -> Result<(), gridlane::Error> {
/// let mut world = World::new(WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.5))?;
/// let ball = world.add_circle(Circle::new([0.0, 2.0], 0.5).with_velocity([1.0, 0.0]))?;
/// let floor = world.add_segment(Segment::new([-10.0, 0.0], [10.0, 0.0]))?;
/// let mut landings = 0;
/// for _ in 0..240 {
///     world.step(1.0 / 60.0)?;
///     landings += world.events().iter().filter(|event| event.kind == EventKind::Begin).count();
/// }
/// assert!(landings > 1);
/// let ball = world.circle(ball).expect("nobody removed it");
/// assert!(ball.shape.center.y > 0.49 && world.segment_row(floor) == Some(0));
/// # Ok(())
/// # }
/// ```
///
/// A call that returns an error changes nothing. The same calls give the same bits, whatever the threads, the backend
/// and the machine.
pub struct World {
    config: WorldConfig,
    circles: CircleColumns,
    circle_slots: Slots,
    segments: SegmentColumns,
    segment_slots: Slots,
    detection: Box<Detection>,
    joints: Box<Joints>,
    contacts: Contacts,
    reporter: Reporter,
    stats: StepStats,
    timing: Timing,
    /// What pairs at rest bear.
    warmth: Warmth,
    /// What may come to touch within a step.
    near: Near,
    /// Of the last step.
    squeezed: Vec<Squeezed>,
    impacts: Vec<Impact>,
    circle_impacts: Vec<CircleImpact>,
    /// Circles and segments that a hook let pass in the last step, by the bits of their handles, ascending.
    passing: Vec<[u64; 2]>,
    /// For questions between steps.
    index: query::Index,
    /// What a step writes before it is known to succeed.
    next: Box<Next>,
    /// Its pairs of segments, while others have it: those of static ones stand there already.
    pairs: Contacts,
    /// What [`World::restore`] writes before it is known to succeed; nothing before the first.
    spare: Option<Box<Spare>>,
    /// What contacts across a periodic border need; nothing before the first step.
    wrap: Option<Box<Wrap>>,
    /// The legs of the last step, where tests asked for them.
    trace: Option<Box<Trace>>,
}

/// The buffers that a step fills and then swaps in.
#[derive(Debug, Default)]
struct Next {
    flight: Flight,
    circles: CircleColumns,
    contacts: Contacts,
    /// Contacts without a sensor.
    solid: Solid,
    response: Buffers,
    /// This step has a response.
    answered: bool,
    /// What the moving segments were before this step.
    saved: Vec<Ends>,
    /// The same, told from where bounds that repeat have brought them; empty where nothing repeats.
    saved_near: Vec<Ends>,
    /// Fast circles, what they and others touched, which legs they took.
    flyers: Flyers,
    guard: Guard,
    trail: Trail,
    held: Held,
    squeezed: Vec<Squeezed>,
    impacts: Vec<Impact>,
    shots: Shots,
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// [`Error::Config`] if a field is out of its range.
    pub fn new(config: WorldConfig) -> Result<World, Error> {
        config.check()?;
        let detection = Box::new(Detection::new(options(&config)));
        Ok(World {
            reporter: Reporter::new(config.events),
            config,
            circles: CircleColumns::default(),
            circle_slots: Slots::new(),
            segments: SegmentColumns::default(),
            segment_slots: Slots::new(),
            detection,
            joints: Box::default(),
            contacts: Contacts::default(),
            stats: StepStats::default(),
            timing: Timing::default(),
            warmth: Warmth::default(),
            near: Near::default(),
            squeezed: Vec::new(),
            impacts: Vec::new(),
            circle_impacts: Vec::new(),
            passing: Vec::new(),
            index: query::Index::default(),
            pairs: Contacts::default(),
            next: Box::default(),
            spare: None,
            wrap: None,
            trace: None,
        })
    }

    /// What this world was told.
    #[must_use]
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Changes gravity (length units per second squared) from the next step on.
    ///
    /// # Errors
    /// [`Error::Config`] if a component is not finite.
    pub fn set_gravity(&mut self, gravity: impl Into<Vec2>) -> Result<(), Error> {
        let config = WorldConfig { gravity: gravity.into(), ..self.config.clone() };
        config.check()?;
        self.config = config;
        Ok(())
    }
}

/// What detection has to know of a configuration.
fn options(config: &WorldConfig) -> Options {
    Options {
        backend: config.backend,
        threads: config.threads,
        cell_size: config.cell_size,
        pair_kinds: config.pair_kinds,
        contact_limit: config.contact_limit,
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("config", &self.config)
            .field("circles", &self.circles.len())
            .field("segments", &self.segments.len())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}
