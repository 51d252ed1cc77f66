//! Pairs of a circle and a segment that met in flight, for the report.
//!
//! Comes in: what the flight of a step met, and the contacts where it ended. Goes out: each such pair once, with the first time it met, and
//! whether it touches at the end. This room does not know what touched before. Costs nothing where nobody met anything; else a look at each contact.

use crate::narrow_phase::CircleSegmentContact;
use crate::response::Met;

/// One pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    circle: u32,
    segment: u32,
    /// The place of its first impact in the list.
    at: u32,
    touches: bool,
}

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    /// By the rows of circles before the step: one more than the place of the first of their pairs; 0: they have none.
    place: Vec<u32>,
    /// By circle, then segment.
    pairs: Vec<Pair>,
}

impl InFlight {
    /// Finds them; `met` by circles; `order`: for each row of the contacts the row of the circle before the step.
    pub(super) fn find(&mut self, met: &[Met], contacts: &[CircleSegmentContact], order: &[u32]) {
        for pair in self.pairs.drain(..) {
            self.place[pair.circle as usize] = 0;
        }
        if met.is_empty() {
            return;
        }
        let each = met.iter().enumerate();
        self.pairs.extend(each.map(|(at, met)| Pair {
            circle: met.circle,
            segment: met.segment,
            at: at as u32,
            touches: false,
        }));
        // They come by circles, a few of each.
        for pairs in self.pairs.chunk_by_mut(|a, b| a.circle == b.circle) {
            pairs.sort_unstable();
        }
        self.pairs.dedup_by_key(|pair| (pair.circle, pair.segment));
        if self.place.len() < order.len() {
            self.place.resize(order.len(), 0);
        }
        for (place, pair) in self.pairs.iter().enumerate().rev() {
            self.place[pair.circle as usize] = place as u32 + 1;
        }
        for contact in contacts {
            if let Some(place) = self.find_pair(order[contact.a as usize], contact.b) {
                self.pairs[place].touches = true;
            }
        }
    }

    #[inline(always)]
    fn find_pair(&self, circle: u32, segment: u32) -> Option<usize> {
        match self.place.get(circle as usize) {
            None | Some(0) => None,
            Some(&place) => {
                let of_circle = self.pairs[place as usize - 1..].iter().take_while(|pair| pair.circle == circle);
                of_circle.zip(place as usize - 1..).find(|(pair, _)| pair.segment == segment).map(|(_, place)| place)
            }
        }
    }

    /// The place in the list of the first time they met, if they did.
    pub(super) fn first(&self, circle: u32, segment: u32) -> Option<usize> {
        self.find_pair(circle, segment).map(|place| self.pairs[place].at as usize)
    }

    /// This impact, of a place in the list, is the first of a pair that does not touch at the end.
    pub(super) fn is_first_of_apart(&self, at: usize, met: &Met) -> bool {
        let pair = self.find_pair(met.circle, met.segment).map(|place| self.pairs[place]);
        pair.is_some_and(|pair| pair.at as usize == at && !pair.touches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(circle: u32, segment: u32) -> Met {
        Met { circle, segment, point: [0.0; 2], normal: [0.0, 1.0], approach: 1.0, fraction: 0.5 }
    }

    #[test]
    fn each_pair_comes_once_and_knows_whether_it_touches() {
        let all = [met(1, 7), met(1, 3), met(1, 7), met(4, 3), met(4, 7)];
        // Rows of contacts 0, 1, 2 were 4, 2, 1.
        let contact = |a, b| CircleSegmentContact { a, b, ..CircleSegmentContact::default() };
        let mut flights = InFlight::default();
        for _ in 0..2 {
            flights.find(&all, &[contact(0, 7), contact(1, 3), contact(2, 3)], &[4, 2, 1, 0, 3]);
            let apart: Vec<bool> = all.iter().enumerate().map(|(at, met)| flights.is_first_of_apart(at, met)).collect();
            // 1 and 7, once; 1 touches 3, 4 touches 7, 4 and 3 are apart.
            assert_eq!(apart, [true, false, false, true, false]);
            assert_eq!([flights.first(1, 7), flights.first(1, 3), flights.first(4, 7)], [Some(0), Some(1), Some(4)]);
            assert_eq!([flights.first(2, 3), flights.first(4, 1), flights.first(9, 3)], [None; 3]);
        }
        flights.find(&[], &[contact(0, 7)], &[4, 2, 1, 0, 3]);
        assert_eq!(flights.first(1, 7), None);
    }
}
