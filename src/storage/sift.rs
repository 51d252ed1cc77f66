//! The few rows that matter, out of many.
//!
//! Comes in: columns of one length, a test that is cheap and may say yes too often. Goes out: the rows for which it says so, ascending, and the
//! largest or least of a column. This room does not know what the test is about. Rows are looked at in blocks, without a branch, so that lanes do
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

/// The largest of some numbers, none of which is below 0; 0 of none.
pub(crate) fn largest(values: &[f32]) -> f32 {
    fold(values, 0.0, |most, value| if value > most { value } else { most })
}

/// The highest of some numbers; the lowest number of none.
pub(crate) fn highest(values: &[f32]) -> f32 {
    fold(values, -f32::MAX, |most, value| if value > most { value } else { most })
}

/// The least of some numbers; the largest number of none.
pub(crate) fn least(values: &[f32]) -> f32 {
    fold(values, f32::MAX, |least, value| if value < least { value } else { least })
}

/// In lanes: what is picked must not depend on the order.
#[inline(always)]
fn fold(values: &[f32], first: f32, pick: impl Fn(f32, f32) -> f32) -> f32 {
    let (eights, rest) = values.as_chunks::<8>();
    let mut lanes = [first; 8];
    for eight in eights {
        lanes.iter_mut().zip(eight).for_each(|(lane, &value)| *lane = pick(*lane, value));
    }
    lanes.iter().chain(rest).fold(first, |picked, &value| pick(picked, value))
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
    fn the_largest_and_the_least_are_found_wherever_they_stand() {
        assert_eq!((largest(&[]), highest(&[]), least(&[])), (0.0, -f32::MAX, f32::MAX));
        for at in 0..19 {
            let others =
                |one: f32| -> Vec<f32> { (0..19).map(|k| if k == at { one } else { (k % 7) as f32 }).collect() };
            assert_eq!((largest(&others(7.5)), least(&others(-0.5))), (7.5, -0.5), "{at}");
            let below = |one: f32| others(one).iter().map(|v| v - 100.0).collect::<Vec<f32>>();
            assert_eq!(highest(&below(7.5)), -92.5, "{at}");
        }
    }
}
