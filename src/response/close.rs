//! The walls near a short way, eight at a time.
//!
//! Comes in: a way, the cells in which walls lie. Goes out: all walls that what flies there may meet, and some more; or word that the way is
//! too long for this. Most that are fast go no further than their radius or two, and meet nothing: for them this is all there is to be done.
//! This room does not know impacts.
//!
//! *Why none is lost.* What comes within `reach` of the way comes within `reach` and half the way's length of its middle; that is rounded to
//! `f32` by less than an ulp, which is allowed for. The cells about the middle name all such walls (see `Cells::around`), and
//! lanes sort out only what is surely further away (see `Kernels::near_masks`).

use super::door::Scratch;
use super::impulse::{Pair, dot};
use super::walls::{Near as Wall, Shape, Walls, is_beside, larger, size, ulp, wide};
use crate::broad_phase::Entries;
use crate::exact::P;
use crate::kernels::{Kernels, LANES, Near, Operation, dispatch};
use crate::storage::Filter;
use std::ops::Range;

/// A way is short if about it there are no more rows of cells than this.
const ROWS: usize = 4;
/// Of the walls seen last so many are compared: neighbouring cells name the same ones.
const REPEATED: usize = 8;
/// With more entries than this near it a way counts as long: what is kept for it has to be bounded.
const MOST: usize = 1000;
/// Stands for a way that is not short.
const LONG: u32 = u32::MAX;

/// So many ways at a time, at most.
pub(super) const WAYS: usize = 32;

/// All that comes within `reach` of a place is asked for.
#[derive(Clone, Copy, Debug)]
struct Way {
    middle: P,
    reach: f32,
}

/// Ways as columns: where they begin, how they go on, and how far off walls are held.
#[derive(Debug, Default)]
struct Ways {
    from: [[f64; WAYS]; 2],
    motion: [[f64; WAYS]; 2],
    hold: [f64; WAYS],
    count: usize,
    /// What is asked for.
    middle: [[f32; WAYS]; 2],
    reach: [f32; WAYS],
}

impl Ways {
    fn push(&mut self, from: Pair, motion: Pair, hold: f64) {
        debug_assert!(self.count < WAYS);
        let k = self.count % WAYS;
        for axis in 0..2 {
            (self.from[axis][k], self.motion[axis][k]) = (from[axis], motion[axis]);
        }
        self.hold[k] = hold;
        self.count = k + 1;
    }

    /// What is asked for of all of them, which lanes do; `unit`: that of all walls.
    #[inline(always)]
    fn make_ready(&mut self, unit: f64) {
        let Ways { from: [x, y], motion: [dx, dy], hold, count, middle: [middle_x, middle_y], reach } = self;
        for k in 0..std::cmp::min(*count, WAYS) {
            let (at, motion) = ([x[k], y[k]], [dx[k], dy[k]]);
            let (begin, end) = (size(at), size([at[0] + motion[0], at[1] + motion[1]]));
            let unit = larger(unit, ulp(larger(begin, end)));
            let middle = [0, 1].map(|axis| (at[axis] + motion[axis] * 0.5) as f32);
            // Rounded up, and the middle was rounded.
            let far = (hold[k] + 4.0 * unit + 0.5 * dot(motion, motion).sqrt() + 3.0 * unit) * (1.0 + 1e-6);
            let is_number = (middle[0].abs() <= f32::MAX) & (middle[1].abs() <= f32::MAX) & (far < f64::from(f32::MAX));
            [middle_x[k], middle_y[k]] = middle;
            reach[k] = if is_number { far as f32 } else { f32::INFINITY };
        }
    }

    #[inline(always)]
    fn way(&self, k: usize) -> Way {
        Way { middle: [self.middle[0][k], self.middle[1][k]], reach: self.reach[k] }
    }
}

/// Several ways, and which entries of cells are near them. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Search {
    ways: Ways,
    /// Twice the number of the cells, and one for those that are in none, then the entry.
    found: Vec<[u32; 2]>,
    /// For each way where its own end, or [`LONG`].
    ends: Vec<u32>,
}

/// See [`Walls::search`].
struct Searching<'a> {
    walls: Walls<'a>,
    ways: &'a mut Ways,
    found: &'a mut Vec<[u32; 2]>,
    ends: &'a mut Vec<u32>,
}

/// What is near of a run; false if `found` is longer than `most` then.
#[inline(always)]
fn look<K: Kernels>(
    entries: &Entries,
    near: &Near,
    run: Range<u32>,
    tag: u32,
    (found, most): (&mut Vec<[u32; 2]>, usize),
) -> bool {
    let columns = entries.view().columns;
    let mut at = run.start;
    while at < run.end && found.len() <= most {
        let [mut mask, _] = K::near_masks(columns, near, at, run.end - at);
        while mask != 0 {
            found.push([tag, at + mask.trailing_zeros()]);
            mask &= mask - 1;
        }
        at += LANES as u32;
    }
    found.len() <= most
}

/// False if there would be too many cells, or there are too many walls.
#[inline(always)]
fn search<K: Kernels>(walls: &Walls<'_>, way: Way, found: &mut Vec<[u32; 2]>) -> bool {
    if !way.reach.is_finite() {
        return false;
    }
    let most = found.len() + MOST;
    let (place, reach, near) = (wide(way.middle), f64::from(way.reach), Near::new(way.middle, way.reach));
    let within = [place.map(|v| v - reach), place.map(|v| v + reach)];
    for (set, cells) in walls.cells_in(within) {
        let (tag, apart) = (2 * set as u32, cells.apart());
        if !apart.rows.is_empty() && !look::<K>(apart, &near, 0..apart.rows.len() as u32, tag + 1, (&mut *found, most))
        {
            return false;
        }
        for level in cells.levels() {
            let beside = (place[0] + reach < level.low[0])
                | (place[0] - reach > level.high[0])
                | (place[1] + reach < level.low[1])
                | (place[1] - reach > level.high[1]);
            if beside {
                continue;
            }
            let mut runs = [const { 0..0 }; 2 * ROWS];
            let Some(count) = cells.around(level, place, reach, &mut runs) else { return false };
            for run in &runs[..count] {
                if !look::<K>(cells.entries(), &near, run.clone(), tag, (&mut *found, most)) {
                    return false;
                }
            }
        }
    }
    true
}

impl Operation for Searching<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Searching { walls, ways, found, ends } = self;
        ways.make_ready(walls.unit());
        for k in 0..std::cmp::min(ways.count, WAYS) {
            let start = found.len();
            if search::<K>(&walls, ways.way(k), found) {
                ends.push(found.len() as u32);
            } else {
                found.truncate(start);
                ends.push(LONG);
            }
        }
    }
}

impl Search {
    /// Forgets all ways.
    pub(super) fn clear(&mut self) {
        self.ways.count = 0;
    }

    /// One more, of which there are no more than [`WAYS`].
    #[inline(always)]
    pub(super) fn push(&mut self, walls: &Walls<'_>, (from, motion): (P, Pair), shape: Shape) {
        let at = wide(from);
        self.ways.push(at, motion, walls.radius(shape, (at, motion)));
    }

    /// One that is not short.
    pub(super) fn push_long(&mut self) {
        self.ways.push([0.0; 2], [0.0; 2], f64::INFINITY);
    }

    /// Around where, and how far, all that is near a way is found.
    pub(super) fn cover(&self, way: usize) -> (Pair, f64) {
        let Way { middle, reach } = self.ways.way(way);
        (wide(middle), f64::from(reach))
    }

    /// What is near a way; `from`: where what is near the one before it ends, and from here on, what is near this one. None if it is not short.
    pub(super) fn near(&self, way: usize, from: &mut usize) -> Option<&[[u32; 2]]> {
        match self.ends[way] {
            LONG => None,
            end => {
                let near = &self.found[*from..end as usize];
                *from = end as usize;
                Some(near)
            }
        }
    }
}

impl Walls<'_> {
    /// Finds what is near the ways.
    pub(super) fn search(&self, search: &mut Search) {
        let Search { ways, found, ends } = search;
        let (_, (backend, set)) = self.parts();
        found.clear();
        ends.clear();
        dispatch(backend, set, Searching { walls: *self, ways, found, ends });
    }

    /// Those of what was found that hold, to `walls`.
    pub(super) fn fill(&self, found: &[[u32; 2]], filter: Filter, walls: &mut Vec<Wall>) {
        walls.clear();
        for &[tag, entry] in found {
            let Some(cells) = self.cells_of(tag as usize / 2) else { continue };
            let wall = self.entry(if tag % 2 == 0 { cells.entries() } else { cells.apart() }, entry as usize);
            let last = &walls[walls.len().saturating_sub(REPEATED)..];
            if !last.iter().any(|last| last.row == wall.row && last.spine == wall.spine) && self.holds(wall.row, filter)
            {
                walls.push(wall);
            }
        }
    }

    /// The walls in `scratch.near` are all that may be met on this way, and more: half of those who have met a wall go on among the same.
    pub(super) fn covers(&self, cover: Option<(Pair, f64)>, (from, motion): (P, Pair), shape: Shape) -> bool {
        cover.is_some_and(|(middle, reach)| {
            let (at, half) = (wide(from), motion.map(|v| v * 0.5));
            let off = [0, 1].map(|k| at[k] + half[k] - middle[k]);
            let unit = self.unit_at(at, [at[0] + motion[0], at[1] + motion[1]]);
            let needed = self.radius(shape, (at, motion)) + dot(off, off).sqrt() + dot(half, half).sqrt() + 8.0 * unit;
            needed * (1.0 + 1e-6) <= reach
        })
    }

    /// Fills `scratch.near` with all walls that may be met on the way from `from` by `motion`; false if it is not short.
    pub(super) fn gather(
        &self,
        (from, motion): (P, Pair),
        shape: Shape,
        filter: Filter,
        scratch: &mut Scratch,
    ) -> bool {
        let Scratch { near, search, cover, .. } = scratch;
        *cover = None;
        search.clear();
        search.push(self, (from, motion), shape);
        self.search(search);
        let Some(found) = search.near(0, &mut 0) else { return false };
        self.fill(found, filter, near);
        let (also, _) = self.parts();
        if also.is_empty() {
            *cover = Some(search.cover(0));
        } else {
            let at = wide(from);
            let to = [at[0] + motion[0], at[1] + motion[1]];
            let reach = self.radius(shape, (at, motion)) + 4.0 * self.unit_at(at, to);
            let beside = |wall: &&Wall| is_beside(&wall.spine, at, to, reach + f64::from(wall.radius));
            near.extend(also.iter().filter(|wall| !beside(wall) && self.holds(wall.row, filter)));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::walls::{But, Place};
    use super::*;
    use crate::broad_phase::Cells;
    use crate::broad_phase::drawn::range;
    use crate::geometry::{Capsules, Segment};
    use crate::kernels::{Backend, InstructionSet};
    use crate::storage::{SegmentBody, SegmentColumns, SegmentHandle};

    /// Walls strewn over a square of 40, or over one a thousand times as wide, of which some are long, round, points, or sensors.
    fn strewn(state: &mut u64, scale: f64, shift: f64, wide: f64) -> SegmentColumns {
        let mut segments = SegmentColumns::default();
        for k in 0..150 {
            let wide = if k % 5 == 0 { wide } else { 1.0 };
            let at = [0; 2].map(|_| range(state, -20.0, 20.0) * wide);
            let length = [0.0, 1.0, 4.0, 4.0, 60.0][k % 5];
            let to = at.map(|v| v + range(state, -length, length));
            let [start, end] = [at, to].map(|p| p.map(|v| (v * scale + shift) as f32));
            let radius = if k % 7 == 0 { range(state, 0.0, 0.5) * scale } else { 0.0 };
            let wall = Segment::new(start, end).with_radius(radius as f32);
            let body = SegmentBody::from(wall).with_one_sided(k % 3 == 0).with_sensor(k % 11 == 0);
            segments.push(body, SegmentHandle::new(k as u32, 0));
        }
        segments
    }

    #[test]
    fn who_is_near_very_many_walls_goes_from_cell_to_cell() {
        for (count, few) in [(10, true), (MOST + 1, false)] {
            let mut segments = SegmentColumns::default();
            for k in 0..count {
                // All in one cell, within 1 of the way at 5.
                let wall = Segment::new([0.0, 5.5], [1.0, 5.5]);
                segments.push(wall.into(), SegmentHandle::new(k as u32, 0));
            }
            let mut cells = Cells::default();
            let SegmentColumns { x0, y0, x1, y1, radius, .. } = &segments;
            cells.build(Capsules { x0, y0, x1, y1, radius }, 0..count as u32);
            let sets = [&cells];
            let walls = Walls::new(Place::of(&sets, &segments), &[]);
            let (way, shape, mut scratch) = (([0.5, 5.0], [0.0, 0.25]), Shape::Disc(0.375), Scratch::default());
            assert_eq!(walls.gather(way, shape, Filter::DEFAULT, &mut scratch), few);
            let hit = walls.first(way, shape, Filter::DEFAULT, &mut scratch).map(|hit| (hit.row, hit.impact.fraction));
            // The gap of 0.125 is half of the way; the lowest row.
            assert_eq!(hit, Some((0, 0.5)));
        }
    }

    #[test]
    fn what_is_gathered_is_met_as_among_all_walls_and_as_from_cell_to_cell() {
        let mut g = 17;
        let (mut short, mut met, mut empty) = (0, 0, 0);
        let (mut covered, mut met_again) = (0, 0);
        for (scale, shift, wide_by) in [
            (1.0, 0.0, 1.0),
            (1.0, 0.0, 1000.0),
            (1e-20, 0.0, 1.0),
            (1e18, 0.0, 30.0),
            (1.0, 6.4e6, 1.0),
            (1e-42, 0.0, 1.0),
        ] {
            let segments = strewn(&mut g, scale, shift, wide_by);
            let mut cells = Cells::default();
            let SegmentColumns { x0, y0, x1, y1, radius, .. } = &segments;
            cells.build(Capsules { x0, y0, x1, y1, radius }, 0..segments.len() as u32);
            let sets = [&cells];
            let all = Walls::new(Place::of(&sets, &segments), &[]);
            let texts = [(Backend::Scalar, InstructionSet::Portable), (Backend::Wide, InstructionSet::best())];
            let mut scratch = [(); 3].map(|()| Scratch::default());
            for case in 0..3000 {
                let from = [0; 2].map(|_| (range(&mut g, -22.0, 22.0) * scale + shift) as f32);
                let long = [0.01, 0.3, 2.0, 30.0][case % 4] * scale;
                let motion = [range(&mut g, -long, long), range(&mut g, -long, long)];
                let shape = match case % 3 {
                    0 => Shape::Point,
                    _ => Shape::Disc((range(&mut g, 0.0, 0.4) * scale) as f32),
                };
                let way = (from, motion);
                let [few, by_cells, whole] = &mut scratch;
                let walk = all.walk(way, shape, Filter::DEFAULT, But::default(), &mut by_cells.near);
                let everyone = (0..cells.entries().rows.len()).map(|entry| all.entry(cells.entries(), entry));
                let apart = (0..cells.apart().rows.len()).map(|entry| all.entry(cells.apart(), entry));
                whole.near.clear();
                whole.near.extend(everyone.chain(apart).filter(|wall| all.holds(wall.row, Filter::DEFAULT)));
                let truth = all.pick(way, shape, But::default(), &whole.near).map(|hit| (hit.row, hit.impact));
                assert_eq!(walk.map(|hit| (hit.row, hit.impact)), truth, "{way:?} {shape:?}");
                for (backend, set) in texts {
                    let walls = all.with_lanes(backend, set);
                    if walls.gather(way, shape, Filter::DEFAULT, few) {
                        let hit = walls.pick(way, shape, But::default(), &few.near).map(|hit| (hit.row, hit.impact));
                        assert_eq!(hit, truth, "{way:?} {shape:?}");
                        short += 1;
                        met += usize::from(hit.is_some());
                        empty += usize::from(few.near.is_empty());
                        // On from somewhere on the way, in another direction.
                        let gone = range(&mut g, 0.0, 1.0);
                        let on = [0, 1].map(|k| (f64::from(from[k]) + motion[k] * gone) as f32);
                        let turned = [[-motion[1], motion[0]], [-motion[0], -motion[1]]][case % 2];
                        let way = (on, turned.map(|v| v * (1.0 - gone)));
                        if walls.covers(few.cover, way, shape) {
                            let hit =
                                walls.pick(way, shape, But::default(), &few.near).map(|hit| (hit.row, hit.impact));
                            let truth =
                                all.pick(way, shape, But::default(), &whole.near).map(|hit| (hit.row, hit.impact));
                            assert_eq!(hit, truth, "{way:?} {shape:?}");
                            covered += 1;
                            met_again += usize::from(hit.is_some());
                        }
                    }
                }
            }
        }
        assert!(short > 15_000 && met > 1500 && empty > 5000, "{short} short, {met} met, {empty} empty");
        // From the middle on everybody, but where units in the last place are as long as ways.
        assert!(covered > short / 3 && covered < short && met_again > 500, "{covered} of {short}, {met_again} met");
    }
}
