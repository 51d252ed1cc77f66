//! A uniform grid over positions: a superset of the touching pairs, as contiguous runs of rows.
mod cell_map;
mod grid;
mod walk;

pub(crate) use cell_map::CellMap;
pub(crate) use grid::{Grid, Level, PAD, Policy, Runs, gather};
pub(crate) use walk::walk;
