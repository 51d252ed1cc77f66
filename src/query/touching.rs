//! What touches one shape.
//!
//! Comes in: a scene, a filter, a shape. Goes out: the bodies it touches, circles first, each kind by row. Cells say what need not be asked,
//! lanes what surely misses, `geometry` decides. This room does not know where the shape comes from.
//!
//! A segment may be under several of the cells: what was found is sorted and each kept once. Everything that reaches a kernel is inlined
//! into one function for each instruction set.

use super::area::{self, Area, Bounds, Reach, Strip};
use super::shapes::Shape;
use super::{Look, Scene, Target};
use crate::broad_phase::{CellLevel, Cells, Entries, Level};
use crate::geometry::Capsules;
use crate::kernels::{Kernels, LANES, Operation};
use std::ops::Range;

/// So many that were found last are looked through before a segment is asked about again.
const LATELY: usize = 16;

/// Lists of segments as the lanes want them.
#[inline(always)]
pub(super) fn columns(entries: &Entries) -> Capsules<'_> {
    Capsules { x0: &entries.x0, y0: &entries.y0, x1: &entries.x1, y1: &entries.y1, radius: &entries.radius }
}

/// Appends what `shape` touches to `found`; with `ANY` it stops at the first, appends nothing, and tells whether there is one.
pub(super) struct Overlap<'a, 'f, S, const ANY: bool> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'f>,
    pub(super) shape: S,
    pub(super) found: &'a mut Vec<Target>,
    /// Where the segments of this shape begin in `found`, set by the search.
    pub(super) start: usize,
}

impl<S: Shape, const ANY: bool> Operation for Overlap<'_, '_, S, ANY> {
    type Output = bool;
    #[inline(always)]
    fn run<K: Kernels>(mut self) -> bool {
        self.all::<K>()
    }
}

impl<'a, 'f, S: Shape, const ANY: bool> Overlap<'a, 'f, S, ANY> {
    /// True if it was to stop and has.
    #[inline(always)]
    pub(super) fn all<K: Kernels>(&mut self) -> bool {
        let (bounds, from) = (self.shape.bounds(), self.found.len());
        if self.look.circles() {
            for level in self.scene.grid.levels() {
                if self.circles::<K>(level, bounds) {
                    return true;
                }
            }
            by_row(&mut self.found[from..]);
        }
        if self.look.segments() {
            let from = self.found.len();
            self.start = from;
            for cells in self.scene.cells {
                for level in cells.levels() {
                    if self.segments::<K>(cells, level, bounds) {
                        return true;
                    }
                }
                let apart = cells.apart();
                if self.entries::<K>(apart, 0..apart.rows.len() as u32) {
                    return true;
                }
            }
            // One that is under several of the cells was found in each.
            by_row(&mut self.found[from..]);
            let mut kept = from;
            for at in from..self.found.len() {
                if kept == from || self.found[at] != self.found[kept - 1] {
                    self.found[kept] = self.found[at];
                    kept += 1;
                }
            }
            self.found.truncate(kept);
        }
        false
    }

    #[inline(always)]
    fn circles<K: Kernels>(&mut self, level: &Level, bounds: Bounds) -> bool {
        let reach = area::of_circles(level, bounds);
        if reach == Reach::Nothing {
            return false;
        }
        if let Some((ends, radius)) = self.shape.core() {
            let reach = (radius + level.size).next_up();
            let Some(mut strip) = Strip::first(&level.map, ends, reach) else {
                return self.circle_run::<K>(level, level.rows.clone());
            };
            loop {
                for &[row, first, last] in strip.rows() {
                    for run in self.scene.grid.interval(level, row, first, last) {
                        if self.circle_run::<K>(level, run) {
                            return true;
                        }
                    }
                }
                if !strip.next(&level.map, ends, reach) {
                    return false;
                }
            }
        }
        let Reach::Cells(Area { rows, columns }) = reach else {
            return self.circle_run::<K>(level, level.rows.clone());
        };
        for row in rows[0]..=rows[1] {
            for run in self.scene.grid.interval(level, row, columns[0], columns[1]) {
                if self.circle_run::<K>(level, run) {
                    return true;
                }
            }
        }
        false
    }

    #[inline(always)]
    fn circle_run<K: Kernels>(&mut self, level: &Level, run: Range<u32>) -> bool {
        let (circles, mut at) = (self.scene.circles().even(), run.start);
        while at < run.end {
            let mut mask = self.shape.circle_mask::<K>(circles, level.size, at, run.end - at);
            while mask != 0 {
                let row = at + mask.trailing_zeros();
                mask &= mask - 1;
                let name = self.scene.name(row);
                if self.scene.sees_circle(self.look, name) && self.shape.touches_circle(self.scene.circle(row)) {
                    if ANY {
                        return true;
                    }
                    self.found.push(Target::circle(name));
                }
            }
            at += LANES as u32;
        }
        false
    }

    #[inline(always)]
    fn segments<K: Kernels>(&mut self, cells: &'a Cells, level: &'a CellLevel, bounds: Bounds) -> bool {
        let reach = area::of_segments(level, bounds);
        if reach == Reach::Nothing {
            return false;
        }
        if let Some((ends, radius)) = self.shape.core() {
            let Some(mut strip) = Strip::first(&level.map, ends, radius) else {
                return self.entries::<K>(cells.entries(), level.entries.clone());
            };
            loop {
                for &[row, first, last] in strip.rows() {
                    for run in cells.interval(level, row, first, last) {
                        if self.entries::<K>(cells.entries(), run) {
                            return true;
                        }
                    }
                }
                if !strip.next(&level.map, ends, radius) {
                    return false;
                }
            }
        }
        let Reach::Cells(Area { rows, columns }) = reach else {
            return self.entries::<K>(cells.entries(), level.entries.clone());
        };
        for row in rows[0]..=rows[1] {
            for run in cells.interval(level, row, columns[0], columns[1]) {
                if self.entries::<K>(cells.entries(), run) {
                    return true;
                }
            }
        }
        false
    }

    /// Appends those that touch, asked of the copies in the list: the columns by row are somewhere else in memory.
    #[inline(always)]
    fn entries<K: Kernels>(&mut self, entries: &Entries, run: Range<u32>) -> bool {
        let segments = columns(entries);
        let mut at = run.start;
        while at < run.end {
            let mut mask = self.shape.segment_mask::<K>(segments, at, run.end - at);
            while mask != 0 {
                let entry = (at + mask.trailing_zeros()) as usize;
                mask &= mask - 1;
                let row = entries.rows[entry];
                // Nearly always it is under the cells beside this one that a segment has been found before.
                let before = &self.found[self.start..];
                let lately = &before[before.len() - if before.len() < LATELY { before.len() } else { LATELY }..];
                if !ANY && lately.contains(&Target::segment(row)) {
                    continue;
                }
                if self.scene.sees_segment(self.look, row) && self.shape.touches_segment(entries.segment(entry)) {
                    if ANY {
                        return true;
                    }
                    self.found.push(Target::segment(row));
                }
            }
            at += LANES as u32;
        }
        false
    }
}

/// Sorted by row: a few by insertion, which is what a few are.
#[inline(always)]
pub(super) fn by_row(found: &mut [Target]) {
    if found.len() > 24 {
        found.sort_unstable_by_key(|target| target.row);
        return;
    }
    for i in 1..found.len() {
        let target = found[i];
        let mut at = i;
        while at > 0 && found[at - 1].row > target.row {
            found[at] = found[at - 1];
            at -= 1;
        }
        found[at] = target;
    }
}
