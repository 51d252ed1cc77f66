//! One ray or moving circle against one shape, in double precision with bounds.
//!
//! Comes in: what flies, a segment, capsule or circle. Goes out: a miss, the fraction, or the whole hit, each only where it is sure to be
//! what [`crate::geometry`] gives, bit for bit: that is the exact value rounded once, so any way to it will do. What is in doubt is handed
//! to `geometry`. This room does not know cells.
//!
//! Method: that of `geometry::sweep_circle_segment`. Bounds, `E = 2^-53`, `K = 8E`. Origin o, direction v, |v| not rounded; e = b - a, A = a - o,
//! B = b - o, w = o - c: differences of two `f32`, each component right to E of itself. A sum of two products of these is off by at most
//! `4.01 E S`, S the sum of its absolute products (below K S with room for the rounding of S and of the bound). Nothing under- or
//! overflows: nonzero products lie between 2^-298 and 2^258, their products between 2^-596 and 2^516.
//!
//! *Crossing* of a plain segment: v × A and v × B of surely the same sign: a miss. Surely opposite: the foot is interior, t = n / d with
//! n = A × e, d = v × e. With `K S_d <= |d| / 4` the exact d is above |d| / 2, so t is off by `2 (K S_n + |t| K S_d) / |d|` and E |t| for the
//! quotient; 4E |t| leaves room for the two roundings of [`nearest`].
//!
//! *Flank* of a capsule, or for a circle of radius r, R = r + s > 0: k = e × w, |e| right to 3E, R to E. Outside the strip if
//! `h = |k| - R |e|` is above `off_h = K S_k + K R |e|` (3 + 1 + 1 roundings in the product, one in the difference). It is entered at
//! `t = h / g`, g = ∓ e × v as above. The foot then is `w · e + t v · e`: off by `K S_we + off_t |v · e| + |t| K S_ve + 4E` of both terms.
//!
//! *Disc* about c of R: `b = w · v`, `k = v × w`, `D = R² v² - k²` off by `off_D = 16E R² v² + 2.01 |k| K S_k + (K S_k)² + 4E k²`. Only where
//! `D > 2^20 off_D`: then q = √D is off by `off_D / q + E q`, t = (-b - q) / v² by `(K S_b + off_q + 2E (|b| + q)) / v²` and, v² being right
//! to 3E, by 8E |t|. The direction from c to the centre of what flies is `n = (w + t v) / R`, off by
//! `(off_t |v| + 4E (|w| + |t v|)) / R + 4E |n|`, component by component. Inside at the start: `w² - R²` below `-K (w² + R²)`.
//!
//! *Values*: of o + t v a coordinate is off by `off_t |v| + 4E (|o| + |t v|)`; a unit vector e / |e| by 5E of itself (`8E`). All `off` of
//! quotients are taken 1.01 times, for their own roundings. Where a coordinate follows from the input, as on a wall along an axis, it is
//! taken from there: no bound tells what zero is.

use super::{Hit, Target};
use crate::geometry::{self, Circle, Feature, Ray, Segment, Vec2};
use crate::kernels::segment_segment::ROOM;

/// 2^-53.
const E: f64 = f64::EPSILON / 2.0;
/// Bound of a sum of two products, relative to the sum of their sizes.
const K: f64 = 8.0 * E;

/// What flies: a ray, or a circle with its motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) origin: Vec2,
    pub(super) direction: Vec2,
    pub(super) radius: f32,
    /// The last fraction.
    pub(super) max: f32,
    /// What it is to `geometry`.
    ray: bool,
    pub(super) o: [f64; 2],
    pub(super) v: [f64; 2],
    /// One over v, infinite where that is zero.
    pub(super) inverse: [f64; 2],
}

/// What double precision says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judged {
    Miss,
    /// The fraction.
    At(f32),
    Doubt,
}

/// How a shape is met, before anything is rounded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meeting {
    Miss,
    Doubt,
    /// The inside of a segment, from its left.
    Flank {
        time: Time,
        left: bool,
        e: [f64; 2],
    },
    /// The flight starts inside a circle.
    Inside {
        w: [f64; 2],
    },
    /// A disc, or the one about an end.
    Disc {
        time: Time,
        w: [f64; 2],
        feature: Feature,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    t: f64,
    off: f64,
}

/// A sum of two products and the bound on its error.
#[derive(Clone, Copy, Debug)]
struct Sum(f64, f64);

#[inline(always)]
fn cross(p: [f64; 2], q: [f64; 2]) -> Sum {
    let (l, r) = (p[0] * q[1], p[1] * q[0]);
    Sum(l - r, (l.abs() + r.abs()) * K)
}

#[inline(always)]
fn dot(p: [f64; 2], q: [f64; 2]) -> Sum {
    let (l, r) = (p[0] * q[0], p[1] * q[1]);
    Sum(l + r, (l.abs() + r.abs()) * K)
}

impl Sum {
    #[inline(always)]
    fn positive(self) -> bool {
        self.0 > self.1
    }

    #[inline(always)]
    fn negative(self) -> bool {
        self.0 < -self.1
    }
}

#[inline(always)]
fn wide(p: Vec2) -> [f64; 2] {
    [f64::from(p.x), f64::from(p.y)]
}

#[inline(always)]
fn minus(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    [p[0] - q[0], p[1] - q[1]]
}

/// The `f32` nearest to whatever lies within `off` of `value`, if that is one; without infinities and -0.
#[inline(always)]
fn nearest(value: f64, off: f64) -> Option<f32> {
    let (low, high) = ((value - off) as f32, (value + off) as f32);
    if low == high && low.abs() <= f32::MAX { Some(low + 0.0) } else { None }
}

/// One of two numbers, without a branch.
#[inline(always)]
fn choose(first: bool, a: f64, b: f64) -> f64 {
    let mask = u64::from(first).wrapping_neg();
    f64::from_bits(a.to_bits() & mask | b.to_bits() & !mask)
}

impl Flight {
    #[inline(always)]
    pub(super) fn ray(ray: Ray) -> Flight {
        Flight::new(Circle { center: ray.origin, radius: 0.0 }, ray.direction, ray.max, true)
    }

    #[inline(always)]
    pub(super) fn circle(circle: Circle, motion: Vec2) -> Flight {
        Flight::new(circle, motion, 1.0, false)
    }

    #[inline(always)]
    fn new(circle: Circle, direction: Vec2, max: f32, ray: bool) -> Flight {
        let (origin, o, v) = (circle.center, wide(circle.center), wide(direction));
        Flight { origin, direction, radius: circle.radius, max, ray, o, v, inverse: [1.0 / v[0], 1.0 / v[1]] }
    }

    /// Whether, and when, a shape is met, by how it is; nothing from `stop` on matters.
    #[inline(always)]
    pub(super) fn judge(&self, meeting: Meeting, stop: f64) -> Judged {
        let Time { t, off } = match meeting {
            Meeting::Miss => return Judged::Miss,
            Meeting::Doubt => return Judged::Doubt,
            Meeting::Inside { .. } => return Judged::At(0.0),
            Meeting::Flank { time, .. } | Meeting::Disc { time, .. } => time,
        };
        if t - off > stop {
            Judged::Miss
        } else if t - off > 0.0 && t + off <= f64::from(self.max) {
            nearest(t, off).map_or(Judged::Doubt, Judged::At)
        } else {
            Judged::Doubt
        }
    }

    /// The hit of a segment that is met, and how.
    #[inline(never)]
    pub(super) fn hit_segment(&self, meeting: Meeting, segment: Segment, row: u32) -> Option<Hit> {
        let target = Target::segment(row);
        let quick = self.hit(meeting, wide(segment.start), wide(segment.end), segment.radius, target);
        if quick.is_some() { quick } else { self.exact_segment(segment, row) }
    }

    /// The hit of a circle that is met, and how.
    #[inline(never)]
    pub(super) fn hit_circle(&self, meeting: Meeting, circle: Circle, row: u32) -> Option<Hit> {
        let (c, target) = (wide(circle.center), Target::circle(row));
        let quick = self.hit(meeting, c, c, circle.radius, target);
        if quick.is_some() { quick } else { self.exact_circle(circle, row) }
    }

    /// What `geometry` says.
    #[cold]
    #[inline(never)]
    pub(super) fn exact_segment(&self, segment: Segment, row: u32) -> Option<Hit> {
        let target = Target::segment(row);
        if self.ray {
            return Some(Hit::of_ray(geometry::ray_segment(self.as_ray(), segment)?, target));
        }
        Some(Hit::of_sweep(geometry::sweep_circle_segment(self.as_circle(), self.direction, segment)?, target))
    }

    /// What `geometry` says.
    #[cold]
    #[inline(never)]
    pub(super) fn exact_circle(&self, circle: Circle, row: u32) -> Option<Hit> {
        let target = Target::circle(row);
        if self.ray {
            return Some(Hit::of_ray(geometry::ray_circle(self.as_ray(), circle)?, target));
        }
        let sweep = geometry::sweep_circle_circle(self.as_circle(), self.direction, circle, Vec2::ZERO)?;
        Some(Hit::of_sweep(sweep, target))
    }

    fn as_ray(&self) -> Ray {
        Ray { origin: self.origin, direction: self.direction, max: self.max }
    }

    fn as_circle(&self) -> Circle {
        Circle { center: self.origin, radius: self.radius }
    }

    #[inline(always)]
    pub(super) fn meet_circle(&self, circle: Circle) -> Meeting {
        self.meet_disc(wide(circle.center), circle.radius, Feature::Interior)
    }

    #[inline(always)]
    pub(super) fn meet_segment(&self, segment: Segment) -> Meeting {
        let (a, b) = (wide(segment.start), wide(segment.end));
        if segment.radius == 0.0 && self.radius == 0.0 {
            self.meet_core(a, b)
        } else {
            self.meet_capsule(a, b, segment.radius)
        }
    }

    #[inline(always)]
    fn meet_core(&self, a: [f64; 2], b: [f64; 2]) -> Meeting {
        let (from_a, from_b) = (minus(a, self.o), minus(b, self.o));
        let (at_a, at_b) = (cross(self.v, from_a), cross(self.v, from_b));
        if (at_a.positive() & at_b.positive()) | (at_a.negative() & at_b.negative()) {
            return Meeting::Miss;
        }
        if !((at_a.positive() & at_b.negative()) | (at_a.negative() & at_b.positive())) {
            return Meeting::Doubt;
        }
        let e = minus(b, a);
        let (n, d) = (cross(from_a, e), cross(self.v, e));
        let size = d.0.abs();
        if d.1 > size * 0.25 {
            return Meeting::Doubt;
        }
        let t = n.0 / d.0;
        let off = (n.1 + t.abs() * d.1) * (2.0 * ROOM) / size + 4.0 * E * t.abs();
        if t + off < 0.0 {
            return Meeting::Miss;
        }
        Meeting::Flank { time: Time { t, off }, left: n.0 > 0.0, e }
    }

    #[inline(never)]
    fn meet_capsule(&self, a: [f64; 2], b: [f64; 2], radius: f32) -> Meeting {
        let (e, w, u) = (minus(b, a), minus(self.o, a), minus(self.o, b));
        let reach = f64::from(radius) + f64::from(self.radius);
        let k = cross(e, w);
        let wall = reach * (e[0] * e[0] + e[1] * e[1]).sqrt();
        let (h, off_h) = (k.0.abs() - wall, k.1 + wall * K);
        let (at_a, at_b) = (dot(w, e), dot(u, e));
        let start = || self.meet_disc(a, radius, Feature::Start);
        let end = || self.meet_disc(b, radius, Feature::End);
        if a == b {
            return start();
        }
        if h < -off_h && at_a.negative() {
            return start();
        }
        if h < -off_h && at_b.positive() {
            return end();
        }
        if h <= off_h || k.1 >= k.0.abs() {
            return Meeting::Doubt;
        }
        let left = k.0 > 0.0;
        let g = if left { cross(self.v, e) } else { cross(e, self.v) };
        if g.negative() {
            return Meeting::Miss;
        }
        if g.1 > g.0 * 0.25 || g.0 <= 0.0 {
            return Meeting::Doubt;
        }
        let t = h / g.0;
        let off = (off_h + t * g.1) * (2.0 * ROOM) / g.0 + 4.0 * E * t;
        let ve = dot(self.v, e);
        let more = off * ve.0.abs() + t * ve.1 + 4.0 * E * (at_a.0.abs() + at_b.0.abs() + 2.0 * t * ve.0.abs());
        let (foot_a, foot_b) = (at_a.0 + t * ve.0, at_b.0 + t * ve.0);
        let (off_a, off_b) = ((at_a.1 + more) * ROOM, (at_b.1 + more) * ROOM);
        if foot_a < -off_a {
            return start();
        }
        if foot_b > off_b {
            return end();
        }
        if foot_a > off_a && foot_b < -off_b {
            return Meeting::Flank { time: Time { t, off }, left, e };
        }
        Meeting::Doubt
    }

    #[inline(always)]
    fn meet_disc(&self, c: [f64; 2], radius: f32, feature: Feature) -> Meeting {
        /// 2^20.
        const CLEAR: f64 = (1u64 << 20) as f64;
        let w = minus(self.o, c);
        let v = self.v;
        let reach = f64::from(radius) + f64::from(self.radius);
        let (gap, reach2, l) = (w[0] * w[0] + w[1] * w[1], reach * reach, v[0] * v[0] + v[1] * v[1]);
        let room = (gap + reach2) * K;
        if gap - reach2 <= room {
            // Of a segment, the nearest part would have to be known.
            let inside = gap - reach2 < -room && gap > 0.0 && feature == Feature::Interior;
            return if inside { Meeting::Inside { w } } else { Meeting::Doubt };
        }
        let (b, k) = (dot(w, v), cross(v, w));
        if b.positive() {
            return Meeting::Miss;
        }
        let (most, k2) = (reach2 * l, k.0 * k.0);
        let depth = most - k2;
        let off_depth = most * (16.0 * E) + (2.01 * k.0.abs() + k.1) * k.1 + k2 * (4.0 * E);
        if depth < -off_depth {
            return Meeting::Miss;
        }
        if !(depth > off_depth * CLEAR && b.negative()) {
            return Meeting::Doubt;
        }
        let q = depth.sqrt();
        let t = (-b.0 - q) / l;
        let off_q = off_depth / q + E * q;
        let off = (b.1 + off_q + 2.0 * E * (b.0.abs() + q)) * ROOM / l + 8.0 * E * t.abs();
        Meeting::Disc { time: Time { t, off }, w, feature }
    }

    /// The whole record, where all of it is sure.
    #[inline(always)]
    fn hit(&self, meeting: Meeting, a: [f64; 2], b: [f64; 2], radius: f32, target: Target) -> Option<Hit> {
        match meeting {
            Meeting::Inside { w } if self.ray => {
                let length = (w[0] * w[0] + w[1] * w[1]).sqrt();
                let component = |v: f64| nearest(v / length, (v / length).abs() * K);
                return Some(Hit {
                    fraction: 0.0,
                    point: Vec2 { x: self.origin.x + 0.0, y: self.origin.y + 0.0 },
                    normal: Vec2 { x: component(w[0])?, y: component(w[1])? },
                    feature: Feature::Interior,
                    target,
                });
            }
            // Touching at the start is told about in another way.
            Meeting::Flank { time, .. } | Meeting::Disc { time, .. } if time.t - time.off > 0.0 => {}
            _ => return None,
        }
        let (s, r) = (f64::from(radius), f64::from(self.radius));
        match meeting {
            Meeting::Flank { time: Time { t, off }, left, e } => {
                let length = (e[0] * e[0] + e[1] * e[1]).sqrt();
                // From which side, and whether the wall stands across an axis, is anyone's guess: no branch.
                let side = choose(left, 1.0, -1.0);
                let n = [0.0 - side * (e[1] / length), side * (e[0] / length)];
                let coordinate = |axis: usize| {
                    let (way, o) = (t * self.v[axis], self.o[axis]);
                    let across = (a[axis] + s * n[axis], if s == 0.0 { 0.0 } else { (a[axis].abs() + s) * (4.0 * E) });
                    let back = r * n[axis];
                    let off =
                        if way == 0.0 { 0.0 } else { off * self.v[axis].abs() + (o.abs() + way.abs()) * (4.0 * E) };
                    let more = if back == 0.0 { 0.0 } else { (o.abs() + way.abs() + back.abs()) * (12.0 * E) };
                    let along = (o + way - back, off + more);
                    let stands = e[axis] == 0.0;
                    nearest(choose(stands, across.0, along.0), choose(stands, across.1, along.1))
                };
                Some(Hit {
                    fraction: nearest(t, off)?,
                    point: Vec2 { x: coordinate(0)?, y: coordinate(1)? },
                    normal: Vec2 { x: nearest(n[0], n[0].abs() * K)?, y: nearest(n[1], n[1].abs() * K)? },
                    feature: Feature::Interior,
                    target,
                })
            }
            Meeting::Disc { time: Time { t, off }, w, feature } => {
                let c = if feature == Feature::End { b } else { a };
                let reach = s + r;
                let component = |axis: usize| {
                    let way = t * self.v[axis];
                    let n = (w[axis] + way) / reach;
                    let off_n = off * self.v[axis].abs() + (w[axis].abs() + way.abs()) * (4.0 * E);
                    (n, off_n * ROOM / reach + n.abs() * (4.0 * E))
                };
                let (nx, ny) = (component(0), component(1));
                let coordinate = |axis: usize, n: (f64, f64)| {
                    let out = s * n.0;
                    let off = if s == 0.0 { 0.0 } else { s * n.1 + (c[axis].abs() + out.abs()) * (4.0 * E) };
                    nearest(c[axis] + out, off)
                };
                Some(Hit {
                    fraction: nearest(t, off)?,
                    point: Vec2 { x: coordinate(0, nx)?, y: coordinate(1, ny)? },
                    normal: Vec2 { x: nearest(nx.0, nx.1)?, y: nearest(ny.0, ny.1)? },
                    feature,
                    target,
                })
            }
            _ => None,
        }
    }
}
