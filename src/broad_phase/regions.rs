//! Where nobody is, told for wide regions at once: for positions strewn so thinly that their cells lie on a torus, and a way through empty space
//! leads past thousands of cells, or around it.
//!
//! Comes in: the positions of a level. Goes out: from any place, a square in which there surely is none ([`Regions::clear`]); and the rows
//! of each region. This room does not know who looks.
//!
//! Method: a chessboard distance transform (Rosenfeld and Pfaltz, Distance Functions on Digital Pictures, 1968): two passes leave in
//! each region how many regions away, on the axis where that is more, the nearest one is in which somebody is.
//!
//! *Why the square is empty.* A place in a region from which everybody is `d` regions away, or more, is more than `d - 1` regions from each
//! position on some axis, but for the rounding of the two indices: of a position 2^-6 at most (see [`CellMap`]), of the place far
//! less. [`MARGIN`] covers both, and what a place is off that was rounded in double precision: regions are wider than 2^-34 of it. From outside the
//! box around all positions nothing is nearer than the box, but for [`ALLOWANCE`]; and the place is moved to the nearest point of it, which
//! is no further from anybody in it on either axis.
//!
//! *Cost*: O(positions), as many regions as positions at most.

use super::cell_map::CellMap;
use super::extent::span;
use super::floor::floor_to;
use super::plan::Level;
use std::ops::Range;

/// In regions.
const MARGIN: f64 = 1.0 / 16.0;
/// 2^-40: places may be rounded in double precision, some times.
const ALLOWANCE: f64 = 1.0 / (1u64 << 40) as f64;
/// Regions on the longer side, at most.
const SIDE: f64 = 1024.0;
/// With fewer positions all of them are soon looked at.
const FEW: usize = 256;
/// One in so many regions has to be clear around: where bodies are everywhere, nothing is gained.
const SHARE: usize = 4;
/// So many rows about a place are few.
const SOME: usize = 8;
/// Wider regions have no inverse that is exact enough.
const WIDEST: f64 = 1e36;
/// Nor have narrower ones.
const LEAST: f64 = 1e-36;

/// See the head of the module. Buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    map: Option<CellMap>,
    low: [f64; 2],
    high: [f64; 2],
    /// By region: how many regions from it somebody is, 255 for more.
    away: Vec<u8>,
    /// `starts[key]..starts[key + 1]` are the places in `rows` of a region.
    starts: Vec<u32>,
    rows: Vec<u32>,
    keys: Vec<u32>,
}

impl Regions {
    /// Of the level's positions, which stand in these columns; nothing where that would be of no use.
    pub(super) fn make(&mut self, level: &Level, x: &[f32], y: &[f32]) {
        let rows = level.rows.start as usize..level.rows.end as usize;
        self.strew(level.map.is_torus(), level.rows.start, &x[rows.clone()], &y[rows]);
    }

    /// Of all these positions, called by numbers from `first` on, if they are strewn thinly.
    pub(super) fn strew(&mut self, thinly: bool, first: u32, x: &[f32], y: &[f32]) {
        self.map = None;
        if !thinly || x.len() < FEW {
            return;
        }
        let ([x0, x1], [y0, y1]) = (span(x), span(y));
        (self.low, self.high) = ([x0, y0].map(f64::from), [x1, y1].map(f64::from));
        let [wide, high] = [0, 1].map(|axis| self.high[axis] - self.low[axis]);
        let across = if wide > high { wide } else { high };
        let side = (x.len() as f64).sqrt();
        let cell = across / if side < SIDE { side } else { SIDE };
        // Keys of a boxed map are made without a look at what overflows.
        let finite = (0..2).all(|axis| (self.high[axis] - self.low[axis]) < f64::from(f32::MAX));
        if !finite || !(LEAST..WIDEST).contains(&cell) {
            return;
        }
        let across = |length: f64| (length / cell) as u32 + 1;
        let map = CellMap::boxed([x0, y0], cell as f32, across(wide), across(high));
        self.keys.resize(x.len(), 0);
        map.keys(x, y, &mut self.keys);
        self.list(map.cells() as usize, first);
        self.measure(&map);
        let clear = self.away.iter().filter(|&&away| away >= 2).count();
        self.map = (clear >= self.away.len() / SHARE).then_some(map);
    }

    /// The rows of each region, by counting. Counts stand two places further than their key: advancing the sums while placing leaves the table.
    fn list(&mut self, cells: usize, first: u32) {
        let Regions { starts, rows, keys, .. } = self;
        starts.clear();
        starts.resize(cells + 2, 0);
        for &key in &*keys {
            starts[key as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        rows.resize(keys.len(), 0);
        for (&key, row) in keys.iter().zip(first..) {
            let place = &mut starts[key as usize + 1];
            rows[*place as usize] = row;
            *place += 1;
        }
    }

    /// How far away somebody is.
    fn measure(&mut self, map: &CellMap) {
        let (stride, cells) = (map.stride() as usize, map.cells() as usize);
        self.away.clear();
        self.away.extend(self.starts[..=cells].windows(2).map(|of| if of[0] < of[1] { 0 } else { u8::MAX }));
        let mut before: &[u8] = &[];
        for row in self.away.chunks_exact_mut(stride) {
            beside(row, before);
            let mut last = u8::MAX;
            for away in row.iter_mut() {
                last = less(*away, last.saturating_add(1));
                *away = last;
            }
            before = row;
        }
        before = &[];
        for row in self.away.chunks_exact_mut(stride).rev() {
            beside(row, before);
            let mut last = u8::MAX;
            for away in row.iter_mut().rev() {
                last = less(*away, last.saturating_add(1));
                *away = last;
            }
            before = row;
        }
    }

    /// Half the side of a square about a place in which there is no position; 0 or less where that is not known.
    #[inline]
    pub(crate) fn clear(&self, place: [f64; 2]) -> f64 {
        let Some(map) = &self.map else { return 0.0 };
        let mut outside = 0.0;
        for ((v, low), high) in place.into_iter().zip(self.low).zip(self.high) {
            let beyond = if low - v > v - high { low - v } else { v - high };
            let beyond = beyond - ALLOWANCE * (v.abs() + low.abs() + high.abs());
            outside = if beyond > outside { beyond } else { outside };
        }
        let [column, row] = region(map, place);
        let away = f64::from(self.away[map.key_of(column, row) as usize]);
        let inside = (away - 1.0 - MARGIN) * f64::from(map.cell());
        if inside > outside { inside } else { outside }
    }

    /// Half the side of a square about a place, and all rows in it, if they are few, and some more.
    #[inline]
    pub(crate) fn about(&self, place: [f64; 2]) -> Option<(f64, [&[u32]; 3])> {
        let map = self.map.as_ref()?;
        let ([column, row], (last_column, last_row)) = (region(map, place), map.last());
        let columns = [column - i32::from(column > 0), column + i32::from(column < last_column)];
        let near = [row - i32::from(row > 0), row, row + i32::from(row < last_row)];
        let rows = near.map(|row| self.rows(map, row, columns));
        // At the rim, a row of regions is there twice.
        let rows = [rows[0], if row > 0 { rows[1] } else { &[] }, if row < last_row { rows[2] } else { &[] }];
        let few = rows[0].len() + rows[1].len() + rows[2].len() <= SOME;
        few.then(|| ((1.0 - MARGIN) * f64::from(map.cell()), rows))
    }

    /// The map of the regions, if there are any.
    pub(crate) fn map(&self) -> Option<&CellMap> {
        self.map.as_ref()
    }

    /// Around all positions: low x, low y, high x, high y.
    pub(crate) fn around(&self) -> [f64; 4] {
        [self.low[0], self.low[1], self.high[0], self.high[1]]
    }

    /// The rows of consecutive regions of a row of regions.
    #[inline]
    pub(crate) fn rows(&self, map: &CellMap, row: i32, columns: [i32; 2]) -> &[u32] {
        let (first, last) = (map.key_of(columns[0], row) as usize, map.key_of(columns[1], row) as usize);
        let Range { start, end } = self.starts[first]..self.starts[last + 1];
        &self.rows[start as usize..end as usize]
    }

    /// How many rows there are in a rectangle of regions.
    #[inline]
    pub(crate) fn count(&self, map: &CellMap, rows: [i32; 2], columns: [i32; 2]) -> usize {
        (rows[0]..=rows[1]).map(|row| self.rows(map, row, columns).len()).sum()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.away.capacity() + 4 * (self.starts.capacity() + self.rows.capacity() + self.keys.capacity())
    }
}

/// Column and row of a place; what is beyond the rim, and what is not a number, is at it.
#[inline(always)]
fn region(map: &CellMap, place: [f64; 2]) -> [i32; 2] {
    let (origin, per, (last_column, last_row)) = (map.origin(), f64::from(map.inverse()), map.last());
    let index = |axis: usize, last: i32| floor_to((place[axis] - f64::from(origin[axis])) * per, f64::from(last));
    [index(0, last_column), index(1, last_row)]
}

#[inline(always)]
fn less(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

/// One further than in the row beside it, straight or aslant, where that is less.
fn beside(row: &mut [u8], other: &[u8]) {
    let on = |least: u8| least.saturating_add(1);
    for (away, &straight) in row.iter_mut().zip(other) {
        *away = less(*away, on(straight));
    }
    for (away, &left) in row.iter_mut().skip(1).zip(other) {
        *away = less(*away, on(left));
    }
    for (away, &right) in row.iter_mut().zip(other.iter().skip(1)) {
        *away = less(*away, on(right));
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

    /// Clumps of points in a wide plane.
    fn strewn(state: &mut u64, clumps: usize, width: [f64; 2]) -> [Vec<f32>; 2] {
        let mut columns = [vec![], vec![]];
        for _ in 0..clumps {
            let middle = width.map(|w| (random(state) - 0.5) * w);
            // Some stand alone.
            for _ in 0..if random(state) < 0.5 { 200 } else { 1 } {
                for (column, middle) in columns.iter_mut().zip(middle) {
                    column.push((middle + 20.0 * random(state)) as f32);
                }
            }
        }
        columns
    }

    fn grid(x: &[f32], y: &[f32]) -> Grid {
        let mut grid = Grid::default();
        grid.bin(x, y, &vec![0.5; x.len()], Policy::CIRCLES, None, Split::SERIAL);
        grid
    }

    #[test]
    fn nobody_is_in_a_clear_square_and_each_row_in_its_region() {
        let (mut state, mut lists) = (3, 0);
        for (clumps, width) in [(9, [1e4, 1e4]), (60, [1e6, 1e5]), (12, [3e3, 1e9]), (9, [1e30, 1e30])] {
            let [x, y] = strewn(&mut state, clumps, width);
            let grid = grid(&x, &y);
            let level = &grid.levels()[0];
            assert!(level.map.is_torus(), "{width:?}");
            let mut regions = Regions::default();
            regions.make(level, grid.x(), grid.y());
            let map = *regions.map().expect("wide");
            let mut rows = regions.rows.clone();
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..x.len() as u32));
            let (mut told, mut listed) = (0, 0);
            for _ in 0..3000 {
                // In the box and around it.
                let place = width.map(|w| (random(&mut state) - 0.5) * 1.5 * w);
                let clear = regions.clear(place);
                told += usize::from(clear > 0.0);
                let nearest = (0..x.len()).fold(f64::MAX, |least, k| {
                    let (dx, dy) = ((f64::from(x[k]) - place[0]).abs(), (f64::from(y[k]) - place[1]).abs());
                    least.min(dx.max(dy))
                });
                assert!(clear <= nearest, "{width:?} {place:?}: {clear} {nearest}");
                if let Some((reach, rows)) = regions.about(place) {
                    let rows = rows.concat();
                    assert!(rows.len() <= SOME && (1..rows.len()).all(|k| !rows[..k].contains(&rows[k])));
                    let near = |row: usize| {
                        let [dx, dy] = [grid.x()[row], grid.y()[row]].map(f64::from);
                        (dx - place[0]).abs().max((dy - place[1]).abs()) <= reach
                    };
                    assert!((0..x.len()).filter(|&row| near(row)).all(|row| rows.contains(&(row as u32))));
                    listed += rows.len();
                }
                // In the box, what is known is not much less than what there is.
                let inside = (0..2).all(|k| regions.low[k] <= place[k] && place[k] <= regions.high[k]);
                let regions_away = (nearest / f64::from(map.cell())).min(255.0);
                assert!(
                    !inside || clear >= (regions_away - 2.2) * f64::from(map.cell()),
                    "{clear} {nearest} {width:?}"
                );
            }
            assert!(told > 300, "{width:?} {told}");
            lists += listed;
            // At somebody's place nothing is clear.
            for k in 0..x.len() {
                assert!(regions.clear([f64::from(x[k]), f64::from(y[k])]) <= 0.0);
                let (cx, cy) = (map.index(map.scale(x[k], 0), 0), map.index(map.scale(y[k], 1), 1));
                let row = grid.order().iter().position(|&name| name as usize == k).expect("all") as u32;
                assert!(regions.rows(&map, cy, [cx, cx]).contains(&row));
            }
        }
        assert!(lists > 0);
    }

    #[test]
    fn distances_are_those_of_a_chessboard() {
        let mut state = 8;
        for (columns, rows, many) in [(9usize, 7usize, 1), (20, 31, 4), (300, 2, 1), (1, 9, 2)] {
            let map = CellMap::boxed([0.0; 2], 1.0, columns as u32, rows as u32);
            let mut regions = Regions::default();
            let there: Vec<[usize; 2]> = (0..many)
                .map(|_| [(random(&mut state) * columns as f64) as usize, (random(&mut state) * rows as f64) as usize])
                .collect();
            regions.keys = there.iter().map(|&[cx, cy]| map.key_of(cx as i32, cy as i32)).collect();
            regions.list(map.cells() as usize, 0);
            regions.measure(&map);
            for cy in 0..rows {
                for cx in 0..columns {
                    let away = there.iter().map(|&[x, y]| x.abs_diff(cx).max(y.abs_diff(cy))).min().expect("some");
                    assert_eq!(usize::from(regions.away[map.key_of(cx as i32, cy as i32) as usize]), away.min(255));
                }
            }
        }
    }

    /// Cause: the difference of two coordinates was infinite in single precision, so that a position in the middle was listed at the rim.
    #[test]
    fn no_regions_where_differences_leave_the_range() {
        let mut state = 11;
        let mut column = |low: f64, high: f64| -> Vec<f32> {
            (0..120_000).map(|_| (low + (high - low) * random(&mut state)) as f32).collect()
        };
        let (mut x, mut y) = (column(-3.3e38, -3.29e38), column(-5e35, 5e35));
        let mut regions = Regions::default();
        for (far, wide) in [(0.0, true), (3.3e38, false)] {
            x.push(far);
            y.push(0.0);
            let mut grid = Grid::default();
            grid.bin(&x, &y, &vec![3e33; x.len()], Policy::CIRCLES, None, Split::SERIAL);
            let level = &grid.levels()[0];
            assert!(level.map.is_torus());
            regions.make(level, grid.x(), grid.y());
            assert_eq!(regions.map().is_some(), wide, "{far}");
        }
    }

    #[test]
    fn no_regions_where_they_are_of_no_use() {
        let mut regions = Regions::default();
        // Side by side: a box; and all in one place.
        for spread in [1.0, 0.0] {
            let x: Vec<f32> = (0..1000).map(|k| (k % 32) as f32 * spread).collect();
            let y: Vec<f32> = (0..1000).map(|k| (k / 32) as f32 * spread).collect();
            let grid = grid(&x, &y);
            regions.make(&grid.levels()[0], grid.x(), grid.y());
            assert!(regions.map().is_none());
            assert_eq!(regions.clear([1e9, 0.0]), 0.0);
        }
    }
}
