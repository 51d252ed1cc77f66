//! Segments that come one behind the other, as those of maps do: which of them touch is found without sorting them.
//!
//! Comes in: columns in the caller's order. Goes out: contacts, in that order: first of each row and the next, then of rows that are a few
//! apart, then of the blocks described here, by cells, then of long ones. This room does not know threads.
//!
//! The rows of a coast, a road or an outline lie where the rows before them lie. So pairs that are less than [`NEAR`] rows apart
//! are held against each other along the columns as they stand. For all others rows are taken together in *blocks* of up to
//! [`BLOCK`], as long as the box around them stays below a size; these are binned, an eighth of the work, and the rows of two blocks are
//! looked at only where the boxes meet. A segment that is larger than that is *loose*: it walks through the cells of the blocks. What does
//! not come so, strewn walls and maps of shuffled lines, is told by a sample, and sorted row by row (see [`super::segment_set`]).

use super::columns::Segments;
use super::segment_set::{BoxColumns, SegmentSet, bounds, highest, longer_side, union};
use crate::broad_phase::{Grid, Level, Policy};
use crate::kernels::LANES;
use crate::kernels::segment_segment::{Bounds, Boxes};
use crate::parallel::Split;
use crate::storage::least;
use std::ops::Range;

/// Pairs less than this apart in the order are found along it.
pub(super) const NEAR: u32 = LANES as u32;
/// Rows in a block, at most: one look at a block's rows is one load.
const BLOCK: u32 = LANES as u32;
/// A block's box is at most so many times as large as most segments.
const REACH: f32 = 8.0;
/// Most: this share of them.
const MOST: f32 = 0.88;
/// Rows whose sizes are looked at to tell that, and stretches of rows that are cut into blocks for a try.
const SIZES: u64 = 256;
const STRETCHES: u64 = 32;
/// Fewer rows a block than this in the mean, and blocks do not pay.
const LEAST_ROWS: usize = 3;
/// One loose segment among so many is as many as there may be.
const MOST_LOOSE: usize = 16;
/// Rows that one thread cuts into blocks: none reaches from one such piece into the next.
const PIECE: u32 = 32_768;

/// See the head of the module. Buffers are reused.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    /// All rows, in the caller's order.
    rows: SegmentSet,
    /// Those that are larger than a block may be, binned.
    loose: SegmentSet,
    loose_rows: Vec<u32>,
    /// The blocks in cell order: first row and how many.
    blocks: Vec<[u32; 2]>,
    boxes: BoxColumns,
    grid: Grid,
    around: Bounds,
    scratch: Scratch,
}

/// Blocks in the order of their rows.
#[derive(Debug, Default)]
struct Scratch {
    blocks: Vec<[u32; 2]>,
    bounds: Vec<Bounds>,
    x: Vec<f32>,
    y: Vec<f32>,
    size: Vec<f32>,
    sample: Vec<f32>,
    /// Of each piece its blocks, their boxes, and the rows that are in none, where several threads cut.
    pieces: Vec<Lists>,
}

type Lists = (Vec<[u32; 2]>, Vec<Bounds>, Vec<u32>);

impl Chains {
    /// Takes the rows, none of which may move, if they come in chains; otherwise nothing is to be asked of this.
    pub(crate) fn lay(&mut self, segments: Segments<'_>, split: Split) -> bool {
        let Some(limit) = self.limit(segments) else {
            return false;
        };
        self.rows.lay(segments, split);
        let n = self.rows.len() as usize;
        self.cut(limit, split);
        let Chains { scratch, blocks, boxes, grid, loose, loose_rows, around, .. } = self;
        if scratch.blocks.len() * LEAST_ROWS > n || loose_rows.len() * MOST_LOOSE > n {
            return false;
        }
        loose.bin(Segments { moving: loose_rows, ..segments }, true, split);
        let Scratch { x, y, size, bounds, blocks: unsorted, .. } = scratch;
        // All of one size, which is that of the largest: so there is one level.
        let larger = |a: f32, b: f32| if a < b { b } else { a };
        let largest = bounds.iter().fold(0.0, |largest, b| larger(largest, longer_side(*b)));
        *around = bounds.iter().fold([f32::MAX, f32::MAX, -f32::MAX, -f32::MAX], |all, b| union(all, *b));
        x.clear();
        y.clear();
        size.clear();
        x.extend(bounds.iter().map(|b| b[0]));
        y.extend(bounds.iter().map(|b| b[1]));
        size.resize(bounds.len(), largest);
        grid.place(x, y, size, Policy::SEGMENTS, None, split);
        blocks.clear();
        blocks.extend(grid.order().iter().map(|&at| unsorted[at as usize]));
        boxes.clear();
        for &at in grid.order() {
            boxes.push(bounds[at as usize]);
        }
        let Boxes { low_x, low_y, .. } = boxes.view();
        grid.placed(low_x, low_y, split);
        boxes.pad();
        true
    }

    /// How large a block may be; none if a sample says that rows do not follow each other.
    fn limit(&mut self, segments: Segments<'_>) -> Option<f32> {
        let n = segments.x0.len() as u64;
        if n < 2 * u64::from(BLOCK) || !segments.moving.is_empty() {
            return None;
        }
        let bounds_of = |row: u32| {
            let row = row as usize;
            bounds([segments.x0[row], segments.y0[row], segments.x1[row], segments.y1[row]])
        };
        // By multiples of the golden ratio: a fixed stride would see every period of the order, or none of it.
        let at = |k: u64, end: u64| (((k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) * end) >> 32) as u32;
        let sample = &mut self.scratch.sample;
        sample.clear();
        let sizes = if n < SIZES { n } else { SIZES };
        sample.extend((0..sizes).map(|k| longer_side(bounds_of(at(k, n)))));
        let share = (sizes as f32 * MOST) as usize;
        let limit = *sample.select_nth_unstable_by(share, f32::total_cmp).1 * REACH;
        if !(limit > 0.0 && limit < 1e30) {
            return None;
        }
        let mut blocks = 0;
        for k in 0..if n / u64::from(BLOCK) < STRETCHES { n / u64::from(BLOCK) } else { STRETCHES } {
            let start = at(k, n - u64::from(BLOCK));
            let (mut row, end) = (start, start + BLOCK);
            while row < end {
                row = block(bounds_of, row, end, limit).1;
                blocks += 1;
            }
            if blocks > 8 + 2 * k {
                return None;
            }
        }
        Some(limit)
    }

    /// Cuts the rows into blocks, and picks those that are too large.
    fn cut(&mut self, limit: f32, split: Split) {
        let Chains { rows, loose_rows, scratch: Scratch { blocks, bounds, pieces, .. }, .. } = self;
        let (boxes, n) = (rows.boxes().view().even(), rows.len());
        let (count, mut all) = (n.div_ceil(PIECE), Cut { blocks, bounds, loose: loose_rows });
        all.clear();
        if !split.is_parallel() || count < 2 {
            (0..count).for_each(|index| all.cut(boxes, piece(index, n), limit));
            return;
        }
        pieces.resize_with(count as usize, Default::default);
        split.each(pieces, |index, (blocks, bounds, loose)| {
            let mut cut = Cut { blocks, bounds, loose };
            cut.clear();
            cut.cut(boxes, piece(index as u32, n), limit);
        });
        for (blocks, bounds, loose) in pieces {
            all.blocks.extend_from_slice(blocks);
            all.bounds.extend_from_slice(bounds);
            all.loose.extend_from_slice(loose);
        }
    }

    /// All rows, in the caller's order.
    pub(crate) fn rows(&self) -> &SegmentSet {
        &self.rows
    }

    /// Those that are in no block.
    pub(crate) fn loose(&self) -> &SegmentSet {
        &self.loose
    }

    /// How many blocks there are.
    pub(crate) fn count(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// The first row of each block and how many it has, in cell order.
    pub(super) fn blocks(&self) -> &[[u32; 2]] {
        &self.blocks
    }

    /// Boxes around the blocks.
    pub(super) fn boxes(&self) -> Boxes<'_> {
        self.boxes.view()
    }

    /// The grid that the blocks lie in, by the lower corners of their boxes; its one level, if there is a block.
    pub(super) fn grid(&self) -> (&Grid, Option<&Level>) {
        (&self.grid, self.grid.levels().first())
    }

    /// Around all blocks.
    pub(super) fn around(&self) -> Bounds {
        self.around
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let s = &self.scratch;
        let columns = s.x.capacity() + s.y.capacity() + s.size.capacity() + s.sample.capacity();
        self.rows.bytes()
            + self.loose.bytes()
            + self.boxes.bytes()
            + self.grid.bytes()
            + size_of::<Bounds>() * s.bounds.capacity()
            + 8 * (self.blocks.capacity() + s.blocks.capacity())
            + 4 * (self.loose_rows.capacity() + columns)
            + s.pieces
                .iter()
                .map(|(a, b, c)| 8 * a.capacity() + size_of::<Bounds>() * b.capacity() + 4 * c.capacity())
                .sum::<usize>()
    }
}

/// Blocks, the boxes around them, and the rows that are in none.
struct Cut<'a> {
    blocks: &'a mut Vec<[u32; 2]>,
    bounds: &'a mut Vec<Bounds>,
    loose: &'a mut Vec<u32>,
}

impl Cut<'_> {
    fn clear(&mut self) {
        self.blocks.clear();
        self.bounds.clear();
        self.loose.clear();
    }

    /// Cuts these rows.
    fn cut(&mut self, boxes: Boxes<'_>, rows: Range<u32>, limit: f32) {
        let mut row = rows.start;
        while row < rows.end {
            let start = row;
            let around = if rows.end - row < BLOCK { None } else { full(boxes, row, limit) };
            let around = if let Some(around) = around {
                row += BLOCK;
                around
            } else {
                let end = if rows.end - row < BLOCK { rows.end } else { row + BLOCK };
                let around;
                (around, row) = block(|row| boxes.row(row), row, end, limit);
                around
            };
            if longer_side(around) > limit {
                self.loose.push(start);
            } else {
                self.blocks.push([start, row - start]);
                self.bounds.push(around);
            }
        }
    }
}

/// The rows of a piece of so many.
fn piece(index: u32, rows: u32) -> Range<u32> {
    let start = index * PIECE;
    start..if rows - start < PIECE { rows } else { start + PIECE }
}

/// The box around a whole block from this row on, if it is within the limit: no part of it is larger then, so this is what [`block`] finds, in a
/// few looks at all rows.
#[inline(always)]
fn full(boxes: Boxes<'_>, row: u32, limit: f32) -> Option<Bounds> {
    let at = row as usize;
    let low = |column: &[f32]| least(&column[at..at + LANES]);
    let high = |column: &[f32]| highest(&column[at..at + LANES]);
    let around = [low(boxes.low_x), low(boxes.low_y), high(boxes.high_x), high(boxes.high_y)];
    if longer_side(around) > limit { None } else { Some(around) }
}

/// The box around the rows from `row` on, and the row behind them: as many as are before `end` and keep it within the limit, one at least.
#[inline(always)]
fn block(bounds_of: impl Fn(u32) -> Bounds, mut row: u32, end: u32, limit: f32) -> (Bounds, u32) {
    let mut around = bounds_of(row);
    row += 1;
    while row < end {
        let grown = union(around, bounds_of(row));
        if longer_side(grown) > limit {
            break;
        }
        around = grown;
        row += 1;
    }
    (around, row)
}
