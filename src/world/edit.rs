//! Bodies go in, change and go out by hand.
//!
//! Comes in: bodies and handles. Goes out: handles, or an error and a world as it was. Every number is checked before
//! the first column is written. An edit costs O(1), but for the first look for a handle after a step, a nanosecond a body;
//! [`World::step`] tells its events. What is no shape and no motion is set in `edit_labels`, many at once in `edit_many`.

use super::World;
use crate::error::{Error, Kind};
use crate::geometry::Vec2;
use crate::storage::{
    CircleBodies, CircleBody, CircleHandle, MAX_ROWS, SegmentBodies, SegmentBody, SegmentHandle, Slots, check_value,
};

impl World {
    /// Adds one circle.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of row 0), [`Error::TooManyBodies`].
    pub fn add_circle(&mut self, circle: impl Into<CircleBody>) -> Result<CircleHandle, Error> {
        let body = circle.into();
        body.check(0)?;
        check_room(Kind::Circle, self.circles.len(), &self.circle_slots, 1)?;
        let handle = self.circle_slots.insert(self.circles.len());
        self.circles.push(body, handle);
        self.bring_back_placed(self.circles.len() - 1..self.circles.len());
        self.reporter.circles_added(1);
        self.index.circles_changed();
        Ok(handle)
    }

    /// Adds one segment.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of row 0), [`Error::TooManyBodies`].
    pub fn add_segment(&mut self, segment: impl Into<SegmentBody>) -> Result<SegmentHandle, Error> {
        let body = segment.into();
        body.check(0)?;
        check_room(Kind::Segment, self.segments.len(), &self.segment_slots, 1)?;
        let handle = self.segment_slots.insert(self.segments.len());
        self.segments.push(body, handle);
        self.reporter.segments_added(1);
        self.index.segments_changed();
        Ok(handle)
    }

    /// Adds many circles, all or none; handles in the order of the rows.
    ///
    /// # Errors
    /// [`Error::ColumnLength`], [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the first wrong row),
    /// [`Error::TooManyBodies`].
    pub fn add_circles(&mut self, circles: CircleBodies<'_>) -> Result<Vec<CircleHandle>, Error> {
        let count = circles.check()?;
        let first = self.circles.len();
        check_room(Kind::Circle, first, &self.circle_slots, count)?;
        self.circles.extend(circles);
        let handles: Vec<_> = (first..first + count).map(|row| self.circle_slots.insert(row)).collect();
        self.circles.handle.extend_from_slice(&handles);
        self.bring_back_placed(first..first + count);
        self.reporter.circles_added(count);
        self.index.circles_changed();
        Ok(handles)
    }

    /// Adds many segments, all or none; handles in the order of the rows.
    ///
    /// # Errors
    /// [`Error::ColumnLength`], [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the first wrong row),
    /// [`Error::TooManyBodies`].
    pub fn add_segments(&mut self, segments: SegmentBodies<'_>) -> Result<Vec<SegmentHandle>, Error> {
        let count = segments.check()?;
        let first = self.segments.len();
        check_room(Kind::Segment, first, &self.segment_slots, count)?;
        self.segments.extend(segments);
        let handles: Vec<_> = (first..first + count).map(|row| self.segment_slots.insert(row)).collect();
        self.segments.handle.extend_from_slice(&handles);
        self.reporter.segments_added(count);
        self.index.segments_changed();
        Ok(handles)
    }

    /// Removes a circle and hands it back. What it touched ends with the next step.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn remove_circle(&mut self, circle: CircleHandle) -> Result<CircleBody, Error> {
        let row = self.live_circle(circle)?;
        let body = self.circles.body(row);
        self.take_circle(row, circle);
        Ok(body)
    }

    pub(super) fn take_circle(&mut self, row: usize, circle: CircleHandle) {
        self.reporter.circle_removed(row, circle, self.circles.labels.user_data_of(row));
        self.circles.swap_remove(row);
        self.circle_slots.remove(circle);
        if let Some(&moved) = self.circles.handle.get(row) {
            self.circle_slots.place(moved, row);
        }
        self.warmth.forget_circle(circle.index());
        self.index.circles_changed();
    }

    /// Removes a segment and hands it back. What it touched ends with the next step.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn remove_segment(&mut self, segment: SegmentHandle) -> Result<SegmentBody, Error> {
        let row = self.live_segment(segment)?;
        let body = self.segments.body(row);
        self.take_segment(row, segment);
        Ok(body)
    }

    pub(super) fn take_segment(&mut self, row: usize, segment: SegmentHandle) {
        self.reporter.segment_removed(row, segment, self.segments.labels.user_data_of(row));
        self.segments.swap_remove(row);
        self.segment_slots.remove(segment);
        if let Some(&moved) = self.segments.handle.get(row) {
            self.segment_slots.place(moved, row);
        }
        self.warmth.forget_segment(segment.index());
        self.index.segments_changed();
    }

    /// Overwrites a circle, filter and the like included; its handle stays. What it no longer touches ends with the next step, as edited.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the handle's index).
    pub fn set_circle(&mut self, circle: CircleHandle, body: impl Into<CircleBody>) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let body = body.into();
        body.check(circle.index() as usize)?;
        self.circles.set(row, body);
        self.circle_edited(row);
        self.index.circles_changed();
        Ok(())
    }

    /// Overwrites a segment, filter and the like included; its handle stays. What it no longer touches ends with the next step, as edited.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`], [`Error::Negative`], [`Error::AboveOne`] (of the handle's index).
    pub fn set_segment(&mut self, segment: SegmentHandle, body: impl Into<SegmentBody>) -> Result<(), Error> {
        let row = self.live_segment(segment)?;
        let body = body.into();
        body.check(segment.index() as usize)?;
        self.segments.set(row, body);
        self.segment_edited(row);
        self.index.segments_changed();
        Ok(())
    }

    /// Puts a circle somewhere else; nothing else of it changes. What it no longer touches there ends with the next step, as edited.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`] (of the handle's index).
    pub fn move_circle(&mut self, circle: CircleHandle, position: impl Into<Vec2>) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let position = position.into();
        check_vector(circle, ["x", "y"], position)?;
        (self.circles.x[row], self.circles.y[row]) = (position.x, position.y);
        self.circle_edited(row);
        self.index.circles_changed();
        Ok(())
    }

    /// Makes a circle larger or smaller where it is. What it no longer touches ends with the next step, as edited.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`], [`Error::Negative`] (of the handle's index).
    pub fn set_circle_radius(&mut self, circle: CircleHandle, radius: f32) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        check_value(Kind::Circle, circle.index() as usize, "radius", radius, false)?;
        self.circles.radius[row] = radius;
        self.circle_edited(row);
        self.index.circles_changed();
        Ok(())
    }

    /// Overwrites a circle's velocity, also that of an immovable one.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`] (of the handle's index).
    pub fn set_circle_velocity(&mut self, circle: CircleHandle, velocity: impl Into<Vec2>) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let velocity = velocity.into();
        check_vector(circle, ["velocity_x", "velocity_y"], velocity)?;
        self.circles.velocity_x[row] = velocity.x;
        self.circles.velocity_y[row] = velocity.y;
        Ok(())
    }

    /// Adds to a circle's velocity: the impulse (mass times length per second) times its inverse mass, so nothing to an
    /// immovable one.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::NotFinite`] (of the handle's index), [`Error::OutOfRange`] if the velocity would
    /// overflow.
    pub fn push_circle(&mut self, circle: CircleHandle, impulse: impl Into<Vec2>) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let impulse = impulse.into();
        check_vector(circle, ["impulse_x", "impulse_y"], impulse)?;
        let inverse_mass = self.circles.inverse_mass[row];
        let x = self.circles.velocity_x[row] + impulse.x * inverse_mass;
        let y = self.circles.velocity_y[row] + impulse.y * inverse_mass;
        for (value, field) in [(x, "velocity_x"), (y, "velocity_y")] {
            if !value.is_finite() {
                return Err(Error::OutOfRange { kind: Kind::Circle, bits: circle.to_bits(), field });
            }
        }
        self.circles.velocity_x[row] = x;
        self.circles.velocity_y[row] = y;
        Ok(())
    }

    /// What was known of a circle's touches is no longer so.
    pub(super) fn circle_edited(&mut self, row: usize) {
        self.bring_back_placed(row..row + 1);
        self.reporter.circle_edited(row);
        self.warmth.forget_pairs_of(self.circles.handle[row].index());
    }

    /// The same of a segment.
    pub(super) fn segment_edited(&mut self, row: usize) {
        self.reporter.segment_edited(row);
        self.warmth.forget_segment(self.segments.handle[row].index());
    }

    pub(super) fn live_circle(&self, circle: CircleHandle) -> Result<usize, Error> {
        self.circle_row(circle).ok_or(Error::StaleHandle { kind: Kind::Circle, bits: circle.to_bits() })
    }

    pub(super) fn live_segment(&self, segment: SegmentHandle) -> Result<usize, Error> {
        self.segment_row(segment).ok_or(Error::StaleHandle { kind: Kind::Segment, bits: segment.to_bits() })
    }
}

/// Both components are finite.
fn check_vector(circle: CircleHandle, fields: [&'static str; 2], vector: Vec2) -> Result<(), Error> {
    check_value(Kind::Circle, circle.index() as usize, fields[0], vector.x, true)?;
    check_value(Kind::Circle, circle.index() as usize, fields[1], vector.y, true)
}

/// Rows and slots can be numbered after `adding` more bodies. There are at least as many slots as rows.
fn check_room(kind: Kind, rows: usize, slots: &Slots, adding: usize) -> Result<(), Error> {
    if slots.len().saturating_add(slots.new_slots(adding)) > MAX_ROWS {
        return Err(Error::TooManyBodies { kind, count: rows.saturating_add(adding) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_ends_at_the_last_row_number() {
        let slots = Slots::new();
        assert_eq!(check_room(Kind::Circle, 0, &slots, MAX_ROWS), Ok(()));
        assert_eq!(
            check_room(Kind::Circle, 0, &slots, MAX_ROWS + 1),
            Err(Error::TooManyBodies { kind: Kind::Circle, count: MAX_ROWS + 1 })
        );
    }
}
