//! What is asked: drawn with a seed, the same for everybody.
//!
//! Rays start outside of all circles, since there conventions differ. Those of the built-in scenes are 100 long, those of maps half the
//! map. Discs have radius 1 (on maps two mean radii).

use super::Ray;
use crate::input::Input;
use crate::shared::{Rng, Scene};

pub(crate) struct Questions {
    pub(crate) rays: Vec<Ray>,
    pub(crate) discs: Vec<[f32; 3]>,
    pub(crate) points: Vec<[f32; 2]>,
}

impl Questions {
    pub(crate) fn new(input: &Input, count: usize) -> Questions {
        let scene = &input.frames[0];
        let [left, bottom, right, top] = input.area().map(f64::from);
        let built_in = input.is_built_in();
        let length = if built_in { 100.0 } else { (right - left).max(top - bottom) / 2.0 };
        let mean = scene.radius.iter().map(|&r| f64::from(r)).sum::<f64>() / scene.radius.len().max(1) as f64;
        let radius = if built_in { 1.0 } else { (2.0 * mean) as f32 };
        let mut rng = Rng::new(0x00A5);
        let mut questions = Questions { rays: vec![], discs: vec![], points: vec![] };
        let occupied = Occupied::new(scene, [left, bottom, right, top]);
        while questions.rays.len() < count {
            let origin = [rng.range(left, right) as f32, rng.range(bottom, top) as f32];
            let angle = rng.range(0.0, std::f64::consts::TAU);
            if !occupied.holds(scene, origin) {
                let direction = [(length * angle.cos()) as f32, (length * angle.sin()) as f32];
                questions.rays.push(Ray { origin, direction });
            }
        }
        for _ in 0..count {
            let point = [rng.range(left, right) as f32, rng.range(bottom, top) as f32];
            questions.discs.push([point[0], point[1], radius]);
            questions.points.push(point);
        }
        questions
    }
}

/// Circles by cells of their boxes, on a square of a thousand by a thousand at most.
struct Occupied {
    origin: [f64; 2],
    cell: f64,
    side: usize,
    cells: Vec<Vec<u32>>,
}

impl Occupied {
    fn new(scene: &Scene, [left, bottom, right, top]: [f64; 4]) -> Occupied {
        let side = 1 + (scene.x.len() as f64).sqrt() as usize;
        let cell = (right - left).max(top - bottom) / side as f64;
        let mut occupied = Occupied { origin: [left, bottom], cell, side, cells: vec![vec![]; side * side] };
        for row in 0..scene.x.len() {
            let [x, y, r] = [scene.x[row], scene.y[row], scene.radius[row]].map(f64::from);
            let ([c0, r0], [c1, r1]) = (occupied.place(x - r, y - r), occupied.place(x + r, y + r));
            for cells in r0..=r1 {
                for column in c0..=c1 {
                    occupied.cells[cells * side + column].push(row as u32);
                }
            }
        }
        occupied
    }

    fn place(&self, x: f64, y: f64) -> [usize; 2] {
        [x - self.origin[0], y - self.origin[1]].map(|v| ((v / self.cell) as usize).min(self.side - 1))
    }

    fn holds(&self, scene: &Scene, [x, y]: [f32; 2]) -> bool {
        let [column, row] = self.place(f64::from(x), f64::from(y));
        self.cells[row * self.side + column].iter().any(|&row| {
            let row = row as usize;
            let (dx, dy) = (f64::from(x) - f64::from(scene.x[row]), f64::from(y) - f64::from(scene.y[row]));
            dx * dx + dy * dy <= f64::from(scene.radius[row]).powi(2) * 1.000_001
        })
    }
}
