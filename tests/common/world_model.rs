//! A plain model of a world: bodies in a list, every pair asked one by one, events from sets.
//!
//! Comes in: what the world was told. Goes out: what a step has to report. Written from the documentation of the world, not from
//! its rooms: no columns, no cells, no rows but those the world itself names in its errors. It does not answer contacts: where
//! the world does, the model takes over what became of the bodies, and says only what must hold of it.

use gridlane::geometry::{self, SegmentRelation, Vec2};
use gridlane::internals::legs;
use gridlane::{
    Bounds, CircleBody, CircleHandle, EndReason, Error, EventKind, EventPair, Feature, Filter, Kind, Response,
    SegmentBody, SegmentClass, SegmentHandle, World, WorldConfig,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a touching pair beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Circles,
    Wall(Feature),
    Segments(SegmentClass),
}

/// Touching pairs by name.
pub type Touching = BTreeMap<EventPair, How>;

/// Bodies as they are, and what was last reported of them.
#[derive(Clone, Debug)]
pub struct Model {
    pub config: WorldConfig,
    pub circles: BTreeMap<CircleHandle, CircleBody>,
    pub segments: BTreeMap<SegmentHandle, SegmentBody>,
    /// Bodies that are gone, as they were last.
    pub gone_circles: BTreeMap<CircleHandle, CircleBody>,
    pub gone_segments: BTreeMap<SegmentHandle, SegmentBody>,
    pub reported: BTreeSet<EventPair>,
    edited_circles: BTreeSet<CircleHandle>,
    edited_segments: BTreeSet<SegmentHandle>,
}

/// What a step has to come to.
pub struct Outcome {
    pub circles: BTreeMap<CircleHandle, CircleBody>,
    pub segments: BTreeMap<SegmentHandle, SegmentBody>,
    pub touching: Touching,
    /// Sorted by pair, with the user data of both.
    pub events: Vec<(EventPair, EventKind, [u64; 2])>,
}

impl Model {
    pub fn new(config: WorldConfig) -> Model {
        Model {
            config,
            circles: BTreeMap::new(),
            segments: BTreeMap::new(),
            gone_circles: BTreeMap::new(),
            gone_segments: BTreeMap::new(),
            reported: BTreeSet::new(),
            edited_circles: BTreeSet::new(),
            edited_segments: BTreeSet::new(),
        }
    }

    /// A new name: never one that is or was in use.
    pub fn add_circle(&mut self, handle: CircleHandle, body: CircleBody) {
        assert!(!self.gone_circles.contains_key(&handle), "{handle:?} is used again");
        assert!(self.circles.insert(handle, body).is_none(), "{handle:?} is given twice");
    }

    pub fn add_segment(&mut self, handle: SegmentHandle, body: SegmentBody) {
        assert!(!self.gone_segments.contains_key(&handle), "{handle:?} is used again");
        assert!(self.segments.insert(handle, moving(body)).is_none(), "{handle:?} is given twice");
    }

    pub fn remove_circle(&mut self, handle: CircleHandle) -> Option<CircleBody> {
        let body = self.circles.remove(&handle)?;
        self.gone_circles.insert(handle, body);
        Some(body)
    }

    pub fn remove_segment(&mut self, handle: SegmentHandle) -> Option<SegmentBody> {
        let body = self.segments.remove(&handle)?;
        self.gone_segments.insert(handle, body);
        Some(body)
    }

    pub fn set_circle(&mut self, handle: CircleHandle, body: CircleBody) {
        self.circles.insert(handle, body);
        self.edited_circles.insert(handle);
    }

    pub fn set_segment(&mut self, handle: SegmentHandle, body: SegmentBody) {
        self.segments.insert(handle, moving(body));
        self.edited_segments.insert(handle);
    }

    /// What a step has to come to before contacts are answered. Rows are the world's.
    pub fn step(&self, dt: f32, world: &World) -> Result<Outcome, Error> {
        if !(dt.is_finite() && dt >= 0.0) {
            return Err(Error::TimeStep { dt });
        }
        let mut after = Outcome {
            circles: self.circles.clone(),
            segments: self.segments.clone(),
            touching: Touching::new(),
            events: Vec::new(),
        };
        if dt > 0.0 {
            for handle in world.circles().handles() {
                let body = after.circles.get_mut(handle).expect("a circle of the world");
                *body = self.flown(*body, dt);
                let (c, v) = (body.shape.center, body.velocity);
                let numbers = [("velocity_x", v.x), ("velocity_y", v.y), ("x", c.x), ("y", c.y)];
                if let Some(&(field, _)) = numbers.iter().find(|(_, v)| !v.is_finite()) {
                    return Err(Error::OutOfRange { kind: Kind::Circle, bits: handle.to_bits(), field });
                }
            }
            for handle in world.segments().handles() {
                let body = after.segments.get_mut(handle).expect("a segment of the world");
                if body.moving && body.enabled {
                    self.carry(body, dt);
                }
                let (a, b) = (body.shape.start, body.shape.end);
                let numbers = [("x0", a.x), ("y0", a.y), ("x1", b.x), ("y1", b.y)];
                if let Some(&(field, _)) = numbers.iter().find(|(_, v)| !v.is_finite()) {
                    return Err(Error::OutOfRange { kind: Kind::Segment, bits: handle.to_bits(), field });
                }
            }
        }
        self.touch(&mut after);
        // Whom walls hold, or bullets hit, touches others than where he flew to: then the limit is the world's to see.
        if !self.holds(dt) && !self.shoots(dt) && after.touching.len() > self.config.contact_limit {
            return Err(Error::TooManyContacts { limit: self.config.contact_limit });
        }
        Ok(after)
    }

    /// What touches where bodies are, and what began and ended by that.
    pub fn touch(&self, after: &mut Outcome) {
        after.touching = touching(&self.config, &after.circles, &after.segments);
        if self.config.events {
            after.events = self.events(&after.touching);
        }
    }

    /// Walls may hold circles in a step of this length.
    pub fn holds(&self, dt: f32) -> bool {
        let answers = dt > 0.0 && self.config.response == Response::Impulse;
        answers && self.config.pair_kinds.circle_segment && !self.segments.is_empty()
    }

    /// Bullets may meet others in a step of this length.
    pub fn shoots(&self, dt: f32) -> bool {
        let answers = dt > 0.0 && self.config.response == Response::Impulse;
        answers && self.config.pair_kinds.circle_circle && self.circles.values().any(|body| body.bullet)
    }

    /// Whom bullets have met, and they.
    fn shot(world: &World) -> BTreeSet<CircleHandle> {
        world.circle_impacts().iter().flat_map(|met| met.circles).collect()
    }

    /// Walls may have held circles, or pushed them aside: the model takes over where contacts were looked for. Only whom a wall can hold is
    /// elsewhere than he flew, and who met a bullet.
    pub fn hold(&self, after: &mut Outcome, world: &World, dt: f32) -> BTreeSet<CircleHandle> {
        let mut held = Self::shot(world);
        if !self.holds(dt) && held.is_empty() {
            return held;
        }
        let mut at: BTreeMap<CircleHandle, Vec2> =
            self.circles.iter().map(|(&handle, body)| (handle, body.shape.center)).collect();
        for leg in legs(world).iter().filter(|leg| !leg.answer) {
            at.insert(leg.circle, leg.to.into());
        }
        for (handle, body) in &mut after.circles {
            if !body.sensor && at[handle] != body.shape.center {
                let can = after.segments.values().any(|wall| !wall.sensor && meet(wall.filter, body.filter));
                assert!(can || held.contains(handle), "{handle:?} is held by nothing");
                body.shape.center = at[handle];
                held.insert(*handle);
            }
        }
        if !held.is_empty() {
            self.touch(after);
        }
        assert!(after.touching.len() <= self.config.contact_limit);
        held
    }

    /// The step was done, and this is how the world left the circles.
    pub fn settle(&mut self, after: Outcome) {
        if self.config.events {
            self.reported = after.touching.into_keys().collect();
        }
        self.circles = after.circles;
        self.segments = after.segments;
        self.edited_circles.clear();
        self.edited_segments.clear();
    }

    /// v' = v + g dt, x' = x + v' dt; what reaches out of the bounds and flies outwards is turned, back along the way that led there. What is disabled stays.
    fn flown(&self, body: CircleBody, dt: f32) -> CircleBody {
        if !body.enabled {
            return body;
        }
        let g = self.config.gravity;
        let pull = |v: f32, g: f32| if body.inverse_mass > 0.0 { v + g * dt } else { v };
        let v = Vec2::new(pull(body.velocity.x, g.x), pull(body.velocity.y, g.y));
        let c = Vec2::new(body.shape.center.x + v.x * dt, body.shape.center.y + v.y * dt);
        let r = body.shape.radius;
        let kick = if body.inverse_mass > 0.0 { [g.x * dt, g.y * dt] } else { [0.0; 2] };
        CircleBody {
            shape: geometry::Circle { center: c, radius: r },
            velocity: self.turned(c, v, (r, kick, dt)),
            ..body
        }
    }

    fn carry(&self, body: &mut SegmentBody, dt: f32) {
        for (p, v) in [(&mut body.shape.start, &mut body.start_velocity), (&mut body.shape.end, &mut body.end_velocity)]
        {
            *p = Vec2::new(p.x + v.x * dt, p.y + v.y * dt);
            *v = self.turned(*p, *v, (0.0, [0.0; 2], dt));
        }
    }

    /// What would be pulled outwards once more comes back by the root of 2gp, p how far it is out, and half a kick at least.
    fn turned(&self, p: Vec2, v: Vec2, (r, kick, dt): (f32, [f32; 2], f32)) -> Vec2 {
        let Bounds::Reflect { min, max } = self.config.bounds else { return v };
        let turn = |p: f32, v: f32, [low, high]: [f32; 2], kick: f32| {
            let (below, above) = (p - r < low && v < 0.0, p + r > high && v > 0.0);
            if !(below || above) {
                return v;
            }
            let [p, v, r, low, high, kick] = [p, v, r, low, high, kick].map(f64::from);
            let out = if below { low - (p - r) } else { p + r - high };
            let least = (2.0 * kick.abs() / f64::from(dt) * out.max(0.0)).sqrt() + kick.abs() / 2.0;
            let speed = (v + kick).abs();
            let back = -(v + kick).signum() * if kick * v > 0.0 { speed.max(least) } else { speed };
            (if back.abs() > f64::from(f32::MAX) { -v } else { back }) as f32
        };
        Vec2::new(turn(p.x, v.x, [min.x, max.x], kick[0]), turn(p.y, v.y, [min.y, max.y], kick[1]))
    }

    /// Beginnings and ends between the last report and these pairs.
    fn events(&self, touching: &Touching) -> Vec<(EventPair, EventKind, [u64; 2])> {
        let begun = touching.keys().filter(|pair| !self.reported.contains(pair)).map(|&pair| (pair, EventKind::Begin));
        let ended = self.reported.iter().filter(|pair| !touching.contains_key(pair));
        let events = begun.chain(ended.map(|&pair| (pair, EventKind::End(self.reason(pair)))));
        let mut events: Vec<_> = events.map(|(pair, kind)| (pair, kind, self.user_data(pair))).collect();
        events.sort_unstable_by_key(|event| event.0);
        events
    }

    /// Who met in flight, and touches neither before nor after: two circles, then circles and segments, each in the order in which they met.
    pub fn met_alone(&self, after: &Outcome, world: &World) -> Vec<EventPair> {
        let mut pairs = Vec::new();
        let circles = world.circle_impacts().iter().map(|hit| EventPair::CircleCircle(hit.circles[0], hit.circles[1]));
        let segments = world.impacts().iter().map(|hit| EventPair::CircleSegment(hit.circle, hit.segment));
        for pair in circles.chain(segments).filter(|_| self.config.events) {
            if !(self.reported.contains(&pair) || after.touching.contains_key(&pair) || pairs.contains(&pair)) {
                pairs.push(pair);
            }
        }
        pairs
    }

    /// They begin and end as well.
    pub fn meet(&self, after: &mut Outcome, met: &[EventPair]) {
        for &pair in met {
            let both = [EventKind::Begin, EventKind::End(EndReason::Apart)];
            after.events.extend(both.map(|kind| (pair, kind, self.user_data(pair))));
        }
        after.events.sort_by_key(|event| event.0);
    }

    /// Of both, as they are, or were last.
    fn user_data(&self, pair: EventPair) -> [u64; 2] {
        let circle = |c| self.circles.get(&c).or_else(|| self.gone_circles.get(&c)).expect("known").user_data;
        let segment = |s| self.segments.get(&s).or_else(|| self.gone_segments.get(&s)).expect("known").user_data;
        match pair {
            EventPair::CircleCircle(a, b) => [circle(a), circle(b)],
            EventPair::CircleSegment(a, b) => [circle(a), segment(b)],
            EventPair::SegmentSegment(a, b) => [segment(a), segment(b)],
        }
    }

    fn reason(&self, pair: EventPair) -> EndReason {
        let circle = |c| (self.circles.get(&c).map(|b| (b.enabled, b.filter)), self.edited_circles.contains(&c));
        let segment = |s| (self.segments.get(&s).map(|b| (b.enabled, b.filter)), self.edited_segments.contains(&s));
        let [a, b] = match pair {
            EventPair::CircleCircle(a, b) => [circle(a), circle(b)],
            EventPair::CircleSegment(a, b) => [circle(a), segment(b)],
            EventPair::SegmentSegment(a, b) => [segment(a), segment(b)],
        };
        match (a.0, b.0) {
            (None, _) | (_, None) => EndReason::Removed,
            (Some((false, _)), _) | (_, Some((false, _))) => EndReason::Disabled,
            (Some((_, one)), Some((_, other))) if !meet(one, other) => EndReason::FilterChanged,
            _ if a.1 || b.1 => EndReason::Edited,
            _ => EndReason::Apart,
        }
    }
}

/// A segment with a velocity moves.
fn moving(body: SegmentBody) -> SegmentBody {
    let moving = body.moving || body.start_velocity != Vec2::ZERO || body.end_velocity != Vec2::ZERO;
    SegmentBody { moving, ..body }
}

/// Each has a category that the other asks for, bit by bit.
pub fn meet(one: Filter, other: Filter) -> bool {
    let asks = |from: Filter, to: Filter| (0..32).any(|bit| from.mask >> bit & to.category >> bit & 1 == 1);
    asks(one, other) && asks(other, one)
}

/// Every pair of the kinds that are looked for, of those that meet.
pub fn touching(
    config: &WorldConfig,
    circles: &BTreeMap<CircleHandle, CircleBody>,
    segments: &BTreeMap<SegmentHandle, SegmentBody>,
) -> Touching {
    let mut all = Touching::new();
    let kinds = config.pair_kinds;
    let circles: Vec<_> = circles.iter().filter(|(_, body)| body.enabled).collect();
    let segments: Vec<_> = segments.iter().filter(|(_, body)| body.enabled).collect();
    for (i, &(&a, one)) in circles.iter().enumerate() {
        for &(&b, other) in circles.iter().skip(i + 1).filter(|_| kinds.circle_circle) {
            if meet(one.filter, other.filter) && geometry::circles_touch(one.shape, other.shape) {
                all.insert(EventPair::CircleCircle(a, b), How::Circles);
            }
        }
        for &(&b, wall) in segments.iter().filter(|_| kinds.circle_segment) {
            if let Some(contact) = geometry::circle_segment(one.shape, wall.shape)
                && meet(one.filter, wall.filter)
            {
                all.insert(EventPair::CircleSegment(a, b), How::Wall(contact.feature));
            }
        }
    }
    for (i, &(&a, one)) in segments.iter().enumerate().filter(|_| kinds.segment_segment) {
        for &(&b, other) in segments.iter().skip(i + 1).filter(|(_, other)| meet(one.filter, other.filter)) {
            let class = match geometry::segment_segment(one.shape, other.shape) {
                SegmentRelation::Cross { .. } => SegmentClass::Cross,
                SegmentRelation::Touch { .. } => SegmentClass::Touch,
                SegmentRelation::Overlap { .. } => SegmentClass::Overlap,
                SegmentRelation::Disjoint if geometry::segments_touch(one.shape, other.shape) => SegmentClass::Near,
                SegmentRelation::Disjoint => continue,
            };
            all.insert(EventPair::SegmentSegment(a, b), How::Segments(class));
        }
    }
    all
}

/// The pairs that the contacts of a world name, in their order.
pub fn pairs(world: &World) -> impl Iterator<Item = EventPair> {
    reported(world).into_iter().map(|(pair, _)| pair)
}

/// The same, and how they touch. Each is there once.
pub fn reported(world: &World) -> Vec<(EventPair, How)> {
    let (circles, segments) = (world.circles().handles(), world.segments().handles());
    let contacts = world.contacts();
    let mut all = Vec::new();
    for c in contacts.circle_circle() {
        let (a, b) = (circles[c.a as usize], circles[c.b as usize]);
        all.push((EventPair::CircleCircle(a.min(b), a.max(b)), How::Circles));
    }
    for c in contacts.circle_segment() {
        all.push((EventPair::CircleSegment(circles[c.a as usize], segments[c.b as usize]), How::Wall(c.feature)));
    }
    for c in contacts.segment_segment() {
        let (a, b) = (segments[c.a as usize], segments[c.b as usize]);
        all.push((EventPair::SegmentSegment(a.min(b), a.max(b)), How::Segments(c.class)));
    }
    all
}
