//! Promise: who flies beside what flees, or beside what has stopped, goes where it should: a floor that sinks holds nobody by the hair, a wall that turns or
//! a corner that comes pushes aside whoever has room, and who stands is met where he
//! stands. Between walls that open as fast as one flies, one flies on.

use crate::common::legs::{step_without_leak, traced, walls};
use crate::common::scenes::Rng;
use gridlane::{Backend, Bounds, Circle, Segment, World, WorldConfig};

#[test]
fn a_ball_flies_on_along_a_floor_that_sinks() {
    for (speed, sink, gravity) in [(30.0, 0.01, -9.8), (100.0, 0.01, -9.8), (30.0, 0.001, -9.8), (40.0, 0.5, 0.0)] {
        let config = WorldConfig::default().with_gravity([0.0, gravity]).with_restitution(0.0);
        let mut world = World::new(config).unwrap();
        world.add_segment(Segment::new([-1e3, 0.0], [1e3, 0.0]).with_velocity([0.0, -sink])).unwrap();
        let ball = world.add_circle(Circle::new([0.0, 0.5], 0.5).with_velocity([speed, -sink])).unwrap();
        for _ in 0..64 {
            // No more than it meets of a floor that stands, and one for having followed it.
            assert!(world.step(1.0 / 64.0).unwrap().impacts <= 2, "{speed} {sink}");
        }
        let center = world.circle(ball).unwrap().shape.center;
        assert!((center.x - speed).abs() < 1e-3 * speed, "{speed} {sink}: {center:?}");
        assert!((center.y - (0.5 - sink)).abs() < 0.01, "{speed} {sink}: {center:?}");
    }
}

#[test]
fn two_walls_that_meet_push_out_whom_they_come_upon() {
    for angle in [20.0f64, 40.0, 60.0, 90.0] {
        for (radius, way) in [(0.0f32, 0.1f32), (0.05, 0.1), (0.05, 0.5)] {
            // A corner that opens to the right and goes there; all of the plane to the right of it is free.
            let half = (angle / 2.0).to_radians();
            let [c, s] = [half.cos(), half.sin()].map(|v| (10.0 * v) as f32);
            let mut world = World::new(WorldConfig::default()).unwrap();
            for y in [s, -s] {
                world.add_segment(Segment::new([0.0, 0.0], [c, y]).with_velocity([way, 0.0])).unwrap();
            }
            let x = (f64::from(radius) / half.sin()) as f32 + 0.01;
            let ball = world.add_circle(Circle::new([x, 0.0], radius)).unwrap();
            for step in 0..10 {
                world.step(1.0).unwrap();
                let center = world.circle(ball).unwrap().shape.center;
                let inside = f64::from(center.x - way * (step + 1) as f32) * half.tan() > f64::from(center.y.abs());
                assert!(world.squeezed().is_empty() && inside, "{angle} {radius} {way} {step}: {center:?}");
            }
        }
    }
}

/// One side of a square that turns about its middle, and a circle beside it, with the whole plane as room.
#[test]
fn a_wall_that_turns_pushes_aside_whom_it_comes_upon() {
    let mut state = 1u64;
    let mut part = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut pushed, mut squeezed) = (0, 0);
    for _ in 0..4000 {
        let (middle, start, turn) = ([part() * 4.0 - 2.0, part() * 4.0 - 2.0], part() * std::f64::consts::TAU, 0.1);
        let tip = |angle: f64| [middle[0] + 3.0 * angle.cos(), middle[1] + 3.0 * angle.sin()].map(|v| v as f32);
        let side = std::f64::consts::FRAC_PI_2;
        let [a, b, c, d] = [start, start + side, start + turn, start + side + turn].map(tip);
        let velocities = [[c[0] - a[0], c[1] - a[1]], [d[0] - b[0], d[1] - b[1]]];
        let (along, depth) = (0.05 + 0.9 * part(), 0.3 * part() * part());
        let inwards = [-(start + side / 2.0).cos(), -(start + side / 2.0).sin()];
        let place =
            [0, 1].map(|k| (f64::from(a[k]) * (1.0 - along) + f64::from(b[k]) * along + inwards[k] * depth) as f32);
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new(a, b).with_end_velocities(velocities[0], velocities[1])).unwrap();
        let ball = world.add_circle(Circle::new(place, 0.05)).unwrap();
        world.step(1.0).unwrap();
        let center = world.circle(ball).unwrap().shape.center;
        pushed += u32::from([center.x, center.y] != place);
        squeezed += world.squeezed().len();
    }
    assert!(pushed > 500 && squeezed == 0, "{squeezed} of {pushed}");
}

#[test]
fn an_immovable_circle_that_a_wall_has_stopped_is_met_where_it_stands() {
    // It comes to 10 from 0 after a tenth of the step; who crosses its way later meets nobody.
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_segment(Segment::new([10.5, -20.0], [10.5, 20.0])).unwrap();
    let heavy = Circle::new([0.0, 0.0], 0.5).with_velocity([100.0, 0.0]).with_inverse_mass(0.0);
    world.add_circle(heavy).unwrap();
    let bullet = Circle::new([5.0, -50.0], 0.5).with_velocity([0.0, 100.0]).with_bullet(true);
    let bullet = world.add_circle(bullet).unwrap();
    world.step(1.0).unwrap();
    assert!(world.circle_impacts().is_empty());
    assert_eq!(world.circle(bullet).unwrap().shape.center, [5.0, 50.0].into());
    // Pressed against a wall, whatever it would do it stands: a bullet comes back from it as from a wall at 9.9.
    for idle in [0.0, 40.0, 100.0] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new([10.0, -20.0], [10.0, 20.0])).unwrap();
        let heavy = Circle::new([9.9, 0.0], 0.5).with_velocity([idle, 0.0]).with_inverse_mass(0.0);
        let heavy = world.add_circle(heavy).unwrap();
        world.step(1.0).unwrap();
        let stands = world.circle(heavy).unwrap().shape.center.x;
        let bullet = Circle::new([0.0, 0.0], 0.5).with_velocity([50.0, 0.0]).with_bullet(true);
        let bullet = world.add_circle(bullet).unwrap();
        world.step(1.0).unwrap();
        let met: Vec<f32> = world.circle_impacts().iter().map(|met| met.approach_speed).collect();
        assert_eq!(met, [50.0], "{idle}");
        // To a diameter before it, and the rest of 50 back.
        let expected = 2.0 * (stands - 1.0) - 50.0;
        assert!((world.circle(bullet).unwrap().shape.center.x - expected).abs() < 1e-3, "{idle}");
    }
}

/// Who has met as many walls as it may stands for the rest of the step, and is come near to as fast as the other one comes.
#[test]
fn nobody_comes_near_slower_than_not_at_all() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for x in [-1.0, 1.0] {
        world.add_segment(Segment::new([x, -100.0], [x, 100.0])).unwrap();
    }
    world.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([1000.0, 300.0]).with_bullet(true)).unwrap();
    world.add_circle(Circle::new([-0.5, -10.0], 0.1).with_velocity([0.0, 200.0]).with_bullet(true)).unwrap();
    world.step(0.1).unwrap();
    let [met] = world.circle_impacts() else { panic!("one") };
    // No faster than the one that goes; it is hit nearly from below.
    assert!(met.approach_speed > 150.0 && met.approach_speed <= 200.0, "{met:?}");
}

#[test]
fn what_falls_onto_the_bound_neither_sinks_nor_loses_height() {
    let bounds = Bounds::Reflect { min: [0.0, 0.0].into(), max: [10.0, 20.0].into() };
    for (restitution, start) in [(1.0, 4.0f32), (0.0, 4.0), (0.5, 0.6), (1.0, 0.5)] {
        let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(restitution);
        let mut world = World::new(config.with_bounds(bounds)).unwrap();
        let ball = world.add_circle(Circle::new([5.0, start], 0.5)).unwrap();
        let y = |world: &World| world.circle(ball).unwrap().shape.center.y;
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for _ in 0..36_000 {
            world.step(1.0 / 64.0).unwrap();
            (low, high) = (low.min(y(&world)), high.max(y(&world)));
        }
        // Out by no more than a step of the fall, and as high as at first but for what a step of rounding adds.
        let fall = (20.0 * (start - 0.5)).sqrt() / 64.0 + 10.0 / 4096.0;
        assert!(low > 0.5 - fall - 0.01 && (high - start).abs() < 0.02, "{restitution} {start}: {low} {high}");
    }
}

#[test]
fn a_crowd_in_bounds_stays_in_them_under_gravity() {
    let bounds = Bounds::Reflect { min: [0.0, 0.0].into(), max: [10.0, 20.0].into() };
    let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.5).with_bounds(bounds);
    let mut world = World::new(config).unwrap();
    for k in 0..100 {
        world.add_circle(Circle::new([0.5 + (k % 10) as f32, 0.6 + (k / 10) as f32 * 1.1], 0.4)).unwrap();
    }
    for _ in 0..3_000 {
        world.step(1.0 / 64.0).unwrap();
    }
    let lowest = world.circles().y().iter().fold(f32::MAX, |low, &y| low.min(y));
    assert!(lowest > -0.4, "{lowest}");
}

/// A ball of radius 0.5 between a floor that stands and a ceiling that goes up, as seen after a turn of the plane.
struct Wedge {
    start: [f32; 2],
    velocity: [f32; 2],
    /// The heights of the ceiling at -20 and 20, and how fast it goes up.
    ceiling: [f32; 2],
    up: f32,
    restitution: f32,
}

/// Whether that was the floor, how fast, and when.
type MetOnce = (bool, f32, f32);

impl Wedge {
    /// After one step of a 60th: where the ball is, how fast, and who was met.
    fn step(&self, backend: Backend, turn: fn([f32; 2]) -> [f32; 2]) -> ([f32; 2], [f32; 2], Vec<MetOnce>) {
        let config = WorldConfig::default().with_restitution(self.restitution).with_backend(backend);
        let mut world = traced(World::new(config).unwrap());
        let ball = Circle::new(turn(self.start), 0.5).with_velocity(turn(self.velocity));
        let ball = world.add_circle(ball).unwrap();
        let floor = world.add_segment(Segment::new(turn([-20.0, 0.0]), turn([20.0, 0.0]))).unwrap();
        let [left, right] = self.ceiling;
        let ceiling = Segment::new(turn([-20.0, left]), turn([20.0, right]));
        world.add_segment(ceiling.with_velocity(turn([0.0, self.up]))).unwrap();
        let held = walls(&world);
        step_without_leak(&mut world, &held, 1.0 / 60.0, "wedge");
        let told = world.impacts().iter().map(|met| (met.segment == floor, met.approach_speed, met.fraction)).collect();
        let body = world.circle(ball).unwrap();
        (body.shape.center.into(), body.velocity.into(), told)
    }
}

#[test]
fn a_ceiling_that_flees_does_not_hold_a_ball_down_on_a_floor_that_it_leaves() {
    let images: [fn([f32; 2]) -> [f32; 2]; 6] =
        [|p| p, |[x, y]| [-x, y], |[x, y]| [x, -y], |[x, y]| [-y, x], |[x, y]| [y, -x], |[x, y]| [-x, -y]];
    // Of a ceiling that rises by a quarter of the way from -3.75 and 1.25 over 0.
    let wedge =
        Wedge { start: [0.0, 0.6], velocity: [-180.0, -60.0], ceiling: [-3.75, 6.25], up: 100.0, restitution: 0.5 };
    for turn in images {
        let [wide, scalar] = [Backend::Wide, Backend::Scalar].map(|backend| wedge.step(backend, turn));
        assert_eq!(wide, scalar);
        let (at, velocity, told) = wide;
        // The floor is met a tenth of 60 / 60 below and gives half of it back; the ceiling, whose normal is (-1, 4) / √17, goes up at 100.
        let [[x, y], v] = [[at[0], at[1]], velocity];
        let near = |p: [f32; 2], q: [f32; 2]| (p[0] - q[0]).abs() + (p[1] - q[1]).abs() < 1e-3;
        assert!(near(v, turn([-180.0, 30.0])), "{v:?}");
        let [(true, floor, when), (false, ceiling, _)] = told[..] else { panic!("{told:?}") };
        assert!((floor - 60.0).abs() < 1e-3 && (when - 0.1).abs() < 1e-5, "{told:?}");
        assert!((ceiling - (180.0 - 4.0 * 70.0) / 17f32.sqrt()).abs() < 1e-3, "{told:?}");
        // 180 / 60 to the left, less what it loses on its way under where the ceiling was; on the floor or over it.
        let middle = turn([-2.9, 0.6]);
        assert!((x - middle[0]).abs() < 0.1001 && (y - middle[1]).abs() < 0.1001, "{at:?}");
    }
}

/// Where no ceiling is met in truth, what it does is what it would do without one, but for the detour about where that was.
#[test]
fn wedges_that_open_as_fast_as_a_ball_flies_turn_nobody() {
    let mut rng = Rng::new(41);
    let (mut tried, mut narrow) = (0, 0);
    while tried < 2000 {
        let slope = rng.range(0.02, 0.25) as f32;
        let wedge = {
            let (start, over) = ([0.0, rng.range(0.5, 1.0) as f32], rng.range(1.05, 2.0) as f32);
            let velocity = [-rng.range(150.0, 600.0) as f32, -rng.range(5.0, 60.0) as f32];
            let ceiling = [over - 20.0 * slope, over + 20.0 * slope];
            let (up, restitution) = (rng.range(0.0, 250.0) as f32, rng.range(0.0, 1.0) as f32);
            Wedge { start, velocity, ceiling, up, restitution }
        };
        // In seconds: at the start, at the floor, at the end. How far the ceiling is above the ball changes evenly between.
        let [y, vx, vy] = [wedge.start[1], wedge.velocity[0], wedge.velocity[1]].map(f64::from);
        let (end, down) = (1.0 / 60.0, (0.5 - y) / vy);
        if down >= end {
            continue;
        }
        let (slope, back) = (f64::from(slope), -vy * f64::from(wedge.restitution));
        let over = (f64::from(wedge.ceiling[0]) + f64::from(wedge.ceiling[1])) / 2.0;
        let height = |t: f64| if t < down { y + vy * t } else { 0.5 + back * (t - down) };
        let gap = |t: f64, up: f64| over + up * t + slope * vx * t - height(t);
        let reach = 0.5 * (1.0 + slope * slope).sqrt();
        // It fits under, is not come near by the ball as fast as that goes up, and is not passed before the floor.
        let comes = f64::from(wedge.up) + slope * vx - back < 0.0;
        if gap(0.0, 0.0) < reach + 1e-3 || gap(down, 0.0) < 1e-3 || comes {
            continue;
        }
        tried += 1;
        let (at, velocity, told) = wedge.step(Backend::Wide, |p| p);
        let note = format!("{at:?} {velocity:?} {told:?} {vx} {vy} {y} {over} {slope} {}", wedge.up);
        assert!((f64::from(velocity[0]) - vx).abs() < 1e-3 && (f64::from(velocity[1]) - back).abs() < 1e-3, "{note}");
        // The floor once, as it comes down on it; the ceiling, if it would be met where it was, once before and once after that, and never fast.
        assert_eq!(told.iter().filter(|met| met.0).count(), 1, "{note}");
        assert!(told.len() <= 3 && told.iter().all(|met| met.0 == (met.1 > 0.0)), "{note}");
        assert!(f64::from(at[1]) > 0.5 - 1e-4, "{note}");
        // The time at which it would get to where the ceiling was; until then nothing but the detour of a disc below that takes time, which goes
        // by cos² and, for the speed upwards, sin · cos of the slope.
        let (from, to) = (gap(down, 0.0), gap(end, 0.0));
        let free = if to > 0.0 { end } else { down + (end - down) * from / (from - to) };
        let part = (1.0 - slope * back / -vx) / (1.0 + slope * slope);
        narrow += u32::from(f64::from(at[1]) < height(end) - 1e-3);
        assert!(f64::from(at[0]) < vx * free * part + 5e-3 && f64::from(at[0]) > vx * end - 1e-3, "{free} {note}");
    }
    assert!(narrow > 200, "{narrow}");
}

/// Of two walls that both flee neither holds who flies between them.
#[test]
fn between_two_walls_that_flee_time_goes_on() {
    // From 0 to where the spines meet, at -4: radius 0.5 fits to where they are √17 / 8 from the middle, at 0.5 · √17 - 4.
    for (speed, to) in [(120.0, -2.0), (180.0, -3.0), (60.0, -1.0)] {
        let mut world = traced(World::new(WorldConfig::default()).unwrap());
        for side in [-1.0, 1.0] {
            let wall = Segment::new([-8.0, -side], [8.0, 3.0 * side]).with_velocity([0.0, 100.0 * side]);
            world.add_segment(wall).unwrap();
        }
        let ball = world.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([-speed, 0.0])).unwrap();
        let held = walls(&world);
        step_without_leak(&mut world, &held, 1.0 / 60.0, "both flee");
        let body = world.circle(ball).unwrap();
        assert!((body.shape.center.x - to).abs() < 0.1 && body.shape.center.y.abs() < 0.1, "{speed}: {body:?}");
        assert_eq!(body.velocity, [-speed, 0.0].into());
        let told: Vec<_> = world.impacts().iter().map(|met| met.segment).collect();
        assert!(told.len() <= 2 && (told.len() < 2 || told[0] != told[1]), "{:?}", world.impacts());
    }
}

/// A wall that stands is met by who comes near it, and by nobody else: not by rounding, nor by who rests in a corner.
#[test]
fn who_meets_a_wall_that_stands_comes_near_it() {
    let mut rng = Rng::new(7);
    let mut met = 0;
    for round in 0..60 {
        let restitution = [0.0, 0.5, 1.0][round % 3];
        let config = WorldConfig::default().with_gravity([0.0, -20.0]).with_restitution(restitution);
        let mut world = World::new(config).unwrap();
        let turn = rng.range(0.0, 1.6);
        let corner = |k: usize| {
            let angle = turn + k as f64 * std::f64::consts::TAU / 5.0;
            [10.0 * angle.cos(), 10.0 * angle.sin()].map(|v| v as f32)
        };
        for k in 0..5 {
            world.add_segment(Segment::new(corner(k), corner((k + 1) % 5))).unwrap();
        }
        for _ in 0..20 {
            let [x, y, vx, vy] = [4.0, 4.0, 300.0, 300.0].map(|most| rng.range(-most, most) as f32);
            world.add_circle(Circle::new([x, y], 0.01).with_velocity([vx, vy])).unwrap();
        }
        for _ in 0..60 {
            world.step(1.0 / 60.0).unwrap();
            met += world.impacts().len();
            let slow = world.impacts().iter().find(|met| met.approach_speed < 0.0 || met.approach_speed.is_nan());
            assert!(slow.is_none(), "{round}: {slow:?}");
        }
    }
    assert!(met > 1000, "{met}");
}
