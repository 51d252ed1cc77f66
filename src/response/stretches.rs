//! The cells of one level about a way, stretch by stretch.
//!
//! Comes in: a way, cells of walls or of what flies. Goes out: runs of entries, some of which come several times. This room does not know what they are.

use super::impulse::Pair;
use crate::broad_phase::{CellLevel, Cells, walk_folded};
use std::ops::Range;

/// With more rows of cells than this in a stretch all entries are looked at.
const MOST_ROWS: u32 = 1024;

/// The cells of one level about a way, stretch by stretch. `scan` takes runs of entries, with where on the way they were looked
/// for, and returns the fraction that matters.
#[inline(always)]
pub(super) fn stretches(
    (cells, level): (&Cells, &CellLevel),
    (from, motion, reach): (Pair, Pair, f64),
    [mut begin, end, each]: [f64; 3],
    scan: &mut impl FnMut(Range<u32>, [f64; 2]) -> f64,
) {
    // Rounded up; where that is beyond all, so is the walk.
    let around = (reach * (1.0 + 1e-6)) as f32;
    let place = |t: f64| [from[0] + motion[0] * t, from[1] + motion[1] * t];
    let mut stop = scan(0..0, [begin; 2]);
    loop {
        // Not a number where nothing moves: to the end.
        let next = begin + each;
        let until = if next < end { next } else { end };
        let mut runs = |row: i32, first: i32, last: i32| {
            for run in cells.interval(level, row, first, last) {
                if run.start < run.end {
                    stop = scan(run, [begin, until]);
                }
            }
        };
        if !walk_folded(&level.map, [place(begin), place(until)], around, around, MOST_ROWS, &mut runs) {
            scan(level.entries.clone(), [begin, end]);
            return;
        }
        if !(until < end && until <= stop) || until == begin {
            return;
        }
        begin = until;
    }
}

/// The piece of the way that may lie within `reach` of a level's box.
pub(super) fn clip(from: Pair, motion: Pair, level: &CellLevel, reach: f64) -> Option<(f64, f64)> {
    let (mut begin, mut end) = (0.0, 1.0);
    for axis in 0..2 {
        let (p, d) = (from[axis], motion[axis]);
        // Far more than the few operations here lose.
        let grow = reach * 1.001 + (p.abs() + d.abs() + level.low[axis].abs() + level.high[axis].abs()) * 1e-12;
        let (low, high) = (level.low[axis] - grow, level.high[axis] + grow);
        if d == 0.0 {
            if p < low || p > high {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - p) / d, (high - p) / d);
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        begin = if a > begin { a } else { begin };
        end = if b < end { b } else { end };
    }
    if begin <= end { Some((begin, end)) } else { None }
}
