//! Promise: a step does what mechanics says, as far as it can be worked out by hand.

use gridlane::{
    Backend, Bounds, Circle, CircleHandle, Error, Kind, Response, Segment, Threads, Vec2, World, WorldConfig,
};

const DT: f32 = 1.0 / 64.0;

fn world(config: WorldConfig) -> World {
    World::new(config).unwrap()
}

fn velocity(world: &World, circle: CircleHandle) -> [f32; 2] {
    world.circle(circle).unwrap().velocity.into()
}

fn center(world: &World, circle: CircleHandle) -> [f32; 2] {
    world.circle(circle).unwrap().shape.center.into()
}

/// Marsaglia's xorshift: numbers from 0 up to 1, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }
}

#[test]
fn free_fall_is_the_sum_of_the_integrator() {
    let mut w = world(WorldConfig::default().with_gravity([0.0, -8.0]));
    let stone = w.add_circle(Circle::new([3.0, 10.0], 0.5).with_velocity([2.0, 0.0])).unwrap();
    let rock = w.add_circle(Circle::new([9.0, 10.0], 0.5).with_inverse_mass(0.0)).unwrap();
    for _ in 0..64 {
        w.step(DT).unwrap();
    }
    // v = -8·64/64; y = 10 - 8/64² · (1 + 2 + … + 64) = 10 - 2080/512 = 5.9375; x = 3 + 2. All exact in f32.
    assert_eq!((velocity(&w, stone), center(&w, stone)), ([2.0, -8.0], [5.0, 5.9375]));
    // Gravity does not pull what has no finite mass.
    assert_eq!((velocity(&w, rock), center(&w, rock)), ([0.0, 0.0], [9.0, 10.0]));
}

#[test]
fn ball_between_two_walls_keeps_its_speed_and_its_period() {
    let mut w = world(WorldConfig::default());
    let ball = w.add_circle(Circle::new([0.0, 0.25], 0.5).with_velocity([3.0, 0.0])).unwrap();
    for x in [-2.0, 2.0] {
        w.add_segment(Segment::new([x, -1.0], [x, 1.0])).unwrap();
    }
    // Free path 2·(4 - 1) = 6 at speed 3: a period of 2 s, 128 steps, of which the mirrored flight loses nothing but
    // rounding: after 50 periods it is where it began, to a rounding of 6e-8 · 2 in each of 100 bounces.
    for _ in 0..128 * 50 {
        w.step(DT).unwrap();
        assert_eq!(velocity(&w, ball)[0].abs(), 3.0);
        assert!(center(&w, ball)[0].abs() <= 1.5 + 1e-5);
    }
    assert_eq!(velocity(&w, ball), [3.0, 0.0]);
    assert!(center(&w, ball)[0].abs() < 1.2e-5, "{:?}", center(&w, ball));
}

/// Four balls touch in a row, a fifth comes with speed 3 from one side.
fn cradle(from: f32) -> Vec<f32> {
    let mut w = world(WorldConfig::default());
    let mut row: Vec<_> = (0..4).map(|k| w.add_circle(Circle::new([k as f32, 0.0], 0.5)).unwrap()).collect();
    let start = if from < 0.0 { -2.0 } else { 5.0 };
    row.push(w.add_circle(Circle::new([start, 0.0], 0.5).with_velocity([-3.0 * from, 0.0])).unwrap());
    for _ in 0..64 {
        w.step(DT).unwrap();
    }
    row.iter().map(|&ball| velocity(&w, ball)[0]).collect()
}

#[test]
fn cradle_hands_the_whole_speed_on() {
    // Equal masses exchange velocities along the line of centres; all numbers here are exact.
    assert_eq!(cradle(-1.0), [0.0, 0.0, 0.0, 3.0, 0.0]);
    assert_eq!(cradle(1.0), [-3.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn pair_keeps_momentum_and_energy() {
    let mut random = Random(7);
    let mut met = 0;
    for _ in 0..500 {
        let mut w = world(WorldConfig::default());
        let mass = [1.0, [1.0, 2.0, 8.0][(random.next() * 3.0) as usize]];
        let angle = random.between(-1.0, 1.0);
        let a = Circle::new([0.0, 0.0], 1.0).with_velocity([random.between(0.0, 4.0), random.between(-1.0, 1.0)]);
        let b = Circle::new([1.9, angle], 1.0).with_velocity([random.between(-4.0, 0.0), random.between(-1.0, 1.0)]);
        let balls = [
            w.add_circle(a.with_inverse_mass(1.0 / mass[0])).unwrap(),
            w.add_circle(b.with_inverse_mass(1.0 / mass[1])).unwrap(),
        ];
        let sums = |w: &World| {
            let mut sum = [0.0; 3];
            for (k, &ball) in balls.iter().enumerate() {
                let ([x, y], m) = (velocity(w, ball).map(f64::from), f64::from(mass[k]));
                sum = [sum[0] + m * x, sum[1] + m * y, sum[2] + m * (x * x + y * y) / 2.0];
            }
            sum
        };
        let before = (sums(&w), velocity(&w, balls[0]));
        w.step(DT).unwrap();
        met += usize::from(velocity(&w, balls[0]) != before.1);
        // Each new velocity is rounded once: half an ulp of at most 8 times the mass of at most 8, two balls.
        for (now, was) in sums(&w).iter().zip(before.0) {
            assert!((now - was).abs() < 8.0 * 8.0 * 8.0 * 2.0 * 6e-8, "{now} {was}");
        }
        assert!((w.kinetic_energy() - sums(&w)[2]).abs() < 1e-9);
    }
    assert!(met > 300, "only {met} pairs met");
}

#[test]
fn head_on_pair_of_equal_masses_conserves_momentum_exactly() {
    let mut w = world(WorldConfig::default());
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([1.7, 0.0])).unwrap();
    let b = w.add_circle(Circle::new([2.0, 0.0], 1.0).with_velocity([-0.3, 0.0])).unwrap();
    w.step(DT).unwrap();
    assert_eq!((velocity(&w, a), velocity(&w, b)), ([-0.3, 0.0], [1.7, 0.0]));
}

#[test]
fn immovable_circle_stands_and_sends_back() {
    let mut w = world(WorldConfig::default());
    let post = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_inverse_mass(0.0)).unwrap();
    let ball = w.add_circle(Circle::new([4.0, 0.0], 1.0).with_velocity([-2.0, 0.0])).unwrap();
    for _ in 0..128 {
        w.step(DT).unwrap();
    }
    assert_eq!((center(&w, post), velocity(&w, post)), ([0.0, 0.0], [0.0, 0.0]));
    // Path 2 to the touch and 2 back in 2 s at speed 2.
    assert_eq!((center(&w, ball), velocity(&w, ball)), ([4.0, 0.0], [2.0, 0.0]));
}

#[test]
fn bounds_turn_only_while_leaving() {
    let bounds = Bounds::Reflect { min: Vec2::new(0.0, 0.0), max: Vec2::new(10.0, 10.0) };
    let mut w = world(WorldConfig::default().with_bounds(bounds).with_response(Response::None));
    // Far outside and returning slowly: must come in without ever being turned back.
    let lost = w.add_circle(Circle::new([-1.0, 5.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    // Both components leave in the same step at the corner.
    let corner = w.add_circle(Circle::new([9.5, 9.5], 0.5).with_velocity([1.0, 2.0])).unwrap();
    for _ in 0..3 * 64 {
        w.step(DT).unwrap();
        assert_eq!(velocity(&w, lost), [1.0, 0.0]);
        assert_eq!(velocity(&w, corner), [-1.0, -2.0]);
    }
    assert_eq!(center(&w, lost), [2.0, 5.0]);
}

#[test]
fn ends_of_a_moving_segment_turn_each_by_itself() {
    let bounds = Bounds::Reflect { min: Vec2::new(0.0, 0.0), max: Vec2::new(10.0, 10.0) };
    let mut w = world(WorldConfig::default().with_bounds(bounds));
    let bar = w.add_segment(Segment::new([9.0, 1.0], [2.0, 1.0]).with_velocity([2.0, 0.0])).unwrap();
    let wall = w.add_segment(Segment::new([-5.0, 5.0], [20.0, 5.0])).unwrap();
    for _ in 0..64 {
        w.step(DT).unwrap();
    }
    let body = w.segment(bar).unwrap();
    // The start is at 10 after 32 steps, out after 33 (10 + 1/32), then 31 steps back: 10 + 2/64 - 31·2/64 = 9.0625.
    assert_eq!((body.shape.start, body.start_velocity), (Vec2::new(9.0625, 1.0), Vec2::new(-2.0, 0.0)));
    assert_eq!((body.shape.end, body.end_velocity), (Vec2::new(4.0, 1.0), Vec2::new(2.0, 0.0)));
    // Static segments may lie outside.
    assert_eq!(w.segment(wall).unwrap().shape, Segment::new([-5.0, 5.0], [20.0, 5.0]));
}

#[test]
fn moving_wall_throws_with_twice_its_speed() {
    let mut w = world(WorldConfig::default());
    w.add_segment(Segment::new([-2.0, -5.0], [-2.0, 5.0]).with_velocity([1.5, 0.0])).unwrap();
    let ball = w.add_circle(Circle::new([0.0, 0.0], 0.5)).unwrap();
    for _ in 0..64 {
        w.step(DT).unwrap();
    }
    // They meet after 1.5 / 1.5 = 1 s exactly; a body at rest leaves an infinite mass at 2·1.5.
    assert_eq!(velocity(&w, ball), [3.0, 0.0]);
}

/// `side`² circles on a jittered lattice of spacing 2, radius 0.4 to 0.7, in a box that just holds them.
fn gas(side: usize, config: WorldConfig) -> World {
    let mut random = Random(42);
    let extent = 2.0 * side as f32;
    let mut w = world(config.with_bounds(Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(extent, extent) }));
    for k in 0..side * side {
        let at = |k: usize, random: &mut Random| 2.0 * k as f32 + 1.0 + random.between(-0.25, 0.25);
        let center = [at(k % side, &mut random), at(k / side, &mut random)];
        let body = Circle::new(center, random.between(0.4, 0.7))
            .with_velocity([random.between(-3.0, 3.0), random.between(-3.0, 3.0)]);
        w.add_circle(body.with_inverse_mass(random.between(0.5, 2.0))).unwrap();
    }
    w
}

#[test]
fn elastic_gas_keeps_its_energy() {
    let mut w = gas(32, WorldConfig::default());
    let before = w.kinetic_energy();
    let mut impacts = 0;
    for _ in 0..500 {
        impacts += w.step(DT).unwrap().circle_circle;
    }
    assert!(impacts > 10_000, "only {impacts} contacts");
    let after = w.kinetic_energy();
    assert!((after / before - 1.0).abs() < 1e-4, "{before} {after}");
}

#[test]
fn dropped_ball_comes_to_rest_on_the_floor() {
    for restitution in [0.0, 0.5, 0.8] {
        let mut w = world(WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(restitution));
        w.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
        let ball = w.add_circle(Circle::new([0.3, 2.0], 0.5)).unwrap();
        for _ in 0..60 * 20 {
            w.step(1.0 / 60.0).unwrap();
        }
        // Slop 0.005 r and what gravity gives in one step, g·dt² = 0.0027.
        let height = center(&w, ball)[1];
        assert!((height - 0.5).abs() < 0.0025 + 0.0028, "e = {restitution}: height {height}");
        assert!(velocity(&w, ball)[1].abs() < 9.81 / 60.0, "e = {restitution}: {:?}", velocity(&w, ball));
    }
}

#[test]
fn low_pile_stands() {
    // Three rows of ten between walls, a little apart and a little aside: they must fall together and stay.
    let mut w = world(WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.3));
    w.add_segment(Segment::new([0.0, 0.0], [10.0, 0.0])).unwrap();
    w.add_segment(Segment::new([0.0, 0.0], [0.0, 30.0])).unwrap();
    w.add_segment(Segment::new([10.0, 0.0], [10.0, 30.0])).unwrap();
    for k in 0..30 {
        let aside = 0.01 * ((k * 7 % 5) as f32 - 2.0);
        w.add_circle(Circle::new([0.5 + (k % 10) as f32 + aside, 0.6 + 1.2 * (k / 10) as f32], 0.48)).unwrap();
    }
    let mut before = Vec::new();
    for step in 0..1200 {
        w.step(1.0 / 60.0).unwrap();
        if step == 1080 {
            before = w.circles().handles().iter().map(|&handle| (handle, center(&w, handle))).collect();
        }
    }
    // Every centre is above the floor's contact height and below three full rows; overlap under 5 % of the radius.
    let deepest = w.contacts().circle_circle().iter().fold(0.0, |deep: f32, c| deep.max(-c.separation));
    assert!(deepest < 0.05 * 0.48, "{deepest}");
    let (low, high) = w.circles().y().iter().fold((9.0f32, 0.0f32), |(l, h), &y| (l.min(y), h.max(y)));
    assert!(low > 0.95 * 0.48 && high < 0.48 * 5.0 + 0.1, "{low} {high}");
    // And nothing has moved by more than a hundredth in the last two seconds.
    for (handle, was) in before {
        let now = center(&w, handle);
        assert!((now[0] - was[0]).abs() < 0.01 && (now[1] - was[1]).abs() < 0.01, "{was:?} {now:?}");
    }
}

#[test]
fn step_of_zero_changes_no_state_but_finds_contacts() {
    let mut w = world(WorldConfig::default().with_gravity([0.0, -9.81]));
    w.add_circle(Circle::new([3.0, -0.0], 1.0).with_velocity([-0.0, 5.0])).unwrap();
    w.add_circle(Circle::new([2.0, 0.0], 1.0)).unwrap();
    w.add_segment(Segment::new([0.0, 0.0], [9.0, 0.0]).with_velocity([1.0, 0.0])).unwrap();
    let before = w.state_hash();
    let stats = w.step(0.0).unwrap();
    assert_eq!((stats.circle_circle, stats.circle_segment, stats.begins), (1, 2, 3));
    assert_eq!(w.state_hash(), before);
    let stats = w.detect().unwrap();
    assert_eq!((stats.circle_circle, stats.circle_segment, stats.begins), (1, 2, 0));
    assert_eq!(w.state_hash(), before);
}

#[test]
fn detection_only_lets_bodies_fly_through() {
    let mut w = world(WorldConfig::default().with_response(Response::None));
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([64.0, 0.0])).unwrap();
    let b = w.add_circle(Circle::new([2.0, 0.0], 1.0)).unwrap();
    assert_eq!(w.step(DT).unwrap().circle_circle, 1);
    assert_eq!((center(&w, a), center(&w, b)), ([1.0, 0.0], [2.0, 0.0]));
}

/// What a refused call must not change.
fn everything(w: &World) -> (u64, String, usize) {
    let contacts = format!("{:?} {:?}", w.contacts().circle_circle(), w.contacts().circle_segment());
    (w.state_hash(), format!("{contacts} {:?} {:?}", w.events(), w.stats()), w.contacts().len())
}

#[test]
fn refused_steps_leave_the_world_as_it_was() {
    let mut w = world(WorldConfig::default().with_contact_limit(2));
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([0.5, 0.0])).unwrap();
    w.add_circle(Circle::new([1.5, 0.0], 1.0)).unwrap();
    let bar = w.add_segment(Segment::new([-9.0, 5.0], [9.0, 5.0]).with_velocity([0.0, -1.0])).unwrap();
    w.step(DT).unwrap();
    let before = everything(&w);

    for dt in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(w.step(dt), Err(Error::TimeStep { .. })));
        assert_eq!(everything(&w), before);
    }
    // A circle that flies out of range: named by its handle.
    let fast = w.add_circle(Circle::new([50.0, 0.0], 1.0).with_velocity([0.0, f32::MAX])).unwrap();
    let with_fast = everything(&w);
    match w.step(2.0) {
        Err(Error::OutOfRange { bits, field: "y", .. }) => assert_eq!(bits, fast.to_bits()),
        other => panic!("{other:?}"),
    }
    assert_eq!(everything(&w), with_fast);
    w.remove_circle(fast).unwrap();
    // One whose velocity does: that is named, though its place is none either then.
    w.set_gravity([3e38, 0.0]).unwrap();
    let heavy = w.add_circle(Circle::new([50.0, 0.0], 1.0).with_velocity([3.4e38, 0.0])).unwrap();
    let refused = w.step(1.0 / 240.0).unwrap_err();
    assert_eq!(refused, Error::OutOfRange { kind: Kind::Circle, bits: heavy.to_bits(), field: "velocity_x" });
    w.remove_circle(heavy).unwrap();
    w.set_gravity([0.0, 0.0]).unwrap();
    // A segment that does.
    let comet = w.add_segment(Segment::new([0.0, 50.0], [1.0, 50.0]).with_velocity([f32::MAX, 0.0])).unwrap();
    let with_comet = everything(&w);
    match w.step(2.0) {
        Err(Error::OutOfRange { bits, field: "x0", .. }) => assert_eq!(bits, comet.to_bits()),
        other => panic!("{other:?}"),
    }
    assert_eq!(everything(&w), with_comet);
    w.remove_segment(comet).unwrap();
    // Too many contacts, when the bar has already been moved.
    let many: Vec<_> = (0..3).map(|_| w.add_circle(Circle::new([1.0, 0.5], 1.0)).unwrap()).collect();
    let with_many = everything(&w);
    assert_eq!(w.step(DT), Err(Error::TooManyContacts { limit: 2 }));
    assert_eq!(everything(&w), with_many);
    assert_eq!(w.detect(), Err(Error::TooManyContacts { limit: 2 }));
    assert_eq!(everything(&w), with_many);
    // And the world goes on as if nothing had been asked.
    for circle in many {
        w.remove_circle(circle).unwrap();
    }
    assert_eq!(everything(&w), before);
    w.step(DT).unwrap();
    assert_eq!(w.segment(bar).unwrap().shape.start.y, 5.0 - 2.0 * DT);
    assert!(w.circle(a).is_some());
}

#[test]
fn response_that_overflows_is_refused() {
    let mut w = world(WorldConfig::default());
    let speed = f32::MAX / 1.5;
    w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([speed, 0.0]).with_inverse_mass(0.0)).unwrap();
    let ball = w.add_circle(Circle::new([1.5, 0.0], 1.0)).unwrap();
    let before = w.state_hash();
    // A step so short that they still overlap; the ball would leave at 2·speed.
    let bits = ball.to_bits();
    assert!(matches!(w.step(1e-40), Err(Error::OutOfRange { bits: b, field: "velocity_x", .. }) if b == bits));
    assert_eq!(w.state_hash(), before);
}

#[test]
fn backends_and_threads_give_the_same_bits() {
    let run = |config: WorldConfig| {
        let mut w = gas(16, config.with_gravity([0.0, -2.0]).with_restitution(0.9));
        for k in 0..16 {
            let x = 2.0 * k as f32;
            w.add_segment(Segment::new([x, 1.0 + x], [x + 1.5, x])).unwrap();
        }
        for _ in 0..100 {
            w.step(DT).unwrap();
        }
        (w.state_hash(), format!("{:?} {:?}", w.contacts().circle_segment(), w.events()))
    };
    let reference = run(WorldConfig::default().with_backend(Backend::Scalar).with_threads(Threads::Fixed(1)));
    for threads in [Threads::Auto, Threads::Fixed(1), Threads::Fixed(2), Threads::Fixed(3), Threads::Fixed(8)] {
        for backend in [Backend::Wide, Backend::Scalar] {
            let config = WorldConfig::default().with_threads(threads).with_backend(backend);
            assert!(run(config) == reference, "{threads:?} {backend:?}");
        }
    }
}
