//! The first body that each of some dozen rays meets, stage by stage.
//!
//! Comes in: rays, and a scene whose segments have no radii and lie in some cells, or are few. Goes out: what they hit, and which of them have to
//! be asked one by one. What is looked at, and what that proves, is as in [`super::search`]; the order is that of a pipeline, because a ray by
//! itself is one long chain: where it starts has to be known before its cell, the cell before its bodies, those before the first of them, and that
//! before its point. Each stage does one link for all rays, and the machine overlaps the waiting of one with the work of the next.
//!
//! How many rows of cells a ray looks at, who is in them, and after how many cells it ends nobody can guess. So a stage first lists
//! the runs that all rays are to be held against, the empty ones dropped without a branch, then goes through that list, and those that are not at their
//! end make up the next one. That is done cell by cell where all bodies lie together under cells ([`RayCells`]), once these are made; until then, and for
//! those who come to a cell that is crowded, level by level. Where cells of circles lie on a torus, rays then walk one by one, but for [`super::wide`]
//! stretches.

mod bunches;
mod shapes;
mod walks;

use super::abreast::{self, BATCH, Beams, Blocks, Nears, Rays, Walks};
use super::along::{Block, Near, STRETCHES};
use super::march::FEW;
use super::met::Met;
use super::order::Order;
use super::rays::Flights;
use super::search::{FRONT, List, Search, is_thin};
use super::tasks::{Few, Task, Tasks};
use super::{Hit, Look, Scene};
use crate::broad_phase::{Bunch, CellLevel, Cells, Level, RayCells};
use crate::geometry::{Ray, Vec2};
use crate::kernels::foremost::{Foremost, Front};
use crate::kernels::ray::Beam;
use crate::kernels::{Kernels, LANES};

/// Lists of segments, and what is not called like one.
const SETS: usize = 7;
/// So many cells of segments are looked at one by one.
const SOON: u32 = 2;
/// The circle of a ray that sees all of them.
const NOBODY: u32 = u32::MAX;
/// Before any time: no circles have been looked at.
const NOTHING: f64 = -1.0;

/// A scene that can be asked in stages.
pub(super) struct Ground<'a> {
    scene: &'a Scene<'a>,
    look: &'a Look<'a>,
    order: Order<'a>,
    /// Who is met first may not be seen: then nobody knows who is.
    asks: bool,
    /// A circle that nobody sees, or [`NOBODY`].
    unseen: u32,
    /// The cells in which all bodies lie together, if they are made.
    together: Option<&'a RayCells>,
    /// The levels of the circles, finest first.
    levels: &'a [Level],
    /// Those of segments that are walked through.
    walked: [Option<Walked<'a>>; SETS],
    /// Lists, and what of them all rays are held against.
    whole: [Option<(List<'a>, [u32; 2])>; SETS],
    /// All lists, by what they are called.
    lists: [Option<List<'a>>; SETS],
}

/// A level of segments.
#[derive(Clone, Copy)]
struct Walked<'a> {
    cells: &'a Cells,
    level: &'a CellLevel,
    list: List<'a>,
}

/// Rays on their way through the stages; room for them, used again.
pub(super) struct Jobs {
    rays: Rays,
    beams: Beams,
    /// In the level of circles that is looked at.
    nears: Nears,
    blocks: Blocks,
    walks: Walks,
    tasks: Tasks,
    /// Of segments, where circles are listed too.
    segments: Tasks,
    met: Met,
    /// The circle that each does not see, or [`NOBODY`], and who has one.
    unseen: [u32; BATCH],
    partial: Few,
}

impl Jobs {
    pub(super) const NONE: Jobs = Jobs {
        rays: Rays::NONE,
        beams: Beams::NONE,
        nears: Nears::NONE,
        blocks: Blocks::NONE,
        walks: Walks::NONE,
        tasks: Tasks::NONE,
        segments: Tasks::NONE,
        met: Met::new(),
        unseen: [NOBODY; BATCH],
        partial: Few::NONE,
    };
}

/// What is known of the rays of a batch.
struct State<F> {
    fronts: [F; BATCH],
    /// Until when all circles of a level have been looked at, or [`NOTHING`].
    seen: [f64; BATCH],
    /// Nothing met from here on matters.
    stop: [f64; BATCH],
    /// What is met later than this, counted in d, will be seen again.
    until: [f32; BATCH],
    /// What is in the cell that each came to last, where all bodies lie together.
    bunches: [Bunch; BATCH],
}

impl<F: Front> State<F> {
    #[inline(always)]
    fn new() -> State<F> {
        let (seen, until, bunches) = ([NOTHING; BATCH], [f32::INFINITY; BATCH], [Bunch::default(); BATCH]);
        State { fronts: [F::new(); BATCH], seen, stop: [0.0; BATCH], until, bunches }
    }
}

impl<'a> Ground<'a> {
    /// Somebody has to be asked about: who meets such a body first is left over.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// None if this scene, or this look, is not such a one.
    pub(super) fn new(scene: &'a Scene<'a>, look: &'a Look<'a>, order: Order<'a>) -> Option<Ground<'a>> {
        let levels = if look.circles() { scene.grid.levels() } else { &[] };
        let (unseen, asks) = (look.circle_left_out().filter(|_| is_thin(scene))?, look.asks());
        let together = order.together.filter(|_| look.circles());
        if unseen.is_some() && together.is_none() {
            return None;
        }
        let unseen = unseen.unwrap_or(NOBODY);
        let (walked, whole, lists) = ([None; SETS], [None; SETS], [None; SETS]);
        let mut ground = Ground { scene, look, order, asks, unseen, together, levels, walked, whole, lists };
        let (mut walked, mut whole) = (0, 0);
        for (which, cells) in scene.cells.into_iter().enumerate() {
            if !look.segments() {
                break;
            }
            let list = List::new(cells.entries().view(), 1 + which);
            ground.lists[1 + which] = Some(list);
            for level in cells.levels() {
                if level.entries.end - level.entries.start <= FEW {
                    *ground.whole.get_mut(whole)? = Some((list, [level.entries.start, level.entries.end]));
                    whole += 1;
                } else {
                    *ground.walked.get_mut(walked)? = Some(Walked { cells, level, list });
                    walked += 1;
                }
            }
            let (apart, count) = (cells.apart(), cells.apart().rows.len() as u32);
            if count > FEW {
                return None;
            }
            if count > 0 {
                let list = List::new(apart.view(), 4 + which);
                ground.lists[4 + which] = Some(list);
                *ground.whole.get_mut(whole)? = Some((list, [0, count]));
                whole += 1;
            }
        }
        Some(ground)
    }

    /// Asks rays from one on, as many as there is room for, at most [`BATCH`]; tells who is still to be asked.
    #[inline(always)]
    pub(super) fn cast<K: Kernels>(
        &self,
        flights: &Flights<'_>,
        first: usize,
        out: &mut [Hit],
        jobs: &mut Jobs,
        none: &mut Vec<Hit>,
    ) -> Few {
        let mut state = State::<K::Front>::new();
        let (asked, mut left) = self.look::<K>(flights, (first, out.len()), jobs, &mut state, none);
        let mut found = [Foremost::Nothing; BATCH];
        out.fill(Hit::NOTHING);
        for k in asked.without(left).all() {
            found[k] = state.fronts[k].foremost(&Beam::of_thin_parts(jobs.beams.get(k)));
            left.push_if(k, !self.meets(&jobs.rays, found[k], state.bunches[k], &mut jobs.met, k));
        }
        for k in Few::of_bits(jobs.met.finish::<K>(out)).all() {
            let hit = self.hit(&abreast::flight(&jobs.rays, k), found[k], state.bunches[k]);
            left.push_if(k, hit.is_none());
            out[k] = hit.unwrap_or(Hit::NOTHING);
        }
        left
    }

    /// Tells whether rays from one on meet anything, likewise.
    #[inline(always)]
    pub(super) fn any<K: Kernels>(
        &self,
        flights: &Flights<'_>,
        first: usize,
        out: &mut [bool],
        jobs: &mut Jobs,
        none: &mut Vec<Hit>,
    ) -> Few {
        let mut state = State::<K::Front>::new();
        let (asked, mut left) = self.look::<K>(flights, (first, out.len()), jobs, &mut state, none);
        out.fill(false);
        for k in asked.without(left).all() {
            let (beam, front) = (Beam::of_thin_parts(jobs.beams.get(k)), &state.fronts[k]);
            // Which of them it is may be in doubt.
            let bound = front.bound();
            out[k] = (bound <= beam.surely) & (bound <= f32::MAX);
            let sure = match out[k] {
                true => !self.asks || self.is_seen(front.foremost(&beam), state.bunches[k]),
                false => front.foremost(&beam) == Foremost::Nothing,
            };
            left.push_if(k, !sure);
        }
        left
    }

    /// Who may have met anybody, and who is not asked in stages, or has come to no end.
    #[inline(always)]
    fn look<K: Kernels>(
        &self,
        flights: &Flights<'_>,
        (first, count): (usize, usize),
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) -> (Few, Few) {
        let ready = self.prepare(flights, first, count, jobs, &mut state.stop);
        let mut doubtful = Few::first(count).without(ready);
        let [asked, rest] = match self.together {
            Some(cells) => self.together::<K>(cells, ready, jobs, state),
            None => [Few::NONE, ready],
        };
        // Only cells in which all bodies lie together have names at hand.
        let (partial, rest) = (rest.among(jobs.partial), rest.without(jobs.partial));
        doubtful = doubtful.with(partial);
        if !rest.is_empty() {
            doubtful = doubtful.with(self.by_levels::<K>(rest, jobs, state, none));
        }
        (asked.with(rest), doubtful)
    }

    /// Level by level; who is on the way still when it has become too long.
    #[inline(always)]
    fn by_levels<K: Kernels>(
        &self,
        rays: Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) -> Few {
        let (mut doubtful, circles_first) = (Few::NONE, self.order.circles_first(self.scene));
        for which in 0..if self.levels.is_empty() { 1 } else { self.levels.len() } {
            let level = self.levels.get(which);
            if which == 0 && !circles_first {
                doubtful = doubtful.with(self.segments::<K>(rays, jobs, state, none));
            }
            if let Some(level) = level {
                state.seen = [NOTHING; BATCH];
                if Near::is_there(level) {
                    abreast::begin_circles(level, &jobs.rays, &state.stop, (&mut jobs.nears, &mut jobs.blocks));
                    self.first_stretch::<K>(level, rays, jobs, state);
                }
            }
            if which == 0 && circles_first {
                doubtful = doubtful.with(self.segments::<K>(rays, jobs, state, none));
            }
            if let Some(level) = level {
                let (mut left, mut rest) = (STRETCHES, rays);
                rest.keep_before(&state.seen, &state.stop);
                while !rest.is_empty() {
                    self.stretch::<K>(level, rest, left > 0, jobs, state, none);
                    left = left.saturating_sub(1);
                    rest.keep_before(&state.seen, &state.stop);
                }
            }
        }
        doubtful
    }

    /// The rays, and where they start among the segments; which of them can be asked in stages.
    #[inline(always)]
    fn prepare(
        &self,
        flights: &Flights<'_>,
        first: usize,
        count: usize,
        jobs: &mut Jobs,
        stop: &mut [f64; BATCH],
    ) -> Few {
        if let Some(columns) = if count == BATCH { flights.columns(first) } else { None } {
            jobs.rays.copy(columns);
        } else {
            let none = Ray { origin: Vec2::ZERO, direction: Vec2::ZERO, max: 0.0 };
            for k in 0..BATCH {
                let ray = if k < count { flights.ray(first + k).unwrap_or(none) } else { none };
                jobs.rays.set(k, abreast::ray(ray));
            }
        }
        abreast::ends(&jobs.rays, stop);
        abreast::beams(&jobs.rays, &mut jobs.beams);
        let mut ready = Few::NONE;
        for k in 0..BATCH {
            ready.push_if(k, Beam::of_thin_parts(jobs.beams.get(k)).is_plain());
        }
        ready.without(self.look_away(flights, first, count, jobs))
    }

    /// Which circle each ray does not see; who does not see two.
    #[inline(always)]
    fn look_away(&self, flights: &Flights<'_>, first: usize, count: usize, jobs: &mut Jobs) -> Few {
        let (skip, mut several) = (flights.skip(), Few::NONE);
        if skip.is_empty() && self.unseen == NOBODY {
            return several;
        }
        jobs.partial = Few::NONE;
        for k in 0..count {
            let own = skip.get(first + k).copied().unwrap_or(NOBODY);
            jobs.unseen[k] = if own == NOBODY { self.unseen } else { own };
            jobs.partial.push_if(k, jobs.unseen[k] != NOBODY);
            several.push_if(k, (own != NOBODY) & (self.unseen != NOBODY) & (own != self.unseen));
        }
        several
    }

    /// The first stretch of each ray among the circles of a level, of those that begin in its box.
    #[inline(always)]
    fn first_stretch<K: Kernels>(&self, level: &Level, rays: Few, jobs: &mut Jobs, state: &mut State<K::Front>) {
        let (starts, is_there) = (self.scene.grid.starts(), Near::is_there(level));
        for k in rays.all() {
            let (_, [until], [c0, c1, r0, r1, is_inside]) = jobs.blocks.get(k);
            if is_there & (is_inside != 0) {
                (state.seen[k], state.until[k]) = (until, Beam::of_thin_parts(jobs.beams.get(k)).count(until));
                for run in Block::of_parts([c0, c1, r0, r1]).runs(level, starts) {
                    jobs.tasks.push(k, [run.start, run.end]);
                }
            }
        }
        self.circles::<K>(rays, jobs, state);
    }

    /// A later stretch, or a wide one, or, where they are out of the box, or it is not `boxed`, all the rest of them.
    #[inline(always)]
    fn stretch<K: Kernels>(
        &self,
        level: &Level,
        rays: Few,
        boxed: bool,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) {
        let (starts, boxed, mut apart) = (self.scene.grid.starts(), boxed && Near::is_there(level), Few::NONE);
        let regions = self.scene.grid.regions(level, 0);
        for k in rays.all() {
            if !boxed {
                let seen = &mut state.seen[k];
                let wide =
                    regions.and_then(|regions| abreast::wide((level, regions), (&jobs.rays, k), seen, state.stop[k]));
                apart.push_if(k, wide.is_none());
                if let Some((until, rows)) = wide {
                    (*seen, state.until[k]) = (until, Beam::of_thin_parts(jobs.beams.get(k)).count(until));
                    rows.into_iter().flatten().for_each(|&row| jobs.tasks.push(k, [row, row + 1]));
                }
                continue;
            }
            let near = Near::of_parts(level, jobs.nears.get(k).1);
            let (block, until, is_inside) = near.block_from(state.seen[k], state.stop[k]);
            if !(is_inside & (state.seen[k] >= 0.0)) {
                apart.push_if(k, true);
                continue;
            }
            (state.seen[k], state.until[k]) = (until, Beam::of_thin_parts(jobs.beams.get(k)).count(until));
            for run in block.runs(level, starts) {
                jobs.tasks.push(k, [run.start, run.end]);
            }
        }
        self.circles::<K>(rays, jobs, state);
        for k in apart.all() {
            let mut search = self.apart::<K>(k, jobs, state, none);
            search.by_stretches(level, if state.seen[k] > 0.0 { state.seen[k] } else { 0.0 });
            keep::<K>(search.front, k, jobs, state);
            state.seen[k] = f64::INFINITY;
        }
    }

    /// One of them by itself; what it has met is to be [kept](keep).
    #[inline(always)]
    fn apart<'s, K: Kernels>(
        &'s self,
        k: usize,
        jobs: &Jobs,
        state: &State<K::Front>,
        none: &'s mut Vec<Hit>,
    ) -> Search<'s, K, FRONT> {
        let mut search = Search::<K, FRONT>::new(self.scene, self.look, abreast::flight(&jobs.rays, k), none);
        (search.front, search.stop) = (state.fronts[k], stop::<K>(&state.fronts[k], &jobs.beams, &jobs.rays, k));
        search
    }

    /// All tasks.
    #[inline(always)]
    fn circles<K: Kernels>(&self, rays: Few, jobs: &mut Jobs, state: &mut State<K::Front>) {
        let (Jobs { rays: columns, beams, tasks, .. }, circles) = (jobs, self.scene.circles());
        for &Task { ray, from, to } in tasks.take() {
            let k = ray as usize % BATCH;
            let (beam, until) = (Beam::of_thin_parts(beams.get(k)), state.until[k]);
            let (mut front, mut at) = (state.fronts[k], from);
            while at < to {
                front.circles(circles, &beam, until, [at, to - at], at);
                at += LANES as u32;
            }
            state.fronts[k] = front;
        }
        for k in rays.all() {
            state.stop[k] = stop::<K>(&state.fronts[k], beams, columns, k);
        }
    }
}

/// What one of them has met so far.
#[inline(always)]
fn keep<K: Kernels>(front: K::Front, k: usize, jobs: &Jobs, state: &mut State<K::Front>) {
    state.fronts[k] = front;
    state.stop[k] = stop::<K>(&front, &jobs.beams, &jobs.rays, k);
}

/// Nothing met from here on matters.
#[inline(always)]
fn stop<K: Kernels>(front: &K::Front, beams: &Beams, rays: &Rays, k: usize) -> f64 {
    let (behind, max) = (Beam::of_thin_parts(beams.get(k)).behind(front.bound()), f64::from(rays.get(k).0[4]));
    if behind < max { behind } else { max }
}
