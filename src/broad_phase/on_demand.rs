//! Something that is worth making once enough has been spent without it.
//!
//! Comes in: what is spent, how it is made. Goes out: it, if it is due. This room does not know what it is.

use crate::storage::Lazy;
use std::sync::atomic::{AtomicU32, Ordering};

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct OnDemand<T> {
    made: Lazy<T>,
    /// What has been spent without it.
    spent: AtomicU32,
}

impl<T: Default> OnDemand<T> {
    /// What it was made of has changed.
    pub(crate) fn forget(&mut self) {
        self.made.forget();
        *self.spent.get_mut() = 0;
    }

    /// It, made once `enough` has been spent; `spent` is added to that.
    #[inline]
    pub(crate) fn get(&self, [spent, enough]: [u32; 2], make: impl FnOnce(&mut T)) -> Option<&T> {
        if let Some(made) = self.made.made() {
            return Some(made);
        }
        // Wraps around after four milliards; then it is made later.
        if self.spent.fetch_add(spent, Ordering::Relaxed).saturating_add(spent) < enough {
            return None;
        }
        Some(self.make(make))
    }

    #[inline(never)]
    fn make(&self, make: impl FnOnce(&mut T)) -> &T {
        self.made.get(make)
    }

    /// What is held, used or not.
    pub(crate) fn bytes(&self, of: impl Fn(&T) -> usize) -> usize {
        self.made.bytes(of)
    }
}
