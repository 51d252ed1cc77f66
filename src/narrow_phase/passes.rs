//! What is done with blocks: pairs are found first, then handed out in one of several ways, always in the order of the blocks.
//!
//! Comes in: a scene and blocks with their tasks. Goes out: contacts, or rows alone, in a buffer that grows, in a slice that does
//! not, or one by one. This room does not know segments against segments, nor who asked.

use super::blocks::{self, Block, BlockList, Scene};
use super::writing::{self, WriteCirclePairs, WriteCircles, WriteSegmentPairs, WriteSegments};
use super::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::{Names, dispatch};
use crate::parallel::Split;

/// More pairs than the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exceeded;

/// See the head of the module.
pub(super) struct Passes<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) names: Names<'a>,
    /// Circles against circles.
    pub(super) circles: &'a mut BlockList,
    /// Circles against segments.
    pub(super) walls: &'a mut BlockList,
    /// The limit that is left for both.
    pub(super) most: usize,
}

impl Passes<'_> {
    /// All pairs that may touch; not more than the limit of those that do.
    pub(super) fn find(&mut self, split: Split) -> Result<(), Exceeded> {
        let Passes { scene, circles, walls, .. } = &mut *self;
        blocks::find([circles, walls], scene, split);
        if self.scene.limit.is_exceeded() {
            return Err(Exceeded);
        }
        let within = |passes: &Self| passes.circles.pairs() + passes.walls.pairs() <= passes.most;
        if !within(self) {
            self.confirm(split);
            if !within(self) {
                return Err(Exceeded);
            }
        }
        Ok(())
    }

    /// Drops the pairs that do not touch after all.
    pub(super) fn confirm(&mut self, split: Split) {
        self.circles.confirm(&self.scene, split);
        self.walls.confirm(&self.scene, split);
    }

    /// How many pairs are listed: exactly those that touch after [`Self::confirm`], some more before.
    pub(super) fn listed(&self) -> [usize; 2] {
        [self.circles.pairs(), self.walls.pairs()]
    }

    fn write_circles(scene: &Scene<'_>, names: Names<'_>, block: &Block, place: &mut [CircleCircleContact]) -> usize {
        dispatch(scene.backend, scene.set, WriteCircles { scene, names, pairs: &block.pairs, place })
    }

    fn write_walls(scene: &Scene<'_>, names: Names<'_>, block: &Block, place: &mut [CircleSegmentContact]) -> usize {
        dispatch(scene.backend, scene.set, WriteSegments { scene, names, block, place })
    }

    /// Contacts.
    pub(super) fn contacts(
        &mut self,
        split: Split,
        circle_circle: &mut Vec<CircleCircleContact>,
        circle_segment: &mut Vec<CircleSegmentContact>,
    ) {
        let (scene, names) = (&self.scene, self.names);
        let of_circles = |block: &Block, place: &mut [_]| Self::write_circles(scene, names, block, place);
        let of_walls = |block: &Block, place: &mut [_]| Self::write_walls(scene, names, block, place);
        writing::write([self.circles, self.walls], (circle_circle, circle_segment), split, (of_circles, of_walls));
    }

    /// Contacts into slices that have room for all that is [listed](Self::listed); tells how many of each kind.
    pub(super) fn slices(
        &mut self,
        split: Split,
        circle_circle: &mut [CircleCircleContact],
        circle_segment: &mut [CircleSegmentContact],
    ) -> [usize; 2] {
        let (scene, names) = (&self.scene, self.names);
        let of_circles = |block: &Block, place: &mut [_]| Self::write_circles(scene, names, block, place);
        let of_walls = |block: &Block, place: &mut [_]| Self::write_walls(scene, names, block, place);
        writing::write_slices(
            [self.circles, self.walls],
            (circle_circle, circle_segment),
            split,
            (of_circles, of_walls),
        )
    }

    /// Contacts of circles one by one, on the calling thread, through a buffer for those of one block.
    pub(super) fn visit_circles(
        &mut self,
        place: &mut Vec<CircleCircleContact>,
        each: impl FnMut(CircleCircleContact),
    ) {
        let (scene, names) = (&self.scene, self.names);
        self.circles.visit(place, |block, place| Self::write_circles(scene, names, block, place), each);
    }

    /// The same of circles and segments.
    pub(super) fn visit_walls(
        &mut self,
        place: &mut Vec<CircleSegmentContact>,
        each: impl FnMut(CircleSegmentContact),
    ) {
        let (scene, names) = (&self.scene, self.names);
        self.walls.visit(place, |block, place| Self::write_walls(scene, names, block, place), each);
    }

    /// Rows alone.
    pub(super) fn rows(&mut self, split: Split, circle_circle: &mut Vec<[u32; 2]>, circle_segment: &mut Vec<[u32; 2]>) {
        let (scene, names) = (&self.scene, self.names);
        let of_circles = |block: &Block, place: &mut [_]| {
            dispatch(scene.backend, scene.set, WriteCirclePairs { scene, names, pairs: &block.pairs, place })
        };
        let of_walls = |block: &Block, place: &mut [_]| {
            dispatch(scene.backend, scene.set, WriteSegmentPairs { scene, names, block, place })
        };
        writing::write([self.circles, self.walls], (circle_circle, circle_segment), split, (of_circles, of_walls));
    }
}
