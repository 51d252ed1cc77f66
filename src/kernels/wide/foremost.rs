//! Which of many shapes a ray meets first, eight at a time. See [`crate::kernels::foremost`].

use super::ray::{minus, plus};
use super::{Lanes, load};
use crate::geometry::{Capsules, Circles};
use crate::kernels::LANES;
#[cfg(test)]
use crate::kernels::foremost::State;
use crate::kernels::foremost::{CLOSE, Foremost, Front, ROOT_BOUND};
use crate::kernels::ray::Beam;

/// See [`State`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideFront<L> {
    high: L,
    low: L,
    other: L,
    name: L,
}

/// The lanes `from..to`.
#[inline(always)]
fn between<L: Lanes>([from, to]: [u32; 2]) -> L {
    let index = L::load(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    index.ge(L::splat(from as f32)) & index.lt(L::splat(to as f32))
}

impl<L: Lanes> WideFront<L> {
    #[inline(always)]
    fn offer(&mut self, low: L, high: L, seen: L, name: u32) {
        let nothing = L::splat(f32::INFINITY);
        // What is no number, or too large for one, says nothing.
        let known = low.gt(L::splat(0.0)) & low.le(L::splat(f32::MAX));
        let low = seen.select(known.select(low, L::splat(0.0)), nothing);
        let high = seen.select(high, nothing);
        let nearer = high.lt(self.high);
        let behind = nearer.select(self.low, low);
        self.other = behind.lt(self.other).select(behind, self.other);
        self.low = nearer.select(low, self.low);
        self.high = nearer.select(high, self.high);
        self.name = nearer.select(L::splat(f32::from_bits(name)), self.name);
    }
}

impl<L: Lanes> Front for WideFront<L> {
    #[inline(always)]
    fn new() -> Self {
        let nothing = L::splat(f32::INFINITY);
        WideFront { high: nothing, low: nothing, other: nothing, name: L::splat(0.0) }
    }

    #[inline(always)]
    fn segments(&mut self, segments: Capsules<'_>, beam: &Beam, until: f32, lanes: [u32; 2], name: u32) {
        let (x0, y0) = (load::<L>(segments.x0, 0), load::<L>(segments.y0, 0));
        let (x1, y1) = (load::<L>(segments.x1, 0), load::<L>(segments.y1, 0));
        let (x, y, floor) = (L::splat(beam.x), L::splat(beam.y), L::splat(beam.floor));
        let (dx, dy, zero) = (L::splat(beam.dx), L::splat(beam.dy), L::splat(0.0));
        let (ax, ay, bx, by) = (x0 - x, y0 - y, x1 - x, y1 - y);
        let ca = minus(dx * ay, dy * ax, floor);
        let cb = minus(dx * by, dy * bx, floor);
        let n = minus(ax * (y1 - y0), ay * (x1 - x0), floor);
        let (a_left, a_right) = (ca.above(zero), ca.below(zero));
        let (b_left, b_right) = (cb.above(zero), cb.below(zero));
        let (positive, negative) = (n.above(zero), n.below(zero));
        let apart = (a_left & (b_left | (b_right & positive))) | (a_right & (b_right | (b_left & negative)));
        let ahead = (a_left & b_right & negative) | (a_right & b_left & positive);
        let (size, off) = (ca.value.abs() + cb.value.abs(), ca.bound + cb.bound);
        let low = (n.value.abs() - n.bound) / (size + off);
        let least = size - off;
        let sure = ahead & least.le(L::splat(f32::MAX));
        let high = sure.select((n.value.abs() + n.bound) / least, L::splat(f32::INFINITY));
        let seen = apart.select(zero, between::<L>(lanes));
        let seen = low.gt(L::splat(until)).select(zero, seen);
        self.offer(low, high, seen, name);
    }

    #[inline(always)]
    fn circles(&mut self, circles: Circles<'_>, beam: &Beam, until: f32, [start, count]: [u32; 2], name: u32) {
        let j = start as usize;
        let (dx, dy) = (L::splat(beam.dx), L::splat(beam.dy));
        let (floor, zero) = (L::splat(beam.floor), L::splat(0.0));
        let (wx, wy) = (load::<L>(circles.x, j) - L::splat(beam.x), load::<L>(circles.y, j) - L::splat(beam.y));
        let radius = load::<L>(circles.radius, j);
        let c = minus(dx * wy, dy * wx, floor);
        let p = plus(dx * wx, dy * wy, floor);
        let (most, k2) = (L::splat(beam.square) * (radius * radius), c.value * c.value);
        let off = (most + k2) * L::splat(ROOT_BOUND) + (c.value.abs() + c.value.abs() + c.bound) * c.bound + floor;
        let depth = most - k2;
        let (more, less) = (depth + off, depth - off);
        // Not a number stays what it is.
        let outer = more.le(zero).select(zero, more).sqrt();
        let inner = less.gt(zero).select(less, zero).sqrt();
        let (near, far) = (p.value - p.bound, p.value + p.bound);
        let missed = more.lt(zero) | (far + outer).lt(zero);
        let sure = less.gt(zero) & (near + inner).gt(zero);
        let low = (near - outer) * L::splat(beam.inverse[0]);
        let last = far - inner;
        let last = last.gt(zero).select(last, zero) * L::splat(beam.inverse[1]);
        let high = sure.select(last, L::splat(f32::INFINITY));
        let seen = missed.select(zero, between::<L>([0, count]));
        let seen = low.gt(L::splat(until)).select(zero, seen);
        self.offer(low, high, seen, name);
    }

    #[inline(always)]
    fn bound(&self) -> f32 {
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let [a, b, c, d, e, f, g, h] = self.high.store();
        least(least(least(a, e), least(b, f)), least(least(c, g), least(d, h)))
    }

    #[inline(always)]
    fn foremost(&self, beam: &Beam) -> Foremost {
        let (nothing, best) = (L::splat(f32::INFINITY), self.bound());
        let last = L::splat(if beam.last < f32::MAX { beam.last } else { f32::MAX });
        if (self.low.gt(last) & self.other.gt(last)).mask() == 0xff {
            return Foremost::Nothing;
        }
        let first = self.high.eq(L::splat(best));
        let lane = first.mask();
        let rest = first.select(nothing, self.low);
        let close = L::splat(if best > CLOSE { best } else { CLOSE });
        let clear = (rest.gt(close) & self.other.gt(close)).mask() == 0xff;
        if clear & (best <= beam.surely) & (lane & (lane - 1) == 0) {
            let lane = lane.trailing_zeros() as usize % LANES;
            Foremost::Clear { name: self.name.store()[lane].to_bits(), lane }
        } else {
            Foremost::Doubt
        }
    }

    #[cfg(test)]
    fn state(&self) -> State {
        let name = self.name.store().map(f32::to_bits);
        State { high: self.high.store(), low: self.low.store(), other: self.other.store(), name }
    }
}
