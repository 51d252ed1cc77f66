//! How tall walls are, and so about how many rows of cells they would be registered in, without a look at each.
//!
//! Comes in: segments, when they change; the levels of a grid. Goes out: whether there is room for the intervals of all of them. That depends on
//! which they are and on the cells alone, not on what they were before. This room does not know where they are.
//!
//! Cost: counting, a look at each wall; telling, some sums for each power of two that heights are of, and level.

use super::grid::Grid;
use super::walls::{MOST_ROWS, room};
use crate::geometry::Capsules;

/// Walls between two powers of two.
#[derive(Clone, Copy, Debug)]
struct Octave {
    /// Bits of the exponent.
    exponent: u32,
    count: usize,
    /// Of their heights.
    sum: f64,
}

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct Heights {
    /// Ascending.
    octaves: Vec<Octave>,
    /// No wall is counted that is not there any more.
    exact: bool,
}

impl Heights {
    /// Counts these rows, and no others.
    pub(crate) fn count(&mut self, segments: Capsules<'_>, rows: impl Iterator<Item = u32>) {
        let mut all = [(0, 0.0); 256];
        for row in rows {
            let (exponent, height) = height(segments, row);
            let (count, sum) = &mut all[exponent as usize];
            (*count, *sum) = (*count + 1, *sum + height);
        }
        self.exact = true;
        self.octaves.clear();
        let octaves = (0..).zip(all).map(|(exponent, (count, sum))| Octave { exponent, count, sum });
        self.octaves.extend(octaves.filter(|octave| octave.count > 0));
    }

    /// Counts these as well, which have come in the stead of others that stay counted.
    pub(crate) fn replace(&mut self, segments: Capsules<'_>, rows: impl Iterator<Item = u32>) {
        self.exact = false;
        for row in rows {
            let (exponent, height) = height(segments, row);
            let at = self.octaves.partition_point(|octave| octave.exponent < exponent);
            if self.octaves.get(at).is_none_or(|octave| octave.exponent != exponent) {
                self.octaves.insert(at, Octave { exponent, count: 0, sum: 0.0 });
            }
            let octave = &mut self.octaves[at];
            (octave.count, octave.sum) = (octave.count + 1, octave.sum + height);
        }
    }

    /// Those that are there now, `walls` of them, would have more intervals than there is room for; `recount` counts them, where some are counted that
    /// are not. Walls that cross too many rows have none.
    pub(crate) fn are_too_many(&mut self, grid: &Grid, walls: usize, recount: impl FnOnce(&mut Heights)) -> bool {
        // Who is counted too often only makes them more.
        if !self.exceed_room(grid, walls) {
            return false;
        }
        if self.exact {
            return true;
        }
        recount(self);
        self.exceed_room(grid, walls)
    }

    fn exceed_room(&self, grid: &Grid, walls: usize) -> bool {
        let rows = grid.levels().iter().map(|level| {
            let (inverse, size) = (f64::from(level.map.inverse()), f64::from(level.size));
            let rows = |octave: &Octave| {
                let least = f64::from(f32::from_bits(octave.exponent << 23)) * inverse;
                let all = (octave.sum + 2.0 * size * octave.count as f64) * inverse + 2.0 * octave.count as f64;
                if least > f64::from(MOST_ROWS) { 0.0 } else { all }
            };
            self.octaves.iter().map(rows).sum::<f64>()
        });
        // Sums in another order are off by a few units in the last place.
        let sure = if self.exact { 1.0 } else { 1.0 - 1e-9 };
        rows.sum::<f64>() > room(grid, walls) as f64 * sure
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Octave>() * self.octaves.capacity()
    }
}

/// Of a wall with its radius, and the bits of its exponent in single precision, of which there are 256.
#[inline(always)]
fn height(segments: Capsules<'_>, row: u32) -> (u32, f64) {
    let ([a, b], radius) = (segments.ends(row as usize), segments.radius[row as usize]);
    let height = (f64::from(a[1]) - f64::from(b[1])).abs() + 2.0 * f64::from(radius);
    ((height as f32).to_bits() >> 23, height)
}
