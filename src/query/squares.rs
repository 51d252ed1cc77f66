//! Squares about a point, each twice as wide as the last, as far as they may matter to a level.
//!
//! Comes in: a point, the box around a level, the largest size in it, a limit that shrinks. Goes out: square after square. Which squares hold
//! what may matter is argued in [`super::around`]. This room does not know what levels hold.

use super::area::{Area, Bounds};

const ALLOWANCE: f64 = 1.0 / (1u64 << 40) as f64;

/// One level, as the squares see it.
#[derive(Clone, Copy)]
pub(super) struct Field {
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
        Field { around, c, off: if off > 0.0 { off } else { 0.0 }, size: f64::from(size) }
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
