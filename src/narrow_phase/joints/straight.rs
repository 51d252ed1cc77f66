//! Which pieces of a polyline are straight.
//!
//! Comes in: the vertices of a polyline, in order. Goes out: the ranges of vertices, three at least, that lie on one line: all inner ones
//! within three units in the last place of the line between the first and the last (measured in the largest coordinate of the range), each
//! behind the other along it. This room does not know walls.
//!
//! Method: cut where a vertex is off the line of its two neighbours by more than vertices of one line can be; then as Douglas and Peucker
//! (1973), split at the vertex that is farthest from the line of the ends; then join again what is straight together, since a split may
//! fall into the middle of a straight piece that runs along the line of the ends. Each range is looked at from the lexicographically
//! smaller of its ends, so a reversed polyline has the same ranges. Reading is bounded by a constant times the vertices: what is then still
//! open is left in pieces.

use super::{before, largest, ulp};
use crate::exact::{P, side_along};
use std::cmp::Ordering;

/// In units of the last place: cuts rounded from `f64` are off by 0.7, those made by interpolation in `f32` by 2.7.
const TOLERANCE: f64 = 3.0;
/// Neighbours on one line within the tolerance are this far from each other's at most, and some.
const LOCAL: f64 = 2.0 * TOLERANCE + 1.0;
/// So often, in the mean, a vertex may be looked at.
const LOOKS: usize = 64;

type V = [f64; 2];

fn less(p: P, q: P) -> V {
    [f64::from(p[0]) - f64::from(q[0]), f64::from(p[1]) - f64::from(q[1])]
}

fn length(v: V) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

fn cross(v: V, w: V) -> f64 {
    (v[0] * w[1] - v[1] * w[0]).abs()
}

/// Appends the straight ranges, as first and last vertex, ascending. `points` has two at least, neighbours are not equal.
pub(super) fn ranges(points: &[P], out: &mut Vec<[usize; 2]>) {
    let most = LOCAL * ulp(largest(points));
    let corner = |at: usize| {
        let (d, w) = (less(points[at + 1], points[at - 1]), less(points[at], points[at - 1]));
        let forth = d[0] * w[0] + d[1] * w[1] > 0.0;
        !forth || cross(d, w) > most * length(d)
    };
    let last = points.len() - 1;
    let mut budget = LOOKS * points.len();
    let mut first = 0;
    for at in 1..=last {
        if at == last || corner(at) {
            if at - first > 1 {
                of_run(points, [first, at], &mut budget, out);
            }
            first = at;
        }
    }
}

/// Whether the start is a corner for certain when the polyline is closed: see [`ranges`].
pub(super) fn is_corner([before, at, after]: [P; 3], most: f64) -> bool {
    let (d, w) = (less(after, before), less(at, before));
    d[0] * w[0] + d[1] * w[1] <= 0.0 || cross(d, w) > LOCAL * most * length(d)
}

/// The same between two corners.
fn of_run(points: &[P], run: [usize; 2], budget: &mut usize, out: &mut Vec<[usize; 2]>) {
    let (mut stack, mut pieces) = (vec![run], Vec::<[usize; 2]>::new());
    let spend = |budget: &mut usize, [i, j]: [usize; 2]| {
        let left = *budget >= j - i;
        *budget = budget.saturating_sub(j - i);
        left
    };
    while let Some([i, j]) = stack.pop() {
        match if j - i < 2 { Ok(()) } else { straight(points, [i, j]) } {
            Ok(()) => pieces.push([i, j]),
            Err(at) if spend(budget, [i, j]) => stack.extend([[at, j], [i, at]]),
            Err(_) => pieces.extend((i..j).map(|k| [k, k + 1])),
        }
    }
    let mut joined: Vec<[usize; 2]> = Vec::new();
    for piece in pieces {
        joined.push(piece);
        while let [.., [i, _], [_, j]] = joined[..] {
            if !(spend(budget, [i, j]) && straight(points, [i, j]).is_ok()) {
                break;
            }
            joined.truncate(joined.len() - 2);
            joined.push([i, j]);
        }
    }
    out.extend(joined.into_iter().filter(|[i, j]| j - i > 1));
}

/// Whether a range is straight; if not, where it is to be split.
fn straight(points: &[P], [i, j]: [usize; 2]) -> Result<(), usize> {
    let (base, tip) = if before(points[j], points[i]) { (points[j], points[i]) } else { (points[i], points[j]) };
    let d = less(tip, base);
    let (far, most) = (length(d), TOLERANCE * ulp(largest(&points[i..=j])));
    let off = |at: usize| {
        let w = less(points[at], base);
        if far > 0.0 { cross(d, w) / far } else { length(w) }
    };
    let (mut worst, mut at) = (0.0, i + 1);
    for k in i + 1..j {
        let off = off(k);
        // Of two that are as far, the smaller: so it is the same one backwards.
        if off > worst || (off == worst && before(points[k], points[at])) {
            (worst, at) = (off, k);
        }
    }
    if worst > most || far == 0.0 {
        return Err(at);
    }
    let forth = |k: &usize| side_along(points[*k + 1], points[*k], points[i], points[j]) == Ordering::Greater;
    (i..j).find(|k| !forth(k)).map_or(Ok(()), |k| Err(if k > i { k } else { i + 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[P]) -> Vec<[usize; 2]> {
        let mut out = Vec::new();
        ranges(points, &mut out);
        // Backwards it is the same.
        let (last, reversed): (_, Vec<P>) = (points.len() - 1, points.iter().rev().copied().collect());
        let mut back = Vec::new();
        ranges(&reversed, &mut back);
        back.reverse();
        assert_eq!(out, back.iter().map(|[i, j]| [last - j, last - i]).collect::<Vec<_>>());
        out
    }

    fn cut(a: [f64; 2], b: [f64; 2], k: usize) -> Vec<P> {
        let at = |t: f64, axis: usize| (a[axis] + (b[axis] - a[axis]) * t) as f32;
        (0..=k).map(|i| [at(i as f64 / k as f64, 0), at(i as f64 / k as f64, 1)]).collect()
    }

    #[test]
    fn rounded_cuts_are_straight_and_corners_part_them() {
        assert_eq!(of(&cut([0.3, 0.7], [911.1, 347.7], 1000)), [[0, 1000]]);
        // A corner of a hundredth, at vertex 40.
        let mut points = cut([0.0, 0.0], [40.0, 0.0], 40);
        points.extend(&cut([40.0, 0.0], [100.0, 0.6], 60)[1..]);
        assert_eq!(of(&points), [[0, 40], [40, 100]]);
        // One more vertex, off by 4 and by 2 units in the last place of 64 to 128, 2^-17.
        for (units, ranges) in [(2.0f32, vec![[0, 2]]), (4.0, vec![])] {
            assert_eq!(of(&[[0.0, 0.0], [30.0, units / 131_072.0], [100.0, 0.0]]), ranges);
        }
    }

    #[test]
    fn a_straight_piece_along_the_line_of_the_ends_is_not_split() {
        // Up by 2^-10, along, and down: corners that neighbours do not see, since pieces are short beside it.
        let rise = 1.0 / 1024.0;
        let mut points = cut([0.0, 0.0], [100.0, rise], 400);
        points.extend(&cut([100.0, rise], [300.0, rise], 800)[1..]);
        points.extend(&cut([300.0, rise], [400.0, 0.0], 400)[1..]);
        let ranges = of(&points);
        assert!(ranges.contains(&[400, 1200]), "{ranges:?}");
    }

    #[test]
    fn what_folds_back_is_not_straight() {
        let unit = 1.0 / 131_072.0;
        assert_eq!(of(&[[0.0, 0.0], [100.0, 0.0], [50.0, 0.0], [120.0, 0.0]]), [[0usize; 2]; 0]);
        assert_eq!(of(&[[0.0, 0.0], [100.0, 0.0], [100.0 - unit, 0.0], [120.0, 0.0]]), [[0usize; 2]; 0]);
        assert_eq!(of(&[[0.0, 0.0], [100.0, 0.0], [0.0, 0.0]]), [[0usize; 2]; 0]);
    }

    #[test]
    fn looks_are_bounded() {
        // A spiral whose bends no neighbour sees: whatever comes out, it comes out soon.
        let point = |k: f64| {
            let (r, a) = (1.0 + k * 1e-6, k * 1e-4);
            [(r * a.cos()) as f32, (r * a.sin()) as f32]
        };
        let points: Vec<P> = (0..200_000).map(|k| point(f64::from(k))).collect();
        let mut out = Vec::new();
        ranges(&points, &mut out);
        assert!(out.iter().all(|[i, j]| straight(&points, [*i, *j]).is_ok()));
    }
}
