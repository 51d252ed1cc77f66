//! Questions about what stands where: rays, sweeps, overlaps, what is nearest.
//!
//! Comes in: a [`Scene`], which is circles in cell order and segments under their cells, and a question. Goes out: records that name
//! rows. Questions change nothing and may be asked from many threads at once. Decisions are those of [`crate::geometry`], so they
//! are exact; the cells only say what need not be asked. This room does not know worlds, handles or motion.
mod abreast;
mod along;
mod angle;
mod area;
mod around;
mod batch;
mod best;
mod by_circle;
mod casts;
mod chunks;
mod door;
mod doors;
mod fan;
mod fans;
mod filter;
mod flight;
mod found;
mod hit;
mod image_casts;
mod image_neighbors;
mod images;
mod lists;
mod march;
mod met;
mod near;
mod nearby;
mod nearest;
mod neighbors;
mod order;
mod outlined;
mod overlap;
mod pairs;
mod queries;
mod rays;
mod records;
mod scene;
mod search;
mod shape_door;
mod shapes;
mod sight;
mod squares;
mod target;
mod tasks;
mod touching;
mod wide;
mod window;

pub use casts::MovingCircles;
pub(crate) use doors::{door, doors};
pub use fan::{Fan, Scan};
pub use fans::Scans;
pub(crate) use filter::Look;
pub use filter::QueryFilter;
pub use hit::{Hit, HitLists};
pub(crate) use images::MOST_PERIODS;
pub use lists::Lists;
pub use nearest::{Nearest, NearestLists, QueryPoints};
pub use neighbors::{Neighbor, NeighborLists};
pub use overlap::TargetLists;
pub use queries::Queries;
pub(crate) use queries::{Names, Plane};
pub use rays::Rays;
pub(crate) use scene::Scene;
pub use target::{Target, TargetKind};
