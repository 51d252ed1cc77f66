//! What is handed out besides contacts in buffers: rows alone, contacts one by one, contacts in slices of the caller's.

use super::{CircleCircleContact, CircleSegmentContact, SegmentSegmentContact};

/// The rows of all touching pairs, each once, without values: cheaper than [`super::Contacts`], in the same order. Give the same one
/// back to have its memory used again.
#[derive(Clone, Debug, Default)]
pub struct PairLists {
    pub(crate) circle_circle: Vec<[u32; 2]>,
    pub(crate) circle_segment: Vec<[u32; 2]>,
    pub(crate) segment_segment: Vec<[u32; 2]>,
    /// As in [`super::Contacts`].
    pub(crate) fixed: Option<(u64, usize)>,
}

impl PairLists {
    /// Empty.
    #[must_use]
    pub fn new() -> PairLists {
        PairLists::default()
    }

    /// Rows of two circles, the lower first.
    #[must_use]
    pub fn circle_circle(&self) -> &[[u32; 2]] {
        &self.circle_circle
    }

    /// Rows of a circle and a segment.
    #[must_use]
    pub fn circle_segment(&self) -> &[[u32; 2]] {
        &self.circle_segment
    }

    /// Rows of two segments, the lower first.
    #[must_use]
    pub fn segment_segment(&self) -> &[[u32; 2]] {
        &self.segment_segment
    }

    /// All kinds together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.circle_circle.len() + self.circle_segment.len() + self.segment_segment.len()
    }

    /// No pair of any kind.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let capacity = self.circle_circle.capacity() + self.circle_segment.capacity() + self.segment_segment.capacity();
        size_of::<[u32; 2]>() * capacity
    }
}

/// One contact of any kind, as a visitor sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyContact {
    /// Two circles.
    CircleCircle(CircleCircleContact),
    /// A circle and a segment.
    CircleSegment(CircleSegmentContact),
    /// Two segments.
    SegmentSegment(SegmentSegmentContact),
}

impl AnyContact {
    /// The rows of both, `a` first.
    #[must_use]
    pub fn rows(&self) -> [u32; 2] {
        match self {
            AnyContact::CircleCircle(c) => [c.a, c.b],
            AnyContact::CircleSegment(c) => [c.a, c.b],
            AnyContact::SegmentSegment(c) => [c.a, c.b],
        }
    }
}

/// Places of the caller's for contacts, of a size of the caller's.
#[derive(Debug, Default)]
pub struct ContactSlices<'a> {
    /// For pairs of circles.
    pub circle_circle: &'a mut [CircleCircleContact],
    /// For pairs of a circle and a segment.
    pub circle_segment: &'a mut [CircleSegmentContact],
    /// For pairs of segments.
    pub segment_segment: &'a mut [SegmentSegmentContact],
}

/// How many contacts there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ContactCounts {
    /// Pairs of circles.
    pub circle_circle: usize,
    /// Pairs of a circle and a segment.
    pub circle_segment: usize,
    /// Pairs of segments.
    pub segment_segment: usize,
}
