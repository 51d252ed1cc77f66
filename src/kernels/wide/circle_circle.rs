//! Circle against circle: candidates eight at a time, contacts four.

use super::{Doubles, Lanes, below, called, discs, even, in_order, load};
use crate::geometry::{self, Circle, Circles, Vec2};
use crate::kernels::contact::CircleCircleContact;
use crate::kernels::packing::Packing;
use crate::kernels::pairs::Rest;
use crate::kernels::{LANES, MOST_SQUARE, NEAR, Names, Pairs, Probe, SURE, TINY, Writer};
use std::ops::Range;

/// Candidates of one circle among a few rows, as bits.
#[inline(always)]
pub(crate) fn mask<L: Lanes>(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let dx = load::<L>(circles.x, j) - L::splat(probe.x);
    let dy = load::<L>(circles.y, j) - L::splat(probe.y);
    are_near(dx, dy, load::<L>(circles.radius, j) + L::splat(probe.reach)) & below(count)
}

/// Who is no further than so much.
#[inline(always)]
fn are_near<L: Lanes>(dx: L, dy: L, most: L) -> u32 {
    (dx * dx + dy * dy).le(most * most).mask()
}

/// Candidates of one circle behind its own row, and from another row on: no more than eight of either, and fewer than 256 there are.
#[inline(always)]
pub(crate) fn masks<L: Lanes>(circles: Circles<'_>, grow: f32, row: u32, start: u32, counts: [u32; 2]) -> u32 {
    // Of one column itself and the eight behind it: one place, and one check of it, for both.
    let (own, at) = (row as usize..row as usize + LANES + 1, start as usize);
    let (xs, ys, radii) = (&circles.x[own.clone()], &circles.y[own.clone()], &circles.radius[own]);
    let (x, y, reach) = (L::splat(xs[0]), L::splat(ys[0]), L::splat(radii[0] + grow));
    let own = are_near(load::<L>(xs, 1) - x, load::<L>(ys, 1) - y, load::<L>(radii, 1) + reach);
    let (dx, dy) = (load::<L>(circles.x, at) - x, load::<L>(circles.y, at) - y);
    let other = are_near(dx, dy, load::<L>(circles.radius, at) + reach);
    L::lowest(own, counts[0]) | L::lowest(other, counts[1]) << LANES
}

/// Candidates of one circle in a run.
#[inline(always)]
pub(crate) fn run<L: Lanes, P: Packing>(
    circles: Circles<'_>,
    probe: Probe,
    row: u32,
    run: Range<u32>,
    out: &mut Writer<'_>,
) {
    let mut at = run.start;
    while at < run.end {
        let mask = mask::<L>(circles, probe, at, run.end - at);
        out.emit([row; LANES], P::pack(mask, at), mask.count_ones());
        at += LANES as u32;
    }
}

/// Numbers of a record.
const WORDS: usize = size_of::<CircleCircleContact>() / 4;

/// Contacts of candidate pairs.
#[inline(always)]
pub(crate) fn contacts<L: Lanes>(
    circles: Circles<'_>,
    names: Names<'_>,
    pairs: &Pairs,
    out: &mut [CircleCircleContact],
) -> usize {
    let ((eights, rest), (circles, names)) = (pairs.eights(), even(circles, names));
    let mut count = 0;
    if let (Some(i), Some(j)) = (eights.a.first(), eights.b.first()) {
        // Each eight is fetched while the one before is evaluated, which does not wait for memory then.
        let mut fetched = [fetch::<L>(circles, names, [i, j]); 2];
        for (k, (i, j)) in eights.a.iter().zip(eights.b).enumerate() {
            if let (Some(i), Some(j)) = (eights.a.get(k + 1), eights.b.get(k + 1)) {
                fetched[(k + 1) % 2] = fetch::<L>(circles, names, [i, j]);
            }
            count += eight::<L>(circles, names, [i, j], &fetched[k % 2], LANES, &mut out[count..]);
        }
    }
    if let Some(Rest { a, b, lanes }) = rest {
        let fetched = fetch::<L>(circles, names, [&a, &b]);
        count += eight::<L>(circles, names, [&a, &b], &fetched, lanes, &mut out[count..]);
    }
    count
}

/// Names, centres and radii of eight pairs, of each the first circles' before the second ones'.
#[inline(always)]
fn fetch<L: Lanes>(circles: Circles<'_>, names: Names<'_>, [i, j]: [&[u32; LANES]; 2]) -> [[f32; LANES]; 8] {
    let ([ix, iy, ir], i_name) = (discs::<L>(circles, i), called::<L>(names, i));
    let ([jx, jy, jr], j_name) = (discs::<L>(circles, j), called::<L>(names, j));
    [i_name.store(), j_name.store(), ix.store(), jx.store(), iy.store(), jy.store(), ir.store(), jr.store()]
}

/// D² - R², each half in double precision, rounded once.
#[inline(always)]
fn beyond<L: Lanes>([ax, ay, ar]: [L; 3], [bx, by, br]: [L; 3]) -> L {
    let ((ax, ax2), (ay, ay2), (ar, ar2)) = (ax.widen(), ay.widen(), ar.widen());
    let ((bx, bx2), (by, by2), (br, br2)) = (bx.widen(), by.widen(), br.widen());
    L::narrow(half(bx - ax, by - ay, br + ar), half(bx2 - ax2, by2 - ay2, br2 + ar2))
}

#[inline(always)]
fn half<D: Doubles>(dx: D, dy: D, r: D) -> D {
    dx * dx + dy * dy - r * r
}

#[inline(always)]
fn eight<L: Lanes>(
    circles: Circles<'_>,
    names: Names<'_>,
    [i, j]: [&[u32; LANES]; 2],
    [i_name, j_name, ix, jx, iy, jy, ir, jr]: &[[f32; LANES]; 8],
    lanes: usize,
    out: &mut [CircleCircleContact],
) -> usize {
    let (i_name, j_name) = (L::load(i_name), L::load(j_name));
    let ((ix, jx), (iy, jy), (ir, jr)) =
        ((L::load(ix), L::load(jx)), (L::load(iy), L::load(jy)), (L::load(ir), L::load(jr)));
    // Which of the two is called less is as good as random: chosen without a branch.
    let swap = j_name.bits_lt(i_name);
    let (a, b) = in_order(swap, i_name, j_name);
    let (ax, ay, ar) = (swap.select(jx, ix), swap.select(jy, iy), swap.select(jr, ir));
    // -1 where the second one comes first.
    let sign = L::splat(1.0) | (swap & L::splat(-0.0));
    let zero = L::splat(0.0);
    let (dx, dy) = (jx - ix, jy - iy);
    let s = dx * dx + dy * dy;
    let r = ir + jr;
    let beyond = beyond([ix, iy, ir], [jx, jy, jr]);
    let q = r * r;
    let sure = beyond.le(zero - q * L::splat(SURE)) & s.ge(L::splat(TINY)) & q.le(L::splat(MOST_SQUARE));
    let distance = s.sqrt();
    // The sums turn -0 into 0.
    let (nx, ny) = (dx / distance * sign + zero, dy / distance * sign + zero);
    let separation = beyond / (distance + r);
    let h = ar + separation * L::splat(0.5);
    let (x, y) = (ax + nx * h + zero, ay + ny * h + zero);
    let (records, sure) = ([a, b, x, y, nx, ny, separation, zero], sure.mask());
    if sure == below(LANES as u32)
        && lanes == LANES
        && let Some(nine) = out.first_chunk_mut::<{ LANES + 1 }>()
    {
        // Eight words each, of which the last is the next one's first.
        let words: &mut [[f32; WORDS]; LANES + 1] = bytemuck::cast_mut(nine);
        let words = words.as_flattened_mut();
        for (k, [low, high]) in L::in_halves(records).iter().enumerate() {
            words[WORDS * k..WORDS * k + 4].copy_from_slice(low);
            words[WORDS * k + 4..WORDS * k + LANES].copy_from_slice(high);
        }
        return LANES;
    }
    some(circles, names, [i, j], lanes, (sure, &L::in_halves(records)), out)
}

/// Records of fewer than eight pairs, or where not all of them are sure.
#[inline(never)]
fn some(
    circles: Circles<'_>,
    names: Names<'_>,
    [i, j]: [&[u32; LANES]; 2],
    lanes: usize,
    (sure, records): (u32, &[[[f32; 4]; 2]; LANES]),
    out: &mut [CircleCircleContact],
) -> usize {
    let mut count = 0;
    for k in 0..lanes {
        let contact = if sure >> k & 1 == 1 {
            let [record @ .., _]: [f32; LANES] = bytemuck::cast(records[k]);
            Some(bytemuck::cast::<[f32; WORDS], _>(record))
        } else if names.of(i[k]) < names.of(j[k]) {
            exact(circles, names, i[k], j[k])
        } else {
            exact(circles, names, j[k], i[k])
        };
        if let Some(contact) = contact {
            out[count] = contact;
            count += 1;
        }
    }
    count
}

/// A doubtful pair, by the function that is right for all.
#[cold]
#[inline(never)]
fn exact(circles: Circles<'_>, names: Names<'_>, a: u32, b: u32) -> Option<CircleCircleContact> {
    let circle = |row: u32| {
        let row = row as usize;
        Circle { center: Vec2 { x: circles.x[row], y: circles.y[row] }, radius: circles.radius[row] }
    };
    let c = geometry::circle_circle(circle(a), circle(b))?;
    Some(CircleCircleContact {
        a: names.of(a),
        b: names.of(b),
        point: c.point,
        normal: c.normal,
        separation: c.separation,
    })
}

/// Pairs within a margin of touching.
#[inline(always)]
pub(crate) fn pairs<L: Lanes>(
    circles: Circles<'_>,
    margin: f32,
    names: Names<'_>,
    pairs: &Pairs,
    out: &mut [[u32; 2]],
) -> usize {
    let ((eights, rest), (circles, names)) = (pairs.eights(), even(circles, names));
    let mut count = 0;
    for (a, b) in eights.a.iter().zip(eights.b) {
        count += eight_pairs::<L>(circles, margin, names, [a, b], LANES, &mut out[count..]);
    }
    if let Some(Rest { a, b, lanes }) = rest {
        count += eight_pairs::<L>(circles, margin, names, [&a, &b], lanes, &mut out[count..]);
    }
    count
}

#[inline(always)]
fn eight_pairs<L: Lanes>(
    circles: Circles<'_>,
    margin: f32,
    names: Names<'_>,
    [a, b]: [&[u32; LANES]; 2],
    lanes: usize,
    out: &mut [[u32; 2]],
) -> usize {
    let ([ax, ay, ar], [bx, by, br]) = (discs::<L>(circles, a), discs::<L>(circles, b));
    let (dx, dy) = (bx - ax, by - ay);
    let r = ar + br + L::splat(margin);
    let q = r * r;
    let sure = (dx * dx + dy * dy).le(q - (q * L::splat(NEAR) + L::splat(TINY))).mask();
    let (a_name, b_name) = (called::<L>(names, a), called::<L>(names, b));
    let (low, high) = in_order(b_name.bits_lt(a_name), a_name, b_name);
    let (low, high): ([u32; LANES], [u32; LANES]) = (bytemuck::cast(low.store()), bytemuck::cast(high.store()));
    if sure == below(LANES as u32)
        && lanes == LANES
        && let Some(out) = out.first_chunk_mut::<LANES>()
    {
        for (k, out) in out.iter_mut().enumerate() {
            *out = [low[k], high[k]];
        }
        return LANES;
    }
    let mut count = 0;
    for k in 0..lanes {
        if sure >> k & 1 == 1 || within(circles, margin, a[k], b[k]) {
            out[count] = [low[k], high[k]];
            count += 1;
        }
    }
    count
}

/// A doubtful pair, by the function that is right for all.
#[cold]
#[inline(never)]
fn within(circles: Circles<'_>, margin: f32, a: u32, b: u32) -> bool {
    let circle = |row: u32| {
        let row = row as usize;
        Circle { center: Vec2 { x: circles.x[row], y: circles.y[row] }, radius: circles.radius[row] }
    };
    geometry::circles_within(circle(a), circle(b), margin)
}
