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
use crate::kernels::{Kernels, LANES, Operation, Outlined};
use std::cmp::min;
use std::marker::PhantomData;
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

    /// Of segments alone. Where the cells name more than there are, each is asked about once.
    #[inline(always)]
    pub(super) fn segments<K: Kernels>(&mut self) -> bool {
        let Overlap { scene, look, shape, found } = self;
        let touching = Touching::<S, ANY> { scene, look, shape: *shape };
        let from = found.len();
        let mut some = Found::new(found);
        match touching.under_cells::<K>(&mut some) {
            Some(true) => true,
            Some(false) => {
                some.end::<K>();
                false
            }
            None => {
                found.truncate(from);
                K::outline(All(touching, found, PhantomData::<K>))
            }
        }
    }
}

/// All segments, one by one: reached seldom, and a function of its own.
struct All<'t, 'a, 'f, S, K, const ANY: bool>(Touching<'a, 'f, S, ANY>, &'t mut Vec<Target>, PhantomData<K>);

impl<S: Shape, K: Kernels, const ANY: bool> Outlined for All<'_, '_, '_, S, K, ANY> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let All(touching, found, _) = self;
        touching.all_segments::<K>(found)
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
                Along::Wound | Along::All => return self.circle_run::<K>(level, level.rows.clone(), found),
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

    /// The first that touches has been found, or all have; none if more are named under cells than there are.
    #[inline(always)]
    fn under_cells<K: Kernels>(&self, found: &mut Found<'_, true>) -> Option<bool> {
        let (bounds, mut room) = (self.shape.bounds(), self.scene.capsules.x0.len());
        for cells in self.scene.cells {
            for level in cells.levels() {
                if self.segments::<K>(cells, level, bounds, found, &mut room)? {
                    return Some(true);
                }
            }
            let apart = cells.apart();
            if self.entries::<K>(apart, 0..apart.rows.len() as u32, found, &mut room)? {
                return Some(true);
            }
        }
        Some(false)
    }

    #[inline(always)]
    fn segments<K: Kernels>(
        &self,
        cells: &Cells,
        level: &CellLevel,
        bounds: Bounds,
        found: &mut Found<'_, true>,
        room: &mut usize,
    ) -> Option<bool> {
        let reach = area::of_segments(level, bounds);
        if reach == Reach::Nothing {
            return Some(false);
        }
        if let Some((ends, radius)) = self.shape.core() {
            let mut strip = Strip::new(ends, radius);
            match strip.segments(level) {
                Along::Rows | Along::Wound => {}
                Along::Nothing => return Some(false),
                Along::All => return self.entries::<K>(cells.entries(), level.entries.clone(), found, room),
            }
            loop {
                for &[row, first, last] in strip.rows() {
                    for run in cells.interval(level, row, first, last) {
                        if self.entries::<K>(cells.entries(), run, found, room)? {
                            return Some(true);
                        }
                    }
                }
                if !strip.next(&level.map) {
                    return Some(false);
                }
            }
        }
        let Reach::Cells(Area { rows, columns }) = reach else {
            return self.entries::<K>(cells.entries(), level.entries.clone(), found, room);
        };
        for row in rows[0]..=rows[1] {
            for run in cells.interval(level, row, columns[0], columns[1]) {
                if self.entries::<K>(cells.entries(), run, found, room)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Asked of the copies in the list: the columns by row are somewhere else in memory.
    #[inline(always)]
    fn entries<K: Kernels>(
        &self,
        entries: &Entries,
        run: Range<u32>,
        found: &mut Found<'_, true>,
        room: &mut usize,
    ) -> Option<bool> {
        let (segments, mut at) = (columns(entries), run.start);
        *room = room.checked_sub(run.len())?;
        while at < run.end {
            let [mut mask, surely] = self.shape.segment_masks::<K>(segments, at, run.end - at);
            if mask & !surely | u32::from(!self.look.all_segments()) != 0 {
                mask = self.ask_entries(entries, found, at, mask, surely);
            }
            if ANY && mask != 0 {
                return Some(true);
            }
            if mask != 0 {
                found.push::<K>(mask, &entries.rows, at);
            }
            at += LANES as u32;
        }
        Some(false)
    }

    /// By row, each once.
    #[inline(always)]
    fn all_segments<K: Kernels>(&self, found: &mut Vec<Target>) -> bool {
        let all = self.scene.capsules;
        for from in (0..all.x0.len()).step_by(LANES) {
            let mut eight = [[f32::NAN; LANES]; 5];
            for (to, column) in eight.iter_mut().zip([all.x0, all.y0, all.x1, all.y1, all.radius]) {
                match column[from..].first_chunk() {
                    Some(all) => *to = *all,
                    None => to.iter_mut().zip(&column[from..]).for_each(|(to, &from)| *to = from),
                }
            }
            let [x0, y0, x1, y1, radius] = &eight;
            let there = min(LANES, all.x0.len() - from) as u32;
            let segments = Capsules { x0, y0, x1, y1, radius };
            let [mut may, surely] = self.shape.segment_masks::<K>(segments, 0, there);
            while may != 0 {
                let k = may.trailing_zeros();
                may &= may - 1;
                let row = from as u32 + k;
                let touches = || surely >> k & 1 == 1 || self.shape.touches_segment(self.scene.segment(row));
                if self.scene.sees_segment(self.look, row) && touches() {
                    if ANY {
                        return true;
                    }
                    found.push(Target::segment(row));
                }
            }
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
