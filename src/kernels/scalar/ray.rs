//! A ray or a circle on its way against shapes, one at a time. See [`crate::kernels::ray`].

use crate::geometry::{Capsules, Circles};
use crate::kernels::ray::Beam;
use crate::kernels::{LANES, SUM_BOUND};

/// A sum or difference of two products, and what it is off by at most.
#[derive(Clone, Copy)]
pub(super) struct Sum(pub(super) f32, pub(super) f32);

impl Sum {
    #[inline(always)]
    pub(super) fn minus(l: f32, r: f32, floor: f32) -> Sum {
        Sum(l - r, (l.abs() + r.abs()) * SUM_BOUND + floor)
    }

    #[inline(always)]
    fn plus(l: f32, r: f32, floor: f32) -> Sum {
        Sum(l + r, (l.abs() + r.abs()) * SUM_BOUND + floor)
    }

    #[inline(always)]
    pub(super) fn above(self, limit: f32) -> bool {
        self.0 > self.1 + limit
    }

    #[inline(always)]
    pub(super) fn below(self, limit: f32) -> bool {
        self.0 < 0.0 - (self.1 + limit)
    }
}

/// `d × w`.
#[inline(always)]
pub(super) fn aside(beam: &Beam, [x, y]: [f32; 2]) -> Sum {
    Sum::minus(beam.dx * y, beam.dy * x, beam.floor)
}

/// `d · w`.
#[inline(always)]
pub(super) fn along(beam: &Beam, [x, y]: [f32; 2]) -> Sum {
    Sum::plus(beam.dx * x, beam.dy * y, beam.floor)
}

#[inline(always)]
fn rows(start: u32, count: u32) -> impl Iterator<Item = (u32, usize)> {
    let count = if count < LANES as u32 { count } else { LANES as u32 };
    (0..count).map(move |k| (k, (start + k) as usize))
}

/// Segments without radii.
pub(crate) fn ray(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for (k, i) in rows(start, count) {
        let [x0, y0, x1, y1] = [segments.x0[i], segments.y0[i], segments.x1[i], segments.y1[i]];
        let (a, b) = ([x0 - beam.x, y0 - beam.y], [x1 - beam.x, y1 - beam.y]);
        let (ca, cb) = (aside(beam, a), aside(beam, b));
        let n = Sum::minus(a[0] * (y1 - y0), a[1] * (x1 - x0), beam.floor);
        let late = n.0.abs() > beam.last * ((ca.0.abs() + ca.1) + (cb.0.abs() + cb.1)) + n.1;
        let missed = if ca.above(0.0) {
            cb.above(0.0) || (cb.below(0.0) && (n.above(0.0) || late))
        } else {
            ca.below(0.0) && (cb.below(0.0) || (cb.above(0.0) && (n.below(0.0) || late)))
        };
        mask |= u32::from(!missed) << k;
    }
    mask
}

/// Segments with radii.
pub(crate) fn sweep(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for (k, i) in rows(start, count) {
        let a = [segments.x0[i] - beam.x, segments.y0[i] - beam.y];
        let b = [segments.x1[i] - beam.x, segments.y1[i] - beam.y];
        let radius = if segments.radius.is_empty() { 0.0 } else { segments.radius[i] };
        let reach = (radius + beam.radius) * beam.side;
        let (ca, cb, pa, pb) = (aside(beam, a), aside(beam, b), along(beam, a), along(beam, b));
        let end = beam.far + reach;
        let missed = (ca.above(reach) && cb.above(reach))
            || (ca.below(reach) && cb.below(reach))
            || (pa.below(reach) && pb.below(reach))
            || (pa.above(end) && pb.above(end));
        mask |= u32::from(!missed) << k;
    }
    mask
}

/// Circles.
pub(crate) fn circles(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32 {
    let mut mask = 0;
    for (k, i) in rows(start, count) {
        let w = [circles.x[i] - beam.x, circles.y[i] - beam.y];
        let reach = (circles.radius[i] + beam.radius) * beam.side;
        let (c, p) = (aside(beam, w), along(beam, w));
        let missed = c.above(reach) || c.below(reach) || p.below(reach) || p.above(beam.far + reach);
        mask |= u32::from(!missed) << k;
    }
    mask
}
