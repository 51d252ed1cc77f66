//! Pairs that meet on the way of a step, though they touch nothing of each other where their flights end.
//!
//! Comes in: bonds as each substep leaves them, and impacts. Goes out: who met, where, along which normal and how fast, once each. This room does
//! not know who touched at the last step, nor what is told of it.
//!
//! Two have met if they hit each other, or bore an impulse without which they would have overlapped when its substep was over. Solved in substeps a pair is
//! stopped before it overlaps, so that no gap need ever be zero to the last bit. Who was given an impulse, and would have passed beside the other all the
//! same, or was parted from it by a third within that substep, has not met.
//!
//! Cost: of pairs that are watched, those that are apart where their flights end, a look at two bits a substep; nothing else until they act.

use super::super::impulse::{Meeting, Pair};
use super::Body;
use super::bond::Bond;
use super::motion::Motion;
use super::start::Before;
use crate::kernels::bonds::Bonds;
use std::cmp::Ordering;

/// Two bodies of a strip that met.
#[derive(Clone, Copy, Debug)]
struct Sight {
    bodies: [u32; 2],
    normal: Pair,
    /// How far apart they were, and how far the first had come.
    gap: f64,
    way: Pair,
    approach: f64,
}

/// What has been seen in one strip, in time.
#[derive(Debug, Default)]
pub(super) struct Seen {
    sights: Vec<Sight>,
    /// The length of a substep.
    h: f64,
}

/// Two that met within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MetWithin {
    /// Their rows before the step: of two circles first that of the lower handle; of a circle and a segment the circle's.
    pub(crate) rows: [u32; 2],
    /// Midway between the outlines of two circles; on the segment.
    pub(crate) point: Pair,
    /// Unit, from the first to the second.
    pub(crate) normal: Pair,
    /// How fast they came near each other along the normal.
    pub(crate) approach: f64,
}

/// All of a step, by rows.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) circles: Vec<MetWithin>,
    pub(crate) walls: Vec<MetWithin>,
}

impl Seen {
    /// Starts anew, for substeps of so many seconds.
    pub(super) fn start(&mut self, h: f64) {
        self.sights.clear();
        self.h = h;
    }

    /// Room for what is seen of so many pairs, nearly always: few of them meet on the way.
    pub(super) fn reserve(&mut self, pairs: usize) {
        self.sights.reserve(pairs / 4 + 64);
    }

    /// A substep is over: to be called before anything is looked at anew, or cut to what lasts.
    #[inline(always)]
    pub(super) fn look(&mut self, bond: &mut Bond, motions: &[Motion]) {
        if bond.acted & bond.watched {
            self.bore(bond, motions);
        }
    }

    /// The same of four pairs.
    #[inline(always)]
    pub(super) fn look_at_four(&mut self, four: &mut Bonds, motions: &[Motion]) {
        let bits = four.acted & four.watched;
        if bits != 0 {
            self.some_of_four(four, bits, motions);
        }
    }

    #[cold]
    fn some_of_four(&mut self, four: &mut Bonds, bits: u32, motions: &[Motion]) {
        for k in (0..four.count as usize).filter(|k| bits >> k & 1 == 1) {
            let mut bond = Bond::of(four, k);
            self.bore(&mut bond, motions);
            four.watched &= !(u32::from(!bond.watched) << k);
        }
    }

    /// Whether they met by what they bore.
    #[cold]
    fn bore(&mut self, bond: &mut Bond, motions: &[Motion]) {
        let mut now = *bond;
        now.look(motions);
        let before = if bond.gap > 0.0 { bond.gap } else { 0.0 };
        // What they bear in the end has stopped them short of `before` and of what is left: without it they would have come so much nearer.
        let overlaps = before == 0.0 || now.gap <= 0.0 || before + now.gap <= bond.bearing * self.h;
        if bond.bearing > 0.0 && overlaps {
            let (bodies, way) = ([bond.a, bond.b], motions[bond.a as usize].way);
            self.sights.push(Sight { bodies, normal: now.normal, gap: now.gap, way, approach: bond.bearing });
            bond.watched = false;
        }
    }

    /// They hit each other: to be called before they part.
    #[inline(always)]
    pub(super) fn hit(&mut self, bond: &mut Bond, met: &Meeting, motions: &[Motion]) {
        if bond.watched {
            self.struck(bond, met, motions);
        }
    }

    #[cold]
    fn struck(&mut self, bond: &mut Bond, met: &Meeting, motions: &[Motion]) {
        let Motion { way, velocity, .. } = motions[bond.a as usize];
        let way = [0, 1].map(|axis| way[axis] - velocity[axis] * met.since);
        let gap = if bond.flat { bond.gap + met.approach * met.since } else { met.distance - bond.reach };
        let Meeting { normal, approach, .. } = *met;
        self.sights.push(Sight { bodies: [bond.a, bond.b], normal, gap, way, approach });
        bond.watched = false;
    }
}

#[cfg(test)]
impl Seen {
    /// All that has been seen, in an order of its own.
    pub(super) fn sorted(&self) -> Vec<String> {
        let mut all: Vec<_> = self.sights.iter().map(|sight| format!("{sight:?}")).collect();
        all.sort_unstable();
        all
    }
}

impl Told {
    pub(crate) fn clear(&mut self) {
        self.circles.clear();
        self.walls.clear();
    }

    /// Adds what was seen among these bodies, the first of them walls from a place on.
    pub(super) fn add(&mut self, seen: &Seen, bodies: &[Body], walls_from: usize, before: Before<'_>) {
        self.circles.reserve(seen.sights.capacity());
        self.walls.reserve(seen.sights.capacity());
        for sight in &seen.sights {
            let [a, b] = sight.bodies.map(|at| &bodies[at as usize]);
            let is_wall = sight.bodies[1] as usize >= walls_from;
            let beyond = if is_wall { sight.gap } else { sight.gap / 2.0 };
            let far = |axis: usize| a.start[axis] + sight.way[axis] + sight.normal[axis] * (a.radius + beyond);
            let (point, row) = ([far(0), far(1)], |body: &Body| before.order[body.row as usize]);
            let met = MetWithin { rows: [row(a), b.row], point, normal: sight.normal, approach: sight.approach };
            if is_wall {
                self.walls.push(met);
            } else if a.slot < b.slot {
                self.circles.push(MetWithin { rows: [row(a), row(b)], ..met });
            } else {
                self.circles.push(MetWithin { rows: [row(b), row(a)], normal: met.normal.map(|v| -v), ..met });
            }
        }
    }

    /// By rows, of two circles first the lower; of one pair, which may have met across a border in several places, in an order of its own.
    pub(super) fn sort(&mut self) {
        self.circles.sort_unstable_by(|one, other| one.by(ascending(one.rows), other, ascending(other.rows)));
        self.walls.sort_unstable_by(|one, other| one.by(one.rows, other, other.rows));
    }
}

impl MetWithin {
    fn by(&self, rows: [u32; 2], other: &MetWithin, rows_of_other: [u32; 2]) -> Ordering {
        let numbers = |met: &MetWithin| [met.normal[0], met.normal[1], met.point[0], met.point[1]];
        let pairs = numbers(self).into_iter().zip(numbers(other));
        pairs.fold(rows.cmp(&rows_of_other), |all, (a, b)| all.then_with(|| a.total_cmp(&b)))
    }
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [std::cmp::min(a, b), std::cmp::max(a, b)]
}

#[cfg(test)]
mod tests {
    use super::super::bond::pace;
    use super::*;

    /// A substep of a second: A of radius 1 at the origin, as heavy as B, which stands above it.
    fn after_a_substep(gap: f64, velocity: Pair) -> (Seen, Bond) {
        let bond =
            Bond { b: 1, start: [0.0, 2.0 + gap], reach: 2.0, shares: [0.5, 0.5], watched: true, ..Bond::default() };
        let mut bond = bond.with_radius(1.0, 1.0);
        let mut motions = [Motion { velocity, ..Motion::default() }, Motion::default()];
        bond.look(&motions);
        bond.bear(&mut motions, pace(1.0, 1.0, 1.0));
        motions.iter_mut().for_each(|motion| motion.coast(1.0));
        bond.relax(&mut motions);
        let mut seen = Seen::default();
        seen.start(1.0);
        seen.look(&mut bond, &motions);
        seen.look(&mut bond, &motions);
        (seen, bond)
    }

    #[test]
    fn who_is_stopped_has_met_once_and_as_fast_as_it_came() {
        // A quarter before B at 2: it may come so near, and then stands.
        let (seen, bond) = after_a_substep(0.25, [0.0, 2.0]);
        let [sight] = seen.sights[..] else { panic!("{seen:?}") };
        assert_eq!((sight.approach, sight.normal, sight.gap, bond.watched), (2.0, [0.0, 1.0], 0.0, false));
        // Of the 1.75 by which they would overlap half is A's to give: it has come 2 - 0.875.
        assert_eq!(sight.way, [0.0, 1.125]);
        assert_eq!(after_a_substep(0.25, [0.0, 0.125]).0.sights.len(), 0, "too slow to come so far");
    }

    #[test]
    fn who_would_have_passed_has_not_met() {
        // Up at 0.5, but to the side at 2: at the end of the second B would be at (-2, 1.75) of A, √7.0625 > 2 away. What comes nearer by more than the gap
        // along the normal of the start is given an impulse all the same.
        let (seen, bond) = after_a_substep(0.25, [2.0, 0.5]);
        assert!(bond.acted && bond.watched && seen.sights.is_empty(), "{seen:?}");
        // To the side at 0.5: (-0.5, 1.75) is √3.3125 < 2.
        assert_eq!(after_a_substep(0.25, [0.5, 0.5]).0.sights.len(), 1);
    }

    #[test]
    fn who_is_hit_has_met_where_its_gap_was_zero() {
        // 0.5 deep at 2: a quarter of a second ago, when A was 0.5 lower.
        let mut bond = Bond { b: 1, start: [0.0, 1.5], reach: 2.0, watched: true, ..Bond::default() };
        let motions = [Motion { velocity: [0.0, 2.0], ..Motion::default() }, Motion::default()];
        let met = Meeting { normal: [0.0, 1.0], approach: 2.0, since: 0.25, distance: 2.0 };
        let mut seen = Seen::default();
        seen.hit(&mut bond, &met, &motions);
        seen.hit(&mut bond, &met, &motions);
        let [sight] = seen.sights[..] else { panic!("{seen:?}") };
        assert_eq!((sight.way, sight.gap, sight.approach), ([0.0, -0.5], 0.0, 2.0));
        let order = [5, 7];
        let before =
            Before { order: &order, x: &[], y: &[], velocity_x: &[], velocity_y: &[], flown: &[], handle: &[] };
        // The second has the lower handle; the point is told from the first.
        let bodies = [(0, 9), (1, 4)].map(|(row, slot)| Body { row, slot, radius: 1.0, ..Body::default() });
        let mut told = Told::default();
        told.add(&seen, &bodies, 2, before);
        let met = MetWithin { rows: [7, 5], point: [0.0, 0.5], normal: [-0.0, -1.0], approach: 2.0 };
        assert_eq!(told.circles, [met]);
        told.add(&seen, &bodies, 1, before);
        assert_eq!(told.walls, [MetWithin { rows: [5, 1], normal: [0.0, 1.0], ..met }]);
    }
}
