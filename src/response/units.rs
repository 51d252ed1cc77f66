//! How fine places are.
//!
//! Comes in: coordinates, the largest of a world, its walls. Goes out: units in the last place, by which centres are held off walls. This
//! room does not know who is held, or where.

use super::impulse::Pair;
use crate::broad_phase::extent;
use crate::exact::P;
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, dispatch};
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

/// An ulp of the largest coordinate of a world; none where that is coarse beside a wall of those that stand, of which these are the shortest, or of those that move:
/// something is very far out, and everybody would be held off every wall by it.
pub(super) fn ulp_of_all(most: f64, mut shortest: impl Iterator<Item = f32>, segments: &SegmentColumns) -> Option<f64> {
    let ulp = ulp(most);
    let is_coarse = shortest.any(|shortest| is_coarse(ulp, shortest))
        || dispatch(Backend::Wide, InstructionSet::best(), CoarseBesideMoving(ulp, segments));
    if is_coarse { None } else { Some(ulp) }
}

/// An ulp is coarse beside something that goes so far; zeros do not count.
#[inline(always)]
fn is_coarse(ulp: f64, extent: f32) -> bool {
    extent > 0.0 && ulp > f64::from(extent) * COARSE
}

/// Whether an ulp is coarse beside a wall that moves: all of them are asked at every step, eight at a time.
struct CoarseBesideMoving<'a>(f64, &'a SegmentColumns);

impl Operation for CoarseBesideMoving<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<K: Kernels>(self) -> bool {
        let CoarseBesideMoving(ulp, SegmentColumns { x0, y0, x1, y1, radius, moving_rows, .. }) = self;
        // The ends of nearly all are further apart than this: a power of two, so it is exact.
        let long = (ulp / COARSE) as f32;
        for rows in moving_rows.chunks(LANES) {
            let first = rows[0] as usize;
            let run = [&x0[first..], &y0[first..], &x1[first..], &y1[first..]].map(<[f32]>::first_chunk::<LANES>);
            if let [Some(x0), Some(y0), Some(x1), Some(y1)] = run
                && rows.last() == Some(&((first + LANES - 1) as u32))
            {
                let mut is_long = true;
                for k in 0..LANES {
                    is_long &= ((x1[k] - x0[k]).abs() > long) | ((y1[k] - y0[k]).abs() > long);
                }
                if is_long {
                    continue;
                }
            }
            for row in rows.iter().map(|&row| row as usize) {
                if is_coarse(ulp, extent([[x0[row], y0[row]], [x1[row], y1[row]]], radius[row])) {
                    return true;
                }
            }
        }
        false
    }
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
    use crate::broad_phase::Cells;
    use crate::geometry::{Capsules, Segment};
    use crate::storage::{SegmentBody, SegmentHandle};

    #[test]
    fn an_ulp_is_the_step_to_the_next_number() {
        for size in [0.0f32, 1e-45, 1.2e-38, 0.3, 1.0, 16_777_215.0, 6.4e6, 1e30, f32::MAX.next_down()] {
            assert_eq!(ulp(f64::from(size)), f64::from(size.next_up()) - f64::from(size), "{size}");
        }
    }

    #[test]
    fn the_world_has_one_unless_it_is_coarse_beside_the_shortest_wall() {
        // 2^23: an ulp is 1, and what is shorter than 1024 beside it is short. Walls of `length`, and one in `at` of `short`.
        let unit = |length: f32, (at, short): (u32, Segment), moves: fn(u32) -> bool| {
            let mut segments = SegmentColumns::default();
            for k in 0..21 {
                let wall = if k == at { short } else { Segment::new([0.0, k as f32], [length, k as f32]) };
                let body: SegmentBody = wall.into();
                let body = if moves(k) { body.with_velocity([1.0, 0.0]) } else { body };
                segments.push(body, SegmentHandle::new(k, 0));
            }
            let (mut cells, SegmentColumns { x0, y0, x1, y1, radius, .. }) = (Cells::default(), &segments);
            cells.build(Capsules { x0, y0, x1, y1, radius }, segments.fixed_rows());
            ulp_of_all(8_388_608.0, std::iter::once(cells.shortest()), &segments)
        };
        for moves in [|_| true, |_| false, |k| k > 2, |k| k % 5 != 3, |k| k == 20] as [fn(u32) -> bool; 5] {
            for at in 0..21 {
                let along = |x: f32| Segment::new([-3.0, 5.0], [x - 3.0, 5.0]);
                let up = |y: f32| Segment::new([2.0, y], [2.0, 0.0]);
                for (short, expected) in [
                    (along(1024.0), Some(1.0)),
                    (up(1024.0), Some(1.0)),
                    (along(1023.5), None),
                    (up(1023.5), None),
                    // The radius counts at both ends; points do not.
                    (up(1023.5).with_radius(0.25), Some(1.0)),
                    (up(0.0).with_radius(500.0), None),
                    (up(0.0), Some(1.0)),
                ] {
                    assert_eq!(unit(2000.0, (at, short), moves), expected, "{at} {short:?}");
                }
            }
        }
        assert_eq!(ulp_of_all(8_388_608.0, std::iter::empty(), &SegmentColumns::default()), Some(1.0));
        assert!(is_too_far(16_777_218.0, [1.0, -0.5]) && !is_too_far(16_777_216.0, [0.5, -1.0]));
    }
}
