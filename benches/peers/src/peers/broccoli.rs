//! broccoli: a tree over the circles' boxes built anew each frame, from the order the last one left; segments as boxes asked one by one
//! (`find_colliding_pairs_with_iter` of 6.3 asks which boxes lie *within* one, and so finds next to nothing; `find_all_intersect_rect` takes
//! boxes for open, so that those without width meet nothing: they are widened by one float). The narrow test is that of the plain grid.

use crate::input::Input;
use crate::peer::{Found, Meeting, Peer, circle_box, segment_box, segment_segment};
use crate::shared::{Counts, Scene};
use broccoli::aabb::ManySwap;
use broccoli::aabb::pin::{AabbPin, HasInner};
use broccoli::{Tree as Broccoli, aabb::Aabb, axgeom::Rect};

/// A box and whose it is: small enough to be swapped about.
pub(crate) struct Boxed {
    rect: Rect<f32>,
    row: u32,
}

impl Boxed {
    fn new(row: usize, bounds: [f32; 4]) -> Boxed {
        Boxed { rect: rect(bounds), row: row as u32 }
    }
}

fn rect([left, bottom, right, top]: [f32; 4]) -> Rect<f32> {
    broccoli::rect(left, right, bottom, top)
}

fn widened([left, bottom, right, top]: [f32; 4]) -> [f32; 4] {
    [left.next_down(), bottom.next_down(), right.next_up(), top.next_up()]
}

impl Aabb for Boxed {
    type Num = f32;

    fn get(&self) -> &Rect<f32> {
        &self.rect
    }
}

impl HasInner for Boxed {
    type Inner = u32;

    fn destruct_mut(&mut self) -> (&Rect<f32>, &mut u32) {
        (&self.rect, &mut self.row)
    }
}

impl ManySwap for Boxed {}

pub(crate) struct Tree {
    circles: Vec<Boxed>,
    walls: Vec<Boxed>,
    found: Found,
}

impl Tree {
    pub(crate) fn new(input: &Input) -> Tree {
        let scene = &input.frames[0];
        Tree {
            circles: (0..input.circles()).map(|row| Boxed::new(row, circle_box(scene, row))).collect(),
            walls: (0..input.segments()).map(|row| Boxed::new(row, widened(segment_box(scene, row)))).collect(),
            found: Found::default(),
        }
    }
}

impl Peer for Tree {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        for circle in &mut self.circles {
            circle.rect = rect(circle_box(frame, circle.row as usize));
        }
        let mut tree = Broccoli::new(&mut self.circles);
        let found = &mut self.found;
        tree.find_colliding_pairs(|a, b| {
            found.circle_circle(frame, *a.unpack_inner() as usize, *b.unpack_inner() as usize);
        });
        for wall in &mut self.walls {
            tree.find_all_intersect_rect(AabbPin::new(wall), |wall, circle| {
                found.circle_segment(frame, *circle.unpack_inner() as usize, *wall.unpack_inner() as usize);
            });
        }
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}

/// A tree of segments, built anew, and its colliding pairs.
#[derive(Default)]
pub(crate) struct SegmentPairs {
    found: Vec<Meeting>,
}

impl Peer for SegmentPairs {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        let mut boxes: Vec<Boxed> = (0..frame.x0.len()).map(|row| Boxed::new(row, segment_box(frame, row))).collect();
        let found = &mut self.found;
        Broccoli::new(&mut boxes).find_colliding_pairs(|a, b| {
            segment_segment(frame, *a.unpack_inner() as usize, *b.unpack_inner() as usize, found);
        });
    }

    fn found(&self) -> Counts {
        [0, 0, self.found.len()]
    }
}
