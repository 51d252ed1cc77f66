//! Promise: in a plane that repeats a question is decided as it stands, wherever it is asked, to the last bit, one by one and in batches; and
//! what is met or nearest without crossing the border is told as in a plane that does not.

use crate::common::oracle_cases::Random;
use crate::common::scenes::Rng;
use gridlane::geometry::{self, NearestPoint};
use gridlane::{
    Aabb, Bounds, Circle, Circles, Error, Hit, Kind, QueryFilter, Ray, Rays, Segment, Segments, Target, TargetLists,
    Vec2, World, WorldConfig,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn world(bounds: Bounds) -> World {
    World::new(WorldConfig::default().with_bounds(bounds)).unwrap()
}

/// What a point, a disc, a box and a segment at one place touch, each asked alone and in a batch; and whether there is room.
fn touched(world: &World, [x, y]: [f32; 2]) -> Vec<Vec<Target>> {
    let (all, point) = (QueryFilter::new(), Vec2::new(x, y));
    let (circle, aabb, segment) =
        (Circle::new([x, y], 0.0), Aabb { min: point, max: point }, Segment::new(point, point));
    let mut found = vec![Vec::new(); 4];
    world.overlap_point(point, all, &mut found[0]).unwrap();
    world.overlap_circle(circle, all, &mut found[1]).unwrap();
    world.overlap_aabb(aabb, all, &mut found[2]).unwrap();
    world.overlap_segment(segment, all, &mut found[3]).unwrap();
    assert_eq!(world.is_free(circle, all).unwrap(), found[0].is_empty());
    let (x, y, mut lists) = ([x], [y], TargetLists::new());
    world.overlap_points(&x, &y, all, &mut lists).unwrap();
    assert_eq!(lists.items(), found[0]);
    world.overlap_circles(Circles { x: &x, y: &y, radius: &[0.0] }, all, &mut lists).unwrap();
    assert_eq!(lists.items(), found[1]);
    world.overlap_aabbs(&[aabb], all, &mut lists).unwrap();
    assert_eq!(lists.items(), found[2]);
    world.overlap_segments(Segments { x0: &x, y0: &y, x1: &x, y1: &y }, all, &mut lists).unwrap();
    assert_eq!(lists.items(), found[3]);
    found
}

#[test]
fn a_hair_beyond_the_border() {
    let mut world = world(Bounds::periodic_x(0.0, 10.0));
    world.add_circle(Circle::new([1.0, 0.0], 1.0)).unwrap();
    world.add_circle(Circle::new([8.0, 20.0], 1.999_999_8)).unwrap();
    world.add_segment(Segment::new([0.0, 5.0], [1.0, 5.0])).unwrap();
    // Brought back and rounded it would be 10, which is 0, where both begin.
    for (y, target) in [(0.0, Target::circle(0)), (5.0, Target::segment(0))] {
        assert_eq!(touched(&world, [-1e-9, y]), vec![vec![]; 4]);
        assert_eq!(touched(&world, [0.0, y]), vec![vec![target]; 4]);
        assert_eq!(touched(&world, [-10.0, y]), vec![vec![target]; 4]);
        assert_eq!(touched(&world, [(-10.0f32).next_down(), y]), vec![vec![]; 4]);
    }
    // 8 + 2 - 2^-22 is one period from -2^-22.
    let end = -(2.0f32).powi(-22);
    for (x, touches) in [(end, true), (end.next_down(), true), (end.next_up(), false)] {
        let expected = if touches { vec![Target::circle(1)] } else { vec![] };
        assert_eq!(touched(&world, [x, 20.0]), vec![expected; 4], "{x}");
    }
}

#[test]
fn ends_of_bodies_many_periods_away() {
    let mut world = world(Bounds::periodic([0.0, -5.0], [10.0, 5.0]));
    world.add_circle(Circle::new([4.25, 0.0], 1.5)).unwrap();
    world.add_segment(Segment::new([8.0, 2.0], [9.5, 2.0])).unwrap();
    let (circle, wall) = (Target::circle(0), Target::segment(0));
    for k in -40i16..40 {
        let away = 10.0 * f32::from(k);
        let ends = [([2.75, 5.75], 0.0, circle), ([8.0, 9.5], 2.0, wall)];
        for (y, ([from, to], at, body)) in [0.0, 30.0, -70.0].into_iter().flat_map(|y| ends.map(|end| (y, end))) {
            // All of them are numbers.
            let (from, to, y) = (from + away, to + away, at + y);
            for (x, touches) in [(from, true), (from.next_down(), false), (to, true), (to.next_up(), false)] {
                let expected = if touches { vec![body] } else { vec![] };
                assert_eq!(touched(&world, [x, y]), vec![expected; 4], "{x} {y}");
            }
        }
    }
}

#[test]
fn an_empty_box_touches_nothing() {
    let mut world = world(Bounds::periodic([0.0, 0.0], [10.0, 10.0]));
    world.add_segment(Segment::new([-0.5, 1.0], [0.5, 1.0])).unwrap();
    world.add_circle(Circle::new([0.0, 1.0], 0.5)).unwrap();
    let (all, mut one, mut lists) = (QueryFilter::new(), Vec::new(), TargetLists::new());
    for (min, max, count) in [
        ([9.7f32.next_up(), 0.0], [9.7, 2.0], 0),
        ([9.7, 1.0f32.next_up()], [9.9, 1.0], 0),
        ([9.7, 0.0], [9.7, 2.0], 2),
        ([-0.25, 0.0], [0.25, 2.0], 2),
    ] {
        let aabb = Aabb { min: min.into(), max: max.into() };
        world.overlap_aabb(aabb, all, &mut one).unwrap();
        world.overlap_aabbs(&[aabb, aabb], all, &mut lists).unwrap();
        assert_eq!((one.len(), lists.get(0), lists.get(1)), (count, &one[..], &one[..]), "{aabb:?}");
    }
}

#[test]
fn of_two_met_at_one_fraction_the_first_row_is_told() {
    // The second wall is met at 100 and at the end of a stretch of the way, the first a little later, by an image, which rounds to 100 too.
    let (end, far) = (8.0f32.next_down(), 100.0);
    let gap = far * 8.0 * (2.0f32).powi(-25);
    for swapped in [false, true] {
        let mut world = world(Bounds::periodic_x(0.0, 8.0));
        let walls = [gap, end].map(|x| Segment::new([x, far - 0.1], [x, far + 0.1]));
        for k in if swapped { [1, 0] } else { [0, 1] } {
            world.add_segment(walls[k]).unwrap();
        }
        let ray = Ray::new([end, 0.0], [8.0, 1.0]).with_max(250.0);
        let mut hits = Vec::new();
        world.cast_ray_all(ray, QueryFilter::new(), &mut hits).unwrap();
        let told: Vec<_> = hits.iter().map(|hit| (hit.fraction, hit.target)).collect();
        assert_eq!(told, [(far, Target::segment(0)), (far, Target::segment(1))]);
        assert_eq!(world.cast_ray(ray, QueryFilter::new()).unwrap(), Some(hits[0]));
    }
}

#[test]
fn a_refused_question_leaves_what_was_found_alone() {
    let mut world = world(Bounds::periodic([0.0, 0.0], [10.0, 10.0]));
    world.add_circle(Circle::new([1.0, 1.0], 0.5)).unwrap();
    let (all, mut found) = (QueryFilter::new(), Vec::new());
    world.overlap_point([1.0, 1.0], all, &mut found).unwrap();
    let before = [Target::circle(0)];
    assert_eq!(found, before);
    // Longer than questions may be, in periods.
    let aabb = Aabb { min: [0.0, 0.0].into(), max: [170.0, 1.0].into() };
    let refused = [
        world.overlap_circle(Circle::new([0.0, 0.0], 170.0), all, &mut found),
        world.overlap_aabb(aabb, all, &mut found),
        world.overlap_segment(Segment::new([0.0, 0.0], [170.0, 0.0]), all, &mut found),
    ];
    assert!(refused.iter().all(|result| matches!(result, Err(Error::TooManyPeriods { .. }))), "{refused:?}");
    assert_eq!(found, before);
    // Too far beyond the border.
    world.add_segment(Segment::new([30.0, 0.0], [31.0, 0.0])).unwrap();
    let refused = world.overlap_point([5.0, 5.0], all, &mut found);
    assert!(matches!(refused, Err(Error::BeyondPeriod { .. })), "{refused:?}");
    assert_eq!(found, before);
}

/// A disc of circles that leaves the corners of a stretch empty: images are asked only about who may be nearer than what is known, so about as many as
/// in a plane that does not repeat.
#[test]
fn images_of_a_point_are_asked_about_nobody_who_is_far() {
    let bounds = Bounds::periodic([-64.0, -64.0], [64.0, 64.0]);
    let (mut worlds, mut circles) = ([world(bounds), world(Bounds::None)], Vec::new());
    for k in 0..64 * 64 {
        let [x, y] = [k % 64 * 2 - 63, k / 64 * 2 - 63].map(|v| v as f32);
        if x * x + y * y < 62.0 * 62.0 {
            circles.push(Circle::new([x, y], 0.5));
        }
    }
    let asked = AtomicUsize::new(0);
    let sees = |_: Target| asked.fetch_add(1, Ordering::Relaxed) < usize::MAX;
    let filter = QueryFilter::new().with_condition(&sees);
    let asked = worlds.each_mut().map(|world| {
        for &circle in &circles {
            world.add_circle(circle).unwrap();
        }
        let (mut found, mut distances) = (Vec::new(), Vec::new());
        for circle in circles.iter().step_by(7) {
            let point = [circle.center.x + 0.75, circle.center.y + 0.25];
            // A neighbour is at (1.25, -0.25): 0.775 from it, and 0.29 from the own.
            let near = world.nearest(point, f32::MAX, filter).unwrap().unwrap();
            assert!((near.distance - 0.290_569_4).abs() < 1e-5, "{near:?}");
            world.nearest_k(point, 5, f32::MAX, filter, &mut found).unwrap();
            distances.extend(found.iter().map(|near| (near.distance, near.target)));
        }
        // From outside of all: at the corners there is nobody for 90.5 - 62 and some.
        let corner = world.nearest([-64.0, -64.0], f32::MAX, filter).unwrap().unwrap();
        assert!(corner.distance > 28.0 && corner.distance < 31.0, "{corner:?}");
        (asked.swap(0, Ordering::Relaxed), distances.len())
    });
    let [(repeats, one), (plain, two)] = asked;
    assert!(one == two && repeats <= 2 * plain, "{asked:?}");
}

/// Points at whole numbers, circles and segments without extent, in a stretch of eight by eight, so that many images are equally near.
#[test]
fn of_equally_near_images_the_order_is_that_of_bodies() {
    let mut rng = Rng::new(3);
    let mut below = |most: u64| rng.bits() % most;
    let (mut ties, mut near) = (0, Vec::new());
    for round in 0..40 {
        let mut world = world(Bounds::periodic([0.0, 0.0], [8.0, 8.0]));
        let mut bodies = Vec::new();
        for row in 0..3 + round % 5 * 6 {
            let (a, b) = ([below(8), below(8)].map(|v| v as f32), [below(8), below(8)].map(|v| v as f32));
            world.add_circle(Circle::new(a, 0.0)).unwrap();
            world.add_segment(Segment::new(b, b)).unwrap();
            bodies.extend([(Target::circle(row), a), (Target::segment(row), b)]);
        }
        for turn in 0..40 {
            // Halves, some of them outside of the stretch.
            let p = [below(48), below(48)].map(|v| v as f32 * 0.5 - 8.0);
            let mut expected: Vec<(f32, Target)> = bodies
                .iter()
                .map(|&(target, at)| {
                    let [x, y] = [0, 1].map(|axis| {
                        let off = f64::from(p[axis] - at[axis]).rem_euclid(8.0);
                        if off > 4.0 { 8.0 - off } else { off }
                    });
                    // Twice the digits of a root and more: rounded twice it is rounded once.
                    ((x * x + y * y).sqrt() as f32, target)
                })
                .collect();
            expected.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
            ties += expected.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
            let most = [f32::MAX, 3.0, 0.5, 0.0][turn % 4];
            expected.retain(|&(distance, _)| distance <= most);
            for k in [0, 1, 2, 5, 9, 200] {
                world.nearest_k(p, k, most, QueryFilter::new(), &mut near).unwrap();
                let told: Vec<_> = near.iter().map(|near| (near.distance, near.target)).collect();
                assert_eq!(told, expected[..k.min(expected.len())], "{p:?} within {most}, {k}");
                for near in &near {
                    let (x, y) = (f64::from(near.point.x - p[0]), f64::from(near.point.y - p[1]));
                    assert_eq!((x * x + y * y).sqrt() as f32, near.distance, "{near:?} from {p:?}");
                }
            }
            let first = world.nearest(p, most, QueryFilter::new()).unwrap();
            assert_eq!(first.map(|near| (near.distance, near.target)), expected.first().copied());
        }
    }
    assert!(ties > 10_000, "{ties}");
}

/// The largest number is a whole one, so that height is 0 in the stretch, and the circle about it is moved back by as much: where it is met, at `MAX` or near
/// it, is beyond all numbers then.
#[test]
fn points_beyond_all_numbers_are_the_largest() {
    let most = f32::MAX;
    for sign in [1.0, -1.0] {
        let mut world = world(Bounds::periodic_y(0.0, 1.0));
        world.add_circle(Circle::new([0.0, 0.5], 1.0)).unwrap();
        let circle = Circle::new([0.0, sign * most], most);
        let hit = world.cast_circle(circle, [0.0, 0.0], QueryFilter::new()).unwrap().unwrap();
        assert_eq!((hit.fraction, hit.point.x), (0.0, 0.0), "{hit:?}");
        assert!(hit.point.y.is_finite() && hit.point.y * sign >= 0.0, "{hit:?}");
        let (mut hits, filter) = (Vec::new(), QueryFilter::new());
        world.cast_circle_all(circle, [0.0, 0.0], filter, &mut hits).unwrap();
        assert_eq!(hits, [hit]);
    }
}

#[test]
fn a_cast_meets_what_it_starts_on_beyond_the_border() {
    // Brought back, x would be 129.5 + 2^-17, which is no number.
    let (x, period) = (127.5 + (2.0f32).powi(-17), Bounds::periodic_x(128.0, 130.0));
    let (all, wall) = (QueryFilter::new(), Segment::new([x, -1.0], [x, 1.0]));
    for count in [0, 8] {
        let mut world = world(period);
        let row = world.add_segment(wall).unwrap();
        for k in 0..count {
            world.add_circle(Circle::new([128.05 + 0.25 * k as f32, 5.0], 0.05)).unwrap();
        }
        let met = |hit: Option<Hit>| hit.map(|hit| (hit.fraction, hit.target));
        let at = |fraction: f32| Some((fraction, Target::segment(0)));
        let mut hits = Vec::new();
        // On it; and 8 along the way.
        for (y, direction, max, fraction) in [(0.0, [1.0, 0.0], 2f32.powi(-20), 0.0), (-9.0, [0.0, 1.0], 100.0, 8.0)] {
            let ray = Ray::new([x, y], direction).with_max(max);
            assert_eq!(met(world.cast_ray(ray, all).unwrap()), at(fraction));
            assert!(world.cast_ray_any(ray, all).unwrap());
            world.cast_ray_all(ray, all, &mut hits).unwrap();
            assert_eq!(met(hits.first().copied()), at(fraction));
        }
        // 8 of 20 up, as a point and as a circle that just touches; and a quarter to the right, which just reaches it.
        for (center, radius, motion, fraction) in [
            ([x, -9.0], 0.0, [0.0, 20.0], 0.4),
            ([x - 0.25, -9.0], 0.25, [0.0, 20.0], 0.4),
            ([x - 0.5, 0.0], 0.25, [0.25, 0.0], 1.0),
        ] {
            let circle = Circle::new(center, radius);
            assert_eq!(met(world.cast_circle(circle, motion, all).unwrap()), at(fraction), "{circle:?}");
            assert!(world.cast_circle_any(circle, motion, all).unwrap());
        }
        assert_eq!(world.nearest([x, 0.0], 0.0, all).unwrap().map(|near| near.distance), Some(0.0));
        world.remove_segment(row).unwrap();
        assert_eq!(world.cast_ray(Ray::new([x, 0.0], [1.0, 0.0]).with_max(2f32.powi(-20)), all), Ok(None));
    }
}

#[test]
fn a_hair_beyond_the_border_a_distance_is_that_of_the_point_itself() {
    // A disc that begins at 0: the distance is how far beyond the point is.
    for (period, beyond) in [(1e3, 2e-5), (1e6, 0.02), (1e30, 1e-20)] {
        let mut world = world(Bounds::periodic_x(0.0, period));
        let (disc, all) = (Circle::new([1.0, 0.0], 1.0), QueryFilter::new());
        world.add_circle(disc).unwrap();
        let point = [-beyond, 0.0];
        assert_eq!(world.nearest(point, beyond.next_down(), all), Ok(None));
        let near = world.nearest(point, beyond, all).unwrap().unwrap();
        assert_eq!((near.distance, near.point), (beyond, Vec2::ZERO));
        assert_eq!(world.nearest([0.0, 0.0], 0.0, all).unwrap().map(|near| near.distance), Some(0.0));
    }
}

/// Walls that go beyond the border, one in each world, and points on, at and beside them there, with how far those are from the wall as it
/// stands: nothing else is within a hundredth of a period of that.
fn beyond_the_border(mut ask: impl FnMut(&World, Segment, Vec2, NearestPoint)) -> usize {
    let (mut random, mut asked) = (Random::new(6), 0);
    for turn in 0..if cfg!(debug_assertions) { 2000 } else { 6000 } {
        let mut unit = || random.below(1 << 24) as f32 / 16_777_216.0;
        let axis = turn % 2;
        let low = [0.0, 128.0, -129.0, -3.7, 1e3, 1e5, 1e-3][turn % 7];
        let length = 1.0 + unit() * 9.0;
        let high: f32 = low + length;
        let turned = |along: f32, across: f32| if axis == 0 { [along, across] } else { [across, along] };
        let far = 0.9 * unit() * length;
        let beyond = if turn % 3 == 0 { high + far } else { low - far };
        let radius = if turn % 5 < 3 { 0.0 } else { 0.1 * unit() };
        let (end, inside) = (turned(beyond, unit() - 0.5), turned(low + 0.5 * length, unit() - 0.5));
        let wall = Segment::new(inside, end).with_radius(radius);
        let bounds = if axis == 0 { Bounds::periodic_x(low, high) } else { Bounds::periodic_y(low, high) };
        let mut world = world(bounds);
        world.add_segment(wall).unwrap();
        // From its end on, or beside it, a little less or more than its radius.
        let off = [0.0, radius, radius * unit(), 0.01 * unit(), radius + 1e-6 * unit()][turn / 7 % 5];
        let [x, y] = end;
        let sign = if unit() < 0.5 { -1.0 } else { 1.0 };
        let point = Vec2::from(if unit() < 0.5 { [x + sign * off, y] } else { [x, y + sign * off] });
        let near = geometry::nearest_on_capsule(point, wall).unwrap();
        let period = f64::from(high) - f64::from(low);
        let is_alone = [-2, -1, 1, 2].into_iter().all(|count| {
            let by = period * f64::from(count);
            let moved = |v: f32, on: usize| if axis == on { (f64::from(v) + by) as f32 } else { v };
            let other = geometry::nearest_on_capsule([moved(point.x, 0), moved(point.y, 1)], wall).unwrap();
            other.distance > near.distance + 0.01 * length
        });
        if is_alone {
            asked += 1;
            ask(&world, wall, point, near);
        }
    }
    asked
}

#[test]
fn what_is_nearest_beyond_the_border_unmoved_is_told_as_in_a_plane() {
    let (all, mut found, mut counts) = (QueryFilter::new(), Vec::new(), [0; 2]);
    let asked = beyond_the_border(|world, wall, point, near| {
        world.overlap_point(point, all, &mut found).unwrap();
        let touched = world.nearest(point, 0.0, all).unwrap();
        assert_eq!(touched.is_some(), !found.is_empty(), "{wall:?} {point:?}");
        assert_eq!(touched.is_some(), near.distance == 0.0, "{wall:?} {point:?}");
        let told = world.nearest(point, near.distance, all).unwrap().unwrap();
        assert_eq!((told.distance, told.point, told.feature), (near.distance, near.point, near.feature), "{wall:?}");
        if near.distance > 0.0 {
            assert_eq!(world.nearest(point, near.distance.next_down(), all), Ok(None), "{wall:?} {point:?}");
        }
        counts[usize::from(touched.is_some())] += 1;
    });
    assert!(asked > 1000 && counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn casts_beyond_the_border_miss_no_body_that_is_not_moved() {
    let all = QueryFilter::new();
    let asked = beyond_the_border(|world, wall, point, _| {
        let back = Vec2::new(wall.start.x - point.x, wall.start.y - point.y);
        for direction in [Vec2::ZERO, back, Vec2::new(-back.y, back.x), Vec2::new(back.x, 0.0), Vec2::new(0.0, back.y)]
        {
            let ray = Ray::new(point, direction).with_max(0.5);
            // Another image may be met before.
            let plain = geometry::ray_segment(ray, wall).map(|hit| hit.t);
            let told = world.cast_ray(ray, all).unwrap().map(|hit| hit.fraction);
            assert!(plain.is_none_or(|plain| told.is_some_and(|told| told <= plain)), "{wall:?} {ray:?} {told:?}");
            let circle = Circle::new(point, wall.radius);
            let plain = geometry::sweep_circle_segment(circle, direction, wall).map(|impact| impact.fraction);
            let told = world.cast_circle(circle, direction, all).unwrap().map(|hit| hit.fraction);
            assert!(plain.is_none_or(|plain| told.is_some_and(|told| told <= plain)), "{wall:?} {circle:?} {told:?}");
        }
    });
    assert!(asked > 1000, "{asked}");
}

#[test]
fn who_is_at_no_distance_is_who_is_touched() {
    // All numbers are multiples of 2^-6, and so are images of them.
    let (mut random, all, mut counts) = (Random::new(7), QueryFilter::new(), [0; 2]);
    for turn in 0..60 {
        let low = [0.0, 128.0, -129.0, 1024.0][turn % 4];
        let mut world = world(Bounds::periodic([low, -2.0], [low + 2.0, 1.0]));
        let mut grid = |from: f32, most: u64| from + random.below(64 * most) as f32 / 64.0;
        for _ in 0..3 {
            world.add_circle(Circle::new([grid(low, 2), grid(-2.0, 3)], grid(0.0, 1) * 0.25)).unwrap();
            let ends = [0, 1].map(|_| [grid(low - 2.0, 6), grid(-5.0, 9)]);
            world.add_segment(Segment::new(ends[0], ends[1])).unwrap();
        }
        for _ in 0..200 {
            let point = [grid(low - 2.0, 6), grid(-5.0, 9)];
            let (mut touched, mut near) = (Vec::new(), Vec::new());
            world.overlap_point(point, all, &mut touched).unwrap();
            world.nearest_k(point, 9, 0.0, all, &mut near).unwrap();
            assert_eq!(near.iter().map(|near| near.target).collect::<Vec<_>>(), touched, "{point:?}");
            counts[usize::from(touched.is_empty())] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Where a coordinate is in the stretch from 0.1 to 7.3, by whole numbers: in units of 2^-27 all three are such.
fn brought_back(x: f32, [low, high]: [f32; 2]) -> f32 {
    let units = |v: f32| (f64::from(v) * 134_217_728.0) as i128;
    let rest = (units(x) - units(low)).rem_euclid(units(high) - units(low)) + units(low);
    (rest as f64 / 134_217_728.0) as f32
}

#[test]
fn however_far_out_a_question_is_that_of_its_image() {
    let ([low, high], all) = ([0.1, 7.3], QueryFilter::new());
    for turn in 0..400 {
        let x = (2.0f32).powi(20 + turn % 70) * (1.0 + turn as f32 / 400.0) * if turn % 3 == 0 { -1.0 } else { 1.0 };
        let (at, mut world) = (brought_back(x, [low, high]), world(Bounds::periodic_x(low, high)));
        world.add_circle(Circle::new([at, 0.0], 0.001)).unwrap();
        assert_eq!(touched(&world, [x, 0.0]), vec![vec![Target::circle(0)]; 4], "{x}");
        let near = world.nearest([x, 5.0], f32::MAX, all).unwrap().unwrap();
        assert!((near.distance - 4.999).abs() < 1e-6, "{x}: {near:?}");
        let down = Ray::new([x, 5.0], [0.0, -1.0]);
        let hit = world.cast_ray(down, all).unwrap().unwrap();
        assert!((hit.fraction - 4.999).abs() < 1e-6 && hit.point.x == x, "{x}: {hit:?}");
        assert_eq!(world.cast_ray_any(down, all), Ok(true));
    }
}

#[test]
fn whether_any_is_met_is_seen_as_far_as_the_first() {
    let (mut world, all) = (world(Bounds::periodic_x(0.0, 1.0)), QueryFilter::new());
    world.add_segment(Segment::new([-1.0, 10.0], [2.0, 10.0])).unwrap();
    // It is met after so many periods, half the way.
    for periods in [3.0f32, 254.0, 255.9, 256.0, 256.5, 257.9, 300.0] {
        let ray = Ray::new([0.5, 0.0], [periods, 10.0]).with_max(2.0);
        let (point, motion) = (Circle::new([0.5, 0.0], 0.0), [2.0 * periods, 20.0]);
        let expected = |kind, row| {
            if periods < 256.0 { Ok(true) } else { Err(Error::TooManyPeriods { kind, row, limit: 256 }) }
        };
        let first = [world.cast_ray(ray, all), world.cast_circle(point, motion, all)];
        let any = [world.cast_ray_any(ray, all), world.cast_circle_any(point, motion, all)];
        assert_eq!(any, [expected(Kind::Ray, 0), expected(Kind::Circle, 0)], "{periods}");
        assert_eq!(first.map(|first| first.map(|hit| hit.is_some())), any, "{periods}");
        let (x, y, dx, mut met) = ([0.5; 2], [0.0; 2], [3.0, periods], Vec::new());
        let rays = Rays { x: &x, y: &y, direction_x: &dx, direction_y: &[10.0; 2], max: &[2.0; 2], skip: &[] };
        let told = world.cast_rays_any(rays, all, &mut met).map(|()| met == [true; 2]);
        assert_eq!(told, expected(Kind::Ray, 1), "{periods}");
    }
    assert_eq!(world.cast_ray_any(Ray::new([0.5, 0.0], [255.0, 9.0]).with_max(1.0), all), Ok(false));
}
