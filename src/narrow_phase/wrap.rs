//! Contacts across the border of a plane that repeats, beside those that detection has found without it.
//!
//! Comes in: circles, segments, the contacts of the plane that does not repeat. Goes out: the contacts of the one that does: each touching
//! pair once, by its shortest image. Kept from call to call: buffers, and which static segments are near the border. This room does not
//! know how anything moves.
//!
//! **Pairs of circles**: the image of least distance along each axis; where two are equally far, the one that is not moved.
//! **Circles and segments**: of the images that act, or of all if none does, that of least separation as it is reported; of several such, the
//! one moved least. Whoever asks says which act.
//! **Segments**: the pair as it stands where that touches, else the image moved least.
//! Where that is not the pair as it stands, its contact takes the place of the one found without images.
//! **Order**: contacts across the border come last of their kind, by their rows. Points and normals are seen from `a`.
//!
//! Method: images of the circles near the border go through a detection of their own, whose pairs are candidates; each is then decided
//! exactly, with the period unrounded. Cost: one look at each circle, and what detection costs for those near the border.

use super::columns::Segments;
use super::detection::{Detection, Options};
use super::wrap_images::{Extent, Image, Images, NOWHERE, box_of, each_image, most_candidates, union};
use super::wrap_segments::AcrossSegments;
use super::{CircleCircleContact, CircleSegmentContact, Contacts, PairKinds, PairLists};
use crate::geometry::{Circle, Circles, Periods, Segment, Vec2, circle_touches_segment, circles_touch};
use crate::kernels::images;
use crate::parallel::Threads;
use crate::storage::{Filters, largest};

/// Why contacts across the border are not told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// The segment in this row is farther than one period beyond the stretch.
    Segment(usize),
    /// More contacts than the limit.
    TooMany,
}

/// All bodies, each in the row by which contacts call it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies<'a> {
    pub(crate) circles: Circles<'a>,
    pub(crate) filters: Filters<'a>,
    pub(crate) segments: Segments<'a>,
}

impl Bodies<'_> {
    fn circle(&self, row: u32) -> Circle {
        let row = row as usize;
        Circle { center: Vec2::new(self.circles.x[row], self.circles.y[row]), radius: self.circles.radius[row] }
    }

    fn segment(&self, row: u32) -> Segment {
        let (s, row) = (&self.segments, row as usize);
        let (start, end) = (Vec2::new(s.x0[row], s.y0[row]), Vec2::new(s.x1[row], s.y1[row]));
        Segment { start, end, radius: s.radius[row] }
    }
}

/// Whether a segment acts on a circle, by their rows, where it is moved by so many periods.
pub(crate) type Acts<'a> = &'a dyn Fn([u32; 2], [i8; 2]) -> bool;

/// A circle and the image of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) contact: CircleSegmentContact,
    /// By how many periods the segment is moved.
    count: [i8; 2],
    /// It acts there.
    pub(crate) acts: bool,
}

impl Met {
    fn rows(&self) -> [u32; 2] {
        [self.contact.a, self.contact.b]
    }
}

/// Which circles and segments meet across the border, by their rows, and by which images.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Across<'a> {
    periods: Periods,
    /// Ascending by rows, each pair once.
    pub(crate) met: &'a [Met],
}

impl Across<'_> {
    /// How far the segment of a contact is moved to be where the circle meets it; `None`: it is met as it stands.
    pub(crate) fn way(&self, contact: &CircleSegmentContact) -> Option<[f64; 2]> {
        let at = self.met.binary_search_by_key(&[contact.a, contact.b], Met::rows).ok()?;
        Some([0, 1].map(|axis| f64::from(self.met[at].count[axis]) * self.periods.length(axis)))
    }
}

/// See the head of the module.
#[derive(Debug)]
pub(crate) struct Wrap {
    periods: Periods,
    kinds: PairKinds,
    limit: usize,
    detection: Detection,
    images: Images,
    walls: Walls,
    across: AcrossSegments,
    pairs: PairLists,
    circle_circle: Vec<CircleCircleContact>,
    circle_segment: Vec<Met>,
    /// Pairs whose contact without images is not that of their shortest image.
    gone: Vec<[u32; 2]>,
}

impl Wrap {
    /// For a plane with these periods; of the options only kinds of pairs, limit and kernels matter.
    pub(crate) fn new(periods: Periods, options: Options) -> Wrap {
        let Options { pair_kinds: kinds, contact_limit: limit, .. } = options;
        let contact_limit = most_candidates(limit);
        let pair_kinds = PairKinds { segment_segment: false, ..kinds };
        let options = Options { threads: Threads::Fixed(1), pair_kinds, contact_limit, ..options };
        Wrap {
            periods,
            kinds,
            limit,
            detection: Detection::new(options),
            images: Images::default(),
            walls: Walls::default(),
            across: AcrossSegments::default(),
            pairs: PairLists::default(),
            circle_circle: Vec::new(),
            circle_segment: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Refuses what [`Self::add`] would refuse whatever circles do: static segments that are too far beyond the border.
    pub(crate) fn check_fixed(&mut self, segments: &Segments<'_>) -> Result<(), Refusal> {
        self.walls.check_fixed(&self.periods, segments).map_err(Refusal::Segment)
    }

    /// Adds what touches across the border to contacts that were found without.
    pub(crate) fn add(&mut self, bodies: Bodies<'_>, acts: Acts<'_>, contacts: &mut Contacts) -> Result<(), Refusal> {
        let largest = largest(bodies.circles.radius);
        self.walls.gather(&self.periods, &bodies.segments, largest).map_err(Refusal::Segment)?;
        if self.kinds.segment_segment {
            let (covers, options) = (self.walls.covers, &self.detection.options);
            let found =
                self.across.add(&self.periods, &bodies.segments, covers, options, &mut contacts.segment_segment);
            found.map_err(|_| Refusal::TooMany)?;
        }
        let meets = (self.kinds.circle_circle).then_some(largest);
        let extent = if self.kinds.circle_segment { self.walls.extent() } else { NOWHERE };
        self.clear();
        if self.find((&bodies, acts), (meets, largest), extent, None).is_err() {
            self.clear();
            for count in each_image(2) {
                self.find((&bodies, acts), (meets, largest), extent, Some(count))?;
                self.settle_walls();
                if self.circle_circle.len() + self.circle_segment.len() > self.limit {
                    return Err(Refusal::TooMany);
                }
            }
        }
        self.add_circles(&bodies, &mut contacts.circle_circle);
        self.add_walls((&bodies, acts), &mut contacts.circle_segment);
        if contacts.len() > self.limit { Err(Refusal::TooMany) } else { Ok(()) }
    }

    /// Contacts of circles and segments that were added last.
    pub(crate) fn across(&self) -> Across<'_> {
        Across { periods: self.periods, met: &self.circle_segment }
    }

    fn clear(&mut self) {
        self.circle_circle.clear();
        self.circle_segment.clear();
    }

    /// What touches by any image, or by one.
    fn find(
        &mut self,
        (bodies, acts): (&Bodies<'_>, Acts<'_>),
        radii: (Option<f32>, f32),
        walls: Extent,
        only: Option<[i8; 2]>,
    ) -> Result<(), Refusal> {
        self.images.gather(&self.periods, bodies.circles, bodies.filters, radii, walls, only);
        if !self.images.names.is_empty() {
            let walls = self.walls.view();
            self.detection.bin(self.images.circles(), walls);
            let found = self.detection.pairs(walls, self.images.filters(), &mut self.pairs);
            found.map_err(|_| Refusal::TooMany)?;
            self.find_circles(bodies);
            self.find_walls(bodies, acts);
        }
        Ok(())
    }

    fn find_circles(&mut self, bodies: &Bodies<'_>) {
        let at = |row: u32| [bodies.circles.x[row as usize], bodies.circles.y[row as usize]];
        for &[one, two] in self.pairs.circle_circle() {
            let [one, two] = [one, two].map(|row| self.images.names[row as usize]);
            let (image, real) = if one.is_real() { (two, one) } else { (one, two) };
            if !(real.is_real() && image.stands_for_pairs()) || image.row == real.row {
                continue;
            }
            let Image { row, count } = image;
            // Seen from the lower row, it is the higher one that is moved.
            let (a, b, count) =
                if row < real.row { (row, real.row, count.map(|count| -count)) } else { (real.row, row, count) };
            if self.periods.shortest(at(a), at(b)) != count {
                continue;
            }
            let circles = [bodies.circle(a), bodies.circle(b)];
            if let Some(contact) = images::of_circles(circles[0], circles[1], &self.periods.shift(count)) {
                self.circle_circle.push(CircleCircleContact { a, b, ..contact });
            }
        }
    }

    fn add_circles(&mut self, bodies: &Bodies<'_>, to: &mut Vec<CircleCircleContact>) {
        self.gone.clear();
        let stands = |contact: &&CircleCircleContact| circles_touch(bodies.circle(contact.a), bodies.circle(contact.b));
        self.gone.extend(self.circle_circle.iter().filter(stands).map(|contact| [contact.a, contact.b]));
        self.circle_circle.sort_unstable_by_key(|contact| [contact.a, contact.b]);
        drop_gone(&mut self.gone, to, |contact| [contact.a, contact.b]);
        to.extend_from_slice(&self.circle_circle);
    }

    fn find_walls(&mut self, bodies: &Bodies<'_>, acts: Acts<'_>) {
        for &[image, wall] in self.pairs.circle_segment() {
            let Image { row: a, count } = self.images.names[image as usize];
            let (b, count) = (self.walls.names[wall as usize], count.map(|count| -count));
            if count != [0, 0] {
                let shift = self.periods.shift(count);
                let contact = images::of_circle_and_segment(bodies.circle(a), bodies.segment(b), &shift);
                self.circle_segment.extend(contact.map(|contact| {
                    let contact = CircleSegmentContact { a, b, ..contact };
                    Met { contact, count, acts: acts([a, b], count) }
                }));
            }
        }
    }

    /// The best image of each pair comes first, the others are left out.
    fn settle_walls(&mut self) {
        self.circle_segment.sort_unstable_by(|one, two| {
            let first = |met: &Met| (met.rows(), !met.acts);
            let rank = |met: &Met| (met.count[0].abs() + met.count[1].abs(), met.count);
            let nearer = one.contact.separation.total_cmp(&two.contact.separation);
            first(one).cmp(&first(two)).then(nearer).then(rank(one).cmp(&rank(two)))
        });
        self.circle_segment.dedup_by_key(|met| met.rows());
    }

    fn add_walls(&mut self, (bodies, acts): (&Bodies<'_>, Acts<'_>), to: &mut Vec<CircleSegmentContact>) {
        self.settle_walls();
        self.gone.clear();
        let (gone, periods) = (&mut self.gone, &self.periods);
        self.circle_segment.retain(|met| {
            let (circle, segment) = (bodies.circle(met.contact.a), bodies.segment(met.contact.b));
            if !circle_touches_segment(circle, segment) {
                return true;
            }
            let stands = images::of_circle_and_segment(circle, segment, &periods.shift([0, 0]));
            let nearer = stands.is_none_or(|stands| met.contact.separation < stands.separation);
            // Of one that does not act it is for others to say so.
            let better = met.acts && (nearer || !acts(met.rows(), [0, 0]));
            if better {
                gone.push(met.rows());
            }
            better
        });
        drop_gone(&mut self.gone, to, |contact| [contact.a, contact.b]);
        to.extend(self.circle_segment.iter().map(|met| met.contact));
    }
}

/// Takes the contacts of some pairs out of all.
fn drop_gone<T>(gone: &mut [[u32; 2]], from: &mut Vec<T>, rows: impl Fn(&T) -> [u32; 2]) {
    if !gone.is_empty() {
        gone.sort_unstable();
        from.retain(|contact| gone.binary_search(&rows(contact)).is_err());
    }
}

/// The segments that images of circles can meet: those that reach near the border or beyond it.
#[derive(Debug, Default)]
struct Walls {
    columns: [Vec<f32>; 5],
    filters: [Vec<u32>; 2],
    /// The rows they have among all.
    names: Vec<u32>,
    /// 0, 1, 2, ...: to the detection of images, all of them move.
    rows: Vec<u32>,
    /// The first so many are static ones, chosen for this version of all, of their filters, and this largest radius.
    fixed: usize,
    chosen: Option<(u64, u64, u32)>,
    /// The version of all of which no static one is too far beyond the border.
    kept: Option<u64>,
    /// What covers all static segments, and all others.
    covers: [Extent; 2],
}

impl Walls {
    fn check_fixed(&mut self, periods: &Periods, segments: &Segments<'_>) -> Result<(), usize> {
        if self.kept != Some(segments.version) {
            let beyond = segments.fixed_rows().find(|&row| !periods.can_keep(segments.capsules().ends(row as usize)));
            beyond.map_or(Ok(()), |row| Err(row as usize))?;
            self.kept = Some(segments.version);
        }
        Ok(())
    }

    /// Chooses them; a segment that is too far beyond the border is refused by its row.
    fn gather(&mut self, periods: &Periods, segments: &Segments<'_>, largest: f32) -> Result<(), usize> {
        let version = Some((segments.version, segments.filter_version, largest.to_bits()));
        if self.chosen != version {
            self.chosen = None;
            self.cut(0);
            self.covers[0] = NOWHERE;
            for row in segments.fixed_rows() {
                self.choose(periods, segments, largest, row, 0)?;
            }
            (self.fixed, self.chosen) = (self.names.len(), version);
        }
        self.cut(self.fixed);
        self.covers[1] = NOWHERE;
        for &row in segments.moving {
            self.choose(periods, segments, largest, row, 1)?;
        }
        self.rows.clear();
        self.rows.extend(0..self.names.len() as u32);
        Ok(())
    }

    fn cut(&mut self, length: usize) {
        self.columns.iter_mut().for_each(|column| column.truncate(length));
        self.filters.iter_mut().for_each(|column| column.truncate(length));
        self.names.truncate(length);
    }

    fn choose(
        &mut self,
        periods: &Periods,
        segments: &Segments<'_>,
        largest: f32,
        row: u32,
        kind: usize,
    ) -> Result<(), usize> {
        let at = row as usize;
        if !periods.can_keep(segments.capsules().ends(at)) {
            return Err(at);
        }
        let around = box_of(segments, at);
        self.covers[kind] = union(self.covers[kind], around);
        let is_near = |axis: usize| {
            let ([low, high], reach) = (periods.stretch(axis).map(f64::from), f64::from(largest));
            // Far more than what the sums are rounded by.
            let slack = (low.abs() + high.abs() + reach + around[axis][1] - around[axis][0]) / (1u64 << 40) as f64;
            let reach = reach + slack;
            periods.length(axis) > 0.0 && (around[axis][0] - low <= reach || high - around[axis][1] <= reach)
        };
        if is_near(0) || is_near(1) {
            let from = [segments.x0, segments.y0, segments.x1, segments.y1, segments.radius];
            self.columns.iter_mut().zip(from).for_each(|(column, from)| column.push(from[at]));
            let filter = segments.filters.of(row);
            self.filters[0].push(filter.category);
            self.filters[1].push(filter.mask);
            self.names.push(row);
        }
        Ok(())
    }

    /// What covers all segments.
    fn extent(&self) -> Extent {
        union(self.covers[0], self.covers[1])
    }

    /// Those that were chosen.
    fn view(&self) -> Segments<'_> {
        let [category, mask] = &self.filters;
        let columns = self.columns.each_ref().map(Vec::as_slice);
        Segments::passing(columns, &self.rows, Filters { category, mask })
    }
}
