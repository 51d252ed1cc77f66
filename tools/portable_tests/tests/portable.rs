//! One program of the files in the library's `tests`: what they share is built once.

#[path = "../../../tests/common/mod.rs"]
mod common;

#[path = "../../../tests/determinism.rs"]
mod determinism;
#[path = "../../../tests/kernels_differential.rs"]
mod kernels_differential;
#[path = "../../../tests/oracle_cases.rs"]
mod oracle_cases;
#[path = "../../../tests/segment_pairs.rs"]
mod segment_pairs;
#[path = "../../../tests/snapshot.rs"]
mod snapshot;
#[path = "../../../tests/step_differential.rs"]
mod step_differential;

#[cfg(feature = "more")]
#[path = "../../../tests/events.rs"]
mod events;
#[cfg(feature = "more")]
#[path = "../../../tests/hostile.rs"]
mod hostile;
#[cfg(feature = "more")]
#[path = "../../../tests/many.rs"]
mod many;
#[cfg(feature = "more")]
#[path = "../../../tests/pairs_differential.rs"]
mod pairs_differential;
#[cfg(feature = "more")]
#[path = "../../../tests/world_hostile.rs"]
mod world_hostile;
