//! Which circles are near each other, and which segments are near circles.
//!
//! Comes in: a scene, a filter, a distance, a range of circles (rows in cell order) or of segments. Goes out: for each of the circles those that
//! are at most so far from it; for each of
//! the segments those near it. This room does not know lists of records.
//!
//! Each pair of circles is found from both sides: a second look costs less than telling the other side, whose list stands elsewhere.
//!
//! A circle is asked about with its radius grown by the distance, in single precision and up. What the kernels call a candidate then
//! misses nothing. **Surely near** (u = 2^-24): with g = r1 + distance, rounded down, and 32u r_max + 2^-72 taken off it, r_max >= g, r2 and
//! g > 0, the test of `kernels` passes only where the exact one does: the left side is D²(1 - 4u) - 2^-148 at least, the right side, with
//! R = g + r2 before that was taken off, (R(1 - 16u) - 2^-72)² (1 + 3u) at most, below R²(1 - 26u) - 2^-144. Where a length is above 1e18
//! squares may overflow, and nothing is sure.
//!
//! A segment is asked about likewise, E' = 32u (|dx| + |dy| + r_max + g) + 1e-21 taken off g > E'. The lanes' t lies in 0..=1, so the exact
//! point of that t is one of the segment; q is off from it by u (5.4 |d| + 2.2 |q|). Where |q|² <= (r + g - E')² in single precision,
//! |q| <= (r + g - E')(1 + 6u) + 2^-73, so the distance is at most (r + g)(1 + 11u) - E' + 2^-73 + 5.4u |d| <= r + g. The few pairs between the two tests are asked of `geometry`.

use super::area::{self, Area, Reach, Strip};
use super::near::Near;
use super::records::Record;
use super::{Look, Scene};
use crate::broad_phase::Level;
use crate::geometry::{self, Circle, Circles, Vec2};
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Operation, Probe, U, Wall};
use std::marker::PhantomData;
use std::ops::Range;

/// Segments in a chunk.
pub(super) const SEGMENTS: usize = 64;
/// Squares of what is longer may overflow.
const LARGE: f32 = 1e18;

/// Who is near each circle of a strip, list by list, in the caller's order.
pub(super) struct NearCircles<'a, T: Record> {
    pub(super) scene: &'a Scene<'a>,
    /// Its circles, columns of one length.
    pub(super) circles: Circles<'a>,
    /// By rows in cell order, whether a circle is seen; empty: all are.
    pub(super) seen: &'a [bool],
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) lists: &'a mut Near,
    /// No more than so many are wanted.
    pub(super) limit: usize,
    /// Circles are called by their rows, and those that are near are found in that order.
    pub(super) ordered: bool,
    /// What the lists are for.
    pub(super) records: PhantomData<T>,
}

/// The two tests of one circle in one level.
#[derive(Clone, Copy)]
struct Tests {
    own: u32,
    may: Probe,
    surely: Probe,
}

impl<T: Record> Operation for NearCircles<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        let levels = self.scene.grid.levels();
        for (k, level) in levels.iter().enumerate() {
            let (first, end) = (level.rows.start, level.rows.end);
            let first = if first > self.rows.start { first } else { self.rows.start };
            let end = if end < self.rows.end { end } else { self.rows.end };
            for row in first..end {
                if self.lists.len() > self.limit {
                    return;
                }
                self.own_level::<K>(level, row);
                for (_, level) in levels.iter().enumerate().filter(|&(other, _)| other != k) {
                    self.level::<K>(level, row);
                }
                if self.ordered {
                    self.lists.end();
                } else {
                    self.lists.end_in_order::<K, T>(self.scene.grid.order());
                }
            }
        }
    }
}

impl<T: Record> NearCircles<'_, T> {
    /// In its own level, where it lies within the map unless that is a torus.
    #[inline(always)]
    fn own_level<K: Kernels>(&mut self, level: &Level, row: u32) {
        let (grid, circle) = (self.scene.grid, self.scene.circle(row));
        let (x, y, far) = (circle.center.x, circle.center.y, f64::from(circle.radius) + f64::from(self.distance));
        let Some([columns, [mut at, high]]) = area::beside(level, [x, y], far) else {
            return self.level::<K>(level, row);
        };
        let tests = self.tests(level, row, circle);
        let table = &grid.starts()[level.base as usize..];
        let (stride, wide) = (level.map.stride(), (columns[1] - columns[0]) as u32 + 1);
        let mut key = level.map.key_of(columns[0], at);
        while at <= high {
            self.run_of::<K>(&tests, table[key as usize]..table[(key + wide) as usize]);
            (at, key) = (at + 1, key + stride);
        }
    }

    /// In any level.
    #[inline(always)]
    fn level<K: Kernels>(&mut self, level: &Level, row: u32) {
        let (grid, circle) = (self.scene.grid, self.scene.circle(row));
        let [x, y, r] = [circle.center.x, circle.center.y, circle.radius].map(f64::from);
        // More than the rounding of the sum takes, which may be more than is left when it is subtracted.
        let far = (r + f64::from(self.distance)) * (1.0 + 1.0 / (1u64 << 40) as f64);
        let reach = area::of_circles(level, [x - far, y - far, x + far, y + far]);
        if reach == Reach::Nothing {
            return;
        }
        let tests = self.tests(level, row, circle);
        let Reach::Cells(Area { rows, columns }) = reach else {
            self.run_of::<K>(&tests, level.rows.clone());
            return;
        };
        for cells in rows[0]..=rows[1] {
            for run in grid.interval(level, cells, columns[0], columns[1]) {
                self.run_of::<K>(&tests, run);
            }
        }
    }

    #[inline(always)]
    fn tests(&self, level: &Level, row: u32, circle: Circle) -> Tests {
        let reach = [(circle.radius + self.distance).next_down(), (circle.radius + self.distance).next_up()];
        let [may, surely] = probes(circle.center, reach, level.size);
        Tests { own: row, may, surely }
    }

    #[inline(always)]
    fn run_of<K: Kernels>(&mut self, tests: &Tests, run: Range<u32>) {
        let (circles, own, mut at) = (self.circles, tests.own, run.start);
        while at < run.end {
            let itself = if own.wrapping_sub(at) < LANES as u32 { 1 << (own - at) } else { 0 };
            let mut may = K::circle_mask(circles, tests.may, at, run.end - at) & !itself;
            let surely = K::circle_mask(circles, tests.surely, at, run.end - at);
            if may & !surely | u32::from(!self.seen.is_empty()) != 0 {
                may = ask(self.scene, self.seen, self.distance, [own, at], may, surely);
            }
            // All eight at once, then as many as there are: no branch depends on the number.
            self.lists.emit(K::Packing::pack(may, at), may.count_ones());
            at += LANES as u32;
        }
    }
}

/// For circles, none above `largest`, that may be within reach of a point and those that surely are; the reach is between the two numbers.
#[inline(always)]
pub(super) fn probes(Vec2 { x, y }: Vec2, [down, up]: [f32; 2], largest: f32) -> [Probe; 2] {
    let largest = if up > largest { up } else { largest };
    let grow = Probe::grow(largest);
    let less = down - grow;
    // No comparison with NaN holds.
    let surely = if less > 0.0 && largest < LARGE { less } else { f32::NAN };
    [Probe { x, y, reach: up + grow }, Probe { x, y, reach: surely }]
}

/// Those of the candidates of a row that are near and seen.
#[cold]
#[inline(never)]
fn ask(scene: &Scene<'_>, seen: &[bool], distance: f32, [own, at]: [u32; 2], mut may: u32, surely: u32) -> u32 {
    let (mut near, circle) = (0, scene.circle(own));
    while may != 0 {
        let k = may.trailing_zeros();
        may &= may - 1;
        let is_seen = seen.is_empty() || seen[(at + k) as usize];
        let is_near = || surely >> k & 1 == 1 || geometry::circles_within(circle, scene.circle(at + k), distance);
        near |= u32::from(is_seen && is_near()) << k;
    }
    near
}

/// The circles near each of a chunk of segments, as rows in cell order.
pub(super) struct NearSegments<'a, 'f> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'f>,
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) lists: &'a mut Near,
    /// No more than so many are wanted.
    pub(super) limit: usize,
}

impl Operation for NearSegments<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        for row in self.rows.clone() {
            if self.lists.len() > self.limit {
                return;
            }
            if self.scene.sees_segment(self.look, row) {
                self.segment::<K>(row);
            }
            self.lists.end();
        }
    }
}

impl NearSegments<'_, '_> {
    #[inline(always)]
    fn segment<K: Kernels>(&mut self, row: u32) {
        let (segment, grid) = (self.scene.segment(row), self.scene.grid);
        let ends = [segment.start.into(), segment.end.into()];
        let sum = segment.radius + self.distance;
        let wall = Wall::new(ends[0], ends[1], sum.next_up());
        for level in grid.levels() {
            let reach = (sum.next_up() + level.size).next_up();
            let tests = WallTests { row, may: wall.reach(level.size), surely: surely(&wall, sum, level.size) };
            let Some(mut strip) = Strip::first(&level.map, ends, reach) else {
                self.run_of::<K>(&wall, tests, level.rows.clone());
                continue;
            };
            loop {
                for &[cells, first, last] in strip.rows() {
                    for run in grid.interval(level, cells, first, last) {
                        self.run_of::<K>(&wall, tests, run);
                    }
                }
                if !strip.next(&level.map, ends, reach) {
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn run_of<K: Kernels>(&mut self, wall: &Wall, tests: WallTests, run: Range<u32>) {
        let (circles, mut at) = (self.scene.circles().even(), run.start);
        while at < run.end {
            let mut may = K::wall_mask(circles, wall, tests.may, at, run.end - at);
            let surely = K::wall_mask(circles, wall, tests.surely, at, run.end - at);
            if may & !surely != 0 {
                may = ask_wall(self.scene, self.distance, [tests.row, at], may, surely);
            }
            self.lists.emit(K::Packing::pack(may, at), may.count_ones());
            at += LANES as u32;
        }
    }
}

/// Those of the candidates that are near.
#[cold]
#[inline(never)]
fn ask_wall(scene: &Scene<'_>, distance: f32, [row, at]: [u32; 2], may: u32, surely: u32) -> u32 {
    let (mut near, mut open, segment) = (may & surely, may & !surely, scene.segment(row));
    while open != 0 {
        let k = open.trailing_zeros();
        open &= open - 1;
        let is_near = geometry::circle_segment_within(scene.circle(at + k), segment, distance);
        near |= u32::from(is_near) << k;
    }
    near
}

/// The two tests of one segment in one level.
#[derive(Clone, Copy)]
struct WallTests {
    row: u32,
    may: f32,
    surely: f32,
}

/// What a wall's reach is for circles that are surely near: see the head of the module. NaN, with which no comparison holds, for none.
pub(super) fn surely(wall: &Wall, sum: f32, largest: f32) -> f32 {
    let (length, down) = (wall.dx.abs() + wall.dy.abs(), sum.next_down());
    let less = down - (32.0 * U * (length + largest + down) + 1e-21);
    if wall.inverse > 0.0 && less > 0.0 && sum < LARGE && largest < LARGE { less } else { f32::NAN }
}
