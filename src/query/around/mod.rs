//! The search for what is nearest: squares of cells about the point, each twice as wide as the last.
//!
//! Comes in: a scene, a filter, a point, room for the best. Goes out: the records of the best. Knows no batches.
//!
//! The first square is as wide as holds as many circles as are wanted where they are spread evenly; of segments half a cell to each side.
//! A level is searched about `c`, the point `p` cut to the box around all of the level. With D = |p - c|, a point of that box that is H and
//! more from `c` on an axis is at least √(D² + H²) from `p`, since the box is convex and `c` its nearest point. So with nothing of
//! interest beyond L, and circles no larger than s about the positions that are binned, the square of H = √((L + s)² - D²) holds all, and
//! the level holds nothing where L + s < D. L shrinks as the best get better. Both are computed in double precision with an allowance of
//! 2^-40 of their terms, far above the rounding.
//!
//! Where the point is in the box of the first level, or next to it, levels are looked at as they come, fine ones first, circles before segments. Else
//! the level comes first of which something may be nearest by its box, and so on: a town of many that is known to be far is not searched before
//! somebody is found who makes it matter little, or not at all. Results do not depend on the order.
//!
//! Where cells lie on a torus and few are near, squares go on in wide regions ([`far`]), from the first of them in which somebody is.
//!
//! Cost: a look at what the last square and the one before it hold, of each level; never more than twice all there is.

mod far;

use self::far::Far;
use super::area::{self, Bounds, Reach};
use super::best::{Best, FEW, MORE};
use super::squares::{Field, Rings, apart_from};
use super::touching::columns;
use super::{Look, Nearest, Scene, nearby};
use crate::broad_phase::{CellLevel, Cells, Entries, Level, Strewn};
use crate::kernels::distances::Distances;
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Outlined};
use std::marker::PhantomData;
use std::ops::Range;

/// See the head of the module.
pub(super) struct Around<'a, 'f, 'b> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    p: [f32; 2],
    best: Best<'b>,
    /// Where the records of the best are written, and many are sorted.
    room: &'b mut [Nearest],
    /// Some may have been found twice.
    twice: bool,
}

impl<'a, 'f, 'b> Around<'a, 'f, 'b> {
    #[inline(always)]
    pub(super) fn new(
        scene: &'a Scene<'a>,
        look: &'a Look<'f>,
        p: [f32; 2],
        best: Best<'b>,
        room: &'b mut [Nearest],
    ) -> Self {
        Around { scene, look, p, best, room, twice: false }
    }

    /// Writes the records of the best, in order, to the front of the room, and tells how many there are.
    #[inline(always)]
    pub(super) fn finish<K: Kernels>(mut self) -> usize {
        self.best.cut::<K>(self.twice);
        if !self.best.first::<K>() {
            self.settle::<K>();
        }
        nearby::records::<K>(self.scene, self.p, &self.best, self.room)
    }

    /// Sorts by the exact distances.
    #[inline(always)]
    fn settle<K: Kernels>(&mut self) {
        K::outline(Does(self, Settle, PhantomData::<K>));
    }

    #[inline(always)]
    fn settle_here<K: Kernels>(&mut self) {
        nearby::distances::<K>(self.scene, self.p, &mut self.best);
        if self.room.len() < self.best.len() {
            settle_few(&mut self.best, self.scene.grid.order());
        } else {
            self.best.settle(self.scene.grid.order(), self.room);
        }
        self.best.settled::<K>();
    }

    /// Some of eight.
    #[inline(always)]
    fn offer<K: Kernels>(&mut self, found: &Distances, mask: u32, rows: &[u32; LANES], circles: bool) {
        if mask == 0 {
            return;
        }
        if self.best.is_full() && self.best.is_full_of_near::<K>(self.twice) {
            self.settle::<K>();
        }
        self.best.offer::<K>(found, mask, rows, circles);
    }

    #[inline(always)]
    pub(super) fn all<K: Kernels>(&mut self) {
        if !self.begins_near() {
            return K::outline(Does(self, ByDistance, PhantomData::<K>));
        }
        if self.look.circles() {
            for index in 0..self.scene.grid.levels().len() {
                self.circles::<K>(index);
            }
        }
        if self.look.segments() {
            self.best.end_circles::<K>(self.twice);
            for cells in self.scene.cells {
                for index in 0..cells.levels().len() {
                    self.segments::<K>(cells, index);
                }
                let apart = cells.apart();
                if !apart.rows.is_empty() {
                    K::outline(Does(&mut *self, (apart, 0..apart.rows.len() as u32), PhantomData::<K>));
                }
            }
        }
    }

    /// The first level is the only one, or the point is no more than a cell outside of its box.
    #[inline(always)]
    fn begins_near(&self) -> bool {
        let ([x, y], scene) = (self.p.map(f64::from), self.scene);
        let near = |[x0, y0, x1, y1]: Bounds, cell: f32| {
            let cell = f64::from(cell);
            x >= x0 - cell && x <= x1 + cell && y >= y0 - cell && y <= y1 + cell
        };
        let segments = self.look.segments() && !scene.capsules.x0.is_empty();
        match scene.grid.levels().first().filter(|_| self.look.circles()) {
            Some(level) => (!segments && scene.grid.levels().len() == 1) || near(level.around(), level.map.cell()),
            None if !segments => true,
            None => {
                let first = scene.cells.iter().find_map(|cells| cells.levels().first());
                first.is_none_or(|level| near(of_level(level), level.map.cell()))
            }
        }
    }

    /// The nearest part comes first, of equally near ones as they stand; each makes others matter less.
    #[inline(always)]
    fn by_distance<K: Kernels>(&mut self) {
        let mut before = None;
        while let Some((key, part)) = self.next_part(before) {
            match part {
                Part::Circles(index) => self.circles::<K>(index),
                Part::Segments(cells, index) => self.segments::<K>(cells, index),
                Part::Apart(entries) => self.entries::<K>(entries, 0..entries.rows.len() as u32),
            }
            self.best.cut::<K>(self.twice);
            before = Some(key);
        }
    }

    /// The nearest that may matter, behind the one that was last: how near, its place, and itself.
    fn next_part(&self, before: Option<Key>) -> Option<(Key, Part<'a>)> {
        let mut next: Option<(Key, Part<'a>)> = None;
        let limit = self.best.limit();
        for (place, (part, field)) in self.parts().enumerate() {
            let key = (field.apart(), place);
            let is_nearer = next.is_none_or(|(nearest, _)| key < nearest) && before.is_none_or(|before| key > before);
            if is_nearer && field.matters(limit) {
                next = Some((key, part));
            }
        }
        next
    }

    /// All that there is to be looked at, in the order of [`Self::all`].
    fn parts(&self) -> impl Iterator<Item = (Part<'a>, Field)> {
        let (p, scene) = (self.p, self.scene);
        let circles = if self.look.circles() { scene.grid.levels() } else { &[] };
        let cells = if self.look.segments() { &scene.cells[..] } else { &[] };
        let of_circles = circles.iter().enumerate().map(move |(index, level)| {
            let field = Field::new(p, level.around(), level.size);
            (Part::Circles(index), field)
        });
        of_circles.chain(cells.iter().flat_map(move |&cells| {
            let of_levels = cells.levels().iter().enumerate().map(move |(index, level)| {
                let field = Field::new(p, of_level(level), 0.0);
                (Part::Segments(cells, index), field)
            });
            let apart = cells.around_apart().map(|[[x0, y0], [x1, y1]]| {
                let field = Field::new(p, [x0, y0, x1, y1], 0.0);
                (Part::Apart(cells.apart()), field)
            });
            of_levels.chain(apart)
        }))
    }

    #[inline(always)]
    fn circles<K: Kernels>(&mut self, index: usize) {
        let (grid, level) = (self.scene.grid, &self.scene.grid.levels()[index]);
        let field = Field::new(self.p, level.around(), level.size);
        let mut rings = Rings::new(first_half(level, self.best.wanted()));
        while let Some(square) = rings.next(&field, self.best.limit()) {
            let reach = area::of_positions(&level.map, square);
            if let Some(far) = self.regions(level, &field, reach) {
                return K::outline(Does(self, far, PhantomData::<K>));
            }
            let Reach::Cells(area) = reach else {
                self.twice = true;
                return K::outline(Does(self, level.rows.clone(), PhantomData::<K>));
            };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for [first, last] in apart_from(area.columns, before, row) {
                    if first <= last {
                        for run in grid.interval(level, row, first, last) {
                            self.circle_run::<K>(run);
                        }
                    }
                }
            }
            self.best.cut::<K>(self.twice);
        }
    }

    #[inline(always)]
    fn circle_run<K: Kernels>(&mut self, run: Range<u32>) {
        let (circles, mut at) = (self.scene.circles(), run.start);
        while at < run.end {
            let found = K::circle_distances(circles, self.p, self.best.limit(), at, run.end - at);
            let rows = K::Packing::pack(u32::from(u8::MAX), at);
            let mask = self.seen_circles(found.mask, &rows);
            self.offer::<K>(&found, mask, &rows, true);
            at += LANES as u32;
        }
    }

    /// Those of a mask that are seen, by their rows in cell order.
    #[inline(always)]
    fn seen_circles(&self, mask: u32, rows: &[u32; LANES]) -> u32 {
        let mut seen = mask;
        if !self.look.all_circles() {
            for (k, &row) in rows.iter().enumerate().filter(|&(k, _)| mask >> k & 1 == 1) {
                seen &= !(u32::from(!self.scene.sees_circle(self.look, self.scene.name(row))) << k);
            }
        }
        seen
    }

    /// The same of segments, by the caller's rows.
    #[inline(always)]
    fn seen_segments(&self, mask: u32, rows: &[u32; LANES]) -> u32 {
        let mut seen = mask;
        if !self.look.all_segments() {
            for (k, &row) in rows.iter().enumerate().filter(|&(k, _)| mask >> k & 1 == 1) {
                seen &= !(u32::from(!self.scene.sees_segment(self.look, row)) << k);
            }
        }
        seen
    }

    #[inline(always)]
    fn segments<K: Kernels>(&mut self, cells: &'a Cells, index: usize) {
        let level = &cells.levels()[index];
        if level.entries.start == level.entries.end {
            return;
        }
        let field = Field::new(self.p, of_level(level), 0.0);
        self.twice = true;
        let mut rings = Rings::new(f64::from(level.map.cell()) * 0.5);
        while let Some(square) = rings.next(&field, self.best.limit()) {
            let reach = area::of_segments(level, square);
            if let Some((far, strewn)) = self.strewn(cells, level, reach) {
                return K::outline(Does(self, (far, cells.entries(), strewn), PhantomData::<K>));
            }
            let Reach::Cells(area) = reach else {
                return K::outline(Does(self, (cells.entries(), level.entries.clone()), PhantomData::<K>));
            };
            let (before, rows) = (rings.replace(area), area.rows);
            for row in rows[0]..=rows[1] {
                for [first, last] in apart_from(area.columns, before, row) {
                    if first <= last {
                        for run in cells.interval(level, row, first, last) {
                            self.entries::<K>(cells.entries(), run);
                        }
                    }
                }
            }
            self.best.cut::<K>(self.twice);
        }
    }

    #[inline(always)]
    fn entries<K: Kernels>(&mut self, entries: &Entries, run: Range<u32>) {
        let (segments, mut at) = (columns(entries), run.start);
        while at < run.end {
            let found = K::segment_distances(segments, self.p, self.best.limit(), at, run.end - at);
            let (mut mask, mut rows) = (found.mask, [0; LANES]);
            for (to, &row) in rows.iter_mut().zip(&entries.rows[at as usize..]) {
                *to = row;
            }
            mask = self.seen_segments(mask, &rows);
            self.offer::<K>(&found, mask, &rows, false);
            at += LANES as u32;
        }
    }
}

/// A search, and a part of it that is a function of its own: reached seldom, or from several places.
struct Does<'s, 'a, 'f, 'b, K, T>(&'s mut Around<'a, 'f, 'b>, T, PhantomData<K>);

/// See [`Around::settle`].
struct Settle;

/// See [`Around::by_distance`].
struct ByDistance;

/// How near a part may be, and its place among all of them.
type Key = (f64, usize);

/// What is looked at by itself.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// A level of circles.
    Circles(usize),
    /// A level of segments.
    Segments(&'a Cells, usize),
    /// Segments that are in no cell.
    Apart(&'a Entries),
}

impl<K: Kernels> Outlined for Does<'_, '_, '_, '_, K, Settle> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.settle_here::<K>();
    }
}

impl<K: Kernels> Outlined for Does<'_, '_, '_, '_, K, ByDistance> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.by_distance::<K>();
    }
}

impl<K: Kernels> Outlined for Does<'_, '_, '_, '_, K, Range<u32>> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.circle_run::<K>(self.1);
    }
}

impl<'a, K: Kernels> Outlined for Does<'_, 'a, '_, '_, K, Far<'a>> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(around, far, _) = self;
        around.far_circles::<K>(far);
    }
}

impl<'a, K: Kernels> Outlined for Does<'_, 'a, '_, '_, K, (Far<'a>, &Entries, &Strewn)> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(around, (far, entries, strewn), _) = self;
        around.far_segments::<K>(far, entries, strewn);
    }
}

impl<K: Kernels> Outlined for Does<'_, '_, '_, '_, K, (&Entries, Range<u32>)> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(around, (entries, run), _) = self;
        around.entries::<K>(entries, run);
    }
}

/// The box around a level of segments.
#[inline(always)]
fn of_level(level: &CellLevel) -> Bounds {
    [level.low[0], level.low[1], level.high[0], level.high[1]]
}

/// With room for a few: needed only where too many are equally near.
#[cold]
#[inline(never)]
fn settle_few(best: &mut Best<'_>, order: &[u32]) {
    best.settle(order, &mut [Nearest::default(); 2 * FEW + MORE]);
}

/// Half of the first square: π R² of the level's circles lie within R, so so many within √(k / π) of their spacing, and a tenth of that is
/// added; no more than where there is one in each cell, since the box of a level may be nearly empty.
#[inline(always)]
fn first_half(level: &Level, wanted: usize) -> f64 {
    let ([x0, y0, x1, y1], count) = (level.around(), f64::from(level.rows.end - level.rows.start));
    let (root, cell) = ((wanted as f64).sqrt(), f64::from(level.map.cell()));
    let (spacing, most) = (((x1 - x0) * (y1 - y0) / count).sqrt() * root * 0.62, cell * (root * 0.75 - 0.25));
    let half = if spacing < most { spacing } else { most };
    if half > cell * 0.5 { half } else { cell * 0.5 }
}
