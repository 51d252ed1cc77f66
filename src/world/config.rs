//! What a world and a detector can be told.

use crate::error::Error;
use crate::geometry::Vec2;

/// Which text of the kernels runs. Both give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Eight lanes at a time.
    #[default]
    Wide,
    /// One pair at a time: the reference.
    Scalar,
}

/// How many threads work. The result does not depend on it, bit for bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Threads {
    /// One below a few thousand bodies, else those of the surrounding rayon pool.
    #[default]
    Auto,
    /// This many, in a pool of its own; 1 never touches a pool. At most 1024.
    Fixed(usize),
}

/// How wide a cell of the grid is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum CellSize {
    /// Chosen from radii and density, and chosen anew when they have changed much.
    #[default]
    Auto,
    /// At least this wide (length units, above zero); wider where the largest radius asks for it.
    Fixed(f32),
}

/// Which kinds of pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairKinds {
    /// Circles against circles.
    pub circle_circle: bool,
    /// Circles against segments.
    pub circle_segment: bool,
    /// Segments against segments.
    pub segment_segment: bool,
}

impl PairKinds {
    /// All three.
    pub const ALL: PairKinds = PairKinds { circle_circle: true, circle_segment: true, segment_segment: true };
}

impl Default for PairKinds {
    fn default() -> PairKinds {
        PairKinds::ALL
    }
}

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

/// The contact limit that is in force unless another is set.
pub const DEFAULT_CONTACT_LIMIT: usize = 1 << 26;

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

/// How a [`Detector`](crate::Detector) is set up. `default()`, then `with_…`.
#[derive(Clone, Debug, PartialEq)]
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

impl WorldConfig {
    /// Every field is in its range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        ensure(self.gravity.is_finite(), "gravity", "two finite numbers")?;
        ensure(self.restitution >= 0.0 && self.restitution <= 1.0, "restitution", "from 0 to 1")?;
        if let Bounds::Reflect { min, max } = self.bounds {
            let ordered = min.is_finite() && max.is_finite() && min.x < max.x && min.y < max.y;
            ensure(ordered, "bounds", "finite, min below max on both axes")?;
        }
        check_search(self.threads, self.cell_size)
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

impl DetectorConfig {
    /// Every field is in its range.
    #[allow(dead_code, reason = "the detector asks for it")]
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_search(self.threads, self.cell_size)
    }

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

/// The fields that worlds and detectors have in common.
fn check_search(threads: Threads, cell_size: CellSize) -> Result<(), Error> {
    if let Threads::Fixed(count) = threads {
        ensure((1..=1024).contains(&count), "threads", "from 1 to 1024")?;
    }
    if let CellSize::Fixed(width) = cell_size {
        ensure(width.is_finite() && width > 0.0, "cell_size", "finite and above 0")?;
    }
    Ok(())
}

fn ensure(right: bool, field: &'static str, expected: &'static str) -> Result<(), Error> {
    if right { Ok(()) } else { Err(Error::Config { field, expected }) }
}
