//! The bonds of pairs of circles of one strip, four at a time, and the passes over them.
//!
//! Comes in: bonds in an [order](super::super::order) of fronts, within which no two share a circle, and motions. Goes out: motions, changed, as
//! one bond after the other would change them, bit for bit. This room does not know walls.

use super::super::order::Order;
use super::Body;
use super::bond::Bond;
use super::falling::Falling;
use super::manner::Manner;
use super::motion::Motion;
use super::seen::Seen;
use super::settling::Little;
use super::strip::strike;
use crate::kernels::bonds::{Bearing, Bonds, FOUR, Four, Manners, Pace, Pair, Then};
use crate::kernels::{Kernels, Operation};

/// How many of four lanes have to be used for all to gain.
const FULL: usize = 3;

/// Bonds front by front, and how each of them meets.
#[derive(Debug, Default)]
pub(super) struct Fours {
    pub(super) bonds: Vec<Bonds>,
    pub(super) manners: Vec<Manners>,
}

impl Fours {
    pub(super) fn clear(&mut self) {
        self.bonds.clear();
        self.manners.clear();
    }

    /// Makes room for so many pairs, where lanes gain.
    pub(super) fn reserve(&mut self, pairs: usize) {
        self.bonds.reserve(pairs / FULL);
        self.manners.reserve(pairs / FULL);
    }

    /// Whether fronts are so wide that lanes gain. Along the rows of a heap they are not: what goes through it waits for one pair after the other.
    pub(super) fn gain(order: &Order) -> bool {
        let count = |(pairs, fours), front: &[u32]| (pairs + front.len(), fours + front.len().div_ceil(FOUR));
        let (pairs, fours) = order.fronts().fold((0, 0), count);
        pairs >= FULL * fours
    }

    /// Those of the pairs in this order, each of which is made.
    #[inline(always)]
    pub(super) fn fill(&mut self, order: &Order, make: impl Fn(u32) -> (Bond, Manner)) {
        for four in order.fronts().flat_map(|front| front.chunks(FOUR)) {
            let (mut bonds, mut manners) = (Bonds { count: four.len() as u32, ..Bonds::default() }, Manners::default());
            for k in 0..FOUR {
                let (bond, manner) = make(four[if k < four.len() { k } else { 0 }]);
                bond.put(&mut bonds, k);
                manner.put(&mut manners, k);
            }
            bonds.watched &= (1 << bonds.count) - 1;
            self.bonds.push(bonds);
            self.manners.push(manners);
        }
    }

    /// `tell(bodies, bearing)` of each pair that bears something, one after the other.
    pub(super) fn each_bearing(&self, mut tell: impl FnMut([u32; 2], f64)) {
        for four in &self.bonds {
            for k in 0..four.count as usize {
                tell([four.a[k], four.b[k]], Bond::of(four, k).lasting());
            }
        }
    }

    /// `tell(bodies, shares)` of each pair that has changed a velocity.
    pub(super) fn each_acted(&self, mut tell: impl FnMut([u32; 2], Pair)) {
        for four in &self.bonds {
            for k in (0..four.count as usize).filter(|k| four.acted >> k & 1 == 1) {
                tell([four.a[k], four.b[k]], [four.shares[0][k], four.shares[1][k]]);
            }
        }
    }

    /// Some pair may hit each other and give something back.
    pub(super) fn may_hit(&self) -> bool {
        self.manners.iter().any(|four| (0..FOUR).any(|k| Manner::of(four, k).may_hit()))
    }
}

/// A pass over all pairs of a strip.
pub(super) struct Pass<'a> {
    pub(super) fours: &'a mut Fours,
    pub(super) seen: &'a mut Seen,
    pub(super) motions: &'a mut [Motion],
    pub(super) what: What<'a>,
}

/// What it does with each.
pub(super) enum What<'a> {
    /// Where they stand, and what they bear for the start of the next substep.
    Look,
    /// What they bear.
    Bear(Pace),
    /// These are solved further, by which of their lanes; it goes on while some change by more than a little.
    Settle { which: &'a [[u32; 2]], over: f64, second: bool, little: Little, goes_on: &'a mut bool },
    /// What they take back, and the virial; `again` looks at them for the next substep, too.
    Relax { again: bool, virial: &'a mut f64 },
    /// They bear what they bore.
    Resume,
    /// Their impacts, and the virial.
    Hit { bodies: &'a mut [Body], falling: Falling, virial: &'a mut f64 },
}

impl Operation for Pass<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Pass { fours: Fours { bonds, manners }, seen, motions, what } = self;
        match what {
            What::Look => {
                for four in bonds {
                    let rows = [four.a, four.b];
                    look::<K>(four, &rows, motions);
                    lend::<K>(four, &rows, motions);
                }
            }
            What::Bear(pace) => {
                for four in bonds {
                    bear::<K>(four, motions, &pace);
                }
            }
            What::Settle { which, over, second, little, goes_on } => {
                for &[at, lanes] in which {
                    *goes_on |= settle::<K>((&mut bonds[at as usize], lanes), motions, over, second, little);
                }
            }
            What::Relax { again: false, virial } => {
                for four in bonds.iter_mut().rev() {
                    relax::<K>(four, &[four.a, four.b], motions, virial);
                }
            }
            What::Relax { again: true, virial } => {
                for four in bonds.iter_mut().rev() {
                    let rows = [four.a, four.b];
                    relax::<K>(four, &rows, motions, virial);
                    seen.look_at_four(four, motions);
                    look::<K>(four, &rows, motions);
                    lend::<K>(four, &rows, motions);
                }
            }
            What::Resume => {
                for four in bonds {
                    resume::<K>(four, motions);
                }
            }
            What::Hit { bodies, falling, virial } => {
                for (four, manners) in bonds.iter_mut().zip(manners) {
                    seen.look_at_four(four, motions);
                    look::<K>(four, &[four.a, four.b], motions);
                    hit::<K>((four, manners), seen, (bodies, motions), falling, virial);
                }
            }
        }
    }
}

/// The rows of A and of B.
type Rows = [[u32; FOUR]; 2];

#[inline(always)]
fn look<K: Kernels>(four: &mut Bonds, [a, b]: &Rows, motions: &[Motion]) {
    K::Bearing::look(four, [ways(motions, a), ways(motions, b)]);
}

#[inline(always)]
fn lend<K: Kernels>(four: &mut Bonds, [a, b]: &Rows, motions: &mut [Motion]) {
    let then = K::Bearing::lend(four, [borne(motions, a), borne(motions, b)]);
    put_borne(motions, [a, b], &then);
}

#[inline(always)]
fn resume<K: Kernels>(four: &mut Bonds, motions: &mut [Motion]) {
    let [a, b] = &[four.a, four.b];
    let then = K::Bearing::resume(four, [velocities(motions, a), velocities(motions, b)]);
    put_velocities(motions, [a, b], &then);
}

#[inline(always)]
fn bear<K: Kernels>(four: &mut Bonds, motions: &mut [Motion], pace: &Pace) {
    let [a, b] = &[four.a, four.b];
    let then = K::Bearing::bear(four, [velocities(motions, a), velocities(motions, b)], pace);
    put_velocities(motions, [a, b], &then);
}

#[inline(always)]
fn settle<K: Kernels>(
    (four, lanes): (&mut Bonds, u32),
    motions: &mut [Motion],
    over: f64,
    second: bool,
    little: Little,
) -> bool {
    let [a, b] = &[four.a, four.b];
    let quick = std::array::from_fn(|k| f64::from(lanes >> k & 1));
    let then = K::Bearing::settle(four, [velocities(motions, a), velocities(motions, b)], &quick, over, second);
    put_velocities(motions, [a, b], &then);
    // One is what was, the other what is; of copies neither.
    (0..four.count as usize)
        .fold(false, |some, k| some | ((four.bearing[k] - four.pressed[k]).abs() > little.of(four.radius[k])))
}

#[inline(always)]
fn relax<K: Kernels>(four: &mut Bonds, [a, b]: &Rows, motions: &mut [Motion], virial: &mut f64) {
    let (then, shares) = K::Bearing::relax(four, [velocities(motions, a), velocities(motions, b)]);
    put_velocities(motions, [a, b], &then);
    for share in shares[..four.count as usize].iter().rev() {
        *virial += share;
    }
}

/// Few hit each other; those are answered one by one.
#[inline(always)]
fn hit<K: Kernels>(
    (four, manners): (&mut Bonds, &Manners),
    seen: &mut Seen,
    (bodies, motions): (&mut [Body], &mut [Motion]),
    falling: Falling,
    virial: &mut f64,
) {
    let (a, b) = (four.a, four.b);
    let hits = K::Bearing::hits(four, manners, [velocities(motions, &a), velocities(motions, &b)], falling.calm);
    let mut left = hits & ((1 << four.count) - 1);
    while left != 0 {
        let k = left.trailing_zeros() as usize;
        left &= left - 1;
        let (mut bond, manner) = (Bond::of(four, k), Manner::of(manners, k));
        if let Some(met) = bond.hits(&manner, motions, falling.calm) {
            seen.hit(&mut bond, &met, motions);
            *virial += strike((&mut bond, &manner), (&met, falling), bodies, motions) * met.distance;
        }
        bond.keep(four, k);
    }
}

#[inline(always)]
fn velocities<'a>(motions: &'a [Motion], &[a, b, c, d]: &[u32; FOUR]) -> Four<'a> {
    let (a, b) = (&motions[a as usize].velocity, &motions[b as usize].velocity);
    [a, b, &motions[c as usize].velocity, &motions[d as usize].velocity]
}

#[inline(always)]
fn ways<'a>(motions: &'a [Motion], &[a, b, c, d]: &[u32; FOUR]) -> Four<'a> {
    let (a, b) = (&motions[a as usize].way, &motions[b as usize].way);
    [a, b, &motions[c as usize].way, &motions[d as usize].way]
}

#[inline(always)]
fn borne<'a>(motions: &'a [Motion], &[a, b, c, d]: &[u32; FOUR]) -> Four<'a> {
    let (a, b) = (&motions[a as usize].borne, &motions[b as usize].borne);
    [a, b, &motions[c as usize].borne, &motions[d as usize].borne]
}

/// The first comes last: it stands for its copies.
#[inline(always)]
fn put_velocities(motions: &mut [Motion], rows: [&[u32; FOUR]; 2], then: &[Then; 2]) {
    for (rows, then) in rows.into_iter().zip(then) {
        for k in (0..FOUR).rev() {
            motions[rows[k] as usize].velocity = then[k];
        }
    }
}

/// The first comes last here, too.
#[inline(always)]
fn put_borne(motions: &mut [Motion], rows: [&[u32; FOUR]; 2], then: &[Then; 2]) {
    for (rows, then) in rows.into_iter().zip(then) {
        for k in (0..FOUR).rev() {
            motions[rows[k] as usize].borne = then[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::strips::Places;
    use super::super::bond::pace;
    use super::super::settling;
    use super::super::strip::{Pairs, Strip};
    use super::*;
    use crate::kernels::{Backend, InstructionSet};
    use crate::parallel::Split;

    /// All passes of both kinds of step, several times; what is left, to the bit.
    fn after(
        strip: &mut Strip,
        (mut bodies, mut motions): (Vec<Body>, Vec<Motion>),
        (falling, lively): (Falling, bool),
    ) -> String {
        let (bodies, motions) = (&mut bodies[..], &mut motions[..]);
        if !lively {
            strip.look(motions);
        }
        for left in (0..3).rev() {
            motions.iter_mut().for_each(Motion::start);
            if lively {
                strip.hit_pairs((bodies, motions), falling);
                strip.resume(motions);
            }
            strip.bear_pairs(motions, pace(0.1, 0.05, 0.05));
            motions.iter_mut().for_each(|motion| motion.coast(0.05));
            strip.quick = true;
            strip.get_ready(Little { least: 0.001, ..Little::default() });
            let strips = std::slice::from_mut(&mut *strip);
            settling::solve((strips, &mut Strip::default()), (bodies, motions), Split::SERIAL, false);
            strip.relax_pairs(motions, !lively && left > 0);
        }
        strip.look_back(motions);
        strip.mark(bodies);
        format!("{motions:?} {bodies:?} {:?} {:?} {:?}", strip.given, bonds(strip), strip.seen.sorted())
    }

    /// All, one after the other.
    fn bonds(strip: &Strip) -> Vec<Bond> {
        let of = |four: &Bonds| (0..four.count as usize).map(|k| Bond::of(four, k)).collect::<Vec<_>>();
        strip.pairs.bonds.iter().copied().chain(strip.fours.bonds.iter().flat_map(of)).collect()
    }

    /// Bonds of many kinds.
    struct Drawn {
        bodies: Vec<[u32; 2]>,
        lively: bool,
    }

    impl Pairs for Drawn {
        fn bodies(&self, place: u32) -> [u32; 2] {
            self.bodies[place as usize]
        }

        fn bond(&self, place: u32, _: usize) -> (Bond, Manner) {
            let [a, b] = self.bodies(place);
            let of = |k: u32| f64::from((a * 31 + b * 17 + k * 7) % 5);
            let shares = [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0], [0.25, 0.75], [0.3, 0.7]][of(0) as usize];
            let bond = Bond {
                a,
                b,
                start: if of(5) == 0.0 { [0.0; 2] } else { [0.9 + 0.05 * of(1), 0.1 * of(2)] },
                normal: [0.0, 1.0],
                reach: 1.0,
                mass: 1.0 + of(3),
                bearing: if of(4) > 2.0 { 0.01 * of(6) } else { 0.0 },
                lent: 0.004 * of(6),
                anew: 0.001 * of(8),
                watched: of(9) > 1.0,
                ..Bond::default()
            };
            let manner = Manner {
                restitution: [0.0, 0.5, 1.0, 0.0, 0.8][of(7) as usize],
                speed: if self.lively && (a + b) % 13 == 0 { 0.2 } else { 0.0 },
                since: 0.05,
                flown: (a + b) % 7 == 0,
            };
            (bond.with_shares(shares).with_radius(0.5, 0.4), manner)
        }
    }

    #[test]
    fn four_at_a_time_do_what_one_after_the_other_does() {
        let mut state = 11u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let (mut acted, mut bearing, mut full, mut free, mut seen) = (0, 0, 0, 0, 0);
        for round in 0..400 {
            let lively = round % 2 == 0;
            let count = 8 + draw(120);
            // Few values, so that circles coincide, rest, or are as heavy as walls; now and then numbers that overflow.
            let mut value = |scale: f64| match draw(if round % 3 == 0 { 12 } else { 200 }) {
                0 => 0.0,
                1 => -0.0,
                2 if round % 9 == 0 => f64::MAX * scale.signum(),
                k => (f64::from(k) - 60.0) * scale,
            };
            let mut motions = vec![];
            for _ in 0..count {
                let mut pair = |scale: f64| [value(scale), value(-scale)];
                let (velocity, way) = (pair(0.01), pair(0.001));
                motions.push(Motion { velocity, way, pull: pair(1e-4), borne: [0.0; 2] });
            }
            let quick = |at| round % 3 > 0 && at % 5 < 2;
            let bodies =
                (0..count).map(|at| Body { radius: 0.5, quick: quick(at), ..Body::default() }).collect::<Vec<_>>();
            let bodies_of_pairs = (0..2 + draw(300)).map(|_| (draw(count), draw(count - 1)));
            let pairs = Drawn { bodies: bodies_of_pairs.map(|(a, b)| [a, (a + 1 + b) % count]).collect(), lively };
            let calm = if round % 4 == 0 { 0.05 } else { 0.0 };
            let falling = Falling { calm, gravity: [0.5, -3.0], h: 0.02, dt: 0.1 };
            let all = Places::All(pairs.bodies.len() as u32);
            let strip = |kernels| {
                let mut strip = Strip::default();
                strip.clear(kernels, 0.05);
                strip.walls_from = count as usize;
                strip
            };
            let mut one_by_one = strip((Backend::Scalar, InstructionSet::Portable));
            one_by_one.take(&pairs, all);
            let expected = after(&mut one_by_one, (bodies.clone(), motions.clone()), (falling, lively));
            for kernels in InstructionSet::texts().into_iter().filter(|(backend, _)| *backend != Backend::Scalar) {
                let mut four = strip(kernels);
                four.take(&pairs, all);
                full += usize::from(four.pairs.bonds.is_empty());
                // All of them, whether lanes gain or not.
                four.pairs.clear();
                four.fours.clear();
                four.fours.fill(&four.order, |at| pairs.bond(at, 0));
                let found = after(&mut four, (bodies.clone(), motions.clone()), (falling, lively));
                assert!(found == expected, "{round} {kernels:?}\n{found}\n{expected}");
            }
            seen += one_by_one.seen.sorted().len();
            for bond in &one_by_one.pairs.bonds {
                acted += usize::from(bond.acted);
                bearing += usize::from(bond.bearing > 0.0);
                free += usize::from(bond.free);
            }
        }
        assert!(acted > 10_000 && bearing > 2000 && full > 100 && free > 1000, "{acted} {bearing} {full} {free}");
        assert!(seen > 1000, "{seen}");
    }
}
