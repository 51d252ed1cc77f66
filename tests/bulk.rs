//! Promise: what is done to many bodies at once is what is done to each of them, and questions see it at once.

use gridlane::{
    Circle, CircleBodies, CircleHandle, Error, Filter, Kind, QueryFilter, Ray, Segment, SegmentBodies, SegmentBody,
    SegmentHandle, World, WorldConfig,
};

fn world() -> World {
    World::new(WorldConfig::default()).unwrap()
}

/// What a world shows of bodies that take part is what another takes; who has no restitution of his own has none there.
#[test]
fn columns_that_are_shown_make_the_same_bodies_elsewhere() {
    let (mut from, mut to) = (world(), world());
    for k in 0..9u32 {
        let at = [3.0 * k as f32, 1.0];
        let circle = Circle::new(at, 1.0).with_velocity([k as f32, -1.0]).with_user_data(k.into()).with_bullet(k == 4);
        let wall = SegmentBody::from(Segment::new(at, [at[0], 9.0])).with_sensor(k == 3).with_filter(Filter::new(k, 7));
        let own = k as f32 / 8.0;
        from.add_circle(if k % 3 == 0 { circle } else { circle.with_restitution(own) }).unwrap();
        from.add_segment(if k % 3 == 1 { wall } else { wall.with_restitution(own) }).unwrap();
    }
    let (c, s) = (from.circles(), from.segments());
    assert!(c.restitution().contains(&-1.0) && s.restitution().contains(&-1.0));
    let circles = CircleBodies {
        x: c.x(),
        y: c.y(),
        radius: c.radius(),
        velocity_x: c.velocity_x(),
        velocity_y: c.velocity_y(),
        inverse_mass: c.inverse_mass(),
        category: c.category(),
        mask: c.mask(),
        sensor: c.sensor(),
        user_data: c.user_data(),
        restitution: c.restitution(),
        enabled: c.enabled(),
        bullet: c.bullet(),
    };
    let segments = SegmentBodies {
        x0: s.x0(),
        y0: s.y0(),
        x1: s.x1(),
        y1: s.y1(),
        radius: s.radius(),
        velocity_x0: s.velocity_x0(),
        velocity_y0: s.velocity_y0(),
        velocity_x1: s.velocity_x1(),
        velocity_y1: s.velocity_y1(),
        one_sided: s.one_sided(),
        category: s.category(),
        mask: s.mask(),
        sensor: s.sensor(),
        user_data: s.user_data(),
        restitution: s.restitution(),
        enabled: s.enabled(),
    };
    to.add_circles(circles).unwrap();
    to.add_segments(segments).unwrap();
    let bodies = |world: &World| {
        let (c, s) = (world.circles(), world.segments());
        let circles = c.handles().iter().map(|&circle| world.circle(circle).unwrap()).collect::<Vec<_>>();
        (circles, s.handles().iter().map(|&segment| world.segment(segment).unwrap()).collect::<Vec<_>>())
    };
    assert_eq!(bodies(&from), bodies(&to));
    assert_eq!(from.state_hash(), to.state_hash());
}

/// No column has the value that is taken where it is left out.
#[test]
fn every_column_is_that_of_a_body() {
    let wall = SegmentBody::from(Segment::new([1.0, 2.0], [3.0, 4.0]).with_radius(0.5))
        .with_end_velocities([5.0, 6.0], [7.0, 8.0])
        .with_one_sided(true)
        .with_filter(Filter::new(6, 12))
        .with_sensor(true)
        .with_user_data(99)
        .with_restitution(0.25)
        .with_enabled(false);
    let columns = SegmentBodies {
        x0: &[1.0],
        y0: &[2.0],
        x1: &[3.0],
        y1: &[4.0],
        radius: &[0.5],
        velocity_x0: &[5.0],
        velocity_y0: &[6.0],
        velocity_x1: &[7.0],
        velocity_y1: &[8.0],
        one_sided: &[true],
        category: &[6],
        mask: &[12],
        sensor: &[true],
        user_data: &[99],
        restitution: &[0.25],
        enabled: &[false],
    };
    let mut w = world();
    let [single, plain] =
        [wall, SegmentBody::from(Segment::new([0.0, 0.0], [1.0, 0.0]))].map(|s| w.add_segment(s).unwrap());
    let added = w.add_segments(columns).unwrap()[0];
    w.replace_segments(&[plain], columns).unwrap();
    assert_eq!([single, added, plain].map(|s| w.segment(s)), [Some(wall); 3]);

    let disc = Circle::new([1.0, 2.0], 3.0)
        .with_velocity([4.0, 5.0])
        .with_inverse_mass(0.125)
        .with_filter(Filter::new(6, 12))
        .with_sensor(true)
        .with_user_data(99)
        .with_restitution(0.25)
        .with_enabled(false)
        .with_bullet(true);
    let columns = CircleBodies {
        x: &[1.0],
        y: &[2.0],
        radius: &[3.0],
        velocity_x: &[4.0],
        velocity_y: &[5.0],
        inverse_mass: &[0.125],
        category: &[6],
        mask: &[12],
        sensor: &[true],
        user_data: &[99],
        restitution: &[0.25],
        enabled: &[false],
        bullet: &[true],
    };
    let [single, plain] = [disc, Circle::new([0.0, 0.0], 1.0).into()].map(|c| w.add_circle(c).unwrap());
    let added = w.add_circles(columns).unwrap()[0];
    w.set_circles(&[plain], columns).unwrap();
    assert_eq!([single, added, plain].map(|c| w.circle(c)), [Some(disc); 3]);
}

/// How many bodies a small disc touches; a short ray through it sees some or none.
fn found(w: &World, at: [f32; 2]) -> usize {
    let mut found = Vec::new();
    w.queries().overlap_circle(Circle::new(at, 0.1), QueryFilter::new(), &mut found).unwrap();
    let ray = Ray::new([at[0] - 0.05, at[1]], [0.1, 0.0]).with_max(1.0);
    assert_eq!(w.queries().cast_ray(ray, QueryFilter::new()).unwrap().is_some(), !found.is_empty());
    found.len()
}

/// Fifty circles and fifty segments elsewhere, of which questions have been asked already.
fn asked() -> (World, Vec<CircleHandle>, Vec<SegmentHandle>) {
    let mut w = world();
    let x = |k: u16| 3.0 * f32::from(k);
    let circles = (0..50).map(|k| w.add_circle(Circle::new([x(k), 100.0], 0.5)).unwrap()).collect();
    let wall = |k: u16| Segment::new([x(k), 200.0], [x(k), 201.0]);
    let segments = (0..50).map(|k| w.add_segment(wall(k)).unwrap()).collect();
    assert_eq!([[0.0, 0.0], [7.0, 0.0], [0.0, 100.0], [0.0, 200.5]].map(|at| found(&w, at)), [0, 0, 1, 1]);
    (w, circles, segments)
}

#[test]
fn questions_see_what_has_been_done_to_many() {
    let x = &[0.0, 7.0];
    let discs = CircleBodies { x, y: &[0.0; 2], radius: &[1.0; 2], ..Default::default() };
    let walls = SegmentBodies { x0: x, y0: &[-1.0; 2], x1: x, y1: &[1.0; 2], ..Default::default() };
    type Edit<'a> = &'a dyn Fn(&mut World, &[CircleHandle], &[SegmentHandle]) -> Result<(), Error>;
    let edits: [(&str, Edit<'_>); 5] = [
        ("add_circles", &|w, _, _| w.add_circles(discs).map(drop)),
        ("add_segments", &|w, _, _| w.add_segments(walls).map(drop)),
        ("set_circles", &|w, c, _| w.set_circles(&c[3..5], discs)),
        ("replace_segments", &|w, _, s| w.replace_segments(&s[3..5], walls)),
        ("move_circles", &|w, c, _| w.move_circles(&c[3..5], x, &[0.0; 2])),
    ];
    for (name, edit) in edits {
        let (mut w, c, s) = asked();
        edit(&mut w, &c, &s).unwrap();
        assert_eq!([[0.0, 0.0], [7.0, 0.0]].map(|at| found(&w, at)), [1, 1], "{name}");
    }
    let (mut w, c, s) = asked();
    let bytes = w.save();
    w.set_circle_radius(c[0], 100.0).unwrap();
    assert_eq!(found(&w, [0.0, 1.0]), 1);
    w.restore(&bytes).unwrap();
    assert_eq!(found(&w, [0.0, 1.0]), 0);
    w.set_segment(s[9], Segment::new([0.0, -1.0], [0.0, 1.0])).unwrap();
    assert_eq!(found(&w, [0.0, 0.0]), 1);
    w.restore(&bytes).unwrap();
    assert_eq!(found(&w, [0.0, 0.0]), 0);
    w.remove_circles(&c[..2]).unwrap();
    w.remove_segments(&s[..2]).unwrap();
    assert_eq!([[0.0, 100.0], [0.0, 200.5]].map(|at| found(&w, at)), [0, 0]);
}

#[test]
fn an_impulse_that_is_too_large_is_named() {
    let mut w = world();
    let circle = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([f32::MAX; 2])).unwrap();
    for (impulse, field) in [([f32::MAX, 0.0], "velocity_x"), ([0.0, f32::MAX], "velocity_y")] {
        let expected = Error::OutOfRange { kind: Kind::Circle, bits: circle.to_bits(), field };
        assert_eq!(w.push_circle(circle, impulse), Err(expected));
    }
}

#[test]
fn which_side_is_solid_is_in_the_hash() {
    let hash = |one_sided: bool| {
        let mut w = world();
        w.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0]).with_one_sided(one_sided)).unwrap();
        w.state_hash()
    };
    assert_ne!(hash(true), hash(false));
}
