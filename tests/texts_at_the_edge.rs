//! Promise: every text of a kernel leaves its quick way at the same place, to the last bit.
//!
//! Values of the quick ways are within bounds of the exact ones, not always the nearest, so a text that turned to exact arithmetic a hair
//! earlier or later than another would give other bits there. Pairs that stand exactly on such a border, made so that both ways differ.

use crate::common::few::{Few, point};
use crate::common::oracle_cases::Random;
use gridlane::internals::{PairList, Text, circle_circle, circle_circle_pairs, circle_segment, circle_segment_pairs};
use gridlane::{Circle, CircleSegmentContact, Segment, geometry};

fn pair() -> PairList {
    let mut pairs = PairList::default();
    pairs.push(0, 1);
    pairs
}

/// What each text says of two circles: separation, normal, point.
fn of_circles(a: Circle, b: Circle) -> Vec<Option<[u32; 5]>> {
    let few = Few::new([a, b]);
    let of = |text| {
        let mut out = Vec::new();
        circle_circle(text, few.circles(), &pair(), &mut out);
        let c = *out.first()?;
        Some([c.separation, c.normal.x, c.normal.y, c.point.x, c.point.y].map(f32::to_bits))
    };
    Text::ALL.map(of).to_vec()
}

fn exactly(a: Circle, b: Circle) -> Option<[u32; 5]> {
    let c = geometry::circle_circle(a, b)?;
    Some([c.separation, c.normal.x, c.normal.y, c.point.x, c.point.y].map(f32::to_bits))
}

/// Among these pairs all texts agree; in how many they are not those of the exact function.
fn quick(pairs: impl Iterator<Item = (Circle, Circle)>) -> usize {
    let mut quick = 0;
    for (a, b) in pairs {
        let found = of_circles(a, b);
        assert!(found.iter().all(|text| *text == found[0]), "{a:?} {b:?}: {found:?}");
        quick += usize::from(found[0] != exactly(a, b));
    }
    quick
}

#[test]
fn circles_at_the_smallest_and_the_largest_square_that_is_quick() {
    // The square of the distance is 2^-100, the least, and just below.
    let least = (2.0f32).powi(-50);
    let radii = |k: u32| least * (0.75 + k as f32 * 0.000_987_654_3);
    let (dx, dy) = (0.6 * least, 0.8 * least);
    let at =
        |dy: f32| (0..400).map(move |k| (Circle::new([0.0, 0.0], radii(k)), Circle::new([dx, dy], radii(7 * k % 401))));
    let below = dy.next_down().next_down();
    assert!(dx * dx + dy * dy == least * least && dx * dx + below * below < least * least);
    assert!(quick(at(dy)) > 20);
    assert_eq!(quick(at(below)), 0);
    // The square of the sum of the radii is 2^120, the most, and just above; distances in between.
    let most = (2.0f32).powi(60);
    let at = |reach: f32| {
        (0..400).map(move |k| {
            let x = most * (0.25 + k as f32 / 1_024.0);
            (Circle::new([0.0, 0.0], reach / 2.0), Circle::new([x, most / 3.0], reach / 2.0))
        })
    };
    assert!(quick(at(most)) > 20);
    assert_eq!(quick(at(most.next_up())), 0);
}

/// A circle above the end of a wall that lies along the x axis at this height: separations of all texts.
fn above_an_end(py: f32, by: f32, r: f32, s: f32) -> [f32; 4] {
    let x = 3.0 * py;
    let few = Few::new([Circle::new([x, py], r), Circle::new([x, py], r)]);
    let columns: [&[f32]; 5] = [&[0.0, -x], &[0.0, by], &[0.0, x], &[0.0, by], &[0.0, s]];
    let exact = geometry::circle_segment(
        Circle::new([x, py], r),
        Segment::new([columns[0][1], by], [columns[2][1], by]).with_radius(s),
    );
    let separation = |text| {
        let mut out: Vec<CircleSegmentContact> = Vec::new();
        circle_segment(text, few.circles(), columns, &pair(), &mut out);
        assert_ne!(Some(out[0].separation), exact.map(|contact| contact.separation), "{text:?}");
        out[0].separation
    };
    Text::ALL.map(separation)
}

#[test]
fn walls_where_the_foot_the_depth_and_the_reach_are_on_the_border() {
    let two = |k: i32| (2.0f32).powi(k);
    // The centre is straight above the end, all products are zero. Distance 1 - 2^-60, which is 1 in double precision, from radii
    // 1 + 2^-22 and 2^-46: that separation is the middle of two, -2^-22 the even one; the exact one is beyond.
    assert_eq!(above_an_end(1.0, two(-60), 1.0 + two(-22), two(-46)), [-two(-22); 4]);
    // And as deep as is just quick: total 1 + 2^-24, less a part in 2^23 of itself, is 1 - 2^-24 - 2^-47.
    assert_eq!(above_an_end(1.0 - two(-24), two(-47) + two(-69), 1.0, two(-24)), [-two(-23); 4]);
    // And with the largest total that is quick, 2^100.
    let (py, by) = (two(100) - two(78), two(54) + two(31));
    assert_eq!(above_an_end(py, by, two(100) - two(76), two(76)), [-two(78); 4]);
}

#[test]
fn what_misses_by_a_rounding_is_not_sure_to_touch() {
    let mut random = Random::new(51);
    let mut pairs = PairList::default();
    pairs.push(0, 1);
    let wide = |p: [f32; 2]| p.map(f64::from);
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        // Two circles that touch, or miss, by up to two places of a radius; one of them near the origin, so that differences are rounded.
        let (p, q) = (point(&mut random, 1.0 / 128.0), point(&mut random, 1.0));
        let ([ax, ay], [bx, by]) = (wide(p), wide(q));
        let gap = (bx - ax).hypot(by - ay);
        let r = (0.25 * gap) as f32;
        let rest = (gap - f64::from(r)) as f32;
        for s in [rest.next_down().next_down(), rest.next_down(), rest, rest.next_up()] {
            let circles = [Circle::new(p, r), Circle::new(q, s)];
            let touch = geometry::circles_within(circles[0], circles[1], 0.0);
            for text in Text::ALL {
                let mut found = Vec::new();
                circle_circle_pairs(text, Few::new(circles).circles(), 0.0, &pairs, &mut found);
                assert_eq!(!found.is_empty(), touch, "{text:?} {circles:?}");
            }
            seen[usize::from(touch)] += 1;
        }
        // A small circle over a long wall: it misses by a part in 2^12 of its radius, which is next to nothing of the wall's length.
        let (share, over) = (f64::from(point(&mut random, 0.5)[0]) + 0.5, f64::from(point(&mut random, 1.0)[1]));
        let (ex, ey) = (bx - ax, by - ay);
        let height = over / 262_144.0 / gap;
        let c = [(ax + share * ex - height * ey) as f32, (ay + share * ey + height * ex) as f32];
        let [cx, cy] = wide(c);
        let height = ((ex * (cy - ay) - ey * (cx - ax)) / gap).abs();
        let circle = Circle::new(c, (height * (1.0 - 1.0 / 4096.0)) as f32);
        let wall = Segment::new(p, q);
        let columns: [&[f32]; 5] = [&[0.0, p[0]], &[0.0, p[1]], &[0.0, q[0]], &[0.0, q[1]], &[0.0, 0.0]];
        let touch = geometry::circle_touches_segment(circle, wall);
        for text in Text::ALL {
            let mut found = Vec::new();
            circle_segment_pairs(text, Few::new([circle, circle]).circles(), columns, &pairs, &mut found);
            assert_eq!(!found.is_empty(), touch, "{text:?} {circle:?} {wall:?}");
        }
        seen[2 + usize::from(touch)] += 1;
    }
    assert!(seen[0] > 1_000 && seen[1] > 1_000 && seen[2] > 10_000, "{seen:?}");
}

#[test]
fn circles_that_touch_by_less_than_the_margin_have_the_exact_values() {
    // D² - R² is -2^-23 R² where the margin is; the quick values are within five units in the last place, and so often not the nearest.
    let mut random = Random::new(52);
    let (mut within, mut beyond) = (Vec::new(), Vec::new());
    while within.len() < 2_000 || beyond.len() < 2_000 {
        let ([bx, by], [share, deep]) = (point(&mut random, 1.0), point(&mut random, 1.0));
        let distance = f64::from(bx).hypot(f64::from(by));
        let r = (f64::from(share.abs()) * distance) as f32;
        let target = distance * (1.0 + f64::from(deep.abs()) * f64::from(f32::EPSILON));
        let s = (target - f64::from(r)) as f32;
        let reach = f64::from(r) + f64::from(s);
        let depth = (reach * reach - distance * distance) / (reach * reach) / f64::from(f32::EPSILON);
        let pair = (Circle::new([0.0, 0.0], r), Circle::new([bx, by], s));
        // As far from either border as its rounding may shift it.
        if (0.01..0.98).contains(&depth) {
            within.push(pair);
        } else if (1.02..2.0).contains(&depth) {
            beyond.push(pair);
        }
    }
    assert_eq!(quick(within.into_iter()), 0);
    assert!(quick(beyond.into_iter()) > 100);
}

#[test]
fn circles_that_miss_by_all_roundings_at_once_are_not_sure_to_touch() {
    // In units of u = 2^-24: both sums of radii and margin end just above the middle of two places and are rounded up, by 1 each, and so is the
    // square; both differences end just below the middle, and both squares and their sum are rounded down. So the square of the distance comes
    // out 8 less than that of the reach, though it is the larger one.
    let u = (2.0f32).powi(-24);
    let reach = 1.0 + 3549.0 * 2.0 * u;
    let (margin, s) = (u + u / 512.0, (2.0f32).powi(-11));
    // r + s = reach - 3 + 1/512, of which s has the last places.
    let r = reach - 2.0 * u - s - u;
    let s = s + u / 512.0;
    assert_eq!((f64::from(r) + f64::from(s)) as f32, reach - 2.0 * u);
    let [x, y] = [8_390_335.0 * u, 14_536_691.0 * u];
    let circles = [Circle::new([-0.499_9 * u, -0.495_79 * u], r), Circle::new([x, y], s)];
    let (dx, dy) = (x + 0.499_9 * u, y + 0.495_79 * u);
    assert_eq!(reach * reach - (dx * dx + dy * dy), 8.0 * u);
    for (margin, touch) in [(margin, false), (margin + u / 16.0, true)] {
        assert_eq!(geometry::circles_within(circles[0], circles[1], margin), touch);
        for text in Text::ALL {
            let mut found = Vec::new();
            circle_circle_pairs(text, Few::new(circles).circles(), margin, &pair(), &mut found);
            assert_eq!(!found.is_empty(), touch, "{text:?}");
        }
    }
}
