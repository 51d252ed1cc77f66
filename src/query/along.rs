//! Along a flight, stretch by stretch, box of cells by box of cells.
//!
//! Comes in: a search, a level of circles by their centres, or of segments under their cells. Goes out: what is near a stretch, held against
//! the flight, in its order, until nothing more can matter. This room does not know what is kept.
//!
//! *Why nothing is lost.* What is met while the centre is on a stretch has a point within `R` of that piece on both axes: `R` is the
//! radius of what flies, for circles and the largest of the level as well, and the point is their centre. So it lies in the box about
//! the piece, `R` wider on each side. In cells, an index is off by at most 2^-6 (see [`CellMap`]), registration under cells not at all, the
//! box by the rounding of p (see [`super::march`]) and of `R`, far less: [`MARGIN`] = 2^-4 covers all. Where indices are not linear, or
//! positions too coarse, the cells about all of the flight are looked at (see [`area`]), or all of the level; so too where it flies out of where they
//! are linear, and more may be met.
//!
//! While a stretch begins in the box of a boxed map, nothing is clipped: what lies beyond the rim is kept in its cells, and indices are cut to
//! them on both sides. How a flight comes in and out is left to the stretches that are clipped.
//!
//! Where cells lie on a torus, a stretch is longer where few are near: see [`super::wide`].
//!
//! *Cost*: the cells of the boxes; where those are more than some, all of the level once.

use super::area::{self, Area, Reach};
use super::flight::Flight;
use super::march::{Scaled, within};
use super::search::{List, Search};
use super::wide::Wide;
use crate::broad_phase::{CellLevel, CellMap, Cells, LINEAR, Level, Regions, floor};
use crate::kernels::Kernels;
use std::ops::Range;

/// In cells.
pub(super) const MARGIN: f64 = 1.0 / 16.0;
/// A stretch among circles is so many cells long, or as long as `R`.
pub(super) const STRETCH: f64 = 3.0;
/// The first one, in which many a flight ends: longer, and more circles are looked at in vain; shorter, and more flights need another.
const FIRST: f64 = 1.5;
/// The same among segments, of which long ones lie in many cells.
const STEP: f64 = 1.0;
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

/// The runs of a [`Block`].
pub(super) struct Runs<'a> {
    table: &'a [u32],
    key: u32,
    columns: u32,
    stride: u32,
    pub(super) left: u32,
}

impl Iterator for Runs<'_> {
    type Item = Range<u32>;
    #[inline(always)]
    fn next(&mut self) -> Option<Range<u32>> {
        if self.left == 0 {
            return None;
        }
        let run = self.table[self.key as usize]..self.table[(self.key + self.columns) as usize];
        self.key += self.stride;
        self.left -= 1;
        Some(run)
    }
}

/// A box of cells, both ends included.
pub(super) struct Block {
    columns: (i32, i32),
    rows: (i32, i32),
}

impl Stretches {
    /// `None`: the level has to be looked at as a whole. `bounds`: of what is looked for, without `reach`. `stretch`: how many cells one is long.
    #[inline(always)]
    fn new(
        map: &CellMap,
        flight: &Flight,
        bounds: [[f64; 2]; 2],
        reach: f64,
        [from, to]: [f64; 2],
        stretch: f64,
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
        let length = if reach > stretch { reach } else { stretch };
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

/// Stretches of a flight in the box of a map, of which nothing is clipped.
#[derive(Clone, Copy)]
pub(super) struct Near {
    p: [f64; 2],
    q: [f64; 2],
    reach: f64,
    each: f64,
    last: (i32, i32),
}

impl Near {
    /// None where the map is no box, or its cells are small for its circles.
    #[inline(always)]
    pub(super) fn new(level: &Level, flight: &Flight) -> Option<Near> {
        let near = Near::of(level, flight);
        // A torus has a last column and row of -1 or less: no stretch begins in it.
        if near.reach < STRETCH && near.last.0 >= 0 { Some(near) } else { None }
    }

    /// Whether there is one for rays.
    pub(super) fn is_there(level: &Level) -> bool {
        let near = Near::still(level, 0.0);
        near.reach < STRETCH && near.last.0 >= 0
    }

    /// As if there were one.
    #[inline(always)]
    pub(super) fn of(level: &Level, flight: &Flight) -> Near {
        let map = &level.map;
        let (origin, per) = (map.origin(), f64::from(map.inverse()));
        let ([ox, oy], [vx, vy], [x, y]) = (flight.o, flight.v, flight.inverse);
        let p = [(ox - f64::from(origin[0])) * per, (oy - f64::from(origin[1])) * per];
        let q = [vx * per, vy * per];
        // On the axis on which it is faster, and roughly, which will do.
        let (x, y) = (x.abs(), y.abs());
        let each = if x < y { x } else { y } * f64::from(map.cell());
        Near { p, q, each, ..Near::still(level, f64::from(flight.radius)) }
    }

    /// Of what has this radius and does not move.
    #[inline(always)]
    fn still(level: &Level, radius: f64) -> Near {
        let (per, last) = (f64::from(level.map.inverse()), level.map.last());
        Near { p: [0.0; 2], q: [0.0; 2], each: 0.0, reach: (radius + f64::from(level.size)) * per + MARGIN, last }
    }

    /// What differs from ray to ray.
    #[inline(always)]
    pub(super) fn parts(&self) -> [f64; 5] {
        let Near { p, q, each, .. } = *self;
        [p[0], p[1], q[0], q[1], each]
    }

    /// Of a ray, from that.
    #[inline(always)]
    pub(super) fn of_parts(level: &Level, [px, py, qx, qy, each]: [f64; 5]) -> Near {
        Near { p: [px, py], q: [qx, qy], each, ..Near::still(level, 0.0) }
    }

    /// The next stretch: its cells, and when it ends. None if it begins outside.
    #[inline(always)]
    pub(super) fn block(&self, from: f64, stop: f64) -> Option<(Block, f64)> {
        let (block, until, is_inside) = self.block_from(from, stop);
        if is_inside { Some((block, until)) } else { None }
    }

    /// The same wherever it begins, and whether that is inside.
    #[inline(always)]
    pub(super) fn block_from(&self, from: f64, stop: f64) -> (Block, f64, bool) {
        let Near { p, q, each, last, .. } = *self;
        let (x, y) = (p[0] + from * q[0], p[1] + from * q[1]);
        let is_inside = (x >= 0.0) & (y >= 0.0) & (x <= f64::from(last.0) + 1.0) & (y <= f64::from(last.1) + 1.0);
        let until = from + if from > 0.0 { STRETCH * each } else { FIRST * each };
        let until = if until < stop { until } else { stop };
        let columns = self.span(x, p[0] + until * q[0], last.0);
        let rows = self.span(y, p[1] + until * q[1], last.1);
        (Block { columns, rows }, until, is_inside)
    }

    #[inline(always)]
    fn span(&self, a: f64, b: f64, last: i32) -> (i32, i32) {
        // Which way is anyone's guess: no branch.
        let (a, b) = (a / 2.0 + b / 2.0, (b - a).abs() / 2.0 + self.reach);
        (within(floor(a - b), last), within(floor(a + b), last))
    }
}

impl Block {
    /// As numbers.
    #[inline(always)]
    pub(super) fn parts(&self) -> [u32; 4] {
        [self.columns.0 as u32, self.columns.1 as u32, self.rows.0 as u32, self.rows.1 as u32]
    }

    /// And back.
    #[inline(always)]
    pub(super) fn of_parts([c0, c1, r0, r1]: [u32; 4]) -> Block {
        Block { columns: (c0 as i32, c1 as i32), rows: (r0 as i32, r1 as i32) }
    }

    /// The run of each row, in order, of a map that is a box.
    #[inline(always)]
    pub(super) fn runs<'a>(&self, level: &Level, starts: &'a [u32]) -> Runs<'a> {
        Runs {
            table: &starts[level.base as usize..],
            key: level.map.key_of(self.columns.0, self.rows.0),
            columns: (self.columns.1 - self.columns.0 + 1) as u32,
            stride: level.map.stride(),
            left: (self.rows.1 - self.rows.0 + 1) as u32,
        }
    }

    /// Its cells, and whether each has a key of its own.
    #[inline(always)]
    fn cells(&self, map: &CellMap) -> (u64, bool) {
        let columns = (self.columns.1 - self.columns.0) as u64 + 1;
        let rows = (self.rows.1 - self.rows.0) as u64 + 1;
        (columns * rows, !map.is_torus() || columns < u64::from(map.stride()) && rows < u64::from(map.cells()))
    }
}

impl<K: Kernels, const WHAT: u8> Search<'_, K, WHAT> {
    /// Circles of a level from a time on, for so many stretches, as long as they begin in the box of the map: there nothing has to be clipped.
    /// Tells until when all has been looked at.
    #[inline(always)]
    pub(super) fn near_circles(&mut self, level: &Level, mut from: f64, most: u32) -> f64 {
        let Some(near) = Near::new(level, &self.flight) else { return from };
        for _ in 0..most {
            let Some((block, until)) = near.block(from, self.stop) else { return from };
            self.boxed_circles(level, &block, until);
            self.settle();
            from = until;
            if until >= self.stop {
                return from;
            }
        }
        from
    }

    /// Circles in a block of a map that is a box.
    #[inline(always)]
    fn boxed_circles(&mut self, level: &Level, block: &Block, until: f64) {
        for run in block.runs(level, self.scene.grid.starts()) {
            self.circles(run, until);
        }
    }

    /// Circles of a level, from a time on.
    #[inline(always)]
    pub(super) fn by_stretches(&mut self, level: &Level, from: f64) {
        let map = &level.map;
        let count = level.rows.end - level.rows.start;
        let reach = f64::from(self.flight.radius) + f64::from(level.size);
        let bounds = level.extent().map(|corner| corner.map(f64::from));
        let stretches = Stretches::new(map, &self.flight, bounds, reach, [from, self.stop], STRETCH);
        let Some(mut stretches) = (if count <= 8 { None } else { stretches }) else {
            return if count <= 8 { self.whole_level(level.rows.clone()) } else { self.by_box(level, from) };
        };
        let mut budget = u64::from(count) + 256;
        // Stretches since one was longer, and cells since regions were asked for: the more, the less often.
        let (mut short, mut spent) = (0u32, 0);
        loop {
            if short & short.wrapping_sub(1) == 0 {
                if let Some(regions) = self.scene.grid.regions(level, spent)
                    && self.pass(level, &mut stretches, regions)
                {
                    short = 0;
                }
                spent = 0;
            }
            let Some((block, until)) = stretches.next(self.stop) else { break };
            let (cells, apart) = block.cells(map);
            if cells > budget || !apart {
                return self.whole_level(level.rows.clone());
            }
            budget -= cells;
            (short, spent) = (short + 1, spent + cells as u32);
            if map.is_torus() {
                for row in block.rows.0..=block.rows.1 {
                    for run in self.scene.grid.interval(level, row, block.columns.0, block.columns.1) {
                        self.circles(run, until);
                    }
                }
            } else {
                self.boxed_circles(level, &block, until);
            }
            self.settle();
            if self.is_done() {
                return;
            }
        }
        if stretches.end > stretches.to && self.stop > stretches.to {
            self.by_box(level, stretches.to);
        }
    }

    /// Circles of a level, from a time on: of the cells about all that is left of the flight, which positions have however far out they are; where
    /// those are many, all.
    #[inline(always)]
    fn by_box(&mut self, level: &Level, from: f64) {
        let (o, v, radius) = (self.flight.o, self.flight.v, f64::from(self.flight.radius));
        let mut bounds = [0.0; 4];
        for axis in 0..2 {
            let (a, b) = (o[axis] + from * v[axis], o[axis] + self.stop * v[axis]);
            // Far more than these few operations lose.
            let around = radius + (o[axis].abs() + self.stop * v[axis].abs()) * (1.0 / (1u64 << 50) as f64);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            (bounds[axis], bounds[axis + 2]) = (low - around, high + around);
        }
        match area::of_circles(level, bounds) {
            Reach::Nothing => {}
            Reach::Cells(Area { rows, columns })
                if (rows[1] - rows[0]) as u32 <= (level.rows.end - level.rows.start) / 16 =>
            {
                for row in rows[0]..=rows[1] {
                    for run in self.scene.grid.interval(level, row, columns[0], columns[1]) {
                        self.circles(run, f64::INFINITY);
                    }
                }
                self.settle();
            }
            _ => self.whole_level(level.rows.clone()),
        }
    }

    /// As far as there are few circles about, if that is further than a stretch.
    #[inline(always)]
    fn pass(&mut self, level: &Level, stretches: &mut Stretches, regions: &Regions) -> bool {
        let (start, Some(wide)) = (stretches.from, Wide::new(level, &self.flight)) else { return false };
        while stretches.from <= stretches.to && stretches.from < self.stop {
            let Some((until, rows)) = wide.next(regions, &mut stretches.from, self.stop) else { break };
            for &row in rows.into_iter().flatten() {
                self.circles(row..row + 1, until);
            }
            self.settle();
            stretches.from = until;
            if self.is_done() {
                break;
            }
        }
        stretches.from > start
    }

    /// Segments of a level.
    #[inline(always)]
    pub(super) fn segments_by_stretches(&mut self, cells: &Cells, level: &CellLevel, list: &List<'_>) {
        let map = &level.map;
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
        let stretches = Stretches::new(map, &self.flight, bounds, reach, [0.0, self.stop], STEP);
        let Some(mut stretches) = (if count <= 16 { None } else { stretches }) else {
            return self.whole_list(list, level.entries.clone());
        };
        let mut budget = u64::from(count) + 256;
        // As among circles.
        let (mut short, mut spent) = (0u32, 0);
        loop {
            if map.is_torus() && short & short.wrapping_sub(1) == 0 {
                let (start, strewn) = (stretches.from, cells.strewn(level, spent));
                if let Some((strewn, regions)) = strewn.and_then(|strewn| Some((strewn, strewn.regions()?)))
                    && let Some(wide) = Wide::about(map, f64::from(strewn.size()), &self.flight)
                {
                    wide.skip(regions, &mut stretches.from, self.stop);
                }
                (short, spent) = (if stretches.from > start { 0 } else { short }, 0);
            }
            let Some((block, until)) = stretches.next(self.stop) else { break };
            let (many, apart) = block.cells(map);
            (short, spent) = (short + 1, spent + many as u32);
            if many > budget || !apart {
                self.beam.set_limit(self.stop);
                return self.whole_list(list, level.entries.clone());
            }
            // What is met later is seen again.
            self.beam.set_limit(until);
            budget -= many;
            for row in block.rows.0..=block.rows.1 {
                let [run, rest] = cells.interval(level, row, block.columns.0, block.columns.1);
                self.all_of(list, run, f64::INFINITY);
                self.all_of(list, rest, f64::INFINITY);
            }
            if self.is_done() {
                return;
            }
        }
        self.beam.set_limit(self.stop);
        if stretches.end > stretches.to && self.stop > stretches.to {
            self.whole_list(list, level.entries.clone());
        }
    }
}
