//! Two worlds of different backends under a script of calls, against a plain model.
#![no_main]

use gridlane_fuzz::choices::Script;
use gridlane_fuzz::world_script::Play;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| Play::new(&mut Script::new(bytes), 32).run(120));
