//! Rows of the table, and what several parts measure.

use gridlane::{Circle, Error, Segment, World};

/// One line of the table.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) measured: String,
    pub(crate) bound: String,
    pub(crate) holds: bool,
}

impl Row {
    /// A figure whose size must not be beyond a bound.
    pub(crate) fn at_most(what: impl Into<String>, measured: f64, bound: f64) -> Row {
        Row {
            what: what.into(),
            measured: format!("{measured:.2e}"),
            bound: format!("at most {bound:.1e}"),
            holds: measured.abs() <= bound,
        }
    }

    /// In percent.
    pub(crate) fn percent(what: impl Into<String>, error: f64, bound: f64) -> Row {
        let holds = error.abs() <= bound;
        Row {
            what: what.into(),
            measured: format!("{:+.2} %", 100.0 * error),
            bound: format!("±{:.1} %", 100.0 * bound),
            holds,
        }
    }

    /// Told, not judged.
    pub(crate) fn told(what: impl Into<String>, measured: String) -> Row {
        Row { what: what.into(), measured, bound: String::new(), holds: true }
    }
}

/// SplitMix64.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// 0 up to, but not, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// All directions alike, length 1.
    pub(crate) fn direction(&mut self) -> [f64; 2] {
        loop {
            let v = [2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0];
            let square = v[0] * v[0] + v[1] * v[1];
            if square > 0.0 && square <= 1.0 {
                return v.map(|component| component / square.sqrt());
            }
        }
    }
}

/// `count` discs of radius 1/2 and mass 1 on a square lattice that fills a box of side `side` with its lower left corner at the origin, each with speed
/// `speed` in a random direction, then a little off so that nothing is symmetric. Their mean velocity is taken away.
pub(crate) fn lattice(world: &mut World, count: usize, side: f64, speed: f64, rng: &mut Rng) -> Result<(), Error> {
    let columns = (count as f64).sqrt().ceil() as usize;
    let pitch = side / columns as f64;
    let velocities: Vec<[f64; 2]> = (0..count).map(|_| rng.direction()).collect();
    let mean = [0, 1].map(|axis| velocities.iter().map(|v| v[axis]).sum::<f64>() / count as f64);
    let room = (pitch - 1.0) / 2.0;
    for (disc, v) in velocities.iter().enumerate() {
        let place = |k: usize, rng: &mut Rng| (k as f64 + 0.5) * pitch + 0.9 * room * (2.0 * rng.unit() - 1.0);
        let center = [place(disc % columns, rng) as f32, place(disc / columns, rng) as f32];
        let velocity = [0, 1].map(|axis| (speed * (v[axis] - mean[axis])) as f32);
        world.add_circle(Circle::new(center, 0.5).with_velocity(velocity))?;
    }
    Ok(())
}

/// The four walls of a box.
pub(crate) fn walls(world: &mut World, low: [f32; 2], high: [f32; 2]) -> Result<(), Error> {
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]], low];
    for pair in corners.windows(2) {
        world.add_segment(Segment::new(pair[0], pair[1]))?;
    }
    Ok(())
}

/// Mean of the squared speed.
pub(crate) fn mean_square_speed(world: &World) -> f64 {
    let circles = world.circles();
    let squares = circles.velocity_x().iter().zip(circles.velocity_y()).map(|(&x, &y)| {
        let (x, y) = (f64::from(x), f64::from(y));
        x * x + y * y
    });
    squares.sum::<f64>() / circles.len() as f64
}

/// The deepest overlap of the present positions, in radii of the smaller circle (walls: of the circle).
pub(crate) fn deepest(world: &mut World) -> Result<f64, Error> {
    world.detect()?;
    let radius = world.circles().radius();
    let radius = |row: u32| f64::from(radius[row as usize]);
    let circles = world
        .contacts()
        .circle_circle()
        .iter()
        .map(|c| -f64::from(c.separation) / if radius(c.a) < radius(c.b) { radius(c.a) } else { radius(c.b) });
    let walls = world.contacts().circle_segment().iter().map(|c| -f64::from(c.separation) / radius(c.a));
    Ok(circles.chain(walls).fold(0.0, f64::max))
}
