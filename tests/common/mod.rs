//! What several test files share.
#![allow(dead_code, unreachable_pub, reason = "every program uses a part of this")]

pub mod all_questions;
pub mod casts;
pub mod checksum;
pub mod choices;
pub mod counts;
pub mod few;
pub mod flavours;
pub mod goldens;
pub mod hostile_scenes;
pub mod joined;
pub mod legs;
pub mod near_truth;
pub mod oracle;
pub mod oracle_cases;
#[path = "../../src/bin/gridlane/scenes.rs"]
pub mod scenes;
pub mod sources;
pub mod torus;
pub mod truth;
pub mod wall_table;
pub mod world_bytes;
pub mod world_draw;
pub mod world_edits;
pub mod world_meetings;
pub mod world_model;
pub mod world_script;
pub mod worlds;
