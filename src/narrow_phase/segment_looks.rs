//! What some rows of a level look at first, in it: a strip of them at a time.
//!
//! Comes in: boxes in cell order, the windows of some of them. Goes out: which of the first eight in its own row of cells, and in the next, each
//! meets, and who looks at more. This room does not know what the boxes are around.
//!
//! Masks first, then pairs, as for circles: so that the way from table to boxes to mask of one row need not be waited for before the next one, and
//! whether there is more to a row is known by the time it is asked; and rows that meet nobody are passed.

use super::found::Found;
use crate::broad_phase::{STRIP, Strip, Windows};
use crate::kernels::segment_segment::Boxes;
use crate::kernels::{Kernels, LANES};
use std::ops::Range;

/// Rows of a strip, by bits.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    /// Those that meet somebody.
    pub(super) meet: u64,
    /// Those that look at more.
    pub(super) long: u64,
}

/// The masks of these rows, at most a strip.
#[inline(always)]
pub(super) fn looks<K: Kernels>(
    windows: &Windows<'_>,
    strip: &Strip,
    boxes: Boxes<'_>,
    rows: Range<u32>,
    found: &mut Found,
) -> Looked {
    let (mut long, spare) = (0u64, STRIP as u32 - (rows.end - rows.start));
    for (k, ((row, start), masks)) in rows.zip(&mut found.starts).zip(&mut found.masks).enumerate() {
        let (own, next, query) = (windows.own(strip, k, row), windows.next(strip, k), boxes.row(row));
        let mask = K::box_mask(boxes, query, row + 1, own);
        let above = K::box_mask(boxes, query, next.start, next.end - next.start);
        (*start, *masks) = (next.start, mask | above << LANES);
        let are_long = (own | (next.end - next.start)) > LANES as u32;
        // The last row is the lowest bit.
        long = long << 1 | u64::from(are_long | windows.has_more(strip, k));
    }
    // The first row is the lowest bit; what a strip does not write over is not read.
    Looked { meet: found.some() & u64::MAX >> spare, long: long.reverse_bits() >> spare }
}
