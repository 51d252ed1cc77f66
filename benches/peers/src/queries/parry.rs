//! parry2d's BVH over circles and segments, asked by its own functions; each leaf by parry's own shapes.

use super::{NEAREST, Queries, Ray};
use crate::peer::{circle_box, ends, segment_box};
use crate::peers::aabb;
use crate::queries::grid::keep;
use crate::shared::Scene;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy};
use parry2d::query::{PointQuery, Ray as ParryRay, RayCast};
use parry2d::shape::{Ball, Segment};

pub(crate) struct Tree {
    bvh: Bvh,
    balls: Vec<(Vector, Ball)>,
    segments: Vec<Segment>,
}

impl Tree {
    pub(crate) fn new(scene: &Scene) -> Tree {
        let circles = (0..scene.x.len()).map(|row| aabb(circle_box(scene, row)));
        let boxes: Vec<_> = circles.chain((0..scene.x0.len()).map(|row| aabb(segment_box(scene, row)))).collect();
        let segment = |row: usize| {
            let [x0, y0, x1, y1] = ends(scene, row);
            Segment::new(Vector::new(x0, y0), Vector::new(x1, y1))
        };
        let ball = |row: usize| (Vector::new(scene.x[row], scene.y[row]), Ball::new(scene.radius[row]));
        Tree {
            bvh: Bvh::from_leaves(BvhBuildStrategy::Ploc, &boxes),
            balls: (0..scene.x.len()).map(ball).collect(),
            segments: (0..scene.x0.len()).map(segment).collect(),
        }
    }

    fn cast(&self, ray: &Ray) -> f32 {
        let [origin, direction] = [ray.origin, ray.direction].map(|[x, y]| Vector::new(x, y));
        let ray = ParryRay::new(origin, direction);
        let leaf = |row: u32, best: f32| match self.balls.get(row as usize) {
            Some(&(centre, ball)) => ball.cast_local_ray(&ParryRay::new(origin - centre, direction), best, true),
            None => self.segments[row as usize - self.balls.len()].cast_local_ray(&ray, best, true),
        };
        self.bvh.cast_ray(&ray, 1.0, leaf).map_or(f32::INFINITY, |(_, t)| t)
    }

    fn count(&self, [x, y, radius]: [f32; 3]) -> usize {
        let centre = Vector::new(x, y);
        let around = aabb([x - radius, y - radius, x + radius, y + radius]);
        let touches = |row: &u32| match self.balls.get(*row as usize) {
            Some((other, ball)) => centre.distance_squared(*other) <= (radius + ball.radius).powi(2),
            None => {
                let segment = self.segments[*row as usize - self.balls.len()];
                segment.distance_to_local_point(centre, true) <= radius
            }
        };
        self.bvh.intersect_aabb(&around).filter(touches).count()
    }

    /// It finds the one nearest, not eight: boxes that grow until they hold enough, as its users do.
    fn around(&self, [x, y]: [f32; 2], first: f32) -> f32 {
        let point = Vector::new(x, y);
        let mut reach = first;
        loop {
            let mut squares = [f32::INFINITY; NEAREST];
            let bounds = [x - reach, y - reach, x + reach, y + reach];
            for row in self.bvh.intersect_aabb(&aabb(bounds)) {
                if let Some((centre, _)) = self.balls.get(row as usize) {
                    keep(&mut squares, centre.distance_squared(point));
                }
            }
            if squares[NEAREST - 1] <= reach * reach {
                return squares.iter().map(|square| square.sqrt()).sum();
            }
            reach *= 1.5;
        }
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
        let area = self.bvh.root_aabb().half_extents();
        // A square that would hold twice as many, were they spread evenly.
        let first = (2.0 * NEAREST as f32 * area.x * area.y / self.balls.len().max(NEAREST) as f32).sqrt();
        found.extend(points.iter().map(|&point| self.around(point, first)));
        true
    }
}
