//! parry2d's BVH, at the lowest level it offers: a tree of circles whose boxes are changed in place and refitted, a tree of segments
//! that is kept, pairs by traversing the first against itself and against the second. The narrow test is that of the plain grid.

use crate::input::Input;
use crate::peer::{Found, Meeting, Peer, circle_box, segment_box, segment_segment};
use crate::shared::{Counts, Scene};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

pub(crate) fn aabb([left, bottom, right, top]: [f32; 4]) -> Aabb {
    Aabb::new(Vector::new(left, bottom), Vector::new(right, top))
}

pub(crate) struct Trees {
    circles: Bvh,
    walls: Bvh,
    workspace: BvhWorkspace,
    found: Found,
}

impl Trees {
    pub(crate) fn new(input: &Input) -> Trees {
        let scene = &input.frames[0];
        let of_circles: Vec<Aabb> = (0..input.circles()).map(|row| aabb(circle_box(scene, row))).collect();
        let of_walls: Vec<Aabb> = (0..input.segments()).map(|row| aabb(segment_box(scene, row))).collect();
        Trees {
            circles: Bvh::from_leaves(BvhBuildStrategy::Ploc, &of_circles),
            walls: Bvh::from_leaves(BvhBuildStrategy::Ploc, &of_walls),
            workspace: BvhWorkspace::default(),
            found: Found::default(),
        }
    }
}

impl Peer for Trees {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        for row in 0..frame.x.len() {
            self.circles.insert_or_update_partially(aabb(circle_box(frame, row)), row as u32, 0.0);
        }
        self.circles.refit(&mut self.workspace);
        let found = &mut self.found;
        self.circles.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
            found.circle_circle(frame, i as usize, j as usize);
        });
        for (i, k) in self.circles.leaf_pairs(&self.walls, |a, b| a.intersects(b)) {
            found.circle_segment(frame, i as usize, k as usize);
        }
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}

/// A tree of segments, built anew and traversed against itself.
#[derive(Default)]
pub(crate) struct SegmentPairs {
    workspace: BvhWorkspace,
    found: Vec<Meeting>,
}

impl Peer for SegmentPairs {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        let boxes: Vec<Aabb> = (0..frame.x0.len()).map(|row| aabb(segment_box(frame, row))).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let found = &mut self.found;
        tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
            segment_segment(frame, i as usize, j as usize, found);
        });
    }

    fn found(&self) -> Counts {
        [0, 0, self.found.len()]
    }
}
