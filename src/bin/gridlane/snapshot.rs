//! A world at one moment, in the rows of the input.
//!
//! Comes in: a world after a step or a detection. Goes out: columns and contacts whose rows are those of the input,
//! whatever order the world keeps; contacts sorted by `a`, then `b`. Does not know files or pictures.

use crate::input::Input;
use crate::readers::{CircleColumns, SegmentColumns};
use gridlane::{Circle, CircleCircleContact, CircleSegmentContact, SegmentSegmentContact, Vec2, World};

/// Bodies and contacts in input rows.
#[derive(Default)]
pub(crate) struct Snapshot {
    /// Circles; velocities and masses are always there.
    pub(crate) circles: CircleColumns,
    /// Segments.
    pub(crate) segments: SegmentColumns,
    /// Touching circles, `a < b`.
    pub(crate) circle_circle: Vec<CircleCircleContact>,
    /// Circles that touch segments.
    pub(crate) circle_segment: Vec<CircleSegmentContact>,
    /// Touching segments, `a < b`.
    pub(crate) segment_segment: Vec<SegmentSegmentContact>,
}

impl Snapshot {
    /// The world as it is.
    pub(crate) fn of(world: &World, input: &Input) -> Snapshot {
        let rows = Rows {
            circles: world.circles().handles().iter().map(|handle| handle.index()).collect(),
            segments: world.segments().handles().iter().map(|handle| handle.index()).collect(),
        };
        let view = world.circles();
        let of_circles = |column: &[f32]| in_order(&rows.circles, column);
        // Masses never change; those of the input have not been through a reciprocal.
        let mass = &input.circles.mass;
        let circles = CircleColumns {
            x: of_circles(view.x()),
            y: of_circles(view.y()),
            radius: of_circles(view.radius()),
            velocity_x: of_circles(view.velocity_x()),
            velocity_y: of_circles(view.velocity_y()),
            mass: if mass.is_empty() { vec![1.0; view.len()] } else { mass.clone() },
        };
        let view = world.segments();
        let of_segments = |column: &[f32]| in_order(&rows.segments, column);
        let columns = [view.velocity_x0(), view.velocity_y0(), view.velocity_x1(), view.velocity_y1()];
        let segments = SegmentColumns {
            x0: of_segments(view.x0()),
            y0: of_segments(view.y0()),
            x1: of_segments(view.x1()),
            y1: of_segments(view.y1()),
            velocity: columns.map(of_segments),
        };
        let contacts = world.contacts();
        Snapshot {
            circle_circle: rows.circle_circle(contacts.circle_circle(), &circles),
            circle_segment: rows.circle_segment(contacts.circle_segment()),
            segment_segment: rows.segment_segment(contacts.segment_segment()),
            circles,
            segments,
        }
    }
}

/// For each row of the world, the row of the input.
struct Rows {
    circles: Vec<u32>,
    segments: Vec<u32>,
}

impl Rows {
    fn circle_circle(&self, contacts: &[CircleCircleContact], circles: &CircleColumns) -> Vec<CircleCircleContact> {
        let mut found: Vec<_> = contacts
            .iter()
            .map(|contact| {
                let (a, b) = (self.circles[contact.a as usize], self.circles[contact.b as usize]);
                if a <= b {
                    return CircleCircleContact { a, b, ..*contact };
                }
                let circle = |row: u32| {
                    let row = row as usize;
                    Circle::new([circles.x[row], circles.y[row]], circles.radius[row])
                };
                let Vec2 { x, y } = contact.normal;
                let seen = (contact.point, Vec2::new(opposite(x), opposite(y)));
                let (point, normal) = of_coincident(circle(b), circle(a), seen.0, seen.1).unwrap_or(seen);
                CircleCircleContact { a: b, b: a, normal, point, ..*contact }
            })
            .collect();
        found.sort_unstable_by_key(|contact| (contact.a, contact.b));
        found
    }

    fn circle_segment(&self, contacts: &[CircleSegmentContact]) -> Vec<CircleSegmentContact> {
        let of = |contact: &CircleSegmentContact| CircleSegmentContact {
            a: self.circles[contact.a as usize],
            b: self.segments[contact.b as usize],
            ..*contact
        };
        let mut found: Vec<_> = contacts.iter().map(of).collect();
        found.sort_unstable_by_key(|contact| (contact.a, contact.b));
        found
    }

    /// Rows of segments stay put while none is removed, so `a < b` holds as it stands.
    fn segment_segment(&self, contacts: &[SegmentSegmentContact]) -> Vec<SegmentSegmentContact> {
        let of = |contact: &SegmentSegmentContact| SegmentSegmentContact {
            a: self.segments[contact.a as usize],
            b: self.segments[contact.b as usize],
            ..*contact
        };
        let mut found: Vec<_> = contacts.iter().map(of).collect();
        found.sort_unstable_by_key(|contact| (contact.a, contact.b));
        found
    }
}

/// The point and the normal of a contact that is told from the other side than the world tells it, where there are no sides: centres that
/// coincide have the normal (0, 1) from either. None where there are sides.
///
/// The circles are those of the state. Where a step has pushed apart what was coincident, they lie as it pushed them, and so does the normal.
pub(crate) fn of_coincident(a: Circle, b: Circle, point: Vec2, normal: Vec2) -> Option<(Vec2, Vec2)> {
    if a.center != b.center || normal != Vec2::new(0.0, -1.0) {
        return None;
    }
    // Midway between the outlines is half the difference of the radii above the centre, from the other side as far below.
    let up = f64::from(a.radius) - f64::from(b.radius);
    Some((Vec2::new(point.x, (f64::from(point.y) + up) as f32), Vec2::new(0.0, 1.0)))
}

/// The negative, without a negative zero.
pub(crate) fn opposite(value: f32) -> f32 {
    if value == 0.0 { 0.0 } else { -value }
}

fn in_order(rows: &[u32], column: &[f32]) -> Vec<f32> {
    let mut ordered = vec![0.0; column.len()];
    for (&row, &value) in rows.iter().zip(column) {
        ordered[row as usize] = value;
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_told_in_input_rows() {
        let rows = Rows { circles: vec![2, 0, 1], segments: vec![1, 0] };
        let contact = |a, b, y, separation| CircleCircleContact {
            a,
            b,
            point: Vec2::ZERO,
            normal: Vec2::new(0.0, y),
            separation,
        };
        // Input rows 0 and 2 coincide, 1 is above 2.
        let circles =
            CircleColumns { x: vec![0.0; 3], y: vec![0.0, 1.5, 0.0], radius: vec![1.0; 3], ..CircleColumns::default() };
        // World rows (0, 1) are inputs (2, 0): coincident. World rows (0, 2) are inputs (2, 1): from 2 up to 1.
        let found = [contact(0, 2, 1.0, -0.5), contact(0, 1, 1.0, -2.0)];
        let expected = [contact(0, 2, 1.0, -2.0), contact(1, 2, -1.0, -0.5)];
        assert_eq!(rows.circle_circle(&found, &circles), expected);
        // Nearer to each other than the radii can tell, 2 above 0: no side is lost.
        let close = CircleColumns { y: vec![0.0, 1.5, 1e-9], ..circles.clone() };
        let expected = [contact(0, 2, -1.0, -2.0), expected[1]];
        assert_eq!(rows.circle_circle(&found, &close), expected);
        // Their centres meet only after the contact was found, beside each other.
        let beside = CircleCircleContact { normal: Vec2::new(1.0, 0.0), ..found[1] };
        let expected = CircleCircleContact { a: 0, b: 2, normal: Vec2::new(-1.0, 0.0), ..beside };
        assert_eq!(rows.circle_circle(&[beside], &circles), [expected]);
        // Of radii 3 and a quarter, the larger first, the point is 1.375 above their centre; from the other side as far below.
        let circles = CircleColumns { radius: vec![0.25, 1.0, 3.0], ..circles };
        let found = CircleCircleContact { point: Vec2::new(4.0, 8.375), ..contact(0, 1, 1.0, -3.25) };
        let expected = CircleCircleContact { point: Vec2::new(4.0, 5.625), a: 0, b: 2, ..found };
        assert_eq!(rows.circle_circle(&[found], &circles), [expected]);
        let found = CircleSegmentContact { a: 0, b: 0, ..CircleSegmentContact::default() };
        assert_eq!(rows.circle_segment(&[found]), [CircleSegmentContact { a: 2, b: 1, ..found }]);
        assert_eq!(in_order(&rows.circles, &[5.0, 6.0, 7.0]), [6.0, 7.0, 5.0]);
    }
}
