//! Rays and other questions to a scene that stands still.
//!
//! The same questions to everybody, one structure for circles and segments together, built before the clock starts (by its own name in
//! the tables: what building costs is there too). Truth is f64 over all pairs, on a sample.

mod box2d;
mod grid;
mod ours;
mod parry;
mod questions;
mod rapier;
mod rstar;
mod truth;

use crate::input::Input;
use crate::measure::{Limits, interleaved, ms};
use crate::report::Row;
use crate::shared::Scene;
use questions::Questions;
use std::time::Instant;

/// Circles asked for around a point.
pub(crate) const NEAREST: usize = 8;

/// The points `origin + t direction`, 0 <= t <= 1.
#[derive(Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: [f32; 2],
    pub(crate) direction: [f32; 2],
}

/// One structure that answers. What a peer does not offer it leaves as it is here.
pub(crate) trait Queries {
    /// For each ray t of the first circle or segment on it; infinity where there is none. Pushed to `found`.
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        _ = (rays, found);
        false
    }

    /// For each disc (centre, radius) the number of circles and segments that touch it.
    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        _ = (discs, found);
        false
    }

    /// For each point the sum of the distances to the centres of the [`NEAREST`] circles around it.
    fn nearest(&mut self, points: &[[f32; 2]], found: &mut Vec<f32>) -> bool {
        _ = (points, found);
        false
    }
}

type Maker = fn(&Scene) -> Box<dyn Queries>;

/// Who answers. The hand-written grid is the yardstick: its cell walk is what a competent user writes for rays.
const PEERS: [(&str, Maker); 6] = [
    ("gridlane", |scene| Box::new(ours::Ours::new(scene))),
    ("hand-written grid", |scene| Box::new(grid::Grid::new(scene))),
    ("parry2d", |scene| Box::new(parry::Tree::new(scene))),
    ("rapier2d", |scene| Box::new(rapier::Pipeline::new(scene))),
    ("rstar", |scene| Box::new(rstar::Tree::new(scene))),
    ("Box2D", |scene| Box::new(box2d::World::new(scene))),
];

/// What is asked of whom, and how far an answer may be from the truth.
struct Kind {
    what: &'static str,
    inputs: fn(&str) -> bool,
    prepare: Option<fn(&Input) -> Input>,
    ask: fn(&mut dyn Queries, &Questions, usize, &mut Vec<f32>) -> bool,
    truth: fn(&Scene, &Questions, usize) -> Vec<f32>,
}

const KINDS: [Kind; 4] = [
    Kind {
        what: "closest rays among circles and segments",
        inputs: |name| !name.starts_with("soup") && !name.ends_with("1m"),
        prepare: None,
        ask: |peer, questions, count, found| peer.closest(&questions.rays[..count], found),
        truth: |scene, questions, count| truth::closest(scene, &questions.rays[..count]),
    },
    Kind {
        what: "closest rays among segments",
        inputs: |name| ["city-100k", "freedoom1-e1m1", "world-land-110m-ll", "soup-100k"].contains(&name),
        prepare: Some(Input::without_circles),
        ask: |peer, questions, count, found| peer.closest(&questions.rays[..count], found),
        truth: |scene, questions, count| truth::closest(scene, &questions.rays[..count]),
    },
    Kind {
        what: "what touches a disc",
        inputs: |name| ["city-100k", "gas-100k"].contains(&name),
        prepare: None,
        ask: |peer, questions, count, found| peer.overlaps(&questions.discs[..count], found),
        truth: |scene, questions, count| truth::overlaps(scene, &questions.discs[..count]),
    },
    Kind {
        what: "eight nearest circles",
        inputs: |name| ["city-100k", "gas-100k"].contains(&name),
        prepare: None,
        ask: |peer, questions, count, found| peer.nearest(&questions.points[..count], found),
        truth: |scene, questions, count| truth::nearest(scene, &questions.points[..count]),
    },
];

/// Questions that are held against the truth.
const SAMPLE: usize = 2_000;
/// Questions a call that is timed.
const COUNT: usize = 10_000;

/// All kinds on all inputs that they make sense on.
pub(crate) fn all(inputs: &[Input], limits: Limits, wanted: impl Fn(&str) -> bool) -> Vec<Row> {
    let mut rows = vec![];
    for kind in KINDS.iter().filter(|kind| wanted(kind.what)) {
        for input in inputs.iter().filter(|input| (kind.inputs)(input.name())) {
            eprintln!("{}: {}", kind.what, input.name());
            match kind.prepare {
                Some(prepare) => rows.extend(compare(kind, &prepare(input), limits)),
                None => rows.extend(compare(kind, input, limits)),
            }
        }
    }
    rows
}

fn compare(kind: &Kind, input: &Input, limits: Limits) -> Vec<Row> {
    let scene = &input.frames[0];
    let questions = Questions::new(input, COUNT);
    let truth = (kind.truth)(scene, &questions, SAMPLE);
    let row = |peer, found: &[f32], times, note| {
        let pairs = match kind.what {
            what if what.starts_with("closest") => found.iter().filter(|t| t.is_finite()).count(),
            what if what.starts_with("what") => found.iter().map(|&count| count as usize).sum(),
            _ => NEAREST * found.len(),
        };
        let (scene, bodies) = (input.name(), input.bodies());
        Row { what: kind.what, peer, threads: 1, scene, bodies, pairs, times, bytes: None, note }
    };
    let mut rows = vec![];
    let mut ready = vec![];
    for (name, make) in PEERS {
        let start = Instant::now();
        let mut peer = make(scene);
        let build = ms(start.elapsed());
        let mut found = vec![];
        let start = Instant::now();
        if !(kind.ask)(&mut *peer, &questions, SAMPLE, &mut found) {
            continue;
        }
        let took = start.elapsed() * (COUNT / SAMPLE) as u32;
        let wrong = truth::differences(&found, &truth);
        // Rounded values: a ray that grazes a circle, a disc that just touches.
        let reason = if wrong > SAMPLE / 200 {
            format!("wrong: {wrong} of {SAMPLE} answers")
        } else if took > 5 * limits.patience {
            format!("about {:.0} ms a call", ms(took))
        } else {
            let mut note = format!("built in {build:.1} ms");
            if wrong > 0 {
                note += &format!(", {wrong} of {SAMPLE} answers not those of f64");
            }
            ready.push((name, peer, note));
            continue;
        };
        println!("-: {}: {name} on {}: {reason}", kind.what, input.name());
        rows.push(row(name, &[], Err(reason), None));
    }
    let mut answers: Vec<Vec<f32>> = ready.iter().map(|_| vec![]).collect();
    let mut ways: Vec<_> = ready
        .iter_mut()
        .zip(&mut answers)
        .map(|((_, peer, _), found)| {
            |_: usize| {
                found.clear();
                (kind.ask)(&mut **peer, &questions, COUNT, found);
            }
        })
        .collect();
    let mut ways: Vec<&mut dyn FnMut(usize)> = ways.iter_mut().map(|way| way as &mut dyn FnMut(usize)).collect();
    let times = interleaved(limits, &mut ways);
    for (((name, _, note), found), times) in ready.into_iter().zip(&answers).zip(times) {
        let rate = COUNT as f64 / times.least / 1e3;
        rows.push(row(name, found, Ok(times), Some(format!("{rate:.2} million a second, {note}"))));
    }
    rows
}
