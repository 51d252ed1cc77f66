//! Which circles are near each other, and which segments are near circles.
//!
//! Comes in: a scene, a filter, a distance, a chunk of circles (rows in cell order) or of segments. Goes out: for each circle the rows of the
//! circles that are at most so far from it; pairs of a circle and a segment, by segment. This room does not know lists of records.
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
use super::lists::Part;
use super::{Look, Scene};
use crate::broad_phase::Level;
use crate::geometry::{self, Circle};
use crate::kernels::{Kernels, LANES, Operation, Probe, U, Wall, pack};
use std::ops::Range;

/// Rows that are named at once.
pub(super) const FEW: usize = 64;
/// Segments in a chunk.
pub(super) const SEGMENTS: usize = 64;
/// Squares of what is longer may overflow.
const LARGE: f32 = 1e18;

/// The circles near a chunk of circles: as names, with the row in cell order in the lower half, sorted.
pub(super) struct NearCircles<'a, 'f> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'f>,
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) part: &'a mut Part<u64>,
    /// No more than so many are wanted.
    pub(super) limit: usize,
    /// Rows that wait for their names.
    pub(super) few: [u32; FEW],
    pub(super) few_len: usize,
}

/// The two tests of one circle in one level.
#[derive(Clone, Copy)]
struct Tests {
    own: u32,
    circle: Circle,
    may: Probe,
    surely: Probe,
}

impl Operation for NearCircles<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        for row in self.rows.clone() {
            let from = self.part.items.len();
            if self.look.circles() && from <= self.limit {
                for level in self.scene.grid.levels() {
                    self.level::<K>(level, row);
                }
                self.name();
                sort(&mut self.part.items[from..]);
            }
            self.part.ends.push(self.part.items.len());
        }
    }
}

impl NearCircles<'_, '_> {
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
        let (up, down) = ((circle.radius + self.distance).next_up(), (circle.radius + self.distance).next_down());
        let largest = if up > level.size { up } else { level.size };
        let (grow, x, y) = (Probe::grow(largest), circle.center.x, circle.center.y);
        let less = down - grow;
        let tests = Tests {
            own: row,
            circle,
            may: Probe { x, y, reach: up + grow },
            // No comparison with NaN holds.
            surely: Probe { x, y, reach: if less > 0.0 && largest < LARGE { less } else { f32::NAN } },
        };
        let Reach::Cells(Area { rows, columns }) = reach else {
            self.run_of::<K>(&tests, level.rows.clone());
            return;
        };
        for cells in rows[0]..=rows[1] {
            let [mut run, mut rest] = grid.interval(level, cells, columns[0], columns[1]);
            loop {
                self.run_of::<K>(&tests, run);
                // Nearly always; where a torus closes, once more.
                if rest.start >= rest.end {
                    break;
                }
                run = std::mem::replace(&mut rest, 0..0);
            }
        }
    }

    #[inline(always)]
    fn run_of<K: Kernels>(&mut self, tests: &Tests, run: Range<u32>) {
        let (circles, all) = (self.scene.circles().even(), self.look.all_circles());
        let mut at = run.start;
        while at < run.end {
            let mut may = K::circle_mask(circles, tests.may, at, run.end - at);
            let surely = K::circle_mask(circles, tests.surely, at, run.end - at);
            let own = tests.own.wrapping_sub(at);
            may &= !(u32::from(own < LANES as u32) << (own & 31));
            if may & !surely != 0 || !all {
                may = self.ask(tests, at, may, surely);
            }
            // All eight at once, then as many as there are: no branch depends on the number.
            if self.few_len + LANES > FEW {
                self.name();
            }
            self.few[self.few_len..self.few_len + LANES].copy_from_slice(&pack(may, at));
            self.few_len += may.count_ones() as usize;
            at += LANES as u32;
        }
    }

    /// Names of the rows that wait for theirs.
    #[inline(always)]
    fn name(&mut self) {
        let order = self.scene.grid.order();
        let named = |&row: &u32| u64::from(order[row as usize]) << 32 | u64::from(row);
        self.part.items.extend(self.few[..self.few_len].iter().map(named));
        self.few_len = 0;
    }

    /// Those of the candidates that are seen and near.
    #[cold]
    #[inline(never)]
    fn ask(&self, tests: &Tests, at: u32, mut may: u32, surely: u32) -> u32 {
        let mut near = 0;
        while may != 0 {
            let k = may.trailing_zeros();
            may &= may - 1;
            let is_near = || {
                surely >> k & 1 == 1 || geometry::circles_within(tests.circle, self.scene.circle(at + k), self.distance)
            };
            if self.scene.sees_circle(self.look, self.scene.name(at + k)) && is_near() {
                near |= 1 << k;
            }
        }
        near
    }
}

/// A few, all different, by how many are less than each: without a branch that depends on them.
#[inline(always)]
fn sort(names: &mut [u64]) {
    const FEW: usize = 16;
    if names.is_sorted() {
        return;
    }
    if names.len() > FEW {
        names.sort_unstable();
        return;
    }
    let mut all = [u64::MAX; FEW];
    all[..names.len()].copy_from_slice(names);
    for k in 0..names.len() {
        let mut less = 0;
        for &other in &all {
            less += usize::from(other < all[k]);
        }
        names[less] = all[k];
    }
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
