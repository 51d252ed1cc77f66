//! Promise: in a plane that repeats a question is decided as it stands, wherever it is asked, to the last bit, one by one and in batches.

use gridlane::{
    Aabb, Bounds, Circle, Circles, Error, QueryFilter, Ray, Segment, Segments, Target, TargetLists, Vec2, World,
    WorldConfig,
};

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
