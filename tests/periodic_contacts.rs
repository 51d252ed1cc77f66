//! Promise: in a plane that repeats each touching pair is one contact, by its shortest image, and that it touches is decided exactly.

use crate::common::oracle::{self, q};
use crate::common::oracle_cases::Random;
use crate::common::torus::{STRETCHES, Torus, circle_of, fill, segment_of, separation, ulps};
use gridlane::{Bounds, Circle, Error, Response, Segment, Vec2, World, WorldConfig, geometry};

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
