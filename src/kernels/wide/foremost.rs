//! Which of many shapes a ray meets first, eight at a time. See [`crate::kernels::foremost`].

use super::ray::{minus, plus};
use super::{Lanes, load};
use crate::geometry::{Capsules, Circles};
use crate::kernels::LANES;
use crate::kernels::firsts::{Beams, Firsts};
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

/// One beam in all lanes, or one in each.
struct Way<L> {
    x: L,
    y: L,
    dx: L,
    dy: L,
    floor: L,
    square: L,
    inverse: [L; 2],
}

impl<L: Lanes> Way<L> {
    #[inline(always)]
    fn all(beam: &Beam) -> Self {
        Way {
            x: L::splat(beam.x),
            y: L::splat(beam.y),
            dx: L::splat(beam.dx),
            dy: L::splat(beam.dy),
            floor: L::splat(beam.floor),
            square: L::splat(beam.square),
            inverse: [L::splat(beam.inverse[0]), L::splat(beam.inverse[1])],
        }
    }

    #[inline(always)]
    fn each(beams: &Beams<'_>) -> Self {
        Way {
            x: L::load(beams.x),
            y: L::load(beams.y),
            dx: L::load(beams.dx),
            dy: L::load(beams.dy),
            floor: L::load(beams.floor),
            square: L::load(beams.square),
            inverse: [L::load(beams.inverse[0]), L::load(beams.inverse[1])],
        }
    }
}

/// The lanes from one on.
#[inline(always)]
fn from<L: Lanes>(lane: u32) -> L {
    L::load(bytemuck::cast_ref(&FROM.0[first(lane)]))
}

/// The lanes before one.
#[inline(always)]
fn before<L: Lanes>(lane: u32) -> L {
    L::load(bytemuck::cast_ref(&BEFORE.0[first(lane)]))
}

#[inline(always)]
fn first(lane: u32) -> usize {
    if lane < LANES as u32 { lane as usize } else { LANES }
}

/// A row for each number of lanes, aligned: a load of one never touches two lines.
#[repr(align(32))]
struct Table([[u32; LANES]; LANES + 1]);

static FROM: Table = {
    let mut table = [[u32::MAX; LANES]; LANES + 1];
    let mut k = 0;
    while k < LANES * (LANES + 1) {
        let (first, lane) = (k / LANES, k % LANES);
        if lane < first {
            table[first][lane] = 0;
        }
        k += 1;
    }
    Table(table)
};

static BEFORE: Table = {
    let mut table = FROM.0;
    let mut k = 0;
    while k < LANES * (LANES + 1) {
        table[k / LANES][k % LANES] ^= u32::MAX;
        k += 1;
    }
    Table(table)
};

/// Bits as they are.
#[inline(always)]
fn name<L: Lanes>(name: u32) -> L {
    L::splat(f32::from_bits(name))
}

/// Likewise, of each lane.
#[inline(always)]
fn names<L: Lanes>(names: &[u32; LANES]) -> L {
    L::load(bytemuck::cast_ref(names))
}

impl<L: Lanes> WideFront<L> {
    #[inline(always)]
    fn offer(&mut self, low: L, high: L, unseen: L, called: L) {
        // What is no number, or too large for one, says nothing.
        let known = low.gt(L::splat(0.0)) & low.le(L::splat(f32::MAX));
        // What is unseen becomes no number, and is less than none: a mask is laid on in one operation, a choice takes three.
        let (low, high) = ((known & low) | unseen, high | unseen);
        let nearer = high.lt(self.high);
        let behind = nearer.select(self.low, low);
        self.other = behind.at_most(self.other);
        self.low = nearer.select(low, self.low);
        self.high = high.at_most(self.high);
        self.name = nearer.select(called, self.name);
    }

    /// Eight segments, but for those in some lanes.
    #[inline(always)]
    fn walls(&mut self, [x0, y0, x1, y1]: [L; 4], way: Way<L>, until: L, others: L, names: L) {
        let Way { x, y, dx, dy, floor, .. } = way;
        let zero = L::splat(0.0);
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
        let unseen = apart | low.gt(until) | others;
        // Who is gone has no numbers.
        self.offer(low, high, x0.eq(x0).select(unseen, from(0)), names);
    }

    /// Eight circles, but for those in some lanes.
    #[inline(always)]
    fn discs(&mut self, [x, y, radius]: [L; 3], way: Way<L>, until: L, others: L, names: L) {
        let Way { dx, dy, floor, .. } = way;
        let zero = L::splat(0.0);
        let (wx, wy) = (x - way.x, y - way.y);
        let c = minus(dx * wy, dy * wx, floor);
        let p = plus(dx * wx, dy * wy, floor);
        let (most, k2) = (way.square * (radius * radius), c.value * c.value);
        let off = (most + k2) * L::splat(ROOT_BOUND) + (c.value.abs() + c.value.abs() + c.bound) * c.bound + floor;
        let depth = most - k2;
        let (more, less) = (depth + off, depth - off);
        // Not a number stays what it is.
        let outer = more.le(zero).select(zero, more).sqrt();
        let inner = (less.gt(zero) & less).sqrt();
        let (near, far) = (p.value - p.bound, p.value + p.bound);
        let missed = more.lt(zero) | (far + outer).lt(zero);
        let sure = less.gt(zero) & (near + inner).gt(zero);
        let low = (near - outer) * way.inverse[0];
        let last = far - inner;
        let last = (last.gt(zero) & last) * way.inverse[1];
        let high = sure.select(last, L::splat(f32::INFINITY));
        let unseen = missed | low.gt(until) | others;
        self.offer(low, high, unseen, names);
    }
}

impl<L: Lanes> Front for WideFront<L> {
    #[inline(always)]
    fn new() -> Self {
        let nothing = L::splat(f32::INFINITY);
        WideFront { high: nothing, low: nothing, other: nothing, name: L::splat(0.0) }
    }

    #[inline(always)]
    fn segments(&mut self, segments: Capsules<'_>, beam: &Beam, until: f32, [first, end]: [u32; 2], called: u32) {
        let (x0, y0) = (load::<L>(segments.x0, 0), load::<L>(segments.y0, 0));
        let (x1, y1) = (load::<L>(segments.x1, 0), load::<L>(segments.y1, 0));
        self.walls([x0, y0, x1, y1], Way::all(beam), L::splat(until), before::<L>(first) | from(end), name(called));
    }

    #[inline(always)]
    fn circles(&mut self, circles: Circles<'_>, beam: &Beam, until: f32, [start, count]: [u32; 2], called: u32) {
        let (Circles { x, y, radius }, j) = (circles.even(), start as usize);
        self.discs(
            [load(x, j), load(y, j), load(radius, j)],
            Way::all(beam),
            L::splat(until),
            from(count),
            name(called),
        );
    }

    #[inline(always)]
    fn circles_but(
        &mut self,
        Circles { x, y, radius }: Circles<'_>,
        beam: &Beam,
        until: f32,
        (count, all, skip): (u32, &[u32; LANES], u32),
        called: u32,
    ) {
        let others = from::<L>(count) | names::<L>(all).eq(name(skip));
        self.discs([load(x, 0), load(y, 0), load(radius, 0)], Way::all(beam), L::splat(until), others, name(called));
    }

    #[inline(always)]
    fn segment_of_each(&mut self, [a, b, c, d]: &[[f32; LANES]; 4], beams: &Beams<'_>, called: &[u32; LANES]) {
        let columns = [L::load(a), L::load(b), L::load(c), L::load(d)];
        self.walls(columns, Way::each(beams), L::splat(f32::INFINITY), L::splat(0.0), names(called));
    }

    #[inline(always)]
    fn circle_of_each(&mut self, [x, y, radius]: &[[f32; LANES]; 3], beams: &Beams<'_>, called: &[u32; LANES]) {
        let columns = [L::load(x), L::load(y), L::load(radius)];
        let gone = columns[0].eq(columns[0]).select(L::splat(0.0), from(0));
        self.discs(columns, Way::each(beams), L::splat(f32::INFINITY), gone, names(called));
    }

    #[inline(always)]
    fn foremost_of_each(&self, beams: &Beams<'_>) -> Firsts {
        let last = L::load(beams.last).at_most(L::splat(f32::MAX));
        let close = self.high.at_least(L::splat(CLOSE));
        let clear = self.other.gt(close) & self.high.le(L::load(beams.surely));
        Firsts {
            nothing: (self.low.gt(last) & self.other.gt(last)).mask(),
            clear: clear.mask(),
            names: bytemuck::cast(self.name.store()),
        }
    }

    #[inline(always)]
    fn bound(&self) -> f32 {
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let [a, b, c, d, e, f, g, h] = self.high.store();
        least(least(least(a, e), least(b, f)), least(least(c, g), least(d, h)))
    }

    #[inline(always)]
    fn is_met_before(&self, count: f32) -> bool {
        self.high.lt(L::splat(count)).mask() != 0
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
