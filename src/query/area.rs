//! Which cells a box reaches into.
//!
//! Comes in: a map, a box in double precision. Goes out: rows and columns of cells, or that all of the level has to be looked at. This room
//! does not know what the cells hold.
//!
//! Margin: the cell of a position is computed in single precision and off by at most 2^-6 of a cell within the linear range of a map, that
//! of a box's side in double precision, whose error is far less; so cells within 1/32 of a cell from the box hold every position in it. Further
//! out on a torus the index of a position is a monotone function of its distance in cells, and there that is off by a few 2^-24 of itself: the
//! sides of the box are moved out by a quarter and 2^-17 of theirs, and counted by the same function.
//! Segments are registered with a margin of their own, so a point of one that lies in the box is in a cell of the box itself or in one
//! that is told of it too.

use crate::broad_phase::{
    CellLevel, CellMap, LINEAR, Level, MET, Part, floor, floor_to, walk, walk_part, walk_some, walk_wound,
};

/// For positions that are binned in single precision.
const MARGIN: f64 = 1.0 / 32.0;
/// Beyond so many cells from the origin the index is no longer linear; two less for margins.
const FAR: f64 = LINEAR as f64 - 2.0;
/// There a position is off by a few 2^-24 of its distance in cells; this share of it covers that, and what a box's side is rounded by.
const FAR_MARGIN: f64 = 1.0 / 131_072.0;

/// Rows and columns of cells, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) rows: [i32; 2],
    pub(super) columns: [i32; 2],
}

impl Area {
    /// How many cells these are.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        let across = |[first, last]: [i32; 2]| (last - first) as u32 + 1;
        across(self.rows).saturating_mul(across(self.columns))
    }
}

/// What has to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Nothing,
    Cells(Area),
    /// Too far out, or around the torus: all that there is.
    All,
}

/// A box: low x, low y, high x, high y.
pub(super) type Bounds = [f64; 4];

/// The indices of cells from one coordinate to another; of what is registered where indices are linear (without a margin) none beyond that.
#[inline(always)]
fn span(map: &CellMap, low: f64, high: f64, margin: f64, axis: usize) -> Option<[i32; 2]> {
    let (origin, inverse) = (f64::from(map.origin()[axis]), f64::from(map.inverse()));
    let (from, to) = ((low - origin) * inverse - margin, (high - origin) * inverse + margin);
    if map.is_torus() {
        if from >= -FAR && to <= FAR {
            return Some([floor(from), floor(to)]);
        }
        return (margin > 0.0).then(|| far_span(map, [from, to], axis));
    }
    // What is outside is at the rim, and a box so far out that it is no i32 too.
    let (columns, rows) = map.last();
    let last = f64::from(if axis == 0 { columns } else { rows });
    Some([floor_to(from, last), floor_to(to, last)])
}

/// The same from one distance in cells to another, on a torus, however far out.
#[cold]
#[inline(never)]
fn far_span(map: &CellMap, [from, to]: [f64; 2], axis: usize) -> [i32; 2] {
    let index = |v: f64| map.index(map.saturated(v as f32), axis);
    [index(from - 0.25 - from.abs() * FAR_MARGIN), index(to + 0.25 + to.abs() * FAR_MARGIN)]
}

/// `twice`: a key may be among several rows, if not most are.
#[inline(always)]
fn cells(map: &CellMap, bounds: Bounds, margin: f64, twice: bool) -> Reach {
    let (Some(columns), Some(rows)) =
        (span(map, bounds[0], bounds[2], margin, 0), span(map, bounds[1], bounds[3], margin, 1))
    else {
        return Reach::All;
    };
    if map.is_torus() {
        // Further around, a row of cells would meet itself or another one.
        let (wide, high) = ((columns[1] - columns[0]) as u64 + 1, (rows[1] - rows[0]) as u64 + 1);
        let (stride, keys) = (u64::from(map.stride()), u64::from(map.cells()));
        let is_once = wide < stride && (high + 1) * stride <= keys;
        if !is_once && (!twice || wide * high > keys / u64::from(MET)) {
            return Reach::All;
        }
    }
    Reach::Cells(Area { rows, columns })
}

/// Common to both boxes; none if they are apart.
#[inline(always)]
fn common(a: Bounds, b: Bounds) -> Option<Bounds> {
    let low = |k: usize| if a[k] > b[k] { a[k] } else { b[k] };
    let high = |k: usize| if a[k] < b[k] { a[k] } else { b[k] };
    let both = [low(0), low(1), high(2), high(3)];
    if both[0] <= both[2] && both[1] <= both[3] { Some(both) } else { None }
}

/// Where the centres are of all circles of a level that touch the box: within the largest radius of it.
#[inline(always)]
pub(super) fn of_circles(level: &Level, bounds: Bounds) -> Reach {
    // In double precision sums are off by 2^-53 of their terms at most: far less than the allowance.
    let size = f64::from(level.size);
    let grow = |v: f64| size + (v.abs() + size) * (1.0 / (1u64 << 40) as f64);
    let bounds = [
        bounds[0] - grow(bounds[0]),
        bounds[1] - grow(bounds[1]),
        bounds[2] + grow(bounds[2]),
        bounds[3] + grow(bounds[3]),
    ];
    match common(bounds, level.around()) {
        Some(bounds) => cells(&level.map, bounds, MARGIN, false),
        None => Reach::Nothing,
    }
}

/// Where positions in a box are binned.
#[inline(always)]
pub(super) fn of_positions(map: &CellMap, bounds: Bounds) -> Reach {
    cells(map, bounds, MARGIN, false)
}

/// The cells that know all segments of a level with a point in the box, some of them several times, as they know the segments.
#[inline(always)]
pub(super) fn of_segments(level: &CellLevel, bounds: Bounds) -> Reach {
    let around = [level.low[0], level.low[1], level.high[0], level.high[1]];
    match common(bounds, around) {
        Some(bounds) if level.entries.start < level.entries.end => cells(&level.map, bounds, 0.0, true),
        _ => Reach::Nothing,
    }
}

/// A segment with more rows of cells than this is held against all of a level.
const MOST_ROWS: u32 = 1 << 16;
/// Rows of cells in a strip.
const STRIP: usize = 48;

/// The cells along a segment, some rows of them at a time: whoever looks into them is inlined where its lanes are, and a walk that calls
/// back is not.
#[derive(Debug)]
pub(super) struct Strip {
    rows: [[i32; 3]; STRIP],
    /// Rows before this strip, and in all.
    from: usize,
    total: usize,
    part: Part,
    /// It is what is left of a segment that cannot be walked.
    is_left: bool,
    /// Its cells are not those of a box around it.
    is_walked: bool,
}

/// What of a level is along a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    Nothing,
    /// The cells of a strip, and those behind it.
    Rows,
    /// The same, but some may come several times.
    Wound,
    /// All that there is.
    All,
}

impl Strip {
    /// About a segment, as far as `reach` on both axes; no rows yet.
    #[inline(always)]
    pub(super) fn new(ends: [[f32; 2]; 2], reach: f32) -> Strip {
        Strip { rows: [[0; 3]; STRIP], from: 0, total: 0, part: Part { ends, reach }, is_left: false, is_walked: false }
    }

    /// About another segment; what has been kept of rows is written over.
    #[inline(always)]
    pub(super) fn about(&mut self, ends: [[f32; 2]; 2], reach: f32) {
        (self.from, self.total, self.part, self.is_left) = (0, 0, Part { ends, reach }, false);
    }

    /// The first rows, for the centres of circles of a level.
    #[inline(always)]
    pub(super) fn circles(&mut self, level: &Level) -> Along {
        self.first(&level.map, |Part { ends, reach }| level.part(ends, reach))
    }

    /// The first rows, for points of segments of a level.
    #[inline(always)]
    pub(super) fn segments(&mut self, level: &CellLevel) -> Along {
        self.first(&level.map, |Part { ends, reach }| Part::within([level.low, level.high], ends, reach))
    }

    #[inline(always)]
    fn first(&mut self, map: &CellMap, part: impl FnOnce(Part) -> Option<Part>) -> Along {
        if self.walk(map) { Along::Rows } else { self.left(map, part(self.part)) }
    }

    /// Along what is left, if anything, of a segment that cannot be walked.
    #[cold]
    #[inline(never)]
    fn left(&mut self, map: &CellMap, part: Option<Part>) -> Along {
        let Some(part) = part else { return Along::Nothing };
        (self.part, self.is_left) = (part, true);
        if self.walk(map) {
            Along::Rows
        } else if self.wind(map) {
            Along::Wound
        } else {
            Along::All
        }
    }

    /// The first rows of what is too long for a torus.
    fn wind(&mut self, map: &CellMap) -> bool {
        let (rows, mut at) = (&mut self.rows, 0);
        let most = map.cells() / MET;
        self.is_walked =
            walk_wound(map, self.part, if most < MOST_ROWS { most } else { MOST_ROWS }, |row, first, last| {
                if at < STRIP {
                    rows[at] = [row, first, last];
                }
                at += 1;
            });
        (self.from, self.total) = (0, at);
        self.is_walked
    }

    /// Row, first and last column.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[[i32; 3]] {
        let left = self.total - self.from;
        &self.rows[..if left < STRIP { left } else { STRIP }]
    }

    /// The rows behind these; false if there is none.
    #[inline(always)]
    pub(super) fn next(&mut self, map: &CellMap) -> bool {
        self.from += STRIP;
        self.from < self.total && self.go_on(map)
    }

    #[inline(never)]
    fn walk(&mut self, map: &CellMap) -> bool {
        let (rows, from, mut at) = (&mut self.rows, self.from, 0);
        let mut keep = |row, first, last| {
            if at >= from && at - from < STRIP {
                rows[at - from] = [row, first, last];
            }
            at += 1;
        };
        let Part { ends, reach } = self.part;
        let may = if self.is_left { reach < f32::MAX } else { reach.is_finite() };
        self.is_walked = from == 0 && may && walk(map, ends, reach, reach, MOST_ROWS, &mut keep);
        // Only what has not emitted anything is walked as a box.
        let walked = self.is_walked || self.is_left && walk_part(map, self.part, MOST_ROWS, keep);
        self.total = at;
        walked
    }

    #[inline(never)]
    fn go_on(&mut self, map: &CellMap) -> bool {
        if !self.is_walked {
            return self.walk(map);
        }
        let (rows, mut at) = (&mut self.rows, 0);
        let Part { ends, reach } = self.part;
        walk_some(map, ends, reach, self.from as i32..(self.from + STRIP) as i32, |row, first, last| {
            rows[at] = [row, first, last];
            at += 1;
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_outside_are_at_the_rim_and_far_out_is_everywhere() {
        let map = CellMap::boxed([0.0, 0.0], 1.0, 10, 4);
        let area = |bounds: Bounds| cells(&map, bounds, MARGIN, false);
        // Columns 2 and 3; 2.99 is within 1/32 of 3.
        assert_eq!(area([2.5, 1.5, 2.99, 1.5]), Reach::Cells(Area { rows: [1, 1], columns: [2, 3] }));
        assert_eq!(area([-1e300, -5.0, 1e300, 99.0]), Reach::Cells(Area { rows: [0, 3], columns: [0, 9] }));
        let torus = CellMap::torus([0.0, 0.0], 1.0, 1 << 12);
        let area = |bounds: Bounds| cells(&torus, bounds, 0.0, false);
        assert_eq!(area([-1.5, -0.5, 1.5, 0.5]), Reach::Cells(Area { rows: [-1, 0], columns: [-2, 1] }));
        // 2^12 cells in rows of 65: 62 rows and the next would be 63 * 65 <= 4096, 63 would not.
        assert_eq!(area([0.5, 0.5, 1.0, 61.5]), Reach::Cells(Area { rows: [0, 61], columns: [0, 1] }));
        assert_eq!(area([0.5, 0.5, 1.0, 62.5]), Reach::All);
        assert_eq!(area([0.5, 0.5, 65.0, 0.5]), Reach::All);
        // Unless keys may come twice and are no more than an eighth: 63 rows of 8, 2 rows of 256 columns, and one column more.
        let area = |bounds: Bounds| cells(&torus, bounds, 0.0, true);
        assert_eq!(area([0.5, 0.5, 7.0, 62.5]), Reach::Cells(Area { rows: [0, 62], columns: [0, 7] }));
        assert_eq!(area([0.5, 0.5, 255.5, 1.5]), Reach::Cells(Area { rows: [0, 1], columns: [0, 255] }));
        assert_eq!(area([0.5, 0.5, 256.5, 1.5]), Reach::All);
        // Far out nothing is registered, but positions have cells: of 2^17 to 2^18 as many as before, each with two more on either side here.
        assert_eq!(area([2e5, 0.5, 2e5, 0.5]), Reach::All);
        let far = cells(&torus, [2e5, 0.5, 2e5, 0.5], MARGIN, false);
        assert_eq!(far, Reach::Cells(Area { rows: [0, 0], columns: [199_998, 200_001] }));
    }

    /// Every position of a box, and such as are just in it, has its cell among those of the box, however far out.
    #[test]
    fn cells_of_a_box_hold_what_is_in_it() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut some, mut far) = (0, 0);
        for cell in [0.37, 1.0, 1e-30, 1e20] {
            let map = CellMap::torus([3.0 * cell, -cell], cell, 1 << 20);
            for _ in 0..20_000 {
                let away = |random: &mut dyn FnMut() -> f64| {
                    let sign = if random() < 0.5 { -1.0 } else { 1.0 };
                    (sign * 10f64.powf(random() * 9.0 - 1.0) * f64::from(cell)) as f32
                };
                let low = [away(&mut random), away(&mut random)];
                let size = 10f64.powf(random() * 3.0 - 1.0) * f64::from(cell);
                let high = low.map(|v| (f64::from(v) + size * random()) as f32);
                let [[x0, y0], [x1, y1]] = [low, high];
                let bounds = [x0, y0, x1, y1].map(f64::from);
                let Reach::Cells(Area { rows, columns }) = cells(&map, bounds, MARGIN, false) else { continue };
                some += 1;
                far += usize::from(columns[1] > 1 << 17 || rows[0] < -(1 << 17));
                let mut between = |a: f32, b: f32| {
                    let v = (f64::from(a) + (f64::from(b) - f64::from(a)) * random()) as f32;
                    if v < a {
                        a
                    } else if v > b {
                        b
                    } else {
                        v
                    }
                };
                for [x, y] in [low, high, [between(x0, x1), between(y0, y1)]] {
                    let (cx, cy) = (map.index(map.scale(x, 0), 0), map.index(map.scale(y, 1), 1));
                    let is_among = columns[0] <= cx && cx <= columns[1] && rows[0] <= cy && cy <= rows[1];
                    assert!(is_among, "{cell}: {x} {y} in {bounds:?}: {cx} {cy}, {columns:?} {rows:?}");
                }
            }
        }
        assert!(some > 60_000 && far > 10_000, "{some} {far}");
    }
}
