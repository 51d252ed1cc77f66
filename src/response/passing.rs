//! Many that go by the door, side by side.
//!
//! Comes in: the solid walls, rows, where circles are and where each is to go. Goes out: where each comes to, and its legs, in the order of
//! the rows. This room does not know why they are to go.

use super::door::{Scratch, pass};
use super::held::{Positions, at};
use super::trail::Trail;
use super::walls::Walls;
use crate::exact::P;
use crate::parallel::Split;
use crate::storage::Filters;

/// Circles in a piece of work.
const PIECE: usize = 32;

/// Some of them, and what one thread needs for that.
#[derive(Debug, Default)]
struct Piece {
    scratch: Scratch,
    trail: Trail,
    to: Vec<P>,
}

/// Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Passing {
    pieces: Vec<Piece>,
}

impl Passing {
    /// Each of the rows, no two of which are the same, goes from `from` as far towards `to` as the door lets it, and that is its `to` then.
    pub(super) fn pass(
        &mut self,
        (walls, filters): (&Walls<'_>, Filters<'_>),
        rows: &[u32],
        (from, to): (Positions<'_>, (&mut [f32], &mut [f32])),
        trail: &mut Trail,
        split: Split,
    ) {
        let count = rows.len().div_ceil(PIECE);
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        let (pieces, on, goals) = (&mut self.pieces[..count], trail.on, (&*to.0, &*to.1));
        split.each(pieces, |k, Piece { scratch, trail, to }| {
            trail.start(on);
            to.clear();
            to.extend(rows[k * PIECE..].iter().take(PIECE).map(|&row| {
                let (from, goal) = (at(from, row as usize), at(goals, row as usize));
                pass(walls, (row, filters.of(row)), from, goal, scratch, trail)
            }));
        });
        for (rows, piece) in rows.chunks(PIECE).zip(pieces) {
            trail.legs.append(&mut piece.trail.legs);
            for (&row, &at) in rows.iter().zip(&piece.to) {
                [to.0[row as usize], to.1[row as usize]] = at;
            }
        }
    }
}
