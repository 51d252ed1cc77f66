//! Columns wherever they lie: slices, fields of the caller's own records, one number for all rows.
//!
//! Comes in: slices of numbers or of plain records. Goes out: views, without a copy of anything. What cannot be laid over the
//! records is noted here and told at the door, where the field has a name. This room does not look at numbers.

use crate::geometry::{Circle, Circles, Segment, Segments, Vec2};
use bytemuck::NoUninit;
use std::mem::offset_of;

/// One number a row, wherever it lies: `From` a slice, an array or a `Vec` of `f32`, or a single `f32` for all rows; or a field of the
/// caller's records.
///
/// ```
/// use gridlane::{CircleColumns, Column, Detector, DetectorConfig, PairLists};
/// use std::mem::offset_of;
///
/// #[repr(C)]
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// struct Agent { id: u64, velocity: [f32; 2], x: f32, y: f32 }
///
/// let agents = [0.0, 0.75, 5.0].map(|x| Agent { id: 7, velocity: [0.0; 2], x, y: 1.0 });
/// let circles = CircleColumns {
///     x: Column::field(&agents, offset_of!(Agent, x)),
///     y: Column::field(&agents, offset_of!(Agent, y)),
///     radius: 0.5.into(), // all alike
/// };
/// let (mut detector, mut pairs) = (Detector::new(DetectorConfig::default())?, PairLists::new());
/// detector.pairs(circles, &mut pairs)?;
/// assert_eq!(pairs.circle_circle(), [[0, 1]]);
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column<'a>(pub(super) Place<'a>);

/// Where the numbers are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    Slice(&'a [f32]),
    /// The number at `offset` of each `stride`.
    Strided {
        floats: &'a [f32],
        offset: usize,
        stride: usize,
    },
    Same(f32),
    /// What was expected and is not so.
    Fault(&'static str),
}

impl<'a> Column<'a> {
    /// The same number in every row.
    #[must_use]
    pub const fn same(value: f32) -> Column<'a> {
        Column(Place::Same(value))
    }

    /// Of records of `stride` numbers each, the one at `offset`. Detection says [`crate::Error::Layout`] if there is none there, or if
    /// the last record is cut short.
    #[must_use]
    pub const fn strided(floats: &'a [f32], offset: usize, stride: usize) -> Column<'a> {
        Column(if stride == 0 {
            Place::Fault("a stride above zero")
        } else if offset >= stride {
            Place::Fault("an offset below the stride")
        } else if !floats.len().is_multiple_of(stride) {
            Place::Fault("a whole number of records")
        } else {
            Place::Strided { floats, offset, stride }
        })
    }

    /// Of each record the `f32` that lies `offset` bytes behind its start, as `std::mem::offset_of!` tells it. Whether there is an `f32`
    /// and not something else is not known here. Detection says [`crate::Error::Layout`] if it is not
    /// wholly in the record, not at a multiple of four bytes in it, if the size of a record is no such multiple, or if the records themselves are not aligned to four
    /// bytes. The last is asked of the memory, when this is called: bytes may lie well in one place and not in another, and no records at all lie well anywhere.
    #[must_use]
    pub fn field<T: NoUninit>(records: &'a [T], offset: usize) -> Column<'a> {
        const BYTES: usize = size_of::<f32>();
        let size = size_of::<T>();
        if size == 0 || !size.is_multiple_of(BYTES) {
            return Column(Place::Fault("records whose size is a multiple of four bytes"));
        }
        if !offset.is_multiple_of(BYTES) || offset >= size {
            return Column(Place::Fault("a field at a multiple of four bytes within the record"));
        }
        // Nothing lies anywhere, and aligned to nothing.
        if records.is_empty() {
            return Column::default();
        }
        match bytemuck::try_cast_slice(records) {
            Ok(floats) => Column::strided(floats, offset / BYTES, size / BYTES),
            Err(_) => Column(Place::Fault("records that are aligned to four bytes")),
        }
    }

    /// The number of rows; none if it is that of the other columns.
    pub(super) fn rows(&self) -> Result<Option<usize>, &'static str> {
        match self.0 {
            Place::Slice(slice) => Ok(Some(slice.len())),
            Place::Strided { floats, stride, .. } => Ok(Some(floats.len() / stride)),
            Place::Same(_) => Ok(None),
            Place::Fault(expected) => Err(expected),
        }
    }

    /// Appends so many rows of it.
    pub(super) fn append_to(&self, rows: usize, to: &mut Vec<f32>) {
        match self.0 {
            Place::Slice(slice) => to.extend_from_slice(slice),
            Place::Strided { floats, offset, stride } => {
                to.extend(floats.chunks_exact(stride).map(|record| record[offset]));
            }
            Place::Same(value) => to.resize(to.len() + rows, value),
            Place::Fault(_) => {}
        }
    }
}

impl Default for Column<'_> {
    /// No rows.
    fn default() -> Self {
        Column(Place::Slice(&[]))
    }
}

impl From<f32> for Column<'_> {
    fn from(value: f32) -> Self {
        Column::same(value)
    }
}

/// From a slice, and from what is nearly one.
macro_rules! from_rows {
    ($($row:ty => $to:ident, |$rows:ident| $make:expr;)*) => {$(
        impl<'a> From<&'a [$row]> for $to<'a> {
            fn from($rows: &'a [$row]) -> $to<'a> {
                $make
            }
        }

        impl<'a, const N: usize> From<&'a [$row; N]> for $to<'a> {
            fn from(rows: &'a [$row; N]) -> $to<'a> {
                $to::from(&rows[..])
            }
        }

        impl<'a> From<&'a Vec<$row>> for $to<'a> {
            fn from(rows: &'a Vec<$row>) -> $to<'a> {
                $to::from(&rows[..])
            }
        }
    )*};
}

from_rows! {
    f32 => Column, |rows| Column(Place::Slice(rows));
    [f32; 2] => Points, |rows| Points { x: Column::field(rows, 0), y: Column::field(rows, 4) };
    Vec2 => Points, |rows| Points {
        x: Column::field(rows, offset_of!(Vec2, x)),
        y: Column::field(rows, offset_of!(Vec2, y)),
    };
    [f32; 3] => CircleColumns, |rows| CircleColumns {
        x: Column::field(rows, 0),
        y: Column::field(rows, 4),
        radius: Column::field(rows, 8),
    };
    Circle => CircleColumns, |rows| CircleColumns {
        x: Column::field(rows, offset_of!(Circle, center.x)),
        y: Column::field(rows, offset_of!(Circle, center.y)),
        radius: Column::field(rows, offset_of!(Circle, radius)),
    };
    [f32; 4] => SegmentColumns, |rows| SegmentColumns::new(
        Column::field(rows, 0),
        Column::field(rows, 4),
        Column::field(rows, 8),
        Column::field(rows, 12),
    );
    [[f32; 2]; 2] => SegmentColumns, |rows| SegmentColumns::new(
        Column::field(rows, 0),
        Column::field(rows, 4),
        Column::field(rows, 8),
        Column::field(rows, 12),
    );
    Segment => SegmentColumns, |rows| SegmentColumns {
        x0: Column::field(rows, offset_of!(Segment, start.x)),
        y0: Column::field(rows, offset_of!(Segment, start.y)),
        x1: Column::field(rows, offset_of!(Segment, end.x)),
        y1: Column::field(rows, offset_of!(Segment, end.y)),
        radius: Column::field(rows, offset_of!(Segment, radius)),
    };
}

/// Points, wherever their coordinates lie: `From` slices of `[f32; 2]` and [`Vec2`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Points<'a> {
    /// First coordinates.
    pub x: Column<'a>,
    /// Second coordinates.
    pub y: Column<'a>,
}

/// Circles, wherever their columns lie: `From` [`Circles`], and from slices of [`Circle`] and of `[f32; 3]` (x, y, radius).
///
/// ```
/// use gridlane::{CircleColumns, Detector, DetectorConfig, Neighbors};
///
/// let positions: Vec<[f32; 2]> = vec![[0.0, 0.0], [3.0, 4.0], [9.0, 9.0]];
/// let (mut detector, mut neighbors) = (Detector::new(DetectorConfig::default())?, Neighbors::new());
/// detector.neighbors(CircleColumns::at(&positions, 0.0), 5.0, &mut neighbors)?; // points at most 5 apart
/// assert_eq!((neighbors.of(0), neighbors.of(1), neighbors.of(2)), (&[1][..], &[0][..], &[][..]));
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CircleColumns<'a> {
    /// First coordinates of the centres.
    pub x: Column<'a>,
    /// Second coordinates of the centres.
    pub y: Column<'a>,
    /// Radii, zero or more.
    pub radius: Column<'a>,
}

impl<'a> CircleColumns<'a> {
    /// About these centres.
    #[must_use]
    pub fn at(centers: impl Into<Points<'a>>, radius: impl Into<Column<'a>>) -> CircleColumns<'a> {
        let Points { x, y } = centers.into();
        CircleColumns { x, y, radius: radius.into() }
    }
}

impl<'a> From<Circles<'a>> for CircleColumns<'a> {
    fn from(circles: Circles<'a>) -> CircleColumns<'a> {
        CircleColumns { x: circles.x.into(), y: circles.y.into(), radius: circles.radius.into() }
    }
}

/// Segments, wherever their columns lie: `From` [`Segments`], and from slices of [`Segment`] (with its radius), of `[f32; 4]`
/// (x0, y0, x1, y1) and of `[[f32; 2]; 2]`.
#[derive(Clone, Copy, Debug)]
pub struct SegmentColumns<'a> {
    /// First coordinates of the first ends.
    pub x0: Column<'a>,
    /// Second coordinates of the first ends.
    pub y0: Column<'a>,
    /// First coordinates of the second ends.
    pub x1: Column<'a>,
    /// Second coordinates of the second ends.
    pub y1: Column<'a>,
    /// Radii, zero or more: above zero a segment is a capsule.
    pub radius: Column<'a>,
}

impl Default for SegmentColumns<'_> {
    /// No rows, and no radius.
    fn default() -> Self {
        SegmentColumns::new([].as_slice(), [].as_slice(), [].as_slice(), [].as_slice())
    }
}

impl<'a> SegmentColumns<'a> {
    /// Segments without radii.
    #[must_use]
    pub fn new(
        x0: impl Into<Column<'a>>,
        y0: impl Into<Column<'a>>,
        x1: impl Into<Column<'a>>,
        y1: impl Into<Column<'a>>,
    ) -> SegmentColumns<'a> {
        SegmentColumns { x0: x0.into(), y0: y0.into(), x1: x1.into(), y1: y1.into(), radius: Column::same(0.0) }
    }

    /// From these points to those.
    #[must_use]
    pub fn between(starts: impl Into<Points<'a>>, ends: impl Into<Points<'a>>) -> SegmentColumns<'a> {
        let (starts, ends) = (starts.into(), ends.into());
        SegmentColumns::new(starts.x, starts.y, ends.x, ends.y)
    }

    /// Sets [`Self::radius`].
    #[must_use]
    pub fn with_radius(self, radius: impl Into<Column<'a>>) -> SegmentColumns<'a> {
        SegmentColumns { radius: radius.into(), ..self }
    }
}

impl<'a> From<Segments<'a>> for SegmentColumns<'a> {
    fn from(segments: Segments<'a>) -> SegmentColumns<'a> {
        SegmentColumns::new(segments.x0, segments.y0, segments.x1, segments.y1)
    }
}
