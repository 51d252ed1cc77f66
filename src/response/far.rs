//! Who goes far in a step.
//!
//! Comes in: columns of where circles were and where they come to, radii. Goes out: rows, ascending. This room does not know walls. Cost: a
//! fraction of a nanosecond a circle, nothing where it is known that nobody does, more for each who goes far.

use super::integrate::{self, Flight};
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use crate::storage::CircleColumns;

/// Rows that are looked at together.
const BLOCK: usize = 64;
/// Rows that one thread looks at: so many blocks.
const PIECE: usize = 256 * BLOCK;
/// So many blocks of a flight are a piece.
const BLOCKS: usize = PIECE / integrate::BLOCK;

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
        split.each(&mut self.pieces, |k, rows| {
            rows.clear();
            ways.look(k * PIECE, PIECE, rows);
        });
    }

    /// Of the motion of a step.
    pub(super) fn find_flying(&mut self, now: &CircleColumns, flight: &Flight, split: Split) {
        let ways = Ways::of(now, flight);
        if !flight.far.contains(&true) {
            self.pieces.iter_mut().for_each(Vec::clear);
            return;
        }
        self.pieces.resize_with(ways.radius.len().div_ceil(PIECE), Vec::new);
        split.each(&mut self.pieces, |k, rows| {
            rows.clear();
            for (block, &far) in (k * BLOCKS..).zip(&flight.far[k * BLOCKS..]).take(BLOCKS) {
                if far {
                    ways.look(block * integrate::BLOCK, integrate::BLOCK, rows);
                }
            }
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

    /// Who goes far of so many rows, if there are so many, from the first on.
    fn look(self, first: usize, count: usize, rows: &mut Vec<u32>) {
        let end = std::cmp::min(first + count, self.radius.len());
        let of = |column: &'a [f32]| &column[first..end];
        let ways = Ways { from: self.from.map(of), to: self.to.map(of), radius: of(self.radius) };
        // No kernels are needed, only the code compiled for what the machine has.
        dispatch(Backend::Wide, InstructionSet::best(), Look { ways, first, rows });
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
pub(super) fn is_far(from: f32, to: f32, radius: f32) -> bool {
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

    #[test]
    fn where_nobody_goes_far_nobody_is_missed() {
        use super::super::integrate::{Limits, circles};
        use crate::geometry::{Circle, Vec2};
        use crate::storage::CircleHandle;
        const B: usize = integrate::BLOCK;
        let rows = PIECE + 2 * B + 7;
        let mut flight = Flight::default();
        for fast in [&[][..], &[0], &[B - 1, B], &[5 * B + 3, PIECE - 1, PIECE, rows - 1]] {
            let mut now = CircleColumns::default();
            for row in 0..rows {
                // 0.35 radii are 0.7, and a bit more or less: half the speed on either axis is not far, 0.75 is.
                let way = if fast.contains(&row) { 0.75 } else { 0.5 };
                let velocity = if row % 2 == 0 { [way, -0.5] } else { [0.5, -way] };
                let at = [(row % 7) as f32, (row % 5) as f32];
                now.push(Circle::new(at, 2.0).with_velocity(velocity), CircleHandle::new(0, 0));
            }
            let (mut all, mut flying) = (Far::default(), Far::default());
            for (dt, fast) in [(1.0, fast), (0.5, &[]), (0.0, &[])] {
                circles(&now, Vec2::ZERO, Limits::NONE, dt, (&mut flight, Split::SERIAL)).expect("finite");
                all.find(Ways::of(&now, &flight), Split::SERIAL);
                flying.find_flying(&now, &flight, Split::SERIAL);
                assert_eq!(flying.rows().collect::<Vec<_>>(), fast);
                assert_eq!(all.rows().collect::<Vec<_>>(), fast);
            }
        }
    }
}
