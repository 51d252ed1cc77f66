//! Few circles in one cell: who may touch a body is one word, with a bit for each of them.
//!
//! Comes in: a scene of which the grid [holds few](crate::broad_phase::Grid::holds_few). Goes out: pairs, as of [`super::search`]. Each circle is held
//! against all behind it, and each of a few walls against all; of more walls those are left out that no circle's box meets, and of the others'
//! circles those by eights ([`super::bands`]). Which bodies have candidates is told without a branch. This room does not know why they are few.

use super::bands::Bands;
use super::blocks::{Block, Scene, SceneWalls, Task};
use crate::broad_phase::FEW;
use crate::geometry::Circles;
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Operation, Probe};
use std::ops::Range;

/// More walls are looked at by bands: those cost as much as some walls.
const SOME: usize = 48;

/// [`super::search::Find`] where circles are few.
pub(super) struct FindFew<'a, 'b> {
    pub(super) block: &'a mut Block,
    pub(super) scene: &'a Scene<'b>,
}

impl Operation for FindFew<'_, '_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let FindFew { block, scene } = self;
        if !block.begin(scene) {
            return;
        }
        match block.task.clone() {
            Task::Circles { .. } => block.few_circles::<K>(scene),
            Task::Intervals { set, range } if range.len() > SOME => block.few_by_bands::<K>(scene, set, range),
            Task::Intervals { set, range } => block.few_by_walls::<K>(scene, set, range),
            Task::Long { set, range } => block.long::<K>(scene, set, range),
        }
        block.filter(scene);
    }
}

/// Bodies that have candidates, and these.
struct Words {
    words: [(u32, u64); FEW],
    len: usize,
}

impl Words {
    const EMPTY: Words = Words { words: [(0, 0); FEW], len: 0 };

    /// Of one more; at most [`FEW`] that have some.
    #[inline(always)]
    fn push(&mut self, body: u32, candidates: u64) {
        self.words[self.len % FEW] = (body, candidates);
        self.len += usize::from(candidates != 0);
    }

    fn found(&self) -> &[(u32, u64)] {
        &self.words[..self.len]
    }

    /// How many candidates all have.
    #[inline(always)]
    fn room(&self) -> usize {
        let mut room = 0;
        for (_, word) in self.found() {
            room += word.count_ones();
        }
        room as usize
    }
}

/// The eights of a word that have a bit: the row of the first, and the bits of all.
struct EightsOf(u64);

impl Iterator for EightsOf {
    type Item = (u32, u32);
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u32)> {
        const EIGHT: u64 = (1 << LANES) - 1;
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() & !(LANES as u32 - 1);
        let bits = (self.0 >> at & EIGHT) as u32;
        self.0 &= !(EIGHT << at);
        Some((at, bits))
    }
}

/// Columns by eights; behind the last row stands what is no number.
#[derive(Clone, Copy)]
struct Eights<'a> {
    x: &'a [[f32; LANES]],
    y: &'a [[f32; LANES]],
    radius: &'a [[f32; LANES]],
}

impl<'a> Eights<'a> {
    /// Of so many rows.
    #[inline(always)]
    fn of(circles: Circles<'a>, count: usize) -> Eights<'a> {
        let (Circles { x, y, radius }, eights) = (circles, count.div_ceil(LANES));
        let ((x, _), (y, _), (radius, _)) = (x.as_chunks(), y.as_chunks(), radius.as_chunks());
        Eights { x: &x[..eights], y: &y[..eights], radius: &radius[..eights] }
    }

    /// The eights from one on, the last first: a word takes the next at its lower end, and the shift is the same for all.
    #[inline(always)]
    fn back_to(self, first: usize) -> impl Iterator<Item = ((&'a [f32; LANES], &'a [f32; LANES]), &'a [f32; LANES])> {
        self.x[first..].iter().zip(&self.y[first..]).zip(&self.radius[first..]).rev()
    }
}

#[inline(always)]
fn probe(circles: Circles<'_>, row: usize, grow: f32) -> Probe {
    Probe { x: circles.x[row], y: circles.y[row], reach: circles.radius[row] + grow }
}

impl Block {
    /// Each against all behind it.
    #[inline(always)]
    fn few_circles<K: Kernels>(&mut self, scene: &Scene<'_>) {
        const ALL: u32 = LANES as u32;
        let (circles, grow) = (scene.circles.even(), Probe::grow(scene.grid.levels()[0].size));
        let count = scene.grid.order().len();
        let (eights, mut found) = (Eights::of(circles, count), Words::EMPTY);
        // Two at a time, which share what is loaded; behind the last row stands one that is near nobody.
        for row in (0..count).step_by(2) {
            let (one, two, first) = (probe(circles, row, grow), probe(circles, row + 1, grow), row / LANES);
            let mut words = [0; 2];
            for ((x, y), radius) in eights.back_to(first) {
                let eight = Circles { x, y, radius };
                words[0] = words[0] << LANES | u64::from(K::circle_mask(eight, one, 0, ALL));
                words[1] = words[1] << LANES | u64::from(K::circle_mask(eight, two, 0, ALL));
            }
            // Those behind each.
            let behind = u64::MAX << row << 1;
            found.push(row as u32, words[0] << (LANES * first) & behind);
            found.push(row as u32 + 1, words[1] << (LANES * first) & behind << 1);
        }
        let mut out = self.pairs.writer(found.room());
        for &(row, word) in found.found() {
            for (at, bits) in EightsOf(word) {
                out.emit([row; LANES], K::Packing::pack(bits, at), bits.count_ones());
            }
        }
        let written = out.len();
        self.pairs.keep(written);
        self.is_full(scene);
    }

    /// Each wall, of which there are no more than [`FEW`], against all.
    #[inline(always)]
    fn few_by_walls<K: Kernels>(&mut self, scene: &Scene<'_>, set: usize, range: Range<u32>) {
        const ALL: u32 = LANES as u32;
        let SceneWalls { walls, lanes, .. } = scene.walls[set];
        let eights = Eights::of(scene.circles, scene.grid.order().len());
        let largest = scene.grid.levels()[0].size;
        let mut found = Words::EMPTY;
        // Two at a time, which share what is loaded; an odd last one is its own second.
        for two in walls.intervals()[range.start as usize..range.end as usize].chunks(2) {
            let [one, other] = [two[0].wall, two[two.len() - 1].wall];
            let [first, second] = [&lanes[one as usize], &lanes[other as usize]];
            let (reaches, mut words) = ([first.reach(largest), second.reach(largest)], [0; 2]);
            for ((x, y), radius) in eights.back_to(0) {
                let eight = Circles { x, y, radius };
                words[0] = words[0] << LANES | u64::from(K::wall_mask(eight, first, reaches[0], 0, ALL));
                words[1] = words[1] << LANES | u64::from(K::wall_mask(eight, second, reaches[1], 0, ALL));
            }
            found.push(one, words[0]);
            found.push(other, if two.len() == 2 { words[1] } else { 0 });
        }
        let mut out = self.pairs.writer(found.room());
        for &(wall, word) in found.found() {
            for (at, bits) in EightsOf(word) {
                out.emit(K::Packing::pack(bits, at), [wall; LANES], bits.count_ones());
            }
        }
        let written = out.len();
        self.pairs.keep(written);
        self.is_full(scene);
    }

    /// Each wall against the eights in which a circle's box meets its own.
    #[inline(always)]
    fn few_by_bands<K: Kernels>(&mut self, scene: &Scene<'_>, set: usize, range: Range<u32>) {
        let SceneWalls { walls, lanes, shapes } = scene.walls[set];
        let (circles, largest) = (scene.circles.even(), scene.grid.levels()[0].size);
        let bands = Bands::of::<K>(circles, scene.grid.order().len());
        let (mut boxes, mut words) = ([[0.0; FEW]; 4], [0; FEW]);
        for some in walls.intervals()[range.start as usize..range.end as usize].chunks(FEW) {
            let mut found = Words::EMPTY;
            for (k, interval) in some.iter().enumerate() {
                let ([a, b], radius) = (shapes.ends(interval.wall as usize), shapes.radius[interval.wall as usize]);
                for axis in 0..2 {
                    let (low, high) = if a[axis] < b[axis] { (a[axis], b[axis]) } else { (b[axis], a[axis]) };
                    (boxes[2 * axis][k], boxes[2 * axis + 1][k]) = (low - radius, high + radius);
                }
            }
            bands.meeting(&boxes, &mut words);
            for (interval, &word) in some.iter().zip(&words) {
                found.push(interval.wall, word);
            }
            let mut out = self.pairs.writer(found.room());
            for &(place, word) in found.found() {
                let wall = &lanes[place as usize];
                let reach = wall.reach(largest);
                for (at, bits) in EightsOf(word) {
                    let mask = K::wall_mask(circles, wall, reach, at, LANES as u32) & bits;
                    out.emit(K::Packing::pack(mask, at), [place; LANES], mask.count_ones());
                }
            }
            let written = out.len();
            self.pairs.keep(written);
            if self.is_full(scene) {
                return;
            }
        }
    }
}
