//! What the kernels would be without proofs: the forms of the textbooks, in single precision, on the same lanes.
//!
//! Only for the bench that shows what exactness costs, behind the feature `unproved`: its answers are wrong now and then.
//! A candidate is a contact, values are not looked at twice, no pair goes to exact arithmetic. Not in here: boxes, runs and the
//! lists of pairs, which are the same.

use super::bounce::{Bodies, Bounced, Mirrored, Pull, Speeds, Tangents, Tips};
use super::contact::{CircleCircleContact, CircleSegmentContact};
use super::distances::Distances;
use super::gaps::{Eight, Gaps};
use super::hits::{Hits, Rays};
use super::line::Line;
use super::ray::Beam;
use super::segment_segment::{Bounds, Boxes, Crossing, Ends, Verdict};
use super::wide::{Lanes, Wide, gather, gather_ends};
use super::{Kernels, LANES, Names, Near, Outlined, Pairs, Probe, Spread, Wall, Writer};
use crate::geometry::{Aabb, Capsules, Circles, Feature, Vec2};
use std::marker::PhantomData;
use std::ops::Range;

/// Eight pairs at a time, on these lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unproved<L>(PhantomData<L>);

impl<L: Lanes + Send + Sync + 'static> Kernels for Unproved<L> {
    type Front = <Wide<L> as Kernels>::Front;
    type Packing = <Wide<L> as Kernels>::Packing;
    type Bearing = <Wide<L> as Kernels>::Bearing;

    #[inline(always)]
    fn outline<Q: Outlined>(part: Q) -> Q::Output {
        L::outline(part)
    }

    #[inline(always)]
    fn circle_mask(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
        Wide::<L>::circle_mask(circles, probe, start, count)
    }

    #[inline(always)]
    fn circle_masks(circles: Circles<'_>, grow: f32, row: u32, start: u32, counts: [u32; 2]) -> u32 {
        Wide::<L>::circle_masks(circles, grow, row, start, counts)
    }

    #[inline(always)]
    fn circle_run(circles: Circles<'_>, probe: Probe, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        Wide::<L>::circle_run(circles, probe, row, run, out);
    }

    #[inline(always)]
    fn wall_mask(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
        Wide::<L>::wall_mask(circles, wall, reach, start, count)
    }

    #[inline(always)]
    fn ray_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        Wide::<L>::ray_mask(segments, beam, start, count)
    }

    #[inline(always)]
    fn sweep_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        Wide::<L>::sweep_mask(segments, beam, start, count)
    }

    #[inline(always)]
    fn beam_mask(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
        Wide::<L>::beam_mask(circles, beam, start, count)
    }

    #[inline(always)]
    fn near_masks(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2] {
        Wide::<L>::near_masks(segments, near, start, count)
    }

    #[inline(always)]
    fn circle_frame_masks(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        Wide::<L>::circle_frame_masks(circles, frame, start, count)
    }

    #[inline(always)]
    fn segment_frame_masks(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
        Wide::<L>::segment_frame_masks(segments, frame, start, count)
    }

    #[inline(always)]
    fn circle_distances(circles: Circles<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        Wide::<L>::circle_distances(circles, p, limit, start, count)
    }

    #[inline(always)]
    fn segment_distances(segments: Capsules<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances {
        Wide::<L>::segment_distances(segments, p, limit, start, count)
    }

    #[inline(always)]
    fn spread(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread {
        Wide::<L>::spread(column, sizes)
    }

    #[inline(always)]
    fn ranks(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
        Wide::<L>::ranks(numbers, k, ranks)
    }

    #[inline(always)]
    fn less(numbers: &[u32; LANES], than: u32) -> u32 {
        Wide::<L>::less(numbers, than)
    }

    #[inline(always)]
    fn front<const N: usize>(mask: u32, eights: [[f32; LANES]; N]) -> [[f32; LANES]; N] {
        Wide::<L>::front(mask, eights)
    }

    #[inline(always)]
    fn circle_circle(circles: Circles<'_>, names: Names<'_>, pairs: &Pairs, out: &mut [CircleCircleContact]) -> usize {
        let (first, second) = pairs.rows();
        for ((first, second), out) in first.chunks(LANES).zip(second.chunks(LANES)).zip(out.chunks_mut(LANES)) {
            let (mut a, mut b) = ([0; LANES], [0; LANES]);
            for k in 0..first.len() {
                let (i, j) = (first[k], second[k]);
                (a[k], b[k]) = if names.of(i) < names.of(j) { (i, j) } else { (j, i) };
            }
            eight_circles::<L>(circles, names, &a, &b, first.len(), out);
        }
        first.len()
    }

    #[inline(always)]
    fn circle_segment(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [CircleSegmentContact],
    ) -> usize {
        let (first, second) = pairs.rows();
        for ((first, second), out) in first.chunks(LANES).zip(second.chunks(LANES)).zip(out.chunks_mut(LANES)) {
            let (mut a, mut b) = ([0; LANES], [0; LANES]);
            a[..first.len()].copy_from_slice(first);
            b[..first.len()].copy_from_slice(second);
            eight_walls::<L>(circles, segments, names, &a, &b, first.len(), out);
        }
        first.len()
    }

    #[inline(always)]
    fn circle_circle_pairs(
        circles: Circles<'_>,
        margin: f32,
        names: Names<'_>,
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        Wide::<L>::circle_circle_pairs(circles, margin, names, pairs, out)
    }

    #[inline(always)]
    fn circle_segment_pairs(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize {
        Wide::<L>::circle_segment_pairs(circles, segments, names, pairs, out)
    }

    #[inline(always)]
    fn box_mask(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32 {
        Wide::<L>::box_mask(boxes, query, start, count)
    }

    #[inline(always)]
    fn line_mask(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32 {
        Wide::<L>::line_mask(boxes, query, line, start, count)
    }

    #[inline(always)]
    fn ahead_mask(boxes: Boxes<'_>, start: u32) -> u32 {
        Wide::<L>::ahead_mask(boxes, start)
    }

    #[inline(always)]
    fn chain_verdicts(columns: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES] {
        let ends = |at: usize| columns.map(|column| L::load(column[at..at + LANES].try_into().expect("eight")));
        let hit = eight_segments(ends(0), ends(1));
        std::array::from_fn(|k| if hit >> k & 1 == 1 { Verdict::CROSS } else { Verdict::APART })
    }

    #[inline(always)]
    fn bounce(one: &mut Bodies, two: &mut Bodies, longest: f64) -> Option<Bounced> {
        Wide::<L>::bounce(one, two, longest)
    }

    #[inline(always)]
    fn push(one: &mut Bodies, two: &mut Bodies, factor: f64) -> Option<bool> {
        Wide::<L>::push(one, two, factor)
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
        Wide::<L>::mirror(bodies, contacts, tips, speeds, longest, pull)
    }

    #[inline(always)]
    fn push_back(bodies: &mut Bodies, tangents: &Tangents, factor: f64) -> Option<bool> {
        Wide::<L>::push_back(bodies, tangents, factor)
    }

    #[inline(always)]
    fn circle_gaps(circles: &Eight, b: &[[f32; 4]; LANES], word: u32) -> Gaps {
        Wide::<L>::circle_gaps(circles, b, word)
    }

    #[inline(always)]
    fn segment_gaps(circles: &Eight, segments: Capsules<'_>, b: &[u32; LANES], word: u32) -> Gaps {
        Wide::<L>::segment_gaps(circles, segments, b, word)
    }

    #[inline(always)]
    fn ray_segments(rays: &Rays, segments: &[[f32; 4]; LANES]) -> Hits {
        Wide::<L>::ray_segments(rays, segments)
    }

    #[inline(always)]
    fn ray_circles(rays: &Rays, circles: &[[f32; 4]; LANES]) -> Hits {
        Wide::<L>::ray_circles(rays, circles)
    }

    #[inline(always)]
    fn box_run(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
        Wide::<L>::box_run(boxes, query, row, run, out);
    }

    #[inline(always)]
    fn verdicts(a: &[Ends], b: &[Ends], pairs: &Pairs, out: &mut [Verdict], crossings: &mut [Crossing]) {
        let (first, second) = pairs.rows();
        let groups = first.chunks(LANES).zip(second.chunks(LANES));
        for ((first, second), (out, crossings)) in groups.zip(out.chunks_mut(LANES).zip(crossings.chunks_mut(LANES))) {
            let (mut i, mut j) = ([first[0]; LANES], [second[0]; LANES]);
            i[..first.len()].copy_from_slice(first);
            j[..second.len()].copy_from_slice(second);
            let (a, b) = (gather_ends::<L>(a, &i), gather_ends::<L>(b, &j));
            let hit = eight_segments(a, b);
            for (k, out) in out.iter_mut().enumerate() {
                *out = if hit >> k & 1 == 1 { Verdict::CROSS } else { Verdict::APART };
            }
            if hit != 0 {
                eight_crossings(a, b, crossings);
            }
        }
    }
}

/// The line of centres.
#[inline(always)]
fn eight_circles<L: Lanes>(
    circles: Circles<'_>,
    names: Names<'_>,
    a: &[u32; LANES],
    b: &[u32; LANES],
    lanes: usize,
    out: &mut [CircleCircleContact],
) {
    let (ax, ay, ar) = (gather::<L>(circles.x, a), gather::<L>(circles.y, a), gather::<L>(circles.radius, a));
    let (bx, by, br) = (gather::<L>(circles.x, b), gather::<L>(circles.y, b), gather::<L>(circles.radius, b));
    let (dx, dy) = (bx - ax, by - ay);
    let distance = (dx * dx + dy * dy).sqrt();
    let (nx, ny) = (dx / distance, dy / distance);
    let separation = distance - (ar + br);
    let h = ar + separation * L::splat(0.5);
    let (x, y) = ((ax + nx * h).store(), (ay + ny * h).store());
    let (nx, ny, separation) = (nx.store(), ny.store(), separation.store());
    for (k, out) in out[..lanes].iter_mut().enumerate() {
        *out = CircleCircleContact {
            a: names.of(a[k]),
            b: names.of(b[k]),
            point: Vec2 { x: x[k], y: y[k] },
            normal: Vec2 { x: nx[k], y: ny[k] },
            separation: separation[k],
        };
    }
}

/// The foot of the perpendicular, its parameter cut to 0..=1.
#[inline(always)]
fn eight_walls<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    a: &[u32; LANES],
    b: &[u32; LANES],
    lanes: usize,
    out: &mut [CircleSegmentContact],
) {
    let (px, py, r) = (gather::<L>(circles.x, a), gather::<L>(circles.y, a), gather::<L>(circles.radius, a));
    let (ax, ay, bx) = (gather::<L>(segments.x0, b), gather::<L>(segments.y0, b), gather::<L>(segments.x1, b));
    let (by, radius) = (gather::<L>(segments.y1, b), gather::<L>(segments.radius, b));
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (dx, dy) = (bx - ax, by - ay);
    let (wx, wy) = (px - ax, py - ay);
    let t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    let (inside, beyond) = (t.gt(zero), t.ge(one));
    let t = beyond.select(one, inside.select(t, zero));
    let (ex, ey) = (t * dx - wx, t * dy - wy);
    let distance = (ex * ex + ey * ey).sqrt();
    let (nx, ny) = (ex / distance, ey / distance);
    let h = distance - radius;
    let (x, y) = ((px + nx * h).store(), (py + ny * h).store());
    let separation = (distance - (r + radius)).store();
    let (nx, ny, inside, beyond) = (nx.store(), ny.store(), inside.mask(), beyond.mask());
    for (k, out) in out[..lanes].iter_mut().enumerate() {
        *out = CircleSegmentContact {
            a: names[0].of(a[k]),
            b: names[1].of(b[k]),
            point: Vec2 { x: x[k], y: y[k] },
            normal: Vec2 { x: nx[k], y: ny[k] },
            separation: separation[k],
            feature: if inside >> k & 1 == 0 {
                Feature::Start
            } else if beyond >> k & 1 == 1 {
                Feature::End
            } else {
                Feature::Interior
            },
        };
    }
}

/// The lanes where the ends of either are not on one side of the other.
#[inline(always)]
fn eight_segments<L: Lanes>([x0, y0, x1, y1]: [L; 4], [u0, v0, u1, v1]: [L; 4]) -> u32 {
    let zero = L::splat(0.0);
    let (ax, ay, bx, by) = (x1 - x0, y1 - y0, u1 - u0, v1 - v0);
    let side_of_a = |px: L, py: L| ax * (py - y0) - ay * (px - x0);
    let side_of_b = |px: L, py: L| bx * (py - v0) - by * (px - u0);
    let across = (side_of_a(u0, v0) * side_of_a(u1, v1)).le(zero);
    (across & (side_of_b(x0, y0) * side_of_b(x1, y1)).le(zero)).mask()
}

/// The values of eight crossings.
#[inline(always)]
fn eight_crossings<L: Lanes>([x0, y0, x1, y1]: [L; 4], [u0, v0, u1, v1]: [L; 4], out: &mut [Crossing]) {
    let (rx, ry, sx, sy, wx, wy) = (x1 - x0, y1 - y0, u1 - u0, v1 - v0, u0 - x0, v0 - y0);
    let inverse = L::splat(1.0) / (rx * sy - ry * sx);
    let (t, u) = ((wx * sy - wy * sx) * inverse, (wx * ry - wy * rx) * inverse);
    let (x, y) = ((x0 + t * rx).store(), (y0 + t * ry).store());
    let (t, u) = (t.store(), u.store());
    for (k, out) in out.iter_mut().enumerate() {
        *out = Crossing { x: x[k], y: y[k], t: t[k], u: u[k], sure: true };
    }
}
