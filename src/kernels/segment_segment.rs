//! Segment against segment: what both texts compute, and on what.
//!
//! Comes in: boxes as columns, ends as records, rows. Goes out: candidate pairs, and one verdict a pair. This room does not
//! know radii (boxes come inflated, verdicts are about the cores), grids, or the rows of the caller.
//!
//! **Boxes** only compares, so it is exact. **Confirm** decides in `f32` where a bound says that rounding cannot matter, and
//! leaves the pair [`Verdict::OPEN`] else. The tests, in this order:
//!
//! 1. A segment of equal ends: open.
//! 2. An end of one equals an end of the other, at P. Seen from P, the other two ends are Q and R: if the signs of Q - P and
//!    R - P differ on an axis, nothing but P is common: touch. Else touch if (Q - P) × (R - P) is surely not zero, else open.
//!    Chains of real maps end here.
//! 3. Both ends of one surely on the same side of the line of the other, or the other way round: apart.
//! 4. The ends of either surely on different sides of the line of the other: cross.
//! 5. Open.
//!
//! **Sure**, u = 2^-24: a difference of two `f32` is rounded by at most u relative and loses nothing to underflow; a product
//! adds u and 2^-150. So for l = fl(fl(a) fl(b)) with exact value L = a b: |l - L| <= 3.001 u |L| + 2^-150, and for D = L - R,
//! d = fl(l - r): |d - D| <= 3.001 u (|L| + |R|) + 2^-149 + u |l - r| <= 4.01 u (|l| + |r|) + 2^-148. The sign of d is that
//! of D if |d| > fl(8 u fl(|l| + |r|) + 2^-100): the bound itself is rounded by less than 3 u relative, and what underflow takes
//! from it is far below 2^-100. Overflow makes the bound infinite or d not a number, and the comparison false.
//!
//! **Crossings**: the values of a crossing, if double precision is sure of the `f32` nearest to each; E = 2^-53. With r = a₁ - a₀,
//! s = b₁ - b₀, w = b₀ - a₀: t = w × s / r × s, u = w × r / r × s, point = a₀ + t r. A difference is rounded by at most E relative, so
//! a product of two by 3.01 E, and a cross product, with S the sum of its two absolute products, by 4.01 E S in all: below K S with
//! K = 8 E, with room for the rounding of S and of the bound itself. Nothing underflows: nonzero products of two differences of `f32`
//! are at least 2^-298. With d = r × s and K S_d <= |d| / 4 its exact value is above |d| / 2, so t = n / d is off by at most
//! (K S_n + |t| K S_d) / (|d| / 2), and 3 E |t| for the quotient by way of 1 / d. A coordinate is off by that error times |r|,
//! 3 E |t r| for the rounding of r and the product, and E |x| for the sum. Sure where value - off and value + off round to the same
//! `f32`; then it lies in both boxes, as the exact value does.

/// The ends of a segment: `x0, y0, x1, y1`.
pub(crate) type Ends = [f32; 4];

/// A box: `low x, low y, high x, high y`.
pub(crate) type Bounds = [f32; 4];

/// Boxes as columns of equal length; eight values behind the last row can be read and are NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes<'a> {
    pub(crate) low_x: &'a [f32],
    pub(crate) low_y: &'a [f32],
    pub(crate) high_x: &'a [f32],
    pub(crate) high_y: &'a [f32],
}

impl<'a> Boxes<'a> {
    /// The same, with lengths that the compiler sees to be equal: one check serves all.
    #[inline(always)]
    pub(crate) fn even(self) -> Boxes<'a> {
        let n = self.low_x.len();
        Boxes { low_x: self.low_x, low_y: &self.low_y[..n], high_x: &self.high_x[..n], high_y: &self.high_y[..n] }
    }

    /// The box of a row.
    #[inline(always)]
    pub(crate) fn row(self, row: u32) -> Bounds {
        let row = row as usize;
        [self.low_x[row], self.low_y[row], self.high_x[row], self.high_y[row]]
    }
}

/// What a pair was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict(u8);

impl Verdict {
    /// No common point.
    pub(crate) const APART: Verdict = Verdict(0);
    /// One common point, interior to both.
    pub(crate) const CROSS: Verdict = Verdict(1);
    /// Left to exact arithmetic.
    pub(crate) const OPEN: Verdict = Verdict(2);
    const TOUCH: u8 = 4;

    /// One common point, which is this end of the first (false: its start) and that end of the second.
    pub(crate) const fn touch(end_of_a: bool, end_of_b: bool) -> Verdict {
        Verdict(Verdict::TOUCH + end_of_a as u8 + 2 * end_of_b as u8)
    }

    /// The verdict of these bits: 1 cross, 2 open, 4 + (end of the first) + 2 (end of the second) touch, 0 apart.
    pub(crate) const fn from_byte(byte: u8) -> Verdict {
        Verdict(byte)
    }

    /// Its bits.
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    /// The ends that are common, if that is the verdict.
    pub(crate) const fn ends(self) -> Option<(bool, bool)> {
        if self.0 >= Verdict::TOUCH { Some((self.0 & 1 != 0, self.0 & 2 != 0)) } else { None }
    }

    /// The verdict on the same two in the other order.
    pub(crate) const fn swapped(self) -> Verdict {
        match self.ends() {
            Some((end_of_a, end_of_b)) => Verdict::touch(end_of_b, end_of_a),
            None => self,
        }
    }
}

/// The values of a crossing, each the nearest `f32` to the exact one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) t: f32,
    pub(crate) u: f32,
    /// None of this holds otherwise.
    pub(crate) sure: bool,
}

/// K, and what else enters the bounds: 8 E, 4 E.
pub(crate) const CROSS_BOUND: f64 = 4.0 * f64::EPSILON;
pub(crate) const QUOTIENT_BOUND: f64 = 2.0 * f64::EPSILON;
/// Room for the roundings of a bound.
pub(crate) const ROOM: f64 = 1.01;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Part, Relation, relate};
    use crate::geometry::{self, Segment, SegmentRelation};
    use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Operation, Pairs, dispatch, pack};
    use std::ops::Range;

    /// SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    struct Judge<'a>(&'a [Ends], &'a Pairs, &'a mut [Verdict], &'a mut [Crossing]);

    impl Operation for Judge<'_> {
        const AVX512: bool = true;
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            K::verdicts(self.0, self.0, self.1, self.2, self.3);
        }
    }

    struct Find<'a>(Boxes<'a>, Bounds, Range<u32>, &'a mut Pairs, bool);

    impl Operation for Find<'_> {
        type Output = ();
        #[inline(always)]
        fn run<K: Kernels>(self) {
            let Find(boxes, query, run, pairs, few) = self;
            let mut out = pairs.writer(run.len() + LANES);
            if few {
                let mask = K::box_mask(boxes, query, run.start, run.end - run.start);
                out.emit([7; LANES], pack(mask, run.start), mask.count_ones());
            } else {
                K::box_run(boxes, query, 7, run, &mut out);
            }
            let written = out.len();
            pairs.keep(written);
        }
    }

    /// Whether the values are sure; if so they have to be the nearest to the exact ones, bit for bit.
    fn check_values(a: [[f32; 2]; 2], b: [[f32; 2]; 2], crossing: Crossing) -> bool {
        let segment = |[from, to]: [[f32; 2]; 2]| Segment::new(from, to);
        let SegmentRelation::Cross { point, t, u } = geometry::segment_segment(segment(a), segment(b)) else {
            panic!("{a:?} {b:?} do not cross");
        };
        if crossing.sure {
            let found = [crossing.x, crossing.y, crossing.t, crossing.u].map(f32::to_bits);
            assert_eq!(found, [point.x, point.y, t, u].map(f32::to_bits), "{a:?} {b:?}");
        }
        crossing.sure
    }

    /// Pairs from a pool of coordinates.
    fn check(pool: &[f32], cases: usize, seed: u64) -> [usize; 5] {
        let mut g = seed;
        let ends: Vec<Ends> =
            (0..2 * cases).map(|_| [0; 4].map(|_| pool[next(&mut g) as usize % pool.len()])).collect();
        check_pairs(&ends)
    }

    /// The first half against the second; for every verdict but open, what exact arithmetic says.
    fn check_pairs(ends: &[Ends]) -> [usize; 5] {
        let cases = ends.len() / 2;
        let mut counts = [0; 5];
        // Lengths that meet every tail.
        for (block, length) in (0..cases - 31).step_by(31).zip((1..=31).cycle()) {
            let mut pairs = Pairs::default();
            let mut out = pairs.writer(length);
            for k in 0..length {
                out.push((block + k) as u32, (cases + block + k) as u32);
            }
            pairs.keep(length);
            let verdicts = InstructionSet::texts().into_iter().map(|(backend, set)| {
                let mut verdicts = vec![Verdict::OPEN; length];
                let mut crossings = vec![Crossing::default(); length];
                dispatch(backend, set, Judge(ends, &pairs, &mut verdicts, &mut crossings));
                verdicts.into_iter().zip(crossings).collect::<Vec<_>>()
            });
            let verdicts: Vec<_> = verdicts.collect();
            for k in 0..length {
                let (verdict, crossing) = verdicts[0][k];
                let ([ax, ay, bx, by], [cx, cy, dx, dy]) = (ends[block + k], ends[cases + block + k]);
                let (a, b) = ([[ax, ay], [bx, by]], [[cx, cy], [dx, dy]]);
                assert!(verdicts.iter().all(|text| text[k].0 == verdict), "{a:?} {b:?}");
                if verdict == Verdict::CROSS {
                    // Zeros have signs: each text for itself.
                    let sure: Vec<bool> = verdicts.iter().map(|text| check_values(a, b, text[k].1)).collect();
                    assert!(verdicts.iter().all(|text| text[k].1 == crossing), "{a:?} {b:?}");
                    counts[4] += usize::from(sure[0]);
                }
                let part = |end: bool| if end { Part::End } else { Part::Start };
                let (slot, expected) = match verdict {
                    Verdict::APART => (0, Relation::Disjoint),
                    Verdict::CROSS => (1, Relation::Cross),
                    Verdict::OPEN => (2, relate(a, b)),
                    touch => {
                        let (p, q) = touch.ends().expect("a touch");
                        (3, Relation::Touch(part(p), part(q)))
                    }
                };
                assert_eq!(relate(a, b), expected, "{a:?} {b:?}");
                counts[slot] += 1;
            }
        }
        counts
    }

    #[test]
    fn verdicts_are_those_of_exact_arithmetic() {
        // Far corners of the range, a lattice with ends in common, and neighbours of few ulp in one place.
        let corners = [f32::MAX, -f32::MAX, 1e-45, -1e-45, 0.0, -0.0, 1e30, -3e-30, 1.0, -1.0];
        let counts = check(&corners, 60_000, 1);
        assert!(counts[..4].iter().all(|&count| count > 100), "{counts:?}");
        let counts = check(&[0.0, 1.0, 2.0, 3.0], 60_000, 2);
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
        let near: Vec<f32> = (0..9).map(|k| f32::from_bits(0x4049_0FDB + k)).collect();
        let counts = check(&near, 60_000, 3);
        assert!(counts[1] > 100 && counts[2] > 100 && counts[3] > 100, "{counts:?}");
        let mut g = 4;
        let wide: Vec<f32> = (0..5000).map(|_| (next(&mut g) >> 40) as f32 / 1024.0 - 8192.0).collect();
        let counts = check(&wide, 60_000, 4);
        // Random segments: a third or so cross, hardly one is in doubt.
        assert!(counts[0] > 10_000 && counts[1] > 5_000 && counts[2] < 20, "{counts:?}");
        // And hardly any has values that double precision is not sure of.
        assert!(counts[4] + 20 > counts[1], "{counts:?}");
        // So narrow that a coordinate, and all that it may be off by, is zero to an f32: it is +0.
        let (narrow, far) = ((2.0f32).powi(-118), (2.0f32).powi(30));
        let counts = check(&[narrow, -narrow, 3.0 * narrow, -2.0 * narrow, far, -far], 60_000, 5);
        assert!(counts[1] > 10 && counts[4] > 10, "{counts:?}");
    }

    #[test]
    fn crossings_beside_the_middle_of_two() {
        // From `tests/roundings.rs`: start, way, and the start of the other from there with its way; each coordinate on each axis.
        let mut ends = [Vec::new(), Vec::new()];
        for (ax, ay, rx, ry, wx, wy, sx, sy) in [
            (-11_665_477, 441_875, -1_077_541, 958_093, -212_325, -244_059, -631_996, 1_249_859),
            (-9_361_056, -1_017_750, 1_404_581, 514_995, 659_392, -27_377, 4_919, 1_309_386),
            (-11_326_706, -826_986, -1_304_902, 434_323, -927_866, -375_937, -284_297, 1_543_759),
            (-8_390_520, 611_055, -1_245_366, 800_027, -585_141, 522_589, 249_361, -934_153),
            (-9_243_314, 281_484, -1_067_543, 422_420, -755_578, 451_986, -1_252_940, -570_721),
            (-7_923_654, -822_613, -1_288_156, 1_735_295, -1_560_712, 909_959, 874_237, 879_351),
            (-11_616_458, -127_217, 1_121_720, 511_069, 1_024_505, 1_216_839, -271_329, -995_743),
            (-8_966_862, 923_180, 800_893, 262_802, 760_764, 1_092_868, -993_950, -2_071_767),
        ] {
            let [a, b] = [[ax, ay, ax + rx, ay + ry], [ax + wx, ay + wy, ax + wx + sx, ay + wy + sy]]
                .map(|ends: [i32; 4]| ends.map(|v| v as f32));
            for (order, sign) in [([0, 1, 2, 3], 1.0), ([1, 0, 3, 2], 1.0), ([0, 1, 2, 3], -1.0), ([1, 0, 3, 2], -1.0)]
            {
                for (ends, of) in ends.iter_mut().zip([a, b]) {
                    ends.push(order.map(|k| sign * of[k]));
                }
            }
        }
        // All of them at every place of a run.
        let ends = ends.map(|ends| ends.repeat(64));
        let [apart, cross, open, touch, _] = check_pairs(&ends.concat());
        assert!(apart + open + touch == 0 && cross > 1_000, "{cross}");
    }

    #[test]
    fn boxes_touch_at_their_rims_and_runs_end_where_they_end() {
        // Unit boxes at x = 0, 1, 2, …, NaN behind: the query [2, 4] touches those that start at 1, 2, 3, 4.
        let n = 40;
        let column = |offset: f32| (0..n).map(|k| k as f32 + offset).chain([f32::NAN; LANES]).collect::<Vec<f32>>();
        let (low_x, high_x) = (column(0.0), column(1.0));
        let low_y: Vec<f32> = low_x.iter().map(|x| 0.0 * x).collect();
        let boxes = Boxes { low_x: &low_x, low_y: &low_y, high_x: &high_x, high_y: &low_y };
        for (backend, set) in InstructionSet::texts() {
            for start in 0..12u32 {
                for end in start..n as u32 {
                    for few in [false, true] {
                        let mut pairs = Pairs::default();
                        dispatch(backend, set, Find(boxes, [2.0, 0.0, 4.0, 0.0], start..end, &mut pairs, few));
                        let last = if few && end > start + 8 { start + 8 } else { end };
                        let expected: Vec<u32> = (1..=4).filter(|j| (start..last).contains(j)).collect();
                        assert_eq!(pairs.rows().1, expected, "{start}..{end}");
                        assert!(pairs.rows().0.iter().all(|&row| row == 7));
                    }
                }
            }
            // Higher and lower than the boxes.
            let mut pairs = Pairs::default();
            dispatch(backend, set, Find(boxes, [2.5, -1.0, 2.75, 1.0], 0..n as u32, &mut pairs, false));
            assert_eq!(pairs.rows().1, [2]);
            // The box of a row, none of whose sides is like another.
            let all = Boxes { low_x: &[8.0, 1.0], low_y: &[8.0, 2.0], high_x: &[8.0, 3.0], high_y: &[8.0, 4.0] };
            assert_eq!(all.row(1), [1.0, 2.0, 3.0, 4.0]);
            // A hair apart is apart.
            let mut pairs = Pairs::default();
            let query = [2.0f32.next_up(), 0.0, 2.5, 0.0];
            dispatch(backend, set, Find(boxes, query, 0..n as u32, &mut pairs, false));
            assert_eq!(pairs.rows().1, [2]);
            let mut pairs = Pairs::default();
            dispatch(backend, set, Find(boxes, [2.0, 1e-45, 4.0, 1.0], 0..n as u32, &mut pairs, false));
            assert_eq!(pairs.len(), 0);
        }
    }

    struct Rows<'a>(Boxes<'a>, [&'a [f32]; 4], u32);

    impl Operation for Rows<'_> {
        type Output = (u32, [Verdict; LANES]);
        #[inline(always)]
        fn run<K: Kernels>(self) -> Self::Output {
            let Rows(boxes, columns, row) = self;
            let at = row as usize;
            let nine = columns.map(|column| column[at..at + LANES + 1].try_into().expect("nine"));
            (K::ahead_mask(boxes, row), K::chain_verdicts(nine))
        }
    }

    /// The scalar verdicts of each row and the next.
    fn of_links(ends: &[Ends]) -> Vec<Verdict> {
        let (n, mut pairs) = (ends.len(), Pairs::default());
        let mut out = pairs.writer(n);
        (1..n as u32).for_each(|k| out.push(k - 1, k));
        pairs.keep(n - 1);
        let (mut verdicts, mut crossings) = (vec![Verdict::OPEN; n + 7], vec![Crossing::default(); n + 7]);
        dispatch(Backend::Scalar, InstructionSet::Portable, Judge(ends, &pairs, &mut verdicts, &mut crossings));
        verdicts
    }

    #[test]
    fn rows_beside_each_other_are_found_as_any_others() {
        let (mut g, n) = (6, 500);
        let mut column = |most: u64| -> Vec<f32> {
            let values = (0..n).map(|_| (next(&mut g) % most) as f32);
            values.chain([f32::NAN; 2 * LANES]).collect()
        };
        // On a lattice: boxes that touch at rims, ends in common, lines in one line.
        let [x0, y0, x1, y1] = [0; 4].map(|_| column(9));
        let low = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| if a < b { *a } else { *b }).collect::<Vec<_>>();
        let (low_x, low_y) = (low(&x0, &x1), low(&y0, &y1));
        let [high_x, high_y] = [(&x0, &x1), (&y0, &y1)]
            .map(|(a, b)| a.iter().zip(b).map(|(a, b)| if a < b { *b } else { *a }).collect::<Vec<f32>>());
        let boxes = Boxes { low_x: &low_x, low_y: &low_y, high_x: &high_x, high_y: &high_y };
        let meet = |i: usize, j: usize| {
            low_x[i] <= high_x[j] && low_x[j] <= high_x[i] && low_y[i] <= high_y[j] && low_y[j] <= high_y[i]
        };
        let ends: Vec<Ends> = (0..n).map(|k| [x0[k], y0[k], x1[k], y1[k]]).collect();
        let verdicts = of_links(&ends);
        let mut seen = 0u32;
        for (backend, set) in InstructionSet::texts() {
            for row in 0..n {
                let columns = [&x0[..], &y0, &x1, &y1];
                let (mask, chain) = dispatch(backend, set, Rows(boxes, columns, row as u32));
                let ahead =
                    |k: usize| (row + k < n) && (2..8).any(|step| row + k + step < n && meet(row + k, row + k + step));
                assert_eq!(mask, (0..8).fold(0, |mask, k| mask | u32::from(ahead(k)) << k), "{row}");
                seen |= mask ^ 0xFF;
                let last = std::cmp::min(LANES, n - 1 - row);
                assert_eq!(chain[..last], verdicts[row..row + last], "{row}");
            }
        }
        assert_eq!(seen, 0xFF);
    }

    #[test]
    fn a_chain_is_joints_but_where_it_is_not() {
        // A walk of which each way begins where the one before has ended, and now and then something goes wrong.
        let mut g = 9;
        let (mut points, mut links) = (vec![[0.0f32, 0.0]], 4000);
        while links > 0 {
            let [[x, y], before] = [points[points.len() - 1], points[points.len().saturating_sub(2)]];
            let (dx, dy) = ((next(&mut g) % 17) as f32 - 8.0, (next(&mut g) % 17) as f32 - 8.0);
            let [to_x, to_y] = match next(&mut g) % 60 {
                0 => before,                                              // all the way back
                1 => [x, y],                                              // a point
                2 => [(x + before[0]) / 2.0, (y + before[1]) / 2.0],      // half of the way back
                3 => [2.0 * before[0] - x, 2.0 * before[1] - y],          // further than back
                4 => [2.0 * before[0] - x, (2.0 * before[1] - y) + 4e-6], // nearly so
                5 => [2.0 * x - before[0], 2.0 * y - before[1]],          // straight on
                6 => [-0.0, dy],
                7 => [dx, -0.0],
                _ => [x + dx, y + dy],
            };
            let far = to_x.abs() > 1e4 || to_y.abs() > 1e4;
            points.push(if far { [dx, dy] } else { [to_x, to_y] });
            links -= 1;
        }
        let mut columns: [Vec<f32>; 4] = [0; 4].map(|_| Vec::new());
        for (k, pair) in points.windows(2).enumerate() {
            let [mut x0, y0] = pair[0];
            // Once in a while it does not begin there.
            x0 += if k % 97 == 96 { 1.0 } else { 0.0 };
            for (column, v) in columns.iter_mut().zip([x0, y0, pair[1][0], pair[1][1]]) {
                column.push(v);
            }
        }
        let n = columns[0].len();
        let ends: Vec<Ends> = (0..n).map(|k| [0, 1, 2, 3].map(|of: usize| columns[of][k])).collect();
        let verdicts = of_links(&ends);
        let (nothing, joint) = (vec![0.0; n + 2 * LANES], Verdict::touch(true, false));
        let boxes = Boxes { low_x: &nothing, low_y: &nothing, high_x: &nothing, high_y: &nothing };
        let mut kinds = [0; 2];
        for (backend, set) in InstructionSet::texts() {
            for row in 0..n - LANES {
                let of = [0, 1, 2, 3].map(|k: usize| &columns[k][..]);
                let (_, chain) = dispatch(backend, set, Rows(boxes, of, row as u32));
                assert_eq!(chain, verdicts[row..row + LANES], "{row}");
                kinds[usize::from(chain == [joint; LANES])] += 1;
            }
        }
        assert!(kinds[0] > 3_000 && kinds[1] > 2_000, "{kinds:?}");
    }
}
