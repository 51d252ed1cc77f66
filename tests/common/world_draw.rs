//! What a caller of a world may come up with: configurations, bodies, handles, numbers.
//!
//! Comes in: choices. Goes out: arguments, once in a while such as have to be refused.

use super::choices::{Choices, Numbers};
use super::world_model::Model;
use gridlane::{
    Bounds, CellSize, Circle, CircleBody, CircleHandle, Error, Filter, PairKinds, Response, Segment, SegmentBody,
    SegmentHandle, WorldConfig,
};
use std::fmt::Debug;

/// Draws arguments.
pub struct Hand<'a, C> {
    pub choices: &'a mut C,
    pub numbers: Numbers,
    /// Numbers from everywhere, not only small ones.
    wild: bool,
}

impl<'a, C: Choices> Hand<'a, C> {
    pub fn new(choices: &'a mut C) -> Hand<'a, C> {
        let wild = choices.once_in(3);
        Hand { choices, numbers: Numbers::default(), wild }
    }

    pub fn config(&mut self) -> WorldConfig {
        let (c, n, wild) = (&mut *self.choices, &mut self.numbers, self.wild);
        let bits = c.byte();
        let on = |k: u8| bits & (1 << k) == 0;
        let all = PairKinds { circle_circle: on(0), circle_segment: on(1), segment_segment: on(2) };
        // The model tells all that touches: joints have tests of their own.
        let mut config = WorldConfig::default().with_joints(false).with_restitution([1.0, 0.0, 0.5, 0.9][c.below(4)]);
        if c.once_in(4) {
            config = config.with_substeps(1 + c.below(4) as u32);
        }
        if on(7) {
            config = config.with_response(Response::None);
        }
        if !on(6) {
            config = config.with_pair_kinds(all);
        }
        if c.once_in(3) {
            config = config.with_gravity([n.near(c), n.near(c)]);
        }
        if c.once_in(3) {
            let bounds = if wild { [n.finite(c), n.finite(c)] } else { [-8.0, 8.0] };
            if bounds[0] < bounds[1] {
                config = config.with_bounds(Bounds::Reflect { min: [bounds[0]; 2].into(), max: [bounds[1]; 2].into() });
            }
        }
        if c.once_in(4) {
            config = config.with_contact_limit(c.below(64));
        }
        if c.once_in(8) {
            config = config.with_events(false);
        }
        match n.finite(c).abs() {
            cell if cell > 0.0 && c.once_in(3) => config.with_cell_size(CellSize::Fixed(cell)),
            _ => config,
        }
    }

    pub fn number(&mut self) -> f32 {
        match self.choices.byte() {
            253 => self.numbers.any(self.choices),
            _ if self.wild => self.numbers.any(self.choices),
            _ => self.numbers.near(self.choices),
        }
    }

    pub fn point(&mut self) -> [f32; 2] {
        [self.number(), self.number()]
    }

    /// Not negative, but for once in a while.
    pub fn size(&mut self) -> f32 {
        let size = self.number() * 0.25;
        if self.choices.byte() == 255 { size } else { size.abs() }
    }

    pub fn circle(&mut self) -> CircleBody {
        let body = Circle::new(self.point(), self.size()).with_velocity([0.0, 0.0]);
        let body = if self.choices.below(2) == 0 { body } else { body.with_velocity(self.point()) };
        let body = match self.choices.below(6) {
            0 => body.with_inverse_mass(0.0),
            1 => body.with_inverse_mass(self.size()),
            _ => body,
        };
        let (filter, sensor, user_data, restitution) = self.labels();
        let enabled = !self.choices.once_in(16);
        let body = body.with_filter(filter).with_sensor(sensor).with_user_data(user_data).with_enabled(enabled);
        CircleBody { restitution, bullet: self.choices.below(4) == 0, ..body }
    }

    /// Mostly that of all; else few categories, so that some meet.
    pub fn filter(&mut self) -> Filter {
        match self.choices.below(8) {
            1 => Filter::new(self.choices.bits(), self.choices.bits()),
            2 => Filter::new(1 << self.choices.below(3), self.choices.below(8) as u32),
            3 | 4 => Filter::new(3, self.choices.below(4) as u32),
            _ => Filter::DEFAULT,
        }
    }

    /// Most bodies have none.
    fn labels(&mut self) -> (Filter, bool, u64, Option<f32>) {
        match self.choices.below(4) {
            1 => (self.filter(), self.choices.once_in(3), u64::from(self.choices.byte()), None),
            2 if self.choices.once_in(3) => (Filter::DEFAULT, false, 0, Some(self.choices.below(5) as f32 / 4.0)),
            _ => (Filter::DEFAULT, false, 0, None),
        }
    }

    pub fn segment(&mut self) -> SegmentBody {
        let start = self.point();
        let end = if self.choices.once_in(8) { start } else { self.point() };
        let radius = if self.choices.once_in(4) { self.size() } else { 0.0 };
        let body = SegmentBody::from(Segment::new(start, end).with_radius(radius));
        let body = match self.choices.below(4) {
            0 => body.with_end_velocities(self.point(), self.point()),
            1 => body.with_velocity(self.point()),
            _ => body,
        };
        let (filter, sensor, user_data, restitution) = self.labels();
        let enabled = !self.choices.once_in(16);
        let body = body.with_filter(filter).with_sensor(sensor).with_user_data(user_data).with_enabled(enabled);
        SegmentBody { restitution, ..body }
    }

    pub fn circle_handle(&mut self, model: &Model) -> CircleHandle {
        let k = self.choices.below(256);
        let live: Vec<_> = model.circles.keys().collect();
        match model.gone_circles.last_key_value() {
            Some((&gone, _)) if k > 240 => gone,
            _ if k == 240 || live.is_empty() => CircleHandle::from_bits(u64::from(self.choices.bits())),
            _ => *live[k % live.len()],
        }
    }

    pub fn segment_handle(&mut self, model: &Model) -> SegmentHandle {
        let k = self.choices.below(256);
        let live: Vec<_> = model.segments.keys().collect();
        match model.gone_segments.last_key_value() {
            Some((&gone, _)) if k > 240 => gone,
            _ if k == 240 || live.is_empty() => SegmentHandle::from_bits(u64::from(self.choices.bits())),
            _ => *live[k % live.len()],
        }
    }
}

/// Done exactly if it may be.
pub(super) fn agree<T: Debug>(result: &Result<T, Error>, may: bool) {
    assert_eq!(result.is_ok(), may, "{result:?}");
}

pub(super) fn check_circle(body: CircleBody) -> bool {
    body.shape.is_valid() && body.velocity.is_finite() && body.inverse_mass.is_finite() && body.inverse_mass >= 0.0
}

pub(super) fn check_segment(body: SegmentBody) -> bool {
    body.shape.is_valid() && body.start_velocity.is_finite() && body.end_velocity.is_finite()
}
