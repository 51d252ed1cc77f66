//! Pairs of restitution 1: an impulse each, and what overlap is left is taken back bit by bit.
//!
//! Comes in: circles, their contacts. Goes out: the circles, moved and turned; what was given. This room does not know who rests.
//!
//! One backtracked impulse each, one contact after the other, each on what those before it left, so that every pair conserves momentum and
//! energy, whatever the order. Walls come last and so have the last word. Then a few passes take back overlap. Threads work side by
//! side on [strips](Strips), and lanes on pairs that share no circle, in an [order](super::order) with the same bits. Pairs across strips come
//! first, with all that is done to them; then a strip has all its turns at once, so that its circles are brought into the caches once and not six times.

use super::impulse;
use super::lanes::{Impulses, Pushes};
use super::law::Law;
use super::mirrors::Mirrors;
use super::order::{DEEP, Order};
use super::push_out;
use super::resolve::Given;
use super::rest::Touching;
use super::strips::{Places, Sorted, Strips};
use super::taken::{Body, Circles, First, difference};
use crate::geometry::Periods;
use crate::kernels::{LANES, dispatch};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};
use crate::parallel::Split;
use std::ops::Range;

/// Push-out passes, and the share of the overlap that each takes back.
const PUSHES: (usize, f64) = (2, 0.2);

/// How many steps ago two discs may have met. Whom an impulse has turned towards a third one meets it in this very step, is found at the
/// end of the next, and flew on for up to two. With one step for the longest, a gas at packing 0.5 whose discs fly a twentieth of their
/// diameter a step had 1.6 % too little pressure, with two it has 0.3 (equation of state and measurement agree to that).
pub(super) const LATE: f64 = 2.0;

/// What bounces, strip by strip.
#[derive(Debug, Default)]
pub(super) struct Bouncing {
    pairs: Sorted,
    walls: Sorted,
    strips: Vec<Strip>,
    across: Strip,
}

/// Fewer pairs than this, and fewer than one for so many rows, are not worth an order.
pub(super) const FEW: (usize, usize) = (LANES, 512);

/// Fewer pairs across strips than this are done before another thread has begun with the orders of the others.
const MANY_ACROSS: usize = 512;

/// What a strip has given, and the contacts that impulses have not parted.
#[derive(Debug, Default)]
pub(super) struct Strip {
    pub(super) given: f64,
    to_walls: f64,
    mirrors: Mirrors,
    pub(super) order: Order,
    /// There is an order, for lanes.
    is_ordered: bool,
    pub(super) deep: Vec<u32>,
    /// Where parts of these end of which no two share a circle; empty where there are none.
    pub(super) fronts: Vec<u32>,
}

impl Bouncing {
    /// One impulse each, then some of the overlap that is left is taken back.
    pub(super) fn answer(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        touching: Touching<'_>,
        split: Split,
    ) -> Given {
        let (passes, factor) = PUSHES;
        self.each(circles, law, touching, split, |circles, strip, walls| {
            for _ in 0..passes {
                strip.push(circles, touching.circle_circle, factor);
                strip.mirrors.push(circles, touching.circle_segment, walls, factor);
            }
        })
    }

    /// One impulse each; [`Self::part`] is to follow.
    pub(super) fn bounce(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        touching: Touching<'_>,
        split: Split,
    ) -> Given {
        self.each(circles, law, touching, split, |_, _, _| ())
    }

    /// One impulse each, and `then` more with what a strip remembers and its walls.
    fn each(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        touching: Touching<'_>,
        split: Split,
        then: impl Fn(&mut Circles<'_>, &Strip, Places<'_>) + Sync,
    ) -> Given {
        let Touching { segments, across: images, circle_circle, circle_segment, .. } = touching;
        let Bouncing { pairs, walls, strips, across } = self;
        let by = Strips::of(circles.len());
        split.join(
            || pairs.sort(by.count(), circle_circle, |c| [by.at(c.a), by.at(c.b)], split),
            || walls.sort(by.count(), circle_segment, |c| [by.at(c.a); 2], split),
        );
        if strips.len() < by.count() {
            strips.resize_with(by.count(), Strip::default);
        }
        let strips = &mut strips[..by.count()];
        let in_lanes = circles.periods == Periods::default() && law.all_circles_alike();
        // Who is in what order can be told while those across are at work.
        let ahead = split.is_parallel() && pairs.across().len() >= MANY_ACROSS;
        let order = |at, strip: &mut Strip| strip.put_in_order(by.rows(at), in_lanes, (circle_circle, pairs.of(at)));
        split.join(
            || {
                across.put_in_order(0..circles.len(), in_lanes, (circle_circle, pairs.across()));
                across.bounce(circles, law, circle_circle, pairs.across());
                then(circles, across, Places::These(&[]));
            },
            || {
                if ahead {
                    split.each(strips, order)
                }
            },
        );
        by.each(circles, strips, split, &|circles, at, strip| {
            if !ahead {
                order(at, strip);
            }
            strip.bounce(circles, law, circle_circle, pairs.of(at));
            strip.to_walls = strip.mirrors.mirror(circles, (segments, &images), law, circle_segment, walls.of(at));
            then(circles, strip, walls.of(at));
        });
        let given = Given { virial: across.given, to_walls: 0.0 };
        strips.iter().fold(given, |sum, strip| sum.and(Given { virial: strip.given, to_walls: strip.to_walls }))
    }

    /// Takes back some of the overlap that is left; last that of pairs and walls that did not bounce.
    pub(super) fn part(
        &mut self,
        circles: &mut Circles<'_>,
        touching: Touching<'_>,
        (mixed, mixed_walls): (&[CircleCircleContact], &[CircleSegmentContact]),
        split: Split,
    ) {
        let Touching { circle_circle, circle_segment, .. } = touching;
        let Bouncing { walls, strips, across, .. } = self;
        let by = Strips::of(circles.len());
        let (passes, factor) = PUSHES;
        for _ in 0..passes {
            by.each(circles, strips, split, &|circles, _, strip| strip.push(circles, circle_circle, factor));
            across.push(circles, circle_circle, factor);
            push(circles, mixed.iter(), factor);
            by.each(circles, strips, split, &|circles, at, strip| {
                strip.mirrors.push(circles, circle_segment, walls.of(at), factor);
            });
            mixed_walls.iter().for_each(|contact| push_out::circle_segment(circles, contact, factor));
        }
    }
}

/// Takes back so much of the overlap of each pair.
fn push<'a>(circles: &mut Circles<'_>, contacts: impl Iterator<Item = &'a CircleCircleContact>, factor: f64) {
    let mut first = First::default();
    for contact in contacts {
        push_out::circle_circle(circles, contact, first.of(circles, contact.a), factor);
    }
}

impl Strip {
    /// Finds the order in which lanes take the pairs of these rows, if they are to.
    fn put_in_order(
        &mut self,
        rows: Range<usize>,
        in_lanes: bool,
        (contacts, places): (&[CircleCircleContact], Places<'_>),
    ) {
        let (least, many) = FEW;
        self.is_ordered = in_lanes && places.len() >= least + rows.len() / many;
        if self.is_ordered {
            let local = |row: u32| row - rows.start as u32;
            let pairs = places.iter().map(|at| &contacts[at as usize]).map(|c| [local(c.a), local(c.b)]);
            self.order.of(pairs, rows.len());
        }
    }

    /// One impulse each; remembers the pairs that still overlap then. Most have flown apart.
    fn bounce(
        &mut self,
        circles: &mut Circles<'_>,
        law: &Law<'_>,
        contacts: &[CircleCircleContact],
        places: Places<'_>,
    ) {
        self.given = 0.0;
        self.deep.clear();
        self.fronts.clear();
        if self.is_ordered {
            self.deep.reserve(places.len());
            self.fronts.reserve(DEEP);
            let (backend, set) = circles.kernels();
            return dispatch(
                backend,
                set,
                Impulses { circles, law, longest: LATE * law.dt, contacts, places, strip: self },
            );
        }
        let (mut first, Strip { given, deep, .. }) = (First::default(), self);
        places.iter().for_each(|at| {
            let contact = &contacts[at as usize];
            let (virial, overlap) = resolve_pair(circles, law, contact, first.of(circles, contact.a));
            *given += virial;
            if overlap {
                deep.push(at);
            }
        });
    }

    /// Takes back so much of what these overlap.
    fn push(&self, circles: &mut Circles<'_>, contacts: &[CircleCircleContact], factor: f64) {
        if self.fronts.is_empty() {
            return push(circles, self.deep(contacts), factor);
        }
        let (backend, set) = circles.kernels();
        dispatch(backend, set, Pushes { circles, contacts, strip: self, factor });
    }

    /// Those that it remembers.
    fn deep<'a>(&'a self, contacts: &'a [CircleCircleContact]) -> impl Iterator<Item = &'a CircleCircleContact> {
        self.deep.iter().map(|&at| &contacts[at as usize])
    }
}

/// The impulse of two circles, if they approach and one of them can be moved: its share of the virial, and whether they still
/// overlap then.
#[inline(always)]
pub(super) fn resolve_pair(
    circles: &mut Circles<'_>,
    law: &Law<'_>,
    contact: &CircleCircleContact,
    one: &mut Body,
) -> (f64, bool) {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut two = circles.take(b);
    let weight = one.inverse_mass + two.inverse_mass;
    if weight == 0.0 {
        return (0.0, false);
    }
    let (d, u) = (circles.between(one.position, two.position), difference(one.velocity, two.velocity));
    let mut virial = 0.0;
    let met = impulse::discs(d, u, one.radius + two.radius, LATE * law.dt);
    let speed = law.speed_of_circles(a, b);
    if let Some(met) =
        if speed > 0.0 { met.or_else(|| impulse::thrown(d, u, one.radius + two.radius, speed)) } else { met }
    {
        // Of restitution 1; shared by inverse mass.
        let (approach, since) = law.at_touch_of(&met, [one.inverse_mass, two.inverse_mass], [one.radius, two.radius]);
        let change = met.change_of(approach, 1.0, speed);
        let (by_one, by_two) = (change * (one.inverse_mass / weight), change * (two.inverse_mass / weight));
        circles.kick(a, one, met.normal, -by_one, since);
        circles.kick(b, &mut two, met.normal, by_two, since);
        virial = change / weight * met.distance;
    }
    (virial, push_out::is_deep(circles, one, &two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Backend, InstructionSet};

    /// Circles, column by column: x, y, velocities, radius, inverse mass.
    type Columns = [Vec<f32>; 6];

    fn circles(columns: &mut Columns, kernels: (Backend, InstructionSet)) -> Circles<'_> {
        let [x, y, vx, vy, radius, inverse_mass] = columns;
        Circles::new(x, y, vx, vy, radius, inverse_mass).with_kernels(kernels.0, kernels.1)
    }

    /// The bits of all columns, the pairs that are deep by their places, and whether all is finite.
    type After = (Vec<u32>, Vec<u32>, bool);

    fn after(columns: &Columns, mut deep: Vec<u32>, finite: bool) -> After {
        deep.sort_unstable();
        (columns.iter().flatten().map(|v| v.to_bits()).collect(), deep, finite)
    }

    /// One contact after the other, and two pushes of those that are deep: what all others have to say.
    fn one_by_one(mut columns: Columns, contacts: &[CircleCircleContact], law: &Law<'_>) -> After {
        let mut circles = circles(&mut columns, (Backend::Scalar, InstructionSet::Portable));
        let mut deep = Vec::new();
        for (at, contact) in contacts.iter().enumerate() {
            let mut one = circles.take(contact.a as usize);
            if resolve_pair(&mut circles, law, contact, &mut one).1 {
                deep.push(at as u32);
            }
        }
        for at in deep.iter().chain(&deep) {
            let contact = &contacts[*at as usize];
            let mut one = circles.take(contact.a as usize);
            push_out::circle_circle(&mut circles, contact, &mut one, PUSHES.1);
        }
        let finite = circles.finite;
        after(&columns, deep, finite)
    }

    /// The same by a strip, with these kernels; and what it has given.
    fn by_strip(
        mut columns: Columns,
        contacts: &[CircleCircleContact],
        law: &Law<'_>,
        kernels: (Backend, InstructionSet),
    ) -> (After, f64) {
        let (mut circles, mut strip) = (circles(&mut columns, kernels), Strip::default());
        strip.put_in_order(0..circles.len(), true, (contacts, Places::All(contacts.len() as u32)));
        strip.bounce(&mut circles, law, contacts, Places::All(contacts.len() as u32));
        assert_eq!(strip.fronts.is_empty(), contacts.len() < FEW.0);
        for _ in 0..2 {
            strip.push(&mut circles, contacts, PUSHES.1);
        }
        let finite = circles.finite;
        (after(&columns, strip.deep, finite), strip.given)
    }

    #[test]
    fn eight_at_a_time_do_what_one_after_the_other_does() {
        let mut state = 7u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let (mut moved, mut deep, mut infinite) = (0, 0, 0);
        for round in 0..600 {
            let count = 2 + draw(60);
            // Few values, so that circles coincide, rest, have no radius or cannot be moved; now and then numbers at both ends of the range.
            let mut value = |scale: f32| match draw(if round % 3 == 0 { 12 } else { 200 }) {
                0 => 0.0,
                1 => -0.0,
                2 if round % 6 == 0 => f32::MAX * scale.signum(),
                3 if round % 6 == 0 => f32::from_bits(1),
                k => (k as f32 - 5.0) * scale,
            };
            let mut column = |scale: f32| -> Vec<f32> { (0..count).map(|_| value(scale)).collect() };
            let columns = [column(0.37), column(0.41), column(-3.1), column(2.3), column(0.3), column(0.5)];
            let [x, y, vx, vy, radius, inverse_mass] = columns;
            let positive = |column: Vec<f32>| column.into_iter().map(f32::abs).collect::<Vec<f32>>();
            let columns = [x, y, vx, vy, positive(radius), positive(inverse_mass)];
            let contacts: Vec<_> = (0..draw(200))
                .map(|_| (draw(count), draw(count - 1)))
                .map(|(a, b)| CircleCircleContact { a, b: (a + 1 + b) % count, ..Default::default() })
                .collect();
            let law = Law::new(0.25).with_gravity([[0.0; 2], [0.75, -3.0]][round / 2 % 2]);
            let expected = one_by_one(columns.clone(), &contacts, &law);
            let mut given = None;
            for kernels in InstructionSet::texts() {
                let (found, sum) = by_strip(columns.clone(), &contacts, &law, kernels);
                assert_eq!((&found, sum), (&expected, *given.get_or_insert(sum)), "{round} {kernels:?}");
            }
            moved += usize::from(expected.0 != after(&columns, vec![], true).0);
            (deep, infinite) = (deep + expected.1.len(), infinite + usize::from(!expected.2));
        }
        assert!(moved > 500 && deep > 2000 && infinite > 5, "{moved} {deep} {infinite}");
    }

    #[test]
    fn strips_do_all_of_theirs_at_once_behind_what_lies_across() {
        // Eight strips of 2 048 and a ninth; contacts from each seventh row to the one three further, four of which end in the next strip.
        let near = |a: u32| CircleCircleContact { a, b: a + 3, ..Default::default() };
        let rows = 8 * 2048 + 100;
        let x = |row: u32| row as f32 * 0.25;
        assert!((2..8).contains(&strips_do_all(rows, x, (0..rows - 3).step_by(7).map(near).collect())));
        // The same row of cells eight times over, and from each fifth row one to the circle that stands there in the next strip: so many that
        // the orders of the strips are made meanwhile.
        let far = |a: u32| CircleCircleContact { a, b: a + 2048, ..Default::default() };
        let both = (0..rows - 3).step_by(7).map(near).chain((0..rows - 2048).step_by(5).map(far)).collect();
        assert!(strips_do_all(rows, |row| x(row % 2048), both) > MANY_ACROSS);
    }

    /// By any number of threads what one after the other does; how many pairs lay across.
    fn strips_do_all(rows: u32, x: impl Fn(u32) -> f32, contacts: Vec<CircleCircleContact>) -> usize {
        use crate::narrow_phase::{Across, Joints};
        use crate::parallel::{Pool, Threads};
        use crate::storage::{SegmentColumns, Slots};
        let column = |seed: u32, scale: f32| -> Vec<f32> {
            (0..rows).map(|k| (k.wrapping_mul(seed) >> 16) as f32 / 65_536.0 * scale).collect()
        };
        let (x, rows) = ((0..rows).map(x).collect(), rows as usize);
        let (vx, vy) = (column(2_654_435_761, 2.0), column(2_246_822_519, 2.0));
        let columns: Columns = [x, column(3_266_489_917, 0.5), vx, vy, vec![0.5; rows], vec![1.0; rows]];
        let of_strip = |c: &CircleCircleContact| (c.a >> 11 == c.b >> 11).then_some(c.a >> 11);
        let law = Law::new(0.25);
        // Those across, then strip by strip, one by one.
        let (mut expected, mut across) = (columns.clone(), 0);
        for strip in [None].into_iter().chain((0..9).map(Some)) {
            let some: Vec<_> = contacts.iter().filter(|c| of_strip(c) == strip).copied().collect();
            across += if strip.is_none() { some.len() } else { 0 };
            let (bits, ..) = one_by_one(expected.clone(), &some, &law);
            let mut bits = bits.chunks(rows).map(|column| column.iter().map(|&v| f32::from_bits(v)).collect());
            expected = std::array::from_fn(|_| bits.next().expect("six"));
        }
        assert!(expected != columns);
        let (segments, joints) = (SegmentColumns::default(), Joints::default());
        let (segments, joints, images) = (&segments, &joints, Across::default());
        let (slots, circle_circle) = (&Slots::new(), &contacts[..]);
        let touching = Touching { segments, slots, joints, across: images, circle_circle, circle_segment: &[] };
        for (backend, set) in InstructionSet::texts() {
            for threads in [1, 3] {
                let mut found = columns.clone();
                let answer =
                    |split| Bouncing::default().answer(&mut circles(&mut found, (backend, set)), &law, touching, split);
                Pool::new(Threads::Fixed(threads)).run(usize::MAX, answer);
                assert!(found == expected, "{backend:?} {set:?} {threads}");
            }
        }
        across
    }
}
