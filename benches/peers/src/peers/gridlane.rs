//! gridlane itself: the `Detector` on the caller's columns, and a `World` that steps.

use crate::input::{Input, circles, counts, segments};
use crate::peer::Peer;
use crate::peers::DT;
use crate::shared::{Counts, Scene};
use gridlane::{
    Backend, Bounds, CircleBodies, Contacts, Detector, DetectorConfig, SegmentBodies, Threads, World, WorldConfig,
};

fn detector(backend: Backend, threads: usize) -> Detector {
    let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
    Detector::new(config).expect("in range")
}

/// Circles against circles and static segments.
pub(crate) struct Detection {
    detector: Detector,
    contacts: Contacts,
}

impl Detection {
    pub(crate) fn new(input: &Input, backend: Backend, threads: usize) -> Detection {
        let mut detector = detector(backend, threads);
        detector.set_segments(segments(&input.frames[0])).expect("finite");
        Detection { detector, contacts: Contacts::new() }
    }
}

impl Peer for Detection {
    fn run(&mut self, frame: &Scene) {
        self.detector.detect(circles(frame), &mut self.contacts).expect("finite");
    }

    fn found(&self) -> Counts {
        counts(&self.contacts)
    }
}

/// Segments set anew each time, so that nothing is kept.
pub(crate) struct SegmentPairs(Detection);

impl SegmentPairs {
    pub(crate) fn new(input: &Input, backend: Backend, threads: usize) -> SegmentPairs {
        SegmentPairs(Detection::new(input, backend, threads))
    }
}

impl Peer for SegmentPairs {
    fn run(&mut self, frame: &Scene) {
        self.0.detector.set_segments(segments(frame)).expect("finite");
        self.0.run(frame);
    }

    fn found(&self) -> Counts {
        self.0.found()
    }
}

/// `World::step` as it is by default: motion, impulses, events.
pub(crate) struct Steps {
    world: World,
    first: Counts,
}

impl Steps {
    pub(crate) fn new(input: &Input, threads: usize) -> Steps {
        let scene = &input.frames[0];
        let [left, bottom, right, top] = input.bounds();
        let config = WorldConfig::default()
            .with_threads(Threads::Fixed(threads))
            .with_bounds(Bounds::Reflect { min: [left, bottom].into(), max: [right, top].into() });
        let mut world = World::new(config).expect("in range");
        let circles = CircleBodies {
            x: &scene.x,
            y: &scene.y,
            radius: &scene.radius,
            velocity_x: &scene.velocity_x,
            velocity_y: &scene.velocity_y,
            ..CircleBodies::default()
        };
        world.add_circles(circles).expect("finite");
        let segments =
            SegmentBodies { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1, ..SegmentBodies::default() };
        world.add_segments(segments).expect("finite");
        world.detect().expect("below the limit");
        let first = counts(world.contacts());
        Steps { world, first }
    }
}

impl Peer for Steps {
    fn run(&mut self, _: &Scene) {
        self.world.step(DT).expect("in range");
    }

    fn found(&self) -> Counts {
        counts(self.world.contacts())
    }

    fn first(&self) -> Option<Counts> {
        Some(self.first)
    }
}
