//! Fixed strips, so that threads answer contacts side by side.
//!
//! Comes in: how many circles there are, and of which rows each contact is. Goes out: the contacts of each strip, and those from one strip to
//! another. This room does not know what is done with a contact.
//!
//! A strip is a stretch of rows, which lie in the order of cells. Strips share no circle, so contacts within them are answered side by side, each
//! strip's in their order. Those across are answered one after the other, all before or all behind: of discs strewn over a
//! square some in a hundred. How long a strip is follows from the number of circles alone, and so does every bit of the result.

use super::taken::Circles;
use crate::parallel::Split;
use std::cmp::{max, min};
use std::ops::Range;

/// Rows in a strip at least, and strips at most.
const ROWS: u32 = 2048;
pub(super) const STRIPS: usize = 32;
/// Pieces of a list of contacts at most, and contacts in each at least.
const PIECES: usize = 16;
const FEW: usize = 2048;
/// Fewer circles than this are one strip: no second thread works on them.
const MANY: usize = 16_384;

/// Strips of so many circles: all but the last of one length, a power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Strips {
    rows: usize,
    /// The length's logarithm.
    shift: u32,
}

impl Strips {
    pub(super) fn of(rows: usize) -> Strips {
        let mut shift = ROWS.ilog2();
        while rows > STRIPS << shift {
            shift += 1;
        }
        Strips { rows, shift: if rows < MANY { usize::BITS - 1 } else { shift } }
    }

    /// How many there are: at least one.
    pub(super) fn count(self) -> usize {
        (self.rows.saturating_sub(1) >> self.shift) + 1
    }

    /// That of a row.
    pub(super) fn at(self, row: u32) -> usize {
        row as usize >> self.shift
    }

    /// The rows of a strip.
    pub(super) fn rows(self, strip: usize) -> Range<usize> {
        strip << self.shift..min((strip + 1) << self.shift, self.rows)
    }

    /// `work(circles, strip, piece)` for each strip and its piece; the circles are those of the strip.
    pub(super) fn each<T: Send>(
        self,
        circles: &mut Circles<'_>,
        pieces: &mut [T],
        split: Split,
        work: &(impl Fn(&mut Circles<'_>, usize, &mut T) + Sync),
    ) {
        self.halves(circles, 0, &mut pieces[..self.count()], split, work);
    }

    fn halves<T: Send>(
        self,
        circles: &mut Circles<'_>,
        strip: usize,
        pieces: &mut [T],
        split: Split,
        work: &(impl Fn(&mut Circles<'_>, usize, &mut T) + Sync),
    ) {
        if let [piece] = pieces {
            return work(circles, strip, piece);
        }
        let middle = pieces.len() / 2;
        let (low, high) = pieces.split_at_mut(middle);
        let [mut before, mut from] = circles.split_at((strip + middle) << self.shift);
        split.join(
            || self.halves(&mut before, strip, low, split, work),
            || self.halves(&mut from, strip + middle, high, split, work),
        );
        let finite = before.finite && from.finite;
        circles.finite &= finite;
    }
}

/// The places of contacts in their list, strip by strip, and behind them those across; each in the order of the list.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    strips: usize,
    /// Of one strip there is nothing to sort.
    places: Vec<u32>,
    /// Behind the last place of each strip, and of those across.
    ends: Vec<u32>,
}

/// Which contacts of a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places<'a> {
    All(u32),
    These(&'a [u32]),
}

impl Sorted {
    /// Sorts contacts by the strips of their two circles, of so many strips: pieces of the list side by side, each of which knows from
    /// how many all others have where its own are to be put.
    pub(super) fn sort<C: Sync>(
        &mut self,
        strips: usize,
        contacts: &[C],
        strips_of: impl Fn(&C) -> [usize; 2] + Sync,
        split: Split,
    ) {
        let Sorted { places, ends, .. } = self;
        self.strips = strips;
        ends.clear();
        if strips == 1 {
            places.clear();
            return ends.extend([contacts.len() as u32; 2]);
        }
        let of = |contact: &C| match strips_of(contact) {
            [a, b] if a == b => a,
            _ => strips,
        };
        let few = max(contacts.len().div_ceil(PIECES), FEW);
        let count = contacts.len().div_ceil(few);
        let mut counts = [[0u32; STRIPS + 1]; PIECES];
        split.each(&mut counts[..count], |k, counts| {
            contacts[k * few..].iter().take(few).for_each(|contact| counts[of(contact)] += 1);
        });
        places.resize(contacts.len(), 0);
        let mut rest = &mut places[..];
        let mut rooms: [[&mut [u32]; STRIPS + 1]; PIECES] =
            std::array::from_fn(|_| std::array::from_fn(|_| Default::default()));
        for strip in 0..=strips {
            for (counts, rooms) in counts.iter().zip(&mut rooms) {
                (rooms[strip], rest) = std::mem::take(&mut rest).split_at_mut(counts[strip] as usize);
            }
            ends.push((contacts.len() - rest.len()) as u32);
        }
        split.each(&mut rooms[..count], |k, rooms| {
            let mut next = [0; STRIPS + 1];
            for (at, contact) in contacts.iter().enumerate().skip(k * few).take(few) {
                let strip = of(contact);
                rooms[strip][next[strip]] = at as u32;
                next[strip] += 1;
            }
        });
    }

    /// Those of a strip.
    pub(super) fn of(&self, strip: usize) -> Places<'_> {
        if self.strips == 1 {
            return Places::All(self.ends[0]);
        }
        let from = if strip > 0 { self.ends[strip - 1] } else { 0 };
        Places::These(&self.places[from as usize..self.ends[strip] as usize])
    }

    /// Those from one strip to another.
    pub(super) fn across(&self) -> Places<'_> {
        if self.strips == 1 { Places::These(&[]) } else { self.of(self.strips) }
    }
}

impl<'a> Places<'a> {
    /// How many.
    pub(super) fn len(self) -> usize {
        match self {
            Places::All(len) => len as usize,
            Places::These(these) => these.len(),
        }
    }

    /// One after the other.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = u32> + 'a {
        let (all, these) = match self {
            Places::All(len) => (0..len, &[][..]),
            Places::These(these) => (0..0, these),
        };
        all.chain(these.iter().copied())
    }

    /// One of them.
    #[inline]
    pub(super) fn get(self, k: u32) -> u32 {
        match self {
            Places::All(_) => k,
            Places::These(these) => these[k as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_are_few_long_and_follow_from_the_number_of_circles() {
        let lengths = |rows| (Strips::of(rows).count(), 1usize.checked_shl(Strips::of(rows).shift).unwrap_or(0));
        assert_eq!([0, 1, MANY - 1].map(|rows| lengths(rows).0), [1; 3]);
        // 16 384 / 2 048 = 8; of a row more there is a ninth strip. 65 537 are more than 32 times 2 048.
        assert_eq!([MANY, MANY + 1, 65_536, 65_537].map(lengths), [(8, 2048), (9, 2048), (32, 2048), (17, 4096)]);
        assert_eq!(lengths(1_000_000), (31, 32_768));
    }

    #[test]
    fn contacts_are_sorted_by_strip_and_keep_their_order() {
        let mut sorted = Sorted::default();
        let contacts = [[0, 2047], [2048, 5], [4096, 4097], [1, 3], [9, 9], [6143, 6144], [4099, 4098]];
        let strips = Strips::of(MANY);
        // Twice, as buffers are used again.
        for _ in 0..2 {
            sorted.sort(strips.count(), &contacts, |c| c.map(|row| strips.at(row)), Split::SERIAL);
            let of = |strip| sorted.of(strip).iter().collect::<Vec<_>>();
            assert_eq!([of(0), of(1), of(2), of(7)], [vec![0, 3, 4], vec![], vec![2, 6], vec![]]);
            assert_eq!(sorted.across().iter().collect::<Vec<_>>(), [1, 5]);
        }
        sorted.sort(1, &contacts, |_| [0; 2], Split::SERIAL);
        assert_eq!(sorted.of(0).iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(sorted.across().iter().count(), 0);
    }

    #[test]
    #[cfg(feature = "parallel")]
    fn contacts_of_many_pieces_keep_their_order_whoever_sorts_them() {
        use crate::parallel::{Pool, Threads};
        // 3 of 4 lie within a strip; the order is that of the list.
        let contacts: Vec<[usize; 2]> =
            (0..5 * FEW + 7).map(|k| [k * 7 % 32, (k * 7 + usize::from(k % 4 == 0)) % 32]).collect();
        let expected = |strip: usize| -> Vec<u32> {
            let of = |[a, b]: [usize; 2]| if a == b { a } else { 32 };
            (0..contacts.len()).filter(|&k| of(contacts[k]) == strip).map(|k| k as u32).collect()
        };
        for threads in [1, 3] {
            Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                let mut sorted = Sorted::default();
                for few in [&contacts[..FEW + 1], &contacts] {
                    sorted.sort(32, few, |&strips| strips, split);
                }
                assert!((0..32).all(|strip| sorted.of(strip).iter().eq(expected(strip))));
                assert!(sorted.across().iter().eq(expected(32)) && sorted.across().len() > FEW);
            });
        }
    }

    #[test]
    fn each_strip_has_its_own_circles_and_says_what_is_not_finite() {
        let rows = MANY + 1;
        let (mut x, mut y) = (vec![0.0f32; rows], vec![0.0f32; rows]);
        let (mut vx, mut vy) = (x.clone(), x.clone());
        let (radius, w) = (vec![1.0f32; rows], vec![1.0f32; rows]);
        let mut circles = Circles::new(&mut x, &mut y, &mut vx, &mut vy, &radius, &w);
        let mut pieces = [0usize; 9];
        Strips::of(rows).each(&mut circles, &mut pieces, Split::SERIAL, &|circles, strip, piece| {
            *piece = circles.len();
            let row = strip * 2048;
            circles.put(row, [strip as f64, 0.5], [0.0, if strip == 7 { f64::INFINITY } else { 1.0 }]);
        });
        assert_eq!(pieces, [2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 1]);
        assert!(!circles.finite);
        assert_eq!((x[0], x[6 * 2048], x[8 * 2048], x[1], vy[7 * 2048]), (0.0, 6.0, 8.0, 0.0, f32::INFINITY));
    }
}
