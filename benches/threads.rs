//! What more threads bring: detections, steps with their five calls, maps, rays, neighbours and many small worlds, each by 1, 2, 4, 8,
//! 12 and 16 threads as far as the machine has cores (or by the numbers given as arguments); words restrict it to rows that contain one.
//!
//! Milliseconds, the least of interleaved rounds, and how many times as fast as one thread. What is found, and worlds to the last bit, have to
//! agree for every number of threads before a row is printed.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::Rng;
use common::{KNOWN, Way, assert_counts, circles, detector, in_cell_order, scene, segments, world};
use gridlane::{
    Backend, Circle, Contacts, Filters, QueryFilter, Rays, Segment, StepStats, Threads, World, WorldConfig, Worlds,
    instruction_set,
};
use std::time::{Duration, Instant};

/// How long a row is timed, and how many rounds it gets at least and at most.
const TIME: Duration = Duration::from_secs(4);
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=200;
/// Calls in a row of each way: the first finds its buffers in the caches of other cores.
const TURN: usize = 4;
const SCENES: [&str; 7] = ["gas-10k", "gas-100k", "dense-100k", "mixed-100k", "cluster-100k", "city-100k", "gas-1m"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (numbers, words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.parse::<usize>().is_ok());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut threads: Vec<usize> = numbers.iter().filter_map(|word| word.parse().ok()).collect();
    if threads.is_empty() {
        threads = [1, 2, 4, 8, 12, 16].into_iter().filter(|&n| n <= cores).collect();
    }
    let table = Table { threads, words };
    println!("{cores} cores seen; lanes: {}\n", instruction_set());
    println!("|{}", table.threads.iter().map(|n| format!(" | {n}")).collect::<String>() + " | times as fast |");
    println!("|---{}|---|", "|---".repeat(table.threads.len()));
    for name in SCENES {
        table.detection(name);
    }
    for name in SCENES {
        table.steps(name);
    }
    for name in ["gas-100k", "city-100k"] {
        table.rays(name);
        table.neighbors(name);
    }
    table.map();
    table.many();
}

/// What is printed.
struct Table {
    threads: Vec<usize>,
    words: Vec<String>,
}

impl Table {
    fn wants(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }

    /// Calls each way in turns and prints a row of the least milliseconds.
    fn row(&self, name: &str, ways: &mut [Box<dyn FnMut() + '_>]) {
        let mut least = vec![f64::INFINITY; ways.len()];
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
        print_row(name, &least);
    }

    fn detection(&self, name: &str) {
        let title = format!("detection, {name}");
        if !self.wants(&title) {
            return;
        }
        let (scene, expected) = (in_cell_order(scene(name)), known(name));
        let warm = |&n: &usize| {
            let mut detector = detector(&scene, Backend::Wide, n);
            let mut contacts = assert_counts(&mut detector, &scene, expected);
            let scene = &scene;
            Box::new(move || detector.detect(circles(scene), &mut contacts).expect("finite")) as Box<dyn FnMut()>
        };
        self.row(&title, &mut self.threads.iter().map(warm).collect::<Vec<_>>());
    }

    /// A row for the whole step and one for each of its calls.
    fn steps(&self, name: &str) {
        let title = format!("step, {name}");
        if !self.wants(&title) {
            return;
        }
        let scene = scene(name);
        let make = |&threads: &usize| world(&scene, Way { threads, ..Way::WHOLE }, known(name));
        let mut worlds: Vec<World> = self.threads.iter().map(make).collect();
        let mut least = vec![[f64::INFINITY; 6]; worlds.len()];
        let begin = Instant::now();
        for round in 0..*ROUNDS.end() {
            if round >= *ROUNDS.start() && begin.elapsed() > TIME {
                break;
            }
            for (world, least) in worlds.iter_mut().zip(&mut least) {
                for _ in 0..TURN {
                    let start = Instant::now();
                    let stats = world.step(common::DT).expect("in range");
                    let whole = start.elapsed().as_secs_f64() * 1e3;
                    for (least, ms) in least.iter_mut().zip(calls(whole, &stats)) {
                        if ms < *least {
                            *least = ms;
                        }
                    }
                }
            }
        }
        assert!(worlds.iter().all(|world| world.state_hash() == worlds[0].state_hash()), "{name}: the same bits");
        for (k, call) in ["", ": move", ": bin", ": detect", ": resolve", ": report"].into_iter().enumerate() {
            print_row(&format!("{title}{call}"), &least.iter().map(|of| of[k]).collect::<Vec<_>>());
        }
    }

    /// A batch of rays of length 100.
    fn rays(&self, name: &str) {
        let title = format!("100 000 closest rays, {name}");
        if !self.wants(&title) {
            return;
        }
        let (scene, mut rng) = (scene(name), Rng::new(11));
        let mut columns: [Vec<f32>; 4] = Default::default();
        let half = f64::from(scene.half_width);
        for _ in 0..100_000 {
            let angle = rng.range(0.0, std::f64::consts::TAU);
            let row = [rng.range(-half, half), rng.range(-half, half), 100.0 * angle.cos(), 100.0 * angle.sin()];
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v as f32));
        }
        let [x, y, direction_x, direction_y] = &columns;
        let rays = Rays { x, y, direction_x, direction_y, max: &vec![1.0; x.len()], skip: &[] };
        let mut first = None;
        let mut warm = |&n: &usize| {
            let mut detector = detector(&scene, Backend::Wide, n);
            detector.set_circles(circles(&scene), Filters::default()).expect("finite");
            let mut hits = Vec::new();
            detector.queries().cast_rays(rays, QueryFilter::new(), &mut hits).expect("finite");
            let first = first.get_or_insert_with(|| hits.clone());
            assert!(*first == hits, "{name}: the same hits");
            Box::new(move || detector.queries().cast_rays(rays, QueryFilter::new(), &mut hits).expect("finite"))
                as Box<dyn FnMut()>
        };
        let mut ways: Vec<_> = self.threads.iter().map(&mut warm).collect();
        self.row(&title, &mut ways);
    }

    /// All within two radii of the largest circle of each.
    fn neighbors(&self, name: &str) {
        let title = format!("neighbours, {name}");
        if !self.wants(&title) {
            return;
        }
        let scene = scene(name);
        let reach = 2.0 * scene.radius.iter().fold(0.0, |most, &r| if r > most { r } else { most });
        let mut first = None;
        let mut warm = |&n: &usize| {
            let mut detector = detector(&scene, Backend::Wide, n);
            detector.set_circles(circles(&scene), Filters::default()).expect("finite");
            let mut lists = gridlane::NeighborLists::default();
            detector.queries().neighbors(reach, QueryFilter::new(), &mut lists).expect("in range");
            let first = first.get_or_insert_with(|| lists.items().to_vec());
            assert!(first == lists.items(), "{name}: the same neighbours");
            Box::new(move || detector.queries().neighbors(reach, QueryFilter::new(), &mut lists).expect("in range"))
                as Box<dyn FnMut()>
        };
        let mut ways: Vec<_> = self.threads.iter().map(&mut warm).collect();
        self.row(&title, &mut ways);
    }

    /// All pairs of the largest map, from nothing.
    fn map(&self) {
        let scene = maps::coast_with_walls();
        let title = format!("segment pairs, {}", scene.name);
        if !self.wants(&title) {
            return;
        }
        let warm = |&n: &usize| {
            let (mut detector, mut contacts) = (detector(&scene, Backend::Wide, n), Contacts::new());
            let scene = &scene;
            Box::new(move || {
                detector.set_segments(segments(scene)).expect("finite");
                detector.detect(circles(scene), &mut contacts).expect("finite");
            }) as Box<dyn FnMut()>
        };
        self.row(&title, &mut self.threads.iter().map(warm).collect::<Vec<_>>());
    }

    /// 4 096 worlds of 50 circles and 20 segments.
    fn many(&self) {
        let title = "4 096 small worlds";
        if !self.wants(title) {
            return;
        }
        let make = |&n: &usize| {
            let mut worlds = Worlds::new(&small(n), 4096).expect("in range");
            Box::new(move || worlds.step(common::DT).expect("in range")) as Box<dyn FnMut()>
        };
        self.row(title, &mut self.threads.iter().map(make).collect::<Vec<_>>());
    }
}

fn small(threads: usize) -> World {
    let mut rng = Rng::new(5);
    let mut world = World::new(WorldConfig::default().with_threads(Threads::Fixed(threads))).expect("in range");
    let mut point = |most: f64| [rng.range(-most, most) as f32, rng.range(-most, most) as f32];
    for _ in 0..50 {
        world.add_circle(Circle::new(point(4.4), 0.375).with_velocity(point(0.1))).expect("finite");
    }
    for _ in 0..20 {
        let ([x, y], [dx, dy]) = (point(4.4), point(1.0));
        world.add_segment(Segment::new([x, y], [x + dx, y + dy])).expect("finite");
    }
    world
}

/// The whole of a step and its five calls, ms.
fn calls(whole: f64, stats: &StepStats) -> [f64; 6] {
    let ms = |ns: u64| ns as f64 / 1e6;
    let StepStats { move_ns, bin_ns, detect_ns, resolve_ns, report_ns, .. } = *stats;
    [whole, ms(move_ns), ms(bin_ns), ms(detect_ns), ms(resolve_ns), ms(report_ns)]
}

fn known(name: &str) -> common::Counts {
    KNOWN.into_iter().find(|(known, _)| *known == name).expect("a built-in scene").1
}

fn print_row(name: &str, ms: &[f64]) {
    let times: String = ms.iter().map(|ms| format!(" {ms:.3} |")).collect();
    let ratios: Vec<String> = ms.iter().skip(1).map(|each| format!("{:.1}", ms[0] / each)).collect();
    println!("| {name} |{times} {} |", ratios.join(", "));
}
