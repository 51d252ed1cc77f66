//! The labels of one body, alone and as a row of a caller's columns.
//!
//! Comes in: what a caller says. Goes out: the same, in one record. This room does not know where labels are kept, nor what one does.

use super::bodies::or;
use super::{Filter, Filters};
use crate::error::{Error, Kind};

/// All labels of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) filter: Filter,
    pub(crate) sensor: bool,
    pub(crate) user_data: u64,
    pub(crate) restitution: Option<f32>,
    pub(crate) enabled: bool,
    /// Of a circle; no segment is one.
    pub(crate) bullet: bool,
}

impl Default for Label {
    fn default() -> Label {
        Label { filter: Filter::DEFAULT, sensor: false, user_data: 0, restitution: None, enabled: true, bullet: false }
    }
}

impl Label {
    /// What the columns say: a disabled body meets nothing.
    pub(super) fn in_force(&self) -> Filter {
        if self.enabled { self.filter } else { Filter::NOTHING }
    }
}

/// In the column of restitutions: none of its own.
pub(crate) const NO_RESTITUTION: f32 = -1.0;

/// Labels in bulk; a column that is empty has the default in every row.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelColumns<'a> {
    pub(super) filters: Filters<'a>,
    pub(super) sensor: &'a [bool],
    pub(super) user_data: &'a [u64],
    pub(super) restitution: &'a [f32],
    pub(super) enabled: &'a [bool],
    pub(super) bullet: &'a [bool],
}

impl LabelColumns<'_> {
    /// Those of one row, of checked columns.
    pub(super) fn of(&self, row: usize) -> Label {
        Label {
            filter: self.filters.of(row as u32),
            sensor: or(self.sensor, row, false),
            user_data: or(self.user_data, row, 0),
            restitution: self.restitution.get(row).copied(),
            enabled: or(self.enabled, row, true),
            bullet: or(self.bullet, row, false),
        }
    }

    /// Every row has the default, for sure.
    pub(super) fn are_left_out(&self) -> bool {
        let LabelColumns { filters, sensor, user_data, restitution, enabled, bullet } = self;
        let flags = sensor.is_empty() && enabled.is_empty() && bullet.is_empty();
        flags && filters.are_left_out() && user_data.is_empty() && restitution.is_empty()
    }

    /// Each column is left out or has so many rows.
    pub(super) fn check(&self, kind: Kind, expected: usize) -> Result<(), Error> {
        self.filters.check(kind, expected)?;
        let lengths = [
            ("sensor", self.sensor.len()),
            ("user_data", self.user_data.len()),
            ("restitution", self.restitution.len()),
            ("enabled", self.enabled.len()),
            ("bullet", self.bullet.len()),
        ];
        for (field, length) in lengths {
            if length != 0 && length != expected {
                return Err(Error::ColumnLength { kind, field, length, expected });
            }
        }
        Ok(())
    }
}
