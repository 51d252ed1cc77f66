//! Promise: with the feature `glam`, its vectors go in and come out.

use glam::vec2;
use gridlane::{Circle, Segment, Vec2, World, WorldConfig};

#[test]
fn vectors_go_in_and_come_out() {
    assert_eq!(Vec2::from(vec2(1.5, -2.0)), Vec2::new(1.5, -2.0));
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ball = world.add_circle(Circle::new(vec2(0.0, 1.25), 1.0).with_velocity(vec2(0.0, -1.0))).unwrap();
    world.add_segment(Segment::new(vec2(-5.0, 0.0), vec2(5.0, 0.0))).unwrap();
    world.step(0.25).unwrap();
    world.push_circle(ball, vec2(0.25, 0.0)).unwrap();
    // 1.25 - 0.25 = 1: just touching after a quarter of a second, and back with what it came with.
    let body = world.circle(ball).unwrap();
    assert_eq!(glam::Vec2::from(body.velocity), vec2(0.25, 1.0));
    let normal: glam::Vec2 = world.contacts().circle_segment()[0].normal.into();
    assert_eq!(normal, vec2(0.0, -1.0));
}
