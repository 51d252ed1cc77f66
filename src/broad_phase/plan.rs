//! Which levels a grid has, and the map of each: chosen from the positions and sizes at hand, and from nothing else.
//!
//! Comes in: columns of positions and sizes. Goes out: levels, small sizes first, and the level of each body. Sizes that
//! differ much are kept apart: a grid whose cells fit the largest would put thousands of the smallest into one. Samples
//! are taken by row and choices are rounded, so that what is kept for a plan stands while bodies move. This room does not
//! sort. Cost: one pass over the columns, and some thousand samples where a set is sparse.

use super::cell_map::{CellMap, LINEAR, REACH};
use super::crowd::{Crowd, origin, start, widen};
use super::extent::Extent;
use super::limits::{LOW_SHARE, MAX_LEVELS, level_limits, wide_first};
use super::naming::name;
use super::policy::Policy;
use crate::kernels::InstructionSet;
use crate::parallel::Split;
use std::ops::Range;

/// A boxed map has so many cells more than twice its bodies, at most.
pub(super) const MORE_CELLS: usize = 256;
/// 2^-100 of a span: in cells narrower than that no coordinate is a number.
const SPECK: f32 = f32::from_bits((127 - 100) << 23);
/// 2^-124: its inverse is still finite.
pub(super) const LEAST_CELL: f32 = f32::from_bits((127 - 124) << 23);
/// Wider cells would have an inverse that is not exact enough, or none at all.
pub(super) const WIDEST: f32 = 1e37;
/// Wanted number of others in a body's own cell: cells are widened up to this.
pub(super) const OCCUPANCY: f32 = 1.5;
/// With more bodies a cell than this, in the mean over the box, cells are as narrow as they may be: tables of more cells then cost less than
/// candidates that are apart.
const FULL: f64 = 1.25;
/// Bodies a cell, in the mean over the box, that one level for all sizes may have.
const ROOMY: f64 = 4.0;
/// Others in a body's own cell, told from a sample, that it may have.
const CROWDED: f32 = 8.0;
/// Likewise: more than this, and smaller cells for smaller sizes are worth a level more.
const JAMMED: f32 = 64.0;
/// Of fewer nobody asks: all pairs of them cost less than a millisecond.
const MANY: usize = 4096;
/// With more bodies than `MANY` corners of a box lie on multiples of so many cells: it stays while bodies move at its rim.
const COARSE: f64 = 8.0;
/// Fewer cells than this along an axis are left as they are where a box so coarse would have too many: of a lane one cell high it makes eight rows.
const SHORT: f64 = 64.0;
/// One level: a map, the part of the table that its keys index, its rows.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) map: CellMap,
    /// Where key 0 stands in [`Grid::starts`].
    pub(crate) base: u32,
    /// Its rows, in cell order.
    pub(crate) rows: Range<u32>,
    /// The largest size in it.
    pub(crate) size: f32,
    /// Least and largest coordinates in it.
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
}

impl Level {
    /// Least and largest coordinates of the positions in it.
    pub(crate) fn extent(&self) -> [[f32; 2]; 2] {
        [self.low, self.high]
    }

    /// Around all positions: low x, low y, high x, high y.
    pub(crate) fn around(&self) -> [f64; 4] {
        [self.low[0], self.low[1], self.high[0], self.high[1]].map(f64::from)
    }

    /// False if no circle of this level can touch this one: its box is apart from all of theirs. In `f64` sums and differences are
    /// right to 2^-53, far less than the allowance. The largest radius there is may stand for a larger one.
    pub(crate) fn may_touch(&self, at: [f32; 2], radius: f32) -> bool {
        let reach = (f64::from(radius) + f64::from(self.size)) * (1.0 + 1e-12);
        (0..2).all(|axis| {
            let [v, low, high] = [at[axis], self.low[axis], self.high[axis]].map(f64::from);
            v - high <= reach && low - v <= reach
        }) || radius == f32::MAX
    }
}

/// See the head of the module. Buffers are reused from call to call.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(super) levels: Vec<Level>,
    /// For each body the number of its level; empty where there is one level only.
    pub(super) level: Vec<u8>,
    /// Table entries that all levels need.
    pub(super) entries: usize,
    limits: Vec<f32>,
    sample: Vec<f32>,
    crowd: Crowd,
}

impl Plan {
    /// Chooses the levels and their maps, and notes each body's level where there are several. `all`: the extent of the columns.
    pub(crate) fn make(
        &mut self,
        all: Extent,
        [x, y, size]: [&[f32]; 3],
        policy: Policy,
        cell: Option<f32>,
        (set, split): (InstructionSet, Split),
    ) {
        self.crowd.begin();
        self.level.clear();
        level_limits(&mut self.limits, &mut self.sample, size, [all.least, all.size], policy);
        if !self.limits.is_empty() && self.has_room_for_one([x, y], all, policy, cell, set) {
            self.limits.clear();
        } else if cell.is_none() && policy.quantile > LOW_SHARE && self.is_crowded([x, y], all, policy, set) {
            let policy = Policy { quantile: LOW_SHARE, ..policy };
            level_limits(&mut self.limits, &mut self.sample, size, [all.least, all.size], policy);
        }
        let Plan { level, limits, .. } = self;
        // Room for all levels is five kilobytes, which a small world would feel.
        let (one, many);
        let extents = if limits.is_empty() {
            one = [all];
            &one[..]
        } else {
            level.resize(size.len(), 0);
            many = name(level, [x, y, size], limits, set, split);
            &many[..=limits.len()]
        };
        self.levels.clear();
        let (mut base, mut row) = (0, 0);
        let mut names = [0u8; MAX_LEVELS];
        for (k, extent) in extents.iter().enumerate() {
            names[k] = self.levels.len() as u8;
            if extent.count > 0 {
                let map = choose_map(self, k as u8, [x, y], *extent, policy, cell, set);
                let rows = row..row + extent.count as u32;
                let Extent { low, high, size, .. } = *extent;
                self.levels.push(Level { map, base, rows: rows.clone(), size, low, high });
                base += map.cells() + map.pad();
                row = rows.end;
            }
        }
        // Names have gaps where a level is empty.
        if extents[..self.levels.len()].iter().any(|extent| extent.count == 0) {
            for k in &mut self.level {
                *k = names[usize::from(*k)];
            }
        }
        self.entries = base as usize;
    }

    /// Cells of the first level would be, by many that are far smaller.
    fn is_crowded(&mut self, columns: [&[f32]; 2], all: Extent, policy: Policy, set: InstructionSet) -> bool {
        if all.count < MANY {
            return false;
        }
        let Some(first) = wide_first(&self.limits, &mut self.sample, all.size) else { return false };
        let cell = first * policy.reach_per_size * policy.slack;
        if !(LEAST_CELL..WIDEST).contains(&cell) {
            return false;
        }
        let origin = self.crowd.take((&[], 0), columns, all.count, set);
        self.crowd.others(origin, cell, set) > JAMMED
    }

    /// Cells that fit the largest size would not be crowded by all the others: by the box around them and, since they may crowd in a
    /// part of it, by a sample. Pairs across levels cost more than some candidates too many.
    fn has_room_for_one(
        &mut self,
        columns: [&[f32]; 2],
        all: Extent,
        policy: Policy,
        fixed: Option<f32>,
        set: InstructionSet,
    ) -> bool {
        let reach = all.size * policy.reach_per_size * policy.slack;
        let cell = fixed.map_or(reach, |fixed| if fixed > reach { fixed } else { reach });
        if cell >= WIDEST {
            return false;
        }
        let across = |axis: usize| (f64::from(all.high[axis]) - f64::from(all.low[axis])) / f64::from(cell) + 1.0;
        if all.count as f64 > ROOMY * across(0) * across(1) {
            return false;
        }
        let origin = self.crowd.take((&self.level, 0), columns, all.count, set);
        self.crowd.others(origin, cell, set) <= CROWDED
    }

    /// The levels, small sizes first.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// For each body the number of its level; empty where there is one level only.
    pub(crate) fn level(&self) -> &[u8] {
        &self.level
    }

    /// Table entries that all levels need.
    pub(crate) fn entries(&self) -> usize {
        self.entries
    }

    /// Bytes held, but for some thousand samples.
    pub(crate) fn bytes(&self) -> usize {
        self.level.capacity()
    }
}

/// The map of one level: cells as narrow as its sizes allow, wider where it is sparse; boxed where the box around it
/// has no more than about two cells a body, else a torus, about zero or, where that is too far, about its median.
fn choose_map(
    plan: &mut Plan,
    level: u8,
    columns: [&[f32]; 2],
    extent: Extent,
    policy: Policy,
    fixed: Option<f32>,
    set: InstructionSet,
) -> CellMap {
    let reach = extent.size * policy.reach_per_size;
    let widest = extent.high[0] / 2.0 - extent.low[0] / 2.0;
    let highest = extent.high[1] / 2.0 - extent.low[1] / 2.0;
    let half = if widest > highest { widest } else { highest };
    let span = half * 2.0;
    let (usual, narrowest) = (reach * policy.slack, reach / REACH);
    let mut cell = fixed.map_or(usual, |fixed| if fixed > narrowest { fixed } else { narrowest });
    // Cells so narrow that coordinates in them are no numbers any more are as good as those of points.
    let are_points = cell == 0.0 || cell < half * (2.0 * SPECK);
    if are_points {
        cell = span * (1.0 / (1 << 30) as f32); // points: somewhere to start from
    }
    cell = if cell < LEAST_CELL { LEAST_CELL } else { cell };
    if cell >= WIDEST {
        return CellMap::boxed(extent.low, f32::INFINITY, 1, 1); // the whole range is some cells wide: one is enough
    }
    let area = |cell: f32| {
        (f64::from(widest) * 2.0 / f64::from(cell) + 1.0) * (f64::from(highest) * 2.0 / f64::from(cell) + 1.0)
    };
    let count = extent.count as f64;
    // Bodies crowd at least as much as if they were spread evenly over their box: only if that leaves room for wider
    // cells is a sample asked how they crowd in fact.
    let mut middle = None;
    if fixed.is_none() && count / area(cell * 2.0) <= f64::from(OCCUPANCY) {
        let mut origin = plan.crowd.take((&plan.level, level), columns, extent.count, set);
        if are_points {
            (cell, origin) = start(&mut plan.crowd, origin, (cell, usual, span), set);
        } else if span >= cell * (LINEAR / 2.0) {
            (origin, _) = self::origin(&mut plan.crowd, origin, (cell, span), set);
        }
        cell = widen(&mut plan.crowd, origin, cell, span, set);
        middle = Some(origin);
    }
    let may_be_narrow = fixed.is_none() && cell == usual && narrowest < usual && narrowest >= LEAST_CELL;
    if may_be_narrow && count > FULL * area(cell) {
        cell = narrowest;
    }
    let boxed_by = |short: f64, [low, high]: [[f32; 2]; 2], cell: f32| {
        let (low64, high64, cell64) = (low.map(f64::from), high.map(f64::from), f64::from(cell));
        let is_coarse = |axis: usize| extent.count > MANY && (high64[axis] - low64[axis]) / cell64 >= short;
        let step = [0, 1].map(|axis| if is_coarse(axis) { COARSE } else { 1.0 });
        let origin = [0, 1].map(|axis| ((low64[axis] / (cell64 * step[axis])).floor() * cell64 * step[axis]) as f32);
        let [columns, rows] = [0, 1].map(|axis| {
            let cells = (high64[axis] - f64::from(origin[axis])) / cell64;
            ((cells / step[axis]).floor() + 1.0) * step[axis]
        });
        // Keys of a boxed map are made without a look at what overflows.
        let finite = (high[0] - origin[0]).is_finite() && (high[1] - origin[1]).is_finite();
        let few = columns <= f64::from(LINEAR) && rows <= f64::from(LINEAR);
        let fits = few && columns * rows <= 2.0 * count + MORE_CELLS as f64;
        (finite && fits).then(|| CellMap::boxed(origin, cell, columns as u32, rows as u32))
    };
    let own = [extent.low, extent.high];
    let boxed = |cell: f32| [0.0, SHORT].into_iter().find_map(|short| Some((boxed_by(short, own, cell)?, short)));
    if let Some((map, short)) = boxed(cell) {
        // The same cells, and more: bodies come in the same order.
        let map = policy.around.and_then(|around| boxed_by(short, union(around, own), cell)).unwrap_or(map);
        map.with_gap(map.columns_within(reach))
    } else {
        let middle = middle.unwrap_or_else(|| plan.crowd.take((&plan.level, level), columns, extent.count, set));
        let wider = cell * 2.0;
        if policy.fuller > 0.0
            && fixed.is_none()
            && wider < WIDEST
            && let Some((map, _)) = boxed(wider)
            && plan.crowd.others(middle, wider, set) <= policy.fuller
        {
            return map.with_gap(map.columns_within(reach));
        }
        let cells = if extent.count < 1 << 28 { extent.count as u32 + extent.count as u32 / 4 } else { 1 << 28 };
        // Zero where that serves, else coarsely rounded, so that it stays while bodies move; far within the linear range all the same.
        let far = f64::from(cell) * f64::from(LINEAR * 0.9375);
        let origin = if extent.low.iter().chain(&extent.high).all(|&v| f64::from(v).abs() <= far) {
            [0.0; 2]
        } else {
            let step = f64::from(cell) * 4096.0;
            middle.map(|middle| ((f64::from(middle) / step).round() * step) as f32)
        };
        CellMap::torus(origin, cell, cells)
    }
}

/// Around both, from low to high.
pub(crate) fn union([low, high]: [[f32; 2]; 2], [other_low, other_high]: [[f32; 2]; 2]) -> [[f32; 2]; 2] {
    let lower = |axis: usize| if other_low[axis] < low[axis] { other_low[axis] } else { low[axis] };
    let higher = |axis: usize| if other_high[axis] > high[axis] { other_high[axis] } else { high[axis] };
    [[lower(0), lower(1)], [higher(0), higher(1)]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Split;

    #[test]
    fn cells_of_two_clusters_stay_whatever_rows_are_sampled() {
        // Of as many each: a sample has its median in either.
        let at = |k: u32| (k.wrapping_mul(2_654_435_761) >> 12) as f32 / 4096.0 + (k % 2) as f32 * 6000.0 - 3000.0;
        let map = |turn: u32| {
            let x: Vec<f32> = (0..5000).map(|k| at((k + turn) % 5000)).collect();
            let (columns, set) = ([&x[..], &x, &[0.5; 5000]], InstructionSet::best());
            let (mut plan, all) = (Plan::default(), Extent::of(columns, set, Split::SERIAL));
            plan.make(all, columns, Policy::CIRCLES, None, (set, Split::SERIAL));
            plan.levels()[0].map
        };
        assert!(map(0).is_torus() && (1..40).all(|turn| map(turn).origin() == [0.0; 2]));
    }

    /// Points a unit apart, ends of segments and circles likewise: cells are as wide where one is very far as where none is, within the factor of two of
    /// a choice among doubles.
    #[test]
    fn one_body_far_out_does_not_widen_the_cells_of_the_others() {
        for (policy, size) in
            [(Policy::CIRCLES, 0.0), (Policy::SEGMENTS, 0.0), (Policy::CIRCLES, 0.4), (Policy::CIRCLES, 2.0)]
        {
            let cell = |far: f32| {
                let mut x: Vec<f32> = (0..40_000).map(|k| (k % 200) as f32).collect();
                let y: Vec<f32> = (0..40_000).map(|k| (k / 200) as f32).collect();
                x[777] = far;
                let (columns, set) = ([&x[..], &y, &vec![size; x.len()]], InstructionSet::best());
                let (mut plan, all) = (Plan::default(), Extent::of(columns, set, Split::SERIAL));
                plan.make(all, columns, policy, None, (set, Split::SERIAL));
                assert_eq!(plan.levels().len(), 1);
                plan.levels()[0].map.cell()
            };
            let usual = cell(3.0);
            assert!((0.5..8.0).contains(&usual), "{usual}");
            for far in [1e9, 1e11, 1e12, -1e20, 1e30, -1e31, 1e32, 1e34, 1e37, f32::MAX] {
                let cell = cell(far);
                assert!(usual * 0.49 < cell && cell < usual * 2.01, "{far}: {cell} and {usual}");
            }
        }
    }

    #[test]
    fn a_level_is_passed_over_only_if_its_box_is_apart() {
        let mut plan = Plan::default();
        let (columns, set) = ([&[-1.0, 2.0, 0.0][..], &[5.0, 9.0, 6.0], &[1.0, 2.0, 1.5]], InstructionSet::best());
        plan.make(Extent::of(columns, set, Split::SERIAL), columns, Policy::CIRCLES, None, (set, Split::SERIAL));
        let [level] = plan.levels() else { panic!("one level") };
        // From -1 to 2, from 5 to 9, largest size 2; with a radius of 1 all within 3 of that.
        for (at, near) in [
            ([5.0, 12.0], true),
            ([-4.0, 2.0], true),
            ([0.0, 7.0], true),
            ([5.0f32.next_up(), 7.0], false),
            ([-4.0f32.next_up(), 7.0], false),
            ([0.0, 12.0f32.next_up()], false),
            ([0.0, 2.0f32.next_down()], false),
            ([f32::MAX, -f32::MAX], false),
        ] {
            assert_eq!(level.may_touch(at, 1.0), near, "{at:?}");
        }
        assert!(level.may_touch([-f32::MAX, f32::MAX], f32::MAX));
    }

    #[test]
    fn cells_are_narrow_where_circles_crowd() {
        let set = InstructionSet::best();
        // Discs of diameter 1 strewn over a square, one of them far away; the width of cells, and whether they lie on a torus.
        let map = |side: usize, apart: f32, away: f32| {
            let part =
                |k: usize, seed: u32| (k as u32).wrapping_mul(seed) as f32 / u32::MAX as f32 * side as f32 * apart;
            let x: Vec<f32> =
                (0..side * side).map(|k| part(k, 2_654_435_761) + if k == 0 { away } else { 0.0 }).collect();
            let y: Vec<f32> = (0..side * side).map(|k| part(k, 2_246_822_519)).collect();
            let (mut plan, columns) = (Plan::default(), [&x[..], &y, &vec![0.5; side * side]]);
            plan.make(Extent::of(columns, set, Split::SERIAL), columns, Policy::CIRCLES, None, (set, Split::SERIAL));
            (1.0 / plan.levels()[0].map.inverse(), plan.levels()[0].map.is_torus())
        };
        let is = |(cell, torus): (f32, bool), width: f32, on_torus: bool| {
            assert!((cell - width).abs() < 1e-6 && torus == on_torus, "{cell} {torus}");
        };
        // 1.25²/1.1² = 1.29 discs a cell, less the rim, and 1.25²/1.3² = 0.92.
        is(map(100, 1.1, 0.0), 1.0 / REACH, false);
        is(map(100, 1.3, 0.0), 1.25, false);
        is(map(100, 1.1, -1e6), 1.25, true); // crowded as the first, but no room for a box
    }

    #[test]
    fn a_box_of_wider_cells_is_taken_before_a_torus() {
        let set = InstructionSet::best();
        // One a unit, strewn over a square, and one far to the right: the box is twice the square. Of others a cell of 0.65 holds 0.42 in the mean, one
        // twice as wide 1.69: more than is wanted, but no more than two, and a box has room for those.
        let map = |far: f32, policy: Policy| {
            let mut state = 1u64;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f32 / (1 << 24) as f32 * 100.0
            };
            let (mut x, y): (Vec<f32>, Vec<f32>) = (0..10_000).map(|_| (next(), next())).unzip();
            x[0] = far;
            let (mut plan, columns) = (Plan::default(), [&x[..], &y, &vec![0.65 / policy.slack; 10_000]]);
            plan.make(Extent::of(columns, set, Split::SERIAL), columns, policy, None, (set, Split::SERIAL));
            (1.0 / plan.levels()[0].map.inverse(), plan.levels()[0].map.is_torus())
        };
        let is = |(cell, torus): (f32, bool), width: f32, on_torus: bool| {
            assert!((cell - width).abs() < 1e-5 && torus == on_torus, "{cell} {torus}");
        };
        is(map(200.0, Policy::SEGMENTS), 1.3, false);
        is(map(200.0, Policy { fuller: 0.0, ..Policy::SEGMENTS }), 0.65, true);
        is(map(200.0, Policy { fuller: 1.0, ..Policy::SEGMENTS }), 0.65, true);
        is(map(2000.0, Policy::SEGMENTS), 0.65, true); // no room for those either
    }

    #[test]
    fn cells_stay_where_they_are_among_what_stands() {
        let set = InstructionSet::best();
        // Ten by ten, 3 apart, from 0.5 on; or all of them one to the left, over the border of a cell.
        let map = |left: f32, around: Option<[[f32; 2]; 2]>| {
            let x: Vec<f32> = (0..100).map(|k| (k % 10) as f32 * 3.0 + 0.5 - left).collect();
            let y: Vec<f32> = (0..100).map(|k| (k / 10) as f32 * 3.0 + 0.5).collect();
            let (mut plan, columns, policy) = (Plan::default(), [&x[..], &y, &[1.0; 100]], Policy::CIRCLES);
            plan.make(
                Extent::of(columns, set, Split::SERIAL),
                columns,
                Policy { around, ..policy },
                None,
                (set, Split::SERIAL),
            );
            (plan.levels()[0].map, x, y)
        };
        let around = Some([[-3.0; 2], [33.0; 2]]);
        assert_eq!(map(0.0, around).0, map(1.0, around).0);
        assert_ne!(map(0.0, None).0, map(1.0, None).0);
        // The order is that of the others; too many cells: as if nothing stood there.
        let [(wide, x, y), (own, ..)] = [map(0.0, around), map(0.0, None)];
        let mut places: Vec<[f32; 2]> = x.iter().zip(&y).map(|(&x, &y)| [x, y]).collect();
        places.sort_by_key(|&[x, y]| own.key(x, y));
        assert!(wide != own && places.is_sorted_by_key(|&[x, y]| wide.key(x, y)));
        assert_eq!(map(0.0, Some([[-1e6, -3.0], [33.0, 33.0]])).0, own);
    }
}
