//! A column that is there where somebody needs it.
//!
//! Comes in: rows and values. Goes out: a column of as many rows as there are, or nothing as long as all have the usual value. This
//! room does not know what the values mean, nor how many rows there are: who has it says so with each call.

use super::gather;
use std::sync::OnceLock;

/// See the head of the module. Once made it stays, and follows every change of rows.
#[derive(Debug)]
pub(crate) struct LazyColumn<T> {
    values: OnceLock<Vec<T>>,
    usual: T,
}

impl<T: Copy> LazyColumn<T> {
    pub(super) const fn new(usual: T) -> LazyColumn<T> {
        LazyColumn { values: OnceLock::new(), usual }
    }

    /// The value where nothing else is said.
    pub(crate) fn usual(&self) -> T {
        self.usual
    }

    pub(super) fn is_there(&self) -> bool {
        self.values.get().is_some()
    }

    /// What is there: all rows, or none.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[T] {
        self.values.get().map_or(&[], Vec::as_slice)
    }

    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> T {
        self.values.get().map_or(self.usual, |values| values[row])
    }

    /// All rows, for somebody who looks at them as a column. Costs memory from then on, as if somebody had another value.
    pub(super) fn shown(&self, rows: usize) -> &[T] {
        self.values.get_or_init(|| vec![self.usual; rows])
    }

    /// All rows, to be written; `rows` has to be known only where they are made.
    pub(super) fn made(&mut self, rows: usize) -> &mut Vec<T> {
        self.shown(rows);
        self.values.get_mut().expect("made in the line before")
    }

    /// Memory to write a whole column into, whatever was there.
    pub(crate) fn buffer(&mut self) -> &mut Vec<T> {
        self.made(0)
    }

    /// Writes one of so many rows; `needed`: it is not the usual value.
    pub(crate) fn put(&mut self, row: usize, rows: usize, value: T, needed: bool) {
        if needed {
            self.made(rows)[row] = value;
        } else if let Some(values) = self.values.get_mut() {
            values[row] = value;
        }
    }

    /// So many rows from now on, at least as many as before.
    pub(super) fn grow(&mut self, rows: usize) {
        if let Some(values) = self.values.get_mut() {
            values.resize(rows, self.usual);
        }
    }

    /// The last row takes the place of this one.
    pub(super) fn swap_remove(&mut self, row: usize) {
        if let Some(values) = self.values.get_mut() {
            values.swap_remove(row);
        }
    }

    /// The usual value in all of so many rows.
    pub(crate) fn reset(&mut self, rows: usize) {
        if let Some(values) = self.values.get_mut() {
            values.clear();
            values.resize(rows, self.usual);
        }
    }

    /// Writes a column that is there in a new order.
    pub(super) fn gather(&self, order: &[u32], to: &mut LazyColumn<T>) {
        gather(self.values(), order, to.buffer());
    }

    pub(super) fn swap(&mut self, other: &mut LazyColumn<T>) {
        std::mem::swap(&mut self.values, &mut other.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_made_by_the_first_who_needs_it_and_then_follows() {
        let mut column = LazyColumn::new(7u32);
        column.put(1, 3, 7, false);
        column.grow(4);
        column.swap_remove(0);
        column.reset(2);
        assert_eq!((column.values(), column.of(99)), (&[][..], 7));
        column.put(1, 3, 5, true);
        column.grow(4);
        assert_eq!((column.values(), column.of(1)), (&[7, 5, 7, 7][..], 5));
        column.put(0, 4, 6, false);
        column.swap_remove(1);
        assert_eq!(column.values(), [6, 7, 7]);
        column.reset(2);
        assert_eq!((column.values(), column.shown(2)), (&[7, 7][..], &[7, 7][..]));
    }

    #[test]
    fn who_looks_makes_it_too_once() {
        let column = LazyColumn::new(false);
        let at = column.shown(3).as_ptr();
        assert_eq!((column.shown(3).as_ptr(), column.values()), (at, &[false; 3][..]));
    }
}
