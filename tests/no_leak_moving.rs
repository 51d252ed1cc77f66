//! Promise: no wall that moves passes over a centre, and none goes through one, but for those that the step says it has squeezed.

use crate::common::legs::{step_without_leak, traced, walls};
use crate::common::scenes::Rng;
use gridlane::{Bounds, Circle, Segment, SegmentHandle, World, WorldConfig};

/// Fewer steps without optimisation.
fn steps(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 4 } else { most }
}

const DT: f32 = 1.0 / 60.0;

/// A box of ten to each side, two-sided, with circles strewn over it.
fn boxed(config: WorldConfig, circles: usize, speed: f64, seed: u64) -> World {
    let mut world = traced(World::new(config).unwrap());
    let corners = [[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0]];
    for k in 0..4 {
        world.add_segment(Segment::new(corners[k], corners[(k + 1) % 4])).unwrap();
    }
    let mut rng = Rng::new(seed);
    for _ in 0..circles {
        let center = [rng.range(-9.5, 9.5) as f32, rng.range(-9.5, 9.5) as f32];
        let velocity = [rng.range(-speed, speed) as f32, rng.range(-speed, speed) as f32];
        world.add_circle(Circle::new(center, rng.range(0.2, 0.45) as f32).with_velocity(velocity)).unwrap();
    }
    world
}

/// Has a wall go to these ends within the next step.
fn send(world: &mut World, wall: SegmentHandle, ends: [[f64; 2]; 2]) {
    let body = world.segment(wall).unwrap();
    let per = |to: f64, from: f32| ((to - f64::from(from)) / f64::from(DT)) as f32;
    let (a, b) = (body.shape.start, body.shape.end);
    let start = [per(ends[0][0], a.x), per(ends[0][1], a.y)];
    let end = [per(ends[1][0], b.x), per(ends[1][1], b.y)];
    world.set_segment(wall, Segment { ..body.shape }.with_end_velocities(start, end)).unwrap();
}

#[test]
fn paddles_pass_over_nobody() {
    for (seed, speed, e) in [(1, 3.0, 0.2), (2, 300.0, 1.0)] {
        let mut world = boxed(WorldConfig::default().with_restitution(e), 300, speed, seed);
        let arm = |k: usize, step: usize| {
            let (x, y) = ((k % 3) as f64 * 6.0 - 6.0, (k / 3) as f64 * 6.0 - 6.0);
            // Tips go about one diameter a step.
            let angle = step as f64 * 0.25 * if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            [[x, y], [x + 2.5 * angle.cos(), y + 2.5 * angle.sin()]]
        };
        let arms: Vec<SegmentHandle> = (0..9)
            .map(|k| {
                world.add_segment(Segment::new(arm(k, 0)[0].map(|v| v as f32), arm(k, 0)[1].map(|v| v as f32))).unwrap()
            })
            .collect();
        let held = walls(&world);
        let held = &held[..4];
        let mut total = 0;
        for step in 1..steps(300) {
            for (k, &wall) in arms.iter().enumerate() {
                send(&mut world, wall, arm(k, step));
            }
            step_without_leak(&mut world, held, DT, &format!("paddles {seed}, step {step}"));
            total += world.stats().held;
        }
        assert!(total > 0, "paddles {seed}: {total} held");
    }
}

#[test]
fn sweepers_pass_over_nobody_where_there_is_room() {
    let mut world = boxed(WorldConfig::default().with_gravity([0.0, -9.0]).with_restitution(0.3), 60, 2.0, 3);
    let place = |k: usize, step: usize| {
        let at = 5.0 * (step as f64 * 0.05 + k as f64).sin();
        if k == 0 { [[at, -5.0], [at, 9.0]] } else { [[-5.0, at + 2.0], [5.0, at + 2.0]] }
    };
    let sweepers: Vec<SegmentHandle> = (0..2)
        .map(|k| {
            let [a, b] = place(k, 0).map(|p| p.map(|v| v as f32));
            world.add_segment(Segment::new(a, b)).unwrap()
        })
        .collect();
    let held = walls(&world)[..4].to_vec();
    let (mut met, mut squeezed) = (0, 0);
    for step in 1..steps(400) {
        for (k, &wall) in sweepers.iter().enumerate() {
            send(&mut world, wall, place(k, step));
        }
        step_without_leak(&mut world, &held, DT, &format!("sweepers, step {step}"));
        let handles = world.segments().handles();
        met += world.contacts().circle_segment().iter().filter(|c| sweepers.contains(&handles[c.b as usize])).count();
        squeezed += world.squeezed().len();
    }
    // Most are thrown ahead of them, and touch nothing when a step ends.
    assert!(met > 0 && squeezed == 0, "{met} met, {squeezed} squeezed");
}

#[test]
fn a_press_that_leaves_no_room_says_whom_it_squeezed() {
    let mut world = boxed(WorldConfig::default().with_restitution(0.0), 150, 1.0, 4);
    // From the left wall through the right one.
    let press = world.add_segment(Segment::new([-9.9, -10.0], [-9.9, 10.0]).with_velocity([6.0, 0.0])).unwrap();
    let held = walls(&world);
    let (circles, mut squeezed) = (world.circles().handles().to_vec(), Vec::new());
    let behind = |world: &World| {
        let x = world.segment(press).unwrap().shape.start.x;
        circles.iter().filter(|&&c| world.circle(c).unwrap().shape.center.x < x).count()
    };
    let before = behind(&world);
    for step in 0..240 {
        step_without_leak(&mut world, &held, DT, &format!("press, step {step}"));
        squeezed.extend(world.squeezed().iter().map(|record| record.circle));
        assert_eq!(world.stats().squeezed, world.squeezed().len());
        squeezed.sort();
        squeezed.dedup();
        assert!(behind(&world) <= before + squeezed.len(), "step {step}");
    }
    // At x = 14 it has passed over everybody, nobody having left the box.
    assert_eq!(behind(&world), circles.len());
    assert!(circles.iter().all(|&c| world.circle(c).unwrap().shape.center.x.abs() <= 10.0));
    assert_eq!(squeezed.len(), circles.len() - before);
}

/// Whom a wall comes upon is found early by what touched in the last step, of which a snapshot knows nothing: there it is found late.
#[test]
fn a_world_read_back_holds_and_squeezes_whom_the_other_does() {
    for (e, gravity) in [(1.0, 0.0), (0.3, -9.0)] {
        let bounds = Bounds::Reflect { min: [-10.0; 2].into(), max: [10.0; 2].into() };
        let config = WorldConfig::default().with_restitution(e).with_gravity([0.0, gravity]).with_bounds(bounds);
        let mut world = boxed(config, 400, 3.0, 11);
        world.add_segment(Segment::new([-9.9, -10.0], [-9.9, 10.0]).with_velocity([4.0, 0.0])).unwrap();
        for k in 0..6 {
            // Some go farther in a step than circles are wide: whom they come upon they have not touched before.
            let (x, speed) = (f32::from(k as u8) * 3.0 - 8.0, [2.0, 40.0][k % 2]);
            let wall = Segment::new([x, -4.0], [x + 1.0, 4.0]);
            world.add_segment(wall.with_end_velocities([speed, 1.0], [-speed, 3.0])).unwrap();
        }
        let (mut held, mut squeezed) = (0, 0);
        for step in 0..steps(200) {
            let mut again = World::from_snapshot(&world.save()).unwrap();
            world.step(DT).unwrap();
            again.step(DT).unwrap();
            assert_eq!(world.squeezed(), again.squeezed(), "step {step}");
            assert_eq!(
                (world.stats().held, world.state_hash()),
                (again.stats().held, again.state_hash()),
                "step {step}"
            );
            assert_eq!(world.events(), again.events(), "step {step}");
            (held, squeezed) = (held + world.stats().held, squeezed + world.squeezed().len());
        }
        assert!(held > 200 && squeezed > 20, "{held} held, {squeezed} squeezed");
    }
}

#[test]
fn a_wedge_closes_on_a_crowd() {
    for one_sided in [false, true] {
        let mut world = traced(World::new(WorldConfig::default().with_restitution(0.0)).unwrap());
        let at = |angle: f64| [[0.0, 0.0], [30.0 * angle.cos(), 30.0 * angle.sin()]];
        let wall = |[a, b]: [[f64; 2]; 2]| Segment::new(a.map(|v| v as f32), b.map(|v| v as f32));
        // The inside is to the right of each.
        let upper = world.add_segment(wall(at(0.5)).with_one_sided(one_sided)).unwrap();
        let [a, b] = at(-0.5);
        let lower = world.add_segment(wall([b, a]).with_one_sided(one_sided)).unwrap();
        let mut rng = Rng::new(9);
        for _ in 0..80 {
            let (far, angle) = (rng.range(3.0, 25.0), rng.range(-0.4, 0.4));
            let center = [(far * angle.cos()) as f32, (far * angle.sin()) as f32];
            world.add_circle(Circle::new(center, 0.3)).unwrap();
        }
        let mut met = 0;
        let end = 200;
        for step in 1..=end {
            let angle = 0.5 - 0.48 * f64::from(step) / f64::from(end);
            send_as(&mut world, upper, at(angle), one_sided);
            let [a, b] = at(-angle);
            send_as(&mut world, lower, [b, a], one_sided);
            step_without_leak(&mut world, &[], DT, &format!("wedge, one-sided {one_sided}, step {step}"));
            met += world.contacts().circle_segment().len();
        }
        assert!(met > world.circles().len(), "one-sided {one_sided}: {met} met");
    }
}

fn send_as(world: &mut World, wall: SegmentHandle, ends: [[f64; 2]; 2], one_sided: bool) {
    send(world, wall, ends);
    let body = world.segment(wall).unwrap();
    world.set_segment(wall, body.with_one_sided(one_sided)).unwrap();
}

#[test]
fn points_and_small_circles_are_not_overtaken_by_fast_walls() {
    for seed in 0..4 {
        let mut world = boxed(WorldConfig::default(), 0, 0.0, 0);
        let mut rng = Rng::new(50 + seed);
        for k in 0..200 {
            let center = [rng.range(-9.5, 9.5) as f32, rng.range(-9.5, 9.5) as f32];
            let radius = [0.0, 1e-5, 0.02, 0.5][k % 4];
            let speed = [0.0, 0.0, 1.0, 100.0][(k / 4) % 4];
            let velocity = [rng.range(-speed, speed) as f32, rng.range(-speed, speed) as f32];
            world.add_circle(Circle::new(center, radius).with_velocity(velocity)).unwrap();
        }
        let held = walls(&world);
        for _ in 0..3 {
            let ends = [0, 1].map(|_| [rng.range(-5.0, 5.0) as f32, rng.range(-5.0, 5.0) as f32]);
            let velocities = [0, 1].map(|_| [rng.range(-40.0, 40.0) as f32, rng.range(-40.0, 40.0) as f32]);
            let wall = Segment::new(ends[0], ends[1]).with_end_velocities(velocities[0], velocities[1]);
            world.add_segment(wall.with_one_sided(seed % 2 == 1)).unwrap();
        }
        let mut total = 0;
        for step in 0..steps(12) {
            step_without_leak(&mut world, &held, DT, &format!("fast walls {seed}, step {step}"));
            total += world.stats().held;
        }
        assert!(total > 0, "{seed}: {total} held");
    }
}
