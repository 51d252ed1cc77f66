//! What a world can be told.

use super::bytes::{Reader, Writer};
use crate::broad_phase::CellSize;
use crate::detector::{DEFAULT_CONTACT_LIMIT, check_config};
use crate::error::Error;
use crate::geometry::{Periods, Vec2};
use crate::kernels::Backend;
use crate::narrow_phase::PairKinds;
use crate::parallel::Threads;
use crate::response::Limits;

/// What is at the end of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Bounds {
    /// Nothing.
    #[default]
    None,
    /// A rectangle. A circle that reaches out of it, or a moving segment's end that is out of it, has that component
    /// of its velocity turned inwards; what is already returning is left alone. Where gravity pulls, a circle goes back as it came, so that no such
    /// bounce takes energy or gives any, and what is out comes back to the end at least, whatever it has lost. Nothing rests there: floors are segments.
    Reflect {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
    },
    /// Each axis by itself: [`Bounds::periodic`], [`Bounds::periodic_x`] and [`Bounds::periodic_y`] make the usual ones.
    PerAxis {
        /// From left to right.
        x: AxisBounds,
        /// From bottom to top.
        y: AxisBounds,
    },
}

impl Bounds {
    /// What leaves on one side comes in on the opposite one, along both axes: a torus.
    pub fn periodic(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Bounds {
        let (min, max) = (min.into(), max.into());
        Bounds::PerAxis {
            x: AxisBounds::Periodic { min: min.x, max: max.x },
            y: AxisBounds::Periodic { min: min.y, max: max.y },
        }
    }

    /// The same along x alone; nothing is at the end of y.
    #[must_use]
    pub const fn periodic_x(min: f32, max: f32) -> Bounds {
        Bounds::PerAxis { x: AxisBounds::Periodic { min, max }, y: AxisBounds::None }
    }

    /// The same along y alone; nothing is at the end of x.
    #[must_use]
    pub const fn periodic_y(min: f32, max: f32) -> Bounds {
        Bounds::PerAxis { x: AxisBounds::None, y: AxisBounds::Periodic { min, max } }
    }

    /// Both axes; a rectangle that reflects is two axes that do.
    fn axes(self) -> [AxisBounds; 2] {
        match self {
            Bounds::None => [AxisBounds::None; 2],
            Bounds::Reflect { min, max } => {
                [AxisBounds::Reflect { min: min.x, max: max.x }, AxisBounds::Reflect { min: min.y, max: max.y }]
            }
            Bounds::PerAxis { x, y } => [x, y],
        }
    }

    /// Where what leaves is turned.
    pub(super) fn limits(self) -> Limits {
        let [x, y] = self.axes().map(|axis| match axis {
            AxisBounds::Reflect { min, max } => [min, max],
            _ => [f32::NEG_INFINITY, f32::INFINITY],
        });
        Limits { x, y }
    }

    /// What repeats.
    pub(super) fn periods(self) -> Periods {
        Periods::new(self.axes().map(|axis| match axis {
            AxisBounds::Periodic { min, max } => Some([min, max]),
            _ => None,
        }))
    }

    fn check(self) -> Result<(), Error> {
        let ordered = "finite, min below max on both axes";
        let repeats = "finite, min below max; where periodic within 1e37 of zero, max - min exact in double precision";
        self.axes().into_iter().try_for_each(|axis| match axis {
            AxisBounds::None => Ok(()),
            AxisBounds::Reflect { min, max } => {
                ensure(min.is_finite() && max.is_finite() && min < max, "bounds", ordered)
            }
            AxisBounds::Periodic { min, max } => ensure(Periods::can_be(min, max), "bounds", repeats),
        })
    }
}

/// What is at the ends of one axis.
///
/// **Periodic**: what is at x is at x + (max - min) too, for whole multiples of it. The centre of each circle is always in
/// `min <= x < max`, the middle of each moving segment after every [`World::step`](crate::World::step) in which time passes:
/// what has left, or is placed elsewhere, is moved by whole periods and rounded once (to `min` where the nearest would be `max`), exactly within some 2^24 periods;
/// what is placed farther away stands somewhere in the stretch, the same place everywhere.
/// Static segments stay as they were given. Each touching pair is one contact, by its shortest image: for circles that of least distance
/// along each axis, for a circle and a segment that of least separation as reported (of a one-sided segment, where contacts are answered, among the images that
/// act, if any does), for segments the first that touches; equal ones: the one moved least. That they touch is exact: (xb - xa) + k (max - min) as real numbers. Points and normals are seen from `a` where it stands, so a
/// point may lie beyond the border. No body touches itself, however large.
///
/// **Walls hold across the border**: where contacts are answered, no leg of a centre's path meets a segment that does not move, or an image of
/// one as an `f32` tells it (moved by whole periods and rounded once). A leg begins in the stretch; its end is brought back, and where rounding
/// would put it on another side of a wall, the circle stays where it was. So that walls can be known, where any are nobody flies further than one
/// period in a step along an axis: the rest of the flight is dropped. Segments that move hold where they stand (where one is brought back, who is in its way across the border is not
/// moved out of it); across the border they push as any contact does, but do not hold. [Joints](crate::World::step) are those of segments as they stand: where two segments meet across the
/// border, neither hides the end of the other. A floor all the way round is best one segment from end to end of the stretch.
///
/// A segment may reach one period beyond the border, else a step is [`Error::BeyondPeriod`](crate::Error::BeyondPeriod), and so is every
/// question, but for those that move, which the next step that takes time brings back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AxisBounds {
    /// Nothing.
    #[default]
    None,
    /// As [`Bounds::Reflect`], for one component.
    Reflect {
        /// The low end.
        min: f32,
        /// The high end.
        max: f32,
    },
    /// What leaves at one end comes in at the other.
    Periodic {
        /// The low end.
        min: f32,
        /// The high end, which is the low one again; `max - min` has to be exact in double precision, both within 1e37 of zero.
        max: f32,
    },
}

/// What happens to bodies that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Response {
    /// Detection only: bodies fly through each other and through walls.
    None,
    /// Impulses and push-out; and walls hold. Each step moves a centre along straight legs between `f32` points, and no leg meets a segment
    /// that acts where it begins, as exact arithmetic says: a two-sided one acts everywhere but on itself, a one-sided one from its right. Of a
    /// segment with a radius it is the spine that holds. Segments that move stand still while circles fly, and pass over nobody but the
    /// circles of [`World::squeezed`](crate::World::squeezed). Not held are sensors, by sensors nobody, and only who meets by his filter; nobody at
    /// all where pairs of circles and segments are not looked for.
    ///
    /// A circle that goes further than half its radius in a step flies from impact to impact, eight of them at most: what is left of its time then
    /// is dropped. A circle of inverse mass 0 is not turned by what it meets, but stops there, or slides along it. No push carries a circle
    /// further than half its radius in a step. Where there is no segment at all, or circles and segments are not looked for ([`PairKinds`](crate::PairKinds)),
    /// pushes are as long as they come.
    #[default]
    Impulse,
}

/// How a [`World`](crate::World) is set up. `default()`, then `with_…`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct WorldConfig {
    /// Length units per second squared; (0, 0).
    pub gravity: Vec2,
    /// How much of the approach speed comes back, 0 to 1, of bodies that have no restitution of their own; 1. Of two bodies the larger
    /// counts. Pairs below 1 may come to rest on each other.
    pub restitution: f32,
    /// Of how many substeps the bodies that may rest are solved in, 1 to 256; 12. Where twenty discs lie side by side and a hundred and ten above each other
    /// the deepest overlap at rest is about 0.02 of a radius on 12: 0.016 to 0.026 in twenty-three random piles, 0.038 in one, where a row is wedged between
    /// both walls. More make higher piles stand, at best in proportion to the square, and cost in proportion. That is of masses that are alike. Unlike ones, from 11 to 9,
    /// lie deeper in each other: of a hundred circles, some of them ten times as heavy as the others, by 0.03 of a radius at most, thirty times 0.05, a hundred times 0.15 (on four substeps thirty times 0.26).
    /// And it is of gravity that in a step brings much less than six radii a second, by which overlap is taken back at most.
    pub substeps: u32,
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
    /// More contacts than this, of all kinds together, are [`Error::TooManyContacts`]; in a step, of where circles have been held by then. Where
    /// more pairs than this are near enough to touch within a step, those that may rest are solved by what touches alone, which is another course.
    pub contact_limit: usize,
    /// Begin and end events are made; on.
    pub events: bool,
    /// Walls that share an end, or end in the middle of another, hide that end, and straight chains of walls are as uncut ones; on. See
    /// [`World::step`](crate::World::step).
    pub joints: bool,
}

impl Default for WorldConfig {
    fn default() -> WorldConfig {
        WorldConfig {
            gravity: Vec2::ZERO,
            restitution: 1.0,
            substeps: 12,
            response: Response::Impulse,
            bounds: Bounds::None,
            backend: Backend::Wide,
            threads: Threads::Auto,
            cell_size: CellSize::Auto,
            pair_kinds: PairKinds::ALL,
            contact_limit: DEFAULT_CONTACT_LIMIT,
            events: true,
            joints: true,
        }
    }
}

impl WorldConfig {
    /// Every field is in its range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        ensure(self.gravity.is_finite(), "gravity", "two finite numbers")?;
        ensure(self.restitution >= 0.0 && self.restitution <= 1.0, "restitution", "from 0 to 1")?;
        ensure((1..=256).contains(&self.substeps), "substeps", "from 1 to 256")?;
        self.bounds.check()?;
        check_config(self.threads, self.cell_size)
    }

    /// All that results depend on, as bytes: backend and threads are not among it.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        // Whoever adds a field has to say here whether results depend on it.
        let WorldConfig {
            gravity,
            restitution,
            substeps,
            response,
            bounds,
            backend: _,
            threads: _,
            cell_size,
            pair_kinds,
            contact_limit,
            events,
            joints,
        } = self;
        to.values(&[gravity.x, gravity.y, *restitution]);
        to.value(*substeps);
        to.value(u8::from(*response == Response::Impulse));
        match bounds {
            Bounds::None => to.value(0u8),
            Bounds::Reflect { min, max } => {
                to.value(1u8);
                to.values(&[min.x, min.y, max.x, max.y]);
            }
            Bounds::PerAxis { x, y } => {
                to.value(2u8);
                for axis in [x, y] {
                    match axis {
                        AxisBounds::None => to.value(0u8),
                        AxisBounds::Reflect { min, max } => {
                            to.value(1u8);
                            to.values(&[*min, *max]);
                        }
                        AxisBounds::Periodic { min, max } => {
                            to.value(2u8);
                            to.values(&[*min, *max]);
                        }
                    }
                }
            }
        }
        match cell_size {
            CellSize::Auto => to.value(0u8),
            CellSize::Fixed(cell) => {
                to.value(1u8);
                to.value(*cell);
            }
        }
        let PairKinds { circle_circle, circle_segment, segment_segment } = *pair_kinds;
        to.values(&[circle_circle, circle_segment, segment_segment, *events, *joints].map(u8::from));
        to.value(*contact_limit as u64);
    }

    /// Takes them over from bytes; backend and threads stay.
    pub(super) fn restore(&self, from: &mut Reader<'_>) -> Result<WorldConfig, Error> {
        let gravity = Vec2::new(from.value()?, from.value()?);
        let restitution = from.value()?;
        let substeps = from.value()?;
        let response = if from.flag()? { Response::Impulse } else { Response::None };
        let corner = |from: &mut Reader<'_>| Ok(Vec2::new(from.value()?, from.value()?));
        let axis = |from: &mut Reader<'_>| {
            Ok(match from.value()? {
                0u8 => AxisBounds::None,
                1 => AxisBounds::Reflect { min: from.value()?, max: from.value()? },
                2 => AxisBounds::Periodic { min: from.value()?, max: from.value()? },
                _ => return from.wrong("0, 1 or 2"),
            })
        };
        let bounds = match from.value()? {
            0u8 => Bounds::None,
            1 => Bounds::Reflect { min: corner(from)?, max: corner(from)? },
            2 => Bounds::PerAxis { x: axis(from)?, y: axis(from)? },
            _ => return from.wrong("0, 1 or 2"),
        };
        let cell_size = if from.flag()? { CellSize::Fixed(from.value()?) } else { CellSize::Auto };
        let [circle_circle, circle_segment, segment_segment, events, joints] =
            [from.flag()?, from.flag()?, from.flag()?, from.flag()?, from.flag()?];
        let pair_kinds = PairKinds { circle_circle, circle_segment, segment_segment };
        // Where a word has 32 bits, a larger limit is no limit.
        let contact_limit = usize::try_from(from.value::<u64>()?).unwrap_or(usize::MAX);
        let WorldConfig { backend, threads, .. } = *self;
        let config = WorldConfig {
            gravity,
            restitution,
            substeps,
            response,
            bounds,
            backend,
            threads,
            cell_size,
            pair_kinds,
            contact_limit,
            events,
            joints,
        };
        config.check()?;
        Ok(config)
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

    /// Sets [`Self::substeps`].
    #[must_use]
    pub fn with_substeps(self, substeps: u32) -> WorldConfig {
        WorldConfig { substeps, ..self }
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

    /// Sets [`Self::joints`].
    #[must_use]
    pub fn with_joints(self, joints: bool) -> WorldConfig {
        WorldConfig { joints, ..self }
    }
}

fn ensure(right: bool, field: &'static str, expected: &'static str) -> Result<(), Error> {
    if right { Ok(()) } else { Err(Error::Config { field, expected }) }
}
