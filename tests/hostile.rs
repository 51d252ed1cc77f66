//! Promise: no column makes a detector panic, lie, take memory without bound, or take time beyond the pairs that exist.
//!
//! Worlds are asked the same in `world_hostile.rs`.

use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{
    Backend, CellSize, Circles, Contacts, Detector, DetectorConfig, Error, Kind, PairKinds, Segments, Threads,
};
use std::time::{Duration, Instant};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
const BACKENDS: [Backend; 2] = [Backend::Wide, Backend::Scalar];

/// Nothing here may take longer; what each takes is far below, on any machine.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 10 });

fn detector(config: DetectorConfig) -> Detector {
    Detector::new(config).unwrap()
}

fn default() -> Detector {
    detector(DetectorConfig::default())
}

/// One detection and how long it took; the answer is sound and each pair is there once.
fn timed(detector: &mut Detector, scene: &Columns, what: &str) -> (Contacts, Sets) {
    let start = Instant::now();
    let mut contacts = Contacts::new();
    detector.set_segments(scene.segments()).unwrap();
    detector.detect(scene.circles(), &mut contacts).unwrap();
    let spent = start.elapsed();
    assert!(spent < PATIENCE, "{what}: {spent:?}");
    assert_sound(&contacts, what);
    let found = Sets::reported(&contacts, what);
    (contacts, found)
}

/// `timed` with both backends, one thread and three: the same bytes.
fn both(scene: &Columns, what: &str) -> Sets {
    let mut first: Option<(Vec<u8>, Sets)> = None;
    for backend in BACKENDS {
        for threads in [1, 3] {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            let (contacts, found) = timed(&mut detector(config), scene, what);
            let bytes = bytes(&contacts);
            let first = first.get_or_insert_with(|| (bytes.clone(), found));
            assert!(first.0 == bytes, "{what}, {backend:?} {threads}");
        }
    }
    first.unwrap().1
}

fn circles(count: usize, at: impl Fn(usize) -> ([f32; 2], f32)) -> Columns {
    let mut scene = Columns::default();
    for i in 0..count {
        let (center, radius) = at(i);
        scene.push_circle(center, radius);
    }
    scene
}

/// A detector with two segments, and contacts that hold something: what a refused call must leave alone.
fn warm() -> (Detector, Contacts) {
    let (mut detector, mut contacts) = (default(), Contacts::new());
    let walls = Segments { x0: &[0.0, 0.0], y0: &[0.0, 1.0], x1: &[9.0, 9.0], y1: &[0.0, -1.0] };
    detector.set_segments(walls).unwrap();
    detector.detect(Circles { x: &[0.0, 1.0], y: &[0.0, 0.0], radius: &[1.0; 2] }, &mut contacts).unwrap();
    assert_eq!((contacts.circle_circle().len(), contacts.segment_segment().len()), (1, 1));
    (detector, contacts)
}

#[test]
fn bad_circles_are_named_by_row_and_field_and_change_nothing() {
    let (mut detector, mut contacts) = warm();
    let before = bytes(&contacts);
    for value in BAD {
        for (k, field) in ["x", "y", "radius"].into_iter().enumerate() {
            // Rows at both ends and in every lane.
            for row in [0, 1, 7, 8, 12, 30] {
                let mut columns = [vec![1.0; 31], vec![2.0; 31], vec![0.5; 31]];
                columns[k][row] = value;
                let [x, y, radius] = &columns;
                let error = detector.detect(Circles { x, y, radius }, &mut contacts).unwrap_err();
                let Error::NotFinite { kind: Kind::Circle, row: r, field: f, value: v } = error else {
                    panic!("{error}")
                };
                assert_eq!((r, f, v.to_bits()), (row, field, value.to_bits()));
                assert_eq!(bytes(&contacts), before);
            }
        }
    }
    for value in [-1.0, -f32::MIN_POSITIVE, -f32::from_bits(1), -f32::MAX] {
        let mut radius = vec![0.5; 31];
        radius[17] = value;
        let circles = Circles { x: &[0.0; 31], y: &[0.0; 31], radius: &radius };
        let error = detector.detect(circles, &mut contacts).unwrap_err();
        assert_eq!(error, Error::Negative { kind: Kind::Circle, row: 17, field: "radius", value });
        assert_eq!(bytes(&contacts), before);
    }
    // -0 is zero, not negative.
    detector.detect(Circles { x: &[0.0], y: &[0.0], radius: &[-0.0] }, &mut contacts).unwrap();
    assert_eq!(contacts.circle_segment().len(), 1);
}

#[test]
fn columns_of_different_lengths_are_named_and_change_nothing() {
    let (mut detector, mut contacts) = warm();
    let before = bytes(&contacts);
    let (two, three) = ([0.5; 2], [0.5; 3]);
    for (circles, field, length) in [
        (Circles { x: &three, y: &two, radius: &three }, "y", 2),
        (Circles { x: &three, y: &three, radius: &two }, "radius", 2),
        (Circles { x: &three, y: &three, radius: &[] }, "radius", 0),
    ] {
        let error = detector.detect(circles, &mut contacts).unwrap_err();
        assert_eq!(error, Error::ColumnLength { kind: Kind::Circle, field, length, expected: 3 });
        assert_eq!(bytes(&contacts), before);
    }
    for (walls, field) in [
        (Segments { x0: &three, y0: &two, x1: &three, y1: &three }, "y0"),
        (Segments { x0: &three, y0: &three, x1: &two, y1: &three }, "x1"),
        (Segments { x0: &three, y0: &three, x1: &three, y1: &two }, "y1"),
    ] {
        let error = detector.set_segments(walls).unwrap_err();
        assert_eq!(error, Error::ColumnLength { kind: Kind::Segment, field, length: 2, expected: 3 });
    }
    assert_eq!(detector.segments(), 2);
}

#[test]
fn bad_segments_are_named_and_the_old_ones_stay() {
    let (mut detector, mut contacts) = warm();
    let before = bytes(&contacts);
    for value in BAD {
        for (k, field) in ["x0", "y0", "x1", "y1"].into_iter().enumerate() {
            let mut columns = [[1.0; 11], [2.0; 11], [3.0; 11], [4.0; 11]];
            columns[k][10] = value;
            let [x0, y0, x1, y1] = &columns;
            let error = detector.set_segments(Segments { x0, y0, x1, y1 }).unwrap_err();
            let Error::NotFinite { kind: Kind::Segment, row, field: f, value: v } = error else { panic!("{error}") };
            assert_eq!((row, f, v.to_bits()), (10, field, value.to_bits()));
            let [x0, y0, x1, y1] = [&x0[10..], &y0[10..], &x1[10..], &y1[10..]];
            assert!(matches!(
                detector.replace_segments(1..2, Segments { x0, y0, x1, y1 }),
                Err(Error::NotFinite { kind: Kind::Segment, row: 0, .. })
            ));
        }
    }
    let one = Segments { x0: &[5.0], y0: &[5.0], x1: &[6.0], y1: &[6.0] };
    assert_eq!(
        detector.replace_segments(1..3, one),
        Err(Error::RowRange { kind: Kind::Segment, start: 1, end: 3, rows: 2 })
    );
    #[allow(clippy::reversed_empty_ranges, reason = "that is what is asked")]
    let reversed = usize::MAX..1;
    assert_eq!(
        detector.replace_segments(reversed, one),
        Err(Error::RowRange { kind: Kind::Segment, start: usize::MAX, end: 1, rows: 2 })
    );
    assert!(matches!(detector.replace_segments(0..2, one), Err(Error::ColumnLength { kind: Kind::Segment, .. })));
    detector.detect(Circles { x: &[0.0, 1.0], y: &[0.0, 0.0], radius: &[1.0; 2] }, &mut contacts).unwrap();
    assert_eq!(bytes(&contacts), before);
}

#[test]
fn configurations_out_of_range_are_named() {
    let config = DetectorConfig::default;
    for (wrong, name) in [
        (config().with_cell_size(CellSize::Fixed(0.0)), "cell_size"),
        (config().with_cell_size(CellSize::Fixed(-1.0)), "cell_size"),
        (config().with_cell_size(CellSize::Fixed(f32::NAN)), "cell_size"),
        (config().with_cell_size(CellSize::Fixed(f32::INFINITY)), "cell_size"),
        (config().with_threads(Threads::Fixed(0)), "threads"),
        (config().with_threads(Threads::Fixed(1025)), "threads"),
    ] {
        assert!(matches!(Detector::new(wrong), Err(Error::Config { field, .. }) if field == name), "{name}");
    }
}

#[test]
fn more_contacts_than_the_limit_is_an_error_found_soon_in_bounded_memory() {
    // 20 000 circles at one point: 2·10^8 pairs of 28 bytes would be 5.6 GB; the limit of 10^6 is passed at once.
    let scene = circles(20_000, |_| ([3.0, 4.0], 0.5));
    for (backend, threads) in [(Backend::Wide, 1), (Backend::Wide, 3), (Backend::Scalar, 2)] {
        let config = DetectorConfig::default()
            .with_backend(backend)
            .with_threads(Threads::Fixed(threads))
            .with_contact_limit(1_000_000);
        let (mut detector, mut contacts) = (detector(config), Contacts::new());
        let start = Instant::now();
        let error = detector.detect(scene.circles(), &mut contacts).unwrap_err();
        let spent = start.elapsed();
        assert_eq!(error, Error::TooManyContacts { limit: 1_000_000 });
        assert!(spent < Duration::from_secs(5), "{backend:?} {threads}: {spent:?}");
        assert!(contacts.is_empty());
        // Lists of 8 bytes a pair, half as much again for growth, and a million uncounted at most beside the million.
        let held = detector.bytes() + contacts.bytes();
        assert!(held < 100_000_000, "{backend:?} {threads}: {held} bytes");
        // Usable afterwards.
        detector.detect(Circles { x: &[0.0; 2], y: &[0.0; 2], radius: &[1.0; 2] }, &mut contacts).unwrap();
        assert_eq!(contacts.len(), 1);
    }
}

#[test]
fn the_limit_of_contacts_is_exact_and_counts_all_kinds() {
    // 6 circles at one point: 15 pairs; on 2 crossing walls: 12; the walls: 1. In all 28.
    let mut scene = circles(6, |_| ([0.0, 0.0], 1.0));
    scene.push_segment([-1.0, 0.0], [1.0, 0.0]);
    scene.push_segment([0.0, -1.0], [0.0, 1.0]);
    for backend in BACKENDS {
        for limit in [0, 1, 14, 15, 26, 27, 28, 29, usize::MAX] {
            let config = DetectorConfig::default().with_backend(backend).with_contact_limit(limit);
            let (mut detector, mut contacts) = (detector(config), Contacts::new());
            detector.set_segments(scene.segments()).unwrap();
            let result = detector.detect(scene.circles(), &mut contacts);
            if limit < 28 {
                assert_eq!(result, Err(Error::TooManyContacts { limit }));
                assert!(contacts.is_empty());
            } else {
                assert_eq!((result, contacts.len()), (Ok(()), 28));
            }
        }
    }
}

#[test]
fn candidates_that_do_not_touch_do_not_count_against_the_limit() {
    // Diagonal neighbours of a lattice share cells but not points; 40 touch in a row: 39 pairs.
    let scene = circles(40, |i| ([i as f32, 0.0], 0.5));
    let mut far = scene.clone();
    for i in 0..40 {
        far.push_circle([i as f32 + 0.5, 0.866_026_f32.next_up()], 0.5_f32.next_down());
    }
    let expected = Sets::brute(&far).circle_circle.len();
    let mut contacts = Contacts::new();
    detector(DetectorConfig::default().with_contact_limit(expected)).detect(far.circles(), &mut contacts).unwrap();
    assert_eq!(contacts.len(), expected);
    let mut too_few = detector(DetectorConfig::default().with_contact_limit(expected - 1));
    assert_eq!(too_few.detect(far.circles(), &mut contacts), Err(Error::TooManyContacts { limit: expected - 1 }));
}

/// A jittered lattice of spacing 1: some circles touch, none more than a few.
fn lattice(count: usize) -> Columns {
    let side = (count as f64).sqrt().ceil() as usize;
    let jitter = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7 & 0xff) as f32 / 512.0;
    circles(count, |i| ([(i % side) as f32 + jitter(i), (i / side) as f32 + jitter(i * 3 + 1)], 0.4))
}

#[test]
fn one_body_at_1e30_costs_the_others_nothing() {
    let plain = lattice(100_000);
    let expected = both(&plain, "without");
    assert!(expected.circle_circle.len() > 10_000);
    for center in [[1e30, 1e30], [-1e30, 0.0], [0.0, 1e32], [1e37, 0.0], [0.0, f32::MAX], [-f32::MAX, -f32::MAX]] {
        let mut scene = plain.clone();
        scene.push_circle(center, 0.5);
        both(&scene, "with one far away").assert_equal(&expected, "with one far away");
        let config = DetectorConfig::default().with_threads(Threads::Fixed(1));
        let mut one = detector(config);
        timed(&mut one, &scene, "memory");
        // 33 bytes a body, whatever the extent: place, size and order in cells, and what sorts them and lists candidates.
        assert!(one.bytes() < 100_000 * 40, "{} bytes", one.bytes());
    }
}

#[test]
fn a_body_that_covers_all_meets_all() {
    let mut scene = lattice(20_000);
    let before = both(&scene, "without");
    scene.push_circle([100.0, 100.0], 1e6);
    let found = both(&scene, "covered");
    assert_eq!(found.circle_circle.len(), before.circle_circle.len() + 20_000);
    scene.push_circle([0.0, 0.0], f32::MAX);
    assert_eq!(both(&scene, "covered twice").circle_circle.len(), before.circle_circle.len() + 40_001);
}

#[test]
fn huge_circles_far_away_reach_to_the_other_side_of_small_ones() {
    // Centres and radii are beyond f32 when counted in cells of the small circles: both ends of the reach saturate.
    let mut scene = circles(900, |i| ([(i % 30) as f32 * 0.4 - 6.0, (i / 30) as f32 * 0.4 - 6.0], 1e-3));
    for far in [1e36, 3e37, 2e38] {
        for [x, y] in [[far, 0.0], [-far, 0.0], [0.0, far], [far, -far]] {
            // Over the small ones by an ulp of the distance, or short of them by as much.
            let reach = f64::from(x).hypot(f64::from(y)) as f32;
            scene.push_circle([x, y], reach.next_up().next_up());
            scene.push_circle([x, y], reach.next_down().next_down());
        }
    }
    let found = both(&scene, "huge");
    assert!(found.circle_circle.len() > 12 * 900);
    found.assert_equal(&Sets::brute(&scene), "huge");
}

#[test]
fn walls_across_everything_cost_their_cells_not_their_boxes() {
    let mut scene = lattice(50_000);
    for (from, to) in [
        ([-10.0, -10.0], [300.0, 290.0]),
        ([-1e30, 1.5], [1e30, 1.5]),
        ([12.25, -1e6], [12.25, 1e6]),
        ([-f32::MAX, -f32::MAX], [f32::MAX, f32::MAX]),
        ([0.0, 224.0], [224.0, 0.0]),
    ] {
        scene.push_segment(from, to);
    }
    let expected = Sets::swept(&scene);
    assert!(expected.circle_segment.len() > 500);
    both(&scene, "walls across everything").assert_equal(&expected, "walls across everything");
}

#[test]
fn ten_thousand_walls_through_one_point() {
    // All pairs of walls touch, 5·10^7: only circles are looked for. 1 000 circles about the middle meet most walls.
    let mut scene = circles(1_000, |i| ([(i % 40) as f32 - 20.0, (i / 40) as f32 - 12.0], 0.25));
    for i in 0..10_000 {
        let (x, y) = ((i % 100) as f32 - 49.5, (i / 100) as f32 - 49.5);
        scene.push_segment([x, y], [-x, -y]);
    }
    let mut expected = 0;
    for circle in 0..scene.x.len() {
        for wall in 0..scene.x0.len() {
            let touch = gridlane::geometry::circle_touches_segment(scene.circle(circle), scene.segment(wall));
            expected += usize::from(touch);
        }
    }
    assert!(expected > 30_000, "{expected}");
    let kinds = PairKinds { segment_segment: false, ..PairKinds::ALL };
    for backend in BACKENDS {
        let config = DetectorConfig::default().with_backend(backend).with_pair_kinds(kinds);
        let (_, found) = timed(&mut detector(config), &scene, "star");
        assert_eq!(found.circle_segment.len(), expected);
        // With pairs of walls the limit is what saves the caller.
        let config = DetectorConfig::default().with_backend(backend).with_contact_limit(2_000_000);
        let (mut limited, mut contacts) = (detector(config), Contacts::new());
        let start = Instant::now();
        limited.set_segments(scene.segments()).unwrap();
        let result = limited.detect(scene.circles(), &mut contacts);
        assert_eq!(result, Err(Error::TooManyContacts { limit: 2_000_000 }));
        assert!(start.elapsed() < PATIENCE && contacts.is_empty());
        assert!(limited.bytes() < 200_000_000, "{} bytes", limited.bytes());
    }
}

#[test]
fn all_in_a_line() {
    // Spacing 1 and radius 0.5 exactly: each touches its two neighbours, n - 1 pairs. Whole numbers below 2^24 are exact.
    for direction in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]] {
        let scene = circles(100_000, |i| ([direction[0] * i as f32, direction[1] * i as f32], 0.5));
        assert_eq!(both(&scene, "line").circle_circle.len(), 99_999);
    }
    // The diagonal: spacing 5 along (3, 4), radius 2.5.
    let scene = circles(100_000, |i| ([3.0 * i as f32, -4.0 * i as f32], 2.5));
    assert_eq!(both(&scene, "diagonal").circle_circle.len(), 99_999);
    // Walls end to end: each touches its two neighbours.
    let mut scene = Columns::default();
    for i in 0..50_000 {
        scene.push_segment([3.0 * i as f32, 4.0 * i as f32], [3.0 * (i + 1) as f32, 4.0 * (i + 1) as f32]);
    }
    assert_eq!(both(&scene, "walls in a line").segment_segment.len(), 49_999);
}

#[test]
fn everything_in_one_cell_is_bounded_by_its_pairs() {
    // 3 000 points on a circle of radius 1 are in one cell of the far larger one; no two points touch.
    let mut scene = circles(3_000, |i| {
        let t = i as f64 / 3_000.0;
        let w = 1.0 + t * t;
        ([((1.0 - t * t) / w) as f32, (2.0 * t / w) as f32], 0.0)
    });
    scene.push_circle([0.0, 0.0], 2.0);
    assert_eq!(both(&scene, "points in one cell").circle_circle.len(), 3_000);
    let scene = circles(3_000, |_| ([-7.0, 1e-20], 0.0));
    assert_eq!(both(&scene, "one point").circle_circle.len(), 3_000 * 2_999 / 2);
}

#[test]
fn extents_from_1e_minus_30_to_the_end_of_the_range() {
    let small = lattice(3_000);
    let expected = Sets::brute(&small);
    // Scaled by powers of two every decision stays; 2^-100 and 2^100 are about 1e-30 and 1e30.
    for exponent in [-100, -60, 60, 100, 115] {
        let scale = f32::from_bits(((127 + exponent) as u32) << 23);
        let scene = circles(3_000, |i| ([small.x[i] * scale, small.y[i] * scale], small.radius[i] * scale));
        assert!(both(&scene, "scaled").circle_circle == expected.circle_circle, "2^{exponent}");
    }
    // Both extents in one world, a wall from each to each.
    let mut scene = circles(60, |i| {
        let scale = [1e-30, 1e30, f32::MAX / 64.0][i % 3];
        ([scale * (i / 3 % 5) as f32, scale * (i / 15) as f32], scale * 0.5)
    });
    for i in 0..60 {
        let (p, q) = ([scene.x[i], scene.y[i]], [scene.y[59 - i], -scene.x[59 - i]]);
        scene.push_segment(p, q);
    }
    both(&scene, "both extents").assert_equal(&Sets::brute(&scene), "both extents");
}

#[test]
fn the_largest_numbers_there_are() {
    let m = f32::MAX;
    let mut scene = Columns::default();
    for center in [[m, m], [-m, m], [m, -m], [-m, -m], [0.0, 0.0], [m, 0.0], [0.0, -m]] {
        for radius in [0.0, 1.0, m / 2.0, m] {
            scene.push_circle(center, radius);
        }
    }
    for (p, q) in
        [([-m, -m], [m, m]), ([-m, m], [m, -m]), ([m, m], [m, m]), ([-m, 0.0], [m, 0.0]), ([0.0, m], [m, 0.0])]
    {
        scene.push_segment(p, q);
    }
    let found = both(&scene, "largest");
    found.assert_equal(&Sets::brute(&scene), "largest");
    // Point against point: 7 places, so none of these touch. Of the 7 circles of radius m those at the corners do not hold the origin, the 3 others do.
    assert!(found.circle_circle.len() > 100 && found.circle_segment.len() > 50);
}

#[test]
fn circles_where_cells_begin_to_grow() {
    // Cells 1.25 wide are counted one by one to 2^17 of them; who is there stands among others that are near, those it touches among some that are not.
    let end = 131_072.0 * 1.25;
    for way in [[end, 0.0], [-end, 0.0], [0.0, end], [0.0, -end]] {
        let at = |k: usize| match k {
            7 => 1.0,
            1500..1503 => 1.0 + [-1.0, 1.0, 1e5][k - 1500] / end,
            _ => 3.0 * k as f32 / end,
        };
        let scene = circles(1600, |k| (way.map(|way| way * at(k)), 0.5));
        let mut detector = detector(DetectorConfig::default().with_cell_size(CellSize::Fixed(1.25)));
        let (_, found) = timed(&mut detector, &scene, "where cells begin to grow");
        assert_eq!(found.circle_circle, [(7, 1500), (7, 1501)], "{way:?}");
    }
}

#[test]
fn nothing_at_all() {
    let empty = Columns::default();
    assert_eq!(both(&empty, "empty"), Sets::default());
    let mut one = Columns::default();
    one.push_segment([1.0, 1.0], [1.0, 1.0]);
    assert_eq!(both(&one, "one point"), Sets::default());
    one.push_circle([1.0, 1.0], 0.0);
    assert_eq!(both(&one, "two points").circle_segment, [(0, 0)]);
    // Before any segments were set, and after they were taken away.
    let (mut detector, mut contacts) = warm();
    detector.set_segments(Segments { x0: &[], y0: &[], x1: &[], y1: &[] }).unwrap();
    detector.detect(Circles { x: &[], y: &[], radius: &[] }, &mut contacts).unwrap();
    assert!(contacts.is_empty() && detector.segments() == 0);
}
