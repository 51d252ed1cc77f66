//! Shapes from bytes.
//!
//! Comes in: bytes. Goes out: shapes, some of them invalid, many of them within ulps of touching.

use crate::choices::{Choices, Numbers, Script, nudged};
use gridlane::geometry::{Circle, Line, Ray, Segment, Vec2, nearest_on_segment};

/// Bytes, and the numbers they have made so far.
pub struct Draw<'a> {
    pub script: Script<'a>,
    numbers: Numbers,
}

impl<'a> Draw<'a> {
    pub fn new(bytes: &'a [u8]) -> Draw<'a> {
        Draw { script: Script::new(bytes), numbers: Numbers::default() }
    }

    pub fn number(&mut self) -> f32 {
        self.numbers.any(&mut self.script)
    }

    pub fn point(&mut self) -> Vec2 {
        Vec2::new(self.number(), self.number())
    }

    /// Mostly zero or more.
    fn radius(&mut self) -> f32 {
        match self.script.below(8) {
            0 => 0.0,
            1 => self.number(),
            _ => self.number().abs(),
        }
    }

    pub fn circle(&mut self) -> Circle {
        Circle::new(self.point(), self.radius())
    }

    /// Sometimes a point, sometimes a capsule.
    pub fn segment(&mut self) -> Segment {
        let start = self.point();
        let end = if self.script.once_in(8) { start } else { self.point() };
        let radius = if self.script.once_in(3) { self.radius() } else { 0.0 };
        Segment::new(start, end).with_radius(radius)
    }

    pub fn line(&mut self) -> Line {
        Line::new(self.point(), self.point())
    }

    pub fn ray(&mut self) -> Ray {
        let ray = Ray::new(self.point(), self.point());
        match self.script.below(4) {
            0 => ray,
            1 => ray.with_max(self.radius()),
            _ => ray.with_max(1.0),
        }
    }

    /// Half of the time a radius that reaches the segment to within ulps: how far off it is, is asked in plain arithmetic, and is but
    /// a guess.
    pub fn circle_by(&mut self, segment: Segment) -> Circle {
        let mut circle = self.circle();
        if self.script.below(2) == 1 {
            let gap = f64::from(nearest_on_segment(circle.center, segment).distance) - f64::from(segment.radius);
            let guess = gap as f32;
            if guess >= 0.0 && guess.is_finite() {
                circle.radius = nudged(guess, self.script.below(7) as i32 - 3).abs();
            }
        }
        circle
    }

    /// The same of two circles.
    pub fn circles(&mut self) -> (Circle, Circle) {
        let a = self.circle();
        let b = self.circle_by(Segment::new(a.center, a.center).with_radius(a.radius));
        (a, b)
    }

    /// Another segment, at times from an end or a rounded point of the first.
    pub fn segment_by(&mut self, other: Segment) -> Segment {
        let mut segment = self.segment();
        match self.script.below(6) {
            1 => segment.start = other.end,
            2 => segment.end = self.point_of(other),
            3 => (segment.start, segment.end) = (self.point_of(other), self.point_of(other)),
            _ => {}
        }
        segment
    }

    /// A point of the segment as rounding leaves it, or up to two floats beside.
    fn point_of(&mut self, s: Segment) -> Vec2 {
        let t = self.script.below(9) as f64 / 8.0;
        let mut mix = |a: f32, b: f32| {
            let v = (f64::from(a) + t * (f64::from(b) - f64::from(a))) as f32;
            let k = if self.script.once_in(3) { self.script.below(5) as i32 - 2 } else { 0 };
            if v.is_finite() { nudged(v, k) } else { a }
        };
        Vec2::new(mix(s.start.x, s.end.x), mix(s.start.y, s.end.y))
    }
}

/// Finite numbers of one script: small ones on a grid, or anything.
pub struct FiniteDraw<'a> {
    pub c: Script<'a>,
    pub n: Numbers,
    pub wild: bool,
}

impl FiniteDraw<'_> {
    pub fn number(&mut self) -> f32 {
        if self.wild { self.n.finite(&mut self.c) } else { self.n.near(&mut self.c) }
    }

    pub fn point(&mut self) -> [f32; 2] {
        [self.number(), self.number()]
    }

    pub fn size(&mut self) -> f32 {
        if self.c.once_in(4) { 0.0 } else { self.number().abs() * 0.25 }
    }

    pub fn segment(&mut self) -> Segment {
        let start = self.point();
        let end = if self.c.once_in(8) { start } else { self.point() };
        Segment::new(start, end).with_radius(if self.c.once_in(4) { self.size() } else { 0.0 })
    }
}
