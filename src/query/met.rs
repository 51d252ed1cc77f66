//! Records of many rays that surely meet one shape each, eight at a time.
//!
//! Comes in: rays, and for each the shape that it meets first. Goes out: what each hits, where the lanes are sure of all of it, and who is
//! left over. This room does not know how the shapes were found.

use super::flight::Flight;
use super::{Hit, Target};
use crate::geometry::{Circle, Feature, Segment};
use crate::kernels::{Kernels, LANES};

/// Rays at a time.
pub(super) const MOST: usize = 32;

/// Some rays of a batch and the shapes they meet, all segments or all circles.
struct Kind {
    rays: [[f32; 4]; MOST],
    shapes: [[f32; 4]; MOST],
    targets: [(Target, u32); MOST],
    count: usize,
}

/// See the head of the module. Used again from batch to batch.
pub(super) struct Met {
    segments: Kind,
    circles: Kind,
}

impl Kind {
    const EMPTY: Kind =
        Kind { rays: [[0.0; 4]; MOST], shapes: [[0.0; 4]; MOST], targets: [(Target::NOTHING, 0); MOST], count: 0 };

    #[inline(always)]
    fn push(&mut self, flight: &Flight, shape: [f32; 4], target: Target, at: u32) {
        let (k, Flight { origin, direction, .. }) = (self.count % MOST, flight);
        self.rays[k] = [origin.x, origin.y, direction.x, direction.y];
        self.shapes[k] = shape;
        self.targets[k] = (target, at);
        self.count = k + 1;
    }

    /// Writes the records; tells by bits who is left over.
    #[inline(always)]
    fn finish<K: Kernels, const SEGMENTS: bool>(&mut self, out: &mut [Hit]) -> u32 {
        let (rays, _) = self.rays.as_chunks::<LANES>();
        let (shapes, _) = self.shapes.as_chunks::<LANES>();
        let mut left = 0;
        for ((rays, shapes), targets) in rays.iter().zip(shapes).zip(self.targets[..self.count].chunks(LANES)) {
            let found = if SEGMENTS { K::ray_segments(rays, shapes) } else { K::ray_circles(rays, shapes) };
            for (k, &(target, at)) in targets.iter().enumerate() {
                // Nothing but numbers, so any words are a record; those of the part and the target are not yet told.
                let record: Hit = bytemuck::cast(found.records[k]);
                out[at as usize] = Hit { feature: Feature::Interior, target, ..record };
                left |= (!found.sure >> k & 1) << at;
            }
        }
        self.count = 0;
        left
    }
}

impl Met {
    pub(super) const fn new() -> Met {
        Met { segments: Kind::EMPTY, circles: Kind::EMPTY }
    }

    /// A ray that meets a segment without a radius, and where its record goes.
    #[inline(always)]
    pub(super) fn segment(&mut self, flight: &Flight, segment: Segment, row: u32, at: u32) {
        let Segment { start, end, .. } = segment;
        self.segments.push(flight, [start.x, start.y, end.x, end.y], Target::segment(row), at);
    }

    /// A ray that meets a circle.
    #[inline(always)]
    pub(super) fn circle(&mut self, flight: &Flight, circle: Circle, row: u32, at: u32) {
        let Circle { center, radius } = circle;
        self.circles.push(flight, [center.x, center.y, radius, 0.0], Target::circle(row), at);
    }

    /// Writes the records of all, at most [`MOST`] since the last time; tells by bits whose are still to be made.
    #[inline(always)]
    pub(super) fn finish<K: Kernels>(&mut self, out: &mut [Hit]) -> u32 {
        self.segments.finish::<K, true>(out) | self.circles.finish::<K, false>(out)
    }
}
