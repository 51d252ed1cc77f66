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

use super::grid::Grid;
use super::plan::Level;
use super::reaching::{Part, is_apart, walk_wound};
use super::walk::walk;
use crate::geometry::Capsules;
use crate::storage::{is_set, trim};
use std::cmp::max;

/// A segment with more rows than this is listed as long.
pub(super) const MOST_ROWS: u32 = 1024;

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
        // Who is sorted has been found to fit; whatever that reckons too low is far less than half.
        let most = room(grid, self.rows.len()) << u32::from(sorted);
        self.register_all(grid, segments, 0.0, most);
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
        self.register_all(grid, segments, slack, room(grid, self.rows.len()));
        self.long.is_empty()
    }

    /// Registers those that have numbers, by segment, and of them only such as are near anybody: asked by level, ends and how far off that is.
    pub(crate) fn build_some(
        &mut self,
        grid: &Grid,
        segments: Capsules<'_>,
        is_near: impl Fn(usize, [[f32; 2]; 2], f32) -> bool,
    ) {
        self.intervals.clear();
        self.long.clear();
        self.register_near(grid, segments, (0.0, room(grid, self.rows.len())), is_near);
    }

    /// Lists the segments of these rows as long: where there would be no room for the intervals of all that stand.
    pub(crate) fn build_long(&mut self, grid: &Grid, segments: Capsules<'_>, rows: impl Iterator<Item = u32>) {
        self.take_rows(rows);
        self.cut = true;
        let Walls { rows, long, .. } = self;
        list_long(long, grid, segments, rows.iter().copied().zip(0..));
    }

    fn register_all(&mut self, grid: &Grid, segments: Capsules<'_>, slack: f32, most: usize) {
        self.register_near(grid, segments, (slack, most), |_, _, _| true);
    }

    #[inline(always)]
    fn register_near(
        &mut self,
        grid: &Grid,
        segments: Capsules<'_>,
        (slack, most): (f32, usize),
        is_near: impl Fn(usize, [[f32; 2]; 2], f32) -> bool,
    ) {
        self.cut = false;
        for (index, level) in grid.levels().iter().enumerate() {
            for (wall, &row) in self.rows.iter().enumerate() {
                let at = self.intervals.len();
                let reach = level.size + segments.radius[row as usize];
                let reach = if slack > 0.0 { (reach + slack).next_up() } else { reach };
                let (name, ends) = (Long { level: index as u32, wall: wall as u32 }, segments.ends(row as usize));
                if !is_near(index, ends, reach) {
                    continue;
                }
                // What is joined comes in another order, and slack is not to change that.
                let fits = register(&mut self.intervals, level, name, ends, reach, slack == 0.0);
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
        intervals.len() <= room(grid, count) << 1
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

    /// Registers those of these numbers alone: their intervals come in the order in which they would stand among those of all. `in_order`: numbers are
    /// in the order of the rows; `all_long`: as [`Self::build_long`].
    pub(crate) fn list(
        &mut self,
        grid: &Grid,
        segments: Capsules<'_>,
        (numbers, in_order): (&[u32], bool),
        all_long: bool,
    ) {
        let Walls { rows, intervals, long, cut, .. } = self;
        intervals.clear();
        long.clear();
        *cut = all_long;
        if all_long {
            list_long(long, grid, segments, numbers.iter().map(|&wall| (rows[wall as usize], wall)));
            long.sort_unstable_by_key(|long| (long.level, rows[long.wall as usize]));
            return;
        }
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

    /// How many intervals, and how many that are long.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.intervals.len(), self.long.len()]
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

/// Rows and numbers of segments, level by level; not who is apart from all of a boxed one.
fn list_long(
    long: &mut Vec<Long>,
    grid: &Grid,
    segments: Capsules<'_>,
    walls: impl Iterator<Item = (u32, u32)> + Clone,
) {
    for (index, Level { map, size, .. }) in grid.levels().iter().enumerate() {
        let reaches = |row: usize| !is_apart(map, segments.ends(row), (size + segments.radius[row]).next_up());
        let of_level = walls.clone().filter(|&(row, _)| reaches(row as usize));
        long.extend(of_level.map(|(_, wall)| Long { level: index as u32, wall }));
    }
}

/// How many intervals there may be: by the cells, of which there are as many as there are bodies, nearly: what stays registered while bodies
/// come and go must not tell when it was registered.
pub(super) fn room(grid: &Grid, segments: usize) -> usize {
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
