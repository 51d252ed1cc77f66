//! The small trait behind which everybody stands, and what is shared by those who need a narrow test.

use crate::shared::plain_grid::{circle_circle, circle_segment};
use crate::shared::{Counts, PlainContact, Scene};

/// One way to do one kind of work.
pub(crate) trait Peer {
    /// The work that is timed: whatever has to be done anew when the circles have come to stand as in `frame`.
    fn run(&mut self, frame: &Scene);

    /// The touching pairs that the last run found; not timed.
    fn found(&self) -> Counts;

    /// What was found where the scene begins, by those who move the bodies themselves.
    fn first(&self) -> Option<Counts> {
        None
    }

    /// Why the figures of this peer would mislead here, if they would; asked once settled, with the scene it began with.
    fn objection(&self, _: &Scene) -> Option<String> {
        None
    }

    /// Bytes that it holds and that Rust's allocator does not see.
    fn bytes_elsewhere(&self) -> usize {
        0
    }

    /// What a reader of its figures should know.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// Contacts of circles, for those who bring candidates alone: the narrow test is that of the plain grid.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) circles: Vec<PlainContact>,
    pub(crate) segments: Vec<PlainContact>,
}

impl Found {
    pub(crate) fn clear(&mut self) {
        self.circles.clear();
        self.segments.clear();
    }

    #[inline(always)]
    pub(crate) fn circle_circle(&mut self, frame: &Scene, i: usize, j: usize) {
        circle_circle(circle(frame, i), circle(frame, j), i as u32, j as u32, &mut self.circles);
    }

    #[inline(always)]
    pub(crate) fn circle_segment(&mut self, frame: &Scene, i: usize, k: usize) {
        let [x0, y0, x1, y1] = ends(frame, k);
        circle_segment(circle(frame, i), [x0, y0], [x1, y1], i as u32, k as u32, &mut self.segments);
    }

    pub(crate) fn counts(&self) -> Counts {
        [self.circles.len(), self.segments.len(), 0]
    }
}

/// Centre and radius.
#[inline(always)]
pub(crate) fn circle(frame: &Scene, row: usize) -> [f32; 3] {
    [frame.x[row], frame.y[row], frame.radius[row]]
}

/// Both ends.
#[inline(always)]
pub(crate) fn ends(frame: &Scene, row: usize) -> [f32; 4] {
    [frame.x0[row], frame.y0[row], frame.x1[row], frame.y1[row]]
}

/// Lower and upper corner of a circle's box.
#[inline(always)]
pub(crate) fn circle_box(frame: &Scene, row: usize) -> [f32; 4] {
    let [x, y, radius] = circle(frame, row);
    [x - radius, y - radius, x + radius, y + radius]
}

/// Lower and upper corner of a segment's box.
#[inline(always)]
pub(crate) fn segment_box(frame: &Scene, row: usize) -> [f32; 4] {
    let [x0, y0, x1, y1] = ends(frame, row);
    [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
}

/// Two segments that touch, and where.
pub(crate) struct Meeting {
    #[allow(dead_code, reason = "written out as a user would have it")]
    pub(crate) pair: [u32; 2],
    #[allow(dead_code, reason = "written out as a user would have it")]
    pub(crate) point: [f32; 2],
}

/// The exact test for two segments whose boxes meet: each has the other's ends not strictly on one side. Signs are those of exact
/// arithmetic (crate `robust`); the point is rounded.
#[inline(always)]
pub(crate) fn segment_segment(frame: &Scene, i: usize, j: usize, out: &mut Vec<Meeting>) {
    let coord = |x: f32, y: f32| robust::Coord { x: f64::from(x), y: f64::from(y) };
    let ([ax, ay, bx, by], [cx, cy, dx, dy]) = (ends(frame, i), ends(frame, j));
    let (a, b, c, d) = (coord(ax, ay), coord(bx, by), coord(cx, cy), coord(dx, dy));
    let sides = |p, q, r, s| (robust::orient2d(p, q, r), robust::orient2d(p, q, s));
    let (of_c, of_d) = sides(a, b, c, d);
    if of_c * of_d > 0.0 {
        return;
    }
    let (of_a, of_b) = sides(c, d, a, b);
    if of_a * of_b > 0.0 {
        return;
    }
    let t = if of_a == of_b { 0.0 } else { of_a / (of_a - of_b) };
    let point = [(a.x + t * (b.x - a.x)) as f32, (a.y + t * (b.y - a.y)) as f32];
    out.push(Meeting { pair: [i as u32, j as u32], point });
}

/// Boxes as lower and upper corner, closed.
#[inline(always)]
pub(crate) fn boxes_meet(p: [f32; 4], q: [f32; 4]) -> bool {
    p[0] <= q[2] && q[0] <= p[2] && p[1] <= q[3] && q[1] <= p[3]
}
