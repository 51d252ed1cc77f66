//! What exact answers cost, pair by pair: easy input, exact touches, touches missed or made by an ulp, tiny and huge numbers.
//!
//! Nanoseconds a pair, the least of many rounds over the same pairs, which a busy machine spoils last. The number that touch is known by
//! construction where a family says so, and asserted before the clock starts. The first two tables are the functions that detection hands
//! its doubtful pairs to, the third is every function of `geometry`. `--test` goes round once.

use gridlane::geometry::{self, Line, Ray};
use gridlane::{Circle, Circles, Contacts, Detector, DetectorConfig, Segment, Threads, Vec2};
use std::hint::black_box;
use std::time::Instant;

/// Pairs of a family.
const PAIRS: usize = 1024;

/// SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// -1..1, a full mantissa.
    fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// -n..=n.
    fn grid(&mut self, n: u64) -> f32 {
        (self.bits() % (2 * n + 1)) as f32 - n as f32
    }
}

/// Up to one step to a neighbour, so that the answer is in doubt.
fn nudged(random: &mut Random, x: f32) -> f32 {
    [x.next_down(), x, x.next_up()][(random.bits() % 3) as usize]
}

/// An answer that is asked for and not looked at.
fn keep<T>(answer: T) {
    let _ = black_box(answer);
}

type Circles2 = (Circle, Circle);
type CircleWall = (Circle, Segment);

/// How many of the pairs touch, where it is known by construction.
struct Family<T> {
    name: &'static str,
    touching: Option<usize>,
    pairs: Vec<T>,
}

fn family<T>(name: &'static str, touching: Option<usize>, mut pair: impl FnMut(&mut Random) -> T) -> Family<T> {
    let mut random = Random(7);
    Family { name, touching, pairs: (0..PAIRS).map(|_| pair(&mut random)).collect() }
}

const ALL: Option<usize> = Some(PAIRS);

fn near_circles(random: &mut Random, scale: f32) -> Circles2 {
    let [x0, y0, x1, y1] = [(); 4].map(|()| random.unit());
    let (dx, dy) = (f64::from(x1) - f64::from(x0), f64::from(y1) - f64::from(y0));
    let reach = (dx * dx + dy * dy).sqrt();
    let r = (reach * 0.4) as f32;
    let s = nudged(random, (reach - f64::from(r)) as f32);
    let at = |x: f32, y: f32| [x * scale, y * scale];
    (Circle::new(at(x0, y0), r * scale), Circle::new(at(x1, y1), s * scale))
}

fn lattice_circles(random: &mut Random, pitch: f32) -> Circles2 {
    let (x, y) = (random.grid(100), random.grid(100));
    let (i, j) = if random.bits().is_multiple_of(2) { (1.0, 0.0) } else { (0.0, 1.0) };
    let at = |x: f32, y: f32| [x * pitch, y * pitch];
    (Circle::new(at(x, y), pitch * 0.5), Circle::new(at(x + i, y + j), pitch * 0.5))
}

fn circle_families() -> Vec<Family<Circles2>> {
    vec![
        family("easy", ALL, |random| {
            let at = [(); 4].map(|()| random.unit());
            (Circle::new([at[0], at[1]], 1.5), Circle::new([at[2], at[3]], 1.5))
        }),
        family("lattice of 1", ALL, |random| lattice_circles(random, 1.0)),
        family("lattice of 0.1", None, |random| lattice_circles(random, 0.1)),
        family("3-4-5", ALL, |random| {
            let (x, y, k) = (random.grid(50), random.grid(50), 1.0 + random.grid(2).abs());
            (Circle::new([x, y], 2.0 * k), Circle::new([x + 3.0 * k, y - 4.0 * k], 3.0 * k))
        }),
        family("within an ulp", None, |random| near_circles(random, 1.0)),
        family("lattice of 1e-30", ALL, |random| lattice_circles(random, 2.0f32.powi(-100))),
        family("lattice of 1e30", ALL, |random| lattice_circles(random, 2.0f32.powi(100))),
        family("1e-30, within an ulp", None, |random| near_circles(random, 2.0f32.powi(-100))),
        family("1e30, within an ulp", None, |random| near_circles(random, 2.0f32.powi(100))),
        family("huge against tiny", None, |random| {
            let (x, y) = (random.unit() * 1e10, random.unit() * 1e10);
            (
                Circle::new([x, y], 1e10),
                Circle::new([random.unit() * 1e-10, 0.0], nudged(random, x.hypot(y) - 1e10).abs()),
            )
        }),
        family("concentric", ALL, |random| {
            let at = [random.unit(), random.unit()];
            (Circle::new(at, 1.5), Circle::new(at, 0.3))
        }),
    ]
}

fn near_flank(random: &mut Random, scale: f32) -> CircleWall {
    let [x0, y0, x1, y1] = [(); 4].map(|()| random.unit());
    // Beside the middle of the wall by a third of its normal, rounded.
    let (cx, cy) = ((x0 + x1) * 0.5 - (y1 - y0) * 0.3, (y0 + y1) * 0.5 + (x1 - x0) * 0.3);
    let [ax, ay, bx, by, px, py] = [x0, y0, x1, y1, cx, cy].map(f64::from);
    let (ex, ey) = (bx - ax, by - ay);
    let height = (ex * (py - ay) - ey * (px - ax)).abs() / (ex * ex + ey * ey).sqrt();
    let radius = nudged(random, height as f32);
    let at = |x: f32, y: f32| [x * scale, y * scale];
    (Circle::new(at(cx, cy), radius * scale), Segment::new(at(x0, y0), at(x1, y1)))
}

fn lattice_flank(random: &mut Random, pitch: f32) -> CircleWall {
    let (x, y) = (random.grid(100), random.grid(100));
    let (left, right) = (x - 1.0 - random.grid(9).abs(), x + 1.0 + random.grid(9).abs());
    let at = |x: f32, y: f32| [x * pitch, y * pitch];
    let wall = |x0, y0, x1, y1| Segment::new(at(x0, y0), at(x1, y1));
    if random.bits().is_multiple_of(2) {
        (Circle::new(at(x, y + 0.5), pitch * 0.5), wall(left, y, right, y))
    } else {
        (Circle::new(at(y + 0.5, x), pitch * 0.5), wall(y, left, y, right))
    }
}

fn wall_families() -> Vec<Family<CircleWall>> {
    vec![
        family("easy", ALL, |random| {
            let at = [(); 4].map(|()| random.unit() * 0.3);
            let c = Circle::new([(at[0] + at[2]) * 0.5 + 0.1, (at[1] + at[3]) * 0.5], 0.7);
            (c, Segment::new([at[0], at[1]], [at[2], at[3]]))
        }),
        family("lattice of 1", ALL, |random| lattice_flank(random, 1.0)),
        family("lattice of 0.1", None, |random| lattice_flank(random, 0.1)),
        family("capsule, lattice of 1", ALL, |random| {
            let (circle, wall) = lattice_flank(random, 1.0);
            (Circle { radius: 0.25, ..circle }, wall.with_radius(0.25))
        }),
        family("3-4-5 flank", ALL, |random| {
            // The wall along (4, 3), the centre k (-3, 4) off its middle.
            let (x, y, k) = (random.grid(50), random.grid(50), 1.0 + random.grid(2).abs());
            let c = Circle::new([x - 3.0 * k, y + 4.0 * k], 5.0 * k);
            (c, Segment::new([x - 8.0, y - 6.0], [x + 4.0, y + 3.0]))
        }),
        family("foot at zero", ALL, |random| {
            // The wall through the origin along (i, j), the centre at right angles to it there.
            let (i, j) = (1.0 + random.grid(30).abs(), random.grid(30));
            (Circle::new([-j, i], 50.0), Segment::new([-3.0 * i, -3.0 * j], [i, j]))
        }),
        family("huge against tiny", None, |random| {
            let (circle, wall) = near_flank(random, 1e10);
            (circle, Segment { start: Vec2::new(wall.start.x, 1e-20), ..wall })
        }),
        family("end, lattice of 1", ALL, |random| {
            let (x, y) = (random.grid(100), random.grid(100));
            (Circle::new([x, y + 0.5], 0.5), Segment::new([x, y], [x + 1.0 + random.grid(9).abs(), y]))
        }),
        family("foot on an end, deep", ALL, |random| {
            let (x, y) = (random.grid(100), random.grid(100));
            let (i, j) = (1.0 + random.grid(3).abs(), random.grid(3));
            (Circle::new([x - j, y + i], 9.0), Segment::new([x, y], [x + i, y + j]))
        }),
        family("within an ulp", None, |random| near_flank(random, 1.0)),
        family("lattice of 1e-30", ALL, |random| lattice_flank(random, 2.0f32.powi(-100))),
        family("lattice of 1e30", ALL, |random| lattice_flank(random, 2.0f32.powi(100))),
        family("1e-30, within an ulp", None, |random| near_flank(random, 2.0f32.powi(-100))),
        family("1e30, within an ulp", None, |random| near_flank(random, 2.0f32.powi(100))),
        family("centre on the wall", ALL, |random| {
            let (circle, wall) = lattice_flank(random, 1.0);
            let center = Vec2::new((wall.start.x + wall.end.x) * 0.5, (wall.start.y + wall.end.y) * 0.5);
            (Circle { center, ..circle }, wall)
        }),
    ]
}

/// So many, or one for a test.
fn rounds(many: usize) -> usize {
    if std::env::args().any(|argument| argument == "--test") { 1 } else { many }
}

/// The least time a pair, in nanoseconds.
fn least<T: Copy, U: Copy>(pairs: &[(T, U)], ask: impl Fn(T, U)) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(pairs).iter().for_each(|&(p, q)| ask(p, q));
        start.elapsed().as_nanos()
    };
    let least = (0..rounds(400)).map(round).min().unwrap_or(0);
    least as f64 / pairs.len() as f64
}

fn contacts() {
    println!("circle_circle");
    for family in circle_families() {
        let hits = family.pairs.iter().filter(|(a, b)| geometry::circle_circle(*a, *b).is_some()).count();
        assert!(family.touching.is_none_or(|n| n == hits), "{}: {hits}", family.name);
        println!("  {:24} {:8.1}", family.name, least(&family.pairs, |p, q| keep(geometry::circle_circle(p, q))));
    }
    println!("circle_segment");
    for family in wall_families() {
        let hits = family.pairs.iter().filter(|(a, b)| geometry::circle_segment(*a, *b).is_some()).count();
        assert!(family.touching.is_none_or(|n| n == hits), "{}: {hits}", family.name);
        println!("  {:24} {:8.1}", family.name, least(&family.pairs, |p, q| keep(geometry::circle_segment(p, q))));
    }
}

/// Whole detections of a hundred thousand circles on a lattice, each touching its four neighbours exactly where the pitch is a power of two.
fn lattices() {
    println!("detect, 100 000 circles on a lattice, ms");
    for (name, pitch) in [("1", 1.0), ("0.1", 0.1), ("1e-30", 2.0f32.powi(-100)), ("1e30", 2.0f32.powi(100))] {
        let side = 316;
        let at = |k: usize| (k as f32 - 158.0) * pitch;
        let x: Vec<f32> = (0..side * side).map(|k| at(k % side)).collect();
        let y: Vec<f32> = (0..side * side).map(|k| at(k / side)).collect();
        let radius = vec![pitch * 0.5; side * side];
        let circles = Circles { x: &x, y: &y, radius: &radius };
        let config = DetectorConfig::default().with_threads(Threads::Fixed(1));
        let (mut detector, mut contacts) = (Detector::new(config).expect("in range"), Contacts::new());
        let mut detect = || {
            let start = Instant::now();
            detector.detect(circles, &mut contacts).expect("finite");
            start.elapsed().as_secs_f64() * 1e3
        };
        let least = (0..rounds(40)).map(|_| detect()).fold(f64::MAX, f64::min);
        let found = contacts.circle_circle().len();
        assert!(found == 2 * side * (side - 1) || pitch == 0.1, "{name}: {found}");
        println!("  pitch {name:18} {least:8.1}");
    }
}

/// A row of the third table: one function on some families.
fn row<T: Copy, U: Copy>(name: &str, families: &[Family<(T, U)>], kinds: [&str; 4], ask: impl Fn(T, U)) {
    print!("  {name:24}");
    for kind in kinds {
        let family = families.iter().find(|family| family.name == kind).expect("a family");
        print!(" {:8.1}", least(&family.pairs, &ask));
    }
    println!();
}

fn on_circles() {
    let kinds = ["easy", "lattice of 1", "3-4-5", "within an ulp"];
    let families = circle_families();
    let ask = |name: &str, f: &dyn Fn(Circle, Circle)| row(name, &families, kinds, f);
    let way = |a: Circle, b: Circle| Vec2::new(b.center.x - a.center.x, b.center.y - a.center.y);
    println!("\n  {:24} {kinds:?}", "");
    ask("circles_touch", &|a, b| keep(geometry::circles_touch(a, b)));
    ask("circle_circle", &|a, b| keep(geometry::circle_circle(a, b)));
    ask("point_in_circle", &|a, b| keep(geometry::point_in_circle(a.center, b)));
    ask("sweep_circle_circle", &|a, b| {
        let a = Circle { radius: a.radius * 0.5, ..a };
        keep(geometry::sweep_circle_circle(a, way(a, b), b, Vec2::ZERO));
    });
    ask("ray_circle", &|a, b| keep(geometry::ray_circle(Ray::new(a.center, way(a, b)), b)));
    ask("line_circle", &|a, b| keep(geometry::line_circle(Line::new(a.center, way(a, b)), b)));
    ask("reflect", &|a, b| keep(geometry::reflect(a.center, way(a, b))));
    ask("bounce", &|a, b| keep(geometry::bounce(a.center, way(a, b))));
}

fn on_walls() {
    let kinds = ["easy", "lattice of 1", "3-4-5 flank", "within an ulp"];
    let families = wall_families();
    let ask = |name: &str, f: &dyn Fn(Circle, Segment)| row(name, &families, kinds, f);
    // From the centre to the start: meets the wall at its end.
    let spoke = |c: Circle, s: Segment| Segment::new(c.center, s.start);
    let down = |c: Circle, s: Segment| {
        Vec2::new((s.start.x + s.end.x) * 0.5 - c.center.x, (s.start.y + s.end.y) * 0.5 - c.center.y)
    };
    println!("\n  {:24} {kinds:?}", "");
    ask("circle_touches_segment", &|c, s| keep(geometry::circle_touches_segment(c, s)));
    ask("circle_segment", &|c, s| keep(geometry::circle_segment(c, s)));
    ask("push_out", &|c, s| keep(geometry::push_out(c, s)));
    ask("nearest_on_segment", &|c, s| keep(geometry::nearest_on_segment(c.center, s)));
    ask("nearest_on_line", &|c, s| keep(geometry::nearest_on_line(c.center, Line::through(s))));
    ask("signed_distance", &|c, s| keep(geometry::signed_distance(c.center, Line::through(s))));
    ask("segment_circle", &|c, s| keep(geometry::segment_circle(s, c)));
    ask("sweep_circle_segment", &|c, s| {
        let half = Circle { radius: c.radius * 0.5, ..c };
        keep(geometry::sweep_circle_segment(half, down(c, s), s));
    });
    ask("ray_segment", &|c, s| keep(geometry::ray_segment(Ray::new(c.center, down(c, s)), s)));
    ask("segments_touch", &|c, s| keep(geometry::segments_touch(spoke(c, s), s)));
    ask("segment_segment", &|c, s| {
        let d = down(c, s);
        let across = Segment::new(c.center, [c.center.x + 2.0 * d.x, c.center.y + 2.0 * d.y]);
        keep(geometry::segment_segment(across, s));
    });
    ask("capsule_capsule", &|c, s| {
        let beside = Segment::new(c.center, [c.center.x, c.center.y + 1.0]).with_radius(c.radius);
        keep(geometry::capsule_capsule(beside, s));
    });
    ask("line_line", &|c, s| keep(geometry::line_line(Line::new(c.center, down(c, s)), Line::through(s))));
}

fn main() {
    contacts();
    lattices();
    on_circles();
    on_walls();
}
