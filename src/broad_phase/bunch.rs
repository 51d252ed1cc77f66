//! What is in a cell where all bodies lie together, as words among those of all cells.
//!
//! Comes in: how many there are, where their words begin. Goes out: where each column does. This room does not know who they are.

/// The circles and the segments of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bunch {
    /// The first of its words: columns x, y, radius and name of its circles, then x0, y0, x1, y1 and name of its segments, and, where any
    /// segment has one, radius.
    pub(super) from: u32,
    pub(super) circles: u16,
    pub(super) segments: u16,
}

impl Bunch {
    /// Too many: nobody is listed.
    pub(super) const CROWDED: Bunch = Bunch { from: u32::MAX, circles: 0, segments: 0 };

    #[inline(always)]
    pub(crate) fn is_crowded(self) -> bool {
        self.from == u32::MAX
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        (self.circles | self.segments == 0) & !self.is_crowded()
    }

    /// The first word of the circles, and how many they are: columns stand so many words apart.
    #[inline(always)]
    pub(crate) fn circles(self) -> [u32; 2] {
        [self.from, u32::from(self.circles)]
    }

    /// The same of the segments.
    #[inline(always)]
    pub(crate) fn segments(self) -> [u32; 2] {
        [self.from + 4 * u32::from(self.circles), u32::from(self.segments)]
    }

    pub(super) fn bodies(self) -> u32 {
        u32::from(self.circles) + u32::from(self.segments)
    }

    pub(super) fn one_more(count: &mut u16) {
        *count = count.saturating_add(1);
    }
}

/// The next of some columns.
#[inline(always)]
pub(super) fn put(words: &mut [u32], [from, count]: [u32; 2], placed: &mut u16, body: &[u32]) {
    let at = from as usize + usize::from(*placed);
    *placed += 1;
    for (column, &word) in body.iter().enumerate() {
        words[at + column * count as usize] = word;
    }
}
