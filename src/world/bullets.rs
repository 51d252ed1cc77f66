//! Bullets: when they are called, and what is told of whom they met.
//!
//! Comes in: a step on its way, after flight and before anything else moves. Goes out: the same with other paths for circles that met a bullet, and
//! the list of what was met. This room decides who is asked where circles stand, not how two of them meet. Where nobody is a bullet it
//! costs one look; where none is fast, one at each circle's mark.

use super::events::Touch;
use super::hold::{air, size_of_bounds};
use super::impacts::name_impacts;
use super::{Response, World, touch};
use crate::error::{Error, Kind};
use crate::geometry::{Segment, Vec2};
use crate::query::{Queries, QueryFilter, Target};
use crate::response::{Bullets, CirclesMet, Find, Place, Stage, Walls, shorten};
use crate::storage::{CircleColumns, CircleHandle, is_set};
use bytemuck::{Pod, Zeroable};

/// Buffers of a step, reused.
#[derive(Debug, Default)]
pub(super) struct Shots {
    pub(super) bullets: Bullets,
    found: Vec<Target>,
    few: Vec<u32>,
    /// What was met, by handles.
    pub(super) told: Vec<CircleImpact>,
}

/// Up to so many circles are looked at one by one, instead of sorting all of them for questions.
const FEW: usize = 256;

/// Tells bullets who stood where before the step.
struct Finder<'a> {
    world: &'a World,
    /// Made when it is first needed.
    queries: Option<Queries<'a>>,
    found: &'a mut Vec<Target>,
    /// All circles that come into the cover; that is empty where they would be too many.
    few: &'a mut Vec<u32>,
    cover: [[f64; 2]; 2],
}

/// A circle comes into an interval on one axis.
fn comes(x: f32, r: f32, [low, high]: [f64; 2]) -> bool {
    let (x, r) = (f64::from(x), f64::from(r));
    (x + r >= low) & (x - r <= high)
}

impl Find for Finder<'_> {
    fn expect(&mut self, cover: [[f64; 2]; 2]) {
        if !self.world.config.bounds.periods().is_none() {
            return;
        }
        let c = &self.world.circles;
        for (row, ((&x, &y), &r)) in c.x.iter().zip(&c.y).zip(&c.radius).enumerate() {
            if comes(x, r, cover[0]) & comes(y, r, cover[1]) {
                if self.few.len() == FEW {
                    return;
                }
                self.few.push(row as u32);
            }
        }
        self.cover = cover;
    }

    fn within(&mut self, row: u32, capsule: Segment, rows: &mut Vec<u32>) {
        let world = self.world;
        let labels = &world.circles.labels;
        let filter = labels.filters().of(row);
        let ([sx, sy], [ex, ey]) = (<[f32; 2]>::from(capsule.start), <[f32; 2]>::from(capsule.end));
        let around = [[sx, ex], [sy, ey]].map(|[a, b]| {
            let (a, b, r) = (f64::from(a), f64::from(b), f64::from(capsule.radius));
            if a < b { [a - r, b + r] } else { [b - r, a + r] }
        });
        if around.iter().zip(&self.cover).all(|(around, cover)| cover[0] <= around[0] && around[1] <= cover[1]) {
            let c = &world.circles;
            rows.extend(self.few.iter().copied().filter(|&other| {
                let k = other as usize;
                comes(c.x[k], c.radius[k], around[0]) & comes(c.y[k], c.radius[k], around[1])
                    && labels.filters().of(other).meets(filter)
                    && !is_set(labels.sensors(), k)
            }));
            return;
        }
        let look = QueryFilter::new().with_filter(filter).circles_only().without_sensors();
        let queries = self.queries.get_or_insert_with(|| world.queries().of_circles());
        // What is not finite, or longer than so many periods as are looked at, meets nobody.
        if queries.overlap_segment(capsule, look, self.found).is_ok() {
            rows.extend(self.found.iter().map(|target| target.row));
        }
    }
}

/// A bullet and another circle met in flight.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CircleImpact {
    /// Both circles, the lower handle first.
    pub circles: [CircleHandle; 2],
    /// Where: the point of the first one's outline. Where the plane repeats it is told from where its step began, and may lie beyond the border.
    pub point: Vec2,
    /// Unit, from the first to the second.
    pub normal: Vec2,
    /// How fast they came near each other along the normal before they were turned, length units per second; 0 where they grazed.
    /// No larger than the largest number.
    pub approach_speed: f32,
    /// How much of the step had passed, 0 to 1.
    pub fraction: f32,
}

impl World {
    /// The circles that met in flight in the last [`World::step`], one of them at least a bullet, in time; of equal times the pair with the lowest
    /// handles comes first.
    ///
    /// A bullet ([`CircleBody::bullet`](crate::CircleBody::bullet)) that goes farther than half its radius in a step does not pass
    /// through another circle. When their discs first touch (closed sets: to graze is to meet) the two bounce along the line of
    /// their centres, by their masses and the larger restitution, and both fly on with what is left of the step, from wall to wall as all that is fast. Who is hit
    /// goes straight from where it stood, or along its own path where it is fast. Two that touch when the step begins meet at once, if they
    /// approach; whoever is a bullet and slow is left to the contacts at the end of the step, as all others are. What has bounced in flight parts, so that contacts do not
    /// answer it again.
    ///
    /// Meetings are answered in the order of this list. A circle goes on after up to eight others in a step (and eight walls), though more may change its velocity; then it stays
    /// where it is until the next one, and so does who would fly through it, but for what
    /// nothing stops. Two circles of inverse mass 0 do not meet, nor do sensors, nor those whom filters part. Nobody
    /// is asked by [`World::step_with`]. Where a bullet is fast, no circle goes farther than a period of periodic bounds in that step.
    ///
    /// What a circle that is no bullet meets after it was hit are contacts where the step ends. Whether two meet that fly straight for the whole
    /// step is decided exactly, later legs as their times, rounded to double precision, have it.
    ///
    /// ```
    /// use gridlane::{Circle, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let bullet = world.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([100.0, 0.0]).with_bullet(true))?;
    /// let target = world.add_circle(Circle::new([51.0, 0.0], 0.5))?;
    /// world.step(1.0)?;
    /// let [met] = world.circle_impacts() else { panic!("one") };
    /// assert_eq!((met.circles, met.fraction, met.approach_speed), ([bullet, target], 0.5, 100.0));
    /// // Of equal masses: one stands, the other goes on.
    /// let x = [bullet, target].map(|circle| world.circle(circle).expect("there").shape.center.x);
    /// assert_eq!(x, [50.0, 101.0]);
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    #[must_use]
    pub fn circle_impacts(&self) -> &[CircleImpact] {
        &self.circle_impacts
    }

    /// Belongs to **move**: bullets that are fast meet other circles. Segments have not moved yet.
    pub(super) fn fly_bullets(&mut self, dt: f32) -> Result<(), Error> {
        let shots = &mut self.next.shots;
        shots.bullets.none();
        shots.told.clear();
        let marked = !self.circles.labels.bullets().is_empty();
        if !(marked && dt > 0.0 && self.config.response != Response::None && self.config.pair_kinds.circle_circle) {
            return Ok(());
        }
        let (periods, holds) = (self.config.bounds.periods(), self.holds(dt));
        let mut shots = std::mem::take(&mut self.next.shots);
        let fast = Bullets::are_fast((&self.circles, &self.next.flight), self.next.flyers.flown());
        if fast {
            if !holds && !periods.is_none() {
                shorten(&periods, &self.circles, &mut self.next.flight);
            }
            self.meet_circles(&mut shots, (dt, holds));
        }
        self.next.shots = shots;
        if fast { self.land(holds) } else { Ok(()) }
    }

    /// Finds and answers what is met.
    fn meet_circles(&self, shots: &mut Shots, (dt, holds): (f32, bool)) {
        let World { config, circles, segments, detection, index, next, .. } = self;
        let (sets, size) = holds.then(|| index.all(segments, &config.bounds.periods(), next.guard.standing())).unzip();
        let bounds = size_of_bounds(config);
        let nothing = Place { cells: &[], images: None, segments, bounds };
        let place = sets.as_ref().map_or(nothing, |sets| sets.place(segments, bounds));
        let walls = Walls::standing(place, size.flatten());
        let walls = walls.with_lanes(detection.backend(), detection.set());
        let stage = Stage {
            now: circles,
            flight: &next.flight,
            flown: next.flyers.flown(),
            met: next.flyers.met(),
            walls: &walls,
            air: air(config, circles, segments, dt),
        };
        let Shots { bullets, found, few, .. } = shots;
        few.clear();
        let finder =
            &mut Finder { world: self, queries: None, found, few, cover: [[f64::INFINITY, f64::NEG_INFINITY]; 2] };
        bullets.fly(stage, finder);
    }

    /// Writes down where all have come to.
    fn land(&mut self, holds: bool) -> Result<(), Error> {
        let World { circles, segments, next, .. } = self;
        let super::Next { shots, flight, flyers, trail, held, impacts, .. } = &mut **next;
        let landed = shots.bullets.land(circles.len(), (flight, flyers, trail));
        held.to_walls += landed.map_err(|(row, field)| {
            let bits = circles.handle[row].to_bits();
            Error::OutOfRange { kind: Kind::Circle, bits, field }
        })?;
        held.virial = shots.bullets.virial();
        if holds && !shots.bullets.met().is_empty() {
            name_impacts(flyers.met(), circles, segments, impacts);
        }
        name_circle_impacts(shots.bullets.met(), circles, &mut shots.told);
        if !holds && !self.next.shots.told.is_empty() {
            // Else they are told when segments have moved.
            self.trace_motion();
        }
        Ok(())
    }
}

/// What was met, by the handles that the rows have.
fn name_circle_impacts(met: &[CirclesMet], circles: &CircleColumns, to: &mut Vec<CircleImpact>) {
    to.extend(met.iter().map(|met| {
        let Touch { point, normal, approach_speed } = touch::circles_in_flight(met);
        let circles = met.circles.map(|row| circles.handle[row as usize]);
        CircleImpact { circles, point, normal, approach_speed, fraction: met.fraction as f32 }
    }));
}
