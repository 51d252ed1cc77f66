//! Segment against segment, eight at a time. The contract is the head of [`crate::kernels::segment_segment`].

use super::gaps::Rounded;
use super::{Doubles, Lanes, below, load, pack};
use crate::kernels::line::Line;
use crate::kernels::pairs::Rest;
use crate::kernels::segment_segment::{Bounds, Boxes, CROSS_BOUND, Crossing, Ends, QUOTIENT_BOUND, ROOM, Verdict};
use crate::kernels::{LANES, Pairs, SUM_BOUND, TINY, Writer};
use std::ops::Range;

/// The boxes among a few rows that meet the query, as bits.
#[inline(always)]
pub(crate) fn mask<L: Lanes>(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let meet = load::<L>(boxes.low_x, j).le(L::splat(query[2]))
        & load::<L>(boxes.high_x, j).ge(L::splat(query[0]))
        & load::<L>(boxes.low_y, j).le(L::splat(query[3]))
        & load::<L>(boxes.high_y, j).ge(L::splat(query[1]));
    meet.mask() & below(count)
}

/// Those of them that the line may meet.
#[inline(always)]
pub(crate) fn line_mask<L: Lanes>(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let (low_x, low_y) = (load::<L>(boxes.low_x, j), load::<L>(boxes.low_y, j));
    let (high_x, high_y) = (load::<L>(boxes.high_x, j), load::<L>(boxes.high_y, j));
    let meet = low_x.le(L::splat(query[2]))
        & high_x.ge(L::splat(query[0]))
        & low_y.le(L::splat(query[3]))
        & high_y.ge(L::splat(query[1]));
    let half = L::splat(0.5);
    let (mx, my) = ((low_x + high_x) * half - L::splat(line.x), (low_y + high_y) * half - L::splat(line.y));
    let radius = L::splat(line.radius);
    let (hx, hy) = ((high_x - low_x) * half + radius, (high_y - low_y) * half + radius);
    let reach = L::splat(line.dx.abs()) * hy + L::splat(line.dy.abs()) * hx + L::splat(line.slack);
    let off = (L::splat(line.dx) * my - L::splat(line.dy) * mx).abs();
    meet.mask() & !off.gt(reach).mask() & below(count)
}

/// The rows among eight whose boxes meet that of one of those from two to seven rows behind.
#[inline(always)]
pub(crate) fn ahead<L: Lanes>(boxes: Boxes<'_>, start: u32) -> u32 {
    let (low_x, low_y) = (window(boxes.low_x, start), window(boxes.low_y, start));
    let (high_x, high_y) = (window(boxes.high_x, start), window(boxes.high_y, start));
    let (left, bottom) = (load::<L>(low_x, 0), load::<L>(low_y, 0));
    let (right, top) = (load::<L>(high_x, 0), load::<L>(high_y, 0));
    let mut any = L::splat(0.0);
    let mut step = 2;
    while step < LANES {
        any = any
            | (load::<L>(low_x, step).le(right)
                & load::<L>(high_x, step).ge(left)
                & load::<L>(low_y, step).le(top)
                & load::<L>(high_y, step).ge(bottom));
        step += 1;
    }
    any.mask()
}

/// Eight values and the eight behind them: one check serves all looks at them.
#[inline(always)]
fn window(column: &[f32], start: u32) -> &[f32; 2 * LANES] {
    column[start as usize..start as usize + 2 * LANES].try_into().expect("two eights")
}

/// The boxes of a run that meet the query.
#[inline(always)]
pub(crate) fn run<L: Lanes>(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
    let mut at = run.start;
    while at < run.end {
        let mask = mask::<L>(boxes, query, at, run.end - at);
        out.emit([row; LANES], pack(mask, at), mask.count_ones());
        at += LANES as u32;
    }
}

/// One verdict a pair, and the values of those that cross: these wait until there are eight of them.
#[inline(always)]
pub(crate) fn verdicts<L: Lanes, D: Doubles>(
    a: &[Ends],
    b: &[Ends],
    pairs: &Pairs,
    out: &mut [Verdict],
    crossings: &mut [Crossing],
) {
    let ((first, second), (eights, rest)) = (pairs.rows(), pairs.eights());
    let (mut waiting, mut count) = ([0; BATCH + 2 * LANES], 0);
    for (k, out) in out.chunks_mut(LANES).enumerate() {
        let (rows, others, lanes) = match (eights.a.get(k), eights.b.get(k), &rest) {
            (Some(rows), Some(others), _) => (rows, others, LANES),
            (_, _, Some(Rest { a, b, lanes })) if k == eights.a.len() => (a, b, *lanes),
            _ => break,
        };
        let (eight, cross) = eight(gather_ends::<L>(a, rows), gather_ends::<L>(b, others));
        let eight = verdicts_of(eight);
        match out.first_chunk_mut() {
            Some(out) => *out = eight,
            None => out.copy_from_slice(&eight[..out.len()]),
        }
        // Every other pair of a town, hardly one on maps.
        let cross = cross & below(lanes as u32);
        waiting[count..count + LANES].copy_from_slice(&pack(cross, (LANES * k) as u32));
        count += cross.count_ones() as usize;
        if count >= BATCH {
            let full = count / LANES * LANES;
            for places in waiting[..full].chunks(LANES) {
                values_of::<L, D>((a, b), (first, second), places, crossings);
            }
            waiting.copy_within(full..full + LANES, 0);
            count -= full;
        }
    }
    for places in waiting[..count].chunks(LANES) {
        values_of::<L, D>((a, b), (first, second), places, crossings);
    }
}

/// Once so many that cross are waiting, the values of all full eights are told.
const BATCH: usize = 7 * LANES;

/// The verdicts of eight rows, each with the row behind it.
#[inline(always)]
pub(crate) fn chain<L: Lanes>(columns: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES] {
    let [x0, y0, x1, y1] = columns;
    let row = [load::<L>(x0, 0), load::<L>(y0, 0), load::<L>(x1, 0), load::<L>(y1, 0)];
    let next = [load::<L>(x0, 1), load::<L>(y0, 1), load::<L>(x1, 1), load::<L>(y1, 1)];
    if are_joints(row, next) {
        return [Verdict::touch(true, false); LANES];
    }
    verdicts_of(eight(row, next).0)
}

/// The verdicts of eight bytes.
#[inline(always)]
fn verdicts_of(bytes: u64) -> [Verdict; LANES] {
    let mut verdicts = [Verdict::APART; LANES];
    for (verdict, byte) in verdicts.iter_mut().zip(bytes.to_le_bytes()) {
        *verdict = Verdict::from_byte(byte);
    }
    verdicts
}

/// What [`eight`] would tell of all eight pairs is that the end of one is the start of the other, as it is all along a chain: a quarter of the work.
#[inline(always)]
fn are_joints<L: Lanes>([x0, y0, x1, y1]: [L; 4], [u0, v0, u1, v1]: [L; 4]) -> bool {
    if equal(x1, y1, u0, v0).mask() != 0xFF {
        return false;
    }
    // No point: that would have its start there too, or its end. And no way there and back again, whose starts and ends are equal crosswise: of that
    // the last test is not sure.
    let point = equal(x0, y0, u0, v0) | equal(u0, v0, u1, v1);
    let (qx, qy, rx, ry) = (x0 - x1, y0 - y1, u1 - x1, v1 - y1);
    let (left, right) = side(qx, qy, rx, ry);
    (differ(qx, rx) | differ(qy, ry) | (left | right).mask()) & !point.mask() & 0xFF == 0xFF
}

/// The values of up to eight pairs, which cross.
#[inline(always)]
fn values_of<L: Lanes, D: Doubles>(
    (a, b): (&[Ends], &[Ends]),
    (first, second): (&[u32], &[u32]),
    places: &[u32],
    crossings: &mut [Crossing],
) {
    let (mut rows, mut others) = ([first[places[0] as usize]; LANES], [second[places[0] as usize]; LANES]);
    for (k, &place) in places.iter().enumerate() {
        (rows[k], others[k]) = (first[place as usize], second[place as usize]);
    }
    let mut found = [Crossing::default(); LANES];
    values::<L, D>(gather_ends::<L>(a, &rows), gather_ends::<L>(b, &others), &mut found);
    for (&place, &found) in places.iter().zip(&found) {
        crossings[place as usize] = found;
    }
}

/// The values of eight pairs, as if they crossed.
#[inline(always)]
fn values<L: Lanes, D: Doubles>(a: [L; 4], b: [L; 4], out: &mut [Crossing; LANES]) {
    let (mut columns, mut found, mut sure) = ([[0.0; LANES]; 8], [Rounded::default(); 4], 0);
    for (to, from) in columns.iter_mut().zip(a.into_iter().chain(b)) {
        *to = from.store();
    }
    for from in (0..LANES).step_by(D::COUNT) {
        let [x0, y0, x1, y1, u0, v0, u1, v1] = &columns;
        let a = [D::widen(x0, from), D::widen(y0, from), D::widen(x1, from), D::widen(y1, from)];
        let b = [D::widen(u0, from), D::widen(v0, from), D::widen(u1, from), D::widen(v1, from)];
        let (few, known) = few(a, b);
        Rounded::put(&mut found, few, from);
        sure |= known << from;
    }
    let mut columns = [L::splat(0.0); 8];
    for (to, found) in columns.iter_mut().zip(&found) {
        let (nearest, known) = found.settle::<L>();
        *to = nearest;
        sure &= known.mask();
    }
    for (k, (out, [[x, y, t, u], _])) in out.iter_mut().zip(L::in_halves(columns)).enumerate() {
        *out = Crossing { x, y, t, u, sure: sure >> k & 1 == 1 };
    }
}

/// The point and where it is on both, each with how far off it may be; and of which pairs that is sure.
#[inline(always)]
fn few<D: Doubles>([ax, ay, ax1, ay1]: [D; 4], [bx, by, bx1, by1]: [D; 4]) -> ([[D; 2]; 4], u32) {
    let (rx, ry, sx, sy, wx, wy) = (ax1 - ax, ay1 - ay, bx1 - bx, by1 - by, bx - ax, by - ay);
    let (d, sum) = cross(rx, ry, sx, sy);
    let (n_t, sum_t) = cross(wx, wy, sx, sy);
    let (n_u, sum_u) = cross(wx, wy, rx, ry);
    let inverse = D::splat(1.0) / d;
    let (t, u) = (n_t * inverse, n_u * inverse);
    let (bound, quotient) = (D::splat(CROSS_BOUND), D::splat(QUOTIENT_BOUND));
    let scale = inverse.abs() * D::splat(2.0 * CROSS_BOUND);
    let off_t = (sum_t + t.abs() * sum) * scale + t.abs() * quotient;
    let off_u = (sum_u + u.abs() * sum) * scale + u.abs() * quotient;
    let sure = (sum * bound).le(d.abs() * D::splat(0.25)).mask();
    ([coordinate(ax, rx, t, off_t), coordinate(ay, ry, t, off_t), [t, off_t], [u, off_u]], sure)
}

#[inline(always)]
fn coordinate<D: Doubles>(from: D, way: D, t: D, off: D) -> [D; 2] {
    let step = t * way;
    let value = from + step;
    [value, off * way.abs() * D::splat(ROOM) + (step.abs() + value.abs()) * D::splat(QUOTIENT_BOUND)]
}

/// The cross product, and the sum of the absolute values of its two products.
#[inline(always)]
fn cross<D: Doubles>(px: D, py: D, qx: D, qy: D) -> (D, D) {
    let (left, right) = (px * qy, py * qx);
    (left - right, left.abs() + right.abs())
}

/// The four coordinates of eight segments, as columns.
#[inline(always)]
pub(crate) fn gather_ends<L: Lanes>(ends: &[Ends], &[a, b, c, d, e, f, g, h]: &[u32; LANES]) -> [L; 4] {
    let (a, b, c, d) = (&ends[a as usize], &ends[b as usize], &ends[c as usize], &ends[d as usize]);
    let (e, f, g, h) = (&ends[e as usize], &ends[f as usize], &ends[g as usize], &ends[h as usize]);
    L::columns_of([a, b, c, d, e, f, g, h])
}

/// Verdicts of eight pairs, a byte each, the first pair lowest; and the mask of those that cross.
#[inline(always)]
fn eight<L: Lanes>([x0, y0, x1, y1]: [L; 4], [u0, v0, u1, v1]: [L; 4]) -> (u64, u32) {
    let point = (equal(x0, y0, x1, y1) | equal(u0, v0, u1, v1)).mask();
    let joint = Joint {
        start_start: equal(x0, y0, u0, v0),
        start_end: equal(x0, y0, u1, v1),
        end_start: equal(x1, y1, u0, v0),
    };
    let end_end = equal(x1, y1, u1, v1);
    let shared = (joint.start_start | joint.start_end | joint.end_start | end_end).mask();

    let (ax, ay, bx, by) = (x1 - x0, y1 - y0, u1 - u0, v1 - v0);
    let start_of_b = side(ax, ay, u0 - x0, v0 - y0);
    let end_of_b = side(ax, ay, u1 - x0, v1 - y0);
    let start_of_a = side(bx, by, x0 - u0, y0 - v0);
    let end_of_a = side(bx, by, x1 - u0, y1 - v0);
    let free = !(point | shared);
    let apart = (same(start_of_b, end_of_b) | same(start_of_a, end_of_a)).mask() & free;
    let cross = (opposite(start_of_b, end_of_b) & opposite(start_of_a, end_of_a)).mask() & free;
    let (mut touch, mut ends) = (0, 0);
    if shared & !point != 0 {
        // The first equal ends, in the order start-start, start-end, end-start, end-end.
        let at_start = joint.start_start | joint.start_end;
        let (px, py) = (at_start.select(x0, x1), at_start.select(y0, y1));
        let (qx, qy) = (at_start.select(x1, x0) - px, at_start.select(y1, y0) - py);
        let (rx, ry) = (joint.other_of_b(u0, u1) - px, joint.other_of_b(v0, v1) - py);
        let (left, right) = side(qx, qy, rx, ry);
        let settled = differ(qx, rx) | differ(qy, ry) | (left | right).mask();
        touch = settled & shared & !point;
        let end_of_a = touch & !at_start.mask();
        let end_of_b = touch & !joint.start_start.mask() & (joint.start_end.mask() | !joint.end_start.mask());
        ends = spread(end_of_a) | spread(end_of_b) << 1;
    }
    let open = !(apart | cross | touch);
    (spread(cross) | spread(open) << 1 | spread(touch) << 2 | ends, cross & 0xFF)
}

/// Which ends are equal; the end of both where none of these is.
#[derive(Clone, Copy)]
struct Joint<L> {
    start_start: L,
    start_end: L,
    end_start: L,
}

impl<L: Lanes> Joint<L> {
    /// Of the start and the end of b, the one that is not at the joint.
    #[inline(always)]
    fn other_of_b(self, start: L, end: L) -> L {
        self.start_start.select(end, self.start_end.select(start, self.end_start.select(end, start)))
    }
}

#[inline(always)]
fn equal<L: Lanes>(x: L, y: L, u: L, v: L) -> L {
    x.eq(u) & y.eq(v)
}

/// Surely to the left of the vector, surely to the right of it.
#[inline(always)]
fn side<L: Lanes>(ax: L, ay: L, px: L, py: L) -> (L, L) {
    let (left, right) = (ax * py, ay * px);
    let d = left - right;
    let bound = (left.abs() + right.abs()) * L::splat(SUM_BOUND) + L::splat(TINY);
    (d.gt(bound), d.lt(L::splat(0.0) - bound))
}

#[inline(always)]
fn same<L: Lanes>(s: (L, L), e: (L, L)) -> L {
    (s.0 & e.0) | (s.1 & e.1)
}

#[inline(always)]
fn opposite<L: Lanes>(s: (L, L), e: (L, L)) -> L {
    (s.0 & e.1) | (s.1 & e.0)
}

/// The lanes where the signs are not the same.
#[inline(always)]
fn differ<L: Lanes>(q: L, r: L) -> u32 {
    let zero = L::splat(0.0);
    (q.gt(zero).mask() ^ r.gt(zero).mask()) | (q.lt(zero).mask() ^ r.lt(zero).mask())
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
        while lane < LANES {
            table[mask] |= ((mask as u64 >> lane) & 1) << (8 * lane);
            lane += 1;
        }
        mask += 1;
    }
    table
};
