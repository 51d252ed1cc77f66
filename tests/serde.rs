//! Promise: with the feature `serde`, what goes into a world and what comes out of one can be written down and read again, in words
//! that a reader understands, and nothing wrong is read.

use gridlane::geometry::{self, Aabb, Line, Ray};
use gridlane::{
    Backend, Bounds, CellSize, Circle, CircleBody, CircleCircleContact, CircleHandle, CircleSegmentContact,
    DetectorConfig, Event, Fan, Feature, Filter, Hit, Nearest, NeighborLists, QueryFilter, Response, Segment,
    SegmentBody, SegmentClass, SegmentHandle, SegmentSegmentContact, Squeezed, StepStats, Target, TargetKind, Threads,
    Vec2, World, WorldConfig,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

fn world() -> World {
    let mut world = World::new(WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.5)).unwrap();
    for k in 0..6 {
        world.add_circle(Circle::new([k as f32 * 0.75, 0.5], 0.5).with_user_data(k)).unwrap();
    }
    world.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    world.add_segment(Segment::new([1.0, -1.0], [2.0, 1.0]).with_velocity([0.1, 0.0])).unwrap();
    world.step(0.125).unwrap();
    world
}

/// There and back, bit for bit as far as equality tells.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    text
}

#[test]
fn values_are_written_in_their_own_words() {
    assert_eq!(there_and_back(&Vec2::new(0.1, -2.5)), r#"{"x":0.1,"y":-2.5}"#);
    assert_eq!(there_and_back(&Circle::new([1.0, 2.0], 0.5)), r#"{"center":{"x":1.0,"y":2.0},"radius":0.5}"#);
    there_and_back(&Segment::new([1.0, 2.0], [3.0, 4.0]).with_radius(0.25));
    assert_eq!(there_and_back(&Filter::new(5, 6)), r#"{"category":5,"mask":6}"#);
    assert_eq!(there_and_back(&CircleHandle::from_bits(3 << 32 | 7)), r#"{"index":7,"generation":3}"#);
    there_and_back(&SegmentHandle::from_bits(u64::MAX));
    there_and_back::<CircleBody>(
        &Circle::new([1.0, 2.0], 0.5).with_velocity([3.0, 4.0]).with_sensor(true).with_bullet(true),
    );
    there_and_back::<SegmentBody>(&Segment::new([1.0, 2.0], [3.0, 4.0]).with_velocity([3.0, 4.0]));
    assert_eq!(there_and_back(&[Feature::Interior, Feature::Start, Feature::End]), r#"["interior","start","end"]"#);
    let classes = [SegmentClass::Cross, SegmentClass::Touch, SegmentClass::Overlap, SegmentClass::Near];
    assert_eq!(there_and_back(&classes), r#"["cross","touch","overlap","near"]"#);
    assert!(serde_json::from_str::<Feature>("\"middle\"").is_err() && serde_json::from_str::<Feature>("1").is_err());
}

#[test]
fn configurations_may_leave_fields_out() {
    let config = WorldConfig::default()
        .with_backend(Backend::Scalar)
        .with_threads(Threads::Fixed(2))
        .with_cell_size(CellSize::Fixed(1.5))
        .with_response(Response::None)
        .with_bounds(Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(1.0, 2.0) });
    there_and_back(&config);
    let short: WorldConfig = serde_json::from_str(r#"{"restitution":0.25}"#).unwrap();
    assert_eq!(short, WorldConfig::default().with_restitution(0.25));
    // What is read is checked at the door, as ever.
    let wrong: WorldConfig = serde_json::from_str(r#"{"restitution":7}"#).unwrap();
    assert!(World::new(wrong).is_err());
}

#[test]
fn records_and_events_go_there_and_back() {
    let world = world();
    let contacts = world.contacts();
    assert!(!contacts.circle_circle().is_empty() && !contacts.circle_segment().is_empty());
    assert!(!contacts.segment_segment().is_empty() && !world.events().is_empty());
    there_and_back::<Vec<CircleCircleContact>>(&contacts.circle_circle().to_vec());
    there_and_back::<Vec<CircleSegmentContact>>(&contacts.circle_segment().to_vec());
    there_and_back::<Vec<SegmentSegmentContact>>(&contacts.segment_segment().to_vec());
    there_and_back::<Vec<Event>>(&world.events().to_vec());
    there_and_back::<StepStats>(&world.stats());
}

#[test]
fn answers_and_questions_go_there_and_back() {
    let world = world();
    let (queries, filter, mut lists) = (world.queries(), QueryFilter::new(), NeighborLists::new());
    let ray = Ray::new([-5.0, 0.5], [1.0, 0.0]).with_max(9.0);
    let hit = queries.cast_ray(ray, filter).unwrap().unwrap();
    let text = there_and_back::<Hit>(&hit);
    assert!(text.ends_with(r#""target":{"kind":"circle","row":0}}"#), "{text}");
    there_and_back::<Hit>(&Hit::NOTHING);
    assert_eq!(there_and_back(&Target::NOTHING), r#"{"kind":"nothing","row":0}"#);
    assert!(serde_json::from_str::<TargetKind>("\"wall\"").is_err());
    there_and_back::<Nearest>(&queries.nearest_segment([0.0, 3.0], 9.0, filter).unwrap().unwrap());
    queries.neighbors(0.5, filter, &mut lists).unwrap();
    assert!(!lists.items().is_empty());
    there_and_back(&lists.items().to_vec());
    there_and_back(&Fan::around([1.0, 2.0], 360, 50.0));
    there_and_back(&Squeezed { circle: CircleHandle::from_bits(7), segment: SegmentHandle::from_bits(9) });
    let (p, segment) = (Vec2::new(1.0, 2.0), Segment::new([0.0, 0.0], [4.0, 1.0]));
    there_and_back(&geometry::nearest_on_segment(p, segment));
    there_and_back(&geometry::nearest_on_line(p, Line::new([0.0, 0.0], [4.0, 1.0])));
    assert_eq!(
        there_and_back(&Aabb::new([0.0, 1.0], [2.0, 3.0])),
        r#"{"min":{"x":0.0,"y":1.0},"max":{"x":2.0,"y":3.0}}"#
    );
    there_and_back(&DetectorConfig::default().with_backend(Backend::Scalar).with_threads(Threads::Fixed(2)));
    let short: DetectorConfig = serde_json::from_str(r#"{"backend":"Scalar"}"#).unwrap();
    assert_eq!(short, DetectorConfig::default().with_backend(Backend::Scalar));
}

#[test]
fn a_world_goes_on_from_what_was_written() {
    let mut world = world();
    let text = serde_json::to_string(&world).unwrap();
    let mut read: World = serde_json::from_str(&text).unwrap();
    for _ in 0..20 {
        world.step(0.125).unwrap();
        read.step(0.125).unwrap();
        assert_eq!((world.state_hash(), world.events()), (read.state_hash(), read.events()));
    }
    assert!(serde_json::from_str::<World>("[1,2,3]").is_err() && serde_json::from_str::<World>("{}").is_err());
}
