//! A long segment against boxes: the piece of it that matters.
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
}
