//! Which of the circles that fly come near a stretch of a way.
//!
//! Comes in: the legs of paths. Goes out: whose legs come near a way, some of them several times, and some that do not. This room does not know time:
//! where two circles are at once is not asked here.
//!
//! Method: legs with their radii are capsules, kept under the cells that they cross, as walls are. Those that came after the cells were made are looked
//! at one by one, until there are so many that making the cells anew costs less.

use super::path::Leg;
use crate::broad_phase::Cells;
use crate::exact::P;
use crate::geometry::{Capsules, Periods};
use crate::response::impulse::{Pair, dot};
use crate::response::stretches::{clip, stretches};
use crate::storage::each_where;

/// So many legs are looked at one by one, and so many times the root of how many are in cells: each that comes later costs every question some
/// tenths of a nanosecond, and cells cost a tenth of a microsecond for each that is in them. Where both together are as much, their sum is least.
const FEW: usize = 64;
const ROOTS: usize = 32;

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Near {
    x0: Vec<f32>,
    y0: Vec<f32>,
    x1: Vec<f32>,
    y1: Vec<f32>,
    radius: Vec<f32>,
    owner: Vec<u32>,
    /// Around each with its radius, rounded outwards: left, right, bottom, top.
    boxes: [Vec<f32>; 4],
    /// The first so many are in the cells.
    built: usize,
    cells: Cells,
    /// What covers all legs, one axis each.
    cover: [[f64; 2]; 2],
}

fn is_finite(leg: &Leg) -> bool {
    leg.from.iter().chain(&leg.to).all(|v| v.is_finite())
}

impl Near {
    pub(super) fn clear(&mut self) {
        for column in [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1, &mut self.radius] {
            column.clear();
        }
        self.owner.clear();
        self.boxes.iter_mut().for_each(Vec::clear);
        self.built = 0;
        self.cover = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    }

    /// More legs of somebody.
    pub(super) fn add(&mut self, owner: u32, legs: &[Leg], radius: f32) {
        for leg in legs.iter().filter(|leg| is_finite(leg)) {
            self.x0.push(leg.from[0]);
            self.y0.push(leg.from[1]);
            self.x1.push(leg.to[0]);
            self.y1.push(leg.to[1]);
            self.radius.push(radius);
            self.owner.push(owner);
            let [left, right, bottom, top] = &mut self.boxes;
            for (axis, [low, high]) in [[left, right], [bottom, top]].into_iter().enumerate() {
                let (a, b) = (leg.from[axis], leg.to[axis]);
                low.push(((if a < b { a } else { b }) - radius).next_down());
                high.push(((if a < b { b } else { a }) + radius).next_up());
            }
            for (axis, cover) in self.cover.iter_mut().enumerate() {
                for end in [leg.from[axis], leg.to[axis]] {
                    let (low, high) = (f64::from(end) - f64::from(radius), f64::from(end) + f64::from(radius));
                    cover[0] = if low < cover[0] { low } else { cover[0] };
                    cover[1] = if high > cover[1] { high } else { cover[1] };
                }
            }
        }
    }

    /// It is time to make the cells anew, of the legs that are left.
    pub(super) fn is_long(&self) -> bool {
        self.owner.len() - self.built > FEW + ROOTS * self.built.isqrt()
    }

    /// Puts all legs into cells.
    pub(super) fn build(&mut self) {
        let Near { x0, y0, x1, y1, radius, owner, cells, built, .. } = self;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..owner.len() as u32);
        cells.rename(owner);
        *built = owner.len();
    }

    /// Everybody who has a leg, as often as he has one.
    pub(super) fn owners(&self) -> &[u32] {
        &self.owner
    }

    /// Visits who comes near a disc of this radius on its way from one place to another, where the plane repeats by any image; no more than so many
    /// are `left` to be visited by way of cells. False if that was not enough.
    pub(super) fn along(
        &self,
        leg: &Leg,
        radius: f32,
        periods: &Periods,
        left: &mut i64,
        mut visit: impl FnMut(u32),
    ) -> bool {
        if self.owner.is_empty() || !is_finite(leg) {
            return true;
        }
        let of = |axis: usize| counts(periods, axis, (leg, radius), self.cover[axis]);
        let counts = [of(0), of(1)];
        for x in counts[0][0]..=counts[0][1] {
            for y in counts[1][0]..=counts[1][1] {
                let by = [f64::from(x) * periods.length(0), f64::from(y) * periods.length(1)];
                let place = |p: P| [f64::from(p[0]) + by[0], f64::from(p[1]) + by[1]];
                self.along_one(place(leg.from), place(leg.to), f64::from(radius), left, &mut visit);
            }
        }
        *left > 0
    }

    fn along_one(&self, from: Pair, to: Pair, radius: f64, left: &mut i64, visit: &mut impl FnMut(u32)) {
        let motion = [to[0] - from[0], to[1] - from[1]];
        // Far more than what shifts and boxes are rounded by.
        let size = [from, to].iter().flatten().fold(0.0, |sum, v| sum + v.abs());
        let reach = radius * (1.0 + 1e-9) + size * 1e-6;
        if self.built > 0 {
            let apart = self.cells.apart();
            apart.rows.iter().for_each(|&owner| visit(owner));
            for level in self.cells.levels() {
                let Some((begin, end)) = clip(from, motion, level, reach) else { continue };
                let mut scan = |run: std::ops::Range<u32>, _: [f64; 2]| {
                    *left -= i64::from(run.end - run.start);
                    if *left <= 0 {
                        return f64::NEG_INFINITY;
                    }
                    run.for_each(|entry| visit(self.cells.entries().rows[entry as usize]));
                    1.0
                };
                let (per, way) = (f64::from(level.map.inverse()), dot(motion, motion).sqrt());
                let each = if reach * per > 4.0 { reach * per } else { 4.0 } / (way * per);
                if way > 0.0 && (end - begin) / each > f64::from(level.entries.end - level.entries.start) + 64.0 {
                    scan(level.entries.clone(), [begin, end]);
                } else {
                    stretches((&self.cells, level), (from, motion, reach), [begin, end, each], &mut scan);
                }
            }
        }
        let ([low_x, high_x], [low_y, high_y]) = (ordered(from[0], to[0]), ordered(from[1], to[1]));
        let low = [((low_x - reach) as f32).next_down(), ((low_y - reach) as f32).next_down()];
        let high = [((high_x + reach) as f32).next_up(), ((high_y + reach) as f32).next_up()];
        let (owner, [left, right, bottom, top]) = (&self.owner[self.built..], &self.boxes);
        let boxes = [&left[self.built..], &right[self.built..], &bottom[self.built..], &top[self.built..]];
        let meets = |[left, right, bottom, top]: [f32; 4]| {
            (right >= low[0]) & (left <= high[0]) & (top >= low[1]) & (bottom <= high[1])
        };
        each_where(boxes, meets, |k| visit(owner[k]));
    }
}

fn ordered(a: f64, b: f64) -> Pair {
    if a < b { [a, b] } else { [b, a] }
}

/// By how many periods a leg may be moved to come near what is covered.
fn counts(periods: &Periods, axis: usize, (leg, radius): (&Leg, f32), cover: [f64; 2]) -> [i32; 2] {
    let length = periods.length(axis);
    if length == 0.0 {
        return [0, 0];
    }
    let [low, high] = ordered(f64::from(leg.from[axis]), f64::from(leg.to[axis]));
    let (low, high) = (low - f64::from(radius), high + f64::from(radius));
    [whole((cover[0] - high) / length - 1e-6), -whole((low - cover[1]) / length - 1e-6)]
}

/// Rounded up; nobody is seen from farther than a few periods.
pub(super) fn whole(periods: f64) -> i32 {
    let most = 4.0;
    (if periods < -most {
        -most
    } else if periods > most {
        most
    } else {
        periods
    })
    .ceil() as i32
}
