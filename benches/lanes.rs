//! What eight lanes cost, kernel by kernel: each by itself on columns that stay in the first cache, and in the searches that it is for.
//!
//! Comes in: nothing, or parts of names, of which only the cases are run; `once` first: each case once, as in the bench `budget`, for
//! `tools/kernels`, which counts instructions; the name of an instruction set first: in that one, which is how what was counted is timed. Goes out: the instruction set and the length of a cycle, estimated; then of each case its
//! name, how many times eight lanes it takes (0 where that is for the search to know), candidates, what is left of them, the shortest and
//! the mean time of a pass in nanoseconds, and the number of passes. Minima of many short samples, the cases taken in turn.

mod common;
#[path = "common/maps.rs"]
mod maps;

use common::scenes::{Rng, Scene};
use common::{Counts, KNOWN, assert_counts, circles, detector, in_cell_order, scene, segments};
use gridlane::internals::{self, Binned, Judged, Masks, PairList, Text, instruction_sets, with_instruction_set};
use gridlane::{
    Aabb, Backend, Circle, Circles, Contacts, Filters, MovingCircles, NeighborLists, PairLists, QueryFilter, Rays,
    Segment, instruction_set,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

const TEXT: Text = Text::Best;

/// One pass of the work gives how many are left.
struct Case {
    name: String,
    vectors: usize,
    candidates: usize,
    work: Box<dyn FnMut() -> usize>,
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.first().cloned() {
        Some(set) if instruction_sets().contains(&&*set) => {
            words.remove(0);
            with_instruction_set(&set, || run(words)).expect("it is there");
        }
        _ => run(words),
    }
}

fn run(mut words: Vec<String>) {
    let once = words.first().is_some_and(|word| word == "once");
    words.drain(..usize::from(once));
    let chosen = |case: &Case| words.is_empty() || words.iter().any(|word| case.name.contains(word.as_str()));
    let mut cases: Vec<Case> = Vec::new();
    alone(&mut cases);
    of_pairs(&mut cases);
    of_segments(&mut cases);
    in_searches(&mut cases, &words);
    cases.retain(chosen);
    if once {
        println!("{}", instruction_set());
        for Case { name, vectors, candidates, work } in &mut cases {
            work();
            println!("{name}\t{vectors}\t{candidates}");
            measured(work);
        }
    } else {
        timed(&mut cases);
    }
}

/// What is counted: every call of this is one case.
#[inline(never)]
fn measured(work: &mut dyn FnMut() -> usize) {
    black_box(work());
}

/// Samples of about a fifth of a millisecond, or of one pass.
fn timed(cases: &mut [Case]) {
    const ROUNDS: usize = 5;
    let few = if cases.len() > 1 { Duration::from_millis(60) } else { Duration::from_millis(1500) };
    let mut cycle = f64::MAX;
    let mut found: Vec<(f64, f64, usize, usize)> = vec![(f64::MAX, 0.0, 0, 0); cases.len()];
    for _ in 0..ROUNDS {
        for (case, (least, total, passes, left)) in cases.iter_mut().zip(&mut found) {
            let (start, mut at_once) = (Instant::now(), 1);
            *left = (case.work)();
            while start.elapsed() < few {
                let sample = Instant::now();
                for _ in 0..at_once {
                    black_box((case.work)());
                }
                let time = sample.elapsed().as_secs_f64() * 1e9;
                let each = time / at_once as f64;
                *least = if each < *least { each } else { *least };
                *total += time;
                *passes += at_once;
                at_once = std::cmp::max(1, (2e5 / each) as usize);
            }
            let now = clock();
            cycle = if now < cycle { now } else { cycle };
        }
    }
    println!("{}\t{cycle:.4}", instruction_set());
    for (case, (least, total, passes, left)) in cases.iter().zip(found) {
        let Case { name, vectors, candidates, .. } = case;
        println!("{name}\t{vectors}\t{candidates}\t{left}\t{least:.1}\t{:.1}\t{passes}", total / passes as f64);
    }
}

/// Nanoseconds a cycle: a shift and a sum, each of which waits for the other, take one cycle each on all that is meant.
fn clock() -> f64 {
    const STEPS: u64 = 20_000;
    let mut x = black_box(0x9E37_79B9_7F4A_7C15u64);
    let start = Instant::now();
    for _ in 0..STEPS {
        x = x.wrapping_add(x >> 7);
    }
    let time = start.elapsed().as_secs_f64() * 1e9;
    black_box(x);
    time / (2 * STEPS) as f64
}

/// A column with the eight NaN that lanes may read behind it.
fn padded(column: &[f32]) -> Vec<f32> {
    [column, &[f32::NAN; 8]].concat()
}

fn leaked(column: &[f32]) -> &'static [f32] {
    padded(column).leak()
}

fn add(cases: &mut Vec<Case>, name: &str, candidates: usize, work: impl FnMut() -> usize + 'static) {
    cases.push(Case { name: name.to_owned(), vectors: candidates.div_ceil(8), candidates, work: Box::new(work) });
}

fn columns(scene: &Scene) -> Circles<'static> {
    Circles { x: leaked(&scene.x), y: leaked(&scene.y), radius: leaked(&scene.radius) }
}

fn segment_columns(scene: &Scene) -> [&'static [f32]; 5] {
    let zeros = vec![0.0; scene.x0.len()];
    [&scene.x0, &scene.y0, &scene.x1, &scene.y1, &zeros].map(|column| leaked(column))
}

/// Kernels that give masks: a thousand rows against something in their middle.
fn alone(cases: &mut Vec<Case>) {
    let (discs, walls) = (in_cell_order(scene("gas-1k")), scene("gas-10k"));
    let (circles, [x0, y0, x1, y1, radius]) = (columns(&discs), segment_columns(&walls));
    let (rows, way) = (1000, [[0.1, 0.2], [3.0, 1.0]]);
    let boxes = boxes(&walls).map(|column| leaked(&column));
    let frame = Aabb::new([-3.0, -2.0], [4.0, 5.0]);
    let [thin, round] = [[x0, y0, x1, y1, &[]], [x0, y0, x1, y1, radius]];
    let kernels = [
        ("circle_mask", Masks::Circle(circles, Circle::new([0.3, 0.4], 0.5))),
        ("wall_mask", Masks::Wall(circles, Segment::new([-3.0, -1.0], [4.0, 2.0]), 0.5)),
        ("beam_mask", Masks::Beam(circles, way, 0.25)),
        ("ray_mask", Masks::Ray(thin, way)),
        ("sweep_mask", Masks::Sweep(thin, way, 0.25)),
        ("sweep_mask, radii", Masks::Sweep(round, way, 0.25)),
        ("near_mask", Masks::Near(thin, [0.3, 0.4], 5.0)),
        ("near_mask, radii", Masks::Near(round, [0.3, 0.4], 5.0)),
        ("circle_frame_masks", Masks::CircleFrame(circles, frame)),
        ("segment_frame_masks", Masks::SegmentFrame(thin, frame)),
        ("segment_frame_masks, radii", Masks::SegmentFrame(round, frame)),
        ("circle_distances", Masks::CircleDistances(circles, [0.3, 0.4], 5.0)),
        ("segment_distances", Masks::SegmentDistances(thin, [0.3, 0.4], 5.0)),
        ("segment_distances, radii", Masks::SegmentDistances(round, [0.3, 0.4], 5.0)),
        ("ahead_mask", Masks::Ahead(boxes)),
        ("box_mask", Masks::Box(boxes, [-5.0, -5.0, 5.0, 5.0])),
        ("line_mask", Masks::Line(boxes, [-5.0, -5.0, 5.0, 5.0], 0.0)),
    ];
    for (name, kernel) in kernels {
        let (mut out, mut reference) = (vec![0; rows / 8], vec![0; rows / 8]);
        internals::masks(TEXT, kernel, &mut out);
        internals::masks(Text::Scalar, kernel, &mut reference);
        assert_eq!(out, reference, "{name}");
        let left = out.iter().map(|mask| mask.count_ones() as usize).sum();
        add(cases, &format!("alone: {name}"), rows, move || {
            internals::masks(TEXT, kernel, black_box(&mut out));
            left
        });
    }
    // As many as are gathered for the nearest eight: each of them against all.
    let (numbers, mut ranks) = (&circles.radius[..32], vec![0.0; 32]);
    let least = internals::ranks(Text::Scalar, numbers, 8, &mut ranks);
    add(cases, "alone: ranks of 32", 32, move || {
        assert_eq!(internals::ranks(TEXT, black_box(numbers), 8, &mut ranks), least);
        ranks.len()
    });
    let mut pairs = PairList::default();
    add(cases, "alone: circle_run", rows - 8, move || {
        pairs.clear();
        internals::circle_run(TEXT, circles, 500, 0.5, 0..rows as u32 - 8, &mut pairs);
        pairs.rows().0.len()
    });
    let mut pairs = PairList::default();
    add(cases, "alone: box_run", rows, move || {
        pairs.clear();
        internals::box_run(TEXT, boxes, [-5.0, -5.0, 5.0, 5.0], 0, 0..rows as u32, &mut pairs);
        pairs.rows().0.len()
    });
}

/// Kernels that take pairs: all of a small gas that the kernels above let through.
fn of_pairs(cases: &mut Vec<Case>) {
    let discs = in_cell_order(scene("gas-1k"));
    let (circles, walls) = (columns(&discs), segment_columns(&discs));
    let (rows, mut of_circles, mut of_walls) = (discs.x.len() as u32, PairList::default(), PairList::default());
    for row in 0..rows {
        internals::circle_run(TEXT, circles, row, 0.5, row + 1..rows, &mut of_circles);
    }
    for row in 0..discs.x0.len() {
        let wall = Segment::new([discs.x0[row], discs.y0[row]], [discs.x1[row], discs.y1[row]]);
        internals::wall_run(TEXT, circles, wall, row as u32, 0.5, 0..rows, &mut of_walls);
    }
    let (of_circles, of_walls): (&PairList, &PairList) =
        (Box::leak(Box::new(of_circles)), Box::leak(Box::new(of_walls)));
    let [of_two, of_one] = [of_circles, of_walls].map(|pairs| pairs.rows().0.len());
    let (mut contacts, mut names) = (vec![], vec![]);
    internals::circle_circle(TEXT, circles, of_circles, &mut contacts);
    assert_eq!(contacts.len(), 621, "gas-1k: all pairs of circles");
    add(cases, "alone: circle_circle", of_two, move || {
        internals::circle_circle(TEXT, circles, of_circles, &mut contacts);
        contacts.len()
    });
    add(cases, "alone: circle_circle_pairs", of_two, move || {
        internals::circle_circle_pairs(TEXT, circles, 0.0, of_circles, &mut names);
        names.len()
    });
    let (mut contacts, mut names) = (vec![], vec![]);
    internals::circle_segment(TEXT, circles, walls, of_walls, &mut contacts);
    assert_eq!(contacts.len(), 298, "gas-1k: all pairs of a circle and a segment");
    let velocities = [&discs.velocity_x[..], &discs.velocity_y];
    let wall_eights: &internals::WallEights =
        Box::leak(Box::new(internals::WallEights::new(circles, velocities, walls, &contacts)));
    let flies_at = |contact: &gridlane::CircleSegmentContact| {
        let [x, y] = velocities.map(|column| f64::from(column[contact.a as usize]));
        x * f64::from(contact.normal.x) + y * f64::from(contact.normal.y) > 0.0
    };
    let flying_at = contacts.iter().take(of_one & !7).filter(|contact| flies_at(contact)).count();
    add(cases, "alone: circle_segment", of_one, move || {
        internals::circle_segment(TEXT, circles, walls, of_walls, &mut contacts);
        contacts.len()
    });
    add(cases, "alone: circle_segment_pairs", of_one, move || {
        internals::circle_segment_pairs(TEXT, circles, walls, of_walls, &mut names);
        names.len()
    });
    // Whole eights only.
    let eights: &internals::Eights = Box::leak(Box::new(internals::Eights::new(circles, velocities, of_circles)));
    let (a, b) = of_circles.rows();
    let approaches = |(&a, &b): (&u32, &u32)| {
        let along = |at: &[f32], way: &[f32]| {
            let of = |column: &[f32]| f64::from(column[b as usize]) - f64::from(column[a as usize]);
            of(at) * of(way)
        };
        along(circles.x, velocities[0]) + along(circles.y, velocities[1]) < 0.0
    };
    // All of them overlap: those that approach have met.
    let approaching = a.iter().zip(b).take(of_two & !7).filter(|&pair| approaches(pair)).count();
    assert_eq!(internals::impulses(TEXT, eights, 1.0)[0], approaching, "impulses");
    assert_eq!(internals::impulses(Text::Portable, eights, 1.0), internals::impulses(TEXT, eights, 1.0));
    assert_eq!(internals::pushes(Text::Portable, eights, 0.2), internals::pushes(TEXT, eights, 0.2));
    add(cases, "alone: bounce", of_two & !7, move || internals::impulses(TEXT, eights, 1.0)[1]);
    add(cases, "alone: push", of_two & !7, move || internals::pushes(TEXT, eights, 0.2));
    // All of them overlap: those that fly at their wall have met it, were all walls flanks.
    assert_eq!(internals::mirrors(TEXT, wall_eights, [1.0; 2], false), flying_at, "impulses of walls");
    for ends in [false, true] {
        let by = |text| internals::mirrors(text, wall_eights, [1.0; 2], ends);
        assert_eq!(by(Text::Portable), by(TEXT));
    }
    let pushed = internals::pushes_back(Text::Portable, wall_eights, 0.2);
    assert_eq!(pushed, internals::pushes_back(TEXT, wall_eights, 0.2));
    for (name, ends) in [("alone: mirror, flanks", false), ("alone: mirror, ends", true)] {
        add(cases, name, of_one & !7, move || internals::mirrors(TEXT, wall_eights, [1.0; 2], ends));
    }
    add(cases, "alone: push_back", of_one & !7, move || internals::pushes_back(TEXT, wall_eights, 0.2));
    add(cases, "alone: circle_gaps", of_two & !7, move || internals::gaps(TEXT, circles, None, of_circles) as usize);
    add(cases, "alone: segment_gaps", of_one & !7, move || {
        internals::gaps(TEXT, circles, Some(walls), of_walls) as usize
    });
}

/// Low x, low y, high x, high y of the segments.
fn boxes(scene: &Scene) -> [Vec<f32>; 4] {
    let order = |a: &[f32], b: &[f32], low: bool| -> Vec<f32> {
        a.iter().zip(b).map(|(&a, &b)| if (a < b) == low { a } else { b }).collect()
    };
    let Scene { x0, y0, x1, y1, .. } = scene;
    [order(x0, x1, true), order(y0, y1, true), order(x0, x1, false), order(y0, y1, false)]
}

/// Pairs whose boxes meet: strewn, all crossing, and those of a level, which share their ends.
fn of_segments(cases: &mut Vec<Case>) {
    let level = maps::all().next().expect("a map");
    for (name, scene, most) in
        [("gas", scene("gas-10k"), 1000), ("city", scene("city-100k"), 2000), ("level", level, 600)]
    {
        let rows = std::cmp::min(most, scene.x0.len());
        let row = |k: usize| [scene.x0[k], scene.y0[k], scene.x1[k], scene.y1[k]];
        let ends: Vec<[f32; 4]> = (0..rows).map(row).collect();
        let columns = boxes(&scene).map(|column| leaked(&column[..rows]));
        let mut pairs = PairList::default();
        for k in 0..rows {
            let query = columns.map(|column| column[k]);
            internals::box_run(TEXT, columns, query, k as u32, k as u32 + 1..rows as u32, &mut pairs);
        }
        let (count, mut out) = (pairs.rows().0.len(), vec![]);
        internals::segment_segment(Text::Scalar, &ends, &pairs, &mut out);
        let reference = out.clone();
        internals::segment_segment(TEXT, &ends, &pairs, &mut out);
        assert_eq!(out, reference, "{name}");
        let left = out.iter().filter(|verdict| **verdict == Some(true)).count();
        let starts = [&scene.x0, &scene.y0, &scene.x1, &scene.y1].map(|column| &*column[..rows].to_vec().leak());
        let met = internals::chain(TEXT, starts);
        assert_eq!(met, internals::chain(Text::Scalar, starts), "{name}");
        let links = (rows - 1) & !7;
        add(cases, &format!("alone: chain_verdicts, {name}"), links, move || internals::chain(TEXT, black_box(starts)));
        let mut found = Judged::default();
        add(cases, &format!("alone: verdicts, {name}"), count, move || {
            internals::judge(TEXT, &ends, &pairs, black_box(&mut found));
            left
        });
    }
}

/// Whole searches, of which the sampled or counted part that is one kernel's is told by whoever looks at addresses.
fn in_searches(cases: &mut Vec<Case>, words: &[String]) {
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for name in ["gas-10k", "gas-100k", "dense-100k", "city-100k"] {
        let [detect, pairs] = [format!("search: detect {name}"), format!("search: pairs {name}")];
        if wanted(&detect) || wanted(&pairs) {
            let scene: &Scene = Box::leak(Box::new(in_cell_order(scene(name))));
            let mut one = detector(scene, Backend::Wide, 1);
            let mut out = assert_counts(&mut one, scene, touching(name));
            add(cases, &detect, 0, move || {
                one.detect(circles(scene), &mut out).expect("finite");
                out.circle_circle().len() + out.circle_segment().len()
            });
            let (mut one, mut out) = (detector(scene, Backend::Wide, 1), PairLists::default());
            add(cases, &pairs, 0, move || {
                one.pairs(circles(scene), &mut out).expect("finite");
                out.circle_circle().len() + out.circle_segment().len()
            });
        }
    }
    if wanted("search: bin gas-100k") {
        let scene: &Scene = Box::leak(Box::new(in_cell_order(scene("gas-100k"))));
        let mut binned = Binned::default();
        add(cases, "search: bin gas-100k", 0, move || {
            binned.bin(circles(scene));
            binned.order().len()
        });
    }
    for name in ["soup-100k", "city-100k"] {
        let case = format!("search: segment pairs {name}");
        if wanted(&case) {
            let scene: &Scene = Box::leak(Box::new(scene(name)));
            let mut one = detector(scene, Backend::Wide, 1);
            let mut out = assert_counts(&mut one, scene, touching(name));
            add(cases, &case, 0, move || {
                one.set_segments(segments(scene)).expect("finite");
                one.detect(Circles { x: &[], y: &[], radius: &[] }, &mut out).expect("finite");
                out.segment_segment().len()
            });
        }
    }
    questions(cases, &wanted);
}

/// What is known to touch in a scene.
fn touching(name: &str) -> Counts {
    KNOWN.into_iter().find(|known| known.0 == name).expect("a known scene").1
}

/// Questions about a gas: a thousand rays, circles on their way and points; each circle's neighbours.
fn questions(cases: &mut Vec<Case>, wanted: &dyn Fn(&str) -> bool) {
    let names =
        ["search: rays gas-10k", "search: sweeps gas-10k", "search: neighbors gas-10k", "search: nearest gas-10k"];
    if !names.iter().any(|name| wanted(name)) {
        return;
    }
    let scene: &Scene = Box::leak(Box::new(in_cell_order(scene("gas-10k"))));
    let mut one = detector(scene, Backend::Wide, 1);
    one.detect(circles(scene), &mut Contacts::new()).expect("finite");
    one.set_circles(circles(scene), Filters::default()).expect("finite");
    let one = &*Box::leak(Box::new(one));
    let (filter, half, mut rng) = (QueryFilter::default(), f64::from(scene.half_width), Rng::new(0x5EED));
    let mut column =
        |half: f64| -> &'static [f32] { (0..1000).map(|_| rng.range(-half, half) as f32).collect::<Vec<f32>>().leak() };
    let (x, y, direction_x, direction_y) = (column(half), column(half), column(100.0), column(100.0));
    let rays = Rays { x, y, direction_x, direction_y, max: &[1.0; 1000], skip: &[] };
    let mut hits = vec![];
    add(cases, names[0], 0, move || {
        one.queries().cast_rays(rays, filter, &mut hits).expect("finite");
        hits.len()
    });
    let (mut hits, mut found) = (vec![], vec![]);
    let moving = MovingCircles { x, y, radius: &[0.25; 1000], motion_x: direction_x, motion_y: direction_y, skip: &[] };
    add(cases, names[1], 0, move || {
        one.queries().cast_circles(moving, filter, &mut hits).expect("finite");
        hits.len()
    });
    add(cases, names[3], 0, move || {
        one.queries().nearest_all(x, y, f32::MAX, filter, &mut found).expect("finite");
        found.len()
    });
    let mut near = NeighborLists::default();
    add(cases, names[2], 0, move || {
        one.queries().neighbors(0.5, filter, &mut near).expect("few");
        1
    });
}
