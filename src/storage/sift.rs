//! The few rows that matter, out of many.
//!
//! Comes in: columns of one length, a test that is cheap and may say yes too often. Goes out: the rows for which it says so, ascending, and the
//! largest of a column. This room does not know what the test is about. Rows are looked at in blocks, without a branch, so that lanes do
//! it: a block in which nobody matters costs a fraction of a nanosecond a row.

/// Rows that are looked at together.
pub(crate) const BLOCK: usize = 64;

/// `work` for each row of which `may` says yes.
#[inline(always)]
pub(crate) fn each_where<const N: usize>(
    columns: [&[f32]; N],
    may: impl Fn([f32; N]) -> bool,
    mut work: impl FnMut(usize),
) {
    let rows = columns.first().map_or(0, |column| column.len());
    let blocks = columns.map(|column| column.as_chunks::<BLOCK>().0);
    for block in 0..rows / BLOCK {
        let some = blocks.map(|blocks| &blocks[block]);
        let any = (0..BLOCK).fold(0u32, |any, k| any | u32::from(may(some.map(|column| column[k]))));
        if any != 0 {
            for k in 0..BLOCK {
                if may(some.map(|column| column[k])) {
                    work(block * BLOCK + k);
                }
            }
        }
    }
    for row in rows / BLOCK * BLOCK..rows {
        if may(columns.map(|column| column[row])) {
            work(row);
        }
    }
}

/// The largest of some numbers, none of which is below 0: in lanes.
pub(crate) fn largest(values: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (eights, rest) = values.as_chunks::<8>();
    let mut lanes = [0.0f32; 8];
    for eight in eights {
        lanes.iter_mut().zip(eight).for_each(|(lane, &value)| *lane = larger(*lane, value));
    }
    lanes.iter().chain(rest).fold(0.0, |most, &value| larger(most, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_that_may_matter_is_worked_on_once_and_in_order() {
        for rows in [0, 1, 63, 64, 65, 200] {
            let (a, b): (Vec<f32>, Vec<f32>) = (0..rows).map(|k| (k as f32, -(k as f32))).unzip();
            let wanted = [0, 63, 64, 100, 127, 128, 199];
            let mut found = vec![];
            let may = |[a, b]: [f32; 2]| {
                assert_eq!(a, -b);
                wanted.contains(&(a as usize))
            };
            each_where([&a, &b], may, |row| found.push(row));
            assert!(found.iter().eq(wanted.iter().filter(|&&row| row < rows)), "{rows} {found:?}");
        }
    }

    #[test]
    fn the_largest_is_found_wherever_it_stands() {
        assert_eq!(largest(&[]), 0.0);
        for at in 0..19 {
            let values: Vec<f32> = (0..19).map(|k| if k == at { 7.5 } else { (k % 7) as f32 }).collect();
            assert_eq!(largest(&values), 7.5, "{at}");
        }
    }
}
