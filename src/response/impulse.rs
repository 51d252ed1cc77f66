//! The backtracked impulse of one touching pair.
//!
//! Comes in: where two bodies stand and how they move. Goes out: the change of their relative velocity along the normal
//! and how long ago they met. This room does not know columns or rows.
//!
//! Method: an overlapping, approaching pair met τ ago, at the time when its gap was zero. The impulse acts along the
//! normal of that moment, and both have flown apart for τ since: x += Δv·τ. With D from A to B, u the velocity of B
//! relative to A and R the sum of radii, |D - uτ| = R gives τ = (b + sqrt(b² - u²(D² - R²))) / u², b = D·u. A plain
//! impulse at the overlapped position has the pressure of a gas wrong in first order of dt; this one does not.
//! In f64: f32 columns can neither overflow nor underflow the fourth powers here.

/// Two numbers in f64.
pub(super) type Pair = [f64; 2];

/// How an approaching pair met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    /// Unit, from A to B, at the time of the touch.
    pub(super) normal: Pair,
    /// Speed at which they approached along the normal; above zero, unless they are thrown apart where they stand.
    pub(super) approach: f64,
    /// How long ago, zero or more.
    pub(super) since: f64,
    /// How far apart their centres were then; of a flank, 0.
    pub(super) distance: f64,
}

impl Meeting {
    /// How long ago, but no longer than it takes one who is thrown back with twice the approach to come this far.
    #[inline(always)]
    pub(super) fn since_within(&self, longest: f64) -> f64 {
        let way = self.approach + self.approach;
        if way * self.since > longest { longest / way } else { self.since }
    }

    /// By how much they part faster then: by Newton's law `approach`, as it was when they met, times one and the restitution, or as much as it takes
    /// for them to part at `speed`; they part in any case.
    pub(super) fn change_of(&self, approach: f64, restitution: f64, speed: f64) -> f64 {
        let (back, thrown) = ((1.0 + restitution) * approach, self.approach + speed);
        if thrown > back { thrown } else { back }
    }
}

#[inline(always)]
pub(super) fn dot(a: Pair, b: Pair) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Two discs (or a disc and a point): `d` from A to B, `u` the velocity of B relative to A, `reach` the sum of radii.
/// `None` if they do not approach. Deeper in than `longest` explains: they met that long ago.
#[inline(always)]
pub(super) fn discs(d: Pair, u: Pair, reach: f64, longest: f64) -> Option<Meeting> {
    let b = dot(d, u);
    if b >= 0.0 {
        return None;
    }
    let u2 = dot(u, u);
    let root = b * b - u2 * (dot(d, d) - reach * reach);
    // Below zero when an earlier pair of this pass has pushed them apart: they meet now.
    let root = if root > 0.0 { root.sqrt() } else { 0.0 };
    let since = between(0.0, (b + root) / u2, longest);
    let back = [d[0] - u[0] * since, d[1] - u[1] * since];
    let length = dot(back, back).sqrt();
    // Along u both terms of `back` have one sign, so it cannot vanish while b < 0; the test costs nothing.
    if length == 0.0 {
        return None;
    }
    let normal = [back[0] / length, back[1] / length];
    let approach = -dot(u, normal);
    (approach > 0.0).then_some(Meeting { normal, approach, since, distance: length })
}

/// A disc and a straight wall: `normal` from the disc to the wall, `penetration` along it, `u` the velocity of the wall
/// relative to the disc. `None` if they do not approach.
pub(super) fn flank(normal: Pair, penetration: f64, u: Pair, dt: f64) -> Option<Meeting> {
    let approach = -dot(u, normal);
    let since = between(0.0, penetration / approach, dt);
    (approach > 0.0).then_some(Meeting { normal, approach, since, distance: 0.0 })
}

/// Two bodies that touch and do not approach, as if they met now: `None` if they part at `speed` already. `normal` is from A to B, `u` the
/// velocity of B relative to A.
pub(super) fn standing(normal: Pair, distance: f64, u: Pair, speed: f64) -> Option<Meeting> {
    let approach = -dot(u, normal);
    (approach + speed > 0.0).then_some(Meeting { normal, approach, since: 0.0, distance })
}

/// Two circles that touch, do not approach, and are to part at some speed.
#[cold]
pub(super) fn thrown(d: Pair, u: Pair, reach: f64, speed: f64) -> Option<Meeting> {
    let distance = dot(d, d).sqrt();
    // A pair before this one may have parted them.
    if distance > reach {
        return None;
    }
    let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [0.0, 1.0] };
    standing(normal, distance, u, speed)
}

/// Compare and select; `low` for NaN.
#[inline(always)]
pub(super) fn between(low: f64, value: f64, high: f64) -> f64 {
    if value > high {
        high
    } else if value > low {
        value
    } else {
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_on_pair_met_when_its_gap_was_zero() {
        // Reach 2, distance 1.5, closing at 2 along x: the gap was zero 0.5 / 2 = 0.25 ago.
        let m = discs([1.5, 0.0], [-2.0, 0.0], 2.0, 1.0).unwrap();
        assert_eq!(m, Meeting { normal: [1.0, 0.0], approach: 2.0, since: 0.25, distance: 2.0 });
    }

    #[test]
    fn glancing_pair_gets_the_normal_of_the_touch() {
        // R = 5, B flies along -x at 4 and is straight above A, at (0, 3): b = 0, they are just passing each other.
        assert_eq!(discs([0.0, 3.0], [-4.0, 0.0], 5.0, 2.0), None);
        // Half a second earlier, at (2, 3), it had met A at (4, 3), 0.5 before: normal (0.8, 0.6), approach 4·0.8.
        let m = discs([2.0, 3.0], [-4.0, 0.0], 5.0, 2.0).unwrap();
        assert!((m.since - 0.5).abs() < 1e-15);
        assert!((m.normal[0] - 0.8).abs() < 1e-15 && (m.normal[1] - 0.6).abs() < 1e-15);
        assert!((m.approach - 3.2).abs() < 1e-14);
    }

    #[test]
    fn time_is_no_longer_than_the_step() {
        assert_eq!(discs([1.5, 0.0], [-2.0, 0.0], 2.0, 0.125).unwrap().since, 0.125);
        assert_eq!(flank([1.0, 0.0], 3.0, [-2.0, 0.0], 0.5).unwrap().since, 0.5);
        // A gap instead of a penetration: they meet now.
        assert_eq!(flank([1.0, 0.0], -3.0, [-2.0, 0.0], 0.5).unwrap().since, 0.0);
    }

    #[test]
    fn separating_and_resting_pairs_have_not_met() {
        assert_eq!(discs([1.0, 0.0], [2.0, 0.0], 2.0, 1.0), None);
        assert_eq!(discs([1.0, 0.0], [0.0, 0.0], 2.0, 1.0), None);
        assert_eq!(discs([0.0, 0.0], [2.0, 0.0], 2.0, 1.0), None);
        assert_eq!(flank([1.0, 0.0], 0.5, [0.0, 7.0], 1.0), None);
    }

    #[test]
    fn the_largest_and_smallest_numbers_stay_in_range() {
        let big = f64::from(f32::MAX);
        let m = discs([2.0 * big, big], [-2.0 * big, -big], 2.0 * big, 1.0).unwrap();
        assert!(m.normal[0].is_finite() && m.approach.is_finite() && m.since.is_finite());
        let small = f64::from(f32::from_bits(1));
        let m = discs([small, 0.0], [-small, 0.0], 2.0 * small, 4.0).unwrap();
        // Gap zero at distance 2, now 1, speed 1: 1 ago.
        assert_eq!(m, Meeting { normal: [1.0, 0.0], approach: small, since: 1.0, distance: 2.0 * small });
    }
}
