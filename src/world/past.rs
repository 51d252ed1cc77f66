//! Which row a body had when events were last reported.
//!
//! Comes in: every change of rows since then. Goes out: the past row of a present one, and the handle, the filter and the fate of
//! a past one. This room does not know contacts. It costs nothing while rows only change by steps: a step tells its order
//! once. An edit costs O(1); the first report after a removal costs O(bodies).

use super::bytes::{Reader, Writer};
use crate::error::Error;
use crate::storage::{Filter, Filters, Handle, NONE};

/// The past of one kind of body.
#[derive(Debug)]
pub(super) struct Past<H> {
    /// For each present row the row at the last report, or [`NONE`].
    row: Vec<u32>,
    /// Rows at the last report.
    rows: usize,
    /// A body that was there then has another row now: else `row` starts with 0, 1, 2, …, `rows` - 1.
    moved: bool,
    /// Past rows of bodies that are gone, and what their handles were.
    removed: Vec<(u32, H)>,
    /// Past rows of bodies that were set by hand; with repetitions.
    edited: Vec<u32>,
    /// Past row to handle; only filled for a report when `moved`.
    handle: Vec<H>,
    /// Past row to present filter; only filled when `moved`, and if anybody has a filter.
    filter: Vec<Filter>,
    /// Buffer for a new order.
    spare: Vec<u32>,
}

impl<H: Handle> Past<H> {
    pub(super) fn new() -> Past<H> {
        Past {
            row: Vec::new(),
            rows: 0,
            moved: false,
            removed: Vec::new(),
            edited: Vec::new(),
            handle: Vec::new(),
            filter: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// `count` bodies were appended.
    pub(super) fn added(&mut self, count: usize) {
        self.row.resize(self.row.len() + count, NONE);
    }

    /// The body in `row` was removed, the last one took its place.
    pub(super) fn removed(&mut self, row: usize, handle: H) {
        let past = self.row.swap_remove(row);
        if past != NONE {
            self.removed.push((past, handle));
        }
        self.moved = true;
    }

    /// The body in `row` was set by hand.
    pub(super) fn edited(&mut self, row: usize) {
        if self.row[row] != NONE {
            self.edited.push(self.row[row]);
            // A caller that sets bodies for ever and never steps must not fill the memory.
            if self.edited.len() > 2 * self.rows + 64 {
                self.edited.sort_unstable();
                self.edited.dedup();
            }
        }
    }

    /// Rows were sorted without a report: what is now in `row` was in `order[row]`.
    pub(super) fn reordered(&mut self, order: &[u32]) {
        crate::storage::gather(&self.row, order, &mut self.spare);
        std::mem::swap(&mut self.row, &mut self.spare);
        self.moved = true;
    }

    /// The past row of a present one, or [`NONE`].
    pub(super) fn of(&self, row: u32) -> u32 {
        if self.moved {
            self.row[row as usize]
        } else if (row as usize) < self.rows {
            row
        } else {
            NONE
        }
    }

    /// Makes [`Self::handle`], [`Self::filter`] and the fates ready. `handles` and `filters` are the present columns.
    pub(super) fn prepare(&mut self, handles: &[H], filters: Filters<'_>) {
        self.removed.sort_unstable_by_key(|&(past, _)| past);
        self.edited.sort_unstable();
        if self.moved {
            self.handle.clear();
            self.handle.resize(self.rows, H::from_parts(0, 0));
            for (&past, &handle) in self.row.iter().zip(handles) {
                if past != NONE {
                    self.handle[past as usize] = handle;
                }
            }
            for &(past, handle) in &self.removed {
                self.handle[past as usize] = handle;
            }
            self.filter.clear();
            if !filters.are_left_out() {
                self.filter.resize(self.rows, Filter::DEFAULT);
                for (row, &past) in self.row.iter().enumerate().filter(|&(_, &past)| past != NONE) {
                    self.filter[past as usize] = filters.of(row as u32);
                }
            }
        }
    }

    /// The handle of the body that was in this past row. `handles` is the present handle column.
    pub(super) fn handle(&self, past: u32, handles: &[H]) -> H {
        if self.moved { self.handle[past as usize] } else { handles[past as usize] }
    }

    /// What the filter of the body that was in this past row is now; of no meaning if it is gone. `filters` are the present ones.
    /// Needs [`Self::prepare`].
    pub(super) fn filter(&self, past: u32, filters: Filters<'_>) -> Filter {
        if self.moved { self.filter.get(past as usize).copied().unwrap_or_default() } else { filters.of(past) }
    }

    /// The body of this past row is gone. Needs [`Self::prepare`].
    pub(super) fn was_removed(&self, past: u32) -> bool {
        self.removed.binary_search_by_key(&past, |&(past, _)| past).is_ok()
    }

    /// The body of this past row was set by hand. Needs [`Self::prepare`].
    pub(super) fn was_edited(&self, past: u32) -> bool {
        self.edited.binary_search(&past).is_ok()
    }

    /// Rows at the last report.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// A body that was there at the last report has another row now, or is gone.
    pub(super) fn have_moved(&self) -> bool {
        self.moved
    }

    /// What the next report needs, as bytes: no more than a few where rows have not changed but by reports.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.value(self.rows as u32);
        to.value(u8::from(self.moved));
        if self.moved {
            to.values(&self.row);
            to.value(self.removed.len() as u64);
            for &(past, handle) in &self.removed {
                to.values(&[past, handle.slot(), handle.generation()]);
            }
        }
        to.list(&self.edited);
    }

    /// Takes it over from bytes; `present` is the number of rows now.
    pub(super) fn restore(&mut self, from: &mut Reader<'_>, present: usize) -> Result<(), Error> {
        self.rows = from.value::<u32>()? as usize;
        self.moved = from.flag()?;
        self.removed.clear();
        if self.moved {
            from.values(present, &mut self.row)?;
            let removed: u64 = from.value()?;
            for _ in 0..removed {
                let [past, slot, generation] = [from.value()?, from.value()?, from.value()?];
                self.removed.push((past, H::from_parts(slot, generation)));
            }
            from.ensure(self.each_past_row_has_one_fate(), "each row of the last report once")?;
        } else {
            from.ensure(self.rows <= present, "no more rows at the last report than now")?;
            self.row.clear();
            self.row.extend(0..self.rows as u32);
            self.row.resize(present, NONE);
        }
        from.list(&mut self.edited)?;
        from.ensure(self.edited.iter().all(|&past| (past as usize) < self.rows), "edited rows that were there")
    }

    /// Every row of the last report is now in one other, or its body was removed. Never looks further than what is there.
    fn each_past_row_has_one_fate(&self) -> bool {
        let kept = self.row.iter().copied().filter(|&past| past != NONE);
        let fates = kept.clone().count() + self.removed.len();
        if fates != self.rows {
            return false;
        }
        let mut seen = vec![false; fates];
        let mut all = kept.chain(self.removed.iter().map(|&(past, _)| past));
        all.all(|past| seen.get_mut(past as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
    }

    /// Reported: the present rows are the past ones from here on.
    pub(super) fn reset(&mut self) {
        let kept = if self.moved { 0 } else { self.rows };
        self.rows = self.row.len();
        for (row, past) in self.row.iter_mut().enumerate().skip(kept) {
            *past = row as u32;
        }
        self.moved = false;
        self.removed.clear();
        self.edited.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::CircleHandle;

    fn handle(index: u32) -> CircleHandle {
        CircleHandle::new(index, 0)
    }

    #[test]
    fn rows_are_followed_through_edits_and_orders() {
        let mut past = Past::new();
        past.added(4);
        past.reset();
        assert_eq!([past.of(0), past.of(3), past.of(4)], [0, 3, NONE]);
        past.added(1); // rows: 0 1 2 3 new
        past.removed(1, handle(1)); // rows: 0 new 2 3
        past.reordered(&[3, 1, 0, 2]); // rows: 3 new 0 2
        assert_eq!([0, 1, 2, 3].map(|row| past.of(row)), [3, NONE, 0, 2]);
        past.edited(2);
        let category = [3, 9, 0, 2];
        past.prepare(&[handle(3), handle(9), handle(0), handle(2)], Filters { category: &category, mask: &[] });
        assert_eq!([0, 2, 3].map(|row| past.filter(row, Filters::default()).category), [0, 2, 3]);
        assert_eq!([0, 1, 2, 3].map(|row| past.handle(row, &[])), [0, 1, 2, 3].map(handle));
        assert!(past.was_removed(1) && !past.was_removed(0) && past.was_edited(0) && !past.was_edited(2));
        past.reset();
        assert_eq!([0, 1, 2, 3].map(|row| past.of(row)), [0, 1, 2, 3]);
        assert!(!past.was_removed(1) && !past.was_edited(0));
    }

    #[test]
    fn removing_a_body_unknown_to_the_last_report_leaves_no_trace() {
        let mut past = Past::new();
        past.added(1);
        past.reset();
        past.added(1);
        past.removed(1, handle(1));
        past.prepare(&[handle(0)], Filters::default());
        assert_eq!((past.of(0), past.handle(0, &[])), (0, handle(0)));
        assert!(past.removed.is_empty());
    }

    #[test]
    fn endless_editing_takes_no_memory() {
        let mut past = Past::<CircleHandle>::new();
        past.added(3);
        past.reset();
        for k in 0..10_000 {
            past.edited(k % 3);
        }
        assert!(past.edited.len() <= 2 * 3 + 65);
        past.prepare(&[handle(0), handle(1), handle(2)], Filters::default());
        assert!((0..3).all(|row| past.was_edited(row)));
    }
}
