//! Worlds under a script of calls, with joints, borders that repeat, hooks, gravity and rest, against what must hold whatever happens.
//!
//! Comes in: bytes. Goes out: nothing, or a panic. No model of a step: two worlds of different backends have to agree to the bit, one of them
//! now and then read anew from its own bytes; a refused call changes nothing; every begin has one end; numbers are numbers; nobody gets through a
//! wall; and what joints leave of the contacts is among those that touch, the nearest of each circle not lost.

use crate::choices::{Choices, Script};
use crate::legs::{leaks, moving, places, traced, walls};
use crate::truth::{assert_sound, bytes};
use crate::world_draw::Hand;
use crate::world_model::{Model, reported, touching};
use gridlane::geometry;
use gridlane::{
    Bounds, CircleBody, Encounter, Error, EventKind, EventPair, Filter, Response, SegmentBody, Threads, Vec2, Verdict,
    World, WorldConfig,
};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Bodies of a kind.
const MOST: usize = 32;
/// Calls of a script.
const CALLS: usize = 100;

struct Play<'a, 'b> {
    hand: Hand<'a, Script<'b>>,
    worlds: [World; 2],
    /// Only what bodies there are, as draws want it.
    model: Model,
    /// Bodies have no labels, and the plane does not repeat: then legs say all.
    plain: bool,
    /// A hook lets some pass.
    asks: bool,
    open: BTreeSet<EventPair>,
}

fn config(hand: &mut Hand<'_, Script<'_>>) -> WorldConfig {
    let config = hand.config();
    let (low, c) = (hand.number(), &mut *hand.choices);
    let config = if c.once_in(8) { config } else { config.with_joints(true).with_response(Response::Impulse) };
    if !c.once_in(3) || !low.is_finite() {
        return config;
    }
    let (width, height) = (0.5 + c.below(64) as f32 * 0.5, 0.5 + c.below(64) as f32 * 0.5);
    let bounds = Bounds::periodic([low, low], [low + width, low + height]);
    let repeating = config.clone().with_bounds(bounds);
    if World::new(repeating.clone()).is_ok() { repeating } else { config }
}

/// Some of the pairs are let pass, always the same.
fn verdict(met: &Encounter) -> Verdict {
    let key = match met.pair {
        EventPair::CircleCircle(a, b) => a.to_bits() ^ b.to_bits().rotate_left(20),
        EventPair::CircleSegment(a, b) => a.to_bits() ^ b.to_bits().rotate_left(40),
        EventPair::SegmentSegment(..) => panic!("nobody asks about two segments"),
    };
    if key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 == 0 { Verdict::Pass } else { Verdict::Act }
}

impl Play<'_, '_> {
    /// The same call to both worlds: the same answer, and nothing changed if it is refused.
    fn both<T: Debug>(&mut self, call: impl Fn(&mut World) -> Result<T, Error>) -> Result<T, Error> {
        let [first, second] = self.worlds.each_mut().map(|world| {
            let before = (world.state_hash(), bytes(world.contacts()), world.events().to_vec());
            let result = call(world);
            let after = || (world.state_hash(), bytes(world.contacts()), world.events().to_vec());
            assert!(result.is_ok() || before == after(), "{result:?} changed the world");
            result
        });
        assert_eq!(format!("{first:?}"), format!("{second:?}"));
        first
    }

    fn circle(&mut self) -> CircleBody {
        let body = self.hand.circle();
        if self.plain { body.with_filter(Filter::DEFAULT).with_sensor(false).with_enabled(true) } else { body }
    }

    fn segment(&mut self) -> SegmentBody {
        let body = self.hand.segment().with_one_sided(self.hand.choices.once_in(3));
        if self.plain { body.with_filter(Filter::DEFAULT).with_sensor(false).with_enabled(true) } else { body }
    }

    fn call(&mut self) {
        match self.hand.choices.below(20) {
            0..=2 if self.model.circles.len() < MOST => {
                let body = self.circle();
                if let Ok(handle) = self.both(|w| w.add_circle(body)) {
                    self.model.add_circle(handle, body);
                }
            }
            3 | 4 if self.model.segments.len() < MOST => {
                let body = self.segment();
                if let Ok(handle) = self.both(|w| w.add_segment(body)) {
                    self.model.add_segment(handle, body);
                }
            }
            5 if self.model.segments.len() + 4 < MOST => self.add_chain(),
            6 => {
                let handle = self.hand.circle_handle(&self.model);
                if self.both(|w| w.remove_circle(handle)).is_ok() {
                    self.model.remove_circle(handle);
                }
            }
            7 => {
                let handle = self.hand.segment_handle(&self.model);
                if self.both(|w| w.remove_segment(handle)).is_ok() {
                    self.model.remove_segment(handle);
                }
            }
            8 => {
                let (handle, body) = (self.hand.segment_handle(&self.model), self.segment());
                let _ = self.both(|w| w.set_segment(handle, body));
            }
            9 => {
                let (handle, on) = (self.hand.segment_handle(&self.model), self.hand.choices.once_in(2));
                if !self.plain {
                    let _ = self.both(|w| w.set_segment_enabled(handle, on));
                }
            }
            10 => {
                let (handle, place) = (self.hand.circle_handle(&self.model), Vec2::from(self.hand.point()));
                let _ = self.both(|w| w.move_circle(handle, place));
            }
            11 => {
                let (handle, v) = (self.hand.circle_handle(&self.model), Vec2::from(self.hand.point()));
                let _ = self.both(|w| w.set_circle_velocity(handle, v));
            }
            12 => {
                let gravity = Vec2::from(self.hand.point());
                let _ = self.both(|w| w.set_gravity(gravity));
            }
            13 => {
                let which = self.hand.choices.below(2);
                self.worlds[which] = traced(World::from_snapshot(&self.worlds[which].save()).expect("its own bytes"));
            }
            14 => drop(self.both(|w| w.detect().map(|stats| stats.circle_circle))),
            15 => self.step(0.0),
            _ => {
                let dt = [1.0 / 60.0, 0.0625, 0.5, 1.0 / 240.0][self.hand.choices.below(4)];
                self.step(dt);
            }
        }
    }

    /// A straight wall, cut in four.
    fn add_chain(&mut self) {
        let ([x, y], [dx, dy]) = (self.hand.point(), self.hand.point());
        let at = |k: usize| [x + dx * (k as f32 / 3.0), y + dy * (k as f32 / 3.0)];
        for k in 0..4 {
            let body = SegmentBody::from(gridlane::Segment::new(at(k), at(k + 1)));
            if let Ok(handle) = self.both(|w| w.add_segment(body)) {
                self.model.add_segment(handle, body);
            }
        }
    }

    fn step(&mut self, dt: f32) {
        let world = &self.worlds[0];
        let (before, was, held) = (places(world), moving(world), walls(world));
        let asks = self.asks;
        let done = self.both(|w| {
            let stats = if asks { w.step_with(dt, verdict) } else { w.step(dt) };
            stats.map(|stats| (stats.begins, stats.ends, stats.held, stats.impacts))
        });
        let [first, second] = &self.worlds;
        assert_eq!(first.state_hash(), second.state_hash());
        if done.is_err() {
            // A world that has just been read has no contacts yet.
            return;
        }
        assert!(bytes(first.contacts()) == bytes(second.contacts()), "other contacts");
        assert_eq!((first.events(), first.squeezed()), (second.events(), second.squeezed()));
        assert_sound(first.contacts(), "contacts");
        let c = first.circles();
        let columns = [c.x(), c.y(), c.velocity_x(), c.velocity_y()];
        assert!(columns.iter().all(|column| column.iter().all(|v| v.is_finite())), "a number that is none");
        for event in first.events() {
            match event.kind {
                EventKind::Begin => assert!(self.open.insert(event.pair), "{event:?} has begun before"),
                _ => assert!(self.open.remove(&event.pair), "{event:?} has not begun"),
            }
        }
        if self.plain && !self.asks && first.config().response == Response::Impulse && dt > 0.0 {
            let kinds = first.config().pair_kinds;
            // Where nothing can hold anybody no legs are kept.
            let found = if kinds.circle_segment && first.segments().len() > 0 {
                leaks(first, &held, &before, &was)
            } else {
                vec![]
            };
            assert!(found.is_empty(), "{} leaks, {:?}", found.len(), found[0]);
        }
        if dt == 0.0 && self.plain {
            self.joined();
        }
    }

    /// What is told is among what touches; of circles and of segments all; of a circle and walls of two sides the nearest.
    fn joined(&self) {
        let world = &self.worlds[0];
        let circles = world.circles().handles().iter().map(|&h| (h, world.circle(h).expect("live"))).collect();
        let segments = world.segments().handles().iter().map(|&h| (h, world.segment(h).expect("live"))).collect();
        let all = touching(world.config(), &circles, &segments);
        let told: BTreeSet<EventPair> = reported(world).into_iter().map(|(pair, _)| pair).collect();
        for pair in &told {
            assert!(all.contains_key(pair), "{pair:?} does not touch");
        }
        let mut best = std::collections::BTreeMap::new();
        for pair in all.keys() {
            match *pair {
                EventPair::CircleSegment(circle, segment) => {
                    let wall = &segments[&segment];
                    if wall.one_sided {
                        continue;
                    }
                    let gap = geometry::circle_segment(circles[&circle].shape, wall.shape).expect("touches").separation;
                    let entry = best.entry(circle).or_insert((f32::MAX, f32::MAX));
                    entry.0 = if gap < entry.0 { gap } else { entry.0 };
                    if told.contains(pair) {
                        entry.1 = if gap < entry.1 { gap } else { entry.1 };
                    }
                }
                _ => assert!(told.contains(pair), "{pair:?} is not told"),
            }
        }
        let one_sided = segments.values().any(|wall| wall.one_sided);
        for (circle, (nearest, told)) in best.into_iter().filter(|_| !one_sided) {
            let shape = circles[&circle].shape;
            let largest =
                segments.values().flat_map(|w| [w.shape.start.x, w.shape.start.y, w.shape.end.x, w.shape.end.y]);
            let size = largest.fold(shape.center.x.abs().max(shape.center.y.abs()), |most, v| most.max(v.abs()));
            // Joints know units in the last place of the walls' coordinates.
            let slack = 16.0 * (size + shape.radius) * f32::EPSILON;
            assert!(told <= nearest + slack, "{circle:?}: {nearest} is lost, the nearest told is {told}");
        }
    }
}

/// One script.
pub fn check(script: &[u8]) {
    let mut script = Script::new(script);
    let mut hand = Hand::new(&mut script);
    let config = config(&mut hand);
    let repeats = !matches!(config.bounds, Bounds::None | Bounds::Reflect { .. });
    let (plain, asks) = (!repeats && hand.choices.once_in(2), hand.choices.once_in(3));
    let threads = Threads::Fixed(if hand.choices.once_in(8) { 2 } else { 1 });
    let backends = [(gridlane::Backend::Scalar, Threads::Fixed(1)), (gridlane::Backend::Wide, threads)];
    let worlds = backends.map(|(backend, threads)| {
        let config = config.clone().with_backend(backend).with_threads(threads);
        traced(World::new(config).expect("in range"))
    });
    let mut play = Play { hand, worlds, model: Model::new(config), plain, asks, open: BTreeSet::new() };
    for _ in 0..CALLS {
        if play.hand.choices.is_over() {
            break;
        }
        play.call();
    }
    play.step(0.0);
}
