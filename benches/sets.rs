//! What the instruction sets of this machine take, timed in turns: whole detections, all pairs of segments, whole steps, questions.
//!
//! Prints a row for each case: the least milliseconds with each set, and how much more or less than AVX2 it took: by the least, and, in
//! brackets, in the middle one of the rounds, in each of which all sets had their turn. Words as arguments restrict it to the cases that
//! hold one: `cargo bench --bench sets -- gas-100k maps`.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::{Rng, Scene};
use common::{Counts, KNOWN, Way, assert_counts, circles, detector, in_cell_order, scene, segments, world};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{Backend, Circles, Contacts, Fan, Filters, NeighborLists, QueryFilter, Rays, Scan, TargetLists};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a case is timed, and how many rounds it gets at least.
const TIME: Duration = Duration::from_secs(5);
const ROUNDS: usize = 9;
/// Calls in a row of each set, of which the least counts: the first finds its buffers pushed out of the caches by the others.
const TURN: usize = 3;

/// What is timed, with its buffers.
type Work<'a> = Box<dyn FnMut() + 'a>;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let sets = instruction_sets();
    println!("| case | {} |", sets.join(" | "));
    println!("|---|{}", "---|".repeat(sets.len()));
    let known = || KNOWN.into_iter().filter(|(name, _)| *name != "gas-1k" && *name != "gas-1m");
    for (name, expected) in known().filter(|(name, _)| !name.starts_with("soup")) {
        let label = format!("detection, {name}");
        if chosen(&label) {
            let scene = in_cell_order(scene(name));
            row(&label, || detection(&scene, expected));
        }
    }
    for (name, expected) in known().filter(|(_, [.., pairs])| *pairs > 100) {
        let label = format!("segment pairs, {name}");
        if chosen(&label) {
            let scene = scene(name);
            row(&label, || segment_pairs(&scene, Some(expected[2])));
        }
    }
    for map in maps::all() {
        let label = format!("segment pairs, maps, {}", map.name);
        if chosen(&label) {
            row(&label, || segment_pairs(&map, None));
        }
    }
    for (name, expected) in known().filter(|(name, _)| !name.starts_with("soup")) {
        let label = format!("step, {name}");
        if chosen(&label) {
            let scene = in_cell_order(scene(name));
            row(&label, || step(&scene, expected));
        }
    }
    for name in ["gas-100k", "mixed-100k", "city-100k"] {
        let scene = scene(name);
        for question in QUESTIONS {
            let label = format!("{question}, {name}");
            if chosen(&label) {
                row(&label, || asked(&scene, question));
            }
        }
    }
}

/// Times what `make` makes with each set, and prints the row.
fn row<'a>(label: &str, make: impl Fn() -> Work<'a>) {
    let sets = instruction_sets();
    let mut works: Vec<Work<'a>> =
        sets.iter().map(|set| with_instruction_set(set, &make).expect("one of this machine")).collect();
    let mut rounds: Vec<Vec<f64>> = vec![vec![]; sets.len()];
    let begin = Instant::now();
    while rounds[0].len() < ROUNDS || begin.elapsed() < TIME {
        // In turns as to who is first, too: where two sets run the same code, the second finds its branches predicted.
        let first = rounds[0].len();
        for k in 0..sets.len() {
            let set = (first + k) % sets.len();
            let (work, round) = (&mut works[set], &mut rounds[set]);
            let times = (0..TURN).map(|_| {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64() * 1e3
            });
            round.push(times.fold(f64::INFINITY, f64::min));
        }
    }
    let base = sets.iter().position(|&set| set == "avx2").unwrap_or(0);
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    print!("| {label} |");
    for times in &rounds {
        let mut ratios: Vec<f64> = times.iter().zip(&rounds[base]).map(|(time, base)| time / base).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let more = |ratio: f64| 100.0 * (ratio - 1.0);
        let (ms, middle) = (least(times), more(ratios[ratios.len() / 2]));
        print!(" {ms:.3} {:+.1} ({middle:+.1}) % |", more(ms / least(&rounds[base])));
    }
    println!();
}

fn detection(scene: &Scene, expected: Counts) -> Work<'_> {
    let mut detector = detector(scene, Backend::Wide, 1);
    let mut contacts = assert_counts(&mut detector, scene, expected);
    Box::new(move || detector.detect(circles(scene), &mut contacts).expect("finite"))
}

/// The segments are set anew before each detection, so that nothing is kept.
fn segment_pairs(scene: &Scene, expected: Option<usize>) -> Work<'_> {
    let nothing = Circles { x: &[], y: &[], radius: &[] };
    let (mut detector, mut contacts) = (detector(scene, Backend::Wide, 1), Contacts::new());
    detector.detect(nothing, &mut contacts).expect("finite");
    assert!(expected.is_none_or(|pairs| contacts.segment_segment().len() == pairs), "{}", scene.name);
    Box::new(move || {
        detector.set_segments(segments(scene)).expect("finite");
        detector.detect(nothing, &mut contacts).expect("finite");
    })
}

/// The whole step; all sets go through the same steps.
fn step(scene: &Scene, expected: Counts) -> Work<'_> {
    let mut world = world(scene, Way::WHOLE, expected);
    Box::new(move || {
        world.step(common::DT).expect("in range");
    })
}

const QUESTIONS: [&str; 6] = ["rays", "rays with any hit", "fan", "areas", "nearest segments", "neighbors"];

/// A thousand of each strewn over the scene; a fan from its middle; the neighbours of all.
fn asked<'a>(scene: &'a Scene, question: &'a str) -> Work<'a> {
    let mut detector = detector(scene, Backend::Wide, 1);
    detector.set_circles(circles(scene), Filters::default()).expect("finite");
    let filter = QueryFilter::default();
    let mut rng = Rng::new(0x5EED);
    let half = f64::from(scene.half_width);
    let mut column = |half: f64| -> Vec<f32> { (0..1000).map(|_| rng.range(-half, half) as f32).collect() };
    let (x, y, direction_x, direction_y) = (column(half), column(half), column(100.0), column(100.0));
    let fan = Fan::around([0.0, 0.0], 360, 100.0);
    let (mut hits, mut met, mut scan) = (vec![], vec![], Scan::default());
    let (mut targets, mut near) = (TargetLists::default(), NeighborLists::default());
    Box::new(move || {
        let queries = detector.queries();
        let rays =
            Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &[1.0; 1000], skip: &[] };
        match question {
            "rays" => queries.cast_rays(rays, filter, &mut hits).expect("finite"),
            "rays with any hit" => queries.cast_rays_any(rays, filter, &mut met).expect("finite"),
            "fan" => queries.cast_fan(fan, filter, &mut scan).expect("finite"),
            "areas" => {
                let areas = Circles { x: &x, y: &y, radius: &[1.0; 1000] };
                queries.overlap_circles(areas, filter, &mut targets).expect("finite");
            }
            "nearest segments" => {
                for (&x, &y) in x.iter().zip(&y) {
                    black_box(queries.nearest_segment([x, y], f32::MAX, filter).expect("finite"));
                }
            }
            _ => queries.neighbors(0.5, filter, &mut near).expect("few"),
        }
    })
}
