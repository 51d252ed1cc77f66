//! Many bodies change or go out at once.
//!
//! Comes in: handles, and a row of columns for each. Goes out: done, or an error and a world as it was: every handle and every
//! number is checked before the first column is written. Costs what so many single edits cost; what is kept about static segments is
//! mended once, with the next step. A handle that is named twice: what the later row says stands; removed, it is gone once.

use super::World;
use crate::error::{Error, Kind};
use crate::geometry::Vec2;
use crate::storage::{CircleBodies, CircleHandle, SegmentBodies, SegmentHandle, check_value};

impl World {
    /// Removes circles. What they touched ends with the next step. One that is named twice is removed once.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] of the first that is stale.
    pub fn remove_circles(&mut self, circles: &[CircleHandle]) -> Result<(), Error> {
        self.live_circles(circles)?;
        for &circle in circles {
            if let Some(row) = self.circle_row(circle) {
                self.take_circle(row, circle);
            }
        }
        Ok(())
    }

    /// Removes segments. What they touched ends with the next step. One that is named twice is removed once.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] of the first that is stale.
    pub fn remove_segments(&mut self, segments: &[SegmentHandle]) -> Result<(), Error> {
        self.live_segments(segments)?;
        self.segments.edit_many();
        for &segment in segments {
            if let Some(row) = self.segment_row(segment) {
                self.take_segment(row, segment);
            }
        }
        self.segments.edit_done();
        Ok(())
    }

    /// Overwrites circles, filters and the like included (a column that is left out has its default in every row); handles stay.
    /// What they no longer touch ends with the next step, as edited. Of one that is named twice the last row stands.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] (as many rows as handles), [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the first wrong row),
    /// [`Error::StaleHandle`] of the first that is stale.
    pub fn set_circles(&mut self, circles: &[CircleHandle], bodies: CircleBodies<'_>) -> Result<(), Error> {
        check_length(Kind::Circle, "x", bodies.check()?, circles.len())?;
        self.live_circles(circles)?;
        for (at, &circle) in circles.iter().enumerate() {
            let row = self.live_circle(circle)?;
            self.circles.set(row, bodies.body(at));
            self.circle_edited(row);
        }
        self.index.circles_changed();
        Ok(())
    }

    /// Overwrites segments, such as a block of a map, as [`World::set_circles`] does circles. A segment moves where any of its four
    /// velocities is not zero. What is kept about static segments is mended once, with the next step.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] (as many rows as handles), [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the first wrong row),
    /// [`Error::StaleHandle`] of the first that is stale.
    pub fn replace_segments(&mut self, segments: &[SegmentHandle], bodies: SegmentBodies<'_>) -> Result<(), Error> {
        check_length(Kind::Segment, "x0", bodies.check()?, segments.len())?;
        self.live_segments(segments)?;
        self.segments.edit_many();
        for (at, &segment) in segments.iter().enumerate() {
            if let Some(row) = self.segment_row(segment) {
                self.segments.set(row, bodies.body(at));
                self.segment_edited(row);
            }
        }
        self.segments.edit_done();
        self.index.segments_changed();
        Ok(())
    }

    /// Puts circles somewhere else; nothing else of them changes. What they no longer touch there ends with the next step, as
    /// edited. One that is named twice is where its last row says.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] (as many rows as handles), [`Error::NotFinite`] of the first wrong row, [`Error::StaleHandle`] of the
    /// first that is stale.
    pub fn move_circles(&mut self, circles: &[CircleHandle], x: &[f32], y: &[f32]) -> Result<(), Error> {
        check_pairs(circles, ["x", "y"], x, y)?;
        self.live_circles(circles)?;
        for (&circle, (&x, &y)) in circles.iter().zip(x.iter().zip(y)) {
            self.move_circle(circle, Vec2::new(x, y))?;
        }
        Ok(())
    }

    /// Overwrites the velocities of circles, also of immovable ones. One that is named twice has that of its last row.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] (as many rows as handles), [`Error::NotFinite`] of the first wrong row, [`Error::StaleHandle`] of the
    /// first that is stale.
    pub fn set_circle_velocities(
        &mut self,
        circles: &[CircleHandle],
        velocity_x: &[f32],
        velocity_y: &[f32],
    ) -> Result<(), Error> {
        check_pairs(circles, ["velocity_x", "velocity_y"], velocity_x, velocity_y)?;
        self.live_circles(circles)?;
        for (&circle, (&x, &y)) in circles.iter().zip(velocity_x.iter().zip(velocity_y)) {
            self.set_circle_velocity(circle, Vec2::new(x, y))?;
        }
        Ok(())
    }

    /// Makes circles bullets, or no longer; see [`World::set_circle_bullet`]. Of one that is named twice the last row stands.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] (as many rows as handles), [`Error::StaleHandle`] of the first that is stale.
    pub fn set_circle_bullets(&mut self, circles: &[CircleHandle], bullet: &[bool]) -> Result<(), Error> {
        check_length(Kind::Circle, "bullet", bullet.len(), circles.len())?;
        self.live_circles(circles)?;
        circles.iter().zip(bullet).try_for_each(|(&circle, &bullet)| self.set_circle_bullet(circle, bullet))
    }

    /// None is stale.
    fn live_circles(&self, circles: &[CircleHandle]) -> Result<(), Error> {
        circles.iter().try_for_each(|&circle| self.live_circle(circle).map(|_| ()))
    }

    /// None is stale.
    fn live_segments(&self, segments: &[SegmentHandle]) -> Result<(), Error> {
        segments.iter().try_for_each(|&segment| self.live_segment(segment).map(|_| ()))
    }
}

/// One row for each handle.
fn check_length(kind: Kind, field: &'static str, length: usize, expected: usize) -> Result<(), Error> {
    if length == expected { Ok(()) } else { Err(Error::ColumnLength { kind, field, length, expected }) }
}

/// Two columns of finite numbers, one row for each circle.
fn check_pairs(circles: &[CircleHandle], fields: [&'static str; 2], x: &[f32], y: &[f32]) -> Result<(), Error> {
    for (field, column) in fields.into_iter().zip([x, y]) {
        check_length(Kind::Circle, field, column.len(), circles.len())?;
    }
    for (row, (&x, &y)) in x.iter().zip(y).enumerate() {
        check_value(Kind::Circle, row, fields[0], x, true)?;
        check_value(Kind::Circle, row, fields[1], y, true)?;
    }
    Ok(())
}
