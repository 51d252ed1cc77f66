//! The search for what is nearest: squares of cells about the point, each twice as wide as the last.
//!
//! Comes in: a scene, a filter, a point, room for the best. Goes out: the best. Knows no batches and no records.
//!
//! A level is searched about `c`, the point `p` cut to the box around all of the level. With D = |p - c|, a point of that box that is H and
//! more from `c` on an axis is at least √(D² + H²) from `p`, since the box is convex and `c` its nearest point. So with nothing of
//! interest beyond L, and circles no larger than s about the positions that are binned, the square of H = √((L + s)² - D²) holds all, and
//! the level holds nothing where L + s < D. L shrinks as the best get better. Both are computed in double precision with an allowance of
//! 2^-40 of their terms, far above the rounding.
//!
//! Where cells lie on a torus and few are near, squares go on in wide [`Regions`], from the first of them in which somebody is.
//!
//! Cost: a look at what the last square and the one before it hold, of each level; never more than twice all there is.

use super::area::{self, Area, Bounds, Reach};
use super::best::Best;
use super::touching::columns;
use super::{Look, Scene, Target};
use crate::broad_phase::{CellMap, Cells, Entries, Level, Regions};
use crate::geometry::{self, Circles};
use crate::kernels::{Kernels, LANES, Near, Probe};
use std::ops::Range;

/// So many cells on a torus are many.
const MANY: u32 = 256;
const ALLOWANCE: f64 = 1.0 / (1u64 << 40) as f64;

/// See the head of the module.
pub(super) struct Around<'a, 'f, 'b> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    p: [f32; 2],
    best: Best<'b>,
}

/// One level, as the squares see it.
#[derive(Clone, Copy)]
struct Field {
    around: Bounds,
    /// The point of the level's box that is nearest.
    c: [f64; 2],
    /// How far that is, or a little less.
    off: f64,
    /// The largest radius about a position.
    size: f64,
}

impl Field {
    #[inline(always)]
    fn new(p: [f32; 2], around: Bounds, size: f32) -> Field {
        let p = p.map(f64::from);
        let cut = |v: f64, low: f64, high: f64| {
            if v < low {
                low
            } else if v > high {
                high
            } else {
                v
            }
        };
        let c = [cut(p[0], around[0], around[2]), cut(p[1], around[1], around[3])];
        let (dx, dy) = (p[0] - c[0], p[1] - c[1]);
        // The corners of a box of segments are rounded sums: by far less than the allowance of where they are.
        let slack = ALLOWANCE * (p[0].abs() + p[1].abs() + c[0].abs() + c[1].abs());
        let off = (dx * dx + dy * dy).sqrt() - slack;
        Field { around, c, off: if off > 0.0 { off } else { 0.0 }, size: f64::from(size) }
    }

    /// Half the width of the square that holds all there may be; below zero where there is nothing.
    #[inline(always)]
    fn needed(&self, limit: f32) -> f64 {
        // A distance that is rounded to the limit may be half a unit in the last place more.
        let most = (f64::from(limit.next_up()) + self.size) * (1.0 + ALLOWANCE);
        let square = (most - self.off) * (most + self.off);
        if limit < 0.0 || most < self.off {
            -1.0
        } else if square < f64::MAX {
            square.sqrt() * (1.0 + ALLOWANCE) + f64::MIN_POSITIVE
        } else {
            f64::MAX
        }
    }

    #[inline(always)]
    fn square(&self, half: f64) -> Bounds {
        let slack = |v: f64| half + ALLOWANCE * (half + v.abs());
        let [x, y] = self.c;
        let low = |v: f64, least: f64| if v - slack(v) > least { v - slack(v) } else { least };
        let high = |v: f64, most: f64| if v + slack(v) < most { v + slack(v) } else { most };
        let [x0, y0, x1, y1] = self.around;
        [low(x, x0), low(y, y0), high(x, x1), high(y, y1)]
    }
}

impl<'a, 'f, 'b> Around<'a, 'f, 'b> {
    pub(super) fn new(scene: &'a Scene<'a>, look: &'a Look<'f>, p: [f32; 2], best: Best<'b>) -> Self {
        Around { scene, look, p, best }
    }

    /// How many were found.
    pub(super) fn finish(self) -> usize {
        self.best.finish()
    }

    #[inline(always)]
    pub(super) fn all<K: Kernels>(&mut self) {
        if self.look.circles() {
            for index in 0..self.scene.grid.levels().len() {
                self.circles::<K>(index);
            }
        }
        if self.look.segments() {
            for cells in self.scene.cells {
                for index in 0..cells.levels().len() {
                    self.segments::<K>(cells, index);
                }
                let apart = cells.apart();
                self.entries::<K>(apart, 0..apart.rows.len() as u32);
            }
        }
    }

    #[inline(always)]
    fn circles<K: Kernels>(&mut self, index: usize) {
        let (grid, level) = (self.scene.grid, &self.scene.grid.levels()[index]);
        let field = Field::new(self.p, level.around(), level.size);
        let mut rings = Rings::new(f64::from(level.map.cell()));
        while let Some(square) = rings.next(&field, self.best.limit()) {
            let reach = area::of_positions(&level.map, square);
            if let Some((regions, map)) = self.regions(level, &field, reach) {
                return self.far_circles::<K>(level, &field, regions, map);
            }
            let Reach::Cells(area) = reach else {
                return self.circle_run::<K>(level.size, level.rows.clone());
            };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for [first, last] in apart_from(area.columns, before, row) {
                    if first <= last {
                        for run in grid.interval(level, row, first, last) {
                            self.circle_run::<K>(level.size, run);
                        }
                    }
                }
            }
            self.best.cut();
        }
    }

    /// What to look at instead of many cells, or of all there is around a torus: only where the first regions hold no more circles than that
    /// would be cells. Squares double, so what was spent before is then about as much again.
    #[inline(always)]
    fn regions(&self, level: &Level, field: &Field, reach: Reach) -> Option<(&'a Regions, &'a CellMap)> {
        let spent = match reach {
            Reach::Cells(area) => cells_of(area),
            _ => (level.rows.end - level.rows.start) / 16,
        };
        if spent < MANY {
            return None;
        }
        let regions = self.scene.grid.regions(level, spent)?;
        let map = regions.map()?;
        let first = area::of_positions(map, field.square(first_half(regions, map, field)));
        let Reach::Cells(Area { rows, columns }) = first else { return None };
        if regions.count(map, rows, columns) <= spent as usize { Some((regions, map)) } else { None }
    }

    /// The same in regions, from the first that somebody is in.
    #[inline(always)]
    fn far_circles<K: Kernels>(&mut self, level: &Level, field: &Field, regions: &Regions, map: &CellMap) {
        let mut rings = Rings::new(f64::from(map.cell()));
        rings.half = first_half(regions, map, field);
        while let Some(square) = rings.next(field, self.best.limit()) {
            // Regions are a box of cells: all that is asked for are some of them.
            let Reach::Cells(area) = area::of_positions(map, square) else { return };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for columns in apart_from(area.columns, before, row) {
                    if columns[0] <= columns[1] {
                        for rows in regions.rows(map, row, columns).chunks(LANES) {
                            self.circle_rows::<K>(level.size, rows);
                        }
                    }
                }
            }
            self.best.cut();
        }
    }

    #[inline(always)]
    fn circle_run<K: Kernels>(&mut self, largest: f32, run: Range<u32>) {
        let circles = self.scene.circles();
        let mut at = run.start;
        while at < run.end {
            let Some(probe) = self.probe(largest) else { return };
            let mut mask = K::circle_mask(circles, probe, at, run.end - at);
            while mask != 0 {
                self.circle(at + mask.trailing_zeros());
                mask &= mask - 1;
            }
            at += LANES as u32;
        }
    }

    /// At most eight, wherever they are.
    #[inline(always)]
    fn circle_rows<K: Kernels>(&mut self, largest: f32, rows: &[u32]) {
        let Some(probe) = self.probe(largest) else { return };
        let (from, mut to) = (self.scene.circles(), [[f32::NAN; LANES]; 3]);
        for (k, &row) in rows.iter().enumerate() {
            let row = row as usize;
            (to[0][k], to[1][k], to[2][k]) = (from.x[row], from.y[row], from.radius[row]);
        }
        let circles = Circles { x: &to[0], y: &to[1], radius: &to[2] };
        let mut mask = K::circle_mask(circles, probe, 0, rows.len() as u32);
        while mask != 0 {
            self.circle(rows[mask.trailing_zeros() as usize]);
            mask &= mask - 1;
        }
    }

    /// Who may still be among the best; none where nobody may.
    #[inline(always)]
    fn probe(&self, largest: f32) -> Option<Probe> {
        let limit = self.best.limit();
        let largest = if largest < limit { limit } else { largest };
        let reach = limit.next_up() + Probe::grow(largest);
        if limit < 0.0 { None } else { Some(Probe { x: self.p[0], y: self.p[1], reach }) }
    }

    /// One that may be, by its row in cell order.
    #[inline(always)]
    fn circle(&mut self, row: u32) {
        let name = self.scene.name(row);
        if self.scene.sees_circle(self.look, name) {
            let distance = geometry::distance_to_disc(self.p, self.scene.circle(row));
            self.best.offer(distance, Target::circle(name), row);
        }
    }

    #[inline(always)]
    fn segments<K: Kernels>(&mut self, cells: &'a Cells, index: usize) {
        let level = &cells.levels()[index];
        if level.entries.start == level.entries.end {
            return;
        }
        let field = Field::new(self.p, [level.low[0], level.low[1], level.high[0], level.high[1]], 0.0);
        let mut rings = Rings::new(f64::from(level.map.cell()));
        while let Some(square) = rings.next(&field, self.best.limit()) {
            let Reach::Cells(area) = area::of_segments(level, square) else {
                self.entries::<K>(cells.entries(), level.entries.clone());
                return;
            };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for [first, last] in apart_from(area.columns, before, row) {
                    if first <= last {
                        for run in cells.interval(level, row, first, last) {
                            self.entries::<K>(cells.entries(), run);
                        }
                    }
                }
            }
            self.best.cut();
        }
    }

    #[inline(always)]
    fn entries<K: Kernels>(&mut self, entries: &Entries, run: Range<u32>) {
        let segments = columns(entries);
        let mut at = run.start;
        while at < run.end {
            let limit = self.best.limit();
            if limit < 0.0 {
                return;
            }
            let mut mask = K::near_mask(segments, &Near::new(self.p, limit.next_up()), at, run.end - at);
            while mask != 0 {
                let entry = (at + mask.trailing_zeros()) as usize;
                mask &= mask - 1;
                let row = entries.rows[entry];
                if self.scene.sees_segment(self.look, row) {
                    let distance = geometry::distance_to(self.p, entries.segment(entry));
                    self.best.offer(distance, Target::segment(row), 0);
                }
            }
            at += LANES as u32;
        }
    }
}

/// Half of the first square of regions: as far as nobody is, at least half a region.
#[inline(always)]
fn first_half(regions: &Regions, map: &CellMap, field: &Field) -> f64 {
    let (clear, half) = (regions.clear(field.c), f64::from(map.cell()) * 0.5);
    if clear > half { clear } else { half }
}

fn cells_of(area: Area) -> u32 {
    let across = |[first, last]: [i32; 2]| (last - first) as u32 + 1;
    across(area.rows).saturating_mul(across(area.columns))
}

/// Squares that double, and the cells of the last one.
struct Rings {
    half: f64,
    done: f64,
    before: Option<Area>,
}

impl Rings {
    #[inline(always)]
    fn new(cell: f64) -> Rings {
        // A cell that is too wide to be a number is all there is.
        Rings { half: if cell < 1e38 { cell * 0.5 } else { f64::MAX }, done: -1.0, before: None }
    }

    /// The next square; none where the last one held all that may matter.
    #[inline(always)]
    fn next(&mut self, field: &Field, limit: f32) -> Option<Bounds> {
        let needed = field.needed(limit);
        if self.done >= needed {
            return None;
        }
        let half = if self.half < needed { self.half } else { needed };
        let square = field.square(half);
        // A square that holds the whole level is the last.
        self.done = if square == field.around { f64::MAX } else { half };
        self.half = half * 2.0;
        Some(square)
    }

    /// The cells of this square from now on, and those of the one before.
    #[inline(always)]
    fn replace(&mut self, area: Area) -> Option<Area> {
        self.before.replace(area)
    }
}

/// The columns of a row that are not in the smaller area.
#[inline(always)]
fn apart_from(columns: [i32; 2], before: Option<Area>, row: i32) -> [[i32; 2]; 2] {
    match before {
        Some(before) if before.rows[0] <= row && row <= before.rows[1] => {
            [[columns[0], before.columns[0] - 1], [before.columns[1] + 1, columns[1]]]
        }
        _ => [columns, [0, -1]],
    }
}
