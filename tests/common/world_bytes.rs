//! Worlds as bytes: ways back to a saved state, and bytes that have been damaged.
//!
//! Comes in: worlds, choices. Goes out: nothing, or a panic that says what was wrong.

use super::choices::Choices;
use super::world_draw::Hand;
use super::world_model::Model;
use gridlane::internals::seal_snapshot;
use gridlane::{CircleHandle, World, WorldConfig};

/// Makes the world what was saved, from elsewhere: another world with its backend and threads, itself a step later, or itself after
/// bodies have gone and gravity has changed.
pub fn go_back(world: &mut World, bytes: &[u8], by: usize) {
    match by {
        0 => {
            let config = WorldConfig::default().with_backend(world.config().backend);
            *world = World::new(config.with_threads(world.config().threads)).expect("in range");
        }
        1 => drop(world.step(0.5)),
        _ => {
            let circles: Vec<CircleHandle> = world.circles().handles().iter().copied().step_by(2).collect();
            circles.iter().for_each(|&gone| drop(world.remove_circle(gone)));
            if let Some(&gone) = world.segments().handles().first() {
                world.remove_segment(gone).expect("a live handle");
            }
            let _ = (world.step(0.25), world.set_gravity([1.0, 2.0]));
        }
    }
    world.restore(bytes).expect("what was saved");
    assert!(bytes == world.save(), "other bytes again");
    assert!(world.contacts().is_empty() && world.events().is_empty());
}

/// A small world of everything that can be in one: moving and static segments, labels, free indices, pairs that touch, edits that
/// no step has told.
pub fn world_of_everything(choices: &mut impl Choices) -> World {
    let mut hand = Hand::new(choices);
    let mut world = World::new(hand.config()).expect("in range");
    let nobody = Model::new(world.config().clone());
    for _ in 0..2 {
        for _ in 0..hand.choices.below(6) {
            let (circle, segment) = (hand.circle(), hand.segment());
            let _ = (world.add_circle(circle), world.add_segment(segment));
        }
        let _ = world.step(0.125);
        let circles = world.circles().handles().to_vec();
        let segments = world.segments().handles().to_vec();
        for (&circle, &segment) in circles.iter().zip(&segments) {
            let (body, wall) = (hand.circle(), hand.segment());
            let _ = match hand.choices.below(6) {
                0 => world.remove_circle(circle).map(|_| ()),
                1 => world.remove_segment(segment).map(|_| ()),
                2 => world.set_circle(circle, body),
                3 => world.set_segment(segment, wall),
                4 => world.detect().map(|_| ()),
                // Stale, or by chance not.
                _ => world.remove_circle(hand.circle_handle(&nobody)).map(|_| ()),
            };
        }
    }
    world
}

/// Whatever has been done to the bytes: an error that leaves a world as it was, or a world that goes on. True if it was taken.
pub fn check_damaged(world: &World, bytes: &[u8]) -> bool {
    let before = world.save();
    let mut other = World::from_snapshot(&before).expect("what was saved");
    let hash = other.state_hash();
    if other.restore(bytes).is_err() {
        assert!(other.save() == before && other.state_hash() == hash, "a refused call changed the world");
        return false;
    }
    // Not the same bytes, perhaps, but the same world: columns of equal values can be written in two ways.
    let again = other.save();
    assert!(World::from_snapshot(&again).expect("what was saved").save() == again);
    for _ in 0..2 {
        let _ = other.step(0.25);
    }
    let rows = other.circles().handles().to_vec();
    rows.iter().for_each(|&gone| drop(other.remove_circle(gone)));
    let walls = other.segments().handles().to_vec();
    walls.iter().for_each(|&gone| drop(other.remove_segment(gone)));
    let _ = other.step(0.25);
    for _ in 0..4 {
        other.add_circle(gridlane::Circle::new([0.0, 0.0], 1.0)).expect("room");
        other.add_segment(gridlane::Segment::new([0.0, 0.0], [1.0, 0.0])).expect("room");
    }
    let _ = other.step(0.25);
    true
}

/// Bytes of a world with some of them changed, cut off or repeated, under a checksum that fits.
pub fn damaged(world: &World, choices: &mut impl Choices) -> Vec<u8> {
    let mut bytes = world.save();
    for _ in 0..1 + choices.below(3) {
        let at = choices.bits() as usize % bytes.len();
        match choices.below(8) {
            0 => bytes[at] = choices.byte(),
            1 => bytes[at] ^= 1 << choices.below(8),
            2 => bytes[at] = bytes[at].wrapping_add(1),
            3 => bytes.truncate(at.max(1)),
            4 => bytes.insert(at, choices.byte()),
            5 => drop(bytes.remove(at)),
            6 => {
                let from = choices.bits() as usize % bytes.len();
                let end = bytes.len().min(from.max(at) + 4) - from.max(at);
                bytes.copy_within(from..from + end.min(4), at);
            }
            _ => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xff),
        }
        if bytes.is_empty() {
            break;
        }
    }
    seal_snapshot(&mut bytes);
    bytes
}
