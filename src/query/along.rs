//! Along a flight, stretch by stretch, box of cells by box of cells.
//!
//! Comes in: a search, a level of circles by their centres, or of segments under their cells. Goes out: what is near a stretch, held against
//! the flight, in its order, until nothing more can matter. This room does not know what is kept.
//!
//! *Why nothing is lost.* What is met while the centre is on a stretch has a point within `R` of that piece on both axes: `R` is the
//! radius of what flies, for circles and the largest of the level as well, and the point is their centre. So it lies in the box about
//! the piece, `R` wider on each side. In cells, an index is off by at most 2^-6 (see [`CellMap`]), registration under cells not at all, the
//! box by the rounding of p (see [`super::march`]) and of `R`, far less: [`MARGIN`] = 2^-4 covers all. Where indices are not linear, or
//! positions too coarse, all of the level is held against the flight; so too where it flies out of where they are linear, and more may be met.
//!
//! While a stretch begins in the box of a boxed map, nothing is clipped: what lies beyond the rim is kept in its cells, and indices are cut to
//! them on both sides. How a flight comes in and out is left to the stretches that are clipped.
//!
//! *Cost*: the cells of the boxes; where those are more than some, all of the level once.

use super::flight::Flight;
use super::march::{Scaled, floor, within};
use super::search::Search;
use crate::broad_phase::{CellLevel, CellMap, Cells, LINEAR, Level};
use crate::kernels::Kernels;

/// In cells.
const MARGIN: f64 = 1.0 / 16.0;
/// A stretch is so many cells long, or as long as `R`.
const STRETCH: f64 = 3.0;
/// So many in a box; then all is clipped, and counted.
pub(super) const STRETCHES: u32 = 64;

/// The stretches of a flight through a level.
struct Stretches {
    scaled: Scaled,
    /// What is left of the flight.
    from: f64,
    to: f64,
    /// The end of what may lie beyond the linear range of indices.
    end: f64,
    /// Duration of a stretch.
    each: f64,
    /// `R` and the margin, in cells.
    reach: f64,
    /// Last column and row of a box; negative for a torus.
    last: (i32, i32),
}

/// A box of cells, both ends included.
struct Block {
    columns: (i32, i32),
    rows: (i32, i32),
}

impl Stretches {
    /// `None`: the level has to be looked at as a whole. `bounds`: of what is looked for, without `reach`.
    #[inline(always)]
    fn new(
        map: &CellMap,
        flight: &Flight,
        bounds: [[f64; 2]; 2],
        reach: f64,
        [from, to]: [f64; 2],
    ) -> Option<Stretches> {
        let scaled = Scaled::new(map, 1.0 / f64::from(map.inverse()), flight);
        let reach = reach * f64::from(map.inverse()) + MARGIN;
        let limit = f64::from(LINEAR) - 2.0 - reach;
        if !(scaled.is_near() && limit > 0.0) {
            return None;
        }
        let mut area = [[-limit; 2], [limit; 2]];
        let linear = scaled.clip(area[0], area[1], from, to);
        let (origin, per) = (map.origin(), f64::from(map.inverse()));
        for axis in 0..2 {
            let place = |v: f64| (v - f64::from(origin[axis])) * per;
            area[0][axis] = place(bounds[0][axis]) - reach;
            area[1][axis] = place(bounds[1][axis]) + reach;
        }
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (from, end) = scaled.clip(area[0], area[1], from, to).unwrap_or(nothing);
        let (near, to) = linear.unwrap_or(nothing);
        if from <= end && !(near <= from && from <= to) {
            return None;
        }
        let to = if end < to { end } else { to };
        let [qx, qy] = scaled.q.map(f64::abs);
        let length = if reach > STRETCH { reach } else { STRETCH };
        let each = length / if qx > qy { qx } else { qy };
        Some(Stretches { scaled, from, to, end, each, reach, last: map.last() })
    }

    /// The next stretch: its cells, and when it ends.
    #[inline(always)]
    fn next(&mut self, stop: f64) -> Option<(Block, f64)> {
        let to = if self.to < stop { self.to } else { stop };
        if self.from > to {
            return None;
        }
        let until = self.from + self.each;
        // Nothing is left, or too little to go on: to the end.
        let until = if until < to { until } else { to };
        let block = Block { columns: self.span(0, until, self.last.0), rows: self.span(1, until, self.last.1) };
        self.from = if until < to { until } else { f64::INFINITY };
        Some((block, until))
    }

    #[inline(always)]
    fn span(&self, axis: usize, until: f64, high: i32) -> (i32, i32) {
        let (p, q) = (self.scaled.p[axis], self.scaled.q[axis]);
        let (a, b) = (p + self.from * q, p + until * q);
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        (within(floor(a - self.reach), high), within(floor(b + self.reach), high))
    }
}

impl Block {
    /// Its cells, and whether each has a key of its own.
    #[inline(always)]
    fn cells(&self, map: &CellMap) -> (u64, bool) {
        let columns = (self.columns.1 - self.columns.0) as u64 + 1;
        let rows = (self.rows.1 - self.rows.0) as u64 + 1;
        (columns * rows, !map.is_torus() || columns < u64::from(map.stride()) && rows < u64::from(map.cells()))
    }
}

impl<const WHAT: u8> Search<'_, WHAT> {
    /// Circles of a level from a time on, for so many stretches, as long as they begin in the box of the map: there nothing has to be clipped.
    /// Tells until when all has been looked at.
    #[inline(always)]
    pub(super) fn near_circles<K: Kernels>(&mut self, level: &Level, mut from: f64, most: u32) -> f64 {
        let map = &level.map;
        let (origin, per) = (map.origin(), f64::from(map.inverse()));
        let reach = (f64::from(self.flight.radius) + f64::from(level.size)) * per + MARGIN;
        let [px, py] = [0, 1].map(|k| (self.flight.o[k] - f64::from(origin[k])) * per);
        let [qx, qy] = [0, 1].map(|k| self.flight.v[k] * per);
        let (last_x, last_y) = map.last();
        let (wide, high) = (f64::from(last_x) + 1.0, f64::from(last_y) + 1.0);
        // A torus has a last column and row of -1 or less: no stretch begins in it.
        if !(reach < STRETCH && last_x >= 0) {
            return from;
        }
        let each = STRETCH / if qx.abs() > qy.abs() { qx.abs() } else { qy.abs() };
        let (mut x, mut y) = (px + from * qx, py + from * qy);
        for _ in 0..most {
            if !(x >= 0.0 && y >= 0.0 && x <= wide && y <= high) {
                return from;
            }
            let until = from + each;
            let until = if until < self.stop { until } else { self.stop };
            let (to_x, to_y) = (px + until * qx, py + until * qy);
            let span = |a: f64, b: f64, last: i32| {
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                (within(floor(low - reach), last), within(floor(high + reach), last))
            };
            let (columns, rows) = (span(x, to_x, last_x), span(y, to_y, last_y));
            self.boxed_circles::<K>(level, &Block { columns, rows });
            (from, x, y) = (until, to_x, to_y);
            if until >= self.stop {
                return from;
            }
        }
        from
    }

    /// Circles in a block of a map that is a box.
    #[inline(always)]
    fn boxed_circles<K: Kernels>(&mut self, level: &Level, block: &Block) {
        let table = &self.scene.grid.starts()[level.base as usize..];
        let stride = level.map.stride();
        let columns = (block.columns.1 - block.columns.0 + 1) as u32;
        let mut key = level.map.key_of(block.columns.0, block.rows.0);
        for _ in block.rows.0..=block.rows.1 {
            let run = table[key as usize]..table[(key + columns) as usize];
            self.circles::<K>(run);
            key += stride;
        }
    }

    /// Circles of a level, from a time on.
    #[inline(always)]
    pub(super) fn along_circles<K: Kernels>(&mut self, level: &Level, from: f64) {
        let map = &level.map;
        let count = level.rows.end - level.rows.start;
        let reach = f64::from(self.flight.radius) + f64::from(level.size);
        let bounds = level.extent().map(|corner| corner.map(f64::from));
        let stretches = Stretches::new(map, &self.flight, bounds, reach, [from, self.stop]);
        let Some(mut stretches) = (if count <= 8 { None } else { stretches }) else {
            return self.circles::<K>(level.rows.clone());
        };
        let mut budget = u64::from(count) + 256;
        while let Some((block, _)) = stretches.next(self.stop) {
            let (cells, apart) = block.cells(map);
            if cells > budget || !apart {
                return self.circles::<K>(level.rows.clone());
            }
            budget -= cells;
            if map.is_torus() {
                for row in block.rows.0..=block.rows.1 {
                    for run in self.scene.grid.interval(level, row, block.columns.0, block.columns.1) {
                        self.circles::<K>(run);
                    }
                }
            } else {
                self.boxed_circles::<K>(level, &block);
            }
            if self.is_done() {
                return;
            }
        }
        if stretches.end > stretches.to && self.stop > stretches.to {
            self.circles::<K>(level.rows.clone());
        }
    }

    /// Segments of a level.
    #[inline(always)]
    pub(super) fn along_segments<K: Kernels>(&mut self, cells: &Cells, level: &CellLevel) {
        let (map, entries) = (&level.map, &cells.entries().view());
        let count = level.entries.end - level.entries.start;
        let reach = f64::from(self.flight.radius);
        // What is registered lies where indices are linear.
        let limit = f64::from(LINEAR);
        let (origin, cell) = (map.origin().map(f64::from), f64::from(map.cell()));
        let mut bounds = [level.low, level.high];
        for axis in 0..2 {
            let (low, high) = (origin[axis] - limit * cell, origin[axis] + limit * cell);
            bounds[0][axis] = if bounds[0][axis] < low { low } else { bounds[0][axis] };
            bounds[1][axis] = if bounds[1][axis] > high { high } else { bounds[1][axis] };
        }
        let stretches = Stretches::new(map, &self.flight, bounds, reach, [0.0, self.stop]);
        let Some(mut stretches) = (if count <= 16 { None } else { stretches }) else {
            return self.all_of::<K>(entries, level.entries.clone());
        };
        let mut budget = u64::from(count) + 256;
        while let Some((block, _)) = stretches.next(self.stop) {
            let (many, apart) = block.cells(map);
            if many > budget || !apart {
                return self.all_of::<K>(entries, level.entries.clone());
            }
            budget -= many;
            for row in block.rows.0..=block.rows.1 {
                let [run, rest] = cells.interval(level, row, block.columns.0, block.columns.1);
                self.all_of::<K>(entries, run);
                self.all_of::<K>(entries, rest);
            }
            if self.is_done() {
                return;
            }
        }
        if stretches.end > stretches.to && self.stop > stretches.to {
            self.all_of::<K>(entries, level.entries.clone());
        }
    }
}
