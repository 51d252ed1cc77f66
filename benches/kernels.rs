//! The kernels one by one: runs of candidates and contacts of pairs, each text on the same input.
//!
//! Throughput counts the pairs looked at. Contacts are held against the exact pair functions before the clock starts.

mod common;

use common::scenes::Scene;
use common::{circles, in_cell_order, scene};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::internals::{self, PairList, Text};
use gridlane::{Circle, Circles, Segment, geometry};
use std::hint::black_box;
use std::ops::Range;

/// Circles in cell order with eight NaN behind the last row, as the kernels want them.
struct Columns {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    rows: usize,
    largest: f32,
}

impl Columns {
    fn new(scene: &Scene) -> Columns {
        let padded = |column: &[f32]| [column, &[f32::NAN; 8]].concat();
        let Circles { x, y, radius } = circles(scene);
        let largest = radius.iter().fold(0.0, |most, &r| if r > most { r } else { most });
        Columns { x: padded(x), y: padded(y), radius: padded(radius), rows: x.len(), largest }
    }

    fn view(&self) -> Circles<'_> {
        Circles { x: &self.x, y: &self.y, radius: &self.radius }
    }

    fn circle(&self, row: usize) -> Circle {
        Circle::new([self.x[row], self.y[row]], self.radius[row])
    }
}

/// How many candidates a probe has: one vector and a bit, as in a grid, and many, as in a crowded cell.
const RUNS: [usize; 2] = [11, 256];

fn circle_candidates(c: &mut Criterion) {
    let columns = Columns::new(&in_cell_order(scene("gas-1k")));
    let mut group = c.benchmark_group("candidates/circle_circle");
    for length in RUNS {
        let work: Vec<(u32, Range<u32>)> = (0..columns.rows)
            .map(|row| (row as u32, row as u32 + 1..(row + 1 + length).min(columns.rows) as u32))
            .collect();
        let all = |text: Text, pairs: &mut PairList| {
            pairs.clear();
            for (row, run) in &work {
                internals::circle_run(text, columns.view(), *row, columns.largest, run.clone(), pairs);
            }
        };
        let looked_at: usize = work.iter().map(|(_, run)| run.len()).sum();
        let touch = |row: u32, other: u32| {
            geometry::circles_touch(columns.circle(row as usize), columns.circle(other as usize))
        };
        let touching = work
            .iter()
            .flat_map(|(row, run)| run.clone().map(move |o| (*row, o)))
            .filter(|&(a, b)| touch(a, b))
            .count();
        group.throughput(Throughput::Elements(looked_at as u64));
        let mut pairs = PairList::default();
        for text in Text::ALL {
            all(text, &mut pairs);
            let mut contacts = vec![];
            internals::circle_circle(text, columns.view(), &pairs, &mut contacts);
            assert_eq!(contacts.len(), touching, "{text:?}: no touching pair may be lost");
            group.bench_function(BenchmarkId::new(format!("{text:?}"), format!("runs of {length}")), |b| {
                b.iter(|| all(text, black_box(&mut pairs)));
            });
        }
    }
    group.finish();
}

/// Each segment against runs of circles that are near its middle.
fn segment_candidates(c: &mut Criterion) {
    let scene = in_cell_order(scene("gas-1k"));
    let columns = Columns::new(&scene);
    let walls = walls(&scene);
    let mut group = c.benchmark_group("candidates/circle_segment");
    for length in RUNS {
        let work: Vec<Range<u32>> = walls.iter().map(|&wall| near(&columns, wall, length)).collect();
        let all = |text: Text, pairs: &mut PairList| {
            pairs.clear();
            for (row, (wall, run)) in walls.iter().zip(&work).enumerate() {
                internals::wall_run(text, columns.view(), *wall, row as u32, columns.largest, run.clone(), pairs);
            }
        };
        let touch = |row: u32, wall: Segment| geometry::circle_touches_segment(columns.circle(row as usize), wall);
        let touching: usize =
            walls.iter().zip(&work).map(|(&wall, run)| run.clone().filter(|&row| touch(row, wall)).count()).sum();
        group.throughput(Throughput::Elements(work.iter().map(|run| run.len() as u64).sum()));
        let mut pairs = PairList::default();
        for text in Text::ALL {
            all(text, &mut pairs);
            let mut contacts = vec![];
            internals::circle_segment(
                text,
                columns.view(),
                wall_columns(&scene, &vec![0.0; walls.len()]),
                &pairs,
                &mut contacts,
            );
            assert_eq!(contacts.len(), touching, "{text:?}: no touching pair may be lost");
            group.bench_function(BenchmarkId::new(format!("{text:?}"), format!("runs of {length}")), |b| {
                b.iter(|| all(text, black_box(&mut pairs)));
            });
        }
    }
    group.finish();
}

/// Contacts of all pairs that the candidate kernels let through.
fn contacts(c: &mut Criterion) {
    let scene = in_cell_order(scene("gas-1k"));
    let columns = Columns::new(&scene);
    let walls = walls(&scene);
    let (mut circle_pairs, mut segment_pairs) = (PairList::default(), PairList::default());
    let rows = columns.rows as u32;
    for row in 0..rows {
        internals::circle_run(Text::Scalar, columns.view(), row, columns.largest, row + 1..rows, &mut circle_pairs);
    }
    for (row, &wall) in walls.iter().enumerate() {
        internals::wall_run(
            Text::Scalar,
            columns.view(),
            wall,
            row as u32,
            columns.largest,
            0..rows,
            &mut segment_pairs,
        );
    }
    let zeros = vec![0.0; walls.len()];
    let mut group = c.benchmark_group("contacts");
    for text in Text::ALL {
        let mut out = vec![];
        internals::circle_circle(text, columns.view(), &circle_pairs, &mut out);
        assert_eq!(out.len(), 621, "gas-1k: all pairs of circles");
        group.throughput(Throughput::Elements(circle_pairs.rows().0.len() as u64));
        group.bench_function(BenchmarkId::new("circle_circle", format!("{text:?}")), |b| {
            b.iter(|| internals::circle_circle(text, columns.view(), &circle_pairs, black_box(&mut out)));
        });
        let mut out = vec![];
        internals::circle_segment(text, columns.view(), wall_columns(&scene, &zeros), &segment_pairs, &mut out);
        assert_eq!(out.len(), 298, "gas-1k: all pairs of a circle and a segment");
        group.throughput(Throughput::Elements(segment_pairs.rows().0.len() as u64));
        group.bench_function(BenchmarkId::new("circle_segment", format!("{text:?}")), |b| {
            let walls = wall_columns(&scene, &zeros);
            b.iter(|| internals::circle_segment(text, columns.view(), walls, &segment_pairs, black_box(&mut out)));
        });
    }
    group.finish();
}

/// All pairs of the segments of a scene: boxes against boxes, then verdicts on those that meet.
fn segments(c: &mut Criterion) {
    let walls = walls(&scene("gas-10k"));
    let rows = walls.len() as u32;
    let ends: Vec<[f32; 4]> = walls.iter().map(|w| [w.start.x, w.start.y, w.end.x, w.end.y]).collect();
    let boxes: Vec<[f32; 4]> =
        ends.iter().map(|&[x0, y0, x1, y1]| [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]).collect();
    let column = |k: usize| boxes.iter().map(|b| b[k]).chain([f32::NAN; 8]).collect::<Vec<f32>>();
    let columns = [0, 1, 2, 3].map(column);
    let columns = [0, 1, 2, 3].map(|k| &columns[k][..]);
    let meet = |text: Text, pairs: &mut PairList| {
        pairs.clear();
        for row in 0..rows {
            internals::box_run(text, columns, boxes[row as usize], row, row + 1..rows, pairs);
        }
    };
    let (mut pairs, mut verdicts) = (PairList::default(), vec![]);
    let mut group = c.benchmark_group("segments");
    for text in Text::ALL {
        meet(text, &mut pairs);
        internals::segment_segment(text, &ends, &pairs, &mut verdicts);
        let (a, b) = pairs.rows();
        let touch = |i: usize| geometry::segments_touch(walls[a[i] as usize], walls[b[i] as usize]);
        let touching = (0..a.len()).filter(|&i| verdicts[i].unwrap_or_else(|| touch(i))).count();
        assert_eq!(touching, 436, "gas-10k: all pairs of segments, {text:?}");
        group.throughput(Throughput::Elements(u64::from(rows * (rows - 1) / 2)));
        group.bench_function(BenchmarkId::new("boxes", format!("{text:?}")), |b| b.iter(|| meet(text, &mut pairs)));
        group.throughput(Throughput::Elements(pairs.rows().0.len() as u64));
        group.bench_function(BenchmarkId::new("verdicts", format!("{text:?}")), |b| {
            b.iter(|| internals::segment_segment(text, &ends, &pairs, black_box(&mut verdicts)));
        });
    }
    group.finish();
}

fn walls(scene: &Scene) -> Vec<Segment> {
    (0..scene.x0.len()).map(|k| Segment::new([scene.x0[k], scene.y0[k]], [scene.x1[k], scene.y1[k]])).collect()
}

fn wall_columns<'a>(scene: &'a Scene, radius: &'a [f32]) -> [&'a [f32]; 5] {
    [&scene.x0, &scene.y0, &scene.x1, &scene.y1, radius]
}

/// So many rows about the circle that is nearest to the middle of a segment.
fn near(columns: &Columns, wall: Segment, length: usize) -> Range<u32> {
    let middle = [(wall.start.x + wall.end.x) / 2.0, (wall.start.y + wall.end.y) / 2.0];
    let square = |row: &usize| (columns.x[*row] - middle[0]).powi(2) + (columns.y[*row] - middle[1]).powi(2);
    let row = (0..columns.rows).min_by(|a, b| square(a).total_cmp(&square(b))).expect("not empty");
    let from = row.saturating_sub(length / 2).min(columns.rows - length);
    from as u32..(from + length) as u32
}

criterion_group! { name = benches; config = common::criterion(); targets = circle_candidates, segment_candidates, contacts, segments }
criterion_main!(benches);
