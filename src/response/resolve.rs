//! One response to all contacts of a step.
//!
//! Comes in: circles after their motion and before it, segments, contacts. Goes out: the circles' new velocities and positions, and
//! whether all that was written is finite. This room does not know how contacts are found.
//!
//! Pairs of restitution 1 never rest: one backtracked impulse each, one contact after the other, each on what those before it left, so
//! that every pair conserves momentum and energy, whatever the order. Walls come last and so have the last word. Then a few passes
//! take back overlap. Cost: about 32 ns a contact and 16 a push where circles lie close, a chain of roots and quotients in f64; one thread.
//! All other pairs go to `rest`. Where there are none, nothing of it is touched.

use super::impulse::{self, Meeting, Pair, dot};
use super::law::Law;
use super::push_out;
use super::rest::{Before, Elastic, Rest, Touching};
use super::taken::{Body, Circles, First, difference};
use super::warmth::Warmth;
use crate::geometry::{Feature, Periods};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};
use crate::storage::SegmentColumns;

/// Push-out passes, and the share of the overlap that each takes back.
const PUSHES: (usize, f64) = (2, 0.2);

/// How many steps ago two discs may have met. Whom an impulse has turned towards a third one meets it in this very step, is found at the
/// end of the next, and flew on for up to two. With one step for the longest, a gas at packing 0.5 whose discs fly a twentieth of their
/// diameter a step had 1.6 % too little pressure, with two it has 0.3 (equation of state and measurement agree to that).
const LATE: f64 = 2.0;

/// What was given in one step, summed up in the order of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Given {
    /// Of impulses between circles, each times the distance of their centres along it.
    pub(crate) virial: f64,
    /// Of impulses on segments.
    pub(crate) to_walls: f64,
}

impl Given {
    fn and(self, other: Given) -> Given {
        Given { virial: self.virial + other.virial, to_walls: self.to_walls + other.to_walls }
    }
}

/// Buffers, reused.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Contacts that impulses have not parted.
    deep: Vec<u32>,
    elastic: Elastic,
    rest: Rest,
    /// What pairs bear after this step.
    pub(crate) warmth: Warmth,
}

/// Impulses, bearing and push-out for all contacts; `near` is what may come to touch besides what does,
/// `last` is what pairs bore at the last step, and what they bear now goes to `buffers`. `None` if a number that was written is not finite.
pub(crate) fn resolve(
    mut circles: Circles<'_>,
    law: &Law<'_>,
    before: Before<'_>,
    [touching, near]: [Touching<'_>; 2],
    last: &Warmth,
    buffers: &mut Buffers,
) -> Option<Given> {
    let Buffers { deep, elastic, rest, warmth } = buffers;
    warmth.clear();
    let segments = touching.segments;
    let mut given;
    if law.is_elastic() || !rest.choose(&circles, law, [touching, near], elastic) {
        let Touching { circle_circle, circle_segment, .. } = touching;
        given = bounce(&mut circles, segments, law, circle_circle, circle_segment, deep);
        part(&mut circles, deep.iter().map(|&at| &circle_circle[at as usize]), circle_segment);
    } else {
        given = bounce(&mut circles, segments, law, &elastic.circle_circle, &elastic.circle_segment, deep);
        given = given.and(rest.solve(&mut circles, law, before, near, elastic, (last, warmth)));
        let Elastic { circle_circle, circle_segment, mixed, mixed_walls } = elastic;
        let deep = deep.iter().map(|&at| &circle_circle[at as usize]).chain(mixed.iter());
        circle_segment.append(mixed_walls);
        part(&mut circles, deep, circle_segment);
    }
    circles.finite.then_some(given)
}

/// Some pair may rest on each other.
pub(crate) fn may_rest(
    law: &Law<'_>,
    circle_circle: &[CircleCircleContact],
    circle_segment: &[CircleSegmentContact],
) -> bool {
    !law.is_elastic()
        && (circle_circle.iter().any(|c| law.of_circles(c.a as usize, c.b as usize) < 1.0)
            || circle_segment.iter().any(|c| law.of_wall(c.a as usize, c.b as usize) < 1.0))
}

/// One impulse each; `deep` are the pairs of circles that still overlap then. Most have flown apart.
fn bounce(
    circles: &mut Circles<'_>,
    segments: &SegmentColumns,
    law: &Law<'_>,
    circle_circle: &[CircleCircleContact],
    circle_segment: &[CircleSegmentContact],
    deep: &mut Vec<u32>,
) -> Given {
    let mut given = Given::default();
    deep.clear();
    let mut first = First::default();
    for (at, contact) in circle_circle.iter().enumerate() {
        let (virial, overlap) = resolve_pair(circles, law, contact, first.of(circles, contact.a));
        given.virial += virial;
        if overlap {
            deep.push(at as u32);
        }
    }
    for contact in circle_segment {
        given.to_walls += resolve_wall(circles, segments, law, contact);
    }
    given
}

/// Takes back some of the overlap that is left.
fn part<'a>(
    circles: &mut Circles<'_>,
    deep: impl Iterator<Item = &'a CircleCircleContact> + Clone,
    circle_segment: &[CircleSegmentContact],
) {
    let (passes, factor) = PUSHES;
    for _ in 0..passes {
        let mut first = First::default();
        for contact in deep.clone() {
            push_out::circle_circle(circles, contact, first.of(circles, contact.a), factor);
        }
        for contact in circle_segment {
            push_out::circle_segment(circles, contact, factor);
        }
    }
}

/// The impulse of two circles, if they approach and one of them can be moved: its share of the virial, and whether they still
/// overlap then.
#[inline(always)]
fn resolve_pair(
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
    if let Some(met) = if speed > 0.0 { met.or_else(|| thrown(d, u, one.radius + two.radius, speed)) } else { met } {
        // Of restitution 1; shared by inverse mass.
        let change = met.change(1.0, speed);
        let (by_one, by_two) = (change * (one.inverse_mass / weight), change * (two.inverse_mass / weight));
        circles.kick(a, one, met.normal, -by_one, met.since);
        circles.kick(b, &mut two, met.normal, by_two, met.since);
        virial = change / weight * met.distance;
    }
    (virial, push_out::is_deep(circles, one, &two))
}

/// Two circles that touch, do not approach, and are to part at some speed.
#[cold]
fn thrown(d: Pair, u: Pair, reach: f64, speed: f64) -> Option<Meeting> {
    let distance = dot(d, d).sqrt();
    // A pair before this one may have parted them.
    if distance > reach {
        return None;
    }
    let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [0.0, 1.0] };
    impulse::standing(normal, distance, u, speed)
}

/// The impulse of a circle on a segment, which has infinite mass: mirrored in the wall as it moves. How large it is.
fn resolve_wall(
    circles: &mut Circles<'_>,
    segments: &SegmentColumns,
    law: &Law<'_>,
    contact: &CircleSegmentContact,
) -> f64 {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut body = circles.take(a);
    if body.inverse_mass > 0.0 {
        let u = difference(body.velocity, wall_velocity(&circles.periods, segments, b, contact));
        if let Some(met) = meet_wall(circles, &body, segments, law, contact, u) {
            let change = met.change(1.0, law.speed_of_wall(a, b));
            circles.kick(a, &mut body, met.normal, -change, met.since);
            return change / body.inverse_mass;
        }
    }
    0.0
}

/// A flank is a half plane; an end is a disc of the segment's radius.
fn meet_wall(
    circles: &Circles<'_>,
    body: &Body,
    segments: &SegmentColumns,
    law: &Law<'_>,
    contact: &CircleSegmentContact,
    u: Pair,
) -> Option<Meeting> {
    let b = contact.b as usize;
    let speed = law.speed_of_wall(contact.a as usize, b);
    let d = end_of(segments, b, contact).map_or([0.0, 0.0], |end| circles.between(body.position, end));
    if d == [0.0, 0.0] {
        // Also where the centre is on an end: only the contact knows a normal then.
        let (normal, penetration) = push_out::half_plane(contact, body);
        let met = impulse::flank(normal, penetration, u, law.dt);
        let still = speed > 0.0 && penetration >= 0.0 && met.is_none();
        return if still { impulse::standing(normal, 0.0, u, speed) } else { met };
    }
    let reach = body.radius + f64::from(segments.radius[b]);
    let met = impulse::discs(d, u, reach, LATE * law.dt);
    if speed > 0.0 { met.or_else(|| thrown(d, u, reach, speed)) } else { met }
}

/// The end that is touched, if it is one.
pub(super) fn end_of(segments: &SegmentColumns, b: usize, contact: &CircleSegmentContact) -> Option<Pair> {
    match contact.feature {
        Feature::Start => Some([segments.x0[b], segments.y0[b]].map(f64::from)),
        Feature::End => Some([segments.x1[b], segments.y1[b]].map(f64::from)),
        _ => None,
    }
}

/// The velocity of the wall where it is touched: between those of its ends, by where the point is between them.
pub(super) fn wall_velocity(
    periods: &Periods,
    segments: &SegmentColumns,
    b: usize,
    contact: &CircleSegmentContact,
) -> Pair {
    if !segments.moving[b] {
        return [0.0, 0.0];
    }
    let wide = |x: f32, y: f32| [f64::from(x), f64::from(y)];
    let (from, to) = (wide(segments.x0[b], segments.y0[b]), wide(segments.x1[b], segments.y1[b]));
    let start = wide(segments.velocity_x0[b], segments.velocity_y0[b]);
    let end = wide(segments.velocity_x1[b], segments.velocity_y1[b]);
    let t = match contact.feature {
        Feature::Start => 0.0,
        Feature::End => 1.0,
        _ => {
            let along = [to[0] - from[0], to[1] - from[1]];
            let to_point = [f64::from(contact.point.x) - from[0], f64::from(contact.point.y) - from[1]];
            // The point is beside the circle, the ends are where the wall stands: the image of the point that is on the wall is that
            // nearest to its middle, but for walls longer than a period, which are met somewhere near.
            let to_point = periods.nearest_to([along[0] * 0.5, along[1] * 0.5], to_point);
            let length2 = dot(along, along);
            if length2 > 0.0 { impulse::between(0.0, dot(to_point, along) / length2, 1.0) } else { 0.0 }
        }
    };
    [start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Segment, Vec2};
    use crate::narrow_phase::Joints;
    use crate::storage::{CircleHandle, SegmentHandle};

    struct Scene {
        x: Vec<f32>,
        y: Vec<f32>,
        vx: Vec<f32>,
        vy: Vec<f32>,
        w: Vec<f32>,
        walls: SegmentColumns,
    }

    impl Scene {
        /// Circles of radius 1, each x y vx vy w.
        fn new(circles: &[[f32; 5]]) -> Scene {
            let column = |k: usize| circles.iter().map(|c| c[k]).collect();
            let walls = SegmentColumns::default();
            Scene { x: column(0), y: column(1), vx: column(2), vy: column(3), w: column(4), walls }
        }

        fn run(&mut self, law: Law<'_>, cc: &[CircleCircleContact], cs: &[CircleSegmentContact]) -> Option<Given> {
            let (radius, x, y) = (vec![1.0; self.x.len()], self.x.clone(), self.y.clone());
            let (velocity_x, velocity_y) = (self.vx.clone(), self.vy.clone());
            let order: Vec<u32> = (0..self.x.len() as u32).collect();
            let handle: Vec<_> = order.iter().map(|&slot| CircleHandle::new(slot, 0)).collect();
            let before = Before {
                order: &order,
                x: &x,
                y: &y,
                velocity_x: &velocity_x,
                velocity_y: &velocity_y,
                handle: &handle,
                flown: &[],
            };
            let joints = &Joints::default();
            let touching = Touching { segments: &self.walls, joints, circle_circle: cc, circle_segment: cs };
            let circles = Circles::new(&mut self.x, &mut self.y, &mut self.vx, &mut self.vy, &radius, &self.w);
            resolve(circles, &law, before, [touching; 2], &Warmth::default(), &mut Buffers::default())
        }
    }

    fn elastic() -> Law<'static> {
        Law::new(1.0)
    }

    const PAIR: CircleCircleContact =
        CircleCircleContact { a: 0, b: 1, point: Vec2::ZERO, normal: Vec2::ZERO, separation: 0.0 };

    #[test]
    fn equal_masses_exchange_velocities_and_fly_apart_since_the_touch() {
        // Closing at 2, gap zero at distance 2, now 1.5: met 0.25 ago. Each changes by 2 and moves by 0.5.
        let mut s = Scene::new(&[[0.0, 0.0, 1.0, 0.0, 1.0], [1.5, 0.0, -1.0, 0.0, 1.0]]);
        let given = s.run(elastic(), &[PAIR], &[]).unwrap();
        // Impulse 2 at a distance of 2.
        assert_eq!(given, Given { virial: 4.0, to_walls: 0.0 });
        assert_eq!((s.vx, s.x), (vec![-1.0, 1.0], vec![-0.5, 2.0]));
    }

    #[test]
    fn who_met_in_the_step_before_has_flown_apart_since() {
        // Closing at 0.5 and 0.375 too near: they met 0.75 ago, in the step of 0.5 before this one. Equal masses exchange their velocities
        // and have parted by 0.75 times 0.5 since.
        let mut s = Scene::new(&[[0.0, 0.0, 0.25, 0.0, 1.0], [1.625, 0.0, -0.25, 0.0, 1.0]]);
        s.run(Law::new(0.5), &[PAIR], &[]);
        assert_eq!((s.vx, s.x), (vec![-0.25, 0.25], vec![-0.375, 2.0]));
    }

    #[test]
    fn light_on_heavy() {
        // Inverse masses 3/2 and 1/2, so masses as 1 to 3: 4 against 0 gives (1 - 3)/4·4 = -2 and 2·1/4·4 = 2.
        let mut s = Scene::new(&[[0.0, 0.0, 4.0, 0.0, 1.5], [2.0, 0.0, 0.0, 0.0, 0.5]]);
        s.run(elastic(), &[PAIR], &[]);
        assert_eq!(s.vx, [-2.0, 2.0]);
        // Immovable: the other comes back, it stays.
        let mut s = Scene::new(&[[0.0, 0.0, 4.0, 0.0, 1.5], [2.0, 0.0, 0.0, 0.0, 0.0]]);
        s.run(elastic(), &[PAIR], &[]);
        assert_eq!((s.vx, s.x), (vec![-4.0, 0.0], vec![0.0, 2.0]));
    }

    #[test]
    fn moving_wall_gives_twice_its_velocity_where_it_is_touched() {
        let mut s = Scene::new(&[[2.0, 1.0, 0.0, 0.0, 1.0]]);
        let paddle = Segment::new([0.0, 0.0], [4.0, 0.0]).with_end_velocities([0.0, 0.0], [0.0, 4.0]);
        s.walls.push(paddle, SegmentHandle::new(0, 0));
        let touch =
            CircleSegmentContact { point: Vec2::new(2.0, 0.0), normal: Vec2::new(0.0, -1.0), ..Default::default() };
        assert_eq!(s.run(elastic(), &[], &[touch]).unwrap().to_walls, 4.0);
        // Half way between 0 and 4 the wall moves at 2; a body at rest leaves at twice that.
        assert_eq!(s.vy, [4.0]);
    }

    #[test]
    fn end_of_a_wall_reflects_from_the_point_and_moves_as_it_does() {
        // Centre (0, 0), one end at (0.6, 0.8), which rests; the far one moves. Flying at it along its direction with
        // speed 5: comes straight back. Both ways round.
        let near = Segment::new([0.6, 0.8], [9.0, 0.8]).with_end_velocities([0.0, 0.0], [7.0, 7.0]);
        let far = Segment::new([9.0, 0.8], [0.6, 0.8]).with_end_velocities([7.0, 7.0], [0.0, 0.0]);
        for (body, feature) in [(near, Feature::Start), (far, Feature::End)] {
            let mut s = Scene::new(&[[0.0, 0.0, 3.0, 4.0, 1.0]]);
            s.walls.push(body, SegmentHandle::new(0, 0));
            s.run(elastic(), &[], &[CircleSegmentContact { feature, ..Default::default() }]);
            assert!((s.vx[0] + 3.0).abs() < 1e-6 && (s.vy[0] + 4.0).abs() < 1e-6, "{feature:?}");
        }
    }

    #[test]
    fn separating_pair_gets_nothing() {
        let mut s = Scene::new(&[[0.0, 0.0, -1.0, 0.5, 1.0], [2.0, 0.0, 1.0, 0.0, 1.0]]);
        s.run(elastic(), &[PAIR], &[]);
        assert_eq!((s.vx, s.vy, s.x), (vec![-1.0, 1.0], vec![0.5, 0.0], vec![0.0, 2.0]));
    }

    #[test]
    fn overflow_is_told() {
        // An immovable circle at nearly the largest speed throws a light one: twice that speed is out of range.
        let mut s = Scene::new(&[[0.0, 0.0, f32::MAX, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, 1.0]]);
        assert_eq!(s.run(elastic(), &[PAIR], &[]), None);
    }
}
