//! Many small worlds side by side.
//!
//! Comes in: worlds, or one of them and a number. Goes out: the same worlds a step further, and columns of all of them. Threads share
//! out worlds, never one world: the bits of each are those it has when it is stepped alone, whatever the threads. This room does
//! not know what a step does.
//!
//! Cost: a world of 50 circles and 20 segments takes 1.6 to 2.5 µs a step while it is in the caches. Thousands of them are not: each step then
//! fetches what is its world's own from memory, and on one thread they take 2.3 times what one large world takes a circle, on two
//! 1.6 times (bench `many` on a Xeon; 2.9 on a Zen 4, on one thread). Buffers that are of use within one step alone are handed on from world to world, and in the end back to the
//! first, so that they stay in the caches and are not multiplied; what is a world's own is read while the world before is about to be stepped.

use super::step::check_dt;
use super::{World, WorldConfig};
use crate::error::Error;
use crate::parallel::{Pool, Split, Threads};
use crate::storage::{CircleBody, CircleColumns, SegmentColumns};
use std::hint::black_box;
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
    pieces(pool, worlds, |worlds, refused| {
        for k in 0..worlds.len() {
            let (before, from_here) = worlds.split_at_mut(k);
            let Some((world, after)) = from_here.split_first_mut() else { break };
            after.first().into_iter().for_each(|next| _ = black_box(next.read_ahead()));
            // Of some tens of kilobytes that a small step writes, a few are its world's own.
            before.last_mut().into_iter().for_each(|lender| world.swap_buffers(lender));
            if let Err(error) = world.step_alone(dt) {
                refused(k, error);
            }
        }
        // Back to where they came from: all others never have any.
        if let [first, .., last] = worlds {
            first.swap_buffers(last);
        }
    })
}

/// Does `work` to all worlds, some of them on each thread, one piece after the other. It says who refuses, by its place in the piece;
/// the first error is that of the first world that has one.
fn pieces(
    pool: &Pool,
    worlds: &mut [World],
    work: impl Fn(&mut [World], &mut dyn FnMut(usize, Error)) + Sync,
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
        split.chunks(worlds, piece, |at, worlds| work(worlds, &mut |k, error| note(at + k, error)));
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
    /// Reads one number of each line of the caches that the next step reads, so that these come while another world is stepped:
    /// thousands of worlds are in no cache, and a step that asks for one line after the other waits for each. Column by column, since
    /// the fewer instructions stand between two reads, the more of them are under way at once. Contacts are not read by a step: the one after it
    /// writes its own over them.
    fn read_ahead(&self) -> usize {
        let CircleColumns { x, y, radius, velocity_x, velocity_y, inverse_mass, handle, labels } = &self.circles;
        let SegmentColumns { x0, y0, x1, y1, moving, one_sided, labels: of_segments, .. } = &self.segments;
        let numbers = [x, y, radius, velocity_x, velocity_y, inverse_mass, x0, y0, x1, y1, &self.segments.radius];
        let columns = numbers.map(|column| lines(column, f32::to_bits)).into_iter().fold(0, |all, bits| all ^ bits)
            ^ [moving, one_sided].map(|column| lines(column, u32::from)).into_iter().fold(0, |all, bits| all ^ bits)
            ^ lines(handle, |handle| handle.to_bits() as u32)
            ^ lines(&self.segments.handle, |handle| handle.to_bits() as u32)
            ^ lines(self.contacts.circle_circle(), |contact| contact.a)
            ^ lines(self.contacts.circle_segment(), |contact| contact.a);
        let fields = [
            labels.read_ahead(),
            of_segments.read_ahead(),
            self.segments.velocity_y1.len(),
            self.segments.moving_rows.len(),
            self.stats.circles ^ self.stats.report_ns as usize,
            self.circle_slots.len(),
            self.segment_slots.len(),
            self.squeezed.len(),
            self.passing.len(),
            self.stats.threads,
            self.warmth.read_ahead(),
            self.near.read_ahead(),
            self.joints.read_ahead(),
            self.detection.read_ahead(),
            self.reporter.read_ahead(),
        ];
        fields.into_iter().fold(columns as usize, |all, field| all ^ field)
    }

    /// Exchanges all that is of use within one step alone. Pairs of segments stay: those of static ones would be written anew.
    fn swap_buffers(&mut self, other: &mut World) {
        other.next.contacts.swap_segments(&mut other.pairs);
        std::mem::swap(&mut self.next, &mut other.next);
        self.next.contacts.swap_segments(&mut self.pairs);
        std::mem::swap(&mut self.detection, &mut other.detection);
        self.detection.swap_kept(&mut other.detection);
        self.near.swap_buffers(&mut other.near);
        self.reporter.swap_buffers(&mut other.reporter);
    }
}

/// One value of each line of the caches in which a column lies.
#[inline(always)]
fn lines<T: Copy>(column: &[T], bits: impl Fn(T) -> u32) -> u32 {
    column.iter().step_by(64 / size_of::<T>()).fold(0, |all, &value| all ^ bits(value))
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
    /// So many worlds like `template`, of the same handles, backend and configuration, but for its threads: those are shared by all of them, and each
    /// is stepped by one ([`Threads::Fixed`]`(1)`).
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
        pieces(&self.pool, &mut self.worlds, |worlds, refused| {
            for (k, world) in worlds.iter_mut().enumerate() {
                world.restore(&self.start).unwrap_or_else(|error| refused(k, error));
            }
        })
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
