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
fn along(a: f32, b: f32, low: f32, high: f32, count: i32) -> f64 {
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
    use crate::geometry::{Circles, Vec2};
    use crate::kernels::{Backend, InstructionSet, Kernels, Names, Operation, Pairs, dispatch};

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

    struct Given<'a>(Circles<'a>);

    impl Operation for Given<'_> {
        type Output = Option<CircleCircleContact>;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Option<CircleCircleContact> {
            let mut pairs = Pairs::default();
            let mut writer = pairs.writer(1);
            writer.push(0, 1);
            let written = writer.len();
            pairs.keep(written);
            let mut out = [CircleCircleContact::default(); 8];
            (K::circle_circle(self.0, Names::Rows, &pairs, &mut out) == 1).then_some(out[0])
        }
    }

    #[test]
    fn images_are_bit_for_bit_what_the_kernels_say_of_their_numbers() {
        let mut state = 11u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as f32
        };
        let mut touching = [0; 9];
        for case in 0..9_000 {
            // All in 64ths, so an image is given in numbers too. Each axis has a low end and a period of its own.
            let count = [case % 3, case / 3 % 3].map(|k| k as i32 - 1);
            let (low, high) = ([-3.0, 5.0], [13.0, 29.0]);
            // Near the end across which the image is, or anywhere near each other.
            let mut a = [0.0; 2];
            let mut b = [0.0; 2];
            for axis in [0, 1] {
                let (near, far) = (low[axis] + draw(128) / 64.0, high[axis] - draw(128) / 64.0);
                (a[axis], b[axis]) = match count[axis] {
                    0 => (near, low[axis] + draw(128) / 64.0),
                    1 => (far, near),
                    _ => (near, far),
                };
            }
            let (a, b) = (Circle::new(a, draw(160) / 64.0), Circle::new(b, draw(160) / 64.0));
            let moved =
                [0, 1].map(|axis| <[f32; 2]>::from(b.center)[axis] + count[axis] as f32 * (high[axis] - low[axis]));
            let (x, y, radius) = ([a.center.x, moved[0]], [a.center.y, moved[1]], [a.radius, b.radius]);
            let given =
                dispatch(Backend::Scalar, InstructionSet::Portable, Given(Circles { x: &x, y: &y, radius: &radius }));
            let found = of_circles(a, b, &Shift { count, low, high });
            let bits =
                |c: CircleCircleContact| [c.point.x, c.point.y, c.normal.x, c.normal.y, c.separation].map(f32::to_bits);
            assert_eq!(found.map(bits), given.map(bits), "{a:?} {b:?} {count:?}");
            touching[case % 9] += usize::from(found.is_some());
        }
        assert!(touching.iter().all(|&n| (300..900).contains(&n)), "{touching:?}");
    }
}
