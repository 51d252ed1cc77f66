//! Promise: in a plane that repeats each touching pair is one contact, by its shortest image, of one-sided segments among those that act, that it
//! touches is decided exactly, and a wall moves as it does where it is touched.

use crate::common::oracle::{self, q};
use crate::common::oracle_cases::Random;
use crate::common::torus::{STRETCHES, Torus, circle_of, fill, segment_of, separation, ulps};
use gridlane::{
    Bounds, Circle, CircleBody, Error, Feature, Response, Segment, SegmentBody, Vec2, Verdict, World, WorldConfig,
    geometry,
};
use num_traits::Zero;

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
                let period = torus.period[axis].to_f64().value();
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

/// One pair touches by many of its images, and those of its images that stand as it stands touch too: none of that counts but once.
#[test]
fn as_many_contacts_as_the_limit_are_enough() {
    let bounds = Bounds::periodic([0.0, 0.0], [16.0, 16.0]);
    let build = |limit: usize, walls: u32, circles: u32| {
        let config = WorldConfig::default().with_bounds(bounds).with_contact_limit(limit);
        let mut world = World::new(config.with_response(Response::None)).unwrap();
        for k in 0..walls {
            // Three periods long each way, all through the middle.
            let slant = 24.0 * (k as f32 / walls as f32 * 2.0 - 1.0);
            world.add_segment(Segment::new([8.0 - 24.0, 8.0 - slant], [8.0 + 24.0, 8.0 + slant])).unwrap();
        }
        for k in 0..circles {
            world.add_circle(Circle::new([k as f32 / 4.0, 3.0], 60.0)).unwrap();
        }
        world
    };
    // Pairs of walls, of circles, and of both: all of them touch.
    for (walls, circles) in [(2, 0), (2, 1), (8, 3), (64, 0), (1, 40)] {
        let contacts = (walls * (walls - 1) / 2 + circles * (circles - 1) / 2 + walls * circles) as usize;
        let mut enough = build(contacts, walls, circles);
        enough.detect().unwrap_or_else(|error| panic!("{walls} walls, {circles} circles: {error}"));
        assert_eq!(enough.contacts().len(), contacts, "{walls} walls, {circles} circles");
        let limit = contacts - 1;
        assert_eq!(build(limit, walls, circles).detect().map(drop), Err(Error::TooManyContacts { limit }));
        let mut free = build(1 << 26, walls, circles);
        free.detect().unwrap();
        let told = |world: &World| {
            let contacts = world.contacts();
            let (circles, walls) = (contacts.circle_circle().to_vec(), contacts.segment_segment().to_vec());
            (circles, contacts.circle_segment().to_vec(), walls)
        };
        assert_eq!(told(&enough), told(&free));
    }
}

/// Hook and event tell of a circle at a wall that turns: velocity of the wall, approach by both; and how the circle leaves.
fn at_a_turning_wall(bounds: Bounds, restitution: f32, wall: SegmentBody, center: [f32; 2]) -> ([f32; 4], Vec2) {
    let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_restitution(restitution)).unwrap();
    world.add_segment(wall).unwrap();
    let circle = world.add_circle(Circle::new(center, 0.5)).unwrap();
    let mut told = [f32::NAN; 4];
    world
        .step_with(1e-3, |met| {
            told[..3].copy_from_slice(&[met.velocities[1].x, met.velocities[1].y, met.touch.approach_speed]);
            Verdict::Act
        })
        .unwrap();
    told[3] = world.events()[0].touch.unwrap().approach_speed;
    (told, world.circle(circle).unwrap().velocity)
}

/// At 45 degrees images 20 apart are 14.1 from each other: a small circle at a wall 28 wide touches one of them, and all is as in a plane that
/// does not repeat, where at x the wall moves as much as the nearest point of it is between its ends.
#[test]
fn a_wall_longer_than_a_period_moves_as_it_does_where_it_is_touched() {
    let [start, end] = [[-9.0, 0.0], [19.0, 28.0]];
    for (radius, restitution, velocity) in
        [(0.0, 1.0, [0.0, 2.8]), (1.0, 1.0, [2.8, -2.8]), (0.0, 0.5, [2.8, -2.8]), (1.0, 0.0, [-1.0, 2.0])]
    {
        for (wall, from) in [([start, end], 0.0), ([end, start], 1.0)] {
            let [at_start, at_end] = if from == 0.0 { [[0.0; 2], velocity] } else { [velocity, [0.0; 2]] };
            let body = Segment::new(wall[0], wall[1]).with_radius(radius);
            let wall = SegmentBody::from(body).with_end_velocities(at_start, at_end);
            // From end to end; from below and from above.
            for k in 0..=56 {
                let (along, off) = (k as f32 * 0.5, (radius + 0.49) * if k % 3 == 0 { -0.707 } else { 0.707 });
                let center = [start[0] + along + off, start[1] + along - off];
                let what = format!("{radius} {restitution} {from} {k}");
                let (told, left) = at_a_turning_wall(Bounds::periodic_x(-10.0, 10.0), restitution, wall, center);
                let (plain, left_plain) = at_a_turning_wall(Bounds::None, restitution, wall, center);
                let close = |a: f32, b: f32| (a - b).abs() < 1e-3;
                assert!(told.into_iter().zip(plain).all(|(a, b)| close(a, b)), "{what}: {told:?} {plain:?}");
                assert!(close(left.x, left_plain.x) && close(left.y, left_plain.y), "{what}: {left:?} {left_plain:?}");
                // What both should be: the foot is `along` from the start on either axis.
                let share = (along / 28.0).clamp(0.0, 1.0);
                assert!(close(told[0], velocity[0] * share) && close(told[1], velocity[1] * share), "{what}: {told:?}");
            }
        }
    }
}

/// Walls up to three periods long, by all of their images: a circle at rest is approached by the point of the nearest one that is nearest to it.
#[test]
fn walls_approach_as_the_point_of_the_nearest_image_moves() {
    let (mut asked, mut own) = (0, 0);
    for seed in 0..40 {
        let stretches = &STRETCHES[[0, 1, 2, 3, 5][seed as usize % 5]];
        let (torus, mut random) = (Torus::new(*stretches), Random::new(seed + 100));
        let mut world = world_of(&torus, WorldConfig::default());
        let low = stretches.map(|stretch| stretch.map_or(-3.0, |[low, _]| low));
        let mut place =
            |from: f32, most: u64| low.map(|low| low + from + random.below(most << 20) as f32 / 1_048_576.0);
        for k in 0..6 {
            let wall = Segment::new(place(-15.0, 46), place(-15.0, 46)).with_radius(if k % 2 == 0 { 0.0 } else { 1.5 });
            let velocities = [place(-8.0, 16), place(-8.0, 16)];
            world.add_segment(SegmentBody::from(wall).with_end_velocities(velocities[0], velocities[1])).unwrap();
        }
        for _ in 0..12 {
            world.add_circle(Circle::new(place(0.0, 15), 1.0)).unwrap();
        }
        world.step(0.0).unwrap();
        let contacts = world.contacts().circle_segment();
        for contact in contacts {
            let (circle, wall) =
                (circle_of(world.circles(), contact.a as usize), segment_of(world.segments(), contact.b as usize));
            let nearest = torus.circle_segment(circle, wall);
            // The point of it in doubles: nothing is near a tie of images.
            let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
            let by = [0, 1].map(|axis| torus.period[axis].to_f64().value() * nearest.count[axis] as f64);
            let [p, a, b] = [wide(circle.center), wide(wall.start), wide(wall.end)];
            let (d, q) = ([0, 1].map(|k| b[k] - a[k]), [0, 1].map(|k| p[k] - a[k] - by[k]));
            let t = ((d[0] * q[0] + d[1] * q[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
            let body = world.segment(world.segments().handles()[contact.b as usize]).unwrap();
            let (from, to) = (wide(body.start_velocity), wide(body.end_velocity));
            let normal = wide(contact.normal);
            let expected: f64 = (0..2).map(|k| (0.0 - from[k] - (to[k] - from[k]) * t) * normal[k]).sum();
            let pair = gridlane::EventPair::CircleSegment(
                world.circles().handles()[contact.a as usize],
                world.segments().handles()[contact.b as usize],
            );
            let event = world.events().iter().find(|event| event.pair == pair).unwrap();
            let told = f64::from(event.touch.unwrap().approach_speed);
            assert!((told - expected).abs() < 1e-4, "seed {seed}: {contact:?} {:?} {told} {expected}", nearest.count);
            (asked, own) = (asked + 1, own + usize::from(nearest.count == [0, 0]));
        }
    }
    assert!(asked > 500 && own > 100 && own + 100 < asked, "{asked} {own}");
}

/// The exact separation of a circle and the image of a wall, if they touch, and whether the wall acts there: from its right, and not on itself.
fn by_image(torus: &Torus, circle: Circle, wall: Segment, count: [i64; 2]) -> Option<(oracle::Q, bool)> {
    let p = oracle::q2(circle.center);
    let [a, b] = [wall.start, wall.end].map(|end| torus.moved(&oracle::q2(end), count));
    let (distance2, reach) = (oracle::point_segment(&p, &a, &b).distance2, q(circle.radius) + q(wall.radius));
    let (d, e) = (oracle::sub(&b, &a), oracle::sub(&p, &a));
    let side = &d[0] * &e[1] - &d[1] * &e[0];
    let acts = side <= oracle::Q::zero() && !distance2.is_zero();
    (distance2 <= &reach * &reach).then_some((distance2, acts))
}

/// Coordinates are quarters and periods whole, so that images are numbers.
#[test]
fn of_one_sided_walls_the_nearest_image_that_acts_is_met() {
    let (mut told, mut own_open, mut own_acts) = (0, 0, 0);
    for seed in 0..21u64 {
        let stretches = &STRETCHES[seed as usize % 3];
        let (torus, mut random) = (Torus::new(*stretches), Random::new(seed + 200));
        let config = WorldConfig::default().with_bounds(torus.bounds).with_joints(false);
        let mut world = World::new(config).unwrap();
        let low = stretches.map(|stretch| stretch.map_or(-3.0, |[low, _]| low));
        let mut place = |from: f32, most: u64| low.map(|low| low + from + 0.25 * random.below(4 * most) as f32);
        for k in 0..8 {
            let wall = Segment::new(place(-16.0, 48), place(-16.0, 48)).with_radius([0.0, 0.0, 0.5][k % 3]);
            let mut body = wall.with_one_sided(true);
            body.sensor = k == 5;
            if k % 2 == 0 { world.add_segment(body) } else { world.add_segment(body.with_velocity([1.0, 0.0])) }
                .unwrap();
        }
        for k in 0..12 {
            let body = CircleBody::from(Circle::new(place(0.0, 16), [4.0, 6.5, 1.0][k % 3]));
            world.add_circle(CircleBody { sensor: k == 7, ..body }).unwrap();
        }
        let pairs =
            |world: &World| world.contacts().circle_segment().iter().map(|c| ([c.a, c.b], *c)).collect::<Vec<_>>();
        world.step(0.0).unwrap();
        let found = pairs(&world);
        assert!((1..found.len()).all(|k| !found[..k].iter().any(|(rows, _)| *rows == found[k].0)), "a contact twice");
        let is_sensor = |row: usize, wall: usize| {
            let (c, s) = (world.circles().handles()[row], world.segments().handles()[wall]);
            world.circle(c).unwrap().sensor || world.segment(s).unwrap().sensor
        };
        for (a, b) in (0..12).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let (circle, wall) = (circle_of(world.circles(), a), segment_of(world.segments(), b));
            let all = torus.counts(3).into_iter().map(|count| (by_image(&torus, circle, wall, count), count));
            let mut all: Vec<_> =
                all.filter_map(|(image, count)| image.map(|(far, acts)| (far, acts, count))).collect();
            all.sort_by(|one, two| one.0.cmp(&two.0));
            let best = all.iter().find(|(_, acts, _)| *acts || is_sensor(a, b));
            let contact = found.iter().find(|(rows, _)| *rows == [a as u32, b as u32]).map(|(_, contact)| contact);
            let what = format!("seed {seed}: {circle:?} {wall:?} {contact:?} {best:?}");
            assert_eq!(contact.is_some(), best.is_some(), "{what}");
            let (Some(contact), Some((distance2, ..))) = (contact, best) else { continue };
            let reach = q(circle.radius) + q(wall.radius);
            let exact = oracle::nearest(&(oracle::root(distance2) - reach));
            assert!(ulps(contact.separation, exact) <= 1, "{what}: {exact}");
            told += 1;
            if !is_sensor(a, b) && !all[0].1 {
                own_open += usize::from(all[0].2 == [0, 0]);
                own_acts += usize::from(best.is_some_and(|(.., count)| *count == [0, 0]));
            }
        }
        // Where nothing is answered all images count.
        world.detect().unwrap();
        check_walls(&world, &torus, &format!("seed {seed}, all"));
    }
    assert!(told > 300 && own_open > 10 && own_acts > 10, "{told} {own_open} {own_acts}");
}

/// A floor that rises by one in ten, solid from above, 30 wide in a period of 20. At x = 9 it is at 0.9, and an image of it at -1.1: a circle
/// between the two, below the one and above the other, rests on that one.
#[test]
fn a_circle_below_a_one_sided_floor_rests_on_its_image() {
    let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.0);
    let mut world = World::new(config.with_bounds(Bounds::periodic_x(-10.0, 10.0))).unwrap();
    world.add_segment(Segment::new([15.0, 1.5], [-15.0, -1.5]).with_one_sided(true)).unwrap();
    let circle = world.add_circle(Circle::new([9.0, 0.4], 1.5)).unwrap();
    for step in 0..30 {
        world.step(if step == 0 { 0.0 } else { 1.0 / 60.0 }).unwrap();
        let center = world.circle(circle).unwrap().shape.center;
        // From the line y = x/10 - 2 it is as far as its radius, nearly: 1.5/1.005 = 1.4925 at first.
        let far = (center.y - center.x * 0.1 + 2.0) / 1.01f32.sqrt();
        assert!((1.47..1.505).contains(&far), "step {step}: {center:?}, {far} from the image");
        assert_eq!(world.contacts().circle_segment().len(), 1, "step {step}");
    }
}

/// Two images of one end, 20 apart, and a circle nearer to that from which it is met on the open side: it bounces off the other. From (11, 1)
/// to (0, 0) the normal is (-11, -1)/√122, so of the velocity (-1, 0) it gets (1 + e) 11/122 of (11, 1).
#[test]
fn a_circle_bounces_off_the_end_of_the_image_that_acts() {
    for (x, restitution) in [(0.0, 1.0), (20.0, 1.0), (0.0, 0.5), (20.0, 0.5)] {
        let config = WorldConfig::default().with_restitution(restitution).with_bounds(Bounds::periodic_x(0.0, 20.0));
        let mut world = World::new(config).unwrap();
        // Upwards: solid from the right.
        world.add_segment(Segment::new([x, -5.0], [x, 0.0]).with_one_sided(true)).unwrap();
        let body = Circle::new([11.0, 1.0], 122.0f32.sqrt().next_up()).with_velocity([-1.0, 0.0]);
        let circle = world.add_circle(body).unwrap();
        world.step(1e-4).unwrap();
        let contact = world.contacts().circle_segment()[0];
        assert!(contact.feature == Feature::End && contact.normal.x < -0.99, "{contact:?}");
        let (velocity, share) = (world.circle(circle).unwrap().velocity, (1.0 + restitution) * 11.0 / 122.0);
        let off = [velocity.x + 1.0 - share * 11.0, velocity.y - share];
        assert!(off[0].abs() < 1e-3 && off[1].abs() < 1e-3, "{x} {restitution}: {velocity:?}");
    }
}
