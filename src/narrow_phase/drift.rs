//! How far walls that move have gone since they were registered.
//!
//! Comes in: the ends and radii of walls, when they are registered and at each step. Goes out: with how much slack to register them, and whether
//! that serves. This room does not know cells, nor which walls they are.
//!
//! A point of a wall is a mean of its ends, with the same shares before and after: if no end is further than the slack from where it was, on
//! either axis, no point is, and whoever comes within some reach of the wall comes within that and the slack of the registered one.
//!
//! Cost: some two nanoseconds a wall and step.

use crate::broad_phase::CellMap;

/// Fewer walls are registered each time.
const FEW: usize = 32;
/// The slack, as a share of the narrowest cell: a row of cells more for one wall in four.
const SHARE: f32 = 0.125;
/// Where slack has served for fewer steps than the first, walls are registered without for so many registrations.
const LEAST_STEPS: u32 = 4;
const WITHOUT: u32 = 64;

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Drift {
    /// `x0, y0, x1, y1, radius`.
    from: [Vec<f32>; 5],
    /// 0: registered without.
    slack: f32,
    /// For how many steps it has served.
    served: u32,
    /// So many registrations more are without.
    without: u32,
}

impl Drift {
    /// Reads something of each line of its fields, as a world does where many are stepped.
    pub(super) fn read_ahead(&self) -> usize {
        self.from[1].len() ^ self.from[3].len() ^ self.slack.to_bits() as usize
    }

    /// What was registered serves for these, which are as many as then.
    pub(super) fn serves(&mut self, shapes: &[Vec<f32>; 5]) -> bool {
        // A thousandth is far more than a difference and a sum of the reach lose.
        let most = self.slack * 0.999;
        let [ends @ .., _] = [0, 1, 2, 3, 4].map(|k| (&*self.from[k], &*shapes[k]));
        let serves = self.slack > 0.0
            && ends.into_iter().all(|(from, to)| furthest(from, to) <= most)
            && self.from[4] == shapes[4];
        self.served += u32::from(serves);
        serves
    }

    /// With how much slack so many are to be registered among cells of these maps.
    pub(super) fn slack(&mut self, maps: &[(CellMap, f32)], walls: usize) -> f32 {
        if self.without > 0 {
            self.without -= 1;
            return 0.0;
        }
        if self.slack > 0.0 && self.served < LEAST_STEPS {
            self.without = WITHOUT;
            return 0.0;
        }
        let narrowest = maps.iter().fold(f32::MAX, |cell, (map, _)| if map.cell() < cell { map.cell() } else { cell });
        if walls < FEW || maps.is_empty() { 0.0 } else { narrowest * SHARE }
    }

    /// They are registered with this slack.
    pub(super) fn start(&mut self, slack: f32, shapes: &[Vec<f32>; 5]) {
        (self.slack, self.served) = (slack, 0);
        self.from.iter_mut().zip(shapes).for_each(|(from, shapes)| from.clone_from(shapes));
    }

    /// They are registered without.
    pub(super) fn stop(&mut self) {
        self.slack = 0.0;
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * self.from.iter().map(Vec::capacity).sum::<usize>()
    }
}

/// The largest difference; of columns that differ in length, infinite.
fn furthest(from: &[f32], to: &[f32]) -> f32 {
    if from.len() != to.len() {
        return f32::INFINITY;
    }
    let larger = |most: f32, (from, to): (&f32, &f32)| {
        let way = (to - from).abs();
        if way > most { way } else { most }
    };
    let ((a, rest), (b, others)) = (from.as_chunks::<8>(), to.as_chunks::<8>());
    let mut lanes = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        lanes.iter_mut().zip(a.iter().zip(b)).for_each(|(most, pair)| *most = larger(*most, pair));
    }
    let most = rest.iter().zip(others).fold(0.0, larger);
    lanes.into_iter().fold(most, |most, way| if way > most { way } else { most })
}

#[cfg(test)]
mod tests {
    use super::super::columns::Segments;
    use super::super::wall_set::WallSet;
    use super::*;
    use crate::broad_phase::{Grid, Policy, Walls};
    use crate::geometry::{Circle, Segment, circle_touches_segment};
    use crate::parallel::Split;
    use crate::storage::{Filters, NOT_EDITED};

    fn range(state: &mut u64, a: f64, b: f64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a + (b - a) * ((*state >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn all_moving<'a>([x0, y0, x1, y1, radius]: [&'a [f32]; 5], moving: &'a [u32]) -> Segments<'a> {
        let (filters, edited) = (Filters::default(), &NOT_EDITED);
        Segments { x0, y0, x1, y1, radius, moving, version: 1, filters, filter_version: 0, edited }
    }

    type Intervals = Vec<[u32; 4]>;

    fn intervals(walls: &Walls) -> Intervals {
        walls.intervals().iter().map(|i| [i.level, i.first, i.last, walls.rows()[i.wall as usize]]).collect()
    }

    /// Walls wander among circles that stay: who touches whom, in the order in which intervals come to it, is what it is where walls are
    /// registered at each step, while most steps keep what was registered.
    #[test]
    fn what_is_kept_finds_the_same_in_the_same_order() {
        let (mut kept, mut wider, mut touching) = (0, 0, 0);
        for seed in 0..40 {
            let g = &mut (seed * 7919 + 1);
            // The unbounded ones lie on a torus.
            let spread = [20.0, 20.0, 2000.0][seed as usize % 3];
            let (most, count) = ([0.4, 5.0][seed as usize % 2], 300);
            let place = |g: &mut u64| range(g, -spread, spread) as f32;
            let [x, y] = [0; 2].map(|_| -> Vec<f32> { (0..count).map(|_| place(g)).collect() });
            let radius: Vec<f32> =
                (0..count).map(|k| if k % 40 == 0 { range(g, 0.1, most) as f32 } else { 0.4 }).collect();
            let mut grid = Grid::default();
            grid.bin(&x, &y, &radius, Policy::CIRCLES, None, Split::SERIAL);
            let mut walls: Vec<[f32; 5]> = (0..100)
                .map(|k| {
                    let at = k * 3 % count;
                    let [a, b] = [x[at], y[at]].map(|v| v + range(g, -0.5, 0.5) as f32);
                    let along = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]][k % 3];
                    let to = [a + range(g, -3.0, 3.0) as f32 * along[0], b + range(g, -3.0, 3.0) as f32 * along[1]];
                    [a, b, to[0], to[1], if k % 5 == 0 { 0.25 } else { 0.0 }]
                })
                .collect();
            let mut set = WallSet::default();
            let mut last = Intervals::new();
            let way = [0.01, 0.005, 0.3][seed as usize / 2 % 3];
            let speeds: Vec<[f32; 2]> = (0..100).map(|_| [0; 2].map(|_| range(g, -way, way) as f32)).collect();
            for step in 0..30 {
                if step == 20 {
                    // Thicker than it was registered: it is registered anew.
                    walls[7][4] += 1.0;
                }
                let [x0, y0, x1, y1, thick] =
                    [0, 1, 2, 3, 4].map(|k| walls.iter().map(|wall| wall[k]).collect::<Vec<f32>>());
                let moving: Vec<u32> = (0..walls.len() as u32).collect();
                let segments = all_moving([&x0, &y0, &x1, &y1, &thick], &moving);
                set.follow_moving(&grid, segments);
                let mut each = Walls::default();
                each.build(&grid, segments.capsules(), moving.iter().copied(), false);
                let now = intervals(set.walls());
                kept += usize::from(now == last);
                wider += usize::from(now.len() > each.intervals().len());
                let found = |intervals: &Intervals| -> Vec<(u32, u32)> {
                    let look = |&[_, first, last, row]: &[u32; 4]| {
                        let [a, b, c, d, thick] = walls[row as usize];
                        let wall = Segment::new([a, b], [c, d]).with_radius(thick);
                        let run = grid.starts()[first as usize]..grid.starts()[last as usize];
                        let touches = |&at: &u32| {
                            let k = grid.order()[at as usize] as usize;
                            circle_touches_segment(Circle::new([x[k], y[k]], radius[k]), wall)
                        };
                        run.filter(touches).map(|at| (row, at)).collect::<Vec<_>>()
                    };
                    intervals.iter().flat_map(look).collect()
                };
                let (some, all) = (found(&now), found(&intervals(&each)));
                assert_eq!((some, set.walls().long().len()), (all.clone(), each.long().len()), "{seed}, step {step}");
                touching += all.len();
                last = now;
                // Straight on, so that all of the slack is used.
                for (wall, [u, v]) in walls.iter_mut().zip(&speeds) {
                    wall[..4].iter_mut().zip([u, v, u, v]).for_each(|(end, speed)| *end += speed);
                }
            }
        }
        assert!(kept > 400 && wider > 400 && touching > 50_000, "{kept} {wider} {touching}");
    }

    /// Walls come from nearly the slack away to where each just touches a circle, from all four sides: wherever cells end, it is looked at.
    #[test]
    fn who_is_just_touched_at_the_end_of_the_slack_is_looked_at() {
        let place = |k: usize| [k % 40, k / 40].map(|v| v as f32 * 1.013);
        let [x, y] = [0, 1].map(|axis| (0..1600).map(|k| place(k)[axis]).collect::<Vec<f32>>());
        let mut grid = Grid::default();
        grid.bin(&x, &y, &[0.4; 1600], Policy::CIRCLES, None, Split::SERIAL);
        let away = grid.levels()[0].map.cell() * SHARE * 0.99;
        let moving: Vec<u32> = (0..1600).collect();
        for [u, v] in [[1.0f32, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
            let mut set = WallSet::default();
            let mut lists = vec![];
            for way in [0.4 + away, 0.4] {
                let column = |from: &[f32], by: f32| from.iter().map(|at| at + by).collect::<Vec<f32>>();
                let [x0, x1] = [-0.1, 0.1].map(|along: f32| column(&x, u * way + v * along));
                let [y0, y1] = [-0.1, 0.1].map(|along: f32| column(&y, v * way + u * along));
                let segments = all_moving([&x0, &y0, &x1, &y1, &[0.0; 1600]], &moving);
                set.follow_moving(&grid, segments);
                lists.push(intervals(set.walls()));
            }
            assert!(lists[0] == lists[1], "kept");
            let mut looked = vec![false; 1600];
            for &[_, first, last, row] in &lists[1] {
                let run = grid.starts()[first as usize]..grid.starts()[last as usize];
                looked[row as usize] |= run.into_iter().any(|at| grid.order()[at as usize] == row);
            }
            assert!(looked.iter().all(|&looked| looked), "{u} {v}");
        }
    }

    #[test]
    fn what_has_gone_further_than_the_slack_is_registered_anew() {
        let shapes =
            |by: f32| [0.0, 1.0, 2.0, 3.0, 0.5].map(|v| (0..11).map(|k| if k == 9 { v + by } else { v }).collect());
        for (axis, by, serves) in
            [(0, 0.99, true), (1, -1.25, false), (2, 1.0, false), (3, -0.5, true), (4, 0.1, false)]
        {
            let (from, moved): ([Vec<f32>; 5], [Vec<f32>; 5]) = (shapes(0.0), shapes(by));
            let mut to = from.clone();
            to[axis].clone_from(&moved[axis]);
            let mut drift = Drift::default();
            assert!(!drift.serves(&from));
            drift.start(1.0, &from);
            assert!(drift.serves(&from) && drift.serves(&to) == serves, "{axis} {by}");
            to.iter_mut().for_each(|column| column.truncate(9));
            assert!(!drift.serves(&to));
        }
    }
}
