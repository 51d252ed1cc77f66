//! Promise: every way out of a detector gives the pairs of `detect`, in its order, with its bytes: rows alone, one by one, in slices of
//! the caller's; with filters, with segments that move and with radii; for every backend and number of threads.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::scenes::Rng;
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{
    AnyContact, Backend, CircleCircleContact, CircleSegmentContact, Circles, ContactCounts, ContactSlices, Contacts,
    Detector, DetectorConfig, Error, Filters, Frame, Kind, PairKinds, PairLists, SegmentColumns, SegmentSegmentContact,
    Segments, Threads,
};

const BACKENDS: [Backend; 2] = [Backend::Wide, Backend::Scalar];
const THREADS: [usize; 3] = [1, 2, 3];

/// Fewer seeds without optimisation.
fn seeds(most: u64) -> u64 {
    if cfg!(debug_assertions) { most.div_ceil(6) } else { most }
}

fn detectors() -> Vec<(String, Detector)> {
    let all = BACKENDS.into_iter().flat_map(|backend| THREADS.map(|threads| (backend, threads)));
    all.map(|(backend, threads)| {
        let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
        (format!("{backend:?} {threads}"), Detector::new(config).unwrap())
    })
    .collect()
}

/// The segments of these rows, with their radii.
fn segments(scene: &Columns, rows: std::ops::Range<usize>) -> SegmentColumns<'_> {
    let Columns { x0, y0, x1, y1, wall_radius, .. } = scene;
    SegmentColumns::new(&x0[rows.clone()], &y0[rows.clone()], &x1[rows.clone()], &y1[rows.clone()])
        .with_radius(&wall_radius[rows])
}

fn visited(detector: &mut Detector, frame: Frame<'_>) -> Vec<AnyContact> {
    let mut all = Vec::new();
    detector.visit(frame, |contact| all.push(contact)).unwrap();
    all
}

/// All contacts as a visitor is to see them.
fn as_visited(contacts: &Contacts) -> Vec<AnyContact> {
    let circles = contacts.circle_circle().iter().map(|c| AnyContact::CircleCircle(*c));
    let walls = contacts.circle_segment().iter().map(|c| AnyContact::CircleSegment(*c));
    let segments = contacts.segment_segment().iter().map(|c| AnyContact::SegmentSegment(*c));
    circles.chain(walls).chain(segments).collect()
}

/// A slice that holds something, for `count` contacts and `more`.
struct Room(Vec<CircleCircleContact>, Vec<CircleSegmentContact>, Vec<SegmentSegmentContact>);

impl Room {
    fn new([circles, walls, segments]: [usize; 3]) -> Room {
        let (mut one, mut two, mut three) =
            <(CircleCircleContact, CircleSegmentContact, SegmentSegmentContact)>::default();
        (one.a, two.a, three.a) = (77, 77, 77);
        Room(vec![one; circles], vec![two; walls], vec![three; segments])
    }

    fn slices(&mut self) -> ContactSlices<'_> {
        ContactSlices { circle_circle: &mut self.0, circle_segment: &mut self.1, segment_segment: &mut self.2 }
    }

    fn bytes(&self, [circles, walls, segments]: [usize; 3]) -> Vec<u8> {
        let mut all = bytemuck::cast_slice(&self.0[..circles]).to_vec();
        all.extend_from_slice(bytemuck::cast_slice(&self.1[..walls]));
        all.extend_from_slice(bytemuck::cast_slice(&self.2[..segments]));
        all
    }
}

/// Everything against `detect`.
fn check_ways(detector: &mut Detector, frame: Frame<'_>, contacts: &Contacts, pairs: &mut PairLists, what: &str) {
    detector.pairs(frame, pairs).unwrap();
    let rows = |all: Vec<AnyContact>| all.iter().map(AnyContact::rows).collect::<Vec<_>>();
    let expected = as_visited(contacts);
    let listed = [pairs.circle_circle(), pairs.circle_segment(), pairs.segment_segment()].concat();
    assert_eq!(listed, rows(expected.clone()), "{what}");
    assert_eq!(pairs.circle_circle().len(), contacts.circle_circle().len(), "{what}");
    assert_eq!(pairs.circle_segment().len(), contacts.circle_segment().len(), "{what}");
    assert!(visited(detector, frame) == expected, "{what}: the visitor sees others");

    let need = [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()];
    let [circle_circle, circle_segment, segment_segment] = need;
    for more in [0, 9] {
        let mut room = Room::new(need.map(|n| n + more));
        let count = detector.detect_into(frame, room.slices());
        assert_eq!(count, Ok(ContactCounts { circle_circle, circle_segment, segment_segment }), "{what}");
        assert!(room.bytes(need) == bytes(contacts), "{what}: other bytes in slices");
    }
    for kind in 0..3 {
        let mut short = need;
        if short[kind] > 0 {
            short[kind] -= 1;
            let mut room = Room::new(short);
            let before = room.bytes(short);
            let refused = detector.detect_into(frame, room.slices());
            assert_eq!(refused, Err(Error::NoRoom { circle_circle, circle_segment, segment_segment }), "{what}");
            assert!(room.bytes(short) == before, "{what}: a refused call has written");
        }
    }
}

#[test]
fn every_way_gives_the_same_pairs_with_static_and_moving_segments() {
    let mut all: Vec<_> =
        detectors().into_iter().map(|(name, detector)| (name, detector, Contacts::new(), PairLists::new())).collect();
    let mut found = [0; 3];
    for flavour in &FLAVOURS {
        for seed in 0..seeds(12) {
            let scene = flavours::make(flavour, 2100 + seed, 50 + seed as usize * 4, 30, seed % 3 == 2);
            let (expected, n) = (Sets::brute(&scene), scene.x0.len());
            found = [0, 1, 2].map(|kind| found[kind] + expected.counts()[kind]);
            // None moves, all, some; the same detector goes from one to the other.
            for own in [n, 0, n / 2, n / 2 + 3] {
                let mut first: Option<Vec<u8>> = None;
                for (name, detector, contacts, pairs) in &mut all {
                    let what = format!("{} {seed}, {own} of {n} static, {name}", flavour.0);
                    detector.set_segments(segments(&scene, 0..own)).unwrap();
                    assert_eq!(detector.segments(), own);
                    let frame = Frame::from(scene.circles()).with_moving(segments(&scene, own..n));
                    detector.detect(frame, contacts).unwrap();
                    assert_sound(contacts, &what);
                    Sets::reported(contacts, &what).assert_equal(&expected, &what);
                    let bytes = bytes(contacts);
                    assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "{what}: other bytes");
                    check_ways(detector, frame, contacts, pairs, &what);
                    // What moved is gone at the next call, what stays is where it was.
                    detector.detect(scene.circles(), contacts).unwrap();
                    let mut left = expected.clone();
                    left.circle_segment.retain(|pair| (pair.1 as usize) < own);
                    left.segment_segment.retain(|pair| (pair.1 as usize) < own);
                    Sets::reported(contacts, &what).assert_equal(&left, &what);
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n > 300 * seeds(12) as usize), "{found:?}");
}

#[test]
fn filters_of_all_three_sets_are_asked() {
    let mut found = [0; 3];
    for flavour in &FLAVOURS {
        for seed in 0..seeds(6) {
            let scene = flavours::make(flavour, 5200 + seed, 50, 30, false);
            let (n, own) = (scene.x0.len(), scene.x0.len() / 2);
            let mut rng = Rng::new(seed);
            // Two of three categories; bodies meet all but their own.
            let mut draw = |count: usize| -> Vec<u32> { (0..count).map(|_| 1 << (rng.bits() % 3)).collect() };
            let (circles, walls) = (draw(scene.x.len()), draw(n));
            let masks = |category: &[u32]| category.iter().map(|category| !category).collect::<Vec<u32>>();
            let (circle_masks, wall_masks) = (masks(&circles), masks(&walls));
            // Which of the columns are given: those that are left out are category 1, mask of all ones.
            for (of_own, of_moving) in [(true, true), (true, false), (false, true), (false, false)] {
                let given = |row: usize| if row < own { of_own } else { of_moving };
                let category = |row: u32| if given(row as usize) { walls[row as usize] } else { 1 };
                let mask = |row: u32| if given(row as usize) { wall_masks[row as usize] } else { u32::MAX };
                let mut expected = Sets::brute(&scene);
                expected.circle_circle.retain(|&(a, b)| circles[a as usize] != circles[b as usize]);
                let meets = |c: u32, m: u32, d: u32, n: u32| c & n != 0 && d & m != 0;
                expected
                    .circle_segment
                    .retain(|&(a, b)| meets(circles[a as usize], circle_masks[a as usize], category(b), mask(b)));
                expected.segment_segment.retain(|&(a, b, _)| meets(category(a), mask(a), category(b), mask(b)));
                found = [0, 1, 2].map(|kind| found[kind] + expected.counts()[kind]);
                let part = |given: bool, range: std::ops::Range<usize>| {
                    let range = if given { range } else { 0..0 };
                    Filters { category: &walls[range.clone()], mask: &wall_masks[range] }
                };
                for (name, mut detector) in detectors() {
                    let what = format!("{} {seed}, {of_own} {of_moving}, {name}", flavour.0);
                    let (mut contacts, mut pairs) = (Contacts::new(), PairLists::new());
                    detector.set_segments(segments(&scene, 0..own)).unwrap();
                    detector.set_segment_filters(part(of_own, 0..own)).unwrap();
                    let frame = Frame::new(scene.circles())
                        .with_filters(Filters { category: &circles, mask: &circle_masks })
                        .with_moving(segments(&scene, own..n))
                        .with_moving_filters(part(of_moving, own..n));
                    detector.detect(frame, &mut contacts).unwrap();
                    Sets::reported(&contacts, &what).assert_equal(&expected, &what);
                    check_ways(&mut detector, frame, &contacts, &mut pairs, &what);
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n > 200), "{found:?}");
}

#[test]
fn pairs_between_two_sets_are_those_of_brute_force_and_no_others() {
    let mut found = 0;
    for flavour in &FLAVOURS {
        for seed in 0..seeds(12) {
            let scene = flavours::make(flavour, 3300 + seed, 5, 60, seed % 3 == 1);
            let (n, own) = (scene.x0.len(), scene.x0.len() / 3);
            let mut expected = Sets::brute(&scene);
            expected.segment_segment.retain(|&(a, b, _)| (a as usize) < own && own <= b as usize);
            found += expected.segment_segment.len();
            let mut first: Option<Vec<SegmentSegmentContact>> = None;
            for (name, mut detector) in detectors() {
                let what = format!("{} {seed}, {name}", flavour.0);
                let mut contacts = vec![SegmentSegmentContact::default()];
                detector.set_segments(segments(&scene, 0..own)).unwrap();
                detector.segments_between(segments(&scene, own..n), Filters::default(), &mut contacts).unwrap();
                let mut between: Vec<_> = contacts.iter().map(|c| (c.a, c.b + own as u32, c.class.name())).collect();
                between.sort_unstable();
                assert_eq!(between, expected.segment_segment, "{what}");
                assert_eq!(first.get_or_insert_with(|| contacts.clone()), &contacts, "{what}: other contacts");
                // They are the last ones of a detection with all of them, bit for bit; and it still finds the others.
                let mut all = Contacts::new();
                detector.detect(Frame::from(scene.circles()).with_moving(segments(&scene, own..n)), &mut all).unwrap();
                let of_both = |c: &&SegmentSegmentContact| (c.a as usize) < own && own <= c.b as usize;
                let last = all.segment_segment().iter().filter(of_both);
                let last: Vec<_> = last.map(|c| SegmentSegmentContact { b: c.b - own as u32, ..*c }).collect();
                assert_eq!(last, contacts, "{what}");
                Sets::reported(&all, &what).assert_equal(&Sets::brute(&scene), &what);
            }
        }
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn the_limit_holds_on_every_way() {
    // Ten circles in one place, five walls through it, of which two move: 45, 50 and 10 pairs.
    let (x, y, radius) = ([1.0; 10], [2.0; 10], [1.0; 10]);
    let circles = Circles { x: &x, y: &y, radius: &radius };
    let walls: Vec<[f32; 4]> = (0..5).map(|k| [k as f32 - 2.0, -1.0, 4.0 - k as f32, 5.0]).collect();
    let frame = Frame::from(circles).with_moving(&walls[3..]);
    for limit in [0, 9, 10, 54, 60, 104, 105, 200] {
        for backend in BACKENDS {
            let config = DetectorConfig::default().with_backend(backend).with_contact_limit(limit);
            let mut detector = Detector::new(config).unwrap();
            detector.set_segments(&walls[..3]).unwrap();
            let refused = Error::TooManyContacts { limit };
            let (mut contacts, mut pairs, mut seen) = (Contacts::new(), PairLists::new(), 0);
            let mut room = Room::new([50; 3]);
            let outcomes = [
                detector.detect(frame, &mut contacts),
                detector.pairs(frame, &mut pairs),
                detector.visit(frame, |_| seen += 1),
                detector.detect_into(frame, room.slices()).map(|_| ()),
            ];
            let expected = if limit < 105 { Err(refused.clone()) } else { Ok(()) };
            assert!(outcomes.iter().all(|outcome| *outcome == expected), "{limit}: {outcomes:?}");
            let found = if limit < 105 { 0 } else { 105 };
            assert_eq!([contacts.len(), pairs.len(), seen], [found; 3], "{limit}");
            let mut between = Vec::new();
            let outcome = detector.segments_between(&walls[3..], Filters::default(), &mut between);
            // Three that stay and two that move.
            assert_eq!(outcome, if limit < 6 { Err(refused) } else { Ok(()) });
            assert_eq!(between.len(), if limit < 6 { 0 } else { 6 });
        }
    }
}

#[test]
fn kinds_that_are_not_looked_for_are_on_no_way() {
    let (x, y, radius) = ([0.0, 0.5], [0.0; 2], [1.0; 2]);
    let walls: [[f32; 4]; 2] = [[-1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]];
    for bits in 0..8 {
        let [circle_circle, circle_segment, segment_segment] = [0, 1, 2].map(|bit| bits >> bit & 1 == 1);
        let kinds = PairKinds { circle_circle, circle_segment, segment_segment };
        let mut detector = Detector::new(DetectorConfig::default().with_pair_kinds(kinds)).unwrap();
        detector.set_segments(&walls[..1]).unwrap();
        let frame = Frame::from(Circles { x: &x, y: &y, radius: &radius }).with_moving(&walls[1..]);
        let mut contacts = Contacts::new();
        detector.detect(frame, &mut contacts).unwrap();
        let counts =
            [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()];
        assert_eq!(counts, [usize::from(circle_circle), 4 * usize::from(circle_segment), usize::from(segment_segment)]);
        check_ways(&mut detector, frame, &contacts, &mut PairLists::new(), &format!("{kinds:?}"));
    }
}

#[test]
fn a_refused_call_changes_nothing() {
    let mut detector = Detector::new(DetectorConfig::default()).unwrap();
    let own: [[f32; 4]; 2] = [[0.0, 0.0, 9.0, 0.0], [0.0, 1.0, 9.0, -1.0]];
    detector.set_segments(&own).unwrap();
    let circles = Circles { x: &[0.0, 1.0], y: &[0.0; 2], radius: &[1.0; 2] };
    let mut contacts = Contacts::new();
    detector.detect(circles, &mut contacts).unwrap();
    let before = bytes(&contacts);
    let bad: [([f32; 4], usize, &str); 4] = [
        ([f32::NAN, 0.0, 0.0, 0.0], 0, "x0"),
        ([0.0, f32::INFINITY, 0.0, 0.0], 1, "y0"),
        ([0.0, 0.0, -f32::INFINITY, 0.0], 2, "x1"),
        ([0.0, 0.0, 0.0, f32::NAN], 3, "y1"),
    ];
    for (line, column, field) in bad {
        let moving = [[1.0, 1.0, 2.0, 2.0], line];
        for outcome in [
            detector.detect(Frame::from(circles).with_moving(&moving), &mut contacts),
            detector.segments_between(&moving, Filters::default(), &mut vec![]),
            detector.set_segments(&moving),
            detector.replace_segments(0..2, &moving),
        ] {
            let Err(Error::NotFinite { kind: Kind::Segment, row: 1, field: f, value }) = outcome else {
                panic!("{outcome:?}")
            };
            assert_eq!((f, value.to_bits()), (field, line[column].to_bits()));
        }
        assert_eq!(bytes(&contacts), before);
    }
    let thin = SegmentColumns::from(&own).with_radius(&[0.5, -1.0]);
    let refused = Error::Negative { kind: Kind::Segment, row: 1, field: "radius", value: -1.0 };
    assert_eq!(detector.detect(Frame::from(circles).with_moving(thin), &mut contacts), Err(refused.clone()));
    assert_eq!(detector.set_segments(thin), Err(refused));
    let cut = Frame::from(circles).with_moving(Segments { x0: &[0.0; 2], y0: &[0.0; 2], x1: &[0.0], y1: &[0.0; 2] });
    let refused = Error::ColumnLength { kind: Kind::Segment, field: "x1", length: 1, expected: 2 };
    assert_eq!(detector.detect(cut, &mut contacts), Err(refused));
    let filters = Filters { category: &[1; 3], mask: &[] };
    let refused = Error::ColumnLength { kind: Kind::Segment, field: "category", length: 3, expected: 2 };
    let frame = Frame::from(circles).with_moving(&own).with_moving_filters(filters);
    assert_eq!(detector.detect(frame, &mut contacts), Err(refused));
    // The detector is what it was.
    assert_eq!(bytes(&contacts), before);
    detector.detect(circles, &mut contacts).unwrap();
    assert_eq!(bytes(&contacts), before);
}
