//! What a caller says of bodies beside their shapes and motion: filters, sensors, user data.
//!
//! Comes in: labels, row by row, and orders. Goes out: columns, and for each kind of label how many rows have another than the
//! default. This room does not know what a label does. Where no row has one, columns are neither looked at nor brought into a new
//! order: they are the same in any.

use super::{Filter, Filters, gather};
use crate::error::{Error, Kind};

/// All labels of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Label {
    pub(crate) filter: Filter,
    pub(crate) sensor: bool,
    pub(crate) user_data: u64,
    pub(crate) restitution: Option<f32>,
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
}

impl LabelColumns<'_> {
    /// Each column is left out or has so many rows.
    pub(super) fn check(&self, kind: Kind, expected: usize) -> Result<(), Error> {
        self.filters.check(kind, expected)?;
        let lengths = [
            ("sensor", self.sensor.len()),
            ("user_data", self.user_data.len()),
            ("restitution", self.restitution.len()),
        ];
        for (field, length) in lengths {
            if length != 0 && length != expected {
                return Err(Error::ColumnLength { kind, field, length, expected });
            }
        }
        Ok(())
    }
}

/// How many rows have another label than the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    filters: usize,
    sensors: usize,
    user_data: usize,
    restitutions: usize,
}

impl Counts {
    fn add(&mut self, label: Label) {
        self.filters += usize::from(label.filter != Filter::DEFAULT);
        self.sensors += usize::from(label.sensor);
        self.user_data += usize::from(label.user_data != 0);
        self.restitutions += usize::from(label.restitution.is_some());
    }

    fn take(&mut self, label: Label) {
        self.filters -= usize::from(label.filter != Filter::DEFAULT);
        self.sensors -= usize::from(label.sensor);
        self.user_data -= usize::from(label.user_data != 0);
        self.restitutions -= usize::from(label.restitution.is_some());
    }
}

/// The labels of one kind of body, row by row.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(crate) category: Vec<u32>,
    pub(crate) mask: Vec<u32>,
    pub(crate) sensor: Vec<bool>,
    pub(crate) user_data: Vec<u64>,
    /// Below zero where a body has none of its own.
    pub(crate) restitution: Vec<f32>,
    counts: Counts,
}

impl Labels {
    /// Those of one row.
    pub(crate) fn of(&self, row: usize) -> Label {
        Label {
            filter: Filter::new(self.category[row], self.mask[row]),
            sensor: self.sensor[row],
            user_data: self.user_data[row],
            restitution: Some(self.restitution[row]).filter(|&own| own >= 0.0),
        }
    }

    /// The filters; left out where all are the default.
    pub(crate) fn filters(&self) -> Filters<'_> {
        if self.counts.filters == 0 {
            return Filters::default();
        }
        Filters { category: &self.category, mask: &self.mask }
    }

    /// Which are sensors; empty where none is.
    pub(crate) fn sensors(&self) -> &[bool] {
        if self.counts.sensors == 0 { &[] } else { &self.sensor }
    }

    /// How bouncy bodies are, below zero where they have no restitution of their own; empty where none has.
    pub(crate) fn restitutions(&self) -> &[f32] {
        if self.counts.restitutions == 0 { &[] } else { &self.restitution }
    }

    /// Some body has another label than the default.
    pub(crate) fn are_set(&self) -> bool {
        self.counts != Counts::default()
    }

    pub(crate) fn set(&mut self, row: usize, label: Label) {
        self.counts.take(self.of(row));
        self.counts.add(label);
        self.category[row] = label.filter.category;
        self.mask[row] = label.filter.mask;
        self.sensor[row] = label.sensor;
        self.user_data[row] = label.user_data;
        self.restitution[row] = label.restitution.unwrap_or(NO_RESTITUTION);
    }

    /// To be called after columns have been overwritten from outside; `none`: all are the default, for sure.
    pub(crate) fn recount(&mut self, none: bool) {
        self.counts = Counts::default();
        if none {
            return;
        }
        let Labels { category, mask, sensor, user_data, restitution, .. } = self;
        let filtered = |(&category, &mask): (&u32, &u32)| Filter { category, mask } != Filter::DEFAULT;
        self.counts = Counts {
            filters: category.iter().zip(&*mask).filter(|&(c, m)| filtered((c, m))).count(),
            sensors: sensor.iter().filter(|&&sensor| sensor).count(),
            user_data: user_data.iter().filter(|&&user_data| user_data != 0).count(),
            restitutions: restitution.iter().filter(|&&own| own >= 0.0).count(),
        };
    }

    pub(super) fn push(&mut self, label: Label) {
        self.counts.add(label);
        self.category.push(label.filter.category);
        self.mask.push(label.filter.mask);
        self.sensor.push(label.sensor);
        self.user_data.push(label.user_data);
        self.restitution.push(label.restitution.unwrap_or(NO_RESTITUTION));
    }

    /// Appends checked columns, up to `len` rows in all.
    pub(super) fn extend(&mut self, columns: LabelColumns<'_>, len: usize) {
        let LabelColumns { filters, sensor, user_data, restitution } = columns;
        let first = self.category.len();
        fill(&mut self.category, filters.category, len, Filter::DEFAULT.category);
        fill(&mut self.mask, filters.mask, len, Filter::DEFAULT.mask);
        fill(&mut self.sensor, sensor, len, false);
        fill(&mut self.user_data, user_data, len, 0);
        fill(&mut self.restitution, restitution, len, NO_RESTITUTION);
        let none = sensor.is_empty() && user_data.is_empty() && restitution.is_empty();
        if !(filters.are_left_out() && none) {
            for row in first..len {
                self.counts.add(self.of(row));
            }
        }
    }

    pub(super) fn swap_remove(&mut self, row: usize) {
        self.counts.take(self.of(row));
        self.category.swap_remove(row);
        self.mask.swap_remove(row);
        self.sensor.swap_remove(row);
        self.user_data.swap_remove(row);
        self.restitution.swap_remove(row);
    }

    /// Writes the labels in a new order beside themselves, but for columns without any: [`Self::swap`] knows of those.
    pub(crate) fn gather(&self, order: &[u32], to: &mut Labels) {
        to.counts = self.counts;
        if self.counts.filters > 0 {
            gather(&self.category, order, &mut to.category);
            gather(&self.mask, order, &mut to.mask);
        }
        if self.counts.sensors > 0 {
            gather(&self.sensor, order, &mut to.sensor);
        }
        if self.counts.user_data > 0 {
            gather(&self.user_data, order, &mut to.user_data);
        }
        if self.counts.restitutions > 0 {
            gather(&self.restitution, order, &mut to.restitution);
        }
    }

    /// Takes over what [`Self::gather`] wrote, in exchange for memory to be used again.
    pub(super) fn swap(&mut self, sorted: &mut Labels) {
        if self.counts.filters > 0 {
            std::mem::swap(&mut self.category, &mut sorted.category);
            std::mem::swap(&mut self.mask, &mut sorted.mask);
        }
        if self.counts.sensors > 0 {
            std::mem::swap(&mut self.sensor, &mut sorted.sensor);
        }
        if self.counts.user_data > 0 {
            std::mem::swap(&mut self.user_data, &mut sorted.user_data);
        }
        if self.counts.restitutions > 0 {
            std::mem::swap(&mut self.restitution, &mut sorted.restitution);
        }
    }
}

/// Appends a column that may have been left out, up to `len`.
pub(super) fn fill<T: Copy>(column: &mut Vec<T>, given: &[T], len: usize, default: T) {
    column.extend_from_slice(given);
    column.resize(len, default);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(k: u64) -> Label {
        let restitution = Some(k as f32 / 8.0).filter(|_| k > 3);
        Label { filter: Filter::new(k as u32, 7), sensor: k.is_multiple_of(2), user_data: k, restitution }
    }

    #[test]
    fn counts_follow_every_change() {
        let mut labels = Labels::default();
        labels.push(Label::default());
        assert!(!labels.are_set() && labels.filters().are_left_out());
        labels.push(label(4));
        let counts = |filters, sensors, user_data| Counts { filters, sensors, user_data, restitutions: 1 };
        assert_eq!(labels.counts, counts(1, 1, 1));
        assert_eq!(labels.restitutions(), [-1.0, 0.5]);
        labels.set(0, label(3)); // no sensor, no restitution of its own
        assert_eq!(labels.counts, counts(2, 1, 2));
        labels.swap_remove(0); // row 1 comes to row 0
        assert_eq!((labels.counts, labels.of(0)), (counts(1, 1, 1), label(4)));
        labels.set(0, Label { filter: Filter::DEFAULT, ..label(4) });
        assert_eq!(labels.counts, counts(0, 1, 1));
        assert!(labels.filters().are_left_out() && labels.are_set() && labels.sensors() == [true]);
        labels.swap_remove(0);
        assert!(!labels.are_set() && labels.user_data.is_empty());
    }

    #[test]
    fn bulk_and_single_agree() {
        let (category, mask, sensor, user_data) = ([5, 1], [7, u32::MAX], [false, false], [0, 9]);
        let restitution = [0.0, 0.5];
        let filters = Filters { category: &category, mask: &mask };
        let mut bulk = Labels::default();
        bulk.extend(LabelColumns { filters, sensor: &[], user_data: &user_data, restitution: &restitution }, 2);
        let mut single = Labels::default();
        for row in 0..2 {
            let filter = Filter::new(category[row], mask[row]);
            let restitution = Some(restitution[row]);
            single.push(Label { filter, sensor: sensor[row], user_data: user_data[row], restitution });
        }
        assert_eq!([bulk.of(0), bulk.of(1)], [single.of(0), single.of(1)]);
        assert_eq!(bulk.counts, single.counts);
        bulk.counts = Counts::default();
        bulk.recount(false);
        assert_eq!(bulk.counts, single.counts);
    }

    #[test]
    fn columns_without_labels_stay_where_they_are() {
        let mut labels = Labels::default();
        for k in 0..3 {
            labels.push(Label { sensor: false, user_data: 0, restitution: None, ..label(k) });
        }
        let mut sorted = Labels::default();
        labels.gather(&[2, 0, 1], &mut sorted);
        assert_eq!((sorted.category.as_slice(), sorted.user_data.len()), (&[2, 0, 1][..], 0));
        labels.swap(&mut sorted);
        assert_eq!([0, 1, 2].map(|row| labels.of(row).filter.category), [2, 0, 1]);
        assert_eq!((labels.sensor.len(), labels.user_data.len(), labels.counts.filters), (3, 3, 3));
    }
}
