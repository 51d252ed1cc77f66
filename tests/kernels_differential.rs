//! Promise: every text of a kernel gives the same bits as the others, loses no touching pair, and decides as exact
//! arithmetic does, in every lane and for every tail.
//!
//! One harness over [`Text::ALL`]. Truth are the pairwise functions, which are themselves held against exact rational
//! arithmetic elsewhere.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::truth::Columns;
use crate::common::worlds::is_imitated;
use bytemuck::bytes_of;
use gridlane::internals::{
    PairList, Text, circle_circle, circle_circle_pairs, circle_run, circle_runs, circle_segment, circle_segment_pairs,
    wall_run,
};
use gridlane::{CircleCircleContact, CircleSegmentContact, Circles, Contact, Feature, Vec2, geometry};
use std::ops::Range;

/// 2^-24, the rounding unit.
const U: f64 = 1.0 / 16_777_216.0;

/// Columns as kernels want them: eight NaN behind the last row.
struct Padded {
    scene: Columns,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    largest: f32,
}

impl Padded {
    fn new(scene: Columns) -> Padded {
        let pad = |column: &[f32]| column.iter().copied().chain([f32::NAN; 8]).collect();
        let largest = scene.radius.iter().fold(0.0, |most, &r| if r > most { r } else { most });
        Padded { x: pad(&scene.x), y: pad(&scene.y), radius: pad(&scene.radius), largest, scene }
    }

    fn circles(&self) -> Circles<'_> {
        Circles { x: &self.x, y: &self.y, radius: &self.radius }
    }

    fn walls(&self) -> [&[f32]; 5] {
        let s = &self.scene;
        [&s.x0, &s.y0, &s.x1, &s.y1, &s.wall_radius]
    }

    fn len(&self) -> u32 {
        self.scene.x.len() as u32
    }
}

/// What one text lists for one run, through `list`.
fn listed(list: impl Fn(Text, &mut PairList)) -> [Vec<(u32, u32)>; 4] {
    Text::ALL.map(|text| {
        let mut pairs = PairList::default();
        list(text, &mut pairs);
        let (a, b) = pairs.rows();
        a.iter().copied().zip(b.iter().copied()).collect()
    })
}

/// Candidates of a run: alike in all texts, ascending, inside the run, and none of `touching` lost.
fn check_run(lists: &[Vec<(u32, u32)>; 4], run: Range<u32>, other: impl Fn((u32, u32)) -> u32, touching: &[bool]) {
    for (text, list) in Text::ALL.iter().zip(lists) {
        assert_eq!(list, &lists[0], "{text:?}, {run:?}");
    }
    let rows: Vec<u32> = lists[0].iter().map(|&pair| other(pair)).collect();
    assert!(rows.is_sorted_by(|a, b| a < b), "{run:?}: {rows:?}");
    assert!(rows.iter().all(|row| run.contains(row)), "{run:?}: {rows:?}");
    let mut next = rows.iter().peekable();
    for row in run.clone() {
        let is_listed = next.next_if(|&&listed| listed == row).is_some();
        assert!(is_listed || !touching[row as usize], "{run:?} lost {row}");
    }
}

/// Every run of these rows that is cut out of the columns: all starts, all lengths up to `longest`, and to the end.
fn runs(n: u32, longest: u32) -> impl Iterator<Item = Range<u32>> {
    (0..=n).flat_map(move |start| {
        let ends = (start..=n).filter(move |end| end - start <= longest || *end == n);
        ends.map(move |end| start..end)
    })
}

fn check_candidates(p: &Padded, rows: &[u32], longest: u32) {
    let touching = |hit: &dyn Fn(usize) -> bool| (0..p.len() as usize).map(hit).collect::<Vec<_>>();
    for &row in rows {
        let own = p.scene.circle(row as usize);
        let touching = touching(&|j| geometry::circles_touch(own, p.scene.circle(j)));
        for run in runs(p.len(), longest) {
            let lists = listed(|text, out| circle_run(text, p.circles(), row, p.largest, run.clone(), out));
            assert!(lists[0].iter().all(|pair| pair.0 == row));
            check_run(&lists, run, |pair| pair.1, &touching);
        }
    }
    for wall in 0..p.scene.x0.len() {
        let segment = p.scene.segment(wall);
        let touching = touching(&|j| geometry::circle_touches_segment(p.scene.circle(j), segment));
        for run in runs(p.len(), longest) {
            let row = wall as u32;
            let lists = listed(|text, out| wall_run(text, p.circles(), segment, row, p.largest, run.clone(), out));
            assert!(lists[0].iter().all(|pair| pair.1 == row));
            check_run(&lists, run, |pair| pair.0, &touching);
        }
    }
}

#[test]
fn candidates_of_every_run_and_tail_hold_all_that_touches() {
    let apart = if is_imitated() {
        7
    } else if cfg!(debug_assertions) {
        3
    } else {
        1
    };
    let lengths: Vec<usize> = (0..=40).step_by(apart).collect();
    for (k, flavour) in FLAVOURS.iter().enumerate() {
        for &n in &lengths {
            let p = Padded::new(flavours::make(flavour, (n * 31 + k) as u64, n, 6, n % 2 == 1));
            let n = p.len();
            let rows: Vec<u32> = (0..n).filter(|row| row % 5 == (n % 5)).collect();
            check_candidates(&p, &rows, 17);
        }
    }
}

#[test]
fn two_runs_at_once_are_the_beginnings_of_both() {
    for (k, flavour) in FLAVOURS.iter().enumerate() {
        for n in [1, 9, 24, 300] {
            let p = Padded::new(flavours::make(flavour, 300 * n as u64 + k as u64, n, 1, true));
            let n = p.len();
            let row = n / 2;
            // Shorter and longer than a mask, than a counter of eight bits; empty, and to the end of the columns.
            let lengths = [0, 1, 7, 8, 9, 15, 16, 17, 255, 256, 257, 300];
            for (low, high) in lengths.iter().flat_map(|&low| lengths.iter().map(move |&high| (low, high))) {
                for starts in [[0, 0], [0, n - 1], [n / 3, n / 2], [n, 0]] {
                    let runs = [(starts[0], low), (starts[1], high)].map(|(start, long)| start..n.min(start + long));
                    let both = listed(|text, out| circle_runs(text, p.circles(), row, p.largest, runs.clone(), out));
                    let first = |run: &Range<u32>| run.start..run.end.min(run.start + 8);
                    let mut expected = PairList::default();
                    for run in &runs {
                        circle_run(Text::Scalar, p.circles(), row, p.largest, first(run), &mut expected);
                    }
                    let (a, b) = expected.rows();
                    let expected: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
                    for (text, found) in Text::ALL.iter().zip(both) {
                        assert_eq!(found, expected, "{text:?} {runs:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn candidates_of_long_runs_hold_all_that_touches() {
    // Longer than any counter of eight bits; rows near both ends; runs of every tail to the end.
    for (k, flavour) in FLAVOURS.iter().enumerate() {
        for n in [300, 1000] {
            let p = Padded::new(flavours::make(flavour, 7000 + k as u64, n, 4, k % 2 == 0));
            let n = p.len();
            for row in [0, 1, n / 2, n - 1] {
                let own = p.scene.circle(row as usize);
                let touching: Vec<bool> =
                    (0..n as usize).map(|j| geometry::circles_touch(own, p.scene.circle(j))).collect();
                for run in (0..8).map(|cut| cut..n).chain((1..8).map(|cut| 3..n - cut)) {
                    let lists = listed(|text, out| circle_run(text, p.circles(), row, p.largest, run.clone(), out));
                    check_run(&lists, run, |pair| pair.1, &touching);
                }
            }
            for wall in 0..p.scene.x0.len() {
                let segment = p.scene.segment(wall);
                let touching: Vec<bool> =
                    (0..n as usize).map(|j| geometry::circle_touches_segment(p.scene.circle(j), segment)).collect();
                for run in (0..8).map(|cut| cut..n).chain((1..8).map(|cut| 3..n - cut)) {
                    let row = wall as u32;
                    let lists =
                        listed(|text, out| wall_run(text, p.circles(), segment, row, p.largest, run.clone(), out));
                    check_run(&lists, run, |pair| pair.0, &touching);
                }
            }
        }
    }
}

#[test]
fn the_largest_radius_may_be_larger_than_any_in_the_run() {
    // A level of a grid knows its largest radius only from above.
    for (k, flavour) in FLAVOURS.iter().enumerate() {
        let mut p = Padded::new(flavours::make(flavour, 900 + k as u64, 23, 5, true));
        p.largest = if p.largest < 1e38 { p.largest * 3.0 } else { f32::MAX };
        check_candidates(&p, &[0, 11, 22], 9);
    }
}

/// How many `f32` lie between two, one of them counted.
fn steps(a: f32, b: f32) -> u64 {
    let place = |v: f32| {
        let size = i64::from(v.to_bits() & 0x7FFF_FFFF);
        if v.is_sign_negative() { -size } else { size }
    };
    place(a).abs_diff(place(b))
}

/// How far values may be from the exact ones, rounded to `f32`: `steps` of that for separation and normal, `point` for a coordinate on
/// top of a step.
struct Within {
    steps: u64,
    point: f64,
}

/// Values against those of the pairwise function, which are the nearest `f32` to the exact ones.
fn check_values(what: &str, exact: Contact, normal: Vec2, point: Vec2, separation: f32, within: Within) {
    let close = |a: f32, b: f32| steps(a, b) <= within.steps;
    assert!(close(separation, exact.separation), "{what}: separation {separation} for {}", exact.separation);
    let n = exact.normal;
    assert!(close(normal.x, n.x) && close(normal.y, n.y), "{what}: normal {normal:?} for {n:?}");
    for (got, exact) in [(point.x, exact.point.x), (point.y, exact.point.y)] {
        let off = (f64::from(got) - f64::from(exact)).abs();
        assert!(off <= within.point || steps(got, exact) <= 1, "{what}: point {point:?}, {got} for {exact}");
        assert!(got.is_finite() && (got != 0.0 || got.is_sign_positive()), "{what}: {point:?}");
    }
}

/// Contacts of circles, against the bounds derived in the head of the kernels: separation 5u and normal 5u relative, so five steps with the
/// reference's own rounding; point 9u of the radii.
fn check_circle_contacts(p: &Padded, pairs: &PairList, what: &str) {
    let (first, second) = pairs.rows();
    let mut expected = Vec::new();
    for (&i, &j) in first.iter().zip(second) {
        let (a, b) = if i < j { (i, j) } else { (j, i) };
        let contact = geometry::circle_circle(p.scene.circle(a as usize), p.scene.circle(b as usize));
        expected.extend(contact.map(|contact| (a, b, contact)));
    }
    let mut reference: Option<Vec<CircleCircleContact>> = None;
    for text in Text::ALL {
        let mut contacts = Vec::new();
        circle_circle(text, p.circles(), pairs, &mut contacts);
        let reference = reference.get_or_insert_with(|| contacts.clone());
        assert_eq!(contacts.len(), expected.len(), "{what}, {text:?}");
        for ((got, same), &(a, b, exact)) in contacts.iter().zip(reference).zip(&expected) {
            let what = format!("{what}, {text:?}, {:?} {:?}", p.scene.circle(a as usize), p.scene.circle(b as usize));
            assert_eq!((got.a, got.b), (a, b), "{what}");
            assert_eq!(bytes_of(got), bytes_of(same), "{what}: {got:?} {same:?}");
            let radii = f64::from(p.scene.radius[a as usize]) + f64::from(p.scene.radius[b as usize]);
            let within = Within { steps: 5, point: 10.0 * U * radii };
            check_values(&what, exact, got.normal, got.point, got.separation, within);
        }
    }
}

/// Contacts of circles and segments: all in double precision, so a step; the point loses 2^-48 of what it is computed from where that
/// cancels.
fn check_segment_contacts(p: &Padded, pairs: &PairList, what: &str) {
    let (circles, walls) = pairs.rows();
    let mut expected = Vec::new();
    for (&i, &k) in circles.iter().zip(walls) {
        let contact = geometry::circle_segment(p.scene.circle(i as usize), p.scene.segment(k as usize));
        expected.extend(contact.map(|contact| (i, k, contact)));
    }
    let mut reference: Option<Vec<CircleSegmentContact>> = None;
    for text in Text::ALL {
        let mut contacts = Vec::new();
        circle_segment(text, p.circles(), p.walls(), pairs, &mut contacts);
        let reference = reference.get_or_insert_with(|| contacts.clone());
        assert_eq!(contacts.len(), expected.len(), "{what}, {text:?}");
        for ((got, same), &(i, k, exact)) in contacts.iter().zip(reference).zip(&expected) {
            let (circle, wall) = (p.scene.circle(i as usize), p.scene.segment(k as usize));
            let what = format!("{what}, {text:?}, {circle:?} {wall:?}");
            assert_eq!((got.a, got.b, got.feature), (i, k, exact.feature), "{what}");
            assert_eq!(bytes_of(got), bytes_of(same), "{what}: {got:?} {same:?}");
            let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
            let ([x, y], [ax, ay]) = (wide(circle.center), wide(wall.start));
            let size = x.abs() + y.abs() + ax.abs() + ay.abs() + f64::from(circle.radius) + f64::from(wall.radius);
            let within = Within { steps: 1, point: U * U * size };
            check_values(&what, exact, got.normal, got.point, got.separation, within);
        }
    }
}

fn check_contacts(p: &Padded, what: &str) {
    let n = p.len();
    let mut all = PairList::default();
    for row in 0..n {
        // One row's list by itself has every length, so every tail; all together fill whole groups of eight.
        let mut own = PairList::default();
        circle_run(Text::Scalar, p.circles(), row, p.largest, row + 1..n, &mut own);
        circle_run(Text::Scalar, p.circles(), row, p.largest, row + 1..n, &mut all);
        check_circle_contacts(p, &own, what);
    }
    check_circle_contacts(p, &all, what);
    let mut all = PairList::default();
    for wall in 0..p.scene.x0.len() {
        let segment = p.scene.segment(wall);
        let mut own = PairList::default();
        wall_run(Text::Scalar, p.circles(), segment, wall as u32, p.largest, 0..n, &mut own);
        wall_run(Text::Scalar, p.circles(), segment, wall as u32, p.largest, 0..n, &mut all);
        check_segment_contacts(p, &own, what);
    }
    check_segment_contacts(p, &all, what);
}

#[test]
fn contacts_are_alike_in_all_texts_and_decided_exactly() {
    let seeds = if cfg!(debug_assertions) { 6 } else { 40 };
    for flavour in &FLAVOURS {
        for seed in 0..seeds {
            let n = (seed as usize * 7) % 41;
            let p = Padded::new(flavours::make(flavour, 100 + seed, n, 12, seed % 2 == 1));
            check_contacts(&p, &format!("{} {seed}", flavour.0));
        }
        let p = Padded::new(flavours::make(flavour, 55, 300, 20, true));
        check_contacts(&p, flavour.0);
    }
}

/// All pairs of rows, or the first few, in a list: the kernels have to drop those that are apart, too.
fn every(first: u32, second: impl Fn(u32) -> Range<u32>, count: usize) -> PairList {
    let mut pairs = PairList::default();
    for (a, b) in (0..first).flat_map(|a| second(a).map(move |b| (a, b))).take(count) {
        pairs.push(a, b);
    }
    pairs
}

/// Rows alone: those that the pairwise functions leave of a list, lower row first, whatever the order in the list.
fn check_rows(p: &Padded, margin: f32, count: usize, what: &str) -> [usize; 2] {
    let (n, walls) = (p.len(), p.scene.x0.len() as u32);
    let mut pairs = every(n, |a| a + 1..n, count);
    for k in 0..pairs.rows().0.len().min(40) {
        let (a, b) = (pairs.rows().0[k], pairs.rows().1[k]);
        pairs.push(b, a);
    }
    let rows = |pairs: &PairList| -> Vec<[u32; 2]> {
        pairs.rows().0.iter().zip(pairs.rows().1).map(|(&a, &b)| [a, b]).collect()
    };
    let near =
        |&[a, b]: &[u32; 2]| geometry::circles_within(p.scene.circle(a as usize), p.scene.circle(b as usize), margin);
    let circles: Vec<_> = rows(&pairs).into_iter().filter(near).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    let with_walls = every(n, |_| 0..walls, count);
    let touch =
        |&[a, b]: &[u32; 2]| geometry::circle_touches_segment(p.scene.circle(a as usize), p.scene.segment(b as usize));
    let segments: Vec<_> = rows(&with_walls).into_iter().filter(touch).collect();
    for text in Text::ALL {
        let mut found = Vec::new();
        circle_circle_pairs(text, p.circles(), margin, &pairs, &mut found);
        assert_eq!(found, circles, "{what}, {text:?}, margin {margin:e}");
        circle_segment_pairs(text, p.circles(), p.walls(), &with_walls, &mut found);
        assert_eq!(found, segments, "{what}, {text:?}");
    }
    [circles.len(), segments.len()]
}

#[test]
fn rows_alone_are_those_of_all_that_touches_or_is_near() {
    let mut found = [0; 2];
    let mut add = |more: [usize; 2]| found = [found[0] + more[0], found[1] + more[1]];
    for (k, flavour) in FLAVOURS.iter().enumerate() {
        for seed in 0..if cfg!(debug_assertions) { 4 } else { 24 } {
            let p = Padded::new(flavours::make(flavour, 4000 + seed * 7 + k as u64, 24, 9, seed % 2 == 1));
            // Margins of the size of radii, some that radii round away, and the largest.
            let largest = if p.largest > 0.0 { p.largest } else { 1.0 };
            for margin in [0.0, largest, largest * 0.5, largest * 1e-9, f32::from_bits(1), f32::MAX] {
                add(check_rows(&p, margin, usize::MAX, flavour.0));
            }
            for count in 0..18 {
                add(check_rows(&p, 0.0, count, flavour.0));
            }
        }
    }
    assert!(found.iter().all(|&n| n > 10_000), "{found:?}");
}

#[test]
fn the_harness_meets_sure_and_doubtful_pairs_of_every_feature() {
    // A harness that never reaches a path says nothing about it: count what the flavours contain.
    let mut seen = [0usize; 3];
    let (mut touching, mut penetrating, mut missed) = (0, 0, 0);
    for flavour in &FLAVOURS {
        for seed in 0..6 {
            let p = Padded::new(flavours::make(flavour, 100 + seed, 30, 12, true));
            let mut pairs = PairList::default();
            for wall in 0..p.scene.x0.len() {
                wall_run(
                    Text::Scalar,
                    p.circles(),
                    p.scene.segment(wall),
                    wall as u32,
                    p.largest,
                    0..p.len(),
                    &mut pairs,
                );
            }
            let mut contacts = Vec::new();
            circle_segment(Text::Scalar, p.circles(), p.walls(), &pairs, &mut contacts);
            missed += pairs.rows().0.len() - contacts.len();
            for contact in contacts {
                let feature =
                    [Feature::Interior, Feature::Start, Feature::End].iter().position(|f| *f == contact.feature);
                seen[feature.unwrap()] += 1;
                touching += usize::from(contact.separation == 0.0);
                penetrating += usize::from(contact.separation < 0.0);
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    assert!(touching > 50 && penetrating > 2000 && missed > 50, "{touching} {penetrating} {missed}");
}
