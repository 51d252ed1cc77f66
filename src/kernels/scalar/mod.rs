//! The reference texts: one pair at a time, ordinary code.

pub(super) mod circle_circle;
pub(super) mod circle_segment;
mod distances;
mod foremost;
mod frame;
mod ranks;
mod ray;
mod segment_segment;
mod spread;

use super::bonds::OneByOne;
use super::bounce::{Bodies, Bounced, Mirrored, Pull, Speeds, Tangents, Tips};
use super::distances::Distances;
use super::gaps::{Eight, Gaps};
use super::hits::{Hits, Rays};
use super::line::Line;
use super::operation::{self, Outlined};
use super::packing::Table;
use super::{Kernels, LANES, Names, Near, Pairs, Probe, Spread, Wall, Writer};
use crate::geometry::{Aabb, Capsules, Circles};
use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::ray::Beam;
use crate::kernels::segment_segment::{Bounds, Boxes, Crossing, Ends, Verdict};
use std::ops::Range;

/// One pair at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

impl Kernels for Scalar {
    type Front = foremost::ScalarFront;
    type Packing = Table;
    type Bearing = OneByOne;

    #[inline(always)]
    fn outline<Q: Outlined>(part: Q) -> Q::Output {
        operation::outline(part)
    }

    #[inline(always)]
    fn circle_mask(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
        circle_circle::mask(circles, probe, start, count)
    }

    #[inline(always)]
    fn circle_masks(circles: Circles<'_>, grow: f32, row: u32, start: u32, [own, other]: [u32; 2]) -> u32 {
        let i = row as usize;
        let probe = Probe { x: circles.x[i], y: circles.y[i], reach: circles.radius[i] + grow };
        circle_circle::mask(circles, probe, row + 1, own) | circle_circle::mask(circles, probe, start, other) << LANES
    }

    #[inline(always)]
    fn circle_run(circles: Circles<'_>, probe: Probe, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        circle_circle::run(circles, probe, row, run, out);
    }

    #[inline(always)]
    fn wall_mask(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
        circle_segment::mask(circles, wall, reach, start, count)
    }

    #[inline(always)]
    fn ray_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::ray(segments, beam, start, count)
    }

    #[inline(always)]
    fn sweep_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::sweep(segments, beam, start, count)
    }

    #[inline(always)]
    fn beam_mask(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::circles(circles, beam, start, count)
    }

    #[inline(always)]
    fn near_masks(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2] {
        circle_segment::near(segments, near, start, count)
    }

    #[inline(always)]
    fn circle_frame_masks(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        frame::circles(circles, frame, start, count)
    }

    #[inline(always)]
    fn segment_frame_masks(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        frame::segments(segments, frame, start, count)
    }

    #[inline(always)]
    fn circle_distances(circles: Circles<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        distances::circles(circles, p, limit, start, count)
    }

    #[inline(always)]
    fn segment_distances(segments: Capsules<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        distances::segments(segments, p, limit, start, count)
    }

    #[inline(always)]
    fn spread(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread {
        spread::spread(column, sizes)
    }

    #[inline(always)]
    fn ranks(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
        ranks::ranks(numbers, k, ranks)
    }

    #[inline(always)]
    fn less(numbers: &[u32; LANES], than: u32) -> u32 {
        numbers.iter().zip(0..).fold(0, |mask, (&number, k)| mask | u32::from(number < than) << k)
    }

    #[inline(always)]
    fn front<const N: usize>(mask: u32, eights: [[f32; LANES]; N]) -> [[f32; LANES]; N] {
        ranks::front(mask, eights)
    }

    #[inline(always)]
    fn circle_circle(circles: Circles<'_>, names: Names<'_>, pairs: &Pairs, out: &mut [CircleCircleContact]) -> usize {
        circle_circle::contacts(circles, names, pairs, out)
    }

    #[inline(always)]
    fn circle_segment(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [CircleSegmentContact],
    ) -> usize {
        circle_segment::contacts(circles, segments, names, pairs, out)
    }

    #[inline(always)]
    fn circle_circle_pairs(
        circles: Circles<'_>,
        margin: f32,
        names: Names<'_>,
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        circle_circle::pairs(circles, margin, names, pairs, out)
    }

    #[inline(always)]
    fn circle_segment_pairs(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        circle_segment::pairs(circles, segments, names, pairs, out)
    }

    #[inline(always)]
    fn box_mask(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32 {
        segment_segment::mask(boxes, query, start, count)
    }

    #[inline(always)]
    fn line_mask(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32 {
        segment_segment::line_mask(boxes, query, line, start, count)
    }

    #[inline(always)]
    fn ahead_mask(boxes: Boxes<'_>, start: u32) -> u32 {
        segment_segment::ahead(boxes, start)
    }

    #[inline(always)]
    fn chain_verdicts(columns: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES] {
        segment_segment::chain(columns)
    }

    #[inline(always)]
    fn bounce(_: &mut Bodies, _: &mut Bodies, _: f64) -> Option<Bounced> {
        None
    }

    #[inline(always)]
    fn push(_: &mut Bodies, _: &mut Bodies, _: f64) -> Option<bool> {
        None
    }

    #[inline(always)]
    fn mirror(
        _: &mut Bodies,
        _: [&[f32; 8]; LANES],
        _: Option<&Tips>,
        _: Option<&Speeds>,
        _: [f64; 2],
        _: Option<&Pull>,
    ) -> Option<Mirrored> {
        None
    }

    #[inline(always)]
    fn push_back(_: &mut Bodies, _: &Tangents, _: f64) -> Option<bool> {
        None
    }

    #[inline(always)]
    fn circle_gaps(_: &Eight, _: &[[f32; 4]; LANES], _: u32) -> Gaps {
        Gaps::default()
    }

    #[inline(always)]
    fn segment_gaps(_: &Eight, _: Capsules<'_>, _: &[u32; LANES], _: u32) -> Gaps {
        Gaps::default()
    }

    #[inline(always)]
    fn ray_segments(_: &Rays, _: &[[f32; 4]; LANES]) -> Hits {
        Hits::default()
    }

    #[inline(always)]
    fn ray_circles(_: &Rays, _: &[[f32; 4]; LANES]) -> Hits {
        Hits::default()
    }

    #[inline(always)]
    fn box_run(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        segment_segment::run(boxes, query, row, run, out);
    }

    #[inline(always)]
    fn verdicts(a: &[Ends], b: &[Ends], pairs: &Pairs, out: &mut [Verdict], crossings: &mut [Crossing]) {
        segment_segment::verdicts(a, b, pairs, out, crossings);
    }
}
