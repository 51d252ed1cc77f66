//! A ray or a circle on its way against eight shapes at a time. See [`crate::kernels::ray`].

use super::{Lanes, below, load};
use crate::geometry::{Capsules, Circles};
use crate::kernels::SUM_BOUND;
use crate::kernels::ray::Beam;

/// What is off by no more than a bound.
#[derive(Clone, Copy)]
pub(super) struct Bounded<L> {
    pub(super) value: L,
    pub(super) bound: L,
}

#[inline(always)]
pub(super) fn minus<L: Lanes>(l: L, r: L, floor: L) -> Bounded<L> {
    Bounded { value: l - r, bound: (l.abs() + r.abs()) * L::splat(SUM_BOUND) + floor }
}

#[inline(always)]
pub(super) fn plus<L: Lanes>(l: L, r: L, floor: L) -> Bounded<L> {
    Bounded { value: l + r, bound: (l.abs() + r.abs()) * L::splat(SUM_BOUND) + floor }
}

impl<L: Lanes> Bounded<L> {
    /// Surely above `limit`.
    #[inline(always)]
    pub(super) fn above(self, limit: L) -> L {
        self.value.gt(self.bound + limit)
    }

    /// Surely below `-limit`.
    #[inline(always)]
    pub(super) fn below(self, limit: L) -> L {
        self.value.lt(L::splat(0.0) - (self.bound + limit))
    }
}

/// Segments without radii.
#[inline(always)]
pub(crate) fn ray<L: Lanes>(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let (x0, y0) = (load::<L>(segments.x0, j), load::<L>(segments.y0, j));
    let (x1, y1) = (load::<L>(segments.x1, j), load::<L>(segments.y1, j));
    let (x, y, floor) = (L::splat(beam.x), L::splat(beam.y), L::splat(beam.floor));
    let (dx, dy) = (L::splat(beam.dx), L::splat(beam.dy));
    let (ax, ay, bx, by) = (x0 - x, y0 - y, x1 - x, y1 - y);
    let ca = minus(dx * ay, dy * ax, floor);
    let cb = minus(dx * by, dy * bx, floor);
    let n = minus(ax * (y1 - y0), ay * (x1 - x0), floor);
    let zero = L::splat(0.0);
    let (a_left, a_right) = (ca.value.gt(ca.bound), ca.value.lt(zero - ca.bound));
    let (b_left, b_right) = (cb.value.gt(cb.bound), cb.value.lt(zero - cb.bound));
    let (positive, negative) = (n.value.gt(n.bound), n.value.lt(zero - n.bound));
    let most = L::splat(beam.last) * ((ca.value.abs() + ca.bound) + (cb.value.abs() + cb.bound)) + n.bound;
    let late = n.value.abs().gt(most);
    let apart = (a_left & (b_left | (b_right & positive))) | (a_right & (b_right | (b_left & negative)));
    // Only where the line is met for sure is `A × e` what tells when.
    let missed = apart | (late & ((a_left & b_right) | (a_right & b_left)));
    !missed.mask() & below(count)
}

/// Segments with radii.
#[inline(always)]
pub(crate) fn sweep<L: Lanes>(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let (x, y, floor) = (L::splat(beam.x), L::splat(beam.y), L::splat(beam.floor));
    let (dx, dy) = (L::splat(beam.dx), L::splat(beam.dy));
    let (ax, ay) = (load::<L>(segments.x0, j) - x, load::<L>(segments.y0, j) - y);
    let (bx, by) = (load::<L>(segments.x1, j) - x, load::<L>(segments.y1, j) - y);
    let radius = if segments.radius.is_empty() { L::splat(0.0) } else { load::<L>(segments.radius, j) };
    let reach = (radius + L::splat(beam.radius)) * L::splat(beam.side);
    let end = reach + L::splat(beam.far);
    let ca = minus(dx * ay, dy * ax, floor);
    let cb = minus(dx * by, dy * bx, floor);
    let pa = plus(dx * ax, dy * ay, floor);
    let pb = plus(dx * bx, dy * by, floor);
    let missed = (ca.above(reach) & cb.above(reach))
        | (ca.below(reach) & cb.below(reach))
        | (pa.below(reach) & pb.below(reach))
        | (pa.above(end) & pb.above(end));
    !missed.mask() & below(count)
}

/// Circles.
#[inline(always)]
pub(crate) fn circles<L: Lanes>(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let floor = L::splat(beam.floor);
    let (dx, dy) = (L::splat(beam.dx), L::splat(beam.dy));
    let (wx, wy) = (load::<L>(circles.x, j) - L::splat(beam.x), load::<L>(circles.y, j) - L::splat(beam.y));
    let reach = (load::<L>(circles.radius, j) + L::splat(beam.radius)) * L::splat(beam.side);
    let c = minus(dx * wy, dy * wx, floor);
    let p = plus(dx * wx, dy * wy, floor);
    let missed = c.value.abs().gt(c.bound + reach) | p.below(reach) | p.above(reach + L::splat(beam.far));
    !missed.mask() & below(count)
}
