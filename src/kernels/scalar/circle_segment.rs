//! Circle against segment, one pair at a time.

use crate::geometry::{self, Capsules, Circle, Circles, Feature, Segment, Vec2};
use crate::kernels::contact::CircleSegmentContact;
use crate::kernels::{DOT_BOUND, LANES, MOST, NEAR, Names, Near, Pairs, SUM_BOUND, SURE, TINY, U, Wall};

/// Candidates of one segment among a few circles, as bits.
pub(crate) fn mask(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        let i = (start + k) as usize;
        let (wx, wy) = (circles.x[i] - wall.x, circles.y[i] - wall.y);
        let mut t = (wx * wall.dx + wy * wall.dy) * wall.inverse;
        // In this order what is not a number becomes 0, and never hides a pair.
        t = if t > 0.0 { t } else { 0.0 };
        t = if t < 1.0 { t } else { 1.0 };
        let (qx, qy) = (wx - t * wall.dx, wy - t * wall.dy);
        let most = circles.radius[i] + reach;
        if qx * qx + qy * qy <= most * most {
            mask |= 1 << k;
        }
    }
    mask
}

/// Candidates of one point among a few segments, as bits.
pub(crate) fn near(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2] {
    let mut masks = [0; 2];
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        let i = (start + k) as usize;
        let (mut dx, mut dy) = (segments.x1[i] - segments.x0[i], segments.y1[i] - segments.y0[i]);
        let length = dx.abs() + dy.abs();
        let radius = if segments.radius.is_empty() { 0.0 } else { segments.radius[i] };
        let mut most = near.reach + (Near::GROW * (length + radius) + radius * (1.0 + 8.0 * U));
        let sum = near.surely + radius;
        let mut less = sum - (Near::GROW * (length + sum) + Near::LEAST);
        if length < Near::SHORT {
            (dx, dy) = (0.0, 0.0);
            most += 2.0 * length;
        }
        if length > Near::LARGE || radius > Near::LARGE {
            (dx, dy) = (0.0, 0.0);
            (most, less) = (f32::INFINITY, 0.0);
        }
        let (wx, wy) = (near.x - segments.x0[i], near.y - segments.y0[i]);
        let mut t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
        // In this order what is not a number becomes 0, and never hides a pair.
        t = if t > 0.0 { t } else { 0.0 };
        t = if t < 1.0 { t } else { 1.0 };
        let (qx, qy) = (wx - t * dx, wy - t * dy);
        let square = qx * qx + qy * qy;
        masks[0] |= u32::from(square <= most * most) << k;
        masks[1] |= u32::from(less > 0.0 && square <= less * less) << k;
    }
    masks
}

/// Contacts of candidate pairs.
pub(crate) fn contacts(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    [names, walls]: [Names<'_>; 2],
    pairs: &Pairs,
    out: &mut [CircleSegmentContact],
) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (&row, &wall) in first.iter().zip(second) {
        let (i, k) = (row as usize, wall as usize);
        let circle = Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] };
        let segment = Segment {
            start: Vec2 { x: segments.x0[k], y: segments.y0[k] },
            end: Vec2 { x: segments.x1[k], y: segments.y1[k] },
            radius: segments.radius[k],
        };
        let contact = sure(circle, segment).or_else(|| exact(circle, segment));
        if let Some(contact) = contact {
            out[count] = CircleSegmentContact { a: names.of(row), b: walls.of(wall), ..contact };
            count += 1;
        }
    }
    count
}

/// The contact, unless anything about it is in doubt.
fn sure(circle: Circle, segment: Segment) -> Option<CircleSegmentContact> {
    let place = |p: Vec2| [f64::from(p.x), f64::from(p.y)];
    let places = [place(circle.center), place(segment.start), place(segment.end)];
    sure_between(places, f64::from(circle.radius), f64::from(segment.radius))
}

/// The same from the centre, the ends and both radii, none of them rounded.
#[inline(always)]
pub(crate) fn sure_between(
    [[px, py], [ax, ay], [bx, by]]: [[f64; 2]; 3],
    of_circle: f64,
    radius: f64,
) -> Option<CircleSegmentContact> {
    let (dx, dy) = (bx - ax, by - ay);
    let (wx, wy) = (px - ax, py - ay);
    let (vx, vy) = (px - bx, py - by);
    let (f0, f1) = (wx * dx + wy * dy, vx * dx + vy * dy);
    let e0 = ((wx * dx).abs() + (wy * dy).abs()) * DOT_BOUND;
    let e1 = ((vx * dx).abs() + (vy * dy).abs()) * DOT_BOUND;
    let total = of_circle + radius;
    let most = total - total * f64::from(SURE);
    if f0 <= 0.0 - e0 || f1 >= e1 {
        let at_start = f0 <= 0.0 - e0;
        let (x, y, feature) = if at_start { (ax, ay, Feature::Start) } else { (bx, by, Feature::End) };
        let (ex, ey) = (x - px, y - py);
        let distance = (ex * ex + ey * ey).sqrt();
        if !(distance > 0.0 && distance <= most && total <= MOST) {
            return None;
        }
        let (nx, ny) = (ex * (1.0 / distance), ey * (1.0 / distance));
        let h = 0.0 - radius;
        return Some(record([nx, ny], distance - total, [x + nx * h, y + ny * h], feature));
    }
    if !(f0 > e0 && f1 < 0.0 - e1) {
        return None;
    }
    let c = dx * wy - dy * wx;
    let sum = (dx * wy).abs() + (dy * wx).abs();
    let (ex, ey) = if c > 0.0 { (dy, 0.0 - dx) } else { (0.0 - dy, dx) };
    let inverse = 1.0 / (ex * ex + ey * ey).sqrt();
    let distance = c.abs() * inverse;
    if !(c.abs() - sum * DOT_BOUND > 0.0 && distance + sum * inverse * f64::from(SURE) <= most && total <= MOST) {
        return None;
    }
    let (nx, ny) = (ex * inverse, ey * inverse);
    let h = distance - radius;
    Some(record([nx, ny], distance - total, [px + nx * h, py + ny * h], Feature::Interior))
}

/// Rounded to the nearest; the sums turn -0 into 0.
fn record([nx, ny]: [f64; 2], separation: f64, [x, y]: [f64; 2], feature: Feature) -> CircleSegmentContact {
    let [x, y, nx, ny] = [x, y, nx, ny].map(|v| v as f32 + 0.0);
    let (point, normal) = (Vec2 { x, y }, Vec2 { x: nx, y: ny });
    CircleSegmentContact { a: 0, b: 0, point, normal, separation: separation as f32, feature }
}

fn exact(circle: Circle, segment: Segment) -> Option<CircleSegmentContact> {
    let c = geometry::circle_segment(circle, segment)?;
    Some(CircleSegmentContact {
        a: 0,
        b: 0,
        point: c.point,
        normal: c.normal,
        separation: c.separation,
        feature: c.feature,
    })
}

/// Pairs that touch.
pub(crate) fn pairs(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    [names, walls]: [Names<'_>; 2],
    pairs: &Pairs,
    out: &mut [[u32; 2]],
) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (&row, &wall) in first.iter().zip(second) {
        let (i, k) = (row as usize, wall as usize);
        let circle = Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] };
        let segment = Segment {
            start: Vec2 { x: segments.x0[k], y: segments.y0[k] },
            end: Vec2 { x: segments.x1[k], y: segments.y1[k] },
            radius: segments.radius[k],
        };
        if surely_touch(circle, segment) || geometry::circle_touches_segment(circle, segment) {
            out[count] = [names.of(row), walls.of(wall)];
            count += 1;
        }
    }
    count
}

fn surely_touch(circle: Circle, segment: Segment) -> bool {
    let (dx, dy) = (segment.end.x - segment.start.x, segment.end.y - segment.start.y);
    let (wx, wy) = (circle.center.x - segment.start.x, circle.center.y - segment.start.y);
    let mut t = (wx * dx + wy * dy) / (dx * dx + dy * dy);
    // In this order what is not a number becomes 0.
    t = if t > 0.0 { t } else { 0.0 };
    t = if t < 1.0 { t } else { 1.0 };
    let (qx, qy) = (wx - t * dx, wy - t * dy);
    let total = circle.radius + segment.radius;
    let most = total - (dx.abs() + dy.abs() + total) * SUM_BOUND;
    let g = most * most;
    most > 0.0 && qx * qx + qy * qy <= g - (g * NEAR + TINY)
}
