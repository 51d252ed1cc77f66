//! Whether cells in which walls that move are registered serve for one step more.
//!
//! Comes in: the walls, before and after their motion, and where and with how much reach each was registered. Goes out: how large their
//! coordinates are, or that one has gone too far: see [`super::others`]. This room does not know cells. Eight walls are looked at together; cost:
//! some five nanoseconds each.

use super::moved::{Eight, Moved};
use super::sweeping::Sweeping;
use super::walls::{larger, size, wide};
use crate::kernels::{Kernels, Operation};
use crate::storage::largest;

/// The largest coordinates of walls as they were, with their radii as cells have them; as they were; as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) outlines: f64,
    pub(super) were: f64,
    pub(super) are: f64,
}

impl Sizes {
    pub(super) fn add(&mut self, wall: &Sweeping, radius: f32) {
        let [a, b, c, d] = [wall.from.start, wall.from.end, wall.to[0], wall.to[1]].map(|end| size(wide(end)));
        let were = larger(a, b);
        self.outlines = larger(self.outlines, were + f64::from(radius));
        self.were = larger(self.were, were);
        self.are = larger(self.are, larger(c, d));
    }
}

/// The sizes of all walls, if none has gone further than its registration has room for.
pub(super) struct Serve<'a> {
    pub(super) columns: &'a [Vec<f32>; 5],
    pub(super) moved: Moved<'a>,
}

impl Operation for Serve<'_> {
    type Output = Option<Sizes>;
    #[inline(always)]
    fn run<K: Kernels>(self) -> Option<Sizes> {
        let Serve { columns, moved } = self;
        let (mut serves, mut outlines) = (true, [0.0f64; 8]);
        // Sizes by their bits, which are in the same order: chosen as numbers they would be stored lane by lane, which takes a dozen cycles.
        let (mut were, mut are) = ([0u32; 8], [0u32; 8]);
        let count = moved.count();
        for k in (0..count).step_by(8) {
            let Eight { from, to, radius } = moved.eight(k);
            let mut there = [[0.0f32; 8]; 5];
            for (there, column) in there.iter_mut().zip(columns) {
                if let Some(eight) = column.get(k..k + 8) {
                    there.copy_from_slice(eight);
                } else {
                    for lane in 0..8 {
                        there[lane] = column[if k + lane < count { k + lane } else { count - 1 }];
                    }
                }
            }
            for lane in 0..8 {
                let (before, after) = (size_of(&from, lane), size_of(&to, lane));
                let more = |least: u32, size: f32| if size.to_bits() > least { size.to_bits() } else { least };
                (were[lane], are[lane]) = (more(were[lane], before), more(are[lane], after));
                outlines[lane] = larger(outlines[lane], f64::from(before) + f64::from(radius[lane]));
                let room = there[4][lane] - radius[lane];
                for ends in [&from, &to] {
                    for end in [0, 2] {
                        let [x, y] = [end, end + 1].map(|axis| (ends[axis][lane] - there[axis][lane]).abs());
                        serves &= is_within(x, y, room);
                    }
                }
            }
        }
        let (were, are) = (f64::from(largest(&were.map(f32::from_bits))), f64::from(largest(&are.map(f32::from_bits))));
        serves.then_some(Sizes { outlines: outlines.into_iter().fold(0.0, larger), were, are })
    }
}

/// The largest coordinate of a lane's ends.
#[inline(always)]
fn size_of(ends: &[[f32; 8]; 4], lane: usize) -> f32 {
    let size = |a: f32, b: f32| if a.abs() > b.abs() { a.abs() } else { b.abs() };
    size(size(ends[0][lane], ends[1][lane]), size(ends[2][lane], ends[3][lane]))
}

/// What goes so far along the axes has room. An octagon about the circle: the longer axis, or what both are along the diagonal, is at least
/// 0.9238 of the distance, less than what is lost here; what is lost to underflow, on each side, is half of the least number.
#[inline(always)]
fn is_within(x: f32, y: f32, room: f32) -> bool {
    const SHARE: f32 = 0.923;
    let longer = if x > y { x } else { y };
    let along = (x + y) * std::f32::consts::FRAC_1_SQRT_2;
    let way = if along > longer { along } else { longer };
    (room >= 0.0) & ((way == 0.0) | (way + f32::from_bits(1) <= room * SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_within_by_the_octagon_is_within_by_the_circle() {
        let mut within = 0;
        for scale in [1e-43f32, 1e-38, 1e-30, 1.0, 1e30] {
            for k in 0..4000 {
                let (angle, share) = (f64::from(k) * 0.0157, 0.8 + f64::from(k % 250) * 0.001);
                let [x, y] = [angle.cos(), angle.sin()].map(|v| (v.abs() * share) as f32 * scale);
                let distance = f64::from(x).hypot(f64::from(y));
                let found = is_within(x, y, scale);
                within += usize::from(found);
                assert!(!found || distance <= f64::from(scale), "{x} {y}");
                assert!(found || distance > 0.92 * f64::from(scale) || scale < 1e-37, "{x} {y}");
            }
        }
        assert!(within > 6000, "{within}");
        assert!(is_within(0.0, 0.0, 0.0) && !is_within(0.0, 0.0, -1e-45) && !is_within(f32::INFINITY, 0.0, 1.0));
    }
}
