//! geo's sweep over segments, in f64 with its own exact test: every pair that shares a point, with what it shares.

use crate::peer::{Peer, ends};
use crate::shared::{Counts, Scene};
use geo::algorithm::sweep::Intersections;
use geo::line_intersection::LineIntersection;
use geo::{Coord, Line};

#[derive(Default)]
pub(crate) struct Sweep {
    found: Vec<LineIntersection<f64>>,
}

impl Peer for Sweep {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        let coord = |x: f32, y: f32| Coord { x: f64::from(x), y: f64::from(y) };
        let line = |row: usize| {
            let [x0, y0, x1, y1] = ends(frame, row);
            Line::new(coord(x0, y0), coord(x1, y1))
        };
        let sweep = (0..frame.x0.len()).map(line).collect::<Intersections<_>>();
        self.found.extend(sweep.map(|(.., shared)| shared));
    }

    fn found(&self) -> Counts {
        [0, 0, self.found.len()]
    }
}
