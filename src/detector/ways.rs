//! The other ways out of a detector: rows alone, a visitor, slices of the caller's, neighbour lists, pairs between two sets of segments.
//!
//! Comes in: a frame, or segments. Goes out: the pairs of a detection in another form, or an error. This room does not know how pairs are found.

use super::{Detector, Frame, SegmentColumns, checks};
use crate::error::{Error, Kind};
use crate::narrow_phase::{AnyContact, ContactCounts, ContactSlices, Neighbors, PairLists, SegmentSegmentContact};
use crate::parallel::Split;
use crate::storage::Filters;

impl Detector {
    /// The rows of all touching pairs, without values: the pairs of [`Self::detect`] in the same order.
    ///
    /// ```
    /// use gridlane::{Circles, Detector, DetectorConfig, PairLists};
    ///
    /// let (mut detector, mut pairs) = (Detector::new(DetectorConfig::default())?, PairLists::new());
    /// detector.pairs(Circles { x: &[0.0, 1.0, 5.0], y: &[0.0; 3], radius: &[0.5; 3] }, &mut pairs)?;
    /// assert_eq!(pairs.circle_circle(), [[0, 1]]); // just touching
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::detect`].
    pub fn pairs<'a>(&mut self, frame: impl Into<Frame<'a>>, pairs: &mut PairLists) -> Result<(), Error> {
        let frame = frame.into();
        self.enter_and(&frame, |detection, segments| detection.pairs(segments, frame.circle_filters, pairs))
    }

    /// Shows all contacts to `each`, one by one on the calling thread: pairs of circles, of circles and segments, of segments, each
    /// kind in the order of [`Self::detect`]. They are not kept anywhere.
    ///
    /// ```
    /// use gridlane::{AnyContact, Circles, Detector, DetectorConfig};
    ///
    /// let mut detector = Detector::new(DetectorConfig::default())?;
    /// let mut deepest = 0.0;
    /// detector.visit(Circles { x: &[0.0, 1.0, 1.5], y: &[0.0; 3], radius: &[0.5; 3] }, |contact| {
    ///     if let AnyContact::CircleCircle(pair) = contact && pair.separation < deepest {
    ///         deepest = pair.separation;
    ///     }
    /// })?;
    /// assert_eq!(deepest, -0.5);
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::detect`]; nothing has been shown then.
    pub fn visit<'a>(&mut self, frame: impl Into<Frame<'a>>, mut each: impl FnMut(AnyContact)) -> Result<(), Error> {
        let frame = frame.into();
        self.enter(&frame)?;
        self.detection.visit(self.kept.all(), frame.circle_filters, &mut each)
    }

    /// Writes all contacts to the front of slices of the caller's, in the order of [`Self::detect`], and tells how many there are of
    /// each kind. What is behind them may be overwritten.
    ///
    /// ```
    /// use gridlane::{CircleCircleContact, Circles, ContactSlices, Detector, DetectorConfig, Error};
    ///
    /// let mut detector = Detector::new(DetectorConfig::default())?;
    /// let circles = Circles { x: &[0.0, 1.0, 2.0], y: &[0.0; 3], radius: &[0.5; 3] };
    /// let mut room = [CircleCircleContact::default(); 2];
    /// let count = detector.detect_into(circles, ContactSlices { circle_circle: &mut room, ..Default::default() })?;
    /// assert_eq!((count.circle_circle, room[0].separation), (2, 0.0));
    /// let refused = detector.detect_into(circles, ContactSlices { circle_circle: &mut room[..1], ..Default::default() });
    /// assert_eq!(refused, Err(Error::NoRoom { circle_circle: 2, circle_segment: 0, segment_segment: 0 }));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::detect`], and [`Error::NoRoom`] with the numbers needed if one of the slices is too short. Nothing is written then.
    pub fn detect_into<'a>(
        &mut self,
        frame: impl Into<Frame<'a>>,
        contacts: ContactSlices<'_>,
    ) -> Result<ContactCounts, Error> {
        let frame = frame.into();
        self.enter_and(&frame, |detection, segments| detection.slices(segments, frame.circle_filters, contacts))
    }

    /// For each circle all others within `margin` of touching it, |c2 - c1| <= r1 + r2 + `margin`, decided exactly. Segments are not
    /// asked, whatever kinds of pairs the detector looks for: those of the frame that move, and their filters, are not even looked at.
    ///
    /// ```
    /// use gridlane::{Circle, Detector, DetectorConfig, Neighbors};
    ///
    /// let (mut detector, mut neighbors) = (Detector::new(DetectorConfig::default())?, Neighbors::new());
    /// let circles = [0.0, 3.0, 6.5].map(|x| Circle::new([x, 0.0], 1.0)); // gaps of 1 and 1.5
    /// detector.neighbors(&circles[..], 1.0, &mut neighbors)?;
    /// assert_eq!((neighbors.offsets(), neighbors.rows()), (&[0, 1, 2, 2][..], &[1, 0][..]));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::detect`] for circles and their filters, and [`Error::Config`] for a margin that is negative or not finite. Nothing is told of
    /// segments of the frame that `detect` would refuse.
    pub fn neighbors<'a>(
        &mut self,
        frame: impl Into<Frame<'a>>,
        margin: f32,
        neighbors: &mut Neighbors,
    ) -> Result<(), Error> {
        let frame = frame.into();
        if !(margin >= 0.0 && margin.is_finite()) {
            return Err(Error::Config { field: "margin", expected: "finite, zero or more" });
        }
        let circles = checks::circles(frame.circles, &mut self.circle_buffers)?;
        checks::check_circles(circles, self.detection.set(), Split::SERIAL)?;
        frame.circle_filters.check(Kind::Circle, circles.x.len())?;
        self.detection.neighbors(circles, frame.circle_filters, margin, neighbors)
    }

    /// All touching pairs of one of the detector's segments, `a`, and one of these, `b`, by their rows in either set: pairs within one of
    /// them are neither told nor looked for.
    ///
    /// ```
    /// use gridlane::{Detector, DetectorConfig, Filters, SegmentClass};
    ///
    /// let roads: [[f32; 4]; 2] = [[0.0, 0.0, 8.0, 0.0], [4.0, 0.0, 4.0, 9.0]]; // they touch: not told
    /// let rivers: [[f32; 4]; 1] = [[6.0, -2.0, 6.0, 2.0]];
    /// let (mut detector, mut bridges) = (Detector::new(DetectorConfig::default())?, Vec::new());
    /// detector.set_segments(&roads)?;
    /// detector.segments_between(&rivers, Filters::default(), &mut bridges)?;
    /// assert_eq!(bridges.len(), 1);
    /// assert_eq!((bridges[0].a, bridges[0].b, bridges[0].class, bridges[0].t), (0, 0, SegmentClass::Cross, 0.75));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::set_segments`], and [`Error::ColumnLength`] of filters, before `contacts` is touched;
    /// [`Error::TooManyContacts`], after which it is empty.
    pub fn segments_between<'a>(
        &mut self,
        segments: impl Into<SegmentColumns<'a>>,
        filters: Filters<'_>,
        contacts: &mut Vec<SegmentSegmentContact>,
    ) -> Result<(), Error> {
        self.kept.bring(segments.into(), filters, self.detection.set())?;
        let first = self.kept.count() as u32;
        contacts.clear();
        let found = self.detection.between(self.kept.all())?;
        contacts.extend(found.iter().map(|contact| SegmentSegmentContact { b: contact.b - first, ..*contact }));
        Ok(())
    }
}
