//! Segment against segment, one pair at a time. The contract is the head of [`crate::kernels::segment_segment`].

use crate::kernels::Pairs;
use crate::kernels::segment_segment::{
    Bounds, Boxes, Ends, ORIENTATION_BOUND, ORIENTATION_LEAST, SegmentKernels, Verdict,
};
use std::cmp::Ordering;
use std::ops::Range;

/// The reference text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

impl SegmentKernels for Scalar {
    fn boxes(columns: Boxes<'_>, [low_x, low_y, high_x, high_y]: Bounds, run: Range<u32>, row: u32, out: &mut Pairs) {
        for other in run {
            let j = other as usize;
            if columns.low_x[j] <= high_x
                && low_x <= columns.high_x[j]
                && columns.low_y[j] <= high_y
                && low_y <= columns.high_y[j]
            {
                out.push(row, other);
            }
        }
    }

    fn confirm(a: &[Ends], b: &[Ends], pairs: &Pairs, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        let (first, second) = pairs.rows();
        verdicts.extend(first.iter().zip(second).map(|(&i, &j)| {
            let ([ax, ay, bx, by], [cx, cy, dx, dy]) = (a[i as usize], b[j as usize]);
            judge([[ax, ay], [bx, by]], [[cx, cy], [dx, dy]])
        }));
    }
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
    let bound = (left.abs() + right.abs()) * ORIENTATION_BOUND + ORIENTATION_LEAST;
    if d > bound {
        Some(Ordering::Greater)
    } else if d < -bound {
        Some(Ordering::Less)
    } else {
        None
    }
}
