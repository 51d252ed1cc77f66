//! The nearest few of what has been looked at so far.
//!
//! Comes in: rows of circles in cell order, then rows of segments, each with two numbers between which its distance lies; one may come
//! several times, with the same numbers. Goes out: those that may be among the first `k`, and the distance beyond which nobody is. This
//! room does not know shapes, nor what is exact: whoever has more of them than `k` makes the numbers distances, and has them sorted.
//!
//! The k-th least of the upper numbers is a distance within which there are k. Who is not nearer than that by the lower number is let go.
//! A few are held against each other, each against all, without a branch that depends on who is nearer; many are sorted, at most twice `k`
//! and some at a time, so that each costs the logarithm of `k`.

use super::{Nearest, Target, TargetKind};
use crate::kernels::distances::Distances;
use crate::kernels::{Kernels, LANES};

/// So many are few.
pub(super) const FEW: usize = 128;
/// Room behind twice as many as are wanted.
pub(super) const MORE: usize = 6 * LANES;

/// Room for a few: twice as many as are wanted, and [`MORE`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Room<const N: usize> {
    least: [f32; N],
    most: [f32; N],
    row: [u32; N],
    rank: [f32; N],
}

impl<const N: usize> Room<N> {
    pub(super) const fn new() -> Room<N> {
        Room { least: [0.0; N], most: [0.0; N], row: [0; N], rank: [0.0; N] }
    }
}

/// See the head of the module.
#[derive(Debug)]
pub(super) struct Best<'a> {
    // Of one length, a multiple of the lanes.
    least: &'a mut [f32],
    most: &'a mut [f32],
    row: &'a mut [u32],
    /// How many are before each by the upper numbers, and by place where those are equal; empty for many.
    rank: &'a mut [f32],
    len: usize,
    /// So many of them, the first, are circles.
    circles: usize,
    /// No circles come any more.
    ended: bool,
    /// The ranks are those of so many.
    ranked: usize,
    k: usize,
    limit: f32,
}

impl<'a> Best<'a> {
    /// The best `k`, at most [`FEW`], that are at most `limit` away.
    #[inline(always)]
    pub(super) fn few<const N: usize>(room: &'a mut Room<N>, k: usize, limit: f32) -> Best<'a> {
        // Each cut costs the square of how many there are: not much more than twice as many as are wanted.
        let size = (2 * k + MORE).next_multiple_of(LANES);
        let Room { least, most, row, rank } = room;
        Best::new([&mut least[..size], &mut most[..size]], &mut row[..size], &mut rank[..size], k, limit)
    }

    /// How many records the best `k` of many take to be sorted and, behind those, to be gathered.
    pub(super) fn room(k: usize) -> [usize; 2] {
        let gathered = k.saturating_mul(2).saturating_add(MORE).next_multiple_of(LANES);
        // Three words each instead of the six of a record.
        [gathered, gathered / 2]
    }

    /// The best `k` of many: the room is what [`Self::room`] says last.
    pub(super) fn many(room: &'a mut [Nearest], k: usize, limit: f32) -> Best<'a> {
        let words: &mut [u32] = bytemuck::cast_slice_mut(room);
        let (least, rest) = words.split_at_mut(Best::room(k)[0]);
        let (most, row) = rest.split_at_mut(Best::room(k)[0]);
        Best::new([least, most].map(bytemuck::cast_slice_mut), row, &mut [], k, limit)
    }

    #[inline(always)]
    fn new([least, most]: [&'a mut [f32]; 2], row: &'a mut [u32], rank: &'a mut [f32], k: usize, limit: f32) -> Self {
        let limit = if k == 0 { -1.0 } else { limit };
        Best { least, most, row, rank, len: 0, circles: 0, ended: false, ranked: 0, k, limit }
    }

    /// What is further away does not matter. Below zero: nothing does.
    #[inline(always)]
    pub(super) fn limit(&self) -> f32 {
        self.limit
    }

    /// How many are wanted.
    #[inline(always)]
    pub(super) fn wanted(&self) -> usize {
        self.k
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The rows of circles, then those of segments.
    #[inline(always)]
    pub(super) fn rows(&self) -> [&[u32]; 2] {
        let (circles, segments) = self.row[..self.len].split_at(self.circles);
        [circles, segments]
    }

    /// The ranks of the circles, and of the segments; nothing of many.
    #[inline(always)]
    pub(super) fn ranks(&self) -> [&[f32]; 2] {
        if self.k > FEW {
            return [&[]; 2];
        }
        let (circles, segments) = self.rank[..self.len].split_at(self.circles);
        [circles, segments]
    }

    /// Eight more may not fit.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len + LANES > self.row.len()
    }

    /// As [`Self::cut`], and lets go whom it can; true if so many are left that it may not help the next time.
    #[inline(always)]
    pub(super) fn is_full_of_near<K: Kernels>(&mut self, twice: bool) -> bool {
        if self.k <= FEW {
            self.cut::<K>(twice);
            self.keep::<K>();
        }
        2 * self.len > self.k + self.row.len() - LANES
    }

    /// Some of eight, if there is room: no circles once they have been ended.
    #[inline(always)]
    pub(super) fn offer<K: Kernels>(&mut self, found: &Distances, mask: u32, rows: &[u32; LANES], circles: bool) {
        let (at, eights) = (self.len, [found.least, found.most, bytemuck::cast(*rows)]);
        let [least, most, rows] = K::front(mask, eights);
        self.least[at..at + LANES].copy_from_slice(&least);
        self.most[at..at + LANES].copy_from_slice(&most);
        self.row[at..at + LANES].copy_from_slice(&bytemuck::cast::<_, [u32; LANES]>(rows));
        let count = mask.count_ones() as usize;
        self.len += count;
        if circles {
            if self.circles < at {
                self.bring_forward(count);
            }
            self.circles += count;
        }
        if self.k == 1 {
            for (lane, most) in most.into_iter().enumerate() {
                self.limit = if lane < count && most < self.limit { most } else { self.limit };
            }
        }
    }

    /// The last ones are circles: before all segments with them.
    #[cold]
    #[inline(never)]
    fn bring_forward(&mut self, count: usize) {
        let behind = self.circles..self.len;
        self.least[behind.clone()].rotate_right(count);
        self.most[behind.clone()].rotate_right(count);
        self.row[behind].rotate_right(count);
    }

    /// Finds the limit, if few are wanted. `twice`: one may be there several times.
    #[inline(always)]
    pub(super) fn cut<K: Kernels>(&mut self, twice: bool) {
        if self.len == self.ranked || self.k > FEW {
            return;
        }
        // Of one the limit is known from the offers, and there is nothing to order.
        if self.k == 1 {
            self.keep::<K>();
        }
        if twice {
            self.once();
        }
        self.ranked = self.len;
        if self.k > 1 {
            let within = self.rank::<K>();
            self.limit = if self.len >= self.k && within < self.limit { within } else { self.limit };
        }
    }

    /// After a cut: leaves no more than `k`, if it is sure who they are.
    #[inline(always)]
    pub(super) fn first<K: Kernels>(&mut self) -> bool {
        if self.k > FEW {
            return self.len == 0;
        }
        let (mut near, len) = (0, self.len);
        for &least in &self.least[..len] {
            near += usize::from(least <= self.limit);
        }
        if near > self.k {
            return false;
        }
        if near < len {
            self.keep::<K>();
        }
        if self.k == 1 {
            self.rank[0] = 0.0;
            return true;
        }
        let mut more = false;
        for &rank in &self.rank[..self.len] {
            more |= rank >= self.len as f32;
        }
        if more {
            // Some of those who were let go, for the limit that was given, had lower ranks.
            self.rank::<K>();
        }
        true
    }

    /// Leaves who may be within the limit, with their ranks.
    #[inline(always)]
    fn keep<K: Kernels>(&mut self) {
        let (mut to, mut circles) = (0, 0);
        for at in (0..self.len).step_by(LANES) {
            let mut eights = [[0.0; LANES]; 4];
            eights[0].copy_from_slice(&self.least[at..at + LANES]);
            eights[1].copy_from_slice(&self.most[at..at + LANES]);
            eights[2].copy_from_slice(bytemuck::cast_slice(&self.row[at..at + LANES]));
            eights[3].copy_from_slice(&self.rank[at..at + LANES]);
            let mut mask = 0;
            for (k, &least) in eights[0].iter().enumerate() {
                mask |= u32::from(least <= self.limit && at + k < self.len) << k;
            }
            let [least, most, row, rank] = K::front(mask, eights);
            self.least[to..to + LANES].copy_from_slice(&least);
            self.most[to..to + LANES].copy_from_slice(&most);
            self.row[to..to + LANES].copy_from_slice(&bytemuck::cast::<_, [u32; LANES]>(row));
            self.rank[to..to + LANES].copy_from_slice(&rank);
            let before = if self.circles < at + LANES { self.circles.saturating_sub(at) } else { LANES };
            circles += (mask & ((1 << before) - 1)).count_ones() as usize;
            to += mask.count_ones() as usize;
        }
        (self.len, self.circles, self.ranked) = (to, circles, usize::MAX);
    }

    /// No circles come any more: none is there twice, and those that may not be among the first need not be held against segments.
    #[inline(always)]
    pub(super) fn end_circles<K: Kernels>(&mut self, twice: bool) {
        self.cut::<K>(twice);
        if self.k <= FEW && self.len > self.k {
            self.keep::<K>();
        }
        self.ended = true;
    }

    /// Drops what comes twice: among segments, if circles have been ended.
    #[inline(always)]
    fn once(&mut self) {
        let from = if self.ended { self.circles } else { 0 };
        let (mut to, mut circles) = (from, from);
        for at in from..self.len {
            let (least, most, row, is_circle) = (self.least[at], self.most[at], self.row[at], at < self.circles);
            let mut before = false;
            for &other in &self.row[if is_circle { 0 } else { circles }..to] {
                before |= other == row;
            }
            (self.least[to], self.most[to], self.row[to]) = (least, most, row);
            circles += usize::from(is_circle && !before);
            to += usize::from(!before);
        }
        (self.len, self.circles) = (to, circles);
    }

    /// Finds the ranks of a few, and the k-th least of the upper numbers.
    #[inline(always)]
    fn rank<K: Kernels>(&mut self) -> f32 {
        let end = self.len.next_multiple_of(LANES);
        self.most[self.len..end].fill(f32::INFINITY);
        self.ranked = self.len;
        K::ranks(&self.most[..end], self.k, &mut self.rank[..end])
    }

    /// Where there are more than are wanted, all of which may be among the first: what is to be set to the distances of circles, and of segments.
    #[inline(always)]
    pub(super) fn distances(&mut self) -> [(&[u32], &mut [f32]); 2] {
        let (circles, segments) = self.row[..self.len].split_at(self.circles);
        let (of_circles, of_segments) = self.least[..self.len].split_at_mut(self.circles);
        [(circles, of_circles), (segments, of_segments)]
    }

    /// When that is done: leaves the first `k` by distance, kind and row of the caller's, each once. Their ranks are not known.
    #[inline(never)]
    pub(super) fn settle(&mut self, order: &[u32], room: &mut [Nearest]) {
        let found = &mut room[..self.len];
        for (at, record) in found.iter_mut().enumerate() {
            let row = self.row[at];
            let target = if at < self.circles { Target::circle(order[row as usize]) } else { Target::segment(row) };
            // The row in cell order is kept where the feature will be.
            *record = Nearest { distance: self.least[at], target, feature: bytemuck::cast(row), ..Nearest::default() };
        }
        found.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.target.cmp(&b.target)));
        let mut kept = 0;
        for at in 0..found.len() {
            if kept == 0 || found[at].target != found[kept - 1].target {
                found[kept] = found[at];
                kept += 1;
            }
        }
        if kept >= self.k && found[self.k - 1].distance < self.limit {
            self.limit = found[self.k - 1].distance;
        }
        let kept = &found[..if kept < self.k { kept } else { self.k }];
        self.len = 0;
        for kind in [TargetKind::Circle, TargetKind::Segment] {
            for record in kept.iter().filter(|record| record.target.kind == kind) {
                let row = bytemuck::cast(record.feature);
                (self.least[self.len], self.most[self.len], self.row[self.len]) =
                    (record.distance, record.distance, row);
                self.len += 1;
            }
            if kind == TargetKind::Circle {
                self.circles = self.len;
            }
        }
        self.ranked = usize::MAX;
    }

    /// Finds the ranks of a few after they have been settled.
    #[inline(always)]
    pub(super) fn settled<K: Kernels>(&mut self) {
        if self.k <= FEW {
            self.rank::<K>();
        }
    }
}
