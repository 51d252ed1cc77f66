//! The instruction set, chosen at run time: the only unsafe code of the crate.
//!
//! Comes in: an operation that is generic over kernels. Goes out: its result, computed with the best lanes that this
//! machine has; the same bits with any. Two kinds of `unsafe` are here: calls of intrinsics in the implementation of the lanes
//! and of packing, and calls of functions that are compiled for AVX2 or AVX-512. Both are sound because lanes of type `Avx2` come
//! into being only inside `run_avx2` and `run_avx512`, rows are packed by `Compress` only inside the latter, and each is called only
//! where its features have been found.
//!
//! AVX-512 is AVX2 but for operations that gain by it ([`Operation::AVX512`]): on the same lanes of 256 bits, with rows packed by
//! an instruction instead of a table, and compiled for twice the registers. What was measured, and what did not gain, is in
//! `docs/avx512.md`.
//!
//! Whoever computes asks [`InstructionSet::best`] once, when it is made, and keeps the answer as a value: worlds with
//! different sets live side by side. Tests narrow the choice with [`InstructionSet::only`]; nothing else does.
//!
//! Everything between these functions and the intrinsics has to be inlined, or it is compiled without their features and calls
//! each intrinsic as a function: mark it `#[inline(always)]`, and use no closures, which cannot be marked.

use super::scalar::Scalar;
use super::wide::Portable;
use super::{Backend, Kernels};
use std::cell::Cell;

/// Something to be done with some kernels. Implement [`Operation::run`] with `#[inline(always)]`.
pub(crate) trait Operation {
    /// Whether it gains where there is AVX-512, as measured. Otherwise it does there what it does with AVX2.
    const AVX512: bool = false;
    type Output;
    fn run<K: Kernels>(self) -> Self::Output;
}

/// The lanes that a process can choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    /// What the target was built for.
    Portable,
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same, and more where it pays.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

thread_local! {
    /// What [`InstructionSet::only`] has left to choose from on this thread.
    static ONLY: Cell<Option<InstructionSet>> = const { Cell::new(None) };
}

impl InstructionSet {
    /// All that this build knows, the best one last.
    pub(crate) const ALL: &[InstructionSet] = &[
        InstructionSet::Portable,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512,
    ];

    /// The best one of this machine; inside [`Self::only`] the one named there.
    pub(crate) fn best() -> InstructionSet {
        let found = || InstructionSet::ALL.iter().rev().copied().find(|set| set.is_found());
        ONLY.get().or_else(found).unwrap_or(InstructionSet::Portable)
    }

    /// The reference, and the wide text with each set that this machine has.
    #[cfg(test)]
    pub(crate) fn texts() -> Vec<(Backend, InstructionSet)> {
        let found = InstructionSet::ALL.iter().filter(|set| set.is_found()).map(|&set| (Backend::Wide, set));
        [(Backend::Scalar, InstructionSet::Portable)].into_iter().chain(found).collect()
    }

    /// Whether this machine has it.
    pub(crate) fn is_found(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2_found(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512_found(),
        }
    }

    /// What it is asked for by: other than [`Self::name`], one for each set even where the target was built for more.
    pub(crate) fn label(self) -> &'static str {
        match self {
            InstructionSet::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
        }
    }

    /// The one of this label, if the machine has it.
    pub(crate) fn called(label: &str) -> Option<InstructionSet> {
        InstructionSet::ALL.iter().copied().find(|set| set.label() == label && set.is_found())
    }

    /// Does `work`; whatever chooses an instruction set on this thread meanwhile gets this one. `None`, and nothing done, if
    /// the machine lacks it.
    pub(crate) fn only<R>(self, work: impl FnOnce() -> R) -> Option<R> {
        /// Puts the choice back, even if `work` panics.
        struct Before(Option<InstructionSet>);
        impl Drop for Before {
            fn drop(&mut self) {
                ONLY.set(self.0);
            }
        }
        if !self.is_found() {
            return None;
        }
        let _before = Before(ONLY.replace(Some(self)));
        Some(work())
    }

    /// `"avx512"`, `"avx2"`, or the widest that the target was built for.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
            InstructionSet::Portable if cfg!(target_feature = "avx2") => "avx2",
            InstructionSet::Portable if cfg!(target_feature = "avx") => "avx",
            InstructionSet::Portable if cfg!(target_feature = "sse4.1") => "sse4.1",
            InstructionSet::Portable if cfg!(target_feature = "sse2") => "sse2",
            InstructionSet::Portable if cfg!(all(target_arch = "aarch64", target_feature = "neon")) => "neon",
            InstructionSet::Portable if cfg!(target_feature = "simd128") => "simd128",
            InstructionSet::Portable => "scalar",
        }
    }
}

/// Chosen where a value is made that keeps it.
impl Default for InstructionSet {
    fn default() -> InstructionSet {
        InstructionSet::best()
    }
}

/// The instruction set that [`Backend::Wide`] uses on this machine: `"avx512"`, `"avx2"`, `"sse2"`, `"neon"`, … The results do not
/// depend on it.
#[must_use]
pub fn instruction_set() -> &'static str {
    InstructionSet::best().name()
}

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
            // SAFETY: the features that `run_avx512` is compiled for have just been found (loads and compares: std keeps the
            // answers).
            #[allow(unsafe_code, reason = "calls a function compiled for features that have just been found")]
            unsafe {
                x86::run_avx512(operation)
            }
        }
        #[cfg(target_arch = "x86_64")]
        (Backend::Wide, InstructionSet::Avx2 | InstructionSet::Avx512) => {
            assert!(avx2_found(), "chosen only where it was found");
            // SAFETY: the features that `run_avx2` is compiled for have just been found (a load and a compare: std keeps
            // the answer).
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

/// The features that `run_avx2` is compiled for.
#[cfg(target_arch = "x86_64")]
fn avx2_found() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// The features that `run_avx512` is compiled for: two more, the one that fewer machines have first.
#[cfg(target_arch = "x86_64")]
fn avx512_found() -> bool {
    is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512f") && avx2_found()
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "value intrinsics, reached only through functions compiled for their features")]
mod x86 {
    use super::Operation;
    use crate::kernels::wide::{Doubles, Lanes, Packing, Wide};
    use crate::kernels::{LANES, Writer};
    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};

    /// The same operation, compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2<O: Operation>(operation: O) -> O::Output {
        operation.run::<Wide<Avx2>>()
    }

    /// The same operation, compiled for AVX-512.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl")]
    pub(super) fn run_avx512<O: Operation>(operation: O) -> O::Output {
        operation.run::<Wide<Avx2, Compress>>()
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

    /// SAFETY (of each): the intrinsics below have no precondition but their features: AVX (1 or 2) for the lanes, which are used
    /// from nowhere but the functions above, and AVX-512 (F and VL) for [`Compress`], which is used from nowhere but `run_avx512`.
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

    /// Rows are packed by an instruction.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Compress;

    impl Packing for Compress {
        #[inline(always)]
        fn pack(mask: u32, at: u32) -> [u32; LANES] {
            let rows = intrinsic!({
                let rows = _mm256_add_epi32(_mm256_set1_epi32(at as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
                _mm256_maskz_compress_epi32(mask as u8, rows)
            });
            bytemuck::cast(rows)
        }

        /// Both masks at once. Nothing else is done with registers of 512 bits.
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
    }

    impl Lanes for Avx2 {
        type Doubles = Avx2Doubles;
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_that_is_found_can_be_the_only_one() {
        let best = InstructionSet::best();
        assert!(best.is_found() && InstructionSet::Portable.is_found());
        for &set in InstructionSet::ALL {
            // One that is not found is refused before anything is done.
            let chosen = set.only(|| (InstructionSet::best(), InstructionSet::default()));
            assert_eq!(chosen, set.is_found().then_some((set, set)));
            // Innermost first, and back again.
            let nested = set.only(|| (InstructionSet::Portable.only(InstructionSet::best), InstructionSet::best()));
            assert!(nested.is_none_or(|seen| seen == (Some(InstructionSet::Portable), set)));
        }
        assert_eq!(InstructionSet::best(), best);
    }

    #[test]
    fn other_threads_choose_for_themselves_and_a_panic_leaves_nothing() {
        let best = InstructionSet::best();
        let elsewhere = || std::thread::spawn(InstructionSet::best).join().unwrap();
        assert_eq!(InstructionSet::Portable.only(elsewhere), Some(best));
        let panicked = std::panic::catch_unwind(|| InstructionSet::Portable.only(|| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(InstructionSet::best(), best);
    }

    #[test]
    fn sets_have_their_names() {
        let labels: Vec<_> = InstructionSet::ALL.iter().map(|set| set.label()).collect();
        assert_eq!(labels[0], "portable");
        assert!(labels.iter().all(|label| ["portable", "avx2", "avx512"].contains(label)), "{labels:?}");
        assert!(labels.is_sorted_by(|a, b| a != b));
        for set in InstructionSet::ALL {
            assert_eq!(InstructionSet::called(set.label()), set.is_found().then_some(*set));
        }
        assert_eq!(InstructionSet::called("abacus"), None);
        assert_eq!(instruction_set(), InstructionSet::best().name());
        // Built for this family of machines, and not for more than all of them have.
        #[cfg(all(target_arch = "x86_64", not(target_feature = "sse3")))]
        assert_eq!(InstructionSet::ALL.iter().map(|set| set.name()).collect::<Vec<_>>(), ["sse2", "avx2", "avx512"]);
    }
}
