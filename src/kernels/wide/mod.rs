//! The eight-lane texts, generic over the lanes.

mod bonds;
mod bounce;
mod circle_circle;
mod circle_segment;
mod distances;
mod foremost;
mod frame;
mod gaps;
mod hits;
mod lanes;
mod ranks;
mod ray;
mod segment_segment;
mod spread;

use super::bounce::{Bodies, Bounced, Mirrored, Pull, Speeds, Tangents, Tips};
use super::contact::{CircleCircleContact, CircleSegmentContact};
use super::distances::Distances;
use super::gaps::{Eight, Gaps};
use super::hits::{Hits, Rays};
use super::line::Line;
use super::packing::{Packing, Table};
use super::ray::Beam;
use super::segment_segment::{Bounds, Boxes, Crossing, Ends, Verdict};
use super::{Kernels, LANES, Names, Near, Outlined, Pairs, Probe, Spread, Wall, Writer, pack};
use crate::geometry::{Aabb, Capsules, Circles, Feature};
use lanes::load;
pub(crate) use lanes::{Doubles, Lanes, Quad};
#[cfg(feature = "unproved")]
pub(crate) use segment_segment::gather_ends;
use std::marker::PhantomData;
use std::ops::Range;

/// Eight pairs at a time, on these lanes, rows packed this way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<L, P = Table>(PhantomData<(L, P)>);

/// On the lanes of the crate `wide`: what the target was built for.
pub(crate) type Portable = Wide<::wide::f32x8>;

impl<L: Lanes + Send + Sync + 'static, P: Packing> Kernels for Wide<L, P> {
    type Front = foremost::WideFront<L>;
    type Packing = P;
    type Bearing = bonds::WideBearing<L::Doubles>;

    #[inline(always)]
    fn outline<Q: Outlined>(part: Q) -> Q::Output {
        L::outline(part)
    }

    #[inline(always)]
    fn circle_mask(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
        circle_circle::mask::<L>(circles, probe, start, count)
    }

    #[inline(always)]
    fn circle_masks(circles: Circles<'_>, grow: f32, row: u32, start: u32, counts: [u32; 2]) -> u32 {
        circle_circle::masks::<L>(circles, grow, row, start, counts)
    }

    #[inline(always)]
    fn circle_run(circles: Circles<'_>, probe: Probe, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        circle_circle::run::<L, P>(circles, probe, row, run, out);
    }

    #[inline(always)]
    fn wall_mask(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
        circle_segment::mask::<L>(circles, wall, reach, start, count)
    }

    #[inline(always)]
    fn ray_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::ray::<L>(segments, beam, start, count)
    }

    #[inline(always)]
    fn sweep_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::sweep::<L>(segments, beam, start, count)
    }

    #[inline(always)]
    fn beam_mask(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        ray::circles::<L>(circles, beam, start, count)
    }

    #[inline(always)]
    fn near_masks(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2] {
        circle_segment::near::<L>(segments, near, start, count)
    }

    #[inline(always)]
    fn circle_frame_masks(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        frame::circles::<L>(circles, frame, start, count)
    }

    #[inline(always)]
    fn segment_frame_masks(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        frame::segments::<L>(segments, frame, start, count)
    }

    #[inline(always)]
    fn circle_distances(circles: Circles<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        distances::circles::<L>(circles, p, limit, start, count)
    }

    #[inline(always)]
    fn segment_distances(segments: Capsules<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        distances::segments::<L>(segments, p, limit, start, count)
    }

    #[inline(always)]
    fn spread(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread {
        spread::spread::<L>(column, sizes)
    }

    #[inline(always)]
    fn ranks(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
        ranks::ranks::<L>(numbers, k, ranks)
    }

    #[inline(always)]
    fn less(numbers: &[u32; LANES], than: u32) -> u32 {
        L::load(bytemuck::cast_ref(numbers)).bits_lt(L::splat(f32::from_bits(than))).mask()
    }

    #[inline(always)]
    fn front<const N: usize>(mask: u32, eights: [[f32; LANES]; N]) -> [[f32; LANES]; N] {
        ranks::front::<L, N>(P::pack(mask, 0), eights)
    }

    #[inline(always)]
    fn circle_circle(circles: Circles<'_>, names: Names<'_>, pairs: &Pairs, out: &mut [CircleCircleContact]) -> usize {
        circle_circle::contacts::<L>(circles, names, pairs, out)
    }

    #[inline(always)]
    fn circle_segment(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [CircleSegmentContact],
    ) -> usize {
        circle_segment::contacts::<L, P::Doubles<L>>(circles, segments, names, pairs, out)
    }

    #[inline(always)]
    fn circle_circle_pairs(
        circles: Circles<'_>,
        margin: f32,
        names: Names<'_>,
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        circle_circle::pairs::<L>(circles, margin, names, pairs, out)
    }

    #[inline(always)]
    fn circle_segment_pairs(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        circle_segment::pairs::<L>(circles, segments, names, pairs, out)
    }

    #[inline(always)]
    fn box_mask(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32 {
        segment_segment::mask::<L>(boxes, query, start, count)
    }

    #[inline(always)]
    fn line_mask(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32 {
        segment_segment::line_mask::<L>(boxes, query, line, start, count)
    }

    #[inline(always)]
    fn ahead_mask(boxes: Boxes<'_>, start: u32) -> u32 {
        segment_segment::ahead::<L>(boxes, start)
    }

    #[inline(always)]
    fn chain_verdicts(columns: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES] {
        segment_segment::chain::<L>(columns)
    }

    #[inline(always)]
    fn bounce(one: &mut Bodies, two: &mut Bodies, longest: f64) -> Option<Bounced> {
        Some(bounce::bounce::<L>(one, two, longest))
    }

    #[inline(always)]
    fn push(one: &mut Bodies, two: &mut Bodies, factor: f64) -> Option<bool> {
        Some(bounce::push::<L>(one, two, factor))
    }

    #[inline(always)]
    fn mirror(
        bodies: &mut Bodies,
        contacts: [&[f32; 8]; LANES],
        tips: Option<&Tips>,
        speeds: Option<&Speeds>,
        longest: [f64; 2],
        pull: Option<&Pull>,
    ) -> Option<Mirrored> {
        Some(bounce::mirror::<L>(bodies, contacts, (tips, speeds), longest, pull))
    }

    #[inline(always)]
    fn push_back(bodies: &mut Bodies, tangents: &Tangents, factor: f64) -> Option<bool> {
        Some(bounce::push_back::<L>(bodies, tangents, factor))
    }

    #[inline(always)]
    fn circle_gaps(circles: &Eight, b: &[[f32; 4]; LANES], word: u32) -> Gaps {
        gaps::circles::<L, P::Doubles<L>>(circles, b, word)
    }

    #[inline(always)]
    fn segment_gaps(circles: &Eight, segments: Capsules<'_>, b: &[u32; LANES], word: u32) -> Gaps {
        gaps::segments::<L, P::Doubles<L>>(circles, segments, b, word)
    }

    #[inline(always)]
    fn ray_segments(rays: &Rays, segments: &[[f32; 4]; LANES]) -> Hits {
        hits::meet::<L, P::Doubles<L>, true>(rays, segments)
    }

    #[inline(always)]
    fn ray_circles(rays: &Rays, circles: &[[f32; 4]; LANES]) -> Hits {
        hits::meet::<L, P::Doubles<L>, false>(rays, circles)
    }

    #[inline(always)]
    fn box_run(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        segment_segment::run::<L>(boxes, query, row, run, out);
    }

    #[inline(always)]
    fn verdicts(a: &[Ends], b: &[Ends], pairs: &Pairs, out: &mut [Verdict], crossings: &mut [Crossing]) {
        segment_segment::verdicts::<L, P::Doubles<L>>(a, b, pairs, out, crossings);
    }
}

/// The lanes below `count`, all of them from eight on. A run may be longer than any mask is wide: cut, then shift.
#[inline(always)]
fn below(count: u32) -> u32 {
    let count = if count < LANES as u32 { count } else { LANES as u32 };
    (1 << count) - 1
}

/// Up to eight values of a column, by row; row 0's for the lanes that are left over.
#[inline(always)]
pub(crate) fn gather<L: Lanes>(column: &[f32], rows: &[u32; LANES]) -> L {
    let mut values = [0.0; LANES];
    for (value, &row) in values.iter_mut().zip(rows) {
        *value = column[row as usize];
    }
    L::load(&values)
}

/// Cut to one length, so that a row takes one check.
#[inline(always)]
fn even<'a>(circles: Circles<'a>, names: Names<'a>) -> (Circles<'a>, Names<'a>) {
    let Circles { x, y, radius } = circles;
    let n = match names {
        Names::Order(order) if order.len() < x.len() => order.len(),
        _ => x.len(),
    };
    let names = match names {
        Names::Rows => Names::Rows,
        Names::Order(order) => Names::Order(&order[..n]),
    };
    (Circles { x: &x[..n], y: &y[..n], radius: &radius[..n] }, names)
}

/// Centres and radii of eight rows. The columns are of one length.
#[inline(always)]
fn discs<L: Lanes>(circles: Circles<'_>, rows: &[u32; LANES]) -> [L; 3] {
    // A copy: read once, each row is checked once.
    let rows = *rows;
    [gather::<L>(circles.x, &rows), gather::<L>(circles.y, &rows), gather::<L>(circles.radius, &rows)]
}

/// Ends and radii of eight rows. The columns are of one length.
#[inline(always)]
fn walls<L: Lanes>(segments: Capsules<'_>, rows: &[u32; LANES]) -> [L; 5] {
    // A copy: read once, each row is checked once.
    let rows = *rows;
    let (x0, y0) = (gather::<L>(segments.x0, &rows), gather::<L>(segments.y0, &rows));
    let (x1, y1) = (gather::<L>(segments.x1, &rows), gather::<L>(segments.y1, &rows));
    [x0, y0, x1, y1, gather::<L>(segments.radius, &rows)]
}

/// Features as numbers, of which doubles can be rounded to lanes: 0 in the interior, 1 at the start, 2 at the end.
#[inline(always)]
fn number_of<D: Doubles>(inside: D, start: D) -> D {
    inside.select(D::splat(0.0), start.select(D::splat(1.0), D::splat(2.0)))
}

/// The bits of features that are given as numbers.
#[inline(always)]
fn feature_of<L: Lanes>(number: L) -> L {
    let interior = L::splat(bytemuck::cast(Feature::Interior));
    let (start, end) = (L::splat(bytemuck::cast(Feature::Start)), L::splat(bytemuck::cast(Feature::End)));
    number.lt(L::splat(1.0)).select(interior, number.lt(L::splat(2.0)).select(start, end))
}

/// What eight rows are called, as the bits of lanes.
#[inline(always)]
fn called<L: Lanes>(names: Names<'_>, rows: &[u32; LANES]) -> L {
    match names {
        Names::Rows => L::load(bytemuck::cast_ref(rows)),
        Names::Order(order) => gather::<L>(bytemuck::cast_slice(order), rows),
    }
}

/// Of two, in the lanes of a comparison the second first.
#[inline(always)]
fn in_order<L: Lanes>(swap: L, i: L, j: L) -> (L, L) {
    (swap.select(j, i), swap.select(i, j))
}
