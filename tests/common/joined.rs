//! Joined walls, and what one step of a world tells of circles among them.
//!
//! Comes in: walls and circles. Goes out: contacts by the order in which both were given. Knows no rule.

use super::scenes::Rng;
use gridlane::{
    Circle, CircleBody, CircleHandle, CircleSegmentContact, PairKinds, Segment, SegmentBody, SegmentHandle, World,
    WorldConfig,
};

/// A world of these walls and circles, both rows in the order given until a step.
pub fn world(config: WorldConfig, walls: &[SegmentBody], circles: &[CircleBody]) -> (World, Vec<CircleHandle>) {
    let mut world = World::new(config).unwrap();
    for &wall in walls {
        world.add_segment(wall).unwrap();
    }
    let circles = circles.iter().map(|&circle| world.add_circle(circle).unwrap()).collect();
    (world, circles)
}

/// Circles with segments only, so that circles may lie on each other.
pub fn walls_only() -> WorldConfig {
    let kinds = PairKinds { circle_circle: false, circle_segment: true, segment_segment: false };
    WorldConfig::default().with_pair_kinds(kinds)
}

/// The contacts of a world by circle: in each, `b` is the row of the wall.
pub fn by_circle(world: &World, circles: &[CircleHandle]) -> Vec<Vec<CircleSegmentContact>> {
    let mut found = vec![Vec::new(); circles.len()];
    let mut at = vec![usize::MAX; circles.len()];
    for (k, &circle) in circles.iter().enumerate() {
        at[world.circle_row(circle).unwrap()] = k;
    }
    for contact in world.contacts().circle_segment() {
        found[at[contact.a as usize]].push(*contact);
    }
    found.iter_mut().for_each(|contacts| contacts.sort_by_key(|contact| contact.b));
    found
}

/// What a step without motion tells of each circle.
pub fn contacts(config: WorldConfig, walls: &[SegmentBody], circles: &[CircleBody]) -> Vec<Vec<CircleSegmentContact>> {
    let (mut world, circles) = world(config, walls, circles);
    world.step(0.0).unwrap();
    by_circle(&world, &circles)
}

/// The same of shapes.
pub fn of_shapes(walls: &[Segment], circles: &[Circle]) -> Vec<Vec<CircleSegmentContact>> {
    let (walls, circles): (Vec<_>, Vec<_>) =
        (walls.iter().map(|&wall| wall.into()).collect(), circles.iter().map(|&circle| circle.into()).collect());
    contacts(walls_only(), &walls, &circles)
}

/// The rows of the walls that are told, and by which feature.
pub fn names(contacts: &[CircleSegmentContact]) -> Vec<(u32, &'static str)> {
    contacts.iter().map(|contact| (contact.b, contact.feature.name())).collect()
}

/// Handles in the order of rows.
pub fn walls_of(world: &World) -> Vec<SegmentHandle> {
    world.segments().handles().to_vec()
}

/// In another order.
pub fn shuffled<T>(rng: &mut Rng, mut list: Vec<T>) -> Vec<T> {
    for k in (1..list.len()).rev() {
        list.swap(k, rng.range(0.0, (k + 1) as f64) as usize);
    }
    list
}
