//! One response to all contacts of a step.
//!
//! Comes in: circles after their motion, segments, contacts. Goes out: the circles' new velocities and positions, and
//! whether all that was written is finite. This room does not know how contacts are found. Cost: about 50 ns a
//! contact and step, a chain of roots and quotients in f64; one thread.
//!
//! Impulses act one contact after the other, in the order of the contacts, each on what those before it left: every
//! pair conserves momentum and, with restitution 1, energy, whatever the order. Walls come last and so have the last
//! word. Then a few passes take back overlap. Where bodies may come to rest (restitution below 1 under gravity), more
//! passes in between hand their weight on; they start cold at every step, which is enough for low piles.

use super::impulse::{self, Meeting, Pair, dot};
use super::push_out;
use crate::geometry::{Feature, Periods};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};
use crate::storage::SegmentColumns;

/// Push-out passes, and the share of the overlap that each takes back: for bodies that fly, and for bodies that rest on
/// each other, whose overlap gravity makes anew at every step.
const FLYING: (usize, f64) = (2, 0.2);
const RESTING: (usize, f64) = (8, 0.5);
/// How often the weight of a pile is handed on within one step.
const REST_PASSES: usize = 8;

/// What bodies that meet do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    restitution: f64,
    calm: f64,
    dt: f64,
}

impl Law {
    /// With restitution below 1, nothing comes back from an approach slower than 4·|gravity|·dt: what gravity gives in a
    /// few steps is no impact, and a body that bounces on it would never come to rest. Scale-free, and zero without
    /// gravity. Restitution 1 always gives everything back, or energy would leak.
    pub(crate) fn new(restitution: f32, gravity: Pair, dt: f32) -> Law {
        let dt = f64::from(dt);
        let calm = if restitution < 1.0 { 4.0 * dot(gravity, gravity).sqrt() * dt } else { 0.0 };
        Law { restitution: f64::from(restitution), calm, dt }
    }

    /// Bodies may come to rest.
    fn may_rest(self) -> bool {
        self.calm > 0.0
    }

    /// The same without bounce and without a past: only what still approaches is stopped.
    fn at_rest(self) -> Law {
        Law { restitution: 0.0, dt: 0.0, ..self }
    }

    /// One plus the share of the approach speed that comes back.
    fn bounce(self, approach: f64) -> f64 {
        if approach < self.calm { 1.0 } else { 1.0 + self.restitution }
    }
}

/// The circles' columns while they are resolved, in cell order.
pub(crate) struct Circles<'a> {
    x: &'a mut [f32],
    y: &'a mut [f32],
    velocity_x: &'a mut [f32],
    velocity_y: &'a mut [f32],
    radius: &'a [f32],
    inverse_mass: &'a [f32],
    /// What repeats: bodies meet by their shortest images.
    periods: Periods,
    finite: bool,
}

impl<'a> Circles<'a> {
    pub(crate) fn new(
        x: &'a mut [f32],
        y: &'a mut [f32],
        velocity_x: &'a mut [f32],
        velocity_y: &'a mut [f32],
        radius: &'a [f32],
        inverse_mass: &'a [f32],
    ) -> Circles<'a> {
        Circles { x, y, velocity_x, velocity_y, radius, inverse_mass, periods: Periods::default(), finite: true }
    }

    /// The same in a plane that repeats.
    pub(crate) fn with_periods(self, periods: Periods) -> Circles<'a> {
        Circles { periods, ..self }
    }

    /// From one place to the nearest image of another.
    #[inline(always)]
    pub(super) fn between(&self, from: Pair, to: Pair) -> Pair {
        self.periods.fold(between(from, to))
    }

    /// Takes one circle out of the columns.
    pub(super) fn take(&self, row: usize) -> Body {
        Body {
            position: [f64::from(self.x[row]), f64::from(self.y[row])],
            velocity: [f64::from(self.velocity_x[row]), f64::from(self.velocity_y[row])],
            radius: f64::from(self.radius[row]),
            inverse_mass: f64::from(self.inverse_mass[row]),
        }
    }

    /// Moves a circle along a unit normal, at most half its radius. The only place where a response changes positions.
    pub(super) fn shift(&mut self, row: usize, body: &mut Body, normal: Pair, by: f64) {
        if by != 0.0 {
            let longest = push_out::LONGEST * body.radius;
            let by = impulse::between(-longest, by, longest);
            [self.x[row], self.y[row]] = along(&mut body.position, normal, by);
            self.finite &= body.position[0].is_finite() & body.position[1].is_finite();
        }
    }

    /// Changes a velocity along a unit normal, and the position by what the change was worth since the meeting.
    fn kick(&mut self, row: usize, body: &mut Body, normal: Pair, by: f64, since: f64) {
        if by != 0.0 {
            [self.velocity_x[row], self.velocity_y[row]] = along(&mut body.velocity, normal, by);
            self.finite &= body.velocity[0].is_finite() & body.velocity[1].is_finite();
            self.shift(row, body, normal, by * since);
        }
    }
}

/// Adds `by` along `normal`, rounded to what the columns hold.
fn along(vector: &mut Pair, normal: Pair, by: f64) -> [f32; 2] {
    let to = [(vector[0] + normal[0] * by) as f32, (vector[1] + normal[1] * by) as f32];
    *vector = [f64::from(to[0]), f64::from(to[1])];
    to
}

/// One circle, taken out of the columns.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) position: Pair,
    velocity: Pair,
    pub(super) radius: f64,
    pub(super) inverse_mass: f64,
}

/// Impulses and push-out for all contacts. False if a number that was written is not finite. `deep` is a buffer.
pub(crate) fn resolve(
    mut circles: Circles<'_>,
    segments: &SegmentColumns,
    law: Law,
    circle_circle: &[CircleCircleContact],
    circle_segment: &[CircleSegmentContact],
    deep: &mut Vec<u32>,
) -> bool {
    // Most pairs have flown apart after their impulse: only those that have not are pushed.
    deep.clear();
    for (at, contact) in circle_circle.iter().enumerate() {
        if resolve_pair(&mut circles, law, contact) {
            deep.push(at as u32);
        }
    }
    for contact in circle_segment {
        resolve_wall(&mut circles, segments, law, contact);
    }
    let (passes, factor) = if law.may_rest() {
        settle(&mut circles, segments, law, circle_circle, circle_segment);
        RESTING
    } else {
        FLYING
    };
    for _ in 0..passes {
        for &at in deep.iter() {
            push_out::circle_circle(&mut circles, &circle_circle[at as usize], factor);
        }
        for contact in circle_segment {
            push_out::circle_segment(&mut circles, contact, factor);
        }
    }
    circles.finite
}

/// Hands weight on through bodies that lie on each other: impulses without bounce, from one end of the contacts to the
/// other and back, so that support travels both ways. Holds up to about ten layers; higher piles are squeezed.
fn settle(
    circles: &mut Circles<'_>,
    segments: &SegmentColumns,
    law: Law,
    circle_circle: &[CircleCircleContact],
    circle_segment: &[CircleSegmentContact],
) {
    let law = law.at_rest();
    for _ in 0..REST_PASSES / 2 {
        for contact in circle_segment.iter().rev() {
            resolve_wall(circles, segments, law, contact);
        }
        for contact in circle_circle.iter().rev() {
            resolve_pair(circles, law, contact);
        }
        for contact in circle_circle {
            resolve_pair(circles, law, contact);
        }
        for contact in circle_segment {
            resolve_wall(circles, segments, law, contact);
        }
    }
}

/// The impulse of two circles, if they approach and one of them can be moved. True if they still overlap then.
fn resolve_pair(circles: &mut Circles<'_>, law: Law, contact: &CircleCircleContact) -> bool {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let (mut one, mut two) = (circles.take(a), circles.take(b));
    let weight = one.inverse_mass + two.inverse_mass;
    if weight == 0.0 {
        return false;
    }
    let (d, u) = (circles.between(one.position, two.position), between(one.velocity, two.velocity));
    if let Some(met) = impulse::discs(d, u, one.radius + two.radius, law.dt) {
        // Newton: the approach speed times (1 + e), shared by inverse mass.
        let change = law.bounce(met.approach) * met.approach;
        let (by_one, by_two) = (change * (one.inverse_mass / weight), change * (two.inverse_mass / weight));
        circles.kick(a, &mut one, met.normal, -by_one, met.since);
        circles.kick(b, &mut two, met.normal, by_two, met.since);
    }
    push_out::is_deep(circles, &one, &two)
}

/// From one point to another.
pub(super) fn between(from: Pair, to: Pair) -> Pair {
    [to[0] - from[0], to[1] - from[1]]
}

/// The impulse of a circle on a segment, which has infinite mass: mirrored in the wall as it moves.
fn resolve_wall(circles: &mut Circles<'_>, segments: &SegmentColumns, law: Law, contact: &CircleSegmentContact) {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut body = circles.take(a);
    if body.inverse_mass > 0.0 {
        let u = between(body.velocity, wall_velocity(&circles.periods, segments, b, contact));
        if let Some(met) = meet_wall(circles, &body, segments, law, contact, u) {
            circles.kick(a, &mut body, met.normal, -(law.bounce(met.approach) * met.approach), met.since);
        }
    }
}

/// A flank is a half plane; an end is a disc of the segment's radius.
fn meet_wall(
    circles: &Circles<'_>,
    body: &Body,
    segments: &SegmentColumns,
    law: Law,
    contact: &CircleSegmentContact,
    u: Pair,
) -> Option<Meeting> {
    let b = contact.b as usize;
    let d = match contact.feature {
        Feature::Start => circles.between(body.position, [segments.x0[b], segments.y0[b]].map(f64::from)),
        Feature::End => circles.between(body.position, [segments.x1[b], segments.y1[b]].map(f64::from)),
        _ => [0.0, 0.0],
    };
    if d == [0.0, 0.0] {
        // Also where the centre is on an end: only the contact knows a normal then.
        let (normal, penetration) = push_out::half_plane(contact, body);
        return impulse::flank(normal, penetration, u, law.dt);
    }
    impulse::discs(d, u, body.radius + f64::from(segments.radius[b]), law.dt)
}

/// The velocity of the wall where it is touched: between those of its ends, by where the point is between them.
fn wall_velocity(periods: &Periods, segments: &SegmentColumns, b: usize, contact: &CircleSegmentContact) -> Pair {
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
            let half = [along[0] * 0.5, along[1] * 0.5];
            let beside = periods.fold(between(half, to_point));
            let to_point = if periods.is_none() { to_point } else { [half[0] + beside[0], half[1] + beside[1]] };
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
    use crate::storage::SegmentHandle;

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

        fn run(&mut self, law: Law, cc: &[CircleCircleContact], cs: &[CircleSegmentContact]) -> bool {
            let radius = vec![1.0; self.x.len()];
            let circles = Circles::new(&mut self.x, &mut self.y, &mut self.vx, &mut self.vy, &radius, &self.w);
            resolve(circles, &self.walls, law, cc, cs, &mut Vec::new())
        }
    }

    fn elastic() -> Law {
        Law::new(1.0, [0.0, 0.0], 1.0)
    }

    const PAIR: CircleCircleContact =
        CircleCircleContact { a: 0, b: 1, point: Vec2::ZERO, normal: Vec2::ZERO, separation: 0.0 };

    #[test]
    fn equal_masses_exchange_velocities_and_fly_apart_since_the_touch() {
        // Closing at 2, gap zero at distance 2, now 1.5: met 0.25 ago. Each changes by 2 and moves by 0.5.
        let mut s = Scene::new(&[[0.0, 0.0, 1.0, 0.0, 1.0], [1.5, 0.0, -1.0, 0.0, 1.0]]);
        assert!(s.run(elastic(), &[PAIR], &[]));
        assert_eq!((s.vx, s.x), (vec![-1.0, 1.0], vec![-0.5, 2.0]));
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
    fn restitution_half_and_the_calm_threshold() {
        // e = 0.5, equal masses, 2 against 0: v = (1 -+ 0.5)/2 · 2.
        let law = Law::new(0.5, [0.0, -1.0], 0.25); // calm below 4·1·0.25 = 1
        let mut s = Scene::new(&[[0.0, 0.0, 2.0, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0, 1.0]]);
        s.run(law, &[PAIR], &[]);
        assert_eq!(s.vx, [0.5, 1.5]);
        // 0.5 against 0 is calm: they go on together.
        let mut s = Scene::new(&[[0.0, 0.0, 0.5, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0, 1.0]]);
        s.run(law, &[PAIR], &[]);
        assert_eq!(s.vx, [0.25, 0.25]);
        // Restitution 1 knows no calm.
        let mut s = Scene::new(&[[0.0, 0.0, 0.5, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0, 1.0]]);
        s.run(Law::new(1.0, [0.0, -1.0], 0.25), &[PAIR], &[]);
        assert_eq!(s.vx, [0.0, 0.5]);
    }

    #[test]
    fn moving_wall_gives_twice_its_velocity_where_it_is_touched() {
        let mut s = Scene::new(&[[2.0, 1.0, 0.0, 0.0, 1.0]]);
        let paddle = Segment::new([0.0, 0.0], [4.0, 0.0]).with_end_velocities([0.0, 0.0], [0.0, 4.0]);
        s.walls.push(paddle, SegmentHandle::new(0, 0));
        let touch =
            CircleSegmentContact { point: Vec2::new(2.0, 0.0), normal: Vec2::new(0.0, -1.0), ..Default::default() };
        s.run(elastic(), &[], &[touch]);
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
        assert!(!s.run(elastic(), &[PAIR], &[]));
    }
}
