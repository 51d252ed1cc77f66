//! Questions: rays and fans, casts, overlaps, what is nearest, and who are neighbours.

#[path = "../common/mod.rs"]
mod common;

#[path = "../batches.rs"]
mod batches;
#[path = "../casts.rs"]
mod casts;
#[path = "../casts_many.rs"]
mod casts_many;
#[path = "../casts_unseen.rs"]
mod casts_unseen;
#[path = "../fans.rs"]
mod fans;
#[path = "../neighbors.rs"]
mod neighbors;
#[path = "../neighbors_many.rs"]
mod neighbors_many;
#[path = "../periodic_edges.rs"]
mod periodic_edges;
#[path = "../periodic_queries.rs"]
mod periodic_queries;
#[path = "../query_near.rs"]
mod query_near;
#[path = "../query_near_door.rs"]
mod query_near_door;
#[path = "../query_threads.rs"]
mod query_threads;
#[path = "../thin_maps.rs"]
mod thin_maps;
