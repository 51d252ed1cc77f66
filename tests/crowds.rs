//! Promise: walls hold where there are many of them, and where many press on them: ten thousand that move among a hundred thousand circles,
//! ten thousand circles at one door, bullets in a level of five thousand walls. The short forms always run, the long ones when asked.

use crate::common::legs::{Wall, is_inside, places, step_without_leak, traced, walls};
use crate::common::scenes::Rng;
use gridlane::{Bounds, Circle, Segment, Threads, World, WorldConfig};
use std::time::Instant;

/// Fewer steps without optimisation.
fn steps(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 4 } else { most }
}

const DT: f32 = 1.0 / 60.0;

/// Walls of length 2 that go and turn among circles at packing 0.25, in a rectangle that reflects. Each tip goes up to `path` a step.
fn swept(walls: usize, path: f64, seed: u64) -> World {
    let circles = 10 * walls;
    let half = (circles as f64 * std::f64::consts::PI * 0.16 / 0.25).sqrt() / 2.0;
    let bounds = Bounds::Reflect { min: [-half as f32; 2].into(), max: [half as f32; 2].into() };
    let config = WorldConfig::default().with_restitution(0.5).with_bounds(bounds).with_threads(Threads::Fixed(1));
    let mut world = World::new(config).unwrap();
    let mut rng = Rng::new(seed);
    for _ in 0..circles {
        let center = [rng.range(-half, half) as f32, rng.range(-half, half) as f32];
        let velocity = [rng.range(-3.0, 3.0) as f32, rng.range(-3.0, 3.0) as f32];
        world.add_circle(Circle::new(center, 0.4).with_velocity(velocity)).unwrap();
    }
    let most = path / f64::from(DT);
    for _ in 0..walls {
        let (x, y, angle) = (rng.range(-half, half) * 0.98, rng.range(-half, half) * 0.98, rng.range(0.0, 6.3));
        let (c, s) = (angle.cos(), angle.sin());
        let (along, across, turn) = (rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), rng.range(-0.5, 0.5));
        let velocity = |turn: f64| {
            let (along, across) = (most * along, most * (across + turn));
            [(c * along - s * across) as f32, (s * along + c * across) as f32]
        };
        let end = |k: f64| [(x + k * c) as f32, (y + k * s) as f32];
        let wall = Segment::new(end(-1.0), end(1.0)).with_end_velocities(velocity(-turn), velocity(turn));
        world.add_segment(wall).unwrap();
    }
    world
}

/// All walls go back the way they came.
fn turn_back(world: &mut World) {
    for handle in world.segments().handles().to_vec() {
        let mut body = world.segment(handle).unwrap();
        for v in [&mut body.start_velocity, &mut body.end_velocity] {
            (v.x, v.y) = (-v.x, -v.y);
        }
        world.set_segment(handle, body).unwrap();
    }
}

/// Nanoseconds that this thread has worked, where the system tells (on a busy machine that says more than a clock), else the time.
fn worked() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next().and_then(|first| first.parse::<f64>().ok()));
    told.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_nanos() as f64)
}

/// Mean nanoseconds of a step. Walls turn back before they are out of shape.
fn clock(world: &mut World, steps: usize) -> f64 {
    let mut sum = 0.0;
    for step in 0..steps {
        if step % 20 == 10 {
            turn_back(world);
            world.step(0.0).unwrap();
        }
        let start = worked();
        world.step(DT).unwrap();
        sum += worked() - start;
    }
    sum / steps as f64
}

fn sweep(walls: usize, path: f64, steps: usize) {
    let mut world = traced(swept(walls, path, 21));
    let (mut held, mut squeezed) = (0, 0);
    for step in 0..steps {
        if step % 20 == 10 {
            turn_back(&mut world);
        }
        step_without_leak(&mut world, &[], DT, &format!("{walls} walls, path {path}, step {step}"));
        held += world.stats().held;
        squeezed += world.squeezed().len();
    }
    println!("{walls} walls, up to {path} a step, {steps} steps: {held} held, {squeezed} squeezed");
    assert!(held > 0);
}

#[test]
fn a_thousand_walls_sweep_over_ten_thousand_circles() {
    for path in [0.1, 1.0] {
        sweep(1_000, path, steps(12));
    }
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_walls_sweep_over_a_hundred_thousand_circles() {
    for (path, steps) in [(0.1, 300), (0.5, 200), (3.0, 100)] {
        sweep(10_000, path, steps);
    }
}

#[test]
#[ignore = "a measurement"]
fn what_moving_walls_cost() {
    for path in [0.02, 0.1, 0.5] {
        let mut moving = swept(10_000, path, 21);
        let mut still = swept(10_000, 0.0, 21);
        for world in [&mut moving, &mut still] {
            clock(world, 30);
        }
        let least = |world: &mut World| (0..4).map(|_| clock(world, 20)).fold(f64::MAX, f64::min);
        let (moving, still) = (least(&mut moving), least(&mut still));
        let each = (moving - still) / 1e4;
        println!("path {path}: moving {:.2} ms, still {:.2} ms, {each:.0} ns a wall", moving / 1e6, still / 1e6);
    }
}

/// A room that narrows to a door, behind it another one: one closed outline, solid from the inside.
fn rooms(one_sided: bool) -> Vec<Wall> {
    let corners: [[f32; 2]; 12] = [
        [-60.0, 130.0],
        [60.0, 130.0],
        [60.0, 30.0],
        [0.9, 1.5],
        [0.9, -1.5],
        [20.0, -4.0],
        [20.0, -60.0],
        [-20.0, -60.0],
        [-20.0, -4.0],
        [-0.9, -1.5],
        [-0.9, 1.5],
        [-60.0, 30.0],
    ];
    // Clockwise: the inside is to the right.
    let wall = |k: usize| Wall { a: corners[k], b: corners[(k + 1) % corners.len()], one_sided };
    (0..corners.len()).map(wall).collect()
}

fn press(count: usize, one_sided: bool, steps: usize) {
    let config = WorldConfig::default().with_gravity([0.0, -20.0]).with_restitution(0.1);
    let outline = rooms(one_sided);
    let mut world = traced(World::new(config).unwrap());
    for wall in &outline {
        world.add_segment(Segment::new(wall.a, wall.b).with_one_sided(one_sided)).unwrap();
    }
    let mut rng = Rng::new(31);
    // Rows above the door, as wide as the room is there.
    let (mut x, mut y) = (0.0f64, 4.0);
    for _ in 0..count {
        let r = rng.range(0.35, 0.5);
        let half = |y: f64| (if y < 30.0 { 0.9 + (y - 1.5) * 59.1 / 28.5 } else { 60.0 }) - 1.5;
        if x > half(y) {
            y += 1.01;
            x = -half(y);
        }
        world.add_circle(Circle::new([x as f32, y as f32], r as f32)).unwrap();
        x += 1.01;
    }
    let (mut held, mut through) = (0, 0);
    for step in 0..steps {
        step_without_leak(&mut world, &outline, DT, &format!("door, one-sided {one_sided}, step {step}"));
        held += world.stats().held;
        if step % 20 == 19 || step + 1 == steps {
            let places = places(&world);
            for &(handle, p) in &places {
                assert!(is_inside(&outline, p), "{handle:?} is outside at {p:?}, step {step}");
            }
            through = places.iter().filter(|(_, p)| p[1] < -1.5).count();
        }
    }
    println!("{count} at a door, one-sided {one_sided}, {steps} steps: {through} are through, {held} held");
    assert!(through > 0);
}

#[test]
fn a_crowd_presses_through_a_door() {
    press(1_000, true, steps(240));
    press(600, false, steps(240));
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_press_through_a_door() {
    for one_sided in [true, false] {
        press(10_000, one_sided, 2_000);
    }
}

/// The coasts of the world, and a frame: islands to those outside of them, lakes to those inside.
fn coasts() -> Vec<Wall> {
    let lines = include_str!("data/maps/world-land-110m-ll.segments.csv").lines().skip(1);
    let wall = |line: &str| {
        let mut numbers = line.split(',').map(|number| number.parse::<f32>().unwrap() * 64.0);
        let [x0, y0, x1, y1] = std::array::from_fn(|_| numbers.next().unwrap());
        Wall { a: [x0, y0], b: [x1, y1], one_sided: false }
    };
    let lines: Vec<Wall> = lines.map(wall).collect();
    // At -180 degrees, where the map ends, two pieces of coast bound land on both sides and are there once: with a second one each, every line
    // crosses outlines as often as it changes sides.
    let ends = || lines.iter().flat_map(|wall| [wall.a, wall.b]);
    let mut open: Vec<[f32; 2]> = ends().filter(|end| ends().filter(|other| other == end).count() % 2 == 1).collect();
    open.sort_by(|p, q| p[1].total_cmp(&q[1]));
    open.dedup();
    assert!(open.len() == 4 && open.iter().all(|end| end[0] == -180.0 * 64.0), "{open:?}");
    let gaps: Vec<Wall> = open.chunks(2).map(|ends| Wall { a: ends[0], b: ends[1], one_sided: false }).collect();
    let corners = [[-190.0f32, -95.0], [190.0, -95.0], [190.0, 95.0], [-190.0, 95.0]].map(|p| p.map(|v| v * 64.0));
    let frame = (0..4).map(|k| Wall { a: corners[k], b: corners[(k + 1) % 4], one_sided: false });
    lines.into_iter().chain(gaps).chain(frame).collect()
}

/// Agents of radius 16 and bullets of radius 4 at 1 000 diameters a step, gravity turning.
fn storm(count: usize, steps: usize) {
    let outline = coasts();
    let mut world = traced(World::new(WorldConfig::default()).unwrap());
    for wall in &outline {
        world.add_segment(Segment::new(wall.a, wall.b)).unwrap();
    }
    assert_eq!(walls(&world).len(), outline.len());
    let mut rng = Rng::new(41);
    for k in 0..count {
        let (r, speed) = if k % 2 == 1 { (4.0, 8000.0 / f64::from(DT)) } else { (16.0, 100.0) };
        let center = [rng.range(-11_000.0, 11_000.0) as f32, rng.range(-5_500.0, 5_500.0) as f32];
        let angle = rng.range(0.0, 6.3);
        let velocity = [(speed * angle.cos()) as f32, (speed * angle.sin()) as f32];
        let mass = if k % 2 == 1 { 1000.0 } else { 1.0 };
        world.add_circle(Circle::new(center, r).with_velocity(velocity).with_inverse_mass(mass)).unwrap();
    }
    let mut side: Vec<_> = places(&world).iter().map(|&(handle, p)| (handle, is_inside(&outline, p))).collect();
    side.sort();
    let (mut impacts, mut held) = (0, 0);
    for step in 0..steps {
        let angle = step as f64 * 0.01;
        world.set_gravity([(800.0 * angle.cos()) as f32, (800.0 * angle.sin()) as f32]).unwrap();
        step_without_leak(&mut world, &outline, DT, &format!("coasts, step {step}"));
        impacts += world.stats().impacts;
        held += world.stats().held;
        if step % 100 == 99 || step + 1 == steps {
            for (handle, p) in places(&world) {
                let at = side.binary_search_by_key(&handle, |entry| entry.0).unwrap();
                assert_eq!(is_inside(&outline, p), side[at].1, "{handle:?} is on the other side at {p:?}");
            }
        }
    }
    println!("coasts, {count} bodies, {steps} steps: {impacts} impacts, {held} held");
    assert!(impacts > count);
}

#[test]
fn coasts_hold_agents_and_bullets() {
    storm(200, steps(60));
}

#[test]
#[ignore = "minutes"]
fn coasts_hold_for_ten_thousand_steps() {
    storm(1_000, 10_000);
}
