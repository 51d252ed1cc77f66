//! Flight of what is fast: from impact to impact.
//!
//! Comes in: circles that would go further than half their radius, the solid walls, dt. Goes out: where they are at the end of the step
//! and how fast. This room does not know the slow, whose contacts are enough, nor other circles.
//!
//! A disc flies until it meets a wall, stops an ulp and a half before it, is reflected as an impulse would do, and spends the rest of its time
//! on what follows, up to [`IMPACTS`] times; what is left then is dropped. It does not stop at an end of a wall while it is on the flank of
//! another one that ends there. Each leg, as it is rounded, is tested exactly, and where it is blocked the door finds another.
//! What begins in overlap meets only what it approaches. Circles of inverse mass 0 are not turned: they go by the door as far as they can.

use super::close::Search;
use super::door::{Scratch, pass, rounded, short_of};
use super::impact::Met;
use super::impulse::{Pair, dot};
use super::integrate::{FLIGHT_FIELDS, Flight, Limits, leaves};
use super::law::Law;
use super::trail::Trail;
use super::walls::{Hit, Shape, Walls, each_far, is_free, wide};
use crate::exact::P;
use crate::geometry::{Periods, Vec2};
use crate::parallel::Split;
use crate::storage::{CircleColumns, Filter};

/// So many walls are met in one step.
const IMPACTS: u32 = 8;
/// How far before an impact it stops, in ulp.
const BACK: f64 = 1.5;
/// Circles in a piece of work.
const PIECE: usize = 32;
/// What comes back of any approach: without it, what is to slide would, by rounding, meet the same wall again and again.
const LEAST: f64 = 1.0 / (1u64 << 40) as f64;
/// So many ends in the way may belong to flanks that are passed already.
const HIDDEN: usize = 4;

/// What a wall gives back: as of impulses, nothing from an approach slower than 4 |gravity| dt where restitution is below 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce<'a> {
    law: Law<'a>,
    calm: f64,
}

impl<'a> Bounce<'a> {
    /// By this law; its restitutions of circles are by the rows of those that fly.
    pub(crate) fn new(law: Law<'a>) -> Bounce<'a> {
        Bounce { law, calm: 4.0 * dot(law.gravity, law.gravity).sqrt() * law.dt }
    }

    /// The velocity of a circle after an impact on a wall with this normal, into the wall, and by how much it has changed along it.
    fn turn(&self, [circle, wall]: [u32; 2], velocity: Pair, normal: Pair) -> (Pair, f64) {
        let approach = dot(velocity, normal);
        let restitution = self.law.of_wall(circle as usize, wall as usize);
        let calm = restitution < 1.0 && approach < self.calm;
        let back = if calm || restitution < LEAST { LEAST } else { restitution };
        let change = approach * (1.0 + back);
        if approach > 0.0 {
            ([velocity[0] - normal[0] * change, velocity[1] - normal[1] * change], change)
        } else {
            (velocity, 0.0)
        }
    }
}

/// One circle in flight.
#[derive(Clone, Copy, Debug, Default)]
struct Flyer {
    row: u32,
    radius: f32,
    filter: Filter,
    /// Above zero where it is turned by what it meets.
    inverse_mass: f32,
    from: P,
    /// Where it is to be at the end if it meets nothing; later, where it is.
    to: P,
    /// After gravity; later, at the end.
    velocity: P,
    impacts: u32,
    /// The impulses that it gave to walls.
    given: f64,
    /// Its way was not straight to `to`.
    other: bool,
}

/// Some of them, and what one thread needs for that.
#[derive(Debug, Default)]
struct Piece {
    rows: Vec<u32>,
    /// Those whose way is another than straight to its end.
    flyers: Vec<Flyer>,
    search: Search,
    scratch: Scratch,
    trail: Trail,
    met: Vec<Met>,
}

/// All that fly in a step, kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Flyers {
    pieces: Vec<Piece>,
    used: usize,
    /// By row: it has flown. Empty: none has.
    flown: Vec<bool>,
    /// What they met, by the rows of the circles, then in time.
    met: Vec<Met>,
}

/// What a step is for those that fly.
#[derive(Clone, Copy)]
pub(crate) struct Air<'a> {
    pub(crate) bounce: Bounce<'a>,
    pub(crate) gravity: Vec2,
    pub(crate) limits: Limits,
    /// What repeats: nobody flies farther than a period.
    pub(crate) periods: Periods,
    pub(crate) dt: f32,
}

impl Flyers {
    /// Finds the circles that go further than half their radius, but for sensors; whether there is one.
    pub(crate) fn find(&mut self, now: &CircleColumns, flight: &Flight) -> bool {
        self.used = 0;
        self.flown.clear();
        let sensors = now.labels.sensors();
        each_far((&now.x, &now.y), (&flight.x, &flight.y), &now.radius, |row| {
            if is_fast(now, flight, row) && !sensors.get(row).copied().unwrap_or(false) {
                self.mark(row as u32, now.len());
                self.push(row as u32);
            }
        });
        self.used > 0
    }

    fn push(&mut self, row: u32) {
        let at = self.used / PIECE;
        if self.used.is_multiple_of(PIECE) {
            if at == self.pieces.len() {
                self.pieces.push(Piece::default());
            }
            self.pieces[at].rows.clear();
        }
        self.pieces[at].rows.push(row);
        self.used += 1;
    }

    /// A circle has been put where it is by another way than straight.
    pub(crate) fn mark(&mut self, row: u32, rows: usize) {
        if self.flown.is_empty() {
            self.flown.resize(rows, false);
        }
        self.flown[row as usize] = true;
    }

    /// By row: whether it has flown, or was marked; empty: none has.
    pub(crate) fn flown(&self) -> &[bool] {
        &self.flown
    }

    /// Nobody flies in this step.
    pub(crate) fn none(&mut self) {
        self.used = 0;
        self.flown.clear();
        self.met.clear();
    }

    /// The walls that were met in flight, by the rows of the circles before the step, then in time.
    pub(crate) fn met(&self) -> &[Met] {
        &self.met
    }

    /// Flies them, and writes where they come to into `flight`. What impulses they gave to walls, or the first row and field that is not finite.
    pub(crate) fn fly(
        &mut self,
        walls: &Walls<'_>,
        air: Air<'_>,
        split: Split,
        (now, flight): (&CircleColumns, &mut Flight),
        trail: &mut Trail,
    ) -> Result<f64, (usize, &'static str)> {
        let pieces = &mut self.pieces[..self.used.div_ceil(PIECE)];
        let on = trail.on;
        let goals = &*flight;
        split.each(pieces, |_, piece| {
            piece.trail.start(on);
            piece.fly(walls, air, (now, goals));
        });
        let (mut given, mut first) = (0.0, Ok(()));
        for piece in pieces {
            trail.legs.append(&mut piece.trail.legs);
            self.met.append(&mut piece.met);
            for flyer in &piece.flyers {
                let row = flyer.row as usize;
                [flight.x[row], flight.y[row]] = flyer.to;
                [flight.velocity_x[row], flight.velocity_y[row]] = flyer.velocity;
                given += flyer.given;
                let numbers = [flyer.to[0], flyer.to[1], flyer.velocity[0], flyer.velocity[1]];
                if let (Ok(()), Some(k)) = (first, numbers.iter().position(|v| !v.is_finite())) {
                    first = Err((row, FLIGHT_FIELDS[k]));
                }
            }
        }
        first.map(|()| given)
    }
}

/// A way, or as much of it as leads no farther from `from` than a period, and how much that is.
fn cut(periods: &Periods, from: P, at: P, way: Pair) -> (Pair, f64) {
    let mut part = 1.0;
    for axis in 0..2 {
        let (length, gone) = (periods.length(axis), f64::from(at[axis]) - f64::from(from[axis]));
        let ahead = if way[axis] < 0.0 { length + gone } else { length - gone };
        let ahead = if ahead > 0.0 { ahead } else { 0.0 };
        if length > 0.0 && way[axis].abs() * part > ahead {
            part = ahead / way[axis].abs();
        }
    }
    (if part == 1.0 { way } else { way.map(|way| way * part) }, part)
}

/// Its way is longer than half its radius.
#[inline(always)]
fn is_fast(now: &CircleColumns, flight: &Flight, row: usize) -> bool {
    let (from, to) = (wide([now.x[row], now.y[row]]), wide([flight.x[row], flight.y[row]]));
    let (way, half) = ([to[0] - from[0], to[1] - from[1]], 0.5 * f64::from(now.radius[row]));
    dot(way, way) > half * half
}

impl Piece {
    /// All of its rows.
    fn fly(&mut self, walls: &Walls<'_>, air: Air<'_>, (now, flight): (&CircleColumns, &Flight)) {
        let Piece { rows, flyers, search, scratch, trail, met } = self;
        met.clear();
        flyers.clear();
        search.clear();
        for &row in &*rows {
            let k = row as usize;
            let from = [now.x[k], now.y[k]];
            let way = [f64::from(flight.x[k]) - f64::from(from[0]), f64::from(flight.y[k]) - f64::from(from[1])];
            let whole = air.periods.is_none() || cut(&air.periods, from, from, way).1 == 1.0;
            if whole && now.inverse_mass[k] > 0.0 && !walls.has_others() {
                search.push(walls, (from, way), Shape::Disc(now.radius[k]));
            } else {
                search.push_long();
            }
        }
        walls.search(search);
        let mut at = 0;
        for (k, &row) in rows.iter().enumerate() {
            let near = search.near(k, &mut at);
            if near.is_some_and(<[_]>::is_empty) {
                // Nothing is near: it is where it would be without this.
                let k = row as usize;
                trail.leg(row, [now.x[k], now.y[k]], [flight.x[k], flight.y[k]]);
                continue;
            }
            let mut flyer = Flyer::new(now, flight, row);
            if let Some(found) = near {
                walls.fill(found, flyer.filter, &mut scratch.near);
            }
            let gathered = near.is_some();
            flyer.fly(walls, air, (scratch, gathered), (trail, met));
            if flyer.other {
                flyers.push(flyer);
            }
        }
    }
}

impl Flyer {
    #[inline(always)]
    fn new(now: &CircleColumns, flight: &Flight, row: u32) -> Flyer {
        let k = row as usize;
        Flyer {
            row,
            radius: now.radius[k],
            filter: now.labels.filters().of(row),
            inverse_mass: now.inverse_mass[k],
            from: [now.x[k], now.y[k]],
            to: [flight.x[k], flight.y[k]],
            velocity: [now.velocity_x[k], now.velocity_y[k]],
            ..Flyer::default()
        }
    }

    /// From where it is to where it is to be.
    fn way(&self) -> Pair {
        [0, 1].map(|k| f64::from(self.to[k]) - f64::from(self.from[k]))
    }

    /// The whole of its step. What meets nothing is where it would be without this. `gathered`: the walls about the first leg are known.
    fn fly(
        &mut self,
        walls: &Walls<'_>,
        air: Air<'_>,
        (scratch, gathered): (&mut Scratch, bool),
        (trail, met): (&mut Trail, &mut Vec<Met>),
    ) {
        let Air { bounce, gravity, limits, periods, dt } = air;
        if self.inverse_mass <= 0.0 {
            let to = pass(walls, (self.row, self.filter), self.from, self.to, scratch, trail);
            self.other = to != self.to;
            self.to = to;
            // As it was written by the integration: its end is another, so whether it leaves is asked again.
            return self.confine(limits, wide(self.velocity));
        }
        let velocity = [self.velocity[0] + gravity.x * dt, self.velocity[1] + gravity.y * dt];
        let (mut at, mut velocity, mut left) = (self.from, wide(velocity), f64::from(dt));
        loop {
            let way = if self.impacts == 0 { self.way() } else { [velocity[0] * left, velocity[1] * left] };
            let (way, part) = cut(&periods, self.from, at, way);
            let hit = self.first(walls, (at, way), scratch, gathered && self.impacts == 0);
            let start = wide(at);
            let end = [start[0] + way[0], start[1] + way[1]];
            let goal = match hit {
                None if self.impacts == 0 && part == 1.0 => self.to,
                None => rounded(end),
                Some(hit) => short_of(at, way, hit.impact.fraction, BACK * walls.unit_at(start, end)),
            };
            if !(goal[0].is_finite() && goal[1].is_finite()) {
                at = goal;
                break;
            }
            if is_free(&scratch.near, at, goal) {
                trail.leg(self.row, at, goal);
                at = goal;
            } else {
                at = pass(walls, (self.row, self.filter), at, goal, scratch, trail);
            }
            let Some(hit) = hit else { break };
            // As seen from the wall, where it is touched.
            let normal = hit.impact.normal;
            let place = [0, 1].map(|k| f64::from(at[k]) + normal[k] * f64::from(self.radius));
            let of_wall = walls.velocity(hit.row, place);
            let relative = [velocity[0] - of_wall[0], velocity[1] - of_wall[1]];
            let gone = hit.impact.fraction * part;
            met.push(Met {
                circle: self.row,
                segment: hit.row,
                point: walls.outline(&hit, [0, 1].map(|k| start[k] + way[k] * hit.impact.fraction)),
                normal,
                approach: dot(relative, normal),
                fraction: 1.0 - left * (1.0 - gone) / f64::from(dt),
            });
            let (turned, change) = bounce.turn([self.row, hit.row], relative, normal);
            velocity = [turned[0] + of_wall[0], turned[1] + of_wall[1]];
            self.given += change / f64::from(self.inverse_mass);
            left *= 1.0 - gone;
            self.impacts += 1;
            if self.impacts == IMPACTS {
                break;
            }
        }
        self.other = self.impacts > 0 || at != self.to;
        self.to = at;
        self.confine(limits, velocity);
    }

    /// Bounds turn what leaves, as of every other circle; they move nothing.
    fn confine(&mut self, limits: Limits, velocity: Pair) {
        let v = rounded(velocity);
        let axis = |k: usize, limits: [f32; 2]| {
            if leaves(self.to[k], v[k], self.radius, limits) { -v[k] } else { v[k] }
        };
        self.velocity = [axis(0, limits.x), axis(1, limits.y)];
    }

    /// The first wall that turns it.
    fn first(&self, walls: &Walls<'_>, (at, way): (P, Pair), scratch: &mut Scratch, gathered: bool) -> Option<Hit> {
        let (mut hidden, mut count) = ([u32::MAX; HIDDEN], 0);
        let shape = Shape::Disc(self.radius);
        let gathered = gathered || walls.gather((at, way), shape, self.filter, scratch);
        loop {
            let but = &hidden[..count];
            let hit = if gathered {
                walls.pick((at, way), shape, but, &scratch.near)?
            } else {
                walls.walk((at, way), shape, self.filter, but, &mut scratch.near)?
            };
            let Some(end) = hit.impact.end else { return Some(hit) };
            let fraction = hit.impact.fraction;
            let place = [f64::from(at[0]) + way[0] * fraction, f64::from(at[1]) + way[1] * fraction];
            let vertex = if end == 0 { hit.spine.start } else { hit.spine.end };
            let is_hidden = scratch.near.iter().any(|wall| {
                let far = match (wall.spine.start == vertex, wall.spine.end == vertex) {
                    (true, false) => wide(wall.spine.end),
                    (false, true) => wide(wall.spine.start),
                    _ => return false,
                };
                let v = wide(vertex);
                let along = [far[0] - v[0], far[1] - v[1]];
                wall.row != hit.row && wall.spine.acts(at) && dot([place[0] - v[0], place[1] - v[1]], along) > 0.0
            });
            if !is_hidden || count == HIDDEN {
                return Some(hit);
            }
            hidden[count] = hit.row;
            count += 1;
        }
    }
}
