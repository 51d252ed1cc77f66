//! Promise: walls hold in a plane that repeats as they do in one that does not, whichever image of them is met; piles rest there, and gases keep
//! their energy.

use crate::common::legs::{Wall, crosses, places, traced, walls};
use crate::common::scenes::Rng;
use gridlane::internals::legs;
use gridlane::{Bounds, Circle, CircleBodies, CircleBody, Segment, SegmentBody, World, WorldConfig};

const DT: f32 = 1.0 / 60.0;
/// A period that no power of two divides, and a border that is not at zero.
const LOW: f32 = -7.3;
const HIGH: f32 = 12.9;
const LENGTH: f64 = HIGH as f64 - LOW as f64;

fn moved(x: f32, count: i32) -> f32 {
    if count == 0 { x } else { (f64::from(x) + f64::from(count) * LENGTH) as f32 }
}

/// The walls and what is seen of them from afar.
fn images(walls: &[Wall]) -> Vec<Wall> {
    let image = |wall: &Wall, k: i32| Wall {
        a: [moved(wall.a[0], k), wall.a[1]],
        b: [moved(wall.b[0], k), wall.b[1]],
        ..*wall
    };
    walls.iter().flat_map(|wall| (-3..=3).map(move |k| image(wall, k))).collect()
}

fn brought_back(x: f32) -> f32 {
    if (LOW..HIGH).contains(&x) {
        return x;
    }
    let back = ((f64::from(x) - f64::from(LOW)).rem_euclid(LENGTH) + f64::from(LOW)) as f32;
    if back < HIGH { back } else { LOW }
}

/// One step: no leg meets a wall or an image, each leads on from where the last one ended or where that is brought back to. How many were
/// brought back.
fn step_without_leak(world: &mut World, seen: &[Wall], dt: f32, what: &str) -> usize {
    let mut at = places(world);
    at.sort_by_key(|entry| entry.0);
    world.step(dt).unwrap();
    let mut across = 0;
    let mut lead = |from: [f32; 2], to: [f32; 2], circle: gridlane::CircleHandle| {
        if from != to {
            assert_eq!([brought_back(from[0]), from[1]], to, "{what}: the path of {circle:?} has a gap");
            across += 1;
        }
    };
    for leg in legs(world) {
        let k = at.binary_search_by_key(&leg.circle, |entry| entry.0).unwrap();
        lead(at[k].1, leg.from, leg.circle);
        at[k].1 = leg.to;
        let met = seen.iter().find(|wall| crosses(wall, leg.from, leg.to));
        assert!(met.is_none(), "{what}: {leg:?} through {met:?}");
    }
    for (circle, is) in places(world) {
        let k = at.binary_search_by_key(&circle, |entry| entry.0).unwrap();
        lead(at[k].1, is, circle);
        assert!((LOW..HIGH).contains(&is[0]), "{what}: {circle:?} at {is:?}");
    }
    across
}

/// A channel from 0 to 6 with rough sides, and walls in it, some of them across the border: on it, up to it, beyond either end of it.
fn channel(config: WorldConfig, one_sided: bool) -> World {
    let mut world = traced(World::new(config.with_bounds(Bounds::periodic_x(LOW, HIGH))).unwrap());
    let mut wall = |a: [f32; 2], b: [f32; 2]| world.add_segment(Segment::new(a, b).with_one_sided(one_sided)).unwrap();
    // The solid sides, to the right of each, are within; the ends of the outline are images of each other.
    let floor = [[HIGH, 0.1], [9.0, -0.2], [4.1, 0.3], [0.0, 0.0], [-5.0, 0.2], [moved(HIGH, -1), 0.1]];
    let roof = [[-6.0, 6.2], [-2.0, 5.9], [3.3, 6.3], [11.0, 5.8], [moved(-6.0, 1), 6.2]];
    for ends in floor.windows(2).chain(roof.windows(2)) {
        wall(ends[0], ends[1]);
    }
    for [a, b] in [
        [[12.0, 2.0], [14.5, 4.0]],
        [[-8.5, 4.5], [-6.0, 5.0]],
        [[LOW, 1.0], [LOW, 1.7]],
        [[2.0, 2.0], [3.0, 4.0]],
        [[-19.0, 3.0], [-17.0, 3.2]],
        [[12.5, 0.9], [HIGH, 0.8]],
    ] {
        wall(a, b);
        wall(b, a);
    }
    world
}

fn fill(world: &mut World, rng: &mut Rng, count: usize, speeds: &[f64]) {
    for k in 0..count {
        let center = [rng.range(f64::from(LOW), f64::from(HIGH)) as f32, rng.range(0.5, 5.6) as f32];
        let radius = [0.0, 0.02, 0.1, 0.3][k % 4];
        let speed = speeds[k / 4 % speeds.len()];
        let velocity = [rng.range(-speed, speed) as f32, rng.range(-speed, speed) as f32];
        world.add_circle(Circle::new(center, radius).with_velocity(velocity)).unwrap();
    }
}

#[test]
fn a_channel_that_repeats_holds_the_slow_and_the_fast() {
    for (seed, restitution) in [(1, 1.0), (2, 0.0), (3, 0.6)] {
        let config = WorldConfig::default().with_gravity([3.0, -9.81]).with_restitution(restitution);
        let mut world = channel(config, seed % 2 == 1);
        fill(&mut world, &mut Rng::new(seed), 240, &[0.5, 5.0, 100.0, 3000.0, 1e5]);
        let seen = images(&walls(&world));
        let mut across = 0;
        for step in 0..250 {
            across += step_without_leak(&mut world, &seen, DT, &format!("seed {seed}, step {step}"));
            let c = world.circles();
            assert!(c.y().iter().all(|&y| y > -0.3 && y < 6.4), "seed {seed}, step {step}");
        }
        assert!(across > 300, "{across}");
        println!("seed {seed}: {across} brought back");
    }
}

#[test]
fn bullets_that_meet_each_other_stay_in_a_channel_that_repeats() {
    for (seed, restitution) in [(4, 1.0), (5, 0.5)] {
        let config = WorldConfig::default().with_gravity([3.0, -9.81]).with_restitution(restitution);
        let mut world = channel(config, seed % 2 == 1);
        fill(&mut world, &mut Rng::new(seed), 96, &[0.5, 5.0, 100.0, 2000.0]);
        for handle in world.circles().handles().to_vec().into_iter().step_by(3) {
            world.set_circle_bullet(handle, true).unwrap();
        }
        let seen = images(&walls(&world));
        let (mut across, mut met) = (0, 0);
        for step in 0..150 {
            across += step_without_leak(&mut world, &seen, DT, &format!("seed {seed}, step {step}"));
            met += world.circle_impacts().len();
            let c = world.circles();
            assert!(c.y().iter().all(|&y| y > -0.3 && y < 6.4), "seed {seed}, step {step}");
        }
        assert!(across > 100 && met > 100, "{across} {met}");
    }
}

#[test]
fn a_crowd_that_is_pressed_across_the_border_stays_in_its_channel() {
    let mut world = channel(WorldConfig::default().with_gravity([60.0, -20.0]).with_restitution(0.0), false);
    let mut rng = Rng::new(9);
    for _ in 0..500 {
        let center = [rng.range(f64::from(LOW), f64::from(HIGH)) as f32, rng.range(0.5, 5.6) as f32];
        world.add_circle(Circle::new(center, rng.range(0.1, 0.4) as f32)).unwrap();
    }
    let seen = images(&walls(&world));
    for step in 0..120 {
        step_without_leak(&mut world, &seen, DT, &format!("step {step}"));
    }
    assert!(world.circles().y().iter().all(|&y| y > -0.3 && y < 6.4));
}

#[test]
fn points_that_graze_a_wall_at_the_border_stay_on_their_side() {
    // An oblique wall across the border; points less than a millionth off it, along it and into it, forth and back.
    let config = WorldConfig::default().with_bounds(Bounds::periodic_x(LOW, HIGH));
    let mut world = traced(World::new(config).unwrap());
    world.add_segment(Segment::new([HIGH - 1.0, 1.0], [HIGH + 1.1, 1.7])).unwrap();
    let mut rng = Rng::new(4);
    for k in 0..400 {
        let (t, side) = (rng.range(-0.3, 0.3), if k % 2 == 0 { 1.0 } else { -1.0 });
        let x = f64::from(HIGH) + t;
        let y = 1.0 + (t + 1.0) / 3.0 + side * rng.range(5e-7, 4e-6);
        let speed = rng.range(-20.0, 20.0);
        let velocity = [speed as f32, (speed / 3.0 - side * rng.range(0.0, 1e-4)) as f32];
        world.add_circle(Circle::new([x as f32, y as f32], 0.0).with_velocity(velocity)).unwrap();
    }
    let seen = images(&walls(&world));
    let mut across = 0;
    for step in 0..200 {
        across += step_without_leak(&mut world, &seen, DT, &format!("step {step}"));
    }
    assert!(across > 100, "{across}");
}

#[test]
fn a_wall_that_moves_over_the_border_squeezes_nobody_elsewhere() {
    let config = WorldConfig::default().with_bounds(Bounds::periodic_x(0.0, 10.0)).with_restitution(0.0);
    let mut world = World::new(config).unwrap();
    let velocity = [4.0, 0.0];
    world.add_segment(Segment::new([8.0, 0.0], [8.0, 1.0]).with_velocity(velocity)).unwrap();
    let still = world.add_circle(Circle::new([5.0, 0.5], 0.2)).unwrap();
    for step in 0..30 {
        world.step(DT).unwrap();
        // 8 + 30 · 4/60 = 10: over the border, and no further than 0.
        assert!(world.squeezed().is_empty() && world.stats().held == 0, "step {step}");
        assert_eq!(world.circle(still).unwrap().shape.center.x, 5.0);
    }
}

/// The nearest image of b to a, along x.
fn across(a: f32, b: f32, length: f64) -> f64 {
    let d = f64::from(b) - f64::from(a);
    d - length * (d / length).round()
}

/// Mean squares of velocities along x and y, their roots.
fn speeds(world: &World) -> [f64; 2] {
    let c = world.circles();
    [c.velocity_x(), c.velocity_y()]
        .map(|v| (v.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / c.len() as f64).sqrt())
}

/// `count` circles on a floor all the way round, layer by layer from x on, `columns` of them to a layer.
fn pile(restitution: f32, count: usize, from: f64, columns: usize) -> World {
    let config = WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(restitution);
    let mut world = World::new(config.with_bounds(Bounds::periodic_x(0.0, 20.0))).unwrap();
    world.add_segment(Segment::new([0.0, 0.0], [20.0, 0.0])).unwrap();
    let mut rng = Rng::new(7);
    for k in 0..count {
        let x = from + (k % columns) as f64 * 1.03 + rng.range(-0.02, 0.02);
        let y = 0.6 + 1.02 * (k / columns) as f64 + rng.range(-0.02, 0.02);
        world.add_circle(Circle::new([x as f32, y as f32], rng.range(0.47, 0.5) as f32)).unwrap();
    }
    world
}

/// The deepest penetration as a share of the smaller radius, and how many pairs touch across the border.
fn deepest(world: &World) -> (f64, usize) {
    let (c, mut most, mut over) = (world.circles(), 0.0f64, 0);
    for a in 0..c.len() {
        let r = f64::from(c.radius()[a]);
        most = most.max(1.0 - f64::from(c.y()[a]) / r);
        for b in 0..a {
            let d = [across(c.x()[a], c.x()[b], 20.0), f64::from(c.y()[b]) - f64::from(c.y()[a])];
            let s = f64::from(c.radius()[b]);
            let deep = (r + s - d[0].hypot(d[1])) / r.min(s);
            most = most.max(deep);
            over += usize::from(deep > -0.01 && (c.x()[a] - c.x()[b]).abs() > 10.0);
        }
    }
    (most, over)
}

#[test]
fn a_pile_rests_across_the_border() {
    for restitution in [0.0, 0.5] {
        // Between the two sides of one wall, far from the border: all round to the wall again.
        let mut world = pile(restitution, 190, 10.7, 19);
        world.add_segment(Segment::new([10.1, 0.0], [10.1, 40.0])).unwrap();
        for _ in 0..900 {
            world.step(DT).unwrap();
        }
        let ([vx, vy], (deep, over)) = (speeds(&world), deepest(&world));
        println!("restitution {restitution}: {vx} {vy}, {deep} deep, {over} across");
        assert!(vx.hypot(vy) < 0.1 * 9.81 / 60.0, "restitution {restitution}: {vx} {vy}");
        assert!(deep < 0.02, "restitution {restitution}: {deep}");
        assert!(over > 8, "{over} touch across the border");
    }
}

#[test]
fn a_pile_all_the_way_round_stands() {
    // Nothing but itself keeps it from sliding round: there is no friction.
    for restitution in [0.0, 0.5] {
        let mut world = pile(restitution, 190, 0.0, 19);
        for _ in 0..900 {
            world.step(DT).unwrap();
        }
        let ([vx, vy], (deep, over)) = (speeds(&world), deepest(&world));
        println!("restitution {restitution}: {vx} {vy}, {deep} deep, {over} across");
        assert!(vx.hypot(vy) < 0.1 * 9.81 / 60.0, "restitution {restitution}: {vx} {vy}");
        assert!(deep < 0.02, "restitution {restitution}: {deep}");
        assert!(over > 8, "{over} touch across the border");
    }
}

#[test]
fn a_gas_in_a_channel_that_repeats_keeps_its_energy() {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic_x(LOW, HIGH))).unwrap();
    world.add_segment(Segment::new([HIGH, 0.0], [LOW, 0.0])).unwrap();
    world.add_segment(Segment::new([LOW, 12.0], [HIGH, 12.0])).unwrap();
    world.add_segment(Segment::new([HIGH - 1.0, 5.0], [HIGH + 1.0, 7.0])).unwrap();
    let mut rng = Rng::new(3);
    for k in 0..160 {
        let center = [LOW + 1.2 * (k % 16) as f32 + 0.1, 0.6 + 1.1 * (k / 16) as f32];
        let velocity = [rng.range(-3.0, 3.0) as f32, rng.range(-3.0, 3.0) as f32];
        // A few are fast: they fly farther than half their radius.
        let velocity = if k % 16 == 0 { velocity.map(|v| v * 30.0) } else { velocity };
        world.add_circle(Circle::new(center, 0.3).with_velocity(velocity)).unwrap();
    }
    let energy = |world: &World| -> f64 {
        let c = world.circles();
        c.velocity_x().iter().zip(c.velocity_y()).map(|(&x, &y)| f64::from(x).powi(2) + f64::from(y).powi(2)).sum()
    };
    let (before, mut impacts) = (energy(&world), 0);
    for _ in 0..2000 {
        impacts += world.step(0.004).unwrap().impacts;
    }
    let after = energy(&world);
    assert!(((after - before) / before).abs() < 1e-5, "{before} {after}");
    assert!(impacts > 20, "{impacts}");
    assert!(world.circles().y().iter().all(|&y| y > 0.0 && y < 12.0));
}

#[test]
fn whoever_is_placed_beyond_the_border_is_brought_back() {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic([0.0, 0.0], [8.0, 4.0]))).unwrap();
    let one = world.add_circle(Circle::new([9.0, -1.0], 0.1)).unwrap();
    let columns = CircleBodies { x: &[17.0, 3.0], y: &[1.0, 5.0], radius: &[0.1, 0.1], ..CircleBodies::default() };
    let many = world.add_circles(columns).unwrap();
    let at = |world: &World, circle| <[f32; 2]>::from(world.circle(circle).unwrap().shape.center);
    assert_eq!([one, many[0], many[1]].map(|circle| at(&world, circle)), [[1.0, 3.0], [1.0, 1.0], [3.0, 1.0]]);
    world.move_circle(one, [-3.0, 4.0]).unwrap();
    assert_eq!(at(&world, one), [5.0, 0.0]);
    world.move_circles(&many, &[8.0, 7.0], &[-0.5, 4.5]).unwrap();
    assert_eq!([at(&world, many[0]), at(&world, many[1])], [[0.0, 3.5], [7.0, 0.5]]);
    world.set_circle(one, CircleBody::from(Circle::new([10.0, 2.0], 0.2))).unwrap();
    assert_eq!(at(&world, one), [2.0, 2.0]);
    let columns = CircleBodies { x: &[-1.0, 80.0], y: &[1.0, 40.5], radius: &[0.1, 0.1], ..CircleBodies::default() };
    world.set_circles(&many, columns).unwrap();
    assert_eq!([at(&world, many[0]), at(&world, many[1])], [[7.0, 1.0], [0.0, 0.5]]);
}

#[test]
fn circles_meet_across_the_border_of_one_axis_wherever_they_are_along_the_other() {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic_x(0.0, 20.0))).unwrap();
    for y in [-50.0, -2.0, 0.0, 2.0, 50.0] {
        world.add_circle(Circle::new([0.25, y], 0.5)).unwrap();
        world.add_circle(Circle::new([19.75, y], 0.5)).unwrap();
    }
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().circle_circle().len(), 5);
}

/// A wall along x that leaves to the right and is brought back, over a circle that falls through where it stood, as it does where nothing repeats:
/// whatever was touched before, and though the world goes on from its bytes.
#[test]
fn a_wall_that_is_brought_back_holds_where_it_stood() {
    for (before, restored) in [(false, false), (true, false), (true, true)] {
        let mut ends = Vec::new();
        for bounds in [Bounds::None, Bounds::periodic_x(-4.0, 4.0)] {
            let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
            let wall = Segment::new([1.5, 0.0], [3.5, 0.0]);
            world.add_segment(wall.with_velocity([12.0, 0.0])).unwrap();
            let body = Circle::new([2.5, 0.25], 1.0).with_velocity([0.0, -1.0]).with_inverse_mass(0.0);
            let circle = world.add_circle(body).unwrap();
            if before {
                world.step(1e-9).unwrap();
            }
            if restored {
                world = World::from_snapshot(&world.save()).unwrap();
            }
            let stats = world.step(0.4).unwrap();
            let center = world.circle(circle).unwrap().shape.center;
            assert!(center.y > 0.0 && center.y < 1e-4 && stats.held == 1, "{bounds:?} {center:?}, {}", stats.held);
            ends.push(center);
        }
        assert!((ends[0].x - ends[1].x).abs() < 1e-6 && (ends[0].y - ends[1].y).abs() < 1e-5, "{ends:?}");
    }
}

/// Whom a wall holds does not depend on what the world remembers of the step before beyond its bytes.
#[test]
fn a_world_that_went_on_and_its_copy_hold_alike() {
    let bounds = Bounds::periodic([-5.0, -5.0], [5.0, 5.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_restitution(0.0)).unwrap();
    world.add_circle(Circle::new([4.9, 1.0], 2.0)).unwrap();
    world.add_segment(SegmentBody::from(Segment::new([6.0, 2.0], [3.0, 0.0])).with_velocity([4.0, 0.0])).unwrap();
    world.add_segment(Segment::new([5.0, -10.0], [0.0, 0.0])).unwrap();
    world.add_segment(Segment::new([10.0, 9.0], [4.0, -2.0])).unwrap();
    world.step(0.001).unwrap();
    let bytes = world.save();
    let mut copy = World::from_snapshot(&bytes).unwrap();
    // Nor on what was asked or refused in between.
    let mut asked = World::from_snapshot(&bytes).unwrap();
    asked.step(0.0).unwrap();
    assert_eq!(asked.save(), bytes);
    for dt in [0.5, 0.25, 0.5] {
        for world in [&mut world, &mut copy, &mut asked] {
            world.step(dt).unwrap();
        }
        assert_eq!(world.save(), copy.save());
        assert_eq!(world.save(), asked.save());
    }
}
