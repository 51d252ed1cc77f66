//! Promise: what filters refuse is no contact and counts as none; what they leave is there as without them, in the same order,
//! with the same bytes. What a changed filter ends is in `events.rs`.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::scenes::{self, Rng};
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{
    Backend, Circle, CircleBodies, Circles, Contacts, Detector, DetectorConfig, Error, Filter, Filters, Kind,
    QueryFilter, Segment, SegmentBodies, Segments, Threads, World, WorldConfig,
};

const BACKENDS: [Backend; 2] = [Backend::Wide, Backend::Scalar];
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Fewer seeds without optimisation.
fn seeds(most: u64) -> u64 {
    if cfg!(debug_assertions) { most.div_ceil(6) } else { most }
}

/// Columns of filters. The rule is written out here once more, in other words than the library's.
#[derive(Clone, Default)]
struct Drawn {
    category: Vec<u32>,
    mask: Vec<u32>,
}

impl Drawn {
    /// One to three of four categories; masks with holes, and some bodies that are as all are by default or meet nothing.
    fn new(rng: &mut Rng, count: usize) -> Drawn {
        let mut drawn = Drawn::default();
        for _ in 0..count {
            let bits = rng.bits() as u32;
            let (category, mask) = match bits >> 28 {
                0..=3 => (1, u32::MAX),
                4 => (0, u32::MAX),
                5 => (1 << 31, 1),
                _ => (1 << (bits & 3) | 1 << (bits >> 2 & 3), bits >> 4 & 0xF),
            };
            drawn.category.push(category);
            drawn.mask.push(mask);
        }
        drawn
    }

    fn columns(&self) -> Filters<'_> {
        Filters { category: &self.category, mask: &self.mask }
    }
}

/// Bit by bit: each has a category that the other's mask has too.
fn meet(one: (&Drawn, u32), other: (&Drawn, u32)) -> bool {
    let asks = |(from, i): (&Drawn, u32), (to, j): (&Drawn, u32)| {
        (0..32).any(|bit| from.mask[i as usize] >> bit & 1 == 1 && to.category[j as usize] >> bit & 1 == 1)
    };
    asks(one, other) && asks(other, one)
}

/// The sets that are left of all pairs.
fn left(all: &Sets, circles: &Drawn, segments: &Drawn) -> Sets {
    let mut all = all.clone();
    all.circle_circle.retain(|&(a, b)| meet((circles, a), (circles, b)));
    all.circle_segment.retain(|&(a, b)| meet((circles, a), (segments, b)));
    all.segment_segment.retain(|&(a, b, _)| meet((segments, a), (segments, b)));
    all
}

/// The bytes that are left of all contacts, in their order.
fn left_bytes(all: &Contacts, circles: &Drawn, segments: &Drawn) -> Vec<u8> {
    let mut left = Vec::new();
    for c in all.circle_circle().iter().filter(|c| meet((circles, c.a), (circles, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    for c in all.circle_segment().iter().filter(|c| meet((circles, c.a), (segments, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    for c in all.segment_segment().iter().filter(|c| meet((segments, c.a), (segments, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    left
}

/// One detector of each backend and number of threads.
fn detectors() -> Vec<(String, Detector, Contacts)> {
    let mut all = Vec::new();
    for backend in BACKENDS {
        for threads in THREADS {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            all.push((format!("{backend:?} {threads}"), Detector::new(config).unwrap(), Contacts::new()));
        }
    }
    all
}

#[test]
fn small_scenes_of_every_flavour_equal_brute_force() {
    let mut all = detectors();
    let (mut found, mut refused) = ([0; 3], [0; 3]);
    for flavour in &FLAVOURS {
        for seed in 0..seeds(12) {
            let scene = flavours::make(flavour, 7000 + seed, 60 + seed as usize * 5, 24 + seed as usize * 2, false);
            let brute = Sets::brute(&scene);
            let mut rng = Rng::new(seed);
            for (name, detector, _) in &mut all {
                detector.set_segments(scene.segments()).expect(name);
            }
            // Segments stay where they are while what they meet changes.
            for round in 0..2 {
                let (circles, segments) = (Drawn::new(&mut rng, scene.x.len()), Drawn::new(&mut rng, scene.x0.len()));
                let expected = left(&brute, &circles, &segments);
                for kind in 0..3 {
                    found[kind] += expected.counts()[kind];
                    refused[kind] += brute.counts()[kind] - expected.counts()[kind];
                }
                let mut first: Option<Vec<u8>> = None;
                for (name, detector, contacts) in &mut all {
                    let what = format!("{} {seed}.{round}, {name}", flavour.0);
                    detector.set_segment_filters(segments.columns()).unwrap();
                    detector.detect_filtered(scene.circles(), circles.columns(), contacts).unwrap();
                    assert_sound(contacts, &what);
                    Sets::reported(contacts, &what).assert_equal(&expected, &what);
                    let bytes = bytes(contacts);
                    assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "{what}: other bytes");
                }
            }
        }
    }
    assert!(found.iter().chain(&refused).all(|&n| n > 150 * seeds(12) as usize), "{found:?} {refused:?}");
}

/// Scenes of many blocks and levels: what is left is the same list with pairs missing.
#[test]
fn order_and_values_are_those_without_filters() {
    let crowded = {
        // 700 circles about one place: 244 650 pairs, more than a block lists before it counts.
        let mut scene = Columns::default();
        let mut rng = Rng::new(5);
        for _ in 0..700 {
            scene.push_circle([rng.range(0.0, 1.0) as f32, rng.range(0.0, 1.0) as f32], 2.0);
        }
        scene
    };
    let built_in = ["gas-10k", "mixed-100k"].map(|name| Columns::from(scenes::scene(name).unwrap()));
    for (index, scene) in built_in.iter().chain([&crowded]).enumerate() {
        let mut rng = Rng::new(80 + index as u64);
        let (circles, segments) = (Drawn::new(&mut rng, scene.x.len()), Drawn::new(&mut rng, scene.x0.len()));
        for backend in BACKENDS {
            for threads in [1, 3] {
                let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let mut detector = Detector::new(config).unwrap();
                let mut contacts = Contacts::new();
                detector.set_segments(scene.segments()).unwrap();
                detector.detect(scene.circles(), &mut contacts).unwrap();
                let expected = left_bytes(&contacts, &circles, &segments);
                let plain = bytes(&contacts);
                assert!(expected.len() > 1000 && expected.len() < plain.len());
                detector.set_segment_filters(segments.columns()).unwrap();
                detector.detect_filtered(scene.circles(), circles.columns(), &mut contacts).unwrap();
                assert!(bytes(&contacts) == expected, "scene {index}, {backend:?}, {threads} threads");
                // And back.
                detector.set_segment_filters(Filters::default()).unwrap();
                detector.detect(scene.circles(), &mut contacts).unwrap();
                assert!(bytes(&contacts) == plain, "scene {index}, {backend:?}, {threads} threads, without");
            }
        }
    }
}

#[test]
fn a_column_left_out_is_one_of_defaults() {
    let scene = flavours::make(&FLAVOURS[0], 3, 200, 80, false);
    let mut rng = Rng::new(1);
    let (circles, segments) = (Drawn::new(&mut rng, scene.x.len()), Drawn::new(&mut rng, scene.x0.len()));
    let ones = (vec![1; scene.x.len()], vec![1; scene.x0.len()]);
    let all = (vec![u32::MAX; scene.x.len()], vec![u32::MAX; scene.x0.len()]);
    let run = |circles: Filters<'_>, segments: Filters<'_>| {
        let (mut detector, mut contacts) = (Detector::new(DetectorConfig::default()).unwrap(), Contacts::new());
        detector.set_segments(scene.segments()).unwrap();
        detector.set_segment_filters(segments).unwrap();
        detector.detect_filtered(scene.circles(), circles, &mut contacts).unwrap();
        bytes(&contacts)
    };
    let none = Filters::default();
    let plain = run(none, none);
    assert!(plain == run(Filters { category: &ones.0, mask: &all.0 }, Filters { category: &ones.1, mask: &all.1 }));
    for (left_out, given) in [
        (Filters { category: &circles.category, mask: &[] }, Filters { category: &circles.category, mask: &all.0 }),
        (Filters { category: &[], mask: &circles.mask }, Filters { category: &ones.0, mask: &circles.mask }),
    ] {
        let found = run(left_out, none);
        assert!(found == run(given, none) && found != plain);
        assert!(run(left_out, segments.columns()) == run(given, segments.columns()));
    }
}

#[test]
fn what_is_refused_does_not_count_against_the_limit() {
    // 600 circles in one place, 179 700 pairs, of which only those of the last four meet: 6. A hundred segments through that place
    // meet each other but once, and the last circle: 1 + 2.
    let (x, y, radius) = ([0.0; 600], [0.0; 600], [1.0; 600]);
    let circles = Circles { x: &x, y: &y, radius: &radius };
    let mut category = [1; 600];
    category[596..].fill(2);
    category[599] |= 4;
    let mut mask = [0; 600];
    mask[596..].fill(2);
    mask[599] |= 8;
    let angle = |i: usize| [(i % 10) as f32 - 4.5, (i / 10) as f32 - 4.5];
    let ends: Vec<[f32; 2]> = (0..100).map(angle).collect();
    let (x1, y1): (Vec<_>, Vec<_>) = ends.iter().map(|p| (p[0], p[1])).unzip();
    let (x0, y0): (Vec<_>, Vec<_>) = ends.iter().map(|p| (-p[0], -p[1])).unzip();
    let (mut wall_category, mut wall_mask) = ([16; 100], [0; 100]);
    for i in [3, 50] {
        (wall_category[i], wall_mask[i]) = (8, 8 | 4);
    }
    for backend in BACKENDS {
        for threads in [1, 3] {
            for (limit, enough) in [(9, true), (8, false), (2, false)] {
                let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let mut detector = Detector::new(config.with_contact_limit(limit)).unwrap();
                let mut contacts = Contacts::new();
                detector.set_segments(Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
                detector.set_segment_filters(Filters { category: &wall_category, mask: &wall_mask }).unwrap();
                let filters = Filters { category: &category, mask: &mask };
                let result = detector.detect_filtered(circles, filters, &mut contacts);
                let counts =
                    [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()];
                if enough {
                    assert_eq!((result, counts), (Ok(()), [6, 2, 1]));
                } else {
                    assert_eq!((result, counts), (Err(Error::TooManyContacts { limit }), [0; 3]));
                }
            }
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let mut detector = Detector::new(DetectorConfig::default()).unwrap();
    let mut contacts = Contacts::new();
    let cross = Segments { x0: &[-1.0, 0.0], y0: &[0.0, -1.0], x1: &[1.0, 0.0], y1: &[0.0, 1.0] };
    detector.set_segments(cross).unwrap();
    detector.set_segment_filters(Filters { category: &[2, 4], mask: &[] }).unwrap();
    let circles = Circles { x: &[0.0], y: &[0.0], radius: &[1.0] };
    let mut detect = |detector: &mut Detector, filters: Filters<'_>| {
        let result = detector.detect_filtered(circles, filters, &mut contacts);
        (result, contacts.circle_segment().len(), contacts.segment_segment().len())
    };
    // A circle asks for the first, which asks for it. The two ask for each other.
    let first = Filters { category: &[], mask: &[2] };
    assert_eq!(detect(&mut detector, first), (Ok(()), 1, 1));
    let wrong = |kind, field, length, expected| Err(Error::ColumnLength { kind, field, length, expected });
    for bad in [&[1][..], &[1, 2, 3]] {
        let length = bad.len();
        let result = detector.set_segment_filters(Filters { category: bad, mask: &[] });
        assert_eq!(result, wrong(Kind::Segment, "category", length, 2));
        let result = detector.set_segment_filters(Filters { category: &[0, 0], mask: bad });
        assert_eq!(result, wrong(Kind::Segment, "mask", length, 2));
    }
    // What was refused has changed nothing.
    assert_eq!(detect(&mut detector, first), (Ok(()), 1, 1));
    let two = Filters { category: &[1, 1], mask: &[] };
    assert_eq!(detect(&mut detector, two), (wrong(Kind::Circle, "category", 2, 1), 1, 1));
    // Filters belong to rows: they outlive a replaced range, not a new set.
    detector.replace_segments(0..2, cross).unwrap();
    assert_eq!(detect(&mut detector, first), (Ok(()), 1, 1));
    detector.set_segments(cross).unwrap();
    assert_eq!(detect(&mut detector, first), (Ok(()), 0, 1));

    let mut w = World::new(WorldConfig::default()).unwrap();
    w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let before = w.state_hash();
    let circles = CircleBodies { x: &[0.0; 2], y: &[0.0; 2], radius: &[1.0; 2], ..Default::default() };
    assert_eq!(w.add_circles(CircleBodies { mask: &[1], ..circles }).err(), wrong(Kind::Circle, "mask", 1, 2).err());
    let walls = SegmentBodies { x0: &[0.0], y0: &[0.0], x1: &[1.0], y1: &[0.0], ..Default::default() };
    let result = w.add_segments(SegmentBodies { sensor: &[true; 3], ..walls });
    assert_eq!(result.err(), wrong(Kind::Segment, "sensor", 3, 1).err());
    let result = w.add_segments(SegmentBodies { user_data: &[1; 2], ..walls });
    assert_eq!(result.err(), wrong(Kind::Segment, "user_data", 2, 1).err());
    assert_eq!((w.state_hash(), w.circles().len(), w.segments().len()), (before, 1, 0));
}

/// A world of a scene, with filters; a third of the segments move, at speed 0.
fn world(config: WorldConfig, scene: &Columns, circles: &Drawn, segments: &Drawn, bulk: bool) -> World {
    let mut world = World::new(config).unwrap();
    if bulk {
        let (Circles { x, y, radius }, Filters { category, mask }) = (scene.circles(), circles.columns());
        world.add_circles(CircleBodies { x, y, radius, category, mask, ..Default::default() }).unwrap();
    } else {
        for i in 0..scene.x.len() {
            let filter = Filter::new(circles.category[i], circles.mask[i]);
            world.add_circle(scene.circle(i).with_filter(filter)).unwrap();
        }
    }
    for i in 0..scene.x0.len() {
        let wall = scene.segment(i).with_filter(Filter::new(segments.category[i], segments.mask[i]));
        world.add_segment(if i % 3 == 0 { wall.with_velocity([0.0, 0.0]) } else { wall }).unwrap();
    }
    world
}

#[test]
fn worlds_with_capsules_and_moving_segments_equal_brute_force() {
    for flavour in &FLAVOURS {
        for seed in 0..seeds(12) {
            let scene = flavours::make(flavour, 7900 + seed, 50 + seed as usize, 24, true);
            let mut rng = Rng::new(900 + seed);
            let draw = |rng: &mut Rng| (Drawn::new(rng, scene.x.len()), Drawn::new(rng, scene.x0.len()));
            let (brute, rounds) = (Sets::brute(&scene), [draw(&mut rng), draw(&mut rng)]);
            let mut records = Vec::new();
            for (backend, threads) in [(Backend::Wide, 1), (Backend::Scalar, 1), (Backend::Wide, 1 + seed as usize % 8)]
            {
                let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let config = config.with_joints(false);
                let (circles, segments) = &rounds[0];
                let mut world = world(config, &scene, circles, segments, seed % 2 == 0);
                let mut record = Vec::new();
                // Once with the filters they came with, once with others, by hand.
                for (round, (circles, segments)) in rounds.iter().enumerate() {
                    let what = format!("{} {seed}, {backend:?} {threads}, round {round}", flavour.0);
                    if round > 0 {
                        for &handle in &world.circles().handles().to_vec() {
                            let i = handle.index() as usize;
                            world.set_circle_filter(handle, Filter::new(circles.category[i], circles.mask[i])).unwrap();
                        }
                        for &handle in &world.segments().handles().to_vec() {
                            let i = handle.index() as usize;
                            let filter = Filter::new(segments.category[i], segments.mask[i]);
                            world.set_segment_filter(handle, filter).unwrap();
                        }
                    }
                    world.step(0.0).unwrap();
                    Sets::of_world(&world).assert_equal(&left(&brute, circles, segments), &what);
                    for (row, handle) in world.circles().handles().iter().enumerate() {
                        let i = handle.index() as usize;
                        let column = (world.circles().category()[row], world.circles().mask()[row]);
                        assert_eq!(column, (circles.category[i], circles.mask[i]), "{what}");
                        assert_eq!(world.circle(*handle).unwrap().filter, Filter::new(column.0, column.1), "{what}");
                    }
                    record.push((bytes(world.contacts()), world.state_hash(), world.events().to_vec()));
                }
                records.push(record);
            }
            assert!(records.iter().all(|record| record == &records[0]), "{} {seed}: other bytes", flavour.0);
        }
    }
}

#[test]
fn questions_see_other_filters_at_once_also_beside_segments_of_a_call() {
    use gridlane::{Frame, Ray, Target};
    let lift = [Segment::new([20.0, -1.0], [20.0, 1.0])];
    for (moving, own) in [(false, false), (true, false), (true, true)] {
        let mut detector = Detector::new(DetectorConfig::default()).unwrap();
        detector.set_segments(&[Segment::new([5.0, -1.0], [5.0, 1.0])]).unwrap();
        let circles = Circles { x: &[0.0], y: &[50.0], radius: &[0.5] };
        let frame = if moving { Frame::new(circles).with_moving(&lift) } else { Frame::new(circles) };
        let of_lift = Filters { category: &[1 << 20], mask: &[] };
        detector.set_frame(if own { frame.with_moving_filters(of_lift) } else { frame }).unwrap();
        let first = |detector: &Detector, mask: u32| {
            let filter = QueryFilter::new().with_filter(Filter::new(u32::MAX, mask));
            let hit = detector.cast_ray(Ray::new([0.0, 0.0], [1.0, 0.0]), filter).unwrap();
            hit.map_or(Target::NOTHING, |hit| hit.target)
        };
        let behind = if moving { Target::segment(1) } else { Target::NOTHING };
        assert_eq!(first(&detector, !2), Target::segment(0));
        detector.set_segment_filters(Filters { category: &[2], mask: &[] }).unwrap();
        assert_eq!((first(&detector, !2), first(&detector, 2)), (behind, Target::segment(0)));
        // The other one keeps its own.
        assert_eq!(first(&detector, !(2 | 1 << 20)), if own { Target::NOTHING } else { behind });
        detector.set_segment_filters(Filters::default()).unwrap();
        assert_eq!(first(&detector, !2), Target::segment(0));
        assert!(!own || first(&detector, 1 << 20) == behind);
    }
}
