//! The kernel contract: what every backend computes, operation by operation.
//!
//! Two texts implement [`Kernels`]: `scalar`, ordinary code for one pair at a time, and `wide`, eight lanes. They never
//! import each other and give the same bits, but for bounds and what is sure: there what is made of them is the same. This room knows columns of numbers and rows; not where runs of candidates
//! come from, nor what becomes of contacts. What each costs is in `docs/kernels.md`.
//!
//! # Candidates
//!
//! A candidate test may let a pair through that does not touch, never lose one that does. `u = 2^-24`, the rounding unit.
//!
//! **Circle–circle.** A touch means `D² <= R²`, `D² = dx² + dy²`, `R = r1 + r2`. Computed, `s = fl(D²) <= D²(1+u)^4 + 2^-149`.
//! One radius is inflated, `r' = r1 + 32u r_max + 2^-72` with `r_max >= r1, r2`, so that `fl(r' + r2)² >= R²(1 + 22u) + 2^-146`:
//! more than `s` of any touching pair. If `s` overflows for a touching pair, the right side does too, and `inf <= inf` holds.
//!
//! **Circle–segment.** `w = p - a`, `d = b - a`, `t = fl(w·d)·fl(1/(d·d))` cut to 0..1, `q = w - t d`. For a touching pair
//! `|w| <= |d| + r`, and then `|q|` is computed within `u (14.5 |d| + 11.3 r)` of the distance (components of `q` round by
//! `u (2.1 |w| + 3.2 |d|)`, `t |d|` by `9.2 u |w|`). So a candidate is `|q|² <= (r + E)²` with
//! `E = 32u (|dx| + |dy| + r_max + R) + R(1 + 8u) + 1e-21`, `R` the segment's own radius. A segment shorter than `2^-60` is treated
//! as its start with `2|d|` added to `E`; where `|d|`, `R` or `r_max` exceed 1e18, `E` is infinite and everything is a candidate.
//!
//! **Point–segment**, many segments against one point, is the same with the roles turned: `d` and `E` are the lane's own, `t` is a quotient
//! (one rounding less), the point's reach stands for `r` and `r_max`. Where the reach exceeds 1e18 it is made infinite; in a lane
//! whose `|d|` or `R` does, `d` is made 0 and `E` infinite. A lane shorter than `2^-60` has `d` made 0 and `2|d|` added to `E`.
//! Otherwise `|d|`, `R` and the reach are at most 1e18, so what overflows has `|w| > 1e19` and is surely far. *Surely near*: whatever `t` is,
//! `a + t d` is a point of the segment, and components of `q` are within `u (2.1 |w| + 3.1 |d|) + 2^-149` of those of what leads there,
//! `|w| <= |q| + |d|`. So with `s = fl(reach + R)` and `h = s - fl(32u (|dx| + |dy| + s) + 1e-21) > 0`, `q·q <= h·h` means that the distance is at
//! most `h (1 + 9u) + 7.4u |d| + 2^-73`; `h` leaves `31u (|d| + s)` of room, and `1e-21`. Where anything exceeds 1e18, nothing is sure.
//!
//! **Boxes** are compared, not computed with: exact by nature.
//!
//! **Circles and segments against a box.** What is within reach `r` of the box on an axis has `x + r >= min`; rounding is monotone and `min` is an `f32`,
//! so that `fl(x + r) >= min` too: none is lost. Backwards, `fl(x + r) > min` means `x + r >= min`. So a circle surely touches that has its centre in the box, or on
//! one axis its centre within the box's sides and on the other `fl(y + r) > min`, `fl(y - r) < max`; a segment that has an end in the box, or
//! lies within its sides on one axis and reaches over it on the other, radius aside: there nothing is computed.
//!
//! # Contacts
//!
//! The formulas below are taken where they are *surely* right: where the decision holds with a margin beyond the rounding of both
//! sides, `m = 2^-23`. The others, few, are handed to `geometry`, whose answers are exact, and dropped if they do not touch.
//! `e = 2^-53`. Sums in double precision neither overflow nor lose anything to underflow: a product of two differences of `f32`
//! that is not 0 lies between `2^-298` and `2^258`. No value is -0.
//!
//! **Circle–circle**, A the lower row, in single precision but for `z = D² - R²`, which is computed in double and rounded once:
//! `d = B - A; s = dx·dx + dy·dy; R = ra + rb; q = R·R;` sure if `z <= -q·m`, `s >= 2^-100` and `q <= 2^120`; then `D = sqrt(s);`
//! `n = d/D; separation = z/(D + R); point = A + n·(ra + separation·½)`.
//! *Bounds*: `z` is within `8e q` and its rounding, so `u/8` and `u` relative where it is at least `q·m`; `s` within `4u`, `D` within `3u`,
//! `R` within `u`, their sum, `D < R`, within `3u`, the quotient within `5.2u`. So the **separation** is within five units in the last
//! place (ulp) of the exact one: no cancellation is left in it. `n` is within `u + 3u + u`: **normal** five ulp. The **point** is off by
//! `(5u + u)|h|` on the way, `2.6u R` for `h`'s separation, `u|h|` and the last rounding: within one ulp and `9u R`.
//!
//! **Circle–segment**, in double precision, each value rounded once: `d = b - a; w = p - a; v = p - b; f0 = wx·dx + wy·dy;`
//! `f1 = vx·dx + vy·dy;` with `m0`, `m1` the same sums of absolute values (the true error is below `4.01e m`): start if
//! `f0 <= -m0·8e`, end if `f1 >= m1·8e`, interior if `f0 > m0·8e` and `f1 < -m1·8e`, else doubtful. `T = r + R <= 2^100`, `R` the segment's
//! own radius.
//! *Ends*, Q the end: `g = Q - p; D = |g|;` sure if `0 < D <= T - T·m`; `n = g/D; point = Q - n·R`.
//! *Interior*: `c = dx·wy - dy·wx; mc` the sum of absolute values; `g = (dy, -dx)` where `c > 0` (the centre is on the left),
//! `(-dy, dx)` else; `D = |c|/|g|;` sure if `|c| > mc·8e` and `D + mc/|g|·m <= T - T·m; n = g/|g|; point = p + n·(D - R)`.
//! `separation = D - T` for all.
//! *Bounds*: `D` is within `4.01e mc/|g| + 4e D`, `T` within `e T`, so the separation within `8e (mc/|g| + T)` before it is rounded,
//! `2^-27` relative to what sure leaves of it. **Separation** and **normal** are within one ulp (half and an eighth); so is the **point**,
//! but where its coordinates cancel: then within `2^-48` of what went into them.
//!
//! # Pairs
//!
//! Where only rows are asked for, single precision and one comparison say what *surely* touches; the others go to `geometry` as above.
//!
//! **Circle–circle**, within `m` of each other: `s = dx·dx + dy·dy; R = (ra + rb) + m; q = R·R;` sure if `s <= q - (q·2^-20 + 2^-100)`.
//! *Bound*: `D² <= s(1 + 4.1u) + 2^-148`, `R² >= q(1 - 5.1u) - 2^-149`, and the right side is at most `q(1 - 14.9u) - 2^-101`. Where `q`
//! overflows it is not a number, and nothing is sure.
//!
//! **Circle–segment**: `w`, `d`, `t` and `q` as for candidates, with `t = fl(w·d)/fl(d·d)`, cut to 0..1 whatever it was: so `a + t d` is
//! a point of the segment, however far from the nearest. `T = r + R; h = T - 2^-21 ((|dx| + |dy|) + T);` sure if `h > 0` and
//! `q·q <= h·h - (h·h·2^-20 + 2^-100)`. *Bound*: components of `q` are within `u (2.1 |w| + 3.1 |d|) + 2^-149` of those of `p - (a + t d)`,
//! and `|w| <= |d| + T` for a hit, so `|q|` is within `u (5.3 |d| + 2.1 T) + 2^-148`; `h` leaves `u (7.8 |d| + 5.7 T)` of room, and where
//! `T` is below `2^-126`, `h·h` is 0 and nothing is sure.

pub(crate) mod bonds;
pub(crate) mod bounce;
mod choice;
pub(crate) mod contact;
pub(crate) mod distances;
pub(crate) mod few;
pub(crate) mod firsts;
pub(crate) mod foremost;
pub(crate) mod gaps;
pub(crate) mod hits;
pub(crate) mod images;
mod instruction_set;
pub(crate) mod line;
mod operation;
pub(crate) mod packing;
pub(crate) mod pairs;
mod ranks;
pub(crate) mod ray;
pub(crate) mod scalar;
pub(crate) mod segment_segment;
#[cfg(feature = "unproved")]
pub(crate) mod unproved;
pub(crate) mod wide;

use crate::geometry::{Aabb, Capsules, Circles};
use bonds::Bearing;
use bounce::{Bodies, Bounced, Mirrored, Pull, Speeds, Tangents, Tips};
pub(crate) use choice::InstructionSet;
pub use choice::instruction_set;
use contact::{CircleCircleContact, CircleSegmentContact};
use distances::Distances;
use foremost::Front;
use gaps::{Eight, Gaps};
use hits::{Hits, Rays};
pub(crate) use instruction_set::dispatch;
use line::Line;
pub(crate) use operation::{Operation, Outlined, dispatch_apart};
use packing::Packing;
pub(crate) use pairs::{LANES, Pairs, Writer, bits_of, pack};
use ray::Beam;
use segment_segment::{Bounds, Boxes, Crossing, Ends, Verdict};
use std::ops::Range;

/// Which text of the kernels runs. Results have the same bits with either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Backend {
    /// Eight lanes at a time.
    #[default]
    Wide,
    /// One pair at a time: the reference.
    Scalar,
    /// Wrong now and then; for the bench that shows what exactness costs.
    #[cfg(feature = "unproved")]
    #[doc(hidden)]
    Unproved,
}

/// Half the unit in the last place of 1.
pub(crate) const U: f32 = 1.0 / 16_777_216.0;
/// 2^-21: relative bound on the rounding of a sum of two products of differences in single precision, with slack.
pub(crate) const SUM_BOUND: f32 = 8.0 * U;
/// 2^-100: covers what underflow can take from such sums.
pub(crate) const TINY: f32 = f32::from_bits((127 - 100) << 23);
/// 2^-50: as [`SUM_BOUND`], in double precision.
pub(crate) const DOT_BOUND: f64 = 4.0 * f64::EPSILON;
/// 2^-23: relative margin of a sure touch.
pub(crate) const SURE: f32 = f32::EPSILON;
/// 2^-20: relative margin of a pair that surely touches, in single precision.
pub(crate) const NEAR: f32 = 16.0 * U;
/// 2^100: no contact is sure with radii of more, so that no value of a sure one leaves the range of `f32`.
pub(crate) const MOST: f64 = f64::from_bits((1023 + 100) << 52);
/// 2^120: no contact of circles is sure with a larger squared sum of radii; single precision has no room for it.
pub(crate) const MOST_SQUARE: f32 = f32::from_bits((127 + 120) << 23);

/// A circle about to be held against runs of others: its radius is inflated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) reach: f32,
}

impl Probe {
    /// What radii have to be inflated by in a level without a circle above `largest`: see the head of the module, with
    /// `r1 + r_max <= 2 r_max` for the level's own circles.
    pub(crate) fn grow(largest: f32) -> f32 {
        /// 2^-72.
        const LEAST: f32 = f32::from_bits((127 - 72) << 23);
        32.0 * U * largest + LEAST
    }
}

/// A segment about to be held against runs of circles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wall {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
    /// One over the squared length; 0 for what is treated as a point.
    pub(crate) inverse: f32,
    /// `E` but for its share of the largest radius.
    pub(crate) grow: f32,
}

impl Wall {
    /// See the head of the module.
    pub(crate) fn new([x0, y0]: [f32; 2], [x1, y1]: [f32; 2], radius: f32) -> Wall {
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx.abs() + dy.abs();
        if length > Near::LARGE || radius > Near::LARGE {
            return Wall { x: x0, y: y0, dx: 0.0, dy: 0.0, inverse: 0.0, grow: f32::INFINITY };
        }
        let grow = Near::GROW * (length + radius) + radius * (1.0 + 8.0 * U) + Near::LEAST;
        if length < Near::SHORT {
            return Wall { x: x0, y: y0, dx: 0.0, dy: 0.0, inverse: 0.0, grow: grow + 2.0 * length };
        }
        Wall { x: x0, y: y0, dx, dy, inverse: 1.0 / (dx * dx + dy * dy), grow }
    }

    /// `E` for circles no larger than `largest`.
    #[inline(always)]
    pub(crate) fn reach(&self, largest: f32) -> f32 {
        if largest > Near::LARGE { f32::INFINITY } else { self.grow + Near::GROW * largest }
    }
}

/// A point about to be held against runs of segments: what is at most so far from it is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// So far, grown.
    pub(crate) reach: f32,
    /// So far; NaN where squares may overflow.
    pub(crate) surely: f32,
}

impl Near {
    /// 2^-60: segments shorter than this are treated as points.
    pub(crate) const SHORT: f32 = f32::from_bits((127 - 60) << 23);
    /// What is larger is a candidate.
    pub(crate) const LARGE: f32 = 1e18;
    /// `E` per length, before the slack of a segment's own radius.
    pub(crate) const GROW: f32 = 32.0 * U;
    /// Covers what underflow can take.
    pub(crate) const LEAST: f32 = 1e-21;

    /// See the head of the module.
    pub(crate) fn new([x, y]: [f32; 2], reach: f32) -> Near {
        let grown = reach + Near::GROW * reach + Near::LEAST;
        let (reach, surely) = if reach > Near::LARGE { (f32::INFINITY, f32::NAN) } else { (grown, reach) };
        Near { x, y, reach, surely }
    }
}

/// What rows are called in contacts: themselves, or the caller's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names<'a> {
    Rows,
    Order(&'a [u32]),
}

impl Names<'_> {
    /// The name of a row.
    #[inline(always)]
    pub(crate) fn of(self, row: u32) -> u32 {
        match self {
            Names::Rows => row,
            Names::Order(order) => order[row as usize],
        }
    }
}

/// What a column reaches from and to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: f32,
    pub(crate) largest: f32,
    /// All numbers are, and all were looked at; nothing else is to be asked where they are not, but of those that were looked at.
    pub(crate) is_finite: bool,
}

impl Spread {
    /// Of no numbers.
    pub(crate) const NONE: Spread = Spread { least: f32::MAX, largest: -f32::MAX, is_finite: true };
}

/// What every backend does. Pure: columns in, pairs or contacts out, in the order of the rows; only `bounce`, `push`, `mirror` and `push_back`
/// write over the bodies they are given. The columns of circles are in cell order with [`LANES`] NaN behind the last; those of segments are as
/// the caller has them, but for those of `ray_mask`, `sweep_mask`, `near_masks` and `segment_distances`, which are read eight at a time and have as
/// many NaN behind the last.
pub(crate) trait Kernels: Copy + Send + Sync + 'static {
    /// The first of many shapes that a ray meets; see [`foremost`].
    type Front: Front;
    /// How rows are packed; see [`packing`].
    type Packing: Packing;
    /// How pairs at rest are solved; see [`bonds`].
    type Bearing: Bearing;

    /// Runs a part of an operation as a function of its own, built for what these kernels need.
    fn outline<P: Outlined>(part: P) -> P::Output;

    /// Bit k: row `start + k` is a candidate, for the first `count` rows of at most [`LANES`].
    fn circle_mask(circles: Circles<'_>, probe: Probe, start: u32, count: u32) -> u32;

    /// Of a circle and those of its own columns: in bits 0 to 7 the candidates among the first rows behind its own, in bits 8 to 15 those among the
    /// first from `start` on, of each run so many as counted, at most [`LANES`]. Counts are below 256. `grow`: see [`Probe::grow`].
    fn circle_masks(circles: Circles<'_>, grow: f32, row: u32, start: u32, counts: [u32; 2]) -> u32;

    /// The same as [`Self::circle_mask`] for a segment and circles.
    fn wall_mask(circles: Circles<'_>, wall: &Wall, reach: f32, start: u32, count: u32) -> u32;

    /// Bit k: the segment in row `start + k` is not surely missed by the beam, both without radii; see [`ray`].
    fn ray_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32;

    /// The same with radii; those of the segments may be left out (empty) where all are zero.
    fn sweep_mask(segments: Capsules<'_>, beam: &Beam, start: u32, count: u32) -> u32;

    /// The same for circles.
    fn beam_mask(circles: Circles<'_>, beam: &Beam, start: u32, count: u32) -> u32;

    /// Bit k of the first: the segment in row `start + k` may be as near to the point as is asked; of the second: it surely is; for the first `count`
    /// rows of at most [`LANES`]. The column of the radii is empty where all are zero.
    fn near_masks(segments: Capsules<'_>, near: &Near, start: u32, count: u32) -> [u32; 2];

    /// Bit k of the first: the circle in row `start + k` may touch the box, which is not empty; of the second: it surely does.
    fn circle_frame_masks(circles: Circles<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2];

    /// The same for segments; the column of the radii is empty where all are zero.
    fn segment_frame_masks(segments: Capsules<'_>, frame: &Aabb, start: u32, count: u32) -> [u32; 2];

    /// How far some of eight circles are from a point, roughly, and which may be within a limit: see [`distances`].
    fn circle_distances(circles: Circles<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances;

    /// The same for segments; the column of the radii is empty where all are zero.
    fn segment_distances(segments: Capsules<'_>, p: [f32; 2], limit: f32, start: u32, count: u32) -> Distances;

    /// The least and the largest number of a column; with sizes and a limit, of those whose size is not above it. None is -0.
    fn spread(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread;

    /// How many numbers are before each, and the largest of those before which there are fewer than `k`: see [`ranks`].
    fn ranks(numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32;

    /// Bit k: the number in lane k is less than another; all are below 2^31.
    fn less(numbers: &[u32; LANES], than: u32) -> u32;

    /// Of some eights of numbers, or of any bits, those that are in the lanes of a mask, packed to the front; behind them is anything.
    fn front<const N: usize>(mask: u32, eights: [[f32; LANES]; N]) -> [[f32; LANES]; N];

    /// Writes `(row, j)` for every candidate `j` of the run. `out` has room.
    fn circle_run(circles: Circles<'_>, probe: Probe, row: u32, run: Range<u32>, out: &mut Writer<'_>);

    /// Writes the contacts of candidate pairs of rows to the front of `out` (at least as long as `pairs`), `a < b` by
    /// name, and tells how many there are.
    fn circle_circle(circles: Circles<'_>, names: Names<'_>, pairs: &Pairs, out: &mut [CircleCircleContact]) -> usize;

    /// The same for pairs of a circle's row and a segment's; names of both.
    fn circle_segment(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [CircleSegmentContact],
    ) -> usize;

    /// Writes the names, the lower first, of those candidate pairs of rows that are within `margin` (not negative, finite) of touching
    /// to the front of `out` (at least as long as `pairs`), and tells how many there are. The radii are the true ones.
    fn circle_circle_pairs(
        circles: Circles<'_>,
        margin: f32,
        names: Names<'_>,
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize;

    /// The same for those pairs of a circle's row and a segment's that touch.
    fn circle_segment_pairs(
        circles: Circles<'_>,
        segments: Capsules<'_>,
        names: [Names<'_>; 2],
        pairs: &Pairs,
        out: &mut [[u32; 2]],
    ) -> usize;

    /// How far circles are from the circles `b` (centre, radius, what they are called), with a word for the records: see [`gaps`].
    fn circle_gaps(circles: &Eight, b: &[[f32; 4]; LANES], word: u32) -> Gaps;

    /// Gives each of eight pairs that share no circle its impulse, if it met no longer ago than `longest`; by a text that does so.
    fn bounce(one: &mut Bodies, two: &mut Bodies, longest: f64) -> Option<Bounced>;

    /// Pushes eight such pairs apart by the share `factor` of what they overlap, and says whether all positions are finite.
    fn push(one: &mut Bodies, two: &mut Bodies, factor: f64) -> Option<bool>;

    /// Mirrors eight circles in the walls of these contacts' records, if a flank was met no longer ago than the first of `longest`, an end
    /// than the second; by a text that does so. Without speeds the walls stand, without pull nothing falls.
    fn mirror(
        bodies: &mut Bodies,
        contacts: [&[f32; 8]; LANES],
        tips: Option<&Tips>,
        speeds: Option<&Speeds>,
        longest: [f64; 2],
        pull: Option<&Pull>,
    ) -> Option<Mirrored>;

    /// Pushes eight circles back by the share `factor` of what they are behind the tangents, and says whether all positions are finite.
    fn push_back(bodies: &mut Bodies, tangents: &Tangents, factor: f64) -> Option<bool>;

    /// How far circles are from the segments in rows `b`, which are called by those: see [`gaps`].
    fn segment_gaps(circles: &Eight, segments: Capsules<'_>, b: &[u32; LANES], word: u32) -> Gaps;

    /// Where each ray meets its segment (both ends, no radius): see [`hits`].
    fn ray_segments(rays: &Rays, segments: &[[f32; 4]; LANES]) -> Hits;

    /// Where each ray meets its circle (centre, radius, a number that does not matter): see [`hits`].
    fn ray_circles(rays: &Rays, circles: &[[f32; 4]; LANES]) -> Hits;

    /// Bit k: the box of row `start + k` meets `query`, for the first `count` rows of at most [`LANES`].
    fn box_mask(boxes: Boxes<'_>, query: Bounds, start: u32, count: u32) -> u32;

    /// The same for those of them that the [`Line`] may meet; it passes by all others, for sure.
    fn line_mask(boxes: Boxes<'_>, query: Bounds, line: &Line, start: u32, count: u32) -> u32;

    /// Bit k: the box of row `start + k` meets that of a row from the second to the last of the [`LANES`] behind it less one. The columns go
    /// on for two times [`LANES`] behind the last row.
    fn ahead_mask(boxes: Boxes<'_>, start: u32) -> u32;

    /// Writes `(row, j)` for every `j` of the run whose box meets `query`. `out` has room.
    fn box_run(boxes: Boxes<'_>, query: Bounds, row: u32, run: Range<u32>, out: &mut Writer<'_>);

    /// What the pairs of a row of `a` and a row of `b` are, one verdict each, to the front of `out`; and at the same places of
    /// `crossings` the values of those that cross. Both are at least as long as `pairs`. See [`segment_segment`].
    fn verdicts(a: &[Ends], b: &[Ends], pairs: &Pairs, out: &mut [Verdict], crossings: &mut [Crossing]);

    /// What each of the first [`LANES`] rows and the row behind it are; columns of the ends, as in [`Ends`].
    fn chain_verdicts(columns: [&[f32; LANES + 1]; 4]) -> [Verdict; LANES];
}
