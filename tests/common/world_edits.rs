//! The part of the scripts that edits: places, sizes, who takes part, and many at once.
//!
//! Comes in: choices. Goes out: both worlds and the model edited alike. A list names some bodies twice and some that are gone.

use super::choices::Choices;
use super::world_draw::{agree, check_circle, check_segment};
use super::world_script::Play;
use gridlane::{CircleBodies, CircleBody, CircleHandle, SegmentBodies, SegmentBody, SegmentHandle, Vec2};

/// Columns of bodies.
macro_rules! columns {
    ($bodies:expr, $($name:ident: $value:expr),+) => {
        $(let $name: Vec<_> = $bodies.iter().map($value).collect();)+
    };
}

impl<C: Choices> Play<'_, C> {
    pub(super) fn edit(&mut self, what: usize) {
        match what {
            0 => self.move_circle(),
            1 => self.set_radius(),
            2 | 3 => self.set_enabled(),
            4 => self.remove_many(),
            5 => self.set_circles(),
            6 => self.replace_segments(),
            7 => self.move_circles(),
            _ => self.set_velocities(),
        }
    }

    fn move_circle(&mut self) {
        let (handle, p) = (self.hand.circle_handle(&self.model), Vec2::from(self.hand.point()));
        let result = self.both(|w| w.move_circle(handle, p));
        agree(&result, self.model.circles.contains_key(&handle) && p.is_finite());
        if result.is_ok() {
            self.place(handle, p);
        }
    }

    fn place(&mut self, handle: CircleHandle, p: Vec2) {
        let mut body = self.model.circles[&handle];
        body.shape.center = p;
        self.model.set_circle(handle, body);
    }

    fn set_radius(&mut self) {
        let (handle, radius) = (self.hand.circle_handle(&self.model), self.hand.size());
        let result = self.both(|w| w.set_circle_radius(handle, radius));
        agree(&result, self.model.circles.contains_key(&handle) && radius.is_finite() && radius >= 0.0);
        if result.is_ok() {
            let mut body = self.model.circles[&handle];
            body.shape.radius = radius;
            self.model.set_circle(handle, body);
        }
    }

    /// No edit in the sense of events.
    fn set_enabled(&mut self) {
        if self.hand.choices.below(4) == 0 {
            return self.set_bullet();
        }
        let enabled = self.hand.choices.below(3) > 0;
        if self.hand.choices.below(2) == 0 {
            let handle = self.hand.circle_handle(&self.model);
            let result = self.both(|w| w.set_circle_enabled(handle, enabled));
            let body = self.model.circles.get_mut(&handle);
            agree(&result, body.is_some());
            body.into_iter().for_each(|body| body.enabled = enabled);
        } else {
            let handle = self.hand.segment_handle(&self.model);
            let result = self.both(|w| w.set_segment_enabled(handle, enabled));
            let body = self.model.segments.get_mut(&handle);
            agree(&result, body.is_some());
            body.into_iter().for_each(|body| body.enabled = enabled);
        }
    }

    fn set_bullet(&mut self) {
        let (handle, bullet) = (self.hand.circle_handle(&self.model), self.hand.choices.below(2) == 0);
        let result = self.both(|w| w.set_circle_bullet(handle, bullet));
        let body = self.model.circles.get_mut(&handle);
        agree(&result, body.is_some());
        body.into_iter().for_each(|body| body.bullet = bullet);
    }

    fn circle_handles(&mut self) -> (Vec<CircleHandle>, bool) {
        let count = self.hand.choices.below(6);
        let handles: Vec<_> = (0..count).map(|_| self.hand.circle_handle(&self.model)).collect();
        let live = handles.iter().all(|handle| self.model.circles.contains_key(handle));
        (handles, live)
    }

    fn segment_handles(&mut self) -> (Vec<SegmentHandle>, bool) {
        let count = self.hand.choices.below(6);
        let handles: Vec<_> = (0..count).map(|_| self.hand.segment_handle(&self.model)).collect();
        let live = handles.iter().all(|handle| self.model.segments.contains_key(handle));
        (handles, live)
    }

    fn remove_many(&mut self) {
        if self.hand.choices.below(2) == 0 {
            let (handles, live) = self.circle_handles();
            let result = self.both(|w| w.remove_circles(&handles));
            agree(&result, live);
            for handle in handles.into_iter().filter(|_| live) {
                self.model.remove_circle(handle);
            }
        } else {
            let (handles, live) = self.segment_handles();
            let result = self.both(|w| w.remove_segments(&handles));
            agree(&result, live);
            for handle in handles.into_iter().filter(|_| live) {
                self.model.remove_segment(handle);
            }
        }
    }

    /// Once in a while with a row too many.
    fn set_circles(&mut self) {
        let (handles, live) = self.circle_handles();
        let rows = handles.len() + usize::from(self.hand.choices.once_in(16));
        // A column of restitutions has one for everybody.
        let own = |body: CircleBody| CircleBody { restitution: body.restitution.or(Some(0.5)), ..body };
        let bodies: Vec<CircleBody> = (0..rows).map(|_| own(self.hand.circle())).collect();
        columns!(bodies, x: |b| b.shape.center.x, y: |b| b.shape.center.y, radius: |b| b.shape.radius,
            velocity_x: |b| b.velocity.x, velocity_y: |b| b.velocity.y, inverse_mass: |b| b.inverse_mass,
            category: |b| b.filter.category, mask: |b| b.filter.mask, sensor: |b| b.sensor, user_data: |b| b.user_data,
            enabled: |b| b.enabled, restitution: |b| b.restitution.unwrap_or(0.5), bullet: |b| b.bullet);
        let columns = CircleBodies {
            x: &x,
            y: &y,
            radius: &radius,
            velocity_x: &velocity_x,
            velocity_y: &velocity_y,
            inverse_mass: &inverse_mass,
            category: &category,
            mask: &mask,
            sensor: &sensor,
            user_data: &user_data,
            enabled: &enabled,
            restitution: &restitution,
            bullet: &bullet,
        };
        let result = self.both(|w| w.set_circles(&handles, columns));
        agree(&result, live && rows == handles.len() && bodies.iter().all(|&body| check_circle(body)));
        for (handle, body) in handles.into_iter().zip(bodies).filter(|_| result.is_ok()) {
            self.model.set_circle(handle, body);
        }
    }

    /// With few columns: what is left out has its default.
    fn replace_segments(&mut self) {
        let (handles, live) = self.segment_handles();
        let bodies: Vec<SegmentBody> = handles.iter().map(|_| SegmentBody::from(self.hand.segment().shape)).collect();
        columns!(bodies, x0: |b| b.shape.start.x, y0: |b| b.shape.start.y, x1: |b| b.shape.end.x,
            y1: |b| b.shape.end.y, radius: |b| b.shape.radius);
        let columns = SegmentBodies { x0: &x0, y0: &y0, x1: &x1, y1: &y1, radius: &radius, ..Default::default() };
        let result = self.both(|w| w.replace_segments(&handles, columns));
        agree(&result, live && bodies.iter().all(|&body| check_segment(body)));
        for (handle, body) in handles.into_iter().zip(bodies).filter(|_| result.is_ok()) {
            self.model.set_segment(handle, body);
        }
    }

    fn points(&mut self, count: usize) -> (Vec<f32>, Vec<f32>, bool) {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..count).map(|_| self.hand.point().into()).unzip();
        let finite = x.iter().chain(&y).all(|v| v.is_finite());
        (x, y, finite)
    }

    fn move_circles(&mut self) {
        let (handles, live) = self.circle_handles();
        let (x, y, finite) = self.points(handles.len());
        let result = self.both(|w| w.move_circles(&handles, &x, &y));
        agree(&result, live && finite);
        for (at, &handle) in handles.iter().enumerate().filter(|_| result.is_ok()) {
            self.place(handle, Vec2::new(x[at], y[at]));
        }
    }

    fn set_velocities(&mut self) {
        let (handles, live) = self.circle_handles();
        let (x, y, finite) = self.points(handles.len());
        let result = self.both(|w| w.set_circle_velocities(&handles, &x, &y));
        agree(&result, live && finite);
        for (at, handle) in handles.iter().enumerate().filter(|_| result.is_ok()) {
            self.model.circles.get_mut(handle).expect("live").velocity = Vec2::new(x[at], y[at]);
        }
    }

    /// A filter, a sensor or user data: what nothing but a stale handle stops, and what is no edit in the sense of events.
    pub(super) fn set_label(&mut self, what: usize) {
        let (filter, sensor) = (self.hand.filter(), self.hand.choices.below(2) == 1);
        let data = u64::from(self.hand.choices.byte()) << 56;
        if self.hand.choices.below(2) == 0 {
            let handle = self.hand.circle_handle(&self.model);
            let result = self.both(|w| match what {
                0 => w.set_circle_sensor(handle, sensor),
                1 => w.set_circle_user_data(handle, data),
                _ => w.set_circle_filter(handle, filter),
            });
            let body = self.model.circles.get_mut(&handle);
            agree(&result, body.is_some());
            body.into_iter().for_each(|body| match what {
                0 => body.sensor = sensor,
                1 => body.user_data = data,
                _ => body.filter = filter,
            });
        } else {
            let handle = self.hand.segment_handle(&self.model);
            let result = self.both(|w| match what {
                0 => w.set_segment_sensor(handle, sensor),
                1 => w.set_segment_user_data(handle, data),
                _ => w.set_segment_filter(handle, filter),
            });
            let body = self.model.segments.get_mut(&handle);
            agree(&result, body.is_some());
            body.into_iter().for_each(|body| match what {
                0 => body.sensor = sensor,
                1 => body.user_data = data,
                _ => body.filter = filter,
            });
        }
    }
}
