//! The columns: handles, bodies, and where they live.
//!
//! Comes in: bodies, one at a time or as columns, checked here and nowhere later. Goes out: dense columns by row, and
//! the way from a handle to its row. This room does not know why a row changes, nor what touches what.
mod bodies;
mod body;
mod circles;
mod edited;
mod filter;
mod handle;
mod label;
mod label_kinds;
mod labels;
mod lazy;
mod lazy_column;
mod segments;
mod sift;
mod slots;

pub(crate) use bodies::check_value;
pub use bodies::{CircleBodies, SegmentBodies};
pub use body::{CircleBody, SegmentBody};
pub(crate) use circles::{CircleColumns, copy, fit, gather, make_room, trim};
pub(crate) use edited::{Edited, NOT_EDITED};
pub use filter::{Filter, Filters};
pub(crate) use handle::Handle;
pub use handle::{CircleHandle, SegmentHandle};
pub(crate) use label::{Label, NO_RESTITUTION};
pub(crate) use labels::Labels;
pub(crate) use lazy::Lazy;
pub(crate) use lazy_column::LazyColumn;
pub(crate) use segments::SegmentColumns;
pub(crate) use sift::{BLOCK, each_where, highest, largest, least};
pub(crate) use slots::{NONE, Slots};

/// By row; a column that is left out is false everywhere.
#[inline(always)]
pub(crate) fn is_set(column: &[bool], row: usize) -> bool {
    column.get(row).copied().unwrap_or(false)
}

/// Rows are numbered in 32 bits; the last seventeen numbers are kept back for marks and for lanes that read past the end.
pub(crate) const MAX_ROWS: usize = u32::MAX as usize - 16;
