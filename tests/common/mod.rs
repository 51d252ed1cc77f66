//! What several test files share.
#![allow(dead_code, reason = "no test file uses all of it")]

pub mod oracle;
pub mod oracle_cases;
