//! The kernels that take eight at a time, one group after the other.
//!
//! Comes in: columns and a shape. Goes out: a mask for each group, or how many lanes are sure. For the bench that tells what each costs.

use super::{PairList, Text};
use crate::geometry::{Capsules, Circle, Circles, Segment};
use crate::kernels::ray::Beam;
use crate::kernels::segment_segment::Boxes;
use crate::kernels::{Kernels, LANES, Near, Operation, Pairs, Probe, Wall};
use std::hint::black_box;

/// Which of the kernels that give masks, and on what: columns, with eight NaN behind the last row, against one shape. Segments are in
/// the order x0, y0, x1, y1, radius, where the last may be empty.
#[derive(Clone, Copy, Debug)]
pub enum Masks<'a> {
    /// Circles, none larger than the one against them.
    Circle(Circles<'a>, Circle),
    /// Circles, none larger than a radius, against a segment.
    Wall(Circles<'a>, Segment, f32),
    /// Circles against a circle on its way: from where and in which direction, its radius.
    Beam(Circles<'a>, [[f32; 2]; 2], f32),
    /// Segments without radii against a ray.
    Ray([&'a [f32]; 5], [[f32; 2]; 2]),
    /// Segments against a circle on its way.
    Sweep([&'a [f32]; 5], [[f32; 2]; 2], f32),
    /// Segments against a point, and how far it reaches.
    Near([&'a [f32]; 5], [f32; 2], f32),
    /// Boxes, as low x, low y, high x, high y, against a box.
    Box([&'a [f32]; 4], [f32; 4]),
}

struct AllMasks<'a>(Masks<'a>, &'a mut [u8]);

impl Operation for AllMasks<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let AllMasks(kernel, out) = self;
        macro_rules! each {
            ($mask:ident, $columns:expr, $($shape:expr),+) => {{
                let (columns, mut at) = ($columns, 0);
                for mask in out {
                    *mask = K::$mask(columns, $($shape),+, at, LANES as u32) as u8;
                    at += LANES as u32;
                }
            }};
        }
        match kernel {
            Masks::Circle(circles, Circle { center, radius }) => {
                let probe = Probe { x: center.x, y: center.y, reach: radius + Probe::grow(radius) };
                each!(circle_mask, circles.even(), probe);
            }
            Masks::Wall(circles, wall, largest) => {
                let wall = Wall::new(wall.start.into(), wall.end.into(), wall.radius);
                each!(wall_mask, circles.even(), &wall, wall.reach(largest));
            }
            Masks::Beam(circles, [from, way], radius) => {
                let beam = Beam::new(from, way, radius);
                each!(beam_mask, circles.even(), &beam);
            }
            Masks::Ray([x0, y0, x1, y1, radius], [from, way]) => {
                let beam = Beam::new(from, way, 0.0);
                each!(ray_mask, Capsules { x0, y0, x1, y1, radius }, &beam);
            }
            Masks::Sweep([x0, y0, x1, y1, radius], [from, way], size) => {
                let beam = Beam::new(from, way, size);
                each!(sweep_mask, Capsules { x0, y0, x1, y1, radius }, &beam);
            }
            Masks::Near([x0, y0, x1, y1, radius], point, reach) => {
                let near = Near::new(point, reach);
                each!(near_mask, Capsules { x0, y0, x1, y1, radius }, &near);
            }
            Masks::Box([low_x, low_y, high_x, high_y], query) => {
                each!(box_mask, Boxes { low_x, low_y, high_x, high_y }.even(), query);
            }
        }
    }
}

/// The masks of one row of eight after the other.
pub fn masks(text: Text, kernel: Masks<'_>, out: &mut [u8]) {
    text.run(AllMasks(kernel, out));
}

struct AllGaps<'a>(Circles<'a>, Option<[&'a [f32]; 5]>, &'a Pairs);

impl Operation for AllGaps<'_> {
    type Output = u32;
    #[inline(always)]
    fn run<K: Kernels>(self) -> u32 {
        let AllGaps(circles, segments, pairs) = self;
        let (a, b) = pairs.rows();
        let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
        let mut sure = 0;
        if let Some([x0, y0, x1, y1, radius]) = segments {
            let segments = Capsules { x0, y0, x1, y1, radius };
            for (a, b) in a.iter().zip(b) {
                sure += black_box(&K::segment_gaps(circles, segments, a, b)).sure.count_ones();
            }
        } else {
            for (a, b) in a.iter().zip(b) {
                sure += black_box(&K::circle_gaps(circles, a, b)).sure.count_ones();
            }
        }
        sure
    }
}

/// How far the circles of pairs are from circles, or from segments, as long as there are eight: how many lanes are sure.
pub fn gaps(text: Text, circles: Circles<'_>, segments: Option<[&[f32]; 5]>, pairs: &PairList) -> u32 {
    text.run(AllGaps(circles, segments, &pairs.0))
}
