//! Pairs that are solved together, four at a time: what lanes compute of them.
//!
//! Comes in: four pairs of bodies of which no two share a body, how far those have come, how fast they are. Goes out: how the pairs stand, what they
//! bear, and new velocities, in the bits of `response::rest::bond`, where the formulas are and what they mean: operation by operation the same. The
//! scalar text does none of them: it is that one. This room does not know walls, nor in which order pairs come.

/// So many at a time: as many doubles as a register holds where eight singles are.
pub(crate) const FOUR: usize = 4;

/// ω·h: the stiffest spring that a substep follows is a quarter of a period long. Stiffer ones never rest.
const SWING: f64 = std::f64::consts::FRAC_PI_2;
/// The same of a pair of unlike masses. What the heavy one weighs reaches who bears it through the light one, in many passes; springs that take overlap
/// back sooner than that swing for ever.
const UNLIKE_SWING: f64 = std::f64::consts::FRAC_PI_4;
/// ζ, far beyond critical: overlap is let out, not shot out.
const DAMPING: f64 = 10.0;
/// Times what was lent to a pair for the last substep it may have for this one, and a little more.
pub(crate) const GROWTH: f64 = 1.1;
/// Tolerated penetration, as a share of the (smaller) radius.
pub(crate) const SLOP: f64 = 0.005;

/// A vector of one body.
pub(crate) type Pair = [f64; 2];
/// Those of four.
pub(crate) type Four<'a> = [&'a Pair; FOUR];
/// What comes of those.
pub(crate) type Then = [Pair; FOUR];

/// The length of a substep, and what follows from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) h: f64,
    /// One over it.
    pub(crate) rate: f64,
    /// How fast overlap is taken back at most, in radii a second.
    pub(crate) push: f64,
    /// The springs of pairs of like masses, and of unlike ones.
    pub(crate) like: Spring,
    pub(crate) unlike: Spring,
}

/// What stands between two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// How much of the overlap beyond the slop is taken back in a second.
    pub(crate) back: f64,
    /// a2·a3 and a3.
    pub(crate) hard: f64,
    pub(crate) soft: f64,
}

impl Pace {
    /// Of substeps of `h` seconds, with springs as stiff as suits substeps of `slow` seconds, which are no shorter: those that stand pressed by a long
    /// step would else be shot out by a short one.
    pub(crate) fn new(h: f64, slow: f64, push: f64) -> Pace {
        let (share, rate) = (if h < slow { h / slow } else { 1.0 }, 1.0 / h);
        let spring = |swing: f64| {
            let a1 = 2.0 * DAMPING + swing;
            let a2 = swing * a1;
            let a3 = 1.0 / (1.0 + a2);
            Spring { back: swing / a1 * rate, hard: a2 * a3, soft: a3 }
        };
        Pace { h, rate, push, like: spring(SWING * share), unlike: spring(UNLIKE_SWING * share) }
    }
}

/// Four bonds by columns. Behind the last of fewer there are copies of the first.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Bonds {
    /// From A to B where they started.
    pub(crate) start: [[f64; FOUR]; 2],
    pub(crate) reach: [f64; FOUR],
    pub(crate) radius: [f64; FOUR],
    pub(crate) shares: [[f64; FOUR]; 2],
    pub(crate) mass: [f64; FOUR],
    pub(crate) normal: [[f64; FOUR]; 2],
    pub(crate) gap: [f64; FOUR],
    pub(crate) bearing: [f64; FOUR],
    /// What was lent of it when the substep began, and by how much more may be lent next time.
    pub(crate) lent: [f64; FOUR],
    pub(crate) anew: [f64; FOUR],
    /// The same, between bearing and what is taken back: what is read and what is written are two, or a compiler that knows better makes masked
    /// stores of it, of which one costs more than all else.
    pub(crate) pressed: [f64; FOUR],
    /// 1 of those that bear nothing before they have met, 0 of all others.
    pub(crate) free: [f64; FOUR],
    /// 1 of those of unlike masses, 0 of all others.
    pub(crate) unlike: [f64; FOUR],
    /// Which motions.
    pub(crate) a: [u32; FOUR],
    pub(crate) b: [u32; FOUR],
    /// Bits of those that have changed a velocity in this step; of copies anything.
    pub(crate) acted: u32,
    /// Bits of those that are told of once they have met.
    pub(crate) watched: u32,
    pub(crate) count: u32,
}

/// The same on impact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manners {
    pub(crate) restitution: [f64; FOUR],
    pub(crate) speed: [f64; FOUR],
    pub(crate) since: [f64; FOUR],
    /// 1 where one of both has flown already, 0 else.
    pub(crate) flown: [f64; FOUR],
}

/// What lanes do with four pairs; A's vectors first.
pub(crate) trait Bearing {
    /// Where they are now.
    fn look(bonds: &mut Bonds, ways: [Four<'_>; 2]);
    /// Bits of those that may hit each other, and have to be asked one by one; of all, whether they are free.
    fn hits(bonds: &mut Bonds, manners: &Manners, velocities: [Four<'_>; 2], calm: f64) -> u32;
    /// Adds what they bear, so far as it lasts.
    fn lend(bonds: &mut Bonds, borne: [Four<'_>; 2]) -> [Then; 2];
    /// The same, where they bear something.
    fn resume(bonds: &mut Bonds, velocities: [Four<'_>; 2]) -> [Then; 2];
    /// Lets them bear what they must.
    fn bear(bonds: &mut Bonds, velocities: [Four<'_>; 2], pace: &Pace) -> [Then; 2];
    /// Of those that are 1 and not 0, lets them part no slower than they should, without overlap, and `over` times as far as to where they stop. The
    /// second time, and each second time, what is read and what is written have changed places.
    fn settle(bonds: &mut Bonds, velocities: [Four<'_>; 2], quick: &[f64; FOUR], over: f64, second: bool) -> [Then; 2];
    /// Takes back what velocity overlap gave; their shares of the virial.
    fn relax(bonds: &mut Bonds, velocities: [Four<'_>; 2]) -> ([Then; 2], [f64; FOUR]);
}

/// No lanes: nobody asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneByOne;

impl Bearing for OneByOne {
    fn look(_: &mut Bonds, _: [Four<'_>; 2]) {}
    fn hits(_: &mut Bonds, _: &Manners, _: [Four<'_>; 2], _: f64) -> u32 {
        0
    }
    fn lend(_: &mut Bonds, _: [Four<'_>; 2]) -> [Then; 2] {
        Default::default()
    }
    fn resume(_: &mut Bonds, _: [Four<'_>; 2]) -> [Then; 2] {
        Default::default()
    }
    fn bear(_: &mut Bonds, _: [Four<'_>; 2], _: &Pace) -> [Then; 2] {
        Default::default()
    }
    fn settle(_: &mut Bonds, _: [Four<'_>; 2], _: &[f64; FOUR], _: f64, _: bool) -> [Then; 2] {
        Default::default()
    }
    fn relax(_: &mut Bonds, _: [Four<'_>; 2]) -> ([Then; 2], [f64; FOUR]) {
        Default::default()
    }
}
