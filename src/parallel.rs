//! How work is spread over threads: split in halves down to pieces whose size depends on the scene alone.
//!
//! Comes in: a number of threads as a value, pieces of work that share nothing. Goes out: the same bits for every
//! number of threads, since nothing here joins results in the order in which threads finish. Nothing is allocated.
//!
//! Handing work to the pool from outside, and waiting for it, costs tens of microseconds, so whoever has several pieces of parallel work runs them
//! inside one [`Pool::run`]: those within it are then there already, and one of them stays awake until the end.

#[cfg(feature = "parallel")]
use std::sync::Arc;
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicBool, Ordering};

/// How many threads work. The result does not depend on it, bit for bit. Where several do, one of them stays awake for as long as a call lasts, looking
/// for work; it yields its core to whoever else wants it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Threads {
    /// One below sixteen thousand bodies that a call works through (a step: its circles), where waking a second one costs more than it brings;
    /// else those of the surrounding rayon pool.
    #[default]
    Auto,
    /// This many, in a pool of its own; 1 never touches a pool. At most 1024.
    Fixed(usize),
}

/// Fewer bodies than this are stepped by one thread when the choice is ours: as measured on two cores, where ten thousand
/// bodies take 23 ns each a step on one thread and 27 on two.
const AUTO_SERIAL: usize = 16_384;

/// The threads of one world or detector; a clone has the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    threads: Threads,
    /// One thread works, whatever `threads` says.
    alone: bool,
    #[cfg(feature = "parallel")]
    own: Option<Arc<rayon::ThreadPool>>,
}

impl Pool {
    /// Starts the threads if it is a fixed number above one. Without them (they could not be started, or the feature
    /// `parallel` is off) one thread works; the results are the same.
    pub(crate) fn new(threads: Threads) -> Pool {
        #[cfg(feature = "parallel")]
        {
            let own = match threads {
                Threads::Fixed(n) if n > 1 => rayon::ThreadPoolBuilder::new().num_threads(n).build().ok().map(Arc::new),
                _ => None,
            };
            Pool { threads, alone: false, own }
        }
        #[cfg(not(feature = "parallel"))]
        Pool { threads, alone: false }
    }

    /// From here on the calling thread works alone, or no longer: for a caller that is itself one of many side by side.
    pub(crate) fn set_alone(&mut self, alone: bool) {
        self.alone = alone;
    }

    /// The calling thread is one of a pool: while it waits for others it takes up what work there is, whatever that is.
    pub(crate) fn is_within() -> bool {
        #[cfg(feature = "parallel")]
        return rayon::current_thread_index().is_some();
        #[cfg(not(feature = "parallel"))]
        false
    }

    /// How many threads would work on so many bodies.
    pub(crate) fn threads(&self, bodies: usize) -> usize {
        if self.alone || bodies == 0 {
            return 1;
        }
        #[cfg(feature = "parallel")]
        {
            match (self.threads, &self.own) {
                (Threads::Auto, _) if bodies >= AUTO_SERIAL => rayon::current_num_threads(),
                (Threads::Fixed(_), Some(pool)) => pool.current_num_threads(),
                _ => 1,
            }
        }
        #[cfg(not(feature = "parallel"))]
        {
            let _ = (self.threads, bodies, AUTO_SERIAL);
            1
        }
    }

    /// Runs `work` with the threads at hand for so many bodies; for none on the calling thread, since to hand it over takes longer.
    pub(crate) fn run<R: Send>(&self, bodies: usize, work: impl FnOnce(Split) -> R + Send) -> R {
        if self.threads(bodies) <= 1 {
            return work(Split { parallel: false });
        }
        // On a thread of the pool from the start: from outside, every single join would be handed in and waited for.
        #[cfg(feature = "parallel")]
        {
            let (mut work, mut result, over) = (Some(work), None, AtomicBool::new(false));
            let mut once = || {
                let _over = Over(&over);
                result = work.take().map(|work| work(Split { parallel: true }));
            };
            let mut attended = || both(&mut once, &mut || attend(&over));
            match &self.own {
                Some(pool) => pool.install(attended),
                None => attended(),
            }
            result.expect("it has run")
        }
        #[cfg(not(feature = "parallel"))]
        work(Split { parallel: false })
    }
}

/// Both jobs, side by side where a thread is free. Jobs come as objects, since what rayon makes of a pair is long and
/// made anew for each pair of types: for a hundred of them an eighth of the library.
#[cfg(feature = "parallel")]
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Who has found no work so often, at some half a microsecond each, has no hope of any.
#[cfg(feature = "parallel")]
const ROUNDS: u32 = 200;

/// Keeps a second thread at hand until all is over: it takes what work there is. To wake one that sleeps takes tens of microseconds, and between
/// two pieces of parallel work it would have fallen asleep. Whoever else has work for the core is let to it.
///
/// It ends by itself: where a pool hands a thread its own offers in the order in which it made them, the thread whose work is to be
/// attended comes here in the midst of it.
#[cfg(feature = "parallel")]
fn attend(over: &AtomicBool) {
    let mut left = ROUNDS;
    while left > 0 && !over.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            left = ROUNDS;
        } else {
            std::thread::yield_now();
            left -= 1;
        }
    }
}

/// Puts the flag up when it is dropped, also where a panic passes.
#[cfg(feature = "parallel")]
struct Over<'a>(&'a AtomicBool);

#[cfg(feature = "parallel")]
impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Whether pieces may run side by side; handed to the rooms that have pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    parallel: bool,
}

impl Split {
    /// All on the calling thread.
    pub(crate) const SERIAL: Split = Split { parallel: false };

    /// More than one thread may work.
    pub(crate) fn is_parallel(self) -> bool {
        self.parallel
    }

    /// How many threads may work.
    pub(crate) fn threads(self) -> usize {
        #[cfg(feature = "parallel")]
        if self.parallel {
            return rayon::current_num_threads();
        }
        1
    }

    /// Both, side by side where possible.
    pub(crate) fn join<A: Send, B: Send>(self, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
        #[cfg(feature = "parallel")]
        if self.parallel {
            let (mut a, mut b, mut of_a, mut of_b) = (Some(a), Some(b), None, None);
            both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
            return of_a.zip(of_b).expect("both have run");
        }
        (a(), b())
    }

    /// `work(index, item)` for each item.
    pub(crate) fn each<T: Send>(self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.chunks(items, 1, |index, items| work(index, &mut items[0]));
    }

    /// `work(offset, piece)` for consecutive pieces of `length` elements (the last may be shorter).
    pub(crate) fn chunks<T: Send>(self, items: &mut [T], length: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        if self.parallel {
            self.halves(items, 0, length, &work);
        } else {
            for (i, piece) in items.chunks_mut(length).enumerate() {
                work(i * length, piece);
            }
        }
    }

    fn halves<T: Send>(self, items: &mut [T], offset: usize, length: usize, work: &(impl Fn(usize, &mut [T]) + Sync)) {
        if items.len() <= length {
            if !items.is_empty() {
                work(offset, items);
            }
            return;
        }
        let middle = items.len().div_ceil(length) / 2 * length;
        let (low, high) = items.split_at_mut(middle);
        self.join(|| self.halves(low, offset, length, work), || self.halves(high, offset + middle, length, work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_is_one_thread() {
        for threads in [Threads::Auto, Threads::Fixed(3)] {
            let mut pool = Pool::new(threads);
            pool.set_alone(true);
            assert_eq!(pool.threads(usize::MAX), 1);
            assert!(!pool.run(usize::MAX, Split::is_parallel));
            pool.set_alone(false);
            let many = cfg!(feature = "parallel") && threads == Threads::Fixed(3);
            assert!(!many || pool.run(usize::MAX, Split::is_parallel));
        }
    }

    /// Pieces within pieces, and runs within them.
    #[cfg(feature = "parallel")]
    fn sum(pool: &Pool, split: Split, items: &mut [u64], depth: u32) -> u64 {
        if let [item] = items {
            return *item;
        }
        let (low, high) = items.split_at_mut(items.len() / 2);
        let run = |items: &mut [u64]| pool.run(usize::MAX, |split| sum(pool, split, items, depth + 1));
        let (a, b) = match depth % 3 {
            0 => split.join(|| run(low), || run(high)),
            1 => split.join(|| sum(pool, split, low, depth + 1), || run(high)),
            _ => split.join(|| run(low), || sum(pool, split, high, depth + 1)),
        };
        a + b
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn runs_within_runs_end_in_pools_of_any_kind() {
        let add = |pool: &Pool| {
            for _ in 0..200 {
                let mut items: Vec<u64> = (0..257).collect();
                assert_eq!(pool.run(usize::MAX, |split| sum(pool, split, &mut items, 0)), 257 * 256 / 2);
            }
        };
        for threads in [2, 3, 8] {
            add(&Pool::new(Threads::Fixed(threads)));
            // The surrounding pool, also one in which a thread takes its own work in the order in which it was offered.
            for in_order in [false, true] {
                let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
                #[allow(deprecated, reason = "it can still be asked for")]
                let builder = if in_order { builder.breadth_first() } else { builder };
                let (surrounding, pool) = (builder.build().expect("threads"), Pool::new(Threads::Auto));
                surrounding.install(|| add(&pool));
            }
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn a_panic_passes_through_and_the_pool_goes_on() {
        for threads in [2, 3] {
            let pool = Pool::new(Threads::Fixed(threads));
            for _ in 0..20 {
                let run = || pool.run(usize::MAX, |split| split.join(|| (), || panic!("for the test")));
                assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
                assert_eq!(pool.run(usize::MAX, |split| split.join(|| 3, || 4)), (3, 4));
            }
        }
    }

    #[test]
    fn chunks_cover_every_element_once_with_its_offset() {
        for threads in [Threads::Fixed(1), Threads::Fixed(3)] {
            for n in [0usize, 1, 7, 8, 9, 100] {
                let mut items = vec![0usize; n];
                Pool::new(threads).run(n, |split| {
                    split.chunks(&mut items, 8, |offset, piece| {
                        assert!(offset % 8 == 0 && piece.len() <= 8);
                        for (k, item) in piece.iter_mut().enumerate() {
                            *item += offset + k + 1;
                        }
                    });
                });
                assert!(items.iter().enumerate().all(|(i, &v)| v == i + 1));
            }
        }
    }
}
