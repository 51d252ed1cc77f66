//! Questions to worlds and detectors, against the loop over all bodies.
//!
//! Comes in: bytes. Goes out: nothing, or a panic. Bodies come, go and are moved between the questions, so that what is kept for them is mended or
//! made anew; the loop asks the pairwise functions about every body that there is.

use crate::casts::{self, Bodies, Flight};
use crate::choices::{Choices, Numbers, Script};
use crate::draw::FiniteDraw;
use crate::near_truth::NearTruth;
use crate::truth::Columns;
use gridlane::geometry::{Circle, Ray};
use gridlane::{
    Aabb, Backend, CircleHandle, Detector, DetectorConfig, NeighborLists, Queries, QueryFilter, Rays, SegmentBody,
    SegmentColumns, SegmentHandle, Target, Threads, Vec2, World, WorldConfig,
};

/// Bodies of a kind, since the loop asks them all.
const MOST: usize = 40;

/// The worlds, which get the same calls, and the handles of what is in them.
struct Bench {
    worlds: [World; 2],
    circles: Vec<CircleHandle>,
    segments: Vec<SegmentHandle>,
}

impl Bench {
    fn new() -> Bench {
        let world = |backend| {
            let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(1));
            World::new(config).expect("in range")
        };
        Bench { worlds: [world(Backend::Scalar), world(Backend::Wide)], circles: vec![], segments: vec![] }
    }

    fn edit(&mut self, d: &mut FiniteDraw<'_>) {
        let what = d.c.below(8);
        match what {
            0 | 1 if self.circles.len() < MOST => {
                let circle = Circle::new(d.point(), d.size());
                let [a, _] = self.worlds.each_mut().map(|world| world.add_circle(circle).expect("finite"));
                self.circles.push(a);
            }
            2 | 3 if self.segments.len() < MOST => {
                let body = SegmentBody::from(d.segment());
                let body = if d.c.once_in(6) { body.with_velocity([1.0, 0.0]) } else { body };
                let [a, _] = self.worlds.each_mut().map(|world| world.add_segment(body).expect("finite"));
                self.segments.push(a);
            }
            4 if !self.circles.is_empty() => {
                let at = d.c.below(256) % self.circles.len();
                let (circle, gone, place) = (self.circles[at], d.c.once_in(2), d.point());
                for world in &mut self.worlds {
                    if gone {
                        world.remove_circle(circle).expect("live");
                    } else {
                        world.move_circle(circle, place).expect("live");
                    }
                }
                if gone {
                    self.circles.swap_remove(at);
                }
            }
            5 if !self.segments.is_empty() => {
                let at = d.c.below(256) % self.segments.len();
                let segment = self.segments.swap_remove(at);
                for world in &mut self.worlds {
                    world.remove_segment(segment).expect("live");
                }
            }
            6 if !self.segments.is_empty() => {
                let (at, shape) = (d.c.below(256) % self.segments.len(), d.segment());
                let segment = self.segments[at];
                self.worlds.iter_mut().for_each(|world| world.set_segment(segment, shape).expect("live"));
            }
            7 => {
                for world in &mut self.worlds {
                    world.detect().expect("below the limit");
                }
            }
            _ => {}
        }
    }

    /// The bodies as they stand, row by row.
    fn scene(&self) -> Columns {
        let (c, s) = (self.worlds[0].circles(), self.worlds[0].segments());
        Columns {
            x: c.x().to_vec(),
            y: c.y().to_vec(),
            radius: c.radius().to_vec(),
            x0: s.x0().to_vec(),
            y0: s.y0().to_vec(),
            x1: s.x1().to_vec(),
            y1: s.y1().to_vec(),
            wall_radius: s.radius().to_vec(),
        }
    }
}

fn ask_flight(
    queries: &Queries<'_>,
    bodies: &Bodies,
    flight: Flight,
    filter: QueryFilter<'_>,
    sees: &dyn Fn(Target) -> bool,
) {
    let (expected, mut hits) = (casts::all(bodies, flight, sees), Vec::new());
    let (first, any) = match flight {
        Flight::Ray(ray) => {
            queries.cast_ray_all(ray, filter, &mut hits).expect("finite");
            (queries.cast_ray(ray, filter), queries.cast_ray_any(ray, filter))
        }
        Flight::Circle(circle, motion) => {
            queries.cast_circle_all(circle, motion, filter, &mut hits).expect("finite");
            (queries.cast_circle(circle, motion, filter), queries.cast_circle_any(circle, motion, filter))
        }
    };
    let bits = |hits: &[gridlane::Hit]| hits.iter().map(casts::bits).collect::<Vec<_>>();
    assert_eq!(bits(&hits), bits(&expected), "{flight:?}\n{hits:?}\n{expected:?}\n{bodies:?}");
    let first = first.expect("finite");
    assert_eq!(first.as_ref().map(casts::bits), expected.first().map(casts::bits), "{flight:?} {bodies:?}");
    assert_eq!(any, Ok(!expected.is_empty()), "{flight:?} {bodies:?}");
}

/// Rays in a column: more than twice as many as there may be bodies, so that what many rays are cast through is made.
const MANY: usize = 4 * MOST + 8;

/// Columns of two rays in turns, twice, and then each by itself: as they are answered where many are cast.
fn ask_columns(
    queries: &Queries<'_>,
    bodies: &Bodies,
    two: [Ray; 2],
    filter: QueryFilter<'_>,
    sees: &dyn Fn(Target) -> bool,
) {
    let all: Vec<Ray> = two.into_iter().cycle().take(MANY).collect();
    let column = |of: fn(&Ray) -> f32| all.iter().map(of).collect::<Vec<f32>>();
    let (x, y) = (column(|ray| ray.origin.x), column(|ray| ray.origin.y));
    let (direction_x, direction_y) = (column(|ray| ray.direction.x), column(|ray| ray.direction.y));
    let max = column(|ray| ray.max);
    let rays = Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &max, skip: &[] };
    let expected = two.map(|ray| casts::all(bodies, Flight::Ray(ray), sees).first().map(casts::bits));
    let (mut hits, mut met) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        queries.cast_rays(rays, filter, &mut hits).expect("finite");
        queries.cast_rays_any(rays, filter, &mut met).expect("finite");
        assert_eq!((hits.len(), met.len()), (MANY, MANY));
        for (k, (hit, met)) in hits.iter().zip(met.iter()).enumerate() {
            let expected = expected[k % 2];
            assert_eq!(hit.is_hit().then(|| casts::bits(hit)), expected, "{k} of {two:?} {bodies:?}");
            assert_eq!(*met, expected.is_some(), "{k} of {two:?} {bodies:?}");
        }
    }
    for ray in two {
        ask_flight(queries, bodies, Flight::Ray(ray), filter, sees);
    }
}

/// One question of each kind, with the same numbers to everybody.
fn ask(d: &mut FiniteDraw<'_>, scene: &Columns, owners: &[Queries<'_>]) {
    let odd = |target: Target| target.row % 3 != 1;
    let some = d.c.once_in(4);
    let filter = if some { QueryFilter::new().with_condition(&odd) } else { QueryFilter::new() };
    let sees = |target: Target| !some || odd(target);
    let truth = NearTruth { scene, sees: &sees };
    let bodies = Bodies {
        name: "",
        circles: (0..scene.x.len()).map(|i| scene.circle(i)).collect(),
        segments: (0..scene.x0.len()).map(|i| scene.segment(i)).collect(),
    };
    let (point, motion, size, most) = (d.point(), d.point(), d.size(), d.number().abs());
    let ray = Ray::new(point, motion).with_max(most);
    let circle = Circle::new(point, size);
    let ([x0, x1], [y0, y1]) = ([point[0], motion[0]], [point[1], motion[1]]);
    let aabb = Aabb::new([x0.min(x1), y0.min(y1)], [x0.max(x1), y0.max(y1)]);
    let segment = d.segment();
    for queries in owners {
        ask_flight(queries, &bodies, Flight::Ray(ray), filter, &sees);
        ask_flight(queries, &bodies, Flight::Circle(circle, Vec2::from(motion)), filter, &sees);
        ask_columns(queries, &bodies, [ray, Ray::new(motion, point).with_max(most)], filter, &sees);
        let mut found = Vec::new();
        queries.overlap_circle(circle, filter, &mut found).expect("finite");
        assert_eq!(found, truth.of_circle(circle), "{circle:?} {scene:?}");
        assert_eq!(queries.is_free(circle, filter), Ok(found.is_empty()), "{circle:?} {scene:?}");
        queries.overlap_aabb(aabb, filter, &mut found).expect("finite");
        assert_eq!(found, truth.of_aabb(aabb), "{aabb:?} {scene:?}");
        queries.overlap_segment(segment, filter, &mut found).expect("finite");
        assert_eq!(found, truth.of_segment(segment), "{segment:?} {scene:?}");
        let (expected, mut near) = (truth.nearest(point, most), Vec::new());
        assert_eq!(queries.nearest(point, most, filter), Ok(expected.first().copied()), "{point:?} {most} {scene:?}");
        queries.nearest_k(point, 3, most, filter, &mut near).expect("finite");
        assert_eq!(near, expected[..expected.len().min(3)], "{point:?} {most} {scene:?}");
        if !some {
            let mut lists = NeighborLists::new();
            queries.neighbors(size, filter, &mut lists).expect("finite");
            for row in 0..scene.x.len() {
                assert_eq!(lists.get(row), truth.neighbors(row, size), "row {row} within {size} {scene:?}");
            }
        }
    }
}

/// One script: edits and questions.
pub fn check(bytes: &[u8]) {
    let (mut c, n) = (Script::new(bytes), Numbers::default());
    let wild = c.once_in(2);
    let (mut d, mut bench, mut rounds) = (FiniteDraw { c, n, wild }, Bench::new(), 0);
    while rounds < 6 {
        if d.c.is_over() || d.c.once_in(8) {
            let scene = bench.scene();
            let mut detector = Detector::new(DetectorConfig::default()).expect("in range");
            detector
                .set_segments(SegmentColumns::from(scene.segments()).with_radius(&scene.wall_radius[..]))
                .expect("finite");
            detector.set_circles(scene.circles(), Default::default()).expect("finite");
            ask(&mut d, &scene, &[bench.worlds[0].queries(), bench.worlds[1].queries(), detector.queries()]);
            rounds += 1;
            if d.c.is_over() {
                break;
            }
        } else {
            bench.edit(&mut d);
        }
    }
}
