//! The cells that a segment goes through, as intervals of keys.
//!
//! Comes in: a map, a segment with its radius. Goes out: intervals, unless there are too many. This room does not know what is kept under keys.

use super::cell_map::CellMap;
use super::walk::walk;
use crate::geometry::Capsules;

/// A segment with more rows of cells than this is in none.
const MOST_ROWS: u32 = 4096;

/// An interval of cells and a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) row: u32,
}

/// The intervals of one segment; false if it cannot be registered, or if there is no room.
pub(super) fn register(
    intervals: &mut Vec<Interval>,
    map: &CellMap,
    segments: Capsules<'_>,
    row: u32,
    room: &mut usize,
) -> bool {
    let radius = segments.radius[row as usize];
    let mut cells = 0;
    let walked = walk(map, segments.ends(row as usize), radius, radius, MOST_ROWS, |cy, first, last| {
        let key = map.key_of(first, cy);
        let end = key + (last - first) as u32 + 1;
        cells += (end - key) as usize;
        if end <= map.cells() {
            intervals.push(Interval { first: key, last: end, row });
        } else {
            intervals.push(Interval { first: key, last: map.cells(), row });
            intervals.push(Interval { first: 0, last: end - map.cells(), row });
        }
    });
    let fits = walked && cells <= *room;
    *room -= if fits { cells } else { 0 };
    fits
}
