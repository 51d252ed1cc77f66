//! Every error the library hands out.
//!
//! Comes in: nothing. Goes out: one enum that names what was wrong and where. This room knows no other.

use std::fmt;

/// What a row or a handle belongs to, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A circle.
    Circle,
    /// A segment.
    Segment,
    /// A ray, or the beams of a fan.
    Ray,
    /// A shape that is asked about.
    Query,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Circle => "circle",
            Kind::Segment => "segment",
            Kind::Ray => "ray",
            Kind::Query => "query",
        })
    }
}

/// Why a call was refused. A refused call changes nothing, but for what its documentation says: lists that would have held too much are emptied, and
/// of a detector's call that was refused once its bodies were in, questions see those.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number of a body is NaN or infinite.
    NotFinite {
        /// Of what.
        kind: Kind,
        /// The row in the caller's input, counted from 0 (0 for a single body); the handle's index for an edit.
        row: usize,
        /// The field, as it is spelt in the public structs, or the argument.
        field: &'static str,
        /// The value met.
        value: f32,
    },
    /// A radius, an inverse mass or a limit is negative.
    Negative {
        /// Of what.
        kind: Kind,
        /// The row in the caller's input, counted from 0 (0 for a single body); the handle's index for an edit.
        row: usize,
        /// The field, as it is spelt in the public structs, or the argument.
        field: &'static str,
        /// The value met.
        value: f32,
    },
    /// A restitution of a body is above 1.
    AboveOne {
        /// Of what.
        kind: Kind,
        /// The row in the caller's input, counted from 0 (0 for a single body); the handle's index for an edit.
        row: usize,
        /// The field, as it is spelt in the public structs, or the argument.
        field: &'static str,
        /// The value met.
        value: f32,
    },
    /// Columns of one call have different lengths.
    ColumnLength {
        /// Of what.
        kind: Kind,
        /// The column, as it is spelt in the public structs.
        field: &'static str,
        /// Its length.
        length: usize,
        /// The length of the first column.
        expected: usize,
    },
    /// More bodies of one kind than rows can be numbered (2^32 - 17).
    TooManyBodies {
        /// Of what.
        kind: Kind,
        /// The number asked for.
        count: usize,
    },
    /// A handle whose body has been removed. One that another world gave out is stale too, unless it names a body here.
    StaleHandle {
        /// Of what.
        kind: Kind,
        /// The handle's bits, as `to_bits` gives them.
        bits: u64,
    },
    /// `dt` is negative, NaN or infinite.
    TimeStep {
        /// The value met.
        dt: f32,
    },
    /// A body's motion would carry it, or its velocity, out of the finite range.
    OutOfRange {
        /// Of what.
        kind: Kind,
        /// The handle's bits, as `to_bits` gives them.
        bits: u64,
        /// The field that would overflow, as it is spelt in the public structs.
        field: &'static str,
    },
    /// A segment is farther than one period beyond periodic bounds.
    BeyondPeriod {
        /// A segment.
        kind: Kind,
        /// The handle's bits, as `to_bits` gives them.
        bits: u64,
    },
    /// A question in periodic bounds that is longer than so many periods, and would see the same bodies again and again.
    TooManyPeriods {
        /// A ray, a circle that moves, or a shape.
        kind: Kind,
        /// The row in the caller's input, counted from 0 (0 for a single one).
        row: usize,
        /// The limit.
        limit: u32,
    },
    /// More touching pairs than the contact limit allows.
    TooManyContacts {
        /// The limit in force.
        limit: usize,
    },
    /// Slices that were to take contacts are too short; these are the numbers needed.
    NoRoom {
        /// Pairs of circles.
        circle_circle: usize,
        /// Pairs of a circle and a segment.
        circle_segment: usize,
        /// Pairs of segments.
        segment_segment: usize,
    },
    /// A column cannot be laid over the caller's records as it was asked for.
    Layout {
        /// Of what.
        kind: Kind,
        /// The column, as it is spelt in the public structs.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// A question has more answers than the limit of the lists that they go to.
    TooManyResults {
        /// The limit in force.
        limit: usize,
    },
    /// A field of a configuration is out of its range.
    Config {
        /// The field, as it is spelt in the config.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// What a hook said about a contact is out of its range.
    Verdict {
        /// The field, as it is spelt in [`Change`](crate::Change).
        field: &'static str,
        /// The value met.
        value: f32,
        /// What it has to be.
        expected: &'static str,
    },
    /// A range of rows reaches past the end.
    RowRange {
        /// Of what.
        kind: Kind,
        /// First row.
        start: usize,
        /// One past the last row.
        end: usize,
        /// The number of rows there are.
        rows: usize,
    },
    /// Bytes that are no snapshot of a world: cut short, damaged, or of another version.
    Snapshot {
        /// How many bytes had been read, the wrong ones included.
        at: usize,
        /// What should have stood there.
        expected: &'static str,
    },
    /// There are not so many worlds.
    NoWorld {
        /// The number asked for, counted from 0.
        world: usize,
        /// How many there are.
        worlds: usize,
    },
    /// One of many worlds refused. The others are not affected.
    InWorld {
        /// Its number; the first of those that refused.
        world: usize,
        /// What it said.
        error: Box<Error>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFinite { kind, row, field, value } => {
                write!(f, "{kind} {row}: {field} is {value}, expected a finite number")
            }
            Error::Negative { kind, row, field, value } => {
                write!(f, "{kind} {row}: {field} is {value}, expected zero or more")
            }
            Error::AboveOne { kind, row, field, value } => {
                write!(f, "{kind} {row}: {field} is {value}, expected 1 or less")
            }
            Error::ColumnLength { kind, field, length, expected } => {
                write!(f, "{kind} columns: {field} has {length} rows, the first column has {expected}")
            }
            Error::TooManyBodies { kind, count } => write!(f, "{count} {kind}s are more than rows can be numbered"),
            Error::StaleHandle { kind, bits } => write!(f, "{kind} handle {bits:#x} names no body of this world"),
            Error::TimeStep { dt } => write!(f, "dt is {dt}, expected a finite number of seconds, zero or more"),
            Error::OutOfRange { kind, bits, field } => {
                write!(f, "{kind} handle {bits:#x}: {field} would leave the finite range")
            }
            Error::BeyondPeriod { kind, bits } => {
                write!(f, "{kind} handle {bits:#x} reaches farther than one period beyond periodic bounds")
            }
            Error::TooManyPeriods { kind, row, limit } => {
                write!(f, "{kind} {row} is longer than {limit} periods of the bounds")
            }
            Error::TooManyContacts { limit } => write!(f, "more contacts than the limit of {limit}"),
            Error::NoRoom { circle_circle, circle_segment, segment_segment } => write!(
                f,
                "no room for all contacts: {circle_circle} of circles, {circle_segment} of circles and segments, \
                 {segment_segment} of segments"
            ),
            Error::Layout { kind, field, expected } => write!(f, "{kind} columns: {field}: expected {expected}"),
            Error::TooManyResults { limit } => write!(f, "more results than the limit of {limit}"),
            Error::Config { field, expected } => write!(f, "config: {field} has to be {expected}"),
            Error::Verdict { field, value, expected } => write!(f, "hook: {field} is {value}, expected {expected}"),
            Error::RowRange { kind, start, end, rows } => {
                write!(f, "{kind} rows {start}..{end} reach past the {rows} there are")
            }
            Error::Snapshot { at, expected } => write!(f, "snapshot: after {at} bytes: expected {expected}"),
            Error::NoWorld { world, worlds } => write!(f, "world {world} of {worlds}, counted from 0, is not there"),
            Error::InWorld { world, error } => write!(f, "world {world}: {error}"),
        }
    }
}

/// Without a source: [`Error::InWorld`] tells of the error within it.
impl std::error::Error for Error {}
