//! Made when it is first asked for, forgotten when what it was made of changes; its memory is used again.
//!
//! Comes in: how it is made, and word that it no longer holds. Goes out: one value for all who ask. This room does not know what it is.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value that is made on demand, by whichever thread asks first.
#[derive(Debug, Default)]
pub(crate) struct Lazy<T> {
    value: OnceLock<T>,
    /// What the last one was, for its buffers.
    spare: Mutex<T>,
}

impl<T: Default> Lazy<T> {
    /// The value, made by `make` if it is not there; `make` gets an old one to write over.
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce(&mut T)) -> &T {
        self.value.get_or_init(|| {
            let mut value = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
            make(&mut value);
            value
        })
    }

    /// Makes it ahead, while nobody waits for it; of several that do so one is kept.
    pub(crate) fn offer(&self, make: impl FnOnce(&mut T)) {
        let mut value = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
        make(&mut value);
        if let Err(value) = self.value.set(value) {
            *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = value;
        }
    }

    /// The value, if it has been made.
    pub(crate) fn made(&self) -> Option<&T> {
        self.value.get()
    }

    /// What is held: of the value, or of the old one that waits to be written over.
    pub(crate) fn bytes(&self, of: impl Fn(&T) -> usize) -> usize {
        match self.value.get() {
            Some(value) => of(value),
            None => of(&self.spare.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// What it was made of has changed.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if let Some(value) = self.value.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_once_and_again_after_a_change_from_the_same_memory() {
        let mut lazy = Lazy::<Vec<u32>>::default();
        let make = |v: &mut Vec<u32>| {
            assert!(v.is_empty());
            v.extend([1, 2, 3]);
        };
        let at = lazy.get(make).as_ptr();
        assert_eq!((lazy.get(|_| panic!("it is there")).as_slice(), lazy.get(make).as_ptr()), (&[1, 2, 3][..], at));
        lazy.forget();
        lazy.forget();
        assert!(lazy.made().is_none());
        assert!(lazy.bytes(|v| 4 * v.capacity()) >= 12, "kept for the next one");
        let again = lazy.get(|v| v.clear());
        assert_eq!((again.len(), again.as_ptr()), (0, at));
        // Ahead of time, from the same memory; not over what is there.
        lazy.forget();
        lazy.offer(|v| v.push(7));
        assert_eq!((lazy.made().map(|v| (v.len(), v.as_ptr()))), Some((1, at)));
        lazy.offer(|v| v.push(8));
        assert_eq!(lazy.get(|_| panic!("it is there")).as_slice(), [7]);
    }
}
