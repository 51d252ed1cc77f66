//! The rows whose keys are in a range, of rows in any order.
//!
//! Comes in: a key a row. Goes out: the keys of a range, counted from its first one, and their rows, in their order. This room does not know
//! what a key is.
//!
//! Whether a row is one of them nobody can guess: eight keys are compared at a time, and those that are come to the front without a branch.

use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, dispatch};
use std::ops::Range;

/// Rows for which room is made together.
const CHUNK: usize = 4096;

/// See the head of the module. Buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Longer than there are rows: what is behind them is anything.
    keys: Vec<u32>,
    rows: Vec<u32>,
    len: usize,
}

impl Listed {
    /// Takes the rows of these keys.
    pub(super) fn take(&mut self, keys: &[u32], range: Range<u32>, set: InstructionSet) {
        dispatch(Backend::Wide, set, Take { list: self, keys, range });
    }

    /// Their keys, counted from the first of the range.
    pub(super) fn keys(&self) -> &[u32] {
        &self.keys[..self.len]
    }

    pub(super) fn rows(&self) -> &[u32] {
        &self.rows[..self.len]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.keys.capacity() + self.rows.capacity())
    }

    /// Room for a chunk and eight more.
    fn make_room(&mut self) {
        let need = self.len + CHUNK + LANES;
        if need > self.keys.len() {
            for column in [&mut self.keys, &mut self.rows] {
                column.resize(need + need / 8, 0);
            }
        }
    }
}

struct Take<'a> {
    list: &'a mut Listed,
    keys: &'a [u32],
    range: Range<u32>,
}

impl Operation for Take<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Take { list, keys, range } = self;
        list.len = 0;
        for (from, chunk) in (0..).step_by(CHUNK).zip(keys.chunks(CHUNK)) {
            list.make_room();
            let (mut len, (eights, rest)) = (list.len, chunk.as_chunks::<LANES>());
            let (to_keys, to_rows) = (&mut list.keys[..], &mut list.rows[..]);
            for (at, eight) in (from as u32..).step_by(LANES).zip(eights) {
                let mask = K::less(eight, range.end) & !K::less(eight, range.start);
                let (mut keys, mut rows) = (*eight, [at; LANES]);
                for ((key, row), k) in keys.iter_mut().zip(&mut rows).zip(0..) {
                    (*key, *row) = (key.wrapping_sub(range.start), *row + k);
                }
                let [keys, rows] = K::front(mask, [bytemuck::cast(keys), bytemuck::cast(rows)]);
                to_keys[len..len + LANES].copy_from_slice(bytemuck::cast_ref::<_, [u32; LANES]>(&keys));
                to_rows[len..len + LANES].copy_from_slice(bytemuck::cast_ref::<_, [u32; LANES]>(&rows));
                len += mask.count_ones() as usize;
            }
            for (row, &key) in (from + chunk.len() - rest.len()..).zip(rest) {
                if range.contains(&key) {
                    (to_keys[len], to_rows[len]) = (key - range.start, row as u32);
                    len += 1;
                }
            }
            list.len = len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_range_are_those_that_are_found_one_by_one() {
        for rows in [0u32, 1, 7, 8, 9, 4095, 4096, 4097, 30_000] {
            let keys: Vec<u32> = (0..rows).map(|row| (row.wrapping_mul(2_654_435_761) >> 5) % 1000).collect();
            for range in [0..0, 0..1, 0..1000, 300..301, 250..700, 999..1000, 999..2000] {
                let expected: Vec<[u32; 2]> = (0..rows)
                    .map(|row| [keys[row as usize], row])
                    .filter(|[key, _]| range.contains(key))
                    .map(|[key, row]| [key - range.start, row])
                    .collect();
                for (_, set) in InstructionSet::texts() {
                    let mut list = Listed::default();
                    // Over what was there before.
                    list.take(&[0, 5], 0..9, set);
                    list.take(&keys, range.clone(), set);
                    let found = list.keys().iter().zip(list.rows()).map(|(&key, &row)| [key, row]);
                    assert!(found.eq(expected.iter().copied()), "{rows} {range:?} {set:?}");
                }
            }
        }
    }
}
