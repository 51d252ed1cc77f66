//! Which instruction sets there are, and which one this process computes with.
//!
//! Whoever computes asks [`InstructionSet::best`] once, when it is made, and keeps the answer as a value: worlds with
//! different sets live side by side. Tests narrow the choice with [`InstructionSet::only`]; nothing else does. This room does not know
//! what is done with a set.

#[cfg(test)]
use super::Backend;
#[cfg(target_arch = "x86_64")]
use super::instruction_set::{avx2_found, avx512_found};
use std::cell::Cell;

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

/// The instruction set that [`Backend::Wide`](crate::Backend::Wide) uses on this machine: `"avx512"`, `"avx2"`, `"sse2"`, `"neon"`, … The results do not
/// depend on it.
#[must_use]
pub fn instruction_set() -> &'static str {
    InstructionSet::best().name()
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
