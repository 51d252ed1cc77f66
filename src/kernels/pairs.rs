//! The list of pairs that the kernels write and read: two columns of rows.
//!
//! Comes in: rows, eight at a time, of which some count. Goes out: full eights and the rest. This room does not know what rows are of.

/// Lanes of a kernel.
pub(crate) const LANES: usize = 8;

/// Pairs of rows. Kernels write eight at a time through a [`Writer`] and advance by as many as hit.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    a: Vec<u32>,
    b: Vec<u32>,
    len: usize,
}

/// Full eights, as many of first rows as of second ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eights<'a> {
    pub(crate) a: &'a [[u32; LANES]],
    pub(crate) b: &'a [[u32; LANES]],
}

/// Fewer than eight: what is behind `lanes` is there, but nobody asks about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub(crate) a: [u32; LANES],
    pub(crate) b: [u32; LANES],
    pub(crate) lanes: usize,
}

impl Pairs {
    /// Forgets the pairs, keeps the room.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// First and second rows.
    pub(crate) fn rows(&self) -> (&[u32], &[u32]) {
        (&self.a[..self.len], &self.b[..self.len])
    }

    /// The rows by eights as they stand, and those that are left over, filled up with row 0: copies of a length that is known only at run time are
    /// calls, so there is one of them for a list and not for each eight.
    #[inline(always)]
    pub(crate) fn eights(&self) -> (Eights<'_>, Option<Rest>) {
        let (a, b) = self.rows();
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        let mut rest = Rest { a: [0; LANES], b: [0; LANES], lanes: a_rest.len() };
        rest.a[..a_rest.len()].copy_from_slice(a_rest);
        rest.b[..b_rest.len()].copy_from_slice(b_rest);
        (Eights { a, b }, (rest.lanes > 0).then_some(rest))
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.a.capacity() + self.b.capacity())
    }

    /// A place for at least `room` more pairs, and what is written too much behind them; [`Pairs::keep`] takes the pairs over.
    #[inline(always)]
    pub(crate) fn writer(&mut self, room: usize) -> Writer<'_> {
        let need = self.len + room + LANES;
        if need > self.a.len() {
            self.grow(need);
        }
        // Cut to one length that the compiler knows to be one: a place then takes one check for both columns.
        let (a, b) = (&mut self.a[self.len..], &mut self.b[self.len..]);
        let room = if a.len() < b.len() { a.len() } else { b.len() };
        Writer { a: &mut a[..room], b: &mut b[..room], len: 0 }
    }

    /// What a writer has written.
    #[inline(always)]
    pub(crate) fn keep(&mut self, written: usize) {
        self.len += written;
    }

    /// Drops what does not pass from the pairs at `from` and behind, order kept.
    pub(crate) fn retain_from(&mut self, from: usize, keep: impl Fn(u32, u32) -> bool) {
        let mut kept = from;
        for i in from..self.len {
            let (a, b) = (self.a[i], self.b[i]);
            if keep(a, b) {
                (self.a[kept], self.b[kept]) = (a, b);
                kept += 1;
            }
        }
        self.len = kept;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, need: usize) {
        let room = if need < 1024 { 1024 } else { need + need / 4 };
        for column in [&mut self.a, &mut self.b] {
            // Or the column doubles.
            column.reserve_exact(room - column.len());
            column.resize(room, 0);
        }
    }
}

/// The lowest bits of eight bytes, in which no others are set, as one byte: each product of a bit and a factor has a bit of its own, and those of the
/// eight bytes make the uppermost byte.
#[inline(always)]
pub(crate) fn bits_of(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Where kernels write pairs: slices held in registers, their room seen to beforehand.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    a: &'a mut [u32],
    b: &'a mut [u32],
    /// Of 32 bits, so that eight more cannot overflow an index.
    len: u32,
}

impl Writer<'_> {
    /// How many pairs have been written.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// One pair.
    #[inline(always)]
    pub(crate) fn push(&mut self, a: u32, b: u32) {
        let n = self.len as usize;
        (self.a[n], self.b[n]) = (a, b);
        self.len += 1;
    }

    /// The first `count` of both; no branch depends on `count`.
    #[inline(always)]
    pub(crate) fn emit(&mut self, a: [u32; LANES], b: [u32; LANES], count: u32) {
        let n = self.len as usize;
        self.a[n..n + LANES].copy_from_slice(&a);
        self.b[n..n + LANES].copy_from_slice(&b);
        self.len += count;
    }

    /// One row with the first of both. That they are more than eight together is rare: then there is one store more.
    #[inline(always)]
    pub(crate) fn emit_both(&mut self, a: u32, b: [[u32; LANES]; 2], counts: [u32; 2]) {
        let (n, middle) = (self.len as usize, (self.len + counts[0]) as usize);
        self.a[n..n + LANES].copy_from_slice(&[a; LANES]);
        self.b[n..n + LANES].copy_from_slice(&b[0]);
        self.b[middle..middle + LANES].copy_from_slice(&b[1]);
        let count = counts[0] + counts[1];
        if count > LANES as u32 {
            self.a[n + LANES..n + 2 * LANES].copy_from_slice(&[a; LANES]);
        }
        self.len += count;
    }

    /// One row with the first `count` of sixteen. That these are more than eight is rare: then there are two stores more.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone writes sixteen"))]
    #[inline(always)]
    pub(crate) fn emit_sixteen(&mut self, a: u32, b: [[u32; LANES]; 2], count: u32) {
        let n = self.len as usize;
        self.a[n..n + LANES].copy_from_slice(&[a; LANES]);
        self.b[n..n + LANES].copy_from_slice(&b[0]);
        if count > LANES as u32 {
            self.a[n + LANES..n + 2 * LANES].copy_from_slice(&[a; LANES]);
            self.b[n + LANES..n + 2 * LANES].copy_from_slice(&b[1]);
        }
        self.len += count;
    }
}

/// The rows `at + k` for the lanes k of a mask, packed to the front.
#[inline(always)]
pub(crate) fn pack(mask: u32, at: u32) -> [u32; LANES] {
    let mut rows = PACK[(mask & 0xFF) as usize];
    for row in &mut rows {
        *row += at;
    }
    rows
}

/// For each mask of eight lanes, the numbers of the lanes in it, lowest first.
pub(crate) static PACK: [[u32; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut n) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                table[mask][n] = lane as u32;
                n += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Circles;
    use crate::kernels::packing::Packing;
    use crate::kernels::{InstructionSet, Kernels, Operation, Probe, dispatch};

    fn written(pairs: &mut Pairs, rows: std::ops::Range<u32>) {
        let mut out = pairs.writer(rows.len());
        for row in rows.clone() {
            out.push(row, !row);
        }
        // The lanes that a kernel writes too much.
        out.emit([7; LANES], [7; LANES], 0);
        assert_eq!(out.len(), rows.len());
        pairs.keep(rows.len());
    }

    #[test]
    fn there_is_room_for_what_was_asked_and_eight_behind() {
        for held in [0, 1, 2, 7, 1015, 1016, 1017, 3000] {
            for more in [0, 1, 2, 8, 1016, 1017, 2500] {
                let mut pairs = Pairs::default();
                written(&mut pairs, 0..held);
                written(&mut pairs, held..held + more);
                let expected: Vec<u32> = (0..held + more).collect();
                let complement: Vec<u32> = expected.iter().map(|row| !row).collect();
                assert_eq!(pairs.rows(), (&expected[..], &complement[..]));
            }
        }
    }

    #[test]
    fn room_grows_by_a_quarter_and_from_a_thousand() {
        // Two columns of 4 bytes: 1024 pairs of 8 at least, from there a quarter more than are needed, eight lanes among them.
        assert_eq!(Pairs::default().bytes(), 0);
        for (need, least, most) in
            [(9, 1024, 1100), (1023, 1024, 1100), (1024, 1280, 1340), (100_000, 125_000, 126_000)]
        {
            let mut pairs = Pairs::default();
            written(&mut pairs, 0..need - LANES as u32);
            assert!((8 * least..8 * most).contains(&pairs.bytes()), "{need}: {}", pairs.bytes());
        }
    }

    #[test]
    fn what_does_not_pass_is_dropped_from_a_place_on() {
        let mut pairs = Pairs::default();
        written(&mut pairs, 0..20);
        pairs.retain_from(5, |a, b| a % 3 == 0 && b == !a);
        assert_eq!(pairs.rows().0, [0, 1, 2, 3, 4, 6, 9, 12, 15, 18]);
        assert!(pairs.rows().0.iter().zip(pairs.rows().1).all(|(&a, &b)| b == !a));
        pairs.retain_from(0, |_, _| false);
        assert_eq!(pairs.len(), 0);
    }

    struct Few<'a>(Circles<'a>, Probe, u32, u32);

    impl Operation for Few<'_> {
        const AVX512: bool = true;
        type Output = u32;
        #[inline(always)]
        fn run<K: Kernels>(self) -> u32 {
            K::circle_mask(self.0, self.1, self.2, self.3)
        }
    }

    #[test]
    fn a_few_rows_that_touch_at_their_rims() {
        // Five apart along (3, 4), radii of 1, and 9 around the sixth: rows 3 to 7.
        let column = |step: f32| (0..12).map(|k| k as f32 * step).chain([f32::NAN; LANES]).collect::<Vec<f32>>();
        let (x, y, mut radius) = (column(3.0), column(4.0), column(0.0));
        radius[..12].fill(1.0);
        let circles = Circles { x: &x, y: &y, radius: &radius };
        for (backend, set) in InstructionSet::texts() {
            for (start, count) in (0..12).flat_map(|start| (0..=12 - start).map(move |count| (start, count))) {
                let few = |reach: f32| Few(circles, Probe { x: 15.0, y: 20.0, reach }, start, count);
                let bits = |rows: std::ops::Range<u32>| {
                    (0..count.min(8)).filter(|k| rows.contains(&(start + k))).map(|k| 1 << k).sum::<u32>()
                };
                assert_eq!(dispatch(backend, set, few(9.0)), bits(3..8), "{start} {count}");
                assert_eq!(dispatch(backend, set, few(9.0f32.next_down())), bits(4..7), "{start} {count}");
            }
        }
    }

    struct OfTwoRuns<'a>(Circles<'a>, [u32; 2], [u32; 2]);

    impl Operation for OfTwoRuns<'_> {
        const AVX512: bool = true;
        type Output = u32;
        #[inline(always)]
        fn run<K: Kernels>(self) -> u32 {
            K::circle_masks(self.0, 0.0, self.1[0], self.1[1], self.2)
        }
    }

    #[test]
    fn two_runs_are_cut_whatever_they_count() {
        // A quarter of rows apart, radii of 0.5: from row to row up to the fourth behind. Longer runs than eight tell of eight, up to 255.
        let column = |value: fn(u32) -> f32| (0..40).map(value).chain([f32::NAN; LANES]).collect::<Vec<f32>>();
        let (x, y, radius) = (column(|k| k as f32 / 4.0), column(|_| 7.0), column(|_| 0.5));
        let circles = Circles { x: &x, y: &y, radius: &radius };
        for (backend, set) in InstructionSet::texts() {
            for (row, start) in (0..32).flat_map(|row| (0..32).map(move |start| (row, start))) {
                for counts in (0..256).map(|k| [k, 255 - k]).chain([[3, 2], [8, 8], [255, 255], [9, 0]]) {
                    let bits = |from: u32, count: u32| {
                        (0..count.min(8)).filter(|k| (from + k).abs_diff(row) <= 4).map(|k| 1 << k).sum::<u32>()
                    };
                    let expected = bits(row + 1, counts[0]) | bits(start, counts[1]) << 8;
                    let found = dispatch(backend, set, OfTwoRuns(circles, [row, start], counts));
                    assert_eq!(found, expected, "{set:?} {row} {start} {counts:?}");
                }
            }
        }
    }

    /// All pairs of masks at once, the rows of each pair of masks behind those of the one before.
    struct Both<'a>([u32; 2], &'a mut Pairs);

    impl Operation for Both<'_> {
        const AVX512: bool = true;
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            for masks in 0..1 << 16 {
                let mut out = self.1.writer(2 * LANES);
                K::Packing::emit_both(&mut out, masks, self.0, [masks & 0xFF, masks >> 8]);
                let written = out.len();
                self.1.keep(written);
            }
        }
    }

    struct Packed(u32);

    impl Operation for Packed {
        const AVX512: bool = true;
        type Output = Vec<[u32; LANES]>;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Vec<[u32; LANES]> {
            let mut packed = vec![[0; LANES]; 256];
            for (mask, packed) in packed.iter_mut().enumerate() {
                *packed = K::Packing::pack(mask as u32, self.0);
            }
            packed
        }
    }

    #[test]
    fn all_masks_are_packed_in_their_order_and_nothing_is_lost_or_added() {
        for (backend, set) in InstructionSet::texts() {
            for at in [0, 5, 1_000_000, u32::MAX - 7] {
                for (mask, packed) in (0u32..).zip(dispatch(backend, set, Packed(at))) {
                    let rows = (0..8).filter(|k| mask >> k & 1 == 1).map(|k| at + k);
                    assert!(rows.eq(packed.into_iter().take(mask.count_ones() as usize)), "{set:?} {mask:b}");
                }
            }
            for at in [[3, 3], [0, 900], [900, 0], [u32::MAX - 7; 2]] {
                let mut pairs = Pairs::default();
                dispatch(backend, set, Both(at, &mut pairs));
                let rows = |masks: u32| {
                    (0..16).filter(move |k| masks >> k & 1 == 1).map(move |k| (masks, at[k as usize / 8] + k % 8))
                };
                let (first, second) = pairs.rows();
                let found = first.iter().copied().zip(second.iter().copied());
                assert!(found.eq((0..1 << 16).flat_map(rows)), "{set:?} {at:?}");
            }
        }
    }
}
