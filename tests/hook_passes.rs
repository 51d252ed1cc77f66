//! Promise: whom a hook lets through a wall, that wall is not there for until the next step has asked again: not where others hold him, come upon him or
//! push him, nor where it is joined with others; and what the next step is told counts in it.

use crate::common::scenes::Rng;
use gridlane::{
    Backend, Bounds, Circle, CircleBody, CircleHandle, Encounter, Error, EventPair, Filter, Segment, SegmentBody,
    SegmentHandle, Threads, Vec2, Verdict, World, WorldConfig,
};
use std::f32::consts::TAU;

/// A circle at a place, a wall that lets it through, or none, and a step in which that is asked.
struct Scene {
    world: World,
    circle: CircleHandle,
    platform: Option<SegmentHandle>,
}

fn scene(circle: Circle, velocity: [f32; 2], platform: Option<Segment>, dt: f32) -> Scene {
    let mut world = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
    let circle = world.add_circle(circle.with_velocity(velocity)).unwrap();
    let platform = platform.map(|platform| world.add_segment(platform.with_velocity([0.0, 0.0])).unwrap());
    let mut scene = Scene { world, circle, platform };
    scene.step(dt);
    scene
}

impl Scene {
    fn step(&mut self, dt: f32) {
        let platform = self.platform;
        let mut hook = |m: &Encounter| match m.pair {
            EventPair::CircleSegment(_, wall) if Some(wall) == platform => Verdict::Pass,
            _ => Verdict::Act,
        };
        self.world.step_with(dt, &mut hook).unwrap();
    }

    fn center(&self) -> Vec2 {
        self.world.circle(self.circle).unwrap().shape.center
    }

    fn drive(&mut self, velocity: [f32; 2]) {
        let Some(platform) = self.platform else { return };
        let mut body = self.world.segment(platform).unwrap();
        (body.start_velocity, body.end_velocity) = (velocity.into(), velocity.into());
        self.world.set_segment(platform, body).unwrap();
    }
}

/// The same with the wall and without it.
fn alike(platform: Segment, run: impl Fn(Option<Segment>) -> Scene) -> Scene {
    let [with, without] = [Some(platform), None].map(run);
    assert_eq!(with.center(), without.center());
    assert_eq!(with.world.squeezed().len(), without.world.squeezed().len());
    with
}

#[test]
fn a_lift_carries_through_a_platform() {
    let lifted = alike(Segment::new([-5.0, 0.0], [5.0, 0.0]), |platform| {
        let mut scene = scene(Circle::new([0.0, -0.3], 0.5), [0.0, 0.0], platform, 1.0);
        let lift = Segment::new([-5.0, -1.0], [5.0, -1.0]).with_velocity([0.0, 1.2]);
        scene.world.add_segment(lift).unwrap();
        scene.step(1.0);
        scene
    });
    // The lift has come to 0.2: the circle is above it, and above the platform.
    assert!(lifted.center().y > 0.2 && lifted.world.squeezed().is_empty());
}

#[test]
fn one_slides_along_a_wall_through_a_platform() {
    let slid = alike(Segment::new([-5.0, 0.0], [5.0, 0.0]), |platform| {
        let mut scene = scene(Circle::new([-0.05, -0.1], 0.5), [0.15, 0.15], platform, 1e-6);
        // In the way of where it goes: it slides on upwards.
        scene.world.add_segment(Segment::new([0.0, -5.0], [0.0, 5.0])).unwrap();
        scene.step(1.0);
        scene
    });
    assert!(slid.center().y > 0.0 && slid.center().x < 0.0);
}

#[test]
fn a_platform_that_moves_does_not_take_along_whom_it_lets_through() {
    for (platform, velocity) in [
        (Segment::new([-5.0, 0.3], [5.0, 0.3]), [0.0, -1.0]),
        // Against the other wall: there is room, since one of them lets it through.
        (Segment::new([0.3, -5.0], [0.3, 5.0]), [-1.0, 0.0]),
    ] {
        let pushed = alike(platform, |platform| {
            let mut scene = scene(Circle::new([0.0, 0.0], 0.5), [0.0, 0.0], platform, 1.0);
            scene.drive(velocity);
            let wall = Segment::new([-1.0, -5.0], [-1.0, 5.0]).with_velocity([1.1, 0.0]);
            scene.world.add_segment(wall).unwrap();
            scene.step(1.0);
            scene
        });
        assert!(pushed.center().x > 0.1 && pushed.center().y == 0.0 && pushed.world.squeezed().is_empty());
    }
}

#[test]
fn what_the_next_step_is_told_counts_in_it() {
    // Pushed from below by one that cannot be moved, against a wall that acts now, whatever it did before; and through one that passes now.
    for (first, then) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let verdict = |which: i32| if which == 1 { Verdict::Pass } else { Verdict::Act };
        let mut world = World::new(WorldConfig::default().with_restitution(1.0)).unwrap();
        let wall = world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
        let circle = world.add_circle(Circle::new([0.0, -0.02], 0.5)).unwrap();
        world.step_with(1e-6, |_| verdict(first)).unwrap();
        world.set_circle_velocity(circle, [0.0, 0.0]).unwrap();
        world.move_circle(circle, [0.0, -0.02]).unwrap();
        world.add_circle(Circle::new([0.0, -0.2], 0.5).with_inverse_mass(0.0)).unwrap();
        let of_wall = EventPair::CircleSegment(circle, wall);
        world.step_with(1.0 / 60.0, |m| if m.pair == of_wall { verdict(then) } else { Verdict::Act }).unwrap();
        let y = world.circle(circle).unwrap().shape.center.y;
        assert_eq!(y > 0.0, then == 1, "{first} {then}: {y}");
    }
}

/// More contacts than may be listed: whose legs are free is told without the list, and who was let pass is nobody then who has no row.
#[test]
fn too_many_contacts_after_a_pass_are_an_error_as_any() {
    for verdict in [Verdict::Act, Verdict::Pass] {
        let mut world = World::new(WorldConfig::default().with_contact_limit(1)).unwrap();
        world.add_segment(Segment::new([-10.0, 0.0], [10.0, 0.0])).unwrap();
        world.add_circle(Circle::new([-5.0, 0.4], 0.5)).unwrap();
        world.step_with(0.0625, |_| verdict).unwrap();
        // Its leg crosses the wall, and it touches it.
        world.add_circle(Circle::new([5.0, 0.1], 0.5).with_velocity([0.0, -2.0])).unwrap();
        let before = (world.state_hash(), world.save());
        assert_eq!(world.step(0.0625), Err(Error::TooManyContacts { limit: 1 }));
        assert_eq!((world.state_hash(), world.save()), before);
    }
}

/// A wall of pieces, each from one point to the next.
fn pieces(points: &[[f32; 2]], radius: f32) -> Vec<SegmentBody> {
    points.windows(2).map(|ends| Segment::new(ends[0], ends[1]).with_radius(radius).into()).collect()
}

/// Walls that meet in one place, the origin.
fn meetings() -> Vec<(&'static str, Vec<[f32; 4]>)> {
    vec![
        ("tiles", vec![[-5.0, 0.0, 0.0, 0.0], [0.0, 0.0, 5.0, 0.0]]),
        ("tiles turned", vec![[0.0, 0.0, -5.0, 0.0], [5.0, 0.0, 0.0, 0.0]]),
        ("ridge", vec![[-5.0, -1.0, 0.0, 0.0], [0.0, 0.0, 5.0, -1.0]]),
        ("valley", vec![[-5.0, 1.0, 0.0, 0.0], [0.0, 0.0, 5.0, 1.0]]),
        ("post below", vec![[-5.0, 0.0, 5.0, 0.0], [0.0, 0.0, 0.0, -5.0]]),
        ("post above", vec![[-5.0, 0.0, 5.0, 0.0], [0.0, 0.0, 0.0, 0.4]]),
        ("four", vec![[-5.0, 0.0, 0.0, 0.0], [0.0, 0.0, 5.0, 0.0], [0.0, 0.0, 0.0, -5.0], [0.0, 0.0, 3.0, -5.0]]),
        ("twice", vec![[-5.0, 0.0, 0.0, 0.0], [0.0, 0.0, -5.0, 0.0], [0.0, 0.0, 5.0, 0.0], [5.0, 0.0, 0.0, 0.0]]),
    ]
}

#[test]
fn walls_that_meet_let_through_where_they_meet() {
    for (name, walls) in meetings() {
        for (x, radius, restitution) in [(0.0, 0.0, 0.0), (0.0, 0.1, 0.5), (0.01, 0.0, 1.0), (-0.1, 0.1, 1.0)] {
            let config = WorldConfig::default().with_restitution(restitution).with_gravity([0.0, -1.0]);
            let [mut world, mut empty] = [0, 1].map(|_| World::new(config.clone()).unwrap());
            for &[x0, y0, x1, y1] in &walls {
                world.add_segment(Segment::new([x0, y0], [x1, y1]).with_radius(radius)).unwrap();
            }
            let falling = Circle::new([x, 1.0], 0.4).with_velocity([0.0, -1.5]);
            let [circle, free] = [&mut world, &mut empty].map(|w| w.add_circle(falling).unwrap());
            for step in 0..90 {
                let stats = world.step_with(1.0 / 60.0, |_| Verdict::Pass).unwrap();
                empty.step(1.0 / 60.0).unwrap();
                assert_eq!(stats.held, 0, "{name} {x} {radius} {restitution}: {step}");
                assert_eq!(world.circle(circle), empty.circle(free), "{name} {x} {radius} {restitution}: {step}");
                if step == 40 {
                    // What lets through is part of the state.
                    world = World::from_snapshot(&world.save()).unwrap();
                }
            }
            // 1 - 1.5² - 1.5²/2, and what whole steps fall more.
            assert!(world.circle(circle).unwrap().shape.center.y < -2.0);
        }
    }
}

#[test]
fn a_platform_of_tiles_is_as_one_of_one_piece_from_below_and_from_above() {
    for x in [3.0, 3.25, 2.9, 3.5] {
        let of = |points: &[[f32; 2]]| {
            let mut world =
                World::new(WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.0)).unwrap();
            pieces(points, 0.0).into_iter().for_each(|piece| _ = world.add_segment(piece).unwrap());
            let circle = world.add_circle(Circle::new([x, -1.0], 0.4).with_velocity([0.0, 8.0])).unwrap();
            (world, circle)
        };
        let tiles: Vec<[f32; 2]> = (-10..=10).map(|k| [k as f32, 0.0]).collect();
        let (mut tiled, tile_circle) = of(&tiles);
        let (mut whole, circle) = of(&[[-10.0, 0.0], [10.0, 0.0]]);
        let mut top = -1.0f32;
        for _ in 0..150 {
            let rises = |met: &Encounter| if met.velocities[0].y > 0.0 { Verdict::Pass } else { Verdict::Act };
            let held = [&mut tiled, &mut whole].map(|w| w.step_with(1.0 / 60.0, rises).unwrap().held);
            assert_eq!(held, [0; 2], "{x}");
            let now = whole.circle(circle).unwrap();
            assert_eq!(tiled.circle(tile_circle).unwrap(), now, "{x}");
            top = top.max(now.shape.center.y);
        }
        // Up by 8²/20 = 3.2 from -1, and down again onto the platform.
        let end = whole.circle(circle).unwrap();
        assert!((top - 2.2).abs() < 0.1 && (end.shape.center.y - 0.4).abs() < 0.01, "{x}: {top} {end:?}");
    }
}

/// Walls in the way of many circles; those that are open are so by a hook, or by their filter.
fn open_by(hook: bool, walls: &[(SegmentBody, bool)], circles: &[CircleBody], config: WorldConfig) -> World {
    let mut world = World::new(config).unwrap();
    for &(wall, open) in walls {
        let wall = wall.with_user_data(open.into());
        // No circle is of category 2.
        let closed = if open && !hook { wall.with_filter(Filter::new(1, 2)) } else { wall };
        world.add_segment(closed).unwrap();
    }
    circles.iter().for_each(|&circle| _ = world.add_circle(circle).unwrap());
    world
}

/// Steps both; whoever is let through goes as if what is open were not there, to the bit.
fn go_alike(worlds: &mut [World; 2], steps: usize, what: &str) -> usize {
    let mut passed = 0;
    for step in 0..steps {
        for w in worlds.iter_mut() {
            let open = |met: &Encounter| matches!(met.pair, EventPair::CircleSegment(..)) && met.user_data[1] == 1;
            w.step_with(1.0 / 60.0, |met| {
                passed += usize::from(open(met));
                if open(met) { Verdict::Pass } else { Verdict::Act }
            })
            .unwrap();
        }
        let [hooked, filtered] = &*worlds;
        let columns = |w: &World| {
            let c = w.circles();
            [c.x(), c.y(), c.velocity_x(), c.velocity_y()].concat().iter().map(|v| v.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(hooked.circles().handles(), filtered.circles().handles(), "{what}: {step}");
        assert!(columns(hooked) == columns(filtered), "{what}: {step}");
    }
    passed
}

#[test]
fn a_door_that_lets_through_has_jambs() {
    // From -5 to 0, a door to 2, and on to 5; the right jamb also as a post and as corners: with a wall that leans away, and with one that stands.
    let floors: [&[[f32; 4]]; 4] = [
        &[[2.0, 0.0, 5.0, 0.0]],
        &[[2.0, 0.0, 2.0, -5.0]],
        &[[2.0, 0.0, 5.0, -3.0], [2.0, 0.0, 4.0, 1.0]],
        &[[2.0, 0.0, 5.0, -3.0], [2.0, 0.0, 2.0, 3.0]],
    ];
    let cases = [(-0.1, 0.0), (0.05, 0.0), (0.2, 0.5), (0.3, 1.0), (1.0, 0.0), (1.7, 0.0), (1.9, 1.0), (2.2, 0.0)];
    for (which, floor) in floors.iter().enumerate() {
        for (x, restitution) in cases.into_iter().flat_map(|(x, of_case)| [(x, of_case), (x, 1.0)]) {
            let door = (SegmentBody::from(Segment::new([0.0, 0.0], [2.0, 0.0])), true);
            let left = (SegmentBody::from(Segment::new([-5.0, 0.0], [0.0, 0.0])), false);
            let right = floor.iter().map(|&[a, b, c, d]| (Segment::new([a, b], [c, d]).into(), false));
            let walls: Vec<_> = [left].into_iter().chain(right).chain([door]).collect();
            let circle = Circle::new([x, 1.0], 0.4).with_velocity([0.0, -2.0]);
            let config = WorldConfig::default().with_restitution(restitution);
            let mut worlds = [true, false].map(|hook| open_by(hook, &walls, &[circle], config.clone()));
            let asked = go_alike(&mut worlds, 60, &format!("{which} {x} {restitution}"));
            assert!(asked > 0 || !(0.0..2.0).contains(&x));
            let [world, _] = worlds;
            let body = world.circle(world.circles().handles()[0]).unwrap();
            // Who starts nearer to the wall that stands than his radius moves along it, so never towards it: he is pushed out, to 2 - 0.4 and
            // what may overlap; and below the end, away from that. Nothing turns him then where what does not approach gets no impulse, which
            // is so where all bounces.
            let beside = which == 3 && (1.6..2.0).contains(&x);
            if beside {
                assert!(body.shape.center.x < 1.603 && body.shape.center.y < -0.9, "{x} {restitution}: {body:?}");
            }
            // Straight through, or turned by a jamb.
            if !beside || restitution == 1.0 {
                let straight = x == 1.0 || beside;
                assert_eq!(body.velocity == Vec2::new(0.0, -2.0), straight, "{which} {x} {restitution}: {body:?}");
            }
        }
    }
}

#[test]
fn who_is_let_through_goes_as_if_the_walls_were_not_there() {
    let mut rng = Rng::new(11);
    let mut draw = |from: f64, to: f64| rng.range(from, to) as f32;
    let mut asked = 0;
    for round in 0..24 {
        // Floors of tiles, bent and straight, with posts; some of the pieces are open.
        let mut walls = Vec::new();
        for level in 0..4 {
            let height = |k: i32| 3.0 * level as f32 + if round % 2 == 0 { 0.0 } else { 0.3 * (k % 3) as f32 };
            let points: Vec<[f32; 2]> = (0..=24).map(|k| [k as f32, height(k)]).collect();
            let radius = if round % 3 == 0 { 0.05 } else { 0.0 };
            walls.extend(pieces(&points, radius).into_iter().map(|piece| (piece, draw(0.0, 1.0) < 0.5)));
            for at in points.iter().step_by(5) {
                walls.push((Segment::new(*at, [at[0], at[1] - 1.0]).with_radius(radius).into(), draw(0.0, 1.0) < 0.5));
            }
        }
        let circles: Vec<CircleBody> = (0..120)
            .map(|k| {
                let at = [0.2 * k as f32 + draw(0.0, 0.1), 3.0 * (k % 4) as f32 + draw(1.2, 1.7)];
                let circle = Circle::new(at, 0.4).with_velocity([draw(-1.0, 1.0), draw(-3.0, 3.0)]);
                // Those that are near each other do not meet.
                circle.with_filter(Filter::new(4, 1))
            })
            .collect();
        let config = WorldConfig::default()
            .with_gravity([0.0, if round % 4 < 2 { 0.0 } else { -5.0 }])
            .with_restitution([1.0, 0.5, 0.0][round % 3])
            .with_threads(Threads::Fixed(1 + round % 3))
            .with_backend([Backend::Wide, Backend::Scalar][round % 2]);
        let mut worlds = [true, false].map(|hook| open_by(hook, &walls, &circles, config.clone()));
        asked += go_alike(&mut worlds, 80, &format!("{round}"));
    }
    assert!(asked > 20_000, "{asked}");
}

#[test]
fn each_is_asked_about_once_and_the_outline_is_told() {
    // Fans about the origin, in no order; the circle beside it touches all at the vertex, or some by their flank.
    for (count, gap) in [(3u32, 0.5f32), (12, 0.5), (40, 0.0), (300, 0.5)] {
        let mut worlds = [0, 1].map(|_| World::new(WorldConfig::default()).unwrap());
        for w in &mut worlds {
            for k in 0..count {
                let angle = gap + (TAU - 2.0 * gap) * (k * 7 % count) as f32 / count as f32;
                let far = [5.0 * angle.cos(), 5.0 * angle.sin()];
                w.add_segment(if k % 2 == 0 { Segment::new([0.0, 0.0], far) } else { Segment::new(far, [0.0, 0.0]) })
                    .unwrap();
            }
            w.add_circle(Circle::new([0.3, 0.01], 0.5)).unwrap();
        }
        let [world, plain] = &mut worlds;
        let (handles, saved) = (world.segments().handles().to_vec(), world.save());
        let asked_about = |verdict: &dyn Fn(u32) -> Verdict| {
            let (mut world, mut rows) = (World::from_snapshot(&saved).unwrap(), Vec::new());
            let mut hook = |met: &Encounter| {
                let EventPair::CircleSegment(_, wall) = met.pair else { panic!("{met:?}") };
                rows.push(handles.iter().position(|handle| *handle == wall).unwrap() as u32);
                verdict(rows[rows.len() - 1])
            };
            world.step_with(1e-3, &mut hook).unwrap();
            (rows, world.contacts().circle_segment().iter().map(|c| c.b).collect::<Vec<_>>())
        };
        plain.step(1e-3).unwrap();
        let outline: Vec<u32> = plain.contacts().circle_segment().iter().map(|c| c.b).collect();
        let (asked, told) = asked_about(&|_| Verdict::Pass);
        // Those first, then the others, none twice.
        assert_eq!((&told, &asked[..told.len()]), (&outline, &outline[..]));
        let mut all = asked.clone();
        all.sort_unstable();
        assert_eq!(all, (0..count).collect::<Vec<_>>());
        // Who acts still hides: of three one is told by its flank, and of the other two one tells the vertex.
        let (asked, _) = asked_about(&|row| if row == told[0] { Verdict::Pass } else { Verdict::Act });
        assert_eq!(asked[..told.len()], told);
        assert!(count > 3 || (told.len(), asked.len()) == (1, 2));
        assert_eq!(asked_about(&|_| Verdict::Act).0, told);
    }
}

#[test]
fn what_was_hidden_is_asked_about_the_nearest_first() {
    for stride in [1, 8, 20] {
        // Tiles from k to k + 1, in this order of rows.
        let tiles: Vec<i32> = (0..21).map(|k| k * stride % 21 - 10).collect();
        let mut world = World::new(WorldConfig::default()).unwrap();
        for &tile in &tiles {
            world.add_segment(Segment::new([tile as f32, 0.0], [tile as f32 + 1.0, 0.0])).unwrap();
        }
        let handles = world.segments().handles().to_vec();
        // Above tile 0; along the floor it reaches √(25 - 0.01) to either side.
        world.add_circle(Circle::new([0.4, 0.1], 5.0)).unwrap();
        let mut asked = Vec::new();
        let pass = |met: &Encounter| {
            asked.extend(
                handles.iter().position(|&wall| matches!(met.pair, EventPair::CircleSegment(_, w) if w == wall)),
            );
            Verdict::Pass
        };
        world.step_with(1e-3, pass).unwrap();
        let asked: Vec<i32> = asked.into_iter().map(|row| tiles[row]).collect();
        // 0.4, 0.6, 1.4, 1.6, ... 4.6 from it.
        assert_eq!(asked, [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5], "{stride}");
    }
}

/// A floor in a plane that repeats, with a gap: a circle in the gap touches the near end of the floor across the border, and its far end where it stands, which
/// hides that of a post.
#[test]
fn a_wall_that_lets_through_across_the_border_hides_nothing_on_this_side() {
    for (floor_first, closed) in [(true, false), (true, true), (false, false)] {
        let config = WorldConfig::default().with_restitution(1.0).with_bounds(Bounds::periodic_x(0.0, 10.0));
        let mut world = World::new(config).unwrap();
        let (floor, post) = (Segment::new([2.0, 0.0], [9.5, 0.0]), Segment::new([2.0, 0.0], [2.0, -5.0]));
        let walls = if floor_first { [floor, post] } else { [post, floor] };
        let walls = walls.map(|wall| world.add_segment(wall).unwrap());
        let floor = walls[usize::from(!floor_first)];
        // (-0.5, 0) is √(0.7² + 1.5²) = 1.66 away, (2, 0) is √(1.8² + 1.5²) = 2.3431.
        let circle = world.add_circle(Circle::new([0.2, 1.5], 2.3432).with_velocity([0.0, -1.0])).unwrap();
        let mut asked = Vec::new();
        let pass = |met: &Encounter| {
            let EventPair::CircleSegment(_, wall) = met.pair else { panic!("{met:?}") };
            asked.push(wall);
            if wall == floor && !closed { Verdict::Pass } else { Verdict::Act }
        };
        world.step_with(1e-5, pass).unwrap();
        let told = if floor_first { vec![floor] } else { vec![walls[0], floor] };
        assert_eq!(world.contacts().circle_segment().len(), told.len());
        if closed {
            assert_eq!(asked, told);
            continue;
        }
        asked.sort_unstable_by_key(|wall| walls.iter().position(|other| other == wall));
        assert_eq!(asked, walls);
        // Off (2, 0), by twice 1.5/2.3431 along (-1.8, 1.5)/2.3431: 4.5 (-1.2, 1)/5.49.
        let velocity = world.circle(circle).unwrap().velocity;
        let off = [velocity.x + 5.4 / 5.49, velocity.y + 1.0 - 4.5 / 5.49];
        assert!(off[0].abs() < 1e-3 && off[1].abs() < 1e-3, "{floor_first}: {velocity:?}");
    }
}
