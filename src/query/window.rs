//! The circles in some cells, side by side in columns of their own.
//!
//! Comes in: a scene, a box in double precision. Goes out: the circles of all levels that may touch the box, and what they are called. A few circles that lie together look at the same ones: these are fetched once, and fill lanes that what a single row of cells
//! holds leaves empty. This room does not know who looks, or for what.

use super::Scene;
use super::area::{self, Area, Bounds, Reach};
use crate::geometry::Circles;
use crate::kernels::{Kernels, LANES, Outlined};
use std::ops::Range;

/// Circles that are fetched at most.
pub(super) const MOST: usize = 16 * LANES;
/// Of these so many are copied at a time.
const STEP: usize = 2 * LANES;
const ROOM: usize = MOST + STEP;

/// See the head of the module.
#[derive(Debug)]
pub(super) struct Window {
    x: [f32; ROOM],
    y: [f32; ROOM],
    radius: [f32; ROOM],
    names: [u32; ROOM],
    len: usize,
    /// Where the last run ended, and whether none began before the one before it ended.
    end: u32,
    ascends: bool,
}

/// Eight circles; those behind the last are none.
#[derive(Clone, Copy)]
pub(super) struct Eight<'a> {
    pub(super) circles: Circles<'a>,
    pub(super) names: &'a [u32; LANES],
}

/// The columns that windows are filled from.
#[derive(Clone, Copy)]
struct Source<'a> {
    x: &'a [f32],
    y: &'a [f32],
    radius: &'a [f32],
    names: &'a [u32],
}

impl<'a> Source<'a> {
    #[inline(always)]
    fn new(scene: &Scene<'a>) -> Source<'a> {
        let (Circles { x, y, radius }, names) = (scene.circles(), scene.grid.order());
        let n = names.len();
        Source { x: &x[..n], y: &y[..n], radius: &radius[..n], names }
    }
}

/// See [`Window::fetch`].
struct Fetch<'w, 'a> {
    window: &'w mut Window,
    scene: &'w Scene<'a>,
    bounds: Bounds,
    own: u32,
}

impl Outlined for Fetch<'_, '_> {
    type Output = Option<Range<u32>>;
    #[inline(always)]
    fn run(self) -> Option<Range<u32>> {
        let Fetch { window, scene, bounds, own } = self;
        let (from, mut places, mut len) = (Source::new(scene), 0..0, 0);
        (window.end, window.ascends) = (0, true);
        for level in scene.grid.levels() {
            match area::of_circles(level, bounds) {
                Reach::Nothing => {}
                Reach::All => len = window.take(from, level.rows.clone(), own, len, &mut places)?,
                Reach::Cells(Area { rows, columns }) if !level.map.is_torus() => {
                    let (table, stride) = (&scene.grid.starts()[level.base as usize..], level.map.stride());
                    let wide = (columns[1] - columns[0]) as u32 + 1;
                    let mut key = level.map.key_of(columns[0], rows[0]);
                    for _ in rows[0]..=rows[1] {
                        let run = table[key as usize]..table[(key + wide) as usize];
                        len = window.take(from, run, own, len, &mut places)?;
                        key += stride;
                    }
                }
                Reach::Cells(Area { rows, columns }) => {
                    for row in rows[0]..=rows[1] {
                        for run in scene.grid.interval(level, row, columns[0], columns[1]) {
                            len = window.take(from, run, own, len, &mut places)?;
                        }
                    }
                }
            }
        }
        window.len = len;
        window.x[len..len + LANES].fill(f32::NAN);
        Some(places)
    }
}

impl Window {
    /// Of nobody.
    pub(super) const EMPTY: Window = Window {
        x: [f32::NAN; ROOM],
        y: [f32::NAN; ROOM],
        radius: [f32::NAN; ROOM],
        names: [0; ROOM],
        len: 0,
        end: 0,
        ascends: true,
    };

    /// Circles are in the order of their rows.
    #[inline(always)]
    pub(super) fn ascends(&self) -> bool {
        self.ascends
    }

    /// Takes the circles that may touch the box, where the one in row `own` is; where in the window that and those in the rows behind it are,
    /// of one row of cells. None if they are too many to be looked at by each of a few.
    #[inline(always)]
    pub(super) fn fetch<K: Kernels>(&mut self, scene: &Scene<'_>, bounds: Bounds, own: u32) -> Option<Range<u32>> {
        K::outline(Fetch { window: self, scene, bounds, own })
    }

    /// Takes a run behind `len` others; how many there are then.
    #[inline(always)]
    fn take(
        &mut self,
        from: Source<'_>,
        run: Range<u32>,
        own: u32,
        len: usize,
        places: &mut Range<u32>,
    ) -> Option<usize> {
        let (at, count) = (own.wrapping_sub(run.start), run.end - run.start);
        self.ascends &= run.start >= self.end;
        self.end = run.end;
        let end = len as u32 + count;
        if end > MOST as u32 {
            return None;
        }
        *places = if at < count { len as u32 + at..end } else { places.clone() };
        self.copy(from, run.start as usize, len);
        for step in 1..count.div_ceil(STEP as u32) as usize {
            self.copy(from, run.start as usize + step * STEP, len + step * STEP);
        }
        Some(end as usize)
    }

    #[inline(always)]
    fn copy(&mut self, source: Source<'_>, from: usize, to: usize) {
        if from + STEP > source.x.len() {
            return self.copy_last(source, from, to);
        }
        self.x[to..to + STEP].copy_from_slice(&source.x[from..from + STEP]);
        self.y[to..to + STEP].copy_from_slice(&source.y[from..from + STEP]);
        self.radius[to..to + STEP].copy_from_slice(&source.radius[from..from + STEP]);
        self.names[to..to + STEP].copy_from_slice(&source.names[from..from + STEP]);
    }

    /// Those at the end of the columns.
    #[cold]
    #[inline(never)]
    fn copy_last(&mut self, source: Source<'_>, from: usize, to: usize) {
        for (from, to) in (from..source.x.len()).zip(to..) {
            (self.x[to], self.y[to], self.radius[to]) = (source.x[from], source.y[from], source.radius[from]);
            self.names[to] = source.names[from];
        }
    }

    /// All of them.
    #[inline(always)]
    pub(super) fn eights(&self) -> impl Iterator<Item = Eight<'_>> {
        let n = self.len.div_ceil(LANES);
        let (x, y, radius) = (self.x.as_chunks().0, self.y.as_chunks().0, self.radius.as_chunks().0);
        let names: &[[u32; LANES]] = self.names.as_chunks().0;
        let circles = x[..n].iter().zip(&y[..n]).zip(&radius[..n]);
        circles.zip(&names[..n]).map(|(((x, y), radius), names)| {
            let (x, y, radius): (&[f32; LANES], &[f32; LANES], &[f32; LANES]) = (x, y, radius);
            Eight { circles: Circles { x, y, radius }, names }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_ascend_unless_a_run_begins_before_the_one_before_has_ended() {
        let (column, names) = ([0.0; 64], [0; 64]);
        let source = Source { x: &column, y: &column, radius: &column, names: &names };
        for (runs, ascend) in [
            // One behind the other, with none between; around where a torus closes; two levels, or rows of cells, that overlap.
            (vec![0..3, 3..5, 9..9, 9..20, 40..63], true),
            (vec![40..50, 0..3], false),
            (vec![0..9, 20..30, 29..31, 40..41], false),
        ] {
            let (mut window, mut len) = (Window::EMPTY, 0);
            for run in runs {
                len = window.take(source, run, 0, len, &mut (0..0)).expect("few");
            }
            assert_eq!(window.ascends(), ascend);
        }
    }
}
