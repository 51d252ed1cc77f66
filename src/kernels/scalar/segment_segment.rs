//! Segment against segment, one pair at a time. The contract is the head of [`crate::kernels::segment_segment`].

use crate::kernels::line::Line;
use crate::kernels::segment_segment::{Bounds, Boxes, CROSS_BOUND, Crossing, Ends, QUOTIENT_BOUND, ROOM, Verdict};
use crate::kernels::{LANES, Pairs, SUM_BOUND, TINY, Writer};
use std::cmp::Ordering;
use std::ops::Range;

/// The boxes among a few rows that meet the query, as bits.
pub(crate) fn mask(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        if meets(boxes, query, start + k) {
            mask |= 1 << k;
        }
    }
    mask
}

/// Those of them that the line may meet.
pub(crate) fn line_mask(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32 {
    let mut mask = mask(boxes, query, start, count);
    for k in 0..LANES as u32 {
        if mask >> k & 1 == 1 && passes_by(line, boxes.row(start + k)) {
            mask &= !(1 << k);
        }
    }
    mask
}

fn passes_by(line: &Line, [low_x, low_y, high_x, high_y]: Bounds) -> bool {
    let (mx, my) = ((low_x + high_x) * 0.5 - line.x, (low_y + high_y) * 0.5 - line.y);
    let (hx, hy) = ((high_x - low_x) * 0.5 + line.radius, (high_y - low_y) * 0.5 + line.radius);
    let reach = line.dx.abs() * hy + line.dy.abs() * hx + line.slack;
    (line.dx * my - line.dy * mx).abs() > reach
}

/// The rows among eight whose boxes meet that of one of those from two to seven rows behind.
pub(crate) fn ahead(boxes: Boxes<'_>, start: u32) -> u32 {
    let meets_one = |row: u32| (2..LANES as u32).any(|step| meets(boxes, boxes.row(row), row + step));
    (0..LANES as u32).fold(0, |mask, k| mask | u32::from(meets_one(start + k)) << k)
}

/// The boxes of a run that meet the query.
pub(crate) fn run(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
    for other in run {
        if meets(boxes, query, other) {
            out.push(row, other);
        }
    }
}

fn meets(boxes: Boxes<'_>, [low_x, low_y, high_x, high_y]: Bounds, row: u32) -> bool {
    let j = row as usize;
    boxes.low_x[j] <= high_x && low_x <= boxes.high_x[j] && boxes.low_y[j] <= high_y && low_y <= boxes.high_y[j]
}

/// One verdict a pair, and the values of those that cross.
pub(crate) fn verdicts(a: &[Ends], b: &[Ends], pairs: &Pairs, out: &mut [Verdict], crossings: &mut [Crossing]) {
    let (first, second) = pairs.rows();
    for ((&i, &j), (out, crossing)) in first.iter().zip(second).zip(out.iter_mut().zip(crossings)) {
        let (a, b) = (a[i as usize], b[j as usize]);
        let ([ax, ay, bx, by], [cx, cy, dx, dy]) = (a, b);
        *out = judge([[ax, ay], [bx, by]], [[cx, cy], [dx, dy]]);
        if *out == Verdict::CROSS {
            *crossing = values(a.map(f64::from), b.map(f64::from));
        }
    }
}

/// The verdicts of eight rows, each with the row behind it.
pub(crate) fn chain([x0, y0, x1, y1]: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES] {
    let ends = |k: usize| [[x0[k], y0[k]], [x1[k], y1[k]]];
    std::array::from_fn(|k| judge(ends(k), ends(k + 1)))
}

fn judge(a: [[f32; 2]; 2], b: [[f32; 2]; 2]) -> Verdict {
    if a[0] == a[1] || b[0] == b[1] {
        return Verdict::OPEN;
    }
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if a[i] == b[j] {
            return joint(a[i], a[1 - i], b[1 - j], Verdict::touch(i == 1, j == 1));
        }
    }
    let (start_of_b, end_of_b) = (side(a[0], a[1], b[0]), side(a[0], a[1], b[1]));
    let (start_of_a, end_of_a) = (side(b[0], b[1], a[0]), side(b[0], b[1], a[1]));
    let same = |s: Option<Ordering>, e: Option<Ordering>| s.is_some() && s == e;
    if same(start_of_b, end_of_b) || same(start_of_a, end_of_a) {
        return Verdict::APART;
    }
    if [start_of_b, end_of_b, start_of_a, end_of_a].iter().all(Option::is_some) {
        return Verdict::CROSS;
    }
    Verdict::OPEN
}

/// Segments from `p` to `q` and to `r`.
fn joint(p: [f32; 2], q: [f32; 2], r: [f32; 2], touch: Verdict) -> Verdict {
    // Signs of differences are exact; so comparing them compares positions.
    let differ = |axis: usize| p[axis].partial_cmp(&q[axis]) != p[axis].partial_cmp(&r[axis]);
    if differ(0) || differ(1) || side(p, q, r).is_some() { touch } else { Verdict::OPEN }
}

/// On which side of the line from `p` to `q` the point `r` surely is.
fn side(p: [f32; 2], q: [f32; 2], r: [f32; 2]) -> Option<Ordering> {
    let left = (q[0] - p[0]) * (r[1] - p[1]);
    let right = (q[1] - p[1]) * (r[0] - p[0]);
    let d = left - right;
    let bound = (left.abs() + right.abs()) * SUM_BOUND + TINY;
    if d > bound {
        Some(Ordering::Greater)
    } else if d < 0.0 - bound {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// The values of a crossing.
fn values([ax, ay, ax1, ay1]: [f64; 4], [bx, by, bx1, by1]: [f64; 4]) -> Crossing {
    let (r, s, w) = ([ax1 - ax, ay1 - ay], [bx1 - bx, by1 - by], [bx - ax, by - ay]);
    let (d, sum) = cross(r, s);
    let (n_t, sum_t) = cross(w, s);
    let (n_u, sum_u) = cross(w, r);
    let inverse = 1.0 / d;
    let (t, u) = (n_t * inverse, n_u * inverse);
    let scale = inverse.abs() * (2.0 * CROSS_BOUND);
    let off = |v: f64, sum_v: f64| (sum_v + v.abs() * sum) * scale + v.abs() * QUOTIENT_BOUND;
    let (off_t, off_u) = (off(t, sum_t), off(u, sum_u));
    let coordinate = |from: f64, way: f64| {
        let step = t * way;
        let value = from + step;
        round(value, off_t * way.abs() * ROOM + (step.abs() + value.abs()) * QUOTIENT_BOUND)
    };
    let (x, sure_x) = coordinate(ax, r[0]);
    let (y, sure_y) = coordinate(ay, r[1]);
    let (t, sure_t) = round(t, off_t);
    let (u, sure_u) = round(u, off_u);
    let sure = sum * CROSS_BOUND <= d.abs() * 0.25 && sure_x && sure_y && sure_t && sure_u;
    Crossing { x, y, t, u, sure }
}

/// The cross product, and the sum of the absolute values of its two products.
fn cross(p: [f64; 2], q: [f64; 2]) -> (f64, f64) {
    let (left, right) = (p[0] * q[1], p[1] * q[0]);
    (left - right, left.abs() + right.abs())
}

/// The nearest `f32`, without -0, and whether it is that of all that is not further than `off`.
fn round(value: f64, off: f64) -> (f32, bool) {
    let (low, high) = ((value - off) as f32, (value + off) as f32);
    (low + 0.0, low == high)
}
