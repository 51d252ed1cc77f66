//! What is done with kernels, without a word about which.
//!
//! Comes in: a type with all that is needed, and a method generic over kernels. Goes out: what [`super::instruction_set`] compiles for each set, and
//! [`dispatch`] runs. This room does not know which sets there are.

use super::{Backend, InstructionSet, Kernels, dispatch};

/// Something to be done with some kernels. Implement [`Operation::run`] with `#[inline(always)]`.
pub(crate) trait Operation {
    /// Whether it gains where there is AVX-512, as measured. Otherwise it does there what it does with AVX2.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "a set that others do not have"))]
    const AVX512: bool = false;
    type Output;
    fn run<K: Kernels>(self) -> Self::Output;
}

/// A part of an operation that is a function of its own, called by [`Kernels::outline`]: what is reached from several places, or seldom, is
/// built once, and apart from what is fast because it is small. It names its kernels. Implement [`Outlined::run`] with `#[inline(always)]`.
pub(crate) trait Outlined {
    type Output;
    fn run(self) -> Self::Output;
}

/// A part that needs no features.
#[inline(never)]
pub(super) fn outline<P: Outlined>(part: P) -> P::Output {
    part.run()
}

/// [`dispatch`] for operations of much text that are called from several places: each of its texts is built but once.
#[inline(never)]
pub(crate) fn dispatch_apart<O: Operation>(backend: Backend, set: InstructionSet, operation: O) -> O::Output {
    dispatch(backend, set, operation)
}
