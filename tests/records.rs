//! Promise: every record of numbers and names that is handed out (events and statistics are none) is plain bytes without gaps, in a layout that does not change: it can go to a GPU, to
//! a file or over a wire as it is.

use bytemuck::Pod;
use gridlane::geometry::{Aabb, Contact, Gap, NearestOnLine, NearestOnSegment, NearestPoint, OutlinePoint, RayHit};
use gridlane::{
    Circle, CircleCircleContact, CircleHandle, CircleImpact, CircleSegmentContact, Feature, Filter, Hit, Impact,
    Nearest, Neighbor, Segment, SegmentClass, SegmentHandle, SegmentSegmentContact, Squeezed, Target, TargetKind,
    Touch, Vec2, World, WorldConfig,
};
use std::mem::offset_of;

/// Size and alignment; `Pod` itself refuses a type with gaps.
fn layout<T: Pod>() -> (usize, usize) {
    (size_of::<T>(), align_of::<T>())
}

#[test]
fn sizes_are_those_of_the_fields() {
    assert_eq!((layout::<Vec2>(), layout::<Circle>(), layout::<Segment>()), ((8, 4), (12, 4), (20, 4)));
    assert_eq!((layout::<Feature>(), layout::<SegmentClass>(), layout::<Filter>()), ((4, 4), (4, 4), (8, 4)));
    assert_eq!((layout::<CircleHandle>(), layout::<SegmentHandle>()), ((8, 4), (8, 4)));
    // Rows 8, point 8, normal 8, separation 4; the feature 4 more.
    assert_eq!((layout::<CircleCircleContact>(), layout::<CircleSegmentContact>()), ((28, 4), (32, 4)));
    // Rows 8, class 4, point 8, t and u 8, to 8.
    assert_eq!(layout::<SegmentSegmentContact>(), (36, 4));
    // Handles 16, point 8, normal 8, speed 4, fraction 4.
    assert_eq!((layout::<Impact>(), layout::<CircleImpact>(), layout::<Squeezed>()), ((40, 4), (40, 4), (16, 4)));
    // Point 8, normal 8, speed 4; point 8, normal 8, separation 4, feature 4.
    assert_eq!((layout::<Touch>(), layout::<Contact>()), ((20, 4), (24, 4)));
    // Fraction 4, point and normal 16, feature 4, target 8; point, distance, feature and target.
    assert_eq!((layout::<Target>(), layout::<TargetKind>()), ((8, 4), (4, 4)));
    assert_eq!((layout::<Hit>(), layout::<Nearest>(), layout::<Neighbor>()), ((32, 4), (24, 4), (24, 4)));
    // The same without the target; points 8, numbers 4, features 4.
    assert_eq!((layout::<RayHit>(), layout::<NearestPoint>(), layout::<Gap>()), ((24, 4), (16, 4), (16, 4)));
    assert_eq!((layout::<NearestOnLine>(), layout::<NearestOnSegment>()), ((16, 4), (20, 4)));
    assert_eq!((layout::<OutlinePoint>(), layout::<Aabb>()), ((12, 4), (16, 4)));
}

#[test]
fn fields_follow_each_other_as_they_are_written_down() {
    macro_rules! offsets {
        ($type:ty: $($field:ident),*) => { [$(offset_of!($type, $field)),*] };
    }
    assert_eq!(offsets!(Vec2: x, y), [0, 4]);
    assert_eq!(offsets!(Circle: center, radius), [0, 8]);
    assert_eq!(offsets!(Segment: start, end, radius), [0, 8, 16]);
    assert_eq!(offsets!(Filter: category, mask), [0, 4]);
    assert_eq!(offsets!(CircleCircleContact: a, b, point, normal, separation), [0, 4, 8, 16, 24]);
    assert_eq!(offsets!(CircleSegmentContact: a, b, point, normal, separation, feature), [0, 4, 8, 16, 24, 28]);
    assert_eq!(offsets!(Impact: circle, segment, point, normal, approach_speed, fraction), [0, 8, 16, 24, 32, 36]);
    assert_eq!(offsets!(SegmentSegmentContact: a, b, class, point, t, u, to), [0, 4, 8, 12, 20, 24, 28]);
    assert_eq!(offsets!(Hit: fraction, point, normal, feature, target), [0, 4, 12, 20, 24]);
    assert_eq!(offsets!(Nearest: point, distance, feature, target), [0, 8, 12, 16]);
    assert_eq!(offsets!(Neighbor: point, separation, feature, target), [0, 8, 12, 16]);
    assert_eq!(offsets!(CircleImpact: circles, point, normal, approach_speed, fraction), [0, 16, 24, 32, 36]);
    assert_eq!(offsets!(Squeezed: circle, segment), [0, 8]);
    assert_eq!(offsets!(Touch: point, normal, approach_speed), [0, 8, 16]);
    assert_eq!(offsets!(Contact: point, normal, separation, feature), [0, 8, 16, 20]);
    assert_eq!(offsets!(Target: kind, row), [0, 4]);
    assert_eq!(offsets!(RayHit: t, point, normal, feature), [0, 4, 12, 20]);
    assert_eq!(offsets!(NearestPoint: point, distance, feature), [0, 8, 12]);
    assert_eq!(offsets!(Gap: point, separation, feature), [0, 8, 12]);
    assert_eq!(offsets!(OutlinePoint: point, t), [0, 8]);
    assert_eq!(offsets!(NearestOnLine: foot, t, distance), [0, 8, 12]);
    assert_eq!(offsets!(NearestOnSegment: foot, t, distance, feature), [0, 8, 12, 16]);
    assert_eq!(offsets!(Aabb: min, max), [0, 8]);
}

#[test]
fn contacts_are_bytes_for_whoever_wants_them() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_circle(Circle::new([0.0, 1.0], 2.0)).unwrap();
    world.add_segment(Segment::new([-4.0, 0.0], [4.0, 0.0])).unwrap();
    world.step(0.0).unwrap();
    let bytes: &[u8] = bytemuck::cast_slice(world.contacts().circle_segment());
    // Rows 0 and 0; point (0, 0); normal (0, -1); separation 1 - 2; feature interior, which is 0.
    let floats = [0.0f32, 0.0, 0.0, -1.0, -1.0].map(f32::to_bits);
    let expected = [&[0, 0][..], &floats, &[0]].concat();
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    assert_eq!(words.iter().map(|word| u32::from_ne_bytes(*word)).collect::<Vec<_>>(), expected);
    // A column is bytes as well, and so are handles.
    assert_eq!(bytemuck::cast_slice::<f32, u8>(world.circles().x()).len(), 4);
    assert_eq!(bytemuck::cast_slice::<CircleHandle, u32>(world.circles().handles()), [0, 0]);
    let bits: u64 = CircleHandle::from_bits(5 << 32 | 9).to_bits();
    assert_eq!(bytemuck::cast::<CircleHandle, [u32; 2]>(CircleHandle::from_bits(bits)), [9, 5]);
}
