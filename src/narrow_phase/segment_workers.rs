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
use std::ops::Range;

/// A search over rows from the first on.
pub(super) struct Task<'a> {
    pub(super) from: &'a SegmentSet,
    pub(super) to: &'a SegmentSet,
    /// See [`Search::apart`].
    pub(super) apart: u32,
    /// How many rows, and how many of them are a piece of work.
    pub(super) rows: u32,
    pub(super) piece: u32,
    pub(super) search: &'a (dyn Fn(&mut Search<'_>, Range<u32>) + Sync),
}

impl Task<'_> {
    fn pieces(&self) -> usize {
        self.rows.div_ceil(self.piece) as usize
    }

    fn rows_of(&self, index: usize) -> Range<u32> {
        let start = index as u32 * self.piece;
        start..if self.rows - start < self.piece { self.rows } else { start + self.piece }
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

/// Buffers: one set for a single thread, one a piece for several.
#[derive(Debug, Default)]
pub(super) struct Workers {
    set: InstructionSet,
    single: Buffers,
    pieces: Vec<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    buffers: Buffers,
    out: Vec<SegmentSegmentContact>,
}

impl Workers {
    /// Writes what is found to `out`, from a place on, in place of all that stands there. If the budget is spent, there is no telling what does.
    pub(super) fn find(&mut self, tasks: &[Task<'_>], ask: Ask<'_>, from: usize, out: &mut Vec<SegmentSegmentContact>) {
        let Workers { set, single, pieces } = self;
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
        split.each(&mut pieces[..count], |mut index, Piece { buffers, out }| {
            out.clear();
            for task in tasks {
                if index < task.pieces() {
                    work(task, task.rows_of(index), buffers, out);
                    return;
                }
                index -= task.pieces();
            }
        });
        if budget.is_spent() {
            pieces.iter_mut().for_each(|piece| piece.out = Vec::new());
            return;
        }
        // What stands there is written over: nothing is filled that is as long as before.
        out.resize(from + found(&pieces[..count]), SegmentSegmentContact::default());
        join(&pieces[..count], &mut out[from..], split);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let of_piece = |p: &Piece| p.buffers.bytes() + size_of::<SegmentSegmentContact>() * p.out.capacity();
        self.single.bytes() + self.pieces.iter().map(of_piece).sum::<usize>()
    }
}

/// How many contacts these pieces have found.
fn found(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.out.len()).sum()
}

/// What the pieces have found, one behind the other: halves side by side.
fn join(pieces: &[Piece], out: &mut [SegmentSegmentContact], split: Split) {
    if let [piece] = pieces {
        out.copy_from_slice(&piece.out);
    } else if !pieces.is_empty() {
        let (low, high) = pieces.split_at(pieces.len() / 2);
        let (to_low, to_high) = out.split_at_mut(found(low));
        split.join(|| join(low, to_low, split), || join(high, to_high, split));
    }
}
