//! Segment pairs of the scenes have the counts of the shared definition (closed sets; exact arithmetic), whatever runs them.

#[path = "../benches/common/maps.rs"]
mod maps;

use crate::common::scenes;
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{
    Backend, Circles, Contacts, Detector, DetectorConfig, Error, Filters, Frame, Kind, PairLists, SegmentClass,
    Segments, Threads,
};

/// Scene, crossings, touches. No scene has two segments on one line.
const COUNTS: [(&str, usize, usize); 4] =
    [("soup-100k", 9_638, 0), ("city-100k", 46_933, 5), ("gas-100k", 4_324, 4), ("mixed-100k", 25_756, 4)];

#[test]
fn scenes_have_their_segment_pairs_on_every_backend_and_any_threads() {
    for (name, cross, touch) in COUNTS {
        let scene = scenes::scene(name).expect(name);
        let mut first = None;
        for (backend, threads) in [(Backend::Wide, 1), (Backend::Wide, 2), (Backend::Wide, 3), (Backend::Scalar, 1)] {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            let mut detector = Detector::new(config).expect("a valid configuration");
            let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
            detector.set_segments(segments).expect("finite");
            let mut contacts = Contacts::default();
            detector.detect(Circles::default(), &mut contacts).expect("below the limit");
            let found = contacts.segment_segment();
            let of = |class: SegmentClass| found.iter().filter(|c| c.class == class).count();
            assert_eq!((of(SegmentClass::Cross), of(SegmentClass::Touch)), (cross, touch), "{name}");
            assert_eq!(found.len(), cross + touch, "{name}");
            let bytes: Vec<u8> = bytemuck::cast_slice(found).to_vec();
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{name}: {backend:?}, {threads} threads");
        }
    }
}

/// Half a million segments of a coast among walls 19 000 times as long as most of them, or a part of it without optimisation.
#[test]
fn a_large_map_has_the_pairs_of_brute_force() {
    let mut scene = Columns::from(maps::coast_with_walls());
    let (count, walls) = (maps::LARGE.0, 60);
    assert_eq!(scene.x0.len(), count);
    if cfg!(debug_assertions) {
        for column in [&mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1, &mut scene.wall_radius] {
            column.drain(40_000..count - walls);
        }
    }
    let expected = Sets::swept(&scene);
    let cross = expected.segment_segment.iter().filter(|pair| pair.2 == "cross").count();
    // Shores are closed but for the one that is cut off.
    let touch = expected.segment_segment.len() - cross;
    assert!(touch + 1 >= scene.x0.len() - walls && cross > 200, "{touch} {cross}");
    let mut first = None;
    for (backend, threads) in [(Backend::Wide, 1), (Backend::Wide, 3), (Backend::Scalar, 2)] {
        let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
        let (mut detector, mut contacts) = (Detector::new(config).expect("valid"), Contacts::new());
        detector.set_segments(scene.segments()).expect("finite");
        detector.detect(Frame::default(), &mut contacts).expect("below the limit");
        let what = format!("{backend:?}, {threads}");
        assert_sound(&contacts, &what);
        Sets::reported(&contacts, &what).assert_equal(&expected, &what);
        let bytes = bytes(&contacts);
        assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "{what}: other bytes");
    }
}

/// Columns so long that several threads look at them: the first column that is wrong is told, its first row, and nothing is changed.
#[test]
fn a_fault_in_a_large_map_changes_nothing() {
    const COUNT: usize = 70_000;
    // One behind the other along a line.
    let (x, zero): (Vec<f32>, Vec<f32>) = ((0..=COUNT).map(|k| k as f32).collect(), vec![0.0; COUNT]);
    let good = Segments { x0: &x[..COUNT], y0: &zero, x1: &x[1..], y1: &zero };
    let (mut x1, mut y1) = (x[1..].to_vec(), zero.clone());
    y1[3] = f32::NAN;
    (x1[COUNT - 2], x1[COUNT - 1]) = (f32::INFINITY, f32::NAN);
    for threads in [1, 2, 3] {
        let config = DetectorConfig::default().with_threads(Threads::Fixed(threads));
        let (mut detector, mut contacts) = (Detector::new(config).expect("valid"), Contacts::new());
        detector.set_segments(good).expect("finite");
        let wrong = detector.set_segments(Segments { x1: &x1, y1: &y1, ..good });
        let (kind, field, value) = (Kind::Segment, "x1", f32::INFINITY);
        assert_eq!(wrong, Err(Error::NotFinite { kind, row: COUNT - 2, field, value }), "{threads}");
        assert_eq!(detector.segments(), COUNT);
        detector.detect(Frame::default(), &mut contacts).expect("below the limit");
        let pairs: Vec<(u32, u32)> = contacts.segment_segment().iter().map(|c| (c.a, c.b)).collect();
        assert!(pairs.len() == COUNT - 1 && (0..).zip(&pairs).all(|(k, &pair)| pair == (k, k + 1)), "{threads}");
    }
}

/// Pairs of static segments are kept in one place, and found there, or not, whatever was asked for before.
#[test]
fn pairs_that_stay_are_the_same_in_every_place() {
    let scene = scenes::scene("gas-10k").expect("a built-in scene");
    let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
    // Every third meets nothing.
    let mask: Vec<u32> = (0..scene.x0.len()).map(|row| if row % 3 == 0 { 0 } else { u32::MAX }).collect();
    let filters = [Filters::default(), Filters { category: &[], mask: &mask }];
    let [all, some] = filters.map(|filters| {
        let (mut detector, mut contacts) = (Detector::new(DetectorConfig::default()).expect("valid"), Contacts::new());
        detector.set_segments(segments).expect("finite");
        detector.set_segment_filters(filters).expect("as long");
        detector.detect(Circles::default(), &mut contacts).expect("below the limit");
        bytes(&contacts)
    });
    assert!(some.len() > 1000 && some.len() < all.len());
    let mut detector = Detector::new(DetectorConfig::default()).expect("valid");
    let (mut places, mut pairs) = ([(); 3].map(|()| Contacts::new()), PairLists::new());
    detector.set_segments(segments).expect("finite");
    // Which place is asked for, and when filters change: places that hold what was and what was before that come up, too.
    for (step, place) in [0, 1, 0, 2, 2, 1, 0, 0, 2, 1, 1, 0, 2].into_iter().enumerate() {
        let filtered = step / 3 % 2;
        if step % 3 == 0 {
            detector.set_segment_filters(filters[filtered]).expect("as long");
        }
        if step % 4 == 1 {
            detector.pairs(Circles::default(), &mut pairs).expect("below the limit");
        }
        detector.detect(Circles::default(), &mut places[place]).expect("below the limit");
        let expected = [&all, &some][filtered];
        assert!(&bytes(&places[place]) == expected, "step {step}");
        let rows: Vec<[u32; 2]> = places[place].segment_segment().iter().map(|c| [c.a, c.b]).collect();
        assert!(step % 4 != 1 || pairs.segment_segment() == rows, "step {step}");
    }
}
