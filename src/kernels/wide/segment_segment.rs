//! Segment against segment, eight pairs at a time. The contract is the head of [`crate::kernels::segment_segment`].

use crate::kernels::segment_segment::{
    Bounds, Boxes, Ends, ORIENTATION_BOUND, ORIENTATION_LEAST, SegmentKernels, Verdict,
};
use crate::kernels::{LANES, PACK, Pairs};
use std::ops::Range;
use wide::{f32x4, f32x8};

/// The eight-lane text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

impl SegmentKernels for Wide {
    #[inline(always)]
    fn boxes(columns: Boxes<'_>, query: Bounds, run: Range<u32>, row: u32, out: &mut Pairs) {
        let [low_x, low_y, high_x, high_y] = query.map(f32x8::splat);
        let mut at = run.start;
        // An empty run costs less than the branch that would spare it.
        loop {
            let j = at as usize;
            let meet = load(columns.low_x, j).simd_le(high_x)
                & load(columns.high_x, j).simd_ge(low_x)
                & load(columns.low_y, j).simd_le(high_y)
                & load(columns.high_y, j).simd_ge(low_y);
            let mask = meet.to_bitmask() & below(run.end.saturating_sub(at));
            out.emit([row; LANES], PACK[(mask & 0xFF) as usize].map(|lane| lane + at), mask.count_ones());
            at += LANES as u32;
            if at >= run.end {
                break;
            }
        }
    }

    fn confirm(a: &[Ends], b: &[Ends], pairs: &Pairs, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        let (first, second) = pairs.rows();
        for (first, second) in first.chunks(LANES).zip(second.chunks(LANES)) {
            let (mut i, mut j) = ([first[0]; LANES], [second[0]; LANES]);
            i[..first.len()].copy_from_slice(first);
            j[..second.len()].copy_from_slice(second);
            let eight = eight(gather(a, i), gather(b, j)).to_le_bytes();
            verdicts.extend(eight[..first.len()].iter().map(|&byte| Verdict::from_byte(byte)));
        }
    }
}

/// Verdicts of eight pairs, a byte each, the first pair lowest.
#[inline(always)]
fn eight([x0, y0, x1, y1]: [f32x8; 4], [u0, v0, u1, v1]: [f32x8; 4]) -> u64 {
    let equal = |x: f32x8, y: f32x8, u: f32x8, v: f32x8| x.simd_eq(u) & y.simd_eq(v);
    let point = (equal(x0, y0, x1, y1) | equal(u0, v0, u1, v1)).to_bitmask();
    let (start_start, start_end) = (equal(x0, y0, u0, v0), equal(x0, y0, u1, v1));
    let (end_start, end_end) = (equal(x1, y1, u0, v0), equal(x1, y1, u1, v1));
    let shared = (start_start | start_end | end_start | end_end).to_bitmask();

    let (ax, ay, bx, by) = (x1 - x0, y1 - y0, u1 - u0, v1 - v0);
    let (px, py) = (u0 - x0, v0 - y0);
    let start_of_b = side(ax, ay, px, py);
    let end_of_b = side(ax, ay, u1 - x0, v1 - y0);
    let start_of_a = side(bx, by, -px, -py);
    let end_of_a = side(bx, by, x1 - u0, y1 - v0);
    let same = |s: [f32x8; 2], e: [f32x8; 2]| (s[0] & e[0]) | (s[1] & e[1]);
    let opposite = |s: [f32x8; 2], e: [f32x8; 2]| (s[0] & e[1]) | (s[1] & e[0]);
    let free = !(point | shared);
    let apart = (same(start_of_b, end_of_b) | same(start_of_a, end_of_a)).to_bitmask() & free;
    let cross = (opposite(start_of_b, end_of_b) & opposite(start_of_a, end_of_a)).to_bitmask() & free;
    let mut touch = 0;
    let mut ends = 0;
    if shared & !point != 0 {
        // The first equal ends, in the order start-start, start-end, end-start, end-end.
        let at_start = start_start | start_end;
        let (px, py) = (at_start.bitselect(x0, x1), at_start.bitselect(y0, y1));
        let (qx, qy) = (at_start.bitselect(x1, x0), at_start.bitselect(y1, y0));
        let other = |start: f32x8, end: f32x8| {
            start_start.bitselect(end, start_end.bitselect(start, end_start.bitselect(end, start)))
        };
        let (qx, qy, rx, ry) = (qx - px, qy - py, other(u0, u1) - px, other(v0, v1) - py);
        let [left, right] = side(qx, qy, rx, ry);
        let settled = differ(qx, rx) | differ(qy, ry) | left | right;
        touch = settled.to_bitmask() & shared & !point;
        let end_of_a = touch & !at_start.to_bitmask();
        let end_of_b = touch & !start_start.to_bitmask() & (start_end.to_bitmask() | !end_start.to_bitmask());
        ends = spread(end_of_a) | spread(end_of_b) << 1;
    }
    let open = !(apart | cross | touch);
    spread(cross) | spread(open) << 1 | spread(touch) << 2 | ends
}

/// Surely to the left of the vector, surely to the right of it.
#[inline(always)]
fn side(ax: f32x8, ay: f32x8, px: f32x8, py: f32x8) -> [f32x8; 2] {
    let (left, right) = (ax * py, ay * px);
    let d = left - right;
    let bound = (left.abs() + right.abs()) * f32x8::splat(ORIENTATION_BOUND) + f32x8::splat(ORIENTATION_LEAST);
    [d.simd_gt(bound), d.simd_lt(-bound)]
}

/// The signs are not the same.
#[inline(always)]
fn differ(q: f32x8, r: f32x8) -> f32x8 {
    let zero = f32x8::splat(0.0);
    (q.simd_gt(zero) ^ r.simd_gt(zero)) | (q.simd_lt(zero) ^ r.simd_lt(zero))
}

/// Eight consecutive values of a column.
#[inline(always)]
fn load(column: &[f32], at: usize) -> f32x8 {
    let eight: [f32; LANES] = column[at..at + LANES].try_into().expect("a slice of eight");
    f32x8::new(eight)
}

/// The lanes below `count`, all of them from eight on.
#[inline(always)]
fn below(count: u32) -> u32 {
    let count = if count < LANES as u32 { count } else { LANES as u32 };
    (1 << count) - 1
}

/// The columns of eight records.
#[inline(always)]
fn gather(ends: &[Ends], rows: [u32; LANES]) -> [f32x8; 4] {
    let four = |at: usize| f32x4::transpose([0, 1, 2, 3].map(|k| f32x4::new(ends[rows[at + k] as usize])));
    let (low, high) = (four(0), four(4));
    [0, 1, 2, 3].map(|c| bytemuck::cast([low[c], high[c]]))
}

/// One bit of eight into the lowest bit of each byte.
#[inline(always)]
fn spread(mask: u32) -> u64 {
    SPREAD[(mask & 0xFF) as usize]
}

static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut lane = 0;
        while lane < 8 {
            table[mask] |= ((mask as u64 >> lane) & 1) << (8 * lane);
            lane += 1;
        }
        mask += 1;
    }
    table
};
