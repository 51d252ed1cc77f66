//! Which segments are near each circle, told by which circles are near each segment.
//!
//! Comes in: for each segment the circles near it, in chunks of segments. Goes out: for each circle its segments, in their order. Circles are cut
//! into ranges, side by side: each counts, sums and places what comes to its own, and looks only into the chunks that have some. This
//! room does not know what near means.

use super::near::Near;
use crate::kernels::LANES;
use crate::parallel::Split;
use std::cmp::{max, min};

/// Ranges of circles at most, and pairs for each at least.
const RANGES: usize = 16;
const LEAST: usize = 4096;

/// Segments by circle.
#[derive(Debug, Default)]
pub(super) struct ByCircle {
    /// Where the segments of each circle end.
    pub(super) ends: Vec<usize>,
    /// The segments, with [`LANES`] more behind the last.
    pub(super) rows: Vec<u32>,
}

/// The circles from `low` on, and what comes to them.
struct Part<'a> {
    low: u32,
    ends: &'a mut [usize],
    rows: &'a mut [u32],
    /// How many segments come to the ranges before; while they are counted, to this one.
    before: usize,
}

impl ByCircle {
    pub(super) const EMPTY: ByCircle = ByCircle { ends: Vec::new(), rows: Vec::new() };

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of::<usize>() * self.ends.capacity() + 4 * self.rows.capacity()
    }

    /// Takes the circles, below `circles`, near the segments of each chunk of `size` of them; `names`: the rows of these segments, if they are some of all.
    pub(super) fn take(
        &mut self,
        (chunks, size): (&[Near], usize),
        names: Option<&[u32]>,
        circles: usize,
        split: Split,
    ) {
        let ByCircle { ends, rows } = self;
        let pairs: usize = chunks.iter().map(Near::len).sum();
        let ranges = max(min(min(split.threads(), RANGES), pairs / LEAST), 1);
        let length = circles.div_ceil(ranges);
        ends.resize(circles, 0);
        rows.resize(pairs + LANES, 0);
        let mut before = [0; RANGES + 1];
        let mut counted = divide(length, &before, ends, &mut []);
        split.each(&mut counted[..ranges], |_, part| part.count(chunks));
        for (k, part) in counted.iter().enumerate() {
            before[k + 1] = before[k] + part.before;
        }
        let mut placed = divide(length, &before, ends, rows);
        split.each(&mut placed[..ranges], |_, part| part.place(chunks, size, names));
    }
}

/// Ranges of so many circles.
fn divide<'a>(
    length: usize,
    before: &[usize; RANGES + 1],
    mut ends: &'a mut [usize],
    mut rows: &'a mut [u32],
) -> [Part<'a>; RANGES] {
    std::array::from_fn(|k| {
        let count = min(length, ends.len());
        let (mine, others) = std::mem::take(&mut ends).split_at_mut(count);
        let (own, rest) = std::mem::take(&mut rows).split_at_mut(before[k + 1] - before[k]);
        (ends, rows) = (others, rest);
        Part { low: (k * length) as u32, ends: mine, rows: own, before: before[k] }
    })
}

impl Part<'_> {
    /// Leaves where the segments of each circle begin, counted from the first of this range.
    fn count(&mut self, chunks: &[Near]) {
        let Part { low, ends, .. } = self;
        let (low, circles) = (*low, ends.len());
        ends.fill(0);
        for circle in chunks.iter().filter(|near| near.has(low, circles)).flat_map(Near::all) {
            if let Some(count) = ends.get_mut(circle.wrapping_sub(low) as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut **ends {
            (*end, sum) = (sum, sum + *end);
        }
        self.before = sum;
    }

    /// Puts segments to their places: advancing the beginnings leaves the ends.
    fn place(&mut self, chunks: &[Near], size: usize, names: Option<&[u32]>) {
        let Part { low, ends, rows, before } = self;
        let (low, circles) = (*low, ends.len());
        for (chunk, near) in chunks.iter().enumerate().filter(|(_, near)| near.has(low, circles)) {
            for (segment, circles) in near.iter().enumerate() {
                let place = chunk * size + segment;
                let row = names.map_or(place as u32, |names| names[place]);
                for circle in circles {
                    if let Some(end) = ends.get_mut(circle.wrapping_sub(low) as usize) {
                        rows[*end] = row;
                        *end += 1;
                    }
                }
            }
        }
        ends.iter_mut().for_each(|end| *end += *before);
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    #[test]
    fn each_circle_has_its_segments_in_order_whoever_sorts_them() {
        const SIZE: usize = 3;
        for (count, segments) in [(1usize, 1usize), (5, 9_000), (997, 20_000), (4_096, 30_001)] {
            // The first half lie near each other, the others anywhere; some have nobody.
            let circles = |segment: usize| -> Vec<u32> {
                let first = if segment * 2 < segments { segment * count / segments } else { segment * 7919 };
                (0..segment % 5).map(|k| ((first + k) % count) as u32).collect()
            };
            let mut chunks: Vec<Near> = Vec::new();
            chunks.resize_with(segments.div_ceil(SIZE), Near::default);
            for segment in 0..segments {
                circles(segment).iter().for_each(|&circle| chunks[segment / SIZE].emit([circle; LANES], 1));
                chunks[segment / SIZE].end();
            }
            chunks.iter_mut().for_each(Near::look);
            let mut expected = vec![Vec::new(); count];
            (0..segments).for_each(|k| circles(k).iter().for_each(|&circle| expected[circle as usize].push(k as u32)));
            for threads in [1, 2, 3, 40] {
                Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                    let mut sorted = ByCircle::EMPTY;
                    let names: Vec<u32> = (0..segments as u32).map(|k| 3 * k + 1).collect();
                    // Over what was there before; last as some of more segments.
                    for (chunks, names) in [(&chunks[..1], None), (&chunks[..], None), (&chunks[..], Some(&names[..]))]
                    {
                        sorted.take((chunks, SIZE), names, count, split);
                        if chunks.len() == 1 {
                            continue;
                        }
                        let ByCircle { ends, rows } = &sorted;
                        for (circle, expected) in expected.iter().enumerate() {
                            let from = if circle == 0 { 0 } else { ends[circle - 1] };
                            let expected = expected.iter().map(|&k| names.map_or(k, |names| names[k as usize]));
                            assert!(
                                rows[from..ends[circle]].iter().copied().eq(expected),
                                "{count}, {threads}, {circle}"
                            );
                        }
                        assert_eq!((ends.len(), rows.len()), (count, ends[count - 1] + LANES));
                    }
                });
            }
        }
    }
}
