//! Operations run with the instruction set that was chosen: the only unsafe code of the crate.
//!
//! Comes in: an operation that is generic over kernels. Goes out: its result, computed with the best lanes that this
//! machine has; the same bits with any. Two kinds of `unsafe` are here: calls of intrinsics in the implementation of the lanes
//! and of packing, and calls of functions that are compiled for AVX2 or AVX-512. Both are sound because lanes of type `Avx2` come
//! into being only inside `run_avx2`, `run_avx512` and the parts of either, `Compress` and `Avx512Doubles` are used only inside the second, and each
//! is called only where its features have been found.
//!
//! AVX-512 is AVX2 but for operations that gain by it ([`Operation::AVX512`]): on the same lanes of 256 bits, with rows packed by
//! an instruction instead of a table and eight doubles at a time instead of four, and compiled for twice the registers. What was
//! measured, and what did not gain, is in `docs/avx512.md`.
//!
//! Which set it is, [`super::choice`] says.
//!
//! Everything between these functions and the intrinsics has to be inlined, or it is compiled without their features and calls
//! each intrinsic as a function: mark it `#[inline(always)]`, and use no closures, which cannot be marked, nor `map` of arrays, which
//! calls one and is itself not always inlined.

use super::operation::Operation;
use super::scalar::Scalar;
use super::wide::Portable;
use super::{Backend, InstructionSet};
#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

/// Runs an operation with the kernels of a backend.
#[inline]
pub(crate) fn dispatch<O: Operation>(backend: Backend, set: InstructionSet, operation: O) -> O::Output {
    match (backend, set) {
        (Backend::Scalar, _) => operation.run::<Scalar>(),
        (Backend::Wide, InstructionSet::Portable) => operation.run::<Portable>(),
        #[cfg(feature = "unproved")]
        (Backend::Unproved, InstructionSet::Portable) => operation.run::<super::unproved::Unproved<::wide::f32x8>>(),
        #[cfg(target_arch = "x86_64")]
        (Backend::Wide, InstructionSet::Avx512) if O::AVX512 => {
            assert!(avx512_found(), "chosen only where it was found");
            // SAFETY: the features that `run_avx512` is compiled for have just been found (a load and a compare: the answer is kept).
            #[allow(unsafe_code, reason = "calls a function compiled for features that have just been found")]
            unsafe {
                x86::run_avx512(operation)
            }
        }
        #[cfg(target_arch = "x86_64")]
        (Backend::Wide, InstructionSet::Avx2 | InstructionSet::Avx512) => {
            assert!(avx2_found(), "chosen only where it was found");
            // SAFETY: the features that `run_avx2` is compiled for have just been found (a load and a compare: the answer is kept).
            #[allow(unsafe_code, reason = "calls a function compiled for features that have just been found")]
            unsafe {
                x86::run_avx2(operation)
            }
        }
        #[cfg(all(feature = "unproved", target_arch = "x86_64"))]
        (Backend::Unproved, InstructionSet::Avx2 | InstructionSet::Avx512) => {
            assert!(avx2_found(), "chosen only where it was found");
            // SAFETY: as above.
            #[allow(unsafe_code, reason = "calls a function compiled for features that have just been found")]
            unsafe {
                x86::run_unproved(operation)
            }
        }
    }
}

/// The features that `run_avx2` is compiled for. Asked once a call: kept as one word, since std asks for each of them.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn avx2_found() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    })
}

/// The features that `run_avx512` is compiled for: three more.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn avx512_found() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && avx2_found()
    })
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "value intrinsics, reached only through functions compiled for their features")]
mod x86 {
    use super::avx2_found;
    use crate::kernels::operation::{Operation, Outlined};
    use crate::kernels::packing::Packing;
    use crate::kernels::wide::{Doubles, Lanes, Quad, Wide};
    use crate::kernels::{LANES, Writer};
    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};

    /// The same operation, compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2<O: Operation>(operation: O) -> O::Output {
        operation.run::<Wide<Avx2>>()
    }

    /// The same operation, compiled for AVX-512.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512dq,avx512vl")]
    pub(super) fn run_avx512<O: Operation>(operation: O) -> O::Output {
        operation.run::<Wide<Avx2, Compress>>()
    }

    /// A part of either, compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline(never)]
    fn run_part<P: Outlined>(part: P) -> P::Output {
        part.run()
    }

    /// As the first, without proofs.
    #[cfg(feature = "unproved")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_unproved<O: Operation>(operation: O) -> O::Output {
        operation.run::<crate::kernels::unproved::Unproved<Avx2>>()
    }

    /// Eight lanes in one register.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx2(__m256);

    /// Four doubles in one register.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx2Doubles(__m256d);

    /// Eight doubles in one register.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx512Doubles(__m512d);

    /// SAFETY (of each): the intrinsics below have no precondition but their features: AVX (1 or 2) for the lanes, which are used
    /// from nowhere but the functions above, and AVX-512 (F, DQ, VL) for [`Compress`] and [`Avx512Doubles`], used from nowhere but `run_avx512`.
    /// They take and give values; none touches memory.
    macro_rules! intrinsic {
        ($call:expr) => {
            unsafe { $call }
        };
    }

    macro_rules! operator {
        ($lanes:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
            impl $trait for $lanes {
                type Output = $lanes;
                #[inline(always)]
                fn $method(self, o: $lanes) -> $lanes {
                    $lanes(intrinsic!($intrinsic(self.0, o.0)))
                }
            }
        };
    }

    macro_rules! comparison {
        ($method:ident, $intrinsic:ident, $predicate:ident) => {
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                Self(intrinsic!($intrinsic::<$predicate>(self.0, o.0)))
            }
        };
    }

    operator!(Avx2, Add, add, _mm256_add_ps);
    operator!(Avx2, Sub, sub, _mm256_sub_ps);
    operator!(Avx2, Mul, mul, _mm256_mul_ps);
    operator!(Avx2, Div, div, _mm256_div_ps);
    operator!(Avx2, BitAnd, bitand, _mm256_and_ps);
    operator!(Avx2, BitOr, bitor, _mm256_or_ps);
    operator!(Avx2Doubles, Add, add, _mm256_add_pd);
    operator!(Avx2Doubles, Sub, sub, _mm256_sub_pd);
    operator!(Avx2Doubles, Mul, mul, _mm256_mul_pd);
    operator!(Avx2Doubles, Div, div, _mm256_div_pd);
    operator!(Avx2Doubles, BitAnd, bitand, _mm256_and_pd);
    operator!(Avx2Doubles, BitOr, bitor, _mm256_or_pd);
    operator!(Avx512Doubles, Add, add, _mm512_add_pd);
    operator!(Avx512Doubles, Sub, sub, _mm512_sub_pd);
    operator!(Avx512Doubles, Mul, mul, _mm512_mul_pd);
    operator!(Avx512Doubles, Div, div, _mm512_div_pd);
    operator!(Avx512Doubles, BitAnd, bitand, _mm512_and_pd);
    operator!(Avx512Doubles, BitOr, bitor, _mm512_or_pd);

    /// Rows are packed by an instruction.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Compress;

    impl Packing for Compress {
        type Doubles<L: Lanes> = Avx512Doubles;

        #[inline(always)]
        fn pack(mask: u32, at: u32) -> [u32; LANES] {
            let rows = intrinsic!({
                let rows = _mm256_add_epi32(_mm256_set1_epi32(at as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
                _mm256_maskz_compress_epi32(mask as u8, rows)
            });
            bytemuck::cast(rows)
        }

        /// Both masks at once, in one register of 512 bits.
        #[inline(always)]
        fn emit_both(out: &mut Writer<'_>, row: u32, [low, high]: [u32; 2], [first, second]: [u32; 2]) {
            let mask = (first & 0xFF) | (second & 0xFF) << 8;
            let rows = intrinsic!({
                let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
                let starts = _mm512_mask_set1_epi32(_mm512_set1_epi32(low as i32), 0xFF00, high as i32);
                let rows = _mm512_maskz_compress_epi32(mask as u16, _mm512_add_epi32(starts, lanes));
                [_mm512_castsi512_si256(rows), _mm512_extracti64x4_epi64::<1>(rows)]
            });
            out.emit_sixteen(row, bytemuck::cast(rows), mask.count_ones());
        }
    }

    impl Doubles for Avx2Doubles {
        const COUNT: usize = 4;
        #[inline(always)]
        fn splat(v: f64) -> Self {
            Avx2Doubles(intrinsic!(_mm256_set1_pd(v)))
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Avx2Doubles(intrinsic!(_mm256_sqrt_pd(self.0)))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Avx2Doubles(intrinsic!(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)))
        }
        comparison!(le, _mm256_cmp_pd, _CMP_LE_OQ);
        comparison!(lt, _mm256_cmp_pd, _CMP_LT_OQ);
        comparison!(ge, _mm256_cmp_pd, _CMP_GE_OQ);
        comparison!(gt, _mm256_cmp_pd, _CMP_GT_OQ);
        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            Avx2Doubles(intrinsic!(_mm256_blendv_pd(no.0, yes.0, self.0)))
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            intrinsic!(_mm256_movemask_pd(self.0)) as u32
        }
        #[inline(always)]
        fn widen(of: &[f32; 8], from: usize) -> Self {
            Avx2Doubles(intrinsic!(_mm256_cvtps_pd(bytemuck::cast(of.as_chunks::<4>().0[from / 4]))))
        }
        #[inline(always)]
        fn narrow(self, to: &mut [f32; 8], from: usize) {
            to.as_chunks_mut::<4>().0[from / 4] = bytemuck::cast(intrinsic!(_mm256_cvtpd_ps(self.0)));
        }
    }

    impl Quad for Avx2Doubles {
        #[inline(always)]
        fn load(v: &[f64; 4]) -> Self {
            Avx2Doubles(bytemuck::cast(*v))
        }
        #[inline(always)]
        fn store(self) -> [f64; 4] {
            bytemuck::cast(self.0)
        }
        #[inline(always)]
        fn columns([a, b, c, d]: [&[f64; 2]; 4]) -> [Self; 2] {
            let [a, b, c, d]: [__m128d; 4] =
                [bytemuck::cast(*a), bytemuck::cast(*b), bytemuck::cast(*c), bytemuck::cast(*d)];
            let (even, odd) = intrinsic!((_mm256_set_m128d(c, a), _mm256_set_m128d(d, b)));
            let (x, y) = intrinsic!((_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)));
            [Avx2Doubles(x), Avx2Doubles(y)]
        }
        #[inline(always)]
        fn rows([x, y]: [Self; 2]) -> [[f64; 2]; 4] {
            let (even, odd) = intrinsic!((_mm256_unpacklo_pd(x.0, y.0), _mm256_unpackhi_pd(x.0, y.0)));
            let ([a, c], [b, d]): ([[f64; 2]; 2], [[f64; 2]; 2]) = (bytemuck::cast(even), bytemuck::cast(odd));
            [a, b, c, d]
        }
    }

    /// As lanes.
    macro_rules! wide_comparison {
        ($method:ident, $predicate:ident) => {
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                let holds = intrinsic!(_mm512_cmp_pd_mask::<$predicate>(self.0, o.0));
                Self(intrinsic!(_mm512_castsi512_pd(_mm512_movm_epi64(holds))))
            }
        };
    }

    impl Doubles for Avx512Doubles {
        const COUNT: usize = 8;
        #[inline(always)]
        fn splat(v: f64) -> Self {
            Avx512Doubles(intrinsic!(_mm512_set1_pd(v)))
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Avx512Doubles(intrinsic!(_mm512_sqrt_pd(self.0)))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Avx512Doubles(intrinsic!(_mm512_abs_pd(self.0)))
        }
        wide_comparison!(le, _CMP_LE_OQ);
        wide_comparison!(lt, _CMP_LT_OQ);
        wide_comparison!(ge, _CMP_GE_OQ);
        wide_comparison!(gt, _CMP_GT_OQ);
        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            Avx512Doubles(intrinsic!(_mm512_mask_blend_pd(self.mask() as u8, no.0, yes.0)))
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            u32::from(intrinsic!(_mm512_movepi64_mask(_mm512_castpd_si512(self.0))))
        }
        #[inline(always)]
        fn widen(of: &[f32; 8], _: usize) -> Self {
            Avx512Doubles(intrinsic!(_mm512_cvtps_pd(bytemuck::cast(*of))))
        }
        #[inline(always)]
        fn narrow(self, to: &mut [f32; 8], _: usize) {
            *to = bytemuck::cast(intrinsic!(_mm512_cvtpd_ps(self.0)));
        }
    }

    impl Lanes for Avx2 {
        type Doubles = Avx2Doubles;
        #[inline(always)]
        fn outline<P: Outlined>(part: P) -> P::Output {
            assert!(avx2_found(), "chosen only where it was found");
            // SAFETY: the features that `run_part` is compiled for have just been found.
            unsafe { run_part(part) }
        }
        #[inline(always)]
        fn widen(self) -> (Avx2Doubles, Avx2Doubles) {
            let (low, high) = intrinsic!((_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0)));
            (Avx2Doubles(intrinsic!(_mm256_cvtps_pd(low))), Avx2Doubles(intrinsic!(_mm256_cvtps_pd(high))))
        }
        #[inline(always)]
        fn narrow(low: Avx2Doubles, high: Avx2Doubles) -> Self {
            let (low, high) = intrinsic!((_mm256_cvtpd_ps(low.0), _mm256_cvtpd_ps(high.0)));
            Avx2(intrinsic!(_mm256_set_m128(high, low)))
        }
        #[inline(always)]
        fn splat(v: f32) -> Self {
            Avx2(intrinsic!(_mm256_set1_ps(v)))
        }
        #[inline(always)]
        fn load(v: &[f32; 8]) -> Self {
            Avx2(bytemuck::cast(*v))
        }
        #[inline(always)]
        fn store(self) -> [f32; 8] {
            bytemuck::cast(self.0)
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Avx2(intrinsic!(_mm256_sqrt_ps(self.0)))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Avx2(intrinsic!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)))
        }
        comparison!(le, _mm256_cmp_ps, _CMP_LE_OQ);
        comparison!(lt, _mm256_cmp_ps, _CMP_LT_OQ);
        comparison!(ge, _mm256_cmp_ps, _CMP_GE_OQ);
        comparison!(gt, _mm256_cmp_ps, _CMP_GT_OQ);
        comparison!(eq, _mm256_cmp_ps, _CMP_EQ_OQ);
        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            Avx2(intrinsic!(_mm256_blendv_ps(no.0, yes.0, self.0)))
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            intrinsic!(_mm256_movemask_ps(self.0)) as u32
        }
        #[inline(always)]
        fn lowest(mask: u32, count: u32) -> u32 {
            // It looks at the lowest byte of the count alone.
            debug_assert!(count < 256);
            intrinsic!(_bzhi_u32(mask, count))
        }
        #[inline(always)]
        fn bits_lt(self, o: Self) -> Self {
            Avx2(intrinsic!({
                let (a, b) = (_mm256_castps_si256(self.0), _mm256_castps_si256(o.0));
                _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a))
            }))
        }
        #[inline(always)]
        fn pick(self, lanes: [u32; 8]) -> Self {
            Avx2(intrinsic!(_mm256_permutevar8x32_ps(self.0, bytemuck::cast(lanes))))
        }
        #[inline(always)]
        fn in_halves([a, b, c, d, e, f, g, h]: [Self; 8]) -> [[[f32; 4]; 2]; 8] {
            let (low, high) = (fours([a.0, b.0, c.0, d.0]), fours([e.0, f.0, g.0, h.0]));
            let mut rows = [[[0.0; 4]; 2]; 8];
            for k in 0..4 {
                let (low, high): ([[f32; 4]; 2], [[f32; 4]; 2]) = (bytemuck::cast(low[k].0), bytemuck::cast(high[k].0));
                rows[k] = [low[0], high[0]];
                rows[k + 4] = [low[1], high[1]];
            }
            rows
        }
        #[inline(always)]
        fn columns_of([a, b, c, d, e, f, g, h]: [&[f32; 4]; 8]) -> [Self; 4] {
            fours([both(a, e), both(b, f), both(c, g), both(d, h)])
        }
    }

    /// Four lanes and four more.
    #[inline(always)]
    fn both(a: &[f32; 4], b: &[f32; 4]) -> __m256 {
        let (low, high) = (bytemuck::cast(*a), bytemuck::cast(*b));
        intrinsic!(_mm256_set_m128(high, low))
    }

    /// Four rows of four to four columns, in either half.
    #[inline(always)]
    fn fours([a, b, c, d]: [__m256; 4]) -> [Avx2; 4] {
        let (ab, ab2) = intrinsic!((_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)));
        let (cd, cd2) = intrinsic!((_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d)));
        let (first, second) = intrinsic!((_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0xEE>(ab, cd)));
        let (third, fourth) = intrinsic!((_mm256_shuffle_ps::<0x44>(ab2, cd2), _mm256_shuffle_ps::<0xEE>(ab2, cd2)));
        [Avx2(first), Avx2(second), Avx2(third), Avx2(fourth)]
    }
}
