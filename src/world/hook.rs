//! The caller's word on each contact before it acts.
//!
//! Comes in: a contact, and what is known of its bodies before anything is answered. Goes out: what a hook sees of it. This room
//! does not know what an answer is. After the pre-solve of Box2D and the contact modification of rapier, as far as it makes sense without
//! friction: what acts along the normal can be changed, and there is nothing along the wall.

use super::events::{EventPair, Touch};
use super::touch;
use crate::error::Error;
use crate::geometry::{Feature, Vec2};
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact};
use crate::response::{Changed, Flight, wall_velocity};
use crate::storage::{CircleColumns, SegmentColumns};

/// What a hook is asked about: a contact that is about to act.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Encounter {
    /// Of which two bodies: as an event names them.
    pub pair: EventPair,
    /// The user data of both, in the order of the pair.
    pub user_data: [u64; 2],
    /// The velocities of both, before any contact is answered; of a segment, where it is touched.
    pub velocities: [Vec2; 2],
    /// Where, the normal from the first to the second, how fast they approach.
    pub touch: Touch,
    /// 0 when just touching, negative when penetrating.
    pub separation: f32,
    /// Which part of a segment; `None` of two circles.
    pub feature: Option<Feature>,
}

/// What a hook says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// The contact acts.
    #[default]
    Act,
    /// It is reported and does not act in this step.
    Pass,
    /// It acts otherwise than its bodies would, in this step.
    With(Change),
}

/// How a contact acts otherwise. `default()` changes nothing; then `with_…`.
///
/// Both act along the normal, on both bodies by their masses, so momentum is conserved as ever.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// How much of the approach speed comes back, 0 to 1, whatever the bodies and the world say; `None`: as they say.
    pub restitution: Option<f32>,
    /// How fast they part along the normal at least, once they have touched, in length units a second; zero or more, finite. Zero, as by
    /// default, asks for nothing. More makes bumpers, springboards, jets: the speed comes from nowhere, and so does the energy. Bodies that
    /// part faster by themselves are left alone.
    pub speed: f32,
}

impl Change {
    /// Sets [`Self::restitution`].
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> Change {
        Change { restitution: Some(restitution), ..self }
    }

    /// Sets [`Self::speed`].
    #[must_use]
    pub fn with_speed(self, speed: f32) -> Change {
        Change { speed, ..self }
    }

    /// Both numbers are in their range.
    fn check(&self) -> Result<(), Error> {
        let restitution = self.restitution.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&restitution) {
            return Err(Error::Verdict { field: "restitution", value: restitution, expected: "from 0 to 1" });
        }
        if !(self.speed >= 0.0 && self.speed.is_finite()) {
            return Err(Error::Verdict { field: "speed", value: self.speed, expected: "finite, zero or more" });
        }
        Ok(())
    }
}

/// What hooks have changed in a step: pairs of circles, and of circles and segments, by rows.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pairs: [Vec<Changed>; 2],
    /// The first verdict that is out of its range.
    wrong: Option<Error>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.pairs.iter_mut().for_each(Vec::clear);
        self.wrong = None;
    }

    /// Takes a verdict over; whether the contact of these rows acts. Once one was wrong, nobody is asked any more.
    pub(super) fn ask(&mut self, kind: usize, rows: [u32; 2], verdict: impl FnOnce() -> Verdict) -> bool {
        if self.wrong.is_some() {
            return true;
        }
        match verdict() {
            Verdict::Act => true,
            Verdict::Pass => false,
            Verdict::With(change) => {
                self.wrong = change.check().err();
                if self.wrong.is_none() && change != Change::default() {
                    let Change { restitution, speed } = change;
                    self.pairs[kind].push(Changed { rows, restitution, speed });
                }
                true
            }
        }
    }

    /// To be called when all have been asked.
    pub(super) fn sort(&mut self) {
        self.pairs.iter_mut().for_each(|pairs| pairs.sort_unstable_by_key(|changed| changed.rows));
    }

    /// Ascending by rows; an error if a verdict was wrong.
    pub(super) fn all(&self) -> Result<[&[Changed]; 2], Error> {
        let [circles, walls] = &self.pairs;
        self.wrong.clone().map_or(Ok([circles, walls]), Err)
    }
}

/// What a step asks.
pub(super) type Hook<'a> = dyn FnMut(&Encounter) -> Verdict + 'a;

/// Knows what a hook is told.
pub(super) struct Listener<'a> {
    /// For each row of the contacts the row before this step.
    pub(super) order: &'a [u32],
    /// The circles before this step.
    pub(super) circles: &'a CircleColumns,
    /// How they flew, in the same rows.
    pub(super) flight: &'a Flight,
    pub(super) segments: &'a SegmentColumns,
    /// By which images segments are met.
    pub(super) across: Across<'a>,
}

impl Listener<'_> {
    pub(super) fn circle_circle(&self, contact: &CircleCircleContact) -> Encounter {
        let rows = [contact.a, contact.b].map(|row| self.order[row as usize] as usize);
        let touch = touch::circle_circle(contact, rows.map(|row| self.of(row)));
        let handles = rows.map(|row| self.circles.handle[row]);
        let turned = handles[0] > handles[1];
        let [one, other] = if turned { [rows[1], rows[0]] } else { rows };
        let [a, b] = [one, other].map(|row| self.circles.handle[row]);
        Encounter {
            pair: EventPair::CircleCircle(a, b),
            user_data: [one, other].map(|row| self.circles.labels.of(row).user_data),
            velocities: [one, other].map(|row| self.of(row)),
            touch: touch::turned_round_if(touch, turned),
            separation: contact.separation,
            feature: None,
        }
    }

    pub(super) fn circle_segment(&self, contact: &CircleSegmentContact) -> Encounter {
        let (row, wall) = (self.order[contact.a as usize] as usize, contact.b as usize);
        let [x, y] = wall_velocity(self.segments, &self.across, contact);
        Encounter {
            pair: EventPair::CircleSegment(self.circles.handle[row], self.segments.handle[wall]),
            user_data: [self.circles.labels.of(row).user_data, self.segments.labels.of(wall).user_data],
            velocities: [self.of(row), Vec2::new(x as f32, y as f32)],
            touch: touch::circle_segment(contact, self.of(row), self.segments, &self.across),
            separation: contact.separation,
            feature: Some(contact.feature),
        }
    }

    /// How a circle flew.
    fn of(&self, row: usize) -> Vec2 {
        Vec2::new(self.flight.velocity_x[row], self.flight.velocity_y[row])
    }
}

/// Calls what may call a hook; its panic comes back, so that the world can be put in order before it goes on.
pub(super) fn guarded<R>(call: impl FnOnce() -> R) -> std::thread::Result<R> {
    // Nothing that the call can leave half done is looked at again before it is written anew.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call))
}
