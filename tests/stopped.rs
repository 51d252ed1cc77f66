//! Promise: who is stopped stays where it is stopped, and who is put into others is not shot out.
//! How many stop whom, and how fast overlap may be taken back, is worked out by hand.

use crate::common::scenes::Rng;
use gridlane::{Circle, Segment, World, WorldConfig};

const DT: f32 = 1.0 / 60.0;
const G: f32 = 9.81;

fn fastest(world: &World) -> f32 {
    let c = world.circles();
    c.velocity_x().iter().zip(c.velocity_y()).fold(0.0, |most, (x, y)| most.max(x.hypot(*y)))
}

fn step(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(DT).unwrap();
    }
}

/// A row of restitution 0 flies at a wall: what stops the first stops all, and nobody comes back. By how much somebody does, of the speed that all came
/// with, and how deep anybody was in another meanwhile, in radii.
fn thrown_at_a_wall(count: usize, apart: f32, speed: f32) -> [f32; 2] {
    let mut world = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
    world.add_segment(Segment::new([0.0, -10.0], [0.0, 10.0])).unwrap();
    for k in 0..count {
        let place = [1.0 + k as f32 * (1.0 + apart), 0.0];
        world.add_circle(Circle::new(place, 0.5).with_velocity([-speed, 0.0])).unwrap();
    }
    let (mut deep, mut x) = (0.0, vec![]);
    // Until the last one is there, and half a second more.
    for _ in 0..((1.0 + count as f32 * apart) / speed / DT) as usize + 30 {
        step(&mut world, 1);
        x.clear();
        // As if there were one more behind the wall.
        x.push(-0.5);
        x.extend(world.circles().x());
        x.sort_by(f32::total_cmp);
        deep = x.windows(2).map(|pair| 1.0 - (pair[1] - pair[0])).fold(deep, f32::max);
    }
    [fastest(&world) / speed, deep / 0.5]
}

#[test]
fn a_row_that_a_wall_stops_stays() {
    for speed in [3.0, 12.0] {
        for apart in [0.0, 0.01, 0.3] {
            for (count, most) in [(1, 0.0), (2, 0.02), (3, 0.03), (5, 0.05), (10, 0.05), (30, 0.15)] {
                let [back, deep] = thrown_at_a_wall(count, apart, speed);
                assert!(back <= most && deep < 0.05, "{count}, {apart}, {speed}: {back} {deep}");
            }
        }
    }
}

/// Into a notch, between walls that meet at the origin: how much farther than it fits, in radii, and what of its speed it comes back with.
fn thrown_into_a_notch(degrees: f32, speed: f32, restitution: f32) -> [f32; 2] {
    let slope = (degrees / 2.0).to_radians().tan();
    let mut world = World::new(WorldConfig::default().with_restitution(restitution)).unwrap();
    for side in [slope, -slope] {
        world.add_segment(Segment::new([0.0, 0.0], [200.0, 200.0 * side])).unwrap();
    }
    // Where it touches both.
    let end = 0.5 * slope.hypot(1.0) / slope;
    let circle = world.add_circle(Circle::new([end + 2.0, 0.03], 0.5).with_velocity([-speed, 0.0])).unwrap();
    let mut deep = 0.0f32;
    for _ in 0..(2.5 / speed / DT) as usize + 60 {
        step(&mut world, 1);
        deep = deep.max(end - world.circle(circle).unwrap().shape.center.x);
    }
    [deep / 0.5, fastest(&world) / speed]
}

/// It fits no farther, and has nowhere to go: both walls act at once.
#[test]
fn who_flies_into_a_sharp_notch_stays() {
    for restitution in [0.0, 0.5] {
        for speed in [1.0, 3.0, 6.0, 9.0, 14.0] {
            for (degrees, most) in [(5.0, 0.25), (11.0, 0.15), (20.0, 0.1)] {
                let [deep, back] = thrown_into_a_notch(degrees, speed, restitution);
                assert!(deep < most && back < 0.1, "{degrees}, {restitution}, {speed}: {deep} {back}");
            }
        }
    }
}

/// One that is a hundred times as large as the others, and larger than all the walls, in which it is deep from the start: how fast anybody gets in half a
/// second.
fn put_over_walls(seed: u64, walls: u32, small: u32, restitution: f32) -> f32 {
    let mut rng = Rng::new(seed);
    let mut point = |half: f64| [0; 2].map(|_| rng.range(-half, half));
    let mut world = World::new(WorldConfig::default().with_gravity([0.0, -G]).with_restitution(restitution)).unwrap();
    world.add_circle(Circle::new(point(2.0).map(|x| x as f32), 14.0)).unwrap();
    for _ in 0..small {
        world.add_circle(Circle::new(point(12.0).map(|x| x as f32), 0.14)).unwrap();
    }
    for _ in 0..walls {
        let ([x, y], [dx, dy]) = (point(12.0), point(1.2));
        world.add_segment(Segment::new([x as f32, y as f32], [(x + dx) as f32, (y + dy) as f32])).unwrap();
    }
    let mut after = |_| {
        step(&mut world, 1);
        fastest(&world)
    };
    (0..30).map(&mut after).fold(0.0, f32::max)
}

#[test]
fn who_is_put_over_walls_is_not_shot_out() {
    // Overlap is taken back by six radii a second at most; the rest has fallen.
    let most = 6.0 * 14.0 + 30.0 * G * DT;
    for (seed, walls, small) in [(1, 20, 0), (2, 20, 0), (3, 100, 300), (4, 100, 300)] {
        let found = put_over_walls(seed, walls, small, if seed % 2 == 0 { 0.5 } else { 0.0 });
        assert!(found < most, "seed {seed}: {found} of {most}");
    }
    // Who is struck by one that is struck may be faster; in a chaos of so many that is one scene in eight.
    for restitution in [0.0, 0.5] {
        let mut found: Vec<f32> = (5..16).map(|seed| put_over_walls(seed, 1_000, 1_500, restitution)).collect();
        found.sort_by(f32::total_cmp);
        assert!(found[7] < most, "{restitution}: {found:?} of {most}");
    }
}

#[test]
fn who_is_born_in_one_place_parts_no_faster_than_pairs_are_pushed() {
    for count in [50, 200, 400, 800] {
        for apart in [0.0, 0.001] {
            let mut world = World::new(WorldConfig::default().with_restitution(0.5)).unwrap();
            for k in 0..count {
                world.add_circle(Circle::new([apart * k as f32, 0.0], 0.1)).unwrap();
            }
            step(&mut world, 6);
            // In a row each pair parts by at most six radii a second; the ends of it by that for each pair, half to each side.
            let fastest = fastest(&world);
            assert!(fastest <= 0.6 * count as f32 / 2.0, "{count} {apart}: {fastest}");
        }
    }
}
