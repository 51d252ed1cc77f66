//! What of a segment can matter to the positions in a box, wherever it is.
//!
//! Comes in: a segment, how near to it positions matter, a box around all of them, their map. Goes out: that none does, or the part of the segment
//! that may be near enough to the box, and the cells about that part. A [`walk`] cannot follow what goes further out than indices are linear;
//! most of that is apart from everybody, and in a boxed map all of it is that is not near the box. This room does not know what the positions
//! are, nor who looks.
//!
//! *Why nothing is lost.* Where a side of the box, moved out by the reach, is crossed is computed in double precision from numbers of single
//! precision: what is lost on the way, and in the point that comes out, is some 2^-53 of the largest number there is, of a coordinate or the reach.
//! [`ROUNDING`] is far more, and the box is wider by it and the part too. Its ends are rounded to single precision, by 2^-24 of what lies at the box.
//!
//! *Cost*: four divisions.

use super::cell_map::CellMap;
use super::plan::Level;
use super::walk::{walk, walk_folded};

/// Of the largest number.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;
/// Twice what the nearest number of single precision is off by.
const SINGLE: f64 = 1.0 / (1u64 << 23) as f64;

/// Of so many keys of a torus one may be met by what winds around it.
pub(crate) const MET: u32 = 8;

/// Part of a segment, and how far from one of its points on either axis a position may matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) ends: [[f32; 2]; 2],
    pub(crate) reach: f32,
}

impl Part {
    /// What may be within `reach` of the box between these corners, on both axes; none if all of it surely is not. The largest reach there is may stand
    /// for a larger one.
    pub(crate) fn within([low, high]: [[f64; 2]; 2], ends: [[f32; 2]; 2], reach: f32) -> Option<Part> {
        if reach >= f32::MAX {
            return Some(Part { ends, reach });
        }
        let [a, b] = ends.map(|p| p.map(f64::from));
        let largest = |of: &[[f64; 2]]| {
            of.as_flattened().iter().fold(0.0, |most: f64, v| if v.abs() > most { v.abs() } else { most })
        };
        let (at_box, reach64) = (largest(&[low, high]), f64::from(reach));
        let grow = reach64 + (at_box + largest(&[a, b]) + reach64) * ROUNDING;
        let (mut from, mut to) = (0.0, 1.0);
        for axis in 0..2 {
            let (low, high) = (low[axis] - grow - a[axis], high[axis] + grow - a[axis]);
            let way = b[axis] - a[axis];
            if way == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (first, last) = if way > 0.0 { (low / way, high / way) } else { (high / way, low / way) };
            from = if first > from { first } else { from };
            to = if last < to { last } else { to };
        }
        if from > to {
            return None;
        }
        if from == 0.0 && to == 1.0 {
            return Some(Part { ends, reach });
        }
        let on = |t: f64| [0, 1].map(|axis| (a[axis] + t * (b[axis] - a[axis])) as f32);
        let first = if from > 0.0 { on(from) } else { ends[0] };
        let last = if to < 1.0 { on(to) } else { ends[1] };
        Some(Part { ends: [first, last], reach: ((grow + (at_box + grow) * SINGLE) as f32).next_up() })
    }
}

impl Level {
    /// What of a segment may be within `reach` of a position in it, on both axes; none if all surely is not.
    pub(crate) fn part(&self, ends: [[f32; 2]; 2], reach: f32) -> Option<Part> {
        Part::within(self.extent().map(|corner| corner.map(f64::from)), ends, reach)
    }
}

/// Nothing in a boxed map, which is for circles, is within `reach` of the segment.
pub(super) fn is_apart(map: &CellMap, ends: [[f32; 2]; 2], reach: f32) -> bool {
    map.around().is_some_and(|around| Part::within(around, ends, reach).is_none())
}

/// [`walk`] along a part; where indices are not linear, the cells of its box, in the same order. False: all positions have to be looked at, and what
/// was emitted is to be dropped.
#[inline]
pub(crate) fn walk_part(map: &CellMap, part: Part, most_rows: u32, mut emit: impl FnMut(i32, i32, i32)) -> bool {
    let Part { ends, reach } = part;
    if reach >= f32::MAX {
        return false;
    }
    if walk(map, ends, reach, reach, most_rows, &mut emit) {
        return true;
    }
    // If keys of the box come but once, so do those of fewer cells in each row: the walk has failed before it emitted anything.
    let Some([[first, last], [row0, row1]]) = cells_of_box(map, part, most_rows) else { return false };
    (row0..=row1).for_each(|row| emit(row, first, last));
    true
}

/// [`walk_part`] along a part that is too long for a torus, so that keys may come several times: whoever makes runs of them has to join those that meet.
/// Most keys are not among them. False: they would be, or it is too far out; what was emitted is to be dropped.
pub(crate) fn walk_wound(map: &CellMap, part: Part, most_rows: u32, mut emit: impl FnMut(i32, i32, i32)) -> bool {
    let Part { ends, reach } = part;
    if !map.is_torus() || reach >= f32::MAX {
        return false;
    }
    let (ends, mut room) = (ends.map(|p| p.map(f64::from)), i64::from(map.cells() / MET));
    let walked = walk_folded(map, ends, reach, reach, most_rows, |row, first, last| {
        room -= i64::from(last - first) + 1;
        if room >= 0 {
            emit(row, first, last);
        }
    });
    walked && room >= 0
}

/// Columns and rows of the cells about the box of a part, if no key among them comes twice.
fn cells_of_box(map: &CellMap, Part { ends: [a, b], reach }: Part, most_rows: u32) -> Option<[[i32; 2]; 2]> {
    let length = map.scale_length(reach);
    let [columns, rows] = [0, 1].map(|axis| {
        let (low, high) = if a[axis] < b[axis] { (a[axis], b[axis]) } else { (b[axis], a[axis]) };
        let end = |v: f32| map.span(map.scale(v, axis), length, axis);
        [end(low).0, end(high).1]
    });
    let [wide, tall] = [columns, rows].map(|[first, last]| (last - first) as u64 + 1);
    let stride = u64::from(map.stride());
    let is_once = !map.is_torus() || wide < stride && (tall + 1) * stride <= u64::from(map.cells());
    (is_once && tall <= u64::from(most_rows)).then_some([columns, rows])
}

#[cfg(test)]
mod tests {
    use super::super::drawn::range;
    use super::super::{Blocks, Grid, Policy, Walls};
    use super::*;
    use crate::geometry::Capsules;
    use crate::kernels::InstructionSet;
    use crate::parallel::Split;
    use std::collections::HashSet;

    /// Some point of the segment is within `reach` of `p` on both axes: of all these integers it is asked when that begins and when it ends, as fractions.
    fn is_near([a, b]: [[f32; 2]; 2], p: [f32; 2], reach: f32) -> bool {
        let (mut from, mut to) = ((0, 1), (1, 1));
        let before = |x: (i128, i128), y: (i128, i128)| x.0 * y.1 < y.0 * x.1;
        for axis in 0..2 {
            let [a, b, p, reach] = [a[axis], b[axis], p[axis], reach].map(|v| v as i128);
            let (low, high, way) = (p - reach - a, p + reach - a, b - a);
            if way == 0 {
                if low > 0 || high < 0 {
                    return false;
                }
                continue;
            }
            let (first, last) = if way > 0 { ((low, way), (high, way)) } else { ((-high, -way), (-low, -way)) };
            from = if before(from, first) { first } else { from };
            to = if before(last, to) { last } else { to };
        }
        !before(to, from)
    }

    #[test]
    fn what_may_matter_is_kept_and_nothing_beyond() {
        let (mut g, mut near, mut apart, mut cut) = (3, 0, 0, 0);
        for case in 0..60_000 {
            let middle = [0.0, 65_536.0, -2e6][case % 3];
            let mut whole = |a: f64, b: f64| range(&mut g, a, b).round() as f32;
            let low = [whole(-90.0, 10.0) + middle as f32, whole(-90.0, 10.0)];
            let high = [low[0] + whole(0.0, 99.0), low[1] + whole(0.0, 99.0)];
            let (p, reach) = ([0, 1].map(|k| whole(f64::from(low[k]), f64::from(high[k]))), whole(0.0, 30.0));
            // Ends up to 2^39 away; p is about in the middle, or the segment is level or upright, or a point.
            let far = (whole(3.0, 40.0)).exp2();
            let a = [whole(-1.0, 1.0) * far + whole(-99.0, 99.0), whole(-40.0, 40.0) / 32.0 * far].map(f32::round);
            let mut b = [0, 1].map(|k| (p[k] * 2.0 - a[k] + whole(-99.0, 99.0)).round());
            match case % 7 {
                0 => b[0] = a[0],
                1 => b[1] = a[1],
                2 => b = a,
                _ => {}
            }
            let part = Part::within([low, high].map(|v| v.map(f64::from)), [a, b], reach);
            let is = is_near([a, b], p, reach);
            assert!(part.is_some() || !is, "{a:?} {b:?} {p:?} {reach}");
            near += usize::from(is);
            let Some(part) = part else {
                apart += 1;
                continue;
            };
            cut += usize::from(part.ends != [a, b]);
            // What is left is not further from the box than that, and as much again as is added for what is rounded; and as near as all of it: in double
            // precision, of numbers up to 2^22.
            let (reach, added) = (f64::from(part.reach), f64::from(part.reach) - f64::from(reach));
            for axis in 0..2 {
                let ends = part.ends.map(|end| f64::from(end[axis]));
                let [low, high] = [f64::from(low[axis]) - reach - added, f64::from(high[axis]) + reach + added];
                assert!(ends.iter().all(|&v| low <= v && v <= high), "{a:?} {b:?} {part:?}");
            }
            let [a, b, p] = [part.ends[0], part.ends[1], p].map(|p| p.map(f64::from));
            let (mut from, mut to) = (0.0f64, 1.0f64);
            for axis in 0..2 {
                let (low, high, way) = (p[axis] - reach - a[axis], p[axis] + reach - a[axis], b[axis] - a[axis]);
                if way != 0.0 {
                    from = from.max((low / way).min(high / way));
                    to = to.min((low / way).max(high / way));
                } else {
                    assert!(!is || low <= 1e-9 && high >= -1e-9, "{part:?} {p:?}");
                }
            }
            assert!(!is || from <= to + 1e-12, "{part:?} {p:?}: {from} {to}");
        }
        assert!(near > 10_000 && apart > 5_000 && cut > 10_000, "{near} {apart} {cut}");
        let all = Part { ends: [[1e30, 0.0], [2e30, 0.0]], reach: f32::MAX };
        assert_eq!(Part::within([[0.0; 2]; 2], all.ends, all.reach), Some(all));
    }

    /// Of walls of all lengths through a boxed map, and of short ones wherever they are on a torus.
    #[test]
    fn cells_about_a_part_hold_what_is_near_it() {
        let mut g = 5;
        let maps = [
            CellMap::boxed([-20.0, -20.0], 0.9, 45, 45),
            CellMap::torus([0.0; 2], 0.9, 1 << 14),
            CellMap::torus([6.4e6; 2], 0.9, 1 << 14),
        ];
        for (k, map) in maps.iter().enumerate() {
            let (mut walked, mut asked) = (0, 0);
            for case in 0..4000 {
                let reach = range(&mut g, 0.0, 3.0) as f32;
                let far = 10f64.powf(range(&mut g, 0.0, [9.0, 7.0, 7.0][k]));
                let (a, b) = if k == 0 {
                    // Through a place in it.
                    let (x, y) = (range(&mut g, -20.0, 20.0), range(&mut g, -20.0, 20.0));
                    let (dx, dy) = (range(&mut g, -far, far), range(&mut g, -far, far) * f64::from(case % 3 - 1));
                    ([(x - dx) as f32, (y - dy) as f32], [(x + dx) as f32, (y + dy) as f32])
                } else {
                    let a = map.origin().map(|v| f64::from(v) + range(&mut g, -far, far));
                    (a.map(|v| v as f32), a.map(|v| (v + range(&mut g, -6.0, 6.0)) as f32))
                };
                let part = match map.around() {
                    Some(around) => Part::within(around, [a, b], reach),
                    None => Some(Part { ends: [a, b], reach }),
                };
                // It goes past where its ends are rounded by more than the box is wide.
                let Some(part) = part else { continue };
                let (mut cells, mut keys) = (HashSet::new(), HashSet::new());
                let ok = walk_part(map, part, 1024, |row, first, last| {
                    for column in first..=last {
                        assert!(cells.insert((column, row)) && keys.insert(map.key_of(column, row)), "{part:?}");
                    }
                });
                assert!(ok, "{part:?}");
                walked += usize::from(walk(map, [a, b], reach, reach, 1024, |_, _, _| {}));
                let [a, b] = part.ends.map(|p| p.map(f64::from));
                for _ in 0..30 {
                    let t = range(&mut g, 0.0, 1.0);
                    let on = [0, 1].map(|axis| a[axis] + t * (b[axis] - a[axis]));
                    let p = on.map(|v| (v + range(&mut g, -1.0, 1.0) * f64::from(reach)) as f32);
                    // Single precision may have carried it away; nothing is binned outside of a box.
                    let off = (0..2).any(|axis| (f64::from(p[axis]) - on[axis]).abs() > f64::from(reach));
                    if off || k == 0 && p.iter().any(|v| v.abs() > 20.0) {
                        continue;
                    }
                    asked += 1;
                    let cell = (map.index(map.scale(p[0], 0), 0), map.index(map.scale(p[1], 1), 1));
                    assert!(cells.contains(&cell), "{part:?} {p:?} {cell:?}");
                }
            }
            assert!((1500..3600).contains(&walked) && asked > 15_000, "{k}: {walked} {asked}");
        }
    }

    /// Three thousand circles of radius 0.5 in a town of 60 by 50, or every third one in another town; walls one by one: which are listed, and how many
    /// circles those that are long are held against.
    #[test]
    fn a_wall_far_out_is_held_against_whom_it_may_touch() {
        let other = 4e5f32;
        let check = |towns: usize, wall: [f32; 4], listed: [usize; 2], most: usize| {
            let place = |k: usize| if towns == 2 && k.is_multiple_of(3) { other } else { 0.0 };
            let x: Vec<f32> = (0..3000).map(|k| place(k) + (k % 60) as f32).collect();
            let y: Vec<f32> = (0..3000).map(|k| (k / 60) as f32 * 1.01).collect();
            let mut grid = Grid::default();
            grid.bin(&x, &y, &[0.5; 3000], Policy::CIRCLES, None, Split::SERIAL);
            let [level] = grid.levels() else { panic!("one level") };
            assert_eq!(level.map.is_torus(), towns == 2);
            let [x0, y0, x1, y1] = wall.map(|v| [v]);
            let segments = Capsules { x0: &x0, y0: &y0, x1: &x1, y1: &y1, radius: &[0.25] };
            let (mut walls, mut blocks, mut runs) = (Walls::default(), Blocks::default(), vec![]);
            walls.build(&grid, segments, 0..1, true);
            let some = [walls.intervals().len(), walls.long().len()].map(|count| count.min(1));
            assert_eq!(some, listed, "{towns}: {wall:?}");
            blocks.build(&grid, level.rows.clone(), (InstructionSet::best(), Split::SERIAL));
            blocks.near((&grid, level), segments.ends(0), 0.25, &mut runs);
            assert!(runs.is_sorted_by(|a, b| a.end <= b.start || b.is_empty()), "{runs:?}");
            let held: Vec<u32> = runs.into_iter().flatten().collect();
            assert!(held.len() <= most, "{towns}: {wall:?}: {}", held.len());
            // Who is within 0.75 of the box of a short wall, or of a level one.
            for (row, &from) in grid.order().iter().enumerate() {
                let (x, y) = (x[from as usize], y[from as usize]);
                let is_near = x0[0] - 0.75 <= x && x <= x1[0] + 0.75 && y0[0] - 0.75 <= y && y <= y1[0] + 0.75;
                assert!(!is_near || held.contains(&(row as u32)), "{towns}: {wall:?}: {x} {y}");
            }
        };
        // At home both are listed by their cells.
        check(1, [20.0, 20.0, 21.0, 20.0], [1, 0], 3000);
        check(2, [20.0, 20.0, 21.0, 20.0], [1, 0], 3000);
        // Far out, past the town or above it, short, long, or too far out for any cell: in a boxed map nobody knows of it.
        check(1, [other, 20.0, other + 1.0, 20.0], [0, 0], 0);
        check(1, [-other, 90.0, other, 90.0], [0, 0], 0);
        check(1, [1e30, -1e30, 1.01e30, 1e30], [0, 0], 0);
        // Through it: some rows of cells, of fifty.
        check(1, [-other, 20.0, other, 20.0], [0, 1], 400);
        // Of two towns one is too far out to be walked.
        let there = |x: f32, y: f32, most: usize| {
            check(2, [other + x, y, other + x + 1.0, y], [0, 1], most);
            check(2, [x, y, x + 1.0, y], [1, 0], 3000);
        };
        there(20.0, 20.0, 100);
        there(59.0, 49.0, 100);
        // Above both, between them, and beyond the second.
        check(2, [other, 90.0, other + 1.0, 90.0], [0, 1], 0);
        check(2, [other * 0.9, 20.0, other * 0.9 + 1.0, 20.0], [0, 1], 100);
        check(2, [other * 2.0, 20.0, other * 2.0 + 1.0, 20.0], [0, 1], 0);
    }
}
