//! The world: owns bodies, moves them, tells what touched.
mod config;

pub use config::{
    Backend, Bounds, CellSize, DEFAULT_CONTACT_LIMIT, DetectorConfig, PairKinds, Response, Threads, WorldConfig,
};

mod world;
pub use world::*;
