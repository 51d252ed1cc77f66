//! From cell to cell: among segments a cell of each ray at a time; among circles that are strewn thinly some cells, since most of them are empty, most
//! circles passed by, and a step is less than what it takes to fetch a ray and put it back.
//!
//! Comes in: rays of a batch, levels of segments that are walked through, circles under all their cells. Goes out: what of them each ray may meet
//! first. What is looked at, and what that proves, is as in [`march`](crate::query::march). This room does not know how rays go on among circles that
//! stand side by side.

use super::{Ground, Jobs, SOON, State, Walked, keep, stop};
use crate::broad_phase::{CellMap, Level, Spots};
use crate::kernels::Kernels;
use crate::kernels::foremost::Front;
use crate::kernels::ray::Beam;
use crate::query::Hit;
use crate::query::abreast::{self, BATCH};
use crate::query::march::{MANY, steps};
use crate::query::tasks::{Few, Task};

/// So many cells of circles that are strewn thinly are listed at a time: no more than there is room for in a list of tasks.
const AT_ONCE: u32 = 8;

impl Ground<'_> {
    /// All segments; by bits, who is on the way still when it has become too long.
    #[inline(always)]
    pub(super) fn segments<K: Kernels>(
        &self,
        rays: &Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) -> u32 {
        for (list, [from, to]) in self.whole.iter().flatten() {
            for &k in rays.all() {
                let k = usize::from(k) % BATCH;
                let beam = Beam::of_thin_parts(jobs.beams.get(k));
                list.front::<K>(&mut state.fronts[k], &beam, *from..*to, f64::INFINITY);
                state.stop[k] = stop::<K>(&state.fronts[k], &jobs.beams, &jobs.rays, k);
            }
        }
        let mut doubtful = 0;
        for walked in self.walked.iter().flatten() {
            let (inside, outside) = begin(&walked.level.map, walked.level.width, rays, jobs);
            for &k in self.walk::<K>(walked, inside, jobs, state).all() {
                doubtful |= 1 << k;
            }
            // Who begins beside them: with more care.
            for &k in outside.all() {
                let k = usize::from(k) % BATCH;
                let mut search = self.apart::<K>(k, jobs, state, none);
                search.march(walked.cells, walked.level, &walked.list);
                keep::<K>(search.front, k, jobs, state);
            }
        }
        doubtful
    }

    /// All circles of a level.
    #[inline(always)]
    pub(super) fn spots<K: Kernels>(
        &self,
        (level, spots): (&Level, &Spots),
        rays: &Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) {
        let Some(map) = spots.map() else { return };
        let (table, mut left) = (spots.table(), steps(level.rows.end - level.rows.start));
        let ((mut on_way, outside), mut crowded) = (begin(map, spots.width(), rays, jobs), Few::NONE);
        // Until when each has looked at all; whom it met last.
        let (mut seen, mut last) = ([0.0; BATCH], [u32::MAX; BATCH]);
        while left > 0 && on_way.count > 0 {
            let mut rest = Few::NONE;
            for &k in on_way.all() {
                let k = usize::from(k) % BATCH;
                let (mut walk, stop, mut goes_on) = (abreast::walk(&jobs.walks, k), state.stop[k], true);
                for _ in 0..AT_ONCE {
                    let run = [table[walk.key as usize], table[walk.key as usize + 1]];
                    if run[1] - run[0] > MANY {
                        crowded.push_if(k, true);
                        goes_on = false;
                        break;
                    }
                    jobs.tasks.push(k, run);
                    seen[k] = walk.until();
                    goes_on = (seen[k] < walk.out) & (seen[k] < stop);
                    if !goes_on {
                        break;
                    }
                    walk.go_on(map);
                }
                abreast::set_walk(&mut jobs.walks, k, (&walk, true));
                rest.push_if(k, goes_on);
            }
            self.meet::<K>(spots, jobs, state, &mut last);
            rest.keep_before(&seen, &state.stop);
            on_way = rest;
            left = left.saturating_sub(AT_ONCE);
        }
        // Who begins beside them, with more care; who comes to many, or has gone far, by their centres.
        for &k in outside.all() {
            let k = usize::from(k) % BATCH;
            let mut search = self.apart::<K>(k, jobs, state, none);
            let rest = search.march_spots(level, spots);
            keep::<K>(search.front, k, jobs, state);
            seen[k] = rest.unwrap_or(f64::INFINITY);
            crowded.push_if(k, rest.is_some());
        }
        for &k in crowded.all().iter().chain(on_way.all()) {
            let k = usize::from(k) % BATCH;
            let mut search = self.apart::<K>(k, jobs, state, none);
            search.along_circles(level, seen[k]);
            keep::<K>(search.front, k, jobs, state);
        }
    }

    /// Holds all tasks, which name places of circles, against their rays. Most are missed, and that is soon told. Who is met is seen at
    /// once, whenever that is, and not again in the next cell.
    #[inline(always)]
    fn meet<K: Kernels>(&self, spots: &Spots, jobs: &mut Jobs, state: &mut State<K::Front>, last: &mut [u32; BATCH]) {
        let (Jobs { rays, beams, tasks, .. }, circles) = (jobs, self.scene.circles());
        for &Task { ray, from, to } in tasks.take() {
            let k = ray as usize % BATCH;
            let beam = Beam::of_thin_parts(beams.get(k));
            for &row in spots.rows(from..to) {
                if beam.misses(self.scene.circle(row)) || row == last[k] {
                    continue;
                }
                last[k] = row;
                let mut front = state.fronts[k];
                front.circles(circles, &beam, f32::INFINITY, [row, 1], row);
                state.fronts[k] = front;
                state.stop[k] = stop::<K>(&front, beams, rays, k);
            }
        }
    }

    /// From cell to cell among the segments, a cell of each ray at a time; who is on the way still when it has become too long.
    #[inline(always)]
    fn walk<K: Kernels>(
        &self,
        Walked { cells, level, list }: &Walked<'_>,
        mut rays: Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
    ) -> Few {
        let Jobs { rays: columns, beams, walks, tasks, .. } = jobs;
        let (table, mut untils) = (cells.table(level), [0.0; BATCH]);
        let all = steps(level.entries.end - level.entries.start);
        for &k in rays.all() {
            let k = usize::from(k) % BATCH;
            let walk = abreast::walk(walks, k);
            untils[k] = walk.until();
            tasks.push(k, run_of(table, walk.key, true));
        }
        for done in 0..all {
            for &Task { ray, from, to } in tasks.take() {
                let k = ray as usize % BATCH;
                list.front::<K>(&mut state.fronts[k], &Beam::of_thin_parts(beams.get(k)), from..to, untils[k]);
            }
            if rays.count == 0 {
                break;
            }
            let mut rest = Few::NONE;
            for &k in rays.all() {
                let k = usize::from(k) % BATCH;
                state.stop[k] = stop::<K>(&state.fronts[k], beams, columns, k);
                let mut walk = abreast::walk(walks, k);
                let goes_on = (untils[k] < walk.out) & (untils[k] < state.stop[k]);
                rest.push_if(k, goes_on);
                walk.go_on(&level.map);
                // Who goes far does so where few are: from here on cells in which nobody is are passed at once.
                if goes_on && done + 1 >= SOON {
                    while table[walk.key as usize] == table[walk.key as usize + 1]
                        && (walk.until() < walk.out) & (walk.until() < state.stop[k])
                    {
                        walk.go_on(&level.map);
                    }
                }
                untils[k] = walk.until();
                tasks.push(k, run_of(table, walk.key, goes_on));
                abreast::set_walk(walks, k, (&walk, true));
            }
            rays = rest;
        }
        tasks.take();
        rays
    }
}

/// What is in a cell; nothing where nobody asks.
#[inline(always)]
fn run_of(table: &[u32], key: u32, asked: bool) -> [u32; 2] {
    let key = if asked { key as usize } else { 0 };
    [table[key], table[key + usize::from(asked)]]
}

/// All at the start of their walks; who begins in the box, and who does not.
#[inline(always)]
fn begin(map: &CellMap, width: f64, rays: &Few, jobs: &mut Jobs) -> (Few, Few) {
    abreast::begin_walks(map, width, &jobs.rays, &mut jobs.walks);
    let (mut inside, mut outside) = (Few::NONE, Few::NONE);
    for &k in rays.all() {
        let (.., [.., is_inside]) = jobs.walks.get(usize::from(k) % BATCH);
        inside.push_if(usize::from(k), is_inside != 0);
        outside.push_if(usize::from(k), is_inside == 0);
    }
    (inside, outside)
}
