//! The solid walls while none moves, by the cells they lie in.
//!
//! Comes in: segments, the cells they are registered under, others that are in none, a way. Goes out: the walls that may be met along it, the first impact, and
//! whether a leg is free. This room does not know what is done about an impact.
//!
//! *Why none is lost.* A wall that comes within `reach` of a point of a way is registered under a cell that the walk about that stretch of the
//! way emits (see `Cells`, `walk`). A leg is rounded from its stretch, by an ulp or two of its own largest coordinate, which
//! `reach` has room for; so the walls seen up to the end of a stretch are all that a leg to that end can meet.

use super::door::{Scratch, rounded};
use super::held::Passes;
use super::image_walls::ImageWalls;
use super::impact::{Impact, far_impact, impact};
use super::impulse::{Pair, between, dot};
use super::integrate::Ends;
use super::leg::Spine;
use super::moved::number;
use super::units::{is_too_far, ulp_of_all};
pub(super) use super::units::{larger, size, ulp, wide};
use crate::broad_phase::{Cells, Entries};
use crate::exact::P;
use crate::geometry::nearest_on_segment;
use crate::kernels::{Backend, InstructionSet};
use crate::storage::{Filter, Filters, SegmentColumns, is_set};

/// How near a centre comes to a wall of its own, in ulp.
const HAIR: f64 = 4.0;

/// See the head of the module.
#[derive(Clone, Copy)]
pub(crate) struct Walls<'a> {
    cells: &'a [&'a Cells],
    /// Those seen across a border.
    images: Option<&'a ImageWalls>,
    /// Looked at one by one.
    also: &'a [Near],
    /// Where those are that move and that cells know from elsewhere: as they were here, or, where this is empty, as they stand in `segments`.
    /// None: as in cells.
    moving: Option<&'a [Ends]>,
    segments: &'a SegmentColumns,
    filters: Filters<'a>,
    sensors: &'a [bool],
    /// An ulp of the largest coordinate of walls and bounds; none where somebody is too far out for that.
    unit: Option<f64>,
    /// What short ways are looked about with.
    lanes: (Backend, InstructionSet),
    /// Whom walls let through, and the row of who is asked about; none where nobody is.
    passes: Option<(&'a Passes<'a>, u32)>,
}

/// Where walls are: all that do not move are in cells.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) cells: &'a [&'a Cells],
    /// Of the same walls, where the plane repeats.
    pub(crate) images: Option<&'a ImageWalls>,
    pub(crate) segments: &'a SegmentColumns,
    /// The largest coordinate of what else confines the world, or 0.
    pub(crate) bounds: f64,
}

#[cfg(test)]
impl<'a> Place<'a> {
    /// Nothing repeats, nor confines.
    pub(super) fn of(cells: &'a [&'a Cells], segments: &'a SegmentColumns) -> Place<'a> {
        Place { cells, images: None, segments, bounds: 0.0 }
    }
}

/// One that may be met: its row and its shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(super) row: u32,
    pub(super) spine: Spine,
    pub(super) radius: f32,
}

/// How what moves is held off the walls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A point, a hair off the spines.
    Point,
    /// A disc of this radius, off the walls' outlines.
    Disc(f32),
}

/// The first wall in the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) row: u32,
    pub(super) spine: Spine,
    pub(super) impact: Impact,
}

/// Who is not met: on their ends, and at all.
#[derive(Clone, Copy, Default)]
pub(super) struct But<'a> {
    pub(super) ends: &'a [u32],
    pub(super) all: &'a [u32],
}

impl<'a> Walls<'a> {
    /// All segments that hold are in cells, as they stand, or in `also`.
    pub(crate) fn new(place: Place<'a>, also: &'a [Near]) -> Walls<'a> {
        Walls::about(place, place.cells, also)
    }

    /// The same of cells the last of which may be of walls that move; `still`: those of walls that do not.
    fn about(place: Place<'a>, still: &[&Cells], also: &'a [Near]) -> Walls<'a> {
        let Place { cells, images, segments, bounds } = place;
        let mut most = larger(bounds, images.map_or(0.0, ImageWalls::size));
        let mut add = |p: Pair| most = larger(most, size(p));
        for cells in cells {
            cells.corners().for_each(&mut add);
        }
        add([f64::from(also.iter().fold(0.0, |most, wall| wall.spine.furthest(most))), 0.0]);
        let (filters, sensors) = (segments.labels.filters(), segments.labels.sensors());
        let lanes = (Backend::Wide, InstructionSet::best());
        let shortest = still.iter().map(|cells| cells.shortest()).chain(images.map(ImageWalls::shortest));
        let unit = ulp_of_all(most, shortest, segments);
        Walls { cells, images, also, moving: None, segments, filters, sensors, unit, lanes, passes: None }
    }

    /// All segments that hold are in cells, those that move in the last of them. `size`: those cells are of where the moving ones were
    /// lately, and no coordinate of theirs is larger; none: the cells are exact.
    pub(crate) fn standing(place: Place<'a>, size: Option<f64>) -> Walls<'a> {
        let still = &place.cells[..place.cells.len().saturating_sub(1)];
        let Some(size) = size else { return Walls::about(place, still, &[]) };
        let those = Place { cells: still, bounds: larger(place.bounds, size), ..place };
        Walls::new(those, &[]).in_cells(place.cells).where_they(&[])
    }

    /// Cells know those that move from elsewhere: they are where they were, or, if that is empty, where they are.
    pub(super) fn where_they(self, were: &'a [Ends]) -> Walls<'a> {
        Walls { moving: Some(were), ..self }
    }

    /// With these kernels: the same answers, sooner.
    pub(crate) fn with_lanes(self, backend: Backend, set: InstructionSet) -> Self {
        Walls { lanes: (backend, set), ..self }
    }

    /// Without those that are in no cells.
    pub(super) fn without_others(self) -> Walls<'a> {
        Walls { also: &[], ..self }
    }

    /// With all walls in these cells, and their images, and no others.
    pub(super) fn in_cells(self, cells: &'a [&'a Cells]) -> Walls<'a> {
        Walls { cells, ..self.without_others() }
    }

    /// With all walls in these cells alone.
    pub(super) fn in_cells_alone(self, cells: &'a [&'a Cells]) -> Walls<'a> {
        Walls { images: None, ..self.in_cells(cells) }
    }

    /// The same, but for walls that let somebody through.
    pub(super) fn with_passes(self, passes: &'a Passes<'a>) -> Walls<'a> {
        Walls { passes: (!passes.pairs.is_empty()).then_some((passes, u32::MAX)), ..self }
    }

    /// As the circle of a row meets them, if they let anybody through.
    pub(super) fn of(&self, row: u32) -> Option<Walls<'a>> {
        self.passes.map(|(passes, _)| Walls { passes: Some((passes, row)), ..*self })
    }

    /// Whether the wall of a row lets through who is asked about.
    pub(super) fn lets_pass(&self, row: u32) -> bool {
        self.passes.is_some_and(|(passes, circle)| passes.has(circle, row))
    }

    /// There are walls that are in no cells.
    pub(super) fn has_others(&self) -> bool {
        !self.also.is_empty()
    }

    /// Those in no cells, and the kernels.
    pub(super) fn parts(&self) -> (&'a [Near], (Backend, InstructionSet)) {
        (self.also, self.lanes)
    }

    /// All cells that know of the walls, and images, that come into a box, from low to high; each with its number.
    #[inline(always)]
    pub(super) fn cells_in(&self, within: [Pair; 2]) -> impl Iterator<Item = (usize, &'a Cells)> {
        let (own, segments) = (self.cells, self.segments);
        let images = self.images.map(|images| match images.cells(segments, within) {
            near if std::ptr::eq(near, images.near()) => (own.len(), near),
            all => (own.len() + 1, all),
        });
        own.iter().copied().enumerate().chain(images)
    }

    /// The cells of a number.
    pub(super) fn cells_of(&self, number: usize) -> Option<&'a Cells> {
        let of_images = |images: &'a ImageWalls| {
            if number == self.cells.len() { images.near() } else { images.all(self.segments) }
        };
        self.cells.get(number).copied().or_else(|| self.images.map(of_images))
    }

    /// An ulp of the largest coordinate of this world; 0 where each place has its own.
    pub(super) fn unit(&self) -> f64 {
        self.unit.unwrap_or(0.0)
    }

    /// An ulp of the largest coordinate of this world and of these points.
    pub(super) fn unit_at(&self, a: Pair, b: Pair) -> f64 {
        larger(self.unit(), ulp(larger(size(a), size(b))))
    }

    /// How near a centre may come by the door, where coordinates are these, if they are larger than those of all walls.
    pub(super) fn hair_at(&self, a: Pair, b: Pair) -> f64 {
        HAIR * self.unit_at(a, b)
    }

    /// In `f64` it cannot be told where this wall is about a place.
    fn is_far(&self, wall: &Spine, at: Pair) -> bool {
        self.unit.is_none() && is_too_far(wall.furthest(0.0), at)
    }

    /// Whether the wall of a row holds what has this filter.
    pub(super) fn holds(&self, row: u32, filter: Filter) -> bool {
        let is_sensor = is_set(self.sensors, row as usize);
        let meets = self.filters.are_left_out() && filter == Filter::DEFAULT || self.filters.of(row).meets(filter);
        !is_sensor && meets && !self.lets_pass(row)
    }

    /// How fast the wall of a row moves at a place on it.
    pub(super) fn velocity(&self, row: u32, place: Pair) -> Pair {
        let (s, row) = (self.segments, row as usize);
        if !s.moving[row] {
            return [0.0; 2];
        }
        let [a, b] = [[s.x0[row], s.y0[row]], [s.x1[row], s.y1[row]]].map(wide);
        let [u, v] = [[s.velocity_x0[row], s.velocity_y0[row]], [s.velocity_x1[row], s.velocity_y1[row]]].map(wide);
        let (e, w) = ([b[0] - a[0], b[1] - a[1]], [place[0] - a[0], place[1] - a[1]]);
        let length2 = dot(e, e);
        let t = if length2 > 0.0 { between(0.0, dot(w, e) / length2, 1.0) } else { 0.0 };
        [u[0] + (v[0] - u[0]) * t, u[1] + (v[1] - u[1]) * t]
    }

    /// Where its outline is touched by a disc about this centre.
    pub(super) fn outline(&self, hit: &Hit, centre: Pair) -> Pair {
        let ([a, b], normal) = ([hit.spine.start, hit.spine.end].map(wide), hit.impact.normal);
        let around = f64::from(self.segments.radius[hit.row as usize]);
        if hit.impact.end.is_none() && self.is_far(&hit.spine, centre) {
            let foot = wide(nearest_on_segment(rounded(centre), hit.spine.segment()).foot.into());
            return [0, 1].map(|k| foot[k] - normal[k] * around);
        }
        let along = match hit.impact.end {
            Some(end) => [0.0, 1.0][end],
            None => {
                let (e, w) = ([b[0] - a[0], b[1] - a[1]], [centre[0] - a[0], centre[1] - a[1]]);
                // A flank has a length.
                between(0.0, dot(w, e) / dot(e, e), 1.0)
            }
        };
        [0, 1].map(|k| a[k] + (b[k] - a[k]) * along - normal[k] * around)
    }

    pub(super) fn entry(&self, entries: &Entries, entry: usize) -> Near {
        let (row, s) = (entries.rows[entry], entries.segment(entry));
        let one_sided = self.segments.one_sided[row as usize];
        let near = Near { row, spine: Spine { start: s.start.into(), end: s.end.into(), one_sided }, radius: s.radius };
        match self.moving {
            Some(were) if self.segments.moving[row as usize] => self.place(near, were),
            _ => near,
        }
    }

    /// One that moves, where it is taken to be.
    fn place(&self, near: Near, were: &[Ends]) -> Near {
        let (s, row) = (self.segments, near.row as usize);
        let was = number(&s.moving_rows, near.row).and_then(|k| were.get(k));
        let [x0, y0, x1, y1] = match was {
            Some(was) => [was[0], was[1], was[2], was[3]],
            None => [s.x0[row], s.y0[row], s.x1[row], s.y1[row]],
        };
        Near { spine: Spine { start: [x0, y0], end: [x1, y1], ..near.spine }, radius: s.radius[row], ..near }
    }

    /// The columns of all segments.
    pub(super) fn segments(&self) -> &SegmentColumns {
        self.segments
    }

    /// The first impact on the way from `from` by `motion` of what has this filter. `scratch` gets all walls that a leg to there may meet.
    pub(super) fn first(&self, way: (P, Pair), shape: Shape, filter: Filter, scratch: &mut Scratch) -> Option<Hit> {
        if self.gather(way, shape, filter, scratch) {
            self.pick(way, shape, But::default(), &scratch.near)
        } else {
            self.walk(way, shape, filter, But::default(), &mut scratch.near)
        }
    }

    /// The same where walls are gathered already.
    pub(super) fn pick(&self, (from, motion): (P, Pair), shape: Shape, but: But<'_>, near: &[Near]) -> Option<Hit> {
        let at = wide(from);
        let (radius, mut first) = (self.radius(shape, (at, motion)), None);
        for wall in near {
            self.meet(wall, (from, at, motion), (radius + shape.around(wall), but), &mut first);
        }
        first
    }

    /// The same of the spines of these rows alone.
    #[cold]
    pub(super) fn pick_spine(&self, (from, motion): (P, Pair), rows: &[u32], near: &[Near]) -> Option<Hit> {
        let at = wide(from);
        let (hair, mut first) = (self.radius(Shape::Point, (at, motion)), None);
        for wall in near.iter().filter(|wall| rows.contains(&wall.row)) {
            self.meet(wall, (from, at, motion), (hair, But::default()), &mut first);
        }
        first
    }

    /// How far off the walls' outlines it is held on a way.
    pub(super) fn radius(&self, shape: Shape, (at, motion): (Pair, Pair)) -> f64 {
        match (shape, self.unit) {
            (Shape::Point, Some(unit)) => HAIR * unit,
            (Shape::Point, None) => self.hair_at(at, [at[0] + motion[0], at[1] + motion[1]]),
            (Shape::Disc(radius), _) => f64::from(radius),
        }
    }

    /// A wall becomes the first, if it is met before.
    #[inline]
    pub(super) fn meet(
        &self,
        wall: &Near,
        (from, at, motion): (P, Pair, Pair),
        (reach, but): (f64, But<'_>),
        first: &mut Option<Hit>,
    ) {
        let Near { row, ref spine, .. } = *wall;
        let found = if self.is_far(spine, at) {
            far_impact(spine, reach, from, motion)
        } else {
            impact([wide(spine.start), wide(spine.end)], reach, at, motion)
        };
        let Some(impact) = found else { return };
        let earlier = first.is_none_or(|first| {
            let same = row == first.row && *spine == first.spine;
            (impact.fraction, row) < (first.impact.fraction, first.row) && !same
        });
        let is_left_out = || but.all.contains(&row) || impact.end.is_some() && but.ends.contains(&row);
        if earlier && !is_left_out() && spine.acts(from) {
            *first = Some(Hit { row, spine: *spine, impact });
        }
    }
}

impl Shape {
    /// How much of a wall's own radius counts.
    pub(super) fn around(self, wall: &Near) -> f64 {
        match self {
            Shape::Point => 0.0,
            Shape::Disc(_) => f64::from(wall.radius),
        }
    }
}

/// No wall of these blocks the leg.
pub(super) fn is_free(near: &[Near], from: P, to: P) -> bool {
    !near.iter().any(|wall| wall.spine.blocks(from, to))
}

/// The boxes of a wall and of a way are further apart than `reach`, which has room for the rounding of this.
pub(super) fn is_beside(spine: &Spine, from: Pair, to: Pair, reach: f64) -> bool {
    (0..2).any(|k| {
        let (a, b) = (f64::from(spine.start[k]), f64::from(spine.end[k]));
        let (p, q) = (from[k], to[k]);
        let ((a, b), (p, q)) = (if a < b { (a, b) } else { (b, a) }, if p < q { (p, q) } else { (q, p) });
        b < p - reach || q + reach < a
    })
}
