//! rstar's tree over circles and segments. It has no ray cast: a ray is cut into pieces, each twice as long as the one before, whose
//! boxes are asked for what they meet, until one of them holds a hit.

use super::{NEAREST, Queries, Ray};
use crate::peer::{circle, circle_box, ends, segment_box};
use crate::peers::RstarBoxed as Boxed;
use crate::peers::{envelope, rstar_tree as tree};
use crate::shared::Scene;
use rstar::RTree;
use rstar::primitives::GeomWithData;

/// The first piece of a ray, as a part of it.
const PIECE: f32 = 1.0 / 64.0;

pub(crate) struct Tree {
    bodies: RTree<Boxed>,
    centres: RTree<GeomWithData<[f32; 2], u32>>,
    circles: Vec<[f32; 3]>,
    segments: Vec<[f32; 4]>,
}

impl Tree {
    pub(crate) fn new(scene: &Scene) -> Tree {
        let count = scene.x.len();
        let bounds = |row: usize| if row < count { circle_box(scene, row) } else { segment_box(scene, row - count) };
        let centres = (0..count).map(|row| GeomWithData::new([scene.x[row], scene.y[row]], row as u32));
        Tree {
            bodies: tree(count + scene.x0.len(), bounds),
            centres: RTree::bulk_load(centres.collect()),
            circles: (0..count).map(|row| circle(scene, row)).collect(),
            segments: (0..scene.x0.len()).map(|row| ends(scene, row)).collect(),
        }
    }

    fn hit(&self, row: usize, ray: &Ray) -> f32 {
        let ([ox, oy], [dx, dy]) = (ray.origin, ray.direction);
        if let Some(&[x, y, r]) = self.circles.get(row) {
            let (wx, wy, square) = (ox - x, oy - y, dx * dx + dy * dy);
            let (half, cross) = (wx * dx + wy * dy, wx * dy - wy * dx);
            let under = r * r * square - cross * cross;
            let t = (-half - under.sqrt()) / square;
            return if half < 0.0 && under >= 0.0 && t >= 0.0 { t } else { f32::INFINITY };
        }
        let [x0, y0, x1, y1] = self.segments[row - self.circles.len()];
        let ([wx, wy], [ex, ey]) = ([x0 - ox, y0 - oy], [x1 - x0, y1 - y0]);
        let inverse = 1.0 / (dx * ey - dy * ex);
        let (t, u) = ((wx * ey - wy * ex) * inverse, (wx * dy - wy * dx) * inverse);
        if t >= 0.0 && (0.0..=1.0).contains(&u) { t } else { f32::INFINITY }
    }

    fn cast(&self, ray: &Ray) -> f32 {
        let at = |t: f32| [ray.origin[0] + t * ray.direction[0], ray.origin[1] + t * ray.direction[1]];
        let (mut from, mut length) = (0.0, PIECE);
        while from < 1.0 {
            let to = f32::min(from + length, 1.0);
            let ([x0, y0], [x1, y1]) = (at(from), at(to));
            let piece = envelope([x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]);
            let hits = self.bodies.locate_in_envelope_intersecting(piece);
            let best = hits.map(|body| self.hit(body.row as usize, ray)).fold(f32::INFINITY, f32::min);
            if best <= to {
                return best;
            }
            (from, length) = (to, 2.0 * length);
        }
        f32::INFINITY
    }

    fn count(&self, [x, y, radius]: [f32; 3]) -> usize {
        let around = envelope([x - radius, y - radius, x + radius, y + radius]);
        let touches = |body: &&Boxed| {
            let row = body.row as usize;
            if let Some(&[cx, cy, r]) = self.circles.get(row) {
                return (cx - x).powi(2) + (cy - y).powi(2) <= (r + radius).powi(2);
            }
            let [x0, y0, x1, y1] = self.segments[row - self.circles.len()];
            let (dx, dy, wx, wy) = (x1 - x0, y1 - y0, x - x0, y - y0);
            let length = dx * dx + dy * dy;
            let t = if length > 0.0 { ((wx * dx + wy * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
            (wx - t * dx).powi(2) + (wy - t * dy).powi(2) <= radius * radius
        };
        self.bodies.locate_in_envelope_intersecting(around).filter(touches).count()
    }
}

impl Queries for Tree {
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        found.extend(rays.iter().map(|ray| self.cast(ray)));
        true
    }

    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        found.extend(discs.iter().map(|&disc| self.count(disc) as f32));
        true
    }

    fn nearest(&mut self, points: &[[f32; 2]], found: &mut Vec<f32>) -> bool {
        let sum = |&point: &[f32; 2]| -> f32 {
            let around = self.centres.nearest_neighbor_iter_with_distance_2(point).take(NEAREST);
            around.map(|(_, square)| square.sqrt()).sum()
        };
        found.extend(points.iter().map(sum));
        true
    }
}
