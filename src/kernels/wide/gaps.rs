//! How far outlines are from a circle, eight at a time in double precision.

use super::{Doubles, Lanes, feature_of, number_of, walls};
use crate::exact::U as E;
use crate::geometry::{Capsules, Feature};
use crate::kernels::gaps::{Eight, Gaps};
use crate::kernels::{DOT_BOUND, LANES};

/// Values and what they may be off by: the point, the separation.
type Few<D> = [[D; 2]; 3];

/// The `f32` nearest to values, less and more what they may be off by.
#[derive(Clone, Copy, Default)]
pub(super) struct Rounded {
    least: [f32; LANES],
    most: [f32; LANES],
}

impl Rounded {
    /// Of some lanes, from this one on.
    #[inline(always)]
    pub(super) fn put<D: Doubles, const N: usize>(rounded: &mut [Rounded; N], values: [[D; 2]; N], from: usize) {
        for (rounded, [value, off]) in rounded.iter_mut().zip(values) {
            (value - off).narrow(&mut rounded.least, from);
            (value + off).narrow(&mut rounded.most, from);
        }
    }

    /// The `f32` nearest to the values, and where that is sure.
    #[inline(always)]
    pub(super) fn settle<L: Lanes>(&self) -> (L, L) {
        let (least, most) = (L::load(&self.least), L::load(&self.most));
        // The sum turns -0 into 0.
        (least + L::splat(0.0), least.eq(most) & least.abs().le(L::splat(f32::MAX)))
    }
}

/// What is not computed of a record: the feature, a word, names.
#[derive(Clone, Copy)]
struct Given<L> {
    feature: L,
    word: u32,
    called: L,
}

#[inline(always)]
fn finish<L: Lanes>([x, y, separation]: &[Rounded; 3], given: Given<L>) -> Gaps {
    let ((x, sure_x), (y, sure_y), (separation, sure)) = (x.settle::<L>(), y.settle::<L>(), separation.settle::<L>());
    let (word, zero) = (L::splat(f32::from_bits(given.word)), L::splat(0.0));
    let records = L::in_halves([x, y, separation, given.feature, word, given.called, zero, zero]);
    Gaps { records: bytemuck::cast(records), sure: (sure & sure_x & sure_y).mask() }
}

/// Eight pairs of circles.
#[inline(always)]
pub(crate) fn circles<L: Lanes, D: Doubles>([ax, ay, ar]: &Eight, b: &[[f32; 4]; LANES], word: u32) -> Gaps {
    let [bx, by, br, called] = L::columns_of(b.each_ref());
    let [bx, by, br] = [bx.store(), by.store(), br.store()];
    let mut rounded = [Rounded::default(); 3];
    for from in (0..LANES).step_by(D::COUNT) {
        let a = [D::widen(ax, from), D::widen(ay, from), D::widen(ar, from)];
        let few = few_circles(a, [D::widen(&bx, from), D::widen(&by, from), D::widen(&br, from)]);
        Rounded::put(&mut rounded, few, from);
    }
    finish(&rounded, Given { feature: L::splat(bytemuck::cast(Feature::Interior)), word, called })
}

#[inline(always)]
fn few_circles<D: Doubles>([ax, ay, ar]: [D; 3], [bx, by, br]: [D; 3]) -> Few<D> {
    let (dx, dy, radii) = (bx - ax, by - ay, ar + br);
    let length = (dx * dx + dy * dy).sqrt();
    let inverse = D::splat(1.0) / length;
    let (vx, vy) = (dx * inverse * br, dy * inverse * br);
    let bound = D::splat(10.0 * E);
    [
        [bx - vx, (bx.abs() + vx.abs()) * bound],
        [by - vy, (by.abs() + vy.abs()) * bound],
        [length - radii, (length + radii) * D::splat(5.5 * E)],
    ]
}

/// Eight circles and segments, these by their rows.
#[inline(always)]
pub(crate) fn segments<L: Lanes, D: Doubles>(
    [px, py, r]: &Eight,
    segments: Capsules<'_>,
    b: &[u32; LANES],
    word: u32,
) -> Gaps {
    let [ax, ay, bx, by, s] = walls::<L>(segments.even(), b);
    let [ax, ay, bx, by, s] = [ax.store(), ay.store(), bx.store(), by.store(), s.store()];
    let (mut rounded, mut feature, mut certain) = ([Rounded::default(); 3], [0.0; LANES], 0);
    for from in (0..LANES).step_by(D::COUNT) {
        let disc = [D::widen(px, from), D::widen(py, from), D::widen(r, from)];
        let line = [D::widen(&ax, from), D::widen(&ay, from), D::widen(&bx, from), D::widen(&by, from)];
        let (few, [inside, start, sure]) = few_segments(disc, line, D::widen(&s, from));
        Rounded::put(&mut rounded, few, from);
        number_of(inside, start).narrow(&mut feature, from);
        certain |= sure.mask() << from;
    }
    let (feature, called) = (feature_of(L::load(&feature)), L::load(bytemuck::cast_ref(b)));
    let gaps = finish(&rounded, Given { feature, word, called });
    Gaps { sure: gaps.sure & certain, ..gaps }
}

/// With the masks of the interior, of the start, and of where either and the side are sure.
#[inline(always)]
fn few_segments<D: Doubles>([px, py, r]: [D; 3], [ax, ay, bx, by]: [D; 4], radius: D) -> (Few<D>, [D; 3]) {
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
    let few = [
        [fx + nx * h, (fx.abs() + far) * most],
        [fy + ny * h, (fy.abs() + far) * most],
        [distance - total, (doubt + distance + total) * D::splat(16.0 * E)],
    ];
    (few, [inside, start, sure])
}
