//! Promise: neighbour lists hold, for each circle, all others within a margin of touching it, as exact arithmetic decides it: each pair
//! from both sides, ascending, for every backend and number of threads.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::scenes::Rng;
use crate::common::truth::Columns;
use dashu_ratio::Relaxed;
use gridlane::{
    Backend, CellSize, CircleColumns, Circles, Contacts, Detector, DetectorConfig, Error, Filters, Kind, Neighbors,
    PairKinds, Threads, geometry,
};

/// Fewer seeds without optimisation.
fn seeds(most: u64) -> u64 {
    if cfg!(debug_assertions) { most.div_ceil(6) } else { most }
}

/// |c2 - c1|² <= (r1 + r2 + margin)², in rational numbers.
fn near(scene: &Columns, a: usize, b: usize, margin: f32) -> bool {
    let q = |v: f32| Relaxed::try_from(v).unwrap();
    let (dx, dy) = (q(scene.x[a]) - q(scene.x[b]), q(scene.y[a]) - q(scene.y[b]));
    let reach = q(scene.radius[a]) + q(scene.radius[b]) + q(margin);
    &dx * &dx + &dy * &dy <= &reach * &reach
}

fn brute(scene: &Columns, near: impl Fn(usize, usize) -> bool) -> Vec<Vec<u32>> {
    let n = scene.x.len();
    (0..n).map(|a| (0..n).filter(|&b| b != a && near(a, b)).map(|b| b as u32).collect()).collect()
}

fn lists(neighbors: &Neighbors) -> Vec<Vec<u32>> {
    let offsets = neighbors.offsets();
    assert_eq!((offsets[0], offsets.len()), (0, neighbors.len() + 1));
    assert_eq!(*offsets.last().unwrap() as usize, neighbors.rows().len());
    (0..neighbors.len())
        .map(|row| {
            let list = &neighbors.rows()[offsets[row] as usize..offsets[row + 1] as usize];
            assert_eq!(list, neighbors.of(row));
            list.to_vec()
        })
        .collect()
}

fn detectors() -> Vec<(String, Detector, Neighbors)> {
    let mut all = Vec::new();
    for backend in [Backend::Wide, Backend::Scalar] {
        for threads in [1, 2, 3] {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            all.push((format!("{backend:?} {threads}"), Detector::new(config).unwrap(), Neighbors::new()));
        }
    }
    all
}

#[test]
fn lists_are_those_of_exact_arithmetic() {
    let mut all = detectors();
    let mut found = 0;
    for flavour in &FLAVOURS {
        for seed in 0..seeds(6) {
            let scene = flavours::make(flavour, 8100 + seed, 26, 3, false);
            let largest = scene.radius.iter().fold(f32::MIN_POSITIVE, |most, &r| if r > most { r } else { most });
            for margin in [0.0, largest, largest * 0.125, f32::from_bits(1), scene.radius[1], largest * 3e-8] {
                let expected = brute(&scene, |a, b| near(&scene, a, b, margin));
                found += expected.iter().map(Vec::len).sum::<usize>();
                for (name, detector, neighbors) in &mut all {
                    detector.neighbors(scene.circles(), margin, neighbors).unwrap();
                    assert_eq!(lists(neighbors), expected, "{} {seed}, margin {margin:e}, {name}", flavour.0);
                }
            }
        }
    }
    assert!(found > 5_000, "{found}");
}

#[test]
fn larger_scenes_with_filters_equal_the_pairwise_function() {
    let mut all = detectors();
    for flavour in &FLAVOURS {
        for seed in 0..seeds(4) {
            let scene = flavours::make(flavour, 8600 + seed, 300, 12, false);
            let mut rng = Rng::new(seed);
            let category: Vec<u32> = (0..scene.x.len()).map(|_| 1 << (rng.bits() % 3)).collect();
            let mask: Vec<u32> = category.iter().map(|category| !category).collect();
            let margin = scene.radius[seed as usize] * 0.75;
            let within = |a: usize, b: usize| geometry::circles_within(scene.circle(a), scene.circle(b), margin);
            let everyone = brute(&scene, within);
            let others = brute(&scene, |a, b| category[a] != category[b] && within(a, b));
            for (name, detector, neighbors) in &mut all {
                let what = format!("{} {seed}, {name}", flavour.0);
                detector.neighbors(scene.circles(), margin, neighbors).unwrap();
                assert!(lists(neighbors) == everyone, "{what}");
                let filters = Filters { category: &category, mask: &mask };
                let frame = gridlane::Frame::from(scene.circles()).with_filters(filters);
                detector.neighbors(frame, margin, neighbors).unwrap();
                assert!(lists(neighbors) == others, "{what}, filtered");
            }
        }
    }
}

#[test]
fn lattices_touch_their_neighbours_exactly() {
    // Points at whole numbers: within 1 four others, within the f32 above √2 all eight, below it four.
    let side = 40;
    let x: Vec<f32> = (0..side * side).map(|k| (k % side) as f32).collect();
    let y: Vec<f32> = (0..side * side).map(|k| (k / side) as f32).collect();
    let points = CircleColumns { x: (&x).into(), y: (&y).into(), radius: 0.0.into() };
    let inside = (side - 2) * (side - 2);
    for (name, mut detector, mut neighbors) in detectors() {
        let mut count = |margin: f32| {
            detector.neighbors(points, margin, &mut neighbors).unwrap();
            let full = |n: usize| lists(&neighbors).iter().filter(|list| list.len() == n).count();
            [full(0), full(4), full(8)]
        };
        assert_eq!(count(1.0f32.next_down()), [side * side, 0, 0], "{name}");
        assert_eq!(count(1.0)[1], inside, "{name}");
        let root = std::f32::consts::SQRT_2; // 1.41421354 < √2 = 1.41421356...
        assert_eq!(count(root)[1], inside, "{name}");
        assert_eq!(count(root.next_up())[2], inside, "{name}");
    }
}

#[test]
fn a_margin_beyond_all_range_makes_all_neighbours_and_none_too_many() {
    let mut scene = Columns::default();
    for (x, y, r) in [
        (f32::MAX, f32::MAX, 0.0),
        (-f32::MAX, -f32::MAX, f32::MAX),
        (0.0, 0.0, 1e-45),
        (1e-45, 0.0, 0.0),
        (1e38, -2e38, 1e38),
        (-3e38, 3e38, 1.0),
        (5.0, 5.0, f32::MAX),
    ] {
        scene.push_circle([x, y], r);
    }
    // Some of ordinary size, so that there are several levels.
    for k in 0..60 {
        scene.push_circle([(k % 8) as f32, (k / 8) as f32], 0.1);
    }
    for margin in [f32::MAX, 3e38, 2e38, 1e38, 1e37, 1e30, 1.0, 0.0] {
        let expected = brute(&scene, |a, b| near(&scene, a, b, margin));
        for (name, mut detector, mut neighbors) in detectors() {
            detector.neighbors(scene.circles(), margin, &mut neighbors).unwrap();
            assert_eq!(lists(&neighbors), expected, "{margin:e}, {name}");
        }
    }
}

#[test]
fn a_reach_beyond_the_range_is_not_cut_at_its_end() {
    // One of the largest radius, 3.55e38 from many points: more than it reaches with half the margin, less than with all of it.
    let mut scene = Columns::default();
    scene.push_circle([1.8e38, 0.0], f32::MAX);
    for k in 0..60 {
        scene.push_circle([-1.75e38, k as f32 * 1e30], 0.0);
    }
    for (margin, all) in [(2e37, true), (1.2e37, false)] {
        let expected = brute(&scene, |a, b| near(&scene, a, b, margin));
        assert_eq!(expected[0].len(), if all { 60 } else { 0 });
        for (name, mut detector, mut neighbors) in detectors() {
            detector.neighbors(scene.circles(), margin, &mut neighbors).unwrap();
            assert_eq!(lists(&neighbors), expected, "{margin:e}, {name}");
        }
    }
}

#[test]
fn what_is_wrong_is_refused_and_the_limit_holds() {
    let circles = Circles { x: &[0.0, 1.0, 2.0], y: &[0.0; 3], radius: &[0.5; 3] };
    let mut detector = Detector::new(DetectorConfig::default().with_contact_limit(2)).unwrap();
    let mut neighbors = Neighbors::new();
    detector.neighbors(circles, 0.0, &mut neighbors).unwrap();
    let before = lists(&neighbors);
    assert_eq!(before, [vec![1], vec![0, 2], vec![1]]);
    for margin in [-1.0, -f32::from_bits(1), f32::NAN, f32::INFINITY] {
        let refused = detector.neighbors(circles, margin, &mut neighbors);
        assert_eq!(refused, Err(Error::Config { field: "margin", expected: "finite, zero or more" }));
        assert_eq!(lists(&neighbors), before);
    }
    let bad = Circles { y: &[0.0, 1.0, f32::NEG_INFINITY], ..circles };
    let refused = Error::NotFinite { kind: Kind::Circle, row: 2, field: "y", value: f32::NEG_INFINITY };
    assert_eq!(detector.neighbors(bad, 0.0, &mut neighbors), Err(refused));
    assert_eq!(lists(&neighbors), before);
    detector.neighbors(circles, -0.0, &mut neighbors).unwrap();
    assert_eq!(lists(&neighbors), before);
    // Three pairs within 1 of touching, one more than the limit.
    assert_eq!(detector.neighbors(circles, 1.0, &mut neighbors), Err(Error::TooManyContacts { limit: 2 }));
    assert!(neighbors.is_empty() && neighbors.offsets() == [0]);
    detector.neighbors(Circles::default(), 1.0, &mut neighbors).unwrap();
    assert!(neighbors.is_empty() && neighbors.rows().is_empty());
}

#[test]
fn a_crowd_is_counted_against_the_limit_exactly() {
    // 400 circles about one place that touch only with the margin: 79 800 pairs, more than are listed before they are counted.
    let n = 400;
    let x: Vec<f32> = (0..n).map(|k| (k as f32) * 1e-3).collect();
    let columns = CircleColumns { x: (&x).into(), y: 0.0.into(), radius: 0.0.into() };
    for (limit, fits) in [(79_799, false), (79_800, true)] {
        for backend in [Backend::Wide, Backend::Scalar] {
            let config = DetectorConfig::default().with_backend(backend).with_contact_limit(limit);
            let mut neighbors = Neighbors::new();
            let outcome = Detector::new(config).unwrap().neighbors(columns, 1.0, &mut neighbors);
            assert_eq!(outcome.is_ok(), fits);
            assert_eq!(neighbors.rows().len(), if fits { n * (n - 1) } else { 0 });
        }
    }
}

#[test]
fn lists_and_contacts_do_not_disturb_each_other() {
    let scene = flavours::make(&FLAVOURS[0], 3, 200, 40, false);
    let kinds = PairKinds { circle_circle: false, circle_segment: true, segment_segment: true };
    for cell in [CellSize::Auto, CellSize::Fixed(0.3)] {
        let config = DetectorConfig::default().with_pair_kinds(kinds).with_cell_size(cell);
        let (mut one, mut other) = (Detector::new(config.clone()).unwrap(), Detector::new(config).unwrap());
        let (mut contacts, mut expected, mut neighbors) = (Contacts::new(), Contacts::new(), Neighbors::new());
        for margin in [0.0, 0.5, 2.0, 0.25] {
            for detector in [&mut one, &mut other] {
                detector.set_segments(scene.segments()).unwrap();
            }
            other.detect(scene.circles(), &mut expected).unwrap();
            one.detect(scene.circles(), &mut contacts).unwrap();
            one.neighbors(scene.circles(), margin, &mut neighbors).unwrap();
            let within = |a: usize, b: usize| geometry::circles_within(scene.circle(a), scene.circle(b), margin);
            assert_eq!(lists(&neighbors), brute(&scene, within), "kinds of pairs are not asked");
            one.detect(scene.circles(), &mut contacts).unwrap();
            assert!(crate::common::truth::bytes(&contacts) == crate::common::truth::bytes(&expected));
        }
    }
}
