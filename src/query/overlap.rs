//! What touches a point, a disc, a box or a segment.
//!
//! Comes in: shapes, one or many, and a filter. Goes out: rows of the bodies they touch, circles first, each kind by row; for many shapes
//! lists in their order. Decisions are those of `geometry::circles_touch`, `circle_touches_segment`, `segments_touch`,
//! `circle_touches_aabb` and `segment_touches_aabb`. This room does not know how bodies are found.

use super::door::{Column, check_columns};
use super::images::Imaged;
use super::lists::Part;
use super::shape_door::check;
use super::shapes::{Shape, Thick};
use super::touching::Overlap;
use super::{Lists, Look, Queries, QueryFilter, Scene, Target};
use crate::error::{Error, Kind};
use crate::geometry::{Aabb, Circle, Circles, Segment, Segments, Vec2};
use crate::kernels::{Kernels, Operation, dispatch, dispatch_apart};
use std::ops::Range;

/// What each of many shapes touches.
pub type TargetLists = Lists<Target>;

impl Queries<'_> {
    /// Bodies that hold the point, written over `found`: circles by row, then segments by row.
    ///
    /// # Errors
    /// [`Error::NotFinite`]; `found` is left alone then.
    pub fn overlap_point(
        &self,
        point: impl Into<Vec2>,
        filter: QueryFilter<'_>,
        found: &mut Vec<Target>,
    ) -> Result<(), Error> {
        let point = point.into();
        check(0, point)?;
        self.overlap(Circle { center: point, radius: 0.0 }, &filter, found)
    }

    /// Bodies that have a point in common with the disc, written over `found`: circles by row, then segments by row.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`]; `found` is left alone then.
    pub fn overlap_circle(
        &self,
        circle: Circle,
        filter: QueryFilter<'_>,
        found: &mut Vec<Target>,
    ) -> Result<(), Error> {
        check(0, circle)?;
        self.overlap(circle, &filter, found)
    }

    /// Bodies that have a point in common with the box, written over `found`: circles by row, then segments by row. An empty box, one with
    /// `min` above `max`, touches nothing.
    ///
    /// # Errors
    /// [`Error::NotFinite`]; `found` is left alone then.
    pub fn overlap_aabb(&self, aabb: Aabb, filter: QueryFilter<'_>, found: &mut Vec<Target>) -> Result<(), Error> {
        check(0, aabb)?;
        if aabb.is_valid() {
            return self.overlap(aabb, &filter, found);
        }
        found.clear();
        Ok(())
    }

    /// Bodies that have a point in common with the segment, a capsule where it has a radius, written over `found`: circles by row, then
    /// segments by row.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`]; `found` is left alone then.
    pub fn overlap_segment(
        &self,
        segment: Segment,
        filter: QueryFilter<'_>,
        found: &mut Vec<Target>,
    ) -> Result<(), Error> {
        check(0, segment)?;
        self.overlap(Thick::new(segment), &filter, found)
    }

    /// No body has a point in common with the disc: is there room for it? Faster than [`Self::overlap_circle`] where there is none.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`].
    pub fn is_free(&self, circle: Circle, filter: QueryFilter<'_>) -> Result<bool, Error> {
        check(0, circle)?;
        if !self.is_plain() {
            let mut found = Vec::new();
            return self.overlap(circle, &filter, &mut found).map(|()| found.is_empty());
        }
        let (look, mut none) = (self.look(&filter), Vec::new());
        let one: Overlap<'_, '_, _, true> =
            Overlap { scene: &self.scene, look: &look, shape: circle, found: &mut none };
        Ok(!dispatch(self.scene.backend, self.scene.set, one))
    }

    /// [`Self::overlap_point`] for many points.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::ColumnLength`], `lists` is left alone then; [`Error::TooManyResults`], after which they are empty.
    pub fn overlap_points(
        &self,
        x: &[f32],
        y: &[f32],
        filter: QueryFilter<'_>,
        lists: &mut TargetLists,
    ) -> Result<(), Error> {
        check_columns(Kind::Query, &[Column::any("x", x), Column::any("y", y)], &[])?;
        let point = |row: usize| Vec2 { x: x[row], y: y[row] };
        self.overlap_all(x.len(), |row| Circle { center: point(row), radius: 0.0 }, &filter, lists)
    }

    /// [`Self::overlap_circle`] for many discs.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::ColumnLength`], `lists` is left alone then; [`Error::TooManyResults`], after which
    /// they are empty.
    pub fn overlap_circles(
        &self,
        circles: Circles<'_>,
        filter: QueryFilter<'_>,
        lists: &mut TargetLists,
    ) -> Result<(), Error> {
        let Circles { x, y, radius } = circles;
        let columns = [Column::any("x", x), Column::any("y", y), Column::sizes("radius", radius)];
        check_columns(Kind::Query, &columns, &[])?;
        let circle = |row: usize| Circle { center: Vec2 { x: x[row], y: y[row] }, radius: radius[row] };
        self.overlap_all(x.len(), circle, &filter, lists)
    }

    /// [`Self::overlap_aabb`] for many boxes.
    ///
    /// # Errors
    /// [`Error::NotFinite`], `lists` is left alone then; [`Error::TooManyResults`], after which they are empty.
    pub fn overlap_aabbs(&self, boxes: &[Aabb], filter: QueryFilter<'_>, lists: &mut TargetLists) -> Result<(), Error> {
        boxes.iter().enumerate().try_for_each(|(row, &aabb)| check(row, aabb))?;
        self.overlap_all(boxes.len(), |row| boxes[row], &filter, lists)
    }

    /// [`Self::overlap_segment`] for many segments.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::ColumnLength`], `lists` is left alone then; [`Error::TooManyResults`], after which they are empty.
    pub fn overlap_segments(
        &self,
        segments: Segments<'_>,
        filter: QueryFilter<'_>,
        lists: &mut TargetLists,
    ) -> Result<(), Error> {
        let Segments { x0, y0, x1, y1 } = segments;
        let columns =
            [("x0", x0), ("y0", y0), ("x1", x1), ("y1", y1)].map(|(field, values)| Column::any(field, values));
        check_columns(Kind::Query, &columns, &[])?;
        let segment = |row: usize| Segment::new([x0[row], y0[row]], [x1[row], y1[row]]);
        self.overlap_all(x0.len(), |row| Thick::new(segment(row)), &filter, lists)
    }

    fn overlap(&self, shape: impl Imaged, filter: &QueryFilter<'_>, found: &mut Vec<Target>) -> Result<(), Error> {
        if !self.is_plain() {
            return self.overlap_images(shape, 0, filter, found);
        }
        self.overlap_plainly(shape, filter, found);
        Ok(())
    }

    pub(super) fn overlap_plainly(&self, shape: impl Shape, filter: &QueryFilter<'_>, found: &mut Vec<Target>) {
        let Scene { backend, set, .. } = self.scene;
        let (look, shape) = (&self.look(filter), &|_: usize| shape);
        found.clear();
        let (scene, limit) = (&self.scene, usize::MAX);
        dispatch_apart(backend, set, Chunk { scene, look, shape, rows: 0..1, items: found, ends: None, limit });
    }

    fn overlap_all<S: Imaged>(
        &self,
        count: usize,
        shape: impl Fn(usize) -> S + Sync,
        filter: &QueryFilter<'_>,
        lists: &mut TargetLists,
    ) -> Result<(), Error> {
        let (look, scene, shape, limit) = (&self.look(filter), &self.scene, &shape, lists.limit());
        let Scene { backend, set, .. } = *scene;
        self.pool.run(count, |split| {
            lists.fill(count, split, |from, to, part| {
                if !self.is_plain() {
                    return self.overlap_each_image(from..to, shape, filter, limit, part);
                }
                let Part { items, ends, .. } = part;
                let ends = Some(ends);
                dispatch_apart(backend, set, Chunk { scene, look, shape, rows: from..to, items, ends, limit });
                Ok(())
            })
        })
    }

    fn overlap_each_image<S: Imaged>(
        &self,
        rows: Range<usize>,
        shape: impl Fn(usize) -> S,
        filter: &QueryFilter<'_>,
        limit: usize,
        part: &mut Part<Target>,
    ) -> Result<(), Error> {
        let mut found = Vec::new();
        for row in rows {
            self.overlap_images(shape(row), row, filter, &mut found)?;
            part.items.append(&mut found);
            part.ends.push(part.items.len());
            if part.items.len() > limit {
                break;
            }
        }
        Ok(())
    }
}

/// Some of many shapes; where the list of each ends, if there are several. How they are made does not matter to what is built.
struct Chunk<'a, 'f, S> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    shape: &'a dyn Fn(usize) -> S,
    rows: Range<usize>,
    items: &'a mut Vec<Target>,
    ends: Option<&'a mut Vec<usize>>,
    /// With more items than this nobody wants to know the rest.
    limit: usize,
}

impl<S: Shape> Operation for Chunk<'_, '_, S> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        for row in self.rows {
            let (shape, found) = ((self.shape)(row), &mut *self.items);
            let mut overlap: Overlap<'_, '_, S, false> = Overlap { scene: self.scene, look: self.look, shape, found };
            overlap.all::<K>();
            if let Some(ends) = &mut self.ends {
                ends.push(self.items.len());
            }
            if self.items.len() > self.limit {
                break;
            }
        }
    }
}
