//! Pairs of segments against brute force and against maps whose answers are known.

use super::columns::Segments;
use super::segment_chains::Chains;
use super::segment_pairs::SegmentPairs;
use super::{Contacts, Options, PairKinds, SegmentClass, SegmentSegmentContact};
use crate::geometry::{Segment, SegmentRelation, segment_segment, segments_touch};
use crate::kernels::Backend;
use crate::parallel::{Pool, Split, Threads};
use crate::storage::{Edited, Filters};
use crate::{CellSize, Error};
use std::collections::HashSet;

#[derive(Default)]
struct Columns {
    x0: Vec<f32>,
    y0: Vec<f32>,
    x1: Vec<f32>,
    y1: Vec<f32>,
    radius: Vec<f32>,
}

impl Columns {
    fn push(&mut self, [x0, y0, x1, y1]: [f32; 4], radius: f32) {
        self.x0.push(x0);
        self.y0.push(y0);
        self.x1.push(x1);
        self.y1.push(y1);
        self.radius.push(radius);
    }

    fn len(&self) -> usize {
        self.x0.len()
    }

    fn view<'a>(&'a self, moving: &'a [u32]) -> Segments<'a> {
        let Columns { x0, y0, x1, y1, radius } = self;
        Segments { version: 1, ..Segments::passing([x0, y0, x1, y1, radius], moving, Filters::default()) }
    }

    fn segment(&self, i: usize) -> Segment {
        Segment::new([self.x0[i], self.y0[i]], [self.x1[i], self.y1[i]]).with_radius(self.radius[i])
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn range(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Everything that is asked for: (fixed, moving).
fn detect(columns: &Columns, moving: &[u32], backend: Backend, split: Split) -> [Vec<SegmentSegmentContact>; 2] {
    let mut pairs = SegmentPairs::default();
    let mut out = Vec::new();
    pairs.set_static(columns.view(moving), backend, split, usize::MAX).expect("no limit");
    pairs.detect_moving(columns.view(moving), backend, split, usize::MAX, (&mut out, 0)).expect("no limit");
    [pairs.fixed().to_vec(), out]
}

fn bits(contacts: &[SegmentSegmentContact]) -> &[u8] {
    bytemuck::cast_slice(contacts)
}

/// The pair functions' answer, or none.
fn expected(columns: &Columns, i: usize, j: usize) -> Option<SegmentSegmentContact> {
    let (a, b) = (columns.segment(i), columns.segment(j));
    let (class, point, t, u, to) = match segment_segment(a, b) {
        SegmentRelation::Disjoint if segments_touch(a, b) => {
            return Some(SegmentSegmentContact { class: SegmentClass::Near, ..Default::default() });
        }
        SegmentRelation::Disjoint => return None,
        SegmentRelation::Cross { point, t, u } => (SegmentClass::Cross, point, t, u, point),
        SegmentRelation::Touch { point, t, u } => (SegmentClass::Touch, point, t, u, point),
        SegmentRelation::Overlap { from, to } => (SegmentClass::Overlap, from, 0.0, 0.0, to),
    };
    Some(SegmentSegmentContact { a: i as u32, b: j as u32, class, point, t, u, to })
}

fn check(name: &str, columns: &Columns, moving: &[u32]) -> usize {
    let found = detect(columns, moving, Backend::Wide, Split::SERIAL);
    let scalar = detect(columns, moving, Backend::Scalar, Split::SERIAL);
    let threads = Pool::new(Threads::Fixed(3)).run(1 << 20, |split| detect(columns, moving, Backend::Wide, split));
    for k in 0..2 {
        assert_eq!(bits(&found[k]), bits(&scalar[k]), "{name}: scalar and wide");
        assert_eq!(bits(&found[k]), bits(&threads[k]), "{name}: threads");
    }
    let moves: HashSet<u32> = moving.iter().copied().collect();
    let mut seen = HashSet::new();
    for (k, contact) in found.iter().enumerate().flat_map(|(k, list)| list.iter().map(move |c| (k, c))) {
        assert!(contact.a < contact.b && seen.insert((contact.a, contact.b)), "{name}: {contact:?} twice");
        assert_eq!(k == 1, moves.contains(&contact.a) || moves.contains(&contact.b), "{name}: {contact:?}");
        let (i, j) = (contact.a as usize, contact.b as usize);
        let want = expected(columns, i, j).unwrap_or_else(|| panic!("{name}: {contact:?} does not touch"));
        assert_eq!(contact.class, want.class, "{name}: {contact:?}");
        if contact.class == SegmentClass::Near {
            assert!((0.0..=1.0).contains(&contact.t) && (0.0..=1.0).contains(&contact.u) && contact.point.is_finite());
        } else {
            // Where the overlap starts on either is not among what the pair function tells.
            let overlap = contact.class == SegmentClass::Overlap;
            assert!(!overlap || ((0.0..=1.0).contains(&contact.t) && (0.0..=1.0).contains(&contact.u)));
            let contact = if overlap { SegmentSegmentContact { t: 0.0, u: 0.0, ..*contact } } else { *contact };
            assert_eq!(bits(&[contact]), bits(&[want]), "{name}: {contact:?} {want:?}");
        }
    }
    for i in 0..columns.len() {
        for j in i + 1..columns.len() {
            if expected(columns, i, j).is_some() {
                assert!(seen.contains(&(i as u32, j as u32)), "{name}: {i} {j} lost");
            }
        }
    }
    seen.len()
}

fn some_of(g: &mut Random, n: usize, share: u64) -> Vec<u32> {
    (0..n as u32).filter(|_| g.below(4) < share).collect()
}

#[test]
fn random_sets_equal_brute_force() {
    let mut g = Random(5);
    for case in 0..120u32 {
        let n = [7, 40, 150, 400][case as usize % 4];
        let mut columns = Columns::default();
        let capsules = case % 5 == 0;
        let middle = [0.0, 6.4e6, -3e4][case as usize / 3 % 3];
        for _ in 0..n {
            let (x, y) = (middle + g.range(-20.0, 20.0), middle / 2.0 + g.range(-20.0, 20.0));
            let length = match case % 3 {
                0 => g.range(0.0, 4.0),
                1 => 0.05 * 10f64.powf(g.range(0.0, 4.5)), // 0.05 to 1600: many levels
                _ => g.range(5.0, 30.0),
            };
            let (dx, dy) = (g.range(-1.0, 1.0) * length, g.range(-1.0, 1.0) * length);
            let radius = if capsules && g.below(2) == 0 { g.range(0.0, 1.0) as f32 } else { 0.0 };
            columns.push([x, y, x + dx, y + dy].map(|v| v as f32), radius);
        }
        let moving = some_of(&mut g, n, u64::from(case) % 5);
        check(&format!("random {case}"), &columns, &moving);
    }
}

#[test]
fn degenerate_sets_equal_brute_force() {
    let mut g = Random(9);
    let mut found = 0;
    for case in 0..160u32 {
        let n = [9, 60, 200][case as usize % 3];
        let mut columns = Columns::default();
        let slope = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [3.0, -1.0]][case as usize / 8 % 4];
        for k in 0..n {
            let w = |g: &mut Random, m: u64| g.below(m) as f32;
            let ends = match case % 8 {
                // Corners of a small grid: joints of every kind, duplicates, points.
                0 => [w(&mut g, 6), w(&mut g, 6), w(&mut g, 6), w(&mut g, 6)],
                // Pieces of one line.
                1 => {
                    let (s, e) = (w(&mut g, 300), w(&mut g, 300));
                    [s * slope[0], s * slope[1], e * slope[0], e * slope[1]]
                }
                // A chain along it.
                2 => [k, k, k + 1, k + 1]
                    .map(|k| k as f32)
                    .iter()
                    .zip([0, 1, 0, 1])
                    .map(|(s, i)| s * slope[i])
                    .collect::<Vec<_>>()
                    .try_into()
                    .expect("four"),
                // All through one point.
                3 => {
                    let (x, y) = (g.range(-90.0, 90.0) as f32, g.range(-90.0, 90.0) as f32);
                    [x, y, -x, -y]
                }
                // The same point; the same segment, both ways round.
                4 => [3.5, -1.0, 3.5, -1.0],
                5 => {
                    if g.below(2) == 0 {
                        [0.1, 0.2, 5.3, 1.7]
                    } else {
                        [5.3, 1.7, 0.1, 0.2]
                    }
                }
                // Walls and short ones on a lattice.
                6 => {
                    let (x, y) = (w(&mut g, 40), w(&mut g, 40));
                    let (dx, dy) = if g.below(10) == 0 {
                        (w(&mut g, 80) - 40.0, w(&mut g, 80) - 40.0)
                    } else {
                        (w(&mut g, 3), w(&mut g, 3))
                    };
                    [x, y, x + dx, y + dy]
                }
                // All scales at once.
                _ => [0; 4].map(|_| {
                    let v = 10f64.powf(g.range(-44.0, 38.5)) as f32;
                    if g.below(2) == 0 { v } else { -v }
                }),
            };
            let radius = if case % 7 == 6 && g.below(3) == 0 { w(&mut g, 3) } else { 0.0 };
            columns.push(ends, radius);
        }
        let moving = some_of(&mut g, n, u64::from(case) % 5);
        found += check(&format!("degenerate {case}"), &columns, &moving);
    }
    assert!(found > 100_000, "{found}");
}

#[test]
fn walls_longer_than_the_grid_lose_nothing_and_find_nothing_twice() {
    let mut g = Random(21);
    let mut found = 0;
    for case in 0..40 {
        let mut columns = Columns::default();
        let centres = [0; 4].map(|_| [g.range(-4e4, 4e4), g.range(-4e4, 4e4)]);
        for k in 0..300 {
            let centre = centres[k % 4];
            let (x, y) = (centre[0] + g.range(-8.0, 8.0), centre[1] + g.range(-8.0, 8.0));
            let radius = if case % 4 == 3 && k % 3 == 0 { g.range(0.0, 0.5) as f32 } else { 0.0 };
            columns.push([x, y, x + g.range(-1.5, 1.5), y + g.range(-1.5, 1.5)].map(|v| v as f32), radius);
        }
        for k in 0..60 {
            // From near one cluster through or to near another one, and beyond by up to 1e9 times.
            let (p, q) = (centres[k % 4], centres[(k + 1 + k / 4 % 3) % 4]);
            let near = |g: &mut Random, c: [f64; 2]| [c[0] + g.range(-9.0, 9.0), c[1] + g.range(-9.0, 9.0)];
            let (p, q) = (near(&mut g, p), near(&mut g, q));
            let beyond = [0.0, 0.0, 0.3, 1e3, 1e9][k % 5];
            let end = |i: usize| q[i] + beyond * (q[i] - p[i]);
            let radius = if case % 4 == 3 && k % 2 == 0 { g.range(0.0, 3.0) as f32 } else { 0.0 };
            columns.push([p[0], p[1], end(0), end(1)].map(|v| v as f32), radius);
        }
        let moving = some_of(&mut g, columns.len(), case % 5);
        found += check(&format!("long {case}"), &columns, &moving);
    }
    assert!(found > 20_000, "{found}");
}

/// A map of `tests/data`, as it is stored: a header, then four numbers a line.
fn map(name: &str) -> Columns {
    let path = format!("{}/tests/data/maps/{name}.segments.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a map");
    let mut columns = Columns::default();
    for line in text.lines().skip(1) {
        let mut values = line.split(',').map(|v| v.trim().parse::<f32>().expect("a number"));
        columns.push([0; 4].map(|_| values.next().expect("four numbers")), 0.0);
    }
    columns
}

/// The sum of the hashes that the truth files give, free of any order.
fn checksum<'a>(contacts: impl Iterator<Item = &'a SegmentSegmentContact>) -> u64 {
    contacts.fold(0, |sum, c| {
        let z = u64::from(c.a)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(c.b).wrapping_mul(0xBF58_476D_1CE4_E5B9))
            .wrapping_add(1);
        sum.wrapping_add((z ^ (z >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB))
    })
}

#[test]
fn maps_have_the_pairs_of_their_truth() {
    for name in ["freedoom1-e1m1", "freedoom1-e1m1-solid", "world-land-110m-ll"] {
        let columns = map(name);
        let path = format!("{}/tests/data/maps/{name}.truth.json", env!("CARGO_MANIFEST_DIR"));
        let truth: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("a truth")).expect("valid JSON");
        let truth = &truth["segment_pairs"];
        for (moving, backend) in [(0, Backend::Wide), (0, Backend::Scalar), (1, Backend::Wide), (4, Backend::Wide)] {
            let moving = some_of(&mut Random(3), columns.len(), moving);
            let found = detect(&columns, &moving, backend, Split::SERIAL).concat();
            let of = |class: SegmentClass| found.iter().filter(move |c| c.class == class);
            assert_eq!(found.len() as u64, truth["hit"], "{name}");
            assert_eq!(of(SegmentClass::Cross).count() as u64, truth["cross"], "{name}");
            assert_eq!(of(SegmentClass::Touch).count() as u64, truth["touch"], "{name}");
            assert_eq!(of(SegmentClass::Overlap).count() as u64, truth["overlap"], "{name}");
            assert_eq!(format!("{:016x}", checksum(found.iter())), truth["checksum"], "{name}");
            let crosses = format!("{:016x}", checksum(of(SegmentClass::Cross)));
            assert_eq!(crosses, truth["checksum_cross"], "{name}");
        }
    }
}

/// Lines as they come in maps: outlines and roads, one row behind the other, some backwards, some of one line, some loose ones between them.
fn strewn_chains(g: &mut Random, n: usize, kind: u64) -> Columns {
    let mut columns = Columns::default();
    let whole = kind.is_multiple_of(2);
    let middle = [0.0, 6.4e6, -3e4][kind as usize / 2 % 3];
    let round = |v: f64| if whole { v.round() } else { v };
    while columns.len() < n {
        let (mut x, mut y) = (round(middle + g.range(-40.0, 40.0)), round(middle / 2.0 + g.range(-40.0, 40.0)));
        let (start, backwards, length) = ([x, y], g.below(4) == 0, 1 + g.below(60));
        for k in 0..length {
            let turn = g.below(12);
            let (dx, dy) = (g.range(-2.0, 2.0), g.range(-2.0, 2.0));
            let [to_x, to_y] = match turn {
                0 if k > 2 => start, // closed
                1 => [x, y],         // a point
                2 => [round(x + 3.0 * dx), y],
                _ => [round(x + dx), round(y + dy)],
            };
            let ends = if backwards { [to_x, to_y, x, y] } else { [x, y, to_x, to_y] };
            let radius = if kind % 3 == 2 && g.below(3) == 0 { g.range(0.0, 0.4) as f32 } else { 0.0 };
            columns.push(ends.map(|v| v as f32), radius);
            (x, y) = (to_x, to_y);
        }
        if g.below(3) == 0 {
            let far = [60.0, 1e3, 1e6][g.below(3) as usize];
            let at = [0; 4].map(|_| round(g.range(-far, far)) as f32);
            columns.push([at[0] + middle as f32, at[1] + middle as f32 / 2.0, at[2], at[3]], 0.0);
        }
    }
    columns
}

#[test]
fn chains_equal_brute_force() {
    let mut g = Random(33);
    let (mut found, mut in_chains, mut loose) = (0, 0, 0);
    for case in 0..160u64 {
        let n = [16, 17, 40, 150, 500][case as usize % 5];
        let columns = strewn_chains(&mut g, n, case / 5);
        found += check(&format!("chains {case}"), &columns, &[]);
        let mut chains = Chains::default();
        if chains.lay(columns.view(&[]), Split::SERIAL) {
            in_chains += 1;
            loose += chains.loose().len();
        }
    }
    assert!(found > 30_000 && in_chains > 120 && loose > 200, "{found} {in_chains} {loose}");
}

#[test]
fn chains_are_found_as_sorted_segments_are() {
    // More rows than a piece has. One row moves, a point far from all others: what stays is then sorted.
    let mut g = Random(35);
    for case in 0..3 {
        let mut columns = strewn_chains(&mut g, 30_000, case);
        for row in 0..columns.len() {
            // Over a field in which they are not too many.
            let (dx, dy) = ((row / 150 % 16 * 64) as f32, (row / 2400 * 64) as f32);
            for (column, by) in
                [(&mut columns.x0, dx), (&mut columns.x1, dx), (&mut columns.y0, dy), (&mut columns.y1, dy)]
            {
                column[row] += by;
            }
        }
        columns.push([-9e6; 4], 0.0);
        let last = columns.len() as u32 - 1;
        assert!(Chains::default().lay(columns.view(&[]), Split::SERIAL));
        let of = |moving: &[u32], threads: usize| {
            let pool = Pool::new(Threads::Fixed(threads));
            let [mut fixed, moving] = pool.run(1 << 20, |split| detect(&columns, moving, Backend::Wide, split));
            assert!(moving.is_empty());
            let as_found = fixed.clone();
            fixed.sort_unstable_by_key(|c| (c.a, c.b));
            (as_found, fixed)
        };
        let (serial, sorted) = of(&[], 1);
        assert_eq!(bits(&serial), bits(&of(&[], 3).0), "threads");
        assert_eq!(bits(&sorted), bits(&of(&[last], 1).1), "sorted or not");
        assert!(serial.len() > 30_000);
    }
}

#[test]
fn whoever_begins_to_move_meets_those_that_were_found_in_chains() {
    let mut g = Random(37);
    let columns = strewn_chains(&mut g, 200, 1);
    let (backend, threads, cell_size) = (Backend::Wide, Threads::Fixed(1), CellSize::Auto);
    let options = Options { backend, threads, cell_size, pair_kinds: PairKinds::ALL, contact_limit: usize::MAX };
    let mut pairs = SegmentPairs::default();
    let mut contacts = Contacts::new();
    pairs.detect(columns.view(&[]), &options, Split::SERIAL, &mut contacts).expect("no limit");
    let all = contacts.segment_segment.len();
    let moving: Vec<u32> = (0..60).collect();
    let mut edited = Edited::default();
    for version in [2, 3] {
        edited.forget(version);
        let view = Segments { version, edited: &edited, ..columns.view(&moving) };
        pairs.detect(view, &options, Split::SERIAL, &mut contacts).expect("no limit");
        assert_eq!(contacts.segment_segment.len(), all, "{version}");
    }
    // An edit of one that moves leaves what is kept as it is; then all stay again.
    let view = Segments { version: 4, edited: &edited, ..columns.view(&moving) };
    pairs.detect(view, &options, Split::SERIAL, &mut contacts).expect("no limit");
    assert_eq!(contacts.segment_segment.len(), all);
    edited.forget(5);
    let view = Segments { version: 5, edited: &edited, ..columns.view(&[]) };
    pairs.detect(view, &options, Split::SERIAL, &mut contacts).expect("no limit");
    assert_eq!(contacts.segment_segment.len(), all);
}

#[test]
fn the_contact_limit_is_exact_and_bounds_the_work() {
    // Ten walls through one point: 45 pairs.
    let mut columns = Columns::default();
    for k in 0..10 {
        columns.push([-10.0, k as f32 - 4.0, 10.0, 4.0 - k as f32], 0.0);
    }
    let mut pairs = SegmentPairs::default();
    let none: [u32; 0] = [];
    assert_eq!(pairs.set_static(columns.view(&none), Backend::Wide, Split::SERIAL, 45), Ok(()));
    assert_eq!((pairs.fixed().len(), pairs.version), (45, Some((1, 0))));
    let refused = Err(Error::TooManyContacts { limit: 44 });
    assert_eq!(pairs.set_static(columns.view(&none), Backend::Wide, Split::SERIAL, 44), refused);
    assert_eq!((pairs.fixed().len(), pairs.version), (0, None));
    // Three of them move: 45 - 7 · 6 / 2 = 24 pairs have a moving one.
    assert_eq!(pairs.set_static(columns.view(&[0, 4, 9]), Backend::Wide, Split::SERIAL, 21), Ok(()));
    let mut out = vec![SegmentSegmentContact::default()];
    let moving = pairs.detect_moving(columns.view(&[0, 4, 9]), Backend::Wide, Split::SERIAL, 23, (&mut out, 1));
    assert_eq!((moving, out.len()), (Err(Error::TooManyContacts { limit: 23 }), 1));
    let moving = pairs.detect_moving(columns.view(&[0, 4, 9]), Backend::Wide, Split::SERIAL, 24, (&mut out, 1));
    assert_eq!((moving, out.len()), (Ok(()), 25));
    // A hundred thousand walls through the origin have 5e9 pairs; the limit ends it within a hundred thousand.
    let mut star = Columns::default();
    let mut g = Random(1);
    for _ in 0..100_000 {
        let (x, y) = (g.range(-1.0, 1.0) as f32, g.range(-1.0, 1.0) as f32);
        star.push([x, y, -x, -y], 0.0);
    }
    let refused = Err(Error::TooManyContacts { limit: 100_000 });
    assert_eq!(pairs.set_static(star.view(&none), Backend::Wide, Split::SERIAL, 100_000), refused);
    assert!(pairs.bytes() < 100_000 * 400, "{}", pairs.bytes());
}
