//! Segments, each under every cell that it goes through, for whoever walks from cell to cell.
//!
//! Comes in: segments and which of their rows. Goes out: for each cell the segments that have a point in it or within a hair of it,
//! as columns that lanes can load: rays walk cells, and every cell has to know all that it may stop them. A segment is in one
//! level by its extent, so that it is in few cells. Who lies more than [`LINEAR`](super::LINEAR) cells from the middle of all is registered in levels about the middle
//! of those left, and so on; what cannot be registered at all (too many cells) is listed apart and has to be held against everything. This room does not test.
//!
//! Cost: O(segments) in time and memory, whatever their extent: [`MOST`] entries a segment in the mean, then the list apart.

use super::cell_map::CellMap;
use super::cell_table::{choose_map, mergeable, place};
use super::entries::Entries;
use super::extent::Extent;
use super::intervals::{Interval, register};
use super::on_demand::OnDemand;
use super::plan::Plan;
use super::policy::Policy;
use super::strewn::Strewn;
use crate::geometry::Capsules;
use crate::kernels::InstructionSet;
use crate::parallel::Split;
use std::ops::Range;

/// Extents are sizes, positions are midpoints. A cell is a quarter of the largest extent, wider where the set is sparse.
const POLICY: Policy = Policy { reach_per_size: 0.25, slack: 1.0, factor: 6.0, fuller: 0.0, ..Policy::SEGMENTS };
/// Entries a segment, in the mean.
const MOST: usize = 32;
/// Registered are also the cells that come so near to a segment, in cells; the walk's own margin is twice as much.
pub(crate) const NEAR: f64 = 1.0 / 64.0;

/// So many may be apart.
const FEW: usize = 16;
/// So often those that are apart are registered anew.
const ROUNDS: usize = 64;

/// So many cells every map has.
const SMALL: u32 = 64;

/// The table of one level.
#[derive(Debug)]
pub(crate) struct CellLevel {
    pub(crate) map: CellMap,
    /// Around all of its segments with their radii, and a little more.
    pub(crate) low: [f64; 2],
    pub(crate) high: [f64; 2],
    /// One over the cells per length unit, as the map takes it.
    pub(crate) width: f64,
    /// How far all segments of it went on both axes, when it was made, all together.
    pub(crate) length: f64,
    /// Where key 0 stands in the table.
    base: u32,
    /// All its entries.
    pub(crate) entries: Range<u32>,
}

/// See the head of the module. Buffers are reused from call to call.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    levels: Vec<CellLevel>,
    /// `starts[base + key]..starts[base + key + 1]` are the entries of a cell.
    starts: Vec<u32>,
    entries: Entries,
    apart: Entries,
    /// Around those apart, as levels have it.
    around_apart: Option<[[f64; 2]; 2]>,
    shortest: f32,
    strewn: OnDemand<Vec<Strewn>>,
    plan: Plan,
    scratch: Scratch,
}

/// What only the making needs.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    size: Vec<f32>,
    intervals: Vec<Interval>,
    /// Of one level.
    near: Vec<u32>,
}

impl Cells {
    /// Registers the segments of these rows, ascending (finite, radii not negative).
    pub(crate) fn build(&mut self, segments: Capsules<'_>, rows: impl Iterator<Item = u32>) {
        self.scratch.rows.clear();
        self.scratch.rows.extend(rows);
        let (count, mut shortest) = (self.scratch.rows.len(), f32::INFINITY);
        for &row in &self.scratch.rows {
            shortest = shorter(shortest, extent(segments.ends(row as usize), segments.radius[row as usize]));
        }
        self.shortest = shortest;
        self.strewn.forget();
        let round = segments.radius.iter().any(|&r| r > 0.0);
        self.levels.clear();
        self.starts.clear();
        self.entries.clear();
        self.apart.clear();
        // Who lies too far from the middle of all is registered about the middle of those left.
        for _ in 0..ROUNDS {
            let left = self.scratch.rows.len();
            if left == 0 {
                break;
            }
            self.register(segments, MOST * count + 4096);
            if self.apart.rows.len() <= FEW || self.apart.rows.len() == left {
                break;
            }
            std::mem::swap(&mut self.apart.rows, &mut self.scratch.rows);
            self.apart.rows.clear();
        }
        self.around_apart = (!self.apart.rows.is_empty()).then(|| {
            let (low, high) = bounds(segments, self.apart.rows.iter().copied());
            [low, high]
        });
        self.entries.fill(segments, round);
        self.apart.fill(segments, round);
    }

    /// Registers those that are chosen, as many as lie near enough to their middle; the others are apart.
    fn register(&mut self, segments: Capsules<'_>, most: usize) {
        let Scratch { rows: chosen, x, y, size, intervals, near } = &mut self.scratch;
        [&mut *x, &mut *y, &mut *size].into_iter().for_each(Vec::clear);
        for &row in chosen.iter() {
            let [a, b] = segments.ends(row as usize);
            x.push(a[0] / 2.0 + b[0] / 2.0);
            y.push(a[1] / 2.0 + b[1] / 2.0);
            size.push(extent([a, b], segments.radius[row as usize]));
        }
        let (columns, set) = ([&**x, &**y, &**size], InstructionSet::best());
        self.plan.make(Extent::of(columns, set, Split::SERIAL), columns, POLICY, None, (set, Split::SERIAL));
        let merged = mergeable(&self.plan, size);
        for (k, level) in self.plan.levels().iter().enumerate() {
            if 0 < k && k <= merged {
                continue;
            }
            let of_level = |at: usize| {
                let level = |&l: &u8| usize::from(l) == k || (k == 0 && usize::from(l) <= merged);
                self.plan.level().get(at).is_none_or(level)
            };
            near.clear();
            near.extend(chosen.iter().enumerate().filter(|&(at, _)| of_level(at)).map(|(_, &row)| row));
            let (low, high) = bounds(segments, near.iter().copied());
            let at = |k: usize| segments.ends(near[k] as usize)[0].map(f64::from);
            let map = choose_map(level, [low, high], (near.len(), at));
            intervals.clear();
            let mut room = most.saturating_sub(self.entries.rows.len());
            near.retain(|&row| {
                let at = intervals.len();
                let fits = register(intervals, &map, segments, row, &mut room);
                if !fits {
                    intervals.truncate(at);
                    self.apart.rows.push(row);
                }
                fits
            });
            if near.is_empty() {
                continue;
            }
            let (low, high) = bounds(segments, near.iter().copied());
            let length = near.iter().map(|&row| segments.along_axes(row as usize)).sum();
            let base = self.starts.len() as u32;
            let first = self.entries.rows.len() as u32;
            place(intervals, map.cells(), &mut self.starts, &mut self.entries.rows);
            let entries = first..self.entries.rows.len() as u32;
            let width = 1.0 / f64::from(map.inverse());
            self.levels.push(CellLevel { map, low, high, width, length, base, entries });
        }
        self.apart.rows.sort_unstable();
    }

    /// What is named in place of a segment that has been forgotten.
    pub(crate) const GONE: u32 = u32::MAX;

    /// Forgets the segments of the marked rows (those behind the last mark are not): their entries are not a number and are named
    /// [`Cells::GONE`]. Nobody is apart.
    pub(crate) fn forget(&mut self, marks: &[bool]) {
        self.strewn.forget();
        self.entries.forget(marks);
        self.shortest = self.entries.extents().fold(f32::INFINITY, shorter);
        for level in &mut self.levels {
            (level.low, level.high) = self.entries.around(level.entries.clone()).unwrap_or_default();
        }
    }

    /// Gives all entries other names than the rows they were built from.
    pub(crate) fn rename(&mut self, names: &[u32]) {
        for row in self.entries.rows.iter_mut().chain(&mut self.apart.rows) {
            *row = names[*row as usize];
        }
    }

    /// The extent of the shortest segment that has one; infinite, or 0, where there is none.
    pub(crate) fn shortest(&self) -> f32 {
        self.shortest
    }

    /// The levels, short segments first.
    pub(crate) fn levels(&self) -> &[CellLevel] {
        &self.levels
    }

    /// The entries of the cells: by cell, then by row.
    pub(crate) fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Segments that are in no cell, by row.
    pub(crate) fn apart(&self) -> &Entries {
        &self.apart
    }

    /// The box around those, from low to high, and a little more; none if there are none.
    pub(crate) fn around_apart(&self) -> Option<[[f64; 2]; 2]> {
        self.around_apart
    }

    /// The corners of boxes around all segments, and a little more.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.levels.iter().flat_map(|level| [level.low, level.high]).chain(self.around_apart.into_iter().flatten())
    }

    /// Where the segments of a level are, told for wide regions; made once as much has been spent without, in cells, which changes nothing that is found.
    pub(crate) fn strewn(&self, level: &CellLevel, spent: u32) -> Option<&Strewn> {
        let due = [spent, self.entries.rows.len() as u32 / 8];
        let all = self.strewn.get(due, |all| Strewn::make_all(all, &self.levels, &self.entries))?;
        all.get(self.levels.iter().position(|other| other.base == level.base)?)
    }

    /// The entries of the cell with a key are `table[key]..table[key + 1]`.
    #[inline(always)]
    pub(crate) fn table(&self, level: &CellLevel) -> &[u32] {
        &self.starts[level.base as usize..]
    }

    #[cfg(test)]
    fn cell(&self, level: &CellLevel, key: u32) -> Range<u32> {
        self.table(level)[key as usize]..self.table(level)[key as usize + 1]
    }

    /// The entries of the cells `first..=last` of a row of cells, as one run, or two where a torus closes. A segment may be among
    /// them several times. Fewer columns than the torus has cells.
    #[inline(always)]
    pub(crate) fn interval(&self, level: &CellLevel, row: i32, first: i32, last: i32) -> [Range<u32>; 2] {
        let starts = &self.starts[level.base as usize..];
        let (key, columns) = (level.map.key_of(first, row), (last - first) as u32 + 1);
        let cells = level.map.cells();
        if key + columns <= cells {
            [starts[key as usize]..starts[(key + columns) as usize], 0..0]
        } else {
            let rest = key + columns - cells;
            [starts[key as usize]..starts[cells as usize], starts[0]..starts[rest as usize]]
        }
    }

    /// The entries of all cells that know of a point within `reach` of a place on both axes, as runs, each begun by one of `runs`: how many.
    /// None where that would be more than there is room for, or the place is too far out.
    #[inline(always)]
    pub(crate) fn around(
        &self,
        level: &CellLevel,
        place: [f64; 2],
        reach: f64,
        runs: &mut [Range<u32>],
    ) -> Option<usize> {
        let [columns, rows] = [level.map.across(0, place[0], reach)?, level.map.across(1, place[1], reach)?];
        if 2 * (rows[1] - rows[0]) as usize + 2 > runs.len() || (columns[1] - columns[0]) as u32 + 1 >= SMALL {
            return None;
        }
        let mut count = 0;
        for row in rows[0]..=rows[1] {
            for run in self.interval(level, row, columns[0], columns[1]) {
                if run.start < run.end {
                    runs[count] = run;
                    count += 1;
                }
            }
        }
        Some(count)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let Scratch { rows, x, y, size, intervals, near } = &self.scratch;
        4 * (self.starts.capacity() + rows.capacity() + near.capacity() + x.capacity() + y.capacity() + size.capacity())
            + size_of::<Interval>() * intervals.capacity()
            + size_of::<CellLevel>() * self.levels.capacity()
            + self.entries.bytes()
            + self.apart.bytes()
            + self.plan.bytes()
            + self.strewn.bytes(|all| all.iter().map(Strewn::bytes).sum())
    }
}

/// How far a segment goes on its longer axis, its radius at both ends; cut to what is finite.
pub(crate) fn extent([a, b]: [[f32; 2]; 2], radius: f32) -> f32 {
    let (dx, dy) = ((b[0] - a[0]).abs(), (b[1] - a[1]).abs());
    let extent = if dx > dy { dx } else { dy } + 2.0 * radius;
    if extent < f32::MAX { extent } else { f32::MAX }
}

/// The shorter of two extents, but for zero.
pub(crate) fn shorter(least: f32, extent: f32) -> f32 {
    if extent > 0.0 && extent < least { extent } else { least }
}

/// Around segments with their radii. In `f64`, and a relative 2^-40 more than rounding can take.
fn bounds(segments: Capsules<'_>, rows: impl Iterator<Item = u32>) -> ([f64; 2], [f64; 2]) {
    around(rows.map(|row| (segments.ends(row as usize), segments.radius[row as usize])))
}

/// The same of ends and radii.
pub(super) fn around(walls: impl Iterator<Item = ([[f32; 2]; 2], f32)>) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for (ends, r) in walls {
        let r = f64::from(r);
        for end in ends {
            for axis in 0..2 {
                let v = f64::from(end[axis]);
                low[axis] = if v - r < low[axis] { v - r } else { low[axis] };
                high[axis] = if v + r > high[axis] { v + r } else { high[axis] };
            }
        }
    }
    let grow = |v: f64| v.abs() * (1.0 / (1u64 << 40) as f64);
    (low.map(|v| v - grow(v)), high.map(|v| v + grow(v)))
}

#[cfg(test)]
mod tests {
    use super::super::drawn::range;
    use super::*;

    /// Every point of every registered segment lies in a cell that knows the segment, [`NEAR`] its rim included; all others are
    /// listed apart; no cell names one twice.
    fn check(columns: &[Vec<f32>; 5]) -> (usize, usize) {
        let [x0, y0, x1, y1, radius] = columns;
        let segments = Capsules { x0, y0, x1, y1, radius };
        let mut cells = Cells::default();
        cells.build(segments, 0..x0.len() as u32);
        let mut level_of = vec![usize::MAX; x0.len()];
        for (k, level) in cells.levels().iter().enumerate() {
            for key in 0..level.map.cells() {
                let rows =
                    &cells.entries().rows[cells.cell(level, key).start as usize..cells.cell(level, key).end as usize];
                assert!(rows.is_sorted_by(|a, b| a < b), "a segment twice in a cell, or out of order");
                rows.iter().for_each(|&row| level_of[row as usize] = k);
            }
        }
        for &row in &cells.apart().rows {
            assert_eq!(level_of[row as usize], usize::MAX);
            level_of[row as usize] = usize::MAX - 1;
        }
        let mut g = 5;
        for row in 0..x0.len() {
            let k = level_of[row];
            assert_ne!(k, usize::MAX, "row {row} is nowhere");
            let Some(level) = cells.levels().get(k) else { continue };
            let (map, [a, b]) = (level.map, segments.ends(row));
            for step in 0..40 {
                let t = if step < 2 { f64::from(step) } else { range(&mut g, 0.0, 1.0) };
                let cell = [0, 1].map(|axis| {
                    let r = f64::from(radius[row]) * range(&mut g, -0.7, 0.7);
                    let at = f64::from(a[axis]) + t * (f64::from(b[axis]) - f64::from(a[axis])) + r;
                    assert!(level.low[axis] <= at && at <= level.high[axis]);
                    let scaled = (at - f64::from(map.origin()[axis])) * f64::from(map.inverse());
                    (scaled + range(&mut g, -NEAR, NEAR)).floor() as i32
                });
                let (last_x, last_y) = map.last();
                if last_x >= 0 && !(0..=last_x).contains(&cell[0]) || last_y >= 0 && !(0..=last_y).contains(&cell[1]) {
                    continue; // beyond the rim by a hair
                }
                let range = cells.cell(level, map.key_of(cell[0], cell[1]));
                let rows = &cells.entries().rows[range.start as usize..range.end as usize];
                assert!(rows.contains(&(row as u32)), "row {row} is not in {cell:?}");
            }
        }
        (cells.entries().rows.len(), cells.apart().rows.len())
    }

    fn random(count: usize, spread: f64, length: impl Fn(&mut u64) -> f64, round: f64) -> [Vec<f32>; 5] {
        let mut g = 17;
        let mut columns: [Vec<f32>; 5] = Default::default();
        for _ in 0..count {
            let (x, y) = (range(&mut g, -spread, spread), range(&mut g, -spread, spread));
            let (l, a) = (length(&mut g), range(&mut g, 0.0, std::f64::consts::TAU));
            let row = [x, y, x + l * a.cos(), y + l * a.sin(), round * range(&mut g, 0.0, 1.0)];
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v as f32));
        }
        columns
    }

    #[test]
    fn every_cell_knows_what_goes_through_it() {
        let short = |g: &mut u64| range(g, 0.2, 2.0);
        let mixed = |g: &mut u64| 10f64.powf(range(g, -3.0, 2.5));
        for (name, columns) in [
            ("soup", random(3000, 50.0, short, 0.0)),
            ("capsules", random(1000, 50.0, short, 0.5)),
            ("mixed", random(2000, 100.0, mixed, 0.1)),
            ("sparse", random(300, 1e5, short, 0.0)),
            ("points", random(300, 10.0, |_| 0.0, 0.0)),
            ("one", random(1, 10.0, short, 0.0)),
        ] {
            let (entries, apart) = check(&columns);
            let count = columns[0].len();
            assert!(entries <= MOST * count + 4096 && apart <= count / 100, "{name}: {entries} entries, {apart} apart");
        }
    }

    #[test]
    fn what_is_far_out_or_huge_is_listed_apart() {
        let mut columns = random(500, 20.0, |g| range(g, 0.5, 3.0), 0.0);
        for row in [
            [1e30, 1e30, 1.0001e30, 1e30, 0.0],
            [-3e38, 0.0, 3e38, 1.0, 0.0],
            [f32::MAX, f32::MAX, -f32::MAX, -f32::MAX, 0.0],
            [0.0, 0.0, 1.0, 1.0, 3e38],
        ] {
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
        }
        let (entries, apart) = check(&columns);
        assert!(entries > 500 && apart <= 4, "{entries} {apart}");
    }

    #[test]
    fn towns_far_apart_have_cells_of_their_own() {
        // Beyond 2^17 cells from the middle of all of them; the last are a circle's images in a plane that repeats, with nothing in their midst.
        for (towns, apart) in [(2, 3e5), (2, 1e6), (50, 1e5), (8, 1e6)] {
            let mut columns = random(1600, 30.0, |g| range(g, 0.5, 2.0), 0.0);
            for (axis, column) in columns[..4].iter_mut().enumerate() {
                for (row, value) in column.iter_mut().enumerate() {
                    // Eight about a ninth, or all in a line.
                    let town = if towns == 8 { [0, 1, 2, 3, 5, 6, 7, 8][row % 8] } else { row % towns };
                    let place = if towns == 8 { [town % 3, town / 3] } else { [town, 0] };
                    *value += (place[axis % 2] as f64 * apart) as f32;
                }
            }
            let (entries, apart_from_all) = check(&columns);
            assert!(entries <= MOST * 1600 + 4096 && apart_from_all == 0, "{towns}: {entries}, {apart_from_all} apart");
        }
    }

    #[test]
    fn nothing_at_all() {
        assert_eq!(check(&Default::default()), (0, 0));
    }
}
