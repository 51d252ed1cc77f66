//! Circles at walls, eight at a time.
//!
//! Comes in: contacts of circles and walls, in their order. Goes out: what [`mirrored`](super::mirrored) and [`push_out`] do with one after
//! the other, bit for bit: walls give no way, so only contacts of one circle have to wait for each other. This room does not know why
//! contacts are together.

use super::bouncing::{FEW, LATE};
use super::law::Law;
use super::mirrored::mirror;
use super::order::Order;
use super::push_out;
use super::resolve::{end_of, wall_velocity};
use super::strips::Places;
use super::taken::Circles;
use crate::geometry::{Feature, Periods};
use crate::kernels::bounce::{Pull, Tangents, Tips};
use crate::kernels::{Kernels, LANES, Operation, dispatch};
use crate::narrow_phase::{Across, CircleSegmentContact};
use crate::storage::SegmentColumns;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    order: Order,
    /// Contacts with walls that were mirrored; none where that was done one by one.
    eights: Vec<Eight>,
    /// By place: how large the impulse was.
    given: Vec<f64>,
}

/// Contacts of which no two share a circle, as they are pushed.
#[derive(Clone, Copy, Debug, Default)]
struct Eight {
    /// So many of the lanes.
    count: usize,
    /// Circles; some row in the lanes that are left over.
    rows: [u32; LANES],
    tangents: Tangents,
}

impl Mirrors {
    /// One impulse each; how large they are together.
    pub(super) fn mirror(
        &mut self,
        circles: &mut Circles<'_>,
        walls: (&SegmentColumns, &Across<'_>),
        law: &Law<'_>,
        contacts: &[CircleSegmentContact],
        places: Places<'_>,
    ) -> f64 {
        self.eights.clear();
        let (least, many) = FEW;
        let alike = circles.periods == Periods::default() && law.all_walls_alike();
        if !alike || places.len() < least + circles.len() / many {
            return places.iter().map(|at| mirror(circles, walls, law, &contacts[at as usize])).sum();
        }
        let first = circles.first() as u32;
        let rows = places.iter().map(|at| contacts[at as usize].a - first);
        self.order.of(rows.map(|row| [row; 2]), circles.len());
        self.eights.reserve(places.len().div_ceil(LANES));
        self.given.resize(places.len(), 0.0);
        let (backend, set) = circles.kernels();
        dispatch(backend, set, Impulses { circles, walls, law, contacts, places, mirrors: self });
        // In the order of the contacts: sums are rounded.
        self.given.iter().sum()
    }

    /// Takes back so much of what these overlap, which were mirrored before.
    pub(super) fn push(
        &self,
        circles: &mut Circles<'_>,
        contacts: &[CircleSegmentContact],
        places: Places<'_>,
        factor: f64,
    ) {
        if self.eights.is_empty() {
            return places.iter().for_each(|at| push_out::circle_segment(circles, &contacts[at as usize], factor));
        }
        let (backend, set) = circles.kernels();
        dispatch(backend, set, Pushes { circles, eights: &self.eights, factor });
    }
}

struct Impulses<'a, 'c> {
    circles: &'a mut Circles<'c>,
    walls: (&'a SegmentColumns, &'a Across<'a>),
    law: &'a Law<'a>,
    contacts: &'a [CircleSegmentContact],
    places: Places<'a>,
    mirrors: &'a mut Mirrors,
}

impl Operation for Impulses<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Impulses { circles, walls, law, contacts, places, mirrors: Mirrors { order, eights, given } } = self;
        let (segments, across) = walls;
        let some_move = !segments.moving_rows.is_empty();
        let (longest, pull) = ([law.dt, LATE * law.dt], Pull { gravity: law.gravity, half: law.dt / 2.0 });
        let pull = if law.pulls() { Some(&pull) } else { None };
        for front in order.fronts() {
            for some in front.chunks(LANES) {
                let mut of = [&contacts[places.get(some[0]) as usize]; LANES];
                let (mut is_end, mut moves) = (false, false);
                for (of, &place) in of.iter_mut().zip(some) {
                    *of = &contacts[places.get(place) as usize];
                    is_end |= of.feature == Feature::Start || of.feature == Feature::End;
                    moves |= some_move && segments.moving[of.b as usize];
                }
                let [a, b, c, d, e, f, g, h] = of;
                let rows = [a.a, b.a, c.a, d.a, e.a, f.a, g.a, h.a];
                let mut bodies = circles.take_eight(&rows);
                let mut tips = Tips { end: bodies.position, radius: [0.0; LANES] };
                if is_end {
                    for (k, contact) in of.iter().enumerate() {
                        if let Some(end) = end_of(segments, contact.b as usize, contact) {
                            (tips.end[0][k], tips.end[1][k]) = (end[0] as f32, end[1] as f32);
                            tips.radius[k] = segments.radius[contact.b as usize];
                        }
                    }
                }
                let tips = if is_end { Some(&tips) } else { None };
                let mut speeds = [[0.0; LANES]; 2];
                if moves {
                    for (k, contact) in of.iter().enumerate() {
                        let velocity = wall_velocity(segments, across, contact);
                        (speeds[0][k], speeds[1][k]) = (velocity[0], velocity[1]);
                    }
                }
                let speeds = if moves { Some(&speeds) } else { None };
                let records = [cast(a), cast(b), cast(c), cast(d), cast(e), cast(f), cast(g), cast(h)];
                if let Some(mirrored) = K::mirror(&mut bodies, records, tips, speeds, longest, pull) {
                    circles.put_eight(&rows, &bodies, some.len());
                    circles.finite &= mirrored.finite;
                    for (&place, impulse) in some.iter().zip(mirrored.given) {
                        given[place as usize] = impulse;
                    }
                    eights.push(Eight { count: some.len(), rows, tangents: mirrored.tangents });
                } else {
                    for (&place, contact) in some.iter().zip(of) {
                        given[place as usize] = mirror(circles, walls, law, contact);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn cast(contact: &CircleSegmentContact) -> &[f32; 8] {
    bytemuck::cast_ref(contact)
}

struct Pushes<'a, 'c> {
    circles: &'a mut Circles<'c>,
    eights: &'a [Eight],
    factor: f64,
}

impl Operation for Pushes<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Pushes { circles, eights, factor } = self;
        for Eight { count, rows, tangents } in eights {
            let mut bodies = circles.take_eight(rows);
            if let Some(finite) = K::push_back(&mut bodies, tangents, factor) {
                circles.put_positions(rows, &bodies, *count);
                circles.finite &= finite;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Segment, Vec2};
    use crate::kernels::{Backend, InstructionSet};
    use crate::storage::SegmentHandle;

    /// Circles, column by column: x, y, velocities, radius, inverse mass.
    type Columns = [Vec<f32>; 6];

    const FACTOR: f64 = 0.2;

    /// The bits of all columns; how much was given; whether all is finite.
    type After = (Vec<u32>, f64, bool);

    /// `work` on the columns, by these kernels.
    fn after(
        mut columns: Columns,
        kernels: (Backend, InstructionSet),
        work: impl FnOnce(&mut Circles<'_>) -> f64,
    ) -> After {
        let [x, y, vx, vy, radius, inverse_mass] = &mut columns;
        let mut circles = Circles::new(x, y, vx, vy, radius, inverse_mass).with_kernels(kernels.0, kernels.1);
        let given = work(&mut circles);
        let finite = circles.finite;
        (columns.iter().flatten().map(|v| v.to_bits()).collect(), given, finite)
    }

    #[test]
    fn eight_at_a_time_do_what_one_after_the_other_does() {
        let mut state = 11u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        // What was done in eights; impulses, ends, and numbers that went out of range.
        let (mut eights, mut impulses, mut ends, mut infinite) = (0, 0, 0, 0);
        for round in 0..600 {
            let count = 1 + draw(40);
            // Few values, so that centres lie on ends, circles rest, have no radius or cannot be moved; now and then numbers at both ends of
            // the range.
            let value = |draw: &mut dyn FnMut(u32) -> u32, scale: f32| match draw(if round % 3 == 0 { 12 } else { 200 })
            {
                0 => 0.0,
                1 => -0.0,
                2 if round % 6 == 0 => f32::MAX * scale.signum(),
                3 if round % 6 == 0 => f32::from_bits(1),
                k => (k as f32 - 5.0) * scale,
            };
            let mut column = |scale: f32| -> Vec<f32> { (0..count).map(|_| value(&mut draw, scale)).collect() };
            let columns = [column(0.5), column(0.5), column(-3.1), column(2.3), column(0.3), column(0.5)];
            let [x, y, vx, vy, radius, inverse_mass] = columns;
            let positive = |column: Vec<f32>| column.into_iter().map(f32::abs).collect::<Vec<f32>>();
            let columns = [x, y, vx, vy, positive(radius), positive(inverse_mass)];
            let mut segments = SegmentColumns::default();
            for k in 0..20 {
                let end = [value(&mut draw, 0.5), value(&mut draw, 0.5)];
                let segment = Segment::new(end, [end[0] + 3.0, end[1] + value(&mut draw, 0.1)])
                    .with_radius(value(&mut draw, 0.05).abs());
                // None moves, or a few do, or nearly all; straight on, or turning.
                let moves = [false, k % 9 == 0, k % 9 != 0][round % 3];
                let mut body = if moves { segment.with_velocity([1.0, -2.0]) } else { segment.into() };
                if moves && k % 2 == 0 {
                    body.end_velocity = Vec2::new(value(&mut draw, 0.7), -1.5);
                }
                segments.push(body, SegmentHandle::new(k, 0));
            }
            let contacts: Vec<_> = (0..draw(200))
                .map(|_| {
                    let turn = draw(64) as f32 * 0.1;
                    CircleSegmentContact {
                        a: draw(count),
                        b: draw(20),
                        point: Vec2::new(value(&mut draw, 0.4), value(&mut draw, 0.4)),
                        normal: Vec2::new(turn.cos(), turn.sin()),
                        feature: [Feature::Interior, Feature::Interior, Feature::Start, Feature::End][draw(4) as usize],
                        ..Default::default()
                    }
                })
                .collect();
            let law = Law::new(0.25).with_gravity([[0.0; 2], [0.75, -3.0]][round / 2 % 2]);
            let walls = (&segments, &Across::default());
            let places: Vec<u32> = (0..contacts.len() as u32).filter(|at| at % 5 > 0).collect();
            let one_by_one = |circles: &mut Circles<'_>| {
                let of = |at: &u32| &contacts[*at as usize];
                let given = places.iter().map(|at| mirror(circles, walls, &law, of(at))).sum();
                for at in places.iter().chain(&places) {
                    push_out::circle_segment(circles, of(at), FACTOR);
                }
                given
            };
            let expected = after(columns.clone(), (Backend::Scalar, InstructionSet::Portable), one_by_one);
            for kernels in InstructionSet::texts() {
                let mut mirrors = Mirrors::default();
                let found = after(columns.clone(), kernels, |circles| {
                    let given = mirrors.mirror(circles, walls, &law, &contacts, Places::These(&places));
                    for _ in 0..2 {
                        mirrors.push(circles, &contacts, Places::These(&places), FACTOR);
                    }
                    given
                });
                // Once a number is out of range the step is refused: no other matters then.
                assert_eq!(found.2, expected.2, "{round} {kernels:?}");
                assert!(!found.2 || found == expected, "{round} {kernels:?}");
                eights += mirrors.eights.len();
            }
            impulses += usize::from(expected.1 > 0.0);
            infinite += usize::from(!expected.2);
            ends += contacts.iter().filter(|contact| contact.feature != Feature::Interior).count();
        }
        assert!(
            eights > 5_000 && impulses > 400 && ends > 10_000 && infinite > 5,
            "{eights} {impulses} {ends} {infinite}"
        );
    }
}
