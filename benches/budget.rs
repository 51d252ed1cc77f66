//! Work of which instructions are counted, by `tools/budget`: detections, a step of every kind of scene and questions, small enough to be
//! counted, each once when warm. Of kernels the most used are here, and all of them in the bench `lanes`, which is counted as well.
//!
//! Comes in: nothing. Goes out: a line with the instruction set, then the name of each case, in the order in which [`measured`] is
//! called for them; that function is what the counter watches. Run by itself this bench does the work and shows the names. Instructions
//! are no times: they do not see caches or mispredictions, but they are the same on a busy machine, and show what a change adds.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::{Rng, Scene};
use common::{Way, circles, counts, detector, in_cell_order, scene, segments, world};
use gridlane::internals::{self, PairList, Text};
use gridlane::{
    Aabb, Backend, Bounds, Circle, CircleBodies, Circles, Contacts, Fan, Filters, NeighborLists, Neighbors,
    QueryFilter, Rays, Scan, Segment, SegmentBodies, SegmentHandle, TargetLists, Threads, World, WorldConfig, Worlds,
    instruction_set,
};
use std::hint::black_box;

fn main() {
    println!("{}", instruction_set());
    for text in [Text::Best, Text::Scalar] {
        kernels(text);
    }
    let scenes = [scene("gas-1k"), scene("gas-10k"), scene("dense-100k"), scene("mixed-100k"), scene("city-100k")];
    let [gas_1k, gas_10k, dense, mixed, city] = scenes;
    let small = [("dense", dense), ("mixed", mixed), ("city", city)].map(|(name, scene)| (name, middle(scene)));
    for backend in [Backend::Wide, Backend::Scalar] {
        detection(&format!("detect gas-10k {backend:?}"), &gas_10k, backend);
        for (name, scene) in &small {
            detection(&format!("detect part of {name} {backend:?}"), scene, backend);
        }
    }
    let level = maps::with_circles().next().expect("a map");
    detection("detect freedoom1-e1m1 Wide", &level, Backend::Wide);
    segment_pairs("segment pairs gas-10k Wide", &gas_10k);
    segment_pairs("segment pairs freedoom1-e1m1 Wide", &level);
    segment_pairs("segment pairs world-land-110m-ll Wide", &maps::all().nth(2).expect("a map"));
    steps("gas-1k", &gas_1k);
    steps("gas-10k", &gas_10k);
    for (name, scene) in &small {
        steps(&format!("part of {name}"), scene);
    }
    let ([.., (_, city)], cluster) = (&small, scene("cluster-100k"));
    questions("part of city", city);
    far_apart("cluster-100k", &cluster);
    steps("tenth of cluster", &tenth(cluster));
    steps("freedoom1-e1m1", &in_motion(level));
    segment_pairs("segment pairs tenth of soup Wide", &tenth(scene("soup-100k")));
    moving_walls("gas-10k", &gas_10k);
    repeating("gas-10k", &gas_10k);
    bullets("gas-1k", &gas_1k);
    target();
    pile();
    many("gas-1k", &gas_1k);
    few(20);
    few(100);
    fan_among_few();
}

/// What is counted: every call of this is one case.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn case(name: &str, mut work: impl FnMut()) {
    // Buffers grow and pages are found before the count.
    work();
    println!("{name}");
    measured(black_box(&mut work));
}

/// The kernels alone, on the first thousand circles of a gas and its segments.
fn kernels(text: Text) {
    let scene = in_cell_order(scene("gas-1k"));
    let padded = |column: &[f32]| [column, &[f32::NAN; 8]].concat();
    let (x, y, radius) = (padded(&scene.x), padded(&scene.y), padded(&scene.radius));
    let columns = Circles { x: &x, y: &y, radius: &radius };
    let (rows, mut pairs) = (scene.x.len() as u32, PairList::default());
    case(&format!("candidates circle_circle {text:?}"), || {
        pairs.clear();
        for row in 0..rows {
            let run = row + 1..std::cmp::min(row + 12, rows);
            internals::circle_run(text, columns, row, 0.5, run, &mut pairs);
        }
    });
    let mut found = vec![];
    case(&format!("contacts circle_circle {text:?}"), || {
        internals::circle_circle(text, columns, &pairs, &mut found);
    });
    let mut walls = PairList::default();
    case(&format!("candidates circle_segment {text:?}"), || {
        walls.clear();
        for row in 0..scene.x0.len() {
            let (start, end) = ([scene.x0[row], scene.y0[row]], [scene.x1[row], scene.y1[row]]);
            internals::wall_run(
                text,
                columns,
                gridlane::Segment::new(start, end),
                row as u32,
                0.5,
                0..rows,
                &mut walls,
            );
        }
    });
    let zeros = vec![0.0; scene.x0.len()];
    let ends = [&scene.x0[..], &scene.y0, &scene.x1, &scene.y1, &zeros];
    let mut found = vec![];
    case(&format!("contacts circle_segment {text:?}"), || {
        internals::circle_segment(text, columns, ends, &walls, &mut found);
    });
}

fn detection(name: &str, scene: &Scene, backend: Backend) {
    let mut detector = detector(scene, backend, 1);
    let mut contacts = Contacts::new();
    case(name, || detector.detect(circles(scene), &mut contacts).expect("finite"));
    assert!(!contacts.circle_circle().is_empty());
}

fn segment_pairs(name: &str, scene: &Scene) {
    let mut detector = detector(scene, Backend::Wide, 1);
    let mut contacts = Contacts::new();
    let nothing = Circles { x: &[], y: &[], radius: &[] };
    case(name, || {
        detector.set_segments(segments(scene)).expect("finite");
        detector.detect(nothing, &mut contacts).expect("finite");
    });
    assert!(!contacts.segment_segment().is_empty());
}

/// A whole step, once what overlaps at the start has been pushed apart.
fn steps(name: &str, scene: &Scene) {
    let (mut detector, mut contacts) = (detector(scene, Backend::Wide, 1), Contacts::new());
    detector.detect(circles(scene), &mut contacts).expect("finite");
    let mut world = world(scene, Way::WHOLE, counts(&contacts));
    case(&format!("step {name}"), || {
        world.step(common::DT).expect("in range");
    });
}

/// A step in which all segments move but for the frame.
fn moving_walls(name: &str, scene: &Scene) {
    let (mut detector, mut contacts) = (detector(scene, Backend::Wide, 1), Contacts::new());
    detector.detect(circles(scene), &mut contacts).expect("finite");
    let mut world = world(scene, Way::WHOLE, counts(&contacts));
    let mut rng = Rng::new(0x5EED);
    let walls: Vec<SegmentHandle> = world.segments().handles().to_vec();
    for &wall in &walls[..walls.len() - 4] {
        let velocity = [0; 2].map(|_| rng.range(-0.1, 0.1) as f32);
        let body = world.segment(wall).expect("it is there");
        world.set_segment(wall, body.with_velocity(velocity)).expect("finite");
    }
    world.step(common::DT).expect("in range");
    case(&format!("step {name}, its segments moving"), || {
        world.step(common::DT).expect("in range");
    });
}

/// All circles and segments of a scene, in a world.
fn filled(config: WorldConfig, scene: &Scene, bullet: &[bool]) -> World {
    let mut world = World::new(config.with_threads(Threads::Fixed(1))).expect("in range");
    let Scene { x, y, radius, velocity_x, velocity_y, x0, y0, x1, y1, .. } = scene;
    let circles = CircleBodies { x, y, radius, velocity_x, velocity_y, bullet, ..CircleBodies::default() };
    world.add_circles(circles).expect("finite");
    world.add_segments(SegmentBodies { x0, y0, x1, y1, ..SegmentBodies::default() }).expect("finite");
    world
}

/// A step in a plane that repeats half a unit beyond the scene.
fn repeating(name: &str, scene: &Scene) {
    let half = scene.half_width + 0.5;
    let bounds = Bounds::periodic([-half, -half], [half, half]);
    let mut world = filled(WorldConfig::default().with_bounds(bounds), scene, &[]);
    world.step(common::DT).expect("in range");
    case(&format!("step {name}, its plane repeating"), || {
        world.step(common::DT).expect("in range");
    });
}

/// A step in which all circles are bullets, and fly some radii.
fn bullets(name: &str, scene: &Scene) {
    let mut world = filled(WorldConfig::default(), scene, &vec![true; scene.x.len()]);
    world.step(16.0 * common::DT).expect("in range");
    case(&format!("step {name}, of bullets"), || {
        world.step(16.0 * common::DT).expect("in range");
    });
}

/// A step in which 512 bullets hit one body.
fn target() {
    let mut world = World::new(WorldConfig::default().with_threads(Threads::Fixed(1))).expect("in range");
    world.add_circle(Circle::new([0.0, 0.0], 50.0).with_inverse_mass(1e-4)).expect("finite");
    for k in 0..512 {
        let from = [-52.0 - (k % 7) as f32, 0.1 * (k * 37 % 512) as f32 - 25.6];
        let bullet = Circle::new(from, 0.02).with_velocity([2000.0, 0.0]).with_bullet(true);
        world.add_circle(bullet).expect("finite");
    }
    case("step 512 bullets at one body", || {
        world.step(4.0 * common::DT).expect("in range");
    });
}

/// A step of a heap of four hundred that lies still.
fn pile() {
    let config = WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.0);
    let mut world = World::new(config.with_threads(Threads::Fixed(1))).expect("in range");
    for [x0, y0, x1, y1] in [[0.0f32, 0.0, 20.0, 0.0], [0.0, 0.0, 0.0, 40.0], [20.0, 0.0, 20.0, 40.0]] {
        world.add_segment(Segment::new([x0, y0], [x1, y1])).expect("finite");
    }
    for k in 0..400 {
        let center = [0.55 + (k % 19) as f32 + 0.1 * (k % 7) as f32 / 7.0, 0.6 + 1.01 * (k / 19) as f32];
        world.add_circle(Circle::new(center, 0.47 + 0.03 * (k % 11) as f32 / 11.0)).expect("finite");
    }
    for _ in 0..200 {
        world.step(1.0 / 60.0).expect("in range");
    }
    case("step pile", || {
        world.step(1.0 / 60.0).expect("in range");
    });
}

/// A step of sixteen worlds side by side.
fn many(name: &str, scene: &Scene) {
    let (mut detector, mut contacts) = (detector(scene, Backend::Wide, 1), Contacts::new());
    detector.detect(circles(scene), &mut contacts).expect("finite");
    let world = world(scene, Way::WHOLE, counts(&contacts));
    let mut worlds = Worlds::new(&world, 16).expect("in range");
    worlds.step(common::DT).expect("in range");
    case(&format!("step sixteen worlds {name}"), || worlds.step(common::DT).expect("in range"));
}

/// A step of fifty circles in a box, three tenths of it covered by them, among so many short walls.
fn few(walls: usize) {
    let mut rng = Rng::new(7);
    let half = 4.4;
    let bounds = Bounds::Reflect { min: [-half; 2].into(), max: [half; 2].into() };
    let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds);
    let mut world = World::new(config).expect("in range");
    let mut point = |most: f32| [0; 2].map(|_| rng.range(f64::from(-most), f64::from(most)) as f32);
    for _ in 0..50 {
        let circle = Circle::new(point(half), 0.375 + point(0.125)[0]);
        world.add_circle(circle.with_velocity(point(4.0))).expect("finite");
    }
    for _ in 0..walls {
        let ([x, y], [along, across]) = (point(half), point(1.0));
        world.add_segment(Segment::new([x, y], [x + along, y + across])).expect("finite");
    }
    // What overlaps at the start is pushed apart.
    for _ in 0..40 {
        world.step(1.0 / 240.0).expect("in range");
    }
    case(&format!("step fifty circles, walls {walls}"), || {
        world.step(1.0 / 240.0).expect("in range");
    });
}

/// A thousand rays, round areas, boxes and points strewn over the scene, a scan from its middle, and the neighbours of all, with values and without.
fn questions(name: &str, scene: &Scene) {
    let mut detector = detector(scene, Backend::Wide, 1);
    detector.set_segments(segments(scene)).expect("finite");
    detector.set_circles(circles(scene), Filters::default()).expect("finite");
    let (queries, filter) = (detector.queries(), QueryFilter::default());
    let mut rng = Rng::new(0x5EED);
    let half = f64::from(scene.half_width);
    let mut column = |half: f64| -> Vec<f32> { (0..1000).map(|_| rng.range(-half, half) as f32).collect() };
    let (x, y, direction_x, direction_y) = (&column(half), &column(half), &column(100.0), &column(100.0));
    let rays = Rays { x, y, direction_x, direction_y, max: &[1.0; 1000], skip: &[] };
    let areas = Circles { x, y, radius: &[1.0; 1000] };
    let fan = Fan::around([0.0, 0.0], 360, 100.0);
    let (mut hits, mut met, mut scan) = (vec![], vec![], Scan::default());
    let (mut targets, mut near) = (TargetLists::default(), NeighborLists::default());
    case(&format!("rays {name}"), || queries.cast_rays(rays, filter, &mut hits).expect("finite"));
    case(&format!("rays, any {name}"), || queries.cast_rays_any(rays, filter, &mut met).expect("finite"));
    case(&format!("fan {name}"), || queries.cast_fan(fan, filter, &mut scan).expect("finite"));
    case(&format!("areas {name}"), || queries.overlap_circles(areas, filter, &mut targets).expect("finite"));
    let boxes: Vec<Aabb> = x.iter().zip(y).map(|(&x, &y)| Aabb::new([x, y], [x + 4.0, y + 4.0])).collect();
    case(&format!("boxes {name}"), || queries.overlap_aabbs(&boxes, filter, &mut targets).expect("finite"));
    let points: Vec<[f32; 2]> = x.iter().zip(y).map(|(&x, &y)| [x, y]).collect();
    let mut best = vec![];
    case(&format!("nearest eight {name}"), || {
        for &point in &points {
            queries.nearest_k(point, 8, f32::MAX, filter, &mut best).expect("finite");
        }
    });
    case(&format!("neighbors {name}"), || queries.neighbors(0.5, filter, &mut near).expect("few"));
    case(&format!("rays, many {name}"), many_times(scene, || queries.cast_rays(rays, filter, &mut hits)));
    case(&format!("rays, any, many {name}"), || queries.cast_rays_any(rays, filter, &mut met).expect("finite"));
    let skip: Vec<u32> = (0..1000).collect();
    let own = Rays { x: &scene.x[..1000], y: &scene.y[..1000], skip: &skip, ..rays };
    case(&format!("rays, own left out {name}"), || queries.cast_rays(own, filter, &mut hits).expect("finite"));
    let mut lists = Neighbors::default();
    case(&format!("neighbor lists {name}"), || detector.neighbors(circles(scene), 0.5, &mut lists).expect("few"));
}

/// A fan among so many circles and walls that its beams need not walk.
fn fan_among_few() {
    let mut rng = Rng::new(0xFA);
    let mut column = |low: f64, high: f64| -> Vec<f32> { (0..200).map(|_| rng.range(low, high) as f32).collect() };
    let [x, y, x0, y0] = [0; 4].map(|_| column(-20.0, 20.0));
    let (radius, wide) = (column(0.1, 0.4), column(-2.0, 2.0));
    let x1: Vec<f32> = x0.iter().zip(&wide).map(|(x, wide)| x + wide).collect();
    let scene = Scene { name: "few", x, y, radius, x0, y1: y0.clone(), y0, x1, ..Scene::default() };
    let mut detector = detector(&scene, Backend::Wide, 1);
    detector.set_segments(segments(&scene)).expect("finite");
    detector.set_circles(circles(&scene), Filters::default()).expect("finite");
    let (queries, filter, mut scan) = (detector.queries(), QueryFilter::default(), Scan::default());
    let fan = Fan::around([0.0, 0.0], 360, 100.0);
    case("fan among few", || queries.cast_fan(fan, filter, &mut scan).expect("finite"));
}

/// The work, done so often before that a thousand rays each time are many for this scene.
fn many_times<E: std::fmt::Debug>(scene: &Scene, mut work: impl FnMut() -> Result<(), E>) -> impl FnMut() {
    for _ in 0..(scene.x.len() + scene.x0.len()) / 500 + 1 {
        work().expect("finite");
    }
    move || work().expect("finite")
}

/// A thousand rays and points strewn over a scene that is nearly empty.
fn far_apart(name: &str, scene: &Scene) {
    let mut detector = detector(scene, Backend::Wide, 1);
    detector.set_circles(circles(scene), Filters::default()).expect("finite");
    let (queries, filter) = (detector.queries(), QueryFilter::default());
    let mut rng = Rng::new(0x5EED);
    let mut column =
        |half: f32| -> Vec<f32> { (0..1000).map(|_| rng.range(f64::from(-half), f64::from(half)) as f32).collect() };
    let (x, y) = (&column(scene.half_width), &column(scene.half_width));
    let (direction_x, direction_y) = (&column(1000.0), &column(1000.0));
    let rays = Rays { x, y, direction_x, direction_y, max: &[1.0; 1000], skip: &[] };
    let (mut hits, mut near) = (vec![], vec![]);
    case(&format!("rays {name}"), || queries.cast_rays(rays, filter, &mut hits).expect("finite"));
    case(&format!("nearest {name}"), || queries.nearest_all(x, y, f32::MAX, filter, &mut near).expect("finite"));
    case(&format!("rays, many {name}"), many_times(scene, || queries.cast_rays(rays, filter, &mut hits)));
}

/// A map whose circles move, in bounds that hold all of it.
fn in_motion(mut map: Scene) -> Scene {
    let mut rng = Rng::new(0x5EED);
    for velocity in map.velocity_x.iter_mut().chain(&mut map.velocity_y) {
        *velocity = rng.range(-200.0, 200.0) as f32;
    }
    let ends = map.x0.iter().chain(&map.y0).chain(&map.x1).chain(&map.y1);
    map.half_width = ends.fold(0.0, |most, v| f32::max(most, v.abs()));
    map
}

/// Every tenth body of a scene.
fn tenth(scene: Scene) -> Scene {
    let take = |from: &[f32]| -> Vec<f32> { from.iter().copied().step_by(10).collect() };
    Scene {
        x: take(&scene.x),
        y: take(&scene.y),
        radius: take(&scene.radius),
        velocity_x: take(&scene.velocity_x),
        velocity_y: take(&scene.velocity_y),
        x0: take(&scene.x0),
        y0: take(&scene.y0),
        x1: take(&scene.x1),
        y1: take(&scene.y1),
        ..scene
    }
}

/// The ninth of a scene that is about its middle: small enough to be counted.
fn middle(scene: Scene) -> Scene {
    let half = scene.half_width / 3.0;
    let inside = |x: f32, y: f32| x.abs() <= half && y.abs() <= half;
    let circles: Vec<usize> = (0..scene.x.len()).filter(|&row| inside(scene.x[row], scene.y[row])).collect();
    let both = |row: usize| inside(scene.x0[row], scene.y0[row]) && inside(scene.x1[row], scene.y1[row]);
    let walls: Vec<usize> = (0..scene.x0.len()).filter(|&row| both(row)).collect();
    let take = |rows: &[usize], from: &[f32]| -> Vec<f32> { rows.iter().map(|&row| from[row]).collect() };
    Scene {
        half_width: half,
        x: take(&circles, &scene.x),
        y: take(&circles, &scene.y),
        radius: take(&circles, &scene.radius),
        velocity_x: take(&circles, &scene.velocity_x),
        velocity_y: take(&circles, &scene.velocity_y),
        x0: take(&walls, &scene.x0),
        y0: take(&walls, &scene.y0),
        x1: take(&walls, &scene.x1),
        y1: take(&walls, &scene.y1),
        ..scene
    }
}
