//! Detection alone, over the caller's own columns: rows in, rows out.
//!
//! Comes in: columns of circles per call, columns of segments whenever they change. Goes out: contacts whose rows are the
//! caller's. Nothing of the caller's is kept but a copy of the segments. This room does not know of worlds or motion.

use crate::broad_phase::CellSize;
use crate::error::{Error, Kind};
use crate::geometry::{Circles, Segments};
use crate::kernels::Backend;
use crate::narrow_phase::{self, Contacts, Detection, Options, PairKinds};
use crate::parallel::Threads;
use crate::storage::Filters;
use std::ops::Range;

/// The contact limit that is in force unless another is set.
pub const DEFAULT_CONTACT_LIMIT: usize = 1 << 26;

/// How a [`Detector`] is set up. `default()`, then `with_…`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DetectorConfig {
    /// Which kernels run; wide.
    pub backend: Backend,
    /// How many threads work; auto.
    pub threads: Threads,
    /// How wide a cell is; auto.
    pub cell_size: CellSize,
    /// Which kinds of pairs are looked for; all.
    pub pair_kinds: PairKinds,
    /// More contacts than this, of all kinds together, are [`Error::TooManyContacts`].
    pub contact_limit: usize,
}

impl Default for DetectorConfig {
    fn default() -> DetectorConfig {
        DetectorConfig {
            backend: Backend::Wide,
            threads: Threads::Auto,
            cell_size: CellSize::Auto,
            pair_kinds: PairKinds::ALL,
            contact_limit: DEFAULT_CONTACT_LIMIT,
        }
    }
}

impl DetectorConfig {
    /// Sets [`Self::backend`].
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> DetectorConfig {
        DetectorConfig { backend, ..self }
    }

    /// Sets [`Self::threads`].
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> DetectorConfig {
        DetectorConfig { threads, ..self }
    }

    /// Sets [`Self::cell_size`].
    #[must_use]
    pub fn with_cell_size(self, cell_size: CellSize) -> DetectorConfig {
        DetectorConfig { cell_size, ..self }
    }

    /// Sets [`Self::pair_kinds`].
    #[must_use]
    pub fn with_pair_kinds(self, pair_kinds: PairKinds) -> DetectorConfig {
        DetectorConfig { pair_kinds, ..self }
    }

    /// Sets [`Self::contact_limit`].
    #[must_use]
    pub fn with_contact_limit(self, contact_limit: usize) -> DetectorConfig {
        DetectorConfig { contact_limit, ..self }
    }
}

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
}

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

/// What a world and a detector are told alike.
pub(crate) fn check_config(threads: Threads, cell_size: CellSize) -> Result<(), Error> {
    if matches!(threads, Threads::Fixed(n) if !(1..=1024).contains(&n)) {
        return Err(Error::Config { field: "threads", expected: "1 to 1024" });
    }
    if matches!(cell_size, CellSize::Fixed(cell) if !(cell > 0.0 && cell.is_finite())) {
        return Err(Error::Config { field: "cell_size", expected: "finite and above zero" });
    }
    Ok(())
}

fn columns<'a>(segments: Segments<'a>) -> [(&'static str, &'a [f32]); 4] {
    [("x0", segments.x0), ("y0", segments.y0), ("x1", segments.x1), ("y1", segments.y1)]
}

fn check_segments(segments: Segments<'_>) -> Result<(), Error> {
    check_columns(Kind::Segment, &columns(segments))
}

fn check_circles(circles: Circles<'_>) -> Result<(), Error> {
    check_columns(Kind::Circle, &[("x", circles.x), ("y", circles.y), ("radius", circles.radius)])?;
    // Vectorised: one flag for all rows, and a second look only where it is up.
    if circles.radius.iter().fold(false, |any, &r| any | (r < 0.0)) {
        let (row, &value) = circles.radius.iter().enumerate().find(|(_, r)| **r < 0.0).expect("one was seen");
        return Err(Error::Negative { kind: Kind::Circle, row, field: "radius", value });
    }
    Ok(())
}

/// Equal lengths, rows that can be numbered, finite numbers.
#[allow(clippy::eq_op, reason = "a number minus itself says whether it is finite")]
fn check_columns(kind: Kind, columns: &[(&'static str, &[f32])]) -> Result<(), Error> {
    let expected = columns[0].1.len();
    if expected > u32::MAX as usize - 16 {
        return Err(Error::TooManyBodies { kind, count: expected });
    }
    for &(field, column) in columns {
        if column.len() != expected {
            return Err(Error::ColumnLength { kind, field, length: column.len(), expected });
        }
    }
    for &(field, column) in columns {
        // `v - v` is 0 for finite numbers and NaN for all others.
        if column.iter().fold(false, |any, &v| any | (v - v != 0.0)) {
            let (row, &value) = column.iter().enumerate().find(|(_, v)| !v.is_finite()).expect("one was seen");
            return Err(Error::NotFinite { kind, row, field, value });
        }
    }
    Ok(())
}
