//! A world as bytes, and back.
//!
//! Comes in: a world, or bytes that anybody may have written. Goes out: bytes from which every later step has the same bits, or a
//! world, or an error and the world as it was. This room does not know what a step does with what is saved: each room writes
//! what it keeps. Not saved is what is a function of the rest (cells, walls kept by cell, pairs of static segments), and
//! what only tells of the past: contacts, events, statistics.
//!
//! Layout, little-endian: magic, version; configuration; circles (number, indices, generations, free indices and those that are used up, x, y, velocities, radius, inverse
//! mass, labels); segments likewise, with velocities for those alone that have any, and which are one-sided;
//! how long substeps were; pairs that bear something, and what; which circles did not fall, a bit each; whom a hook let pass; what the next report needs, touching pairs above all; a checksum. A column whose rows are
//! all the same takes five bytes. So a circle takes 20 to 32 bytes, a segment 20 to 29 (24 more where it moves), a touching pair 8,
//! and 12 more if it bears something, 16 if a hook let it pass; labels where somebody has them: a filter 8, a sensor or a bullet 1, user data 8, a restitution 4, who is
//! disabled 1 and 8 for each who is; a free index 8; and 4 a body after removals that no step has told yet.

use super::bytes::{Reader, Word, Writer, checksum};
use super::label_bytes;
use super::report::Reporter;
use super::{StepStats, World, WorldConfig, options};
use crate::error::Error;
use crate::narrow_phase::Detection;
use crate::response::Warmth;
use crate::storage::{CircleBodies, CircleColumns, Handle, MAX_ROWS, SegmentBodies, SegmentColumns, Slots};

/// Grows with every change of the layout; and what is said of bytes that have another.
const VERSION: (u32, &str) = (8, "version 8");
const MAGIC: u64 = u64::from_le_bytes(*b"gridlane");
const SEAL: usize = size_of::<u64>();

/// Buffers for a state that is being read.
#[derive(Debug)]
pub(super) struct Spare {
    circles: CircleColumns,
    circle_slots: Slots,
    segments: SegmentColumns,
    segment_slots: Slots,
    reporter: Reporter,
    warmth: Warmth,
    passing: Vec<[u64; 2]>,
    lists: Lists,
}

/// Buffers for what is not a column of bodies.
#[derive(Debug, Default)]
struct Lists {
    index: Vec<u32>,
    generation: Vec<u32>,
    free: Vec<[u32; 2]>,
    retired: Vec<u32>,
    carried: Vec<u32>,
    flags: Vec<u8>,
    values: Vec<f32>,
    pairs: [Vec<[u32; 2]>; 2],
    touching: Vec<u64>,
    bearings: [Vec<f32>; 2],
    held: Vec<u32>,
}

impl World {
    /// This world as bytes; see [`World::save_into`].
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes);
        bytes
    }

    /// Replaces `bytes` by all that the bits of later steps depend on: bodies with their handles, in their rows; indices to be used
    /// again, in their order; the configuration but for backend and threads; which pairs touched, and what has been edited since.
    /// The same state gives the same bytes on every machine. Contacts, events and statistics are not saved.
    ///
    /// At most 32 bytes a body, a bit a circle, 8 bytes a touching pair, 12 a pair at rest and 16 one that a hook let pass, but for: velocities of moving segments (24 each), filters (8),
    /// restitutions (4), sensors and bullets (1 each) and user data (8) of all bodies of a kind where one has them, disabled ones (9 for all,
    /// 8 for each), free indices (8 each), and, while no step has followed, 4 a body after a removal or a [`World::detect`], 4 more for each edit of a body that
    /// was there at the last step, again each time, and 20 for each removed one.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        let to = &mut Writer { out: bytes };
        to.value(MAGIC);
        to.value(VERSION.0);
        self.config.save(to);
        let c = &self.circles;
        save_handles(&c.handle, &self.circle_slots, to);
        for column in [&c.x, &c.y, &c.velocity_x, &c.velocity_y, &c.radius, &c.inverse_mass] {
            to.column(column);
        }
        label_bytes::save(&c.labels, c.len(), to);
        label_bytes::save_bullets(&c.labels, c.len(), to);
        let s = &self.segments;
        save_handles(&s.handle, &self.segment_slots, to);
        for column in [&s.x0, &s.y0, &s.x1, &s.y1, &s.radius] {
            to.column(column);
        }
        save_velocities(s, to);
        to.column::<u8>(bytemuck::cast_slice(&s.one_sided));
        label_bytes::save(&s.labels, s.len(), to);
        save_warmth(&self.warmth, to);
        to.list(&self.passing);
        self.reporter.save(s, to);
        let sum = checksum(bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
    }

    /// Becomes the world that was saved, but for backend and threads, which stay: the same calls then give the same bits as they
    /// would have given there. Contacts and events are empty and statistics zero until the next step. What is cached of static
    /// segments is kept if those are the same.
    ///
    /// ```
    /// use gridlane::{Circle, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default().with_gravity([0.0, -9.81]))?;
    /// let ball = world.add_circle(Circle::new([0.0, 5.0], 0.5))?;
    /// let before = world.save();
    /// world.step(0.5)?;
    /// let after = world.state_hash();
    /// world.restore(&before)?;
    /// assert_eq!(world.circle(ball).map(|ball| ball.shape.center.y), Some(5.0));
    /// world.step(0.5)?;
    /// assert_eq!(world.state_hash(), after);
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// A handle that was given out after the bytes were written is as if it had never been: the index it has may be given out again.
    ///
    /// # Errors
    /// [`Error::Snapshot`], or what bodies and configurations are refused with at the door, if these are not bytes that
    /// [`World::save`] of this version has made; the world is then as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut spare = self.spare.take().unwrap_or_default();
        let read = spare.read(bytes, &self.config, &self.segments);
        if let Ok(config) = read.as_ref() {
            std::mem::swap(&mut self.circles, &mut spare.circles);
            std::mem::swap(&mut self.circle_slots, &mut spare.circle_slots);
            std::mem::swap(&mut self.segments, &mut spare.segments);
            std::mem::swap(&mut self.segment_slots, &mut spare.segment_slots);
            std::mem::swap(&mut self.reporter, &mut spare.reporter);
            std::mem::swap(&mut self.warmth, &mut spare.warmth);
            std::mem::swap(&mut self.passing, &mut spare.passing);
            self.index.circles_changed();
            self.index.segments_changed();
            let kept = [&self.config, config].map(|c| (c.cell_size, c.pair_kinds, c.contact_limit));
            if kept[0] != kept[1] {
                *self.detection = Detection::new(options(config));
                self.near.forget();
            }
            if kept[0] != kept[1] || self.config.bounds != config.bounds {
                self.wrap = None;
                self.near.forget();
            }
            self.config = config.clone();
            self.contacts.clear();
            self.squeezed.clear();
            self.impacts.clear();
            self.circle_impacts.clear();
            self.stats = StepStats::default();
            self.timing.forget();
        }
        self.spare = Some(spare);
        read.map(|_| ())
    }

    /// The world that was saved, with the default backend and threads. For others make a [`World::new`] with them and
    /// [`World::restore`] it.
    ///
    /// # Errors
    /// As of [`World::restore`].
    pub fn from_snapshot(bytes: &[u8]) -> Result<World, Error> {
        let mut world = World::new(WorldConfig::default())?;
        world.restore(bytes)?;
        world.spare = None;
        Ok(world)
    }
}

/// Writes the checksum of a snapshot anew, after a test has changed what is before it.
pub(crate) fn seal(bytes: &mut [u8]) {
    if let Some((body, end)) = bytes.split_last_chunk_mut::<SEAL>() {
        *end = checksum(body).to_le_bytes();
    }
}

impl Default for Spare {
    fn default() -> Spare {
        Spare {
            circles: CircleColumns::default(),
            circle_slots: Slots::new(),
            segments: SegmentColumns::default(),
            segment_slots: Slots::new(),
            reporter: Reporter::new(false),
            warmth: Warmth::default(),
            passing: Vec::new(),
            lists: Lists::default(),
        }
    }
}

impl Spare {
    /// All of it, checked; the configuration apart. `segments` are those that are there now.
    fn read(&mut self, bytes: &[u8], config: &WorldConfig, segments: &SegmentColumns) -> Result<WorldConfig, Error> {
        let (body, seal) = bytes.split_last_chunk::<SEAL>().unwrap_or((bytes, &[0; SEAL]));
        let from = &mut Reader::new(body);
        let magic = from.value::<u64>()?;
        from.ensure(magic == MAGIC, "the first bytes of a snapshot")?;
        let version = from.value::<u32>()?;
        from.ensure(version == VERSION.0, VERSION.1)?;
        if checksum(body) != u64::from_le_bytes(*seal) {
            return Err(Error::Snapshot { at: bytes.len(), expected: "the checksum of what is before it" });
        }
        let config = config.restore(from)?;
        self.read_circles(from)?;
        let (periods, c) = (config.bounds.periods(), &self.circles);
        let keeps = |(&x, &y): (&f32, &f32)| periods.keeps(0, x) && periods.keeps(1, y);
        from.ensure(c.x.iter().zip(&c.y).all(keeps), "circles between periodic bounds")?;
        self.read_segments(from)?;
        self.segments.succeed(segments);
        let slots = [self.circle_slots.len(), self.segment_slots.len()];
        self.lists.read_warmth(from, slots, &mut self.warmth)?;
        from.list(&mut self.passing)?;
        from.ensure(self.passing.is_sorted(), "pairs that pass, ascending")?;
        let rows = self.circles.len();
        self.reporter.restore(config.events, from, rows, &self.segments, &mut self.lists.touching)?;
        from.end()?;
        Ok(config)
    }

    fn read_circles(&mut self, from: &mut Reader<'_>) -> Result<(), Error> {
        let c = &mut self.circles;
        let rows = self.lists.read_handles(from, &mut c.handle, &mut self.circle_slots)?;
        for column in [&mut c.x, &mut c.y, &mut c.velocity_x, &mut c.velocity_y, &mut c.radius, &mut c.inverse_mass] {
            from.column(rows, column)?;
        }
        let flags = &mut self.lists.flags;
        label_bytes::read(from, rows, flags, &mut c.labels)?;
        label_bytes::read_bullets(from, rows, flags, &mut c.labels)?;
        let bodies = CircleBodies {
            x: &c.x,
            y: &c.y,
            radius: &c.radius,
            velocity_x: &c.velocity_x,
            velocity_y: &c.velocity_y,
            inverse_mass: &c.inverse_mass,
            ..CircleBodies::default()
        };
        bodies.check().map(|_| ())
    }

    fn read_segments(&mut self, from: &mut Reader<'_>) -> Result<(), Error> {
        let s = &mut self.segments;
        let rows = self.lists.read_handles(from, &mut s.handle, &mut self.segment_slots)?;
        for column in [&mut s.x0, &mut s.y0, &mut s.x1, &mut s.y1, &mut s.radius] {
            from.column(rows, column)?;
        }
        self.lists.read_velocities(from, rows, s)?;
        let flags = &mut self.lists.flags;
        label_bytes::read_flags(from, rows, flags, &mut s.one_sided)?;
        label_bytes::read(from, rows, flags, &mut s.labels)?;
        let bodies = SegmentBodies {
            x0: &s.x0,
            y0: &s.y0,
            x1: &s.x1,
            y1: &s.y1,
            radius: &s.radius,
            velocity_x0: &s.velocity_x0,
            velocity_y0: &s.velocity_y0,
            velocity_x1: &s.velocity_x1,
            velocity_y1: &s.velocity_y1,
            ..SegmentBodies::default()
        };
        bodies.check().map(|_| ())
    }
}

/// The number of rows, who is in them, and which indices come next.
fn save_handles<H: Handle>(handles: &[H], slots: &Slots, to: &mut Writer<'_>) {
    to.value(handles.len() as u64);
    to.words(handles.iter().map(|handle| handle.slot()));
    let same = handles.first().is_none_or(|first| handles.iter().all(|h| h.generation() == first.generation()));
    to.value(u8::from(same));
    to.words(handles.iter().map(|handle| handle.generation()).take(if same { 1 } else { usize::MAX }));
    to.value(slots.free().len() as u64);
    to.words(slots.free().map(|(slot, _)| slot));
    to.words(slots.free().map(|(_, generation)| generation));
    to.list(&slots.retired(handles.len()));
}

/// What pairs at rest bear, by the indices of their handles, and who does not fall.
fn save_warmth(warmth: &Warmth, to: &mut Writer<'_>) {
    to.value(warmth.slow().to_bits());
    for (pairs, values) in warmth.lists() {
        to.list(&pairs);
        to.values(&values);
    }
    to.list(warmth.held());
}

/// Row by row for those that move, and for a zero that is not the usual one: it has bits, too.
fn save_velocities(s: &SegmentColumns, to: &mut Writer<'_>) {
    let columns = [&s.velocity_x0, &s.velocity_y0, &s.velocity_x1, &s.velocity_y1];
    let carried = |row: &usize| s.moving[*row] || columns.iter().any(|column| column[*row].to_bits() != 0);
    let rows: Vec<u32> = (0..s.len()).filter(carried).map(|row| row as u32).collect();
    to.list(&rows);
    for &row in &rows {
        let row = row as usize;
        to.value(u32::from(s.moving[row]));
        to.values(&columns.map(|column| column[row]));
    }
}

impl Lists {
    /// Handles into `handles`, slots into `slots`; how many rows there are. Each has been paid for with four bytes.
    fn read_handles<H: Handle>(
        &mut self,
        from: &mut Reader<'_>,
        handles: &mut Vec<H>,
        slots: &mut Slots,
    ) -> Result<usize, Error> {
        let Lists { index, generation, free, retired, .. } = self;
        let rows = usize::try_from(from.value::<u64>()?).unwrap_or(usize::MAX);
        let indices = from.take(rows.saturating_mul(4))?.chunks_exact(4).map(u32::get);
        handles.clear();
        if from.flag()? {
            let same = if rows == 0 { 0 } else { from.value()? };
            handles.extend(indices.map(|slot| H::from_parts(slot, same)));
        } else {
            let generations = from.take(4 * rows)?.chunks_exact(4).map(u32::get);
            handles.extend(indices.zip(generations).map(|(slot, generation)| H::from_parts(slot, generation)));
        }
        from.list(index)?;
        from.values(index.len(), generation)?;
        free.clear();
        free.extend(index.iter().zip(&*generation).map(|(&slot, &generation)| [slot, generation]));
        from.list(retired)?;
        from.ensure(rows + free.len() + retired.len() <= MAX_ROWS, "fewer bodies")?;
        from.ensure(slots.set(handles, free, retired), "each index once")?;
        Ok(rows)
    }

    fn read_warmth(&mut self, from: &mut Reader<'_>, slots: [usize; 2], warmth: &mut Warmth) -> Result<(), Error> {
        let Lists { pairs, bearings, held, .. } = self;
        let slow = f64::from_bits(from.value()?);
        for (pairs, bearings) in pairs.iter_mut().zip(&mut *bearings) {
            from.list(pairs)?;
            from.values(pairs.len(), bearings)?;
        }
        from.list(held)?;
        let right = warmth.set(slow, [(&pairs[0], &bearings[0]), (&pairs[1], &bearings[1])], held, slots);
        from.ensure(right, "what pairs bear, ascending")
    }

    fn read_velocities(&mut self, from: &mut Reader<'_>, rows: usize, s: &mut SegmentColumns) -> Result<(), Error> {
        let Lists { carried, values, .. } = self;
        from.list(carried)?;
        let ascending = carried.is_sorted_by(|a, b| a < b);
        from.ensure(ascending && carried.last().is_none_or(|&row| (row as usize) < rows), "ascending rows")?;
        s.moving.clear();
        s.moving.resize(rows, false);
        let mut columns = [&mut s.velocity_x0, &mut s.velocity_y0, &mut s.velocity_x1, &mut s.velocity_y1];
        for column in &mut columns {
            column.clear();
            column.resize(rows, 0.0);
        }
        for &row in &*carried {
            let moving: u32 = from.value()?;
            from.values(4, values)?;
            // A segment that has a velocity moves.
            from.ensure(moving < 2 && (moving == 1 || values.iter().all(|&v| v == 0.0)), "1 for what moves")?;
            s.moving[row as usize] = moving == 1;
            for (column, &value) in columns.iter_mut().zip(&*values) {
                column[row as usize] = value;
            }
        }
        Ok(())
    }
}
