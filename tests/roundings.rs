//! Promise: values are the nearest `f32` even where double precision lands on the middle of two, on the wrong side or on neither.
//!
//! The quick ways to a value are double precision with a bound on its error, and a bound that is too small shows only where
//! rounding turns on the last bit: one random case in some hundred million. These were looked for: integers for which the
//! formula of the textbooks, in double precision, rounds to the wrong one of two neighbours. Each test sees first that
//! it does. Truth is rational arithmetic. Every case stands at three scales: powers of two change no rounding, and a bound that has the
//! wrong degree, a product of two terms instead of their sum, is too small where numbers are small.

use crate::common::oracle::*;
use crate::common::oracle_cases::Random;
use gridlane::geometry::*;
use gridlane::{Backend, Contacts, Detector, DetectorConfig, Segments};

/// What the integers are multiplied by.
const SCALES: [f32; 3] = [1.0, 1.0 / (1u64 << 40) as f32, (1u64 << 40) as f32];

fn wide(v: i32) -> f64 {
    f64::from(v)
}

fn at(x: i32, y: i32) -> Vec2 {
    assert!(x.abs() <= 1 << 24 && y.abs() <= 1 << 24, "{x} {y} are no f32");
    Vec2::new(x as f32, y as f32)
}

/// The same for each scale, with a way to make a radius or a coordinate.
fn at_every_scale(check: impl Fn(&dyn Fn(i32, i32) -> Vec2, &dyn Fn(i32) -> f32)) {
    for scale in SCALES {
        let size = |v: i32| at(v, 0).x * scale;
        check(&|x, y| Vec2::new(size(x), size(y)), &size);
    }
}

fn length(x: i32, y: i32) -> f64 {
    (wide(x) * wide(x) + wide(y) * wide(y)).sqrt()
}

#[test]
fn normals() {
    for (x, y) in [
        (10_455_955, 7_519_083),
        (13_945_729, 13_857_289),
        (13_008_819, 2_852_501),
        (4_149_025, 4_651_681),
        (2_964_033, 5_858_097),
        (5_513_093, 5_767_395),
    ] {
        let direction = nearest2(&unit(&q2([0.0, 0.0]), &q2(at(x, y))));
        assert_ne!((wide(x) / length(x, y)) as f32, direction.x);
        at_every_scale(|at, size| {
            // From centre to centre, to the end of a segment, and off the flank of one.
            let (zero, far) = (Circle::new([0.0, 0.0], 2.0 * size(1 << 24)), at(x, y));
            let (other, back) = (Circle::new(far, size(1)), Vec2::new(-direction.x, -direction.y));
            assert_eq!(circle_circle(zero, other).unwrap().normal, direction);
            assert_eq!(circle_circle(other, zero).unwrap().normal, back);
            assert_eq!(circle_segment(zero, Segment::new(far, far)).unwrap().normal, direction);
            let wall = Segment::new(at(-y, x), at(y, -x));
            let flank = circle_segment(Circle::new(at(0, -1), size(2)), wall).unwrap();
            let left = Vec2::new(x.signum() as f32 * direction.x, direction.y);
            assert_eq!((flank.normal, flank.feature), (left, Feature::Interior));
        });
    }
}

#[test]
fn separations_of_circles_and_ends() {
    for (x, y, reach) in [
        (730_081, 6_825_977, 6_925_812),
        (5_068_104, 3_399_035, 6_273_877),
        (2_762_287, 4_730_224, 5_484_268),
        (7_414_721, 4_220_070, 8_536_085),
        (3_848_262, 3_133_786, 5_297_866),
        (4_065_777, 7_009_219, 8_179_261),
        (5_107_434, 7_017_575, 9_437_102),
        (3_858_743, 1_819_847, 4_280_995),
    ] {
        let expected = nearest(&(root(&square(&q2(at(x, y)))) - q(reach as f32)));
        assert_ne!((length(x, y) - wide(reach)) as f32, expected);
        at_every_scale(|at, size| {
            let expected = expected * size(1);
            for part in [0, 1, reach / 2] {
                let circle = Circle::new([0.0, 0.0], size(reach - part));
                let other = Circle::new(at(x, y), size(part));
                assert_eq!(circle_circle(circle, other).unwrap().separation, expected);
                let wall = Segment::new(at(x, y), at(2 * x, 2 * y)).with_radius(size(part));
                assert_eq!(circle_segment(circle, wall).unwrap().separation, expected);
            }
        });
    }
}

#[test]
fn separations_of_flanks() {
    for (ex, ey, x, y, reach) in [
        (7_735_777, 8_122_797, 7_781_810, -6_219_433, 10_086_429),
        (6_674_487, 1_851_311, 4_521_543, -3_573_102, 4_806_892),
        (6_750_627, 4_837_756, 2_869_088, -1_590_953, 3_454_026),
        (5_900_984, 4_784_082, 7_409_837, -8_161_243, 11_255_975),
        (8_005_733, 1_702_258, 7_497_077, -6_220_177, 7_902_477),
        (5_085_065, 4_011_991, 3_854_054, -2_010_212, 4_222_593),
        (6_725_325, 900_196, 3_162_288, -8_032_855, 9_145_033),
        (4_219_830, 855_221, 2_543_345, -5_249_645, 5_665_843),
    ] {
        let (zero, end) = (Vec2::ZERO, at(ex, ey));
        let near = point_segment(&q2(at(x, y)), &q2(zero), &q2(end));
        let expected = nearest(&(root(&near.distance2) - q(reach as f32)));
        let height = (wide(ex) * wide(y) - wide(ey) * wide(x)).abs();
        assert_ne!((height / length(ex, ey) - wide(reach)) as f32, expected);
        at_every_scale(|at, size| {
            for part in [0, 1, reach / 2] {
                let wall = Segment::new(zero, at(ex, ey)).with_radius(size(part));
                let contact = circle_segment(Circle::new(at(x, y), size(reach - part)), wall).unwrap();
                assert_eq!((contact.separation, contact.feature), (expected * size(1), Feature::Interior));
            }
        });
    }
}

#[test]
fn feet() {
    for (base, ex, ey, x, y) in [
        (1_086_496, 1_526_964, 3_582_640, 1_584_874, 2_528_907),
        (472_864, 2_611_638, 2_996_892, 1_923_910, 1_802_602),
        (355_872, 3_460_665, 334_228, 3_058_084, 1_823_927),
        (151_936, 547_384, 1_915_553, 2_074_435, 492_194),
        (229_568, 1_288_490, 4_166_633, 3_859_515, 1_510_774),
    ] {
        let (a, b, p) = (at(base, 0), at(base + ex, ey), at(base + x, y));
        let near = point_segment(&q2(p), &q2(a), &q2(b));
        let dot = wide(ex) * wide(x) + wide(ey) * wide(y);
        let l = length(ex, ey);
        assert_ne!((wide(base) + dot * (wide(ex) / (l * l))) as f32, nearest(&near.foot[0]));
        let foot = nearest2(&near.foot);
        at_every_scale(|at, size| {
            let (wall, p) = (Segment::new(at(base, 0), at(base + ex, ey)), at(base + x, y));
            let foot = Vec2::new(foot.x * size(1), foot.y * size(1));
            assert_eq!(nearest_on_segment(p, wall).foot, foot);
            assert_eq!(circle_segment(Circle::new(p, size(10_000_000)), wall).unwrap().point, foot);
        });
    }
}

#[test]
fn feet_of_far_centres_on_short_walls() {
    // The centre is 2^22 lengths of the wall off its flank, where single precision still places it within half of one, and the wall starts so
    // near the origin that differences are rounded: what the dot product loses is that far from what is left of it.
    let mut random = Random::new(34);
    let mut unit = || (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0;
    let power = |k: i32| (2.0f32).powi(k);
    let (mut wrong, mut feet) = (0, 0);
    for case in 0..8_000 {
        let scale = power([-7, -40][case % 2]);
        let (b, a) = ([unit(), unit()], [unit() * power(-16), unit() * power(-16)]);
        let far = power(22);
        let e = [f64::from(b[0]) - f64::from(a[0]), f64::from(b[1]) - f64::from(a[1])];
        let (wx, wy) = (0.5 * e[0] - f64::from(far) * e[1], 0.5 * e[1] + f64::from(far) * e[0]);
        let p = [(f64::from(a[0]) + wx) as f32, (f64::from(a[1]) + wy) as f32];
        let [p, a, b] = [p, a, b].map(|q: [f32; 2]| q.map(|x| x * scale));
        let near = point_segment(&q2(p), &q2(a), &q2(b));
        let expected = nearest2(&near.foot);
        let contact = circle_segment(Circle::new(p, 4.0 * far * scale), Segment::new(a, b)).unwrap();
        assert_eq!(contact.point, expected, "{p:?} {a:?} {b:?}");
        let to = |q: [f32; 2]| [f64::from(q[0]) - f64::from(a[0]), f64::from(q[1]) - f64::from(a[1])];
        let (e, w) = (to(b), to(p));
        let share = (e[0] * w[0] + e[1] * w[1]) / (e[0] * e[0] + e[1] * e[1]);
        feet += usize::from(contact.feature == Feature::Interior);
        wrong += usize::from((f64::from(a[0]) + share * e[0]) as f32 != expected.x && share > 0.0 && share < 1.0);
    }
    assert!(feet > 7_000 && wrong > 10, "{feet} {wrong}");
}

#[test]
fn outlines_and_centres_pushed_out() {
    for (x, y, reach, from) in [
        (5_098_105, 5_305_588, 1_036_269, -1_851_343),
        (5_379_192, 3_892_367, 3_820_960, -1_663_786),
        (2_719_297, 585_393, 2_538_685, -781_105),
        (4_640_272, 925_519, 925_780, -3_885_176),
        (4_063_167, 1_859_848, 3_779_522, -2_459_874),
        (5_368_158, 5_504_662, 3_456_464, -918_394),
        (3_038_802, 6_657_067, 4_044_462, -3_170_095),
        (6_194_932, 4_350_738, 4_187_967, -2_428_830),
        // As far from the origin as the outline is from the end, on either side of it.
        (6_918_878, 3_867_193, 8_329_717, -6_918_878),
        (-6_918_878, 3_867_193, 8_329_717, 6_918_878),
    ] {
        // The end lies (x, y) from the centre, and the segment goes on that way.
        let (end, center) = (at(from, 0), at(from - x, -y));
        let normal = unit(&q2(center), &q2(end));
        let expected = nearest2(&along(&q2(end), &normal, &-q(reach as f32)));
        assert_ne!((wide(from) - wide(x) / length(x, y) * wide(reach)) as f32, expected.x);
        at_every_scale(|at, size| {
            let expected = Vec2::new(expected.x * size(1), expected.y * size(1));
            let wall = Segment::new(at(from, 0), at(from + x, y));
            let capsule = wall.with_radius(size(reach));
            let circle = Circle::new(at(from - x, -y), size(10_000_000));
            assert_eq!(circle_segment(circle, capsule).unwrap().point, expected);
            // Pushed out by this much in all: the same point, for a centre on the way to the end. Half of it has the same direction.
            if x % 2 == 0 && y % 2 == 0 && length(x / 2, y / 2) < wide(reach) {
                let near = at(from - x / 2, -y / 2);
                assert_eq!(push_out(Circle::new(near, size(reach)), wall), expected);
            }
        });
    }
}

#[test]
fn outlines_that_leave_almost_nothing() {
    let mut random = Random::new(33);
    let (mut wrong, mut wrong_beside) = (0, 0);
    for _ in 0..1_000 {
        // A capsule with the radius, rounded, that reaches from its end to the centre: the point is what is left of the end.
        let (x, y) = ((random.below(1 << 23) + 1) as i32, (random.below(1 << 23) + 1) as i32);
        let radius = length(x, y) as f32;
        let normal = unit(&q2([0.0, 0.0]), &q2(at(x, y)));
        let expected = nearest2(&along(&q2(at(x, y)), &normal, &-q(radius)));
        wrong += usize::from((wide(x) - wide(x) / length(x, y) * f64::from(radius)) as f32 != expected.x);
        at_every_scale(|at, size| {
            let capsule = Segment::new(at(x, y), at(2 * x, 2 * y)).with_radius(radius * size(1));
            let contact = circle_segment(Circle::new([0.0, 0.0], size(1)), capsule).unwrap();
            assert_eq!(contact.point, Vec2::new(expected.x * size(1), expected.y * size(1)));
        });
        // And one from the origin along (x, y) with the radius that leaves nothing of the first coordinate of a foot at 3/4 of it.
        let (px, py) = (x / 4 * 3 - y / 8, y / 4 * 3 + x / 8);
        let l = length(x, y);
        let foot = (wide(px) * wide(x) + wide(py) * wide(y)) * (wide(x) / (l * l));
        let radius = (foot * l / wide(y)) as f32;
        if px <= 0 || radius >= 1e7 {
            continue;
        }
        let (a, b) = (q2([0.0, 0.0]), q2(at(x, y)));
        let near = point_segment(&q2(at(px, py)), &a, &b);
        let right = unit(&a, &q2(at(y, -x)));
        let expected = nearest2(&along(&near.foot, &right, &-q(radius)));
        wrong_beside += usize::from((foot - wide(y) / l * f64::from(radius)) as f32 != expected.x);
        at_every_scale(|at, size| {
            let capsule = Segment::new([0.0, 0.0], at(x, y)).with_radius(radius * size(1));
            let contact = circle_segment(Circle::new(at(px, py), size(1 << 23)), capsule).unwrap();
            assert_eq!(contact.point, Vec2::new(expected.x * size(1), expected.y * size(1)));
            assert_eq!(contact.feature, Feature::Interior);
        });
    }
    assert!(wrong > 50 && wrong_beside > 50, "{wrong} {wrong_beside}");
}

#[test]
fn points_between_two_circles() {
    for (x, y, more, s) in [(2_994_085, 6_582_182, 1_023_484, 4_000_000), (6_918_878, 3_867_193, 8_329_717, 100_000)] {
        check_point_between(x, y, more, s);
    }
}

/// The second circle lies (x, y) from the first, whose radius is larger by `more`.
fn check_point_between(x: i32, y: i32, more: i32, s: i32) {
    let (p, r) = (at(x, y), s + more);
    let half = Q::from_parts(1.into(), 2u8.into());
    let normal = unit(&q2(Vec2::ZERO), &q2(p));
    let middle = along(&q2(p), &normal, &q(more as f32)).map(|v| v * &half);
    let expected = nearest2(&middle);
    assert_ne!(((wide(x) + wide(x) / length(x, y) * wide(more)) * 0.5) as f32, expected.x);
    let middle = [&middle[0] - q(x as f32), &middle[1] - q(y as f32)];
    let from_other = nearest2(&middle);
    at_every_scale(|at, size| {
        let scaled = |p: Vec2, sx: i32, sy: i32| Vec2::new(p.x * sx as f32 * size(1), p.y * sy as f32 * size(1));
        for (sx, sy) in [(1, 1), (-1, 1), (1, -1)] {
            let other = Circle::new(at(sx * x, sy * y), size(s));
            let contact = circle_circle(Circle::new([0.0, 0.0], size(r)), other).unwrap();
            assert_eq!(contact.point, scaled(expected, sx, sy));
        }
        // Seen from the other one, and not from the origin.
        let back = circle_circle(Circle::new([0.0, 0.0], size(s)), Circle::new(at(-x, -y), size(r))).unwrap();
        assert_eq!(back.point, scaled(from_other, 1, 1));
    });
}

/// What the pairwise function and detectors of both backends find for a pair that crosses, against rational numbers.
fn check_crossing(a: Segment, b: Segment) -> [f32; 2] {
    let ends = [q2(a.start), q2(a.end), q2(b.start), q2(b.end)];
    let Meet::Cross { point, t, u } = meet([&ends[0], &ends[1]], [&ends[2], &ends[3]]) else {
        panic!("they cross: {a:?} {b:?}")
    };
    let expected = SegmentRelation::Cross { point: nearest2(&point), t: nearest(&t), u: nearest(&u) };
    assert_eq!(segment_segment(a, b), expected, "{a:?} {b:?}");
    let column = |f: &dyn Fn(Segment) -> f32| [f(a), f(b)];
    let (x0, y0) = (column(&|s| s.start.x), column(&|s| s.start.y));
    let (x1, y1) = (column(&|s| s.end.x), column(&|s| s.end.y));
    for backend in [Backend::Wide, Backend::Scalar] {
        let mut detector = Detector::new(DetectorConfig::default().with_backend(backend)).unwrap();
        let mut contacts = Contacts::new();
        detector.set_segments(Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
        detector.detect(gridlane::Circles { x: &[], y: &[], radius: &[] }, &mut contacts).unwrap();
        let found = contacts.segment_segment()[0];
        let found = SegmentRelation::Cross { point: found.point, t: found.t, u: found.u };
        assert_eq!(found, expected, "{a:?} {b:?} {backend:?}");
    }
    [nearest(&t), nearest(&u)]
}

#[test]
fn separations_of_long_walls_from_close_by() {
    // The centre is some 2^-25 of the wall's length off its line, the wall's start 2^-29 off the origin: the products are 2^25 times what is
    // left of them, and what their rounded differences lose counts as often.
    let mut random = Random::new(33);
    let mut unit = || (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0;
    let power = |k: i32| (2.0f32).powi(k);
    let mut wrong = 0;
    for case in 0..2_000 {
        let scale = SCALES[case % 3];
        let (b, a) = ([unit(), unit()], [unit() * power(-29), unit() * power(-29)]);
        let p = [0.5 * b[0] + unit() * power(-24), 0.5 * b[1] + unit() * power(-24)];
        let [p, a, b] = [p, a, b].map(|q: [f32; 2]| q.map(|x| x * scale));
        let near = point_segment(&q2(p), &q2(a), &q2(b));
        let distance = root(&near.distance2);
        let radius = (1.0 + unit().abs()) * nearest(&distance);
        let Some(contact) = circle_segment(Circle::new(p, radius), Segment::new(a, b)) else { continue };
        let expected = nearest(&(distance - q(radius)));
        assert_eq!((contact.separation, contact.feature), (expected, Feature::Interior), "{p:?} {a:?} {b:?} {radius}");
        let to = |q: [f32; 2]| [f64::from(q[0]) - f64::from(a[0]), f64::from(q[1]) - f64::from(a[1])];
        let (e, w) = (to(b), to(p));
        let height = (e[0] * w[1] - e[1] * w[0]).abs() / e[0].hypot(e[1]);
        wrong += usize::from((height - f64::from(radius)) as f32 != expected);
    }
    assert!(wrong > 10, "{wrong}");
}

#[test]
fn parameters_of_crossings() {
    let cross = |x: i32, y: i32, z: i32, w: i32| wide(x) * wide(w) - wide(y) * wide(z);
    let n = cross(1_005_125, 894_875, 277_219, -3_975_948);
    let t = (n * (1.0 / cross(4_175_439, 1_566_259, 277_219, -3_975_948))) as f32;
    at_every_scale(|at, _| {
        let a = Segment::new([0.0, 0.0], at(4_175_439, 1_566_259));
        let b = Segment::new(at(1_005_125, 894_875), at(1_005_125 + 277_219, 894_875 - 3_975_948));
        assert_ne!(t, check_crossing(a, b)[0]);
    });
}

#[test]
fn points_of_crossings_beside_the_middle_of_two() {
    // The coordinate is the middle of two neighbours but for a part in 2^40 of their distance, and negative: start, way, and the start of
    // the other from there with its way.
    for (ax, ay, rx, ry, wx, wy, sx, sy) in [
        (-11_665_477, 441_875, -1_077_541, 958_093, -212_325, -244_059, -631_996, 1_249_859),
        (-9_361_056, -1_017_750, 1_404_581, 514_995, 659_392, -27_377, 4_919, 1_309_386),
        (-11_326_706, -826_986, -1_304_902, 434_323, -927_866, -375_937, -284_297, 1_543_759),
        (-8_390_520, 611_055, -1_245_366, 800_027, -585_141, 522_589, 249_361, -934_153),
        (-9_243_314, 281_484, -1_067_543, 422_420, -755_578, 451_986, -1_252_940, -570_721),
        (-7_923_654, -822_613, -1_288_156, 1_735_295, -1_560_712, 909_959, 874_237, 879_351),
        (-11_616_458, -127_217, 1_121_720, 511_069, 1_024_505, 1_216_839, -271_329, -995_743),
        (-8_966_862, 923_180, 800_893, 262_802, 760_764, 1_092_868, -993_950, -2_071_767),
    ] {
        let cross = |x: i32, y: i32, z: i32, w: i32| wide(x) * wide(w) - wide(y) * wide(z);
        let t = cross(wx, wy, sx, sy) * (1.0 / cross(rx, ry, sx, sy));
        let textbook = (wide(ax) + t * wide(rx)) as f32;
        let ends = [(ax, ay), (ax + rx, ay + ry), (ax + wx, ay + wy), (ax + wx + sx, ay + wy + sy)];
        at_every_scale(|at, size| {
            let segment = |from: Vec2, to: Vec2| Segment::new(from, to);
            let [a0, a1, b0, b1] = ends.map(|(x, y)| at(x, y));
            check_crossing(segment(a0, a1), segment(b0, b1));
            let SegmentRelation::Cross { point, .. } = segment_segment(segment(a0, a1), segment(b0, b1)) else {
                panic!()
            };
            assert_ne!(point.x, textbook * size(1));
            // The same on the other axis.
            let [a0, a1, b0, b1] = ends.map(|(x, y)| at(y, x));
            check_crossing(segment(a0, a1), segment(b0, b1));
        });
    }
}

#[test]
fn crossings_close_to_an_end() {
    // One segment passes the start of the other at a millionth of its length: what is left of the products is little.
    let mut random = Random::new(31);
    let mut unit = || (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0;
    let mut wrong = 0;
    for case in 0..20_000 {
        let far = [1.0, 1.0 / 64.0][case % 2];
        let scale = SCALES[case / 2 % 3];
        let (start, end) = ([unit() * far * scale, unit() * far * scale], [unit() * scale, unit() * scale]);
        let (along, beside) = ([unit() * scale, unit() * scale], unit() * 1e-6);
        let (ax, ay) = (end[0] - start[0], end[1] - start[1]);
        let middle = [start[0] + beside.abs() * ax, start[1] + beside.abs() * ay];
        let (back, forth) = (unit().abs() + 0.1, unit().abs() + 0.1);
        let a = Segment::new(start, end);
        let b = Segment::new(
            [middle[0] - back * along[0], middle[1] - back * along[1]],
            [middle[0] + forth * along[0], middle[1] + forth * along[1]],
        );
        if !matches!(segment_segment(a, b), SegmentRelation::Cross { .. }) {
            continue;
        }
        let exact = check_crossing(a, b);
        let sub = |p: Vec2, q: Vec2| [f64::from(p.x) - f64::from(q.x), f64::from(p.y) - f64::from(q.y)];
        let (r, s, w) = (sub(a.end, a.start), sub(b.end, b.start), sub(b.start, a.start));
        let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let inverse = 1.0 / cross(r, s);
        wrong += usize::from((cross(w, s) * inverse) as f32 != exact[0]);
        check_crossing(b, a);
    }
    assert!(wrong > 10, "{wrong}");
}
