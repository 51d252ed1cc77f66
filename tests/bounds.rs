//! Promise: the rounding bounds in the kernels are large enough, and a sixteenth of them would not be.
//!
//! Pairs at the very edge: a radius that just touches by exact arithmetic, and its neighbour below that just does not; a foot or a
//! centre within a few ulps of where the answer changes. No text may lose the first, report the second, or call a doubtful side
//! sure. Truth are the pairwise functions, which are held against rational arithmetic elsewhere. Each test counts the
//! cases that plain single precision, and bounds of a sixteenth, decide wrongly: without such cases it would say nothing.

mod common;

use common::oracle_cases::Random;
use gridlane::internals::{PairList, Text, circle_circle, circle_run, circle_segment, segment_segment, wall_run};
use gridlane::{Circle, Circles, Feature, Segment, geometry};

/// 2^-24, the rounding unit.
const U: f32 = 1.0 / 16_777_216.0;
/// A sixteenth of the margins of the contract: 2^-20 on squares, 2^-21 on sums of products.
const SURE: f32 = U;
const SUM_BOUND: f32 = U / 2.0;

const CASES: usize = if cfg!(debug_assertions) { 4_000 } else { 40_000 };

/// In [-1, 1), all bits in use.
fn unit(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0
}

fn point(random: &mut Random, scale: f32) -> [f32; 2] {
    [unit(random) * scale, unit(random) * scale]
}

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

/// Columns of a few circles, eight NaN behind the last.
struct Few([[f32; 10]; 3]);

impl Few {
    fn new(circles: [Circle; 2]) -> Few {
        let mut columns = [[f32::NAN; 10]; 3];
        for (k, circle) in circles.iter().enumerate() {
            columns[0][k] = circle.center.x;
            columns[1][k] = circle.center.y;
            columns[2][k] = circle.radius;
        }
        Few(columns)
    }

    fn circles(&self) -> Circles<'_> {
        Circles { x: &self.0[0], y: &self.0[1], radius: &self.0[2] }
    }
}

#[test]
fn circles_that_just_touch_and_just_do_not() {
    let mut random = Random::new(21);
    let (mut lost, mut lost_by_less, mut wrong, mut wrong_by_less) = (0, 0, 0, 0);
    let mut cases = 0;
    for case in 0..CASES {
        let scale = [1.0, 1.0, 3e-20, 7e15][case % 4];
        let (p, q) = (point(&mut random, scale), point(&mut random, scale));
        let distance = (f64::from(p[0]) - f64::from(q[0])).hypot(f64::from(p[1]) - f64::from(q[1]));
        // Alike, where the largest radius is the least it can be; and one far larger, where the sum rounds most finely.
        let share = if case % 3 == 0 { 0.97 } else { 0.5 + 0.01 * f64::from(unit(&mut random)) };
        let a = Circle::new(p, (distance * share) as f32);
        let with = |radius: f32| Circle::new(q, radius);
        let Some((least, below)) =
            edge(distance - f64::from(a.radius), |radius| geometry::circles_touch(a, with(radius)))
        else {
            continue;
        };
        cases += 1;
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
                assert_eq!(contacts.len(), if touches { 2 } else { 0 }, "{text:?} {a:?} {:?}", with(radius));
            }
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            let (s, reach) = (dx * dx + dy * dy, a.radius + radius);
            let less = radius + (a.radius + 2.0 * U * largest);
            if touches {
                lost += usize::from(s > reach * reach);
                lost_by_less += usize::from(s > less * less);
            } else {
                let square = reach * reach;
                wrong += usize::from(s <= square);
                wrong_by_less += usize::from(s <= square - square * SURE);
            }
        }
    }
    println!("{cases}: {lost} {lost_by_less} {wrong} {wrong_by_less}");
    assert!(cases > CASES / 2 && lost > cases / 10 && wrong > cases / 10, "{cases}: {lost} {wrong}");
    assert!(lost_by_less > 0 && wrong_by_less > 0, "{lost_by_less} {wrong_by_less}");
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
    let (mut lost, mut lost_by_less, mut cases) = (0, 0, [0; 3]);
    for case in 0..CASES {
        let scale = [1.0, 1.0, 3e-20, 7e15][case % 4];
        let (a, b) = (point(&mut random, scale), point(&mut random, scale));
        // Near the flank, so that what is lost by rounding is much of the radius; or anywhere.
        let (t, off) = (unit(&mut random) * 0.6 + 0.5, unit(&mut random));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let off = off * [1.0, 1e-2, 1e-4][case % 3];
        let center = [a[0] + t * dx - off * dy, a[1] + t * dy + off * dx];
        let own = if case % 5 == 0 { scale * 0.01 } else { 0.0 };
        let wall = Segment::new(a, b).with_radius(own);
        let near = geometry::nearest_on_segment(center, wall);
        let with = |radius: f32| Circle::new(center, radius);
        let guess = f64::from(near.distance) - f64::from(own);
        let Some((least, below)) = edge(guess, |radius| geometry::circle_touches_segment(with(radius), wall)) else {
            continue;
        };
        cases[[Feature::Interior, Feature::Start, Feature::End].iter().position(|f| *f == near.feature).unwrap()] += 1;
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
            }
        }
    }
    println!("{cases:?}: {lost} {lost_by_less}");
    assert!(cases.iter().all(|&n| n > CASES / 20), "{cases:?}");
    assert!(lost > CASES / 50 && lost_by_less > 0, "{lost} {lost_by_less}");
}

/// Whether a point beside the flank is to the left of the wall: told from the exact normal, which leads to the wall.
fn is_left(p: [f32; 2], wall: Segment) -> Option<bool> {
    let contact = geometry::circle_segment(Circle::new(p, 9.0), wall)?;
    let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y);
    let on_core = geometry::circle_touches_segment(Circle::new(p, 0.0), wall);
    (contact.feature == Feature::Interior && !on_core).then(|| dy * contact.normal.x - dx * contact.normal.y > 0.0)
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
    println!("{plain:?} {less:?}");
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
    println!("{seen:?} {plain} {less}");
    assert!(seen.iter().all(|&n| n > 100) && less > 0, "{seen:?} {plain} {less}");
}
