//! Circles and segments against a box, eight at a time.

use super::{Lanes, below, load};
use crate::geometry::{Aabb, Capsules, Circles};

/// The sides of a box in all lanes: both of x, both of y.
#[inline(always)]
fn sides<L: Lanes>(frame: &Aabb) -> [[L; 2]; 2] {
    let Aabb { min, max } = frame;
    [[L::splat(min.x), L::splat(max.x)], [L::splat(min.y), L::splat(max.y)]]
}

/// What goes from `low` to `high` has something in common with an interval.
#[inline(always)]
fn over<L: Lanes>([low, high]: [L; 2], [min, max]: [L; 2]) -> L {
    high.ge(min) & low.le(max)
}

/// It lies in it.
#[inline(always)]
fn within<L: Lanes>([low, high]: [L; 2], [min, max]: [L; 2]) -> L {
    low.ge(min) & high.le(max)
}

/// See [`Kernels::circle_frame_masks`](crate::kernels::Kernels::circle_frame_masks).
#[inline(always)]
pub(crate) fn circles<L: Lanes>(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
    let (j, [side_x, side_y]) = (start as usize, sides::<L>(frame));
    let (x, y, r) = (load::<L>(circles.x, j), load::<L>(circles.y, j), load::<L>(circles.radius, j));
    let (across, up) = ([x - r, x + r], [y - r, y + r]);
    let (within_x, within_y) = (within([x, x], side_x), within([y, y], side_y));
    let inside = |[low, high]: [L; 2], [min, max]: [L; 2]| high.gt(min) & low.lt(max);
    let may = over(across, side_x) & over(up, side_y);
    let surely = within_x & (within_y | inside(up, side_y)) | within_y & inside(across, side_x);
    [may.mask() & below(count), surely.mask() & below(count)]
}

/// See [`Kernels::segment_frame_masks`](crate::kernels::Kernels::segment_frame_masks).
#[inline(always)]
pub(crate) fn segments<L: Lanes>(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
    let (j, [side_x, side_y]) = (start as usize, sides::<L>(frame));
    let (x0, y0) = (load::<L>(segments.x0, j), load::<L>(segments.y0, j));
    let (x1, y1) = (load::<L>(segments.x1, j), load::<L>(segments.y1, j));
    let (across, up) = ([x0.at_most(x1), x0.at_least(x1)], [y0.at_most(y1), y0.at_least(y1)]);
    let (over_x, over_y) = (over(across, side_x), over(up, side_y));
    let may = if segments.radius.is_empty() {
        over_x & over_y
    } else {
        let r = load::<L>(segments.radius, j);
        let grown = |[low, high]: [L; 2]| [low - r, high + r];
        over(grown(across), side_x) & over(grown(up), side_y)
    };
    let holds = |x: L, y: L| within([x, x], side_x) & within([y, y], side_y);
    let surely = holds(x0, y0) | holds(x1, y1) | within(across, side_x) & over_y | within(up, side_y) & over_x;
    [may.mask() & below(count), surely.mask() & below(count)]
}
