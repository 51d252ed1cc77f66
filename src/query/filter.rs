//! Which bodies a question sees.
//!
//! Comes in: what a caller says of that, the filters of bodies. Goes out: yes or no for each body that somebody asks about. This room does not know shapes.

use super::{Target, TargetKind};
use crate::storage::{CircleHandle, Filter, SegmentHandle};

/// Which bodies a query sees: all, unless told otherwise. Bodies it does not see are as if they were not there.
///
/// ```
/// use gridlane::{Filter, QueryFilter, Target};
///
/// const GLASS: u32 = 1 << 3;
/// let sight = QueryFilter::new().with_filter(Filter::new(u32::MAX, !GLASS)).without_sensors();
/// let even = |body: Target| body.row % 2 == 0;
/// let narrow = sight.segments_only().with_condition(&even);
/// # let _ = narrow;
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    /// What the query is, and what it meets: the rule of [`Filter::meets`]. All categories and all masks; so only bodies that meet
    /// nothing at all are not seen.
    pub filter: Filter,
    /// Circles are seen.
    pub circles: bool,
    /// Segments are seen.
    pub segments: bool,
    /// Sensors are seen.
    pub sensors: bool,
    /// One body that is not seen, by its row: mostly the one that asks.
    pub without: Target,
    pub(super) circle: Option<CircleHandle>,
    pub(super) segment: Option<SegmentHandle>,
    condition: Option<&'a (dyn Fn(Target) -> bool + Sync)>,
}

impl<'a> QueryFilter<'a> {
    /// Sees everything.
    #[must_use]
    pub const fn new() -> QueryFilter<'a> {
        QueryFilter {
            filter: Filter::new(u32::MAX, u32::MAX),
            circles: true,
            segments: true,
            sensors: true,
            without: Target::NOTHING,
            circle: None,
            segment: None,
            condition: None,
        }
    }

    /// Sees what meets this filter.
    #[must_use]
    pub const fn with_filter(self, filter: Filter) -> QueryFilter<'a> {
        QueryFilter { filter, ..self }
    }

    /// Sees no segments.
    #[must_use]
    pub const fn circles_only(self) -> QueryFilter<'a> {
        QueryFilter { circles: true, segments: false, ..self }
    }

    /// Sees no circles.
    #[must_use]
    pub const fn segments_only(self) -> QueryFilter<'a> {
        QueryFilter { circles: false, segments: true, ..self }
    }

    /// Sees no sensors.
    #[must_use]
    pub const fn without_sensors(self) -> QueryFilter<'a> {
        QueryFilter { sensors: false, ..self }
    }

    /// Does not see the body in this row.
    #[must_use]
    pub const fn without(self, target: Target) -> QueryFilter<'a> {
        QueryFilter { without: target, ..self }
    }

    /// Does not see this circle of a world; a stale handle takes nothing away. One circle: the last call stands, and who has several asks by
    /// [condition](Self::with_condition). A detector has no handles: it takes no notice.
    #[must_use]
    pub const fn without_circle(self, circle: CircleHandle) -> QueryFilter<'a> {
        QueryFilter { circle: Some(circle), ..self }
    }

    /// Does not see this segment of a world; a stale handle takes nothing away. One segment, beside one circle: the last call stands. A detector has no
    /// handles: it takes no notice.
    #[must_use]
    pub const fn without_segment(self, segment: SegmentHandle) -> QueryFilter<'a> {
        QueryFilter { segment: Some(segment), ..self }
    }

    /// Sees only bodies of which `condition` is true. It has to be a function of the row alone; it may be asked on several threads, in
    /// any order, about bodies that are near, and not of all that are found by then to be out of the question.
    #[must_use]
    pub const fn with_condition<'b>(self, condition: &'b (dyn Fn(Target) -> bool + Sync)) -> QueryFilter<'b>
    where
        'a: 'b,
    {
        QueryFilter { condition: Some(condition), ..self }
    }

    /// The condition is true, or there is none.
    #[inline]
    pub(super) fn agrees(&self, target: Target) -> bool {
        self.condition.is_none_or(|condition| condition(target))
    }
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        QueryFilter::new()
    }
}

impl std::fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryFilter")
            .field("filter", &self.filter)
            .field("circles", &self.circles)
            .field("segments", &self.segments)
            .field("sensors", &self.sensors)
            .field("without", &self.without)
            .field("circle", &self.circle)
            .field("segment", &self.segment)
            .field("condition", &self.condition.is_some())
            .finish()
    }
}

/// A filter, with handles resolved to rows, as the searches ask it.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    filter: QueryFilter<'a>,
    /// Circles that are not asked one by one are seen; segments likewise.
    free: [bool; 2],
    /// All circles are seen but for [these](Self::circles).
    all_but: bool,
    /// Rows of circles that are not seen: by row, by handle, and whom a batch leaves out for one of its own; of segments, by row and by handle.
    circles: [Option<u32>; 3],
    segments: [Option<u32>; 2],
}

impl<'a> Look<'a> {
    /// `skip`: rows of a circle and a segment that the caller's handles stand for. `plain`: no circle, and no segment, has a filter of
    /// its own or is a sensor.
    pub(crate) fn new(filter: &QueryFilter<'a>, skip: [Option<u32>; 2], plain: [bool; 2]) -> Look<'a> {
        let row = |kind| (filter.without.kind == kind).then_some(filter.without.row);
        let [circle, segment] = [row(TargetKind::Circle), row(TargetKind::Segment)];
        let free = filter.condition.is_none() && filter.filter.meets(Filter::DEFAULT);
        let one = |kind: usize, row: Option<u32>| free && plain[kind] && row.is_none() && skip[kind].is_none();
        Look {
            filter: *filter,
            free: [one(0, circle), one(1, segment)],
            all_but: free && plain[0],
            circles: [circle, skip[0], None],
            segments: [segment, skip[1]],
        }
    }

    /// The same without the circle that a batch leaves out for one of its own.
    pub(crate) fn without_circle(mut self, row: u32) -> Look<'a> {
        self.circles[2] = Some(row);
        self.free[0] = false;
        self
    }

    /// Who is seen is known without a word from the caller.
    pub(crate) fn has_no_condition(&self) -> bool {
        self.filter.condition.is_none()
    }

    /// Any circle is seen.
    pub(crate) fn circles(&self) -> bool {
        self.filter.circles
    }

    /// Any segment is seen.
    pub(crate) fn segments(&self) -> bool {
        self.filter.segments
    }

    /// All circles are seen: nobody needs to be asked.
    #[inline(always)]
    pub(crate) fn all_circles(&self) -> bool {
        self.free[0]
    }

    /// Whether somebody has to be asked about but for circles that are left out by their row.
    pub(crate) fn asks(&self) -> bool {
        !(self.all_but && self.all_segments())
    }

    /// Which circle is left out by its row, if any; none if it is more than one.
    pub(crate) fn circle_left_out(&self) -> Option<Option<u32>> {
        let [a, b, c] = self.circles;
        let one = a.or(b).or(c);
        self.circles.iter().all(|&row| row.is_none() || row == one).then_some(one)
    }

    /// All segments are seen: nobody needs to be asked.
    #[inline(always)]
    pub(crate) fn all_segments(&self) -> bool {
        self.free[1]
    }

    /// This body, with this filter, a sensor or not, is seen.
    pub(crate) fn sees(&self, target: Target, filter: Filter, sensor: bool) -> bool {
        let skip = if target.kind == TargetKind::Circle { &self.circles[..] } else { &self.segments[..] };
        self.filter.filter.meets(filter)
            && (self.filter.sensors || !sensor)
            && !skip.contains(&Some(target.row))
            && self.filter.agrees(target)
    }
}
