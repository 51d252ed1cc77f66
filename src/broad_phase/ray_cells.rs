//! All bodies together, each under every cell that it may have a point in: for many thin rays.
//!
//! Comes in: circles and segments. Goes out: for each cell of a box around all of them the circles and the segments that have a point in it, or
//! within a hair of it, copied side by side: a ray that comes to a cell finds all that it may meet there in a few lines of memory, whatever it is
//! and however large. Detection sorts circles by their centres and by their sizes, which costs it less, and a ray more: that has to look a cell to each
//! side, once for each size. This room does not know who looks.
//!
//! *Why nobody is missed.* A circle is under all cells that its box touches, that box [`MARGIN`] wider on each side, which is twice what walks ask for
//! ([`NEAR`]) and covers the rounding of coordinates in double precision: cells are wider than 2^-34 of any coordinate. A segment is under the cells
//! that [`register`] finds. Cells with more than [`MANY`] bodies have none, and say so.
//!
//! *Cost*: O(bodies) in time and memory: [`ENTRIES`] a body at most, by choice of the cells; 30 to 70 ns a body, 10 to 55 in memory that is used again (built-in scenes, e047f08,
//! Intel Xeon), up to 110 where bodies stand in such clumps that cells are counted three times, and 10 to 56 bytes.

use super::bunch::{Bunch, put};
use super::cell_map::CellMap;
use super::cells::NEAR;
use super::floor::floor_to;
use super::intervals::{Interval, register};
use super::spread::{ENTRIES, Spread};
use crate::geometry::{Capsules, Circles};

/// In cells.
const MARGIN: f64 = 2.0 * NEAR;
/// So many bodies in a cell, in the mean; where too many lie in crowded cells, the next. Where bodies stand in clumps, most of a way is empty, and the
/// less is in a cell the more of that is passed by bits.
const FILLS: [f64; 3] = [6.0, 2.0, 0.5];
/// With more bodies a cell is crowded.
const MANY: u32 = 64;
/// So many of all entries may lie in crowded cells: one in eight.
const CROWDED: u64 = 8;
/// With fewer bodies all of them are soon looked at.
const FEW: usize = 16;
/// So many words are in no near cache: 256 KiB.
const LARGE: usize = 1 << 16;
/// Words in a line of memory.
const LINE: usize = 16;
/// Bits in a word.
const BITS: u32 = u32::BITS;
/// Lanes read past the end.
const PAD: usize = 8;

/// See the head of the module. Buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct RayCells {
    map: Option<CellMap>,
    /// One over the cells per length unit, as the map takes it.
    width: f64,
    /// Around all bodies.
    low: [f64; 2],
    high: [f64; 2],
    /// Some segment has a radius.
    is_round: bool,
    /// By key.
    bunches: Vec<Bunch>,
    /// A bit of each, whether somebody is there: all of them in the nearest cache, where bunches are not.
    peopled: Vec<u32>,
    /// What they hold: numbers by their bits.
    words: Vec<u32>,
    /// What only the making needs.
    intervals: Vec<Interval>,
    placed: Vec<[u16; 2]>,
}

impl RayCells {
    /// There are no more words than this, nor circles and segments.
    pub(crate) const MOST: u32 = 1 << 26;

    /// Of these circles (columns may be longer than there are names) and segments; nothing where bodies are few, or too far apart or out for such cells.
    pub(crate) fn make(&mut self, circles: Circles<'_>, names: &[u32], segments: Capsules<'_>) {
        self.map = self.fill(circles, names, segments);
    }

    fn fill(&mut self, circles: Circles<'_>, names: &[u32], segments: Capsules<'_>) -> Option<CellMap> {
        self.is_round = segments.radius.iter().any(|&r| r > 0.0);
        let bodies = names.len() + segments.radius.len();
        if bodies < FEW || bodies > Self::MOST as usize {
            return None;
        }
        let spread = Spread::of(circles, names.len(), segments);
        (self.low, self.high) = (spread.low, spread.high);
        for (k, fill) in (1..).zip(FILLS) {
            let map = spread.map(fill)?;
            self.width = 1.0 / f64::from(map.inverse());
            let [all, crowded] = self.count(&map, circles, names.len(), segments)?;
            if CROWDED * crowded <= all || k == FILLS.len() {
                self.place(&map, circles, names, segments)?;
                return Some(map);
            }
        }
        None
    }

    /// How many are in each cell, how many together, and of those how many in crowded ones; none if a segment cannot be under its cells.
    fn count(&mut self, map: &CellMap, circles: Circles<'_>, count: usize, segments: Capsules<'_>) -> Option<[u64; 2]> {
        let RayCells { bunches, intervals, .. } = self;
        bunches.clear();
        bunches.resize(map.cells() as usize, Bunch::default());
        for row in 0..count {
            each(map, cells_of(map, circles, row), |key| Bunch::one_more(&mut bunches[key].circles));
        }
        intervals.clear();
        let walls = segments.radius.len();
        let mut room = 2 * ENTRIES as usize * (count + walls) + 4096;
        for row in 0..walls as u32 {
            if !register(intervals, map, segments, row, &mut room) {
                return None;
            }
        }
        for interval in intervals.iter() {
            let bunches = &mut bunches[interval.first as usize..interval.last as usize];
            bunches.iter_mut().for_each(|bunch| Bunch::one_more(&mut bunch.segments));
        }
        Some(bunches.iter().fold([0, 0], |[all, crowded], bunch| {
            let bodies = u64::from(bunch.bodies());
            [all + bodies, crowded + if bunch.bodies() > MANY { bodies } else { 0 }]
        }))
    }

    /// All in their places; none if they are too many.
    fn place(&mut self, map: &CellMap, circles: Circles<'_>, names: &[u32], segments: Capsules<'_>) -> Option<()> {
        let RayCells { is_round, bunches, words, intervals, placed, .. } = self;
        let (columns, mut sum) = (5 + u32::from(*is_round), 0u32);
        for bunch in bunches.iter_mut() {
            if bunch.bodies() > MANY {
                *bunch = Bunch::CROWDED;
                continue;
            }
            bunch.from = sum;
            sum += 4 * u32::from(bunch.circles) + columns * u32::from(bunch.segments);
            if sum > Self::MOST {
                return None;
            }
        }
        words.clear();
        words.resize(sum as usize + PAD, 0);
        placed.clear();
        placed.resize(bunches.len(), [0; 2]);
        for (row, &name) in names.iter().enumerate() {
            let body = [circles.x[row].to_bits(), circles.y[row].to_bits(), circles.radius[row].to_bits(), name];
            each(map, cells_of(map, circles, row), |key| {
                if !bunches[key].is_crowded() {
                    put(words, bunches[key].circles(), &mut placed[key][0], &body);
                }
            });
        }
        for interval in intervals.iter() {
            let row = interval.row as usize;
            let [x0, y0, x1, y1] = [segments.x0, segments.y0, segments.x1, segments.y1].map(|of| of[row].to_bits());
            let body = [x0, y0, x1, y1, interval.row, segments.radius[row].to_bits()];
            for key in interval.first as usize..interval.last as usize {
                if !bunches[key].is_crowded() {
                    put(words, bunches[key].segments(), &mut placed[key][1], &body[..columns as usize]);
                }
            }
        }
        self.peopled.clear();
        self.peopled.extend(
            self.bunches
                .chunks(BITS as usize)
                .map(|some| some.iter().rev().fold(0, |bits, bunch| bits << 1 | u32::from(!bunch.is_empty()))),
        );
        Some(())
    }

    /// The map of the cells, if there are any.
    #[inline(always)]
    pub(crate) fn map(&self) -> Option<&CellMap> {
        self.map.as_ref()
    }

    /// One over the cells per length unit, as the map takes it.
    #[inline(always)]
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Around all bodies.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        [self.low, self.high]
    }

    /// What is in the cells, by key.
    #[inline(always)]
    pub(crate) fn bunches(&self) -> &[Bunch] {
        &self.bunches
    }

    /// Nobody is in the cell of a key, or there is no such cell.
    #[inline(always)]
    pub(crate) fn is_empty(&self, key: u32) -> bool {
        self.peopled.get((key / BITS) as usize).is_none_or(|word| word >> (key % BITS) & 1 == 0)
    }

    /// All words, of which those that are no names are numbers; some more behind the last.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(&self.words)
    }

    /// The name, or any word, in a place.
    #[inline(always)]
    pub(crate) fn word(&self, place: u32) -> u32 {
        self.words[place as usize]
    }

    /// All words are more than the nearest caches hold.
    #[inline(always)]
    pub(crate) fn is_large(&self) -> bool {
        self.words.len() > LARGE
    }

    /// Reads where a cell begins, and the next lines of memory.
    #[inline(always)]
    pub(crate) fn touch(&self, bunch: Bunch) -> u32 {
        let from = bunch.from as usize;
        self.word_or_none(from)
            ^ self.word_or_none(from.wrapping_add(LINE))
            ^ self.word_or_none(from.wrapping_add(2 * LINE))
    }

    #[inline(always)]
    fn word_or_none(&self, place: usize) -> u32 {
        if place < self.words.len() { self.words[place] } else { 0 }
    }

    /// The circles of a cell, as columns of which lanes may read some more; their names begin three columns behind the first.
    #[inline(always)]
    pub(crate) fn circles(&self, bunch: Bunch) -> Circles<'_> {
        let [from, count] = bunch.circles().map(|word| word as usize);
        let (all, more) = (&self.numbers()[from..], count + PAD);
        Circles { x: &all[..more], y: &all[count..][..more], radius: &all[2 * count..][..more] }
    }

    /// The segments of a cell likewise, without radii where nobody has one; their names begin four columns behind the first.
    #[inline(always)]
    pub(crate) fn segments(&self, bunch: Bunch) -> Capsules<'_> {
        let [from, count] = bunch.segments().map(|word| word as usize);
        let (all, more) = (&self.numbers()[from..], count + PAD);
        let radius = if self.is_round { &all[5 * count..][..more] } else { &[] };
        let (y0, x1, y1) = (&all[count..][..more], &all[2 * count..][..more], &all[3 * count..][..more]);
        Capsules { x0: &all[..more], y0, x1, y1, radius }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Bunch>() * self.bunches.capacity()
            + size_of::<Interval>() * self.intervals.capacity()
            + 4 * (self.peopled.capacity() + self.words.capacity() + self.placed.capacity())
    }
}

/// First and last column, first and last row of the cells that a circle may have a point in.
#[inline(always)]
fn cells_of(map: &CellMap, Circles { x, y, radius }: Circles<'_>, row: usize) -> [[i32; 2]; 2] {
    let (origin, per, (last_column, last_row)) = (map.origin(), f64::from(map.inverse()), map.last());
    let (last_column, last_row) = (f64::from(last_column), f64::from(last_row));
    let reach = f64::from(radius[row]) * per + MARGIN;
    let x = (f64::from(x[row]) - f64::from(origin[0])) * per;
    let y = (f64::from(y[row]) - f64::from(origin[1])) * per;
    [
        [floor_to(x - reach, last_column), floor_to(x + reach, last_column)],
        [floor_to(y - reach, last_row), floor_to(y + reach, last_row)],
    ]
}

/// The keys of a rectangle of cells.
#[inline(always)]
fn each(map: &CellMap, [columns, rows]: [[i32; 2]; 2], mut take: impl FnMut(usize)) {
    for row in rows[0]..=rows[1] {
        let key = map.key_of(columns[0], row) as usize;
        for column in 0..=(columns[1] - columns[0]) as usize {
            take(key + column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Columns: x, y, radius; x0, y0, x1, y1, radius.
    struct Bodies([Vec<f32>; 3], [Vec<f32>; 5]);

    impl Bodies {
        /// So many circles of up to this radius and segments of up to this length, strewn over a rectangle about a place.
        fn new([count, walls]: [usize; 2], [wide, high]: [f64; 2], middle: f64, size: f64, round: bool) -> Bodies {
            let (mut state, mut bodies) = (7, Bodies([const { vec![] }; 3], [const { vec![] }; 5]));
            let place = |state: &mut u64| [wide, high].map(|w| middle + (random(state) - 0.5) * w);
            for _ in 0..count {
                let ([x, y], radius) = (place(&mut state), size * (0.1 + 0.9 * random(&mut state)));
                bodies.0.iter_mut().zip([x, y, radius]).for_each(|(column, v)| column.push(v as f32));
            }
            for _ in 0..walls {
                let ([x, y], [dx, dy]) = (place(&mut state), [0; 2].map(|_| 8.0 * size * (random(&mut state) - 0.5)));
                let radius = if round { 0.3 * size * random(&mut state) } else { 0.0 };
                bodies.1.iter_mut().zip([x, y, x + dx, y + dy, radius]).for_each(|(column, v)| column.push(v as f32));
            }
            bodies
        }

        /// Circle k is called 7 k.
        fn cells(&self) -> RayCells {
            let mut cells = RayCells::default();
            // Twice: buffers are used again.
            for _ in 0..2 {
                let names: Vec<u32> = (0..self.0[0].len() as u32).map(|k| 7 * k).collect();
                let [x, y, radius] = self.0.each_ref().map(Vec::as_slice);
                let circles = Circles { x, y, radius };
                let [x0, y0, x1, y1, radius] = self.1.each_ref().map(Vec::as_slice);
                cells.make(circles, &names, Capsules { x0, y0, x1, y1, radius });
            }
            cells
        }
    }

    /// The rows of a cell's circles and segments, whose numbers have to be theirs.
    fn rows(cells: &RayCells, bodies: &Bodies, bunch: Bunch) -> [Vec<usize>; 2] {
        let (circles, segments) = (cells.circles(bunch), cells.segments(bunch));
        let ([first, n], [from, m]) = (bunch.circles(), bunch.segments());
        let name = |place: u32| cells.word(place) as usize;
        let round: Vec<usize> = (0..n).map(|k| name(first + 3 * n + k) / 7).collect();
        let long: Vec<usize> = (0..m).map(|k| name(from + 4 * m + k)).collect();
        for (k, &row) in round.iter().enumerate() {
            let [x, y, radius] = bodies.0.each_ref().map(|column| column[row]);
            assert_eq!([circles.x[k], circles.y[k], circles.radius[k]], [x, y, radius]);
        }
        for (k, &row) in long.iter().enumerate() {
            let [x0, y0, x1, y1, radius] = bodies.1.each_ref().map(|column| column[row]);
            let Capsules { x0: a, y0: b, x1: c, y1: d, radius: r } = segments;
            assert_eq!([a[k], b[k], c[k], d[k], r.get(k).copied().unwrap_or(0.0)], [x0, y0, x1, y1, radius]);
        }
        assert!(round.is_sorted_by(|a, b| a < b) && long.is_sorted_by(|a, b| a < b));
        [round, long]
    }

    #[test]
    fn every_cell_knows_all_bodies_that_have_points_in_it() {
        for (counts, room, middle, size, round) in [
            ([70, 20], [300.0, 300.0], 0.0, 1.0, false),
            ([3000, 500], [1e4, 2e3], -5e3, 10.0, true),
            ([3000, 0], [40.0, 40.0], 0.0, 1.0, false),
            ([0, 700], [40.0, 90.0], 50.0, 0.5, false),
            ([500, 500], [4e3, 4e3], 6.4e6, 0.5, false),
            ([500, 10], [1e-20, 1e-20], 0.0, 1e-23, false),
            ([300, 40], [1e9, 1e9], 1e9, 1e8, true),
            // A row of points.
            ([200, 0], [500.0, 0.0], 3.0, 0.0, false),
        ] {
            let bodies = Bodies::new(counts, room, middle, size, round);
            let (cells, mut state, mut known, mut entries) = (bodies.cells(), 9, 0, 0);
            let (map, [low, high]) = (*cells.map().expect("strewn evenly"), cells.bounds());
            let held: Vec<[Vec<usize>; 2]> = (cells.bunches().iter().zip(0..))
                .map(|(&bunch, key)| {
                    assert!(!bunch.is_crowded());
                    assert_eq!([bunch.is_empty(), cells.is_empty(key)], [bunch.bodies() == 0; 2]);
                    entries += bunch.bodies() as usize;
                    rows(&cells, &bodies, bunch)
                })
                .collect();
            let all = counts[0] + counts[1];
            assert!(entries <= 10 * all && cells.bunches().len() <= 8 * all + 64, "{entries} {room:?}");
            let mut check = |kind: usize, row: usize, point: [f64; 2]| {
                let cell = [0, 1].map(|axis| {
                    let hair = (random(&mut state) - 0.5) * 2.0 * NEAR;
                    assert!(low[axis] <= point[axis] && point[axis] <= high[axis]);
                    ((point[axis] - f64::from(map.origin()[axis])) * f64::from(map.inverse()) + hair).floor() as i32
                });
                if (0..=map.last().0).contains(&cell[0]) && (0..=map.last().1).contains(&cell[1]) {
                    assert!(held[map.key_of(cell[0], cell[1]) as usize][kind].contains(&row), "{kind} {row} {cell:?}");
                    known += 1;
                }
            };
            for row in 0..counts[0] {
                let [x, y, r] = bodies.0.each_ref().map(|column| f64::from(column[row]));
                for step in 0..24 {
                    let angle = f64::from(step) * std::f64::consts::TAU / 24.0;
                    let away = r * (1.0 - 1e-9) * f64::from(step % 4) / 3.0;
                    check(0, row, [x + away * angle.cos(), y + away * angle.sin()]);
                }
            }
            for row in 0..counts[1] {
                let [x0, y0, x1, y1, r] = bodies.1.each_ref().map(|column| f64::from(column[row]));
                for step in 0..=40 {
                    let (t, angle) = (f64::from(step) / 40.0, f64::from(step));
                    let away = r * (1.0 - 1e-9) * f64::from(step % 2);
                    check(1, row, [x0 + t * (x1 - x0) + away * angle.cos(), y0 + t * (y1 - y0) + away * angle.sin()]);
                }
            }
            assert!(known > 10 * all, "{known}");
        }
    }

    #[test]
    fn who_lies_in_a_crowded_cell_is_not_listed_and_all_others_are() {
        // Far more bodies about one point than a cell may hold, and some elsewhere.
        let mut bodies = Bodies::new([100, 20], [1e3, 1e3], 0.0, 1.0, false);
        for k in 0..500 {
            bodies.0.iter_mut().zip([1.0 + k as f32 * 1e-4, 2.0, 0.5]).for_each(|(column, v)| column.push(v));
        }
        let cells = bodies.cells();
        let map = *cells.map().expect("not too far apart");
        let crowded = |&(bunch, key): &(&Bunch, u32)| {
            bunch.is_crowded() && !bunch.is_empty() && !cells.is_empty(key) && bunch.bodies() == 0
        };
        let count = cells.bunches().iter().zip(0..).filter(crowded).count();
        assert!((1..=4).contains(&count), "{count}");
        let mut found = [vec![false; 600], vec![false; 20]];
        for &bunch in cells.bunches().iter().filter(|bunch| !bunch.is_crowded()) {
            let rows = rows(&cells, &bodies, bunch);
            found.iter_mut().zip(rows).for_each(|(found, rows)| rows.into_iter().for_each(|row| found[row] = true));
        }
        let key = |x: f32, y: f32| map.key(x, y) as usize;
        for (row, &found) in found[0].iter().enumerate() {
            let place = key(bodies.0[0][row], bodies.0[1][row]);
            assert!(found || cells.bunches()[place].is_crowded(), "{row}");
        }
        let count = |found: &[bool]| found.iter().filter(|&&found| found).count();
        assert!(
            count(&found[0][..100]) > 90 && count(&found[1]) > 15,
            "{} {}",
            count(&found[0][..100]),
            count(&found[1])
        );
    }

    #[test]
    fn none_where_they_are_few_or_far_out() {
        for (counts, room, middle, size) in [
            ([0, 0], [300.0, 300.0], 0.0, 1.0),
            ([10, 5], [300.0, 300.0], 0.0, 1.0),
            ([1000, 0], [0.0, 0.0], 5.0, 0.0),
            ([1000, 0], [1e37, 1e37], 0.0, 1.0),
            // Cells that are narrower than what coordinates can tell.
            ([1000, 0], [0.0, 1.0], 1e12, 1e-9),
        ] {
            assert!(Bodies::new(counts, room, middle, size, false).cells().map().is_none(), "{counts:?} {room:?}");
        }
        // One wall through more rows of cells than one is registered in.
        let mut bodies = Bodies::new([0, 200_000], [2.0, 1e7], 0.0, 1e-3, false);
        bodies.1.iter_mut().zip([0.0, -5e6, 0.0, 5e6, 0.0]).for_each(|(column, v)| column.push(v));
        assert!(bodies.cells().map().is_none());
    }
}
