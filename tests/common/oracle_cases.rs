//! Hard random pairs: where textbook code goes wrong.
//!
//! SplitMix64 with a seed, so every failure can be had again. Shapes come from families that lie on or within a few ulp of a
//! boundary, at scales from subnormal to the largest.

use gridlane::geometry::{Circle, Segment, Vec2};

pub struct Random(u64);

const TRIPLES: [[f32; 3]; 6] =
    [[3.0, 4.0, 5.0], [5.0, 12.0, 13.0], [8.0, 15.0, 17.0], [7.0, 24.0, 25.0], [20.0, 21.0, 29.0], [9.0, 40.0, 41.0]];

/// A number of cases, times `GRIDLANE_ORACLE_CASES` where that is set.
pub fn cases(usual: u64) -> u64 {
    usual * variable("GRIDLANE_ORACLE_CASES").unwrap_or(1)
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a whole number"))
}

impl Random {
    /// The same cases for the same seed, or others of the same kinds for another `GRIDLANE_ORACLE_SEED`.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(variable("GRIDLANE_ORACLE_SEED").unwrap_or(0) << 32))
    }

    /// Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0..n.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// -1..1.
    fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// -n..=n.
    pub fn grid(&mut self, n: u64) -> f32 {
        self.below(2 * n + 1) as f32 - n as f32
    }

    /// Up to `n` steps to a neighbour, either way.
    pub fn nudged(&mut self, x: f32, n: u64) -> f32 {
        let mut x = x;
        let steps = self.grid(n);
        for _ in 0..steps.abs() as u32 {
            x = if steps < 0.0 { x.next_down() } else { x.next_up() };
        }
        if x.is_finite() { x } else { f32::MAX.copysign(x) }
    }

    /// A power of two; mostly 1.
    fn power(&mut self) -> f32 {
        let exponent = self.pick(&[0, 0, 0, 0, 1, -3, 20, -20, 80, -80, 100, -120, -140]);
        (2.0f64).powi(exponent) as f32
    }

    /// Any scale from 1e-25 to 1e25.
    fn scale(&mut self) -> f32 {
        (10.0f64).powi(self.below(51) as i32 - 25) as f32
    }

    /// From everywhere: subnormal, huge, zero, small integers.
    fn anything(&mut self) -> f32 {
        match self.below(8) {
            0 => 0.0,
            1 => f32::from_bits(self.below(9) as u32) * self.pick(&[1.0, -1.0]),
            2 => self.pick(&[f32::MAX, f32::MIN, 1e38, -3e38]),
            3 => self.unit() * self.scale(),
            4 => -0.0,
            _ => self.grid(4),
        }
    }

    fn coordinates<const N: usize>(&mut self) -> [f32; N] {
        let family = self.below(7);
        let (power, scale) = (self.power(), self.scale());
        let offset = self.pick(&[1e6f32, 8_388_608.0, 6.4e6]);
        std::array::from_fn(|_| match family {
            0 | 1 => self.grid(3) * power,
            2 => self.grid(8) * 0.1,
            3 => self.unit() * scale,
            4 => offset + self.grid(6),
            5 => self.anything(),
            _ => self.unit() * 4.0,
        })
    }

    pub fn point(&mut self) -> Vec2 {
        let [x, y] = self.coordinates();
        Vec2::new(x, y)
    }

    /// A velocity or a direction, often zero or along an axis.
    pub fn vector(&mut self) -> Vec2 {
        self.point()
    }

    fn sized(&mut self, x: f32) -> f32 {
        let radius = x.abs();
        if self.below(5) == 0 { 0.0 } else { radius }
    }

    /// Two radii whose sum is nearer to `reach` than `f64` can see, from `reach` in `f64`.
    fn split(&mut self, reach: f64) -> (f32, f32) {
        let r = (reach as f32).next_down().max(0.0);
        let s = (reach - f64::from(r)) as f32;
        (r, self.pick(&[s, s, s.next_up()]).max(0.0))
    }

    /// Full mantissas of ordinary size, so different that differences and squares of differences need more than 53 bits.
    fn general<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.unit() * self.pick(&[7.3, 7.3, 0.07, 0.0003]))
    }

    /// A segment and a point that is beside one of its ends to within the rounding of `f64`: a tiny coordinate takes up what
    /// the other roundings left.
    fn fine_foot(&mut self) -> (Vec2, Segment) {
        let [bx, by, py] = self.general::<3>().map(|x| if x == 0.0 { 1.0 } else { x });
        let [ex, ey, wy] = [bx, by, py].map(f64::from);
        let px = (-wy * ey / ex) as f32;
        // (p - a) · (b - a) = 0 for a = (d, 0), to first order in d.
        let d = ((f64::from(px) * ex + wy * ey) / (ex + f64::from(px))) as f32;
        let d = if d.is_finite() { self.pick(&[d, d, d.next_up()]) } else { 0.0 };
        let segment = Segment::new([d, 0.0], [bx, by]);
        (Vec2::new(px, py), if self.below(2) == 0 { segment } else { segment.reversed() })
    }

    /// A segment and a point of its line, to within the rounding of `f64`.
    fn fine_line(&mut self) -> (Vec2, Segment) {
        let [bx, by, cx] = self.general::<3>().map(|x| if x == 0.0 { 1.0 } else { x });
        let cx = if self.below(4) == 0 { cx } else { bx * cx.fract().abs() };
        let [x, y, u] = [bx, by, cx].map(f64::from);
        let cy = (u * y / x) as f32;
        // (b - a) × (c - a) = 0 for a = (0, d).
        let d = ((x * f64::from(cy) - y * u) / (x - u)) as f32;
        let d = if d.is_finite() { self.pick(&[d, d, d.next_up()]) } else { 0.0 };
        (Vec2::new(cx, cy), Segment::new([0.0, d], [bx, by]))
    }

    /// A lattice: its pitch, and how far apart things on it are.
    fn pitch(&mut self) -> f32 {
        let pitch = self.pick(&[1.0, 1.0, 0.5, 0.1, 1.0 / 3.0, 1e-30, 1e30, 7e-41, 1e36]);
        let other = pitch * self.power();
        if self.below(4) == 0 && other.is_finite() { other } else { pitch }
    }

    /// Neighbours on a lattice, or a diagonal apart, with radii that share the pitch: exactly touching where the pitch is a power of two, else
    /// by chance of its rounding.
    fn lattice_circles(&mut self) -> (Circle, Circle) {
        let (pitch, share) = (self.pitch(), self.pick(&[0.5f32, 0.5, 0.25, 1.0, 0.0, 0.1]));
        let (x, y) = (self.grid(40), self.grid(40));
        let (dx, dy): (f32, f32) =
            self.pick(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (3.0, 4.0)]);
        let far = (dx * dx + dy * dy).sqrt();
        let cut = |x: f32| if x.is_finite() { x } else { f32::MAX.copysign(x) };
        let at = |x: f32, y: f32| [cut(x * pitch), cut(y * pitch)];
        let (r, s) = (self.nudged(cut(far * share * pitch), 1), self.nudged(cut(far * (1.0 - share) * pitch), 1));
        (Circle::new(at(x, y), r.max(0.0)), Circle::new(at(x + dx, y + dy), s.max(0.0)))
    }

    /// A wall along an axis or a diagonal of a lattice, and a circle beside it, over its end or on it.
    fn lattice_wall(&mut self) -> (Circle, Segment) {
        let (pitch, x, y) = (self.pitch(), self.grid(20), self.grid(20));
        let (dx, dy): (f32, f32) = self.pick(&[(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (-1.0, 1.0), (4.0, 3.0)]);
        let (from, to, along) = (self.grid(6), self.grid(6), self.grid(7));
        let beside = self.pick(&[0.5f32, 1.0, 0.0, -0.5, 2.0]);
        let cut = |x: f32| if x.is_finite() { x } else { f32::MAX.copysign(x) };
        let at = |u: f32, v: f32| [cut((x + u * dx - v * dy) * pitch), cut((y + u * dy + v * dx) * pitch)];
        let far = cut(beside.abs() * (dx * dx + dy * dy).sqrt() * pitch);
        let s = if self.below(3) == 0 { far * 0.5 } else { 0.0 };
        let r = self.nudged(far - s, 2).max(0.0);
        (Circle::new(at(along, beside), r), Segment::new(at(from, 0.0), at(to, 0.0)).with_radius(s))
    }

    /// Two capsules that do not cross, as far apart as their radii reach, to a few ulp: parallel, end to end, end to flank.
    pub fn capsules(&mut self) -> (Segment, Segment) {
        let (circle, a) = if self.below(3) == 0 { self.lattice_wall() } else { self.circle_and_segment() };
        // The second begins in the circle's centre and leads away, on along the first, or anywhere.
        let (c, e) = (circle.center, Vec2::new(a.end.x - a.start.x, a.end.y - a.start.y));
        let k = self.pick(&[1.0f32, 1.0, 0.5, -1.0, 2.0]);
        let end = match self.below(5) {
            0 | 1 => Vec2::new(c.x + k * e.x, c.y + k * e.y),
            2 => Vec2::new(c.x - k * e.y, c.y + k * e.x),
            3 => c,
            _ => self.point(),
        };
        let end = if end.is_finite() { end } else { c };
        let b = Segment::new(c, end).with_radius(circle.radius);
        let b = if self.below(2) == 0 { b } else { b.reversed() };
        if self.below(2) == 0 { (a, b) } else { (b, a) }
    }

    /// A circle about the same centre whose outline passes a point, to an ulp.
    pub fn reaching(&mut self, p: Vec2, circle: Circle) -> Circle {
        let (dx, dy) = (f64::from(p.x) - f64::from(circle.center.x), f64::from(p.y) - f64::from(circle.center.y));
        let far = (dx * dx + dy * dy).sqrt() as f32;
        let far = if far.is_finite() { far } else { f32::MAX };
        Circle { radius: self.nudged(far, 1).max(0.0), ..circle }
    }

    pub fn circles(&mut self) -> (Circle, Circle) {
        if self.below(6) == 0 {
            return self.lattice_circles();
        }
        if self.below(4) == 0 {
            // Try until the radii hit the distance within the rounding of f64.
            for attempt in 1..=12 {
                let [x0, y0, x1, y1] = self.general();
                let (dx, dy) = (f64::from(x1) - f64::from(x0), f64::from(y1) - f64::from(y0));
                let reach = (dx * dx + dy * dy).sqrt();
                let (r, s) = self.split(reach);
                if attempt == 12 || (f64::from(r) + f64::from(s) - reach).abs() <= reach * f64::EPSILON {
                    return (Circle::new([x0, y0], r), Circle::new([x1, y1], s));
                }
            }
        }
        if self.below(3) == 0 {
            // Exactly tangent up to a few ulp, the sum of radii split at will.
            let [x, y, z] = self.pick(&TRIPLES);
            let (power, k) = (self.power(), self.grid(3));
            let (cx, cy) = (self.grid(9) * power, self.grid(9) * power);
            let r = (k.abs() * power).min(z * power);
            let s = self.nudged(z * power - r, 4).max(0.0);
            return (Circle::new([cx, cy], r), Circle::new([cx + x * power, cy - y * power], s));
        }
        let [x0, y0, x1, y1, r, s] = self.coordinates();
        let (r, s) = (self.sized(r), self.sized(s));
        let twin = self.below(12) == 0;
        (Circle::new([x0, y0], r), Circle::new(if twin { [x0, y0] } else { [x1, y1] }, s))
    }

    pub fn circle_and_segment(&mut self) -> (Circle, Segment) {
        let family = self.below(7);
        if family == 6 {
            return self.lattice_wall();
        }
        if family == 5 {
            let (center, segment) = if self.below(2) == 0 { self.fine_foot() } else { self.fine_line() };
            return (Circle { center, radius: self.unit().abs() * 8.0 }, segment);
        }
        if family == 4 {
            // A flank or an end as far off as both radii together.
            let [cx, cy, x0, y0, x1, y1] = self.general();
            let [px, py, ax, ay, bx, by] = [cx, cy, x0, y0, x1, y1].map(f64::from);
            let (ex, ey, wx, wy) = (bx - ax, by - ay, px - ax, py - ay);
            let t = ((wx * ex + wy * ey) / (ex * ex + ey * ey)).clamp(0.0, 1.0);
            let (dx, dy) = (wx - t * ex, wy - t * ey);
            let (r, s) = self.split((dx * dx + dy * dy).sqrt());
            return (Circle::new([cx, cy], r), Segment::new([x0, y0], [x1, y1]).with_radius(s));
        }
        if family == 0 {
            // A flank along (x, y), the centre k (−y, x) off it and k |(x, y)| away, touching to a few ulp.
            let [x, y, z] = self.pick(&TRIPLES);
            let (power, k, from, to) = (self.power(), self.grid(3), self.grid(4), self.grid(4));
            let (ox, oy) = (self.grid(5), self.grid(5));
            let at = |u: f32, v: f32| [(ox + u * x - v * y) * power, (oy + u * y + v * x) * power];
            let reach = k.abs() * z * power;
            let s = if self.below(3) == 0 { power } else { 0.0 };
            let r = self.nudged(reach - s, 4).max(0.0);
            let foot = self.grid(4);
            return (Circle::new(at(foot, k), r), Segment::new(at(from, 0.0), at(to, 0.0)).with_radius(s));
        }
        let [cx, cy, x0, y0, x1, y1, r, s] = self.coordinates();
        let mut segment = Segment::new([x0, y0], [x1, y1]);
        let mut circle = Circle::new([cx, cy], self.sized(r));
        if self.below(3) == 0 {
            segment.radius = s.abs();
        }
        match family {
            // The foot on an end, or a hair beside: the centre at right angles to an end.
            1 => {
                let (ex, ey) = (x1 - x0, y1 - y0);
                if ex.is_finite() && ey.is_finite() {
                    let c = [self.nudged(x1 - ey, 2), self.nudged(y1 + ex, 2)];
                    circle.center = c.into();
                }
            }
            // The centre on or a hair off the segment.
            2 if self.below(2) == 0 => circle.center = self.point_of(segment),
            _ => {}
        }
        if self.below(15) == 0 {
            segment.end = segment.start;
        }
        (circle, segment)
    }

    /// A rounded point of a segment, often an end, a few ulp off at times.
    fn point_of(&mut self, s: Segment) -> Vec2 {
        let t = self.pick(&[0.0, 1.0, 0.5, 0.25, 0.3, 0.7f64]);
        let mix = |a: f32, b: f32| (f64::from(a) + t * (f64::from(b) - f64::from(a))) as f32;
        let n = self.pick(&[0, 0, 1, 3]);
        let (x, y) = (mix(s.start.x, s.end.x), mix(s.start.y, s.end.y));
        Vec2::new(self.nudged(x, n), self.nudged(y, n))
    }

    pub fn segments(&mut self) -> (Segment, Segment) {
        if self.below(6) == 0 {
            let (end, a) = self.fine_line();
            let b = Segment::new(self.general::<2>(), end);
            return if self.below(2) == 0 { (a, b) } else { (b, a) };
        }
        let [x0, y0, x1, y1, x2, y2, x3, y3] = self.coordinates();
        let mut a = Segment::new([x0, y0], [x1, y1]);
        let mut b = Segment::new([x2, y2], [x3, y3]);
        match self.below(8) {
            // L, T, and collinear to within 3 ulp.
            0 => b.start = a.end,
            1 => b.end = self.point_of(a),
            2 => (b.start, b.end) = (self.point_of(a), self.point_of(a)),
            3 => {
                // Continues in line: a + k (b - a).
                let k = self.grid(3);
                let far = |p: f32, q: f32| (f64::from(p) + f64::from(k) * (f64::from(q) - f64::from(p))) as f32;
                let end = Vec2::new(far(x0, x1), far(y0, y1));
                if end.is_finite() {
                    (b.start, b.end) = (a.end, Vec2::new(self.nudged(end.x, 3), self.nudged(end.y, 3)));
                }
            }
            4 => b = if self.below(2) == 0 { a } else { a.reversed() },
            5 => a.end = a.start,
            _ => {}
        }
        if self.below(20) == 0 {
            b.start = b.end;
        }
        if self.below(2) == 0 {
            (a.radius, b.radius) = (self.sized(x3), self.sized(y0));
        }
        (a, b)
    }

    /// A path along (x, y) that passes an end k |(x, y)| away, grazing it to a few ulp, with the segment behind or across.
    fn graze(&mut self) -> (Circle, Vec2, Segment) {
        let [x, y, z] = self.pick(&TRIPLES);
        let (power, k, from, to) = (self.power(), 1.0 + self.below(3) as f32, self.grid(6), self.grid(6));
        let at = |u: f32, v: f32| [(u * x - v * y) * power, (u * y + v * x) * power];
        let r = self.nudged(k * z * power, 1);
        let behind = -1.0 - self.below(3) as f32;
        let segment = Segment::new(at(0.0, 0.0), at(self.pick(&[0.0, 0.0, 1.0, 3.0]), behind + 1.0));
        let motion = Vec2::new((to - from) * x * power, (to - from) * y * power);
        let segment = if self.below(2) == 0 { segment } else { segment.reversed() };
        (Circle::new(at(from, k), r), motion, segment)
    }

    /// A circle, its motion, and what it may run into.
    pub fn sweep(&mut self) -> (Circle, Vec2, Segment) {
        if self.below(8) == 0 {
            return self.graze();
        }
        let (circle, segment) = self.circle_and_segment();
        let start = self.point();
        let c = circle.center;
        // Half of the motions pass, or just reach, the place that was built to be hard.
        let k = self.pick(&[1.0f32, 2.0, 0.5]);
        let aimed = Vec2::new((c.x - start.x) * k, (c.y - start.y) * k);
        if self.below(2) == 0 && aimed.is_finite() {
            return (Circle::new(start, circle.radius), aimed, segment);
        }
        (circle, self.vector(), segment)
    }
}
