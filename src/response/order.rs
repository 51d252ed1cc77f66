//! An order of pairs in which those next to each other share no body.
//!
//! Comes in: which bodies each pair is of, in the order that counts. Goes out: the same pairs in another order with the same result, bit
//! for bit: of two pairs that share a body the first stays before the second, so each finds what it would have found. This room does not
//! know what pairs do.
//!
//! Solved one after the other along a row of cells each pair waits for the one before it. Here a pair comes as early as those allow that
//! it has to wait for: first all that wait for nobody, then all that wait for one of those, and so on. What goes through a pile is then a
//! slanted front; the pairs on it have nothing to do with each other, and a processor is at several of them at once.

use std::cmp::max;

/// So many pairs, and then all others: the rows of cells that a front lies across at a time stay in the nearest cache.
const CHUNK: usize = 4096;

/// There is room for so many depths from the start: a heap that is a little deeper than it ever was needs no memory.
pub(super) const DEEP: usize = 64;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// By body: how many pairs have to be waited for, one after the other.
    depth: Vec<u32>,
    /// The same by pair.
    of: Vec<u32>,
    /// By depth: where its pairs are put next.
    next: Vec<u32>,
    sorted: Vec<u32>,
}

impl Order {
    /// Which pair comes first, and so on; of so many bodies.
    pub(super) fn of(&mut self, pairs: impl Iterator<Item = [u32; 2]>, bodies: usize) -> &[u32] {
        let Order { depth, of, next, sorted } = self;
        depth.clear();
        depth.resize(bodies, 0);
        of.clear();
        let (depth, mut at, mut floor, mut deepest) = (&mut depth[..], 0usize, 0, 0);
        of.extend(pairs.map(|[a, b]| {
            if at.is_multiple_of(CHUNK) {
                floor = deepest;
            }
            at += 1;
            let (a, b) = (a as usize, b as usize);
            let here = max(max(depth[a], depth[b]), floor);
            (depth[a], depth[b]) = (here + 1, here + 1);
            deepest = max(deepest, here + 1);
            here
        }));
        next.clear();
        next.reserve(DEEP);
        next.resize(deepest as usize, 0);
        for &depth in &*of {
            next[depth as usize] += 1;
        }
        let mut sum = 0;
        for next in next.iter_mut() {
            (*next, sum) = (sum, sum + *next);
        }
        sorted.clear();
        sorted.resize(of.len(), 0);
        for (pair, &depth) in of.iter().enumerate() {
            let place = &mut next[depth as usize];
            sorted[*place as usize] = pair as u32;
            *place += 1;
        }
        sorted
    }

    /// The same again.
    pub(super) fn sorted(&self) -> &[u32] {
        &self.sorted
    }

    /// The same, in parts: no two pairs of one have a body in common.
    pub(super) fn fronts(&self) -> impl Iterator<Item = &[u32]> {
        // Each depth's next place is where the one behind it begins.
        self.next.iter().scan(0, |from, &end| {
            let front = &self.sorted[*from..end as usize];
            *from = end as usize;
            Some(front)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
        Order::default().of(pairs.iter().copied(), 10).iter().map(|&k| pairs[k as usize]).collect()
    }

    #[test]
    fn pairs_come_as_early_as_those_before_them_allow() {
        // A chain 0-1-2-3 waits link by link; 4-5 and 6-7 wait for nobody, 5-6 for both.
        let pairs = [[0, 1], [1, 2], [2, 3], [4, 5], [6, 7], [5, 6]];
        assert_eq!(sorted(&pairs), [[0, 1], [4, 5], [6, 7], [1, 2], [5, 6], [2, 3]]);
        assert_eq!(sorted(&[]), [[0; 2]; 0]);
    }

    #[test]
    fn of_two_pairs_with_a_body_in_common_the_first_stays_first() {
        // Drawn by a multiplicative generator, so that bodies have many pairs each, and some pairs come twice.
        let mut seed = 1u32;
        let mut draw = || {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            seed >> 16
        };
        let pairs: Vec<[u32; 2]> =
            (0..CHUNK + 500).map(|_| [draw() % 40, draw() % 39]).map(|[a, b]| [a, (a + 1 + b) % 40]).collect();
        let (mut order, every) = (Order::default(), Vec::from_iter(0..pairs.len() as u32));
        // Twice, as buffers are used again.
        for _ in 0..2 {
            let sorted = order.of(pairs.iter().copied(), 40);
            for body in 0..40 {
                let of = |order: &[u32]| -> Vec<u32> {
                    order.iter().copied().filter(|&k| pairs[k as usize].contains(&body)).collect()
                };
                assert!(of(sorted) == of(&every) && of(sorted).len() > 5);
            }
            assert!(sorted != every);
        }
    }
}
