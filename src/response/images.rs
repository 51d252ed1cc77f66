//! Walls as they are seen across the border of a plane that repeats.
//!
//! Comes in: walls, a leg, a place. Goes out: the same walls moved by whole periods; whether one of them is in the way; the place brought back.
//! Images are rounded to `f32` once, always from the wall itself, so everybody sees the same ones. This room does not know who flies.
//!
//! *Why nothing leaks there.* A leg is held against walls and images as they are seen from where it starts. Its end is then brought back, which
//! rounds it: so it is asked whether it is still on the same side of each wall near by, which is seen from elsewhere now, rounded otherwise.
//! If it is not (a matter of an ulp), the circle stays where it was, which is always allowed.

use super::integrate::Flight;
use super::leg::Spine;
use super::walls::{Walls, wide};
use crate::exact::P;
use crate::geometry::Periods;
use crate::storage::{BLOCK, CircleColumns, Filter, SegmentColumns, is_set};

/// No wall is seen from farther than so many periods: a wall is within one of the stretch, a leg as well.
const MOST: i32 = 3;

/// The wall of a row.
#[inline]
pub(super) fn spine(segments: &SegmentColumns, row: usize) -> Spine {
    Spine {
        start: [segments.x0[row], segments.y0[row]],
        end: [segments.x1[row], segments.y1[row]],
        one_sided: segments.one_sided[row],
    }
}

/// It, so many periods away.
pub(super) fn moved(spine: &Spine, periods: &Periods, count: [i32; 2]) -> Spine {
    let point = |p: P| {
        [0, 1].map(|k| {
            if count[k] == 0 { p[k] } else { (f64::from(p[k]) + f64::from(count[k]) * periods.length(k)) as f32 }
        })
    };
    Spine { start: point(spine.start), end: point(spine.end), ..*spine }
}

/// By how many periods a wall can be moved to come near to an interval of one axis.
pub(super) fn counts(periods: &Periods, axis: usize, spine: &Spine, [low, high]: [f64; 2]) -> [i32; 2] {
    let length = periods.length(axis);
    if length == 0.0 {
        return [0, 0];
    }
    let (a, b) = (f64::from(spine.start[axis]), f64::from(spine.end[axis]));
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    // Half a period of room for the rounding of images.
    let within = |count: i32| {
        if count > MOST {
            MOST
        } else if count < -MOST {
            -MOST
        } else {
            count
        }
    };
    let count = |periods: f64| within(periods as i32);
    [count(((low - b) / length - 0.5).ceil()), count(((high - a) / length + 0.5).floor())]
}

/// All of them, but for none.
pub(super) fn each([x, y]: [[i32; 2]; 2], mut call: impl FnMut([i32; 2])) {
    for k in x[0]..=x[1] {
        for l in y[0]..=y[1] {
            if [k, l] != [0, 0] {
                call([k, l]);
            }
        }
    }
}

/// An image of the wall blocks the leg.
pub(super) fn image_blocks(spine: &Spine, periods: &Periods, from: P, to: P) -> bool {
    let is_inside = |axis: usize| {
        let ([low, high], [a, b]) = (periods.stretch(axis), [spine.start[axis], spine.end[axis]]);
        let is = |x: f32| low < x && x < high;
        periods.length(axis) == 0.0
            || (is(a) && is(b) && periods.keeps(axis, from[axis]) && periods.keeps(axis, to[axis]))
    };
    if is_inside(0) && is_inside(1) {
        return false;
    }
    let of = |axis: usize| {
        let (p, q) = (f64::from(from[axis]), f64::from(to[axis]));
        counts(periods, axis, spine, if p < q { [p, q] } else { [q, p] })
    };
    let mut blocks = false;
    each([of(0), of(1)], |count| blocks = blocks || moved(spine, periods, count).blocks(from, to));
    blocks
}

/// The wall, moved by so many periods, acts at this place.
pub(crate) fn image_acts(segments: &SegmentColumns, row: u32, (periods, count): (&Periods, [i8; 2]), place: P) -> bool {
    moved(&spine(segments, row as usize), periods, count.map(i32::from)).acts(place)
}

/// A way that is no longer than a period along each axis that repeats.
pub(super) fn shortened(periods: &Periods, from: P, to: P) -> P {
    let mut part = 1.0;
    for axis in 0..2 {
        let (way, length) = ((f64::from(to[axis]) - f64::from(from[axis])).abs(), periods.length(axis));
        if length > 0.0 && way * part > length {
            part = length / way;
        }
    }
    if part == 1.0 {
        return to;
    }
    [0, 1].map(|k| (f64::from(from[k]) + (f64::from(to[k]) - f64::from(from[k])) * part) as f32)
}

/// The same of all flights, but for those of sensors.
pub(crate) fn shorten(periods: &Periods, now: &CircleColumns, flight: &mut Flight) {
    let (sensors, half) = (now.labels.sensors(), periods.nearly_half());
    let far = |from: &[f32], to: &[f32], half: f32| {
        from.iter().zip(to).fold(false, |any, (from, to)| any | ((to - from).abs() >= half))
    };
    let to = flight.x.chunks_mut(BLOCK).zip(flight.y.chunks_mut(BLOCK));
    for (block, ((x, y), (to_x, to_y))) in now.x.chunks(BLOCK).zip(now.y.chunks(BLOCK)).zip(to).enumerate() {
        if !(far(x, to_x, half[0]) | far(y, to_y, half[1])) {
            continue;
        }
        let to = to_x.iter_mut().zip(to_y);
        for (row, ((&x, &y), (to_x, to_y))) in (block * BLOCK..).zip(x.iter().zip(y).zip(to)) {
            if periods.is_carried([x, y], [*to_x, *to_y]) && !is_set(sensors, row) {
                [*to_x, *to_y] = shortened(periods, [x, y], [*to_x, *to_y]);
            }
        }
    }
}

impl Walls<'_> {
    /// A place brought back into the stretch; nothing if it would be on another side of a wall there than it is here.
    pub(super) fn bring_back(&self, periods: &Periods, filter: Filter, at: P) -> Option<P> {
        let back = [periods.wrap(0, at[0]), periods.wrap(1, at[1])];
        let by = |from: P, to: P| {
            [0, 1].map(|k| {
                let length = periods.length(k);
                // To the nearest whole number: differences are whole periods but for their rounding.
                if length > 0.0 { ((f64::from(to[k]) - f64::from(from[k])) / length + 0.5).floor() as i32 } else { 0 }
            })
        };
        let here = by(back, at);
        if here == [0, 0] {
            return Some(back);
        }
        let mut same = true;
        self.around(back, self.unit_at(wide(at), wide(back)), |row, seen| {
            if same && self.holds(row, filter) {
                let wall = spine(self.segments(), row as usize);
                let there = by(wall.start, seen.start);
                let seen_here =
                    moved(&wall, periods, [there[0].saturating_add(here[0]), there[1].saturating_add(here[1])]);
                same = seen_here.side(at) == seen.side(back);
            }
        });
        same.then_some(back)
    }

    /// Walls that do not move within two ulp of a place, and others.
    fn around(&self, place: P, unit: f64, mut visit: impl FnMut(u32, &Spine)) {
        let reach = 2.0 * unit;
        self.along_cells(wide(place), reach, |near| {
            if !super::walls::is_beside(&near.spine, wide(place), wide(place), reach) {
                visit(near.row, &near.spine);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods() -> Periods {
        Periods::new([Some([0.0, 10.0]), None])
    }

    #[test]
    fn a_leg_over_the_border_meets_the_walls_on_the_other_side() {
        let wall = Spine { start: [1.0, 0.0], end: [1.0, 2.0], one_sided: false };
        let blocks = |from: P, to: P| image_blocks(&wall, &periods(), from, to);
        // Seen at 11 and at -9; the wall itself, at 1, is not asked.
        assert!(blocks([9.0, 1.0], [11.5, 1.0]) && blocks([9.0, 1.0], [11.0, 1.0]) && blocks([0.5, 1.0], [-9.5, 1.0]));
        assert!(
            !blocks([9.0, 1.0], [10.5, 1.0]) && !blocks([0.5, 1.0], [1.5, 1.0]) && !blocks([9.0, 3.0], [11.5, 3.0])
        );
        // One that stands beyond the border is met within: at 2.
        let beyond = Spine { start: [12.0, 0.0], end: [12.0, 2.0], one_sided: false };
        assert!(image_blocks(&beyond, &periods(), [1.5, 1.0], [2.5, 1.0]));
        // Along the other axis nothing repeats.
        let above = Spine { start: [4.0, 10.5], end: [6.0, 10.5], one_sided: false };
        assert!(!image_blocks(&above, &periods(), [5.0, 0.0], [5.0, 1.0]));
    }

    #[test]
    fn images_turn_no_side_round() {
        let wall = Spine { start: [12.0, 0.0], end: [12.0, 2.0], one_sided: true };
        // Upwards: the solid side is to the right.
        let blocks = |from: P, to: P| image_blocks(&wall, &periods(), from, to);
        assert!(blocks([2.5, 1.0], [1.5, 1.0]) && !blocks([1.5, 1.0], [2.5, 1.0]));
    }

    #[test]
    fn ways_end_a_period_on() {
        assert_eq!(shortened(&periods(), [2.0, 1.0], [12.0, 9.0]), [12.0, 9.0]);
        assert_eq!(shortened(&periods(), [2.0, 0.0], [22.0, 8.0]), [12.0, 4.0]);
        assert_eq!(shortened(&periods(), [2.0, 0.0], [-38.0, 0.0]), [-8.0, 0.0]);
        assert_eq!(shortened(&periods(), [2.0, 0.0], [2.0, 1e30]), [2.0, 1e30]);
    }

    #[test]
    fn who_would_be_rounded_through_a_wall_is_not_brought_back() {
        use crate::broad_phase::Cells;
        use crate::geometry::{Capsules, Segment};
        use crate::response::walls::Place;
        use crate::storage::SegmentHandle;
        let mut segments = SegmentColumns::default();
        // At 0.25 + 2^-24: seen from beyond the border it is at 10.25, where floats are 2^-20 apart.
        let x = 0.25 + f32::EPSILON / 2.0;
        segments.push(Segment::new([x, 0.0], [x, 2.0]).into(), SegmentHandle::new(0, 0));
        let mut cells = Cells::default();
        let SegmentColumns { x0, y0, x1, y1, radius, .. } = &segments;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..1);
        let sets = [&cells];
        let walls = Walls::new(Place::of(&sets, &segments), &[]);
        let back = |at: P| walls.bring_back(&periods(), Filter::DEFAULT, at);
        // On the image there, left of the wall here.
        assert_eq!(back([10.25, 1.0]), None);
        // Left of both; right of both; nowhere near; not beyond the border.
        assert_eq!(back([10.25 - 8.0 * f32::EPSILON, 1.0]), Some([0.25 - 8.0 * f32::EPSILON, 1.0]));
        assert_eq!(back([10.25 + 8.0 * f32::EPSILON, 1.0]), Some([0.25 + 8.0 * f32::EPSILON, 1.0]));
        assert_eq!(back([10.25, 3.0]), Some([0.25, 3.0]));
        assert_eq!(back([0.25, 1.0]), Some([0.25, 1.0]));
    }
}
