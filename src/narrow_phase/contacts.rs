//! The buffers that contacts are handed out in.

use super::{CircleCircleContact, CircleSegmentContact, SegmentSegmentContact};

/// All contacts of one detection, each touching pair once, each kind contiguous. Give the same one back to have its
/// memory used again.
///
/// The order is fixed by the input alone, whatever the backend and the number of threads: circle–circle by strips of rows in
/// cell order (within a strip, pairs in crowded cells and across levels come last); circle–segment by cell for static
/// segments, then by segment for moving ones; pairs of static segments by cell (along their rows first where these come in chains), then
/// pairs with a moving one. Contacts across a periodic border come last of their kind, by their rows (pairs of static segments before the others).
///
/// Every record is `repr(C)` and `Pod`, without gaps: a slice of them is bytes for a GPU, a file or a wire.
///
/// ```
/// # use gridlane::{Circle, CircleCircleContact, World, WorldConfig};
/// # let mut world = World::new(WorldConfig::default())?;
/// # world.add_circle(Circle::new([0.0, 0.0], 1.0))?;
/// # world.add_circle(Circle::new([1.0, 0.0], 1.0))?;
/// # world.detect()?;
/// let bytes: &[u8] = bytemuck::cast_slice(world.contacts().circle_circle());
/// assert_eq!(bytes.len(), world.contacts().circle_circle().len() * 28); // a, b, point, normal, separation: 4 bytes each
/// # Ok::<(), gridlane::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    pub(crate) circle_circle: Vec<CircleCircleContact>,
    pub(crate) circle_segment: Vec<CircleSegmentContact>,
    pub(crate) segment_segment: Vec<SegmentSegmentContact>,
    /// The first so many pairs of segments are those of static ones, as of this stamp: they stay in place for as long as
    /// the detection that wrote them has no other.
    pub(crate) fixed: Option<(u64, usize)>,
}

impl Contacts {
    /// Empty.
    #[must_use]
    pub fn new() -> Contacts {
        Contacts::default()
    }

    /// Exchanges the pairs of segments, of which those of static ones stay in place.
    pub(crate) fn swap_segments(&mut self, other: &mut Contacts) {
        std::mem::swap(&mut self.segment_segment, &mut other.segment_segment);
        std::mem::swap(&mut self.fixed, &mut other.fixed);
    }

    /// Pairs of circles.
    #[must_use]
    pub fn circle_circle(&self) -> &[CircleCircleContact] {
        &self.circle_circle
    }

    /// Pairs of a circle and a segment.
    #[must_use]
    pub fn circle_segment(&self) -> &[CircleSegmentContact] {
        &self.circle_segment
    }

    /// Pairs of segments.
    #[must_use]
    pub fn segment_segment(&self) -> &[SegmentSegmentContact] {
        &self.segment_segment
    }

    /// All kinds together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.circle_circle.len() + self.circle_segment.len() + self.segment_segment.len()
    }

    /// No contact of any kind.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all contacts and keeps the memory.
    pub fn clear(&mut self) {
        self.circle_circle.clear();
        self.circle_segment.clear();
        self.segment_segment.clear();
        self.fixed = None;
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<CircleCircleContact>() * self.circle_circle.capacity()
            + size_of::<CircleSegmentContact>() * self.circle_segment.capacity()
            + size_of::<SegmentSegmentContact>() * self.segment_segment.capacity()
    }
}
