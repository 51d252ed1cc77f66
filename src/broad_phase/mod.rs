//! A uniform grid over positions: a superset of the touching pairs, as contiguous runs of rows.
//!
//! Comes in: columns of centres, ends and sizes. Goes out: rows in the order of their cells, and for a shape the runs of rows that it may touch. This
//! room does not test whether anything touches.
mod block_boxes;
mod bunch;
mod cell_map;
mod cell_table;
mod cells;
mod crowd;
#[cfg(test)]
pub(crate) mod drawn;
mod entries;
mod extent;
mod few;
mod floor;
mod gathering;
mod grid;
mod heights;
mod intervals;
mod limits;
mod listed;
#[cfg(test)]
mod long_tests;
mod naming;
mod near_walls;
mod occupancy;
mod on_demand;
mod plan;
mod policy;
mod ray_cells;
mod reaching;
mod regions;
mod sort;
mod spread;
mod strewn;
mod walk;
mod walls;
mod windows;

pub(crate) use block_boxes::Blocks;
pub(crate) use bunch::Bunch;
pub(crate) use cell_map::{CellMap, LINEAR};
pub(crate) use cells::{CellLevel, Cells, NEAR, extent, shorter};
pub(crate) use entries::{Entries, EntryView};
pub(crate) use extent::Extent;
pub(crate) use few::FEW;
pub(crate) use floor::{floor, floor_to};
pub(crate) use gathering::{copy_all, gather_all};
pub(crate) use grid::{Grid, LevelCells, PAD, Runs};
pub(crate) use heights::Heights;
pub(crate) use limits::sampled_row;
pub(crate) use near_walls::NearWalls;
pub(crate) use occupancy::Occupancy;
pub(crate) use on_demand::OnDemand;
pub(crate) use plan::{Level, union};
pub(crate) use policy::Policy;
pub(crate) use ray_cells::RayCells;
pub(crate) use reaching::{MET, Part, walk_part, walk_wound};
pub(crate) use regions::Regions;
pub(crate) use strewn::Strewn;
pub(crate) use walk::{walk, walk_folded, walk_some};
pub(crate) use walls::Walls;
pub(crate) use windows::{STRIP, Strip, Window, Windows};

/// How wide a cell of the grid is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CellSize {
    /// Chosen from radii and density; 64 circles or fewer are not sorted but put into one cell.
    #[default]
    Auto,
    /// At least this wide (length units, above zero); wider where the largest radius asks for it.
    Fixed(f32),
}
