//! `Detector` against brute force, its backends against each other.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridlane_fuzz::detection::check(bytes));
