//! Segment against circles, eight at a time.

use super::{Lanes, below, gather, load};
use crate::geometry::{self, Capsules, Circle, Circles, Feature, Segment, Vec2};
use crate::kernels::contact::CircleSegmentContact;
use crate::kernels::{LANES, LEAST_SQUARE, MOST_SQUARE, Names, Pairs, SUM_BOUND, SURE, TINY, Wall};

/// Candidates of one segment among a few circles, as bits.
#[inline(always)]
pub(crate) fn mask<L: Lanes>(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
    let (dx, dy) = (L::splat(wall.dx), L::splat(wall.dy));
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let j = start as usize;
    let (wx, wy) = (load::<L>(circles.x, j) - L::splat(wall.x), load::<L>(circles.y, j) - L::splat(wall.y));
    let t = (wx * dx + wy * dy) * L::splat(wall.inverse);
    // In this order what is not a number becomes 0, and never hides a pair.
    let t = t.gt(zero).select(t, zero);
    let t = t.lt(one).select(t, one);
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let most = load::<L>(circles.radius, j) + L::splat(reach);
    (qx * qx + qy * qy).le(most * most).mask() & below(count)
}

/// Contacts of candidate pairs.
#[inline(always)]
pub(crate) fn contacts<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: Names<'_>,
    pairs: &Pairs,
    out: &mut [CircleSegmentContact],
) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (first, second) in first.chunks(LANES).zip(second.chunks(LANES)) {
        let (mut a, mut b) = ([0; LANES], [0; LANES]);
        a[..first.len()].copy_from_slice(first);
        b[..first.len()].copy_from_slice(second);
        count += eight::<L>(circles, segments, names, &a, &b, first.len(), &mut out[count..]);
    }
    count
}

#[inline(always)]
fn eight<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: Names<'_>,
    a: &[u32; LANES],
    b: &[u32; LANES],
    lanes: usize,
    out: &mut [CircleSegmentContact],
) -> usize {
    let (px, py, r) = (gather::<L>(circles.x, a), gather::<L>(circles.y, a), gather::<L>(circles.radius, a));
    let (ax, ay, bx) = (gather::<L>(segments.x0, b), gather::<L>(segments.y0, b), gather::<L>(segments.x1, b));
    let (by, radius) = (gather::<L>(segments.y1, b), gather::<L>(segments.radius, b));
    let (zero, bound, tiny) = (L::splat(0.0), L::splat(SUM_BOUND), L::splat(TINY));
    let (dx, dy) = (bx - ax, by - ay);
    let (wx, wy) = (px - ax, py - ay);
    let (vx, vy) = (px - bx, py - by);
    let (f0, f1) = (wx * dx + wy * dy, vx * dx + vy * dy);
    let e0 = ((wx * dx).abs() + (wy * dy).abs()) * bound + tiny;
    let e1 = ((vx * dx).abs() + (vy * dy).abs()) * bound + tiny;
    let start = f0.lt(zero - e0);
    let end = f1.gt(e1);
    let inside = f0.gt(e0) & f1.lt(zero - e1);
    let total = r + radius;
    let least = total * L::splat(SURE) + tiny;

    let (ex, ey) = (start.select(wx, vx), start.select(wy, vy));
    let s = ex * ex + ey * ey;
    let q = total * total;
    let to_end = s.sqrt();
    let end_sure = s.le(q - (q * L::splat(SURE) + tiny)) & s.ge(tiny);
    let (end_nx, end_ny) = ((zero - ex) / to_end, (zero - ey) / to_end);
    let end_x = start.select(ax, bx) - end_nx * radius;
    let end_y = start.select(ay, by) - end_ny * radius;

    let c = dx * wy - dy * wx;
    let sum = (dx * wy).abs() + (dy * wx).abs();
    let square = dx * dx + dy * dy;
    let length = square.sqrt();
    let to_line = c.abs() / length;
    let line_sure = c.abs().gt(sum * bound + tiny)
        & square.ge(L::splat(LEAST_SQUARE))
        & square.le(L::splat(MOST_SQUARE))
        & sum.le(L::splat(MOST_SQUARE))
        & (to_line + sum / length * bound).le(total - least);
    let (nx, ny) = (dy / length, (zero - dx) / length);
    let left = c.gt(zero);
    let (nx, ny) = (left.select(nx, zero - nx), left.select(ny, zero - ny));
    let h = to_line - radius;

    let x = inside.select(px + nx * h, end_x).store();
    let y = inside.select(py + ny * h, end_y).store();
    let (nx, ny) = (inside.select(nx, end_nx).store(), inside.select(ny, end_ny).store());
    let separation = (inside.select(to_line, to_end) - total).store();
    let (inside_mask, start_mask) = (inside.mask(), start.mask());
    let sure = ((inside & line_sure) | ((start | end) & end_sure)).mask();
    let record = |k: usize| CircleSegmentContact {
        a: names.of(a[k]),
        b: b[k],
        point: Vec2 { x: x[k], y: y[k] },
        normal: Vec2 { x: nx[k], y: ny[k] },
        separation: separation[k],
        feature: if inside_mask >> k & 1 == 1 {
            Feature::Interior
        } else if start_mask >> k & 1 == 1 {
            Feature::Start
        } else {
            Feature::End
        },
    };
    if sure & below(lanes as u32) == below(lanes as u32) {
        for (k, out) in out[..lanes].iter_mut().enumerate() {
            *out = record(k);
        }
        return lanes;
    }
    let mut count = 0;
    for k in 0..lanes {
        let contact = if sure >> k & 1 == 1 { Some(record(k)) } else { exact(circles, segments, names, a[k], b[k]) };
        if let Some(contact) = contact {
            out[count] = contact;
            count += 1;
        }
    }
    count
}

/// A doubtful pair, by the function that is right for all.
#[cold]
#[inline(never)]
fn exact(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: Names<'_>,
    row: u32,
    wall: u32,
) -> Option<CircleSegmentContact> {
    let (i, k) = (row as usize, wall as usize);
    let circle = Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] };
    let segment = Segment {
        start: Vec2 { x: segments.x0[k], y: segments.y0[k] },
        end: Vec2 { x: segments.x1[k], y: segments.y1[k] },
        radius: segments.radius[k],
    };
    let c = geometry::circle_segment(circle, segment)?;
    Some(CircleSegmentContact {
        a: names.of(row),
        b: wall,
        point: c.point,
        normal: c.normal,
        separation: c.separation,
        feature: c.feature,
    })
}
