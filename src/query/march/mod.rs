//! From cell to cell along a thin ray.
//!
//! Comes in: a search, cells that know the segments, or all bodies, in them. Goes out: the entries of the cells that the ray goes through, in its
//! order, held against it until nothing more can matter. This room does not know what is kept.
//!
//! Method: Amanatides and Woo, A Fast Voxel Traversal Algorithm for Ray Tracing (1987), in double precision, without a branch a step.
//!
//! *Why nothing is lost.* In cells, the ray is at p + t q. The times at which its walk goes from cell to cell cut t0..t1 into pieces, one a
//! cell. At a time t of a piece the exact point of the ray is at most `δ` outside that cell, and a segment that is met there is registered
//! under every cell within [`NEAR`](crate::broad_phase::NEAR) = 2^-6 of any of its points. `δ` is the rounding of p, at most `2E |p|` with
//! |p| <= 2^40 (else all entries are scanned), that of the crossing times, `7E` relative, and of their sums, one a step: with at most 2^19
//! steps below 2^-33 relative to a stretch of at most 2^18 cells. Altogether below 2^-11. The clip takes 2^-7 of a cell more on each
//! side than the box of the level, or of its map, which covers its own rounding, `4E (|p| + 2^18)`, likewise.
//!
//! Where cells lie on a torus, a way that is long goes on in pieces, and passes wide regions in which nobody is at once ([`super::wide`]): a piece begins
//! as a walk does that is clipped.
//!
//! *Cost*: the cells that are crossed, or, where they are more than a quarter of the entries and some, all entries once.

mod axis;

use self::axis::Axis;
pub(super) use self::axis::within;
use super::flight::Flight;
use super::search::{List, Search};
use super::wide::Wide;
use crate::broad_phase::{Bunch, CellLevel, CellMap, Cells, LINEAR, NEAR, RayCells};
use crate::geometry::{Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::{Kernels, LANES};

/// So far out, in cells, positions are still right to 2^-11 of a cell.
const FAR: f64 = (1u64 << 40) as f64;
/// Added on each side of a box, in cells.
const RIM: f64 = NEAR / 2.0;
/// Steps around a torus before it is asked whether anybody is near.
const PIECE: u32 = 128;
/// With so few entries there is nothing to be walked for.
pub(super) const FEW: u32 = 16;

/// A flight in the cells of a map.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    pub(super) p: [f64; 2],
    pub(super) q: [f64; 2],
    /// One over `q`, infinite where that is zero.
    pub(super) inverse: [f64; 2],
}

impl Scaled {
    /// `width`: one over the cells per length unit.
    #[inline(always)]
    pub(super) fn new(map: &CellMap, width: f64, flight: &Flight) -> Scaled {
        let (o, v) = (flight.o, flight.v);
        let (origin, per) = (map.origin(), f64::from(map.inverse()));
        let p = [(o[0] - f64::from(origin[0])) * per, (o[1] - f64::from(origin[1])) * per];
        let q = [v[0] * per, v[1] * per];
        Scaled { p, q, inverse: [flight.inverse[0] * width, flight.inverse[1] * width] }
    }

    /// False where positions are too coarse, or not numbers.
    #[inline(always)]
    pub(super) fn is_near(&self) -> bool {
        self.p[0].abs() <= FAR && self.p[1].abs() <= FAR
    }

    /// It starts in the box of the map.
    #[inline(always)]
    fn is_inside(&self, map: &CellMap) -> bool {
        let ([x, y], (last_x, last_y)) = (self.p, map.last());
        (x >= 0.0) & (y >= 0.0) & (x < f64::from(last_x)) & (y < f64::from(last_y))
    }

    /// The piece of `from..=to` that may lie in a box (in cells), if there is one.
    #[inline(always)]
    pub(super) fn clip(&self, low: [f64; 2], high: [f64; 2], from: f64, to: f64) -> Option<(f64, f64)> {
        let (mut from, mut to) = (from, to);
        for axis in 0..2 {
            let (p, i) = (self.p[axis], self.inverse[axis]);
            if self.q[axis] == 0.0 {
                if p < low[axis] || p > high[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low[axis] - p) * i, (high[axis] - p) * i);
            let (a, b) = if i < 0.0 { (b, a) } else { (a, b) };
            from = if a > from { a } else { from };
            to = if b < to { b } else { to };
        }
        if from <= to { Some((from, to)) } else { None }
    }

    /// A box of this room's map, in cells, with the rim; as far as indices are linear.
    #[inline(always)]
    pub(super) fn area(map: &CellMap, low: [f64; 2], high: [f64; 2], rim: f64) -> [[f64; 2]; 2] {
        let (origin, per) = (map.origin(), f64::from(map.inverse()));
        let limit = f64::from(LINEAR);
        let mut area = [[0.0; 2]; 2];
        for axis in 0..2 {
            let o = f64::from(origin[axis]);
            let (l, h) = ((low[axis] - o) * per - rim, (high[axis] - o) * per + rim);
            area[0][axis] = if l < -limit { -limit } else { l };
            area[1][axis] = if h > limit { limit } else { h };
        }
        area
    }
}

/// A walk from cell to cell, on its way.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    x: Axis,
    y: Axis,
    /// The cell.
    pub(super) key: u32,
    step_x: u32,
    step_y: u32,
    /// When it is beyond the rim of the box, and a little; what it was clipped to, if it was; or when the flight ends, if that is sooner and
    /// has been told.
    pub(super) out: f64,
}

impl Walk {
    /// From a time on.
    #[inline(always)]
    fn new(map: &CellMap, scaled: &Scaled, from: f64) -> Walk {
        let (last_x, last_y) = map.last();
        let Scaled { p, q, inverse } = *scaled;
        let x = Axis::new(p[0], q[0], inverse[0], from, last_x);
        let y = Axis::new(p[1], q[1], inverse[1], from, last_y);
        Walk::of(map, x, y)
    }

    #[inline(always)]
    fn of(map: &CellMap, x: Axis, y: Axis) -> Walk {
        let (step_x, step_y) = (x.step as u32, (y.step as u32).wrapping_mul(map.stride()));
        let out = if x.out < y.out { x.out } else { y.out };
        Walk { key: map.key_of(x.at, y.at), x, y, step_x, step_y, out }
    }

    /// From the start of a flight, and whether that is in the box of the map: else it is of no use.
    #[inline(always)]
    pub(super) fn begin(map: &CellMap, width: f64, flight: &Flight) -> (Walk, bool) {
        let (scaled, (last_x, last_y)) = (Scaled::new(map, width, flight), map.last());
        let Scaled { p, q, inverse } = scaled;
        let x = Axis::begin(p[0], q[0], inverse[0], last_x);
        let y = Axis::begin(p[1], q[1], inverse[1], last_y);
        (Walk::of(map, x, y), scaled.is_inside(map))
    }

    /// As numbers.
    #[inline(always)]
    pub(super) fn parts(&self) -> ([f64; 5], [u32; 5]) {
        let Walk { x, y, key, step_x, step_y, out } = *self;
        ([x.next, y.next, x.each, y.each, out], [x.left as u32, y.left as u32, key, step_x, step_y])
    }

    /// On its way, from those.
    #[inline(always)]
    pub(super) fn of_parts(doubles: [f64; 5], words: [u32; 5]) -> Walk {
        let ([next_x, next_y, each_x, each_y, out], [left_x, left_y, key, step_x, step_y]) = (doubles, words);
        let x = Axis { next: next_x, each: each_x, left: left_x as i32, ..Axis::NONE };
        let y = Axis { next: next_y, each: each_y, left: left_y as i32, ..Axis::NONE };
        Walk { x, y, key, step_x, step_y, out }
    }

    /// When it comes to the next cell.
    #[inline(always)]
    pub(super) fn until(&self) -> f64 {
        if self.x.next < self.y.next { self.x.next } else { self.y.next }
    }

    /// To the next cell.
    #[inline(always)]
    pub(super) fn go_on(&mut self, map: &CellMap) {
        let sideways = self.x.next < self.y.next;
        self.key = map.wrap(self.key.wrapping_add(if sideways { self.step_x } else { self.step_y }));
        self.x.go_on(sideways);
        self.y.go_on(!sideways);
    }
}

/// Steps through a level of so many entries; then all of them are looked at.
#[inline(always)]
pub(super) fn steps(entries: u32) -> u32 {
    entries / 4 + 64
}

/// How a flight comes to some cells.
pub(super) enum Way {
    /// It goes on like this; as far as the clip has it.
    On(Walk),
    /// It never does.
    Past,
    /// Where it is cannot be told.
    Far,
}

impl Walk {
    /// From where a flight comes into a box of a map between two times, to where it leaves it; none if it never does.
    #[inline(always)]
    fn clipped(map: &CellMap, scaled: &Scaled, [low, high]: [[f64; 2]; 2], [from, stop]: [f64; 2]) -> Option<Walk> {
        let [low, high] = Scaled::area(map, low, high, RIM);
        let (from, out) = scaled.clip(low, high, from, stop)?;
        Some(Walk { out, ..Walk::new(map, scaled, from) })
    }

    /// From outside a box of a map, for a flight that ends at `stop`.
    #[inline(never)]
    pub(super) fn enter(map: &CellMap, width: f64, bounds: [[f64; 2]; 2], flight: &Flight, stop: f64) -> Way {
        let scaled = Scaled::new(map, width, flight);
        if !scaled.is_near() {
            return Way::Far;
        }
        match Walk::clipped(map, &scaled, bounds, [0.0, stop]) {
            Some(walk) => Way::On(walk),
            None => Way::Past,
        }
    }
}

/// Cells to be walked through.
struct Field<'a> {
    map: &'a CellMap,
    width: f64,
    low: [f64; 2],
    high: [f64; 2],
    entries: u32,
}

impl<'a> Field<'a> {
    #[inline(always)]
    fn of(level: &'a CellLevel) -> Field<'a> {
        let &CellLevel { ref map, low, high, width, .. } = level;
        Field { map, width, low, high, entries: level.entries.end - level.entries.start }
    }
}

/// How far a walk has come.
enum Walked {
    /// To the end, or out of all cells.
    Out,
    /// Until then, in as many steps as it had.
    Until(f64),
    /// Where it is cannot be told, or it came to a cell of which nothing is known.
    Astray,
}

/// What is in a cell. A trait, since closures would not be compiled for the instruction set.
trait Held {
    /// Holds what is in a cell against a search; what is met after `until` will be seen again. False where that is not known.
    fn hold<K: Kernels, const WHAT: u8>(&self, search: &mut Search<'_, K, WHAT>, key: u32, until: f64) -> bool;
}

/// Segments of a list, and the entries of each cell.
struct Listed<'a>(&'a List<'a>, &'a [u32]);

impl Held for Listed<'_> {
    #[inline(always)]
    fn hold<K: Kernels, const WHAT: u8>(&self, search: &mut Search<'_, K, WHAT>, key: u32, until: f64) -> bool {
        let &Listed(list, table) = self;
        let run = table[key as usize]..table[key as usize + 1];
        if run.start < run.end {
            search.all_of(list, run, until);
        }
        true
    }
}

impl Held for RayCells {
    #[inline(always)]
    fn hold<K: Kernels, const WHAT: u8>(&self, search: &mut Search<'_, K, WHAT>, key: u32, _: f64) -> bool {
        if self.is_empty(key) {
            return true;
        }
        let bunch = self.bunches()[key as usize];
        if !bunch.is_crowded() {
            search.bunch_circles(self, bunch);
            search.bunch_segments(self, bunch);
        }
        !bunch.is_crowded()
    }
}

impl<K: Kernels, const WHAT: u8> Search<'_, K, WHAT> {
    /// Walks one level.
    #[inline(always)]
    pub(super) fn march(&mut self, cells: &Cells, level: &CellLevel, list: &List<'_>) {
        let (field, listed) = (Field::of(level), Listed(list, cells.table(level)));
        if field.entries <= FEW {
            return self.whole_list(list, level.entries.clone());
        }
        if level.map.is_torus() && cells.strewn(level, 0).is_some_and(|strewn| strewn.regions().is_some()) {
            return self.march_on(cells, level, list, 0.0);
        }
        let all = steps(field.entries);
        let most = if level.map.is_torus() && all > PIECE { PIECE } else { all };
        match self.walk(&field, &listed, 0.0, most) {
            Walked::Out => {}
            Walked::Until(until) if most < all => self.march_on(cells, level, list, until),
            _ => self.whole_list(list, level.entries.clone()),
        }
    }

    /// The same, of what is left of a long way around a torus.
    #[inline(always)]
    pub(super) fn by_pieces(&mut self, cells: &Cells, level: &CellLevel, list: &List<'_>, mut from: f64) {
        let (field, listed) = (Field::of(level), Listed(list, cells.table(level)));
        let (mut left, mut spent) = (steps(field.entries), PIECE);
        loop {
            if let Some(strewn) = cells.strewn(level, spent)
                && let Some(regions) = strewn.regions()
                && let Some(wide) = Wide::about(field.map, f64::from(strewn.size()), &self.flight)
            {
                wide.skip(regions, &mut from, self.stop);
            }
            // What is met later does not matter.
            if from > self.stop {
                return;
            }
            match self.walk(&field, &listed, from, PIECE) {
                Walked::Out => return,
                Walked::Until(until) if left > PIECE => (left, spent, from) = (left - PIECE, PIECE, until),
                _ => return self.whole_list(list, level.entries.clone()),
            }
        }
    }

    /// Walks through all bodies; false if some have to be looked at in another way. Circles are numbered behind all segments, of which there are fewer
    /// than [`RayCells::MOST`] here.
    #[inline(always)]
    pub(super) fn march_together(&mut self, cells: &RayCells) -> bool {
        let (Some(map), [low, high]) = (cells.map(), cells.bounds()) else { return false };
        let entries = cells.bunches().len() as u32;
        let field = Field { map, width: cells.width(), low, high, entries };
        matches!(self.walk(&field, cells, 0.0, steps(entries)), Walked::Out)
    }

    /// The circles of a cell in which all lie together.
    #[inline(always)]
    fn bunch_circles(&mut self, cells: &RayCells, bunch: Bunch) {
        let (circles, [from, count]) = (cells.circles(bunch), bunch.circles());
        let Circles { x, y, radius } = circles;
        let mut at = 0;
        while at < count {
            let mut mask = K::beam_mask(circles, &self.beam, at, count - at);
            while mask != 0 {
                let place = at + mask.trailing_zeros();
                mask &= mask - 1;
                let k = place as usize;
                let circle = Circle { center: Vec2 { x: x[k], y: y[k] }, radius: radius[k] };
                let row = cells.word(from + 3 * count + place);
                if !self.is_judged(RayCells::MOST + row) {
                    self.circle(circle, row);
                }
            }
            at += LANES as u32;
        }
    }

    /// The segments likewise.
    #[inline(always)]
    fn bunch_segments(&mut self, cells: &RayCells, bunch: Bunch) {
        let (segments, [from, count]) = (cells.segments(bunch), bunch.segments());
        let Capsules { x0, y0, x1, y1, radius } = segments;
        if !self.looks_at_segments() {
            return;
        }
        let mut at = 0;
        while at < count {
            let mut mask = if radius.is_empty() {
                K::ray_mask(segments, &self.beam, at, count - at)
            } else {
                K::sweep_mask(segments, &self.beam, at, count - at)
            };
            while mask != 0 {
                let place = at + mask.trailing_zeros();
                mask &= mask - 1;
                let k = place as usize;
                let radius = if radius.is_empty() { 0.0 } else { radius[k] };
                let (start, end) = (Vec2 { x: x0[k], y: y0[k] }, Vec2 { x: x1[k], y: y1[k] });
                let row = cells.word(from + 4 * count + place);
                if !self.is_judged(row) {
                    self.segment(Segment { start, end, radius }, row);
                }
            }
            at += LANES as u32;
        }
    }

    /// From cell to cell, from a time on, at most so many.
    #[inline(always)]
    fn walk(&mut self, field: &Field<'_>, held: &impl Held, from: f64, mut left: u32) -> Walked {
        let &Field { map, .. } = field;
        let scaled = Scaled::new(map, field.width, &self.flight);
        if !scaled.is_near() {
            return Walked::Astray;
        }
        // Mostly it starts in the box of the map: then there is nothing to be clipped.
        let mut walk = if from == 0.0 && scaled.is_inside(map) {
            Walk::new(map, &scaled, 0.0)
        } else {
            let span = [from, self.stop];
            let Some(walk) = Walk::clipped(map, &scaled, [field.low, field.high], span) else { return Walked::Out };
            walk
        };
        let mut to = walk.out;
        loop {
            let until = walk.until();
            if !held.hold(self, walk.key, until) {
                return Walked::Astray;
            }
            // What has not been seen is met later than where the walk is.
            to = if self.stop < to { self.stop } else { to };
            if until >= to || until >= self.stop {
                return Walked::Out;
            }
            left -= 1;
            if left == 0 {
                return Walked::Until(until);
            }
            walk.go_on(map);
        }
    }
}
