//! Promise: a segment that a fast circle meets between two steps is told of: where, how fast and when, and once as an event.

use gridlane::{
    Bounds, Circle, CircleHandle, EndReason, EventKind, EventPair, Impact, Response, Segment, Threads, Touch, Vec2,
    World, WorldConfig,
};

const APART: EventKind = EventKind::End(EndReason::Apart);

fn kinds(world: &World) -> Vec<(EventKind, EventPair)> {
    world.events().iter().map(|event| (event.kind, event.pair)).collect()
}

/// A circle of radius 1 at the origin that goes 100 to the right in a second.
fn bullet() -> gridlane::CircleBody {
    Circle::new([0.0, 0.0], 1.0).with_velocity([100.0, 0.0])
}

fn upright(x: f32) -> Segment {
    Segment::new([x, -9.0], [x, 9.0])
}

#[test]
fn a_wall_between_two_steps_is_told_with_point_normal_speed_and_time() {
    let mut w = World::new(WorldConfig::default().with_restitution(0.5)).unwrap();
    let ball = w.add_circle(bullet().with_user_data(5)).unwrap();
    let wall = w.add_segment(upright(51.0).with_user_data(6)).unwrap();
    let stats = w.step(1.0).unwrap();
    // Its front is 50 from the wall: after half of the second.
    let hit = Impact {
        circle: ball,
        segment: wall,
        point: Vec2::new(51.0, 0.0),
        normal: Vec2::new(1.0, 0.0),
        approach_speed: 100.0,
        fraction: 0.5,
    };
    assert_eq!((w.impacts(), stats.impacts), (&[hit][..], 1));
    // Half of the speed comes back, for half a second: it is at 25, and nobody touches.
    assert!(w.contacts().is_empty());
    let pair = EventPair::CircleSegment(ball, wall);
    assert_eq!(kinds(&w), [(EventKind::Begin, pair), (APART, pair)]);
    let touch = Touch { point: hit.point, normal: hit.normal, approach_speed: 100.0 };
    assert_eq!(w.events().iter().map(|event| event.touch).collect::<Vec<_>>(), [Some(touch), None]);
    assert!(w.events().iter().all(|event| event.user_data == [5, 6]));
    // Back in the next step, and nothing is told again.
    w.step(0.1).unwrap();
    assert!(w.impacts().is_empty() && w.events().is_empty());
}

#[test]
fn round_walls_are_met_on_their_outline_and_ends_where_they_are() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    w.add_circle(bullet()).unwrap();
    // Radius 2: met when the centre is 3 before it, at 48.
    w.add_segment(upright(51.0).with_radius(2.0)).unwrap();
    w.step(1.0).unwrap();
    let [hit] = w.impacts() else { panic!("{:?}", w.impacts()) };
    assert_eq!((hit.point, hit.normal, hit.fraction), (Vec2::new(49.0, 0.0), Vec2::new(1.0, 0.0), 0.48));

    // 3-4-5: the end is 3 above the way of a disc of radius 5, which meets it 4 before it.
    let mut w = World::new(WorldConfig::default()).unwrap();
    w.add_circle(Circle::new([0.0, 0.0], 5.0).with_velocity([80.0, 0.0])).unwrap();
    w.add_segment(Segment::new([64.0, 3.0], [64.0, 90.0])).unwrap();
    w.step(1.0).unwrap();
    let [hit] = w.impacts() else { panic!("{:?}", w.impacts()) };
    assert_eq!((hit.point, hit.fraction), (Vec2::new(64.0, 3.0), 0.75));
    // Four fifths of 80.
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5 * b.abs();
    assert!(near(hit.normal.x, 0.8) && near(hit.normal.y, 0.6) && near(hit.approach_speed, 64.0), "{hit:?}");
}

#[test]
fn whoever_is_met_five_times_is_told_of_five_times_and_begins_once() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let ball = w.add_circle(bullet()).unwrap();
    // Room for 10 to either side: met after 10, 30, 50, 70, 90 of the way.
    let [right, left] = [11.0, -11.0].map(|x| w.add_segment(upright(x)).unwrap());
    w.step(1.0).unwrap();
    let told: Vec<_> = w.impacts().iter().map(|hit| (hit.segment, hit.normal.x)).collect();
    assert_eq!(told, [(right, 1.0), (left, -1.0), (right, 1.0), (left, -1.0), (right, 1.0)]);
    for (hit, tenths) in w.impacts().iter().zip([1.0, 3.0, 5.0, 7.0, 9.0]) {
        assert!((hit.fraction - tenths / 10.0).abs() < 1e-6 && hit.approach_speed == 100.0, "{hit:?}");
    }
    let [one, two] = [right, left].map(|wall| EventPair::CircleSegment(ball, wall));
    assert_eq!(kinds(&w), [(EventKind::Begin, one), (EventKind::Begin, two), (APART, one), (APART, two)]);
}

#[test]
fn who_stays_begins_with_the_speed_before_the_bounce() {
    // Nothing comes back but what the wall gives, which comes at 1: the circle goes before it at 1 from 50 on, for half a second,
    // and the wall then goes on to 50.
    let mut w = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
    let ball = w.add_circle(bullet()).unwrap();
    let wall = w.add_segment(upright(51.0).with_velocity([-1.0, 0.0])).unwrap();
    w.step(1.0).unwrap();
    let pair = EventPair::CircleSegment(ball, wall);
    assert_eq!((kinds(&w), w.contacts().circle_segment().len()), (vec![(EventKind::Begin, pair)], 1));
    let touch = w.events()[0].touch.unwrap();
    assert_eq!((touch.point, touch.approach_speed), (Vec2::new(51.0, 0.0), 101.0));
}

#[test]
fn who_touched_before_does_not_begin_again() {
    for at in [0.0, 60.0] {
        // It stands in the wall and is shot off it, or into it; and to a second wall and away from it again.
        let mut w = World::new(WorldConfig::default()).unwrap();
        let ball = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
        let [near, far] = [0.5, -49.5].map(|x| w.add_segment(upright(x)).unwrap());
        let [one, two] = [near, far].map(|wall| EventPair::CircleSegment(ball, wall));
        w.step(0.0).unwrap();
        assert_eq!(kinds(&w), [(EventKind::Begin, one)]);
        w.set_circle_velocity(ball, [if at > 0.0 { 73.0 } else { -73.0 }, 0.0]).unwrap();
        w.step(1.0).unwrap();
        // 48.5 to the far wall and 24.5 back.
        assert_eq!(w.impacts().len(), if at > 0.0 { 2 } else { 1 });
        assert_eq!(kinds(&w), [(EventKind::Begin, two), (APART, one), (APART, two)]);
        // To the first, which it no longer touches, and away from it, twice as fast.
        w.set_circle_velocity(ball, [73.0, 0.0]).unwrap();
        w.step(1.0).unwrap();
        assert_eq!(kinds(&w).first(), Some(&(EventKind::Begin, one)));
    }
}

#[test]
fn an_error_leaves_the_list_of_the_last_step() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    w.add_circle(bullet()).unwrap();
    w.add_segment(upright(51.0)).unwrap();
    w.step(1.0).unwrap();
    let before = w.impacts().to_vec();
    assert_eq!(before.len(), 1);
    w.step(-1.0).unwrap_err();
    let out = w.add_circle(Circle::new([0.0, 500.0], 1.0).with_velocity([f32::MAX, 0.0])).unwrap();
    w.step(2.0).unwrap_err();
    assert_eq!((w.impacts(), w.stats().impacts), (&before[..], 1));
    w.remove_circle(out).unwrap();
    // What is saved is not what was told.
    let bytes = w.save();
    w.restore(&bytes).unwrap();
    assert!(w.impacts().is_empty());
}

#[test]
fn nobody_is_told_of_where_nothing_holds() {
    let told = |config: WorldConfig, ball: gridlane::CircleBody| {
        let mut w = World::new(config).unwrap();
        w.add_circle(ball).unwrap();
        w.add_segment(upright(51.0)).unwrap();
        w.step(1.0).unwrap();
        (w.impacts().len(), w.events().len())
    };
    let config = WorldConfig::default();
    assert_eq!(told(config.clone(), bullet()), (1, 2));
    assert_eq!(told(config.clone().with_events(false), bullet()), (1, 0));
    assert_eq!(told(config.clone().with_response(Response::None), bullet()), (0, 0));
    assert_eq!(told(config.clone(), bullet().with_sensor(true)), (0, 0));
    assert_eq!(told(config, bullet().with_inverse_mass(0.0)).0, 0);
}

/// Bullets in a box with walls, some of which move.
fn storm(threads: usize) -> World {
    let bounds = Bounds::Reflect { min: Vec2::new(-30.0, -30.0), max: Vec2::new(30.0, 30.0) };
    let config = WorldConfig::default().with_threads(Threads::Fixed(threads)).with_bounds(bounds);
    let mut w = World::new(config.with_restitution(0.9)).unwrap();
    let mut state = 7u32;
    let mut number = |low: f32, high: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (state >> 8) as f32 / (1u32 << 24) as f32
    };
    for k in 0..500 {
        let speed = if k % 3 == 0 { 9.0 } else { 3000.0 };
        let velocity = [number(-speed, speed), number(-speed, speed)];
        let body = Circle::new([number(-29.0, 29.0), number(-29.0, 29.0)], number(0.1, 0.6)).with_velocity(velocity);
        w.add_circle(body).unwrap();
    }
    for k in 0..80 {
        let (at, way) = ([number(-29.0, 29.0), number(-29.0, 29.0)], [number(-6.0, 6.0), number(-6.0, 6.0)]);
        let wall = Segment::new(at, [at[0] + way[0], at[1] + way[1]]);
        let velocity = [number(-5.0, 5.0), number(-5.0, 5.0)];
        if k % 8 == 0 { w.add_segment(wall.with_velocity(velocity)) } else { w.add_segment(wall) }.unwrap();
    }
    w
}

#[test]
fn lists_are_in_order_and_the_same_for_any_number_of_threads() {
    let mut worlds = [1, 2, 3, 8, 16].map(storm);
    let (mut impacts, mut many, mut later) = (0, 0, 0);
    for step in 0..30 {
        let rows: Vec<_> = worlds[0].circles().handles().to_vec();
        for w in &mut worlds {
            w.step(1.0 / 60.0).unwrap();
        }
        let first = &worlds[0];
        for w in &worlds[1..] {
            let bytes = |w: &World| bytemuck::cast_slice::<Impact, u8>(w.impacts()).to_vec();
            assert_eq!(bytes(w), bytes(first), "step {step}");
            assert_eq!((w.events(), w.state_hash()), (first.events(), first.state_hash()), "step {step}");
        }
        // By the rows before the step, then in time; no circle meets more than eight.
        let row = |hit: &Impact| rows.iter().position(|&handle| handle == hit.circle).unwrap();
        let order: Vec<_> = first.impacts().iter().map(|hit| (row(hit), hit.fraction)).collect();
        assert!(order.is_sorted(), "step {step}");
        assert!(order.chunk_by(|a, b| a.0 == b.0).all(|hits| hits.len() <= 8));
        many += order.chunk_by(|a, b| a.0 == b.0).filter(|hits| hits.len() > 1).count();
        impacts += order.len();
        for hit in first.impacts() {
            assert!((0.0..=1.0).contains(&hit.fraction) && hit.approach_speed.is_finite());
            let length = f64::from(hit.normal.x).hypot(f64::from(hit.normal.y));
            assert!((length - 1.0).abs() < 1e-6, "{hit:?}");
        }
        later += flight_events_are_in_order(first, &rows, step);
    }
    assert!(impacts > 1000 && many > 100, "{impacts} impacts, {many} of several");
    assert!(later > 0 && later < impacts / 20, "{later} later");
}

/// Of circles and segments: beginnings of contacts, in their order, then of impacts in theirs; then ends, those of impacts last.
/// Behind both those that met later, by rows: how many.
fn flight_events_are_in_order(w: &World, rows: &[CircleHandle], step: usize) -> usize {
    let events: Vec<_> = kinds(w).into_iter().filter(|e| matches!(e.1, EventPair::CircleSegment(..))).collect();
    let (circles, segments) = (w.circles().handles(), w.segments().handles());
    let contacts = w.contacts().circle_segment().iter();
    let contacts: Vec<_> =
        contacts.map(|c| EventPair::CircleSegment(circles[c.a as usize], segments[c.b as usize])).collect();
    let impacts: Vec<_> = w.impacts().iter().map(|hit| EventPair::CircleSegment(hit.circle, hit.segment)).collect();
    let begins = events.iter().take_while(|e| e.0 == EventKind::Begin).count();
    let (begun, ended) = events.split_at(begins);
    assert!(ended.iter().all(|e| e.0 != EventKind::Begin), "step {step}");
    let row = |pair: &EventPair| match *pair {
        EventPair::CircleSegment(a, b) => {
            let of_wall = segments.iter().position(|&handle| handle == b).unwrap();
            rows.iter().position(|&handle| handle == a).unwrap() * segments.len() + of_wall
        }
        _ => panic!("one of another kind"),
    };
    // Who neither touches nor was met in flight was met while contacts were answered: by those who touch something and may rest.
    let place = |pair: &EventPair| match contacts.iter().position(|other| other == pair) {
        Some(at) => (0, at),
        None => impacts.iter().position(|other| other == pair).map_or_else(|| (2, row(pair)), |at| (1, at)),
    };
    let places: Vec<_> = begun.iter().map(|e| place(&e.1)).collect();
    assert!(places.is_sorted_by(|a, b| a < b), "step {step}: {places:?}");
    // Those that came and went, at the end of the ends.
    let gone: Vec<_> = begun.iter().map(|e| e.1).filter(|pair| place(pair).0 > 0).collect();
    let last: Vec<_> = ended[ended.len() - gone.len()..].iter().map(|e| e.1).collect();
    assert_eq!(last, gone, "step {step}");
    gone.iter().filter(|pair| place(pair).0 == 2).count()
}

/// A cap of radius 2 about (0, 0), from which a thin wall goes along x: what falls at x = 1 with radius 0.5 meets the cap where its centre is 2.5 away,
/// at y = √5.25, though the thin wall begins in the middle of it.
#[test]
fn a_thin_wall_does_not_hide_the_cap_that_it_begins_in() {
    for thin in [false, true] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let cap = world.add_segment(Segment::new([0.0, 0.0], [0.0, 0.0]).with_radius(2.0)).unwrap();
        if thin {
            world.add_segment(Segment::new([0.0, 0.0], [4.0, 0.0])).unwrap();
        }
        world.add_circle(Circle::new([1.0, 6.0], 0.5).with_velocity([0.0, -20.0])).unwrap();
        world.step(0.5).unwrap();
        let first = world.impacts()[0];
        // Of a way of 10; the outline of the cap lies 2 of 2.5 from the middle to the centre.
        let y = 5.25f64.sqrt();
        assert_eq!(first.segment, cap, "{thin}");
        assert!((f64::from(first.fraction) - (6.0 - y) / 10.0).abs() < 1e-6, "{thin}: {first:?}");
        assert!((first.point.x - 0.8).abs() < 1e-5 && (f64::from(first.point.y) - y * 0.8).abs() < 1e-5, "{first:?}");
    }
}
