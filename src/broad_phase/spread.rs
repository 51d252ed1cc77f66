//! How bodies are strewn over a box, and cells for them if that is evenly.
//!
//! Comes in: circles and segments; how many of them a cell is to know. Goes out: a map around all of them. This room does not know who is where.
//!
//! In cells c wide there are `n + b / c + s / c²` entries of bodies under cells: n bodies, b the sum of four radii a body and of how far segments go on both
//! axes, s that of four squares of radii; and, with the area A of the box, a cell has c² / A times as many.

use super::cell_map::{CellMap, LINEAR};
use super::cells::around;
use crate::geometry::{Capsules, Circles};

/// A body is under so many cells at most, in the mean.
pub(super) const ENTRIES: f64 = 8.0;
/// Cells a body at most, and some.
const CELLS: f64 = 8.0;
const MORE: f64 = 64.0;
/// Wider cells have no inverse that is exact enough.
const WIDEST: f64 = 1e36;
/// Nor have narrower ones.
const LEAST: f64 = 1e-36;
/// 2^-34 of a coordinate: a cell is at least as wide.
const COARSEST: f64 = 1.0 / (1u64 << 34) as f64;

/// See the head of the module.
pub(super) struct Spread {
    /// Around all bodies.
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
    n: f64,
    b: f64,
    s: f64,
}

impl Spread {
    /// Of at least one body. Columns of circles may be longer than `count`.
    pub(super) fn of(circles: Circles<'_>, count: usize, segments: Capsules<'_>) -> Spread {
        let walls = segments.radius.len();
        let centers = (0..count).map(|row| ([[circles.x[row], circles.y[row]]; 2], circles.radius[row]));
        let ends = (0..walls).map(|row| (segments.ends(row), segments.radius[row]));
        let (low, high) = around(centers.chain(ends));
        let (mut b, mut s) = (0.0, 0.0);
        for &r in circles.radius[..count].iter().chain(segments.radius) {
            let r = f64::from(r);
            (b, s) = (b + 4.0 * r, s + 4.0 * r * r);
        }
        b += (0..walls).map(|row| segments.along_axes(row)).sum::<f64>();
        Spread { low, high, n: (count + walls) as f64, b, s }
    }

    /// Cells that know `fill` bodies in the mean, or more, so that there are not too many entries; none where bodies are too far apart, or out.
    pub(super) fn map(&self, fill: f64) -> Option<CellMap> {
        let Spread { low, high, n, b, s } = *self;
        let room = [high[0] - low[0], high[1] - low[1]];
        // As full as they are to be; no more entries than there may be; not more cells in a row than twice as many as bodies.
        let full = ((b * b + 4.0 * n * (fill * room[0] * room[1] - s)).sqrt() - b) / (2.0 * n);
        let spare = (ENTRIES - 1.0) * n;
        let mut cell = (b + (b * b + 4.0 * spare * s).sqrt()) / (2.0 * spare);
        for least in [full, room[0] / (2.0 * n), room[1] / (2.0 * n)] {
            cell = if least > cell { least } else { cell };
        }
        let far = low.iter().chain(&high).fold(0.0, |far: f64, v| if v.abs() > far { v.abs() } else { far });
        if !(LEAST..WIDEST).contains(&cell) || cell < COARSEST * far || far >= WIDEST {
            return None;
        }
        let cell = cell as f32;
        let origin = low.map(|v| (v as f32).next_down());
        let [columns, rows] =
            [0, 1].map(|axis| ((high[axis] - f64::from(origin[axis])) / f64::from(cell)).floor() + 2.0);
        let most = f64::from(LINEAR) - 4.0;
        let fits = columns <= most && rows <= most && columns * rows <= CELLS * n + MORE;
        fits.then(|| CellMap::boxed(origin, cell, columns as u32, rows as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_as_full_as_asked_for() {
        // Points on a lattice of 20 by 20 about a box of 19 by 19: 400 of them, c² 400 / 361 in a cell.
        let at = |k: usize| ((k % 20) as f32, (k / 20) as f32);
        let (x, y): (Vec<f32>, Vec<f32>) = (0..400).map(at).unzip();
        let none = Capsules { x0: &[], y0: &[], x1: &[], y1: &[], radius: &[] };
        let of = |radius: &[f32]| Spread::of(Circles { x: &x, y: &y, radius }, 400, none);
        let cell = |radius: f32, fill: f64| of(&[radius; 400]).map(fill).map(|map| f64::from(map.cell()));
        let near = |a: Option<f64>, b: f64| assert!((a.expect("a map") / b - 1.0).abs() < 1e-6, "{a:?} {b}");
        near(cell(0.0, 4.0), (4.0f64 * 361.0 / 400.0).sqrt());
        // With a radius of 1/2 a box of 20 by 20, and (1 + 1/c)² entries a circle: (c + 1)² = 9 at c = 2.
        near(cell(0.5, 9.0), 2.0);
        // With a radius of 20 a box of 59 by 59; no more than 8 entries a circle: (1 + 40/c)² = 8.
        near(cell(20.0, 9.0), 40.0 / (8.0f64.sqrt() - 1.0));
    }
}
