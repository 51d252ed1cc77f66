//! A detector: which pairs it finds, in what order, from what input, and through which ways out.

#[path = "../common/mod.rs"]
mod common;

#[path = "../columns.rs"]
mod columns;
#[path = "../filters.rs"]
mod filters;
#[path = "../hostile.rs"]
mod hostile;
#[path = "../hostile_scenes.rs"]
mod hostile_scenes;
#[path = "../joints.rs"]
mod joints;
#[path = "../joints_hard.rs"]
mod joints_hard;
#[path = "../pairs_differential.rs"]
mod pairs_differential;
#[path = "../periodic.rs"]
mod periodic;
#[path = "../periodic_contacts.rs"]
mod periodic_contacts;
#[path = "../real_maps.rs"]
mod real_maps;
#[path = "../regressions.rs"]
mod regressions;
#[path = "../segment_pairs.rs"]
mod segment_pairs;
#[path = "../ways_out.rs"]
mod ways_out;
