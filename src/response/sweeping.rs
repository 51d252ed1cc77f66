//! Whether a wall that moves passes over a centre at rest.
//!
//! Comes in: a wall's spine before and after its motion, a point. Goes out: no, for sure, or perhaps: a yes may be said where the wall
//! only comes near, a no never where it touches. This room does not know who the point belongs to.
//!
//! Each end goes straight and evenly. With f0 and f1 the sides of the point before and after, twice the areas of the triangles, its side at time t
//! is f0 (1 - t)² + m t (1 - t) + f1 t², m = (b0 - a0) × (q - a1) + (b1 - a1) × (q - a0): if all three are of one sign, it never is 0. Or the
//! point is outside of the hull of the four ends, in which the wall stays: a line through two of them has it strictly on one side, and none of
//! them. Both are decided exactly. Cost: boxes first; 15 ns where they are not enough.
//!
//! *Surely*, in single precision, u = 2^-24: f0 and f1 as in `leg`. m is a sum of four products of two differences, each off by 3.001u of itself
//! and 2^-150; three sums more take at most 2u of S, the sum of their sizes. 8u S + 2^-100 is more than all of that and its own rounding.

use super::leg::{Spine, side};
use crate::exact::{Number, P, cross, decide, diff, orient};
use crate::kernels::{TINY, U};
use std::cmp::Ordering;

/// One wall in motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweeping {
    /// Where it was.
    pub(super) from: Spine,
    /// Where its ends are.
    pub(super) to: [P; 2],
}

fn middle<N: Number>(a0: P, b0: P, a1: P, b1: P, q: P) -> N {
    cross(diff::<N>(b0, a0), diff(q, a1)) + cross(diff(b1, a1), diff(q, a0))
}

/// A wall with these ends before and after surely does not touch what rests at `q`, nor `p`, and had both on one side.
#[inline(always)]
pub(super) fn is_beside([a0, b0, a1, b1]: [P; 4], p: P, q: P) -> bool {
    let (from, before, after) = (side(a0, b0, p), side(a0, b0, q), side(a1, b1, q));
    let d = |a: P, b: P| [b[0] - a[0], b[1] - a[1]];
    let (e, f, v, w) = (d(a0, b0), d(a1, b1), d(a1, q), d(a0, q));
    let (one, two, three, four) = (e[0] * v[1], e[1] * v[0], f[0] * w[1], f[1] * w[0]);
    let middle = (one - two) + (three - four);
    let bound = (one.abs() + two.abs() + three.abs() + four.abs()) * (8.0 * U) + TINY;
    let all = |sign: f32| {
        let is = |(value, bound): (f32, f32)| value * sign > bound;
        is(from) & is(before) & is(after) & is((middle, bound))
    };
    all(1.0) | all(-1.0)
}

impl Sweeping {
    fn ends(&self) -> [P; 4] {
        [self.from.start, self.from.end, self.to[0], self.to[1]]
    }

    /// The point is within `reach` of the box of its motion, on either axis.
    pub(super) fn is_near(&self, q: P, reach: f32) -> bool {
        let ends = self.ends();
        (0..2).all(|axis| {
            let low = ends.iter().fold(f32::MAX, |low, end| if end[axis] < low { end[axis] } else { low });
            let high = ends.iter().fold(f32::MIN, |high, end| if end[axis] > high { end[axis] } else { high });
            // Rounding is monotone: with reach 0 this is exact.
            low - reach <= q[axis] && q[axis] <= high + reach
        })
    }

    /// It may touch what rests at `q`, on the side from which it is solid. What is on it already it carries or leaves behind.
    pub(super) fn passes_over(&self, q: P) -> bool {
        if !self.is_near(q, 0.0) || !self.from.acts(q) {
            return false;
        }
        let ends = self.ends();
        let [a0, b0, a1, b1] = ends;
        let (before, after) = (orient(a0, b0, q), orient(a1, b1, q));
        if before != Ordering::Equal && before == after && decide!(middle(a0, b0, a1, b1, q)) == before {
            return false;
        }
        for i in 0..4 {
            for j in i + 1..4 {
                let side = orient(ends[i], ends[j], q);
                let other = side.reverse();
                let beside = |k: usize| {
                    let of_end = orient(ends[i], ends[j], ends[k]);
                    of_end == Ordering::Equal || of_end == other
                };
                if side != Ordering::Equal && (0..4).all(beside) {
                    return false;
                }
            }
        }
        true
    }

    /// The largest distance that an end goes.
    pub(super) fn way(&self) -> f64 {
        let length2 = |from: P, to: P| {
            let d = [0, 1].map(|k| f64::from(to[k]) - f64::from(from[k]));
            d[0] * d[0] + d[1] * d[1]
        };
        let (a, b) = (length2(self.from.start, self.to[0]), length2(self.from.end, self.to[1]));
        (if a > b { a } else { b }).sqrt()
    }

    /// Where its new place is, seen from `q`: the unit normal towards the side where that was of its old place, and how far off it is on that side.
    /// None of a point.
    fn face(&self, q: P) -> Option<([f64; 2], f64)> {
        let [a, b] = self.to.map(|p| p.map(f64::from));
        let q64 = q.map(f64::from);
        let (e, w) = ([b[0] - a[0], b[1] - a[1]], [q64[0] - a[0], q64[1] - a[1]]);
        let length = (e[0] * e[0] + e[1] * e[1]).sqrt();
        if length == 0.0 {
            return None;
        }
        let left = match orient(self.from.start, self.from.end, q) {
            Ordering::Greater => true,
            Ordering::Less => false,
            // On its extension: where it will be, if it is seen from both sides.
            Ordering::Equal => !self.from.one_sided && orient(self.to[0], self.to[1], q) == Ordering::Greater,
        };
        let n = if left { [-e[1] / length, e[0] / length] } else { [e[1] / length, -e[0] / length] };
        Some((n, w[0] * n[0] + w[1] * n[1]))
    }

    /// A point beside its new place, `beyond` off the line, on the side where `q` was of its old place; beside that of the `other`, too, if it is not
    /// already. `times`: so often before this one alone was asked.
    pub(super) fn beside(&self, q: P, beyond: f64, times: u32, other: Option<Sweeping>) -> [f64; 2] {
        let Some((n, height)) = self.face(q) else {
            // A point: ahead of it.
            let [a, from] = [self.to[0], self.from.start].map(|p| p.map(f64::from));
            let v = [a[0] - from[0], a[1] - from[1]];
            let size = (v[0] * v[0] + v[1] * v[1]).sqrt();
            let n = if size > 0.0 { [v[0] / size, v[1] / size] } else { [0.0, 1.0] };
            return [a[0] + n[0] * beyond, a[1] + n[1] * beyond];
        };
        // Beyond already, and it passes over in between: four times as far, so that a hair becomes any way there may be in some ten times. So, too, where
        // rounding took what was given last.
        let lift = if height < beyond { beyond * f64::from(1u32 << (2 * times)) - height } else { 3.0 * height };
        let way = other.and_then(|other| into_corner((n, lift), other.face(q)?, beyond));
        let way = way.unwrap_or([n[0] * lift, n[1] * lift]);
        [0, 1].map(|axis| f64::from(q[axis]) + way[axis])
    }
}

/// The shortest way by which what is to be lifted so far off one wall comes `beyond` off another one, too, of which the height is told. None where that is
/// no longer, or where they face each other so much that it would be out of all proportion: one after the other brings as much then.
fn into_corner((n, lift): ([f64; 2], f64), (m, height): ([f64; 2], f64), beyond: f64) -> Option<[f64; 2]> {
    const LONGEST: f64 = 64.0;
    let short = beyond - height;
    if (n[0] * m[0] + n[1] * m[1]) * lift >= short {
        return None;
    }
    let det = n[0] * m[1] - n[1] * m[0];
    let way = [(lift * m[1] - n[1] * short) / det, (n[0] * short - lift * m[0]) / det];
    let (length, most) = ((way[0] * way[0] + way[1] * way[1]).sqrt(), LONGEST * (lift + short.abs()));
    (length <= most).then_some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(a0: P, b0: P, a1: P, b1: P) -> Sweeping {
        Sweeping { from: Spine { start: a0, end: b0, one_sided: false }, to: [a1, b1] }
    }

    #[test]
    fn a_wall_that_shifts_passes_over_what_is_between() {
        let up = wall([0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]);
        for (q, over) in [
            ([1.0, 1.0], true),
            ([1.0, 2.0], true),
            ([4.0, 1.0], true),
            ([1.0, 2.0f32.next_up()], false),
            ([1.0, -f32::from_bits(1)], false),
            ([4.0f32.next_up(), 1.0], false),
            // On it at the start.
            ([1.0, 0.0], false),
        ] {
            assert_eq!(up.passes_over(q), over, "{q:?}");
        }
        // Solid from below alone: it does not hold what it comes upon from there.
        let one = Sweeping { from: Spine { one_sided: true, ..up.from }, ..up };
        assert!(!one.passes_over([1.0, 1.0]));
        let down = wall([4.0, 2.0], [0.0, 2.0], [4.0, 0.0], [0.0, 0.0]);
        assert!(!Sweeping { from: Spine { one_sided: true, ..down.from }, ..down }.passes_over([1.0, 1.0]));
        assert_eq!(up.way(), 2.0);
    }

    #[test]
    fn a_wall_that_turns_may_pass_over_and_come_back_beside() {
        // Half a turn about the origin, the ends going straight through one another: the wall shrinks to a point there.
        let turn = wall([-2.0, 0.0], [2.0, 0.0], [2.0, 0.0], [-2.0, 0.0]);
        assert!(!turn.passes_over([0.5, 0.5]));
        // A quarter: what is in the way of the right arm, and what is not in the way of any.
        let quarter = wall([0.0, 0.0], [4.0, 0.0], [0.0, 0.0], [0.0, 4.0]);
        assert!(
            quarter.passes_over([1.0, 1.0]) && !quarter.passes_over([3.0, 3.0]) && !quarter.passes_over([1.0, -1.0])
        );
        // Further in than the sides alone tell: the ends cross the diagonal at (2, 2), so (2, 2) itself is touched.
        assert!(quarter.passes_over([2.0, 2.0]) && !quarter.passes_over([2.0, 2.0f32.next_up()]));
    }

    #[test]
    fn what_is_surely_beside_is_neither_passed_over_nor_let_through() {
        let mut state = 3u64;
        let mut bits = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let (mut beside, mut over, mut blocked) = ([0; 4], 0, 0);
        for case in 0..200_000 {
            let kind = case % 4;
            // A lattice, near each other, far out in units in the last place, and all sizes at once, to where products over- and underflow.
            let mut number = || match kind {
                0 => (bits() % 9) as f32 - 4.0,
                1 => (bits() % 4096) as f32 / 512.0,
                2 => 6.4e6 + (bits() % 16) as f32 * 0.5,
                _ => {
                    let size = [1e-45, 1e-38, 1e-20, 1e-3, 1.0, 1e18, 3e38][bits() as usize % 7];
                    size * ((bits() % 9) as f32 - 4.0) / 4.0
                }
            };
            let mut point = || [number(), number()];
            let (a0, b0, p) = (point(), point(), point());
            let shift = point();
            let (a1, b1, q) =
                if case % 3 == 0 { (point(), point(), point()) } else { (a0, [b0[0], shift[1]], [p[0], shift[0]]) };
            let moving = Sweeping { from: Spine { start: a0, end: b0, one_sided: case % 5 == 0 }, to: [a1, b1] };
            let found = (moving.passes_over(q), moving.from.blocks(p, q));
            (over, blocked) = (over + u32::from(found.0), blocked + u32::from(found.1));
            if is_beside(moving.ends(), p, q) {
                beside[kind] += 1;
                assert_eq!(found, (false, false), "{moving:?} {p:?} {q:?}");
            }
        }
        assert!(beside.iter().all(|&n| n > 2_000) && over > 10_000 && blocked > 20_000, "{beside:?} {over} {blocked}");
    }

    #[test]
    fn beside_is_on_the_old_side_of_the_new_place() {
        let up = wall([0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]);
        // Height 1 below the new line, above the old: to 0.5 above the new.
        assert_eq!(up.beside([1.0, 1.0], 0.5, 0, None), [1.0, 2.5]);
        // Below it already, by 3: four times as far.
        assert_eq!(up.beside([1.0, -1.0], 0.5, 0, None), [1.0, -10.0]);
        // Once before, and less than half beyond: four times as much of it; of a point ahead.
        assert_eq!(up.beside([1.0, 2.25], 0.5, 1, None), [1.0, 4.0]);
        let point = wall([0.0; 2], [0.0; 2], [0.0, 2.0], [0.0, 2.0]);
        assert_eq!(point.beside([0.0, 1.0], 0.5, 0, Some(up)), [0.0, 2.5]);
    }

    #[test]
    fn between_two_walls_it_is_beside_both() {
        let up = wall([0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]);
        // One that comes from the right, by 2: at (3, 1) a half above the one and a half left of the other is (1.5, 2.5).
        let left = wall([4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [2.0, 4.0]);
        assert_eq!(up.beside([3.0, 1.0], 0.5, 0, Some(left)), [1.5, 2.5]);
        assert_eq!(left.beside([3.0, 1.0], 0.5, 0, Some(up)), [1.5, 2.5]);
        // A half above is a half left of that one already.
        assert_eq!(up.beside([1.0, 1.0], 0.5, 0, Some(left)), [1.0, 2.5]);
        // Under a blade that leans by 3 to 4 and is 2 to the left now: where it crosses the line half a unit above the floor and as far ahead of it.
        let blade = wall([8.0, 8.0], [2.0, 0.0], [6.0, 8.0], [0.0, 0.0]);
        let found = up.beside([1.5, 1.0], 0.5, 0, Some(blade));
        assert!((found[1] - 2.5).abs() < 1e-12, "{found:?}");
        let off = (found[0] * 0.8 - found[1] * 0.6).abs();
        assert!((off - 0.5).abs() < 1e-12, "{found:?} {off}");
        // One that comes from above: there is no way.
        let down = wall([4.0, 4.0], [0.0, 4.0], [4.0, 1.0], [0.0, 1.0]);
        assert_eq!(up.beside([1.0, 1.5], 0.5, 0, Some(down)), [1.0, 2.5]);
    }
}
