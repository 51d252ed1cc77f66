//! A hashed grid, for worlds without bounds: cells of two largest radii, the cell's coordinates hashed into twice as many buckets as
//! there are circles, counting sort by bucket each frame, half neighbourhood; segments registered once, by the same hash.
//!
//! Method: Teschner et al., Optimized Spatial Hashing, 2003; sorted as in Müller's "dense hash".

use crate::input::Input;
use crate::peer::{Found, Peer, ends};
use crate::rows::{Lists, crossed};
use crate::shared::plain_grid::{circle_circle, circle_segment};
use crate::shared::{Counts, Scene};

#[derive(Clone, Copy, Default)]
struct Body {
    shape: [f32; 3],
    row: u32,
    cell: [i32; 2],
}

pub(crate) struct Hashed {
    inverse: f32,
    mask: u32,
    start: Vec<u32>,
    bodies: Vec<Body>,
    sorted: Vec<Body>,
    /// Segments by the cells where a circle that touches them may have its centre.
    walls: Lists<([i32; 2], u32)>,
    found: Found,
}

impl Hashed {
    pub(crate) fn new(input: &Input) -> Hashed {
        let scene = &input.frames[0];
        let reach = scene.radius.iter().copied().fold(0.0, f32::max);
        // A little wider, so that no rounding puts touching circles two cells apart.
        let cell = 2.02 * reach;
        let mask = (2 * input.circles()).next_power_of_two() as u32 - 1;
        let mut entries = vec![];
        for k in 0..input.segments() {
            crossed(ends(scene, k), f64::from(reach), f64::from(cell), |row, from, to| {
                for column in from..=to {
                    let cell = [column as i32, row as i32];
                    entries.push((hash(cell) & mask, (cell, k as u32)));
                }
            });
        }
        Hashed {
            inverse: 1.0 / cell,
            mask,
            start: vec![],
            bodies: vec![],
            sorted: vec![Body::default(); input.circles()],
            walls: Lists::new(mask as usize + 1, &entries),
            found: Found::default(),
        }
    }

    fn sort(&mut self, frame: &Scene) {
        self.start.clear();
        self.start.resize(self.mask as usize + 3, 0);
        self.bodies.clear();
        for row in 0..frame.x.len() {
            let shape = [frame.x[row], frame.y[row], frame.radius[row]];
            let cell = [(shape[0] * self.inverse).floor() as i32, (shape[1] * self.inverse).floor() as i32];
            self.start[(hash(cell) & self.mask) as usize + 2] += 1;
            self.bodies.push(Body { shape, row: row as u32, cell });
        }
        for k in 1..self.start.len() {
            self.start[k] += self.start[k - 1];
        }
        for body in &self.bodies {
            let place = &mut self.start[(hash(body.cell) & self.mask) as usize + 1];
            self.sorted[*place as usize] = *body;
            *place += 1;
        }
    }
}

#[inline(always)]
fn hash([x, y]: [i32; 2]) -> u32 {
    (x as u32).wrapping_mul(73_856_093) ^ (y as u32).wrapping_mul(19_349_663)
}

impl Peer for Hashed {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        self.sort(frame);
        for (i, p) in self.sorted.iter().enumerate() {
            let own = (hash(p.cell) & self.mask) as usize;
            for q in &self.sorted[i + 1..self.start[own + 1] as usize] {
                if q.cell == p.cell {
                    circle_circle(p.shape, q.shape, p.row, q.row, &mut self.found.circles);
                }
            }
            for [dx, dy] in [[1, 0], [-1, 1], [0, 1], [1, 1]] {
                let cell = [p.cell[0] + dx, p.cell[1] + dy];
                let bucket = (hash(cell) & self.mask) as usize;
                for q in &self.sorted[self.start[bucket] as usize..self.start[bucket + 1] as usize] {
                    if q.cell == cell {
                        circle_circle(p.shape, q.shape, p.row, q.row, &mut self.found.circles);
                    }
                }
            }
            for &(cell, wall) in self.walls.of(own) {
                if cell == p.cell {
                    let [x0, y0, x1, y1] = ends(frame, wall as usize);
                    circle_segment(p.shape, [x0, y0], [x1, y1], p.row, wall, &mut self.found.segments);
                }
            }
        }
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}
