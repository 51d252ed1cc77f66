//! A crowd that leaves a room: everybody makes for the door, which is wide enough for two.
//!
//! The wish to walk is that of Helbing and Molnár's social force model (Physical Review E 51, 4282, 1995) without its forces at a distance: a velocity goes
//! over into the wished one within a time of relaxation; bodies that touch are kept apart by the engine.

use super::{Bodies, Course, PLAIN, Show};
use crate::scenes::{Entry, Rng};
use gridlane::{Error, World};

const PEOPLE: usize = 2_000;
/// Half the side of the room.
const HALF: f64 = 20.0;
/// Half the width of the door, which is in the right wall.
const DOOR: f32 = 0.9;
/// Length units per second.
const PACE: f32 = 1.4;
/// Seconds in which a velocity becomes the wished one.
const RELAXATION: f32 = 0.3;

pub(super) const SHOW: Show = Show {
    entry: Entry { name: "crowd", circles: PEOPLE, segments: 8, about: "2 000 people leave a room through one door" },
    course: Course { steps: 1_500, dt: 1.0 / 60.0, restitution: 0.0, hand: Some(walk), ..PLAIN },
    one_sided: false,
    build,
};

fn build(rng: &mut Rng) -> Bodies {
    let mut bodies = Bodies::default();
    let side = 45;
    for person in 0..PEOPLE {
        let place = |k: usize| (k as f64 + 0.5) / f64::from(side) * 2.0 * HALF - HALF;
        let jitter = [rng.range(-0.1, 0.1), rng.range(-0.1, 0.1)];
        let center = [place(person % side as usize) + jitter[0], place(person / side as usize) + jitter[1]];
        bodies.circle(center, rng.range(0.22, 0.3), [0.0, 0.0], 1.0);
    }
    let (h, d) = (HALF, f64::from(DOOR));
    // The room, but for the door, and a street beyond it.
    bodies.path(&[[h, d], [h, h], [-h, h], [-h, -h], [h, -h], [h, -d]]);
    let street = h + 60.0;
    bodies.path(&[[h, h], [street, h]]);
    bodies.path(&[[h, -h], [street, -h]]);
    bodies.segment([street, -h], [street, h]);
    bodies
}

/// To the door; through it; then on and apart.
fn walk(world: &mut World, _: u64, dt: f32) -> Result<(), Error> {
    let circles = world.circles();
    let share = if dt < RELAXATION { dt / RELAXATION } else { 1.0 };
    let door = HALF as f32;
    let wishes: Vec<_> = (0..circles.len())
        .map(|row| {
            let (x, y) = (circles.x()[row], circles.y()[row]);
            // Outside, everybody keeps to the line from the door on which they came out.
            let (dx, dy) = if x < door - 0.2 {
                let aim = if y > DOOR / 2.0 {
                    DOOR / 2.0
                } else if y < -DOOR / 2.0 {
                    -DOOR / 2.0
                } else {
                    y
                };
                (door - x, aim - y)
            } else {
                (1.0, (x - door) * y / 400.0)
            };
            let length = (dx * dx + dy * dy).sqrt();
            let (vx, vy) = (circles.velocity_x()[row], circles.velocity_y()[row]);
            let wished = [PACE * dx / length, PACE * dy / length];
            (circles.handles()[row], [vx + (wished[0] - vx) * share, vy + (wished[1] - vy) * share])
        })
        .collect();
    wishes.into_iter().try_for_each(|(person, velocity)| world.set_circle_velocity(person, velocity))
}
