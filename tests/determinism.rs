//! Promise: the same inputs give the same bytes, whatever the threads, the backend, the instruction set, the machine, and
//! whether it is the first time.

mod common;

use common::worlds::{LARGE, Record, SMALL, Start, fnv, record};
use gridlane::{Backend, Threads, WorldConfig};

const DT: f32 = 1.0 / 60.0;

fn config(backend: Backend, threads: usize) -> WorldConfig {
    WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads))
}

/// The record after each step.
fn run((_, start): Start, config: WorldConfig, steps: usize) -> Vec<Record> {
    let mut world = start(config);
    (0..steps)
        .map(|_| {
            world.step(DT).unwrap();
            record(&world)
        })
        .collect()
}

fn assert_same(found: &[Record], expected: &[Record], what: &str) {
    for (step, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{what}, step {step}");
    }
    assert_eq!(found.len(), expected.len());
}

/// Fewer steps without optimisation.
fn steps(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 2 } else { most }
}

#[test]
fn small_worlds_are_the_same_for_all_threads_and_both_backends() {
    for start in SMALL {
        let expected = run(start, config(Backend::Wide, 1), steps(200));
        // Something has to happen in them.
        let total = |kind: usize| expected.iter().map(|record| record.counts[kind]).sum::<usize>();
        assert!(total(0) > 100 * expected.len() && total(1) > expected.len(), "{}", start.0);
        assert!(total(3) > expected.len(), "{}", start.0);
        for (backend, threads) in [
            (Backend::Wide, 1),
            (Backend::Wide, 2),
            (Backend::Wide, 3),
            (Backend::Wide, 8),
            (Backend::Wide, 16),
            (Backend::Scalar, 1),
            (Backend::Scalar, 3),
        ] {
            let found = run(start, config(backend, threads), steps(200));
            assert_same(&found, &expected, &format!("{}, {backend:?} {threads}", start.0));
        }
        let found = run(start, WorldConfig::default(), steps(200));
        assert_same(&found, &expected, &format!("{}, defaults", start.0));
    }
}

#[test]
fn large_worlds_are_the_same_for_all_threads_and_both_backends() {
    for start in LARGE {
        let expected = run(start, config(Backend::Wide, 1), steps(30));
        for threads in [1, 2, 3, 8, 16] {
            for backend in [Backend::Wide, Backend::Scalar] {
                let found = run(start, config(backend, threads), steps(30));
                assert_same(&found, &expected, &format!("{}, {backend:?} {threads}", start.0));
            }
        }
        let found = run(start, WorldConfig::default(), steps(30));
        assert_same(&found, &expected, &format!("{}, defaults", start.0));
    }
}

#[test]
fn large_worlds_really_use_their_threads() {
    // Without this the comparison above could compare one thread with itself.
    if !cfg!(feature = "parallel") {
        return;
    }
    let mut world = (LARGE[0].1)(config(Backend::Wide, 8));
    assert_eq!(world.step(DT).unwrap().threads, 8);
}

/// One number for a whole run: the records after every step, in order.
fn golden(start: Start, steps: usize) -> String {
    let mut all = Vec::new();
    for record in run(start, config(Backend::Wide, 2), steps) {
        for hash in [record.state, record.rows, record.contacts, record.events] {
            all.extend_from_slice(&hash.to_le_bytes());
        }
    }
    format!("{:016x}", fnv(&all))
}

/// What twenty steps of each world come to on every machine: x86-64 with and without AVX2, aarch64, …
///
/// **The rule.** A number here changes only together with a sentence, in the commit and in the table below, that says what
/// about the results has changed and why that is right. A number that changes by itself is a fault. It is no proof that
/// results are right, only that they are the same.
///
/// | when | what changed |
/// |---|---|
/// | at first | backtracked impulses, one pass, push-out |
/// | next | resting weight is handed on in several passes: positions and velocities of touching circles change |
/// | next | how full cells would be is told from the median, no longer from a corner: coarse levels get other cells, contacts come in another order |
/// | next | masks of 64 rows are made before their pairs are written: what crowded cells have beyond eight comes at the end of each 64 rows |
/// | next | separations of contacts come from D² - R² in double precision, what touches segments from double precision throughout: values are nearer to the exact ones |
const GOLDEN: [(&str, &str); 5] = [
    ("gas-1k", "dfc8a06030b6ef69"),
    ("mixed and moving", "5ea528c8d94559e0"),
    ("pile", "d7456da0d62ca178"),
    ("gas-10k", "0050e2e39791ea28"),
    ("large mixed", "0589b8711ff839be"),
];

#[test]
fn every_machine_gives_the_golden_bytes() {
    let found: Vec<_> = SMALL.into_iter().chain(LARGE).map(|start| (start.0, golden(start, 20))).collect();
    let expected: Vec<_> = GOLDEN.iter().map(|&(name, hash)| (name, hash.to_owned())).collect();
    assert_eq!(found, expected);
}
