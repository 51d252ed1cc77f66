//! What is nearest to a point.
//!
//! Comes in: points, one or many, how far to look, a filter. Goes out: the nearest bodies by (distance, kind, row), with the point of each
//! that is nearest. Distances are those of `geometry::nearest_on_circle` and `nearest_on_capsule`. This room does not know how
//! bodies are found.

use super::around::Around;
use super::best::Best;
use super::shape_door::{check, check_distance, check_lengths};
use super::{Look, Queries, QueryFilter, Scene, Target, TargetKind};
use crate::error::Error;
use crate::geometry::{self, Feature, NearestPoint, Vec2};
use crate::kernels::{Kernels, Operation, dispatch_apart};
use bytemuck::{Pod, Zeroable};

/// A body near a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
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

/// Points of a chunk of a batch.
const CHUNK: usize = 256;

impl Queries<'_> {
    /// The body nearest to `point`, if any is at most `max_distance` away ([`f32::MAX`]: however far). Of several at the same distance,
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
        let one = Points { scene: &self.scene, look: &look, x, y, max: max_distance, found, each: 1 };
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
        found.clear();
        found.resize(Best::room(k), Nearest::default());
        let look = self.look(filter);
        let ([x, y], each) = ([&[point.x], &[point.y]], found.len());
        let one = Points { scene: &self.scene, look: &look, x, y, max: max_distance, found, each };
        let count = dispatch_apart(self.scene.backend, self.scene.set, one);
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
                let many = Points { scene: &scene, look: &look, x, y, max: max_distance, found, each: 1 };
                dispatch_apart(scene.backend, scene.set, many);
            });
        });
        Ok(())
    }
}

/// Some points, with room for so many records each. Tells how many of those of the last there are.
struct Points<'a, 'f> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    x: &'a [f32],
    y: &'a [f32],
    max: f32,
    /// Empty where nobody wants to know of any.
    found: &'a mut [Nearest],
    each: usize,
}

impl Operation for Points<'_, '_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let (mut count, each) = (0, if self.each > 0 { self.each } else { 1 });
        for ((&x, &y), room) in self.x.iter().zip(self.y).zip(self.found.chunks_mut(each)) {
            count = search::<K>(self.scene, self.look, Vec2 { x, y }, self.max, room);
        }
        count
    }
}

/// Fills the room from its front and tells how far.
#[inline(always)]
fn search<K: Kernels>(scene: &Scene<'_>, look: &Look<'_>, point: Vec2, max: f32, room: &mut [Nearest]) -> usize {
    let mut around = Around::new(scene, look, point.into(), Best::new(room, max));
    around.all::<K>();
    let count = around.finish();
    // Point and feature of those that are left.
    for record in &mut room[..count] {
        if record.target.kind == TargetKind::Circle {
            let circle = scene.circle(bytemuck::cast(record.feature));
            record.point = geometry::point_of_disc(point.into(), circle, record.distance);
            record.feature = Feature::Interior;
            continue;
        }
        let found = geometry::nearest_on_capsule(point, scene.segment(record.target.row));
        let NearestPoint { point, feature, .. } = found.unwrap_or_default();
        (record.point, record.feature) = (point, feature);
    }
    count
}
