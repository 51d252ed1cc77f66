//! Questions to worlds and detectors against the loop over all bodies.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridlane_fuzz::asking::check(bytes));
