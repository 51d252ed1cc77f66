//! What a detector hands to `query`: the circles of its last detection and its segments.

use super::Detector;
use super::checks::check_circles;
use crate::broad_phase::Cells;
use crate::error::{Error, Kind};
use crate::geometry::{Capsules, Circles};
use crate::narrow_phase;
use crate::query::{Lazy, Queries, Scene};
use crate::storage::Filters;

/// Kept from question to question, until what stands in them changes.
#[derive(Debug, Default)]
pub(super) struct Index {
    fixed: Lazy<Cells>,
    moving: Lazy<Cells>,
}

impl Index {
    /// Segments were set or replaced.
    pub(super) fn segments_changed(&mut self) {
        self.fixed.forget();
    }
}

impl Detector {
    /// Asks about the circles of the last [`Self::detect`] or [`Self::set_circles`] that were accepted, and the segments as they are
    /// set now. Rows are the caller's.
    #[must_use]
    pub fn queries(&self) -> Queries<'_> {
        let capsules = Capsules { x0: &self.x0, y0: &self.y0, x1: &self.x1, y1: &self.y1, radius: &self.radius };
        let fixed = self.index.fixed.get(|cells| cells.build(capsules, 0..self.x0.len() as u32));
        let moving = self.index.moving.get(|cells| cells.build(capsules, std::iter::empty()));
        let [category, mask] = &self.circle_filters;
        let scene = Scene {
            backend: self.detection.backend(),
            set: self.detection.set(),
            grid: self.detection.grid(),
            cells: [fixed, moving],
            capsules,
            filters: [Filters { category, mask }, Filters { category: &self.category, mask: &self.mask }],
            sensors: [&[], &[]],
        };
        Queries::new(scene, self.detection.pool(), None)
    }

    /// Takes circles to be asked about, without looking for contacts.
    ///
    /// # Errors
    /// As [`Self::detect_filtered`], but for [`Error::TooManyContacts`]; nothing is changed then.
    pub fn set_circles(&mut self, circles: Circles<'_>, filters: Filters<'_>) -> Result<(), Error> {
        check_circles(circles)?;
        filters.check(Kind::Circle, circles.x.len())?;
        self.keep_filters(filters);
        self.detection.bin(circles, segments!(self));
        Ok(())
    }

    /// Copies the filters of circles, for the questions that follow.
    pub(super) fn keep_filters(&mut self, filters: Filters<'_>) {
        for (to, from) in self.circle_filters.iter_mut().zip([filters.category, filters.mask]) {
            to.clear();
            to.extend_from_slice(from);
        }
    }
}
