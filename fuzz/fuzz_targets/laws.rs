//! Worlds with all that a simulation relies on, joints, borders that repeat, hooks, rest, against what must hold of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridlane_fuzz::laws::check(bytes));
