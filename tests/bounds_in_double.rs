//! Promise: where double precision gets a sign wrong, nobody is fooled: not the kernels, not the pairwise functions.
//!
//! Feet and sides built in integers, a unit away from where the answer changes, so that products or differences of `f64` round the
//! difference away. The answer is known from how the case is built. All of it at three scales: a bound that has the wrong degree is too
//! small where numbers are small, or where they are large.

use crate::common::few::{Few, point};
use crate::common::oracle;
use crate::common::oracle_cases::Random;
use gridlane::internals::{PairList, Text, circle_segment, wall_run};
use gridlane::{Circle, Feature, Segment, geometry};

const CASES: usize = if cfg!(debug_assertions) { 4_000 } else { 40_000 };

/// Exponents of two, by which a case of integers is scaled: nothing of it is lost.
const SCALES: [i32; 3] = [0, -40, 40];

/// A vector of 23 bits, and one that makes `u x + v y = 1` with it.
fn coprime(random: &mut Random) -> ([i64; 2], [i64; 2]) {
    loop {
        let (x, y) = ((random.below(1 << 22) + 3) as i64, (random.below(1 << 22) + 3) as i64);
        // Euclid, with the factors of x and of y.
        let (mut a, mut b) = ([x, 1, 0], [y, 0, 1]);
        while b[0] != 0 {
            let share = a[0] / b[0];
            (a, b) = (b, [a[0] - share * b[0], a[1] - share * b[1], a[2] - share * b[2]]);
        }
        if a[0] == 1 {
            return ([x, y], [a[1], a[2]]);
        }
    }
}

/// The case at every scale.
fn at_every_scale(p: [f32; 2], wall: Segment, check: impl Fn([f32; 2], Segment, f32)) {
    for scale in SCALES.map(|k| (2.0f32).powi(k)) {
        let to = |q: [f32; 2]| [q[0] * scale, q[1] * scale];
        check(to(p), Segment::new(to(wall.start.into()), to(wall.end.into())), scale);
    }
}

/// An integer of 43 bits as the difference of two `f32`, the second of 19 bits.
fn split(v: i64) -> (f32, f32) {
    let high = v as f32;
    (high, (high as i64 - v) as f32)
}

/// `a - p` and so on by integers: every coordinate here is one, and so is every difference.
fn product_in_double(v: [i64; 2], w: [i64; 2]) -> f64 {
    v[0] as f64 * w[0] as f64 + v[1] as f64 * w[1] as f64
}

#[test]
fn feet_and_sides_that_double_precision_gets_wrong() {
    // Products of 66 bits whose sum is 1, 0 or -1: nothing of it is left in 53 bits.
    let mut random = Random::new(25);
    let (mut wrong_feet, mut wrong_sides) = (0, 0);
    for _ in 0..CASES / 10 {
        let ([x, y], [u, v]) = coprime(&mut random);
        let far = (random.below(1 << 19) + (1 << 18)) as i64;
        for sign in [-1, 0, 1] {
            // w = far (-y, x) + sign (u, v), so w · (x, y) = sign. p - a = w, b - a = (x, y).
            let w = [sign * u - far * y, sign * v + far * x];
            let ((px, ax), (py, ay)) = (split(w[0]), split(w[1]));
            let (p, a, b) = ([px, py], [ax, ay], [ax + x as f32, ay + y as f32]);
            wrong_feet += usize::from((product_in_double(w, [x, y]) > 0.0) != (sign > 0));
            let (start, interior) = (Feature::Start, Feature::Interior);
            check_feature(p, Segment::new(a, b), if sign > 0 { interior } else { start });
            check_feature(p, Segment::new(b, a), if sign > 0 { interior } else { Feature::End });
            // e = far (x, y) + sign (-v, u), so e × (x, y) = -sign (v y + u x) = -sign. b - a = e, p - a = (x, y).
            let e = [far * x - sign * v, far * y + sign * u];
            let ((bx, ax), (by, ay)) = (split(e[0]), split(e[1]));
            let (p, a, b) = ([ax + x as f32, ay + y as f32], [ax, ay], [bx, by]);
            wrong_sides += usize::from((product_in_double(e, [y, -x]) > 0.0) != (sign < 0));
            check_side(p, Segment::new(a, b), -sign);
            check_side(p, Segment::new(b, a), sign);
        }
    }
    assert!(wrong_feet > CASES / 40 && wrong_sides > CASES / 40, "{wrong_feet} {wrong_sides}");
}

#[test]
fn feet_and_sides_whose_differences_double_precision_rounds() {
    // Exact products of exact differences compare as they should even when rounded; here the differences are rounded: integers
    // less numbers of about 2^-30, in a right angle or in line but for those.
    let mut random = Random::new(26);
    let (mut wrong_feet, mut wrong_sides) = (0, 0);
    let wide = |p: [f32; 2], q: [f32; 2]| [0, 1].map(|axis| f64::from(p[axis]) - f64::from(q[axis]));
    for _ in 0..CASES / 10 {
        let (x, y) = ((random.below(1 << 22) + 3) as f32, (random.below(1 << 22) + 3) as f32);
        let a = point(&mut random, (2.0f32).powi(-29));
        let b = [2.0 * x, 2.0 * y];
        let (origin, e) = (oracle::q2(a), oracle::sub(&oracle::q2(b), &oracle::q2(a)));
        // Beside the start, square to the segment.
        let p = [-y, x];
        let ahead = oracle::dot(&oracle::sub(&oracle::q2(p), &origin), &e).cmp(&oracle::q(0.0));
        let (d, w) = (wide(b, a), wide(p, a));
        wrong_feet += usize::from((d[0] * w[0] + d[1] * w[1] > 0.0) != ahead.is_gt());
        check_feature(p, Segment::new(a, b), if ahead.is_gt() { Feature::Interior } else { Feature::Start });
        check_feature(p, Segment::new(b, a), if ahead.is_gt() { Feature::Interior } else { Feature::End });
        // In line with it.
        let p = [x, y];
        let w = oracle::sub(&oracle::q2(p), &origin);
        let side = (&e[0] * &w[1]).cmp(&(&e[1] * &w[0]));
        let w = wide(p, a);
        wrong_sides += usize::from((d[0] * w[1] - d[1] * w[0] > 0.0) != side.is_gt());
        check_side(p, Segment::new(a, b), side as i64);
        check_side(p, Segment::new(b, a), -(side as i64));
    }
    assert!(wrong_feet > CASES / 1000 && wrong_sides > CASES / 1000, "{wrong_feet} {wrong_sides}");
}

/// What all texts and the pairwise function find for a circle that is large enough to touch beyond doubt.
fn contacts_of(p: [f32; 2], wall: Segment, scale: f32) -> Vec<(Feature, gridlane::Vec2)> {
    let circle = Circle::new(p, (2.0f32).powi(46) * scale);
    let few = Few::new([circle, circle]);
    let columns: [&[f32]; 5] = [&[wall.start.x], &[wall.start.y], &[wall.end.x], &[wall.end.y], &[0.0]];
    let exact = geometry::circle_segment(circle, wall).unwrap();
    let mut found = vec![(exact.feature, exact.normal)];
    for text in Text::ALL {
        let (mut pairs, mut contacts) = (PairList::default(), Vec::new());
        wall_run(text, few.circles(), wall, 0, circle.radius, 0..2, &mut pairs);
        circle_segment(text, few.circles(), columns, &pairs, &mut contacts);
        assert_eq!(contacts.len(), 2, "{text:?} {circle:?} {wall:?}");
        found.extend(contacts.iter().map(|contact| (contact.feature, contact.normal)));
    }
    found
}

fn check_feature(p: [f32; 2], wall: Segment, expected: Feature) {
    // And with the axes swapped: there the other one of two products is the negative one.
    for first in [0, 1] {
        let [p, a, b] = [p, wall.start.into(), wall.end.into()].map(|q: [f32; 2]| [q[first], q[1 - first]]);
        at_every_scale(p, Segment::new(a, b), |p, wall, scale| {
            assert!(contacts_of(p, wall, scale).iter().all(|found| found.0 == expected), "{p:?} {wall:?}");
            assert_eq!(geometry::nearest_on_segment(p, wall).feature, expected, "{p:?} {wall:?}");
        });
    }
}

/// `sign` > 0: to the left of the wall.
fn check_side(p: [f32; 2], wall: Segment, sign: i64) {
    at_every_scale(p, wall, |p, wall, scale| {
        let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y);
        for (_, normal) in contacts_of(p, wall, scale) {
            // From the left the way to the wall is its right normal; on the wall it is the left one.
            let right = normal.x * dy - normal.y * dx > 0.0;
            assert_eq!(right, sign > 0, "{p:?} {wall:?}");
        }
        // A segment that goes off to the left of the wall, square to it.
        let (touches, crosses) = (sign == 0, sign < 0);
        let tip = Segment::new(p, [p[0] - dy, p[1] + dx]);
        let relation = geometry::segment_segment(wall, tip);
        assert_eq!(matches!(relation, geometry::SegmentRelation::Touch { .. }), touches, "{p:?} {wall:?}");
        assert_eq!(matches!(relation, geometry::SegmentRelation::Cross { .. }), crosses, "{p:?} {wall:?}");
    });
}
