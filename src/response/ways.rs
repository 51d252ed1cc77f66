//! Walls along a way of any length, from cell to cell.
//!
//! Comes in: walls, a way, how far about it. Goes out: the walls that may be met there, some of them several times, until somebody says that the rest of the way does
//! not matter. This room does not know what a wall is asked for.
//!
//! Cells name far more walls than are near: tables are folded, and what is short lies in cells that are narrow beside a large circle. Lanes
//! sort them out, a run at a time, by their distance from the middle of the stretch that is looked about.

use super::impulse::{Pair, dot};
use super::stretches::{clip, stretches};
use super::walls::{But, Hit, Near, Shape, Walls, is_beside, larger, size, ulp, wide};
use crate::broad_phase::{Cells, Entries};
use crate::exact::P;
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Near as Within, Operation, dispatch};
use crate::storage::Filter;
use std::cell::Cell;
use std::ops::Range;

/// A stretch of a walk is so many cells long, or as long as the reach.
const STRETCH: f64 = 4.0;
/// With more stretches than this, and a quarter of the entries, all entries are looked at instead.
const FEW_STRETCHES: f64 = 64.0;
/// So many entries more than there are may be gone through.
const MORE: i64 = 256;
/// Eights that lanes sort out at a time.
const EIGHTS: usize = 16;
/// Of fewer entries each is visited.
const FEW: u32 = 3;

/// A stretch of a way, and what is within reach of it.
struct About {
    from: Pair,
    motion: Pair,
    reach: f64,
    stretch: [f64; 2],
    /// None: that cannot be told.
    within: Option<Within>,
}

/// Those of a run that may be within reach.
struct Sift<'a> {
    entries: &'a Entries,
    within: &'a Within,
    /// [`EIGHTS`] times eight of them at most.
    run: Range<u32>,
}

impl Operation for Sift<'_> {
    /// A bit for each.
    type Output = [u8; EIGHTS];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [u8; EIGHTS] {
        let Sift { entries, within, run } = self;
        let (columns, mut masks) = (entries.view().columns, [0; EIGHTS]);
        for (at, mask) in run.clone().step_by(LANES).zip(&mut masks) {
            *mask = K::near_masks(columns, within, at, run.end - at)[0] as u8;
        }
        masks
    }
}

impl About {
    fn new((from, motion, reach): (Pair, Pair, f64)) -> About {
        About { from, motion, reach, stretch: [f64::NAN; 2], within: None }
    }

    /// Goes on to another stretch, if it is another.
    fn go_on(&mut self, [begin, end]: [f64; 2]) {
        if self.stretch == [begin, end] {
            return;
        }
        self.stretch = [begin, end];
        let (middle, half) = (0.5 * (begin + end), 0.5 * (end - begin) * dot(self.motion, self.motion).sqrt());
        let middle = [0, 1].map(|k| (self.from[k] + self.motion[k] * middle) as f32);
        // Rounded up, and the middle was rounded.
        let far = (self.reach + half + 3.0 * ulp(size(wide(middle)))) * (1.0 + 1e-6);
        let is_number = middle[0].is_finite() && middle[1].is_finite() && far < f64::from(f32::MAX);
        self.within = is_number.then(|| Within::new(middle, far as f32));
    }

    /// Visits those of a run that are within reach of a stretch, and some more.
    fn each(
        &mut self,
        (entries, run): (&Entries, Range<u32>),
        stretch: [f64; 2],
        (backend, set): (Backend, InstructionSet),
        mut visit: impl FnMut(u32),
    ) {
        if run.end - run.start > FEW {
            self.go_on(stretch);
            if let Some(within) = &self.within {
                for start in run.clone().step_by(EIGHTS * LANES) {
                    let end = std::cmp::min(start + (EIGHTS * LANES) as u32, run.end);
                    let masks = dispatch(backend, set, Sift { entries, within, run: start..end });
                    for (start, mut mask) in (start..end).step_by(LANES).zip(masks) {
                        while mask != 0 {
                            visit(start + mask.trailing_zeros());
                            mask &= mask - 1;
                        }
                    }
                }
                return;
            }
        }
        run.for_each(visit);
    }
}

impl Walls<'_> {
    /// Visits the walls of cells within `reach` of a place, and others.
    pub(super) fn along_cells(&self, place: Pair, reach: f64, mut visit: impl FnMut(Near)) {
        self.without_others().along(place, [0.0; 2], reach, |near| {
            visit(near);
            1.0
        });
    }

    /// Visits all walls that a leg may meet, some of them several times.
    pub(super) fn along_leg(&self, from: P, to: P, mut visit: impl FnMut(Near)) {
        let (p, q) = (wide(from), wide(to));
        self.along(p, [q[0] - p[0], q[1] - p[1]], 4.0 * self.unit_at(p, q), |near| {
            visit(near);
            1.0
        });
    }

    /// Visits the walls within `reach` of the way from `from` by `motion`, some of them several times, until `visit` says that the way ends
    /// before what comes: it returns the fraction of the way that still matters.
    fn along(&self, from: Pair, motion: Pair, reach: f64, mut visit: impl FnMut(Near) -> f64) {
        let (way, (also, lanes), stop) = ((from, motion, reach), self.parts(), Cell::new(1.0));
        also.iter().for_each(|&wall| stop.set(visit(wall)));
        let within = box_about(from, motion, reach);
        for (_, cells) in self.cells_in(within) {
            for entry in 0..cells.apart().rows.len() {
                stop.set(visit(self.entry(cells.apart(), entry)));
            }
        }
        let levels =
            self.cells_in(within).flat_map(|(_, cells)| cells.levels().iter().map(move |level| (cells, level)));
        for (cells, level) in levels {
            let Some((begin, end)) = clip(from, motion, level, reach) else { continue };
            if begin > stop.get() {
                continue;
            }
            let (entries, all, mut about) = (cells.entries(), level.entries.clone(), About::new(way));
            let mut look = |run: Range<u32>, stretch: [f64; 2]| {
                about.each((entries, run), stretch, lanes, |entry| {
                    if entries.rows[entry as usize] != Cells::GONE {
                        stop.set(visit(self.entry(entries, entry as usize)));
                    }
                });
            };
            // Where stretches have gone through as many as there are, the same ones come again and again: all of them, once.
            let mut left = i64::from(all.end - all.start) + MORE;
            let mut scan = |run: Range<u32>, stretch: [f64; 2]| {
                left -= i64::from(run.end - run.start);
                if left <= 0 {
                    return f64::NEG_INFINITY;
                }
                look(run, stretch);
                stop.get()
            };
            let per = f64::from(level.map.inverse());
            let speed = size(motion) * per;
            let each = larger(STRETCH, reach * per) / speed;
            let few = larger(FEW_STRETCHES, f64::from(all.end - all.start) / 4.0);
            if speed > 0.0 && (end - begin) / each > few {
                look(all, [begin, end]);
                continue;
            }
            stretches((cells, level), way, [begin, end, each], &mut scan);
            if left <= 0 {
                look(all, [begin, end]);
            }
        }
    }

    /// The same from cell to cell, for ways of any length.
    pub(super) fn walk(
        &self,
        (from, motion): (P, Pair),
        shape: Shape,
        filter: Filter,
        but: But<'_>,
        near: &mut Vec<Near>,
    ) -> Option<Hit> {
        near.clear();
        let at = wide(from);
        let to = [at[0] + motion[0], at[1] + motion[1]];
        let radius = self.radius(shape, (at, motion));
        let reach = radius + 4.0 * self.unit_at(at, to);
        let mut first: Option<Hit> = None;
        self.along(at, motion, reach, |wall| {
            let stop = first.map_or(1.0, |first| first.impact.fraction);
            // Neighbouring cells name the same walls.
            let repeated = near.last().is_some_and(|last| last.row == wall.row && last.spine == wall.spine);
            let around = shape.around(&wall);
            if repeated || is_beside(&wall.spine, at, to, reach + around) || !self.holds(wall.row, filter) {
                return stop;
            }
            near.push(wall);
            self.meet(&wall, (from, at, motion), (radius + around, but), &mut first);
            first.map_or(1.0, |first| first.impact.fraction)
        });
        first
    }
}

/// The box of all that is within `reach` of a way, from low to high.
fn box_about(from: Pair, motion: Pair, reach: f64) -> [Pair; 2] {
    let to = [from[0] + motion[0], from[1] + motion[1]];
    let low = [0, 1].map(|k| if from[k] < to[k] { from[k] } else { to[k] } - reach);
    let high = [0, 1].map(|k| if from[k] < to[k] { to[k] } else { from[k] } + reach);
    [low, high]
}
