//! One level of segments under cells: which map, and the table.
//!
//! Comes in: a plan, where a level lies, the cells of each segment. Goes out: which levels are one, a map, and for each cell who is in it. This room does not know
//! segments.

use super::cell_map::{CellMap, LINEAR};
use super::intervals::Interval;
use super::limits::sampled_row;
use super::plan::{Level, Plan};

/// So many are asked whether they lie near a place.
const SAMPLE: usize = 64;
/// So many places are looked at.
const ORIGINS: usize = 16;

/// Cells as wide as the plan's, or up to five times as wide, in a box around all with no more of them than segments and some; else a torus, about the middle
/// of all or, where some lie too far from that, about one of those who lie near most. `at`: where the k-th of so many is.
pub(super) fn choose_map(
    level: &Level,
    [low, high]: [[f64; 2]; 2],
    (members, at): (usize, impl Fn(usize) -> [f64; 2]),
) -> CellMap {
    let (mut cell, count) = (level.map.cell(), level.rows.len() as f64);
    let origin = low.map(|v| if v > f64::from(f32::MIN) { (v as f32).next_down() } else { f32::MIN });
    // What is wider has no inverse that is exact enough.
    for _ in 0..if cell < 1e36 { 5 } else { usize::from(cell.is_finite()) } {
        let cells_to = |axis: usize| ((high[axis] - f64::from(origin[axis])) / f64::from(cell)).floor() + 2.0;
        let (columns, rows, most) = (cells_to(0), cells_to(1), f64::from(LINEAR) - 4.0);
        if columns <= most && rows <= most && columns * rows <= count + 64.0 {
            return CellMap::boxed(origin, cell, columns as u32, rows as u32);
        }
        cell *= 1.5;
    }
    if !cell.is_finite() {
        return level.map; // one cell for the whole range: everything is listed apart
    }
    let cells_of = |count: f64| if count < (1u32 << 26) as f64 { 2 * count as u32 } else { 1 << 27 };
    let (middle, far) = (level.map.origin(), f64::from(level.map.cell()) * f64::from(LINEAR) * 0.9);
    let is_near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() <= far && (a[1] - b[1]).abs() <= far;
    if is_near(middle.map(f64::from), low) && is_near(middle.map(f64::from), high) {
        return CellMap::torus(middle, level.map.cell(), cells_of(count));
    }
    let some = |count: usize| (0..if count < members { count } else { members }).map(|k| at(sampled_row(k, members)));
    let near = |place: [f64; 2]| some(SAMPLE).filter(|&other| is_near(place, other)).count();
    let mut best = (0, [0.0; 2]);
    for place in some(ORIGINS) {
        let count = near(place);
        if count > best.0 {
            best = (count, place);
        }
    }
    // For those who lie near; the others will have cells of their own.
    let share = best.0 as f64 / some(SAMPLE).count() as f64;
    CellMap::torus(best.1.map(|v| v as f32), level.map.cell(), cells_of(count * share + 64.0))
}

/// Counting sort of the intervals' cells: the table behind `starts`, the rows behind `rows`.
pub(super) fn place(intervals: &[Interval], cells: u32, starts: &mut Vec<u32>, rows: &mut Vec<u32>) {
    let (base, first) = (starts.len(), rows.len());
    // The counts stand two places further than their key; advancing the sums while placing then leaves the finished table.
    starts.resize(base + cells as usize + 2, 0);
    let table = &mut starts[base..];
    for interval in intervals {
        for count in &mut table[interval.first as usize + 2..interval.last as usize + 2] {
            *count += 1;
        }
    }
    let mut sum = first as u32;
    for start in table.iter_mut() {
        sum += *start;
        *start = sum;
    }
    rows.resize(sum as usize, 0);
    for interval in intervals {
        for place in &mut table[interval.first as usize + 1..interval.last as usize + 1] {
            rows[*place as usize] = interval.row;
            *place += 1;
        }
    }
}

/// How many levels after the first may lie in its cells, with four more entries a segment of all: a level costs a ray more.
pub(super) fn mergeable(plan: &Plan, size: &[f32]) -> usize {
    let Some(first) = plan.levels().first() else { return 0 };
    let (inverse, mut merged, mut cells) = (f64::from(first.map.inverse()), 0, 0.0);
    for k in 1..plan.levels().len() {
        let of_level = plan.level().iter().zip(size).filter(|&(&l, _)| usize::from(l) == k);
        cells += of_level.map(|(_, &size)| 2.0 * f64::from(size) * inverse + 4.0).sum::<f64>();
        if cells > 4.0 * size.len() as f64 {
            break;
        }
        merged = k;
    }
    merged
}
