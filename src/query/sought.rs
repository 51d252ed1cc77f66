//! Which segments are near any circle, where circles are few: the others are not walked along.
//!
//! Comes in: a scene, a distance. Goes out: rows of segments, ascending, all that are near and some that are not; or that this is not worth while. Each
//! circle, larger by the distance, asks the cells of the segments what it touches. Filters are not asked. This room does not know who is
//! near whom.
//!
//! Cost: what it takes to ask what each circle touches; where those are twice as many as there are segments it is given up.

use super::touching::Overlap;
use super::{Look, QueryFilter, Scene, Target};
use crate::geometry::Circle;
use crate::kernels::{Kernels, Operation, dispatch};
use crate::parallel::Split;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Segments for each circle, at least: along which to walk takes as long as to ask about one.
const FEW: usize = 4;
/// Circles that one thread asks about.
const SOME: usize = 256;

/// Kept from call to call for its memory.
#[derive(Debug, Default)]
pub(super) struct Sought {
    /// By some circles each, what they touch.
    found: Vec<Vec<Target>>,
    rows: Vec<u32>,
    /// The rows are those of the last call.
    is_known: bool,
}

impl Sought {
    pub(super) const EMPTY: Sought = Sought { found: Vec::new(), rows: Vec::new(), is_known: false };

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.found.iter().map(|found| size_of::<Target>() * found.capacity()).sum::<usize>() + 4 * self.rows.capacity()
    }

    /// Rows of segments, among which are all that are at most so far from a circle; none if each has to be looked at.
    pub(super) fn find(&mut self, scene: &Scene<'_>, distance: f32, split: Split) -> Option<&[u32]> {
        let (circles, segments) = (scene.count() as usize, scene.capsules.x0.len());
        let largest = scene.grid.largest() + distance;
        self.is_known = false;
        if circles * FEW > segments || largest >= f32::MAX {
            return None;
        }
        let Sought { found, rows, is_known } = self;
        let (look, pairs) = (&Look::new(&QueryFilter::new(), [None; 2], [true; 2]), AtomicUsize::new(0));
        found.resize_with(circles.div_ceil(SOME), Vec::new);
        split.each(found, |k, found| {
            let end = (k + 1) * SOME;
            let rows = (k * SOME) as u32..(if end < circles { end } else { circles }) as u32;
            found.clear();
            dispatch(scene.backend, scene.set, Touched { scene, look, distance, rows, found, pairs: &pairs });
        });
        if pairs.into_inner() > 2 * segments {
            return None;
        }
        rows.clear();
        rows.extend(found.iter().flatten().map(|target| target.row));
        rows.sort_unstable();
        rows.dedup();
        *is_known = true;
        Some(rows)
    }

    /// Where no segment is wanted.
    pub(super) fn nobody(&mut self) -> Option<&[u32]> {
        self.rows.clear();
        self.is_known = true;
        Some(&self.rows)
    }

    /// What the last call has told.
    pub(super) fn rows(&self) -> Option<&[u32]> {
        self.is_known.then_some(&self.rows)
    }
}

/// What some circles touch that are larger by a distance.
struct Touched<'a, 'f> {
    scene: &'a Scene<'a>,
    look: &'a Look<'f>,
    distance: f32,
    rows: Range<u32>,
    found: &'a mut Vec<Target>,
    /// So many were found, by any thread.
    pairs: &'a AtomicUsize,
}

impl Operation for Touched<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Touched { scene, look, distance, rows, found, pairs } = self;
        for row in rows {
            if pairs.load(Ordering::Relaxed) > 2 * scene.capsules.x0.len() {
                return;
            }
            let Circle { center, radius } = scene.circle(row);
            // The sum is rounded to nearest: one more is more than it is.
            let shape = Circle { center, radius: (radius + distance).next_up() };
            let from = found.len();
            Overlap::<_, false> { scene, look, shape, found }.segments::<K>();
            pairs.fetch_add(found.len() - from, Ordering::Relaxed);
        }
    }
}
