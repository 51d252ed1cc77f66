//! The least and the largest of a column, thirty-two numbers at a time.

use super::{Lanes, load};
use crate::kernels::{LANES, Spread};

/// Vectors side by side: none waits for the one before it.
const WIDE: usize = 4;

/// The ends of each lane, and where all numbers have been finite.
#[derive(Clone, Copy)]
struct Each<L> {
    low: L,
    high: L,
    finite: L,
}

impl<L: Lanes> Each<L> {
    #[inline(always)]
    fn none() -> Each<L> {
        let zero = L::splat(0.0);
        Each { low: L::splat(f32::MAX), high: L::splat(-f32::MAX), finite: zero.eq(zero) }
    }

    /// Comparisons with NaN do not hold.
    #[inline(always)]
    fn take(self, v: L) -> Each<L> {
        let low = v.lt(self.low).select(v, self.low);
        let high = v.gt(self.high).select(v, self.high);
        Each { low, high, finite: self.finite & v.abs().le(L::splat(f32::MAX)) }
    }

    #[inline(always)]
    fn and(self, o: Each<L>) -> Each<L> {
        let low = o.low.lt(self.low).select(o.low, self.low);
        let high = o.high.gt(self.high).select(o.high, self.high);
        Each { low, high, finite: self.finite & o.finite }
    }
}

/// Of a column; with sizes and a limit, of those whose size is not above it.
#[inline(always)]
pub(crate) fn spread<L: Lanes>(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread {
    let (mut each, wide) = ([Each::<L>::none(); WIDE], column.len() / (WIDE * LANES) * WIDE);
    for from in (0..wide).step_by(WIDE) {
        for (k, each) in each.iter_mut().enumerate() {
            *each = each.take(some::<L>(column, sizes, (from + k) * LANES));
        }
    }
    let (eights, rest) = (column.len() / LANES, column.len() % LANES);
    for (k, each) in each.iter_mut().enumerate() {
        if wide + k < eights {
            *each = each.take(some::<L>(column, sizes, (wide + k) * LANES));
        }
    }
    if rest > 0 {
        // The last eight; where there are fewer, those, the first of them again.
        each[WIDE - 1] = each[WIDE - 1].take(if eights > 0 {
            some::<L>(column, sizes, column.len() - LANES)
        } else {
            let of_last = sizes.map(|(sizes, limit)| (filled(sizes), limit));
            some::<L>(&filled(column), of_last.as_ref().map(|(sizes, limit)| (&sizes[..], *limit)), 0)
        });
    }
    let [a, b, c, d] = each;
    let Each { low, high, finite } = a.and(b).and(c.and(d));
    let [a, b, c, d, e, f, g, h] = low.store();
    let least = lower(lower(lower(a, e), lower(b, f)), lower(lower(c, g), lower(d, h)));
    let [a, b, c, d, e, f, g, h] = high.store();
    let largest = higher(higher(higher(a, e), higher(b, f)), higher(higher(c, g), higher(d, h)));
    // The sums turn -0 into 0.
    Spread { least: least + 0.0, largest: largest + 0.0, is_finite: finite.mask() == u32::from(u8::MAX) }
}

#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Eight of them; no number where the size is above the limit.
#[inline(always)]
fn some<L: Lanes>(column: &[f32], sizes: Option<(&[f32], f32)>, at: usize) -> L {
    let v = load::<L>(column, at);
    match sizes {
        Some((sizes, limit)) => load::<L>(sizes, at).le(L::splat(limit)).select(v, L::splat(f32::NAN)),
        None => v,
    }
}

/// The first of fewer than eight, again, where there is none.
#[inline(always)]
fn filled(rest: &[f32]) -> [f32; LANES] {
    let mut eight = [rest[0]; LANES];
    eight[..rest.len()].copy_from_slice(rest);
    eight
}
