//! A world over many steps: edits, events and handles, bytes to go on from, and the same bits in every way.

#[path = "../common/mod.rs"]
mod common;

#[path = "../bulk.rs"]
mod bulk;
#[path = "../determinism.rs"]
mod determinism;
#[path = "../edits.rs"]
mod edits;
#[path = "../edits_static.rs"]
mod edits_static;
#[path = "../events.rs"]
mod events;
#[path = "../handles.rs"]
mod handles;
#[path = "../labels.rs"]
mod labels;
#[path = "../limits.rs"]
mod limits;
#[path = "../many.rs"]
mod many;
#[path = "../snapshot.rs"]
mod snapshot;
#[path = "../step_differential.rs"]
mod step_differential;
#[path = "../told.rs"]
mod told;
#[path = "../world_hostile.rs"]
mod world_hostile;
#[path = "../world_model.rs"]
mod world_model;
