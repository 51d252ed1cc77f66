//! One adapter per peer, and who takes part in what.

mod binned;
mod box2d;
mod broccoli;
mod geo;
mod gridlane;
mod hashed;
mod parry;
mod plain;
mod rapier;
mod rstar;

pub(crate) use box2d::{Bodies as Box2dBodies, vector};
pub(crate) use parry::aabb;
pub(crate) use rapier::Detection as RapierDetection;
pub(crate) use rstar::{Boxed as RstarBoxed, envelope, tree as rstar_tree};

use crate::input::Input;
use crate::peer::Peer;
use ::gridlane::Backend;

/// How a peer is set up for one input.
type Maker = fn(&Input, usize) -> Box<dyn Peer>;

/// A row of the tables.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) threads: usize,
    pub(crate) make: Maker,
}

impl Entry {
    /// Why it cannot be run on this at all.
    pub(crate) fn refusal(&self, input: &Input) -> Option<String> {
        if self.name == "Box2D" { box2d::refusal(input, self.threads) } else { None }
    }
}

const fn entry(name: &'static str, threads: usize, make: Maker) -> Entry {
    Entry { name, threads, make }
}

/// The first row of every table, which the others are divided by.
pub(crate) const OURS: &str = "gridlane";

/// All touching pairs of circles with circles and with static segments, contacts written out.
pub(crate) const DETECT: [Entry; 10] = [
    entry(OURS, 1, |input, threads| Box::new(gridlane::Detection::new(input, Backend::Wide, threads))),
    entry(OURS, 2, |input, threads| Box::new(gridlane::Detection::new(input, Backend::Wide, threads))),
    entry("gridlane scalar", 1, |input, threads| Box::new(gridlane::Detection::new(input, Backend::Scalar, threads))),
    entry("plain grid", 1, |input, _| Box::new(plain::Plain::new(input))),
    entry("hashed grid", 1, |input, _| Box::new(hashed::Hashed::new(input))),
    entry("box-binned grid", 1, |input, _| Box::new(binned::Binned::new(input))),
    entry("parry2d", 1, |input, _| Box::new(parry::Trees::new(input))),
    entry("broccoli", 1, |input, _| Box::new(broccoli::Tree::new(input))),
    entry("rstar", 1, |input, _| Box::new(rstar::Trees::new(input))),
    entry("rapier2d", RAPIER_THREADS, |input, _| Box::new(rapier::Detection::new(input))),
];

/// All touching pairs of segments from nothing, with the point.
pub(crate) const SEGMENTS: [Entry; 8] = [
    entry(OURS, 1, |input, threads| Box::new(gridlane::SegmentPairs::new(input, Backend::Wide, threads))),
    entry(OURS, 2, |input, threads| Box::new(gridlane::SegmentPairs::new(input, Backend::Wide, threads))),
    entry("gridlane scalar", 1, |input, threads| {
        Box::new(gridlane::SegmentPairs::new(input, Backend::Scalar, threads))
    }),
    entry("box-binned grid", 1, |_, _| Box::new(binned::SegmentPairs::default())),
    entry("parry2d", 1, |_, _| Box::new(parry::SegmentPairs::default())),
    entry("broccoli", 1, |_, _| Box::new(broccoli::SegmentPairs::default())),
    entry("rstar", 1, |_, _| Box::new(rstar::SegmentPairs::default())),
    entry("geo sweep", 1, |_, _| Box::new(geo::Sweep::default())),
];

/// A whole step: motion, detection, response.
pub(crate) const STEP: [Entry; 5] = [
    entry(OURS, 1, |input, threads| Box::new(gridlane::Steps::new(input, threads))),
    entry(OURS, 2, |input, threads| Box::new(gridlane::Steps::new(input, threads))),
    entry("rapier2d", RAPIER_THREADS, |input, _| Box::new(rapier::Steps::new(input))),
    entry("Box2D", 1, |input, threads| Box::new(box2d::Steps::new(input, threads))),
    entry("Box2D", 2, |input, threads| Box::new(box2d::Steps::new(input, threads))),
];

/// With the feature `parallel` rapier2d takes what rayon is given: set `RAYON_NUM_THREADS=2`.
const RAPIER_THREADS: usize = if cfg!(feature = "parallel") { 2 } else { 1 };

/// Seconds a step.
pub(crate) const DT: f32 = 1.0 / 60.0;
/// Steps before the clock starts: scenes begin with overlap, which is pushed apart first.
pub(crate) const SETTLING: usize = 20;
