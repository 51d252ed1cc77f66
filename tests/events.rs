//! Promise: every begin gets exactly one end, whatever the caller does between steps, and says why.

use crate::common::world_model::pairs;
use gridlane::{
    Circle, CircleHandle, EndReason, EventKind, EventPair, Filter, PairKinds, Response, Segment, SegmentHandle, Touch,
    World, WorldConfig,
};
use std::collections::{BTreeMap, BTreeSet};

fn end(reason: EndReason) -> EventKind {
    EventKind::End(reason)
}

fn kinds(world: &World) -> Vec<(EventKind, EventPair)> {
    world.events().iter().map(|event| (event.kind, event.pair)).collect()
}

/// Those that circles met in flight in the last step, and how for the first time.
fn met_in_flight(world: &World) -> BTreeMap<EventPair, Touch> {
    let mut met = BTreeMap::new();
    for hit in world.impacts() {
        let touch = Touch { point: hit.point, normal: hit.normal, approach_speed: hit.approach_speed };
        met.entry(EventPair::CircleSegment(hit.circle, hit.segment)).or_insert(touch);
    }
    met
}

#[test]
fn each_reason_by_itself() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let post = |x: f32| Circle::new([x, 0.0], 1.0).with_inverse_mass(0.0);
    let a = w.add_circle(post(0.0)).unwrap();
    let b = w.add_circle(post(1.5)).unwrap();
    let c = w.add_circle(post(3.0)).unwrap();
    let leaving = w.add_circle(post(4.5).with_velocity([10.0, 0.0])).unwrap();
    let pair = EventPair::CircleCircle;
    w.step(0.0).unwrap();
    let begin = |p| (EventKind::Begin, p);
    assert_eq!(kinds(&w), [begin(pair(a, b)), begin(pair(b, c)), begin(pair(c, leaving))]);
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), []);

    w.remove_circle(b).unwrap();
    w.step(1.0).unwrap();
    let mut ended = kinds(&w);
    ended.sort_by_key(|event| event.1);
    let removed = end(EndReason::Removed);
    assert_eq!(ended, [(removed, pair(a, b)), (removed, pair(b, c)), (end(EndReason::Apart), pair(c, leaving))]);

    // A circle in the place and with the index of the removed one is another circle.
    let d = w.add_circle(post(1.5)).unwrap();
    assert_eq!(d.index(), b.index());
    w.step(0.0).unwrap();
    assert_eq!(w.events().len(), 2);
    // Set by hand: still touching one, no longer the other.
    w.set_circle(d, post(0.5)).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), [(end(EndReason::Edited), EventPair::CircleCircle(d.min(c), d.max(c)))]);
    // Removed wins over edited.
    w.set_circle(a, post(0.0)).unwrap();
    w.remove_circle(d).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), [(end(EndReason::Removed), pair(a, d))]);
}

#[test]
fn static_segments_are_reported_once_and_when_edited() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let a = w.add_segment(Segment::new([0.0, 0.0], [4.0, 0.0])).unwrap();
    let b = w.add_segment(Segment::new([2.0, -1.0], [2.0, 1.0])).unwrap();
    let pair = EventPair::SegmentSegment(a, b);
    w.step(0.1).unwrap();
    assert_eq!(kinds(&w), [(EventKind::Begin, pair)]);
    // An edit that leaves them touching, and one that makes a static segment move: nothing begins or ends.
    w.set_segment(b, Segment::new([3.0, -1.0], [3.0, 1.0])).unwrap();
    w.step(0.1).unwrap();
    w.set_segment(b, Segment::new([3.0, -1.0], [3.0, 1.0]).with_velocity([1.0, 0.0])).unwrap();
    w.step(0.1).unwrap();
    assert_eq!(kinds(&w), []);
    w.step(1.0).unwrap();
    assert_eq!(kinds(&w), [(end(EndReason::Apart), pair)]);
    w.set_segment(b, Segment::new([1.0, -1.0], [1.0, 1.0])).unwrap();
    w.step(0.1).unwrap();
    w.remove_segment(a).unwrap();
    w.step(0.1).unwrap();
    assert_eq!(kinds(&w), [(end(EndReason::Removed), pair)]);
}

const FILTER_CHANGED: EventKind = EventKind::End(EndReason::FilterChanged);

#[test]
fn a_changed_filter_ends_and_begins_pairs_of_every_kind() {
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let b = w.add_circle(Circle::new([1.0, 0.0], 1.0)).unwrap();
    let still = w.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    let other = w.add_segment(Segment::new([5.0, -1.0], [5.0, 1.0])).unwrap();
    let moving = w.add_segment(Segment::new([6.0, -1.0], [6.0, 1.0]).with_velocity([0.0, 0.0])).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(w.events().len(), 5);
    let (one, two) = (EventPair::CircleCircle(a, b), EventPair::CircleSegment(a, still));
    let (three, four) = (EventPair::SegmentSegment(still, other), EventPair::SegmentSegment(still, moving));
    // A change that leaves them meeting ends nothing.
    w.set_circle_filter(a, Filter::new(0b11, 0b01)).unwrap();
    w.set_segment_filter(still, Filter::new(0b11, 0b01)).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), []);
    // One that does not ends what it ends, once.
    w.set_circle_filter(a, Filter::new(0b11, 0b10)).unwrap();
    w.detect().unwrap();
    assert_eq!((w.contacts().len(), kinds(&w)), (4, vec![]), "a detection has no events, and leaves them for the step");
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), [(FILTER_CHANGED, one)], "the segment has the category that a asks for");
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), []);
    w.set_segment_filter(still, Filter::NOTHING).unwrap();
    w.step(0.0).unwrap();
    let mut ended = kinds(&w);
    ended.sort_by_key(|event| event.1);
    let with_b = EventPair::CircleSegment(b, still);
    assert_eq!(ended, [two, with_b, three, four].map(|pair| (FILTER_CHANGED, pair)));
    assert!(w.contacts().is_empty());
    // What meets again begins again.
    w.set_segment_filter(still, Filter::DEFAULT).unwrap();
    w.set_circle_filter(a, Filter::DEFAULT).unwrap();
    w.step(0.0).unwrap();
    let mut begun = kinds(&w);
    begun.sort_by_key(|event| event.1);
    assert_eq!(begun, [one, two, with_b, three, four].map(|pair| (EventKind::Begin, pair)));
    // Back before anybody looked: nothing has happened.
    w.set_segment_filter(still, Filter::NOTHING).unwrap();
    w.set_segment_filter(still, Filter::DEFAULT).unwrap();
    w.set_circle_filter(b, Filter::NOTHING).unwrap();
    w.set_circle_filter(b, Filter::DEFAULT).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), []);
    // A moving segment's, with nothing else to do.
    w.set_segment_filter(moving, Filter::new(2, 2)).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(kinds(&w), [(FILTER_CHANGED, four)]);
}

#[test]
fn reasons_have_an_order() {
    // Four circles in a row, each touching the next.
    let start = || {
        let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
        let all = [0.0, 1.5, 3.0, 4.5].map(|x| w.add_circle(Circle::new([x, 0.0], 1.0)).unwrap());
        w.step(0.0).unwrap();
        assert_eq!(w.events().len(), 3);
        (w, all)
    };
    let reasons = |w: &mut World| -> Vec<EventKind> {
        w.step(0.0).unwrap();
        w.events().iter().map(|event| event.kind).collect()
    };
    // Removed before all others.
    let (mut w, [a, ..]) = start();
    w.set_circle_filter(a, Filter::NOTHING).unwrap();
    w.remove_circle(a).unwrap();
    assert_eq!(reasons(&mut w), [EventKind::End(EndReason::Removed)]);
    // A filter before a new place, whether it came by itself or with the body.
    let (mut w, [a, _, _, d]) = start();
    w.set_circle_filter(a, Filter::NOTHING).unwrap();
    w.set_circle(a, Circle::new([90.0, 0.0], 1.0).with_filter(Filter::NOTHING)).unwrap();
    w.set_circle(d, Circle::new([4.5, 0.0], 1.0).with_filter(Filter::NOTHING)).unwrap();
    assert_eq!(reasons(&mut w), [FILTER_CHANGED; 2]);
    // A filter before motion, also where rows have changed in between.
    let (mut w, [a, b, c, d]) = start();
    w.remove_circle(b).unwrap();
    w.set_circle_velocity(d, [50.0, 0.0]).unwrap();
    w.set_circle_filter(d, Filter::new(2, !0)).unwrap();
    w.set_circle_filter(c, Filter::new(1, 1)).unwrap();
    w.set_circle_filter(a, Filter::new(8, 8)).unwrap();
    w.detect().unwrap();
    w.step(1.0).unwrap();
    let pair = EventPair::CircleCircle;
    let mut ended = kinds(&w);
    ended.sort_by_key(|event| event.1);
    let removed = EventKind::End(EndReason::Removed);
    assert_eq!(ended, [(removed, pair(a, b)), (removed, pair(b, c)), (FILTER_CHANGED, pair(c, d))]);
    // A new place before motion; a filter that still lets them meet is no reason.
    let (mut w, [a, _, _, d]) = start();
    w.set_circle_filter(a, Filter::new(3, 1)).unwrap();
    w.set_circle(a, Circle::new([90.0, 0.0], 1.0).with_filter(Filter::new(3, 1))).unwrap();
    w.set_circle_velocity(d, [50.0, 0.0]).unwrap();
    w.set_circle_filter(d, Filter::new(3, 1)).unwrap();
    w.step(1.0).unwrap();
    let ended: Vec<_> = w.events().iter().map(|event| event.kind).collect();
    assert_eq!(ended, [EventKind::End(EndReason::Edited), EventKind::End(EndReason::Apart)]);
}

#[test]
fn switched_off_there_are_none() {
    let mut w = World::new(WorldConfig::default().with_events(false)).unwrap();
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let stats = w.step(0.0).unwrap();
    assert_eq!((stats.circle_circle, stats.begins, w.events().len()), (1, 0, 0));
    w.remove_circle(a).unwrap();
    assert_eq!(w.step(0.0).unwrap().ends, 0);
}

/// What a caller may do, chosen by xorshift.
struct Caller {
    state: u64,
    circles: Vec<CircleHandle>,
    segments: Vec<SegmentHandle>,
}

impl Caller {
    fn choose(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % n
    }

    fn number(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.choose(4096) as f32 / 4096.0
    }

    /// Of two categories, or that of all.
    fn filter(&mut self) -> Filter {
        match self.choose(3) {
            0 => Filter::DEFAULT,
            _ => Filter::new(1 << self.choose(2), 1 + self.choose(3) as u32),
        }
    }

    fn edit(&mut self, w: &mut World) {
        let at = [self.number(0.0, 20.0), self.number(0.0, 20.0)];
        let to = [at[0] + self.number(-6.0, 6.0), at[1] + self.number(-6.0, 6.0)];
        // Some fly through all there is in a step.
        let fast = [1.0, 1.0, 30.0, 1000.0][self.choose(4)];
        let velocity = [self.number(-4.0, 4.0), self.number(-4.0, 4.0)];
        let circle = Circle::new(at, self.number(0.1, 2.0)).with_velocity(velocity.map(|v| v * fast));
        let moving = self.choose(2) == 0;
        let segment = Segment::new(at, to);
        match self.choose(15) {
            0..=1 => self.circles.push(w.add_circle(circle).unwrap()),
            2 if moving => self.segments.push(w.add_segment(segment.with_velocity(velocity)).unwrap()),
            2 => self.segments.push(w.add_segment(segment).unwrap()),
            3 if self.circles.len() > 10 => {
                let at = self.choose(self.circles.len());
                w.remove_circle(self.circles.swap_remove(at)).unwrap();
            }
            4 if self.segments.len() > 10 => {
                let at = self.choose(self.segments.len());
                w.remove_segment(self.segments.swap_remove(at)).unwrap();
            }
            5 if !self.circles.is_empty() => {
                let at = self.choose(self.circles.len());
                w.set_circle(self.circles[at], circle).unwrap();
            }
            6 if !self.segments.is_empty() => {
                let at = self.choose(self.segments.len());
                let body = if moving { segment.with_velocity(velocity) } else { segment.into() };
                w.set_segment(self.segments[at], body).unwrap();
            }
            7..=9 if !self.circles.is_empty() => {
                let (at, filter) = (self.choose(self.circles.len()), self.filter());
                w.set_circle_filter(self.circles[at], filter).unwrap();
            }
            10 | 11 if !self.segments.is_empty() => {
                let (at, filter) = (self.choose(self.segments.len()), self.filter());
                w.set_segment_filter(self.segments[at], filter).unwrap();
            }
            12 => assert_eq!(w.detect().unwrap().begins, 0),
            13 => assert!(w.step(-1.0).is_err()),
            _ => {}
        }
    }
}

#[test]
fn events_add_up_to_the_touching_pairs() {
    for (seed, kinds) in
        [(1, PairKinds::ALL), (2, PairKinds::ALL), (3, PairKinds { circle_circle: false, ..PairKinds::ALL })]
    {
        let mut w = World::new(WorldConfig::default().with_pair_kinds(kinds)).unwrap();
        let mut caller = Caller { state: 0x9E37_79B9 * seed, circles: Vec::new(), segments: Vec::new() };
        let mut open = BTreeSet::new();
        let mut reasons = [0; 4];
        let (mut between, mut to_stay) = (0, 0);
        for _ in 0..5000 {
            for _ in 0..caller.choose(4) {
                caller.edit(&mut w);
            }
            let dt = [0.0, 0.02, 0.05][caller.choose(3)];
            let (before, stats) = (open.clone(), w.step(dt).unwrap());
            let met = met_in_flight(&w);
            for event in w.events() {
                match event.kind {
                    EventKind::Begin => {
                        assert!(open.insert(event.pair), "{event:?} begins twice");
                        assert!(met.get(&event.pair).is_none_or(|first| event.touch == Some(*first)), "{event:?}");
                    }
                    EventKind::End(reason) => {
                        assert!(open.remove(&event.pair), "{event:?} has not begun");
                        let gone = match event.pair {
                            EventPair::CircleCircle(a, b) => w.circle(a).is_none() || w.circle(b).is_none(),
                            EventPair::CircleSegment(a, b) => w.circle(a).is_none() || w.segment(b).is_none(),
                            EventPair::SegmentSegment(a, b) => w.segment(a).is_none() || w.segment(b).is_none(),
                        };
                        assert_eq!(reason == EndReason::Removed, gone, "{event:?}");
                        assert!(before.contains(&event.pair) || reason == EndReason::Apart, "{event:?}");
                        reasons[reason as usize] += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(stats.begins + stats.ends, w.events().len());
            assert_eq!(open, pairs(&w).collect());
            // Those that touch, or have met in flight, and did not touch before; each once.
            let begun: BTreeSet<EventPair> =
                open.iter().chain(met.keys()).filter(|pair| !before.contains(pair)).copied().collect();
            let told = w.events().iter().filter(|event| event.kind == EventKind::Begin).map(|event| event.pair);
            assert_eq!(told.collect::<BTreeSet<_>>(), begun);
            assert_eq!((stats.begins, stats.impacts), (begun.len(), w.impacts().len()));
            between += begun.iter().filter(|pair| !open.contains(pair)).count();
            to_stay += begun.iter().filter(|pair| open.contains(pair) && met.contains_key(pair)).count();
        }
        assert!(between > 100 && to_stay > 10, "{between} met between two steps, {to_stay} to stay");
        assert!(reasons.iter().all(|&count| count > 100), "{reasons:?}");
    }
}

#[test]
fn order_of_events_is_the_order_of_contacts() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    for k in 0..30 {
        w.add_circle(Circle::new([(k * 7 % 30) as f32, 0.0], 0.6)).unwrap();
        w.add_segment(Segment::new([(k * 11 % 30) as f32, -1.0], [(k * 11 % 30) as f32 + 0.5, 0.0])).unwrap();
    }
    w.step(0.0).unwrap();
    let expected: Vec<_> = pairs(&w).collect();
    assert!(expected.len() > 40);
    assert_eq!(w.events().iter().map(|event| event.pair).collect::<Vec<_>>(), expected);
}
