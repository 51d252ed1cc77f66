//! The reference texts.
