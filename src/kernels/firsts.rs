//! The first of some shapes that each of eight beams meets: lane k is beam k, with shapes of its own.
//!
//! Comes in: eight [`Beam`]s without a radius as columns, one shape for each at a time. Goes out: [`Firsts`]. Lane by lane it is what
//! [`super::foremost`] does; only that here each lane has its own first. This room does not know why a beam may meet a shape.

use super::LANES;
use super::ray::Beam;

/// Eight [thin](Beam::thin) beams side by side, as columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beams<'a> {
    pub(crate) x: &'a [f32; LANES],
    pub(crate) y: &'a [f32; LANES],
    pub(crate) dx: &'a [f32; LANES],
    pub(crate) dy: &'a [f32; LANES],
    pub(crate) floor: &'a [f32; LANES],
    pub(crate) square: &'a [f32; LANES],
    pub(crate) inverse: [&'a [f32; LANES]; 2],
    pub(crate) last: &'a [f32; LANES],
    pub(crate) surely: &'a [f32; LANES],
}

impl Beams<'_> {
    /// From columns of [`Beam::thin_parts`].
    #[inline(always)]
    pub(crate) fn of_columns([x, y, dx, dy, floor, square, low, high, last, surely]: [&[f32; LANES]; 10]) -> Beams<'_> {
        Beams { x, y, dx, dy, floor, square, inverse: [low, high], last, surely }
    }

    /// One of them, of which nothing is known but what is here.
    pub(crate) fn get(&self, k: usize) -> Beam {
        let Beams { x, y, dx, dy, floor, square, inverse: [low, high], last, surely } = self;
        let floats = [x, y, dx, dy, floor, square, low, high, last, surely].map(|column| column[k]);
        Beam::of_thin_parts((floats, [0.0; 3], []))
    }
}

/// The first shapes of eight beams. Bit k: beam k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Firsts {
    /// Nothing is met.
    pub(crate) nothing: u32,
    /// As [`Clear`](super::foremost::Foremost::Clear) says.
    pub(crate) clear: u32,
    /// Of those that are clear.
    pub(crate) names: [u32; LANES],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::foremost::tests::{Columns, Numbers, TEXTS, told};
    use crate::kernels::foremost::{Foremost, Front};
    use crate::kernels::{Kernels, Operation, dispatch};

    /// Shapes of eight beams, a kind for each lane.
    struct Each<'a>(&'a [(Columns, [bool; LANES])], [[f32; LANES]; 10]);

    impl Operation for Each<'_> {
        type Output = Firsts;
        #[inline(always)]
        fn run<K: Kernels>(self) -> Firsts {
            let (mut front, beams) = (K::Front::new(), Beams::of_columns(self.1.each_ref()));
            for (round, (columns, segments)) in self.0.iter().enumerate() {
                let (mut walls, mut discs) = (*columns, [columns[0], columns[1], columns[2]]);
                for k in 0..LANES {
                    *if segments[k] { &mut discs[0][k] } else { &mut walls[0][k] } = f32::NAN;
                }
                front.segment_of_each(&walls, &beams, &[8 * round as u32; LANES]);
                front.circle_of_each(&discs, &beams, &[8 * round as u32; LANES]);
            }
            front.foremost_of_each(&beams)
        }
    }

    #[test]
    fn the_first_of_each_of_eight_beams_is_the_first_of_that_beam() {
        let (mut numbers, mut told_so) = (Numbers(17), [0; 3]);
        for case in 0..8_000 {
            let kind = if case % 8 == 0 { 0 } else { 1 };
            let beams = [0; LANES].map(|_| {
                let (origin, direction) = ([0; 2].map(|_| numbers.number(kind)), [0; 2].map(|_| numbers.number(kind)));
                let mut beam = Beam::thin(origin, direction);
                beam.set_limit(if case % 3 == 0 { f64::INFINITY } else { f64::from(numbers.number(1).abs()) });
                beam
            });
            let parts = beams.map(|beam| beam.thin_parts().0);
            let columns = std::array::from_fn(|column| parts.map(|part| part[column]));
            let rounds: Vec<_> = (0..1 + case % 4)
                .map(|_| {
                    let segments = [0; LANES].map(|_| numbers.bits() % 2 == 0);
                    let mut columns = numbers.columns(kind);
                    for k in (0..LANES).filter(|&k| !segments[k]) {
                        columns[2][k] = columns[2][k].abs() / 8.0;
                    }
                    (columns, segments)
                })
                .collect();
            let all = TEXTS.map(|(backend, set)| dispatch(backend, set(), Each(&rounds, columns)));
            assert!(all.iter().all(|one| [one.nothing, one.clear] == [all[0].nothing, all[0].clear]), "{all:?}");
            for (k, beam) in beams.into_iter().enumerate() {
                let alone: Vec<_> = (rounds.iter())
                    .map(|(columns, segments)| (columns.map(|column| [column[k]; LANES]), segments[k], [0, 1]))
                    .collect();
                let found = all.map(|firsts| match [firsts.nothing >> k & 1, firsts.clear >> k & 1] {
                    [0, 0] => Foremost::Doubt,
                    [0, 1] => Foremost::Clear { name: firsts.names[k], lane: 0 },
                    [1, 0] => Foremost::Nothing,
                    _ => panic!("both: {firsts:?}"),
                });
                let expected = told(&alone, beam, f32::INFINITY).2;
                assert_eq!(found, [expected; 3], "{beam:?} {alone:?}");
                told_so[match expected {
                    Foremost::Nothing => 0,
                    Foremost::Clear { .. } => 1,
                    Foremost::Doubt => 2,
                }] += 1;
            }
        }
        assert!(told_so.iter().all(|&n| n > 5_000), "{told_so:?}");
    }
}
