//! In which order a ray looks at what there is.
//!
//! Comes in: a scene, how many rays are cast. Goes out: the cells in which all bodies lie together, if they are made; where they are not, whether
//! circles or segments come first. What is found does not depend on it. This room does not look.

use super::Scene;
use crate::broad_phase::RayCells;

/// How a scene is looked at by all searches of a call. What is found does not depend on it.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    /// What [`circles_first`] says, if it has been asked: for one flight that is only worth it where bodies do not lie together.
    circles_first: Option<bool>,
    /// For thin rays.
    pub(super) together: Option<&'a RayCells>,
}

impl<'a> Order<'a> {
    /// For so many thin rays.
    pub(super) fn new(scene: &Scene<'a>, rays: u32) -> Order<'a> {
        let together = if rays > 0 { scene.ray_cells(rays) } else { None };
        Order { circles_first: Some(circles_first(scene)), together }
    }

    /// For one flight.
    pub(super) fn of_one(scene: &Scene<'a>, thin: bool) -> Order<'a> {
        Order { circles_first: None, together: if thin { scene.ray_cells(1) } else { None } }
    }

    /// Whether the first stretch of the circles comes before the segments.
    #[inline(always)]
    pub(super) fn circles_first(&self, scene: &Scene<'_>) -> bool {
        match self.circles_first {
            Some(first) => first,
            None => circles_first(scene),
        }
    }
}

/// Whether the first stretch of the circles had better come before the segments: what is found early spares much of the rest. Circles are then
/// more likely to stop a ray than segments: compared are, roughly, the widths of all circles and of all segments, as seen from
/// a direction that is anyone's guess. A segment of length L is seen 2 L / π wide in the mean, and goes 4 L / π on both axes together.
#[inline(never)]
fn circles_first(scene: &Scene<'_>) -> bool {
    let circles = scene
        .grid
        .levels()
        .first()
        .map_or(0.0, |level| f64::from(level.rows.end - level.rows.start) * f64::from(level.size) * 2.0);
    let levels = scene.cells.iter().flat_map(|cells| cells.levels());
    let segments: f64 = levels.map(|level| level.length).sum();
    circles > 0.5 * segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CircleBodies, QueryFilter, Ray, SegmentBodies, Target, World, WorldConfig};

    fn random(state: &mut u64) -> f32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 40) as f32) / (1u64 << 24) as f32
    }

    #[test]
    fn what_stops_more_rays_comes_first() {
        for (circles, segments, length) in
            [(2_000, 500, 3.0), (2_000, 1_000, 6.0), (2_000, 0, 1.0), (2_000, 4_000, 3.0), (500, 4_000, 1.0)]
        {
            let (mut state, mut world) = (5, World::new(WorldConfig::default()).expect("as it is"));
            let mut column = |count: usize| -> Vec<f32> { (0..count).map(|_| 100.0 * random(&mut state)).collect() };
            let ([x, y], [x0, y0, turn]) = ([0; 2].map(|_| column(circles)), [0; 3].map(|_| column(segments)));
            let end = |from: &[f32], way: fn(f32) -> f32| -> Vec<f32> {
                from.iter().zip(&turn).map(|(from, turn)| from + length * way(*turn)).collect()
            };
            let (x1, y1, radius) = (end(&x0, f32::cos), end(&y0, f32::sin), vec![0.5; circles]);
            let circles = CircleBodies { x: &x, y: &y, radius: &radius, ..CircleBodies::default() };
            world.add_circles(circles).expect("numbers");
            let segments = SegmentBodies { x0: &x0, y0: &y0, x1: &x1, y1: &y1, ..SegmentBodies::default() };
            world.add_segments(segments).expect("numbers");
            let queries = world.queries();
            let mut met = [0; 2];
            for turn in 0..2_000 {
                let turn = turn as f32;
                let ray = Ray::new([50.0 + 20.0 * (0.1 * turn).sin(), 50.0], [turn.cos(), turn.sin()]);
                let hit = queries.cast_ray(ray, QueryFilter::new()).expect("numbers");
                // Who begins inside of a circle says nothing of the way.
                if let Some(hit) = hit.filter(|hit| hit.fraction > 0.0) {
                    met[usize::from(hit.target == Target::segment(hit.target.row))] += 1;
                }
            }
            assert!(met[0] + met[1] > 500, "{met:?}");
            assert_eq!(circles_first(&queries.scene), met[0] > met[1], "{length} {met:?}");
        }
    }
}
