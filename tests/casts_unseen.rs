//! Promise: a ray among many that does not see some circle finds what a loop over all others finds, bit for bit.

use crate::common::casts::{Flight, all, bits, cast_many, strewn};
use crate::common::scenes::Rng;
use gridlane::geometry::{Circle, Ray};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, CircleBody, Filter, Hit, QueryFilter, Rays, SegmentBody, Target, TargetKind, Threads, World, WorldConfig,
};

fn cast(world: &World, rays: &[Ray], skip: &[u32], filter: QueryFilter<'_>) -> Vec<Hit> {
    let column = |get: fn(&Ray) -> f32| rays.iter().map(get).collect::<Vec<f32>>();
    let [x, y] = [column(|r| r.origin.x), column(|r| r.origin.y)];
    let [direction_x, direction_y] = [column(|r| r.direction.x), column(|r| r.direction.y)];
    let max = column(|r| r.max);
    let rays = Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &max, skip };
    let (queries, mut hits, mut met) = (world.queries(), Vec::new(), Vec::new());
    queries.cast_rays(rays, filter, &mut hits).unwrap();
    queries.cast_rays_any(rays, filter, &mut met).unwrap();
    assert!(hits.iter().map(|hit| hit.is_hit()).eq(met), "any");
    hits
}

#[test]
fn from_within_circles_that_are_not_seen() {
    let mut bodies = strewn("even", 1000, 18.0, 0.0, |_| 1.0);
    bodies.segments.iter_mut().for_each(|segment| segment.radius = 0.0);
    // Each tenth has a twin, which is seen, and each of a clump lies in many others.
    for k in (0..bodies.circles.len()).step_by(10) {
        bodies.circles.push(bodies.circles[k]);
    }
    bodies.circles.extend((0..40).map(|k| Circle::new([0.25 * k as f32, 0.5], 2.0)));
    let (count, mut rng) = (bodies.circles.len() as u32, Rng::new(31));
    let skip: Vec<u32> = (0..count).map(|k| if k % 9 == 4 { u32::MAX } else { k }).collect();
    let ray = |circle: &Circle| {
        let direction = [0; 2].map(|_| rng.range(-9.0, 9.0) as f32);
        Ray::new(circle.center, direction).with_max([0.25, 20.0][(rng.bits() % 2) as usize])
    };
    let (rays, mut met) = (bodies.circles.iter().map(ray).collect::<Vec<Ray>>(), [0; 3]);
    let unseen = [Target::NOTHING, Target::circle(7), Target::circle(count - 20), Target::segment(3)];
    let found = |ray: Ray, without: Target, skip: u32| {
        let sees = |target| target != without && target != Target::circle(skip);
        all(&bodies, Flight::Ray(ray), sees).first().map(bits)
    };
    let expected = unseen.map(|without| {
        (0..rays.len()).map(|k| [u32::MAX, skip[k]].map(|skip| found(rays[k], without, skip))).collect::<Vec<_>>()
    });
    let check = |backend: Backend, threads: usize, met: &mut [usize; 3]| {
        let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
        let mut world = World::new(config).unwrap();
        for &circle in &bodies.circles {
            world.add_circle(circle).unwrap();
        }
        for &segment in &bodies.segments {
            world.add_segment(segment).unwrap();
        }
        // The same before all bodies lie under cells of their own, and then.
        for _ in 0..2 {
            for (&without, expected) in unseen.iter().zip(&expected) {
                let filter = QueryFilter::new().without(without);
                let [all, own] = [&[][..], &skip].map(|skip| cast(&world, &rays, skip, filter));
                for (k, expected) in expected.iter().enumerate() {
                    let found = [&all[k], &own[k]].map(|hit| hit.found().as_ref().map(bits));
                    assert_eq!(&found, expected, "{without:?} {:?}", rays[k]);
                    met[own[k].found().map_or(0, |hit| 1 + usize::from(hit.fraction > 0.0))] += 1;
                }
            }
            cast_many(&world.queries());
        }
    };
    check(Backend::Scalar, 1, &mut met);
    for set in instruction_sets() {
        with_instruction_set(set, || check(Backend::Wide, 2, &mut met)).expect("one of them");
    }
    assert!(met.iter().all(|&met| met > 1000), "{met:?}");
}

#[test]
fn past_bodies_that_are_not_seen() {
    let mut bodies = strewn("even", 1000, 18.0, 0.0, |_| 1.0);
    bodies.segments.iter_mut().for_each(|segment| segment.radius = 0.0);
    let mut rng = Rng::new(47);
    let rays: Vec<Ray> = (bodies.circles.iter())
        .map(|circle| {
            let [direction, aside] = [9.0, 1.5].map(|far| [0; 2].map(|_| rng.range(-far, far) as f32));
            let origin = [circle.center.x + aside[0], circle.center.y + aside[1]];
            Ray::new(origin, direction).with_max([0.25, 20.0][(rng.bits() % 2) as usize])
        })
        .collect();
    let skip: Vec<u32> = (0..rays.len() as u32).collect();
    // One category in four, one sensor in five; circles and segments count differently.
    let of = |kind: TargetKind, row: u32| {
        let row = row + if kind == TargetKind::Circle { 0 } else { 2 };
        (1u32 << (row % 4), row.is_multiple_of(5))
    };
    let all_of = QueryFilter::new();
    let near = |target: Target| !target.row.is_multiple_of(7);
    let [most, few] = [0b0111, 0b1000].map(|mask| all_of.with_filter(Filter::new(u32::MAX, mask)));
    type Sees<'a> = &'a dyn Fn(Target) -> bool;
    let category = |target: Target| of(target.kind, target.row).0;
    let sensor = |target: Target| of(target.kind, target.row).1;
    let cases: [(QueryFilter<'_>, Sees<'_>); 7] = [
        (most, &|target| category(target) != 0b1000),
        (few, &|target| category(target) == 0b1000),
        (all_of.without_sensors(), &|target| !sensor(target)),
        (all_of.with_condition(&near), &near),
        (all_of.without(Target::segment(3)), &|target| target != Target::segment(3)),
        (most.without(Target::circle(9)), &|target| category(target) != 0b1000 && target != Target::circle(9)),
        (few.without_sensors().with_condition(&near).segments_only(), &|target| {
            target.kind == TargetKind::Segment && category(target) == 0b1000 && !sensor(target) && near(target)
        }),
    ];
    let expected = cases.map(|(_, sees)| {
        let first = |k: usize, skip: u32| {
            let sees = |target| sees(target) && target != Target::circle(skip);
            all(&bodies, Flight::Ray(rays[k]), sees).first().map(bits)
        };
        (0..rays.len()).map(|k| [u32::MAX, skip[k]].map(|skip| first(k, skip))).collect::<Vec<_>>()
    });
    let check = |backend: Backend, threads: usize, met: &mut [usize; 7]| {
        let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
        let mut world = World::new(config).unwrap();
        let label = |kind, row: usize| {
            let (category, sensor) = of(kind, row as u32);
            (Filter::new(category, u32::MAX), sensor)
        };
        for (row, &circle) in bodies.circles.iter().enumerate() {
            let (filter, sensor) = label(TargetKind::Circle, row);
            world.add_circle(CircleBody::from(circle).with_filter(filter).with_sensor(sensor)).unwrap();
        }
        for (row, &segment) in bodies.segments.iter().enumerate() {
            let (filter, sensor) = label(TargetKind::Segment, row);
            world.add_segment(SegmentBody::from(segment).with_filter(filter).with_sensor(sensor)).unwrap();
        }
        for _ in 0..2 {
            for (which, (filter, _)) in cases.iter().enumerate() {
                let [seen, own] = [&[][..], &skip].map(|skip| cast(&world, &rays, skip, *filter));
                for (k, expected) in expected[which].iter().enumerate() {
                    let found = [&seen[k], &own[k]].map(|hit| hit.found().as_ref().map(bits));
                    assert_eq!(&found, expected, "{which} {:?}", rays[k]);
                    met[which] += usize::from(own[k].is_hit());
                }
            }
            cast_many(&world.queries());
        }
    };
    let mut met = [0; 7];
    check(Backend::Scalar, 1, &mut met);
    for set in instruction_sets() {
        with_instruction_set(set, || check(Backend::Wide, 2, &mut met)).expect("one of them");
    }
    assert!(met.iter().all(|&met| met > 1000), "{met:?}");
}
