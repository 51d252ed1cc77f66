//! A world at one moment, in the rows of the input.
//!
//! Comes in: a world after a step or a detection. Goes out: columns and contacts whose rows are those of the input,
//! whatever order the world keeps; contacts sorted by `a`, then `b`. Does not know files or pictures.

use crate::input::Input;
use crate::readers::{CircleColumns, SegmentColumns};
use gridlane::{CircleCircleContact, CircleSegmentContact, SegmentSegmentContact, Vec2, World};

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
    /// The world as it is. `moved`: its contacts are those of a step, which has pushed bodies since.
    pub(crate) fn of(world: &World, input: &Input, moved: bool) -> Snapshot {
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
            circle_circle: rows.circle_circle(contacts.circle_circle(), &circles, moved),
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
    fn circle_circle(
        &self,
        contacts: &[CircleCircleContact],
        circles: &CircleColumns,
        moved: bool,
    ) -> Vec<CircleCircleContact> {
        let mut found: Vec<_> = contacts
            .iter()
            .map(|contact| {
                let (a, b) = (self.circles[contact.a as usize], self.circles[contact.b as usize]);
                if a <= b {
                    return CircleCircleContact { a, b, ..*contact };
                }
                // Seen from the other side the normal is the opposite one, except that coincident centres have no
                // side. After a step the centres have been pushed apart; the overlap tells that they were one.
                let (i, j) = (a as usize, b as usize);
                let coincident = if moved {
                    contact.normal == Vec2::new(0.0, 1.0)
                        && contact.separation == -(circles.radius[i] + circles.radius[j])
                } else {
                    (circles.x[i], circles.y[i]) == (circles.x[j], circles.y[j])
                };
                let Vec2 { x, y } = contact.normal;
                let normal = if coincident { contact.normal } else { Vec2::new(opposite(x), opposite(y)) };
                // The point then lies as far below their centre as it lay above.
                let Vec2 { x, y } = contact.point;
                let down = f64::from(circles.radius[i]) - f64::from(circles.radius[j]);
                let point = if coincident { Vec2::new(x, (f64::from(y) - down) as f32) } else { contact.point };
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

/// The negative, without a negative zero.
fn opposite(value: f32) -> f32 {
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
        assert_eq!(rows.circle_circle(&found, &circles, false), expected);
        assert_eq!(rows.circle_circle(&found, &circles, true), expected);
        // Of radii 3 and a quarter, the larger first, the point is 1.375 above their centre; from the other side as far below.
        let circles = CircleColumns { radius: vec![0.25, 1.0, 3.0], ..circles };
        let found = CircleCircleContact { point: Vec2::new(4.0, 8.375), ..contact(0, 1, 1.0, -3.25) };
        let expected = CircleCircleContact { point: Vec2::new(4.0, 5.625), a: 0, b: 2, ..found };
        assert_eq!(rows.circle_circle(&[found], &circles, false), [expected]);
        let found = CircleSegmentContact { a: 0, b: 0, ..CircleSegmentContact::default() };
        assert_eq!(rows.circle_segment(&[found]), [CircleSegmentContact { a: 2, b: 1, ..found }]);
        assert_eq!(in_order(&rows.circles, &[5.0, 6.0, 7.0]), [6.0, 7.0, 5.0]);
    }
}
