//! How far shapes are from a point, roughly, eight at a time in single precision.

use super::{Lanes, below, load};
use crate::geometry::{Capsules, Circles};
use crate::kernels::distances::Distances;
use crate::kernels::{Near, U};

/// 2^-72.
const LEAST: f32 = f32::from_bits((127 - 72) << 23);
/// 1e36: squares of what is longer may overflow.
const LARGE: f32 = Near::LARGE * Near::LARGE;

/// Eight circles, of which some are asked for.
#[inline(always)]
pub(crate) fn circles<L: Lanes>(
    circles: Circles<'_>,
    [x, y]: [f32; 2],
    limit: f32,
    start: u32,
    count: u32,
) -> Distances {
    let j = start as usize;
    let (dx, dy) = (load::<L>(circles.x, j) - L::splat(x), load::<L>(circles.y, j) - L::splat(y));
    let (radius, square) = (load::<L>(circles.radius, j), dx * dx + dy * dy);
    let length = square.sqrt();
    let doubt = (length + radius) * L::splat(8.0 * U) + L::splat(LEAST);
    finish(square.le(L::splat(LARGE)), length - radius, doubt, limit, count)
}

/// The same for segments; the column of their radii is empty where all are zero.
#[inline(always)]
pub(crate) fn segments<L: Lanes>(
    segments: Capsules<'_>,
    [px, py]: [f32; 2],
    limit: f32,
    start: u32,
    count: u32,
) -> Distances {
    let (zero, one, j) = (L::splat(0.0), L::splat(1.0), start as usize);
    let (x, y) = (load::<L>(segments.x0, j), load::<L>(segments.y0, j));
    let (dx, dy) = (load::<L>(segments.x1, j) - x, load::<L>(segments.y1, j) - y);
    let (wx, wy) = (L::splat(px) - x, L::splat(py) - y);
    let length = dx.abs() + dy.abs();
    let mut size = wx.abs() + wy.abs() + length;
    let mut radius = zero;
    if !segments.radius.is_empty() {
        radius = load::<L>(segments.radius, j);
        size = size + radius;
    }
    let short = length.lt(L::splat(Near::SHORT));
    let doubt = size * L::splat(Near::GROW) + L::splat(Near::LEAST) + short.select(length + length, zero);
    let (dx, dy) = (short.select(zero, dx), short.select(zero, dy));
    let t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    // In this order what is not a number becomes 0.
    let t = t.at_least(zero).at_most(one);
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let distance = (qx * qx + qy * qy).sqrt();
    let found = finish(size.le(L::splat(Near::LARGE)), distance - radius, doubt, limit, count);
    // Where nobody is any more there are no numbers, and no size: sums of what somebody has overflow, but stay above zero.
    Distances { mask: found.mask & size.eq(size).mask(), ..found }
}

/// Nothing below zero, and nothing where nothing is known.
#[inline(always)]
fn finish<L: Lanes>(known: L, gap: L, doubt: L, limit: f32, count: u32) -> Distances {
    let zero = L::splat(0.0);
    let (least, most) = (gap - doubt, gap + doubt);
    let least = known.select(least.at_least(zero), zero);
    let most = known.select(most.at_least(zero), L::splat(f32::INFINITY));
    let mask = least.le(L::splat(limit)).mask() & below(count);
    Distances { least: least.store(), most: most.store(), mask }
}
