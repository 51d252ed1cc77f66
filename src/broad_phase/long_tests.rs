//! How much is looked at along what is long: lanes of circles, and walls that are longer than a torus.
//!
//! Comes in: nothing. Goes out: nothing; these are tests of plans and of registered walls together, which count cells and circles, and no time.

use super::{Blocks, Grid, Level, Part, Policy, Walls, walk, walk_part};
use crate::geometry::Capsules;
use crate::kernels::InstructionSet;
use crate::parallel::Split;
use std::ops::Range;

fn grid_of(x: &[f32], y: &[f32], cell: Option<f32>) -> Grid {
    let mut grid = Grid::default();
    grid.bin(x, y, &vec![0.5; x.len()], Policy::CIRCLES, cell, Split::SERIAL);
    grid
}

fn only(grid: &Grid) -> &Level {
    let [level] = grid.levels() else { panic!("one level") };
    level
}

/// Intervals of all these walls of no radius, and how many circles are in them.
fn registered(grid: &Grid, segments: Capsules<'_>) -> (Walls, usize) {
    let mut walls = Walls::default();
    walls.build(grid, segments, 0..segments.radius.len() as u32, true);
    let starts = grid.starts();
    let looks = walls.intervals().iter().map(|i| starts[i.last as usize] - starts[i.first as usize]);
    let looks = looks.map(|looks| looks as usize).sum();
    (walls, looks)
}

/// Discs side by side in one row, or in zigzag over some, with a post of 100 between any two: with one disc more than 4 096
/// the lane has the same cells in a box, and a post is held against as many discs; nor is it in more cells, where eight rows of them are too many.
#[test]
fn a_lane_keeps_its_cells_however_many_are_in_it() {
    let mut kept = 0;
    for (high, upright) in [(0.0, false), (2.0, false), (4.0, false), (0.0, true), (4.0, true)] {
        let of = |count: usize| {
            let along: Vec<f32> = (0..count).map(|k| k as f32 + 0.5).collect();
            let across: Vec<f32> = (0..count).map(|k| 0.5 + high * (k % 7) as f32 / 6.0).collect();
            let (post, low, top) =
                ((0..count).map(|k| k as f32).collect::<Vec<f32>>(), vec![0.0; count], vec![100.0; count]);
            let radius = vec![0.0; count];
            let (grid, segments) = if upright {
                let segments = Capsules { x0: &low, y0: &post, x1: &top, y1: &post, radius: &radius };
                (grid_of(&across, &along, None), segments)
            } else {
                let segments = Capsules { x0: &post, y0: &low, x1: &post, y1: &top, radius: &radius };
                (grid_of(&along, &across, None), segments)
            };
            let (walls, looks) = registered(&grid, segments);
            assert!(walls.long().is_empty());
            (only(&grid).map, walls.intervals().len() as f64 / count as f64, looks as f64 / count as f64)
        };
        let rows = |last: (i32, i32)| if upright { last.0 } else { last.1 };
        let (few, rows_of_post, discs_of_post) = of(4096);
        assert!(!few.is_torus() && rows(few.last()) < 4, "{high}");
        for count in [4097, 4098] {
            let (many, intervals, looks) = of(count);
            assert!(!many.is_torus() && many.cell() == few.cell(), "{count} {high}");
            // Along the lane corners are coarse; across it only where there is room for that.
            let columns = (if upright { many.last().1 } else { many.last().0 }) as usize + 1;
            assert_eq!(columns % 8, 0);
            if columns * 8 > 2 * count + 256 {
                assert_eq!(rows(many.last()), rows(few.last()), "{count} {high}");
                assert!((intervals / rows_of_post - 1.0).abs() < 0.01, "{count} {high}: {intervals}, {rows_of_post}");
                kept += 1;
            } else {
                assert!(rows(many.last()) < 8 && intervals <= 8.0, "{count} {high}: {intervals}");
            }
            assert!((looks / discs_of_post - 1.0).abs() < 0.01, "{count} {high}: {looks} and {discs_of_post}");
        }
    }
    assert!(kept >= 4, "{kept}");
}

/// Walls 1 000 long, 4 apart, a disc of radius 0.5 at each, far from its neighbours' discs, in cells of 6 on a torus: along x, along y or slanting.
struct Hatching {
    x: Vec<f32>,
    y: Vec<f32>,
    ends: [Vec<f32>; 4],
    radius: Vec<f32>,
}

impl Hatching {
    fn new(count: usize, way: usize) -> Hatching {
        let rise = [0.0, 0.0, 1.0][way];
        let base = |k: usize| 4.0 * k as f32;
        let along = |k: usize| (k * 61 % 997) as f32;
        let mut x: Vec<f32> = (0..count).map(along).collect();
        let mut y: Vec<f32> = (0..count).map(|k| base(k) + along(k) * rise + 0.5).collect();
        let from = (0..count).map(base).collect();
        let to = (0..count).map(|k| base(k) + 1000.0 * rise).collect();
        let mut ends = [vec![0.0; count], from, vec![1000.0; count], to];
        if way == 1 {
            std::mem::swap(&mut x, &mut y);
            ends.swap(0, 1);
            ends.swap(2, 3);
        }
        Hatching { x, y, ends, radius: vec![0.0; count] }
    }

    fn walls(&self) -> Capsules<'_> {
        let [x0, y0, x1, y1] = &self.ends;
        Capsules { x0, y0, x1, y1, radius: &self.radius }
    }

    /// Runs come one after the other, and who touches this wall is in one.
    fn check(&self, grid: &Grid, wall: usize, runs: &[Range<u32>]) {
        assert!(runs.is_sorted_by(|a, b| a.end <= b.start), "{wall}: {runs:?}");
        let [a, b] = self.walls().ends(wall).map(|p| p.map(f64::from));
        let way = [b[0] - a[0], b[1] - a[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        for (row, &from) in grid.order().iter().enumerate() {
            let p = [f64::from(self.x[from as usize]) - a[0], f64::from(self.y[from as usize]) - a[1]];
            let (along, cross) = (p[0] * way[0] + p[1] * way[1], p[0] * way[1] - p[1] * way[0]);
            // Within 0.5 of the line, and between its ends.
            if cross * cross <= 0.25 * square && (0.0..=square).contains(&along) {
                assert!(runs.iter().any(|run| run.contains(&(row as u32))), "{wall}: row {row}");
            }
        }
    }
}

/// A wall that crosses k cells of a torus that has more cells than discs is held against k discs or so, though the same keys come again and again, and against
/// none of them twice: twice as many walls and discs are twice the work.
#[test]
fn a_wall_longer_than_a_torus_costs_the_cells_that_it_crosses() {
    for way in 0..3 {
        let works = [4000, 8000].map(|count| {
            let hatching = Hatching::new(count, way);
            let (grid, segments) = (grid_of(&hatching.x, &hatching.y, Some(6.0)), hatching.walls());
            let level = only(&grid);
            assert!(level.map.is_torus() && level.map.cells() as usize > count);
            // No key comes twice is more than can be asked of these.
            assert!((0..count).all(|wall| !walk(&level.map, segments.ends(wall), 0.5, 0.5, 1024, |_, _, _| {})));
            let mut wound = 0;
            let (walls, looks) = registered(&grid, segments);
            let mut runs = vec![vec![]; count];
            for interval in walls.intervals() {
                let run = grid.starts()[interval.first as usize]..grid.starts()[interval.last as usize];
                runs[walls.rows()[interval.wall as usize] as usize].push(run);
            }
            // 1000 / 6 cells along the wall, as many across it if it slants, and three beside each of these at most.
            let most = 3 * (1000 / 6 + 1000 / 6 + 4);
            assert!(looks <= count * most, "{way}, {count}: {looks}");
            let mut blocks = Blocks::default();
            blocks.build(&grid, level.rows.clone(), (InstructionSet::best(), Split::SERIAL));
            let mut near = vec![];
            let is_long = |wall: usize| runs[wall].is_empty();
            for (wall, runs) in runs.iter().enumerate() {
                blocks.near((&grid, level), segments.ends(wall), 0.0, &mut near);
                let looks = near.iter().map(|run| (run.end - run.start) as usize).sum::<usize>();
                wound += looks;
                if wall % 7 == 0 {
                    hatching.check(&grid, wall, &near);
                    // Where there is no room for all intervals some are listed as long.
                    if !runs.is_empty() {
                        hatching.check(&grid, wall, runs);
                    }
                }
            }
            assert!(wound <= count * most, "{way}, {count}: {wound}");
            let listed = (0..count).filter(|&wall| !is_long(wall)).count();
            assert!(listed + walls.long().len() == count && listed > count / 4, "{way}, {count}: {listed}");
            wound
        });
        assert!(works[1] < works[0] * 5 / 2, "{way}: {works:?}");
    }
}

/// What a part that is too long for a torus meets is refused where it would be most of the keys; in a box nothing winds.
#[test]
fn a_wall_that_meets_most_keys_is_left_to_blocks() {
    let hatching = Hatching::new(4000, 0);
    let (grid, mut walls) = (grid_of(&hatching.x, &hatching.y, Some(1.2)), Walls::default());
    let level = only(&grid);
    // 8 192 keys, of which each wall meets 834 in each of its two or three rows.
    assert_eq!(level.map.cells(), 8192);
    walls.build(&grid, hatching.walls(), 0..4000, true);
    assert!(walls.intervals().is_empty() && walls.long().len() == 4000);
    let part = Part { ends: hatching.walls().ends(7), reach: 0.5 };
    assert!(!walk_part(&level.map, part, 1024, |_, _, _| {}));
}
