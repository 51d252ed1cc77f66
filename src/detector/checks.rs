//! The door: what is not finite, negative or of another length does not get in.
//!
//! Comes in: columns. Goes out: the first fault, with its row and its field. This room keeps nothing.

use crate::error::{Error, Kind};
use crate::geometry::{Circles, Segments};

pub(super) fn columns<'a>(segments: Segments<'a>) -> [(&'static str, &'a [f32]); 4] {
    [("x0", segments.x0), ("y0", segments.y0), ("x1", segments.x1), ("y1", segments.y1)]
}

pub(super) fn check_segments(segments: Segments<'_>) -> Result<(), Error> {
    check_columns(Kind::Segment, &columns(segments))
}

pub(super) fn check_circles(circles: Circles<'_>) -> Result<(), Error> {
    check_columns(Kind::Circle, &[("x", circles.x), ("y", circles.y), ("radius", circles.radius)])?;
    // Vectorised: one flag for all rows, and a second look only where it is up.
    if circles.radius.iter().fold(false, |any, &r| any | (r < 0.0)) {
        let (row, &value) = circles.radius.iter().enumerate().find(|(_, r)| **r < 0.0).expect("one was seen");
        return Err(Error::Negative { kind: Kind::Circle, row, field: "radius", value });
    }
    Ok(())
}

/// Equal lengths, rows that can be numbered, finite numbers.
#[allow(clippy::eq_op, reason = "a number minus itself says whether it is finite")]
fn check_columns(kind: Kind, columns: &[(&'static str, &[f32])]) -> Result<(), Error> {
    let expected = columns[0].1.len();
    if expected > u32::MAX as usize - 16 {
        return Err(Error::TooManyBodies { kind, count: expected });
    }
    for &(field, column) in columns {
        if column.len() != expected {
            return Err(Error::ColumnLength { kind, field, length: column.len(), expected });
        }
    }
    for &(field, column) in columns {
        // `v - v` is 0 for finite numbers and NaN for all others.
        if column.iter().fold(false, |any, &v| any | (v - v != 0.0)) {
            let (row, &value) = column.iter().enumerate().find(|(_, v)| !v.is_finite()).expect("one was seen");
            return Err(Error::NotFinite { kind, row, field, value });
        }
    }
    Ok(())
}
