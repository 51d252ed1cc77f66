//! Promise: every begin gets exactly one end, whatever the caller does between steps, and says why.

use gridlane::{
    Circle, CircleHandle, EndReason, EventKind, EventPair, PairKinds, Segment, SegmentHandle, World, WorldConfig,
};
use std::collections::BTreeSet;

fn end(reason: EndReason) -> EventKind {
    EventKind::End(reason)
}

fn kinds(world: &World) -> Vec<(EventKind, EventPair)> {
    world.events().iter().map(|event| (event.kind, event.pair)).collect()
}

/// The pairs that the contacts of the last step name.
fn touching(world: &World) -> BTreeSet<EventPair> {
    let (circles, segments) = (world.circles().handles(), world.segments().handles());
    let contacts = world.contacts();
    let cc = contacts.circle_circle().iter().map(|c| {
        let (a, b) = (circles[c.a as usize], circles[c.b as usize]);
        EventPair::CircleCircle(a.min(b), a.max(b))
    });
    let cs = contacts
        .circle_segment()
        .iter()
        .map(|c| EventPair::CircleSegment(circles[c.a as usize], segments[c.b as usize]));
    let ss = contacts.segment_segment().iter().map(|c| {
        let (a, b) = (segments[c.a as usize], segments[c.b as usize]);
        EventPair::SegmentSegment(a.min(b), a.max(b))
    });
    cc.chain(cs).chain(ss).collect()
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

    fn edit(&mut self, w: &mut World) {
        let at = [self.number(0.0, 20.0), self.number(0.0, 20.0)];
        let to = [at[0] + self.number(-6.0, 6.0), at[1] + self.number(-6.0, 6.0)];
        let velocity = [self.number(-4.0, 4.0), self.number(-4.0, 4.0)];
        let circle = Circle::new(at, self.number(0.1, 2.0)).with_velocity(velocity);
        let moving = self.choose(2) == 0;
        let segment = Segment::new(at, to);
        match self.choose(11) {
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
            7 => assert_eq!(w.detect().unwrap().begins, 0),
            8 => assert!(w.step(-1.0).is_err()),
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
        let mut reasons = [0; 3];
        for _ in 0..3000 {
            for _ in 0..caller.choose(4) {
                caller.edit(&mut w);
            }
            let dt = [0.0, 0.02, 0.05][caller.choose(3)];
            let stats = w.step(dt).unwrap();
            for event in w.events() {
                match event.kind {
                    EventKind::Begin => assert!(open.insert(event.pair), "{event:?} begins twice"),
                    EventKind::End(reason) => {
                        assert!(open.remove(&event.pair), "{event:?} has not begun");
                        let gone = match event.pair {
                            EventPair::CircleCircle(a, b) => w.circle(a).is_none() || w.circle(b).is_none(),
                            EventPair::CircleSegment(a, b) => w.circle(a).is_none() || w.segment(b).is_none(),
                            EventPair::SegmentSegment(a, b) => w.segment(a).is_none() || w.segment(b).is_none(),
                        };
                        assert_eq!(reason == EndReason::Removed, gone, "{event:?}");
                        reasons[reason as usize] += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(stats.begins + stats.ends, w.events().len());
            assert_eq!(open, touching(&w));
        }
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
    let (circles, segments) = (w.circles().handles(), w.segments().handles());
    let cc = w.contacts().circle_circle().iter().map(|c| {
        let (a, b) = (circles[c.a as usize], circles[c.b as usize]);
        EventPair::CircleCircle(a.min(b), a.max(b))
    });
    let cs = w.contacts().circle_segment();
    let cs = cs.iter().map(|c| EventPair::CircleSegment(circles[c.a as usize], segments[c.b as usize]));
    let expected: Vec<_> = cc.chain(cs).collect();
    assert!(expected.len() > 40);
    assert_eq!(w.events().iter().map(|event| event.pair).collect::<Vec<_>>(), expected);
}
