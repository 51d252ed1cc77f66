//! What a caller says of bodies beside their shapes and motion: filters, sensors, bullets, user data, a restitution
//! of their own, and whether they take part at all.
//!
//! Comes in: labels, row by row, and orders. Goes out: columns, and whether any row has another label than the default. This room does
//! not know what a label does. Most worlds have none at all, and hold a few bytes for that. A disabled body meets nothing: the columns
//! of filters say so of it, and its own is kept aside.

use super::Filters;
use super::label::{Label, LabelColumns};
use super::label_kinds::{Counts, Kinds, NOTHING};
use super::lazy_column::LazyColumn;
use std::sync::OnceLock;

/// The labels of one kind of body, row by row. Small where nobody has any: a world holds two of them.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    rows: usize,
    /// Nothing before somebody has a label or a column is looked at.
    kinds: OnceLock<Box<Kinds>>,
}

impl Labels {
    /// The columns, and how many bodies have what.
    #[inline(always)]
    pub(crate) fn kinds(&self) -> &Kinds {
        self.kinds.get().map_or(&NOTHING, |kinds| kinds)
    }

    fn made(&self) -> &Kinds {
        self.kinds.get_or_init(|| Box::new(Kinds::new()))
    }

    fn made_mut(&mut self) -> &mut Kinds {
        self.made();
        self.kinds.get_mut().expect("made in the line before")
    }

    /// Those of one row. Columns where nobody has any are not touched: to whom they are cold they are dear.
    pub(crate) fn of(&self, row: usize) -> Label {
        self.kinds().of(row)
    }

    /// The user data of one row, as [`Self::of`] has it.
    pub(crate) fn user_data_of(&self, row: usize) -> u64 {
        let kinds = self.kinds();
        if kinds.counts.user_data > 0 { kinds.user_data.of(row) } else { 0 }
    }

    /// One row takes part, as [`Self::of`] has it.
    pub(crate) fn is_enabled(&self, row: usize) -> bool {
        self.enabled().get(row).copied().unwrap_or(true)
    }

    /// A whole column, also where nobody has such a label: for those who look from outside.
    pub(crate) fn shown<T: Copy>(&self, column: impl Fn(&Kinds) -> &LazyColumn<T>) -> &[T] {
        column(self.made()).shown(self.rows)
    }

    /// The filters; left out where all are the default.
    pub(crate) fn filters(&self) -> Filters<'_> {
        let kinds = self.kinds();
        if kinds.counts.filters == 0 {
            return Filters::default();
        }
        Filters { category: kinds.category.values(), mask: kinds.mask.values() }
    }

    /// Which are sensors; empty where none is.
    pub(crate) fn sensors(&self) -> &[bool] {
        let kinds = self.kinds();
        if kinds.counts.sensors == 0 { &[] } else { kinds.sensor.values() }
    }

    /// How bouncy bodies are, below zero where they have no restitution of their own; empty where none has.
    pub(crate) fn restitutions(&self) -> &[f32] {
        let kinds = self.kinds();
        if kinds.counts.restitutions == 0 { &[] } else { kinds.restitution.values() }
    }

    /// Which take part; empty where all do.
    pub(crate) fn enabled(&self) -> &[bool] {
        let kinds = self.kinds();
        if kinds.counts.disabled == 0 { &[] } else { kinds.enabled.values() }
    }

    /// Which are bullets; empty where none is.
    pub(crate) fn bullets(&self) -> &[bool] {
        let kinds = self.kinds();
        if kinds.counts.bullets == 0 { &[] } else { kinds.bullet.values() }
    }

    /// Some body has another label than the default.
    pub(crate) fn are_set(&self) -> bool {
        self.kinds().counts != Counts::NONE
    }

    /// Reads something of each line of its fields, as a world does where many are stepped.
    pub(crate) fn read_ahead(&self) -> usize {
        self.kinds.get().map_or(0, |kinds| {
            let Kinds { mask, user_data, restitution, aside, bullet, counts, .. } = &**kinds;
            let lengths = mask.values().len() ^ user_data.values().len() ^ restitution.values().len();
            lengths ^ aside.values().len() ^ bullet.values().len() ^ counts.filters ^ counts.bullets
        })
    }

    pub(crate) fn set(&mut self, row: usize, label: Label) {
        let rows = self.rows;
        if self.kinds.get().is_some() || label != Label::default() {
            self.made_mut().set(row, rows, label);
        }
    }

    /// So many rows from now on, none of them with a label.
    pub(crate) fn reset(&mut self, rows: usize) {
        self.rows = rows;
        if let Some(kinds) = self.kinds.get_mut() {
            kinds.reset(rows);
        }
    }

    /// So many rows from now on, and columns to be overwritten: all that are there. [`Self::recount`] has to come after that.
    pub(crate) fn overwrite(&mut self, rows: usize) -> &mut Kinds {
        self.rows = rows;
        self.made_mut()
    }

    /// To be called after columns have been overwritten from outside.
    pub(crate) fn recount(&mut self) {
        if let Some(kinds) = self.kinds.get_mut() {
            kinds.recount(self.rows);
        }
    }

    /// More rows without a label, up to so many.
    fn grow(&mut self, rows: usize) {
        self.rows = rows;
        if let Some(kinds) = self.kinds.get_mut() {
            kinds.grow(rows);
        }
    }

    pub(super) fn push(&mut self, label: Label) {
        self.grow(self.rows + 1);
        self.set(self.rows - 1, label);
    }

    /// Appends checked columns, up to `len` rows in all.
    pub(super) fn extend(&mut self, columns: LabelColumns<'_>, len: usize) {
        let first = self.rows;
        self.grow(len);
        if !columns.are_left_out() {
            (first..len).for_each(|row| self.set(row, columns.of(row - first)));
        }
    }

    pub(super) fn swap_remove(&mut self, row: usize) {
        self.rows -= 1;
        if let Some(kinds) = self.kinds.get_mut() {
            kinds.swap_remove(row);
        }
    }

    /// Writes the labels in a new order beside themselves, but for columns without any: [`Self::swap`] knows of those.
    pub(crate) fn gather(&self, order: &[u32], to: &mut Labels) {
        if self.are_set() {
            to.rows = order.len();
            self.kinds().gather(order, to.made_mut());
        } else if let Some(to) = to.kinds.get_mut() {
            to.counts = Counts::NONE;
        }
    }

    /// Takes over what [`Self::gather`] wrote, in exchange for memory to be used again.
    pub(super) fn swap(&mut self, sorted: &mut Labels) {
        if let (Some(kinds), Some(sorted)) = (self.kinds.get_mut(), sorted.kinds.get_mut()) {
            kinds.swap(sorted);
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
    use super::super::label::NO_RESTITUTION;
    use super::*;
    use crate::storage::Filter;

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
        assert_eq!(labels.kinds().counts, counts(1, 1, 1));
        assert_eq!(labels.restitutions(), [-1.0, 0.5]);
        labels.set(0, label(3)); // no sensor, no restitution of its own
        assert_eq!(labels.kinds().counts, counts(2, 1, 2));
        labels.swap_remove(0); // row 1 comes to row 0
        assert_eq!((labels.kinds().counts, labels.of(0)), (counts(1, 1, 1), label(4)));
        labels.set(0, Label { filter: Filter::DEFAULT, ..label(4) });
        assert_eq!(labels.kinds().counts, counts(0, 1, 1));
        assert!(labels.filters().are_left_out() && labels.are_set() && labels.sensors() == [true]);
        labels.swap_remove(0);
        assert!(!labels.are_set() && labels.shown(|kinds| &kinds.user_data).is_empty());
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
        assert_eq!(bulk.kinds().counts, single.kinds().counts);
        bulk.overwrite(2).counts = Counts::NONE;
        bulk.recount();
        assert_eq!(bulk.kinds().counts, single.kinds().counts);
    }

    #[test]
    fn a_disabled_body_meets_nothing_and_keeps_its_filter() {
        let mut labels = Labels::default();
        labels.push(label(6));
        labels.push(label(1));
        assert_eq!((labels.filters().of(0), labels.of(0)), (Filter::NOTHING, label(6)));
        assert_eq!((labels.kinds().counts.disabled, labels.enabled()), (1, &[false, true][..]));
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
        let kinds = sorted.kinds();
        assert_eq!((kinds.category.values(), kinds.user_data.is_there()), (&[2, 0, 1][..], false));
        labels.swap(&mut sorted);
        assert_eq!([0, 1, 2].map(|row| labels.of(row).filter.category), [2, 0, 1]);
        let kinds = labels.kinds();
        assert_eq!((kinds.sensor.is_there(), kinds.user_data.is_there(), kinds.counts.filters), (false, false, 3));
    }

    /// Which columns there are: filters (both), sensors, user data, restitutions, who is disabled (both), bullets.
    fn there(labels: &Labels) -> [bool; 8] {
        let Kinds { category, mask, sensor, user_data, restitution, enabled, aside, bullet, .. } = labels.kinds();
        let flags = [sensor, enabled, bullet].map(LazyColumn::is_there);
        let numbers = [user_data.is_there(), restitution.is_there(), aside.is_there()];
        [category.is_there(), mask.is_there(), flags[0], numbers[0], numbers[1], flags[1], numbers[2], flags[2]]
    }

    #[test]
    fn a_column_is_there_once_somebody_needs_it() {
        let none = Label::default();
        let (user_data, restitution) = (5, Some(-0.0));
        for (label, expected) in [
            (Label { filter: Filter::new(2, u32::MAX), ..none }, [0, 1].as_slice()),
            (Label { sensor: true, ..none }, &[2]),
            (Label { user_data, ..none }, &[3]),
            (Label { restitution, ..none }, &[4]),
            // A disabled one meets nothing.
            (Label { enabled: false, ..none }, &[0, 1, 5, 6]),
            (Label { bullet: true, ..none }, &[7]),
        ] {
            let mut labels = Labels::default();
            labels.extend(NO_COLUMNS, 3);
            labels.push(none);
            labels.set(1, none);
            labels.swap_remove(0);
            labels.extend(LabelColumns { sensor: &[false], user_data: &[0], ..NO_COLUMNS }, 4);
            assert!(labels.kinds.get().is_none() && labels.rows == 4);
            labels.set(2, label);
            let expected: [bool; 8] = std::array::from_fn(|k| expected.contains(&k));
            assert_eq!((there(&labels), labels.of(2), labels.of(1)), (expected, label, none));
            // It stays, and is right, when nobody has one any more.
            labels.set(2, none);
            labels.push(none);
            assert_eq!((there(&labels), labels.are_set()), (expected, false));
            assert!(all_are_default(&labels, 5));
            labels.push(label);
            labels.reset(2);
            assert!(!labels.are_set() && all_are_default(&labels, 2) && there(&labels) == [true; 8]);
        }
    }

    const NO_COLUMNS: LabelColumns<'static> = LabelColumns {
        filters: Filters { category: &[], mask: &[] },
        sensor: &[],
        user_data: &[],
        restitution: &[],
        enabled: &[],
        bullet: &[],
    };

    fn all_are_default(labels: &Labels, rows: usize) -> bool {
        let words = [labels.shown(|kinds| &kinds.category), labels.shown(|kinds| &kinds.mask)];
        let flags = [labels.shown(|kinds| &kinds.sensor), labels.shown(|kinds| &kinds.bullet)];
        words == [vec![1; rows], vec![u32::MAX; rows]]
            && flags == [vec![false; rows], vec![false; rows]]
            && labels.shown(|kinds| &kinds.enabled) == vec![true; rows]
            && labels.shown(|kinds| &kinds.user_data) == vec![0; rows]
            && labels.shown(|kinds| &kinds.restitution) == vec![NO_RESTITUTION; rows]
            && labels.shown(|kinds| &kinds.aside) == vec![Filter::DEFAULT; rows]
    }

    #[test]
    fn what_is_shown_is_right_after_every_change() {
        let mut labels = Labels::default();
        let mut model: Vec<Label> = Vec::new();
        let mut sorted = Labels::default();
        for step in 0..200u64 {
            let (row, given) = (step as usize * 7 % (model.len() + 1), label(step % 9));
            let given = if step % 60 < 30 { Label::default() } else { given };
            match step % 5 {
                0 | 1 => {
                    labels.push(given);
                    model.push(given);
                }
                2 if row < model.len() => {
                    labels.swap_remove(row);
                    model.swap_remove(row);
                }
                3 if row < model.len() => {
                    labels.set(row, given);
                    model[row] = given;
                }
                _ => {
                    let order: Vec<u32> = (0..model.len() as u32).rev().collect();
                    labels.gather(&order, &mut sorted);
                    labels.swap(&mut sorted);
                    model.reverse();
                }
            }
            // Now and then somebody looks, so that columns are made at every turn.
            if step % 3 == 0 || step > 100 {
                let column = |of: &dyn Fn(&Label) -> u64| model.iter().map(of).collect::<Vec<u64>>();
                assert_eq!(labels.shown(|kinds| &kinds.user_data), column(&|label| label.user_data), "{step}");
                let sensor = labels.shown(|kinds| &kinds.sensor);
                assert!(sensor.iter().eq(model.iter().map(|label| &label.sensor)), "{step}");
                let mask = labels.shown(|kinds| &kinds.mask);
                assert!(mask.iter().copied().eq(model.iter().map(|label| label.in_force().mask)), "{step}");
            }
            let found: Vec<Label> = (0..model.len()).map(|row| labels.of(row)).collect();
            assert_eq!(found, model, "{step}");
        }
    }
}
