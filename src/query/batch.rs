//! The first body that each of some dozen rays meets, stage by stage.
//!
//! Comes in: rays, and a scene whose finest circles lie in a box of cells and whose segments lie in one. Goes out: what they hit, and which of them have to
//! be asked one by one. What is looked at, and what that proves, is as in [`super::search`]; the order is that of a pipeline, because a ray by
//! itself is one long chain: where it starts has to be known before its cell, the cell before its bodies, those before the first of them, and that
//! before its point. Each stage does one link for all rays, and the machine overlaps the waiting of one with the work of the next.

use super::along::{Near, STRETCHES};
use super::flight::Flight;
use super::march::{FEW, Walk, steps};
use super::met::{MOST, Met};
use super::rays::Flights;
use super::search::{FRONT, List, NAMES, Search, has_front};
use super::{Hit, Look, Scene};
use crate::broad_phase::{CellLevel, Cells, Level};
use crate::kernels::Kernels;
use crate::kernels::foremost::{Foremost, Front};
use crate::kernels::ray::Beam;
use std::ops::Range;

/// Rays at a time.
pub(super) const BATCH: usize = MOST;
/// Rows of cells of a first stretch whose runs are read ahead.
const ROWS: usize = 4;

/// A scene that can be asked in stages.
pub(super) struct Ground<'a> {
    scene: &'a Scene<'a>,
    look: &'a Look<'a>,
    /// The levels of the circles, finest first.
    levels: &'a [Level],
    segments: Option<(&'a Cells, &'a CellLevel, List<'a>)>,
}

/// A ray on its way through the stages.
#[derive(Clone, Copy)]
struct Job {
    /// Can be done in stages.
    ready: bool,
    flight: Flight,
    beam: Beam,
    near: Near,
    /// When the first stretch ends.
    until: f64,
    /// Its runs of circles.
    runs: [[u32; 2]; ROWS],
    rows: usize,
    walk: Walk,
    /// What the first cell of segments holds.
    entries: [u32; 2],
}

/// Room for them, used again.
pub(super) struct Jobs([Job; BATCH], Met);

impl Jobs {
    pub(super) fn new() -> Jobs {
        Jobs([Job::NONE; BATCH], Met::new())
    }
}

impl Job {
    const NONE: Job = Job {
        ready: false,
        flight: Flight::NONE,
        beam: Beam::NONE,
        near: Near::NONE,
        until: 0.0,
        runs: [[0; 2]; ROWS],
        rows: 0,
        walk: Walk::NONE,
        entries: [0; 2],
    };
}

impl<'a> Ground<'a> {
    /// None if this scene, or this look, is not such a one.
    pub(super) fn new(scene: &'a Scene<'a>, look: &'a Look<'a>) -> Option<Ground<'a>> {
        let levels = if look.circles() { scene.grid.levels() } else { &[] };
        let mut segments = None;
        for (which, cells) in scene.cells.into_iter().enumerate() {
            if !look.segments() {
                break;
            }
            for level in cells.levels() {
                let walked = level.map.last().0 >= 0 && level.entries.end - level.entries.start > FEW;
                if segments.is_some() || !walked {
                    return None;
                }
                segments = Some((cells, level, List::new(cells.entries().view(), 1 + which)));
            }
            if !cells.apart().rows.is_empty() {
                return None;
            }
        }
        let boxed = levels.first().is_none_or(|level| level.map.last().0 >= 0);
        (boxed && has_front(scene, look)).then_some(Ground { scene, look, levels, segments })
    }

    /// Asks rays from one on, as many as there is room for, at most [`BATCH`]; tells which of them are still to be asked, one by bit.
    #[inline(always)]
    pub(super) fn cast<K: Kernels>(
        &self,
        flights: &Flights<'_>,
        first: usize,
        out: &mut [Hit],
        jobs: &mut Jobs,
        none: &mut Vec<Hit>,
    ) -> u32 {
        for (k, job) in jobs.0[..out.len()].iter_mut().enumerate() {
            let (flight, skip) = flights.at(first + k);
            job.flight = flight;
            job.ready = skip.is_none() && self.prepare(job);
        }
        let mut touched = 0;
        for job in &jobs.0[..out.len()] {
            touched ^= self.touch(job);
        }
        std::hint::black_box(touched);
        let mut found = [Foremost::Doubt; BATCH];
        for (job, found) in jobs.0[..out.len()].iter().zip(&mut found) {
            if job.ready {
                *found = self.search::<K>(job, none);
            }
        }
        let (mut left, Jobs(jobs, met)) = (0, jobs);
        for (k, out) in out.iter_mut().enumerate() {
            *out = Hit::NOTHING;
            left |= u32::from(!self.meets(&jobs[k].flight, found[k], met, k as u32)) << k;
        }
        let mut open = met.finish::<K>(out);
        while open != 0 {
            let k = open.trailing_zeros() as usize;
            open &= open - 1;
            let hit = self.hit(&jobs[k].flight, found[k]);
            left |= u32::from(hit.is_none()) << k;
            out[k] = hit.unwrap_or(Hit::NOTHING);
        }
        left
    }

    /// Where it starts, and what it looks at first; false if it has to be asked in another way.
    #[inline(always)]
    fn prepare(&self, job: &mut Job) -> bool {
        let flight = &job.flight;
        job.beam = Beam::thin(flight.origin.into(), flight.direction.into());
        job.beam.set_limit(f64::from(flight.max));
        let mut ready = flight.is_ray() & job.beam.is_plain();
        (job.rows, job.until) = (0, f64::INFINITY);
        if let Some(level) = self.levels.first() {
            let Some(near) = Near::new(level, flight) else { return false };
            let Some((block, until)) = near.block(0.0, f64::from(flight.max)) else { return false };
            (job.near, job.until) = (near, until);
            let mut runs = block.runs(level, self.scene.grid.starts());
            ready &= runs.left as usize <= ROWS;
            for to in &mut job.runs {
                let Some(run) = runs.next() else { break };
                *to = [run.start, run.end];
                job.rows += 1;
            }
        }
        if let Some((cells, level, _)) = self.segments {
            let Some(walk) = Walk::inside(&level.map, level.width, flight) else { return false };
            let table = cells.table(level);
            job.entries = [table[walk.key as usize], table[walk.key as usize + 1]];
            job.walk = walk;
        }
        ready
    }

    /// Reads a number of each column that will be wanted, and nothing depends on it: by the time it is, it is at hand. A few rays' worth of this
    /// is under way at a time.
    #[inline(always)]
    fn touch(&self, job: &Job) -> u32 {
        let (circles, mut sum) = (self.scene.circles(), 0);
        for &[from, _] in &job.runs[..if self.levels.is_empty() { 0 } else { 2 }] {
            let from = from as usize;
            sum ^= circles.x[from].to_bits() ^ circles.y[from].to_bits() ^ circles.radius[from].to_bits();
        }
        if let Some((.., list)) = &self.segments
            && let Some(eight) = list.entries.eights.get(job.entries[0] as usize / 8)
        {
            let columns = eight.columns();
            sum ^= columns.x0[0].to_bits() ^ columns.x1[0].to_bits();
        }
        sum
    }

    /// What it meets first.
    #[inline(always)]
    fn search<K: Kernels>(&self, job: &Job, none: &mut Vec<Hit>) -> Foremost {
        let (mut front, beam, max) = (K::Front::new(), &job.beam, f64::from(job.flight.max));
        for &[from, to] in &job.runs[..job.rows] {
            self.circles::<K>(&mut front, beam, from..to, job.until);
        }
        if let Some((cells, level, list)) = &self.segments {
            let mut walk = job.walk;
            let table = cells.table(level);
            let (mut run, mut left) = (job.entries[0]..job.entries[1], steps(level.entries.end - level.entries.start));
            loop {
                let until = walk.until();
                list.front::<K>(&mut front, beam, run, until);
                if until >= walk.out || until >= stop::<K>(&front, beam, max) {
                    break;
                }
                left -= 1;
                if left == 0 {
                    return Foremost::Doubt;
                }
                walk.go_on(&level.map);
                run = table[walk.key as usize]..table[walk.key as usize + 1];
            }
        }
        for (k, level) in self.levels.iter().enumerate() {
            let (near, from) = if k == 0 { (Some(job.near), job.until) } else { (Near::new(level, &job.flight), 0.0) };
            if k > 0 || from < stop::<K>(&front, beam, max) {
                self.stretches::<K>(job, &mut front, level, near.as_ref(), from, none);
            }
        }
        front.foremost(beam)
    }

    /// Circles of a level from a time on.
    #[inline(always)]
    fn stretches<K: Kernels>(
        &self,
        job: &Job,
        front: &mut K::Front,
        level: &Level,
        near: Option<&Near>,
        mut from: f64,
        none: &mut Vec<Hit>,
    ) {
        let (beam, max, mut left) = (&job.beam, f64::from(job.flight.max), STRETCHES);
        loop {
            let end = stop::<K>(front, beam, max);
            let next = if let Some(near) = near
                && left > 0
            {
                near.block(from, end)
            } else {
                None
            };
            let Some((block, until)) = next else {
                // Out of the box, or far: with more care.
                let mut search = Search::<K, FRONT>::new(self.scene, self.look, job.flight, none);
                (search.front, search.stop) = (*front, end);
                search.along_circles(level, from);
                *front = search.front;
                return;
            };
            for run in block.runs(level, self.scene.grid.starts()) {
                self.circles::<K>(front, beam, run, until);
            }
            if until >= stop::<K>(front, beam, max) {
                return;
            }
            from = until;
            left -= 1;
        }
    }

    #[inline(always)]
    fn circles<K: Kernels>(&self, front: &mut K::Front, beam: &Beam, run: Range<u32>, until: f64) {
        let (mut at, until, circles) = (run.start, beam.count(until), self.scene.circles());
        while at < run.end {
            front.circles(circles, beam, until, [at, run.end - at], at);
            at += 8;
        }
    }

    /// Hands on what is surely met; false if there is doubt.
    #[inline(always)]
    fn meets(&self, flight: &Flight, found: Foremost, met: &mut Met, at: u32) -> bool {
        match found {
            Foremost::Doubt => return false,
            Foremost::Nothing => {}
            Foremost::Clear { name, lane } if name < NAMES => {
                let row = name + lane as u32;
                met.circle(flight, self.scene.circle(row), self.scene.name(row), at);
            }
            Foremost::Clear { name, lane } => {
                let Some((segment, row)) = self.segments.as_ref().and_then(|of| of.2.named(name, lane)) else {
                    return false;
                };
                met.segment(flight, segment, row, at);
            }
        }
        true
    }

    /// The record, one by one; none if there is doubt.
    #[inline(never)]
    fn hit(&self, flight: &Flight, found: Foremost) -> Option<Hit> {
        match found {
            Foremost::Doubt => None,
            Foremost::Nothing => Some(Hit::NOTHING),
            Foremost::Clear { name, lane } if name < NAMES => {
                let row = name + lane as u32;
                let circle = self.scene.circle(row);
                flight.hit_circle(flight.meet_circle(circle), circle, self.scene.name(row))
            }
            Foremost::Clear { name, lane } => {
                let (segment, row) = self.segments.as_ref()?.2.named(name, lane)?;
                flight.hit_segment(flight.meet_segment(segment), segment, row)
            }
        }
    }
}

/// Nothing met from here on matters.
#[inline(always)]
fn stop<K: Kernels>(front: &K::Front, beam: &Beam, max: f64) -> f64 {
    let behind = beam.behind(front.bound());
    if behind < max { behind } else { max }
}
