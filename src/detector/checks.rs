//! The door: what is not finite, negative or of another length does not get in.
//!
//! Comes in: columns, wherever they lie. Goes out: slices, gathered into buffers where they are none; or the first fault, with its
//! row and its field. This room keeps nothing.

use super::columns::{CircleColumns, Column, Place, SegmentColumns};
use crate::broad_phase::Extent;
use crate::error::{Error, Kind};
use crate::geometry::Circles;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use crate::storage::MAX_ROWS;

/// The circles as columns, not looked at.
pub(super) fn circles<'b>(columns: CircleColumns<'b>, buffers: &'b mut [Vec<f32>; 3]) -> Result<Circles<'b>, Error> {
    let named = [("x", columns.x), ("y", columns.y), ("radius", columns.radius)];
    let [x, y, radius] = staged(Kind::Circle, named, buffers)?;
    Ok(Circles { x, y, radius })
}

/// Their extent, which is known after one look at all numbers; a second one only where one of them is wrong.
pub(super) fn check_circles(circles: Circles<'_>, set: InstructionSet, split: Split) -> Result<Extent, Error> {
    let Circles { x, y, radius } = circles;
    let extent = Extent::of([x, y, radius], set, split);
    if !(extent.is_finite && extent.least >= 0.0) {
        check_finite(Kind::Circle, [("x", x), ("y", y), ("radius", radius)], set, split)?;
        check_radius(Kind::Circle, radius, set)?;
    }
    Ok(extent)
}

/// The segments as columns, not looked at: `x0, y0, x1, y1, radius`.
pub(super) fn segments<'b>(
    columns: SegmentColumns<'b>,
    buffers: &'b mut [Vec<f32>; 5],
) -> Result<[&'b [f32]; 5], Error> {
    staged(Kind::Segment, segment_columns(columns), buffers)
}

/// The columns by their names.
pub(super) fn segment_columns(columns: SegmentColumns<'_>) -> [(&'static str, Column<'_>); 5] {
    let SegmentColumns { x0, y0, x1, y1, radius } = columns;
    [("x0", x0), ("y0", y0), ("x1", x1), ("y1", y1), ("radius", radius)]
}

/// The numbers of segments.
pub(super) fn check_segments(
    [x0, y0, x1, y1, radius]: [&[f32]; 5],
    set: InstructionSet,
    split: Split,
) -> Result<(), Error> {
    check_finite(Kind::Segment, [("x0", x0), ("y0", y0), ("x1", x1), ("y1", y1), ("radius", radius)], set, split)?;
    check_radius(Kind::Segment, radius, set)
}

/// How many rows all of these columns have.
pub(super) fn rows_of(kind: Kind, columns: &[(&'static str, Column<'_>)]) -> Result<usize, Error> {
    let mut expected = None;
    for &(field, column) in columns {
        let rows = column.rows().map_err(|expected| Error::Layout { kind, field, expected })?;
        if let Some(length) = rows {
            let expected = *expected.get_or_insert(length);
            if expected > MAX_ROWS {
                return Err(Error::TooManyBodies { kind, count: expected });
            }
            if length != expected {
                return Err(Error::ColumnLength { kind, field, length, expected });
            }
        }
    }
    expected.ok_or(Error::Layout { kind, field: columns[0].0, expected: "one column at least with a number a row" })
}

fn staged<'b, const N: usize>(
    kind: Kind,
    columns: [(&'static str, Column<'b>); N],
    buffers: &'b mut [Vec<f32>; N],
) -> Result<[&'b [f32]; N], Error> {
    let rows = rows_of(kind, &columns)?;
    let mut staged = [&[][..]; N];
    for ((slice, (_, column)), buffer) in staged.iter_mut().zip(columns).zip(buffers) {
        *slice = match column.0 {
            Place::Slice(slice) => slice,
            _ => {
                buffer.clear();
                column.append_to(rows, buffer);
                buffer
            }
        };
    }
    Ok(staged)
}

fn check_radius(kind: Kind, radius: &[f32], set: InstructionSet) -> Result<(), Error> {
    // One flag for all rows, and a second look only where it is up.
    if dispatch(Backend::Wide, set, IsAny::<true>(radius)) {
        let (row, &value) = radius.iter().enumerate().find(|(_, r)| **r < 0.0).expect("one was seen");
        return Err(Error::Negative { kind, row, field: "radius", value });
    }
    Ok(())
}

/// Whether any number is negative, or any is not finite: compiled for the instruction set of the machine.
struct IsAny<'a, const NEGATIVE: bool>(&'a [f32]);

impl<const NEGATIVE: bool> Operation for IsAny<'_, NEGATIVE> {
    const AVX512: bool = true;
    type Output = bool;
    #[allow(clippy::eq_op, reason = "a number minus itself is 0 if it is finite, and not a number otherwise")]
    #[inline(always)]
    fn run<K: Kernels>(self) -> bool {
        let mut any = false;
        for &v in self.0 {
            any |= if NEGATIVE { v < 0.0 } else { v - v != 0.0 };
        }
        any
    }
}

fn check_finite<const N: usize>(
    kind: Kind,
    columns: [(&'static str, &[f32]); N],
    set: InstructionSet,
    split: Split,
) -> Result<(), Error> {
    let mut any = [false; N];
    split.each(&mut any, |index, any| *any = dispatch(Backend::Wide, set, IsAny::<false>(columns[index].1)));
    if let Some(index) = any.iter().position(|&any| any) {
        let (field, column) = columns[index];
        let (row, &value) = column.iter().enumerate().find(|(_, v)| !v.is_finite()).expect("one was seen");
        return Err(Error::NotFinite { kind, row, field, value });
    }
    Ok(())
}
