//! The walls that have moved in this step, and the circles they come upon.
//!
//! Comes in: moving segments as they were and as they are, circles at rest. Goes out: which circles a wall may have passed over, and
//! where they may be instead. This room does not know how fast circles are.
//!
//! A step does one after the other: circles fly while all walls are where they were; circles that walls will come upon give way; walls
//! move over circles at rest; answers move circles while all walls are where they are. A circle gives way along the normal of the wall's new
//! place, to the side where it was of the old one, by the door; the walls that come upon it then are taken in turn, a few times. Where that is
//! not enough there was no room: the wall moves all the same, and the circle is told of as squeezed.
//!
//! *Who is looked at.* A wall whose ends go no further than about half of every radius touches in its new place what it passes over, and what
//! has flown through its old one: those are in the contacts. Of others the cells about their motion are walked.

use super::door::{Scratch, pass, rounded};
use super::integrate::{Ends, ahead};
use super::leg::Spine;
use super::others::Others;
use super::sweeping::Sweeping;
use super::trail::Trail;
use super::walls::{Near, Walls, wide};
use crate::broad_phase::{Grid, Occupancy, walk_part};
use crate::exact::P;
use crate::geometry::Periods;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::storage::{Filter, Filters, SegmentColumns, is_set, largest, least};

/// How often it gives way.
const ROUNDS: usize = 12;
/// How far from a wall's new place it gives way, in hairs.
const BEYOND: f64 = 2.0;
/// A wall that goes no further than this share of the least radius is slow: with half a radius of flight, no more than a radius.
const SLOW: f64 = 0.49;
/// With more rows of cells about its motion than this, a wall is held against all circles.
const MOST_ROWS: u32 = 1024;

/// See the head of the module: all moving segments that hold anybody.
#[derive(Clone, Copy)]
pub(crate) struct Moved<'a> {
    segments: &'a SegmentColumns,
    filters: Filters<'a>,
    sensors: &'a [bool],
    saved: &'a [Ends],
    /// They have not moved yet, and are about to for so long; nothing is saved then.
    ahead: Option<f32>,
    /// The first of their rows, if they are all that there are from there on to the last.
    run: Option<u32>,
}

/// Which of the rows, ascending, this is.
pub(super) fn number(rows: &[u32], row: u32) -> Option<usize> {
    // Where all walls move, or all behind some, no search is needed.
    let near = (row as usize).wrapping_sub(*rows.first()? as usize);
    if rows.get(near) == Some(&row) { Some(near) } else { rows.binary_search(&row).ok() }
}

/// Eight of them at once: ends before and after, as `x0, y0, x1, y1`, and radii.
#[derive(Default)]
pub(super) struct Eight {
    pub(super) from: [[f32; 8]; 4],
    pub(super) to: [[f32; 8]; 4],
    pub(super) radius: [f32; 8],
}

/// The furthest that an end goes along an axis.
struct Furthest<'a>(Moved<'a>);

impl Operation for Furthest<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<K: Kernels>(self) -> f32 {
        let mut most = [0.0f32; 8];
        for k in (0..self.0.count()).step_by(8) {
            let Eight { from, to, .. } = self.0.eight(k);
            for axis in 0..4 {
                for lane in 0..8 {
                    let way = (to[axis][lane] - from[axis][lane]).abs();
                    most[lane] = if way > most[lane] { way } else { most[lane] };
                }
            }
        }
        largest(&most)
    }
}

impl<'a> Moved<'a> {
    /// `saved`: what they were, for each of the rows that move.
    pub(crate) fn new(segments: &'a SegmentColumns, saved: &'a [Ends]) -> Moved<'a> {
        let (labels, rows) = (&segments.labels, &segments.moving_rows);
        let run = rows.first().filter(|&&first| (rows[rows.len() - 1] - first) as usize + 1 == rows.len()).copied();
        Moved { segments, filters: labels.filters(), sensors: labels.sensors(), saved, ahead: None, run }
    }

    /// As they will have moved: just as the step is about to move them.
    pub(super) fn ahead(segments: &'a SegmentColumns, dt: f32) -> Moved<'a> {
        Moved { ahead: Some(dt), ..Moved::new(segments, &[]) }
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        if self.ahead.is_some() { self.segments.moving_rows.len() } else { self.saved.len() }
    }

    /// Theirs are these rows.
    pub(super) fn are(&self, rows: &[u32]) -> bool {
        self.segments.moving_rows == rows
    }

    /// What they were, for each of the rows that move.
    pub(super) fn saved(&self) -> &'a [Ends] {
        self.saved
    }

    /// The radius of a row.
    pub(super) fn radius(&self, row: u32) -> f32 {
        self.segments.radius[row as usize]
    }

    /// Nothing has moved.
    pub(crate) fn is_empty(&self) -> bool {
        self.saved.is_empty()
    }

    /// The furthest that an end goes along an axis.
    pub(super) fn furthest(&self) -> f32 {
        dispatch(Backend::Wide, InstructionSet::best(), Furthest(*self))
    }

    /// The row of one of them, and its motion.
    pub(super) fn at(&self, k: usize) -> (u32, Sweeping) {
        let (row, s) = (self.segments.moving_rows[k], self.segments);
        let at = row as usize;
        let [from, to] = if let Some(dt) = self.ahead {
            ahead(s, at, dt)
        } else {
            let was = self.saved[k];
            [[was[0], was[1], was[2], was[3]], [s.x0[at], s.y0[at], s.x1[at], s.y1[at]]]
        };
        let spine = Spine { start: [from[0], from[1]], end: [from[2], from[3]], one_sided: s.one_sided[at] };
        (row, Sweeping { from: spine, to: [[to[0], to[1]], [to[2], to[3]]] })
    }

    /// Eight of them from a number on, the last one again where there are fewer; there is one.
    #[inline(always)]
    pub(super) fn eight(&self, k: usize) -> Eight {
        let (s, numbers) = (self.segments, &self.segments.moving_rows);
        let (columns, mut eight) = ([&s.x0, &s.y0, &s.x1, &s.y1], Eight::default());
        let mut speeds = [[0.0; 8]; 4];
        let velocities = [&s.velocity_x0, &s.velocity_y0, &s.velocity_x1, &s.velocity_y1];
        let first = numbers[k] as usize;
        let is_run = numbers.get(k + 7).is_some_and(|&last| last as usize == first + 7);
        let last = numbers.len() - 1;
        if is_run {
            let run = first..first + 8;
            eight.radius.copy_from_slice(&s.radius[run.clone()]);
            for (to, from) in eight.to.iter_mut().zip(columns) {
                to.copy_from_slice(&from[run.clone()]);
            }
            for (to, from) in speeds.iter_mut().zip(velocities) {
                to.copy_from_slice(&from[run.clone()]);
            }
        } else {
            for lane in 0..8 {
                let row = numbers[if k + lane < last { k + lane } else { last }] as usize;
                eight.radius[lane] = s.radius[row];
                for axis in 0..4 {
                    (eight.to[axis][lane], speeds[axis][lane]) = (columns[axis][row], velocities[axis][row]);
                }
            }
        }
        eight.from = eight.to;
        let Some(dt) = self.ahead else {
            for lane in 0..8 {
                let was = &self.saved[if k + lane < last { k + lane } else { last }];
                eight.from.iter_mut().zip(was).for_each(|(from, was)| from[lane] = *was);
            }
            return eight;
        };
        for (to, speed) in eight.to.iter_mut().zip(speeds) {
            for lane in 0..8 {
                to[lane] += speed[lane] * dt;
            }
        }
        if !s.labels.enabled().is_empty() {
            for lane in 0..8 {
                if !s.labels.is_enabled(numbers[if k + lane < last { k + lane } else { last }] as usize) {
                    for axis in 0..4 {
                        eight.to[axis][lane] = eight.from[axis][lane];
                    }
                }
            }
        }
        eight
    }

    /// Some of them end where they are brought back over the border.
    pub(crate) fn some_leave(&self, periods: &Periods) -> bool {
        !periods.is_none()
            && (0..self.count()).any(|k| {
                let [a, b] = self.at(k).1.to;
                [0, 1].iter().any(|&axis| periods.back(axis, [a[axis], b[axis]]) != 0.0)
            })
    }

    /// The motion of the wall in a row, which moves.
    pub(super) fn of(&self, row: u32) -> Option<Sweeping> {
        let k = number(&self.segments.moving_rows, row)?;
        (k < self.saved.len()).then(|| self.at(k).1)
    }

    /// Where the ends of the wall in a row were, if it has moved.
    #[inline(always)]
    pub(super) fn was(&self, row: u32) -> Option<[f32; 4]> {
        let k = match self.run {
            Some(first) => row.wrapping_sub(first) as usize,
            None => number(&self.segments.moving_rows, row)?,
        };
        let was = self.saved.get(k)?;
        Some([was[0], was[1], was[2], was[3]])
    }

    /// It is no sensor, and meets what has this filter.
    pub(super) fn holds(&self, row: u32, filter: Filter) -> bool {
        !is_set(self.sensors, row as usize) && self.filters.of(row).meets(filter)
    }

    /// All of them as walls at rest, where they were or where they are.
    pub(super) fn spines(&self, as_they_were: bool, to: &mut Vec<Near>) {
        let s = self.segments;
        to.clear();
        to.extend(self.saved.iter().zip(&s.moving_rows).map(|(was, &row)| {
            let at = row as usize;
            let [x0, y0, x1, y1] =
                if as_they_were { [was[0], was[1], was[2], was[3]] } else { [s.x0[at], s.y0[at], s.x1[at], s.y1[at]] };
            let spine = Spine { start: [x0, y0], end: [x1, y1], one_sided: s.one_sided[at] };
            Near { row, spine, radius: s.radius[at] }
        }));
    }

    /// Pairs of a row in cell order and a wall that is not slow, of all circles that it may have come upon or that may have flown through it.
    /// `at`: where circles are, by the rows from which the grid was binned; `radius` likewise. `furthest`: see [`Self::furthest`]. `occupancy`: by level,
    /// if it is known.
    pub(super) fn far(
        &self,
        (grid, occupancy): (&Grid, &[Occupancy]),
        (at, radius): ((&[f32], &[f32]), &[f32]),
        furthest: f32,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        pairs.clear();
        if self.is_empty() {
            return;
        }
        let least = least(radius);
        // Most often all are slow: more than the root of two times the longest way along an axis.
        if f64::from(furthest) * 1.415 <= SLOW * f64::from(least) {
            return;
        }
        for k in 0..self.saved.len() {
            let (row, sweeping) = self.at(k);
            let way = sweeping.way();
            if way <= SLOW * f64::from(least) {
                continue;
            }
            let mut look = |run: std::ops::Range<u32>| {
                for circle in run {
                    let from = grid.order()[circle as usize] as usize;
                    // Twice what a slow circle has flown.
                    if sweeping.is_near([at.0[from], at.1[from]], radius[from]) {
                        pairs.push([circle, row]);
                    }
                }
            };
            for (index, level) in grid.levels().iter().enumerate() {
                let reach = ((way * 1.001) as f32 + level.size).next_up();
                if occupancy.get(index).is_some_and(|level| level.is_empty_about(sweeping.to, reach)) {
                    continue;
                }
                let Some(part) = level.part(sweeping.to, reach) else { continue };
                let runs = |row: i32, first: i32, last: i32| {
                    grid.interval(level, row, first, last).into_iter().for_each(&mut look);
                };
                if !walk_part(&level.map, part, MOST_ROWS, runs) {
                    look(level.rows.clone());
                }
            }
        }
    }

    /// The numbers of the walls that may pass over a point, ascending.
    fn over(&self, (walls, others): (&Walls<'_>, &Others), q: P, filter: Filter, numbers: &mut Vec<u32>) {
        others.about(walls, q, numbers);
        numbers.retain(|&k| {
            let (row, sweeping) = self.at(k as usize);
            sweeping.passes_over(q) && self.holds(row, filter) && !walls.lets_pass(row)
        });
    }

    /// Whether one of them may pass over a circle at rest.
    pub(super) fn is_over(&self, place: (&Walls<'_>, &Others), q: P, filter: Filter, numbers: &mut Vec<u32>) -> bool {
        self.over(place, q, filter, numbers);
        !numbers.is_empty()
    }

    /// Where a circle that rests at `at` gives way to; `walls` are all, as they were, `others` those of them that move. Pairs of its row and a wall
    /// for which there is no room go to `squeezed`.
    pub(super) fn give_way(
        &self,
        (walls, others): (&Walls<'_>, &Others),
        (row, filter): (u32, Filter),
        mut at: P,
        (scratch, squeezed): (&mut Scratch, &mut Vec<[u32; 2]>),
        trail: &mut Trail,
    ) -> P {
        let own = walls.of(row);
        let (mut over, walls) = (std::mem::take(&mut scratch.over), own.as_ref().unwrap_or(walls));
        let (mut round, mut times) = (0, 0);
        // The one that was asked last, and one before it.
        let mut asked: [Option<usize>; 2] = [None; 2];
        loop {
            self.over((walls, others), at, filter, &mut over);
            if over.is_empty() || round == ROUNDS {
                break;
            }
            let k = over[round % over.len()] as usize;
            times = if asked[0] == Some(k) { times + 1 } else { 0 };
            if times == 0 {
                asked = [Some(k), asked[0]];
            }
            let (_, sweeping) = self.at(k);
            let other = asked[1].map(|other| self.at(other).1);
            let hair = walls.hair_at(wide(at), wide(sweeping.to[0]));
            let goal = rounded(sweeping.beside(at, BEYOND * hair, times, other));
            if goal[0].is_finite() && goal[1].is_finite() {
                at = pass(walls, (row, filter), at, goal, scratch, trail);
            }
            round += 1;
        }
        squeezed.extend(over.iter().map(|&k| [row, self.at(k as usize).0]));
        scratch.over = over;
        at
    }
}

#[cfg(test)]
mod tests {
    use super::super::integrate::{Limits, segments as integrate};
    use super::*;
    use crate::geometry::Segment;
    use crate::storage::{SegmentBody, SegmentHandle};

    #[test]
    fn eight_at_once_are_those_one_by_one() {
        for case in 0..40u32 {
            let mut segments = SegmentColumns::default();
            for k in 0..3 + case {
                let v = |n: u32| ((k * 31 + n * 17 + case * 7) % 64) as f32 / 8.0 - 4.0;
                let body: SegmentBody = Segment::new([v(0), v(1)], [v(2), v(3)]).with_radius(v(4).abs()).into();
                // Rows that move are a run, or have gaps.
                let moves = if case % 2 == 0 { k > 0 } else { k % 11 != 5 };
                let body = if moves { body.with_velocity([v(5) + 9.0, v(6)]) } else { body };
                let is_enabled = case % 3 != 0 || k % 4 != 1;
                segments.push(SegmentBody { enabled: is_enabled, ..body }, SegmentHandle::new(k, 0));
            }
            let check = |segments: &SegmentColumns, moved: Moved<'_>| {
                let count = moved.count();
                let mut most = 0.0f32;
                for row in 0..segments.len() as u32 {
                    let was = number(&segments.moving_rows, row).and_then(|k| moved.saved.get(k));
                    assert_eq!(moved.was(row), was.map(|was| [was[0], was[1], was[2], was[3]]), "{case} {row}");
                }
                for k in (0..count).step_by(8) {
                    let eight = moved.eight(k);
                    for lane in 0..8 {
                        let (row, one) = moved.at(std::cmp::min(k + lane, count - 1));
                        let [from, to] = [eight.from, eight.to].map(|ends| ends.map(|axis| axis[lane]));
                        let spine = one.from;
                        assert_eq!(from, [spine.start[0], spine.start[1], spine.end[0], spine.end[1]], "{case} {k}");
                        assert_eq!(to, [one.to[0][0], one.to[0][1], one.to[1][0], one.to[1][1]], "{case} {k} {lane}");
                        assert_eq!(eight.radius[lane], moved.radius(row));
                        most = to.iter().zip(from).fold(most, |most, (to, from)| most.max((to - from).abs()));
                    }
                }
                assert_eq!(dispatch(Backend::Wide, InstructionSet::best(), Furthest(moved)), most);
                most
            };
            assert!(check(&segments, Moved::ahead(&segments, 0.25)) > 1.0);
            let mut saved = vec![];
            integrate(&mut segments, Limits::NONE, 0.25, &mut saved).unwrap();
            assert!(check(&segments, Moved::new(&segments, &saved)) > 1.0);
        }
    }
}
