//! What a world and a detector can be told.

use crate::broad_phase::CellSize;
use crate::detector::{DEFAULT_CONTACT_LIMIT, check_config};
use crate::error::Error;
use crate::geometry::Vec2;
use crate::kernels::Backend;
use crate::narrow_phase::PairKinds;
use crate::parallel::Threads;

/// What is at the end of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Bounds {
    /// Nothing.
    #[default]
    None,
    /// A rectangle. A circle that reaches out of it, or a moving segment's end that is out of it, has that component
    /// of its velocity turned inwards; what is already returning is left alone.
    Reflect {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
    },
}

/// What happens to bodies that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Response {
    /// Detection only: bodies fly through each other.
    None,
    /// Impulses and push-out.
    #[default]
    Impulse,
}

/// How a [`World`](crate::World) is set up. `default()`, then `with_…`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorldConfig {
    /// Length units per second squared; (0, 0).
    pub gravity: Vec2,
    /// How much of the approach speed comes back, 0 to 1; 1.
    pub restitution: f32,
    /// What happens to bodies that touch; impulses.
    pub response: Response,
    /// What is at the end of the world; nothing.
    pub bounds: Bounds,
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
    /// Begin and end events are made; on.
    pub events: bool,
}

impl Default for WorldConfig {
    fn default() -> WorldConfig {
        WorldConfig {
            gravity: Vec2::ZERO,
            restitution: 1.0,
            response: Response::Impulse,
            bounds: Bounds::None,
            backend: Backend::Wide,
            threads: Threads::Auto,
            cell_size: CellSize::Auto,
            pair_kinds: PairKinds::ALL,
            contact_limit: DEFAULT_CONTACT_LIMIT,
            events: true,
        }
    }
}

impl WorldConfig {
    /// Every field is in its range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        ensure(self.gravity.is_finite(), "gravity", "two finite numbers")?;
        ensure(self.restitution >= 0.0 && self.restitution <= 1.0, "restitution", "from 0 to 1")?;
        if let Bounds::Reflect { min, max } = self.bounds {
            let ordered = min.is_finite() && max.is_finite() && min.x < max.x && min.y < max.y;
            ensure(ordered, "bounds", "finite, min below max on both axes")?;
        }
        check_config(self.threads, self.cell_size)
    }

    /// Sets [`Self::gravity`].
    #[must_use]
    pub fn with_gravity(self, gravity: impl Into<Vec2>) -> WorldConfig {
        WorldConfig { gravity: gravity.into(), ..self }
    }

    /// Sets [`Self::restitution`].
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> WorldConfig {
        WorldConfig { restitution, ..self }
    }

    /// Sets [`Self::response`].
    #[must_use]
    pub fn with_response(self, response: Response) -> WorldConfig {
        WorldConfig { response, ..self }
    }

    /// Sets [`Self::bounds`].
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> WorldConfig {
        WorldConfig { bounds, ..self }
    }

    /// Sets [`Self::backend`].
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> WorldConfig {
        WorldConfig { backend, ..self }
    }

    /// Sets [`Self::threads`].
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> WorldConfig {
        WorldConfig { threads, ..self }
    }

    /// Sets [`Self::cell_size`].
    #[must_use]
    pub fn with_cell_size(self, cell_size: CellSize) -> WorldConfig {
        WorldConfig { cell_size, ..self }
    }

    /// Sets [`Self::pair_kinds`].
    #[must_use]
    pub fn with_pair_kinds(self, pair_kinds: PairKinds) -> WorldConfig {
        WorldConfig { pair_kinds, ..self }
    }

    /// Sets [`Self::contact_limit`].
    #[must_use]
    pub fn with_contact_limit(self, contact_limit: usize) -> WorldConfig {
        WorldConfig { contact_limit, ..self }
    }

    /// Sets [`Self::events`].
    #[must_use]
    pub fn with_events(self, events: bool) -> WorldConfig {
        WorldConfig { events, ..self }
    }
}

fn ensure(right: bool, field: &'static str, expected: &'static str) -> Result<(), Error> {
    if right { Ok(()) } else { Err(Error::Config { field, expected }) }
}
