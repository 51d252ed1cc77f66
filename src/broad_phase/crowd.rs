//! How crowded cells are.
//!
//! Comes in: positions, a map of cells without end. Goes out: how many others share the cell of one of them, in the mean. This room does not know what the
//! positions are a sample of. Cost: a step or two each.

use super::cell_map::CellMap;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    hashes: Vec<u32>,
    /// Hashes and how many have them.
    counts: Vec<[u32; 2]>,
}

impl Crowd {
    /// The mean number of others in a position's own cell.
    pub(super) fn others(&mut self, [x, y]: [&[f32]; 2], map: &CellMap) -> f32 {
        let Crowd { hashes, counts } = self;
        hashes.clear();
        hashes.extend(x.iter().zip(y).map(|(&x, &y)| {
            let (cx, cy) = (map.index(map.scale(x, 0), 0), map.index(map.scale(y, 1), 1));
            let h = (cx as u32).wrapping_mul(0x9E37_79B1) ^ (cy as u32).wrapping_mul(0x85EB_CA77).rotate_left(15);
            h ^ h >> 15
        }));
        same_pairs(hashes, counts) as f32 / hashes.len() as f32
    }
}

/// How many ordered pairs of places have the same hash. By a table with room for twice as many; by sorting, where hashes crowd so much that looking
/// for a place in it would take longer.
fn same_pairs(hashes: &mut [u32], counts: &mut Vec<[u32; 2]>) -> u64 {
    const MEAN_STEPS: usize = 8;
    let bits = (2 * hashes.len() + 1).ilog2() + 1;
    counts.clear();
    counts.resize(1 << bits, [0; 2]);
    let (mut pairs, mut steps) = (0u64, MEAN_STEPS * hashes.len());
    for &hash in &*hashes {
        let mut at = hash.wrapping_mul(0x9E37_79B1) >> (32 - bits);
        loop {
            let [known, count] = &mut counts[at as usize];
            if *count == 0 || *known == hash {
                pairs += 2 * u64::from(*count);
                (*known, *count) = (hash, *count + 1);
                break;
            }
            at = (at + 1) & ((1 << bits) - 1);
            if steps == 0 {
                return same_pairs_sorted(hashes);
            }
            steps -= 1;
        }
    }
    pairs
}

#[cold]
fn same_pairs_sorted(hashes: &mut [u32]) -> u64 {
    hashes.sort_unstable();
    hashes.chunk_by(|a, b| a == b).map(|same| same.len() as u64 * (same.len() as u64 - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_equal_hashes_are_counted_alike_in_both_ways() {
        let mut counts = Vec::new();
        // 3, 1 and 2 alike: 6 + 0 + 2 ordered pairs.
        assert_eq!(same_pairs(&mut [7, 0, 7, 9, 7, 9], &mut counts), 8);
        assert_eq!(same_pairs(&mut [], &mut counts), 0);
        // 0x0E8B_2F51 is the inverse of the factor: these all come to one place, and would take half a million steps.
        let mut crowded: Vec<u32> = (0..1000u32).map(|k| k.wrapping_mul(0x0E8B_2F51)).collect();
        assert_eq!(same_pairs(&mut crowded, &mut counts), 0);
        assert!(crowded.is_sorted(), "it was left to sorting");
        for modulus in [1, 2, 97, 5_000] {
            let hashes: Vec<u32> = (0..3_000u32).map(|k| (k.wrapping_mul(2_654_435_761) % modulus) << 7).collect();
            let table = same_pairs(&mut hashes.clone(), &mut counts);
            assert_eq!(table, same_pairs_sorted(&mut hashes.clone()), "{modulus}");
        }
    }
}
