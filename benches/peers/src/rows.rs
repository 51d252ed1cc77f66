//! Which cells a segment crosses: row by row, for all grids here that register segments once.

/// Calls `visit(row, first column, last column)` for each row of cells of this width, counted from the origin, that has points within
/// `reach` of the segment along both axes. A hundredth of a cell is added, since others find their cells in f32.
pub(crate) fn crossed(ends: [f32; 4], reach: f64, cell: f64, mut visit: impl FnMut(i64, i64, i64)) {
    let [x0, y0, x1, y1] = ends.map(f64::from);
    let reach = reach + 0.01 * cell;
    let (low, high) = (y0.min(y1), y0.max(y1));
    let (from, to) = (((low - reach) / cell).floor() as i64, ((high + reach) / cell).floor() as i64);
    for row in from..=to {
        let (mut left, mut right) = (x0.min(x1), x0.max(x1));
        if low < high {
            let at = |y: f64| x0 + (y.clamp(low, high) - y0) / (y1 - y0) * (x1 - x0);
            let below = row as f64 * cell - reach;
            let (p, q) = (at(below), at(below + cell + 2.0 * reach));
            (left, right) = (left.max(p.min(q)), right.min(p.max(q)));
        }
        visit(row, ((left - reach) / cell).floor() as i64, ((right + reach) / cell).floor() as i64);
    }
}

/// Lists in one array: those of bucket k are `items[first[k]..first[k + 1]]`.
#[derive(Default)]
pub(crate) struct Lists<T> {
    first: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Sorts pairs of bucket and item.
    pub(crate) fn new(buckets: usize, pairs: &[(u32, T)]) -> Lists<T> {
        let mut first = vec![0; buckets + 2];
        for &(bucket, _) in pairs {
            first[bucket as usize + 2] += 1;
        }
        for k in 1..first.len() {
            first[k] += first[k - 1];
        }
        let mut items = vec![T::default(); pairs.len()];
        for &(bucket, item) in pairs {
            let place = &mut first[bucket as usize + 1];
            items[*place as usize] = item;
            *place += 1;
        }
        Lists { first, items }
    }

    /// How many items there are in all.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    #[inline(always)]
    pub(crate) fn of(&self, bucket: usize) -> &[T] {
        &self.items[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }
}
