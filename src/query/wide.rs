//! Long stretches of a flight, where few circles are near.
//!
//! Comes in: a flight, a level of circles by their centres, or of segments by where they start, and its [`Regions`], where it has some: where its cells lie
//! on a torus. Goes out: who may be met on the next stretch, and until when those are all. This room holds nobody against the flight.
//!
//! *Why nothing is lost.* What is met has its centre within `R` of where the flight is, on both axes: `R` as in [`super::along`]; a segment has a point
//! within the radius of what flies, and its start no further from that than segments of the level go. From all
//! centres that are not in the square about a place that regions tell of, the flight is further than `R` on some axis for as long as it is in
//! that square less `R` and the margin. Places are o + t v in double precision, off by 2^-52 of |o| and |t v|. Where o is no more than 2^40 cells
//! out that is 2^-12 of a cell and 2^-52 of the place, of which [`Regions`] allow for far more where it is out of their box.

use super::along::{MARGIN, STRETCH};
use super::flight::Flight;
use super::march::Scaled;
use crate::broad_phase::{CellMap, Level, Regions};

/// See the head of the module.
pub(super) struct Wide {
    o: [f64; 2],
    v: [f64; 2],
    /// The larger component of the velocity.
    fastest: f64,
    /// `R` and the margin.
    apart: f64,
    /// A stretch that is no longer than this is none.
    least: f64,
}

impl Wide {
    /// None where positions are too coarse.
    #[inline(always)]
    pub(super) fn new(level: &Level, flight: &Flight) -> Option<Wide> {
        Wide::about(&level.map, f64::from(level.size), flight)
    }

    /// The same about what is no further from its position than `size`.
    #[inline(always)]
    pub(super) fn about(map: &CellMap, size: f64, flight: &Flight) -> Option<Wide> {
        if !Scaled::new(map, 0.0, flight).is_near() {
            return None;
        }
        let (Flight { o, v, .. }, cell) = (*flight, f64::from(map.cell()));
        let reach = f64::from(flight.radius) + size;
        let fastest = if v[0].abs() > v[1].abs() { v[0].abs() } else { v[1].abs() };
        let (apart, stretch) = (reach + MARGIN * cell, STRETCH * cell);
        Some(Wide { o, v, fastest, apart, least: if reach > stretch { reach } else { stretch } })
    }

    /// Who may be met from a time on, which moves on to where somebody is near, and until when those are all. None where they are many, or
    /// that is not further than a stretch of [`super::along`].
    #[inline(always)]
    pub(super) fn next<'r>(&self, regions: &'r Regions, from: &mut f64, stop: f64) -> Option<(f64, [&'r [u32]; 3])> {
        if self.skip(regions, from, stop) {
            return Some((*from, [&[]; 3]));
        }
        let (reach, rows) = regions.about(self.place(*from))?;
        let far = reach - self.apart;
        if far > self.least { Some((*from + far / self.fastest, rows)) } else { None }
    }

    /// On to where somebody is near, or beyond `stop`: then true.
    #[inline(always)]
    pub(super) fn skip(&self, regions: &Regions, from: &mut f64, stop: f64) -> bool {
        // Also where it ends as it begins.
        while *from <= stop {
            let far = regions.clear(self.place(*from)) - self.apart;
            // No comparison with what is not a number holds.
            if far > self.least {
                *from += far / self.fastest;
                continue;
            }
            return false;
        }
        true
    }

    #[inline(always)]
    fn place(&self, at: f64) -> [f64; 2] {
        [self.o[0] + at * self.v[0], self.o[1] + at * self.v[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::{Grid, Policy};
    use crate::geometry::{Ray, Vec2};
    use crate::parallel::Split;

    /// How far a point is from where a ray is between two times.
    fn distance(ray: Ray, [from, to]: [f64; 2], point: [f32; 2]) -> f64 {
        let [dx, dy, x, y] =
            [ray.direction.x, ray.direction.y, point[0] - ray.origin.x, point[1] - ray.origin.y].map(f64::from);
        let t = (x * dx + y * dy) / (dx * dx + dy * dy);
        let t = if t < from {
            from
        } else if t > to {
            to
        } else {
            t
        };
        (x - t * dx).hypot(y - t * dy)
    }

    #[test]
    fn nobody_is_passed_over() {
        let mut state = 5u64;
        let mut random = |most: f64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (2.0 * (state >> 11) as f64 / (1u64 << 53) as f64 - 1.0) * most
        };
        for (middle, size) in [(0.0, 50.0f32), (3e6, 40.0), (-1e6, 25.0)] {
            let (mut x, mut y) = (vec![], vec![]);
            for clump in 0..60 {
                let place = [random(5e4), random(5e4)];
                for _ in 0..if clump % 3 == 0 { 30 } else { 1 } {
                    x.push((middle + place[0] + random(3e3)).round() as f32);
                    y.push((middle + place[1] + random(3e3)).round() as f32);
                }
            }
            let mut grid = Grid::default();
            grid.bin(&x, &y, &vec![size; x.len()], Policy::CIRCLES, None, Split::SERIAL);
            let level = &grid.levels()[0];
            // Asked for once before, they are worth making.
            grid.regions(level, u32::MAX);
            let regions = grid.regions(level, 0).expect("cells on a torus, and much is empty");
            let (mut clear, mut listed, mut met) = (0, 0, 0);
            for _ in 0..3_000 {
                let origin = Vec2::new((middle + random(7e4)) as f32, (middle + random(7e4)) as f32);
                let at = random(x.len() as f64).abs() as usize;
                let direction = Vec2::new(x[at] - origin.x, y[at] - origin.y);
                // Past somebody, near by.
                let aside = Vec2::new(random(300.0) as f32, random(300.0) as f32);
                let direction = Vec2::new(direction.x + aside.x, direction.y + aside.y);
                let ray = Ray { origin, direction, max: 1.5 };
                let mut check = |span: [f64; 2], rows: &[u32]| {
                    let span = span.map(|t| if t < 1.5 { t } else { 1.5 });
                    for (row, (&x, &y)) in (0..).zip(grid.x().iter().zip(grid.y())).take(x.len()) {
                        let meets = distance(ray, span, [x, y]) <= f64::from(size);
                        assert!(!meets || rows.contains(&row), "{ray:?} {span:?} {x} {y}");
                        met += usize::from(meets);
                    }
                };
                let (wide, mut from) = (Wide::new(level, &Flight::ray(ray)).expect("near"), 0.0);
                loop {
                    let before = from;
                    let next = wide.next(regions, &mut from, 1.5);
                    if from > before {
                        check([before, from], &[]);
                        clear += 1;
                    }
                    if let Some((until, rows)) = next {
                        listed += rows.concat().len();
                        check([from, until], &rows.concat());
                        assert!(until > from || from >= 1.5);
                        from = until;
                    } else {
                        // What is not known to be empty is looked at otherwise.
                        from += 0.01;
                    }
                    if from >= 1.5 {
                        break;
                    }
                }
            }
            assert!(clear > 2_000 && listed > 500 && met > 20, "{clear} {listed} {met}");
        }
    }
}
