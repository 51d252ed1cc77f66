//! Promise: who meets on the way of a step in which something may rest, though he touches neither where flights end nor at the last step, is told of:
//! one beginning and one end, with the point, the normal and the speed of the first meeting.

use crate::common::world_model::pairs;
use gridlane::{
    Backend, Bounds, Circle, CircleBody, CircleHandle, EndReason, Event, EventKind, EventPair, Filter, Segment,
    SegmentHandle, Threads, Touch, Vec2, World, WorldConfig,
};
use std::collections::BTreeSet;

const APART: EventKind = EventKind::End(EndReason::Apart);

fn kinds(world: &World) -> Vec<(EventKind, EventPair)> {
    world.events().iter().map(|event| (event.kind, event.pair)).collect()
}

fn config(restitution: f32) -> WorldConfig {
    WorldConfig::default().with_restitution(restitution).with_threads(Threads::Fixed(1))
}

/// The pairs with circles that the contacts of the last step name.
fn touching(world: &World) -> BTreeSet<EventPair> {
    pairs(world).filter(|pair| !matches!(pair, EventPair::SegmentSegment(..))).collect()
}

fn near(a: f32, b: f32, by: f32) -> bool {
    (a - b).abs() <= by
}

fn of(world: &World, pair: EventPair) -> Vec<&Event> {
    world.events().iter().filter(|event| event.pair == pair).collect()
}

/// A flies at 4 into B, 0.05 before it, which is thrown onto the brick, 0.05 behind it; radius 1, steps of a tenth. In which order they are added is drawn.
struct Break {
    world: World,
    ball: CircleHandle,
    middle: CircleHandle,
    brick: CircleHandle,
}

/// Along this unit vector, from there; the brick may be another.
fn break_out(config: WorldConfig, [x, y]: [f32; 2], first: usize, brick: impl Fn(CircleBody) -> CircleBody) -> Break {
    let mut world = World::new(config).unwrap();
    let at = |far: f32| Circle::new([x * far, y * far], 1.0);
    let bodies = [
        at(0.0).with_velocity([4.0 * x, 4.0 * y]),
        CircleBody::from(at(2.05)).with_user_data(7),
        brick(at(4.1).with_inverse_mass(0.0).with_user_data(8)),
    ];
    let mut handles = [None; 3];
    for k in 0..3 {
        let k = (first + k) % 3;
        handles[k] = Some(world.add_circle(bodies[k]).unwrap());
    }
    let [ball, middle, brick] = handles.map(Option::unwrap);
    Break { world, ball, middle, brick }
}

fn pair(a: CircleHandle, b: CircleHandle) -> EventPair {
    EventPair::CircleCircle(a.min(b), a.max(b))
}

#[test]
fn a_brick_that_is_hit_by_way_of_a_third_body_is_told_once() {
    for (to, first) in [([1.0, 0.0], 0), ([-1.0, 0.0], 1), ([0.0, 1.0], 2), ([0.6, 0.8], 1)] {
        for backend in [Backend::Scalar, Backend::Wide] {
            let Break { mut world, ball, middle, brick } =
                break_out(config(0.5).with_backend(backend), to, first, |b| b);
            world.step(0.08).unwrap();
            // Equal masses, half comes back: B goes on at 3/4 of 4, and is at the brick after 7/240 of a second; A meets it on its way back, and it
            // would be at the brick once more after 23/240.
            assert_eq!(touching(&world), BTreeSet::from([pair(ball, middle)]));
            let (hit, met) = (pair(ball, middle), pair(middle, brick));
            let begin = |pair| (EventKind::Begin, pair);
            assert_eq!(kinds(&world), [begin(hit), begin(met), (APART, met)], "{to:?} {first}");
            let [begun, ended] = of(&world, met)[..] else { panic!() };
            let Touch { point, normal, approach_speed } = begun.touch.unwrap();
            let sign = if middle < brick { 1.0 } else { -1.0 };
            assert!(near(approach_speed, 3.0, 1e-5), "{approach_speed}");
            assert!(near(point.x, 3.1 * to[0], 1e-5) && near(point.y, 3.1 * to[1], 1e-5), "{point:?}");
            assert!(near(normal.x, sign * to[0], 1e-5) && near(normal.y, sign * to[1], 1e-5), "{normal:?}");
            let data = if middle < brick { [7, 8] } else { [8, 7] };
            assert!(begun.user_data == data && ended.user_data == data && ended.touch.is_none());
            assert_eq!((world.stats().begins, world.stats().ends), (2, 1));
            assert!(world.impacts().is_empty() && world.circle_impacts().is_empty());
            // Nothing is told again; A and B have parted.
            world.step(0.001).unwrap();
            assert_eq!(kinds(&world), [(APART, hit)]);
        }
    }
}

#[test]
fn who_removes_what_was_hit_has_one_beginning_and_one_end() {
    let Break { mut world, middle, brick, .. } = break_out(config(0.5), [1.0, 0.0], 0, |b| b);
    world.step(0.1).unwrap();
    let hit: Vec<_> = kinds(&world).into_iter().filter(|event| event.1 == pair(middle, brick)).collect();
    assert_eq!(hit.len(), 2);
    world.remove_circle(brick).unwrap();
    for _ in 0..5 {
        world.step(0.1).unwrap();
        assert!(of(&world, pair(middle, brick)).is_empty());
    }
}

#[test]
fn who_is_stopped_has_met_and_begins_again_where_it_stays() {
    // Nothing comes back: A and B go on at 2 together, and stand at the brick.
    for to in [[1.0, 0.0], [0.0, -1.0], [0.8, -0.6]] {
        let Break { mut world, ball, middle, brick } = break_out(config(0.0), to, 0, |b| b);
        let (hit, met) = (pair(ball, middle), pair(middle, brick));
        world.step(0.1).unwrap();
        assert_eq!(kinds(&world), [(EventKind::Begin, hit), (EventKind::Begin, met), (APART, met)]);
        let touch = of(&world, met)[0].touch.unwrap();
        // By pushes in substeps of 1/120: B goes at 2 before it is stopped; the last push may still have been under way.
        assert!(touch.approach_speed > 1.0 && touch.approach_speed < 4.0, "{touch:?}");
        assert!(near(touch.point.x, 3.1 * to[0], 0.01) && near(touch.point.y, 3.1 * to[1], 0.01), "{touch:?}");
    }
}

#[test]
fn nobody_meets_what_does_not_push() {
    let told = |config: WorldConfig, brick: fn(CircleBody) -> CircleBody| {
        let Break { mut world, middle, brick, .. } = break_out(config, [1.0, 0.0], 0, brick);
        world.step(0.1).unwrap();
        of(&world, pair(middle, brick)).len()
    };
    assert_eq!(told(config(0.5), |b| b), 2);
    assert_eq!(told(config(0.5), |b| b.with_sensor(true)), 0);
    assert_eq!(told(config(0.5), |b| b.with_filter(Filter::NOTHING)), 0);
    assert_eq!(told(config(0.5), |b| b.with_enabled(false)), 0);
    assert_eq!(told(config(0.5).with_events(false), |b| b), 0);
    // A little nearer and a little farther than B comes in time: 3 for 0.03 - 1/80 is 0.0525.
    for (gap, expected) in [(0.04, 2), (0.07, 0)] {
        let away = |b: CircleBody| CircleBody { shape: Circle::new([4.05 + gap, 0.0], 1.0), ..b };
        let Break { mut world, middle, brick, .. } = break_out(config(0.5), [1.0, 0.0], 0, away);
        world.step(0.03).unwrap();
        assert_eq!(of(&world, pair(middle, brick)).len(), expected, "{gap}");
    }
}

/// A ball between two walls, 0.02 to either side, flies at 4 to one of them.
#[test]
fn a_wall_that_is_hit_and_left_within_one_step_is_told_once() {
    for sign in [1.0, -1.0] {
        let mut world = World::new(config(0.5).with_gravity([0.0, -1.0])).unwrap();
        let upright = |x: f32| Segment::new([x, -9.0], [x, 9.0]);
        let [one, two] = [-1.02, 1.02].map(|x| world.add_segment(upright(sign * x)).unwrap());
        let ball = world.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([-4.0 * sign, 0.0])).unwrap();
        let [hit, met] = [one, two].map(|wall| EventPair::CircleSegment(ball, wall));
        world.step(0.1).unwrap();
        // After 1/200 it leaves the first at 2, is at the second after 1/50, 1/25 later at the first again, and does not come to the second once more.
        assert_eq!(kinds(&world), [(EventKind::Begin, hit), (EventKind::Begin, met), (APART, met)]);
        let Touch { point, normal, approach_speed } = of(&world, met)[0].touch.unwrap();
        assert!(near(approach_speed, 2.0, 1e-5) && near(normal.x, sign, 1e-6) && near(normal.y, 0.0, 1e-6));
        // It has fallen for 1/40 of a second.
        assert!(near(point.x, 1.02 * sign, 1e-5) && point.y <= 0.0 && point.y > -0.002, "{point:?}");
        // The one that it touched begins as ever: with the speed that it flew with.
        assert_eq!(of(&world, hit)[0].touch.unwrap().approach_speed, 4.0);
    }
}

/// Discs in a row, so far apart, the first of which flies: who meets within a time, impact by impact, and how fast at first.
fn in_a_row(gaps: &[f64], speed: f64, restitution: f64, time: f64) -> Vec<Option<f64>> {
    let mut v = vec![0.0; gaps.len() + 1];
    v[0] = speed;
    let (mut gaps, mut now, mut first) = (gaps.to_vec(), 0.0, vec![None; gaps.len()]);
    loop {
        let closing = |k: usize| v[k] - v[k + 1];
        let until = |k: usize| if closing(k) > 0.0 { gaps[k] / closing(k) } else { f64::INFINITY };
        let next = (0..gaps.len()).min_by(|&a, &b| until(a).total_cmp(&until(b))).unwrap();
        let wait = until(next);
        if now + wait > time {
            return first;
        }
        now += wait;
        let all: Vec<f64> = (0..gaps.len()).map(closing).collect();
        gaps.iter_mut().zip(&all).for_each(|(gap, closing)| *gap -= closing * wait);
        gaps[next] = 0.0;
        first[next].get_or_insert(all[next]);
        let (sum, part) = (v[next] + v[next + 1], restitution * all[next]);
        (v[next], v[next + 1]) = ((sum - part) / 2.0, (sum + part) / 2.0);
    }
}

#[test]
fn in_a_row_of_discs_those_are_told_that_an_impulse_comes_to() {
    let gaps = [0.02f32, 0.05, 0.03, 0.06, 0.04, 0.05, 0.08];
    let mut told = 0;
    for backwards in [false, true] {
        for restitution in [0.5f32, 0.75, 0.9] {
            let mut world = World::new(config(restitution)).unwrap();
            let mut at = vec![0.0f32];
            gaps.iter().for_each(|gap| at.push(at[at.len() - 1] + 2.0 + gap));
            let body = |k: usize| Circle::new([at[k], 0.0], 1.0).with_velocity([if k == 0 { 4.0 } else { 0.0 }, 0.0]);
            let mut handles: Vec<(usize, CircleHandle)> = Vec::new();
            for k in 0..at.len() {
                let k = if backwards { at.len() - 1 - k } else { k };
                handles.push((k, world.add_circle(body(k)).unwrap()));
            }
            handles.sort_unstable_by_key(|handle| handle.0);
            world.step(0.1).unwrap();
            // In substeps a part of what comes back may be lost, so impulses come no later than if nothing did, and no sooner than if all did; who meets in the
            // last substeps may be left to the next step, which finds them touching.
            let row = |restitution: f64, time: f64| in_a_row(&gaps.map(f64::from), 4.0, restitution, time);
            let (least, most) = (row(0.0, 0.1 * 9.0 / 12.0), row(1.0, 0.1));
            for k in 0..gaps.len() {
                let events = of(&world, pair(handles[k].1, handles[k + 1].1));
                let begun: Vec<_> = events.iter().filter_map(|event| event.touch).collect();
                assert!(begun.len() >= usize::from(least[k].is_some()), "{restitution}: {k}");
                assert!(begun.len() <= usize::from(most[k].is_some()), "{restitution}: {k}");
                let [touch] = &begun[..] else { continue };
                assert!(touch.approach_speed > 0.0 && touch.approach_speed < 4.001, "{restitution}: {k}: {touch:?}");
                // Midway between outlines that nobody has left far behind: the row goes to the right, by no more than 0.4.
                let between = (at[k] + at[k + 1]) / 2.0;
                assert!(
                    touch.point.x > between - 0.01 && touch.point.x < between + 0.4,
                    "{restitution}: {k}: {touch:?}"
                );
                // The first touch where flights end; of all others end and beginning come together.
                assert_eq!(events.len(), if k == 0 { 1 } else { 2 });
                told += usize::from(k > 0);
            }
        }
    }
    assert!(told > 15, "{told}");
}

/// Discs that fall into a box among walls, some of which move.
fn heap(threads: usize, backend: Backend, restitution: f32) -> World {
    let bounds = Bounds::Reflect { min: Vec2::new(-12.0, -12.0), max: Vec2::new(12.0, 12.0) };
    let config = config(restitution).with_threads(Threads::Fixed(threads)).with_backend(backend);
    let mut world = World::new(config.with_bounds(bounds).with_gravity([0.0, -9.81])).unwrap();
    let mut state = 11u32;
    let mut number = |low: f32, high: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (state >> 8) as f32 / (1u32 << 24) as f32
    };
    for k in 0..300 {
        let velocity = [number(-6.0, 6.0), number(-6.0, 6.0)];
        let body = Circle::new([number(-11.0, 11.0), number(-11.0, 11.0)], number(0.2, 0.5)).with_velocity(velocity);
        let body = if k % 17 == 0 { body.with_sensor(true) } else { body };
        world.add_circle(if k % 40 == 0 { body.with_velocity([900.0, 300.0]) } else { body }).unwrap();
    }
    for k in 0..14 {
        let from = [number(-11.0, 11.0), number(-11.0, 11.0)];
        let wall = Segment::new(from, [from[0] + number(-4.0, 4.0), from[1] + number(-4.0, 4.0)]);
        let wall = if k % 5 == 0 { wall.with_velocity([number(-2.0, 2.0), 1.0]) } else { wall.into() };
        world.add_segment(wall).unwrap();
    }
    world
}

/// Of the events of a step, after pairs that were open: each pair begins if it is not open and ends if it is, and what is open then is what touches.
/// How many came and went without an impact.
fn balance(world: &World, open: &mut BTreeSet<EventPair>) -> usize {
    let before = open.clone();
    let touches = touching(world);
    let impacts: BTreeSet<_> =
        world.impacts().iter().map(|hit| EventPair::CircleSegment(hit.circle, hit.segment)).collect();
    let mut begun = BTreeSet::new();
    for event in world.events().iter().filter(|event| !matches!(event.pair, EventPair::SegmentSegment(..))) {
        if event.kind == EventKind::Begin {
            assert!(open.insert(event.pair) && begun.insert(event.pair), "{event:?} once more");
            let touch = event.touch.unwrap();
            let length = f64::from(touch.normal.x).hypot(f64::from(touch.normal.y));
            assert!((length - 1.0).abs() < 1e-6 && touch.approach_speed.is_finite(), "{event:?}");
        } else {
            assert!(open.remove(&event.pair), "{event:?} has not begun");
        }
    }
    assert_eq!(*open, touches);
    let alone: Vec<_> = begun.iter().filter(|pair| !touches.contains(pair)).collect();
    assert!(alone.iter().all(|pair| !before.contains(pair)));
    alone.into_iter().filter(|pair| !impacts.contains(pair)).count()
}

#[test]
fn each_beginning_has_one_end_the_same_in_every_way() {
    for restitution in [0.0, 0.5, 0.9] {
        let ways = [(1, Backend::Scalar), (1, Backend::Wide), (2, Backend::Wide), (3, Backend::Scalar)];
        let mut worlds = ways.map(|(threads, backend)| heap(threads, backend, restitution));
        let (mut open, mut alone, mut walls) = (BTreeSet::new(), 0, 0);
        for step in 0..150 {
            for world in &mut worlds {
                world.step(1.0 / 60.0).unwrap();
            }
            let [first, others @ ..] = &worlds;
            for world in others {
                assert_eq!((world.events(), world.state_hash()), (first.events(), first.state_hash()), "step {step}");
            }
            alone += balance(first, &mut open);
            let begun = first.events().iter().filter(|e| e.kind == EventKind::Begin).map(|e| e.pair);
            let touches = touching(first);
            walls += begun.filter(|p| matches!(p, EventPair::CircleSegment(..)) && !touches.contains(p)).count();
            if step % 30 == 29 {
                // Another world goes on from bytes with the same events.
                let bytes = first.save();
                worlds[1].restore(&bytes).unwrap();
                worlds[2] = World::from_snapshot(&bytes).unwrap();
            }
        }
        assert!(alone > 100 && walls > 5, "{restitution}: {alone}, {walls} with walls");
    }
}

/// Across the border of a plane that repeats, of period 8: B is 0.05 before the brick, which it meets at 8.05.
#[test]
fn across_the_border_they_meet_too() {
    let bounds = Bounds::periodic([0.0, 0.0], [8.0, 8.0]);
    let mut world = World::new(config(0.5).with_bounds(bounds)).unwrap();
    let at = |x: f32| Circle::new([x % 8.0, 4.0], 1.0);
    let ball = world.add_circle(at(5.0).with_velocity([4.0, 0.0])).unwrap();
    let middle = world.add_circle(at(7.05)).unwrap();
    let brick = world.add_circle(at(9.1).with_inverse_mass(0.0)).unwrap();
    world.step(0.1).unwrap();
    let (hit, met) = (pair(ball, middle), pair(middle, brick));
    assert_eq!(kinds(&world), [(EventKind::Begin, hit), (EventKind::Begin, met), (APART, met)]);
    let touch = of(&world, met)[0].touch.unwrap();
    // 8.1, or 0.1, as it is seen from either.
    assert!(near(touch.approach_speed, 3.0, 1e-4) && near(touch.point.x.rem_euclid(8.0), 0.1, 1e-4), "{touch:?}");
}

/// More circles than one strip holds: rows of a ball, a body and a brick, in strips that threads share.
#[test]
fn in_many_strips_each_is_told_in_the_order_of_rows() {
    let mut worlds = [1, 2, 5].map(|threads| {
        let mut world = World::new(config(0.5).with_threads(Threads::Fixed(threads))).unwrap();
        for k in 0..6000 {
            let [x, y] = [(k % 75) as f32 * 8.0, (k / 75) as f32 * 3.0];
            world.add_circle(Circle::new([x, y], 1.0).with_velocity([4.0, 0.0])).unwrap();
            world.add_circle(Circle::new([x + 2.05, y], 1.0)).unwrap();
            world.add_circle(Circle::new([x + 4.1, y], 1.0).with_inverse_mass(0.0)).unwrap();
        }
        world.step(0.0).unwrap();
        world
    });
    let rows = worlds[0].circles().handles().to_vec();
    worlds.iter_mut().for_each(|world| _ = world.step(0.1).unwrap());
    let [first, others @ ..] = &worlds;
    assert!(others.iter().all(|world| world.events() == first.events()));
    let events = kinds(first);
    assert_eq!(events.len(), 3 * 6000);
    let row = |handle: CircleHandle| rows.iter().position(|&other| other == handle).unwrap();
    let met = |events: &[(EventKind, EventPair)]| -> Vec<[usize; 2]> {
        let of = |pair: EventPair| match pair {
            EventPair::CircleCircle(a, b) => [row(a), row(b)],
            _ => panic!("no segments"),
        };
        events.iter().map(|event| of(event.1)).map(|[a, b]| [a.min(b), a.max(b)]).collect()
    };
    assert!(events[6000..12000].iter().all(|event| event.0 == EventKind::Begin));
    let (begun, ended) = (met(&events[6000..12000]), met(&events[12000..]));
    assert!(begun == ended && begun.is_sorted_by(|a, b| a < b));
}

/// Of a floor in pieces one end is hidden by the flank of the next: whom a third body presses down there meets the flank alone.
#[test]
fn hidden_ends_are_met_by_nobody() {
    let mut world = World::new(config(0.5)).unwrap();
    let floor: Vec<SegmentHandle> =
        (-3..3).map(|k| world.add_segment(Segment::new([k as f32, 0.0], [k as f32 + 1.0, 0.0])).unwrap()).collect();
    let ball = world.add_circle(Circle::new([0.25, 3.08], 1.0).with_velocity([0.0, -4.0])).unwrap();
    let middle = world.add_circle(Circle::new([0.25, 1.03], 1.0)).unwrap();
    world.step(0.1).unwrap();
    let met = EventPair::CircleSegment(middle, floor[3]);
    let told: Vec<_> = kinds(&world).into_iter().filter(|e| !matches!(e.1, EventPair::SegmentSegment(..))).collect();
    assert_eq!(told, [(EventKind::Begin, pair(ball, middle)), (EventKind::Begin, met), (APART, met)]);
    assert!(near(of(&world, met)[0].touch.unwrap().approach_speed, 3.0, 1e-4));
}

/// Three hundred discs of many sizes in a bin: once they lie, hardly anything is told of them any more.
#[test]
fn a_heap_at_rest_is_quiet() {
    for restitution in [0.0, 0.5] {
        let mut world = World::new(config(restitution).with_gravity([0.0, -9.81])).unwrap();
        for [from, to] in [[[-6.0, 40.0], [-6.0, 0.0]], [[-6.0, 0.0], [6.0, 0.0]], [[6.0, 0.0], [6.0, 40.0]]] {
            world.add_segment(Segment::new(from, to)).unwrap();
        }
        for k in 0..300 {
            let radius = 0.3 + 0.01 * (k * 7 % 20) as f32;
            let at = [(k % 10) as f32 * 1.1 - 5.0 + 0.05 * (k % 7) as f32, 1.0 + (k / 10) as f32 * 1.1];
            world.add_circle(Circle::new(at, radius)).unwrap();
        }
        let (mut open, mut falling) = (BTreeSet::new(), 0);
        for _ in 0..300 {
            world.step(1.0 / 60.0).unwrap();
            falling += balance(&world, &mut open);
        }
        let mut resting = 0;
        for step in 300..1500 {
            world.step(1.0 / 60.0).unwrap();
            let alone = balance(&world, &mut open);
            resting += if step >= 900 { alone } else { 0 };
        }
        // In ten seconds, of some six hundred pairs.
        assert!(falling > 50 && open.len() > 300 && resting < open.len() / 10, "{falling} {resting} {}", open.len());
    }
}
