//! Box2D's world queries: closest ray, and what a disc overlaps. It does not look for what is near.

use super::{Queries, Ray};
use crate::peers::{Box2dBodies, vector};
use crate::shared::Scene;
use boxdd_sys::ffi::*;
use std::ffi::c_void;

pub(crate) struct World {
    bodies: Box2dBodies,
    filter: b2QueryFilter,
}

impl World {
    pub(crate) fn new(scene: &Scene) -> World {
        let mut bodies = Box2dBodies::new(scene, 1);
        // What a first step makes of the trees is what later queries find.
        bodies.step(1e-7);
        // SAFETY: the world lives; the filter is plain data.
        let filter = unsafe {
            b2World_RebuildStaticTree(bodies.world.0);
            b2DefaultQueryFilter()
        };
        World { bodies, filter }
    }
}

/// Counts, and asks for more.
unsafe extern "C" fn count(_: b2ShapeId, context: *mut c_void) -> bool {
    // SAFETY: the context is the counter handed over beside this function, and nobody else looks at it meanwhile.
    unsafe { *context.cast::<u32>() += 1 };
    true
}

impl Queries for World {
    fn closest(&mut self, rays: &[Ray], found: &mut Vec<f32>) -> bool {
        let (world, filter) = (self.bodies.world.0, self.filter);
        let cast = |ray: &Ray| {
            let [origin, translation] = [ray.origin, ray.direction].map(|[x, y]| vector(x, y));
            // SAFETY: the world lives.
            let hit = unsafe { b2World_CastRayClosest(world, origin, translation, filter) };
            if hit.hit { hit.fraction } else { f32::INFINITY }
        };
        found.extend(rays.iter().map(cast));
        true
    }

    fn overlaps(&mut self, discs: &[[f32; 3]], found: &mut Vec<f32>) -> bool {
        let (world, filter) = (self.bodies.world.0, self.filter);
        let ask = |&[x, y, radius]: &[f32; 3]| {
            let mut counter = 0u32;
            let centre = vector(0.0, 0.0);
            // SAFETY: the world lives, and the pointers are used within the call alone.
            unsafe {
                let proxy = b2MakeProxy(&raw const centre, 1, radius);
                let context = (&raw mut counter).cast();
                b2World_OverlapShape(world, vector(x, y), &raw const proxy, filter, Some(count), context);
            }
            counter as f32
        };
        found.extend(discs.iter().map(ask));
        true
    }
}
