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
use crate::broad_phase::{Grid, walk};
use crate::exact::P;
use crate::storage::{Filter, Filters, SegmentColumns, least};

/// How often it gives way.
const ROUNDS: usize = 8;
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
}

/// Which of the rows, ascending, this is.
pub(super) fn number(rows: &[u32], row: u32) -> Option<usize> {
    // Where all walls move, or all behind some, no search is needed.
    let near = (row as usize).wrapping_sub(*rows.first()? as usize);
    if rows.get(near) == Some(&row) { Some(near) } else { rows.binary_search(&row).ok() }
}

impl<'a> Moved<'a> {
    /// `saved`: what they were, for each of the rows that move.
    pub(crate) fn new(segments: &'a SegmentColumns, saved: &'a [Ends]) -> Moved<'a> {
        let labels = &segments.labels;
        Moved { segments, filters: labels.filters(), sensors: labels.sensors(), saved, ahead: None }
    }

    /// As they will have moved: just as the step is about to move them.
    pub(super) fn ahead(segments: &'a SegmentColumns, dt: f32) -> Moved<'a> {
        Moved { ahead: Some(dt), ..Moved::new(segments, &[]) }
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        if self.ahead.is_some() { self.segments.moving_rows.len() } else { self.saved.len() }
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

    /// The motion of the wall in a row, which moves.
    pub(super) fn of(&self, row: u32) -> Option<Sweeping> {
        let k = number(&self.segments.moving_rows, row)?;
        (k < self.saved.len()).then(|| self.at(k).1)
    }

    /// It is no sensor, and meets what has this filter.
    pub(super) fn holds(&self, row: u32, filter: Filter) -> bool {
        !self.sensors.get(row as usize).copied().unwrap_or(false) && self.filters.of(row).meets(filter)
    }

    /// All of them as walls at rest, where they were or where they are.
    pub(super) fn spines(&self, as_they_were: bool, to: &mut Vec<Near>) {
        to.clear();
        to.extend((0..self.saved.len()).map(|k| {
            let (row, Sweeping { from, to: [start, end] }) = self.at(k);
            let spine = if as_they_were { from } else { Spine { start, end, ..from } };
            Near { row, spine, radius: self.radius(row) }
        }));
    }

    /// Pairs of a row in cell order and a wall that is not slow, of all circles that it may have come upon or that may have flown through it.
    /// `at`: where circles are, by the rows from which the grid was binned; `radius` likewise.
    pub(crate) fn far(&self, grid: &Grid, at: (&[f32], &[f32]), radius: &[f32], pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        if self.is_empty() {
            return;
        }
        let least = least(radius);
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
            for level in grid.levels() {
                let reach = (way * 1.001) as f32 + level.size;
                let runs = |row: i32, first: i32, last: i32| {
                    grid.interval(level, row, first, last).into_iter().for_each(&mut look);
                };
                let before = [sweeping.to[0], sweeping.to[1]];
                if !walk(&level.map, before, reach, reach, MOST_ROWS, runs) {
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
            sweeping.passes_over(q) && self.holds(row, filter)
        });
    }

    /// Whether one of them, but for those that let it through, may pass over a circle at rest.
    pub(super) fn is_over(
        &self,
        place: (&Walls<'_>, &Others),
        q: P,
        filter: Filter,
        (numbers, passes): (&mut Vec<u32>, impl Fn(u32) -> bool),
    ) -> bool {
        self.over(place, q, filter, numbers);
        numbers.iter().any(|&k| !passes(self.segments.moving_rows[k as usize]))
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
        let mut over = std::mem::take(&mut scratch.over);
        let mut round = 0;
        loop {
            self.over((walls, others), at, filter, &mut over);
            if over.is_empty() || round == ROUNDS {
                break;
            }
            let (_, sweeping) = self.at(over[round % over.len()] as usize);
            let hair = walls.hair_at(wide(at), wide(sweeping.to[0]));
            let goal = rounded(sweeping.beside(at, BEYOND * hair));
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
