//! What casts should find: a loop over all bodies and the functions of `geometry`; and scenes that are hard on cells.

use crate::common::scenes::{self, Rng};
use gridlane::geometry::{self, Circle, Ray, Segment};
use gridlane::{Hit, Queries, QueryFilter, Rays, Target, Vec2};

/// Bodies as shapes.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    pub name: &'static str,
    pub circles: Vec<Circle>,
    pub segments: Vec<Segment>,
}

/// A ray, or a circle with its motion.
#[derive(Clone, Copy, Debug)]
pub enum Flight {
    Ray(Ray),
    Circle(Circle, Vec2),
}

/// Everything a flight meets, in the order of lists.
pub fn all(bodies: &Bodies, flight: Flight, sees: impl Fn(Target) -> bool) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (row, &circle) in bodies.circles.iter().enumerate() {
        let target = Target::circle(row as u32);
        hits.extend(sees(target).then(|| meet_circle(flight, circle, target)).flatten());
    }
    for (row, &segment) in bodies.segments.iter().enumerate() {
        let target = Target::segment(row as u32);
        hits.extend(sees(target).then(|| meet_segment(flight, segment, target)).flatten());
    }
    hits.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.target.cmp(&b.target)));
    hits
}

fn meet_circle(flight: Flight, circle: Circle, target: Target) -> Option<Hit> {
    match flight {
        Flight::Ray(ray) => geometry::ray_circle(ray, circle).map(|hit| of_ray(hit, target)),
        Flight::Circle(mover, motion) => {
            geometry::sweep_circle_circle(mover, motion, circle, [0.0, 0.0]).map(|sweep| of_sweep(sweep, target))
        }
    }
}

fn meet_segment(flight: Flight, segment: Segment, target: Target) -> Option<Hit> {
    match flight {
        Flight::Ray(ray) => geometry::ray_segment(ray, segment).map(|hit| of_ray(hit, target)),
        Flight::Circle(mover, motion) => {
            geometry::sweep_circle_segment(mover, motion, segment).map(|sweep| of_sweep(sweep, target))
        }
    }
}

fn of_ray(hit: geometry::RayHit, target: Target) -> Hit {
    Hit { fraction: hit.t, point: hit.point, normal: hit.normal, feature: hit.feature, target }
}

fn of_sweep(sweep: geometry::Sweep, target: Target) -> Hit {
    let n = sweep.contact.normal;
    let normal = Vec2::new(0.0 - n.x, 0.0 - n.y);
    Hit { fraction: sweep.fraction, point: sweep.contact.point, normal, feature: sweep.contact.feature, target }
}

/// The bits of a hit, so that -0 and 0 differ.
pub fn bits(hit: &Hit) -> [u32; 8] {
    bytemuck::cast(*hit)
}

/// A built-in scene, thinned so that brute force stays quick.
pub fn built_in(name: &'static str, every: usize) -> Bodies {
    let scene = scenes::scene(name).expect("a built-in scene");
    let circle = |i: usize| Circle::new([scene.x[i], scene.y[i]], scene.radius[i]);
    let segment = |i: usize| Segment::new([scene.x0[i], scene.y0[i]], [scene.x1[i], scene.y1[i]]);
    Bodies {
        name,
        circles: (0..scene.x.len()).step_by(every).map(circle).collect(),
        segments: (0..scene.x0.len()).step_by(every).map(segment).collect(),
    }
}

/// Bodies strewn over a square of this half width about a point.
pub fn strewn(name: &'static str, count: usize, half: f64, middle: f64, size: impl Fn(&mut Rng) -> f64) -> Bodies {
    let mut rng = Rng::new(count as u64 ^ name.len() as u64);
    let mut bodies = Bodies { name, ..Bodies::default() };
    for k in 0..count {
        let mut p = || [middle + rng.range(-half, half), middle + rng.range(-half, half)];
        let (c, a) = (p(), p());
        let s = size(&mut rng);
        bodies.circles.push(Circle::new(c.map(|v| v as f32), (0.3 * s) as f32));
        let angle = rng.range(0.0, 6.3);
        let b = [a[0] + s * angle.cos(), a[1] + s * angle.sin()];
        let radius = if name.starts_with("round") && k % 3 == 0 { (0.2 * s) as f32 } else { 0.0 };
        bodies.segments.push(Segment::new(a.map(|v| v as f32), b.map(|v| v as f32)).with_radius(radius));
    }
    bodies
}

/// Scenes of many kinds.
pub fn scenes() -> Vec<Bodies> {
    let plain = |size: f64| move |rng: &mut Rng| size * rng.range(0.3, 1.0);
    let mixed = |rng: &mut Rng| 10f64.powf(rng.range(-2.0, 1.5));
    let mut all = vec![
        built_in("gas-10k", 4),
        built_in("mixed-100k", 60),
        built_in("cluster-100k", 40),
        built_in("city-100k", 30),
        strewn("few", 5, 10.0, 0.0, plain(3.0)),
        strewn("sparse", 300, 3000.0, 0.0, plain(2.0)),
        strewn("dense", 800, 10.0, 0.0, plain(2.0)),
        strewn("mixed sizes", 1200, 50.0, 0.0, mixed),
        strewn("round", 900, 30.0, 0.0, plain(2.0)),
        strewn("far away", 900, 30.0, 6.4e6, plain(2.0)),
        strewn("tiny", 600, 30e-30, 0.0, plain(2e-30)),
        strewn("huge", 600, 30e30, 0.0, plain(2e30)),
        strewn("subnormal", 300, 1e-40, 0.0, plain(1e-41)),
        strewn("points", 400, 5.0, 0.0, plain(0.0)),
        strewn("one point", 200, 0.0, 3.0, plain(0.0)),
        Bodies { name: "nothing", ..Bodies::default() },
    ];
    let mut outlier = strewn("one at 1e30", 700, 25.0, 0.0, plain(2.0));
    outlier.circles.push(Circle::new([1e30, -1e30], 1.0));
    outlier.circles.push(Circle::new([1e30, 1e30], 1e29));
    outlier.segments.push(Segment::new([1e30, 1e30], [1.001e30, 1e30]));
    outlier.segments.push(Segment::new([-3e38, 2.0], [3e38, 1.0]));
    all.push(outlier);
    let mut across = strewn("walls across", 500, 40.0, 0.0, plain(2.0));
    for k in 0..12 {
        let y = 6.0 * k as f32 - 33.0;
        across.segments.push(Segment::new([-60.0, y], [60.0, y + k as f32]));
        across.segments.push(Segment::new([y, -60.0], [y, 60.0]));
    }
    all.push(across);
    all.push(lattice(12));
    all.extend([
        clumps("clumps", 12, 1e5, 0.0, 1.0),
        clumps("clumps on a line", 8, 0.0, 1e5, 1.0),
        clumps("clumps far away", 9, 4e7, 6.4e6, 2.0),
        clumps("clumps of tiny ones", 6, 3e6, 1e7, 1e-12),
        clumps("clumps everywhere", 10, 2e30, 0.0, 1e20),
    ]);
    all
}

/// Clumps far apart, and as many by themselves, the `y` of all within a thousandth of that where the width is zero.
pub fn clumps(name: &'static str, count: usize, width: f64, middle: f64, size: f64) -> Bodies {
    let mut rng = Rng::new(count as u64);
    let mut bodies = Bodies { name, ..Bodies::default() };
    for k in 0..2 * count {
        let (wide, high) = if width > 0.0 { (width, width) } else { (middle, middle * 1e-3) };
        let place = [middle + rng.range(-wide, wide), middle + rng.range(-high, high)];
        for _ in 0..if k < count { 50 } else { 1 } {
            let mut near = |v: f64| (v + size * rng.range(-9.0, 9.0)) as f32;
            let center = [near(place[0]), near(place[1])];
            bodies.circles.push(Circle::new(center, (size * rng.range(0.2, 1.0)) as f32));
        }
    }
    bodies
}

/// Walls between neighbours of a lattice, circles on its points.
pub fn lattice(n: i32) -> Bodies {
    let mut bodies = Bodies { name: "lattice", ..Bodies::default() };
    let mut rng = Rng::new(99);
    for x in 0..n {
        for y in 0..n {
            let p = [x as f32, y as f32];
            for q in [[p[0] + 1.0, p[1]], [p[0], p[1] + 1.0], [p[0] + 1.0, p[1] + 1.0]] {
                if rng.unit() < 0.35 {
                    bodies.segments.push(Segment::new(p, q));
                }
            }
            if rng.unit() < 0.1 {
                bodies.circles.push(Circle::new(p, [0.0, 0.25, 0.5, 1.0][(rng.bits() % 4) as usize]));
            }
        }
    }
    bodies
}

/// Casts so many rays, of no length, that from now on rays look for bodies as they do where many are cast: in scenes of up to 10 000 bodies.
pub fn cast_many(queries: &Queries<'_>) {
    let (column, mut met) = (&[0.0; 20_000][..], Vec::new());
    let rays = Rays { x: column, y: column, direction_x: column, direction_y: column, max: column, skip: &[] };
    queries.cast_rays_any(rays, QueryFilter::new(), &mut met).unwrap();
}

/// Rays and circles on their way through the bodies: from ends, centres and points between, to such points, along axes, of any length,
/// of none.
pub fn flights(bodies: &Bodies, count: usize, seed: u64) -> Vec<Flight> {
    let mut rng = Rng::new(seed);
    let mut points: Vec<[f64; 2]> = vec![[0.0, 0.0]];
    let wide = |p: Vec2| [f64::from(p.x), f64::from(p.y)];
    points.extend(bodies.circles.iter().map(|c| wide(c.center)));
    points.extend(bodies.segments.iter().flat_map(|s| [wide(s.start), wide(s.end)]));
    let sizes: Vec<f32> = bodies.circles.iter().map(|c| c.radius).chain([0.0, 1.0]).collect();
    (0..count)
        .map(|k| {
            let mut any = || {
                let (p, q) = (points[rng.bits() as usize % points.len()], points[rng.bits() as usize % points.len()]);
                let t = [0.0, 0.5, rng.range(-0.2, 1.2), rng.range(0.0, 0.02)][(rng.bits() % 4) as usize];
                let mix = |a: f64, b: f64| a + t * (b - a);
                [mix(p[0], q[0]), mix(p[1], q[1])].map(|v| v.clamp(-3e38, 3e38) as f32)
            };
            let (from, to) = (any(), any());
            let mut d = [to[0] - from[0], to[1] - from[1]].map(|v| v.clamp(-3e38, 3e38));
            match k % 11 {
                0 => d[0] = 0.0,
                1 => d[1] = 0.0,
                2 => d = [0.0, 0.0],
                3 => d = d.map(|v| v * 1e-3),
                4 => d[1] *= 1e-20,
                5 => d[0] = d[1],
                _ => {}
            }
            let max = [1.0, 1.0, 0.5, 100.0, f32::MAX, 0.0][(rng.bits() % 6) as usize];
            if k % 3 == 0 {
                let radius = sizes[rng.bits() as usize % sizes.len()] * [1.0, 0.1, 4.0, 0.0][(rng.bits() % 4) as usize];
                Flight::Circle(Circle::new(from, if radius.is_finite() { radius } else { 0.0 }), Vec2::from(d))
            } else {
                Flight::Ray(Ray::new(from, d).with_max(max))
            }
        })
        .collect()
}
