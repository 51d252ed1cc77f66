//! Which cells each segment has to be held against, kept for as long as neither segments nor grid change.
//!
//! Comes in: the levels of a grid of circles, segments. Goes out: per segment and row of cells one interval of cells,
//! sorted by cell; a step then reads two numbers per interval to have the run of circles. Segments that are too long or too far out for
//! that (rows, memory, torus) are listed apart and looked after anew each time, by what of them is near the circles ([`super::reaching`]) or by boxes of
//! blocks of circles; those that are apart from all of a boxed map are not listed. One that winds around a torus meets keys again: what it meets is
//! joined, so that no circle is looked at twice. This room does not test.
//!
//! Where some segments have been edited, their intervals alone are made anew and merged with those that stand: two nanoseconds for each of
//! those. All lists are then what they would be if all had been made anew, but for the numbers of segments in [`Walls::rows`].

use super::extent::span;
use super::grid::Grid;
use super::plan::Level;
use super::reaching::{Part, is_apart, walk_part, walk_wound};
use super::walk::walk;
use crate::geometry::Capsules;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use crate::storage::{is_set, trim};
use std::cmp::{max, min};
use std::ops::Range;

/// A segment with more rows than this is listed as long.
const MOST_ROWS: u32 = 1024;
/// Rows of cells of a torus that are as much trouble as a block.
const WOUND: u32 = 8;
/// Circles in a block of [`Blocks`].
pub(crate) const BLOCK: usize = 64;

/// The rows of circles from `starts[first]` to `starts[last]` and one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// Index into [`Walls::rows`].
    pub(crate) wall: u32,
    /// Index of the level.
    pub(crate) level: u32,
}

/// A segment to be held against the blocks of one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Long {
    pub(crate) level: u32,
    pub(crate) wall: u32,
}

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Walls {
    rows: Vec<u32>,
    intervals: Vec<Interval>,
    long: Vec<Long>,
    /// There was no room for all: which are long depends on all.
    cut: bool,
    /// Only for [`Self::renumber`].
    old_rows: Vec<u32>,
    names: Vec<u32>,
    /// Only for [`Self::mend`].
    spare: Vec<Interval>,
    fresh: Vec<Interval>,
    stale: Vec<bool>,
    marks: Vec<bool>,
}

impl Walls {
    /// Registers the segments of these rows. `sorted`: by cell (for segments that stay), else by segment.
    pub(crate) fn build(&mut self, grid: &Grid, segments: Capsules<'_>, rows: impl Iterator<Item = u32>, sorted: bool) {
        self.take_rows(rows);
        self.register_all(grid, segments, 0.0);
        if sorted {
            trim(&mut self.intervals);
            self.intervals.sort_unstable_by_key(|interval| (interval.first, interval.wall, interval.last));
            self.renumber();
        }
    }

    /// Registers those that have numbers, by segment, so that it serves for as long as no end is further than `slack` from where it is, on either axis:
    /// the intervals hold all those of [`Self::build`] then, and what is found in them is found in the same order. False, and nothing that
    /// is of use, where some are long.
    pub(crate) fn build_slack(&mut self, grid: &Grid, segments: Capsules<'_>, slack: f32) -> bool {
        self.intervals.clear();
        self.long.clear();
        self.register_all(grid, segments, slack);
        self.long.is_empty()
    }

    fn register_all(&mut self, grid: &Grid, segments: Capsules<'_>, slack: f32) {
        let most = room(grid, self.rows.len());
        self.cut = false;
        for (index, level) in grid.levels().iter().enumerate() {
            for (wall, &row) in self.rows.iter().enumerate() {
                let at = self.intervals.len();
                let reach = level.size + segments.radius[row as usize];
                let reach = if slack > 0.0 { (reach + slack).next_up() } else { reach };
                let name = Long { level: index as u32, wall: wall as u32 };
                // What is joined comes in another order, and slack is not to change that.
                let fits = register(&mut self.intervals, level, name, segments.ends(row as usize), reach, slack == 0.0);
                if !fits || self.intervals.len() > most {
                    self.cut |= fits;
                    self.intervals.truncate(at);
                    self.long.push(name);
                }
            }
        }
    }

    /// Brings in what has become of the segments of these rows, ascending, since [`Self::build`] sorted them for this grid; `is_fixed` tells which of
    /// them are to be registered now, of `count` in all. False, and nothing that is of use, if all have to be made anew.
    pub(crate) fn mend(
        &mut self,
        grid: &Grid,
        segments: Capsules<'_>,
        (changed, count): (&[u32], usize),
        is_fixed: impl Fn(u32) -> bool,
    ) -> bool {
        let Walls { rows, intervals, long, cut, spare, fresh, stale, marks, .. } = self;
        // Numbers of segments that are gone are not used again.
        if *cut || 4 * changed.len() > count || rows.len() + changed.len() > 2 * count + 64 {
            return false;
        }
        marks.clear();
        marks.resize(changed.last().map_or(0, |&row| row as usize + 1), false);
        changed.iter().for_each(|&row| marks[row as usize] = true);
        stale.clear();
        stale.extend(rows.iter().map(|&row| is_set(marks, row as usize)));
        let first = rows.len() as u32;
        rows.extend(changed.iter().copied().filter(|&row| is_fixed(row)));
        stale.resize(rows.len(), false);
        long.retain(|long| !stale[long.wall as usize]);
        fresh.clear();
        for (index, level) in grid.levels().iter().enumerate() {
            for wall in first..rows.len() as u32 {
                let (at, row) = (fresh.len(), rows[wall as usize] as usize);
                let name = Long { level: index as u32, wall };
                if !register(fresh, level, name, segments.ends(row), level.size + segments.radius[row], true) {
                    fresh.truncate(at);
                    let key = |long: &Long| (long.level, rows[long.wall as usize]);
                    let place = long.partition_point(|other| key(other) < key(&name));
                    long.insert(place, name);
                }
            }
        }
        // The order of the rows is that of the numbers when all were sorted.
        let key = |interval: &Interval| (interval.first, rows[interval.wall as usize], interval.last);
        fresh.sort_unstable_by_key(key);
        spare.clear();
        spare.reserve(intervals.len() + fresh.len());
        let mut at = 0;
        for fresh in &*fresh {
            // Most often none, or a long way to the next.
            let end = at + intervals[at..].partition_point(|interval| key(interval) < key(fresh));
            spare.extend(intervals[at..end].iter().filter(|interval| !stale[interval.wall as usize]));
            spare.push(*fresh);
            at = end;
        }
        spare.extend(intervals[at..].iter().filter(|interval| !stale[interval.wall as usize]));
        std::mem::swap(intervals, spare);
        intervals.len() <= room(grid, count)
    }

    /// Numbers the segments of these rows, and lists none.
    pub(crate) fn take_rows(&mut self, rows: impl Iterator<Item = u32>) {
        self.rows.clear();
        self.rows.extend(rows);
        self.intervals.clear();
        self.long.clear();
    }

    /// One more segment; its number.
    pub(crate) fn push_row(&mut self, row: u32) -> u32 {
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    /// There is surely room for the intervals of `count` segments, of such heights in all.
    pub(crate) fn have_room(&self, grid: &Grid, count: usize, heights: f64) -> bool {
        let intervals = |level: &Level| {
            let reach = heights + 2.0 * count as f64 * f64::from(level.size);
            // A row more at each end, and one for what is rounded; two intervals where a torus closes.
            let rows = reach * f64::from(level.map.inverse()) * 1.001 + 4.0 * count as f64;
            if level.map.is_torus() { 2.0 * rows } else { rows }
        };
        grid.levels().iter().map(intervals).sum::<f64>() <= room(grid, count) as f64
    }

    /// Registers those of these numbers alone: their intervals come in the order in which they would stand among those of all. `in_order`: numbers are
    /// in the order of the rows.
    pub(crate) fn list(&mut self, grid: &Grid, segments: Capsules<'_>, numbers: &[u32], in_order: bool) {
        let Walls { rows, intervals, long, cut, .. } = self;
        intervals.clear();
        long.clear();
        *cut = false;
        for (index, level) in grid.levels().iter().enumerate() {
            for &wall in numbers {
                let (at, row) = (intervals.len(), rows[wall as usize] as usize);
                let name = Long { level: index as u32, wall };
                if !register(intervals, level, name, segments.ends(row), level.size + segments.radius[row], true) {
                    intervals.truncate(at);
                    long.push(name);
                }
            }
        }
        let row = |wall: u32| rows[wall as usize];
        let key = |first: u32, second: u32| u64::from(first) << 32 | u64::from(second);
        if in_order {
            intervals.sort_unstable_by_key(|interval| (key(interval.first, interval.wall), interval.last));
        } else {
            intervals.sort_unstable_by_key(|interval| (key(interval.first, row(interval.wall)), interval.last));
        }
        long.sort_unstable_by_key(|long| (long.level, row(long.wall)));
    }

    /// Numbers the segments in the order in which the intervals come to them, so that neighbours lie side by side in memory.
    fn renumber(&mut self) {
        const NONE: u32 = u32::MAX;
        let Walls { rows, intervals, long, old_rows, names, .. } = self;
        std::mem::swap(rows, old_rows);
        rows.clear();
        names.clear();
        names.resize(old_rows.len(), NONE);
        let walls = intervals.iter_mut().map(|interval| &mut interval.wall);
        for wall in walls.chain(long.iter_mut().map(|long| &mut long.wall)) {
            let name = &mut names[*wall as usize];
            if *name == NONE {
                *name = rows.len() as u32;
                rows.push(old_rows[*wall as usize]);
            }
            *wall = *name;
        }
    }

    /// Reads something of each line of its fields, and of what a step reads.
    pub(crate) fn read_ahead(&self) -> usize {
        let intervals = self.intervals.iter().step_by(4).map(|interval| interval.first as usize);
        let fields = [self.spare.len(), self.stale.len(), self.long.len()];
        let rows = self.rows.iter().step_by(16).map(|&row| row as usize);
        intervals.chain(rows).chain(fields).fold(0, |all, value| all ^ value)
    }

    /// Per segment its row, by [`Interval::wall`].
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Where each segment has to look.
    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// Who has to look everywhere.
    pub(crate) fn long(&self) -> &[Long] {
        &self.long
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.rows.capacity() + self.old_rows.capacity() + self.names.capacity())
            + size_of::<Interval>() * (self.intervals.capacity() + self.spare.capacity() + self.fresh.capacity())
            + self.stale.capacity()
            + self.marks.capacity()
            + size_of::<Long>() * self.long.capacity()
    }
}

/// How many intervals there may be: by the cells, of which there are as many as there are bodies, nearly: what stays registered while bodies
/// come and go must not tell when it was registered.
fn room(grid: &Grid, segments: usize) -> usize {
    let cells = grid.levels().iter().map(|level| level.map.cells() as usize).sum::<usize>();
    16 * (cells + segments) + 4096
}

/// The intervals of one segment in one level, none if it is apart from all of a boxed one; false if it is too long or too far out (some may then have
/// been appended). `winds`: it may go around a torus more than once.
fn register(
    intervals: &mut Vec<Interval>,
    level: &Level,
    name: Long,
    ends: [[f32; 2]; 2],
    reach: f32,
    winds: bool,
) -> bool {
    let (map, at) = (&level.map, intervals.len());
    let push_row = |intervals: &mut Vec<Interval>, row: i32, first: i32, last: i32| {
        let key = map.key_of(first, row);
        let end = key + (last - first) as u32 + 1;
        let mut push = |first: u32, last: u32| {
            let Long { level: index, wall } = name;
            intervals.push(Interval { first: level.base + first, last: level.base + last, wall, level: index });
        };
        if end <= map.cells() {
            push(key, end);
        } else {
            push(key, map.cells());
            push(0, end - map.cells());
        }
    };
    let walked = walk(map, ends, reach, reach, MOST_ROWS, |row, first, last| push_row(intervals, row, first, last));
    // That does not depend on where circles are, as long as the map stands. In a boxed one nothing has been appended then.
    if walked || is_apart(map, ends, reach.next_up()) {
        return true;
    }
    intervals.truncate(at);
    let part = Part { ends, reach };
    if !winds || !walk_wound(map, part, MOST_ROWS, |row, first, last| push_row(intervals, row, first, last)) {
        return false;
    }
    let wound = &mut intervals[at..];
    wound.sort_unstable_by_key(|interval| interval.first);
    let mut kept = 0;
    for next in 1..wound.len() {
        let Interval { first, last, .. } = wound[next];
        if first > wound[kept].last {
            kept += 1;
            wound[kept] = wound[next];
        } else {
            wound[kept].last = max(wound[kept].last, last);
        }
    }
    intervals.truncate(at + kept + 1);
    true
}

/// The first boxes of some columns, compiled for the instruction set of the machine. As wide as the centres reach and the largest radius more
/// on each side, which asks for fewer comparisons than each circle's own.
struct Boxes<'a> {
    columns: [&'a [f32]; 3],
    boxes: &'a mut [[f64; 4]],
}

impl Operation for Boxes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let [x, y, size] = self.columns.map(|column| column.chunks(BLOCK));
        for (to, ((x, y), size)) in self.boxes.iter_mut().zip(x.zip(y).zip(size)) {
            let ([x0, x1], [y0, y1], r) = (span(x).map(f64::from), span(y).map(f64::from), f64::from(span(size)[1]));
            *to = [x0 - r, y0 - r, x1 + r, y1 + r];
        }
    }
}

/// Boxes around blocks of [`BLOCK`] consecutive circles of a level.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    boxes: Vec<[f64; 4]>,
}

impl Blocks {
    /// Around the circles of `rows`.
    pub(crate) fn build(&mut self, grid: &Grid, rows: Range<u32>, (set, split): (InstructionSet, Split)) {
        let rows = rows.start as usize..rows.end as usize;
        let columns = [grid.x(), grid.y(), grid.size()].map(|column| &column[rows.clone()]);
        self.boxes.resize(rows.len().div_ceil(BLOCK), [0.0; 4]);
        split.chunks(&mut self.boxes, 128, |first, boxes| {
            dispatch(Backend::Wide, set, Boxes { columns: columns.map(|column| &column[first * BLOCK..]), boxes });
        });
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<[f64; 4]>() * self.boxes.capacity()
    }

    /// The runs of rows of their level, ascending, in which a segment of this radius may touch a circle: by its cells, where those are not in more rows than
    /// there are blocks, or else by the blocks. None where it is apart from all of them.
    pub(crate) fn near(
        &self,
        (grid, level): (&Grid, &Level),
        ends: [[f32; 2]; 2],
        radius: f32,
        runs: &mut Vec<Range<u32>>,
    ) {
        runs.clear();
        let Some(part) = level.part(ends, (level.size + radius).next_up()) else { return };
        let most_rows = min(MOST_ROWS, self.boxes.len() as u32);
        let walked = walk_part(&level.map, part, most_rows, |row, first, last| {
            runs.extend(grid.interval(level, row, first, last))
        });
        if walked {
            runs.sort_unstable_by_key(|run| run.start);
            return;
        }
        runs.clear();
        // Blocks of a torus may reach across the world: some more rows than there are blocks are less trouble.
        let most_rows = min(MOST_ROWS, WOUND * self.boxes.len() as u32);
        let wound = walk_wound(&level.map, part, most_rows, |row, first, last| {
            runs.extend(grid.interval(level, row, first, last))
        });
        if wound {
            runs.sort_unstable_by_key(|run| run.start);
            runs.dedup_by(|next, run| {
                run.end = if next.start <= run.end { max(run.end, next.end) } else { run.end };
                next.start <= run.end
            });
        } else {
            runs.clear();
            self.each_near(ends, radius, |block| {
                let start = level.rows.start + (block * BLOCK) as u32;
                runs.push(start..min(start + BLOCK as u32, level.rows.end));
            });
        }
    }

    /// The blocks that a segment of this radius may reach into, ascending.
    fn each_near(&self, [a, b]: [[f32; 2]; 2], radius: f32, mut near: impl FnMut(usize)) {
        /// Far above the rounding of the few f64 operations here.
        const SLACK: f64 = 1.0 + 1e-9;
        let [a, b] = [a, b].map(|p| p.map(f64::from));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let low = [if a[0] < b[0] { a[0] } else { b[0] }, if a[1] < b[1] { a[1] } else { b[1] }];
        let high = [if a[0] < b[0] { b[0] } else { a[0] }, if a[1] < b[1] { b[1] } else { a[1] }];
        let size = |p: [f64; 2]| p[0].abs() + p[1].abs();
        for (block, &[x0, y0, x1, y1]) in self.boxes.iter().enumerate() {
            let grow = f64::from(radius) * SLACK + 1e-9 * (size([x0, y0]) + size([x1, y1]) + size(a) + size(b));
            let (x0, y0, x1, y1) = (x0 - grow, y0 - grow, x1 + grow, y1 + grow);
            if x0 > high[0] || x1 < low[0] || y0 > high[1] || y1 < low[1] {
                continue;
            }
            // The box is apart if it lies wholly on one side of the line: its middle further off than its extent reaches.
            let (mx, my) = ((x0 + x1) / 2.0 - a[0], (y0 + y1) / 2.0 - a[1]);
            let reach = (dx.abs() * (y1 - y0) + dy.abs() * (x1 - x0)) / 2.0;
            if (dx * my - dy * mx).abs() <= reach * SLACK + 1e-9 * (dx.abs() * my.abs() + dy.abs() * mx.abs()) {
                near(block);
            }
        }
    }
}
