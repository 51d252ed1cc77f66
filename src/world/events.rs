//! What began and what ended to touch.
//!
//! Comes in: the contacts of a step and every edit since the step before. Goes out: events, in a fixed order. This room
//! does not know shapes or time. Pairs of the last report are kept by their rows then; the present pairs are traced
//! back to those rows and looked up, about 10 ns a contact. Pairs of two static segments are looked at only when
//! segments or their filters have been edited. Every begin gets exactly one end: an end is made of what was reported before, never of
//! what the caller says now.

use super::bytes::{Reader, Writer};
use super::pairs::PairSet;
use super::past::Past;
use crate::error::Error;
use crate::narrow_phase::Contacts;
use crate::storage::{CircleHandle, Filters, SegmentColumns, SegmentHandle};

/// Which two bodies an event is about: the lower kind first, of one kind the lower handle first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventPair {
    /// Two circles.
    CircleCircle(CircleHandle, CircleHandle),
    /// A circle and a segment.
    CircleSegment(CircleHandle, SegmentHandle),
    /// Two segments.
    SegmentSegment(SegmentHandle, SegmentHandle),
}

/// Why two bodies no longer touch. Where several reasons hold, it is the first of: removed, filter changed, edited, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EndReason {
    /// They moved apart.
    Apart,
    /// One of them was removed.
    Removed,
    /// One of them was set by hand, and they do not touch where they are now.
    Edited,
    /// The filter of one of them was set by hand, and they do not meet any more, wherever they are now.
    FilterChanged,
}

/// Beginning or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// They touch and did not at the last step.
    Begin,
    /// They touched at the last step and do not now.
    End(EndReason),
}

/// Two bodies began or ended to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// Beginning or end.
    pub kind: EventKind,
    /// Of which two bodies. A removed body's handle is stale.
    pub pair: EventPair,
}

/// What a report looks at.
pub(super) struct Scene<'a> {
    /// For each row of the contacts the row before this step.
    pub(super) order: &'a [u32],
    /// Handles by the rows before this step.
    pub(super) circles_before: &'a [CircleHandle],
    /// Handles by the rows of the contacts.
    pub(super) circles: &'a [CircleHandle],
    /// Filters by the rows before this step.
    pub(super) circle_filters: Filters<'a>,
    pub(super) segments: &'a SegmentColumns,
    pub(super) contacts: &'a Contacts,
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
        }
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn circles_added(&mut self, count: usize) {
        if self.on {
            self.circles.added(count);
        }
    }

    pub(super) fn circle_removed(&mut self, row: usize, handle: CircleHandle) {
        if self.on {
            self.circles.removed(row, handle);
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

    pub(super) fn segment_removed(&mut self, row: usize, handle: SegmentHandle) {
        if self.on {
            self.segments.removed(row, handle);
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
        let edited = from.flag()?;
        self.version = if edited || self.segments.have_moved() { (u64::MAX, u64::MAX) } else { segments.versions() };
        Ok(())
    }

    /// Replaces the events by those of this step; how many begin and how many end.
    pub(super) fn report(&mut self, scene: &Scene<'_>) -> (usize, usize) {
        if !self.on {
            return (0, 0);
        }
        self.events.clear();
        self.circles.prepare(scene.circles_before, scene.circle_filters);
        self.segments.prepare(&scene.segments.handle, scene.segments.labels.filters());
        self.report_circle_circle(scene);
        self.report_circle_segment(scene);
        self.report_segment_segment(scene);
        self.circles.reset();
        self.segments.reset();
        let begins = self.events.iter().filter(|event| event.kind == EventKind::Begin).count();
        (begins, self.events.len() - begins)
    }

    fn report_circle_circle(&mut self, scene: &Scene<'_>) {
        for contact in scene.contacts.circle_circle() {
            let [a, b] = [contact.a, contact.b];
            let past = [a, b].map(|row| self.circles.of(scene.order[row as usize]));
            let past = ascending(past);
            if !self.circle_circle.meet(past[0], past[1]) {
                let pair = circle_pair(scene.circles[a as usize], scene.circles[b as usize]);
                self.events.push(Event { kind: EventKind::Begin, pair });
            }
            let [a, b] = ascending([a, b]);
            self.circle_circle.add(a, b);
        }
        for [a, b] in self.circle_circle.unmet() {
            let [ha, hb] = [a, b].map(|past| self.circles.handle(past, scene.circles_before));
            let removed = self.circles.was_removed(a) || self.circles.was_removed(b);
            let [fa, fb] = [a, b].map(|past| self.circles.filter(past, scene.circle_filters));
            let edited = self.circles.was_edited(a) || self.circles.was_edited(b);
            self.events.push(end(circle_pair(ha, hb), removed, fa.meets(fb), edited));
        }
        self.circle_circle.turn(scene.circles.len());
    }

    fn report_circle_segment(&mut self, scene: &Scene<'_>) {
        for contact in scene.contacts.circle_segment() {
            let (a, b) = (contact.a, contact.b);
            let past = self.circles.of(scene.order[a as usize]);
            if !self.circle_segment.meet(past, self.segments.of(b)) {
                let (circle, segment) = (scene.circles[a as usize], scene.segments.handle[b as usize]);
                self.events.push(Event { kind: EventKind::Begin, pair: EventPair::CircleSegment(circle, segment) });
            }
            self.circle_segment.add(a, b);
        }
        for [a, b] in self.circle_segment.unmet() {
            let circle = self.circles.handle(a, scene.circles_before);
            let segment = self.segments.handle(b, &scene.segments.handle);
            let removed = self.circles.was_removed(a) || self.segments.was_removed(b);
            let filter = self.circles.filter(a, scene.circle_filters);
            let meet = filter.meets(self.segments.filter(b, scene.segments.labels.filters()));
            let edited = self.circles.was_edited(a) || self.segments.was_edited(b);
            self.events.push(end(EventPair::CircleSegment(circle, segment), removed, meet, edited));
        }
        self.circle_segment.turn(scene.circles.len());
    }

    fn report_segment_segment(&mut self, scene: &Scene<'_>) {
        let segments = scene.segments;
        let version = segments.versions();
        let edited = self.version != version;
        if !edited && segments.moving_rows.is_empty() {
            return;
        }
        for contact in scene.contacts.segment_segment() {
            let [a, b] = [contact.a, contact.b];
            let moving = segments.moving[a as usize] || segments.moving[b as usize];
            if !moving && !edited {
                continue;
            }
            let past = ascending([a, b].map(|row| self.segments.of(row)));
            // An edit may have let a static segment move or a moving one stand: the pair is the same.
            let met = self.moving.meet(past[0], past[1]) || (edited && self.still.meet(past[0], past[1]));
            if !met {
                let pair = segment_pair(segments.handle[a as usize], segments.handle[b as usize]);
                self.events.push(Event { kind: EventKind::Begin, pair });
            }
            let [a, b] = ascending([a, b]);
            if moving { self.moving.add(a, b) } else { self.still.add(a, b) }
        }
        let rows = segments.len();
        if edited {
            end_segments(&self.still, &self.segments, segments, &mut self.events);
            self.still.turn(rows);
            self.version = version;
        }
        end_segments(&self.moving, &self.segments, segments, &mut self.events);
        self.moving.turn(rows);
    }
}

/// Ends the pairs that were not met again.
fn end_segments(pairs: &PairSet, past: &Past<SegmentHandle>, segments: &SegmentColumns, events: &mut Vec<Event>) {
    for [a, b] in pairs.unmet() {
        let [ha, hb] = [a, b].map(|row| past.handle(row, &segments.handle));
        let removed = past.was_removed(a) || past.was_removed(b);
        let [fa, fb] = [a, b].map(|row| past.filter(row, segments.labels.filters()));
        let edited = past.was_edited(a) || past.was_edited(b);
        events.push(end(segment_pair(ha, hb), removed, fa.meets(fb), edited));
    }
}

/// What was reported did meet: if it does not now, a filter has been changed.
fn end(pair: EventPair, removed: bool, meet: bool, edited: bool) -> Event {
    let reason = match (removed, meet, edited) {
        (true, ..) => EndReason::Removed,
        (_, false, _) => EndReason::FilterChanged,
        (.., true) => EndReason::Edited,
        _ => EndReason::Apart,
    };
    Event { kind: EventKind::End(reason), pair }
}

fn circle_pair(a: CircleHandle, b: CircleHandle) -> EventPair {
    if a <= b { EventPair::CircleCircle(a, b) } else { EventPair::CircleCircle(b, a) }
}

fn segment_pair(a: SegmentHandle, b: SegmentHandle) -> EventPair {
    if a <= b { EventPair::SegmentSegment(a, b) } else { EventPair::SegmentSegment(b, a) }
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
