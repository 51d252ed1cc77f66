//! Circle against segment, one pair at a time.

use crate::geometry::{self, Capsules, Circle, Circles, Feature, Segment, Vec2};
use crate::kernels::contact::CircleSegmentContact;
use crate::kernels::{LANES, LEAST_SQUARE, MOST_SQUARE, Names, Pairs, SUM_BOUND, SURE, TINY, Wall};

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

/// Contacts of candidate pairs.
pub(crate) fn contacts(
    circles: Circles<'_>,
    segments: Capsules<'_>,
    names: Names<'_>,
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
            out[count] = CircleSegmentContact { a: names.of(row), b: wall, ..contact };
            count += 1;
        }
    }
    count
}

/// The contact, unless anything about it is in doubt.
fn sure(circle: Circle, segment: Segment) -> Option<CircleSegmentContact> {
    let (p, a, b) = (circle.center, segment.start, segment.end);
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let (wx, wy) = (p.x - a.x, p.y - a.y);
    let (vx, vy) = (p.x - b.x, p.y - b.y);
    let f0 = wx * dx + wy * dy;
    let f1 = vx * dx + vy * dy;
    let e0 = ((wx * dx).abs() + (wy * dy).abs()) * SUM_BOUND + TINY;
    let e1 = ((vx * dx).abs() + (vy * dy).abs()) * SUM_BOUND + TINY;
    let total = circle.radius + segment.radius;
    if f0 < 0.0 - e0 {
        end_contact(wx, wy, a, total, segment.radius, Feature::Start)
    } else if f1 > e1 {
        end_contact(vx, vy, b, total, segment.radius, Feature::End)
    } else if f0 > e0 && f1 < 0.0 - e1 {
        let c = dx * wy - dy * wx;
        let sum = (dx * wy).abs() + (dy * wx).abs();
        let square = dx * dx + dy * dy;
        let length = square.sqrt();
        let distance = c.abs() / length;
        let sure = c.abs() > sum * SUM_BOUND + TINY
            && (LEAST_SQUARE..=MOST_SQUARE).contains(&square)
            && sum <= MOST_SQUARE
            && distance + sum / length * SUM_BOUND <= total - (total * SURE + TINY);
        if !sure {
            return None;
        }
        let (nx, ny) = (dy / length, (0.0 - dx) / length);
        let normal = if c > 0.0 { Vec2 { x: nx, y: ny } } else { Vec2 { x: 0.0 - nx, y: 0.0 - ny } };
        let h = distance - segment.radius;
        let point = Vec2 { x: p.x + normal.x * h, y: p.y + normal.y * h };
        let separation = distance - total;
        Some(CircleSegmentContact { a: 0, b: 0, point, normal, separation, feature: Feature::Interior })
    } else {
        None
    }
}

fn end_contact(ex: f32, ey: f32, end: Vec2, total: f32, radius: f32, feature: Feature) -> Option<CircleSegmentContact> {
    let s = ex * ex + ey * ey;
    let q = total * total;
    if !(s <= q - (q * SURE + TINY) && s >= TINY) {
        return None;
    }
    let distance = s.sqrt();
    let normal = Vec2 { x: (0.0 - ex) / distance, y: (0.0 - ey) / distance };
    let point = Vec2 { x: end.x - normal.x * radius, y: end.y - normal.y * radius };
    Some(CircleSegmentContact { a: 0, b: 0, point, normal, separation: distance - total, feature })
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
