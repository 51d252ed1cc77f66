//! A Galton board: balls fall through rows of pegs into bins, which fill like a bell: about the middle, and less the farther from it.
//!
//! Were each row a toss of a coin, the bins would be binomial, of variance `ROWS / 4` pitches squared. Balls keep some of the speed with which
//! they went aside, and push each other: the bell is about twice as wide.

use super::{Bodies, Course, PLAIN, Show};
use crate::scenes::{Entry, Rng};

const BALLS: usize = 600;
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
        segments: BINS + 11,
        about: "balls fall through rows of pegs into bins",
    },
    course: Course { steps: 4_800, dt: 1.0 / 120.0, gravity: [0.0, -9.81], restitution: 0.3, ..PLAIN },
    one_sided: false,
    build,
};
const PEGS: usize = ROWS / 2 * (2 * BINS - 3);

fn build(rng: &mut Rng) -> Bodies {
    let mut bodies = Bodies::default();
    let half = BINS as f64 / 2.0 * PITCH;
    for row in 0..ROWS {
        // Between the last peg and the wall there is room for a ball.
        let pegs = if row % 2 == 0 { BINS - 2 } else { BINS - 1 };
        for peg in 0..pegs {
            let x = (peg as f64 - (pegs - 1) as f64 / 2.0) * PITCH;
            bodies.circle([x, row as f64 * RISE], PEG, [0.0, 0.0], f64::INFINITY);
        }
    }
    // The hopper: a funnel above the middle, with an opening five balls wide. Three close one of half that width for ever.
    let top = ROWS as f64 * RISE;
    let (mouth, rim) = (5.0 * BALL, 7.0);
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
        bodies.path(&[[side * half, floor], [side * half, high], [side * rim, high]]);
    }
    bodies
}

#[cfg(test)]
mod tests {
    use crate::shows::load;
    use gridlane::WorldConfig;

    /// Where the balls are, across, that a run has brought into the bins.
    fn arrived(seed: u64) -> Vec<f64> {
        let (input, course) = load("galton", seed).expect("a show");
        let config = WorldConfig::default().with_gravity(course.gravity).with_restitution(course.restitution);
        let mut world = input.world(config).expect("a world");
        for _ in 0..course.steps {
            world.step(course.dt).expect("a step");
        }
        let circles = world.circles();
        let balls =
            (0..circles.len()).filter(|&row| input.circles.mass[circles.handles()[row].index() as usize] == 1.0);
        balls.filter(|&row| circles.y()[row] < -1.0).map(|row| f64::from(circles.x()[row])).collect()
    }

    #[test]
    fn nearly_all_balls_arrive_and_bins_fill_like_a_bell() {
        let (half, balls) = (super::BINS as f64 / 2.0, super::BALLS as f64);
        for seed in 0..3 {
            let x = arrived(seed);
            let count = x.len() as f64;
            assert!(count >= 0.97 * balls, "seed {seed}: {count} of {balls}");
            assert!(x.iter().all(|x| x.abs() < half), "seed {seed}: within the walls");
            let mean = x.iter().sum::<f64>() / count;
            let spread = (x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count).sqrt();
            // Tosses of a coin: a variance of a quarter of a pitch squared a row, the least there is where speed aside is kept in part and never
            // turned round. Bins filled all alike would have that of a uniform distribution, (2 half)^2 / 12; a bell is well below it.
            let (least, uniform) = ((super::ROWS as f64 / 4.0).sqrt(), 2.0 * half / 12f64.sqrt());
            assert!(least < spread && spread < 0.8 * uniform, "seed {seed}: {spread} of {least} to {uniform}");
            // The board is its own mirror image: the mean is 0 but for six of its standard deviations.
            assert!(mean.abs() < 6.0 * spread / count.sqrt(), "seed {seed}: {mean}");
            // The middle third of the bins holds 53 in a hundred of a normal distribution of the widest spread that is let pass (0.72 times
            // 6.7 to either side), 95 of a binomial one, and 33 where all bins are alike. The outermost third holds 15 of the widest.
            let part =
                |low: f64, high: f64| x.iter().filter(|x| low <= x.abs() && x.abs() < high).count() as f64 / count;
            let thirds = [part(0.0, half / 3.0), part(half / 3.0, half / 1.5), part(half / 1.5, half)];
            assert!(thirds[0] > 0.5 && thirds[0] > thirds[1] && thirds[1] > 2.0 * thirds[2], "seed {seed}: {thirds:?}");
        }
    }
}
