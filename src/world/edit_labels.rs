//! What is no shape and no motion is set by hand: filters, sensors, bullets, user data, who takes part.
//!
//! Comes in: handles and labels. Goes out: done, or an error and a world as it was. Each costs O(1), but for the first of its kind in a
//! world, for which a column is made, and is no edit in the sense of [`EndReason::Edited`](crate::EndReason::Edited): what it ends has a
//! reason of its own, or none ends.

use super::World;
use crate::error::Error;
use crate::storage::{CircleHandle, Filter, Label, SegmentHandle};

impl World {
    /// Says whom a circle meets, when it is enabled. Touching pairs that do not meet any more end with the next step, as of a changed filter, and
    /// those that do now begin; nothing else ends or begins.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_circle_filter(&mut self, circle: CircleHandle, filter: Filter) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let labels = &mut self.circles.labels;
        labels.set(row, Label { filter, ..labels.of(row) });
        Ok(())
    }

    /// Says whom a segment meets, as [`World::set_circle_filter`]. If it is a static one, the next step finds all pairs of static
    /// segments once more; nothing is binned anew.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_segment_filter(&mut self, segment: SegmentHandle, filter: Filter) -> Result<(), Error> {
        let row = self.live_segment(segment)?;
        let label = self.segments.labels.of(row);
        self.segments.set_label(row, Label { filter, ..label });
        Ok(())
    }

    /// Makes a circle a sensor, or no longer: what it touches is reported, but neither is pushed. A sensor tells all that touches, also what
    /// is no contact of who is solid: one-sided segments from their left, and ends that others hide.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_circle_sensor(&mut self, circle: CircleHandle, sensor: bool) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let labels = &mut self.circles.labels;
        labels.set(row, Label { sensor, ..labels.of(row) });
        Ok(())
    }

    /// Makes a segment a sensor, or no longer: what it touches is reported, but not pushed; all that touches, as of circles.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_segment_sensor(&mut self, segment: SegmentHandle, sensor: bool) -> Result<(), Error> {
        let row = self.live_segment(segment)?;
        self.segments.set_sensor(row, sensor);
        Ok(())
    }

    /// Makes a circle a bullet, or no longer: where it goes farther than half its radius in a step, it meets other circles on its way, see
    /// [`World::circle_impacts`].
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_circle_bullet(&mut self, circle: CircleHandle, bullet: bool) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let labels = &mut self.circles.labels;
        labels.set(row, Label { bullet, ..labels.of(row) });
        Ok(())
    }

    /// Overwrites the caller's own 64 bits of a circle.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_circle_user_data(&mut self, circle: CircleHandle, user_data: u64) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let labels = &mut self.circles.labels;
        labels.set(row, Label { user_data, ..labels.of(row) });
        Ok(())
    }

    /// Overwrites the caller's own 64 bits of a segment.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_segment_user_data(&mut self, segment: SegmentHandle, user_data: u64) -> Result<(), Error> {
        let row = self.live_segment(segment)?;
        let labels = &mut self.segments.labels;
        labels.set(row, Label { user_data, ..labels.of(row) });
        Ok(())
    }

    /// Lets a circle take part, or no longer: a disabled one keeps its row in the columns, place, velocity and handle, but is not
    /// moved, meets nothing, and no question sees it. What it touched ends with the next step, as disabled; enabled again it begins
    /// anew what it touches then.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_circle_enabled(&mut self, circle: CircleHandle, enabled: bool) -> Result<(), Error> {
        let row = self.live_circle(circle)?;
        let labels = &mut self.circles.labels;
        labels.set(row, Label { enabled, ..labels.of(row) });
        Ok(())
    }

    /// Lets a segment take part, or no longer, as [`World::set_circle_enabled`]. If it is a static one, the next step finds all pairs of
    /// static segments once more; nothing is binned anew.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_segment_enabled(&mut self, segment: SegmentHandle, enabled: bool) -> Result<(), Error> {
        let row = self.live_segment(segment)?;
        let label = self.segments.labels.of(row);
        self.segments.set_label(row, Label { enabled, ..label });
        Ok(())
    }
}
