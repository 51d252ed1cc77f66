//! Circles and segments against a box, one at a time.

use crate::geometry::{Aabb, Capsules, Circles};
use crate::kernels::LANES;

/// See [`Kernels::circle_frame_masks`](crate::kernels::Kernels::circle_frame_masks).
pub(crate) fn circles(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
    let (min, max, mut masks) = (frame.min, frame.max, [0; 2]);
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        let i = (start + k) as usize;
        let (x, y, r) = (circles.x[i], circles.y[i], circles.radius[i]);
        let (within_x, within_y) = (x >= min.x && x <= max.x, y >= min.y && y <= max.y);
        let ([left, right], [low, high]) = ([x - r, x + r], [y - r, y + r]);
        let may = right >= min.x && left <= max.x && high >= min.y && low <= max.y;
        let surely = within_x && within_y
            || within_x && high > min.y && low < max.y
            || within_y && right > min.x && left < max.x;
        masks[0] |= u32::from(may) << k;
        masks[1] |= u32::from(surely) << k;
    }
    masks
}

/// See [`Kernels::segment_frame_masks`](crate::kernels::Kernels::segment_frame_masks).
pub(crate) fn segments(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2] {
    let (min, max, mut masks) = (frame.min, frame.max, [0; 2]);
    for k in 0..if count < LANES as u32 { count } else { LANES as u32 } {
        let i = (start + k) as usize;
        let (x0, y0, x1, y1) = (segments.x0[i], segments.y0[i], segments.x1[i], segments.y1[i]);
        let r = if segments.radius.is_empty() { 0.0 } else { segments.radius[i] };
        let (left, right) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
        let (low, high) = if y0 < y1 { (y0, y1) } else { (y1, y0) };
        let may = right + r >= min.x && left - r <= max.x && high + r >= min.y && low - r <= max.y;
        let holds = |x: f32, y: f32| x >= min.x && x <= max.x && y >= min.y && y <= max.y;
        let (within_x, within_y) = (left >= min.x && right <= max.x, low >= min.y && high <= max.y);
        let (over_x, over_y) = (right >= min.x && left <= max.x, high >= min.y && low <= max.y);
        let surely = holds(x0, y0) || holds(x1, y1) || within_x && over_y || within_y && over_x;
        masks[0] |= u32::from(may) << k;
        masks[1] |= u32::from(surely) << k;
    }
    masks
}
