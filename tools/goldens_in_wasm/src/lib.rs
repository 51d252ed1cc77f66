//! The golden worlds and detections as a WebAssembly module: `cargo test` does not run where there is no operating system.
//!
//! Comes in: nothing. Goes out: a table as text, to be read from the module's memory. The worlds, the scenes and the table of
//! what has to come out are the very files of the tests.

#![allow(dead_code, unreachable_pub, reason = "the files of the tests are used in part")]

#[path = "../../../tests/common/flavours.rs"]
mod flavours;
#[path = "../../../tests/common/goldens.rs"]
mod goldens;
#[path = "../../../src/bin/gridlane/scenes.rs"]
mod scenes;
#[path = "../../../tests/common/truth.rs"]
mod truth;
#[path = "../../../tests/common/worlds.rs"]
mod worlds;

use goldens::{GOLDENS, all};
use gridlane::{Backend, DetectorConfig, WorldConfig, instruction_set};
use std::sync::OnceLock;

/// The instruction set in one line; then one line each with the backend, the name, and what goes in and what comes out, each as found and
/// as expected, with tabs between.
fn table() -> &'static str {
    static TABLE: OnceLock<String> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut text = format!("{}\n", instruction_set());
        for backend in [Backend::Wide, Backend::Scalar] {
            let world = WorldConfig::default().with_backend(backend);
            let found = all(&world, &DetectorConfig::default().with_backend(backend));
            for ([name, input, output], golden) in found.iter().zip(GOLDENS) {
                text += &format!("{backend:?}\t{name}\t{input}\t{}\t{output}\t{}\n", golden.1, golden.2);
            }
        }
        text
    })
}

/// Where the table begins.
#[unsafe(no_mangle)]
pub extern "C" fn table_start() -> *const u8 {
    table().as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn table_length() -> usize {
    table().len()
}
