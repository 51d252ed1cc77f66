//! Who may have met while a step answered contacts, though flights ended apart: what a plain model can say of it.
//!
//! Comes in: what a step has to come to but for such pairs, and what the world tells. Goes out: those that it tells beside all that, in the order in which they
//! have to come; a panic if one of them cannot have met. The model does not answer contacts, so it does not say who has to be told: the rows
//! and bricks of `meetings` do, and here those who are pushed though they touch nobody are counted.

use super::world_model::{Model, Outcome, meet};
use gridlane::geometry::{self, Vec2};
use gridlane::{CircleBody, CircleHandle, EventKind, EventPair, SegmentBody, World};

/// A circle looks so far around itself, in radii: as far as it can come in a step, and a little.
const AROUND: f64 = 0.55;

/// See the head of the module. `rows`: the circles by their rows before the step.
pub fn within(model: &Model, after: &Outcome, world: &World, rows: &[CircleHandle], answered: bool) -> Vec<EventPair> {
    let known = |pair| after.events.iter().any(|event| (event.0, event.1) == (pair, EventKind::Begin));
    let begun = world.events().iter().filter(|event| event.kind == EventKind::Begin).map(|event| event.pair);
    let mut met: Vec<EventPair> = begun.filter(|&pair| !known(pair)).collect();
    assert!(met.is_empty() || answered && model.config.events && something_rests(model, after), "{met:?}");
    for &pair in &met {
        assert!(!model.reported.contains(&pair) && !after.touching.contains_key(&pair), "{pair:?} is no news");
        assert!(can_meet(model, after, pair), "{pair:?} cannot meet");
    }
    let row = |circle: CircleHandle| rows.iter().position(|&other| other == circle).expect("it was there");
    let walls = world.segments().handles();
    met.sort_by_key(|&pair| match pair {
        EventPair::CircleCircle(a, b) => (row(a).min(row(b)), row(a).max(row(b))),
        EventPair::CircleSegment(a, b) => (row(a), walls.iter().position(|&other| other == b).expect("it is there")),
        EventPair::SegmentSegment(..) => panic!("segments do not push each other"),
    });
    met
}

/// Of two, the larger restitution counts.
fn is_dull(model: &Model, own: [Option<f32>; 2]) -> bool {
    own.iter().all(|own| own.unwrap_or(model.config.restitution) < 1.0)
}

/// Two circles that may push each other.
fn push(one: &CircleBody, other: &CircleBody) -> bool {
    !one.sensor && !other.sensor && one.inverse_mass + other.inverse_mass > 0.0
}

fn holds(circle: &CircleBody, wall: &SegmentBody) -> bool {
    !circle.sensor && !wall.sensor && circle.inverse_mass > 0.0
}

/// Some pair that touches gives less back than it takes: only then is anything solved in substeps.
fn something_rests(model: &Model, after: &Outcome) -> bool {
    after.touching.keys().any(|&pair| match pair {
        EventPair::CircleCircle(a, b) => {
            let [a, b] = [&after.circles[&a], &after.circles[&b]];
            !a.sensor && !b.sensor && is_dull(model, [a.restitution, b.restitution])
        }
        EventPair::CircleSegment(a, b) => {
            let (a, b) = (&after.circles[&a], &after.segments[&b]);
            !a.sensor && !b.sensor && is_dull(model, [a.restitution, b.restitution])
        }
        EventPair::SegmentSegment(..) => false,
    })
}

/// They push each other, may rest, and are so near that they may come to touch.
fn can_meet(model: &Model, after: &Outcome, pair: EventPair) -> bool {
    let kinds = model.config.pair_kinds;
    let grown = |body: &CircleBody| {
        let Vec2 { x, y } = body.shape.center;
        f64::from(body.shape.radius) * (1.0 + AROUND) + 1e-6 * f64::from(x.abs() + y.abs()) + 1e-30
    };
    match pair {
        EventPair::CircleCircle(a, b) => {
            let [a, b] = [&after.circles[&a], &after.circles[&b]];
            let [dx, dy] = [
                f64::from(b.shape.center.x) - f64::from(a.shape.center.x),
                f64::from(b.shape.center.y) - f64::from(a.shape.center.y),
            ];
            let is_near = dx.hypot(dy) <= grown(a) + grown(b);
            let may = kinds.circle_circle && a.enabled && b.enabled && meet(a.filter, b.filter);
            is_near && may && push(a, b) && is_dull(model, [a.restitution, b.restitution])
        }
        EventPair::CircleSegment(a, b) => {
            let (a, b) = (&after.circles[&a], &after.segments[&b]);
            let circle = geometry::Circle { radius: (grown(a) * (1.0 + 1e-6)) as f32, ..a.shape };
            let is_near = geometry::circle_segment(circle, b.shape).is_some();
            let may = kinds.circle_segment && a.enabled && b.enabled && meet(a.filter, b.filter);
            is_near && may && holds(a, b) && is_dull(model, [a.restitution, b.restitution])
        }
        EventPair::SegmentSegment(..) => false,
    }
}
