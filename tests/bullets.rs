//! Promise: a bullet does not pass through another circle: both meet when they first touch, bounce by their masses, and fly on.

use gridlane::{
    AxisBounds, Bounds, Circle, CircleBodies, CircleBody, CircleHandle, CircleImpact, EndReason, Event, EventKind,
    EventPair, Filter, PairKinds, Response, Segment, Vec2, World, WorldConfig,
};

const APART: EventKind = EventKind::End(EndReason::Apart);

fn world() -> World {
    World::new(WorldConfig::default()).unwrap()
}

/// Radius 0.5, at the origin, to the right.
fn bullet(speed: f32) -> CircleBody {
    Circle::new([0.0, 0.0], 0.5).with_velocity([speed, 0.0]).with_bullet(true)
}

fn velocity(w: &World, circle: CircleHandle) -> [f32; 2] {
    w.circle(circle).unwrap().velocity.into()
}

fn place(w: &World, circle: CircleHandle) -> [f32; 2] {
    w.circle(circle).unwrap().shape.center.into()
}

fn near(a: [f32; 2], b: [f32; 2], most: f32) -> bool {
    (0..2).all(|k| (a[k] - b[k]).abs() <= most)
}

#[test]
fn equal_masses_exchange_their_speeds_head_on() {
    for diameters in [1.0f32, 100.0, 1000.0] {
        let mut w = world();
        let shot = w.add_circle(bullet(diameters)).unwrap();
        // The gap is half of the way.
        let target = w.add_circle(Circle::new([1.0 + 0.5 * diameters, 0.0], 0.5)).unwrap();
        let stats = w.step(1.0).unwrap();
        let met = CircleImpact {
            circles: [shot, target],
            point: Vec2::new(0.5 + 0.5 * diameters, 0.0),
            normal: Vec2::new(1.0, 0.0),
            approach_speed: diameters,
            fraction: 0.5,
        };
        assert_eq!(w.circle_impacts(), [met]);
        assert_eq!((velocity(&w, shot), velocity(&w, target)), ([0.0, 0.0], [diameters, 0.0]));
        assert_eq!((place(&w, shot), place(&w, target)), ([0.5 * diameters, 0.0], [1.0 + diameters, 0.0]));
        // One impulse, of mass 1 and all of the speed, over the distance 1.
        assert_eq!(stats.virial, f64::from(diameters));
        let pair = EventPair::CircleCircle(shot, target);
        let told: Vec<_> = w.events().iter().map(|event| (event.kind, event.pair)).collect();
        assert_eq!(told, [(EventKind::Begin, pair), (APART, pair)]);
        let touch = w.events()[0].touch.unwrap();
        assert_eq!((touch.point, touch.normal, touch.approach_speed), (met.point, met.normal, diameters));
        w.step(1e-3).unwrap();
        assert!(w.circle_impacts().is_empty() && w.events().is_empty());
        // Without the mark it goes through.
        w.set_circle(shot, bullet(diameters).with_bullet(false)).unwrap();
        w.set_circle(target, Circle::new([1.0 + 0.5 * diameters, 0.0], 0.5)).unwrap();
        w.step(1.0).unwrap();
        assert_eq!((w.circle_impacts().len(), velocity(&w, target)[0] > 0.0), (0, diameters < 2.0));
    }
}

#[test]
fn off_the_centre_both_part_along_the_line_of_centres() {
    for length in [4.0f32, 400.0, 4000.0] {
        let mut w = world();
        // 3-4-5: 3 aside at reach 5, met 4 before it, after half of the way: the normal is (0.8, 0.6).
        let shot = w.add_circle(Circle::new([0.0, 0.0], 2.0).with_velocity([length, 0.0]).with_bullet(true)).unwrap();
        let target = w.add_circle(Circle::new([0.5 * length + 4.0, 3.0], 3.0)).unwrap();
        w.step(1.0).unwrap();
        let [met] = w.circle_impacts() else { panic!("{:?}", w.circle_impacts()) };
        let ulp = length * 1e-6;
        assert!(near(met.normal.into(), [0.8, 0.6], 1e-6) && near(met.point.into(), [0.5 * length + 1.6, 1.2], ulp));
        assert!((met.fraction - 0.5).abs() < 1e-6 && (met.approach_speed - 0.8 * length).abs() < ulp);
        // Of (v, 0) the target takes what is along the normal, 0.8 v (0.8, 0.6); the rest stays.
        let v = [[0.36, -0.48], [0.64, 0.48]].map(|v: [f32; 2]| v.map(|v| v * length));
        assert!(near(velocity(&w, shot), v[0], ulp) && near(velocity(&w, target), v[1], ulp));
        let at = [[0.5 * length, 0.0], [0.5 * length + 4.0, 3.0]];
        let to = |k: usize| [0, 1].map(|axis| at[k][axis] + 0.5 * v[k][axis]);
        assert!(near(place(&w, shot), to(0), ulp) && near(place(&w, target), to(1), ulp));
    }
}

#[test]
fn masses_and_restitutions_say_how_they_part() {
    // One over the masses, the restitution, and both velocities after 120 meet 0: v1 = 120 - (1 + e) 120 w1 / (w1 + w2), v2 = the rest by w2.
    for ([w1, w2], e, after) in [
        ([1.0, 1.0], 1.0, [0.0, 120.0]),
        ([1.0, 0.0], 1.0, [-120.0, 0.0]),
        ([1.0, 0.0], 0.5, [-60.0, 0.0]),
        ([1.0, 3.0], 1.0, [60.0, 180.0]),
        ([3.0, 1.0], 1.0, [-60.0, 60.0]),
        ([1.0, 1.0], 0.5, [30.0, 90.0]),
        ([0.0, 1.0], 1.0, [120.0, 240.0]),
        ([1.0, 1.0], 0.0, [60.0, 60.0]),
    ] {
        let mut w = World::new(WorldConfig::default().with_restitution(e)).unwrap();
        let shot = w.add_circle(bullet(120.0).with_inverse_mass(w1)).unwrap();
        let target = w.add_circle(Circle::new([61.0, 0.0], 0.5).with_inverse_mass(w2)).unwrap();
        w.step(1.0).unwrap();
        assert_eq!(w.circle_impacts().len(), 1, "{w1} {w2} {e}");
        assert!(near(velocity(&w, shot), [after[0], 0.0], 1e-4), "{w1} {w2} {e}: {:?}", velocity(&w, shot));
        assert!(near(velocity(&w, target), [after[1], 0.0], 1e-4), "{w1} {w2} {e}: {:?}", velocity(&w, target));
        let at = [60.0 + 0.5 * after[0], 61.0 + 0.5 * after[1]];
        assert!(near(place(&w, shot), [at[0], 0.0], 1e-4) && near(place(&w, target), [at[1], 0.0], 1e-4));
    }
}

#[test]
fn targets_that_move_are_met_where_they_are() {
    let meeting = |target: CircleBody| {
        let mut w = world();
        w.add_circle(bullet(100.0)).unwrap();
        w.add_circle(target).unwrap();
        w.step(1.0).unwrap();
        w.circle_impacts().first().map(|met| (met.fraction, met.approach_speed))
    };
    let at = |x: f32, y: f32| Circle::new([x, y], 0.5);
    // Away as fast, and faster; towards; slow, and across the way: at (50, 0) after half of it.
    assert_eq!(meeting(at(3.0, 0.0).with_velocity([100.0, 0.0])), None);
    assert_eq!(meeting(at(3.0, 0.0).with_velocity([200.0, 0.0])), None);
    assert_eq!(meeting(at(101.0, 0.0).with_velocity([-100.0, 0.0])), Some((0.5, 200.0)));
    assert_eq!(meeting(at(76.0, 0.0).with_velocity([50.0, 0.0])), None);
    assert_eq!(meeting(at(26.0, 0.0).with_velocity([50.0, 0.0])), Some((0.5, 50.0)));
    // Both at 45 degrees to each other, reach 1: apart by (40, -40) that shrinks to nothing at 0.4; by 1 at 0.4 - 0.01 / √2.
    let (fraction, speed) = meeting(at(40.0, -40.0).with_velocity([0.0, 100.0])).unwrap();
    assert!((fraction - (0.4 - 0.01 / 2f32.sqrt())).abs() < 1e-6 && (speed - 141.42136).abs() < 1e-4);
    // At where it was it is no more.
    assert_eq!(meeting(at(50.0, 0.0).with_velocity([0.0, 10.0])), None);
}

#[test]
fn touching_is_meeting() {
    let passing = |y: f32| {
        let mut w = world();
        let shot = w.add_circle(bullet(100.0)).unwrap();
        w.add_circle(Circle::new([50.0, y], 0.5)).unwrap();
        w.step(1.0).unwrap();
        assert_eq!((velocity(&w, shot)[0], place(&w, shot)[0]), (100.0, 100.0));
        let told: Vec<_> = w.circle_impacts().iter().map(|met| (met.fraction, met.approach_speed)).collect();
        assert_eq!(w.events().len(), 2 * told.len());
        told
    };
    // Grazed: nobody is turned.
    assert_eq!((passing(1.0), passing(-1.0)), (vec![(0.5, 0.0)], vec![(0.5, 0.0)]));
    assert_eq!((passing(1.0f32.next_up()), passing(-1.0f32.next_up())), (vec![], vec![]));
    // At the very end of the way.
    let mut w = world();
    let shot = w.add_circle(bullet(100.0)).unwrap();
    let target = w.add_circle(Circle::new([101.0, 0.0], 0.5)).unwrap();
    w.step(1.0).unwrap();
    assert_eq!((w.circle_impacts().len(), w.circle_impacts()[0].fraction), (1, 1.0));
    assert_eq!((velocity(&w, shot), velocity(&w, target)), ([0.0, 0.0], [100.0, 0.0]));
    // They touch at the end, and are told of once.
    assert_eq!((w.contacts().circle_circle().len(), w.events().len()), (1, 1));
    assert_eq!(w.events()[0].touch.unwrap().approach_speed, 100.0);
}

#[test]
fn what_touches_at_the_start_is_met_at_once_or_never() {
    for (x, fraction) in [(1.0, Some(0.0)), (0.5, Some(0.0)), (-0.5, None), (-1.0, None)] {
        let mut w = world();
        let shot = w.add_circle(bullet(100.0)).unwrap();
        let target = w.add_circle(Circle::new([x, 0.0], 0.5)).unwrap();
        w.step(1.0).unwrap();
        assert_eq!(w.circle_impacts().first().map(|met| met.fraction), fraction, "{x}");
        let [v, u] = [shot, target].map(|circle| velocity(&w, circle)[0]);
        assert_eq!([v, u], if fraction.is_some() { [0.0, 100.0] } else { [100.0, 0.0] });
    }
    // On the very same place: along the way that they part.
    let mut w = world();
    let [one, two] = [100.0, 0.0].map(|speed| w.add_circle(bullet(speed)).unwrap());
    w.step(1.0).unwrap();
    assert!(velocity(&w, one)[0] + velocity(&w, two)[0] == 100.0 && w.circle_impacts().len() <= 1);
}

#[test]
fn whom_nothing_holds_is_not_met() {
    let config = WorldConfig::default;
    let met = |config: WorldConfig, shot: CircleBody, target: CircleBody| {
        let mut w = World::new(config).unwrap();
        w.add_circle(shot).unwrap();
        w.add_circle(target).unwrap();
        w.step(1.0).unwrap();
        w.circle_impacts().len()
    };
    let target = CircleBody::from(Circle::new([51.0, 0.0], 0.5));
    assert_eq!(met(config(), bullet(100.0), target), 1);
    assert_eq!(met(config(), bullet(100.0).with_bullet(false), target), 0);
    assert_eq!(met(config(), bullet(100.0).with_sensor(true), target), 0);
    assert_eq!(met(config(), bullet(100.0), target.with_sensor(true)), 0);
    assert_eq!(met(config(), bullet(100.0), target.with_enabled(false)), 0);
    assert_eq!(met(config(), bullet(100.0).with_enabled(false), target), 0);
    assert_eq!(met(config(), bullet(100.0), target.with_filter(Filter::new(2, 2))), 0);
    assert_eq!(met(config(), bullet(100.0).with_inverse_mass(0.0), target.with_inverse_mass(0.0)), 0);
    assert_eq!(met(config().with_response(Response::None), bullet(100.0), target), 0);
    let kinds = PairKinds { circle_circle: false, ..PairKinds::ALL };
    assert_eq!(met(config().with_pair_kinds(kinds), bullet(100.0), target), 0);
    // Slow: half of its radius. Contacts answer it.
    let touching = Circle::new([1.125, 0.0], 0.5);
    assert_eq!(met(config(), bullet(0.25), touching.into()), 0);
    assert_eq!(met(config(), bullet(0.25f32.next_up()), touching.into()), 1);
}

#[test]
fn several_in_a_row_are_met_one_after_the_other() {
    // A heavy bullet through light targets: each is met.
    let mut w = world();
    let shot = w.add_circle(bullet(1000.0).with_inverse_mass(1e-6)).unwrap();
    let targets: Vec<_> =
        (1..=5).map(|k| w.add_circle(Circle::new([100.0 * k as f32 + 1.0, 0.0], 0.5)).unwrap()).collect();
    w.step(1.0).unwrap();
    let pairs: Vec<_> = w.circle_impacts().iter().map(|met| met.circles).collect();
    assert_eq!(pairs, targets.iter().map(|&target| [shot, target]).collect::<Vec<_>>());
    assert!(targets.iter().all(|&target| velocity(&w, target)[0] > 1990.0) && velocity(&w, shot)[0] > 990.0);

    // Balls of one mass, all bullets, hand it on to the last one.
    let mut w = world();
    let row: Vec<_> = (0..6)
        .map(|k| {
            w.add_circle(bullet(0.0))
                .and_then(|ball| w.move_circle(ball, [10.0 * k as f32, 0.0]).map(|()| ball))
                .unwrap()
        })
        .collect();
    w.set_circle_velocity(row[0], [100.0, 0.0]).unwrap();
    w.step(1.0).unwrap();
    assert_eq!(w.circle_impacts().len(), 5);
    let speeds: Vec<_> = row.iter().map(|&ball| velocity(&w, ball)[0]).collect();
    assert_eq!(speeds, [0.0, 0.0, 0.0, 0.0, 0.0, 100.0]);
    // Five gaps of 9, 45 in all, lie behind: the last flies the 55 that are left, from 50.
    assert_eq!(place(&w, row[5]), [50.0 + 55.0, 0.0]);
}

#[test]
fn of_equal_times_the_lowest_handles_come_first() {
    // A bullet in the middle of four, and two pairs besides: all at a half.
    let mut w = world();
    let mut pairs = Vec::new();
    for k in [3.0f32, 1.0, 2.0] {
        let body = |x: f32, v: f32| Circle::new([x, 100.0 * k], 0.5).with_velocity([v, 0.0]).with_bullet(true);
        let [left, right] = [body(-50.5, 100.0), body(50.5, -100.0)].map(|body| w.add_circle(body).unwrap());
        pairs.push([left, right]);
    }
    w.step(1.0).unwrap();
    assert_eq!(w.circle_impacts().iter().map(|met| met.circles).collect::<Vec<_>>(), pairs);
    assert!(w.circle_impacts().iter().all(|met| met.fraction == 0.5 && met.approach_speed == 200.0));
    // Straight between two: the lower first, and both are met.
    let mut w = world();
    let [up, down] = [1.0f32, -1.0].map(|y| w.add_circle(Circle::new([50.0, 0.75 * y], 0.5)).unwrap());
    let shot = w.add_circle(bullet(100.0)).unwrap();
    w.step(1.0).unwrap();
    let told: Vec<_> = w.circle_impacts().iter().map(|met| met.circles).collect();
    assert_eq!(told, [[up, shot], [down, shot]]);
}

/// Handles are ordered by index, then by generation: one that has been used again is still the lower one.
#[test]
fn indices_that_are_used_again_keep_their_order() {
    let mut w = world();
    let gone = w.add_circle(bullet(100.0)).unwrap();
    let target = w.add_circle(Circle::new([51.0, 0.0], 0.5)).unwrap();
    w.remove_circle(gone).unwrap();
    let shot = w.add_circle(bullet(100.0)).unwrap();
    assert!(shot < target && shot.to_bits() > target.to_bits());
    w.step(1.0).unwrap();
    assert_eq!(w.circle_impacts()[0].circles, [shot, target]);
    assert!(
        w.events().iter().all(|event| event.pair == EventPair::CircleCircle(shot, target)) && w.events().len() == 2
    );
}

#[test]
fn after_eight_it_stays() {
    let mut w = world();
    let shot = w.add_circle(bullet(1000.0)).unwrap();
    for x in [-11.0, 11.0] {
        w.add_circle(Circle::new([x, 0.0], 0.5).with_inverse_mass(0.0)).unwrap();
    }
    w.step(1.0).unwrap();
    // After 10, 30, 50, ... of 1000.
    let told: Vec<_> = w.circle_impacts().iter().map(|met| (met.fraction * 1000.0).round()).collect();
    assert_eq!(told, [10.0, 30.0, 50.0, 70.0, 90.0, 110.0, 130.0, 150.0]);
    assert_eq!((place(&w, shot), velocity(&w, shot)), ([-10.0, 0.0], [1000.0, 0.0]));
    // One beginning for each.
    let of = |kind| w.events().iter().filter(|event: &&Event| event.kind == kind).count();
    assert_eq!((of(EventKind::Begin), of(APART)), (2, 1));
}

#[test]
fn who_stays_at_the_eighth_wall_is_turned_there() {
    let mut w = world();
    for x in [-1.0, 1.0] {
        w.add_segment(Segment::new([x, -1000.0], [x, 1000.0])).unwrap();
    }
    let fast = w.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([1000.0, 0.0])).unwrap();
    // The eighth wall is the left one, after 7.5 of 1000.
    let shot = w.add_circle(Circle::new([-0.5, 500.0], 0.5).with_velocity([0.0, -1000.0]).with_bullet(true)).unwrap();
    w.step(1.0).unwrap();
    assert_eq!((w.impacts().len(), w.circle_impacts().len()), (8, 1));
    assert!(near(place(&w, fast), [-0.5, 0.0], 1e-3), "{:?}", place(&w, fast));
    assert!(near(velocity(&w, fast), [1000.0, -1000.0], 1.0), "{:?}", velocity(&w, fast));
    assert!(near(velocity(&w, shot), [0.0, 0.0], 1.0), "{:?}", velocity(&w, shot));
}

#[test]
fn who_stays_takes_what_all_others_give() {
    // One hundred to the left of a body, one after the other: most find it where the eighth has left it, some meet those that come back.
    let mut w = world();
    let body = w.add_circle(Circle::new([0.0, 0.0], 10.0).with_inverse_mass(1.0 / 1024.0)).unwrap();
    let bullets: Vec<_> = (0..100)
        .map(|k| {
            let [x, y] = [-15.0 - 0.75 * k as f32, 0.125 * ((k * 37 % 100) as f32 - 49.5)];
            w.add_circle(Circle::new([x, y], 0.03125).with_velocity([256.0, 0.0]).with_bullet(true)).unwrap()
        })
        .collect();
    w.step(1.0).unwrap();
    let of_body = w.circle_impacts().iter().filter(|met| met.circles.contains(&body)).count();
    assert!(of_body > 80, "{of_body}");
    // What it has is what they have lost.
    let sum = |axis: usize| bullets.iter().map(|&bullet| f64::from(velocity(&w, bullet)[axis])).sum::<f64>();
    let given = [256.0 * 100.0 - sum(0), -sum(1)];
    for axis in [0, 1] {
        let has = 1024.0 * f64::from(velocity(&w, body)[axis]);
        assert!((has - given[axis]).abs() < 1e-4 * given[0].abs(), "{axis}: {has} of {given:?}");
    }
    assert!(given[0] > 256.0 * 100.0, "{given:?}");
    // Where eight have pushed it: no further than the first of them could have in all of the step.
    let at = place(&w, body);
    assert!(at[0] > 0.0 && at[0] < 8.0 * 2.0 * 256.0 / 1024.0, "{at:?}");
}

#[test]
fn across_a_periodic_border() {
    let config = WorldConfig::default()
        .with_bounds(Bounds::PerAxis { x: AxisBounds::Periodic { min: 0.0, max: 100.0 }, y: AxisBounds::None });
    for wall in [false, true] {
        let mut w = World::new(config.clone()).unwrap();
        if wall {
            w.add_segment(Segment::new([0.0, 50.0], [100.0, 50.0])).unwrap();
        }
        let shot = w.add_circle(Circle::new([75.0, 0.0], 0.5).with_velocity([80.0, 0.0]).with_bullet(true)).unwrap();
        let target = w.add_circle(Circle::new([16.0, 0.0], 0.5)).unwrap();
        w.step(1.0).unwrap();
        // The target is at 116: 40 of 80.
        let [met] = w.circle_impacts() else { panic!("{:?}", w.circle_impacts()) };
        assert_eq!((met.fraction, met.approach_speed, met.point.x), (0.5, 80.0, 115.5));
        assert_eq!((place(&w, shot), place(&w, target)), ([15.0, 0.0], [56.0, 0.0]));
        // And to the left.
        w.set_circle(shot, Circle::new([25.0, 0.0], 0.5).with_velocity([-80.0, 0.0]).with_bullet(true)).unwrap();
        w.set_circle(target, Circle::new([84.0, 0.0], 0.5)).unwrap();
        w.step(1.0).unwrap();
        assert_eq!(
            (w.circle_impacts()[0].fraction, place(&w, shot), place(&w, target)),
            (0.5, [85.0, 0.0], [44.0, 0.0])
        );
    }
}

#[test]
fn walls_hold_who_was_hit() {
    let mut w = world();
    let shot = w.add_circle(bullet(100.0)).unwrap();
    let target = w.add_circle(Circle::new([31.0, 0.0], 0.5)).unwrap();
    let wall = w.add_segment(Segment::new([51.5, -9.0], [51.5, 9.0])).unwrap();
    w.step(1.0).unwrap();
    // The target starts after 0.3, is at the wall after 0.2 more, comes back to the bullet, which stands at 30, after another 0.2: then that
    // flies to the left for 0.3.
    let told: Vec<_> = w.circle_impacts().iter().map(|met| (met.fraction * 10.0).round()).collect();
    assert_eq!(told, [3.0, 7.0]);
    let [hit] = w.impacts() else { panic!("{:?}", w.impacts()) };
    assert_eq!((hit.circle, hit.segment, (hit.fraction * 10.0).round()), (target, wall, 5.0));
    assert!(near(place(&w, shot), [0.0, 0.0], 1e-4) && near(place(&w, target), [31.0, 0.0], 1e-4));
    assert!(near(velocity(&w, shot), [-100.0, 0.0], 1e-4) && near(velocity(&w, target), [0.0, 0.0], 1e-4));
    // What the bullet would have met if nobody had been in its way is not told.
    let mut w = world();
    let shot = w.add_circle(bullet(100.0)).unwrap();
    w.add_circle(Circle::new([31.0, 0.0], 0.5).with_inverse_mass(0.0)).unwrap();
    w.add_segment(Segment::new([51.5, -9.0], [51.5, 9.0])).unwrap();
    let stats = w.step(1.0).unwrap();
    // It was to stop an ulp and a half before the wall, so it is where it is to within an ulp.
    assert_eq!((w.impacts().len(), stats.wall_impulse), (0, 0.0));
    assert!(near(place(&w, shot), [-40.0, 0.0], 1e-5) && velocity(&w, shot) == [-100.0, 0.0]);
}

#[test]
fn the_mark_is_kept_and_counts() {
    let mut w = world();
    let bullet = [true, false];
    let two = w.add_circles(CircleBodies {
        x: &[0.0, 9.0],
        y: &[0.0; 2],
        radius: &[1.0; 2],
        bullet: &bullet,
        ..Default::default()
    });
    let two = two.unwrap();
    assert_eq!(two.iter().map(|&c| w.circle(c).unwrap().bullet).collect::<Vec<_>>(), bullet);
    let (hash, bytes) = (w.state_hash(), w.save());
    w.set_circle_bullets(&two, &[false, true]).unwrap();
    assert_eq!(two.iter().map(|&c| w.circle(c).unwrap().bullet).collect::<Vec<_>>(), [false, true]);
    assert!(w.state_hash() != hash && w.save() != bytes);
    w.restore(&bytes).unwrap();
    assert_eq!((w.state_hash(), w.save()), (hash, bytes));
    w.detect().unwrap();
    let row = w.circle_row(two[0]).unwrap();
    assert!(w.circles().bullet()[row] && w.set_circle_bullets(&two, &[true]).is_err());
    w.set_circle_bullet(two[0], false).unwrap();
    let gone = w.remove_circle(two[1]).unwrap();
    assert!(!gone.bullet && w.set_circle_bullet(two[1], true).is_err());
    // Nobody is one any more: as if nobody had ever been.
    let mut plain = world();
    plain.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    assert_eq!(w.state_hash(), plain.state_hash());
}

/// Where the plane repeats a segment that moves may stand anywhere: the next step brings it back.
#[test]
fn a_wall_far_beyond_the_border_lets_no_bullet_through() {
    for far in [150.0f32, 300.0, 3e6] {
        let bounds = Bounds::periodic([-5.0, -5.0], [5.0, 5.0]);
        let mut w = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
        let shot = w.add_circle(Circle::new([-4.0, 0.0], 0.1).with_velocity([6.0, 0.0]).with_bullet(true)).unwrap();
        let target = w.add_circle(Circle::new([0.0, 0.0], 0.1)).unwrap();
        w.add_segment(Segment::new([far, 3.0], [far + 1.0, 3.0]).with_velocity([0.0, 0.1])).unwrap();
        w.step(1.0).unwrap();
        assert_eq!(w.circle_impacts().len(), 1, "{far}");
        assert_eq!([velocity(&w, shot), velocity(&w, target)], [[0.0, 0.0], [6.0, 0.0]], "{far}");
    }
}
