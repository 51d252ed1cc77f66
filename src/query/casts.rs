//! Circles on their way: thick rays.
//!
//! Comes in: circles and how far they move, checked here. Goes out: [`Hit`]s, as for rays; how bodies are found: [`super::search`].

use super::door::{Column, check_columns, check_number};
use super::image_casts::Way;
use super::rays::Flights;
use super::{Hit, HitLists, Queries, QueryFilter};
use crate::error::{Error, Kind};
use crate::geometry::{Circle, Vec2};

/// Circles and their motions as columns of equal length.
#[derive(Clone, Copy, Debug, Default)]
pub struct MovingCircles<'a> {
    /// First coordinates of the centres.
    pub x: &'a [f32],
    /// Second coordinates of the centres.
    pub y: &'a [f32],
    /// Radii, zero or more.
    pub radius: &'a [f32],
    /// How far they move: fractions count in it.
    pub motion_x: &'a [f32],
    /// How far they move: fractions count in it.
    pub motion_y: &'a [f32],
    /// A circle of the world or detector that is not seen, by its row; left out (empty), or a row that is not there: all are seen.
    pub skip: &'a [u32],
}

impl MovingCircles<'_> {
    /// One of them, and the circle it does not see.
    #[inline(always)]
    pub(super) fn way(&self, row: usize) -> (Way, Option<u32>) {
        let circle = Circle { center: Vec2 { x: self.x[row], y: self.y[row] }, radius: self.radius[row] };
        let motion = Vec2 { x: self.motion_x[row], y: self.motion_y[row] };
        (Way::Circle(circle, motion), self.skip.get(row).copied().filter(|&row| row != u32::MAX))
    }
}

impl Queries<'_> {
    /// The first body that a circle meets while it moves by `motion`, all others at rest: that of the least fraction, among equals a
    /// circle, then the lowest row. What [`geometry::sweep_circle_segment`](crate::geometry::sweep_circle_segment) and
    /// [`geometry::sweep_circle_circle`](crate::geometry::sweep_circle_circle) tell, but for the normal, which points the other way:
    /// out of the body. What it touches or overlaps at the start is met with fraction 0.
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::Negative`] for the numbers of the circle and its motion.
    pub fn cast_circle(
        &self,
        circle: Circle,
        motion: impl Into<Vec2>,
        filter: QueryFilter<'_>,
    ) -> Result<Option<Hit>, Error> {
        let flight = checked(circle, motion.into())?;
        Ok(self.first(flight, filter)?.found())
    }

    /// Whether a circle meets any body while it moves.
    ///
    /// # Errors
    /// As [`Self::cast_circle`].
    pub fn cast_circle_any(
        &self,
        circle: Circle,
        motion: impl Into<Vec2>,
        filter: QueryFilter<'_>,
    ) -> Result<bool, Error> {
        let flight = checked(circle, motion.into())?;
        self.any(flight, filter)
    }

    /// All bodies that a circle meets while it moves, where it first meets each, by fraction, circles before segments, by row. `hits`
    /// is cleared first.
    ///
    /// # Errors
    /// As [`Self::cast_circle`]; `hits` is as it was then.
    pub fn cast_circle_all(
        &self,
        circle: Circle,
        motion: impl Into<Vec2>,
        filter: QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        let flight = checked(circle, motion.into())?;
        self.all(flight, filter, hits)
    }

    /// [`Self::cast_circle`] for each, in their order; [`Hit::NOTHING`] where nothing is met. `hits` is written over.
    ///
    /// # Errors
    /// [`Error::ColumnLength`], [`Error::NotFinite`] or [`Error::Negative`] naming the circle; `hits` is as it was then.
    pub fn cast_circles(
        &self,
        circles: MovingCircles<'_>,
        filter: QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        check(circles)?;
        self.firsts(Flights::Circles(circles), filter, hits)
    }

    /// [`Self::cast_circle_any`] for each, in their order. `met` is written over.
    ///
    /// # Errors
    /// As [`Self::cast_circles`].
    pub fn cast_circles_any(
        &self,
        circles: MovingCircles<'_>,
        filter: QueryFilter<'_>,
        met: &mut Vec<bool>,
    ) -> Result<(), Error> {
        check(circles)?;
        self.anys(Flights::Circles(circles), filter, met)
    }

    /// [`Self::cast_circle_all`] for each, in their order. `lists` is written over.
    ///
    /// # Errors
    /// As [`Self::cast_circles`]; [`Error::TooManyResults`], after which `lists` are empty.
    pub fn cast_circles_all(
        &self,
        circles: MovingCircles<'_>,
        filter: QueryFilter<'_>,
        lists: &mut HitLists,
    ) -> Result<(), Error> {
        check(circles)?;
        self.alls(Flights::Circles(circles), filter, lists)
    }
}

fn checked(circle: Circle, motion: Vec2) -> Result<Way, Error> {
    let Circle { center, radius } = circle;
    let numbers = [center.x, center.y, radius, motion.x, motion.y];
    for (field, value) in ["x", "y", "radius", "motion_x", "motion_y"].into_iter().zip(numbers) {
        check_number(Kind::Circle, 0, field, value, field == "radius")?;
    }
    Ok(Way::Circle(circle, motion))
}

fn check(circles: MovingCircles<'_>) -> Result<(), Error> {
    let MovingCircles { x, y, radius, motion_x, motion_y, skip } = circles;
    let columns = [
        Column::any("x", x),
        Column::any("y", y),
        Column::sizes("radius", radius),
        Column::any("motion_x", motion_x),
        Column::any("motion_y", motion_y),
    ];
    check_columns(Kind::Circle, &columns, skip)
}
