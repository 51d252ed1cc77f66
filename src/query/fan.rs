//! Fans: many rays from one origin, as a lidar sends them.
//!
//! Comes in: a [`Fan`], checked here. Goes out: what each beam meets. The directions are computed here, with the same bits everywhere (see
//! [`super::angle`]). Where bodies are few, each beam is held against those that stand in its way ([`super::sight`]); else the beams are cast
//! as the rays of a batch are, side by side, which brings neighbours to cells that are still at hand.

use super::abreast::{self, Beams, Rays};
use super::angle::{FAR, sine_and_cosine};
use super::door::check_number;
use super::flight::Flight;
use super::met::{MOST, Met};
use super::rays::{CHUNK, Flights};
use super::search::{FIRST, Search, is_thin};
use super::sight::Sight;
use super::{Hit, Look, Queries, QueryFilter, Scene};
use crate::error::{Error, Kind};
use crate::geometry::{Ray, Vec2};
use crate::kernels::firsts::{self, Firsts};
use crate::kernels::foremost::Front;
use crate::kernels::{Kernels, LANES, Operation, dispatch};
use crate::parallel::Split;

/// Beams from one origin, evenly over an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fan {
    /// Where all beams start.
    pub origin: Vec2,
    /// Where the middle of the fan points, in radians, counterclockwise from (1, 0).
    pub heading: f32,
    /// The angle between the first and the last beam, in radians, zero or more. 2π (as `f32`, or the `f32` before it), or more: all around, and
    /// the last beam, which would be the first again, is left out.
    pub spread: f32,
    /// How many, at most [`Fan::MOST_BEAMS`].
    pub beams: u32,
    /// How far they see, zero or more.
    pub range: f32,
}

impl Fan {
    /// The beams that a call may ask for: 2^26.
    pub const MOST_BEAMS: u32 = 1 << 26;

    /// How far the beam comes that meets this.
    pub(super) fn distance(&self, hit: &Hit) -> f32 {
        if hit.is_hit() { hit.fraction } else { self.range }
    }

    /// All around, the first beam opposite to the heading.
    #[must_use]
    pub fn around(origin: impl Into<Vec2>, beams: u32, range: f32) -> Fan {
        Fan { origin: origin.into(), heading: 0.0, spread: std::f32::consts::TAU, beams, range }
    }

    /// The direction of a beam, counterclockwise from `heading - spread / 2`, or, all around, from opposite to the heading: a unit vector, each coordinate
    /// rounded once, of an angle in double precision: what would be 0 may be 1e-16. Of one beam alone the heading.
    #[must_use]
    #[inline(always)]
    pub fn direction(&self, beam: u32) -> Vec2 {
        let [sine, cosine] = sine_and_cosine(self.angle(beam));
        Vec2 { x: cosine as f32 + 0.0, y: sine as f32 + 0.0 }
    }

    /// A beam.
    pub(super) fn ray(&self, beam: u32) -> Ray {
        Ray { origin: self.origin, direction: self.direction(beam), max: self.range }
    }

    /// In radians.
    #[inline(always)]
    pub(super) fn angle(&self, beam: u32) -> f64 {
        use std::f64::consts::{PI, TAU};
        let (heading, last) = (f64::from(self.heading), f64::from(self.beams) - 1.0);
        // Else what comes to it would be lost.
        let heading = if heading.abs() > FAR { heading % TAU } else { heading };
        let aside = if self.beams <= 1 {
            0.0
        } else if self.is_around() {
            f64::from(beam) / f64::from(self.beams) * TAU - PI
        } else {
            // The same to both sides of the heading, but for the sign.
            (2.0 * f64::from(beam) - last) / (2.0 * last) * f64::from(self.spread)
        };
        heading + aside
    }

    /// Evenly around, the last beam left out.
    pub(super) fn is_around(&self) -> bool {
        self.spread >= std::f32::consts::TAU.next_down()
    }
}

/// What a fan has met. Reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    sight: Sight,
    hits: Vec<Hit>,
    distances: Vec<f32>,
}

impl Scan {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Scan {
        Scan::default()
    }

    /// What each beam meets first; [`Hit::NOTHING`] where it meets nothing within the range.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// How far each beam comes: the fraction of its hit (in lengths of its direction, which is 1 to within 2^-23), or the range.
    #[must_use]
    pub fn distances(&self) -> &[f32] {
        &self.distances
    }
}

/// Some beams against what they may meet.
struct Seen<'a> {
    scene: &'a Scene<'a>,
    look: &'a Look<'a>,
    fan: &'a Fan,
    sight: &'a Sight,
    first: usize,
    hits: &'a mut [Hit],
}

impl Operation for Seen<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Seen { scene, look, fan, sight, first, hits } = self;
        let (front, mut bunch) = (sight.is_seen() && is_thin(scene), Bunch::NONE);
        for (k, hits) in hits.chunks_mut(MOST).enumerate() {
            let first = first + k * MOST;
            let left = if front { bunch.meet::<K>(scene, (fan, sight), first, hits) } else { u32::MAX };
            for (k, hit) in hits.iter_mut().enumerate() {
                if left >> k & 1 == 1 {
                    *hit = alone::<K>(scene, look, flight(fan, sight, first + k), sight.bodies(first + k));
                }
            }
        }
    }
}

/// At most [`MOST`] beams, side by side. Used again for the next.
struct Bunch {
    rays: Rays,
    beams: Beams,
    met: Met,
}

impl Bunch {
    const NONE: Bunch = Bunch { rays: Rays::NONE, beams: Beams::NONE, met: Met::new() };

    /// Records of what those from one on meet first, as far as lanes can tell; by bits who is left.
    #[inline(always)]
    fn meet<K: Kernels>(&mut self, scene: &Scene<'_>, seen: (&Fan, &Sight), first: usize, hits: &mut [Hit]) -> u32 {
        let ((fan, sight), Bunch { rays, beams, met }) = (seen, self);
        for k in 0..hits.len() {
            rays.set(k, abreast::ray(ray(fan, sight, first + k)));
        }
        abreast::beams(rays, beams);
        hits.fill(Hit::NOTHING);
        let (mut left, segments) = (0, scene.capsules.x0.len() as u32);
        for from in (0..hits.len()).step_by(LANES) {
            let count = if hits.len() - from < LANES { hits.len() - from } else { LANES };
            let asked = firsts::Beams::of_columns(beams.eight(from));
            let firsts = firsts::<K>(scene, &asked, sight, first + from, count);
            for (k, &body) in firsts.names.iter().enumerate().take(count) {
                let at = from + k;
                let plain = abreast::is_plain(beams, at);
                if plain && firsts.clear >> k & 1 == 1 {
                    let flight = abreast::flight(rays, at);
                    if body < segments {
                        met.segment(&flight, scene.segment(body), body, at as u32);
                    } else {
                        let row = body - segments;
                        met.circle(&flight, scene.circle(row), scene.name(row), at as u32);
                    }
                } else {
                    left |= u32::from(!plain || firsts.nothing >> k & 1 == 0) << at;
                }
            }
        }
        left | met.finish::<K>(hits)
    }
}

/// Which bodies, named as [`Sight::bodies`] does, some beams meet first: each against the first of those that it may meet, then each against its
/// second, and so on.
#[inline(always)]
fn firsts<K: Kernels>(
    scene: &Scene<'_>,
    beams: &firsts::Beams<'_>,
    sight: &Sight,
    first: usize,
    count: usize,
) -> Firsts {
    const NOBODY: u32 = u32::MAX;
    let (circles, segments) = (scene.circles(), scene.capsules.x0.len() as u32);
    let (mut front, mut most, mut lists) = (K::Front::new(), 0, [[].as_slice(); LANES]);
    for (k, list) in lists.iter_mut().enumerate().take(count) {
        *list = sight.bodies(first + k);
        most = if list.len() > most { list.len() } else { most };
    }
    for nth in 0..most {
        let mut names = [NOBODY; LANES];
        for (name, list) in names.iter_mut().zip(&lists) {
            if let Some(&body) = list.get(nth) {
                *name = body;
            }
        }
        if names.iter().any(|&name| name < segments) {
            let mut columns = [[f32::NAN; LANES]; 4];
            for (k, &name) in names.iter().enumerate() {
                let here = name < segments;
                let [[x0, y0], [x1, y1]] = scene.capsules.ends(if here { name } else { 0 } as usize);
                for (column, v) in columns.iter_mut().zip([if here { x0 } else { f32::NAN }, y0, x1, y1]) {
                    column[k] = v;
                }
            }
            front.segment_of_each(&columns, beams, &names);
        }
        if names.iter().any(|&name| name >= segments && name != NOBODY) {
            let mut columns = [[f32::NAN; LANES]; 3];
            for (k, &name) in names.iter().enumerate() {
                let here = name >= segments && name != NOBODY;
                let row = if here { name - segments } else { 0 } as usize;
                let x = if here { circles.x[row] } else { f32::NAN };
                for (column, v) in columns.iter_mut().zip([x, circles.y[row], circles.radius[row]]) {
                    column[k] = v;
                }
            }
            front.circle_of_each(&columns, beams, &names);
        }
    }
    front.foremost_of_each(beams)
}

#[inline(always)]
fn ray(fan: &Fan, sight: &Sight, beam: usize) -> Ray {
    Ray { origin: fan.origin, direction: sight.direction(beam), max: fan.range }
}

#[inline(always)]
fn flight(fan: &Fan, sight: &Sight, beam: usize) -> Flight {
    Flight::ray(ray(fan, sight, beam))
}

/// What a beam meets first of some bodies, named as [`Sight::bodies`] does.
#[inline(always)]
fn alone<K: Kernels>(scene: &Scene<'_>, look: &Look<'_>, flight: Flight, bodies: &[u32]) -> Hit {
    let (mut none, segments) = (Vec::new(), scene.capsules.x0.len() as u32);
    let mut search = Search::<K, FIRST>::new(scene, look, flight, &mut none);
    for &body in bodies {
        if body < segments {
            search.segment(scene.segment(body), body);
        } else {
            search.circle(scene.circle(body - segments), scene.name(body - segments));
        }
    }
    search.first()
}

/// Fans, one by one, and their beams together.
pub(super) fn check(fans: &[Fan]) -> Result<(), Error> {
    let mut beams = 0;
    for (row, fan) in fans.iter().enumerate() {
        for (field, value) in [("x", fan.origin.x), ("y", fan.origin.y), ("heading", fan.heading)] {
            check_number(Kind::Ray, row, field, value, false)?;
        }
        for (field, value) in [("spread", fan.spread), ("range", fan.range)] {
            check_number(Kind::Ray, row, field, value, true)?;
        }
        beams += u64::from(fan.beams);
    }
    let limit = Fan::MOST_BEAMS as usize;
    if beams > limit as u64 { Err(Error::TooManyResults { limit }) } else { Ok(()) }
}

impl Queries<'_> {
    /// [`Self::cast_ray`] for each beam of a fan, in their order. `scan` is written over.
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::Negative`] for the numbers of the fan, [`Error::TooManyResults`] for more beams than
    /// [`Fan::MOST_BEAMS`]; `scan` is as it was then.
    pub fn cast_fan(&self, fan: Fan, filter: QueryFilter<'_>, scan: &mut Scan) -> Result<(), Error> {
        check(&[fan])?;
        let Scan { sight, hits, distances } = scan;
        if self.is_plain() {
            let look = self.look(&filter);
            hits.resize(fan.beams as usize, Hit::NOTHING);
            self.pool.run(fan.beams as usize, |split| self.scan(&fan, &look, split, sight, hits));
        } else {
            self.firsts(Flights::Fan(fan), filter, hits)?;
        }
        distances.clear();
        distances.extend(hits.iter().map(|hit| fan.distance(hit)));
        Ok(())
    }

    /// What each beam of a fan meets.
    pub(super) fn scan(&self, fan: &Fan, look: &Look<'_>, split: Split, sight: &mut Sight, hits: &mut [Hit]) {
        let (scene, Scene { backend, set, .. }) = (&self.scene, self.scene);
        if sight.make(scene, look, fan) {
            split.chunks(hits, CHUNK, |first, hits| {
                dispatch(backend, set, Seen { scene, look, fan, sight, first, hits });
            });
        } else {
            self.firsts_plainly(Flights::Fan(*fan), look, split, hits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI, TAU};

    #[test]
    fn beams_lie_evenly_and_none_twice() {
        let fan = Fan { origin: Vec2::ZERO, heading: 0.0, spread: TAU, beams: 4, range: 1.0 };
        // -π, -π/2, 0, π/2: to within the rounding of an f32.
        for (beam, [x, y]) in [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
            let d = fan.direction(beam as u32);
            assert!((d.x - x).abs() < 1e-7 && (d.y - y).abs() < 1e-7, "{beam}: {d:?}");
        }
        let half = Fan { spread: PI, beams: 3, heading: FRAC_PI_2, ..fan };
        for (beam, [x, y]) in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]].into_iter().enumerate() {
            let d = half.direction(beam as u32);
            assert!((d.x - x).abs() < 1e-7 && (d.y - y).abs() < 1e-7, "{beam}: {d:?}");
        }
        let one = Fan { beams: 1, ..half };
        assert!((one.direction(0).y - 1.0).abs() < 1e-7);
        // However often the heading has gone round.
        let far = Fan { heading: 1e30, beams: 8, ..fan };
        for beam in 0..8 {
            let (one, two) = (far.direction(beam), far.direction((beam + 4) % 8));
            assert!((one.x + two.x).abs() < 1e-6 && (one.y + two.y).abs() < 1e-6 && one != two, "{one:?} {two:?}");
        }
        // To both sides alike.
        let odd = Fan { heading: 0.0, spread: 1.7, beams: 31, ..fan };
        for beam in 0..31 {
            let (a, b) = (odd.direction(beam), odd.direction(30 - beam));
            assert_eq!((a.x, a.y), (b.x, 0.0 - b.y));
        }
    }
}
