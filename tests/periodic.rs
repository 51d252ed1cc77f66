//! Promise: in a plane that repeats nothing depends on where the border is drawn, nor on threads and backends; bodies meet and bounce across
//! it, and what cannot be kept is refused.

use crate::common::oracle_cases::Random;
use crate::common::torus::{STRETCHES, Torus, fill};
use crate::common::truth;
use gridlane::{
    AxisBounds, Backend, Bounds, Circle, CircleHandle, Error, Event, EventKind, EventPair, Filter, Kind, Response,
    Segment, Threads, Vec2, World, WorldConfig,
};

/// The bodies of two worlds that were filled alike, in the order of their handles.
fn by_handle(world: &World) -> Vec<CircleHandle> {
    let mut handles = world.circles().handles().to_vec();
    handles.sort_unstable();
    handles
}

#[test]
fn threads_and_backends_make_no_difference() {
    for seed in 0..4 {
        let stretches = &STRETCHES[seed as usize % STRETCHES.len()];
        let torus = Torus::new(*stretches);
        let mut first: Option<Vec<u8>> = None;
        for backend in [Backend::Wide, Backend::Scalar] {
            for threads in [1, 2, 8] {
                let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let mut world = World::new(config.with_bounds(torus.bounds)).unwrap();
                fill(&mut world, &mut Random::new(seed), stretches, 300, 20);
                push_about(&mut world);
                let mut all = Vec::new();
                for _ in 0..5 {
                    world.step(0.05).unwrap();
                    all.extend(truth::bytes(world.contacts()));
                    all.extend(world.state_hash().to_le_bytes());
                }
                assert!(first.get_or_insert_with(|| all.clone()) == &all, "seed {seed} {backend:?} {threads}");
            }
        }
    }
}

fn push_about(world: &mut World) {
    for (k, handle) in by_handle(world).into_iter().enumerate() {
        let angle = k as f32 * 2.4;
        world.set_circle_velocity(handle, [3.0 * angle.cos(), 3.0 * angle.sin()]).unwrap();
    }
}

/// A sparse scene on a grid of 2^-8 in a period of 64, drawn the same wherever the border is.
fn shifted(by: [f32; 2], seed: u64) -> World {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic([0.0, 0.0], [64.0, 64.0]))).unwrap();
    let mut random = Random::new(seed);
    let place = |[x, y]: [f32; 2]| [(x + by[0]).rem_euclid(64.0), (y + by[1]).rem_euclid(64.0)];
    let fine = |random: &mut Random| random.below(512) as f32 / 256.0 - 1.0;
    for k in 0..64 {
        // Two to a place, touching as a rule; places are far apart.
        let middle = [(k % 8) as f32 * 8.0, (k / 8) as f32 * 8.0];
        for side in [-0.5, 0.5] {
            let center = place([middle[0] + side + fine(&mut random) * 0.5, middle[1] + fine(&mut random) * 0.75]);
            let velocity = [fine(&mut random) - 2.0 * side, fine(&mut random)];
            world.add_circle(Circle::new(center, 0.75).with_velocity(velocity)).unwrap();
        }
        if k % 3 == 0 {
            let [x, y] = place([middle[0] + fine(&mut random), middle[1] + 3.0]);
            world.add_segment(Segment::new([x, y], [x + 1.25, y - 2.5])).unwrap();
        }
    }
    world
}

type Outcome = (Vec<(u64, u64, [u32; 3])>, Vec<[u32; 2]>);

/// Pairs by handle with normal and separation, and velocities by handle of circles with no more than one contact: what a first contact
/// has shifted is rounded where it stands, before a second one is answered.
fn outcome(world: &World) -> Outcome {
    let (circles, segments) = (world.circles(), world.segments());
    let bits = |normal: Vec2, separation: f32| [normal.x.to_bits(), normal.y.to_bits(), separation.to_bits()];
    let turned = |normal: Vec2| Vec2::new(0.0 - normal.x, 0.0 - normal.y);
    let mut pairs: Vec<_> = Vec::new();
    for c in world.contacts().circle_circle() {
        let [a, b] = [c.a, c.b].map(|row| circles.handles()[row as usize].to_bits());
        // Rows depend on where the cells are: the lower handle first.
        pairs.push(if a < b {
            (a, b, bits(c.normal, c.separation))
        } else {
            (b, a, bits(turned(c.normal), c.separation))
        });
    }
    for c in world.contacts().circle_segment() {
        let (a, b) = (circles.handles()[c.a as usize].to_bits(), segments.handles()[c.b as usize].to_bits());
        pairs.push((a, b | 1 << 63, bits(c.normal, c.separation)));
    }
    pairs.sort_unstable();
    let velocity = |handle: CircleHandle| {
        let contacts = pairs.iter().filter(|pair| pair.0 == handle.to_bits() || pair.1 == handle.to_bits()).count();
        let v = world.circle(handle).unwrap().velocity;
        (contacts < 2).then(|| [v.x.to_bits(), v.y.to_bits()])
    };
    let velocities = by_handle(world).into_iter().filter_map(velocity).collect();
    (pairs, velocities)
}

#[test]
fn where_the_border_is_makes_no_difference() {
    let mut held = 0;
    for seed in 0..6 {
        let mut first = None;
        let mut across = 0;
        for by in [[0.0, 0.0], [0.25, 63.75], [3.5, -0.5], [32.0, 31.875], [60.0 + 1.0 / 256.0, 1.5], [1000.5, -999.25]]
        {
            let mut world = shifted(by, seed);
            world.step(0.125).unwrap();
            let found = outcome(&world);
            assert!(found.0.len() > 40, "{}", found.0.len());
            let view = world.circles();
            across += world
                .contacts()
                .circle_circle()
                .iter()
                .filter(|c| (view.x()[c.a as usize] - view.x()[c.b as usize]).abs() > 32.0)
                .count();
            // Who has been held by a wall is a hair off it, which is as wide as the coordinates of the world are large.
            if world.stats().held > 0 {
                held += 1;
                continue;
            }
            assert!(first.get_or_insert_with(|| found.clone()) == &found, "seed {seed}, moved by {by:?}");
        }
        assert!(across > 4, "{across}");
    }
    assert!(held <= 12, "{held} of 36");
}

#[test]
fn bodies_bounce_across_the_border() {
    let bounds = Bounds::periodic([0.0, 0.0], [16.0, 16.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    // Flying at each other through x = 16 = 0, a gap of 0.75 less 2 · 0.5·1 at the next step: then 0.25 deep, met 0.125 s ago.
    let left = world.add_circle(Circle::new([15.0, 4.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let right = world.add_circle(Circle::new([0.75, 4.0], 0.5).with_velocity([-1.0, 0.0])).unwrap();
    // A wall just inside the low end, met from the high one.
    world.add_segment(Segment::new([0.125, 8.0], [0.125, 12.0])).unwrap();
    let ball = world.add_circle(Circle::new([15.25, 10.0], 0.5).with_velocity([2.0, 0.0])).unwrap();
    world.step(0.5).unwrap();
    let [left, right, ball] = [left, right, ball].map(|handle| world.circle(handle).unwrap());
    // 15.5 and 0.25: 0.75 apart, a quarter deep, at a speed of 2: met 0.125 s ago, each is where it would have been, 0.25 back.
    assert_eq!((left.velocity, left.shape.center), (Vec2::new(-1.0, 0.0), Vec2::new(15.25, 4.0)));
    assert_eq!((right.velocity, right.shape.center), (Vec2::new(1.0, 0.0), Vec2::new(0.5, 4.0)));
    // It is fast, and met the wall at 16.125 - 0.5 after 0.375 of its way of 1: 0.625 back from there, but for 1.5 ulp.
    assert_eq!(ball.velocity, Vec2::new(-2.0, 0.0));
    assert!((ball.shape.center.x - 15.0).abs() < 1e-5, "{ball:?}");
    let contacts = world.contacts();
    assert_eq!((contacts.circle_circle().len(), contacts.circle_segment().len(), world.stats().impacts), (1, 0, 1));
}

#[test]
fn a_wall_at_the_low_end_turns_what_comes_from_the_high_one() {
    let bounds = Bounds::periodic_x(-8.0, 8.0);
    for moving in [false, true] {
        let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
        let wall = Segment::new([-8.0, -4.0], [-8.0, 4.0]);
        if moving {
            world.add_segment(wall.with_velocity([-1.0, 0.0])).unwrap();
        } else {
            world.add_segment(wall).unwrap();
        }
        let ball = world.add_circle(Circle::new([7.25, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
        for _ in 0..2 {
            world.step(0.25).unwrap();
        }
        // Turned by the wall at 8; by one that comes on at 1, to three times the speed.
        assert_eq!(world.circle(ball).unwrap().velocity, Vec2::new(if moving { -3.0 } else { -1.0 }, 0.0));
        assert!(world.circle(ball).unwrap().shape.center.x > 6.0);
    }
}

#[test]
fn positions_stay_in_the_stretch_and_a_pair_begins_once() {
    let bounds = Bounds::periodic([-3.0, 5.0], [7.0, 12.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_response(Response::None)).unwrap();
    let pair = [[6.0, 11.0], [6.25, 11.5]].map(|at| Circle::new(at, 0.5).with_velocity([1.0, 0.75]));
    let pair = pair.map(|body| world.add_circle(body).unwrap());
    // Far too fast, and placed far out.
    world.add_circle(Circle::new([1e6, -1e6], 0.001).with_velocity([1e5, -3e4])).unwrap();
    let paddle = world.add_segment(Segment::new([6.0, 6.0], [6.5, 6.0]).with_velocity([4.0, 0.0])).unwrap();
    let mut begins = 0;
    for _ in 0..200 {
        world.step(0.0625).unwrap();
        let is_begin =
            |event: &&Event| event.kind == EventKind::Begin && event.pair == EventPair::CircleCircle(pair[0], pair[1]);
        begins += world.events().iter().filter(is_begin).count();
        let view = world.circles();
        assert!(view.x().iter().all(|x| (-3.0..7.0).contains(x)) && view.y().iter().all(|y| (5.0..12.0).contains(y)));
        let shape = world.segment(paddle).unwrap().shape;
        assert!((-3.0..7.0).contains(&(0.5 * (shape.start.x + shape.end.x))), "{shape:?}");
    }
    // 12.5 by 9.375 in all: once round and more, together.
    assert_eq!(begins, 1);
}

#[test]
fn a_gas_keeps_its_energy() {
    let bounds = Bounds::periodic([0.0, 0.0], [24.0, 24.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    for k in 0..400 {
        let center = [(k % 20) as f32 * 1.2 + 0.1, (k / 20) as f32 * 1.2 + 0.15 * (k % 2) as f32];
        world.add_circle(Circle::new(center, 0.35)).unwrap();
    }
    push_about(&mut world);
    let energy = |world: &World| -> f64 {
        let view = world.circles();
        view.velocity_x()
            .iter()
            .zip(view.velocity_y())
            .map(|(&x, &y)| f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y))
            .sum()
    };
    let momentum = |world: &World| -> f64 { world.circles().velocity_x().iter().map(|&v| f64::from(v)).sum() };
    let before = (energy(&world), momentum(&world));
    let (mut across, mut saved): (usize, Option<World>) = (0, None);
    for step in 0..2000 {
        world.step(0.004).unwrap();
        let view = world.circles();
        across += world
            .contacts()
            .circle_circle()
            .iter()
            .filter(|c| (view.x()[c.a as usize] - view.x()[c.b as usize]).abs() > 12.0)
            .count();
        if step == 1000 {
            saved = Some(World::from_snapshot(&world.save()).unwrap());
        } else if let Some(other) = saved.as_mut().filter(|_| step < 1040) {
            // What was saved goes on as what was not.
            other.step(0.004).unwrap();
            assert_eq!((other.state_hash(), other.config().bounds), (world.state_hash(), bounds));
        }
    }
    let after = (energy(&world), momentum(&world));
    assert!(((after.0 - before.0) / before.0).abs() < 1e-5, "{before:?} {after:?}");
    assert!((after.1 - before.1).abs() < 1e-2, "{before:?} {after:?}");
    assert!(across > 100, "{across}");
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let refused = |bounds: Bounds| {
        matches!(World::new(WorldConfig::default().with_bounds(bounds)), Err(Error::Config { field: "bounds", .. }))
    };
    assert!(!refused(Bounds::periodic([-1.0, -1.0], [1.0, 1.0])) && !refused(Bounds::periodic_y(0.1, 0.7)));
    for [min, max] in [[1.0, 1.0], [2.0, 1.0], [f32::NAN, 1.0], [0.0, f32::INFINITY], [0.0, 1e38], [1e-30, 1.0]] {
        assert!(refused(Bounds::periodic_x(min, max)) && refused(Bounds::periodic_y(min, max)), "{min} {max}");
        let reflect = AxisBounds::Reflect { min, max };
        assert_eq!(refused(Bounds::PerAxis { x: AxisBounds::None, y: reflect }), !(min < max && max.is_finite()));
    }
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic_x(0.0, 4.0))).unwrap();
    world.add_circle(Circle::new([1.0, 1.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let moving = world.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0]).with_velocity([1.0, 0.0])).unwrap();
    world.add_segment(Segment::new([-4.0, 3.0], [8.0, 3.0])).unwrap();
    world.step(0.25).unwrap();
    let far = world.add_segment(Segment::new([1.0, 5.0], [8.5, 5.0])).unwrap();
    let (before, at) = (world.state_hash(), world.segment(moving));
    assert_eq!(world.step(0.25), Err(Error::BeyondPeriod { kind: Kind::Segment, bits: far.to_bits() }));
    assert_eq!((world.state_hash(), world.segment(moving)), (before, at));
    // A wall that stands is refused before anybody flies among its images, one that moves once it has moved.
    let out = world.add_circle(Circle::new([2.0, 9.0], 0.5).with_velocity([3e38, 0.0])).unwrap();
    assert_eq!(world.step(10.0), Err(Error::BeyondPeriod { kind: Kind::Segment, bits: far.to_bits() }));
    world.set_segment(far, Segment::new([1.0, 5.0], [8.5, 5.0]).with_velocity([0.0, 1.0])).unwrap();
    assert!(matches!(world.step(10.0), Err(Error::OutOfRange { bits, .. }) if bits == out.to_bits()));
    world.remove_circle(out).unwrap();
    world.remove_segment(far).unwrap();
    world.step(0.25).unwrap();
}

#[test]
fn large_bodies_never_touch_themselves_and_meet_once() {
    let bounds = Bounds::periodic([0.0, 0.0], [4.0, 4.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_response(Response::None)).unwrap();
    world.add_circle(Circle::new([3.0, 1.0], 100.0)).unwrap();
    world.add_circle(Circle::new([0.5, 1.0], 100.0)).unwrap();
    world.add_segment(Segment::new([0.0, 3.0], [4.0, 3.0])).unwrap();
    world.detect().unwrap();
    let contacts = world.contacts();
    // 2.5 apart as they stand, 1.5 across the border.
    assert_eq!((contacts.circle_circle().len(), contacts.circle_circle()[0].separation), (1, 1.5 - 200.0));
    // The wall goes all the way round and meets its own end; it is 2 above both, straight up, and no end is nearer.
    assert_eq!((contacts.circle_segment().len(), contacts.segment_segment().len()), (2, 0));
    assert!(contacts.circle_segment().iter().all(|c| c.separation == -98.0 && c.normal == Vec2::new(0.0, 1.0)));
}

#[test]
fn filters_sensors_and_limits_reach_across() {
    let bounds = Bounds::periodic([0.0, 0.0], [8.0, 8.0]);
    let build = |limit: usize, filter: Filter, sensor: bool| {
        let config = WorldConfig::default().with_bounds(bounds).with_contact_limit(limit);
        let mut world = World::new(config).unwrap();
        let left = Circle::new([0.25, 4.0], 0.5).with_velocity([-1.0, 0.0]).with_filter(filter).with_sensor(sensor);
        let left = world.add_circle(left).unwrap();
        world.add_circle(Circle::new([7.5, 4.0], 0.5)).unwrap();
        world.add_segment(Segment::new([7.75, 1.0], [7.75, 6.0])).unwrap();
        (world, left)
    };
    let (mut world, left) = build(10, Filter::DEFAULT, false);
    world.step(0.0).unwrap();
    assert_eq!((world.contacts().circle_circle().len(), world.contacts().circle_segment().len()), (1, 2));
    world.step(0.001).unwrap();
    assert_ne!(world.circle(left).unwrap().velocity, Vec2::new(-1.0, 0.0));
    let (mut world, _) = build(10, Filter::NOTHING, false);
    world.step(0.001).unwrap();
    assert_eq!((world.contacts().circle_circle().len(), world.contacts().circle_segment().len()), (0, 1));
    let (mut world, left) = build(10, Filter::DEFAULT, true);
    world.step(0.001).unwrap();
    assert_eq!((world.contacts().circle_circle().len(), world.contacts().circle_segment().len()), (1, 2));
    assert_eq!(world.circle(left).unwrap().velocity, Vec2::new(-1.0, 0.0));
    let (mut world, _) = build(2, Filter::DEFAULT, false);
    assert_eq!(world.step(0.001), Err(Error::TooManyContacts { limit: 2 }));
}
