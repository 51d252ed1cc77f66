//! Promise: scenes made to hurt get right answers, the same bytes from every backend and number of threads, in bounded memory.
//!
//! The scenes of `benches/hostile.rs`, small.

use crate::common::hostile_scenes::HOSTILE;
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{Backend, Contacts, Detector, DetectorConfig, Error, Threads};
use std::time::{Duration, Instant};

/// Nothing here may take longer; what each takes is far below, on any machine.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 10 });

fn detect(scene: &Columns, backend: Backend, threads: usize, limit: usize) -> (Result<(), Error>, Contacts, usize) {
    let config =
        DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads)).with_contact_limit(limit);
    let (mut detector, mut contacts) = (Detector::new(config).unwrap(), Contacts::new());
    let start = Instant::now();
    detector.set_segments(scene.segments()).unwrap();
    let result = detector.detect(scene.circles(), &mut contacts);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    (result, contacts, detector.bytes())
}

#[test]
fn every_scene_is_answered_right_by_every_backend() {
    for hostile in HOSTILE {
        let scene = (hostile.make)(700);
        let expected = Sets::swept(&scene);
        let mut first: Option<Vec<u8>> = None;
        for (backend, threads) in [(Backend::Scalar, 1), (Backend::Wide, 1), (Backend::Wide, 3)] {
            let what = format!("{}, {backend:?}, {threads}", hostile.name);
            let (result, contacts, _) = detect(&scene, backend, threads, 1 << 26);
            assert_eq!(result, Ok(()), "{what}");
            assert_sound(&contacts, &what);
            Sets::reported(&contacts, &what).assert_equal(&expected, &what);
            let bytes = bytes(&contacts);
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{what}");
        }
    }
}

#[test]
fn memory_is_bounded_by_bodies_and_the_limit() {
    const LIMIT: usize = 5_000;
    for hostile in HOSTILE {
        let scene = (hostile.make)(5_000);
        let (result, contacts, held) = detect(&scene, Backend::Wide, 1, LIMIT);
        let bodies = scene.x.len() + scene.x0.len();
        // 400 bytes a body and a contact; and lists, of which each may hold 65 536 pairs of 8 bytes before it counts: here 12.5
        // million candidates would be 100 MB.
        let most = 400 * (bodies + LIMIT) + (16 << 20);
        assert!(held + contacts.bytes() < most, "{}: {held} bytes", hostile.name);
        match hostile.limit {
            Some(_) => assert_eq!(result, Err(Error::TooManyContacts { limit: LIMIT }), "{}", hostile.name),
            None => {
                assert!(matches!(result, Ok(()) | Err(Error::TooManyContacts { .. })), "{}: {result:?}", hostile.name);
                assert!(result.is_ok() || contacts.is_empty(), "{}", hostile.name);
            }
        }
    }
}

/// Cause, each: bodies far smaller than the cells of their level, all in one of them, so that every pair was a candidate. Then these
/// took half a minute and more.
#[test]
fn what_was_quadratic_costs_its_bodies_and_pairs() {
    for (name, size) in [
        ("points in one cell of a large circle's", 400_000),
        ("sizes over the whole range", 50_000),
        ("segments over the whole range of lengths", 200_000),
    ] {
        let hostile = HOSTILE.iter().find(|hostile| hostile.name == name).unwrap();
        let scene = (hostile.make)(if cfg!(debug_assertions) { size / 20 } else { size });
        assert_eq!(detect(&scene, Backend::Wide, 1, 1 << 26).0, Ok(()), "{name}");
    }
}
