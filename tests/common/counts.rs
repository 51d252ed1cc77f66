//! What touches in each built-in scene, as published with the scenes: the counts of the closed sets. Shared with the benches.
#![allow(unreachable_pub, reason = "every bench and test is its own crate")]

/// Touching pairs of a scene: circle–circle, circle–segment, segment–segment.
pub type Counts = [usize; 3];

/// The counts of each scene, smallest first.
pub const KNOWN: [(&str, Counts); 9] = [
    ("gas-1k", [621, 298, 74]),
    ("gas-10k", [5_796, 2_652, 436]),
    ("gas-100k", [58_994, 25_341, 4_328]),
    ("gas-1m", [588_651, 251_397, 41_885]),
    ("dense-100k", [160_337, 619, 4]),
    ("mixed-100k", [42_125, 38_624, 25_760]),
    ("cluster-100k", [38_467, 0, 4]),
    ("soup-100k", [0, 0, 9_638]),
    ("city-100k", [29_915, 61_164, 46_938]),
];
