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
use super::segment_boxes::{BoxColumns, bounds, longer_side, union};
use super::segment_set::{PIECE, Places, SegmentSet};
use crate::broad_phase::{Grid, Level, Policy, sampled_row};
use crate::kernels::LANES;
use crate::kernels::segment_segment::{Bounds, Boxes};
use crate::parallel::Split;

/// Pairs less than this apart in the order are found along it.
pub(super) const NEAR: u32 = LANES as u32;
/// Rows in a block, at most: one look at a block's rows is one load.
const BLOCK: u32 = LANES as u32;
/// A block's box is at most so many times as large as most segments.
const REACH: f32 = 10.0;
/// Most: this share of them.
const MOST: f32 = 0.88;
/// So many others in a block's own cell are fewer trouble than a torus: eight of them are one look.
const FULLER: f32 = 4.0;
/// Rows whose sizes are looked at to tell that, one of so many at most, and stretches of rows that are cut into blocks for a try.
const SIZES: u64 = 256;
const EACH: u64 = 8;
const STRETCHES: u64 = 32;
/// Fewer rows a block than this in the mean, and blocks do not pay.
const LEAST_ROWS: usize = 3;
/// With more blocks in a block's cell than this, segments are far smaller there than where others are, and have better cells of their own.
const CROWDED: f64 = 64.0;
/// One loose segment among so many is as many as there may be.
const MOST_LOOSE: usize = 16;

/// Around nothing.
const NOTHING: Bounds = [f32::MAX, f32::MAX, -f32::MAX, -f32::MAX];

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
    pieces: Vec<Cut>,
}

impl Chains {
    /// Takes the rows, none of which may move, if they come in chains; otherwise nothing is to be asked of this.
    pub(crate) fn lay(&mut self, segments: Segments<'_>, split: Split) -> bool {
        let Some(limit) = self.limit(segments) else {
            return false;
        };
        let Chains { rows, scratch, blocks, boxes, grid, loose, loose_rows, around, .. } = self;
        let Scratch { pieces, x, y, size, bounds, blocks: unsorted, .. } = scratch;
        let n = segments.x0.len();
        pieces.resize_with(n.div_ceil(PIECE), Cut::default);
        rows.lay(segments, split, pieces, |row, boxes, piece| piece.cut(row, boxes, limit));
        let count = count_of(pieces);
        loose_rows.clear();
        pieces.iter().for_each(|piece| loose_rows.extend_from_slice(&piece.loose));
        if count * LEAST_ROWS > n || loose_rows.len() * MOST_LOOSE > n {
            return false;
        }
        loose.bin(Segments { moving: loose_rows, ..segments }, true, split);
        *around = pieces.iter().fold(NOTHING, |all, piece| union(all, piece.around));
        // All of one size, which is that of the largest: so there is one level.
        let largest =
            pieces.iter().fold(0.0, |largest, piece| if largest < piece.largest { piece.largest } else { largest });
        size.clear();
        size.resize(count, largest);
        x.resize(count, 0.0);
        y.resize(count, 0.0);
        unsorted.resize(count, [0; 2]);
        bounds.resize(count, NOTHING);
        join(pieces, [x, y], unsorted, bounds, split);
        grid.place(x, y, size, Policy { fuller: FULLER, ..Policy::SEGMENTS }, None, split);
        if grid.crowd() > CROWDED {
            return false;
        }
        let order = grid.order();
        blocks.resize(count, [0; 2]);
        boxes.resize(count);
        Places { records: blocks, columns: boxes.columns(count), pieces: &mut [(); 0] }.each(0, split, &|at, to| {
            let [low_x, low_y, high_x, high_y] = to.columns;
            let boxes = low_x.iter_mut().zip(low_y).zip(high_x.iter_mut().zip(high_y));
            for ((to, ((low_x, low_y), (high_x, high_y))), &from) in to.records.iter_mut().zip(boxes).zip(&order[at..])
            {
                *to = unsorted[from as usize];
                [*low_x, *low_y, *high_x, *high_y] = bounds[from as usize];
            }
        });
        let Boxes { low_x, low_y, .. } = boxes.view();
        grid.placed(&low_x[..count], &low_y[..count], split);
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
        let at = |k: u64, end: u64| sampled_row(k as usize, end as usize) as u32;
        let sample = &mut self.scratch.sample;
        sample.clear();
        let sizes = if n / EACH < SIZES { n / EACH } else { SIZES };
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
            + s.pieces.iter().map(Cut::bytes).sum::<usize>()
    }
}

/// Some rows as blocks, none of which reaches into other rows.
#[derive(Debug, Default)]
struct Cut {
    blocks: Vec<[u32; 2]>,
    bounds: Vec<Bounds>,
    /// The rows that are in no block.
    loose: Vec<u32>,
    /// Around all blocks, and the longest side of one.
    around: Bounds,
    largest: f32,
}

impl Cut {
    /// Cuts the rows from this one on.
    fn cut(&mut self, first: u32, boxes: Boxes<'_>, limit: f32) {
        self.blocks.clear();
        self.bounds.clear();
        self.loose.clear();
        let (boxes, rows) = (boxes.even(), boxes.low_x.len() as u32);
        let (mut row, mut around, mut largest) = (0, NOTHING, 0.0);
        while row < rows {
            let start = row;
            let found;
            (found, row) = full(boxes, row, limit).unwrap_or_else(|| {
                block(|row| boxes.row(row), row, if rows - row < BLOCK { rows } else { row + BLOCK }, limit)
            });
            let side = longer_side(found);
            if side > limit {
                self.loose.push(first + start);
            } else {
                self.blocks.push([first + start, row - start]);
                self.bounds.push(found);
                around = union(around, found);
                largest = if largest < side { side } else { largest };
            }
        }
        (self.around, self.largest) = (around, largest);
    }

    fn bytes(&self) -> usize {
        8 * self.blocks.capacity() + size_of::<Bounds>() * self.bounds.capacity() + 4 * self.loose.capacity()
    }
}

/// How many blocks these are.
fn count_of(pieces: &[Cut]) -> usize {
    pieces.iter().map(|piece| piece.blocks.len()).sum()
}

/// The blocks of all pieces, one behind the other, and the lower corners of their boxes: halves side by side.
fn join(pieces: &[Cut], [x, y]: [&mut [f32]; 2], blocks: &mut [[u32; 2]], bounds: &mut [Bounds], split: Split) {
    if let [piece] = pieces {
        blocks.copy_from_slice(&piece.blocks);
        bounds.copy_from_slice(&piece.bounds);
        for ((x, y), bounds) in x.iter_mut().zip(y).zip(bounds) {
            (*x, *y) = (bounds[0], bounds[1]);
        }
    } else if !pieces.is_empty() {
        let (low, high) = pieces.split_at(pieces.len() / 2);
        let middle = count_of(low);
        let (low_x, high_x) = x.split_at_mut(middle);
        let (low_y, high_y) = y.split_at_mut(middle);
        let (low_blocks, high_blocks) = blocks.split_at_mut(middle);
        let (low_bounds, high_bounds) = bounds.split_at_mut(middle);
        split.join(
            || join(low, [low_x, low_y], low_blocks, low_bounds, split),
            || join(high, [high_x, high_y], high_blocks, high_bounds, split),
        );
    }
}

/// The box around eight rows from this one on and the row behind them, if there are as many and it is within the limit: no part of it is larger
/// then, so this is what [`block`] finds, in a few looks at all rows.
#[inline(always)]
fn full(boxes: Boxes<'_>, row: u32, limit: f32) -> Option<(Bounds, u32)> {
    let eight = |column: &[f32]| column.get(row as usize..)?.first_chunk::<LANES>().copied();
    let low = |column| eight(column).map(|eight| one_of(eight, |a, b| if a < b { a } else { b }));
    let high = |column| eight(column).map(|eight| one_of(eight, |a, b| if a > b { a } else { b }));
    let around = [low(boxes.low_x)?, low(boxes.low_y)?, high(boxes.high_x)?, high(boxes.high_y)?];
    if longer_side(around) > limit { None } else { Some((around, row + BLOCK)) }
}

/// One of eight, by halves, which lanes do.
#[inline(always)]
fn one_of(eight: [f32; LANES], of: impl Fn(f32, f32) -> f32) -> f32 {
    let four: [f32; 4] = std::array::from_fn(|k| of(eight[k], eight[k + 4]));
    of(of(four[0], four[2]), of(four[1], four[3]))
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
