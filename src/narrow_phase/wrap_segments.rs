//! Pairs of segments across the border of a plane that repeats.
//!
//! Comes in: segments. Goes out: contacts of those pairs that touch by an image alone, by their rows. Kept from call to call: the pairs of
//! static segments, for as long as those stand. This room does not know circles.
//!
//! **Which image**: the pair as it stands, where that touches; else the one moved least.
//!
//! Method: segments and images of segments that reach into each other's boxes go through a detection of their own, with coordinates
//! rounded and radii grown; each pair is then decided exactly. Cost: nothing where all segments together are shorter than the period along
//! each axis that repeats; else one look at each static segment when they change, at all in each call when some move, and what detection costs
//! for those that reach across.

use super::columns::Segments;
use super::detection::Options;
use super::segment_pairs::SegmentPairs;
use super::wrap_images::{Extent, box_of, each_image, grow, most_candidates, union};
use super::{SegmentClass, SegmentSegmentContact};
use crate::geometry::{ImageTouch, Periods, Segment, SegmentRelation, Vec2, segment_segment_image, segments_touch};
use crate::parallel::Split;
use crate::storage::Filters;

/// More than the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct AcrossSegments {
    pairs: SegmentPairs,
    columns: [Vec<f32>; 5],
    filters: [Vec<u32>; 2],
    names: Vec<(u32, [i8; 2])>,
    /// 0, 1, 2, ...: to the detection of images, all of them move.
    rows: Vec<u32>,
    /// Those of static segments, of this version.
    fixed: Vec<SegmentSegmentContact>,
    version: Option<(u64, u64)>,
    found: Vec<(SegmentSegmentContact, [i8; 2])>,
}

impl AcrossSegments {
    /// Appends the contacts. `covers`: what covers the static segments, and the others.
    pub(super) fn add(
        &mut self,
        periods: &Periods,
        segments: &Segments<'_>,
        covers: [Extent; 2],
        options: &Options,
        to: &mut Vec<SegmentSegmentContact>,
    ) -> Result<(), TooMany> {
        let version = Some((segments.version, segments.filter_version));
        if self.version != version {
            self.version = None;
            self.find(periods, segments, covers[0], options, (segments.fixed_rows(), false))?;
            self.fixed.clear();
            self.fixed.extend(self.found.iter().map(|(contact, _)| contact));
            self.version = version;
        }
        to.extend_from_slice(&self.fixed);
        if !segments.moving.is_empty() {
            let all = 0..segments.x0.len() as u32;
            self.find(periods, segments, union(covers[0], covers[1]), options, (all, true))?;
            to.extend(self.found.iter().map(|(contact, _)| contact));
        }
        Ok(())
    }

    /// Each pair once, by its rows.
    fn settle(&mut self) {
        let rank = |by: &[i8; 2]| (by[0].abs() + by[1].abs(), *by);
        self.found.sort_unstable_by_key(|(contact, by)| ([contact.a, contact.b], rank(by)));
        self.found.dedup_by_key(|(contact, _)| [contact.a, contact.b]);
    }

    /// The contacts of all pairs of these rows, or of those of which one moves.
    fn find(
        &mut self,
        periods: &Periods,
        segments: &Segments<'_>,
        cover: Extent,
        options: &Options,
        (rows, moving): (impl Iterator<Item = u32> + Clone, bool),
    ) -> Result<(), TooMany> {
        self.found.clear();
        self.gather(periods, segments, cover, rows.clone(), None);
        if self.find_gathered(periods, segments, options, moving).is_err() {
            self.found.clear();
            for count in each_image(3).filter(is_taken) {
                self.gather(periods, segments, cover, rows.clone(), Some(count));
                self.find_gathered(periods, segments, options, moving)?;
                self.settle();
                if most_candidates(self.found.len()) > options.contact_limit {
                    return Err(TooMany);
                }
            }
        }
        self.settle();
        Ok(())
    }

    fn find_gathered(
        &mut self,
        periods: &Periods,
        segments: &Segments<'_>,
        options: &Options,
        moving: bool,
    ) -> Result<(), TooMany> {
        if self.names.is_empty() {
            return Ok(());
        }
        self.rows.clear();
        self.rows.extend(0..self.names.len() as u32);
        let [category, mask] = &self.filters;
        let columns = self.columns.each_ref().map(Vec::as_slice);
        let near = Segments::passing(columns, &self.rows, Filters { category, mask });
        self.pairs.find(near, options, Split::SERIAL).map_err(|_| TooMany)?;
        for pair in self.pairs.moving() {
            let [(one, of_one), (two, of_two)] = [pair.a, pair.b].map(|row| self.names[row as usize]);
            // One as it stands, one an image.
            let (image, count, real) = if of_one == [0, 0] { (two, of_two, one) } else { (one, of_one, two) };
            let both = of_one != [0, 0] && of_two != [0, 0];
            let (a, b, count) =
                if image < real { (image, real, count.map(|count| -count)) } else { (real, image, count) };
            if both || count == [0, 0] || a == b || (moving && !is_moving(segments, a) && !is_moving(segments, b)) {
                continue;
            }
            let [first, second] = [a, b].map(|row| segment(segments, row));
            if !segments_touch(first, second) {
                let touch = segment_segment_image(first, second, &periods.shift(count));
                self.found.extend(touch.map(|touch| (contact(a, b, touch), count)));
            }
        }
        Ok(())
    }

    /// Those that reach where images are, and images that reach where segments are: of two that are seen from either side, the ones
    /// moved to the right, or straight up. `only`: not all images, but this one.
    fn gather(
        &mut self,
        periods: &Periods,
        segments: &Segments<'_>,
        cover: Extent,
        rows: impl Iterator<Item = u32>,
        only: Option<[i8; 2]>,
    ) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.filters.iter_mut().for_each(Vec::clear);
        self.names.clear();
        let size: f64 = cover.iter().flatten().map(|x| if x.is_finite() { x.abs() } else { 0.0 }).sum();
        let slack = (size + periods.length(0) + periods.length(1)) / (1u64 << 40) as f64;
        let span = |axis: usize| cover[axis][1] - cover[axis][0] + slack;
        let meets = |axis: usize| periods.length(axis) > 0.0 && span(axis) >= periods.length(axis);
        if !(meets(0) || meets(1)) {
            return;
        }
        for row in rows {
            let around = box_of(segments, row as usize);
            let hits = |axis: usize, count: i8| {
                let by = f64::from(count) * periods.length(axis);
                around[axis][0] + by <= cover[axis][1] + slack && around[axis][1] + by >= cover[axis][0] - slack
            };
            let mut is_met = false;
            for x in -3..=3i8 {
                for y in -3..=3i8 {
                    let is_image = |axis: usize, count: i8| count == 0 || periods.length(axis) > 0.0;
                    let count = [x, y];
                    if count == [0, 0] || !(is_image(0, x) && is_image(1, y) && hits(0, x) && hits(1, y)) {
                        continue;
                    }
                    is_met = true;
                    if is_taken(&count) && only.is_none_or(|only| only == count) {
                        self.push(periods, segments, row, count);
                    }
                }
            }
            if is_met {
                self.push(periods, segments, row, [0, 0]);
            }
        }
    }

    fn push(&mut self, periods: &Periods, segments: &Segments<'_>, row: u32, count: [i8; 2]) {
        let at = row as usize;
        let moved = |x: f32, axis: usize| (f64::from(x) + f64::from(count[axis]) * periods.length(axis)) as f32;
        let ends = [
            moved(segments.x0[at], 0),
            moved(segments.y0[at], 1),
            moved(segments.x1[at], 0),
            moved(segments.y1[at], 1),
        ];
        let radius = segments.radius[at];
        let grown = match count {
            [0, 0] => radius,
            _ => grow(grow(radius, [ends[0], ends[1]]), [ends[2], ends[3]]),
        };
        let [x0, y0, x1, y1] = ends;
        self.columns.iter_mut().zip([x0, y0, x1, y1, grown]).for_each(|(column, value)| column.push(value));
        let filter = segments.filters.of(row);
        self.filters[0].push(filter.category);
        self.filters[1].push(filter.mask);
        self.names.push((row, count));
    }
}

/// Of the two images by which a pair is seen from either side, the one that is taken.
fn is_taken(count: &[i8; 2]) -> bool {
    *count > [0, 0]
}

fn is_moving(segments: &Segments<'_>, row: u32) -> bool {
    segments.moving.binary_search(&row).is_ok()
}

fn segment(segments: &Segments<'_>, row: u32) -> Segment {
    let row = row as usize;
    let (start, end) = (Vec2::new(segments.x0[row], segments.y0[row]), Vec2::new(segments.x1[row], segments.y1[row]));
    Segment { start, end, radius: segments.radius[row] }
}

fn contact(a: u32, b: u32, touch: ImageTouch) -> SegmentSegmentContact {
    let (class, point, t, u, to) = match touch {
        ImageTouch::Near { point, t, u } => (SegmentClass::Near, point, t, u, point),
        ImageTouch::Cores { relation, t, u } => match relation {
            SegmentRelation::Cross { point, .. } => (SegmentClass::Cross, point, t, u, point),
            SegmentRelation::Overlap { from, to } => (SegmentClass::Overlap, from, t, u, to),
            SegmentRelation::Touch { point, .. } => (SegmentClass::Touch, point, t, u, point),
            SegmentRelation::Disjoint => unreachable!("cores that meet"),
        },
    };
    SegmentSegmentContact { a, b, class, point, t, u, to }
}
