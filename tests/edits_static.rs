//! Promise: what is kept about static segments and mended after an edit is what would be made anew: contacts, in their order, events, motion and
//! answers are those of a world that was read from bytes just now, and so keeps nothing.

use crate::common::scenes::Rng;
use crate::common::truth::bytes;
use gridlane::{
    Bounds, Circle, Circles, Contacts, Detector, DetectorConfig, Filter, Frame, Hit, QueryFilter, Ray, Response,
    Segment, SegmentBody, SegmentHandle, Segments, Threads, World, WorldConfig,
};

/// A point on a grid of thirds or anywhere: grids have shared ends, straight chains and T-joints.
fn place(rng: &mut Rng) -> [f32; 2] {
    let (x, y) = (rng.range(-10.0, 10.0), rng.range(-10.0, 10.0));
    if rng.range(0.0, 1.0) < 0.8 { [x.round() as f32, y.round() as f32] } else { [x as f32, y as f32] }
}

fn wall(rng: &mut Rng) -> SegmentBody {
    let start = place(rng);
    let (kind, length) = (rng.range(0.0, 10.0) as usize, rng.range(1.0, 4.0).round() as f32);
    let end = match kind {
        0 => place(rng),
        1 => start,
        2..=5 => [start[0] + length, start[1]],
        6 | 7 => [start[0], start[1] - length],
        _ => [start[0] + length, start[1] + length],
    };
    let body = SegmentBody::from(Segment::new(start, end)).with_one_sided(rng.range(0.0, 1.0) < 0.3);
    match rng.range(0.0, 12.0) as usize {
        0 => body.with_velocity([rng.range(-1.0, 1.0) as f32, 0.0]),
        1 => body.with_sensor(true),
        2 => body.with_filter(Filter::new(2, 1)),
        3 => body.with_enabled(false),
        _ => body,
    }
}

fn world(rng: &mut Rng, config: WorldConfig, circles: usize, walls: usize) -> (World, Vec<SegmentHandle>) {
    let mut world = World::new(config).unwrap();
    for k in 0..circles {
        let center = [rng.range(-10.0, 10.0) as f32, rng.range(-10.0, 10.0) as f32];
        let speed = if k % 10 == 0 { 60.0 } else { 2.0 };
        let velocity = [rng.range(-speed, speed) as f32, rng.range(-speed, speed) as f32];
        world.add_circle(Circle::new(center, rng.range(0.1, 0.3) as f32).with_velocity(velocity)).unwrap();
    }
    // Rows of a grid, cut into pieces of 1, with stems that stand on them.
    let mut handles = Vec::new();
    for k in 0..walls {
        let (x, y) = ((k % 20) as f32 - 10.0, (k / 20) as f32 * 2.0 - 10.0);
        let body = match k % 7 {
            6 => Segment::new([x, y], [x, y + 1.0]),
            5 => Segment::new([x + 0.5, y], [x + 0.5, y + 0.7]),
            _ => Segment::new([x, y], [x + 1.0, y]),
        };
        handles.push(world.add_segment(body).unwrap());
    }
    (world, handles)
}

fn edit(world: &mut World, rng: &mut Rng, handles: &mut Vec<SegmentHandle>) {
    let at = rng.range(0.0, handles.len() as f64) as usize;
    let some = handles.get(at).copied();
    match (rng.range(0.0, 11.0) as usize, some) {
        (0 | 1, Some(some)) => {
            let enabled = world.segment(some).unwrap().enabled;
            world.set_segment_enabled(some, !enabled).unwrap();
        }
        (2 | 3, Some(some)) => world.set_segment(some, wall(rng)).unwrap(),
        (4, Some(some)) => {
            // A little further: joints open, chains bend.
            let mut body = world.segment(some).unwrap();
            body.shape.start.x += rng.range(-1.0, 1.0) as f32 * 1e-3;
            world.set_segment(some, body).unwrap();
        }
        (5 | 6, Some(some)) => {
            world.remove_segment(some).unwrap();
            handles.swap_remove(at);
        }
        (7, Some(some)) => {
            let body = world.segment(some).unwrap();
            world.set_segment(some, body.with_one_sided(!body.one_sided)).unwrap();
        }
        (8, Some(some)) => {
            let body = world.segment(some).unwrap();
            world.set_segment_sensor(some, !body.sensor).unwrap();
            world.set_segment_filter(some, Filter::new(1 + rng.range(0.0, 3.0) as u32, u32::MAX)).unwrap();
        }
        _ => handles.push(world.add_segment(wall(rng)).unwrap()),
    }
}

/// Both do the same.
fn agree(kept: &World, anew: &World, what: &str) {
    assert!(bytes(kept.contacts()) == bytes(anew.contacts()), "{what}");
    assert_eq!(kept.squeezed(), anew.squeezed(), "{what}");
    assert_eq!(kept.state_hash(), anew.state_hash(), "{what}");
    let mut hits = [Vec::new(), Vec::new()];
    for k in 0..12 {
        let angle = f64::from(k);
        let ray = Ray::new([0.3, -0.2], [(20.0 * angle.cos()) as f32, (20.0 * angle.sin()) as f32]);
        // Where the plane repeats and a wall has gone far there are too many images to ask for.
        let asked = |world: &World, hits: &mut Vec<_>| world.cast_ray_all(ray, QueryFilter::new(), hits);
        assert_eq!(asked(kept, &mut hits[0]), asked(anew, &mut hits[1]), "{what}, ray {k}");
        let [one, other] = hits.each_ref().map(|hits| bytemuck::cast_slice::<Hit, u8>(hits));
        assert!(one == other, "{what}, ray {k}: {hits:?}");
    }
}

fn run(seed: u64, config: WorldConfig, rounds: usize) {
    let mut rng = Rng::new(seed);
    let (mut world, mut handles) = world(&mut rng, config, 300, 180);
    for round in 0..rounds {
        let edits = [0, 1, 1, 2, 5, 40][rng.range(0.0, 6.0) as usize];
        for _ in 0..edits {
            edit(&mut world, &mut rng, &mut handles);
        }
        let mut anew = World::from_snapshot(&world.save()).unwrap();
        if round % 5 == 4 {
            world.detect().unwrap();
            anew.detect().unwrap();
            agree(&world, &anew, &format!("seed {seed}, round {round}, {edits} edits, detected"));
        }
        let [one, other] = [&mut world, &mut anew].map(|world| world.step(1.0 / 60.0).unwrap());
        assert_eq!((one.held, one.impacts), (other.held, other.impacts));
        let what = format!("seed {seed}, round {round}, {edits} edits");
        agree(&world, &anew, &what);
        assert_eq!(world.events(), anew.events(), "{what}");
    }
}

fn rounds(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 4 } else { most }
}

#[test]
fn mended_after_any_edit_it_is_as_made_anew() {
    let bounds = Bounds::Reflect { min: [-12.0; 2].into(), max: [12.0; 2].into() };
    for seed in 0..4 {
        let config = WorldConfig::default().with_bounds(bounds).with_threads(Threads::Fixed(1));
        run(seed, config.clone(), rounds(60));
        run(seed + 10, config.clone().with_restitution(0.3).with_gravity([0.0, -5.0]), rounds(60));
        run(seed + 20, config.with_response(Response::None), rounds(30));
    }
}

#[test]
fn where_the_plane_repeats_too() {
    let bounds = Bounds::periodic([-12.0, -12.0], [12.0, 12.0]);
    run(31, WorldConfig::default().with_bounds(bounds).with_gravity([0.0, -3.0]), rounds(60));
}

#[test]
#[ignore = "minutes"]
fn mended_for_long_it_is_as_made_anew() {
    let bounds = Bounds::Reflect { min: [-12.0; 2].into(), max: [12.0; 2].into() };
    for seed in 100..140 {
        run(seed, WorldConfig::default().with_bounds(bounds).with_gravity([0.0, -3.0]), 300);
    }
}

#[test]
fn ranges_replaced_in_a_detector() {
    let mut rng = Rng::new(7);
    let n = 400;
    let mut columns: [Vec<f32>; 4] = std::array::from_fn(|_| (0..n).map(|_| rng.range(-10.0, 10.0) as f32).collect());
    let x: Vec<f32> = (0..500).map(|_| rng.range(-10.0, 10.0) as f32).collect();
    let y: Vec<f32> = (0..500).map(|_| rng.range(-10.0, 10.0) as f32).collect();
    let circles = Circles { x: &x, y: &y, radius: &vec![0.2; 500] };
    let view = |columns: &[Vec<f32>; 4], rows: std::ops::Range<usize>| {
        let [x0, y0, x1, y1] = columns.each_ref().map(|column| column[rows.clone()].to_vec());
        [x0, y0, x1, y1]
    };
    let mut kept = Detector::new(DetectorConfig::default()).unwrap();
    let set = |detector: &mut Detector, columns: &[Vec<f32>; 4]| {
        let [x0, y0, x1, y1] = columns;
        detector.set_segments(Segments { x0, y0, x1, y1 }).unwrap();
    };
    set(&mut kept, &columns);
    let [mut one, mut other] = [Contacts::new(), Contacts::new()];
    for round in 0..40 {
        let from = rng.range(0.0, 390.0) as usize;
        let rows = from..from + [1, 1, 3, 10][round % 4];
        for row in rows.clone() {
            columns.iter_mut().for_each(|column| column[row] = rng.range(-10.0, 10.0) as f32);
        }
        let [x0, y0, x1, y1] = view(&columns, rows.clone());
        kept.replace_segments(rows.clone(), Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
        kept.detect(circles, &mut one).unwrap();
        let mut anew = Detector::new(DetectorConfig::default()).unwrap();
        set(&mut anew, &columns);
        anew.detect(circles, &mut other).unwrap();
        assert!(one.circle_segment().len() > 100);
        assert_eq!(format!("{:?}", one.circle_segment()), format!("{:?}", other.circle_segment()), "round {round}");
        assert_eq!(format!("{:?}", one.segment_segment()), format!("{:?}", other.segment_segment()), "round {round}");
    }
}

/// Three outlines, one after the other, as maps have them; their middles are crossed by a fourth.
fn outlines() -> Vec<Segment> {
    let corner = |x: f32, y: f32, r: f32, k: usize| {
        let angle = std::f64::consts::TAU * (k % 24) as f64 / 24.0;
        [x + r * angle.cos() as f32, y + r * angle.sin() as f32]
    };
    let outline =
        |x: f32, y: f32, r: f32| (0..24).map(move |k| Segment::new(corner(x, y, r, k), corner(x, y, r, k + 1)));
    [(-5.0, 0.0, 2.0), (0.0, 0.0, 2.0), (5.0, 0.0, 2.0), (2.5, 0.0, 3.0)]
        .into_iter()
        .flat_map(|(x, y, r)| outline(x, y, r))
        .collect()
}

#[test]
fn who_moves_does_not_change_the_order_among_those_that_stand() {
    let mut kept = World::new(WorldConfig::default()).unwrap();
    for wall in outlines() {
        kept.add_segment(wall).unwrap();
    }
    kept.step(0.1).unwrap();
    let pairs = |world: &World| world.contacts().segment_segment().iter().map(|c| (c.a, c.b)).collect::<Vec<_>>();
    let alone = pairs(&kept);
    // 96 joints, and each circle of a pair that crosses is crossed twice.
    assert_eq!(alone.len(), 96 + 2 * 2, "{alone:?}");
    for round in 0..3 {
        let door = SegmentBody::from(Segment::new([-0.5, 5.0], [0.5, 5.0])).with_velocity([0.0, -0.1]);
        let door = kept.add_segment(door).unwrap();
        for _ in 0..2 {
            let mut anew = World::from_snapshot(&kept.save()).unwrap();
            kept.step(0.1).unwrap();
            anew.step(0.1).unwrap();
            assert_eq!((pairs(&kept), pairs(&anew)), (alone.clone(), alone.clone()), "round {round}");
            agree(&kept, &anew, &format!("round {round}"));
        }
        kept.remove_segment(door).unwrap();
        let mut anew = World::from_snapshot(&kept.save()).unwrap();
        kept.step(0.1).unwrap();
        anew.step(0.1).unwrap();
        agree(&kept, &anew, &format!("round {round}, without"));
    }
}

#[test]
fn who_moves_does_not_change_it_in_a_detector_either() {
    let walls = outlines();
    let column = |of: fn(&Segment) -> f32| walls.iter().map(of).collect::<Vec<f32>>();
    let [x0, y0, x1, y1] = [column(|w| w.start.x), column(|w| w.start.y), column(|w| w.end.x), column(|w| w.end.y)];
    let moving = Segments { x0: &[-0.5], y0: &[5.0], x1: &[0.5], y1: &[5.0] };
    let circles = Circles { x: &[0.0], y: &[9.0], radius: &[0.1] };
    let pairs = |order: [bool; 3]| {
        let (mut detector, mut contacts) = (Detector::new(DetectorConfig::default()).unwrap(), Contacts::new());
        detector.set_segments(Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
        order.map(|moves| {
            // Each call writes to contacts of another, so that nothing that is there stays.
            contacts = Contacts::new();
            let frame = Frame::new(circles);
            detector.detect(if moves { frame.with_moving(moving) } else { frame }, &mut contacts).unwrap();
            contacts.segment_segment().iter().map(|c| (c.a, c.b)).collect::<Vec<_>>()
        })
    };
    let alone = pairs([false; 3])[0].clone();
    assert_eq!(alone.len(), 100);
    for order in [[false, true, false], [true, false, true], [true, true, false]] {
        assert_eq!(pairs(order), [(); 3].map(|()| alone.clone()), "{order:?}");
    }
}

/// A radius of -0 is one of 0, and is found again at its joints.
#[test]
fn a_radius_of_minus_zero_is_one_of_zero() {
    let count = |radius: f32| {
        let height = |k: usize| if k.is_multiple_of(2) { 0.0 } else { 0.5 };
        let piece = |k: usize| Segment::new([2.0 * k as f32, height(k)], [2.0 * k as f32 + 2.0, height(k + 1)]);
        let mut world = World::new(WorldConfig::default()).unwrap();
        let walls: Vec<_> = (0..8).map(|k| world.add_segment(piece(k).with_radius(radius)).unwrap()).collect();
        // One near each joint: it touches a flank, and an end that is hidden.
        for k in 0..8 {
            world.add_circle(Circle::new([2.0 * k as f32 + 0.1, height(k) + 0.3], 0.5)).unwrap();
        }
        world.step(0.0).unwrap();
        let before = world.contacts().circle_segment().len();
        let away = Segment::new([50.0, 50.0], [52.0, 50.0]).with_radius(radius);
        world.set_segment(walls[3], away).unwrap();
        world.step(0.0).unwrap();
        world.set_segment(walls[3], piece(3).with_radius(radius)).unwrap();
        world.step(0.0).unwrap();
        [before, world.contacts().circle_segment().len()]
    };
    let expected = count(0.0);
    assert!(expected[0] == expected[1] && expected[0] >= 8, "{expected:?}");
    assert_eq!(count(-0.0), expected);
}
