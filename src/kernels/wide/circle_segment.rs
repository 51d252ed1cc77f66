//! Segment against circles: candidates eight at a time, contacts four in double precision.

use super::{Doubles, Lanes, below, called, discs, even, feature_of, load, number_of, walls};
use crate::geometry::{self, Capsules, Circle, Circles, Segment, Vec2};
use crate::kernels::contact::CircleSegmentContact;
use crate::kernels::pairs::Rest;
use crate::kernels::{DOT_BOUND, LANES, MOST, NEAR, Names, Near, Pairs, SUM_BOUND, SURE, TINY, U, Wall};

/// Candidates of one segment among a few circles, as bits.
#[inline(always)]
pub(crate) fn mask<L: Lanes>(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
    let (dx, dy) = (L::splat(wall.dx), L::splat(wall.dy));
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let j = start as usize;
    let (wx, wy) = (load::<L>(circles.x, j) - L::splat(wall.x), load::<L>(circles.y, j) - L::splat(wall.y));
    let t = (wx * dx + wy * dy) * L::splat(wall.inverse);
    // In this order what is not a number becomes 0, and never hides a pair.
    let t = t.at_least(zero).at_most(one);
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let most = load::<L>(circles.radius, j) + L::splat(reach);
    (qx * qx + qy * qy).le(most * most).mask() & below(count)
}

/// Candidates of one point among a few segments, and those that are surely near, as bits.
#[inline(always)]
pub(crate) fn near<L: Lanes>(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2] {
    let (zero, one, grow) = (L::splat(0.0), L::splat(1.0), L::splat(Near::GROW));
    let j = start as usize;
    let (x, y) = (load::<L>(segments.x0, j), load::<L>(segments.y0, j));
    let (dx, dy) = (load::<L>(segments.x1, j) - x, load::<L>(segments.y1, j) - y);
    let length = dx.abs() + dy.abs();
    let (short, mut large) = (length.lt(L::splat(Near::SHORT)), length.gt(L::splat(Near::LARGE)));
    let (mut most, mut sum) = (L::splat(near.reach), L::splat(near.surely));
    if segments.radius.is_empty() {
        most = most + grow * length;
    } else {
        let radius = load::<L>(segments.radius, j);
        large = large | radius.gt(L::splat(Near::LARGE));
        most = most + (grow * (length + radius) + radius * L::splat(1.0 + 8.0 * U));
        sum = sum + radius;
    }
    let most = most + short.select(length + length, zero);
    let most = large.select(L::splat(f32::INFINITY), most);
    let less = large.select(zero, sum - (grow * (length + sum) + L::splat(Near::LEAST)));
    let point = short | large;
    let (dx, dy) = (point.select(zero, dx), point.select(zero, dy));
    let (wx, wy) = (L::splat(near.x) - x, L::splat(near.y) - y);
    let t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    // In this order what is not a number becomes 0, and never hides a pair.
    let t = t.at_least(zero).at_most(one);
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let square = qx * qx + qy * qy;
    let (may, surely) = (square.le(most * most), less.gt(zero) & square.le(less * less));
    [may.mask() & below(count), surely.mask() & below(count)]
}

/// Contacts of candidate pairs.
#[inline(always)]
pub(crate) fn contacts<L: Lanes, D: Doubles>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    pairs: &Pairs,
    out: &mut [CircleSegmentContact],
) -> usize {
    let ((eights, rest), (circles, segments, names)) = (pairs.eights(), evened(circles, segments, names));
    let mut count = 0;
    if !eights.a.is_empty() {
        let (mut staged, mut sure) = ([[[0.0; LANES]; 8]; AHEAD], [0; AHEAD]);
        for (a, b) in eights.a.chunks(AHEAD).zip(eights.b.chunks(AHEAD)) {
            for ((a, b), staged) in a.iter().zip(b).zip(&mut staged) {
                *staged = fetch::<L>(circles, segments, [a, b]);
            }
            for (staged, sure) in staged[..a.len()].iter_mut().zip(&mut sure) {
                *sure = evaluate::<D>(staged);
            }
            for (((a, b), staged), &sure) in a.iter().zip(b).zip(&staged).zip(&sure) {
                count += eight::<L>(circles, segments, names, [a, b], (staged, sure), LANES, &mut out[count..]);
            }
        }
    }
    if let Some(Rest { a, b, lanes }) = rest {
        let mut staged = fetch::<L>(circles, segments, [&a, &b]);
        let sure = evaluate::<D>(&mut staged);
        count += eight::<L>(circles, segments, names, [&a, &b], (&staged, sure), lanes, &mut out[count..]);
    }
    count
}

/// So many eights are fetched, then evaluated, then written: the roots and quotients of one do not wait for those of another.
const AHEAD: usize = 4;

/// Centres and radii of eight circles, ends and radii of eight segments; then what is written.
type Staged = [[f32; LANES]; 8];

#[inline(always)]
fn fetch<L: Lanes>(circles: Circles<'_>, segments: Capsules<'_>, [a, b]: [&[u32; LANES]; 2]) -> Staged {
    let ([px, py, r], [ax, ay, bx, by, radius]) = (discs::<L>(circles, a), walls::<L>(segments, b));
    [px.store(), py.store(), r.store(), ax.store(), ay.store(), bx.store(), by.store(), radius.store()]
}

/// Puts points, normals, separations and the numbers of features in the places of what was fetched, and tells which of the eight are sure.
#[inline(always)]
fn evaluate<D: Doubles>(staged: &mut Staged) -> u32 {
    let mut sure = 0;
    for from in (0..LANES).step_by(D::COUNT) {
        let [px, py, r, ax, ay, bx, by, radius] = &*staged;
        let (px, py, r) = (D::widen(px, from), D::widen(py, from), D::widen(r, from));
        let (ax, ay, bx, by) = (D::widen(ax, from), D::widen(ay, from), D::widen(bx, from), D::widen(by, from));
        let few = few([px, py, r], [ax, ay, bx, by, D::widen(radius, from)]);
        let feature = number_of(few.inside, few.start);
        for (to, values) in staged.iter_mut().zip([few.x, few.y, few.nx, few.ny, few.separation, feature]) {
            values.narrow(to, from);
        }
        sure |= few.sure.mask() << from;
    }
    sure
}

#[inline(always)]
fn eight<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    [a, b]: [&[u32; LANES]; 2],
    ([x, y, nx, ny, separation, feature, ..], sure): (&Staged, u32),
    lanes: usize,
    out: &mut [CircleSegmentContact],
) -> usize {
    let (a_name, b_name) = (called::<L>(names[0], a), called::<L>(names[1], b));
    // The sums turn -0 into 0.
    let zero = L::splat(0.0);
    let (x, y, nx, ny) = (L::load(x) + zero, L::load(y) + zero, L::load(nx) + zero, L::load(ny) + zero);
    let records = [a_name, b_name, x, y, nx, ny, L::load(separation), feature_of(L::load(feature))];
    if sure == below(LANES as u32)
        && lanes == LANES
        && let Some(out) = out.first_chunk_mut::<LANES>()
    {
        for (out, record) in out.iter_mut().zip(L::in_halves(records)) {
            *out = bytemuck::cast(record);
        }
        return LANES;
    }
    some(circles, segments, names, [a, b], lanes, (sure, &L::in_halves(records)), out)
}

/// All of one kind cut to one length, so that a row takes one check.
#[inline(always)]
fn evened<'a>(
    circles: Circles<'a>,
    segments: Capsules<'a>,
    [a, b]: [Names<'a>; 2],
) -> (Circles<'a>, Capsules<'a>, [Names<'a>; 2]) {
    let ((circles, a), segments) = (even(circles, a), segments.even());
    let n = segments.x0.len();
    let b = match b {
        // There are as many names as segments.
        Names::Order(order) if order.len() >= n => Names::Order(&order[..n]),
        _ => b,
    };
    (circles, segments, [a, b])
}

/// Records of fewer than eight pairs, or where not all of them are sure.
#[inline(never)]
fn some(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    [a, b]: [&[u32; LANES]; 2],
    lanes: usize,
    (sure, records): (u32, &[[[f32; 4]; 2]; LANES]),
    out: &mut [CircleSegmentContact],
) -> usize {
    let mut count = 0;
    for k in 0..lanes {
        let contact = if sure >> k & 1 == 1 {
            Some(bytemuck::cast(records[k]))
        } else {
            exact(circles, segments, names, a[k], b[k])
        };
        if let Some(contact) = contact {
            out[count] = contact;
            count += 1;
        }
    }
    count
}

/// What is written of a few contacts.
struct Few<D> {
    x: D,
    y: D,
    nx: D,
    ny: D,
    separation: D,
    inside: D,
    start: D,
    sure: D,
}

/// The centres and radii of a few circles, the ends and radii of as many segments.
#[inline(always)]
fn few<D: Doubles>([px, py, r]: [D; 3], [ax, ay, bx, by, radius]: [D; 5]) -> Few<D> {
    let (zero, bound, margin) = (D::splat(0.0), D::splat(DOT_BOUND), D::splat(f64::from(SURE)));
    let (dx, dy) = (bx - ax, by - ay);
    let (wx, wy) = (px - ax, py - ay);
    let (vx, vy) = (px - bx, py - by);
    let (f0, f1) = (wx * dx + wy * dy, vx * dx + vy * dy);
    let e0 = ((wx * dx).abs() + (wy * dy).abs()) * bound;
    let e1 = ((vx * dx).abs() + (vy * dy).abs()) * bound;
    let start = f0.le(zero - e0);
    let end = f1.ge(e1);
    let inside = f0.gt(e0) & f1.lt(zero - e1);

    // From the centre straight to the line, or to the end.
    let c = dx * wy - dy * wx;
    let sum = (dx * wy).abs() + (dy * wx).abs();
    let left = c.gt(zero);
    let (qx, qy) = (start.select(ax, bx), start.select(ay, by));
    let ex = inside.select(left.select(dy, zero - dy), qx - px);
    let ey = inside.select(left.select(zero - dx, dx), qy - py);
    let root = (ex * ex + ey * ey).sqrt();
    let inverse = D::splat(1.0) / root;
    let distance = inside.select(c.abs() * inverse, root);
    let total = r + radius;
    let doubt = inside.select(sum * inverse, zero);
    let sure = (inside | start | end)
        & inside.select(c.abs() - sum * bound, root).gt(zero)
        & (distance + doubt * margin).le(total - total * margin)
        & total.le(D::splat(MOST));

    let (nx, ny) = (ex * inverse, ey * inverse);
    let h = inside.select(distance, zero) - radius;
    let (x, y) = (inside.select(px, qx) + nx * h, inside.select(py, qy) + ny * h);
    let separation = distance - total;
    Few { x, y, nx, ny, separation, inside, start, sure }
}

/// A doubtful pair, by the function that is right for all.
#[cold]
#[inline(never)]
fn exact(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    row: u32,
    wall: u32,
) -> Option<CircleSegmentContact> {
    let (circle, segment) = shapes(circles, segments, row, wall);
    let c = geometry::circle_segment(circle, segment)?;
    Some(CircleSegmentContact {
        a: names[0].of(row),
        b: names[1].of(wall),
        point: c.point,
        normal: c.normal,
        separation: c.separation,
        feature: c.feature,
    })
}

/// The shapes of a pair.
fn shapes(circles: Circles<'_>, segments: Capsules<'_>, row: u32, wall: u32) -> (Circle, Segment) {
    let (i, k) = (row as usize, wall as usize);
    let circle = Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] };
    let segment = Segment {
        start: Vec2 { x: segments.x0[k], y: segments.y0[k] },
        end: Vec2 { x: segments.x1[k], y: segments.y1[k] },
        radius: segments.radius[k],
    };
    (circle, segment)
}

/// Pairs that touch.
#[inline(always)]
pub(crate) fn pairs<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    pairs: &Pairs,
    out: &mut [[u32; 2]],
) -> usize {
    let ((eights, rest), (circles, segments, names)) = (pairs.eights(), evened(circles, segments, names));
    let mut count = 0;
    for (a, b) in eights.a.iter().zip(eights.b) {
        count += eight_pairs::<L>(circles, segments, names, [a, b], LANES, &mut out[count..]);
    }
    if let Some(Rest { a, b, lanes }) = rest {
        count += eight_pairs::<L>(circles, segments, names, [&a, &b], lanes, &mut out[count..]);
    }
    count
}

#[inline(always)]
fn eight_pairs<L: Lanes>(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: [Names<'_>; 2],
    [a, b]: [&[u32; LANES]; 2],
    lanes: usize,
    out: &mut [[u32; 2]],
) -> usize {
    let sure = surely_touch::<L>(circles, segments, a, b);
    if sure == below(LANES as u32)
        && lanes == LANES
        && let Some(out) = out.first_chunk_mut::<LANES>()
    {
        let (a, b) = (called::<L>(names[0], a).store(), called::<L>(names[1], b).store());
        let [a, b]: [[u32; LANES]; 2] = [bytemuck::cast(a), bytemuck::cast(b)];
        for (k, out) in out.iter_mut().enumerate() {
            *out = [a[k], b[k]];
        }
        return LANES;
    }
    let mut count = 0;
    for k in 0..lanes {
        if sure >> k & 1 == 1 || touch(circles, segments, a[k], b[k]) {
            out[count] = [names[0].of(a[k]), names[1].of(b[k])];
            count += 1;
        }
    }
    count
}

#[inline(always)]
fn surely_touch<L: Lanes>(circles: Circles<'_>, segments: Capsules<'_>, a: &[u32; LANES], b: &[u32; LANES]) -> u32 {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let ([x, y, r], [x0, y0, x1, y1, radius]) = (discs::<L>(circles, a), walls::<L>(segments, b));
    let (dx, dy, wx, wy) = (x1 - x0, y1 - y0, x - x0, y - y0);
    let t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    // In this order what is not a number becomes 0.
    let t = t.at_least(zero).at_most(one);
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let total = r + radius;
    let most = total - (dx.abs() + dy.abs() + total) * L::splat(SUM_BOUND);
    let g = most * most;
    (most.gt(zero) & (qx * qx + qy * qy).le(g - (g * L::splat(NEAR) + L::splat(TINY)))).mask()
}

/// A doubtful pair, by the function that is right for all.
#[cold]
#[inline(never)]
fn touch(circles: Circles<'_>, segments: Capsules<'_>, row: u32, wall: u32) -> bool {
    let (circle, segment) = shapes(circles, segments, row, wall);
    geometry::circle_touches_segment(circle, segment)
}
