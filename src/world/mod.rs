//! The world: owns bodies, moves them, tells what touched.
mod config;

pub use config::{Bounds, DEFAULT_CONTACT_LIMIT, DetectorConfig, Response, WorldConfig};

mod world;
pub use world::*;
