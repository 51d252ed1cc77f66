//! Scripts of everything a caller may do to a world, each step held against the plain model.
//!
//! Comes in: choices. Goes out: counts of what happened, or a panic. Two worlds with different backends get the same calls and
//! have to stay equal bit for bit; a refused call has to leave both as they were.

use super::choices::Choices;
use super::truth::{assert_sound, bytes};
use super::world_bytes::go_back;
use super::world_draw::{Hand, agree, check_circle, check_segment};
use super::world_meetings::within;
use super::world_model::{Model, Outcome, Touching, reported, touching};
use gridlane::internals::trace_legs;
use gridlane::{
    Backend, Circle, CircleBodies, CircleBody, CircleHandle, Error, Event, EventKind, EventPair, Filter, Kind,
    Response, Segment, SegmentBodies, SegmentBody, Threads, Vec2, World,
};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// How often things happened, so that a test can see that they did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub steps: usize,
    pub refused: usize,
    pub restored: usize,
    pub begins: usize,
    /// Apart, removed, edited, filter changed, disabled.
    pub ends: [usize; 5],
    /// Who met while contacts were answered; circles that touched nobody and were pushed all the same, of whom something is told, and of whom nothing
    /// is: where nobody is fast, and where somebody is.
    pub within: usize,
    pub pushed: [usize; 3],
}

/// Worlds, model and script.
pub struct Play<'a, C> {
    pub(super) hand: Hand<'a, C>,
    most: usize,
    worlds: [World; 2],
    pub(super) model: Model,
    pub seen: Seen,
}

/// Everything that a refused call must leave alone.
fn snapshot(world: &World) -> (u64, Vec<u8>, Vec<Event>, Vec<CircleHandle>) {
    let rows = world.circles().handles().to_vec();
    (world.state_hash(), bytes(world.contacts()), world.events().to_vec(), rows)
}

impl<'a, C: Choices> Play<'a, C> {
    /// Empty worlds; at most so many bodies of a kind, since the model asks every pair.
    pub fn new(choices: &'a mut C, most: usize) -> Play<'a, C> {
        let mut hand = Hand::new(choices);
        let config = hand.config();
        let threads = Threads::Fixed(if hand.choices.once_in(8) { 2 } else { 1 });
        let with = |backend, threads| {
            let config = config.clone().with_backend(backend).with_threads(threads);
            World::new(config).expect("in range")
        };
        let worlds = [with(Backend::Scalar, Threads::Fixed(1)), with(Backend::Wide, threads)];
        Play { hand, most, worlds, model: Model::new(config), seen: Seen::default() }
    }

    /// Until the script is over, or so many calls.
    pub fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            if self.hand.choices.is_over() {
                break;
            }
            self.call();
        }
        self.step(0.0);
    }

    fn call(&mut self) {
        match self.hand.choices.below(34) {
            0 | 1 => self.add_circle(),
            2 | 3 => self.add_segment(),
            4 => self.add_circles(),
            5 => self.add_segments(),
            6 => self.remove_circle(),
            7 => self.remove_segment(),
            8 | 9 => self.set_circle(),
            10 => self.set_segment(),
            11 => self.set_velocity(),
            12 => self.push(),
            13 => self.set_gravity(),
            14 => self.detect(),
            what @ 15..=18 => self.set_label(what - 15),
            19 => self.restore(),
            what @ 25.. => self.edit(what - 25),
            _ => {
                let dt = match self.hand.choices.below(8) {
                    0 => 0.0,
                    1..=3 => 0.0625,
                    4 | 5 => 0.5,
                    6 => 1.0 / 60.0,
                    _ => self.hand.numbers.any(self.hand.choices),
                };
                self.step(dt);
            }
        }
    }

    /// The same call to both worlds: the same answer, and nothing changed if it is refused.
    pub(super) fn both<T: Debug>(&mut self, call: impl Fn(&mut World) -> Result<T, Error>) -> Result<T, Error> {
        let [first, second] = self.worlds.each_mut().map(|world| {
            let before = snapshot(world);
            let result = call(world);
            assert!(result.is_ok() || before == snapshot(world), "{result:?} changed the world");
            result
        });
        // As text: a refused NaN is not equal to itself.
        assert_eq!(format!("{first:?}"), format!("{second:?}"));
        self.seen.refused += usize::from(first.is_err());
        first
    }

    fn add_circle(&mut self) {
        if self.model.circles.len() < self.most {
            let body = self.hand.circle();
            let result = self.both(|w| w.add_circle(body));
            agree(&result, check_circle(body));
            if let Ok(handle) = result {
                self.model.add_circle(handle, body);
            }
        }
    }

    fn add_segment(&mut self) {
        if self.model.segments.len() < self.most {
            let body = self.hand.segment();
            let result = self.both(|w| w.add_segment(body));
            agree(&result, check_segment(body));
            if let Ok(handle) = result {
                self.model.add_segment(handle, body);
            }
        }
    }

    /// A row of circles at equal distances.
    fn add_circles(&mut self) {
        let (first, [dx, dy], count) = (self.hand.circle(), self.hand.point(), self.hand.choices.below(12));
        let short = usize::from(self.hand.choices.once_in(32) && count > 0);
        if self.model.circles.len() + count > self.most {
            return;
        }
        let c = first.shape.center;
        let bodies: Vec<CircleBody> = (0..count)
            .map(|i| {
                let center = [c.x + dx * i as f32, c.y + dy * i as f32];
                let body = Circle::new(center, first.shape.radius).with_velocity(first.velocity);
                // Every other one has the labels of the first.
                let CircleBody { filter, sensor, user_data, .. } = if i % 2 == 0 { first } else { body };
                body.with_filter(filter).with_sensor(sensor).with_user_data(user_data)
            })
            .collect();
        let column = |f: fn(&CircleBody) -> f32| bodies.iter().map(f).collect::<Vec<f32>>();
        let (x, y, radius) = (column(|b| b.shape.center.x), column(|b| b.shape.center.y), column(|b| b.shape.radius));
        let (vx, vy) = (column(|b| b.velocity.x), column(|b| b.velocity.y));
        let (velocity_x, velocity_y, y) = (&vx[..], &vy[..], &y[short..]);
        let category: Vec<u32> = bodies.iter().map(|b| b.filter.category).collect();
        let mask: Vec<u32> = bodies.iter().map(|b| b.filter.mask).collect();
        let sensor: Vec<bool> = bodies.iter().map(|b| b.sensor).collect();
        let user_data: Vec<u64> = bodies.iter().map(|b| b.user_data).collect();
        let plain = CircleBodies { x: &x, y, radius: &radius, velocity_x, velocity_y, ..Default::default() };
        let labelled =
            CircleBodies { category: &category, mask: &mask, sensor: &sensor, user_data: &user_data, ..plain };
        let all_plain = bodies.iter().all(|b| (b.filter, b.sensor, b.user_data) == (Filter::DEFAULT, false, 0));
        let columns = if all_plain { plain } else { labelled };
        let result = self.both(|w| w.add_circles(columns));
        agree(&result, short == 0 && bodies.iter().all(|&body| check_circle(body)));
        for (handle, body) in result.into_iter().flatten().zip(bodies) {
            self.model.add_circle(handle, body);
        }
    }

    /// A chain of segments, corner by corner.
    fn add_segments(&mut self) {
        let (mut p, [dx, dy], count) = (self.hand.point(), self.hand.point(), self.hand.choices.below(10));
        if self.model.segments.len() + count > self.most {
            return;
        }
        let [mut x0, mut y0, mut x1, mut y1] = [const { Vec::new() }; 4];
        let mut bodies = Vec::new();
        for i in 0..count {
            let q = if i % 2 == 0 { [p[0] + dx, p[1]] } else { [p[0], p[1] + dy] };
            for (column, v) in [(&mut x0, p[0]), (&mut y0, p[1]), (&mut x1, q[0]), (&mut y1, q[1])] {
                column.push(v);
            }
            bodies.push(SegmentBody::from(Segment::new(p, q)));
            p = q;
        }
        let columns = SegmentBodies { x0: &x0, y0: &y0, x1: &x1, y1: &y1, ..Default::default() };
        let result = self.both(|w| w.add_segments(columns));
        agree(&result, bodies.iter().all(|&body| check_segment(body)));
        for (handle, body) in result.into_iter().flatten().zip(bodies) {
            self.model.add_segment(handle, body);
        }
    }

    fn remove_circle(&mut self) {
        let handle = self.hand.circle_handle(&self.model);
        let result = self.both(|w| w.remove_circle(handle));
        assert_eq!(result.ok(), self.model.remove_circle(handle));
    }

    fn remove_segment(&mut self) {
        let handle = self.hand.segment_handle(&self.model);
        let result = self.both(|w| w.remove_segment(handle));
        assert_eq!(result.ok(), self.model.remove_segment(handle));
    }

    fn set_circle(&mut self) {
        let (handle, body) = (self.hand.circle_handle(&self.model), self.hand.circle());
        let result = self.both(|w| w.set_circle(handle, body));
        agree(&result, self.model.circles.contains_key(&handle) && check_circle(body));
        if result.is_ok() {
            self.model.set_circle(handle, body);
        }
    }

    fn set_segment(&mut self) {
        let (handle, body) = (self.hand.segment_handle(&self.model), self.hand.segment());
        let result = self.both(|w| w.set_segment(handle, body));
        agree(&result, self.model.segments.contains_key(&handle) && check_segment(body));
        if result.is_ok() {
            self.model.set_segment(handle, body);
        }
    }

    fn set_velocity(&mut self) {
        let (handle, v) = (self.hand.circle_handle(&self.model), Vec2::from(self.hand.point()));
        let result = self.both(|w| w.set_circle_velocity(handle, v));
        let body = self.model.circles.get_mut(&handle);
        agree(&result, body.is_some() && v.is_finite());
        if let (Ok(()), Some(body)) = (result, body) {
            body.velocity = v;
        }
    }

    fn push(&mut self) {
        let (handle, p) = (self.hand.circle_handle(&self.model), Vec2::from(self.hand.point()));
        let result = self.both(|w| w.push_circle(handle, p));
        let Some(body) = self.model.circles.get_mut(&handle) else {
            return agree(&result, false);
        };
        let (v, w) = (body.velocity, body.inverse_mass);
        let pushed = Vec2::new(v.x + p.x * w, v.y + p.y * w);
        agree(&result, p.is_finite() && pushed.is_finite());
        if result.is_ok() {
            body.velocity = pushed;
        }
    }

    fn set_gravity(&mut self) {
        let gravity = Vec2::from(self.hand.point());
        let result = self.both(|w| w.set_gravity(gravity));
        agree(&result, gravity.is_finite());
        if result.is_ok() {
            self.model.config.gravity = gravity;
        }
    }

    /// One of the worlds goes on from its bytes, in itself after a detour or in another world. Both have to stay equal.
    fn restore(&mut self) {
        let bytes = self.worlds[0].save();
        assert!(bytes == self.worlds[1].save(), "other bytes");
        let which = self.hand.choices.below(2);
        let by = self.hand.choices.below(3);
        go_back(&mut self.worlds[which], &bytes, by);
        self.same_bodies();
        self.seen.restored += 1;
    }

    fn detect(&mut self) {
        let expected = touching(&self.model.config, &self.model.circles, &self.model.segments);
        let before = [0, 1].map(|k| self.worlds[k].events().to_vec());
        let result = self.both(|w| w.detect().map(|stats| stats.circle_circle));
        agree(&result, expected.len() <= self.model.config.contact_limit);
        if result.is_ok() {
            self.same_contacts(&expected);
            assert_eq!([0, 1].map(|k| self.worlds[k].events().to_vec()), before, "a detection has no events");
        }
        self.same_bodies();
    }

    fn step(&mut self, dt: f32) {
        let answered = dt > 0.0 && self.model.config.response == Response::Impulse;
        let holding = self.model.holds(dt) || self.model.shoots(dt);
        let expected = self.model.step(dt, &self.worlds[0]);
        let energy = self.worlds[0].kinetic_energy();
        let rows = self.worlds[0].circles().handles().to_vec();
        self.worlds.iter_mut().for_each(|world| trace_legs(world, true));
        let result = self.both(|w| w.step(dt).map(|stats| (stats.begins, stats.ends)));
        let mut after = match (expected, &result) {
            // What flies is thrown out of the range by what it meets, before segments leave it.
            (Err(Error::OutOfRange { kind: Kind::Segment, .. }), Err(Error::OutOfRange { kind: Kind::Circle, .. }))
                if holding =>
            {
                return;
            }
            (Err(expected), Err(error)) => return assert_eq!(format!("{expected:?}"), format!("{error:?}")),
            // Impulses may carry what they push out of the range.
            (Ok(_), Err(Error::OutOfRange { .. })) if answered => return,
            (Ok(_), Err(Error::TooManyContacts { .. })) if holding => return,
            (Ok(after), Ok(_)) => after,
            (Err(expected), Ok(_)) => panic!("step({dt}) is done, not {expected:?}"),
            (Ok(_), Err(error)) => panic!("step({dt}): {error:?}"),
        };
        self.seen.steps += 1;
        let held = self.model.hold(&mut after, &self.worlds[0], dt);
        let mut alone = self.model.met_alone(&after, &self.worlds[0]);
        self.model.meet(&mut after, &alone);
        let within = within(&self.model, &after, &self.worlds[0], &rows, answered);
        self.model.meet(&mut after, &within);
        self.seen.within += within.len();
        alone.extend(within);
        self.same_contacts(&after.touching);
        self.same_events(&after, &alone);
        if answered {
            self.take_over(&mut after, (energy, dt), &held);
        }
        self.model.settle(after);
        self.same_bodies();
    }

    /// The contacts are those of the model, each once; both worlds have the same bytes.
    fn same_contacts(&self, expected: &Touching) {
        let [first, second] = &self.worlds;
        assert!(bytes(first.contacts()) == bytes(second.contacts()), "other contacts");
        assert_sound(first.contacts(), "contacts");
        let found = reported(first);
        let sorted: Touching = found.iter().copied().collect();
        assert_eq!(found.len(), sorted.len(), "a pair twice in {found:?}");
        assert_eq!(&sorted, expected);
    }

    /// The events are those of the model; beginnings in the order of the contacts, before the ends of their kind.
    fn same_events(&mut self, after: &Outcome, met: &[EventPair]) {
        let [first, second] = &self.worlds;
        assert_eq!(first.events(), second.events());
        let mut found: Vec<_> = first.events().iter().map(|e| (e.pair, e.kind, e.user_data)).collect();
        assert!(first.events().iter().all(|e| (e.kind == EventKind::Begin) == e.touch.is_some()));
        let place = |&(pair, kind, _): &(EventPair, EventKind, [u64; 2])| {
            let of = match pair {
                EventPair::CircleCircle(..) => 0,
                EventPair::CircleSegment(..) => 1,
                EventPair::SegmentSegment(..) => 2,
            };
            (of, kind != EventKind::Begin)
        };
        assert!(found.is_sorted_by_key(place), "{found:?}");
        let begun = found.iter().filter(|event| event.1 == EventKind::Begin).map(|event| event.0);
        let contacts = reported(first);
        let begins = |pair| after.events.iter().any(|event| (event.0, event.1) == (pair, EventKind::Begin));
        let mut in_order: Vec<_> = contacts.iter().map(|c| c.0).filter(|&pair| begins(pair)).collect();
        // Behind contacts of their kind stand those that met in flight alone, then those that met later.
        let kind = |pair: &EventPair| place(&(*pair, EventKind::Begin, [0; 2])).0;
        in_order.extend(met);
        in_order.sort_by_key(kind);
        assert_eq!(begun.collect::<Vec<_>>(), in_order);
        found.sort_by_key(|event| event.0);
        assert_eq!(found, after.events);
        for (_, kind, _) in found {
            match kind {
                EventKind::End(reason) => self.seen.ends[reason as usize] += 1,
                _ => self.seen.begins += 1,
            }
        }
    }

    /// Contacts were answered: the model takes the circles as they are now. Only what can be pushed has changed, by a contact
    /// without a sensor, and without anything that drives, energy has not grown.
    fn take_over(&mut self, after: &mut Outcome, (energy, dt): (f64, f32), held: &BTreeSet<CircleHandle>) {
        let world = &self.worlds[0];
        let senses = |circle: &CircleHandle| after.circles[circle].sensor;
        let touched: Vec<CircleHandle> = after
            .touching
            .keys()
            .flat_map(|pair| match *pair {
                EventPair::CircleCircle(a, b) if !(senses(&a) || senses(&b)) => vec![a, b],
                EventPair::CircleSegment(a, b) if !(senses(&a) || after.segments[&b].sensor) => vec![a],
                _ => vec![],
            })
            .collect();
        // Who touches something and may rest on it may hold up others, which then do not come to where they would have touched nothing.
        let dull = |own: Option<f32>| own.unwrap_or(self.model.config.restitution) < 1.0;
        let may_hold = touched.iter().any(|handle| dull(after.circles[handle].restitution));
        // Who flies farther than half its radius has flown before anything is answered: it goes no farther then, whatever it is reckoned to meet.
        let is_fast = |body: &CircleBody| body.velocity.x.hypot(body.velocity.y) * dt > 0.49 * body.shape.radius;
        let fast = usize::from(after.circles.values().any(is_fast));
        for (handle, body) in &mut after.circles {
            let now = world.circle(*handle).expect("nobody removed it");
            if !held.contains(handle) && (now.inverse_mass == 0.0 || !(touched.contains(handle) || may_hold)) {
                assert_eq!(now, *body, "nothing pushes it");
            }
            let is_pushed = !touched.contains(handle) && !held.contains(handle) && now.velocity != body.velocity;
            if is_pushed && self.model.config.events {
                let named = |event: &Event| match event.pair {
                    EventPair::CircleCircle(a, b) => a == *handle || b == *handle,
                    EventPair::CircleSegment(a, _) => a == *handle,
                    EventPair::SegmentSegment(..) => false,
                };
                self.seen.pushed[if world.events().iter().any(named) { 0 } else { 1 + fast }] += 1;
            }
            assert_eq!((now.shape.radius, now.inverse_mass), (body.shape.radius, body.inverse_mass));
            *body = now;
        }
        // What overlaps and may rest is let apart at a speed of which a little may stay.
        let driven = (may_hold || self.model.config.gravity != Vec2::ZERO)
            || after.segments.values().any(|s| s.moving)
            || after.circles.values().any(|c| c.inverse_mass == 0.0 && c.velocity != Vec2::ZERO);
        // Each impulse rounds velocities of both by a few units of 2^-24; a body of a thousand contacts by no more than 1e-3.
        assert!(driven || world.kinetic_energy() <= energy * 1.001 + 1e-30, "more than {energy}");
    }

    /// Every body by its handle, and numbers that are numbers.
    fn same_bodies(&self) {
        let [first, second] = &self.worlds;
        assert_eq!(first.state_hash(), second.state_hash());
        assert_eq!(first.circles().handles(), second.circles().handles());
        let sizes = (self.model.circles.len(), self.model.segments.len());
        assert_eq!((first.circles().len(), first.segments().len()), sizes);
        for (&handle, body) in &self.model.circles {
            let found = first.circle(handle).expect("a live handle");
            assert_eq!(found, *body);
            assert!(check_circle(found), "{found:?}");
        }
        for (&handle, body) in &self.model.segments {
            let found = first.segment(handle).expect("a live handle");
            assert_eq!(found, *body);
            assert!(check_segment(found), "{found:?}");
        }
        assert!(self.model.gone_circles.keys().all(|&gone| first.circle(gone).is_none()));
        assert!(self.model.gone_segments.keys().all(|&gone| first.segment(gone).is_none()));
    }
}
