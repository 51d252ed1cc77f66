//! Promise: what may rest comes to rest, what bounces bounces as it was told, and nothing of it depends on threads, backends, or a way
//! over a snapshot.

use crate::common::scenes::{Rng, scene};
use gridlane::{
    Backend, Circle, CircleBodies, CircleHandle, Circles, Contacts, Detector, DetectorConfig, Segment, SegmentBodies,
    Segments, Threads, World, WorldConfig,
};

const DT: f32 = 1.0 / 60.0;
const G: f32 = 9.81;

fn falling() -> WorldConfig {
    WorldConfig::default().with_gravity([0.0, -G]).with_restitution(0.0)
}

fn wall(world: &mut World, from: [f32; 2], to: [f32; 2]) {
    world.add_segment(Segment::new(from, to)).unwrap();
}

/// `count` circles of radius 0.47 to 0.5 a little apart in a trough, layer by layer.
fn pile(seed: u64, config: WorldConfig, count: usize, width: f32) -> World {
    let mut world = World::new(config).unwrap();
    let top = 3.0 * count as f32 / width + 10.0;
    wall(&mut world, [0.0, 0.0], [width, 0.0]);
    wall(&mut world, [0.0, 0.0], [0.0, top]);
    wall(&mut world, [width, 0.0], [width, top]);
    let mut rng = Rng::new(seed);
    let columns = (width - 0.5) as usize;
    for k in 0..count {
        let x = 0.6 + (k % columns) as f64 + rng.range(-0.05, 0.05);
        let y = 0.6 + 1.02 * (k / columns) as f64 + rng.range(-0.02, 0.02);
        world.add_circle(Circle::new([x as f32, y as f32], rng.range(0.47, 0.5) as f32)).unwrap();
    }
    world
}

fn step(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT).unwrap();
    }
}

fn root_mean_square_speed(world: &World) -> f32 {
    let c = world.circles();
    let squares = c.velocity_x().iter().zip(c.velocity_y()).map(|(x, y)| f64::from(x * x + y * y));
    (squares.sum::<f64>() / c.len() as f64).sqrt() as f32
}

/// The deepest penetration where bodies are now, as a share of the (smaller) radius.
fn deepest(world: &World) -> f32 {
    let (c, s) = (world.circles(), world.segments());
    let mut detector = Detector::new(DetectorConfig::default()).unwrap();
    detector.set_segments(Segments { x0: s.x0(), y0: s.y0(), x1: s.x1(), y1: s.y1() }).unwrap();
    let mut contacts = Contacts::new();
    detector.detect(Circles { x: c.x(), y: c.y(), radius: c.radius() }, &mut contacts).unwrap();
    let radius = |row: u32| c.radius()[row as usize];
    let pairs = contacts.circle_circle().iter().map(|k| -k.separation / radius(k.a).min(radius(k.b)));
    let walls = contacts.circle_segment().iter().map(|k| -k.separation / radius(k.a));
    pairs.chain(walls).fold(0.0, f32::max)
}

/// At rest, no deeper than this, and nobody outside.
fn assert_rests(world: &World, deep: f32, width: f32) {
    let speed = root_mean_square_speed(world);
    assert!(speed < 0.1 * G * DT, "still moving: {speed}");
    let found = deepest(world);
    assert!(found < deep, "too deep: {found}");
    let c = world.circles();
    assert!(c.x().iter().all(|&x| x > 0.0 && x < width) && c.y().iter().all(|&y| y > 0.0));
}

#[test]
fn a_pile_of_ten_layers_rests() {
    for restitution in [0.0, 0.3, 0.8] {
        let mut world = pile(7, falling().with_restitution(restitution), 200, 20.0);
        step(&mut world, 600);
        assert_rests(&world, 0.02, 20.0);
    }
}

/// As the default has them; fewer substeps leave them deeper, by the square. How deep depends on how a pile has come to lie, by a quarter and more:
/// it takes several to tell.
#[test]
#[ignore = "a minute"]
fn piles_of_a_hundred_layers_rest() {
    let default = falling().substeps;
    for (substeps, restitution, deep) in [(default, 0.0, 0.022), (default, 0.3, 0.022), (16, 0.0, 0.015)] {
        let config = falling().with_restitution(restitution).with_substeps(substeps);
        let mut sum = 0.0;
        for seed in 0..10 {
            let mut world = pile(seed, config.clone(), 2_200, 20.0);
            step(&mut world, 1500);
            assert_rests(&world, 1.4 * deep, 20.0);
            sum += deepest(&world);
        }
        assert!(sum < 10.0 * deep, "{substeps} {restitution}: {}", sum / 10.0);
        let mut wide = pile(7, config, 10_000, 100.0);
        step(&mut wide, 1500);
        assert_rests(&wide, 1.2 * deep, 100.0);
    }
}

/// Circles exactly above each other: nothing pushes them aside, each bears those above it, and the floor all.
#[test]
fn a_tower_stands_and_its_weight_is_told() {
    let mut world = World::new(falling()).unwrap();
    wall(&mut world, [-5.0, 0.0], [5.0, 0.0]);
    let tower: Vec<_> = (0..10).map(|k| world.add_circle(Circle::new([0.0, 0.5 + k as f32], 0.5)).unwrap()).collect();
    step(&mut world, 600);
    for (k, &handle) in tower.iter().enumerate() {
        let body = world.circle(handle).unwrap();
        assert_eq!(body.shape.center.x, 0.0);
        let sunk = 0.5 + k as f32 - body.shape.center.y;
        assert!((0.0..0.02 * 0.5 * (k + 1) as f32).contains(&sunk), "{k}: {sunk}");
    }
    assert!(deepest(&world) < 0.02 && root_mean_square_speed(&world) < 1e-4);
    // The floor gets ten weights in each step; the pair that k circles stand on bears k weights, at distance 1 less what it has sunk.
    let stats = world.step(DT).unwrap();
    let weight = f64::from(G * DT);
    assert!((stats.wall_impulse / (10.0 * weight) - 1.0).abs() < 1e-3, "{}", stats.wall_impulse);
    let virial = (1..10).map(f64::from).sum::<f64>() * weight;
    assert!((stats.virial / virial - 1.0).abs() < 0.012, "{} {virial}", stats.virial);
}

#[test]
fn a_heap_in_a_funnel_rests_on_its_flanks() {
    let mut world = World::new(falling()).unwrap();
    wall(&mut world, [-10.0, 10.0], [0.0, 0.0]);
    wall(&mut world, [0.0, 0.0], [10.0, 10.0]);
    for k in 0..60 {
        let (column, row) = ((k % 6) as f32, (k / 6) as f32);
        world.add_circle(Circle::new([column - 2.5 + 0.03 * row, 6.0 + row], 0.45)).unwrap();
    }
    step(&mut world, 900);
    assert!(root_mean_square_speed(&world) < 0.1 * G * DT, "{}", root_mean_square_speed(&world));
    assert!(deepest(&world) < 0.02, "{}", deepest(&world));
    let c = world.circles();
    assert!(c.x().iter().zip(c.y()).all(|(&x, &y)| y > x.abs()), "all above the flanks");
}

/// Whether a ball flies from impact to impact, or is slow and bounces in a substep: its tops are e² times as high each time. The highest place is up
/// to G·dt²/8 below the top, and a thousandth is for rounding and for bounces that are cut to half a radius.
#[test]
fn tops_are_as_high_as_restitution_says() {
    for (rate, substeps) in [(60, 12), (60, 4), (240, 12)] {
        for (restitution, height) in [(0.999, 20.0), (0.999, 3.0), (0.9, 20.0), (0.9, 3.0), (0.7, 3.0)] {
            let config = falling().with_restitution(restitution).with_substeps(substeps);
            let mut world = World::new(config).unwrap();
            wall(&mut world, [-5.0, 0.0], [5.0, 0.0]);
            let ball = world.add_circle(Circle::new([0.0, height + 0.5], 0.5)).unwrap();
            let (mut last, mut rises, mut tops) = (height, false, 0);
            while tops < 5 {
                world.step(1.0 / rate as f32).unwrap();
                let now = world.circle(ball).unwrap().shape.center.y - 0.5;
                if now < last && rises {
                    tops += 1;
                    let top = height * restitution.powi(2 * tops);
                    let below = G / (8 * rate * rate) as f32;
                    assert!(
                        (last - top).abs() < below + 1e-3 * top,
                        "{rate} {substeps} {restitution} {tops}: {last} {top}"
                    );
                }
                (rises, last) = (now > last, now);
            }
        }
    }
}

#[test]
fn a_ball_bounces_lower_each_time_and_comes_to_rest() {
    let mut world = World::new(falling().with_restitution(0.5)).unwrap();
    wall(&mut world, [-5.0, 0.0], [5.0, 0.0]);
    let ball = world.add_circle(Circle::new([0.0, 4.5], 0.5)).unwrap();
    // Falls 4; rises then 4·0.5² = 1, then 0.25. Touches after sqrt(8/G) = 0.903 s, tops after another 0.452 s, and 0.452 + 0.226 s later.
    // Its places are on parabolas, in steps and in substeps; the first has its top G·dt²/8 = 3.4e-4 above where it starts, and of each the top may be
    // as much above the highest place. Coordinates are rounded by 2e-7 some hundred times.
    let mut height = Vec::new();
    for _ in 0..600 {
        step(&mut world, 1);
        height.push(world.circle(ball).unwrap().shape.center.y - 0.5);
    }
    let top =
        |from: f32, to: f32| height[(from * 60.0) as usize..(to * 60.0) as usize].iter().copied().fold(0.0, f32::max);
    assert!((0.9995..1.0002).contains(&top(1.0, 1.7)), "{}", top(1.0, 1.7));
    assert!((0.2495..0.2502).contains(&top(1.85, 2.2)), "{}", top(1.85, 2.2));
    let body = world.circle(ball).unwrap();
    assert!(body.velocity.y.abs() < 1e-3, "{}", body.velocity.y);
    // Within the slop, 0.005 of the radius.
    assert!(height[599] <= 0.0 && height[599] > -0.0026, "{}", height[599]);
}

#[test]
fn each_body_has_the_restitution_it_was_given_and_a_pair_the_larger() {
    let mut world = World::new(falling()).unwrap();
    wall(&mut world, [-20.0, 0.0], [20.0, 0.0]);
    let rubber = world.add_segment(Segment::new([30.0, 0.0], [40.0, 0.0]).with_restitution(1.0)).unwrap();
    let drop = |world: &mut World, x: f32, own: Option<f32>| {
        let body = Circle::new([x, 2.5], 0.5);
        world.add_circle(own.map_or(body.into(), |own| body.with_restitution(own))).unwrap()
    };
    let [dull, half, lively] =
        [(-9.0, None), (0.0, Some(0.5)), (9.0, Some(1.0))].map(|(x, own)| drop(&mut world, x, own));
    let on_rubber = drop(&mut world, 35.0, None);
    assert_eq!(world.segment(rubber).unwrap().restitution, Some(1.0));
    let top = |world: &mut World, ball: CircleHandle| {
        let mut copy = World::from_snapshot(&world.save()).unwrap();
        let mut height = 0.0f32;
        // Down after sqrt(2·2/G) = 0.64 s; at the top after 1.28 s at most, down again after 0.64 + 1.28.
        for at in 0..110 {
            step(&mut copy, 1);
            let y = copy.circle(ball).unwrap().shape.center.y - 0.5;
            height = if at > 42 { height.max(y) } else { 0.0 };
        }
        height
    };
    for (ball, restitution) in [(dull, 0.0f32), (half, 0.5), (lively, 1.0), (on_rubber, 1.0)] {
        let (found, expected) = (top(&mut world, ball), 2.0 * restitution * restitution);
        assert!((found - expected).abs() < 0.1, "{restitution}: {found} instead of {expected}");
    }
}

#[test]
fn a_lively_ball_bounces_on_one_that_rests() {
    let mut world = World::new(falling()).unwrap();
    wall(&mut world, [-5.0, 0.0], [5.0, 0.0]);
    let stone = world.add_circle(Circle::new([0.0, 0.5], 0.5).with_inverse_mass(1e-3)).unwrap();
    step(&mut world, 60);
    let ball = world.add_circle(Circle::new([0.0, 3.5], 0.5).with_restitution(1.0)).unwrap();
    let (mut highest, mut at) = (0.0f32, 0);
    for k in 0..600 {
        step(&mut world, 1);
        let y = world.circle(ball).unwrap().shape.center.y;
        assert!(y > 1.0, "through the stone after {k} steps: {y}");
        if k > 540 && y > highest {
            (highest, at) = (y, k);
        }
    }
    // It fell 2; the stone is a thousand times as heavy and lies on a floor that gives nothing back.
    assert!((highest - 3.5).abs() < 0.4, "{highest} at {at}");
    let y = world.circle(stone).unwrap().shape.center.y;
    assert!((y - 0.5).abs() < 0.01, "{y}");
}

/// All that is elastic stays on the path of the elastic, bit for bit, whichever way it was said.
#[test]
fn a_cradle_is_exact_whoever_says_that_it_is_elastic() {
    let run = |config: WorldConfig, own: Option<f32>| {
        let mut world = World::new(config).unwrap();
        for k in 0..5 {
            let velocity = [if k == 0 { 3.0 } else { 0.0 }, 0.0];
            let body = Circle::new([k as f32 - if k == 0 { 0.5 } else { 0.0 }, 0.0], 0.5).with_velocity(velocity);
            world.add_circle(own.map_or(body, |own| body.with_restitution(own))).unwrap();
        }
        step(&mut world, 60);
        let row = |k: usize| world.circles().handles().iter().position(|h| h.index() as usize == k).unwrap();
        [0, 1, 2, 3, 4].map(|k| {
            let c = world.circles();
            [c.x()[row(k)], c.velocity_x()[row(k)]].map(f32::to_bits)
        })
    };
    let plain = run(WorldConfig::default(), None);
    assert_eq!(plain.map(|body| f32::from_bits(body[1])), [0.0, 0.0, 0.0, 0.0, 3.0]);
    assert_eq!(run(WorldConfig::default().with_restitution(0.0), Some(1.0)), plain);
}

#[test]
fn momentum_is_conserved_whatever_is_lost() {
    // The larger one has several strips, and momentum goes from one to the next.
    for (restitution, side, steps) in [(0.0, 20, 240), (0.5, 20, 240), (0.95, 20, 240), (0.25, 150, 40)] {
        let mut world = World::new(WorldConfig::default().with_restitution(restitution)).unwrap();
        let mut rng = Rng::new(3);
        let mut all = 0.0;
        for k in 0..side * side {
            let center = [(k % side) as f32 * 1.1, (k / side) as f32 * 1.1];
            // Towards the middle.
            let middle = side as f32 * 0.55;
            let velocity = [(middle - center[0]) * 0.5, (middle - center[1]) * 0.5];
            let mass = rng.range(0.5, 2.0) as f32;
            all += f64::from(velocity[0].abs() * mass);
            world.add_circle(Circle::new(center, 0.5).with_velocity(velocity).with_inverse_mass(1.0 / mass)).unwrap();
        }
        let momentum = |world: &World| {
            let c = world.circles();
            let mass = |row: usize| 1.0 / f64::from(c.inverse_mass()[row]);
            let sum = |v: &[f32]| v.iter().enumerate().map(|(row, &v)| f64::from(v) * mass(row)).sum::<f64>();
            [sum(c.velocity_x()), sum(c.velocity_y())]
        };
        let before = momentum(&world);
        let energy = world.kinetic_energy();
        step(&mut world, steps);
        let after = momentum(&world);
        assert!(world.kinetic_energy() < 0.95 * energy, "nothing happened");
        for axis in 0..2 {
            // Half an ulp of each velocity in each step.
            assert!((after[axis] - before[axis]).abs() < 1e-6 * all, "{restitution}: {before:?} {after:?}");
        }
    }
}

#[test]
fn a_rising_floor_carries_its_pile() {
    let mut world = World::new(falling()).unwrap();
    world.add_segment(Segment::new([0.0, 0.0], [10.0, 0.0]).with_velocity([0.0, 1.5])).unwrap();
    world.add_segment(Segment::new([0.0, 0.0], [0.0, 30.0])).unwrap();
    world.add_segment(Segment::new([10.0, 0.0], [10.0, 30.0])).unwrap();
    for k in 0..45 {
        let shift = 0.02 * (k / 9) as f32;
        world.add_circle(Circle::new([0.6 + (k % 9) as f32 + shift, 0.7 + (k / 9) as f32], 0.48)).unwrap();
    }
    step(&mut world, 480);
    let floor = world.segments().y0()[0];
    assert!((floor - 12.0).abs() < 1e-3);
    let c = world.circles();
    for row in 0..c.len() {
        assert!(c.y()[row] > floor + 0.47, "left behind: {}", c.y()[row]);
        let (vx, vy) = (c.velocity_x()[row], c.velocity_y()[row]);
        assert!((vy - 1.5).abs() < 0.02 && vx.abs() < 0.02, "{vx} {vy}");
    }
}

#[test]
fn threads_backends_and_snapshots_in_mid_pile_change_no_bit() {
    let start = |backend, threads| {
        let config = falling().with_restitution(0.3).with_backend(backend).with_threads(Threads::Fixed(threads));
        pile(7, config, 900, 30.0)
    };
    let mut reference = start(Backend::Scalar, 1);
    let mut others: Vec<World> = [(Backend::Wide, 1), (Backend::Wide, 2), (Backend::Wide, 3), (Backend::Scalar, 8)]
        .map(|(b, t)| start(b, t))
        .into();
    for part in 0..6 {
        let bytes = reference.save();
        step(&mut reference, 20);
        for (k, other) in others.iter_mut().enumerate() {
            if (part + k) % 3 == 0 {
                other.restore(&bytes).unwrap();
            }
            step(other, 20);
            assert!(other.save() == reference.save(), "part {part}, world {k}");
        }
        // What is removed in mid-pile, and what takes its handle's index, bears nothing of what was before.
        for world in others.iter_mut().chain([&mut reference]) {
            let gone = world.circles().handles()[17 + part];
            let body = world.remove_circle(gone).unwrap();
            world.add_circle(body).unwrap();
        }
        assert!(others.iter().all(|other| other.save() == reference.save()));
    }
    assert!(reference.stats().circle_circle > 1200, "{:?}", reference.stats());
}

/// Packed at random to four fifths with overlaps up to the whole radius, in a frame of four walls.
fn tangled(name: &str) -> World {
    let s = scene(name).unwrap();
    let mut world = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
    let (x, y, radius) = (&s.x, &s.y, &s.radius);
    world.add_circles(CircleBodies { x, y, radius, ..Default::default() }).unwrap();
    let h = s.half_width;
    let (x0, y0, x1, y1) = (&[-h, h, h, -h], &[-h, -h, h, h], &[h, h, -h, -h], &[-h, h, h, -h]);
    world.add_segments(SegmentBodies { x0, y0, x1, y1, ..Default::default() }).unwrap();
    world
}

#[test]
#[ignore = "half a minute"]
fn a_tangle_of_a_hundred_thousand_is_undone() {
    let mut world = tangled("dense-100k");
    assert!(deepest(&world) > 0.5, "{}", deepest(&world));
    // In fifty steps to little more than a hundredth, in a hundred to less; the slop is half of that.
    for most in [0.012, 0.01] {
        step(&mut world, 50);
        assert!(deepest(&world) < most, "{}", deepest(&world));
    }
    let (c, h) = (world.circles(), scene("dense-100k").unwrap().half_width);
    assert!(c.x().iter().chain(c.y()).all(|x| x.abs() < h), "nobody got out");
}

#[test]
fn a_row_that_is_stopped_by_a_wall_comes_back_slower() {
    // Nothing should come back. Impacts are handed on in substeps, and what pairs bore is given again, so something does: more of longer rows.
    for (count, most) in [(1, 1e-6), (2, 0.02), (3, 0.06), (5, 0.125), (8, 0.2), (12, 0.25), (30, 0.35)] {
        for (speed, gap) in [(3.0, 0.0), (3.0, 0.01), (6.0, 0.0), (6.0, 0.01)] {
            let mut world = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
            wall(&mut world, [0.0, 5.0], [0.0, -5.0]);
            for k in 0..count {
                let x = 1.3 + (0.6 + gap) * k as f32;
                world.add_circle(Circle::new([x, 0.0], 0.3).with_velocity([-speed, 0.0])).unwrap();
            }
            for _ in 0..(240.0 / speed) as usize {
                step(&mut world, 1);
                let back = world.circles().velocity_x().iter().fold(0.0f32, |most, &v| if v > most { v } else { most });
                assert!(back <= most * speed, "{count} {speed} {gap}: {back}");
            }
        }
    }
}
