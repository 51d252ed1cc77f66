//! Promise: the rounding bounds in the kernels are large enough, and a sixteenth of them would not be.
//!
//! Pairs at the very edge: a radius that just touches by exact arithmetic, and its neighbour below that just does not; a foot or a
//! centre within a few ulps of where the answer changes. No text may lose the first, report the second, or call a doubtful side
//! sure. Truth are the pairwise functions, which are held against rational arithmetic elsewhere. Each test counts the
//! cases that plain single precision, and bounds of a sixteenth, decide wrongly: without such cases it would say nothing.

use crate::common::few::{Few, point, unit};
use crate::common::oracle;
use crate::common::oracle_cases::Random;
use gridlane::internals::{PairList, Text, circle_circle, circle_run, circle_segment, segment_segment, wall_run};
use gridlane::{Circle, Feature, Segment, geometry};

/// 2^-24, the rounding unit.
const U: f32 = 1.0 / 16_777_216.0;
/// A sixteenth of the contract's bound on sums of products, 2^-21.
const SUM_BOUND: f32 = U / 2.0;

const CASES: usize = if cfg!(debug_assertions) { 4_000 } else { 40_000 };

/// Half of the cases of ordinary size; the others where squares leave `f32`, where a wall is taken for a point or for all
/// there is, and at both ends of the range.
const SCALES: [f32; 16] =
    [1.0, 3e-20, 1.0, 7e15, 1.0, 4e-19, 1.0, 1.5e18, 1.0, 1.2e19, 1.0, 1e-30, 1.0, 1e38, 1.0, 1e-41];

fn shifted(random: &mut Random, x: f32, ulps: u64) -> f32 {
    random.nudged(x, ulps)
}

/// The least radius that touches, looked for near a guess; and the one below it, which does not.
fn edge(guess: f64, touches: impl Fn(f32) -> bool) -> Option<(f32, f32)> {
    let mut radius = guess as f32;
    for _ in 0..64 {
        if !(radius > 0.0 && radius.is_finite()) {
            return None;
        }
        match (touches(radius), touches(radius.next_down())) {
            (true, false) => return Some((radius, radius.next_down())),
            (true, true) => radius = radius.next_down(),
            (false, _) => radius = radius.next_up(),
        }
    }
    None
}

/// Whether |p - q| <= r + s, by rational numbers.
fn reaches(p: [f32; 2], q: [f32; 2], r: f32, s: f32) -> bool {
    let reach = oracle::q(r) + oracle::q(s);
    oracle::square(&oracle::sub(&oracle::q2(p), &oracle::q2(q))) <= &reach * &reach
}

/// How a distance is shared out among two radii: alike, where the largest radius is the least it can be; one far larger, where the sum
/// rounds most finely; or all of it but an ulp, where the sum is finer than double precision.
fn share(random: &mut Random, case: usize, distance: f64) -> f32 {
    match case % 3 {
        0 => (distance * 0.97) as f32,
        1 => (distance * (0.5 + 0.01 * f64::from(unit(random)))) as f32,
        _ => (distance as f32).next_down(),
    }
}

#[test]
fn circles_that_just_touch_and_just_do_not() {
    let mut random = Random::new(21);
    let (mut lost, mut lost_by_less, mut wrong, mut wrong_in_double) = (0, 0, 0, 0);
    let mut cases = 0;
    for case in 0..CASES {
        let scale = SCALES[case / 3 % SCALES.len()];
        let (p, q) = (point(&mut random, scale), point(&mut random, scale));
        let distance = (f64::from(p[0]) - f64::from(q[0])).hypot(f64::from(p[1]) - f64::from(q[1]));
        let a = Circle::new(p, share(&mut random, case, distance));
        let with = |radius: f32| Circle::new(q, radius);
        let Some((least, below)) =
            edge(distance - f64::from(a.radius), |radius| geometry::circles_touch(a, with(radius)))
        else {
            continue;
        };
        cases += 1;
        if case % 16 < 3 {
            assert!(reaches(p, q, a.radius, least) && !reaches(p, q, a.radius, below), "{a:?} {:?}", with(least));
        }
        for (radius, touches) in [(least, true), (below, false)] {
            let few = Few::new([a, with(radius)]);
            let largest = if a.radius > radius { a.radius } else { radius };
            for text in Text::ALL {
                let mut pairs = PairList::default();
                circle_run(text, few.circles(), 0, largest, 1..2, &mut pairs);
                circle_run(text, few.circles(), 1, largest, 0..1, &mut pairs);
                assert!(!touches || pairs.rows().0.len() == 2, "{text:?} lost {a:?} {:?}", with(radius));
                let mut contacts = Vec::new();
                circle_circle(text, few.circles(), &pairs, &mut contacts);
                let expected = if touches { pairs.rows().0.len() } else { 0 };
                assert_eq!(contacts.len(), expected, "{text:?} {a:?} {:?}", with(radius));
            }
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            let (s, reach) = (dx * dx + dy * dy, a.radius + radius);
            let less = radius + (a.radius + 2.0 * U * largest);
            if touches {
                lost += usize::from(s > reach * reach);
                lost_by_less += usize::from(s > less * less);
            } else {
                wrong += usize::from(s <= reach * reach);
                wrong_in_double += usize::from(distance <= f64::from(a.radius) + f64::from(radius));
            }
        }
    }
    assert!(cases > CASES / 2 && lost > cases / 20 && wrong > cases / 10, "{cases}: {lost} {wrong}");
    assert!(lost_by_less > 0 && wrong_in_double > cases / 1000, "{lost_by_less} {wrong_in_double}");
}

/// The candidate test of the contract with this much added to the radius.
fn plain_candidate(circle: Circle, wall: Segment, added: f32) -> bool {
    let (wx, wy) = (circle.center.x - wall.start.x, circle.center.y - wall.start.y);
    let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y);
    let t = (wx * dx + wy * dy) * (1.0 / (dx * dx + dy * dy));
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let most = circle.radius + added;
    qx * qx + qy * qy <= most * most
}

#[test]
fn circles_and_walls_that_just_touch_and_just_do_not() {
    let mut random = Random::new(22);
    let (mut lost, mut lost_by_less, mut wrong_in_double, mut cases) = (0, 0, 0, [0; 3]);
    for case in 0..CASES {
        let scale = SCALES[case / 9 % SCALES.len()];
        let (a, b) = (point(&mut random, scale), point(&mut random, scale));
        // Near the flank, so that what is lost by rounding is much of the radius; or anywhere.
        let (t, off) = (unit(&mut random) * 0.6 + 0.5, unit(&mut random));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let off = off * [1.0, 1e-2, 1e-4][case / 3 % 3];
        let center = [a[0] + t * dx - off * dy, a[1] + t * dy + off * dx];
        let near = geometry::nearest_on_segment(center, Segment::new(a, b));
        let wide = |p: [f32; 2], q: [f32; 2]| [0, 1].map(|axis| f64::from(p[axis]) - f64::from(q[axis]));
        let (e, w, v) = (wide(b, a), wide(center, a), wide(center, b));
        let distance = match near.feature {
            Feature::Interior => (e[0] * w[1] - e[1] * w[0]).abs() / e[0].hypot(e[1]),
            Feature::Start => w[0].hypot(w[1]),
            _ => v[0].hypot(v[1]),
        };
        let own = if case % 2 == 0 { 0.0 } else { share(&mut random, case, distance) };
        let wall = Segment::new(a, b).with_radius(own);
        let with = |radius: f32| Circle::new(center, radius);
        let guess = distance - f64::from(own);
        let Some((least, below)) = edge(guess, |radius| geometry::circle_touches_segment(with(radius), wall)) else {
            continue;
        };
        cases[[Feature::Interior, Feature::Start, Feature::End].iter().position(|f| *f == near.feature).unwrap()] += 1;
        let exact = || oracle::point_segment(&oracle::q2(center), &oracle::q2(a), &oracle::q2(b)).distance2;
        if case % 16 < 3 {
            let (distance2, reach) = (exact(), |radius: f32| oracle::q(radius) + oracle::q(own));
            assert!(distance2 <= reach(least) * reach(least), "{:?} {wall:?}", with(least));
            assert!(distance2 > reach(below) * reach(below), "{:?} {wall:?}", with(below));
        }
        for (radius, touches) in [(least, true), (below, false)] {
            let few = Few::new([with(radius), with(radius)]);
            for text in Text::ALL {
                let mut pairs = PairList::default();
                wall_run(text, few.circles(), wall, 0, radius, 0..2, &mut pairs);
                assert!(!touches || pairs.rows().0.len() == 2, "{text:?} lost {:?} {wall:?}", with(radius));
                let columns: [&[f32]; 5] = [&[a[0]], &[a[1]], &[b[0]], &[b[1]], &[own]];
                let mut contacts = Vec::new();
                circle_segment(text, few.circles(), columns, &pairs, &mut contacts);
                assert_eq!(contacts.len(), if touches { 2 } else { 0 }, "{text:?} {:?} {wall:?}", with(radius));
                assert!(contacts.iter().all(|contact| contact.feature == near.feature), "{text:?} {wall:?}");
            }
            if touches {
                let less = 2.0 * U * (dx.abs() + dy.abs() + radius + own) + own;
                lost += usize::from(!plain_candidate(with(radius), wall, own));
                lost_by_less += usize::from(!plain_candidate(with(radius), wall, less));
            } else {
                wrong_in_double += usize::from(distance <= f64::from(radius) + f64::from(own));
            }
        }
    }
    assert!(cases.iter().all(|&n| n > CASES / 20), "{cases:?}");
    assert!(
        lost > CASES / 50 && lost_by_less > 0 && wrong_in_double > CASES / 2000,
        "{lost} {lost_by_less} {wrong_in_double}"
    );
}

#[test]
fn short_walls_of_a_large_radius_lose_nobody() {
    // What rounding takes is a share of the radii there, and the length has no room to offer.
    let mut random = Random::new(25);
    let (mut lost, mut cases) = (0, 0);
    for case in 0..CASES / 4 {
        let length = (2.0f32).powi(-(case as i32 / 3 % 20));
        let (a, b, center) = (point(&mut random, length), point(&mut random, length), point(&mut random, 1.0));
        let wide = |p: [f32; 2], q: [f32; 2]| [0, 1].map(|axis| f64::from(p[axis]) - f64::from(q[axis]));
        let (e, w) = (wide(b, a), wide(center, a));
        let t = (w[0] * e[0] + w[1] * e[1]) / (e[0] * e[0] + e[1] * e[1]);
        let t = if t > 0.0 { if t < 1.0 { t } else { 1.0 } } else { 0.0 };
        let distance = (w[0] - t * e[0]).hypot(w[1] - t * e[1]);
        let own = share(&mut random, case, distance);
        let wall = Segment::new(a, b).with_radius(own);
        let with = |radius: f32| Circle::new(center, radius);
        let touches = |radius| geometry::circle_touches_segment(with(radius), wall);
        let Some((radius, _)) = edge(distance - f64::from(own), touches) else { continue };
        for text in Text::ALL {
            let mut pairs = PairList::default();
            wall_run(text, Few::new([with(radius); 2]).circles(), wall, 0, radius, 0..2, &mut pairs);
            assert_eq!(pairs.rows().0.len(), 2, "{text:?} lost {:?} {wall:?}", with(radius));
        }
        cases += 1;
        lost += usize::from(!plain_candidate(with(radius), wall, own));
    }
    assert!(cases > CASES / 8 && lost > cases / 50, "{cases} {lost}");
}

#[test]
fn what_is_clearly_apart_is_no_candidate() {
    // Bounds that are too large cost no answer but all the speed: by a thousandth of the sizes is far enough.
    let mut random = Random::new(27);
    let apart = |text: Text, few: &Few, wall: Option<Segment>, largest: f32| {
        let mut pairs = PairList::default();
        match wall {
            Some(wall) => wall_run(text, few.circles(), wall, 0, largest, 0..1, &mut pairs),
            None => circle_run(text, few.circles(), 0, largest, 1..2, &mut pairs),
        }
        pairs.rows().0.is_empty()
    };
    let mut walls = [0; 4];
    for case in 0..CASES / 4 {
        let scale = [1.0, 1e-15, 1e-18, 1e17][case % 4];
        let (a, b, p) = (point(&mut random, scale), point(&mut random, scale), point(&mut random, scale));
        let distance = (f64::from(p[0]) - f64::from(a[0])).hypot(f64::from(p[1]) - f64::from(a[1]));
        let part = 0.5 + 0.4 * f64::from(unit(&mut random));
        let rest = distance * (0.999 - part) - 1e-21;
        let circles =
            [Circle::new(p, (distance * part) as f32), Circle::new(a, if rest > 0.0 { rest as f32 } else { 0.0 })];
        let largest = if part > 0.5 { circles[0].radius } else { circles[1].radius };
        assert!(Text::ALL.iter().all(|&text| apart(text, &Few::new(circles), None, largest)), "{circles:?}");
        // Walls of about the same size; in every other round of scales far shorter ones, which are taken for points.
        let b = if case % 8 < 4 { b } else { [a[0] + b[0] * 1e-3, a[1] + b[1] * 1e-3] };
        let near = f64::from(geometry::nearest_on_segment(p, Segment::new(a, b)).distance);
        let size = f64::from((b[0] - a[0]).abs()) + f64::from((b[1] - a[1]).abs());
        let short = if size < 2e-18 { 3.0 * size } else { 0.0 };
        let room = near - 1e-3 * (size + near) - short - 1e-20;
        if room < 0.0 {
            continue;
        }
        walls[case % 4] += 1;
        let circle = Circle::new(p, (room * part) as f32);
        let wall = Segment::new(a, b).with_radius((room * (1.0 - part)) as f32);
        let few = Few::new([circle, circle]);
        assert!(Text::ALL.iter().all(|&text| apart(text, &few, Some(wall), circle.radius)), "{circle:?} {wall:?}");
    }
    assert!(walls.iter().all(|&count| count > CASES / 40), "{walls:?}");
}

/// Whether a point beside the flank is to the left of the wall: told from the exact normal, which leads to the wall.
fn is_left(p: [f32; 2], wall: Segment) -> Option<bool> {
    let contact = geometry::circle_segment(Circle::new(p, 9.0), wall)?;
    let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y);
    let on_core = geometry::circle_touches_segment(Circle::new(p, 0.0), wall);
    (contact.feature == Feature::Interior && !on_core).then_some(dy * contact.normal.x - dx * contact.normal.y > 0.0)
}

#[test]
fn feet_within_ulps_of_an_end_and_centres_within_ulps_of_the_line() {
    let mut random = Random::new(23);
    let (mut plain, mut less) = ([0; 2], [0; 2]);
    for case in 0..CASES {
        let (a, b) = (point(&mut random, 1.0), point(&mut random, 1.0));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let far = unit(&mut random) * 0.5;
        let (base, center) = match case % 3 {
            0 => (a, [a[0] - far * dy, a[1] + far * dx]),
            1 => (b, [b[0] - far * dy, b[1] + far * dx]),
            _ => (a, [a[0] + (0.5 + far) * dx, a[1] + (0.5 + far) * dy]),
        };
        let center = [shifted(&mut random, center[0], 4), shifted(&mut random, center[1], 4)];
        // Large enough to touch beyond doubt: only the feature and the side are in question.
        let (circle, wall) = (Circle::new(center, 2.0), Segment::new(a, b));
        let Some(exact) = geometry::circle_segment(circle, wall) else { continue };
        let few = Few::new([circle, circle]);
        for text in Text::ALL {
            let mut pairs = PairList::default();
            wall_run(text, few.circles(), wall, 0, 2.0, 0..2, &mut pairs);
            let columns: [&[f32]; 5] = [&[a[0]], &[a[1]], &[b[0]], &[b[1]], &[0.0]];
            let mut contacts = Vec::new();
            circle_segment(text, few.circles(), columns, &pairs, &mut contacts);
            assert_eq!(contacts.len(), 2, "{text:?} {circle:?} {wall:?}");
            for contact in contacts {
                assert_eq!(contact.feature, exact.feature, "{text:?} {circle:?} {wall:?}");
                // Of the two sides the right one.
                let side = contact.normal.x * exact.normal.x + contact.normal.y * exact.normal.y;
                assert!(side > 0.9, "{text:?} {circle:?} {wall:?}");
            }
        }
        let (wx, wy) = (center[0] - base[0], center[1] - base[1]);
        let (left, right, truth) = if case % 3 < 2 {
            let foot = exact.feature != Feature::Interior;
            // Outwards at the start is against d, at the end along it.
            (wx * dx, -(wy * dy), if case % 3 == 0 { !foot } else { foot })
        } else {
            (dx * wy, dy * wx, is_left(center, wall) == Some(true))
        };
        let (value, sum) = (left - right, left.abs() + right.abs());
        let kind = usize::from(case % 3 == 2);
        plain[kind] += usize::from((value > 0.0) != truth && value != 0.0);
        less[kind] += usize::from((value > 0.0) != truth && value.abs() > sum * SUM_BOUND);
    }
    assert!(plain.iter().chain(&less).all(|&n| n > 0), "{plain:?} {less:?}");
}

#[test]
fn segments_whose_ends_are_within_ulps_of_the_other_line() {
    let mut random = Random::new(24);
    let (mut seen, mut plain, mut less) = ([0; 3], 0, 0);
    for _ in 0..CASES {
        let (a, b, tip) = (point(&mut random, 1.0), point(&mut random, 1.0), point(&mut random, 1.0));
        let t = 0.5 + 0.45 * unit(&mut random);
        let on = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        let on = [shifted(&mut random, on[0], 2), shifted(&mut random, on[1], 2)];
        let ends = [[a[0], a[1], b[0], b[1]], [on[0], on[1], tip[0], tip[1]]];
        let few = Few::new([Circle::new([0.0, 0.0], 9.0); 2]);
        let exact = geometry::segment_segment(Segment::new(a, b), Segment::new(on, tip));
        for text in Text::ALL {
            let (mut pairs, mut out) = (PairList::default(), Vec::new());
            circle_run(text, few.circles(), 0, 9.0, 1..2, &mut pairs);
            segment_segment(text, &ends, &pairs, &mut out);
            assert!(out[0].is_none_or(|hit| hit == exact.is_hit()), "{text:?} {ends:?}");
            seen[match out[0] {
                None => 0,
                Some(false) => 1,
                Some(true) => 2,
            }] += 1;
        }
        let side = |q: [f32; 2]| {
            let (left, right) = ((b[0] - a[0]) * (q[1] - a[1]), (b[1] - a[1]) * (q[0] - a[0]));
            (left - right, left.abs() + right.abs())
        };
        let Some(left) = is_left(on, Segment::new(a, b)) else { continue };
        let (value, sum) = side(on);
        plain += usize::from((value > 0.0) != left && value != 0.0);
        less += usize::from((value > 0.0) != left && value.abs() > sum * SUM_BOUND);
    }
    assert!(seen.iter().all(|&n| n > 100) && less > 0, "{seen:?} {plain} {less}");
}
