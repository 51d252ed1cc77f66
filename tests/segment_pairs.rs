//! Segment pairs of the scenes have the counts of the shared definition (closed sets; exact arithmetic), whatever runs them.

#[path = "../src/bin/gridlane/scenes.rs"]
mod scenes;

use gridlane::{Backend, Circles, Contacts, Detector, DetectorConfig, SegmentClass, Segments, Threads};

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
