//! Columns put in order.
//!
//! Comes in: columns of one length, and which of their rows is to be where. Goes out: columns in that order. This room does not know what
//! the order is of.
//!
//! From one step to the next most bodies stay beside whom they stood beside: rows that follow each other are copied eight at a time.

use super::grid::PIECE;
use crate::parallel::Split;
use crate::storage::{copy, fit};
use std::ops::Range;

/// Rows that are looked at together.
const RUN: usize = 8;

/// What columns hold.
pub(crate) trait Value: Copy + Send + Sync {}

impl<T: Copy + Send + Sync> Value for T {}

/// Four columns of one length in an order.
pub(crate) fn gather_all<A: Value, B: Value, C: Value, D: Value>(
    from: (&[A], &[B], &[C], &[D]),
    order: &[u32],
    to: (&mut Vec<A>, &mut Vec<B>, &mut Vec<C>, &mut Vec<D>),
    split: Split,
) {
    fit(to.0, from.0, order.len());
    fit(to.1, from.1, order.len());
    fit(to.2, from.2, order.len());
    fit(to.3, from.3, order.len());
    gather_rows(from, order, (to.0, to.1, to.2, to.3), split);
}

/// Four columns as they are.
pub(crate) fn copy_all<A: Value, B: Value, C: Value, D: Value>(
    from: (&[A], &[B], &[C], &[D]),
    to: (&mut Vec<A>, &mut Vec<B>, &mut Vec<C>, &mut Vec<D>),
) {
    copy(from.0, to.0);
    copy(from.1, to.1);
    copy(from.2, to.2);
    copy(from.3, to.3);
}

/// [`gather_all`] into places that are there. By rows, so that each thread has in its caches what it will work on.
pub(super) fn gather_rows<A: Value, B: Value, C: Value, D: Value>(
    from: (&[A], &[B], &[C], &[D]),
    order: &[u32],
    to: (&mut [A], &mut [B], &mut [C], &mut [D]),
    split: Split,
) {
    let (n, rows) = (from.0.len(), order.len());
    if split.is_parallel() && rows > PIECE {
        let middle = rows.div_ceil(PIECE) / 2 * PIECE;
        let (low, high) = order.split_at(middle);
        let ((a, a2), (b, b2)) = (to.0.split_at_mut(middle), to.1.split_at_mut(middle));
        let ((c, c2), (d, d2)) = (to.2.split_at_mut(middle), to.3.split_at_mut(middle));
        split.join(|| gather_rows(from, low, (a, b, c, d), split), || gather_rows(from, high, (a2, b2, c2, d2), split));
        return;
    }
    let from = (from.0, &from.1[..n], &from.2[..n], &from.3[..n]);
    let ((order, few), (a, a2), (b, b2)) =
        (order.as_chunks::<RUN>(), to.0.as_chunks_mut::<RUN>(), to.1.as_chunks_mut::<RUN>());
    let ((c, c2), (d, d2)) = (to.2.as_chunks_mut::<RUN>(), to.3.as_chunks_mut::<RUN>());
    for (rows, ((a, b), (c, d))) in order.iter().zip(a.iter_mut().zip(b).zip(c.iter_mut().zip(d))) {
        match run_of(rows) {
            // Most stay beside whom they stood beside.
            Some(run) if run.end <= n => {
                a.copy_from_slice(&from.0[run.clone()]);
                b.copy_from_slice(&from.1[run.clone()]);
                c.copy_from_slice(&from.2[run.clone()]);
                d.copy_from_slice(&from.3[run]);
            }
            _ => gather_few(from, rows, (a, b, c, d)),
        }
    }
    gather_few(from, few, (a2, b2, c2, d2));
}

/// Rows that follow each other.
#[inline(always)]
fn run_of(rows: &[u32; RUN]) -> Option<Range<usize>> {
    let first = rows[0];
    let follow = (0..RUN).fold(true, |follow, k| follow & (rows[k] == first.wrapping_add(k as u32)));
    if follow { Some(first as usize..first as usize + RUN) } else { None }
}

/// One by one. The columns are of one length, so that a row takes one check.
#[inline(always)]
fn gather_few<A: Value, B: Value, C: Value, D: Value>(
    (a, b, c, d): (&[A], &[B], &[C], &[D]),
    order: &[u32],
    to: (&mut [A], &mut [B], &mut [C], &mut [D]),
) {
    let n = a.len();
    let (b, c, d) = (&b[..n], &c[..n], &d[..n]);
    let places = to.0.iter_mut().zip(to.1).zip(to.2.iter_mut().zip(to.3));
    for (&row, ((to_a, to_b), (to_c, to_d))) in order.iter().zip(places) {
        let row = row as usize;
        (*to_a, *to_b, *to_c, *to_d) = (a[row], b[row], c[row], d[row]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    #[test]
    fn four_columns_follow_the_order_whoever_gathers_them() {
        let mut all = (vec![0.5; 9], vec![], vec![7u8], vec![0i32]);
        let from = (&[1.0, 2.0, 3.0][..], &[4u32, 5, 6][..], &[7u8, 8, 9][..], &[-1, -2, -3][..]);
        gather_all(from, &[2, 0, 1], (&mut all.0, &mut all.1, &mut all.2, &mut all.3), Split::SERIAL);
        assert_eq!(all, (vec![3.0, 1.0, 2.0], vec![6, 4, 5], vec![9, 7, 8], vec![-3, -1, -2]));
        // Pieces of all lengths: every row once, the multiplier being odd.
        for rows in [1usize, 8191, 8192, 8193, 16_384, 50_001] {
            let column: Vec<u32> = (0..65_536).collect();
            let order: Vec<u32> = (0..rows as u32).map(|row| row.wrapping_mul(2_654_435_761) % 65_536).collect();
            let (mut a, mut b, mut c, mut d) = (vec![], vec![], vec![1; 7], vec![]);
            let from = (&column[..], &column[..], &column[..], &column[..]);
            let to = (&mut a, &mut b, &mut c, &mut d);
            Pool::new(Threads::Fixed(3)).run(1 << 20, |split| gather_all(from, &order, to, split));
            assert!([a, b, c, d].iter().all(|column| *column == order), "{rows}");
        }
    }

    #[test]
    fn rows_that_follow_each_other_are_where_they_would_be_one_by_one() {
        // Runs of every length, broken by rows from elsewhere: at every place of an eight, also at the last row of all.
        let column: Vec<u32> = (0..600).map(|row| row * 7).collect();
        let mut whole = 0;
        for broken in 1..30 {
            for start in 0..9 {
                let order: Vec<u32> = (0..560)
                    .map(|at| if at % broken == broken - 1 { (at * 37) % 600 } else { (at + start + 31) % 600 })
                    .collect();
                let expected: Vec<u32> = order.iter().map(|row| row * 7).collect();
                let (mut a, mut b, mut c, mut d) = (vec![], vec![], vec![], vec![]);
                let from = (&column[..], &column[..], &column[..], &column[..]);
                gather_all(from, &order, (&mut a, &mut b, &mut c, &mut d), Split::SERIAL);
                assert!([a, b, c, d].iter().all(|column| *column == expected), "{broken} {start}");
                whole += order.as_chunks().0.iter().filter(|rows| run_of(rows).is_some()).count();
            }
        }
        assert!(whole > 1000, "{whole}");
    }
}
