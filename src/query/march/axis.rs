//! A walk from cell to cell, as one axis sees it.
//!
//! Comes in: where the walk is on this axis, how fast it goes. Goes out: when it comes to the next cell, and when it is out of the box. This room does not know
//! the other axis.

use super::RIM;
use crate::broad_phase::floor;

/// A walk on one axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The first cell.
    pub(super) at: i32,
    /// The way it goes.
    pub(super) step: i32,
    /// When it comes to the next cell.
    pub(super) next: f64,
    /// How long a cell takes.
    pub(super) each: f64,
    /// So many cells follow; then it stays where it is, so that rounding does not lead out of a box.
    pub(super) left: i32,
    /// When it is beyond the rim of the box, and a little.
    pub(super) out: f64,
}

impl Axis {
    pub(super) const NONE: Axis = Axis { at: 0, step: 0, next: 0.0, each: 0.0, left: 0, out: 0.0 };

    /// `high`: the last cell of a box, negative for a torus.
    #[inline(always)]
    pub(super) fn new(p: f64, q: f64, inverse: f64, from: f64, high: i32) -> Axis {
        let at = within(floor(p + from * q), high);
        // Which way is anyone's guess: no branch.
        let up = i32::from(q > 0.0);
        let (step, ahead) = (2 * up - 1, f64::from(up));
        let left = if high < 0 { i32::MAX } else { (high & -up) + (at ^ -up) + up };
        if q == 0.0 {
            return Axis { at, step, next: f64::INFINITY, each: f64::INFINITY, left, out: f64::INFINITY };
        }
        let (next, each) = ((f64::from(at) + ahead - p) * inverse, inverse.abs());
        let out = next + (f64::from(left) + RIM) * each;
        Axis { at, step, next: if left == 0 { f64::INFINITY } else { next }, each, left, out }
    }

    /// The same from the start, in a cell of a box; anything outside.
    #[inline(always)]
    pub(super) fn begin(p: f64, q: f64, inverse: f64, high: i32) -> Axis {
        let (at, up) = (floor(p), i32::from(q > 0.0));
        let left = (high & -up).wrapping_add((at ^ -up).wrapping_add(up));
        let next = if q == 0.0 { f64::INFINITY } else { (f64::from(at) + f64::from(up) - p) * inverse };
        let each = inverse.abs();
        let out = next + (f64::from(left) + RIM) * each;
        Axis { at, step: 2 * up - 1, next: if left == 0 { f64::INFINITY } else { next }, each, left, out }
    }

    /// To the next cell, or not.
    #[inline(always)]
    pub(super) fn go_on(&mut self, go: bool) {
        self.left -= i32::from(go);
        let next = if self.left == 0 { f64::INFINITY } else { self.next + self.each };
        self.next = if go { next } else { self.next };
    }
}

/// Into `0..=high`, where that is not negative.
#[inline(always)]
pub(in crate::query) fn within(at: i32, high: i32) -> i32 {
    let from = if at > 0 { at } else { 0 };
    let cut = if from < high { from } else { high };
    if high < 0 { at } else { cut }
}
