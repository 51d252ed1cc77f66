//! What is nearest where few are near: squares of wide regions instead of many cells of a torus, or of all there is.
//!
//! Comes in: a search, a level, what the next square would take. Goes out: what is in the squares from the first region on that somebody is in, held
//! against the best. Only where the first of them hold no more than that would be cells: squares double, so what was spent before is then
//! about as much again.

use super::super::area::{self, Area, Reach};
use super::super::squares::{self, Field, Rings, apart_from};
use super::Around;
use crate::broad_phase::{CellLevel, CellMap, Cells, Entries, Level, Regions, Strewn};
use crate::geometry::{Capsules, Circles};
use crate::kernels::{Kernels, LANES};
use std::cmp::{max, min};

/// So many cells on a torus are many.
const MANY: u32 = 256;

/// Regions to look at, and about which point.
#[derive(Clone, Copy)]
pub(super) struct Far<'a> {
    field: Field,
    regions: &'a Regions,
    map: &'a CellMap,
}

impl<'a> Far<'a> {
    /// None where that is not worth while; `spent`: in cells.
    fn new(field: Field, regions: &'a Regions, spent: u32) -> Option<Far<'a>> {
        let map = regions.map()?;
        let first = area::of_positions(map, field.square(first_region(regions, map, &field)));
        let Reach::Cells(Area { rows, columns }) = first else { return None };
        (regions.count(map, rows, columns) <= spent as usize).then_some(Far { field, regions, map })
    }
}

impl<'a> Around<'a, '_, '_> {
    /// What to look at instead of this, of circles.
    #[inline(always)]
    pub(super) fn regions(&self, level: &Level, field: &Field, reach: Reach) -> Option<Far<'a>> {
        let spent = many(reach, level.rows.end - level.rows.start)?;
        Far::new(*field, self.scene.grid.regions(level, spent)?, spent)
    }

    /// The same of segments, by where they start.
    #[inline(always)]
    pub(super) fn strewn(&self, cells: &'a Cells, level: &CellLevel, reach: Reach) -> Option<(Far<'a>, &'a Strewn)> {
        let spent = many(reach, level.entries.end - level.entries.start)?;
        let strewn = if level.map.is_torus() { cells.strewn(level, spent)? } else { return None };
        let regions = strewn.regions()?;
        Some((Far::new(Field::new(self.p, regions.around(), strewn.size()), regions, spent)?, strewn))
    }

    /// The circles in regions, from the first that somebody is in, square after square.
    #[inline(always)]
    pub(super) fn far_circles<K: Kernels>(&mut self, Far { field, regions, map }: Far<'a>) {
        let mut rings = Rings::new(first_region(regions, map, &field));
        self.twice = true;
        while let Some(square) = rings.next(&field, self.best.limit()) {
            // Regions are a box of cells: all that is asked for are some of them.
            let Reach::Cells(area) = area::of_positions(map, square) else { return };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for columns in apart_from(area.columns, before, row) {
                    if columns[0] <= columns[1] {
                        for rows in regions.rows(map, row, columns).chunks(LANES) {
                            self.circle_rows::<K>(rows);
                        }
                    }
                }
            }
            self.best.cut::<K>(self.twice);
        }
    }

    /// The segments likewise. Where they go far from where they start many regions are reached: from the middle on, and as far as the limit.
    #[inline(always)]
    pub(super) fn far_segments<K: Kernels>(
        &mut self,
        Far { field, regions, map }: Far<'a>,
        entries: &Entries,
        strewn: &Strewn,
    ) {
        let mut rings = Rings::new(first_region(regions, map, &field));
        self.twice = true;
        while let Some(square) = rings.next(&field, self.best.limit()) {
            let Reach::Cells(area) = area::of_positions(map, square) else { return };
            let before = rings.replace(area);
            for row in squares::rows(area, map, &field) {
                let [from, to] = field.columns(area, map, row, self.best.limit());
                for [first, last] in apart_from(area.columns, before, row) {
                    let columns = [max(first, from), min(last, to)];
                    if columns[0] <= columns[1] {
                        for rows in regions.rows(map, row, columns).chunks(LANES) {
                            self.segment_rows::<K>(entries, strewn, rows);
                        }
                    }
                }
            }
            self.best.cut::<K>(self.twice);
        }
    }

    /// At most eight, wherever they are.
    #[inline(always)]
    fn circle_rows<K: Kernels>(&mut self, rows: &[u32]) {
        let (from, mut to, mut eight) = (self.scene.circles(), [[f32::NAN; LANES]; 3], [0; LANES]);
        for (k, &row) in rows.iter().enumerate() {
            eight[k] = row;
            let row = row as usize;
            (to[0][k], to[1][k], to[2][k]) = (from.x[row], from.y[row], from.radius[row]);
        }
        let circles = Circles { x: &to[0], y: &to[1], radius: &to[2] };
        let found = K::circle_distances(circles, self.p, self.best.limit(), 0, rows.len() as u32);
        let mask = self.seen_circles(found.mask, &eight);
        self.offer::<K>(&found, mask, &eight, true);
    }

    /// The same of segments.
    #[inline(always)]
    fn segment_rows<K: Kernels>(&mut self, entries: &Entries, strewn: &Strewn, rows: &[u32]) {
        let (mut to, mut eight) = ([[f32::NAN; LANES]; 5], [0; LANES]);
        for (k, &row) in rows.iter().enumerate() {
            let entry = strewn.entry(row) as usize;
            let segment = entries.segment(entry);
            eight[k] = entries.rows[entry];
            (to[0][k], to[1][k]) = (segment.start.x, segment.start.y);
            (to[2][k], to[3][k], to[4][k]) = (segment.end.x, segment.end.y, segment.radius);
        }
        let [x0, y0, x1, y1, radius] = &to;
        let segments = Capsules { x0, y0, x1, y1, radius };
        let found = K::segment_distances(segments, self.p, self.best.limit(), 0, rows.len() as u32);
        let mask = self.seen_segments(found.mask, &eight);
        self.offer::<K>(&found, mask, &eight, false);
    }
}

/// What it takes to look at what is reached of so many, in cells; none if it is little.
#[inline(always)]
fn many(reach: Reach, all: u32) -> Option<u32> {
    let spent = match reach {
        Reach::Cells(area) => area.count(),
        _ => all / 16,
    };
    (spent >= MANY).then_some(spent)
}

/// Half of the first square: as far as nobody is, at least half a region.
#[inline(always)]
fn first_region(regions: &Regions, map: &CellMap, field: &Field) -> f64 {
    let (clear, half) = (regions.clear(field.c), f64::from(map.cell()) * 0.5);
    if clear > half { clear } else { half }
}
