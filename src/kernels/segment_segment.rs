//! Segment against segment: what both texts compute, and on what.
//!
//! Comes in: boxes as columns, ends as records, rows. Goes out: candidate pairs, and one verdict a pair. This room does not
//! know radii (boxes come inflated, verdicts are about the cores), grids, or the rows of the caller.
//!
//! **Boxes** only compares, so it is exact. **Confirm** decides in `f32` where a bound says that rounding cannot matter, and
//! leaves the pair [`Verdict::OPEN`] else. The tests, in this order:
//!
//! 1. A segment of equal ends: open.
//! 2. An end of one equals an end of the other, at P. Seen from P, the other two ends are Q and R: if the signs of Q - P and
//!    R - P differ on an axis, nothing but P is common: touch. Else touch if (Q - P) × (R - P) is surely not zero, else open.
//!    Chains of real maps end here.
//! 3. Both ends of one surely on the same side of the line of the other, or the other way round: apart.
//! 4. The ends of either surely on different sides of the line of the other: cross.
//! 5. Open.
//!
//! **Sure**, u = 2^-24: a difference of two `f32` is rounded by at most u relative and loses nothing to underflow; a product
//! adds u and 2^-150. So for l = fl(fl(a) fl(b)) with exact value L = a b: |l - L| <= 3.001 u |L| + 2^-150, and for D = L - R,
//! d = fl(l - r): |d - D| <= 3.001 u (|L| + |R|) + 2^-149 + u |l - r| <= 4.01 u (|l| + |r|) + 2^-148. The sign of d is that
//! of D if |d| > fl(8 u fl(|l| + |r|) + 2^-100): the bound itself is rounded by less than 3 u relative, and what underflow takes
//! from it is far below 2^-100. Overflow makes the bound infinite or d not a number, and the comparison false.

/// The ends of a segment: `x0, y0, x1, y1`.
pub(crate) type Ends = [f32; 4];

/// A box: `low x, low y, high x, high y`.
pub(crate) type Bounds = [f32; 4];

/// Boxes as columns of equal length; eight values behind the last row can be read and are NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes<'a> {
    pub(crate) low_x: &'a [f32],
    pub(crate) low_y: &'a [f32],
    pub(crate) high_x: &'a [f32],
    pub(crate) high_y: &'a [f32],
}

impl<'a> Boxes<'a> {
    /// The same, with lengths that the compiler sees to be equal: one check serves all.
    #[inline(always)]
    pub(crate) fn even(self) -> Boxes<'a> {
        let n = self.low_x.len();
        Boxes { low_x: self.low_x, low_y: &self.low_y[..n], high_x: &self.high_x[..n], high_y: &self.high_y[..n] }
    }

    /// The box of a row.
    #[inline(always)]
    pub(crate) fn row(self, row: u32) -> Bounds {
        let row = row as usize;
        [self.low_x[row], self.low_y[row], self.high_x[row], self.high_y[row]]
    }
}

/// What a pair was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict(u8);

impl Verdict {
    /// No common point.
    pub(crate) const APART: Verdict = Verdict(0);
    /// One common point, interior to both.
    pub(crate) const CROSS: Verdict = Verdict(1);
    /// Left to exact arithmetic.
    pub(crate) const OPEN: Verdict = Verdict(2);
    const TOUCH: u8 = 4;

    /// One common point, which is this end of the first (false: its start) and that end of the second.
    pub(crate) const fn touch(end_of_a: bool, end_of_b: bool) -> Verdict {
        Verdict(Verdict::TOUCH + end_of_a as u8 + 2 * end_of_b as u8)
    }

    /// The verdict of these bits: 1 cross, 2 open, 4 + (end of the first) + 2 (end of the second) touch, 0 apart.
    pub(crate) const fn from_byte(byte: u8) -> Verdict {
        Verdict(byte)
    }

    /// The ends that are common, if that is the verdict.
    pub(crate) const fn ends(self) -> Option<(bool, bool)> {
        if self.0 >= Verdict::TOUCH { Some((self.0 & 1 != 0, self.0 & 2 != 0)) } else { None }
    }

    /// The verdict on the same two in the other order.
    pub(crate) const fn swapped(self) -> Verdict {
        match self.ends() {
            Some((end_of_a, end_of_b)) => Verdict::touch(end_of_b, end_of_a),
            None => self,
        }
    }
}
