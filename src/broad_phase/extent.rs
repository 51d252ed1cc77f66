//! How far positions reach, and how large the largest body is.
//!
//! Comes in: columns. Goes out: least and largest coordinates, the largest size. This room does not know cells.

use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;

/// The extent of a set of positions and its largest size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    pub(super) size: f32,
    /// The least size; only where the extent is that of all.
    pub(super) least: f32,
    pub(super) count: usize,
}

impl Extent {
    pub(super) const EMPTY: Extent =
        Extent { low: [f32::MAX; 2], high: [-f32::MAX; 2], size: 0.0, least: 0.0, count: 0 };

    pub(super) fn of([x, y, size]: [&[f32]; 3], set: InstructionSet, split: Split) -> Extent {
        let ends = |column| dispatch(Backend::Wide, set, Ends(column));
        let ([left, right], ([bottom, top], [least, size])) =
            split.join(|| ends(x), || split.join(|| ends(y), || ends(size)));
        Extent { low: [left, bottom], high: [right, top], size, least, count: x.len() }
    }

    /// Of those that are not above `limit`; its count is left open.
    pub(super) fn of_finest(x: &[f32], y: &[f32], size: &[f32], limit: f32) -> Extent {
        const L: usize = 8;
        let mut of = [[f32::MAX; L], [f32::MAX; L], [-f32::MAX; L], [-f32::MAX; L], [0.0; L]];
        let mut take = |k: usize, x: f32, y: f32, size: f32| {
            let fine = size <= limit;
            let low = |v: f32, low: f32| if fine & (v < low) { v } else { low };
            let high = |v: f32, high: f32| if fine & (v > high) { v } else { high };
            of[0][k] = low(x, of[0][k]);
            of[1][k] = low(y, of[1][k]);
            of[2][k] = high(x, of[2][k]);
            of[3][k] = high(y, of[3][k]);
            of[4][k] = high(size, of[4][k]);
        };
        let (xs, ys, sizes) = (x.chunks_exact(L), y.chunks_exact(L), size.chunks_exact(L));
        let rest = xs.remainder().iter().zip(ys.remainder()).zip(sizes.remainder());
        for ((&x, &y), &size) in rest {
            take(0, x, y, size);
        }
        for ((x, y), size) in xs.zip(ys).zip(sizes) {
            for k in 0..L {
                take(k, x[k], y[k], size[k]);
            }
        }
        let low = |v: [f32; L]| v.iter().fold(f32::MAX, |a, &b| if b < a { b } else { a });
        let high = |v: [f32; L]| v.iter().fold(-f32::MAX, |a, &b| if b > a { b } else { a });
        Extent { low: [low(of[0]), low(of[1])], high: [high(of[2]), high(of[3])], size: high(of[4]), ..Extent::EMPTY }
    }

    pub(super) fn add(&mut self, x: f32, y: f32, size: f32) {
        self.low = [if x < self.low[0] { x } else { self.low[0] }, if y < self.low[1] { y } else { self.low[1] }];
        self.high = [if x > self.high[0] { x } else { self.high[0] }, if y > self.high[1] { y } else { self.high[1] }];
        self.size = if size > self.size { size } else { self.size };
        self.count += 1;
    }
}

/// [`ends`], compiled for the instruction set of the machine.
struct Ends<'a>(&'a [f32]);

impl Operation for Ends<'_> {
    const AVX512: bool = true;
    type Output = [f32; 2];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [f32; 2] {
        ends(self.0)
    }
}

/// Least and largest of a column, eight at a time so that it becomes vector code.
#[inline(always)]
fn ends(column: &[f32]) -> [f32; 2] {
    let (mut low, mut high) = ([f32::MAX; 8], [-f32::MAX; 8]);
    let eights = column.chunks_exact(8);
    let rest = eights.remainder();
    for eight in eights {
        for k in 0..8 {
            low[k] = if eight[k] < low[k] { eight[k] } else { low[k] };
            high[k] = if eight[k] > high[k] { eight[k] } else { high[k] };
        }
    }
    let mut ends = [f32::MAX, -f32::MAX];
    for (&low, &high) in low.iter().zip(&high).chain(rest.iter().zip(rest)) {
        ends = [if low < ends[0] { low } else { ends[0] }, if high > ends[1] { high } else { ends[1] }];
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_and_the_largest_may_be_anywhere() {
        assert_eq!(ends(&[]), [f32::MAX, -f32::MAX]);
        for count in 1..40usize {
            for at in 0..count {
                // Others from 0 to 0.9.
                let mut column: Vec<f32> = (0..count).map(|k| (k * 7 % 10) as f32 / 10.0).collect();
                column[at] = 3.0;
                column[(at + count / 2) % count] = if count > 1 { -2.0 } else { 3.0 };
                let least = if count > 1 { -2.0 } else { 3.0 };
                assert_eq!(ends(&column), [least, 3.0], "{count} with {at}");
            }
        }
    }
}
