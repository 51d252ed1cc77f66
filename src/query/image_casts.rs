//! Rays and moving circles in a plane that repeats: what leaves on one side goes on at the other.
//!
//! Comes in: a flight, checked. Goes out: hits, with points in the coordinates of the flight itself, unfolded: beyond the border where it is.
//! This room does not know how bodies are found.
//!
//! Method: the flight is looked at in pieces of at most one period along each axis that repeats. Whatever a piece can meet is an image of a body
//! within the images of what covers all bodies; from each of those, moved back, the whole flight is asked once, as if nothing repeated. A
//! hit before the end of a piece is the first, since all images that could be met by then have been asked.
//!
//! An image of the origin that is no `f32` is rounded to one: a hit across the border is that of a flight moved by half a unit in the last
//! place of its origin's image. The image that is not moved is the flight itself, so what is met without crossing the border is met as in a plane.
//! Which images are asked is told from where the origin is before it is rounded, with room for what that may move it by.
//!
//! A flight that meets nothing within [`MOST`] pieces, and is longer, is refused.

use super::back::{Back, Move};
use super::flight::Flight;
use super::images::{Cover, lower};
use super::{Hit, Queries, QueryFilter};
use crate::error::{Error, Kind};
use crate::geometry::{Circle, Ray, Vec2};

/// The most pieces of a flight that are looked at.
pub(super) const MOST: u32 = 256;

/// A ray, or a circle with its motion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Ray(Ray),
    Circle(Circle, Vec2),
}

impl Way {
    /// As it is.
    #[inline(always)]
    pub(super) fn flight(self) -> Flight {
        match self {
            Way::Ray(ray) => Flight::ray(ray),
            Way::Circle(circle, motion) => Flight::circle(circle, motion),
        }
    }

    fn origin(self) -> Vec2 {
        match self {
            Way::Ray(ray) => ray.origin,
            Way::Circle(circle, _) => circle.center,
        }
    }

    /// The direction, how far in it, and the radius of what flies.
    fn parts(self) -> ([f64; 2], f64, f64) {
        let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
        match self {
            Way::Ray(ray) => (wide(ray.direction), f64::from(ray.max), 0.0),
            Way::Circle(circle, motion) => (wide(motion), 1.0, f64::from(circle.radius)),
        }
    }

    fn moved(self, by: &Move) -> Way {
        match self {
            Way::Ray(ray) => Way::Ray(Ray { origin: by.moved(ray.origin), ..ray }),
            Way::Circle(circle, motion) => Way::Circle(Circle { center: by.moved(circle.center), ..circle }, motion),
        }
    }

    fn kind(self) -> Kind {
        match self {
            Way::Ray(_) => Kind::Ray,
            Way::Circle(..) => Kind::Circle,
        }
    }
}

/// A flight in pieces.
struct Pieces {
    origin: [f64; 2],
    direction: [f64; 2],
    max: f64,
    /// By axes: of what is larger than is worth looking for so much, and what rounding moves an image by that is beside bodies.
    radius: [f64; 2],
    /// How much of the fraction a piece is.
    each: f64,
    next: u32,
}

impl Pieces {
    /// There are more than are looked at.
    fn is_cut(&self) -> bool {
        f64::from(MOST) * self.each < self.max
    }

    /// The next one: where it ends, and its box; `None` where there are no more.
    fn next(&mut self) -> Option<(f64, Cover)> {
        let from = f64::from(self.next) * self.each;
        // One piece at least, also of a flight that goes nowhere.
        if self.next > 0 && (from >= self.max || self.each.is_infinite()) {
            return None;
        }
        let to = if self.each.is_infinite() { self.max } else { from + self.each };
        let to = if to < self.max { to } else { self.max };
        let from = if self.each.is_infinite() { 0.0 } else { from };
        self.next += 1;
        let of = |axis: usize| {
            let (o, v) = (self.origin[axis], self.direction[axis]);
            let (a, b) = (o + v * from, o + v * to);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            // An image that comes from afar is rounded by as much more: 2^-24 of the way, and as much to spare.
            let radius = self.radius[axis] + v.abs() * to * (1.0 / 8_388_608.0);
            [low - radius, high + radius]
        };
        Some((to, [of(0), of(1)]))
    }
}

impl Queries<'_> {
    fn pieces(&self, way: Way, back: &Back) -> Pieces {
        let (direction, max, radius) = way.parts();
        let mut each = f64::INFINITY;
        for (axis, speed) in direction.map(f64::abs).into_iter().enumerate() {
            let length = self.periods().length(axis);
            if length > 0.0 && speed > 0.0 && length / speed < each {
                each = length / speed;
            }
        }
        let radius = [0, 1].map(|axis| lower(radius, self.periods().farthest(axis)) + self.periods().rounding(axis));
        Pieces { origin: back.place(), direction, max, radius, each, next: 0 }
    }

    /// Asks from image after image, in pieces, until `done` says so of the end of a piece.
    fn fly(
        &self,
        way: Way,
        row: usize,
        mut ask: impl FnMut(Way, &Move),
        done: impl Fn(f64) -> bool,
    ) -> Result<(), Error> {
        self.keeps_all()?;
        let (back, cover) = (self.back(way.origin()), self.cover());
        let mut pieces = self.pieces(way, &back);
        let mut asked: Vec<[i64; 2]> = Vec::new();
        let mut before: Vec<[i64; 2]> = Vec::new();
        while let Some((to, around)) = pieces.next() {
            let mut range = [[0i64; 2]; 2];
            for axis in 0..2 {
                let length = self.periods().length(axis);
                if length > 0.0 {
                    range[axis] = [
                        ((around[axis][0] - cover[axis][1]) / length - 1e-6).ceil() as i64,
                        ((around[axis][1] - cover[axis][0]) / length + 1e-6).floor() as i64,
                    ];
                }
            }
            for x in range[0][0]..=range[0][1] {
                for y in range[1][0]..=range[1][1] {
                    asked.push([x, y]);
                    if !before.contains(&[x, y]) {
                        let by = back.way([x, y]);
                        ask(way.moved(&by), &by);
                    }
                }
            }
            std::mem::swap(&mut asked, &mut before);
            asked.clear();
            if done(to) {
                return Ok(());
            }
            if pieces.next >= MOST && pieces.is_cut() {
                return Err(Error::TooManyPeriods { kind: way.kind(), row, limit: MOST });
            }
        }
        Ok(())
    }

    /// The first body, by any of its images.
    pub(super) fn first_image(&self, way: Way, row: usize, filter: QueryFilter<'_>) -> Result<Hit, Error> {
        let best = std::cell::Cell::new(Hit::NOTHING);
        let ask = |image: Way, by: &Move| {
            let hit = self.first_plainly(image, filter);
            if hit.is_hit() && (!best.get().is_hit() || hit.order(&best.get()).is_lt()) {
                best.set(Hit { point: by.reverse().moved(hit.point), ..hit });
            }
        };
        // Whoever is met at the same fraction, as it is told, is not met later than the next one.
        let done = |to: f64| best.get().is_hit() && f64::from(best.get().fraction.next_up()) <= to;
        self.fly(way, row, ask, done)?;
        Ok(best.get())
    }

    /// Whether there is one: as far as the first is looked for.
    pub(super) fn any_image(&self, way: Way, row: usize, filter: QueryFilter<'_>) -> Result<bool, Error> {
        // Whoever is met first may be met beyond what is looked at.
        if self.pieces(way, &self.back(way.origin())).is_cut() {
            return Ok(self.first_image(way, row, filter)?.is_hit());
        }
        let met = std::cell::Cell::new(false);
        let ask = |image: Way, _: &Move| {
            if !met.get() {
                met.set(self.any_plainly(image, filter));
            }
        };
        self.fly(way, row, ask, |_| met.get())?;
        Ok(met.get())
    }

    /// All bodies, each where it is first met by any of its images.
    pub(super) fn all_images(
        &self,
        way: Way,
        row: usize,
        filter: QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        let (mut all, mut some) = (Vec::new(), Vec::new());
        let ask = |image: Way, by: &Move| {
            self.all_plainly(image, filter, &mut some);
            all.extend(some.drain(..).map(|hit| Hit { point: by.reverse().moved(hit.point), ..hit }));
        };
        self.fly(way, row, ask, |_| false)?;
        all.sort_by(|one: &Hit, two: &Hit| one.target.cmp(&two.target).then(one.order(two)));
        all.dedup_by_key(|hit| hit.target);
        all.sort_by(Hit::order);
        *hits = all;
        Ok(())
    }
}
