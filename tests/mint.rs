//! Promise: with the feature `mint`, vectors and points of that crate go in and come out.

use gridlane::{Circle, Vec2, World, WorldConfig};

#[test]
fn vectors_and_points_go_in_and_come_out() {
    let (vector, point) = (mint::Vector2 { x: 1.5, y: -2.0 }, mint::Point2 { x: 3.0f32, y: 0.25 });
    assert_eq!((Vec2::from(vector), Vec2::from(point)), (Vec2::new(1.5, -2.0), Vec2::new(3.0, 0.25)));
    assert_eq!((mint::Vector2::from(Vec2::new(1.5, -2.0)), mint::Point2::from(Vec2::new(3.0, 0.25))), (vector, point));
    let mut world = World::new(WorldConfig::default().with_gravity(vector)).unwrap();
    let ball = world.add_circle(Circle::new(point, 0.5).with_velocity(vector)).unwrap();
    let out: mint::Vector2<f32> = world.circle(ball).unwrap().velocity.into();
    assert_eq!(out, vector);
}
