//! Which circles the walls that they touch hold.
//!
//! Comes in: contacts, or the pairs of the last ones, and where circles were and are. Goes out: pairs that hold, and who has left his side of
//! a wall or has one upon him. This room does not know what becomes of them. Pieces of the list are looked at side by side.
//!
//! Cost: a length in `f32` a contact; where that is not short, two signs with a wall that does not move, four with one that does; exact only in
//! doubt.
//!
//! *Room.* A contact says how far the wall is from the centre: a leg from there, or to there, that is shorter does not meet it. What is left of
//! that when an answer has moved the circle is good for the flight of the next step. Of a wall that moves no point goes further than one of its
//! ends; where the leg and that way together are shorter than the room, the leg does not meet the wall where it was, nor where it is, and the hull
//! of its ends, all within that way of either, does not hold the centre.

use super::images::{image_blocks, spine};
use super::leg::{Spine, side};
use super::moved::Moved;
use super::sweeping::is_beside;
use super::walls::Walls;
use crate::exact::P;
use crate::geometry::Periods;
use crate::kernels::{NEAR, TINY};
use crate::narrow_phase::CircleSegmentContact;
use crate::parallel::Split;
use crate::storage::{CircleHandle, Labels, SegmentColumns, SegmentHandle, is_set};

/// Contacts that one thread looks at.
const PIECE: usize = 512;

/// Positions, as columns.
pub(crate) type Positions<'a> = (&'a [f32], &'a [f32]);

pub(super) fn at((x, y): Positions<'_>, row: usize) -> P {
    [x[row], y[row]]
}

/// Both points are surely on the same side of the line.
#[inline(always)]
fn surely_one_side(spine: &Spine, from: P, to: P) -> bool {
    let ((s, e), (t, f)) = (side(spine.start, spine.end, from), side(spine.start, spine.end, to));
    (s > e) & (t > f) | (s < -e) & (t < -f)
}

/// Nothing can come of this: both points are surely on one side of the wall, which stands, or has surely not touched the second on its way.
/// Images of it are asked otherwise.
#[inline(always)]
fn is_clear((segments, moved): (&SegmentColumns, Moved<'_>), row: u32, from: P, to: P) -> bool {
    let k = row as usize;
    match moved.was(row) {
        Some([x0, y0, x1, y1]) => {
            let is = [[segments.x0[k], segments.y0[k]], [segments.x1[k], segments.y1[k]]];
            is_beside([[x0, y0], [x1, y1], is[0], is[1]], from, to)
        }
        None => !segments.moving[k] && surely_one_side(&spine(segments, k), from, to),
    }
}

/// How far a wall surely is from the centre of a circle that touches it; below zero where that is not known. The separation is within an ulp,
/// and no larger than the radius where the difference is above zero.
#[inline(always)]
fn room(separation: f32, radius: f32) -> f32 {
    separation + radius - (radius * NEAR + TINY)
}

/// No shorter than a leg: the sum of its sides.
#[inline(always)]
fn length(from: P, to: P) -> f32 {
    ((to[0] - from[0]).abs() + (to[1] - from[1]).abs()) * (1.0 + NEAR)
}

/// What is left of the room beside a wall of a row, if it moves: its points go no further than `way`.
#[inline(always)]
fn beside(room: f32, segments: &SegmentColumns, row: u32, way: f32) -> f32 {
    if segments.moving[row as usize] { room - way } else { room }
}

/// No shorter than the way of any point of a wall of which no end goes further than this along either axis.
#[inline(always)]
fn longest_way(furthest: f32) -> f32 {
    2.0 * furthest * (1.0 + NEAR)
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
    /// By those rows; of use where there are contacts.
    pub(crate) radius: &'a [f32],
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
    pub(super) fn has(&self, circle: u32, segment: u32) -> bool {
        !self.pairs.is_empty() && self.search(circle, segment)
    }

    #[cold]
    fn search(&self, circle: u32, segment: u32) -> bool {
        let (circle, segment) = (self.circles[circle as usize], self.segments[segment as usize]);
        self.pairs.binary_search(&[circle.to_bits(), segment.to_bits()]).is_ok()
    }
}

/// Who is to be put elsewhere, by row.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    /// Circles whose leg is blocked.
    pub(super) blocked: Vec<u32>,
    /// Circles that a wall has come upon.
    pub(super) over: Vec<u32>,
}

impl Wrong {
    pub(super) fn clear(&mut self) {
        self.blocked.clear();
        self.over.clear();
    }

    /// Ascending, each once.
    pub(super) fn sort(&mut self) {
        for rows in [&mut self.blocked, &mut self.over] {
            rows.sort_unstable();
            rows.dedup();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocked.is_empty() && self.over.is_empty()
    }
}

/// A circle, by its row in the contacts, and a wall that holds it.
#[derive(Clone, Copy, Debug)]
struct Pair {
    rows: [u32; 2],
    /// See [`room`].
    room: f32,
}

/// Some pairs, and who of them is wrong.
#[derive(Debug, Default)]
struct Piece {
    pairs: Vec<Pair>,
    wrong: Wrong,
}

/// The pairs of the last contacts whose wall holds its circle. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Held {
    pieces: Vec<Piece>,
    used: usize,
    /// Edits of walls before the contacts were found: of those of later ones no room is known.
    edits: u64,
}

impl Held {
    /// `work` for each piece, with its number; who is wrong is added to `wrong`.
    fn each(&mut self, split: Split, wrong: &mut Wrong, work: impl Fn(usize, &mut Piece) + Sync) {
        let pieces = &mut self.pieces[..self.used];
        split.each(pieces, |k, piece| {
            piece.wrong.clear();
            work(k, piece);
        });
        for piece in pieces {
            wrong.blocked.append(&mut piece.wrong.blocked);
            wrong.over.append(&mut piece.wrong.over);
        }
    }

    /// The pairs are those of these contacts; who has left his side of a wall where it was (who has flown is not asked), or is where a wall
    /// has come upon him, and of pairs that are `far` as well.
    pub(super) fn find(
        &mut self,
        found: Found<'_>,
        (segments, moved, furthest): (&SegmentColumns, Moved<'_>, f32),
        far: &[[u32; 2]],
        wrong: &mut Wrong,
        split: Split,
    ) {
        let (of_circles, of_segments) = (found.labels.sensors(), segments.labels.sensors());
        let repeats = !found.periods.is_none();
        let carried = |p: P, q: P| repeats && found.periods.is_carried(p, q);
        let look = |from: u32, segment: u32, room: f32, wrong: &mut Wrong| {
            let (p, q) = (at(found.before, from as usize), at(found.after, from as usize));
            if length(p, q) < room || !repeats && is_clear((segments, moved), segment, p, q) {
                return;
            }
            let sweeping = if segments.moving[segment as usize] { moved.of(segment) } else { None };
            let spine = sweeping.map_or_else(|| spine(segments, segment as usize), |sweeping| sweeping.from);
            if !surely_one_side(&spine, p, q)
                && !is_set(found.flown, from as usize)
                && spine.blocks(p, q)
                && !carried(p, q)
            {
                wrong.blocked.push(from);
            } else if repeats && sweeping.is_none() && !is_set(found.flown, from as usize) && !carried(p, q) {
                // Who has been carried over the border has gone there by the door.
                wrong.blocked.extend(image_blocks(&spine, &found.periods, p, q).then_some(from));
            }
            if sweeping.is_some_and(|sweeping| sweeping.passes_over(q)) {
                wrong.over.push(from);
            }
        };
        let way = longest_way(furthest);
        self.edits = segments.edits();
        self.used = found.contacts.len().div_ceil(PIECE);
        if self.pieces.len() < self.used {
            self.pieces.resize_with(self.used, Piece::default);
        }
        self.each(split, wrong, |k, Piece { pairs, wrong }| {
            pairs.clear();
            for contact in found.contacts[k * PIECE..].iter().take(PIECE) {
                let from = found.order[contact.a as usize];
                if !(is_set(of_circles, from as usize) | is_set(of_segments, contact.b as usize)) {
                    let room = if repeats { 0.0 } else { room(contact.separation, found.radius[from as usize]) };
                    // Also who is let through now: that may be over when he is answered.
                    pairs.push(Pair { rows: [contact.a, contact.b], room });
                    if !found.passes.has(from, contact.b) {
                        look(from, contact.b, beside(room, segments, contact.b, way), wrong);
                    }
                }
            }
        });
        for &[circle, segment] in far {
            let from = found.order[circle as usize];
            let held = !is_set(of_circles, from as usize) && moved.holds(segment, found.labels.filters().of(from));
            if held && !found.passes.has(from, segment) {
                look(from, segment, 0.0, wrong);
            }
        }
    }

    /// Who has left his side of a wall that he touched in the last step, or has it upon him, by the rows that circles had in its contacts.
    /// Whoever has changed rows since is overlooked. Where walls that move may be brought back over a border before all are looked at, it would matter who
    /// is found here, and what is known of the last step is no part of the state: nobody is then.
    pub(super) fn find_early(
        &mut self,
        found: Found<'_>,
        (segments, moved, furthest): (&SegmentColumns, Moved<'_>, f32),
        wrong: &mut Wrong,
        split: Split,
    ) {
        if !(found.periods.is_none() || segments.moving_rows.is_empty()) {
            return;
        }
        let way = longest_way(furthest);
        let sensors = found.labels.sensors();
        // Else a wall lets somebody through: that is found late.
        let plain = found.passes.pairs.is_empty();
        // Who takes no part stays where he is.
        let enabled = [found.labels.enabled(), segments.labels.enabled()];
        let is_off =
            |rows: [u32; 2]| [0, 1].into_iter().any(|k| !enabled[k].get(rows[k] as usize).copied().unwrap_or(true));
        let known = found.periods.is_none() && self.edits == segments.edits();
        self.each(split, wrong, |_, Piece { pairs, wrong }| {
            for &Pair { rows: [circle, segment], room } in &*pairs {
                let (k, b) = (circle as usize, segment as usize);
                if k >= found.after.0.len() || b >= segments.len() {
                    continue;
                }
                let (p, q) = (at(found.before, k), at(found.after, k));
                if known && length(p, q) < beside(room, segments, segment, way)
                    || found.periods.is_none() && is_clear((segments, moved), segment, p, q)
                    || is_set(sensors, circle as usize)
                    || is_off([circle, segment])
                {
                    continue;
                }
                let sweeping = if segments.moving[b] { moved.of(segment) } else { None };
                let spine = sweeping.map_or_else(|| spine(segments, b), |sweeping| sweeping.from);
                let has_flown = is_set(found.flown, circle as usize);
                let blocks = !surely_one_side(&spine, p, q) && !has_flown && spine.blocks(p, q);
                let repeats = sweeping.is_none() && !found.periods.is_none() && !has_flown;
                let over = plain && sweeping.is_some_and(|sweeping| sweeping.passes_over(q));
                let blocks = blocks || repeats && image_blocks(&spine, &found.periods, p, q);
                if (blocks || over)
                    && moved.holds(segment, found.labels.filters().of(circle))
                    && !found.passes.has(circle, segment)
                {
                    wrong.blocked.extend(blocks.then_some(circle));
                    wrong.over.extend(over.then_some(circle));
                }
            }
        });
    }

    /// Who has been moved off his side of a wall by an answer, by the rows of the contacts. `passes`: by those, whom walls let through from now on.
    pub(super) fn find_answered(
        &mut self,
        (from, to): (Positions<'_>, Positions<'_>),
        (segments, periods, passes): (&SegmentColumns, &Periods, &Passes<'_>),
        wrong: &mut Wrong,
        split: Split,
    ) {
        self.each(split, wrong, |_, Piece { pairs, wrong }| {
            for Pair { rows: [circle, segment], room } in pairs {
                let (circle, segment, a) = (*circle, *segment, *circle as usize);
                let (p, q) = (at(from, a), at(to, a));
                *room -= length(p, q);
                if *room > 0.0 {
                    continue;
                }
                let spine = spine(segments, segment as usize);
                let blocks = !surely_one_side(&spine, p, q) && spine.blocks(p, q);
                let repeats = !periods.is_none() && !segments.moving[segment as usize];
                let blocks = blocks || repeats && image_blocks(&spine, periods, p, q);
                if blocks && !passes.has(circle, segment) {
                    wrong.blocked.push(circle);
                }
            }
        });
    }
}

/// The leg of a circle is blocked by one of these walls, where it was, that counts and does not let it through.
pub(super) fn is_blocked(walls: &Walls<'_>, found: Found<'_>, row: u32, counts: impl Fn(u32) -> bool) -> bool {
    let [p, q] = [found.before, found.after].map(|positions| at(positions, row as usize));
    let (filter, mut blocked) = (found.labels.filters().of(row), false);
    walls.along_leg(p, q, |near| {
        let may = |wall: u32| counts(wall) && walls.holds(wall, filter) && !found.passes.has(row, wall);
        blocked = blocked || near.spine.blocks(p, q) && may(near.row);
    });
    blocked
}

#[cfg(test)]
mod tests {
    use super::super::sweeping::Sweeping;
    use super::*;
    use crate::geometry::{Circle, Segment, circle_segment};

    /// From -1 to 1.
    fn numbers(mut state: u64) -> impl FnMut() -> f32 {
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        }
    }

    /// How large a scene is and where: at home, far out, and at both ends of the range.
    fn somewhere(round: usize) -> (f32, f32) {
        let scale = [1.0f32, 1e6, 1e-30, 1e-38, 1e36, 3e-40][round % 6];
        (scale, if round.is_multiple_of(4) { scale * 100.0 } else { 0.0 })
    }

    #[test]
    fn a_leg_shorter_than_the_room_meets_no_wall() {
        let mut draw = numbers(3);
        let (mut asked, mut close) = (0, 0);
        for round in 0..180_000 {
            // Walls with a radius and without, centres near them and on them.
            let (scale, place) = somewhere(round);
            let mut point = |size: f32| [place + draw() * size * scale, place + draw() * size * scale];
            let (start, end, mut q) = (point(1.0), point(1.0), point(0.5));
            if round % 5 == 0 {
                q = [(start[0] + end[0]) * 0.5, (start[1] + end[1]) * 0.5 + draw() * 1e-3 * scale];
            }
            let around = if round % 3 == 0 { 0.1 * draw().abs() * scale } else { 0.0 };
            let circle = Circle::new(q, (0.3 * draw().abs() + 0.01) * scale);
            let Some(contact) = circle_segment(circle, Segment::new(start, end).with_radius(around)) else { continue };
            let room = room(contact.separation, circle.radius);
            let spine = Spine { start, end, one_sided: false };
            // As straight to the wall as it goes, along the sides and slanted, and as far as it may.
            let n = [contact.normal.x, contact.normal.y];
            for way in [n, [n[0], 0.0], [0.0, n[1]], [n[0] + 0.3 * draw(), n[1] + 0.3 * draw()]] {
                let sum = way[0].abs() + way[1].abs();
                let p = [q[0] + way[0] / sum * room * 0.999_998, q[1] + way[1] / sum * room * 0.999_998];
                if room > 0.0 && length(p, q) < room {
                    asked += 1;
                    close += usize::from(length(p, q) > 0.999 * room);
                    assert!(!spine.blocks(p, q) && !spine.blocks(q, p), "{spine:?} {p:?} {q:?} {room}");
                }
            }
        }
        assert!(asked > 60_000 && close > 20_000, "{asked} {close}");
    }

    #[test]
    fn a_leg_and_a_way_shorter_than_the_room_meet_nothing() {
        let mut draw = numbers(5);
        let (mut asked, mut close) = (0, 0);
        for round in 0..180_000 {
            let (scale, place) = somewhere(round);
            let mut point = |size: f32| [place + draw() * size * scale, place + draw() * size * scale];
            let (start, end, q) = (point(1.0), point(1.0), point(0.5));
            let circle = Circle::new(q, (0.3 * draw().abs() + 0.01) * scale);
            let Some(contact) = circle_segment(circle, Segment::new(start, end)) else { continue };
            let room = room(contact.separation, circle.radius);
            // The wall comes from the circle, straight or turning, or goes to it; the circle comes from the wall.
            let (n, part) = ([contact.normal.x, contact.normal.y], draw().abs());
            let (sum, most) = (n[0].abs() + n[1].abs(), if n[0].abs() > n[1].abs() { n[0].abs() } else { n[1].abs() });
            let far = room * part * 0.499_999 / most;
            let turn = if round % 3 == 0 { draw() } else { 1.0 };
            let was = [(start, far), (end, far * turn)].map(|(p, far)| [p[0] + n[0] * far, p[1] + n[1] * far]);
            let furthest = [(was[0], start), (was[1], end)]
                .into_iter()
                .fold(0.0f32, |most, (a, b)| most.max((a[0] - b[0]).abs()).max((a[1] - b[1]).abs()));
            let left = (room - longest_way(furthest)) / sum * 0.999_998;
            for way in [[n[0], n[1]], [-n[0], n[1]], [n[0], 0.0], [0.0, n[1]]] {
                let p = [q[0] - way[0] * left, q[1] - way[1] * left];
                if length(p, q) < room - longest_way(furthest) {
                    asked += 1;
                    close += usize::from(length(p, q) + longest_way(furthest) > 0.999 * room);
                    let spines = [was, [start, end]].map(|[start, end]| Spine { start, end, one_sided: false });
                    assert!(
                        spines.iter().all(|spine| !spine.blocks(p, q) && !spine.blocks(q, p)),
                        "{spines:?} {p:?} {q:?}"
                    );
                    let [from, to] = spines;
                    for (from, to) in [(from, to), (to, from)] {
                        let sweeping = Sweeping { from, to: [to.start, to.end] };
                        assert!(!sweeping.passes_over(q), "{sweeping:?} {q:?}");
                    }
                }
            }
        }
        assert!(asked > 50_000 && close > 20_000, "{asked} {close}");
    }
}
