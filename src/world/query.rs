//! What a world hands to `query`: its columns as they stand, and the cells they lie in, made when first asked for.
//!
//! Comes in: columns, and word of what has changed in them. Goes out: a scene; to the step the cells of walls, which it looks into as well. This room
//! does not know what is asked.

use super::World;
use super::standing::Standing;
use crate::broad_phase::{CellSize, Cells, Grid, OnDemand, Policy, RayCells};
use crate::error::Error;
use crate::geometry::{Aabb, Circle, Circles, Periods, Ray, Segment, Segments, Vec2};
use crate::parallel::{Pool, Split};
use crate::query::{
    Fan, Hit, HitLists, Lists, MOST_PERIODS, MovingCircles, Names, Nearest, NearestLists, NeighborLists, Plane,
    Queries, QueryFilter, QueryPoints, Rays, Scan, Scans, Scene, Target, TargetLists, doors,
};
use crate::response::{ImageWalls, Place};
use crate::storage::{Lazy, SegmentColumns};
use std::sync::atomic::{AtomicBool, Ordering};

/// Kept from question to question, until what stands in them changes.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Somebody may have asked about circles since they last changed: most worlds of many are never asked, and then look at none of the rest.
    asked: AtomicBool,
    kept: Box<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    circles: Lazy<Grid>,
    fixed: Lazy<Standing>,
    moving: Lazy<Cells>,
    /// All bodies together, for many rays.
    rays: OnDemand<RayCells>,
    /// Of those that do not move, where the plane repeats.
    images: Lazy<ImageWalls>,
    /// What covers all segments, where the plane repeats.
    walls: Lazy<Walls>,
}

/// What covers segments, one axis each, and the row of one that is too far beyond the border.
#[derive(Clone, Copy, Debug, Default)]
struct Walls {
    cover: [[f64; 2]; 2],
    beyond: Option<usize>,
}

impl Index {
    /// The segments that do not move.
    pub(super) fn fixed(&self, segments: &SegmentColumns) -> [&Cells; 2] {
        self.kept.fixed.get(|standing| standing.update(segments)).cells()
    }

    /// The segments that move, where they are between steps.
    pub(super) fn moving(&self, segments: &SegmentColumns) -> &Cells {
        self.kept.moving.get(|cells| cells.build(segments.capsules(), segments.moving_rows.iter().copied()))
    }

    /// The segments that do not move, and their images where the plane repeats.
    pub(super) fn still(&self, segments: &SegmentColumns, periods: &Periods) -> CellSets<'_> {
        let [most, recent] = self.fixed(segments);
        let images = || self.kept.images.get(|images| images.build(periods, segments));
        let mut sets = CellSets { sets: [most; 3], count: 1, images: (!periods.is_none()).then(images) };
        if !recent.levels().is_empty() {
            sets.add(recent);
        }
        sets
    }

    /// The same and the segments that move, last; `known`: cells and a size that are known of them, which then comes out again.
    pub(super) fn all<'a>(
        &'a self,
        segments: &SegmentColumns,
        periods: &Periods,
        known: Option<(&'a Cells, f64)>,
    ) -> (CellSets<'a>, Option<f64>) {
        let mut sets = self.still(segments, periods);
        sets.add(known.map_or_else(|| self.moving(segments), |known| known.0));
        (sets, known.map(|known| known.1))
    }

    /// Circles have come, gone, moved or changed rows.
    pub(super) fn circles_changed(&mut self) {
        if std::mem::take(self.asked.get_mut()) {
            self.kept.circles.forget();
            self.kept.rays.forget();
        }
    }

    /// Segments have come, gone, been edited or changed rows.
    pub(super) fn segments_changed(&mut self) {
        self.kept.fixed.forget();
        self.kept.images.forget();
        self.segments_moved();
    }

    /// Segments have moved.
    pub(super) fn segments_moved(&mut self) {
        self.kept.moving.forget();
        self.kept.walls.forget();
        self.kept.rays.forget();
    }
}

/// A few [`Cells`], and images.
pub(super) struct CellSets<'a> {
    sets: [&'a Cells; 3],
    count: usize,
    images: Option<&'a ImageWalls>,
}

impl<'a> CellSets<'a> {
    fn add(&mut self, cells: &'a Cells) {
        self.sets[self.count] = cells;
        self.count += 1;
    }

    /// What a response is told of them; `bounds`: the largest coordinate of what else confines the world.
    pub(super) fn place<'b>(&'b self, segments: &'b SegmentColumns, bounds: f64) -> Place<'b> {
        Place { cells: &self.sets[..self.count], images: self.images, segments, bounds }
    }
}

impl World {
    /// Asks about the bodies as they stand: after the last step and all edits since.
    #[must_use]
    pub fn queries(&self) -> Queries<'_> {
        let (circles, segments) = (&self.circles, &self.segments);
        let capsules = segments.capsules();
        let pool = self.detection.pool();
        let cell = match self.config.cell_size {
            CellSize::Auto => None,
            CellSize::Fixed(cell) => Some(cell),
        };
        self.index.asked.store(true, Ordering::Relaxed);
        let bin = |grid: &mut Grid, split| {
            grid.bin(&circles.x, &circles.y, &circles.radius, Policy::CIRCLES, cell, split);
        };
        let kept = &self.index.kept.circles;
        if kept.made().is_none() && !Pool::is_within() {
            // Before it is entered where others wait for it: what waits in a pool takes up other work, which may come to the same place.
            kept.offer(|grid| pool.run(circles.len(), |split| bin(grid, split)));
        }
        let grid = kept.get(|grid| bin(grid, Split::SERIAL));
        let [most, recent] = self.index.fixed(segments);
        let moving = self.index.moving(segments);
        let scene = Scene {
            backend: self.config.backend,
            set: self.detection.set(),
            grid,
            cells: [most, recent, moving],
            ray_cells: &self.index.kept.rays,
            capsules,
            filters: [circles.labels.filters(), segments.labels.filters()],
            sensors: [circles.labels.sensors(), segments.labels.sensors()],
        };
        let names = Names {
            circle_slots: &self.circle_slots,
            circles: &circles.handle,
            segment_slots: &self.segment_slots,
            segments: &segments.handle,
        };
        let queries = Queries::new(scene, pool, Some(names));
        let periods = self.config.bounds.periods();
        if periods.is_none() {
            return queries;
        }
        let Walls { cover: walls, beyond } = *self.index.kept.walls.get(|walls| {
            // What moves is brought back by the next step.
            let most = |row: usize| if segments.moving[row] { MOST_PERIODS } else { 1.0 };
            let beyond = (0..segments.len()).find(|&row| !periods.are_within(most(row), capsules.ends(row)));
            *walls = Walls { cover: capsules.cover([0, 1].map(|axis| periods.farthest(axis))), beyond };
        });
        let beyond = beyond.map(|row| segments.handle[row].to_bits());
        let circles = Circles { x: &circles.x, y: &circles.y, radius: &circles.radius };
        queries.with_periods(Plane { periods, walls, beyond, circles })
    }

    doors!(neighbors);
}
