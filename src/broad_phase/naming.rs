//! Which level each body is of.
//!
//! Comes in: columns, the upper ends of all levels but the last. Goes out: a number a body, and the extent of each level. This room does not know
//! cells. Cost: one pass over the sizes and two over positions; in pieces, side by side where several threads may work.

use super::extent::{Extent, PIECE};
use super::limits::MAX_LEVELS;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;

/// Writes the level of each body and tells the extent of every level: the same however pieces are cut.
pub(super) fn name(
    level: &mut [u8],
    columns: [&[f32]; 3],
    limits: &[f32],
    set: InstructionSet,
    split: Split,
) -> [Extent; MAX_LEVELS] {
    let rows = level.len();
    if rows > PIECE {
        let middle = rows.div_ceil(PIECE) / 2 * PIECE;
        let (low, high) = level.split_at_mut(middle);
        let (before, from) = (columns.map(|column| &column[..middle]), columns.map(|column| &column[middle..]));
        let (mut all, more) =
            split.join(|| name(low, before, limits, set, split), || name(high, from, limits, set, split));
        all.iter_mut().zip(&more).take(limits.len() + 1).for_each(|(all, more)| all.join(more));
        return all;
    }
    dispatch(Backend::Wide, set, Names { level, limits, size: columns[2] });
    let [x, y, size] = columns;
    let mut many = [Extent::EMPTY; MAX_LEVELS];
    // Nearly all are in the finest level: its extent is taken without a branch, the others' one by one.
    many[0] = Extent::of_finest(columns, limits[0], set);
    each_coarse(level, |i, k| many[usize::from(k)].add(x[i], y[i], size[i]));
    many[0].count = rows - many[1..].iter().map(|extent| extent.count).sum::<usize>();
    many
}

/// For each size the number of limits that it exceeds; compiled for the instruction set of the machine.
struct Names<'a> {
    level: &'a mut [u8],
    limits: &'a [f32],
    size: &'a [f32],
}

impl Operation for Names<'_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Names { level, limits, size } = self;
        let (first, later) = (limits[0], &limits[1..]);
        for (level, &size) in level.iter_mut().zip(size) {
            *level = u8::from(size > first);
        }
        for &limit in later {
            for (level, &size) in level.iter_mut().zip(size) {
                *level += u8::from(size > limit);
            }
        }
    }
}

/// The bodies that are not in the finest level, and their levels; where they are few, eight others cost as much as one.
pub(super) fn each_coarse(level: &[u8], mut see: impl FnMut(usize, u8)) {
    let (eights, rest) = level.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for (k, &eight) in eights.iter().chain([&last]).enumerate() {
        let mut left = u64::from_le_bytes(eight);
        while left != 0 {
            let byte = left.trailing_zeros() / 8;
            see(8 * k + byte as usize, (left >> (8 * byte)) as u8);
            left &= !(0xff << (8 * byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    #[test]
    fn pieces_side_by_side_are_as_one() {
        // Three pieces and a rest; sizes of 1, of 5 (each hundredth) and of 50 (one, in the last piece), none between 6 and 24.
        let rows = 3 * PIECE + 77;
        let column = |seed: u32| -> Vec<f32> {
            (0..rows as u32).map(|k| ((k + seed).wrapping_mul(2_654_435_761) >> 8) as f32 - 5e6).collect()
        };
        let (x, y) = (column(1), column(9));
        let size: Vec<f32> =
            (0..rows).map(|k| if k + 5 == rows { 50.0 } else { [1.0, 5.0][usize::from(k % 100 == 7)] }).collect();
        let (limits, columns, set) = ([4.0, 6.0, 24.0], [&x[..], &y, &size], InstructionSet::best());
        // The number of each, by comparisons.
        let of = |&size: &f32| limits.iter().filter(|&&limit| size > limit).count() as u8;
        let numbers: Vec<u8> = size.iter().map(of).collect();
        for threads in [1, 3] {
            let mut level = vec![9; rows];
            let all = Pool::new(Threads::Fixed(threads))
                .run(usize::MAX, |split| name(&mut level, columns, &limits, set, split));
            assert_eq!(level, numbers);
            for (k, extent) in (0u8..4).zip(&all) {
                let of_level = || (0..rows).filter(|&row| numbers[row] == k);
                assert_eq!(extent.count, of_level().count(), "{k}");
                let ends = [&x, &y].map(|column| {
                    of_level()
                        .fold([f32::MAX, -f32::MAX], |[low, high], row| [low.min(column[row]), high.max(column[row])])
                });
                assert_eq!((extent.low, extent.high), (ends.map(|ends| ends[0]), ends.map(|ends| ends[1])), "{k}");
                assert_eq!(extent.size, of_level().fold(0.0, |most: f32, row| most.max(size[row])), "{k}");
            }
        }
    }
}
