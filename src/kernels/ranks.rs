//! Numbers held against each other: what both texts compute.
//!
//! Comes in: numbers that are not negative, as many as a multiple of the lanes, of which the last may be infinite to fill up. Goes out: how many
//! are before each, of equals those in lower places; the largest of those before which there are fewer than so many. Or eight integers, and which of
//! them are less than one.
//!
//! Each against all: no branch depends on a number. Of 32 numbers that takes some seventy cycles (docs/kernels.md), as do four or five wrong guesses
//! of a sort.

#[cfg(test)]
mod tests {
    use crate::kernels::{InstructionSet, Kernels, LANES, Operation, dispatch};

    struct Of<'a>(&'a [f32], usize, &'a mut [f32]);

    impl Operation for Of<'_> {
        type Output = f32;
        #[inline(always)]
        fn run<K: Kernels>(self) -> f32 {
            K::ranks(self.0, self.1, self.2)
        }
    }

    struct Less([u32; LANES], u32);

    impl Operation for Less {
        type Output = u32;
        #[inline(always)]
        fn run<K: Kernels>(self) -> u32 {
            K::less(&self.0, self.1)
        }
    }

    struct Front(u32, [[f32; LANES]; 3]);

    impl Operation for Front {
        // Packed by an instruction.
        const AVX512: bool = true;
        type Output = [[f32; LANES]; 3];
        #[inline(always)]
        fn run<K: Kernels>(self) -> [[f32; LANES]; 3] {
            K::front(self.0, self.1)
        }
    }

    #[test]
    fn ranks_are_places_of_a_stable_sort() {
        for count in [0usize, 1, 7, 8, 9, 24, 40, 100] {
            for steps in [1, 3, 1000] {
                // 389 is prime: many values, or few of which most are several times there.
                let mut numbers: Vec<f32> = (0..count).map(|k| (k * k % 389 % steps) as f32 * 0.1).collect();
                numbers.resize(count.next_multiple_of(LANES), f32::INFINITY);
                let mut places: Vec<usize> = (0..numbers.len()).collect();
                places.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
                for (backend, set) in InstructionSet::texts() {
                    for k in [1, 2, 8, 30] {
                        let mut ranks = vec![-1.0; numbers.len()];
                        let within = dispatch(backend, set, Of(&numbers, k, &mut ranks));
                        for (rank, &place) in places.iter().enumerate() {
                            assert_eq!(ranks[place], rank as f32, "{count} numbers, {steps}, {backend:?} {set:?}");
                        }
                        let expected = places.iter().take(k).next_back().map_or(0.0, |&place| numbers[place]);
                        assert_eq!(within, expected, "{count} numbers, {steps}, {k}, {backend:?} {set:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_below_2_to_the_31_are_less_or_not() {
        // Bits of numbers that are none, or subnormal, or no number at all: nothing but integers here.
        let pool = [0, 1, 2, 0x007f_ffff, 0x3f80_0000, 0x7f80_0000, 0x7fc0_0001, 0x7fff_ffff];
        for than in pool {
            for turn in 0..LANES {
                let numbers = std::array::from_fn(|k| pool[(k + turn) % LANES]);
                let expected = (0..LANES).filter(|&k| numbers[k] < than).fold(0, |mask, k| mask | 1 << k);
                for (backend, set) in InstructionSet::texts() {
                    assert_eq!(dispatch(backend, set, Less(numbers, than)), expected, "{numbers:?} {than}");
                }
            }
        }
    }

    #[test]
    fn what_is_in_a_mask_comes_to_the_front() {
        let eights = [0, 8, 16].map(|from| std::array::from_fn(|k| (from + k) as f32));
        for mask in 0..256u32 {
            for (backend, set) in InstructionSet::texts() {
                let found = dispatch(backend, set, Front(mask, eights));
                for (found, eight) in found.iter().zip(&eights) {
                    let expected: Vec<f32> = (0..LANES).filter(|k| mask >> k & 1 == 1).map(|k| eight[k]).collect();
                    assert_eq!(found[..expected.len()], expected, "{mask:b}, {backend:?} {set:?}");
                }
            }
        }
    }
}
