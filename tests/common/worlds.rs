//! Worlds that step: the scenes they start from, and everything about them that can be compared.
//!
//! Comes in: a configuration. Goes out: a world full of bodies, and a record of what a step left, bit for bit.
//!
//! Everything here is the same on every machine, whatever the width of its words and the order of its bytes: hashes are taken over
//! little-endian bytes.

use super::scenes::{Rng, scene};
use super::truth::{Columns, bytes};
use gridlane::{Bounds, Circle, CircleBodies, Event, EventPair, Segment, SegmentBodies, Vec2, World, WorldConfig};

/// Whether another machine is likely to be imitated here, so that all takes many times as long.
pub fn is_imitated() -> bool {
    !cfg!(any(target_arch = "x86_64", target_arch = "x86"))
}

/// Name, and how to fill a world.
pub type Start = (&'static str, fn(WorldConfig) -> World);

/// Small worlds, a few thousand bodies at most.
pub const SMALL: [Start; 5] =
    [("gas-1k", gas_1k), ("mixed and moving", mixed), ("pile", pile), ("clusters far apart", far_apart), ("map", map)];

/// Worlds of many blocks of rows, so that several threads have something to do.
pub const LARGE: [Start; 4] =
    [("gas-10k", gas_10k), ("large mixed", large_mixed), ("crowded", crowded), ("large pile", large_pile)];

fn boxed(config: WorldConfig, half: f32) -> World {
    let bounds = Bounds::Reflect { min: Vec2::new(-half, -half), max: Vec2::new(half, half) };
    World::new(config.with_bounds(bounds)).unwrap()
}

fn gas(name: &str, config: WorldConfig) -> World {
    let s = scene(name).unwrap();
    let mut world = boxed(config.with_gravity([0.0, -9.81]).with_restitution(0.9), s.half_width);
    world
        .add_circles(CircleBodies {
            x: &s.x,
            y: &s.y,
            radius: &s.radius,
            velocity_x: &s.velocity_x,
            velocity_y: &s.velocity_y,
            ..Default::default()
        })
        .unwrap();
    world.add_segments(SegmentBodies { x0: &s.x0, y0: &s.y0, x1: &s.x1, y1: &s.y1, ..Default::default() }).unwrap();
    world
}

fn gas_1k(config: WorldConfig) -> World {
    gas("gas-1k", config)
}

fn gas_10k(config: WorldConfig) -> World {
    gas("gas-10k", config)
}

/// Radii over two decades, immovable circles, static and moving segments and capsules, gravity aslant.
fn strewn(config: WorldConfig, circles: usize, half: f64, seed: u64) -> World {
    let mut world = boxed(config.with_gravity([1.5, -6.0]).with_restitution(0.6), half as f32);
    let mut rng = Rng::new(seed);
    let pair = |rng: &mut Rng, most: f64| [rng.range(-most, most) as f32, rng.range(-most, most) as f32];
    for i in 0..circles {
        let radius = 0.04 / (1.0 - rng.unit() * 0.98);
        let shape = Circle::new(pair(&mut rng, half), radius as f32);
        let inverse_mass = if i % 17 == 0 { 0.0 } else { rng.range(0.2, 4.0) as f32 };
        let velocity = if i % 17 == 0 { [0.0, 0.0] } else { pair(&mut rng, 6.0) };
        world.add_circle(shape.with_velocity(velocity).with_inverse_mass(inverse_mass)).unwrap();
    }
    for i in 0..circles / 10 {
        let ([x, y], [dx, dy]) = (pair(&mut rng, half * 0.95), pair(&mut rng, 3.0));
        let radius = if i % 4 == 0 { rng.range(0.0, 0.4) as f32 } else { 0.0 };
        let wall = Segment::new([x, y], [x + dx, y + dy]).with_radius(radius);
        if i % 3 == 0 {
            let velocities = (pair(&mut rng, 2.0), pair(&mut rng, 2.0));
            world.add_segment(wall.with_end_velocities(velocities.0, velocities.1)).unwrap();
        } else {
            world.add_segment(wall).unwrap();
        }
    }
    world
}

fn mixed(config: WorldConfig) -> World {
    strewn(config, 1_500, 22.0, 77)
}

fn large_mixed(config: WorldConfig) -> World {
    strewn(config, 9_000, 55.0, 78)
}

/// Circles that fall on each other in a box and come to rest.
fn pile(config: WorldConfig) -> World {
    let mut world = boxed(config.with_gravity([0.0, -9.81]).with_restitution(0.1), 10.0);
    let mut rng = Rng::new(5);
    for i in 0..500 {
        let (column, row) = ((i % 18) as f64, (i / 18) as f64);
        let center = [column * 1.05 - 9.0 + rng.range(-0.05, 0.05), row * 1.02 - 9.4 + rng.range(-0.02, 0.02)];
        let radius = rng.range(0.3, 0.5) as f32;
        world.add_circle(Circle::new(center.map(|v| v as f32), radius)).unwrap();
    }
    world.add_segment(Segment::new([-6.0, -9.9], [6.0, -7.0])).unwrap();
    world
}

/// More circles than one strip, 160 to a row, in a box between some walls.
fn rows(config: WorldConfig, gravity: f32, speed: f64) -> World {
    let mut world = boxed(config.with_gravity([0.0, gravity]), 102.0);
    let mut rng = Rng::new(6);
    for i in 0..30_000 {
        let (column, row) = ((i % 160) as f64, (i / 160) as f64);
        let center = [column * 0.95 - 76.0 + rng.range(-0.05, 0.05), row * 0.94 - 76.0 + rng.range(-0.02, 0.02)];
        let velocity = [(); 2].map(|()| rng.range(-speed, speed) as f32);
        let circle = Circle::new(center.map(|v| v as f32), rng.range(0.45, 0.52) as f32).with_velocity(velocity);
        // A tenth of them give everything back, whatever the world says.
        world.add_circle(if i % 10 == 7 { circle.with_restitution(1.0) } else { circle }).unwrap();
    }
    for k in 0..4u8 {
        let y = f32::from(k) * 30.0 - 70.0;
        world.add_segment(Segment::new([-50.0, y], [60.0, y + 5.0])).unwrap();
    }
    world
}

/// All bounce.
fn crowded(config: WorldConfig) -> World {
    rows(config.with_restitution(1.0), 0.0, 6.0)
}

/// Most rest on each other.
fn large_pile(config: WorldConfig) -> World {
    rows(config.with_restitution(0.1), -9.81, 0.1)
}

/// A world without bounds, its bodies in six places a hundred thousand apart: cells are those of a torus there. Some walls stand,
/// some drift.
fn far_apart(config: WorldConfig) -> World {
    let mut world = World::new(config.with_restitution(0.9)).unwrap();
    let mut rng = Rng::new(31);
    let middles: Vec<[f64; 2]> = (0..6).map(|_| [rng.range(-1e5, 1e5), rng.range(-1e5, 1e5)]).collect();
    for i in 0..1_200 {
        let [x, y] = middles[i % 6];
        let center = [(x + rng.range(-9.0, 9.0)) as f32, (y + rng.range(-9.0, 9.0)) as f32];
        let radius = rng.range(0.2, 0.6) as f32;
        // Towards the middle, so that they meet.
        let velocity = [(x - f64::from(center[0])) as f32, (y - f64::from(center[1])) as f32];
        world.add_circle(Circle::new(center, radius).with_velocity(velocity)).unwrap();
        if i % 10 < 6 && i % 5 == 0 {
            let end = [center[0] + rng.range(-4.0, 4.0) as f32, center[1] + rng.range(-4.0, 4.0) as f32];
            let wall = Segment::new(center, end).with_radius(if i % 4 == 0 { 0.25 } else { 0.0 });
            if i % 3 == 0 {
                world.add_segment(wall.with_velocity([0.75, -0.5])).unwrap();
            } else {
                world.add_segment(wall).unwrap();
            }
        }
    }
    world
}

/// The first level of Freedoom, its lines as walls, with circles strewn over it.
pub fn freedoom() -> Columns {
    let mut scene = Columns::default();
    for line in include_str!("../data/maps/freedoom1-e1m1.segments.csv").lines().skip(1) {
        let mut numbers = line.split(',').map(|number| number.parse::<f32>().unwrap());
        let [x0, y0, x1, y1] = std::array::from_fn(|_| numbers.next().unwrap());
        scene.push_segment([x0, y0], [x1, y1]);
    }
    let mut rng = Rng::new(0xC1_AC1E);
    for _ in 0..3_000 {
        let center = [rng.range(-400.0, 3248.0) as f32, rng.range(-864.0, 2336.0) as f32];
        scene.push_circle(center, rng.range(1.0, 18.0) as f32);
    }
    scene
}

fn map(config: WorldConfig) -> World {
    let s = freedoom();
    let bounds = Bounds::Reflect { min: Vec2::new(-500.0, -1000.0), max: Vec2::new(3500.0, 2500.0) };
    let mut world = World::new(config.with_bounds(bounds).with_gravity([0.0, -40.0]).with_restitution(0.95)).unwrap();
    let mut rng = Rng::new(8);
    let mut speeds = || (0..s.x.len()).map(|_| rng.range(-200.0, 200.0) as f32).collect::<Vec<f32>>();
    let (velocity_x, velocity_y) = (speeds(), speeds());
    let circles = CircleBodies {
        x: &s.x,
        y: &s.y,
        radius: &s.radius,
        velocity_x: &velocity_x,
        velocity_y: &velocity_y,
        ..Default::default()
    };
    world.add_circles(circles).unwrap();
    world.add_segments(SegmentBodies { x0: &s.x0, y0: &s.y0, x1: &s.x1, y1: &s.y1, ..Default::default() }).unwrap();
    world
}

/// What a caller may do between steps, drawn from the number of the step: bodies go, come, and are changed by hand.
pub fn edit(world: &mut World, step: usize) {
    let mut rng = Rng::new(0xED17 + step as u64);
    let place = |rng: &mut Rng| [rng.range(-8.0, 8.0) as f32, rng.range(-8.0, 8.0) as f32];
    for _ in 0..3 {
        let handles = world.circles().handles();
        let mut pick = || handles[(rng.bits() % handles.len() as u64) as usize];
        let (gone, changed, pushed) = (pick(), pick(), pick());
        world.remove_circle(gone).unwrap();
        let (center, radius) = (place(&mut rng), rng.range(0.1, 0.7) as f32);
        world.add_circle(Circle::new(center, radius).with_velocity(place(&mut rng))).unwrap();
        if changed != gone {
            world.set_circle(changed, Circle::new(place(&mut rng), radius)).unwrap();
        }
        if pushed != gone {
            world.push_circle(pushed, place(&mut rng)).unwrap();
        }
    }
    let walls = world.segments().handles();
    let (gone, changed) = (walls[step % walls.len()], walls[(step * 7 + 1) % walls.len()]);
    world.remove_segment(gone).unwrap();
    let wall = Segment::new(place(&mut rng), place(&mut rng));
    if step.is_multiple_of(2) {
        world.add_segment(wall.with_velocity([1.0, -0.5])).unwrap();
    } else {
        world.add_segment(wall.with_radius(0.2)).unwrap();
    }
    if changed != gone {
        world.set_segment(changed, Segment::new(place(&mut rng), place(&mut rng))).unwrap();
    }
}

/// Where FNV-1a begins, so that leading zeros leave a trace.
pub const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, 64 bits.
pub fn fnv(bytes: &[u8]) -> u64 {
    fnv_on(FNV, bytes)
}

/// The same of bytes that follow others.
pub fn fnv_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Words of 32 bits, as numbers lie in memory here, to little-endian ones.
pub fn little_endian(words: &[u8]) -> Vec<u8> {
    let mut bytes = words.to_vec();
    let (words, rest) = bytes.as_chunks_mut::<4>();
    assert!(rest.is_empty(), "whole words");
    for word in words {
        *word = u32::from_ne_bytes(*word).to_le_bytes();
    }
    bytes
}

/// An event as bytes: what, of whom.
fn event_bytes(event: &Event) -> Vec<u8> {
    let (kind, a, b) = match event.pair {
        EventPair::CircleCircle(a, b) => (0u8, a.to_bits(), b.to_bits()),
        EventPair::CircleSegment(a, b) => (1, a.to_bits(), b.to_bits()),
        EventPair::SegmentSegment(a, b) => (2, a.to_bits(), b.to_bits()),
    };
    let what = format!("{:?}", event.kind);
    [&[kind][..], &a.to_le_bytes(), &b.to_le_bytes(), what.as_bytes()].concat()
}

/// What a step left behind, to be compared bit for bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Of every column by handle.
    pub state: u64,
    /// Of the columns row by row: rows are part of what is promised to be equal.
    pub rows: u64,
    /// Of the bytes of all contacts in their order.
    pub contacts: u64,
    /// Of all events in their order.
    pub events: u64,
    /// How many contacts and events there are.
    pub counts: [usize; 4],
}

/// The record of a world as it is.
pub fn record(world: &World) -> Record {
    let (circles, segments, contacts) = (world.circles(), world.segments(), world.contacts());
    let columns = [circles.x(), circles.y(), circles.velocity_x(), circles.velocity_y(), segments.x0(), segments.y1()];
    let mut rows = Vec::new();
    for column in columns {
        column.iter().for_each(|v| rows.extend_from_slice(&v.to_le_bytes()));
    }
    circles.handles().iter().for_each(|handle| rows.extend_from_slice(&handle.to_bits().to_le_bytes()));
    let events: Vec<u8> = world.events().iter().flat_map(event_bytes).collect();
    Record {
        state: world.state_hash(),
        rows: fnv(&rows),
        contacts: fnv(&little_endian(&bytes(contacts))),
        events: fnv(&events),
        counts: [
            contacts.circle_circle().len(),
            contacts.circle_segment().len(),
            contacts.segment_segment().len(),
            world.events().len(),
        ],
    }
}
