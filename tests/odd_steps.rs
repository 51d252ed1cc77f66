//! Promise: a step may be of any length, whatever those before were. What rests stays at rest through a shorter one, and what one step has pressed the next
//! does not shoot out.

use gridlane::{Circle, CircleHandle, Segment, World, WorldConfig};

const USUAL: f32 = 1.0 / 60.0;
const GRAVITY: f32 = 10.0;

/// Discs of radius a half, one on the other, at rest on a floor.
fn tower(layers: usize) -> (World, Vec<CircleHandle>) {
    let config = WorldConfig::default().with_gravity([0.0, -GRAVITY]).with_restitution(0.0);
    let mut world = World::new(config).unwrap();
    world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
    let discs: Vec<_> =
        (0..layers).map(|k| world.add_circle(Circle::new([0.0, 0.5 + k as f32], 0.5)).unwrap()).collect();
    for _ in 0..300 {
        world.step(USUAL).unwrap();
    }
    (world, discs)
}

/// How fast the fastest is, and how high the highest.
fn stirred(world: &World) -> (f32, f32) {
    let view = world.circles();
    let fastest = view.velocity_y().iter().fold(0.0f32, |most, v| most.max(v.abs()));
    (fastest, view.y().iter().fold(f32::MIN, |most, &y| most.max(y)))
}

#[test]
fn a_tower_stands_through_a_step_of_any_length() {
    for layers in [3, 12] {
        for odd in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9, 1e-20] {
            let (mut world, _) = tower(layers);
            let (_, height) = stirred(&world);
            world.step(odd).unwrap();
            for _ in 0..60 {
                world.step(USUAL).unwrap();
                let (fastest, highest) = stirred(&world);
                // Less than what gravity gives in a step, and no higher than a hundredth of a radius for each layer.
                assert!(
                    fastest < GRAVITY * USUAL && highest < height + 0.005 * layers as f32,
                    "{layers} {odd}: {fastest} {highest}"
                );
            }
        }
    }
}

#[test]
fn an_accumulator_with_a_rest_of_any_size_shakes_nothing() {
    let (mut world, _) = tower(12);
    let (_, height) = stirred(&world);
    for step in 0..180 {
        world.step([USUAL, USUAL, 1e-5][step % 3]).unwrap();
        let (fastest, highest) = stirred(&world);
        assert!(fastest < 0.1 * GRAVITY * USUAL && highest < height + 0.005, "{step}: {fastest} {highest}");
    }
}

/// It stops a ball that comes at 5 within a millisecond; in a step sixteen times as long nobody bears sixteen times as much.
#[test]
fn what_stopped_somebody_in_a_short_step_throws_nobody_in_a_long_one() {
    for after in [2, 5, 20] {
        let (mut world, discs) = tower(3);
        world.set_circle_velocity(discs[2], [0.0, -5.0]).unwrap();
        for _ in 0..after {
            world.step(1e-3).unwrap();
        }
        for _ in 0..30 {
            world.step(USUAL).unwrap();
            let (_, highest) = stirred(&world);
            assert!(highest < 2.55, "{after}: {highest}");
        }
    }
}

#[test]
fn a_saved_world_goes_on_alike_through_steps_of_all_lengths() {
    let (mut world, _) = tower(6);
    for (k, dt) in [1e-3, USUAL, 1e-5, 1e-4, 0.05, 1e-3, 1e-3].into_iter().enumerate() {
        let mut copy = World::from_snapshot(&world.save()).unwrap();
        world.step(dt).unwrap();
        copy.step(dt).unwrap();
        assert_eq!((copy.state_hash(), copy.save()), (world.state_hash(), world.save()), "{k}");
    }
}

/// A ball on a floor, or in a notch, that gets back `restitution` of each impact, and for how many steps it has stood still in the end.
fn still_after(bounce: (u32, f32), notch: f32, dt: f32, steps: u32) -> (u32, f32) {
    let (substeps, restitution) = bounce;
    let config = WorldConfig::default().with_gravity([0.0, -GRAVITY]).with_restitution(restitution);
    let mut world = World::new(config.with_substeps(substeps)).unwrap();
    for side in [-10.0, 10.0] {
        world.add_segment(Segment::new([side, 10.0 * notch], [0.0, 0.0])).unwrap();
    }
    let ball = world.add_circle(Circle::new([0.013, 3.0], 0.5)).unwrap();
    let (mut still, mut highest) = (0, 0.0f32);
    for step in 0..steps {
        world.step(dt).unwrap();
        let ball = world.circle(ball).unwrap();
        let speed = ball.velocity.x.hypot(ball.velocity.y);
        still = if speed < 0.1 * GRAVITY * dt { still + 1 } else { 0 };
        if step > steps / 2 {
            highest = highest.max(ball.shape.center.y);
        }
    }
    (still, highest)
}

#[test]
fn what_bounces_comes_to_rest_however_few_substeps_there_are() {
    for substeps in [1, 2, 4, 8, 12] {
        for restitution in [0.5f32, 0.7, 0.8, 0.9, 0.95] {
            for notch in [0.0, 0.577, 1.0, 2.7] {
                // From 2.5 above the floor: (1 + e) / (1 - e) times the fall of 0.71 s, and as much again in a notch, where it goes to and fro.
                let seconds = 2.0 * 0.71 * (1.0 + restitution) / (1.0 - restitution) + 2.0;
                let steps = (seconds / USUAL) as u32;
                let (still, _) = still_after((substeps, restitution), notch, USUAL, steps);
                assert!(still > 60, "{substeps} {restitution} {notch}: {still} of {steps}");
            }
        }
    }
}

#[test]
fn no_bounce_gives_what_was_not_there() {
    // All but all comes back: what it loses is for roundings; half a minute, in which a step's fall is gained by none of twenty bounces or more.
    for substeps in [1, 2, 4, 8] {
        for notch in [0.0, 1.0] {
            let (_, highest) = still_after((substeps, 0.9999), notch, USUAL, 1800);
            assert!(highest < 3.0 + 0.05, "{substeps} {notch}: {highest}");
        }
    }
}

/// What is at rest under long steps and goes on in short ones comes out of what it was pressed in by, and nobody has more than what that lifts the top by:
/// v² = 2·g·(lift).
#[test]
fn a_pile_at_rest_goes_on_in_shorter_steps() {
    for (layers, substeps, long, short) in
        [(12, 12, 2.0 * USUAL, 1e-4), (30, 12, USUAL, 1e-4), (30, 12, USUAL, USUAL / 10.0), (30, 12, USUAL, 1e-5)]
    {
        let config = WorldConfig::default().with_gravity([0.0, -GRAVITY]).with_restitution(0.0);
        let mut world = World::new(config.with_substeps(substeps)).unwrap();
        world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
        for k in 0..layers {
            world.add_circle(Circle::new([0.0, 0.5 + k as f32], 0.5)).unwrap();
        }
        for _ in 0..600 {
            world.step(long).unwrap();
        }
        let (_, pressed) = stirred(&world);
        let top = layers as f32 - 0.5;
        let mut seconds = 0.0;
        while seconds < 20.0 * long {
            world.step(short).unwrap();
            seconds += short;
            let (fastest, highest) = stirred(&world);
            assert!(
                fastest * fastest <= 2.0 * GRAVITY * (top - pressed) && highest < top && highest > pressed - 0.01,
                "{layers} {long} {short}: {fastest} {highest} at {seconds}"
            );
        }
    }
}

#[test]
fn nobody_is_shot_out_after_a_step_that_took_too_long() {
    for layers in [3, 12] {
        for long in [0.1, 0.25, 1.0] {
            let (mut world, _) = tower(layers);
            world.step(long).unwrap();
            for step in 0..600 {
                world.step(USUAL).unwrap();
                let (_, highest) = stirred(&world);
                // Where it stood.
                assert!(highest < layers as f32 - 0.5, "{layers} {long}: {highest} after {step}");
            }
        }
    }
}
