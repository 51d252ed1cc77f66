//! rstar: an R*-tree of circles loaded in bulk each frame (it has no refit), a tree of segments that is kept, candidates of the first
//! with itself and with the second. The narrow test is that of the plain grid.

use crate::input::Input;
use crate::peer::{Found, Meeting, Peer, circle_box, segment_box, segment_segment};
use crate::shared::{Counts, Scene};
use rstar::{AABB, RTree, RTreeObject};

/// A box and whose it is.
#[derive(Clone, Copy)]
pub(crate) struct Boxed {
    bounds: [f32; 4],
    pub(crate) row: u32,
}

impl RTreeObject for Boxed {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        envelope(self.bounds)
    }
}

pub(crate) fn envelope([left, bottom, right, top]: [f32; 4]) -> AABB<[f32; 2]> {
    AABB::from_corners([left, bottom], [right, top])
}

pub(crate) fn tree(count: usize, bounds: impl Fn(usize) -> [f32; 4]) -> RTree<Boxed> {
    RTree::bulk_load((0..count).map(|row| Boxed { bounds: bounds(row), row: row as u32 }).collect())
}

pub(crate) struct Trees {
    walls: RTree<Boxed>,
    found: Found,
}

impl Trees {
    pub(crate) fn new(input: &Input) -> Trees {
        let scene = &input.frames[0];
        Trees { walls: tree(input.segments(), |row| segment_box(scene, row)), found: Found::default() }
    }
}

impl Peer for Trees {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        let circles = tree(frame.x.len(), |row| circle_box(frame, row));
        for (a, b) in circles.intersection_candidates_with_other_tree(&circles) {
            // Each pair comes twice, and every box meets itself.
            if a.row < b.row {
                self.found.circle_circle(frame, a.row as usize, b.row as usize);
            }
        }
        for (circle, wall) in circles.intersection_candidates_with_other_tree(&self.walls) {
            self.found.circle_segment(frame, circle.row as usize, wall.row as usize);
        }
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}

/// A tree of segments, loaded anew, with itself.
#[derive(Default)]
pub(crate) struct SegmentPairs {
    found: Vec<Meeting>,
}

impl Peer for SegmentPairs {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        let tree = tree(frame.x0.len(), |row| segment_box(frame, row));
        for (a, b) in tree.intersection_candidates_with_other_tree(&tree) {
            if a.row < b.row {
                segment_segment(frame, a.row as usize, b.row as usize, &mut self.found);
            }
        }
    }

    fn found(&self) -> Counts {
        [0, 0, self.found.len()]
    }
}
