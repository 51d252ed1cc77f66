//! Promise: no centre gets through a solid wall: no leg of any path meets one, however fast, hard pressed or small, as exact arithmetic
//! says by brute force.

use crate::common::legs::{Wall, is_inside, places, step_without_leak, traced, walls};
use crate::common::scenes::Rng;
use gridlane::{
    Backend, Circle, CircleBody, Filter, PairKinds, Response, Segment, SegmentBody, Threads, World, WorldConfig,
};

/// Fewer steps without optimisation.
fn steps(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 4 } else { most }
}

fn level(shift: f32) -> Vec<Wall> {
    let lines = include_str!("data/maps/freedoom1-e1m1-solid.segments.csv").lines().skip(1);
    let wall = |line: &str| {
        let mut numbers = line.split(',').map(|number| number.parse::<f32>().unwrap() + shift);
        let [x0, y0, x1, y1] = std::array::from_fn(|_| numbers.next().unwrap());
        Wall { a: [x0, y0], b: [x1, y1], one_sided: true }
    };
    lines.map(wall).collect()
}

fn distance(wall: &Wall, p: [f32; 2]) -> f64 {
    let v = |a: [f32; 2], b: [f32; 2]| [f64::from(b[0]) - f64::from(a[0]), f64::from(b[1]) - f64::from(a[1])];
    let (e, w) = (v(wall.a, wall.b), v(wall.a, p));
    let t = ((w[0] * e[0] + w[1] * e[1]) / (e[0] * e[0] + e[1] * e[1])).clamp(0.0, 1.0);
    (w[0] - t * e[0]).hypot(w[1] - t * e[1])
}

/// A point inside, further than `r` from every wall.
fn free_place(rng: &mut Rng, walls: &[Wall], shift: f32, r: f32) -> [f32; 2] {
    loop {
        let p = [rng.range(-400.0, 3248.0) as f32 + shift, rng.range(-864.0, 2336.0) as f32 + shift];
        if is_inside(walls, p) && walls.iter().all(|wall| distance(wall, p) > f64::from(r)) {
            return p;
        }
    }
}

const DT: f32 = 1.0 / 60.0;

/// 500 agents of radius 16 and 500 bullets of radius 4 at 1 000 diameters a step among the one-sided walls of a level.
fn storm(shift: f32, config: WorldConfig) -> (World, Vec<Wall>) {
    let outline = level(shift);
    let mut world = traced(World::new(config).unwrap());
    for wall in &outline {
        world.add_segment(Segment::new(wall.a, wall.b).with_one_sided(true)).unwrap();
    }
    let mut rng = Rng::new(16);
    for k in 0..1000 {
        let bullet = k % 2 == 1;
        let (r, speed) = if bullet { (4.0, 8000.0 / DT) } else { (16.0, 100.0) };
        let center = free_place(&mut rng, &outline, shift, r);
        let angle = rng.range(0.0, 6.3);
        let velocity = [(f64::from(speed) * angle.cos()) as f32, (f64::from(speed) * angle.sin()) as f32];
        let mass = if bullet { 1000.0 } else { 1.0 };
        world.add_circle(Circle::new(center, r).with_velocity(velocity).with_inverse_mass(mass)).unwrap();
    }
    (world, outline)
}

fn run_storm(shift: f32, steps: usize) {
    let (mut world, outline) = storm(shift, WorldConfig::default());
    let (mut impacts, mut held) = (0, 0);
    for step in 0..steps {
        let angle = step as f64 * 0.01;
        world.set_gravity([(800.0 * angle.cos()) as f32, (800.0 * angle.sin()) as f32]).unwrap();
        step_without_leak(&mut world, &outline, DT, &format!("shift {shift}, step {step}"));
        impacts += world.stats().impacts;
        held += world.stats().held;
        if step % 50 == 49 {
            for (handle, p) in places(&world) {
                assert!(is_inside(&outline, p), "{handle:?} is outside at {p:?}");
            }
        }
    }
    assert!(impacts > 500 * steps, "{impacts} impacts");
    println!("shift {shift}: {steps} steps, {impacts} impacts, {held} held");
}

#[test]
fn a_level_holds_agents_and_bullets() {
    run_storm(0.0, steps(200));
}

#[test]
fn a_level_far_out_holds_them_too() {
    for shift in [1e4, 1e5, 1e6] {
        run_storm(shift, steps(40));
    }
}

#[test]
#[ignore = "minutes"]
fn a_level_holds_for_twenty_thousand_steps() {
    run_storm(0.0, 20_000);
}

fn pile_into(tip: &[Wall], one_sided: bool, restitution: f32, count: usize, most: usize) {
    let config = WorldConfig::default().with_gravity([0.0, -30.0]).with_restitution(restitution);
    let mut world = traced(World::new(config).unwrap());
    for wall in tip {
        world.add_segment(Segment::new(wall.a, wall.b).with_one_sided(one_sided)).unwrap();
    }
    let mut rng = Rng::new(5);
    for _ in 0..count {
        let y = rng.range(4.0, 30.0);
        let x = rng.range(-0.8, 0.8) * y * 0.1;
        let circle = Circle::new([x as f32, y as f32], rng.range(0.1, 0.3) as f32);
        // What only falls is stopped before anybody has to be held.
        world.add_circle(circle.with_velocity([0.0, -20.0])).unwrap();
    }
    let held = walls(&world);
    let mut total = 0;
    for step in 0..most {
        step_without_leak(&mut world, &held, DT, &format!("one-sided {one_sided}, e {restitution}, step {step}"));
        total += world.stats().held;
    }
    assert!(total > 50, "one-sided {one_sided}, e {restitution}: {total} held");
}

/// A wedge that opens by a tenth to either side, solid from the inside.
fn tip() -> [Wall; 2] {
    let wall = |a, b| Wall { a, b, one_sided: true };
    // The inside is to the right of each.
    [wall([0.0, 0.0], [-4.0, 40.0]), wall([4.0, 40.0], [0.0, 0.0])]
}

#[test]
fn an_acute_tip_holds_a_crowd() {
    for one_sided in [true, false] {
        pile_into(&tip(), one_sided, 0.0, 600, steps(150));
        pile_into(&tip(), one_sided, 0.5, 300, steps(100));
    }
}

/// Bodies of any speed and size among random walls, cut walls and slits, boxed in.
fn thrown(seed: u64, scale: f64, config: WorldConfig) -> World {
    let mut rng = Rng::new(seed);
    let s = |v: f64| (v * scale) as f32;
    let config = config.with_restitution([1.0, 0.0, 0.6][seed as usize % 3]);
    let config = config.with_gravity([s(rng.range(-9.0, 9.0)), s(rng.range(-9.0, 9.0))]);
    let mut world = traced(World::new(config).unwrap());
    let corners = [[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0]].map(|p: [f64; 2]| p.map(s));
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        // The inside is to the left of a to b.
        world.add_segment(Segment::new(b, a).with_one_sided(seed.is_multiple_of(2))).unwrap();
    }
    for k in 0..30 {
        let (a, b) = (std::array::from_fn(|_| rng.range(-9.0, 9.0)), [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)]);
        let a: [f64; 2] = a;
        // Cut in three, rounded; each third one rounded off.
        let cut = |t: f64| [s(a[0] + (b[0] - a[0]) * t), s(a[1] + (b[1] - a[1]) * t)];
        for part in 0..3 {
            let wall = Segment::new(cut(f64::from(part) / 3.0), cut(f64::from(part + 1) / 3.0));
            let radius = if k % 3 == 0 { s(0.2) } else { 0.0 };
            world.add_segment(wall.with_radius(radius).with_one_sided(k % 4 == 0)).unwrap();
        }
        if k % 5 == 0 {
            // A slit, narrower than most circles, and a point.
            let (p, q) = (cut(0.2), cut(0.8));
            let up = |p: [f32; 2]| [p[0] + s(0.05), p[1] + s(0.05)];
            world.add_segment(Segment::new(up(p), up(q))).unwrap();
            world.add_segment(Segment::new(q, q)).unwrap();
        }
    }
    for k in 0..120 {
        let center = [s(rng.range(-9.9, 9.9)), s(rng.range(-9.9, 9.9))];
        let radius = [0.0, 0.05, 0.3, 1.0, 1e-9][k % 5] * rng.range(0.5, 1.0);
        let speed = [1.0, 60.0, 3e3, 1e6][k % 4];
        let velocity = [s(rng.range(-speed, speed)), s(rng.range(-speed, speed))];
        let body = Circle::new(center, s(radius)).with_velocity(velocity);
        world.add_circle(body.with_inverse_mass(if k % 11 == 0 { 0.0 } else { 1.0 })).unwrap();
    }
    world
}

fn run_thrown(seed: u64, scale: f64, most: usize) {
    let mut world = thrown(seed, scale, WorldConfig::default());
    let held = walls(&world);
    for step in 0..most {
        step_without_leak(&mut world, &held, DT, &format!("seed {seed}, scale {scale}, step {step}"));
        for (handle, p) in places(&world) {
            let inside = p.iter().all(|v| f64::from(*v).abs() <= 10.0 * scale * 1.0001);
            assert!(inside, "{handle:?} is outside at {p:?}");
        }
    }
}

#[test]
fn boxes_of_any_scale_hold_what_is_thrown_about_in_them() {
    for seed in 0..12 {
        let scale = [1.0, 1e-20, 1e20, 1e3, 1e-6, 1e7][seed as usize % 6];
        run_thrown(seed, scale, steps(40));
    }
}

#[test]
fn aimed_at_ends_joints_and_seams_exactly() {
    for (one_sided, r) in [(false, 0.5), (true, 0.5), (false, 0.0), (true, 0.0), (false, 1e-6)] {
        let mut world = traced(World::new(WorldConfig::default()).unwrap());
        // A square whose sides are cut at integers, T-joints inside, corners shared; the inside is to the right.
        for k in 0..8 {
            let (u, v) = (k as f32, k as f32 + 1.0);
            for (a, b) in [([v, 0.0], [u, 0.0]), ([8.0, v], [8.0, u]), ([u, 8.0], [v, 8.0]), ([0.0, u], [0.0, v])] {
                world.add_segment(Segment::new(a, b).with_one_sided(one_sided)).unwrap();
            }
        }
        world.add_segment(Segment::new([4.0, 0.0], [4.0, 2.0])).unwrap();
        world.add_segment(Segment::new([8.0, 4.5], [6.0, 4.5])).unwrap();
        // They pass through each other.
        let alone = Filter::new(2, 1);
        let targets = (0..=8).flat_map(|k| [[k as f32, 0.0], [8.0, k as f32], [k as f32, 8.0], [0.0, k as f32]]);
        let targets: Vec<[f32; 2]> = targets.chain([[4.0, 2.0], [6.0, 4.5], [8.0, 4.5]]).collect();
        for (k, target) in targets.into_iter().enumerate() {
            for from in [[2.5, 6.0], [2.0, 4.0], [1.0, 1.0]] {
                // Just there, just beyond, and far beyond.
                let times = [60.0, 61.0, 6e4][k % 3];
                let velocity = [(target[0] - from[0]) * times, (target[1] - from[1]) * times];
                world.add_circle(Circle::new(from, r).with_velocity(velocity).with_filter(alone)).unwrap();
            }
        }
        let held = walls(&world);
        let mut impacts = 0;
        for step in 0..steps(60) {
            step_without_leak(&mut world, &held, DT, &format!("one-sided {one_sided}, r {r}, step {step}"));
            impacts += world.stats().impacts;
        }
        assert!(impacts > world.circles().len(), "one-sided {one_sided}, r {r}: {impacts}");
        for (handle, p) in places(&world) {
            assert!(p.iter().all(|&v| (0.0..=8.0).contains(&v)), "{handle:?} is outside at {p:?}");
        }
    }
}

/// Some walls that move as well.
fn mixed(config: WorldConfig) -> World {
    let mut world = thrown(7, 1.0, config);
    for k in 0..4 {
        let x = k as f32 * 4.0 - 6.0;
        let arm = Segment::new([x, -3.0], [x, 3.0]).with_end_velocities([20.0, 5.0], [-30.0, 0.0]);
        world.add_segment(arm).unwrap();
    }
    world
}

#[test]
fn bits_are_the_same_for_all_backends_and_threads_and_after_a_snapshot() {
    let config = |backend, threads| WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
    let mut worlds = [(Backend::Wide, 1), (Backend::Scalar, 1), (Backend::Wide, 3), (Backend::Scalar, 2)]
        .map(|(backend, threads)| mixed(config(backend, threads)));
    let (mut impacts, mut held) = (0, 0);
    for step in 0..60 {
        if step == 20 {
            let bytes = worlds[0].save();
            worlds[3].restore(&bytes).unwrap();
            worlds[2] = World::from_snapshot(&bytes).unwrap();
        }
        for world in &mut worlds {
            world.step(DT).unwrap();
        }
        let first = &worlds[0];
        (impacts, held) = (impacts + first.stats().impacts, held + first.stats().held);
        for world in &worlds[1..] {
            assert_eq!(world.state_hash(), first.state_hash(), "step {step}");
            assert_eq!((world.squeezed(), world.impacts()), (first.squeezed(), first.impacts()));
            assert_eq!(world.events(), first.events(), "step {step}");
            assert_eq!((world.stats().impacts, world.stats().held), (first.stats().impacts, first.stats().held));
        }
    }
    assert!(impacts > 100 && held > 0, "{impacts} impacts, {held} held");
}

/// A circle of radius 1 that goes 100 to the right in a step through a wall at 50.
fn through(circle: CircleBody, wall: SegmentBody, config: WorldConfig) -> f32 {
    let mut world = World::new(config).unwrap();
    let handle = world.add_circle(circle.with_velocity([100.0, 0.0])).unwrap();
    world.add_segment(wall).unwrap();
    world.step(1.0).unwrap();
    world.circle(handle).unwrap().shape.center.x
}

#[test]
fn sensors_strangers_and_worlds_without_response_are_not_held() {
    let circle = CircleBody::from(Circle::new([0.0, 0.0], 1.0));
    // Upwards: solid from the right, which is where x is larger.
    let wall = SegmentBody::from(Segment::new([50.0, -9.0], [50.0, 9.0]));
    let config = WorldConfig::default();
    // 49 there, 51 back.
    let x = through(circle, wall, config.clone());
    assert!((x + 2.0).abs() < 1e-3, "{x}");
    assert!(through(circle.with_inverse_mass(0.0), wall, config.clone()) < 50.0);
    assert_eq!(through(circle.with_sensor(true), wall, config.clone()), 100.0);
    assert_eq!(through(circle, wall.with_sensor(true), config.clone()), 100.0);
    assert_eq!(through(circle, wall.with_filter(Filter::new(2, 2)), config.clone()), 100.0);
    assert_eq!(through(circle, wall.with_one_sided(true), config.clone()), 100.0);
    assert_eq!(through(circle, wall, config.clone().with_response(Response::None)), 100.0);
    let kinds = PairKinds { circle_segment: false, ..PairKinds::ALL };
    assert_eq!(through(circle, wall, config.clone().with_pair_kinds(kinds)), 100.0);
    // Half comes back: 49 there, 51 at half the speed.
    let x = through(circle, wall, config.with_restitution(0.5));
    assert!((x - 23.5).abs() < 1e-3, "{x}");
}
