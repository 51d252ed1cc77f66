//! From a position to the number of a cell.
//!
//! Comes in: finite coordinates. Goes out: a key below [`CellMap::cells`]. Two positions at most `reach` apart on an axis
//! have indices at most one apart on that axis, for every finite `f32`, whatever the rounding (see [`CellMap::reach`]).
//! This room does not know what is binned.
//!
//! A map is *boxed* (indices clamped to a rectangle of cells, the key is row-major) or a *helical torus*
//! (`(cx + cy·stride) mod 2^k`: any world in O(n) memory; cells that share a key only give false candidates).
//! Far from the origin the index grows with the logarithm of the distance, so one body at 1e30 neither widens the cells
//! of the others nor shares one cell with all that is far.

use super::floor::{floor, floor_to, near_floor};
use crate::kernels::{Kernels, Operation};

/// Up to so many cells from the origin the index is linear; beyond, each octave has as many cells as the first.
/// At 2^17 the index is off by at most 2·2^-24·2^17 = 2^-6 of a cell.
pub(crate) const LINEAR: f32 = 131_072.0;
const LINEAR_BITS: u32 = LINEAR.to_bits();
/// Octave of 2^23 float steps onto 2^17 cells.
const OCTAVE_SHIFT: u32 = 23 - 17;

/// The share of a cell that two positions may be apart and still be in neighbouring cells: 1 less twice the 2^-6 of
/// rounding on each side, and some.
pub(crate) const REACH: f32 = 0.95;

/// Maps coordinates to cell keys. See the head of the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellMap {
    origin: [f32; 2],
    cell: f32,
    inverse: f32,
    /// Largest index on each axis of a boxed map; the linear range of a torus.
    high: [f32; 2],
    /// The same as integers; negative for a torus.
    last: (i32, i32),
    low: f32,
    stride: u32,
    mask: u32,
    cells: u32,
}

/// `v` pulled back into the finite range.
fn saturate(v: f32) -> f32 {
    if v > f32::MAX {
        f32::MAX
    } else if v < -f32::MAX {
        -f32::MAX
    } else {
        v
    }
}

impl CellMap {
    /// A rectangle of `columns` × `rows` cells with its lower left corner at `origin`; what is outside goes to its rim.
    /// One empty column stands behind each row, so that the row before and the row after never look like neighbours.
    pub(crate) fn boxed(origin: [f32; 2], cell: f32, columns: u32, rows: u32) -> CellMap {
        debug_assert!(columns as f32 <= LINEAR && rows as f32 <= LINEAR && columns > 0 && rows > 0);
        CellMap {
            origin,
            cell,
            inverse: 1.0 / cell,
            high: [(columns - 1) as f32, (rows - 1) as f32],
            last: ((columns - 1) as i32, (rows - 1) as i32),
            low: 0.0,
            stride: columns + 1,
            mask: u32::MAX,
            cells: (columns + 1) * rows,
        }
    }

    /// The same with so many empty columns behind each row.
    pub(crate) fn with_gap(mut self, gap: u32) -> CellMap {
        if !self.is_torus() {
            let rows = self.last.1 as u32 + 1;
            self.stride = self.last.0 as u32 + 1 + gap;
            self.cells = self.stride * rows;
        }
        self
    }

    /// Positions at most so far apart on an axis have indices at most so many apart: each is off by up to 2^-6.
    pub(crate) fn columns_within(&self, length: f32) -> u32 {
        (f64::from(length) * f64::from(self.inverse) * (1.0 + 1e-6) + 1.0 / 32.0) as u32 + 1
    }

    /// A torus of at least `cells` cells (rounded up to a power of two).
    pub(crate) fn torus(origin: [f32; 2], cell: f32, cells: u32) -> CellMap {
        let cells = if cells < 64 { 64 } else { cells.next_power_of_two() };
        // Odd and near the root: rows and columns are then spread alike, and no two of the offsets
        // 0, ±1, ±(stride-1), ±stride, ±(stride+1) are congruent (stride >= 9, 2·stride + 2 < cells).
        let stride = ((cells as f32).sqrt() as u32) | 1;
        CellMap {
            origin,
            cell,
            inverse: 1.0 / cell,
            high: [LINEAR, LINEAR],
            last: (-1, -1),
            low: -LINEAR,
            stride,
            mask: cells - 1,
            cells,
        }
    }

    /// The number of keys.
    #[inline]
    pub(crate) fn cells(&self) -> u32 {
        self.cells
    }

    /// How many entries behind the last key a look at the next row may touch.
    #[inline]
    pub(crate) fn pad(&self) -> u32 {
        if self.is_torus() { 4 } else { self.stride + 4 }
    }

    /// Keys wrap around.
    #[inline]
    pub(crate) fn is_torus(&self) -> bool {
        self.mask != u32::MAX
    }

    /// The key difference of a cell and the one above it.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.stride
    }

    /// The corner of cell (0, 0).
    #[inline]
    pub(crate) fn origin(&self) -> [f32; 2] {
        self.origin
    }

    /// Around all positions that a boxed map is made for, from low to high: its cells, and four more on each side, which is where all of those are that a
    /// single cell is for. None for a torus.
    pub(crate) fn around(&self) -> Option<[[f64; 2]; 2]> {
        let (origin, cell) = (self.origin.map(f64::from), f64::from(self.cell));
        let last = [self.last.0, self.last.1].map(f64::from);
        let at = |cells: [f64; 2]| [0, 1].map(|axis| origin[axis] + cells[axis] * cell);
        (!self.is_torus()).then(|| [at([-4.0; 2]), at(last.map(|last| last + 5.0))])
    }

    /// The width of a cell in the linear range.
    #[inline]
    pub(crate) fn cell(&self) -> f32 {
        self.cell
    }

    /// Cells per length unit.
    #[inline]
    pub(crate) fn inverse(&self) -> f32 {
        self.inverse
    }

    /// Last column and last row of a boxed map; negative for a torus.
    #[inline]
    pub(crate) fn last(&self) -> (i32, i32) {
        self.last
    }

    /// Positions at most this far apart on an axis have indices at most one apart on it: their exact distance in cells
    /// is at most [`REACH`], and each index is off by at most 2^-6.
    #[cfg(test)]
    pub(crate) fn reach(&self) -> f32 {
        self.cell * REACH
    }

    /// Distance from the origin in cells, saturated.
    #[inline]
    pub(crate) fn scale(&self, v: f32, axis: usize) -> f32 {
        let (origin, way) = (self.origin[axis], v - self.origin[axis]);
        // Where cells are so wide that they are counted one by one to the ends of the range, nor may what is further than its half be taken for
        // nearer. Halves of what is so large are exact.
        let cells =
            if way.abs() <= f32::MAX { way * self.inverse } else { (v * 0.5 - origin * 0.5) * self.inverse * 2.0 };
        saturate(cells)
    }

    /// A distance in cells, saturated as [`Self::scale`] does it.
    pub(crate) fn saturated(&self, cells: f32) -> f32 {
        saturate(cells)
    }

    /// A length in cells, saturated, rounded up by more than its error.
    #[inline]
    pub(crate) fn scale_length(&self, length: f32) -> f32 {
        saturate(saturate(length * self.inverse) * (1.0 + 1.0 / 1024.0))
    }

    /// The index of a scaled coordinate: monotone, slope at most 1.
    #[inline]
    pub(crate) fn index(&self, s: f32, axis: usize) -> i32 {
        if !self.is_torus() {
            let s = if s < 0.0 { 0.0 } else { s };
            return (if s > self.high[axis] { self.high[axis] } else { s }) as i32;
        }
        if s >= LINEAR {
            (LINEAR as u32 + ((s.to_bits() - LINEAR_BITS) >> OCTAVE_SHIFT)) as i32
        } else if s <= -LINEAR {
            -((LINEAR as u32 + (((-s).to_bits() - LINEAR_BITS) >> OCTAVE_SHIFT)) as i32) - 1
        } else {
            let i = s as i32;
            i - i32::from(i as f32 > s)
        }
    }

    /// First and last index of what is within `length` (in cells, from [`Self::scale_length`]) of the scaled coordinate `s`.
    /// The quarter cell and the last term cover the rounding of both sides in the linear and in the far range.
    #[inline(always)]
    pub(crate) fn span(&self, s: f32, length: f32, axis: usize) -> (i32, i32) {
        let m = length + 0.25 + s.abs() * (1.0 / 131_072.0);
        if m >= f32::MAX {
            // Saturated: how much longer it is cannot be told, and `s` may be saturated too.
            return (self.index(-f32::MAX, axis), self.index(f32::MAX, axis));
        }
        (self.index(saturate(s - m), axis), self.index(saturate(s + m), axis))
    }

    /// First and last index of what is within `reach` of a place on one axis, in double precision; none beyond the linear range of a torus.
    /// The cell of a position is computed in single precision and off by at most 2^-6 there; a thirty-second of a cell covers it, and what is
    /// lost here.
    #[inline(always)]
    pub(crate) fn across(&self, axis: usize, place: f64, reach: f64) -> Option<[i32; 2]> {
        const MARGIN: f64 = 1.0 / 32.0;
        let (origin, inverse) = (f64::from(self.origin[axis]), f64::from(self.inverse));
        let (from, to) = ((place - reach - origin) * inverse - MARGIN, (place + reach - origin) * inverse + MARGIN);
        if self.is_torus() {
            let far = f64::from(LINEAR) - 2.0;
            return if from >= -far && to <= far { Some([floor(from), floor(to)]) } else { None };
        }
        // What is outside is at the rim, and a place so far out that it is no i32 too.
        let last = f64::from(if axis == 0 { self.last.0 } else { self.last.1 });
        Some([floor_to(from, last), floor_to(to, last)])
    }

    /// The key of a cell. Indices of a boxed map are already within it.
    #[inline(always)]
    pub(crate) fn key_of(&self, cx: i32, cy: i32) -> u32 {
        (cy as u32).wrapping_mul(self.stride).wrapping_add(cx as u32) & self.mask
    }

    /// A key that has run past the last one.
    #[inline]
    pub(crate) fn wrap(&self, key: u32) -> u32 {
        key & self.mask
    }

    /// The key of a position.
    #[inline]
    pub(crate) fn key(&self, x: f32, y: f32) -> u32 {
        self.key_of(self.index(self.scale(x, 0), 0), self.index(self.scale(y, 1), 1))
    }

    /// The keys of a column of positions.
    #[inline(always)]
    pub(crate) fn keys(&self, x: &[f32], y: &[f32], keys: &mut [u32]) {
        self.each::<false>(x, y, keys);
    }

    #[inline(always)]
    fn each<const HASH: bool>(&self, x: &[f32], y: &[f32], to: &mut [u32]) {
        const STRIP: usize = 512;
        for ((x, y), to) in x.chunks(STRIP).zip(y.chunks(STRIP)).zip(to.chunks_mut(STRIP)) {
            if self.each_near::<HASH>(x, y, to) {
                for ((&x, &y), to) in x.iter().zip(y).zip(to) {
                    *to = self.of::<HASH>(self.index(self.scale(x, 0), 0), self.index(self.scale(y, 1), 1));
                }
            }
        }
    }

    /// As if nothing were far, in a form that the compiler turns into vector code; true if something was far.
    #[inline(always)]
    fn each_near<const HASH: bool>(&self, x: &[f32], y: &[f32], to: &mut [u32]) -> bool {
        let (low, high) = (self.low, self.high);
        let mut far = false;
        for ((&x, &y), to) in x.iter().zip(y).zip(to.iter_mut()) {
            let (sx, sy) = ((x - self.origin[0]) * self.inverse, (y - self.origin[1]) * self.inverse);
            // On a torus the index of what is at the lower end is that of what is beyond it.
            far |= (sx <= low) | (sx > high[0]) | (sy <= low) | (sy > high[1]);
            *to = self.of::<HASH>(near_floor(sx, low, high[0]), near_floor(sy, low, high[1]));
        }
        far && self.is_torus()
    }

    /// The key of a cell, or its hash.
    #[inline(always)]
    fn of<const HASH: bool>(&self, cx: i32, cy: i32) -> u32 {
        if HASH {
            let h = (cx as u32).wrapping_mul(0x9E37_79B1) ^ (cy as u32).wrapping_mul(0x85EB_CA77).rotate_left(15);
            return h ^ h >> 15;
        }
        self.key_of(cx, cy)
    }
}

/// The keys of a column of positions, or hashes of their cells as if there were no end of keys. No kernels are needed, only the code compiled for
/// what the machine has.
pub(super) struct ToCells<'a, const HASH: bool> {
    pub(super) map: &'a CellMap,
    pub(super) x: &'a [f32],
    pub(super) y: &'a [f32],
    pub(super) to: &'a mut [u32],
}

impl<const HASH: bool> Operation for ToCells<'_, HASH> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        self.map.each::<HASH>(self.x, self.y, self.to);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::range;
    use super::*;

    /// On [0, 1).
    fn random(state: &mut u64) -> f64 {
        range(state, 0.0, 1.0)
    }

    #[test]
    fn neighbours_within_reach_at_every_scale() {
        let mut g = 7;
        for map in [
            CellMap::torus([0.0, 0.0], 1.3, 1 << 12),
            CellMap::torus([6.4e6, 5.0], 0.37, 1 << 12),
            CellMap::boxed([-3.0, -3.0], 0.7, 100_000, 3),
        ] {
            for _ in 0..200_000 {
                let far = 10f64.powf(random(&mut g) * 12.0 - 2.0) * if random(&mut g) < 0.5 { -1.0 } else { 1.0 };
                let a = (f64::from(map.origin[0]) + far) as f32;
                let b = (f64::from(a) + f64::from(map.reach()) * random(&mut g)) as f32;
                if f64::from(b) - f64::from(a) > f64::from(map.reach()) || b < a {
                    continue; // rounding of b to f32 carried it away: not a pair within reach
                }
                let (i, j) = (map.index(map.scale(a, 0), 0), map.index(map.scale(b, 0), 0));
                assert!(j == i || j == i + 1, "{a} {b}: {i} {j}");
            }
        }
    }

    #[test]
    fn index_is_monotone_to_the_ends_of_the_range() {
        let map = CellMap::torus([1.0, 0.0], 1e-3, 64);
        let mut last = i32::MIN;
        for k in (0..(1u32 << 31) / 4096).rev() {
            let v = -f32::from_bits(k * 4096);
            if v.is_finite() && v <= 0.0 {
                let i = map.index(map.scale(v, 0), 0);
                assert!(i >= last, "{v}");
                last = i;
            }
        }
        for k in 0..(1u32 << 31) / 4096 {
            let v = f32::from_bits(k * 4096);
            if v.is_finite() && v >= 0.0 {
                let i = map.index(map.scale(v, 0), 0);
                assert!(i >= last, "{v}");
                last = i;
            }
        }
        // 2^17 + (octaves from 2^17 to 2^128: 111) · 2^17, less nothing: the very end of the range.
        assert_eq!(map.index(f32::MAX, 0), 131_072 + 111 * 131_072 - 1);
    }

    #[test]
    fn one_cell_may_hold_the_whole_range() {
        // All is infinitely many cells of no width away.
        let map = CellMap::boxed([-f32::MAX; 2], f32::INFINITY, 1, 1);
        let mut keys = [7; 3];
        map.keys(&[f32::MAX, 0.0, -f32::MAX], &[f32::MAX, f32::MAX, 1.0], &mut keys);
        assert_eq!(keys, [0; 3]);
    }

    #[test]
    fn columns_give_the_same_keys_as_single_positions() {
        let mut g = 3;
        for map in [CellMap::torus([0.5, -0.5], 0.25, 1000), CellMap::boxed([0.0, 0.0], 0.5, 20, 30)] {
            let mut xs: Vec<f32> = (0..2000).map(|i| (random(&mut g) * 10f64.powi(i % 11)) as f32 - 3.0).collect();
            let mut ys: Vec<f32> = (0..2000).map(|i| 3.0 - (random(&mut g) * 10f64.powi(i % 7)) as f32).collect();
            let (mut keys, mut hashes) = (vec![0; xs.len()], vec![0; xs.len()]);
            map.keys(&xs, &ys, &mut keys);
            for i in 0..xs.len() {
                assert_eq!(keys[i], map.key(xs[i], ys[i]), "{} {}", xs[i], ys[i]);
                assert!(keys[i] < map.cells());
            }
            // All but the first strip is near, or at either end of what is.
            xs[512..].iter_mut().chain(&mut ys[512..]).for_each(|v| *v *= 1e-9);
            (ys[600], ys[1100]) = (-0.5 - 0.25 * LINEAR, -0.5 + 0.25 * LINEAR);
            map.each::<true>(&xs, &ys, &mut hashes);
            map.keys(&xs, &ys, &mut keys);
            assert!((0..xs.len()).all(|i| keys[i] == map.key(xs[i], ys[i])));
            for i in 0..if map.is_torus() { xs.len() } else { 0 } {
                let [cx, cy] = [(xs[i], 0), (ys[i], 1)].map(|(v, axis)| map.index(map.scale(v, axis), axis));
                assert_eq!(hashes[i], map.of::<true>(cx, cy), "{} {}", xs[i], ys[i]);
            }
        }
    }
}
