//! How far positions reach, and how large the largest body is.
//!
//! Comes in: columns. Goes out: least and largest coordinates and sizes, and whether all numbers are finite, which is one look at all
//! of them together. This room does not know cells.

use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;

/// Rows that one thread looks at.
const PIECE: usize = 16_384;

/// The extent of a set of positions and its largest size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    pub(super) size: f32,
    /// The least size; only where the extent is that of all.
    pub(crate) least: f32,
    /// All numbers are; only where the extent is that of all, and nothing else is to be asked of it where they are not.
    pub(crate) is_finite: bool,
    pub(super) count: usize,
}

impl Extent {
    pub(super) const EMPTY: Extent =
        Extent { low: [f32::MAX; 2], high: [-f32::MAX; 2], size: 0.0, least: 0.0, is_finite: true, count: 0 };

    /// Of all.
    pub(crate) fn of(columns: [&[f32]; 3], set: InstructionSet, split: Split) -> Extent {
        let [x, y, size] = of_columns(columns, set, split);
        Extent {
            low: [x.least, y.least],
            high: [x.largest, y.largest],
            size: size.largest,
            least: size.least,
            is_finite: x.is_finite & y.is_finite & size.is_finite,
            count: columns[0].len(),
        }
    }

    /// Of those that are not above `limit`; its count is left open.
    #[inline(always)]
    pub(super) fn of_finest([x, y, size]: [&[f32]; 3], limit: f32) -> Extent {
        let (mut low, mut high) = ([[f32::MAX; WIDE]; 2], [[-f32::MAX; WIDE]; 3]);
        let rows = size.len();
        for from in (0..rows).step_by(32 * WIDE) {
            let to = if rows - from < 32 * WIDE { rows } else { from + 32 * WIDE };
            let size = &size[from..to];
            for (axis, column) in [x, y].into_iter().enumerate() {
                fine::<false>(&column[from..to], size, limit, &mut low[axis]);
                fine::<true>(&column[from..to], size, limit, &mut high[axis]);
            }
            fine::<true>(size, size, limit, &mut high[2]);
        }
        let low = low.map(|v| v.iter().fold(f32::MAX, |a, &b| if b < a { b } else { a }));
        let [right, top, size] = high.map(|v| v.iter().fold(-f32::MAX, |a, &b| if b > a { b } else { a }));
        Extent { low, high: [right, top], size: if size > 0.0 { size } else { 0.0 }, ..Extent::EMPTY }
    }

    pub(super) fn add(&mut self, x: f32, y: f32, size: f32) {
        self.low = [if x < self.low[0] { x } else { self.low[0] }, if y < self.low[1] { y } else { self.low[1] }];
        self.high = [if x > self.high[0] { x } else { self.high[0] }, if y > self.high[1] { y } else { self.high[1] }];
        self.size = if size > self.size { size } else { self.size };
        self.count += 1;
    }
}

/// Of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ends {
    least: f32,
    largest: f32,
    is_finite: bool,
}

impl Ends {
    #[cfg(test)]
    const NONE: Ends = Ends { least: f32::MAX, largest: -f32::MAX, is_finite: true };

    #[inline(always)]
    fn and(self, other: Ends) -> Ends {
        Ends {
            least: if other.least < self.least { other.least } else { self.least },
            largest: if other.largest > self.largest { other.largest } else { self.largest },
            is_finite: self.is_finite & other.is_finite,
        }
    }
}

/// Of each column, in halves side by side.
fn of_columns(columns: [&[f32]; 3], set: InstructionSet, split: Split) -> [Ends; 3] {
    let rows = columns[0].len();
    if split.is_parallel() && rows > PIECE {
        let middle = rows.div_ceil(PIECE) / 2 * PIECE;
        let (low, high) = (columns.map(|column| &column[..middle]), columns.map(|column| &column[middle..]));
        let (low, high) = split.join(|| of_columns(low, set, split), || of_columns(high, set, split));
        return [0, 1, 2].map(|k| low[k].and(high[k]));
    }
    columns.map(|column| dispatch(Backend::Wide, set, OfColumn(column)))
}

/// [`ends`], compiled for the instruction set of the machine.
struct OfColumn<'a>(&'a [f32]);

impl Operation for OfColumn<'_> {
    const AVX512: bool = true;
    type Output = Ends;
    #[inline(always)]
    fn run<K: Kernels>(self) -> Ends {
        ends(self.0)
    }
}

/// So many numbers at a time become vector code.
const WIDE: usize = 32;

/// Of one column. Three looks at what is still in the first cache take less time than one in which all is done together: that becomes
/// poor vector code. No end is -0, so that it does not matter which zero comes first.
#[inline(always)]
fn ends(column: &[f32]) -> Ends {
    let (mut low, mut high, mut odd) = ([f32::MAX; WIDE], [-f32::MAX; WIDE], false);
    for piece in column.chunks(32 * WIDE) {
        least(piece, &mut low);
        largest(piece, &mut high);
        odd |= is_odd(piece);
    }
    // Eights at a time, then halves: one number after the other would be a chain of fifty comparisons in a small world.
    let (mut lows, mut highs) = ([f32::MAX; 8], [-f32::MAX; 8]);
    let rest = column.chunks_exact(WIDE).remainder();
    least(&low, &mut lows);
    largest(&high, &mut highs);
    least(rest, &mut lows);
    largest(rest, &mut highs);
    for ((low, high), &v) in lows.iter_mut().zip(&mut highs).zip(rest.chunks_exact(8).remainder()) {
        *low = if v < *low { v } else { *low };
        *high = if v > *high { v } else { *high };
    }
    for half in [4, 2, 1] {
        for k in 0..half {
            lows[k] = if lows[k + half] < lows[k] { lows[k + half] } else { lows[k] };
            highs[k] = if highs[k + half] > highs[k] { highs[k + half] } else { highs[k] };
        }
    }
    Ends { least: lows[0] + 0.0, largest: highs[0] + 0.0, is_finite: !odd }
}

/// The least and the largest of a few.
#[inline(always)]
pub(super) fn span(values: &[f32]) -> [f32; 2] {
    let (mut low, mut high) = ([f32::MAX; 8], [-f32::MAX; 8]);
    least(values, &mut low);
    largest(values, &mut high);
    let rest = values.chunks_exact(8).remainder();
    low.iter().zip(&high).chain(rest.iter().zip(rest)).fold([f32::MAX, -f32::MAX], |[least, largest], (&a, &b)| {
        [if a < least { a } else { least }, if b > largest { b } else { largest }]
    })
}

#[inline(always)]
fn least<const N: usize>(piece: &[f32], low: &mut [f32; N]) {
    for some in piece.chunks_exact(N) {
        for (low, &v) in low.iter_mut().zip(some) {
            *low = if v < *low { v } else { *low };
        }
    }
}

#[inline(always)]
fn largest<const N: usize>(piece: &[f32], high: &mut [f32; N]) {
    for some in piece.chunks_exact(N) {
        for (high, &v) in high.iter_mut().zip(some) {
            *high = if v > *high { v } else { *high };
        }
    }
}

/// The least, or the `LARGEST`, values of bodies whose sizes are not above `limit`.
#[inline(always)]
fn fine<const LARGEST: bool>(values: &[f32], sizes: &[f32], limit: f32, ends: &mut [f32; WIDE]) {
    let wide = values.chunks_exact(WIDE).zip(sizes.chunks_exact(WIDE));
    let rest = values.chunks_exact(WIDE).remainder().iter().zip(sizes.chunks_exact(WIDE).remainder());
    let none = if LARGEST { -f32::MAX } else { f32::MAX };
    let further = |v: f32, end: f32| if LARGEST { v > end } else { v < end };
    for (values, sizes) in wide {
        for ((end, &v), &size) in ends.iter_mut().zip(values).zip(sizes) {
            let v = if size <= limit { v } else { none };
            *end = if further(v, *end) { v } else { *end };
        }
    }
    for (end, (&v, &size)) in ends.iter_mut().zip(rest) {
        *end = if size <= limit && further(v, *end) { v } else { *end };
    }
}

#[allow(clippy::eq_op, reason = "a number minus itself is 0 if it is finite, and not a number otherwise")]
#[inline(always)]
fn is_odd(piece: &[f32]) -> bool {
    let mut odd = false;
    for &v in piece {
        odd |= v - v != 0.0;
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_and_the_largest_may_be_anywhere() {
        assert_eq!(ends(&[]), Ends::NONE);
        for count in 1..100usize {
            for at in 0..count {
                // Others from 0 to 0.9.
                let mut column: Vec<f32> = (0..count).map(|k| (k * 7 % 10) as f32 / 10.0).collect();
                column[at] = 3.0;
                column[(at + count / 2) % count] = if count > 1 { -2.0 } else { 3.0 };
                let least = if count > 1 { -2.0 } else { 3.0 };
                assert_eq!(ends(&column), Ends { least, largest: 3.0, is_finite: true }, "{count} with {at}");
                for odd in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
                    column[at] = odd;
                    assert!(!ends(&column).is_finite, "{count} with {odd} at {at}");
                }
            }
        }
        let ends = ends(&[-0.0; 9]);
        assert_eq!([ends.least, ends.largest].map(f32::to_bits), [0; 2]);
    }

    #[test]
    fn pieces_side_by_side_are_as_one() {
        use crate::parallel::{Pool, Threads};
        let column = |seed: u32| -> Vec<f32> {
            (0..70_001u32).map(|k| ((k + seed).wrapping_mul(2_654_435_761) >> 8) as f32 - 5e6).collect()
        };
        let (mut x, y, size) = (column(1), column(2), column(3));
        for odd in [None, Some(0), Some(70_000), Some(33_333)] {
            odd.into_iter().for_each(|row: usize| x[row] = f32::NAN);
            let (columns, set) = ([&x[..], &y, &size], InstructionSet::best());
            let one = Extent::of(columns, set, Split::SERIAL);
            let many = Pool::new(Threads::Fixed(3)).run(usize::MAX, |split| Extent::of(columns, set, split));
            assert_eq!((one.is_finite, many.is_finite), (odd.is_none(), odd.is_none()));
            assert_eq!((one.low, one.high, one.least, one.size), (many.low, many.high, many.least, many.size));
            x = column(1);
        }
    }
}
