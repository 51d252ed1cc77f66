//! The yardstick: what a competent user writes in an afternoon, in ordinary f32.
//!
//! Comes in: the columns of a scene. Goes out: a `Vec` of contacts with rows, point, normal and separation. Uniform grid
//! with cells of two largest radii, counting sort each frame, half neighbourhood, segments registered once with the cells
//! they cross, row by row of cells. Decisions are those of rounded arithmetic, so counts may differ from the exact ones
//! by a few pairs in ten thousand. Where bodies are few in a huge square, cells are widened until there are at most
//! [`CELLS_PER_CIRCLE`] for each circle: memory has to end somewhere.

use super::scenes::Scene;

/// Bound on the size of the table.
const CELLS_PER_CIRCLE: f64 = 8.0;

/// A touching pair.
#[derive(Clone, Copy)]
pub(crate) struct PlainContact {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) point: [f32; 2],
    pub(crate) normal: [f32; 2],
    pub(crate) separation: f32,
}

/// Two circles, as centre and radius.
#[inline(always)]
pub(crate) fn circle_circle(p: [f32; 3], q: [f32; 3], a: u32, b: u32, out: &mut Vec<PlainContact>) {
    let (dx, dy, reach) = (q[0] - p[0], q[1] - p[1], p[2] + q[2]);
    let square = dx * dx + dy * dy;
    if square <= reach * reach {
        let distance = square.sqrt();
        let normal = if distance > 0.0 { [dx / distance, dy / distance] } else { [0.0, 1.0] };
        let along = p[2] + (distance - reach) * 0.5;
        let point = [p[0] + normal[0] * along, p[1] + normal[1] * along];
        out.push(PlainContact { a, b, point, normal, separation: distance - reach });
    }
}

/// A circle and a segment from `p` to `q`.
#[inline(always)]
pub(crate) fn circle_segment(c: [f32; 3], p: [f32; 2], q: [f32; 2], a: u32, b: u32, out: &mut Vec<PlainContact>) {
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let (wx, wy) = (c[0] - p[0], c[1] - p[1]);
    let length = dx * dx + dy * dy;
    let t = if length > 0.0 { ((wx * dx + wy * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (wx - t * dx, wy - t * dy);
    let square = ex * ex + ey * ey;
    if square <= c[2] * c[2] {
        let distance = square.sqrt();
        let normal = if distance > 0.0 { [-ex / distance, -ey / distance] } else { [0.0, 1.0] };
        let point = [p[0] + t * dx, p[1] + t * dy];
        out.push(PlainContact { a, b, point, normal, separation: distance - c[2] });
    }
}

/// Every pair of a scene: no structure at all.
pub(crate) fn brute_force(scene: &Scene, circles: &mut Vec<PlainContact>, segments: &mut Vec<PlainContact>) {
    circles.clear();
    segments.clear();
    for i in 0..scene.x.len() {
        let p = circle(scene, i);
        for j in i + 1..scene.x.len() {
            circle_circle(p, circle(scene, j), i as u32, j as u32, circles);
        }
        for k in 0..scene.x0.len() {
            let [start, end] = ends(scene, k);
            circle_segment(p, start, end, i as u32, k as u32, segments);
        }
    }
}

fn circle(scene: &Scene, row: usize) -> [f32; 3] {
    [scene.x[row], scene.y[row], scene.radius[row]]
}

fn ends(scene: &Scene, row: usize) -> [[f32; 2]; 2] {
    [[scene.x0[row], scene.y0[row]], [scene.x1[row], scene.y1[row]]]
}

/// The grid. What depends on the segments alone is made once.
pub(crate) struct PlainGrid {
    cell: f32,
    origin: [f32; 2],
    columns: usize,
    rows: usize,
    /// Segments of cell k: `listed[first[k]..first[k + 1]]`.
    first: Vec<u32>,
    listed: Vec<u32>,
    /// Circles of cell k, once sorted: `start[k]..start[k + 1]`.
    start: Vec<u32>,
    key: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl PlainGrid {
    /// Lays the grid over the circles and registers the segments.
    pub(crate) fn new(scene: &Scene) -> PlainGrid {
        let largest = scene.radius.iter().copied().fold(0.0, f32::max);
        let span = |column: &[f32]| {
            let low = column.iter().copied().fold(f32::MAX, f32::min);
            (low, column.iter().copied().fold(f32::MIN, f32::max))
        };
        let ((left, right), (bottom, top)) = (span(&scene.x), span(&scene.y));
        let area = f64::from(right - left) * f64::from(top - bottom);
        let widest = (area / (CELLS_PER_CIRCLE * scene.x.len() as f64)).sqrt() as f32;
        let cell = f32::max(2.0 * largest, widest);
        let origin = [left - cell, bottom - cell];
        let mut grid = PlainGrid {
            cell,
            origin,
            columns: ((right - origin[0]) / cell) as usize + 2,
            rows: ((top - origin[1]) / cell) as usize + 2,
            first: vec![],
            listed: vec![],
            start: vec![],
            key: vec![],
            x: vec![0.0; scene.x.len()],
            y: vec![0.0; scene.x.len()],
            radius: vec![0.0; scene.x.len()],
            id: vec![0; scene.x.len()],
        };
        grid.register(scene, largest);
        grid
    }

    /// Lists each segment in every cell where a circle that touches it may have its centre.
    fn register(&mut self, scene: &Scene, reach: f32) {
        let mut cells = vec![vec![]; self.columns * self.rows];
        let cut = |value: f32, count: usize| (value.max(0.0) as usize).min(count - 1);
        for k in 0..scene.x0.len() {
            let [[x0, y0], [x1, y1]] = ends(scene, k);
            let (low, high) = (y0.min(y1), y0.max(y1));
            let from = cut((low - reach - self.origin[1]) / self.cell - 0.01, self.rows);
            let to = cut((high + reach - self.origin[1]) / self.cell + 0.01, self.rows);
            for row in from..=to {
                let below = self.origin[1] + row as f32 * self.cell - reach;
                let (mut left, mut right) = (x0.min(x1), x0.max(x1));
                if y0 != y1 {
                    let at = |y: f32| x0 + (y - y0) / (y1 - y0) * (x1 - x0);
                    let (p, q) = (at(below.clamp(low, high)), at((below + self.cell + 2.0 * reach).clamp(low, high)));
                    (left, right) = (left.max(p.min(q)), right.min(p.max(q)));
                }
                let from = cut((left - reach - self.origin[0]) / self.cell - 0.01, self.columns);
                let to = cut((right + reach - self.origin[0]) / self.cell + 0.01, self.columns);
                for cell in &mut cells[row * self.columns + from..=row * self.columns + to] {
                    cell.push(k as u32);
                }
            }
        }
        self.first.push(0);
        for cell in &cells {
            self.listed.extend_from_slice(cell);
            self.first.push(self.listed.len() as u32);
        }
    }

    /// All touching pairs of the circles where they are now.
    pub(crate) fn detect(&mut self, scene: &Scene, circles: &mut Vec<PlainContact>, segments: &mut Vec<PlainContact>) {
        circles.clear();
        segments.clear();
        self.sort(scene);
        for row in 0..self.rows {
            for column in 0..self.columns {
                self.cell_against_circles(row, column, circles);
                self.cell_against_segments(row * self.columns + column, scene, segments);
            }
        }
    }

    /// Counting sort by cell.
    fn sort(&mut self, scene: &Scene) {
        let inverse = 1.0 / self.cell;
        self.start.clear();
        self.start.resize(self.columns * self.rows + 2, 0);
        self.key.clear();
        for (&x, &y) in scene.x.iter().zip(&scene.y) {
            let (column, row) = ((x - self.origin[0]) * inverse, (y - self.origin[1]) * inverse);
            let key = row as usize * self.columns + column as usize;
            self.key.push(key as u32);
            self.start[key + 2] += 1;
        }
        for k in 1..self.start.len() {
            self.start[k] += self.start[k - 1];
        }
        for i in 0..scene.x.len() {
            let place = &mut self.start[self.key[i] as usize + 1];
            let j = *place as usize;
            *place += 1;
            self.x[j] = scene.x[i];
            self.y[j] = scene.y[i];
            self.radius[j] = scene.radius[i];
            self.id[j] = i as u32;
        }
    }

    /// Half neighbourhood: the rest of the cell, the next one, three of the next row.
    fn cell_against_circles(&self, row: usize, column: usize, out: &mut Vec<PlainContact>) {
        let k = row * self.columns + column;
        let run = |from: usize, to: usize| self.start[from] as usize..self.start[to] as usize;
        for i in run(k, k + 1) {
            let p = [self.x[i], self.y[i], self.radius[i]];
            let mut against = |run: std::ops::Range<usize>| {
                for j in run {
                    circle_circle(p, [self.x[j], self.y[j], self.radius[j]], self.id[i], self.id[j], out);
                }
            };
            against(i + 1..self.start[k + 1] as usize);
            if column + 1 < self.columns {
                against(run(k + 1, k + 2));
            }
            if row + 1 < self.rows {
                let next = (row + 1) * self.columns;
                against(run(next + column.saturating_sub(1), next + (column + 2).min(self.columns)));
            }
        }
    }

    fn cell_against_segments(&self, k: usize, scene: &Scene, out: &mut Vec<PlainContact>) {
        let listed = &self.listed[self.first[k] as usize..self.first[k + 1] as usize];
        for i in self.start[k] as usize..self.start[k + 1] as usize {
            let c = [self.x[i], self.y[i], self.radius[i]];
            for &wall in listed {
                let [start, end] = ends(scene, wall as usize);
                circle_segment(c, start, end, self.id[i], wall, out);
            }
        }
    }
}
