//! The pairwise functions and the kernels: right by exact arithmetic, and alike in every text.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/maps.rs"]
mod maps;

#[path = "../bounds.rs"]
mod bounds;
#[path = "../bounds_in_double.rs"]
mod bounds_in_double;
#[path = "../geometry_exact.rs"]
mod geometry_exact;
#[path = "../kernels_differential.rs"]
mod kernels_differential;
#[path = "../motions_exact.rs"]
mod motions_exact;
#[path = "../near_exact.rs"]
mod near_exact;
#[path = "../oracle_cases.rs"]
mod oracle_cases;
#[path = "../properties.rs"]
mod properties;
#[path = "../roundings.rs"]
mod roundings;
#[path = "../symmetries.rs"]
mod symmetries;
#[path = "../texts_at_the_edge.rs"]
mod texts_at_the_edge;
#[path = "../worst_roundings.rs"]
mod worst_roundings;
