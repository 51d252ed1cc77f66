//! Read-only columns.
//!
//! Rows are dense, 0 to the number of bodies; a handle's row is asked with [`World::circle_row`] and
//! [`World::segment_row`]. A column of labels that nobody has is made for the first who looks at it, and kept from then on.

use super::{Event, StepStats, World};
use crate::narrow_phase::Contacts;
use crate::storage::{CircleBody, CircleColumns, CircleHandle, SegmentBody, SegmentColumns, SegmentHandle};

/// Read-only columns of the circles, row by row, all of one length. Rows change at every step and
/// [`World::detect`]: bodies are kept in the order of the cells they are in.
#[derive(Clone, Copy, Debug)]
pub struct CircleView<'a> {
    columns: &'a CircleColumns,
}

/// Read-only columns of the segments, row by row, all of one length. Rows stay put unless a segment is removed: then
/// the last one takes its row.
#[derive(Clone, Copy, Debug)]
pub struct SegmentView<'a> {
    columns: &'a SegmentColumns,
}

macro_rules! columns {
    // Columns of labels are made where nobody has needed them so far.
    (of $columns:expr, labels.$column:ident) => { $columns.labels.shown(|kinds| &kinds.$column) };
    (of $columns:expr, $column:ident) => { &$columns.$column };
    ($view:ident, $($(#[$doc:meta])* $name:ident: $($field:ident).+ => $type:ty,)*) => {
        impl<'a> $view<'a> {
            /// Number of rows.
            #[must_use]
            pub fn len(&self) -> usize {
                self.columns.len()
            }

            /// There are no rows.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.columns.len() == 0
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self) -> &'a [$type] {
                    columns!(of self.columns, $($field).+)
                }
            )*
        }
    };
}

columns! {
    CircleView,
    /// Centres.
    x: x => f32,
    /// Centres.
    y: y => f32,
    /// Zero or more.
    radius: radius => f32,
    /// Length units per second.
    velocity_x: velocity_x => f32,
    /// Length units per second.
    velocity_y: velocity_y => f32,
    /// One over the mass; 0 is immovable.
    inverse_mass: inverse_mass => f32,
    /// What they are, as in a [`Filter`](crate::Filter); 0 where disabled.
    category: labels.category => u32,
    /// The categories that they meet; 0 where disabled.
    mask: labels.mask => u32,
    /// Reported and never pushed.
    sensor: labels.sensor => bool,
    /// The caller's own.
    user_data: labels.user_data => u64,
    /// How much of the approach speed comes back; below zero: as the world says.
    restitution: labels.restitution => f32,
    /// They take part.
    enabled: labels.enabled => bool,
    /// They meet other circles on their way where they are fast.
    bullet: labels.bullet => bool,
    /// Stable names.
    handles: handle => CircleHandle,
}

columns! {
    SegmentView,
    /// First ends.
    x0: x0 => f32,
    /// First ends.
    y0: y0 => f32,
    /// Second ends.
    x1: x1 => f32,
    /// Second ends.
    y1: y1 => f32,
    /// Zero or more.
    radius: radius => f32,
    /// Velocities of the first ends.
    velocity_x0: velocity_x0 => f32,
    /// Velocities of the first ends.
    velocity_y0: velocity_y0 => f32,
    /// Velocities of the second ends.
    velocity_x1: velocity_x1 => f32,
    /// Velocities of the second ends.
    velocity_y1: velocity_y1 => f32,
    /// Binned at each step; static segments are binned once.
    moving: moving => bool,
    /// Solid from the right of start → end only.
    one_sided: one_sided => bool,
    /// What they are, as in a [`Filter`](crate::Filter); 0 where disabled.
    category: labels.category => u32,
    /// The categories that they meet; 0 where disabled.
    mask: labels.mask => u32,
    /// Reported and never pushing.
    sensor: labels.sensor => bool,
    /// The caller's own.
    user_data: labels.user_data => u64,
    /// How much of the approach speed comes back; below zero: as the world says.
    restitution: labels.restitution => f32,
    /// They take part.
    enabled: labels.enabled => bool,
    /// Stable names.
    handles: handle => SegmentHandle,
}

impl World {
    /// The circles, row by row.
    #[must_use]
    pub fn circles(&self) -> CircleView<'_> {
        CircleView { columns: &self.circles }
    }

    /// The segments, row by row.
    #[must_use]
    pub fn segments(&self) -> SegmentView<'_> {
        SegmentView { columns: &self.segments }
    }

    /// The contacts of the last [`World::step`] or [`World::detect`]; `a` and `b` are rows of [`World::circles`] and
    /// [`World::segments`] as they were then: adding bodies keeps them right, removing a body moves the last row. They
    /// say how bodies touched before they were resolved.
    #[must_use]
    pub fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// What began and ended to touch in the last [`World::step`]: circle–circle, circle–segment, segment–segment; of
    /// each first the beginnings, in the order of [`World::contacts`], then the ends, in the order of the first body's row at the
    /// last step, then the second's.
    ///
    /// A circle and a segment that met in flight ([`World::impacts`]) and touch neither at the last step nor at the end of this one begin and
    /// end, [apart](super::EndReason::Apart), in this very step, once, however often they met: their beginnings stand behind those of contacts
    /// of circles and segments, their ends behind the ends of such, both in the order of their first impacts. Those that touch at the end
    /// have one beginning, as all others, which tells how they first met. The same holds of two circles ([`World::circle_impacts`]), behind
    /// the contacts of circles.
    ///
    /// Nor do others that may rest go unnoticed: who touches something is solved in substeps, in which a third body throws him onto what he did not touch, or
    /// he bounces off something onto the next. Such pairs, of restitution below 1, which touch neither at the last step nor in the contacts of this one, begin
    /// and end in it as well, once, behind those that met in flight, by the rows before the step; the touch is that of their first meeting. Two have met if they hit each other, or one has
    /// stopped the other where they would else have overlapped when a substep was over. Who was given an impulse and would have passed all the same has not met, nor who was parted from
    /// the other within the substep by a third. Those that stay together are contacts from the next step on, and begin again there. Who meets in the very last substep is answered,
    /// and told of, by the next step. (With a [hook](World::step_with) nobody meets what was no contact.)
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.reporter.events()
    }

    /// What the last [`World::step`] or [`World::detect`] did; zeros before the first.
    #[must_use]
    pub fn stats(&self) -> StepStats {
        self.stats
    }

    /// The body of a handle; `None` if it is stale.
    #[must_use]
    pub fn circle(&self, circle: CircleHandle) -> Option<CircleBody> {
        self.circle_row(circle).map(|row| self.circles.body(row))
    }

    /// The body of a handle; `None` if it is stale.
    #[must_use]
    pub fn segment(&self, segment: SegmentHandle) -> Option<SegmentBody> {
        self.segment_row(segment).map(|row| self.segments.body(row))
    }

    /// The row of a handle in [`World::circles`]; `None` if it is stale. The first such question after a step costs
    /// about a nanosecond a body, the others nothing.
    #[must_use]
    pub fn circle_row(&self, circle: CircleHandle) -> Option<usize> {
        self.circle_slots.row(circle, &self.circles.handle)
    }

    /// The row of a handle in [`World::segments`]; `None` if it is stale.
    #[must_use]
    pub fn segment_row(&self, segment: SegmentHandle) -> Option<usize> {
        self.segment_slots.row(segment, &self.segments.handle)
    }
}
