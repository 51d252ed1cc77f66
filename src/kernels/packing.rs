//! What an instruction set has a way of its own for: how the rows of a mask's lanes come to the front, and how many doubles are taken at a time.
//!
//! Comes in: masks, and the rows that their lanes stand for. Goes out: rows side by side. This room does not know what a mask says.

use super::wide::{Doubles, Lanes};
use super::{LANES, Writer, pack};

/// How kernels pack.
pub(crate) trait Packing: Copy + Send + Sync + 'static {
    /// Doubles, as many at a time as pay.
    type Doubles<L: Lanes>: Doubles;

    /// The rows `at + k` for the lanes k of a mask, packed to the front.
    fn pack(mask: u32, at: u32) -> [u32; LANES];

    /// Writes `(row, at + k)` for the lanes k of two masks, those of the first before those of the second. `out` has room for all lanes.
    fn emit_both(out: &mut Writer<'_>, row: u32, at: [u32; 2], masks: [u32; 2]);
}

/// By a table of all masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table;

impl Packing for Table {
    type Doubles<L: Lanes> = L::Doubles;

    #[inline(always)]
    fn pack(mask: u32, at: u32) -> [u32; LANES] {
        pack(mask, at)
    }

    #[inline(always)]
    fn emit_both(out: &mut Writer<'_>, row: u32, at: [u32; 2], masks: [u32; 2]) {
        out.emit_both(row, [pack(masks[0], at[0]), pack(masks[1], at[1])], masks.map(u32::count_ones));
    }
}
