//! The call by which a step answers its contacts.
//!
//! Comes in: the moved circles, in the rows of their contacts, and the contacts that count. Goes out: other velocities and positions, or word that one of them
//! is not finite. This room decides what the response is told, not what it does.

use super::hold::Held;
use super::hook::{self, Hook, Listener};
use super::joints::scene;
use super::solid::{Asked, Picked};
use super::{Response, World, options, step::view};
use crate::error::{Error, Kind};
use crate::geometry;
use crate::narrow_phase::Across;
use crate::parallel::Split;
use crate::response::{self, Before, FLIGHT_FIELDS, Given, Law, Touching, first_not_finite, restore};

/// Fewer contacts than this are answered, and told of, by one thread: another one costs more than it brings.
pub(super) const MANY: usize = 2048;

impl World {
    /// **resolve**: velocities and positions after all contacts, but for those of sensors and those that a hook lets pass.
    pub(super) fn resolve(&mut self, dt: f32, hook: Option<&mut Hook<'_>>) -> Result<Given, Error> {
        self.next.answered = dt > 0.0 && self.config.response != Response::None;
        if !self.next.answered {
            return Ok(Given::default());
        }
        let given = self.answer(dt, hook).map_err(|error| self.refuse(error))?;
        let (pool, rows) = (self.detection.pool().clone(), self.circles.len());
        pool.run(rows, |split| self.guard_answers(dt, split));
        if given.is_some() {
            self.bring_back_resolved(dt);
        }
        let Held { to_walls, virial, .. } = self.next.held;
        given
            .map(|given| Given { to_walls: given.to_walls + to_walls, virial: given.virial + virial })
            .ok_or_else(|| self.not_finite())
    }

    /// Sums of what was given; nothing if a number that was written is not finite. An error if a hook says what cannot be.
    fn answer(&mut self, dt: f32, hook: Option<&mut Hook<'_>>) -> Result<Option<Given>, Error> {
        self.warmth.purge();
        let (limits, periods) = (self.config.bounds.limits(), self.config.bounds.periods());
        let World {
            config,
            circles: was,
            segments,
            segment_slots: slots,
            detection,
            joints,
            near,
            next,
            warmth,
            wrap,
            ..
        } = self;
        let across = wrap.as_ref().map_or(Across::default(), |wrap| wrap.across());
        let (c, contacts) = (&mut next.circles, &next.contacts);
        let own = [c.labels.restitutions(), segments.labels.restitutions()];
        let law = Law::new(dt)
            .with_gravity(config.gravity.into())
            .with_restitution(config.restitution, own)
            .with_substeps(config.substeps)
            .with_limits(limits);
        let labels = [&c.labels, &segments.labels];
        let asks = hook.is_some();
        let listener = Listener { order: detection.order(), circles: was, flight: &next.flight, segments, across };
        let shapes = geometry::Circles { x: &c.x, y: &c.y, radius: &c.radius };
        let scene = scene(detection, (shapes, labels[0]), segments);
        let (solid, of_joints) = (&mut next.solid, &mut *joints);
        let asked = hook.map(|hook| Asked { listener, hook, joints: of_joints, scene });
        let picked = hook::guarded(|| solid.of(contacts, labels[0], labels[1], asked));
        let Picked { circle_circle, circle_segment, changes } = match picked {
            Ok(picked) => picked,
            Err(panic) => {
                restore(segments, &next.saved);
                std::panic::resume_unwind(panic)
            }
        };
        let law = law.with_changed(changes.all()?);
        // Only who may rest has to know more than what touches; of what does not touch yet a hook has not been asked.
        let known = !asks
            && response::may_rest(&law, circle_circle, circle_segment)
            && near.find(options(config), detection, c, view(segments), dt);
        let known = known && {
            near.join(joints, config, detection, c, segments);
            near.find_across(config, c, segments)
        };
        let touching = Touching { segments, slots, joints, across, circle_circle, circle_segment };
        let around = if known {
            let (across, (circle_circle, circle_segment)) = near.contacts(labels[0], labels[1]);
            Touching { across, circle_circle, circle_segment, ..touching }
        } else {
            touching
        };
        let before = Before {
            order: detection.order(),
            x: &was.x,
            y: &was.y,
            velocity_x: &was.velocity_x,
            velocity_y: &was.velocity_y,
            flown: next.flyers.flown(),
            handle: &c.handle,
        };
        let rows = c.len();
        let circles = response::Circles::new(
            &mut c.x,
            &mut c.y,
            &mut c.velocity_x,
            &mut c.velocity_y,
            &c.radius,
            &c.inverse_mass,
        )
        .with_periods(periods)
        .with_kernels(config.backend, detection.set());
        let buffers = &mut next.response;
        let answer = |split| response::resolve(circles, &law, before, [touching, around], warmth, buffers, split);
        // Who touches nobody costs nothing here.
        if circle_circle.len() + circle_segment.len() < MANY {
            return Ok(answer(Split::SERIAL));
        }
        Ok(detection.pool().run(rows, answer))
    }

    /// The error that names the first number that is not finite.
    fn not_finite(&mut self) -> Error {
        let c = &self.next.circles;
        match first_not_finite([c.velocity_x.as_slice(), &c.velocity_y, &c.x, &c.y], FLIGHT_FIELDS) {
            Err((row, field)) => {
                let bits = c.handle[row].to_bits();
                self.refuse(Error::OutOfRange { kind: Kind::Circle, bits, field })
            }
            // The response has said that there is one.
            Ok(()) => self.refuse(Error::OutOfRange { kind: Kind::Circle, bits: 0, field: "x" }),
        }
    }
}
