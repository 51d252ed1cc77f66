//! The one door: where a centre comes to that is to go straight from here to there.
//!
//! Comes in: the solid walls, a point and where it is to go. Goes out: where it may go, by legs none of which meets a wall that acts at its
//! start. This room does not know why it is to go.
//!
//! Method: a disc as large as a hair flies and, where it meets a wall, slides on along it, a few times. What lets nothing leak is that each
//! leg, as it is rounded, is tested exactly, and that staying is always allowed; what lets it move is the hair: without it, what is pressed
//! against a wall by rounding could neither go on nor back. The hair is one size for the whole world, so that neighbours agree
//! which gaps are closed: those below two hairs; but where one wall is so far out that this would be coarse ([`super::units`]), it is that of where
//! one is.

use super::close::Search;
use super::impulse::{Pair, dot};
use super::trail::Trail;
use super::walls::{Near, Shape, Walls, is_free, wide};
use crate::exact::P;
use crate::storage::Filter;

/// How often it slides.
const LEGS: usize = 3;
/// How far it stays off what it meets, and how far it is lifted, in ulp.
const BACK: f64 = 0.5;

/// What a search has found, kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) near: Vec<Near>,
    /// All that holds whom was asked for within a distance of a place is in `near`.
    pub(super) cover: Option<(Pair, f64)>,
    pub(super) search: Search,
    pub(super) over: Vec<u32>,
}

/// Rounded to what columns hold.
pub(super) fn rounded(p: Pair) -> P {
    [p[0] as f32, p[1] as f32]
}

/// Of a way, what is left so far before its end.
pub(super) fn short_of(from: P, motion: Pair, fraction: f64, back: f64) -> P {
    let length = dot(motion, motion).sqrt();
    let fraction = if length > 0.0 { fraction - back / length } else { 0.0 };
    if fraction > 0.0 {
        let at = wide(from);
        rounded([at[0] + motion[0] * fraction, at[1] + motion[1] * fraction])
    } else {
        from
    }
}

/// See the head of the module.
pub(super) fn pass(
    walls: &Walls<'_>,
    (row, filter): (u32, Filter),
    from: P,
    to: P,
    scratch: &mut Scratch,
    trail: &mut Trail,
) -> P {
    let own = walls.of(row);
    let (mut at, mut goal, walls) = (from, wide(to), own.as_ref().unwrap_or(walls));
    for leg in 0..LEGS {
        let motion = [goal[0] - f64::from(at[0]), goal[1] - f64::from(at[1])];
        let hit = walls.first((at, motion), Shape::Point, filter, scratch);
        let unit = walls.unit_at(wide(at), goal);
        let next = match hit {
            None if leg == 0 => to,
            None => rounded(goal),
            Some(hit) => short_of(at, motion, hit.impact.fraction, BACK * unit),
        };
        let finite = next[0].is_finite() && next[1].is_finite();
        if !finite || !is_free(&scratch.near, at, next) {
            break;
        }
        if next != at {
            trail.leg(row, at, next);
        }
        at = next;
        let Some(hit) = hit else { break };
        // What is left, without its part into the wall, and a little off it.
        let (n, now) = (hit.impact.normal, wide(at));
        let left = [goal[0] - now[0], goal[1] - now[1]];
        let into = dot(left, n);
        let off = if into > 0.0 { into } else { 0.0 } + BACK * unit;
        goal = [now[0] + left[0] - n[0] * off, now[1] + left[1] - n[1] * off];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::units::ulp;
    use super::super::walls::Place;
    use super::*;
    use crate::broad_phase::Cells;
    use crate::geometry::{Capsules, Segment};
    use crate::storage::{SegmentColumns, SegmentHandle};

    /// Where what stands at (0, 1) over a floor comes to on its way to (2, -1), with another wall at this distance.
    fn over_a_floor(far: f32) -> P {
        let mut segments = SegmentColumns::default();
        for (k, wall) in [([-5.0, 0.0], [5.0, 0.0]), ([far, 0.0], [far, 5.0])].into_iter().enumerate() {
            segments.push(Segment::new(wall.0, wall.1).into(), SegmentHandle::new(k as u32, 0));
        }
        let SegmentColumns { x0, y0, x1, y1, radius, .. } = &segments;
        let mut cells = Cells::default();
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..2);
        let (sets, mut scratch, mut trail) = ([&cells], Scratch::default(), Trail::default());
        let walls = Walls::new(Place::of(&sets, &segments), &[]);
        pass(&walls, (0, Filter::DEFAULT), [0.0, 1.0], [2.0, -1.0], &mut scratch, &mut trail)
    }

    #[test]
    fn one_slides_a_hair_off_the_floor_whoever_else_is_far_out() {
        // Four ulp of the largest coordinate and, after a slide or two, one or two more; of where one is, where that is coarse.
        for (far, size) in [(8.0, 8.0), (1000.0, 1000.0), (1e9, 2.0), (1e30, 2.0)] {
            let ([x, y], unit) = (over_a_floor(far), ulp(size));
            assert!((f64::from(x) - 2.0).abs() < 4.0 * unit, "{far}: {x}");
            assert!((3.9 * unit..8.0 * unit).contains(&f64::from(y)), "{far}: {y:e}, {unit:e}");
        }
    }
}
