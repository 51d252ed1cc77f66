//! The yardstick of ray casts: what a competent user writes in an afternoon, in ordinary f32.
//!
//! Comes in: the columns of a scene. Goes out: the first body a ray hits. One grid, bodies under every cell that their box meets (a
//! segment: that it crosses), Amanatides and Woo from cell to cell, textbook tests. Decisions are those of rounded arithmetic.

#![allow(dead_code, reason = "what is hit is written, not all of it is looked at")]

use crate::common::scenes::Scene;

/// Where a ray hits first.
#[derive(Clone, Copy)]
pub(crate) struct PlainHit {
    pub(crate) t: f32,
    pub(crate) point: [f32; 2],
    pub(crate) normal: [f32; 2],
    /// Circles first, then segments.
    pub(crate) row: u32,
}

/// Bodies under their cells.
pub(crate) struct PlainWalk {
    low: [f32; 2],
    cell: f32,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    listed: Vec<u32>,
    circles: Vec<[f32; 3]>,
    segments: Vec<[f32; 4]>,
}

impl PlainWalk {
    /// Of all bodies of a scene, in square cells of this width.
    pub(crate) fn new(scene: &Scene, cell: f32) -> PlainWalk {
        let circles: Vec<_> = (0..scene.x.len()).map(|i| [scene.x[i], scene.y[i], scene.radius[i]]).collect();
        let segments: Vec<_> =
            (0..scene.x0.len()).map(|i| [scene.x0[i], scene.y0[i], scene.x1[i], scene.y1[i]]).collect();
        let boxes = circles.iter().map(|&[x, y, r]| [x - r, y - r, x + r, y + r]);
        let boxes: Vec<_> =
            boxes.chain(segments.iter().map(|&[a, b, c, d]| [a.min(c), b.min(d), a.max(c), b.max(d)])).collect();
        let low = [0, 1].map(|k| boxes.iter().map(|b| b[k]).fold(f32::MAX, f32::min) - cell);
        let high = [2, 3].map(|k| boxes.iter().map(|b| b[k]).fold(f32::MIN, f32::max) + cell);
        let [columns, rows] = [0, 1].map(|k| ((high[k] - low[k]) / cell) as usize + 1);
        let mut pairs = Vec::new();
        for (row, b) in boxes.iter().enumerate() {
            let at = |v: f32, k: usize| ((v - low[k]) / cell) as usize;
            for cy in at(b[1], 1)..=at(b[3], 1) {
                for cx in at(b[0], 0)..=at(b[2], 0) {
                    let near = |s: [f32; 4]| {
                        // Half the diagonal from the line, and a little.
                        let (dx, dy) = (s[2] - s[0], s[3] - s[1]);
                        let (px, py) =
                            (low[0] + (cx as f32 + 0.5) * cell - s[0], low[1] + (cy as f32 + 0.5) * cell - s[1]);
                        (dx * py - dy * px).abs() <= 0.75 * cell * (dx * dx + dy * dy).sqrt()
                    };
                    if row < circles.len() || near(segments[row - circles.len()]) {
                        pairs.push(((cy * columns + cx) as u32, row as u32));
                    }
                }
            }
        }
        pairs.sort_unstable();
        let mut starts = vec![0; columns * rows + 1];
        pairs.iter().for_each(|pair| starts[pair.0 as usize + 1] += 1);
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        PlainWalk { low, cell, columns, rows, starts, listed: pairs.iter().map(|p| p.1).collect(), circles, segments }
    }

    /// The first body on the way, up to `max`; the ray starts within the grid.
    pub(crate) fn cast(&self, o: [f32; 2], d: [f32; 2], max: f32) -> Option<PlainHit> {
        let p = [0, 1].map(|k| (o[k] - self.low[k]) / self.cell);
        let mut at = p.map(|v| v as i64);
        let step = d.map(|v| if v > 0.0 { 1i64 } else { -1 });
        let each = d.map(|v| (self.cell / v).abs());
        let mut next = [0, 1].map(|k| {
            let ahead = if d[k] > 0.0 { at[k] as f32 + 1.0 - p[k] } else { p[k] - at[k] as f32 };
            if d[k] == 0.0 { f32::INFINITY } else { ahead * each[k] }
        });
        let (mut best, mut found) = (max, None);
        while at[0] >= 0 && at[1] >= 0 && at[0] < self.columns as i64 && at[1] < self.rows as i64 {
            let key = at[1] as usize * self.columns + at[0] as usize;
            for &row in &self.listed[self.starts[key] as usize..self.starts[key + 1] as usize] {
                if let Some(t) = self.test(row, o, d).filter(|&t| t <= best) {
                    (best, found) = (t, Some(row));
                }
            }
            let k = usize::from(next[1] < next[0]);
            if next[k] > best {
                break;
            }
            at[k] += step[k];
            next[k] += each[k];
        }
        found.map(|row| self.hit(row, best, o, d))
    }

    #[inline(always)]
    fn test(&self, row: u32, o: [f32; 2], d: [f32; 2]) -> Option<f32> {
        let row = row as usize;
        if row < self.circles.len() {
            let [x, y, r] = self.circles[row];
            let (wx, wy) = (o[0] - x, o[1] - y);
            let (b, l) = (wx * d[0] + wy * d[1], d[0] * d[0] + d[1] * d[1]);
            let depth = b * b - l * (wx * wx + wy * wy - r * r);
            if depth < 0.0 {
                return None;
            }
            let t = (-b - depth.sqrt()) / l;
            return if t >= 0.0 {
                Some(t)
            } else if wx * wx + wy * wy <= r * r {
                Some(0.0)
            } else {
                None
            };
        }
        let [ax, ay, bx, by] = self.segments[row - self.circles.len()];
        let (ex, ey, wx, wy) = (bx - ax, by - ay, ax - o[0], ay - o[1]);
        let det = d[0] * ey - d[1] * ex;
        let (t, u) = ((wx * ey - wy * ex) / det, (wx * d[1] - wy * d[0]) / det);
        (t >= 0.0 && (0.0..=1.0).contains(&u)).then_some(t)
    }

    fn hit(&self, row: u32, t: f32, o: [f32; 2], d: [f32; 2]) -> PlainHit {
        let point = [o[0] + t * d[0], o[1] + t * d[1]];
        let k = row as usize;
        let normal = if k < self.circles.len() {
            let [x, y, r] = self.circles[k];
            [(point[0] - x) / r, (point[1] - y) / r]
        } else {
            let [ax, ay, bx, by] = self.segments[k - self.circles.len()];
            let (ex, ey) = (bx - ax, by - ay);
            let side = if ex * d[1] - ey * d[0] > 0.0 { -1.0 } else { 1.0 };
            let l = side / (ex * ex + ey * ey).sqrt();
            [-ey * l, ex * l]
        };
        PlainHit { t, point, normal, row }
    }
}
