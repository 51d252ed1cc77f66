//! Nobody slow leaves its side of a wall it touches.
//!
//! Comes in: contacts between circles and segments as they were found, where the circles were before. Goes out: who went through a wall,
//! and where it may be instead. This room does not know how contacts are found again.
//!
//! *Why contacts are enough.* Where a centre goes from p to q no further than its radius, a wall that the leg meets has a point within that
//! radius of q, and of p: it touches the circle at both. So the segments in the list before any rule has made it shorter (ends that are
//! hidden, walls seen from behind: just the case that matters) are all that the leg can meet. Flight further than half the radius is not of this
//! room; responses are cut to half of it here.
//!
//! Cost: two signs in `f64` a contact with a wall that does not move, 4 ns; exact only in doubt.

use super::door::{Scratch, pass, rounded};
use super::impulse::dot;
use super::leg::Spine;
use super::trail::Trail;
use super::walls::{Walls, wide};
use crate::exact::P;
use crate::narrow_phase::CircleSegmentContact;
use crate::storage::{Filters, Labels, SegmentColumns, copy};

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    /// Circles, by their rows in the contacts, and walls that hold them.
    pairs: Vec<[u32; 2]>,
    /// Circles whose way is blocked.
    blocked: Vec<u32>,
    /// Where all circles were before a response.
    x: Vec<f32>,
    y: Vec<f32>,
    scratch: Scratch,
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

impl Guard {
    /// Nothing is held in this step.
    pub(crate) fn none(&mut self) {
        self.pairs.clear();
        self.blocked.clear();
    }

    /// Lists all contacts with walls that hold, and the rows in `order` of those circles whose leg from `before` (by `order`) to `after` (by
    /// row) is blocked, ascending. Those that have `flown` (by `order`; empty: nobody) are not looked at.
    pub(crate) fn find(
        &mut self,
        contacts: &[CircleSegmentContact],
        order: &[u32],
        (before, after): (Positions<'_>, Positions<'_>),
        flown: &[bool],
        (circles, segments): (&Labels, &SegmentColumns),
    ) -> &[u32] {
        self.none();
        let (of_circles, of_segments) = (circles.sensors(), segments.labels.sensors());
        let is_set = |column: &[bool], row: u32| column.get(row as usize).copied().unwrap_or(false);
        for contact in contacts {
            let (a, b) = (contact.a as usize, contact.b as usize);
            if segments.moving[b] | is_set(of_circles, contact.a) | is_set(of_segments, contact.b) {
                continue;
            }
            self.pairs.push([contact.a, contact.b]);
            let from = order[a];
            if is_set(flown, from) {
                continue;
            }
            let spine = spine(segments, b);
            let (p, q) = (at(before, from as usize), at(after, a));
            if !surely_one_side(&spine, p, q) && spine.blocks(p, q) {
                self.blocked.push(from);
            }
        }
        self.blocked.sort_unstable();
        self.blocked.dedup();
        &self.blocked
    }

    /// Puts those that [`Self::find`] found where the door lets them, from `from` on, rather than where they are in `to`.
    pub(crate) fn put_right(
        &mut self,
        walls: &Walls<'_>,
        filters: Filters<'_>,
        from: Positions<'_>,
        to: (&mut [f32], &mut [f32]),
        trail: &mut Trail,
    ) {
        for &row in &self.blocked {
            let k = row as usize;
            let (p, q) = (at(from, k), [to.0[k], to.1[k]]);
            let name = (row, filters.of(row));
            [to.0[k], to.1[k]] = pass(walls, name, p, q, &mut self.scratch, trail);
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
    ) -> bool {
        let Guard { pairs, blocked, x, y, .. } = self;
        let is_far = |(x, y): Positions<'_>, to: Positions<'_>, row: usize| {
            let most = 0.35 * radius[row];
            ((to.0[row] - x[row]).abs() > most) | ((to.1[row] - y[row]).abs() > most)
        };
        let n = radius.len();
        for first in (0..n).step_by(256) {
            let rows = first..std::cmp::min(first + 256, n);
            if rows.clone().fold(false, |any, row| any | is_far((x, y), (to.0, to.1), row)) {
                for row in rows {
                    [to.0[row], to.1[row]] = within(at((x, y), row), [to.0[row], to.1[row]], radius[row]);
                }
            }
        }
        blocked.clear();
        for &[circle, segment] in &*pairs {
            let (a, spine) = (circle as usize, spine(segments, segment as usize));
            let (p, q) = (at((x, y), a), [to.0[a], to.1[a]]);
            if !surely_one_side(&spine, p, q) && spine.blocks(p, q) {
                blocked.push(circle);
            }
        }
        blocked.sort_unstable();
        blocked.dedup();
        !blocked.is_empty()
    }

    /// Puts those where the door lets them go from where they were.
    pub(crate) fn put_back(
        &mut self,
        walls: &Walls<'_>,
        filters: Filters<'_>,
        to: (&mut [f32], &mut [f32]),
        trail: &mut Trail,
    ) {
        let (x, y) = (std::mem::take(&mut self.x), std::mem::take(&mut self.y));
        self.put_right(walls, filters, (&x, &y), to, trail);
        (self.x, self.y) = (x, y);
    }

    /// Where the circles were, by row, and who has been put right.
    pub(crate) fn remembered(&self) -> (Positions<'_>, &[u32]) {
        ((&self.x, &self.y), &self.blocked)
    }
}

fn spine(segments: &SegmentColumns, row: usize) -> Spine {
    Spine {
        start: [segments.x0[row], segments.y0[row]],
        end: [segments.x1[row], segments.y1[row]],
        one_sided: segments.one_sided[row],
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
