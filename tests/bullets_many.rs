//! Promise: among any number of circles no bullet passes through one unmet, nothing is gained or lost, walls hold, and the bytes are the same in
//! every way.

use crate::common::legs::{step_without_leak, traced, walls};
use crate::common::scenes::Rng;
use crate::common::world_model::pairs;
use gridlane::internals::legs;
use gridlane::{
    Backend, Bounds, Circle, CircleBody, CircleHandle, Event, EventKind, EventPair, Segment, SegmentBody, Threads,
    Vec2, World, WorldConfig,
};
use std::collections::{BTreeMap, BTreeSet};

/// Circles that do not overlap in a square, of which some are bullets that go `way` in a step of 1, and some others are fast or immovable.
fn strewn(seed: u64, count: usize, side: f64, way: f64) -> Vec<CircleBody> {
    let mut rng = Rng::new(seed);
    let mut all: Vec<CircleBody> = Vec::new();
    while all.len() < count {
        let center = [0; 2].map(|_| rng.range(0.0, side) as f32);
        let radius = rng.range(0.25, 1.0) as f32;
        let apart = |other: &CircleBody| {
            let c = other.shape.center;
            (c.x - center[0]).hypot(c.y - center[1]) > 1.01 * (radius + other.shape.radius)
        };
        if !all.iter().all(apart) {
            continue;
        }
        let k = all.len();
        let speed = match k % 8 {
            0 | 1 => way,
            2 => 0.3 * way,
            3 => 0.1 * f64::from(radius),
            _ => 0.0,
        };
        let angle = rng.range(0.0, std::f64::consts::TAU);
        let velocity = [speed * angle.cos(), speed * angle.sin()].map(|v| v as f32);
        let body = Circle::new(center, radius).with_velocity(velocity).with_bullet(k % 8 < 2 || k % 16 == 7);
        all.push(body.with_inverse_mass([1.0, 0.5, 2.0, 0.25, 0.0][if k % 11 == 4 { 4 } else { k % 4 }]));
    }
    all
}

fn filled(config: WorldConfig, bodies: &[CircleBody]) -> (World, Vec<CircleHandle>) {
    let mut world = World::new(config).unwrap();
    let handles = bodies.iter().map(|&body| world.add_circle(body).unwrap()).collect();
    (world, handles)
}

type V = [f64; 2];

fn wide(v: Vec2) -> V {
    [f64::from(v.x), f64::from(v.y)]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn along(a: V, b: V, t: f64) -> V {
    [a[0] + b[0] * t, a[1] + b[1] * t]
}

/// A circle of the plain model.
#[derive(Clone, Copy)]
struct Disc {
    at: V,
    v: V,
    r: f64,
    w: f64,
    bullet: bool,
    turns: u32,
}

/// Every pair with a bullet, every time: the first meeting, both turned, and again. Nothing if an answer hangs on rounding.
fn plain(bodies: &[CircleBody], restitution: f64) -> Option<Vec<([usize; 2], f64, f64)>> {
    let disc = |body: &CircleBody| {
        let (v, r) = (wide(body.velocity), f64::from(body.shape.radius));
        let fast = dot(v, v).sqrt() > 0.5 * r;
        let w = f64::from(body.inverse_mass);
        Disc { at: wide(body.shape.center), v, r, w, bullet: body.bullet && fast, turns: 0 }
    };
    let mut all: Vec<Disc> = bodies.iter().map(disc).collect();
    let (mut now, mut told) = (0.0, Vec::new());
    loop {
        let mut first: Option<(f64, [usize; 2])> = None;
        let mut second = f64::INFINITY;
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                let (a, b) = (all[i], all[j]);
                if !(a.bullet || b.bullet) || a.w + b.w == 0.0 {
                    continue;
                }
                let (d, u, reach) = (along(b.at, a.at, -1.0), along(b.v, a.v, -1.0), a.r + b.r);
                let (uu, du) = (dot(u, u), dot(d, u));
                if du >= 0.0 {
                    continue;
                }
                let root = du * du - uu * (dot(d, d) - reach * reach);
                if root.abs() < 1e-4 * uu * reach * reach {
                    return None;
                }
                if root < 0.0 {
                    continue;
                }
                let t = (-du - root.sqrt()) / uu;
                if (now + t - 1.0).abs() < 1e-5 {
                    return None;
                }
                if now + t > 1.0 {
                    continue;
                }
                if first.is_none_or(|first| t < first.0) {
                    second = first.map_or(second, |first| first.0);
                    first = Some((t, [i, j]));
                } else if t < second {
                    second = t;
                }
            }
        }
        let Some((t, [i, j])) = first else { return Some(told) };
        if second - t < 1e-5 {
            return None;
        }
        now += t;
        all.iter_mut().for_each(|disc| disc.at = along(disc.at, disc.v, t));
        let (a, b) = (all[i], all[j]);
        let d = along(b.at, a.at, -1.0);
        let n = d.map(|v| v / dot(d, d).sqrt());
        let approach = dot(along(a.v, b.v, -1.0), n);
        told.push(([i, j], now, approach));
        let change = approach * (1.0 + restitution) / (a.w + b.w);
        for (k, sign) in [(i, -1.0), (j, 1.0)] {
            let w = all[k].w;
            all[k].v = along(all[k].v, n, sign * change * w);
            all[k].turns += u32::from(w > 0.0);
            all[k].bullet |= w > 0.0 && bodies[k].bullet;
            if all[k].turns == 8 {
                // What follows of those that stay is another model's.
                return None;
            }
        }
    }
}

#[test]
fn what_is_met_is_what_the_plain_model_meets() {
    let (mut compared, mut meetings) = (0, 0);
    for seed in 0..400 {
        // Sparse enough that rounding does not grow from meeting to meeting to what would be seen.
        let (side, way) = [(40.0, 2.0), (60.0, 40.0), (200.0, 100.0), (2000.0, 1500.0)][seed as usize % 4];
        let bodies = strewn(seed, 32, side, way);
        let restitution = if seed % 3 == 0 { 0.5 } else { 1.0 };
        let Some(expected) = plain(&bodies, restitution) else { continue };
        let (mut world, handles) = filled(WorldConfig::default().with_restitution(restitution as f32), &bodies);
        world.step(1.0).unwrap();
        let found = world.circle_impacts();
        assert_eq!(found.len(), expected.len(), "seed {seed}: {found:?} {expected:?}");
        for (met, &(pair, time, approach)) in found.iter().zip(&expected) {
            assert_eq!(met.circles, pair.map(|k| handles[k]), "seed {seed}");
            assert!((f64::from(met.fraction) - time).abs() < 1e-5, "seed {seed}: {met:?} {time}");
            assert!((f64::from(met.approach_speed) - approach).abs() < 1e-3 * way, "seed {seed}: {met:?} {approach}");
        }
        compared += 1;
        meetings += found.len();
    }
    println!("{compared} scenes, {meetings} meetings");
    assert!(compared > 150 && meetings > 300, "{compared} scenes, {meetings} meetings");
}

/// Where a circle is at which fraction of the step: at the start, where it was met, at the end.
type Path = Vec<(f64, V)>;

fn paths(world: &World, before: &BTreeMap<CircleHandle, CircleBody>) -> BTreeMap<CircleHandle, Path> {
    let mut paths: BTreeMap<CircleHandle, Path> = BTreeMap::new();
    let mut ends: BTreeMap<CircleHandle, V> = before.iter().map(|(&c, body)| (c, wide(body.shape.center))).collect();
    for leg in legs(world).iter().filter(|leg| !leg.answer) {
        ends.insert(leg.circle, leg.to.map(f64::from));
    }
    for (&circle, body) in before {
        let mut path = vec![(0.0, wide(body.shape.center))];
        for met in world.circle_impacts() {
            let (r, n) = (f64::from(body.shape.radius), wide(met.normal));
            if let Some(k) = met.circles.iter().position(|&other| other == circle) {
                path.push((f64::from(met.fraction), along(wide(met.point), n, if k == 0 { -r } else { r })));
            }
        }
        path.push((1.0, ends[&circle]));
        paths.insert(circle, path);
    }
    paths
}

/// Where it is on its way.
fn at(path: &Path, time: f64) -> V {
    let k = path.partition_point(|&(t, _)| t < time);
    if k == 0 {
        return path[0].1;
    }
    let ((t0, a), (t1, b)) = (path[k - 1], path[k]);
    along(a, along(b, a, -1.0), if t1 > t0 { (time - t0) / (t1 - t0) } else { 1.0 })
}

#[test]
fn no_bullet_passes_through_anybody() {
    let mut meetings = 0;
    for seed in 0..60 {
        let (side, way) = [(30.0, 20.0), (60.0, 60.0), (300.0, 600.0)][seed as usize % 3];
        let bodies = strewn(1000 + seed, 100, side, way);
        let (mut world, handles) = filled(WorldConfig::default(), &bodies);
        // Far away: with a wall in the world all legs are kept.
        world.add_segment(Segment::new([-9e4, -9e4], [-9e4, -8e4])).unwrap();
        let mut world = traced(world);
        let before: BTreeMap<_, _> = handles.iter().copied().zip(bodies.iter().copied()).collect();
        world.step(1.0).unwrap();
        meetings += world.circle_impacts().len();
        let paths = paths(&world, &before);
        for (one, body) in &before {
            let v = wide(body.velocity);
            if !body.bullet || dot(v, v).sqrt() <= 0.5 * f64::from(body.shape.radius) {
                continue;
            }
            for (two, other) in before.iter().filter(|(two, _)| *two != one) {
                // Two that nothing turns do not meet; and what nothing stops goes over those that have been turned eight times.
                let goes_on = |body: &CircleBody| body.inverse_mass == 0.0 && body.velocity != Vec2::ZERO;
                if body.inverse_mass + other.inverse_mass == 0.0 || goes_on(body) || goes_on(other) {
                    continue;
                }
                let reach = f64::from(body.shape.radius) + f64::from(other.shape.radius);
                let mut times: Vec<f64> = paths[one].iter().chain(&paths[two]).map(|&(t, _)| t).collect();
                times.sort_by(f64::total_cmp);
                for pair in times.windows(2) {
                    let apart = |t: f64| along(at(&paths[two], t), at(&paths[one], t), -1.0);
                    let (d, e) = (apart(pair[0]), apart(pair[1]));
                    let u = along(e, d, -1.0);
                    let t = if dot(u, u) > 0.0 { (-dot(d, u) / dot(u, u)).clamp(0.0, 1.0) } else { 0.0 };
                    let nearest = along(d, u, t);
                    let gap = dot(nearest, nearest).sqrt() - reach;
                    // Fractions are told as f32, and so is where they were met.
                    assert!(gap > -1e-6 * way - 1e-4, "seed {seed}: {one:?} and {two:?}: {gap} at {pair:?}");
                }
            }
        }
    }
    assert!(meetings > 1500, "{meetings}");
}

#[test]
fn momentum_and_energy_are_kept() {
    let mut met = 0;
    for seed in 0..40 {
        let way = [3.0, 60.0, 900.0][seed as usize % 3];
        let mut bodies = strewn(2000 + seed, 120, 40.0 + way, way);
        bodies.iter_mut().filter(|body| body.inverse_mass == 0.0).for_each(|body| body.inverse_mass = 1.0);
        let (mut world, handles) = filled(WorldConfig::default(), &bodies);
        let sums = |world: &World| {
            let each = handles.iter().map(|&handle| {
                let body = world.circle(handle).unwrap();
                let (m, v) = (1.0 / f64::from(body.inverse_mass), wide(body.velocity));
                [m * v[0], m * v[1], m * dot(v, v)]
            });
            each.fold([0.0; 3], |sum, new| [0, 1, 2].map(|k| sum[k] + new[k]))
        };
        let before = sums(&world);
        for _ in 0..5 {
            world.step(1.0).unwrap();
            met += world.circle_impacts().len();
        }
        let after = sums(&world);
        let size = (before[2] * 120.0).sqrt();
        assert!((before[2] - after[2]).abs() < 1e-5 * before[2], "seed {seed}: {before:?} {after:?}");
        assert!((0..2).all(|k| (before[k] - after[k]).abs() < 1e-5 * size), "seed {seed}: {before:?} {after:?}");
    }
    assert!(met > 500, "{met}");
}

/// A room of agents with walls inside, one of which moves, and bullets.
fn room(config: WorldConfig) -> World {
    let mut world = traced(World::new(config).unwrap());
    let mut rng = Rng::new(7);
    for [a, b] in [[[0.0, 0.0], [100.0, 0.0]], [[100.0, 0.0], [100.0, 100.0]], [[100.0, 100.0], [0.0, 100.0]]] {
        world.add_segment(Segment::new(a, b)).unwrap();
    }
    world.add_segment(Segment::new([0.0, 100.0], [0.0, 0.0])).unwrap();
    for k in 0..12 {
        let a = [rng.range(5.0, 95.0), rng.range(5.0, 95.0)];
        let b = [a[0] + rng.range(-20.0, 20.0), a[1] + rng.range(-20.0, 20.0)];
        let wall = SegmentBody::from(Segment::new(a.map(|v| v as f32), b.map(|v| v as f32)));
        world.add_segment(wall.with_one_sided(k % 3 == 0)).unwrap();
    }
    world.add_segment(Segment::new([40.0, 50.0], [60.0, 50.0]).with_velocity([3.0, 1.0])).unwrap();
    for k in 0..400 {
        let center = [rng.range(2.0, 98.0) as f32, rng.range(2.0, 98.0) as f32];
        let angle = rng.range(0.0, 6.3);
        let (radius, speed) = if k % 5 == 0 { (0.2, 400.0 * 60.0) } else { (0.8, 20.0) };
        let velocity = [speed * angle.cos(), speed * angle.sin()].map(|v| v as f32);
        let body = Circle::new(center, radius).with_velocity(velocity).with_bullet(k % 5 == 0);
        world.add_circle(body.with_inverse_mass(if k % 5 == 0 { 1e4 } else { 1.0 })).unwrap();
    }
    world
}

fn config() -> WorldConfig {
    WorldConfig::default().with_gravity([0.0, -20.0]).with_threads(Threads::Fixed(1))
}

#[test]
fn walls_hold_bullets_and_whom_they_hit() {
    for restitution in [1.0, 0.6] {
        let mut world = room(config().with_restitution(restitution));
        let walls = walls(&world);
        let mut met = 0;
        for step in 0..75 {
            step_without_leak(&mut world, &walls, 1.0 / 60.0, &format!("step {step}"));
            met += world.circle_impacts().len();
        }
        assert!(met > 500, "{met}");
    }
}

#[test]
fn each_beginning_has_one_end() {
    let mut world = room(config());
    let mut touching: BTreeSet<EventPair> = BTreeSet::new();
    let mut between = 0;
    for _ in 0..50 {
        world.step(1.0 / 60.0).unwrap();
        let met: BTreeSet<EventPair> =
            world.circle_impacts().iter().map(|met| EventPair::CircleCircle(met.circles[0], met.circles[1])).collect();
        let begins = |event: &&Event| event.kind == EventKind::Begin;
        let told: BTreeSet<EventPair> = world.events().iter().filter(begins).map(|event| event.pair).collect();
        // Who met has begun now, or before.
        assert!(met.iter().all(|pair| told.contains(pair) || touching.contains(pair)));
        for event in world.events() {
            if event.kind == EventKind::Begin {
                assert!(touching.insert(event.pair), "{:?} begins twice", event.pair);
                assert_eq!(event.touch.map(|touch| touch.approach_speed.is_finite()), Some(true));
                if let EventPair::CircleCircle(a, b) = event.pair {
                    assert!(a < b);
                }
            }
        }
        for event in world.events().iter().filter(|event| event.kind != EventKind::Begin) {
            assert!(touching.remove(&event.pair), "{:?} ends without beginning", event.pair);
            between += usize::from(told.contains(&event.pair));
        }
        // Circles that touch now are those of the contacts.
        let is_pair = |pair: &EventPair| matches!(pair, EventPair::CircleCircle(..));
        let now: BTreeSet<EventPair> = pairs(&world).filter(is_pair).collect();
        assert_eq!(touching.iter().copied().filter(is_pair).collect::<BTreeSet<_>>(), now);
    }
    assert!(between > 250, "{between}");
}

/// All that a step says, as bytes.
fn said(world: &World) -> (u64, Vec<u8>, String) {
    let bytes = bytemuck::cast_slice(world.circle_impacts()).to_vec();
    (world.state_hash(), bytes, format!("{:?}", world.events()))
}

#[test]
fn bytes_are_the_same_in_every_way_and_after_a_snapshot() {
    let periodic = Bounds::periodic([0.0, 0.0], [100.0, 100.0]);
    for config in [config(), config().with_restitution(0.5), config().with_bounds(periodic)] {
        let mut expected: Option<Vec<_>> = None;
        for (threads, backend) in
            [(1, Backend::Wide), (1, Backend::Scalar), (2, Backend::Wide), (8, Backend::Wide), (16, Backend::Scalar)]
        {
            let mut world = room(config.clone().with_threads(Threads::Fixed(threads)).with_backend(backend));
            let mut found = Vec::new();
            for step in 0..8 {
                world.step(1.0 / 60.0).unwrap();
                found.push(said(&world));
                if step == 4 && threads != 1 {
                    world = World::from_snapshot(&world.save()).unwrap();
                }
            }
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(&found, expected, "{threads} {backend:?}");
        }
        let told = expected.unwrap().iter().map(|said| said.1.len()).sum::<usize>();
        assert!(told > 2_000, "{told} bytes");
    }
}

#[test]
fn the_order_of_insertion_does_not_matter() {
    for seed in 0..20 {
        let bodies = strewn(3000 + seed, 60, 60.0, 60.0);
        let backwards: Vec<_> = bodies.iter().rev().copied().collect();
        let told = |bodies: &[CircleBody], turned: bool| {
            let (mut world, handles) = filled(WorldConfig::default(), bodies);
            world.step(1.0).unwrap();
            let name = |handle: CircleHandle| {
                let k = handles.iter().position(|&other| other == handle).unwrap();
                if turned { handles.len() - 1 - k } else { k }
            };
            let mut all: Vec<_> = Vec::new();
            for met in world.circle_impacts() {
                let mut pair = met.circles.map(name);
                pair.sort_unstable();
                all.push((pair, met.fraction.to_bits(), met.approach_speed.to_bits()));
            }
            all
        };
        assert_eq!(told(&bodies, false), told(&backwards, true), "seed {seed}");
    }
}
