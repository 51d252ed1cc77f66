//! The first of many shapes that a ray meets, told without evaluating any, where single precision can tell it.
//!
//! Comes in: a [`Beam`] without a radius, eight shapes at a time. Kept, lane by lane: between which two counts of d the ray meets the one that
//! is surely met no later than any other, and the least at which any other may be. Goes out: [`Foremost`]. Nothing is branched on, so that nothing
//! is predicted wrongly; whoever asks evaluates the one shape that is left, or, where two are too close to tell, all in another way. This room does not
//! know what is walked through.
//!
//! With the names of [`super::ray`], `c`, `p` and `n` with their bounds, and `size = |c(A)| + |c(B)|`:
//!
//! **Segments.** Where one is met it is at `|A × e| / |d × e|`, and `|d × e| <= size` with both bounds added: no earlier than
//! `low = (|n| - off n) / (size + off)`, on its line or not; 0 where it lies along the ray, since `n` is then within its bound. Is the line surely met,
//! and ahead, then `|d × e| = size` but for the bounds, and it is met no later than `high = (|n| + off n) / (size - off)`. *Sure:* bounds are nearly
//! twice what they have to be (8u where 4.01u suffice), so `3.9u` of each operand are left for the three roundings after them.
//!
//! **Circles.** With `k = c`, `L = |d|²`: entered at `(p - √D) / L`, left at `(p + √D) / L`, `D = L R² - k²`. Computed, D is off by
//! `4.1u L R² + 2.1u k² + (2|k| + off k) off k`; `off = 16u (L R² + k²) + (2|k| + off k) off k + floor` leaves `5.9u √D` of the root for its own rounding
//! and those of the two sums behind it; `p` leaves `3.9u |p|`. Missed: `D + off < 0`, or surely left before the start. Met: `D - off > 0`, and surely left
//! after it. A ray that starts inside meets at 0: cut to it, both bounds hold.
//!
//! What overflows is not a number, or a bound that says nothing: `low` is then 0, `high` infinite. Where `size` alone overflows,
//! the quotient would be 0: that, too, says nothing. What is less than [`CLOSE`] may have underflowed: it is taken for anything up to that.

use super::LANES;
use super::firsts::{Beams, Firsts};
use super::ray::Beam;
use crate::geometry::{Capsules, Circles};

/// 2^-60 d: of what is met earlier, fractions could be rounded alike though one comes first.
pub(crate) const CLOSE: f32 = f32::from_bits((127 - 60) << 23);
/// 2^-20.
pub(super) const ROOT_BOUND: f32 = 16.0 * super::U;

/// The first shape, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Foremost {
    /// Nothing is met.
    Nothing,
    /// The shape with this name in this lane is met, before all others, and at a fraction that is rounded to less than theirs.
    Clear { name: u32, lane: usize },
    /// Something may be met.
    Doubt,
}

/// What is kept. Names are less than 7.5 · 2^28: as the bits of a number they are a finite one.
pub(crate) trait Front: Copy {
    /// Nothing yet.
    fn new() -> Self;
    /// The lanes `from..to` of eight segments without radii, those met after `until` left out, and those of which the numbers are none: they
    /// are gone; lane k is called `(name, k)`.
    fn segments(&mut self, segments: Capsules<'_>, beam: &Beam, until: f32, lanes: [u32; 2], name: u32);
    /// The first `count` of eight circles from row `start` on, likewise.
    fn circles(&mut self, circles: Circles<'_>, beam: &Beam, until: f32, rows: [u32; 2], name: u32);
    /// The first so many of eight circles, each with a name, without those that have the last. Such names are below 2^31, and finite as the bits of a number.
    fn circles_but(
        &mut self,
        circles: Circles<'_>,
        beam: &Beam,
        until: f32,
        names: (u32, &[u32; LANES], u32),
        name: u32,
    );
    /// Eight beams, each against a segment without a radius; those of which the numbers are none are gone.
    fn segment_of_each(&mut self, segments: &[[f32; LANES]; 4], beams: &Beams<'_>, names: &[u32; LANES]);
    /// Each against a circle (x, y, radius), likewise.
    fn circle_of_each(&mut self, circles: &[[f32; LANES]; 3], beams: &Beams<'_>, names: &[u32; LANES]);
    /// The first of each beam.
    fn foremost_of_each(&self, beams: &Beams<'_>) -> Firsts;
    /// Something is met no later than this; infinite as long as nothing surely is.
    fn bound(&self) -> f32;
    /// Something surely is met before this, which may be infinite.
    fn is_met_before(&self, count: f32) -> bool;
    /// The first of all, if it can be told and is met within the `beam`'s limit.
    fn foremost(&self, beam: &Beam) -> Foremost;
    /// Lane by lane.
    #[cfg(test)]
    fn state(&self) -> State;
}

/// See [`Front`]. Infinite where there is nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) high: [f32; LANES],
    /// Of the same shape.
    pub(crate) low: [f32; LANES],
    /// The least of all others.
    pub(crate) other: [f32; LANES],
    pub(crate) name: [u32; LANES],
}

impl State {
    pub(crate) const NOTHING: State = State {
        high: [f32::INFINITY; LANES],
        low: [f32::INFINITY; LANES],
        other: [f32::INFINITY; LANES],
        name: [0; LANES],
    };
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::{self, Circle, Ray, Segment};
    use crate::kernels::ray::tests::POOL;
    use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};

    pub(in crate::kernels) const TEXTS: [(Backend, fn() -> InstructionSet); 3] = [
        (Backend::Scalar, || InstructionSet::Portable),
        (Backend::Wide, || InstructionSet::Portable),
        (Backend::Wide, InstructionSet::best),
    ];

    /// Columns of eight: of segments, then of circles.
    pub(in crate::kernels) type Columns = [[f32; LANES]; 4];

    struct Told<'a>(&'a [(Columns, bool, [u32; 2])], Beam, f32);

    impl Operation for Told<'_> {
        type Output = (State, f32, Foremost);
        #[inline(always)]
        fn run<K: Kernels>(self) -> Self::Output {
            let mut front = K::Front::new();
            for (k, (columns, segments, lanes)) in self.0.iter().enumerate() {
                let ([a, b, c, d], name) = (columns, 8 * k as u32);
                if *segments {
                    let segments = Capsules { x0: a, y0: b, x1: c, y1: d, radius: &[] };
                    front.segments(segments, &self.1, self.2, *lanes, name);
                } else {
                    front.circles(Circles { x: a, y: b, radius: c }, &self.1, self.2, [0, lanes[1]], name);
                }
            }
            (front.state(), front.bound(), front.foremost(&self.1))
        }
    }

    pub(in crate::kernels) fn told(
        eights: &[(Columns, bool, [u32; 2])],
        beam: Beam,
        until: f32,
    ) -> (State, f32, Foremost) {
        let all = TEXTS.map(|(backend, set)| dispatch(backend, set(), Told(eights, beam, until)));
        let bits = |state: &State| [state.high, state.low, state.other].map(|column| column.map(f32::to_bits));
        assert!(all.iter().all(|one| bits(&one.0) == bits(&all[0].0) && one.0.name == all[0].0.name), "{all:?}");
        assert!(all.iter().all(|one| one.1.to_bits() == all[0].1.to_bits() && one.2 == all[0].2), "{all:?}");
        all[0]
    }

    /// Pseudorandom.
    pub(in crate::kernels) struct Numbers(pub(in crate::kernels) u64);

    impl Numbers {
        pub(in crate::kernels) fn bits(&mut self) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize
        }

        /// The whole pool, local numbers, or a lattice.
        pub(in crate::kernels) fn number(&mut self, kind: usize) -> f32 {
            match kind % 3 {
                0 => POOL[self.bits() % POOL.len()],
                1 => (self.bits() % 2048) as f32 / 100.0 - 10.0,
                _ => (self.bits() % 7) as f32 - 3.0,
            }
        }

        pub(in crate::kernels) fn columns(&mut self, kind: usize) -> Columns {
            let mut columns = [0; 4].map(|_| [0; LANES].map(|_| self.number(kind)));
            // Radii of circles.
            columns[2] = columns[2].map(|v| if kind.is_multiple_of(2) { v.abs() } else { v });
            columns
        }
    }

    /// The fraction, if it is met.
    fn exact(ray: Ray, [a, b, c, d]: &Columns, segments: bool, k: usize) -> Option<f32> {
        if segments {
            geometry::ray_segment(ray, Segment::new([a[k], b[k]], [c[k], d[k]])).map(|hit| hit.t)
        } else {
            geometry::ray_circle(ray, Circle::new([a[k], b[k]], c[k])).map(|hit| hit.t)
        }
    }

    #[test]
    fn what_is_met_lies_between_the_bounds() {
        let (mut numbers, mut sure, mut missed, mut unsure) = (Numbers(5), 0, 0, 0);
        for case in 0..40_000 {
            let segments = case % 2 == 1;
            let columns = numbers.columns(case);
            let kind = case / 7;
            let ray =
                Ray::new([numbers.number(kind), numbers.number(kind)], [numbers.number(kind), numbers.number(kind)]);
            let mut beam = Beam::thin(ray.origin.into(), ray.direction.into());
            beam.set_limit(f64::from(f32::MAX));
            if !beam.is_plain() {
                continue;
            }
            let (state, ..) = told(&[(columns, segments, [0, 8])], beam, f32::INFINITY);
            // Counts of d as lengths: by the power of two between both.
            let long = ray.direction.x.abs().max(ray.direction.y.abs());
            let per = 2f64.powf(f64::from(long).log2().floor());
            for k in 0..LANES {
                let (low, high) = (state.low[k].min(state.other[k]), state.high[k]);
                let met = exact(ray, &columns, segments, k);
                // Below that quotients underflow: all of it is one.
                let close = f64::from(CLOSE) / per;
                let (low, high) = (f64::from(low) / per, f64::from(high) / per);
                let (low, high) = (if low < close { 0.0 } else { low }, high.max(close));
                match met {
                    Some(t) => {
                        assert!(low <= f64::from(t.next_up()), "{low} {t} {ray:?} {columns:?} {k}");
                        assert!(high >= f64::from(t.next_down()), "{high} {t} {ray:?} {columns:?} {k}");
                        sure += usize::from(high.is_finite());
                        unsure += usize::from(high.is_infinite());
                    }
                    None => {
                        // What is met farther than any fraction may be sure.
                        assert!(high.is_infinite() || high > f64::from(f32::MAX), "{high} {ray:?} {columns:?} {k}");
                        missed += usize::from(low.is_infinite());
                    }
                }
            }
        }
        assert!(sure > 10_000 && missed > 50_000 && unsure > 1_000, "{sure} {missed} {unsure}");
    }

    #[test]
    fn the_first_of_many_is_the_first() {
        let (mut numbers, mut told_so) = (Numbers(11), [0; 3]);
        for case in 0..20_000 {
            let many = 1 + case % 5;
            let eights: Vec<_> = (0..many)
                .map(|_| {
                    let segments = numbers.bits() % 2 == 0;
                    let (from, to) = (numbers.bits() as u32 % 9, numbers.bits() as u32 % 12);
                    let kind = if case % 8 == 0 { numbers.bits() % 3 } else { 1 };
                    let mut columns = numbers.columns(kind + if segments { 0 } else { 3 });
                    if !segments {
                        columns[2] = columns[2].map(|r| r.abs() / 8.0);
                    }
                    (columns, segments, [if segments { from } else { 0 }, to])
                })
                .collect();
            let kind = if case % 8 == 0 { 0 } else { 1 };
            let origin = [numbers.number(kind), numbers.number(kind)];
            let max = if case % 3 == 0 { f32::MAX } else { numbers.number(1).abs() };
            let ray = Ray::new(origin, [numbers.number(1), numbers.number(1)]).with_max(max);
            let mut beam = Beam::thin(ray.origin.into(), ray.direction.into());
            beam.set_limit(f64::from(max));
            if !beam.is_plain() {
                continue;
            }
            let mut all = Vec::new();
            for (eight, (columns, segments, [from, to])) in eights.iter().enumerate() {
                for k in *from as usize..(*to as usize).min(LANES) {
                    all.extend(exact(ray, columns, *segments, k).map(|t| (t, 8 * eight as u32, k)));
                }
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            match told(&eights, beam, f32::INFINITY).2 {
                Foremost::Nothing => {
                    assert!(all.is_empty(), "{ray:?} {eights:?}");
                    told_so[0] += 1;
                }
                Foremost::Clear { name, lane } => {
                    assert_eq!((name, lane), (all[0].1, all[0].2), "{ray:?} {all:?}");
                    assert!(all.get(1).is_none_or(|next| next.0 > all[0].0), "{ray:?} {all:?}");
                    told_so[1] += 1;
                }
                Foremost::Doubt => told_so[2] += 1,
            }
        }
        assert!(told_so[0] > 1_000 && told_so[1] > 5_000 && told_so[2] < 5_000, "{told_so:?}");
    }

    #[test]
    fn where_a_sum_overflows_nothing_is_sure() {
        // Across the way, each c below 3.4e38 and their sum above: at 1/2, behind a short one at 1/4. And, for comparison, half as long.
        let mut beam = Beam::thin([0.0; 2], [1.875, 0.0]);
        beam.set_limit(100.0);
        let wall = |x: f32, y: f32| ([[x; 8], [-y; 8], [x; 8], [y; 8]], true);
        for (long, expected) in [(1.5e38, Foremost::Doubt), (7e37, Foremost::Clear { name: 8, lane: 1 })] {
            let ((far, kind), (near, _)) = (wall(0.5, long), wall(0.25, 1.0));
            let (state, bound, first) = told(&[(far, kind, [0, 1]), (near, kind, [1, 2])], beam, f32::INFINITY);
            // In d: 1/4 of 1 / 1.875, and half of it.
            assert!(state.high[0] >= 0.266 && (0.133..0.134).contains(&bound), "{state:?}");
            assert_eq!(first, expected, "{long}");
        }
    }

    #[test]
    fn who_is_gone_is_not_seen() {
        // Walls across the way at 1 to 8, of which the first three are gone: the fourth is the first.
        let at = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let gone = |v: [f32; 8]| std::array::from_fn(|k| if k < 3 { f32::NAN } else { v[k] });
        let columns = [gone(at), gone([-1.0; 8]), gone(at), gone([1.0; 8])];
        let mut beam = Beam::thin([0.0; 2], [1.0, 0.0]);
        beam.set_limit(100.0);
        assert_eq!(told(&[(columns, true, [0, 8])], beam, f32::INFINITY).2, Foremost::Clear { name: 0, lane: 3 });
        assert_eq!(told(&[(columns, true, [0, 3])], beam, f32::INFINITY).2, Foremost::Nothing);
    }

    #[test]
    fn what_is_met_later_than_asked_for_is_left_out() {
        // Walls across the way, at 1, 2, … 8; and discs about the same places, met half a unit before.
        let at = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let mut beam = Beam::thin([0.0; 2], [1.0, 0.0]);
        beam.set_limit(100.0);
        for (columns, segments, first) in
            [([at, [-1.0; 8], at, [1.0; 8]], true, 1.0), ([at, [0.0; 8], [0.5; 8], at], false, 0.5)]
        {
            for until in [0.25, 1.25, 3.75, 100.0] {
                let (state, bound, _) = told(&[(columns, segments, [0, 8])], beam, until);
                let seen = state.high.iter().filter(|high| high.is_finite()).count();
                assert_eq!(seen, at.iter().filter(|&&x| x - 1.0 + first <= until).count(), "{until}");
                assert!(if seen > 0 { (bound - first).abs() < 1e-5 } else { bound.is_infinite() });
            }
        }
    }

    #[test]
    fn what_is_met_sooner_than_a_number_lies_before_as_many_lengths() {
        let (mut numbers, mut told) = (Numbers(29), 0);
        for case in 0..100_000 {
            let part = |bits: usize| 1.0 + bits as f64 / (1u64 << 31) as f64;
            let exponent = |bits: usize, most: i32| (bits % (2 * most as usize + 1)) as i32 - most;
            let direction = [part(numbers.bits()) * 2f64.powi(exponent(numbers.bits(), 59)), 0.0].map(|v| v as f32);
            let most = [4, 70, 127][case % 3];
            let lengths = match case % 50 {
                0 => 0.0,
                1 => f64::INFINITY,
                _ => part(numbers.bits()) * 2f64.powi(exponent(numbers.bits(), most)),
            };
            let beam = Beam::thin([0.0; 2], direction);
            assert!(beam.is_plain());
            let less = beam.less(lengths);
            if less > 0.0 {
                let sooner = less.next_down();
                assert!(beam.behind(sooner) < lengths, "{direction:?} {lengths:e}");
                told += 1;
            }
            // It is not much less.
            let count = beam.count(lengths);
            assert!(
                less > count * (1.0 - 1.0 / 65_536.0) - 4.0 * CLOSE || count > f32::MAX / 2.0,
                "{less:e} {count:e}"
            );
            assert!(less < count || less == f32::INFINITY);
        }
        assert!(told > 50_000, "{told}");
    }

    struct Met(Columns, Beam, f32);

    impl Operation for Met {
        type Output = bool;
        #[inline(always)]
        fn run<K: Kernels>(self) -> bool {
            let (mut front, [x0, y0, x1, y1]) = (K::Front::new(), &self.0);
            front.segments(Capsules { x0, y0, x1, y1, radius: &[] }, &self.1, f32::INFINITY, [0, 8], 0);
            front.is_met_before(self.2)
        }
    }

    #[test]
    fn something_is_met_before_what_lies_behind_the_first() {
        let at = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
        let mut beam = Beam::thin([0.0; 2], [1.0, 0.0]);
        beam.set_limit(100.0);
        for first in 0..9 {
            // The first of those left is `first` from the end, at `first + 1`; the others are out of the way.
            let high = std::array::from_fn(|k| if 7 - k < first { 2.0 } else { -1.0 });
            let columns = [at, high, at, [3.0; 8]];
            let met = |count: f32| {
                let all = TEXTS.map(|(backend, set)| dispatch(backend, set(), Met(columns, beam, count)));
                assert!(all == [all[0]; 3], "{all:?}");
                all[0]
            };
            let place = (first + 1) as f32;
            let any = first < 8;
            assert_eq!([met(0.999 * place), met(1.001 * place), met(f32::INFINITY)], [false, any, any], "{first}");
        }
    }
}
