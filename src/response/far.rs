//! Who goes far in a step.
//!
//! Comes in: columns of where circles were and where they come to, radii. Goes out: rows, ascending. This room does not know walls. Cost: a
//! fraction of a nanosecond a circle.

use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};

/// Rows that are looked at together.
const BLOCK: usize = 64;

/// The rows of those who go further than 0.35 of their radius on either axis. Below that a way is shorter than half of the radius.
pub(super) fn each_far(
    (x0, y0): (&[f32], &[f32]),
    (x1, y1): (&[f32], &[f32]),
    radius: &[f32],
    mut visit: impl FnMut(usize),
) {
    // No kernels are needed, only the code compiled for what the machine has. Most often nobody goes far.
    let (set, rows) = (InstructionSet::best(), radius.len());
    let next = |at| dispatch(Backend::Wide, set, FirstFar { from: [x0, y0], to: [x1, y1], radius, at });
    let mut at = next(0);
    while at < rows {
        let end = std::cmp::min(at + BLOCK, rows);
        for row in at..end {
            if is_far(x0[row], x1[row], radius[row]) | is_far(y0[row], y1[row], radius[row]) {
                visit(row);
            }
        }
        at = next(end);
    }
}

/// From a row on, block by block: where the first block with somebody in it begins who goes far; how many rows there are, if there is none.
struct FirstFar<'a> {
    from: [&'a [f32]; 2],
    to: [&'a [f32]; 2],
    radius: &'a [f32],
    at: usize,
}

impl Operation for FirstFar<'_> {
    const AVX512: bool = true;
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let FirstFar { from: [x0, y0], to: [x1, y1], radius, at } = self;
        let rows = radius.len();
        let from = x0[at..rows].chunks(BLOCK).zip(y0[at..rows].chunks(BLOCK));
        let to = x1[at..rows].chunks(BLOCK).zip(y1[at..rows].chunks(BLOCK));
        for (k, (((x0, y0), (x1, y1)), r)) in from.zip(to).zip(radius[at..].chunks(BLOCK)).enumerate() {
            // Without a branch, for lanes.
            let ways = x0.iter().zip(x1).zip(y0.iter().zip(y1)).zip(r);
            let mut any = 0;
            for (((&x0, &x1), (&y0, &y1)), &r) in ways {
                any |= u32::from(is_far(x0, x1, r) | is_far(y0, y1, r));
            }
            if any != 0 {
                return at + k * BLOCK;
            }
        }
        rows
    }
}

/// He goes further than 0.35 of his radius on this axis.
#[inline(always)]
fn is_far(from: f32, to: f32, radius: f32) -> bool {
    (to - from).abs() > 0.35 * radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_who_goes_far_is_visited_in_order() {
        // Block ends, the last row, both axes, both ways; 0.6875 is less than 0.35 radii, 0.75 is more.
        let rows = 3 * BLOCK + 5;
        let far = [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 7, rows - 1];
        for used in 0..=far.len() {
            let (from, radius) = (vec![1.0f32; rows], vec![2.0f32; rows]);
            let (mut x, mut y) = (from.clone(), from.clone());
            x[3 * BLOCK] = 1.6875;
            for (k, &row) in far[..used].iter().enumerate() {
                if k % 2 == 0 { x[row] = 1.75 } else { y[row] = 0.25 }
            }
            let mut seen = Vec::new();
            each_far((&from, &from), (&x, &y), &radius, |row| seen.push(row));
            assert_eq!(seen, far[..used]);
        }
        each_far((&[], &[]), (&[], &[]), &[], |row| panic!("row {row} of none"));
    }
}
