//! What detection is given: views of the caller's columns.

/// The segments of one call, as columns of equal length; the caller has seen to it that all are finite and no radius is
/// negative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Segments<'a> {
    /// First coordinates of the first ends.
    pub(crate) x0: &'a [f32],
    /// Second coordinates of the first ends.
    pub(crate) y0: &'a [f32],
    /// First coordinates of the second ends.
    pub(crate) x1: &'a [f32],
    /// Second coordinates of the second ends.
    pub(crate) y1: &'a [f32],
    /// Zero for plain segments, above for capsules.
    pub(crate) radius: &'a [f32],
    /// Rows that move, ascending.
    pub(crate) moving: &'a [u32],
    /// Changes whenever anything about those that do not move does.
    pub(crate) version: u64,
}
