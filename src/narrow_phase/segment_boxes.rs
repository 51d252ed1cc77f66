//! Boxes around segments, grown by their radii, and around blocks of rows.
//!
//! Comes in: ends as columns or as records, radii. Goes out: boxes as columns, lower corners with the longer side, blocks of a level. This room does
//! not know in which order rows lie, nor who looks.

use crate::broad_phase::{Level, PAD};
use crate::kernels::segment_segment::{Bounds, Boxes, Ends};
use crate::storage::{highest, least};
use std::ops::Range;

/// Rows in a block.
pub(super) const BLOCK: u32 = 64;

/// Boxes as four columns, with NaN behind the last.
#[derive(Debug, Default)]
pub(crate) struct BoxColumns {
    low_x: Vec<f32>,
    low_y: Vec<f32>,
    high_x: Vec<f32>,
    high_y: Vec<f32>,
}

impl BoxColumns {
    fn clear(&mut self) {
        for column in [&mut self.low_x, &mut self.low_y, &mut self.high_x, &mut self.high_y] {
            column.clear();
        }
    }

    fn push(&mut self, [low_x, low_y, high_x, high_y]: Bounds) {
        self.low_x.push(low_x);
        self.low_y.push(low_y);
        self.high_x.push(high_x);
        self.high_y.push(high_y);
    }

    /// Room for so many boxes, of whatever value, and NaN behind them.
    pub(super) fn resize(&mut self, n: usize) {
        for column in [&mut self.low_x, &mut self.low_y, &mut self.high_x, &mut self.high_y] {
            column.resize(n + 2 * PAD, f32::NAN);
            column[n..].fill(f32::NAN);
        }
    }

    /// The first so many, to be written.
    pub(super) fn columns(&mut self, n: usize) -> [&mut [f32]; 4] {
        [&mut self.low_x, &mut self.low_y, &mut self.high_x, &mut self.high_y].map(|column| &mut column[..n])
    }

    fn pad(&mut self) {
        for column in [&mut self.low_x, &mut self.low_y, &mut self.high_x, &mut self.high_y] {
            column.extend([f32::NAN; PAD]);
        }
    }

    /// For the kernels.
    #[inline(always)]
    pub(crate) fn view(&self) -> Boxes<'_> {
        Boxes { low_x: &self.low_x, low_y: &self.low_y, high_x: &self.high_x, high_y: &self.high_y }
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.low_x.capacity() + self.low_y.capacity() + self.high_x.capacity() + self.high_y.capacity())
    }
}

/// Boxes around the rows of each level, and around blocks of at most [`BLOCK`] of them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    boxes: BoxColumns,
    /// Around each level, and its first block.
    levels: Vec<(Bounds, u32)>,
}

impl Blocks {
    /// Those around these boxes of rows, in place of all others.
    pub(super) fn fill(&mut self, rows: &BoxColumns, levels: &[Level]) {
        let Blocks { boxes, levels: around } = self;
        let BoxColumns { low_x, low_y, high_x, high_y } = rows;
        boxes.clear();
        around.clear();
        for level in levels {
            let first = boxes.low_x.len() as u32;
            let mut all = [f32::MAX, f32::MAX, -f32::MAX, -f32::MAX];
            let mut start = level.rows.start;
            while start < level.rows.end {
                let end = if level.rows.end - start > BLOCK { start + BLOCK } else { level.rows.end };
                let rows = start as usize..end as usize;
                let block = [
                    least(&low_x[rows.clone()]),
                    least(&low_y[rows.clone()]),
                    highest(&high_x[rows.clone()]),
                    highest(&high_y[rows]),
                ];
                boxes.push(block);
                all = union(all, block);
                start = end;
            }
            around.push((all, first));
        }
        boxes.pad();
    }

    /// For the kernels.
    pub(super) fn view(&self) -> Boxes<'_> {
        self.boxes.view()
    }

    /// The box around a level.
    pub(super) fn around(&self, level: usize) -> Bounds {
        self.levels[level].0
    }

    /// Those of a level with these rows.
    pub(super) fn of(&self, level: usize, rows: &Range<u32>) -> Range<u32> {
        let first = self.levels[level].1;
        first..first + (rows.end - rows.start).div_ceil(BLOCK)
    }

    /// The rows of a block of a level with these.
    pub(super) fn rows(&self, level: usize, rows: &Range<u32>, block: u32) -> Range<u32> {
        let start = rows.start + (block - self.levels[level].1) * BLOCK;
        start..if start + BLOCK < rows.end { start + BLOCK } else { rows.end }
    }

    pub(super) fn bytes(&self) -> usize {
        self.boxes.bytes() + size_of::<(Bounds, u32)>() * self.levels.capacity()
    }
}

/// The lesser and the greater of two columns.
pub(super) fn low_and_high(a: &[f32], b: &[f32], low: &mut [f32], high: &mut [f32]) {
    for ((low, high), (&a, &b)) in low.iter_mut().zip(high).zip(a.iter().zip(b)) {
        (*low, *high) = if a < b { (a, b) } else { (b, a) };
    }
}

/// The lower corners of boxes around segments without radii, and at least their longer sides.
pub(super) fn fill_corners(ends: [&[f32]; 4], [x, y, side]: [&mut [f32]; 3]) {
    let n = x.len();
    let ([x0, y0, x1, y1], y, side) = (ends.map(|column| &column[..n]), &mut y[..n], &mut side[..n]);
    for k in 0..n {
        let bounds = bounds([x0[k], y0[k], x1[k], y1[k]]);
        (x[k], y[k], side[k]) = (bounds[0], bounds[1], longer_side(bounds));
    }
}

/// Boxes around segments, grown by their radii, where there are any.
pub(super) fn fill_boxes(ends: &[Ends], radius: &[f32], [low_x, low_y, high_x, high_y]: [&mut [f32]; 4]) {
    let columns = low_x.iter_mut().zip(low_y).zip(high_x.iter_mut().zip(high_y)).zip(ends);
    if radius.is_empty() {
        for (((low_x, low_y), (high_x, high_y)), &ends) in columns {
            [*low_x, *low_y, *high_x, *high_y] = bounds(ends);
        }
    } else {
        for ((((low_x, low_y), (high_x, high_y)), &ends), &radius) in columns.zip(radius) {
            [*low_x, *low_y, *high_x, *high_y] = grown(bounds(ends), radius);
        }
    }
}

/// The box around a segment.
#[inline(always)]
pub(super) fn bounds([x0, y0, x1, y1]: Ends) -> Bounds {
    let (low_x, high_x) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
    let (low_y, high_y) = if y0 < y1 { (y0, y1) } else { (y1, y0) };
    [low_x, low_y, high_x, high_y]
}

/// That around a capsule, rounded outwards and cut off at the ends of the finite range, which keeps what meets meeting.
#[inline(always)]
pub(super) fn grown(bounds: Bounds, radius: f32) -> Bounds {
    if radius > 0.0 {
        let [low_x, low_y, high_x, high_y] = bounds;
        let low = |v: f32| (v - radius).next_down();
        let high = |v: f32| (v + radius).next_up();
        // Low ends only grow less, high ends only greater: each can pass one end of the range.
        let above = |v: f32| if v < -f32::MAX { -f32::MAX } else { v };
        let below = |v: f32| if v > f32::MAX { f32::MAX } else { v };
        return [above(low(low_x)), above(low(low_y)), below(high(high_x)), below(high(high_y))];
    }
    bounds
}

/// At least the longer side of a box: a difference that is rounded is a normal number, and so loses less than this adds.
#[inline(always)]
pub(super) fn longer_side([low_x, low_y, high_x, high_y]: Bounds) -> f32 {
    let (width, height) = (high_x - low_x, high_y - low_y);
    let side = (if width > height { width } else { height }) * (1.0 + 4.0 / 16_777_216.0);
    if side > f32::MAX { f32::MAX } else { side }
}

/// Around both.
#[inline(always)]
pub(super) fn union(a: Bounds, b: Bounds) -> Bounds {
    let low = |i: usize| if b[i] < a[i] { b[i] } else { a[i] };
    let high = |i: usize| if b[i] > a[i] { b[i] } else { a[i] };
    [low(0), low(1), high(2), high(3)]
}
