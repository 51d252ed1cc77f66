//! A bond as one of four that are solved together.
//!
//! Comes in: a bond, or four by columns. Goes out: the same as the other, bit for bit. This room does not know what bonds do.

use super::bond::Bond;
use crate::kernels::bonds::Bonds;

impl Bond {
    /// One of four.
    #[inline(always)]
    pub(super) fn of(four: &Bonds, k: usize) -> Bond {
        let pair = |columns: &[[f64; 4]; 2]| [columns[0][k], columns[1][k]];
        Bond {
            a: four.a[k],
            b: four.b[k],
            start: pair(&four.start),
            normal: pair(&four.normal),
            reach: four.reach[k],
            gap: four.gap[k],
            bearing: four.bearing[k],
            lent: four.lent[k],
            anew: four.anew[k],
            shares: pair(&four.shares),
            unlike: four.unlike[k] > 0.0,
            radius: four.radius[k],
            mass: four.mass[k],
            flat: false,
            free: four.free[k] > 0.0,
            acted: four.acted >> k & 1 == 1,
            watched: four.watched >> k & 1 == 1,
            squeezes: false,
        }
    }

    /// As one of four; of what does not change nothing.
    #[inline(always)]
    pub(super) fn keep(&self, four: &mut Bonds, k: usize) {
        (four.normal[0][k], four.normal[1][k]) = (self.normal[0], self.normal[1]);
        (four.gap[k], four.bearing[k], four.free[k]) = (self.gap, self.bearing, f64::from(self.free));
        (four.lent[k], four.anew[k]) = (self.lent, self.anew);
        four.acted |= u32::from(self.acted) << k;
        four.watched = four.watched & !(1 << k) | u32::from(self.watched) << k;
    }

    /// As one of four that was nothing.
    #[inline(always)]
    pub(super) fn put(&self, four: &mut Bonds, k: usize) {
        self.keep(four, k);
        (four.a[k], four.b[k]) = (self.a, self.b);
        (four.start[0][k], four.start[1][k]) = (self.start[0], self.start[1]);
        (four.shares[0][k], four.shares[1][k]) = (self.shares[0], self.shares[1]);
        (four.reach[k], four.radius[k], four.mass[k]) = (self.reach, self.radius, self.mass);
        four.unlike[k] = f64::from(self.unlike);
    }
}
