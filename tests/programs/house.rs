//! What holds of the package rather than of a collision: its rules, its scenes, its records, its command and its other features.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "cli")]
#[path = "../command.rs"]
mod command;
#[cfg(feature = "cli")]
#[path = "../command_files.rs"]
mod command_files;
#[cfg(feature = "cli")]
#[path = "../command_options.rs"]
mod command_options;
#[cfg(feature = "cli")]
#[path = "../command_tables.rs"]
mod command_tables;
#[cfg(feature = "glam")]
#[path = "../glam.rs"]
mod glam;
#[path = "../house_rules.rs"]
mod house_rules;
#[cfg(feature = "mint")]
#[path = "../mint.rs"]
mod mint;
#[path = "../records.rs"]
mod records;
#[path = "../scenes.rs"]
mod scenes;
#[cfg(feature = "serde")]
#[path = "../serde.rs"]
mod serde;
