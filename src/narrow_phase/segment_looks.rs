//! What some rows of a level look at first, in it: a strip of them at a time.
//!
//! Comes in: boxes in cell order, the windows of some of them. Goes out: which of the first eight in its own row of cells, and in the next, each
//! meets, and who looks at more. This room does not know what the boxes are around.
//!
//! Masks first, then pairs, as for circles: so that the way from table to boxes to mask of one row need not be waited for before the next one, and
//! whether there is more to a row is known by the time it is asked; and rows that meet nobody, four of five where segments lie apart, are passed.

use crate::broad_phase::{STRIP, Strip, Windows};
use crate::kernels::segment_segment::Boxes;
use crate::kernels::{Kernels, LANES, Writer, pack};
use std::ops::Range;

/// Where the run above a row starts, and which of the first eight of its two runs have boxes that meet.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    start: u32,
    masks: [u8; 2],
}

impl Found {
    /// As pairs, if there is room for two times eight.
    #[inline(always)]
    pub(super) fn emit(&self, row: u32, out: &mut Writer<'_>) {
        let [own, above] = self.masks.map(u32::from);
        out.emit_both(row, [pack(own, row + 1), pack(above, self.start)], [own.count_ones(), above.count_ones()]);
    }
}

/// Rows of a strip, by bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Looked {
    /// Those that meet somebody.
    pub(super) meet: u64,
    /// Those that look at more.
    pub(super) long: u64,
}

/// The masks of these rows.
#[inline(always)]
pub(super) fn looks<K: Kernels>(
    windows: &Windows<'_>,
    strip: &Strip,
    boxes: Boxes<'_>,
    rows: Range<u32>,
    found: &mut [Found; STRIP],
) -> Looked {
    let Looked { mut meet, mut long } = Looked::default();
    for (k, (row, found)) in rows.zip(found).enumerate() {
        let (own, next, query) = (windows.own(strip, k, row), windows.next(strip, k), boxes.row(row));
        let mask = K::box_mask(boxes, query, row + 1, own);
        let mask_above = K::box_mask(boxes, query, next.start, next.end - next.start);
        *found = Found { start: next.start, masks: [mask as u8, mask_above as u8] };
        meet |= u64::from(mask | mask_above != 0) << k;
        let are_long = (own | (next.end - next.start)) > LANES as u32;
        long |= u64::from(are_long | windows.has_more(strip, k)) << k;
    }
    Looked { meet, long }
}
