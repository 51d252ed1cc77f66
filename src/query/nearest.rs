//! What is nearest to a point.
//!
//! Comes in: points, one or many, how far to look, a filter. Goes out: the nearest bodies by (distance, kind, row), with the point of each
//! that is nearest. Distances are those of `geometry::nearest_on_circle` and `nearest_on_capsule`. This room does not know how
//! bodies are found.

use super::around::Around;
use super::best::{Best, FEW, MORE, Room};
use super::door::{Column, check_columns, check_number};
use super::lists::{CHUNK, Part};
use super::shape_door::check;
use super::{Lists, Look, Queries, QueryFilter, Scene, Target};
use crate::error::{Error, Kind};
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

/// The bodies nearest to each of many points.
pub type NearestLists = Lists<Nearest>;

/// Points as columns of equal length.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryPoints<'a> {
    /// First coordinates.
    pub x: &'a [f32],
    /// Second coordinates.
    pub y: &'a [f32],
    /// A circle that is not seen from the point, by its row; left out (empty), or a row that is not there: all are seen.
    pub skip: &'a [u32],
}

/// Of more than this the room is so large that one feels it made.
const SOME: usize = 32;

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
        check_number(Kind::Query, 0, "max_distance", max_distance, true)?;
        if !self.is_plain() {
            let mut found = Vec::new();
            self.nearest_images(point, 0, 1, max_distance, &filter, &mut found)?;
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
        check_number(Kind::Query, 0, "max_distance", max_distance, true)?;
        if !self.is_plain() {
            return self.nearest_images(point, 0, k, max_distance, &filter, found);
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
        let count = self.search_k(&self.look(filter), point, k, max_distance, found);
        found.truncate(count);
    }

    /// The records of the same at the front of `room`, which grows where it is too small; tells how many there are.
    fn search_k(&self, look: &Look<'_>, point: Vec2, k: usize, max: f32, room: &mut Vec<Nearest>) -> usize {
        let (scene, bodies) = (&self.scene, self.scene.bodies());
        let k = if k < bodies { k } else { bodies };
        let [sorted, rest] = if k <= FEW { [k, 0] } else { Best::room(k) };
        if room.len() < sorted + rest {
            room.resize(sorted + rest, Nearest::default());
        }
        let found = &mut room[..sorted + rest];
        dispatch_apart(scene.backend, scene.set, Several { scene, look, point, max, k, sorted, found })
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
        check_columns(Kind::Query, &[Column::any("x", x), Column::any("y", y)], &[])?;
        check_number(Kind::Query, 0, "max_distance", max_distance, true)?;
        if !self.is_plain() {
            return self.each_image(x.len(), found, |row| {
                let mut some = Vec::new();
                let point = Vec2 { x: x[row], y: y[row] };
                self.nearest_images(point, row, 1, max_distance, &filter, &mut some)?;
                Ok(some.first().copied().unwrap_or_default())
            });
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

    /// [`Self::nearest_k`] for many points. With the rows of circles at their own centres as [`QueryPoints::skip`]: the nearest others of each.
    ///
    /// # Errors
    /// As [`Self::nearest`], and [`Error::ColumnLength`], `lists` is left alone then; [`Error::TooManyResults`], after which they are empty.
    pub fn nearest_k_all(
        &self,
        points: QueryPoints<'_>,
        k: usize,
        max_distance: f32,
        filter: QueryFilter<'_>,
        lists: &mut NearestLists,
    ) -> Result<(), Error> {
        let QueryPoints { x, y, skip } = points;
        check_columns(Kind::Query, &[Column::any("x", x), Column::any("y", y)], skip)?;
        check_number(Kind::Query, 0, "max_distance", max_distance, true)?;
        let (look, filter, limit, bodies) = (&self.look(&filter), &filter, lists.limit(), self.scene.bodies());
        let k = if k < bodies { k } else { bodies };
        self.pool.run(x.len(), |split| {
            lists.fill(x.len(), split, |from, to, part| {
                let (Part { ends, items, room, .. }, mut many) = (part, Vec::new());
                let room = if k <= FEW { room } else { &mut many };
                for row in from..to {
                    let (point, at) = (Vec2 { x: x[row], y: y[row] }, items.len());
                    // Whoever is left out is one of one more.
                    let asked = k + usize::from(!skip.is_empty());
                    if self.is_plain() {
                        let count = self.search_k(look, point, asked, max_distance, room);
                        items.extend_from_slice(&room[..count]);
                    } else {
                        self.nearest_images(point, row, asked, max_distance, filter, room)?;
                        items.append(room);
                    }
                    if let Some(&skip) = skip.get(row) {
                        leave_out(items, at, skip, k);
                    }
                    ends.push(items.len());
                    if items.len() > limit {
                        break;
                    }
                }
                Ok(())
            })
        })
    }
}

/// Drops a circle, and then whoever is too many.
fn leave_out(found: &mut Vec<Nearest>, from: usize, skip: u32, k: usize) {
    if let Some(at) = found[from..].iter().position(|near| near.target == Target::circle(skip)) {
        found.remove(from + at);
    }
    found.truncate(from + k);
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
