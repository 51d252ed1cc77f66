//! From cell to cell among all bodies together, a cell of each ray at a time.
//!
//! Comes in: rays of a batch, the cells. Goes out: what of them each ray may meet first, and the rays that have to look in another way: those that begin
//! too far out, come to a crowded cell, or have gone too far. What is looked at, and what that proves, is as in [`march`](crate::query::march). This room does
//! not know of levels.

use super::shapes::Shape;
use super::walks::begin;
use super::{Ground, Jobs, State, stop};
use crate::broad_phase::{Bunch, CellMap, RayCells};
use crate::geometry::{Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::foremost::Front;
use crate::kernels::ray::Beam;
use crate::kernels::{Kernels, LANES, Outlined};
use crate::query::abreast::{self, BATCH, Beams};
use crate::query::march::{Walk, Way, steps};
use crate::query::search::NAMES;
use crate::query::tasks::{Few, Task, Tasks};
use std::hint::black_box;
use std::marker::PhantomData;

/// What the first circle is called in a [`Front`], and the first segment: each by the place of its name among the words.
const CIRCLES: u32 = 7 * NAMES;
const SEGMENTS: u32 = CIRCLES + RayCells::MOST;

impl Ground<'_> {
    /// All bodies; who may have met some, and who is left over: nobody of the others meets any.
    #[inline(always)]
    pub(super) fn together<K: Kernels>(
        &self,
        cells: &RayCells,
        rays: Few,
        jobs: &mut Jobs,
        state: &mut State<K::Front>,
    ) -> [Few; 2] {
        let Some(map) = cells.map() else { return [Few::NONE, rays] };
        let (bunches, numbers, segments) = (cells.bunches(), cells.numbers(), self.look.segments());
        let (mut starts, outside) = begin(map, cells.width(), rays, jobs);
        let Jobs { rays: columns, beams, walks, tasks, segments: walls, unseen, partial, .. } = jobs;
        let (mut on_way, mut left_over) = (Few::NONE, Few::NONE);
        for k in outside.all() {
            match abreast::enter(cells, map, columns, k) {
                Way::On(walk) => {
                    abreast::set_walk(walks, k, (&walk, true));
                    starts.push_if(k, true);
                }
                Way::Past => {}
                Way::Far => left_over.push_if(k, true),
            }
        }
        // Most start where somebody is, or, where few are, end where nobody was.
        let [nobody, gone] = abreast::nobody(cells, walks);
        on_way = on_way.with(starts.without(nobody));
        for k in starts.among(nobody).without(gone).all() {
            let mut walk = abreast::walk(walks, k);
            on_way.push_if(k, pass(&mut walk, f64::INFINITY, cells, map));
            abreast::set_walk(walks, k, (&walk, true));
        }
        let (asked, mut untils, mut counts) = (on_way, [0.0; BATCH], [0.0; BATCH]);
        let mut left = steps(bunches.len() as u32);
        while !on_way.is_empty() && left > 0 {
            left -= 1;
            for k in on_way.all() {
                let walk = abreast::walk(walks, k);
                let bunch = bunches[walk.key as usize];
                let until = walk.until();
                (untils[k], counts[k]) = (until, Beam::of_thin_parts(beams.get(k)).count(until));
                state.bunches[k] = bunch;
                let [[from, n], [first, m]] = [bunch.circles(), bunch.segments()];
                tasks.push(k, [from, from + n]);
                walls.push(k, [first, first + if segments { m } else { 0 }]);
            }
            if cells.is_large() {
                // All of them wait for memory at once, and not one after the other.
                let mut touched = 0;
                for k in on_way.all() {
                    touched ^= cells.touch(state.bunches[k]);
                }
                black_box(touched);
            }
            if !partial.is_empty() {
                K::outline(ButOne {
                    numbers,
                    tasks,
                    beams,
                    counts: &counts,
                    unseen,
                    fronts: &mut state.fronts,
                    kernels: PhantomData::<K>,
                });
            }
            for &Task { ray, from, to } in tasks.take() {
                let (k, n) = (ray as usize % BATCH, (to - from) as usize);
                let (beam, all) = (Beam::of_thin_parts(beams.get(k)), &numbers[from as usize..]);
                let (mut front, mut at, until) = (state.fronts[k], 0, counts[k]);
                let name = CIRCLES + from + 3 * n as u32;
                while at < n {
                    let (x, y, radius) = (&all[at..], &all[n + at..], &all[2 * n + at..]);
                    let circles = Circles { x: &x[..LANES], y: &y[..LANES], radius: &radius[..LANES] };
                    front.circles(circles, &beam, until, [0, (n - at) as u32], name + at as u32);
                    at += LANES;
                }
                state.fronts[k] = front;
            }
            for &Task { ray, from, to } in walls.take() {
                let (k, m) = (ray as usize % BATCH, (to - from) as usize);
                let (beam, all) = (Beam::of_thin_parts(beams.get(k)), &numbers[from as usize..]);
                let (mut front, mut at, until) = (state.fronts[k], 0, counts[k]);
                let name = SEGMENTS + from + 4 * m as u32;
                while at < m {
                    let (x0, y0, x1, y1) = (&all[at..], &all[m + at..], &all[2 * m + at..], &all[3 * m + at..]);
                    let end = if m - at < LANES { m - at } else { LANES };
                    let segments = Capsules { x0, y0, x1, y1, radius: &[] };
                    front.segments(segments, &beam, until, [0, end as u32], name + at as u32);
                    at += LANES;
                }
                state.fronts[k] = front;
            }
            let mut rest = Few::NONE;
            for k in on_way.all() {
                let ends = state.fronts[k].is_met_before(Beam::of_thin_parts(beams.get(k)).less(untils[k]));
                if state.bunches[k].is_crowded() {
                    left_over.push_if(k, true);
                    continue;
                }
                rest.push_if(k, (untils[k] < abreast::walk(walks, k).out) & !ends);
            }
            on_way = Few::NONE;
            for k in rest.all() {
                let (mut walk, mut goes_on) = (abreast::walk(walks, k), true);
                walk.go_on(map);
                if cells.is_empty(walk.key) {
                    goes_on = pass(&mut walk, stop::<K>(&state.fronts[k], beams, columns, k), cells, map);
                }
                on_way.push_if(k, goes_on);
                abreast::set_walk(walks, k, (&walk, true));
            }
        }
        left_over = left_over.with(on_way);
        // They begin anew: what they have met would be met a second time, under another name.
        for k in left_over.all() {
            state.fronts[k] = K::Front::new();
        }
        [asked, left_over]
    }

    /// Who is called like this in the cell that a ray came to last; none if it was met before.
    #[inline(always)]
    pub(super) fn bunched(&self, cells: &RayCells, bunch: Bunch, name: u32, lane: usize) -> Option<Shape> {
        let (numbers, place) = (cells.numbers(), (name - CIRCLES) % RayCells::MOST + lane as u32);
        let is_segment = name >= SEGMENTS;
        let ([from, count], columns) = if is_segment { (bunch.segments(), 4) } else { (bunch.circles(), 3) };
        let k = place.wrapping_sub(from + columns * count);
        if k >= count {
            return None;
        }
        let number = |column: u32| numbers[(from + column * count + k) as usize];
        let (a, b, c) = (number(0), number(1), number(2));
        let row = cells.word(place);
        Some(if is_segment {
            let (start, end) = (Vec2 { x: a, y: b }, Vec2 { x: c, y: number(3) });
            Shape::Segment(Segment { start, end, radius: 0.0 }, row)
        } else {
            Shape::Circle(Circle { center: Vec2 { x: a, y: b }, radius: c }, row)
        })
    }
}

/// Circles of cells, of which each ray does not see one: all tasks.
struct ButOne<'a, K: Kernels> {
    numbers: &'a [f32],
    tasks: &'a mut Tasks,
    beams: &'a Beams,
    counts: &'a [f32; BATCH],
    unseen: &'a [u32; BATCH],
    fronts: &'a mut [K::Front; BATCH],
    kernels: PhantomData<K>,
}

impl<K: Kernels> Outlined for ButOne<'_, K> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let ButOne { numbers, tasks, beams, counts, unseen, fronts, .. } = self;
        for &Task { ray, from, to } in tasks.take() {
            let (k, n) = (ray as usize % BATCH, (to - from) as usize);
            let (beam, all) = (Beam::of_thin_parts(beams.get(k)), &numbers[from as usize..]);
            let (mut front, mut at, until) = (fronts[k], 0, counts[k]);
            let called = CIRCLES + from + 3 * n as u32;
            while at < n {
                let (x, y, radius, names) = (&all[at..], &all[n + at..], &all[2 * n + at..], &all[3 * n + at..]);
                let circles = Circles { x: &x[..LANES], y: &y[..LANES], radius: &radius[..LANES] };
                let names = bytemuck::cast_ref(&names.as_chunks::<LANES>().0[0]);
                front.circles_but(circles, &beam, until, ((n - at) as u32, names, unseen[k]), called + at as u32);
                at += LANES;
            }
            fronts[k] = front;
        }
    }
}

/// Passes cells in which nobody is, at once, until one in which somebody is, or the end of the way.
#[inline(always)]
fn pass(walk: &mut Walk, stop: f64, cells: &RayCells, map: &CellMap) -> bool {
    let mut goes_on = true;
    while goes_on && cells.is_empty(walk.key) {
        goes_on = (walk.until() < walk.out) & (walk.until() < stop);
        walk.go_on(map);
    }
    goes_on
}

/// A name is one of those of this room.
#[inline(always)]
pub(super) fn is_bunched(name: u32) -> bool {
    name >= CIRCLES
}
