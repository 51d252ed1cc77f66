//! A pile: ten thousand discs of slightly different sizes fall into a box and come to rest.

use super::{Bodies, Course, PLAIN, Show};
use crate::scenes::{Entry, Rng};

const DISCS: usize = 10_000;
/// Of the box.
const WIDTH: f64 = 100.0;

pub(super) const SHOW: Show = Show {
    entry: Entry { name: "pile", circles: DISCS, segments: 3, about: "ten thousand discs come to rest in a box" },
    course: Course { steps: 1_200, dt: 1.0 / 60.0, gravity: [0.0, -9.81], restitution: 0.0, ..PLAIN },
    one_sided: false,
    build,
};

fn build(rng: &mut Rng) -> Bodies {
    let mut bodies = Bodies::default();
    // Rows of 97 with a little room, every other one shifted by half a place.
    let (columns, pitch) = (97, 1.02);
    for disc in 0..DISCS {
        let (column, row) = (disc % columns, disc / columns);
        let shift = if row % 2 == 0 { 0.0 } else { 0.45 };
        let x = 0.55 + column as f64 * pitch + shift + rng.range(-0.01, 0.01);
        bodies.circle([x, 0.55 + row as f64 * 1.01], rng.range(0.47, 0.5), [0.0, 0.0], 1.0);
    }
    let high = 1.3 * WIDTH;
    bodies.path(&[[0.0, high], [0.0, 0.0], [WIDTH, 0.0], [WIDTH, high]]);
    bodies
}
