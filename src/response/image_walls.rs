//! Walls as they are seen across the border of a plane that repeats, by the cells they lie in.
//!
//! Comes in: walls that do not move, a plane that repeats, a box. Goes out: the cells of all images that come into the box, and some more. Images near the
//! stretch are registered at once; all others, of which each wall has some twenty, when somebody goes farther out. This room does not know who asks.
//!
//! Which of both is asked changes no answer: the cells of either name every image that comes into the box; and how large coordinates are, by which
//! centres are held off walls, is told of all images, registered or not.

use super::images::{counts, each, moved, spine};
use super::impulse::Pair;
use super::leg::Spine;
use super::units::larger;
use crate::broad_phase::{Cells, extent, shorter};
use crate::geometry::{Capsules, Periods};
use crate::storage::{Lazy, SegmentColumns};

/// So many periods beyond the stretch images are registered at once: nobody goes further but who flies so far, or is that large.
const NEAR: f64 = 0.25;
/// And so much more, for what is rounded.
const ROOM: f64 = 1.0 / 64.0;
/// So many, and its own radius, a wall is seen beyond it: flights begin in the stretch and go a period at most, and circles see what they come near.
const FAR: f64 = 1.5;

/// The images of walls that do not move, as far as a leg can reach them that begins in the stretch and is no longer than a period.
#[derive(Debug, Default)]
pub(crate) struct ImageWalls {
    periods: Periods,
    near: Images,
    all: Lazy<Images>,
    /// What comes into this box is in `near`; from low to high.
    cover: [Pair; 2],
    size: f64,
    shortest: f32,
}

/// Some images.
#[derive(Debug, Default)]
struct Images {
    columns: [Vec<f32>; 5],
    names: Vec<u32>,
    cells: Cells,
}

impl ImageWalls {
    /// Makes them anew.
    pub(crate) fn build(&mut self, periods: &Periods, segments: &SegmentColumns) {
        self.periods = *periods;
        self.all.forget();
        self.cover = beyond(periods, NEAR);
        self.near.build(periods, segments, NEAR + ROOM, Some(beyond(periods, NEAR + ROOM)));
        (self.size, self.shortest) = (0.0, f32::INFINITY);
        for row in segments.fixed_rows() {
            self.measure(&spine(segments, row as usize), segments.radius[row as usize]);
        }
        // As cells have it.
        self.size += self.size * (1.0 / (1u64 << 40) as f64);
    }

    /// A wall and its images: how large their coordinates are, and how short they are.
    fn measure(&mut self, wall: &Spine, radius: f32) {
        let of = |axis: usize| counts(&self.periods, axis, wall, seen(&self.periods, axis, FAR, radius));
        let ([x, y], [mut size, around]) = ([of(0), of(1)], [self.size, f64::from(radius)]);
        let mut along = |axis: usize, count: i32| {
            let Spine { start, end, .. } = moved(wall, &self.periods, [count; 2]);
            for v in [start[axis], end[axis]].map(f64::from) {
                size = larger(size, larger((v - around).abs(), (v + around).abs()));
            }
            end[axis] - start[axis]
        };
        for k in x[0]..=x[1] {
            let dx = along(0, k);
            for l in y[0]..=y[1] {
                self.shortest = shorter(self.shortest, extent([[0.0; 2], [dx, along(1, l)]], radius));
            }
        }
        self.size = size;
    }

    /// The cells of all images that come into the box, with their radii: some, or all.
    pub(super) fn cells(&self, segments: &SegmentColumns, [low, high]: [Pair; 2]) -> &Cells {
        let is_near = (0..2).all(|axis| low[axis] >= self.cover[0][axis] && high[axis] <= self.cover[1][axis]);
        if is_near { &self.near.cells } else { self.all(segments) }
    }

    /// Those of [`Self::cells`] that are some of all.
    pub(super) fn near(&self) -> &Cells {
        &self.near.cells
    }

    /// The cells of all.
    #[cold]
    pub(super) fn all(&self, segments: &SegmentColumns) -> &Cells {
        &self.all.get(|all| all.build(&self.periods, segments, FAR, None)).cells
    }

    /// The largest coordinate of all walls and images with their radii, rounded up.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// The extent of the shortest that has one; infinite where there is none.
    pub(super) fn shortest(&self) -> f32 {
        self.shortest
    }
}

impl Images {
    /// Those that come, with their radii, into the stretch and so many periods beyond it, and some more; only those that come into a box, if there is one.
    fn build(&mut self, periods: &Periods, segments: &SegmentColumns, far: f64, within: Option<[Pair; 2]>) {
        let Images { columns, names, cells } = self;
        columns.iter_mut().for_each(Vec::clear);
        names.clear();
        for row in segments.fixed_rows() {
            let (wall, radius) = (spine(segments, row as usize), segments.radius[row as usize]);
            let (of, around) =
                (|axis| counts(periods, axis, &wall, seen(periods, axis, far, radius)), f64::from(radius));
            each([of(0), of(1)], |count| {
                let Spine { start, end, .. } = moved(&wall, periods, count);
                let comes = |[low, high]: [Pair; 2]| {
                    (0..2).all(|axis| {
                        let (a, b) = (f64::from(start[axis]), f64::from(end[axis]));
                        let (a, b) = if a < b { (a, b) } else { (b, a) };
                        a - around <= high[axis] && b + around >= low[axis]
                    })
                };
                if within.is_none_or(comes) {
                    let values = [start[0], start[1], end[0], end[1], radius];
                    columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
                    names.push(row);
                }
            });
        }
        let [x0, y0, x1, y1, radius] = &*columns;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..names.len() as u32);
        cells.rename(names);
    }
}

/// The stretch, and so many periods beyond it on either side, from low to high; all of an axis that does not repeat.
fn beyond(periods: &Periods, far: f64) -> [Pair; 2] {
    let of = |axis: usize| {
        let ([low, high], length) = (periods.stretch(axis).map(f64::from), periods.length(axis));
        if length > 0.0 { [low - far * length, high + far * length] } else { [f64::NEG_INFINITY, f64::INFINITY] }
    };
    let [x, y] = [of(0), of(1)];
    [[x[0], y[0]], [x[1], y[1]]]
}

/// Where something that has a radius is seen, along one axis.
fn seen(periods: &Periods, axis: usize, far: f64, radius: f32) -> [f64; 2] {
    let [low, high] = beyond(periods, far);
    [low[axis] - f64::from(radius), high[axis] + f64::from(radius)]
}
