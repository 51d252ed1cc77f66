//! In which parts of the plane there is anybody, for what would walk through many empty cells to find out.
//!
//! Comes in: a level whose cells are those of a torus, and how many ask. Goes out: that nobody is in a box, or that perhaps somebody is. This room does not
//! know who asks.
//!
//! An occupancy grid over the box around all, and the sums of all that is below and to the left of each place (Crow 1984, summed-area tables), so that a
//! box of any size takes four numbers. Which place a coordinate is in is rounded, but never puts a larger one before a smaller one: who is in a box is in one
//! of the places from its low corner to its high one.
//!
//! Cost: making, a look at each position and at each place, of which there are some four times as many as there are boxes; a box, four numbers.

use super::grid::Grid;
use super::plan::Level;
use std::cmp::{max, min};

/// Places along an axis.
const LEAST: usize = 16;
const MOST: usize = 256;
/// With more rows a segment is not walked everywhere.
const MOST_ROWS: f32 = 1024.0;
/// Circles walk through rows that are soon empty.
const MUCH: f64 = 4.0;
/// Of what a sum in double precision loses, more than all.
const ROUNDING: f64 = 1e-14;

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Occupancy {
    around: [[f64; 2]; 2],
    /// Places a unit of length, by axis.
    scale: [f64; 2],
    side: usize,
    /// Row by row, one more than places along each axis; empty: not known.
    sums: Vec<u32>,
}

impl Occupancy {
    /// Through so many rows of cells of a level segments would be walked; none where a level does not lie in places far apart.
    pub(crate) fn rows(level: &Level, y0: &[f32], y1: &[f32]) -> f64 {
        if !level.map.is_torus() {
            return 0.0;
        }
        let inverse = level.map.inverse();
        let rows = |(a, b): (&f32, &f32)| {
            let rows = (a - b).abs() * inverse + 2.0;
            f64::from(if rows < MOST_ROWS { rows } else { MOST_ROWS })
        };
        y0.iter().zip(y1).map(rows).sum()
    }

    /// Through so many rows of cells of a level all circles of coarser levels would be walked.
    pub(crate) fn coarser_rows(grid: &Grid, level: &Level) -> f64 {
        if !level.map.is_torus() {
            return 0.0;
        }
        let coarser = grid.levels().iter().filter(|other| other.rows.start >= level.rows.end);
        let rows = |other: &Level| {
            let rows = 2.0 * other.size * level.map.inverse() + 2.0;
            f64::from(if rows < MOST_ROWS { rows } else { MOST_ROWS }) * other.rows.len() as f64
        };
        coarser.map(rows).sum()
    }

    /// By level, of those where walking takes longer than to look; `walked` tells through how many rows, and how many walk.
    pub(crate) fn of_levels(grid: &Grid, occupancy: &mut Vec<Occupancy>, walked: impl Fn(&Level) -> (f64, usize)) {
        occupancy.resize_with(grid.levels().len(), Occupancy::default);
        for (occupancy, level) in occupancy.iter_mut().zip(grid.levels()) {
            let (rows, boxes) = walked(level);
            occupancy.clear();
            if level.map.is_torus() && rows > level.rows.len() as f64 {
                occupancy.make(grid, level, boxes);
            }
        }
    }

    /// By level, of those whose cells all circles of coarser levels would walk for far longer than that.
    pub(crate) fn of_finer(grid: &Grid, occupancy: &mut Vec<Occupancy>) {
        if grid.levels().len() < 2 {
            return occupancy.iter_mut().for_each(Occupancy::clear);
        }
        Self::of_levels(grid, occupancy, |level| (Self::coarser_rows(grid, level) / MUCH, Self::coarser(grid, level)));
    }

    /// How many circles are in coarser levels.
    pub(crate) fn coarser(grid: &Grid, level: &Level) -> usize {
        grid.order().len() - level.rows.end as usize
    }

    /// Something is.
    pub(crate) fn is_known(&self) -> bool {
        !self.sums.is_empty()
    }

    /// Nothing is known.
    pub(crate) fn clear(&mut self) {
        self.sums.clear();
    }

    /// Of all positions of a level, for so many boxes.
    fn make(&mut self, grid: &Grid, level: &Level, boxes: usize) {
        let around = level.extent().map(|corner| corner.map(f64::from));
        self.side = min(max(2 * boxes.isqrt(), LEAST), MOST);
        self.around = around;
        self.scale = [0, 1].map(|axis| {
            let width = around[1][axis] - around[0][axis];
            if width > 0.0 { self.side as f64 / width } else { 0.0 }
        });
        let (rows, wide) = (level.rows.start as usize..level.rows.end as usize, self.side + 1);
        let mut sums = std::mem::take(&mut self.sums);
        sums.resize(wide * wide, 0);
        for (&x, &y) in grid.x()[rows.clone()].iter().zip(&grid.y()[rows]) {
            let [column, row] = self.place([x, y].map(f64::from));
            sums[(row + 1) * wide + column + 1] = 1;
        }
        for row in 1..wide {
            let mut sum = 0;
            let (below, here) = sums[(row - 1) * wide..(row + 1) * wide].split_at_mut(wide);
            for (here, below) in here.iter_mut().zip(below) {
                sum += *here;
                *here = sum + *below;
            }
        }
        self.sums = sums;
    }

    /// Within `reach` of the box around a segment, on both axes, there is nobody.
    pub(crate) fn is_empty_about(&self, [a, b]: [[f32; 2]; 2], reach: f32) -> bool {
        if !self.is_known() {
            return false;
        }
        let ends = [0, 1].map(|axis| {
            let [a, b, reach] = [a[axis], b[axis], reach].map(f64::from);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let reach = reach + (low.abs() + high.abs() + reach) * ROUNDING;
            [low - reach, high + reach]
        });
        let [low, high] = self.around;
        if (0..2).any(|axis| ends[axis][1] < low[axis] || ends[axis][0] > high[axis]) {
            return true;
        }
        let [x0, y0] = self.place([ends[0][0], ends[1][0]]);
        let [x1, y1] = self.place([ends[0][1], ends[1][1]]).map(|place| place + 1);
        let sum = |column: usize, row: usize| self.sums[row * (self.side + 1) + column];
        sum(x1, y1) + sum(x0, y0) == sum(x0, y1) + sum(x1, y0)
    }

    /// The place of a position; at the rim, of what is beyond.
    #[inline(always)]
    fn place(&self, at: [f64; 2]) -> [usize; 2] {
        // Below the first, and of what is no number, the conversion gives 0.
        [0, 1].map(|axis| min(((at[axis] - self.around[0][axis]) * self.scale[axis]) as usize, self.side - 1))
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.sums.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Policy;
    use super::super::drawn::range;
    use super::*;
    use crate::parallel::Split;

    /// Who just comes within reach of a box, from all sides, is seen; and most boxes between towns are empty.
    #[test]
    fn who_is_in_a_box_is_seen_and_the_plane_between_towns_is_empty() {
        let g = &mut 5u64;
        let (mut full, mut empty, mut seen) = (0, 0, 0);
        for case in 0..60 {
            let far = [1e3, 1e6, 1e30][case % 3];
            let towns: Vec<[f64; 2]> = (0..5).map(|_| [0; 2].map(|_| range(g, -far, far))).collect();
            // Towns of some size, of a point, or all on one line.
            let wide = [0.005, 0.0][case / 3 % 2] * far;
            let (mut x, mut y) = (vec![], vec![]);
            for k in 0..300 {
                let [a, b] = towns[k % 5].map(|v| (v + range(g, -wide, wide)) as f32);
                x.push(a);
                y.push(if case % 7 == 6 { 3.0 } else { b });
            }
            let mut grid = Grid::default();
            grid.bin(&x, &y, &vec![1e-3; 300], Policy::CIRCLES, Some(2e-3), Split::SERIAL);
            let mut occupancy = Occupancy::default();
            occupancy.make(&grid, &grid.levels()[0], [0, 100, 100_000][case / 6 % 3]);
            for k in 0..2_000 {
                let mut coordinate = |size: f64| range(g, -size, size);
                let reach = coordinate(1.0).abs() as f32 * [1e-3, 0.01 * far as f32][k % 2];
                let (a, b) = if k % 3 == 0 {
                    // From where somebody is in a corner, or as near as may be.
                    let (of, away) = (k % 300, [coordinate(1.0), coordinate(1.0)].map(|v| v.signum() as f32 * reach));
                    let corner = [x[of] + away[0], y[of] + away[1]];
                    (corner, [0, 1].map(|axis| corner[axis] + away[axis] * 3.0))
                } else {
                    let at = [0; 2].map(|_| coordinate(far));
                    (at.map(|v| v as f32), at.map(|v| (v + coordinate(0.03 * far)) as f32))
                };
                let is_in = |at: [f32; 2]| {
                    (0..2).all(|axis| {
                        let [a, b, v, reach] = [a[axis], b[axis], at[axis], reach].map(f64::from);
                        (a <= v + reach || b <= v + reach) && (a >= v - reach || b >= v - reach)
                    })
                };
                let somebody = x.iter().zip(&y).any(|(&x, &y)| is_in([x, y]));
                let is_empty = occupancy.is_empty_about([a, b], reach);
                assert!(!(somebody && is_empty), "{case}: {a:?} {b:?} {reach}");
                full += usize::from(somebody);
                empty += usize::from(!somebody);
                seen += usize::from(is_empty);
            }
        }
        assert!(full > 20_000 && seen * 10 > empty * 8, "{full} {seen} of {empty}");
    }

    #[test]
    fn where_cells_are_those_of_a_box_nothing_is_known() {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..400).map(|k| ((k % 20) as f32, (k / 20) as f32)).unzip();
        let mut grid = Grid::default();
        grid.bin(&x, &y, &[0.4; 400], Policy::CIRCLES, None, Split::SERIAL);
        let mut occupancy = Vec::new();
        Occupancy::of_levels(&grid, &mut occupancy, |_| (1e9, 100));
        assert!(!occupancy[0].is_empty_about([[1e6; 2]; 2], 1.0));
    }
}
