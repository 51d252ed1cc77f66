//! Promise: what the grids report is what brute force finds: each touching pair once, no other, on every kind of scene, for
//! every backend, number of threads and size of cell.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use crate::common::{counts, scenes};
use gridlane::geometry::{self, SegmentRelation};
use gridlane::{
    Backend, CellSize, CircleBodies, Circles, Contacts, Detector, DetectorConfig, PairKinds, SegmentClass,
    SegmentSegmentContact, Segments, Threads, World, WorldConfig,
};

const BACKENDS: [Backend; 2] = [Backend::Wide, Backend::Scalar];
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Fewer seeds without optimisation.
fn seeds(most: u64) -> u64 {
    if cfg!(debug_assertions) { most / 6 } else { most }
}

fn detector(config: DetectorConfig) -> Detector {
    Detector::new(config).unwrap()
}

/// A detector of each backend and number of threads, each with its own buffers: all are used again and again, so that
/// what one scene leaves behind meets the next.
fn detectors() -> Vec<(String, Detector, Contacts)> {
    let mut all = Vec::new();
    for backend in BACKENDS {
        for threads in THREADS {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            all.push((format!("{backend:?} {threads}"), detector(config), Contacts::new()));
        }
    }
    all
}

fn detect(detector: &mut Detector, scene: &Columns, contacts: &mut Contacts) {
    detector.set_segments(scene.segments()).unwrap();
    detector.detect(scene.circles(), contacts).unwrap();
}

/// One scene through all detectors: the set of brute force, and the same bytes from all.
fn check(all: &mut [(String, Detector, Contacts)], scene: &Columns, expected: &Sets, what: &str) {
    let mut first: Option<Vec<u8>> = None;
    for (name, detector, contacts) in all {
        let what = format!("{what}, {name}");
        detect(detector, scene, contacts);
        assert_sound(contacts, &what);
        let found = Sets::reported(contacts, &what);
        found.assert_equal(expected, &what);
        let bytes = bytes(contacts);
        assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "{what}: other bytes");
    }
}

#[test]
fn small_scenes_of_every_flavour_equal_brute_force() {
    let mut all = detectors();
    let mut found = [0; 3];
    for flavour in &FLAVOURS {
        for seed in 0..seeds(30) {
            let scene = flavours::make(flavour, seed, 60 + seed as usize * 3, 24 + seed as usize, false);
            let expected = Sets::brute(&scene);
            found = [0, 1, 2].map(|kind| found[kind] + expected.counts()[kind]);
            check(&mut all, &scene, &expected, &format!("{} {seed}", flavour.0));
        }
    }
    // Scenes without pairs would agree with anything.
    assert!(found.iter().all(|&n| n > 10_000 / (30 / seeds(30) as usize)), "{found:?}");
}

#[test]
fn tiny_worlds_equal_brute_force() {
    // Those that choose cells put all into one; others do not.
    let (mut all, cell) = (detectors(), CellSize::Fixed(0.7));
    let mut fixed = vec![("cells".into(), detector(DetectorConfig::default().with_cell_size(cell)), Contacts::new())];
    for flavour in &FLAVOURS {
        for seed in 0..seeds(30) {
            let (circles, segments) = (seed as usize * 7 % 21, seed as usize * 5 % 12);
            let scene = flavours::make(flavour, 300 + seed, circles, segments, false);
            for all in [&mut all, &mut fixed] {
                check(all, &scene, &Sets::brute(&scene), &format!("{} {seed}", flavour.0));
            }
        }
    }
}

/// Towns where the cells of a torus begin to grow, 2^17 cells from where they are counted from, at the ends of one or both axes. The first in memory
/// are no farther out, the others are.
#[test]
fn towns_where_cells_begin_to_grow_equal_brute_force() {
    let (cell, mut all) = (CellSize::Fixed(1.25), detectors());
    let mut fixed = vec![("cells".into(), detector(DetectorConfig::default().with_cell_size(cell)), Contacts::new())];
    for seed in 0..seeds(60) {
        let mut rng = scenes::Rng::new(seed);
        let mut pick = |count: u32| rng.range(0.0, f64::from(count)) as usize;
        let mut scene = Columns::default();
        for k in 0..900 {
            // On a lattice of halves, about one of the towns; on one axis all within eight where that is asked for.
            let mut point = [0, 1].map(|axis| {
                let near = k < 600;
                let town = [0.0, 0.0, 0.0, -1.0, 1.0, -2.0, 2.0][pick(if near { 4 } else { 7 })] * 131_072.0 * 1.25;
                let place = (pick(40) as f32 - if near { 0.0 } else { 20.0 }) * 0.5;
                if seed % 3 == axis { place * 0.4 } else { town + place }
            });
            if k % 9 > 0 {
                scene.push_circle(point, [0.5, 0.25][pick(2)]);
            } else {
                let start = point;
                point.iter_mut().for_each(|v| *v += pick(9) as f32 - 4.0);
                scene.push_segment(start, point);
            }
        }
        let expected = Sets::brute(&scene);
        assert!(expected.counts().iter().all(|&count| count > 0), "{seed}");
        for all in [&mut all, &mut fixed] {
            check(all, &scene, &expected, &format!("towns {seed}"));
        }
    }
}

/// Few circles share one cell, are held against each other, and against few walls all or many by bands: on both sides of where either begins.
#[test]
fn few_circles_among_any_number_of_walls_equal_brute_force() {
    let mut all = detectors();
    let (mut found, mut scenes) = ([0; 3], 0);
    for (k, circles) in [1, 2, 7, 8, 9, 31, 33, 63, 64, 65].into_iter().enumerate() {
        for (j, walls) in [1, 2, 3, 17, 47, 48, 49, 64, 65, 130].into_iter().enumerate() {
            for flavour in FLAVOURS.iter().skip((k + j) % 4).step_by(if cfg!(debug_assertions) { 9 } else { 4 }) {
                let scene = flavours::make(flavour, (10 * k + j) as u64 + 5000, circles, walls, false);
                let expected = Sets::brute(&scene);
                found = [0, 1, 2].map(|kind| found[kind] + expected.counts()[kind]);
                check(&mut all, &scene, &expected, &format!("{} {circles} {walls}", flavour.0));
                scenes += 1;
                let (contacts, few) = (&all[0].2, scene.x.len() <= 64);
                let pairs = contacts.circle_circle().iter().map(|c| (c.a, c.b));
                assert!(!few || pairs.is_sorted(), "{} {circles} {walls}: not as they came", flavour.0);
                let pairs = contacts.circle_segment().iter().map(|c| (c.b, c.a));
                assert!(!few || pairs.is_sorted(), "{} {circles} {walls}: not as they came", flavour.0);
            }
        }
    }
    assert!(found[0] > 20 * scenes && found[1] > 20 * scenes, "{found:?} in {scenes}");
}

#[test]
fn every_cell_size_gives_the_same_sets() {
    for cell in [f32::from_bits(1), 1e-30, 1e-3, 0.3, 1.0, 7.0, 1e4, 1e20, f32::MAX] {
        let mut contacts = Contacts::new();
        let config = DetectorConfig::default().with_cell_size(CellSize::Fixed(cell));
        let mut detector = detector(config);
        for flavour in &FLAVOURS {
            for seed in 0..seeds(12) {
                let scene = flavours::make(flavour, 600 + seed, 80, 30, false);
                let what = format!("{} {seed}, cell {cell:e}", flavour.0);
                detect(&mut detector, &scene, &mut contacts);
                Sets::reported(&contacts, &what).assert_equal(&Sets::brute(&scene), &what);
            }
        }
    }
}

#[test]
fn worlds_with_capsules_and_moving_segments_equal_brute_force() {
    for flavour in &FLAVOURS {
        for seed in 0..seeds(30) {
            let walls = if seed % 3 == 2 { 100 + 2 * seed as usize } else { 24 };
            let scene = flavours::make(flavour, 900 + seed, 50 + seed as usize, walls, true);
            let expected = Sets::brute(&scene);
            let config = WorldConfig::default()
                .with_backend(BACKENDS[seed as usize % 2])
                .with_threads(Threads::Fixed(THREADS[seed as usize / 2 % 4]));
            let mut world = World::new(config).unwrap();
            let Circles { x, y, radius } = scene.circles();
            world.add_circles(CircleBodies { x, y, radius, ..Default::default() }).unwrap();
            for i in 0..scene.x0.len() {
                // A third of the segments move, at speed 0: they are binned at each step.
                let wall = scene.segment(i);
                if i % 3 == 0 {
                    world.add_segment(wall.with_velocity([0.0, 0.0])).unwrap();
                } else {
                    world.add_segment(wall).unwrap();
                }
            }
            // The second time rows are in cell order, and what static segments need has been kept.
            for round in 0..2 {
                let what = format!("{} {seed}, round {round}", flavour.0);
                world.detect().unwrap();
                assert_sound(world.contacts(), &what);
                // Once each and a < b by rows; then by handles.
                Sets::reported(world.contacts(), &what);
                Sets::of_world(&world).assert_equal(&expected, &what);
            }
        }
    }
}

#[test]
fn pairs_of_segments_carry_the_values_of_the_pairwise_function() {
    let (mut detector, mut contacts) = (detector(DetectorConfig::default()), Contacts::new());
    let mut classes = [0; 3];
    for flavour in &FLAVOURS {
        for seed in 0..seeds(30) {
            let scene = flavours::make(flavour, 1200 + seed, 5, 60, false);
            detect(&mut detector, &scene, &mut contacts);
            for c in contacts.segment_segment() {
                let (a, b) = (scene.segment(c.a as usize), scene.segment(c.b as usize));
                let same = |class, point, t: f32, u: f32| {
                    *c == SegmentSegmentContact { a: c.a, b: c.b, class, point, t, u, to: point }
                };
                let (is_same, class) = match geometry::segment_segment(a, b) {
                    SegmentRelation::Cross { point, t, u } => (same(SegmentClass::Cross, point, t, u), 0),
                    SegmentRelation::Touch { point, t, u } => (same(SegmentClass::Touch, point, t, u), 1),
                    SegmentRelation::Overlap { from, to } => {
                        (c.class == SegmentClass::Overlap && (c.point, c.to) == (from, to), 2)
                    }
                    SegmentRelation::Disjoint => (false, 0),
                };
                assert!(is_same, "{} {seed}: {c:?} {a:?} {b:?}", flavour.0);
                classes[class] += 1;
            }
        }
    }
    assert!(classes.iter().all(|&n| n > 500 / (30 / seeds(30))), "{classes:?}");
}

#[test]
fn kinds_that_are_not_looked_for_are_absent_and_the_others_unchanged() {
    let scene = flavours::make(&FLAVOURS[0], 1, 300, 100, false);
    let expected = Sets::brute(&scene);
    for bits in 0..8 {
        let [circle_circle, circle_segment, segment_segment] = [1, 2, 4].map(|bit| bits & bit != 0);
        let kinds = PairKinds { circle_circle, circle_segment, segment_segment };
        let mut contacts = Contacts::new();
        detect(&mut detector(DetectorConfig::default().with_pair_kinds(kinds)), &scene, &mut contacts);
        let mut expected = expected.clone();
        if !circle_circle {
            expected.circle_circle.clear();
        }
        if !circle_segment {
            expected.circle_segment.clear();
        }
        if !segment_segment {
            expected.segment_segment.clear();
        }
        assert_eq!(Sets::reported(&contacts, "kinds"), expected, "{kinds:?}");
    }
}

#[test]
fn replaced_segments_are_found_where_they_are_now() {
    let mut detector = detector(DetectorConfig::default());
    let mut contacts = Contacts::new();
    for flavour in &FLAVOURS {
        let mut scene = flavours::make(flavour, 40, 60, 30, false);
        let other = flavours::make(flavour, 41, 0, 40, false);
        detect(&mut detector, &scene, &mut contacts);
        let count = scene.x0.len();
        assert!(count <= other.x0.len());
        for rows in [0..count / 3, count / 2..count, 0..0, 0..count] {
            let Segments { x0, y0, x1, y1 } = other.segments();
            let cut = |column: &'_ [f32]| column[..rows.len()].to_vec();
            let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(cut);
            detector.replace_segments(rows.clone(), Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
            scene.x0[rows.clone()].copy_from_slice(&x0);
            scene.y0[rows.clone()].copy_from_slice(&y0);
            scene.x1[rows.clone()].copy_from_slice(&x1);
            scene.y1[rows.clone()].copy_from_slice(&y1);
            detector.detect(scene.circles(), &mut contacts).unwrap();
            let what = format!("{}, rows {rows:?}", flavour.0);
            Sets::reported(&contacts, &what).assert_equal(&Sets::brute(&scene), &what);
        }
    }
}

#[test]
fn the_sweep_of_large_scenes_equals_brute_force() {
    for flavour in &FLAVOURS {
        for seed in 0..seeds(12) {
            let scene = flavours::make(flavour, 1500 + seed, 70, 30, seed % 2 == 0);
            Sets::swept(&scene).assert_equal(&Sets::brute(&scene), flavour.0);
        }
    }
}

#[test]
fn every_scene_has_its_published_counts_and_the_pairs_of_the_sweep() {
    for (name, counts) in counts::KNOWN {
        if cfg!(debug_assertions) && name == "gas-1m" {
            continue;
        }
        let scene = Columns::from(scenes::scene(name).unwrap());
        // A sweep along x has a thousand neighbours a body there, so only the counts are asked of it.
        let expected = (name != "gas-1m" && !cfg!(debug_assertions)).then(|| Sets::swept(&scene));
        let mut first: Option<(Vec<u8>, Sets)> = None;
        for backend in BACKENDS {
            for threads in [1, 2] {
                let what = format!("{name}, {backend:?} {threads}");
                let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let mut contacts = Contacts::new();
                detect(&mut detector(config), &scene, &mut contacts);
                let bytes = bytes(&contacts);
                if let Some(first) = &first {
                    assert!(first.0 == bytes, "{what}: other bytes");
                    continue;
                }
                assert_sound(&contacts, &what);
                let found = Sets::reported(&contacts, &what);
                assert_eq!(found.counts(), counts, "{what}");
                if let Some(expected) = &expected {
                    assert_eq!(expected.counts(), counts, "{what}, swept");
                    found.assert_equal(expected, &what);
                }
                first = Some((bytes, found));
            }
        }
    }
}

#[test]
fn other_seeds_of_the_scenes_equal_the_sweep() {
    let mut all = detectors();
    for seed in 1..=2 {
        for name in ["gas-1k", "gas-10k"] {
            let scene = Columns::from(scenes::seeded(name, seed).unwrap());
            let expected = Sets::swept(&scene);
            check(&mut all, &scene, &expected, &format!("{name}, seed {seed}"));
        }
    }
}
