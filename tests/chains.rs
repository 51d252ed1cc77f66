//! Promise: a wall cut into pieces is the uncut wall on its flank: one contact, with its normal, separation and point bit for bit, and so
//! the same motion.
//!
//! The uncut wall goes from its lexicographically smaller end. Cuts are exact (along an axis, whole numbers) or rounded (from `f64`, or by `f32`
//! interpolation); pieces come in any order and direction.

use crate::common::joined::{by_circle, contacts, shuffled, walls_only, world};
use crate::common::scenes::Rng;
use gridlane::{Circle, CircleBody, CircleSegmentContact, Feature, Segment, SegmentBody, World, WorldConfig};

#[derive(Clone, Copy, Debug)]
enum Cut {
    Axis,
    Whole,
    Double,
    Single,
}

const CUTS: [Cut; 4] = [Cut::Axis, Cut::Whole, Cut::Double, Cut::Single];
const COUNTS: [usize; 8] = [1, 2, 3, 7, 31, 100, 333, 1000];

/// The vertices of a wall cut into `k` pieces, the first end the smaller.
fn cut(rng: &mut Rng, cut: Cut, k: usize) -> Vec<[f32; 2]> {
    let mut at = |low: f64, high: f64| rng.range(low, high);
    let (a, b) = match cut {
        Cut::Axis => ([at(-900.0, -800.0), at(-5.0, 5.0)], [at(700.0, 900.0), 0.0]),
        Cut::Whole => {
            let step = [at(1.0, 9.0).round(), at(-9.0, 9.0).round()];
            let a = [at(-4000.0, -3000.0).round(), at(-99.0, 99.0).round()];
            (a, [a[0] + step[0] * k as f64, a[1] + step[1] * k as f64])
        }
        _ => ([at(-400.0, -300.0), at(-300.0, 300.0)], [at(300.0, 400.0), at(-300.0, 300.0)]),
    };
    let (a, mut b) = (a.map(|v| v as f32), b.map(|v| v as f32));
    if let Cut::Axis = cut {
        b[1] = a[1];
    }
    let vertex = |i: usize| -> [f32; 2] {
        if i == 0 || i == k {
            return if i == 0 { a } else { b };
        }
        let t = i as f64 / k as f64;
        [0, 1].map(|axis| match cut {
            Cut::Single => a[axis] + (b[axis] - a[axis]) * t as f32,
            _ => (f64::from(a[axis]) + (f64::from(b[axis]) - f64::from(a[axis])) * t) as f32,
        })
    };
    (0..=k).map(vertex).collect()
}

/// The pieces, any order and direction.
fn pieces(rng: &mut Rng, vertices: &[[f32; 2]], one_sided: bool) -> Vec<SegmentBody> {
    let piece = |ends: &[[f32; 2]]| {
        let back = !one_sided && rng.range(0.0, 1.0) < 0.5;
        let segment = if back { Segment::new(ends[1], ends[0]) } else { Segment::new(ends[0], ends[1]) };
        segment.with_one_sided(one_sided)
    };
    let pieces = vertices.windows(2).map(piece).collect();
    shuffled(rng, pieces)
}

fn uncut(vertices: &[[f32; 2]], one_sided: bool) -> Vec<SegmentBody> {
    vec![Segment::new(vertices[0], vertices[vertices.len() - 1]).with_one_sided(one_sided)]
}

/// Circles beside a wall, many with their foot near a vertex or, as nearly as `f32` can, on it.
fn beside(rng: &mut Rng, vertices: &[[f32; 2]], count: usize) -> Vec<CircleBody> {
    let (a, b) = (vertices[0].map(f64::from), vertices[vertices.len() - 1].map(f64::from));
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0].hypot(d[1]);
    let circle = |k: usize| {
        let near = vertices[(rng.range(0.0, 1.0) * vertices.len() as f64) as usize].map(f64::from);
        let along = match k % 4 {
            0 => 0.0,
            1 => rng.range(-1e-4, 1e-4),
            _ => rng.range(-3.0, 3.0),
        };
        let radius = rng.range(0.5, 4.0);
        let height = radius * rng.range(-0.999, 0.999);
        let at = |axis: usize| near[axis] + (d[axis] * along + [-d[1], d[0]][axis] * height) / length;
        Circle::new([at(0) as f32, at(1) as f32], radius as f32).into()
    };
    (0..count).map(circle).collect()
}

/// Normal, separation and point, bit by bit.
fn bits(contact: &CircleSegmentContact) -> [u32; 5] {
    [contact.normal.x, contact.normal.y, contact.separation, contact.point.x, contact.point.y].map(f32::to_bits)
}

/// Holds a cut wall against the uncut one for some circles; how many touched its flank.
fn compare(cut: &[SegmentBody], uncut: &[SegmentBody], circles: &[CircleBody], what: &str) -> usize {
    let (of_cut, of_uncut) = (contacts(walls_only(), cut, circles), contacts(walls_only(), uncut, circles));
    let mut flanks = 0;
    for ((found, expected), circle) in of_cut.iter().zip(&of_uncut).zip(circles) {
        let Some(expected) = expected.first() else {
            // Off the line by units in the last place, a piece may touch what the line does not.
            assert!(found.iter().all(|contact| contact.separation > -1e-3), "{what}: {circle:?} {found:?}");
            continue;
        };
        if expected.feature != Feature::Interior {
            continue; // beyond an end: nothing is promised of the flank
        }
        if found.is_empty() && expected.separation > -1e-3 {
            continue;
        }
        assert_eq!(found.len(), 1, "{what}: {circle:?} {found:?}");
        assert_eq!(found[0].feature, Feature::Interior, "{what}: {circle:?}");
        assert_eq!(bits(&found[0]), bits(expected), "{what}: {circle:?} {found:?} {expected:?}");
        flanks += 1;
    }
    flanks
}

#[test]
fn on_its_flank_a_cut_wall_has_the_bits_of_the_uncut_one() {
    let mut rng = Rng::new(11);
    for kind in CUTS {
        let mut flanks = 0;
        for k in COUNTS {
            for round in 0..6 {
                let vertices = cut(&mut rng, kind, k);
                let circles = beside(&mut rng, &vertices, 300);
                let one_sided = round % 3 == 2;
                let what = format!("{kind:?} {k} {one_sided}");
                let pieces = pieces(&mut rng, &vertices, one_sided);
                flanks += compare(&pieces, &uncut(&vertices, one_sided), &circles, &what);
            }
        }
        assert!(flanks > 8000, "{kind:?}: {flanks}");
    }
}

#[test]
fn the_uncut_wall_may_be_given_from_either_end() {
    // Differences of ordinary coordinates and their products are exact in double precision: only signs change.
    let mut rng = Rng::new(12);
    for kind in CUTS {
        let vertices = cut(&mut rng, kind, 50);
        let circles = beside(&mut rng, &vertices, 300);
        let back: Vec<[f32; 2]> = vertices.iter().rev().copied().collect();
        let pieces = pieces(&mut rng, &vertices, false);
        assert!(compare(&pieces, &uncut(&back, false), &circles, "back") > 200, "{kind:?}");
    }
}

#[test]
fn far_large_and_small_walls_are_cut_as_well() {
    let mut rng = Rng::new(13);
    let mut compared = 0;
    for exponent in [-90i32, -20, 20, 60, 90] {
        let scale = f32::from_bits(((127 + exponent) as u32) << 23);
        for kind in CUTS {
            let vertices = cut(&mut rng, kind, 64);
            let circles = beside(&mut rng, &vertices, 100);
            let scaled: Vec<[f32; 2]> = vertices.iter().map(|p| p.map(|v| v * scale)).collect();
            let circles: Vec<CircleBody> = circles
                .iter()
                .map(|c| {
                    Circle::new([c.shape.center.x * scale, c.shape.center.y * scale], c.shape.radius * scale).into()
                })
                .collect();
            let (cut, whole) = (pieces(&mut rng, &scaled, false), uncut(&scaled, false));
            let (found, expected) = (contacts(walls_only(), &cut, &circles), contacts(walls_only(), &whole, &circles));
            let deep = |contact: &&CircleSegmentContact| contact.separation < -1e-3 * scale;
            for (found, expected) in found.iter().zip(&expected) {
                let Some(expected) = expected.first().filter(|c| c.feature == Feature::Interior).filter(deep) else {
                    continue;
                };
                assert_eq!((found.len(), bits(&found[0])), (1, bits(expected)), "{kind:?} {exponent}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn branches_at_its_vertices_do_not_matter_to_a_chain() {
    let mut rng = Rng::new(14);
    for kind in CUTS {
        for k in [2, 20] {
            let vertices = cut(&mut rng, kind, k);
            let mut walls = pieces(&mut rng, &vertices, false);
            let (a, b) = (vertices[0], vertices[k]);
            let left = [-(b[1] - a[1]), b[0] - a[0]];
            // Stems to the left of each inner vertex, in front of and behind the pieces.
            for (at, &vertex) in vertices[1..k].iter().enumerate() {
                let stem = Segment::new(vertex, [vertex[0] + left[0], vertex[1] + left[1]]).into();
                if at % 2 == 0 { walls.insert(0, stem) } else { walls.push(stem) }
            }
            // From the right all is as if there were no stems.
            let circles = beside(&mut rng, &vertices, 400);
            let right = |circle: &&CircleBody| {
                let (x, y) = (circle.shape.center.x - a[0], circle.shape.center.y - a[1]);
                f64::from(x) * f64::from(left[0]) + f64::from(y) * f64::from(left[1])
                    < -0.1 * f64::from(left[0]).hypot(f64::from(left[1]))
            };
            let circles: Vec<CircleBody> = circles.iter().filter(right).copied().collect();
            assert!(compare(&walls, &uncut(&vertices, false), &circles, &format!("{kind:?} {k}")) > 50);
        }
    }
}

#[test]
fn circles_move_along_a_cut_wall_as_along_the_uncut_one() {
    let mut rng = Rng::new(15);
    // Where vertices are exactly on the line: of rounded ones a piece may touch units in the last place before the line does.
    for kind in [Cut::Axis, Cut::Whole] {
        for k in [1, 2, 10, 100, 1000] {
            let vertices = cut(&mut rng, kind, k);
            let (a, b) = (vertices[0].map(f64::from), vertices[k].map(f64::from));
            // Downhill or flat, from above; far from the ends.
            let circles: Vec<CircleBody> = (0..40)
                .map(|_| {
                    let (t, radius) = (rng.range(0.3, 0.7), rng.range(0.5, 2.0));
                    let (d, height) = ([b[0] - a[0], b[1] - a[1]], rng.range(0.0, 3.0) + radius);
                    let l = d[0].hypot(d[1]);
                    let at = |axis: usize| (a[axis] + d[axis] * t + [-d[1], d[0]][axis] / l * height) as f32;
                    let velocity = [rng.range(-5.0, 5.0) as f32, rng.range(-5.0, 5.0) as f32];
                    Circle::new([at(0), at(1)], radius as f32).with_velocity(velocity)
                })
                .collect();
            let mut touched = 0;
            for restitution in [1.0, 0.3] {
                let config = || WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(restitution);
                let walls = pieces(&mut rng, &vertices, false);
                let (mut one, handles) = world(config(), &walls, &circles);
                let (mut two, others) = world(config(), &uncut(&vertices, false), &circles);
                // So short that nobody goes half his radius in one: what does, flies, and meets the pieces as they are.
                for step in 0..600 {
                    one.step(1.0 / 240.0).unwrap();
                    two.step(1.0 / 240.0).unwrap();
                    assert_eq!(one.stats().impacts, 0);
                    let state = |world: &gridlane::World| {
                        let c = world.circles();
                        [c.x(), c.y(), c.velocity_x(), c.velocity_y()]
                            .map(|column| column.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
                    };
                    assert_eq!(state(&one), state(&two), "{kind:?} {k} {restitution}: step {step}");
                    let count = |lists: Vec<Vec<CircleSegmentContact>>| lists.iter().map(Vec::len).sum::<usize>();
                    let found = [count(by_circle(&one, &handles)), count(by_circle(&two, &others))];
                    assert_eq!(found[0], found[1], "{kind:?} {k}");
                    touched += found[0];
                }
            }
            // Not one restitution alone: on the shortest walls they overlap from the start, and what may rest is let apart in all directions.
            assert!(touched >= circles.len(), "{kind:?} {k}: {touched}");
        }
    }
}

/// A column of thirty at rest on a floor of pieces: where that goes on, or ends, is nothing to who lies far from there, nor is a
/// piece that is cut in two under it.
#[test]
fn who_rests_on_a_floor_rests_on_while_it_grows() {
    let piece = |from: f32, to: f32| Segment::new([from, 0.0], [to, 0.0]);
    for what in ["left", "right", "left gone", "right gone", "both, and back", "the next one"] {
        let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.0);
        let mut world = World::new(config).unwrap();
        let pieces: Vec<_> = (0..10).map(|k| world.add_segment(piece(k as f32, k as f32 + 1.0)).unwrap()).collect();
        for k in 0..30 {
            world.add_circle(Circle::new([5.5, 0.5 + k as f32], 0.5)).unwrap();
        }
        let fastest = |world: &mut World, steps: usize| {
            let speed = |world: &World| world.circles().velocity_y().iter().fold(0.0f32, |most, v| most.max(v.abs()));
            (0..steps).fold(0.0f32, |most, _| {
                world.step(1.0 / 60.0).unwrap();
                most.max(speed(world))
            })
        };
        fastest(&mut world, 600);
        let before = fastest(&mut world, 60);
        match what {
            "left" => _ = world.add_segment(piece(-1.0, 0.0)).unwrap(),
            "right" => _ = world.add_segment(piece(10.0, 11.0)).unwrap(),
            "left gone" => _ = world.remove_segment(pieces[0]).unwrap(),
            "right gone" => _ = world.remove_segment(pieces[9]).unwrap(),
            "the next one" => {
                world.set_segment(pieces[4], piece(4.0, 4.5)).unwrap();
                world.add_segment(piece(4.5, 5.0)).unwrap();
            }
            _ => {
                for enabled in [false, true] {
                    world.set_segment_enabled(pieces[0], enabled).unwrap();
                    world.set_segment_enabled(pieces[9], enabled).unwrap();
                    world.step(1.0 / 60.0).unwrap();
                }
            }
        }
        let after = fastest(&mut world, 120);
        // A thousandth of what gravity gives in a step.
        assert!(before < 1.6e-4 && after < 1.6e-4, "{what}: {before:e}, then {after:e}");
    }
}

/// The largest coordinate is 10: a unit in its last place is 2^-20. A wall that bends by up to three is straight.
#[test]
fn straight_is_what_bends_by_no_more_than_three_units() {
    for k in 0..16u16 {
        let bend = f32::from(k) * 2.0f32.powi(-20);
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new([-10.0, 0.0], [0.0, bend])).unwrap();
        world.add_segment(Segment::new([0.0, bend], [10.0, 0.0])).unwrap();
        world.add_circle(Circle::new([0.5, -0.4], 0.75)).unwrap();
        world.step(0.0).unwrap();
        let told = world.contacts().circle_segment();
        let is_uncut = told.len() == 1 && <[f32; 2]>::from(told[0].normal) == [0.0, 1.0] && told[0].point.x == 0.5;
        assert_eq!(is_uncut, k <= 3, "{k}: {told:?}");
    }
}
