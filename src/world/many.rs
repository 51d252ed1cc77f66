//! Many small worlds side by side.
//!
//! Comes in: worlds, or one of them and a number. Goes out: the same worlds a step further, and columns of all of them. Threads share
//! out worlds, never one world: the bits of each are those it has when it is stepped alone, whatever the threads. This room does
//! not know what a step does.
//!
//! Cost: a world of 50 circles and 20 segments takes 2.1 µs a step while it is in the caches. Thousands of them are not: they take
//! about twice what one large world takes a circle (bench `many`). Buffers that are of use within one step alone are handed on from
//! world to world, so that they stay in the caches and are not multiplied.

use super::step::check_dt;
use super::{World, WorldConfig};
use crate::error::Error;
use crate::parallel::{Pool, Split, Threads};
use crate::storage::CircleBody;
use std::sync::{Mutex, PoisonError};

/// All worlds are so many pieces of work, of at most so many worlds each.
const PIECES: usize = 64;
const MOST: usize = 64;

/// Steps every world by `dt` seconds, as [`World::step`] does, with the threads of the surrounding rayon pool, each world on one
/// thread whatever its configuration says. Times in [`World::stats`] are 0.
///
/// ```
/// use gridlane::{Circle, World, WorldConfig, step_many};
///
/// let mut worlds = Vec::new();
/// for k in 0..100 {
///     let mut world = World::new(WorldConfig::default())?;
///     world.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([k as f32, 0.0]))?;
///     worlds.push(world);
/// }
/// step_many(&mut worlds, 0.5)?;
/// assert_eq!(worlds[7].circles().x(), [3.5]);
/// # Ok::<(), gridlane::Error>(())
/// ```
///
/// # Errors
/// [`Error::TimeStep`], and no world has been stepped; [`Error::InWorld`] with the first world that refuses and its error: every
/// one that refuses is as before, and all others have been stepped.
pub fn step_many(worlds: &mut [World], dt: f32) -> Result<(), Error> {
    check_dt(dt)?;
    step_all(&Pool::new(Threads::Auto), worlds, dt)
}

fn step_all(pool: &Pool, worlds: &mut [World], dt: f32) -> Result<(), Error> {
    each(pool, worlds, |world, lender| {
        // Of some tens of kilobytes that a small step writes, a few are its world's own.
        lender.into_iter().for_each(|lender| world.swap_buffers(lender));
        world.step_alone(dt).map(|_| ())
    })
}

/// Does the same to every world, some of them on each thread, one after the other. `work` is given the world before as well: what is
/// its own only for a moment may be handed on. The first error is that of the first world that has one.
fn each(
    pool: &Pool,
    worlds: &mut [World],
    work: impl Fn(&mut World, Option<&mut World>) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let refused: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let note = |index: usize, error: Error| {
        let mut first = refused.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(other, _)| index < *other) {
            *first = Some((index, error));
        }
    };
    let piece = std::cmp::min(worlds.len().div_ceil(PIECES), MOST);
    if piece == 0 {
        return Ok(());
    }
    pool.run(bodies(worlds), |split: Split| {
        split.chunks(worlds, piece, |at, worlds| {
            for k in 0..worlds.len() {
                let (before, from_here) = worlds.split_at_mut(k);
                if let Err(error) = work(&mut from_here[0], before.last_mut()) {
                    note(at + k, error);
                }
            }
        });
    });
    match refused.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((world, error)) => Err(Error::InWorld { world, error: Box::new(error) }),
        None => Ok(()),
    }
}

/// How many bodies there are, or very many: to look at thousands of worlds only to know that would take its time.
fn bodies(worlds: &[World]) -> usize {
    if worlds.len() > 1000 {
        return usize::MAX;
    }
    worlds.iter().map(|world| world.circles.len() + world.segments.len()).sum()
}

impl World {
    /// Exchanges all that is of use within one step alone.
    fn swap_buffers(&mut self, other: &mut World) {
        std::mem::swap(&mut self.next, &mut other.next);
        std::mem::swap(&mut self.detection, &mut other.detection);
        self.detection.swap_kept(&mut other.detection);
        self.near.swap_buffers(&mut other.near);
    }
}

/// Many worlds that start alike: stepped together, reset one by one, read as one array.
///
/// ```
/// use gridlane::{Circle, Segment, World, WorldConfig, Worlds};
///
/// let mut template = World::new(WorldConfig::default().with_gravity([0.0, -10.0]))?;
/// let ball = template.add_circle(Circle::new([0.0, 3.0], 0.5))?;
/// template.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0]))?;
/// let mut worlds = Worlds::new(&template, 64)?;
/// worlds.worlds_mut()[5].set_circle_velocity(ball, [2.0, 0.0])?; // handles are those of the template
/// worlds.step(0.25)?;
/// let mut positions = Vec::new(); // [worlds × circles × 2]
/// worlds.positions_into(&mut positions);
/// assert_eq!((positions.len(), positions[2 * 5]), (64 * 2, 0.5));
/// worlds.reset(5)?;
/// worlds.positions_into(&mut positions);
/// assert_eq!(positions[2 * 5..2 * 6], [0.0, 3.0]);
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Debug)]
pub struct Worlds {
    worlds: Vec<World>,
    start: Vec<u8>,
    pool: Pool,
}

impl Worlds {
    /// So many worlds like `template`, of the same handles, backend and configuration. Its threads are shared by all of them: each is
    /// stepped by one.
    ///
    /// # Errors
    /// None but for [`Error::Config`], which a world that is there does not have.
    pub fn new(template: &World, count: usize) -> Result<Worlds, Error> {
        let start = template.save();
        let threads = template.config.threads;
        let config = WorldConfig { threads: Threads::Fixed(1), ..template.config.clone() };
        let worlds = (0..count).map(|_| {
            let mut world = World::new(config.clone())?;
            world.restore(&start)?;
            Ok(world)
        });
        Ok(Worlds { worlds: worlds.collect::<Result<_, Error>>()?, start, pool: Pool::new(threads) })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// All of them.
    #[must_use]
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// All of them, to be changed one by one.
    #[must_use]
    pub fn worlds_mut(&mut self) -> &mut [World] {
        &mut self.worlds
    }

    /// Steps all, as [`step_many`].
    ///
    /// # Errors
    /// As of [`step_many`].
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        check_dt(dt)?;
        step_all(&self.pool, &mut self.worlds, dt)
    }

    /// Takes one world back to its start: what the template was. Its contacts and events are empty until the next step.
    ///
    /// # Errors
    /// [`Error::NoWorld`].
    pub fn reset(&mut self, world: usize) -> Result<(), Error> {
        let worlds = self.worlds.len();
        self.worlds.get_mut(world).ok_or(Error::NoWorld { world, worlds })?.restore(&self.start)
    }

    /// Takes all worlds back to their start.
    ///
    /// # Errors
    /// None: what was saved can be restored.
    pub fn reset_all(&mut self) -> Result<(), Error> {
        each(&self.pool, &mut self.worlds, |world, _| world.restore(&self.start))
    }

    /// Replaces `offsets` by the number of circles in all worlds before each, and in all: the circles of world `w` are those from
    /// `offsets[w]` to `offsets[w + 1]` in what [`Self::circles_into`] and its like write.
    pub fn offsets_into(&self, offsets: &mut Vec<usize>) {
        offsets.clear();
        let mut sum = 0;
        offsets.push(sum);
        offsets.extend(self.worlds.iter().map(|world| {
            sum += world.circles.len();
            sum
        }));
    }

    /// Replaces `out` by the centres, x and y, of all circles, world after world, and in a world by the indices of their handles: an
    /// array of worlds × circles × 2 for as long as nobody adds or removes any.
    pub fn positions_into(&self, out: &mut Vec<f32>) {
        self.gather(out, |world, row| [world.circles.x[row], world.circles.y[row]]);
    }

    /// The same of velocities.
    pub fn velocities_into(&self, out: &mut Vec<f32>) {
        self.gather(out, |world, row| [world.circles.velocity_x[row], world.circles.velocity_y[row]]);
    }

    /// The same of whatever numbers are made of each circle: worlds × circles × N.
    pub fn circles_into<const N: usize>(&self, out: &mut Vec<f32>, features: impl Fn(&CircleBody) -> [f32; N]) {
        self.gather(out, |world, row| features(&world.circles.body(row)));
    }

    fn gather<const N: usize>(&self, out: &mut Vec<f32>, features: impl Fn(&World, usize) -> [f32; N]) {
        out.clear();
        for world in &self.worlds {
            let slots = 0..world.circle_slots.len();
            let rows = slots.filter_map(|slot| world.circle_slots.row_of_slot(slot, &world.circles.handle));
            rows.for_each(|row| out.extend_from_slice(&features(world, row)));
        }
    }
}
