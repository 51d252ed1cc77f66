//! All pairs of segments of whole maps: from nothing, with the segments kept, and between two sets.
//!
//! `cargo bench --bench maps`, with names of maps to restrict it. Milliseconds, the least of some calls. What is found is printed, and
//! both backends have to agree on it before the clock starts; `tests/segment_pairs.rs` holds the large one against brute force.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::Scene;
use common::segments;
use gridlane::{Backend, Circles, Contacts, Detector, SegmentClass, instruction_set};
use std::time::Instant;

/// Calls of each.
const CALLS: usize = 20;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    println!("All pairs of segments from nothing, ms; lanes: {}\n", instruction_set());
    println!(
        "| map | segments | longest / median | cross | touch | overlap | 1 thread | ns/segment | 2 threads | scalar |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for scene in maps::all().chain([maps::coast_with_walls()]).filter(|scene| chosen(scene.name)) {
        from_nothing(&scene);
    }
}

fn from_nothing(scene: &Scene) {
    let ways = [(Backend::Wide, 1), (Backend::Wide, 2), (Backend::Scalar, 1)];
    let mut found = Vec::new();
    let ms = ways.map(|(backend, threads)| {
        let (mut detector, mut contacts) = (common::detector(scene, backend, threads), Contacts::new());
        detect(&mut detector, scene, &mut contacts);
        let of = |class: SegmentClass| contacts.segment_segment().iter().filter(|c| c.class == class).count();
        found.push([SegmentClass::Cross, SegmentClass::Touch, SegmentClass::Overlap].map(of));
        assert_eq!(found[0], found[found.len() - 1], "{}", scene.name);
        (0..CALLS).map(|_| detect(&mut detector, scene, &mut contacts)).fold(f64::INFINITY, f64::min)
    });
    let [cross, touch, overlap] = found[0];
    let lines = |k: usize| [scene.x0[k], scene.y0[k], scene.x1[k], scene.y1[k]];
    let mut lengths: Vec<f64> = (0..scene.x0.len()).map(|k| maps::length(lines(k))).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    let share = lengths[lengths.len() - 1] / lengths[lengths.len() / 2];
    let each = ms[0] * 1e6 / lengths.len() as f64;
    println!(
        "| {} | {} | {share:.0} | {cross} | {touch} | {overlap} | {:.2} | {each:.1} | {:.2} | {:.2} |",
        scene.name,
        lengths.len(),
        ms[0],
        ms[1],
        ms[2]
    );
}

/// Sets the segments anew and finds their pairs; milliseconds.
fn detect(detector: &mut Detector, scene: &Scene, contacts: &mut Contacts) -> f64 {
    let start = Instant::now();
    detector.set_segments(segments(scene)).expect("finite");
    detector.detect(Circles::default(), contacts).expect("below the limit");
    start.elapsed().as_secs_f64() * 1e3
}
