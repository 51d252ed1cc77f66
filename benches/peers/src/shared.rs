//! What the library's own benches and tests use too, by path: the built-in scenes, what is known to touch in them, and the grid one
//! writes by hand.
#![allow(dead_code, unreachable_pub, reason = "each user of these files needs a part")]

#[path = "../../../tests/common/counts.rs"]
mod counts;
#[path = "../../common/plain_grid.rs"]
pub(crate) mod plain_grid;
#[path = "../../../src/bin/gridlane/scenes.rs"]
pub(crate) mod scenes;

pub(crate) use counts::{Counts, KNOWN};
pub(crate) use plain_grid::PlainContact;
pub(crate) use scenes::{Rng, Scene};
