//! Nobody slow leaves its side of a wall it touches, and no wall passes over anybody.
//!
//! Comes in: contacts between circles and segments as they were found, where both were before. Goes out: who went through a wall, or is where
//! one has come, and where it may be instead. This room does not know how contacts are found again.
//!
//! *Why contacts are enough.* Where a centre goes from p to q no further than its radius, a wall that the leg meets has a point within that
//! radius of q, and of p: it touches the circle at both. So the segments in the list before any rule has made it shorter (ends that are
//! hidden, walls seen from behind: just the case that matters) are all that the leg can meet. Flight further than half the radius is not of this
//! room; responses are cut to half of it here.
//!
//! Cost: two signs in `f64` a contact with a wall that does not move, 4 ns; exact only in doubt. With one that moves, 20 ns.

use super::door::{Scratch, pass, rounded};
use super::far::each_far;
use super::flight::Flyers;
use super::images::{image_blocks, shortened, spine};
use super::impulse::dot;
use super::leg::Spine;
use super::moved::Moved;
use super::others::Others;
use super::trail::Trail;
use super::walls::{Walls, wide};
use crate::broad_phase::Cells;
use crate::exact::P;
use crate::geometry::Periods;
use crate::narrow_phase::CircleSegmentContact;
use crate::storage::{CircleHandle, Filters, Labels, SegmentColumns, SegmentHandle, copy};

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    /// Circles, by their rows in the contacts, and walls that hold them.
    pairs: Vec<[u32; 2]>,
    /// The same of walls that are not slow, wherever they are now.
    pub(crate) far: Vec<[u32; 2]>,
    /// Circles that have been put elsewhere before contacts were found.
    early: Vec<u32>,
    /// Circles whose leg is blocked.
    blocked: Vec<u32>,
    /// Circles that a wall has come upon.
    over: Vec<u32>,
    /// Circles and walls for which there was no room.
    pub(crate) squeezed: Vec<[u32; 2]>,
    /// Where all circles were before a response.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The walls that move, as they were or are.
    others: Others,
    scratch: Scratch,
    /// Circles beyond the border of a plane that repeats.
    leaving: Vec<u32>,
    /// Who has been pushed too far, and where he may be.
    cut: Vec<(usize, P)>,
}

/// Positions, as columns.
pub(crate) type Positions<'a> = (&'a [f32], &'a [f32]);

fn at((x, y): Positions<'_>, row: usize) -> P {
    [x[row], y[row]]
}

/// Both points are surely on the same side of the line; 4u is the error of either, see `exact::orient`.
#[inline(always)]
fn surely_one_side(spine: &Spine, from: P, to: P) -> bool {
    let (a, b, p, q) = (wide(spine.start), wide(spine.end), wide(from), wide(to));
    let (ex, ey) = (b[0] - a[0], b[1] - a[1]);
    let side = |p: [f64; 2]| {
        let (left, right) = (ex * (p[1] - a[1]), ey * (p[0] - a[0]));
        (left - right, (left.abs() + right.abs()) * (8.0 * f64::EPSILON / 2.0))
    };
    let ((s, e), (t, f)) = (side(p), side(q));
    (s > e) & (t > f) | (s < -e) & (t < -f)
}

/// What is known of circles and walls when contacts have been found.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) contacts: &'a [CircleSegmentContact],
    /// Where each circle of the contacts came from.
    pub(crate) order: &'a [u32],
    /// Where they were, by the rows from which they came.
    pub(crate) before: Positions<'a>,
    /// Where they are, by those rows.
    pub(crate) after: Positions<'a>,
    /// By those rows; empty: nobody.
    pub(crate) flown: &'a [bool],
    /// Labels by those rows.
    pub(crate) labels: &'a Labels,
    pub(crate) passes: Passes<'a>,
    /// What repeats: walls are seen by their images as well.
    pub(crate) periods: Periods,
}

/// Circles that a wall lets through in this step.
#[derive(Clone, Copy)]
pub(crate) struct Passes<'a> {
    /// Bits of the handles of both, ascending.
    pub(crate) pairs: &'a [[u64; 2]],
    /// By the rows from which circles come.
    pub(crate) circles: &'a [CircleHandle],
    pub(crate) segments: &'a [SegmentHandle],
}

impl Passes<'_> {
    #[inline(always)]
    fn has(&self, circle: u32, segment: u32) -> bool {
        !self.pairs.is_empty() && self.search(circle, segment)
    }

    #[cold]
    fn search(&self, circle: u32, segment: u32) -> bool {
        let (circle, segment) = (self.circles[circle as usize], self.segments[segment as usize]);
        self.pairs.binary_search(&[circle.to_bits(), segment.to_bits()]).is_ok()
    }
}

impl Guard {
    /// Nothing is held in this step so far. What was touched in the last one is remembered, for [`Self::find_early`].
    pub(crate) fn none(&mut self) {
        self.far.clear();
        self.early.clear();
        self.blocked.clear();
        self.over.clear();
        self.squeezed.clear();
    }

    /// Lists all contacts with walls that hold. Whether a circle is to be put right: whose leg is blocked by a wall where it was (who has
    /// flown is not asked), or who is where a wall has come upon them.
    pub(crate) fn find(&mut self, found: Found<'_>, segments: &SegmentColumns, moved: Moved<'_>) -> bool {
        let Guard { pairs, far, blocked, over, .. } = self;
        pairs.clear();
        blocked.clear();
        over.clear();
        let (of_circles, of_segments) = (found.labels.sensors(), segments.labels.sensors());
        let is_set = |column: &[bool], row: u32| column.get(row as usize).copied().unwrap_or(false);
        let repeats = !found.periods.is_none();
        let carried = |p: P, q: P| repeats && found.periods.is_carried(p, q);
        let mut look = |from: u32, segment: u32| {
            let (p, q) = (at(found.before, from as usize), at(found.after, from as usize));
            let sweeping = if segments.moving[segment as usize] { moved.of(segment) } else { None };
            let spine = sweeping.map_or_else(|| spine(segments, segment as usize), |sweeping| sweeping.from);
            if !surely_one_side(&spine, p, q) && !is_set(found.flown, from) && spine.blocks(p, q) && !carried(p, q) {
                blocked.push(from);
            } else if repeats && sweeping.is_none() && !is_set(found.flown, from) && !carried(p, q) {
                // Who has been carried over the border has gone there by the door.
                blocked.extend(image_blocks(&spine, &found.periods, p, q).then_some(from));
            }
            if sweeping.is_some_and(|sweeping| sweeping.passes_over(q)) {
                over.push(from);
            }
        };
        for contact in found.contacts {
            let from = found.order[contact.a as usize];
            if !(is_set(of_circles, from) | is_set(of_segments, contact.b)) && !found.passes.has(from, contact.b) {
                pairs.push([contact.a, contact.b]);
                look(from, contact.b);
            }
        }
        for &[circle, segment] in &*far {
            let from = found.order[circle as usize];
            let held = !is_set(of_circles, from) && moved.holds(segment, found.labels.filters().of(from));
            if held && !found.passes.has(from, segment) {
                look(from, segment);
            }
        }
        for rows in [&mut *blocked, &mut *over] {
            rows.sort_unstable();
            rows.dedup();
        }
        !(blocked.is_empty() && over.is_empty())
    }

    /// Those of [`Self::find`] whose leg is blocked, by the rows from which they came.
    pub(crate) fn blocked(&self) -> &[u32] {
        &self.blocked
    }

    /// How many circles are put elsewhere, early or late.
    pub(crate) fn held(&self) -> usize {
        let Guard { early, blocked, over, .. } = self;
        let new = |row: &&u32| early.binary_search(row).is_err();
        let late = over.iter().filter(new).filter(|row| blocked.binary_search(row).is_err()).count();
        early.len() + blocked.iter().filter(new).count() + late
    }

    /// The same before contacts are found, of the walls that were touched in the last step, by the rows from which circles come: nearly all
    /// that [`Self::find`] would find, which then need not find contacts again. Whoever has changed rows since is overlooked here, and only here.
    pub(crate) fn find_early(&mut self, found: Found<'_>, segments: &SegmentColumns, moved: Moved<'_>) -> &[u32] {
        let Guard { pairs, early, blocked, over, .. } = self;
        blocked.clear();
        over.clear();
        let sensors = found.labels.sensors();
        let is_set = |column: &[bool], row: u32| column.get(row as usize).copied().unwrap_or(false);
        for &[circle, segment] in &*pairs {
            let (k, b) = (circle as usize, segment as usize);
            if k >= found.after.0.len() || b >= segments.len() || is_set(found.flown, circle) || is_set(sensors, circle)
            {
                continue;
            }
            let (p, q) = (at(found.before, k), at(found.after, k));
            let sweeping = if segments.moving[b] { moved.of(segment) } else { None };
            let spine = sweeping.map_or_else(|| spine(segments, b), |sweeping| sweeping.from);
            let blocks = !surely_one_side(&spine, p, q) && spine.blocks(p, q);
            let repeats = sweeping.is_none() && !found.periods.is_none();
            if (blocks || (repeats && image_blocks(&spine, &found.periods, p, q)))
                && moved.holds(segment, found.labels.filters().of(circle))
                && !found.passes.has(circle, segment)
            {
                blocked.push(circle);
            }
        }
        blocked.sort_unstable();
        blocked.dedup();
        copy(blocked, early);
        early
    }

    /// Puts those of [`Self::find_early`] where the door lets them.
    pub(crate) fn put_early(
        &mut self,
        (cells, segments, bounds): (&[&Cells], &SegmentColumns, f64),
        moved: Moved<'_>,
        filters: Filters<'_>,
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        trail: &mut Trail,
    ) {
        self.others.take(moved, true, self.blocked.len() + self.over.len());
        let sets = self.others.sets(cells);
        let walls = &self.others.walls((cells, segments, bounds), &sets);
        for &row in &self.blocked {
            let k = row as usize;
            let (p, q) = (at(from, k), [to.0[k], to.1[k]]);
            [to.0[k], to.1[k]] = pass(walls, (row, filters.of(row)), p, q, &mut self.scratch, trail);
        }
    }

    /// Puts those that [`Self::find`] found where the door lets them: from `from` on rather than where they are in `to`, and then out of the way
    /// of walls. `cells`: the walls that do not move.
    pub(crate) fn put_right(
        &mut self,
        (cells, segments, bounds): (&[&Cells], &SegmentColumns, f64),
        moved: Moved<'_>,
        (filters, flown): (Filters<'_>, &[bool]),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        trail: &mut Trail,
    ) {
        self.put_early((cells, segments, bounds), moved, filters, from, (&mut *to.0, &mut *to.1), trail);
        if moved.is_empty() {
            return;
        }
        let Guard { blocked, over, squeezed, scratch, others, .. } = self;
        let sets = others.sets(cells);
        let walls = &others.walls((cells, segments, bounds), &sets);
        // Who has been put elsewhere may be in the way of a wall there.
        over.extend_from_slice(blocked);
        over.sort_unstable();
        over.dedup();
        for &row in &*over {
            let (k, filter) = (row as usize, filters.of(row));
            let q = [to.0[k], to.1[k]];
            if blocked.binary_search(&row).is_err() && !flown.get(k).copied().unwrap_or(false) && at(from, k) != q {
                trail.leg(row, at(from, k), q);
            }
            [to.0[k], to.1[k]] = moved.give_way((walls, others), (row, filter), q, (scratch, squeezed), trail);
        }
    }

    /// Remembers where all circles are before they are answered.
    pub(crate) fn remember(&mut self, (x, y): Positions<'_>) {
        copy(x, &mut self.x);
        copy(y, &mut self.y);
    }

    /// After the answer: no circle is further from where it was than half its radius. True if somebody is to be put right by [`Self::put_back`].
    pub(crate) fn find_answered(
        &mut self,
        radius: &[f32],
        to: (&mut [f32], &mut [f32]),
        segments: &SegmentColumns,
        (periods, sensors): (&Periods, &[bool]),
    ) -> bool {
        let Guard { pairs, blocked, over, x, y, .. } = self;
        let mut cut = std::mem::take(&mut self.cut);
        cut.clear();
        each_far((x, y), (to.0, to.1), radius, |row| {
            let [from, to] = [[x[row], y[row]], [to.0[row], to.1[row]]];
            let at = within(from, to, radius[row]);
            cut.extend((at != to).then_some((row, at)));
        });
        for &(row, at) in &cut {
            [to.0[row], to.1[row]] = at;
        }
        self.cut = cut;
        blocked.clear();
        over.clear();
        for &[circle, segment] in &*pairs {
            let (a, spine) = (circle as usize, spine(segments, segment as usize));
            let (p, q) = (at((x, y), a), [to.0[a], to.1[a]]);
            let repeats = !periods.is_none() && !segments.moving[segment as usize];
            if !surely_one_side(&spine, p, q) && spine.blocks(p, q) || repeats && image_blocks(&spine, periods, p, q) {
                blocked.push(circle);
            }
        }
        if !periods.is_none() {
            let known = blocked.len();
            leave(periods, (x, y), (&*to.0, &*to.1), sensors, blocked);
            for &row in &blocked[known..] {
                let k = row as usize;
                [to.0[k], to.1[k]] = shortened(periods, at((x, y), k), [to.0[k], to.1[k]]);
            }
        }
        blocked.sort_unstable();
        blocked.dedup();
        !blocked.is_empty()
    }

    /// Puts those where the door lets them go from where they were.
    pub(crate) fn put_back(
        &mut self,
        (cells, segments, bounds): (&[&Cells], &SegmentColumns, f64),
        moved: Moved<'_>,
        filters: Filters<'_>,
        to: (&mut [f32], &mut [f32]),
        trail: &mut Trail,
    ) {
        self.others.take(moved, false, self.blocked.len());
        let sets = self.others.sets(cells);
        let walls = &self.others.walls((cells, segments, bounds), &sets);
        for &row in &self.blocked {
            let k = row as usize;
            let (p, q) = ([self.x[k], self.y[k]], [to.0[k], to.1[k]]);
            [to.0[k], to.1[k]] = pass(walls, (row, filters.of(row)), p, q, &mut self.scratch, trail);
        }
    }

    /// In a plane that repeats: who leaves the stretch goes by the door, but for those who have flown, and is brought back; where that cannot
    /// be, he stays. Before contacts are found, by the rows from which circles come.
    pub(crate) fn carry(
        &mut self,
        (cells, segments, bounds): (&[&Cells], &SegmentColumns, f64),
        moved: Moved<'_>,
        (labels, periods): (&Labels, &Periods),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        (flyers, trail): (&mut Flyers, &mut Trail),
    ) {
        let mut leaving = std::mem::take(&mut self.leaving);
        leaving.clear();
        leave(periods, from, (&*to.0, &*to.1), labels.sensors(), &mut leaving);
        if !leaving.is_empty() {
            self.others.take(moved, true, leaving.len());
            let sets = self.others.sets(cells);
            let walls = &self.others.walls((cells, segments, bounds), &sets);
            for &row in &leaving {
                let (k, filter) = (row as usize, labels.filters().of(row));
                let (p, q) = (at(from, k), [to.0[k], to.1[k]]);
                let mut gone = q;
                if !flyers.flown().get(k).copied().unwrap_or(false) {
                    gone = pass(walls, (row, filter), p, q, &mut self.scratch, trail);
                }
                // Moving walls are not asked, in cells or not.
                let back = walls.in_cells(cells).bring_back(periods, filter, gone);
                if back.is_none() {
                    trail.forget(row);
                }
                if back.is_none() || gone != q {
                    flyers.mark(row, from.0.len());
                    self.early.push(row);
                }
                [to.0[k], to.1[k]] = back.unwrap_or(p);
            }
            self.early.sort_unstable();
            self.early.dedup();
        }
        self.leaving = leaving;
    }

    /// The same of those who have been put right, or answered: they have come by the door already, from `from`.
    pub(crate) fn carry_back(
        &mut self,
        (cells, segments, bounds): (&[&Cells], &SegmentColumns, f64),
        (labels, periods): (&Labels, &Periods),
        from: Option<Positions<'_>>,
        to: (&mut [f32], &mut [f32]),
    ) {
        let Guard { leaving, x, y, .. } = self;
        let from = from.unwrap_or((x, y));
        leaving.clear();
        leave(periods, from, (&*to.0, &*to.1), labels.sensors(), leaving);
        if leaving.is_empty() {
            return;
        }
        let walls = &Walls::new(cells, &[], segments, bounds);
        for &row in &*leaving {
            let k = row as usize;
            let back = walls.bring_back(periods, labels.filters().of(row), [to.0[k], to.1[k]]);
            [to.0[k], to.1[k]] = back.unwrap_or(at(from, k));
        }
    }

    /// Where the circles were, by row.
    pub(crate) fn remembered(&self) -> Positions<'_> {
        (&self.x, &self.y)
    }

    /// Who has been put right: whose legs a trail has.
    pub(crate) fn is_put(&self, row: u32) -> bool {
        self.blocked.binary_search(&row).is_ok() || self.over.binary_search(&row).is_ok()
    }
}

/// Who is not in the stretch, or comes from so far that it cannot be told; but for sensors.
fn leave(periods: &Periods, (x0, y0): Positions<'_>, (x, y): Positions<'_>, sensors: &[bool], rows: &mut Vec<u32>) {
    for (row, (&x, &y)) in x.iter().zip(y).enumerate() {
        let leaves = !(periods.keeps(0, x) & periods.keeps(1, y)) || periods.is_carried([x0[row], y0[row]], [x, y]);
        if leaves && !sensors.get(row).copied().unwrap_or(false) {
            rows.push(row as u32);
        }
    }
}

/// `to`, or on the way there no further than half a radius.
fn within(from: P, to: P, radius: f32) -> P {
    let (p, q, half) = (wide(from), wide(to), 0.5 * f64::from(radius));
    let way = [q[0] - p[0], q[1] - p[1]];
    let length = dot(way, way).sqrt();
    if length > half {
        let part = half / length;
        return rounded([p[0] + way[0] * part, p[1] + way[1] * part]);
    }
    to
}
