//! Distances and records of bodies near a point.
//!
//! Comes in: a scene, a point, rows of circles in cell order and of segments. Goes out: exact distances, or records with the points that are
//! nearest, those of `geometry::nearest_on_circle` and `nearest_on_capsule`: eight at a time as gaps of a circle without a radius, which are
//! the same where the point is outside the shape; one by one where it is not, or where lanes are not sure. This room does not know who is
//! nearest.

use super::best::Best;
use super::{Nearest, Scene, Target};
use crate::geometry::{self, Feature, NearestPoint, Vec2};
use crate::kernels::gaps::Gaps;
use crate::kernels::{Kernels, LANES};

/// The distances of all that the best are among.
#[inline(always)]
pub(super) fn distances<K: Kernels>(scene: &Scene<'_>, p: [f32; 2], best: &mut Best<'_>) {
    let [(circles, of_circles), (segments, of_segments)] = best.distances();
    for (rows, to) in circles.chunks(LANES).zip(of_circles.chunks_mut(LANES)) {
        let gaps = of_discs::<K>(scene, p, rows);
        for (k, (&row, to)) in rows.iter().zip(to).enumerate() {
            let [_, _, separation, ..] = gaps.records[k];
            let outside = gaps.sure >> k & 1 == 1 && separation > 0.0;
            *to = if outside { separation } else { geometry::distance_to_disc(p, scene.circle(row)) };
        }
    }
    for (rows, to) in segments.chunks(LANES).zip(of_segments.chunks_mut(LANES)) {
        let gaps = of_walls::<K>(scene, p, rows);
        for (k, (&row, to)) in rows.iter().zip(to).enumerate() {
            let [_, _, separation, ..] = gaps.records[k];
            let outside = gaps.sure >> k & 1 == 1 && separation > 0.0;
            *to = if outside { separation } else { geometry::distance_to(p, scene.segment(row)) };
        }
    }
}

/// The records of the best, in order, and how many there are.
#[inline(always)]
pub(super) fn records<K: Kernels>(scene: &Scene<'_>, p: [f32; 2], best: &Best<'_>, room: &mut [Nearest]) -> usize {
    let ([circles, segments], [of_circles, of_segments]) = (best.rows(), best.ranks());
    for (at, rows) in circles.chunks(LANES).enumerate() {
        let gaps = of_discs::<K>(scene, p, rows);
        for (k, &row) in rows.iter().enumerate() {
            // A few come nearly in order: then there is little left to sort.
            let place = LANES * at + k;
            let place = of_circles.get(place).map_or(place, |&rank| rank as usize);
            let target = Target::circle(scene.name(row));
            let [x, y, distance, ..] = gaps.records[k];
            let outside = gaps.sure >> k & 1 == 1 && distance > 0.0;
            room[place] = if outside {
                Nearest { point: Vec2 { x, y }, distance, feature: Feature::Interior, target }
            } else {
                disc(scene, p, row, target)
            };
        }
    }
    for (at, rows) in segments.chunks(LANES).enumerate() {
        let gaps = of_walls::<K>(scene, p, rows);
        for (k, &row) in rows.iter().enumerate() {
            let place = LANES * at + k;
            let place = of_segments.get(place).map_or(circles.len() + place, |&rank| rank as usize);
            let target = Target::segment(row);
            let [x, y, distance, feature, ..] = gaps.records[k];
            let outside = gaps.sure >> k & 1 == 1 && distance > 0.0;
            room[place] = if outside {
                Nearest { point: Vec2 { x, y }, distance, feature: bytemuck::cast(feature), target }
            } else {
                wall(scene, p, row, target)
            };
        }
    }
    let found = &mut room[..circles.len() + segments.len()];
    found.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.target.cmp(&b.target)));
    found.len()
}

/// At most eight circles, and at least one.
#[inline(always)]
fn of_discs<K: Kernels>(scene: &Scene<'_>, [x, y]: [f32; 2], rows: &[u32]) -> Gaps {
    let (from, mut others) = (scene.circles().even(), [[0.0; 4]; LANES]);
    for (k, other) in others.iter_mut().enumerate() {
        let row = rows[if k < rows.len() { k } else { 0 }] as usize;
        *other = [from.x[row], from.y[row], from.radius[row], 0.0];
    }
    K::circle_gaps(&[[x; LANES], [y; LANES], [0.0; LANES]], &others, 0)
}

/// The same for segments.
#[inline(always)]
fn of_walls<K: Kernels>(scene: &Scene<'_>, [x, y]: [f32; 2], rows: &[u32]) -> Gaps {
    let mut eight = [0; LANES];
    for (k, to) in eight.iter_mut().enumerate() {
        *to = rows[if k < rows.len() { k } else { 0 }];
    }
    K::segment_gaps(&[[x; LANES], [y; LANES], [0.0; LANES]], scene.capsules, &eight, 0)
}

#[cold]
#[inline(never)]
fn disc(scene: &Scene<'_>, p: [f32; 2], row: u32, target: Target) -> Nearest {
    of(geometry::nearest_on_circle(p, scene.circle(row)), target)
}

#[cold]
#[inline(never)]
fn wall(scene: &Scene<'_>, p: [f32; 2], row: u32, target: Target) -> Nearest {
    of(geometry::nearest_on_capsule(p, scene.segment(row)), target)
}

fn of(found: Option<NearestPoint>, target: Target) -> Nearest {
    let NearestPoint { point, distance, feature } = found.unwrap_or_default();
    Nearest { point, distance, feature, target }
}
