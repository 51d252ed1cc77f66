//! Promise: in a plane that repeats a question is decided as it stands, wherever it is asked, to the last bit, one by one and in batches.

use crate::common::scenes::Rng;
use gridlane::{
    Aabb, Bounds, Circle, Circles, Error, QueryFilter, Ray, Segment, Segments, Target, TargetLists, Vec2, World,
    WorldConfig,
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
