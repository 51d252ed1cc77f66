//! Questions about what stands where: rays, sweeps, overlaps, what is nearest.
//!
//! Comes in: a [`Scene`], which is circles in cell order and segments under their cells, and a question. Goes out: records that name
//! rows. Questions change nothing and may be asked from many threads at once. Decisions are those of [`crate::geometry`], so they
//! are exact; the cells only say what need not be asked. This room does not know worlds, handles or motion.
mod area;
mod around;
mod best;
mod shape_door;
mod filter;
mod lazy;
mod lists;
mod nearest;
mod neighbors;
mod overlap;
mod pairs;
mod queries;
mod scene;
mod touching;
mod shapes;
mod target;

pub(crate) use filter::Look;
pub use filter::QueryFilter;
pub(crate) use lazy::Lazy;
pub use lists::Lists;
pub use nearest::Nearest;
pub use neighbors::{Neighbor, NeighborLists};
pub use overlap::TargetLists;
pub(crate) use queries::Names;
pub use queries::Queries;
pub(crate) use scene::Scene;
pub use target::{Target, TargetKind};
