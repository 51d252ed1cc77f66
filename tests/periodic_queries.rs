//! Promise: in a plane that repeats a question finds each body once, by the image that is met first or nearest, as a plane finds it in
//! which all images are bodies of their own.

use crate::common::all_questions::ask_all;
use crate::common::oracle::q;
use crate::common::oracle_cases::Random;
use crate::common::torus::{Torus, circle_of, segment_of};
use gridlane::{
    Aabb, Bounds, Circle, Error, Fan, Hit, HitLists, Kind, MovingCircles, Nearest, NeighborLists, QueryFilter, Ray,
    Rays, Response, Scan, Segment, SegmentBody, Target, TargetLists, Vec2, World, WorldConfig,
};

const PERIOD: f32 = 16.0;
/// Images on either side that stand in for all.
const IMAGES: i32 = 4;

/// A world that repeats, and one that does not, with all images as bodies: row `r` there is row `r / count` here. All numbers are multiples
/// of 2^-6, so that images are numbers.
struct Both {
    world: World,
    plane: World,
}

fn eighths(random: &mut Random, most: u64) -> f32 {
    random.below(64 * most) as f32 / 64.0
}

fn images() -> impl Iterator<Item = [f32; 2]> {
    (-IMAGES..=IMAGES).flat_map(|x| (-IMAGES..=IMAGES).map(move |y| [x as f32 * PERIOD, y as f32 * PERIOD]))
}

const COUNT: u32 = ((2 * IMAGES + 1) * (2 * IMAGES + 1)) as u32;

impl Both {
    fn new(seed: u64) -> Both {
        let mut random = Random::new(seed);
        let bounds = Bounds::periodic([0.0, -4.0], [PERIOD, PERIOD - 4.0]);
        let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_response(Response::None)).unwrap();
        let mut plane = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
        for _ in 0..6 {
            let (center, radius) =
                ([eighths(&mut random, 16), eighths(&mut random, 16) - 4.0], eighths(&mut random, 2));
            world.add_circle(Circle::new(center, radius)).unwrap();
            for [x, y] in images() {
                plane.add_circle(Circle::new([center[0] + x, center[1] + y], radius)).unwrap();
            }
        }
        for k in 0..4 {
            let start = [eighths(&mut random, 20), eighths(&mut random, 16) - 4.0];
            let end = [start[0] + eighths(&mut random, 6) - 3.0, start[1] + eighths(&mut random, 6) - 3.0];
            let radius = if k == 0 { 0.5 } else { 0.0 };
            world.add_segment(Segment::new(start, end).with_radius(radius)).unwrap();
            for [x, y] in images() {
                let moved = |p: [f32; 2]| [p[0] + x, p[1] + y];
                plane.add_segment(Segment::new(moved(start), moved(end)).with_radius(radius)).unwrap();
            }
        }
        Both { world, plane }
    }

    fn own(target: Target) -> Target {
        Target { row: target.row / COUNT, ..target }
    }

    /// Each body once, the first in the order of the list.
    fn once(hits: &[Hit]) -> Vec<Hit> {
        let mut own: Vec<Hit> = Vec::new();
        for hit in hits {
            let target = Both::own(hit.target);
            if own.iter().all(|known| known.target != target) {
                own.push(Hit { target, ..*hit });
            }
        }
        own.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.target.cmp(&b.target)));
        own
    }
}

fn ask() -> QueryFilter<'static> {
    QueryFilter::new()
}

fn assert_same(found: &[Hit], expected: &[Hit], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for (one, two) in found.iter().zip(expected) {
        assert_eq!(
            (one.fraction, one.normal, one.target, one.feature),
            (two.fraction, two.normal, two.target, two.feature),
            "{what}"
        );
        // Rounded beside the body and then moved.
        let off = (one.point.x - two.point.x).abs() + (one.point.y - two.point.y).abs();
        assert!(off <= 2e-5, "{what}: {one:?} {two:?}");
    }
}

#[test]
fn rays_and_moving_circles_go_on_at_the_other_side() {
    let (mut far, mut hit) = (0, 0);
    for seed in 0..if cfg!(debug_assertions) { 12 } else { 60 } {
        let (both, mut random) = (Both::new(seed), Random::new(900 + seed));
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let (mut columns, mut firsts) = (vec![Vec::new(); 6], Vec::new());
        for k in 0..60 {
            let origin = [eighths(&mut random, 16), eighths(&mut random, 16) - 4.0];
            let direction =
                [eighths(&mut random, 4) - 2.0, if k % 5 == 0 { 0.0 } else { eighths(&mut random, 4) - 2.0 }];
            // No farther than the images that are there.
            let max = eighths(&mut random, 20);
            let ray = Ray { origin: origin.into(), direction: direction.into(), max };
            both.world.cast_ray_all(ray, ask(), &mut found).unwrap();
            both.plane.cast_ray_all(ray, ask(), &mut expected).unwrap();
            let expected = Both::once(&expected);
            let what = format!("seed {seed} {ray:?}");
            assert_same(&found, &expected, &what);
            let first = both.world.cast_ray(ray, ask()).unwrap();
            assert_same(first.as_slice(), &expected[..expected.len().min(1)], &what);
            assert_eq!(both.world.cast_ray_any(ray, ask()).unwrap(), !expected.is_empty(), "{what}");
            hit += usize::from(first.is_some());
            far += usize::from(first.is_some_and(|hit| !(0.0..16.0).contains(&hit.point.x)));
            let radius = eighths(&mut random, 1);
            for (column, value) in
                columns.iter_mut().zip([origin[0], origin[1], direction[0], direction[1], max, radius])
            {
                column.push(value);
            }
            firsts.push(first.unwrap_or(Hit::NOTHING));

            let (circle, motion) = (Circle::new(origin, radius), [direction[0] * 8.0, direction[1] * 8.0]);
            both.world.cast_circle_all(circle, motion, ask(), &mut found).unwrap();
            let mut plain = Vec::new();
            both.plane.cast_circle_all(circle, motion, ask(), &mut plain).unwrap();
            let plain = Both::once(&plain);
            assert_same(&found, &plain, &what);
            let first = both.world.cast_circle(circle, motion, ask()).unwrap();
            assert_same(first.as_slice(), &plain[..plain.len().min(1)], &what);
            assert_eq!(both.world.cast_circle_any(circle, motion, ask()).unwrap(), !plain.is_empty());
        }
        // Columns say what single ones do.
        let [x, y, direction_x, direction_y, max, radius] = &columns[..] else { unreachable!() };
        let rays = Rays { x, y, direction_x, direction_y, max, skip: &[] };
        let (mut hits, mut met, mut lists) = (Vec::new(), Vec::new(), HitLists::new());
        both.world.cast_rays(rays, ask(), &mut hits).unwrap();
        assert_eq!(hits, firsts);
        both.world.cast_rays_any(rays, ask(), &mut met).unwrap();
        assert!(met.iter().zip(&firsts).all(|(&met, first)| met == first.is_hit()));
        both.world.cast_rays_all(rays, ask(), &mut lists).unwrap();
        assert!((0..60).all(|k| lists.list(k).first().copied().unwrap_or(Hit::NOTHING) == firsts[k]));
        let circles = MovingCircles { x, y, radius, motion_x: direction_x, motion_y: direction_y, skip: &[1; 60] };
        both.world.cast_circles(circles, ask(), &mut hits).unwrap();
        let second = |k: usize| {
            let circle = Circle::new([x[k], y[k]], radius[k]);
            both.world.cast_circle(circle, [direction_x[k], direction_y[k]], ask().without(Target::circle(1))).unwrap()
        };
        assert!((0..60).all(|k| hits[k].found() == second(k)));
    }
    assert!(far > 30 && hit > 4 * far / 3, "{far} {hit}");
}

#[test]
fn overlaps_and_what_is_nearest_are_those_of_all_images() {
    let mut counts = [0; 5];
    for seed in 0..if cfg!(debug_assertions) { 12 } else { 60 } {
        let (both, mut random) = (Both::new(seed), Random::new(700 + seed));
        let own = |targets: &[Target]| {
            let mut own: Vec<Target> = targets.iter().map(|&target| Both::own(target)).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let mut lists = TargetLists::new();
        for _ in 0..40 {
            let at = [eighths(&mut random, 16), eighths(&mut random, 16) - 4.0];
            let wide = [at[0] + eighths(&mut random, 20), at[1] + eighths(&mut random, 3)];
            let circle = Circle::new(at, eighths(&mut random, 6));
            both.world.overlap_circle(circle, ask(), &mut found).unwrap();
            both.plane.overlap_circle(circle, ask(), &mut expected).unwrap();
            assert_eq!(found, own(&expected), "seed {seed} {circle:?}");
            assert_eq!(both.world.is_free(circle, ask()).unwrap(), expected.is_empty());
            counts[0] += found.len();
            both.world
                .overlap_circles(
                    gridlane::Circles { x: &[at[0]], y: &[at[1]], radius: &[circle.radius] },
                    ask(),
                    &mut lists,
                )
                .unwrap();
            assert_eq!(lists.get(0), found);
            both.world.overlap_point(at, ask(), &mut found).unwrap();
            both.plane.overlap_point(at, ask(), &mut expected).unwrap();
            assert_eq!(found, own(&expected), "seed {seed} {at:?}");
            counts[1] += found.len();
            let aabb = Aabb { min: at.into(), max: wide.into() };
            both.world.overlap_aabb(aabb, ask(), &mut found).unwrap();
            both.plane.overlap_aabb(aabb, ask(), &mut expected).unwrap();
            assert_eq!(found, own(&expected), "seed {seed} {aabb:?}");
            counts[2] += found.len();
            let segment = Segment::new(at, wide).with_radius(eighths(&mut random, 1));
            both.world.overlap_segment(segment, ask(), &mut found).unwrap();
            both.plane.overlap_segment(segment, ask(), &mut expected).unwrap();
            assert_eq!(found, own(&expected), "seed {seed} {segment:?}");
            counts[3] += found.len();

            let max = eighths(&mut random, 8);
            let nearest = both.world.nearest(at, max, ask()).unwrap();
            let plain = both.plane.nearest(at, max, ask()).unwrap();
            assert_eq!(nearest.map(|n| n.distance), plain.map(|n| n.distance), "seed {seed} {at:?} {max}");
            counts[4] += usize::from(nearest.is_some());
            let (mut some, mut all): (Vec<Nearest>, Vec<Nearest>) = (Vec::new(), Vec::new());
            both.world.nearest_k(at, 7, 12.0, ask(), &mut some).unwrap();
            both.plane.nearest_k(at, 2000, 12.0, ask(), &mut all).unwrap();
            let mut once: Vec<(f32, Target)> = Vec::new();
            for record in all {
                if once.iter().all(|known| known.1 != Both::own(record.target)) {
                    once.push((record.distance, Both::own(record.target)));
                }
            }
            once.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let told: Vec<_> = some.iter().map(|record| (record.distance, record.target)).collect();
            assert_eq!(told, once[..once.len().min(7)], "seed {seed} {at:?}");
            // The point is where the distance says.
            for record in &some {
                let (x, y) = (record.point.x - at[0], record.point.y - at[1]);
                assert!(((x * x + y * y).sqrt() - record.distance).abs() < 1e-4, "{record:?} from {at:?}");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn overlaps_are_exact_where_images_are_no_numbers() {
    let mut counts = [0; 2];
    for (seed, low) in [[0.1, 3.3], [-0.3, 1e3], [1e5, -1e5], [-7.7, 0.0]].into_iter().enumerate() {
        let [width, height] = [9.7, 11.3];
        let stretches = [Some([low[0], low[0] + width]), Some([low[1], low[1] + height])];
        let (torus, mut random) = (Torus::new(stretches), Random::new(seed as u64));
        let mut world = World::new(WorldConfig::default().with_bounds(torus.bounds)).unwrap();
        let place = |random: &mut Random| {
            let unit = |random: &mut Random| random.below(1 << 24) as f32 / 16_777_216.0;
            [low[0] + unit(random) * width, low[1] + unit(random) * height]
        };
        for _ in 0..8 {
            let (center, end) = (place(&mut random), place(&mut random));
            world.add_circle(Circle::new(center, 0.75)).unwrap();
            world.add_segment(Segment::new(center, [center[0] + 1.0, end[1]])).unwrap();
        }
        let mut found = Vec::new();
        let view = world.circles();
        for _ in 0..60 {
            let center = place(&mut random);
            // The radius that just reaches some body, and its neighbours.
            let row = random.below(8) as usize;
            let gap = {
                let nearest = torus.circles(Circle::new(center, 0.0), circle_of(view, row));
                crate::common::oracle::nearest(&crate::common::torus::separation(&nearest, &q(0.75)))
            };
            if gap.is_nan() || gap <= 0.0 {
                continue;
            }
            for radius in [gap.next_down(), gap, gap.next_up()] {
                let asked = Circle::new(center, radius);
                world.overlap_circle(asked, ask(), &mut found).unwrap();
                let mut expected = Vec::new();
                for row in 0..8 {
                    let (nearest, reach) = (torus.circles(asked, circle_of(view, row)), q(radius) + q(0.75));
                    if nearest.distance2 <= &reach * &reach {
                        expected.push(Target::circle(row as u32));
                    }
                    counts[0] += usize::from(nearest.count != [0, 0]);
                }
                for row in 0..8 {
                    let (nearest, reach) = (torus.circle_segment(asked, segment_of(world.segments(), row)), q(radius));
                    if nearest.distance2 <= &reach * &reach {
                        expected.push(Target::segment(row as u32));
                    }
                    counts[1] += usize::from(nearest.count != [0, 0]);
                }
                assert_eq!(found, expected, "{asked:?}");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn neighbors_are_those_of_all_images() {
    let mut count = 0;
    for seed in 0..if cfg!(debug_assertions) { 12 } else { 60 } {
        let both = Both::new(seed);
        for distance in [0.0, 0.25, 1.0, 5.0, 9.0] {
            let (mut lists, mut rows, mut plain) = (NeighborLists::new(), TargetLists::new(), NeighborLists::new());
            both.world.queries().neighbors(distance, ask(), &mut lists).unwrap();
            both.world.queries().neighbor_rows(distance, ask(), &mut rows).unwrap();
            both.plane.queries().neighbors(distance, ask(), &mut plain).unwrap();
            for row in 0..6u32 {
                // The circle as it stands is in the middle of its images.
                let mut expected: Vec<(Target, f32)> = Vec::new();
                for neighbor in plain.get((row * COUNT + COUNT / 2) as usize) {
                    let own = Both::own(neighbor.target);
                    match expected.iter_mut().find(|known| known.0 == own) {
                        Some(known) if known.1 > neighbor.separation => known.1 = neighbor.separation,
                        None if own != Target::circle(row) => expected.push((own, neighbor.separation)),
                        _ => {}
                    }
                }
                expected.sort_by_key(|neighbor| neighbor.0);
                let found: Vec<_> = lists.get(row as usize).iter().map(|n| (n.target, n.separation)).collect();
                assert_eq!(found, expected, "seed {seed} {distance} {row}");
                let targets: Vec<_> = expected.iter().map(|neighbor| neighbor.0).collect();
                assert_eq!(rows.get(row as usize), targets);
                count += found.len();
            }
        }
        let mut few = NeighborLists::new().with_limit(3);
        assert_eq!(both.world.queries().neighbors(9.0, ask(), &mut few), Err(Error::TooManyResults { limit: 3 }));
        assert!(few.is_empty());
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn what_would_see_the_same_again_and_again_is_refused() {
    let bounds = Bounds::periodic_x(0.0, 4.0);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    world.add_circle(Circle::new([1.0, 5.0], 0.5)).unwrap();
    // Along x it comes by again and again; nothing is met at y = 0, and straight up there are no periods.
    let along = Ray::new([3.0, 0.0], [1.0, 0.0]);
    assert!(matches!(world.cast_ray(along, ask()), Err(Error::TooManyPeriods { row: 0, limit: 256, .. })));
    assert_eq!(world.cast_ray(Ray { max: 100.0, ..along }, ask()), Ok(None));
    assert_eq!(world.cast_ray(Ray::new([3.0, 0.0], [0.0, 1.0]), ask()), Ok(None));
    // A quarter up for each along: at the height of 5 after 20, where x is 23 = 3 less 5 periods: misses; the next step up meets it.
    let hit = world.cast_ray(Ray::new([3.0, 4.0], [2.0, 0.125]), ask()).unwrap().unwrap();
    assert!(hit.point.x > 4.0 && (hit.point.y - 5.0).abs() < 0.6, "{hit:?}");
    let on_circle = (hit.point.x.rem_euclid(4.0) - 1.0).hypot(hit.point.y - 5.0);
    assert!((on_circle - 0.5).abs() < 1e-5, "{hit:?}");
    let mut found = Vec::new();
    let long = Aabb { min: Vec2::new(0.0, 4.0), max: Vec2::new(65.0, 5.0) };
    assert!(matches!(world.overlap_aabb(long, ask(), &mut found), Err(Error::TooManyPeriods { limit: 16, .. })));
    // A fan sees as its beams do; one placed periods away sees the same from there.
    let (mut scan, mut other) = (Scan::new(), Scan::new());
    world.cast_fan(Fan::around([3.0, 5.0], 32, 30.0), ask(), &mut scan).unwrap();
    world.cast_fan(Fan::around([43.0, 5.0], 32, 30.0), ask(), &mut other).unwrap();
    assert_eq!(scan.distances(), other.distances());
    assert_eq!(scan.distances()[16], 1.5);
    assert!((other.hits()[16].point.x - 44.5).abs() < 1e-5);
}

#[test]
fn what_no_step_would_take_is_refused_by_all_questions() {
    let bounds = Bounds::periodic([0.0, 0.0], [4.0, 4.0]);
    for (still, moving) in [(6.5, 66.5), (1e3, 1e3), (1e6, 1e6), (1e20, 1e20), (3e38, 3e38)] {
        for (long, speed) in [(still, None), (moving, Some([0.0, 0.5]))] {
            let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
            world.add_circle(Circle::new([1.0, 1.0], 0.5)).unwrap();
            let wall: SegmentBody = Segment::new([3.0, 2.0], [3.0, 2.0 - long]).into();
            let wall = speed.map_or(wall, |speed| wall.with_velocity(speed));
            let wall = world.add_segment(wall).unwrap();
            let refused = Error::BeyondPeriod { kind: Kind::Segment, bits: wall.to_bits() };
            let answers = ask_all(&world, [1.25, 1.0]);
            for (k, (_, answer)) in answers.into_iter().enumerate() {
                assert_eq!(answer, Err(refused.clone()), "{long} {k}");
            }
            assert_eq!(world.step(0.125), Err(refused));
            world.remove_segment(wall).unwrap();
            let answers = ask_all(&world, [1.25, 1.0]);
            assert!(answers.iter().all(|(_, answer)| answer.is_ok()), "{answers:?}");
        }
    }
}

#[test]
fn who_covers_the_plane_many_times_over_is_found_once_everywhere() {
    let bounds = Bounds::periodic([0.0, 0.0], [4.0, 4.0]);
    // Half a diagonal is 2.83.
    for radius in [2.9, 3.5, 13.0, 1e3, 1e8, 1e30] {
        let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_response(Response::None)).unwrap();
        let (circle, wall) = (Circle::new([1.0, 3.0], radius), Segment::new([3.0, 1.0], [3.5, 1.0]));
        world.add_circle(circle).unwrap();
        world.add_segment(wall.with_radius(radius)).unwrap();
        let both = [Target::circle(0), Target::segment(0)];
        for place in [[1.0, 3.0], [3.0, 1.0], [0.0, 0.0], [3.9, 2.5], [-5.0, 9.0]] {
            for (k, (count, answer)) in ask_all(&world, place).into_iter().enumerate() {
                let found = answer.unwrap();
                assert!(found.iter().all(|target| both.contains(target)), "{radius} {place:?} {k}: {found:?}");
                assert_eq!(found.len(), count, "{radius} {place:?} {k}: {found:?}");
            }
            let hit = world.cast_ray(Ray::new(place, [0.5, 1.0]), ask()).unwrap().unwrap();
            assert_eq!(hit.fraction, 0.0);
        }
        // The other way round: what moves is as large, and meets at once what is small.
        let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
        world.add_circle(Circle::new([1.0, 3.0], 0.0)).unwrap();
        let giant = Circle::new([3.0, 0.5], radius);
        let hit = world.cast_circle(giant, [0.5, 1.0], ask()).unwrap().unwrap();
        assert_eq!((hit.fraction, hit.target), (0.0, Target::circle(0)));
    }
}
