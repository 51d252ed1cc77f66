//! The walls of a detection, as its blocks look at them.
//!
//! Comes in: segments, the grid of the circles. Goes out: where each wall has to look, the kernel's form of each, what they are. What static
//! walls need is kept for as long as neither they nor the cells change; where circles are few among them, or cells change all the time, or walls cross far more
//! cells than there are circles, only those near a circle are looked for,
//! by cells of the walls' own, which stay whatever the circles do: the intervals are then those of the others, in the same order, but for such as hold
//! no circle that is near. This room does not know what touches.

mod moving;

use super::blocks::SceneWalls;
use super::columns::Segments;
use super::drift::Drift;
use super::sparing::Sparing;
use crate::broad_phase::{CellMap, Extent, Grid, Heights, NearWalls, Occupancy, Walls, union};
use crate::geometry::Capsules;
use crate::kernels::{InstructionSet, Wall};
use crate::parallel::Split;

/// Registered walls, the kernel's form of each, and what they are, in their order: side by side in memory where they are in space.
#[derive(Debug, Default)]
pub(super) struct WallSet {
    walls: Walls,
    lanes: Vec<Wall>,
    /// `x0, y0, x1, y1, radius`.
    shapes: [Vec<f32>; 5],
    /// Around all segments that do not move, as of a version and a number of edits.
    around: Option<[[f32; 2]; 2]>,
    known: Option<(u64, u64)>,
    /// For which version of the segments, after how many edits, and for which grid the static walls were registered.
    registered: Option<(u64, u64)>,
    maps: Vec<(CellMap, f32)>,
    edited: Vec<u32>,
    /// Where circles are few.
    near: Option<Box<NearWalls>>,
    /// Which of both ways.
    sparing: Sparing,
    /// How tall those that stand are, as of a version and a number of edits; they are so tall that all count as long.
    heights: Heights,
    counted: Option<(u64, u64)>,
    are_long: bool,
    /// Of walls that move.
    drift: Drift,
    occupancy: Vec<Occupancy>,
}

impl WallSet {
    /// Registers the segments of these rows, which stay.
    fn build(&mut self, grid: &Grid, segments: Segments<'_>, rows: impl Iterator<Item = u32>) {
        // Without circles there is no level to be registered in, and a map of segments alone need not pay for it.
        let rows = rows.take(if grid.levels().is_empty() { 0 } else { usize::MAX });
        if self.are_long {
            self.walls.build_long(grid, segments.capsules(), rows);
        } else {
            self.walls.build(grid, segments.capsules(), rows, true);
        }
        self.take_lanes(segments);
    }

    /// Static walls: only if they or the grid have changed, or where circles are few.
    pub(super) fn stand(&mut self, grid: &Grid, segments: Segments<'_>) {
        self.sparing.step();
        // What has just been listed may be more than it pays to look into.
        if !self.look_near(grid, segments) && self.stand_all(grid, segments) && !self.look_near(grid, segments) {
            self.stand_all(grid, segments);
        }
        self.registered = Some((segments.version, segments.edits()));
    }

    /// All of them; whether they had to be registered anew.
    fn stand_all(&mut self, grid: &Grid, segments: Segments<'_>) -> bool {
        let now = || grid.levels().iter().map(|level| (level.map, level.size));
        let used = self.near.as_ref().is_some_and(|near| near.is_used());
        let is_known = self.registered.is_some_and(|(version, _)| version == segments.version);
        let is_same = !used
            && self.maps.iter().copied().eq(now())
            && (is_known || self.are_too_many(grid, segments) == self.are_long);
        let stands = is_same && self.follow(segments, |set, rows| set.mend(grid, segments, rows));
        if !stands {
            self.near.iter_mut().for_each(|near| near.leave());
            self.sparing.registered(self.registered.is_some());
            self.maps.clear();
            self.maps.extend(now());
            self.are_long = self.are_too_many(grid, segments);
            self.build(grid, segments, segments.fixed_rows());
            self.registered = Some((segments.version, segments.edits()));
        }
        self.sparing.listed(self.walls.counts());
        !stands
    }

    /// There is no room for the intervals of all that stand. That depends on them and the cells alone.
    fn are_too_many(&mut self, grid: &Grid, segments: Segments<'_>) -> bool {
        let (capsules, now) = (segments.capsules(), (segments.version, segments.edits()));
        match self.counted {
            _ if grid.levels().is_empty() => return false,
            Some((version, _)) if version == segments.version => {}
            Some((_, edits)) if segments.edited.since(edits, &mut self.edited) => {
                let rows = self.edited.iter().copied();
                self.heights.replace(capsules, rows.filter(|&row| segments.is_fixed(row)));
            }
            _ => self.heights.count(capsules, segments.fixed_rows()),
        }
        self.counted = Some(now);
        let recount = |heights: &mut Heights| heights.count(capsules, segments.fixed_rows());
        self.heights.are_too_many(grid, segments.fixed_count(), recount)
    }

    /// What was registered stands, or could be mended where segments were edited.
    fn follow(&mut self, segments: Segments<'_>, mend: impl FnOnce(&mut WallSet, &[u32]) -> bool) -> bool {
        let Some((version, edits)) = self.registered else { return false };
        if version == segments.version {
            return true;
        }
        let mut edited = std::mem::take(&mut self.edited);
        let stands = segments.edited.since(edits, &mut edited) && (edited.is_empty() || mend(self, &edited));
        self.edited = edited;
        stands
    }

    /// Those of these rows alone, which have been edited; false if that cannot be.
    fn mend(&mut self, grid: &Grid, segments: Segments<'_>, rows: &[u32]) -> bool {
        let rows = (rows, segments.fixed_count());
        let mended =
            !grid.levels().is_empty() && self.walls.mend(grid, segments.capsules(), rows, |row| segments.is_fixed(row));
        self.add_lanes(segments);
        mended
    }

    /// Only the walls near circles, if that may pay. False if it has to be all.
    fn look_near(&mut self, grid: &Grid, segments: Segments<'_>) -> bool {
        let (circles, walls) = (grid.order().len(), segments.fixed_count());
        let used = self.near.as_ref().is_some_and(|near| near.is_used());
        let looks = self.sparing.looks_near(circles, walls, used)
            && self.near.as_ref().is_none_or(|near| near.can_be(walls, grid.largest()));
        let near = if looks { self.find_near(grid, segments) } else { None };
        if looks {
            self.sparing.took(circles, near, self.walls.counts());
        }
        near.is_some()
    }

    /// Only the walls near circles: how many these are, and how often one was looked at. None if it has to be all.
    fn find_near(&mut self, grid: &Grid, segments: Segments<'_>) -> Option<[usize; 2]> {
        let capsules = segments.capsules();
        let mut near = self.near.take().unwrap_or_default();
        let stands = near.is_for(grid)
            && self.follow(segments, |set, rows| {
                let mended = near.mend(&mut set.walls, capsules, rows, |row| segments.is_fixed(row));
                set.add_lanes(segments);
                mended
            });
        if !stands {
            self.maps.clear();
            self.walls.take_rows(segments.fixed_rows());
            self.take_lanes(segments);
            near.build(self.walls.rows(), capsules, grid);
        }
        let are_long = self.are_too_many(grid, segments);
        let found = near.list(grid, capsules, (&mut self.walls, segments.fixed_count()), are_long);
        self.near = Some(near);
        found
    }

    /// The kernel's form of each.
    fn take_lanes(&mut self, segments: Segments<'_>) {
        self.lanes.clear();
        self.shapes.iter_mut().for_each(Vec::clear);
        self.add_lanes(segments);
    }

    /// Those of walls that have none yet.
    fn add_lanes(&mut self, segments: Segments<'_>) {
        let rows = &self.walls.rows()[self.lanes.len()..];
        let Segments { x0, y0, x1, y1, radius, .. } = segments;
        // Where all move, or all behind some, they lie side by side.
        let run = rows.first().map_or(0..0, |&first| first as usize..first as usize + rows.len());
        let is_run = rows.iter().zip(run.clone()).all(|(&row, k)| row as usize == k);
        for (to, from) in self.shapes.iter_mut().zip([x0, y0, x1, y1, radius]) {
            if is_run {
                to.extend_from_slice(&from[run.clone()]);
            } else {
                to.extend(rows.iter().map(|&row| from[row as usize]));
            }
        }
        let capsules = segments.capsules();
        self.lanes.extend(rows.iter().map(|&row| {
            let [start, end] = capsules.ends(row as usize);
            Wall::new(start, end, capsules.radius[row as usize])
        }));
    }

    /// Around all segments that do not move, if there are any.
    pub(super) fn around(&mut self, segments: Segments<'_>, set: InstructionSet) -> Option<[[f32; 2]; 2]> {
        match self.known {
            Some((version, _)) if version == segments.version => {}
            Some((_, edits)) if segments.edited.none_since(edits) => {}
            _ => self.around = around(segments, set),
        }
        self.known = Some((segments.version, segments.edits()));
        self.around
    }

    pub(super) fn view(&self) -> SceneWalls<'_> {
        let [x0, y0, x1, y1, radius] = &self.shapes;
        SceneWalls { walls: &self.walls, lanes: &self.lanes, shapes: Capsules { x0, y0, x1, y1, radius } }
    }

    /// By level, where circles are, as of the last step; empty where that was not asked.
    pub(super) fn occupancy(&self) -> &[Occupancy] {
        &self.occupancy
    }

    /// Where each wall looks.
    pub(super) fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Reads something of each line of its fields, and of what a step reads.
    pub(super) fn read_ahead(&self) -> usize {
        let WallSet { walls, lanes, shapes, maps, edited, drift, sparing, .. } = self;
        let shapes = shapes.iter().flat_map(|column| column.iter().step_by(16)).map(|value| value.to_bits() as usize);
        let lanes = lanes.iter().step_by(2).map(|wall| wall.x.to_bits() as usize);
        let maps = maps.iter().map(|&(map, size)| (map.cell().to_bits() ^ size.to_bits()) as usize);
        let is_known = usize::from(self.known.is_some()) ^ usize::from(self.registered.is_some());
        let fields = [walls.read_ahead(), drift.read_ahead(), edited.len(), sparing.read_ahead(), is_known];
        lanes.chain(shapes).chain(maps).chain(fields).fold(0, |all, value| all ^ value)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let shapes = self.shapes.iter().map(Vec::capacity).sum::<usize>();
        let near = self.near.as_ref().map_or(0, |near| near.bytes());
        let occupancy = self.occupancy.iter().map(Occupancy::bytes).sum::<usize>();
        let kept = size_of::<(CellMap, f32)>() * self.maps.capacity() + 4 * self.edited.capacity();
        self.walls.bytes()
            + size_of::<Wall>() * self.lanes.capacity()
            + 4 * shapes
            + near
            + occupancy
            + self.drift.bytes()
            + self.heights.bytes()
            + kept
    }
}

/// Around all segments that do not move, without their radii; none where there are none.
fn around(segments: Segments<'_>, set: InstructionSet) -> Option<[[f32; 2]; 2]> {
    let Segments { x0, y0, x1, y1, radius, moving, .. } = segments;
    if moving.len() == x0.len() {
        return None;
    }
    if moving.is_empty() {
        let of_ends = |x, y| Extent::of([x, y, radius], set, Split::SERIAL).bounds();
        return Some(union(of_ends(x0, y0), of_ends(x1, y1)));
    }
    let ends = segments.fixed_rows().flat_map(|row| segments.capsules().ends(row as usize));
    ends.map(|end| [end; 2]).reduce(union)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::Policy;
    use crate::geometry::{Circle, Segment, Vec2, circle_touches_segment};
    use crate::storage::{SegmentBody, SegmentColumns, SegmentHandle};

    fn range(state: &mut u64, a: f64, b: f64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a + (b - a) * ((*state >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn view(segments: &SegmentColumns) -> Segments<'_> {
        Segments {
            x0: &segments.x0,
            y0: &segments.y0,
            x1: &segments.x1,
            y1: &segments.y1,
            radius: &segments.radius,
            moving: &segments.moving_rows,
            version: segments.version,
            filters: segments.labels.filters(),
            filter_version: segments.filter_version,
            edited: &segments.edited,
        }
    }

    /// Level, cells and row of each interval; level and row of those that are long.
    type Lists = (Vec<[u32; 4]>, Vec<[u32; 2]>);

    fn lists(walls: &Walls) -> Lists {
        let row = |wall: u32| walls.rows()[wall as usize];
        let intervals = walls.intervals().iter().map(|i| [i.level, i.first, i.last, row(i.wall)]);
        (intervals.collect(), walls.long().iter().map(|long| [long.level, row(long.wall)]).collect())
    }

    /// All of some are among all, in the same order.
    fn are_among<T: PartialEq>(some: &[T], all: &[T]) -> bool {
        let mut all = all.iter();
        some.iter().all(|one| all.any(|other| one == other))
    }

    /// Walls of all lengths, one of eight with a radius; at the rim of the numbers once in a while.
    fn wall(g: &mut u64, scale: f64) -> SegmentBody {
        // One of forty far from all others.
        let far = if range(g, 0.0, 40.0) < 1.0 { [1e2, 1e6][range(g, 0.0, 2.0) as usize] } else { 1.0 };
        let at = [0; 2].map(|_| range(g, -100.0, 100.0) * if range(g, 0.0, 2.0) < 1.0 { far } else { 1.0 });
        let long = [1.0, 6.0, 40.0, 150.0][[0, 0, 0, 0, 0, 0, 1, 1, 2, 3][range(g, 0.0, 10.0) as usize]];
        let to = [range(g, -long, long), if range(g, 0.0, 1.0) < 0.3 { 0.0 } else { range(g, -long, long) }];
        let radius = if range(g, 0.0, 8.0) < 1.0 { range(g, 0.0, 3.0) * scale } else { 0.0 };
        let point = |x: f64, y: f64| Vec2::new((x * scale) as f32, (y * scale) as f32);
        let segment = Segment::new(point(at[0], at[1]), point(at[0] + to[0], at[1] + to[1]));
        let body = SegmentBody::from(segment.with_radius(radius as f32));
        if range(g, 0.0, 10.0) < 1.0 { body.with_velocity([1.0, 0.0]) } else { body }
    }

    #[test]
    fn of_few_circles_those_near_are_listed_as_among_all() {
        let (mut used, mut mended, mut too_many, mut pairs) = (0, 0, 0, 0);
        for seed in 0..120 {
            let g = &mut (seed * 7919 + 1);
            let scale = [1.0, 1.0, 1e-3, 1e6, 1e-30, 1e29][seed as usize % 6];
            let mut segments = SegmentColumns::default();
            for k in 0..range(g, 40.0, 900.0) as u32 {
                segments.push(wall(g, scale), SegmentHandle::new(k, 0));
            }
            let (mut near, mut grid) = (WallSet::default(), Grid::default());
            let most = [0.3, 3.0, 50.0][seed as usize % 3];
            let cell = [None, None, Some(8.0), Some(0.5), Some(0.05)][seed as usize / 2 % 5];
            let cell = cell.map(|cell: f64| (cell * scale) as f32);
            let count = range(g, 1.0, segments.len() as f64 / [12.0, 3.0][seed as usize % 2]) as usize;
            for step in 0..12 {
                // Now and then walls come, go, move or change, most often a few.
                for _ in 0..[0, 0, 1, 5, 60][range(g, 0.0, 5.0) as usize] {
                    let row = range(g, 0.0, segments.len() as f64) as usize;
                    match range(g, 0.0, 3.0) as u32 {
                        0 => segments.push(wall(g, scale), SegmentHandle::new(1000, step)),
                        1 if segments.len() > 40 => segments.swap_remove(row),
                        _ => segments.set(row, wall(g, scale)),
                    }
                }
                let count = if step % 6 == 5 { 10 * count } else { count };
                let spread = if seed % 5 == 0 { 5000.0 } else { 110.0 };
                let [mut x, mut y] = [0; 2]
                    .map(|_| -> Vec<f32> { (0..count).map(|_| (range(g, -spread, spread) * scale) as f32).collect() });
                for k in (0..count).step_by(7) {
                    // On a wall, wherever that is.
                    let row = range(g, 0.0, segments.len() as f64) as usize;
                    (x[k], y[k]) = (segments.x0[row], segments.y0[row]);
                }
                let radius: Vec<f32> =
                    (0..count).map(|k| (range(g, 0.0, if k % 50 == 0 { most } else { 0.3 }) * scale) as f32).collect();
                let policy = Policy { around: near.around(view(&segments), InstructionSet::best()), ..Policy::CIRCLES };
                grid.bin(&x, &y, &radius, policy, cell, Split::SERIAL);
                near.stand(&grid, view(&segments));
                let mut all = WallSet::default();
                all.are_long = all.are_too_many(&grid, view(&segments));
                too_many += usize::from(all.are_long);
                all.build(&grid, view(&segments), segments.fixed_rows());
                let [some, all] = [&near, &all].map(|set| lists(&set.walls));
                let is_used = near.near.as_ref().is_some_and(|near| near.is_used());
                used += usize::from(is_used);
                mended += near.near.as_ref().map_or(0, |near| usize::from(is_used && near.has_apart()));
                if !is_used {
                    assert_eq!(some, all, "seed {seed}, step {step}");
                    continue;
                }
                assert!(are_among(&some.0, &all.0) && are_among(&some.1, &all.1), "seed {seed}, step {step}");
                for row in segments.fixed_rows() {
                    let ([start, end], k) = (segments_ends(&segments, row as usize), row as usize);
                    let wall = Segment { start, end, radius: segments.radius[k] };
                    for (at, &from) in grid.order().iter().enumerate() {
                        let from = from as usize;
                        let circle = Circle::new([x[from], y[from]], radius[from]);
                        if circle_touches_segment(circle, wall) {
                            pairs += 1;
                            let starts = grid.starts();
                            let looks = |&[_, first, last, of]: &[u32; 4]| {
                                let run = starts[first as usize]..starts[last as usize];
                                of == row && run.contains(&(at as u32))
                            };
                            let level = grid.levels().iter().position(|level| level.rows.contains(&(at as u32)));
                            let is_long = some.1.contains(&[level.unwrap() as u32, row]);
                            assert!(is_long || some.0.iter().any(looks), "seed {seed}, {circle:?} {wall:?}");
                        }
                    }
                }
            }
        }
        assert!(used > 500 && mended > 100 && too_many > 40 && pairs > 3_000, "{used} {mended} {too_many} {pairs}");
    }

    /// Walls of length 4 on every tenth unit, of some radius, and one circle that just touches one of them: from each side, at its ends, as a point on it.
    #[test]
    fn who_just_touches_one_of_many_is_listed() {
        let listed = |circle: Circle, thick: f32, offset: f32| {
            let mut segments = SegmentColumns::default();
            for k in 0..100u32 {
                let [x, y] = [k % 10, k / 10].map(|v| 10.0 * v as f32 + offset);
                let wall = Segment::new([x, y], [x + 4.0, y]).with_radius(thick);
                segments.push(wall.into(), SegmentHandle::new(k, 0));
            }
            let (mut near, mut grid) = (WallSet::default(), Grid::default());
            let Circle { center: Vec2 { x, y }, radius } = circle;
            grid.bin(&[x], &[y], &[radius], Policy::CIRCLES, Some(4.0), Split::SERIAL);
            near.stand(&grid, view(&segments));
            assert!(near.near.as_ref().is_some_and(|near| near.is_used()), "{circle:?} {thick} {offset}");
            let touches = |row: u32| {
                let ([start, end], radius) = (segments_ends(&segments, row as usize), thick);
                circle_touches_segment(circle, Segment { start, end, radius })
            };
            let touched: Vec<u32> = segments.fixed_rows().filter(|&row| touches(row)).collect();
            let (intervals, long) = lists(&near.walls);
            let there = |row: &u32| intervals.iter().any(|i| i[3] == *row) || long.iter().any(|long| long[1] == *row);
            assert!(touched.iter().all(there), "{circle:?} {thick} {offset}: {touched:?}");
            // Of a hundred walls those far off are not looked at.
            assert!(intervals.len() + long.len() < 20, "{circle:?} {thick} {offset}: {}", intervals.len());
            touched.len()
        };
        let mut found = 0;
        for thick in [0.0, 0.25] {
            for radius in [0.0, 0.5, 1.0, 2.0] {
                let reach: f32 = radius + thick;
                for [x, y] in [[2.0, reach], [2.0, -reach], [-reach, 0.0], [4.0 + reach, 0.0], [0.0, reach]] {
                    for offset in [0.0, -32.0, 1e6] {
                        found += listed(Circle::new([40.0 + x + offset, 50.0 + y + offset], radius), thick, offset);
                    }
                }
            }
        }
        assert_eq!(found, 2 * 4 * 5 * 3);
    }

    fn segments_ends(s: &SegmentColumns, k: usize) -> [Vec2; 2] {
        [Vec2::new(s.x0[k], s.y0[k]), Vec2::new(s.x1[k], s.y1[k])]
    }
}
