//! Long stretches of a flight, where few circles are near.
//!
//! Comes in: a flight, a level of circles by their centres, and its [`Regions`], where it has some: where its cells lie on a torus. Goes out:
//! who may be met on the next stretch, and until when those are all. This room holds nobody against the flight.
//!
//! *Why nothing is lost.* What is met has its centre within `R` of where the flight is, on both axes: `R` as in [`super::along`]. From all
//! centres that are not in the square about a place that regions tell of, the flight is further than `R` on some axis for as long as it is in
//! that square less `R` and the margin. Places are o + t v in double precision, off by 2^-52 of |o| and |t v|. Where o is no more than 2^40 cells
//! out that is 2^-12 of a cell and 2^-52 of the place, of which [`Regions`] allow for far more where it is out of their box.

use super::along::{MARGIN, STRETCH};
use super::flight::Flight;
use super::march::Scaled;
use crate::broad_phase::{Level, Regions};

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
        if !Scaled::new(&level.map, 0.0, flight).is_near() {
            return None;
        }
        let (Flight { o, v, .. }, cell) = (*flight, f64::from(level.map.cell()));
        let reach = f64::from(flight.radius) + f64::from(level.size);
        let fastest = if v[0].abs() > v[1].abs() { v[0].abs() } else { v[1].abs() };
        let (apart, stretch) = (reach + MARGIN * cell, STRETCH * cell);
        Some(Wide { o, v, fastest, apart, least: if reach > stretch { reach } else { stretch } })
    }

    /// Who may be met from a time on, which moves on to where somebody is near, and until when those are all. None where they are many, or
    /// that is not further than a stretch of [`super::along`].
    #[inline(always)]
    pub(super) fn next<'r>(&self, regions: &'r Regions, from: &mut f64, stop: f64) -> Option<(f64, [&'r [u32]; 3])> {
        // Also where it ends as it begins.
        while *from <= stop {
            let far = regions.clear(self.place(*from)) - self.apart;
            // No comparison with what is not a number holds.
            if far > self.least {
                *from += far / self.fastest;
                continue;
            }
            let (reach, rows) = regions.about(self.place(*from))?;
            let far = reach - self.apart;
            return if far > self.least { Some((*from + far / self.fastest, rows)) } else { None };
        }
        Some((*from, [&[]; 3]))
    }

    #[inline(always)]
    fn place(&self, at: f64) -> [f64; 2] {
        [self.o[0] + at * self.v[0], self.o[1] + at * self.v[1]]
    }
}
