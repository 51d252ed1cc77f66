//! Promise: in every hard scene, at every scale, joints only take away: each circle that touches keeps its nearest contact, to within units
//! in the last place, and neither the order of the walls nor the backend tells in a bit.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::joined::{by_circle, contacts, names, shuffled, walls_only, world};
use crate::common::scenes::Rng;
use crate::common::truth::Columns;
use gridlane::{Backend, Circle, CircleBody, CircleSegmentContact, Filter, Segment, SegmentBody};

/// The distance of a number to the next.
fn ulp(v: f32) -> f64 {
    let v = v.abs().min(f32::MAX.next_down());
    f64::from(v.next_up()) - f64::from(v)
}

fn bodies(scene: &Columns) -> (Vec<SegmentBody>, Vec<CircleBody>) {
    let walls = (0..scene.x0.len()).map(|i| scene.segment(i).into());
    (walls.collect(), (0..scene.x.len()).map(|i| scene.circle(i).into()).collect())
}

/// The largest coordinate that two of them are computed from.
fn largest(circle: &CircleBody, walls: &[SegmentBody], contacts: &[CircleSegmentContact]) -> f32 {
    let c = circle.shape;
    let of_walls = contacts.iter().flat_map(|contact| {
        let w = walls[contact.b as usize].shape;
        [w.start.x, w.start.y, w.end.x, w.end.y, w.radius]
    });
    [c.center.x, c.center.y, c.radius]
        .into_iter()
        .chain(of_walls)
        .fold(0.0, |most, v| if v.abs() > most { v.abs() } else { most })
}

fn least(contacts: &[CircleSegmentContact]) -> f32 {
    contacts.iter().fold(0.0, |least, contact| if contact.separation < least { contact.separation } else { least })
}

/// Normals, separations and points as bits, in an order of their own; `None` where a centre is on a wall, whose side is then a matter of
/// its direction.
fn values(circle: &CircleBody, walls: &[SegmentBody], contacts: &[CircleSegmentContact]) -> Option<Vec<[u32; 5]>> {
    let on_wall = |contact: &CircleSegmentContact| {
        let reach = f64::from(circle.shape.radius) + f64::from(walls[contact.b as usize].shape.radius);
        f64::from(contact.separation) <= -reach * (1.0 - 1e-6)
    };
    let bits =
        |c: &CircleSegmentContact| [c.normal.x, c.normal.y, c.separation, c.point.x, c.point.y].map(f32::to_bits);
    let mut all: Vec<_> = contacts.iter().map(bits).collect();
    all.sort_unstable();
    (!contacts.iter().any(on_wall)).then_some(all)
}

#[test]
fn joints_take_away_and_never_the_nearest() {
    let (mut plain_count, mut told_count, mut compared) = (0, 0, 0);
    for flavour in &FLAVOURS {
        for seed in 0..24 {
            let scene = flavours::make(flavour, 4100 + seed, 60, 30 + seed as usize, seed % 2 == 1);
            let (walls, circles) = bodies(&scene);
            let told = contacts(walls_only(), &walls, &circles);
            let plain = contacts(walls_only().with_joints(false), &walls, &circles);
            assert_eq!(
                contacts(walls_only().with_backend(Backend::Scalar), &walls, &circles),
                told,
                "{}: scalar",
                flavour.0
            );
            let mut rng = Rng::new(seed);
            let mixed = shuffled(&mut rng, walls.clone());
            let told_mixed = contacts(walls_only(), &mixed, &circles);
            for (k, circle) in circles.iter().enumerate() {
                let (told, plain) = (&told[k], &plain[k]);
                let what = format!("{} {seed}, {circle:?}: {told:?} of {plain:?}", flavour.0);
                assert!(told.iter().all(|t| plain.iter().any(|p| p.b == t.b)), "{what}");
                assert!(told.windows(2).all(|pair| pair[0].b < pair[1].b), "{what}");
                assert_eq!(told.is_empty(), plain.is_empty(), "{what}");
                let slack = 16.0 * ulp(largest(circle, &walls, plain));
                assert!(f64::from(least(told)) <= f64::from(least(plain)) + slack, "{what}");
                for contact in told {
                    let n = contact.normal;
                    let length = f64::from(n.x).hypot(f64::from(n.y));
                    assert!(contact.separation <= 0.0 && (length - 1.0).abs() < 1e-6, "{what}");
                }
                if let Some(values) = values(circle, &walls, told) {
                    assert_eq!(
                        Some(values),
                        self::values(circle, &mixed, &told_mixed[k]),
                        "{what}: {:?}",
                        told_mixed[k]
                    );
                    compared += told.len();
                }
                plain_count += plain.len();
                told_count += told.len();
            }
        }
    }
    assert!(told_count < plain_count && compared > told_count / 2, "{told_count} of {plain_count}, {compared}");
}

#[test]
fn crowded_vertices_and_long_smooth_outlines_are_no_trap() {
    // 3 000 walls from one point, 20 000 points in one place, and an outline of 60 000 pieces none of which is straight with the next but two.
    let star = (0..3000).map(|k| {
        let (s, c) = (f64::from(k) * 0.002_094).sin_cos();
        gridlane::Segment::new([0.0, 0.0], [(c * 5.0) as f32, (s * 5.0) as f32]).into()
    });
    let points =
        (0..20_000).map(|k| gridlane::Segment::new([20.0, 0.0], [20.0, if k % 2 == 0 { 0.0 } else { 1.0 }]).into());
    let corner = |k: u32| {
        let (s, c) = (f64::from(k % 60_000) * (std::f64::consts::TAU / 60_000.0)).sin_cos();
        [(100.0 * c) as f32, (100.0 * s) as f32]
    };
    let outline = (0..60_000).map(|k| gridlane::Segment::new(corner(k), corner(k + 1)).into());
    let walls: Vec<SegmentBody> = star.chain(points).chain(outline).collect();
    let circle = |center: [f32; 2], r: f32| gridlane::Circle::new(center, r).into();
    let circles =
        [circle([-0.5, 0.25], 1.0), circle([19.5, -0.5], 1.0), circle([100.5, 0.0], 1.0), circle([98.5, 3.0], 2.0)];
    let (told, plain) =
        (contacts(walls_only(), &walls, &circles), contacts(walls_only().with_joints(false), &walls, &circles));
    assert_eq!(told[1].len(), 1);
    for (told, plain) in told.iter().zip(&plain) {
        assert!(!told.is_empty() && told.len() <= plain.len());
        assert!(least(told) <= least(plain) + 1e-4);
    }
}

/// What a circle at (x, 1/2) is to be told of walls along an axis, each of which reaches `1 + k` to both sides: those below it, or else the end of
/// the longest, which is nearest. All of them end in the middle of all longer ones.
fn nested(x: f32, radius: f32, walls: impl Iterator<Item = u32>) -> Vec<(u32, &'static str)> {
    let walls: Vec<u32> = walls.collect();
    let below: Vec<_> = walls.iter().filter(|&&k| x < 1.0 + k as f32).map(|&k| (k, "interior")).collect();
    let touches = |k: &&u32| (x - 1.0 - **k as f32).powi(2) + 0.25 <= radius * radius;
    let end = walls.last().filter(touches).map(|&k| (k, "end"));
    if below.is_empty() { end.into_iter().collect() } else { below }
}

#[test]
fn of_many_walls_on_one_line_each_is_told_as_of_few_also_after_edits() {
    for count in [8u32, 40, 120, 400] {
        let wall = |k: u32| {
            let reach = 1.0 + k as f32;
            let ends = Segment::new([-reach, 0.0], [reach, 0.0]);
            // For some circles every other wall is not there.
            if k.is_multiple_of(2) { ends.with_filter(Filter::new(2, 3)) } else { ends.into() }
        };
        let walls: Vec<SegmentBody> = (0..count).map(wall).collect();
        let poses: Vec<(f32, f32)> =
            (0..4 * count + 9).map(|k| (k as f32 / 4.0 + 0.125, [0.75, 1.5, 4.0][k as usize % 3])).collect();
        let circles: Vec<CircleBody> = poses
            .iter()
            .enumerate()
            .map(|(k, &(x, r))| {
                let circle = Circle::new([x, 0.5], r);
                if k % 4 == 1 { circle.with_filter(Filter::new(1, 1)) } else { circle.with_filter(Filter::new(3, 3)) }
            })
            .collect();
        let (mut world, handles) = world(walls_only(), &walls, &circles);
        let rows = world.segments().handles().to_vec();
        let mut there = vec![true; count as usize];
        // Then the longest go, a fifth at a time, and all come back.
        let fifth = |k: usize| count as usize * k / 5;
        for round in 0..6 {
            let (edited, back) =
                if round < 5 { (fifth(5 - round)..fifth(6 - round), false) } else { (0..fifth(5), true) };
            for k in edited.filter(|_| round > 0) {
                there[k] = back;
                world.set_segment_filter(rows[k], if back { walls[k].filter } else { Filter::NOTHING }).unwrap();
            }
            world.step(0.0).unwrap();
            for (k, (told, &(x, radius))) in by_circle(&world, &handles).iter().zip(&poses).enumerate() {
                let acts = |wall: &u32| there[*wall as usize] && !(k % 4 == 1 && wall.is_multiple_of(2));
                let expected = nested(x, radius, (0..count).filter(acts));
                assert_eq!(names(told), expected, "{count} walls, round {round}, at {x}, {radius}");
            }
        }
    }
}
