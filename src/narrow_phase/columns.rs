//! What detection is given.

use crate::geometry::Capsules;
use crate::storage::{Edited, Filters, NOT_EDITED};

/// All segments of a world or a detector, row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<'a> {
    pub(crate) x0: &'a [f32],
    pub(crate) y0: &'a [f32],
    pub(crate) x1: &'a [f32],
    pub(crate) y1: &'a [f32],
    pub(crate) radius: &'a [f32],
    /// The rows of those that move, ascending.
    pub(crate) moving: &'a [u32],
    /// Grows whenever any segment is added, removed or edited by hand: what is kept of static ones is brought up to them then.
    pub(crate) version: u64,
    /// Whom they meet; left out where nobody has another filter than the default.
    pub(crate) filters: Filters<'a>,
    /// Grows whenever a filter of a static one changes and `version` does not: so are pairs that are kept.
    pub(crate) filter_version: u64,
    /// Which rows of static ones were edited, by the sum of both versions.
    pub(crate) edited: &'a Edited,
}

impl<'a> Segments<'a> {
    /// Of columns x0, y0, x1, y1 and radius, of which nothing is kept from call to call.
    pub(crate) fn passing(
        [x0, y0, x1, y1, radius]: [&'a [f32]; 5],
        moving: &'a [u32],
        filters: Filters<'a>,
    ) -> Segments<'a> {
        Segments { x0, y0, x1, y1, radius, moving, version: 0, filters, filter_version: 0, edited: &NOT_EDITED }
    }

    /// The shapes.
    pub(crate) fn capsules(&self) -> Capsules<'a> {
        Capsules { x0: self.x0, y0: self.y0, x1: self.x1, y1: self.y1, radius: self.radius }
    }

    /// How many edits there were.
    pub(crate) fn edits(&self) -> u64 {
        self.version + self.filter_version
    }

    /// Whether there is a segment in this row, and it does not move.
    pub(crate) fn is_fixed(&self, row: u32) -> bool {
        (row as usize) < self.x0.len() && self.moving.binary_search(&row).is_err()
    }

    /// How many do not move.
    pub(crate) fn fixed_count(&self) -> usize {
        self.x0.len() - self.moving.len()
    }

    /// The rows of those that do not move, ascending.
    pub(crate) fn fixed_rows(&self) -> impl Iterator<Item = u32> + Clone + 'a {
        let mut moving = self.moving.iter().copied().peekable();
        (0..self.x0.len() as u32).filter(move |&row| moving.next_if_eq(&row).is_none())
    }
}
