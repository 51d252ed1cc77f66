//! Which cells a segment can matter to.
//!
//! Comes in: a map, a segment, how far before and behind its points a position may lie. Goes out: for each row of cells
//! one interval of columns, so that a long segment costs the cells it crosses, never its box. This room does not know
//! what the positions are.

use super::cell_map::{CellMap, LINEAR};
use super::floor::floor;
use std::cmp::{max, min};
use std::ops::Range;

/// In cells: the index of a position is off by at most 2^-6; as much again for this room's own arithmetic.
const MARGIN: f64 = 1.0 / 32.0;
/// Flatter than this (in cells) a segment takes its whole width in every row; so a slope never exceeds 2^17 · 2 · 2^4,
/// and the rounding of `(y - ay) · slope`, at most 2^-36 · 2^22, stays far inside the margin.
const FLAT: f64 = 1.0 / 16.0;

/// Calls `emit(row, first column, last column)` for cells that hold every position `p` for which some point `q` of the
/// segment has `q - before <= p <= q + after` on both axes; each row once, rows ascending.
///
/// False: the segment is too long for the torus, or too far out. What was emitted is then to be dropped, and the
/// segment has to be looked at in another way.
#[inline]
pub(crate) fn walk(
    map: &CellMap,
    ends: [[f32; 2]; 2],
    before: f32,
    after: f32,
    most_rows: u32,
    emit: impl FnMut(i32, i32, i32),
) -> bool {
    rows_of(map, ends.map(|p| p.map(f64::from)), before, after, most_rows, false, emit)
}

/// [`walk`] for segments that are too long for the torus: emitted cells may share keys, so a position found under a key
/// counts only if its own cell is the emitted one. Intervals are no longer than the torus has cells.
pub(crate) fn walk_folded(
    map: &CellMap,
    ends: [[f64; 2]; 2],
    before: f32,
    after: f32,
    most_rows: u32,
    emit: impl FnMut(i32, i32, i32),
) -> bool {
    rows_of(map, ends, before, after, most_rows, true, emit)
}

/// Some of the rows of a [`walk`] that has succeeded, by their places in it.
#[inline]
pub(crate) fn walk_some(
    map: &CellMap,
    ends: [[f32; 2]; 2],
    reach: f32,
    places: Range<i32>,
    mut emit: impl FnMut(i32, i32, i32),
) {
    let Some(slant) = Slant::of(map, ends.map(|p| p.map(f64::from)), reach, reach) else { return };
    for row in slant.first + places.start..=min(slant.first + places.end - 1, slant.last) {
        let [first, last] = slant.columns(row);
        emit(row, first, last);
    }
}

#[inline(always)]
fn rows_of(
    map: &CellMap,
    ends: [[f64; 2]; 2],
    before: f32,
    after: f32,
    most_rows: u32,
    folded: bool,
    mut emit: impl FnMut(i32, i32, i32),
) -> bool {
    let Some(slant) = Slant::of(map, ends, before, after) else { return false };
    let rows = (slant.last - slant.first) as u32 + 1;
    let fits = !map.is_torus() || u64::from(rows + 1) * u64::from(map.stride()) <= u64::from(map.cells());
    if rows > most_rows || !(fits || folded) {
        return false;
    }
    let most_columns = if folded { map.cells() } else { map.stride() - 1 };
    let mut keys: Option<[i64; 2]> = None;
    for row in slant.first..=slant.last {
        let [column0, column1] = slant.columns(row);
        if map.is_torus() && (column1 - column0) as u32 + 1 > most_columns {
            return false;
        }
        if map.is_torus() && !folded {
            // A slanted segment moves sideways from row to row: no key comes twice only if, before they are folded, each
            // row begins behind the end of the row before it, and all of them lie within one turn.
            let first = i64::from(row) * i64::from(map.stride()) + i64::from(column0);
            let end = first + i64::from(column1 - column0) + 1;
            let [start, last] = keys.unwrap_or([first; 2]);
            if first < last || end - start > i64::from(map.cells()) {
                return false;
            }
            keys = Some([start, end]);
        }
        emit(row, column0, column1);
    }
    true
}

/// A segment in cells.
struct Slant {
    a: [f64; 2],
    slope: f64,
    /// Left and right end, bottom and top.
    sides: [[f64; 2]; 2],
    before: f64,
    after: f64,
    /// The rows of its cells, where columns end, and the rows at the rim of a boxed map.
    first: i32,
    last: i32,
    columns: [i32; 2],
    rim: [i32; 2],
}

impl Slant {
    /// None where it is too far out.
    #[inline(always)]
    fn of(map: &CellMap, [a, b]: [[f64; 2]; 2], before: f32, after: f32) -> Option<Slant> {
        let scale = |p: [f64; 2], axis: usize| (p[axis] - f64::from(map.origin()[axis])) * f64::from(map.inverse());
        let length = |v: f32| f64::from(v) * f64::from(map.inverse()) + MARGIN;
        let (before, after) = (length(before), length(after));
        let ([ax, ay], [bx, by]) = ([scale(a, 0), scale(a, 1)], [scale(b, 0), scale(b, 1)]);
        let (left, right) = if ax < bx { (ax, bx) } else { (bx, ax) };
        let (bottom, top) = if ay < by { (ay, by) } else { (by, ay) };
        // Further out even a boxed map cannot be walked: the rounding of `ax + (y - ay) · slope` grows with `ax`.
        let limit = f64::from(LINEAR) - 2.0;
        if left - before < -limit || right + after > limit || bottom - before < -limit || top + after > limit {
            return None;
        }
        // Into the box of a boxed map; all are within the linear range.
        let (high_x, high_y) = map.last();
        let [columns, rows] = [high_x, high_y].map(|high| if high < 0 { [i32::MIN, i32::MAX] } else { [0, high] });
        let (first, last) = (within(bottom - before, rows), within(top + after, rows));
        let (slope, sides) = ((bx - ax) / (by - ay), [[left, right], [bottom, top]]);
        let rim = if map.is_torus() { [i32::MIN; 2] } else { rows };
        Some(Slant { a: [ax, ay], slope, sides, before, after, first, last, columns, rim })
    }

    /// The first and the last column of its cells in a row.
    #[inline(always)]
    fn columns(&self, row: i32) -> [i32; 2] {
        let Slant { a: [ax, ay], slope, sides: [[left, right], [bottom, top]], before, after, .. } = *self;
        // The rim rows of a boxed map hold all that is beyond them too.
        let y0 = if row == self.rim[0] { f64::MIN } else { f64::from(row) - after };
        let y1 = if row == self.rim[1] { f64::MAX } else { f64::from(row + 1) + before };
        let (mut x0, mut x1) = (left, right);
        if top - bottom > FLAT {
            let at = |y: f64| ax + (y - ay) * slope;
            let (from, to) = (at(if y0 > bottom { y0 } else { bottom }), at(if y1 < top { y1 } else { top }));
            let (from, to) = if from < to { (from, to) } else { (to, from) };
            (x0, x1) = (if from > x0 { from } else { x0 }, if to < x1 { to } else { x1 });
        }
        [within(x0 - before, self.columns), within(x1 + after, self.columns)]
    }
}

#[inline(always)]
fn within(v: f64, [low, high]: [i32; 2]) -> i32 {
    max(low, min(floor(v), high))
}

#[cfg(test)]
mod tests {
    use super::super::drawn::range;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_of_a_torus_comes_twice_however_the_segment_slants() {
        let mut g = 29;
        let map = CellMap::torus([0.0, 0.0], 1.0, 1 << 10);
        let mut walked = 0;
        for _ in 0..4000 {
            let p = |g: &mut u64, far: f64| [range(g, -far, far) as f32, range(g, -12.0, 12.0) as f32];
            let far = range(&mut g, 1.0, 600.0);
            let (a, b) = (p(&mut g, far), p(&mut g, far));
            let mut keys = Vec::new();
            let ok =
                walk(&map, [a, b], 0.5, 0.5, 100, |cy, c0, c1| keys.extend((c0..=c1).map(|cx| map.key_of(cx, cy))));
            let count = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert!(!ok || keys.len() == count, "{a:?} {b:?}");
            walked += usize::from(ok);
        }
        assert!((500..3900).contains(&walked), "{walked}");
    }

    #[test]
    fn some_of_the_rows_are_those_of_all() {
        let (mut g, mut some) = (31, 0);
        for map in [CellMap::boxed([-20.0, -20.0], 0.9, 45, 45), CellMap::torus([0.0, 0.0], 0.1, 1 << 20)] {
            for case in 0..2000 {
                let mut p = || [0; 2].map(|_| range(&mut g, -30.0, 30.0) as f32);
                let (a, mut b) = (p(), p());
                b[case % 2] = if case % 5 == 0 { a[case % 2] } else { b[case % 2] };
                let (mut all, reach) = (vec![], range(&mut g, 0.0, 2.0) as f32);
                if !walk(&map, [a, b], reach, reach, 1000, |row, first, last| all.push([row, first, last])) {
                    continue;
                }
                for start in (0..all.len() + 7).step_by(7) {
                    let (mut found, places) = (vec![], start as i32..start as i32 + 7);
                    walk_some(&map, [a, b], reach, places, |row, first, last| found.push([row, first, last]));
                    assert_eq!(found, all[all.len().min(start)..all.len().min(start + 7)], "{a:?} {b:?}");
                    some += found.len();
                }
            }
        }
        assert!(some > 100_000, "{some}");
    }

    #[test]
    fn every_position_near_the_segment_is_in_an_emitted_cell() {
        let mut g = 11;
        let mut walked = 0;
        for map in [
            CellMap::boxed([-20.0, -20.0], 0.9, 45, 45),
            CellMap::torus([0.0, 0.0], 0.9, 1 << 14),
            CellMap::torus([6.4e6, 6.4e6], 0.9, 1 << 14),
        ] {
            let middle = if map.origin()[0] > 1e6 { 6.4e6 } else { 0.0 };
            for case in 0..3000 {
                let reach = range(&mut g, 0.0, 2.0) as f32;
                let p =
                    |g: &mut u64| [(middle + range(g, -30.0, 30.0)) as f32, (middle + range(g, -30.0, 30.0)) as f32];
                let (a, mut b) = (p(&mut g), p(&mut g));
                match case % 4 {
                    0 => b[1] = a[1],
                    1 => b[0] = a[0],
                    2 => b[1] = a[1] + 1e-3,
                    _ => {}
                }
                let (before, after) = if case % 2 == 0 { (reach, reach) } else { (reach, 0.0) };
                let mut cells = HashSet::new();
                let ok = walk(&map, [a, b], before, after, 10_000, |cy, c0, c1| {
                    for cx in c0..=c1 {
                        assert!(cells.insert((cx, cy)), "a cell twice");
                    }
                });
                assert!(ok || map.is_torus());
                walked += usize::from(ok);
                for _ in 0..if ok { 40 } else { 0 } {
                    let t = range(&mut g, 0.0, 1.0);
                    let on = |axis: usize| f64::from(a[axis]) + t * (f64::from(b[axis]) - f64::from(a[axis]));
                    let q =
                        |axis: usize, g: &mut u64| (on(axis) + range(g, -f64::from(before), f64::from(after))) as f32;
                    let (x, y) = (q(0, &mut g), q(1, &mut g));
                    let off = |axis: usize, v: f32| {
                        let d = f64::from(v) - on(axis);
                        d < -f64::from(before) || d > f64::from(after)
                    };
                    if off(0, x) || off(1, y) {
                        continue; // rounding to f32 carried it away
                    }
                    if !map.is_torus() && (x.abs() > 20.0 || y.abs() > 20.0) {
                        continue; // nothing is binned outside its box
                    }
                    let cell = (map.index(map.scale(x, 0), 0), map.index(map.scale(y, 1), 1));
                    assert!(cells.contains(&cell), "{a:?} {b:?} {x} {y} {cell:?}");
                }
            }
        }
        assert!(walked > 6000);
    }
}
