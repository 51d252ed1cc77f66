//! Circle against circle: candidates eight at a time, contacts four.

use super::{Doubles, Lanes, Packing, below, gather, load};
use crate::geometry::{self, Circle, Circles, Vec2};
use crate::kernels::contact::CircleCircleContact;
use crate::kernels::{LANES, MOST_SQUARE, NEAR, Names, Pairs, Probe, SURE, TINY, Writer};
use std::ops::Range;

/// Candidates of one circle among a few rows, as bits.
#[inline(always)]
pub(crate) fn mask<L: Lanes>(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
    let j = start as usize;
    let dx = load::<L>(circles.x, j) - L::splat(probe.x);
    let dy = load::<L>(circles.y, j) - L::splat(probe.y);
    let most = load::<L>(circles.radius, j) + L::splat(probe.reach);
    (dx * dx + dy * dy).le(most * most).mask() & below(count)
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

/// Contacts of candidate pairs.
#[inline(always)]
pub(crate) fn contacts<L: Lanes>(
    circles: Circles<'_>,
    names: Names<'_>,
    pairs: &Pairs,
    out: &mut [CircleCircleContact],
) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (first, second) in first.chunks(LANES).zip(second.chunks(LANES)) {
        let (mut a, mut b) = ([0; LANES], [0; LANES]);
        for k in 0..first.len() {
            let (i, j) = (first[k], second[k]);
            (a[k], b[k]) = if names.of(i) < names.of(j) { (i, j) } else { (j, i) };
        }
        count += eight::<L>(circles, names, &a, &b, first.len(), &mut out[count..]);
    }
    count
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
    a: &[u32; LANES],
    b: &[u32; LANES],
    lanes: usize,
    out: &mut [CircleCircleContact],
) -> usize {
    let (ax, ay, ar) = (gather::<L>(circles.x, a), gather::<L>(circles.y, a), gather::<L>(circles.radius, a));
    let (bx, by, br) = (gather::<L>(circles.x, b), gather::<L>(circles.y, b), gather::<L>(circles.radius, b));
    let zero = L::splat(0.0);
    let (dx, dy) = (bx - ax, by - ay);
    let s = dx * dx + dy * dy;
    let r = ar + br;
    let beyond = beyond([ax, ay, ar], [bx, by, br]);
    let q = r * r;
    let sure = beyond.le(zero - q * L::splat(SURE)) & s.ge(L::splat(TINY)) & q.le(L::splat(MOST_SQUARE));
    let distance = s.sqrt();
    // The sums turn -0 into 0.
    let (nx, ny) = (dx / distance + zero, dy / distance + zero);
    let separation = beyond / (distance + r);
    let h = ar + separation * L::splat(0.5);
    let (x, y) = ((ax + nx * h + zero).store(), (ay + ny * h + zero).store());
    let (nx, ny, separation) = (nx.store(), ny.store(), separation.store());
    let record = |k: usize| CircleCircleContact {
        a: names.of(a[k]),
        b: names.of(b[k]),
        point: Vec2 { x: x[k], y: y[k] },
        normal: Vec2 { x: nx[k], y: ny[k] },
        separation: separation[k],
    };
    let (sure, all) = (sure.mask(), below(lanes as u32));
    if sure & all == all {
        for (k, out) in out[..lanes].iter_mut().enumerate() {
            *out = record(k);
        }
        return lanes;
    }
    let mut count = 0;
    for k in 0..lanes {
        let contact = if sure >> k & 1 == 1 { Some(record(k)) } else { exact(circles, names, a[k], b[k]) };
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
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (first, second) in first.chunks(LANES).zip(second.chunks(LANES)) {
        let (mut a, mut b) = ([0; LANES], [0; LANES]);
        a[..first.len()].copy_from_slice(first);
        b[..first.len()].copy_from_slice(second);
        let dx = gather::<L>(circles.x, &b) - gather::<L>(circles.x, &a);
        let dy = gather::<L>(circles.y, &b) - gather::<L>(circles.y, &a);
        let r = gather::<L>(circles.radius, &a) + gather::<L>(circles.radius, &b) + L::splat(margin);
        let q = r * r;
        let sure = (dx * dx + dy * dy).le(q - (q * L::splat(NEAR) + L::splat(TINY))).mask();
        let record = |k: usize| {
            let (a, b) = (names.of(a[k]), names.of(b[k]));
            if a < b { [a, b] } else { [b, a] }
        };
        let all = below(first.len() as u32);
        if sure & all == all {
            for (k, out) in out[count..count + first.len()].iter_mut().enumerate() {
                *out = record(k);
            }
            count += first.len();
            continue;
        }
        for k in 0..first.len() {
            if sure >> k & 1 == 1 || within(circles, margin, a[k], b[k]) {
                out[count] = record(k);
                count += 1;
            }
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
