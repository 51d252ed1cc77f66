//! All questions there are, about a place.

use gridlane::{
    Aabb, Circle, Circles, Error, Fan, Hit, HitLists, MovingCircles, Nearest, NearestLists, NeighborLists, QueryFilter,
    QueryPoints, Ray, Rays, Scan, Scans, Segment, Segments, Target, TargetLists, Vec2, World,
};

/// What one of them says, and how many it tells of where one circle and one segment cover everything: both, the first of them, one of each
/// kind or for each beam; or that there is somebody, which is put as a circle.
pub type Answer = (usize, Result<Vec<Target>, Error>);

fn ask() -> QueryFilter<'static> {
    QueryFilter::new()
}

fn of(hits: &[Hit]) -> Vec<Target> {
    hits.iter().filter(|hit| hit.is_hit()).map(|hit| hit.target).collect()
}

fn somebody(is_there: bool) -> Vec<Target> {
    vec![Target::circle(0); usize::from(is_there)]
}

fn near(nearest: &[Nearest]) -> Vec<Target> {
    nearest.iter().map(|nearest| nearest.target).collect()
}

/// Within a length or two of the place.
pub fn ask_all(world: &World, place: [f32; 2]) -> Vec<Answer> {
    let [x, y] = [[place[0]], [place[1]]];
    let mut answers = casts(world, place, [&x, &y]);
    answers.extend(overlaps(world, place, [&x, &y]));
    answers.extend(nearness(world, place, [&x, &y]));
    answers
}

fn casts(world: &World, place: [f32; 2], [x, y]: [&[f32]; 2]) -> Vec<Answer> {
    let (one, up, radius) = (&[1.0][..], &[0.25][..], &[0.25][..]);
    let ray = Ray { max: 1.0, ..Ray::new(place, [1.0, 0.25]) };
    let rays = Rays { x, y, direction_x: one, direction_y: up, max: one, skip: &[] };
    let (circle, motion) = (Circle::new(place, 0.25), [1.0, 0.25]);
    let circles = MovingCircles { x, y, radius, motion_x: one, motion_y: up, skip: &[] };
    let fans = [Fan::around(place, 8, 1.0), Fan::around(place, 3, 0.5)];
    let (mut hits, mut met, mut lists) = (vec![], vec![], HitLists::new());
    let (mut scan, mut scans) = (Scan::new(), Scans::new());
    vec![
        (1, world.cast_ray(ray, ask()).map(|hit| of(hit.as_slice()))),
        (1, world.cast_ray_any(ray, ask()).map(somebody)),
        (2, world.cast_ray_all(ray, ask(), &mut hits).map(|()| of(&hits))),
        (1, world.cast_rays(rays, ask(), &mut hits).map(|()| of(&hits))),
        (1, world.cast_rays_any(rays, ask(), &mut met).map(|()| somebody(met[0]))),
        (2, world.cast_rays_all(rays, ask(), &mut lists).map(|()| of(lists.hits()))),
        (1, world.cast_circle(circle, motion, ask()).map(|hit| of(hit.as_slice()))),
        (1, world.cast_circle_any(circle, motion, ask()).map(somebody)),
        (2, world.cast_circle_all(circle, motion, ask(), &mut hits).map(|()| of(&hits))),
        (1, world.cast_circles(circles, ask(), &mut hits).map(|()| of(&hits))),
        (1, world.cast_circles_any(circles, ask(), &mut met).map(|()| somebody(met[0]))),
        (2, world.cast_circles_all(circles, ask(), &mut lists).map(|()| of(lists.hits()))),
        (8, world.cast_fan(fans[0], ask(), &mut scan).map(|()| of(scan.hits()))),
        (11, world.cast_fans(&fans, &[], ask(), &mut scans).map(|()| of(scans.hits()))),
    ]
}

fn overlaps(world: &World, place: [f32; 2], [x, y]: [&[f32]; 2]) -> Vec<Answer> {
    let (circle, radius) = (Circle::new(place, 0.25), &[0.25][..]);
    let aabb = Aabb { min: place.into(), max: Vec2::new(place[0] + 0.5, place[1] + 0.5) };
    let (segment, end) = (Segment::new(place, [place[0] + 0.5, place[1]]), [place[0] + 0.5]);
    let segments = Segments { x0: x, y0: y, x1: &end, y1: y };
    let (mut found, mut lists) = (vec![], TargetLists::new());
    vec![
        (2, world.overlap_point(place, ask(), &mut found).map(|()| found.clone())),
        (2, world.overlap_circle(circle, ask(), &mut found).map(|()| found.clone())),
        (2, world.overlap_aabb(aabb, ask(), &mut found).map(|()| found.clone())),
        (2, world.overlap_segment(segment, ask(), &mut found).map(|()| found.clone())),
        (1, world.is_free(circle, ask()).map(|free| somebody(!free))),
        (2, world.overlap_points(x, y, ask(), &mut lists).map(|()| lists.items().to_vec())),
        (2, world.overlap_circles(Circles { x, y, radius }, ask(), &mut lists).map(|()| lists.items().to_vec())),
        (2, world.overlap_aabbs(&[aabb], ask(), &mut lists).map(|()| lists.items().to_vec())),
        (2, world.overlap_segments(segments, ask(), &mut lists).map(|()| lists.items().to_vec())),
    ]
}

/// Of neighbours those of the only circle: the segment.
fn nearness(world: &World, place: [f32; 2], [x, y]: [&[f32]; 2]) -> Vec<Answer> {
    let points = QueryPoints { x, y, skip: &[] };
    let (mut nearest, mut lists) = (vec![], NearestLists::new());
    let (mut neighbors, mut rows) = (NeighborLists::new(), TargetLists::new());
    let targets = |lists: &NeighborLists| lists.items().iter().map(|neighbor| neighbor.target).collect();
    vec![
        (1, world.nearest(place, 1.0, ask()).map(|found| near(found.as_slice()))),
        (1, world.nearest_circle(place, 1.0, ask()).map(|found| near(found.as_slice()))),
        (1, world.nearest_segment(place, 1.0, ask()).map(|found| near(found.as_slice()))),
        (2, world.nearest_k(place, 3, 1.0, ask(), &mut nearest).map(|()| near(&nearest))),
        (1, world.nearest_all(x, y, 1.0, ask(), &mut nearest).map(|()| near(&nearest))),
        (2, world.nearest_k_all(points, 3, 1.0, ask(), &mut lists).map(|()| near(lists.items()))),
        (1, world.neighbors(0.5, ask(), &mut neighbors).map(|()| targets(&neighbors))),
        (1, world.neighbor_rows(0.5, ask(), &mut rows).map(|()| rows.items().to_vec())),
    ]
}
