//! The plain grid of the library's own benches: uniform cells, counting sort, half neighbourhood, segments registered once.

use crate::input::Input;
use crate::peer::{Found, Peer};
use crate::shared::plain_grid::PlainGrid;
use crate::shared::{Counts, Scene};

pub(crate) struct Plain {
    grid: PlainGrid,
    found: Found,
}

impl Plain {
    pub(crate) fn new(input: &Input) -> Plain {
        Plain { grid: PlainGrid::new(&input.frames[0]), found: Found::default() }
    }
}

impl Peer for Plain {
    fn run(&mut self, frame: &Scene) {
        self.grid.detect(frame, &mut self.found.circles, &mut self.found.segments);
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}
