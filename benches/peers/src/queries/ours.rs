//! gridlane: a detector's questions, single ones and columns, on one thread. Everything comes with it that it hands out: the point, the
//! normal, the feature and the row of what a ray meets, the rows of what touches.

use super::{NEAREST, Queries, Ray};
use crate::shared::Scene;
use gridlane::{
    Circle, Circles, Detector, DetectorConfig, Filters, Hit, Nearest, QueryFilter, Rays, Segments, Target, Threads,
};

pub(crate) struct Ours {
    bodies: Detector,
    /// Circles as points: asked for the nearest centres.
    centres: Detector,
    columns: [Vec<f32>; 4],
    hits: Vec<Hit>,
    targets: Vec<Target>,
    nearest: Vec<Nearest>,
}

impl Ours {
    pub(crate) fn new(scene: &Scene) -> Ours {
        let new = || Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).expect("in range");
        let (mut bodies, mut centres) = (new(), new());
        let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
        bodies.set_segments(segments).expect("finite");
        let circles = Circles { x: &scene.x, y: &scene.y, radius: &scene.radius };
        bodies.set_circles(circles, Filters::default()).expect("finite");
        let points = vec![0.0; scene.x.len()];
        centres.set_circles(Circles { radius: &points, ..circles }, Filters::default()).expect("finite");
        _ = (bodies.queries(), centres.queries()); // what is made at the first question is made here
        Ours { bodies, centres, columns: Default::default(), hits: vec![], targets: vec![], nearest: vec![] }
    }
}

impl Queries for Ours {
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        self.columns.iter_mut().for_each(Vec::clear);
        for Ray { origin, direction } in rays {
            let row = [origin[0], origin[1], direction[0], direction[1]];
            self.columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
        }
        let [x, y, direction_x, direction_y] = &self.columns;
        let max = vec![1.0; rays.len()];
        let rays = Rays { x, y, direction_x, direction_y, max: &max, skip: &[] };
        self.bodies.cast_rays(rays, QueryFilter::new(), &mut self.hits).expect("finite");
        found.extend(self.hits.iter().map(|hit| if hit.is_hit() { hit.fraction } else { f32::INFINITY }));
        true
    }

    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        let queries = self.bodies.queries();
        for &[x, y, radius] in discs {
            queries.overlap_circle(Circle::new([x, y], radius), QueryFilter::new(), &mut self.targets).expect("finite");
            found.push(self.targets.len() as f32);
        }
        true
    }

    fn nearest(&mut self, points: &[[f32; 2]], found: &mut Vec<f32>) -> bool {
        let queries = self.centres.queries();
        for &point in points {
            queries.nearest_k(point, NEAREST, f32::MAX, QueryFilter::new(), &mut self.nearest).expect("finite");
            found.push(self.nearest.iter().map(|near| near.distance).sum());
        }
        true
    }
}
