//! Lists of results, one after the other, for many questions at once.
//!
//! Comes in: a number of questions, a way to answer a chunk of them. Goes out: offsets and records, in the order of the questions, whatever
//! the threads: chunks are of fixed size, each has a list of its own, and those are joined in order. Buffers are used again. This
//! room does not know what is asked.

use super::neighbors::Scratch;
use crate::error::Error;
use crate::parallel::Split;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Questions in a chunk: it depends on nothing, so that results do not either.
pub(super) const CHUNK: usize = 256;

/// As many lists as there were questions, in one column of records: list `row` is `items[offsets[row]..offsets[row + 1]]` (compressed
/// sparse rows).
///
/// There are never more records than [`Self::limit`], so that no input takes all memory: a question that has more of them is an
/// [`Error::TooManyResults`], and the lists are then empty.
#[derive(Debug)]
pub struct Lists<T> {
    pub(super) offsets: Vec<usize>,
    pub(super) items: Vec<T>,
    limit: usize,
    pub(super) parts: Vec<Part<T>>,
    pub(super) scratch: Scratch,
}

/// The lists of one chunk, or what is wrong with the first of its questions that has a fault.
#[derive(Clone, Debug)]
pub(super) struct Part<T> {
    pub(super) ends: Vec<usize>,
    pub(super) items: Vec<T>,
    /// For one question at a time.
    pub(super) room: Vec<T>,
    fault: Option<Error>,
}

impl<T> Default for Part<T> {
    fn default() -> Part<T> {
        Part { ends: Vec::new(), items: Vec::new(), room: Vec::new(), fault: None }
    }
}

impl<T> Lists<T> {
    /// The records that there may be, unless told otherwise: 2^26.
    pub const DEFAULT_LIMIT: usize = 1 << 26;

    /// No lists.
    #[must_use]
    pub const fn new() -> Lists<T> {
        Lists {
            offsets: Vec::new(),
            items: Vec::new(),
            limit: Lists::<T>::DEFAULT_LIMIT,
            parts: Vec::new(),
            scratch: Scratch::EMPTY,
        }
    }

    /// With another limit of records for the questions to come.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> Lists<T> {
        Lists { limit, ..self }
    }

    /// How many records there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// There is no list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where each list begins in [`Self::items`], and where the last one ends: one more than there are lists; empty before the first
    /// question.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The records of all lists.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// One list; empty where there is none.
    #[must_use]
    pub fn get(&self, row: usize) -> &[T] {
        match (self.offsets.get(row), self.offsets.get(row + 1)) {
            (Some(&from), Some(&to)) => &self.items[from..to],
            _ => &[],
        }
    }

    /// The lists, one by one.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.offsets.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }

    /// Forgets all lists, keeps the room.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.items.clear();
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let part = |part: &Part<T>| {
            size_of::<usize>() * part.ends.capacity() + size_of::<T>() * (part.items.capacity() + part.room.capacity())
        };
        size_of::<usize>() * self.offsets.capacity()
            + size_of::<T>() * self.items.capacity()
            + self.parts.iter().map(part).sum::<usize>()
            + self.scratch.bytes()
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists::new()
    }
}

impl<T: Copy + Default + Send + Sync> Lists<T> {
    /// `answer(first question, one past the last, part)` writes the lists of a chunk: its items, and where each list ends among them.
    /// It may stop early once there are more than [`Self::limit`]. Where it finds a fault, the lists are left alone.
    pub(super) fn fill(
        &mut self,
        questions: usize,
        split: Split,
        answer: impl Fn(usize, usize, &mut Part<T>) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let Lists { offsets, items, limit, parts, .. } = self;
        Joined { offsets, items, parts }.fill(*limit, questions, split, answer)
    }
}

/// Lists, and what they are joined of.
pub(super) struct Joined<'a, T> {
    pub(super) offsets: &'a mut Vec<usize>,
    pub(super) items: &'a mut Vec<T>,
    pub(super) parts: &'a mut Vec<Part<T>>,
}

impl<T: Copy + Send + Sync> Joined<'_, T> {
    /// As of [`Lists::fill`].
    pub(super) fn fill(
        self,
        limit: usize,
        questions: usize,
        split: Split,
        answer: impl Fn(usize, usize, &mut Part<T>) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let Joined { offsets, items, parts } = self;
        let chunks = questions.div_ceil(CHUNK);
        if parts.len() < chunks {
            parts.resize_with(chunks, Part::default);
        }
        let (parts, found) = (&mut parts[..chunks], AtomicUsize::new(0));
        split.each(parts, |chunk, part| {
            part.ends.clear();
            part.items.clear();
            part.fault = None;
            // Whether the limit is exceeded in the end does not depend on who comes first.
            if found.load(Ordering::Relaxed) <= limit {
                let (from, to) = (chunk * CHUNK, (chunk + 1) * CHUNK);
                part.fault = answer(from, if to < questions { to } else { questions }, part).err();
                found.fetch_add(part.items.len(), Ordering::Relaxed);
            }
        });
        if found.into_inner() > limit {
            offsets.clear();
            items.clear();
            return Err(Error::TooManyResults { limit });
        }
        // Nobody was left out for the limit, so the first fault is that of the first question which has one.
        if let Some(fault) = parts.iter_mut().find_map(|part| part.fault.take()) {
            return Err(fault);
        }
        offsets.clear();
        items.clear();
        offsets.reserve(questions + 1);
        offsets.push(0);
        items.reserve(parts.iter().map(|part| part.items.len()).sum());
        for part in parts {
            let at = items.len();
            offsets.extend(part.ends.iter().map(|end| at + end));
            items.extend_from_slice(&part.items);
        }
        Ok(())
    }
}
