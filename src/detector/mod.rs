//! Detection alone, over the caller's own columns: rows in, rows out.
//!
//! Comes in: columns of circles per call, columns of segments whenever they change. Goes out: contacts whose rows are the
//! caller's. Nothing of the caller's is kept but a copy of the segments. This room does not know of worlds or motion.

/// The segments of a detector; a macro, since the fields are borrowed beside its `detection`.
macro_rules! segments {
    ($self:ident) => {
        narrow_phase::Segments {
            x0: &$self.x0,
            y0: &$self.y0,
            x1: &$self.x1,
            y1: &$self.y1,
            radius: &$self.radius,
            moving: &[],
            version: $self.version,
            filters: Filters { category: &$self.category, mask: &$self.mask },
            filter_version: $self.filter_version,
        }
    };
}

mod checks;
mod config;
mod queries;

use crate::error::{Error, Kind};
use crate::geometry::{Circles, Segments};
use crate::narrow_phase::{self, Contacts, Detection, Options};
use crate::storage::Filters;
use checks::{check_circles, check_segments, columns};
pub(crate) use config::check_config;
pub use config::{DEFAULT_CONTACT_LIMIT, DetectorConfig};
use std::ops::Range;

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
    x0: Vec<f32>,
    y0: Vec<f32>,
    x1: Vec<f32>,
    y1: Vec<f32>,
    radius: Vec<f32>,
    version: u64,
    /// Empty: the default.
    category: Vec<u32>,
    /// Empty: the default.
    mask: Vec<u32>,
    filter_version: u64,
    /// Those of the circles last given: category and mask.
    circle_filters: [Vec<u32>; 2],
    index: queries::Index,
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
            x0: Vec::new(),
            y0: Vec::new(),
            x1: Vec::new(),
            y1: Vec::new(),
            radius: Vec::new(),
            version: 0,
            category: Vec::new(),
            mask: Vec::new(),
            filter_version: 0,
            circle_filters: Default::default(),
            index: queries::Index::default(),
        })
    }

    /// Replaces all segments; they meet everything. They are binned at the next [`Self::detect`], and then no more.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::ColumnLength`], [`Error::TooManyBodies`]; nothing is changed then.
    pub fn set_segments(&mut self, segments: Segments<'_>) -> Result<(), Error> {
        check_segments(segments)?;
        for (to, from) in self.columns().into_iter().zip(columns(segments)) {
            to.clear();
            to.extend_from_slice(from.1);
        }
        self.radius.clear();
        self.radius.resize(segments.x0.len(), 0.0);
        self.category.clear();
        self.mask.clear();
        self.version += 1;
        self.index.segments_changed();
        Ok(())
    }

    /// Replaces the segments of these rows by as many others. What they meet stays.
    ///
    /// # Errors
    /// As [`Self::set_segments`], and [`Error::RowRange`] if there are not so many; nothing is changed then.
    pub fn replace_segments(&mut self, rows: Range<usize>, segments: Segments<'_>) -> Result<(), Error> {
        check_segments(segments)?;
        let (start, end, count) = (rows.start, rows.end, self.x0.len());
        if end > count || start > end {
            return Err(Error::RowRange { kind: Kind::Segment, start, end, rows: count });
        }
        if segments.x0.len() != end - start {
            let length = segments.x0.len();
            return Err(Error::ColumnLength { kind: Kind::Segment, field: "x0", length, expected: end - start });
        }
        for (to, from) in self.columns().into_iter().zip(columns(segments)) {
            to[rows.clone()].copy_from_slice(from.1);
        }
        self.version += 1;
        self.index.segments_changed();
        Ok(())
    }

    /// Says whom the segments meet, each other and circles, from the next detection on. Nothing is binned anew.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] unless each column is empty or as long as there are segments; nothing is changed then.
    pub fn set_segment_filters(&mut self, filters: Filters<'_>) -> Result<(), Error> {
        filters.check(Kind::Segment, self.x0.len())?;
        for (to, from) in [(&mut self.category, filters.category), (&mut self.mask, filters.mask)] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.filter_version += 1;
        Ok(())
    }

    /// All touching pairs of these circles and the segments: `a` and `b` are rows of the caller's columns. Circles that
    /// touch each other, circles that touch a segment, segments that touch each other.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`], [`Error::ColumnLength`], [`Error::TooManyBodies`], all before
    /// `contacts` is touched; [`Error::TooManyContacts`], after which it is empty.
    pub fn detect(&mut self, circles: Circles<'_>, contacts: &mut Contacts) -> Result<(), Error> {
        self.detect_filtered(circles, Filters::default(), contacts)
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
        check_circles(circles)?;
        filters.check(Kind::Circle, circles.x.len())?;
        self.keep_filters(filters);
        self.detection.bin(circles, segments!(self));
        self.detection.detect(segments!(self), filters, true, contacts)
    }

    /// The number of segments.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.x0.len()
    }

    /// Bytes held, scratch included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.detection.bytes() + 4 * (5 * self.x0.capacity() + self.category.capacity() + self.mask.capacity())
    }

    fn columns(&mut self) -> [&mut Vec<f32>; 4] {
        [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1]
    }
}
