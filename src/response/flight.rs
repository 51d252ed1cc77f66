//! Flight of what is fast: from impact to impact.
//!
//! Comes in: circles that would go further than half their radius, the solid walls, dt. Goes out: where they are at the end of the step
//! and how fast. This room does not know the slow, whose contacts are enough, nor other circles.
//!
//! How each of them flies is told in `flyer`. Walls near short ways are looked for a piece of work at a time.

use super::close::{Search, WAYS};
use super::door::Scratch;
use super::far::Far;
use super::flyer::{Air, Flyer, cut};
use super::impact::Met;
use super::impulse::dot;
use super::integrate::{FLIGHT_FIELDS, Flight};
use super::trail::Trail;
use super::walls::{Shape, Walls, wide};
use crate::parallel::Split;
use crate::storage::{CircleColumns, is_set};

/// Circles in a piece of work.
const PIECE: usize = WAYS;

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
    far: Far,
    pieces: Vec<Piece>,
    used: usize,
    /// By row: it has flown. Empty: none has.
    flown: Vec<bool>,
    /// What they met, by the rows of the circles, then in time.
    met: Vec<Met>,
}

impl Flyers {
    /// Finds the circles that go further than half their radius, but for sensors; whether there is one.
    pub(crate) fn find(&mut self, now: &CircleColumns, flight: &Flight, split: Split) -> bool {
        self.used = 0;
        self.flown.clear();
        let sensors = now.labels.sensors();
        let mut far = std::mem::take(&mut self.far);
        far.find_flying(now, flight, split);
        far.retain(|row| is_fast(now, flight, row) && !is_set(sensors, row), split);
        for row in far.rows() {
            self.mark(row as u32, now.len());
            self.push(row as u32);
        }
        self.far = far;
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

    /// Of these circles, others: each list is in time.
    pub(super) fn replace<'a>(&mut self, of: impl Fn(u32) -> bool, by: impl Iterator<Item = &'a [Met]>) {
        self.met.retain(|met| !of(met.circle));
        by.for_each(|met| self.met.extend_from_slice(met));
        // Stable: those of one circle stay in time.
        self.met.sort_by_key(|met| met.circle);
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
                let numbers = [flyer.velocity[0], flyer.velocity[1], flyer.to[0], flyer.to[1]];
                if let (Ok(()), Some(k)) = (first, numbers.iter().position(|v| !v.is_finite())) {
                    first = Err((row, FLIGHT_FIELDS[k]));
                }
            }
        }
        first.map(|()| given)
    }
}

/// Its way is longer than half its radius.
#[inline(always)]
pub(super) fn is_fast(now: &CircleColumns, flight: &Flight, row: usize) -> bool {
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
                scratch.cover = Some(search.cover(k));
            }
            let gathered = near.is_some();
            flyer.fly(walls, air, (scratch, gathered), (trail, met));
            if flyer.other {
                flyers.push(flyer);
            }
        }
    }
}
