//! The bodies of a run, from a scene or from files, and the world made of them.
//!
//! Comes in: checked arguments. Goes out: columns in input order, a world whose handles number those rows. Does not
//! know what is done with the world.

use crate::Failure;
use crate::args::{CommonArgs, DEFAULT_SCENE};
use crate::readers::{self, CircleColumns, SegmentColumns};
use crate::scenes::{self, Rng, Scene};
use crate::shows::{self, Course, PLAIN};
use gridlane::{CircleBodies, SegmentBodies, World, WorldConfig};

/// Bodies, and what they are called.
pub(crate) struct Input {
    /// The scene's name, or the names of the files.
    pub(crate) title: String,
    /// Circles in input order.
    pub(crate) circles: CircleColumns,
    /// Segments in input order.
    pub(crate) segments: SegmentColumns,
    /// Half the width of the square frame about the origin, where there is one.
    pub(crate) frame: Option<f32>,
    /// Segments are solid from the right only.
    pub(crate) one_sided: bool,
    /// What the reader has to tell.
    pub(crate) notes: Vec<String>,
}

impl Input {
    /// The scene or the files that were asked for.
    pub(crate) fn load(args: &CommonArgs) -> Result<Input, Failure> {
        Ok(Input::with_course(args)?.0)
    }

    /// The same, and how it is stepped where nothing else is said.
    pub(crate) fn with_course(args: &CommonArgs) -> Result<(Input, Course), Failure> {
        if args.circles.is_some() || args.segments.is_some() {
            return Ok((Input::from_files(args)?, PLAIN));
        }
        let name = args.scene.as_deref().unwrap_or(DEFAULT_SCENE);
        if let Some((input, course)) = shows::load(name, args.seed) {
            return Ok((Input { one_sided: args.one_sided || input.one_sided, ..input }, course));
        }
        match scenes::seeded(name, args.seed) {
            Some(scene) => Ok((Input { one_sided: args.one_sided, ..Input::from_scene(scene) }, PLAIN)),
            None => Err(Failure::Input(format!("expected a built-in scene, found {name:?}"))),
        }
    }

    fn from_files(args: &CommonArgs) -> Result<Input, Failure> {
        let circles = args.circles.as_deref().map(readers::circles).transpose()?.unwrap_or_default();
        let (segments, note) = args.segments.as_deref().map(readers::segments).transpose()?.unwrap_or_default();
        let files = [&args.circles, &args.segments];
        let names: Vec<_> = files.iter().filter_map(|f| Some(f.as_ref()?.file_name()?.to_string_lossy())).collect();
        let title = names.join(", ");
        Ok(Input {
            title,
            circles,
            segments,
            frame: None,
            one_sided: args.one_sided,
            notes: note.into_iter().collect(),
        })
    }

    fn from_scene(scene: Scene) -> Input {
        let Scene { name, half_width, x, y, radius, velocity_x, velocity_y, x0, y0, x1, y1 } = scene;
        // Every scene with circles ends with the four segments of its frame.
        let frame = (!x.is_empty()).then_some(half_width);
        Input {
            title: name.to_string(),
            circles: CircleColumns { x, y, radius, velocity_x, velocity_y, mass: vec![] },
            segments: SegmentColumns { x0, y0, x1, y1, velocity: Default::default() },
            frame,
            one_sided: false,
            notes: vec![],
        }
    }

    /// Gives every circle of finite mass this speed, in a direction drawn from SplitMix64.
    ///
    /// The direction is that of the first point drawn inside the unit disc: no sines, so the same bits everywhere.
    pub(crate) fn set_speed(&mut self, speed: f32, seed: u64) {
        let count = self.circles.x.len();
        self.circles.velocity_x.resize(count, 0.0);
        self.circles.velocity_y.resize(count, 0.0);
        let mut rng = Rng::new(seed);
        for row in 0..count {
            let (x, y) = direction(&mut rng);
            if self.circles.mass.get(row).is_none_or(|mass| mass.is_finite()) {
                self.circles.velocity_x[row] = (f64::from(speed) * x) as f32;
                self.circles.velocity_y[row] = (f64::from(speed) * y) as f32;
            }
        }
    }

    /// The lower left and the upper right corner of all bodies, or of the frame.
    pub(crate) fn extent(&self) -> Option<[[f32; 2]; 2]> {
        if let Some(half) = self.frame {
            return Some([[-half; 2], [half; 2]]);
        }
        let axis = |c: &[f32], ends: [&[f32]; 2]| {
            let circles = c.iter().zip(&self.circles.radius).flat_map(|(&c, &r)| [c - r, c + r]);
            let all = circles.chain(ends.into_iter().flatten().copied());
            all.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
        };
        let x = axis(&self.circles.x, [&self.segments.x0, &self.segments.x1]);
        let y = axis(&self.circles.y, [&self.segments.y0, &self.segments.y1]);
        (x[0] <= x[1]).then_some([[x[0], y[0]], [x[1], y[1]]])
    }

    /// A fresh world that holds the bodies: the index of a handle is the row of the input.
    pub(crate) fn world(&self, config: WorldConfig) -> Result<World, Failure> {
        let mut world = World::new(config)?;
        let CircleColumns { x, y, radius, velocity_x, velocity_y, mass } = &self.circles;
        // One over infinity is zero: immovable.
        let inverse_mass: Vec<f32> = mass.iter().map(|mass| 1.0 / mass).collect();
        let inverse_mass = &inverse_mass[..];
        world.add_circles(CircleBodies { x, y, radius, velocity_x, velocity_y, inverse_mass, ..Default::default() })?;
        let SegmentColumns { x0, y0, x1, y1, velocity: [vx0, vy0, vx1, vy1] } = &self.segments;
        let one_sided = vec![true; if self.one_sided { x0.len() } else { 0 }];
        world.add_segments(SegmentBodies {
            one_sided: &one_sided,
            x0,
            y0,
            x1,
            y1,
            velocity_x0: vx0,
            velocity_y0: vy0,
            velocity_x1: vx1,
            velocity_y1: vy1,
            ..Default::default()
        })?;
        Ok(world)
    }
}

/// A unit vector, all directions alike.
fn direction(rng: &mut Rng) -> (f64, f64) {
    loop {
        let (x, y) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let square = x * x + y * y;
        if square > 0.0 && square <= 1.0 {
            let length = square.sqrt();
            return (x / length, y / length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_given_to_what_can_be_pushed() {
        let circles = CircleColumns {
            x: vec![0.0; 200],
            y: vec![0.0; 200],
            radius: vec![1.0; 200],
            mass: [vec![f32::INFINITY], vec![1.0; 199]].concat(),
            ..CircleColumns::default()
        };
        let segments = SegmentColumns::default();
        let mut input = Input { title: String::new(), circles, segments, frame: None, one_sided: false, notes: vec![] };
        input.set_speed(3.0, 7);
        let speed = |row: usize| {
            let (x, y) = (f64::from(input.circles.velocity_x[row]), f64::from(input.circles.velocity_y[row]));
            (x * x + y * y).sqrt()
        };
        assert_eq!(speed(0), 0.0);
        // Two components rounded to f32, each within 3 * 2^-24.
        assert!((1..200).all(|row| (speed(row) - 3.0).abs() < 6e-7));
        // All four quadrants are met: the chance that one is missed by 199 circles is 4 * (3/4)^199 < 1e-24.
        let quadrant = |row: usize| (input.circles.velocity_x[row] > 0.0, input.circles.velocity_y[row] > 0.0);
        for wanted in [(false, false), (false, true), (true, false), (true, true)] {
            assert!((1..200).any(|row| quadrant(row) == wanted), "{wanted:?}");
        }
    }
}
