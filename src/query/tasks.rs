//! Who looks, and at what.
//!
//! Comes in: places of rays in a batch, runs of rows. Goes out: sets of the first, lists of both, without a branch on what is in them. This room knows neither rays nor rows.

use super::abreast::BATCH;

/// So many rows of cells a stretch looks at, at most: it is three long, and less than three to each side.
const ROWS: usize = 11;

/// Rays of a batch, a bit for each place.
#[derive(Clone, Copy)]
pub(super) struct Few(u32);

const _: () = assert!(BATCH == u32::BITS as usize);

impl Few {
    pub(super) const NONE: Few = Few(0);

    #[inline(always)]
    pub(super) fn of_bits(bits: u32) -> Few {
        Few(bits)
    }

    /// The first so many, up to all.
    #[inline(always)]
    pub(super) fn first(count: usize) -> Few {
        Few(((1u64 << (count % (BATCH + 1))) - 1) as u32)
    }

    /// One more, or not: no branch depends on it.
    #[inline(always)]
    pub(super) fn push_if(&mut self, place: usize, is_in: bool) {
        self.0 |= u32::from(is_in) << (place % BATCH);
    }

    /// Leaves those for whom one number is below the other.
    #[inline(always)]
    pub(super) fn keep_before(&mut self, low: &[f64; BATCH], high: &[f64; BATCH]) {
        let mut before = Few::NONE;
        for k in 0..BATCH {
            before.push_if(k, low[k] < high[k]);
        }
        *self = self.among(before);
    }

    #[inline(always)]
    pub(super) fn with(self, others: Few) -> Few {
        Few(self.0 | others.0)
    }

    #[inline(always)]
    pub(super) fn among(self, others: Few) -> Few {
        Few(self.0 & others.0)
    }

    #[inline(always)]
    pub(super) fn without(self, others: Few) -> Few {
        Few(self.0 & !others.0)
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Their places, lowest first.
    #[inline(always)]
    pub(super) fn all(self) -> Places {
        Places(self.0)
    }
}

/// See [`Few::all`]. Each is below [`BATCH`].
pub(super) struct Places(u32);

impl Iterator for Places {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize % BATCH;
        let is_any = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        is_any.then_some(place)
    }
}

/// Rows that a ray is to be held against.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) ray: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Room for what all rays of a batch look at in one stretch: each at no more than [`ROWS`] rows of cells.
pub(super) struct Tasks {
    list: [Task; BATCH * ROWS],
    count: usize,
}

impl Tasks {
    pub(super) const NONE: Tasks = Tasks { list: [Task { ray: 0, from: 0, to: 0 }; BATCH * ROWS], count: 0 };

    /// One more, if there is anybody in it: no branch depends on it.
    #[inline(always)]
    pub(super) fn push(&mut self, ray: usize, [from, to]: [u32; 2]) {
        self.list[self.count] = Task { ray: ray as u32, from, to };
        self.count += usize::from(from < to);
    }

    /// All of them, of which none is left then.
    #[inline(always)]
    pub(super) fn take(&mut self) -> &[Task] {
        &self.list[..std::mem::take(&mut self.count)]
    }
}
