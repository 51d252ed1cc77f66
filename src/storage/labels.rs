//! What a caller says of bodies beside their shapes and motion: filters, sensors, bullets, user data, and whether they take part at all.
//!
//! Comes in: labels, row by row, and orders. Goes out: columns, and for each kind of label how many rows have another than the
//! default. This room does not know what a label does. Where no row has one, columns are neither looked at nor brought into a new
//! order: they are the same in any. A disabled body meets nothing: the columns of filters say so of it, and its own is kept aside.

use super::bodies::or;
use super::{Filter, Filters, gather};
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
    fn in_force(&self) -> Filter {
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

/// How many rows have another label than the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    filters: usize,
    sensors: usize,
    user_data: usize,
    restitutions: usize,
    disabled: usize,
    bullets: usize,
}

impl Counts {
    fn add(&mut self, label: Label) {
        self.filters += usize::from(label.in_force() != Filter::DEFAULT);
        self.sensors += usize::from(label.sensor);
        self.user_data += usize::from(label.user_data != 0);
        self.restitutions += usize::from(label.restitution.is_some());
        self.disabled += usize::from(!label.enabled);
        self.bullets += usize::from(label.bullet);
    }

    fn take(&mut self, label: Label) {
        self.filters -= usize::from(label.in_force() != Filter::DEFAULT);
        self.sensors -= usize::from(label.sensor);
        self.user_data -= usize::from(label.user_data != 0);
        self.restitutions -= usize::from(label.restitution.is_some());
        self.disabled -= usize::from(!label.enabled);
        self.bullets -= usize::from(label.bullet);
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
    pub(crate) enabled: Vec<bool>,
    /// The own filters of disabled bodies; the default for all others.
    pub(crate) aside: Vec<Filter>,
    pub(crate) bullet: Vec<bool>,
    counts: Counts,
}

impl Labels {
    /// Those of one row. Columns where nobody has any are not touched: to whom they are cold they are dear.
    pub(crate) fn of(&self, row: usize) -> Label {
        let counts = &self.counts;
        let enabled = counts.disabled == 0 || self.enabled[row];
        Label {
            filter: if enabled { self.filters().of(row as u32) } else { self.aside[row] },
            sensor: counts.sensors > 0 && self.sensor[row],
            user_data: if counts.user_data > 0 { self.user_data[row] } else { 0 },
            restitution: self.restitutions().get(row).copied().filter(|&own| own >= 0.0),
            enabled,
            bullet: counts.bullets > 0 && self.bullet[row],
        }
    }

    /// The user data of one row, as [`Self::of`] has it.
    pub(crate) fn user_data_of(&self, row: usize) -> u64 {
        if self.counts.user_data > 0 { self.user_data[row] } else { 0 }
    }

    /// The same, before it is counted.
    fn uncounted(&self, row: usize) -> Label {
        let enabled = self.enabled[row];
        let filter = if enabled { Filter::new(self.category[row], self.mask[row]) } else { self.aside[row] };
        let restitution = Some(self.restitution[row]).filter(|&own| own >= 0.0);
        let (sensor, user_data, bullet) = (self.sensor[row], self.user_data[row], self.bullet[row]);
        Label { filter, sensor, user_data, restitution, enabled, bullet }
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

    /// Which take part; empty where all do.
    pub(crate) fn enabled(&self) -> &[bool] {
        if self.counts.disabled == 0 { &[] } else { &self.enabled }
    }

    /// Which are bullets; empty where none is.
    pub(crate) fn bullets(&self) -> &[bool] {
        if self.counts.bullets == 0 { &[] } else { &self.bullet }
    }

    /// Some body has another label than the default.
    pub(crate) fn are_set(&self) -> bool {
        self.counts != Counts::default()
    }

    /// Reads something of each line of its fields, as a world does where many are stepped.
    pub(crate) fn read_ahead(&self) -> usize {
        let Labels { category, sensor, restitution, aside, counts, .. } = self;
        category.len() ^ sensor.len() ^ restitution.len() ^ aside.len() ^ counts.filters ^ counts.bullets
    }

    pub(crate) fn set(&mut self, row: usize, label: Label) {
        self.counts.take(self.of(row));
        self.counts.add(label);
        let filter = label.in_force();
        self.category[row] = filter.category;
        self.mask[row] = filter.mask;
        self.sensor[row] = label.sensor;
        self.user_data[row] = label.user_data;
        self.restitution[row] = label.restitution.unwrap_or(NO_RESTITUTION);
        self.enabled[row] = label.enabled;
        self.bullet[row] = label.bullet;
        self.aside[row] = if label.enabled { Filter::DEFAULT } else { label.filter };
    }

    /// To be called after columns have been overwritten from outside; `none`: all are the default, for sure.
    pub(crate) fn recount(&mut self, none: bool) {
        self.counts = Counts::default();
        if none {
            return;
        }
        let Labels { category, mask, sensor, user_data, restitution, enabled, bullet, .. } = self;
        let filtered = |(&category, &mask): (&u32, &u32)| Filter { category, mask } != Filter::DEFAULT;
        self.counts = Counts {
            filters: category.iter().zip(&*mask).filter(|&(c, m)| filtered((c, m))).count(),
            sensors: sensor.iter().filter(|&&sensor| sensor).count(),
            user_data: user_data.iter().filter(|&&user_data| user_data != 0).count(),
            restitutions: restitution.iter().filter(|&&own| own >= 0.0).count(),
            disabled: enabled.iter().filter(|&&enabled| !enabled).count(),
            bullets: bullet.iter().filter(|&&bullet| bullet).count(),
        };
    }

    pub(super) fn push(&mut self, label: Label) {
        self.category.push(Filter::DEFAULT.category);
        self.mask.push(Filter::DEFAULT.mask);
        self.sensor.push(false);
        self.user_data.push(0);
        self.restitution.push(NO_RESTITUTION);
        self.enabled.push(true);
        self.aside.push(Filter::DEFAULT);
        self.bullet.push(false);
        self.set(self.category.len() - 1, label);
    }

    /// Appends checked columns, up to `len` rows in all.
    pub(super) fn extend(&mut self, columns: LabelColumns<'_>, len: usize) {
        let LabelColumns { filters, sensor, user_data, restitution, enabled, bullet } = columns;
        let first = self.category.len();
        fill(&mut self.category, filters.category, len, Filter::DEFAULT.category);
        fill(&mut self.mask, filters.mask, len, Filter::DEFAULT.mask);
        fill(&mut self.sensor, sensor, len, false);
        fill(&mut self.user_data, user_data, len, 0);
        fill(&mut self.restitution, restitution, len, NO_RESTITUTION);
        fill(&mut self.enabled, &[], len, true);
        fill(&mut self.aside, &[], len, Filter::DEFAULT);
        fill(&mut self.bullet, bullet, len, false);
        let none = sensor.is_empty() && user_data.is_empty() && restitution.is_empty();
        let none = none && enabled.is_empty() && bullet.is_empty();
        if !(filters.are_left_out() && none) {
            for row in first..len {
                let label = self.uncounted(row);
                self.counts.add(label);
                if enabled.get(row - first) == Some(&false) {
                    self.set(row, Label { enabled: false, ..label });
                }
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
        self.enabled.swap_remove(row);
        self.aside.swap_remove(row);
        self.bullet.swap_remove(row);
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
        if self.counts.disabled > 0 {
            gather(&self.enabled, order, &mut to.enabled);
            gather(&self.aside, order, &mut to.aside);
        }
        if self.counts.bullets > 0 {
            gather(&self.bullet, order, &mut to.bullet);
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
        if self.counts.disabled > 0 {
            std::mem::swap(&mut self.enabled, &mut sorted.enabled);
            std::mem::swap(&mut self.aside, &mut sorted.aside);
        }
        if self.counts.bullets > 0 {
            std::mem::swap(&mut self.bullet, &mut sorted.bullet);
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
        let (filter, sensor) = (Filter::new(k as u32, 7), k.is_multiple_of(2));
        Label { filter, sensor, user_data: k, restitution, enabled: k != 6, bullet: k % 3 == 1 }
    }

    #[test]
    fn counts_follow_every_change() {
        let mut labels = Labels::default();
        labels.push(Label::default());
        assert!(!labels.are_set() && labels.filters().are_left_out());
        labels.push(label(4));
        let counts = |filters, sensors, user_data| Counts {
            filters,
            sensors,
            user_data,
            restitutions: 1,
            disabled: 0,
            bullets: 1,
        };
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
        let enabled = [true, false];
        let bullet = [true, false];
        let columns = LabelColumns {
            filters,
            sensor: &[],
            user_data: &user_data,
            restitution: &restitution,
            enabled: &enabled,
            bullet: &bullet,
        };
        bulk.extend(columns, 2);
        let mut single = Labels::default();
        for row in 0..2 {
            let filter = Filter::new(category[row], mask[row]);
            let (sensor, user_data, restitution) = (sensor[row], user_data[row], Some(restitution[row]));
            let (enabled, bullet) = (enabled[row], bullet[row]);
            single.push(Label { filter, sensor, user_data, restitution, enabled, bullet });
        }
        assert_eq!([bulk.of(0), bulk.of(1)], [single.of(0), single.of(1)]);
        assert_eq!(bulk.counts, single.counts);
        bulk.counts = Counts::default();
        bulk.recount(false);
        assert_eq!(bulk.counts, single.counts);
    }

    #[test]
    fn a_disabled_body_meets_nothing_and_keeps_its_filter() {
        let mut labels = Labels::default();
        labels.push(label(6));
        labels.push(label(1));
        assert_eq!((labels.filters().of(0), labels.of(0)), (Filter::NOTHING, label(6)));
        assert_eq!((labels.counts.disabled, labels.enabled()), (1, &[false, true][..]));
        let mut sorted = Labels::default();
        labels.gather(&[1, 0], &mut sorted);
        labels.swap(&mut sorted);
        assert_eq!([labels.of(0), labels.of(1)], [label(1), label(6)]);
        labels.set(1, Label { enabled: true, ..label(6) });
        assert_eq!((labels.filters().of(1), labels.enabled()), (label(6).filter, &[][..]));
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
