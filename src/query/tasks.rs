//! Who looks, and at what.
//!
//! Comes in: places of rays in a batch, runs of rows. Goes out: lists of both, without a branch on what is in them. This room knows neither rays nor rows.

use super::abreast::BATCH;

/// So many rows of cells a stretch looks at, at most: it is three long, and less than three to each side.
const ROWS: usize = 11;

/// Rays of a batch, by their places.
#[derive(Clone, Copy)]
pub(super) struct Few {
    places: [u8; BATCH],
    pub(super) count: usize,
}

impl Few {
    pub(super) const NONE: Few = Few { places: [0; BATCH], count: 0 };

    /// One more, or not: no branch depends on it.
    #[inline(always)]
    pub(super) fn push_if(&mut self, place: usize, is_in: bool) {
        self.places[self.count % BATCH] = place as u8;
        self.count += usize::from(is_in);
    }

    /// Leaves those for whom one number is below the other.
    #[inline(always)]
    pub(super) fn keep_before(&mut self, low: &[f64; BATCH], high: &[f64; BATCH]) {
        let all = *self;
        self.count = 0;
        for &place in all.all() {
            let k = usize::from(place) % BATCH;
            self.push_if(k, low[k] < high[k]);
        }
    }

    #[inline(always)]
    pub(super) fn all(&self) -> &[u8] {
        &self.places[..self.count]
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
