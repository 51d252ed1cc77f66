//! From cell to cell among segments, a cell of each ray at a time.
//!
//! Comes in: rays of a batch, levels of segments that are walked through. Goes out: what of them each ray may meet first. What is looked at, and what
//! that proves, is as in [`march`](crate::query::march). This room does not know how rays go on among circles.

use super::{Ground, Jobs, SOON, State, Walked, stop};
use crate::broad_phase::CellMap;
use crate::kernels::Kernels;
use crate::kernels::foremost::Front;
use crate::kernels::ray::Beam;
use crate::query::Hit;
use crate::query::abreast::{self, BATCH};
use crate::query::march::steps;
use crate::query::tasks::{Few, Task};

impl Ground<'_> {
    /// All segments; who is on the way still when it has become too long.
    #[inline(always)]
    pub(super) fn segments<K: Kernels>(
        &self,
        rays: Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
        none: &mut Vec<Hit>,
    ) -> Few {
        for (list, [from, to]) in self.whole.iter().flatten() {
            for k in rays.all() {
                let beam = Beam::of_thin_parts(jobs.beams.get(k));
                list.front::<K>(&mut state.fronts[k], &beam, *from..*to, f64::INFINITY);
            }
        }
        let mut doubtful = Few::NONE;
        for walked in self.walked.iter().flatten() {
            let (inside, outside) = begin(&walked.level.map, walked.level.width, rays, jobs);
            doubtful = doubtful.with(self.walk::<K>(walked, inside, jobs, state));
            // Who begins beside them: with more care.
            for k in outside.all() {
                let mut search = self.apart::<K>(k, jobs, state, none);
                search.march(walked.cells, walked.level, &walked.list);
                state.fronts[k] = search.front;
            }
        }
        if !self.levels.is_empty() {
            for k in rays.all() {
                state.stop[k] = stop::<K>(&state.fronts[k], &jobs.beams, &jobs.rays, k);
            }
        }
        doubtful
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
        for k in rays.all() {
            let walk = abreast::walk(walks, k);
            untils[k] = walk.until();
            tasks.push(k, run_of(table, walk.key, true));
        }
        for done in 0..all {
            for &Task { ray, from, to } in tasks.take() {
                let k = ray as usize % BATCH;
                list.front::<K>(&mut state.fronts[k], &Beam::of_thin_parts(beams.get(k)), from..to, untils[k]);
            }
            if rays.is_empty() {
                break;
            }
            let mut rest = Few::NONE;
            for k in rays.all() {
                let walk = abreast::walk(walks, k);
                let ends = state.fronts[k].is_met_before(Beam::of_thin_parts(beams.get(k)).less(untils[k]));
                rest.push_if(k, (untils[k] < walk.out) & !ends);
            }
            // Who goes far does so where few are: from here on cells in which nobody is are passed at once.
            rays = Few::NONE;
            for k in rest.all() {
                let (mut walk, mut goes_on) = (abreast::walk(walks, k), true);
                walk.go_on(&level.map);
                if done + 1 >= SOON && is_empty(table, walk.key) {
                    let stop = stop::<K>(&state.fronts[k], beams, columns, k);
                    while goes_on && is_empty(table, walk.key) {
                        goes_on = (walk.until() < walk.out) & (walk.until() < stop);
                        walk.go_on(&level.map);
                    }
                }
                untils[k] = walk.until();
                tasks.push(k, run_of(table, walk.key, goes_on));
                rays.push_if(k, goes_on);
                abreast::set_walk(walks, k, (&walk, true));
            }
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

#[inline(always)]
fn is_empty(table: &[u32], key: u32) -> bool {
    table[key as usize] == table[key as usize + 1]
}

/// All at the start of their walks; who begins in the box, and who does not.
#[inline(always)]
pub(super) fn begin(map: &CellMap, width: f64, rays: Few, jobs: &mut Jobs) -> (Few, Few) {
    abreast::begin_walks(map, width, &jobs.rays, &mut jobs.walks);
    let inside = abreast::inside(&jobs.walks);
    (rays.among(inside), rays.without(inside))
}
