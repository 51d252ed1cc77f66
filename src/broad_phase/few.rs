//! Few bodies, all in one cell.
//!
//! Comes in: columns of at most [`FEW`] bodies. Goes out: a grid of one cell, in which they stand as they came. To plan cells and to sort so few
//! into them takes longer than to hold each against all; where they are does not matter then, so what is kept for the cell stands wherever
//! they go. This room does not test.

use super::cell_map::CellMap;
use super::extent::Extent;
use super::grid::{Grid, PAD};
use super::plan::{Level, Plan};
use super::policy::Policy;

/// So many are few: a word has a bit for each.
pub(crate) const FEW: usize = u64::BITS as usize;
/// 2^126, so that its inverse is a normal number: whatever is finite is fewer than four such cells away, and goes to the only one.
const CELL: f32 = f32::from_bits((127 + 126) << 23);

impl Plan {
    /// One cell for all.
    fn make_one(&mut self, Extent { low, high, size, count, .. }: Extent) {
        let map = CellMap::boxed([0.0; 2], CELL, 1, 1);
        self.level.clear();
        self.levels.clear();
        self.levels.push(Level { map, base: 0, rows: 0..count as u32, size, low, high });
        self.entries = (map.cells() + map.pad()) as usize;
    }
}

impl Grid {
    /// So many are few, of whom nobody has said how wide cells are to be.
    pub(crate) fn are_few(count: usize, policy: Policy, cell: Option<f32>) -> bool {
        (1..=policy.few).contains(&count) && cell.is_none()
    }

    /// [`Self::bin_within`] for few.
    pub(super) fn bin_few(&mut self, all: Extent, columns: [&[f32]; 3]) {
        let count = columns[0].len();
        let stands = self.holds_few() && self.order.len() == count;
        self.regions.forget();
        self.plan.make_one(all);
        if !stands {
            self.starts.clear();
            self.starts.push(0);
            self.starts.resize(self.plan.entries() + 2, count as u32);
            self.order.clear();
            self.order.extend(0..count as u32);
            self.keys.clear();
            self.keys.resize(count, 0);
        }
        for (to, from) in [&mut self.x, &mut self.y, &mut self.size].into_iter().zip(columns) {
            to.clear();
            to.reserve(count + PAD);
            to.extend_from_slice(from);
            to.extend([f32::NAN; PAD]);
        }
    }

    /// All are few, and in one cell: rows are then in the order in which they came.
    pub(crate) fn holds_few(&self) -> bool {
        matches!(self.plan.levels(), [one] if one.map.cell() == CELL) && self.order.len() <= FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::InstructionSet;
    use crate::parallel::Split;

    #[test]
    fn few_stand_as_they_came_in_one_cell_wherever_they_are() {
        let mut grid = Grid::default();
        for count in [1, 2, 7, 8, 9, FEW - 1, FEW, FEW + 1, 3, 2 * FEW, 3, 0, 5] {
            for scale in [1.0, 1e-38, 1e30, f32::MAX / 65.0] {
                let x: Vec<f32> = (0..count).map(|k| (k as f32 - 0.5 * count as f32) * scale).collect();
                let y: Vec<f32> = x.iter().rev().copied().collect();
                let size: Vec<f32> = (0..count).map(|k| (k % 5) as f32 * scale * 0.25).collect();
                grid.bin(&x, &y, &size, Policy::CIRCLES, None, Split::SERIAL);
                assert_eq!(grid.holds_few(), (1..=FEW).contains(&count), "{count}");
                if !grid.holds_few() {
                    continue;
                }
                let level = &grid.levels()[0];
                assert!(grid.order().iter().copied().eq(0..count as u32) && level.rows == (0..count as u32));
                assert_eq!(grid.interval(level, 0, 0, 0), [0..count as u32, 0..0]);
                assert!(level.size == *size.iter().max_by(|a, b| a.total_cmp(b)).expect("some"));
                assert_eq!(level.extent(), [[x[0], x[0]], [x[count - 1], x[count - 1]]]);
                for (sorted, from) in [(&grid.x, &x), (&grid.y, &y), (&grid.size, &size)] {
                    assert!(sorted[..count] == from[..] && sorted.len() == count + PAD);
                    assert!(sorted[count..].iter().all(|v| v.is_nan()));
                }
                // Everything is in the cell, and each is looked for among those behind it.
                for (row, (&x, &y)) in x.iter().zip(&y).enumerate() {
                    assert_eq!(level.map.key(x, y), 0);
                    let runs = grid.cells(level).runs::<false>(row as u32);
                    assert_eq!((runs.own, runs.above.len()), (row as u32 + 1..count as u32, 0));
                }
            }
        }
    }

    #[test]
    fn one_extent_is_the_largest_size_and_everywhere() {
        let set = InstructionSet::best();
        let all = Extent::of_sizes(&[0.5, 3.0, 0.0, 2.0], set);
        assert_eq!((all.size, all.count, all.bounds()), (3.0, 4, [[-f32::MAX; 2], [f32::MAX; 2]]));
    }
}
