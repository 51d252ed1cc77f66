//! What touches one shape.
//!
//! Comes in: a scene, a filter, a shape. Goes out: the bodies it touches, circles first, each kind by row. Cells say what need not be asked,
//! lanes what surely misses, `geometry` decides. This room does not know where the shape comes from.
//!
//! Mostly the lanes are sure of all that they find, and no branch depends on how many those are; only the others are asked about. A segment may be
//! under several of the cells: what was found is sorted and each kept once ([`super::found`]). Everything that reaches a kernel is inlined into
//! one function for each instruction set.

use super::area::{self, Along, Area, Bounds, Reach, Strip};
use super::found::Found;
use super::shapes::Shape;
use super::{Look, Scene, Target};
use crate::broad_phase::{CellLevel, Cells, Entries, Level};
use crate::geometry::Capsules;
use crate::kernels::{Kernels, LANES, Operation};
use std::ops::Range;

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
}

impl<S: Shape, const ANY: bool> Operation for Overlap<'_, '_, S, ANY> {
    type Output = bool;
    #[inline(always)]
    fn run<K: Kernels>(mut self) -> bool {
        self.all::<K>()
    }
}

impl<S: Shape, const ANY: bool> Overlap<'_, '_, S, ANY> {
    /// True if it was to stop and has.
    #[inline(always)]
    pub(super) fn all<K: Kernels>(&mut self) -> bool {
        let Overlap { scene, look, shape, found } = self;
        let (touching, bounds) = (Touching::<S, ANY> { scene, look, shape: *shape }, shape.bounds());
        if look.circles() {
            let mut found = Found::new(found);
            for level in scene.grid.levels() {
                if touching.circles::<K>(level, bounds, &mut found) {
                    return true;
                }
            }
            found.end::<K>();
        }
        look.segments() && self.segments::<K>()
    }

    /// Of segments alone.
    #[inline(always)]
    pub(super) fn segments<K: Kernels>(&mut self) -> bool {
        let Overlap { scene, look, shape, found } = self;
        let (touching, bounds) = (Touching::<S, ANY> { scene, look, shape: *shape }, shape.bounds());
        let mut found = Found::new(found);
        for cells in scene.cells {
            for level in cells.levels() {
                if touching.segments::<K>(cells, level, bounds, &mut found) {
                    return true;
                }
            }
            let apart = cells.apart();
            if touching.entries::<K>(apart, 0..apart.rows.len() as u32, &mut found) {
                return true;
            }
        }
        found.end::<K>();
        false
    }
}

/// One shape in a scene.
struct Touching<'a, 'f, S, const ANY: bool> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    shape: S,
}

impl<S: Shape, const ANY: bool> Touching<'_, '_, S, ANY> {
    #[inline(always)]
    fn circles<K: Kernels>(&self, level: &Level, bounds: Bounds, found: &mut Found<'_, false>) -> bool {
        let reach = area::of_circles(level, bounds);
        if reach == Reach::Nothing {
            return false;
        }
        if let Some((ends, radius)) = self.shape.core() {
            let reach = (radius + level.size).next_up();
            let mut strip = Strip::new(ends, reach);
            match strip.circles(level) {
                Along::Rows => {}
                Along::Nothing => return false,
                Along::All => return self.circle_run::<K>(level, level.rows.clone(), found),
            }
            loop {
                for &[row, first, last] in strip.rows() {
                    for run in self.scene.grid.interval(level, row, first, last) {
                        if self.circle_run::<K>(level, run, found) {
                            return true;
                        }
                    }
                }
                if !strip.next(&level.map) {
                    return false;
                }
            }
        }
        let Reach::Cells(Area { rows, columns }) = reach else {
            return self.circle_run::<K>(level, level.rows.clone(), found);
        };
        for row in rows[0]..=rows[1] {
            for run in self.scene.grid.interval(level, row, columns[0], columns[1]) {
                if self.circle_run::<K>(level, run, found) {
                    return true;
                }
            }
        }
        false
    }

    #[inline(always)]
    fn circle_run<K: Kernels>(&self, level: &Level, run: Range<u32>, found: &mut Found<'_, false>) -> bool {
        let (circles, mut at) = (self.scene.circles().even(), run.start);
        while at < run.end {
            let [mut mask, surely] = self.shape.circle_masks::<K>(circles, level.size, at, run.end - at);
            if mask & !surely | u32::from(!self.look.all_circles()) != 0 {
                mask = self.ask_circles(at, mask, surely);
            }
            if ANY && mask != 0 {
                return true;
            }
            if mask != 0 {
                found.push::<K>(mask, self.scene.grid.order(), at);
            }
            at += LANES as u32;
        }
        false
    }

    /// Those of some candidates that touch and are seen.
    #[inline(never)]
    fn ask_circles(&self, at: u32, mut may: u32, surely: u32) -> u32 {
        let mut touching = 0;
        while may != 0 {
            let k = may.trailing_zeros();
            may &= may - 1;
            let (row, is_sure) = (at + k, surely >> k & 1 == 1);
            let touches = self.scene.sees_circle(self.look, self.scene.name(row))
                && (is_sure || self.shape.touches_circle(self.scene.circle(row)));
            touching |= u32::from(touches) << k;
        }
        touching
    }

    #[inline(always)]
    fn segments<K: Kernels>(
        &self,
        cells: &Cells,
        level: &CellLevel,
        bounds: Bounds,
        found: &mut Found<'_, true>,
    ) -> bool {
        let reach = area::of_segments(level, bounds);
        if reach == Reach::Nothing {
            return false;
        }
        if let Some((ends, radius)) = self.shape.core() {
            let mut strip = Strip::new(ends, radius);
            match strip.segments(level) {
                Along::Rows => {}
                Along::Nothing => return false,
                Along::All => return self.entries::<K>(cells.entries(), level.entries.clone(), found),
            }
            loop {
                for &[row, first, last] in strip.rows() {
                    for run in cells.interval(level, row, first, last) {
                        if self.entries::<K>(cells.entries(), run, found) {
                            return true;
                        }
                    }
                }
                if !strip.next(&level.map) {
                    return false;
                }
            }
        }
        let Reach::Cells(Area { rows, columns }) = reach else {
            return self.entries::<K>(cells.entries(), level.entries.clone(), found);
        };
        for row in rows[0]..=rows[1] {
            for run in cells.interval(level, row, columns[0], columns[1]) {
                if self.entries::<K>(cells.entries(), run, found) {
                    return true;
                }
            }
        }
        false
    }

    /// Asked of the copies in the list: the columns by row are somewhere else in memory.
    #[inline(always)]
    fn entries<K: Kernels>(&self, entries: &Entries, run: Range<u32>, found: &mut Found<'_, true>) -> bool {
        let (segments, mut at) = (columns(entries), run.start);
        while at < run.end {
            let [mut mask, surely] = self.shape.segment_masks::<K>(segments, at, run.end - at);
            if mask & !surely | u32::from(!self.look.all_segments()) != 0 {
                mask = self.ask_entries(entries, found, at, mask, surely);
            }
            if ANY && mask != 0 {
                return true;
            }
            if mask != 0 {
                found.push::<K>(mask, &entries.rows, at);
            }
            at += LANES as u32;
        }
        false
    }

    /// Those of some candidates that touch and are seen; one that has been found under other cells is and does.
    #[inline(always)]
    fn ask_entries(&self, entries: &Entries, found: &Found<'_, true>, at: u32, mut may: u32, surely: u32) -> u32 {
        let mut touching = 0;
        while may != 0 {
            let k = may.trailing_zeros();
            may &= may - 1;
            let (row, is_sure) = (entries.rows[(at + k) as usize], surely >> k & 1 == 1);
            // Nobody is asked about a segment that is gone.
            let touches = found.has(row)
                || row != Cells::GONE
                    && self.scene.sees_segment(self.look, row)
                    && (is_sure || self.shape.touches_segment(entries.segment((at + k) as usize)));
            touching |= u32::from(touches) << k;
        }
        touching
    }
}
