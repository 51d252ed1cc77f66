//! Promise: of walls that share an end, a circle has no contact with a hidden end, none twice, and never loses the nearest: held against
//! rational arithmetic.
//!
//! The rule is asked of the oracle in its own words: a wall at V is nearer than V if its nearest point is another one.

use crate::common::joined::{by_circle, contacts, names, of_shapes, walls_only, world};
use crate::common::oracle::{Q, Where, point_segment, q, q2};
use crate::common::scenes::Rng;
use crate::common::worlds::{FNV, fnv_on};
use gridlane::{
    Backend, Circle, CircleBody, CircleSegmentContact, EventKind, Feature, Filter, Response, Segment, SegmentBody,
    Threads, World, WorldConfig,
};
use std::path::Path;

/// What a circle is to a wall: touching, how near, where.
struct Pose {
    distance2: Q,
    at: Where,
    touches: bool,
}

fn pose(circle: Circle, wall: Segment) -> Pose {
    let near = point_segment(&q2(circle.center), &q2(wall.start), &q2(wall.end));
    let reach = q(circle.radius) + q(wall.radius);
    Pose { touches: near.distance2 <= &reach * &reach, distance2: near.distance2, at: near.at }
}

fn end_of(wall: Segment, at: Where) -> Option<[f32; 2]> {
    match at {
        Where::Start => Some(wall.start.into()),
        Where::End => Some(wall.end.into()),
        Where::Interior => None,
    }
}

/// By the rule for ends alone: rows and features of what is to be told, for two-sided walls of one radius that are neither straight nor
/// T-joined.
fn expected(circle: Circle, walls: &[Segment]) -> Vec<(u32, &'static str)> {
    let poses: Vec<Pose> = walls.iter().map(|&wall| pose(circle, wall)).collect();
    let mut told = Vec::new();
    for (row, (wall, pose)) in walls.iter().zip(&poses).enumerate().filter(|(_, (_, pose))| pose.touches) {
        let name = match pose.at {
            Where::Interior => "interior",
            Where::Start => "start",
            Where::End => "end",
        };
        let hidden = end_of(*wall, pose.at).is_some_and(|vertex| {
            walls.iter().zip(&poses).enumerate().any(|(other_row, (other, of_other))| {
                let shares = [other.start, other.end].map(<[f32; 2]>::from).contains(&vertex);
                let same_point = end_of(*other, of_other.at) == Some(vertex);
                other_row != row && shares && (!same_point || other_row < row)
            })
        });
        if !hidden {
            told.push((row as u32, name));
        }
    }
    told
}

/// The nearest is told, and no vertex twice, nor one from which a wall that is told comes nearer.
fn assert_sound(circle: Circle, walls: &[Segment], told: &[CircleSegmentContact], what: &str) {
    let poses: Vec<Pose> = walls.iter().map(|&wall| pose(circle, wall)).collect();
    let nearest = poses.iter().filter(|pose| pose.touches).map(|pose| &pose.distance2).min();
    let nearest_told = told.iter().map(|contact| &poses[contact.b as usize].distance2).min();
    assert_eq!(nearest, nearest_told, "{what}: the nearest is lost");
    for contact in told {
        assert!(poses[contact.b as usize].touches, "{what}: {contact:?} does not touch");
        let Some(vertex) = end_of(walls[contact.b as usize], poses[contact.b as usize].at) else { continue };
        if contact.feature == Feature::Interior {
            continue; // between two pieces of a straight chain
        }
        for other in told.iter().filter(|other| other.b != contact.b) {
            let wall = walls[other.b as usize];
            let shares = [wall.start, wall.end].map(<[f32; 2]>::from).contains(&vertex);
            assert!(
                !shares || end_of(wall, poses[other.b as usize].at).is_some_and(|v| v != vertex),
                "{what}: twice at {vertex:?}"
            );
        }
    }
}

/// Walls from one vertex and circles about it.
fn corner(rng: &mut Rng, count: usize) -> (Vec<Segment>, Vec<Circle>) {
    let vertex = [rng.range(-50.0, 50.0) as f32, rng.range(-50.0, 50.0) as f32];
    let walls = (0..count).map(|_| {
        let (l, a) = (rng.range(0.5, 9.0), rng.range(0.0, std::f64::consts::TAU));
        let far = [(f64::from(vertex[0]) + l * a.cos()) as f32, (f64::from(vertex[1]) + l * a.sin()) as f32];
        if rng.range(0.0, 1.0) < 0.5 { Segment::new(vertex, far) } else { Segment::new(far, vertex) }
    });
    let walls: Vec<Segment> = walls.collect();
    let circle = |_| {
        let at = |v: f32, rng: &mut Rng| (f64::from(v) + rng.range(-2.5, 2.5)) as f32;
        Circle::new([at(vertex[0], rng), at(vertex[1], rng)], rng.range(0.0, 2.5) as f32)
    };
    let circles = (0..40).map(circle).collect();
    (walls, circles)
}

#[test]
fn corners_of_two_to_four_walls_tell_what_rational_arithmetic_says() {
    let (mut rng, mut told, mut plain) = (Rng::new(2), 0, 0);
    for k in 0..450 {
        let (walls, circles) = corner(&mut rng, 2 + k % 3);
        for (found, &circle) in of_shapes(&walls, &circles).iter().zip(&circles) {
            assert_eq!(names(found), expected(circle, &walls), "{walls:?} {circle:?}");
            assert_sound(circle, &walls, found, "corner");
            told += found.len();
            plain += walls.iter().filter(|&&wall| pose(circle, wall).touches).count();
        }
    }
    assert!(told > 10_000 && told < plain * 3 / 4, "{told} of {plain}");
}

#[test]
fn on_a_lattice_where_every_tie_happens_the_nearest_stays_and_no_vertex_is_told_twice() {
    let mut rng = Rng::new(3);
    let mut told = 0;
    for _ in 0..400 {
        let mut whole = |n: i32| rng.range(-f64::from(n), f64::from(n)).round() as f32;
        let walls: Vec<Segment> = (0..6).map(|_| Segment::new([whole(2), whole(2)], [whole(2), whole(2)])).collect();
        let circles: Vec<Circle> =
            (0..30).map(|_| Circle::new([whole(6) / 2.0, whole(6) / 2.0], whole(2).abs())).collect();
        for (found, &circle) in of_shapes(&walls, &circles).iter().zip(&circles) {
            assert_sound(circle, &walls, found, &format!("{walls:?} {circle:?}"));
            told += found.len();
        }
    }
    assert!(told > 10_000, "{told}");
}

#[test]
fn a_convex_corner_is_told_once_and_a_concave_one_by_both_flanks() {
    // An L, and a circle of radius 1 outside of its corner, inside, and beside each leg near the corner.
    let walls = [Segment::new([0.0, 0.0], [9.0, 0.0]), Segment::new([0.0, 9.0], [0.0, 0.0])];
    let poses = [[-0.5, -0.5], [0.75, 0.75], [0.5, -0.5], [-0.5, 0.5], [0.0, -0.5]].map(|p| Circle::new(p, 1.0));
    let found = of_shapes(&walls, &poses);
    assert_eq!(names(&found[0]), [(0, "start")]);
    assert_eq!(names(&found[1]), [(0, "interior"), (1, "interior")]);
    assert_eq!((names(&found[2]), names(&found[3])), (vec![(0, "interior")], vec![(1, "interior")]));
    // The foot exactly on the vertex: nobody is nearer than the vertex.
    assert_eq!(names(&found[4]), [(0, "start")]);
}

#[test]
fn zero_is_one_vertex_whatever_its_sign() {
    let walls = [Segment::new([-9.0, 0.0], [0.0, -0.0]), Segment::new([-0.0, 0.0], [0.0, 9.0])];
    assert_eq!(names(&of_shapes(&walls, &[Circle::new([0.5, -0.5], 1.0)])[0]), [(0, "end")]);
}

#[test]
fn round_walls_join_walls_as_thick_and_no_others() {
    let legs = |r: f32, s: f32| {
        [Segment::new([0.0, 0.0], [9.0, 0.0]).with_radius(r), Segment::new([0.0, 0.0], [0.0, 9.0]).with_radius(s)]
    };
    let outside = [Circle::new([-0.5, -0.5], 1.0)];
    assert_eq!(names(&of_shapes(&legs(0.25, 0.25), &outside)[0]), [(0, "start")]);
    assert_eq!(names(&of_shapes(&legs(0.25, 0.5), &outside)[0]), [(0, "start"), (1, "start")]);
}

/// One circle against walls.
fn of(config: WorldConfig, walls: &[SegmentBody], circle: impl Into<CircleBody>) -> Vec<(u32, &'static str)> {
    names(&contacts(config, walls, &[circle.into()])[0])
}

#[test]
fn sensors_and_whom_filters_part_hide_nothing() {
    let floor = [Segment::new([0.0, 0.0], [9.0, 0.0]), Segment::new([9.0, 0.0], [9.0, -5.0])];
    // Beside the corner, above the floor: the floor hides the end of the other.
    let circle = Circle::new([8.5, 0.5], 1.0);
    let both = [(0, "interior"), (1, "start")];
    assert_eq!(of(walls_only(), &floor.map(SegmentBody::from), circle), both[..1]);
    let sensor = [floor[0].with_sensor(true), floor[1].into()];
    assert_eq!(of(walls_only(), &sensor, circle), both);
    // What a sensor touches is told, hidden or not.
    let sensor = [floor[0].into(), floor[1].with_sensor(true)];
    assert_eq!(of(walls_only(), &sensor, circle), both);
    assert_eq!(of(walls_only(), &floor.map(SegmentBody::from), circle.with_sensor(true)), both);
    let other = [floor[0].with_filter(Filter::new(2, 2)), floor[1].into()];
    assert_eq!(of(walls_only(), &other, circle), both[1..]);
    // It meets another circle still.
    assert_eq!(of(walls_only(), &other, circle.with_filter(Filter::new(3, 3))), both[..1]);
    // A chain with a gap for this circle has ends there.
    let chain = |filter: Filter| {
        let piece = |k: f32| Segment::new([k, 0.0], [k + 1.0, 0.0]);
        [piece(0.0).into(), piece(1.0).with_filter(filter), piece(2.0).into()]
    };
    let middle = Circle::new([1.5, 0.25], 1.0);
    assert_eq!(of(walls_only(), &chain(Filter::default()), middle), [(1, "interior")]);
    assert_eq!(of(walls_only(), &chain(Filter::NOTHING), middle), [(0, "end"), (2, "start")]);
}

#[test]
fn one_sided_walls_are_there_from_their_right_alone() {
    // Left to right: the right side is below.
    let wall = Segment::new([-5.0, 0.0], [5.0, 0.0]).with_one_sided(true);
    for (center, told) in [
        ([0.0, -0.5], vec![(0, "interior")]),
        ([0.0, 0.5], vec![]),
        ([0.0, 0.0], vec![]),
        ([5.0, 0.0], vec![]),
        // On its line and not on it: in front.
        ([5.5, 0.0], vec![(0, "end")]),
        ([5.5, f32::from_bits(1)], vec![]),
        ([5.5, -f32::from_bits(1)], vec![(0, "end")]),
    ] {
        for joints in [true, false] {
            assert_eq!(of(walls_only().with_joints(joints), &[wall], Circle::new(center, 1.0)), told, "{center:?}");
        }
    }
    // A room walked around clockwise is solid from inside. Below its floor only the two-sided leg is there, whose end nobody hides.
    let floor = Segment::new([5.0, 0.0], [-5.0, 0.0]).with_one_sided(true);
    let leg = SegmentBody::from(Segment::new([5.0, 0.0], [5.0, -9.0]));
    let below = Circle::new([4.5, 0.25], 1.0);
    assert_eq!(of(walls_only(), &[floor, leg], below), [(0, "interior")]);
    let back = Segment::new([-5.0, 0.0], [5.0, 0.0]).with_one_sided(true);
    assert_eq!(of(walls_only(), &[back, leg], below), [(1, "start")]);
}

#[test]
fn an_end_in_the_middle_of_another_wall_is_hidden() {
    let mut rng = Rng::new(5);
    let (mut off, mut poses) = (0, 0);
    for scale in [10.0, 1e4] {
        for _ in 0..150 {
            let mut point = || [rng.range(-scale, scale), rng.range(-scale, scale)];
            let (a, b, tip) = (point(), point(), point());
            let t = rng.range(0.2, 0.8);
            let joint = [0, 1].map(|k| (a[k] + (b[k] - a[k]) * t) as f32);
            let bar = Segment::new(a.map(|v| v as f32), b.map(|v| v as f32));
            let stem = Segment::new(joint, tip.map(|v| v as f32));
            off += usize::from(pose(Circle::new(joint, 0.0), bar).distance2 > Q::ZERO);
            // On the flank of the bar about the joint, 0.001 r and 0.02 r deep; one in two lies behind the bar as the stem sees it.
            let (d, length) = ([b[0] - a[0], b[1] - a[1]], (b[0] - a[0]).hypot(b[1] - a[1]));
            let radius = 0.05 * length;
            let circles: Vec<Circle> = (0..40)
                .map(|k| {
                    let (along, depth) = (rng.range(-0.1, 0.1), if k % 4 < 2 { 0.999 } else { 0.98 });
                    let side = if k % 2 == 0 { depth * radius } else { -depth * radius };
                    let normal = [-d[1] / length * side, d[0] / length * side];
                    let center = [0, 1].map(|k| (a[k] + d[k] * (t + along) + normal[k]) as f32);
                    Circle::new(center, radius as f32)
                })
                .collect();
            for (found, circle) in of_shapes(&[bar, stem], &circles).iter().zip(&circles) {
                let told = names(found);
                assert!(
                    told.contains(&(0, "interior")) && !told.contains(&(1, "start")),
                    "{bar:?} {stem:?} {circle:?}: {told:?}"
                );
                poses += usize::from(pose(*circle, stem).touches);
            }
        }
    }
    assert!(off > 250 && poses > 3000, "{off} of 300 joints are off the wall, {poses} ghost poses");
}

#[test]
fn equal_walls_tell_one_end_and_two_flanks() {
    let wall = Segment::new([0.0, 0.0], [5.0, 0.0]);
    let walls = [Segment::new([5.0, 0.0], [0.0, 0.0]), wall, wall];
    let found = of_shapes(&walls, &[Circle::new([-0.5, 0.5], 1.0), Circle::new([2.0, 0.5], 1.0)]);
    assert_eq!(names(&found[0]), [(0, "end")]);
    assert_eq!(names(&found[1]), [(0, "interior"), (1, "interior"), (2, "interior")]);
}

#[test]
fn a_point_at_a_vertex_is_hidden_as_any_end() {
    let walls =
        [[[5.0, 0.0], [5.0, 0.0]], [[0.0, 0.0], [5.0, 0.0]], [[5.0, 0.0], [9.0, 9.0]]].map(|[a, b]| Segment::new(a, b));
    let found = of_shapes(
        &walls,
        &[Circle::new([4.5, -0.5], 1.0), Circle::new([5.5, -1.0], 2.0), Circle::new([2.0, 0.0], 0.0)],
    );
    assert_eq!(names(&found[0]), [(1, "interior")]);
    // Below the corner, off both: the lowest row tells the vertex.
    assert_eq!(names(&found[1]), [(0, "start")]);
    assert_eq!(names(&found[2]), [(1, "interior")]);
}

#[test]
fn every_scale_has_the_same_contacts() {
    let mut rng = Rng::new(6);
    for _ in 0..20 {
        let (mut walls, circles) = corner(&mut rng, 3);
        // A T: the middle of the first wall, which halves exactly enough.
        let w = walls[0];
        walls.push(Segment::new([(w.start.x + w.end.x) / 2.0, (w.start.y + w.end.y) / 2.0], [60.0, 70.0]));
        let told: Vec<_> = of_shapes(&walls, &circles).iter().map(|found| names(found)).collect();
        for scale in [f32::from_bits((127 - 90) << 23), 1.0 / 1024.0, 1_048_576.0, f32::from_bits((127 + 110) << 23)] {
            let by = |v: gridlane::Vec2| [v.x * scale, v.y * scale];
            let walls: Vec<Segment> = walls.iter().map(|wall| Segment::new(by(wall.start), by(wall.end))).collect();
            let circles: Vec<Circle> = circles.iter().map(|c| Circle::new(by(c.center), c.radius * scale)).collect();
            let scaled: Vec<_> = of_shapes(&walls, &circles).iter().map(|found| names(found)).collect();
            assert_eq!(scaled, told, "{scale}");
        }
    }
}

#[test]
fn edits_are_seen() {
    let walls = [[[0.0, 0.0], [5.0, 0.0]], [[5.0, 0.0], [9.0, 3.0]]].map(|[a, b]| Segment::new(a, b).into());
    let (mut world, circle) = world(walls_only(), &walls, &[Circle::new([4.5, 0.5], 1.0).into()]);
    let told = |world: &mut World| {
        world.step(0.0).unwrap();
        names(&by_circle(world, &circle)[0])
    };
    assert_eq!(told(&mut world), [(0, "interior"), (1, "start")][..1]);
    let floor = world.segments().handles()[0];
    world.set_segment_sensor(floor, true).unwrap();
    assert_eq!(told(&mut world), [(0, "interior"), (1, "start")]);
    world.set_segment_sensor(floor, false).unwrap();
    assert_eq!(told(&mut world), [(0, "interior")]);
    world.set_segment(floor, Segment::new([0.0, -0.25], [5.0, -0.25])).unwrap();
    assert_eq!(told(&mut world), [(0, "interior"), (1, "start")]);
    world.set_segment(floor, walls[0]).unwrap();
    let saved = world.save();
    world.remove_segment(floor).unwrap();
    assert_eq!(told(&mut world), [(0, "start")]);
    world.add_segment(walls[0]).unwrap();
    assert_eq!(told(&mut world), [(1, "interior")]);
    // One that moves takes no part.
    world.add_segment(Segment::new([5.0, 0.0], [6.0, -9.0]).with_velocity([0.0, 1.0])).unwrap();
    assert_eq!(told(&mut world), [(1, "interior"), (2, "start")]);
    world.restore(&saved).unwrap();
    assert_eq!(told(&mut world), [(0, "interior")]);
    let floor = world.segments().handles()[0];
    world.set_segment_filter(floor, Filter::NOTHING).unwrap();
    assert_eq!(told(&mut world), [(1, "start")]);
}

#[test]
fn switched_off_without_response_and_in_detection_all_that_touches_is_told() {
    let walls = [[[0.0, 0.0], [5.0, 0.0]], [[5.0, 0.0], [9.0, 3.0]]].map(|[a, b]| Segment::new(a, b).into());
    let circle = Circle::new([4.5, 0.5], 1.0);
    let all = [(0, "interior"), (1, "start")];
    assert_eq!(of(walls_only(), &walls, circle), all[..1]);
    assert_eq!(of(walls_only().with_joints(false), &walls, circle), all);
    assert_eq!(of(walls_only().with_response(Response::None), &walls, circle), all);
    let (mut world, circle) = world(walls_only(), &walls, &[circle.into()]);
    world.detect().unwrap();
    assert_eq!(names(&by_circle(&world, &circle)[0]), all);
    assert!(world.config().joints);
    // The switch is part of what is saved.
    let plain = World::from_snapshot(&World::new(walls_only().with_joints(false)).unwrap().save()).unwrap();
    assert!(!plain.config().joints);
}

/// The solid lines of a level, and circles everywhere in it.
fn level() -> (Vec<SegmentBody>, Vec<CircleBody>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/maps/freedoom1-e1m1-solid.segments.csv");
    let mut reader = csv::Reader::from_path(file).unwrap();
    let rows: Vec<[f32; 4]> =
        reader.deserialize::<Vec<f32>>().map(|row| row.unwrap()[..4].try_into().unwrap()).collect();
    let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
    for row in &rows {
        for k in 0..4 {
            low[k % 2] = low[k % 2].min(row[k]);
            high[k % 2] = high[k % 2].max(row[k]);
        }
    }
    let mut rng = Rng::new(7);
    let circles = (0..20_000).map(|_| {
        let center = [0, 1].map(|k| rng.range(f64::from(low[k]), f64::from(high[k])) as f32);
        let velocity = [rng.range(-300.0, 300.0) as f32, rng.range(-300.0, 300.0) as f32];
        Circle::new(center, rng.range(4.0, 24.0) as f32).with_velocity(velocity)
    });
    let circles = circles.collect();
    (rows.iter().map(|&[x0, y0, x1, y1]| Segment::new([x0, y0], [x1, y1]).into()).collect(), circles)
}

#[test]
fn a_level_has_fewer_contacts_and_every_circle_that_touched_still_does() {
    let (walls, circles) = level();
    let plain = contacts(walls_only().with_joints(false), &walls, &circles);
    let told = contacts(walls_only(), &walls, &circles);
    let count = |found: &[Vec<CircleSegmentContact>]| found.iter().map(Vec::len).sum::<usize>();
    let shapes: Vec<Segment> = walls.iter().map(|wall| wall.shape).collect();
    for (k, ((circle, plain), told)) in circles.iter().zip(&plain).zip(&told).enumerate() {
        assert!(told.len() <= plain.len() && told.is_empty() == plain.is_empty());
        if plain.len() > 1 && k % 4 == 0 {
            assert_sound(circle.shape, &shapes, told, "level");
        }
    }
    // A fifth of what touches in such a level are ends that nobody can reach.
    let (plain, told) = (count(&plain), count(&told));
    println!("{plain} contacts, {told} without hidden ends");
    assert!(plain > 1500 && told * 10 < plain * 9, "{plain} {told}");
}

#[test]
fn threads_backends_and_snapshots_have_the_same_bits() {
    let (walls, circles) = level();
    let config = || WorldConfig::default().with_restitution(0.5).with_gravity([0.0, -200.0]);
    let run = |config: WorldConfig, snapshot: bool| {
        let (mut world, _) = world(config, &walls, &circles[..3000]);
        let mut hash = FNV;
        for step in 0..40 {
            world.step(1.0 / 60.0).unwrap();
            hash = fnv_on(hash, bytemuck::cast_slice(world.contacts().circle_segment()));
            if snapshot && step == 17 {
                world.restore(&world.save()).unwrap();
            }
        }
        (hash, world.state_hash())
    };
    let first = run(config().with_threads(Threads::Fixed(1)), false);
    for threads in [1, 2, 3] {
        for backend in [Backend::Wide, Backend::Scalar] {
            let config = config().with_threads(Threads::Fixed(threads)).with_backend(backend);
            assert_eq!(run(config, threads == 2), first, "{threads} {backend:?}");
        }
    }
}

#[test]
fn rolling_over_a_seam_ends_one_contact_and_begins_the_next() {
    let walls: Vec<SegmentBody> = (0..8).map(|k| Segment::new([k as f32, 0.0], [k as f32 + 1.0, 0.0]).into()).collect();
    let roller = Circle::new([0.5, 0.75], 1.0).with_velocity([1.0, 0.0]);
    let (mut world, _) = world(WorldConfig::default(), &walls, &[roller]);
    let handles = world.segments().handles().to_vec();
    let mut touching: Vec<u32> = Vec::new();
    for _ in 0..400 {
        world.step(1.0 / 64.0).unwrap();
        for event in world.events() {
            let gridlane::EventPair::CircleSegment(_, wall) = event.pair else { continue };
            let row = handles.iter().position(|&handle| handle == wall).unwrap() as u32;
            match event.kind {
                EventKind::Begin => touching.push(row),
                _ => touching.retain(|&other| other != row),
            }
        }
        let x = world.circles().x()[0];
        assert_eq!(touching, [x.floor() as u32], "{x}");
        assert_eq!(world.contacts().circle_segment()[0].feature, Feature::Interior);
    }
    assert!(world.circles().x()[0] > 6.0 && world.circles().velocity_x()[0] == 1.0);
}
