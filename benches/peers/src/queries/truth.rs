//! The answers in f64 over all bodies: no structure that could lose one.

use super::{NEAREST, Ray};
use crate::peer::{circle, ends};
use crate::shared::Scene;

pub(crate) fn closest(scene: &Scene, rays: &[Ray]) -> Vec<f32> {
    let circles: Vec<[f64; 3]> = (0..scene.x.len()).map(|row| circle(scene, row).map(f64::from)).collect();
    let segments: Vec<[f64; 4]> = (0..scene.x0.len()).map(|row| ends(scene, row).map(f64::from)).collect();
    let one = |ray: &Ray| {
        let ([ox, oy], [dx, dy]) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
        let square = dx * dx + dy * dy;
        let mut best = f64::INFINITY;
        for [x, y, r] in &circles {
            let (wx, wy) = (ox - x, oy - y);
            let half = wx * dx + wy * dy;
            let cross = wx * dy - wy * dx;
            let under = r * r * square - cross * cross;
            if half < 0.0 && under >= 0.0 {
                let t = (-half - under.sqrt()) / square;
                if (0.0..=1.0).contains(&t) && t < best {
                    best = t;
                }
            }
        }
        for [x0, y0, x1, y1] in &segments {
            let (ex, ey, wx, wy) = (x1 - x0, y1 - y0, x0 - ox, y0 - oy);
            let across = dx * ey - dy * ex;
            let (t, u) = ((wx * ey - wy * ex) / across, (wx * dy - wy * dx) / across);
            // Parallel: 0/0 or a division by 0, which no comparison lets pass.
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u) && t < best {
                best = t;
            }
        }
        best as f32
    };
    rays.iter().map(one).collect()
}

pub(crate) fn overlaps(scene: &Scene, discs: &[[f32; 3]]) -> Vec<f32> {
    let one = |disc: &[f32; 3]| {
        let [x, y, radius] = disc.map(f64::from);
        let circles = (0..scene.x.len()).filter(|&row| {
            let [cx, cy, r] = circle(scene, row).map(f64::from);
            (cx - x).powi(2) + (cy - y).powi(2) <= (r + radius).powi(2)
        });
        let segments = (0..scene.x0.len()).filter(|&row| {
            let [x0, y0, x1, y1] = ends(scene, row).map(f64::from);
            let (dx, dy, wx, wy) = (x1 - x0, y1 - y0, x - x0, y - y0);
            let length = dx * dx + dy * dy;
            let t = if length > 0.0 { ((wx * dx + wy * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
            (wx - t * dx).powi(2) + (wy - t * dy).powi(2) <= radius * radius
        });
        (circles.count() + segments.count()) as f32
    };
    discs.iter().map(one).collect()
}

pub(crate) fn nearest(scene: &Scene, points: &[[f32; 2]]) -> Vec<f32> {
    let one = |point: &[f32; 2]| {
        let [x, y] = point.map(f64::from);
        let square = |row: usize| (f64::from(scene.x[row]) - x).powi(2) + (f64::from(scene.y[row]) - y).powi(2);
        let mut squares: Vec<f64> = (0..scene.x.len()).map(square).collect();
        squares.select_nth_unstable_by(NEAREST, f64::total_cmp);
        squares[..NEAREST].iter().map(|square| square.sqrt()).sum::<f64>() as f32
    };
    points.iter().map(one).collect()
}

/// How many answers are not the true ones: a hit for a miss, or a value off by more than a ten-thousandth of the largest of them.
pub(crate) fn differences(found: &[f32], truth: &[f32]) -> usize {
    let differs = |(found, truth): &(&f32, &f32)| match found.is_finite() && truth.is_finite() {
        true => (**found - **truth).abs() > 1e-4 * truth.max(1.0),
        false => found.is_finite() != truth.is_finite(),
    };
    assert_eq!(found.len(), truth.len());
    found.iter().zip(truth).filter(differs).count()
}
