//! Who meets whom.
//!
//! Comes in: a category and a mask a body. Goes out: whether two bodies meet. This room does not know shapes: two bodies that do
//! not meet are no candidates, wherever they are. The rule is that of Box2D's filters: each has to ask for the other.

use crate::error::{Error, Kind};
use bytemuck::{Pod, Zeroable};

/// What a body is, and what it meets: 32 bits each.
///
/// Two bodies meet if each has a category that the other's mask asks for. The default, category 1 and a mask of all ones, meets
/// everything that has it.
///
/// ```
/// use gridlane::Filter;
///
/// const PLAYER: u32 = 1;
/// const BULLET: u32 = 2;
/// let bullet = Filter::new(BULLET, !BULLET); // bullets pass through each other
/// assert!(bullet.meets(Filter::new(PLAYER, u32::MAX)) && bullet.meets(Filter::default()));
/// assert!(!bullet.meets(bullet));
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// What it is; with no bit set it meets nothing.
    pub category: u32,
    /// The categories that it meets; with no bit set it meets nothing.
    pub mask: u32,
}

impl Filter {
    /// Category 1, all bits in the mask.
    pub const DEFAULT: Filter = Filter { category: 1, mask: u32::MAX };

    /// Meets nothing at all.
    pub const NOTHING: Filter = Filter { category: 0, mask: 0 };

    /// From both.
    #[must_use]
    pub const fn new(category: u32, mask: u32) -> Filter {
        Filter { category, mask }
    }

    /// Each has a category that the other's mask asks for.
    #[inline(always)]
    #[must_use]
    pub const fn meets(self, other: Filter) -> bool {
        (self.category & other.mask != 0) & (other.category & self.mask != 0)
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::DEFAULT
    }
}

/// Filters as columns, row by row. A column that is left out (empty) has the default of [`Filter`] in every row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filters<'a> {
    /// What the bodies are; empty: 1.
    pub category: &'a [u32],
    /// The categories that they meet; empty: all.
    pub mask: &'a [u32],
}

impl Filters<'_> {
    /// All are the default, for sure.
    #[inline(always)]
    pub(crate) fn are_left_out(self) -> bool {
        self.category.is_empty() && self.mask.is_empty()
    }

    /// That of a row.
    #[inline(always)]
    pub(crate) fn of(self, row: u32) -> Filter {
        let at = |column: &[u32], default: u32| column.get(row as usize).copied().unwrap_or(default);
        Filter { category: at(self.category, Filter::DEFAULT.category), mask: at(self.mask, Filter::DEFAULT.mask) }
    }

    /// Each column is left out or has so many rows.
    pub(crate) fn check(self, kind: Kind, expected: usize) -> Result<(), Error> {
        for (field, column) in [("category", self.category), ("mask", self.mask)] {
            if !column.is_empty() && column.len() != expected {
                return Err(Error::ColumnLength { kind, field, length: column.len(), expected });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_have_to_ask_for_the_other() {
        let (a, b) = (Filter::new(0b01, 0b10), Filter::new(0b10, 0b01));
        assert!(a.meets(b) && b.meets(a));
        // a is in b's mask, b is not in a's.
        let deaf = Filter::new(0b01, 0b100);
        assert!(!deaf.meets(b) && !b.meets(deaf));
        assert!(!a.meets(a), "0b01 does not ask for itself");
        // The highest bit is a category like any other.
        let high = Filter::new(1 << 31, 1 << 31);
        assert!(high.meets(high) && high.meets(Filter::new(u32::MAX, u32::MAX)) && !high.meets(Filter::default()));
    }

    #[test]
    fn the_default_meets_itself_and_nothing_meets_nothing() {
        assert!(Filter::default().meets(Filter::default()));
        for other in [Filter::default(), Filter::NOTHING, Filter::new(u32::MAX, u32::MAX)] {
            assert!(!Filter::NOTHING.meets(other) && !other.meets(Filter::NOTHING));
        }
    }

    #[test]
    fn columns_may_be_left_out_one_by_one_but_not_cut_short() {
        let half = Filters { category: &[], mask: &[4, 5] };
        assert_eq!([half.of(0), half.of(1)], [Filter::new(1, 4), Filter::new(1, 5)]);
        assert_eq!(Filters::default().of(9), Filter::default());
        assert!(Filters::default().are_left_out() && !half.are_left_out());
        assert_eq!((half.check(Kind::Circle, 2), Filters::default().check(Kind::Circle, 7)), (Ok(()), Ok(())));
        let error = Error::ColumnLength { kind: Kind::Segment, field: "mask", length: 2, expected: 3 };
        assert_eq!(half.check(Kind::Segment, 3), Err(error));
    }
}
