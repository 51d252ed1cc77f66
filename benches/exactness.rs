//! What exactness costs: this crate against itself with the proofs taken out, timed in turns, on scenes and on maps.
//!
//! `cargo bench --features unproved --bench exactness`, with names of scenes or maps to restrict it. Unproved means the forms of the
//! textbooks in `f32` on the same lanes: see `kernels/unproved.rs`. One thread. What the two find is printed too: where they differ,
//! the unproved one is wrong.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::Scene;
use common::{circles, counts, detector, in_cell_order, segments};
use gridlane::{Backend, Contacts, Detector};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(6);
const ROUNDS: std::ops::RangeInclusive<usize> = 5..=400;
const TURN: usize = 3;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    println!("Circles among static segments, cell order, 1 thread, ms; least of interleaved rounds\n");
    println!(
        "| input | bodies | contacts: exact | unproved | exact ms | unproved ms | price |\n|---|---|---|---|---|---|---|"
    );
    let scenes = ["gas-10k", "gas-100k", "dense-100k", "city-100k", "mixed-100k", "cluster-100k"];
    let of_scenes = || scenes.into_iter().map(common::scene);
    for scene in of_scenes().chain(maps::with_circles()).filter(|scene| chosen(scene.name)) {
        let scene = in_cell_order(scene);
        compare(&scene, |detector, contacts| detector.detect(circles(&scene), contacts).expect("finite"));
    }
    println!("\nAll pairs of segments from nothing, 1 thread, ms\n");
    println!(
        "| input | bodies | contacts: exact | unproved | exact ms | unproved ms | price |\n|---|---|---|---|---|---|---|"
    );
    let of_scenes = || ["soup-100k", "city-100k", "mixed-100k"].into_iter().map(common::scene);
    for mut scene in of_scenes().chain(maps::all()).filter(|scene| chosen(scene.name)) {
        for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
            column.clear();
        }
        compare(&scene, |detector, contacts| {
            detector.set_segments(segments(&scene)).expect("finite");
            detector.detect(circles(&scene), contacts).expect("finite");
        });
    }
}

/// Both ways in turns.
fn compare(scene: &Scene, detect: impl Fn(&mut Detector, &mut Contacts)) {
    let mut ways = [Backend::Wide, Backend::Unproved].map(|backend| {
        let mut detector = detector(scene, backend, 1);
        let mut contacts = Contacts::new();
        detect(&mut detector, &mut contacts);
        (detector, contacts, f64::INFINITY)
    });
    let begin = Instant::now();
    for round in 0..*ROUNDS.end() {
        if round >= *ROUNDS.start() && begin.elapsed() > TIME {
            break;
        }
        for (detector, contacts, least) in &mut ways {
            for _ in 0..TURN {
                let start = Instant::now();
                detect(detector, contacts);
                let ms = start.elapsed().as_secs_f64() * 1e3;
                if ms < *least {
                    *least = ms;
                }
            }
        }
    }
    let found = ways.each_ref().map(|(_, contacts, _)| counts(contacts).iter().sum::<usize>());
    let [(.., exact), (.., unproved)] = ways;
    println!(
        "| {} | {} | {} | {} | {exact:.4} | {unproved:.4} | {:+.1} % |",
        scene.name,
        common::bodies(scene),
        found[0],
        found[1],
        (exact / unproved - 1.0) * 100.0
    );
}
