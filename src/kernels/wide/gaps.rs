//! How far outlines are from a circle, eight at a time in double precision.

use super::{Doubles, Lanes, gather};
use crate::geometry::{Capsules, Circles, Feature};
use crate::kernels::gaps::Gaps;
use crate::kernels::{DOT_BOUND, LANES};

/// 2^-53.
const E: f64 = f64::EPSILON / 2.0;

/// Values and what they may be off by: the point, the separation.
struct Four<D> {
    x: [D; 2],
    y: [D; 2],
    separation: [D; 2],
}

/// The `f32` nearest to the values, and where that is sure.
#[inline(always)]
pub(super) fn settle<L: Lanes>(low: [L::Doubles; 2], high: [L::Doubles; 2]) -> (L, L) {
    let under = L::narrow(low[0] - low[1], high[0] - high[1]);
    let over = L::narrow(low[0] + low[1], high[0] + high[1]);
    // The sum turns -0 into 0.
    (under + L::splat(0.0), under.eq(over) & under.abs().le(L::splat(f32::MAX)))
}

/// What is not computed of a record: the feature, a word, names.
#[derive(Clone, Copy)]
struct Given<L> {
    feature: L,
    word: u32,
    called: L,
}

#[inline(always)]
fn finish<L: Lanes>(low: &Four<L::Doubles>, high: &Four<L::Doubles>, given: Given<L>) -> Gaps {
    let ((x, sure_x), (y, sure_y)) = (settle::<L>(low.x, high.x), settle::<L>(low.y, high.y));
    let (separation, sure) = settle::<L>(low.separation, high.separation);
    let (word, zero) = (L::splat(f32::from_bits(given.word)), L::splat(0.0));
    let rows = L::transpose([x, y, separation, given.feature, word, given.called, zero, zero]);
    let mut records = [[0.0; 8]; LANES];
    for (record, row) in records.iter_mut().zip(rows) {
        *record = row.store();
    }
    Gaps { records, sure: (sure & sure_x & sure_y).mask() }
}

/// The bits of a feature.
#[inline(always)]
fn bits<L: Lanes>(feature: Feature) -> L {
    L::splat(bytemuck::cast(feature))
}

/// Eight pairs of circles.
#[inline(always)]
pub(crate) fn circles<L: Lanes>(a: [&[f32; 4]; LANES], b: [&[f32; 4]; LANES], word: u32) -> Gaps {
    let ([ax, ay, ar, _], [bx, by, br, called]) = (L::columns_of(a), L::columns_of(b));
    let ((ax, ax2), (ay, ay2), (ar, ar2)) = (ax.widen(), ay.widen(), ar.widen());
    let ((bx, bx2), (by, by2), (br, br2)) = (bx.widen(), by.widen(), br.widen());
    let low = four_circles([ax, ay, ar], [bx, by, br]);
    let high = four_circles([ax2, ay2, ar2], [bx2, by2, br2]);
    finish(&low, &high, Given { feature: bits(Feature::Interior), word, called })
}

#[inline(always)]
fn four_circles<D: Doubles>([ax, ay, ar]: [D; 3], [bx, by, br]: [D; 3]) -> Four<D> {
    let (dx, dy, radii) = (bx - ax, by - ay, ar + br);
    let length = (dx * dx + dy * dy).sqrt();
    let inverse = D::splat(1.0) / length;
    let (vx, vy) = (dx * inverse * br, dy * inverse * br);
    let bound = D::splat(10.0 * E);
    Four {
        x: [bx - vx, (bx.abs() + vx.abs()) * bound],
        y: [by - vy, (by.abs() + vy.abs()) * bound],
        separation: [length - radii, (length + radii) * D::splat(5.5 * E)],
    }
}

/// Eight circles and segments, by their rows.
#[inline(always)]
pub(crate) fn segments<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    a: &[u32; LANES],
    b: &[u32; LANES],
    word: u32,
) -> Gaps {
    let (Circles { x, y, radius }, segments) = (circles.even(), segments.even());
    let (px, px2) = gather::<L>(x, a).widen();
    let (py, py2) = gather::<L>(y, a).widen();
    let (r, r2) = gather::<L>(radius, a).widen();
    let (ax, ax2) = gather::<L>(segments.x0, b).widen();
    let (ay, ay2) = gather::<L>(segments.y0, b).widen();
    let (bx, bx2) = gather::<L>(segments.x1, b).widen();
    let (by, by2) = gather::<L>(segments.y1, b).widen();
    let (s, s2) = gather::<L>(segments.radius, b).widen();
    let (low, low_masks) = four_segments([px, py, r], [ax, ay, bx, by, s]);
    let (high, high_masks) = four_segments([px2, py2, r2], [ax2, ay2, bx2, by2, s2]);
    let ([inside, start, sure], [inside2, start2, sure2]) = (low_masks, high_masks);
    let (inside, start) = (L::join(inside, inside2), L::join(start, start2));
    let feature = inside.select(bits(Feature::Interior), start.select(bits(Feature::Start), bits(Feature::End)));
    let gaps = finish(&low, &high, Given { feature, word, called: L::load(bytemuck::cast_ref(b)) });
    Gaps { sure: gaps.sure & L::join(sure, sure2).mask(), ..gaps }
}

/// With the masks of the interior, of the start, and of where either and the side are sure.
#[inline(always)]
fn four_segments<D: Doubles>([px, py, r]: [D; 3], [ax, ay, bx, by, radius]: [D; 5]) -> (Four<D>, [D; 3]) {
    let (zero, bound) = (D::splat(0.0), D::splat(DOT_BOUND));
    let (dx, dy) = (bx - ax, by - ay);
    let (wx, wy) = (px - ax, py - ay);
    let (vx, vy) = (px - bx, py - by);
    let (f0, f1) = (wx * dx + wy * dy, vx * dx + vy * dy);
    let e0 = ((wx * dx).abs() + (wy * dy).abs()) * bound;
    let e1 = ((vx * dx).abs() + (vy * dy).abs()) * bound;
    let (start, end, inside) = (f0.le(zero - e0), f1.ge(e1), f0.gt(e0) & f1.lt(zero - e1));

    // From the centre straight to the line, or to the end.
    let (left_side, right_side) = (dx * wy, dy * wx);
    let c = left_side - right_side;
    let sum = left_side.abs() + right_side.abs();
    let left = c.gt(zero);
    let (qx, qy) = (start.select(ax, bx), start.select(ay, by));
    let gx = inside.select(left.select(dy, zero - dy), qx - px);
    let gy = inside.select(left.select(zero - dx, dx), qy - py);
    let root = (gx * gx + gy * gy).sqrt();
    let inverse = D::splat(1.0) / root;
    let distance = inside.select(c.abs() * inverse, root);
    let doubt = inside.select(sum * inverse, zero);
    let sure = (inside | start | end) & inside.select(c.abs() - sum * bound, root).gt(zero);

    let (nx, ny) = (gx * inverse, gy * inverse);
    let h = inside.select(distance, zero) - radius;
    let (fx, fy) = (inside.select(px, qx), inside.select(py, qy));
    let far = doubt + inside.select(distance, zero) + radius;
    let (total, most) = (r + radius, D::splat(24.0 * E));
    let four = Four {
        x: [fx + nx * h, (fx.abs() + far) * most],
        y: [fy + ny * h, (fy.abs() + far) * most],
        separation: [distance - total, (doubt + distance + total) * D::splat(16.0 * E)],
    };
    (four, [inside, start, sure])
}
