//! The one place where questions are asked: by worlds and detectors alike.

use super::{Look, QueryFilter, Scene};
use crate::geometry::{Circles, Periods};
use crate::parallel::Pool;
use crate::storage::{CircleHandle, SegmentHandle, Slots};

/// Asks about the bodies of a [`World`](crate::World) or a [`Detector`](crate::Detector) as they stand. A view, made by
/// `queries()`; each of its methods is there on the world and on the detector as well, but for `neighbors`, of which a detector has one
/// of its own.
///
/// All sets are closed, all decisions exact, and what is found is what a loop over all bodies and the functions of
/// [`geometry`](crate::geometry) would find, bit for bit, whatever the backend, the threads and the machine. How far the nearest
/// are is told, compared and limited as the `f32` nearest to it. The first question after circles have changed sorts them into cells (some 5 to 30 ns a
/// circle), the first after segments have their cells mended, or made (some 30 to 100 ns a segment); the others do not. Among bodies far apart, some ns a
/// circle more are spent once as much has been spent on empty space.
///
/// In a world with periodic bounds every question is about all images of all bodies, and each body is told once: by the image that is first
/// met, or nearest. What overlaps, and who is a neighbour, is exact there too; a cast, and a distance across the border, are those of the
/// question's image, rounded to `f32` where it is none. So is an overlap more than some 2^24 periods away. Where an image is, is told exactly before it is
/// rounded, however far out the question is. Points are in the coordinates of the question, unfolded: a ray that leaves at the
/// right hits beyond the right. A ray or moving circle that meets nothing in 256 periods of its way, one of which all is asked that is longer, and a shape longer than 16 are
/// [`Error::TooManyPeriods`](crate::Error::TooManyPeriods); where a segment is more than one period beyond the border, or more than
/// 16 if it moves, every question is [`Error::BeyondPeriod`](crate::Error::BeyondPeriod).
#[derive(Clone, Copy)]
pub struct Queries<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) pool: &'a Pool,
    names: Option<Names<'a>>,
    /// Where something repeats.
    pub(super) plane: Option<Plane<'a>>,
}

/// A plane that repeats; all circles are in the stretch that stands for all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Plane<'a> {
    pub(crate) periods: Periods,
    /// What covers all segments; of what is larger than is worth looking for so much.
    pub(crate) walls: [[f64; 2]; 2],
    /// The handle's bits of a segment that is too far beyond the stretch: images of it would go on and on.
    pub(crate) beyond: Option<u64>,
    /// By the caller's rows.
    pub(crate) circles: Circles<'a>,
}

/// By which handles stand for rows.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) circle_slots: &'a Slots,
    pub(crate) circles: &'a [CircleHandle],
    pub(crate) segment_slots: &'a Slots,
    pub(crate) segments: &'a [SegmentHandle],
}

impl<'a> Queries<'a> {
    pub(crate) fn new(scene: Scene<'a>, pool: &'a Pool, names: Option<Names<'a>>) -> Queries<'a> {
        Queries { scene, pool, names, plane: None }
    }

    /// The same in a plane that repeats.
    pub(crate) fn with_periods(self, plane: Plane<'a>) -> Queries<'a> {
        Queries { plane: Some(plane), ..self }
    }

    /// The same for questions about circles alone: wherever segments stand, they are answered.
    pub(crate) fn of_circles(self) -> Queries<'a> {
        let nothing = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        Queries { plane: self.plane.map(|plane| Plane { walls: nothing, beyond: None, ..plane }), ..self }
    }

    /// The filter, with handles resolved.
    pub(super) fn look<'f>(&self, filter: &QueryFilter<'f>) -> Look<'f> {
        let row = |row: usize| row as u32;
        let names = self.names.as_ref();
        let circle = names.zip(filter.circle).and_then(|(n, handle)| n.circle_slots.row(handle, n.circles)).map(row);
        let segment =
            names.zip(filter.segment).and_then(|(n, handle)| n.segment_slots.row(handle, n.segments)).map(row);
        Look::new(filter, [circle, segment], self.scene.plain())
    }
}

impl std::fmt::Debug for Queries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queries").field("circles", &self.scene.count()).finish_non_exhaustive()
    }
}
