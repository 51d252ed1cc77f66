//! Which row a body had when events were last reported.
//!
//! Comes in: every change of rows since then. Goes out: the past row of a present one, and what became of a past one. This room
//! does not know contacts. It costs nothing while rows only change by steps: a step tells its order once. An edit costs O(1), and
//! so does each edit in the report after it; only a detection without a report costs O(bodies), as it does itself.

use super::bytes::{Reader, Writer};
use crate::error::Error;
use crate::storage::{Handle, NONE};

/// What became of a body that was there at the last report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate<H> {
    /// It is in this row now.
    Here(u32),
    /// It was removed: the handle and the user data that it had.
    Gone(H, u64),
}

/// The way from present rows to past ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    /// Empty where all are as they were.
    row: &'a [u32],
    rows: u32,
}

impl Way<'_> {
    /// All rows are what they were, but for those that are new.
    pub(super) fn is_none(self) -> bool {
        self.row.is_empty()
    }

    /// The past row of a present one, or [`NONE`].
    #[inline(always)]
    pub(super) fn of(self, row: u32) -> u32 {
        if !self.row.is_empty() {
            self.row[row as usize]
        } else if row < self.rows {
            row
        } else {
            NONE
        }
    }
}

/// The past of one kind of body.
#[derive(Debug)]
pub(super) struct Past<H> {
    /// For each present row the row at the last report, or [`NONE`].
    row: Vec<u32>,
    /// For each row at the last report the present one, or [`NONE`].
    now: Vec<u32>,
    /// Nothing before the first change: most of many small worlds are never edited.
    changes: Option<Box<Changes<H>>>,
}

/// What has been done since the last report.
#[derive(Debug)]
struct Changes<H> {
    /// Rows, of then or of now, where one of the two may not have its own number.
    changed: Vec<u32>,
    /// All rows may be such.
    reordered: bool,
    /// Past rows of bodies that are gone, and what their handles and user data were.
    removed: Vec<(u32, H, u64)>,
    /// Past rows of bodies that were set by hand; with repetitions.
    edited: Vec<u32>,
    /// Buffer for a new order.
    spare: Vec<u32>,
}

impl<H> Default for Changes<H> {
    fn default() -> Changes<H> {
        let (changed, removed, edited, spare) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Changes { changed, reordered: false, removed, edited, spare }
    }
}

impl<H: Handle> Past<H> {
    pub(super) fn new() -> Past<H> {
        Past { row: Vec::new(), now: Vec::new(), changes: None }
    }

    /// `count` bodies were appended.
    pub(super) fn added(&mut self, count: usize) {
        self.row.resize(self.row.len() + count, NONE);
    }

    /// The body in `row` was removed, the last one took its place.
    pub(super) fn removed(&mut self, row: usize, handle: H, user_data: u64) {
        let Past { row: rows, now, changes } = self;
        let Changes { changed, reordered, removed, .. } = &mut **changes.get_or_insert_default();
        let past = rows.swap_remove(row);
        if past != NONE {
            removed.push((past, handle, user_data));
            now[past as usize] = NONE;
            changed.push(past);
        }
        changed.push(row as u32);
        if let Some(&moved) = rows.get(row)
            && moved != NONE
        {
            now[moved as usize] = row as u32;
            changed.push(moved);
        }
        // A caller that removes and adds for ever and never steps must not fill the memory.
        if changed.len() > 2 * (rows.len() + now.len()) + 64 {
            *reordered = true;
            changed.clear();
        }
    }

    /// The body in `row` was set by hand.
    pub(super) fn edited(&mut self, row: usize) {
        if self.row[row] != NONE {
            let edited = &mut self.changes.get_or_insert_default().edited;
            edited.push(self.row[row]);
            // As above.
            if edited.len() > 2 * self.now.len() + 64 {
                edited.sort_unstable();
                edited.dedup();
            }
        }
    }

    /// Rows were sorted without a report: what is now in `row` was in `order[row]`.
    pub(super) fn reordered(&mut self, order: &[u32]) {
        let changes = self.changes.get_or_insert_default();
        crate::storage::gather(&self.row, order, &mut changes.spare);
        std::mem::swap(&mut self.row, &mut changes.spare);
        changes.reordered = true;
        changes.changed.clear();
        self.find_present_rows();
    }

    /// Makes `now` from `row`.
    fn find_present_rows(&mut self) {
        self.now.fill(NONE);
        for (row, &past) in self.row.iter().enumerate() {
            if past != NONE {
                self.now[past as usize] = row as u32;
            }
        }
    }

    /// A body that was there at the last report is in another row now, or gone.
    pub(super) fn moved(&self) -> bool {
        self.changes.as_ref().is_some_and(|changes| changes.reordered || !changes.changed.is_empty())
    }

    /// Nobody is in another row, gone, or set by hand. Those that have been added since nobody asks about.
    pub(super) fn is_unchanged(&self) -> bool {
        !self.moved() && self.edited_rows().is_empty()
    }

    /// The way from present rows to past ones.
    pub(super) fn way(&self) -> Way<'_> {
        Way { row: if self.moved() { &self.row } else { &[] }, rows: self.now.len() as u32 }
    }

    /// Makes the fates ready.
    pub(super) fn prepare(&mut self) {
        if let Some(changes) = &mut self.changes {
            changes.removed.sort_unstable_by_key(|&(past, ..)| past);
            changes.edited.sort_unstable();
        }
    }

    /// What became of the body that was in this past row. Needs [`Self::prepare`].
    pub(super) fn fate(&self, past: u32) -> Fate<H> {
        match if self.moved() { self.now[past as usize] } else { past } {
            NONE => {
                let removed = self.removed_bodies();
                let at = removed.binary_search_by_key(&past, |&(past, ..)| past);
                // Each past row has one fate: the other arm cannot be.
                let (handle, data) = at.map_or((H::from_parts(0, 0), 0), |at| (removed[at].1, removed[at].2));
                Fate::Gone(handle, data)
            }
            row => Fate::Here(row),
        }
    }

    /// The body of this past row was set by hand. Needs [`Self::prepare`].
    pub(super) fn was_edited(&self, past: u32) -> bool {
        self.edited_rows().binary_search(&past).is_ok()
    }

    fn removed_bodies(&self) -> &[(u32, H, u64)] {
        self.changes.as_ref().map_or(&[], |changes| &changes.removed)
    }

    fn edited_rows(&self) -> &[u32] {
        self.changes.as_ref().map_or(&[], |changes| &changes.edited)
    }

    /// Reads something of each line of its fields, as a world does where many are stepped.
    pub(super) fn read_ahead(&self) -> usize {
        let edits = self.changes.as_ref().map_or(0, |changes| changes.changed.len() ^ changes.edited.len());
        edits ^ self.row.len() ^ self.now.len()
    }

    /// Rows at the last report.
    pub(super) fn rows(&self) -> usize {
        self.now.len()
    }

    /// What the next report needs, as bytes: no more than a few where rows have not changed but by reports.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.value(self.now.len() as u32);
        to.value(u8::from(self.moved()));
        if self.moved() {
            to.values(&self.row);
            to.value(self.removed_bodies().len() as u64);
            for &(past, handle, user_data) in self.removed_bodies() {
                to.values(&[past, handle.slot(), handle.generation()]);
                to.value(user_data);
            }
        }
        to.list(self.edited_rows());
    }

    /// Takes it over from bytes; `present` is the number of rows now.
    pub(super) fn restore(&mut self, from: &mut Reader<'_>, present: usize) -> Result<(), Error> {
        let rows = from.value::<u32>()? as usize;
        let reordered = from.flag()?;
        self.forget();
        if reordered {
            let changes = self.changes.get_or_insert_default();
            changes.reordered = true;
            from.values(present, &mut self.row)?;
            let removed: u64 = from.value()?;
            for _ in 0..removed {
                let [past, slot, generation] = [from.value()?, from.value()?, from.value()?];
                changes.removed.push((past, H::from_parts(slot, generation), from.value()?));
            }
            from.ensure(self.each_past_row_has_one_fate(rows), "each row of the last report once")?;
            self.now.resize(rows, NONE);
            self.find_present_rows();
        } else {
            from.ensure(rows <= present, "no more rows at the last report than now")?;
            for (numbers, len) in [(&mut self.now, rows), (&mut self.row, rows)] {
                numbers.clear();
                numbers.extend(0..len as u32);
            }
            self.row.resize(present, NONE);
        }
        let edited = from.count()?;
        if edited > 0 {
            from.values(edited, &mut self.changes.get_or_insert_default().edited)?;
        }
        from.ensure(self.edited_rows().iter().all(|&past| (past as usize) < rows), "edited rows that were there")
    }

    /// Every row of the last report is now in one other, or its body was removed. Never looks further than what is there.
    fn each_past_row_has_one_fate(&self, rows: usize) -> bool {
        let kept = self.row.iter().copied().filter(|&past| past != NONE);
        let removed = self.removed_bodies();
        let fates = kept.clone().count() + removed.len();
        if fates != rows {
            return false;
        }
        let mut seen = vec![false; fates];
        let mut all = kept.chain(removed.iter().map(|&(past, ..)| past));
        all.all(|past| seen.get_mut(past as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
    }

    /// Reported: the present rows are the past ones from here on.
    pub(super) fn reset(&mut self) {
        let (rows, present) = (self.now.len(), self.row.len());
        // Those below have their own number, but for what is listed.
        let changes = self.changes.as_deref();
        let kept = if changes.is_some_and(|c| c.reordered) { 0 } else { std::cmp::min(rows, present) };
        for numbers in [&mut self.now, &mut self.row] {
            numbers.truncate(kept);
            for &row in changes.map_or(&[][..], |changes| &changes.changed) {
                if let Some(number) = numbers.get_mut(row as usize) {
                    *number = row;
                }
            }
            numbers.extend(kept as u32..present as u32);
        }
        self.forget();
    }

    fn forget(&mut self) {
        if let Some(changes) = &mut self.changes {
            changes.reordered = false;
            changes.changed.clear();
            changes.removed.clear();
            changes.edited.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::CircleHandle;

    fn handle(index: u32) -> CircleHandle {
        CircleHandle::new(index, 0)
    }

    fn fates<const N: usize>(past: &Past<CircleHandle>) -> [Fate<CircleHandle>; N] {
        std::array::from_fn(|row| past.fate(row as u32))
    }

    #[test]
    fn rows_are_followed_through_edits_and_orders() {
        let mut past = Past::new();
        past.added(4);
        past.reset();
        assert_eq!([past.way().of(0), past.way().of(3), past.way().of(4)], [0, 3, NONE]);
        past.added(1); // rows: 0 1 2 3 new
        past.removed(1, handle(1), 7); // rows: 0 new 2 3
        assert_eq!([0, 1, 2, 3].map(|row| past.way().of(row)), [0, NONE, 2, 3]);
        past.reordered(&[3, 1, 0, 2]); // rows: 3 new 0 2
        assert_eq!([0, 1, 2, 3].map(|row| past.way().of(row)), [3, NONE, 0, 2]);
        past.edited(2);
        past.prepare();
        assert_eq!(fates(&past), [Fate::Here(2), Fate::Gone(handle(1), 7), Fate::Here(3), Fate::Here(0)]);
        assert!(past.was_edited(0) && !past.was_edited(2));
        past.reset();
        assert_eq!([0, 1, 2, 3].map(|row| past.way().of(row)), [0, 1, 2, 3]);
        assert_eq!(fates(&past), [0, 1, 2, 3].map(Fate::Here));
        assert!(!past.was_edited(0));
    }

    #[test]
    fn removing_a_body_unknown_to_the_last_report_leaves_no_trace() {
        let mut past = Past::new();
        past.added(1);
        past.reset();
        past.added(1);
        past.removed(1, handle(1), 0);
        past.prepare();
        assert_eq!((past.way().of(0), past.fate(0)), (0, Fate::Here(0)));
        assert!(past.removed_bodies().is_empty());
    }

    /// Random removals and additions against a list of names; the rows of the last report are the names.
    #[test]
    fn removals_and_additions_in_any_number_and_order() {
        let mut state = 1u64;
        let mut choose = move |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % n
        };
        let mut past = Past::new();
        for _ in 0..200 {
            let before = past.rows();
            let mut names: Vec<u32> = (0..before as u32).collect();
            for _ in 0..choose(12) {
                if choose(2) == 0 {
                    past.added(1);
                    names.push(NONE);
                } else if !names.is_empty() {
                    let row = choose(names.len());
                    past.removed(row, handle(names[row]), u64::from(names[row]));
                    names.swap_remove(row);
                }
            }
            past.prepare();
            assert!((0..names.len()).all(|row| past.way().of(row as u32) == names[row]));
            for then in 0..before as u32 {
                let expected = match names.iter().position(|&name| name == then) {
                    Some(row) => Fate::Here(row as u32),
                    None => Fate::Gone(handle(then), u64::from(then)),
                };
                assert_eq!(past.fate(then), expected);
            }
            past.reset();
            let own = |numbers: &[u32]| numbers.iter().enumerate().all(|(row, &number)| number == row as u32);
            assert!(own(&past.row) && own(&past.now) && past.row.len() == names.len() && past.rows() == names.len());
        }
    }

    #[test]
    fn endless_editing_takes_no_memory() {
        let mut past = Past::<CircleHandle>::new();
        past.added(3);
        past.reset();
        for k in 0..10_000 {
            past.edited(k % 3);
        }
        assert!(past.edited_rows().len() <= 2 * 3 + 65);
        past.prepare();
        assert!((0..3).all(|row| past.was_edited(row)));
        for _ in 0..10_000 {
            past.added(1);
            past.removed(3, handle(3), 0);
        }
        assert!(past.changes.as_ref().unwrap().changed.len() <= 2 * 6 + 66);
        past.reset();
        assert_eq!([0, 1, 2].map(|row| past.way().of(row)), [0, 1, 2]);
    }
}
