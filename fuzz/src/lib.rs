//! What the fuzz targets do with their bytes.
//!
//! Comes in: bytes of a fuzzer. Goes out: nothing, or a panic that says what was wrong. The truths are those of the tests of the
//! library: the exact oracle, brute force over all pairs, a plain model of a world.

#[path = "../../tests/common/casts.rs"]
pub mod casts;
#[path = "../../tests/common/choices.rs"]
pub mod choices;
#[path = "../../tests/common/legs.rs"]
pub mod legs;
#[path = "../../tests/common/near_truth.rs"]
pub mod near_truth;
#[path = "../../tests/common/oracle.rs"]
pub mod oracle;
#[path = "../../src/bin/gridlane/scenes.rs"]
pub mod scenes;
#[path = "../../tests/common/truth.rs"]
pub mod truth;
#[path = "../../tests/common/wall_table.rs"]
pub mod wall_table;
#[path = "../../tests/common/world_bytes.rs"]
pub mod world_bytes;
#[path = "../../tests/common/world_draw.rs"]
pub mod world_draw;
#[path = "../../tests/common/world_edits.rs"]
pub mod world_edits;
#[path = "../../tests/common/world_meetings.rs"]
pub mod world_meetings;
#[path = "../../tests/common/world_model.rs"]
pub mod world_model;
#[path = "../../tests/common/world_script.rs"]
pub mod world_script;

/// By the name under which the tests know it.
pub mod common {
    pub use super::scenes;
}

pub mod asking;
pub mod detection;
pub mod draw;
pub mod filters;
pub mod laws;
pub mod lines;
pub mod motions;
pub mod pairs;
pub mod ways;
