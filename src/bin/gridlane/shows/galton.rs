//! A Galton board: balls fall through rows of pegs into bins, which fill like a binomial distribution.

use super::{Bodies, Course, PLAIN, Show};
use crate::scenes::{Entry, Rng};

const BALLS: usize = 1_500;
const ROWS: usize = 24;
const BINS: usize = 29;
/// From peg to peg.
const PITCH: f64 = 1.0;
/// From row to row of pegs, so that each has the two of the next at equal distance.
const RISE: f64 = 0.866;
const PEG: f64 = 0.12;
const BALL: f64 = 0.2;
/// Of the bins.
const DEPTH: f64 = 16.0;

pub(super) const SHOW: Show = Show {
    entry: Entry {
        name: "galton",
        circles: BALLS + PEGS,
        segments: BINS + 9,
        about: "balls fall through rows of pegs into bins",
    },
    course: Course { steps: 4_800, gravity: [0.0, -9.81], restitution: 0.3, ..PLAIN },
    one_sided: false,
    build,
};
const PEGS: usize = ROWS / 2 * (2 * BINS - 1);

fn build(rng: &mut Rng) -> Bodies {
    let mut bodies = Bodies::default();
    let half = BINS as f64 / 2.0 * PITCH;
    for row in 0..ROWS {
        let pegs = if row % 2 == 0 { BINS } else { BINS - 1 };
        for peg in 0..pegs {
            let x = (peg as f64 - (pegs - 1) as f64 / 2.0) * PITCH;
            bodies.circle([x, row as f64 * RISE], PEG, [0.0, 0.0], f64::INFINITY);
        }
    }
    // The hopper: a funnel above the middle, with an opening a ball and a half wide.
    let top = ROWS as f64 * RISE;
    let (mouth, rim) = (0.75 * 2.0 * BALL * 1.5, 7.0);
    let high = top + 1.0 + rim;
    for side in [-1.0, 1.0] {
        bodies.path(&[[side * mouth, top + 0.4], [side * mouth, top + 1.0], [side * rim, high]]);
    }
    // Balls in columns above it, each a little off.
    let wide = 28;
    for ball in 0..BALLS {
        let (column, layer) = (ball % wide, ball / wide);
        let x = (column as f64 - (wide - 1) as f64 / 2.0) * 0.48 + rng.range(-0.03, 0.03);
        bodies.circle([x, high + 0.5 + layer as f64 * 0.48], BALL, [0.0, 0.0], 1.0);
    }
    // Bins below, and walls about everything.
    let floor = -DEPTH - 1.0;
    for bin in 1..BINS {
        let x = bin as f64 * PITCH - half;
        bodies.segment([x, -1.0], [x, floor]);
    }
    let lid = high + 0.5 + (BALLS / wide + 2) as f64 * 0.48;
    bodies.path(&[[-rim, high], [-rim, lid], [rim, lid], [rim, high]]);
    bodies.segment([-half, floor], [half, floor]);
    for side in [-1.0, 1.0] {
        bodies.segment([side * half, floor], [side * half, top]);
    }
    bodies
}
