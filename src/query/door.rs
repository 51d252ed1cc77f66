//! The door for questions: what is not finite, negative or of another length does not get in.
//!
//! Comes in: numbers and columns. Goes out: the first fault, with its row and its field. This room keeps nothing.

use crate::error::{Error, Kind};

/// A column of a question, by the name it has in public.
pub(super) struct Column<'a> {
    pub(super) field: &'static str,
    pub(super) values: &'a [f32],
    /// Zero is the least.
    pub(super) least: bool,
}

impl<'a> Column<'a> {
    /// Of any numbers.
    pub(super) fn any(field: &'static str, values: &'a [f32]) -> Column<'a> {
        Column { field, values, least: false }
    }

    /// Of numbers that are not negative.
    pub(super) fn sizes(field: &'static str, values: &'a [f32]) -> Column<'a> {
        Column { field, values, least: true }
    }
}

/// One number.
#[inline]
pub(super) fn check_number(kind: Kind, row: usize, field: &'static str, value: f32, least: bool) -> Result<(), Error> {
    if !value.is_finite() {
        return Err(Error::NotFinite { kind, row, field, value });
    }
    if least && value < 0.0 {
        return Err(Error::Negative { kind, row, field, value });
    }
    Ok(())
}

/// Columns of equal length, and rows that may be left out.
pub(super) fn check_columns(kind: Kind, columns: &[Column<'_>], skip: &[u32]) -> Result<(), Error> {
    let expected = columns.first().map_or(0, |column| column.values.len());
    for &Column { field, values, .. } in columns {
        if values.len() != expected {
            return Err(Error::ColumnLength { kind, field, length: values.len(), expected });
        }
    }
    if !skip.is_empty() && skip.len() != expected {
        return Err(Error::ColumnLength { kind, field: "skip", length: skip.len(), expected });
    }
    for &Column { field, values, least } in columns {
        // `v - v` is 0 for finite numbers and NaN for all others; vector code, and a second look only where something is wrong.
        #[allow(clippy::eq_op, reason = "a number minus itself says whether it is finite")]
        let wrong = values.iter().fold(false, |any, &v| any | (v - v != 0.0) | (least & (v < 0.0)));
        if wrong {
            for (row, &value) in values.iter().enumerate() {
                check_number(kind, row, field, value, least)?;
            }
        }
    }
    Ok(())
}
