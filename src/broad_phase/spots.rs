//! Circles strewn thinly, each under every cell that it may have a point in, for whoever walks from cell to cell.
//!
//! Comes in: the circles of a level. Goes out: for each cell of a box around all of them the rows of those that have a point in it or
//! within a hair of it. Where circles are small for the room that they have, a thin ray goes past most of them: with one look a cell it meets
//! only those that are near, while by centres ([`Level`]) it has to look a cell to each side. Where they lie side by side there are none of these
//! cells: each circle would be in many. This room does not know who looks.
//!
//! *Why nobody is missed.* A circle is under all cells that its box touches, that box [`MARGIN`] wider on each side, which is twice what walks ask for
//! ([`NEAR`]) and covers the rounding of coordinates in double precision: cells are wider than 2^-34 of any coordinate.
//!
//! *Cost*: O(circles): two cells a circle and at most four entries, being wider than it.

use super::cell_map::{CellMap, LINEAR};
use super::cells::NEAR;
use super::plan::Level;
use std::ops::Range;

/// In cells.
const MARGIN: f64 = 2.0 * NEAR;
/// With fewer circles all of them are soon looked at.
const FEW: u32 = 64;
/// With more, entries might not be counted.
const MOST: u32 = 1 << 28;
/// Cells a circle.
const CELLS: f64 = 2.0;
/// A cell is at least so many of the largest radii wide.
const WIDE: f64 = 4.0;
/// Wider cells have no inverse that is exact enough.
const WIDEST: f64 = 1e36;
/// Nor have narrower ones.
const LEAST: f64 = 1e-36;
/// 2^-34 of a coordinate: a cell is at least as wide.
const COARSEST: f64 = 1.0 / (1u64 << 34) as f64;

/// See the head of the module. Buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    map: Option<CellMap>,
    /// One over the cells per length unit, as the map takes it.
    width: f64,
    /// Around all circles.
    low: [f64; 2],
    high: [f64; 2],
    /// `starts[key]..starts[key + 1]` are the places in `rows` of a cell.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Spots {
    /// Of the level's circles, which stand in these columns; nothing where they are not strewn thinly.
    pub(super) fn make(&mut self, level: &Level, [x, y, radius]: [&[f32]; 3]) {
        self.map = map_of(level);
        let Some(map) = self.map else { return };
        self.width = 1.0 / f64::from(map.inverse());
        let size = f64::from(level.size);
        let [low, high] = level.extent().map(|corner| corner.map(f64::from));
        (self.low, self.high) = (low.map(|v| v - size), high.map(|v| v + size));
        let Spots { starts, rows, .. } = self;
        let members = || (level.rows.start..level.rows.end).map(|row| row as usize);
        let cells = |row: usize| cells_of(&map, [x[row], y[row]], radius[row]);
        // Counts stand two places further than their key: advancing the sums while placing leaves the table.
        starts.clear();
        starts.resize(map.cells() as usize + 2, 0);
        for row in members() {
            each(&map, cells(row), |key| starts[key + 2] += 1);
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        rows.resize(sum as usize, 0);
        for row in members() {
            each(&map, cells(row), |key| {
                let place = &mut starts[key + 1];
                rows[*place as usize] = row as u32;
                *place += 1;
            });
        }
    }

    /// The map of the cells, if there are any.
    #[inline(always)]
    pub(crate) fn map(&self) -> Option<&CellMap> {
        self.map.as_ref()
    }

    /// One over the cells per length unit, as the map takes it.
    #[inline(always)]
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Around all circles.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        [self.low, self.high]
    }

    /// The rows of the cell with a key are [`Self::rows`]`(table[key]..table[key + 1])`.
    #[inline(always)]
    pub(crate) fn table(&self) -> &[u32] {
        &self.starts
    }

    /// Rows of circles in cell order, ascending in each cell.
    #[inline(always)]
    pub(crate) fn rows(&self, places: Range<u32>) -> &[u32] {
        &self.rows[places.start as usize..places.end as usize]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.rows.capacity())
    }
}

/// The cells, if circles are strewn thinly.
fn map_of(level: &Level) -> Option<CellMap> {
    let (count, size) = (level.rows.end - level.rows.start, f64::from(level.size));
    let [low, high] = level.extent().map(|corner| corner.map(f64::from));
    let room = |axis: usize| high[axis] - low[axis] + 2.0 * size;
    let cell = (room(0) * room(1) / (CELLS * f64::from(count))).sqrt();
    let farthest = [low, high].concat().into_iter().fold(0.0, |far: f64, v| if v.abs() > far { v.abs() } else { far });
    let wide = cell >= WIDE * size && cell >= COARSEST * (farthest + size) && (LEAST..WIDEST).contains(&cell);
    if !(FEW..MOST).contains(&count) || !wide || farthest + size >= WIDEST {
        return None;
    }
    let cell = cell as f32;
    let origin = low.map(|v| ((v - size) as f32).next_down());
    let [columns, rows] =
        [0, 1].map(|axis| ((high[axis] + size - f64::from(origin[axis])) / f64::from(cell)).floor() + 2.0);
    let most = f64::from(LINEAR) - 4.0;
    let fits = columns <= most && rows <= most && columns * rows <= 2.0 * CELLS * f64::from(count) + 64.0;
    fits.then(|| CellMap::boxed(origin, cell, columns as u32, rows as u32))
}

/// First and last column, first and last row of the cells that a circle may have a point in.
#[inline(always)]
fn cells_of(map: &CellMap, center: [f32; 2], radius: f32) -> [[i32; 2]; 2] {
    let (origin, per, (last_column, last_row)) = (map.origin(), f64::from(map.inverse()), map.last());
    let reach = f64::from(radius) * per + MARGIN;
    let x = (f64::from(center[0]) - f64::from(origin[0])) * per;
    let y = (f64::from(center[1]) - f64::from(origin[1])) * per;
    [
        [cell_at(x - reach, last_column), cell_at(x + reach, last_column)],
        [cell_at(y - reach, last_row), cell_at(y + reach, last_row)],
    ]
}

/// The cell of a place, in cells, of `0..=last`.
#[inline(always)]
fn cell_at(v: f64, last: i32) -> i32 {
    if v > 0.0 { if v < f64::from(last) { v as i32 } else { last } } else { 0 }
}

/// The keys of a rectangle of cells.
#[inline(always)]
fn each(map: &CellMap, [columns, rows]: [[i32; 2]; 2], mut take: impl FnMut(usize)) {
    for row in rows[0]..=rows[1] {
        let key = map.key_of(columns[0], row) as usize;
        for column in 0..=(columns[1] - columns[0]) as usize {
            take(key + column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::{Grid, Policy};
    use crate::parallel::Split;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Circles of up to this radius, strewn over a rectangle about a place.
    fn grid(count: usize, [wide, high]: [f64; 2], middle: f64, size: f64) -> Grid {
        let (mut state, mut columns) = (7, [vec![], vec![], vec![]]);
        for _ in 0..count {
            let row = [wide, high].map(|w| middle + (random(&mut state) - 0.5) * w);
            let radius = size * (0.5 + 0.5 * random(&mut state));
            columns.iter_mut().zip([row[0], row[1], radius]).for_each(|(column, v)| column.push(v as f32));
        }
        let ([x, y, radius], mut grid) = (columns, Grid::default());
        grid.bin(&x, &y, &radius, Policy::CIRCLES, None, Split::SERIAL);
        grid
    }

    #[test]
    fn every_cell_knows_all_circles_that_have_points_in_it() {
        for (count, room, middle, size) in [
            (70, [300.0, 300.0], 0.0, 1.0),
            (3000, [1e4, 2e3], -5e3, 10.0),
            (3000, [1e9, 1e9], 1e9, 300.0),
            (500, [4e3, 4e3], 6.4e6, 0.5),
            (500, [1e-20, 1e-20], 0.0, 1e-23),
            (200, [1.0, 1.0], 0.0, 0.0),
        ] {
            let (grid, mut spots, mut state, mut whole) = (grid(count, room, middle, size), Spots::default(), 9, 0);
            for level in grid.levels() {
                spots.make(level, [grid.x(), grid.y(), grid.size()]);
                let map = *spots.map().expect("strewn thinly");
                let [low, high] = spots.bounds();
                assert!(spots.rows.len() <= 4 * (level.rows.end - level.rows.start) as usize, "{room:?}");
                for row in level.rows.clone() {
                    let at = row as usize;
                    let (center, r) = ([grid.x()[at], grid.y()[at]].map(f64::from), f64::from(grid.size()[at]));
                    for step in 0..40 {
                        // The centre, the ends on the axes, points within.
                        let away = match step {
                            0 => [0.0, 0.0],
                            1..=4 => [[r, 0.0], [-r, 0.0], [0.0, r], [0.0, -r]][step - 1],
                            _ => [0, 1].map(|_| r * (random(&mut state) - 0.5) * 1.4),
                        };
                        let cell = [0, 1].map(|axis| {
                            let v = center[axis] + away[axis];
                            assert!(low[axis] <= v && v <= high[axis]);
                            let hair = (random(&mut state) - 0.5) * 2.0 * NEAR;
                            ((v - f64::from(map.origin()[axis])) * f64::from(map.inverse()) + hair).floor() as i32
                        });
                        if !(0..=map.last().0).contains(&cell[0]) || !(0..=map.last().1).contains(&cell[1]) {
                            continue; // beyond the rim by a hair
                        }
                        let key = map.key_of(cell[0], cell[1]) as usize;
                        let rows = spots.rows(spots.table()[key]..spots.table()[key + 1]);
                        assert!(rows.contains(&row) && rows.is_sorted_by(|a, b| a < b), "{row} {cell:?}");
                        whole += 1;
                    }
                }
            }
            assert!(whole > 39 * count, "{whole}");
        }
    }

    #[test]
    fn none_where_they_lie_side_by_side_or_are_few_or_far_out() {
        for (count, room, middle, size) in [
            (1000, [40.0, 40.0], 0.0, 0.5),
            (63, [300.0, 300.0], 0.0, 1.0),
            (1000, [0.0, 0.0], 5.0, 0.0),
            (1000, [1e37, 1e37], 0.0, 1.0),
            // One row of cells of which there would be too many.
            (300_000, [1e9, 0.0], 0.0, 1e-3),
            // Cells that are narrower than what coordinates can tell.
            (1000, [0.0, 1.0], 1e12, 1e-9),
        ] {
            let (grid, mut spots) = (grid(count, room, middle, size), Spots::default());
            for level in grid.levels() {
                spots.make(level, [grid.x(), grid.y(), grid.size()]);
                assert!(spots.map().is_none(), "{count} {room:?}");
            }
        }
    }

    #[test]
    fn they_are_made_once_as_many_rays_have_been_cast_as_they_cost_and_forgotten_with_the_circles() {
        let mut grid = grid(800, [1e4, 1e4], 0.0, 1.0);
        let level = &grid.levels()[0];
        for _ in 0..100 {
            assert!(grid.spots(level, 1).is_none());
        }
        assert!(grid.spots(level, 0).is_some() && grid.bytes() > 0);
        let [x, y, size] = [grid.x(), grid.y(), grid.size()].map(|column| column[..800].to_vec());
        grid.bin(&x, &y, &size, Policy::CIRCLES, None, Split::SERIAL);
        assert!(grid.spots(&grid.levels()[0], 1).is_none());
    }
}
