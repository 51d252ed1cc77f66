//! Rays: the first body, whether there is any, or all, one ray or columns of them.
//!
//! Comes in: rays, checked here. Goes out: [`Hit`]s. How bodies are found: [`super::search`].

use super::casts::MovingCircles;
use super::chunks::{Alls, Anys, Asked, Firsts, One};
use super::door::{Column, check_columns, check_number};
use super::fan::Fan;
use super::flight::Flight;
use super::image_casts::Way;
pub(super) use super::lists::CHUNK;
use super::lists::Part;
use super::order::Order;
use super::search::{ANY, FIRST};
use super::{Hit, HitLists, Look, Queries, QueryFilter, Scene, Target};
use crate::error::{Error, Kind};
use crate::geometry::{Ray, Vec2};
use crate::kernels::dispatch_apart;
use crate::parallel::Split;

/// Rays as columns of equal length; see [`Ray`]. Of many, those that start near each other had better stand together: strewn at random, they
/// take up to a quarter longer, since each has to wait for memory.
///
/// Once twice as many rays have been cast as there are bodies, in one call or in several between which nothing has changed, all bodies are laid under cells
/// that are made for rays: 30 to 110 ns and 10 to 56 bytes a body, once, and from then on a ray takes two fifths to three quarters less (built-in scenes of 100 000 circles). What is hit does not depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rays<'a> {
    /// Where they start.
    pub x: &'a [f32],
    /// Where they start.
    pub y: &'a [f32],
    /// Of any length: fractions count in it.
    pub direction_x: &'a [f32],
    /// Of any length: fractions count in it.
    pub direction_y: &'a [f32],
    /// The last fraction, zero or more; left out (empty): `f32::MAX`.
    pub max: &'a [f32],
    /// A circle that the ray does not see, by its row; left out (empty), or a row that is not there: it sees all.
    pub skip: &'a [u32],
}

/// Flights one after the other. What asks about them is built once for all kinds.
#[derive(Clone, Copy)]
pub(super) enum Flights<'a> {
    One(Way),
    Rays(Rays<'a>),
    Circles(MovingCircles<'a>),
    Fan(Fan),
}

impl Flights<'_> {
    fn count(&self) -> usize {
        match self {
            Flights::One(_) => 1,
            Flights::Rays(rays) => rays.x.len(),
            Flights::Circles(circles) => circles.x.len(),
            Flights::Fan(fan) => fan.beams as usize,
        }
    }

    /// One of them, in errors: a fan is one question.
    fn name(&self, row: usize) -> usize {
        if matches!(self, Flights::Fan(_)) { 0 } else { row }
    }

    /// How a scene is looked at by all of them.
    fn order<'a>(&self, scene: &Scene<'a>) -> Order<'a> {
        let thick = matches!(self, Flights::Circles(_) | Flights::One(Way::Circle(..)));
        Order::new(scene, if thick { 0 } else { u32::try_from(self.count()).unwrap_or(u32::MAX) })
    }

    /// One of them, and the circle it does not see.
    #[inline(always)]
    pub(super) fn at(&self, row: usize) -> (Flight, Option<u32>) {
        let (way, skip) = match self {
            Flights::Rays(rays) => rays.way(row),
            Flights::Circles(circles) => circles.way(row),
            _ => self.way(row),
        };
        (way.flight(), skip)
    }

    /// One of them, if it is a ray.
    #[inline(always)]
    pub(super) fn ray(&self, row: usize) -> Option<Ray> {
        let (way, _) = match self {
            Flights::Rays(rays) => rays.way(row),
            _ => self.way(row),
        };
        if let Way::Ray(ray) = way { Some(ray) } else { None }
    }

    /// The circle that each of them does not see; empty if all see all circles.
    #[inline(always)]
    pub(super) fn skip(&self) -> &[u32] {
        match self {
            Flights::Rays(rays) => rays.skip,
            Flights::Circles(circles) => circles.skip,
            _ => &[],
        }
    }

    /// The columns of so many from one on, if they are rays: origins, directions, last fractions.
    #[inline(always)]
    pub(super) fn columns<const N: usize>(&self, row: usize) -> Option<[&[f32; N]; 5]> {
        let Flights::Rays(Rays { x, y, direction_x, direction_y, max, .. }) = self else { return None };
        let max = if max.is_empty() { &[f32::MAX; N] } else { max.get(row..)?.first_chunk()? };
        let direction = [direction_x.get(row..)?.first_chunk()?, direction_y.get(row..)?.first_chunk()?];
        Some([x.get(row..)?.first_chunk()?, y.get(row..)?.first_chunk()?, direction[0], direction[1], max])
    }

    /// The same, before it is made ready.
    #[inline(never)]
    pub(super) fn way(&self, row: usize) -> (Way, Option<u32>) {
        match self {
            Flights::One(way) => (*way, None),
            Flights::Rays(rays) => rays.way(row),
            Flights::Circles(circles) => circles.way(row),
            Flights::Fan(fan) => (Way::Ray(fan.ray(row as u32)), None),
        }
    }
}

impl Rays<'_> {
    #[inline(always)]
    fn way(&self, row: usize) -> (Way, Option<u32>) {
        let origin = Vec2 { x: self.x[row], y: self.y[row] };
        let direction = Vec2 { x: self.direction_x[row], y: self.direction_y[row] };
        let max = self.max.get(row).copied().unwrap_or(f32::MAX);
        (Way::Ray(Ray { origin, direction, max }), self.skip.get(row).copied().filter(|&row| row != u32::MAX))
    }
}

impl Queries<'_> {
    /// The first body that a ray meets: that of the least fraction, among equals a circle, then the lowest row. Closed: an end of a
    /// segment counts, a tangent, and the last point of the ray. A ray that starts on or in a body meets it with fraction 0.
    ///
    /// ```
    /// use gridlane::{QueryFilter, Ray, Segment, Target, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_segment(Segment::new([6.0, -1.0], [6.0, 1.0]))?;
    /// let hit = world.queries().cast_ray(Ray::new([0.0, 0.0], [2.0, 0.0]), QueryFilter::new())?;
    /// let hit = hit.expect("the wall is in the way");
    /// assert_eq!((hit.fraction, hit.point.x, hit.target), (3.0, 6.0, Target::segment(0)));
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::Negative`] for the ray's own numbers.
    pub fn cast_ray(&self, ray: Ray, filter: QueryFilter<'_>) -> Result<Option<Hit>, Error> {
        check_ray(ray)?;
        Ok(self.first(Way::Ray(ray), filter)?.found())
    }

    /// Whether a ray meets any body: without one it is a line of sight. Cheaper than the first.
    ///
    /// # Errors
    /// As [`Self::cast_ray`].
    pub fn cast_ray_any(&self, ray: Ray, filter: QueryFilter<'_>) -> Result<bool, Error> {
        check_ray(ray)?;
        self.any(Way::Ray(ray), filter)
    }

    /// All bodies that a ray meets, where it first meets each, by fraction, circles before segments, by row. `hits` is cleared first.
    ///
    /// # Errors
    /// As [`Self::cast_ray`]; `hits` is as it was then.
    pub fn cast_ray_all(&self, ray: Ray, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> Result<(), Error> {
        check_ray(ray)?;
        self.all(Way::Ray(ray), filter, hits)
    }

    /// [`Self::cast_ray`] for each, in their order; [`Hit::NOTHING`] where nothing is met. `hits` is written over.
    ///
    /// # Errors
    /// [`Error::ColumnLength`], [`Error::NotFinite`] or [`Error::Negative`] naming the ray; `hits` is as it was then.
    pub fn cast_rays(&self, rays: Rays<'_>, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> Result<(), Error> {
        check_rays(rays)?;
        self.firsts(Flights::Rays(rays), filter, hits)
    }

    /// [`Self::cast_ray_any`] for each, in their order. `met` is written over.
    ///
    /// # Errors
    /// As [`Self::cast_rays`].
    pub fn cast_rays_any(&self, rays: Rays<'_>, filter: QueryFilter<'_>, met: &mut Vec<bool>) -> Result<(), Error> {
        check_rays(rays)?;
        self.anys(Flights::Rays(rays), filter, met)
    }

    /// [`Self::cast_ray_all`] for each, in their order. `lists` is written over.
    ///
    /// # Errors
    /// As [`Self::cast_rays`]; [`Error::TooManyResults`], after which `lists` are empty.
    pub fn cast_rays_all(&self, rays: Rays<'_>, filter: QueryFilter<'_>, lists: &mut HitLists) -> Result<(), Error> {
        check_rays(rays)?;
        self.alls(Flights::Rays(rays), filter, lists)
    }

    pub(super) fn first(&self, way: Way, filter: QueryFilter<'_>) -> Result<Hit, Error> {
        if self.is_plain() { Ok(self.first_plainly(way, filter)) } else { self.first_image(way, 0, filter) }
    }

    pub(super) fn any(&self, way: Way, filter: QueryFilter<'_>) -> Result<bool, Error> {
        if self.is_plain() { Ok(self.any_plainly(way, filter)) } else { self.any_image(way, 0, filter) }
    }

    pub(super) fn all(&self, way: Way, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> Result<(), Error> {
        if !self.is_plain() {
            return self.all_images(way, 0, filter, hits);
        }
        self.all_plainly(way, filter, hits);
        Ok(())
    }

    /// How these flights look.
    fn asked<'q>(&'q self, flights: Flights<'q>, filter: &QueryFilter<'q>) -> Asked<'q> {
        let scene = &self.scene;
        Asked { scene, look: self.look(filter), flights, order: flights.order(scene) }
    }

    pub(super) fn first_plainly(&self, way: Way, filter: QueryFilter<'_>) -> Hit {
        let (scene, look, order) = (&self.scene, &self.look(&filter), self.order_of_one(&way));
        dispatch_apart(scene.backend, scene.set, One::<FIRST> { scene, look, flight: way.flight(), order })
    }

    pub(super) fn any_plainly(&self, way: Way, filter: QueryFilter<'_>) -> bool {
        let (scene, look, order) = (&self.scene, &self.look(&filter), self.order_of_one(&way));
        dispatch_apart(scene.backend, scene.set, One::<ANY> { scene, look, flight: way.flight(), order })
    }

    fn order_of_one(&self, way: &Way) -> Order<'_> {
        Order::of_one(&self.scene, matches!(way, Way::Ray(_)))
    }

    pub(super) fn all_plainly(&self, way: Way, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) {
        let Scene { backend, set, .. } = self.scene;
        hits.clear();
        dispatch_apart(backend, set, Alls(self.asked(Flights::One(way), &filter), 0..1, hits, None, usize::MAX));
    }

    pub(super) fn firsts(
        &self,
        flights: Flights<'_>,
        filter: QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        if !self.is_plain() {
            return self.each_image(flights.count(), hits, |row| {
                let name = flights.name(row);
                self.ask_without(flights.way(row), filter, |way, filter| self.first_image(way, name, filter))
            });
        }
        hits.resize(flights.count(), Hit::NOTHING);
        let look = self.look(&filter);
        self.pool.run(flights.count(), |split| self.firsts_plainly(flights, &look, split, hits));
        Ok(())
    }

    pub(super) fn firsts_plainly(&self, flights: Flights<'_>, look: &Look<'_>, split: Split, hits: &mut [Hit]) {
        let (scene, Scene { backend, set, .. }) = (&self.scene, self.scene);
        let asked = Asked { scene, look: *look, flights, order: flights.order(scene) };
        split.chunks(hits, CHUNK, |at, hits| {
            dispatch_apart(backend, set, Firsts(asked, at, hits));
        });
    }

    pub(super) fn anys(&self, flights: Flights<'_>, filter: QueryFilter<'_>, met: &mut Vec<bool>) -> Result<(), Error> {
        if !self.is_plain() {
            return self.each_image(flights.count(), met, |row| {
                self.ask_without(flights.way(row), filter, |way, filter| self.any_image(way, row, filter))
            });
        }
        let (asked, Scene { backend, set, .. }) = (self.asked(flights, &filter), self.scene);
        met.resize(flights.count(), false);
        self.pool.run(flights.count(), |split| {
            split.chunks(met, CHUNK, |at, met| {
                dispatch_apart(backend, set, Anys(asked, at, met));
            });
        });
        Ok(())
    }

    /// What is asked of a flight that does not see some circle.
    pub(super) fn ask_without<T>(
        &self,
        (way, skip): (Way, Option<u32>),
        filter: QueryFilter<'_>,
        mut ask: impl FnMut(Way, QueryFilter<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some(skip) = skip else { return ask(way, filter) };
        let sees = |target: Target| target != Target::circle(skip) && filter.agrees(target);
        ask(way, filter.with_condition(&sees))
    }

    pub(super) fn alls(
        &self,
        flights: Flights<'_>,
        filter: QueryFilter<'_>,
        lists: &mut HitLists,
    ) -> Result<(), Error> {
        let (count, limit) = (flights.count(), lists.limit());
        if !self.is_plain() {
            return self.pool.run(count, |split| {
                lists.fill(count, split, |from, to, part| {
                    let mut hits = Vec::new();
                    for row in from..to {
                        let ask = |way, filter: QueryFilter<'_>| self.all_images(way, row, filter, &mut hits);
                        self.ask_without(flights.way(row), filter, ask)?;
                        part.items.append(&mut hits);
                        part.ends.push(part.items.len());
                        if part.items.len() > limit {
                            break;
                        }
                    }
                    Ok(())
                })
            });
        }
        let (asked, Scene { backend, set, .. }) = (self.asked(flights, &filter), self.scene);
        self.pool.run(count, |split| {
            if !split.is_parallel() {
                return lists.fill_straight(|limit, hits, ends| {
                    dispatch_apart(backend, set, Alls(asked, 0..count, hits, Some(ends), limit));
                });
            }
            lists.fill(count, split, |from, to, Part { items, ends, .. }| {
                dispatch_apart(backend, set, Alls(asked, from..to, items, Some(ends), limit));
                Ok(())
            })
        })
    }
}

fn check_ray(ray: Ray) -> Result<(), Error> {
    let Ray { origin, direction, max } = ray;
    let finite = origin.x.is_finite() & origin.y.is_finite() & direction.x.is_finite() & direction.y.is_finite();
    if finite & (0.0..=f32::MAX).contains(&max) { Ok(()) } else { check_each(ray) }
}

#[cold]
#[inline(never)]
fn check_each(Ray { origin, direction, max }: Ray) -> Result<(), Error> {
    let numbers = [("x", origin.x), ("y", origin.y), ("direction_x", direction.x), ("direction_y", direction.y)];
    for (field, value) in numbers {
        check_number(Kind::Ray, 0, field, value, false)?;
    }
    check_number(Kind::Ray, 0, "max", max, true)
}

fn check_rays(rays: Rays<'_>) -> Result<(), Error> {
    let Rays { x, y, direction_x, direction_y, max, skip } = rays;
    let left_out = |column: &[f32]| column.is_empty();
    let columns = [
        Column::any("x", x),
        Column::any("y", y),
        Column::any("direction_x", direction_x),
        Column::any("direction_y", direction_y),
        Column::sizes("max", max),
    ];
    let columns = if left_out(max) { &columns[..4] } else { &columns[..] };
    check_columns(Kind::Ray, columns, skip)
}
