//! Segments binned by their boxes, and all that is needed to find those near another one.
//!
//! Comes in: columns and which of their rows. Goes out: the chosen segments in cell order, as records and as boxes, with the
//! runs of rows to be held against a box. This room does not know what becomes of a pair, or who moves.
//!
//! A segment lies in the grid at the lower corner of its box, with the longer side as its size, in levels of a factor 4. So
//! two that meet are at most the larger size apart, and one that meets a *long* one lies, by its own small size, below or left of
//! a cell that the long one goes through: long segments cost by the cells they cross, never by their box. Those that a grid
//! cannot serve that way (too far out, too many cells) are held against boxes around blocks of 64 rows instead.
//!
//! Cost: O(segments) in time and memory, whatever their extent.

use super::columns::Segments;
use super::segment_boxes::{Blocks, BoxColumns, bounds, fill_boxes, fill_corners, grown, longer_side, low_and_high};
use crate::broad_phase::{Grid, Level, Policy};
use crate::kernels::segment_segment::{Bounds, Boxes, Ends};
use crate::parallel::Split;
use crate::storage::{Lazy, largest};
use std::ops::Range;

/// A level with no more rows is held against as a whole: two looks of eight lanes cost less than to walk its cells.
const FEW: u32 = 16;

/// All rows of this level are to be held against, as one run: the pairs that touch are those of a walk, in its order. A walk of a boxed map goes
/// through rows of cells as they ascend, each once, and so do keys, and rows with them; those of a torus may begin in its midst.
#[inline(always)]
pub(super) fn is_short(level: &Level) -> bool {
    level.rows.end - level.rows.start <= FEW && !level.map.is_torus()
}

/// Rows that one thread writes at a time.
pub(super) const PIECE: usize = 8192;

/// See the head of the module. Buffers are reused.
#[derive(Debug, Default)]
pub(crate) struct SegmentSet {
    grid: Grid,
    /// The caller's rows, in cell order.
    rows: Vec<u32>,
    ends: Vec<Ends>,
    /// Empty where all are zero.
    radius: Vec<f32>,
    boxes: BoxColumns,
    /// Where somebody has asked for them: of one level of short segments nobody does.
    blocks: Lazy<Blocks>,
    scratch: Scratch,
}

/// What only one call needs, in the caller's order.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<u32>,
    ends: Vec<Ends>,
    radius: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
    size: Vec<f32>,
}

impl SegmentSet {
    /// Bins the rows that move (`moving`) or all others.
    pub(crate) fn bin(&mut self, segments: Segments<'_>, moving: bool, split: Split) {
        self.scratch.fill(segments, moving, split);
        let Scratch { rows, ends, radius, x, y, size } = &self.scratch;
        self.grid.place(x, y, size, Policy::SEGMENTS, None, split);
        self.rows.clear();
        self.radius.clear();
        let order = self.grid.order();
        if rows.is_empty() {
            self.rows.extend_from_slice(order);
        } else {
            self.rows.extend(order.iter().map(|&from| rows[from as usize]));
        }
        if !radius.is_empty() {
            self.radius.extend(order.iter().map(|&from| radius[from as usize]));
        }
        let n = order.len();
        self.ends.resize(n, Ends::default());
        self.boxes.resize(n);
        let (columns, radius) = (self.boxes.columns(n), &self.radius);
        Places { records: &mut self.ends, columns, pieces: &mut [(); 0] }.each(0, split, &|at, to| {
            for (to, &from) in to.records.iter_mut().zip(&order[at..]) {
                *to = ends[from as usize];
            }
            fill_boxes(to.records, radius.get(at..).unwrap_or_default(), to.columns);
        });
        let Boxes { low_x, low_y, .. } = self.boxes.view();
        self.grid.placed(&low_x[..n], &low_y[..n], split);
        self.blocks.forget();
    }

    /// Takes all rows, none of which moves, in the order in which they are. Without a grid: only the boxes, the ends and the rows are then to
    /// be asked for. A set that is laid is always laid. `look(first row, boxes, piece)` sees the boxes of [`PIECE`] rows as soon as they are made.
    pub(super) fn lay<P: Send>(
        &mut self,
        segments: Segments<'_>,
        split: Split,
        pieces: &mut [P],
        look: impl Fn(u32, Boxes<'_>, &mut P) + Sync,
    ) {
        let Segments { x0, y0, x1, y1, radius, .. } = segments;
        let n = x0.len();
        self.rows.truncate(n);
        self.rows.extend(self.rows.len() as u32..n as u32);
        self.radius.clear();
        if largest(radius) > 0.0 {
            self.radius.extend_from_slice(radius);
        }
        self.ends.resize(n, Ends::default());
        self.boxes.resize(n);
        let (columns, radius) = (self.boxes.columns(n), &self.radius);
        Places { records: &mut self.ends, columns, pieces }.each(0, split, &|at, to| {
            fill_ends([&x0[at..], &y0[at..], &x1[at..], &y1[at..]], to.records);
            let [low_x, low_y, high_x, high_y] = to.columns;
            if radius.is_empty() {
                low_and_high(&x0[at..], &x1[at..], low_x, high_x);
                low_and_high(&y0[at..], &y1[at..], low_y, high_y);
            } else {
                fill_boxes(to.records, &radius[at..], [low_x, low_y, high_x, high_y]);
            }
            look(at as u32, Boxes { low_x, low_y, high_x, high_y }, &mut to.pieces[0]);
        });
    }

    /// The number of segments.
    pub(crate) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The grid they lie in.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The caller's row of each.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Their ends.
    pub(crate) fn ends(&self) -> &[Ends] {
        &self.ends
    }

    /// The radius of a row.
    #[inline(always)]
    pub(crate) fn radius(&self, row: u32) -> f32 {
        self.radius.get(row as usize).copied().unwrap_or(0.0)
    }

    /// Whether any radius is above zero.
    pub(crate) fn has_radii(&self) -> bool {
        !self.radius.is_empty()
    }

    /// Boxes around them, grown by their radii.
    pub(crate) fn boxes(&self) -> &BoxColumns {
        &self.boxes
    }

    /// Boxes around blocks of rows, each within one level.
    pub(crate) fn blocks(&self) -> Boxes<'_> {
        self.made_blocks().view()
    }

    #[inline(always)]
    fn made_blocks(&self) -> &Blocks {
        self.blocks.get(|blocks| blocks.fill(&self.boxes, self.grid.levels()))
    }

    /// The blocks of a level.
    pub(crate) fn blocks_of(&self, level: usize) -> Range<u32> {
        self.made_blocks().of(level, &self.grid.levels()[level].rows)
    }

    /// The rows of a block of a level.
    pub(crate) fn rows_of_block(&self, level: usize, block: u32) -> Range<u32> {
        self.made_blocks().rows(level, &self.grid.levels()[level].rows, block)
    }

    /// The box around a level.
    pub(crate) fn level_box(&self, level: usize) -> Bounds {
        self.made_blocks().around(level)
    }

    /// Whether a row's own cell of its level is one of these.
    pub(crate) fn lies_in(&self, level: &Level, row: u32, cy: i32, first: i32, last: i32) -> bool {
        let (map, [x, y, ..]) = (&level.map, self.boxes.view().row(row));
        let cx = map.index(map.scale(x, 0), 0);
        map.index(map.scale(y, 1), 1) == cy && first <= cx && cx <= last
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let s = &self.scratch;
        self.grid.bytes()
            + self.boxes.bytes()
            + self.blocks.bytes(Blocks::bytes)
            + 4 * (self.rows.capacity() + self.radius.capacity())
            + 4 * (s.rows.capacity() + s.radius.capacity() + s.x.capacity() + s.y.capacity() + s.size.capacity())
            + size_of::<Ends>() * (self.ends.capacity() + s.ends.capacity())
    }
}

impl Scratch {
    fn fill(&mut self, segments: Segments<'_>, moving: bool, split: Split) {
        let Segments { x0, y0, x1, y1, radius, .. } = segments;
        let Scratch { rows, ends, radius: radii, x, y, size } = self;
        rows.clear();
        radii.clear();
        let record = |row: usize| [x0[row], y0[row], x1[row], y1[row]];
        if moving {
            rows.extend_from_slice(segments.moving);
        } else if !segments.moving.is_empty() {
            let mut moving = segments.moving.iter().copied().peekable();
            rows.extend((0..x0.len() as u32).filter(|&row| moving.next_if_eq(&row).is_none()));
        }
        let n = if moving || !segments.moving.is_empty() { rows.len() } else { x0.len() };
        for column in [&mut *x, &mut *y, &mut *size] {
            column.resize(n, 0.0);
        }
        ends.resize(n, Ends::default());
        if !moving && segments.moving.is_empty() {
            if largest(radius) > 0.0 {
                radii.extend_from_slice(radius);
            }
        } else if rows.iter().any(|&row| radius[row as usize] > 0.0) {
            radii.extend(rows.iter().map(|&row| radius[row as usize]));
        }
        let (rows, radii) = (&*rows, &*radii);
        Places { records: ends, columns: [x, y, size], pieces: &mut [(); 0] }.each(0, split, &|at, to| {
            let (ends, [x, y, size]) = (to.records, to.columns);
            if rows.is_empty() {
                fill_ends([&x0[at..], &y0[at..], &x1[at..], &y1[at..]], ends);
            } else {
                for (to, &row) in ends.iter_mut().zip(&rows[at..]) {
                    *to = record(row as usize);
                }
            }
            if rows.is_empty() && radii.is_empty() {
                fill_corners([&x0[at..], &y0[at..], &x1[at..], &y1[at..]], [x, y, size]);
                return;
            }
            for (k, (((x, y), size), &ends)) in x.iter_mut().zip(y).zip(size).zip(&*ends).enumerate() {
                let bounds = grown(bounds(ends), radii.get(at + k).copied().unwrap_or(0.0));
                (*x, *y, *size) = (bounds[0], bounds[1], longer_side(bounds));
            }
        });
    }
}

/// Where a record and some numbers of each row are written, and something of each [`PIECE`] rows, or of none.
pub(super) struct Places<'a, R, P, const N: usize> {
    pub(super) records: &'a mut [R],
    pub(super) columns: [&'a mut [f32]; N],
    pub(super) pieces: &'a mut [P],
}

impl<R: Send, P: Send, const N: usize> Places<'_, R, P, N> {
    /// `work(offset, piece)` for consecutive pieces of at most [`PIECE`] rows.
    pub(super) fn each(self, offset: usize, split: Split, work: &(impl Fn(usize, Places<'_, R, P, N>) + Sync)) {
        let count = self.records.len().div_ceil(PIECE);
        if count < 2 {
            if count > 0 {
                work(offset, self);
            }
            return;
        }
        let (middle, rows) = (count / 2, count / 2 * PIECE);
        let Places { records, mut columns, pieces } = self;
        let (low, high) = records.split_at_mut(rows);
        let low_columns = columns.each_mut().map(|column| column.split_off_mut(..rows).unwrap_or_default());
        let (of_low, of_high) = pieces.split_at_mut(if pieces.is_empty() { 0 } else { middle });
        let low = Places { records: low, columns: low_columns, pieces: of_low };
        let high = Places { records: high, columns, pieces: of_high };
        split.join(|| low.each(offset, split, work), || high.each(offset + rows, split, work));
    }
}

/// Ends as records.
fn fill_ends([x0, y0, x1, y1]: [&[f32]; 4], ends: &mut [Ends]) {
    let columns = x0.iter().zip(y0).zip(x1.iter().zip(y1));
    for (to, ((&x0, &y0), (&x1, &y1))) in ends.iter_mut().zip(columns) {
        *to = [x0, y0, x1, y1];
    }
}
