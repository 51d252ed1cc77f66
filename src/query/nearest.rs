//! What is nearest to a point.
//!
//! Comes in: points, one or many, how far to look, a filter. Goes out: the nearest bodies by (distance, kind, row), with the point of each
//! that is nearest. Distances are those of `geometry::nearest_on_circle` and `nearest_on_capsule`. This room does not know how
//! bodies are found.

use super::around::Around;
use super::best::{Best, FEW, MORE, Room};
use super::shape_door::{check, check_distance, check_lengths};
use super::{Look, Queries, QueryFilter, Scene, Target};
use crate::error::Error;
use crate::geometry::{Feature, Vec2};
use crate::kernels::{Kernels, LANES, Operation, dispatch_apart};
use bytemuck::{Pod, Zeroable};

/// A body near a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nearest {
    /// The point of the body that is nearest: on its outline, or the point asked about where that is in it.
    pub point: Vec2,
    /// From the point asked about; 0 in the body.
    pub distance: f32,
    /// The part of a segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
    /// Which body; [`Target::NOTHING`] where there is none within the distance asked for.
    pub target: Target,
}

impl Nearest {
    /// There is a body.
    #[must_use]
    pub const fn is_something(&self) -> bool {
        self.target.is_something()
    }
}

/// Of more than this the room is so large that one feels it made.
const SOME: usize = 32;
/// Points of a chunk of a batch.
const CHUNK: usize = 256;

impl Queries<'_> {
    /// The body nearest to `point`, if any is at most `max_distance` away, by its distance as it is told ([`f32::MAX`]: however far). Of several at the same distance,
    /// rounded, circles come first, then lower rows.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`].
    pub fn nearest(
        &self,
        point: impl Into<Vec2>,
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Result<Option<Nearest>, Error> {
        let point = point.into();
        check(0, point)?;
        check_distance("max_distance", max_distance)?;
        if !self.is_plain() {
            let mut found = Vec::new();
            self.nearest_images(point, 1, max_distance, &filter, &mut found)?;
            return Ok(found.first().copied());
        }
        let (mut room, look) = ([Nearest::default()], self.look(&filter));
        let ([x, y], found) = ([&[point.x], &[point.y]], &mut room);
        let one = One { scene: &self.scene, look: &look, x, y, max: max_distance, found };
        dispatch_apart(self.scene.backend, self.scene.set, one);
        Ok(room[0].is_something().then_some(room[0]))
    }

    /// [`Self::nearest`] among the circles, whatever kinds the filter sees.
    ///
    /// # Errors
    /// As [`Self::nearest`].
    pub fn nearest_circle(
        &self,
        point: impl Into<Vec2>,
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Result<Option<Nearest>, Error> {
        self.nearest(point, max_distance, filter.circles_only())
    }

    /// [`Self::nearest`] among the segments, whatever kinds the filter sees.
    ///
    /// # Errors
    /// As [`Self::nearest`].
    pub fn nearest_segment(
        &self,
        point: impl Into<Vec2>,
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Result<Option<Nearest>, Error> {
        self.nearest(point, max_distance, filter.segments_only())
    }

    /// The `k` bodies nearest to `point` (all, if there are not so many) that are at most `max_distance` away, written over `found`, in the
    /// order of distance, kind, row.
    ///
    /// # Errors
    /// As [`Self::nearest`]; `found` is left alone then.
    pub fn nearest_k(
        &self,
        point: impl Into<Vec2>,
        k: usize,
        max_distance: f32,
        filter: QueryFilter<'_>,
        found: &mut Vec<Nearest>,
    ) -> Result<(), Error> {
        let point = point.into();
        check(0, point)?;
        check_distance("max_distance", max_distance)?;
        if !self.is_plain() {
            return self.nearest_images(point, k, max_distance, &filter, found);
        }
        self.nearest_plainly(point, k, max_distance, &filter, found);
        Ok(())
    }

    /// The same as if nothing repeated.
    pub(super) fn nearest_plainly(
        &self,
        point: Vec2,
        k: usize,
        max_distance: f32,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Nearest>,
    ) {
        let bodies = self.scene.count() as usize + self.scene.capsules.x0.len();
        let k = if k < bodies { k } else { bodies };
        let (look, room) = (self.look(filter), if k <= FEW { [k, 0] } else { Best::room(k) });
        found.clear();
        found.resize(room[0] + room[1], Nearest::default());
        let several = Several { scene: &self.scene, look: &look, point, max: max_distance, k, sorted: room[0], found };
        let count = dispatch_apart(self.scene.backend, self.scene.set, several);
        found.truncate(count);
    }

    /// [`Self::nearest`] for many points, written over `found`, one record a point: [`Target::NOTHING`] where there is none.
    ///
    /// # Errors
    /// As [`Self::nearest`], and [`Error::ColumnLength`]; `found` is left alone then.
    pub fn nearest_all(
        &self,
        x: &[f32],
        y: &[f32],
        max_distance: f32,
        filter: QueryFilter<'_>,
        found: &mut Vec<Nearest>,
    ) -> Result<(), Error> {
        check_lengths(&[("x", x), ("y", y)])?;
        check_distance("max_distance", max_distance)?;
        for (row, (&x, &y)) in x.iter().zip(y).enumerate() {
            check(row, Vec2 { x, y })?;
        }
        if !self.is_plain() {
            let one = |(&x, &y): (&f32, &f32)| {
                let mut some = Vec::new();
                self.nearest_images(Vec2 { x, y }, 1, max_distance, &filter, &mut some)?;
                Ok(some.first().copied().unwrap_or_default())
            };
            *found = x.iter().zip(y).map(one).collect::<Result<_, Error>>()?;
            return Ok(());
        }
        let (look, scene) = (self.look(&filter), self.scene);
        found.clear();
        found.resize(x.len(), Nearest::default());
        self.pool.run(x.len(), |split| {
            split.chunks(found, CHUNK, |from, found| {
                let (x, y) = (&x[from..from + found.len()], &y[from..from + found.len()]);
                let each = One { scene: &scene, look: &look, x, y, max: max_distance, found };
                dispatch_apart(scene.backend, scene.set, each);
            });
        });
        Ok(())
    }
}

/// The nearest to each of some points, or nothing.
struct One<'a, 'f> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    x: &'a [f32],
    y: &'a [f32],
    max: f32,
    found: &'a mut [Nearest],
}

impl Operation for One<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let One { scene, look, x, y, max, found } = self;
        let mut room = Room::<{ LANES + MORE }>::new();
        for ((&x, &y), found) in x.iter().zip(y).zip(found) {
            let best = Best::few(&mut room, 1, max);
            let mut record = [Nearest::default()];
            let count = search::<K>(Around::new(scene, look, [x, y], best, &mut record));
            *found = if within(max, &record[..count]) == 1 { record[0] } else { Nearest::default() };
        }
    }
}

/// The nearest `k` to a point, written to the front of `found`. Tells how many there are.
struct Several<'a, 'f> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    point: Vec2,
    max: f32,
    k: usize,
    /// Room for records; what is behind them is for those of which they are the nearest.
    sorted: usize,
    found: &'a mut [Nearest],
}

impl Operation for Several<'_, '_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let Several { scene, look, point, max, k, sorted, found } = self;
        let point = point.into();
        let (sorted, rest) = found.split_at_mut(sorted);
        let (mut eight, mut some, mut few);
        let best = if k <= LANES {
            eight = Room::<{ 2 * LANES + MORE }>::new();
            Best::few(&mut eight, k, max)
        } else if k <= SOME {
            some = Room::<{ 2 * SOME + MORE }>::new();
            Best::few(&mut some, k, max)
        } else if k <= FEW {
            few = Room::<{ 2 * FEW + MORE }>::new();
            Best::few(&mut few, k, max)
        } else {
            Best::many(rest, k, max)
        };
        let count = search::<K>(Around::new(scene, look, point, best, &mut *sorted));
        within(max, &sorted[..count])
    }
}

/// Writes the nearest few, and tells how many there are.
#[inline(always)]
fn search<K: Kernels>(mut around: Around<'_, '_, '_>) -> usize {
    around.all::<K>();
    around.finish::<K>()
}

/// So many of the first are not too far.
#[inline(always)]
fn within(max: f32, found: &[Nearest]) -> usize {
    let mut count = found.len();
    while count > 0 && found[count - 1].distance > max {
        count -= 1;
    }
    count
}
