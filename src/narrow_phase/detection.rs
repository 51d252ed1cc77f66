//! All touching pairs of some circles and segments: what a world and a detector share.
//!
//! Comes in: columns, once for [`Detection::bin`] and once for [`Detection::detect`]. Goes out: the circles in cell order,
//! contacts. Kept from call to call: buffers, and what static segments need, for as long as they stand. This room does
//! not know how anything moves.

use super::blocks::{BlockList, Limit, Scene};
use super::columns::Segments;
use super::output::Output;
use super::passes::{Exceeded, Passes};
use super::segment_pairs::SegmentPairs;
use super::wall_set::WallSet;
use super::{Contacts, PairKinds};
use crate::broad_phase::{Blocks, CellSize, Extent, Grid, Occupancy, Policy};
use crate::error::Error;
use crate::geometry::Circles;
use crate::kernels::{Backend, InstructionSet, Names};
use crate::parallel::{Pool, Split, Threads};
use crate::storage::{Filters, gather};

/// What detection can be told.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) backend: Backend,
    pub(crate) threads: Threads,
    pub(crate) cell_size: CellSize,
    pub(crate) pair_kinds: PairKinds,
    pub(crate) contact_limit: usize,
}

impl Options {
    /// The width of a cell, where it is not ours to choose.
    pub(super) fn cell(&self) -> Option<f32> {
        match self.cell_size {
            CellSize::Auto => None,
            CellSize::Fixed(cell) => Some(cell),
        }
    }
}

/// See the head of the module.
#[derive(Debug)]
pub(crate) struct Detection {
    pub(super) options: Options,
    pub(super) set: InstructionSet,
    pub(super) pool: Pool,
    pub(super) grid: Grid,
    /// Static walls, then moving ones.
    walls: [WallSet; 2],
    boxes: Vec<Blocks>,
    /// By level, where circles are, if those of coarser levels are to ask.
    pub(super) finer: Vec<Occupancy>,
    pub(super) circle_blocks: BlockList,
    pub(super) wall_blocks: BlockList,
    pub(super) segment_pairs: Box<SegmentPairs>,
    /// The caller's filters of circles, in cell order: category and mask.
    pub(super) sorted: [Vec<u32>; 2],
    /// What only other ways out than [`Contacts`] need.
    pub(super) output: Output,
}

impl Detection {
    /// Nothing binned yet.
    pub(crate) fn new(options: Options) -> Detection {
        Detection {
            pool: Pool::new(options.threads),
            options,
            set: InstructionSet::best(),
            grid: Grid::default(),
            walls: Default::default(),
            boxes: Vec::new(),
            finer: Vec::new(),
            circle_blocks: BlockList::default(),
            wall_blocks: BlockList::default(),
            segment_pairs: Box::default(),
            sorted: Default::default(),
            output: Output::default(),
        }
    }

    /// Sorts the circles into cell order and registers the walls; then `order()[row]` is where a circle came from. All
    /// numbers are finite, radii not negative.
    pub(crate) fn bin(&mut self, circles: Circles<'_>, segments: Segments<'_>) {
        // Few are in one cell wherever they are.
        if Grid::are_few(circles.x.len(), Policy::CIRCLES, self.options.cell()) {
            return self.bin_within(Extent::of_sizes(circles.radius, self.set), circles, segments);
        }
        self.pool.clone().run(circles.x.len(), |split| {
            let extent = Extent::of([circles.x, circles.y, circles.radius], self.set, split);
            self.bin_within(extent, circles, segments);
        });
    }

    /// The same, of circles with this extent.
    pub(crate) fn bin_within(&mut self, extent: Extent, circles: Circles<'_>, segments: Segments<'_>) {
        let Detection { pool, grid, options, walls, set, .. } = self;
        let Circles { x, y, radius } = circles;
        let mut policy = Policy::CIRCLES;
        // A map of segments alone need not pay for it, nor who is in one cell.
        let of_cells = !x.is_empty() && !Grid::are_few(x.len(), policy, options.cell());
        if options.pair_kinds.circle_segment && of_cells {
            policy.around = walls[0].around(segments, *set);
        }
        pool.run(x.len(), |split| grid.bin_within(extent, [x, y, radius], policy, options.cell(), split));
        if self.options.pair_kinds.circle_segment {
            self.register(segments);
        }
    }

    /// Static walls only if they or the grid have changed, moving ones always.
    fn register(&mut self, segments: Segments<'_>) {
        let [still, moving] = &mut self.walls;
        still.stand(&self.grid, segments);
        moving.follow_moving(&self.grid, segments);
        let long = self.walls.iter().any(|set| !set.walls().long().is_empty());
        self.boxes.resize_with(self.grid.levels().len(), Blocks::default);
        let Detection { grid, boxes, pool, set, .. } = self;
        if long {
            pool.run(grid.order().len(), |split| {
                for (boxes, level) in boxes.iter_mut().zip(grid.levels()) {
                    boxes.build(grid, level.rows.clone(), (*set, split));
                }
            });
        }
    }

    /// `order()[row]` is the row that a circle had when it was binned.
    pub(crate) fn order(&self) -> &[u32] {
        self.grid.order()
    }

    /// Hands out the circles' columns in cell order, in exchange for memory to be used again. Nothing can be detected then
    /// before the next [`Self::bin`].
    pub(crate) fn take_circles(&mut self, x: &mut Vec<f32>, y: &mut Vec<f32>, radius: &mut Vec<f32>) {
        self.grid.take(x, y, radius);
    }

    /// The threads.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Which text of the kernels runs.
    pub(crate) fn backend(&self) -> Backend {
        self.options.backend
    }

    /// The instruction set that was found when this was made.
    pub(crate) fn set(&self) -> InstructionSet {
        self.set
    }

    /// By level, where circles are, if walls that move asked for it.
    pub(crate) fn occupancy(&self) -> &[Occupancy] {
        if self.options.pair_kinds.circle_segment { self.walls[1].occupancy() } else { &[] }
    }

    /// The circles in cell order, from [`Self::bin`] to [`Self::take_circles`].
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many threads would work on so many bodies.
    pub(crate) fn threads(&self, bodies: usize) -> usize {
        self.pool.threads(bodies)
    }

    /// Exchanges all but what is of use within one step alone: what was chosen, and what static segments need. Who steps many worlds
    /// one after the other has the same buffers for all, which stay in the caches.
    pub(crate) fn swap_kept(&mut self, other: &mut Detection) {
        std::mem::swap(&mut self.options, &mut other.options);
        std::mem::swap(&mut self.set, &mut other.set);
        std::mem::swap(&mut self.pool, &mut other.pool);
        std::mem::swap(&mut self.walls[0], &mut other.walls[0]);
        std::mem::swap(&mut self.segment_pairs, &mut other.segment_pairs);
        self.segment_pairs.swap_buffers(&mut other.segment_pairs);
    }

    /// Exchanges the threads: those of one are lent to the other for a while.
    pub(crate) fn swap_pool(&mut self, other: &mut Detection) {
        std::mem::swap(&mut self.pool, &mut other.pool);
    }

    /// The calling thread works alone, or no longer.
    pub(crate) fn set_alone(&mut self, alone: bool) {
        self.pool.set_alone(alone);
    }

    /// Reads something of each static wall, as [`crate::World`] does where many are stepped.
    pub(crate) fn read_ahead(&self) -> usize {
        self.walls[0].read_ahead() ^ self.options.contact_limit ^ self.segment_pairs.read_ahead()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.grid.bytes()
            + self.walls.iter().map(WallSet::bytes).sum::<usize>()
            + self.boxes.iter().map(Blocks::bytes).sum::<usize>()
            + self.finer.iter().map(Occupancy::bytes).sum::<usize>()
            + self.circle_blocks.bytes()
            + self.wall_blocks.bytes()
            + self.segment_pairs.bytes()
            + 4 * self.sorted.iter().map(Vec::capacity).sum::<usize>()
            + self.output.bytes()
    }

    /// All touching pairs, of those that filters let meet, of the circles that were binned and these segments (the same as then).
    /// Circles are called by their row in cell order, or, if `by_order`, by the row from which they came; so are their filters.
    ///
    /// # Errors
    /// [`Error::TooManyContacts`]; `out` is then empty.
    pub(crate) fn detect(
        &mut self,
        segments: Segments<'_>,
        filters: Filters<'_>,
        by_order: bool,
        out: &mut Contacts,
    ) -> Result<(), Error> {
        let result = self.find(segments, filters, by_order, out);
        if result.is_err() {
            *out = Contacts::default();
        }
        result
    }

    fn find(
        &mut self,
        segments: Segments<'_>,
        filters: Filters<'_>,
        by_order: bool,
        out: &mut Contacts,
    ) -> Result<(), Error> {
        let Detection { options, pool, segment_pairs, .. } = self;
        if options.pair_kinds.segment_segment {
            let rows = segment_pairs.rows_to_share(segments, |place| out.fixed == Some(place));
            pool.run(rows, |split| segment_pairs.detect(segments, options, split, out))?;
        } else {
            out.segment_segment.clear();
            out.fixed = None;
        }
        let (pool, mut passes) = self.passes(segments, filters, by_order, out.segment_segment.len());
        pool.run(passes.scene.grid.order().len(), |split: Split| {
            passes.find(split)?;
            passes.contacts(split, &mut out.circle_circle, &mut out.circle_segment);
            Ok(())
        })
        .map_err(|Exceeded| self.too_many())
    }

    /// The error that names the limit.
    pub(super) fn too_many(&self) -> Error {
        Error::TooManyContacts { limit: self.options.contact_limit }
    }

    /// What is to be done for the circles that were binned, when so many contacts are there already.
    pub(super) fn passes<'a>(
        &'a mut self,
        segments: Segments<'a>,
        filters: Filters<'a>,
        by_order: bool,
        found: usize,
    ) -> (&'a Pool, Passes<'a>) {
        let Detection { options, set, pool, grid, walls, boxes, finer, circle_blocks, wall_blocks, sorted, .. } = self;
        let most = options.contact_limit - found;
        circle_blocks.clear();
        wall_blocks.clear();
        if options.pair_kinds.circle_circle {
            circle_blocks.push_circles(grid);
            Occupancy::of_finer(grid, finer);
        }
        if options.pair_kinds.circle_segment {
            wall_blocks.push_walls(0, walls[0].walls());
            wall_blocks.push_walls(1, walls[1].walls());
        }
        let scene = Scene {
            backend: options.backend,
            set: *set,
            grid,
            circles: Circles { x: grid.x(), y: grid.y(), radius: grid.size() },
            walls: walls.each_ref().map(WallSet::view),
            boxes,
            finer,
            filters: [if by_order { in_order(filters, grid.order(), sorted) } else { filters }, segments.filters],
            limit: Limit::new(most),
            near: None,
        };
        let names = if by_order { Names::Order(grid.order()) } else { Names::Rows };
        (pool, Passes { scene, names, circles: circle_blocks, walls: wall_blocks, most })
    }
}

/// Columns of the caller's rows in cell order. Asked for by every pair, they are better sorted once.
pub(super) fn in_order<'a>(filters: Filters<'_>, order: &[u32], sorted: &'a mut [Vec<u32>; 2]) -> Filters<'a> {
    for (from, to) in [filters.category, filters.mask].into_iter().zip(&mut *sorted) {
        if from.is_empty() {
            to.clear();
        } else {
            gather(from, order, to);
        }
    }
    let [category, mask] = sorted;
    Filters { category, mask }
}
