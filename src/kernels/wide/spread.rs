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
    for eight in wide..column.len() / LANES {
        each[eight % WIDE] = each[eight % WIDE].take(some::<L>(column, sizes, eight * LANES));
    }
    let rest = column.len() / LANES * LANES;
    if rest < column.len() {
        let (last, of_last) = (filled(&column[rest..]), sizes.map(|(sizes, limit)| (filled(&sizes[rest..]), limit)));
        let of_last = of_last.as_ref().map(|(sizes, limit)| (&sizes[..], *limit));
        each[0] = each[0].take(some::<L>(&last, of_last, 0));
    }
    let [a, b, c, d] = each;
    let Each { low, high, finite } = a.and(b).and(c.and(d));
    let least = low.store().into_iter().fold(f32::MAX, |a, b| if b < a { b } else { a });
    let largest = high.store().into_iter().fold(-f32::MAX, |a, b| if b > a { b } else { a });
    // The sums turn -0 into 0.
    Spread { least: least + 0.0, largest: largest + 0.0, is_finite: finite.mask() == u32::from(u8::MAX) }
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
