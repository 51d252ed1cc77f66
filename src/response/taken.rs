//! Circles taken out of their columns, one by one, and what is done to them put back.
//!
//! Comes in: columns, rows. Goes out: circles in double precision, and columns in which they stand and move otherwise; whether all that was
//! written is finite. This room does not know contacts.

use super::impulse::{self, Pair};
use crate::geometry::Periods;
use crate::kernels::bounce::{Bodies, LONGEST};
use crate::kernels::{Backend, InstructionSet, LANES};

/// The circles' columns while they are resolved, in cell order; or a stretch of their rows.
pub(crate) struct Circles<'a> {
    /// The first row of the stretch.
    first: usize,
    x: &'a mut [f32],
    y: &'a mut [f32],
    velocity_x: &'a mut [f32],
    velocity_y: &'a mut [f32],
    radius: &'a [f32],
    inverse_mass: &'a [f32],
    /// What repeats: bodies meet by their shortest images.
    pub(super) periods: Periods,
    /// Who computes eight at a time.
    kernels: (Backend, InstructionSet),
    /// All that was written is finite.
    pub(super) finite: bool,
}

impl<'a> Circles<'a> {
    pub(crate) fn new(
        x: &'a mut [f32],
        y: &'a mut [f32],
        velocity_x: &'a mut [f32],
        velocity_y: &'a mut [f32],
        radius: &'a [f32],
        inverse_mass: &'a [f32],
    ) -> Circles<'a> {
        let (periods, kernels) = (Periods::default(), (Backend::Scalar, InstructionSet::Portable));
        Circles { first: 0, x, y, velocity_x, velocity_y, radius, inverse_mass, periods, kernels, finite: true }
    }

    /// Those before a row and those from it on, which share nothing; rows keep their numbers. Whether what they write is finite has to be
    /// asked of both.
    pub(super) fn split_at(&mut self, row: usize) -> [Circles<'_>; 2] {
        let at = row - self.first;
        let (x, y) = (self.x.split_at_mut(at), self.y.split_at_mut(at));
        let (velocity_x, velocity_y) = (self.velocity_x.split_at_mut(at), self.velocity_y.split_at_mut(at));
        let (radius, inverse_mass) = (self.radius.split_at(at), self.inverse_mass.split_at(at));
        let low = Circles::new(x.0, y.0, velocity_x.0, velocity_y.0, radius.0, inverse_mass.0);
        let high = Circles::new(x.1, y.1, velocity_x.1, velocity_y.1, radius.1, inverse_mass.1);
        let (periods, kernels) = (self.periods, self.kernels);
        [(self.first, low), (row, high)].map(|(first, part)| Circles { first, periods, kernels, ..part })
    }

    /// The same in a plane that repeats.
    pub(crate) fn with_periods(self, periods: Periods) -> Circles<'a> {
        Circles { periods, ..self }
    }

    /// The same, eight pairs at a time.
    pub(crate) fn with_kernels(self, backend: Backend, set: InstructionSet) -> Circles<'a> {
        Circles { kernels: (backend, set), ..self }
    }

    /// Who computes eight pairs at a time.
    pub(super) fn kernels(&self) -> (Backend, InstructionSet) {
        self.kernels
    }

    /// The first of its rows.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// From one place to the nearest image of another.
    #[inline(always)]
    pub(super) fn between(&self, from: Pair, to: Pair) -> Pair {
        self.periods.fold(between(from, to))
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// Puts a circle somewhere else, at another velocity.
    pub(super) fn put(&mut self, row: usize, position: Pair, velocity: Pair) {
        let row = row - self.first;
        let [position, velocity] = [position, velocity].map(|pair| pair.map(|v| v as f32));
        [self.x[row], self.y[row]] = position;
        [self.velocity_x[row], self.velocity_y[row]] = velocity;
        self.finite &= position.iter().chain(&velocity).all(|v| v.is_finite());
    }

    /// Takes eight circles out of the columns.
    #[inline(always)]
    pub(super) fn take_eight(&self, rows: &[u32; LANES]) -> Bodies {
        // Cut to one length, so that a row takes one check.
        let n = self.x.len();
        let (x, y, vx, vy) = (&self.x[..n], &self.y[..n], &self.velocity_x[..n], &self.velocity_y[..n]);
        let (radius, inverse_mass) = (&self.radius[..n], &self.inverse_mass[..n]);
        let mut bodies = Bodies::default();
        for (k, &row) in rows.iter().enumerate() {
            let row = row as usize - self.first;
            (bodies.position[0][k], bodies.position[1][k]) = (x[row], y[row]);
            (bodies.velocity[0][k], bodies.velocity[1][k]) = (vx[row], vy[row]);
            (bodies.radius[k], bodies.inverse_mass[k]) = (radius[row], inverse_mass[row]);
        }
        bodies
    }

    /// Puts the first `count` of eight circles back, all different.
    #[inline(always)]
    pub(super) fn put_eight(&mut self, rows: &[u32; LANES], bodies: &Bodies, count: usize) {
        let n = self.x.len();
        let (x, y) = (&mut self.x[..n], &mut self.y[..n]);
        let (vx, vy) = (&mut self.velocity_x[..n], &mut self.velocity_y[..n]);
        for (k, &row) in rows.iter().enumerate().take(count) {
            let row = row as usize - self.first;
            (x[row], y[row]) = (bodies.position[0][k], bodies.position[1][k]);
            (vx[row], vy[row]) = (bodies.velocity[0][k], bodies.velocity[1][k]);
        }
    }

    /// The same of positions alone.
    #[inline(always)]
    pub(super) fn put_positions(&mut self, rows: &[u32; LANES], bodies: &Bodies, count: usize) {
        let n = self.x.len();
        let (x, y) = (&mut self.x[..n], &mut self.y[..n]);
        for (k, &row) in rows.iter().enumerate().take(count) {
            let row = row as usize - self.first;
            (x[row], y[row]) = (bodies.position[0][k], bodies.position[1][k]);
        }
    }

    /// Takes one circle out of the columns.
    #[inline(always)]
    pub(super) fn take(&self, row: usize) -> Body {
        let row = row - self.first;
        Body {
            position: [f64::from(self.x[row]), f64::from(self.y[row])],
            velocity: [f64::from(self.velocity_x[row]), f64::from(self.velocity_y[row])],
            radius: f64::from(self.radius[row]),
            inverse_mass: f64::from(self.inverse_mass[row]),
        }
    }

    /// Moves a circle along a unit normal, at most half its radius.
    #[inline(always)]
    pub(super) fn shift(&mut self, row: usize, body: &mut Body, normal: Pair, by: f64) {
        if by != 0.0 {
            let longest = LONGEST * body.radius;
            let by = impulse::between(-longest, by, longest);
            let row = row - self.first;
            [self.x[row], self.y[row]] = along(&mut body.position, normal, by);
            self.finite &= body.position[0].is_finite() & body.position[1].is_finite();
        }
    }

    /// Changes a velocity along a unit normal, and the position by what the change was worth since the meeting.
    #[inline(always)]
    pub(super) fn kick(&mut self, row: usize, body: &mut Body, normal: Pair, by: f64, since: f64) {
        if by != 0.0 {
            let at = row - self.first;
            [self.velocity_x[at], self.velocity_y[at]] = along(&mut body.velocity, normal, by);
            self.finite &= body.velocity[0].is_finite() & body.velocity[1].is_finite();
            self.shift(row, body, normal, by * since);
        }
    }
}

/// Adds `by` along `normal`, rounded to what the columns hold.
#[inline(always)]
fn along(vector: &mut Pair, normal: Pair, by: f64) -> [f32; 2] {
    let to = [(vector[0] + normal[0] * by) as f32, (vector[1] + normal[1] * by) as f32];
    *vector = [f64::from(to[0]), f64::from(to[1])];
    to
}

/// One circle, taken out of the columns.
#[derive(Clone, Copy, Default)]
pub(super) struct Body {
    pub(super) position: Pair,
    pub(super) velocity: Pair,
    pub(super) radius: f64,
    pub(super) inverse_mass: f64,
}

/// The first circle of a run of contacts, taken out of the columns once for all of them: who writes to it there writes here, too, and no
/// contact of the run has it as its second.
#[derive(Default)]
pub(super) struct First {
    row: Option<u32>,
    body: Body,
}

impl First {
    #[inline(always)]
    pub(super) fn of(&mut self, circles: &Circles<'_>, row: u32) -> &mut Body {
        if self.row != Some(row) {
            (self.row, self.body) = (Some(row), circles.take(row as usize));
        }
        &mut self.body
    }
}

/// From one point to another, as they stand: where only what stands side by side is compared.
pub(super) fn between(from: Pair, to: Pair) -> Pair {
    difference(from, to)
}

/// The second as seen from the first, of velocities or of ways.
#[inline(always)]
pub(super) fn difference(from: Pair, to: Pair) -> Pair {
    [to[0] - from[0], to[1] - from[1]]
}
