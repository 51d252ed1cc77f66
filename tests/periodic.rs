//! Promise: in a plane that repeats each touching pair is one contact, by its shortest image, and that it touches is decided exactly;
//! nothing depends on where the border is drawn; bodies meet and bounce across it.

mod common;

use common::oracle::{self, q};
use common::oracle_cases::Random;
use common::torus::{Torus, circle_of, segment_of, separation, ulps};
use common::truth;
use gridlane::{
    AxisBounds, Backend, Bounds, Circle, CircleHandle, Error, Event, EventKind, EventPair, Filter, Kind, Response,
    Segment, Threads, Vec2, World, WorldConfig, geometry,
};
use num_traits::ToPrimitive;

const STRETCHES: [[Option<[f32; 2]>; 2]; 7] = [
    [Some([0.0, 16.0]), Some([0.0, 16.0])],
    [Some([-8.0, 8.0]), None],
    [None, Some([0.0, 16.0])],
    [Some([-0.3, 15.9]), Some([3.3, 19.1])],
    [Some([1e6, 1e6 + 16.0]), Some([-16.0, 0.0])],
    [Some([-1e-3, 16.0]), Some([-5.0, 11.7])],
    [Some([-9.7, 6.3]), Some([1e4, 1e4 + 20.0])],
];

/// Bodies about the border, half of them on a grid on which touches are exact; and now and then some as large as half the plane.
fn fill(world: &mut World, random: &mut Random, stretches: &[Option<[f32; 2]>; 2], circles: usize, segments: usize) {
    let low = stretches.map(|stretch| stretch.map_or(0.0, |[low, _]| low));
    let on_grid = random.below(2) == 0;
    let place = |random: &mut Random, beyond: u64| {
        low.map(|low| {
            let quarter = random.below(64 + 2 * beyond) as f32 - beyond as f32;
            let near = if random.below(3) == 0 {
                quarter
            } else {
                [0.0, 1.0, 2.0, 61.0, 62.0, 63.0][random.below(6) as usize]
            };
            let x = low + near * 0.25;
            if on_grid { x } else { random.nudged(x, 3) + random.below(1 << 20) as f32 / 4e6 }
        })
    };
    let largest = [4, 8, 40][random.below(3) as usize];
    for _ in 0..circles {
        let center = place(random, 0);
        let radius = 0.25 * random.below(largest) as f32;
        world.add_circle(Circle::new(center, if on_grid { radius } else { random.nudged(radius, 1).abs() })).unwrap();
    }
    for k in 0..segments {
        let (start, end) = (place(random, 16), place(random, 16));
        let radius = if k % 3 == 0 { 0.25 * random.below(4) as f32 } else { 0.0 };
        let wall = Segment::new(start, if k % 7 == 0 { start } else { end }).with_radius(radius);
        if k % 2 == 0 {
            world.add_segment(wall).unwrap();
        } else {
            world.add_segment(wall.with_velocity([0.0, 0.0])).unwrap();
        }
    }
}

fn world_of(torus: &Torus, config: WorldConfig) -> World {
    World::new(config.with_bounds(torus.bounds).with_response(Response::None)).unwrap()
}

/// Contacts of circles against all images.
fn check_circles(world: &World, torus: &Torus, what: &str) -> [usize; 2] {
    let (view, mut across) = (world.circles(), 0);
    let mut contacts = world.contacts().circle_circle().iter().map(|c| ([c.a, c.b], c)).collect::<Vec<_>>();
    contacts.sort_by_key(|(rows, _)| *rows);
    let mut found = contacts.iter().peekable();
    for a in 0..view.len() {
        for b in a + 1..view.len() {
            let (one, two) = (circle_of(view, a), circle_of(view, b));
            let (nearest, reach) = (torus.circles(one, two), q(one.radius) + q(two.radius));
            let touches = nearest.distance2 <= &reach * &reach;
            let told = found.next_if(|(rows, _)| *rows == [a as u32, b as u32]);
            assert_eq!(told.is_some(), touches, "{what}: {one:?} {two:?} {:?}", nearest.count);
            let Some((_, contact)) = told else { continue };
            across += usize::from(nearest.count != [0, 0]);
            let exact = oracle::nearest(&separation(&nearest, &reach));
            assert!(ulps(contact.separation, exact) <= 5, "{what}: {one:?} {two:?}: {} {exact}", contact.separation);
            let (p, q) = (oracle::q2(one.center), torus.moved(&oracle::q2(two.center), nearest.count));
            if p == q {
                assert_eq!(contact.normal, Vec2::new(0.0, 1.0));
                continue;
            }
            let normal = oracle::nearest2(&oracle::unit(&p, &q));
            assert!(
                ulps(contact.normal.x, normal.x) <= 5 && ulps(contact.normal.y, normal.y) <= 5,
                "{what}: {contact:?} {normal:?}"
            );
            // Midway between the outlines, seen from a.
            let middle = one.radius + contact.separation * 0.5;
            let off = [
                contact.point.x - (one.center.x + normal.x * middle),
                contact.point.y - (one.center.y + normal.y * middle),
            ];
            let size = one.center.x.abs() + one.center.y.abs() + one.radius + two.radius;
            assert!(off[0].abs() + off[1].abs() <= size * 1e-6, "{what}: {contact:?} off by {off:?}");
        }
    }
    assert!(found.next().is_none(), "{what}: a contact twice, or of a body with itself");
    [contacts.len(), across]
}

fn check_walls(world: &World, torus: &Torus, what: &str) -> [usize; 2] {
    let (circles, segments, mut across) = (world.circles(), world.segments(), 0);
    let mut contacts = world.contacts().circle_segment().iter().map(|c| ([c.a, c.b], c)).collect::<Vec<_>>();
    contacts.sort_by_key(|(rows, _)| *rows);
    let mut found = contacts.iter().peekable();
    for a in 0..circles.len() {
        for b in 0..segments.len() {
            let (circle, wall) = (circle_of(circles, a), segment_of(segments, b));
            let (nearest, reach) = (torus.circle_segment(circle, wall), q(circle.radius) + q(wall.radius));
            let touches = nearest.distance2 <= &reach * &reach;
            let told = found.next_if(|(rows, _)| *rows == [a as u32, b as u32]);
            assert_eq!(told.is_some(), touches, "{what}: {circle:?} {wall:?} {:?}", nearest.count);
            let Some((_, contact)) = told else { continue };
            across += usize::from(nearest.count != [0, 0]);
            let exact = oracle::nearest(&separation(&nearest, &reach));
            assert!(
                ulps(contact.separation, exact) <= 1,
                "{what}: {circle:?} {wall:?}: {} {exact}",
                contact.separation
            );
            // The point is as far from the centre as the outline is.
            let away = Vec2::new(contact.point.x - circle.center.x, contact.point.y - circle.center.y);
            let along = away.x * contact.normal.x + away.y * contact.normal.y;
            let size = circle.center.x.abs() + circle.center.y.abs() + circle.radius + wall.radius;
            assert!((along - circle.radius - contact.separation).abs() <= size * 1e-6, "{what}: {contact:?}");
        }
    }
    assert!(found.next().is_none(), "{what}: a contact twice");
    [contacts.len(), across]
}

fn check_segments(world: &World, torus: &Torus, what: &str) -> [usize; 2] {
    let (view, mut across) = (world.segments(), 0);
    let mut contacts = world.contacts().segment_segment().iter().map(|c| ([c.a, c.b], c)).collect::<Vec<_>>();
    contacts.sort_by_key(|(rows, _)| *rows);
    let mut found = contacts.iter().peekable();
    for a in 0..view.len() {
        for b in a + 1..view.len() {
            let (one, two) = (segment_of(view, a), segment_of(view, b));
            let told = found.next_if(|(rows, _)| *rows == [a as u32, b as u32]);
            assert_eq!(told.is_some(), torus.segments(one, two), "{what}: {one:?} {two:?}");
            let Some((_, contact)) = told else { continue };
            if geometry::segments_touch(one, two) {
                continue;
            }
            across += 1;
            // The point is on the first where t says, and an image of where u says on the second.
            let at = |s: Segment, t: f32| {
                [(s.start.x, s.end.x), (s.start.y, s.end.y)]
                    .map(|(p, q)| f64::from(p) + f64::from(t) * (f64::from(q) - f64::from(p)))
            };
            let (on_first, on_second) = (at(one, contact.t), at(two, contact.u));
            let reach = f64::from(one.radius) + f64::from(two.radius);
            for axis in 0..2 {
                let period = torus.period[axis].to_f64().unwrap();
                let apart = (on_second[axis] - on_first[axis]).abs();
                let apart =
                    if period == 0.0 { apart } else { (apart + 0.5 * period).rem_euclid(period) - 0.5 * period };
                assert!(
                    apart.abs() <= reach + 1e-5 * (1.0 + on_first[axis].abs()),
                    "{what}: {one:?} {two:?} {contact:?}"
                );
            }
        }
    }
    assert!(found.next().is_none(), "{what}: a contact twice, or of a segment with itself");
    [contacts.len(), across]
}

#[test]
fn contacts_are_those_of_the_shortest_images() {
    let mut counts = [[0; 2]; 3];
    for seed in 0..if cfg!(debug_assertions) { 21 } else { 70 } {
        let stretches = &STRETCHES[seed as usize % STRETCHES.len()];
        let (torus, mut random) = (Torus::new(*stretches), Random::new(seed));
        let mut world = world_of(&torus, WorldConfig::default());
        fill(&mut world, &mut random, stretches, 16, 6);
        world.detect().unwrap();
        let what = format!("seed {seed}");
        let found = [
            check_circles(&world, &torus, &what),
            check_walls(&world, &torus, &what),
            check_segments(&world, &torus, &what),
        ];
        for kind in 0..3 {
            (0..2).for_each(|k| counts[kind][k] += found[kind][k]);
        }
    }
    assert!(counts.iter().flatten().all(|&count| count > 20), "{counts:?}");
}

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

/// Pairs by handle with normal and separation, and velocities by handle of circles with no more than one contact: what a first contact
/// has shifted is rounded where it stands, before a second one is answered.
fn outcome(world: &World) -> (Vec<(u64, u64, [u32; 3])>, Vec<[u32; 2]>) {
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
    for seed in 0..6 {
        let mut first = None;
        let mut across = 0;
        for by in [[0.0, 0.0], [0.25, 63.75], [3.5, -0.5], [32.0, 31.875], [60.00390625, 1.5], [1000.5, -999.25]] {
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
            assert!(first.get_or_insert_with(|| found.clone()) == &found, "seed {seed}, moved by {by:?}");
        }
        assert!(across > 4, "{across}");
    }
}

#[test]
fn bodies_bounce_across_the_border() {
    let bounds = Bounds::periodic([0.0, 0.0], [16.0, 16.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    // Flying at each other through x = 16 = 0, a gap of 1 less 2 · 0.5·1 at the next step: then 0.5 deep, met 0.25 s ago.
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
    // It was at 16.25 = 0.25, with its centre beyond the wall: pushed on to the side it is on... unless the wall is met at 16.125.
    assert!(ball.velocity.x.abs() == 2.0 && (0.0..16.0).contains(&ball.shape.center.x));
    let contacts = world.contacts();
    assert_eq!((contacts.circle_circle().len(), contacts.circle_segment().len()), (1, 1));
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
