//! Scenes that are worth watching: each with its own gravity, restitution and length of step, and some with a hand that moves things
//! as the steps go by.
//!
//! Comes in: a name and a seed. Goes out: bodies, and how they are to be stepped unless the command line says otherwise. Everything is drawn
//! from SplitMix64, and computed in f64 and rounded once, without a sine: the same bits everywhere.

mod bullets;
mod crowd;
mod galton;
mod pile;

use crate::input::Input;
use crate::readers::{CircleColumns, SegmentColumns};
use crate::scenes::{Entry, Rng};
use gridlane::{Error, World};

/// What moves things between steps: before step `step`, counted from 0, that takes `dt` seconds.
pub(crate) type Hand = fn(&mut World, step: u64, dt: f32) -> Result<(), Error>;

/// How a scene is stepped.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    /// Number of steps.
    pub(crate) steps: u64,
    /// Seconds a step.
    pub(crate) dt: f32,
    /// Length units per second squared.
    pub(crate) gravity: [f32; 2],
    /// 0 to 1.
    pub(crate) restitution: f32,
    /// Something between steps.
    pub(crate) hand: Option<Hand>,
}

/// What is done where nothing else is said.
pub(crate) const PLAIN: Course =
    Course { steps: 1200, dt: 1.0 / 240.0, gravity: [0.0, 0.0], restitution: 1.0, hand: None };

/// A name, sizes, bodies and their course.
struct Show {
    entry: Entry,
    course: Course,
    one_sided: bool,
    build: fn(&mut Rng) -> Bodies,
}

/// Every show.
const SHOWS: [Show; 4] = [galton::SHOW, crowd::SHOW, bullets::SHOW, pile::SHOW];

/// Names, sizes and what they are.
pub(crate) fn catalogue() -> impl Iterator<Item = &'static Entry> {
    SHOWS.iter().map(|show| &show.entry)
}

/// The bodies of a show and its course; `None` for any other name.
pub(crate) fn load(name: &str, seed: u64) -> Option<(Input, Course)> {
    let show = SHOWS.iter().find(|show| show.entry.name == name)?;
    let Bodies { circles, segments } = (show.build)(&mut Rng::new(0x5110 ^ seed));
    let title = show.entry.name.to_string();
    let one_sided = show.one_sided;
    Some((Input { title, circles, segments, frame: None, one_sided, notes: vec![] }, show.course))
}

/// Columns while they are filled.
#[derive(Default)]
struct Bodies {
    circles: CircleColumns,
    segments: SegmentColumns,
}

impl Bodies {
    /// A circle; of infinite mass it is immovable.
    fn circle(&mut self, center: [f64; 2], radius: f64, velocity: [f64; 2], mass: f64) {
        self.circles.x.push(center[0] as f32);
        self.circles.y.push(center[1] as f32);
        self.circles.radius.push(radius as f32);
        self.circles.velocity_x.push(velocity[0] as f32);
        self.circles.velocity_y.push(velocity[1] as f32);
        self.circles.mass.push(mass as f32);
    }

    fn segment(&mut self, start: [f64; 2], end: [f64; 2]) {
        self.segments.x0.push(start[0] as f32);
        self.segments.y0.push(start[1] as f32);
        self.segments.x1.push(end[0] as f32);
        self.segments.y1.push(end[1] as f32);
    }

    /// Segments from point to point.
    fn path(&mut self, points: &[[f64; 2]]) {
        for pair in points.windows(2) {
            self.segment(pair[0], pair[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlane::WorldConfig;

    #[test]
    fn sizes_are_those_of_the_catalogue_and_seeds_differ() {
        for entry in catalogue() {
            let (input, course) = load(entry.name, 0).expect("a show");
            assert_eq!(
                (input.circles.x.len(), input.segments.x0.len()),
                (entry.circles, entry.segments),
                "{}",
                entry.name
            );
            assert!(course.steps > 0 && course.dt > 0.0);
            let (other, _) = load(entry.name, 1).expect("a show");
            assert_ne!(input.circles.x, other.circles.x, "{}", entry.name);
        }
        assert!(load("gas-1k", 0).is_none());
    }

    /// Nobody is created inside a wall or on the wrong side of one, and a hand does not lose its way.
    #[test]
    fn first_steps_go_well() {
        for entry in catalogue() {
            let (input, course) = load(entry.name, 0).expect("a show");
            let config = WorldConfig::default().with_gravity(course.gravity).with_restitution(course.restitution);
            let mut world = input.world(config).expect("a world");
            for step in 0..20 {
                if let Some(hand) = course.hand {
                    hand(&mut world, step, course.dt).expect("a hand");
                }
                world.step(course.dt).expect("a step");
            }
        }
    }
}
