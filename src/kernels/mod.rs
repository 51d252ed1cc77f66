//! The kernel contract.
pub(crate) mod pairs;
pub(crate) mod scalar;
pub(crate) mod wide;

pub(crate) use pairs::{LANES, PACK, Pairs};
