//! Detection alone, over the caller's own columns: rows in, rows out.
//!
//! Comes in: circles per call, wherever they lie, segments whenever they change or per call. Goes out: contacts, or rows alone, whose
//! rows are the caller's. Nothing of the caller's is kept but a copy of the segments. This room does not know of worlds or motion.

mod checks;
mod columns;
mod config;
mod frame;
mod kept;
mod queries;
mod ways;

use crate::error::{Error, Kind};
use crate::geometry::Circles;
use crate::narrow_phase::{Contacts, Detection, Options, Segments};
use crate::parallel::Split;
use crate::storage::Filters;
pub use columns::{CircleColumns, Column, Points, SegmentColumns};
pub(crate) use config::check_config;
pub use config::{DEFAULT_CONTACT_LIMIT, DetectorConfig};
pub use frame::Frame;
use kept::Kept;
use std::ops::Range;

/// Fewer segments than this are looked at and taken before a second thread has been woken.
const ALONE: usize = 65_536;

/// Finds all touching pairs among circles given anew at each call and segments set before.
///
/// ```
/// use gridlane::{Circles, Contacts, Detector, DetectorConfig, Segments};
///
/// let mut detector = Detector::new(DetectorConfig::default())?;
/// detector.set_segments(Segments { x0: &[-9.0], y0: &[0.0], x1: &[9.0], y1: &[0.0] })?;
/// let mut contacts = Contacts::new();
/// let (x, y) = ([0.0, 1.0, 5.0], [3.0, 3.0, 0.5]);
/// detector.detect(Circles { x: &x, y: &y, radius: &[0.5; 3] }, &mut contacts)?;
/// let pair = contacts.circle_circle()[0];
/// assert_eq!((pair.a, pair.b, pair.separation), (0, 1, 0.0)); // just touching
/// let touch = contacts.circle_segment()[0];
/// assert_eq!((touch.a, touch.b, touch.point.x), (2, 0, 5.0));
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Debug)]
pub struct Detector {
    detection: Detection,
    kept: Kept,
    /// Category and mask of the circles that were binned, for questions about them.
    circle_filters: [Vec<u32>; 2],
    /// For columns of circles, and of segments, that are no slices.
    circle_buffers: [Vec<f32>; 3],
    segment_buffers: [Vec<f32>; 5],
}

impl Detector {
    /// A detector without segments.
    ///
    /// # Errors
    /// [`Error::Config`] for a cell size that is not finite and above zero, or a number of threads outside 1..=1024.
    pub fn new(config: DetectorConfig) -> Result<Detector, Error> {
        check_config(config.threads, config.cell_size)?;
        Ok(Detector {
            detection: Detection::new(Options {
                backend: config.backend,
                threads: config.threads,
                cell_size: config.cell_size,
                pair_kinds: config.pair_kinds,
                contact_limit: config.contact_limit,
            }),
            kept: Kept::default(),
            circle_filters: Default::default(),
            circle_buffers: Default::default(),
            segment_buffers: Default::default(),
        })
    }

    /// Replaces all segments; they meet everything. They are binned at the next [`Self::detect`], and then no more.
    /// [Questions](Self::queries) no longer see the moving segments of the last call, only its circles.
    ///
    /// All pairs among segments, from nothing, are this and a call without circles:
    ///
    /// ```
    /// use gridlane::{Contacts, Detector, DetectorConfig, Frame, SegmentClass};
    ///
    /// let lines: [[f32; 4]; 3] = [[0.0, 0.0, 4.0, 0.0], [1.0, -1.0, 1.0, 1.0], [3.0, 0.0, 9.0, 0.0]];
    /// let (mut detector, mut contacts) = (Detector::new(DetectorConfig::default())?, Contacts::new());
    /// detector.set_segments(&lines)?;
    /// detector.detect(Frame::default(), &mut contacts)?;
    /// let mut found = contacts.segment_segment().to_vec(); // in cell order
    /// found.sort_by_key(|pair| (pair.a, pair.b));
    /// assert_eq!((found[0].a, found[0].b, found[0].class), (0, 1, SegmentClass::Cross));
    /// assert_eq!((found[0].point.x, found[0].t, found[0].u), (1.0, 0.25, 0.5));
    /// assert_eq!((found[1].b, found[1].class, found[1].point.x, found[1].to.x), (2, SegmentClass::Overlap, 3.0, 4.0));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::ColumnLength`], [`Error::Layout`], [`Error::TooManyBodies`]; nothing is
    /// changed then.
    pub fn set_segments<'a>(&mut self, segments: impl Into<SegmentColumns<'a>>) -> Result<(), Error> {
        let Detector { detection, kept, segment_buffers, .. } = self;
        let (segments, set) = (checks::segments(segments.into(), segment_buffers)?, detection.set());
        let mut work = |split: Split| {
            checks::check_segments(segments, set, split)?;
            kept.set(segments, split);
            Ok(())
        };
        let rows = segments[0].len();
        if rows < ALONE { work(Split::SERIAL) } else { detection.pool().run(rows, work) }
    }

    /// Replaces the segments of these rows by as many others. What they meet stays.
    ///
    /// # Errors
    /// As [`Self::set_segments`], and [`Error::RowRange`] if there are not so many; nothing is changed then.
    pub fn replace_segments<'a>(
        &mut self,
        rows: Range<usize>,
        segments: impl Into<SegmentColumns<'a>>,
    ) -> Result<(), Error> {
        let segments = checks::segments(segments.into(), &mut self.segment_buffers)?;
        checks::check_segments(segments, self.detection.set(), Split::SERIAL)?;
        let (start, end, count) = (rows.start, rows.end, self.kept.count());
        if end > count || start > end {
            return Err(Error::RowRange { kind: Kind::Segment, start, end, rows: count });
        }
        let length = segments[0].len();
        if length != end - start {
            return Err(Error::ColumnLength { kind: Kind::Segment, field: "x0", length, expected: end - start });
        }
        self.kept.replace(rows, segments);
        Ok(())
    }

    /// Says whom the segments meet, each other and circles, from the next detection on, and who is seen by questions from now on. Nothing is binned anew.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] unless each column is empty or as long as there are segments; nothing is changed then.
    pub fn set_segment_filters(&mut self, filters: Filters<'_>) -> Result<(), Error> {
        filters.check(Kind::Segment, self.kept.count())?;
        self.kept.set_filters(filters);
        Ok(())
    }

    /// All touching pairs of these circles and the segments: `a` and `b` are rows of the caller's columns. Circles that
    /// touch each other, circles that touch a segment, segments that touch each other. A [`Frame`] is [`Circles`] by themselves, or more.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::ColumnLength`], [`Error::Layout`], [`Error::TooManyBodies`], all before
    /// `contacts` is touched; [`Error::TooManyContacts`], after which it is empty.
    pub fn detect<'a>(&mut self, frame: impl Into<Frame<'a>>, contacts: &mut Contacts) -> Result<(), Error> {
        let frame = frame.into();
        self.enter_and(&frame, |detection, segments| detection.detect(segments, frame.circle_filters, true, contacts))
    }

    /// As [`Self::detect`], but only pairs that meet: a pair of which one does not ask for the other is no contact and does not
    /// count as one. Those that are left keep their order.
    ///
    /// ```
    /// use gridlane::{Circles, Contacts, Detector, DetectorConfig, Filters};
    ///
    /// let mut detector = Detector::new(DetectorConfig::default())?;
    /// let circles = Circles { x: &[0.0, 1.0, 2.0], y: &[0.0; 3], radius: &[1.0; 3] };
    /// let mut contacts = Contacts::new();
    /// // The first two are of one team and do not meet each other.
    /// let filters = Filters { category: &[1, 1, 2], mask: &[!1, !1, !2] };
    /// detector.detect_filtered(circles, filters, &mut contacts)?;
    /// let pairs: Vec<_> = contacts.circle_circle().iter().map(|c| (c.a, c.b)).collect();
    /// assert_eq!((pairs.len(), pairs.contains(&(0, 1))), (2, false));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::detect`], and [`Error::ColumnLength`] unless each column of the filters is empty or as long as the others.
    pub fn detect_filtered(
        &mut self,
        circles: Circles<'_>,
        filters: Filters<'_>,
        contacts: &mut Contacts,
    ) -> Result<(), Error> {
        self.detect(Frame::new(circles).with_filters(filters), contacts)
    }

    /// The number of segments, without those of a call.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.kept.count()
    }

    /// Bytes held, scratch included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let buffers = self.circle_buffers.iter().chain(&self.segment_buffers).map(Vec::capacity).sum::<usize>();
        let filters = self.circle_filters.iter().map(Vec::capacity).sum::<usize>();
        self.detection.bytes() + self.kept.bytes() + 4 * (buffers + filters)
    }

    /// Looks at what a call brings, and bins it.
    fn enter(&mut self, frame: &Frame<'_>) -> Result<(), Error> {
        self.enter_and(frame, |_, _| Ok(()))
    }

    /// The same, and does `then` with what was binned: on the same thread of the pool, where several work.
    fn enter_and<R: Send>(
        &mut self,
        frame: &Frame<'_>,
        then: impl FnOnce(&mut Detection, Segments<'_>) -> Result<R, Error> + Send,
    ) -> Result<R, Error> {
        let Detector { detection, kept, circle_filters, circle_buffers, .. } = self;
        let circles = checks::circles(frame.circles, circle_buffers)?;
        let (pool, set) = (detection.pool().clone(), detection.set());
        pool.run(circles.x.len(), |split| {
            let extent = checks::check_circles(circles, set, split)?;
            frame.circle_filters.check(Kind::Circle, circles.x.len())?;
            kept.bring(frame.moving, frame.moving_filters, set)?;
            let filters = [frame.circle_filters.category, frame.circle_filters.mask];
            for (to, from) in circle_filters.iter_mut().zip(filters) {
                to.clear();
                to.extend_from_slice(from);
            }
            let segments = kept.all();
            detection.bin_within(extent, circles, segments);
            then(detection, segments)
        })
    }
}
