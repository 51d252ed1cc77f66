//! A long segment against boxes: the piece of it that matters, and the boxes that its line passes by.
//!
//! Comes in: ends, boxes. Goes out: answers that may say too much, never too little. This room does not know grids or levels.

use crate::kernels::segment_segment::Bounds;

/// Whether two closed boxes have a point in common.
pub(crate) fn meet(a: Bounds, b: Bounds) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The part of a segment that is within the radius of a box on both axes, or a little more, and how far its ends may be off; none if
/// there is none (Liang and Barsky, A New Concept and Method for Line Clipping, 1984).
pub(crate) fn clipped(ends: [[f32; 2]; 2], around: Bounds, radius: f32) -> Option<([[f64; 2]; 2], f32)> {
    /// Of the largest coordinate: above the 2^-50 by which the arithmetic below is off.
    const ERROR: f64 = 1.0 / (1u64 << 48) as f64;
    let [a, b] = ends.map(|p| p.map(f64::from));
    let largest = [a[0], a[1], b[0], b[1]].iter().fold(0.0, |m, v: &f64| if v.abs() > m { v.abs() } else { m });
    let error = ERROR * largest;
    let grow = f64::from(radius) + error;
    let (mut from, mut to) = (0.0, 1.0);
    for axis in 0..2 {
        let (low, high) = (f64::from(around[axis]) - grow, f64::from(around[axis + 2]) + grow);
        let d = b[axis] - a[axis];
        if d == 0.0 {
            if a[axis] < low || a[axis] > high {
                return None;
            }
            continue;
        }
        let (t0, t1) = ((low - a[axis]) / d, (high - a[axis]) / d);
        let (t0, t1) = if t0 < t1 { (t0, t1) } else { (t1, t0) };
        from = if t0 > from { t0 } else { from };
        to = if t1 < to { t1 } else { to };
    }
    if from > to {
        return None;
    }
    let at = |t: f64| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
    let ends = [if from > 0.0 { at(from) } else { a }, if to < 1.0 { at(to) } else { b }];
    Some((ends, error as f32))
}

/// The line of a segment, to tell boxes that it passes by.
pub(crate) struct Line {
    x: f64,
    y: f64,
    dx: f64,
    dy: f64,
    radius: f64,
}

impl Line {
    pub(crate) fn new(ends: [f32; 4], radius: f32) -> Line {
        let [x0, y0, x1, y1] = ends.map(f64::from);
        Line { x: x0, y: y0, dx: x1 - x0, dy: y1 - y0, radius: f64::from(radius) }
    }

    /// False: no point of the box is within the radius of the line. The box is on one side of it if its middle is further off than
    /// its half extent reaches; rounding, some 2^-50 of the terms, is covered by a share of 2^-40.
    pub(crate) fn may_meet(&self, [low_x, low_y, high_x, high_y]: Bounds) -> bool {
        let (low_x, low_y, high_x, high_y) = (low_x as f64, low_y as f64, high_x as f64, high_y as f64);
        let (mx, my) = ((low_x + high_x) * 0.5 - self.x, (low_y + high_y) * 0.5 - self.y);
        let (hx, hy) = ((high_x - low_x) * 0.5 + self.radius, (high_y - low_y) * 0.5 + self.radius);
        let (left, right) = (self.dx * my, self.dy * mx);
        let reach = self.dx.abs() * hy + self.dy.abs() * hx;
        let size = left.abs() + right.abs() + reach;
        (left - right).abs() <= reach + size * (1.0 / (1u64 << 40) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_what_is_near_the_box() {
        // y = x / 2 from far left to far right against the box [0, 4] x [0, 4]: it is in it from (0, 0) to (4, 2).
        let (ends, error) = clipped([[-1e9, -5e8], [1e9, 5e8]], [0.0, 0.0, 4.0, 4.0], 0.0).expect("it passes through");
        let grow = 2.0 * f64::from(error);
        assert!(error > 1e-6 && error < 1e-5, "{error}");
        let near = |p: [f64; 2], x: f64, y: f64| (p[0] - x).abs() < grow && (p[1] - y).abs() < grow;
        assert!(near(ends[0], 0.0, 0.0) && near(ends[1], 4.0, 2.0), "{ends:?}");
        // With a radius of 2 it is within reach from (-2, -1) to (6, 3).
        let (ends, _) = clipped([[-1e9, -5e8], [1e9, 5e8]], [0.0, 0.0, 4.0, 4.0], 2.0).expect("it passes through");
        assert!(near(ends[0], -2.0, -1.0) && near(ends[1], 6.0, 3.0), "{ends:?}");
        // Ends inside are kept to the bit; beside the box nothing is left.
        let inside = [[0.1, 0.7], [3.3, 1.9]];
        let (ends, _) = clipped(inside, [0.0, 0.0, 4.0, 4.0], 0.0).expect("inside");
        assert_eq!(ends, inside.map(|p| p.map(f64::from)));
        assert!(clipped([[5.0, -9.0], [5.0, 9.0]], [0.0, 0.0, 4.0, 4.0], 0.5).is_none());
        assert!(clipped([[5.0, -9.0], [5.0, 9.0]], [0.0, 0.0, 4.0, 4.0], 1.0).is_some());
    }

    #[test]
    fn a_line_passes_by_what_is_wholly_on_one_side() {
        // x + y = 10: the unit box at (4, 5) reaches 4 + 5 = 9 to 11; that at (4, 4) reaches 10 with its corner; that at
        // (4, 3) reaches 9, which is 1 / sqrt 2 off: within a radius of 1, not within one of 0.3.
        let line = |radius: f32| Line::new([0.0, 10.0, 10.0, 0.0], radius);
        assert!(line(0.0).may_meet([4.0, 5.0, 5.0, 6.0]));
        assert!(line(0.0).may_meet([4.0, 4.0, 5.0, 5.0]));
        assert!(!line(0.0).may_meet([4.0, 3.0, 5.0, 4.0]));
        assert!(line(1.0).may_meet([4.0, 3.0, 5.0, 4.0]));
        assert!(!line(0.3).may_meet([4.0, 3.0, 5.0, 4.0]));
        // A point is on every line.
        assert!(Line::new([1.0, 1.0, 1.0, 1.0], 0.0).may_meet([4.0, 3.0, 5.0, 4.0]));
    }
}
