//! What is written of neighbours.
//!
//! Comes in: eight pairs of near circles, or of rows of a circle and a segment, and places. Goes out: records, put there. This
//! room does not know who is near whom, nor where lists are.

use super::near::{Eight, Named};
use super::neighbors::Neighbor;
use super::{Scene, Target, TargetKind};
use crate::geometry::{self, Circle, Feature, Gap, Segment, Vec2};
use crate::kernels::{Kernels, LANES};

/// What is written of a neighbour.
pub(super) trait Record: Copy + Default + Send + Sync {
    /// Of one that is known.
    fn of(neighbor: Neighbor) -> Self;
    /// What has to be known of the circle that is told.
    type Own: Copy;
    /// What has to be known of the circle it is told of.
    type Other: Copy;
    fn own(circle: &Named) -> Self::Own;
    /// What is kept of a circle until its record is written, of its row and what it is called.
    fn kept(row: u32, name: u32) -> u32;
    /// The circle of which this was kept.
    fn other(circles: &[Named], kept: u32) -> Self::Other;
    /// Of the first `count` of eight pairs of circles, what the first one is told of the second.
    fn circles<K: Kernels>(eight: Eight<'_, Self::Own, Self::Other>, count: usize, items: &mut [Self]);
    /// Of the first `count` of eight circles and segments, what the circle is told.
    fn segments<K: Kernels>(scene: &Scene<'_>, eight: Eight<'_, u32, u32>, count: usize, items: &mut [Self]);
}

impl Record for Target {
    fn of(neighbor: Neighbor) -> Target {
        neighbor.target
    }

    type Own = ();
    type Other = u32;

    #[inline(always)]
    fn own(_: &Named) {}

    #[inline(always)]
    fn kept(_: u32, name: u32) -> u32 {
        name
    }

    #[inline(always)]
    fn other(_: &[Named], kept: u32) -> u32 {
        kept
    }

    #[inline(always)]
    fn circles<K: Kernels>(Eight { b, to, .. }: Eight<'_, (), u32>, count: usize, items: &mut [Target]) {
        for (&b, &to) in b.iter().zip(to).take(count) {
            items[to] = Target::circle(b);
        }
    }

    #[inline(always)]
    fn segments<K: Kernels>(_: &Scene<'_>, eight: Eight<'_, u32, u32>, count: usize, items: &mut [Target]) {
        let Eight { b, to, .. } = eight;
        for (&b, &to) in b.iter().zip(to).take(count) {
            items[to] = Target::segment(b);
        }
    }
}

impl Record for Neighbor {
    fn of(neighbor: Neighbor) -> Neighbor {
        neighbor
    }

    type Own = Named;
    type Other = Named;

    #[inline(always)]
    fn own(circle: &Named) -> Named {
        *circle
    }

    #[inline(always)]
    fn kept(row: u32, _: u32) -> u32 {
        row
    }

    #[inline(always)]
    fn other(circles: &[Named], kept: u32) -> Named {
        circles[kept as usize]
    }

    #[inline(always)]
    fn circles<K: Kernels>(Eight { a, b, to }: Eight<'_, Named, Named>, count: usize, items: &mut [Neighbor]) {
        let gaps = K::circle_gaps(a, b);
        let (circle, interior): (u32, u32) = (bytemuck::cast(TargetKind::Circle), bytemuck::cast(Feature::Interior));
        // A record is three words: written as such, it takes half as many steps.
        let mut words: [[u64; LANES]; 3] = [[0; LANES]; 3];
        for k in 0..LANES {
            words[0][k] = bytemuck::cast([gaps.x[k], gaps.y[k]]);
            words[1][k] = bytemuck::cast([gaps.separation[k].to_bits(), interior]);
            words[2][k] = bytemuck::cast([circle, b[k][3].to_bits()]);
        }
        if gaps.sure != u32::from(u8::MAX) {
            doubt([a, b], gaps.sure, &mut words);
        }
        for (k, &to) in to.iter().enumerate().take(count) {
            items[to] = bytemuck::cast([words[0][k], words[1][k], words[2][k]]);
        }
    }

    #[inline(always)]
    fn segments<K: Kernels>(scene: &Scene<'_>, eight: Eight<'_, u32, u32>, count: usize, items: &mut [Neighbor]) {
        let Eight { a, b, to } = eight;
        let gaps = K::segment_gaps(scene.circles(), scene.capsules, a, b);
        for (k, &to) in to.iter().enumerate().take(count) {
            let target = Target::segment(b[k]);
            if gaps.sure >> k & 1 == 0 {
                items[to] = of_segment(scene.circle(a[k]), scene.segment(b[k]), target);
                continue;
            }
            let point = Vec2 { x: gaps.x[k], y: gaps.y[k] };
            items[to] = Neighbor { point, separation: gaps.separation[k], feature: gaps.feature(k), target };
        }
    }
}

/// What is not sure, by the function that is right for all.
#[cold]
#[inline(never)]
fn doubt(pairs: [&[Named; LANES]; 2], sure: u32, words: &mut [[u64; LANES]; 3]) {
    for k in (0..LANES).filter(|k| sure >> k & 1 == 0) {
        let [a, b] = pairs.map(|eight| Circle { center: Vec2 { x: eight[k][0], y: eight[k][1] }, radius: eight[k][2] });
        let gap = geometry::circle_circle_gap(a, b).unwrap_or_default();
        let [point, between, _]: [u64; 3] = bytemuck::cast(Neighbor::new(gap, Target::NOTHING));
        (words[0][k], words[1][k]) = (point, between);
    }
}

/// By the function that is right for all.
#[cold]
#[inline(never)]
fn of_segment(own: Circle, segment: Segment, target: Target) -> Neighbor {
    Neighbor::new(geometry::circle_segment_gap(own, segment).unwrap_or_default(), target)
}

impl Neighbor {
    fn new(Gap { point, separation, feature }: Gap, target: Target) -> Neighbor {
        Neighbor { point, separation, feature, target }
    }
}
