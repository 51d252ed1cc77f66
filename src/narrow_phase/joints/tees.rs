//! Ends in the middle of other walls.
//!
//! Comes in: static segments; then one end after the other. Goes out: the walls in whose middle it stands: within two units in the last
//! place (of the largest coordinate of both) of the wall, and no end of it. On maps whose corners have been rounded no such end is ever
//! exactly on the wall. Walls and ends of unequal radii have nothing to do with each other. This room does not know circles.
//!
//! Cost: the cells of the walls once, a few candidates an end, and no more than it takes to see that they are [`MANY`]. Two things may be missed: an end looks no further than two cells, which
//! matters where cells are only a few such units wide; and where more than [`REST`] walls fit no table of cells, in a world of very many
//! scales, those are not looked at.

use super::{End, ends, largest, ulp};
use crate::broad_phase::{CellLevel, Cells, LINEAR, walk};
use crate::exact::P;
use crate::geometry::Capsules;
use crate::storage::{SegmentColumns, is_set};

/// In units of the last place.
const TOLERANCE: f64 = 2.0;
/// In cells.
const FAR: f32 = 2.0;
/// More walls than that are not listed.
pub(super) const MANY: usize = 32;

/// What is too far out for one table has the next, up to so many; and so many walls may be in none.
const TABLES: usize = 16;
const REST: usize = 256;

/// The walls by cell.
#[derive(Debug, Default)]
pub(super) struct Tees {
    tables: Vec<Cells>,
    rest: Vec<u32>,
    /// Walls that have come since.
    recent: Cells,
    /// Walls without a middle.
    points: Vec<u32>,
    /// Some are nowhere.
    lost: bool,
}

impl Tees {
    /// Registers these rows, ascending.
    pub(super) fn new(segments: &SegmentColumns, rows: &[u32]) -> Tees {
        let SegmentColumns { x0, y0, x1, y1, radius, .. } = segments;
        let has_middle = |row: &u32| ends(segments, *row)[0] != ends(segments, *row)[1];
        let (mut rest, points): (Vec<u32>, Vec<u32>) = rows.iter().copied().partition(has_middle);
        let mut tables = Vec::new();
        while !rest.is_empty() && tables.len() < TABLES {
            let mut cells = Cells::default();
            cells.build(Capsules { x0, y0, x1, y1, radius }, rest.iter().copied());
            let fits = cells.apart().rows.len() < rest.len();
            rest.clone_from(&cells.apart().rows);
            if !fits {
                break;
            }
            tables.push(cells);
        }
        let lost = rest.len() > REST;
        rest.truncate(if lost { 0 } else { REST });
        Tees { tables, rest, recent: Cells::default(), points, lost }
    }

    /// Every wall is in a cell, but for a few points.
    pub(super) fn is_whole(&self) -> bool {
        !self.lost && self.rest.is_empty() && self.recent.apart().rows.is_empty() && self.points.len() <= REST
    }

    /// Forgets the walls of the marked rows but for those that have come since the tables were made, which are these now.
    pub(super) fn replace(&mut self, segments: &SegmentColumns, marks: &[bool], rows: &[u32]) {
        let SegmentColumns { x0, y0, x1, y1, radius, .. } = segments;
        self.tables.iter_mut().for_each(|cells| cells.forget(marks));
        let has_middle = |row: &u32| ends(segments, *row)[0] != ends(segments, *row)[1];
        self.recent.build(Capsules { x0, y0, x1, y1, radius }, rows.iter().copied().filter(has_middle));
        self.points.retain(|&row| !is_set(marks, row as usize));
        self.points.extend(rows.iter().copied().filter(|row| !has_middle(row)));
        self.points.sort_unstable();
        self.points.dedup();
    }

    /// Appends the ends that stand in the middle of a wall, some of them several times: all walls that have a point near it are looked at.
    pub(super) fn standing(&self, segments: &SegmentColumns, row: u32, out: &mut Vec<End>) {
        let (wall, radius) = (ends(segments, row), segments.radius[row as usize]);
        let far = (4.0 * TOLERANCE * ulp(largest(&wall))) as f32;
        let mut look = |other: u32| {
            if other == Cells::GONE || segments.radius[other as usize] != radius {
                return;
            }
            for second in [false, true] {
                let end = End { row: other, second };
                if stands_on(end.point(segments), wall) {
                    out.push(end);
                }
            }
        };
        self.points.iter().for_each(|&point| look(point));
        for cells in self.tables.iter().chain([&self.recent]) {
            let rows = &cells.entries().rows;
            for level in cells.levels() {
                let near = walk(&level.map, wall, far, far, u32::MAX, |cy, first, last| {
                    for run in cells.interval(level, cy, first, last) {
                        run.for_each(|k| look(rows[k as usize]));
                    }
                });
                if !near {
                    (level.entries.start..level.entries.end).for_each(|k| look(rows[k as usize]));
                }
            }
        }
    }

    /// Appends the rows, ascending, of the walls in whose middle an end stands. False, and nothing is appended, if they are too many to list.
    pub(super) fn find(&self, segments: &SegmentColumns, end: End, out: &mut Vec<u32>) -> bool {
        let first = out.len();
        let crowded = self.any(segments, end, |row| {
            out.push(row);
            out.len() - first > 2 * MANY && sort_from(out, first) > MANY
        });
        if crowded || sort_from(out, first) > MANY {
            out.truncate(first);
            return false;
        }
        true
    }

    /// Whether `is_it` says so of one of the walls in whose middle an end stands. It is asked in no order, of some several times.
    pub(super) fn any(&self, segments: &SegmentColumns, end: End, mut is_it: impl FnMut(u32) -> bool) -> bool {
        let (point, radius) = (end.point(segments), segments.radius[end.row as usize]);
        let mut look =
            |row: u32, ends: [P; 2]| stands_on(point, ends) && segments.radius[row as usize] == radius && is_it(row);
        let [x, y] = point.map(f64::from);
        for cells in self.tables.iter().chain([&self.recent]) {
            let entries = cells.entries();
            for level in cells.levels() {
                // More than any tolerance here: most are sorted out by their boxes. What is gone is beside everything.
                let size = largest(&[point, [most_of(level) as f32; 2]]);
                let reach = 4.0 * TOLERANCE * ulp(size);
                let may = |a: f32, b: f32, v: f64| {
                    let (a, b) = (f64::from(a) - v, f64::from(b) - v);
                    (a <= reach && b >= -reach) || (b <= reach && a >= -reach)
                };
                let found = any_run(cells, level, point, |mut run| {
                    run.any(|k| {
                        let [x0, y0, x1, y1] = [entries.x0[k], entries.y0[k], entries.x1[k], entries.y1[k]];
                        may(x0, x1, x) && may(y0, y1, y) && look(entries.rows[k], [[x0, y0], [x1, y1]])
                    })
                });
                if found {
                    return true;
                }
            }
        }
        self.rest.iter().any(|&row| look(row, ends(segments, row)))
    }
}

/// Sorts what begins there, and leaves each once; how many these are.
fn sort_from(list: &mut Vec<u32>, first: usize) -> usize {
    if list.len() > first + 1 {
        list[first..].sort_unstable();
        let mut kept = first + 1;
        for at in first + 1..list.len() {
            if list[at] != list[kept - 1] {
                list[kept] = list[at];
                kept += 1;
            }
        }
        list.truncate(kept);
    }
    list.len() - first
}

/// The largest coordinate in a level.
fn most_of(level: &CellLevel) -> f64 {
    [level.low, level.high].as_flattened().iter().fold(0.0, |most, v| if v.abs() > most { v.abs() } else { most })
}

/// Whether some of the entries of the cells around a point are it.
fn any_run(cells: &Cells, level: &CellLevel, point: P, mut is_it: impl FnMut(std::ops::Range<usize>) -> bool) -> bool {
    let map = &level.map;
    let [x, y] = [map.scale(point[0], 0), map.scale(point[1], 1)];
    // What is so far out is in no cell.
    if x.abs() >= LINEAR || y.abs() >= LINEAR {
        return false;
    }
    let length = map.scale_length((TOLERANCE * ulp(most_of(level) as f32)) as f32);
    let length = if length < FAR { length } else { FAR };
    let ((first, last), (row0, row1)) = (map.span(x, length, 0), map.span(y, length, 1));
    (row0..=row1).any(|row| {
        let runs = cells.interval(level, row, first, last);
        runs.into_iter().any(|run| is_it(run.start as usize..run.end as usize))
    })
}

/// Whether a point is within the tolerance of a wall, and no end of it.
fn stands_on(point: P, [a, b]: [P; 2]) -> bool {
    if point == a || point == b {
        return false;
    }
    // Reversed, a wall is the same.
    let (a, b) = if (a[0], a[1]) < (b[0], b[1]) { (a, b) } else { (b, a) };
    let tolerance = TOLERANCE * ulp(largest(&[point, a, b]));
    let outside = |axis: usize| {
        let (p, q, r) = (f64::from(point[axis]), f64::from(a[axis]), f64::from(b[axis]));
        (p < q - tolerance && p < r - tolerance) || (p > q + tolerance && p > r + tolerance)
    };
    if outside(0) || outside(1) {
        return false;
    }
    let less = |p: P, q: P| [f64::from(p[0]) - f64::from(q[0]), f64::from(p[1]) - f64::from(q[1])];
    let (d, w, v) = (less(b, a), less(point, a), less(point, b));
    let length2 = d[0] * d[0] + d[1] * d[1];
    if length2 == 0.0 {
        return false;
    }
    let near = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1] <= tolerance * tolerance;
    if w[0] * d[0] + w[1] * d[1] <= 0.0 {
        return near(w);
    }
    if v[0] * d[0] + v[1] * d[1] >= 0.0 {
        return near(v);
    }
    let height = d[0] * w[1] - d[1] * w[0];
    height * height <= tolerance * tolerance * length2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Segment;
    use crate::storage::SegmentHandle;

    /// The walls on which the start of the last one stands.
    fn tees(walls: &[[f32; 5]]) -> Vec<u32> {
        let mut segments = SegmentColumns::default();
        for (row, &[ax, ay, bx, by, r]) in walls.iter().enumerate() {
            let body = Segment::new([ax, ay], [bx, by]).with_radius(r).into();
            segments.push(body, SegmentHandle::new(row as u32, 0));
        }
        let rows: Vec<u32> = (0..walls.len() as u32).collect();
        let (mut out, tees) = (vec![7], Tees::new(&segments, &rows));
        let (end, mut asked) = (End { row: walls.len() as u32 - 1, second: false }, Vec::new());
        let found = tees.find(&segments, end, &mut out);
        assert!(!tees.any(&segments, end, |row| {
            asked.push(row);
            false
        }));
        sort_from(&mut asked, 0);
        assert_eq!((found, out), (asked.len() <= MANY, if found { [&[7], &asked[..]].concat() } else { vec![7] }));
        asked
    }

    #[test]
    fn two_units_are_near_enough() {
        // Units in the last place of 8 to 16 are 2^-20.
        let unit = 1.0 / 1_048_576.0;
        let stem = |off: f32| [3.0, off, 3.0, 5.0, 0.0];
        for bar in [[-9.0, 0.0, 9.0, 0.0, 0.0], [9.0, 0.0, -9.0, 0.0, 0.0]] {
            for off in [0.0, unit, 2.0 * unit, -2.0 * unit] {
                assert_eq!(tees(&[bar, stem(off)]), [0], "{off}");
            }
            for off in [2.5 * unit, -2.5 * unit, 1.0] {
                assert_eq!(tees(&[bar, stem(off)]), [0; 0], "{off}");
            }
        }
    }

    #[test]
    fn ends_points_and_other_radii_do_not_count() {
        let stem = [3.0, 0.0, 3.0, 5.0, 0.5];
        assert_eq!(tees(&[[-9.0, 0.0, 9.0, 0.0, 0.5], stem]), [0]);
        assert_eq!(tees(&[[-9.0, 0.0, 9.0, 0.0, 0.25], stem]), [0; 0]);
        assert_eq!(tees(&[[-9.0, 0.0, 3.0, 0.0, 0.5], [3.0, 0.0, 9.0, 0.0, 0.5], stem]), [0; 0]);
        assert_eq!(tees(&[[3.0, 0.0, 3.0, 0.0, 0.5], stem]), [0; 0]);
        // Beyond the end by more than two units of 3.
        assert_eq!(tees(&[[-9.0, 0.0, 2.99, 0.0, 0.5], stem]), [0; 0]);
    }

    #[test]
    fn so_many_are_listed_and_no_more() {
        for count in [MANY - 1, MANY, MANY + 1, 2 * MANY, 2 * MANY + 1, 10 * MANY] {
            // Each with the end in the middle, and the last, from whose end is asked.
            let mut walls: Vec<[f32; 5]> =
                (0..count).map(|k| [-1.0 - k as f32, 0.0, 1.0 + k as f32, 0.0, 0.0]).collect();
            walls.push([0.0, 0.0, 0.0, 1.0, 0.0]);
            assert_eq!(tees(&walls), (0..count as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn places_far_apart_have_tables_of_their_own() {
        // 400 walls of length 1 in each of five places, up to some million lengths apart; one of them stands on another.
        for far in [1e5f32, 3e6] {
            let wall = |k: u32| {
                let x = [0.0, far, -far, far / 3.0, far * 0.7][k as usize % 5];
                [x, 3.0 * (k / 5) as f32, x + 0.01 * far, 3.0 * (k / 5) as f32 + 1.0, 0.0]
            };
            let mut walls: Vec<[f32; 5]> = (0..2000).map(wall).collect();
            let [ax, ay, bx, by, _] = walls[1701];
            walls.push([ax / 2.0 + bx / 2.0, ay / 2.0 + by / 2.0, ax, ay + 1.5, 0.0]);
            assert_eq!(tees(&walls), [1701], "{far}");
        }
    }

    #[test]
    fn all_scales_and_many_at_once() {
        for scale in [1e-38f32, 1e-20, 1.0, 1e20, 1e37] {
            let walls = [[-9.0, -9.0, 9.0, 9.0, 0.0], [-9.0, 9.0, 9.0, -9.0, 0.0], [0.0, 0.0, 3.0, 5.0, 0.0]];
            assert_eq!(tees(&walls.map(|wall| wall.map(|v: f32| v * scale))), [0, 1], "{scale}");
        }
        // One far wall widens nobody's tolerance.
        let far = [1e30, 1e30, 2e30, 1e30, 0.0];
        assert_eq!(tees(&[far, [-9.0, 0.0, 9.0, 0.0, 0.0], [3.0, 1e-5, 3.0, 5.0, 0.0]]), [0; 0]);
        assert_eq!(tees(&[far, [-9.0, 0.0, 9.0, 0.0, 0.0], [3.0, 1e-6, 3.0, 5.0, 0.0]]), [1]);
    }
}
