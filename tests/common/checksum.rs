//! The checksum that the truths of the maps carry: a sum over pairs, so the order of the pairs does not count.

/// One pair: z = a·φ + b·β + 1, (z xor z >> 31)·δ, wrapping. In a pair of two kinds `a` is the circle.
pub fn pair(a: u32, b: u32) -> u64 {
    let z = u64::from(a)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(u64::from(b).wrapping_mul(0xBF58_476D_1CE4_E5B9))
        .wrapping_add(1);
    (z ^ (z >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB)
}

/// Their sum modulo 2^64, in sixteen digits.
pub fn checksum(pairs: impl IntoIterator<Item = (u32, u32)>) -> String {
    format!("{:016x}", pairs.into_iter().fold(0u64, |sum, (a, b)| sum.wrapping_add(pair(a, b))))
}
