//! Promise: bodies of unlike masses come to rest on each other, heavy ones on light ones too, and do not sink far into them.

use gridlane::{Backend, Circle, Segment, World, WorldConfig};

use crate::common::scenes::Rng;

const DT: f32 = 1.0 / 60.0;
const G: f32 = 10.0;
const RADII: [f32; 2] = [0.3, 0.5];

/// A hundred circles that fall one after the other into a trough eight wide; `is_heavy` ones have `ratio` times the mass of the others.
fn trough(seed: u64, ratio: f32, is_heavy: impl Fn(usize) -> bool) -> World {
    let config = WorldConfig::default().with_gravity([0.0, -G]).with_restitution(0.0);
    let mut world = World::new(config).unwrap();
    for (from, to) in [([-4.0, 0.0], [4.0, 0.0]), ([-4.0, 0.0], [-4.0, 90.0]), ([4.0, 0.0], [4.0, 90.0])] {
        world.add_segment(Segment::new(from, to)).unwrap();
    }
    let mut rng = Rng::new(seed);
    for k in 0..100 {
        let [x, radius] = [rng.range(-3.0, 3.0), rng.range(RADII[0].into(), RADII[1].into())].map(|v| v as f32);
        let inverse_mass = if is_heavy(k) { 1.0 / ratio } else { 1.0 };
        let circle = Circle::new([x, 1.0 + 0.6 * k as f32], radius).with_inverse_mass(inverse_mass);
        world.add_circle(circle).unwrap();
    }
    world
}

/// The root mean square of all speeds over five seconds, in units of what gravity gives in a step; and how many events there were.
fn unrest(world: &mut World) -> (f64, usize) {
    let (mut squares, mut events, steps) = (0.0, 0, 300);
    for _ in 0..steps {
        world.step(DT).unwrap();
        events += world.events().len();
        let c = world.circles();
        squares += c.velocity_x().iter().zip(c.velocity_y()).map(|(x, y)| f64::from(x * x + y * y)).sum::<f64>();
    }
    ((squares / f64::from(steps) / world.circles().len() as f64).sqrt() / f64::from(G * DT), events)
}

fn deepest(world: &World) -> f32 {
    let pairs = world.contacts().circle_circle().iter().map(|k| -k.separation);
    let walls = world.contacts().circle_segment().iter().map(|k| -k.separation);
    pairs.chain(walls).fold(0.0, f32::max)
}

/// Who lies still has less than a hundredth of what gravity gives in a step.
#[test]
fn piles_of_unlike_masses_come_to_rest() {
    type IsHeavy = fn(usize) -> bool;
    let arrangements: [(&str, IsHeavy); 3] =
        [("each third", |k| k % 3 == 0), ("the upper half", |k| k >= 50), ("each seventh", |k| k % 7 == 0)];
    for (name, is_heavy) in arrangements {
        // How deep the heaviest lie: under a springs' softness as much as they weigh.
        for (ratio, deep) in [(2.0, 0.02), (5.0, 0.02), (10.0, 0.04), (30.0, 0.08)] {
            for seed in 0..3 {
                let mut world = trough(seed, ratio, is_heavy);
                for _ in 0..2400 {
                    world.step(DT).unwrap();
                }
                let (speed, events) = unrest(&mut world);
                let depth = deepest(&world) / RADII[0];
                let what =
                    format!("{name} {ratio} times as heavy, seed {seed}: {speed:.4}, {events} events, {depth:.3} deep");
                assert!(speed < 0.01 && events <= 2 && depth < deep, "{what}");
            }
        }
    }
}

/// The heavy one that lies on a light one between two walls: with both it is a column, and at rest its weight is what the floor bears.
#[test]
fn a_heavy_one_on_a_light_one_is_borne_whole() {
    for (backend, ratio) in [(Backend::Scalar, 20.0f32), (Backend::Wide, 20.0), (Backend::Wide, 100.0)] {
        let config = WorldConfig::default().with_gravity([0.0, -G]).with_restitution(0.0).with_backend(backend);
        let mut world = World::new(config).unwrap();
        world.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
        let light = world.add_circle(Circle::new([0.0, 0.5], 0.5)).unwrap();
        let heavy = world.add_circle(Circle::new([0.0, 1.5], 0.5).with_inverse_mass(1.0 / ratio)).unwrap();
        for _ in 0..600 {
            world.step(DT).unwrap();
        }
        // All that both weigh in a step, on the floor.
        let borne = world.stats().wall_impulse / f64::from((1.0 + ratio) * G * DT);
        assert!((borne - 1.0).abs() < 1e-3, "{backend:?}, {ratio}: {borne}");
        let height = |circle| world.circle(circle).unwrap().shape.center.y;
        let sunk = [0.5 - height(light), 1.0 - (height(heavy) - height(light))];
        assert!(sunk.iter().all(|&sunk| sunk > 0.0 && sunk < 0.05), "{backend:?}, {ratio}: {sunk:?}");
    }
}
