//! Promise: a step is refused for its contacts if those that it would tell of are more than the limit, and for no others: not for what
//! circles would have touched that were held before, and not because of anything that is no part of the state.

use crate::common::choices::{Choices, Drawn};
use crate::common::goldens::DT;
use crate::common::worlds::record;
use gridlane::{
    Bounds, Circle, CircleBody, Error, Filter, PairKinds, Response, Segment, SegmentBody, Vec2, World, WorldConfig,
};

fn config() -> WorldConfig {
    WorldConfig::default().with_pair_kinds(PairKinds { segment_segment: false, ..PairKinds::default() })
}

/// A circle is put on a wall whose neighbour below it would touch as well if it went through: three contacts, one if it is held. The
/// first world has known the wall in the step before, its copy has not.
#[test]
fn who_is_held_sooner_or_later_is_refused_alike() {
    let mut world = World::new(config().with_contact_limit(2)).unwrap();
    let circle = world.add_circle(Circle::new([0.0, 0.1], 1.0)).unwrap();
    world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
    for x in [-0.1, 0.1] {
        world.add_segment(Segment::new([x, -1.15], [x, -5.0])).unwrap();
    }
    world.step(DT).unwrap();
    world.set_circle(circle, CircleBody::from(Circle::new([0.0, 0.1], 1.0)).with_velocity([0.0, -0.3 / DT])).unwrap();
    let mut copy = World::new(config()).unwrap();
    copy.restore(&world.save()).unwrap();
    for world in [&mut world, &mut copy] {
        assert_eq!(world.step(DT).map(|stats| stats.circle_segment), Ok(1));
        assert!(world.circle(circle).unwrap().shape.center.y > 0.0);
    }
    assert_eq!(record(&world), record(&copy));
}

fn range(drawn: &mut Drawn, low: f32, high: f32) -> f32 {
    let part = u32::from_le_bytes([0; 4].map(|_| drawn.byte())) as f32 / u32::MAX as f32;
    low + (high - low) * part
}

/// Circles that overlap walls, some of which move, and are about to go through them. All walls are solid from both sides, so that no contact is
/// left out of what is told.
fn throng(config: &WorldConfig, seed: u64) -> World {
    let mut drawn = Drawn(seed);
    let mut world = World::new(config.clone()).unwrap();
    let [still, moving] = [1 + drawn.byte() % 12, drawn.byte() % 8];
    // Moving walls that go further than half a radius, now and then, or many that lie in cells.
    let (way, many) = ([0.3, 3.0][usize::from(drawn.byte().is_multiple_of(4))], seed.is_multiple_of(16));
    for k in 0..still + moving + if many { 80 } else { 0 } {
        let mut at = || Vec2::new(range(&mut drawn, -4.0, 4.0), range(&mut drawn, -4.0, 4.0));
        let mut wall = SegmentBody::from(Segment::new(at(), at()));
        if k >= still {
            let mut velocity = || Vec2::new(range(&mut drawn, -way, way) / DT, range(&mut drawn, -way, way) / DT);
            wall = wall.with_end_velocities(velocity(), velocity());
        }
        let sensor = drawn.byte().is_multiple_of(16);
        wall = wall.with_filter(Filter::new(1 << (drawn.byte() % 8 / 7), u32::MAX)).with_sensor(sensor);
        world.add_segment(wall).unwrap();
    }
    for _ in 0..1 + drawn.byte() % 12 {
        let radius = range(&mut drawn, 0.2, 1.0);
        let center = Vec2::new(range(&mut drawn, -4.0, 4.0), range(&mut drawn, -4.0, 4.0));
        // One of eight flies.
        let far = if drawn.byte().is_multiple_of(8) { 3.0 } else { 0.35 } * radius / DT;
        let velocity = Vec2::new(range(&mut drawn, -far, far), range(&mut drawn, -far, far));
        let mask = if drawn.byte().is_multiple_of(8) { 1 } else { u32::MAX };
        let body = CircleBody::from(Circle::new(center, radius)).with_velocity(velocity);
        world.add_circle(body.with_filter(Filter::new(1, mask)).with_sensor(drawn.byte().is_multiple_of(16))).unwrap();
    }
    world
}

#[test]
fn the_limit_is_that_of_what_is_told() {
    let (mut crowded, mut held, mut squeezed) = (0, 0, 0);
    for seed in 0..4000 {
        let repeats = Bounds::periodic([-4.5; 2], [4.5; 2]);
        let config = if seed % 4 == 3 { config().with_bounds(repeats) } else { config() };
        let mut world = throng(&config, seed);
        let before = world.save();
        let mut through = throng(&config.clone().with_response(Response::None), seed);
        // As many as would touch if nobody were held.
        let first = through.step(DT).unwrap();
        let stats = world.step(DT).unwrap();
        let told = stats.circle_circle + stats.circle_segment;
        crowded += usize::from(first.circle_circle + first.circle_segment > told && stats.impacts == 0);
        held += stats.held;
        squeezed += stats.squeezed;
        let mut enough = throng(&config.clone().with_contact_limit(told), seed);
        enough.step(DT).unwrap_or_else(|error| panic!("seed {seed}: {error}, {told} told"));
        assert_eq!(record(&enough), record(&world), "seed {seed}");
        assert_eq!(enough.squeezed(), world.squeezed(), "seed {seed}");
        if told > 0 {
            let mut short = throng(&config.clone().with_contact_limit(told - 1), seed);
            assert_eq!(short.step(DT), Err(Error::TooManyContacts { limit: told - 1 }), "seed {seed}");
            let mut again = World::new(WorldConfig::default()).unwrap();
            again.restore(&before).unwrap();
            assert_eq!(short.state_hash(), again.state_hash(), "seed {seed}");
        }
    }
    assert!(crowded > 100 && held > 2_000 && squeezed > 1_000, "{crowded} crowded, {held} held, {squeezed} squeezed");
}
