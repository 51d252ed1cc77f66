//! Positions sorted into cells, level by level.
//!
//! Comes in: columns of positions and sizes. Goes out: the same columns in cell order, who came from where
//! ([`Grid::order`]), and for each cell the rows in it. Everything is a function of the columns alone: no history, no
//! threads. This room does not know whether it sorts circles (a position is a centre, a size a radius) or segments
//! (the lower corner of the box, its longer side).
//!
//! Cost: one counting sort, O(bodies + cells), cells = O(bodies).

use super::cell_map::{CellMap, ToCells};
use super::extent::Extent;
use super::gathering::gather_rows;
use super::naming::each_coarse;
use super::on_demand::OnDemand;
use super::plan::{Level, MORE_CELLS, Plan};
use super::policy::Policy;
use super::regions::Regions;
use super::sort::Sort;
use crate::kernels::{Backend, InstructionSet, dispatch};
use crate::parallel::Split;
use crate::storage::{fit, make_room};
use std::cmp::min;
use std::ops::Range;

/// Rows that the lanes may read behind the last one; they hold NaN.
pub(crate) const PAD: usize = 8;

/// Runs of rows, see [`LevelCells::runs`].
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    pub(crate) own: Range<u32>,
    pub(crate) above: Range<u32>,
    /// Nearly always empty.
    pub(crate) rest: Range<u32>,
}

impl Runs {
    /// How many rows either run has, of more than 255 only so many.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u32; 2] {
        let [own, above] = [self.own.end - self.own.start, self.above.end - self.above.start];
        if own | above > 255 { [cut(own), cut(above)] } else { [own, above] }
    }

    /// There is, or may be, more than the first eight of either run.
    #[inline(always)]
    pub(crate) fn are_long(&self) -> bool {
        // The bits of both counts together are at least the larger one.
        ((self.own.end - self.own.start) | (self.above.end - self.above.start)) > 8 || self.rest.start < self.rest.end
    }
}

/// Rare, and not asked for every row.
#[cold]
#[inline(never)]
fn cut(count: u32) -> u32 {
    min(count, 255)
}

/// The table of one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelCells<'a> {
    starts: &'a [u32],
    keys: &'a [u32],
    map: CellMap,
}

impl<'a> LevelCells<'a> {
    /// The candidates of a row among its own level, each unordered pair of rows from one side only: what follows in its
    /// own cell and the cell to the right; the three cells above; and, where a torus closes, the rest of either.
    #[inline(always)]
    pub(crate) fn runs<const TORUS: bool>(&self, row: u32) -> Runs {
        debug_assert!(TORUS == self.map.is_torus());
        self.runs_of::<TORUS>(row, self.keys[row as usize])
    }

    /// The keys of rows.
    #[inline(always)]
    pub(crate) fn keys(&self, rows: Range<u32>) -> &'a [u32] {
        &self.keys[rows.start as usize..rows.end as usize]
    }

    /// Whether a torus may close within what this row looks at, or one before it: keys ascend as rows do.
    #[inline(always)]
    pub(crate) fn close_by(&self, row: u32) -> bool {
        self.map.is_torus() && self.keys[row as usize] + self.map.stride() + 2 > self.map.cells()
    }

    /// The same, of a row whose key is at hand. But for the last rows of a torus, where it [may close](Self::close_by), there is nothing to it.
    #[inline(always)]
    pub(crate) fn runs_of<const CLOSES: bool>(&self, row: u32, key: u32) -> Runs {
        let map = &self.map;
        if !CLOSES {
            // From the own cell to what ends the third one above: one place, and one check of it.
            let (key, above) = (key as usize, map.stride() as usize - 1);
            let starts = &self.starts[key..key + above + 4];
            return Runs { own: row + 1..starts[2], above: starts[above]..starts[above + 3], rest: 0..0 };
        }
        let above = map.wrap(key.wrapping_add(map.stride() - 1));
        let three: &[u32; 4] = self.starts[above as usize..above as usize + 4].try_into().expect("four");
        let mut runs = Runs { own: row + 1..self.starts[key as usize + 2], above: three[0]..three[3], rest: 0..0 };
        let cells = map.cells();
        if key + 1 == cells {
            runs.rest = self.starts[0]..self.starts[1];
        } else if above + 3 > cells {
            runs.rest = self.starts[0]..self.starts[(above + 3 - cells) as usize];
        }
        runs
    }
}

/// Rows that one thread works on at a time.
pub(super) const PIECE: usize = 8192;

/// See the head of the module. Buffers are reused from call to call.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    set: InstructionSet,
    pub(super) plan: Plan,
    /// `starts[base + key]..starts[base + key + 1]` are the rows of a cell.
    pub(super) starts: Vec<u32>,
    pub(super) order: Vec<u32>,
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    pub(super) size: Vec<f32>,
    /// Keys in cell order, counted from the first of their level; while rows are sorted, in the order of the columns, counted from the first of
    /// the first level.
    pub(super) keys: Vec<u32>,
    sort: Sort,
    /// By level; see [`Self::regions`].
    pub(super) regions: OnDemand<Vec<Regions>>,
}

impl Grid {
    /// Sorts these columns of equal length (finite, sizes not negative). `cell`: cells at least this wide, if given.
    pub(crate) fn bin(&mut self, x: &[f32], y: &[f32], size: &[f32], policy: Policy, cell: Option<f32>, split: Split) {
        let all = Extent::of([x, y, size], self.set, split);
        self.bin_within(all, [x, y, size], policy, cell, split);
    }

    /// The same, of columns with this extent.
    pub(crate) fn bin_within(
        &mut self,
        all: Extent,
        [x, y, size]: [&[f32]; 3],
        policy: Policy,
        cell: Option<f32>,
        split: Split,
    ) {
        if Grid::are_few(x.len(), policy, cell) {
            self.bin_few(all, [x, y, size]);
            return;
        }
        self.sort(all, [x, y, size], policy, cell, split);
        for column in [&mut self.x, &mut self.y, &mut self.size] {
            make_room(column, (x.len() + PAD).saturating_sub(column.len()));
        }
        for (to, from) in [(&mut self.x, x), (&mut self.y, y), (&mut self.size, size)] {
            fit(to, from, x.len());
        }
        let rows = Rows {
            first: 0,
            order: &self.order,
            x: &mut self.x,
            y: &mut self.y,
            size: &mut self.size,
            keys: &mut self.keys,
        };
        rows.fill([x, y, size], self.plan.levels(), (self.set, split));
        for column in [&mut self.x, &mut self.y, &mut self.size] {
            column.extend([f32::NAN; PAD]);
        }
    }

    /// [`Self::bin`] without the columns in cell order, for callers that gather records of their own: [`Self::x`],
    /// [`Self::y`] and [`Self::size`] are then not to be asked, and [`Self::placed`] has to be told of positions in that order.
    pub(crate) fn place(
        &mut self,
        x: &[f32],
        y: &[f32],
        size: &[f32],
        policy: Policy,
        cell: Option<f32>,
        split: Split,
    ) {
        let all = Extent::of([x, y, size], self.set, split);
        self.sort(all, [x, y, size], policy, cell, split);
    }

    /// The positions of [`Self::place`], in cell order.
    pub(crate) fn placed(&mut self, x: &[f32], y: &[f32], split: Split) {
        keys_of_levels(&mut self.keys, &self.plan, [x, y], (self.set, split));
    }

    /// The table and the order.
    fn sort(&mut self, all: Extent, [x, y, size]: [&[f32]; 3], policy: Policy, cell: Option<f32>, split: Split) {
        self.regions.forget();
        self.plan.make(all, [x, y, size], policy, cell, (self.set, split));
        self.make_keys(x, y, split);
        // One entry for the end of the last cell, one because counts stand two places further.
        // Room for as many as there may be for so many bodies, so that bodies that spread do not ask for memory.
        let most = 2 * x.len() + (MORE_CELLS + 2) * self.plan.levels().len() + 2;
        self.starts.reserve(most.saturating_sub(self.starts.len()));
        self.starts.resize(self.plan.entries() + 2, 0);
        self.order.resize(x.len(), 0);
        self.sort.sort(&self.keys, &mut self.starts, &mut self.order, (self.set, split));
    }

    /// The largest size.
    pub(crate) fn largest(&self) -> f32 {
        self.levels().iter().map(|level| level.size).fold(0.0, |most, size| if size > most { size } else { most })
    }

    /// The levels, small sizes first.
    pub(crate) fn levels(&self) -> &[Level] {
        self.plan.levels()
    }

    /// The rows of a cell are `starts()[base + key]..starts()[base + key + 1]`; [`CellMap::pad`] more entries follow the
    /// last key of each level.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many share a row's cell, itself among them, in the mean.
    pub(crate) fn crowd(&self) -> f64 {
        let cells = self.levels().iter().flat_map(|level| {
            let (base, cells) = (level.base as usize, level.map.cells() as usize);
            self.starts[base..=base + cells].windows(2).map(|ends| u64::from(ends[1] - ends[0]))
        });
        cells.map(|count| count * count).sum::<u64>() as f64 / self.order.len() as f64
    }

    /// `order()[row]` is the place in the columns that were binned.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// First coordinates in cell order, [`PAD`] NaN behind.
    pub(crate) fn x(&self) -> &[f32] {
        &self.x
    }

    /// Second coordinates in cell order, [`PAD`] NaN behind.
    pub(crate) fn y(&self) -> &[f32] {
        &self.y
    }

    /// Sizes in cell order, [`PAD`] NaN behind.
    pub(crate) fn size(&self) -> &[f32] {
        &self.size
    }

    /// Where the positions of a level are, told for wide regions. Making that costs some ns a position: it is made once as much has been
    /// spent on looking from cell to cell, in cells; what is found does not depend on it.
    #[inline]
    pub(crate) fn regions(&self, level: &Level, spent: u32) -> Option<&Regions> {
        if !level.map.is_torus() {
            return None;
        }
        let due = [spent, self.order.len() as u32 / 8];
        let all = self.regions.get(due, |all| {
            all.resize_with(self.levels().len(), Regions::default);
            for (one, level) in all.iter_mut().zip(self.levels()) {
                one.make(level, &self.x, &self.y);
            }
        })?;
        let regions = all.get(self.levels().iter().position(|other| other.base == level.base)?);
        regions.filter(|regions| regions.map().is_some())
    }

    /// One level's part of the table, for its rows.
    #[inline(always)]
    pub(crate) fn cells(&self, level: &Level) -> LevelCells<'_> {
        LevelCells { starts: &self.starts[level.base as usize..], keys: &self.keys, map: level.map }
    }

    /// The same, and the keys of all rows.
    pub(super) fn table(&self, level: &Level) -> (&[u32], &[u32]) {
        (&self.starts[level.base as usize..], &self.keys)
    }

    /// The rows of `columns` consecutive cells of one row of cells, as one run, or two where a torus closes.
    /// On a torus, no more columns than it has cells.
    #[inline(always)]
    pub(crate) fn interval(&self, level: &Level, row: i32, first: i32, last: i32) -> [Range<u32>; 2] {
        let starts = &self.starts[level.base as usize..];
        run_of_cells(starts, level.map.cells(), level.map.key_of(first, row), (last - first) as u32 + 1)
    }

    /// Swaps the columns in cell order, without the NaN behind, for others whose memory is used again. Until the next
    /// [`Self::bin`] they are gone from here.
    pub(crate) fn take(&mut self, x: &mut Vec<f32>, y: &mut Vec<f32>, size: &mut Vec<f32>) {
        let rows = self.order.len();
        for (mine, theirs) in [(&mut self.x, x), (&mut self.y, y), (&mut self.size, size)] {
            mine.truncate(rows);
            std::mem::swap(mine, theirs);
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.order.capacity() + self.keys.capacity())
            + 4 * (self.x.capacity() + self.y.capacity() + self.size.capacity())
            + self.plan.bytes()
            + self.sort.bytes()
            + self.regions.bytes(|all| all.iter().map(Regions::bytes).sum())
    }

    /// Keys, counted from the first of the first level.
    fn make_keys(&mut self, x: &[f32], y: &[f32], split: Split) {
        let (keys, level, levels) = (&mut self.keys, self.plan.level(), self.plan.levels());
        keys.resize(x.len(), 0);
        let Some(finest) = levels.first() else {
            return;
        };
        keys_of(&finest.map, [x, y], keys, (self.set, split));
        if levels.len() > 1 {
            split.chunks(keys, PIECE, |at, keys| {
                each_coarse(&level[at..at + keys.len()], |i, k| {
                    let level = &levels[usize::from(k)];
                    keys[i] = level.base + level.map.key(x[at + i], y[at + i]);
                });
            });
        }
    }
}

/// Consecutive rows in cell order, from `first` on.
struct Rows<'a> {
    first: usize,
    order: &'a [u32],
    x: &'a mut [f32],
    y: &'a mut [f32],
    size: &'a mut [f32],
    keys: &'a mut [u32],
}

impl Rows<'_> {
    /// Fetches columns, and makes keys once more while these are at hand: to fetch those from where rows came from costs more.
    fn fill(self, from: [&[f32]; 3], levels: &[Level], (set, split): (InstructionSet, Split)) {
        let Rows { first, order, x, y, size, keys } = self;
        if order.len() > PIECE {
            let middle = order.len().div_ceil(PIECE) / 2 * PIECE;
            let ((low_order, order), (low_keys, keys)) = (order.split_at(middle), keys.split_at_mut(middle));
            let (((low_x, x), (low_y, y)), (low_size, size)) =
                ((x.split_at_mut(middle), y.split_at_mut(middle)), size.split_at_mut(middle));
            let low = Rows { first, order: low_order, x: low_x, y: low_y, size: low_size, keys: low_keys };
            let high = Rows { first: first + middle, order, x, y, size, keys };
            split.join(|| low.fill(from, levels, (set, split)), || high.fill(from, levels, (set, split)));
            return;
        }
        let nothing = vec![(); from[0].len()];
        let to = (&mut vec![(); order.len()][..], &mut *x, &mut *y, &mut *size);
        gather_rows((&nothing, from[0], from[1], from[2]), order, to, split);
        for Level { map, rows, .. } in levels {
            let place = |row: u32| min((row as usize).saturating_sub(first), order.len());
            let (start, end) = (place(rows.start), place(rows.end));
            let (x, y, keys) = (&x[start..end], &y[start..end], &mut keys[start..end]);
            dispatch(Backend::Wide, set, ToCells::<false> { map, x, y, to: keys });
        }
    }
}

/// Keys of positions in cell order, counted from the first of their level.
fn keys_of_levels(keys: &mut Vec<u32>, plan: &Plan, [x, y]: [&[f32]; 2], how: (InstructionSet, Split)) {
    keys.resize(x.len(), 0);
    for level in plan.levels() {
        let rows = level.rows.start as usize..level.rows.end as usize;
        keys_of(&level.map, [&x[rows.clone()], &y[rows.clone()]], &mut keys[rows], how);
    }
}

/// Keys of positions in one map.
fn keys_of(map: &CellMap, [x, y]: [&[f32]; 2], keys: &mut [u32], (set, split): (InstructionSet, Split)) {
    split.chunks(keys, PIECE, |at, keys| {
        let (x, y) = (&x[at..at + keys.len()], &y[at..at + keys.len()]);
        // No kernels are needed, only the code compiled for what the machine has.
        dispatch(Backend::Wide, set, ToCells::<false> { map, x, y, to: keys });
    });
}

/// The rows of consecutive cells from a key on, in two runs where a torus closes. No more cells than there are.
#[inline(always)]
pub(super) fn run_of_cells(starts: &[u32], cells: u32, key: u32, columns: u32) -> [Range<u32>; 2] {
    if key + columns <= cells {
        [starts[key as usize]..starts[(key + columns) as usize], 0..0]
    } else {
        let rest = key + columns - cells;
        [starts[key as usize]..starts[cells as usize], starts[0]..starts[rest as usize]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_hundreds_counts_for_255() {
        for (own, above) in [(0, 0), (3, 255), (255, 1), (256, 7), (4, 257), (1 << 20, 300), (0, 1 << 31)] {
            let runs = Runs { own: 10..10 + own, above: 5..5 + above, rest: 0..0 };
            assert_eq!(runs.counts(), [min(own, 255), min(above, 255)]);
        }
    }

    #[test]
    fn rows_before_those_where_a_torus_closes_look_at_what_they_would_in_a_box() {
        // One row in each cell, so that rows are keys; behind the last key stands where the last row ends.
        for cells in [64, 256] {
            let map = CellMap::torus([0.0; 2], 1.0, cells);
            let keys: Vec<u32> = (0..cells).collect();
            let starts: Vec<u32> = (0..=cells).chain(std::iter::repeat_n(cells, map.pad() as usize)).collect();
            let level = LevelCells { starts: &starts, keys: &keys, map };
            let closing: Vec<u32> = (0..cells).filter(|&row| level.close_by(row)).collect();
            for row in 0..cells {
                let torus = level.runs_of::<true>(row, row);
                // By hand: the cells right and, from the left on, above; those past the last one are the first ones.
                let looked = [1, map.stride() - 1, map.stride(), map.stride() + 1].map(|step| (row + step) % cells);
                let mut all: Vec<u32> =
                    torus.own.clone().chain(torus.above.clone()).chain(torus.rest.clone()).collect();
                all.sort_unstable();
                assert!(all.iter().eq(looked.iter().collect::<std::collections::BTreeSet<_>>()), "{row}");
                if closing.contains(&row) {
                    assert!(row + map.stride() + 1 >= cells, "{row}: it goes past the last one");
                } else {
                    let box_like = level.runs_of::<false>(row, row);
                    assert_eq!((box_like.own, box_like.above), (torus.own, torus.above));
                    assert!(torus.rest.is_empty() && box_like.rest.is_empty());
                }
            }
            assert_eq!(closing.len() as u32, map.stride() + 1);
        }
    }
}
