//! Promise: a hook decides which contacts act, is asked in an order that depends on the input alone, and changes nothing else.

use crate::common::truth::bytes;
use gridlane::{
    Backend, Bounds, Change, Circle, Encounter, Error, EventKind, EventPair, Feature, Response, Segment, Threads,
    Touch, Vec2, Verdict, World, WorldConfig,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Circles that fly at each other in a box with walls, one of them moving; some are sensors.
fn world(backend: Backend, threads: usize) -> World {
    let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(40.0, 40.0) };
    let config = WorldConfig::default().with_bounds(bounds).with_backend(backend);
    let mut w = World::new(config.with_threads(Threads::Fixed(threads))).unwrap();
    for k in 0..400 {
        let (x, y) = ((k % 20) as f32 * 2.0 + 1.0, (k / 20) as f32 * 2.0 + 1.0);
        let velocity = [(k * 7 % 13) as f32 - 6.0, (k * 5 % 11) as f32 - 5.0];
        let body = Circle::new([x, y], 0.8).with_velocity(velocity);
        w.add_circle(body.with_sensor(k % 9 == 0).with_user_data(k)).unwrap();
    }
    for k in 0..10 {
        let x = 4.0 * k as f32;
        w.add_segment(Segment::new([x, 3.0], [x + 2.0, 37.0]).with_user_data(1000 + k)).unwrap();
        w.add_segment(Segment::new([x, 20.0], [x + 3.0, 20.0]).with_velocity([1.0, 0.5])).unwrap();
    }
    w
}

#[test]
fn a_hook_that_lets_all_act_or_all_pass_is_a_step_with_or_without_response() {
    let mut plain = world(Backend::Wide, 1);
    let mut hooked = world(Backend::Wide, 1);
    for _ in 0..100 {
        plain.step(1.0 / 60.0).unwrap();
        hooked.step_with(1.0 / 60.0, |_| Verdict::Act).unwrap();
        assert_eq!((plain.state_hash(), plain.events()), (hooked.state_hash(), hooked.events()));
    }
    let silent = |w: &World| World::new(w.config().clone().with_response(Response::None)).unwrap();
    let (mut plain, mut hooked) = (silent(&plain), World::new(plain.config().clone()).unwrap());
    for w in [&mut plain, &mut hooked] {
        w.add_circle(Circle::new([4.0, 4.0], 1.0).with_velocity([1.0, 0.0])).unwrap();
        w.add_circle(Circle::new([7.0, 4.0], 1.0).with_velocity([-1.0, 0.0])).unwrap();
        w.add_segment(Segment::new([5.5, 0.0], [5.5, 9.0])).unwrap();
    }
    let mut asked = 0;
    for _ in 0..120 {
        plain.step(1.0 / 60.0).unwrap();
        hooked
            .step_with(1.0 / 60.0, |_| {
                asked += 1;
                Verdict::Pass
            })
            .unwrap();
        assert_eq!((plain.state_hash(), plain.events()), (hooked.state_hash(), hooked.events()));
        assert!(bytes(plain.contacts()) == bytes(hooked.contacts()), "what passes is reported all the same");
    }
    assert!(asked > 60);
}

/// Everything a hook was told, with its answers: every third contact passes.
fn told(w: &mut World) -> Vec<Encounter> {
    let mut all = Vec::new();
    w.step_with(1.0 / 60.0, |met| {
        all.push(*met);
        if all.len() % 3 == 0 { Verdict::Pass } else { Verdict::Act }
    })
    .unwrap();
    all
}

#[test]
fn it_is_asked_in_the_order_of_the_contacts_whatever_the_backend_and_the_threads() {
    let mut worlds = [world(Backend::Wide, 1), world(Backend::Scalar, 1), world(Backend::Wide, 3)];
    let mut count = 0;
    for _ in 0..60 {
        let [first, second, third] = worlds.each_mut().map(told);
        assert!(first == second && first == third);
        let w = &worlds[0];
        assert!(worlds.iter().all(|other| other.state_hash() == w.state_hash()));
        let (circles, segments) = (w.circles(), w.segments());
        let sensor = |row: u32| circles.sensor()[row as usize];
        let cc = w.contacts().circle_circle().iter().filter(|c| !sensor(c.a) && !sensor(c.b));
        let cc = cc.map(|c| {
            let (a, b) = (circles.handles()[c.a as usize], circles.handles()[c.b as usize]);
            (EventPair::CircleCircle(a.min(b), a.max(b)), c.separation, None)
        });
        let cs = w.contacts().circle_segment().iter().filter(|c| !sensor(c.a)).map(|c| {
            let pair = EventPair::CircleSegment(circles.handles()[c.a as usize], segments.handles()[c.b as usize]);
            (pair, c.separation, Some(c.feature))
        });
        let expected: Vec<_> = cc.chain(cs).collect();
        assert_eq!(first.iter().map(|met| (met.pair, met.separation, met.feature)).collect::<Vec<_>>(), expected);
        for met in &first {
            let EventPair::CircleCircle(a, b) = met.pair else { continue };
            assert_eq!(met.user_data, [a, b].map(|circle| w.circle(circle).unwrap().user_data));
        }
        // What begins is told the hook in the same words.
        for event in w.events().iter().filter(|event| event.kind == EventKind::Begin) {
            if let Some(met) = first.iter().find(|met| met.pair == event.pair) {
                assert_eq!((Some(met.touch), met.user_data), (event.touch, event.user_data));
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn it_is_told_how_they_met() {
    let mut w = World::new(WorldConfig::default().with_gravity([0.0, -2.0])).unwrap();
    let a = w.add_circle(Circle::new([2.0, 1.375], 0.5).with_velocity([1.0, -3.0]).with_user_data(7)).unwrap();
    // The right end rises at 4: 3 where the circle will be, three quarters along.
    let floor = Segment::new([0.0, 0.0], [3.0, -1.0]).with_end_velocities([0.0, 0.0], [0.0, 4.0]).with_user_data(8);
    let b = w.add_segment(floor).unwrap();
    let mut met = Vec::new();
    w.step_with(0.25, |encounter| {
        met.push(*encounter);
        Verdict::Pass
    })
    .unwrap();
    // v = -3 - 2/4 = -3.5, y = 1.375 - 3.5/4 = 0.5, x = 2.25; the wall lies flat.
    let [met] = met[..] else { panic!("{met:?}") };
    assert_eq!((met.pair, met.user_data), (EventPair::CircleSegment(a, b), [7, 8]));
    assert_eq!(met.velocities, [Vec2::new(1.0, -3.5), Vec2::new(0.0, 3.0)]);
    assert_eq!((met.separation, met.feature), (0.0, Some(Feature::Interior)));
    let touch = Touch { point: Vec2::new(2.25, 0.0), normal: Vec2::new(0.0, -1.0), approach_speed: 6.5 };
    assert_eq!((met.touch, w.events()[0].touch), (touch, Some(touch)));
    assert_eq!(w.circle(a).unwrap().velocity, Vec2::new(1.0, -3.5), "it passed");
}

#[test]
fn where_nothing_is_answered_nobody_is_asked() {
    for (response, dt) in [(Response::None, 0.5), (Response::Impulse, 0.0)] {
        let mut w = World::new(WorldConfig::default().with_response(response)).unwrap();
        w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
        w.add_circle(Circle::new([1.0, 0.0], 1.0)).unwrap();
        w.step_with(dt, |met| panic!("{met:?}")).unwrap();
        assert_eq!(w.events().len(), 1);
        assert!(w.step_with(-1.0, |_| Verdict::Act).is_err());
    }
}

#[test]
fn a_panic_in_a_hook_leaves_the_world_as_it_was() {
    let (mut w, mut other) = (world(Backend::Wide, 1), world(Backend::Wide, 1));
    for w in [&mut w, &mut other] {
        w.step(1.0 / 60.0).unwrap();
    }
    let (before, saved) = (w.state_hash(), w.save());
    let result =
        catch_unwind(AssertUnwindSafe(|| w.step_with(1.0 / 60.0, |_| std::panic::resume_unwind(Box::new("no")))));
    assert!(result.is_err());
    assert!(w.state_hash() == before && w.save() == saved && w.events() == other.events());
    for _ in 0..20 {
        w.step(1.0 / 60.0).unwrap();
        other.step(1.0 / 60.0).unwrap();
        assert_eq!((w.state_hash(), w.events()), (other.state_hash(), other.events()));
    }
}

const DT: f32 = 1.0 / 60.0;

/// Every contact acts with this change.
fn steps_with(w: &mut World, steps: usize, change: Change) {
    for _ in 0..steps {
        w.step_with(DT, |_| Verdict::With(change)).unwrap();
    }
}

/// How fast a ball leaves a wall that it meets at a speed, slow enough to be asked about.
fn leaves(restitution: f32, speed: f32, change: Change) -> f32 {
    let mut w = World::new(WorldConfig::default().with_restitution(restitution)).unwrap();
    w.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
    let height = if speed > 0.0 { 0.6 } else { 0.5 };
    let ball = w.add_circle(Circle::new([0.0, height], 0.5).with_velocity([0.25, -speed])).unwrap();
    steps_with(&mut w, 30, change);
    let body = w.circle(ball).unwrap();
    assert_eq!(body.velocity.x, 0.25, "nothing acts along the wall");
    assert!(body.shape.center.y >= 0.499, "{}", body.shape.center.y);
    body.velocity.y
}

#[test]
fn a_changed_restitution_is_what_comes_back() {
    let change = Change::default().with_restitution(0.25);
    // A quarter of 2, whatever the world says; 1 in a world that gives nothing back, and nothing in one that gives all.
    for world in [0.0, 0.5, 1.0] {
        assert!((leaves(world, 2.0, change) - 0.5).abs() < 1e-5, "{world}");
    }
    assert!((leaves(0.0, 2.0, Change::default().with_restitution(1.0)) - 2.0).abs() < 1e-5);
    assert!(leaves(1.0, 2.0, Change::default().with_restitution(0.0)).abs() < 0.01);
    // Two circles that close at 2: of equal masses each leaves with half of half of it.
    for world in [0.0, 1.0] {
        let mut w = World::new(WorldConfig::default().with_restitution(world)).unwrap();
        let one = w.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
        let two = w.add_circle(Circle::new([1.1, 0.0], 0.5).with_velocity([-1.0, 0.0])).unwrap();
        steps_with(&mut w, 30, Change::default().with_restitution(0.5));
        let x = [one, two].map(|circle| w.circle(circle).unwrap().velocity.x);
        assert!((x[0] + 0.5).abs() < 1e-5 && (x[1] - 0.5).abs() < 1e-5, "{world}: {x:?}");
    }
}

#[test]
fn bodies_part_at_least_at_the_speed_that_is_asked_for() {
    let change = Change::default().with_speed(3.0);
    for world in [0.0, 0.5, 1.0] {
        // Met at 2; lying there at rest; and one that comes back faster by itself is left alone.
        assert!((leaves(world, 2.0, change) - 3.0).abs() < 1e-5, "{world}");
        assert!((leaves(world, 0.0, change) - 3.0).abs() < 1e-5, "{world}");
    }
    assert!((leaves(1.0, 4.0, change) - 4.0).abs() < 1e-5);
    assert!((leaves(0.0, 4.0, change.with_restitution(1.0)) - 4.0).abs() < 1e-5);
    // Masses 1 and 3 that touch: they part at 4, and the momentum stays 1·1 + 3·1 = 4: so 1 - 3 and 1 + 1.
    for world in [0.0, 1.0] {
        let mut w = World::new(WorldConfig::default().with_restitution(world)).unwrap();
        let light = w.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
        let heavy = Circle::new([1.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_inverse_mass(1.0 / 3.0);
        let heavy = w.add_circle(heavy).unwrap();
        steps_with(&mut w, 30, Change::default().with_speed(4.0));
        let x = [light, heavy].map(|circle| w.circle(circle).unwrap().velocity.x);
        assert!((x[0] + 2.0).abs() < 1e-5 && (x[1] - 2.0).abs() < 1e-5, "{world}: {x:?}");
    }
}

#[test]
fn a_ball_in_a_heap_can_be_the_only_lively_one() {
    // Only what touches the ball of user data 1 gives anything back; all others come to rest.
    let mut w = World::new(WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.0)).unwrap();
    w.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    let at = |x: f32, lively: u64| Circle::new([x, 1.6], 0.5).with_user_data(lively);
    let [dull, lively] = [(-3.0, 0), (3.0, 1)].map(|(x, lively)| w.add_circle(at(x, lively)).unwrap());
    let mut top = [0.0f32; 2];
    for step in 0..100 {
        w.step_with(DT, |met| {
            let change = Change::default().with_restitution(0.75);
            if met.user_data.contains(&1) { Verdict::With(change) } else { Verdict::Act }
        })
        .unwrap();
        // Down after sqrt(2·1.1 / 9.81) = 0.474 s, 28 steps.
        if step > 40 {
            let y = [dull, lively].map(|circle| w.circle(circle).unwrap().shape.center.y - 0.5);
            top = [top[0].max(y[0]), top[1].max(y[1])];
        }
    }
    // It fell 1.1, and 0.75² of it comes back: 0.619.
    assert!(top[0] < 0.01 && (top[1] - 0.619).abs() < 0.05, "{top:?}");
}

#[test]
fn a_change_that_changes_nothing_is_none() {
    let (mut plain, mut hooked) = (world(Backend::Wide, 1), world(Backend::Wide, 1));
    for _ in 0..60 {
        plain.step(DT).unwrap();
        steps_with(&mut hooked, 1, Change::default());
        assert_eq!((plain.state_hash(), plain.events()), (hooked.state_hash(), hooked.events()));
    }
}

#[test]
fn what_is_changed_is_the_same_whatever_the_backend_and_the_threads() {
    let mut worlds = [world(Backend::Wide, 1), world(Backend::Scalar, 1), world(Backend::Wide, 3)];
    let mut changed = 0;
    for _ in 0..60 {
        for w in &mut worlds {
            let mut asked = 0u32;
            w.step_with(DT, |_| {
                asked += 1;
                changed += u32::from(asked % 4 > 1);
                match asked % 4 {
                    0 => Verdict::Act,
                    1 => Verdict::Pass,
                    2 => Verdict::With(Change::default().with_restitution(0.5)),
                    _ => Verdict::With(Change::default().with_speed(2.0)),
                }
            })
            .unwrap();
        }
        let [one, others @ ..] = &worlds;
        assert!(others.iter().all(|other| other.state_hash() == one.state_hash() && other.save() == one.save()));
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn a_change_out_of_its_range_is_refused_and_nothing_has_happened() {
    let (mut w, mut other) = (world(Backend::Wide, 1), world(Backend::Wide, 1));
    for w in [&mut w, &mut other] {
        w.step(DT).unwrap();
    }
    let saved = w.save();
    let (restitution, speed) = (|v| Change::default().with_restitution(v), |v| Change::default().with_speed(v));
    for (change, wrong) in [
        (restitution(-0.5), "restitution"),
        (restitution(1.0f32.next_up()), "restitution"),
        (restitution(f32::NAN), "restitution"),
        (speed(-1.0), "speed"),
        (speed(f32::INFINITY), "speed"),
        (speed(f32::NAN), "speed"),
    ] {
        let mut asked = 0;
        let result = w.step_with(DT, |_| {
            asked += 1;
            Verdict::With(change)
        });
        assert!(matches!(result, Err(Error::Verdict { field, .. }) if field == wrong), "{result:?}");
        assert!(asked == 1 && w.save() == saved && w.events() == other.events());
    }
    // The largest speed there is may leave the range of numbers, which is told as ever.
    let result = w.step_with(DT, |_| Verdict::With(speed(f32::MAX)));
    assert!(result.is_ok() || matches!(result, Err(Error::OutOfRange { .. })), "{result:?}");
    other.step(DT).unwrap();
    w.restore(&saved).unwrap();
    w.step(DT).unwrap();
    assert_eq!((w.state_hash(), w.events()), (other.state_hash(), other.events()));
}

/// A step that takes no time asks nobody, so whom a hook has let through is let through still.
#[test]
fn a_step_of_no_time_forgets_nobody_who_is_let_through() {
    for between in 0..3 {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
        let circle = world.add_circle(Circle::new([0.0, -2.0], 0.5).with_velocity([0.0, 4.0])).unwrap();
        for _ in 0..60 {
            assert_eq!(world.step_with(1.0 / 60.0, |_| Verdict::Pass).unwrap().held, 0);
            match between {
                0 => {}
                1 => _ = world.step(0.0).unwrap(),
                _ => _ = world.step_with(0.0, |_| Verdict::Act).unwrap(),
            }
        }
        // From -2 for a second at 4.
        let y = world.circle(circle).unwrap().shape.center.y;
        assert!((y - 2.0).abs() < 1e-4, "{between}: {y}");
    }
}
