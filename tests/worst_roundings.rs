//! Promise: values and decisions are right where double precision is nearly as wrong as its bounds allow, and where it is wrong altogether.
//!
//! The quick ways to a value are double precision with a bound on its error. Bounds of a worst case are hard to reach: every rounding has to
//! be off by nearly all it can be, all in one direction, and the value has to lie beside the middle of two neighbours, on the other
//! side. Such numbers were sought, with differences of an `f32` near 1 and one near 2^-37, which round as far off as is wanted; so that half of
//! each bound would take a wrong value for sure. Truth is rational arithmetic. Every case stands at three scales and on both axes.

use crate::common::oracle::*;
use crate::common::oracle_cases::Random;
use gridlane::geometry::*;

/// What the numbers are multiplied by.
const SCALES: [f32; 3] = [1.0, 1.0 / (1u64 << 40) as f32, (1u64 << 40) as f32];

/// Each case of the bits of numbers, at each scale, with the axis that its first coordinates lie on.
fn each<const N: usize>(cases: &[[u32; N]], check: impl Fn([f32; N], usize)) {
    for case in cases {
        for scale in SCALES {
            for axis in [0, 1] {
                check(case.map(|bits| f32::from_bits(bits) * scale), axis);
            }
        }
    }
}

fn at(axis: usize, x: f32, y: f32) -> Vec2 {
    if axis == 0 { Vec2::new(x, y) } else { Vec2::new(y, x) }
}

fn on(axis: usize, p: Vec2) -> f32 {
    if axis == 0 { p.x } else { p.y }
}

fn minus(a: f32, b: f32) -> f64 {
    f64::from(a) - f64::from(b)
}

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

fn sum(r: f32, s: f32) -> f64 {
    f64::from(r) + f64::from(s)
}

#[test]
fn normals() {
    // Two centres.
    let cases = [
        [0x2aa3_9128, 0x2d71_6688, 0x3b80_3d09, 0x3f80_0288],
        [0x2b0a_a5e9, 0x2d3b_5668, 0x3b80_1d91, 0x3f80_0188],
        [0x2be3_8284, 0xad1c_0370, 0x3b80_35db, 0x3f80_05eb],
        [0xaa10_4fc5, 0xad53_2478, 0x3a00_28b7, 0x3f80_01a2],
    ];
    each(&cases, |[px, py, qx, qy], axis| {
        let (p, q) = (at(axis, px, py), at(axis, qx, qy));
        let expected = nearest2(&unit(&q2(p), &q2(q)));
        let v = [minus(qx, px), minus(qy, py)];
        assert_ne!((v[0] / length(v)) as f32, on(axis, expected));
        assert_eq!(circle_circle(Circle::new(p, qy), Circle::new(q, qy)).unwrap().normal, expected);
    });
}

#[test]
fn distances_of_circles() {
    // Two centres and two radii: for the difference of distance and radii.
    let cases = [
        [0x0000_0000, 0x2d12_cc88, 0x3c00_000a, 0x3f80_003f, 0x350f_d3ee, 0x2d3f_9f44],
        [0x0000_0000, 0x2d21_c278, 0x3d00_001b, 0x3f80_00e9, 0x3586_9b9b, 0x2d40_7ec0],
        [0x0000_0000, 0x2d21_c278, 0x3d00_001b, 0x3f80_00e9, 0x3633_4dce, 0x2d3e_7ed1],
    ];
    each(&cases, |case, axis| {
        let [px, py, qx, qy, r, s] = case;
        assert_ne!((length([minus(qx, px), minus(qy, py)]) - sum(r, s)) as f32, check_gap(case, axis));
    });
    // For the quotient that is taken where they are alike, though the square of the one less that of the other is right.
    let cases = [
        [0x0000_0000, 0x2d0b_7368, 0x3d00_048b, 0x3f80_03e1, 0x36d8_9aa3, 0x2d3d_82ae],
        [0x0000_0000, 0x2d1b_7278, 0x3b80_077e, 0x3f80_0030, 0x362c_3a5b, 0x2d3e_c4a2],
        [0x0000_0000, 0xad29_9c70, 0x3c00_01f5, 0x3f80_0151, 0x35f8_4315, 0x2d3f_1765],
    ];
    each(&cases, |case, axis| {
        let [px, py, qx, qy, r, s] = case;
        let (v, reach) = (sub(&q2([qx, qy]), &q2([px, py])), q(r) + q(s));
        let excess = (square(&v) - &reach * &reach).to_f64().value();
        let both = length([minus(qx, px), minus(qy, py)]) + sum(r, s);
        assert_ne!((excess / both) as f32, check_gap(case, axis));
    });
}

/// What is right, which is what is found.
fn check_gap([px, py, qx, qy, r, s]: [f32; 6], axis: usize) -> f32 {
    let (p, other) = (at(axis, px, py), at(axis, qx, qy));
    let expected = nearest(&(root(&square(&sub(&q2(p), &q2(other)))) - q(r) - q(s)));
    assert_eq!(circle_circle_gap(Circle::new(p, r), Circle::new(other, s)).unwrap().separation, expected);
    expected
}

#[test]
fn points_between_circles() {
    // Two centres and two radii, the first by far the larger.
    let cases = [
        [0x2902_7e68, 0xad78_5978, 0x3b80_00b0, 0x3f80_005c, 0x4780_0000, 0x3b80_19b6],
        [0xa823_4378, 0x2d16_cf60, 0x3a80_005b, 0x3f80_0027, 0x4680_0002, 0x3b40_b0bc],
        [0xa908_5a68, 0x2d27_a678, 0x3b80_00df, 0x3f80_0019, 0x4580_0005, 0x3aa3_3719],
        [0xa9fd_0398, 0xad6c_3b78, 0x3c00_019e, 0x3f80_0006, 0x4800_0033, 0x3cbd_339d],
    ];
    each(&cases, |[px, py, qx, qy, r, s], axis| {
        let (a, b) = (Circle::new(at(axis, px, py), r), Circle::new(at(axis, qx, qy), s));
        let (p, other) = (q2(a.center), q2(b.center));
        let half = Q::from_parts(1.into(), 2u8.into());
        let both = [&p[0] + &other[0], &p[1] + &other[1]];
        let expected = nearest2(&along(&both, &unit(&p, &other), &(q(r) - q(s))).map(|v| v * &half));
        let v = [minus(qx, px), minus(qy, py)];
        assert_ne!(((sum(px, qx) + v[0] / length(v) * minus(r, s)) * 0.5) as f32, on(axis, expected));
        assert_eq!(circle_circle(a, b).unwrap().point, expected);
    });
}

#[test]
fn centres_pushed_out() {
    // The end of a segment, a centre, and two radii.
    let cases = [[0x2863_7570, 0x2d36_f088, 0xba80_0057, 0xbf80_002d, 0x4000_0195, 0x355f_e6da]];
    each(&cases, |[ex, ey, cx, cy, r, s], axis| {
        let (end, center) = (at(axis, ex, ey), at(axis, cx, cy));
        let normal = unit(&q2(center), &q2(end));
        let expected = nearest2(&along(&q2(end), &normal, &-(q(r) + q(s))));
        let v = [minus(ex, cx), minus(ey, cy)];
        assert_ne!((f64::from(ex) - v[0] / length(v) * sum(r, s)) as f32, on(axis, expected));
        // The segment goes on away from the centre.
        let wall = Segment::new(end, Vec2::new(-center.x, -center.y)).with_radius(s);
        assert_eq!(push_out(Circle::new(center, r), wall), expected);
    });
}

#[test]
fn feet() {
    // Both ends and a point.
    let cases = [
        [0x2903_5168, 0x2d3e_c290, 0x3b80_005d, 0x3f80_01e5, 0x3f80_0013, 0xaf29_19a0],
        [0x2903_5168, 0x2d3e_c290, 0x3b80_005d, 0x3f80_01e5, 0x3f80_004f, 0x2fad_22bc],
        [0xa909_87a8, 0x2d0d_95a8, 0x3b80_0001, 0x3f80_0040, 0x3f80_025c, 0xaf69_096f],
        [0xa9fb_3878, 0x2d4f_9b68, 0x3c00_0001, 0x3f80_0159, 0x3f80_0037, 0x2f02_e582],
    ];
    each(&cases, |[ax, ay, bx, by, px, py], axis| {
        let (a, b, p) = (at(axis, ax, ay), at(axis, bx, by), at(axis, px, py));
        let near = point_segment(&q2(p), &q2(a), &q2(b));
        let expected = nearest2(&near.foot);
        let (e, w) = ([minus(bx, ax), minus(by, ay)], [minus(px, ax), minus(py, ay)]);
        let share = e[0] / (length(e) * length(e));
        assert_ne!((f64::from(ax) + (w[0] * e[0] + w[1] * e[1]) * share) as f32, on(axis, expected));
        assert_eq!(circle_segment_gap(Circle::new(p, bx), Segment::new(a, b)).unwrap().point, expected);
    });
}

#[test]
fn distances_of_flanks() {
    // Both ends, a centre and two radii: for the difference of height and radii.
    let cases = [
        [0x2815_e750, 0xad18_6c50, 0x3a80_02c2, 0x3f80_0033, 0x3f80_016b, 0x3a00_000f, 0x343f_d58a, 0x2dc0_0e3d],
        [0x28fd_18a0, 0xad1f_1aa0, 0x3b00_000a, 0x3f80_003a, 0x3f80_0039, 0x3780_00de, 0x348f_fee3, 0x2dbf_e8c6],
        [0x2954_a278, 0x2d0e_5f48, 0x3b80_0010, 0x3f80_002f, 0x3f80_0078, 0x3580_0000, 0x343c_0382, 0x2dbf_fa46],
    ];
    each(&cases, |case, axis| {
        let ([_, _, _, _, _, _, r, s], [height, _]) = (case, height(case));
        assert_ne!((height - sum(r, s)) as f32, check_flank(case, axis));
    });
    // For the quotient that is taken where they are alike: with the radii by far the larger, with a height that is what is left of
    // products some 10 000 times as large, and of four times as large.
    let cases = [
        [0x0000_0000, 0x2d2c_6378, 0x3c00_00cc, 0x3f80_014b, 0x3980_04f7, 0x3f00_0000, 0x3f80_001b, 0x3381_978c],
        [0x0000_0000, 0x2d2c_8578, 0x3b00_004f, 0x3f80_002a, 0x3800_0000, 0x3f00_0001, 0x3f80_005f, 0x330b_3ff2],
        [0x0000_0000, 0xad44_f888, 0x3b00_0068, 0x3f80_002a, 0x3900_003b, 0x3f00_0016, 0x3f80_000c, 0x331f_4ff4],
        [0xad05_ca50, 0xad5e_f3b0, 0x3f80_0000, 0x3f80_0002, 0x3f00_0608, 0x3f00_0a0a, 0x2d61_0ea8, 0x2d40_0000],
        [0xad37_df48, 0xad3c_f4b8, 0x3f80_0019, 0x3f80_0003, 0x3f00_068b, 0x3f00_0875, 0x2de9_4b42, 0x2d40_0000],
        [0xad52_0eb8, 0xad30_e848, 0x3f80_000c, 0x3f80_0097, 0x3f00_03ed, 0x3f00_0c78, 0x2e30_68af, 0x2d40_0000],
        [0xad15_3958, 0xad10_79a8, 0x3f80_0000, 0x3f80_0060, 0x3f00_0004, 0x3e94_39cc, 0x347a_ef59, 0x2d3f_e76f],
        [0xad23_15b0, 0xad0c_e850, 0x3f80_000c, 0x3f80_0002, 0x3f00_0001, 0x3e94_394e, 0x33f5_fb40, 0x2d40_013b],
        [0xad2d_3548, 0xad04_51b8, 0x3f80_0148, 0x3f80_000a, 0x3f00_006f, 0x3e94_3868, 0x3482_8cbb, 0x2d3f_e761],
    ];
    each(&cases, |case, axis| {
        let ([ax, ay, bx, by, px, py, r, s], [height, length]) = (case, height(case));
        let (e, w) = (sub(&q2([bx, by]), &q2([ax, ay])), sub(&q2([px, py]), &q2([ax, ay])));
        let (cross, reach) = (&e[0] * &w[1] - &e[1] * &w[0], q(r) + q(s));
        let excess = (&cross * &cross - &reach * &reach * square(&e)).to_f64().value();
        assert_ne!((excess / (length * length * (height + sum(r, s)))) as f32, check_flank(case, axis));
    });
}

/// Of the centre over the wall, and the wall's length.
fn height([ax, ay, bx, by, px, py, _, _]: [f32; 8]) -> [f64; 2] {
    let (e, w) = ([minus(bx, ax), minus(by, ay)], [minus(px, ax), minus(py, ay)]);
    [(e[0] * w[1] - e[1] * w[0]).abs() / length(e), length(e)]
}

/// What is right, which is what is found.
fn check_flank([ax, ay, bx, by, px, py, r, s]: [f32; 8], axis: usize) -> f32 {
    let (a, b, p) = (at(axis, ax, ay), at(axis, bx, by), at(axis, px, py));
    let near = point_segment(&q2(p), &q2(a), &q2(b));
    let expected = nearest(&(root(&near.distance2) - q(r) - q(s)));
    let gap = circle_segment_gap(Circle::new(p, r), Segment::new(a, b).with_radius(s)).unwrap();
    assert_eq!((gap.separation, gap.feature), (expected, Feature::Interior));
    expected
}

#[test]
fn touches_of_flanks() {
    // Both ends, a centre and two radii: squares of the height and of the radii are more than 12 of 2^-53 apart, and the wrong way round.
    let cases = [
        [0x28bf_1a70, 0xad0a_ff50, 0x3b00_00d2, 0x3f80_0036, 0xac00_0000, 0x3f00_0023, 0x3a80_00af, 0x2bed_d20d],
        [0xa8d9_6788, 0xad63_0648, 0x3b00_0000, 0x3f80_005e, 0xac00_0029, 0x3f00_017b, 0x3a80_010d, 0x2bc9_78a1],
        [0xa8ed_e890, 0xad3c_5748, 0x3b00_0000, 0x3f80_0019, 0xac00_0351, 0x3f00_02f8, 0x3a80_02cf, 0x2bc7_17f9],
    ];
    each(&cases, |[ax, ay, bx, by, px, py, r, s], axis| {
        let (a, b, p) = (at(axis, ax, ay), at(axis, bx, by), at(axis, px, py));
        let near = point_segment(&q2(p), &q2(a), &q2(b));
        let reach = q(r) + q(s);
        let expected = near.distance2 <= &reach * &reach;
        let (e, w) = ([minus(bx, ax), minus(by, ay)], [minus(px, ax), minus(py, ay)]);
        let (height, radii) = (e[0] * w[1] - e[1] * w[0], sum(r, s));
        let excess = height * height - radii * radii * (e[0] * e[0] + e[1] * e[1]);
        assert!((excess <= 0.0) != expected && excess.abs() > 12.0 * 0.5 * f64::EPSILON * height * height);
        assert_eq!(circle_touches_segment(Circle::new(p, r), Segment::new(a, b).with_radius(s)), expected);
    });
}

#[test]
fn heights_below_what_double_precision_loses() {
    // Walls of some 2^-90 that start some 2^-127 off the origin, and their middle, as it would be without that: what it is off the line is a
    // few of the least numbers there are, and double precision loses more than that from the products.
    let mut random = Random::new(51);
    let least = f32::from_bits(1);
    let mut nothing = 0;
    for case in 0..4_000 {
        let mut size = || ((1 << 23) + random.below(1 << 23)) as f32 / 8_388_608.0 * (2.0f32).powi(-90);
        let end = Vec2::new(size(), size());
        let ax = random.below(1 << 22) as f32 * least;
        let ay = (f64::from(ax) * f64::from(end.y) / f64::from(end.x)) as f32 + (random.below(9) as f32 - 4.0) * least;
        let (a, p) = (Vec2::new(ax, ay), Vec2::new(end.x * 0.5, end.y * 0.5));
        let near = point_segment(&q2(p), &q2(a), &q2(end));
        let distance = root(&near.distance2);
        let radius = if case % 2 == 0 { 0.0 } else { random.below(8) as f32 * least };
        let expected = nearest(&(distance - q(radius)));
        let gap = circle_segment_gap(Circle::new(p, radius), Segment::new(a, end)).unwrap();
        assert_eq!(gap.separation, expected, "{p:?} {a:?} {end:?} {radius:e}");
        nothing += usize::from(expected == 0.0);
    }
    assert!(nothing < 2_000, "{nothing}");
}
