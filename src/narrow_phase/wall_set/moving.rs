//! Walls that move.
//!
//! Comes in: segments as they are in each step, the grid of the circles. Goes out: where each has to look. They are registered with some slack, which serves for
//! several steps; but where most of the cells that they cross are far from everybody, as long walls of a large map are from a few small circles, only those
//! that somebody is near, and each time. Which of both, and what is listed, is a matter of the step alone. This room does not know what touches.

use super::super::columns::Segments;
use super::WallSet;
use crate::broad_phase::{Grid, Occupancy};

impl WallSet {
    /// The segments that move, as they are. Where all are registered, they are so anew only where they have gone too far since they were: what touches is found in
    /// the order in which it would be if they were each time.
    pub(in super::super) fn follow_moving(&mut self, grid: &Grid, segments: Segments<'_>) {
        let rows = if grid.levels().is_empty() { &[] } else { segments.moving };
        // An empty slice is not handed to a comparison of memory: glibc's for AVX-512 loads under an empty mask from where nothing may be,
        // which costs the processor some 75 ns to look into.
        let known = self.walls.rows();
        if rows.is_empty() && known.is_empty() {
            return; // nor is anything listed
        }
        let same = !rows.is_empty() && known == rows;
        if !same {
            self.walls.take_rows(rows.iter().copied());
        }
        self.take_lanes(segments);
        if self.are_astray(grid) {
            let occupancy = &self.occupancy;
            let is_near = |level: usize, ends, reach: f32| !occupancy[level].is_empty_about(ends, reach.next_up());
            self.walls.build_some(grid, segments.capsules(), is_near);
            self.drift.stop();
            return;
        }
        let now = || grid.levels().iter().map(|level| (level.map, level.size));
        if same && self.maps.iter().copied().eq(now()) && self.drift.serves(&self.shapes) {
            return;
        }
        self.maps.clear();
        self.maps.extend(now());
        let slack = self.drift.slack(&self.maps, rows.len());
        if slack > 0.0 && self.walls.build_slack(grid, segments.capsules(), slack) {
            self.drift.start(slack, &self.shapes);
        } else {
            self.drift.stop();
            self.walls.build(grid, segments.capsules(), rows.iter().copied(), false);
        }
    }

    /// Most rows of cells that walls cross in some level are far from everybody in it; where anybody is in these levels.
    fn are_astray(&mut self, grid: &Grid) -> bool {
        let WallSet { occupancy, shapes: [x0, y0, x1, y1, radius], .. } = self;
        Occupancy::of_levels(grid, occupancy, |level| (Occupancy::rows(level, y0, y1), y0.len()));
        let mut astray = false;
        for (occupancy, level) in occupancy.iter_mut().zip(grid.levels()).filter(|(occupancy, _)| occupancy.is_known())
        {
            let near: f64 = (0..y0.len())
                .filter(|&k| {
                    let reach = (level.size + radius[k]).next_up();
                    !occupancy.is_empty_about([[x0[k], y0[k]], [x1[k], y1[k]]], reach)
                })
                .map(|k| Occupancy::rows(level, &y0[k..=k], &y1[k..=k]))
                .sum();
            if 2.0 * near > Occupancy::rows(level, y0, y1) {
                occupancy.clear();
            } else {
                astray = true;
            }
        }
        astray
    }
}
