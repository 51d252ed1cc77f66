//! Shapes that proptest can make smaller, and the maps of the plane that lose nothing in `f32`.
#![allow(dead_code, unreachable_pub, reason = "every test file uses a part of this")]

use gridlane::geometry::*;
use proptest::prelude::*;

/// Small integers, fractions and full mantissas: touching, collinear and general positions all come up. Far from the ends of the
/// range, so that a power of two loses nothing.
pub fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-6i32..=6).prop_map(|n| n as f32),
        2 => (-64i32..=64).prop_map(|n| n as f32 / 8.0),
        2 => (-6i32..=6, -4i32..=4).prop_map(|(n, steps)| beside(n, steps)),
        2 => -8.0f32..8.0,
        1 => (-(1i32 << 24)..(1 << 24)).prop_map(|n| n as f32),
    ]
}

/// A few neighbours beside a small integer; of zero, which has no neighbours of ordinary size, those of a half.
fn beside(n: i32, steps: i32) -> f32 {
    if n == 0 {
        return steps as f32 * f32::EPSILON / 4.0;
    }
    (0..steps.abs()).fold(n as f32, |x, _| if steps < 0 { x.next_down() } else { x.next_up() })
}

pub fn vector() -> impl Strategy<Value = Vec2> {
    (number(), number()).prop_map(|(x, y)| Vec2::new(x, y))
}

pub fn radius() -> impl Strategy<Value = f32> {
    prop_oneof![1 => Just(0.0), 4 => number().prop_map(f32::abs)]
}

pub fn circle() -> impl Strategy<Value = Circle> {
    (vector(), radius()).prop_map(|(center, radius)| Circle { center, radius })
}

pub fn capsule() -> impl Strategy<Value = Segment> {
    (vector(), vector(), prop_oneof![2 => Just(0.0), 1 => radius()]).prop_map(|(start, end, radius)| Segment {
        start,
        end,
        radius,
    })
}

/// A map of the plane that keeps distances up to the factor `scale`, and whether it turns left into right.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    pub quarters: u8,
    pub mirrored: bool,
    pub scale: f32,
}

pub fn map() -> impl Strategy<Value = Map> {
    (0u8..4, any::<bool>(), -40i32..40).prop_map(|(quarters, mirrored, k)| Map {
        quarters,
        mirrored,
        scale: 2.0f32.powi(k),
    })
}

impl Map {
    /// Of a direction: no scale.
    pub fn turn(self, v: Vec2) -> Vec2 {
        let v = if self.mirrored { Vec2::new(-v.x, v.y) } else { v };
        match self.quarters {
            0 => v,
            1 => Vec2::new(-v.y, v.x),
            2 => Vec2::new(-v.x, -v.y),
            _ => Vec2::new(v.y, -v.x),
        }
    }

    pub fn point(self, p: Vec2) -> Vec2 {
        let p = self.turn(p);
        Vec2::new(p.x * self.scale, p.y * self.scale)
    }

    pub fn circle(self, c: Circle) -> Circle {
        Circle { center: self.point(c.center), radius: c.radius * self.scale }
    }

    pub fn segment(self, s: Segment) -> Segment {
        Segment { start: self.point(s.start), end: self.point(s.end), radius: s.radius * self.scale }
    }

    /// `free`: the normal is a convention, which the map need not keep.
    pub fn contact(self, c: Contact, free: bool) -> Contact {
        let normal = if free { c.normal } else { self.turn(c.normal) };
        Contact { point: self.point(c.point), normal, separation: c.separation * self.scale, ..c }
    }
}

pub fn negated(v: Vec2) -> Vec2 {
    Vec2::new(-v.x, -v.y)
}
