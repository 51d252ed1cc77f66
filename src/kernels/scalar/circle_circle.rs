//! Circle against circle, one pair at a time.

use crate::geometry::{self, Circle, Circles, Vec2};
use crate::kernels::contact::CircleCircleContact;
use crate::kernels::{LANES, MOST_SQUARE, NEAR, Names, Pairs, Probe, SURE, TINY, Writer};
use std::ops::Range;

/// Candidates of one circle among a few rows, as bits.
pub(crate) fn mask(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        let i = (start + k) as usize;
        let (dx, dy) = (circles.x[i] - probe.x, circles.y[i] - probe.y);
        let reach = circles.radius[i] + probe.reach;
        if dx * dx + dy * dy <= reach * reach {
            mask |= 1 << k;
        }
    }
    mask
}

/// Candidates of one circle in a run.
pub(crate) fn run(circles: Circles<'_>, probe: Probe, row: u32, run: Range<u32>, out: &mut Writer<'_>) {
    for j in run {
        let i = j as usize;
        let (dx, dy) = (circles.x[i] - probe.x, circles.y[i] - probe.y);
        let reach = circles.radius[i] + probe.reach;
        if dx * dx + dy * dy <= reach * reach {
            out.push(row, j);
        }
    }
}

/// Contacts of candidate pairs.
pub(crate) fn contacts(
    circles: Circles<'_>,
    names: Names<'_>,
    pairs: &Pairs,
    out: &mut [CircleCircleContact],
) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (&i, &j) in first.iter().zip(second) {
        let (i, j) = if names.of(i) < names.of(j) { (i, j) } else { (j, i) };
        let circle = |row: u32| {
            let row = row as usize;
            Circle { center: Vec2 { x: circles.x[row], y: circles.y[row] }, radius: circles.radius[row] }
        };
        if let Some(contact) = contact(circle(i), circle(j)) {
            out[count] = CircleCircleContact { a: names.of(i), b: names.of(j), ..contact };
            count += 1;
        }
    }
    count
}

fn contact(a: Circle, b: Circle) -> Option<CircleCircleContact> {
    let d = [b.center.x - a.center.x, b.center.y - a.center.y];
    sure(a, b.radius, d, beyond(a, b)).or_else(|| {
        let c = geometry::circle_circle(a, b)?;
        Some(CircleCircleContact { a: 0, b: 0, point: c.point, normal: c.normal, separation: c.separation })
    })
}

/// The contact, unless anything about it is in doubt: from the difference of the centres and `D² - R²`.
#[inline(always)]
pub(crate) fn sure(a: Circle, radius: f32, [dx, dy]: [f32; 2], beyond: f32) -> Option<CircleCircleContact> {
    let s = dx * dx + dy * dy;
    let r = a.radius + radius;
    let q = r * r;
    if !(beyond <= 0.0 - q * SURE && s >= TINY && q <= MOST_SQUARE) {
        return None;
    }
    let distance = s.sqrt();
    // The sums turn -0 into 0.
    let normal = Vec2 { x: dx / distance + 0.0, y: dy / distance + 0.0 };
    let separation = beyond / (distance + r);
    let h = a.radius + separation * 0.5;
    let point = Vec2 { x: a.center.x + normal.x * h + 0.0, y: a.center.y + normal.y * h + 0.0 };
    Some(CircleCircleContact { a: 0, b: 0, point, normal, separation })
}

/// D² - R² in double precision, rounded once.
fn beyond(a: Circle, b: Circle) -> f32 {
    let [ax, ay, bx, by] = [a.center.x, a.center.y, b.center.x, b.center.y].map(f64::from);
    let (dx, dy, r) = (bx - ax, by - ay, f64::from(b.radius) + f64::from(a.radius));
    (dx * dx + dy * dy - r * r) as f32
}

/// Pairs within a margin of touching.
pub(crate) fn pairs(circles: Circles<'_>, margin: f32, names: Names<'_>, pairs: &Pairs, out: &mut [[u32; 2]]) -> usize {
    let (first, second) = pairs.rows();
    let mut count = 0;
    for (&row, &other) in first.iter().zip(second) {
        let (i, j) = (row as usize, other as usize);
        let (dx, dy) = (circles.x[j] - circles.x[i], circles.y[j] - circles.y[i]);
        let r = circles.radius[i] + circles.radius[j] + margin;
        let q = r * r;
        let sure = dx * dx + dy * dy <= q - (q * NEAR + TINY);
        let circle = |i: usize| Circle { center: Vec2 { x: circles.x[i], y: circles.y[i] }, radius: circles.radius[i] };
        if sure || geometry::circles_within(circle(i), circle(j), margin) {
            let (a, b) = (names.of(row), names.of(other));
            out[count] = if a < b { [a, b] } else { [b, a] };
            count += 1;
        }
    }
    count
}
