//! Short lists, sorted by how many come before each: no branch depends on what they hold, or on how long they are.
//!
//! Comes in: rows, all different. Goes out: the same, ascending. This room does not know whose rows they are.
//!
//! Lanes that are read right after some of them were written one by one have to be waited for, a dozen cycles and more each time. So what
//! is behind the last row is masked where it is read, not cleared where it stands, and lists go from one column to another.

use super::{Kernels, LANES};

/// Rows of a short list at most.
const FEW: usize = 2 * LANES;

/// More than any row; all of its bits are set below the highest.
pub(crate) const NONE: u32 = u32::MAX >> 1;

/// [`NONE`], from as many places on as there is nothing in [`FEW`].
const BEHIND: [u32; 2 * FEW] = {
    let (mut behind, mut at) = ([0; 2 * FEW], FEW);
    while at < 2 * FEW {
        behind[at] = NONE;
        at += 1;
    }
    behind
};

/// The first `count` rows in order, to the front of `to`; what is behind them there may be written over.
#[inline(always)]
pub(crate) fn sort<K: Kernels>(rows: &[u32], count: usize, to: &mut [u32]) {
    if count > FEW || rows.len() < FEW || to.len() <= FEW {
        sort_many(&rows[..count], to);
    } else if count <= LANES {
        sort_few::<K, LANES>(rows, count, to);
    } else {
        sort_few::<K, FEW>(rows, count, to);
    }
}

#[inline(never)]
fn sort_many(rows: &[u32], to: &mut [u32]) {
    let to = &mut to[..rows.len()];
    to.copy_from_slice(rows);
    to.sort_unstable();
}

/// What is behind the last is anything: it is put where it comes to first, and what matters is written over it.
#[inline(always)]
fn sort_few<K: Kernels, const N: usize>(rows: &[u32], count: usize, to: &mut [u32]) {
    let (rows, to, mut all) = (&rows[..N], &mut to[..=N], [0; N]);
    for ((all, &row), &behind) in all.iter_mut().zip(rows).zip(&BEHIND[FEW - count..][..N]) {
        *all = row | behind;
    }
    for &row in rows.iter().rev() {
        to[rank::<K>(&all, row)] = row;
    }
}

/// How many of some rows, a multiple of [`LANES`] of them, come before one.
#[inline(always)]
pub(crate) fn rank<K: Kernels>(rows: &[u32], row: u32) -> usize {
    let (mut rank, (eights, _)) = (0, rows.as_chunks());
    for eight in eights {
        rank += K::less(eight, row).count_ones();
    }
    rank as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{InstructionSet, Operation, dispatch};

    struct Sort<'a>(&'a [u32], usize, &'a mut [u32]);

    impl Operation for Sort<'_> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            sort::<K>(self.0, self.1, self.2);
        }
    }

    #[test]
    fn few_and_many_are_sorted_alike_whatever_is_behind_them() {
        for (backend, set) in InstructionSet::texts() {
            for (count, behind) in (0..40).flat_map(|count| [0, 5, 63, NONE - 1].map(|behind| (count, behind))) {
                // 17 and 41 have no common divisor, nor have 7 and 64: all different.
                let rows = (0..count).map(|k| k * 17 % 41 * 7 % 64);
                // Room for all that may be read and written, or for no more than there are.
                for room in [FEW + 1, 0] {
                    let mut from: Vec<u32> = rows.clone().collect();
                    from.extend(vec![behind; room]);
                    let mut to = vec![NONE; from.len()];
                    dispatch(backend, set, Sort(&from, count as usize, &mut to));
                    from.truncate(count as usize);
                    from.sort_unstable();
                    assert_eq!(to[..count as usize], from, "{count} {behind} {room} {backend:?} {set:?}");
                }
            }
        }
    }
}
