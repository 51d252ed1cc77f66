//! What a detector hands to `query`.
//!
//! Comes in: circles and segments of one call, to be kept. Goes out: a scene of those that the last call kept and of the detector's own segments, under
//! cells that are made when first asked for. This room does not know what is asked.

use super::{CircleColumns, Detector, Frame};
use crate::error::Error;
use crate::geometry::{Aabb, Circle, Circles, Ray, Segment, Segments, Vec2};
use crate::query::{
    Fan, Hit, HitLists, Lists, MovingCircles, Nearest, NearestLists, Queries, QueryFilter, QueryPoints, Rays, Scan,
    Scans, Scene, Target, TargetLists, doors,
};
use crate::storage::Filters;

impl Detector {
    /// Asks about the circles and the moving segments of the last call that took some for itself, such as [`Self::detect`] or
    /// [`Self::set_frame`] ([`Self::neighbors`] leaves all as it was, [`Self::segments_between`] the circles), and the segments as they are set now.
    /// After a call that was refused for its moving segments, or after [`Self::set_segments`], there are none of a call. Rows are the caller's.
    #[must_use]
    pub fn queries(&self) -> Queries<'_> {
        let segments = self.kept.all();
        let [category, mask] = &self.circle_filters;
        let scene = Scene {
            backend: self.detection.backend(),
            set: self.detection.set(),
            grid: self.detection.grid(),
            cells: self.kept.cells(),
            ray_cells: self.kept.ray_cells(),
            capsules: segments.capsules(),
            filters: [Filters { category, mask }, segments.filters],
            sensors: [&[], &[]],
        };
        Queries::new(scene, self.detection.pool(), None)
    }

    /// [`Self::set_frame`] of circles alone.
    ///
    /// # Errors
    /// As there.
    pub fn set_circles<'a>(
        &mut self,
        circles: impl Into<CircleColumns<'a>>,
        filters: Filters<'a>,
    ) -> Result<(), Error> {
        self.set_frame(Frame::new(circles).with_filters(filters))
    }

    /// Takes circles, and segments that move, to be asked about, without looking for contacts.
    ///
    /// # Errors
    /// As [`Self::detect`], but for [`Error::TooManyContacts`]; what was asked about until then may be gone.
    pub fn set_frame<'a>(&mut self, frame: impl Into<Frame<'a>>) -> Result<(), Error> {
        self.enter(&frame.into())
    }

    doors!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DetectorConfig, SegmentColumns};

    #[test]
    fn segments_set_anew_leave_no_moving_ones_behind() {
        let (mut detector, all, mut found) =
            (Detector::new(DetectorConfig::default()).unwrap(), QueryFilter::new(), vec![]);
        let wall = |x: f32| [[x, -1.0, x, 1.0]];
        let (moving, circles) = (wall(3.0), [[3.0f32, 0.0, 0.5]]);
        detector.set_segments(&wall(0.0)).unwrap();
        detector.set_frame(Frame::new(&circles).with_moving(SegmentColumns::from(&moving))).unwrap();
        detector.overlap_point([3.0, 0.0], all, &mut found).unwrap();
        assert_eq!(found, [Target::circle(0), Target::segment(1)]);
        detector.set_segments(&wall(0.0)).unwrap();
        detector.overlap_point([3.0, 0.0], all, &mut found).unwrap();
        assert_eq!(found, [Target::circle(0)]);
    }
}
