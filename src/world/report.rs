//! What began and what ended to touch.
//!
//! Comes in: the contacts of a step and every edit since the step before. Goes out: events, in a fixed order. This room
//! does not know time. Pairs of the last report are kept by their rows then; the present pairs are traced
//! back to those rows and held against them. Pairs of two static segments are looked at only when
//! segments or their filters have been edited. Every begin gets exactly one end: an end is made of what was reported before, never of
//! what the caller says now.

use super::answer::MANY;
use super::bytes::{Reader, Writer};
use super::events::{EndReason, Event, EventKind, EventPair, Touch};
use super::in_flight::InFlight;
use super::journal::Journal;
use super::known::{AT_ONCE, Near, end, second_first};
use super::pairs::{Comparison, PairSet};
use super::past::Past;
use super::recurring::{Followed, Recurring};
use super::sorted_pairs::rows_of;
use super::touch;
use crate::error::Error;
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact, Contacts, SegmentSegmentContact};
use crate::parallel::Split;
use crate::response::{CirclesMet, Flight, Met, MetWithin};
use crate::storage::{CircleColumns, CircleHandle, SegmentColumns, SegmentHandle};

/// What a report looks at.
pub(super) struct Scene<'a> {
    /// For each row of the contacts the row before this step.
    pub(super) order: &'a [u32],
    /// The circles before this step.
    pub(super) circles: &'a CircleColumns,
    /// How they flew, in the same rows.
    pub(super) flight: &'a Flight,
    pub(super) segments: &'a SegmentColumns,
    pub(super) contacts: &'a Contacts,
    /// What was met in flight: segments, and other circles.
    pub(super) met: &'a [Met],
    pub(super) circles_met: &'a [CirclesMet],
    /// What met while contacts were answered: two circles, circles and segments.
    pub(super) met_within: [&'a [MetWithin]; 2],
    /// By which images circles and segments touch.
    pub(super) across: Across<'a>,
}

/// Makes events, and keeps what the next report needs. Switched off it does nothing and keeps nothing.
#[derive(Debug)]
pub(super) struct Reporter {
    on: bool,
    circles: Past<CircleHandle>,
    segments: Past<SegmentHandle>,
    circle_circle: PairSet,
    circle_segment: PairSet,
    /// Pairs of static segments.
    still: PairSet,
    /// Pairs of segments of which one moves.
    moving: Recurring,
    /// The segments' versions that `still` belongs to: shapes and filters.
    version: (u64, u64),
    journal: Journal,
    /// Nothing before the first report.
    buffers: Option<Box<Buffers>>,
}

/// What is of use within one report alone.
#[derive(Debug, Default)]
struct Buffers {
    circle_circle: Comparison,
    circle_segment: Comparison,
    segment_segment: Comparison,
    followed: Followed,
    in_flight: InFlight,
    /// The places of what was met by those that touch neither before nor after, the first time.
    between: Vec<u32>,
}

impl Reporter {
    pub(super) fn new(on: bool) -> Reporter {
        Reporter {
            on,
            circles: Past::new(),
            segments: Past::new(),
            circle_circle: PairSet::default(),
            circle_segment: PairSet::default(),
            still: PairSet::default(),
            moving: Recurring::default(),
            version: (0, 0),
            journal: Journal::default(),
            buffers: None,
        }
    }

    /// Reads something of each list of pairs, as a world does where many are stepped; but for those of static segments, which are looked
    /// at only after edits.
    pub(super) fn read_ahead(&self) -> usize {
        let sets = [&self.circle_circle, &self.circle_segment];
        let rows = self.circles.read_ahead() ^ self.segments.read_ahead();
        let rest = self.journal.read_ahead() ^ self.moving.read_ahead() ^ usize::from(self.on);
        sets.into_iter().fold(rows ^ rest, |all, set| all ^ set.read_ahead())
    }

    /// Exchanges what is of use within one report alone.
    pub(super) fn swap_buffers(&mut self, other: &mut Reporter) {
        std::mem::swap(&mut self.buffers, &mut other.buffers);
    }

    pub(super) fn events(&self) -> &[Event] {
        self.journal.events()
    }

    pub(super) fn circles_added(&mut self, count: usize) {
        if self.on {
            self.circles.added(count);
        }
    }

    pub(super) fn circle_removed(&mut self, row: usize, handle: CircleHandle, user_data: u64) {
        if self.on {
            self.circles.removed(row, handle, user_data);
        }
    }

    pub(super) fn circle_edited(&mut self, row: usize) {
        if self.on {
            self.circles.edited(row);
        }
    }

    /// Rows were sorted without a report.
    pub(super) fn circles_reordered(&mut self, order: &[u32]) {
        if self.on {
            self.circles.reordered(order);
        }
    }

    pub(super) fn segments_added(&mut self, count: usize) {
        if self.on {
            self.segments.added(count);
        }
    }

    pub(super) fn segment_removed(&mut self, row: usize, handle: SegmentHandle, user_data: u64) {
        if self.on {
            self.segments.removed(row, handle, user_data);
        }
    }

    pub(super) fn segment_edited(&mut self, row: usize) {
        if self.on {
            self.segments.edited(row);
        }
    }

    /// What the next report needs, as bytes. The events of the last one are no part of it.
    pub(super) fn save(&self, segments: &SegmentColumns, to: &mut Writer<'_>) {
        if self.on {
            self.circles.save(to);
            self.segments.save(to);
            for pairs in [&self.circle_circle, &self.circle_segment, &self.still] {
                pairs.save(to);
            }
            self.moving.save(to);
            to.value(u8::from(self.version != segments.versions()));
        }
    }

    /// Takes it over from bytes, for so many circles and these segments, whose versions are final, by way of a buffer.
    pub(super) fn restore(
        &mut self,
        on: bool,
        from: &mut Reader<'_>,
        circles: usize,
        segments: &SegmentColumns,
        pairs: &mut Vec<u64>,
    ) -> Result<(), Error> {
        self.journal.clear();
        self.on = on;
        if !on {
            *self = Reporter::new(false);
            return Ok(());
        }
        self.circles.restore(from, circles)?;
        self.segments.restore(from, segments.len())?;
        let (circles, walls) = (self.circles.rows(), self.segments.rows());
        self.circle_circle.restore(from, [circles, circles], pairs)?;
        self.circle_segment.restore(from, [circles, walls], pairs)?;
        self.still.restore(from, [walls, walls], pairs)?;
        self.moving.restore(from, [walls, walls], pairs)?;
        // No version is as large as the largest. Rows that have moved were edited, whatever the bytes say: pairs are by rows.
        self.version = if from.flag()? || self.segments.moved() { (u64::MAX, u64::MAX) } else { segments.versions() };
        Ok(())
    }

    /// Replaces the events by those of this step; how many begin and how many end.
    pub(super) fn report(&mut self, scene: &Scene<'_>, split: Split) -> (usize, usize) {
        if !self.on {
            return (0, 0);
        }
        self.journal.clear();
        self.circles.prepare();
        self.segments.prepare();
        let contacts = scene.contacts.circle_circle().len() + scene.contacts.circle_segment().len();
        let split = if contacts < MANY { Split::SERIAL } else { split };
        let mut buffers = self.buffers.take().unwrap_or_default();
        let of_circles = self.report_circle_circle(scene, split, &mut buffers);
        let of_walls = self.report_circle_segment(scene, split, &mut buffers);
        let of_segments = self.report_segment_segment(scene, &mut buffers);
        self.buffers = Some(buffers);
        self.circles.reset();
        self.segments.reset();
        let begins = of_circles + of_walls + of_segments;
        (begins, self.journal.events().len() - begins)
    }

    /// How many begin; so do the two others.
    fn report_circle_circle(&mut self, scene: &Scene<'_>, split: Split, buffers: &mut Buffers) -> usize {
        let Reporter { circles, circle_circle: pairs, journal, .. } = self;
        let Buffers { circle_circle: compared, in_flight, between, .. } = buffers;
        let contacts = scene.contacts.circle_circle();
        let (order, columns, way) = (scene.order, scene.circles, circles.way());
        let before = |contact: &CircleCircleContact| [order[contact.a as usize], order[contact.b as usize]];
        let (flown, within) = (scene.circles_met, scene.met_within[0]);
        // In one list: who met in flight, then who met later.
        let met = || flown.iter().map(|met| met.circles).chain(within.iter().map(|met| met.rows));
        in_flight.find(met().map(ascending), contacts.iter().map(|contact| ascending(before(contact))), order.len());
        let rows =
            |contact: &CircleCircleContact| [ascending(before(contact).map(|row| way.of(row))), [contact.a, contact.b]];
        pairs.compare(contacts, rows, split, compared);
        between.clear();
        between.reserve(in_flight.room());
        between.extend(met().enumerate().filter_map(|(at, met)| {
            let is_apart = in_flight.is_first_of_apart(at, ascending(met))
                && !pairs.has_ended(ascending(met.map(|row| way.of(row))), compared);
            is_apart.then_some(at as u32)
        }));
        let [begun, ended] = compared.changes();
        let room = journal.room([begun, ended], between.len());
        for (&at, (first, last)) in between.iter().zip(room.between) {
            let ([a, b], touch) = match flown.get(at as usize) {
                Some(met) => (met.circles, touch::circles_in_flight(met)),
                None => (within[at as usize - flown.len()].rows, touch::within(&within[at as usize - flown.len()])),
            };
            let [a, b] = [a as usize, b as usize];
            let user_data = [columns.labels.of(a).user_data, columns.labels.of(b).user_data];
            let pair = EventPair::CircleCircle(columns.handle[a], columns.handle[b]);
            *first = begin(pair, user_data, touch);
            *last = end_apart(pair, user_data);
        }
        let begin_some = |begun: &[u32], to: &mut [Event]| {
            let mut near = Near::new();
            for (begun, to) in begun.chunks(AT_ONCE).zip(to.chunks_mut(AT_ONCE)) {
                let rows = begun.iter().map(|&at| before(&contacts[at as usize]));
                let bodies = near.gather(rows, columns, scene.flight);
                for (to, (&at, (rows, handles, velocities))) in to.iter_mut().zip(begun.iter().zip(bodies)) {
                    let data = rows.map(|row| columns.labels.user_data_of(row as usize));
                    let k = second_first(handles);
                    let touch = match in_flight.first(ascending(rows)).and_then(|first| flown.get(first)) {
                        Some(met) => touch::circles_in_flight(met),
                        None => {
                            touch::turned_round_if(touch::circle_circle(&contacts[at as usize], velocities), k == 1)
                        }
                    };
                    *to = begin(EventPair::CircleCircle(handles[k], handles[1 - k]), [data[k], data[1 - k]], touch);
                }
            }
        };
        let is_plain = circles.is_plain(&columns.labels);
        let end_some = |ended: &[u64], to: &mut [Event]| {
            let mut near = Near::new();
            for (ended, to) in ended.chunks(AT_ONCE).zip(to.chunks_mut(AT_ONCE)) {
                let ended = ended.iter().map(|&pair| rows_of(pair));
                if is_plain {
                    for (to, &handles) in to.iter_mut().zip(near.name(ended, columns).1) {
                        let k = second_first(handles);
                        *to = end_apart(EventPair::CircleCircle(handles[k], handles[1 - k]), [0; 2]);
                    }
                } else {
                    for (to, rows) in to.iter_mut().zip(ended) {
                        let both = rows.map(|row| circles.then(row, &columns.handle, &columns.labels));
                        let k = second_first([both[0].handle, both[1].handle]);
                        let (a, b) = (&both[k], &both[1 - k]);
                        *to = end(EventPair::CircleCircle(a.handle, b.handle), a, b);
                    }
                }
            }
        };
        pairs.turn(compared, split, |changes| {
            changes.each_begun(room.begun, split, &begin_some);
            changes.each_ended(room.ended, split, &end_some);
        });
        begun + between.len()
    }

    fn report_circle_segment(&mut self, scene: &Scene<'_>, split: Split, buffers: &mut Buffers) -> usize {
        let Reporter { circles, segments, circle_segment: pairs, journal, .. } = self;
        let Buffers { circle_segment: compared, in_flight, between, .. } = buffers;
        let contacts = scene.contacts.circle_segment();
        let (order, columns, walls) = (scene.order, scene.circles, scene.segments);
        let (way, wall_way) = (circles.way(), segments.way());
        let before = |contact: &CircleSegmentContact| [order[contact.a as usize], contact.b];
        let (flown, within) = (scene.met, scene.met_within[1]);
        let met = || flown.iter().map(|met| [met.circle, met.segment]).chain(within.iter().map(|met| met.rows));
        in_flight.find(met(), contacts.iter().map(before), order.len());
        let rows = |contact: &CircleSegmentContact| {
            let [row, wall] = before(contact);
            [[way.of(row), wall_way.of(wall)], [contact.a, contact.b]]
        };
        pairs.compare(contacts, rows, split, compared);
        let user_data =
            |row: u32, wall: u32| [columns.labels.user_data_of(row as usize), walls.labels.user_data_of(wall as usize)];
        between.clear();
        between.reserve(in_flight.room());
        between.extend(met().enumerate().filter_map(|(at, [circle, wall])| {
            let is_apart = in_flight.is_first_of_apart(at, [circle, wall])
                && !pairs.has_ended([way.of(circle), wall_way.of(wall)], compared);
            is_apart.then_some(at as u32)
        }));
        let [begun, ended] = compared.changes();
        let room = journal.room([begun, ended], between.len());
        for (&at, (first, last)) in between.iter().zip(room.between) {
            let ([row, wall], touch) = match flown.get(at as usize) {
                Some(met) => ([met.circle, met.segment], touch::in_flight(met)),
                None => (within[at as usize - flown.len()].rows, touch::within(&within[at as usize - flown.len()])),
            };
            let (a, b) = (columns.handle[row as usize], walls.handle[wall as usize]);
            let (pair, user_data) = (EventPair::CircleSegment(a, b), user_data(row, wall));
            *first = begin(pair, user_data, touch);
            *last = end_apart(pair, user_data);
        }
        let begin_some = |begun: &[u32], to: &mut [Event]| {
            let mut near = Near::new();
            for (begun, to) in begun.chunks(AT_ONCE).zip(to.chunks_mut(AT_ONCE)) {
                let rows = begun.iter().map(|&at| [before(&contacts[at as usize])[0]; 2]);
                let bodies = near.gather(rows, columns, scene.flight);
                for (to, (&at, ([row, _], handles, velocities))) in to.iter_mut().zip(begun.iter().zip(bodies)) {
                    let contact = &contacts[at as usize];
                    let pair = EventPair::CircleSegment(handles[0], walls.handle[contact.b as usize]);
                    let touch = match in_flight.first([row, contact.b]).and_then(|first| flown.get(first)) {
                        Some(met) => touch::in_flight(met),
                        None => touch::circle_segment(contact, velocities[0], walls, &scene.across),
                    };
                    *to = begin(pair, user_data(row, contact.b), touch);
                }
            }
        };
        let is_plain = circles.is_plain(&columns.labels) && segments.is_plain(&walls.labels);
        let end_some = |ended: &[u64], to: &mut [Event]| {
            for (to, [row, wall]) in to.iter_mut().zip(ended.iter().map(|&pair| rows_of(pair))) {
                *to = if is_plain {
                    let (a, b) = (columns.handle[row as usize], walls.handle[wall as usize]);
                    end_apart(EventPair::CircleSegment(a, b), [0; 2])
                } else {
                    let a = circles.then(row, &columns.handle, &columns.labels);
                    let b = segments.then(wall, &walls.handle, &walls.labels);
                    end(EventPair::CircleSegment(a.handle, b.handle), &a, &b)
                };
            }
        };
        pairs.turn(compared, split, |changes| {
            changes.each_begun(room.begun, split, &begin_some);
            changes.each_ended(room.ended, split, &end_some);
        });
        begun + between.len()
    }

    fn report_segment_segment(&mut self, scene: &Scene<'_>, buffers: &mut Buffers) -> usize {
        let Reporter { segments, still, moving, journal, .. } = self;
        let Buffers { segment_segment: compared, followed, .. } = buffers;
        let walls = scene.segments;
        let edited = self.version != walls.versions();
        if !edited && walls.moving_rows.is_empty() {
            return 0;
        }
        // Those of static segments come first. They are what they were, unless somebody has been edited.
        let fixed = scene.contacts.fixed.map_or(0, |fixed| fixed.1);
        let contacts = &scene.contacts.segment_segment()[if edited { 0 } else { fixed }..];
        if edited {
            // An edit may have let a static segment move or a moving one stand: the pair is the same.
            moving.absorb(still, compared);
        }
        let way = segments.way();
        let rows = |contact: &SegmentSegmentContact| {
            [ascending([way.of(contact.a), way.of(contact.b)]), [contact.a, contact.b]]
        };
        moving.compare(contacts, rows, !edited && way.is_none(), (compared, followed));
        let [begun, ended] = compared.changes();
        let room = journal.room([begun, ended], 0);
        let changes = compared.known();
        changes.each_begun(room.begun, Split::SERIAL, &|begun, to: &mut [Event]| {
            for (to, &at) in to.iter_mut().zip(begun) {
                let contact = &contacts[at as usize];
                let rows = [contact.a as usize, contact.b as usize];
                let handles = rows.map(|row| walls.handle[row]);
                let data = rows.map(|row| walls.labels.of(row).user_data);
                let k = second_first(handles);
                let pair = EventPair::SegmentSegment(handles[k], handles[1 - k]);
                *to = begin(pair, [data[k], data[1 - k]], touch::segment_segment(contact));
            }
        });
        changes.each_ended(room.ended, Split::SERIAL, &|ended, to: &mut [Event]| {
            for (to, rows) in to.iter_mut().zip(ended.iter().map(|&pair| rows_of(pair))) {
                let both = rows.map(|row| segments.then(row, &walls.handle, &walls.labels));
                let k = second_first([both[0].handle, both[1].handle]);
                let (a, b) = (&both[k], &both[1 - k]);
                *to = end(EventPair::SegmentSegment(a.handle, b.handle), a, b);
            }
        });
        if edited {
            moving.turn_and_share(compared, still, fixed);
            self.version = walls.versions();
        } else {
            moving.turn(compared, followed);
        }
        begun
    }
}

fn begin(pair: EventPair, user_data: [u64; 2], touch: Touch) -> Event {
    Event { kind: EventKind::Begin, pair, user_data, touch: Some(touch) }
}

fn end_apart(pair: EventPair, user_data: [u64; 2]) -> Event {
    Event { kind: EventKind::End(EndReason::Apart), pair, user_data, touch: None }
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [std::cmp::min(a, b), std::cmp::max(a, b)]
}
