//! Pairs of a circle and a segment, or of two circles, that met in flight or while contacts were answered, for the report.
//!
//! Comes in: what a step met on its way, and the contacts where its flight ended. Goes out: each such pair once, with the first time it met, and
//! whether it touches at the end. This room does not know what touched before. Costs nothing where nobody met anything; else a look at each contact.

/// So many are nothing.
const SOME: usize = 256;

/// One pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    circle: u32,
    /// A segment, or a circle of a higher row.
    other: u32,
    /// The place of its first impact in the list.
    at: u32,
    touches: bool,
}

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    /// By the rows of circles before the step, a bit each: they have some pairs. So small that it stays in the nearest cache.
    has_some: Vec<u64>,
    /// How many circles that have some stand before each word of these bits, and where the pairs of each of them begin.
    before: Vec<u32>,
    first: Vec<u32>,
    /// By circle, then segment.
    pairs: Vec<Pair>,
}

impl InFlight {
    /// Finds them; both lists by rows before the step, of which there are so many; of two circles the lower first.
    pub(super) fn find(
        &mut self,
        met: impl Iterator<Item = [u32; 2]>,
        contacts: impl Iterator<Item = [u32; 2]>,
        rows: usize,
    ) {
        self.pairs.clear();
        self.has_some.clear();
        let mut each = met.enumerate().peekable();
        if each.peek().is_some() {
            // How many there are is another number at each step: room for more than a few, or each that is larger would ask for it.
            self.pairs.reserve(SOME);
        }
        self.pairs.extend(each.map(|(at, [circle, other])| Pair { circle, other, at: at as u32, touches: false }));
        if self.pairs.is_empty() {
            return;
        }
        // Mostly those of a circle stand together already.
        if self.pairs.is_sorted_by_key(|pair| pair.circle) {
            self.pairs.chunk_by_mut(|one, other| one.circle == other.circle).for_each(<[_]>::sort_unstable);
        } else {
            self.pairs.sort_unstable();
        }
        self.pairs.dedup_by_key(|pair| (pair.circle, pair.other));
        self.has_some.resize(rows.div_ceil(64), 0);
        self.first.clear();
        self.first.reserve(self.pairs.capacity());
        for (at, pair) in self.pairs.iter().enumerate() {
            let (word, bit) = (&mut self.has_some[pair.circle as usize / 64], 1 << (pair.circle % 64));
            if *word & bit == 0 {
                *word |= bit;
                self.first.push(at as u32);
            }
        }
        let mut sum = 0;
        self.before.clear();
        self.before.extend(self.has_some.iter().map(|word| {
            let before = sum;
            sum += word.count_ones();
            before
        }));
        for contact in contacts {
            if let Some(place) = self.find_pair(contact) {
                self.pairs[place].touches = true;
            }
        }
    }

    /// For how many pairs there is room.
    pub(super) fn room(&self) -> usize {
        self.pairs.capacity()
    }

    #[inline(always)]
    fn find_pair(&self, [circle, other]: [u32; 2]) -> Option<usize> {
        let (at, bit) = (circle as usize / 64, 1 << (circle % 64));
        let word = *self.has_some.get(at)?;
        if word & bit == 0 {
            return None;
        }
        let first = self.first[(self.before[at] + (word & (bit - 1)).count_ones()) as usize] as usize;
        self.find_from(first, [circle, other])
    }

    #[inline(never)]
    fn find_from(&self, first: usize, pair: [u32; 2]) -> Option<usize> {
        let found = self.pairs[first..].binary_search_by_key(&pair, |pair| [pair.circle, pair.other]);
        found.ok().map(|place| first + place)
    }

    /// The place in the list of the first time they met, if they did.
    #[inline(always)]
    pub(super) fn first(&self, pair: [u32; 2]) -> Option<usize> {
        self.find_pair(pair).map(|place| self.pairs[place].at as usize)
    }

    /// This impact, of a place in the list, is the first of a pair that does not touch at the end.
    pub(super) fn is_first_of_apart(&self, at: usize, met: [u32; 2]) -> bool {
        let pair = self.find_pair(met).map(|place| self.pairs[place]);
        pair.is_some_and(|pair| pair.at as usize == at && !pair.touches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_comes_once_and_knows_whether_it_touches() {
        let all = [[1, 7], [1, 3], [1, 7], [4, 3], [4, 7]];
        let mut flights = InFlight::default();
        for _ in 0..2 {
            flights.find(all.into_iter(), [[4, 7], [2, 3], [1, 3]].into_iter(), 5);
            let each = all.into_iter().enumerate();
            let apart: Vec<bool> = each.map(|(at, met)| flights.is_first_of_apart(at, met)).collect();
            // 1 and 7, once; 1 touches 3, 4 touches 7, 4 and 3 are apart.
            assert_eq!(apart, [true, false, false, true, false]);
            assert_eq!([[1, 7], [1, 3], [4, 7]].map(|pair| flights.first(pair)), [Some(0), Some(1), Some(4)]);
            assert_eq!([[2, 3], [4, 1], [9, 3]].map(|pair| flights.first(pair)), [None; 3]);
        }
        flights.find([].into_iter(), [[4, 7]].into_iter(), 5);
        assert_eq!(flights.first([1, 7]), None);
    }
}
