//! Which rows a box can meet, where rows are boxes that are binned by their lower corners.
//!
//! Comes in: a grid of lower corners, the upper ones of some rows. Goes out: runs of rows, of any two boxes of a level that meet the one
//! among those of the other, once. This room does not know whose boxes they are.
//!
//! A box meets another one that is not below it only if the corner of that one is not above its own top, and not right of its right side;
//! so a row looks, in its own row of cells, from itself up to the column of its upper corner, and in those above, up to that of its
//! upper corner, from as far left as the largest box of the level may reach. What it looks at is as high as itself, and not as the largest.

use super::cell_map::CellMap;
use super::grid::{Grid, run_of_cells};
use super::plan::Level;
use std::ops::Range;

/// One level: its part of the table, its rows and how far they reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows<'a> {
    starts: &'a [u32],
    keys: &'a [u32],
    map: CellMap,
    /// Columns that the corner of a box which reaches a cell may lie further left.
    left: u32,
}

/// What a row looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    row: u32,
    key: u32,
    /// Cells to the right, and rows of cells above.
    columns: u32,
    above: u32,
}

/// Rows whose windows are made together.
pub(crate) const STRIP: usize = 64;

/// The windows of some rows, as keys: where what they look at in their own row of cells ends, and from where to where they look in the next.
/// Nothing, where a torus closes within.
#[derive(Clone, Debug)]
pub(crate) struct Strip {
    spans: [u32; STRIP],
    own_end: [u32; STRIP],
    first: [u32; STRIP],
    end: [u32; STRIP],
    /// Not zero: there is more that the row looks at.
    more: [u32; STRIP],
}

impl Strip {
    /// Of nobody.
    pub(crate) const EMPTY: Strip =
        Strip { spans: [0; STRIP], own_end: [0; STRIP], first: [0; STRIP], end: [0; STRIP], more: [0; STRIP] };
}

impl Grid {
    /// What the rows of a level look at in it.
    pub(crate) fn windows(&self, level: &Level) -> Windows<'_> {
        let (starts, keys) = self.table(level);
        let left = level.map.columns_within(level.size);
        debug_assert!(left <= 2, "cells are more than half as wide as the largest box");
        Windows { starts, keys, map: level.map, left }
    }
}

impl Windows<'_> {
    /// The windows of up to [`STRIP`] rows from `row` on, given their upper corners.
    #[inline(always)]
    pub(crate) fn strip<const TORUS: bool>(&self, row: u32, high_x: &[f32], high_y: &[f32], strip: &mut Strip) {
        let Strip { spans, own_end, first, end, more } = strip;
        self.map.keys(high_x, high_y, &mut spans[..high_x.len()]);
        let keys = &self.keys[row as usize..][..high_x.len()];
        let (stride, cells, left) = (self.map.stride(), self.map.cells(), self.left);
        let columns = spans.iter_mut().zip(own_end).zip(first.iter_mut().zip(end)).zip(more.iter_mut().zip(keys));
        for (((span, own_end), (first, end)), (more, &key)) in columns {
            *span = self.map.wrap(span.wrapping_sub(key));
            // A box is at most two cells high, as it is wide.
            let (there, further) = (u32::from(*span >= stride), u32::from(*span >= 2 * stride));
            let behind = key + *span - (there + further) * stride + 1;
            let wraps = u32::from(TORUS && behind + (there + further) * stride > cells);
            *own_end = if wraps != 0 { key } else { behind };
            *end = *own_end + if wraps != 0 { 0 } else { there * stride };
            // With no row above from the end to the end.
            *first = if there & (1 - wraps) != 0 { key + stride - left } else { *end };
            *more = further | (2 * wraps);
        }
    }

    /// What a row of a strip looks at in its own row of cells, and how many those are.
    #[inline(always)]
    pub(crate) fn own(&self, strip: &Strip, k: usize, row: u32) -> u32 {
        self.starts[strip.own_end[k] as usize].saturating_sub(row + 1)
    }

    /// What it looks at in the next one.
    #[inline(always)]
    pub(crate) fn next(&self, strip: &Strip, k: usize) -> Range<u32> {
        self.starts[strip.first[k] as usize]..self.starts[strip.end[k] as usize]
    }

    /// There is more than that.
    #[inline(always)]
    pub(crate) fn has_more(&self, strip: &Strip, k: usize) -> bool {
        strip.more[k] != 0
    }

    /// It looks across where a torus closes: none of it is in what is told of its own row of cells and the next.
    #[inline(always)]
    pub(crate) fn wraps(&self, strip: &Strip, k: usize) -> bool {
        strip.more[k] > 1
    }

    /// All that a row of a strip looks at.
    #[inline(always)]
    pub(crate) fn of(&self, strip: &Strip, k: usize, row: u32) -> Window {
        let (span, stride) = (strip.spans[k], self.map.stride());
        let above = u32::from(span >= stride) + u32::from(span >= 2 * stride);
        Window { row, key: self.keys[row as usize], columns: span - above * stride, above }
    }

    /// What a row looks at in the row of cells so many above, from none on: two runs where a torus closes.
    #[inline(always)]
    pub(crate) fn runs(&self, window: Window, step: u32) -> [Range<u32>; 2] {
        let left = if step > 0 { self.left } else { 0 };
        let key = self.map.wrap(window.key + step * self.map.stride() - left);
        let mut runs = run_of_cells(self.starts, self.map.cells(), key, left + window.columns + 1);
        if step == 0 {
            runs[0].start = window.row + 1;
        }
        runs
    }
}

impl Window {
    /// Who looks.
    pub(crate) fn row(self) -> u32 {
        self.row
    }

    /// How many rows of cells above its own it reaches into.
    pub(crate) fn rows_above(self) -> u32 {
        self.above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::Policy;
    use crate::broad_phase::drawn::range;
    use crate::parallel::Split;

    #[test]
    fn of_two_boxes_that_meet_one_looks_at_the_other_once() {
        let (mut g, mut met, mut tori, mut wraps) = (17, 0, 0, 0);
        for case in 0..60 {
            // Crowded, sparse, in two heaps far apart, far from the origin: boxed maps and tori, cells of all widths.
            let n = [5, 40, 300][case % 3];
            let (field, away, middle) =
                [(4.0, 0.0, 0.0), (60.0, 0.0, 6.4e6), (6.0, 3e4, 0.0), (3.0, 4e8, 1e3), (900.0, 0.0, 0.0)]
                    [case / 3 % 5];
            let mut column = |k: usize, size: f64| {
                let heap = if k.is_multiple_of(2) { away } else { -away };
                let low = (middle + heap + range(&mut g, 0.0, field)) as f32;
                (low, low + range(&mut g, 0.0, size) as f32)
            };
            let size = if case % 4 == 0 { 0.3 } else { 2.0 };
            let (x, high_x): (Vec<f32>, Vec<f32>) = (0..n).map(|k| column(k, size)).unzip();
            let (y, high_y): (Vec<f32>, Vec<f32>) = (0..n).map(|k| column(k, size)).unzip();
            let larger = |a: f32, b: f32| if a < b { b } else { a };
            let side = |k: usize| larger(high_x[k] - x[k], high_y[k] - y[k]) * (1.0 + 1e-6);
            let largest = (0..n).map(side).fold(0.0, larger);
            let mut grid = Grid::default();
            grid.place(&x, &y, &vec![largest; n], Policy::SEGMENTS, None, Split::SERIAL);
            let sorted = |column: &[f32]| grid.order().iter().map(|&row| column[row as usize]).collect::<Vec<_>>();
            let [x, y, high_x, high_y] = [&x, &y, &high_x, &high_y].map(|column| sorted(column));
            grid.placed(&x, &y, Split::SERIAL);
            let [level] = grid.levels() else { panic!("one level") };
            let (windows, mut strip) = (grid.windows(level), Strip::EMPTY);
            tori += usize::from(level.map.is_torus());
            let mut seen = vec![0; n * n];
            for start in (0..n).step_by(STRIP) {
                let end = std::cmp::min(start + STRIP, n);
                windows.strip::<true>(start as u32, &high_x[start..end], &high_y[start..end], &mut strip);
                for row in start..end {
                    let (k, window) = (row - start, windows.of(&strip, row - start, row as u32));
                    let (own, next) = (windows.own(&strip, k, row as u32), windows.next(&strip, k));
                    let mut all = vec![];
                    for step in 0..=window.rows_above() {
                        let [run, rest] = windows.runs(window, step);
                        if !windows.wraps(&strip, k) {
                            assert!(step != 0 || run == (row as u32 + 1..row as u32 + 1 + own));
                            assert!(step != 1 || run == next);
                            assert!(step < 2 || windows.has_more(&strip, k));
                            assert!(rest.is_empty());
                        }
                        all.extend(run.chain(rest));
                    }
                    if windows.wraps(&strip, k) {
                        wraps += 1;
                        assert!(own == 0 && next.is_empty() && windows.has_more(&strip, k));
                    } else if window.rows_above() == 0 {
                        assert!(next.is_empty() && !windows.has_more(&strip, k));
                    }
                    for other in all {
                        seen[row * n + other as usize] += 1;
                    }
                }
            }
            for i in 0..n {
                for j in i + 1..n {
                    if x[i] <= high_x[j] && x[j] <= high_x[i] && y[i] <= high_y[j] && y[j] <= high_y[i] {
                        met += 1;
                        assert_eq!(seen[i * n + j] + seen[j * n + i], 1, "case {case}: {i} {j}");
                    }
                }
            }
        }
        assert!(met > 20_000 && tori > 10 && wraps > 10, "{met} {tori} {wraps}");
    }
}
