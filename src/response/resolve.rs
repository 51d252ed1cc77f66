//! One response to all contacts of a step.
//!
//! Comes in: circles after their motion and before it, segments, contacts. Goes out: the circles' new velocities and positions, and
//! whether all that was written is finite. This room does not know how contacts are found.
//!
//! Pairs of restitution 1 never rest: they go to `bouncing`. All other pairs go to `rest`. Where there are none, nothing of it is touched.

use super::bouncing::Bouncing;
use super::impulse::{self, Pair, dot};
use super::law::Law;
use super::rest::{Before, Elastic, MetWithin, Rest, Told, Touching};
use super::taken::{Circles, between};
use super::warmth::Warmth;
use crate::geometry::Feature;
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact};
use crate::parallel::Split;
use crate::storage::SegmentColumns;

/// What was given in one step, summed up in the order of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Given {
    /// Of impulses between circles, each times the distance of their centres along it.
    pub(crate) virial: f64,
    /// Of impulses on segments.
    pub(crate) to_walls: f64,
}

impl Given {
    pub(super) fn and(self, other: Given) -> Given {
        Given { virial: self.virial + other.virial, to_walls: self.to_walls + other.to_walls }
    }
}

/// Buffers, reused.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    bouncing: Bouncing,
    elastic: Elastic,
    rest: Rest,
    /// What pairs bear after this step.
    pub(crate) warmth: Warmth,
    told: Told,
}

impl Buffers {
    /// Who met on the way of the last step that was answered, told by substeps: two circles, circles and segments; by rows.
    pub(crate) fn met(&self) -> [&[MetWithin]; 2] {
        [&self.told.circles, &self.told.walls]
    }
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
    split: Split,
) -> Option<Given> {
    let Buffers { bouncing, elastic, rest, warmth, told } = buffers;
    warmth.clear();
    told.clear();
    let mut given;
    if law.is_elastic() || !rest.choose(&circles, law, [touching, near], elastic) {
        given = bouncing.answer(&mut circles, law, touching, split);
    } else {
        let Elastic { circle_circle, circle_segment, .. } = &*elastic;
        let bounces = Touching { circle_circle, circle_segment, ..touching };
        given = bouncing.bounce(&mut circles, law, bounces, split);
        let mixed = Touching { circle_circle: &elastic.mixed, circle_segment: &elastic.mixed_walls, ..touching };
        given = given.and(rest.solve(&mut circles, law, before, [near, mixed], (last, warmth, told), split));
        bouncing.part(&mut circles, bounces, (&elastic.mixed, &elastic.mixed_walls), split);
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

/// The end that is touched, if it is one.
#[inline(always)]
pub(super) fn end_of(segments: &SegmentColumns, b: usize, contact: &CircleSegmentContact) -> Option<Pair> {
    match contact.feature {
        Feature::Start => Some([segments.x0[b], segments.y0[b]].map(f64::from)),
        Feature::End => Some([segments.x1[b], segments.y1[b]].map(f64::from)),
        _ => None,
    }
}

/// From a circle to the end that it touches, if it is one, whose image `across` tells.
#[inline(always)]
pub(super) fn to_end(
    (segments, across): (&SegmentColumns, &Across<'_>),
    contact: &CircleSegmentContact,
    position: Pair,
) -> Option<Pair> {
    let d = between(position, end_of(segments, contact.b as usize, contact)?);
    Some(across.way(contact).map_or(d, |way| [d[0] + way[0], d[1] + way[1]]))
}

/// The velocity of the wall where it is touched, in double precision, in which no product of numbers of a column overflows: between those
/// of its ends, as the point of its axis that is nearest to the contact's is between them.
pub(crate) fn wall_velocity(
    segments: &SegmentColumns,
    across: &Across<'_>,
    contact: &CircleSegmentContact,
) -> [f64; 2] {
    let b = contact.b as usize;
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
            // The point is beside the circle, the ends are where the wall stands.
            let to_point = across.way(contact).map_or(to_point, |way| [to_point[0] - way[0], to_point[1] - way[1]]);
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
    use crate::storage::{CircleHandle, SegmentHandle, Slots};

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
            let (segments, across) = (&self.walls, Across::default());
            let slots = &Slots::new();
            let touching = Touching { segments, slots, joints, across, circle_circle: cc, circle_segment: cs };
            let circles = Circles::new(&mut self.x, &mut self.y, &mut self.vx, &mut self.vy, &radius, &self.w);
            resolve(circles, &law, before, [touching; 2], &Warmth::default(), &mut Buffers::default(), Split::SERIAL)
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
    fn each_contact_acts_once_in_whatever_strip_it_is() {
        // Pairs that share nobody, side by side, a few rows apart and half of all rows apart: heads on at 1, touching, so they exchange
        // their velocities. Then a floor stops each circle that comes down, and sends it up again.
        let n = 20_000u32;
        for apart in [1, 4, 1_000, n / 2] {
            let first = |row: u32| (row / apart).is_multiple_of(2);
            let circle = |row: u32| if first(row) { [0.0, 0.0, 1.0, -3.0, 1.0] } else { [2.0, 0.0, -1.0, -3.0, 1.0] };
            let mut s = Scene::new(&(0..n).map(circle).collect::<Vec<_>>());
            s.walls.push(Segment::new([-9.0, -1.0], [9.0, -1.0]).into(), SegmentHandle::new(0, 0));
            let pairs = (0..n).filter(|&a| first(a)).map(|a| CircleCircleContact { a, b: a + apart, ..PAIR });
            let floor = CircleSegmentContact { normal: Vec2::new(0.0, -1.0), ..Default::default() };
            let floors = (0..n).rev().map(|a| CircleSegmentContact { a, point: Vec2::new(0.0, -1.0), ..floor });
            let given = s.run(elastic(), &pairs.collect::<Vec<_>>(), &floors.collect::<Vec<_>>());
            // Half as many pairs as circles, impulse 2 at a distance of 2; every circle by 6 at the floor.
            assert_eq!(given, Some(Given { virial: f64::from(n) / 2.0 * 4.0, to_walls: f64::from(n) * 6.0 }));
            for row in 0..n {
                let velocity = [s.vx[row as usize], s.vy[row as usize]];
                assert_eq!(velocity, [if first(row) { -1.0 } else { 1.0 }, 3.0], "{apart}: {row}");
            }
        }
    }

    #[test]
    fn overflow_is_told() {
        // An immovable circle at nearly the largest speed throws a light one: twice that speed is out of range.
        let mut s = Scene::new(&[[0.0, 0.0, f32::MAX, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, 1.0]]);
        assert_eq!(s.run(elastic(), &[PAIR], &[]), None);
    }
}
