//! Bodies in bulk, and the door where every number is checked.
//!
//! Comes in: the caller's columns or a single body. Goes out: yes, or the first number that is wrong. This room does
//! not know who already lives in the world. Checks go row by row, in the order of the fields.

use super::label::{LabelColumns, NO_RESTITUTION};
use super::{CircleBody, Filters, SegmentBody};
use crate::error::{Error, Kind};
use crate::geometry::{Circle, Segment, Vec2};

/// Circles as columns of equal length, in the caller's order.
#[derive(Clone, Copy, Debug, Default)]
pub struct CircleBodies<'a> {
    /// Centres.
    pub x: &'a [f32],
    /// Centres.
    pub y: &'a [f32],
    /// Zero or more.
    pub radius: &'a [f32],
    /// Length units per second; empty: 0.
    pub velocity_x: &'a [f32],
    /// Length units per second; empty: 0.
    pub velocity_y: &'a [f32],
    /// One over the mass, 0 for immovable circles; empty: 1.
    pub inverse_mass: &'a [f32],
    /// What the circles are, as in a [`Filter`](crate::Filter); empty: 1.
    pub category: &'a [u32],
    /// The categories that they meet; empty: all.
    pub mask: &'a [u32],
    /// Reported and never pushed; empty: false.
    pub sensor: &'a [bool],
    /// The caller's own; empty: 0.
    pub user_data: &'a [u64],
    /// How much of the approach speed comes back, 0 to 1, or −1, as views show it: as the world says; empty: so for all.
    pub restitution: &'a [f32],
    /// Whether they take part; empty: true.
    pub enabled: &'a [bool],
    /// Whether they meet other circles on their way where they are fast; empty: false.
    pub bullet: &'a [bool],
}

/// Segments as columns of equal length, in the caller's order. A segment moves where any of its four velocities is not
/// zero, and is static otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentBodies<'a> {
    /// First ends.
    pub x0: &'a [f32],
    /// First ends.
    pub y0: &'a [f32],
    /// Second ends.
    pub x1: &'a [f32],
    /// Second ends.
    pub y1: &'a [f32],
    /// Zero or more; empty: 0.
    pub radius: &'a [f32],
    /// Velocities of the first ends; empty: 0.
    pub velocity_x0: &'a [f32],
    /// Velocities of the first ends; empty: 0.
    pub velocity_y0: &'a [f32],
    /// Velocities of the second ends; empty: 0.
    pub velocity_x1: &'a [f32],
    /// Velocities of the second ends; empty: 0.
    pub velocity_y1: &'a [f32],
    /// Solid from the right of start → end only; empty: false.
    pub one_sided: &'a [bool],
    /// What the segments are, as in a [`Filter`](crate::Filter); empty: 1.
    pub category: &'a [u32],
    /// The categories that they meet; empty: all.
    pub mask: &'a [u32],
    /// Reported and never pushing; empty: false.
    pub sensor: &'a [bool],
    /// The caller's own; empty: 0.
    pub user_data: &'a [u64],
    /// How much of the approach speed comes back, 0 to 1, or −1, as views show it: as the world says; empty: so for all.
    pub restitution: &'a [f32],
    /// Whether they take part; empty: true.
    pub enabled: &'a [bool],
}

/// One column at the door.
struct Column<'a> {
    field: &'static str,
    values: &'a [f32],
    /// May be left out.
    optional: bool,
    /// May be below zero.
    signed: bool,
}

const fn needed<'a>(field: &'static str, values: &'a [f32]) -> Column<'a> {
    Column { field, values, optional: false, signed: true }
}

const fn optional<'a>(field: &'static str, values: &'a [f32]) -> Column<'a> {
    Column { field, values, optional: true, signed: true }
}

impl Column<'_> {
    const fn unsigned(self) -> Self {
        Column { signed: false, ..self }
    }

    /// All are in range: without a way out in the midst, so that it becomes vector code.
    fn is_right(&self) -> bool {
        let finite = self.values.iter().fold(true, |all, v| all & v.is_finite());
        finite && (self.signed || self.values.iter().fold(true, |all, &v| all & (v >= 0.0)))
    }
}

/// All lengths fit and all numbers are in range; the number of rows.
fn check_columns(kind: Kind, columns: &[Column<'_>], labels: LabelColumns<'_>) -> Result<usize, Error> {
    let rows = columns[0].values.len();
    for c in columns {
        if c.values.len() != rows && !(c.optional && c.values.is_empty()) {
            return Err(Error::ColumnLength { kind, field: c.field, length: c.values.len(), expected: rows });
        }
    }
    labels.check(kind, rows)?;
    let shares = labels.restitution;
    // Whole columns first, which is fast; only a wrong one is worth the search for the first wrong row.
    let right = shares.iter().fold(true, |all, &v| all & ((0.0..=1.0).contains(&v) | (v == NO_RESTITUTION)));
    if right && columns.iter().all(Column::is_right) {
        return Ok(rows);
    }
    for row in 0..rows {
        for c in columns {
            if let Some(&value) = c.values.get(row) {
                check_value(kind, row, c.field, value, c.signed)?;
            }
        }
        if let Some(&share) = shares.get(row).filter(|&&share| share != NO_RESTITUTION) {
            check_restitution(kind, row, share)?;
        }
    }
    Ok(rows)
}

/// A restitution is from 0 to 1.
fn check_restitution(kind: Kind, row: usize, value: f32) -> Result<(), Error> {
    check_value(kind, row, "restitution", value, false)?;
    if value > 1.0 {
        return Err(Error::AboveOne { kind, row, field: "restitution", value });
    }
    Ok(())
}

/// One number is in range.
pub(crate) fn check_value(kind: Kind, row: usize, field: &'static str, value: f32, signed: bool) -> Result<(), Error> {
    if !value.is_finite() {
        return Err(Error::NotFinite { kind, row, field, value });
    }
    if !signed && value < 0.0 {
        return Err(Error::Negative { kind, row, field, value });
    }
    Ok(())
}

/// A row of a column that may be left out.
pub(super) fn or<T: Copy>(column: &[T], row: usize, default: T) -> T {
    column.get(row).copied().unwrap_or(default)
}

impl<'a> CircleBodies<'a> {
    /// What is neither shape nor motion.
    pub(super) fn labels(&self) -> LabelColumns<'a> {
        let filters = Filters { category: self.category, mask: self.mask };
        LabelColumns {
            filters,
            sensor: self.sensor,
            user_data: self.user_data,
            restitution: self.restitution,
            enabled: self.enabled,
            bullet: self.bullet,
        }
    }

    /// That of a row, of checked columns.
    pub(crate) fn body(&self, row: usize) -> CircleBody {
        let shape = Circle::new([self.x[row], self.y[row]], self.radius[row]);
        shape
            .with_velocity([or(self.velocity_x, row, 0.0), or(self.velocity_y, row, 0.0)])
            .with_inverse_mass(or(self.inverse_mass, row, 1.0))
            .with_label(self.labels().of(row))
    }

    /// All lengths fit and all numbers are in range; the number of rows.
    pub(crate) fn check(&self) -> Result<usize, Error> {
        check_columns(
            Kind::Circle,
            &[
                needed("x", self.x),
                needed("y", self.y),
                needed("radius", self.radius).unsigned(),
                optional("velocity_x", self.velocity_x),
                optional("velocity_y", self.velocity_y),
                optional("inverse_mass", self.inverse_mass).unsigned(),
            ],
            self.labels(),
        )
    }
}

impl<'a> SegmentBodies<'a> {
    /// What is neither shape nor motion.
    pub(super) fn labels(&self) -> LabelColumns<'a> {
        let filters = Filters { category: self.category, mask: self.mask };
        LabelColumns {
            filters,
            sensor: self.sensor,
            user_data: self.user_data,
            restitution: self.restitution,
            enabled: self.enabled,
            bullet: &[],
        }
    }

    /// That of a row, of checked columns: it moves where a velocity is not zero.
    pub(crate) fn body(&self, row: usize) -> SegmentBody {
        let shape = Segment::new([self.x0[row], self.y0[row]], [self.x1[row], self.y1[row]]);
        let start_velocity = Vec2::new(or(self.velocity_x0, row, 0.0), or(self.velocity_y0, row, 0.0));
        let end_velocity = Vec2::new(or(self.velocity_x1, row, 0.0), or(self.velocity_y1, row, 0.0));
        let body = SegmentBody::from(shape.with_radius(or(self.radius, row, 0.0))).with_label(self.labels().of(row));
        SegmentBody { start_velocity, end_velocity, one_sided: or(self.one_sided, row, false), ..body }
    }

    /// All lengths fit and all numbers are in range; the number of rows.
    pub(crate) fn check(&self) -> Result<usize, Error> {
        let (length, expected) = (self.one_sided.len(), self.x0.len());
        if length != 0 && length != expected {
            return Err(Error::ColumnLength { kind: Kind::Segment, field: "one_sided", length, expected });
        }
        check_columns(
            Kind::Segment,
            &[
                needed("x0", self.x0),
                needed("y0", self.y0),
                needed("x1", self.x1),
                needed("y1", self.y1),
                optional("radius", self.radius).unsigned(),
                optional("velocity_x0", self.velocity_x0),
                optional("velocity_y0", self.velocity_y0),
                optional("velocity_x1", self.velocity_x1),
                optional("velocity_y1", self.velocity_y1),
            ],
            self.labels(),
        )
    }
}

impl CircleBody {
    /// All numbers are in range. `row` is what an error says: 0 for a new body, the handle's index for an edit.
    pub(crate) fn check(&self, row: usize) -> Result<(), Error> {
        let check = |field, value, signed| check_value(Kind::Circle, row, field, value, signed);
        check("x", self.shape.center.x, true)?;
        check("y", self.shape.center.y, true)?;
        check("radius", self.shape.radius, false)?;
        check("velocity_x", self.velocity.x, true)?;
        check("velocity_y", self.velocity.y, true)?;
        check("inverse_mass", self.inverse_mass, false)?;
        self.restitution.map_or(Ok(()), |own| check_restitution(Kind::Circle, row, own))
    }
}

impl SegmentBody {
    /// All numbers are in range. `row` is what an error says: 0 for a new body, the handle's index for an edit.
    pub(crate) fn check(&self, row: usize) -> Result<(), Error> {
        let check = |field, value, signed| check_value(Kind::Segment, row, field, value, signed);
        check("x0", self.shape.start.x, true)?;
        check("y0", self.shape.start.y, true)?;
        check("x1", self.shape.end.x, true)?;
        check("y1", self.shape.end.y, true)?;
        check("radius", self.shape.radius, false)?;
        check("velocity_x0", self.start_velocity.x, true)?;
        check("velocity_y0", self.start_velocity.y, true)?;
        check("velocity_x1", self.end_velocity.x, true)?;
        check("velocity_y1", self.end_velocity.y, true)?;
        self.restitution.map_or(Ok(()), |own| check_restitution(Kind::Segment, row, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: CircleBodies<'static> = CircleBodies {
        x: &[0.0, 1.0],
        y: &[0.0, 1.0],
        radius: &[0.0, 1.0],
        velocity_x: &[],
        velocity_y: &[],
        inverse_mass: &[],
        category: &[],
        mask: &[],
        sensor: &[],
        user_data: &[],
        restitution: &[],
        enabled: &[],
        bullet: &[],
    };

    #[test]
    fn optional_columns_may_be_left_out_but_not_cut_short() {
        assert_eq!(TWO.check(), Ok(2));
        assert_eq!(
            CircleBodies { velocity_y: &[1.0], ..TWO }.check(),
            Err(Error::ColumnLength { kind: Kind::Circle, field: "velocity_y", length: 1, expected: 2 })
        );
        assert_eq!(
            CircleBodies { radius: &[], ..TWO }.check(),
            Err(Error::ColumnLength { kind: Kind::Circle, field: "radius", length: 0, expected: 2 })
        );
        for (bad, field) in [
            (CircleBodies { category: &[1], ..TWO }, "category"),
            (CircleBodies { mask: &[1], ..TWO }, "mask"),
            (CircleBodies { sensor: &[true], ..TWO }, "sensor"),
            (CircleBodies { user_data: &[1], ..TWO }, "user_data"),
            (CircleBodies { restitution: &[1.0], ..TWO }, "restitution"),
            (CircleBodies { enabled: &[false], ..TWO }, "enabled"),
            (CircleBodies { bullet: &[true], ..TWO }, "bullet"),
        ] {
            let error = Error::ColumnLength { kind: Kind::Circle, field, length: 1, expected: 2 };
            assert_eq!(bad.check(), Err(error));
        }
    }

    #[test]
    fn first_wrong_row_is_named_then_the_first_field() {
        let bad = CircleBodies { x: &[0.0, f32::INFINITY], radius: &[-1.0, 1.0], ..TWO };
        assert_eq!(bad.check(), Err(Error::Negative { kind: Kind::Circle, row: 0, field: "radius", value: -1.0 }));
        let bad = CircleBodies { x: &[0.0, f32::INFINITY], radius: &[1.0, -1.0], ..TWO };
        assert_eq!(bad.check(), Err(Error::NotFinite { kind: Kind::Circle, row: 1, field: "x", value: f32::INFINITY }));
    }

    #[test]
    fn restitutions_are_shares() {
        assert_eq!(CircleBodies { restitution: &[0.0, 1.0], ..TWO }.check(), Ok(2));
        assert_eq!(CircleBodies { restitution: &[-1.0, 1.0], ..TWO }.check(), Ok(2));
        let refused = |own: &[f32; 2]| CircleBodies { restitution: own, ..TWO }.check().unwrap_err();
        let (kind, field) = (Kind::Circle, "restitution");
        assert_eq!(refused(&[0.5, 1.5]), Error::AboveOne { kind, row: 1, field, value: 1.5 });
        assert_eq!(refused(&[-0.5, 1.0]), Error::Negative { kind, row: 0, field, value: -0.5 });
        assert_eq!(refused(&[-1.0, -0.5]), Error::Negative { kind, row: 1, field, value: -0.5 });
        assert!(matches!(refused(&[f32::NAN, 1.0]), Error::NotFinite { row: 0, .. }));
    }

    #[test]
    fn negative_zero_is_zero() {
        assert_eq!(CircleBodies { radius: &[-0.0, 1.0], ..TWO }.check(), Ok(2));
    }
}
