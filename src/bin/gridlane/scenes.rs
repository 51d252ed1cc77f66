//! The built-in scenes: the same seed gives the same bytes everywhere.
//!
//! Comes in: a name, and a seed for variants. Goes out: columns of f32, every coordinate computed in f64 and rounded
//! once. Does not know the library: this file stands alone on `std`, so that tests and benches include it by path.
//! Randomness is SplitMix64 (Steele, Lea, Flood 2014), normals are Box–Muller. Sines and logarithms serve here only to
//! make inputs; the hashes in `tests/scenes.rs` say whether a machine makes the same ones.
#![allow(dead_code, reason = "included by path where only a part is used")]

use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// What a scene is called and how large it is.
pub(crate) struct Entry {
    /// Kind and size: the name on the command line.
    pub(crate) name: &'static str,
    /// Number of circles.
    pub(crate) circles: usize,
    /// Number of segments, the four of the frame included.
    pub(crate) segments: usize,
    /// What it is, in one line.
    pub(crate) about: &'static str,
}

/// A row of [`CATALOG`].
const fn entry(name: &'static str, circles: usize, segments: usize, about: &'static str) -> Entry {
    Entry { name, circles, segments, about }
}

const GAS: &str = "packing 0.3, radius 0.25 to 0.5, one segment of length 1 to 8 per ten circles";

/// Every built-in scene.
pub(crate) const CATALOG: [Entry; 9] = [
    entry("gas-1k", 1_000, 104, GAS),
    entry("gas-10k", 10_000, 1_004, GAS),
    entry("gas-100k", 100_000, 10_004, GAS),
    entry("gas-1m", 1_000_000, 100_004, GAS),
    entry("dense-100k", 100_000, 4, "packing 0.8, radius 0.5, nothing but the frame"),
    entry("mixed-100k", 100_000, 10_004, "radius 0.05 to 5 by a power law, packing 0.3"),
    entry("cluster-100k", 100_000, 10_004, "20 clusters in a world 1000 times their width"),
    entry("soup-100k", 0, 100_000, "short random segments, no frame"),
    entry("city-100k", 100_000, 20_004, "streets: axis-aligned and slanted walls of length 1 to 200"),
];

/// Columns of one scene.
#[derive(Default)]
pub(crate) struct Scene {
    /// The name asked for.
    pub(crate) name: &'static str,
    /// Half the width of the square that bodies are strewn over; the frame stands there.
    pub(crate) half_width: f32,
    /// Centres of the circles.
    pub(crate) x: Vec<f32>,
    /// Centres of the circles.
    pub(crate) y: Vec<f32>,
    /// Radii of the circles.
    pub(crate) radius: Vec<f32>,
    /// Velocities of the circles, -5 to 5 in each component.
    pub(crate) velocity_x: Vec<f32>,
    /// Velocities of the circles.
    pub(crate) velocity_y: Vec<f32>,
    /// First ends of the segments.
    pub(crate) x0: Vec<f32>,
    /// First ends of the segments.
    pub(crate) y0: Vec<f32>,
    /// Second ends of the segments.
    pub(crate) x1: Vec<f32>,
    /// Second ends of the segments.
    pub(crate) y1: Vec<f32>,
}

/// SplitMix64.
pub(crate) struct Rng(u64);

impl Rng {
    /// Starts at a state; equal states give equal numbers.
    pub(crate) const fn new(state: u64) -> Rng {
        Rng(state)
    }

    /// The next 64 bits.
    pub(crate) const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 up to, but not, 1; a multiple of 2^-53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// `low` up to `high`.
    pub(crate) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Normally distributed, mean 0, variance 1.
    pub(crate) fn normal(&mut self) -> f64 {
        let u = 1.0 - self.unit();
        let v = self.unit();
        (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Gas,
    Dense,
    Mixed,
    Cluster,
    Soup,
    City,
}

/// The scene of this name as the catalogue counts it; `None` for any other name.
pub(crate) fn scene(name: &str) -> Option<Scene> {
    seeded(name, 0)
}

/// Another scene of the same kind and size; seed 0 is [`scene`].
pub(crate) fn seeded(name: &str, seed: u64) -> Option<Scene> {
    let entry = CATALOG.iter().find(|entry| entry.name == name)?;
    let (word, size) = entry.name.split_once('-')?;
    let form = match word {
        "gas" => Form::Gas,
        "dense" => Form::Dense,
        "mixed" => Form::Mixed,
        "cluster" => Form::Cluster,
        "soup" => Form::Soup,
        _ => Form::City,
    };
    let count: usize = match size {
        "1k" => 1_000,
        "10k" => 10_000,
        "100k" => 100_000,
        _ => 1_000_000,
    };
    let state = 0x5EED ^ count as u64 ^ (word.len() as u64) << 32 ^ u64::from(word.as_bytes()[0]) << 40;
    Some(build(entry.name, form, count, &mut Rng::new(state ^ seed)))
}

/// The order in which numbers are drawn is the definition of a scene: radii, cluster centres, circles, segments.
fn build(name: &'static str, form: Form, count: usize, rng: &mut Rng) -> Scene {
    let radii: Vec<f64> = (0..count).map(|_| radius(form, rng)).collect();
    let area: f64 = radii.iter().map(|r| PI * r * r).sum();
    let packing = match form {
        Form::Dense => 0.8,
        Form::City => 0.15,
        _ => 0.3,
    };
    let half = match form {
        Form::Soup => (count as f64).sqrt(),
        Form::Cluster => 2000.0 * (area / packing).sqrt() / 2.0 / 20f64.sqrt(),
        _ => (area / packing).sqrt() / 2.0,
    };
    let mut scene = Scene {
        name,
        half_width: half as f32,
        x: vec![],
        y: vec![],
        radius: vec![],
        velocity_x: vec![],
        velocity_y: vec![],
        x0: vec![],
        y0: vec![],
        x1: vec![],
        y1: vec![],
    };
    if form != Form::Soup {
        let sigma = (area / packing / 20.0).sqrt() / 3.0;
        strew_circles(&mut scene, form, &radii, half, sigma, rng);
    }
    strew_segments(&mut scene, form, count, half, rng);
    if form != Form::Soup {
        let h = half;
        for (x0, y0, x1, y1) in [(-h, -h, h, -h), (h, -h, h, h), (h, h, -h, h), (-h, h, -h, -h)] {
            scene.push_segment(x0, y0, x1, y1);
        }
    }
    scene
}

fn radius(form: Form, rng: &mut Rng) -> f64 {
    match form {
        Form::Dense => 0.5,
        Form::City => 0.25,
        Form::Soup => 0.0,
        // Density falls as r^-3 between 0.05 and 0.05 / sqrt(1e-4) = 5.
        Form::Mixed => {
            let u = rng.unit();
            0.05 * (1.0 / (1.0 - u * (1.0 - 1e-4))).sqrt()
        }
        Form::Gas | Form::Cluster => rng.range(0.25, 0.5),
    }
}

/// All over the square; in clusters 95 of 100 circles lie about one of twenty centres.
fn strew_circles(scene: &mut Scene, form: Form, radii: &[f64], half: f64, sigma: f64, rng: &mut Rng) {
    let centres: Vec<(f64, f64)> = (0..20).map(|_| (rng.range(-half, half), rng.range(-half, half))).collect();
    for &radius in radii {
        let (x, y) = if form == Form::Cluster && rng.unit() < 0.95 {
            let centre = centres[(rng.bits() % 20) as usize];
            (centre.0 + sigma * rng.normal(), centre.1 + sigma * rng.normal())
        } else {
            (rng.range(-half, half), rng.range(-half, half))
        };
        scene.x.push(x as f32);
        scene.y.push(y as f32);
        scene.radius.push(radius as f32);
        scene.velocity_x.push(rng.range(-5.0, 5.0) as f32);
        scene.velocity_y.push(rng.range(-5.0, 5.0) as f32);
    }
}

fn strew_segments(scene: &mut Scene, form: Form, count: usize, half: f64, rng: &mut Rng) {
    let segments = match form {
        Form::Soup => count,
        Form::Dense => 0,
        Form::City => count / 5,
        _ => count / 10,
    };
    for i in 0..segments {
        let (x, y) = (rng.range(-half, half), rng.range(-half, half));
        let (length, angle) = match form {
            Form::Soup => (rng.range(0.2, 2.0), rng.range(0.0, TAU)),
            Form::City => {
                let length = if i % 100 == 0 { rng.range(50.0, 200.0) } else { rng.range(1.0, 12.0) };
                // The slant is drawn before the choice, and also where it is not chosen.
                let slant = rng.unit();
                (length, [0.0, FRAC_PI_2, 0.0, FRAC_PI_2, slant][(rng.bits() % 5) as usize])
            }
            _ => (rng.range(1.0, 8.0), rng.range(0.0, TAU)),
        };
        let (dx, dy) = (angle.cos() * length / 2.0, angle.sin() * length / 2.0);
        scene.push_segment(x - dx, y - dy, x + dx, y + dy);
    }
}

impl Scene {
    fn push_segment(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) {
        self.x0.push(x0 as f32);
        self.y0.push(y0 as f32);
        self.x1.push(x1 as f32);
        self.y1.push(y1 as f32);
    }
}
