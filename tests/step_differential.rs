//! Promise: after every step, whatever was edited before it, every backend, instruction set and number of threads has the same
//! columns, contacts and events, bit for bit.

use crate::common::scenes::Rng;
use crate::common::truth::{assert_sound, bytes};
use crate::common::worlds::{LARGE, SMALL, Start, is_imitated};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, CellSize, Circle, CircleHandle, Response, Segment, SegmentHandle, Threads, World, WorldConfig,
};

const DT: f32 = 1.0 / 60.0;

/// Worlds that have to stay alike, each made with an instruction set; the first is the reference.
fn configs() -> Vec<(String, &'static str, WorldConfig)> {
    let with = |set, backend, threads| {
        let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
        (format!("{set} {backend:?} {threads}"), set, config)
    };
    let sets = instruction_sets();
    let best = *sets.last().unwrap();
    let mut all = vec![with("portable", Backend::Scalar, 1), with(best, Backend::Scalar, 3)];
    all.extend(sets.into_iter().map(|set| with(set, Backend::Wide, 1)));
    all.extend([2, 8].map(|threads| with(best, Backend::Wide, threads)));
    all
}

/// Every column of both kinds must be the same bits in the same rows.
fn assert_alike(world: &World, reference: &World, what: &str) {
    let (c, d) = (world.circles(), reference.circles());
    assert_eq!(c.handles(), d.handles(), "{what}: rows");
    let bits = |column: &[f32]| column.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    for (name, a, b) in [
        ("x", c.x(), d.x()),
        ("y", c.y(), d.y()),
        ("radius", c.radius(), d.radius()),
        ("velocity_x", c.velocity_x(), d.velocity_x()),
        ("velocity_y", c.velocity_y(), d.velocity_y()),
        ("inverse_mass", c.inverse_mass(), d.inverse_mass()),
    ] {
        assert!(bits(a) == bits(b), "{what}: circles' {name}");
        assert!(a.iter().all(|v| v.is_finite()), "{what}: circles' {name}");
    }
    let (s, t) = (world.segments(), reference.segments());
    assert_eq!(s.handles(), t.handles(), "{what}: rows of segments");
    for (name, a, b) in [
        ("x0", s.x0(), t.x0()),
        ("y0", s.y0(), t.y0()),
        ("x1", s.x1(), t.x1()),
        ("y1", s.y1(), t.y1()),
        ("radius", s.radius(), t.radius()),
        ("velocity_x0", s.velocity_x0(), t.velocity_x0()),
        ("velocity_y0", s.velocity_y0(), t.velocity_y0()),
        ("velocity_x1", s.velocity_x1(), t.velocity_x1()),
        ("velocity_y1", s.velocity_y1(), t.velocity_y1()),
    ] {
        assert!(bits(a) == bits(b), "{what}: segments' {name}");
    }
    assert!(bytes(world.contacts()) == bytes(reference.contacts()), "{what}: contacts");
    assert_eq!(world.events(), reference.events(), "{what}: events");
    assert_eq!(world.state_hash(), reference.state_hash(), "{what}: hash");
    assert_eq!(world.kinetic_energy().to_bits(), reference.kinetic_energy().to_bits(), "{what}: energy");
}

/// Handles of the bodies of a world, those that are gone left out.
#[derive(Default)]
struct Names {
    circles: Vec<CircleHandle>,
    segments: Vec<SegmentHandle>,
}

/// One edit, drawn from `rng`: the same draws make the same edit in every world.
fn edit(world: &mut World, rng: &mut Rng, names: &mut Names) {
    let place = |rng: &mut Rng| [rng.range(-8.0, 8.0) as f32, rng.range(-8.0, 8.0) as f32];
    let pick = |rng: &mut Rng, count: usize| (rng.bits() % count as u64) as usize;
    match rng.bits() % 9 {
        0 | 1 => {
            let body = Circle::new(place(rng), rng.range(0.1, 0.8) as f32).with_velocity(place(rng));
            names.circles.push(world.add_circle(body).unwrap());
        }
        2 if names.circles.len() > 10 => {
            let at = pick(rng, names.circles.len());
            world.remove_circle(names.circles.swap_remove(at)).unwrap();
        }
        3 => {
            let circle = names.circles[pick(rng, names.circles.len())];
            let body = Circle::new(place(rng), rng.range(0.0, 1.0) as f32).with_velocity(place(rng));
            world.set_circle(circle, body).unwrap();
        }
        4 => {
            let (p, q) = (place(rng), place(rng));
            let wall = Segment::new(p, q).with_radius(rng.range(0.0, 0.3) as f32);
            let moves = rng.bits().is_multiple_of(2);
            let added =
                if moves { world.add_segment(wall.with_velocity([1.0, -0.5])) } else { world.add_segment(wall) };
            names.segments.push(added.unwrap());
        }
        5 if names.segments.len() > 3 => {
            let at = pick(rng, names.segments.len());
            world.remove_segment(names.segments.swap_remove(at)).unwrap();
        }
        6 => {
            let segment = names.segments[pick(rng, names.segments.len())];
            world.set_segment(segment, Segment::new(place(rng), place(rng))).unwrap();
        }
        7 => {
            let circle = names.circles[pick(rng, names.circles.len())];
            world.set_circle_velocity(circle, place(rng)).unwrap();
        }
        _ => {
            let circle = names.circles[pick(rng, names.circles.len())];
            world.push_circle(circle, place(rng)).unwrap();
        }
    }
}

/// Steps all worlds side by side; edits between steps if `edited`.
fn check(start: Start, change: impl Fn(WorldConfig) -> WorldConfig, steps: usize, edited: bool) {
    let mut worlds: Vec<(String, World, Rng, Names)> = Vec::new();
    for (name, set, config) in configs() {
        let world = with_instruction_set(set, || (start.1)(change(config))).unwrap();
        let names =
            Names { circles: world.circles().handles().to_vec(), segments: world.segments().handles().to_vec() };
        worlds.push((name, world, Rng::new(99), names));
    }
    let mut touched = 0;
    for step in 0..steps {
        for (name, world, rng, names) in &mut worlds {
            for _ in 0..if edited { 5 } else { 0 } {
                edit(world, rng, names);
            }
            if edited && step % 7 == 3 {
                world.detect().unwrap();
            }
            // Steps of other lengths, and of none.
            let dt = if step % 11 == 5 { 0.0 } else { DT * (1 + step % 3) as f32 * 0.5 };
            world.step(dt).unwrap_or_else(|error| panic!("{}, {name}, step {step}: {error}", start.0));
        }
        let (reference, others) = worlds.split_first().unwrap();
        assert_sound(reference.1.contacts(), start.0);
        touched += reference.1.contacts().circle_circle().len();
        for (name, world, ..) in others {
            assert_alike(world, &reference.1, &format!("{}, {name}, step {step}", start.0));
        }
    }
    assert!(touched > 10 * steps, "{}: {touched}", start.0);
}

/// Fewer steps without optimisation.
fn steps(most: usize) -> usize {
    if cfg!(debug_assertions) { most / 2 } else { most }
}

/// Of large worlds fewer still where another machine is imitated.
fn steps_of_large(most: usize) -> usize {
    if is_imitated() { most / 6 } else { steps(most) }
}

#[test]
fn small_worlds_stay_alike_step_by_step() {
    for start in SMALL {
        check(start, |config| config, steps(120), false);
    }
}

#[test]
fn small_worlds_stay_alike_through_edits() {
    for start in SMALL {
        check(start, |config| config, steps(120), true);
    }
}

#[test]
fn large_worlds_stay_alike_step_by_step() {
    for start in LARGE {
        check(start, |config| config, steps_of_large(24), false);
    }
}

#[test]
fn large_worlds_stay_alike_through_edits() {
    for start in LARGE {
        check(start, |config| config, steps_of_large(16), true);
    }
}

#[test]
fn detection_only_and_other_cells_stay_alike() {
    check(SMALL[1], |config| config.with_response(Response::None), steps(60), true);
    check(SMALL[1], |config| config.with_cell_size(CellSize::Fixed(3.0)), steps(60), true);
}

/// Rows may differ from those of a world that was built in the same state, the pairs may not.
#[test]
fn a_world_with_a_past_detects_what_a_new_one_detects() {
    let mut world = (SMALL[1].1)(WorldConfig::default());
    let mut rng = Rng::new(4);
    let mut names =
        Names { circles: world.circles().handles().to_vec(), segments: world.segments().handles().to_vec() };
    for step in 0..steps(80) {
        for _ in 0..5 {
            edit(&mut world, &mut rng, &mut names);
        }
        world.step(DT).unwrap();
        world.detect().unwrap();
        let mut fresh = World::new(world.config().clone()).unwrap();
        for &handle in world.circles().handles() {
            fresh.add_circle(world.circle(handle).unwrap()).unwrap();
        }
        for &handle in world.segments().handles() {
            fresh.add_segment(world.segment(handle).unwrap()).unwrap();
        }
        fresh.detect().unwrap();
        // Rows of the world with a past are the handles' indices of the new one, whose rows have changed since.
        let rows = (0..world.circles().len() as u32).collect::<Vec<_>>();
        let names: Vec<u32> = fresh.circles().handles().iter().map(|handle| handle.index()).collect();
        assert_eq!(pairs(&world, &rows), pairs(&fresh, &names), "step {step}");
    }
}

/// The touching pairs of each kind, circles called by `names` of their rows.
fn pairs(world: &World, names: &[u32]) -> [Vec<(u32, u32)>; 3] {
    let contacts = world.contacts();
    let sorted = |a: u32, b: u32| if a < b { (a, b) } else { (b, a) };
    let name = |row: u32| names[row as usize];
    let mut all = [
        contacts.circle_circle().iter().map(|c| sorted(name(c.a), name(c.b))).collect(),
        contacts.circle_segment().iter().map(|c| (name(c.a), c.b)).collect(),
        contacts.segment_segment().iter().map(|c| (c.a, c.b)).collect::<Vec<_>>(),
    ];
    all.iter_mut().for_each(|pairs| pairs.sort_unstable());
    all
}
