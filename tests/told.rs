//! Promise: what is told of a step is of that step: all of it, where it was refused still that of the one before, and after a way back nothing.

use gridlane::{
    Bounds, Circle, CircleBodies, EventPair, Segment, StepStats, Threads, Vec2, Verdict, World, WorldConfig, step_many,
};

fn world() -> World {
    World::new(WorldConfig::default()).unwrap()
}

/// One that bounces in flight, a bullet that meets another circle, and one between two walls that close.
fn eventful() -> World {
    let mut w = world();
    w.add_segment(Segment::new([-10.0, 50.0], [10.0, 50.0])).unwrap();
    w.add_circle(Circle::new([0.0, 53.0], 0.5).with_velocity([0.0, -40.0])).unwrap();
    w.add_circle(Circle::new([0.0, 100.0], 0.5).with_velocity([100.0, 0.0]).with_bullet(true)).unwrap();
    w.add_circle(Circle::new([5.0, 100.0], 0.5)).unwrap();
    w.add_circle(Circle::new([100.0, 300.0], 1.0)).unwrap();
    w.add_segment(Segment::new([90.0, 299.0], [110.0, 299.0])).unwrap();
    w.add_segment(Segment::new([90.0, 301.0], [110.0, 301.0]).with_velocity([0.0, -20.0])).unwrap();
    w
}

fn told(w: &World) -> String {
    format!("{:?} {:?} {:?} {:?} {:?}", w.contacts(), w.events(), w.impacts(), w.circle_impacts(), w.squeezed())
}

#[test]
fn a_refused_response_leaves_what_was_told() {
    let mut w = eventful();
    w.step(0.2).unwrap();
    assert_eq!((w.impacts().len(), w.circle_impacts().len(), w.squeezed().len()), (1, 1, 1));
    // Who cannot be pushed gives the other twice a speed that is more than half of the largest.
    w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([f32::MAX / 1.5, 0.0]).with_inverse_mass(0.0)).unwrap();
    w.add_circle(Circle::new([1.5, 0.0], 1.0)).unwrap();
    let before = (told(&w), w.state_hash(), w.save());
    assert!(w.step(1e-40).is_err());
    assert_eq!((told(&w), w.state_hash(), w.save()), before);
}

#[test]
fn who_goes_back_tells_nothing_of_what_has_been() {
    let mut w = eventful();
    let bytes = w.save();
    w.step(0.2).unwrap();
    w.restore(&bytes).unwrap();
    assert!(
        w.events().is_empty() && w.impacts().is_empty() && w.circle_impacts().is_empty() && w.squeezed().is_empty()
    );
    assert_eq!((w.contacts().len(), w.stats()), (0, StepStats::default()));
}

#[test]
fn bounds_are_those_of_the_bytes() {
    let make = |length: f32| {
        let config = WorldConfig::default().with_bounds(Bounds::periodic([0.0; 2], [length; 2]));
        let mut w = World::new(config).unwrap();
        for x in [0.1, length - 0.1] {
            w.add_circle(Circle::new([x, 5.0], 0.5)).unwrap();
        }
        assert_eq!(w.step(0.0).unwrap().circle_circle, 1, "across the border");
        w
    };
    let (short, mut long) = (make(10.0), make(20.0));
    long.restore(&short.save()).unwrap();
    assert_eq!(long.step(0.0).unwrap().circle_circle, 1);
}

/// Of mass 2, from -40 to 40; and a bullet that another circle stops, which goes on to the wall in its place.
#[test]
fn impulses_of_flights_are_counted() {
    let mut w = world();
    w.add_segment(Segment::new([-10.0, 0.0], [10.0, 0.0])).unwrap();
    w.add_circle(Circle::new([0.0, 3.0], 0.5).with_velocity([0.0, -40.0]).with_inverse_mass(0.5)).unwrap();
    assert!((w.step(0.25).unwrap().wall_impulse - 160.0).abs() < 0.01);
    let mut w = world();
    w.add_segment(Segment::new([-100.0, 0.0], [100.0, 0.0])).unwrap();
    w.add_circle(Circle::new([0.0, 20.0], 0.5).with_velocity([0.0, -40.0]).with_bullet(true)).unwrap();
    w.add_circle(Circle::new([0.0, 10.0], 0.5)).unwrap();
    assert!((w.step(1.0).unwrap().wall_impulse - 80.0).abs() < 0.01);
}

/// All five calls are measured, one after the other; many worlds side by side are not.
#[test]
fn times_are_told() {
    let x: Vec<f32> = (0..5000u16).map(|k| 0.9 * f32::from(k)).collect();
    let mut w = World::new(WorldConfig::default().with_threads(Threads::Fixed(1))).unwrap();
    w.add_circles(CircleBodies { x: &x, y: &vec![0.0; x.len()], radius: &vec![0.5; x.len()], ..Default::default() })
        .unwrap();
    let calls = |s: StepStats| [s.move_ns, s.bin_ns, s.detect_ns, s.resolve_ns, s.report_ns];
    let start = std::time::Instant::now();
    let times = calls(w.step(0.01).unwrap());
    let all = start.elapsed().as_nanos();
    assert!(times.iter().all(|&ns| ns > 0) && times.iter().map(|&ns| u128::from(ns)).sum::<u128>() <= all, "{times:?}");
    let mut some = [w];
    step_many(&mut some, 0.01).unwrap();
    assert_eq!(calls(some[0].stats()), [0; 5]);
}

#[cfg(feature = "parallel")]
#[test]
fn who_chooses_no_threads_has_those_around() {
    let x: Vec<f32> = (0..20_000u16).map(|k| 3.0 * f32::from(k)).collect();
    let mut w = World::new(WorldConfig::default().with_threads(Threads::Auto)).unwrap();
    w.add_circles(CircleBodies { x: &x, y: &vec![0.0; x.len()], radius: &vec![1.0; x.len()], ..Default::default() })
        .unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(pool.install(|| w.step(0.01).unwrap().threads), 3);
}

/// Among so many circles rows change: the later a handle, the earlier its row.
#[test]
fn a_hook_is_told_velocities_by_handles() {
    let mut w = world();
    let velocity = |k: u16| Vec2::new(0.001 * f32::from(k), 0.002 * f32::from(k % 7));
    for k in 0..300u16 {
        let center = [300.0 - f32::from(k), 0.25 * f32::from(k % 3)];
        w.add_circle(Circle::new(center, 0.6).with_velocity(velocity(k))).unwrap();
    }
    let mut asked = 0;
    w.step_with(1.0 / 64.0, |met| {
        let EventPair::CircleCircle(a, b) = met.pair else { panic!("there are circles alone") };
        assert!(a < b);
        assert_eq!(met.velocities, [a, b].map(|circle| velocity(circle.index() as u16)));
        asked += 1;
        Verdict::Act
    })
    .unwrap();
    assert!(asked > 20);
}
