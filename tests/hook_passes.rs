//! Promise: whom a hook lets through a wall, that wall is not there for until the next step has asked again: not where others hold him, come upon him or
//! push him; and what the next step is told counts in it.

use gridlane::{
    Circle, CircleHandle, Encounter, Error, EventPair, Segment, SegmentHandle, Vec2, Verdict, World, WorldConfig,
};

/// A circle at a place, a wall that lets it through, or none, and a step in which that is asked.
struct Scene {
    world: World,
    circle: CircleHandle,
    platform: Option<SegmentHandle>,
}

fn scene(circle: Circle, velocity: [f32; 2], platform: Option<Segment>, dt: f32) -> Scene {
    let mut world = World::new(WorldConfig::default().with_restitution(0.0)).unwrap();
    let circle = world.add_circle(circle.with_velocity(velocity)).unwrap();
    let platform = platform.map(|platform| world.add_segment(platform.with_velocity([0.0, 0.0])).unwrap());
    let mut scene = Scene { world, circle, platform };
    scene.step(dt);
    scene
}

impl Scene {
    fn step(&mut self, dt: f32) {
        let platform = self.platform;
        let mut hook = |m: &Encounter| match m.pair {
            EventPair::CircleSegment(_, wall) if Some(wall) == platform => Verdict::Pass,
            _ => Verdict::Act,
        };
        self.world.step_with(dt, &mut hook).unwrap();
    }

    fn center(&self) -> Vec2 {
        self.world.circle(self.circle).unwrap().shape.center
    }

    fn drive(&mut self, velocity: [f32; 2]) {
        let Some(platform) = self.platform else { return };
        let mut body = self.world.segment(platform).unwrap();
        (body.start_velocity, body.end_velocity) = (velocity.into(), velocity.into());
        self.world.set_segment(platform, body).unwrap();
    }
}

/// The same with the wall and without it.
fn alike(platform: Segment, run: impl Fn(Option<Segment>) -> Scene) -> Scene {
    let [with, without] = [Some(platform), None].map(run);
    assert_eq!(with.center(), without.center());
    assert_eq!(with.world.squeezed().len(), without.world.squeezed().len());
    with
}

#[test]
fn a_lift_carries_through_a_platform() {
    let lifted = alike(Segment::new([-5.0, 0.0], [5.0, 0.0]), |platform| {
        let mut scene = scene(Circle::new([0.0, -0.3], 0.5), [0.0, 0.0], platform, 1.0);
        let lift = Segment::new([-5.0, -1.0], [5.0, -1.0]).with_velocity([0.0, 1.2]);
        scene.world.add_segment(lift).unwrap();
        scene.step(1.0);
        scene
    });
    // The lift has come to 0.2: the circle is above it, and above the platform.
    assert!(lifted.center().y > 0.2 && lifted.world.squeezed().is_empty());
}

#[test]
fn one_slides_along_a_wall_through_a_platform() {
    let slid = alike(Segment::new([-5.0, 0.0], [5.0, 0.0]), |platform| {
        let mut scene = scene(Circle::new([-0.05, -0.1], 0.5), [0.15, 0.15], platform, 1e-6);
        // In the way of where it goes: it slides on upwards.
        scene.world.add_segment(Segment::new([0.0, -5.0], [0.0, 5.0])).unwrap();
        scene.step(1.0);
        scene
    });
    assert!(slid.center().y > 0.0 && slid.center().x < 0.0);
}

#[test]
fn a_platform_that_moves_does_not_take_along_whom_it_lets_through() {
    for (platform, velocity) in [
        (Segment::new([-5.0, 0.3], [5.0, 0.3]), [0.0, -1.0]),
        // Against the other wall: there is room, since one of them lets it through.
        (Segment::new([0.3, -5.0], [0.3, 5.0]), [-1.0, 0.0]),
    ] {
        let pushed = alike(platform, |platform| {
            let mut scene = scene(Circle::new([0.0, 0.0], 0.5), [0.0, 0.0], platform, 1.0);
            scene.drive(velocity);
            let wall = Segment::new([-1.0, -5.0], [-1.0, 5.0]).with_velocity([1.1, 0.0]);
            scene.world.add_segment(wall).unwrap();
            scene.step(1.0);
            scene
        });
        assert!(pushed.center().x > 0.1 && pushed.center().y == 0.0 && pushed.world.squeezed().is_empty());
    }
}

#[test]
fn what_the_next_step_is_told_counts_in_it() {
    // Pushed from below by one that cannot be moved, against a wall that acts now, whatever it did before; and through one that passes now.
    for (first, then) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let verdict = |which: i32| if which == 1 { Verdict::Pass } else { Verdict::Act };
        let mut world = World::new(WorldConfig::default().with_restitution(1.0)).unwrap();
        let wall = world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
        let circle = world.add_circle(Circle::new([0.0, -0.02], 0.5)).unwrap();
        world.step_with(1e-6, |_| verdict(first)).unwrap();
        world.set_circle_velocity(circle, [0.0, 0.0]).unwrap();
        world.move_circle(circle, [0.0, -0.02]).unwrap();
        world.add_circle(Circle::new([0.0, -0.2], 0.5).with_inverse_mass(0.0)).unwrap();
        let of_wall = EventPair::CircleSegment(circle, wall);
        world.step_with(1.0 / 60.0, |m| if m.pair == of_wall { verdict(then) } else { Verdict::Act }).unwrap();
        let y = world.circle(circle).unwrap().shape.center.y;
        assert_eq!(y > 0.0, then == 1, "{first} {then}: {y}");
    }
}

/// More contacts than may be listed: whose legs are free is told without the list, and who was let pass is nobody then who has no row.
#[test]
fn too_many_contacts_after_a_pass_are_an_error_as_any() {
    for verdict in [Verdict::Act, Verdict::Pass] {
        let mut world = World::new(WorldConfig::default().with_contact_limit(1)).unwrap();
        world.add_segment(Segment::new([-10.0, 0.0], [10.0, 0.0])).unwrap();
        world.add_circle(Circle::new([-5.0, 0.4], 0.5)).unwrap();
        world.step_with(0.0625, |_| verdict).unwrap();
        // Its leg crosses the wall, and it touches it.
        world.add_circle(Circle::new([5.0, 0.1], 0.5).with_velocity([0.0, -2.0])).unwrap();
        let before = (world.state_hash(), world.save());
        assert_eq!(world.step(0.0625), Err(Error::TooManyContacts { limit: 1 }));
        assert_eq!((world.state_hash(), world.save()), before);
    }
}
