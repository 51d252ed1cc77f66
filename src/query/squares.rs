//! Squares about a point, each twice as wide as the last, as far as they may matter to a level.
//!
//! Comes in: a point, the box around a level, the largest size in it, a limit that shrinks. Goes out: square after square, and the rows of one from the
//! middle on, and as far as the circle about the point reaches, where these are many regions. Which squares hold what may matter is argued in
//! [`super::around`]. This room does not know what levels hold.
//!
//! A position is in the row of regions of its height, but for a sixteenth of one by which that is rounded. So what is within L of the point in a row that is
//! d from it is within √(L² - d²) along the row, and there is nothing where L < d.

use super::area::{self, Area, Bounds, Reach};
use crate::broad_phase::CellMap;
use std::cmp::{max, min};
use std::iter;

const ALLOWANCE: f64 = 1.0 / (1u64 << 40) as f64;

/// One level, as the squares see it.
#[derive(Clone, Copy)]
pub(super) struct Field {
    p: [f64; 2],
    around: Bounds,
    /// The point of the level's box that is nearest.
    pub(super) c: [f64; 2],
    /// How far that is, or a little less.
    off: f64,
    /// The largest radius about a position.
    size: f64,
}

impl Field {
    #[inline(always)]
    pub(super) fn new(p: [f32; 2], around: Bounds, size: f32) -> Field {
        let p = p.map(f64::from);
        let cut = |v: f64, low: f64, high: f64| {
            if v < low {
                low
            } else if v > high {
                high
            } else {
                v
            }
        };
        let c = [cut(p[0], around[0], around[2]), cut(p[1], around[1], around[3])];
        let (dx, dy) = (p[0] - c[0], p[1] - c[1]);
        // The corners of a box of segments are rounded sums: by far less than the allowance of where they are.
        let slack = ALLOWANCE * (p[0].abs() + p[1].abs() + c[0].abs() + c[1].abs());
        let off = (dx * dx + dy * dy).sqrt() - slack;
        Field { p, around, c, off: if off > 0.0 { off } else { 0.0 }, size: f64::from(size) }
    }

    /// Positions further away do not matter. A distance that is rounded to the limit may be half a unit in the last place more.
    #[inline(always)]
    fn most(&self, limit: f32) -> f64 {
        (f64::from(limit.next_up()) + self.size) * (1.0 + ALLOWANCE)
    }

    /// Something in it may be within the limit.
    #[inline(always)]
    pub(super) fn matters(&self, limit: f32) -> bool {
        limit >= 0.0 && self.off <= self.most(limit)
    }

    /// What is in it is no nearer, but for what distances are rounded by.
    #[inline(always)]
    pub(super) fn apart(&self) -> f64 {
        if self.off > self.size { self.off - self.size } else { 0.0 }
    }

    /// Half the width of the square that holds all there may be; below zero where there is nothing.
    #[inline(always)]
    fn needed(&self, limit: f32) -> f64 {
        let most = self.most(limit);
        let square = (most - self.off) * (most + self.off);
        if limit < 0.0 || most < self.off {
            -1.0
        } else if square < f64::MAX {
            square.sqrt() * (1.0 + ALLOWANCE) + f64::MIN_POSITIVE
        } else {
            f64::MAX
        }
    }

    #[inline(always)]
    pub(super) fn square(&self, half: f64) -> Bounds {
        let slack = |v: f64| half + ALLOWANCE * (half + v.abs());
        let [x, y] = self.c;
        let low = |v: f64, least: f64| if v - slack(v) > least { v - slack(v) } else { least };
        let high = |v: f64, most: f64| if v + slack(v) < most { v + slack(v) } else { most };
        let [x0, y0, x1, y1] = self.around;
        [low(x, x0), low(y, y0), high(x, x1), high(y, y1)]
    }
}

/// So many regions are gone through from the middle on, and cut as the limit shrinks.
const MANY: u32 = 64;

/// See the head of the module.
const MARGIN: f64 = 1.0 / 16.0;

/// The rows of an area of regions: from that of the point on, one above, one below, and so on, if there are many.
pub(super) fn rows(area: Area, map: &CellMap, field: &Field) -> impl Iterator<Item = i32> {
    let [first, last] = area.rows;
    let middle = if area.count() < MANY { first } else { map.index(map.scale(field.c[1] as f32, 1), 1) };
    let (mut up, mut down) = (max(first, min(middle, last)), max(first, min(middle, last)) - 1);
    let mut is_up = true;
    iter::from_fn(move || {
        let goes_up = up <= last && (is_up || down < first);
        is_up = !goes_up;
        let row = if goes_up { &mut up } else { &mut down };
        let next = *row;
        *row += if goes_up { 1 } else { -1 };
        (next >= first).then_some(next)
    })
}

impl Field {
    /// The columns of a row of many regions in which something may be within the limit; none: below zero.
    #[inline(always)]
    pub(super) fn columns(&self, area: Area, map: &CellMap, row: i32, limit: f32) -> [i32; 2] {
        if area.count() < MANY { area.columns } else { self.cut(map, row, limit) }
    }

    #[inline(never)]
    fn cut(&self, map: &CellMap, row: i32, limit: f32) -> [i32; 2] {
        let ([x, y], most) = (self.p, self.most(limit));
        let at = |row: f64| f64::from(map.origin()[1]) + row / f64::from(map.inverse());
        let [low, high] = [at(f64::from(row) - MARGIN), at(f64::from(row) + 1.0 + MARGIN)];
        let way = if y < low { low - y } else { y - high };
        let way = if way > 0.0 { way } else { 0.0 };
        let half = ((most - way) * (most + way)).sqrt() * (1.0 + ALLOWANCE) + ALLOWANCE * x.abs();
        // Regions are a box of cells: there always are some.
        match area::of_positions(map, [x - half, low, x + half, high]) {
            Reach::Cells(Area { columns, .. }) if way <= most => columns,
            _ => [0, -1],
        }
    }
}

/// Squares that double, and the cells of the last one.
pub(super) struct Rings {
    half: f64,
    done: f64,
    before: Option<Area>,
}

impl Rings {
    #[inline(always)]
    pub(super) fn new(half: f64) -> Rings {
        // A cell that is too wide to be a number is all there is.
        Rings { half: if half < 1e38 { half } else { f64::MAX }, done: -1.0, before: None }
    }

    /// The next square; none where the last one held all that may matter.
    #[inline(always)]
    pub(super) fn next(&mut self, field: &Field, limit: f32) -> Option<Bounds> {
        let needed = field.needed(limit);
        if self.done >= needed {
            return None;
        }
        let half = if self.half < needed { self.half } else { needed };
        let square = field.square(half);
        // A square that holds the whole level is the last.
        self.done = if square == field.around { f64::MAX } else { half };
        self.half = half * 2.0;
        Some(square)
    }

    /// The cells of this square from now on, and those of the one before.
    #[inline(always)]
    pub(super) fn replace(&mut self, area: Area) -> Option<Area> {
        self.before.replace(area)
    }
}

/// The columns of a row that are not in the smaller area.
#[inline(always)]
pub(super) fn apart_from(columns: [i32; 2], before: Option<Area>, row: i32) -> [[i32; 2]; 2] {
    match before {
        Some(before) if before.rows[0] <= row && row <= before.rows[1] => {
            [[columns[0], before.columns[0] - 1], [before.columns[1] + 1, columns[1]]]
        }
        _ => [columns, [0, -1]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_from_the_middle_on_and_each_once() {
        let map = CellMap::boxed([0.0; 2], 1.0, 40, 40);
        let rows_of = |y: f32, from_to: [i32; 2], columns| -> Vec<i32> {
            let field = Field::new([5.0, y], [0.0, 0.0, 40.0, 40.0], 0.0);
            rows(Area { rows: from_to, columns }, &map, &field).collect()
        };
        assert_eq!(rows_of(12.5, [10, 15], [0, 30]), [12, 11, 13, 10, 14, 15]);
        assert_eq!(rows_of(3.5, [10, 13], [0, 30]), [10, 11, 12, 13]);
        assert_eq!(rows_of(39.0, [10, 13], [0, 30]), [13, 12, 11, 10]);
        // Few, from the first on.
        assert_eq!(rows_of(12.5, [10, 15], [0, 8]), [10, 11, 12, 13, 14, 15]);
    }

    /// About (20.5, 20.5), as far as 5: at the height of 24.5 as far as 3, of 26.5 nothing. A sixteenth of a cell and more is allowed.
    #[test]
    fn columns_are_as_far_as_the_circle() {
        let map = CellMap::boxed([0.0; 2], 1.0, 40, 40);
        let field = Field::new([20.5, 20.5], [0.0, 0.0, 40.0, 40.0], 0.0);
        let columns = |row| field.columns(Area { rows: [0, 39], columns: [0, 39] }, &map, row, 5.0);
        assert_eq!(columns(20), [15, 25]);
        // From 24 - 1/16 on, 3.4375 away: 3.63 to each side. From 25 - 1/16 on 4.4375 away: 2.3. From 26 - 1/16 on more than 5.
        assert_eq!((columns(24), columns(25), columns(26)), ([16, 24], [18, 22], [0, -1]));
        assert_eq!((columns(16), columns(15), columns(14)), ([16, 24], [18, 22], [0, -1]));
    }
}
