//! Bullets in a level: 500 agents under a gravity that turns, and as many bullets that fly a thousand diameters a step, between the one-sided
//! walls of Freedoom's first level. Nobody gets out.
//!
//! The walls are those of `tests/data/maps/freedoom1-e1m1-solid` (Freedoom, BSD-3-Clause); the walkable side is on the right.

use super::{Bodies, Course, Show};
use crate::readers;
use crate::scenes::{Entry, Rng};
use gridlane::{Error, World};

const AGENTS: usize = 500;
const BULLETS: usize = 500;
/// Length units per second squared.
const PULL: f32 = 800.0;
/// Length units per second: a thousand diameters of a bullet in a sixtieth.
const SPEED: f64 = 480_000.0;
const WALLS: &[u8] = include_bytes!("../../../../tests/data/maps/freedoom1-e1m1-solid.segments.csv");
const PLACES: &[u8] = include_bytes!("../../../../tests/data/maps/freedoom1-e1m1-solid.circles.csv");

pub(super) const SHOW: Show = Show {
    entry: Entry {
        name: "bullets",
        circles: AGENTS + BULLETS,
        segments: 370,
        about: "500 agents and 500 bullets, 1 000 diameters a step, in a level of one-sided walls",
    },
    course: Course { steps: 1_200, dt: 1.0 / 60.0, gravity: [0.0, -PULL], restitution: 1.0, hand: Some(turn_gravity) },
    one_sided: true,
    build,
};

fn build(rng: &mut Rng) -> Bodies {
    let file = |bytes: &[u8]| ("built in".to_string(), bytes.to_vec());
    let ((name, walls), (_, places)) = (file(WALLS), file(PLACES));
    let segments =
        readers::segments_in(name.clone(), walls, false).map(|(columns, _)| columns).expect("built in: walls");
    let places = readers::circles_in(name, places).expect("built in: places");
    let mut bodies = Bodies { segments, ..Bodies::default() };
    // The level's own things stand where one can walk.
    let place = |k: usize| {
        let row = k % places.x.len();
        [f64::from(places.x[row]), f64::from(places.y[row])]
    };
    for agent in 0..AGENTS {
        let [x, y] = place(agent);
        let near = [x + rng.range(-4.0, 4.0), y + rng.range(-4.0, 4.0)];
        bodies.circle(near, 16.0, [rng.range(-200.0, 200.0), rng.range(-200.0, 200.0)], 1.0);
    }
    for bullet in 0..BULLETS {
        let velocity = loop {
            let v = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
            let square = v[0] * v[0] + v[1] * v[1];
            if square > 0.0 && square <= 1.0 {
                break v.map(|component| component * SPEED / square.sqrt());
            }
        };
        bodies.circle(place(bullet), 4.0, velocity, 1e-3);
    }
    bodies
}

/// A quarter turn to the left every two seconds or so, of whatever it is.
fn turn_gravity(world: &mut World, step: u64, _: f32) -> Result<(), Error> {
    if step == 0 || !step.is_multiple_of(120) {
        return Ok(());
    }
    let gravity = world.config().gravity;
    world.set_gravity([0.0 - gravity.y, gravity.x]) // never -0
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlane::{Vec2, WorldConfig};

    #[test]
    fn gravity_turns_to_the_left_and_comes_round() {
        let mut world = World::new(WorldConfig::default().with_gravity([0.0, -PULL])).expect("in range");
        let quarters = [[0.0, -PULL], [PULL, 0.0], [0.0, PULL], [-PULL, 0.0]];
        for step in 0..1_200 {
            turn_gravity(&mut world, step, 1.0).expect("finite");
            let Vec2 { x, y } = world.config().gravity;
            assert_eq!([x, y].map(f32::to_bits), quarters[(step / 120 % 4) as usize].map(f32::to_bits), "{step}");
        }
        let mut world = World::new(WorldConfig::default()).expect("in range");
        (0..500).for_each(|step| turn_gravity(&mut world, step, 1.0).expect("finite"));
        assert_eq!(world.config().gravity, Vec2::ZERO, "there was none");
    }
}
