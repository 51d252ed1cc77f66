//! Boxes around blocks of circles, for segments that are too long for cells.
//!
//! Comes in: the circles of a level in cell order. Goes out: the runs of rows in which a segment may touch one, by the cells about it, or, where those are
//! in more rows than there are blocks, by the blocks. This room does not test.

use super::extent::span;
use super::grid::Grid;
use super::plan::Level;
use super::reaching::{walk_part, walk_wound};
use super::walls::MOST_ROWS;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use std::cmp::{max, min};
use std::ops::Range;

/// Rows of cells of a torus that are as much trouble as a block.
const WOUND: u32 = 8;
/// Circles in a block of [`Blocks`].
pub(crate) const BLOCK: usize = 64;

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
