//! How fine places are.
//!
//! Comes in: coordinates, the largest of a world, its walls. Goes out: units in the last place, by which centres are held off walls. This
//! room does not know who is held, or where.

use super::impulse::Pair;
use crate::broad_phase::{Cells, extent};
use crate::exact::P;
use crate::geometry::Capsules;
use crate::storage::SegmentColumns;

/// An ulp of the largest coordinate may be this share of the shortest wall.
const COARSE: f64 = 1.0 / 1024.0;
/// Of a wall whose ends are so many times further from 0 than a place `f64` does not know to within a fraction of an ulp where it is there.
const FAR: f64 = (1 << 24) as f64;

/// The distance from a number to the next larger `f32`: of its size, rounded down to a power of two, 2^-23; not below 2^-149.
#[inline(always)]
pub(super) fn ulp(size: f64) -> f64 {
    let power = f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000);
    let ulp = power / 8_388_608.0;
    let least = f64::from(f32::from_bits(1));
    if ulp > least { ulp } else { least }
}

/// An ulp of the largest coordinate of a world; none where that is coarse beside a wall of those that stand, in these cells, or of those that move:
/// something is very far out, and everybody would be held off every wall by it.
pub(super) fn ulp_of_all(most: f64, still: &[&Cells], segments: &SegmentColumns) -> Option<f64> {
    let SegmentColumns { x0, y0, x1, y1, radius, moving_rows, .. } = segments;
    let (capsules, ulp) = (Capsules { x0, y0, x1, y1, radius }, ulp(most));
    // Nearly all of them: a power of two, so this is exact.
    let long = (ulp / COARSE) as f32;
    let is_long = |row: usize| (x1[row] - x0[row]).abs() > long || (y1[row] - y0[row]).abs() > long;
    let moving = moving_rows.iter().map(|&row| row as usize).filter(|&row| !is_long(row));
    let moving = moving.map(|row| extent(capsules.ends(row), radius[row]));
    fine_enough(ulp, still.iter().map(|cells| cells.shortest()).chain(moving))
}

/// An ulp, unless it is coarse beside one of these extents; zeros do not count.
fn fine_enough(ulp: f64, mut extents: impl Iterator<Item = f32>) -> Option<f64> {
    let is_coarse = |extent: f32| extent > 0.0 && ulp > f64::from(extent) * COARSE;
    if extents.any(is_coarse) { None } else { Some(ulp) }
}

/// An end at `furthest` from 0 is too far from a place for `f64`.
pub(super) fn is_too_far(furthest: f32, at: Pair) -> bool {
    f64::from(furthest) > FAR * size(at)
}

/// The larger, of numbers.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A point in `f64`.
#[inline]
pub(super) fn wide(p: P) -> Pair {
    p.map(f64::from)
}

/// The coordinate furthest from 0.
#[inline(always)]
pub(super) fn size(p: Pair) -> f64 {
    larger(p[0].abs(), p[1].abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ulp_is_the_step_to_the_next_number() {
        for size in [0.0f32, 1e-45, 1.2e-38, 0.3, 1.0, 16_777_215.0, 6.4e6, 1e30, f32::MAX.next_down()] {
            assert_eq!(ulp(f64::from(size)), f64::from(size.next_up()) - f64::from(size), "{size}");
        }
    }

    #[test]
    fn the_world_has_one_unless_it_is_coarse_beside_the_shortest_wall() {
        assert_eq!(fine_enough(1.0, [2000.0, 0.0, 1024.0].into_iter()), Some(1.0));
        assert_eq!(fine_enough(1.0, [2000.0, 1023.9].into_iter()), None);
        assert_eq!(fine_enough(1e30, [].into_iter()), Some(1e30));
        assert!(is_too_far(16_777_218.0, [1.0, -0.5]) && !is_too_far(16_777_216.0, [0.5, -1.0]));
    }
}
