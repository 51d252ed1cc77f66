//! Which circles are near each other, and which segments are near circles.
//!
//! Comes in: a scene, a filter, a distance, a range of circles (rows in cell order) or of segments. Goes out: pairs of circles that are at most
//! so far from each other, each from its lower row: rows of cells below need not be looked at; pairs of a circle and a segment, by
//! segment. This room does not know lists of records.
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
use super::{Look, Scene};
use crate::broad_phase::Level;
use crate::geometry::{self, Circle};
use crate::kernels::{Kernels, LANES, Operation, Pairs, Probe, U, Wall, pack};
use std::ops::Range;

/// Segments in a chunk.
pub(super) const SEGMENTS: usize = 64;
/// Squares of what is longer may overflow.
const LARGE: f32 = 1e18;

/// The pairs of near circles whose first row is in a range, as rows in cell order: by the first, which is the lower one, then by the second.
pub(super) struct NearCircles<'a> {
    pub(super) scene: &'a Scene<'a>,
    /// By rows in cell order, whether a circle is seen; empty: all are. Of a pair one has to be.
    pub(super) seen: &'a [bool],
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) pairs: &'a mut Pairs,
    /// Those pairs whose second row is behind the range.
    pub(super) leaving: &'a mut Pairs,
    /// How many pairs begin with each row.
    pub(super) counts: &'a mut [u32],
    /// No more than so many are wanted.
    pub(super) limit: usize,
}

/// The two tests of one circle in one level.
#[derive(Clone, Copy)]
struct Tests {
    own: u32,
    may: Probe,
    surely: Probe,
}

impl Operation for NearCircles<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        let levels = self.scene.grid.levels();
        for (k, level) in levels.iter().enumerate() {
            let (first, end) = (level.rows.start, level.rows.end);
            let first = if first > self.rows.start { first } else { self.rows.start };
            let end = if end < self.rows.end { end } else { self.rows.end };
            for row in first..end {
                let from = self.pairs.len();
                if from > self.limit {
                    return;
                }
                let left = if self.own_level::<K>(level, row) { k + 1 } else { k };
                for level in &levels[left..] {
                    self.level::<K>(level, row);
                }
                self.finish(row, from);
            }
        }
    }
}

impl NearCircles<'_> {
    /// All pairs of a row have been found.
    #[inline(always)]
    fn finish(&mut self, row: u32, from: usize) {
        // Around a torus, rows are not met in their order.
        self.pairs.sort_from(from);
        let found = &self.pairs.rows().1[from..];
        self.counts[(row - self.rows.start) as usize] = found.len() as u32;
        for &other in found.iter().rev().take_while(|&&other| other >= self.rows.end) {
            let mut out = self.leaving.writer(1);
            out.push(row, other);
            self.leaving.keep(1);
        }
    }

    /// The rows behind this one, in its own level, unless that is a torus.
    #[inline(always)]
    fn own_level<K: Kernels>(&mut self, level: &Level, row: u32) -> bool {
        let (grid, circle) = (self.scene.grid, self.scene.circle(row));
        let (x, y) = (circle.center.x, circle.center.y);
        let Some(columns) = area::across(level, x, f64::from(circle.radius) + f64::from(self.distance)) else {
            return false;
        };
        let high = area::up(level, y, f64::from(circle.radius) + f64::from(self.distance));
        let tests = self.tests(level, row, circle);
        // What lies in lower rows of cells has a lower row, and has met this one already.
        let mut at = level.map.index(level.map.scale(y, 1), 1);
        let table = &grid.starts()[level.base as usize..];
        let (stride, wide) = (level.map.stride(), (columns[1] - columns[0]) as u32 + 1);
        let mut key = level.map.key_of(columns[0], at);
        let mut first = row + 1;
        while at <= high {
            let run = table[key as usize]..table[(key + wide) as usize];
            self.run_of::<K>(&tests, if run.start > first { run.start } else { first }..run.end);
            (at, key, first) = (at + 1, key + stride, 0);
        }
        true
    }

    /// The rows behind this one, in any level.
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
        let behind = |run: Range<u32>| if run.start > row { run } else { row + 1..run.end };
        let Reach::Cells(Area { rows, columns }) = reach else {
            self.run_of::<K>(&tests, behind(level.rows.clone()));
            return;
        };
        for cells in rows[0]..=rows[1] {
            for run in grid.interval(level, cells, columns[0], columns[1]) {
                self.run_of::<K>(&tests, behind(run));
            }
        }
    }

    #[inline(always)]
    fn tests(&self, level: &Level, row: u32, circle: Circle) -> Tests {
        let (up, down) = ((circle.radius + self.distance).next_up(), (circle.radius + self.distance).next_down());
        let largest = if up > level.size { up } else { level.size };
        let (grow, x, y) = (Probe::grow(largest), circle.center.x, circle.center.y);
        let less = down - grow;
        Tests {
            own: row,
            may: Probe { x, y, reach: up + grow },
            // No comparison with NaN holds.
            surely: Probe { x, y, reach: if less > 0.0 && largest < LARGE { less } else { f32::NAN } },
        }
    }

    #[inline(always)]
    fn run_of<K: Kernels>(&mut self, tests: &Tests, run: Range<u32>) {
        let (circles, all, own) = (self.scene.circles().even(), self.seen.is_empty(), tests.own);
        let (scene, seen, distance) = (self.scene, self.seen, self.distance);
        let mut at = run.start;
        if at >= run.end {
            return;
        }
        let mut out = self.pairs.writer((run.end - at) as usize);
        while at < run.end {
            let mut may = K::circle_mask(circles, tests.may, at, run.end - at);
            let surely = K::circle_mask(circles, tests.surely, at, run.end - at);
            if may & !surely != 0 || !all {
                may = ask(scene, seen, distance, [own, at], may, surely);
            }
            // All eight at once, then as many as there are: no branch depends on the number.
            out.emit([own; LANES], pack(may, at), may.count_ones());
            at += LANES as u32;
        }
        let written = out.len();
        self.pairs.keep(written);
    }
}

/// Those of the candidates of a row that are near, and of whom, or of whose own circle, somebody asks.
#[cold]
#[inline(never)]
fn ask(scene: &Scene<'_>, seen: &[bool], distance: f32, [own, at]: [u32; 2], mut may: u32, surely: u32) -> u32 {
    let (mut near, circle) = (0, scene.circle(own));
    while may != 0 {
        let k = may.trailing_zeros();
        may &= may - 1;
        let is_seen = seen.is_empty() || seen[own as usize] || seen[(at + k) as usize];
        let is_near = || surely >> k & 1 == 1 || geometry::circles_within(circle, scene.circle(at + k), distance);
        near |= u32::from(is_seen && is_near()) << k;
    }
    near
}

/// The circles near a chunk of segments, as rows in cell order: `[circle, segment]`.
pub(super) struct NearSegments<'a, 'f> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'f>,
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) found: &'a mut Vec<[u32; 2]>,
    /// No more than so many are wanted.
    pub(super) limit: usize,
}

impl Operation for NearSegments<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        for row in self.rows.clone() {
            if self.found.len() > self.limit {
                return;
            }
            if self.scene.sees_segment(self.look, row) {
                self.segment::<K>(row);
            }
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
                may = self.ask(tests.row, at, may, surely);
            }
            while may != 0 {
                self.found.push([at + may.trailing_zeros(), tests.row]);
                may &= may - 1;
            }
            at += LANES as u32;
        }
    }

    /// Those of the candidates that are near.
    #[cold]
    #[inline(never)]
    fn ask(&self, row: u32, at: u32, may: u32, surely: u32) -> u32 {
        let (mut near, mut open, segment) = (may & surely, may & !surely, self.scene.segment(row));
        while open != 0 {
            let k = open.trailing_zeros();
            open &= open - 1;
            let is_near = geometry::circle_segment_within(self.scene.circle(at + k), segment, self.distance);
            near |= u32::from(is_near) << k;
        }
        near
    }
}

/// The two tests of one segment in one level.
#[derive(Clone, Copy)]
struct WallTests {
    row: u32,
    may: f32,
    surely: f32,
}

/// What a wall's reach is for circles that are surely near: see the head of the module. NaN, with which no comparison holds, for none.
fn surely(wall: &Wall, sum: f32, largest: f32) -> f32 {
    let (length, down) = (wall.dx.abs() + wall.dy.abs(), sum.next_down());
    let less = down - (32.0 * U * (length + largest + down) + 1e-21);
    if wall.inverse > 0.0 && less > 0.0 && sum < LARGE && largest < LARGE { less } else { f32::NAN }
}
