//! Filters from bytes, and what they leave of a detection without them.
//!
//! Comes in: bytes; pairs and contacts of everything that touches. Goes out: columns of filters, some left out; the pairs that are left. Which
//! two meet is written out here bit by bit, in other words than the library's.

use crate::choices::{Choices, Script};
use crate::truth::Sets;
use gridlane::{Contacts, Filters};

/// Columns of filters; one of them, or both, may be left out.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    category: Vec<u32>,
    mask: Vec<u32>,
}

impl Drawn {
    /// Four filters, and a quarter of a byte a row that says which of them. Spent bytes leave both columns out.
    pub fn new(c: &mut Script<'_>, rows: usize) -> Drawn {
        let given = c.below(8);
        if given < 4 {
            return Drawn::default();
        }
        let palette: [(u32, u32); 4] = std::array::from_fn(|_| filter(c));
        let mut drawn = Drawn::default();
        let mut choice = 0;
        for row in 0..rows {
            choice = if row % 4 == 0 { c.byte() } else { choice >> 2 };
            let (category, mask) = palette[usize::from(choice & 3)];
            drawn.category.push(category);
            drawn.mask.push(mask);
        }
        match given {
            4 => drawn.category.clear(),
            5 => drawn.mask.clear(),
            _ => {}
        }
        drawn
    }

    pub fn columns(&self) -> Filters<'_> {
        Filters { category: &self.category, mask: &self.mask }
    }

    /// Nothing is refused for sure: both columns are left out.
    pub fn are_left_out(&self) -> bool {
        self.category.is_empty() && self.mask.is_empty()
    }

    /// Category and mask of a row.
    fn of(&self, row: u32) -> (u32, u32) {
        let at = |column: &[u32], left_out: u32| if column.is_empty() { left_out } else { column[row as usize] };
        (at(&self.category, 1), at(&self.mask, u32::MAX))
    }
}

/// One to two of four categories and a mask with holes; or what all have by default, nothing, the last bit, anything.
fn filter(c: &mut Script<'_>) -> (u32, u32) {
    let (kind, byte) = (c.below(8), u32::from(c.byte()));
    match kind {
        0 => (1, u32::MAX),
        1 => (0, u32::MAX),
        2 => (1 << 31, 1),
        3 => (c.bits(), c.bits()),
        _ => (1 << (byte & 3) | 1 << (byte >> 2 & 3), byte >> 4),
    }
}

/// Each has a category that the other's mask has too.
fn meet((one, i): (&Drawn, u32), (other, j): (&Drawn, u32)) -> bool {
    let (a, b) = (one.of(i), other.of(j));
    let asks = |mask: u32, category: u32| (0..32).any(|bit| mask >> bit & 1 == 1 && category >> bit & 1 == 1);
    asks(a.1, b.0) && asks(b.1, a.0)
}

/// Takes away the pairs that do not meet.
pub fn refuse(all: &mut Sets, circles: &Drawn, segments: &Drawn) {
    all.circle_circle.retain(|&(a, b)| meet((circles, a), (circles, b)));
    all.circle_segment.retain(|&(a, b)| meet((circles, a), (segments, b)));
    all.segment_segment.retain(|&(a, b, _)| meet((segments, a), (segments, b)));
}

/// The bytes of the contacts that are left, in their order.
pub fn left_bytes(all: &Contacts, circles: &Drawn, segments: &Drawn) -> Vec<u8> {
    let mut left = Vec::new();
    for c in all.circle_circle().iter().filter(|c| meet((circles, c.a), (circles, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    for c in all.circle_segment().iter().filter(|c| meet((circles, c.a), (segments, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    for c in all.segment_segment().iter().filter(|c| meet((segments, c.a), (segments, c.b))) {
        left.extend_from_slice(bytemuck::bytes_of(c));
    }
    left
}
