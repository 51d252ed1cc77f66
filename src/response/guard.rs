//! Nobody slow leaves its side of a wall it touches, and no wall passes over anybody.
//!
//! Comes in: contacts between circles and segments as they were found, where both were before. Goes out: who went through a wall, or is where
//! one has come, and where it may be instead. This room does not know how contacts are found again.
//!
//! *Why contacts are enough.* Where a centre goes from p to q no further than its radius, a wall that the leg meets has a point within that
//! radius of q, and of p: it touches the circle at both. So the segments in the list before any rule has made it shorter (ends that are
//! hidden, walls seen from behind: just the case that matters) are all that the leg can meet. Flight further than half the radius is not of this
//! room; responses are cut to half of it here. Contacts are looked at in `held`.

use super::door::{Scratch, pass, rounded};
use super::far::{Far, Ways};
use super::flight::Flyers;
use super::held::{Found, Held, Passes, Positions, Wrong, at, is_blocked};
use super::images::shortened;
use super::impulse::dot;
use super::moved::Moved;
use super::others::Others;
use super::passing::Passing;
use super::trail::Trail;
use super::walls::{Place, Shape, Walls, is_free, wide};
use crate::broad_phase::{Cells, Grid, Occupancy};
use crate::exact::P;
use crate::geometry::Periods;
use crate::parallel::Split;
use crate::storage::{Filters, Labels, SegmentColumns, each_where, fit, is_set};

/// Rows that one thread copies.
const PIECE: usize = 16_384;

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    held: Held,
    /// Circles, by their rows in the contacts, and walls that are not slow, wherever they are now.
    far: Vec<[u32; 2]>,
    /// Circles that have been put elsewhere before contacts were found.
    early: Vec<u32>,
    wrong: Wrong,
    /// Who has been moved far by an answer.
    pushed: Far,
    /// Of those, in pieces, who has been moved too far, and where he may be.
    cuts: Vec<Vec<(u32, P)>>,
    /// Circles and walls for which there was no room.
    pub(crate) squeezed: Vec<[u32; 2]>,
    /// How far walls went, before they were brought back over a border; see [`Moved::furthest`].
    furthest: f32,
    /// Where all circles were before a response.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The walls that move, as they were or are.
    others: Others,
    scratch: Scratch,
    passing: Passing,
    /// Circles beyond the border of a plane that repeats.
    leaving: Vec<u32>,
}

impl Guard {
    /// Nothing is held in this step so far. What was touched in the last one is remembered, for [`Self::find_early`].
    pub(crate) fn none(&mut self) {
        self.far.clear();
        self.early.clear();
        self.wrong.clear();
        self.squeezed.clear();
        self.others.forget();
    }

    /// Looks where walls that are about to move for so long stand, for those that fly before they do.
    pub(crate) fn look_ahead(&mut self, segments: &SegmentColumns, dt: f32) {
        self.others.look_ahead(segments, dt);
    }

    /// What [`Self::look_ahead`] of this step has found, while no wall has moved: cells of all that move, and their largest coordinate.
    pub(crate) fn standing(&self) -> Option<(&Cells, f64)> {
        self.others.standing()
    }

    /// Walls have been brought back over the border.
    pub(crate) fn walls_brought_back(&mut self) {
        self.others.forget();
    }

    /// Looks at all contacts with walls that hold. Whether a circle is to be put right: whose leg is blocked by a wall where it was (who has
    /// flown is not asked), or who is where a wall has come upon them.
    pub(crate) fn find(
        &mut self,
        found: Found<'_>,
        grid: (&Grid, &[Occupancy]),
        segments: &SegmentColumns,
        moved: Moved<'_>,
        split: Split,
    ) -> bool {
        let Guard { held, far, wrong, furthest, .. } = self;
        let furthest = if found.periods.is_none() { *furthest } else { moved.furthest() };
        moved.far(grid, (found.after, found.radius), furthest, far);
        wrong.clear();
        held.find(found, (segments, moved, furthest), far, wrong, split);
        self.find_new()
    }

    /// As [`Self::find`] where contacts are too many to be listed: the same circles, from a look at all walls near each of them.
    pub(crate) fn find_unlisted(&mut self, found: Found<'_>, place: Place<'_>, moved: Moved<'_>) -> bool {
        let Guard { wrong, others, scratch, .. } = self;
        wrong.clear();
        others.take(moved, true, found.after.0.len());
        let sets = others.sets(place.cells);
        let walls = &others.walls(place, moved, &sets).with_passes(&found.passes);
        for row in 0..found.after.0.len() as u32 {
            let [p, q] = [found.before, found.after].map(|positions| at(positions, row as usize));
            if is_set(found.labels.sensors(), row as usize) {
                continue;
            }
            let own = &walls.of(row).unwrap_or(*walls);
            if !is_set(found.flown, row as usize) && (found.periods.is_none() || !found.periods.is_carried(p, q)) {
                // Who has been carried over the border has gone there by the door.
                wrong.blocked.extend(is_blocked(own, found, row, |_| true).then_some(row));
            }
            if moved.is_over((own, others), q, found.labels.filters().of(row), &mut scratch.over) {
                wrong.over.push(row);
            }
        }
        self.find_new()
    }

    /// Of those found those who have not been put elsewhere early.
    fn find_new(&mut self) -> bool {
        let Guard { wrong, early, squeezed, .. } = self;
        wrong.sort();
        // Who has been put elsewhere has come by the door.
        wrong.blocked.retain(|row| early.binary_search(row).is_err());
        // For whom there was no room early, there is none now.
        wrong.over.retain(|row| squeezed.binary_search_by_key(row, |pair| pair[0]).is_err());
        !wrong.is_empty()
    }

    /// Those of [`Self::find`] and [`Self::put_early`] whose leg is blocked, by the rows from which they came.
    pub(crate) fn blocked(&self) -> &[u32] {
        &self.wrong.blocked
    }

    /// How many circles are put elsewhere, early or late.
    pub(crate) fn held(&self) -> usize {
        let Guard { early, wrong: Wrong { blocked, over }, .. } = self;
        let new = |row: &&u32| early.binary_search(row).is_err();
        let late = over.iter().filter(new).filter(|row| blocked.binary_search(row).is_err()).count();
        early.len() + blocked.iter().filter(new).count() + late
    }

    /// The same before contacts are found, of the walls that were touched in the last step, by the rows from which circles come: nearly all
    /// that [`Self::find`] would find, which then need not find contacts again; nobody where the plane repeats and walls move, which are brought back in between.
    pub(crate) fn find_early(
        &mut self,
        found: Found<'_>,
        segments: &SegmentColumns,
        moved: Moved<'_>,
        split: Split,
    ) -> bool {
        let Guard { held, wrong, furthest, .. } = self;
        wrong.clear();
        *furthest = moved.furthest();
        held.find_early(found, (segments, moved, *furthest), wrong, split);
        wrong.sort();
        !wrong.is_empty()
    }

    /// Adds those whose leg is blocked by a wall that moves, where it was: those that are about to be brought back over the border are not there later.
    pub(crate) fn find_leaving(&mut self, found: Found<'_>, place: Place<'_>, moved: Moved<'_>) -> bool {
        let Guard { wrong, others, .. } = self;
        others.take(moved, true, found.after.0.len());
        let sets = others.sets(place.cells);
        let walls = &others.walls(place, moved, &sets);
        for row in 0..found.after.0.len() as u32 {
            let asked = !is_set(found.labels.sensors(), row as usize) && !is_set(found.flown, row as usize);
            if asked && is_blocked(walls, found, row, |wall| place.segments.moving[wall as usize]) {
                wrong.blocked.push(row);
            }
        }
        wrong.sort();
        !wrong.is_empty()
    }

    /// As [`Self::put_right`] those of [`Self::find_early`]. Whom a wall comes upon has not been held against all walls yet, as he is when all
    /// contacts are known: here by what is near his leg.
    pub(crate) fn put_early(
        &mut self,
        place: Place<'_>,
        moved: Moved<'_>,
        (filters, flown, passes): (Filters<'_>, &[bool], &Passes<'_>),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        told: (&mut Trail, Split),
    ) {
        let Guard { wrong: Wrong { blocked, over }, others, scratch, .. } = self;
        if !over.is_empty() {
            others.take(moved, true, blocked.len() + over.len());
            let sets = others.sets(place.cells);
            let walls = &others.walls(place, moved, &sets).with_passes(passes);
            over.retain(|&row| {
                let (p, q) = (at(from, row as usize), at((&*to.0, &*to.1), row as usize));
                let motion = [0, 1].map(|k| f64::from(q[k]) - f64::from(p[k]));
                if is_set(flown, row as usize) {
                    return true;
                }
                // Where too many walls are near, it is found late.
                let known = walls.of(row).unwrap_or(*walls).gather((p, motion), Shape::Point, filters.of(row), scratch);
                blocked.extend((known && !is_free(&scratch.near, p, q)).then_some(row));
                known
            });
        }
        self.wrong.sort();
        let Guard { wrong: Wrong { blocked, over }, early, .. } = self;
        early.clear();
        early.extend(blocked.iter().chain(&*over));
        early.sort_unstable();
        early.dedup();
        self.put_right(place, moved, (filters, flown, passes), from, to, told);
    }

    /// Puts those whose leg is blocked where the door lets them.
    fn pass(
        &mut self,
        place: Place<'_>,
        moved: Moved<'_>,
        (filters, passes): (Filters<'_>, &Passes<'_>),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        (trail, split): (&mut Trail, Split),
    ) {
        self.others.take(moved, true, self.wrong.blocked.len() + self.wrong.over.len());
        let sets = self.others.sets(place.cells);
        let walls = &self.others.walls(place, moved, &sets).with_passes(passes);
        self.passing.pass((walls, filters), &self.wrong.blocked, (from, to), trail, split);
    }

    /// Puts those that [`Self::find`] or [`Self::find_early`] found where the door lets them: from `from` on rather than where they are in `to`, and then out of the way
    /// of walls.
    pub(crate) fn put_right(
        &mut self,
        place: Place<'_>,
        moved: Moved<'_>,
        (filters, flown, passes): (Filters<'_>, &[bool], &Passes<'_>),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        (trail, split): (&mut Trail, Split),
    ) {
        self.pass(place, moved, (filters, passes), from, (&mut *to.0, &mut *to.1), (&mut *trail, split));
        if moved.is_empty() {
            return;
        }
        let Guard { wrong: Wrong { blocked, over }, squeezed, scratch, others, .. } = self;
        let sets = others.sets(place.cells);
        let walls = &others.walls(place, moved, &sets).with_passes(passes);
        // Who has been put elsewhere may be in the way of a wall there.
        over.extend_from_slice(blocked);
        over.sort_unstable();
        over.dedup();
        for &row in &*over {
            let (k, filter) = (row as usize, filters.of(row));
            let q = [to.0[k], to.1[k]];
            if blocked.binary_search(&row).is_err() && !is_set(flown, k) && at(from, k) != q {
                trail.leg(row, at(from, k), q);
            }
            [to.0[k], to.1[k]] = moved.give_way((walls, others), (row, filter), q, (scratch, squeezed), trail);
        }
    }

    /// Remembers where all circles are before they are answered.
    pub(crate) fn remember(&mut self, (x, y): Positions<'_>, split: Split) {
        for (from, to) in [(x, &mut self.x), (y, &mut self.y)] {
            fit(to, from, from.len());
            split.chunks(to, PIECE, |at, to| to.copy_from_slice(&from[at..at + to.len()]));
        }
    }

    /// After the answer: no circle is further from where it was than half its radius. True if somebody is to be put right by [`Self::put_back`].
    pub(crate) fn find_answered(
        &mut self,
        radius: &[f32],
        to: (&mut [f32], &mut [f32]),
        segments: &SegmentColumns,
        (periods, sensors, passes): (&Periods, &[bool], &Passes<'_>),
        split: Split,
    ) -> bool {
        let Guard { held, pushed, cuts, wrong, x, y, .. } = self;
        pushed.find(Ways { from: [x, y], to: [&*to.0, &*to.1], radius }, split);
        cuts.resize_with(pushed.pieces().len(), Vec::new);
        split.each(cuts, |k, cuts| {
            cuts.clear();
            for row in pushed.pieces()[k].iter().map(|&row| row as usize) {
                let [from, to] = [[x[row], y[row]], [to.0[row], to.1[row]]];
                let at = within(from, to, radius[row]);
                cuts.extend((at != to).then_some((row as u32, at)));
            }
        });
        for &(row, at) in cuts.iter().flatten() {
            [to.0[row as usize], to.1[row as usize]] = at;
        }
        wrong.clear();
        held.find_answered(((x, y), (&*to.0, &*to.1)), (segments, periods, passes), wrong, split);
        let blocked = &mut wrong.blocked;
        if !periods.is_none() {
            let known = blocked.len();
            leave(periods, (x, y), (&*to.0, &*to.1), sensors, blocked);
            for &row in &blocked[known..] {
                let k = row as usize;
                [to.0[k], to.1[k]] = shortened(periods, at((x, y), k), [to.0[k], to.1[k]]);
            }
        }
        wrong.sort();
        !wrong.is_empty()
    }

    /// Puts those where the door lets them go from where they were.
    pub(crate) fn put_back(
        &mut self,
        place: Place<'_>,
        moved: Moved<'_>,
        (filters, passes): (Filters<'_>, &Passes<'_>),
        to: (&mut [f32], &mut [f32]),
        (trail, split): (&mut Trail, Split),
    ) {
        self.others.take(moved, false, self.wrong.blocked.len());
        let sets = self.others.sets(place.cells);
        let walls = &self.others.walls(place, moved, &sets).with_passes(passes);
        self.passing.pass((walls, filters), &self.wrong.blocked, ((&self.x, &self.y), to), trail, split);
    }

    /// In a plane that repeats: who leaves the stretch goes by the door, but for those who have flown, and is brought back; where that cannot
    /// be, he stays. Before contacts are found, by the rows from which circles come.
    pub(crate) fn carry(
        &mut self,
        place: Place<'_>,
        moved: Moved<'_>,
        (labels, periods, passes): (&Labels, &Periods, &Passes<'_>),
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        (flyers, trail): (&mut Flyers, &mut Trail),
    ) {
        let mut leaving = std::mem::take(&mut self.leaving);
        leaving.clear();
        leave(periods, from, (&*to.0, &*to.1), labels.sensors(), &mut leaving);
        if !leaving.is_empty() {
            self.others.take(moved, true, leaving.len());
            let sets = self.others.sets(place.cells);
            let walls = &self.others.walls(place, moved, &sets).with_passes(passes);
            for &row in &leaving {
                let (k, filter) = (row as usize, labels.filters().of(row));
                let (p, q) = (at(from, k), [to.0[k], to.1[k]]);
                let mut gone = q;
                if !is_set(flyers.flown(), k) {
                    gone = pass(walls, (row, filter), p, q, &mut self.scratch, trail);
                }
                // Moving walls are not asked, in cells or not.
                let back = walls.of(row).unwrap_or(*walls).in_cells(place.cells).bring_back(periods, filter, gone);
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
        place: Place<'_>,
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
        let walls = &Walls::new(place, &[]);
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
        let Wrong { blocked, over } = &self.wrong;
        blocked.binary_search(&row).is_ok() || over.binary_search(&row).is_ok()
    }

    /// Who was put elsewhere early, by the rows before the step: his legs as well.
    pub(crate) fn is_early(&self, row: u32) -> bool {
        self.early.binary_search(&row).is_ok()
    }
}

/// Who is not in the stretch, or comes from so far that it cannot be told; but for sensors.
fn leave(periods: &Periods, (x0, y0): Positions<'_>, (x, y): Positions<'_>, sensors: &[bool], rows: &mut Vec<u32>) {
    let half = periods.nearly_half();
    let may = |[x0, y0, x, y]: [f32; 4]| {
        let keeps = periods.keeps(0, x) & periods.keeps(1, y);
        !keeps | ((x - x0).abs() >= half[0]) | ((y - y0).abs() >= half[1])
    };
    each_where([x0, y0, x, y], may, |row| {
        let (from, [x, y]) = ([x0[row], y0[row]], [x[row], y[row]]);
        let leaves = !(periods.keeps(0, x) & periods.keeps(1, y)) || periods.is_carried(from, [x, y]);
        if leaves && !is_set(sensors, row) {
            rows.push(row as u32);
        }
    });
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
