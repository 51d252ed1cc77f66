//! What the benches share: the built-in scenes, what is known to touch in them, and bodies set up from them.
//!
//! A time without its count says nothing: every bench asserts the numbers of [`KNOWN`] before it starts the clock.
#![allow(dead_code, reason = "each bench uses a part")]

#[path = "../../tests/common/counts.rs"]
mod counts;
pub(crate) mod plain_grid;
#[path = "../../src/bin/gridlane/scenes.rs"]
pub(crate) mod scenes;

pub(crate) use counts::{Counts, KNOWN};
use criterion::Criterion;
use gridlane::internals::Binned;
use gridlane::{
    Backend, Bounds, CircleBodies, Circles, Contacts, Detector, DetectorConfig, Response, SegmentBodies, Segments,
    Threads, World, WorldConfig,
};
use scenes::Scene;
use std::time::Duration;

/// The scenes of a default run; the largest only where `GRIDLANE_BENCH_LARGE` is set.
pub(crate) fn known() -> impl Iterator<Item = (&'static str, Counts)> {
    let large = std::env::var_os("GRIDLANE_BENCH_LARGE").is_some();
    KNOWN.into_iter().filter(move |(name, _)| large || *name != "gas-1m")
}

/// The built-in scene of this name.
pub(crate) fn scene(name: &str) -> Scene {
    scenes::scene(name).expect("a built-in scene")
}

/// Short samples: what is quoted are minima and ratios, and those settle quickly.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .nresamples(2_000)
        .without_plots()
        .configure_from_args()
}

/// The circles of a scene as columns.
pub(crate) fn circles(scene: &Scene) -> Circles<'_> {
    Circles { x: &scene.x, y: &scene.y, radius: &scene.radius }
}

/// The segments of a scene as columns.
pub(crate) fn segments(scene: &Scene) -> Segments<'_> {
    Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }
}

/// Circles and segments together.
pub(crate) fn bodies(scene: &Scene) -> usize {
    scene.x.len() + scene.x0.len()
}

/// Brings the circles into the order of the cells that they are in, as a world keeps them.
pub(crate) fn in_cell_order(mut scene: Scene) -> Scene {
    let mut binned = Binned::default();
    binned.bin(circles(&scene));
    let gather = |from: &[f32]| -> Vec<f32> { binned.order().iter().map(|&row| from[row as usize]).collect() };
    let columns =
        [&scene.x, &scene.y, &scene.radius, &scene.velocity_x, &scene.velocity_y].map(|column| gather(column));
    [scene.x, scene.y, scene.radius, scene.velocity_x, scene.velocity_y] = columns;
    scene
}

/// A detector that holds the segments of a scene.
pub(crate) fn detector(scene: &Scene, backend: Backend, threads: usize) -> Detector {
    let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
    let mut detector = Detector::new(config).expect("in range");
    detector.set_segments(segments(scene)).expect("finite");
    detector
}

/// How many contacts of each kind there are.
pub(crate) fn counts(contacts: &Contacts) -> Counts {
    [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()]
}

/// Detects once, which also warms the buffers, and holds the result against what is known.
pub(crate) fn assert_counts(detector: &mut Detector, scene: &Scene, expected: Counts) -> Contacts {
    let mut contacts = Contacts::new();
    detector.detect(circles(scene), &mut contacts).expect("finite");
    assert_eq!(counts(&contacts), expected, "{}", scene.name);
    contacts
}

/// How a world is timed.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) response: Response,
    pub(crate) events: bool,
    pub(crate) backend: Backend,
    pub(crate) threads: usize,
}

impl Way {
    /// The whole step as it is by default, on one thread.
    pub(crate) const WHOLE: Way = Way { response: Response::Impulse, events: true, backend: Backend::Wide, threads: 1 };
}

/// A world with the bodies of a scene, closed in by its frame, after the count has been held against what is known and
/// enough steps have passed for the overlap that scenes begin with to be pushed apart.
pub(crate) fn world(scene: &Scene, way: Way, expected: Counts) -> World {
    let half = scene.half_width;
    let config = WorldConfig::default()
        .with_response(way.response)
        .with_events(way.events)
        .with_backend(way.backend)
        .with_threads(Threads::Fixed(way.threads))
        .with_bounds(Bounds::Reflect { min: [-half, -half].into(), max: [half, half].into() });
    let mut world = World::new(config).expect("in range");
    let circles = CircleBodies {
        x: &scene.x,
        y: &scene.y,
        radius: &scene.radius,
        velocity_x: &scene.velocity_x,
        velocity_y: &scene.velocity_y,
        ..CircleBodies::default()
    };
    let segments =
        SegmentBodies { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1, ..SegmentBodies::default() };
    world.add_circles(circles).expect("finite");
    world.add_segments(segments).expect("finite");
    world.detect().expect("below the limit");
    assert_eq!(counts(world.contacts()), expected, "{}", scene.name);
    for _ in 0..SETTLING {
        world.step(DT).expect("in range");
    }
    world
}

/// Seconds a step.
pub(crate) const DT: f32 = 1.0 / 240.0;
/// Steps before the clock starts.
const SETTLING: usize = 20;
