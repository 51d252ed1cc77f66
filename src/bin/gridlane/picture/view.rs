//! From the plane to pixels.
//!
//! Comes in: bodies with finite coordinates. Goes out: a scale about the middle of everything, y upwards becoming y
//! downwards. A world without bodies or without extent is seen at one unit a picture.

use crate::snapshot::Snapshot;

/// Pixels of the longer side of the plane's part of the picture.
const LONGEST: f64 = 1200.0;
/// Pixels of its shorter side at least; the plane is shown with room about it then.
const SHORTEST: f64 = 360.0;
/// White about it.
const MARGIN: f64 = 16.0;
/// Bodies looked at to find a typical size.
const SAMPLE: usize = 4096;

/// A part of the plane and where it is in the picture.
pub(super) struct View {
    centre: [f64; 2],
    /// Pixels a length unit.
    scale: f64,
    /// Pixels, margins included.
    pub(super) width: f64,
    /// Pixels, margins included, without the legend.
    pub(super) height: f64,
}

impl View {
    /// All bodies of the snapshot.
    pub(super) fn of(snapshot: &Snapshot) -> View {
        let (low, high) = extent(snapshot).unwrap_or(([-0.5; 2], [0.5; 2]));
        let centre = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
        let (width, height) = (high[0] - low[0], high[1] - low[1]);
        let longer = if width >= height { width } else { height };
        let scale = if longer > 0.0 { LONGEST / longer } else { LONGEST };
        // Rounded up, so that a picture of dots has the same size.
        let side = |length: f64| 2.0 * MARGIN + between(length * scale, SHORTEST, LONGEST).ceil();
        View { centre, scale, width: side(width), height: side(height) }
    }

    /// A point, in pixels.
    pub(super) fn place(&self, x: f32, y: f32) -> (f64, f64) {
        let dx = (f64::from(x) - self.centre[0]) * self.scale;
        let dy = (f64::from(y) - self.centre[1]) * self.scale;
        (self.width / 2.0 + dx, self.height / 2.0 - dy)
    }

    /// A length, in pixels.
    pub(super) fn length(&self, length: f32) -> f64 {
        f64::from(length) * self.scale
    }

    /// The median radius of circles, or half the median length of segments where there are no circles, in pixels: what
    /// widths of lines are measured by.
    pub(super) fn typical_size(&self, snapshot: &Snapshot) -> f64 {
        let (circles, segments) = (&snapshot.circles, &snapshot.segments);
        let mut sizes: Vec<f64> = if circles.radius.is_empty() {
            let rows = 0..segments.x0.len();
            rows.step_by(segments.x0.len() / SAMPLE + 1)
                .map(|row| {
                    let dx = f64::from(segments.x1[row]) - f64::from(segments.x0[row]);
                    let dy = f64::from(segments.y1[row]) - f64::from(segments.y0[row]);
                    (dx * dx + dy * dy).sqrt() / 2.0 * self.scale
                })
                .collect()
        } else {
            circles
                .radius
                .iter()
                .step_by(circles.radius.len() / SAMPLE + 1)
                .map(|&radius| self.length(radius))
                .collect()
        };
        if sizes.is_empty() {
            return 0.0;
        }
        let middle = sizes.len() / 2;
        *sizes.select_nth_unstable_by(middle, f64::total_cmp).1
    }
}

/// Lower left and upper right corner of all bodies.
fn extent(snapshot: &Snapshot) -> Option<([f64; 2], [f64; 2])> {
    let (circles, segments) = (&snapshot.circles, &snapshot.segments);
    let mut corners: Option<([f64; 2], [f64; 2])> = None;
    let mut include = |x: f32, y: f32, radius: f32| {
        let (x, y, r) = (f64::from(x), f64::from(y), f64::from(radius));
        let (low, high) = corners.get_or_insert(([x - r, y - r], [x + r, y + r]));
        for (axis, value) in [x, y].into_iter().enumerate() {
            if value - r < low[axis] {
                low[axis] = value - r;
            }
            if value + r > high[axis] {
                high[axis] = value + r;
            }
        }
    };
    for row in 0..circles.x.len() {
        include(circles.x[row], circles.y[row], circles.radius[row]);
    }
    for row in 0..segments.x0.len() {
        include(segments.x0[row], segments.y0[row], 0.0);
        include(segments.x1[row], segments.y1[row], 0.0);
    }
    corners
}

/// `value`, or the end of the range that it is beyond.
pub(super) fn between(value: f64, low: f64, high: f64) -> f64 {
    if value > high {
        high
    } else if value > low {
        value
    } else {
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::{CircleColumns, SegmentColumns};

    fn circles(rows: &[[f32; 3]]) -> Snapshot {
        let column = |k: usize| rows.iter().map(|row| row[k]).collect();
        let circles = CircleColumns { x: column(0), y: column(1), radius: column(2), ..CircleColumns::default() };
        Snapshot { circles, ..Snapshot::default() }
    }

    #[test]
    fn the_plane_fills_the_picture_with_y_upwards() {
        // 4 wide and 2 high: 300 pixels a unit, 1200 x 600 and margins of 16.
        let view = View::of(&circles(&[[1.0, 1.0, 1.0], [3.0, 1.0, 1.0]]));
        assert_eq!((view.width, view.height), (1232.0, 632.0));
        assert_eq!(view.place(0.0, 2.0), (16.0, 16.0));
        assert_eq!(view.place(4.0, 0.0), (1216.0, 616.0));
        assert_eq!(view.length(0.5), 150.0);
    }

    #[test]
    fn no_extent_and_any_extent_are_seen() {
        for rows in [
            &[][..],
            &[[1e30, -1e30, 0.0]],
            &[[f32::MAX, 0.0, f32::MAX], [-f32::MAX, 0.0, f32::MAX]],
            &[[0.0, 0.0, 1e-45]],
        ] {
            let snapshot = circles(rows);
            let view = View::of(&snapshot);
            assert!(view.width >= 392.0 && view.width <= 1232.0 && view.height >= 392.0 && view.height <= 1232.0);
            assert!(view.typical_size(&snapshot).is_finite());
            for row in rows {
                let (x, y) = view.place(row[0], row[1]);
                assert!((0.0..=view.width).contains(&x) && (0.0..=view.height).contains(&y), "{row:?}");
            }
        }
    }

    #[test]
    fn typical_sizes_are_medians() {
        // The two outer circles span 10 units: 120 pixels a unit. Radii 1, 1, 2: the median is 120 pixels.
        let snapshot = circles(&[[1.0, 1.0, 1.0], [9.0, 1.0, 1.0], [5.0, 2.0, 2.0]]);
        assert_eq!(View::of(&snapshot).typical_size(&snapshot), 120.0);
        // One segment 3-4-5 of height 4: 300 pixels a unit, half its length is 2.5 units.
        let segments =
            SegmentColumns { x0: vec![0.0], y0: vec![0.0], x1: vec![3.0], y1: vec![4.0], ..SegmentColumns::default() };
        let snapshot = Snapshot { segments, ..Snapshot::default() };
        assert_eq!(View::of(&snapshot).typical_size(&snapshot), 750.0);
    }
}
