//! Promise: a wall far out, or one that goes far out, is like any other: it takes nothing from what happens elsewhere, holds,
//! and is found.

use crate::common::near_truth::NearTruth;
use crate::common::scenes::Rng;
use crate::common::truth::{Columns, Sets, bytes};
use gridlane::{
    Backend, Circle, CircleHandle, Circles, Contacts, Detector, DetectorConfig, Filters, NeighborLists, Neighbors,
    QueryFilter, Response, Segment, SegmentBody, Segments, StepStats, Target, TargetKind, Threads, World, WorldConfig,
    geometry,
};

const DT: f32 = 1.0 / 60.0;

/// Two hundred circles, every other one fast, among eighty short walls, of which one in so many moves; and one wall more, if there is to be one.
fn town(moving: usize, far: Option<SegmentBody>) -> World {
    let (mut world, mut rng) = (World::new(WorldConfig::default()).unwrap(), Rng::new(7));
    for k in 0..200 {
        let mut any = |size: f64| [0; 2].map(|_| rng.range(-size, size) as f32);
        let speed = [3.0, 300.0][k % 2];
        world.add_circle(Circle::new(any(30.0), 0.25).with_velocity(any(speed))).unwrap();
        if k % 5 < 2 {
            let (start, way) = (any(30.0), any(4.0));
            let wall = Segment::new(start, [start[0] + way[0], start[1] + way[1]]);
            let moves = (k / 5).is_multiple_of(moving);
            world.add_segment(if moves { wall.with_velocity([0.5, 0.25]) } else { wall.into() }).unwrap();
        }
    }
    if let Some(wall) = far {
        world.add_segment(wall).unwrap();
    }
    world
}

/// Where all circles are and how fast, as bits, in the order of their handles.
fn state(world: &World) -> Vec<[u32; 4]> {
    let columns = world.circles();
    let mut rows: Vec<(CircleHandle, usize)> = columns.handles().iter().copied().zip(0..).collect();
    rows.sort_unstable();
    let numbers =
        |row: usize| [columns.x()[row], columns.y()[row], columns.velocity_x()[row], columns.velocity_y()[row]];
    rows.into_iter().map(|(_, row)| numbers(row).map(f32::to_bits)).collect()
}

#[test]
fn how_far_out_a_wall_is_changes_nothing_elsewhere() {
    for (moves, moving) in [(false, 4), (true, 4), (false, 1), (true, 1)] {
        let far = |at: f32| {
            let wall = Segment::new([at, -at], [at * 1.01, -at]);
            Some(if moves { wall.with_velocity([1.0, 1.0]) } else { SegmentBody::from(wall) })
        };
        let mut worlds = [far(1e6), far(1e9), far(1e15), far(1e30)].map(|far| town(moving, far));
        let (mut alone, mut met, mut differing) = (town(moving, None), 0, 0);
        for step in 0..60 {
            let stats = worlds.each_mut().map(|world| world.step(DT).unwrap());
            let expected = state(&worlds[0]);
            for (world, of_world) in worlds[1..].iter().zip(&stats[1..]) {
                assert!(state(world) == expected, "{moves}, {moving}, step {step}");
                let of = |stats: &StepStats| (stats.impacts, stats.held, stats.squeezed, stats.circle_segment);
                assert_eq!(of(of_world), of(&stats[0]), "{moves}, {moving}, step {step}");
            }
            met += stats[0].impacts;
            // Nor is it much else than without any: in the first step everybody comes to where he would have come.
            alone.step(DT).unwrap();
            if step == 0 {
                for (found, expected) in expected.iter().zip(state(&alone)) {
                    let off = |k: usize| (f32::from_bits(found[k]) - f32::from_bits(expected[k])).abs();
                    assert!(
                        off(0).max(off(1)) < 1e-3 && off(2).max(off(3)) < 1e-2,
                        "{moves}, {moving}: {found:?} {expected:?}"
                    );
                    differing += usize::from(*found != expected);
                }
            }
        }
        assert!(met > 200 && differing < 100, "{moves}, {moving}: {met}, {differing}");
    }
}

/// A short wall at the side, beside which the ulp of the long ones is coarse.
const SHORT: [[f32; 2]; 2] = [[60.0, -50.0], [61.0, -50.0]];

#[test]
fn what_flies_into_a_wall_across_everything_is_reflected_where_it_is() {
    for far in [1e5f32, 1e9, 1e20, 3e38] {
        let mut world = World::new(WorldConfig::default().with_restitution(1.0)).unwrap();
        let wall = world.add_segment(Segment::new([-far, -far], [far, far])).unwrap();
        world.add_segment(Segment::new(SHORT[0], SHORT[1])).unwrap();
        // The diagonal is 10 / √2 away; 20 in this step.
        let body = Circle::new([0.0, 10.0], 0.5).with_velocity([0.0, -20.0 / DT]);
        let circle = world.add_circle(body).unwrap();
        world.step(DT).unwrap();
        let [impact] = world.impacts() else { panic!("{far}: {:?}", world.impacts()) };
        assert_eq!((impact.circle, impact.segment), (circle, wall));
        // Its centre came to (0, y), y / √2 = 1 / 2: the foot of that, and the other axis exchanged for this one from there on.
        let y = 0.5f64.sqrt();
        let near = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-5 * (1.0 + b.abs());
        assert!(near(impact.point.x, y / 2.0) && near(impact.point.y, y / 2.0), "{far}: {impact:?}");
        assert!(near(impact.normal.x, y) && near(impact.normal.y, -y), "{far}: {impact:?}");
        let body = world.circle(circle).unwrap();
        assert!(near(body.shape.center.x, -(10.0 + y)) && near(body.shape.center.y, y), "{far}: {body:?}");
        assert!(near(body.velocity.x, -20.0 / f64::from(DT)) && body.velocity.y.abs() < 1e-2, "{far}: {body:?}");
    }
}

#[test]
fn a_valley_between_slopes_without_end_holds_what_falls_into_it() {
    for far in [1e9f32, 1e20, 3e38] {
        let config = WorldConfig::default().with_gravity([0.0, -200.0]).with_restitution(0.5);
        let (mut world, mut rng) = (World::new(config).unwrap(), Rng::new(3));
        for side in [-far, far] {
            world.add_segment(Segment::new([0.0, 0.0], [side, far])).unwrap();
        }
        world.add_segment(Segment::new([0.0, 40.0], [0.5, 40.0])).unwrap();
        for _ in 0..60 {
            let (x, y) = (rng.range(-15.0, 15.0) as f32, rng.range(20.0, 60.0) as f32);
            let velocity = [rng.range(-300.0, 300.0) as f32, rng.range(-300.0, 100.0) as f32];
            world.add_circle(Circle::new([x, y], rng.range(0.05, 0.8) as f32).with_velocity(velocity)).unwrap();
        }
        let mut met = 0;
        for step in 0..400 {
            met += world.step(DT).unwrap().impacts;
            let circles = world.circles();
            for (x, y) in circles.x().iter().zip(circles.y()) {
                assert!(x.abs() <= *y, "{far}, step {step}: ({x}, {y})");
            }
        }
        // They have come down: sixty of them fill the valley to no more than this.
        let highest = world.circles().y().iter().fold(0.0f32, |most, &y| most.max(y));
        assert!(met > 30 && highest < 30.0, "{far}: {met}, {highest}");
    }
}

/// Two hundred circles in a town about the origin and, where there are two, as many in another; short walls in both and anywhere far out; and walls that lead
/// from here to there, or past both.
fn towns(second: Option<[f32; 2]>, seed: u64) -> Columns {
    let (mut scene, mut rng) = (Columns::default(), Rng::new(seed));
    let places: Vec<[f32; 2]> = [[0.0; 2]].into_iter().chain(second).collect();
    let near = |rng: &mut Rng, [x, y]: [f32; 2]| [x + rng.range(-15.0, 15.0) as f32, y + rng.range(-15.0, 15.0) as f32];
    for &place in &places {
        for _ in 0..200 {
            scene.push_circle(near(&mut rng, place), rng.range(0.2, 0.5) as f32);
            let at = near(&mut rng, place);
            scene.push_segment(at, [at[0] + rng.range(-2.0, 2.0) as f32, at[1] + rng.range(-2.0, 2.0) as f32]);
        }
    }
    for k in 0..120 {
        let far = 10f64.powf(rng.range(4.0, [7.0, 12.0, 30.0][k % 3]));
        let [a, b] = [0; 2].map(|_| [0; 2].map(|_| rng.range(-far, far)));
        let (x, y) = (rng.range(-20.0, 20.0), rng.range(-20.0, 20.0));
        match k % 4 {
            0 => scene.push_segment(a.map(|v| v as f32), b.map(|v| v as f32)),
            1 => scene.push_segment(a.map(|v| v as f32), near(&mut rng, places[k % places.len()])),
            2 => scene.push_segment([(x - far) as f32, y as f32], [(x + far) as f32, (y + a[1] * 1e-6) as f32]),
            _ => scene.push_segment([(x + a[0]) as f32, (y + a[1]) as f32], [(x - a[0]) as f32, (y - a[1]) as f32]),
        }
    }
    scene
}

#[test]
fn what_touches_and_what_is_near_is_found_however_far_out_it_is() {
    let mut met = 0;
    for seed in 0..12 {
        // A box; and tori of two sizes, whose second town is further out than indices are linear.
        for second in [None, Some([3e5, -2e5]), Some([7e6, 1e3])] {
            let scene = towns(second, seed);
            let (circles, expected) = (scene.circles(), Sets::brute(&scene));
            let mut first: Option<Vec<u8>> = None;
            for (backend, threads) in [(Backend::Scalar, 1), (Backend::Wide, 1), (Backend::Wide, 3)] {
                let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let (mut detector, mut contacts) = (Detector::new(config).unwrap(), Contacts::new());
                detector.set_segments(scene.segments()).unwrap();
                detector.detect(circles, &mut contacts).unwrap();
                Sets::reported(&contacts, "far out").assert_equal(&expected, "far out");
                let bytes = bytes(&contacts);
                assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{backend:?} {threads}");
                detector.set_circles(circles, Filters::default()).unwrap();
                let (queries, mut lists, all) = (detector.queries(), NeighborLists::default(), QueryFilter::new());
                queries.neighbors(0.25, all, &mut lists).unwrap();
                for row in 0..scene.x.len() {
                    let is_near =
                        |&k: &usize| geometry::circle_segment_within(scene.circle(row), scene.segment(k), 0.25);
                    let expected = (0..scene.x0.len()).filter(is_near).map(|k| Target::segment(k as u32));
                    let found =
                        lists.get(row).iter().map(|near| near.target).filter(|near| near.kind == TargetKind::Segment);
                    assert!(found.eq(expected), "{seed}, {second:?}, {row}");
                }
                let truth = NearTruth { scene: &scene, sees: &|_| true };
                for k in (0..scene.x0.len()).rev().step_by(7) {
                    let mut found = Vec::new();
                    queries.overlap_segment(scene.segment(k), all, &mut found).unwrap();
                    assert_eq!(found, truth.of_segment(scene.segment(k)), "{seed}, {second:?}, {k}");
                }
            }
            met += expected.circle_segment.len();
        }
    }
    assert!(met > 5000, "{met}");
}

#[test]
fn a_wall_across_everything_that_comes_upon_a_town_fast_leaves_nobody_behind() {
    for far in [1e3f32, 3e5, 1e9] {
        let (mut world, mut rng) = (World::new(WorldConfig::default()).unwrap(), Rng::new(5));
        for _ in 0..300 {
            let at = [rng.range(-30.0, 30.0) as f32, rng.range(0.0, 20.0) as f32];
            world.add_circle(Circle::new(at, 0.25)).unwrap();
        }
        // Three radii a step.
        let wall = SegmentBody::from(Segment::new([-far, -2.0], [far, -2.0])).with_velocity([0.0, 0.75 / DT]);
        let wall = world.add_segment(wall).unwrap();
        let mut held = 0;
        for step in 0..40 {
            held += world.step(DT).unwrap().held;
            let (height, circles) = (world.segment(wall).unwrap().shape.start.y, world.circles());
            assert!(world.squeezed().is_empty() && circles.y().iter().all(|&y| y >= height), "{far}, step {step}");
        }
        assert!(held > 100, "{far}: {held}");
    }
}

/// Grains in two places, so that their cells repeat, and walls so far out that most of them are held against all of those by boxes.
#[test]
fn walls_that_meet_nobody_take_little_memory() {
    let (mut rng, mut walls, mut x, mut y) = (Rng::new(3), vec![], vec![], vec![]);
    for _ in 0..20_000 {
        let [a, b] = [0; 2].map(|_| rng.range(-50_000.0, 50_000.0) as f32);
        walls.push([a, b, a + rng.range(-5.0, 5.0) as f32, b + rng.range(-5.0, 5.0) as f32]);
    }
    for k in 0..4_000 {
        let place = [0.0, 100.0][k % 2];
        x.push(place + rng.range(-0.2, 0.2) as f32);
        y.push(place + rng.range(-0.2, 0.2) as f32);
    }
    let mut detector = Detector::new(DetectorConfig::default()).unwrap();
    detector.set_segments(&walls[..]).unwrap();
    detector.detect(Circles { x: &x, y: &y, radius: &[0.001; 4_000] }, &mut Contacts::new()).unwrap();
    // A list of a thousand pairs for each eight walls would be a kilobyte for each.
    let each = detector.bytes() / (walls.len() + x.len());
    assert!(each < 256, "{each} bytes a body");
}

/// A few thousand walls so long, and in the last two places so many grains so small, that nobody lists the cells of all.
fn map_and_grains(case: usize, rng: &mut Rng) -> (Columns, [[f32; 2]; 2]) {
    let (mut scene, places) = (Columns::default(), [[-300.0f32, 120.0], [411.0, -77.0]]);
    let long = [3.0, 30.0, 300.0][case % 3];
    for k in 0..2_000 {
        // One of twenty in one of the places.
        let (from, spread) = if k % 20 == 0 { (places[k / 20 % 2], 2.0) } else { ([0.0; 2], 500.0) };
        let start = from.map(|v| v + rng.range(-spread, spread) as f32);
        scene.push_segment(start, start.map(|v| v + rng.range(-long, long) as f32));
    }
    (scene, places)
}

/// What is listed of walls that stand, and how, depends on what was before: circles were few, or small, walls were edited, cells were others. What
/// touches, and in which order it is told, does not.
#[test]
fn what_grains_touch_of_a_large_map_is_told_as_by_a_detector_without_a_past() {
    let (mut touching, mut close, mut rng) = (0, 0, Rng::new(11));
    for case in 0..12 {
        let (mut scene, places) = map_and_grains(case, &mut rng);
        let (radius, spread) = [(0.3, 9.0), (0.02, 1.0)][case / 3 % 2];
        let detector = || Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).unwrap();
        let (mut kept, mut contacts, mut fresh_contacts) = (detector(), Contacts::new(), Contacts::new());
        kept.set_segments(scene.segments()).unwrap();
        for frame in 0..16 {
            let edited = [0, 0, 3, 0, 160, [0, 900][case % 2], 0, 1][frame % 8];
            for k in 0..edited {
                // Tall, and the same ones short again in the second half.
                let (row, long) = (k * 37 % 2000, [600.0, 2.0][frame / 8]);
                scene.x1[row] = scene.x0[row] + rng.range(-long, long) as f32;
                scene.y1[row] = scene.y0[row] + rng.range(-long, long) as f32;
                let [x0, y0, x1, y1] = [&scene.x0, &scene.y0, &scene.x1, &scene.y1].map(|column| &column[row..=row]);
                kept.replace_segments(row..row + 1, Segments { x0, y0, x1, y1 }).unwrap();
            }
            scene.x.clear();
            scene.y.clear();
            scene.radius.clear();
            for k in 0..[40, 400, 900, 900][(frame + case) / 2 % 4] {
                let at = places[k % 2].map(|v| v + rng.range(-spread, spread) as f32);
                // In some frames one is, or some are, thousands of times as large.
                let large = [0, 0, 1, 7][(frame + case) % 4];
                scene.push_circle(at, if k < large { 90.0 } else { radius * rng.range(0.5, 1.0) as f32 });
            }
            kept.detect(scene.circles(), &mut contacts).unwrap();
            let mut fresh = detector();
            fresh.set_segments(scene.segments()).unwrap();
            fresh.detect(scene.circles(), &mut fresh_contacts).unwrap();
            assert!(bytes(&contacts) == bytes(&fresh_contacts), "{case}, frame {frame}");
            let scene = &scene;
            let of = |k: usize| {
                let touches =
                    move |&wall: &usize| geometry::circle_touches_segment(scene.circle(k), scene.segment(wall));
                (0..scene.x0.len()).filter(touches).map(move |wall| [k as u32, wall as u32])
            };
            let mut found: Vec<[u32; 2]> = contacts.circle_segment().iter().map(|c| [c.a, c.b]).collect();
            found.sort_unstable();
            assert!(found.iter().copied().eq((0..scene.x.len()).flat_map(of)), "{case}, frame {frame}");
            touching += found.len();
            if frame % 4 == 3 {
                kept.set_circles(scene.circles(), Filters::default()).unwrap();
                let (mut lists, away) = (NeighborLists::default(), spread as f32 * 0.1);
                kept.queries().neighbors(away, QueryFilter::new().segments_only(), &mut lists).unwrap();
                for k in 0..scene.x.len() {
                    let within =
                        |&wall: &usize| geometry::circle_segment_within(scene.circle(k), scene.segment(wall), away);
                    let expected = (0..scene.x0.len()).filter(within).map(|wall| Target::segment(wall as u32));
                    assert!(lists.get(k).iter().map(|near| near.target).eq(expected), "{case}, frame {frame}, {k}");
                    close += lists.get(k).len();
                }
            }
        }
    }
    assert!(touching > 2_000 && close > 1_000, "{touching} {close}");
}

/// Grains in two places and tall walls that move, most of which are far from both: those that come upon one of them, fast, push it ahead; all touch whom
/// they touch; and a world that was restored goes on as this one.
#[test]
fn tall_walls_that_move_far_from_grains_and_upon_them() {
    let (mut touching, mut held) = (0, 0);
    for (case, seed) in (0..8).enumerate() {
        let (mut rng, places) = (Rng::new(seed), [[0.0f32, 0.0], [9_000.0, 400.0]]);
        let response = [Response::Impulse, Response::None][case % 2];
        let config = WorldConfig::default().with_joints(false).with_response(response).with_restitution(0.0);
        let (mut world, mut again) = (World::new(config.clone()).unwrap(), World::new(config).unwrap());
        for k in 0..600 {
            let at = places[k % 2].map(|v| v + rng.range(-1.0, 1.0) as f32);
            world.add_circle(Circle::new(at, rng.range(0.02, 0.04) as f32)).unwrap();
        }
        for _ in 0..200 {
            let [x, y] = [0; 2].map(|_| rng.range(100.0, 8_000.0) as f32);
            let (height, speed) = (rng.range(-60.0, 60.0) as f32, [0; 2].map(|_| rng.range(-1.0, 1.0) as f32));
            world.add_segment(Segment::new([x, y], [x + 1.0, y + height]).with_velocity(speed)).unwrap();
        }
        // Three of the larger radii a step from the left, and slowly from the right.
        let tall = |x: f32, speed: f32| Segment::new([x, -90.0], [x + 0.5, 90.0]).with_velocity([speed, 0.0]);
        let left = world.add_segment(tall(-2.0, 0.12 / DT)).unwrap();
        world.add_segment(tall(9_000.9, -0.01 / DT)).unwrap();
        for step in 0..24 {
            if step % 6 == 5 {
                again.restore(&world.save()).unwrap();
            }
            held += world.step(DT).unwrap().held;
            if step % 6 == 5 {
                again.step(DT).unwrap();
                assert_eq!(state(&world), state(&again), "{case}, step {step}");
                assert_eq!(world.contacts().circle_segment(), again.contacts().circle_segment(), "{case}, step {step}");
            }
            let (circles, walls) = (world.circles(), world.segments());
            let circle = |k: usize| Circle::new([circles.x()[k], circles.y()[k]], circles.radius()[k]);
            let wall = |k: usize| Segment::new([walls.x0()[k], walls.y0()[k]], [walls.x1()[k], walls.y1()[k]]);
            if response == Response::None {
                let mut found: Vec<[u32; 2]> = world.contacts().circle_segment().iter().map(|c| [c.a, c.b]).collect();
                found.sort_unstable();
                let of = |k: usize| {
                    let touches = move |&b: &usize| geometry::circle_touches_segment(circle(k), wall(b));
                    (0..walls.len()).filter(touches).map(move |b| [k as u32, b as u32])
                };
                assert!(found.iter().copied().eq((0..circles.len()).flat_map(of)), "{case}, step {step}");
                touching += found.len();
            } else {
                assert!(world.squeezed().is_empty(), "{case}, step {step}");
                let Segment { start, end, .. } = world.segment(left).unwrap().shape;
                // To the right of it, in double precision.
                let ahead = |k: usize| {
                    let [(ex, ey), (qx, qy)] = [end, circle(k).center]
                        .map(|p| (f64::from(p.x) - f64::from(start.x), f64::from(p.y) - f64::from(start.y)));
                    ex * qy - ey * qx < 0.0
                };
                assert!((0..circles.len()).all(ahead), "{case}, step {step}");
            }
        }
    }
    assert!(touching > 400 && held > 100, "{touching} {held}");
}

#[test]
fn who_is_near_a_large_circle_among_grains_far_apart_is_found() {
    let (mut near, mut large) = (0, 0);
    for seed in 0..6 {
        let (mut scene, mut rng) = (Columns::default(), Rng::new(seed));
        let places: Vec<[f64; 2]> = (0..4).map(|_| [0; 2].map(|_| rng.range(-4e3, 4e3))).collect();
        for k in 0..700 {
            let (at, spread) = if k % 20 < 18 { (places[k % 4], 1.0) } else { (places[k % 3], [9.0, 3e3][k % 2]) };
            let at = at.map(|v| (v + rng.range(-spread, spread)) as f32);
            let radius = if k % 20 < 18 { rng.range(0.02, 0.04) } else { rng.range(4.0, 20.0) };
            scene.push_circle(at, radius as f32);
        }
        let mut detector = Detector::new(DetectorConfig::default()).unwrap();
        detector.set_circles(scene.circles(), Filters::default()).unwrap();
        let (mut lists, mut rows) = (NeighborLists::default(), Neighbors::default());
        detector.queries().neighbors(0.25, QueryFilter::new(), &mut lists).unwrap();
        detector.neighbors(scene.circles(), 0.25, &mut rows).unwrap();
        for k in 0..scene.x.len() {
            let is_near =
                |&other: &usize| other != k && geometry::circles_within(scene.circle(k), scene.circle(other), 0.25);
            let expected: Vec<u32> = (0..scene.x.len()).filter(is_near).map(|other| other as u32).collect();
            assert!(lists.get(k).iter().map(|near| near.target.row).eq(expected.iter().copied()), "{seed}, {k}");
            let mut found = rows.of(k).to_vec();
            found.sort_unstable();
            assert_eq!(found, expected, "{seed}, {k}");
            near += expected.len();
            large += if scene.radius[k] > 1.0 { expected.len() } else { 0 };
        }
    }
    assert!(near > 5_000 && large > 500, "{near} {large}");
}
