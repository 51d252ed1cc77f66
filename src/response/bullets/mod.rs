//! Bullets: circles that meet other circles on their way.
//!
//! Comes in: circles before a step and after their flight, who is a bullet, the walls, a way to ask who stood near a stretch. Goes out: other paths
//! of those that met, and what was met. This room does not know how circles are found where they stood, nor events.
//!
//! Everybody who is fast has a path: legs of known times, as `flyer` flies them. All others go straight from where they begin to where they come to,
//! no farther than half their radius. The meetings of bullets with all of them are kept in a queue by time, then by handles. The first is taken out,
//! both are turned by their impulse, fly on from where they are, and their later meetings are looked for again; what was known of
//! their old paths is recognized by its age and dropped. Source: event-driven simulation of hard discs (Alder and Wainwright, 1959; Lubachevsky, 1991).
//!
//! *Why it ends.* Each turn is one of the [`MEETINGS`](path::MEETINGS) of a circle; what turns nobody is not looked for again on the same pair of legs.

mod answer;
mod meet;
mod near;
mod path;
mod queue;

use super::door::Scratch;
use super::far::{Far, Ways};
use super::flight::{Flyers, is_fast};
use super::flyer::{Air, Flyer};
use super::images::shortened;
use super::impact::Met;
use super::impulse::{Pair, dot};
use super::integrate::{FLIGHT_FIELDS, Flight};
use super::trail::Trail;
use super::walls::Walls;
use crate::exact::P;
use crate::geometry::Segment;
use crate::parallel::Split;
use crate::storage::{BLOCK, CircleColumns, Handle as _, is_set, largest};
use meet::first_meeting;
use near::Near;
use path::{Leg, Path, Room, straight_leg};
use queue::{Meeting, Queue};

/// Of a path so many are visited by way of cells, for each path that there is, and so many besides.
const EACH: i64 = 4;
const SOME: i64 = 256;

/// Two circles that met in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CirclesMet {
    /// The rows of both before the step: first that of the lower handle.
    pub(crate) circles: [u32; 2],
    /// Where the first was touched, as it is seen from where its step began.
    pub(crate) point: Pair,
    /// Unit, from the first to the second.
    pub(crate) normal: Pair,
    /// How fast they came near each other along the normal.
    pub(crate) approach: f64,
    /// Of the step, how much had passed.
    pub(crate) fraction: f64,
}

/// What a step is for bullets.
#[derive(Clone, Copy)]
pub(crate) struct Stage<'a> {
    pub(crate) now: &'a CircleColumns,
    pub(crate) flight: &'a Flight,
    /// By row: who has flown from wall to wall; empty: nobody has.
    pub(crate) flown: &'a [bool],
    /// The walls that they met, by rows.
    pub(crate) met: &'a [Met],
    pub(crate) walls: &'a Walls<'a>,
    pub(crate) air: Air<'a>,
}

/// Who knows where circles stood before the step.
pub(crate) trait Find {
    /// Most that is asked will be within this box, one axis each.
    fn expect(&mut self, cover: [[f64; 2]; 2]);
    /// Appends the rows of circles that touch a capsule and meet what is in the row, and perhaps of some that only come near.
    fn within(&mut self, row: u32, capsule: Segment, rows: &mut Vec<u32>);
}

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(crate) struct Bullets {
    far: Far,
    paths: Vec<Path>,
    used: usize,
    /// By row: one more than the place of its path; 0: it has none.
    place: Vec<u32>,
    near: Near,
    queue: Queue,
    met: Vec<CirclesMet>,
    rows: Vec<u32>,
    scratch: Scratch,
    trail: Trail,
    /// How far those without a path go at most.
    slow_way: f64,
    /// Impulses between circles, each times the distance of the centres.
    virial: f64,
}

/// It is fast, and something holds it: it has a path of its own.
fn flies((now, flight): (&CircleColumns, &Flight), flown: &[bool], row: usize) -> bool {
    (is_set(flown, row) || is_fast(now, flight, row)) && !is_set(now.labels.sensors(), row)
}

/// How far those go at most who go no farther than half their radius: in lanes.
fn slow_way(now: &CircleColumns, flight: &Flight) -> f64 {
    let axis = |from: &[f32], to: &[f32]| {
        let slow = |from: f32, to: f32, radius: f32| {
            let way = (to - from).abs();
            if way <= 0.5 * radius { way } else { 0.0 }
        };
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        let ((from, from_rest), (to, to_rest)) = (from.as_chunks::<8>(), to.as_chunks::<8>());
        let (radius, radius_rest) = now.radius.as_chunks::<8>();
        let mut lanes = [0.0f32; 8];
        for ((from, to), radius) in from.iter().zip(to).zip(radius) {
            for (k, most) in lanes.iter_mut().enumerate() {
                *most = larger(*most, slow(from[k], to[k], radius[k]));
            }
        }
        let rest = from_rest.iter().zip(to_rest).zip(radius_rest);
        rest.fold(largest(&lanes), |most, ((&from, &to), &radius)| larger(most, slow(from, to, radius)))
    };
    let (x, y) = (f64::from(axis(&now.x, &flight.x)), f64::from(axis(&now.y, &flight.y)));
    dot([x, y], [x, y]).sqrt() * (1.0 + 1e-6)
}

/// Where it would be if there were nothing at all: as the integration says.
fn goal(now: &CircleColumns, air: Air<'_>, row: usize) -> P {
    let kick = if now.inverse_mass[row] > 0.0 { [air.gravity.x * air.dt, air.gravity.y * air.dt] } else { [0.0; 2] };
    let from = [now.x[row], now.y[row]];
    let to = [from[0] + (now.velocity_x[row] + kick[0]) * air.dt, from[1] + (now.velocity_y[row] + kick[1]) * air.dt];
    shortened(&air.periods, from, to)
}

impl Bullets {
    /// Nothing is met in this step.
    pub(crate) fn none(&mut self) {
        for path in &self.paths[..self.used] {
            self.place[path.flyer.row as usize] = 0;
        }
        self.used = 0;
        self.met.clear();
        self.queue.clear();
        self.virial = 0.0;
    }

    /// What was met, in time.
    pub(crate) fn met(&self) -> &[CirclesMet] {
        &self.met
    }

    /// Of impulses between circles in flight, the sum, each times the distance of the centres along it.
    pub(crate) fn virial(&self) -> f64 {
        self.virial
    }

    /// Some bullet is fast in this step; `flown`, by row: who has flown from wall to wall.
    pub(crate) fn are_fast((now, flight): (&CircleColumns, &Flight), flown: &[bool]) -> bool {
        let bullets = now.labels.bullets();
        // Few are bullets: most blocks of them have none.
        bullets.chunks(BLOCK).enumerate().filter(|(_, block)| block.contains(&true)).any(|(at, block)| {
            let mut rows = (at * BLOCK..).zip(block);
            rows.any(|(row, &bullet)| bullet && flies((now, flight), flown, row))
        })
    }

    /// Finds and answers all meetings. Needs [`Self::none`].
    pub(crate) fn fly(&mut self, stage: Stage<'_>, find: &mut impl Find) {
        let count = stage.now.len();
        if self.place.len() < count {
            self.place.resize(count, 0);
        }
        self.near.clear();
        self.slow_way = slow_way(stage.now, stage.flight);
        if stage.flown.is_empty() {
            let mut far = std::mem::take(&mut self.far);
            far.find(Ways::of(stage.now, stage.flight), Split::SERIAL);
            for row in far.rows().filter(|&row| flies((stage.now, stage.flight), &[], row)) {
                self.begin(&stage, row as u32, true);
            }
            self.far = far;
        } else {
            for row in (0..count).filter(|&row| stage.flown[row]) {
                self.begin(&stage, row as u32, true);
            }
        }
        if self.near.is_long() {
            self.near.build();
        }
        find.expect(self.cover());
        for at in 0..self.used {
            if self.paths[at].bullet {
                self.search(&stage, Start { at, time: 0.0, leg: 0, partner: None }, find);
            }
        }
        while let Some(meeting) = self.queue.pop() {
            let is_young = |k: usize| self.generation(meeting.rows[k]) == meeting.generations[k];
            if is_young(0) && is_young(1) {
                self.meet(&stage, &meeting, find);
            }
        }
    }

    /// How far about a way somebody may stand who is met on it: a little more than what is rounded here.
    fn reach(&self, radius: f32) -> f32 {
        let reach = ((f64::from(radius) + self.slow_way) * (1.0 + 1e-6)) as f32;
        if reach < f32::MAX { reach } else { f32::MAX }
    }

    /// What covers the ways of bullets, and ways as long again to all sides.
    fn cover(&self) -> [[f64; 2]; 2] {
        let (mut cover, mut longest) = ([[f64::INFINITY, f64::NEG_INFINITY]; 2], 0.0);
        for path in self.paths[..self.used].iter().filter(|path| path.bullet) {
            let reach = f64::from(self.reach(path.flyer.radius));
            for leg in &path.legs {
                for (axis, cover) in cover.iter_mut().enumerate() {
                    let (a, b) = (f64::from(leg.from[axis]), f64::from(leg.to[axis]));
                    let (low, high) = if a < b { (a, b) } else { (b, a) };
                    longest = if high - low > longest { high - low } else { longest };
                    cover[0] = if low - reach < cover[0] { low - reach } else { cover[0] };
                    cover[1] = if high + reach > cover[1] { high + reach } else { cover[1] };
                }
            }
        }
        cover.map(|[low, high]| [low - longest, high + longest])
    }

    /// A path for somebody who has none.
    fn begin(&mut self, stage: &Stage<'_>, row: u32, fast: bool) -> usize {
        let at = self.used;
        if at == self.paths.len() {
            self.paths.push(Path::default());
        }
        let Bullets { paths, scratch, trail, near, .. } = self;
        let path = &mut paths[at];
        let straight = goal(stage.now, stage.air, row as usize);
        let to = [stage.flight.x[row as usize], stage.flight.y[row as usize]];
        let immovable = stage.now.inverse_mass[row as usize] <= 0.0;
        let met = stage.met.binary_search_by_key(&row, |met| met.circle).is_ok();
        if fast && (to != straight || met || immovable) {
            let room = &mut Room { walls: stage.walls, air: stage.air, scratch, trail };
            path.fly(stage.now, stage.flight, (row, straight), room);
        } else {
            path.straight(stage.now, stage.flight, row, stage.air);
        }
        if fast {
            near.add(at as u32, &path.legs, path.flyer.radius);
        }
        self.used += 1;
        self.place[row as usize] = at as u32 + 1;
        at
    }

    /// Writes where those that met have come to, in place of what they would have done alone. What more they have given to walls, or the first row
    /// and field that is not finite.
    pub(crate) fn land(
        &mut self,
        rows: usize,
        (flight, flyers, trail): (&mut Flight, &mut Flyers, &mut Trail),
    ) -> Result<f64, (usize, &'static str)> {
        let mut more = 0.0;
        let changed = || self.paths[..self.used].iter().filter(|path| path.changed);
        let is_changed = |row: u32| {
            let place = self.place[row as usize] as usize;
            place > 0 && self.paths[place - 1].changed
        };
        flyers.replace(is_changed, changed().map(|path| path.met.as_slice()));
        for path in changed() {
            let Flyer { row, to, velocity, .. } = path.flyer;
            let k = row as usize;
            [flight.x[k], flight.y[k]] = to;
            [flight.velocity_x[k], flight.velocity_y[k]] = velocity;
            let numbers = [velocity[0], velocity[1], to[0], to[1]];
            if let Some(field) = numbers.iter().position(|v| !v.is_finite()) {
                return Err((k, FLIGHT_FIELDS[field]));
            }
            flyers.mark(row, rows);
            if trail.on {
                trail.forget(row);
                path.legs.iter().filter(|leg| leg.from != leg.to).for_each(|leg| trail.leg(row, leg.from, leg.to));
            }
            more += path.flyer.given - path.given_alone;
        }
        Ok(more)
    }

    fn generation(&self, row: u32) -> u32 {
        match self.place[row as usize] {
            0 => 0,
            at => self.paths[at as usize - 1].generation,
        }
    }

    /// Puts all meetings of one path with others into the queue, from a time on; at first, of two bullets, only by the first.
    fn search(&mut self, stage: &Stage<'_>, start: Start, find: &mut impl Find) {
        let reach = self.reach(self.paths[start.at].flyer.radius);
        let Bullets { paths, used, place, near, queue, rows, .. } = self;
        let path = &paths[start.at];
        let (row, radius, periods) = (path.flyer.row, path.flyer.radius, &stage.air.periods);
        let legs = &path.legs[start.leg..];
        rows.clear();
        if path.bullet {
            for leg in legs {
                find.within(row, Segment { start: leg.from.into(), end: leg.to.into(), radius: reach }, rows);
            }
            rows.retain(|&other| place[other as usize] == 0 && other != row);
            once(rows);
            for &other in &*rows {
                let flyer = Flyer::new(stage.now, stage.flight, other);
                let straight = [straight_leg(&flyer, stage.air)];
                offer(queue, stage, (path, start), (&flyer, &straight, 0));
            }
            rows.clear();
        }
        // Legs that are long lie in many cells: sooner or later everybody costs less than those of them that are near, again and again.
        let mut left = EACH * *used as i64 + SOME;
        let mut see = |other: u32| rows.push(other);
        if !legs.iter().all(|leg| near.along(leg, radius, periods, &mut left, &mut see)) {
            near.owners().iter().copied().for_each(&mut see);
        }
        once(rows);
        for &other in &*rows {
            let (at, other) = (other as usize, &paths[other as usize]);
            let is_told = start.time == 0.0 && start.partner.is_none() && path.bullet && other.bullet && at < start.at;
            let meets = (path.bullet || other.bullet) && path.flyer.filter.meets(other.flyer.filter);
            if at != start.at && meets && !is_told {
                offer(queue, stage, (path, start), (&other.flyer, &other.legs, other.generation));
            }
        }
    }
}

/// From where meetings are looked for.
#[derive(Clone, Copy)]
struct Start {
    at: usize,
    time: f64,
    /// The leg that it is on.
    leg: usize,
    partner: Option<Partner>,
}

/// Whom it has just met.
#[derive(Clone, Copy)]
struct Partner {
    row: u32,
    leg: usize,
    /// Further meetings with it are looked for; else they have been.
    counts: bool,
}

/// Puts the next meeting of two circles into the queue, if there is one. The second: as it is, its legs and their age.
fn offer(
    queue: &mut Queue,
    stage: &Stage<'_>,
    (path, start): (&Path, Start),
    (other, legs, generation): (&Flyer, &[Leg], u32),
) {
    let flyers = [&path.flyer, other];
    let partner = start.partner.filter(|partner| partner.row == other.row);
    if partner.is_some_and(|partner| !partner.counts) || flyers.iter().all(|flyer| flyer.inverse_mass <= 0.0) {
        return;
    }
    let leg = match partner {
        Some(partner) => partner.leg,
        None => legs.partition_point(|leg| leg.end <= start.time),
    };
    let from = (start.time, [start.leg, leg], partner.is_some());
    let radii = [path.flyer.radius, other.radius];
    let Some(touch) = first_meeting([&path.legs, legs], radii, &stage.air.periods, from) else { return };
    // In the order of the handles themselves, which is not that of their bits.
    let handle = |row: u32| stage.now.handle[row as usize].order();
    let meeting = Meeting {
        time: touch.time,
        handles: [handle(path.flyer.row), handle(other.row)],
        rows: [path.flyer.row, other.row],
        legs: touch.legs.map(|leg| leg as u32),
        generations: [path.generation, generation],
        apart: touch.apart,
    };
    queue.push(if meeting.handles[0] < meeting.handles[1] { meeting } else { meeting.turned_round() });
}

/// Sorted, each once.
fn once(rows: &mut Vec<u32>) {
    rows.sort_unstable();
    rows.dedup();
}
