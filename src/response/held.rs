//! Which circles the walls that they touch hold.
//!
//! Comes in: contacts, or the pairs of the last ones, and where circles were and are. Goes out: pairs that hold, and who has left his side of
//! a wall or has one upon him. This room does not know what becomes of them. Pieces of the list are looked at side by side.
//!
//! Cost: two signs in `f32` a contact with a wall that does not move, four with one that does; exact only in doubt.

use super::images::{image_blocks, spine};
use super::leg::{Spine, side};
use super::moved::Moved;
use super::sweeping::is_beside;
use crate::exact::P;
use crate::geometry::Periods;
use crate::narrow_phase::CircleSegmentContact;
use crate::parallel::Split;
use crate::storage::{CircleHandle, Labels, SegmentColumns, SegmentHandle};

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

/// By row; a column that is left out is false everywhere.
fn is_set(column: &[bool], row: u32) -> bool {
    column.get(row as usize).copied().unwrap_or(false)
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

/// Some pairs, and who of them is wrong.
#[derive(Debug, Default)]
struct Piece {
    /// Circles, by their rows in the contacts, and walls that hold them.
    pairs: Vec<[u32; 2]>,
    wrong: Wrong,
}

/// The pairs of the last contacts whose wall holds its circle. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Held {
    pieces: Vec<Piece>,
    used: usize,
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
        (segments, moved): (&SegmentColumns, Moved<'_>),
        far: &[[u32; 2]],
        wrong: &mut Wrong,
        split: Split,
    ) {
        let (of_circles, of_segments) = (found.labels.sensors(), segments.labels.sensors());
        let repeats = !found.periods.is_none();
        let carried = |p: P, q: P| repeats && found.periods.is_carried(p, q);
        let look = |from: u32, segment: u32, wrong: &mut Wrong| {
            let (p, q) = (at(found.before, from as usize), at(found.after, from as usize));
            if !repeats && is_clear((segments, moved), segment, p, q) {
                return;
            }
            let sweeping = if segments.moving[segment as usize] { moved.of(segment) } else { None };
            let spine = sweeping.map_or_else(|| spine(segments, segment as usize), |sweeping| sweeping.from);
            if !surely_one_side(&spine, p, q) && !is_set(found.flown, from) && spine.blocks(p, q) && !carried(p, q) {
                wrong.blocked.push(from);
            } else if repeats && sweeping.is_none() && !is_set(found.flown, from) && !carried(p, q) {
                // Who has been carried over the border has gone there by the door.
                wrong.blocked.extend(image_blocks(&spine, &found.periods, p, q).then_some(from));
            }
            if sweeping.is_some_and(|sweeping| sweeping.passes_over(q)) {
                wrong.over.push(from);
            }
        };
        self.used = found.contacts.len().div_ceil(PIECE);
        if self.pieces.len() < self.used {
            self.pieces.resize_with(self.used, Piece::default);
        }
        self.each(split, wrong, |k, Piece { pairs, wrong }| {
            pairs.clear();
            for contact in found.contacts[k * PIECE..].iter().take(PIECE) {
                let from = found.order[contact.a as usize];
                if !(is_set(of_circles, from) | is_set(of_segments, contact.b)) && !found.passes.has(from, contact.b) {
                    pairs.push([contact.a, contact.b]);
                    look(from, contact.b, wrong);
                }
            }
        });
        for &[circle, segment] in far {
            let from = found.order[circle as usize];
            let held = !is_set(of_circles, from) && moved.holds(segment, found.labels.filters().of(from));
            if held && !found.passes.has(from, segment) {
                look(from, segment, wrong);
            }
        }
    }

    /// Who has left his side of a wall that he touched in the last step, or has it upon him, by the rows that circles had in its contacts.
    /// Whoever has changed rows since is overlooked.
    pub(super) fn find_early(
        &mut self,
        found: Found<'_>,
        (segments, moved): (&SegmentColumns, Moved<'_>),
        wrong: &mut Wrong,
        split: Split,
    ) {
        let sensors = found.labels.sensors();
        // Else a wall comes upon images as well, or lets somebody through: that is found late.
        let plain = found.periods.is_none() && found.passes.pairs.is_empty();
        // Who takes no part stays where he is.
        let enabled = [found.labels.enabled(), segments.labels.enabled()];
        let is_off =
            |rows: [u32; 2]| [0, 1].into_iter().any(|k| !enabled[k].get(rows[k] as usize).copied().unwrap_or(true));
        self.each(split, wrong, |_, Piece { pairs, wrong }| {
            for &[circle, segment] in &*pairs {
                let (k, b) = (circle as usize, segment as usize);
                if k >= found.after.0.len() || b >= segments.len() {
                    continue;
                }
                let (p, q) = (at(found.before, k), at(found.after, k));
                if found.periods.is_none() && is_clear((segments, moved), segment, p, q)
                    || is_set(sensors, circle)
                    || is_off([circle, segment])
                {
                    continue;
                }
                let sweeping = if segments.moving[b] { moved.of(segment) } else { None };
                let spine = sweeping.map_or_else(|| spine(segments, b), |sweeping| sweeping.from);
                let has_flown = is_set(found.flown, circle);
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

    /// Who has been moved off his side of a wall by an answer, by the rows of the contacts.
    pub(super) fn find_answered(
        &mut self,
        (from, to): (Positions<'_>, Positions<'_>),
        (segments, periods): (&SegmentColumns, &Periods),
        wrong: &mut Wrong,
        split: Split,
    ) {
        self.each(split, wrong, |_, Piece { pairs, wrong }| {
            for &[circle, segment] in &*pairs {
                let (a, spine) = (circle as usize, spine(segments, segment as usize));
                let (p, q) = (at(from, a), at(to, a));
                let blocks = !surely_one_side(&spine, p, q) && spine.blocks(p, q);
                let repeats = !periods.is_none() && !segments.moving[segment as usize];
                if blocks || repeats && image_blocks(&spine, periods, p, q) {
                    wrong.blocked.push(circle);
                }
            }
        });
    }
}
