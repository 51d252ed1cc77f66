//! The eight-lane texts.
