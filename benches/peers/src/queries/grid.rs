//! What a competent user writes by hand: a uniform grid in ordinary f32, every circle and segment registered in each cell it meets with
//! its numbers beside it, and a walk from cell to cell along the ray that ends with the first cell in which something was hit.
//!
//! Method: Amanatides and Woo, A Fast Voxel Traversal Algorithm, 1987. The nearest circles are sought ring by ring of cells.

use super::{NEAREST, Queries, Ray};
use crate::peer::{circle, circle_box, ends, segment_box};
use crate::rows::{Lists, crossed};
use crate::shared::Scene;

/// Cells for each body: 1 to 4 are about as good for rays.
const CELLS_PER_BODY: f64 = 2.0;

#[derive(Clone, Copy, Default)]
struct Disc {
    shape: [f32; 3],
    row: u32,
}

#[derive(Clone, Copy, Default)]
struct Wall {
    start: [f32; 2],
    along: [f32; 2],
    row: u32,
}

pub(crate) struct Grid {
    origin: [f32; 2],
    cell: f32,
    inverse: f32,
    size: [i32; 2],
    discs: Lists<Disc>,
    walls: Lists<Wall>,
    /// Circles by the cell of their centre alone.
    centres: Lists<[f32; 2]>,
    /// The last question that counted a body: circles first, then segments.
    stamp: Vec<u32>,
    asked: u32,
}

impl Grid {
    pub(crate) fn new(scene: &Scene) -> Grid {
        let boxes = (0..scene.x.len()).map(|row| circle_box(scene, row));
        let boxes = boxes.chain((0..scene.x0.len()).map(|row| segment_box(scene, row)));
        let around = boxes.reduce(|p, q| [p[0].min(q[0]), p[1].min(q[1]), p[2].max(q[2]), p[3].max(q[3])]);
        let [left, bottom, right, top] = around.unwrap_or_default();
        let bodies = scene.x.len() + scene.x0.len();
        let area = f64::from(right - left) * f64::from(top - bottom);
        let cell = (area / (CELLS_PER_BODY * bodies as f64)).sqrt().max(f64::from(f32::MIN_POSITIVE)) as f32;
        let count = |length: f32| (length / cell) as i32 + 1;
        let mut grid = Grid {
            origin: [left, bottom],
            cell,
            inverse: 1.0 / cell,
            size: [count(right - left), count(top - bottom)],
            discs: Lists::default(),
            walls: Lists::default(),
            centres: Lists::default(),
            stamp: vec![0; bodies],
            asked: 0,
        };
        grid.register(scene);
        grid
    }

    fn register(&mut self, scene: &Scene) {
        let cells = (self.size[0] * self.size[1]) as usize;
        let (mut discs, mut centres, mut walls) = (vec![], vec![], vec![]);
        for row in 0..scene.x.len() {
            let shape = circle(scene, row);
            let [left, bottom, right, top] = circle_box(scene, row);
            let margin = 0.01 * self.cell;
            let ([c0, r0], [c1, r1]) =
                (self.place([left - margin, bottom - margin]), self.place([right + margin, top + margin]));
            for cells in r0..=r1 {
                for column in c0..=c1 {
                    discs.push((self.key([column, cells]) as u32, Disc { shape, row: row as u32 }));
                }
            }
            centres.push((self.key(self.place([shape[0], shape[1]])) as u32, [shape[0], shape[1]]));
        }
        for row in 0..scene.x0.len() {
            let [x0, y0, x1, y1] = ends(scene, row);
            let wall = Wall { start: [x0, y0], along: [x1 - x0, y1 - y0], row: row as u32 };
            let local = [x0 - self.origin[0], y0 - self.origin[1], x1 - self.origin[0], y1 - self.origin[1]];
            crossed(local, 0.0, f64::from(self.cell), |cells, from, to| {
                let cut = |value: i64, axis: usize| value.clamp(0, i64::from(self.size[axis]) - 1) as i32;
                // Margins reach out of the grid by a row: what is there is in the row of the border too.
                if cells == i64::from(cut(cells, 1)) {
                    for column in cut(from, 0)..=cut(to, 0) {
                        walls.push((self.key([column, cells as i32]) as u32, wall));
                    }
                }
            });
        }
        self.discs = Lists::new(cells, &discs);
        self.walls = Lists::new(cells, &walls);
        self.centres = Lists::new(cells, &centres);
    }

    #[inline(always)]
    fn place(&self, point: [f32; 2]) -> [i32; 2] {
        let along =
            |axis: usize| (((point[axis] - self.origin[axis]) * self.inverse) as i32).clamp(0, self.size[axis] - 1);
        [along(0), along(1)]
    }

    #[inline(always)]
    fn key(&self, [column, row]: [i32; 2]) -> usize {
        (row * self.size[0] + column) as usize
    }

    /// The least t of what is hit among the bodies of one cell, or `best`.
    #[inline(always)]
    fn hits(&self, key: usize, ray: &Ray, square: f32, mut best: f32) -> f32 {
        let ([ox, oy], [dx, dy]) = (ray.origin, ray.direction);
        for disc in self.discs.of(key) {
            let [x, y, r] = disc.shape;
            let (wx, wy) = (ox - x, oy - y);
            let half = wx * dx + wy * dy;
            let cross = wx * dy - wy * dx;
            let under = r * r * square - cross * cross;
            if half < 0.0 && under >= 0.0 {
                let t = (-half - under.sqrt()) / square;
                if t >= 0.0 && t < best {
                    best = t;
                }
            }
        }
        for wall in self.walls.of(key) {
            let ([wx, wy], [ex, ey]) = ([wall.start[0] - ox, wall.start[1] - oy], wall.along);
            let inverse = 1.0 / (dx * ey - dy * ex);
            let t = (wx * ey - wy * ex) * inverse;
            let u = (wx * dy - wy * dx) * inverse;
            if t >= 0.0 && t < best && (0.0..=1.0).contains(&u) {
                best = t;
            }
        }
        best
    }

    fn walk(&self, ray: &Ray) -> f32 {
        let [dx, dy] = ray.direction;
        let square = dx * dx + dy * dy;
        let mut cell = self.place(ray.origin);
        let mut step = [0; 2];
        let (mut next, mut delta) = ([f32::INFINITY; 2], [f32::INFINITY; 2]);
        for axis in 0..2 {
            let speed = ray.direction[axis];
            if speed != 0.0 {
                step[axis] = if speed > 0.0 { 1 } else { -1 };
                let border = self.origin[axis] + (cell[axis] + i32::from(speed > 0.0)) as f32 * self.cell;
                next[axis] = (border - ray.origin[axis]) / speed;
                delta[axis] = (self.cell / speed).abs();
            }
        }
        // One more than the end of the ray, so that it counts.
        let mut best = 1f32.next_up();
        loop {
            best = self.hits(self.key(cell), ray, square, best);
            let axis = usize::from(next[1] < next[0]);
            if next[axis] >= best {
                break;
            }
            cell[axis] += step[axis];
            if cell[axis] < 0 || cell[axis] >= self.size[axis] {
                break;
            }
            next[axis] += delta[axis];
        }
        if best <= 1.0 { best } else { f32::INFINITY }
    }

    fn count(&mut self, [x, y, radius]: [f32; 3]) -> u32 {
        self.asked += 1;
        let margin = 0.01 * self.cell;
        let reach = radius + margin;
        let ([c0, r0], [c1, r1]) = (self.place([x - reach, y - reach]), self.place([x + reach, y + reach]));
        let circles = self.stamp.len() - self.segments();
        let mut count = 0;
        for row in r0..=r1 {
            for column in c0..=c1 {
                let key = self.key([column, row]);
                for disc in self.discs.of(key) {
                    let stamp = &mut self.stamp[disc.row as usize];
                    if *stamp != self.asked {
                        *stamp = self.asked;
                        let [dx, dy, both] = [disc.shape[0] - x, disc.shape[1] - y, disc.shape[2] + radius];
                        count += u32::from(dx * dx + dy * dy <= both * both);
                    }
                }
                for wall in self.walls.of(key) {
                    let stamp = &mut self.stamp[circles + wall.row as usize];
                    if *stamp != self.asked {
                        *stamp = self.asked;
                        let ([wx, wy], [dx, dy]) = ([x - wall.start[0], y - wall.start[1]], wall.along);
                        let length = dx * dx + dy * dy;
                        let t = if length > 0.0 { ((wx * dx + wy * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
                        let (ex, ey) = (wx - t * dx, wy - t * dy);
                        count += u32::from(ex * ex + ey * ey <= radius * radius);
                    }
                }
            }
        }
        count
    }

    fn around(&self, [x, y]: [f32; 2]) -> f32 {
        let [column, row] = self.place([x, y]);
        let mut squares = [f32::INFINITY; NEAREST];
        let most = self.size[0].max(self.size[1]);
        for ring in 0..=most {
            // Whatever lies in this ring or beyond is at least so far.
            let least = (ring - 1).max(0) as f32 * self.cell;
            if least * least > squares[NEAREST - 1] {
                break;
            }
            for cells in (row - ring).max(0)..=(row + ring).min(self.size[1] - 1) {
                let whole = cells == row - ring || cells == row + ring;
                let stride = if whole || ring == 0 { 1 } else { 2 * ring };
                let mut at = column - ring;
                while at <= column + ring {
                    if at >= 0 && at < self.size[0] {
                        for &[cx, cy] in self.centres.of(self.key([at, cells])) {
                            let (dx, dy) = (cx - x, cy - y);
                            keep(&mut squares, dx * dx + dy * dy);
                        }
                    }
                    at += stride;
                }
            }
        }
        squares.iter().map(|square| square.sqrt()).sum()
    }

    fn segments(&self) -> usize {
        self.stamp.len() - self.centres.len()
    }
}

/// Puts a number among the least, in order.
#[inline(always)]
pub(crate) fn keep(least: &mut [f32; NEAREST], value: f32) {
    if value < least[NEAREST - 1] {
        let mut at = NEAREST - 1;
        while at > 0 && least[at - 1] > value {
            least[at] = least[at - 1];
            at -= 1;
        }
        least[at] = value;
    }
}

impl Queries for Grid {
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        found.extend(rays.iter().map(|ray| self.walk(ray)));
        true
    }

    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        found.extend(discs.iter().map(|&disc| self.count(disc) as f32));
        true
    }

    fn nearest(&mut self, points: &[[f32; 2]], found: &mut Vec<f32>) -> bool {
        found.extend(points.iter().map(|&point| self.around(point)));
        true
    }
}
