//! The other ways out of a detection: rows alone, slices of the caller's, a visitor, neighbour lists, pairs between two sets.
//!
//! Comes in: circles that were binned, segments, filters; for neighbour lists the circles themselves. Goes out: the same pairs in the
//! same order as contacts. Circles are always called by the rows from which they came. This room does not know how pairs are found.

use super::blocks::{BlockList, Limit, Scene, SceneWalls};
use super::columns::Segments;
use super::detection::{Detection, in_order};
use super::passes::{Exceeded, Passes};
use super::{
    AnyContact, CircleCircleContact, CircleSegmentContact, ContactCounts, ContactSlices, Neighbors, PairLists,
    SegmentSegmentContact,
};
use crate::broad_phase::{Grid, Occupancy, PAD, Policy, Walls};
use crate::error::Error;
use crate::geometry::{Capsules, Circles};
use crate::kernels::Names;
use crate::parallel::Split;
use crate::storage::{Filters, gather};

/// Buffers of this room.
#[derive(Debug, Default)]
pub(crate) struct Output {
    circle_circle: Vec<CircleCircleContact>,
    circle_segment: Vec<CircleSegmentContact>,
    /// A grid for neighbour lists: cells that fit a margin would spoil what is kept for the other one.
    grid: Grid,
    /// Radii grown by half the margin, and the true ones in cell order.
    grown: Vec<f32>,
    radius: Vec<f32>,
    pairs: Vec<[u32; 2]>,
    /// Neighbour lists before they are sorted.
    found: Vec<u32>,
    none: Vec<[u32; 2]>,
}

impl Output {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<CircleCircleContact>() * self.circle_circle.capacity()
            + size_of::<CircleSegmentContact>() * self.circle_segment.capacity()
            + self.grid.bytes()
            + 4 * (self.grown.capacity() + self.radius.capacity() + self.found.capacity())
            + size_of::<[u32; 2]>() * (self.pairs.capacity() + self.none.capacity())
    }
}

impl Detection {
    /// The rows of all touching pairs.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; `out` is then empty.
    pub(crate) fn pairs(
        &mut self,
        segments: Segments<'_>,
        filters: Filters<'_>,
        out: &mut PairLists,
    ) -> Result<(), Error> {
        let result = self.find_pairs(segments, filters, out);
        if result.is_err() {
            *out = PairLists::default();
        }
        result
    }

    fn find_pairs(&mut self, segments: Segments<'_>, filters: Filters<'_>, out: &mut PairLists) -> Result<(), Error> {
        self.find_segment_pairs(segments)?;
        let rows = |contact: &SegmentSegmentContact| [contact.a, contact.b];
        if self.options.pair_kinds.segment_segment {
            let place = self.segment_pairs.place();
            if out.fixed == Some(place) {
                out.segment_segment.truncate(place.1);
            } else {
                out.segment_segment.clear();
                out.segment_segment.extend(self.segment_pairs.fixed().iter().map(rows));
                out.fixed = Some(place);
            }
            out.segment_segment.extend(self.segment_pairs.moving().iter().map(rows));
        } else {
            out.segment_segment.clear();
            out.fixed = None;
        }
        let (pool, mut passes) = self.passes(segments, filters, true, out.segment_segment.len());
        pool.run(passes.scene.grid.order().len(), |split: Split| {
            passes.find(split)?;
            passes.rows(split, &mut out.circle_circle, &mut out.circle_segment);
            Ok(())
        })
        .map_err(|Exceeded| self.too_many())
    }

    /// All contacts into slices.
    ///
    /// # Errors
    /// [`Error::NoRoom`] with the numbers needed, [`Error::TooManyContacts`]; the slices are then as they were.
    pub(crate) fn slices(
        &mut self,
        segments: Segments<'_>,
        filters: Filters<'_>,
        out: ContactSlices<'_>,
    ) -> Result<ContactCounts, Error> {
        self.find_segment_pairs(segments)?;
        let [fixed, moving] = self.counted_segment_pairs();
        let segment_segment = fixed + moving;
        let room = [out.circle_circle.len(), out.circle_segment.len()];
        let (pool, mut passes) = self.passes(segments, filters, true, segment_segment);
        let found = pool.run(passes.scene.grid.order().len(), |split: Split| {
            passes.find(split)?;
            let fits = |[circles, walls]: [usize; 2]| circles <= room[0] && walls <= room[1];
            if !(fits(passes.listed()) && segment_segment <= out.segment_segment.len()) {
                passes.confirm(split);
                if !(fits(passes.listed()) && segment_segment <= out.segment_segment.len()) {
                    return Ok((passes.listed(), false));
                }
            }
            Ok((passes.slices(split, out.circle_circle, out.circle_segment), true))
        });
        let ([circle_circle, circle_segment], written) = found.map_err(|Exceeded| self.too_many())?;
        if !written {
            return Err(Error::NoRoom { circle_circle, circle_segment, segment_segment });
        }
        out.segment_segment[..fixed].copy_from_slice(&self.segment_pairs.fixed()[..fixed]);
        out.segment_segment[fixed..segment_segment].copy_from_slice(&self.segment_pairs.moving()[..moving]);
        Ok(ContactCounts { circle_circle, circle_segment, segment_segment })
    }

    /// All contacts one by one: circles, circles and segments, segments.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; nothing is visited then.
    pub(crate) fn visit(
        &mut self,
        segments: Segments<'_>,
        filters: Filters<'_>,
        each: &mut dyn FnMut(AnyContact),
    ) -> Result<(), Error> {
        self.find_segment_pairs(segments)?;
        let [fixed, moving] = self.counted_segment_pairs();
        // Taken out while the rest is borrowed. Should the visitor panic, only memory is lost.
        let mut output = std::mem::take(&mut self.output);
        let (pool, mut passes) = self.passes(segments, filters, true, fixed + moving);
        let found = pool.run(passes.scene.grid.order().len(), |split: Split| passes.find(split));
        if found.is_ok() {
            passes.visit_circles(&mut output.circle_circle, |contact| each(AnyContact::CircleCircle(contact)));
            passes.visit_walls(&mut output.circle_segment, |contact| each(AnyContact::CircleSegment(contact)));
        }
        self.output = output;
        found.map_err(|Exceeded| self.too_many())?;
        let segment_pairs = &self.segment_pairs;
        for contact in segment_pairs.fixed()[..fixed].iter().chain(&segment_pairs.moving()[..moving]) {
            each(AnyContact::SegmentSegment(*contact));
        }
        Ok(())
    }

    /// The touching pairs of one segment that moves and one that stays, and no others.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`].
    pub(crate) fn between(&mut self, segments: Segments<'_>) -> Result<&[SegmentSegmentContact], Error> {
        let Detection { options, pool, segment_pairs, .. } = self;
        let rows = segment_pairs.rows_to_bin(segments);
        pool.run(rows, |split| segment_pairs.find_between(segments, options, split))?;
        Ok(self.segment_pairs.moving())
    }

    /// For each of these circles all others within `margin` of touching it. What was binned stays.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; `out` is then empty.
    pub(crate) fn neighbors(
        &mut self,
        circles: Circles<'_>,
        filters: Filters<'_>,
        margin: f32,
        out: &mut Neighbors,
    ) -> Result<(), Error> {
        /// Two entries a pair, counted in 32 bits.
        const MOST: usize = (u32::MAX / 2) as usize;
        let Detection { options, set, pool, finer, circle_blocks, wall_blocks, sorted, output, .. } = self;
        let Output { grid, grown, radius, pairs, found, none, .. } = output;
        let limit = if options.contact_limit < MOST { options.contact_limit } else { MOST };
        let count = circles.x.len();
        let no_walls = Walls::default();
        let done = pool.run(count, |split: Split| {
            let sizes = if margin > 0.0 {
                grow(circles.radius, margin, grown);
                &grown[..]
            } else {
                circles.radius
            };
            grid.bin(circles.x, circles.y, sizes, Policy::CIRCLES, options.cell(), split);
            radius.clear();
            gather(circles.radius, grid.order(), radius);
            radius.extend([f32::NAN; PAD]);
            circle_blocks.clear();
            wall_blocks.clear();
            circle_blocks.push_circles(grid);
            Occupancy::of_finer(grid, finer);
            let mut passes = passes_of_circles(
                Scene {
                    backend: options.backend,
                    set: *set,
                    grid,
                    circles: Circles { x: grid.x(), y: grid.y(), radius: grid.size() },
                    walls: [SceneWalls { walls: &no_walls, lanes: &[], shapes: Capsules::default() }; 2],
                    boxes: &[],
                    finer,
                    filters: [in_order(filters, grid.order(), sorted), Filters::default()],
                    limit: Limit::new(limit),
                    near: Some((radius, margin)),
                },
                [circle_blocks, wall_blocks],
                limit,
            );
            passes.find(split)?;
            passes.rows(split, pairs, none);
            out.fill(count, pairs, found, (options.backend, *set), split);
            Ok(())
        });
        done.map_err(|Exceeded| {
            out.clear();
            Error::TooManyContacts { limit }
        })
    }

    fn find_segment_pairs(&mut self, segments: Segments<'_>) -> Result<(), Error> {
        let Detection { options, pool, segment_pairs, .. } = self;
        if options.pair_kinds.segment_segment {
            let rows = segment_pairs.rows_to_share(segments, |_| false);
            pool.run(rows, |split| segment_pairs.find(segments, options, split))?;
        }
        Ok(())
    }

    /// How many pairs of static segments there are, and of others, of those that are looked for.
    fn counted_segment_pairs(&self) -> [usize; 2] {
        if self.options.pair_kinds.segment_segment {
            [self.segment_pairs.fixed().len(), self.segment_pairs.moving().len()]
        } else {
            [0; 2]
        }
    }
}

fn passes_of_circles<'a>(scene: Scene<'a>, [circles, walls]: [&'a mut BlockList; 2], most: usize) -> Passes<'a> {
    let names = Names::Order(scene.grid.order());
    Passes { scene, names, circles, walls, most }
}

/// Radii and half the margin, rounded up: circles that are within the margin of each other touch when so large. What would leave the
/// range stands at its end, where everything is a candidate.
fn grow(radius: &[f32], margin: f32, grown: &mut Vec<f32>) {
    let half = margin * 0.5;
    grown.clear();
    grown.extend(radius.iter().map(|&r| {
        let grown = (r + half).next_up();
        if grown < f32::MAX { grown } else { f32::MAX }
    }));
}
