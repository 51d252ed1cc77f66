//! The world: owns bodies, moves them, tells what touched.
mod config;

pub use config::{Bounds, Response, WorldConfig};

mod world;
pub use world::*;
