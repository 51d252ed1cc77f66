//! Something of each level that is worth making once enough has been spent without it.
//!
//! Comes in: what is spent, levels, how one is made. Goes out: that of a level, if it is due. This room does not know what it is.

use super::plan::Level;
use crate::storage::Lazy;
use std::sync::atomic::{AtomicU32, Ordering};

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct OnDemand<T> {
    made: Lazy<Vec<T>>,
    /// What has been spent without them.
    spent: AtomicU32,
}

impl<T: Default> OnDemand<T> {
    /// What they were made of has changed.
    pub(super) fn forget(&mut self) {
        self.made.forget();
        *self.spent.get_mut() = 0;
    }

    /// That of a level, made with those of all once `enough` has been spent; `spent` is added to that.
    #[inline]
    pub(super) fn of(
        &self,
        level: &Level,
        levels: &[Level],
        [spent, enough]: [u32; 2],
        make: impl Fn(&mut T, &Level),
    ) -> Option<&T> {
        let all = match self.made.made() {
            Some(all) => all,
            None if self.spent.fetch_add(spent, Ordering::Relaxed) < enough => return None,
            None => self.all(levels, make),
        };
        all.get(levels.iter().position(|other| other.base == level.base)?)
    }

    #[inline(never)]
    fn all(&self, levels: &[Level], make: impl Fn(&mut T, &Level)) -> &[T] {
        self.made.get(|all| {
            all.resize_with(levels.len(), T::default);
            for (one, level) in all.iter_mut().zip(levels) {
                make(one, level);
            }
        })
    }

    /// The sum of a number of each.
    pub(super) fn sum(&self, of: impl Fn(&T) -> usize) -> usize {
        self.made.made().map_or(0, |all| all.iter().map(of).sum())
    }
}
