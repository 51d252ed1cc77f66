//! Which circles are near each other, and which segments are near circles.
//!
//! Comes in: a scene, a filter, a distance, a range of circles (rows in cell order) or of segments. Goes out: for each of the circles those that
//! are at most so far from it; for each of
//! the segments those near it. This room does not know lists of records.
//!
//! Each pair of circles is found from both sides: a second look costs less than telling the other side, whose list stands elsewhere. Circles
//! that lie together look together ([`super::window`]); where too many are about, each looks alone, row of cells by row of cells.
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

use super::area::{self, Along, Area, Reach, Strip};
use super::near::{Found, Near};
use super::window::{Eight, Window};
use super::{Look, Scene};
use crate::broad_phase::Occupancy;
use crate::geometry::{self, Circle, Circles, Vec2};
use crate::kernels::packing::Packing;
use crate::kernels::{Kernels, LANES, Operation, Outlined, Probe, U, Wall};
use std::marker::PhantomData;
use std::ops::Range;

/// Segments in a chunk.
pub(super) const SEGMENTS: usize = 64;
/// Circles that look together.
const TOGETHER: u32 = 4;
/// Squares of what is longer may overflow.
const LARGE: f32 = 1e18;

/// Who is near each circle of a strip, list by list, in the caller's order.
pub(super) struct NearCircles<'a> {
    pub(super) scene: &'a Scene<'a>,
    /// Its circles, columns of one length.
    pub(super) circles: Circles<'a>,
    /// By what they are called, whether circles are seen; empty: all are.
    pub(super) seen: &'a [bool],
    /// Circles are called by their rows.
    pub(super) in_order: bool,
    pub(super) distance: f32,
    pub(super) rows: Range<u32>,
    pub(super) lists: &'a mut Near,
    /// No more than so many are wanted.
    pub(super) limit: usize,
    /// By level, where anybody is; empty where that is not asked.
    pub(super) occupancy: &'a [Occupancy],
}

/// A circle that looks at a window, where it is itself; those that may be near, and those that surely are.
#[derive(Clone, Copy)]
struct Asker<'a> {
    window: &'a Window,
    own: u32,
    place: u32,
    tests: [Probe; 2],
}

/// Asks about all that may be near.
struct Ask<'s, 'a, K>(&'s NearCircles<'a>, Asker<'s>, &'s mut Found, PhantomData<K>);

impl<K: Kernels> Outlined for Ask<'_, '_, K> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.look::<K, true>(self.1, self.2);
    }
}

impl Operation for NearCircles<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        let (levels, mut window, mut found) =
            (self.scene.grid.levels(), Window::EMPTY, [const { Found::EMPTY }; TOGETHER as usize]);
        let largest = levels.iter().fold(0.0, |most, level| if level.size > most { level.size } else { most });
        for level in levels {
            let (first, end) = (level.rows.start, level.rows.end);
            let first = if first > self.rows.start { first } else { self.rows.start };
            let end = if end < self.rows.end { end } else { self.rows.end };
            let mut row = first;
            while row < end {
                let mut to = if end - row < TOGETHER { end } else { row + TOGETHER };
                if self.lists.len() > self.limit {
                    return;
                }
                let places = window.fetch::<K>(self.scene, self.around(row..to), row).unwrap_or(0..0);
                if places.start < places.end {
                    let count = if to - row < places.len() as u32 { to - row } else { places.len() as u32 };
                    to = row + count;
                    self.together::<K>(&window, &mut found, row..to, places.start, largest);
                } else {
                    for own in row..to {
                        for level in 0..levels.len() {
                            self.level::<K>(level, own);
                        }
                        self.lists.end_in_order(self.scene.grid.order());
                        if self.lists.len() > self.limit {
                            return;
                        }
                    }
                }
                row = to;
            }
        }
    }
}

impl NearCircles<'_> {
    /// The box that holds all that may be near some circles but for the radii of those.
    #[inline(always)]
    fn around(&self, rows: Range<u32>) -> [f64; 4] {
        let (first, rows) = (self.scene.circle(rows.start), rows.start + 1..rows.end);
        let (mut low, mut high, mut radius) =
            ([first.center.x, first.center.y], [first.center.x, first.center.y], first.radius);
        for row in rows {
            let circle = self.scene.circle(row);
            for (axis, at) in [circle.center.x, circle.center.y].into_iter().enumerate() {
                low[axis] = if at < low[axis] { at } else { low[axis] };
                high[axis] = if at > high[axis] { at } else { high[axis] };
            }
            radius = if circle.radius > radius { circle.radius } else { radius };
        }
        let far = (f64::from(radius) + f64::from(self.distance)) * (1.0 + 1.0 / (1u64 << 40) as f64);
        let ([x0, y0], [x1, y1]) = (low.map(f64::from), high.map(f64::from));
        [x0 - far, y0 - far, x1 + far, y1 + far]
    }

    /// One after the other: lists are sorted once all have been found.
    #[inline(always)]
    fn together<K: Kernels>(
        &mut self,
        window: &Window,
        found: &mut [Found],
        own: Range<u32>,
        place: u32,
        largest: f32,
    ) {
        for (k, found) in (0..own.end - own.start).zip(&mut *found) {
            let circle = self.scene.circle(own.start + k);
            let tests = self.tests(circle, largest);
            let asker = Asker { window, own: own.start + k, place: place + k, tests };
            if self.look::<K, false>(asker, found) | u32::from(!self.seen.is_empty()) != 0 {
                K::outline(Ask(self, asker, found, PhantomData::<K>));
            }
        }
        for (_, found) in own.zip(found) {
            self.lists.list::<K>(found, self.in_order && window.ascends());
        }
    }

    #[inline(always)]
    fn look<K: Kernels, const ASK: bool>(&self, asker: Asker<'_>, found: &mut Found) -> u32 {
        let Asker { window, own, place, tests: [may, surely] } = asker;
        let (mut doubt, mut left, itself) = (0, place, 1 << (place % LANES as u32));
        found.clear();
        for Eight { circles, names } in window.eights() {
            let mut near = K::circle_mask(circles, may, 0, LANES as u32);
            let sure = K::circle_mask(circles, surely, 0, LANES as u32);
            near &= !(if left < LANES as u32 { itself } else { 0 });
            left = left.wrapping_sub(LANES as u32);
            if ASK {
                near = self.ask(own, circles, names, [near, sure]);
            } else {
                doubt |= near & !sure;
            }
            let [names] = K::front(near, [bytemuck::cast(*names)]);
            found.put(bytemuck::cast(names), near.count_ones());
        }
        doubt
    }

    /// One alone, in a level.
    #[inline(always)]
    fn level<K: Kernels>(&mut self, index: usize, row: u32) {
        let (grid, circle) = (self.scene.grid, self.scene.circle(row));
        let (level, center) = (&grid.levels()[index], [circle.center.x, circle.center.y]);
        let reach = (circle.radius + self.distance).next_up() + level.size;
        if self.occupancy.get(index).is_some_and(|level| level.is_empty_about([center; 2], reach.next_up())) {
            return;
        }
        let [x, y, r] = [circle.center.x, circle.center.y, circle.radius].map(f64::from);
        // More than the rounding of the sum takes, which may be more than is left when it is subtracted.
        let far = (r + f64::from(self.distance)) * (1.0 + 1.0 / (1u64 << 40) as f64);
        let reach = area::of_circles(level, [x - far, y - far, x + far, y + far]);
        if reach == Reach::Nothing {
            return;
        }
        let tests = self.tests(circle, level.size);
        let Reach::Cells(Area { rows, columns }) = reach else {
            self.run_of::<K>(row, tests, level.rows.clone());
            return;
        };
        for cells in rows[0]..=rows[1] {
            for run in grid.interval(level, cells, columns[0], columns[1]) {
                self.run_of::<K>(row, tests, run);
            }
        }
    }

    /// Which of the circles, none above `largest`, may be near this one, and which surely are.
    #[inline(always)]
    fn tests(&self, circle: Circle, largest: f32) -> [Probe; 2] {
        let sum = circle.radius + self.distance;
        probes(circle.center, [sum.next_down(), sum.next_up()], largest)
    }

    #[inline(always)]
    fn run_of<K: Kernels>(&mut self, own: u32, [may, surely]: [Probe; 2], run: Range<u32>) {
        let (circles, mut at) = (self.circles, run.start);
        while at < run.end {
            let itself = if own.wrapping_sub(at) < LANES as u32 { 1 << (own - at) } else { 0 };
            let mut near = K::circle_mask(circles, may, at, run.end - at) & !itself;
            let sure = K::circle_mask(circles, surely, at, run.end - at);
            if near & !sure | u32::from(!self.seen.is_empty()) != 0 {
                near = self.ask_rows(own, at, [near, sure]);
            }
            // All eight at once, then as many as there are: no branch depends on the number.
            self.lists.emit(K::Packing::pack(near, at), near.count_ones());
            at += LANES as u32;
        }
    }

    /// Those of eight candidates that are near and seen.
    fn ask(&self, own: u32, from: Circles<'_>, names: &[u32], [mut may, surely]: [u32; 2]) -> u32 {
        let (mut near, circle) = (0, self.scene.circle(own));
        while may != 0 {
            let k = may.trailing_zeros();
            may &= may - 1;
            let (k, sure) = (k as usize, surely >> k & 1 == 1);
            let other = Circle { center: Vec2 { x: from.x[k], y: from.y[k] }, radius: from.radius[k] };
            let is_near = || sure || geometry::circles_within(circle, other, self.distance);
            near |= u32::from((self.seen.is_empty() || self.seen[names[k] as usize]) && is_near()) << k;
        }
        near
    }

    #[cold]
    #[inline(never)]
    fn ask_rows(&self, own: u32, at: u32, [may, surely]: [u32; 2]) -> u32 {
        let (at, Circles { x, y, radius }) = (at as usize, self.circles);
        let circles = Circles { x: &x[at..], y: &y[at..], radius: &radius[at..] };
        self.ask(own, circles, &self.scene.grid.order()[at..], [may, surely])
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

/// Some segments.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// From one on, so many.
    Run(u32, usize),
    These(&'a [u32]),
}

impl Rows<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        match *self {
            Rows::Run(_, count) => count,
            Rows::These(rows) => rows.len(),
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> u32 {
        match *self {
            Rows::Run(first, _) => first + place as u32,
            Rows::These(rows) => rows[place],
        }
    }
}

/// The circles near each of a chunk of segments, as rows in cell order.
pub(super) struct NearSegments<'a, 'f> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'f>,
    pub(super) distance: f32,
    pub(super) rows: Rows<'a>,
    pub(super) lists: &'a mut Near,
    /// No more than so many are wanted.
    pub(super) limit: usize,
    /// By level, where anybody is; empty where that is not asked.
    pub(super) occupancy: &'a [Occupancy],
}

impl Operation for NearSegments<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(mut self) {
        let mut strip = Strip::new([[0.0; 2]; 2], 0.0);
        for place in 0..self.rows.len() {
            if self.lists.len() > self.limit {
                return;
            }
            let row = self.rows.get(place);
            if self.scene.sees_segment(self.look, row) {
                self.segment::<K>(row, &mut strip);
            }
            self.lists.end();
        }
    }
}

impl NearSegments<'_, '_> {
    #[inline(always)]
    fn segment<K: Kernels>(&mut self, row: u32, strip: &mut Strip) {
        let (segment, grid) = (self.scene.segment(row), self.scene.grid);
        let ends = [segment.start.into(), segment.end.into()];
        let sum = segment.radius + self.distance;
        let wall = Wall::new(ends[0], ends[1], sum.next_up());
        for (index, level) in grid.levels().iter().enumerate() {
            let reach = (sum.next_up() + level.size).next_up();
            if self.occupancy.get(index).is_some_and(|level| level.is_empty_about(ends, reach)) {
                continue;
            }
            let tests = WallTests { row, may: wall.reach(level.size), surely: surely(&wall, sum, level.size) };
            strip.about(ends, reach);
            match strip.circles(level) {
                Along::Rows => {}
                Along::Nothing => continue,
                Along::Wound | Along::All => {
                    self.run_of::<K>(&wall, tests, level.rows.clone());
                    continue;
                }
            }
            loop {
                for &[cells, first, last] in strip.rows() {
                    for run in grid.interval(level, cells, first, last) {
                        self.run_of::<K>(&wall, tests, run);
                    }
                }
                if !strip.next(&level.map) {
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
