//! Where rays meet what they meet, eight at a time in double precision. See [`crate::kernels::hits`].

use super::gaps::Rounded;
use super::{Doubles, Lanes};
use crate::exact::U as E;
use crate::kernels::LANES;
use crate::kernels::hits::{Hits, Rays};
use crate::kernels::segment_segment::ROOM;

const K: f64 = 8.0 * E;
/// 2^20.
const CLEAR: f64 = (1u64 << 20) as f64;

/// Fraction, point, normal: values and what they may be off by.
type Five<D> = [[D; 2]; 5];

/// A difference or a sum of two products, and what it may be off by.
#[inline(always)]
fn cross<D: Doubles>(p: [D; 2], q: [D; 2]) -> [D; 2] {
    let (l, r) = (p[0] * q[1], p[1] * q[0]);
    [l - r, (l.abs() + r.abs()) * D::splat(K)]
}

#[inline(always)]
fn dot<D: Doubles>(p: [D; 2], q: [D; 2]) -> [D; 2] {
    let (l, r) = (p[0] * q[0], p[1] * q[1]);
    [l + r, (l.abs() + r.abs()) * D::splat(K)]
}

#[inline(always)]
fn minus<D: Doubles>(p: [D; 2], q: [D; 2]) -> [D; 2] {
    [p[0] - q[0], p[1] - q[1]]
}

/// Rays and segments, four at a time, and where all is sure but for the roundings.
#[inline(always)]
fn few_segments<D: Doubles>([ox, oy, vx, vy]: [D; 4], [ax, ay, bx, by]: [D; 4]) -> (Five<D>, u32) {
    let (zero, one) = (D::splat(0.0), D::splat(1.0));
    let (o, v, a, b) = ([ox, oy], [vx, vy], [ax, ay], [bx, by]);
    let (from_a, from_b, e) = (minus(a, o), minus(b, o), minus(b, a));
    let ([at_a, off_a], [at_b, off_b]) = (cross(v, from_a), cross(v, from_b));
    let across = (at_a.gt(off_a) & at_b.lt(zero - off_b)) | (at_a.lt(zero - off_a) & at_b.gt(off_b));
    let ([n, off_n], [d, off_d]) = (cross(from_a, e), cross(v, e));
    let size = d.abs();
    let t = n / d;
    let off = (off_n + t.abs() * off_d) * D::splat(2.0 * ROOM) / size + t.abs() * D::splat(4.0 * E);
    let sure = across & off_d.le(size * D::splat(0.25)) & (t - off).gt(zero);
    let length = (e[0] * e[0] + e[1] * e[1]).sqrt();
    let side = n.gt(zero).select(one, zero - one);
    let (nx, ny) = (zero - side * (e[1] / length), side * (e[0] / length));
    let (x, y) = (on_segment(ox, vx, ax, e[0], [t, off]), on_segment(oy, vy, ay, e[1], [t, off]));
    let bound = D::splat(K);
    ([[t, off], x, y, [nx, nx.abs() * bound], [ny, ny.abs() * bound]], sure.mask())
}

/// A coordinate of the point at time t.
#[inline(always)]
fn on_segment<D: Doubles>(o: D, v: D, a: D, e: D, [t, off]: [D; 2]) -> [D; 2] {
    let (zero, way) = (D::splat(0.0), t * v);
    let moved = off * v.abs() + (o.abs() + way.abs()) * D::splat(4.0 * E);
    let (stands, still) = (e.abs().le(zero), way.abs().le(zero));
    [stands.select(a, o + way), (stands | still).select(zero, moved)]
}

/// Rays and circles.
#[inline(always)]
fn few_circles<D: Doubles>([ox, oy, vx, vy]: [D; 4], [cx, cy, r, _]: [D; 4]) -> (Five<D>, u32) {
    let zero = D::splat(0.0);
    let (v, w) = ([vx, vy], [ox - cx, oy - cy]);
    let (far, reach2, l) = (w[0] * w[0] + w[1] * w[1], r * r, v[0] * v[0] + v[1] * v[1]);
    let outside = (far - reach2).gt((far + reach2) * D::splat(K));
    let ([b, off_b], [k, off_k]) = (dot(w, v), cross(v, w));
    let (most, k2) = (reach2 * l, k * k);
    let depth = most - k2;
    let off_depth = most * D::splat(16.0 * E) + (k.abs() * D::splat(2.01) + off_k) * off_k + k2 * D::splat(4.0 * E);
    let q = depth.sqrt();
    let t = (zero - b - q) / l;
    let off_q = off_depth / q + q * D::splat(E);
    let off = (off_b + off_q + (b.abs() + q) * D::splat(2.0 * E)) * D::splat(ROOM) / l + t.abs() * D::splat(8.0 * E);
    let sure = outside & depth.gt(off_depth * D::splat(CLEAR)) & b.lt(zero - off_b) & (t - off).gt(zero);
    let ([x, nx], [y, ny]) = (on_circle(vx, cx, r, w[0], [t, off]), on_circle(vy, cy, r, w[1], [t, off]));
    ([[t, off], x, y, nx, ny], sure.mask())
}

/// A coordinate of the point at time t, and of the normal.
#[inline(always)]
fn on_circle<D: Doubles>(v: D, c: D, r: D, w: D, [t, off]: [D; 2]) -> [[D; 2]; 2] {
    let (way, bound) = (t * v, D::splat(4.0 * E));
    let n = (w + way) / r;
    let off_n = (off * v.abs() + (w.abs() + way.abs()) * bound) * D::splat(ROOM) / r + n.abs() * bound;
    let out = r * n;
    [[c + out, r * off_n + (c.abs() + out.abs()) * bound], [n, off_n]]
}

/// Columns of eight records.
#[inline(always)]
fn columns<L: Lanes>(records: &[[f32; 4]; LANES]) -> [[f32; LANES]; 4] {
    let [a, b, c, d] = L::columns_of(records.each_ref());
    [a.store(), b.store(), c.store(), d.store()]
}

#[inline(always)]
fn widen<D: Doubles>([a, b, c, d]: &[[f32; LANES]; 4], from: usize) -> [D; 4] {
    [D::widen(a, from), D::widen(b, from), D::widen(c, from), D::widen(d, from)]
}

/// Eight rays, each against its segment, or its circle: centre, radius, and a number that does not matter.
#[inline(always)]
pub(crate) fn meet<L: Lanes, D: Doubles, const SEGMENTS: bool>(rays: &Rays, shapes: &[[f32; 4]; LANES]) -> Hits {
    let (rays, shapes, mut rounded, mut sure) = (columns::<L>(rays), columns::<L>(shapes), [Rounded::default(); 5], 0);
    for from in (0..LANES).step_by(D::COUNT) {
        let (rays, shapes) = (widen::<D>(&rays, from), widen::<D>(&shapes, from));
        let (few, known) = if SEGMENTS { few_segments(rays, shapes) } else { few_circles(rays, shapes) };
        Rounded::put(&mut rounded, few, from);
        sure |= known << from;
    }
    let mut columns = [L::splat(0.0); 8];
    for (column, rounded) in columns.iter_mut().zip(&rounded) {
        let (value, known) = rounded.settle::<L>();
        *column = value;
        sure &= known.mask();
    }
    Hits { records: bytemuck::cast(L::in_halves(columns)), sure }
}
