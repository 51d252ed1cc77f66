//! The nearest few of what has been looked at so far.
//!
//! Comes in: distances and names, one may come several times. Goes out: the first `k` of them by (distance, kind, row), and the distance
//! beyond which nothing matters any more. This room does not know shapes.
//!
//! A few are kept sorted. Many are gathered up to twice their number, then sorted and cut, so that each costs the logarithm of `k`.

use super::{Nearest, Target};

/// So many are kept sorted.
const FEW: usize = 32;

/// See the head of the module.
#[derive(Debug)]
pub(super) struct Best<'a> {
    /// Room for `k` records, twice as many where those are not few.
    room: &'a mut [Nearest],
    k: usize,
    len: usize,
    limit: f32,
}

impl<'a> Best<'a> {
    /// How much room `k` records take.
    pub(super) fn room(k: usize) -> usize {
        if k <= FEW { k } else { k.saturating_mul(2) }
    }

    /// The best that fit, at most `limit` away; nothing if there is no room.
    pub(super) fn new(room: &'a mut [Nearest], limit: f32) -> Best<'a> {
        let k = if room.len() <= FEW { room.len() } else { room.len() / 2 };
        Best { room, k, len: 0, limit: if k == 0 { -1.0 } else { limit } }
    }

    /// What is further away does not matter. Below zero: nothing does.
    #[inline(always)]
    pub(super) fn limit(&self) -> f32 {
        self.limit
    }

    /// One that is at this distance. The row in cell order is kept where the feature will be.
    #[inline(always)]
    pub(super) fn offer(&mut self, distance: f32, target: Target, row: u32) {
        if distance > self.limit {
            return;
        }
        let record = Nearest { distance, target, feature: bytemuck::cast(row), ..Nearest::default() };
        if self.k > FEW {
            self.gather(record);
        } else {
            self.insert(record);
        }
    }

    #[inline(always)]
    fn insert(&mut self, record: Nearest) {
        let mut at = self.len;
        while at > 0 && before(&record, &self.room[at - 1]) {
            at -= 1;
        }
        if at > 0 && same(&record, &self.room[at - 1]) || at == self.k {
            return;
        }
        let end = if self.len < self.k { self.len } else { self.k - 1 };
        self.room.copy_within(at..end, at + 1);
        self.room[at] = record;
        self.len = end + 1;
        if self.len == self.k {
            self.limit = self.room[self.k - 1].distance;
        }
    }

    fn gather(&mut self, record: Nearest) {
        if self.len == self.room.len() {
            self.cut();
            if record.distance > self.limit {
                return;
            }
        }
        self.room[self.len] = record;
        self.len += 1;
    }

    /// Sorts, drops what came twice and what is beyond the first `k`.
    pub(super) fn cut(&mut self) {
        if self.k <= FEW {
            return;
        }
        let found = &mut self.room[..self.len];
        found.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.target.cmp(&b.target)));
        let mut kept = 0;
        for at in 0..found.len() {
            if kept == 0 || !same(&found[at], &found[kept - 1]) {
                found[kept] = found[at];
                kept += 1;
            }
        }
        self.len = if kept < self.k { kept } else { self.k };
        if self.len == self.k {
            self.limit = self.room[self.k - 1].distance;
        }
    }

    /// How many there are, in order at the front of the room.
    pub(super) fn finish(mut self) -> usize {
        self.cut();
        self.len
    }
}

/// In the order of the results; distances are not negative, and none is -0.
#[inline(always)]
fn before(a: &Nearest, b: &Nearest) -> bool {
    a.distance < b.distance || (a.distance == b.distance && a.target < b.target)
}

#[inline(always)]
fn same(a: &Nearest, b: &Nearest) -> bool {
    a.target == b.target && a.distance == b.distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_k_whatever_the_order_and_however_often() {
        for k in [0, 1, 2, 5, FEW, FEW + 1, 100] {
            let mut room = vec![Nearest::default(); Best::room(k)];
            let mut best = Best::new(&mut room, 1000.0);
            // 0..500 times 7 modulo 499 visits all residues; each twice, rows with equal distances in both kinds.
            for i in (0..499u32).chain(0..499) {
                let row = i * 7 % 499;
                best.offer((row / 3) as f32, Target::segment(row), 0);
                best.offer((row / 3) as f32, Target::circle(row), 0);
            }
            best.offer(1001.0, Target::circle(7), 0);
            let len = best.finish();
            assert_eq!(len, k);
            let mut expected: Vec<(u32, Target)> =
                (0..499).flat_map(|row| [(row / 3, Target::circle(row)), (row / 3, Target::segment(row))]).collect();
            expected.sort_unstable();
            for (found, expected) in room[..len].iter().zip(&expected) {
                assert_eq!((found.distance, found.target), (expected.0 as f32, expected.1));
            }
        }
    }
}
