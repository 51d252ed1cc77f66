//! Which contacts with joined walls count, and what they are worth.
//!
//! Comes in: circles, segments, and all contacts of the two. Goes out: the contacts that a response may answer, in their order. This room
//! does not know what an answer is, nor how anything moves. A contact with a sensor is left as it is; so are those with moving segments,
//! but for their sides.
//!
//! A wall *acts* on a circle if their filters meet, it is no sensor, does not let the circle through, and has two sides or the centre is on its
//! solid one: to the right, or on the line of the wall but not on the wall. Then, in this order (c the centre, V an end of the wall):
//!
//! 1. A wall that does not act, for its side, has no contact.
//! 2. Walls that continue each other straight have one contact: where the foot of c on the line of all of them is between its ends, the
//!    piece reports whose part of the line holds it, if it acts and touches, and no other does. On its flank a piece has the point, the
//!    normal and the separation of the uncut wall.
//! 3. A contact at V does not count if V is within two units in the last place of the middle of another acting wall that touches, by its
//!    flank or nearer.
//! 4. Nor does it if another acting wall at V leaves V towards c, (c - V) · u > 0, and so is nearer. If none does, one wall reports V: one
//!    that goes on straight there before others, then the lowest row.
//!
//! Every contact that is dropped by these is dropped for one that is reported, or for one that is strictly nearer: so the nearest (but for
//! units in the last place, in 2 and 3) is never lost. All signs are exact; tolerances only say which walls are joined. The fewer walls act, the
//! fewer contacts are dropped, and those that were not are what they were.
//!
//! Cost: once for each set of walls a sort and a table of cells; for each contact a look at its wall, more where that is joined.

mod chains;
mod mend;
mod rings;
mod shares;
mod straight;
mod tees;

use super::CircleSegmentContact;
use crate::exact::{P, Part, compare_distances, is_surely_between, is_surely_over, nearest_part, orient, side_along};
use crate::geometry::{Circle, Circles, Feature, Segment, Vec2, circle_touches_segment};
use crate::kernels::{Backend, InstructionSet};
use crate::parallel::Split;
use crate::storage::{Filter, Filters, NONE, SegmentColumns, is_set};
use chains::{Chains, NOWHERE, Piece};
use mend::Mender;
use rings::{Rings, Spoke};
use shares::Share;
use std::cmp::Ordering;
use tees::Tees;

/// One end of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    row: u32,
    /// The end, not the start.
    second: bool,
}

impl End {
    fn other(self) -> End {
        End { second: !self.second, ..self }
    }

    fn point(self, segments: &SegmentColumns) -> P {
        ends(segments, self.row)[usize::from(self.second)]
    }
}

/// What a step knows when it asks; circles by the rows of the contacts.
#[derive(Clone, Copy)]
pub(crate) struct Joined<'a> {
    pub(crate) circles: Circles<'a>,
    pub(crate) filters: Filters<'a>,
    /// Which circles are sensors; empty where none is.
    pub(crate) sensors: &'a [bool],
    pub(crate) segments: &'a SegmentColumns,
    pub(crate) backend: Backend,
    pub(crate) set: InstructionSet,
    /// Walls that let the circle of the contact through, ascending; none where contacts of several circles are looked at.
    pub(crate) gone: &'a [u32],
}

/// What is known of the walls, for as long as they stand; and buffers.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    /// Of which versions of the segments, and whether their ends have been looked at.
    made: Option<((u64, u64), bool)>,
    one_sided: bool,
    joined: bool,
    rings: Rings,
    chains: Chains,
    /// For each wall, in one place, what a contact with it asks first.
    facts: Vec<Fact>,
    mender: Box<Mender>,
    shares: Vec<Share>,
}

/// How a wall is joined.
#[derive(Clone, Copy, Debug)]
struct Fact {
    /// The group of its start and of its end, or [`NONE`].
    ring: [u32; 2],
    /// Of which line it is a piece, or none.
    piece: Piece,
}

impl Fact {
    const ALONE: Fact = Fact { ring: [NONE; 2], piece: NOWHERE };

    /// It is joined with no other. Asked without a branch: [`NONE`] has all bits.
    #[inline(always)]
    fn is_alone(&self) -> bool {
        self.ring[0] & self.ring[1] & self.piece.line == NONE
    }
}

/// What becomes of a contact.
enum Verdict {
    Keep,
    Drop,
    /// It counts, with the values of the line.
    Flank(u32),
}

impl Joints {
    /// Drops the contacts that do not count, and brings those on the flanks of straight chains to the values of the uncut wall. With `join`
    /// off only the side counts.
    pub(crate) fn apply(
        &mut self,
        scene: &Joined<'_>,
        join: bool,
        contacts: &mut Vec<CircleSegmentContact>,
        split: Split,
    ) {
        // Also where nothing touches: who is asked under which wall something is kept has to know the walls as they are.
        if self.made != Some((scene.segments.versions(), join)) {
            let (segments, made) = (scene.segments, self.made.filter(|made| made.1 == join && join));
            if !made.is_some_and(|((shapes, filters), _)| self.mend(segments, shapes + filters)) {
                self.build(segments, join);
            }
        }
        if contacts.is_empty() || !(self.joined || self.one_sided) {
            return;
        }
        let mut shares = std::mem::take(&mut self.shares);
        shares::retain(&mut shares, contacts, split, &|share, contacts| self.judge_all(scene, contacts, share));
        self.shares = shares;
    }

    /// Reads what a step asks of it where nothing is joined, as a world does where many are stepped.
    pub(crate) fn read_ahead(&self) -> usize {
        self.facts.len() ^ usize::from(self.made.is_some()) ^ usize::from(self.joined)
    }

    /// Of which line a wall is a piece, if it is one of several.
    pub(crate) fn line(&self, row: u32) -> Option<u32> {
        self.chains.piece.get(row as usize).map(|piece| piece.line).filter(|&line| line != NONE)
    }

    /// Takes over what is to be known of the walls.
    #[cold]
    fn build(&mut self, segments: &SegmentColumns, join: bool) {
        self.made = Some((segments.versions(), join));
        self.one_sided = segments.one_sided.contains(&true);
        let solid = |row: &u32| can_join(segments, *row);
        let rows: Vec<u32> = segments.fixed_rows().filter(solid).take(if join { usize::MAX } else { 0 }).collect();
        *self.mender = Mender::default();
        let tees = Tees::new(segments, &rows);
        self.rings.build(segments, &rows, &tees);
        if self.rings.is_crowded() {
            self.mender.keep(segments, &rows, tees);
        }
        self.chains.build(segments, &rows, &self.rings);
        let Joints { rings, chains, .. } = self;
        rings.groups().for_each(|group| rings.put_first(group, |end| chains.goes_on(segments, end)));
        self.joined = self.rings.any();
        let Joints { rings, chains, facts, .. } = self;
        facts.clear();
        let piece = |row: usize| chains.piece.get(row).copied().unwrap_or(Fact::ALONE.piece);
        facts.extend(rings.of.iter().enumerate().map(|(row, &ring)| Fact { ring, piece: piece(row) }));
    }

    /// Every contact with it counts.
    #[inline(always)]
    fn is_plain(&self, segments: &SegmentColumns, row: u32) -> bool {
        self.facts.get(row as usize).is_none_or(Fact::is_alone) && !segments.one_sided[row as usize]
    }

    /// See the head of the module.
    #[inline]
    fn judge(&self, scene: &Joined<'_>, contact: &CircleSegmentContact) -> Verdict {
        let (segments, row) = (scene.segments, contact.b as usize);
        let Fact { ring, piece } = self.facts.get(row).copied().unwrap_or(Fact::ALONE);
        let end = match contact.feature {
            Feature::Start => Some(false),
            Feature::End => Some(true),
            _ => None,
        };
        let group = end.map_or(NONE, |second| ring[usize::from(second)]);
        if group == NONE && piece.line == NONE && !segments.one_sided[row] {
            return Verdict::Keep;
        }
        if is_set(scene.sensors, contact.a as usize) || is_set(segments.labels.sensors(), contact.b as usize) {
            return Verdict::Keep;
        }
        let circle = scene.circle(contact.a);
        let center: P = circle.center.into();
        if segments.one_sided[row] && !is_solid(center, ends(segments, contact.b)) {
            return Verdict::Drop;
        }
        if piece.line != NONE {
            match self.foot(center, piece) {
                Some(place) if place == piece.place => return Verdict::Flank(piece.line),
                // Another piece reports for the line, or each has to see for itself.
                Some(place) => {
                    let other = self.chains.row(piece.line, place);
                    if scene.acts(contact.a, circle, other) && scene.touches(circle, other) {
                        return Verdict::Drop;
                    }
                    if end.is_none() {
                        return Verdict::Flank(piece.line);
                    }
                }
                None => {}
            }
        }
        match end {
            Some(second)
                if group != NONE && self.is_hidden(scene, contact.a, circle, group, End { row: contact.b, second }) =>
            {
                Verdict::Drop
            }
            _ => Verdict::Keep,
        }
    }

    /// In which place of its line the foot of a point is, looked for from one on; `None` beyond its ends and on them.
    #[inline]
    fn foot(&self, center: P, piece: Piece) -> Option<u32> {
        let points = self.chains.points(piece.line);
        let (from, to) = (points[0], points[points.len() - 1]);
        let is_behind = |k: usize| side_along(center, points[k], from, to);
        let (first, last, place) = (0, points.len() - 1, piece.place as usize);
        // Most often it is in the piece that is touched. A foot on a vertex belongs to the piece behind.
        if is_surely_between(center, points[place], points[place + 1], from, to) {
            return Some(piece.place);
        }
        let (start, end) = (is_behind(place), is_behind(place + 1));
        if start.is_ge() && end.is_lt() && !(start.is_eq() && place == first) {
            return Some(piece.place);
        }
        // It is seldom far: by strides that double, until the foot is between, or beyond the end of the line or on it.
        let (mut low, mut high, mut stride) = (place, place + 1, 1);
        if start.is_lt() || end.is_lt() {
            loop {
                if low == first {
                    return None;
                }
                (low, high) = (if low - first > stride { low - stride } else { first }, low);
                stride *= 2;
                let side = is_behind(low);
                if side.is_gt() || (side.is_eq() && low > first) {
                    break;
                }
            }
        } else {
            loop {
                if high == last {
                    return None;
                }
                (low, high) = (high, if last - high > stride { high + stride } else { last });
                stride *= 2;
                if is_behind(high).is_lt() {
                    break;
                }
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if is_behind(middle).is_lt() { high = middle } else { low = middle }
        }
        Some(low as u32)
    }

    /// Rules 3 and 4.
    fn is_hidden(&self, scene: &Joined<'_>, a: u32, circle: Circle, group: u32, end: End) -> bool {
        let (center, vertex): (P, P) = (circle.center.into(), end.point(scene.segments));
        let mut earlier = true;
        for &Spoke { end: other, far } in self.rings.members(group) {
            if other.row == end.row {
                earlier = false;
                continue;
            }
            // It leaves the vertex towards the centre.
            let hides = earlier || side_along(center, vertex, vertex, far).is_gt();
            if hides && scene.acts(a, circle, other.row) {
                return true;
            }
        }
        let hides = |row: u32| {
            let [start, second] = ends(scene.segments, row);
            scene.acts(a, circle, row)
                && scene.touches(circle, row)
                && match nearest_part(center, start, second) {
                    Part::Interior => true,
                    Part::Start => compare_distances(center, start, vertex) == Ordering::Less,
                    Part::End => compare_distances(center, second, vertex) == Ordering::Less,
                }
        };
        match self.rings.tees(group) {
            Some(tees) => tees.iter().any(|&row| hides(row)),
            None => self.mender.table().is_some_and(|tees| tees.any(scene.segments, end, hides)),
        }
    }
}

impl Joined<'_> {
    fn circle(&self, row: u32) -> Circle {
        let Circles { x, y, radius } = self.circles;
        let i = row as usize;
        Circle { center: Vec2 { x: x[i], y: y[i] }, radius: radius[i] }
    }

    fn segment(&self, row: u32) -> Segment {
        let [start, end] = ends(self.segments, row);
        Segment { start: start.into(), end: end.into(), radius: self.segments.radius[row as usize] }
    }

    /// Whether a wall touches a circle.
    fn touches(&self, circle: Circle, row: u32) -> bool {
        let Segment { start, end, radius } = self.segment(row);
        is_surely_over(circle.center.into(), start.into(), end.into(), circle.radius, radius)
            || circle_touches_segment(circle, self.segment(row))
    }

    /// Whether a wall, none of the sensors, acts on a circle.
    #[inline]
    fn acts(&self, a: u32, circle: Circle, row: u32) -> bool {
        let others = self.segments.labels.filters();
        (!self.segments.one_sided[row as usize] || is_solid(circle.center.into(), ends(self.segments, row)))
            && ((self.filters.are_left_out() && others.are_left_out()) || self.filters.of(a).meets(others.of(row)))
            && (self.gone.is_empty() || self.gone.binary_search(&row).is_err())
    }
}

/// Whether a static wall can be joined with others: what can meet nothing is not there.
fn can_join(segments: &SegmentColumns, row: u32) -> bool {
    let Filter { category, mask } = segments.labels.filters().of(row);
    let is_sensor = is_set(segments.labels.sensors(), row as usize);
    !is_sensor && category != 0 && mask != 0
}

/// Both ends of a wall.
#[inline(always)]
fn ends(segments: &SegmentColumns, row: u32) -> [P; 2] {
    let row = row as usize;
    [[segments.x0[row], segments.y0[row]], [segments.x1[row], segments.y1[row]]]
}

/// Whether a one-sided wall is solid for a centre: on its right, or on its line and not on the wall.
#[inline]
fn is_solid(center: P, [a, b]: [P; 2]) -> bool {
    let between = |k: usize| (a[k] <= center[k] && center[k] <= b[k]) || (b[k] <= center[k] && center[k] <= a[k]);
    match orient(a, b, center) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => !(between(0) && between(1)),
    }
}

/// Lexicographic order.
fn before(a: P, b: P) -> bool {
    a[0] < b[0] || (a[0] == b[0] && a[1] < b[1])
}

/// The coordinate farthest from 0.
fn largest(points: &[P]) -> f32 {
    points.as_flattened().iter().fold(0.0, |most, v| if v.abs() > most { v.abs() } else { most })
}

/// The distance of a finite number, not negative, to the next.
fn ulp(v: f32) -> f64 {
    let exponent = f32::from_bits(v.to_bits() & 0x7F80_0000);
    if exponent > 0.0 { f64::from(exponent) * f64::from(f32::EPSILON) } else { f64::from(f32::from_bits(1)) }
}
