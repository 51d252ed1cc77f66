//! Who goes far in a step.
//!
//! Comes in: columns of where circles were and where they come to, radii. Goes out: rows, ascending. This room does not know walls. Cost: a
//! fraction of a nanosecond a circle, more for each who goes far.

use super::integrate::Flight;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use crate::storage::CircleColumns;

/// Rows that are looked at together.
const BLOCK: usize = 64;
/// Rows that one thread looks at: so many blocks.
const PIECE: usize = 256 * BLOCK;

/// Where circles were, where they come to, and their radii: columns of one length.
#[derive(Clone, Copy)]
pub(super) struct Ways<'a> {
    pub(super) from: [&'a [f32]; 2],
    pub(super) to: [&'a [f32]; 2],
    pub(super) radius: &'a [f32],
}

/// The rows of those who go further than 0.35 of their radius on either axis. Below that a way is shorter than half of the radius.
/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Far {
    pieces: Vec<Vec<u32>>,
}

impl Far {
    /// Finds them.
    pub(super) fn find(&mut self, ways: Ways<'_>, split: Split) {
        self.pieces.resize_with(ways.radius.len().div_ceil(PIECE), Vec::new);
        // No kernels are needed, only the code compiled for what the machine has.
        split.each(&mut self.pieces, |k, rows| {
            rows.clear();
            dispatch(
                Backend::Wide,
                InstructionSet::best(),
                Look { ways: ways.piece(k * PIECE), first: k * PIECE, rows },
            );
        });
    }

    /// Leaves those that are wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(usize) -> bool + Sync, split: Split) {
        split.each(&mut self.pieces, |_, rows| rows.retain(|&row| is_wanted(row as usize)));
    }

    /// Piece by piece, ascending.
    pub(super) fn pieces(&self) -> &[Vec<u32>] {
        &self.pieces
    }

    /// Ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().flatten().map(|&row| row as usize)
    }
}

impl<'a> Ways<'a> {
    /// Of the motion of a step.
    pub(super) fn of(now: &'a CircleColumns, flight: &'a Flight) -> Ways<'a> {
        Ways { from: [&now.x, &now.y], to: [&flight.x, &flight.y], radius: &now.radius }
    }

    /// Of the piece that begins with this row.
    fn piece(self, first: usize) -> Ways<'a> {
        let end = std::cmp::min(first + PIECE, self.radius.len());
        let of = |column: &'a [f32]| &column[first..end];
        Ways { from: self.from.map(of), to: self.to.map(of), radius: of(self.radius) }
    }
}

/// Who goes far in a piece that begins with row `first`.
struct Look<'a, 'r> {
    ways: Ways<'a>,
    first: usize,
    rows: &'r mut Vec<u32>,
}

impl Operation for Look<'_, '_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Look { ways: Ways { from: [x0, y0], to: [x1, y1], radius }, first, rows } = self;
        let from = x0.chunks(BLOCK).zip(y0.chunks(BLOCK));
        let to = x1.chunks(BLOCK).zip(y1.chunks(BLOCK));
        for (k, (((x0, y0), (x1, y1)), r)) in from.zip(to).zip(radius.chunks(BLOCK)).enumerate() {
            // Without a branch, for lanes.
            let ways = x0.iter().zip(x1).zip(y0.iter().zip(y1)).zip(r);
            let (mut flags, mut any) = ([0u8; BLOCK], 0);
            for (flag, (((&x0, &x1), (&y0, &y1)), &r)) in flags.iter_mut().zip(ways) {
                *flag = u8::from(is_far(x0, x1, r) | is_far(y0, y1, r));
                any |= *flag;
            }
            if any == 0 {
                continue;
            }
            for (eight, flags) in flags.as_chunks::<8>().0.iter().enumerate() {
                let mut flags = u64::from_le_bytes(*flags);
                while flags != 0 {
                    rows.push((first + k * BLOCK + eight * 8) as u32 + flags.trailing_zeros() / 8);
                    flags &= flags - 1;
                }
            }
        }
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
        let rows = PIECE + 3 * BLOCK + 5;
        let far = [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 7, PIECE - 1, PIECE, rows - 1];
        let mut found = Far::default();
        for used in 0..=far.len() {
            let (from, radius) = (vec![1.0f32; rows], vec![2.0f32; rows]);
            let (mut x, mut y) = (from.clone(), from.clone());
            x[3 * BLOCK] = 1.6875;
            for (k, &row) in far[..used].iter().enumerate() {
                if k % 2 == 0 { x[row] = 1.75 } else { y[row] = 0.25 }
            }
            found.find(Ways { from: [&from, &from], to: [&x, &y], radius: &radius }, Split::SERIAL);
            assert_eq!(found.rows().collect::<Vec<_>>(), far[..used]);
        }
        found.find(Ways { from: [&[]; 2], to: [&[]; 2], radius: &[] }, Split::SERIAL);
        assert_eq!(found.rows().next(), None);
    }
}
