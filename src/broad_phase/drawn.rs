//! Numbers drawn at random, for tests.
//!
//! Comes in: a state, bounds. Goes out: the next state, a number. This room does not know what is drawn.

/// SplitMix64 on [a, b).
pub(crate) fn range(state: &mut u64, a: f64, b: f64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    a + (b - a) * (((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64)
}
