//! How crowded cells are.
//!
//! Comes in: positions, some of which are sampled; widths of cells. Goes out: the middle of the sample, and how many others share the cell of a
//! position, in the mean. This room does not know what a width is for. Cost: a step or two for each sampled position and width.

use super::cell_map::{CellMap, LINEAR, ToCells};
use super::limits::sampled_row;
use super::plan::{LEAST_CELL, OCCUPANCY, WIDEST};
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, dispatch};

/// A sample, and buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    x: Vec<f32>,
    y: Vec<f32>,
    /// How many each of the sample stands for.
    each: f32,
    /// The medians, if all are of one level and the sample has been taken.
    middle: Option<[f32; 2]>,
    /// Coordinates as integers of the same order.
    ordered: Vec<i32>,
    hashes: Vec<u32>,
    /// Hashes and how many have them.
    counts: Vec<[u32; 2]>,
}

impl Crowd {
    /// From here on it is other positions.
    pub(super) fn begin(&mut self) {
        self.middle = None;
    }

    /// Takes one of every so many of the `count` positions of a level, whose orders may have any period: enough of them that a hundred pairs share a cell at the wanted occupancy.
    /// Tells the medians. `levels`: of each position; empty where there is one level only.
    pub(super) fn take(
        &mut self,
        (levels, level): (&[u8], u8),
        [x, y]: [&[f32]; 2],
        count: usize,
        set: InstructionSet,
    ) -> [f32; 2] {
        if levels.is_empty()
            && let Some(middle) = self.middle
        {
            return middle;
        }
        let wanted = 8.0 * (count as f64).sqrt() + 64.0;
        let every = (count as f64 / wanted) as usize + 1;
        let Crowd { x: sx, y: sy, ordered, each, .. } = self;
        sx.clear();
        sy.clear();
        if levels.is_empty() {
            if every == 1 {
                sx.extend_from_slice(x);
                sy.extend_from_slice(y);
            } else {
                one_of_every(every, &x[..count], sx);
                one_of_every(every, &y[..count], sy);
            }
        } else {
            // Stretches without one that is wanted are only counted, which is vector code.
            let (mut skip, mut taken) = (sampled_row(0, every), 0);
            for (at, stretch) in levels.chunks(64).enumerate() {
                let there = stretch.iter().map(|&l| u8::from(l == level)).sum::<u8>();
                if usize::from(there) <= skip {
                    skip -= usize::from(there);
                    continue;
                }
                for (k, _) in stretch.iter().enumerate().filter(|&(_, &l)| l == level) {
                    if skip == 0 {
                        sx.push(x[64 * at + k]);
                        sy.push(y[64 * at + k]);
                        // As far as the next one's place among so many.
                        let place = sampled_row(taken, every);
                        taken += 1;
                        skip = every - place + sampled_row(taken, every);
                    }
                    skip -= 1;
                }
            }
        }
        *each = count as f32 / sx.len() as f32;
        let middle = [sx, sy].map(|values| {
            ordered.clear();
            ordered.extend(values.iter().map(|v| in_order(v.to_bits() as i32)));
            ordered.resize(values.len().next_multiple_of(LANES), i32::MAX);
            let middle = dispatch(Backend::Wide, set, Nth { of: ordered, nth: values.len() / 2 });
            f32::from_bits(in_order(middle) as u32)
        });
        self.middle = levels.is_empty().then_some(middle);
        middle
    }

    /// The mean number of others in a body's own cell, told from the sample.
    pub(super) fn others(&mut self, origin: [f32; 2], cell: f32, set: InstructionSet) -> f32 {
        let Crowd { x, y, each, hashes, counts, .. } = self;
        hashes.resize(x.len(), 0);
        let map = &CellMap::torus(origin, cell, 64);
        dispatch(Backend::Wide, set, ToCells::<true> { map, x, y, to: hashes });
        same_pairs(hashes, counts) as f32 / hashes.len() as f32 * *each
    }
}

/// One of every so many, not the same one of each.
#[inline(never)]
fn one_of_every(every: usize, column: &[f32], to: &mut Vec<f32>) {
    to.extend(column.chunks_exact(every).enumerate().map(|(k, some)| some[sampled_row(k, every)]));
}

/// Where a torus begins best: in the middle, or at zero, around which coordinates are finest, if fewer would share a cell then; and how many do. They are
/// alike where all cells are counted one by one.
pub(super) fn origin(
    crowd: &mut Crowd,
    middle: [f32; 2],
    (cell, span): (f32, f32),
    set: InstructionSet,
) -> ([f32; 2], f32) {
    let about_middle = crowd.others(middle, cell, set);
    if about_middle <= OCCUPANCY || span < cell * (LINEAR / 2.0) {
        return (middle, about_middle);
    }
    let about_zero = crowd.others([0.0; 2], cell, set);
    if about_zero < about_middle { ([0.0; 2], about_zero) } else { (middle, about_middle) }
}

/// A cell for points that is not too full, and the origin: this one, or, where the span that it comes from is that of a few far out, a much narrower one.
/// Where none is: what their sizes ask for, `least`; of points, of which then many are in one place, this one.
pub(super) fn start(
    crowd: &mut Crowd,
    middle: [f32; 2],
    (cell, least, span): (f32, f32, f32),
    set: InstructionSet,
) -> (f32, [f32; 2]) {
    let mut narrow = cell;
    while narrow >= LEAST_CELL {
        let (origin, others) = origin(crowd, middle, (narrow, span), set);
        if others <= OCCUPANCY || narrow == least {
            return (narrow, origin);
        }
        narrow *= 1.0 / (1 << 24) as f32;
        narrow = if narrow < least { least } else { narrow };
    }
    (cell, middle)
}

/// The widest cell, of this one and its doubles up to the span, that is not too full: by strides that double, then halve.
pub(super) fn widen(crowd: &mut Crowd, origin: [f32; 2], cell: f32, span: f32, set: InstructionSet) -> f32 {
    let mut fits = |cell: f32| cell < span && cell < WIDEST && crowd.others(origin, cell, set) <= OCCUPANCY;
    // A power of two by its bits; beyond 2^300 every cell is too wide, and the strides end before.
    let times = |cell: f32, doublings: u64| (f64::from(cell) * f64::from_bits((1023 + doublings) << 52)) as f32;
    let (mut wide, mut stride) = (cell, 1);
    while fits(times(wide, stride)) {
        wide = times(wide, stride);
        stride *= 2;
    }
    while stride > 1 {
        stride /= 2;
        if fits(times(wide, stride)) {
            wide = times(wide, stride);
        }
    }
    wide
}

/// The bits of a number as an integer that is ordered as [`f32::total_cmp`] says, and back.
fn in_order(bits: i32) -> i32 {
    bits ^ (bits >> 31) & i32::MAX
}

/// The one of so many integers, a multiple of [`LANES`], that `nth` of them come before, by its bits: the largest number that no more are below.
struct Nth<'a> {
    of: &'a [i32],
    nth: usize,
}

impl Operation for Nth<'_> {
    type Output = i32;
    #[inline(always)]
    fn run<K: Kernels>(self) -> i32 {
        let mut found = i32::MIN;
        for bit in (0..i32::BITS).rev() {
            // Adding the first one turns the sign.
            let more = found.wrapping_add(1 << bit);
            let mut below = [0; LANES];
            for eight in self.of.as_chunks::<LANES>().0 {
                for (below, &k) in below.iter_mut().zip(eight) {
                    *below += i32::from(k < more);
                }
            }
            if below.iter().sum::<i32>() as usize <= self.nth {
                found = more;
            }
        }
        found
    }
}

/// How many ordered pairs of places have the same hash. By a table with room for twice as many; by sorting, where hashes crowd so much that looking
/// for a place in it would take longer.
fn same_pairs(hashes: &mut [u32], counts: &mut Vec<[u32; 2]>) -> u64 {
    const MEAN_STEPS: usize = 8;
    let bits = (2 * hashes.len() + 1).ilog2() + 1;
    counts.clear();
    counts.resize(1 << bits, [0; 2]);
    let (mut pairs, mut steps) = (0u64, MEAN_STEPS * hashes.len());
    for &hash in &*hashes {
        let mut at = hash.wrapping_mul(0x9E37_79B1) >> (32 - bits);
        loop {
            let [known, count] = &mut counts[at as usize];
            if *count == 0 || *known == hash {
                pairs += 2 * u64::from(*count);
                (*known, *count) = (hash, *count + 1);
                break;
            }
            at = (at + 1) & ((1 << bits) - 1);
            if steps == 0 {
                return same_pairs_sorted(hashes);
            }
            steps -= 1;
        }
    }
    pairs
}

#[cold]
fn same_pairs_sorted(hashes: &mut [u32]) -> u64 {
    hashes.sort_unstable();
    hashes.chunk_by(|a, b| a == b).map(|same| same.len() as u64 * (same.len() as u64 - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::extent::Extent;
    use crate::broad_phase::plan::Plan;
    use crate::broad_phase::policy::Policy;
    use crate::parallel::Split;

    #[test]
    fn the_middle_is_that_of_sorting() {
        let mut seed = 9u64;
        for count in 1..300usize {
            let mut draw = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 32) as u32
            };
            // Any finite bits, numbers of either sign, and few different ones, zeros of either sign among them.
            let mut value = |k: usize| match (count % 3, draw()) {
                (0, bits) => Some(f32::from_bits(bits)).filter(|v| v.is_finite()).unwrap_or(f32::MAX),
                (1, bits) => bits as i32 as f32 * 1e-3,
                (_, bits) => (bits % 3) as f32 * if k.is_multiple_of(2) { 0.5 } else { -0.5 },
            };
            let x: Vec<f32> = (0..count).map(&mut value).collect();
            let y: Vec<f32> = (0..count).map(&mut value).collect();
            for set in [InstructionSet::Portable, InstructionSet::best()] {
                let mut crowd = Crowd::default();
                let found = crowd.take((&[], 0), [&x, &y], count, set);
                for (found, sample) in found.into_iter().zip([&crowd.x, &crowd.y]) {
                    let mut sorted = sample.clone();
                    sorted.sort_unstable_by(f32::total_cmp);
                    assert_eq!(found.to_bits(), sorted[sorted.len() / 2].to_bits(), "{count}");
                }
            }
        }
    }

    #[test]
    fn pairs_of_equal_hashes_are_counted_alike_in_both_ways() {
        let mut counts = Vec::new();
        // 3, 1 and 2 alike: 6 + 0 + 2 ordered pairs.
        assert_eq!(same_pairs(&mut [7, 0, 7, 9, 7, 9], &mut counts), 8);
        assert_eq!(same_pairs(&mut [], &mut counts), 0);
        // 0x0E8B_2F51 is the inverse of the factor: these all come to one place, and would take half a million steps.
        let mut crowded: Vec<u32> = (0..1000u32).map(|k| k.wrapping_mul(0x0E8B_2F51)).collect();
        assert_eq!(same_pairs(&mut crowded, &mut counts), 0);
        assert!(crowded.is_sorted(), "it was left to sorting");
        for modulus in [1, 2, 97, 5_000] {
            let hashes: Vec<u32> = (0..3_000u32).map(|k| (k.wrapping_mul(2_654_435_761) % modulus) << 7).collect();
            let table = same_pairs(&mut hashes.clone(), &mut counts);
            assert_eq!(table, same_pairs_sorted(&mut hashes.clone()), "{modulus}");
        }
    }

    /// Two groups of very different density, the finer one without the median, in rows that take turns: in the mean a cell is shared by few, whatever the
    /// period of the rows and wherever the finer group lies: by 16 at most where cells far out are 7 or 8 wide, and a unit holds two squared.
    #[test]
    fn the_finer_of_two_groups_has_fine_cells() {
        const COUNT: u32 = 16_000;
        let set = InstructionSet::best();
        let part = |k: u32, factor: u32| f64::from(k.wrapping_mul(factor)) / f64::from(u32::MAX);
        for (period, fine) in [(5u32, 2u32), (10, 1), (15, 2), (16, 7), (127, 20)] {
            for (coarse, spacing, at, radius) in [
                (1e2, 0.5, 1e6, 0.1),
                (1e3, 0.1, 1e5, 0.0),
                (1e2, 1e-3, 0.0, 0.0),
                (1e2, 1e-3, 0.0, 1e-4),
                (1e5, 1e-3, 1.0, 0.0),
                (1e5, 1e-2, 1e2, 0.0),
            ] {
                let place = |k: u32, factor: u32| match k % period {
                    turn if turn < fine => (at + part(k, factor) * spacing * 100.0) as f32,
                    _ => (part(k, factor) * coarse * 100.0) as f32,
                };
                let x: Vec<f32> = (0..COUNT).map(|k| place(k, 2_654_435_761)).collect();
                let y: Vec<f32> = (0..COUNT).map(|k| place(k, 2_246_822_519)).collect();
                let (mut plan, columns) = (Plan::default(), [&x[..], &y, &[radius; COUNT as usize]]);
                let all = Extent::of(columns, set, Split::SERIAL);
                plan.make(all, columns, Policy::CIRCLES, None, (set, Split::SERIAL));
                let map = plan.levels()[0].map;
                let mut keys: Vec<u32> = x.iter().zip(&y).map(|(&x, &y)| map.key(x, y)).collect();
                let others = same_pairs_sorted(&mut keys) as f32 / COUNT as f32;
                assert!(others < 20.0, "{fine} of {period} at {at}: {others} others");
            }
        }
    }

    #[test]
    fn radii_that_are_nearly_nothing_are_no_worse_than_points() {
        let set = InstructionSet::best();
        for radius in [0.0, 1e-45, f32::MIN_POSITIVE, 1e-37, 1e-30] {
            let (x, y): (Vec<f32>, Vec<f32>) =
                (0..4096).map(|k| ((k % 64) as f32 * 3.0, (k / 64) as f32 * 3.0)).unzip();
            let (mut plan, columns, policy) = (Plan::default(), [&x[..], &y, &vec![radius; 4096]], Policy::CIRCLES);
            plan.make(Extent::of(columns, set, Split::SERIAL), columns, policy, None, (set, Split::SERIAL));
            let map = plan.levels()[0].map;
            let mut keys: Vec<u32> = x.iter().zip(&y).map(|(&x, &y)| map.key(x, y)).collect();
            keys.sort_unstable();
            keys.dedup();
            assert!(keys.len() > 500, "{radius:e}: {} cells", keys.len());
        }
    }
}
