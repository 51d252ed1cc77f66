//! Every quick answer of this room against the exact one, where rounding is at its worst.
//!
//! The tiers cover for each other: a quick one that gives up too soon costs time, and one that is too sure is wrong once in
//! millions of ordinary cases. So each is held here against exact numbers by itself, on inputs made for it: numbers of very different
//! sizes, so that differences are rounded too; sums that cancel; radii whose sum fits a distance to the last bits of `f64`.

use super::number::{Number, P, cross, diff, dot, norm2};
use super::{
    Few, Many, Part, Rough, Surd, Value, compare_to_line, compare_to_point, nearest_part, orient, reach, settle,
    side_of_vector, vector,
};
use std::cmp::Ordering;

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// 24 random bits, signed, times one of these powers of two.
fn number(g: &mut u64, powers: &[i32]) -> f32 {
    let bits = next(g);
    let size = (bits >> 40) as f32 * (2.0f32).powi(powers[(bits & 0xff) as usize % powers.len()] - 24);
    if bits & 0x100 == 0 { size } else { -size }
}

fn point(g: &mut u64, powers: &[i32]) -> P {
    [number(g, powers), number(g, powers)]
}

/// The same formula in both arithmetics.
#[derive(Clone, Copy, Debug)]
struct Both<const TIES: bool> {
    rough: Rough<TIES>,
    exact: Many,
}

impl<const TIES: bool> Both<TIES> {
    fn leaf(x: f32) -> Both<TIES> {
        Both { rough: Rough::from(x), exact: Many::from(x) }
    }

    /// Sum, difference or product.
    fn with(self, other: Both<TIES>, operation: u64) -> Both<TIES> {
        match operation % 3 {
            0 => Both { rough: self.rough + other.rough, exact: self.exact + other.exact },
            1 => Both { rough: self.rough - other.rough, exact: self.exact - other.exact },
            _ => Both { rough: self.rough * other.rough, exact: self.exact * other.exact },
        }
    }

    /// The interval holds the exact number, and the sign is right where there is one.
    fn check(self) {
        let ((low, high), exact) = (self.rough.interval(), self.exact);
        assert!((exact - Many::new(low)).sign() != Some(Ordering::Less), "{:?}", self.rough);
        assert!((exact - Many::new(high)).sign() != Some(Ordering::Greater), "{:?}", self.rough);
        assert!(self.rough.sign().is_none() || self.rough.sign() == exact.sign(), "{:?}", self.rough);
    }
}

fn bounds_hold<const TIES: bool>(seed: u64) {
    let mut g = seed;
    for case in 0..60_000 {
        // Sizes alike or far apart; the second operand often nearly the first, so that sums cancel.
        let powers: &[i32] = [&[0][..], &[0, -30], &[0, -27, -50], &[3, -13]][case % 4];
        let mut leaf = || Both::<TIES>::leaf(number(&mut g, powers));
        let (a, b, c, d) = (leaf(), leaf(), leaf(), leaf());
        let bits = next(&mut g);
        // A few operations deep, the last of them on numbers with errors of their own.
        let (x, y) = (a.with(b, bits).with(c, bits >> 8), d.with(b, bits >> 16).with(c, bits >> 24));
        let z = x.with(y, bits >> 32);
        for v in [x, y, z, z.with(z, 1), x.with(a.with(c, 2), 1), z.with(leaf_of(case), bits >> 40)] {
            v.check();
        }
        quotient_holds(x, y);
        // As wrong as its bound allows, and that is much of it: a number beside one so large that half of its places are rounded away.
        let (small, large) = (Both::leaf(number(&mut g, &[0])), Both::leaf(number(&mut g, &[51, 52, 53])));
        quotient_holds(x, large.with(small, 0).with(large, 1));
        root_holds(x.with(x, 2).with(y.with(y, 2), bits >> 48));
        root_holds(z.with(z, 2));
    }
}

fn leaf_of<const TIES: bool>(case: usize) -> Both<TIES> {
    Both::leaf([0.0, 1.0, -3.0, 0.1][case % 4])
}

/// The interval of `x / y` holds it: low y <= x <= high y for y > 0.
fn quotient_holds<const TIES: bool>(x: Both<TIES>, y: Both<TIES>) {
    let (low, high) = x.rough.over(y.rough).interval();
    if !(low.is_finite() && high.is_finite()) {
        return;
    }
    let sign = y.exact.sign().expect("it fits");
    assert_ne!(sign, Ordering::Equal, "a quotient by nothing");
    let against = |bound: f64| {
        let sign_above = (x.exact - Many::new(bound) * y.exact).sign().expect("it fits");
        if sign == Ordering::Less { sign_above.reverse() } else { sign_above }
    };
    assert!(against(low).is_ge() && against(high).is_le(), "{:?} / {:?}", x.rough, y.rough);
}

/// The interval of the root of a number that is not negative holds it.
fn root_holds<const TIES: bool>(x: Both<TIES>) {
    if x.exact.sign() == Some(Ordering::Less) {
        return;
    }
    let (low, high) = x.rough.sqrt().interval();
    let square = |v: f64| Many::new(v) * Many::new(v);
    assert!(low <= 0.0 || (x.exact - square(low)).sign() != Some(Ordering::Less), "{:?}", x.rough);
    assert!(high >= 0.0 && (x.exact - square(high)).sign() != Some(Ordering::Greater), "{:?}", x.rough);
}

#[test]
fn the_bounds_of_the_first_tier_hold() {
    bounds_hold::<false>(1);
    bounds_hold::<true>(2);
}

#[test]
fn nothing_is_known_of_a_quotient_by_what_may_be_nothing() {
    // The same product in two orders, less itself: all that is left is rounding, below 4u of it, and often something is. The bounds are
    // 3u of each.
    let mut g = 7;
    let mut left = 0;
    for case in 0..2_000 {
        let mut leaf = || Both::<false>::leaf(number(&mut g, &[0]));
        let (a, b, c, d, x) = (leaf(), leaf(), leaf(), leaf(), leaf());
        let product = |p: [Both<false>; 4]| p[0].with(p[1], 2).with(p[2], 2).with(p[3], 2);
        let rest = product([a, b, c, d]).with(product([b, c, d, a]), 1);
        // Nothing, or so little that the first tier does not see it.
        let tiny = Both::leaf([0.0, 1e-25][case % 2]);
        let (low, high) = x.rough.over(rest.with(tiny, 0).rough).interval();
        assert!(!(low >= f64::MIN && high <= f64::MAX), "{x:?} / {rest:?}");
        let (low, high) = rest.rough.interval();
        left += usize::from(low + high != 0.0);
    }
    assert!(left > 200, "{left}");
}

#[test]
fn the_first_tier_is_sure_of_what_is_plain() {
    // Bounds that are far too wide cost no answer but all the speed: of single operations half the last place or so is left open.
    let mut g = 3;
    for _ in 0..2_000 {
        let (a, b, c) = (number(&mut g, &[0]), number(&mut g, &[0, -30]), number(&mut g, &[0]));
        let (x, y) = (Rough::<false>::from(a) - Rough::from(b), Rough::<false>::from(c));
        let product = x * y;
        let root = (product * product).sqrt();
        for (value, most) in
            [(x, 2.0), (product, 4.0), (product.over(y), 10.0), (root, 16.0), (product * product, 12.0)]
        {
            let (low, high) = value.interval();
            let size = if low.abs() > high.abs() { low.abs() } else { high.abs() };
            let small = f64::from(f32::EPSILON) * 1e-3;
            // Cancelled numbers are small beside what they were made of.
            if size > small {
                assert!(high - low <= 2.0 * most * f64::EPSILON * (size + 1e-9), "{value:?} {most}");
            }
        }
    }
}

fn exact_sign(n: Many) -> Ordering {
    n.sign().expect("it fits")
}

#[test]
fn distances_that_double_precision_cannot_tell_from_the_radii() {
    let mut g = 4;
    let mut wrong = [0; 2];
    for case in 0..40_000 {
        let powers: &[i32] = [&[0][..], &[0, -30], &[-20, -45]][case % 3];
        let (p, a, b) = (point(&mut g, powers), point(&mut g, powers), point(&mut g, powers));
        let (w, e) = (vector(p, a), vector(b, a));
        let split = |distance: f64| {
            let r = (distance as f32).next_down();
            (r, (distance - f64::from(r)) as f32)
        };
        let (r, s) = split(w[0].hypot(w[1]));
        if r > 0.0 && s >= 0.0 {
            let reach = reach::<Many>(r, s);
            let exact = exact_sign(norm2(diff::<Many>(p, a)) - reach * reach);
            assert_eq!(compare_to_point(p, a, r, s), exact, "{p:?} {a:?} {r} {s}");
            let both = f64::from(r) + f64::from(s);
            wrong[0] += usize::from((w[0] * w[0] + w[1] * w[1] > both * both) != exact.is_gt());
        }
        let height = e[0] * w[1] - e[1] * w[0];
        let (r, s) = split(height.abs() / e[0].hypot(e[1]));
        if r > 0.0 && s >= 0.0 {
            let (e, reach) = (diff::<Many>(b, a), reach::<Many>(r, s));
            let c = cross(e, diff(p, a));
            let exact = exact_sign(c * c - reach * reach * norm2(e));
            assert_eq!(compare_to_line(p, a, b, r, s), exact, "{p:?} {a:?} {b:?} {r} {s}");
            let [ex, ey] = vector(b, a);
            let both = f64::from(r) + f64::from(s);
            wrong[1] += usize::from((height * height > both * both * (ex * ex + ey * ey)) != exact.is_gt());
        }
    }
    assert!(wrong.iter().all(|&n| n > 300), "{wrong:?}");
}

#[test]
fn sides_and_feet_that_double_precision_cannot_tell() {
    let mut g = 5;
    let mut wrong = [0; 2];
    for case in 0..40_000 {
        // In a right angle, or in line, but for numbers near the end of what a difference holds.
        let (x, y) = ((next(&mut g) >> 43) as f32 + 1.0, (next(&mut g) >> 43) as f32 + 1.0);
        let small = [-28, -29, -30, -31][case % 4];
        let (a, sign) = (point(&mut g, &[small]), if case % 8 < 4 { 1.0 } else { -1.0 });
        let (b, beside, along) = ([2.0 * x * sign, 2.0 * y], [-y, x * sign], [x * sign, y]);
        let (e, w, v) = (vector(b, a), vector(along, a), vector(beside, a));
        let side = exact_sign(cross(diff::<Many>(b, a), diff(along, a)));
        assert_eq!(orient(a, b, along), side, "{a:?} {b:?} {along:?}");
        assert_eq!(orient(b, a, along), side.reverse(), "{a:?} {b:?} {along:?}");
        let ahead = exact_sign(dot(diff::<Many>(b, a), diff(beside, a)));
        let part = |end: Part| if ahead.is_gt() { Part::Interior } else { end };
        assert_eq!(nearest_part(beside, a, b), part(Part::Start), "{a:?} {b:?} {beside:?}");
        assert_eq!(nearest_part(beside, b, a), part(Part::End), "{a:?} {b:?} {beside:?}");
        assert_eq!(side_of_vector(a, b, along), exact_sign(cross([b[0], b[1]].map(Many::from), diff(along, a))));
        wrong[0] += usize::from((e[0] * w[1] - e[1] * w[0] > 0.0) != side.is_gt());
        wrong[1] += usize::from((e[0] * v[0] + e[1] * v[1] > 0.0) != ahead.is_gt());
    }
    assert!(wrong.iter().all(|&n| n > 300), "{wrong:?}");
}

/// The nearest `f32` is where the exact value is not beyond the middle to either neighbour, and a middle goes to the even one.
fn check_settled(rough: Value<Rough>, few: Value<Few>, many: Value<Many>, parts: [Many; 4]) {
    let x = settle(rough, || few, || many);
    // With each of the tiers to itself.
    assert_eq!(x.to_bits(), settle(Value::ratio(Rough::from(0.0), Rough::from(0.0)), || few, || many).to_bits());
    let [p, q, l, d] = parts;
    let against = |middle: f64| {
        let sign = Surd { p: p - Many::new(middle) * d, q, l }.sign().expect("it fits");
        if d.sign() == Some(Ordering::Less) { sign.reverse() } else { sign }
    };
    let middle = |other: f32| (f64::from(x) + f64::from(other)) / 2.0;
    let (below, above) = (against(middle(x.next_down())), against(middle(x.next_up())));
    assert!(below.is_ge() && above.is_le(), "{x} {below:?} {above:?}");
    assert!((below.is_gt() && above.is_lt()) || x.to_bits() % 2 == 0, "{x}: a middle, and the odd one of the two");
}

fn values<N: Number>(p: [f32; 4], q: f32, l: [f32; 2], d: [f32; 2]) -> [N; 4] {
    // p0 p1 p2 + p3, l0 l1, d0 d1.
    let from = |x: f32| N::from(x);
    [from(p[0]) * from(p[1]) * from(p[2]) + from(p[3]), from(q), from(l[0]) * from(l[1]), from(d[0]) * from(d[1])]
}

#[test]
fn values_on_the_middle_of_two_and_beside_it_are_rounded_right() {
    let mut g = 6;
    for case in 0..20_000 {
        let odd = |g: &mut u64, bits: u32| ((next(g) >> (64 - bits)) | 1) as f32;
        // d of 48 bits and p = M d + k with M a middle: two odd factors of 12 and 13 bits.
        let d = [odd(&mut g, 24), odd(&mut g, 24)];
        let m = [odd(&mut g, 12) + 4096.0, odd(&mut g, 12) + 4096.0];
        let k = [-1.0, 0.0, 1.0][case % 3];
        let p = |m: f32| [m, d[0], d[1], k];
        // Up to 26 bits, cut to 25: an f32, a middle of two, or a number between.
        let m = (m[0] * m[1]) % 33_554_432.0;
        let of = |p: [f32; 4], q: f32, l: [f32; 2]| {
            let (rough, few, many) =
                (values::<Rough>(p, q, l, d), values::<Few>(p, q, l, d), values::<Many>(p, q, l, d));
            check_settled(
                Value::surd(rough[0], rough[1], rough[2], rough[3]),
                Value::surd(few[0], few[1], few[2], few[3]),
                Value::surd(many[0], many[1], many[2], many[3]),
                many,
            );
        };
        // M d ± d / 2 + k, with the half as a root: q = d0 / 2, l = d1².
        of(p(m), 0.5 * d[0], [d[1], d[1]]);
        of(p(m), -0.5 * d[0], [d[1], d[1]]);
        // a - √(a²) is nothing, a - √(a² (1 + tiny)) nearly so.
        let a = odd(&mut g, 20);
        of([a, 1.0, 1.0, 0.0], -1.0, [a, a]);
        of([a, 1.0, 1.0, 0.0], -1.0, [a, a.next_up()]);
        of([-a, 1.0, 1.0, 0.0], 1.0, [a, a.next_down()]);
        of([a, a, 1.0, k], number(&mut g, &[0, 20]), [a, odd(&mut g, 24)]);
    }
}

/// (m + 1/2 + k) d + rest, and -k d as a root: the value is m + 1/2 + rest / d.
fn middles<N: Number>(m: f32, k: f32, d: [f32; 2], rest: f32) -> [N; 4] {
    let from = |x: f32| N::from(x);
    let product = from(d[0]) * from(d[1]);
    let p = (from(m) + from(0.5) + from(k)) * product + from(rest);
    [p, -(from(k) * from(d[0])), from(d[1]) * from(d[1]), product]
}

/// A difference of a number and a root.
fn differences<N: Number>(p: f32, l: [f32; 2], d: [f32; 2]) -> [N; 4] {
    [N::from(p), N::from(-1.0), N::from(l[0]) * N::from(l[1]), N::from(d[0]) * N::from(d[1])]
}

/// A formula in every tier, held by [`check_settled`].
macro_rules! check_surd {
    ($formula:ident($($argument:expr),*)) => {{
        let surd = |[p, q, l, d]: [_; 4]| Value::surd(p, q, l, d);
        let few = |[p, q, l, d]: [_; 4]| Value::surd(p, q, l, d);
        let exact = $formula::<Many>($($argument),*);
        let [p, q, l, d] = exact;
        let many = Value::surd(p, q, l, d);
        check_settled(surd($formula($($argument),*)), few($formula($($argument),*)), many, exact);
    }};
}

#[test]
fn estimates_as_wrong_as_they_get_choose_no_neighbour() {
    let mut g = 8;
    for case in 0..20_000 {
        let mut bits = |n: u32| (next(&mut g) >> (64 - n)) as f32;
        // Beside the middle of two neighbours by 2^-47 or so: any estimate that is trusted too far is on the wrong side in half of the
        // cases. p and the root are alike in size, so that their errors count twice and more.
        let (m, k) = (8_388_608.0 + bits(23), bits([22, 23, 24, 24][case % 4]) + 1.0);
        let d = [8_388_608.0 + bits(23), 8_388_608.0 + bits(23)];
        for rest in [-1.0, 0.0, 1.0] {
            check_surd!(middles(m, k, d, rest));
        }
    }
}

#[test]
fn roots_beside_a_power_of_two_cancel_as_others_do() {
    // 1 - 2^-24 less √(1 + x), x < 2^-23: one is just below 1, the other just above, so their exponents differ by one, and nearly nothing is
    // left. 1 + x is (2^23 - α) (2^23 + β) / 2^46, x 2^46 = (β - α) 2^23 - α β, with α β large: a root that has to be rounded.
    let mut g = 9;
    for _ in 0..8_192 {
        let mut bits = |n: u32| (next(&mut g) >> (64 - n)) as i64;
        let alpha = 4096 + bits(15);
        let beta = alpha + (1..).find(|k| (k << 23) > alpha * (alpha + k)).expect("large enough");
        let l = [(8_388_608 - alpha) as f32 / 8_388_608.0, (8_388_608 + beta) as f32 / 8_388_608.0];
        let d = [bits(23) as f32 + 8_388_608.0, bits(23) as f32 + 8_388_608.0];
        check_surd!(differences(1.0f32.next_down(), l, d));
    }
}

#[test]
fn heights_over_long_walls_at_every_scale() {
    // A thousand times as long as high: the products cancel but for a thousandth, and what their rounded differences lose counts a thousand
    // times. A bound of the wrong degree is too small where numbers are large, or where they are small.
    let mut g = 10;
    let mut wrong = 0;
    for case in 0..12_000 {
        let scale = (2.0f32).powi([0, 60, -60][case % 3]);
        let (b, a, n) = (point(&mut g, &[0]), point(&mut g, &[-29]), point(&mut g, &[-10]));
        let p = [0.5 * b[0] + n[0], 0.5 * b[1] + n[1]];
        let [p, a, b] = [p, a, b].map(|q| q.map(|x| x * scale));
        let (e, w) = (vector(b, a), vector(p, a));
        let height = e[0] * w[1] - e[1] * w[0];
        let l = e[0] * e[0] + e[1] * e[1];
        let distance = height.abs() / l.sqrt();
        let r = (distance as f32).next_down();
        let mut s = (distance - f64::from(r)) as f32;
        // Farther from what double precision takes for equal than single roundings explain.
        for _ in 0..8 + next(&mut g) % 32 {
            s = if case % 2 == 0 { s.next_up() } else { s.next_down() };
        }
        if !(r > 0.0 && s > 0.0) {
            continue;
        }
        let reach2 = (f64::from(r) + f64::from(s)) * (f64::from(r) + f64::from(s)) * l;
        let (c, reach) = (cross(diff::<Many>(b, a), diff(p, a)), reach::<Many>(r, s));
        let exact = exact_sign(c * c - reach * reach * norm2(diff(b, a)));
        assert_eq!(compare_to_line(p, a, b, r, s), exact, "{p:?} {a:?} {b:?} {r} {s}");
        wrong += usize::from((height * height > reach2) != exact.is_gt());
    }
    assert!(wrong > 200, "{wrong}");
}
