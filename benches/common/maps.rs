//! Maps for the benches, as scenes: those in `tests/data/maps`, and two that are drawn here.
//!
//! Circles are strewn over a map by the recipe of its truth: 10 000, radius up to a two-hundredth of the longer side.
#![allow(dead_code, reason = "each bench uses a part")]

use crate::common::scenes::{Rng, Scene};
use std::path::PathBuf;

const FILES: [&str; 3] = ["freedoom1-e1m1", "freedoom1-e1m1-solid", "world-land-110m-ll"];

/// The maps, without circles.
pub(crate) fn all() -> impl Iterator<Item = Scene> {
    FILES.into_iter().map(|name| from_lines(name, lines(name))).chain([from_lines("coast-65k", coast(64, 10))])
}

/// Segments of [`coast_with_walls`], and how many times the median its walls are long: those of a map of all countries at 1 : 10 million.
pub(crate) const LARGE: (usize, f64) = (472_660, 19_000.0);

/// A coast as large as that of the world in ten metres a dot, among walls that cross all of it: the frame, a graticule and some slanted ones.
pub(crate) fn coast_with_walls() -> Scene {
    const WALLS: usize = 60;
    let mut lines = coast(460, 10);
    assert!(lines.len() >= LARGE.0, "{}", lines.len());
    lines.truncate(LARGE.0 - WALLS);
    let mut lengths: Vec<f64> = lines.iter().map(|line| length(*line)).collect();
    let middle = lengths.len() / 2;
    let long = LARGE.1 * *lengths.select_nth_unstable_by(middle, f64::total_cmp).1;
    let mut rng = Rng::new(0x5EA);
    for k in 0..WALLS {
        let angle = match k % 4 {
            0 => 0.0f64,
            1 => std::f64::consts::FRAC_PI_2,
            _ => rng.range(0.0, std::f64::consts::PI),
        };
        let (x, y) = (rng.range(-90.0, 90.0), rng.range(-45.0, 45.0));
        let (dx, dy) = (0.5 * long * angle.cos(), 0.5 * long * angle.sin());
        lines.push([x - dx, y - dy, x + dx, y + dy].map(|v| v as f32));
    }
    from_lines("coast-473k", lines)
}

/// The length of a line.
pub(crate) fn length([x0, y0, x1, y1]: [f32; 4]) -> f64 {
    (f64::from(x1) - f64::from(x0)).hypot(f64::from(y1) - f64::from(y0))
}

/// The maps, with circles strewn over them.
pub(crate) fn with_circles() -> impl Iterator<Item = Scene> {
    all().map(strewn)
}

fn lines(name: &str) -> Vec<[f32; 4]> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/maps");
    let mut reader = csv::Reader::from_path(folder.join(format!("{name}.segments.csv"))).expect("a map of this tree");
    let row = |row: Result<Vec<f32>, csv::Error>| row.expect("numbers").try_into().expect("four of them");
    reader.deserialize().map(row).collect()
}

/// Islands whose shores are drawn by midpoint displacement: triangles, each side halved `depth` times, the middle moved to its
/// side by up to a quarter of the length. Ends are shared, as on maps drawn by hand; lengths are of many sizes.
fn coast(islands: usize, depth: u32) -> Vec<[f32; 4]> {
    let mut rng = Rng::new(0xC0A57);
    let mut lines = Vec::new();
    for _ in 0..islands {
        let (x, y, size) = (rng.range(-180.0, 180.0), rng.range(-90.0, 90.0), rng.range(1.0, 20.0));
        let mut shore = vec![[x, y], [x + size, y], [x + size / 2.0, y + size]];
        for _ in 0..if size > 10.0 { depth } else { depth - 2 } {
            let mut finer = Vec::with_capacity(2 * shore.len());
            for (k, &[px, py]) in shore.iter().enumerate() {
                let [qx, qy] = shore[(k + 1) % shore.len()];
                let aside = rng.range(-0.25, 0.25);
                finer.push([px, py]);
                finer.push([(px + qx) / 2.0 - aside * (qy - py), (py + qy) / 2.0 + aside * (qx - px)]);
            }
            shore = finer;
        }
        let corner = |k: usize| shore[k % shore.len()].map(|v| v as f32);
        lines.extend((0..shore.len()).map(|k| {
            let ([x0, y0], [x1, y1]) = (corner(k), corner(k + 1));
            [x0, y0, x1, y1]
        }));
    }
    lines
}

fn from_lines(name: &'static str, lines: Vec<[f32; 4]>) -> Scene {
    let column = |k: usize| lines.iter().map(|line| line[k]).collect();
    Scene { name, x0: column(0), y0: column(1), x1: column(2), y1: column(3), ..Scene::default() }
}

fn strewn(mut scene: Scene) -> Scene {
    let side = |a: &[f32], b: &[f32]| {
        let ends = || a.iter().chain(b).map(|&v| f64::from(v));
        (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (low, high)) = (side(&scene.x0, &scene.x1), side(&scene.y0, &scene.y1));
    let most = f64::max(right - left, high - low) / 200.0;
    let mut rng = Rng::new(0xC1_AC1E);
    for _ in 0..10_000 {
        scene.x.push(rng.range(left, right) as f32);
        scene.y.push(rng.range(low, high) as f32);
        scene.radius.push(rng.range(0.05 * most, most) as f32);
    }
    scene.velocity_x = vec![0.0; scene.x.len()];
    scene.velocity_y = vec![0.0; scene.x.len()];
    scene
}
