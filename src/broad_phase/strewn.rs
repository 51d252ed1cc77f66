//! Where the segments of a level are, told for wide regions at once, where they are strewn so thinly that their cells lie on a torus.
//!
//! Comes in: the entries of a level. Goes out: [`Regions`] of the starts of its segments, the entry of each, and how far a segment may go from its
//! start. This room does not know who looks.
//!
//! *Cost*: to sort the entries, once.

use super::cells::{CellLevel, Cells};
use super::entries::Entries;
use super::regions::Regions;

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Strewn {
    regions: Regions,
    /// By row of the regions: an entry of the segment.
    places: Vec<u32>,
    size: f32,
}

impl Strewn {
    /// Of each level.
    pub(super) fn make_all(all: &mut Vec<Strewn>, levels: &[CellLevel], entries: &Entries) {
        all.resize_with(levels.len(), Strewn::default);
        all.iter_mut().zip(levels).for_each(|(one, level)| one.make(level, entries));
    }

    fn make(&mut self, level: &CellLevel, entries: &Entries) {
        let Strewn { regions, places, size } = self;
        places.clear();
        places.extend(level.entries.clone().filter(|&entry| entries.rows[entry as usize] != Cells::GONE));
        places.sort_unstable_by_key(|&entry| (entries.rows[entry as usize], entry));
        places.dedup_by_key(|&mut entry| entries.rows[entry as usize]);
        let mut most = 0.0;
        let (mut x, mut y) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        for &entry in &*places {
            let segment = entries.segment(entry as usize);
            let [a, b] = [segment.start, segment.end].map(|end| [end.x, end.y].map(f64::from));
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let far = (dx * dx + dy * dy).sqrt() + f64::from(segment.radius);
            most = if far > most { far } else { most };
            x.push(segment.start.x);
            y.push(segment.start.y);
        }
        // Rounded to nearest, and some 2^-52 off before: one more is no less.
        *size = (most as f32).next_up();
        regions.strew(level.map.is_torus() && *size < f32::MAX, 0, &x, &y);
    }

    /// The regions, if there are any.
    pub(crate) fn regions(&self) -> Option<&Regions> {
        self.regions.map().map(|_| &self.regions)
    }

    /// The entry in a row of the regions.
    pub(crate) fn entry(&self, row: u32) -> u32 {
        self.places[row as usize]
    }

    /// No segment has a point further from its start.
    pub(crate) fn size(&self) -> f32 {
        self.size
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.regions.bytes() + 4 * self.places.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Capsules;

    #[test]
    fn each_segment_is_there_once_and_reaches_no_further() {
        // Three towns of walls of length 5 and less, in cells a fraction as wide; every fourth is forgotten in the end.
        let mut columns: [Vec<f32>; 5] = Default::default();
        for k in 0..900u32 {
            let [x, y] = [[0.0, 0.0], [9000.0, 100.0], [4000.0, -7000.0]][k as usize % 3];
            let [along, up] = [k * 7 % 31, k * 11 % 29].map(|v| v as f32 / 8.0);
            let there = [x + along, y + up, x + along + 3.0, y + up + 4.0 - (k % 5) as f32, 0.0];
            columns.iter_mut().zip(there).for_each(|(column, v)| column.push(v));
        }
        let [x0, y0, x1, y1, radius] = &columns;
        let mut cells = Cells::default();
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..900);
        for forgotten in [false, true] {
            if forgotten {
                cells.forget(&(0..900).map(|k| k % 4 == 0).collect::<Vec<bool>>());
            }
            let mut rows = Vec::new();
            for level in cells.levels() {
                let mut strewn = Strewn::default();
                strewn.make(level, cells.entries());
                assert!(strewn.regions().is_some() && strewn.size() >= 5.0 && strewn.size() < 5.001);
                rows.extend(strewn.places.iter().map(|&entry| cells.entries().rows[entry as usize]));
                assert!((0..strewn.places.len() as u32).all(|row| strewn.entry(row) == strewn.places[row as usize]));
            }
            rows.sort_unstable();
            assert!(rows.into_iter().eq((0..900).filter(|k| !forgotten || k % 4 != 0)));
        }
    }
}
