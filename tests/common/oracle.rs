//! The third truth: pairwise answers in exact rational arithmetic.
//!
//! Nothing of the library is used but its plain shapes. The derivations differ on purpose: distances are minimised over the parameter
//! and measured there, segments are intersected by solving for both parameters, a motion touches by a moment if the two swept
//! segments come near enough. Roots are taken to 1100 binary places, or exactly where they are rational, and rounded once.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, SquareRoot, UnsignedAbs};
use dashu_ratio::Relaxed;
use gridlane::geometry::{Circle, Segment, Vec2};
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Nothing but powers of two is cancelled: more than that took a third of the time of these tests.
pub type Q = Relaxed;
pub type Q2 = [Q; 2];

pub fn q(x: f32) -> Q {
    Q::try_from(x).expect("finite")
}

pub fn q2(p: impl Into<Vec2>) -> Q2 {
    let p = p.into();
    [q(p.x), q(p.y)]
}

pub fn sub(a: &Q2, b: &Q2) -> Q2 {
    [&a[0] - &b[0], &a[1] - &b[1]]
}

/// `a + t b`.
pub fn along(a: &Q2, b: &Q2, t: &Q) -> Q2 {
    [&a[0] + t * &b[0], &a[1] + t * &b[1]]
}

pub fn dot(a: &Q2, b: &Q2) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1]
}

pub fn square(a: &Q2) -> Q {
    dot(a, a)
}

/// The root, exact where it is rational, else right to 2^-1100 over the denominator.
pub fn root(x: &Q) -> Q {
    assert!(!x.is_negative());
    const PLACES: usize = 1100;
    let d = x.denominator();
    let product: UBig = x.numerator().unsigned_abs() * d;
    let whole = product.sqrt();
    if whole.sqr() == product {
        return Q::from_parts(whole.into(), d.clone());
    }
    Q::from_parts((product << (2 * PLACES)).sqrt().into(), d << PLACES)
}

/// The nearest `f32`, ties to even, saturated to the largest finite one; +0 for zero.
pub fn nearest(x: &Q) -> f32 {
    let (n, d) = (&x.numerator().unsigned_abs(), x.denominator());
    // 2^exponent is |x| to within a factor of two; made the power at or below it.
    let exponent = n.bit_len() as i64 - d.bit_len() as i64;
    let bits = exponent.unsigned_abs() as usize;
    let lower = if exponent < 0 { (n << bits) < *d } else { *n < (d << bits) };
    // Spacing of f32 at this size.
    let ulp = (exponent - i64::from(lower) - 23).max(-149);
    let bits = ulp.unsigned_abs() as usize;
    let (n, d) = if ulp < 0 { (n << bits, d.clone()) } else { (n.clone(), d << bits) };
    let (below, rest) = (&n / &d, &n % &d);
    let up = match (rest << 1).cmp(&d) {
        Ordering::Greater => true,
        Ordering::Equal => below.bit(0),
        Ordering::Less => false,
    };
    let units = f64::from(u32::try_from(below + u8::from(up)).expect("25 bits"));
    // 25 bits at most times a power of two: exact in f64, in two steps that stay in its range.
    let value = units * 2f64.powi((ulp / 2) as i32) * 2f64.powi((ulp - ulp / 2) as i32);
    let value = if value > f64::from(f32::MAX) { f32::MAX } else { value as f32 };
    if x.is_negative() { 0.0 - value } else { value }
}

pub fn nearest2(p: &Q2) -> Vec2 {
    Vec2::new(nearest(&p[0]), nearest(&p[1]))
}

/// 0 at the start, 1 interior, 2 at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    Start,
    Interior,
    End,
}

/// The nearest point of a segment, by minimising |p - a - t e|² over t in 0..=1.
pub struct Nearest {
    pub t: Q,
    pub foot: Q2,
    pub distance2: Q,
    pub at: Where,
}

pub fn point_segment(p: &Q2, a: &Q2, b: &Q2) -> Nearest {
    let e = sub(b, a);
    let (zero, one) = (Q::zero(), Q::one());
    let t = if square(&e).is_zero() { zero.clone() } else { dot(&sub(p, a), &e) / square(&e) };
    let t = if t < zero {
        zero
    } else if t > one {
        one
    } else {
        t
    };
    let foot = along(a, &e, &t);
    let at = if t.is_zero() {
        Where::Start
    } else if t.is_one() {
        Where::End
    } else {
        Where::Interior
    };
    Nearest { distance2: square(&sub(p, &foot)), t, foot, at }
}

/// How two segments meet, from the solution of a₀ + t e = b₀ + u f.
#[derive(Debug)]
pub enum Meet {
    Disjoint,
    Cross { point: Q2, t: Q, u: Q },
    Touch { point: Q2, t: Q, u: Q },
    Overlap { from: Q2, to: Q2 },
}

fn in_unit(t: &Q) -> bool {
    !t.is_negative() && *t <= Q::one()
}

pub fn meet(a: [&Q2; 2], b: [&Q2; 2]) -> Meet {
    let (e, f, g) = (sub(a[1], a[0]), sub(b[1], b[0]), sub(b[0], a[0]));
    let det = &e[1] * &f[0] - &e[0] * &f[1];
    if !det.is_zero() {
        // t e - u f = g.
        let t = (&g[1] * &f[0] - &g[0] * &f[1]) / &det;
        let u = (&e[0] * &g[1] - &e[1] * &g[0]) / &det;
        if !in_unit(&t) || !in_unit(&u) {
            return Meet::Disjoint;
        }
        let at_end = |t: &Q| t.is_zero() || t.is_one();
        let (touch, point) = (at_end(&t) || at_end(&u), along(a[0], &e, &t));
        return if touch { Meet::Touch { point, t, u } } else { Meet::Cross { point, t, u } };
    }
    if square(&e).is_zero() && square(&f).is_zero() {
        return if a[0] == b[0] {
            Meet::Touch { point: a[0].clone(), t: Q::zero(), u: Q::zero() }
        } else {
            Meet::Disjoint
        };
    }
    // Along the one that has a length.
    let (base, way) = if square(&e).is_zero() { (b[0], &f) } else { (a[0], &e) };
    let place = |p: &Q2| {
        let t = dot(&sub(p, base), way) / square(way);
        (along(base, way, &t) == *p).then_some(t)
    };
    let all = [place(a[0]), place(a[1]), place(b[0]), place(b[1])];
    let [Some(a0), Some(a1), Some(b0), Some(b1)] = all else { return Meet::Disjoint };
    let (b_low, b_high) = if b0 < b1 { (&b0, &b1) } else { (&b1, &b0) };
    let (a_low, a_high) = if a0 < a1 { (&a0, &a1) } else { (&a1, &a0) };
    let low = if a_low > b_low { a_low } else { b_low };
    let high = if a_high < b_high { a_high } else { b_high };
    match low.cmp(high) {
        Ordering::Greater => Meet::Disjoint,
        Ordering::Equal => {
            let within = |x0: &Q, x1: &Q| if x0 == x1 { Q::zero() } else { (low - x0) / (x1 - x0) };
            Meet::Touch { point: along(base, way, low), t: within(&a0, &a1), u: within(&b0, &b1) }
        }
        Ordering::Less => Meet::Overlap { from: along(base, way, low), to: along(base, way, high) },
    }
}

/// The square of the distance of two segments.
pub fn segment_distance2(a: [&Q2; 2], b: [&Q2; 2]) -> Q {
    if !matches!(meet(a, b), Meet::Disjoint) {
        return Q::zero();
    }
    [(a[0], b), (a[1], b), (b[0], a), (b[1], a)]
        .into_iter()
        .map(|(p, s)| point_segment(p, s[0], s[1]).distance2)
        .min()
        .unwrap()
}

/// A disc of radius `reach` that moves from `c` by `t v` among the points of a segment at rest.
pub struct Motion {
    pub c: Q2,
    pub v: Q2,
    pub a: Q2,
    pub b: Q2,
    pub reach: Q,
}

impl Motion {
    pub fn new(circle: Circle, motion: impl Into<Vec2>, segment: Segment) -> Motion {
        Motion {
            c: q2(circle.center),
            v: q2(motion),
            a: q2(segment.start),
            b: q2(segment.end),
            reach: q(circle.radius) + q(segment.radius),
        }
    }

    /// Touching at some moment of 0..=t.
    pub fn touched_by(&self, t: &Q) -> bool {
        let then = along(&self.c, &self.v, t);
        segment_distance2([&self.c, &then], [&self.a, &self.b]) <= &self.reach * &self.reach
    }

    pub fn at(&self, t: &Q) -> Nearest {
        point_segment(&along(&self.c, &self.v, t), &self.a, &self.b)
    }

    /// The first moment of touch, given that there is one after 0 and up to `limit`: the least root among those of the two discs and the two flanks at which
    /// the distance is the reach.
    pub fn first_touch(&self, limit: &Q) -> Q {
        let r2 = &self.reach * &self.reach;
        let mut best: Option<Q> = None;
        let mut offer = |t: Q| {
            if t.is_negative() || t > *limit || best.as_ref().is_some_and(|b| t >= *b) {
                return;
            }
            let near = self.at(&t);
            let miss = (&near.distance2 - &r2).abs();
            // Roots are right to 2^-1100 of themselves, so the square of the distance to 2^-1098 of that of the reach; what is no touch is off by
            // more than that, if by no more than the foot of the first touch from an end of a segment.
            let slack = &r2 * Q::from_parts(1.into(), UBig::ONE << 1090);
            if miss <= slack {
                best = Some(t);
            }
        };
        let a2 = square(&self.v);
        for end in [&self.a, &self.b] {
            let w = sub(&self.c, end);
            let b = dot(&w, &self.v);
            let disc = &b * &b - &a2 * (square(&w) - &r2);
            if !disc.is_negative() {
                offer((-&b - root(&disc)) / &a2);
            }
        }
        let e = sub(&self.b, &self.a);
        // Left normal n; height h(t) = n · (c + t v - a) = ± reach |e|.
        let n = [-&e[1], e[0].clone()];
        let (h, rate, length) = (dot(&n, &sub(&self.c, &self.a)), dot(&n, &self.v), root(&square(&e)));
        if !rate.is_zero() {
            for sign in [-Q::one(), Q::one()] {
                offer((&sign * &self.reach * &length - &h) / &rate);
            }
        }
        best.expect("a touch")
    }
}

/// `b - a` over its length.
pub fn unit(a: &Q2, b: &Q2) -> Q2 {
    let d = sub(b, a);
    let length = root(&square(&d));
    [&d[0] / &length, &d[1] / &length]
}

/// The left normal of a segment; (0, 1) where its ends are equal.
pub fn left_of(segment: Segment) -> Q2 {
    let (a, b) = (q2(segment.start), q2(segment.end));
    if a == b {
        return [Q::zero(), Q::one()];
    }
    let e = unit(&a, &b);
    [-&e[1], e[0].clone()]
}
