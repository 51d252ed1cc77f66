//! What questions are asked about.
//!
//! Comes in: columns and cells of whoever owns them. Goes out: shapes, names and filters by row. This room does not know what is asked.

use super::{Look, Target};
use crate::broad_phase::{Cells, Grid, Occupancy, OnDemand, RayCells};
use crate::geometry::{Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::{Backend, InstructionSet};
use crate::storage::{Filters, is_set};

/// Circles in cell order and segments under their cells. A view: made for each question.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) backend: Backend,
    pub(crate) set: InstructionSet,
    /// The circles. Its rows are its own; [`Self::name`] tells the caller's.
    pub(crate) grid: &'a Grid,
    /// The segments at rest, of which some may have cells of their own, and those that move. Entries name the caller's rows.
    pub(crate) cells: [&'a Cells; 3],
    /// All bodies together under cells, once that is worth making.
    pub(crate) ray_cells: &'a OnDemand<RayCells>,
    /// All segments, by the caller's rows.
    pub(crate) capsules: Capsules<'a>,
    /// By the caller's rows: of circles, of segments.
    pub(crate) filters: [Filters<'a>; 2],
    /// By the caller's rows, empty where there is none: of circles, of segments.
    pub(crate) sensors: [&'a [bool]; 2],
}

impl<'a> Scene<'a> {
    /// No circle, and no segment, has a filter of its own or is a sensor.
    pub(crate) fn plain(&self) -> [bool; 2] {
        [0, 1].map(|kind| self.filters[kind].are_left_out() && self.sensors[kind].is_empty())
    }

    /// All bodies together, for so many more thin rays. Making that costs a body as much as it saves some two rays: it is made once so many have been
    /// cast without; what is found does not depend on it.
    pub(super) fn ray_cells(&self, rays: u32) -> Option<&'a RayCells> {
        let bodies = self.count().saturating_add(self.capsules.radius.len() as u32);
        let make = |cells: &mut RayCells| cells.make(self.circles(), self.grid.order(), self.capsules);
        self.ray_cells.get([rays, bodies.saturating_mul(2)], make).filter(|cells| cells.map().is_some())
    }

    /// The number of circles.
    pub(crate) fn count(&self) -> u32 {
        self.grid.order().len() as u32
    }

    /// The number of circles and segments.
    pub(super) fn bodies(&self) -> usize {
        self.grid.order().len() + self.capsules.x0.len()
    }

    /// Where the circles of each level are, if so many segments, and circles of coarser levels, would walk through more rows of cells than there are circles.
    pub(super) fn look_where_all_are(&self, segments: usize, occupancy: &mut Vec<Occupancy>) {
        let Capsules { y0, y1, .. } = self.capsules;
        Occupancy::of_levels(self.grid, occupancy, |level| {
            let rows = Occupancy::rows(level, &y0[..segments], y1) + Occupancy::coarser_rows(self.grid, level);
            (rows, segments + Occupancy::coarser(self.grid, level))
        });
    }

    /// The circles in cell order, with NaN behind the last.
    #[inline(always)]
    pub(crate) fn circles(&self) -> Circles<'a> {
        Circles { x: self.grid.x(), y: self.grid.y(), radius: self.grid.size() }
    }

    /// A circle, by its row in cell order.
    #[inline(always)]
    pub(crate) fn circle(&self, row: u32) -> Circle {
        let (circles, row) = (self.circles(), row as usize);
        Circle { center: Vec2 { x: circles.x[row], y: circles.y[row] }, radius: circles.radius[row] }
    }

    /// The caller's row of a circle.
    #[inline(always)]
    pub(crate) fn name(&self, row: u32) -> u32 {
        self.grid.order()[row as usize]
    }

    /// A segment, by the caller's row.
    #[inline(always)]
    pub(crate) fn segment(&self, row: u32) -> Segment {
        let [start, end] = self.capsules.ends(row as usize);
        Segment { start: start.into(), end: end.into(), radius: self.capsules.radius[row as usize] }
    }

    /// This circle is seen, by the caller's row.
    #[inline(always)]
    pub(crate) fn sees_circle(&self, look: &Look<'_>, row: u32) -> bool {
        look.all_circles() || self.ask(look, Target::circle(row), 0)
    }

    /// This segment is seen, by the caller's row.
    #[inline(always)]
    pub(crate) fn sees_segment(&self, look: &Look<'_>, row: u32) -> bool {
        look.all_segments() || self.ask(look, Target::segment(row), 1)
    }

    #[inline(never)]
    fn ask(&self, look: &Look<'_>, target: Target, kind: usize) -> bool {
        let sensor = is_set(self.sensors[kind], target.row as usize);
        look.sees(target, self.filters[kind].of(target.row), sensor)
    }
}
