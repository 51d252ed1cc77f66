//! Worlds that step: the scenes they start from, and everything about them that can be compared.
//!
//! Comes in: a configuration. Goes out: a world full of bodies, and a record of what a step left, bit for bit.

use super::scenes::{Rng, scene};
use super::truth::bytes;
use gridlane::{Bounds, Circle, CircleBodies, Event, EventPair, Segment, SegmentBodies, Vec2, World, WorldConfig};

/// Name, and how to fill a world.
pub type Start = (&'static str, fn(WorldConfig) -> World);

/// Small worlds, less than a few thousand bodies.
pub const SMALL: [Start; 3] = [("gas-1k", gas_1k), ("mixed and moving", mixed), ("pile", pile)];

/// Worlds of many blocks of rows, so that several threads have something to do.
pub const LARGE: [Start; 2] = [("gas-10k", gas_10k), ("large mixed", large_mixed)];

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

/// FNV-1a, 64 bits.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
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
    let mut rows: Vec<u8> =
        columns.iter().flat_map(|column| bytemuck::cast_slice::<f32, u8>(column)).copied().collect();
    rows.extend(circles.handles().iter().flat_map(|handle| handle.to_bits().to_le_bytes()));
    let events: Vec<u8> = world.events().iter().flat_map(event_bytes).collect();
    Record {
        state: world.state_hash(),
        rows: fnv(&rows),
        contacts: fnv(&bytes(contacts)),
        events: fnv(&events),
        counts: [
            contacts.circle_circle().len(),
            contacts.circle_segment().len(),
            contacts.segment_segment().len(),
            world.events().len(),
        ],
    }
}
