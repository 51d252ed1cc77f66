//! The table of ratios: this crate against the grid one writes by hand, timed in turns.
//!
//! Machines are noisy and benches that run after each other see different ones. Here every round times each way a few
//! times, and the least time of each over all rounds is what is printed, with the machine, the compiler, the flags and the commit.
//! Names of scenes as arguments restrict it to those: `cargo bench --bench ratio -- gas-100k`.

mod common;

use common::plain_grid::PlainGrid;
use common::scenes::Scene;
use common::{Counts, KNOWN, Way, assert_counts, bodies, circles, detector, in_cell_order, scene, segments, world};
use gridlane::{Backend, Contacts, Detector, Response, World, instruction_set};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a scene is timed, and how many rounds it gets at least and at most.
const TIME: Duration = Duration::from_secs(4);
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=100;
/// Calls in a row of each way: the first finds its buffers pushed out of the caches by the other ways.
const TURN: usize = 3;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = || {
        KNOWN
            .into_iter()
            .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())))
    };
    print_machine();
    println!("\nDetection of circles among static segments, ms; least of interleaved rounds\n");
    println!(
        "| scene | bodies | contacts | plain grid | detect | plain, cell order | detect, cell order | 2 threads, cell order | scalar, cell order | plain / detect | cell order | ns/body |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, expected) in chosen().filter(|(name, _)| !name.starts_with("soup")) {
        detection(name, expected);
    }
    println!("\nAll pairs of segments from nothing, ms\n");
    println!(
        "| scene | segments | contacts | 1 thread | 2 threads | scalar | ns/segment |\n|---|---|---|---|---|---|---|"
    );
    for (name, expected) in chosen().filter(|(_, [.., pairs])| *pairs > 100) {
        segment_pairs(name, expected);
    }
    println!("\n`World::step`, {} s a step, ms\n", common::DT);
    println!(
        "| scene | bodies | detection only | with events | impulses and events | 2 threads | ns/body |\n|---|---|---|---|---|---|---|"
    );
    for (name, expected) in chosen().filter(|(name, _)| !name.starts_with("soup")) {
        steps(name, expected);
    }
}

/// Runs all of them in turns and gives the least milliseconds of each.
fn interleaved<const N: usize>(mut ways: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let begin = Instant::now();
    for round in 0..*ROUNDS.end() {
        if round >= *ROUNDS.start() && begin.elapsed() > TIME {
            break;
        }
        for (way, least) in ways.iter_mut().zip(&mut least) {
            for _ in 0..TURN {
                let start = Instant::now();
                way();
                let ms = start.elapsed().as_secs_f64() * 1e3;
                if ms < *least {
                    *least = ms;
                }
            }
        }
    }
    least
}

/// A detector with its contacts, warm and counted.
struct Warm<'a>(Detector, Contacts, &'a Scene);

impl<'a> Warm<'a> {
    fn new(scene: &'a Scene, backend: Backend, threads: usize, expected: Counts) -> Warm<'a> {
        let mut detector = detector(scene, backend, threads);
        let contacts = assert_counts(&mut detector, scene, expected);
        Warm(detector, contacts, scene)
    }

    fn detect(&mut self) {
        self.0.detect(circles(self.2), &mut self.1).expect("finite");
    }

    fn segments_anew(&mut self) {
        self.0.set_segments(segments(self.2)).expect("finite");
        self.detect();
    }
}

fn detection(name: &str, expected: Counts) {
    let (random, sorted) = (scene(name), in_cell_order(scene(name)));
    let mut plain = [&random, &sorted].map(|scene| (PlainGrid::new(scene), vec![], vec![]));
    let [of_random, of_sorted] = &mut plain;
    let mut wide = Warm::new(&random, Backend::Wide, 1, expected);
    let mut cell = Warm::new(&sorted, Backend::Wide, 1, expected);
    let mut two = Warm::new(&sorted, Backend::Wide, 2, expected);
    let mut scalar = Warm::new(&sorted, Backend::Scalar, 1, expected);
    let ms = interleaved([
        &mut || of_random.0.detect(&random, &mut of_random.1, &mut of_random.2),
        &mut || wide.detect(),
        &mut || of_sorted.0.detect(&sorted, &mut of_sorted.1, &mut of_sorted.2),
        &mut || cell.detect(),
        &mut || two.detect(),
        &mut || scalar.detect(),
    ]);
    // Rounded arithmetic decides a few pairs in ten thousand the other way.
    for (found, expected) in [of_random.1.len(), of_random.2.len()].into_iter().zip(expected) {
        assert!(found.abs_diff(expected) <= 1 + expected / 5_000, "{name}: {found} of {expected}");
    }
    let row: String = ms.iter().map(|ms| format!(" {} |", figures(*ms))).collect();
    println!(
        "| {name} | {} | {} |{row} {:.1} | {:.1} | {:.1} |",
        bodies(&random),
        expected[0] + expected[1],
        ms[0] / ms[1],
        ms[2] / ms[3],
        ms[3] * 1e6 / bodies(&random) as f64,
    );
}

/// The segments are set anew before each detection, so that nothing is kept.
fn segment_pairs(name: &str, expected: Counts) {
    let mut scene = scene(name);
    for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
        column.clear();
    }
    let expected = [0, 0, expected[2]];
    let mut one = Warm::new(&scene, Backend::Wide, 1, expected);
    let mut two = Warm::new(&scene, Backend::Wide, 2, expected);
    let mut scalar = Warm::new(&scene, Backend::Scalar, 1, expected);
    let ms = interleaved([&mut || one.segments_anew(), &mut || two.segments_anew(), &mut || scalar.segments_anew()]);
    let row: String = ms.iter().map(|ms| format!(" {} |", figures(*ms))).collect();
    let count = scene.x0.len();
    println!("| {name} | {count} | {} |{row} {:.1} |", expected[2], ms[0] * 1e6 / count as f64);
}

fn steps(name: &str, expected: Counts) {
    let scene = scene(name);
    let bare = Way { response: Response::None, events: false, ..Way::WHOLE };
    let ways = [bare, Way { events: true, ..bare }, Way::WHOLE, Way { threads: 2, ..Way::WHOLE }];
    let [a, b, c, d] = &mut ways.map(|way| world(&scene, way, expected));
    let step = |world: &mut World| {
        world.step(common::DT).expect("in range");
    };
    let ms = interleaved([&mut || step(a), &mut || step(b), &mut || step(c), &mut || step(d)]);
    let row: String = ms.iter().map(|ms| format!(" {} |", figures(*ms))).collect();
    println!("| {name} | {} |{row} {:.1} |", bodies(&scene), ms[2] * 1e6 / bodies(&scene) as f64);
}

/// Three figures.
fn figures(ms: f64) -> String {
    let decimals = if ms < 1.0 { 3 } else { usize::from(ms < 10.0) + usize::from(ms < 100.0) };
    format!("{ms:.decimals$}")
}

fn print_machine() {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        cpu.lines().find_map(|line| line.strip_prefix("model name")).map(|rest| rest.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    println!("CPU: {}, {cores} cores seen; lanes: {}", name.unwrap_or("unknown"), instruction_set());
    println!("compiler: {}", output("rustc", &["--version"]));
    let flags = option_env!("RUSTFLAGS").unwrap_or("none");
    let target = [("avx2", cfg!(target_feature = "avx2")), ("avx512f", cfg!(target_feature = "avx512f"))];
    let built: Vec<&str> = target.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    println!(
        "flags: {flags}; built for: {}",
        if built.is_empty() { "the default target".into() } else { built.join(" ") }
    );
    println!("commit: {}", output("git", &["describe", "--always", "--dirty"]));
}

fn output(program: &str, arguments: &[&str]) -> String {
    let run = Command::new(program).args(arguments).output().ok().filter(|run| run.status.success());
    run.map_or("unknown".into(), |run| String::from_utf8_lossy(&run.stdout).trim().into())
}
