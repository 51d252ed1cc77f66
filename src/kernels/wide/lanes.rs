//! The eight lanes that the wide texts are written over: the least that they need, so that another instruction set is
//! one more implementation of this page.

use crate::kernels::operation::{self, Outlined};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};
use wide::{f32x8, f64x4, i32x8};

/// Eight `f32`. Comparisons give all-ones or all-zero lanes, to be combined by `&` and `|`, and are false for NaN.
/// Every operation is IEEE 754 single precision, rounded to nearest: the same bits on every machine.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    /// The same machine's doubles.
    type Doubles: Quad;
    /// See [`Kernels::outline`](crate::kernels::Kernels::outline).
    fn outline<P: Outlined>(part: P) -> P::Output;
    /// Lanes 0 to 3 and 4 to 7; exact.
    fn widen(self) -> (Self::Doubles, Self::Doubles);
    /// The nearest `f32` of each.
    fn narrow(low: Self::Doubles, high: Self::Doubles) -> Self;
    /// The same value in all lanes.
    fn splat(v: f32) -> Self;
    /// Lane 0 first.
    fn load(v: &[f32; 8]) -> Self;
    /// Lane 0 first.
    fn store(self) -> [f32; 8];
    /// Square roots.
    fn sqrt(self) -> Self;
    /// Sign bits cleared.
    fn abs(self) -> Self;
    /// `self <= o`.
    fn le(self, o: Self) -> Self;
    /// `self < o`.
    fn lt(self, o: Self) -> Self;
    /// `self >= o`.
    fn ge(self, o: Self) -> Self;
    /// `self > o`.
    fn gt(self, o: Self) -> Self;
    /// `self == o`.
    fn eq(self, o: Self) -> Self;
    /// Per lane of a comparison: `yes` where it holds, `no` elsewhere.
    fn select(self, yes: Self, no: Self) -> Self;
    /// `self` where it is more than `low`, else `low`, also where either is not a number. Written lane by lane, the compiler has one instruction
    /// for it where there is one that does just this (`vmaxps`); a choice by a comparison would be two or three.
    #[inline(always)]
    fn at_least(self, low: Self) -> Self {
        let (mut out, low) = (self.store(), low.store());
        for (to, low) in out.iter_mut().zip(low) {
            *to = if *to > low { *to } else { low };
        }
        Self::load(&out)
    }
    /// `self` where it is less than `high`, else `high`, also where either is not a number. As [`Self::at_least`].
    #[inline(always)]
    fn at_most(self, high: Self) -> Self {
        let (mut out, high) = (self.store(), high.store());
        for (to, high) in out.iter_mut().zip(high) {
            *to = if *to < high { *to } else { high };
        }
        Self::load(&out)
    }
    /// Bit k: the comparison holds in lane k.
    fn mask(self) -> u32;
    /// The lowest bits of a mask of eight: so many, fewer than 256.
    #[inline(always)]
    fn lowest(mask: u32, count: u32) -> u32 {
        mask & super::below(count)
    }
    /// `self < o`, of the bits as integers below 2^31.
    fn bits_lt(self, o: Self) -> Self;
    /// Lane k of column j becomes number j of record k, which is in two halves; bits are moved, whatever they mean.
    fn in_halves(columns: [Self; 8]) -> [[[f32; 4]; 2]; 8];
    /// Lane k of the result is the lane of which the number is in place k, modulo eight; bits are moved, whatever they mean.
    fn pick(self, lanes: [u32; 8]) -> Self;
    /// The columns of eight records.
    fn columns_of(records: [&[f32; 4]; 8]) -> [Self; 4];
}

impl Lanes for f32x8 {
    type Doubles = f64x4;
    #[inline(always)]
    fn outline<P: Outlined>(part: P) -> P::Output {
        operation::outline(part)
    }
    #[inline(always)]
    fn widen(self) -> (f64x4, f64x4) {
        let [a, b, c, d, e, f, g, h] = self.store();
        (f64x4::new([a.into(), b.into(), c.into(), d.into()]), f64x4::new([e.into(), f.into(), g.into(), h.into()]))
    }
    #[inline(always)]
    fn narrow(low: f64x4, high: f64x4) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        f32x8::new([a as f32, b as f32, c as f32, d as f32, e as f32, f as f32, g as f32, h as f32])
    }
    #[inline(always)]
    fn splat(v: f32) -> Self {
        f32x8::splat(v)
    }
    #[inline(always)]
    fn load(v: &[f32; 8]) -> Self {
        bytemuck::cast(*v)
    }
    #[inline(always)]
    fn store(self) -> [f32; 8] {
        bytemuck::cast(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32x8::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32x8::abs(self)
    }
    #[inline(always)]
    fn le(self, o: Self) -> Self {
        self.simd_le(o)
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self {
        self.simd_lt(o)
    }
    #[inline(always)]
    fn ge(self, o: Self) -> Self {
        self.simd_ge(o)
    }
    #[inline(always)]
    fn gt(self, o: Self) -> Self {
        self.simd_gt(o)
    }
    #[inline(always)]
    fn eq(self, o: Self) -> Self {
        self.simd_eq(o)
    }
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.bitselect(yes, no)
    }
    #[inline(always)]
    fn mask(self) -> u32 {
        self.to_bitmask()
    }
    #[inline(always)]
    fn bits_lt(self, o: Self) -> Self {
        let [a, b]: [i32x8; 2] = [bytemuck::cast(self), bytemuck::cast(o)];
        bytemuck::cast(a.simd_lt(b))
    }
    #[inline(always)]
    fn in_halves(columns: [Self; 8]) -> [[[f32; 4]; 2]; 8] {
        let rows: [[f32; 8]; 8] = bytemuck::cast(f32x8::transpose(columns));
        bytemuck::cast(rows)
    }
    #[inline(always)]
    fn pick(self, lanes: [u32; 8]) -> Self {
        let bits: [u32; 8] = bytemuck::cast(self);
        let mut picked = [0; 8];
        for (to, lane) in picked.iter_mut().zip(lanes) {
            *to = bits[lane as usize % 8];
        }
        bytemuck::cast(picked)
    }
    #[inline(always)]
    fn columns_of(records: [&[f32; 4]; 8]) -> [Self; 4] {
        let mut columns = [[0.0; 8]; 4];
        for (k, &&[a, b, c, d]) in records.iter().enumerate() {
            (columns[0][k], columns[1][k], columns[2][k], columns[3][k]) = (a, b, c, d);
        }
        let [a, b, c, d] = columns;
        [bytemuck::cast(a), bytemuck::cast(b), bytemuck::cast(c), bytemuck::cast(d)]
    }
}

/// Eight consecutive values from a column that has room behind its end.
#[inline(always)]
pub(crate) fn load<L: Lanes>(column: &[f32], at: usize) -> L {
    let eight: &[f32; 8] = column[at..at + 8].try_into().expect("eight values");
    L::load(eight)
}

/// Several `f64`, for what single precision is too coarse for. Comparisons as in [`Lanes`]; every operation is IEEE 754 double
/// precision, rounded to nearest.
pub(crate) trait Doubles:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    /// How many: four or eight.
    const COUNT: usize;
    /// The same value in all lanes.
    fn splat(v: f64) -> Self;
    /// Square roots.
    fn sqrt(self) -> Self;
    /// Sign bits cleared.
    fn abs(self) -> Self;
    /// `self <= o`.
    fn le(self, o: Self) -> Self;
    /// `self < o`.
    fn lt(self, o: Self) -> Self;
    /// `self >= o`.
    fn ge(self, o: Self) -> Self;
    /// `self > o`.
    fn gt(self, o: Self) -> Self;
    /// Per lane of a comparison: `yes` where it holds, `no` elsewhere.
    fn select(self, yes: Self, no: Self) -> Self;
    /// Bit k: the comparison holds in lane k.
    fn mask(self) -> u32;
    /// Some of eight `f32`, from this one on; exact.
    fn widen(of: &[f32; 8], from: usize) -> Self;
    /// The nearest `f32` of each, to some of eight, from this one on.
    fn narrow(self, to: &mut [f32; 8], from: usize);
}

/// Four of them.
pub(crate) trait Quad: Doubles {
    /// As [`Lanes::at_least`].
    #[inline(always)]
    fn at_least(self, low: Self) -> Self {
        let (mut out, low) = (self.store(), low.store());
        for (to, low) in out.iter_mut().zip(low) {
            *to = if *to > low { *to } else { low };
        }
        Self::load(&out)
    }
    /// As [`Lanes::at_most`].
    #[inline(always)]
    fn at_most(self, high: Self) -> Self {
        let (mut out, high) = (self.store(), high.store());
        for (to, high) in out.iter_mut().zip(high) {
            *to = if *to < high { *to } else { high };
        }
        Self::load(&out)
    }
    /// Lane 0 first.
    fn load(v: &[f64; 4]) -> Self;
    /// Lane 0 first.
    fn store(self) -> [f64; 4];
    /// The columns of four records.
    fn columns(records: [&[f64; 2]; 4]) -> [Self; 2];
    /// The records of two columns.
    fn rows(columns: [Self; 2]) -> [[f64; 2]; 4];
}

impl Doubles for f64x4 {
    const COUNT: usize = 4;
    #[inline(always)]
    fn splat(v: f64) -> Self {
        f64x4::splat(v)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64x4::abs(self)
    }
    #[inline(always)]
    fn le(self, o: Self) -> Self {
        self.simd_le(o)
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self {
        self.simd_lt(o)
    }
    #[inline(always)]
    fn ge(self, o: Self) -> Self {
        self.simd_ge(o)
    }
    #[inline(always)]
    fn gt(self, o: Self) -> Self {
        self.simd_gt(o)
    }
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.bitselect(yes, no)
    }
    #[inline(always)]
    fn mask(self) -> u32 {
        self.to_bitmask()
    }
    #[inline(always)]
    fn widen(of: &[f32; 8], from: usize) -> Self {
        let [a, b, c, d] = of.as_chunks().0[from / 4];
        f64x4::new([a.into(), b.into(), c.into(), d.into()])
    }
    #[inline(always)]
    fn narrow(self, to: &mut [f32; 8], from: usize) {
        let [a, b, c, d] = self.to_array();
        to.as_chunks_mut().0[from / 4] = [a as f32, b as f32, c as f32, d as f32];
    }
}

impl Quad for f64x4 {
    #[inline(always)]
    fn load(v: &[f64; 4]) -> Self {
        f64x4::new(*v)
    }
    #[inline(always)]
    fn store(self) -> [f64; 4] {
        self.to_array()
    }
    #[inline(always)]
    fn columns([a, b, c, d]: [&[f64; 2]; 4]) -> [Self; 2] {
        [f64x4::new([a[0], b[0], c[0], d[0]]), f64x4::new([a[1], b[1], c[1], d[1]])]
    }
    #[inline(always)]
    fn rows([x, y]: [Self; 2]) -> [[f64; 2]; 4] {
        let ([a, b, c, d], [e, f, g, h]) = (x.to_array(), y.to_array());
        [[a, e], [b, f], [c, g], [d, h]]
    }
}
