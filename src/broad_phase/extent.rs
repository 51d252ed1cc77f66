//! How far positions reach, and how large the largest body is.
//!
//! Comes in: columns. Goes out: least and largest coordinates and sizes, and whether all numbers are finite, which is one look at all
//! of them together. This room does not know cells.

use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, Spread, dispatch};
use crate::parallel::Split;

/// Rows that one thread looks at.
pub(super) const PIECE: usize = 16_384;

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

    /// The largest size alone; the whole range.
    pub(crate) fn of_sizes(size: &[f32], set: InstructionSet) -> Extent {
        let size_of = dispatch(Backend::Wide, set, OfColumn(size));
        Extent { low: [-f32::MAX; 2], high: [f32::MAX; 2], size: size_of.largest, count: size.len(), ..Extent::EMPTY }
    }

    /// Least and largest coordinates.
    pub(crate) fn bounds(&self) -> [[f32; 2]; 2] {
        [self.low, self.high]
    }

    /// Of those that are not above `limit`; its count is left open.
    pub(super) fn of_finest(columns: [&[f32]; 3], limit: f32, set: InstructionSet) -> Extent {
        let [x, y, size] = dispatch(Backend::Wide, set, OfColumns(columns, Some((columns[2], limit))));
        let [low, high] = [[x.least, y.least], [x.largest, y.largest]];
        Extent { low, high, size: if size.largest > 0.0 { size.largest } else { 0.0 }, ..Extent::EMPTY }
    }

    /// Of these and of others.
    pub(super) fn join(&mut self, other: &Extent) {
        let lower = |a: f32, b: f32| if b < a { b } else { a };
        let higher = |a: f32, b: f32| if b > a { b } else { a };
        self.low = [0, 1].map(|axis| lower(self.low[axis], other.low[axis]));
        self.high = [0, 1].map(|axis| higher(self.high[axis], other.high[axis]));
        self.size = higher(self.size, other.size);
        self.count += other.count;
    }

    pub(super) fn add(&mut self, x: f32, y: f32, size: f32) {
        self.low = [if x < self.low[0] { x } else { self.low[0] }, if y < self.low[1] { y } else { self.low[1] }];
        self.high = [if x > self.high[0] { x } else { self.high[0] }, if y > self.high[1] { y } else { self.high[1] }];
        self.size = if size > self.size { size } else { self.size };
        self.count += 1;
    }
}

/// Of each column, in halves side by side.
fn of_columns(columns: [&[f32]; 3], set: InstructionSet, split: Split) -> [Spread; 3] {
    let rows = columns[0].len();
    if split.is_parallel() && rows > PIECE {
        let middle = rows.div_ceil(PIECE) / 2 * PIECE;
        let (low, high) = (columns.map(|column| &column[..middle]), columns.map(|column| &column[middle..]));
        let (low, high) = split.join(|| of_columns(low, set, split), || of_columns(high, set, split));
        return [0, 1, 2].map(|k| both(low[k], high[k]));
    }
    dispatch(Backend::Wide, set, OfColumns(columns, None))
}

/// Of two parts of a column.
fn both(a: Spread, b: Spread) -> Spread {
    Spread {
        least: if b.least < a.least { b.least } else { a.least },
        largest: if b.largest > a.largest { b.largest } else { a.largest },
        is_finite: a.is_finite & b.is_finite,
    }
}

/// The spread of one.
struct OfColumn<'a>(&'a [f32]);

impl Operation for OfColumn<'_> {
    type Output = Spread;
    #[inline(always)]
    fn run<K: Kernels>(self) -> Spread {
        K::spread(self.0, None)
    }
}

/// The spread of three columns, or, with sizes and a limit, of those bodies whose size is not above it.
struct OfColumns<'a>([&'a [f32]; 3], Option<(&'a [f32], f32)>);

impl Operation for OfColumns<'_> {
    type Output = [Spread; 3];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [Spread; 3] {
        let OfColumns([x, y, size], limit) = self;
        // Asked here, it is not asked for every eight.
        match limit {
            None => [K::spread(x, None), K::spread(y, None), K::spread(size, None)],
            limit => [K::spread(x, limit), K::spread(y, limit), K::spread(size, limit)],
        }
    }
}

/// The least and the largest of a few.
#[inline(always)]
pub(super) fn span(values: &[f32]) -> [f32; 2] {
    let (mut low, mut high) = ([f32::MAX; LANES], [-f32::MAX; LANES]);
    least(values, &mut low);
    largest(values, &mut high);
    let rest = values.chunks_exact(LANES).remainder();
    low.iter().zip(&high).chain(rest.iter().zip(rest)).fold([f32::MAX, -f32::MAX], |[least, largest], (&a, &b)| {
        [if a < least { a } else { least }, if b > largest { b } else { largest }]
    })
}

#[inline(always)]
fn least(piece: &[f32], low: &mut [f32; LANES]) {
    for some in piece.chunks_exact(LANES) {
        for (low, &v) in low.iter_mut().zip(some) {
            *low = if v < *low { v } else { *low };
        }
    }
}

#[inline(always)]
fn largest(piece: &[f32], high: &mut [f32; LANES]) {
    for some in piece.chunks_exact(LANES) {
        for (high, &v) in high.iter_mut().zip(some) {
            *high = if v > *high { v } else { *high };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_and_the_largest_may_be_anywhere() {
        let texts = [(Backend::Wide, InstructionSet::best()), (Backend::Wide, InstructionSet::Portable)];
        for (backend, set) in texts.into_iter().chain([(Backend::Scalar, InstructionSet::Portable)]) {
            check(|column| dispatch(backend, set, OfColumns([column; 3], None)));
            let fine = |column: &[f32], sizes: &[f32], limit| {
                dispatch(backend, set, OfColumns([column; 3], Some((sizes, limit))))[2]
            };
            // Of a hundred numbers those in the places of a size of at most 2: 1, 4, 7 and so on of three sizes in turn.
            for count in 1..100usize {
                let column: Vec<f32> = (0..count).map(|k| k as f32 - 40.0).collect();
                let sizes: Vec<f32> = (0..count).map(|k| [3.0, 2.0, 5.0][k % 3]).collect();
                let found = fine(&column, &sizes, 2.0);
                if count == 1 {
                    assert_eq!([found.least, found.largest], [f32::MAX, -f32::MAX]);
                } else {
                    assert_eq!(
                        [found.least, found.largest],
                        [-39.0, ((count - 2) / 3 * 3 + 1) as f32 - 40.0],
                        "{count}"
                    );
                }
            }
        }
    }

    fn check(spread: impl Fn(&[f32]) -> [Spread; 3]) {
        let ends = |column: &[f32]| {
            let [a, b, c] = spread(column);
            assert!(a == b && b == c);
            a
        };
        assert_eq!(ends(&[]), Spread::NONE);
        for count in 1..100usize {
            for at in 0..count {
                // Others from 0 to 0.9.
                let mut column: Vec<f32> = (0..count).map(|k| (k * 7 % 10) as f32 / 10.0).collect();
                column[at] = 3.0;
                column[(at + count / 2) % count] = if count > 1 { -2.0 } else { 3.0 };
                let least = if count > 1 { -2.0 } else { 3.0 };
                assert_eq!(ends(&column), Spread { least, largest: 3.0, is_finite: true }, "{count} with {at}");
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
