//! Contacts with the image of a shape, in a plane that repeats: one text, since there are few of them.
//!
//! Comes in: one pair, and by how many periods the second is moved. Goes out: the contact that the kernels would find if the image were
//! given in numbers, bit for bit where it could be, seen from the first shape. This room does not know columns or rows.
//!
//! Method: the formulas of the contract where they are surely right, `geometry` where they are not. Both bodies of a pair of circles are
//! within the stretch from low to high that repeats, so the difference of an image one period on, `(b - low) + (high - a)`, is a sum of
//! two numbers of one sign: within `2e` of itself where that of two numbers given is within `e`, and the squares within `6e`, far within
//! the margin `m` of what is sure. The ends of a segment are moved in double precision where that is exact, as it is unless a coordinate
//! is less than 2^-28 of the period; else nothing is sure.

use super::contact::{CircleCircleContact, CircleSegmentContact};
use super::scalar::{circle_circle, circle_segment};
use crate::exact::{Shift, exact_image};
use crate::geometry::{Circle, Segment, circle_circle_image, circle_segment_image};

/// Of `a` and the image of `b`, no more than one period away; both are in the stretch that repeats.
pub(crate) fn of_circles(a: Circle, b: Circle, by: &Shift) -> Option<CircleCircleContact> {
    let d = [
        along(a.center.x, b.center.x, by.low[0], by.high[0], by.count[0]),
        along(a.center.y, b.center.y, by.low[1], by.high[1], by.count[1]),
    ];
    let reach = f64::from(b.radius) + f64::from(a.radius);
    let beyond = (d[0] * d[0] + d[1] * d[1] - reach * reach) as f32;
    circle_circle::sure(a, b.radius, [d[0] as f32, d[1] as f32], beyond).or_else(|| {
        let c = circle_circle_image(a, b, by)?;
        Some(CircleCircleContact { a: 0, b: 0, point: c.point, normal: c.normal, separation: c.separation })
    })
}

/// From `a` to `b`, which is moved by a period or not at all.
fn along(a: f32, b: f32, low: f32, high: f32, count: i8) -> f64 {
    let [a, b, low, high] = [a, b, low, high].map(f64::from);
    match count {
        0 => b - a,
        1 => (b - low) + (high - a),
        _ => 0.0 - ((high - b) + (a - low)),
    }
}

/// Of a circle and the image of a segment.
pub(crate) fn of_circle_and_segment(circle: Circle, segment: Segment, by: &Shift) -> Option<CircleSegmentContact> {
    let sure = || {
        let center = [f64::from(circle.center.x), f64::from(circle.center.y)];
        let places = [center, exact_image(segment.start.into(), by)?, exact_image(segment.end.into(), by)?];
        circle_segment::sure_between(places, f64::from(circle.radius), f64::from(segment.radius))
    };
    sure().or_else(|| {
        let c = circle_segment_image(circle, segment, by)?;
        let (normal, separation, feature) = (c.normal, c.separation, c.feature);
        Some(CircleSegmentContact { a: 0, b: 0, point: c.point, normal, separation, feature })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vec2;

    const BY: Shift = Shift { count: [1, 0], low: [0.0, 0.0], high: [16.0, 16.0] };

    #[test]
    fn an_image_is_what_it_would_be_as_numbers() {
        // 15.5 and 0.25 + 16 = 16.25: 0.75 apart, radii 0.5 each: a quarter deep, midway at 15.875.
        let (a, b) = (Circle::new([15.5, 3.0], 0.5), Circle::new([0.25, 3.0], 0.5));
        let contact = of_circles(a, b, &BY).unwrap();
        assert_eq!(
            (contact.separation, contact.normal, contact.point),
            (-0.25, Vec2::new(1.0, 0.0), Vec2::new(15.875, 3.0))
        );
        let back = of_circles(b, a, &Shift { count: [-1, 0], ..BY }).unwrap();
        assert_eq!((back.separation, back.normal, back.point), (-0.25, Vec2::new(-1.0, 0.0), Vec2::new(-0.125, 3.0)));
        // Exactly touching, and a float less.
        assert_eq!(of_circles(a, Circle::new([0.5, 3.0], 0.5), &BY).unwrap().separation, 0.0);
        assert_eq!(of_circles(a, Circle::new([0.5, 3.0], 0.5f32.next_down()), &BY), None);
    }

    #[test]
    fn a_wall_at_the_low_end_is_met_from_the_high_end() {
        let wall = Segment::new([0.0, 1.0], [0.0, 5.0]);
        let contact = of_circle_and_segment(Circle::new([15.75, 3.0], 0.5), wall, &BY).unwrap();
        assert_eq!(
            (contact.separation, contact.normal, contact.point),
            (-0.25, Vec2::new(1.0, 0.0), Vec2::new(16.0, 3.0))
        );
        assert!(of_circle_and_segment(Circle::new([15.5, 3.0], 0.5), wall, &BY).is_some());
        assert!(of_circle_and_segment(Circle::new([15.5, 3.0], 0.5f32.next_down()), wall, &BY).is_none());
    }
}
