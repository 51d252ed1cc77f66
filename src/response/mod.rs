//! What bodies do about time and about each other.
//!
//! Comes in: the columns of `storage` and the contacts of one detection. Goes out: new positions and velocities, or
//! word that one of them is not finite. It knows cells as what walls lie in, and lanes that sort out
//! what is far. Of handles it knows their order and their indices, of events nothing. Sources, where they are not
//! named beside a formula: semi-implicit Euler; Newton's law of restitution; for the time of the touch, the quadratic
//! of a swept disc.
mod bouncing;
mod bullets;
mod close;
mod course;
mod door;
mod far;
mod flight;
mod flyer;
mod guard;
mod held;
mod image_walls;
mod images;
mod impact;
mod impulse;
mod integrate;
mod lanes;
mod law;
mod leaving;
mod leg;
mod mirrored;
mod mirrors;
mod moved;
mod order;
mod others;
mod passing;
mod push_out;
mod resolve;
mod rest;
mod serving;
mod stretches;
mod strips;
mod sweeping;
mod taken;
mod trail;
mod units;
mod walls;
mod warmth;
mod ways;

pub(crate) use bullets::{Bullets, CirclesMet, Find, Stage};
pub(crate) use flight::Flyers;
pub(crate) use flyer::{Air, Bounce};
pub(crate) use guard::Guard;
pub(crate) use held::{Found, Passes, Positions};
pub(crate) use image_walls::ImageWalls;
pub(crate) use images::{image_acts, shorten};
pub(crate) use impact::Met;
pub(crate) use integrate::{Ends, FLIGHT_FIELDS, Flight, Limits, first_not_finite};
pub(crate) use integrate::{circles as integrate_circles, restore, segments as integrate_segments};
pub(crate) use law::{Changed, Law};
pub(crate) use moved::Moved;
pub(crate) use resolve::{Buffers, Given, may_rest, resolve, wall_velocity};
pub(crate) use rest::{Before, MetWithin, Touching};
pub(crate) use taken::Circles;
pub(crate) use trail::Trail;
pub(crate) use walls::{Place, Walls};
pub(crate) use warmth::Warmth;
