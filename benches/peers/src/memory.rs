//! How much memory a peer has asked for: every allocation of the process is counted, those made in C by whoever counts there itself.
//!
//! The allocator is the system's; counting costs a few nanoseconds a call, which nobody pays who asks for nothing in a call.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What was held when a peer began.
#[derive(Clone, Copy)]
pub(crate) struct Begin(usize);

impl Begin {
    pub(crate) fn now() -> Begin {
        ALLOCATOR.reset_peak_usage();
        Begin(ALLOCATOR.current_usage())
    }

    /// The most bytes that were held at once since then, beyond what was held then.
    pub(crate) fn most_since(self) -> usize {
        ALLOCATOR.peak_usage().saturating_sub(self.0)
    }
}
