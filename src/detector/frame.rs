//! What a detector is given at a call.
//!
//! Comes in: columns, wherever they lie, and filters. Goes out: all of them as one, as they are: nothing is looked at here.

use super::columns::{CircleColumns, SegmentColumns};
use crate::geometry::{Circle, Circles};
use crate::storage::Filters;

/// Everything that is given anew at each call: circles, segments that move, and whom they meet. `From` [`Circles`],
/// [`CircleColumns`] and slices of [`Circle`]; `default()` is nothing at all, for pairs of the detector's own segments.
///
/// The rows of moving segments follow those of the detector's own: with `n` of those, the first has row `n` in contacts.
///
/// ```
/// use gridlane::{Circles, Contacts, Detector, DetectorConfig, Frame, Segment, Segments};
///
/// let mut detector = Detector::new(DetectorConfig::default())?;
/// detector.set_segments(Segments { x0: &[-9.0], y0: &[0.0], x1: &[9.0], y1: &[0.0] })?; // a floor: row 0
/// let circles = Circles { x: &[0.0], y: &[0.5], radius: &[0.5] };
/// let mut contacts = Contacts::new();
/// for height in [2.0, 0.75] {
///     let lift = [Segment::new([-1.0, height], [1.0, height])]; // row 1
///     detector.detect(Frame::from(circles).with_moving(&lift), &mut contacts)?;
///     let rows: Vec<_> = contacts.circle_segment().iter().map(|c| (c.a, c.b)).collect();
///     assert_eq!(rows, if height > 1.0 { vec![(0, 0)] } else { vec![(0, 0), (0, 1)] });
/// }
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// The circles.
    pub circles: CircleColumns<'a>,
    /// Whom they meet.
    pub circle_filters: Filters<'a>,
    /// Segments of this call alone.
    pub moving: SegmentColumns<'a>,
    /// Whom they meet.
    pub moving_filters: Filters<'a>,
}

impl<'a> Frame<'a> {
    /// Circles that meet everything, and no segments.
    #[must_use]
    pub fn new(circles: impl Into<CircleColumns<'a>>) -> Frame<'a> {
        Frame { circles: circles.into(), ..Frame::default() }
    }

    /// Sets [`Self::circle_filters`].
    #[must_use]
    pub fn with_filters(self, circle_filters: Filters<'a>) -> Frame<'a> {
        Frame { circle_filters, ..self }
    }

    /// Sets [`Self::moving`].
    #[must_use]
    pub fn with_moving(self, moving: impl Into<SegmentColumns<'a>>) -> Frame<'a> {
        Frame { moving: moving.into(), ..self }
    }

    /// Sets [`Self::moving_filters`].
    #[must_use]
    pub fn with_moving_filters(self, moving_filters: Filters<'a>) -> Frame<'a> {
        Frame { moving_filters, ..self }
    }
}

impl<'a> From<Circles<'a>> for Frame<'a> {
    fn from(circles: Circles<'a>) -> Frame<'a> {
        Frame::new(circles)
    }
}

impl<'a> From<CircleColumns<'a>> for Frame<'a> {
    fn from(circles: CircleColumns<'a>) -> Frame<'a> {
        Frame::new(circles)
    }
}

impl<'a> From<&'a [Circle]> for Frame<'a> {
    fn from(circles: &'a [Circle]) -> Frame<'a> {
        Frame::new(circles)
    }
}
