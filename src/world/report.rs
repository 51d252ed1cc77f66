//! What began and what ended to touch.
//!
//! Comes in: the contacts of a step and every edit since the step before. Goes out: events, in a fixed order. This room
//! does not know time. Pairs of the last report are kept by their rows then; the present pairs are traced
//! back to those rows and held against them. Pairs of two static segments are looked at only when
//! segments or their filters have been edited. Every begin gets exactly one end: an end is made of what was reported before, never of
//! what the caller says now.

use super::bytes::{Reader, Writer};
use super::events::{EndReason, Event, EventKind, EventPair, Touch};
use super::in_flight::InFlight;
use super::known::{Near, end, second_first};
use super::pairs::{PairSet, rows_of};
use super::past::Past;
use super::touch;
use crate::error::Error;
use crate::geometry::Periods;
use crate::narrow_phase::Contacts;
use crate::response::{CirclesMet, Flight, Met};
use crate::storage::{CircleColumns, CircleHandle, SegmentColumns, SegmentHandle, make_room};

/// So many events are made at a time: what they are made of stays in the nearest cache.
const AT_ONCE: usize = 256;

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
    pub(super) periods: Periods,
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
    moving: PairSet,
    /// The segments' versions that `still` belongs to: shapes and filters.
    version: (u64, u64),
    events: Vec<Event>,
    near: Near,
    in_flight: InFlight,
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
            moving: PairSet::default(),
            version: (0, 0),
            events: Vec::new(),
            near: Near::default(),
            in_flight: InFlight::default(),
        }
    }

    /// Reads something of each list of pairs, as a world does where many are stepped.
    pub(super) fn read_ahead(&self) -> usize {
        let sets = [&self.circle_circle, &self.circle_segment, &self.still, &self.moving];
        let rows =
            [self.circles.rows(), self.segments.rows(), self.events.len(), self.near.rows.len(), self.near.thens.len()];
        sets.iter().map(|set| set.read_ahead()).chain(rows).fold(0, |all, value| all ^ value)
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
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
            for pairs in [&self.circle_circle, &self.circle_segment, &self.still, &self.moving] {
                pairs.save(to);
            }
            to.value(u8::from(self.version != segments.versions()));
        }
    }

    /// Takes it over from bytes, for so many circles and these segments, whose versions are final.
    pub(super) fn restore(
        &mut self,
        on: bool,
        from: &mut Reader<'_>,
        circles: usize,
        segments: &SegmentColumns,
    ) -> Result<(), Error> {
        self.events.clear();
        self.on = on;
        if !on {
            *self = Reporter::new(false);
            return Ok(());
        }
        self.circles.restore(from, circles)?;
        self.segments.restore(from, segments.len())?;
        let (circles, walls) = (self.circles.rows(), self.segments.rows());
        self.circle_circle.restore(from, [circles, circles])?;
        self.circle_segment.restore(from, [circles, walls])?;
        self.still.restore(from, [walls, walls])?;
        self.moving.restore(from, [walls, walls])?;
        // No version is as large as the largest. Rows that have moved were edited, whatever the bytes say: pairs are by rows.
        self.version = if from.flag()? || self.segments.moved() { (u64::MAX, u64::MAX) } else { segments.versions() };
        Ok(())
    }

    /// Replaces the events by those of this step; how many begin and how many end.
    pub(super) fn report(&mut self, scene: &Scene<'_>) -> (usize, usize) {
        if !self.on {
            return (0, 0);
        }
        self.events.clear();
        self.circles.prepare();
        self.segments.prepare();
        self.report_circle_circle(scene);
        self.report_circle_segment(scene);
        self.report_segment_segment(scene);
        self.circles.reset();
        self.segments.reset();
        let begins = self.events.iter().filter(|event| event.kind == EventKind::Begin).count();
        (begins, self.events.len() - begins)
    }

    fn report_circle_circle(&mut self, scene: &Scene<'_>) {
        let Reporter { circles, circle_circle: pairs, events, near, in_flight, .. } = self;
        let contacts = scene.contacts.circle_circle();
        let (order, columns, way) = (scene.order, scene.circles, circles.way());
        let before = contacts.iter().map(|contact| ascending([order[contact.a as usize], order[contact.b as usize]]));
        in_flight.find(scene.circles_met.iter().map(|met| ascending(met.circles)), before, order.len());
        pairs.compare(contacts.iter().map(|contact| {
            let past = [way.of(order[contact.a as usize]), way.of(order[contact.b as usize])];
            [ascending(past), [contact.a, contact.b]]
        }));
        make_room(events, pairs.begun().len() + pairs.ended().len());
        for begun in pairs.begun().chunks(AT_ONCE) {
            let rows = |&at: &u32| {
                let contact = &contacts[at as usize];
                [order[contact.a as usize] as usize, order[contact.b as usize] as usize]
            };
            near.gather(begun.iter().map(rows), columns, scene.flight);
            events.extend(begun.iter().zip(near.bodies()).map(|(&at, (rows, handles, velocities))| {
                let data = rows.map(|row| columns.labels.user_data_of(row));
                let k = second_first(handles);
                let touch = match in_flight.first(ascending(rows.map(|row| row as u32))) {
                    Some(first) => touch::circles_in_flight(&scene.circles_met[first]),
                    None => touch::turned_round_if(touch::circle_circle(&contacts[at as usize], velocities), k == 1),
                };
                let pair = EventPair::CircleCircle(handles[k], handles[1 - k]);
                begin(pair, [data[k], data[1 - k]], touch)
            }));
        }
        // Those that touch neither before nor after.
        let between = || {
            let apart = scene.circles_met.iter().enumerate().filter(|&(at, met)| {
                let past = ascending(met.circles.map(|row| way.of(row)));
                in_flight.is_first_of_apart(at, ascending(met.circles)) && !pairs.has_ended(past)
            });
            apart.map(|(_, met)| {
                let [a, b] =
                    met.circles.map(|row| (columns.handle[row as usize], columns.labels.of(row as usize).user_data));
                (EventPair::CircleCircle(a.0, b.0), [a.1, b.1], met)
            })
        };
        events.extend(between().map(|(pair, data, met)| begin(pair, data, touch::circles_in_flight(met))));
        let is_plain = circles.is_plain(&columns.labels);
        for ended in pairs.ended().chunks(AT_ONCE) {
            let ended = ended.iter().map(|&pair| rows_of(pair));
            if is_plain {
                near.handles.clear();
                near.handles.extend(ended.map(|rows| rows.map(|row| columns.handle[row as usize])));
                events.extend(near.handles.iter().map(|&handles| {
                    let k = second_first(handles);
                    end_apart(EventPair::CircleCircle(handles[k], handles[1 - k]), [0; 2])
                }));
            } else {
                near.recall(ended, circles, columns);
                events.extend(near.thens.iter().map(|both| {
                    let k = second_first([both[0].handle, both[1].handle]);
                    let (a, b) = (&both[k], &both[1 - k]);
                    end(EventPair::CircleCircle(a.handle, b.handle), a, b)
                }));
            }
        }
        events.extend(between().map(|(pair, user_data, _)| end_apart(pair, user_data)));
        pairs.turn();
    }

    fn report_circle_segment(&mut self, scene: &Scene<'_>) {
        let Reporter { circles, segments, circle_segment: pairs, events, near, in_flight, .. } = self;
        let contacts = scene.contacts.circle_segment();
        let (order, columns, walls) = (scene.order, scene.circles, scene.segments);
        let (way, wall_way) = (circles.way(), segments.way());
        let before = contacts.iter().map(|contact| [order[contact.a as usize], contact.b]);
        in_flight.find(scene.met.iter().map(|met| [met.circle, met.segment]), before, order.len());
        pairs.compare(
            contacts
                .iter()
                .map(|contact| [[way.of(order[contact.a as usize]), wall_way.of(contact.b)], [contact.a, contact.b]]),
        );
        make_room(events, pairs.begun().len() + pairs.ended().len());
        let user_data = |row: usize, wall: usize| [columns.labels.user_data_of(row), walls.labels.user_data_of(wall)];
        for begun in pairs.begun().chunks(AT_ONCE) {
            let rows = begun.iter().map(|&at| [order[contacts[at as usize].a as usize] as usize; 2]);
            near.gather(rows, columns, scene.flight);
            events.extend(begun.iter().zip(near.bodies()).map(|(&at, (rows, handles, velocities))| {
                let contact = &contacts[at as usize];
                let wall = contact.b as usize;
                let pair = EventPair::CircleSegment(handles[0], walls.handle[wall]);
                let touch = match in_flight.first([rows[0] as u32, contact.b]) {
                    Some(first) => touch::in_flight(&scene.met[first]),
                    None => touch::circle_segment(contact, velocities[0], walls, &scene.periods),
                };
                begin(pair, user_data(rows[0], wall), touch)
            }));
        }
        // Those that touch neither before nor after.
        let between = || {
            scene.met.iter().enumerate().filter(|&(at, met)| {
                in_flight.is_first_of_apart(at, [met.circle, met.segment])
                    && !pairs.has_ended([way.of(met.circle), wall_way.of(met.segment)])
            })
        };
        let of = |met: &Met| {
            let (row, wall) = (met.circle as usize, met.segment as usize);
            (EventPair::CircleSegment(columns.handle[row], walls.handle[wall]), user_data(row, wall))
        };
        events.extend(between().map(|(_, met)| {
            let (pair, user_data) = of(met);
            begin(pair, user_data, touch::in_flight(met))
        }));
        let is_plain = circles.is_plain(&columns.labels) && segments.is_plain(&walls.labels);
        for ended in pairs.ended().chunks(AT_ONCE) {
            let ended = ended.iter().map(|&pair| rows_of(pair));
            if is_plain {
                let handles = ended.map(|[row, wall]| (columns.handle[row as usize], walls.handle[wall as usize]));
                events.extend(handles.map(|(a, b)| end_apart(EventPair::CircleSegment(a, b), [0; 2])));
            } else {
                near.recall(ended.clone().map(|[circle, _]| [circle; 2]), circles, columns);
                events.extend(near.thens.iter().zip(ended).map(|([a, _], [_, wall])| {
                    let b = segments.then(wall, &walls.handle, &walls.labels);
                    end(EventPair::CircleSegment(a.handle, b.handle), a, &b)
                }));
            }
        }
        events.extend(between().map(|(_, met)| {
            let (pair, user_data) = of(met);
            end_apart(pair, user_data)
        }));
        pairs.turn();
    }

    fn report_segment_segment(&mut self, scene: &Scene<'_>) {
        let Reporter { segments, still, moving, events, .. } = self;
        let walls = scene.segments;
        let edited = self.version != walls.versions();
        if !edited && walls.moving_rows.is_empty() {
            return;
        }
        // Those of static segments come first. They are what they were, unless somebody has been edited.
        let fixed = scene.contacts.fixed.map_or(0, |fixed| fixed.1);
        let contacts = &scene.contacts.segment_segment()[if edited { 0 } else { fixed }..];
        if edited {
            // An edit may have let a static segment move or a moving one stand: the pair is the same.
            moving.absorb(still);
        }
        let way = segments.way();
        moving.compare(
            contacts.iter().map(|contact| [ascending([way.of(contact.a), way.of(contact.b)]), [contact.a, contact.b]]),
        );
        make_room(events, moving.begun().len() + moving.ended().len());
        for &at in moving.begun() {
            let contact = &contacts[at as usize];
            let rows = [contact.a as usize, contact.b as usize];
            let handles = rows.map(|row| walls.handle[row]);
            let data = rows.map(|row| walls.labels.of(row).user_data);
            let k = second_first(handles);
            let pair = EventPair::SegmentSegment(handles[k], handles[1 - k]);
            events.push(begin(pair, [data[k], data[1 - k]], touch::segment_segment(contact)));
        }
        for rows in moving.ended().iter().map(|&pair| rows_of(pair)) {
            let both = rows.map(|row| segments.then(row, &walls.handle, &walls.labels));
            let k = second_first([both[0].handle, both[1].handle]);
            let (a, b) = (&both[k], &both[1 - k]);
            events.push(end(EventPair::SegmentSegment(a.handle, b.handle), a, b));
        }
        if edited {
            moving.turn_and_share(still, fixed);
            self.version = walls.versions();
        } else {
            moving.turn();
        }
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
