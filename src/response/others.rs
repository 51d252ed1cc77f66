//! The walls that move, for those who ask about many of them.
//!
//! Comes in: walls that have moved, how many circles ask. Goes out: walls for the door, as they were or as they are, and those that may have
//! passed over a point. Where walls are many, and more than a few circles ask, they lie in cells, else they are looked at one by one: the
//! answers are the same. This room does not know who asks.
//!
//! *Why none is lost.* Each wall is registered with the largest distance that an end of it goes, W, as its radius. What it passes over lies in
//! the hull of its four ends. A point of the new wall is within W of the point of the old one with the same share of its length, and the
//! distance to the old wall is convex: all of the hull is within W of it. Neither the door nor who is passed over asks for a wall's radius, so that
//! a larger one only names more walls.

use super::moved::Moved;
use super::walls::{Near, Walls, wide};
use crate::broad_phase::Cells;
use crate::exact::P;
use crate::geometry::Capsules;
use crate::storage::SegmentColumns;

/// Fewer walls are looked at one by one.
const FEW_WALLS: usize = 64;
/// And all of them for fewer circles.
const FEW_CIRCLES: usize = 6;
/// A wall that goes further is in no cells, and then none is.
const FAR: f64 = 1e37;

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Others {
    all: Vec<Near>,
    cells: Cells,
    are_in_cells: bool,
    /// Ends, radii and rows, while they are registered.
    columns: [Vec<f32>; 5],
    names: Vec<u32>,
}

/// All cells in which walls lie.
pub(super) struct Sets<'a>([&'a Cells; 4], usize);

impl Others {
    /// Takes all walls, for so many circles.
    pub(super) fn take(&mut self, moved: Moved<'_>, as_they_were: bool, asking: usize) {
        let Others { all, cells, are_in_cells, columns, names } = self;
        moved.spines(as_they_were, all);
        let way = |k: usize| moved.way(k) * 1.001;
        *are_in_cells = all.len() >= FEW_WALLS && asking >= FEW_CIRCLES && (0..all.len()).all(|k| way(k) < FAR);
        if !*are_in_cells {
            return;
        }
        let of = |k: usize, wall: &Near| {
            let ([x0, y0], [x1, y1]) = (wall.spine.start, wall.spine.end);
            [x0, y0, x1, y1, way(k) as f32]
        };
        let [x0, y0, x1, y1, radius] = &*columns;
        let known = x0.iter().zip(y0).zip(x1.iter().zip(y1)).zip(radius);
        let known = known.map(|(((&x0, &y0), (&x1, &y1)), &radius)| [x0, y0, x1, y1, radius]);
        // Asked twice in a step about the same walls: they lie where they lay.
        if known.eq(all.iter().enumerate().map(|(k, wall)| of(k, wall)))
            && names.iter().eq(all.iter().map(|wall| &wall.row))
        {
            return;
        }
        columns.iter_mut().for_each(Vec::clear);
        for (k, wall) in all.iter().enumerate() {
            for (column, value) in columns.iter_mut().zip(of(k, wall)) {
                column.push(value);
            }
        }
        let [x0, y0, x1, y1, radius] = &*columns;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..all.len() as u32);
        names.clear();
        names.extend(all.iter().map(|wall| wall.row));
        cells.rename(names);
    }

    /// `cells`, and those of these walls.
    pub(super) fn sets<'a>(&'a self, cells: &[&'a Cells]) -> Sets<'a> {
        let mut sets = Sets([&self.cells; 4], cells.len());
        sets.0[..cells.len()].copy_from_slice(cells);
        sets.1 += usize::from(self.are_in_cells);
        sets
    }

    /// The walls that do not move, in `cells`, and these; `sets`: of both.
    pub(super) fn walls<'a>(
        &'a self,
        (cells, segments, bounds): (&'a [&'a Cells], &'a SegmentColumns, f64),
        sets: &'a Sets<'a>,
    ) -> Walls<'a> {
        let walls = Walls::new(cells, &self.all, segments, bounds);
        if self.are_in_cells { walls.in_cells(&sets.0[..sets.1]) } else { walls }
    }

    /// The numbers, among those that move, of all walls that may have passed over a point, and of some more, ascending.
    pub(super) fn about(&self, walls: &Walls<'_>, q: P, numbers: &mut Vec<u32>) {
        numbers.clear();
        if !self.are_in_cells {
            numbers.extend(0..self.all.len() as u32);
            return;
        }
        let (own, at, names) = ([&self.cells], wide(q), &self.names);
        walls.in_cells(&own).along_cells(at, 4.0 * walls.unit_at(at, at), |wall| {
            numbers.extend(names.binary_search(&wall.row).map(|k| k as u32));
        });
        numbers.sort_unstable();
        numbers.dedup();
    }

    /// Forgets that cells were made, so that all are looked at one by one.
    #[cfg(test)]
    pub(super) fn one_by_one(&mut self) {
        self.are_in_cells = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::door::Scratch;
    use crate::response::integrate::Ends;
    use crate::response::walls::Shape;
    use crate::storage::{Filter, SegmentBody, SegmentHandle};

    fn range(state: &mut u64, a: f64, b: f64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a + (b - a) * ((*state >> 11) as f64 / (1u64 << 53) as f64)
    }

    #[test]
    fn many_in_cells_are_met_and_pass_over_as_one_by_one() {
        let mut g = 5;
        let (mut met, mut passed, mut fewer) = (0, 0, 0);
        for (scale, shift, far) in [(1.0, 0.0, 1.0), (1.0, 0.0, 1000.0), (1e-20, 0.0, 1.0), (1.0, 6.4e6, 1.0)] {
            let (mut segments, mut saved) = (SegmentColumns::default(), Vec::<Ends>::new());
            for k in 0..300 {
                let at = [0; 2].map(|_| range(&mut g, -20.0, 20.0));
                let to = at.map(|v| v + range(&mut g, -3.0, 3.0));
                // One of fifty goes far, some turn about themselves.
                let way = if k % 50 == 0 { far } else { 1.0 };
                let mut moved = |p: [f64; 2]| p.map(|v| v + range(&mut g, -way, way));
                let ends = if k % 7 == 0 { [to, at] } else { [moved(at), moved(to)] };
                let [a, b, c, d] = [at, to, ends[0], ends[1]].map(|p| p.map(|v| (v * scale + shift) as f32));
                let wall = SegmentBody::from(crate::geometry::Segment::new(c, d)).with_one_sided(k % 3 == 0);
                let wall = if k % 10 == 9 { wall } else { wall.with_velocity([1.0, 0.0]) };
                segments.push(wall, SegmentHandle::new(k as u32, 0));
                if k % 10 != 9 {
                    saved.push([a[0], a[1], b[0], b[1], 0.0, 0.0, 0.0, 0.0]);
                }
            }
            let (moved, still) = (Moved::new(&segments, &saved), Cells::default());
            let (mut many, mut each) = (Others::default(), Others::default());
            for as_they_were in [true, false] {
                many.take(moved, as_they_were, 1000);
                each.take(moved, as_they_were, 1000);
                assert!(many.are_in_cells);
                each.one_by_one();
                let [some, all] = [&many, &each].map(|others| others.sets(&[&still]));
                let (cells, mut scratch) = ([&still], Scratch::default());
                let some = many.walls((&cells, &segments, 0.0), &some);
                let all = each.walls((&cells, &segments, 0.0), &all);
                let [mut about, mut everyone] = [vec![], vec![]];
                for case in 0..2000 {
                    let q = [0; 2].map(|_| (range(&mut g, -22.0, 22.0) * scale + shift) as f32);
                    let long = [0.01, 0.5, 30.0][case % 3] * scale;
                    let way = (q, [0; 2].map(|_| range(&mut g, -long, long)));
                    let [hit, truth] = [&some, &all].map(|walls| {
                        let hit = walls.first(way, Shape::Point, Filter::DEFAULT, &mut scratch);
                        hit.map(|hit| (hit.row, hit.impact))
                    });
                    assert_eq!(hit, truth, "{way:?}");
                    met += usize::from(hit.is_some());
                    many.about(&some, q, &mut about);
                    each.about(&all, q, &mut everyone);
                    fewer += usize::from(about.len() < everyone.len());
                    let over = |numbers: &[u32]| -> Vec<u32> {
                        let passes = |k: &u32| moved.at(*k as usize).1.passes_over(q);
                        numbers.iter().copied().filter(passes).collect()
                    };
                    if as_they_were {
                        assert_eq!(over(&about), over(&everyone), "{q:?}");
                        passed += over(&about).len();
                    }
                }
            }
        }
        assert!(met > 3000 && passed > 2000 && fewer > 10_000, "{met} met, {passed} passed over, {fewer} fewer");
    }
}
