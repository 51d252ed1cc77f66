//! Impacts that go through many: more passes where velocities change by more than weight changes them.
//!
//! Comes in: the bodies and bonds of a strip within a substep, after its flight. Goes out: who is quick, and what pairs bear once those have been solved
//! further. This room does not know other strips, nor what comes before and after.
//!
//! One pass there and one back bring support a few bodies far, and an impact through a row takes several substeps. Behind its front each pair is lent
//! what it bore, and pushed for the overlap that it came to; at the end of the row nobody is left to bear that, and to take it back takes as long again:
//! what should stop is thrown back, as an elastic rod is. Each further pass without springs takes energy away and gives none, whatever was lent,
//! over-relaxed ones too, so with as many as it takes the row stops. All go one way: on the way back over-relaxation loses what it won on the way there
//! (who comes last there comes first back, and twice 7/4 of the way is 7/16 of it). Who rests is never quick: there it costs a look at each body; where
//! ten thousand land at once a step takes up to 1.6 times as long.
//!
//! Source: D. M. Young, "Iterative methods for solving partial difference equations of elliptic type" (1954): over-relaxation, and how far it goes best.

use super::super::impulse::{Pair, dot};
use super::super::law::Law;
use super::bond::{DEEP, push_speed};
use super::fours::What;
use super::motion::Motion;
use super::strip::{Strip, pass};
use super::{Body, each};
use crate::parallel::Split;

/// Quick is whose velocity has changed since the step began by more than gravity gives in it, and [calm](Law::calm), and this share of the speed that
/// overlap is pushed out with.
const QUICK: f64 = 1.0 / 32.0;

/// So many passes at most in one substep; an even number.
const MOST: usize = 16;

/// So many entries of lists are few.
const FEW: usize = 2048;

/// Farther than to where a pair stops, in each pass: what is between 1 and 2 takes energy away, and support comes farther. What is best for a row of
/// n is some 2 - π / n, by which it takes about n passes; so the first ones suit short rows, and the more there have been, the longer ones.
fn over(pass: usize) -> f64 {
    2.0 - 4.0 / (pass as f64 + 8.0)
}

/// What is no impact: less than this in all that a step changes of a velocity, or of a pair in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Little {
    pub(super) least: f64,
    pub(super) of_radius: f64,
}

impl Little {
    fn new(law: &Law<'_>) -> Little {
        let least = law.weight() * f64::from(law.substeps) + law.calm();
        Little { least, of_radius: QUICK * push_speed(law.dt) }
    }

    /// For such a radius.
    #[inline(always)]
    pub(super) fn of(self, radius: f64) -> f64 {
        self.least + self.of_radius * radius
    }
}

/// How fast a circle was when the step began, and by how much that (squared) has changed where it is quick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Began {
    velocity: Pair,
    least2: f64,
}

/// What of a strip is solved further in this substep.
#[derive(Debug, Default)]
pub(super) struct Settling {
    little: Little,
    /// Which fours, and bits of the lanes of each; which of the other pairs, and of the walls.
    fours: Vec<[u32; 2]>,
    ones: Vec<u32>,
    walls: Vec<u32>,
    /// The last time some pair has changed by more than little.
    goes_on: bool,
}

/// Remembers how fast all are.
pub(super) fn begin((strips, across): (&mut [Strip], &mut Strip), bodies: &[Body], motions: &[Motion], law: &Law<'_>) {
    let little = Little::new(law);
    across.get_ready(little);
    for strip in strips {
        strip.get_ready(little);
        let circles = strip.from..strip.walls_from;
        for (body, motion) in bodies[circles.clone()].iter().zip(&motions[circles]) {
            let least = little.of(body.radius);
            strip.began.push(Began { velocity: motion.velocity, least2: least * least });
        }
    }
}

/// Solves further in strips where somebody is quick, until little changes, and lets the walls there take back what they must.
pub(super) fn solve(
    (strips, across): (&mut [Strip], &mut Strip),
    (bodies, motions): (&mut [Body], &mut [Motion]),
    split: Split,
    again: bool,
) {
    if !strips.iter().any(|strip| strip.quick) {
        return;
    }
    each(strips, bodies, motions, split, &|strip, bodies, _| {
        if strip.quick {
            strip.find_settled(bodies);
        } else {
            strip.settling.clear();
        }
    });
    across.find_settled(bodies);
    // Of few pairs a pass takes less time than to wake another thread.
    let split =
        if strips.iter().map(|strip| strip.settling.len()).sum::<usize>() < FEW { Split::SERIAL } else { split };
    for pass in 0..MOST {
        let (over, second) = (over(pass), pass % 2 == 1);
        each(strips, bodies, motions, split, &|strip, _, motions| strip.settle_pairs(motions, over, second));
        across.settle_pairs(motions, over, second);
        each(strips, bodies, motions, split, &|strip, _, motions| strip.settle_walls(motions, over));
        if second && !strips.iter().chain([&*across]).any(|strip| strip.settling.goes_on) {
            break;
        }
    }
    each(strips, bodies, motions, split, &|strip, _, motions| {
        if strip.quick {
            strip.relax_walls(motions, again);
        }
    });
}

impl Strip {
    /// A step begins: there is room for whatever may be solved further in it.
    pub(super) fn get_ready(&mut self, little: Little) {
        self.settling.little = little;
        self.settling.clear();
        self.settling.fours.reserve(self.fours.bonds.capacity());
        self.settling.ones.reserve(self.pairs.bonds.capacity());
        self.settling.walls.reserve(self.walls.bonds.capacity());
    }

    /// Finds out who is quick; whether somebody is.
    pub(super) fn find_quick(&mut self, bodies: &mut [Body], motions: &[Motion]) -> bool {
        let is_quick = |began: &Began, motion: &Motion| {
            let by = [motion.velocity[0] - began.velocity[0], motion.velocity[1] - began.velocity[1]];
            dot(by, by) > began.least2
        };
        let was = self.quick;
        self.quick = self.began.iter().zip(motions).fold(false, |some, (began, motion)| some | is_quick(began, motion));
        if was || self.quick {
            for ((body, began), motion) in bodies.iter_mut().zip(&self.began).zip(motions) {
                body.quick = is_quick(began, motion);
            }
        }
        self.quick
    }

    /// Finds the pairs that are solved further: those of who is quick, but that who is deep in another has to come out, and what speed that has given
    /// is not taken from him.
    pub(super) fn find_settled(&mut self, bodies: &[Body]) {
        let Strip { pairs, fours, walls, settling, .. } = self;
        settling.clear();
        let is_quick = |at: u32| bodies[at as usize].quick;
        let is_settled = |a: u32, b: u32, gap: f64, radius: f64| (is_quick(a) || is_quick(b)) && gap >= -DEEP * radius;
        for (at, four) in (0..).zip(&fours.bonds) {
            let bit = |k: usize| u32::from(is_settled(four.a[k], four.b[k], four.gap[k], four.radius[k])) << k;
            let lanes = (0..four.count as usize).fold(0, |lanes, k| lanes | bit(k));
            if lanes != 0 {
                settling.fours.push([at, lanes]);
            }
        }
        for (list, bonds) in [(&mut settling.ones, &pairs.bonds), (&mut settling.walls, &walls.bonds)] {
            let bonds = (0..).zip(bonds).filter(|(_, bond)| is_settled(bond.a, bond.b, bond.gap, bond.radius));
            list.extend(bonds.map(|(at, _)| at));
        }
    }

    /// Solves them further, `over` times as far as to where they stop; by twos.
    pub(super) fn settle_pairs(&mut self, motions: &mut [Motion], over: f64, second: bool) {
        let Strip { pairs, fours, seen, settling, kernels, .. } = self;
        let Settling { little, fours: which, ones, goes_on, .. } = settling;
        let little = *little;
        *goes_on &= second;
        let what = What::Settle { which, over, second, little, goes_on: &mut *goes_on };
        pass(*kernels, (fours, seen), motions, what);
        for at in &*ones {
            *goes_on |= pairs.bonds[*at as usize].settles(motions, over, little);
        }
    }

    /// The same of walls.
    fn settle_walls(&mut self, motions: &mut [Motion], over: f64) {
        let Strip { walls, settling: Settling { little, walls: which, goes_on, .. }, .. } = self;
        for at in &*which {
            *goes_on |= walls.bonds[*at as usize].settles(motions, over, *little);
        }
    }
}

impl Settling {
    fn len(&self) -> usize {
        self.fours.len() + self.ones.len() + self.walls.len()
    }

    fn clear(&mut self) {
        self.fours.clear();
        self.ones.clear();
        self.walls.clear();
        self.goes_on = false;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::units::larger;
    use super::super::bond::Bond;
    use super::super::manner::Manner;
    use super::*;

    #[test]
    fn who_is_stopped_is_quick_and_who_falls_or_rests_is_not() {
        // In a step of 1/2 gravity gives 1, in a substep 1/8; calm is 1/2. Overlap goes at 1/5 of the radius a second, of which a 32nd is far below.
        let law = Law::new(0.5).with_gravity([0.0, -2.0]).with_substeps(8);
        let mut bodies = vec![Body { radius: 1.0, ..Body::default() }; 4];
        let mut motions = vec![Motion { velocity: [0.0, -3.0], ..Motion::default() }; 4];
        let mut strips = [Strip { walls_from: 3, ..Strip::default() }];
        begin((&mut strips, &mut Strip::default()), &bodies, &motions, &law);
        let [strip] = &mut strips;
        assert!(!strip.find_quick(&mut bodies, &motions));
        // One falls on, one is stopped, one is pushed a little aside; walls are never quick.
        (motions[0].velocity, motions[1].velocity) = ([0.0, -4.0], [0.0, 0.0]);
        (motions[2].velocity, motions[3].velocity) = ([1.0, -2.0], [0.0, 0.0]);
        assert!(strip.find_quick(&mut bodies, &motions));
        assert_eq!(bodies.iter().map(|body| body.quick).collect::<Vec<_>>(), [false, true, false, false]);
        motions[1].velocity = [0.0, -3.0];
        assert!(!strip.find_quick(&mut bodies, &motions) && bodies.iter().all(|body| !body.quick));
    }

    #[test]
    fn a_pass_gives_no_energy_and_takes_no_momentum() {
        let mut state = 5u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let (mut took, mut stopped) = (0, 0);
        for _ in 0..1000 {
            // A row of six, of which each pair may have been lent something.
            let mut strip = Strip::default();
            for a in 0..5 {
                let (gap, bearing) = (draw() - 0.5, if draw() < 0.5 { 0.0 } else { draw() });
                let bond = Bond {
                    a,
                    b: a + 1,
                    normal: [0.6, 0.8],
                    shares: [0.5; 2],
                    mass: 0.5,
                    gap,
                    bearing,
                    radius: 4.0,
                    ..Bond::default()
                };
                strip.pairs.push((bond, Manner::default()));
            }
            let bodies = vec![Body { quick: true, ..Body::default() }; 6];
            let mut motions = vec![Motion::default(); 6];
            motions.iter_mut().for_each(|motion| motion.velocity = [draw() - 0.5, draw() - 0.5]);
            let energy =
                |motions: &[Motion]| motions.iter().map(|motion| dot(motion.velocity, motion.velocity)).sum::<f64>();
            let momentum =
                |motions: &[Motion], axis: usize| motions.iter().map(|motion| motion.velocity[axis]).sum::<f64>();
            let before = motions.clone();
            strip.find_settled(&bodies);
            for second in [false, true] {
                let was = energy(&motions);
                strip.settle_pairs(&mut motions, 1.75, second);
                assert!(energy(&motions) <= was + 1e-12);
                took += usize::from(energy(&motions) < was - 1e-3);
            }
            for axis in 0..2 {
                assert!((momentum(&motions, axis) - momentum(&before, axis)).abs() < 1e-12);
            }
            assert!(strip.pairs.bonds.iter().all(|bond| bond.bearing >= 0.0));
            stopped += strip.pairs.bonds.iter().filter(|bond| bond.acted).count();
        }
        assert!(took > 1000 && stopped > 3000, "{took} {stopped}");
    }

    #[test]
    fn who_is_not_quick_is_left_alone() {
        let mut strip = Strip::default();
        let bond = Bond { b: 1, normal: [1.0, 0.0], shares: [0.5; 2], mass: 0.5, radius: 1.0, ..Bond::default() };
        strip.pairs.push((bond, Manner::default()));
        let mut bodies = [Body::default(); 2];
        let mut motions = [1.0, -1.0].map(|x| Motion { velocity: [x, 0.0], ..Motion::default() });
        strip.find_settled(&bodies);
        strip.settle_pairs(&mut motions, 1.75, false);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [1.0, -1.0]);
        // They approach by 2: 7/4 of that parts them by 3/2, and 7/4 of this brings them as near as what they bear allows: 3.5 - 2.625.
        bodies[1].quick = true;
        strip.find_settled(&bodies);
        strip.settle_pairs(&mut motions, 1.75, false);
        assert_eq!((motions.map(|motion| motion.velocity[0]), strip.pairs.bonds[0].bearing), ([-0.75, 0.75], 3.5));
        strip.settle_pairs(&mut motions, 1.75, true);
        assert_eq!(
            (motions.map(|motion| motion.velocity[0]), strip.pairs.bonds[0].bearing),
            ([0.5625, -0.5625], 0.875)
        );
        // Deeper than a fifth of the radius.
        strip.pairs.bonds[0].gap = -0.25;
        strip.find_settled(&bodies);
        strip.settle_pairs(&mut motions, 1.75, false);
        assert_eq!(motions.map(|motion| motion.velocity[0]), [0.5625, -0.5625]);
    }

    #[test]
    fn a_row_that_is_stopped_stops_in_one_substep() {
        // Five of velocity 1, one behind the other, the first at a wall: nobody moves in the end.
        let mut strip = Strip { walls_from: 5, quick: true, ..Strip::default() };
        let bond = Bond { normal: [1.0, 0.0], shares: [0.5; 2], mass: 0.5, radius: 1.0, ..Bond::default() };
        (0..4).for_each(|a| strip.pairs.push((Bond { a, b: a + 1, ..bond }, Manner::default())));
        strip.walls.push((Bond { a: 4, b: 5, shares: [1.0, 0.0], ..bond }, Manner::default()));
        let bodies = &mut [Body { quick: true, ..Body::default() }; 6];
        let motions = &mut [Motion { velocity: [1.0, 0.0], ..Motion::default() }; 6];
        motions[5] = Motion::default();
        solve((&mut [strip], &mut Strip::default()), (bodies, motions), Split::SERIAL, false);
        let fastest = motions.iter().map(|motion| motion.velocity[0].abs()).fold(0.0, larger);
        assert!(fastest < 0.02, "{fastest}");
    }
}
