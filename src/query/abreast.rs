//! Rays side by side.
//!
//! Comes in: rays, levels of cells. Goes out: what kernels and levels want to know of each, as columns: made in loops over those without a branch, which
//! the compiler turns into lanes. This room knows no formula; those stand where one ray is made ready.

use super::along::Near;
use super::flight::Flight;
use super::march::{Walk, Way};
use super::met::MOST;
use super::tasks::Few;
use super::wide::Wide;
use crate::broad_phase::{CellMap, Level, RayCells, Regions};
use crate::geometry::{Ray, Vec2};
use crate::kernels::LANES;
use crate::kernels::ray::Beam;

/// Rays at a time.
pub(super) const BATCH: usize = MOST;

/// As many records, each of some numbers of three kinds, as columns.
pub(super) struct Columns<const F: usize, const D: usize, const W: usize> {
    floats: [[f32; BATCH]; F],
    doubles: [[f64; BATCH]; D],
    words: [[u32; BATCH]; W],
}

impl<const F: usize, const D: usize, const W: usize> Columns<F, D, W> {
    pub(super) const NONE: Self =
        Columns { floats: [[0.0; BATCH]; F], doubles: [[0.0; BATCH]; D], words: [[0; BATCH]; W] };

    #[inline(always)]
    pub(super) fn get(&self, k: usize) -> ([f32; F], [f64; D], [u32; W]) {
        let (mut floats, mut doubles, mut words) = ([0.0; F], [0.0; D], [0; W]);
        for (to, from) in floats.iter_mut().zip(&self.floats) {
            *to = from[k];
        }
        for (to, from) in doubles.iter_mut().zip(&self.doubles) {
            *to = from[k];
        }
        for (to, from) in words.iter_mut().zip(&self.words) {
            *to = from[k];
        }
        (floats, doubles, words)
    }

    /// Eight of them from one on, by kind.
    #[inline(always)]
    pub(super) fn eight(&self, from: usize) -> [&[f32; LANES]; F] {
        let mut eight = [&[0.0; LANES]; F];
        for (to, column) in eight.iter_mut().zip(&self.floats) {
            *to = &column.as_chunks().0[from / LANES];
        }
        eight
    }

    #[inline(always)]
    pub(super) fn set(&mut self, k: usize, (floats, doubles, words): ([f32; F], [f64; D], [u32; W])) {
        for (to, from) in self.floats.iter_mut().zip(floats) {
            to[k] = from;
        }
        for (to, from) in self.doubles.iter_mut().zip(doubles) {
            to[k] = from;
        }
        for (to, from) in self.words.iter_mut().zip(words) {
            to[k] = from;
        }
    }
}

/// The rays: those behind the last, and whatever is none, have no direction.
pub(super) type Rays = Columns<5, 0, 0>;
/// What kernels want to know of each.
pub(super) type Beams = Columns<10, 3, 0>;
/// Each in the cells of a level of circles.
pub(super) type Nears = Columns<0, 5, 0>;
/// The first block of each there, until when, and whether there is one.
pub(super) type Blocks = Columns<0, 1, 5>;
/// Each in the cells of segments, on its way, and whether it begins there.
pub(super) type Walks = Columns<0, 5, 6>;

impl Rays {
    /// All of them.
    #[inline(always)]
    pub(super) fn copy(&mut self, columns: [&[f32; BATCH]; 5]) {
        for (to, from) in self.floats.iter_mut().zip(columns) {
            *to = *from;
        }
    }
}

/// A ray as numbers.
#[inline(always)]
pub(super) fn ray(Ray { origin, direction, max }: Ray) -> ([f32; 5], [f64; 0], [u32; 0]) {
    ([origin.x, origin.y, direction.x, direction.y, max], [], [])
}

/// The ray in a place, ready to fly.
#[inline(always)]
pub(super) fn flight(rays: &Rays, k: usize) -> Flight {
    let ([x, y, direction_x, direction_y, max], ..) = rays.get(k);
    Flight::ray(Ray { origin: Vec2 { x, y }, direction: Vec2 { x: direction_x, y: direction_y }, max })
}

/// When each ends.
#[inline(always)]
pub(super) fn ends(rays: &Rays, ends: &mut [f64; BATCH]) {
    for (to, &max) in ends.iter_mut().zip(&rays.floats[4]) {
        *to = f64::from(max);
    }
}

/// All beams, with their ends.
#[inline(always)]
pub(super) fn beams(rays: &Rays, beams: &mut Beams) {
    for k in 0..BATCH {
        let ([x, y, direction_x, direction_y, max], ..) = rays.get(k);
        let mut beam = Beam::thin([x, y], [direction_x, direction_y]);
        beam.set_limit(f64::from(max));
        beams.set(k, beam.thin_parts());
    }
}

/// See [`Beam::is_plain`].
#[inline(always)]
pub(super) fn is_plain(beams: &Beams, k: usize) -> bool {
    Beam::of_thin_parts(beams.get(k)).is_plain()
}

/// All in a level, and their first blocks.
#[inline(always)]
pub(super) fn begin_circles(
    level: &Level,
    rays: &Rays,
    stop: &[f64; BATCH],
    (nears, blocks): (&mut Nears, &mut Blocks),
) {
    for (k, &stop) in stop.iter().enumerate() {
        let near = Near::of(level, &flight(rays, k));
        let (block, until, is_inside) = near.block_from(0.0, stop);
        nears.set(k, ([], near.parts(), []));
        let [c0, c1, r0, r1] = block.parts();
        blocks.set(k, ([], [until], [c0, c1, r0, r1, u32::from(is_inside)]));
    }
}

/// The next stretch of one of them in a level where few are near, from when on it has not been `seen`: see [`Wide::next`].
#[inline(always)]
pub(super) fn wide<'r>(
    (level, regions): (&Level, &'r Regions),
    (rays, k): (&Rays, usize),
    seen: &mut f64,
    stop: f64,
) -> Option<(f64, [&'r [u32]; 3])> {
    *seen = if *seen > 0.0 { *seen } else { 0.0 };
    Wide::new(level, &flight(rays, k))?.next(regions, seen, stop)
}

/// All at the start of their walks, which end with the rays.
#[inline(always)]
pub(super) fn begin_walks(map: &CellMap, width: f64, rays: &Rays, walks: &mut Walks) {
    for k in 0..BATCH {
        let (flight, max) = (flight(rays, k), f64::from(rays.get(k).0[4]));
        let (mut walk, is_inside) = Walk::begin(map, width, &flight);
        walk.out = if max < walk.out { max } else { walk.out };
        set_walk(walks, k, (&walk, is_inside));
    }
}

/// How one of them comes from outside to where all bodies lie together.
#[inline(always)]
pub(super) fn enter(cells: &RayCells, map: &CellMap, rays: &Rays, k: usize) -> Way {
    Walk::enter(map, cells.width(), cells.bounds(), &flight(rays, k), f64::from(rays.get(k).0[4]))
}

/// Whose walks begin in the box.
#[inline(always)]
pub(super) fn inside(walks: &Walks) -> Few {
    let mut inside = Few::NONE;
    for (k, &is_inside) in walks.words[5].iter().enumerate() {
        inside.push_if(k, is_inside != 0);
    }
    inside
}

/// Whose walks are where nobody is, and who of those ends there; anybody of those who are not in the box.
#[inline(always)]
pub(super) fn nobody(cells: &RayCells, walks: &Walks) -> [Few; 2] {
    let (mut nobody, mut gone) = (Few::NONE, Few::NONE);
    let [next_x, next_y, .., out] = &walks.doubles;
    for k in 0..BATCH {
        let until = if next_x[k] < next_y[k] { next_x[k] } else { next_y[k] };
        nobody.push_if(k, cells.is_empty(walks.words[2][k]));
        let goes_on = until < out[k];
        gone.push_if(k, !goes_on);
    }
    [nobody, gone]
}

/// A walk is here now, and whether it is in the box.
#[inline(always)]
pub(super) fn set_walk(walks: &mut Walks, k: usize, (walk, is_inside): (&Walk, bool)) {
    let (doubles, [left_x, left_y, key, step_x, step_y]) = walk.parts();
    walks.set(k, ([], doubles, [left_x, left_y, key, step_x, step_y, u32::from(is_inside)]));
}

/// Where a ray is on its walk.
#[inline(always)]
pub(super) fn walk(walks: &Walks, k: usize) -> Walk {
    let (_, doubles, [left_x, left_y, key, step_x, step_y, _]) = walks.get(k);
    Walk::of_parts(doubles, [left_x, left_y, key, step_x, step_y])
}
