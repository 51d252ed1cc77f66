//! Searches among segments, one after the other or in pieces side by side.
//!
//! Comes in: searches, each over so many rows or blocks. Goes out: what they find, in the order of the searches and of their rows, whoever
//! works. This room does not know who looks at whom, or why.

use super::SegmentSegmentContact;
use super::segment_search::{Budget, Buffers, Search};
use super::segment_set::SegmentSet;
use crate::kernels::{Backend, InstructionSet};
use crate::parallel::Split;
use crate::storage::Filters;
use std::cmp::min;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A row that walks through the cells of finer levels takes about as long as so many that do not.
const DEAR: u32 = 16;

/// A search over rows from the first on.
pub(super) struct Task<'a> {
    pub(super) from: &'a SegmentSet,
    pub(super) to: &'a SegmentSet,
    /// See [`Search::apart`].
    pub(super) apart: u32,
    /// How many rows, and how many of them are a piece of work: but of those from `dear` on, which look through levels finer than their own, each
    /// is as much as [`DEAR`] others.
    pub(super) rows: u32,
    pub(super) piece: u32,
    pub(super) dear: u32,
    pub(super) search: &'a (dyn Fn(&mut Search<'_>, Range<u32>) + Sync),
}

impl Task<'_> {
    fn pieces(&self) -> usize {
        let dear = min(self.dear, self.rows);
        (dear.div_ceil(self.piece) + (self.rows - dear).div_ceil(self.piece / DEAR)) as usize
    }

    fn rows_of(&self, index: usize) -> Range<u32> {
        let (index, dear) = (index as u32, min(self.dear, self.rows));
        let cheap = dear.div_ceil(self.piece);
        let (start, length, end) = if index < cheap {
            (index * self.piece, self.piece, dear)
        } else {
            let length = self.piece / DEAR;
            (dear + (index - cheap) * length, length, self.rows)
        };
        start..if end - start < length { end } else { start + length }
    }
}

/// How searches look, and how much they may find.
#[derive(Clone, Copy)]
pub(super) struct Ask<'a> {
    pub(super) filters: Filters<'a>,
    pub(super) backend: Backend,
    pub(super) split: Split,
    pub(super) budget: &'a Budget,
}

/// Buffers: one set for each thread that works, so that they stay in its caches, and what each piece of work finds.
#[derive(Debug, Default)]
pub(super) struct Workers {
    set: InstructionSet,
    single: Buffers,
    /// Those that nobody works with.
    others: Mutex<Vec<Buffers>>,
    pieces: Vec<Piece>,
}

type Piece = Vec<SegmentSegmentContact>;

impl Workers {
    /// Writes what is found to `out`, from a place on, in place of all that stands there. If the budget is spent, there is no telling what does.
    pub(super) fn find(&mut self, tasks: &[Task<'_>], ask: Ask<'_>, from: usize, out: &mut Vec<SegmentSegmentContact>) {
        let Workers { set, single, others, pieces } = self;
        let Ask { filters, backend, split, budget } = ask;
        let set = *set;
        let work = |task: &Task<'_>, rows, buffers: &mut Buffers, out: &mut Vec<SegmentSegmentContact>| {
            let &Task { from, to, apart, .. } = task;
            let mut search = Search { from, to, backend, set, filters, budget, buffers, out, apart, done: false };
            (task.search)(&mut search, rows);
        };
        if !split.is_parallel() || tasks.iter().all(|task| task.rows <= task.piece) {
            out.truncate(from);
            for task in tasks {
                work(task, 0..task.rows, single, out);
            }
            return;
        }
        let count = tasks.iter().map(Task::pieces).sum();
        if pieces.len() < count {
            pieces.resize_with(count, Piece::default);
        }
        let others = &*others;
        split.each(&mut pieces[..count], |mut index, out| {
            let mut buffers = held(others).pop().unwrap_or_default();
            out.clear();
            for task in tasks {
                if index < task.pieces() {
                    work(task, task.rows_of(index), &mut buffers, out);
                    break;
                }
                index -= task.pieces();
            }
            held(others).push(buffers);
        });
        if budget.is_spent() {
            pieces.fill(Vec::new());
            return;
        }
        // What stands there is written over: nothing is filled that is as long as before.
        out.resize(from + found(&pieces[..count]), SegmentSegmentContact::default());
        join(&pieces[..count], &mut out[from..], split);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let found: usize = self.pieces.iter().map(Vec::capacity).sum();
        let others: usize = held(&self.others).iter().map(Buffers::bytes).sum();
        self.single.bytes() + others + size_of::<SegmentSegmentContact>() * found
    }
}

/// Whoever panicked with them in hand has lost them: those that are there are whole.
fn held(buffers: &Mutex<Vec<Buffers>>) -> MutexGuard<'_, Vec<Buffers>> {
    buffers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many contacts these pieces have found.
fn found(pieces: &[Piece]) -> usize {
    pieces.iter().map(Vec::len).sum()
}

/// What the pieces have found, one behind the other: halves side by side.
fn join(pieces: &[Piece], out: &mut [SegmentSegmentContact], split: Split) {
    if let [piece] = pieces {
        out.copy_from_slice(piece);
    } else if !pieces.is_empty() {
        let (low, high) = pieces.split_at(pieces.len() / 2);
        let (to_low, to_high) = out.split_at_mut(found(low));
        split.join(|| join(low, to_low, split), || join(high, to_high, split));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_rows_once_and_dear_ones_come_in_smaller_pieces() {
        let set = SegmentSet::default();
        for (rows, piece, dear) in
            [(0, 1024, 0), (1, 16, 0), (5000, 1024, 5000), (5000, 1024, u32::MAX), (5000, 1024, 4100), (3, 64, 1)]
        {
            let task = Task { from: &set, to: &set, apart: 0, rows, piece, dear, search: &|_, _| {} };
            let mut end = 0;
            for index in 0..task.pieces() {
                let piece = task.rows_of(index);
                assert!(piece.start == end && !piece.is_empty());
                let most = if piece.start < dear { task.piece } else { task.piece / DEAR };
                assert!(piece.end - piece.start <= most && (piece.end <= dear || piece.start >= dear));
                end = piece.end;
            }
            assert_eq!(end, rows);
        }
        let task = Task { from: &set, to: &set, apart: 0, rows: 2100, piece: 1024, dear: 2048, search: &|_, _| {} };
        assert_eq!((task.pieces(), task.rows_of(1), task.rows_of(2)), (3, 1024..2048, 2048..2100));
    }
}
