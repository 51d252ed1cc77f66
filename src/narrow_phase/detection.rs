//! PLACEHOLDER: every pair in f64, behind the interface of the grid. Replaced as a whole.
use super::{CircleCircleContact, CircleSegmentContact, SegmentClass, SegmentSegmentContact};
use crate::error::Error;
use crate::geometry::{Feature, Vec2};
use crate::world::{Backend, CellSize, PairKinds, Threads};

pub(crate) struct Circles<'a> {
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
    pub(crate) radius: &'a [f32],
}

#[derive(Clone, Copy)]
#[allow(dead_code)]
pub(crate) struct Segments<'a> {
    pub(crate) x0: &'a [f32],
    pub(crate) y0: &'a [f32],
    pub(crate) x1: &'a [f32],
    pub(crate) y1: &'a [f32],
    pub(crate) radius: &'a [f32],
    pub(crate) moving: &'a [u32],
    pub(crate) version: u64,
}

#[derive(Clone, Debug)]
#[allow(dead_code)]
pub(crate) struct Options {
    pub(crate) backend: Backend,
    pub(crate) threads: Threads,
    pub(crate) cell_size: CellSize,
    pub(crate) pair_kinds: PairKinds,
    pub(crate) contact_limit: usize,
}

/// The contacts of one detection: an owned buffer that is reused.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    circle_circle: Vec<CircleCircleContact>,
    circle_segment: Vec<CircleSegmentContact>,
    segment_segment: Vec<SegmentSegmentContact>,
}

impl Contacts {
    /// Circles that touch circles.
    #[must_use]
    pub fn circle_circle(&self) -> &[CircleCircleContact] {
        &self.circle_circle
    }
    /// Circles that touch segments.
    #[must_use]
    pub fn circle_segment(&self) -> &[CircleSegmentContact] {
        &self.circle_segment
    }
    /// Segments that touch segments.
    #[must_use]
    pub fn segment_segment(&self) -> &[SegmentSegmentContact] {
        &self.segment_segment
    }
    /// All kinds together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.circle_circle.len() + self.circle_segment.len() + self.segment_segment.len()
    }
    /// Nothing touches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Debug)]
pub(crate) struct Detection {
    options: Options,
    order: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
}

impl Detection {
    pub(crate) fn new(options: Options) -> Detection {
        Detection { options, order: Vec::new(), x: Vec::new(), y: Vec::new(), radius: Vec::new() }
    }

    pub(crate) fn bin(&mut self, c: Circles<'_>, _segments: Segments<'_>) {
        self.order.clear();
        self.order.extend(0..c.x.len() as u32);
        self.order.sort_unstable_by(|&a, &b| c.x[a as usize].total_cmp(&c.x[b as usize]).then(a.cmp(&b)));
        crate::storage::gather(c.x, &self.order, &mut self.x);
        crate::storage::gather(c.y, &self.order, &mut self.y);
        crate::storage::gather(c.radius, &self.order, &mut self.radius);
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }
    pub(crate) fn x(&self) -> &[f32] {
        &self.x
    }
    pub(crate) fn y(&self) -> &[f32] {
        &self.y
    }
    pub(crate) fn radius(&self) -> &[f32] {
        &self.radius
    }

    pub(crate) fn threads(&self, _bodies: usize) -> usize {
        1
    }

    pub(crate) fn detect(&mut self, s: Segments<'_>, out: &mut Contacts) -> Result<(), Error> {
        out.circle_circle.clear();
        out.circle_segment.clear();
        out.segment_segment.clear();
        let limit = self.options.contact_limit;
        let over = |out: &Contacts| if out.len() > limit { Err(Error::TooManyContacts { limit }) } else { Ok(()) };
        let kinds = self.options.pair_kinds;
        let rmax = self.radius.iter().fold(0.0, |m: f64, &r| if f64::from(r) > m { f64::from(r) } else { m });
        for a in 0..self.x.len() {
            let (ax, ay, ar) = (f64::from(self.x[a]), f64::from(self.y[a]), f64::from(self.radius[a]));
            for b in a + 1..self.x.len() {
                let (dx, dy) = (f64::from(self.x[b]) - ax, f64::from(self.y[b]) - ay);
                let br = f64::from(self.radius[b]);
                if dx > ar + rmax || !kinds.circle_circle {
                    break;
                }
                let d2 = dx * dx + dy * dy;
                if d2 <= (ar + br) * (ar + br) {
                    let d = d2.sqrt();
                    let n = if d > 0.0 { [dx / d, dy / d] } else { [0.0, 1.0] };
                    let m = (ar + d - br) / 2.0;
                    out.circle_circle.push(CircleCircleContact {
                        a: a as u32,
                        b: b as u32,
                        point: Vec2::new((ax + n[0] * m) as f32, (ay + n[1] * m) as f32),
                        normal: Vec2::new(n[0] as f32, n[1] as f32),
                        separation: (d - ar - br) as f32,
                    });
                    over(out)?;
                }
            }
        }
        for a in 0..if kinds.circle_segment { self.x.len() } else { 0 } {
            let p = [f64::from(self.x[a]), f64::from(self.y[a])];
            let r = f64::from(self.radius[a]);
            for b in 0..s.x0.len() {
                let (from, to) = ends(s, b);
                let (foot, t) = foot(p, from, to);
                let (dx, dy) = (foot[0] - p[0], foot[1] - p[1]);
                let (d, sr) = ((dx * dx + dy * dy).sqrt(), f64::from(s.radius[b]));
                if d <= r + sr {
                    let (ex, ey) = (to[0] - from[0], to[1] - from[1]);
                    let l = (ex * ex + ey * ey).sqrt();
                    let n = match (d > 0.0, l > 0.0) {
                        (true, _) => [dx / d, dy / d],
                        (_, true) => [-ey / l, ex / l],
                        _ => [0.0, 1.0],
                    };
                    out.circle_segment.push(CircleSegmentContact {
                        a: a as u32,
                        b: b as u32,
                        point: Vec2::new((foot[0] - n[0] * sr) as f32, (foot[1] - n[1] * sr) as f32),
                        normal: Vec2::new(n[0] as f32, n[1] as f32),
                        separation: (d - r - sr) as f32,
                        feature: if t <= 0.0 {
                            Feature::Start
                        } else if t >= 1.0 {
                            Feature::End
                        } else {
                            Feature::Interior
                        },
                    });
                    over(out)?;
                }
            }
        }
        for a in 0..if kinds.segment_segment { s.x0.len() } else { 0 } {
            for b in a + 1..s.x0.len() {
                let ((p, q), (v, w)) = (ends(s, a), ends(s, b));
                let o = [side(v, w, p), side(v, w, q), side(p, q, v), side(p, q, w)];
                let cross = o[0] * o[1] < 0.0 && o[2] * o[3] < 0.0;
                let near = |x: [f64; 2], from, to| {
                    let (f, _) = foot(x, from, to);
                    ((f[0] - x[0]).powi(2) + (f[1] - x[1]).powi(2)).sqrt()
                        <= f64::from(s.radius[a]) + f64::from(s.radius[b])
                };
                if cross || near(p, v, w) || near(q, v, w) || near(v, p, q) || near(w, p, q) {
                    out.segment_segment.push(SegmentSegmentContact {
                        a: a as u32,
                        b: b as u32,
                        class: if cross { SegmentClass::Cross } else { SegmentClass::Touch },
                        ..Default::default()
                    });
                    over(out)?;
                }
            }
        }
        Ok(())
    }
}

fn ends(s: Segments<'_>, row: usize) -> ([f64; 2], [f64; 2]) {
    ([f64::from(s.x0[row]), f64::from(s.y0[row])], [f64::from(s.x1[row]), f64::from(s.y1[row])])
}

fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

fn foot(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> ([f64; 2], f64) {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let l = dx * dx + dy * dy;
    let t = if l > 0.0 { ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / l } else { 0.0 };
    if t <= 0.0 {
        (a, 0.0)
    } else if t >= 1.0 {
        (b, 1.0)
    } else {
        ([a[0] + t * dx, a[1] + t * dy], t)
    }
}

/// Which instruction set the wide kernels run on, as `"avx2"`.
#[must_use]
pub fn instruction_set() -> &'static str {
    "portable"
}
