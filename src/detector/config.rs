//! What a detector can be told.
//!
//! Comes in: choices. Goes out: the same, looked at. This room does not detect.

use crate::broad_phase::CellSize;
use crate::error::Error;
use crate::kernels::Backend;
use crate::narrow_phase::PairKinds;
use crate::parallel::Threads;

/// The contact limit that is in force unless another is set.
pub const DEFAULT_CONTACT_LIMIT: usize = 1 << 26;

/// How a [`super::Detector`] is set up. `default()`, then `with_…`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct DetectorConfig {
    /// Which kernels run; wide.
    pub backend: Backend,
    /// How many threads work; auto.
    pub threads: Threads,
    /// How wide a cell is; auto.
    pub cell_size: CellSize,
    /// Which kinds of pairs are looked for; all.
    pub pair_kinds: PairKinds,
    /// More contacts than this, of all kinds together, are [`Error::TooManyContacts`].
    pub contact_limit: usize,
}

impl Default for DetectorConfig {
    fn default() -> DetectorConfig {
        DetectorConfig {
            backend: Backend::Wide,
            threads: Threads::Auto,
            cell_size: CellSize::Auto,
            pair_kinds: PairKinds::ALL,
            contact_limit: DEFAULT_CONTACT_LIMIT,
        }
    }
}

impl DetectorConfig {
    /// Sets [`Self::backend`].
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> DetectorConfig {
        DetectorConfig { backend, ..self }
    }

    /// Sets [`Self::threads`].
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> DetectorConfig {
        DetectorConfig { threads, ..self }
    }

    /// Sets [`Self::cell_size`].
    #[must_use]
    pub fn with_cell_size(self, cell_size: CellSize) -> DetectorConfig {
        DetectorConfig { cell_size, ..self }
    }

    /// Sets [`Self::pair_kinds`].
    #[must_use]
    pub fn with_pair_kinds(self, pair_kinds: PairKinds) -> DetectorConfig {
        DetectorConfig { pair_kinds, ..self }
    }

    /// Sets [`Self::contact_limit`].
    #[must_use]
    pub fn with_contact_limit(self, contact_limit: usize) -> DetectorConfig {
        DetectorConfig { contact_limit, ..self }
    }
}

/// What a world and a detector are told alike.
pub(crate) fn check_config(threads: Threads, cell_size: CellSize) -> Result<(), Error> {
    if matches!(threads, Threads::Fixed(n) if !(1..=1024).contains(&n)) {
        return Err(Error::Config { field: "threads", expected: "1 to 1024" });
    }
    if matches!(cell_size, CellSize::Fixed(cell) if !(cell > 0.0 && cell.is_finite())) {
        return Err(Error::Config { field: "cell_size", expected: "finite and above zero" });
    }
    Ok(())
}
