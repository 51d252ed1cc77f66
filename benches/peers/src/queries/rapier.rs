//! rapier2d's query pipeline, over colliders without bodies.

use super::{Queries, Ray};
use crate::peer::Peer;
use crate::peers::RapierDetection;
use crate::shared::Scene;
use rapier2d::parry::query::DefaultQueryDispatcher;
use rapier2d::prelude::*;

pub(crate) struct Pipeline(RapierDetection);

impl Pipeline {
    pub(crate) fn new(scene: &Scene) -> Pipeline {
        let mut detection = RapierDetection::of(scene);
        // Its tree is made by a step.
        detection.run(scene);
        Pipeline(detection)
    }

    fn pipeline(&self) -> QueryPipeline<'_> {
        let RapierDetection { broad, bodies, colliders, .. } = &self.0;
        broad.as_query_pipeline(&DefaultQueryDispatcher, bodies, colliders, QueryFilter::default())
    }
}

impl Queries for Pipeline {
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        let pipeline = self.pipeline();
        let cast = |ray: &Ray| {
            let [origin, direction] = [ray.origin, ray.direction].map(|[x, y]| Vector::new(x, y));
            let ray = rapier2d::geometry::Ray::new(origin, direction);
            pipeline.cast_ray(&ray, 1.0, true).map_or(f32::INFINITY, |(_, t)| t)
        };
        found.extend(rays.iter().map(cast));
        true
    }

    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        let pipeline = self.pipeline();
        let count = |&[x, y, radius]: &[f32; 3]| {
            pipeline.intersect_shape(Pose::from_translation(Vector::new(x, y)), &Ball::new(radius)).count()
        };
        found.extend(discs.iter().map(|disc| count(disc) as f32));
        true
    }
}
