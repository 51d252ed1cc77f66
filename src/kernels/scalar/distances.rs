//! How far shapes are from a point, one at a time: as `geometry` says.

use crate::geometry::{self, Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::LANES;
use crate::kernels::distances::Distances;

/// Eight circles, of which some are asked for.
pub(crate) fn circles(circles: Circles<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
    some(limit, start, count, |i| {
        let center = Vec2 { x: circles.x[i], y: circles.y[i] };
        geometry::distance_to_disc(p, Circle { center, radius: circles.radius[i] })
    })
}

/// The same for segments; the column of their radii is empty where all are zero.
pub(crate) fn segments(segments: Capsules<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
    some(limit, start, count, |i| {
        if segments.x0[i].is_nan() {
            return f32::NAN;
        }
        let [start, end] = segments.ends(i).map(Vec2::from);
        let radius = segments.radius.get(i).copied().unwrap_or_default();
        geometry::distance_to(p, Segment { start, end, radius })
    })
}

fn some(limit: f32, start: u32, count: u32, distance: impl Fn(usize) -> f32) -> Distances {
    let (mut distances, mut mask) = ([0.0; LANES], 0);
    for (k, to) in distances.iter_mut().enumerate().take(count as usize) {
        *to = distance(start as usize + k);
        mask |= u32::from(*to <= limit) << k;
    }
    Distances { least: distances, most: distances, mask }
}
