//! The columns of labels, one kind of label beside the other.
//!
//! Comes in: labels, row by row, and orders. Goes out: columns where somebody has had such a label, and for each kind how many rows have
//! another than the default. This room does not know what a label does, nor how many rows there are: who has it says so. Where no row
//! has one, columns are neither looked at nor brought into a new order: they are the same in any.

use super::Filter;
use super::label::{Label, NO_RESTITUTION};
use super::lazy_column::LazyColumn;

/// How many rows have another label than the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) filters: usize,
    pub(super) sensors: usize,
    pub(super) user_data: usize,
    pub(super) restitutions: usize,
    pub(super) disabled: usize,
    pub(super) bullets: usize,
}

impl Counts {
    pub(super) const NONE: Counts =
        Counts { filters: 0, sensors: 0, user_data: 0, restitutions: 0, disabled: 0, bullets: 0 };

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

/// Columns, each of which is there only where somebody has had such a label or has looked at it: then it is right in every row.
#[derive(Debug)]
pub(crate) struct Kinds {
    pub(crate) category: LazyColumn<u32>,
    pub(crate) mask: LazyColumn<u32>,
    pub(crate) sensor: LazyColumn<bool>,
    pub(crate) user_data: LazyColumn<u64>,
    /// Below zero where a body has none of its own.
    pub(crate) restitution: LazyColumn<f32>,
    pub(crate) enabled: LazyColumn<bool>,
    /// The own filters of disabled bodies; the default for all others.
    pub(crate) aside: LazyColumn<Filter>,
    pub(crate) bullet: LazyColumn<bool>,
    pub(super) counts: Counts,
}

/// What those have of whom nobody has said anything.
pub(super) static NOTHING: Kinds = Kinds::new();

impl Kinds {
    pub(super) const fn new() -> Kinds {
        Kinds {
            category: LazyColumn::new(Filter::DEFAULT.category),
            mask: LazyColumn::new(Filter::DEFAULT.mask),
            sensor: LazyColumn::new(false),
            user_data: LazyColumn::new(0),
            restitution: LazyColumn::new(NO_RESTITUTION),
            enabled: LazyColumn::new(true),
            aside: LazyColumn::new(Filter::DEFAULT),
            bullet: LazyColumn::new(false),
            counts: Counts::NONE,
        }
    }

    /// Those of one row. Columns where nobody has any are not touched: to whom they are cold they are dear.
    pub(super) fn of(&self, row: usize) -> Label {
        let counts = &self.counts;
        let enabled = counts.disabled == 0 || self.enabled.of(row);
        let filter = if counts.filters == 0 { Filter::DEFAULT } else { self.in_force(row) };
        Label {
            filter: if enabled { filter } else { self.aside.of(row) },
            sensor: counts.sensors > 0 && self.sensor.of(row),
            user_data: if counts.user_data > 0 { self.user_data.of(row) } else { 0 },
            restitution: Some(self.restitution.of(row)).filter(|&own| counts.restitutions > 0 && own >= 0.0),
            enabled,
            bullet: counts.bullets > 0 && self.bullet.of(row),
        }
    }

    /// The filter of one row as the columns have it.
    pub(crate) fn in_force(&self, row: usize) -> Filter {
        Filter::new(self.category.of(row), self.mask.of(row))
    }

    pub(super) fn grow(&mut self, rows: usize) {
        self.category.grow(rows);
        self.mask.grow(rows);
        self.sensor.grow(rows);
        self.user_data.grow(rows);
        self.restitution.grow(rows);
        self.enabled.grow(rows);
        self.aside.grow(rows);
        self.bullet.grow(rows);
    }

    /// Overwrites one of so many rows.
    pub(super) fn set(&mut self, row: usize, rows: usize, label: Label) {
        self.counts.take(self.of(row));
        self.counts.add(label);
        let (filter, own, off) = (label.in_force(), label.restitution, !label.enabled);
        let filtered = filter != Filter::DEFAULT;
        self.category.put(row, rows, filter.category, filtered);
        self.mask.put(row, rows, filter.mask, filtered);
        self.sensor.put(row, rows, label.sensor, label.sensor);
        self.user_data.put(row, rows, label.user_data, label.user_data != 0);
        self.restitution.put(row, rows, own.unwrap_or(NO_RESTITUTION), own.is_some());
        self.enabled.put(row, rows, label.enabled, off);
        self.aside.put(row, rows, if off { label.filter } else { Filter::DEFAULT }, off);
        self.bullet.put(row, rows, label.bullet, label.bullet);
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

    /// Counts anew who has what, of so many rows; columns that are looked at together are there together from here on.
    pub(super) fn recount(&mut self, rows: usize) {
        if self.category.is_there() || self.mask.is_there() {
            self.category.made(rows);
            self.mask.made(rows);
        }
        if self.enabled.is_there() || self.aside.is_there() {
            self.enabled.made(rows);
            self.aside.made(rows);
        }
        let Kinds { category, mask, sensor, user_data, restitution, enabled, bullet, .. } = self;
        let filters = category.values().iter().zip(mask.values()).map(|(&category, &mask)| Filter { category, mask });
        self.counts = Counts {
            filters: filters.filter(|&filter| filter != Filter::DEFAULT).count(),
            sensors: sensor.values().iter().filter(|&&sensor| sensor).count(),
            user_data: user_data.values().iter().filter(|&&user_data| user_data != 0).count(),
            restitutions: restitution.values().iter().filter(|&&own| own >= 0.0).count(),
            disabled: enabled.values().iter().filter(|&&enabled| !enabled).count(),
            bullets: bullet.values().iter().filter(|&&bullet| bullet).count(),
        };
    }

    /// The default in all of so many rows.
    pub(super) fn reset(&mut self, rows: usize) {
        self.counts = Counts::NONE;
        self.category.reset(rows);
        self.mask.reset(rows);
        self.sensor.reset(rows);
        self.user_data.reset(rows);
        self.restitution.reset(rows);
        self.enabled.reset(rows);
        self.aside.reset(rows);
        self.bullet.reset(rows);
    }

    pub(super) fn gather(&self, order: &[u32], to: &mut Kinds) {
        to.counts = self.counts;
        if self.counts.filters > 0 {
            self.category.gather(order, &mut to.category);
            self.mask.gather(order, &mut to.mask);
        }
        if self.counts.sensors > 0 {
            self.sensor.gather(order, &mut to.sensor);
        }
        if self.counts.user_data > 0 {
            self.user_data.gather(order, &mut to.user_data);
        }
        if self.counts.restitutions > 0 {
            self.restitution.gather(order, &mut to.restitution);
        }
        if self.counts.disabled > 0 {
            self.enabled.gather(order, &mut to.enabled);
            self.aside.gather(order, &mut to.aside);
        }
        if self.counts.bullets > 0 {
            self.bullet.gather(order, &mut to.bullet);
        }
    }

    pub(super) fn swap(&mut self, sorted: &mut Kinds) {
        if self.counts.filters > 0 {
            self.category.swap(&mut sorted.category);
            self.mask.swap(&mut sorted.mask);
        }
        if self.counts.sensors > 0 {
            self.sensor.swap(&mut sorted.sensor);
        }
        if self.counts.user_data > 0 {
            self.user_data.swap(&mut sorted.user_data);
        }
        if self.counts.restitutions > 0 {
            self.restitution.swap(&mut sorted.restitution);
        }
        if self.counts.disabled > 0 {
            self.enabled.swap(&mut sorted.enabled);
            self.aside.swap(&mut sorted.aside);
        }
        if self.counts.bullets > 0 {
            self.bullet.swap(&mut sorted.bullet);
        }
    }
}
