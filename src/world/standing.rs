//! The cells of the segments that do not move, mended after an edit.
//!
//! Comes in: the columns of the segments, which know what was edited. Goes out: two sets of cells in which each of the segments is once: that of
//! most, from which the edited ones are gone, and that of the edited ones. What is found in them does not depend on which is where. This room does
//! not know who asks.
//!
//! Cost: where a few have been edited, two nanoseconds for each entry of a cell, and what so few cost anew; when one in sixteen has been, all anew.

use crate::broad_phase::Cells;
use crate::storage::SegmentColumns;

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Standing {
    most: Cells,
    recent: Cells,
    /// The rows edited since `most` was made, ascending; some may be gone.
    rows: Vec<u32>,
    /// After how many edits this is what stands.
    made: Option<u64>,
    edited: Vec<u32>,
    marks: Vec<bool>,
}

/// So many edited ones are never too many.
const FEW: usize = 64;
/// Nor is one in so many.
const SHARE: usize = 16;

impl Standing {
    /// Brings it up to the segments as they are.
    pub(super) fn update(&mut self, segments: &SegmentColumns) {
        if !self.mend(segments) {
            self.rows.clear();
            self.recent.build(segments.capsules(), std::iter::empty());
            self.most.build(segments.capsules(), segments.fixed_rows());
        }
        self.made = Some(segments.edits());
    }

    /// Both sets.
    pub(super) fn cells(&self) -> [&Cells; 2] {
        [&self.most, &self.recent]
    }

    /// False, and nothing that is of use, if all is to be made anew.
    fn mend(&mut self, segments: &SegmentColumns) -> bool {
        let Standing { most, recent, rows, edited, marks, .. } = self;
        let known = self.made.is_some_and(|edits| segments.edited.since(edits, edited));
        // Who is in no cell is counted otherwise when the size of the world is asked for.
        if !known || !most.apart().rows.is_empty() {
            return false;
        }
        if edited.is_empty() {
            return true;
        }
        rows.extend_from_slice(edited);
        rows.sort_unstable();
        rows.dedup();
        let count = segments.len() - segments.moving_rows.len();
        if rows.len() > FEW + count / SHARE {
            return false;
        }
        marks.clear();
        marks.resize(edited.last().map_or(0, |&row| row as usize + 1), false);
        edited.iter().for_each(|&row| marks[row as usize] = true);
        most.forget(marks);
        let stands = |row: &u32| segments.moving.get(*row as usize) == Some(&false);
        recent.build(segments.capsules(), rows.iter().copied().filter(stands));
        recent.apart().rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Segment;
    use crate::storage::SegmentHandle;

    /// Every segment that stands is in one of the sets, none that does not is.
    fn check(standing: &Standing, segments: &SegmentColumns) {
        let mut seen = vec![[false; 2]; segments.len()];
        for (k, cells) in standing.cells().into_iter().enumerate() {
            for (entry, &row) in cells.entries().rows.iter().enumerate().filter(|entry| *entry.1 != Cells::GONE) {
                seen[row as usize][k] = true;
                let segment = cells.entries().segment(entry);
                assert_eq!(segment, segments.body(row as usize).shape);
            }
            // Of some the box is too large for cells.
            cells.apart().rows.iter().for_each(|&row| seen[row as usize][k] = true);
        }
        for (row, seen) in seen.into_iter().enumerate() {
            assert_eq!(u32::from(seen[0]) + u32::from(seen[1]), u32::from(!segments.moving[row]), "row {row}");
        }
        let size = |levels: [&Cells; 2]| {
            let ends = levels.into_iter().flat_map(Cells::corners);
            ends.flatten().fold(0.0f64, |most, v| if v.abs() > most { v.abs() } else { most })
        };
        let mut anew = Standing::default();
        anew.update(segments);
        assert_eq!(size(standing.cells()), size(anew.cells()));
        let shortest = |sets: [&Cells; 2]| sets.map(Cells::shortest).into_iter().reduce(f32::min);
        assert_eq!(shortest(standing.cells()), shortest(anew.cells()));
    }

    #[test]
    fn each_is_in_one_set_after_any_edit() {
        let mut segments = SegmentColumns::default();
        let body = |k: u32| {
            let (x, y) = ((k * 7919 % 100) as f32, (k * 104_729 % 100) as f32 + 0.1 * (k % 10) as f32);
            Segment::new([x, y], [x + 1.0 + 0.001 * k as f32, y + (k % 3) as f32])
        };
        for k in 0..500 {
            segments.push(body(k).into(), SegmentHandle::new(k, 0));
        }
        let (mut standing, mut mended) = (Standing::default(), 0);
        standing.update(&segments);
        check(&standing, &segments);
        for k in 0..400u32 {
            let row = (k * 31) as usize % segments.len();
            match k % 5 {
                0 => segments.swap_remove(row),
                1 => segments.push(body(k + 1000).into(), SegmentHandle::new(1000 + k, 0)),
                2 => segments.set(row, body(k + 3000).with_velocity([1.0, 0.0])),
                // The farthest of all, and home again.
                3 => segments.set(row, Segment::new([-900.0, 3.0], [-901.0, 3.0 + k as f32]).into()),
                _ => segments.set((k as usize - 1) * 31 % segments.len(), body(k).into()),
            }
            standing.update(&segments);
            mended += usize::from(!standing.rows.is_empty());
            check(&standing, &segments);
        }
        assert!(mended > 300, "{mended}");
    }
}
